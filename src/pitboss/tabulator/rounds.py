"""Rounds as commands: presses and batches, from what the sensors see to the jackpots' counts."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from contextlib import suppress
from typing import Any, NamedTuple

from pitboss import law
from pitboss.books import BookState, Draft, Instant, RefusedError
from pitboss.commands import By, Command, Executor, Name, Now, Seats, command, refuse, roles
from pitboss.games import find_game
from pitboss.jackpot import JACKPOTS, JackpotRecord, counting, escrow
from pitboss.jackpot.state import local_day
from pitboss.rules import Game
from pitboss.table.checks import options_max
from pitboss.tabulator import entries
from pitboss.tabulator.entries import Place, Source
from pitboss.tabulator.state import jackpots_by_wager, table_of
from pitboss.tabulator.values import TableRecord, place_text

DOUBLE_PRESS = 1_000_000
"""A second press within a second does nothing; in the microseconds of the journal."""
BATCH_MAX = 10_000
"""The most rounds of one batch."""


class ButtonPress(NamedTuple):
    """A press of the button: when it was, what the sensors saw, or the seats that a dealer entered by wager.

    `at` is what the clock of the device showed, `happened_at` when that was by ours, where the two differ too much.
    """

    at: Instant
    seen: tuple[Place, ...] = ()
    seats: Mapping[str, tuple[int, ...]] | None = None
    source: Source = "device"
    device: str = ""
    device_sequence: int = 0
    skew: int = 0

    @property
    def happened_at(self) -> Instant:
        """When it was by our clock."""
        return self.at + self.skew

    @property
    def origin(self) -> dict[str, Any]:
        """The fields of its entry that name the message it comes from, and its clock where that was wrong."""
        message: dict[str, Any] = {"device": self.device, "device_sequence": self.device_sequence}
        return message | ({"skew": self.skew, "at": self.at} if self.skew else {})


@command("tables/press", roles=roles.DEALERS, pin=True)
class Press(Command):
    """Count or end a round at a table with manual entry: by wager the seats; the next press ends the round."""

    table: Name
    seats: Mapping[Name, Seats] | None = None

    def entries(self, now: Now, by: By) -> list[Draft]:
        """Return the round, with what it adds to the jackpots, or its end (E-02, F-05)."""
        press = ButtonPress(now.at, seats=self.seats or {}, source="console")
        return press_drafts(now.state, self.table, press)


def review_escrow(executor: Executor, id: str) -> None:  # noqa: A002
    """Suspend the jackpots whose escrow has become short, after the press of this id was refused (J-19)."""
    with suppress(RefusedError):
        escrow.review_escrow(executor, f"{id}-escrow")


def press_drafts(state: BookState, table: str, press: ButtonPress) -> list[Draft]:
    """Return what a press does: it counts, opens the table again, or is ignored (E-02)."""
    record = table_of(state, table)
    problems = _counting_problems(record, press.source, press.at)
    if press.source != "device" and record.phase == "open":
        problems += _entered_problems(record, press.seats or {})
    refuse(problems)
    since = None if record.pressed is None else press.at - record.pressed
    phase, number = record.phase_for(press.source)
    if press.source != "panel" and since is not None and 0 <= since < DOUBLE_PRESS:
        ignored = entries.PressIgnored(
            round=number,
            dealer=record.dealer,
            after_microseconds=since,
            device=press.device,
            device_sequence=press.device_sequence,
        )
        return [Draft(ignored, happened=press.happened_at)]
    if phase == "tabulated":
        return [Draft(_release(record, number, press), happened=press.happened_at)]
    return _round_drafts(state, record, press)


def _counting_problems(record: TableRecord, source: Source, at: Instant) -> list[str]:
    """Return what keeps a table from counting, by where the count comes from."""
    problems = []
    if record.life == "closed":
        problems.append(f"table {record.table} is closed: nothing is counted (E-02)")
    elif not record.dealer:
        problems.append(f"no dealer is in charge of table {record.table}: every press names one (E-02)")
    if source in ("device", "panel"):
        if record.down is not None and at >= record.down.since:
            problems.append(f"the equipment of table {record.table} is down: counts are entered by hand (E-09)")
    elif record.is_down_without_wagers:
        problems.append(f"table {record.table} has its jackpots suspended while its equipment is down (E-09)")
    elif not record.is_by_hand:
        problems.append(f"table {record.table} is counted by its {record.setup.equipment.title}, not by hand (E-02)")
    return problems


def _entered_problems(record: TableRecord, seats: Mapping[str, Sequence[int]]) -> list[str]:
    problems = []
    for wager, numbers in seats.items():
        if wager not in record.setup.wagers:
            problems.append(f"{record.setup.title(wager)} is not counted at table {record.table} (E-01)")
        if not are_seats(record, numbers):
            limits = f"different numbers from 1 to {record.setup.seats} (G-16)"
            problems.append(f"{record.setup.title(wager)}, seats {list(numbers)}: {limits}")
    return problems


def are_seats(record: TableRecord, numbers: Sequence[int]) -> bool:
    """True if these are different seats of a table."""
    in_range = all(type(number) is int and 1 <= number <= record.setup.seats for number in numbers)
    return in_range and len(set(numbers)) == len(numbers)


def next_round(state: BookState, record: TableRecord) -> int:
    """Return the number of the next round; rounds counted before the table was set up keep theirs."""
    last = state.of(JACKPOTS).last_round(record.table)
    return max(record.round, 0 if last is None else last.round) + 1


class RoundCounts(NamedTuple):
    """The counts of a round: by wager its seats, by jackpot its seats, and by wager why it does not count."""

    counted: Mapping[str, tuple[int, ...]]
    jackpots: Mapping[str, tuple[int, ...]]
    not_counted: Mapping[str, str]


def _round_counts(
    state: BookState, record: TableRecord, seen: Mapping[str, tuple[int, ...]], happened: Instant
) -> RoundCounts:
    """Sort out what counts: participation always, a jackpot wager where its jackpot was played at that instant."""
    game, linked = find_game(record.setup.game), jackpots_by_wager(state, record.table)
    counted: dict[str, tuple[int, ...]] = {}
    jackpots: dict[str, tuple[int, ...]] = {}
    not_counted: dict[str, str] = {}
    for wager in record.setup.wagers:
        seats = tuple(sorted(seen.get(wager, ())))
        reason = _why_not(record, game, wager, linked, happened)
        if reason:
            seats = ()
            if seen.get(wager):
                not_counted[wager] = reason
        counted[wager] = seats
        if wager in linked and not reason:
            jackpots[linked[wager].jackpot.name] = seats
    return RoundCounts(counted, jackpots, not_counted)


def _why_not(
    record: TableRecord, game: Game, wager: str, linked: Mapping[str, JackpotRecord], happened: Instant
) -> str:
    """Return why a wager is not counted though it is there: its jackpot is not played; empty where it is."""
    if not game.by_name[wager].jackpot:
        return ""
    if record.is_suspended_at(happened):
        return f"the jackpots of table {record.table} are suspended: give the wagers back (T-09)"
    if wager not in linked:
        return (
            f"no jackpot is linked to table {record.table} on {record.setup.title(wager)}: give the wagers back (T-09)"
        )
    jackpot = linked[wager]
    if not jackpot.plays_at(happened):
        return f"{jackpot.jackpot.title} is {jackpot.play}: give the wagers back (J-18, J-19)"
    return ""


_MINUTE = 60_000_000


def _pace_problems(record: TableRecord, instants: Sequence[Instant]) -> list[str]:
    """Return that a device would count more rounds within a minute than a table can deal (G-76).

    Every round of the device after that minute's beginning counts: a clock that goes backwards wins nothing.
    """
    most = record.setup.limits.rounds_a_minute
    before = [counted.happened for counted in record.rounds if counted.source == "device" and counted.rounds == 1]
    for instant in instants:
        within = sum(other > instant - _MINUTE for other in before)
        if within + sum(instant - _MINUTE < other <= instant for other in instants) > most:
            return [f"{record.setup.device} would count more than {most} rounds a minute: have it checked (G-76)"]
    return []


def _round_drafts(state: BookState, record: TableRecord, press: ButtonPress) -> list[Draft]:
    if press.source == "device":
        refuse(_pace_problems(record, [press.happened_at]))
    setup, number = record.setup, next_round(state, record)
    seen = setup.counted(press.seen) if press.seats is None else press.seats
    counts, stray = _round_counts(state, record, seen, press.happened_at), setup.stray(press.seen)
    entry = entries.RoundTabulated(
        round=number,
        dealer=record.dealer,
        source=press.source,
        counted=counts.counted,
        seen=tuple(sorted(press.seen)),
        lights=_lights(record, counts.counted),
        stray=stray,
        not_counted=counts.not_counted,
        persons=record.persons,
        notices=tuple(_notices(state, record, seen, stray, press)),
        **press.origin,
    )
    drafts = [Draft(entry, happened=press.happened_at)]
    if counts.jackpots:
        movements = counting.count_round(
            state, record.table, number, counts.jackpots, record.persons, press.happened_at
        )
        drafts += [Draft(movement, happened=press.happened_at) for movement in movements]
    return drafts


def _lights(record: TableRecord, counted: Mapping[str, tuple[int, ...]]) -> tuple[Place, ...]:
    """Return the places that light up: a panel shows every counted wager, a sensor only with a light (E-03)."""
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
    press: ButtonPress,
) -> list[str]:
    """Return notices for the dealer: wagers where none is counted, a person with too many options (G-12, W-09)."""
    notices = [f"a wager at {place_text(place)}, where none is counted (W-09)" for place in stray]
    most = options_max(law.on(local_day(state, press.happened_at), record.setup.profile))
    grouped = {seat for group in record.persons for seat in group}
    single = [(seat,) for seat in range(1, record.setup.seats + 1) if seat not in grouped]
    for group in (*record.persons, *single):
        options = [wager for wager, seats in seen.items() if set(seats) & set(group)]
        if len(options) > most:
            seats = " and ".join(map(str, group))
            who = f"one person on seats {seats}" if len(group) > 1 else f"seat {seats}"
            ruling = "G-41" if len(group) > 1 else "G-12"
            notices.append(f"{who} has {len(options)} options, at most {most}: {', '.join(options)} ({ruling})")
    return notices


def _release(record: TableRecord, number: int, press: ButtonPress) -> entries.RoundReleased:
    """Build the end of a round: what is on a sensor now and was not counted came too late."""
    return entries.RoundReleased(
        round=number,
        dealer=record.dealer,
        source=press.source,
        seen=tuple(sorted(press.seen)),
        late=_late_places(record, number, press.seen),
        **press.origin,
    )


def _late_places(record: TableRecord, number: int, seen: Sequence[Place]) -> tuple[Place, ...]:
    """Return which of these places are wagers of seats in play that the round has not counted (F-02)."""
    last, places, late = record.find_round(number), record.setup.by_place, []
    for place in sorted(seen):
        sensor = places.get(place)
        if sensor is None or sensor.position > record.setup.seats:
            continue
        seats = () if last is None else (*last.counted.get(sensor.wager, ()), *last.removed.get(sensor.wager, ()))
        if sensor.position not in seats:
            late.append(place)
    return tuple(late)


def late_drafts(state: BookState, table: str, press: ButtonPress) -> list[Draft]:
    """Return the notice of wagers that came after the press; they are not counted (F-02)."""
    record = table_of(state, table)
    problems = _counting_problems(record, press.source, press.at)
    phase, number = record.phase_for(press.source)
    if phase != "tabulated":
        problems.append(f"table {table} is open for wagers: none is late (F-02)")
    refuse(problems)
    late = _late_places(record, number, press.seen)
    notice = entries.LateNoticed(round=number, late=late, device=press.device, device_sequence=press.device_sequence)
    return [Draft(notice, happened=press.happened_at)]


def upload_drafts(
    state: BookState, table: str, rounds: Sequence[tuple[Instant, tuple[Place, ...]]], press: ButtonPress
) -> list[Draft]:
    """Return the count of rounds that a data logger has kept, together (M-10)."""
    record = table_of(state, table)
    problems = _counting_problems(record, press.source, press.at)
    if record.setup.equipment.counts != "batches":
        problems.append(f"{record.setup.equipment.title} sends each press, not batches (E-05)")
    if not 1 <= len(rounds) <= BATCH_MAX:
        problems.append(f"a batch of {len(rounds)} rounds: from 1 to {BATCH_MAX} (M-10)")
    refuse(problems)
    refuse(_pace_problems(record, [at + press.skew for at, _ in rounds]))
    wagers: dict[str, dict[int, int]] = {wager: {} for wager in record.setup.wagers}
    for _, seen in rounds:
        for wager, seats in record.setup.counted(seen).items():
            for seat in seats:
                wagers[wager][seat] = wagers[wager].get(seat, 0) + 1
    by_round = [record.setup.counted(seen) for _, seen in rounds]
    return batch_drafts(state, record, len(rounds), wagers, press, by_round, seen=tuple(rounds))


def batch_drafts(
    state: BookState,
    record: TableRecord,
    rounds: int,
    wagers: Mapping[str, Mapping[int, int]],
    press: ButtonPress,
    by_round: Sequence[Mapping[str, tuple[int, ...]]],
    **fields: Any,
) -> list[Draft]:
    """Return rounds that are counted together, and what they add to the jackpots; `fields` are those of the entry.

    `by_round` has for each round its seats by wager, where the batch names them (G-35).
    """
    last = next_round(state, record) + rounds - 1
    seats = {wager: tuple(by_seat) for wager, by_seat in wagers.items()}
    counts = _round_counts(state, record, seats, press.happened_at)
    counted = {wager: wagers.get(wager, {}) for wager in counts.counted if wager not in counts.not_counted}
    entry = entries.BatchTabulated(
        round=last,
        rounds=rounds,
        dealer=record.dealer,
        source=press.source,
        counted={wager: tuple(sorted(by_seat.items())) for wager, by_seat in counted.items()},
        not_counted=counts.not_counted,
        device=press.device,
        device_sequence=press.device_sequence,
        skew=press.skew,
        **fields,
    )
    drafts = [Draft(entry, happened=press.happened_at)]
    linked = jackpots_by_wager(state, record.table)
    jackpots = {linked[wager].jackpot.name: by_seat for wager, by_seat in counted.items() if wager in linked}
    played = {name: by_seat for name, by_seat in jackpots.items() if name in counts.jackpots}
    if played:
        named = {name: [seats.get(wager, ()) for seats in by_round] for wager, name in _names(linked).items()}
        movements = counting.count_batch(state, record.table, last, rounds, played, named if by_round else None)
        drafts += [Draft(movement, happened=press.happened_at) for movement in movements]
    return drafts


def _names(linked: Mapping[str, JackpotRecord]) -> dict[str, str]:
    return {wager: record.jackpot.name for wager, record in linked.items()}
