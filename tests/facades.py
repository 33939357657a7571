"""Jackpots and hits as methods, for tests and benchmarks: each builds a command and carries it out.

The methods that count are not commands: the tabulator counts in its own, beside the entries of a table.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from concurrent.futures import Future
from contextlib import suppress
from dataclasses import dataclass
from typing import Any

from pitboss.books import Answer, Books, BookState, Draft, Entry, JackpotAccounts, Movement, RefusedError
from pitboss.books import Command as Submission
from pitboss.books.commands import microseconds_now
from pitboss.commands import By, Command, Executor, Prepared, Services
from pitboss.commands.command import BOOK
from pitboss.jackpot import (
    HITS,
    JACKPOTS,
    Claim,
    Escrow,
    Forecast,
    Hit,
    Jackpot,
    JackpotDraft,
    JackpotRecord,
    Paper,
    PaperDraft,
    PlayReason,
    RemovalNoticed,
    RoomHits,
    RoomJackpots,
    RoundCards,
    accounts_of,
    adjustments,
    counting,
    displayed_cents_of,
    escrow,
    escrow_of,
    forecast_of,
    jackpot_problems,
    lifecycle,
    record_of,
    removal,
)
from pitboss.jackpot.hits import calls, handling
from pitboss.meters import Account, DecreaseReason, MeterRefusedError, MeterState, MeterTerms


@dataclass(frozen=True, slots=True, kw_only=True)
class DefineWhole(lifecycle.DefineJackpot):
    """Define a jackpot that is built already, with the probabilities of its offers."""

    whole: Jackpot
    is_first: bool = True

    def prepare(self, services: Any) -> Prepared:
        problems = tuple(map(str, jackpot_problems(self.whole)))
        return lifecycle._Definition(self.whole, self.words, self.is_first, problems)

    def content(self) -> Any:
        return [self.whole.to_json(), self.words, self.is_first]


class Jackpots:
    """The jackpots in the books of a room; everybody acts in the first role that may."""

    def __init__(self, books: Books, book: str = BOOK, *, clock: Callable[[], int] = microseconds_now) -> None:
        self.books, self.book, self.clock = books, book, clock
        self.services = Services(books, clock)
        self.executor = Executor(self.services)

    def do(self, command: Command, id: str, actor: str, approved_by: str | None = None) -> Answer:  # noqa: A002
        spec = command.spec
        approver = None if approved_by is None else By(approved_by, spec.approvers[0])
        return self.executor.do(command, By(actor, spec.roles[0], approver), id=id)

    @property
    def state(self) -> BookState:
        return self.services.state

    @property
    def room(self) -> RoomJackpots:
        return self.state.of(JACKPOTS)

    def record(self, name: str) -> JackpotRecord:
        return record_of(self.state, name)

    def accounts(self, name: str) -> JackpotAccounts:
        return accounts_of(self.state, name)

    def meter(self, name: str) -> MeterState:
        return self.accounts(name).meter_state

    def displayed_cents(self, name: str) -> int:
        return displayed_cents_of(self.state, name)

    def escrow(self, name: str) -> Escrow:
        return escrow_of(self.record(name), self.accounts(name), self.clock())

    def forecast(self, name: str) -> Forecast:
        return forecast_of(self.record(name), self.accounts(name), self.clock())

    def warnings(self) -> list[str]:
        return escrow.warnings(self.state, self.clock())

    def counted_entry(self, name: str, sequence: int) -> tuple[Entry, Movement, MeterTerms]:
        return counting.counted_entry(self.books.store, self.state, name, sequence)

    def define(self, jackpot: Jackpot, *, words: str, command: str, actor: str, approved_by: str) -> Answer:
        draft = JackpotDraft.of(jackpot)
        return self.do(DefineWhole(jackpot=draft, words=words, whole=jackpot), command, actor, approved_by)

    def change(self, jackpot: Jackpot, *, words: str, command: str, actor: str, approved_by: str) -> Answer:
        value = DefineWhole(jackpot=JackpotDraft.of(jackpot), words=words, whole=jackpot, is_first=False)
        return self.do(value, command, actor, approved_by)

    def open(self, name: str, *, words: str, command: str, actor: str, approved_by: str) -> Answer:
        return self.do(lifecycle.OpenJackpot(name=name, words=words), command, actor, approved_by)

    def close(self, name: str, *, words: str, command: str, actor: str) -> Answer:
        return self.do(lifecycle.CloseJackpot(name=name, words=words), command, actor)

    def suspend(
        self, name: str, *, words: str, command: str, actor: str, reason: PlayReason = PlayReason.BUSINESS
    ) -> Answer:
        """Suspend play."""
        return self.do(lifecycle.SuspendJackpot(name=name, words=words, reason=reason), command, actor)

    def adjust(
        self,
        name: str,
        units: int,
        reason: DecreaseReason | None = None,
        *,
        fund: Account = Account.DISPLAYED,
        words: str,
        command: str,
        actor: str,
        approved_by: str,
    ) -> Answer:
        """Adjust a fund."""
        place: Any = fund.value
        adjustment = adjustments.AdjustFund(name=name, units=units, reason=reason, fund=place, words=words)
        return self.do(adjustment, command, actor, approved_by)

    def book_receipts(
        self, name: str, units: int, *, fund: Account, words: str, command: str, actor: str, approved_by: str
    ) -> Answer:
        """Book receipts."""
        place: Any = fund.value
        receipts = adjustments.BookReceipts(name=name, units=units, fund=place, words=words)
        return self.do(receipts, command, actor, approved_by)

    def seed_other(
        self,
        name: str,
        other: str,
        units: int,
        *,
        fund: Account,
        permitted_by: str,
        words: str,
        command: str,
        actor: str,
        approved_by: str,
    ) -> Answer:
        """Seed another jackpot."""
        place: Any = fund.value
        seeding = adjustments.SeedOtherJackpot(
            name=name, other=other, units=units, fund=place, permitted_by=permitted_by, words=words
        )
        return self.do(seeding, command, actor, approved_by)

    def post_bonus(self, name: str, cents: int, *, words: str, command: str, actor: str) -> Answer:
        return self.do(adjustments.PostBonus(name=name, cents=cents, words=words), command, actor)

    def notice_removal(self, notice: RemovalNoticed, *, command: str, actor: str) -> Answer:
        fields: Any = {name: getattr(notice, name) for name in ("name", "day", "destination", "to", "words")}
        return self.do(removal.GiveRemovalNotice(**fields), command, actor, notice.approved_by)

    def remove(self, name: str, *, words: str, command: str, actor: str, approved_by: str) -> Answer:
        return self.do(removal.RemoveJackpot(name=name, words=words), command, actor, approved_by)

    def send_deposit(self, name: str, cents: int, *, command: str, actor: str) -> Answer:
        return self.do(escrow.SendDeposit(name=name, cents=cents), command, actor)

    def deposit_arrived(self, name: str, sequence: int, *, command: str, actor: str) -> Answer:
        return self.do(escrow.ConfirmDeposit(name=name, sequence=sequence), command, actor)

    def withdraw(self, name: str, cents: int, *, words: str, command: str, actor: str, approved_by: str) -> Answer:
        return self.do(escrow.WithdrawEscrow(name=name, cents=cents, words=words), command, actor, approved_by)

    def review_escrow(self, *, command: str, actor: str) -> Answer | None:
        return escrow.review_escrow(self.executor, command)

    # What a table counts, without the table: the tabulator's presses do this with their own entries.

    def tabulate(
        self,
        table: str,
        round_number: int,
        seats: Mapping[str, Sequence[int]],
        *,
        command: str,
        actor: str,
        happened: int | None = None,
    ) -> Answer:
        """Count the wagers of a round; where an escrow has become short, it is refused and the jackpot suspended."""
        try:
            later = self.tabulate_later(table, round_number, seats, command=command, actor=actor, happened=happened)
            return later.result()
        except RefusedError:
            with suppress(RefusedError):
                self.review_escrow(command=f"{command}-escrow", actor="pitboss")
            raise

    def tabulate_later(
        self,
        table: str,
        round_number: int,
        seats: Mapping[str, Sequence[int]],
        *,
        command: str,
        actor: str,
        happened: int | None = None,
    ) -> Future[Answer]:
        """Put a round in line."""
        content = ["tabulate", round_number, {name: list(places) for name, places in seats.items()}]
        decide = counting.tabulated(table, round_number, seats)
        return self.books.submit_later(self._submission(command, actor, content, decide, table, happened))

    def count_batch(
        self,
        table: str,
        last_round: int,
        rounds: int,
        wagers: Mapping[str, Mapping[int, int]],
        *,
        command: str,
        actor: str,
        happened: int | None = None,
    ) -> Answer:
        """Count rounds that a table kept while it was cut off."""
        pairs = {name: [[seat, number] for seat, number in by_seat.items()] for name, by_seat in wagers.items()}
        decide = counting.batch_counted(table, last_round, rounds, wagers)
        return self._count(command, actor, ["count-batch", last_round, rounds, pairs], decide, table, happened)

    def count_missed(
        self,
        name: str,
        table: str,
        round_number: int,
        seats: Sequence[int],
        *,
        words: str,
        command: str,
        actor: str,
        approved_by: str,
    ) -> Answer:
        """Count wagers that the tabulator missed."""
        decide = counting.missed_counted(name, table, round_number, seats, words=words, approved_by=approved_by)
        content = ["count-missed", name, round_number, list(seats), words, approved_by]
        return self._count(command, actor, content, decide, table)

    def correct_count(
        self,
        name: str,
        sequence: int,
        wagers: Mapping[int, int],
        *,
        words: str,
        command: str,
        actor: str,
        approved_by: str,
    ) -> Answer:
        """Take back wagers that were counted wrongly."""
        entry, movement, terms = self.counted_entry(name, sequence)
        decide = counting.corrected(name, movement, sequence, wagers, terms, words, approved_by)
        pairs = [[seat, number] for seat, number in wagers.items()]
        return self._count(command, actor, ["correct", name, sequence, pairs, words, approved_by], decide, entry.table)

    def void_round(self, table: str, round_number: int, *, words: str, command: str, actor: str) -> Answer:
        decide = counting.voided(table, round_number, words)
        return self._count(command, actor, ["void", round_number, words], decide, table)

    def _count(self, *submission: Any) -> Answer:
        return self.books.submit(self._submission(*submission))

    def _submission(
        self,
        command: str,
        actor: str,
        content: Any,
        decide: counting.Decide,
        table: str,
        happened: int | None = None,
    ) -> Submission:
        def drafts(state: BookState) -> list[Draft]:
            try:
                return [Draft(movement) for movement in decide(state)]
            except MeterRefusedError as error:
                raise RefusedError(map(str, error.problems)) from None

        return Submission(
            book=self.book, id=command, actor=actor, content=content, decide=drafts, table=table, happened=happened
        )


class Hits:
    """The hits in the books of a room."""

    def __init__(self, books: Books, book: str = BOOK, *, clock: Callable[[], int] = microseconds_now) -> None:
        self.books, self.book = books, book
        self.services = Services(books, clock)
        self.executor = Executor(self.services)

    @property
    def room(self) -> RoomHits:
        return self.services.state.of(HITS)

    @property
    def open(self) -> Mapping[int, Hit]:
        return self.room.open

    def do(
        self, value: Command, command: str, by: By, approved_by: By | None = None, happened: int | None = None
    ) -> Answer:
        """Carry a command out."""
        return self.executor.do(value, By(by.name, by.role, approved_by), id=command, happened=happened)

    def call(
        self,
        jackpot: str,
        table: str,
        claims: Sequence[Claim],
        *,
        round_number: int | None = None,
        words: str = "",
        **who: Any,
    ) -> Answer:
        """Call prizes of a round."""
        called = calls.CallHit(jackpot=jackpot, table=table, claims=tuple(claims), round=round_number, words=words)
        return self.do(called, **who)

    def verify(self, hit: int, cards: RoundCards, lights: Sequence[int], **who: Any) -> Answer:
        return self.do(handling.VerifyHit(hit=hit, cards=cards.seats, board=cards.board, lights=tuple(lights)), **who)

    def surveil(self, hit: int, checks: Sequence[str], **who: Any) -> Answer:
        return self.do(handling.SurveilHit(hit=hit, checks=tuple(checks)), **who)

    def document(self, hit: int, papers: Sequence[Paper], **who: Any) -> Answer:
        return self.do(handling.DocumentHit(hit=hit, papers=tuple(PaperDraft(*paper[:6]) for paper in papers)), **who)

    def pay(self, hit: int, seat: int, method: Any, *, cheque: str = "", **who: Any) -> Answer:
        return self.do(handling.PayPrize(hit=hit, seat=seat, method=method, cheque=cheque), **who)

    def close(self, hit: int, *, words: str = "", **who: Any) -> Answer:
        return self.do(handling.CloseHit(hit=hit, words=words), **who)

    def reject(self, hit: int, *, words: str, **who: Any) -> Answer:
        return self.do(calls.RejectHit(hit=hit, words=words), **who)

    def correct(self, hit: int, claims: Sequence[Claim], *, words: str, **who: Any) -> Answer:
        return self.do(calls.CorrectHit(hit=hit, claims=tuple(claims), words=words), **who)

    def pay_small(
        self, jackpot: str, table: str, seat: int, row: str, *, round_number: int | None = None, **who: Any
    ) -> Answer:
        """Pay a small prize."""
        return self.do(
            handling.PaySmallPrize(jackpot=jackpot, table=table, seat=seat, row=row, round=round_number), **who
        )

    def pay_small_later(
        self,
        jackpot: str,
        table: str,
        seat: int,
        row: str,
        *,
        command: str,
        by: By,
        round_number: int | None = None,
        happened: int | None = None,
    ) -> Future[Answer]:
        """Put a small prize in line."""
        prize = handling.PaySmallPrize(jackpot=jackpot, table=table, seat=seat, row=row, round=round_number)
        return self.executor.do_later(prize, by, id=command, happened=happened)

    def pay_envy(
        self,
        jackpot: str,
        table: str,
        event: Claim,
        seats: Sequence[int],
        *,
        round_number: int | None = None,
        **who: Any,
    ) -> Answer:
        """Pay Envy prizes."""
        return self.do(
            handling.PayEnvy(jackpot=jackpot, table=table, event=event, seats=tuple(seats), round=round_number), **who
        )

    def reprint(self, slip: int, *, words: str, **who: Any) -> Answer:
        return self.do(handling.ReprintSlip(slip=slip, words=words), **who)
