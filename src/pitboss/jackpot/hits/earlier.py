"""What a call of a round before rests on: the press that ended the round, and earlier hits of it.

Any press ends a round, whatever it counts: one while a jackpot was closed counts no wager of it, and what the meter
stood at then is read from the journal (G-4). A winner found after a prize was handed over is owed their share of what
was frozen first; the house pays that share and the meter is not touched (G-37). A finished hit has left the state, so
that earlier ones are read from the journal too.
"""

from collections.abc import Iterable, Mapping, Sequence
from typing import Any, NamedTuple

from pitboss.books import LEDGER, Books, BookState, Entry, JournalStore, Movement, read_payload
from pitboss.commands import Services
from pitboss.commands.command import BOOK
from pitboss.jackpot.definitions import Jackpot
from pitboss.jackpot.hits.amounts import CalledPrizes, called_prizes
from pitboss.jackpot.hits.state import HITS
from pitboss.jackpot.hits.values import Claim, HitCorrected
from pitboss.jackpot.state import JACKPOTS, TabulatedRound
from pitboss.rules import JackpotPayment

_PRESSES = ("round-tabulated", "batch-tabulated", "wagers-counted")
_KINDS = ("prize-called", "prize-rejected", "prize-paid", "hit-corrected")


class EarlierHit(NamedTuple):
    """A hit of the same round: the amount that was frozen first, who has won which row, and whether one was paid."""

    number: int
    meter_cents: int
    claims: tuple[Claim, ...]
    is_handed: bool


def earlier_in_journal(services: Services, place: tuple[str, int, str], since: int) -> tuple[EarlierHit, ...]:
    """Return the hits of a table, round and jackpot that were not rejected, from the journal after an entry."""
    hits: dict[int, EarlierHit] = {}
    for entry in services.books.store.entries(BOOK, since - 1, services.state.sequence, kinds=_KINDS):
        if entry.table == place[0]:
            _take(hits, entry, place)
    return tuple(hits.values())


def _take(hits: dict[int, EarlierHit], entry: Entry, place: tuple[str, int, str]) -> None:
    value = read_payload(entry.kind, entry.payload)
    if isinstance(value, HitCorrected):
        if value.hit in hits:
            hits[value.hit] = hits[value.hit]._replace(claims=value.claims)
        return
    assert isinstance(value, Movement)
    details, step = value.details, value.details.get("step")
    number: int = entry.sequence if step == "call" else details.get("hit", 0)
    if step in ("call", "recall") and (entry.table, details["round"], value.jackpot) == place:
        claims = tuple(Claim(seat, row) for seat, row, _ in details["won"])
        hits[number] = EarlierHit(number, details["meter_cents"], claims, is_handed=False)
    elif number in hits and step == "reject":
        del hits[number]
    elif number in hits and step == "pay":
        hits[number] = hits[number]._replace(is_handed=True)


def earlier_in_state(state: BookState, place: tuple[str, int, str]) -> tuple[EarlierHit, ...]:
    """Return the hits of a table, round and jackpot that are open."""
    return tuple(
        EarlierHit(hit.number, hit.meter_cents, tuple(Claim(won.seat, won.row) for won in hit.won), bool(hit.handed))
        for hit in state.of(HITS).open.values()
        if (hit.table, hit.round, hit.jackpot) == place
    )


def second_call_problems(
    jackpot: Jackpot, table: str, number: int, claims: Sequence[Claim], earlier: Iterable[EarlierHit]
) -> list[str]:
    """A second percentage of one round belongs to the first call while that is unpaid: they share it by correction."""
    if not _percentages(jackpot, table, claims):
        return []
    return [
        f"round {number} of table {table} has hit {hit.number} already: correct it to add a seat (G-37)"
        for hit in earlier
        if not hit.is_handed and _percentages(jackpot, table, hit.claims)
    ]


def _percentages(jackpot: Jackpot, table: str, claims: Iterable[Claim]) -> list[Claim]:
    if jackpot.linked(table) is None:
        return []
    levels = {prize.event for prize in jackpot.offer_at(table).levels}
    return [claim for claim in claims if claim.row in levels]


