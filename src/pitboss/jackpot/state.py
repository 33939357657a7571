"""The jackpots of a room as a fold beside the ledger: definitions, play, counts by table and seat, recent accruals."""

from __future__ import annotations

import datetime
from bisect import bisect_right
from collections.abc import Mapping
from functools import cache
from types import MappingProxyType
from typing import Annotated, Any, NamedTuple
from zoneinfo import ZoneInfo

from pitboss import books, law
from pitboss.jackpot import definitions
from pitboss.meters import cents_shown

DAY = 24 * 60 * 60 * 1_000_000
"""A day in the microseconds of the journal."""
COMMERCIAL = law.PROFILES[0]


@cache
def _escrow_time(day: int) -> int:
    date = books.EPOCH.date() + datetime.timedelta(days=day)
    return law.value_on("escrow_days", date) * DAY


def escrow_time(now: int) -> int:
    """Return the microseconds within which accrued funds are deposited, at least weekly (J-19, G-33)."""
    return _escrow_time(now // DAY)


def local_day(state: books.BookState, at: int) -> datetime.date:
    """Return the date that the room's clocks show at an instant: a form goes by the day of payment (X-02)."""
    instant = books.EPOCH + datetime.timedelta(microseconds=at)
    calendar = state.of(books.ROOM)
    if calendar is None:
        return instant.date()
    settings = calendar.settings_on(calendar.gambling_day(instant))
    return instant.astimezone(ZoneInfo(settings.time_zone)).date()


def profile_at(state: books.BookState, table: str) -> str:
    """Return the kind of room in which a table stands, as it is set up; a table without equipment is commercial.

    Set-ups are of a later package, whose part of the state is read here by what it has.
    """
    tables = state.parts.get("tables")
    record = None if tables is None else tables.tables.get(table)
    return COMMERCIAL if record is None or record.setup is None else str(record.setup.profile)


_NOTHING: Mapping[str, Any] = MappingProxyType({})

Accruals = tuple[tuple[int, int], ...]
"""Units by which what is held grew, by the hour in which they came, oldest first; a week of them is kept (J-19)."""


@books.json_object
class TabulatedRound(NamedTuple):
    """A round that was tabulated at a table, for calls and corrections that come after it (G-4, F-07).

    By jackpot: the seats whose wagers were counted, and what the display showed just before and just after the press,
    in units. `rounds` is more than one where a batch was counted: then the seats are those of all its rounds. `persons`
    are groups of seats that one person plays; `added` has by jackpot the seats that one person put into the round after
    the press, and who that was (G-39). `by_round` has by jackpot the seats of each round of a batch that names them,
    and `void_numbers` those of its rounds that were made void; `named` has by round those of totals whose seats two
    people have named, by jackpot (G-35).
    """

    round: int
    sequence: int
    happened: int
    command: str
    seats: Mapping[str, tuple[int, ...]]
    shown_before: Mapping[str, int]
    shown_after: Mapping[str, int]
    voided: bool = False
    rounds: int = 1
    persons: tuple[tuple[int, ...], ...] = ()
    added: Annotated[Mapping[str, tuple[tuple[int, str], ...]], books.OMIT_DEFAULT] = _NOTHING
    by_round: Annotated[Mapping[str, tuple[tuple[int, ...], ...]], books.OMIT_DEFAULT] = _NOTHING
    void_numbers: Annotated[tuple[int, ...], books.OMIT_DEFAULT] = ()
    named: Annotated[Mapping[str, Mapping[str, tuple[int, ...]]], books.OMIT_DEFAULT] = _NOTHING

    def holds(self, number: int) -> bool:
        """True if a round is this one, or one of this batch."""
        return self.round - self.rounds < number <= self.round

    def only(self, number: int) -> TabulatedRound | None:
        """Return one round by itself; none of a batch that has totals alone (G-35)."""
        if self.rounds == 1:
            return self
        if not self.by_round and str(number) not in self.named:
            return None
        place = number - (self.round - self.rounds) - 1
        seats = self.named.get(str(number)) or {jackpot: rounds[place] for jackpot, rounds in self.by_round.items()}
        return self._replace(
            round=number,
            seats=seats,
            voided=self.voided or number in self.void_numbers,
            rounds=1,
            by_round=_NOTHING,
            void_numbers=(),
            named=_NOTHING,
        )

    def added_to(self, jackpot: str) -> dict[int, str]:
        """Return the seats that one person alone put into the round, and who did (G-39)."""
        return dict(self.added.get(jackpot, ()))

    def one_person(self, seat: int, other: int) -> bool:
        """True if one person plays both seats."""
        return any(seat in group and other in group for group in self.persons)

    def shown_cents(self, jackpot: str) -> int:
        """Return what the display showed for this round: a Bonus is played under it, whatever is posted since."""
        return cents_shown(self.shown_after[jackpot])


@books.json_object
class JackpotRecord(NamedTuple):
    """A jackpot in the books: how it is defined, whether it is played, and what was counted where.

    `sets` are the entries that defined and changed it, `generations` those that began a generation of its meter;
    `counted` has the wagers by table and seat (M-11), and `corrected` those taken back, by entry and seat (G-11);
    `in_transit` has the deposits on their way to the bank: entry, instant, units (J-19); `owed` by hit what the fund,
    and what the fund and the house together, owe to winners; `escrow` is the rule by which its escrow is judged (G-33),
    and `play_since` when play was opened or stopped; `removed_units` is what stood on it when it was removed and is not
    known to be paid where its notice says (G-56); `suspended` is since when play is suspended.
    """

    jackpot: definitions.Jackpot
    play: definitions.PlayStatus = "closed"
    play_reason: str = ""
    sets: tuple[int, ...] = ()
    generations: tuple[int, ...] = ()
    counted: Mapping[str, Mapping[str, int]] = _NOTHING
    corrected: Mapping[str, Mapping[str, int]] = _NOTHING
    displayed_units: int = 0
    accruals: Accruals = ()
    in_transit: tuple[tuple[int, int, int], ...] = ()
    owed: Mapping[str, tuple[int, int]] = _NOTHING
    escrow: definitions.EscrowRule = ""
    play_since: int = 0
    removed_units: int = 0
    suspended: int | None = None

    @property
    def owed_units(self) -> int:
        """What the fund owes to winners who are not paid yet (G-33)."""
        return sum(fund for fund, _ in self.owed.values())

    def plays_at(self, instant: int) -> bool:
        """True if wagers of this instant are counted: play is open, or was until it was suspended after it (G-43)."""
        return self.play == "open" or (self.suspended is not None and instant < self.suspended)

    def generation_at(self, sequence: int) -> int:
        """Return the generation of the meter that an entry belongs to."""
        return bisect_right(self.generations, sequence)

    def set_before(self, sequence: int) -> int:
        """Return the entry with the definition that was in force at an entry."""
        return self.sets[bisect_right(self.sets, sequence) - 1]


Rounds = tuple[TabulatedRound, ...]
"""The last rounds of a table, the newest last."""


@books.json_object
class RoomJackpots(NamedTuple):
    """All jackpots of a room by name, and the last rounds of each table, the newest last."""

    jackpots: Mapping[str, JackpotRecord]
    rounds: Mapping[str, Rounds]

    def at(self, table: str) -> tuple[JackpotRecord, ...]:
        """Return the jackpots that a table is linked to."""
        return tuple(record for record in self.jackpots.values() if record.jackpot.linked(table) is not None)

    def title(self, name: str) -> str:
        """Return the title of a jackpot's wager, as displays have it: what it is called everywhere.

        Where several jackpots that are played have one title, each is told apart by its tables; a removed one says
        that it is; an id is added only where nothing else differs.
        """
        record = self.jackpots.get(name)
        if record is None:
            return name
        title, is_removed, place = record.jackpot.title, not record.jackpot.tables, record.jackpot.place
        namesakes = [
            other.jackpot
            for other in self.jackpots.values()
            if (other.jackpot.title, not other.jackpot.tables) == (title, is_removed) and other.jackpot.name != name
        ]
        if is_removed:
            return f"{title} (removed, {name})" if namesakes else f"{title} (removed)"
        if not namesakes:
            return title
        return f"{title}, {place}" if all(other.place != place for other in namesakes) else f"{title}, {name}"

    def last_round(self, table: str) -> TabulatedRound | None:
        """Return the last round that was tabulated at a table."""
        rounds = self.rounds.get(table)
        return rounds[-1] if rounds else None


def seat_counts(movement: books.Movement) -> dict[str, int]:
    """Return the wagers of a count by seat: one for each seat of a round, or numbers for a batch."""
    details = movement.details
    if "seat_counts" in details:
        return {str(seat): wagers for seat, wagers in details["seat_counts"]}
    return dict.fromkeys(map(str, details.get("seats", ())), 1)


def wagers_at_seats(movement: books.Movement) -> int:
    """Return all wagers of a count, by its seats."""
    details = movement.details
    if "seat_counts" in details:
        return sum(seat_counts(movement).values())
    return len(set(details.get("seats", ())))


HOUR = DAY // 24
_FUNDS = frozenset({"displayed", "reserve", "overflow"})
_HIDDEN = frozenset({"reserve", "overflow"})
_ROUNDS_KEPT = 2


def _set(room: RoomJackpots, entry: books.Entry, value: definitions.JackpotSet) -> RoomJackpots:
    name = value.jackpot.name
    before = room.jackpots.get(name)
    if before is None:
        record = JackpotRecord(value.jackpot, sets=(entry.sequence,))
    else:
        record = before._replace(jackpot=value.jackpot, sets=(*before.sets, entry.sequence))
    return room._replace(jackpots={**room.jackpots, name: record})


def at_opening(record: JackpotRecord, rule: definitions.EscrowRule) -> JackpotRecord:
    """Return a jackpot as its escrow is judged at an opening (G-33).

    A seed is no accrual that has seven days, and after a stop for want of money only what has arrived counts.
    """
    is_first = not record.counted
    is_stopped = record.play_reason in (
        definitions.PlayReason.ESCROW_SHORTFALL.value,
        definitions.PlayReason.SEIZURE.value,
    )
    return record._replace(
        escrow=rule,
        accruals=() if is_first else record.accruals,
        in_transit=() if is_first or (record.play == "suspended" and is_stopped) else record.in_transit,
    )


def _played(room: RoomJackpots, entry: books.Entry, value: definitions.PlaySet) -> RoomJackpots:
    before = room.jackpots[value.name]
    if value.escrow:
        before = before._replace(escrow=value.escrow, accruals=at_opening(before, value.escrow).accruals)
    suspended = entry.happened if value.play == "suspended" else None
    after = before._replace(
        play=value.play, play_reason=value.reason.value, play_since=entry.happened, suspended=suspended
    )
    return room._replace(jackpots={**room.jackpots, value.name: after})


def _moved(room: RoomJackpots, entry: books.Entry, movement: books.Movement) -> RoomJackpots:
    before = room.jackpots.get(movement.jackpot)
    if before is None:
        # A jackpot that was opened in the ledger alone is no jackpot of this package.
        return room
    if movement.kind == "wagers-counted":
        return _fold_run(room, ((entry, movement),))
    owed = _owed(before, entry, movement)
    owes_more = before._replace(owed=owed).owed_units - before.owed_units
    displayed, accruals = _grown(before, entry, movement, owes_more if before.escrow else 0)
    after = _handled(before._replace(displayed_units=displayed, accruals=accruals, owed=owed), entry, movement)
    mends = movement.kind in ("wagers-refunded", "count-corrected")
    rounds = _mended(room, entry, movement) if mends else room.rounds
    return RoomJackpots({**room.jackpots, movement.jackpot: after}, rounds)


def _owed(before: JackpotRecord, entry: books.Entry, movement: books.Movement) -> Mapping[str, tuple[int, int]]:
    """Return by hit what is owed to winners after a movement; a prize of the tray is called and paid at once."""
    details = movement.details
    if "hit" not in details and details.get("step") != "call":
        return before.owed
    key = str(details.get("hit", entry.sequence))
    fund, all_units = before.owed.get(key, (0, 0))
    for payer, payee, units, _, _ in movement.transfers:
        if payee == "winners":
            all_units += units
            fund += units if payer in _FUNDS else 0
        elif payer == "winners":
            all_units -= units
            fund -= units if payee in _FUNDS else 0
    left = {hit: owed for hit, owed in before.owed.items() if hit != key}
    # The house's part of a prize is taken as paid first: the bank holds the fund's to the last.
    return {**left, key: (max(0, min(fund, all_units)), all_units)} if all_units > 0 else left


def _grown(
    before: JackpotRecord, entry: books.Entry, movement: books.Movement, owes_more: int = 0
) -> tuple[int, Accruals]:
    """Return what is displayed after a movement, in units, and what has accrued, with what the fund owes more."""
    displayed = hidden = 0
    for payer, payee, units, _, _ in movement.transfers:
        if payee == "displayed":
            displayed += units
        elif payee in _HIDDEN:
            hidden += units
        if payer == "displayed":
            displayed -= units
        elif payer in _HIDDEN:
            hidden -= units
    grown, accruals = displayed + hidden + owes_more, before.accruals
    if grown > 0 and before.jackpot.is_progressive:
        accruals = _accrued(accruals, entry.recorded, grown)
    return before.displayed_units + displayed, accruals


class _Counting:
    """A room whose counted wagers are being folded: what was copied once is written to, and nobody else has seen it."""

    def __init__(self, room: RoomJackpots) -> None:
        self.jackpots, self.rounds = dict(room.jackpots), dict(room.rounds)
        self.counted: dict[str, dict[str, Mapping[str, int]]] = {}
        self.seats: dict[tuple[str, str], dict[str, int]] = {}

    def count(self, entry: books.Entry, movement: books.Movement) -> None:
        """Fold counted wagers."""
        name, table = movement.jackpot, entry.table
        before = self.jackpots.get(name)
        if before is None:
            return
        displayed, accruals = _grown(before, entry, movement)
        by_seat = seat_counts(movement)
        counts = self._seats(name, table)
        for seat, wagers in by_seat.items():
            counts[seat] = counts.get(seat, 0) + wagers
        # By place, and not by `_replace`: every press comes through here.
        (jackpot, play, reason, sets, generations, _, corrected, displayed_before, _, transit, owed, rule, _, _, _) = (
            before
        )
        play_since, removed, suspended = before.play_since, before.removed_units, before.suspended
        self.jackpots[name] = JackpotRecord(
            jackpot, play, reason, sets, generations, self.counted[name], corrected, displayed, accruals,
            transit, owed, rule, play_since, removed, suspended,
        )  # fmt: skip
        rounds = self.rounds.get(table, ())
        self.rounds[table] = _tabulated(rounds, entry, movement, tuple(map(int, by_seat)), displayed_before, displayed)

    def _seats(self, name: str, table: str) -> dict[str, int]:
        """Return the counts of a table's seats, copied once."""
        seats = self.seats.get((name, table))
        if seats is None:
            counted = self.counted.get(name)
            if counted is None:
                counted = self.counted[name] = dict(self.jackpots[name].counted)
            seats = counted[table] = self.seats[name, table] = dict(counted.get(table, ()))
        return seats


def _fold_run(room: RoomJackpots, run: books.Run) -> RoomJackpots:
    """Fold entries that follow each other, copying for a stretch of counts what each of them writes to."""
    counting: _Counting | None = None
    for entry, value in run:
        if isinstance(value, books.Movement) and value.kind == "wagers-counted":
            counting = counting or _Counting(room)
            counting.count(entry, value)
        elif isinstance(
            value,
            books.Movement
            | definitions.JackpotSet
            | definitions.PlaySet
            | definitions.RemovalDocumented
            | definitions.RoundSeatsNamed,
        ):
            if counting is not None:
                room, counting = RoomJackpots(counting.jackpots, counting.rounds), None
            room = _fold(room, entry, value)
    return room if counting is None else RoomJackpots(counting.jackpots, counting.rounds)


def _handled(record: JackpotRecord, entry: books.Entry, movement: books.Movement) -> JackpotRecord:
    """Return a jackpot after the other movements: new generations, counts taken back, deposits on their way."""
    if "generation" in movement.counts:
        return record._replace(generations=(*record.generations, entry.sequence))
    if movement.kind == "count-corrected":
        by_seat = seat_counts(movement)
        counted = _counted(record.counted, entry.table, by_seat, -1)
        corrected = _counted(record.corrected, str(movement.corrects), by_seat, 1)
        return record._replace(counted=counted, corrected=corrected)
    if movement.kind == "funds-removed":
        units = sum(transfer.units for transfer in movement.transfers if transfer.payee == "players")
        return record._replace(removed_units=record.removed_units + units)
    if movement.kind == "escrow-sent":
        units = sum(transfer.units for transfer in movement.transfers)
        return record._replace(in_transit=(*record.in_transit, (entry.sequence, entry.recorded, units)))
    if movement.kind == "escrow-arrived":
        sent = movement.details.get("sent")
        return record._replace(in_transit=tuple(deposit for deposit in record.in_transit if deposit[0] != sent))
    return record


def _accrued(accruals: Accruals, now: int, units: int) -> Accruals:
    """Add units to the hour they came in, and forget hours that are more than a week old."""
    hour = now - now % HOUR
    if accruals and accruals[-1][0] == hour:
        return (*accruals[:-1], (hour, accruals[-1][1] + units))
    oldest = now - escrow_time(now) - DAY
    return (*(accrual for accrual in accruals if accrual[0] >= oldest), (hour, units))


def _counted(
    counted: Mapping[str, Mapping[str, int]], place: str, by_seat: Mapping[str, int], sign: int
) -> Mapping[str, Mapping[str, int]]:
    seats = dict(counted.get(place, ()))
    for seat, wagers in by_seat.items():
        seats[seat] = seats.get(seat, 0) + sign * wagers
    return {**counted, place: seats}


def _tabulated(
    rounds: Rounds, entry: books.Entry, movement: books.Movement, seats: tuple[int, ...], before: int, after: int
) -> Rounds:
    """Return the last rounds of a table after a count."""
    jackpot, details = movement.jackpot, movement.details
    number = details["round"]
    if details.get("missed"):
        by = entry.actor if details.get("alone") else ""
        return tuple(
            _with_missed(recent, jackpot, seats, by) if recent.round == number else recent for recent in rounds
        )
    if rounds and rounds[-1].round == number and rounds[-1].command == entry.command:
        last = rounds[-1]
        both = last._replace(
            seats={**last.seats, jackpot: seats},
            shown_before={**last.shown_before, jackpot: before},
            shown_after={**last.shown_after, jackpot: after},
            by_round={**last.by_round, **_by_round(movement)},
        )
        return (*rounds[:-1], both)
    tabulated = TabulatedRound(
        number,
        entry.sequence,
        entry.happened,
        entry.command,
        {jackpot: seats},
        {jackpot: before},
        {jackpot: after},
        False,
        details.get("rounds", 1),
        tuple(map(tuple, details["persons"])) if "persons" in details else (),
        by_round=_by_round(movement) or _NOTHING,
    )
    return (*rounds[1 - _ROUNDS_KEPT :], tabulated)


def _by_round(movement: books.Movement) -> dict[str, tuple[tuple[int, ...], ...]]:
    """Return by jackpot the seats of each round of a batch, where it names them (G-35)."""
    rounds = movement.details.get("by_round")
    return {movement.jackpot: tuple(map(tuple, rounds))} if rounds else {}


def _with_missed(counted: TabulatedRound, jackpot: str, seats: tuple[int, ...], by: str) -> TabulatedRound:
    every = tuple(sorted({*counted.seats.get(jackpot, ()), *seats}))
    after = counted._replace(seats={**counted.seats, jackpot: every})
    if not by:
        return after
    pairs = (*counted.added.get(jackpot, ()), *((seat, by) for seat in seats))
    return after._replace(added={**counted.added, jackpot: pairs})


def _mended(room: RoomJackpots, entry: books.Entry, movement: books.Movement) -> Mapping[str, Rounds]:
    """Mark a round that was void, or take seats out of it whose wagers were counted wrongly or refunded."""
    rounds = []
    for counted in room.rounds.get(entry.table, ()):
        number = movement.details.get("round", 0)
        if counted.rounds > 1 and movement.kind == "wagers-refunded" and counted.holds(number):
            rounds.append(counted._replace(void_numbers=tuple(sorted({*counted.void_numbers, number}))))
        elif (counted.by_round or str(number) in counted.named) and counted.holds(number):
            rounds.append(_without(counted, movement, number))
        elif counted.round != number:
            rounds.append(counted)
        elif movement.kind == "wagers-refunded" and not movement.details.get("some"):
            rounds.append(counted._replace(voided=True))
        else:
            gone = {int(seat) for seat in seat_counts(movement)} if counted.rounds == 1 else set()
            left = tuple(seat for seat in counted.seats.get(movement.jackpot, ()) if seat not in gone)
            rounds.append(counted._replace(seats={**counted.seats, movement.jackpot: left}))
    return {**room.rounds, entry.table: tuple(rounds)}


def _without(counted: TabulatedRound, movement: books.Movement, number: int) -> TabulatedRound:
    """Take seats out of one round of a batch (G-35)."""
    seats = counted.named.get(str(number))
    if seats is not None:
        lost = set(map(int, seat_counts(movement)))
        left = tuple(seat for seat in seats.get(movement.jackpot, ()) if seat not in lost)
        return counted._replace(named={**counted.named, str(number): {**seats, movement.jackpot: left}})
    rounds, place = list(counted.by_round[movement.jackpot]), number - (counted.round - counted.rounds) - 1
    gone = {int(seat) for seat in seat_counts(movement)}
    rounds[place] = tuple(seat for seat in rounds[place] if seat not in gone)
    return counted._replace(by_round={**counted.by_round, movement.jackpot: tuple(rounds)})


def _named(room: RoomJackpots, entry: books.Entry, value: definitions.RoundSeatsNamed) -> RoomJackpots:
    """Keep the seats of a round of totals, where it is one of the last (G-35)."""
    rounds = tuple(
        counted._replace(named={**counted.named, str(value.round): value.jackpots})
        if counted.holds(value.round)
        else counted
        for counted in room.rounds.get(entry.table, ())
    )
    return room._replace(rounds={**room.rounds, entry.table: rounds})


def _fold(room: RoomJackpots, entry: books.Entry, value: books.Payload) -> RoomJackpots:
    if isinstance(value, books.Movement):
        return _moved(room, entry, value)
    if isinstance(value, definitions.JackpotSet):
        return _set(room, entry, value)
    if isinstance(value, definitions.PlaySet):
        return _played(room, entry, value)
    if isinstance(value, definitions.RoundSeatsNamed):
        return _named(room, entry, value)
    if isinstance(value, definitions.RemovalDocumented):
        paid = room.jackpots[value.name]._replace(removed_units=0)
        return room._replace(jackpots={**room.jackpots, value.name: paid})
    return room


JACKPOTS: books.Projection[RoomJackpots] = books.Projection(
    name="jackpots",
    shape=RoomJackpots,
    empty=RoomJackpots({}, {}),
    fold=_fold,
    kinds=books.kinds_of(
        definitions.JackpotSet, definitions.PlaySet, definitions.RemovalDocumented, definitions.RoundSeatsNamed
    )
    | books.MOVEMENTS.keys(),
    version=3,
    fold_run=_fold_run,
)


def jackpots_of(state: books.BookState) -> RoomJackpots | None:
    """Return the jackpots of a state, or nothing where the books were opened without them."""
    part: RoomJackpots | None = state.parts.get(JACKPOTS.name)
    return part


def record_of(state: books.BookState, name: str) -> JackpotRecord:
    """Return what the books say of a jackpot, or refuse."""
    room = state.of(JACKPOTS)
    if name not in room.jackpots:
        raise books.RefusedError([f"there is no jackpot {name!r}; there are: {', '.join(room.jackpots) or 'none'}"])
    return room.jackpots[name]


def accounts_of(state: books.BookState, name: str) -> books.JackpotAccounts:
    """Return the balances and counters of a jackpot that has been opened, or refuse."""
    accounts = state.of(books.LEDGER).get(name)
    if accounts is None:
        raise books.RefusedError([f"{state.of(JACKPOTS).title(name)} has not been opened yet"])
    return accounts


def profile_of(state: books.BookState, jackpot: definitions.Jackpot) -> str:
    """Return the kind of room a jackpot is played in: commercial, unless every table it is linked to is tribal.

    Tables are set up by the tabulator, whose state is in the books where there is one.
    """
    tables = getattr(state.parts.get("tables"), "tables", {})
    profiles = {tables[link.table].setup.profile for link in jackpot.tables if link.table in tables}
    return profiles.pop() if len(profiles) == 1 else law.PROFILES[0]


def rule_of(state: books.BookState, jackpot: definitions.Jackpot) -> definitions.EscrowRule:
    """Return the rule by which the escrow of a jackpot is judged that opens now; a Bonus has none (G-33)."""
    is_bound = jackpot.is_progressive and profile_of(state, jackpot) == law.PROFILES[0]
    return "commercial" if is_bound else "none"


def displayed_cents_of(state: books.BookState, name: str) -> int:
    """Return what the display of a jackpot shows: whole cents, rounded down (G-3)."""
    return accounts_of(state, name).meter_state.displayed_cents
