"""Presses: from what the sensors see to the entry of a round and, in the same command, to the jackpots' counts."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING, Any, NamedTuple, get_args

from pitboss import law
from pitboss.books import BookState, Draft, Movement, RefusedError, read_payload
from pitboss.games import find_game
from pitboss.jackpot import HITS, JACKPOTS, Person, counting
from pitboss.jackpot.hits.handling import local_day
from pitboss.jackpot.hits.state import Claimed
from pitboss.jackpot.state import seat_counts
from pitboss.rules import Game
from pitboss.tabulator.entries import (
    BatchTabulated,
    CorrectionCause,
    LateNoticed,
    Place,
    PressIgnored,
    RoundCorrected,
    RoundReleased,
    RoundTabulated,
    RoundVoided,
    Source,
    VoidCause,
)
from pitboss.tabulator.guards import (
    FLOOR,
    Decide,
    approval_problems,
    jackpots_by_wager,
    refuse,
    role_problems,
    table_of,
    words_problems,
)
from pitboss.tabulator.values import CountedRound, TableRecord, place_text

if TYPE_CHECKING:
    from pitboss.tabulator.tables import Tables

DOUBLE_PRESS = 1_000_000
"""A second press within a second does nothing; in the microseconds of the journal."""
BATCH_MAX = 10_000
"""The most rounds of one batch."""


class Press(NamedTuple):
    """A press of the button: when it was, what the sensors saw, or the seats that a dealer entered by wager.

    `at` is what the clock of the device showed, `happened` when that was by ours, where the two differ too much.
    """

    at: int
    seen: tuple[Place, ...] = ()
    seats: Mapping[str, tuple[int, ...]] | None = None
    source: Source = "device"
    device: str = ""
    device_sequence: int = 0
    skew: int = 0

    @property
    def happened(self) -> int:
        """When it was by our clock."""
        return self.at + self.skew

    @property
    def told(self) -> dict[str, Any]:
        """What its entry says of where it comes from."""
        said: dict[str, Any] = {"device": self.device, "device_sequence": self.device_sequence}
        return said | ({"skew": self.skew, "at": self.at} if self.skew else {})


def pressed(table: str, press: Press) -> Decide:
    """Do what a press does: it counts, opens the table again, or is ignored (E-02)."""

    def decide(state: BookState) -> list[Draft]:
        record = table_of(state, table)
        refuse(_press_problems(record, press))
        since = None if record.pressed is None else press.at - record.pressed
        if since is not None and 0 <= since < DOUBLE_PRESS:
            ignored = PressIgnored(
                round=record.phase_for(press.source)[1],
                dealer=record.dealer,
                after_microseconds=since,
                device=press.device,
                device_sequence=press.device_sequence,
            )
            return [Draft(ignored, happened=press.happened)]
        phase, number = record.phase_for(press.source)
        if phase == "tabulated":
            return [Draft(_release(record, number, press), happened=press.happened)]
        return _tabulated(state, record, press)

    return decide


def _press_problems(record: TableRecord, press: Press) -> list[str]:
    problems = _counting_problems(record, press.source, press.at)
    if press.source == "console" and record.phase == "open":
        problems += _entered_problems(record, press.seats or {})
    return problems


def _counting_problems(record: TableRecord, source: Source, at: int) -> list[str]:
    """Say what keeps a table from counting, by where the count comes from."""
    problems = []
    if record.life == "closed":
        problems.append(f"table {record.table} is closed: nothing is counted (E-02)")
    elif not record.dealer:
        problems.append(f"no dealer is in charge of table {record.table}: every press names one (E-02)")
    if source == "device":
        if record.down is not None and at >= record.down.since:
            problems.append(f"the equipment of table {record.table} is down: counts are entered by hand (E-09)")
    elif record.down is not None and record.down.method == "suspend":
        problems.append(f"table {record.table} has its jackpots suspended while its equipment is down (E-09)")
    elif not record.is_by_hand:
        problems.append(f"table {record.table} is counted by its {record.setup.equipment.title}, not by hand (E-02)")
    return problems


def _entered_problems(record: TableRecord, seats: Mapping[str, Sequence[int]]) -> list[str]:
    problems = []
    for wager, named in seats.items():
        if wager not in record.setup.wagers:
            problems.append(f"{wager!r} is not counted at table {record.table} (E-01)")
        wrong = [seat for seat in named if type(seat) is not int or not 1 <= seat <= record.setup.seats]
        if wrong or len(set(named)) != len(named):
            told = f"seats {list(named)} of {wager}"
            problems.append(f"{told}: different numbers from 1 to {record.setup.seats} (G-16)")
    return problems


def next_round(state: BookState, record: TableRecord) -> int:
    """The number of the next round; rounds that were counted before the table was set up keep theirs."""
    last = state.of(JACKPOTS).last_round(record.table)
    return max(record.round, 0 if last is None else last.round) + 1


class Counted(NamedTuple):
    """What of a round counts: by wager its seats, by jackpot its seats, and by wager why it does not count."""

    counted: Mapping[str, tuple[int, ...]]
    jackpots: Mapping[str, tuple[int, ...]]
    not_counted: Mapping[str, str]


def _sorted_out(state: BookState, record: TableRecord, seen: Mapping[str, tuple[int, ...]]) -> Counted:
    """Sort out what counts: participation always, a jackpot wager where its jackpot is played."""
    game, linked = find_game(record.setup.game), jackpots_by_wager(state, record.table)
    counted: dict[str, tuple[int, ...]] = {}
    jackpots: dict[str, tuple[int, ...]] = {}
    why: dict[str, str] = {}
    for wager in record.setup.wagers:
        seats = tuple(sorted(seen.get(wager, ())))
        reason = _why_not(record, game, wager, linked)
        if reason:
            seats = ()
            if seen.get(wager):
                why[wager] = reason
        counted[wager] = seats
        if wager in linked and not reason:
            jackpots[linked[wager].jackpot.name] = seats
    return Counted(counted, jackpots, why)


def _why_not(record: TableRecord, game: Game, wager: str, linked: Mapping[str, Any]) -> str:
    """Why a wager is not counted though it is there: its jackpot is not played; empty where it is."""
    if not game.by_name[wager].jackpot:
        return ""
    if record.life == "suspended":
        return f"the jackpots of table {record.table} are suspended: give the wagers back (T-09)"
    if wager not in linked:
        return f"no jackpot is linked to table {record.table} on {wager}: give the wagers back (T-09)"
    found = linked[wager]
    if found.play != "open":
        return f"{found.jackpot.name} is {found.play}: give the wagers back (J-18, J-19)"
    return ""


def _tabulated(state: BookState, record: TableRecord, press: Press) -> list[Draft]:
    setup, number = record.setup, next_round(state, record)
    seen = setup.counted(press.seen) if press.seats is None else press.seats
    found = _sorted_out(state, record, seen)
    lights = _lights(record, found.counted)
    stray = setup.stray(press.seen)
    entry = RoundTabulated(
        round=number,
        dealer=record.dealer,
        source=press.source,
        counted=found.counted,
        seen=tuple(sorted(press.seen)),
        lights=lights,
        stray=stray,
        not_counted=found.not_counted,
        persons=record.persons,
        notices=tuple(_notices(state, record, seen, stray, press)),
        **press.told,
    )
    drafts = [Draft(entry, happened=press.happened)]
    if found.jackpots:
        movements = counting.tabulated(record.table, number, found.jackpots, record.persons)(state)
        drafts += [Draft(movement, happened=press.happened) for movement in movements]
    return drafts


def _lights(record: TableRecord, counted: Mapping[str, tuple[int, ...]]) -> tuple[Place, ...]:
    """The places that light up: a panel shows every counted wager, a sensor only where it has a light (E-03)."""
    model = record.setup.equipment
    return tuple(
        sorted(
            (sensor.position, sensor.number)
            for sensor in record.setup.sensors
            if sensor.position in counted.get(sensor.wager, ()) and (model.lights == "panel" or sensor.light)
        )
    )


def _notices(
    state: BookState,
    record: TableRecord,
    seen: Mapping[str, tuple[int, ...]],
    stray: tuple[Place, ...],
    press: Press,
) -> list[str]:
    """What the dealer is told: wagers where none is counted, and a person with too many options (G-12, W-09)."""
    told = [f"a wager at {place_text(place)}, where none is counted (W-09)" for place in stray]
    most = law.on(local_day(state, press.happened), record.setup.profile)["options_max"].value
    grouped = {seat for group in record.persons for seat in group}
    single = [(seat,) for seat in range(1, record.setup.seats + 1) if seat not in grouped]
    for group in (*record.persons, *single):
        options = [wager for wager, seats in seen.items() if set(seats) & set(group)]
        if len(options) > most:
            seats = " and ".join(map(str, group))
            who = f"one person on seats {seats}" if len(group) > 1 else f"seat {seats}"
            told.append(f"{who} has {len(options)} options, at most {most}: {', '.join(options)} (G-12)")
    return told


def _release(record: TableRecord, number: int, press: Press) -> RoundReleased:
    """End a round: what is on a sensor now and was not counted came too late."""
    return RoundReleased(
        round=number,
        dealer=record.dealer,
        source=press.source,
        seen=tuple(sorted(press.seen)),
        late=_late_places(record, number, press.seen),
        **press.told,
    )


def _late_places(record: TableRecord, number: int, seen: Sequence[Place]) -> tuple[Place, ...]:
    """Which of these places are wagers of seats in play that the round has not counted (F-02)."""
    last: CountedRound | None = record.find_round(number)
    places = record.setup.by_place
    late = []
    for place in sorted(seen):
        sensor = places.get(place)
        if sensor is None or sensor.position > record.setup.seats:
            continue
        there = () if last is None else (*last.counted.get(sensor.wager, ()), *last.removed.get(sensor.wager, ()))
        if sensor.position not in there:
            late.append(place)
    return tuple(late)


def noticed_late(table: str, press: Press) -> Decide:
    """Note wagers that came after the press; they are not counted (F-02)."""

    def decide(state: BookState) -> list[Draft]:
        record = table_of(state, table)
        problems = _counting_problems(record, press.source, press.at)
        phase, number = record.phase_for(press.source)
        if phase != "tabulated":
            problems.append(f"table {table} is open for wagers: none is late (F-02)")
        refuse(problems)
        late = _late_places(record, number, press.seen)
        noticed = LateNoticed(round=number, late=late, device=press.device, device_sequence=press.device_sequence)
        return [Draft(noticed, happened=press.happened)]

    return decide


def batch(table: str, rounds: Sequence[tuple[int, tuple[Place, ...]]], press: Press) -> Decide:
    """Count rounds that a data logger has kept, together (M-10)."""

    def decide(state: BookState) -> list[Draft]:
        record = table_of(state, table)
        problems = _counting_problems(record, press.source, press.at)
        if record.setup.equipment.counts != "batches":
            problems.append(f"{record.setup.equipment.title} sends each press, not batches (E-05)")
        if not 1 <= len(rounds) <= BATCH_MAX:
            problems.append(f"a batch of {len(rounds)} rounds: from 1 to {BATCH_MAX} (M-10)")
        refuse(problems)
        wagers: dict[str, dict[int, int]] = {wager: {} for wager in record.setup.wagers}
        for _, seen in rounds:
            for wager, seats in record.setup.counted(seen).items():
                for seat in seats:
                    wagers[wager][seat] = wagers[wager].get(seat, 0) + 1
        return batch_drafts(state, record, len(rounds), wagers, press, seen=tuple(rounds))

    return decide


def batch_drafts(
    state: BookState,
    record: TableRecord,
    rounds: int,
    wagers: Mapping[str, Mapping[int, int]],
    press: Press,
    **said: Any,
) -> list[Draft]:
    """Write rounds that are counted together, and what they add to the jackpots."""
    last = next_round(state, record) + rounds - 1
    found = _sorted_out(state, record, {wager: tuple(by_seat) for wager, by_seat in wagers.items()})
    kept = {wager: wagers.get(wager, {}) for wager in found.counted if wager not in found.not_counted}
    entry = BatchTabulated(
        round=last,
        rounds=rounds,
        dealer=record.dealer,
        source=press.source,
        counted={wager: tuple(sorted(by_seat.items())) for wager, by_seat in kept.items()},
        not_counted=found.not_counted,
        device=press.device,
        device_sequence=press.device_sequence,
        skew=press.skew,
        **said,
    )
    drafts = [Draft(entry, happened=press.happened)]
    linked = jackpots_by_wager(state, record.table)
    jackpots = {linked[wager].jackpot.name: kept[wager] for wager in kept if wager in linked}
    played = {name: by_seat for name, by_seat in jackpots.items() if name in found.jackpots}
    if played:
        movements = counting.batch_counted(record.table, last, rounds, played)(state)
        drafts += [Draft(movement, happened=press.happened) for movement in movements]
    return drafts


CAUSES: tuple[CorrectionCause, ...] = get_args(CorrectionCause)
VOID_CAUSES: tuple[VoidCause, ...] = get_args(VoidCause)
Reversal = Callable[[str, Sequence[int]], Callable[[BookState], Sequence[Movement]]]
"""Gives the movement that takes a jackpot's counted wagers of some seats back, as an equipment malfunction."""


