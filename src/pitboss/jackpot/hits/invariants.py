"""Invariants about hits: what the ledger owes winners is what the hits owe them, at every entry.

That no step is skipped, nobody approves their own, no prize is paid twice and no slip number is left out is checked
by the fold itself (`state`): an entry that breaks it is refused, and an audit names it as damage.
"""

from collections.abc import Iterator

from pitboss.books import EntryStep, Invariant, Movement, kinds_of
from pitboss.jackpot.entries import JackpotSet
from pitboss.jackpot.hits.state import HITS, MOVED_KINDS, RoomHits
from pitboss.meters import units_of, units_text


def _payable(step: EntryStep) -> Iterator[str]:
    """Section 10, 8 and 9: money comes to the winners with a call, and leaves them with a rejection or a payment."""
    movement: Movement = step.value
    if "step" not in movement.details:
        return
    before: RoomHits | None = step.before.parts.get(HITS.name)
    after: RoomHits | None = step.after.parts.get(HITS.name)
    if before is None or after is None:
        return
    moved = sum(
        units * ((payee == "winners") - (payer == "winners")) for payer, payee, units, _, _ in movement.transfers
    )
    owed = units_of(after.payable_cents(movement.jackpot) - before.payable_cents(movement.jackpot))
    if moved != owed:
        yield f"{units_text(moved)} come to the winners of {movement.jackpot}, and the hits say {units_text(owed)}"


def _unchanged(step: EntryStep) -> Iterator[str]:
    """A hit is settled by the terms under which it was called: they stay until it is finished (T-16)."""
    room: RoomHits | None = step.before.parts.get(HITS.name)
    if isinstance(step.value, JackpotSet) and room is not None:
        name = step.value.jackpot.name
        for hit in room.open.values():
            if hit.jackpot == name:
                yield f"hit {hit.number} of {name} is not finished: the jackpot does not change before it is (T-16)"


INVARIANTS = (
    Invariant(
        name="prizes-payable",
        says="what is owed to winners is what the open hits say",
        sources=("section 10 no. 8", "T-12", "F-14"),
        step=_payable,
        kinds=frozenset(MOVED_KINDS),
    ),
    Invariant(
        name="hits-finished",
        says="a jackpot with an open hit does not change",
        sources=("T-16",),
        step=_unchanged,
        kinds=kinds_of(JackpotSet),
    ),
)
