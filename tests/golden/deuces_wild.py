"""Deuces Wild once more: every three, every fourth and every fifth of the 53 cards dealt out.

The Five Card Fortune has a module of its own, which takes the decisions of the Ante from here.
"""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction
from functools import cache
from math import comb
from typing import Any

import numpy as np

from tests.golden import fortune
from tests.golden.compiled import compiled
from tests.golden.deck import CHOOSE, place, step
from tests.golden.entries import Entry
from tests.golden.settled import net_units, printed
from tests.golden.sweep import sets_of_five
from tests.golden.wild_hands import EVENTS, NATURALS, WILDS, event_of, treasure_event, wild_text, wild_texts

__all__ = ["METHODS", "expectation"]

METHODS = {
    "ante-play-raise": "each of 23,426 hands of three with each fourth and each fifth card",
    "three-card-treasure": "each of 23,426 hands of three",
    "five-card-fortune": "each hand of three, suits renamed, with each selection and each of 230,300 communities",
    "five-card-fortune beside-ante": "each hand of three, four or five that the Ante reaches with each community",
    "bonus-jackpot": "each of 2,869,685 hands of five",
}

_CARDS = NATURALS + WILDS


@compiled
def _fill_five(events: Any, shown: Any, wild_counts: Any) -> None:
    """The event of every set of five of the 53 cards, a set that shows each, and sets by number of wild cards."""
    cards = np.arange(5)
    for at in range(len(events)):
        naturals = 0
        for card in cards:
            if card < NATURALS:
                naturals += 1
        events[at] = event_of(cards, naturals)
        wild_counts[5 - naturals] += 1
        shown[events[at]] = at
        step(cards, 5)


@cache
def _five() -> tuple[Any, Any, Any]:
    events = np.zeros(comb(_CARDS, 5), np.uint8)
    shown, wild_counts = np.zeros(EVENTS, np.int64), np.zeros(6, np.int64)
    _fill_five(events, shown, wild_counts)
    return events, sets_of_five(_CARDS)[shown].tolist(), wild_counts


# --- Ante, Play and Raise


@compiled
def _count_fifths(events: Any, counts: Any) -> None:
    """For every set of four: how often each event comes with the fifth card."""
    cards = np.arange(5)
    for at in range(len(counts)):
        for fifth in range(_CARDS):
            if fifth not in (cards[0], cards[1], cards[2], cards[3]):
                cards[4] = fifth
                counts[at, events[place(cards, 5)]] += 1
        step(cards, 4)


@cache
def _fifths() -> Any:
    counts = np.zeros((comb(_CARDS, 4), EVENTS), np.int64)
    _count_fifths(_five()[0], counts)
    assert (counts.sum(axis=1) == _CARDS - 4).all()
    return counts


@compiled
def _add_fourths(values: Any, sums: Any) -> None:
    """For every set of three: the sum over fourth cards of what the four are worth."""
    at = 0
    for d in range(_CARDS):
        for c in range(d):
            for b in range(c):
                for a in range(b):
                    value = values[at]
                    sums[CHOOSE[a, 1] + CHOOSE[b, 2] + CHOOSE[c, 3]] += value
                    sums[CHOOSE[a, 1] + CHOOSE[b, 2] + CHOOSE[d, 3]] += value
                    sums[CHOOSE[a, 1] + CHOOSE[c, 2] + CHOOSE[d, 3]] += value
                    sums[CHOOSE[b, 1] + CHOOSE[c, 2] + CHOOSE[d, 3]] += value
                    at += 1


class Played:
    """How the Ante is played under one table: which threes are played, which fours raised, and what it is worth."""

    def __init__(self, entry: Entry) -> None:
        fold, fold_later, nets = _nets(entry)
        raised = (_fifths() * nets).sum(axis=1)
        folded = fold_later * (_CARDS - 4)
        # G-18: of equals the smaller total wager.
        self.raises = raised > folded
        sums = np.zeros(comb(_CARDS, 3), np.int64)
        _add_fourths(np.maximum(raised, folded), sums)
        at_once = fold * (_CARDS - 3) * (_CARDS - 4)
        self.plays = sums > at_once
        won = int(np.maximum(sums, at_once).sum())
        self.worth = Fraction(won, comb(_CARDS, 3) * (_CARDS - 3) * (_CARDS - 4))


