"""High and Low once more: a sweep through all dealer's hands, for every hand of six and every division of it.

Of player's hands that differ only in the names of suits one is taken for all.
"""

from __future__ import annotations

from fractions import Fraction
from functools import cache
from math import comb
from typing import Any

import numpy as np

from tests.golden.compiled import compiled, in_threads
from tests.golden.deck import CHOOSE, is_chosen, orbit, step, suit_masks, texts
from tests.golden.divisions import legal_high, marks, threes_of, two_hands, values
from tests.golden.entries import Entry
from tests.golden.settled import net_units, printed
from tests.golden.sweep import avoiding, enter, kept_for, order_by_value, sets_of_five

__all__ = ["SHOWN", "as_set", "best_of_five", "expectation"]

_GAME = "three-card-double-play"
_CLASSES = 962_988
_DEALERS = comb(46, 5)
_THREADS = 2
_DIVISIONS = 10

# Situations: 0 both lose, 1 the High Hand wins alone, 2 and up both win, by the Low Hand's category.
# For each: six cards of which the first three are the High Hand, and the dealer's five.
SHOWN = (
    ("As Ah 9d Kc 7s 2d", "5s 5h 5d Tc 8h"),
    ("As Ah 9d Kc 7s 2d", "5s 5h 4d Tc 8h"),
    ("As Ah 9d Kc 7s 2d", "Qs 5h 4d Tc 8h"),
    ("As Ah 9d Kc Ks 2d", "Qs 5h 4d Tc 8h"),
    ("9s 9h 9d Kc 7c 2c", "Qs 5h 4d Tc 8h"),
    ("9s 9h 9d Kc Qs Jd", "2s 5h 4d Tc 8h"),
    ("9s 9h 9d 8c 8s 8d", "2s 5h 4d Tc Kh"),
    ("Js Ts 9s 8c 7c 6c", "2s 5h 4d Tc Kh"),
    ("As Ks Qs Ac Kc Qc", "2s 5h 4d Tc Kh"),
)


# --- the player's hands and how many dealers each hand of three is no worse than


@compiled
def _choose(chosen: Any, numbers: Any) -> int:
    """List the sets of six whose suits are in falling order, with how many sets each stands for."""
    cards, masks = np.arange(6), np.zeros(4, np.int64)
    found = 0
    for _ in range(CHOOSE[52, 6]):
        suit_masks(cards, masks)
        if is_chosen(masks):
            for card in range(6):
                chosen[found, card] = cards[card]
            numbers[found] = orbit(masks)
            found += 1
        step(cards, 6)
    return found


@compiled
def _read_threes(players: Any, levels: Any, found: Any) -> None:
    cards, places = np.zeros(6, np.int64), np.zeros(20, np.int64)
    for player in range(len(players)):
        for card in range(6):
            cards[card] = players[player, card]
        threes_of(cards, places)
        for three in range(20):
            found[player, three] = levels[places[three]]


@compiled
def best_of_five(sets: Any, levels: Any, found: Any) -> None:
    """The level of the best three of each dealer's five."""
    for hand in range(len(sets)):
        for c in range(2, 5):
            for b in range(1, c):
                for a in range(b):
                    at = CHOOSE[sets[hand, a], 1] + CHOOSE[sets[hand, b], 2] + CHOOSE[sets[hand, c], 3]
                    found[hand] = max(found[hand], levels[at])


@compiled
def _sweep(players: Any, by_three: Any, sets: Any, by_dealer: Any, start: Any, kept: Any, wins: Any) -> None:
    """Go up the levels: dealers enter, then each hand of three of that level learns how many it is no worse than."""
    threes, three_starts = by_three
    dealers, dealer_starts = by_dealer
    for level in range(len(dealer_starts) - 1):
        for at in range(dealer_starts[level], dealer_starts[level + 1]):
            enter(sets[dealers[at]], start, kept)
        for at in range(three_starts[level], three_starts[level + 1]):
            player, three = divmod(threes[at], 20)
            wins[player, three] = avoiding(players[player], start, kept)


