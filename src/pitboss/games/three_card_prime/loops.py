"""Counting Three Card Prime: how often each facts code occurs. No pay, qualifier or tie rule is in here."""

from collections.abc import Callable
from functools import lru_cache, partial
from math import comb
from typing import Any

import numpy

from pitboss.games.three_card_prime import facts
from pitboss.poker import three_card_tables
from pitboss.rules.counting import CountingContext, Counts, DecisionLevel, plain_counts
from pitboss.rules.facts import Hands, encode

_, _PLAY_MASKS, _, _COMPARISONS, _QUALIFIED = facts.AntePlay.bounds()
ANTE_PLAY_COLUMNS = _COMPARISONS * _QUALIFIED


def count(wager: str, context: CountingContext) -> Counts:
    """Count one wager."""
    counters: dict[str, Callable[[CountingContext], Counts]] = {
        "ante-play": _count_ante_play,
        "prime": _count_prime,
        "pair-bonus": partial(_count_fourth_card, wager="pair-bonus"),
        "final-four": partial(_count_fourth_card, wager="final-four"),
        "all-six": partial(_count_sets, wager="all-six", size=6, loop=loop_all_six, events=facts.ALL_SIX_EVENTS),
        "all-seven": partial(
            _count_sets, wager="all-seven", size=7, loop=loop_all_seven, events=facts.ALL_SEVEN_EVENTS
        ),
    }
    return counters[wager](context.without_readings)


def column_of(read: facts.AntePlay) -> int:
    """Where a deal is counted: comparison and qualifier."""
    return read.comparison * 2 + read.qualified


def group_of(read: facts.AntePlay) -> int:
    """What all deals to a player's hand share: what it makes."""
    return read.events * 2 + read.flush


def loop_ante_play(start: int, stop: int, hands: Any, ranks: int, tables: Any, counts: Any, groups: Any) -> None:
    """Against every dealer's hand, count comparison and qualifier; the group is what the player's hand makes."""
    for node in range(start, stop):
        a, b, c = hands[node, 0] + 0, hands[node, 1] + 0, hands[node, 2] + 0
        for x in range(4 * ranks):
            if x in (a, b, c):
                continue
            for y in range(x + 1, 4 * ranks):
                if y in (a, b, c):
                    continue
                for z in range(y + 1, 4 * ranks):
                    if z in (a, b, c):
                        continue
                    read = facts.read_ante_play(Hands((a, b, c, 0), (x, y, z), (1,), (0, 0)), tables)
                    counts[node, 0, column_of(read)] += 1
                    groups[node, 0] = group_of(read)


