"""The life of a jackpot, as commands: defined, changed while closed, opened with its seed, closed, suspended."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from pitboss.books import LEDGER, BookState, Payload, movement_of
from pitboss.commands import By, Command, Name, Now, Prepared, Words, command, refuse
from pitboss.commands.roles import CONFIGURERS, FLOOR, MANAGERS
from pitboss.jackpot.checks import jackpot_of, jackpot_problems, room_problems
from pitboss.jackpot.definitions import Jackpot, JackpotDraft
from pitboss.jackpot.entries import JackpotSet, Play, PlayReason, PlaySet
from pitboss.jackpot.state import JACKPOTS, record_of
from pitboss.meters import change_terms, open_meter


@command("jackpots/define", roles=MANAGERS, approvers=CONFIGURERS)
@dataclass(frozen=True, slots=True, kw_only=True)
class DefineJackpot(Command):
    """Define a jackpot, which is closed."""

    jackpot: JackpotDraft
    words: Words

    def prepare(self, services: Any) -> Prepared:
        """Build the jackpot and check what needs no state, before the command is in line."""
        return _Definition.of(self, getattr(services, "probabilities", None), services.state)

    def entries(self, now: Now, by: By) -> list[Payload]:
        """Return the definition, built without any worker."""
        return _Definition.of(self, None, now.state).entries(now, by)


@command("jackpots/change", roles=MANAGERS, approvers=CONFIGURERS)
@dataclass(frozen=True, slots=True, kw_only=True)
class ChangeJackpot(DefineJackpot):
    """Change a jackpot while it is closed."""


@dataclass(frozen=True, slots=True)
class _Definition:
    """A jackpot to be written, with what is wrong with it by itself."""

    jackpot: Jackpot
    words: str
    is_first: bool
    problems: tuple[str, ...]

    @classmethod
    def of(cls, asking: DefineJackpot, probabilities: Any, state: BookState) -> _Definition:
        jackpot = jackpot_of(asking.jackpot, probabilities, state.of(JACKPOTS))
        is_first = not isinstance(asking, ChangeJackpot)
        return cls(jackpot, asking.words, is_first, tuple(map(str, jackpot_problems(jackpot))))

    def entries(self, now: Now, by: By) -> list[Payload]:
        """Return the definition, and new terms of the meter where it has been opened."""
        state, jackpot = now.state, self.jackpot
        problems = [*self.problems]
        problems += [] if problems else map(str, room_problems(jackpot, state.of(JACKPOTS)))
        definition = JackpotSet(jackpot=jackpot, words=self.words, approved_by=by.approved_by, first=self.is_first)
        if self.is_first:
            if jackpot.name in state.of(JACKPOTS).jackpots or jackpot.name in state.of(LEDGER):
                problems.append(f"there is a jackpot {jackpot.name!r} already")
            refuse(problems)
            return [definition]
        before = record_of(state, jackpot.name)
        if not before.jackpot.tables:
            problems.append(f"{jackpot.name} is removed: define another (J-17)")
        if before.play != "closed":
            problems.append(f"{jackpot.name} is {before.play}: its parameters change only while it is closed (T-16)")
        if jackpot.meter.jackpot_type != before.jackpot.meter.jackpot_type:
            problems.append("the type of a jackpot does not change: define another (J-01)")
        refuse(problems)
        accounts = state.of(LEDGER).get(jackpot.name)
        if accounts is None or jackpot.meter == before.jackpot.meter:
            return [definition]
        meter = accounts.meter_state
        change = change_terms(meter, before.jackpot.meter, jackpot.meter, words=self.words)
        reason = {"words": self.words, "approved_by": by.approved_by}
        return [definition, movement_of("terms-changed", jackpot.name, meter, change, **reason)]


@command("jackpots/open", roles=FLOOR, approvers=("supervisor", "manager", "surveillance", "accounting"))
@dataclass(frozen=True, slots=True, kw_only=True)
class OpenJackpot(Command):
    """Open play; the first time the meter gets its seed."""

    name: Name
    words: Words

    def entries(self, now: Now, by: By) -> list[Payload]:
        """Return the opening, with the meter's seed where it has none."""
        record = record_of(now.state, self.name)
        if record.play == "open":
            refuse([f"{self.name} is open already"])
        if not record.jackpot.tables:
            refuse([f"{self.name} is removed: define another (J-17)"])
        opened = PlaySet(
            name=self.name, play="open", reason=PlayReason.BUSINESS, words=self.words, approved_by=by.approved_by
        )
        if self.name in now.state.of(LEDGER):
            return [opened]
        change = open_meter(record.jackpot.meter)
        return [movement_of("jackpot-opened", self.name, None, change, approved_by=by.approved_by), opened]


@command("jackpots/close", roles=FLOOR)
@dataclass(frozen=True, slots=True, kw_only=True)
class CloseJackpot(Command):
    """Close play; what stands on the meter stays."""

    name: Name
    words: Words

    def entries(self, now: Now, _: By) -> list[Payload]:
        """Return that play is closed (T-23)."""
        return [stop_play(now.state, self.name, "closed", self.words)]


@command("jackpots/suspend", roles=(*FLOOR, "accounting", "surveillance"))
@dataclass(frozen=True, slots=True, kw_only=True)
class SuspendJackpot(Command):
    """Suspend play because of something that was found."""

    name: Name
    words: Words
    reason: PlayReason = PlayReason.BUSINESS

    def entries(self, now: Now, _: By) -> list[Payload]:
        """Return that play is suspended; opening it again needs a second person."""
        return [stop_play(now.state, self.name, "suspended", self.words, self.reason)]


def stop_play(state: BookState, name: str, play: Play, words: str, reason: PlayReason = PlayReason.BUSINESS) -> PlaySet:
    """Return the entry that closes or suspends play, or refuse."""
    record = record_of(state, name)
    if record.play == play:
        refuse([f"{name} is {play} already"])
    return PlaySet(name=name, play=play, reason=reason, words=words)
