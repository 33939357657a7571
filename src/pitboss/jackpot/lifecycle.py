"""The lifecycle of a jackpot: defined, changed while closed, opened with its seed, closed, suspended, removed.

What stands on a progressive is the players' and owed to them even when the game stops (T-23, J-03): before it is
removed, it goes to another progressive of the same location, to players, or to a charity, all of it (J-17). A Bonus is
the house's own (J-06).
"""

from __future__ import annotations

import datetime
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from pitboss import books, law
from pitboss.books import LEDGER, BookState, Payload, RefusedError, movement_of
from pitboss.commands import By, Command, Description, Name, Now, Prepared, Services, Words, command, refuse, roles
from pitboss.commands.description import Change
from pitboss.games import UnknownGameError, find_game
from pitboss.jackpot import definitions, descriptions
from pitboss.jackpot.definitions import Jackpot, JackpotDraft, JackpotSet, Offer, PlayReason, PlaySet, PlayStatus
from pitboss.jackpot.state import JACKPOTS, RoomJackpots, local_day, profile_at, record_of, rule_of
from pitboss.jackpot.titles import jackpot_title
from pitboss.meters import change_terms, open_meter
from pitboss.meters.terms import integer_problems
from pitboss.rules import Game, Problem, dollars, make_terms
from pitboss.rules.pays import OperatorSet
from pitboss.table.checks import check_cells, check_jackpot_count, sharing_problems


@command("jackpots/define", roles=roles.MANAGERS, approvers=roles.CONFIGURERS)
class DefineJackpot(Command):
    """Add a jackpot; it begins closed."""

    jackpot: JackpotDraft
    words: Words

    def prepare(self, services: Any) -> Prepared:
        """Build the jackpot and check what needs no state, before the command is in line."""
        probabilities = getattr(services, "probabilities", None)
        return _Definition.of(self, probabilities, Now(services.state, services.clock()), services)

    def describe(self, state: BookState) -> Description:
        """Return the jackpot with all its terms."""
        title = f"New jackpot: {descriptions.definition_title(self.jackpot)}"
        return Description(title, descriptions.definition_changes(self.jackpot, None), self.words)

    def entries(self, now: Now, by: By) -> list[Payload]:
        """Return the definition, built without any worker."""
        return _Definition.of(self, None, now).entries(now, by)


@command("jackpots/change", roles=roles.MANAGERS, approvers=roles.CONFIGURERS)
class ChangeJackpot(DefineJackpot):
    """Change a jackpot while it is closed."""

    def describe(self, state: BookState) -> Description:
        """Return what differs from the jackpot as it is."""
        name = self.jackpot.name
        rows = descriptions.definition_changes(self.jackpot, descriptions.before_of(state, name))
        return Description(f"Change the terms of {jackpot_title(state, name)}", rows, self.words)


@dataclass(frozen=True, slots=True)
class _Definition:
    """A jackpot to be written, with what is wrong with it by itself."""

    jackpot: Jackpot
    words: str
    is_first: bool
    problems: tuple[str, ...]
    room: Services | None = None

    @classmethod
    def of(cls, command: DefineJackpot, probabilities: Any, now: Now, room: Services | None = None) -> _Definition:
        jackpot = jackpot_of(command.jackpot, probabilities, now.state.of(JACKPOTS), gambling_day_at(*now))
        is_first = not isinstance(command, ChangeJackpot)
        return cls(jackpot, command.words, is_first, tuple(map(str, jackpot_problems(jackpot))), room)

    def entries(self, now: Now, by: By) -> list[Payload]:
        """Return the definition, and new terms of the meter where it has been opened."""
        state, jackpot = now.state, self.jackpot
        of_room = room_problems(jackpot, state.of(JACKPOTS), gambling_day_at(*now))
        problems = [*self.problems, *map(str, [*of_room, *_day_problems(now, jackpot)])]
        if not self.problems:
            games = {link.table: link.game for link in jackpot.tables}
            problems += [] if self.room is None else self.room.display_problems(now, games)
        definition = JackpotSet(jackpot=jackpot, words=self.words, approved_by=by.approved_by, first=self.is_first)
        if self.is_first:
            if jackpot.name in state.of(JACKPOTS).jackpots or jackpot.name in state.of(LEDGER):
                problems.append(f"there is a jackpot {jackpot.name!r} already")
            refuse(problems)
            return [definition]
        before = record_of(state, jackpot.name)
        if not before.jackpot.tables:
            problems.append(f"{jackpot.title} is removed: define another (J-17)")
        if before.play != "closed":
            problems.append(f"{jackpot.title} is {before.play}: its terms change only while it is closed (T-16)")
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


