"""Properties of the odds of every wager of all games: no strategy beats the optimal one, larger pays, suits, sums of one.

Wagers are counted on shortened decks, and on the full deck where that is quick.
"""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction
from functools import cache
from itertools import permutations
from random import Random
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from pitboss.cards import parse_cards
from pitboss.games import all_games, find_game
from pitboss.odds.pricing import UnitPays, best_decisions, price, unit_pays
from pitboss.odds.printed import catalogue
from pitboss.odds.results import OddsResult
from pitboss.odds.solving import counts_of
from pitboss.poker.made import is_wild
from pitboss.rules import Game, PayTable, Terms, TermsInput, Wager, make_terms
from pitboss.rules.counting import Counts, DecisionLevel
from pitboss.rules.facts import Hands
from pitboss.rules.pays import Dollars, ForOne, Loss, OfMeter, Push, ToOne
from tests.examples import examples
from tests.odds.tree import analysed

TCP, DW, STC, FCP, TDP = (game.name for game in all_games())
RANKS = {TCP: 4, DW: 3, STC: 2, FCP: 3, TDP: 3}
QUICK = {
    (TCP, "prime"),
    (TCP, "pair-bonus"),
    (TCP, "final-four"),
    (DW, "three-card-treasure"),
    (DW, "bonus-jackpot"),
    (STC, "big-hand-bonus"),
    (STC, "twenty-one-plus-three"),
    (FCP, "prime"),
    (FCP, "aces-baby"),
    (FCP, "five-card-jackpot"),
    (FCP, "four-card-jackpot"),
}
many = examples(20)
Case = tuple[Game, Wager, Terms]


@cache
def cases() -> dict[tuple[str, str], list[Case]]:
    """Everything of the catalogue that stands alone, by game and wager."""
    found: dict[tuple[str, str], list[Case]] = {}
    for game in all_games():
        for wager, terms in catalogue(game):
            if set(terms.tables) == {slot.name for slot in wager.slots}:
                found.setdefault((game.name, wager.name), []).append((game, wager, terms))
    return found


WAGERS = [(game.name, wager.name) for game in all_games() for wager in game.wagers]
DECIDED = [(TCP, "ante-play"), (DW, "ante-play-raise"), (DW, "five-card-fortune"), (STC, "ante-odds-play")]
DECIDED += [(FCP, "ante-raise"), (TDP, "high-low")]
seeds = st.integers(0, 2**32 - 1)


def ranks_of(game: Game, wager: Wager) -> int:
    return 13 if (game.name, wager.name) in QUICK else RANKS[game.name]


def test_every_wager_is_among_the_cases() -> None:
    assert set(WAGERS) == set(cases())


def short_counts(game: Game, wager: Wager, terms: Terms) -> Counts:
    return counts_of(game, wager, terms, ranks=RANKS[game.name])


def mean(counts: Counts, pays: UnitPays, choices: list[Any] | None = None) -> Fraction:
    histogram = price(counts, pays, choices).histogram
    return sum((pays.net[code] * often for code, often in histogram.items()), Fraction(0)) / counts.total


def other_choices(level: DecisionLevel, best: Any, random: np.random.Generator, share: float) -> Any:
    """Decide otherwise, at random among what is allowed, at about so large a share of the nodes."""
    allowed = np.ones((len(best), len(level.decisions))) if level.allowed is None else level.allowed
    drawn = (random.random(allowed.shape) * allowed).argmax(axis=1)
    return np.where(random.random(len(best)) < share, drawn, best)


@many
@given(st.sampled_from(DECIDED), seeds, st.sampled_from([0.02, 0.3, 1.0]))
def test_optimal_play_is_never_below_another_strategy(which: tuple[str, str], seed: int, share: float) -> None:
    game, wager, terms = Random(seed).choice(cases()[which])
    counts, pays = short_counts(game, wager, terms), unit_pays(wager, terms)
    best = best_decisions(counts, pays)
    random = np.random.default_rng(seed)
    others = [other_choices(*pair, random, share) for pair in zip(counts.levels, best, strict=True)]
    assert mean(counts, pays) >= mean(counts, pays, others)


