"""Outcomes, questions and hands in lines of text that a test can write down: chips, reasons, and seats."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from pitboss.cards import parse_cards
from pitboss.games import find_game
from pitboss.rules import Problem, Question, Reason, Seat, Terms, TermsInput, make_terms
from pitboss.rules.outcomes import Outcome


def terms_of(game: str, paytables: Mapping[str, list[Any]], **stated: Any) -> Terms:
    """Terms that must be legal."""
    terms, problems = make_terms(find_game(game), TermsInput(paytables=paytables, **{"readings": {}} | stated))
    assert not problems
    return terms


def outcome(terms: Terms, wager: str, *facts: int) -> Outcome:
    """Settle facts."""
    chosen = find_game(terms.game).by_name[wager]
    return chosen.settle(chosen.facts(*facts), terms)


def said(reasons: tuple[Reason, ...]) -> list[str]:
    """Each reason as "clause [ruling]: words"."""
    return [f"{reason.clause.id}{f' [{reason.ruling}]' if reason.ruling else ''}: {reason.words}" for reason in reasons]


def chips(settled: Outcome) -> list[str]:
    """Each chip as "name times multiple, back or taken, prizes"."""
    return [
        " ".join([part.part, f"x{part.multiple}", "back" if part.returned else "taken", *map(str, part.prizes)])
        for part in settled.parts
    ]


def told(game: str, wager: str, *facts: int) -> str:
    """Facts in words."""
    chosen = find_game(game).by_name[wager]
    assert chosen.tell is not None
    return chosen.tell(chosen.facts(*facts))


def seat(cards: str, wagers: Mapping[str, int] | None = None, **decisions: Any) -> Seat:
    """A seat that holds these cards (`raise_` for the reserved word)."""
    return Seat(1, wagers or {}, parse_cards(cards), {name.rstrip("_"): value for name, value in decisions.items()})


def described(game: str, holder: Seat, board: str = "") -> tuple[str, ...]:
    """The hands of a seat in words."""
    return find_game(game).describe(holder, parse_cards(board))


def asked(game: str, holder: Seat) -> Question | None:
    """What the seat must decide next."""
    return find_game(game).question(holder, {})


def found(problems: tuple[Problem, ...]) -> list[str]:
    """Each problem as people read it."""
    return [str(problem) for problem in problems]