@command("jackpots/open", roles=roles.FLOOR, approvers=(*roles.OPENERS, "accounting"), pin=True)
class OpenJackpot(Command):
    """Open play; the first time the meter gets its seed."""

    name: Name
    words: Words

    def describe(self, state: BookState) -> Description:
        """Return the opening, and the amount that players see."""
        title, jackpot = jackpot_title(state, self.name), descriptions.before_of(state, self.name)
        seed = dollars(0 if jackpot is None else jackpot.meter.seed_cents)
        is_first = descriptions.fund_units(state, self.name) is None
        shown = seed if is_first else descriptions.meter_text(state, self.name)
        before = state.of(JACKPOTS).jackpots[self.name].play if jackpot is not None else "closed"
        rows = [Change("Play", before.capitalize(), "Open")]
        rows += [Change("Meter", "", f"{seed}, its starting amount")] if is_first else []
        return Description(f"Open {title} at {shown}", tuple(rows), self.words)

    def prepare(self, services: Services) -> Prepared:
        """Return the opening with what the room holds against it."""
        return _Opening(self, services)

    def entries(self, now: Now, by: By) -> list[Payload]:
        """Return the opening, with the meter's seed where it has none."""
        return self.checked(now, by, [])

    def checked(self, now: Now, by: By, problems_of_room: Sequence[str]) -> list[Payload]:
        """Return the opening, or refuse it with everything that the law and the room hold against it."""
        record = record_of(now.state, self.name)
        if record.play == "open":
            refuse([f"{jackpot_title(now.state, self.name)} is open already"])
        if not record.jackpot.tables:
            refuse([f"{record.jackpot.title} is removed: define another (J-17)"])
        accounts = now.state.of(LEDGER).get(self.name)
        shown = record.jackpot.meter.seed_cents if accounts is None else accounts.meter_state.displayed_cents
        problems = [*record.jackpot.meter_problems(shown), *_day_problems(now, record.jackpot)]
        refuse([*map(str, problems), *problems_of_room])
        opened = PlaySet(
            name=self.name,
            play="open",
            reason=PlayReason.BUSINESS,
            words=self.words,
            approved_by=by.approved_by,
            escrow=rule_of(now.state, record.jackpot) if record.jackpot.is_progressive else "",
        )
        if accounts is not None:
            return [opened]
        change = open_meter(record.jackpot.meter)
        return [movement_of("jackpot-opened", self.name, None, change, approved_by=by.approved_by), opened]


@dataclass(frozen=True, slots=True)
class _Opening:
    """The opening of a jackpot, and whom to ask what the room holds against it."""

    command: OpenJackpot
    room: Services

    def entries(self, now: Now, by: By) -> list[Payload]:
        """Return the opening, with the meter's seed where it has none."""
        return self.command.checked(now, by, self.room.jackpot_opening_problems(now, self.command.name))


@command("jackpots/close", roles=roles.FLOOR, pin=True)
class CloseJackpot(Command):
    """Close play; what stands on the meter stays."""

    name: Name
    words: Words

    def entries(self, now: Now, _: By) -> list[Payload]:
        """Return that play is closed (T-23)."""
        return [stop_play(now.state, self.name, "closed", self.words)]


@command("jackpots/suspend", roles=(*roles.FLOOR, "accounting", "surveillance"), pin=True)
class SuspendJackpot(Command):
    """Suspend play of a jackpot, with the reason."""

    name: Name
    words: Words
    reason: PlayReason = PlayReason.BUSINESS

    def entries(self, now: Now, _: By) -> list[Payload]:
        """Return that play is suspended; opening it again needs a second person."""
        return [stop_play(now.state, self.name, "suspended", self.words, self.reason)]


def stop_play(
    state: BookState, name: str, play: PlayStatus, why: str, reason: PlayReason = PlayReason.BUSINESS
) -> PlaySet:
    """Return the entry that closes or suspends play, or refuse."""
    record = record_of(state, name)
    if record.play == play:
        refuse([f"{jackpot_title(state, name)} is {play} already"])
    return PlaySet(name=name, play=play, reason=reason, words=why)


def gambling_day_at(state: books.BookState, now: int) -> datetime.date:
    """Return the gambling day of an instant, or its date where the room has none yet."""
    instant = books.EPOCH + datetime.timedelta(microseconds=now)
    calendar = state.of(books.ROOM)
    return instant.date() if calendar is None else calendar.gambling_day(instant)


# Checks of a definition.


