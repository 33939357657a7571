"""From rows and cards to prizes: both by the settlement of `rules`, so that a call and its verification must agree."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import NamedTuple

from pitboss import rules
from pitboss.books import RefusedError
from pitboss.cards import Card, CardError, cards_text, overdealt, parse_cards
from pitboss.jackpot.definitions import Jackpot, Offer
from pitboss.jackpot.hits.values import Claim, Hit, Won
from pitboss.rules import (
    FinishedRound,
    FinishedSeat,
    JackpotPayment,
    Settlement,
    Settler,
    Wager,
    dollars,
    full_words,
    prize_cents,
)

BOARD = "board"


@dataclass(frozen=True, slots=True, kw_only=True)
class RoundCards:
    """The cards a supervisor enters: each seat's in the order dealt, and those of the board, as text."""

    seats: Mapping[int, str]
    board: str = ""

    def to_json(self) -> dict[str, str]:
        """Write the cards by place."""
        return {**({BOARD: self.board} if self.board else {}), **{str(seat): text for seat, text in self.seats.items()}}


class CalledPrizes(NamedTuple):
    """The prizes of a call, who pays them, and whether a level of 100 % is among them."""

    won: tuple[Won, ...]
    payment: JackpotPayment
    top: bool


def claim_problems(jackpot: Jackpot, table: str, claims: Sequence[Claim]) -> list[str]:
    """Return everything that is wrong with what is called, apart from the round."""
    problems = [] if claims else ["a call names a seat and a row at least"]
    seats = [claim.seat for claim in claims]
    twice = sorted({seat for seat in seats if seats.count(seat) > 1})
    problems += [f"seat {seat} is called twice: only one row is paid (G-2)" for seat in twice]
    if jackpot.linked(table) is None:
        return [*problems, f"table {table} is not linked to {jackpot.title} (T-09)"]
    offer = jackpot.offer_at(table)
    for claim in claims:
        if type(claim.seat) is not int or claim.seat < 1:
            problems.append(f"{claim.seat!r} is no seat")
        if offer.prize(claim.row) is None:
            rows = ", ".join(prize.event for prize in offer.prizes)
            problems.append(f"{offer.paytable} has no row {claim.row!r}; it has: {rows}")
    return problems


def called_prizes(
    jackpot: Jackpot, table: str, claims: Sequence[Claim], base_cents: int, shown_cents: int
) -> CalledPrizes:
    """Settle what is called on the amount that percentages are of (G-4).

    `shown_cents` is what the meter shows now: what it cannot cover, the house does (G-4, G-21).
    """
    offer = jackpot.offer_at(table)
    game, wager = jackpot.game_and_wager(offer)
    rows = {claim.seat: claim.row for claim in claims}
    settler = Settler(game, jackpot.terms_of(offer))
    settlement = settler.settle_rows(wager.name, rows, jackpot.meter.wager_cents, base_cents)
    won = tuple(Won(seat, row, settlement.lines[seat][wager.name].paid_cents) for seat, row in rows.items())
    payment_due = settlement.jackpots.get(wager.name, JackpotPayment(0, 0, 0))
    total = sum(prize.cents for prize in won)
    from_fund = min(payment_due.from_fund_cents, shown_cents)
    shares = [row.share for row in offer.prizes if row.event in rows.values()]
    payment = JackpotPayment(from_fund, total - from_fund, payment_due.odd_cents)
    return CalledPrizes(won, payment, any(share is not None and share >= 1 for share in shares))


def envy_cents(jackpot: Jackpot, table: str, row: str) -> int | None:
    """Return what every other seat with the wager is paid for a row, if it gives Envy."""
    offer = jackpot.offer_at(table)
    prize = offer.prize(row)
    if prize is None or prize.envy is None:
        return None
    return prize_cents(jackpot.game_and_wager(offer)[1], prize.envy, jackpot.meter.wager_cents)


def needs_wager(jackpot: Jackpot, table: str) -> bool:
    """True if only a hand that carries the wager itself gives Envy, by the reading in force."""
    if jackpot.linked(table) is None:
        return False
    offer = jackpot.offer_at(table)
    rule = jackpot.game_and_wager(offer)[1].envy
    return rule is not None and jackpot.terms_of(offer).readings[rule.switch] != rule.any_hand


class VerifiedPrizes(NamedTuple):
    """The reasons of each prize by the cards, and the Envy that other seats are paid."""

    because: Mapping[int, tuple[tuple[str, str | None, str], ...]]
    envy: tuple[tuple[int, int, str], ...]


