"""Terms for tests: the first complete table of every slot of a game."""

from __future__ import annotations

from pitboss.rules import Game, Terms, TermsInput, make_terms


def first_terms(game: Game, **stated: object) -> Terms:
    """Every wager under its first table that needs no amount of the operator."""
    paytables = {
        wager.name: [
            next((i for i in slot.ids if not game.paytables[i].operator_set), slot.ids[0])
            for slot in wager.slots
            if not slot.fixed
        ]
        for wager in game.wagers
    }
    decks = game.decks_allowed[0] if game.decks_allowed else None
    terms, problems = make_terms(game, TermsInput(paytables=paytables, readings={}, decks=decks, **stated))  # type: ignore[arg-type]
    assert not problems
    return terms
