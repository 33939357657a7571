"""What a seat of Deuces Wild decides and when, and which cards it is entitled to."""

from __future__ import annotations

from collections.abc import Mapping
from itertools import combinations
from typing import Any

from pitboss.cards import Card, card_text
from pitboss.law import Clauses
from pitboss.poker.made import is_wild, wild_three_card_made
from pitboss.rules import Decisions, Question, Seat, yes_or_no

__all__ = [
    "choices",
    "gets_fifth_card",
    "gets_fourth_card",
    "has_won_treasure",
    "looks_at_fourth_card",
    "looks_at_three_cards",
    "looks_when_selecting",
    "question",
    "selected_positions",
]

ANTE, TREASURE, FORTUNE, JACKPOT = "ante-play-raise", "three-card-treasure", "five-card-fortune", "bonus-jackpot"


def _played(seat: Seat) -> bool:
    return bool(seat.decisions.get("play"))


def looks_at_three_cards(seat: Seat) -> bool:
    """Step 19: a seat with an Ante or a Treasure wager examines its three cards (DW-9)."""
    return ANTE in seat.wagers or TREASURE in seat.wagers


def looks_when_selecting(seat: Seat) -> bool:
    """A Fortune seat looks when it selects (DW-9)."""
    return FORTUNE in seat.wagers


def has_won_treasure(seat: Seat) -> bool:
    """Step 20(b): only a winning Treasure hand is turned face up (DW-8)."""
    return TREASURE in seat.wagers and wild_three_card_made(seat.cards[:3]) != 0


def gets_fourth_card(seat: Seat) -> bool:
    """Rule 7: a seat that played, or has the jackpot wager."""
    return _played(seat) or JACKPOT in seat.wagers


def looks_at_fourth_card(seat: Seat) -> bool:
    """Step 22: only players who placed the Ante and Play wagers examine their fourth card."""
    return _played(seat)


def gets_fifth_card(seat: Seat) -> bool:
    """Rule 7: a seat that raised, or has the jackpot wager."""
    return bool(seat.decisions.get("raise")) or JACKPOT in seat.wagers


def selected_positions(seat: Seat) -> tuple[int, ...]:
    """Name the cards that are shown at the end: all of a raised or jackpot hand, else those selected for Fortune."""
    if gets_fifth_card(seat):
        return tuple(range(len(seat.cards)))
    chosen = seat.decisions.get("fortune", ())
    return tuple(place for place, card in enumerate(seat.cards) if card in chosen)


def question(clauses: Clauses, seat: Seat, readings: Mapping[str, str]) -> Question | None:
    """Ask what the seat must decide next with the cards it holds."""
    decided = seat.decisions
    if len(seat.cards) < 3 or "fortune" in decided:
        return None
    if ANTE in seat.wagers and "play" not in decided:
        return yes_or_no("play", "Play (a wager equal to the Ante) or fold?", clauses["rule 5"])
    if not _played(seat):
        return _fortune_question(clauses, seat, 3, "step 21")
    if len(seat.cards) < 4:
        return None
    if "raise" not in decided:
        words = "Raise (a wager equal to Ante and Play together) or fold?"
        return yes_or_no("raise", words, clauses["rule 7, raise"])
    if not decided["raise"] or readings["fortune_after_raise"] == "player_selects":
        return _fortune_question(clauses, seat, 4, "step 22(a)(iii)")
    return None


def _fortune_question(clauses: Clauses, seat: Seat, held: int, place: str) -> Question | None:
    if FORTUNE not in seat.wagers:
        return None
    cards = seat.cards[:held]
    return Question(
        key="fortune",
        words="Which card (or wild cards) for the Five Card Fortune?",
        clause=clauses[place],
        options=lambda: _selections(cards),
        refusal=lambda value: _refuse_selection(value, cards),
        ruling="DW-6",
        takes_cards=True,
    )


def _selections(cards: tuple[Card, ...]) -> tuple[tuple[Card, ...], ...]:
    wild = [card for card in cards if is_wild(card)]
    several = [chosen for count in range(2, len(wild) + 1) for chosen in combinations(wild, count)]
    return (*((card,) for card in cards), *several)


def _refuse_selection(value: Any, cards: tuple[Card, ...]) -> str | None:
    foreign = [card_text(card) for card in value if card not in cards]
    if foreign:
        return f"{' '.join(foreign)} not among the {len(cards)} cards held when selecting"
    if len(set(value)) != len(value):
        return "a card is selected twice"
    if not value:
        return "at least one card must be selected"
    if len(value) > 1 and not all(is_wild(card) for card in value):
        return "two or more cards may be selected only if all of them are wild"
    return None


def choices(decisions: Decisions, cards: tuple[Card, ...]) -> tuple[int, ...]:
    """Give the decisions as integers: played, raised, the Fortune selection as a bit for each card."""
    selected = decisions.get("fortune", ())
    mask = 0
    for place, card in enumerate(cards):
        if card in selected:
            mask |= 1 << place
    return (1 if decisions.get("play") else 0, 1 if decisions.get("raise") else 0, mask)
