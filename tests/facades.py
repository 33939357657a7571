"""Jackpots, hits and tables as methods, for tests and benchmarks: each builds a command and carries it out.

The methods that count are not commands: the tabulator counts in its own, beside the entries of a table.
"""

from __future__ import annotations

import datetime
from collections.abc import Callable, Mapping, Sequence
from concurrent.futures import Future
from contextlib import suppress
from dataclasses import dataclass
from functools import partial
from typing import Any

from pitboss.books import (
    LEDGER,
    Answer,
    Books,
    BookState,
    Draft,
    JackpotAccounts,
    RefusedError,
    Submission,
    microseconds_now,
)
from pitboss.commands import By, Command, Executor, Prepared, Services
from pitboss.commands.command import BOOK, SYSTEM_ACTOR
from pitboss.jackpot import (
    HITS,
    JACKPOTS,
    Hit,
    Jackpot,
    JackpotDraft,
    JackpotRecord,
    PaperDraft,
    RoomHits,
    counting,
    escrow,
    lifecycle,
    postings,
    removal,
)
from pitboss.jackpot.escrow import Escrow, EscrowForecast
from pitboss.jackpot.hits import calls, handling, small
from pitboss.jackpot.hits.amounts import RoundCards
from pitboss.jackpot.hits.values import Paper
from pitboss.jackpot.state import RoomJackpots, accounts_of, displayed_cents_of, record_of
from pitboss.meters import Account, DecreaseReason, MeterRefusedError, MeterState
from pitboss.tabulator import (
    TABLES,
    Receiver,
    RoomTables,
    TableRecord,
    TableSetup,
    corrections,
    outages,
    rounds,
    tables,
)
from pitboss.tabulator.entries import MalfunctionKnown
from pitboss.tabulator.state import table_of

_FIELDS = {"round_number": "round"}


def _value(value: Any) -> Any:
    """Return what a field of a command holds: tuples for lists, the name of an account."""
    if isinstance(value, list):
        return tuple(map(_value, value))
    if isinstance(value, dict):
        return {name: _value(item) for name, item in value.items()}
    return value.value if isinstance(value, Account) else value


def build(kind: type[Command], *positional: str) -> Callable[..., Command]:
    """Return what builds a command from arguments; `positional` are the fields of those without a name."""

    def make(*values: Any, **named: Any) -> Command:
        assert len(values) <= len(positional), values
        fields = dict(zip(positional, values, strict=False)) | named
        return kind(**{_FIELDS.get(name, name): _value(value) for name, value in fields.items()})

    return make


def verb(kind: type[Command], *positional: str, second: str = "") -> Callable[..., Answer]:
    """Return a method that builds a command and carries it out; see `Acting.do` for who acts.

    `second` approves where nobody is named.
    """
    make = build(kind, *positional)

    def act(
        self: Acting, *values: Any, command: str, by: Any = None, actor: str = "", approved_by: Any = None, **named: Any
    ) -> Answer:
        happened = named.pop("happened", None)
        return self.do(make(*values, **named), command, by or actor, approved_by or second, happened)

    return act


class Acting:
    """Carries commands out in the books of a room."""

    SECOND: str | None = None
    """Who approves where nobody is named and a second person must."""

    def __init__(self, executor: Executor) -> None:
        self.executor, self.services = executor, executor.services

    def do(
        self, value: Command, command: str, by: By | str, approved_by: By | str | None = None, happened: Any = None
    ) -> Answer:
        """Carry a command out; a person by name alone acts, or approves, in the first role that may."""
        spec, second = value.spec, approved_by or self.SECOND
        person = By(by, spec.roles[0]) if isinstance(by, str) else by
        if isinstance(second, str):
            second = By(second, spec.second_role(person.role)) if spec.approvers else None
        return self.executor.do(value, By(person.name, person.role, second), id=command, happened=happened)

    @property
    def state(self) -> BookState:
        return self.services.state


@dataclass(frozen=True, slots=True, kw_only=True)
class DefineWhole(lifecycle.DefineJackpot):
    """Define a jackpot that is built already, with the probabilities of its offers."""

    whole: Jackpot
    is_first: bool = True

    def prepare(self, services: Any) -> Prepared:
        problems = tuple(map(str, lifecycle.jackpot_problems(self.whole)))
        return lifecycle._Definition(self.whole, self.words, self.is_first, problems)

    def content(self) -> Any:
        return [self.whole.to_json(), self.words, self.is_first]


