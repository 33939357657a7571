"""Removing a jackpot for good: notice of the day and of where its money goes, then the money goes there, to nothing.

What stands on a progressive is the players' and owed to them even when the game stops (T-23, J-03): it goes to another
progressive of the same location, to players, or to a charity, all of it (J-17). A Bonus is the house's own (J-06).
"""

from __future__ import annotations

import datetime
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass, replace
from typing import Any, Literal, TypeAlias, get_args

from pitboss.books import (
    LEDGER,
    ROOM,
    BookState,
    Entry,
    Invariant,
    Movement,
    Payload,
    Projection,
    RefusedError,
    Step,
    movement_of,
    register_invariants,
    register_kinds,
)
from pitboss.books.entries import EPOCH
from pitboss.jackpot.entries import JackpotSet
from pitboss.jackpot.hits.state import HITS
from pitboss.jackpot.lifecycle import record_of
from pitboss.jackpot.state import JACKPOTS, JackpotRecord
from pitboss.meters import Account, adjust, remove_funds, units_text

Decide = Callable[[BookState], Sequence[Payload]]
Destination: TypeAlias = Literal["progressive", "players", "charity"]
DESTINATIONS: tuple[Destination, ...] = get_args(Destination)


@dataclass(frozen=True, slots=True, kw_only=True)
class RemovalNoticed:
    """Notice that a progressive is removed from a gambling day on, and where its money goes; two people give it."""

    name: str
    day: datetime.date
    destination: Destination
    to: str
    words: str
    approved_by: str

    @property
    def kind(self) -> str:
        """The kind of its entries."""
        return "removal-noticed"

    def to_json(self) -> dict[str, Any]:
        """Write the notice."""
        return {**asdict(self), "day": self.day.isoformat()}

    @property
    def sentence(self) -> str:
        """What is posted at the tables."""
        where = {
            "progressive": f"goes to the jackpot {self.to}",
            "players": f"goes to the players: {self.to}",
            "charity": f"is given to {self.to}",
        }[self.destination]
        return f"This jackpot is removed on {self.day:%B} {self.day.day}, {self.day.year}; what stands on it {where}."


def _read(_: str, said: dict[str, Any]) -> RemovalNoticed:
    if said["destination"] not in DESTINATIONS:
        raise ValueError(f"{said['destination']!r} is no destination")
    return RemovalNoticed(**{**said, "day": datetime.date.fromisoformat(said["day"])})


register_kinds(["removal-noticed"], _read)

Notices = Mapping[str, RemovalNoticed]


def _fold(notices: Notices, _: Entry, value: Payload) -> Notices:
    if isinstance(value, RemovalNoticed):
        return {**notices, value.name: value}
    if isinstance(value, Movement) and value.kind == "funds-removed":
        return {name: each for name, each in notices.items() if name != value.jackpot}
    return notices


REMOVALS: Projection[Notices] = Projection(
    name="removals",
    empty={},
    fold=_fold,
    write=lambda notices: {name: each.to_json() for name, each in notices.items()},
    read=lambda said: {name: _read("", each) for name, each in said.items()},
)
"""The notices that stand, by jackpot."""


def _today(state: BookState, now: int) -> datetime.date:
    instant = EPOCH + datetime.timedelta(microseconds=now)
    calendar = state.of(ROOM)
    return instant.date() if calendar is None else calendar.gambling_day(instant)


def _taker_problems(state: BookState, record: JackpotRecord, other: str) -> Iterator[str]:
    """Say why the money may not go to another jackpot: only to a progressive of the same location (T-23, J-11)."""
    found = state.of(JACKPOTS).jackpots.get(other)
    ours = record.jackpot
    if found is None or other == ours.name or not found.jackpot.is_progressive or not found.jackpot.tables:
        yield f"to: {other!r} is no other progressive of this room (T-23)"
        return
    theirs = found.jackpot
    if other not in state.of(LEDGER):
        yield f"to: {other} has not been opened yet (T-23)"
    if theirs.tables[0].location != ours.tables[0].location:
        yield f"to: {other} is at another location (T-23, J-11)"
    if theirs.meter.wager_cents > ours.meter.wager_cents:
        yield f"to: a wager on {other} costs more than one on {ours.name} (T-23)"


def _notice_problems(state: BookState, record: JackpotRecord, notice: RemovalNoticed, now: int) -> Iterator[str]:
    if not record.jackpot.is_progressive:
        yield f"{notice.name} is a Bonus, the house's own money: it is removed without notice (J-06)"
    elif not record.jackpot.tables:
        yield f"{notice.name} is removed already"
    elif notice.destination == "progressive":
        yield from _taker_problems(state, record, notice.to)
    elif not notice.to.strip():
        yield "to: name the charity, or how the players get it (J-17)"
    today = _today(state, now)
    if notice.day <= today:
        yield f"day: {notice.day} is no later day than {today}: players must be told before (J-17, T-23)"
    if not notice.words.strip():
        yield "words: say why, in words (J-09)"


