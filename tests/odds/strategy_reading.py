"""Reads the lines of a strategy as a person would, and follows them; hands are ranked by tests/poker/naive.py."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Sequence
from itertools import combinations

from pitboss.odds.strategy import DecisionLine, DecisionLines, Strategy
from tests.poker import naive

__all__ = ["deuces_wild", "follow", "fortune", "four_card", "high_low", "super_three_card", "three_card"]

Cards = Sequence[int]
Holds = Callable[[str], bool]
Place = tuple[int, tuple[int, ...]]

RANKS = ("deuce", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "jack", "queen", "king", "ace")
SEVERAL = (*(f"{rank}es" if rank == "six" else f"{rank}s" for rank in RANKS),)
KINDS = {
    "high card": "high-card",
    "pair": "pair",
    "two pair": "two-pair",
    "three of a kind": "trips",
    "four of a kind": "quads",
    "straight": "straight",
    "flush": "flush",
    "straight flush": "straight-flush",
    "mini-royal": "mini-royal",
}


def rank(word: str) -> int:
    return RANKS.index(word) + 2


def letters(text: str) -> tuple[int, ...]:
    return tuple("23456789TJQKA".index(letter) + 2 for letter in text.split("-"))


def hand_named(words: str) -> tuple[str, tuple[int, ...]]:
    """The category of a hand in words, and the ranks that the words tell."""
    if words in KINDS:
        return KINDS[words], ()
    if match := re.fullmatch(r"(\w+) high", words):
        return "high-card", (rank(match[1]),)
    if re.fullmatch(r"[2-9TJQKA](-[2-9TJQKA])+", words):
        return "high-card", letters(words)
    if match := re.fullmatch(r"pair of (\w+)(?: with ([2-9TJQKA-]+))?", words):
        return "pair", (SEVERAL.index(match[1]) + 2, *(letters(match[2]) if match[2] else ()))
    if match := re.fullmatch(r"(three|four) (\w+s)", words):
        return {"three": "trips", "four": "quads"}[match[1]], (SEVERAL.index(match[2]) + 2,)
    if match := re.fullmatch(r"two pair, (\w+) up", words):
        return "two-pair", (SEVERAL.index(match[1]) + 2,)
    if match := re.fullmatch(r"flush ([2-9TJQKA-]+)", words):
        return "flush", letters(match[1])
    match = re.fullmatch(r"(\w+)-high (straight flush|straight|flush)", words)
    assert match is not None, words
    return KINDS[match[2]], (rank(match[1]),)


def is_so_good(order: Sequence[str], key: naive.Key, words: str) -> bool:
    """Tell whether a hand is as good as words such as "pair of nines or better" or "flush to straight" say."""

    def place(said: str) -> tuple[Place, Place]:
        name, ranks = hand_named(said)
        own = tuple(dict.fromkeys(key[1]))[: len(ranks)]
        return (key[0], own), (-order.index(name), ranks)

    if words.startswith("less than "):
        name, _ = hand_named(words.removeprefix("less than ").removeprefix("a "))
        return key[0] < -order.index(name)
    for ending in (" or better", " or worse"):
        if words.endswith(ending):
            ours, theirs = place(words.removesuffix(ending))
            return ours >= theirs if ending == " or better" else ours <= theirs
    low, _, high = words.partition(" to ")
    (ours, least), (ours_too, most) = place(low), place(high or low)
    return ours >= least and ours_too <= most


def in_rank(words: str, value: int) -> bool:
    """Tell whether a rank is as words such as "nine or higher", "seven to queen" or "ace" say."""
    if match := re.fullmatch(r"(\w+) or (higher|lower)", words):
        return value >= rank(match[1]) if match[2] == "higher" else value <= rank(match[1])
    low, _, high = words.partition(" to ")
    return rank(low) <= value <= rank(high or low)


def follow(lines: Iterable[DecisionLine], holds: Holds) -> str:
    """The decision of the first line all of whose words hold."""
    for line in lines:
        if line.words == "otherwise" or all(holds(words) for words in line.words.split(" and ")):
            return line.decision
    raise AssertionError("no line decides")


def three_card(decision: DecisionLines, hand: Cards) -> str:
    key = naive.key(naive.THREE_CARD, hand)
    return follow(decision.lines, lambda words: is_so_good(naive.THREE_CARD, key, words))


def best_four(hand: Cards) -> naive.Key:
    return max(naive.key(naive.FOUR_CARD, four) for four in combinations(hand, 4))


def four_card(decision: DecisionLines, hand: Cards, up: int) -> str:
    key, dealt = best_four(hand), up // 4 + 2
    one_pair = naive.category(naive.FOUR_CARD, key) == "pair"

    def holds(words: str) -> bool:
        if words.startswith("up card "):
            return in_rank(words.removeprefix("up card "), dealt)
        known = {
            "one pair, above the up card": one_pair and key[1][0] > dealt,
            "one pair, not below the up card": one_pair and key[1][0] >= dealt,
            "a card of the up card's rank": any(card // 4 == up // 4 for card in hand),
            "no card of the up card's rank": all(card // 4 != up // 4 for card in hand),
        }
        return known[words] if words in known else is_so_good(naive.FOUR_CARD, key, words)

    return follow(decision.lines, holds)


def super_three_card(decision: DecisionLines, hand: Cards, up: int) -> str:
    low, high = sorted(card // 4 + 2 for card in hand)
    dealt = up // 4 + 2
    pair, suited = low == high, hand[0] % 4 == hand[1] % 4
    steps = {high - low, *({low - 1} if high == 14 else set())}
    in_a_row, to_straight = not pair and 1 in steps, not pair and bool(steps & {1, 2})
    known = {
        "a pair": pair,
        "no pair": not pair,
        "a pair or two of a suit": pair or suited,
        "a pair, two of a suit or two in a row": pair or suited or in_a_row,
        "a pair, two of a suit or two to a straight": pair or suited or to_straight,
        "neither a pair nor two of a suit": not pair and not suited,
        "two of a suit": suited,
        "two suits": not suited,
        "two in a row": in_a_row,
        "not two in a row": not in_a_row,
        "two to a straight": to_straight,
        "not two to a straight": not to_straight,
        "a card of the up card's rank": dealt in (low, high),
        "no card of the up card's rank": dealt not in (low, high),
    }
    for name, value in (("high", high), ("low", low)):
        known[f"{name} card above the up card"] = value > dealt
        known[f"{name} card not below the up card"] = value >= dealt
        known[f"{name} card not above the up card"] = value <= dealt
        known[f"{name} card below the up card"] = value < dealt

    def holds(words: str) -> bool:
        if words in known:
            return known[words]
        which, _, said = words.partition(" card ")
        return in_rank(said, {"high": high, "low": low, "up": dealt}[which])

    return follow(decision.lines, holds)


def _near(hand: Cards) -> tuple[dict[str, bool], list[int]]:
    """What a hand of three or four cards of Deuces Wild is near to, and its natural ranks from the highest down."""
    natural = [card for card in hand if card >= 4 and card != naive.JOKER]
    ranks = sorted((card // 4 + 2 for card in natural), reverse=True)
    wild, number = len(hand) - len(natural), {3: "three", 4: "four"}[len(hand)]
    pair = len(set(ranks)) < len(ranks)
    flush = len({card % 4 for card in natural}) <= 1
    windows = [range(low, low + 5) for low in range(1, 11)]
    straight = not pair and any(all(r in w or (r == 14 and 1 in w) for r in ranks) for w in windows)
    in_a_row = wild == 0 and not pair and ranks[0] - ranks[-1] == len(hand) - 1
    known = {
        "no wild card": wild == 0,
        "a wild card": wild >= 1,
        "a pair of natural cards": pair,
        "no pair of natural cards": not pair,
        "a wild card or a pair": wild > 0 or pair,
        "neither a wild card nor a pair": wild == 0 and not pair,
        **{f"{several} wild cards": wild >= least for least, several in ((2, "two"), (3, "three"), (4, "four"))},
    }
    for what, there in (
        ("to a flush", flush),
        ("to a straight", straight),
        ("to a straight flush", straight and flush),
        ("in a row", in_a_row),
    ):
        known[f"{number} {what}"] = there
        known[f"not {number} {what}"] = not there
    return known, ranks


def _natural_holds(known: dict[str, bool], ranks: list[int], words: str) -> bool:
    if words in known:
        return known[words]
    which, _, said = words.partition(" natural card ")
    if which == "middle":
        return len(ranks) == 3 and in_rank(said, ranks[1])
    # Of no natural cards all are as high and as low as anybody says.
    value = (ranks[0] if ranks else 2) if which == "highest" else (ranks[-1] if ranks else 14)
    return in_rank(said, value)


def deuces_wild(strategy: Strategy, hand: Cards) -> str:
    known, ranks = _near(hand)
    return follow(strategy.decisions[len(hand) - 3].lines, lambda words: _natural_holds(known, ranks, words))


def fortune(decision: DecisionLines, hand: Cards) -> frozenset[int]:
    """The cards selected for the Five Card Fortune."""
    known, ranks = _near(hand)
    wild = [card for card in hand if card < 4 or card == naive.JOKER]
    natural = [card for card in hand if card not in wild]
    suits = [card % 4 for card in natural]
    natural.sort(key=lambda card: (card // 4, -suits.count(card % 4)), reverse=True)
    three = natural if not wild else [-1, -6, -11]
    known["the two highest a pair"] = three[0] // 4 == three[1] // 4
    known["the two lowest a pair"] = three[1] // 4 == three[2] // 4
    known["the two highest of a suit"] = not wild and three[0] % 4 == three[1] % 4
    known["the two lowest of a suit"] = not wild and three[1] % 4 == three[2] % 4
    known["the highest of the suit of the lowest"] = not wild and three[0] % 4 == three[2] % 4
    answer = follow(decision.lines, lambda words: _natural_holds(known, ranks, words))
    if answer == "all wild cards":
        return frozenset(wild or natural[:1])
    place = ("highest", "middle", "lowest").index(answer.removesuffix(" natural card"))
    return frozenset([natural[min(place, len(natural) - 1)]] if natural else wild)


Setting = tuple[naive.Key, naive.Key]


def _settings(hand: Cards) -> list[Setting]:
    found = []
    for high in combinations(hand, 3):
        low = [card for card in hand if card not in high]
        one, other = naive.key(naive.THREE_CARD, high), naive.key(naive.THREE_CARD, low)
        if one >= other:
            found.append((one, other))
    return found


def _set_by(way: str, found: list[Setting]) -> Setting:
    """Set the hands as the question of the strategy says."""
    first, last = way.split(", ")

    def order(setting: Setting) -> tuple[int, int, int, naive.Key, naive.Key]:
        high, low = setting
        kinds = (low[0], high[0]) if first == "Low first" else (high[0], low[0])
        paired = low[1][0] if naive.category(naive.THREE_CARD, low) == "pair" else 0
        return (*kinds, 0, low, high) if last == "best Low" else (*kinds, paired, high, low)

    return max(found, key=order)


def high_low(strategy: Strategy, hand: Cards) -> tuple[naive.Key, naive.Key, bool]:
    """The High Hand, the Low Hand and whether both are doubled."""
    setting_lines, double_lines = strategy.decisions
    found = _settings(hand)
    sides = {way: _set_by(f"{way}, best Low", found) for way in ("Low first", "High first")}

    def set_holds(words: str) -> bool:
        way, _, made = words.partition(" makes ")
        side, _, said = made.partition(" ")
        return is_so_good(naive.THREE_CARD, sides[way][("High", "Low").index(side)], said)

    setting = _set_by(follow(setting_lines.lines, set_holds), found)

    def double_holds(words: str) -> bool:
        side, _, said = words.partition(" ")
        return is_so_good(naive.THREE_CARD, setting[("High", "Low").index(side)], said)

    return *setting, follow(double_lines.lines, double_holds) == "double"
