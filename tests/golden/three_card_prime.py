"""Three Card Prime once more: every player's hand against every dealer's hand, and every set of six and of seven cards."""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction
from functools import cache
from math import comb
from typing import Any

import numpy as np

from tests.golden.compiled import compiled, in_threads
from tests.golden.deck import text, texts
from tests.golden.entries import Entry
from tests.golden.hands import OF_RANK, OF_SUIT, category, made, suited_run, three_card_values
from tests.golden.settled import net_units

__all__ = ["METHODS", "expectation", "four_signature", "seven_signature", "six_signature"]

METHODS = {
    "ante-play": "each of 22,100 hands of the player against each of 18,424 of the dealer",
    "prime": "each of 22,100 hands of the player against each of 18,424 of the dealer",
    "pair-bonus": "each of 22,100 hands with each of 49 fourth cards",
    "all-six": "each of 20,358,520 sets of six cards",
    "final-four": "each of 22,100 hands with each of 49 fourth cards",
    "all-seven": "each of 133,784,560 sets of seven cards",
}

_QUEEN = 10
_DEUCE = 0


@cache
def _hands() -> tuple[Any, Any, Any]:
    """All hands of three as cards, as values and as bits."""
    cards = np.array([(a, b, c) for c in range(52) for b in range(c) for a in range(b)], dtype=np.int64)
    return cards, three_card_values(), (1 << cards).sum(axis=1)


# --- Ante and Play, and Prime: player against dealer


@compiled
def _colour(cards: Any) -> int:
    """2 for all red, 1 for all black, else 0; hearts and diamonds are the suits 1 and 2."""
    red = 0
    for card in cards:
        if card % 4 in (1, 2):
            red += 1
    if red == 3:
        return 2
    return 1 if red == 0 else 0


@compiled
def _deal_out(first: int, hands: Any, values: Any, bits: Any, counts: Any, colours: Any) -> None:
    """For each player's hand: dealers by (player at least equal) + 2 * (dealer qualifies), and by one colour."""
    step = 2
    qualified = np.zeros(len(hands), np.int64)
    colour = np.zeros(len(hands), np.int64)
    for hand in range(len(hands)):
        qualified[hand] = 2 if category(values[hand]) > 0 or hands[hand, 2] // 4 >= _QUEEN else 0
        colour[hand] = _colour(hands[hand])
    for player in range(first, len(hands), step):
        for dealer in range(len(hands)):
            if bits[player] & bits[dealer]:
                continue
            counts[player, qualified[dealer] + (1 if values[dealer] <= values[player] else 0)] += 1
            if colour[player] and colour[dealer] == colour[player]:
                colours[player, 1] += 1
            elif colour[player]:
                colours[player, 0] += 1


@cache
def _against_the_dealer() -> tuple[Any, Any]:
    hands, values, bits = _hands()
    counts = np.zeros((len(hands), 4), np.int64)
    colours = np.zeros((len(hands), 2), np.int64)
    in_threads(lambda first: _deal_out(first, hands, values, bits, counts, colours), range(2))
    assert (counts.sum(axis=1) == comb(49, 3)).all()
    return counts, colours


