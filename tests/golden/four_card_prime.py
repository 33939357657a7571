"""Four Card Prime once more: for each up card a sweep through all dealer's hands, and every set of five cards."""

from __future__ import annotations

from fractions import Fraction
from functools import cache
from itertools import product
from math import comb
from typing import Any

import numpy as np

from tests.golden.compiled import compiled, in_threads
from tests.golden.deck import CHOOSE, text, texts
from tests.golden.entries import Entry
from tests.golden.hands import OF_RANK, OF_SUIT, four_card_values, made
from tests.golden.settled import net_units, printed
from tests.golden.sweep import avoiding, enter, kept_for, order_by_value, sets_of_five

__all__ = ["METHODS", "SHOWN", "expectation", "five_signature"]

_SIDE = "each of 2,598,960 sets of five cards"
METHODS = {
    "ante-raise": "a sweep through all dealer's hands by value for each up card, the player's cards included and excluded",
    "aces-baby": _SIDE,
    "prime": _SIDE,
    "five-card-jackpot": _SIDE,
    "four-card-jackpot": _SIDE,
}

_DEALERS = comb(46, 5)
_KINDS = 8
_RAISES = 4

# --- Ante and Raise

# For each category a player's hand that wins and one that loses: cards, and the dealer's six.
SHOWN = {
    7: ("3s 3h 3d 3c 9s", "2s 2h 2d 2c Ks Jd", "4s 4h 4d 4c Ks Jd"),
    6: ("9s 8s 7s 6s Ac", "2s 2h 2d 4c Ks Jd", "4s 4h 4d 4c Ks Jd"),
    5: ("9s 9h 9d 6s Ac", "2s 2h 2d 4c Ks Jd", "Ts Th Td 4c Ks Jd"),
    4: ("As Ks 7s 2s 5c", "2h 2d 4c Qs Jd 7h", "Th Td Tc 4c Kh Jd"),
    3: ("9s 8h 7d 6s Ac", "2s 2h 4c Ks Jd Td", "Ts Th Td 4c Ks Jd"),
    2: ("9s 9h 7d 7s Ac", "2s 2h 4c Ks Jd Td", "Ts Th Td 4c Ks Jd"),
    1: ("9s 9h 7d 5s Ac", "2s 2h 4c Ks Jd Td", "Ts Th Td 4c Ks Jd"),
    0: ("9s Kh 7d 5s Ac", "2s 3h 8c Ks Jd Td", "Ts Th Td 4c Ks Jd"),
}


@compiled
def best_of_five(hand: Any, values: Any) -> int:
    """The best of the five hands of four, by the list of values; cards in rising order."""
    best = 0
    for left_out in range(5):
        at = size = 0
        for card in range(5):
            if card != left_out:
                size += 1
                at += CHOOSE[hand[card], size]
        best = max(best, values[at])
    return best


@compiled
def best_of_six(hand: Any, values: Any) -> int:
    """The best of the fifteen hands of four, by the list of values; cards in rising order."""
    best = 0
    for one in range(6):
        for two in range(one):
            at = size = 0
            for card in range(6):
                if card not in (one, two):
                    size += 1
                    at += CHOOSE[hand[card], size]
            best = max(best, values[at])
    return best


@compiled
def _read_fives(up: int, sets: Any, values: Any, players: Any, dealers: Any) -> None:
    """Sets of five of the 51 other cards: as a player's hand, and as what completes the dealer's up card."""
    five, six = np.zeros(5, np.int64), np.zeros(6, np.int64)
    for at in range(len(sets)):
        below = 0
        for card in range(5):
            five[card] = sets[at, card] + (1 if sets[at, card] >= up else 0)
            if five[card] < up:
                below += 1
        for card in range(5):
            six[card if card < below else card + 1] = five[card]
        six[below] = up
        players[at] = best_of_five(five, values)
        dealers[at] = best_of_six(six, values)


