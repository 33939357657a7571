"""Rounds as commands: presses from what the sensors see to the jackpots' counts, corrections, and rounds made void."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from typing import Any, Literal, NamedTuple, get_args

from pitboss import law
from pitboss.books import BookState, Draft, Instant, Movement, RefusedError, read_payload
from pitboss.commands import By, Command, Count, Executor, Name, Now, Seats, Services, Words, command, refuse, roles
from pitboss.commands.command import BOOK
from pitboss.games import find_game
from pitboss.jackpot import HITS, JACKPOTS, JackpotRecord, counting, escrow
from pitboss.jackpot.hits import voids
from pitboss.jackpot.hits.calls import round_rejections
from pitboss.jackpot.hits.state import Claimed
from pitboss.jackpot.hits.values import Hit
from pitboss.jackpot.state import local_day
from pitboss.rules import Game
from pitboss.table.checks import options_max
from pitboss.tabulator import descriptions, entries
from pitboss.tabulator.entries import CAUSE_WORDS, CorrectionCause, Place, Source, VoidCause
from pitboss.tabulator.state import TABLES, jackpots_by_wager, table_of
from pitboss.tabulator.tables import reason_problems, screen_problems
from pitboss.tabulator.values import CountedRound, TableRecord, place_text

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


@command("tables/press", roles=roles.DEALERS)
class Press(Command):
    """Press at a table that is counted by hand: by wager the seats; the next press ends the round."""

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
    elif record.down is not None and record.down.method == "suspend":
        problems.append(f"table {record.table} has its jackpots suspended while its equipment is down (E-09)")
    elif not record.is_by_hand:
        problems.append(f"table {record.table} is counted by its {record.setup.equipment.title}, not by hand (E-02)")
    return problems


def _entered_problems(record: TableRecord, seats: Mapping[str, Sequence[int]]) -> list[str]:
    problems = []
    for wager, numbers in seats.items():
        if wager not in record.setup.wagers:
            problems.append(f"{wager!r} is not counted at table {record.table} (E-01)")
        if not _are_seats(record, numbers):
            limits = f"different numbers from 1 to {record.setup.seats} (G-16)"
            problems.append(f"seats {list(numbers)} of {wager}: {limits}")
    return problems


def _are_seats(record: TableRecord, numbers: Sequence[int]) -> bool:
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
    if record.life == "suspended" and not (record.suspended is not None and happened < record.suspended):
        return f"the jackpots of table {record.table} are suspended: give the wagers back (T-09)"
    if wager not in linked:
        return f"no jackpot is linked to table {record.table} on {wager}: give the wagers back (T-09)"
    jackpot = linked[wager]
    if not jackpot.plays_at(happened):
        return f"{jackpot.jackpot.name} is {jackpot.play}: give the wagers back (J-18, J-19)"
    return ""


def _round_drafts(state: BookState, record: TableRecord, press: ButtonPress) -> list[Draft]:
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


CAUSES: tuple[CorrectionCause, ...] = get_args(CorrectionCause)
VOID_CAUSES: tuple[VoidCause, ...] = get_args(VoidCause)


@dataclass(frozen=True, slots=True, kw_only=True)
class Correction(Command):
    """A correction of a counted round: a wager's seats, and why (G-11).

    `missed`: a wager lay there and was not seen. `miscounted`: it was counted and did not lie there. `refunded`: it
    lay there, was counted, and is given back; no meter falls for that. `shown_round`: see G-67.
    """

    table: Name
    round: Count
    wager: Name
    cause: CorrectionCause
    seats: Seats
    words: Words = ""
    shown_round: Count | None = None

    def prepare(self, services: Services) -> PreparedCorrection:
        """Look up the entries that counted the round, where one of them must be taken back."""
        counted = _counted_entries(services, self) if self.cause == "miscounted" else []
        # On the table the cause itself is a reason.
        words = self.words.strip() or ("" if self.spec.approvers else CAUSE_WORDS.get(self.cause, ""))
        return PreparedCorrection(replace(self, words=words), tuple(counted))

    def entries(self, now: Now, by: By) -> list[Draft]:
        """Return the entries of a correction for which nothing was looked up."""
        return PreparedCorrection(self, ()).entries(now, by)


@command("tables/correct", roles=roles.TABLE)
class CorrectRound(Correction):
    """Correct the round that is on the table."""


@command("tables/correct-earlier", roles=roles.FLOOR, approvers=roles.APPROVERS)
class CorrectEarlierRound(Correction):
    """Correct a round after the next press."""

    describe = descriptions.correction


@dataclass(frozen=True, slots=True)
class PreparedCorrection:
    """A correction, and the entries that counted the round."""

    correction: Correction
    counted: tuple[counting.CountedEntry, ...]

    def entries(self, now: Now, by: By) -> list[Draft]:
        """Return the correction, and what it does to the jackpot of the wager."""
        correction, record = self.correction, table_of(now.state, self.correction.table)
        refuse(screen_problems(record, correction.shown_round, by))
        approved_by = by.approved_by if correction.spec.approvers else ""
        counted_round = record.find_round(correction.round)
        problems = [] if approved_by else _alone_problems(record, correction.round, by)
        problems += [*reason_problems(correction.words), *_round_problems(record, correction)]
        if counted_round is not None:
            problems += _seat_problems(now.state, record, counted_round, correction)
        refuse(problems)
        movements = self._movements(now.state, by, approved_by)
        entry = entries.RoundCorrected(
            round=correction.round,
            wager=correction.wager,
            cause=correction.cause,
            seats=tuple(sorted(correction.seats)),
            words=correction.words,
            by=by.name,
            role=by.role,
            approved_by=approved_by,
            to_confirm=not approved_by and correction.cause == "miscounted" and bool(movements),
        )
        return [Draft(entry), *map(Draft, movements)]

    def _movements(self, state: BookState, by: By, approver: str) -> Sequence[Movement]:
        correction, alone = self.correction, "" if approver else by.role
        linked = jackpots_by_wager(state, correction.table).get(correction.wager)
        if linked is None:
            return ()
        name, table, seats = linked.jackpot.name, correction.table, correction.seats
        if correction.cause == "missed":
            reason = {"words": correction.words, "approved_by": approver}
            return counting.count_missed(state, name, table, correction.round, seats, alone=alone, **reason)
        if correction.cause == "refunded":
            return counting.refund_seats(state, name, table, correction.round, seats, correction.words)
        for counted in self.counted:
            left = counted.left(linked) if counted.movement.jackpot == name else {}
            if all(left.get(seat, 0) > 0 for seat in seats):
                return counting.take_back(
                    state, counted, dict.fromkeys(seats, 1), correction.words, approver, alone, correction.round
                )
        several = f"seats {sorted(seats)} of round {correction.round} were not counted by one entry of {name}"
        raise RefusedError([f"{several}: correct them one after the other (G-11)"])


def _alone_problems(record: TableRecord, number: int, by: By) -> list[str]:
    """Return what speaks against a person who corrects a round alone, which is done before the next press (G-31)."""
    if record.is_before_next_press(number):
        if by.role == "dealer" and by.name != record.dealer:
            return [f"{record.dealer} is in charge of table {record.table}, not {by.name} (E-02)"]
        return []
    problems = []
    if by.role not in roles.FLOOR:
        floor = " or a ".join(roles.FLOOR)
        corrected = f"after the next press round {number} is corrected by a {floor}"
        problems.append(f"{corrected}, not by {by.name} as a {by.role} (T-06)")
    two = "after the next press a round is corrected by two people"
    return [*problems, f"{two}: 'nobody' is no second person (T-06, G-31)"]


def _round_problems(record: TableRecord, correction: Correction) -> list[str]:
    problems, number = [], correction.round
    counted_round = record.find_round(number)
    if correction.cause not in CAUSES:
        problems.append(f"{correction.cause!r} is none of the causes: {', '.join(CAUSES)} (G-11)")
    if counted_round is None:
        rounds = f"{record.rounds[0].round} to {record.rounds[-1].round}" if record.rounds else "none"
        problems.append(f"round {number} of table {record.table} is none of the last: {rounds} (F-07)")
    elif counted_round.voided or number in record.void_rounds:
        problems.append(f"round {number} of table {record.table} is void (G-11)")
    if correction.wager not in record.setup.wagers:
        problems.append(f"{correction.wager!r} is not counted at table {record.table} (E-01)")
    if not correction.seats or not _are_seats(record, correction.seats):
        problems.append(f"seats {list(correction.seats)}: different numbers from 1 to {record.setup.seats} (G-16)")
    return problems


def _seat_problems(
    state: BookState, record: TableRecord, counted_round: CountedRound, correction: Correction
) -> list[str]:
    number, wager, cause = correction.round, correction.wager, correction.cause
    seats, removed = counted_round.counted.get(wager, ()), counted_round.removed.get(wager, ())
    linked = jackpots_by_wager(state, record.table).get(wager)
    is_jackpot = wager in record.setup.wagers and find_game(record.setup.game).by_name[wager].jackpot
    problems, rounds = [], record.rounds_together(number)
    if rounds > 1 and (cause != "miscounted" or linked is None):
        problems.append(f"round {number} is of a batch of {rounds}: only a miscount of it is corrected (G-35)")
    if cause == "refunded" and not is_jackpot:
        problems.append(f"{wager} stays on the layout and is not collected: nothing is refunded (E-03)")
    if is_jackpot and linked is None:
        problems.append(f"no jackpot is linked to table {record.table} on {wager} (T-09)")
    for seat in correction.seats:
        if cause == "missed" and (seat in seats or seat in removed):
            problems.append(f"seat {seat} was counted in round {number} (G-11)")
        elif cause != "missed" and seat not in seats:
            problems.append(f"seat {seat} has no wager on {wager} in round {number} (G-11)")
    if linked is not None and cause != "missed":
        claimed = state.of(HITS).claimed.get(record.table, ())
        problems += [
            f"seat {seat} has a prize of round {number}: reject or correct it first (G-2)"
            for seat in correction.seats
            if Claimed(number, linked.jackpot.name, seat) in claimed
        ]
    return problems


def _counted_entries(services: Services, correction: Correction) -> list[counting.CountedEntry]:
    record = services.state.of(TABLES).tables.get(correction.table)
    counted_round = None if record is None else record.find_round(correction.round)
    if counted_round is None:
        return []
    store, counted = services.books.store, []
    for written in store.commands(BOOK, list(counted_round.commands)).values():
        for entry in written:
            value = read_payload(entry.kind, entry.payload)
            if isinstance(value, Movement) and value.kind == "wagers-counted":
                counted.append(counting.counted_entry(store, services.state, value.jackpot, entry.sequence))
    return counted


@command("tables/void", roles=roles.FLOOR, approvers=roles.APPROVERS)
class VoidRound(Command):
    """Make a round void; the house refunds its counted jackpot wagers.

    `open_hits` is what happens to hits of the round that are open: the void is refused while there is one, or they are
    rejected with it and the meter is restored. `shown_round`: see G-67.
    """

    table: Name
    round: Count
    cause: VoidCause
    words: Words
    open_hits: Literal["refuse", "reject"] = "refuse"
    shown_round: Count | None = None
    describe = descriptions.void

    def prepare(self, services: Services) -> PreparedVoid:
        """Look up the prizes of the round that were handed over."""
        record = services.state.of(TABLES).tables.get(self.table)
        counted_round = None if record is None else record.find_round(self.round)
        if counted_round is None:
            return PreparedVoid(self, ())
        return PreparedVoid(self, voids.paid_prizes(services, self.table, self.round, counted_round.sequence))

    def entries(self, now: Now, by: By) -> list[Draft]:
        """Return the entries of a void for which nothing was looked up."""
        return PreparedVoid(self, ()).entries(now, by)


@dataclass(frozen=True, slots=True)
class PreparedVoid:
    """A void, and the prizes of its round that were handed over."""

    void: VoidRound
    paid: tuple[voids.VoidItem, ...]

    def entries(self, now: Now, by: By) -> list[Draft]:
        """Return the rejected hits, the void round, and the refunds where a jackpot wager was counted (G-11)."""
        void, record = self.void, table_of(now.state, self.void.table)
        refuse(screen_problems(record, void.shown_round, by))
        counted_round = record.find_round(void.round)
        hits = voids.open_hits(now.state, void.table, void.round)
        refuse([*_void_problems(record, counted_round, void), *self._hit_problems(hits)])
        assert counted_round is not None
        rejections = round_rejections(now.state, hits, by, void.words) if hits else []
        linked = jackpots_by_wager(now.state, void.table)
        entry = entries.RoundVoided(
            round=void.round,
            cause=void.cause,
            words=void.words,
            by=by.name,
            approved_by=by.approved_by,
            open_hits=void.open_hits,
            rejected=tuple(hit.number for hit in hits),
            items=(*voids.wager_items(counted_round.counted, linked), *self.paid),
        )
        refunds = any(counted_round.counted.get(wager) for wager in linked)
        movements = counting.refund_round(now.state, void.table, void.round, void.words) if refunds else ()
        return [*rejections, Draft(entry), *map(Draft, movements)]

    def _hit_problems(self, hits: Sequence[Hit]) -> list[str]:
        if self.void.open_hits == "reject":
            return []
        choice = "close it first, or reject it with the void (G-11)"
        return [f"hit {hit.number} of round {hit.round} is open: {choice}" for hit in hits]


def _void_problems(record: TableRecord, counted_round: CountedRound | None, void: VoidRound) -> list[str]:
    number, problems = void.round, reason_problems(void.words)
    if void.cause not in VOID_CAUSES:
        problems.append(f"{void.cause!r} is none of the causes: {', '.join(VOID_CAUSES)} (G-11)")
    if counted_round is None:
        problems.append(f"round {number} of table {record.table} is none of the last that were counted (G-11)")
    elif counted_round.voided or number in record.void_rounds:
        problems.append(f"round {number} of table {record.table} is void already (G-11)")
    elif counted_round.rounds > 1:
        batch = f"round {number} was counted in a batch of {counted_round.rounds}"
        problems.append(
            f"{batch} of which only totals were entered: its seats are not known (G-35); two people name them"
        )
    return problems
