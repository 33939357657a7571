"""Counting Wild Hold'em Fold'em by the loops of Deuces Wild, without the joker."""

from __future__ import annotations

from typing import Any

from pitboss.games.deuces_wild.loops import ante_play_raise
from pitboss.rules.counting import CountingContext, Counts
from tests.relatives.wild_holdem_foldem import facts
from tests.relatives.wild_holdem_foldem.facts import five_cards_made


def count(wager: str, context: CountingContext) -> Counts:
    assert wager == "ante-play-raise"
    return ante_play_raise(context, joker=False, loop=loop_fifth, masks=1 << len(facts.EVENTS))


def loop_fifth(start: int, stop: int, fours: Any, fifths: Any, made: Any) -> None:
    """Read what four cards make with each fifth."""
    for node in range(start, stop):
        a, b, c, d = fours[node, 0], fours[node, 1], fours[node, 2], fours[node, 3]
        for column in range(fifths.shape[1]):
            if fifths[node, column] >= 0:
                made[node, column] = five_cards_made((a, b, c, d, fifths[node, column]))