@compiled
def _sweep(sets: Any, by_player: Any, by_dealer: Any, start: Any, kept: Any, kinds: Any, nets: Any, won: Any) -> None:
    """Go up the values: dealers of a value enter, then players of that value are counted, decide and win."""
    players, player_starts = by_player
    dealers, dealer_starts = by_dealer
    for level in range(len(kinds)):
        for at in range(dealer_starts[level], dealer_starts[level + 1]):
            enter(sets[dealers[at]], start, kept)
        for at in range(player_starts[level], player_starts[level + 1]):
            wins = avoiding(sets[players[at]], start, kept)
            for table in range(len(nets)):
                best = nets[table, kinds[level], 0, 0] * _DEALERS
                for times in range(1, _RAISES):
                    worth = nets[table, kinds[level], times, 1] * wins
                    worth += nets[table, kinds[level], times, 0] * (_DEALERS - wins)
                    best = max(best, worth)
                won[table] += best


def _nets(entry: Entry) -> Any:
    """What each category wins (last 1) or loses (last 0) at each Raise; raising nothing folds."""
    nets = np.zeros((_KINDS, _RAISES, 2), np.int64)
    for kind, (cards, beaten, beating) in SHOWN.items():
        for times in range(_RAISES):
            for wins, dealer in enumerate((beating, beaten)):
                decisions = {"raise": times}
                net = net_units(entry, cards=cards.split(), board=dealer.split(), decisions=decisions)
                assert net.denominator == 1
                nets[kind, times, wins] = int(net)
    return nets


@cache
def _ante_raise() -> dict[tuple[str, str], Fraction]:
    """All combinations of tables that need no amounts."""
    pairs = list(product(printed("four-card-prime", "Win"), printed("four-card-prime", "BB")))
    entries = [
        Entry(game="four-card-prime", wager="ante-raise", paytables=pair, readings=(), decks=None, basis="alone")
        for pair in pairs
    ]
    nets = np.array([_nets(entry) for entry in entries])
    distinct, values = np.unique(four_card_values(), return_inverse=True)
    kinds = distinct // 16**4
    sets = sets_of_five(51)

    def one_up_card(rank: int) -> Any:
        players, dealers = np.zeros(len(sets), np.int32), np.zeros(len(sets), np.int32)
        _read_fives(rank * 4, sets, values, players, dealers)
        start, kept = kept_for(51)
        won = np.zeros(len(pairs), np.int64)
        orders = (order_by_value(players, len(kinds)), order_by_value(dealers, len(kinds)))
        _sweep(sets, *orders, start, kept, kinds, nets, won)
        return won

    won = sum(in_threads(one_up_card, range(13)))
    total = 13 * comb(51, 5) * _DEALERS
    return {pair: Fraction(int(number), total) for pair, number in zip(pairs, won, strict=True)}


# --- wagers on the player's five cards


@compiled
def five_signature(by_rank: int, by_suit: int) -> int:
    """What the wagers ask of five cards: what four and five of them make, how many Aces, how many are red."""
    red = 0
    for suit in (1, 2):
        held = by_suit >> (13 * suit) & 8191
        while held:
            held &= held - 1
            red += 1
    aces = by_rank >> 48
    return ((made(by_rank, by_suit, 4) * 256 + made(by_rank, by_suit, 5)) * 5 + aces) * 6 + red


@compiled
def _all_fives(sets: Any, signatures: Any) -> None:
    for at in range(len(sets)):
        by_rank = by_suit = 0
        for card in range(5):
            by_rank += OF_RANK[sets[at, card]]
            by_suit += OF_SUIT[sets[at, card]]
        signatures[at] = five_signature(by_rank, by_suit)


@cache
def _five_counts() -> list[tuple[int, list[str]]]:
    """What all sets of five make, with cards that show each."""
    sets = sets_of_five(52)
    signatures = np.zeros(len(sets), np.int64)
    _all_fives(sets, signatures)
    _, shown, numbers = np.unique(signatures, return_index=True, return_counts=True)
    return [(number, texts(sets[at])) for number, at in zip(numbers.tolist(), shown, strict=True)]


def _on_five_cards(entry: Entry) -> Fraction:
    won = Fraction(0)
    for number, cards in _five_counts():
        dealer = [text(card) for card in range(52) if text(card) not in cards][:6]
        won += number * net_units(entry, cards=cards, board=dealer, decisions={"raise": 1})
    return won / comb(52, 5)


def expectation(entry: Entry) -> Fraction:
    """What a unit of the wager wins, by the second method."""
    if entry.wager == "ante-raise":
        return _ante_raise()[entry.table_of("Win"), entry.table_of("BB")]
    return _on_five_cards(entry)