def noticed(notice: RemovalNoticed, now: int) -> Decide:
    """Give notice of a removal; another notice takes its place."""

    def decide(state: BookState) -> list[Payload]:
        problems = list(_notice_problems(state, record_of(state, notice.name), notice, now))
        if problems:
            raise RefusedError(problems)
        return [notice]

    return decide


def _removal_problems(state: BookState, record: JackpotRecord, now: int) -> Iterator[str]:
    name, notice = record.jackpot.name, state.of(REMOVALS).get(record.jackpot.name)
    if not record.jackpot.tables:
        yield f"{name} is removed already"
        return
    if record.play != "closed":
        yield f"{name} is {record.play}: close it first (T-16, T-23)"
    if any(each.jackpot == name and not each.is_finished for each in state.of(HITS).open.values()):
        yield f"a hit on {name} is not finished: it is paid first (T-23)"
    if not record.jackpot.is_progressive or name not in state.of(LEDGER):
        return
    if notice is None:
        yield f"no notice of the removal of {name} was given (J-17)"
    elif _today(state, now) < notice.day:
        yield f"{name} is removed on {notice.day}, as the notice says, not before (J-17)"
    elif notice.destination == "progressive":
        yield from _taker_problems(state, record, notice.to)


def removed(name: str, words: str, approved_by: str, now: int) -> Decide:
    """Remove a jackpot: all of its money goes where the notice says, and its tables are no longer linked."""

    def decide(state: BookState) -> list[Payload]:
        record = record_of(state, name)
        problems = list(_removal_problems(state, record, now))
        if not words.strip():
            problems.append("words: say why, in words (J-09)")
        if problems:
            raise RefusedError(problems)
        unlinked = replace(record.jackpot, tables=())
        gone = JackpotSet(jackpot=unlinked, words=words, approved_by=approved_by, first=False)
        return [*_money(state, record, words, approved_by), gone]

    return decide


def _money(state: BookState, record: JackpotRecord, words: str, approved_by: str) -> list[Payload]:
    """Move what stands on a jackpot; one that was never opened has nothing."""
    name, terms = record.jackpot.name, record.jackpot.meter
    accounts, notice = state.of(LEDGER).get(name), state.of(REMOVALS).get(name)
    if accounts is None:
        return []
    said: dict[str, Any] = {"words": words, "approved_by": approved_by}
    if notice is None:
        change = remove_funds(accounts.meter_state, terms, Account.POSTING, words=words)
        return [movement_of("funds-removed", name, accounts.meter_state, change, **said)]
    payee = Account.OTHER_METERS if notice.destination == "progressive" else Account.PLAYERS
    change = remove_funds(accounts.meter_state, terms, payee, words=words)
    details = {"destination": notice.destination, "to": notice.to}
    made: list[Payload] = [movement_of("funds-removed", name, accounts.meter_state, change, **said, details=details)]
    units = accounts.meter_state.held_units
    if notice.destination == "progressive" and units:
        taker, takes = state.of(JACKPOTS).jackpots[notice.to].jackpot.meter, state.of(LEDGER)[notice.to].meter_state
        taken = adjust(takes, taker, units, words=f"{words} (from {name})", source=Account.OTHER_METERS)
        made.append(movement_of("meter-adjusted", notice.to, takes, taken, **said))
    return made


def _only_after_notice(step: Step) -> Iterator[str]:
    """A progressive's money leaves it whole, while it is closed, after the day of the notice (J-17, T-23)."""
    movement = step.value
    assert isinstance(movement, Movement)
    if JACKPOTS.name not in step.before.parts or REMOVALS.name not in step.before.parts:
        return
    record = step.before.of(JACKPOTS).jackpots.get(movement.jackpot)
    accounts = step.after.of(LEDGER).get(movement.jackpot)
    if record is None or accounts is None:
        return
    if accounts.held_units:
        yield f"{units_text(accounts.held_units)} would be left on {movement.jackpot}"
    if record.play != "closed":
        yield f"{movement.jackpot} is {record.play}"
    notice = step.before.of(REMOVALS).get(movement.jackpot)
    if record.jackpot.is_progressive and (notice is None or _today(step.before, step.entry.recorded) < notice.day):
        yield f"no notice of the removal of {movement.jackpot} has come to its day"


def _two_people(step: Step) -> Iterator[str]:
    value = step.value
    assert isinstance(value, RemovalNoticed)
    if not value.approved_by.strip():
        yield "a removal needs the approval of a second person"
    elif value.approved_by.casefold() == step.entry.actor.casefold():
        yield f"{step.entry.actor} approves a change of his own"


register_invariants(
    Invariant(
        name="jackpot-removal",
        says="a jackpot is removed whole, closed, and after the notice",
        sources=("J-17", "T-23"),
        step=_only_after_notice,
        about=Movement,
        kinds=frozenset({"funds-removed"}),
    ),
    Invariant(
        name="removal-approval",
        says="nobody gives notice of a removal alone",
        sources=("section 10 no. 10", "T-06", "T-23"),
        step=_two_people,
        about=RemovalNoticed,
    ),
)
