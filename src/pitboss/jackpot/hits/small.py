"""Small prizes after they were paid: undone by who paid them, reversed by a supervisor; and the list of a day."""

from __future__ import annotations

import datetime
from abc import abstractmethod
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

from pitboss import books
from pitboss.books import ROOM, BookState, EntryStep, Instant, JournalStore, Movement
from pitboss.commands import By, Command, Count, Name, Now, Services, Words, command, refuse
from pitboss.commands.command import BOOK
from pitboss.jackpot.hits.state import HITS
from pitboss.jackpot.hits.values import SmallPaid
from pitboss.jackpot.hits.workflow import STEPS, reversal_problems
from pitboss.jackpot.state import record_of
from pitboss.meters import Account, DecreaseReason, reject_hit, units_of
from pitboss.meters.state import move

SMALL_STEPS = ("tray", "envy")
"""The steps that pay from the tray what was called in the same command."""


class SmallPrizeLine(NamedTuple):
    """A seat's small or Envy prize of a day; `reversed_by` is who took it back, with `reason`, empty where it stands.

    `number` is what it is undone or reversed by, the same for all seats of one Envy list; `of_seat` is whose hand gave
    the Envy, else 0.
    """

    number: int
    at: Instant
    shift: str
    table: str
    round: int
    jackpot: str
    seat: int
    row: str
    cents: int
    of_seat: int
    person: str
    role: str
    reversed_at: Instant = 0
    reversed_by: str = ""
    reason: str = ""

    @property
    def stands(self) -> bool:
        """True if it was not taken back."""
        return not self.reversed_by


def small_prizes_of(store: JournalStore, state: BookState, day: datetime.date) -> tuple[SmallPrizeLine, ...]:
    """Return every small and Envy prize that was paid on a gambling day, oldest first, those taken back too."""
    calendar = state.of(ROOM)
    if calendar is None:
        return ()
    bounds = [calendar.begins(day), calendar.begins(day + datetime.timedelta(days=1))]
    after, upto = (books.last_before(store, BOOK, books.microseconds(bound), state.sequence) for bound in bounds)
    lines: dict[int, list[SmallPrizeLine]] = {}
    for entry in store.entries(BOOK, after, upto, kinds=["prize-paid", "prize-reversed"]):
        value = books.read_payload(entry.kind, entry.payload)
        assert isinstance(value, Movement)
        details = value.details
        if value.kind == "prize-reversed":
            number, words = details["prize"], value.words
            lines[number] = [
                line._replace(reversed_at=entry.recorded, reversed_by=entry.actor, reason=words)
                for line in lines.get(number, ())
            ]
        elif details.get("step") in SMALL_STEPS:
            # The call is the entry before: both are of one command.
            number, shift = (
                entry.sequence - 1,
                calendar.shift(books.EPOCH + datetime.timedelta(microseconds=entry.recorded)),
            )
            lines[number] = [
                SmallPrizeLine(
                    number=number,
                    at=entry.recorded,
                    shift=shift.name,
                    table=entry.table,
                    round=details["round"],
                    jackpot=value.jackpot,
                    seat=seat,
                    row=row,
                    cents=cents,
                    of_seat=details.get("of_seat", 0),
                    person=entry.actor,
                    role=details["role"],
                )
                for seat, row, cents in details["won"]
            ]
    return tuple(line for together in lines.values() for line in together)


def shift_problems(state: BookState, paid: SmallPaid, at: Instant) -> Iterator[str]:
    """Yield that the shift in which a small prize was paid is over: its tray is counted with what was paid (G-66)."""
    calendar = state.of(ROOM)
    if calendar is None:
        return
    then, now = (calendar.shift(books.EPOCH + datetime.timedelta(microseconds=instant)) for instant in (paid.at, at))
    if (then.day, then.name) != (now.day, now.name):
        yield f"This prize was paid in the {then.name} shift, which is over: its count shows the difference (G-66)"


_TAKEN_BACK = "small prize taken back"


