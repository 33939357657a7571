"""From a change of a meter to the movement that puts it into the books."""

from collections.abc import Iterable, Mapping
from operator import attrgetter
from typing import Any

from pitboss.books.ledger.movements import COUNTERS, MOVEMENTS, JackpotTerms, LedgerTransfer, Movement
from pitboss.meters import Account, DecreaseReason, MeterChange, MeterState, MeterTerms, MeterTransfer, contributions

_counters = attrgetter(*COUNTERS)
_NONE = (0,) * len(COUNTERS)
_TEXT: dict[Any, Any] = {None: None} | {member: member.value for member in (*Account, *DecreaseReason)}
"""The plain text of accounts and reasons, by which they are written."""


def movement_of(kind: str, jackpot: str, before: MeterState | None, change: MeterChange, **fields: Any) -> Movement:
    """Make the movement that puts a change of a meter into the books: its transfers, and by how much it counts on."""
    now = _counters(change.state)
    then = _NONE if before is None else _counters(before)
    counts = {name: more - less for name, more, less in zip(COUNTERS, now, then, strict=True) if more != less}
    transfers = _posted(change.transfers, in_words=kind != "wagers-counted")
    if MOVEMENTS[kind].terms:
        fields["terms"] = JackpotTerms(change.terms.jackpot_type, change.terms.wager_cents, change.terms.cap_cents)
    return Movement(kind=kind, jackpot=jackpot, transfers=transfers, counts=counts, **fields)


def count_of(
    jackpot: str, displayed_units: int, terms: MeterTerms, wagers: int, details: Mapping[str, Any], **fields: Any
) -> Movement:
    """Make the movement of counted wagers from what is displayed: the same as of `contribute`, without its states.

    The state after it is the ledger's, where every invariant is asked.
    """
    transfers = _counted(contributions(displayed_units, terms, wagers))
    counts = {"wagers_counted": wagers} if wagers else {}
    return Movement("wagers-counted", jackpot, transfers, counts, details=details, **fields)


def _posted(transfers: Iterable[MeterTransfer], *, in_words: bool) -> tuple[LedgerTransfer, ...]:
    return tuple(
        [
            LedgerTransfer(
                _TEXT[one.payer], _TEXT[one.payee], one.units, _TEXT[one.reason], one.words if in_words else ""
            )
            for one in transfers
        ]
    )


_COUNTED: dict[int, tuple[tuple[MeterTransfer, ...], tuple[LedgerTransfer, ...]]] = {}
_COUNTED_MAX = 512


def _counted(transfers: tuple[MeterTransfer, ...]) -> tuple[LedgerTransfer, ...]:
    """Write the transfers of a count; the meters give the same value again and again, which is found by identity."""
    remembered = _COUNTED.get(id(transfers))
    if remembered is not None and remembered[0] is transfers:
        return remembered[1]
    if len(_COUNTED) >= _COUNTED_MAX:
        _COUNTED.clear()
    posted = _posted(transfers, in_words=False)
    _COUNTED[id(transfers)] = (transfers, posted)
    return posted