def _nets(entry: Entry) -> tuple[int, int, Any]:
    """What folding, folding later and each event are worth."""
    _, shown, _ = _five()
    nets = []
    for cards in shown:
        community = wild_texts([card for card in range(_CARDS) if card not in cards][:4])
        held = wild_texts(cards)
        raised = net_units(entry, cards=held, board=community, decisions={"play": True, "raise": True})
        later = net_units(entry, cards=held[:4], board=community, decisions={"play": True, "raise": False})
        fold = net_units(entry, cards=held[:3], board=community, decisions={"play": False})
        assert raised.denominator == 1
        nets.append(int(raised))
    return int(fold), int(later), np.array(nets, dtype=np.int64)


@cache
def play(table: str) -> Played:
    """Play the Ante under a table, as if alone."""
    return Played(
        Entry(
            game="deuces-wild",
            wager="ante-play-raise",
            paytables=(table,),
            readings=(),
            decks=None,
            basis="alone",
        )
    )


def _ante_play_raise(entry: Entry) -> Fraction:
    return play(entry.table_of("APR")).worth


# --- wagers on the player's own cards


@cache
def _threes() -> dict[int, tuple[int, list[int]]]:
    found: dict[int, tuple[int, list[int]]] = {}
    for c in range(_CARDS):
        for b in range(c):
            for a in range(b):
                cards = [a, b, c]
                naturals = sum(card < NATURALS for card in cards)
                event = treasure_event(np.array(cards), naturals)
                found[event] = (found.get(event, (0, []))[0] + 1, cards)
    assert sum(number for number, _ in found.values()) == comb(_CARDS, 3)
    return found


def _treasure(entry: Entry) -> Fraction:
    won = Fraction(0)
    for number, cards in _threes().values():
        community = [wild_text(card) for card in range(_CARDS) if card not in cards][:4]
        won += number * net_units(entry, cards=wild_texts(cards), board=community)
    return won / comb(_CARDS, 3)


def _bonus_jackpot(entry: Entry) -> Fraction:
    won = Fraction(0)
    for wilds, number in enumerate(_five()[2].tolist()):
        cards = wild_texts([*range(5 - wilds), *range(NATURALS, NATURALS + wilds)])
        won += number * net_units(entry, cards=cards, board=wild_texts(range(10, 14)))
    return won / comb(_CARDS, 5)


# --- Five Card Fortune, beside an Ante


@cache
def _ways_to_play() -> tuple[dict[str, int], list[fortune.Followed]]:
    """The ways to play the Ante under the tables that need no amounts, those that are alike once."""
    found: dict[bytes, int] = {}
    by_table, followed = {}, []
    for table in printed("deuces-wild", "APR"):
        played = play(table)
        key = played.plays.tobytes() + played.raises.tobytes()
        if key not in found:
            found[key] = len(found)
            followed.append(fortune.Followed(played.plays, played.raises))
        by_table[table] = found[key]
    return by_table, followed


@cache
def _taken() -> list[list[int]]:
    return fortune.taken(_ways_to_play()[1])


def _fortune(entry: Entry) -> Fraction:
    if entry.basis == "alone":
        return fortune.alone(entry)
    by_table, followed = _ways_to_play()
    way = by_table[entry.table_of("APR")]
    by_dealer = dict(entry.readings)["fortune_after_raise"] == "dealer_takes_best"
    return fortune.beside(entry, followed[way], _taken()[way] if by_dealer else None)


def expectation(entry: Entry) -> Fraction:
    """What a unit of the wager wins, by the second method."""
    by_wager: dict[str, Callable[[Entry], Fraction]] = {
        "ante-play-raise": _ante_play_raise,
        "three-card-treasure": _treasure,
        "five-card-fortune": _fortune,
        "bonus-jackpot": _bonus_jackpot,
    }
    return by_wager[entry.wager](entry)