def _day_problems(now: Now, jackpot: Jackpot) -> list[Problem]:
    """Return what the law of the day and of each table's kind of room holds against a jackpot (G-4)."""
    if jackpot.is_progressive:
        return []
    day = local_day(now.state, now.at)
    profiles = dict.fromkeys(profile_at(now.state, link.table) for link in jackpot.tables)
    return [
        problem
        for profile in profiles
        for problem in sharing_problems(jackpot.bonus_sharing, law.on(day, profile), "bonus_sharing")
    ]


def jackpot_of(
    draft: JackpotDraft, probabilities: definitions.ProbabilitySource | None, room: RoomJackpots, on: datetime.date
) -> Jackpot:
    """Build the jackpot of a draft, or refuse it with everything that is wrong with it here on a day."""
    jackpot, problems = draft.build(probabilities)
    problems += map(str, _first_problems(draft, room))
    if problems:
        is_whole = len(jackpot.offers) == len(draft.offers)
        others = [*jackpot_problems(jackpot), *room_problems(jackpot, room, on)] if is_whole else []
        raise RefusedError(dict.fromkeys([*problems, *map(str, others)]))
    return jackpot


_NAME = re.compile(r"[^\W_](?:[^\W_]|[ -])*")


def _first_problems(draft: JackpotDraft, room: RoomJackpots) -> Iterator[Problem]:
    """Yield what is wrong with a jackpot that was never opened: its name, and a seed that could not be put on it.

    Jackpots of before keep their names, and one that was opened needs its seed no more.
    """
    record, meter = room.jackpots.get(draft.name), draft.meter
    if record is None and _NAME.fullmatch(draft.name) is None:
        text = f"{draft.name!r} must be letters and digits, with hyphens or spaces between them"
        yield Problem("name", text, "REGULATION J-09")
    is_opened = record is not None and bool(record.generations)
    if not is_opened and meter.cap_cents is not None and meter.seed_cents > meter.cap_cents:
        text = f"{dollars(meter.seed_cents)} is above the cap of {dollars(meter.cap_cents)}"
        yield Problem("seed_cents", text, "REGULATION J-10")


def jackpot_problems(jackpot: Jackpot) -> list[Problem]:
    """Return everything that is wrong with a jackpot by itself."""
    problems = []
    if not jackpot.name.strip() or not jackpot.name.isprintable() or jackpot.name != jackpot.name.strip():
        problems.append(Problem("name", f"{jackpot.name!r} must be a name in one line", "REGULATION J-09"))
    if not jackpot.offers:
        problems.append(Problem("offers", "a jackpot is won on a wager: name one", "REGULATION J-01"))
    problems += _display_problems(jackpot)
    problems += integer_problems("small_prize_cents", jackpot.small_prize_cents, 0, "REGULATION F-17", "G-3")
    for offer in jackpot.offers:
        problems += _offer_problems(jackpot, offer)
    if not problems:
        problems += dict.fromkeys(
            problem
            for cents in (jackpot.meter.seed_cents, jackpot.meter.reseed_cents)
            for problem in jackpot.meter_problems(cents)
        )
    if len(jackpot.offers) > 1:
        problems += _shared_problems(jackpot)
    return problems + list(_table_problems(jackpot))


def _display_problems(jackpot: Jackpot) -> list[Problem]:
    if jackpot.display not in definitions.DISPLAYS:
        return [
            Problem(
                "display", f"{jackpot.display!r} must be one of {', '.join(definitions.DISPLAYS)}", "REGULATION E-07"
            )
        ]
    if jackpot.is_progressive and jackpot.display != "real-time":
        return [Problem("display", "a progressive's display grows with each wager: real-time", "REGULATION J-02")]
    if not jackpot.is_progressive and jackpot.display == "real-time":
        return [Problem("display", "a Bonus display does not move with wagers", "REGULATION J-02")]
    return []


def _offer_problems(jackpot: Jackpot, offer: Offer) -> Iterator[Problem]:
    path = f"offers.{offer.game}"
    try:
        game = find_game(offer.game)
    except UnknownGameError as error:
        yield Problem(path, str(error))
        return
    wager = game.by_name.get(offer.wager)
    if wager is None or not wager.jackpot:
        yield Problem(path, f"{game.title} has no jackpot wager {offer.wager!r}", "REGULATION J-25")
        return
    _, problems = make_terms(game, definitions.stated_of(jackpot, offer))
    yield from problems
    yield from check_cells(game, offer.wager, [offer.stated])
    if any(isinstance(prize.pay, OperatorSet) for prize in offer.prizes):
        yield Problem(path, f"{offer.paytable} waits for amounts of the operator", ruling="G-6")
    yield from _payer_problems(jackpot, game, path)