def _reversal(now: Now, by: By, table: str, number: int, step: str, reason: str, against: Sequence[str]) -> Movement:
    """Return what takes a small prize back: chips to the tray, and to the meter what it paid of it."""
    state, paid = now.state, now.state.of(HITS).small_prize(table, number)
    if paid is None:
        raise books.RefusedError([f"Table {table} has no small prize {number} that can still be taken back (G-66)"])
    refuse([*reversal_problems(paid, step, by, reason, now.at), *shift_problems(state, paid, now.at), *against])
    before = state.of(books.LEDGER)[paid.jackpot].meter_state
    called = (
        *move(Account.DISPLAYED, Account.WINNERS, paid.fund_units, "small prize", DecreaseReason.PRIZE_WON),
        *move(Account.HOUSE, Account.WINNERS, units_of(paid.cents) - paid.fund_units, "small prize"),
    )
    change = reject_hit(before, record_of(state, paid.jackpot).jackpot.meter, called)
    details: dict[str, Any] = {"step": step, "role": by.role, "prize": paid.number, "round": paid.round}
    details |= {"won": list(map(list, paid.won)), "of_seat": paid.of_seat}
    back = books.movement_of("prize-reversed", paid.jackpot, before, change, words=reason, details=details)
    chips = books.LedgerTransfer("paid", "winners", units_of(paid.cents), None, _TAKEN_BACK)
    return back._replace(transfers=(chips, *(transfer._replace(words=_TAKEN_BACK) for transfer in back.transfers)))


class _Reversal(Command):
    """One of the two ways to take a small prize back, with what the room holds against it."""

    __slots__ = ()

    @abstractmethod
    def checked(self, now: Now, by: By, against: Sequence[str]) -> Movement:
        """Return the reversal, or refuse with everything that speaks against it."""

    @abstractmethod
    def place(self) -> tuple[str, int]:
        """Return the table and the number of the prize."""

    def prepare(self, services: Services) -> PreparedReversal:
        """Pass on whom to ask whether the tray is counted."""
        return PreparedReversal(self, services)

    def entries(self, now: Now, by: By) -> list[Movement]:
        """Return the reversal where nobody was asked whether the tray is counted."""
        return [self.checked(now, by, ())]


@dataclass(frozen=True, slots=True)
class PreparedReversal:
    """A reversal, and whom to ask whether the tray it goes to is counted already."""

    reversal: _Reversal
    services: Services

    def entries(self, now: Now, by: By) -> list[Movement]:
        """Return the reversal."""
        table, number = self.reversal.place()
        paid = now.state.of(HITS).small_prize(table, number)
        against = () if paid is None else self.services.counted_problems(now, table, paid.at)
        return [self.reversal.checked(now, by, against)]


@command("hits/undo-small", roles=STEPS["undo"].roles, pin=True)
class UndoSmallPrize(_Reversal):
    """Undo one's own small or Envy prize within seconds; `prize` is the number of its call."""

    table: Name
    prize: Count

    def place(self) -> tuple[str, int]:
        """Return the table and the number of the prize."""
        return self.table, self.prize

    def checked(self, now: Now, by: By, against: Sequence[str]) -> Movement:
        """Return the reversal by who paid."""
        return _reversal(now, by, self.table, self.prize, "undo", "", against)


@command("hits/reverse-small", roles=STEPS["reverse"].roles, pin=True)
class ReverseSmallPrize(_Reversal):
    """Reverse a small or Envy prize that somebody else paid in this shift; `prize` is the number of its call."""

    table: Name
    prize: Count
    words: Words

    def place(self) -> tuple[str, int]:
        """Return the table and the number of the prize."""
        return self.table, self.prize

    def checked(self, now: Now, by: By, against: Sequence[str]) -> Movement:
        """Return the reversal by a supervisor or manager, for a reason."""
        return _reversal(now, by, self.table, self.prize, "reverse", self.words, against)


def _in_shift(step: EntryStep) -> Iterator[str]:
    """A small prize is taken back in the shift in which it was paid."""
    movement: Movement = step.value
    paid = None
    if HITS.name in step.before.parts:
        paid = step.before.of(HITS).small_prize(step.entry.table, movement.details.get("prize", 0))
    if paid is not None:
        yield from shift_problems(step.before, paid, step.entry.recorded)


INVARIANTS = (
    books.Invariant(
        name="small-prize-shift",
        says="a small prize is taken back in the shift in which it was paid, or not at all",
        sources=("O-12", "P-06"),
        step=_in_shift,
        kinds=frozenset({"prize-reversed"}),
    ),
)
