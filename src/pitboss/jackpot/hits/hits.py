"""The hits of a room: what people do to them, as commands to the books, and what stands there."""

from __future__ import annotations

import datetime
from collections.abc import Callable, Mapping, Sequence
from concurrent.futures import Future
from typing import Any

from pitboss.books import Answer, Books, BookState, Command, Draft, RefusedError
from pitboss.books.commands import microseconds_now
from pitboss.jackpot.hits import calls, handling
from pitboss.jackpot.hits.amounts import RoundCards
from pitboss.jackpot.hits.calls import Decide
from pitboss.jackpot.hits.state import HITS, RoomHits
from pitboss.jackpot.hits.values import Claim, Hit, Paper, Person
from pitboss.jackpot.room import BOOK
from pitboss.meters import MeterRefusedError


class Hits:
    """The hits in the books of a room, which must have been opened with this package's projections.

    Every method takes the client's command id and who acts, and returns when what it did is on disk, or raises
    `RefusedError` with everything that speaks against it, and nothing has changed. `profile` is the kind of room whose
    thresholds bind.
    """

    def __init__(
        self,
        books: Books,
        book: str = BOOK,
        *,
        profile: str = "wa-commercial",
        clock: Callable[[], int] = microseconds_now,
    ) -> None:
        self.books, self.book, self.profile = books, book, profile
        self._clock = clock

    @property
    def room(self) -> RoomHits:
        """Hits not finished, slips given and what recent rounds have paid, after the last commit."""
        return self.books.state(self.book).of(HITS)

    @property
    def open(self) -> Mapping[int, Hit]:
        """The hits that are not finished, by number."""
        return self.room.open

    def call(
        self,
        jackpot: str,
        table: str,
        claims: Sequence[Claim],
        *,
        command: str,
        by: Person,
        round_number: int | None = None,
        words: str = "",
        happened: int | None = None,
    ) -> Answer:
        """Call prizes of a round, the last one where none is named; the hit's number is that of its entry."""
        content = ["call", jackpot, [list(claim) for claim in claims], round_number, words]
        decide = calls.called(jackpot, table, claims, by, round_number, words)
        return self._submit(command, by, content, decide, table, happened)

    def verify(
        self,
        hit: int,
        cards: RoundCards,
        lights: Sequence[int],
        *,
        command: str,
        by: Person,
        happened: int | None = None,
    ) -> Answer:
        """Verify a call by the cards and by the wager lights of these seats."""
        content = ["verify", hit, cards.to_json(), list(lights)]
        decide = handling.verified(hit, by, cards, lights, self._today(happened))
        return self._submit(command, by, content, decide, hit, happened)

    def surveil(
        self, hit: int, checks: Sequence[str], *, command: str, by: Person, happened: int | None = None
    ) -> Answer:
        """Let surveillance confirm hand, wager, payout and winner."""
        decide = handling.surveilled(hit, by, checks)
        return self._submit(command, by, ["surveil", hit, list(checks)], decide, hit, happened)

    def document(
        self, hit: int, papers: Sequence[Paper], *, command: str, by: Person, happened: int | None = None
    ) -> Answer:
        """Make the papers of every prize; each gets the next slip of the room."""
        content = ["document", hit, [[*each[:2], list(each.identification), *each[3:6]] for each in papers]]
        decide = handling.documented(hit, by, papers, self._today(happened))
        return self._submit(command, by, content, decide, hit, happened)

    def pay(
        self,
        hit: int,
        seat: int,
        method: str,
        *,
        command: str,
        by: Person,
        cheque: str = "",
        happened: int | None = None,
    ) -> Answer:
        """Hand the prize of a seat over: from the tray, at the cage, or by a cheque with its number."""
        content = ["pay", hit, seat, method, cheque]
        decide = handling.handed_over(hit, by, seat, method, cheque, self._today(happened))
        return self._submit(command, by, content, decide, hit, happened)

    def close(self, hit: int, *, command: str, by: Person, words: str = "", happened: int | None = None) -> Answer:
        """Close a hit whose prizes are all handed over."""
        decide = handling.closed(hit, by, words)
        return self._submit(command, by, ["close", hit, words], decide, hit, happened)

    def reject(
        self, hit: int, *, words: str, command: str, by: Person, approved_by: Person, happened: int | None = None
    ) -> Answer:
        """Reject a call, for a reason and with a second person's approval."""
        content = ["reject", hit, words, list(approved_by)]
        decide = calls.rejected(hit, by, approved_by, words)
        return self._submit(command, by, content, decide, hit, happened)

    def correct(
        self,
        hit: int,
        claims: Sequence[Claim],
        *,
        words: str,
        command: str,
        by: Person,
        approved_by: Person,
        happened: int | None = None,
    ) -> Answer:
        """Correct a call before it is paid: these are the seats and rows that it should have named."""
        content = ["correct", hit, [list(claim) for claim in claims], words, list(approved_by)]
        decide = calls.corrected(hit, claims, by, approved_by, words)
        return self._submit(command, by, content, decide, hit, happened)

    def pay_small(
        self,
        jackpot: str,
        table: str,
        seat: int,
        row: str,
        *,
        command: str,
        by: Person,
        round_number: int | None = None,
        happened: int | None = None,
    ) -> Answer:
        """Pay a small fixed prize from the tray."""
        said: Any = {"command": command, "by": by, "round_number": round_number, "happened": happened}
        return self.pay_small_later(jackpot, table, seat, row, **said).result()

    def pay_small_later(
        self,
        jackpot: str,
        table: str,
        seat: int,
        row: str,
        *,
        command: str,
        by: Person,
        round_number: int | None = None,
        happened: int | None = None,
    ) -> Future[Answer]:
        """Put a small prize in line, for whoever waits for many tables at once."""
        claim = Claim(seat, row)
        decide = handling.small_paid(jackpot, table, claim, by, round_number, self._today(happened))
        content = ["small", jackpot, seat, row, round_number]
        return self.books.submit_later(self._command(command, by, content, decide, table, happened))

    def pay_envy(
        self,
        jackpot: str,
        table: str,
        event: Claim,
        seats: Sequence[int],
        *,
        command: str,
        by: Person,
        round_number: int | None = None,
        happened: int | None = None,
    ) -> Answer:
        """Pay these seats their Envy prizes for another seat's event, from the tray."""
        decide = handling.envy_paid(jackpot, table, event, seats, by, round_number, self._today(happened))
        content = ["envy", jackpot, list(event), list(seats), round_number]
        return self._submit(command, by, content, decide, table, happened)

    def reprint(self, slip: int, *, words: str, command: str, by: Person, happened: int | None = None) -> Answer:
        """Journal that a slip is printed once more, for a reason."""
        return self._submit(command, by, ["reprint", slip, words], handling.reprinted(slip, by, words), "", happened)

    def _today(self, happened: int | None) -> handling.Today:
        def today(state: BookState) -> tuple[datetime.date, str]:
            instant = max(self._clock(), state.recorded) if happened is None else happened
            return handling.local_day(state, instant), self.profile

        return today

    def _submit(
        self, command: str, by: Person, content: Any, decide: Decide, place: str | int, happened: int | None
    ) -> Answer:
        return self.books.submit(self._command(command, by, content, decide, place, happened))

    def _command(
        self, command: str, by: Person, content: Any, decide: Decide, place: str | int, happened: int | None
    ) -> Command:
        """Make a command at a table, or about a hit, whose table its entries then name."""

        def drafts(state: BookState) -> list[Draft]:
            hit = state.of(HITS).open.get(place) if isinstance(place, int) else None
            try:
                return [Draft(value, table=None if hit is None else hit.table) for value in decide(state)]
            except MeterRefusedError as error:
                raise RefusedError(map(str, error.problems)) from None

        return Command(
            book=self.book,
            id=command,
            actor=by.name,
            content=[by.role, *content],
            decide=drafts,
            table=place if isinstance(place, str) else "",
            happened=happened,
        )