class Jackpots(Acting):
    """The jackpots in the books of a room."""

    pays_seed = True
    """Whether the seed is brought to the bank before a progressive opens; a test of escrow does so itself."""

    def __init__(self, books: Books, book: str = BOOK, *, clock: Callable[[], int] = microseconds_now) -> None:
        self.books, self.book, self.clock = books, book, clock
        super().__init__(Executor(Services(books, clock)))

    _open, close = verb(lifecycle.OpenJackpot, "name"), verb(lifecycle.CloseJackpot, "name")
    suspend = verb(lifecycle.SuspendJackpot, "name")
    _adjust = verb(escrow.AdjustFund, "name", "units", "reason")
    book_receipts = verb(escrow.BookReceipts, "name", "units")
    seed_other = verb(escrow.SeedOtherJackpot, "name", "other", "units")

    def post_bonus(self, name: str, cents: int, *, approved_by: By | str = "Bea Post", **named: Any) -> Answer:
        return verb(postings.PostBonus, "name", "cents")(self, name, cents, approved_by=approved_by, **named)

    remove = verb(removal.RemoveJackpot, "name")
    document_removal = verb(removal.DocumentRemoval, "name")
    send_deposit = verb(escrow.SendDeposit, "name", "cents")
    withdraw = verb(escrow.WithdrawEscrow, "name", "cents")

    def open(self, name: str, *, command: str, **named: Any) -> Answer:
        """Open play; the first time the seed of a progressive is brought to the bank before (G-33)."""
        is_new = name in self.room.jackpots and name not in self.state.of(LEDGER)
        meter = self.record(name).jackpot.meter if is_new else None
        if self.pays_seed and meter is not None and meter.is_progressive and meter.seed_cents:
            self.deposit(name, meter.seed_cents, command=f"{command}-seed", actor="Dora")
        return self._open(name, command=command, **named)

    def adjust(self, name: str, units: int, reason: Any = None, *, command: str, **named: Any) -> Answer:
        """Adjust a fund; a malfunction for which one is lowered is written down before (G-31)."""
        if reason is DecreaseReason.EQUIPMENT_MALFUNCTION and "malfunction" not in named:
            known = MalfunctionKnown(known=0, due=0, words="counted twice", by="Sue")
            table = self.record(name).jackpot.tables[0].table
            draft = self._submission(lambda _: [known], ["m"], table, command=f"{command}-malfunction", actor="Sue")
            named["malfunction"] = self.books.submit(draft).entries[0].sequence
        return self._adjust(name, units, reason, command=command, **named)

    def deposit(self, name: str, cents: int, *, command: str, actor: str) -> int:
        """Send money to the bank, where it arrives; return the entry that sent it."""
        sent = self.send_deposit(name, cents, command=f"{command}-sent", actor=actor).entries[-1].sequence
        self.deposit_arrived(name, sent, command=f"{command}-arrived", actor=actor)
        return sent

    def deposit_arrived(self, name: str, sequence: int, *, command: str, actor: str) -> Answer:
        """Confirm a deposit: another person than who sent it does, with the bank's reference (G-33)."""
        arrived = escrow.ConfirmDeposit(name=name, sequence=sequence, reference=f"deposit {sequence}")
        return self.do(arrived, command, "another person", actor)

    def define(self, jackpot: Jackpot, **named: Any) -> Answer:
        return self._define(jackpot, **named)

    def change(self, jackpot: Jackpot, **named: Any) -> Answer:
        return self._define(jackpot, is_first=False, **named)

    def _define(
        self, jackpot: Jackpot, *, command: str, words: str, actor: str, approved_by: str, is_first: bool = True
    ) -> Answer:
        draft = JackpotDraft.of(jackpot)
        value = DefineWhole(jackpot=draft, words=words, whole=jackpot, is_first=is_first)
        return self.do(value, command, actor, approved_by)

    def notice_removal(self, notice: removal.RemovalNoticed, *, command: str, actor: str) -> Answer:
        fields: Any = {name: getattr(notice, name) for name in ("name", "day", "destination", "to", "words")}
        return self.do(removal.GiveRemovalNotice(**fields), command, actor, notice.approved_by)

    def review_escrow(self, *, command: str, actor: str) -> Answer | None:
        return escrow.review_escrow(self.executor, command)

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
        return escrow.escrow_of(self.record(name), self.accounts(name), self.clock())

    def forecast(self, name: str) -> EscrowForecast:
        return escrow.forecast_of(self.record(name), self.accounts(name), self.clock())

    def warnings(self) -> list[str]:
        return escrow.warnings(self.state, self.clock())

    # What a table counts, without the table: the tabulator's presses do this with their own entries.

    def tabulate(
        self, table: str, round_number: int, seats: Mapping[str, Sequence[int]], *, command: str, **named: Any
    ) -> Answer:
        """Count the wagers of a round; where an escrow has become short, it is refused and the jackpot suspended."""
        try:
            return self.tabulate_later(table, round_number, seats, command=command, **named).result()
        except RefusedError:
            with suppress(RefusedError):
                self.review_escrow(command=f"{command}-escrow", actor="pitboss")
            raise

    def tabulate_later(
        self, table: str, round_number: int, seats: Mapping[str, Sequence[int]], **named: Any
    ) -> Future[Answer]:
        """Put a round in line."""
        content = ["tabulate", round_number, {name: list(places) for name, places in seats.items()}]
        decide = partial(counting.count_round, table=table, round_number=round_number, seats=seats)
        return self.books.submit_later(self._submission(decide, content, table, **named))

    def count_batch(
        self, table: str, last_round: int, rounds: int, wagers: Mapping[str, Mapping[int, int]], **named: Any
    ) -> Answer:
        """Count rounds that a table kept while it was cut off."""
        pairs = {name: [[seat, number] for seat, number in by_seat.items()] for name, by_seat in wagers.items()}
        decide = partial(counting.count_batch, table=table, last_round=last_round, rounds=rounds, wagers=wagers)
        return self._count(decide, ["count-batch", last_round, rounds, pairs], table, **named)

    def count_missed(
        self,
        name: str,
        table: str,
        round_number: int,
        seats: Sequence[int],
        *,
        words: str,
        approved_by: str,
        **named: Any,
    ) -> Answer:
        """Count wagers that the tabulator missed."""
        content = ["count-missed", name, round_number, list(seats), words, approved_by]
        reason = {"words": words, "approved_by": approved_by}
        return self._count(
            lambda state: counting.count_missed(state, name, table, round_number, seats, **reason),
            content,
            table,
            **named,
        )

    def correct_count(
        self, name: str, sequence: int, wagers: Mapping[int, int], *, words: str, approved_by: str, **named: Any
    ) -> Answer:
        """Take back wagers that were counted wrongly."""
        counted = counting.counted_entry(self.books.store, self.state, name, sequence)
        decide = partial(counting.take_back, counted=counted, wagers=wagers, reason=words, approver=approved_by)
        pairs = [[seat, number] for seat, number in wagers.items()]
        content = ["correct", name, sequence, pairs, words, approved_by]
        return self._count(decide, content, counted.entry.table, **named)

    def void_round(self, table: str, round_number: int, *, words: str, **named: Any) -> Answer:
        decide = partial(counting.refund_round, table=table, round_number=round_number, reason=words)
        return self._count(decide, ["void", round_number, words], table, **named)

    def _count(self, *values: Any, **named: Any) -> Answer:
        return self.books.submit(self._submission(*values, **named))

    def _submission(
        self, decide: Any, content: Any, table: str, *, command: str, actor: str, happened: int | None = None
    ) -> Submission:
        def drafts(state: BookState) -> list[Draft]:
            try:
                return [Draft(movement) for movement in decide(state)]
            except MeterRefusedError as error:
                raise RefusedError(map(str, error.problems)) from None

        return Submission(
            book=self.book, id=command, actor=actor, content=content, decide=drafts, table=table, happened=happened
        )