def ante_play_codes() -> Any:
    """Return the facts code by decision (play, fold), group and column."""
    bounds = facts.AntePlay.bounds()
    codes = numpy.zeros((2, 2 * _PLAY_MASKS, ANTE_PLAY_COLUMNS), dtype=numpy.int64)
    for group in range(2 * _PLAY_MASKS):
        for column in range(ANTE_PLAY_COLUMNS):
            played = (1, group // 2, group % 2, column // 2, column % 2)
            codes[0, group, column] = encode(played, bounds)
            codes[1, group, column] = encode((0, 0, 0, 0, 0), bounds)
    return codes


@lru_cache(maxsize=4)
def _count_ante_play(context: CountingContext) -> Counts:
    hands, weights = context.classes(3)
    counts = numpy.zeros((len(hands), 1, ANTE_PLAY_COLUMNS), dtype=numpy.int64)
    groups = numpy.zeros((len(hands), 1), dtype=numpy.int64)
    tables = context.arrays(three_card_tables())
    loop = context.compiled(loop_ante_play)
    context.spread(lambda start, stop: loop(start, stop, hands, context.ranks, tables, counts, groups), len(hands))
    level = DecisionLevel(
        decisions=("play", "fold"),
        branches=(0, 0),
        weights=weights,
        counts=counts,
        groups=groups,
        codes=ante_play_codes(),
    )
    total = comb(context.cards, 3) * comb(context.cards - 3, 3)
    return Counts(
        wager="ante-play",
        total=total,
        levels=(level,),
        method="every player's hand by suit class against every dealer's",
    )


def _count_prime(context: CountingContext) -> Counts:
    """Colors alone matter: count by how many red cards each hand holds, on cards that stand for each number."""
    histogram = numpy.zeros(1 << len(facts.PRIME_EVENTS), dtype=numpy.int64)
    half = context.cards // 2
    reds, blacks = [1, 5, 2, 6, 9, 10], [0, 4, 3, 7, 8, 11]
    for player_red in range(4):
        for dealer_red in range(4):
            player = reds[:player_red] + blacks[: 3 - player_red]
            dealer = reds[player_red : player_red + dealer_red] + blacks[3 - player_red : 6 - player_red - dealer_red]
            events = facts.read_prime(Hands(player, dealer, (), ()), three_card_tables()).events
            ways = comb(half, player_red) * comb(half, 3 - player_red)
            ways *= comb(half - player_red, dealer_red) * comb(half - 3 + player_red, 3 - dealer_red)
            histogram[events] += ways
    return plain_counts("prime", histogram, "by the number of red cards in each hand")


def loop_fourth_card(
    start: int, stop: int, hands: Any, weights: Any, ranks: int, tables: Any, pairs: Any, fours: Any
) -> None:
    """With every set-aside card, count Pair Bonus and Final Four; each suit in turn plays the diamonds."""
    for node in range(start, stop):
        for shift in range(4):
            a = hands[node, 0] // 4 * 4 + (hands[node, 0] + shift) % 4
            b = hands[node, 1] // 4 * 4 + (hands[node, 1] + shift) % 4
            c = hands[node, 2] // 4 * 4 + (hands[node, 2] + shift) % 4
            for d in range(4 * ranks):
                if d in (a, b, c):
                    continue
                cards = Hands((a, b, c, d), (0, 0, 0), (1,), (0, 0))
                bonus = facts.read_pair_bonus(cards, tables)
                pairs[bonus.events * 2 + bonus.deuce] += weights[node]
                fours[facts.read_final_four(cards, tables).events] += weights[node]


def _count_fourth_card(context: CountingContext, wager: str) -> Counts:
    hands, weights = context.classes(3)
    pairs = numpy.zeros(2 << len(facts.PAIR_BONUS_EVENTS), dtype=numpy.int64)
    fours = numpy.zeros(1 << len(facts.FINAL_FOUR_EVENTS), dtype=numpy.int64)
    loop = context.compiled(loop_fourth_card)
    loop(0, len(hands), hands, weights, context.ranks, context.arrays(three_card_tables()), pairs, fours)
    histogram = pairs if wager == "pair-bonus" else fours
    return plain_counts(wager, histogram // 4, "every hand by suit class with every fourth card")


def loop_all_six(start: int, stop: int, sets: Any, weights: Any, tables: Any, histogram: Any) -> None:
    """Over every set of six cards; each suit in turn plays the diamonds."""
    for node in range(start, stop):
        for shift in range(4):
            a = sets[node, 0] // 4 * 4 + (sets[node, 0] + shift) % 4
            b = sets[node, 1] // 4 * 4 + (sets[node, 1] + shift) % 4
            c = sets[node, 2] // 4 * 4 + (sets[node, 2] + shift) % 4
            x = sets[node, 3] // 4 * 4 + (sets[node, 3] + shift) % 4
            y = sets[node, 4] // 4 * 4 + (sets[node, 4] + shift) % 4
            z = sets[node, 5] // 4 * 4 + (sets[node, 5] + shift) % 4
            events = facts.read_all_six(Hands((a, b, c, 0), (x, y, z), (1,), (0, 0)), tables).events
            histogram[events] += weights[node]


def loop_all_seven(start: int, stop: int, sets: Any, weights: Any, tables: Any, histogram: Any) -> None:
    """Over every set of seven cards."""
    for node in range(start, stop):
        a, b, c, d = sets[node, 0] + 0, sets[node, 1] + 0, sets[node, 2] + 0, sets[node, 3] + 0
        x, y, z = sets[node, 4] + 0, sets[node, 5] + 0, sets[node, 6] + 0
        events = facts.read_all_seven(Hands((a, b, c, d), (x, y, z), (1,), (0, 0)), tables).events
        histogram[events] += weights[node]


def _count_sets(
    context: CountingContext, wager: str, size: int, loop: Callable[..., None], events: tuple[str, ...]
) -> Counts:
    """Count over sets of cards whose division into player's and dealer's cards does not matter."""
    sets, weights = context.classes(size)
    run, tables = context.compiled(loop), context.arrays(three_card_tables())

    def piece(start: int, stop: int) -> Any:
        histogram = numpy.zeros(1 << len(events), dtype=numpy.int64)
        run(start, stop, sets, weights, tables, histogram)
        return histogram

    histogram = sum(context.spread(piece, len(sets)))
    splits = comb(size, 3)
    # Where each suit in turn played the diamonds every set was counted four times.
    histogram = histogram // (int(histogram.sum()) // comb(context.cards, size)) * splits
    return plain_counts(wager, histogram, f"every set of {size} cards by suit class, {splits} divisions each")