class Correction(NamedTuple):
    """What was wrong with a counted round: a wager's seats, and why (G-11).

    `missed`: a wager lay there and was not seen. `miscounted`: it was counted and did not lie there. `refunded`: it
    lay there, was counted, and is given back; no meter falls for that.
    """

    table: str
    round: int
    wager: str
    cause: CorrectionCause
    seats: tuple[int, ...]
    words: str
    by: Person
    approved_by: str = ""


def is_before_next_press(record: TableRecord, number: int) -> bool:
    """Whether a round is the one on the table: the press that ends it has not come yet."""
    return record.phase == "tabulated" and record.on_table == number


def corrected(said: Correction, reversal: Reversal) -> Decide:
    """Put a counted round right: the dealer before the next press, afterwards a supervisor with a second person."""

    def decide(state: BookState) -> list[Draft]:
        record = table_of(state, said.table)
        found = record.find_round(said.round)
        problems = [*_people_problems(record, said), *words_problems(said.words), *_round_problems(record, said)]
        if found is not None:
            problems += _seat_problems(state, record, found, said)
        refuse(problems)
        entry = RoundCorrected(
            round=said.round,
            wager=said.wager,
            cause=said.cause,
            seats=tuple(sorted(said.seats)),
            words=said.words,
            by=said.by.name,
            role=said.by.role,
            approved_by=said.approved_by,
        )
        return [Draft(entry), *(Draft(movement) for movement in _movements(state, said, reversal))]

    return decide