class Hits(Acting):
    """The hits in the books of a room."""

    def __init__(self, books: Books, book: str = BOOK, *, clock: Callable[[], int] = microseconds_now) -> None:
        self.books, self.book = books, book
        super().__init__(Executor(Services(books, clock)))

    call = verb(calls.CallHit, "jackpot", "table", "claims")
    reject, correct = verb(calls.RejectHit, "hit"), verb(calls.CorrectHit, "hit", "claims")
    surveil, close = verb(handling.SurveilHit, "hit", "checks"), verb(handling.CloseHit, "hit")
    pay, reprint = verb(handling.PayPrize, "hit", "seat", "method"), verb(handling.ReprintSlip, "slip")
    print_slip = verb(handling.PrintSlip, "slip")
    pay_small = verb(handling.PaySmallPrize, "jackpot", "table", "seat", "row")
    pay_envy = verb(handling.PayEnvy, "jackpot", "table", "event", "seats")
    undo_small = verb(small.UndoSmallPrize, "table", "prize")
    reverse_small = verb(small.ReverseSmallPrize, "table", "prize")
    _verify, _document = verb(handling.VerifyHit, "hit"), verb(handling.DocumentHit, "hit", "papers")

    def verify(self, hit: int, cards: RoundCards, lights: Sequence[int], **named: Any) -> Answer:
        return self._verify(hit, cards=cards.seats, board=cards.board, lights=list(lights), **named)

    def document(self, hit: int, papers: Sequence[Paper], **named: Any) -> Answer:
        return self._document(hit, [PaperDraft(*paper[:6]) for paper in papers], **named)

    def pay_small_later(self, *values: Any, command: str, by: By, **named: Any) -> Future[Answer]:
        """Put a small prize in line."""
        happened = named.pop("happened", None)
        prize = build(handling.PaySmallPrize, "jackpot", "table", "seat", "row")(*values, **named)
        return self.executor.do_later(prize, by, id=command, happened=happened)

    @property
    def room(self) -> RoomHits:
        return self.state.of(HITS)

    @property
    def open(self) -> Mapping[int, Hit]:
        return self.room.open


