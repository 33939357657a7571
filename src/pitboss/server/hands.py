"""What a hand is: cards that a dealer taps, read by the settlement itself, before anything is called."""

from __future__ import annotations

from typing import NamedTuple

from pitboss.books import RefusedError
from pitboss.cards import Card, CardError, overdealt, parse_cards
from pitboss.jackpot import Jackpot
from pitboss.rules import FinishedRound, FinishedSeat, Settler
from pitboss.server.views.speaking import dollars

__all__ = ["HandRead", "hand_read"]


class HandRead(NamedTuple):
    """What the cards of a seat are worth on a jackpot: the row, what it pays alone, and how it is paid."""

    row: str
    amount: str
    is_small: bool
    because: tuple[str, ...]


def _cards(place: str, text: str, problems: list[str]) -> tuple[Card, ...]:
    try:
        return parse_cards(text.split(), as_printed=True)
    except CardError as error:
        problems.append(f"{place}: {error}")
        return ()


def hand_read(jackpot: Jackpot, table: str, seat: int, cards: str, board: str, shown_cents: int) -> HandRead | None:
    """Let the settlement say what a hand is, paid alone on the amount shown; nothing where it wins nothing."""
    offer = jackpot.offer_at(table)
    game, wager = jackpot.game_and_wager(offer)
    terms, problems = jackpot.terms_of(offer), list[str]()
    hand, common = _cards(f"seat {seat}", cards, problems), _cards(game.board.name, board, problems)
    holds = wager.holds
    if holds is not None and not problems:
        if len(hand) != holds.seat:
            problems.append(f"seat {seat}: {len(hand)} cards, {wager.title} reads {holds.seat}")
        if not holds.board <= len(common) <= game.board.cards:
            problems.append(f"{game.board.name}: {len(common)} cards, {wager.title} reads {holds.board}")
    if overdealt(terms.deck, [*hand, *common]):
        problems.append("a card is there more often than the deck holds it (G-11)")
    if problems:
        raise RefusedError(problems)
    finished = FinishedRound(
        common,
        (FinishedSeat(seat, {wager.name: jackpot.meter.wager_cents}, hand, game.choices({}, hand), None),),
    )
    line = Settler(game, terms).settle(finished, {wager.name: shown_cents}).lines[seat][wager.name]
    prize = None if line.event is None else offer.prize(line.event)
    if line.event is None or prize is None or not line.paid_cents:
        return None
    is_small = prize.share is None and line.paid_cents < jackpot.small_prize_cents
    return HandRead(line.event, dollars(line.paid_cents), is_small, tuple(each.words for each in line.reasons))