def _people_problems(record: TableRecord, said: Correction) -> list[str]:
    if is_before_next_press(record, said.round):
        problems = role_problems(said.by, ("dealer", *FLOOR), "the round on the table is corrected")
        if said.by.role == "dealer" and said.by.name != record.dealer:
            problems.append(f"{record.dealer} is in charge of table {record.table}, not {said.by.name} (E-02)")
        return problems
    problems = role_problems(said.by, FLOOR, f"after the next press round {said.round} is corrected")
    return problems + approval_problems(said.by.name, said.approved_by, "after the next press a round is corrected")


def _round_problems(record: TableRecord, said: Correction) -> list[str]:
    problems = []
    found = record.find_round(said.round)
    if said.cause not in CAUSES:
        problems.append(f"{said.cause!r} is none of the causes: {', '.join(CAUSES)} (G-11)")
    if found is None:
        kept = [each.round for each in record.rounds]
        told = f"{kept[0]} to {kept[-1]}" if kept else "none"
        problems.append(f"round {said.round} of table {record.table} is none of the last: {told} (F-07)")
    elif found.voided:
        problems.append(f"round {said.round} of table {record.table} is void (G-11)")
    if said.wager not in record.setup.wagers:
        problems.append(f"{said.wager!r} is not counted at table {record.table} (E-01)")
    wrong = [seat for seat in said.seats if type(seat) is not int or not 1 <= seat <= record.setup.seats]
    if wrong or not said.seats or len(set(said.seats)) != len(said.seats):
        problems.append(f"seats {list(said.seats)}: different numbers from 1 to {record.setup.seats} (G-16)")
    return problems