class Players:
    """One hand of six for all names of the suits: its cards, how many it stands for, its threes and their wins."""

    def __init__(self) -> None:
        self.cards = np.zeros((_CLASSES, 6), np.int8)
        self.numbers = np.zeros(_CLASSES, np.int64)
        assert _choose(self.cards, self.numbers) == _CLASSES
        assert int(self.numbers.sum()) == comb(52, 6)
        distinct, levels = np.unique(values(), return_inverse=True)
        self.kinds = distinct // 16**4
        self.levels = np.zeros((_CLASSES, 20), np.int16)
        _read_threes(self.cards, levels, self.levels)
        self.wins = np.zeros((_CLASSES, 20), np.int32)
        sets = sets_of_five(52)
        best = np.zeros(len(sets), np.int16)
        best_of_five(sets, levels, best)
        dealers = order_by_value(best, len(distinct))

        def one_part(part: int) -> None:
            own = slice(part * _CLASSES // _THREADS, (part + 1) * _CLASSES // _THREADS)
            threes = order_by_value(self.levels[own].reshape(-1), len(distinct))
            _sweep(self.cards[own], threes, sets, dealers, *kept_for(52), self.wins[own])

        in_threads(one_part, range(_THREADS))


@cache
def _players() -> Players:
    return Players()


# --- setting and doubling


@compiled
def _set_and_double(numbers: Any, levels: Any, wins: Any, kinds: Any, nets: Any, won: Any, tied: Any) -> None:
    """For each table: the best division, doubled or not, and which divisions are worth as much."""
    worths = np.zeros(_DIVISIONS, np.int64)
    for player in range(len(numbers)):
        for table in range(len(nets)):
            best = 0
            for division in range(_DIVISIONS):
                high, low = division, 19 - division
                if levels[player, low] > levels[player, high]:
                    high, low = low, high
                both = wins[player, low]
                alone = wins[player, high] - both
                none = _DEALERS - both - alone
                situation = 2 + kinds[levels[player, low]]
                for double in range(2):
                    net = nets[table, double]
                    worth = none * net[0] + alone * net[1] + both * net[situation]
                    if double == 0 or worth > worths[division]:
                        worths[division] = worth
                if division == 0 or worths[division] > best:
                    best = worths[division]
            for division in range(_DIVISIONS):
                if worths[division] == best:
                    tied[player, table] |= 1 << division
            won[table] += best * numbers[player]


@cache
def _decided() -> tuple[dict[str, Fraction], Any]:
    """What High and Low win under each table, and the divisions that are best under each."""
    tables = printed(_GAME, "LWB")
    nets = np.zeros((len(tables), 2, len(SHOWN)), np.int64)
    for at, table in enumerate(tables):
        entry = Entry(game=_GAME, wager="high-low", paytables=(table,), readings=(), decks=None, basis="alone")
        for situation, (cards, dealer) in enumerate(SHOWN):
            for double in (False, True):
                decisions = {"high": cards.split()[:3], "double": double}
                net = 2 * net_units(entry, cards=cards.split(), board=dealer.split(), decisions=decisions)
                assert net.denominator == 1
                nets[at, int(double), situation] = int(net)
    players = _players()
    won = np.zeros(len(tables), np.int64)
    tied = np.zeros((_CLASSES, len(tables)), np.int16)
    assert comb(52, 6) * _DEALERS * int(abs(nets).max()) < 2**62
    _set_and_double(players.numbers, players.levels, players.wins, players.kinds, nets, won, tied)
    total = 2 * comb(52, 6) * _DEALERS
    return {table: Fraction(int(number), total) for table, number in zip(tables, won, strict=True)}, tied


def expectation(entry: Entry) -> Fraction:
    """What High and Low win, per unit of each."""
    return _decided()[0][entry.table_of("LWB")]


# --- Pick-3 on the hands as set (TDP-3)


@compiled
def _mark_divisions(players: Any, of_three: Any, found: Any, shown: Any) -> None:
    cards, places = np.zeros(6, np.int64), np.zeros(20, np.int64)
    for player in range(len(players)):
        for card in range(6):
            cards[card] = players[player, card]
        threes_of(cards, places)
        for division in range(_DIVISIONS):
            event = two_hands(of_three[places[division]], of_three[places[19 - division]])
            found[player, division] = event
            shown[event] = player * _DIVISIONS + division


@cache
def _divisions() -> tuple[Any, Any]:
    """What each division of each hand makes, and a division that shows each."""
    found, shown = np.zeros((_CLASSES, _DIVISIONS), np.uint8), np.full(256, -1, np.int64)
    _mark_divisions(_players().cards, marks(), found, shown)
    return found, shown


@compiled
def _follow(numbers: Any, tied: Any, found: Any, nets: Any) -> int:
    """Of the divisions that High and Low choose among, the one that pays most (TDP-3)."""
    won = 0
    for player in range(len(numbers)):
        best = -1000
        for division in range(_DIVISIONS):
            if tied[player] >> division & 1:
                best = max(best, nets[found[player, division]])
        won += best * numbers[player]
    return won


def as_set(entry: Entry) -> Fraction:
    """What Pick-3 wins on the hands that High and Low set."""
    found, shown = _divisions()
    nets = np.zeros(256, np.int64)
    for event in np.flatnonzero(shown >= 0):
        player, division = divmod(int(shown[event]), _DIVISIONS)
        cards = _players().cards[player].tolist()
        dealer = [card for card in range(52) if card not in cards][:5]
        decisions = {"high": texts(legal_high(cards, division)), "double": False}
        net = net_units(entry, cards=texts(cards), board=texts(dealer), decisions=decisions)
        assert net.denominator == 1
        nets[event] = int(net)
    tied = _decided()[1][:, printed(_GAME, "LWB").index(entry.table_of("LWB"))]
    return Fraction(_follow(_players().numbers, np.ascontiguousarray(tied), found, nets), comb(52, 6))
