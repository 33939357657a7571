"""Outcomes: what happens to each chip of a wager before any money is counted, by rule or by a table of events."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, NamedTuple, TypeAlias

from pitboss.law import Citation
from pitboss.rules.pays import Dollars, ForOne, Loss, OfMeter, OperatorSet, Pay, Push, ToOne, rank_of_pay
from pitboss.rules.paytables import PayTable, Row
from pitboss.rules.reasons import Reason
from pitboss.rules.terms import Terms

WhyBefore: TypeAlias = tuple[Reason, ...] | Callable[[Any, Terms], tuple[Reason, ...]]


class PartResult(NamedTuple):
    """One chip of a wager: how many base stakes it is, whether it goes back, and the prizes paid on it."""

    part: str
    multiple: int
    returned: bool
    prizes: tuple[ToOne | ForOne | Dollars | OfMeter, ...] = ()


class Outcome(NamedTuple):
    """What happened to a wager: each of its chips, the event as its pay table prints it, why, and the Envy it gives."""

    parts: tuple[PartResult, ...]
    event: str | None
    paytable: str | None
    reasons: tuple[Reason, ...]
    envy: Pay | None = None

    @property
    def meter_share(self) -> OfMeter | None:
        """The percentage prize of this outcome, if it has one."""
        for part in self.parts:
            for prize in part.prizes:
                if isinstance(prize, OfMeter):
                    return prize
        return None


def lost(part: str, multiple: int = 1) -> PartResult:
    """Return the result of a chip that is lost."""
    return PartResult(part, multiple, returned=False)


def returned(part: str, multiple: int = 1) -> PartResult:
    """Return the result of a chip that pushes."""
    return PartResult(part, multiple, returned=True)


def paid(part: str, multiple: int, *pays: Pay) -> PartResult:
    """Return the result of a chip settled by one or more cells; it is returned if any of them returns the stake."""
    prizes = []
    back = False
    for pay in pays:
        if isinstance(pay, OperatorSet):
            raise ValueError(f"{part}: a cell left to the operator has no amount (G-6)")  # noqa: TRY004
        if isinstance(pay, (ToOne, ForOne, Dollars, OfMeter)):
            prizes.append(pay)
        back = back or isinstance(pay, (ToOne, Push))
    return PartResult(part, multiple, back, tuple(prizes))


@dataclass(frozen=True, slots=True)
class Events:
    """The events of a wager as its tables print them; bit i of a mask says that event i was made.

    Events include one another: a mini-royal is a straight flush, a straight and a flush too (G-23). `residual` is the
    row for a hand that made none of the others of its table ("Other", "Kings or less").
    """

    names: tuple[str, ...]
    residual: str | None = None
    _bits: Mapping[str | None, int] = field(init=False, repr=False, compare=False)

    def __post_init__(self) -> None:
        bits = {name: 1 << index for index, name in enumerate(self.names)}
        object.__setattr__(self, "_bits", {**bits, self.residual: 0})

    @property
    def masks(self) -> int:
        """How many masks there are, the bound of a fact that is a mask."""
        return 1 << len(self.names)

    def first(self, mask: int) -> str:
        """Name the first event of a mask, or the residual row, or nothing."""
        for index, name in enumerate(self.names):
            if mask >> index & 1:
                return name
        return self.residual or "nothing"

    def made_in(self, table: PayTable, mask: int) -> list[Row]:
        """The rows of this table whose event was made, in printed order; the residual row if there are none."""
        rows = [row for row in table.rows if mask & self._bits[row.event]] if mask else []
        if not rows and self.residual is not None:
            row = table.row(self.residual)
            return [] if row is None else [row]
        return rows


def paid_row(events: Events, table: PayTable, mask: int, *, printed_order: bool) -> Row | None:
    """Choose the one row that is paid (G-2): in a jackpot table the first printed, else the best at posted amounts."""
    return _paid_of(events.made_in(table, mask), printed_order=printed_order)


def _paid_of(rows: Sequence[Row], *, printed_order: bool) -> Row | None:
    if not rows:
        return None
    if printed_order or len(rows) == 1:
        return rows[0]
    # max() keeps the first of equals, so of two rows that pay the same the one printed first names the event.
    return max(rows, key=lambda row: rank_of_pay(row.pay))


def row_words(table: PayTable, row: Row, chip: str = "") -> str:
    """Word what a row pays; `chip` says on which chip, such as " on the Odds"."""
    if isinstance(row.pay, (Loss, Push)):
        return f"{row.event}: {row.pay}{chip}, {table.id}"
    return f"{row.event}: {table.id} pays {row.pay}{chip}"


def why_row(table: PayTable, row: Row | None, rows: Sequence[Row], one_prize: Citation, missed: str) -> list[Reason]:
    """Explain why this row and no other was chosen."""
    if row is None:
        return [Reason(table.source, f"{missed}: no prize in {table.id}, the wager loses")]
    reasons = [Reason(table.source, row_words(table, row))]
    if not isinstance(row.pay, (Loss, Push)):
        reasons.append(Reason(table.note, _odds(table), "G-1"))
    if len(rows) > 1:
        others = ", ".join(other.event for other in rows if other is not row)
        reasons.append(Reason(one_prize, f"Only one prize pays; also made: {others}", "G-2"))
    return reasons


def _odds(table: PayTable) -> str:
    if table.odds == "to":
        return "Pays to 1: the wager is returned and the prize added"
    return "Pays for 1: the wager is not returned"


def settle_by_events(
    *,
    part: str,
    events: Events,
    slot: str | Callable[[Any], str],
    one_prize: Citation,
    jackpot: bool = False,
    why: WhyBefore = (),
    missed: str = "No paying hand",
) -> Callable[[Any, Terms], Outcome]:
    """Make the settlement of a wager that has one chip and is paid by one table; its facts have a field `events`.

    `slot` names the table's slot, or finds it from the facts; `why` is what to say before the table is read.
    """

    def settle(facts: Any, terms: Terms) -> Outcome:
        table = terms.tables[slot if isinstance(slot, str) else slot(facts)]
        rows = events.made_in(table, facts.events)
        row = _paid_of(rows, printed_order=jackpot)
        first = why(facts, terms) if callable(why) else why
        reasons = (*first, *why_row(table, row, rows, one_prize, missed))
        if row is None:
            return Outcome((lost(part),), None, table.id, reasons)
        return Outcome((paid(part, 1, row.pay),), row.event, table.id, reasons, row.envy)

    return settle