@pytest.mark.parametrize(("name", "wager_name"), DECIDED)
def test_optimal_play_is_never_below_always_the_same_decision(name: str, wager_name: str) -> None:
    for game, wager, terms in cases()[name, wager_name]:
        counts, pays = short_counts(game, wager, terms), unit_pays(wager, terms)
        best = best_decisions(counts, pays)
        worth = mean(counts, pays, best)
        below = 0
        for place, level in enumerate(counts.levels):
            for decision in range(len(level.decisions)):
                may = True if level.allowed is None else level.allowed[:, decision] == 1
                always = [*best]
                always[place] = np.where(may, decision, best[place])
                restricted = mean(counts, pays, always)
                assert worth >= restricted
                below += worth > restricted
        # Else the strategies would be no other ones.
        assert below > 0


def raised_cell(table: PayTable, event: str, random: Random) -> str | None:
    """A cell that pays more than this row does, or nothing where it cannot."""
    row = table.row(event)
    assert row is not None
    more = random.choice([Fraction(1, 2), Fraction(1), Fraction(7), Fraction(250)])
    match row.pay:
        case ToOne(times) | ForOne(times):
            return f"{float(times + more):.2f}"
        case Dollars(cents):
            return f"${cents // 100 + 25}"
        case OfMeter(share) if share < 1:
            return f"{min(100, int(share * 100) + 10)}%"
        case Push():
            return "1.5"
        case Loss():
            return random.choice(["Push", "1.5"]) if table.odds == "to" else "$5"
    return None


def with_a_larger_pay(game: Game, wager: Wager, terms: Terms, random: Random) -> Terms | None:
    """The terms with one cell of one table raised; nothing where that cell cannot be."""
    slots = [slot for slot in wager.slots if not slot.fixed]
    chosen = random.choice(slots)
    table = terms.tables[chosen.name]
    event = random.choice(table.rows).event
    cell = raised_cell(table, event, random)
    if cell is None:
        return None
    tables: list[Any] = [
        {"id": table.id, "pays": {event: cell}} if slot is chosen else terms.tables[slot.name].id for slot in slots
    ]
    decks = terms.deck.decks if game.decks_allowed else None
    richer, problems = make_terms(
        game, TermsInput(paytables={wager.name: tables}, readings=terms.readings, decks=decks)
    )
    assert () == problems
    return richer


def edge(result: OddsResult) -> Fraction:
    """The edge, a meter standing at ten thousand dollars."""
    return result.edge_at(meter_cents=1_000_000)


@many
@given(st.sampled_from(WAGERS), seeds)
def test_a_larger_pay_never_raises_the_edge(which: tuple[str, str], seed: int) -> None:
    random = Random(seed)
    game, wager, terms = random.choice(cases()[which])
    richer = with_a_larger_pay(game, wager, terms, random)
    if richer is not None:
        ranks = ranks_of(game, wager)
        assert edge(analysed(game, wager, richer, ranks)) <= edge(analysed(game, wager, terms, ranks))


@pytest.mark.parametrize(("name", "wager_name"), sorted(QUICK))
def test_a_larger_pay_lowers_the_edge_where_its_event_is_paid(name: str, wager_name: str) -> None:
    """So that the property above cannot hold because nothing ever changes."""
    game, wager, terms = cases()[name, wager_name][0]
    random = Random(0)
    plain = edge(analysed(game, wager, terms, 13))
    richer = [with_a_larger_pay(game, wager, terms, random) for _ in range(8)]
    assert any(edge(analysed(game, wager, more, 13)) < plain for more in richer if more is not None)


# Suits have no rank: what a hand makes does not depend on their names, but for colors and diamonds where the rules say.


Dealt = tuple[tuple[int, ...], tuple[int, ...], tuple[int, ...]]
EVERY_RENAMING = list(permutations(range(4)))
BY_COLOR = [suits for suits in EVERY_RENAMING if {suits[1], suits[2]} in ({1, 2}, {0, 3})]
DIAMONDS_KEPT = [suits for suits in EVERY_RENAMING if suits[1] == 1]
RENAMINGS = {
    (TCP, "prime"): BY_COLOR,
    (FCP, "prime"): BY_COLOR,
    (TCP, "all-six"): DIAMONDS_KEPT,
    (TCP, "final-four"): DIAMONDS_KEPT,
}


def _high_hand(_player: tuple[int, ...], random: Random) -> tuple[int, ...]:
    return sum(1 << place for place in random.sample(range(6), 3)), random.randrange(2)


