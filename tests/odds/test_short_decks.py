"""On shortened decks every deal through facts and settlement gives what the analyser says: every table and reading.

Here are the wagers with at most one decision. The wagers of several decisions (Deuces Wild), and those of the hands as
set (3 Card Double Play), have trees of their own in the modules named after those games.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from functools import cache
from itertools import combinations, permutations

import pytest

from pitboss.games import all_games, find_game
from pitboss.odds.context import NumbaContext, count
from pitboss.odds.printed import catalogue
from pitboss.rules import Game, Terms, Wager
from pitboss.rules.facts import Hands
from tests.odds.tree import Node, Tally, analysed, analysed_counts, figures_of, play

Cards = tuple[int, ...]
TCP, DW, STC, FCP, TDP = (game.name for game in all_games())


def others(deck: Iterable[int], *out: int) -> list[int]:
    return [card for card in deck if card not in out]


def reader(game: Game, wager: Wager, readings: Cards) -> Callable[[Cards, Cards, Cards], Cards]:
    tables = game.tables()
    return lambda player, board, choices: tuple(wager.read(Hands(player, board, choices, readings), tables))


def first_of_its_suits(hand: Cards) -> Cards:
    """The first of the hands that differ from this one by a renaming of the suits."""
    return min(tuple(sorted(card // 4 * 4 + suits[card % 4] for card in hand)) for suits in permutations(range(4)))


# Trees of one decision


def three_card_prime(ranks: int) -> Iterator[Node]:
    """Every three cards against every dealer's three; the set-aside card plays no part."""
    game = find_game(TCP)
    read, deck = reader(game, game.main, (0, 0)), range(4 * ranks)
    for hand in combinations(deck, 3):
        boards = list(combinations(others(deck, *hand), 3))
        player = (*hand, others(deck, *hand)[0])
        yield Node(
            1,
            {
                "play": Counter(read(player, board, (1,)) for board in boards),
                "fold": Counter(read(player, board, (0,)) for board in boards),
            },
        )


def four_card_prime(ranks: int) -> Iterator[Node]:
    """Every five cards, up card and five more of the dealer's; hands alike but for the names of suits once."""
    game = find_game(FCP)
    read, deck = reader(game, game.main, (0,)), range(4 * ranks)
    for hand, alike in Counter(map(first_of_its_suits, combinations(deck, 5))).items():
        for up in others(deck, *hand):
            boards = [(up, *five) for five in combinations(others(deck, *hand, up), 5)]
            yield Node(
                alike, {str(raised): Counter(read(hand, board, (raised,)) for board in boards) for raised in range(4)}
            )


def super_three_card(ranks: int, decks: int) -> Iterator[Node]:
    """Every two cards and up card of a shoe in which each card is its own; surrender looks at no more cards."""
    game = find_game(STC)
    read = reader(game, game.main, ())
    shoe = [kind for kind in range(4 * ranks) for _ in range(decks)]
    places = range(len(shoe))
    for first in combinations(places, 2):
        hand = tuple(shoe[place] for place in first)
        for up in others(places, *first):
            tally: Tally = Counter()
            for third in others(places, *first, up):
                for more in combinations(others(places, *first, up, third), 2):
                    dealer = (shoe[up], *(shoe[place] for place in more))
                    tally[read((*hand, shoe[third]), dealer, (1,))] += 1
            folded = Counter({read(hand, (shoe[up],), (0,)): tally.total()})
            yield Node(1, {"play": tally, "surrender": folded})


@cache
def nodes_of(tree: Callable[..., Iterator[Node]], *size: int) -> list[Node]:
    return list(tree(*size))


def terms_of(name: str, wager: Wager) -> list[Terms]:
    return [terms for each, terms in catalogue(find_game(name)) if each is wager]


def check_tree(game: Game, terms: Terms, ranks: int, nodes: list[Node]) -> None:
    assert play(game.main, terms, nodes) == figures_of(analysed(game, game.main, terms, ranks))


def named(terms: Terms) -> str:
    return " ".join((*(table.id for table in terms.tables.values()), *terms.readings.values()))


@pytest.mark.parametrize("terms", terms_of(TCP, find_game(TCP).main), ids=named)
def test_tcp_3_tcp_4_ante_and_play(terms: Terms) -> None:
    check_tree(find_game(TCP), terms, 4, nodes_of(three_card_prime, 4))


@pytest.mark.parametrize("terms", terms_of(FCP, find_game(FCP).main), ids=named)
def test_fcp_3_ante_and_raise(terms: Terms) -> None:
    check_tree(find_game(FCP), terms, 3, nodes_of(four_card_prime, 3))


@pytest.mark.slow
@pytest.mark.parametrize("terms", terms_of(FCP, find_game(FCP).main), ids=named)
def test_fcp_3_ante_and_raise_of_four_ranks(terms: Terms) -> None:
    check_tree(find_game(FCP), terms, 4, nodes_of(four_card_prime, 4))


