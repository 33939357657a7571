"""Counted rounds put right: corrections of a wager's seats, and rounds made void (G-11, G-39)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Literal, get_args

from pitboss.books import BookState, Draft, Movement, RefusedError, read_payload
from pitboss.commands import By, Command, Count, Name, Now, Seats, Services, Words, command, refuse, roles
from pitboss.commands.command import BOOK
from pitboss.games import find_game
from pitboss.jackpot import HITS, counting
from pitboss.jackpot.hits import voids
from pitboss.jackpot.hits.calls import round_rejections
from pitboss.jackpot.hits.state import Claimed
from pitboss.jackpot.hits.values import Hit
from pitboss.tabulator import descriptions, entries
from pitboss.tabulator.entries import CAUSE_WORDS, CorrectionCause, VoidCause
from pitboss.tabulator.rounds import are_seats
from pitboss.tabulator.state import TABLES, jackpots_by_wager, table_of
from pitboss.tabulator.tables import reason_problems, screen_problems
from pitboss.tabulator.values import CountedRound, TableRecord

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


@command("tables/correct", roles=roles.TABLE, pin=True)
class CorrectRound(Correction):
    """Correct the round that is on the table."""


@command("tables/correct-earlier", roles=roles.FLOOR, approvers=roles.APPROVERS, pin=True)
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
        several = (
            f"seats {sorted(seats)} of round {correction.round} were not counted by one entry of {linked.jackpot.title}"
        )
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
        problems.append(f"{record.setup.title(correction.wager)} is not counted at table {record.table} (E-01)")
    if not correction.seats or not are_seats(record, correction.seats):
        problems.append(f"seats {list(correction.seats)}: different numbers from 1 to {record.setup.seats} (G-16)")
    return problems


def _seat_problems(
    state: BookState, record: TableRecord, counted_round: CountedRound, correction: Correction
) -> list[str]:
    number, wager, cause = correction.round, correction.wager, correction.cause
    seats, removed = counted_round.counted.get(wager, ()), counted_round.removed.get(wager, ())
    linked = jackpots_by_wager(state, record.table).get(wager)
    is_jackpot = wager in record.setup.wagers and find_game(record.setup.game).by_name[wager].jackpot
    problems, rounds, title = [], record.rounds_together(number), record.setup.title(wager)
    if rounds > 1 and (cause != "miscounted" or linked is None):
        problems.append(f"round {number} is of a batch of {rounds}: only a miscount of it is corrected (G-35)")
    if cause == "refunded" and not is_jackpot:
        problems.append(f"{title} stays on the layout and is not collected: nothing is refunded (E-03)")
    if is_jackpot and linked is None:
        problems.append(f"no jackpot is linked to table {record.table} on {title} (T-09)")
    for seat in correction.seats:
        if cause == "missed" and (seat in seats or seat in removed):
            problems.append(f"seat {seat} is already counted in round {number} (G-11)")
        elif cause != "missed" and seat not in seats:
            problems.append(f"seat {seat} has no wager on {title} in round {number} (G-11)")
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


@command("tables/void", roles=roles.FLOOR, approvers=roles.APPROVERS, pin=True)
class VoidRound(Command):
    """Void a round; the house refunds its counted jackpot wagers.

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