@cache
def _situations() -> dict[tuple[int, int], tuple[list[str], list[str]]]:
    """For each category and each of the four ways to meet a dealer: four cards and a dealer's hand that show it."""
    hands, values, bits = _hands()
    counts, _ = _against_the_dealer()
    shown = {}
    for kind in range(7):
        for situation in range(4):
            players = np.flatnonzero((values // 16**4 == kind) & (counts[:, situation] > 0))
            if len(players):
                shown[kind, situation] = _show(int(players[0]), situation, hands, values, bits)
    return shown


def _show(player: int, situation: int, hands: Any, values: Any, bits: Any) -> tuple[list[str], list[str]]:
    for dealer in range(len(hands)):
        qualifies = values[dealer] >= 16**4 or hands[dealer, 2] // 4 >= _QUEEN
        if bits[player] & bits[dealer] or situation != 2 * qualifies + (values[dealer] <= values[player]):
            continue
        used = {*hands[player], *hands[dealer]}
        fourth = next(card for card in range(52) if card not in used)
        return texts([*hands[player], fourth]), texts(hands[dealer])
    raise AssertionError("what was counted can be shown")


def _ante_play(entry: Entry) -> Fraction:
    counts, _ = _against_the_dealer()
    _, values, _ = _hands()
    kinds = values // 16**4
    nets = np.zeros((7, 4), np.int64)
    for (kind, situation), (cards, dealer) in _situations().items():
        net = net_units(entry, cards=cards, board=dealer, decisions={"play": True})
        assert net.denominator == 1
        nets[kind, situation] = int(net)
    cards, dealer = _situations()[0, 3]
    fold = net_units(entry, cards=cards, board=dealer, decisions={"play": False})
    played = (counts * nets[kinds]).sum(axis=1)
    folded = int(fold) * comb(49, 3)
    return Fraction(int(np.maximum(played, folded).sum()), comb(52, 3) * comb(49, 3))


def _prime(entry: Entry) -> Fraction:
    _, colours = _against_the_dealer()
    alone, both = (int(number) for number in colours.sum(axis=0))
    total = comb(52, 3) * comb(49, 3)
    examples = (
        (both, ["2h", "5d", "9h", "Ac"], ["3h", "Kd", "Qd"]),
        (alone, ["2s", "5c", "9c", "Ac"], ["3s", "Kd", "Qd"]),
        (total - both - alone, ["2h", "5c", "9h", "Ac"], ["3h", "Kd", "Qd"]),
    )
    won = [
        number * net_units(entry, cards=cards, board=dealer, decisions={"play": True})
        for number, cards, dealer in examples
    ]
    return sum(won, Fraction(0)) / total


# --- four cards of the player


@compiled
def four_signature(hand: Any, value: int, fourth: int) -> int:
    """What Pair Bonus and Final Four ask: the three, a deuce, the four, and diamonds (TCP-8, TCP-10)."""
    by_rank, by_suit = OF_RANK[fourth], OF_SUIT[fourth]
    for card in hand:
        by_rank += OF_RANK[card]
        by_suit += OF_SUIT[card]
    deuce = 1 if fourth // 4 == _DEUCE else 0
    diamonds = 2 if hand[0] % 4 == 2 else 0
    return (category(value) * 256 + made(by_rank, by_suit, 4)) * 4 + diamonds + deuce


@compiled
def _all_fours(hands: Any, values: Any, bits: Any, counts: Any, shown: Any) -> None:
    for hand in range(len(hands)):
        for fourth in range(52):
            if not bits[hand] >> fourth & 1:
                found = four_signature(hands[hand], values[hand], fourth)
                counts[found] += 1
                shown[found] = hand * 52 + fourth


@cache
def _four_counts() -> dict[int, tuple[int, list[str]]]:
    """Count what all threes with all fourth cards make, with four cards that show each."""
    hands, values, bits = _hands()
    counts, shown = np.zeros(7 * 1024, np.int64), np.zeros(7 * 1024, np.int64)
    _all_fours(hands, values, bits, counts, shown)
    assert int(counts.sum()) == comb(52, 3) * 49
    return {
        int(key): (int(counts[key]), texts([*hands[shown[key] // 52], shown[key] % 52]))
        for key in np.flatnonzero(counts)
    }


def _on_four_cards(entry: Entry) -> Fraction:
    total = Fraction(0)
    for number, cards in _four_counts().values():
        dealer = [text(card) for card in range(51, -1, -1) if text(card) not in cards][:3]
        total += number * net_units(entry, cards=cards, board=dealer, decisions={"play": True})
    return total / (comb(52, 3) * 49)


# --- six and seven cards of both


@compiled
def six_signature(by_rank: int, by_suit: int) -> int:
    """What All-Six asks: the best five of six, and whether all six are a royal, of diamonds or not (TCP-9)."""
    found = made(by_rank, by_suit, 5)
    run = suited_run(by_suit, 6)
    if run % 16 == 12:
        found |= 512 if run // 16 == 2 else 256
    return found


@compiled
def seven_signature(by_rank: int, by_suit: int) -> int:
    """What All Seven asks: the best five of seven, and whether all seven are suited in sequence (TCP-11)."""
    found = made(by_rank, by_suit, 5)
    if suited_run(by_suit, 7) >= 0:
        found |= 256
    return found


@compiled
def _all_sixes(top: int, counts: Any, shown: Any) -> None:
    """Every set of six whose highest card is `top`."""
    for b in range(top):
        for c in range(b):
            for d in range(c):
                for e in range(d):
                    ranks = OF_RANK[top] + OF_RANK[b] + OF_RANK[c] + OF_RANK[d] + OF_RANK[e]
                    suits = OF_SUIT[top] + OF_SUIT[b] + OF_SUIT[c] + OF_SUIT[d] + OF_SUIT[e]
                    for f in range(e):
                        found = six_signature(ranks + OF_RANK[f], suits + OF_SUIT[f])
                        if not counts[found]:
                            shown[found] = suits + OF_SUIT[f]
                        counts[found] += 1


@compiled
def _all_sevens(top: int, counts: Any, shown: Any) -> None:
    """Every set of seven whose highest card is `top`."""
    for b in range(top):
        for c in range(b):
            for d in range(c):
                for e in range(d):
                    for f in range(e):
                        ranks = OF_RANK[top] + OF_RANK[b] + OF_RANK[c] + OF_RANK[d] + OF_RANK[e] + OF_RANK[f]
                        suits = OF_SUIT[top] + OF_SUIT[b] + OF_SUIT[c] + OF_SUIT[d] + OF_SUIT[e] + OF_SUIT[f]
                        for g in range(f):
                            found = seven_signature(ranks + OF_RANK[g], suits + OF_SUIT[g])
                            if not counts[found]:
                                shown[found] = suits + OF_SUIT[g]
                            counts[found] += 1


def cards_of(by_suit: int) -> list[int]:
    """The cards that the ranks of the four suits name."""
    return [card for card in range(52) if by_suit & int(OF_SUIT[card])]


def _by_sets(loop: Callable[[int, Any, Any], None], size: int) -> dict[int, tuple[int, list[str]]]:
    counts, shown = np.zeros((52, 1024), np.int64), np.zeros((52, 1024), np.int64)
    in_threads(lambda top: loop(top, counts[top], shown[top]), range(52))
    total = counts.sum(axis=0)
    assert int(total.sum()) == comb(52, size)
    return {int(key): (int(total[key]), texts(cards_of(int(shown[:, key].max())))) for key in np.flatnonzero(total)}


@cache
def _six_counts() -> dict[int, tuple[int, list[str]]]:
    return _by_sets(_all_sixes, 6)


@cache
def _seven_counts() -> dict[int, tuple[int, list[str]]]:
    return _by_sets(_all_sevens, 7)


def _all_six(entry: Entry) -> Fraction:
    total = Fraction(0)
    for number, cards in _six_counts().values():
        fourth = next(text(card) for card in range(52) if text(card) not in cards)
        total += number * net_units(entry, cards=[*cards[:3], fourth], board=cards[3:], decisions={"play": True})
    return total / comb(52, 6)


def _all_seven(entry: Entry) -> Fraction:
    total = Fraction(0)
    for number, cards in _seven_counts().values():
        total += number * net_units(entry, cards=cards[:4], board=cards[4:], decisions={"play": True})
    return total / comb(52, 7)


def expectation(entry: Entry) -> Fraction:
    """What a unit of the wager wins, by the second method."""
    by_wager: dict[str, Callable[[Entry], Fraction]] = {
        "ante-play": _ante_play,
        "prime": _prime,
        "pair-bonus": _on_four_cards,
        "final-four": _on_four_cards,
        "all-six": _all_six,
        "all-seven": _all_seven,
    }
    return by_wager[entry.wager](entry)