class SecondWinners(NamedTuple):
    """Winners found after payment: the amount frozen first, and those who had a percentage of it already."""

    meter_cents: int
    beside: tuple[Claim, ...]


def second_winners(
    jackpot: Jackpot, table: str, claims: Sequence[Claim], earlier: Sequence[EarlierHit]
) -> SecondWinners | None:
    """Return what a call rests on where a percentage of its round has been handed over already (G-37)."""
    paid = [hit for hit in earlier if _percentages(jackpot, table, hit.claims)]
    if not paid or not _percentages(jackpot, table, claims):
        return None
    beside = tuple(claim for hit in paid for claim in _percentages(jackpot, table, hit.claims))
    return SecondWinners(min(paid).meter_cents, beside)


def second_prizes(
    jackpot: Jackpot, table: str, claims: Sequence[Claim], meter_cents: int, beside: Sequence[Claim]
) -> CalledPrizes:
    """Return the prizes that these winners would have had beside the others; the house pays them all (G-37)."""
    together = called_prizes(jackpot, table, [*beside, *claims], meter_cents, meter_cents)
    seats = {claim.seat for claim in claims}
    won = tuple(prize for prize in together.won if prize.seat in seats)
    return CalledPrizes(won, JackpotPayment(0, sum(prize.cents for prize in won), 0), top=False)


def beside_details(beside: Sequence[Claim]) -> Mapping[str, object]:
    """Return what a call says of those who have won beside it, and were paid before."""
    return {"beside": [list(claim) for claim in beside]} if beside else {}


class NextPress(NamedTuple):
    """The first press of a table after a round: its own round, the last one of a batch, and its entry."""

    round: int
    sequence: int


class StoodThen(NamedTuple):
    """What a meter stood at when a press that counted no wager of it ended a round.

    `after` is the entry that counted that round, `sequence` the last entry that counts for the amount.
    """

    after: int
    sequence: int
    cents: int


def next_press(store: JournalStore, table: str, counted: TabulatedRound, last: int, upto: int) -> NextPress | None:
    """Return the first press of a table after a round that has been counted, where there is one."""
    for entry in store.entries(BOOK, counted.sequence, upto, kinds=_PRESSES):
        if entry.table == table and (number := _round_of(entry)) > last:
            return NextPress(number, entry.sequence)
    return None


def _round_of(entry: Entry) -> int:
    value: Any = read_payload(entry.kind, entry.payload)
    number: int = value.details["round"] if entry.kind == "wagers-counted" else value.round
    return number


def stood_at(books: Books, jackpot: str, called: TabulatedRound, press: NextPress) -> StoodThen:
    """Return what a meter stood at when a press came, from the journal."""
    accounts = books.part_at(BOOK, press.sequence - 1, LEDGER)[jackpot]
    return StoodThen(called.sequence, press.sequence - 1, accounts.meter_state.displayed_cents)


def is_ended_uncounted(state: BookState, jackpot: str, table: str, called: TabulatedRound) -> bool:
    """True if the next press of a table counted no wager of a jackpot: the state does not know what it showed then.

    The rounds of a table are in the books where there is a tabulator.
    """
    recent = state.of(JACKPOTS).rounds[table]
    last = _last_of(state, table, called)
    following = next((counted for counted in recent if counted.sequence > called.sequence), None)
    if following is not None:
        return following.round - following.rounds > last or jackpot not in following.shown_before
    tables = getattr(state.parts.get("tables"), "tables", {})
    return table in tables and tables[table].round > last


def _last_of(state: BookState, table: str, called: TabulatedRound) -> int:
    """Return the number of a round, the last one of the batch that it was counted in."""
    recent = state.of(JACKPOTS).rounds[table]
    return next(counted.round for counted in recent if counted.sequence == called.sequence)


def stood_then(services: Services, jackpot: str, table: str, called: TabulatedRound) -> StoodThen | None:
    """Look up what a meter stood at when the next press came, where the state does not say; else nothing."""
    state, books = services.state, services.books
    if jackpot not in called.seats or not is_ended_uncounted(state, jackpot, table, called):
        return None
    press = next_press(books.store, table, called, _last_of(state, table, called), state.sequence)
    return None if press is None else stood_at(books, jackpot, called, press)
