"""Deuces Wild counted: against a naive tree on a shortened deck, against plain loops, by second roads and published figures."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from fractions import Fraction
from functools import cache
from itertools import combinations, combinations_with_replacement
from math import comb
from random import Random
from typing import Any

import numpy as np
import pytest

from pitboss.games import find_game
from pitboss.games.deuces_wild import loops
from pitboss.games.deuces_wild.facts import FOLDED_AT_FOUR, FOLDED_AT_THREE, RAISED, fortune_made
from pitboss.odds.kit import CountingKit, count
from pitboss.odds.pricing import Priced, UnitPays, best_decisions, price, unit_pays
from pitboss.poker.made import WILD_FIVE_EVENTS, is_wild, wild_five_card_made
from pitboss.rules import Outcome, Seat, Stated, Terms, make_terms
from pitboss.rules.counts import Counts
from pitboss.rules.facts import Hands, encode
from pitboss.rules.pays import ToOne
from tests.poker import made_twin

GAME = find_game("deuces-wild")
ANTE, TREASURE, FORTUNE, JACKPOT = "ante-play-raise", "three-card-treasure", "five-card-fortune", "bonus-jackpot"
APR = tuple(f"APR-{letter}" for letter in "ABCDEF")
FCF = tuple(f"FCF-{letter}" for letter in "ABC")
READINGS = {"fortune_after_raise": "player_selects"}
FULL = CountingKit()
SHORT = (3, 4)  # so many ranks, with the joker: 13 and 17 cards

# Appendix A and C as printed, an event for an event of `made_twin`; a push is nothing won and nothing lost.
EVENTS = (
    "natural royal flush",
    "five wild cards",
    "wild royal flush",
    "five of a kind",
    "straight flush",
    "quads",
    "full house",
    "flush",
    "straight",
    "trips",
    "two pair",
)
PRINTED = {
    "APR-A": (250, None, 30, 20, 10, 4, 4, 3, 3, 1, 1),
    "APR-B": (100, None, 30, 20, 10, 4, 4, 3, 3, 1, 1),
    "APR-C": (250, None, 40, 15, 8, 4, 4, 3, 3, 1, 1),
    "APR-D": (250, None, 35, 20, 8, 5, 4, 3, 2, 1, 1),
    "APR-E": (250, None, 30, 20, 9, 5, 4, 3, 2, 1, 1),
    "APR-F": (250, None, 30, 20, 10, 5, 4, 3, 2, 1, 1),
    "FCF-A": (400, 75, 20, 7, 5, 4, 3, 2, 1, 0, 0),
    "FCF-B": (500, 100, 20, 12, 8, 3, 3, 2, 1, 0, 0),
    "FCF-C": (400, 200, 25, 10, 5, 3, 3, 2, 1, 0, 0),
}

# Optimal expectations. The roads of each: the counts priced through the settlement, and the second one named.
BY_KINDS = {  # a tree over kinds of hands, events by substitution, pays as printed
    "APR-A": Fraction(-39_684, 2_049_775),
    "APR-B": Fraction(-289_788, 14_348_425),
    "APR-C": Fraction(-363_508, 14_348_425),
    "APR-D": Fraction(-452_588, 14_348_425),
    "APR-E": Fraction(-479_728, 14_348_425),
    "APR-F": Fraction(-406_768, 14_348_425),
}
BY_PLAIN_LOOPS = {  # every community for every three cards, events by substitution, pays as printed
    "FCF-A": Fraction(-250_781_131, 674_375_975),
    "FCF-B": Fraction(-519_187_047, 1_348_751_950),
    "FCF-C": Fraction(-40_763_069, 103_750_150),
}
BY_EVERY_HAND = {  # every three cards by substitution, pays as printed; wild cards by binomials
    "TCT-A": Fraction(-276, 11_713),
    "TCT-B": Fraction(-283, 11_713),
    "TCT-C": Fraction(-383, 11_713),
    "BJ-A": Fraction(-285_953, 573_937),
    "BJ-B": Fraction(-291_537, 573_937),
    "BJ-C": Fraction(-298_017, 573_937),
}


@cache
def terms_of(wager: str, table: str) -> Terms:
    terms, problems = make_terms(GAME, Stated(paytables={wager: [table]}, readings=READINGS))
    assert () == problems
    return terms


@cache
def pays_of(wager: str, table: str) -> UnitPays:
    return unit_pays(GAME.by_name[wager], terms_of(wager, table))


@cache
def counted(wager: str, ranks: int = 13) -> Counts:
    return count(GAME, wager, CountingKit(ranks=ranks))


@cache
def ante_choices(ranks: int, table: str) -> list[Any]:
    return best_decisions(counted(ANTE, ranks), pays_of(ANTE, table))


@cache
def beside_ante(ranks: int, table: str) -> Counts:
    earlier = None if table == "APR-A" else beside_ante(ranks, "APR-A")
    return loops.fortune_beside_ante(CountingKit(ranks=ranks), ante_choices(ranks, table), earlier)


def sums_of(priced: Priced, pays: UnitPays) -> tuple[int, int]:
    """The sum of what is won and lost over all deals, and of its squares; all pays are whole stakes."""
    assert 1 == pays.scale
    worth = sum(int(pays.net[code]) * number for code, number in priced.histogram.items())
    return worth, sum(int(pays.net[code]) ** 2 * number for code, number in priced.histogram.items())


def expectation(priced: Priced, pays: UnitPays) -> Fraction:
    return Fraction(sums_of(priced, pays)[0], priced.total)


# The naive tree: every card in turn, the game's own questions, facts and settlement.


def result(outcome: Outcome) -> tuple[int, int]:
    """What the chips won or lost, and how much was at risk."""
    net = risk = Fraction(0)
    for part in outcome.parts:
        risk += part.multiple
        net += 0 if part.returned else -part.multiple
        for prize in part.prizes:
            assert isinstance(prize, ToOne)
            net += prize.times * part.multiple
    assert net == int(net)
    assert risk == int(risk)
    return int(net), int(risk)


@cache
def settled(wager: str, table: str, facts: tuple[int, ...]) -> tuple[int, int]:
    return result(GAME.by_name[wager].settle(GAME.by_name[wager].facts(*facts), terms_of(wager, table)))


@cache
def read(wager: str, cards: tuple[int, ...], board: tuple[int, ...], choices: tuple[int, ...]) -> tuple[int, ...]:
    return GAME.by_name[wager].read(Hands(cards, board, choices, (0,)), None)


def options_of(wagers: Iterable[str], cards: tuple[int, ...], key: str, **decisions: Any) -> tuple[Any, ...]:
    question = GAME.question(Seat(1, dict.fromkeys(wagers, 100), cards, decisions), READINGS)
    assert question is not None
    assert key == question.key
    return question.options()


Figures = tuple[int, int, int]  # sums of net results, of stakes and of squares


def add(figures: Iterable[Figures]) -> Figures:
    worth, risk, spread = zip(*figures, strict=True)
    return sum(worth), sum(risk), sum(spread)


def figures(wager: str, table: str, facts: tuple[int, ...]) -> Figures:
    net, risk = settled(wager, table, facts)
    return net, risk, net * net


def best_first(found: Sequence[Figures]) -> int:
    """G-18: worth most; then the smaller wager, the smaller variance, the first."""
    return min(range(len(found)), key=lambda option: (-found[option][0], *found[option][1:], option))


def deck_of(ranks: int) -> tuple[int, ...]:
    return (*range(4 * ranks), 52)


def naive_ante(ranks: int, table: str) -> tuple[Figures, Counter[tuple[str, bool]], dict[tuple[int, ...], bool]]:
    """The figures of optimal play over all deals, how often each decision is taken, and who plays on."""
    deck = deck_of(ranks)
    at_four = (len(deck) - 3) * (len(deck) - 4)
    taken: Counter[tuple[str, bool]] = Counter()
    total: list[Figures] = []
    plays: dict[tuple[int, ...], bool] = {}
    for three in combinations(deck, 3):
        found, after = [], Counter[tuple[str, bool]]()
        options = options_of((ANTE,), three, "play")
        for option in options:
            if option:
                fourths = [card for card in deck if card not in three]
                below = [naive_raise(deck, (*three, fourth), table) for fourth in fourths]
                found.append(add(value for value, _ in below))
                after.update(("raise", raised) for _, raised in below)
            else:
                folded = figures(ANTE, table, read(ANTE, three, (), GAME.choices({"play": option}, three)))
                found.append((at_four * folded[0], at_four * folded[1], at_four * folded[2]))
        choice = options[best_first(found)]
        total.append(found[best_first(found)])
        plays[three] = choice
        taken["play", choice] += 1
        taken.update(after if choice else {})
    return add(total), taken, plays


@cache
def fifths_of(deck: tuple[int, ...], four: tuple[int, ...]) -> list[tuple[int, ...]]:
    decided = GAME.choices({"play": True, "raise": True}, four)
    return [read(ANTE, tuple(sorted((*four, card))), (), decided) for card in deck if card not in four]


def naive_raise(deck: tuple[int, ...], four: tuple[int, ...], table: str) -> tuple[Figures, bool]:
    found = []
    options = options_of((ANTE,), four, "raise", play=True)
    for option in options:
        decided = GAME.choices({"play": True, "raise": option}, four)
        folded = [read(ANTE, four, (), decided)] * (len(deck) - 4) if not option else []
        found.append(add(figures(ANTE, table, facts) for facts in folded or fifths_of(deck, tuple(sorted(four)))))
    return found[best_first(found)], options[best_first(found)]


Label = tuple[str, int]  # a natural card of this rank, or so many wild cards


def label_of(option: tuple[int, ...]) -> Label:
    return ("wild", len(option)) if is_wild(option[0]) else ("natural", option[0] // 4)


@cache
def community_facts(ranks: int, held: tuple[int, ...], option: tuple[int, ...]) -> Counter[tuple[int, ...]]:
    """What a selection makes with every community of the cards not held."""
    boards = list(combinations([card for card in deck_of(ranks) if card not in held], 4))
    # The other cards held do not matter: seen on one community of each hand, and not read again for every other.
    choices = GAME.choices({"fortune": option}, held)
    assert read(FORTUNE, held, boards[-1], choices) == read_selected(option, boards[-1])
    return Counter(read_selected(option, board) for board in boards)


@cache
def read_selected(option: tuple[int, ...], board: tuple[int, ...]) -> tuple[int, ...]:
    return read(FORTUNE, option, board, GAME.choices({"fortune": option}, option))


@cache
def naive_selection(ranks: int, held: tuple[int, ...], table: str) -> tuple[Figures, Label]:
    """The best selection from the cards held; of equals the highest natural card first, then fewer wild cards (G-18)."""
    if len(held) == 3:
        options = options_of((FORTUNE,), held, "fortune")
        assert options == options_of((ANTE, FORTUNE), held, "fortune", play=False)
    else:
        options = options_of((ANTE, FORTUNE), held, "fortune", play=True, **{"raise": False})
        assert options == options_of((ANTE, FORTUNE), held, "fortune", play=True, **{"raise": True})
    options = tuple(sorted(options, key=lambda option: (label_of(option)[0], len(option), -option[0])))
    found = []
    for option in options:
        facts = community_facts(ranks, held, option)
        each = [(figures(FORTUNE, table, made), number) for made, number in facts.items()]
        found.append(add((a * n, b * n, c * n) for (a, b, c), n in each))
    return found[best_first(found)], label_of(options[best_first(found)])


def labels_taken(counts: Counts, pays: UnitPays, hands: Any) -> Counter[Label]:
    """How often the counts take each selection, by rank or number of wild cards, from the cards of each node."""
    taken: Counter[Label] = Counter()
    (choices,) = best_decisions(counts, pays)
    by_name: Counter[str] = Counter()
    for hand, choice, weight in zip(hands.tolist(), choices.tolist(), counts.levels[0].weights.tolist(), strict=True):
        natural = [card for card in hand if card >= 0 and not is_wild(card)]
        taken[("wild", choice - 3) if choice >= 4 else ("natural", natural[choice] // 4)] += weight
        by_name[loops.SELECTIONS[choice]] += weight
    assert +by_name == +Counter(price(counts, pays, [choices]).decisions[0])
    return +taken


@pytest.mark.parametrize("ranks", SHORT)
@pytest.mark.parametrize("table", APR)
def test_dw_3_ante_play_raise_equals_the_naive_tree(ranks: int, table: str) -> None:
    pays = pays_of(ANTE, table)
    priced = price(counted(ANTE, ranks), pays)
    (worth, risk, spread), taken, _ = naive_ante(ranks, table)
    assert (worth, spread) == sums_of(priced, pays)
    assert risk == sum(pays.staked[code] * number for code, number in priced.histogram.items())
    at_three, at_four = priced.decisions
    assert (at_three["play"], at_three["fold"]) == (taken["play", True], taken["play", False])
    assert (at_four["raise"], at_four["fold"]) == (taken["raise", True], taken["raise", False])


@pytest.mark.parametrize("ranks", SHORT)
@pytest.mark.parametrize("table", FCF)
def test_dw_6_fortune_alone_equals_the_naive_tree(ranks: int, table: str) -> None:
    counts, pays = counted(FORTUNE, ranks), pays_of(FORTUNE, table)
    naive = [naive_selection(ranks, three, table) for three in combinations(deck_of(ranks), 3)]
    worth, _, spread = add(value for value, _ in naive)
    assert (worth, spread) == sums_of(price(counts, pays), pays)
    sets = loops.sets_of(CountingKit(ranks=ranks))
    assert Counter(label for _, label in naive) == labels_taken(counts, pays, sets.cards[sets.of_size(3)])


@pytest.mark.parametrize("table", FCF)
def test_dw_6_fortune_from_four_cards_equals_the_naive_tree(table: str) -> None:
    counts, pays = loops.fortune_from_four(CountingKit(ranks=3)), pays_of(FORTUNE, table)
    naive = [naive_selection(3, four, table) for four in combinations(deck_of(3), 4)]
    worth, _, spread = add(value for value, _ in naive)
    assert (worth, spread) == sums_of(price(counts, pays), pays)
    sets = loops.sets_of(CountingKit(ranks=3))
    assert Counter(label for _, label in naive) == labels_taken(counts, pays, sets.cards[sets.of_size(4)])


@pytest.mark.parametrize("ante", APR)
def test_dw_6_fortune_beside_the_ante_equals_the_naive_tree(ante: str) -> None:
    """The Ante as if alone; then a selection from three cards, or from four with the community of the other cards."""
    deck = deck_of(3)
    _, _, plays = naive_ante(3, ante)
    counts = beside_ante(3, ante)
    sets = loops.sets_of(CountingKit(ranks=3))
    for table in FCF:
        total, taken = [], Counter[Label]()
        for three, played in plays.items():
            if played:
                fours = [tuple(sorted((*three, card))) for card in deck if card not in three]
                below = [naive_selection(3, four, table) for four in fours]
                total += [value for value, _ in below]
                taken.update(label for _, label in below)
            else:
                # The unseen fourth card is any that is neither held nor in the community.
                (worth, risk, spread), label = naive_selection(3, three, table)
                unseen = len(deck) - 7
                total.append((worth * unseen, risk * unseen, spread * unseen))
                taken[label] += unseen
        pays = pays_of(FORTUNE, table)
        worth, _, spread = add(total)
        assert (worth, spread) == sums_of(price(counts, pays), pays)
        assert taken == labels_taken(counts, pays, sets.cards[sets.of_size(3).start :])


@pytest.mark.parametrize("wager", [TREASURE, JACKPOT])
@pytest.mark.parametrize("ranks", SHORT)
def test_dw_7_dw_8_wagers_without_a_decision_equal_every_hand(wager: str, ranks: int) -> None:
    size = 3 if wager == TREASURE else 5
    naive = Counter(read(wager, cards, (), ()) for cards in combinations(deck_of(ranks), size))
    histogram = counted(wager, ranks).levels[0].counts[0, 0]
    assert naive == Counter({(code,): number for code, number in enumerate(histogram.tolist()) if number})


@pytest.mark.parametrize("ranks", [2, 3, 13])
def test_counts_are_complete(ranks: int) -> None:
    deck = 4 * ranks + 1
    kit = CountingKit(ranks=ranks)
    assert comb(deck, 3) == counted(TREASURE, ranks).total
    assert comb(deck, 5) == counted(JACKPOT, ranks).total
    ante = counted(ANTE, ranks)
    assert comb(deck, 3) * (deck - 3) * (deck - 4) == ante.total
    at_three, at_four = ante.levels
    assert comb(deck, 3) == at_three.weights.sum()
    assert {deck - 4} == set(at_four.counts.sum(axis=2).ravel().tolist())
    assert at_four.parents is not None
    assert (np.diff(at_four.parents) >= 0).all()
    fourths = np.zeros(len(at_three.weights), dtype=np.int64)
    np.add.at(fourths, at_four.parents, at_four.weights)
    assert {deck - 3} == set(fourths.tolist())
    for size, counts in ((3, counted(FORTUNE, ranks)), (4, loops.fortune_from_four(kit))):
        level = counts.levels[0]
        assert comb(deck, size) == level.weights.sum()
        assert level.allowed is not None
        assert (level.counts >= 0).all()
        assert (level.counts.sum(axis=2) == level.allowed * comb(deck - size, 4)).all()


def test_the_nodes_after_a_play_are_the_sets_of_three_and_four_cards() -> None:
    """Each hand leads to the node of its set, whatever its suits and whichever wild cards it holds."""
    random = Random(6)
    sets = loops.sets_of(FULL)
    parents, fourths, _ = loops.fourth_cards(sets)
    known = set(zip(parents.tolist(), fourths.tolist(), strict=True))
    fours = counted(ANTE).levels[1].counts[:, 0]
    seen = dict(zip(fourths.tolist(), range(len(fourths)), strict=True))
    for _ in range(300):
        hand = random.sample(range(53), 4)
        suits = random.sample(range(4), 4)
        other = [card if card == 52 else card // 4 * 4 + suits[card % 4] for card in hand]
        three, four = loops.node_of(sets, hand[:3]), loops.node_of(sets, hand)
        assert (three, four) in known
        assert (three, four) == (loops.node_of(sets, other[:3]), loops.node_of(sets, other))
        assert sum(map(is_wild, hand)) == sets.wilds[sets.of_size(4)][four]
        made = Counter(wild_five_card_made((*hand, card)) for card in range(53) if card not in hand)
        assert sorted(made.values()) == sorted(number for number in fours[seen[four]].tolist() if number)


# Plain loops over the full deck


def _every_community(held: Any, selection: int, histogram: Any) -> None:
    board: Any = np.zeros(4, dtype=np.int64)
    for w in range(53):
        for x in range(w):
            for y in range(x):
                for z in range(y):
                    board[0], board[1], board[2], board[3] = w, x, y, z
                    free = True
                    for card in held:
                        if card in (w, x, y, z):
                            free = False
                    if free:
                        histogram[fortune_made(held, selection, board)] += 1


def sample_of_hands() -> list[tuple[int, ...]]:
    """Two random hands of three and one of four cards for each number of wild cards."""
    random = Random(53)
    hands = []
    for size, wild in ((3, 0), (3, 0), (3, 1), (3, 1), (3, 2), (3, 3), (4, 0), (4, 1), (4, 2), (4, 4)):
        hands.append((*random.sample((0, 1, 2, 3, 52), wild), *random.sample(range(4, 52), size - wild)))
    return [tuple(random.sample(hand, len(hand))) for hand in hands]


def test_dw_6_a_sample_of_hands_equals_every_community() -> None:
    counted(FORTUNE)
    loop = FULL.compiled(_every_community)
    hands = sample_of_hands()
    level = loops.fortune_of_hands(FULL, hands).levels[0]
    of_three, of_four = counted(FORTUNE).levels[0], loops.fortune_from_four(FULL).levels[0]
    sets = loops.sets_of(FULL)
    assert level.allowed is not None
    for node, hand in enumerate(hands):
        ordered = sorted(hand, key=lambda card: (not is_wild(card), -card))
        wild = sum(map(is_wild, hand))
        allowed = {wild + place: place for place in range(len(hand) - wild)}
        selections = [(1 << place, number) for place, number in allowed.items()]
        selections += [((1 << number) - 1, 3 + number) for number in range(1, wild + 1)]
        assert sorted(number for _, number in selections) == np.flatnonzero(level.allowed[node]).tolist()
        by_set = (of_three if len(hand) == 3 else of_four).counts[loops.node_of(sets, hand)]
        for selection, number in selections:
            histogram = np.zeros(2048, dtype=np.int64)
            loop(np.array(ordered, dtype=np.int64), selection, histogram)
            found = np.zeros(2048, dtype=np.int64)
            found[level.codes[number, 0]] = level.counts[node, number]
            assert comb(53 - len(hand), 4) == histogram.sum()
            assert histogram.tolist() == found.tolist()
        # The set has the same selections, equal ranks in any order.
        assert sorted(map(tuple, level.counts[node].tolist())) == sorted(map(tuple, by_set.tolist()))


def _plain_selections(
    start: int, stop: int, hands: Any, sizes: Any, wilds: Any, masks: Any, columns: Any, out: Any
) -> None:
    """Every community for every hand and selection; what five cards make stands by their ranks and whether suited."""
    five = np.zeros(5, dtype=np.int64)
    board = np.zeros(4, dtype=np.int64)
    for node in range(start, stop):
        size, wild = sizes[node], wilds[node]
        for selection in range(8):
            number = 1 if selection < 4 else selection - 3
            first = wild + selection if selection < 4 else 0
            if (selection < 4 and first >= size) or (selection >= 4 and number > wild):
                continue
            for w in range(53):
                for x in range(w):
                    for y in range(x):
                        for z in range(y):
                            free = True
                            for place in range(size):
                                card = hands[node, place]
                                if card in (w, x, y, z):
                                    free = False
                            if not free:
                                continue
                            board[0], board[1], board[2], board[3] = w, x, y, z
                            made = 0
                            for kept in range(16):
                                five[:] = 0
                                suits = count = key = 0
                                for place in range(4):
                                    if kept >> place & 1:
                                        count += 1
                                        if 4 <= board[place] < 52:
                                            five[place] = board[place] // 4
                                            suits |= 1 << board[place] % 4
                                if count != 5 - number:
                                    continue
                                if 4 <= hands[node, first] < 52:
                                    five[4] = hands[node, first] // 4
                                    suits |= 1 << hands[node, first] % 4
                                for place in range(1, 5):
                                    at = place
                                    while at > 0 and five[at - 1] > five[at]:
                                        five[at - 1], five[at] = five[at], five[at - 1]
                                        at -= 1
                                for place in range(5):
                                    key = key * 13 + five[place]
                                made |= masks[key * 2 + (1 if suits & (suits - 1) == 0 else 0)]
                            out[node, selection, columns[made]] += 1


@cache
def masks_by_substitution() -> Any:
    """By the ranks of five cards ascending (wild ones 0) and whether the natural ones are of one suit: what they make."""
    masks = np.zeros(2 * 13**5, dtype=np.int64)
    for ranks in combinations_with_replacement(range(13), 5):
        natural = [rank for rank in ranks if rank]
        if any(natural.count(rank) > 4 for rank in natural):
            continue
        key = 0
        for rank in ranks:
            key = key * 13 + rank
        for suited in (0, 1):
            if (suited and len(set(natural)) < len(natural)) or (not suited and len(natural) < 2):
                continue
            names = names_of_kind((tuple(natural), bool(suited)))
            masks[key * 2 + suited] = sum(1 << place for place, event in enumerate(EVENTS) if event in names)
    return masks


def best_pay(mask: int, table: str) -> int:
    """What the best event pays as printed; nothing made loses the stake."""
    return max((pay for place, pay in enumerate(PRINTED[table]) if pay is not None and mask >> place & 1), default=-1)


@pytest.mark.prove
def test_dw_6_all_hands_equal_plain_loops_with_events_by_substitution() -> None:
    """Every set of three cards with every community; of four cards a sample. Then the expectations as printed."""
    sets = loops.sets_of(FULL)
    loop = FULL.compiled(_plain_selections)
    masks = masks_by_substitution()
    chosen = sorted(Random(4).sample(range(sets.of_size(4).start, sets.of_size(4).stop), 60))
    for places, counts in (
        (np.arange(sets.of_size(3).start, sets.of_size(3).stop), counted(FORTUNE)),
        (np.array(chosen), loops.fortune_from_four(FULL)),
    ):
        level = counts.levels[0]
        found = level.codes[0, 0]
        columns = np.full(2048, -1, dtype=np.int64)
        columns[found] = range(len(found))
        size = int(sets.sizes[places[0]])
        given = (sets.cards[places], sets.sizes[places], sets.wilds[places], masks, columns)
        plain = np.zeros((len(places), 8, len(found)), dtype=np.int64)
        FULL.spread(lambda start, stop, given=given, plain=plain: loop(start, stop, *given, plain), len(places))  # type: ignore[misc]
        assert (plain == level.counts[places - sets.of_size(size).start]).all()
        for table in FCF if size == 3 else ():
            worth = plain @ np.array([best_pay(int(mask), table) for mask in found])
            worth[plain.sum(axis=2) == 0] = -comb(50, 4)
            total = int((worth.max(axis=1) * sets.weights[places]).sum())
            assert BY_PLAIN_LOOPS[table] == Fraction(total, comb(53, 3) * comb(50, 4))


# Second roads and exact expectations


Kind = tuple[tuple[int, ...], bool]  # the ranks of the natural cards in order, and whether they are of one suit


@cache
def names_of_kind(kind: Kind) -> frozenset[str]:
    """Everything that five cards of this kind are, by substitution for the wild ones."""
    ranks, suited = kind
    cards, taken = [], set()
    for place, rank in enumerate(ranks):
        suits = (0,) if suited else ((place % 2), 2, 3, 0, 1)
        card = next(4 * rank + suit for suit in suits if 4 * rank + suit not in taken)
        taken.add(card)
        cards.append(card)
    assert suited == (len({card % 4 for card in cards}) <= 1)
    return made_twin.names_of_wild_five([*cards, *(52, 0, 1, 2, 3)[len(ranks) :]])


def one_more_card(kind: Kind, cards: int) -> Iterator[tuple[Kind, int]]:
    """What a kind of hand becomes with one more card of 53, and by how many cards."""
    ranks, suited = kind
    yield kind, 5 - (cards - len(ranks))
    for rank in range(1, 13):
        more = tuple(sorted((*ranks, rank)))
        left = 4 - ranks.count(rank)
        in_suit = left if not ranks else 1 if suited and rank not in ranks else 0
        yield (more, True), in_suit
        yield (more, False), left - in_suit


def kinds_of_three() -> Counter[Kind]:
    kinds: Counter[Kind] = Counter({((), True): 1})
    for cards in range(3):
        grown: Counter[Kind] = Counter()
        for kind, ways in kinds.items():
            for more, number in one_more_card(kind, cards):
                grown[more] += ways * number
        kinds = +grown
    return kinds


@pytest.mark.parametrize("table", APR)
def test_dw_2_dw_3_ante_play_raise_by_kinds_of_hands(table: str) -> None:
    @cache
    def raised(kind: Kind) -> int:
        names = names_of_kind(kind)
        return 4 * best_pay(sum(1 << place for place, event in enumerate(EVENTS) if event in names), table)

    @cache
    def at_four(kind: Kind) -> int:
        return max(-2 * 49, sum(ways * raised(five) for five, ways in one_more_card(kind, 4) if ways))

    total = 0
    for kind, ways in kinds_of_three().items():
        played_on = sum(number * at_four(four) for four, number in one_more_card(kind, 3) if number)
        total += ways * max(-50 * 49, played_on)
    assert BY_KINDS[table] == Fraction(total, 53 * 52 * 51 * 50 * 49)


EXPECTED = [
    *((ANTE, table, value) for table, value in BY_KINDS.items()),
    *((FORTUNE, table, value) for table, value in BY_PLAIN_LOOPS.items()),
    *((TREASURE if table.startswith("TCT") else JACKPOT, table, value) for table, value in BY_EVERY_HAND.items()),
]


@pytest.mark.parametrize(("wager", "table", "expected"), EXPECTED)
def test_exact_expectations_of_optimal_play(wager: str, table: str, expected: Fraction) -> None:
    """The first road: counted, and priced through the settlement; the meter of a jackpot counts nothing."""
    pays = pays_of(wager, table)
    assert expected == expectation(price(counted(wager), pays), pays)


@pytest.mark.parametrize(("table", "played", "raised"), [("APR-A", 9_926, 484_744), ("APR-F", 9_566, 473_944)])
def test_how_often_optimal_play_plays_and_raises(table: str, played: int, raised: int) -> None:
    at_three, at_four = price(counted(ANTE), pays_of(ANTE, table)).decisions
    assert {"play": played, "fold": 23_426 - played} == at_three
    assert {"raise": raised, "fold": 50 * played - raised} == at_four


def test_dw_8_three_card_treasure_by_substitution() -> None:
    printed = {"TCT-A": (20, 6, 5, 2, 2), "TCT-B": (25, 5, 4, 3, 1), "TCT-C": (25, 5, 4, 2, 2)}
    events = ("mini-royal", "straight flush", "trips", "straight", "flush")
    hands = [made_twin.names_of_wild_three(hand) for hand in combinations(range(53), 3)]
    for table, pays in printed.items():
        won = dict(zip(events, pays, strict=True))
        total = sum(max((won[name] for name in names), default=-1) for names in hands)
        assert BY_EVERY_HAND[table] == Fraction(total, comb(53, 3))


def test_anchor_dw_7_wild_cards_in_five_of_53_cards() -> None:
    """The binomials, and the jackpot tables as printed: for 1, the Bonus counting nothing."""
    wild = [comb(5, held) * comb(48, 5 - held) for held in range(6)]
    assert comb(53, 5) == sum(wild)
    histogram = counted(JACKPOT).levels[0].counts[0, 0]
    assert {0: wild[0] + wild[1], 0b1000: wild[2], 0b1100: wild[3], 0b1110: wild[4], 0b1111: wild[5]} == {
        code: number for code, number in enumerate(histogram.tolist()) if number
    }
    for table, prizes in {"BJ-A": (250, 15, 7), "BJ-B": (400, 40, 5), "BJ-C": (500, 35, 5)}.items():
        paid = wild[4] * prizes[0] + wild[3] * prizes[1] + wild[2] * prizes[2]
        assert BY_EVERY_HAND[table] == Fraction(paid, comb(53, 5)) - 1


BESIDE = {
    ("APR-A", "FCF-A"): Fraction(-17_501_644_627, 62_042_589_700),
    ("APR-A", "FCF-B"): Fraction(-17_968_759_023, 62_042_589_700),
    ("APR-A", "FCF-C"): Fraction(-2_650_690_641, 8_863_227_100),
    ("APR-F", "FCF-A"): Fraction(-193_228_951, 681_786_700),
    ("APR-F", "FCF-B"): Fraction(-180_470_250, 620_425_897),
    ("APR-F", "FCF-C"): Fraction(-84_308_541, 280_735_700),
}


def test_dw_6_fortune_beside_the_ante_pinned() -> None:
    """The second road adds up what three and four cards are worth, each as the plain loops found them."""
    sets = loops.sets_of(FULL)
    parents, fourths, ways = loops.fourth_cards(sets)
    weights = sets.weights[sets.of_size(3)]
    for (ante, table), expected in BESIDE.items():
        pays = pays_of(FORTUNE, table)
        assert expected == expectation(price(beside_ante(13, ante), pays), pays)
        three, four = (values_of(counts, table) for counts in (counted(FORTUNE), loops.fortune_from_four(FULL)))
        plays = ante_choices(13, ante)[0] == 0
        at_four = np.zeros(len(weights), dtype=np.int64)
        np.add.at(at_four, parents, ways * four[fourths])
        total = int((weights * np.where(plays, at_four, 46 * three)).sum())
        assert expected == Fraction(total, comb(53, 3) * 50 * comb(49, 4))


def values_of(counts: Counts, table: str) -> Any:
    """What the best selection of every node is worth over its communities, as printed."""
    level = counts.levels[0]
    worth = level.counts @ np.array([best_pay(int(mask), table) for mask in level.codes[0, 0]])
    assert level.allowed is not None
    return np.where(level.allowed == 1, worth, worth.min() - 1).max(axis=1)


def test_the_events_of_the_twin_are_those_of_the_facts() -> None:
    assert EVENTS == WILD_FIVE_EVENTS


# Wild Hold'em Fold'em: 52 cards, four deuces and a pair of aces of their own

FOUR_DEUCES, PAIR_OF_ACES, MASKS = 1 << 11, 1 << 12, 1 << 13


def _wild_holdem(start: int, stop: int, fours: Any, fifths: Any, made: Any) -> None:
    for node in range(start, stop):
        a, b, c, d = fours[node, 0], fours[node, 1], fours[node, 2], fours[node, 3]
        for column in range(fifths.shape[1]):
            e = fifths[node, column]
            if e >= 0:
                wild = aces = 0
                for card in (a, b, c, d, e):
                    wild += 1 if is_wild(card) else 0
                    aces += 1 if 48 <= card < 52 else 0
                mask = wild_five_card_made((a, b, c, d, e))
                made[node, column] = mask | (2048 if wild == 4 else 0) | (4096 if wild + aces >= 2 else 0)


def test_anchor_relative_wild_holdem_foldem() -> None:
    """1000/200 four deuces/30/20/10/4/4/4/3/1/1; a pair of aces pays the Ante 1 to 1 and pushes the rest."""
    counted(ANTE)
    counts = loops.ante_play_raise(FULL, joker=False, loop=_wild_holdem, masks=MASKS)
    assert comb(52, 3) * 49 * 48 == counts.total
    net, staked = [Fraction(0)] * (3 * MASKS), [0] * (3 * MASKS)
    net[encode((FOLDED_AT_THREE, 0), (3, MASKS))], staked[encode((FOLDED_AT_THREE, 0), (3, MASKS))] = Fraction(-1), 1
    net[encode((FOLDED_AT_FOUR, 0), (3, MASKS))], staked[encode((FOLDED_AT_FOUR, 0), (3, MASKS))] = Fraction(-2), 2
    odds = (1000, 0, 30, 20, 10, 4, 4, 4, 3, 1, 1, 200)
    for mask in range(MASKS):
        won = max((4 * pay for place, pay in enumerate(odds) if mask >> place & 1), default=0)
        code = encode((RAISED, mask), (3, MASKS))
        net[code], staked[code] = Fraction(won or (1 if mask & PAIR_OF_ACES else -4)), 4
    pays = UnitPays(tuple(net), tuple(staked), (Fraction(0),) * len(net), ())
    priced = price(counts, pays)
    assert "6.86" == f"{float(-expectation(priced, pays) * 100):.2f}"
    assert "38.1" == f"{priced.decisions[0]['play'] / comb(52, 3) * 100:.1f}"
