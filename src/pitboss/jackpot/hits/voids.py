"""What a void round leaves for the floor to do: chips to hand back, and prizes that were handed over (G-11)."""

from collections.abc import Collection, Mapping, Sequence
from typing import Any, NamedTuple

from pitboss.books import BookState, Entry, Movement, read_payload
from pitboss.commands import Services
from pitboss.commands.command import BOOK
from pitboss.jackpot.hits.state import HITS
from pitboss.jackpot.hits.values import Hit
from pitboss.jackpot.state import JackpotRecord
from pitboss.rules import dollars

_STAYS = "hand the wager back, also where it was taken; where it was paid, take the payment back"


class VoidItem(NamedTuple):
    """A task of the floor after a void round: the seat, the wager or the row, its cents, and what to do."""

    seat: int
    about: str
    cents: int
    words: str


class Refund(NamedTuple):
    """The wagers on a jackpot that a void round hands back, by seat."""

    title: str
    record: JackpotRecord
    seats: Collection[int]

    @property
    def cents(self) -> int:
        """What is handed back in all."""
        return self.record.jackpot.meter.wager_cents * len(self.seats)

    @property
    def text(self) -> str:
        """What is handed back, in dollars."""
        return dollars(self.cents)


def sum_text(refunds: Sequence[Refund]) -> str:
    """Return what refunds come to, in dollars."""
    return dollars(sum(refund.cents for refund in refunds))


def hit_text(hit: Hit) -> str:
    """Return a jackpot with its amount."""
    return f"jackpot {hit.number}, {dollars(hit.cents)}"


def open_hits(state: BookState, table: str, number: int) -> list[Hit]:
    """Return the hits of a round that are not finished."""
    return [hit for hit in state.of(HITS).open.values() if (hit.table, hit.round) == (table, number)]


def wager_items(counted: Mapping[str, Sequence[int]], linked: Mapping[str, JackpotRecord]) -> list[VoidItem]:
    """Return what is done about each wager that was counted: a jackpot's chip was taken, another lies on the layout."""
    items = []
    for wager, seats in counted.items():
        cents = linked[wager].jackpot.meter.wager_cents if wager in linked else 0
        words = f"hand {dollars(cents)} back from the tray; the tabulator took the chip" if cents else _STAYS
        items += [VoidItem(seat, wager, cents, words) for seat in seats]
    return items


def paid_prizes(services: Services, table: str, number: int, since: int) -> tuple[VoidItem, ...]:
    """Return the prizes of a round that were handed over, from the journal after the entry that counted it."""
    store, head = services.books.store, services.state.sequence
    hits: dict[int, dict[int, tuple[str, int]]] = {}
    items: list[VoidItem] = []
    for entry in store.entries(BOOK, since, head, kinds=["prize-called", "prize-paid", "prize-reversed"]):
        if entry.table == table:
            _take(entry, number, hits, items)
    return tuple(items)


def _take(entry: Entry, number: int, hits: dict[int, dict[int, tuple[str, int]]], items: list[VoidItem]) -> None:
    """Record what a call or a payment says of a round: what each seat of a hit was called, and what it was paid."""
    movement = read_payload(entry.kind, entry.payload)
    assert isinstance(movement, Movement)
    details: Mapping[str, Any] = movement.details
    if details.get("round") == number and details.get("step") in ("call", "recall"):
        hits[details.get("hit", entry.sequence)] = {seat: (row, cents) for seat, row, cents in details["won"]}
    elif movement.kind == "prize-paid" and details.get("step") == "pay" and details["hit"] in hits:
        seat, method = details["handed"][:2]
        row, cents = hits[details["hit"]][seat]
        items.append(VoidItem(seat, row, cents, _prize_words(f"by {method}" if method != "tray" else "from the tray")))
    elif movement.kind == "prize-reversed" and details["round"] == number:
        for seat, row, cents in details["won"]:
            items.remove(VoidItem(seat, row, cents, _prize_words("from the tray")))
    elif movement.kind == "prize-paid" and details.get("round") == number:
        items += [VoidItem(seat, row, cents, _prize_words("from the tray")) for seat, row, cents in details["won"]]


def _prize_words(method: str) -> str:
    return f"ask the prize back that was paid {method}; what is not given back a manager writes off, the house bears it"
