"""Deuces Wild as a naive tree on a shortened deck: every card in turn, the game's own questions, facts and settlement."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from fractions import Fraction
from functools import cache
from itertools import combinations
from typing import Any

from pitboss.games import find_game
from pitboss.games.deuces_wild import loops
from pitboss.odds.context import NumbaContext, count
from pitboss.odds.pricing import Priced, UnitPays, best_decisions, price, unit_pays
from pitboss.poker.made import is_wild
from pitboss.rules import Seat, Terms, TermsInput, make_terms
from pitboss.rules.counting import Counts
from pitboss.rules.facts import Hands
from pitboss.rules.outcomes import Outcome
from pitboss.rules.pays import ToOne

GAME = find_game("deuces-wild")
ANTE, TREASURE, FORTUNE, JACKPOT = "ante-play-raise", "three-card-treasure", "five-card-fortune", "bonus-jackpot"
APR = tuple(f"APR-{letter}" for letter in "ABCDEF")
FCF = tuple(f"FCF-{letter}" for letter in "ABC")
READINGS = {"fortune_after_raise": "player_selects"}
FULL = NumbaContext()
SHORT = (3, 4)  # so many ranks, with the joker: 13 and 17 cards


# On a short deck nobody folds under a printed table: there are too many wild cards. Under this one some do, at three and
# at four cards.
POOR = "poor"
_POOR_PAYS = {
    "Wild Royal Flush": "5",
    "Five of a Kind": "5",
    "Straight Flush": "3",
    **dict.fromkeys(("Four of a Kind", "Full House", "Flush", "Straight", "Three of a Kind", "Two Pair"), "Loss"),
}


@cache
def terms_of(wager: str, table: str) -> Terms:
    stated = {"id": "APR-A", "pays": _POOR_PAYS} if table == POOR else table
    terms, problems = make_terms(GAME, TermsInput(paytables={wager: [stated]}, readings=READINGS))
    assert () == problems
    return terms


@cache
def pays_of(wager: str, table: str) -> UnitPays:
    return unit_pays(GAME.by_name[wager], terms_of(wager, table))


@cache
def counted(wager: str, ranks: int = 13) -> Counts:
    return count(GAME, wager, NumbaContext(ranks=ranks))


@cache
def ante_choices(ranks: int, table: str) -> list[Any]:
    return best_decisions(counted(ANTE, ranks), pays_of(ANTE, table))


@cache
def beside_ante(ranks: int, table: str) -> Counts:
    earlier = None if table == "APR-A" else beside_ante(ranks, "APR-A")
    return loops.fortune_beside_ante(NumbaContext(ranks=ranks), ante_choices(ranks, table), earlier)


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
def read(
    wager: str, cards: tuple[int, ...], board: tuple[int, ...], choices: tuple[int, ...], reading: int = 0
) -> tuple[int, ...]:
    return GAME.by_name[wager].read(Hands(cards, board, choices, (reading,)), None)


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
    """What a selection makes for a hand that did not raise, which is the same in both readings."""
    choices = GAME.choices({"fortune": option}, option)
    made = read(FORTUNE, option, board, choices)
    assert made == read(FORTUNE, option, board, choices, 1)
    return made


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