def _payer_problems(jackpot: Jackpot, game: Game, path: str) -> Iterator[Problem]:
    if jackpot.fixed_prizes not in ("house", "meter"):
        yield Problem("fixed_prizes", f"{jackpot.fixed_prizes!r} must be house or meter", "REGULATION J-24", "G-5")
    elif jackpot.fixed_prizes == "meter":
        if not game.approval.fixed_prizes_from_meter_allowed:
            text = "only percentage prizes are deducted from the meter in this game"
            yield Problem(path, text, "REGULATION J-24", "G-5")
        if not jackpot.is_progressive:
            yield Problem("fixed_prizes", "a Bonus jackpot has no fund: the house pays", "REGULATION J-01", "G-5")


def _shared_problems(jackpot: Jackpot) -> list[Problem]:
    if not jackpot.is_progressive:
        return [Problem("offers", "only a progressive is shared by games", "REGULATION J-12")]
    return definitions.link_problems(jackpot.offers)


def _table_problems(jackpot: Jackpot) -> Iterator[Problem]:
    games = {offer.game for offer in jackpot.offers}
    names = [link.table for link in jackpot.tables]
    if not names:
        yield Problem("tables", "choose at least one table", "REGULATION J-08")
    if len(set(names)) != len(names):
        yield Problem("tables", f"{', '.join(names)}: a table is linked once", "REGULATION T-09")
    locations = sorted({link.location for link in jackpot.tables})
    if len(locations) > 1:
        text = f"a link stays inside one licensed location, not {' and '.join(locations)}"
        yield Problem("tables", text, "REGULATION J-11")
    for link in jackpot.tables:
        path = f"tables.{link.table}"
        if not link.table.strip() or not link.location.strip():
            yield Problem(path, "a table has a name and stands in a location", "REGULATION T-09")
        if link.game not in games:
            offered = ", ".join(descriptions.game_title(game) for game in sorted(games))
            text = f"{descriptions.game_title(link.game)} is dealt there; this jackpot is for {offered}"
            yield Problem(path, text, "REGULATION J-12")


def room_problems(jackpot: Jackpot, room: RoomJackpots, on: datetime.date) -> list[Problem]:
    """Return everything that is wrong with a jackpot beside the others of the room on a day."""
    problems: list[Problem] = []
    most = law.value_on("jackpot_tables_max", on)
    if len(jackpot.tables) > most:
        problems.append(Problem("tables", f"a jackpot is linked to at most {most} tables", "REGULATION J-11"))
    games = {offer.game for offer in jackpot.offers}
    for link in jackpot.tables:
        if link.game not in games:
            # Nothing of this jackpot is won there: that is a problem by itself.
            continue
        path = f"tables.{link.table}"
        others = [record.jackpot for record in room.at(link.table) if record.jackpot.name != jackpot.name]
        for other in others:
            there = other.linked(link.table)
            assert there is not None
            if other.meter.jackpot_type != jackpot.meter.jackpot_type:
                text = f"{other.name} is a {other.meter.jackpot_type}: all jackpots of a table are of one type"
                problems.append(Problem(path, text, "REGULATION J-25", "G-13"))
            if (there.game, there.location) != (link.game, link.location):
                text = f"{there.game} is dealt there at {there.location}, by {other.name}"
                problems.append(Problem(path, text, "REGULATION J-25"))
            elif other.offer_at(link.table).wager == jackpot.offer_at(link.table).wager:
                text = f"{other.name} is won on the same wager: each jackpot has a sensor of its own"
                problems.append(Problem(path, text, "REGULATION J-25", "G-13"))
        problems += check_jackpot_count(find_game(link.game), len(others) + 1, on, path=path)
    return problems + list(_linked_game_problems(jackpot, room))


def _linked_game_problems(jackpot: Jackpot, room: RoomJackpots) -> Iterator[Problem]:
    """Where different games are linked, each of them has only one progressive (G-34)."""
    games = {offer.game for offer in jackpot.offers}
    for record in room.jackpots.values():
        other = record.jackpot
        shared = games & {offer.game for offer in other.offers}
        is_linked = len(jackpot.offers) > 1 or len(other.offers) > 1
        if other.name == jackpot.name or not other.tables or not (shared and is_linked):
            continue
        if jackpot.is_progressive and other.is_progressive:
            text = f"{', '.join(sorted(shared))} has the progressive {other.name}: linked games have only one each"
            yield Problem("offers", text, "WAC 230-15-685(6); REGULATION J-12", "G-34")