def _fortune(player: tuple[int, ...], random: Random) -> tuple[int, ...]:
    places = [1 << place for place in range(len(player))]
    wild = sum(bit for bit, card in zip(places, player, strict=True) if is_wild(card))
    return 1, random.randrange(2), random.choice([*places, *([wild] if wild else [])])


# Cards of a seat, of the board, of the deck, and the choices.
DEALS: dict[str, tuple[int, int, int, Callable[[tuple[int, ...], Random], tuple[int, ...]]]] = {
    TCP: (4, 3, 52, lambda _player, random: (random.randrange(2),)),
    DW: (5, 4, 53, _fortune),
    STC: (3, 3, 52, lambda _player, random: (random.randrange(2),)),
    FCP: (5, 6, 52, lambda _player, random: (random.randrange(4),)),
    TDP: (6, 5, 52, _high_hand),
}


def dealt(name: str, random: Random) -> Dealt:
    """Cards at random, often few suits and high ranks, so that rare events occur."""
    seat, board, size, choices = DEALS[name]
    deck = list(range(size)) * (6 if name == STC else 1)
    narrowed = [
        card for card in deck if card >= random.choice([0, 28, 36]) and card % 4 in random.choice([(0, 1), (1, 2)])
    ]
    cards = random.sample(narrowed if len(narrowed) >= seat + board and random.random() < 0.5 else deck, seat + board)
    return tuple(cards[:seat]), tuple(cards[seat:]), choices(tuple(cards[:seat]), random)


def renamed(cards: tuple[int, ...], suits: tuple[int, ...]) -> tuple[int, ...]:
    return tuple(card if card == 52 else card // 4 * 4 + suits[card % 4] for card in cards)


@examples(80)
@given(st.sampled_from(WAGERS), seeds)
def test_relabelling_suits_changes_nothing(which: tuple[str, str], seed: int) -> None:
    random = Random(seed)
    game = find_game(which[0])
    wager, tables = game.by_name[which[1]], game.tables()
    player, board, choices = dealt(game.name, random)
    readings = tuple(random.randrange(len(switch.readings)) for switch in game.switches)
    made = wager.read(Hands(player, board, choices, readings), tables)
    for suits in RENAMINGS.get(which, EVERY_RENAMING):
        assert made == wager.read(Hands(renamed(player, suits), renamed(board, suits), choices, readings), tables)


def changed_by(name: str, wager_name: str, player: tuple[int, ...], board: tuple[int, ...]) -> set[tuple[int, ...]]:
    """The renamings that change what these cards make."""
    game = find_game(name)
    wager, tables = game.by_name[wager_name], game.tables()
    made = wager.read(Hands(player, board, (1,), (0, 0)), tables)
    return {
        suits
        for suits in EVERY_RENAMING
        if made != wager.read(Hands(renamed(player, suits), renamed(board, suits), (1,), (0, 0)), tables)
    }


@pytest.mark.parametrize(
    ("name", "wager_name", "player", "board"),
    [
        (TCP, "prime", "Ad Kh 9d 2c", "4c 5c 6c"),
        (FCP, "prime", "Ad Kh 9d 2h 3d", "4c 5c 6c 7c 8c 9c"),
        (TCP, "all-six", "Ad Kd Qd 2c", "Jd Td 9d"),
        (TCP, "final-four", "Ad Kd Qd Jd", "4c 5c 6c"),
    ],
)
def test_where_the_rules_name_a_suit_every_other_renaming_changes_facts(
    name: str, wager_name: str, player: str, board: str
) -> None:
    """Else the property above would hold for fewer renamings than it could."""
    changed = changed_by(name, wager_name, parse_cards(player), parse_cards(board))
    assert set(EVERY_RENAMING) - set(RENAMINGS[name, wager_name]) == changed


# Sums


@many
@given(st.sampled_from(WAGERS), seeds)
def test_probabilities_of_events_sum_to_one_exactly(which: tuple[str, str], seed: int) -> None:
    game, wager, terms = Random(seed).choice(cases()[which])
    result = analysed(game, wager, terms, ranks_of(game, wager))
    assert 1 == sum((event.probability for event in result.events), Fraction(0))
    assert result.ev == sum((event.contribution for event in result.events), Fraction(0))
    assert all(0 < event.probability <= 1 for event in result.events)
    for level in result.decisions:
        assert sum(level.values(), Fraction(0)) in (0, 1)