@pytest.mark.parametrize(
    ("ranks", "decks"),
    [(3, 1), (1, 3), pytest.param(2, 2, marks=pytest.mark.slow), pytest.param(4, 1, marks=pytest.mark.slow)],
)
def test_stc_3_stc_7_ante_odds_and_play(ranks: int, decks: int) -> None:
    game = find_game(STC)
    counts = count(game, game.main.name, NumbaContext(ranks=ranks, decks=decks))
    tables = [terms for terms in terms_of(STC, game.main) if terms.deck.decks == 6]
    assert 3 == len(tables)
    for terms in tables:
        assert play(game.main, terms, nodes_of(super_three_card, ranks, decks)) == figures_of(
            analysed_counts(game.main, terms, counts)
        )


# Wagers without a decision


def deals_of_three_card_prime(ranks: int) -> Iterator[tuple[Cards, Cards]]:
    deck = range(4 * ranks)
    for hand in combinations(deck, 3):
        for fourth in others(deck, *hand):
            for dealer in combinations(others(deck, *hand, fourth), 3):
                yield (*hand, fourth), dealer


def deals_of_cards(deck: Iterable[int], size: int) -> Iterator[tuple[Cards, Cards]]:
    yield from ((hand, ()) for hand in combinations(deck, size))


def deals_of_a_shoe(ranks: int, decks: int) -> Iterator[tuple[Cards, Cards]]:
    """The player's first two cards and the dealer's first, each card its own."""
    shoe = [kind for kind in range(4 * ranks) for _ in range(decks)]
    for first in combinations(range(len(shoe)), 2):
        hand = tuple(shoe[place] for place in first)
        yield from ((hand, (shoe[up],)) for up in others(range(len(shoe)), *first))


JOKER = 52
SIDES: dict[tuple[str, str], tuple[Callable[[], Iterator[tuple[Cards, Cards]]], int]] = {
    **{
        (TCP, wager): (lambda: deals_of_three_card_prime(3), 3)
        for wager in ("prime", "pair-bonus", "all-six", "final-four", "all-seven")
    },
    (DW, "three-card-treasure"): (lambda: deals_of_cards((*range(20), JOKER), 3), 5),
    (DW, "bonus-jackpot"): (lambda: deals_of_cards((*range(16), JOKER), 5), 4),
    **{
        (FCP, wager): (lambda: deals_of_cards(range(20), 5), 5)
        for wager in ("aces-baby", "prime", "five-card-jackpot", "four-card-jackpot")
    },
    **{
        (TDP, wager): (lambda: deals_of_cards(range(16), 6), 4)
        for wager in ("pick-3", "pick-5", "super-3s", "super-six")
    },
}


@cache
def tally_of(game: Game, wager: Wager) -> Tally:
    """How often each facts tuple occurs over all deals, in the first reading."""
    deals, _ = SIDES[game.name, wager.name]
    read = reader(game, wager, (0,) * len(game.switches))
    choices = (0,) * 3
    return Counter(read(player, board, choices) for player, board in deals())


@pytest.mark.parametrize(("name", "wager_name"), SIDES)
def test_wagers_without_a_decision(name: str, wager_name: str) -> None:
    game = find_game(name)
    wager = game.by_name[wager_name]
    _, ranks = SIDES[name, wager_name]
    checked = 0
    for terms in terms_of(name, wager):
        # Pick-3 as the hands are set has a decision, that of the main wager.
        if wager.shares is None or terms.readings[wager.shares.switch] not in wager.shares.readings:
            nodes = [Node(1, {"": tally_of(game, wager)})]
            assert play(wager, terms, nodes) == figures_of(analysed(game, wager, terms, ranks))
            checked += 1
    assert checked > 0


@pytest.mark.parametrize("wager_name", ["big-hand-bonus", "twenty-one-plus-three", "twenty-one-plus-three-b"])
@pytest.mark.parametrize(("ranks", "decks"), [(13, 1), (4, 3)])
def test_stc_4_stc_5_wagers_on_the_first_three_cards(wager_name: str, ranks: int, decks: int) -> None:
    game = find_game(STC)
    wager = game.by_name[wager_name]
    read = reader(game, wager, ())
    tally = Counter(read(player, board, (0,)) for player, board in deals_of_a_shoe(ranks, decks))
    counts = count(game, wager_name, NumbaContext(ranks=ranks, decks=decks))
    for terms in terms_of(STC, wager):
        assert play(wager, terms, [Node(1, {"": tally})]) == figures_of(analysed_counts(wager, terms, counts))


# Nothing is left out


# Decided more than once, or with the main wager: test_deuces_wild_short_decks, test_deuces_wild_after_raise and
# test_three_card_double_play_short_decks go through every table and reading of these.
ELSEWHERE = {
    (DW, "ante-play-raise"),
    (DW, "five-card-fortune"),
    (TDP, "high-low"),
    (TDP, "pick-3"),
}
HERE = {
    *SIDES,
    *((name, find_game(name).main.name) for name in (TCP, STC, FCP)),
    *((STC, wager) for wager in ("big-hand-bonus", "twenty-one-plus-three", "twenty-one-plus-three-b")),
}


def test_every_wager_of_every_game_is_dealt_out() -> None:
    assert {(game.name, wager.name) for game in all_games() for wager in game.wagers} == HERE | ELSEWHERE
