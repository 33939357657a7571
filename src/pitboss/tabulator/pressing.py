"""Presses: from what the sensors see to the entry of a round and, in the same command, to the jackpots' counts."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

from pitboss import law
from pitboss.books import BookState, Draft
from pitboss.games import find_game
from pitboss.jackpot import JACKPOTS, counting
from pitboss.rules import Game
from pitboss.tabulator.deciding import Decide, jackpots_by_wager, local_day, refuse, table_of
from pitboss.tabulator.entries import (
    BatchTabulated,
    LateNoticed,
    Place,
    PressIgnored,
    RoundReleased,
    RoundTabulated,
    Source,
)
from pitboss.tabulator.values import CountedRound, TableRecord, place_text

__all__ = ["BATCH_MAX", "DOUBLE_PRESS", "Press", "batch", "batch_drafts", "next_round", "noticed_late", "pressed"]

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