def _seat_problems(state: BookState, record: TableRecord, found: CountedRound, said: Correction) -> list[str]:
    there, gone = found.counted.get(said.wager, ()), found.removed.get(said.wager, ())
    linked = jackpots_by_wager(state, record.table).get(said.wager)
    is_jackpot = said.wager in record.setup.wagers and find_game(record.setup.game).by_name[said.wager].jackpot
    problems = []
    if found.rounds > 1 and (said.cause != "miscounted" or linked is None):
        problems.append(f"round {said.round} ends a batch of {found.rounds}: only a miscount of it is corrected (G-35)")
    if said.cause == "refunded" and not is_jackpot:
        problems.append(f"{said.wager} stays on the layout and is not collected: nothing is refunded (E-03)")
    if is_jackpot and linked is None:
        problems.append(f"no jackpot is linked to table {record.table} on {said.wager} (T-09)")
    for seat in said.seats:
        if said.cause == "missed" and (seat in there or seat in gone):
            problems.append(f"seat {seat} was counted in round {said.round} (G-11)")
        elif said.cause != "missed" and seat not in there:
            problems.append(f"seat {seat} has no wager on {said.wager} in round {said.round} (G-11)")
    if linked is not None and said.cause != "missed":
        claimed = state.of(HITS).claimed.get(record.table, ())
        paid = [seat for seat in said.seats if Claimed(said.round, linked.jackpot.name, seat) in claimed]
        problems += [
            f"seat {seat} has a prize of round {said.round}: reject or correct it first (G-2)" for seat in paid
        ]
    return problems