def verified_by_cards(
    jackpot: Jackpot, hit: Hit, cards: RoundCards, lights: Sequence[int], persons: Sequence[Sequence[int]] = ()
) -> VerifiedPrizes:
    """Evaluate the cards by the settlement and compare with what was called; every difference is named at once.

    `persons` are groups of seats that one person plays.
    """
    offer = jackpot.offer_at(hit.table)
    game, wager = jackpot.game_and_wager(offer)
    seats, board, problems = _read(jackpot, offer, cards)
    problems += [f"enter the cards of seat {won.seat}" for won in hit.won if won.seat not in cards.seats]
    dark = [won.seat for won in hit.won if won.seat not in lights]
    unlit = [f"confirm the wager light at seat {seat} (E-02, F-17)" for seat in dark]
    if problems:
        raise RefusedError([*problems, *unlit])
    finished = FinishedRound(
        board,
        tuple(
            FinishedSeat(
                seat,
                # A light that is not confirmed is told together with what the cards say of its seat.
                {wager.name: jackpot.meter.wager_cents} if seat in lights or seat in dark else {},
                hand,
                game.choices({}, hand),
                next((f"of seat {group[0]}" for group in persons if seat in group), None),
            )
            for seat, hand in seats.items()
        ),
    )
    settler = Settler(game, jackpot.terms_of(offer))
    settlement = settler.settle(finished, {wager.name: hit.meter_cents})
    if hit.beside:
        settlement = _beside_others(settler, settlement, hit, wager.name)
    problems = [*unlit, *_differences(hit, offer, settlement, wager)]
    if problems:
        raise RefusedError(problems)
    return _why(hit, settlement, wager)


def _beside_others(settler: Settler, settlement: Settlement, hit: Hit, wager: str) -> Settlement:
    """Pay the winners of a hit as if those who were paid before had been called with them (G-37)."""
    rows = {claim.seat: claim.row for claim in hit.beside}
    lines = {seat: dict(by_wager) for seat, by_wager in settlement.lines.items()}
    for seat in (won.seat for won in hit.won):
        event = lines[seat][wager].event
        if event is not None and settler.terms.tables[settler.game.by_name[wager].slots[0].name].row(event) is not None:
            rows[seat] = event
    together = settler.settle_rows(wager, rows, hit.wager_cents, hit.meter_cents).lines
    for seat in (won.seat for won in hit.won if won.seat in rows):
        line, shared = lines[seat][wager], together[seat][wager]
        reasons = (*line.reasons[:-1], *shared.reasons[-1:])
        lines[seat][wager] = line._replace(paid_cents=shared.paid_cents + line.envy_cents, reasons=reasons)
    return Settlement(lines, settlement.jackpots)


def _read(
    jackpot: Jackpot, offer: Offer, cards: RoundCards
) -> tuple[dict[int, tuple[Card, ...]], tuple[Card, ...], list[str]]:
    game, wager = jackpot.game_and_wager(offer)
    problems: list[str] = []
    board = _cards(BOARD, cards.board, problems)
    seats = {seat: _cards(f"seat {seat}", text, problems) for seat, text in cards.seats.items()}
    holds = wager.holds
    if holds is not None and not problems:
        for seat, hand in seats.items():
            if len(hand) != holds.seat:
                problems.append(f"enter {holds.seat} cards for seat {seat} ({len(hand)} entered)")
        if not holds.board <= len(board) <= game.board.cards:
            problems.append(f"enter {holds.board} cards for the {game.board.name} ({len(board)} entered)")
    excess = overdealt(jackpot.terms_of(offer).deck, [*board, *(card for hand in seats.values() for card in hand)])
    if excess:
        problems.append(f"the same card was entered twice: {cards_text(excess)} (G-11)")
    return seats, board, problems


def _cards(place: str, text: str, problems: list[str]) -> tuple[Card, ...]:
    try:
        return parse_cards(text.split(), as_printed=True)
    except CardError as error:
        problems.append(f"{place}: {error}")
        return ()


def _differences(hit: Hit, offer: Offer, settlement: Settlement, wager: Wager) -> list[str]:
    problems = []
    called = {won.seat: won for won in hit.won}
    for seat, by_wager in settlement.lines.items():
        line = by_wager.get(wager.name)
        if line is None:
            continue
        won, event = called.get(seat), line.event or "nothing"
        prize = None if line.event is None else offer.prize(line.event)
        if won is None and seat in {claim.seat for claim in hit.beside}:
            continue
        if won is None:
            if prize is not None and prize.share is not None and line.paid_cents > line.envy_cents:
                problems.append(
                    f"seat {seat} has {full_words(event)} too. Correct the report: its prize is of the meter (G-4)"
                )
        elif event != won.row:
            cards = f"seat {seat}: these cards make {full_words(event)}, but {full_words(won.row)} was reported"
            problems.append(f"{cards}. Correct or reject the report")
        elif line.paid_cents - line.envy_cents != won.cents:
            due = dollars(line.paid_cents - line.envy_cents)
            cards = f"seat {seat}: these cards pay {due}, but {dollars(won.cents)} was reported"
            problems.append(f"{cards}. Correct the report")
    return problems


def _why(hit: Hit, settlement: Settlement, wager: Wager) -> VerifiedPrizes:
    lines = {seat: by_wager[wager.name] for seat, by_wager in settlement.lines.items() if wager.name in by_wager}
    because = {won.seat: _reasons(lines[won.seat]) for won in hit.won}
    envy = tuple(
        (seat, line.envy_cents, "; ".join(_envy_texts(line))) for seat, line in lines.items() if line.envy_cents
    )
    return VerifiedPrizes(because, envy)


def _reasons(line: rules.SettledLine) -> tuple[tuple[str, str | None, str], ...]:
    return tuple((reason.clause.id, reason.ruling, reason.words) for reason in line.reasons)


def _envy_texts(line: rules.SettledLine) -> Iterable[str]:
    return (reason.words for reason in line.reasons if reason.words.startswith("Envy"))