class Tables(Acting):
    """The tables in the books of a room."""

    def __init__(self, books: Books, book: str = BOOK, *, clock: Callable[[], int] = microseconds_now) -> None:
        self.books, self.book, self.clock = books, book, clock
        super().__init__(Executor(Services(books, lambda: self.clock())))  # noqa: PLW0108 - tests set the clock
        self.receiver = Receiver(self.executor)
        self.receive, self.heard = self.receiver.receive, self.receiver.heard

    open, close = verb(tables.OpenTable, "table", second="another person"), verb(tables.CloseTable, "table")
    suspend, resume = verb(tables.SuspendTable, "table"), verb(tables.ResumeTable, "table")
    change_dealer, mark_seats = verb(tables.ChangeDealer, "table", "dealer"), verb(tables.MarkSeats, "table", "persons")
    void = verb(corrections.VoidRound, "table", "round", "cause")
    down, go_by_hand = verb(outages.TakeDown, "table"), verb(outages.GoByHand, "table")
    enter_counts = verb(outages.EnterCounts, "table", "rounds", "wagers")
    restore = verb(outages.RestoreEquipment, "table", "rounds_played")
    read_counter = verb(outages.ReadCounter, "table", "reading")
    mend, clear_alarm = verb(outages.EndMalfunction, "malfunction"), verb(outages.ClearAlarm, "alarm")
    give_up = verb(outages.GiveUpMessages, "device", "last")
    _press, _set_up = verb(rounds.Press, "table", "seats"), verb(tables.SetUpTable, "setup")
    _malfunction, _report = verb(outages.RecordMalfunction, "table"), verb(outages.ReportMalfunction, "malfunction")

    @property
    def room(self) -> RoomTables:
        """All tables, devices, malfunctions and alarms, after the last commit."""
        return self.state.of(TABLES)

    def table(self, name: str) -> TableRecord:
        """Return the record of a table."""
        return table_of(self.state, name)

    def watch(self, *, command: str) -> list[str]:
        """Write down which devices of open tables have not been heard for long; return their names."""
        return self.receiver.watch(id=command)

    def lose_link(self, device: str, *, words: str, command: str) -> Answer:
        """Write down that the line of a device is lost."""
        return self.do(outages.LoseLink(device=device, words=words), command, SYSTEM_ACTOR)

    def set_up(self, setup: TableSetup, *, by: By, since: datetime.date | None = None, **named: Any) -> Answer:
        """Set a table up; a supervisor of the tests does so as a manager."""
        manager = By(by.name, "manager") if by.role == "supervisor" else by
        return self._set_up(setup, since=since, by=manager, **named)

    def press(self, table: str, seats: Any = None, *, command: str, **named: Any) -> Answer:
        """Press at the console of a table, and review the escrow where that is refused."""
        try:
            return self._press(table, seats, command=command, **named)
        except RefusedError:
            rounds.review_escrow(self.executor, command)
            raise

    def correct(self, *values: Any, words: str, command: str, by: By, approved_by: str = "", **named: Any) -> Answer:
        """Correct a counted round, alone or with a second person."""
        kind = corrections.CorrectEarlierRound if approved_by else corrections.CorrectRound
        value = build(kind, "table", "round", "wager", "cause", "seats")(*values, words=words, **named)
        return self.do(value, command, by, approved_by)

    def malfunction(self, table: str, *, known_at: int | None = None, **named: Any) -> Answer:
        """Write a malfunction down."""
        return self._malfunction(table, happened=known_at, **named)

    def report(self, malfunction: int, *, reported_at: int | None = None, **named: Any) -> Answer:
        """Write down that a malfunction was reported."""
        return self._report(malfunction, happened=reported_at, **named)