def _movements(state: BookState, said: Correction, reversal: Reversal) -> Sequence[Movement]:
    linked = jackpots_by_wager(state, said.table).get(said.wager)
    if linked is None:
        return ()
    name = linked.jackpot.name
    # Before the next press the table acts and whoever corrects it approves; afterwards two people do (G-31).
    approver = said.approved_by or said.by.name
    if said.cause == "missed":
        missed = {"words": said.words, "approved_by": approver}
        return counting.missed_counted(name, said.table, said.round, said.seats, **missed)(state)
    if said.cause == "refunded":
        return counting.refunded(name, said.table, said.round, said.seats, said.words)(state)
    return reversal(name, said.seats)(state)


def voided(table: str, number: int, cause: VoidCause, words: str, by: Person, approved_by: str) -> Decide:
    """Make a round void, by two people: counted jackpot wagers are refunded by the house (G-11)."""

    def decide(state: BookState) -> list[Draft]:
        record = table_of(state, table)
        found = record.find_round(number)
        problems = role_problems(by, FLOOR, "a round is made void")
        problems += approval_problems(by.name, approved_by, "a round is made void")
        problems += words_problems(words)
        if cause not in VOID_CAUSES:
            problems.append(f"{cause!r} is none of the causes: {', '.join(VOID_CAUSES)} (G-11)")
        if found is None:
            problems.append(f"round {number} of table {table} is none of the last that were counted (G-11)")
        elif found.voided:
            problems.append(f"round {number} of table {table} is void already (G-11)")
        elif found.rounds > 1:
            problems.append(f"round {number} was counted in a batch of {found.rounds}: its seats are not known (G-35)")
        refuse(problems)
        assert found is not None
        entry = RoundVoided(round=number, cause=cause, words=words, by=by.name, approved_by=approved_by)
        linked = jackpots_by_wager(state, table)
        refunds = any(found.counted.get(wager) for wager in linked)
        movements = counting.voided(table, number, words)(state) if refunds else ()
        return [Draft(entry), *(Draft(movement) for movement in movements)]

    return decide


class _Counted(NamedTuple):
    """An entry that counted wagers of a jackpot, and the terms it did so under."""

    sequence: int
    movement: Movement
    terms: Any

    def left(self, gone: Mapping[str, int]) -> dict[int, int]:
        """The wagers of it that were not taken back, by seat."""
        return {int(seat): wagers - gone.get(seat, 0) for seat, wagers in seat_counts(self.movement).items()}


def reversal_of(tables: Tables, said: Correction) -> Reversal:
    """Find the entries that counted a round, and give the function that takes seats of one of them back."""
    found = _counted_entries(tables, said) if said.cause == "miscounted" else []
    approver = said.approved_by or said.by.name

    def reversal(name: str, seats: Sequence[int]) -> counting.Decide:
        def decide(state: BookState) -> Sequence[Movement]:
            for each in found:
                gone = state.of(JACKPOTS).jackpots[name].corrected.get(str(each.sequence), {})
                left = each.left(gone)
                if each.movement.jackpot == name and all(left.get(seat, 0) > 0 for seat in seats):
                    wagers = dict.fromkeys(seats, 1)
                    taken = counting.corrected(
                        name, each.movement, each.sequence, wagers, each.terms, said.words, approver
                    )
                    return taken(state)
            told = f"seats {sorted(seats)} of round {said.round} were not counted by one entry of {name}"
            raise RefusedError([f"{told}: correct them one after the other (G-11)"])

        return decide

    return reversal


def _counted_entries(tables: Tables, said: Correction) -> list[_Counted]:
    record = tables.room.tables.get(said.table)
    counted = None if record is None else record.find_round(said.round)
    if counted is None:
        return []
    found = []
    written = tables.books.store.commands(tables.book, list(counted.commands))
    for entries in written.values():
        for entry in entries:
            value = read_payload(entry.kind, entry.payload)
            if isinstance(value, Movement) and value.kind == "wagers-counted":
                _, movement, terms = tables.jackpots.counted_entry(value.jackpot, entry.sequence)
                found.append(_Counted(entry.sequence, movement, terms))
    return found
