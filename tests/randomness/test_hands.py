"""Hands are read where a table deals them, by the functions that settle, and counted against exact counts (R-19)."""

from __future__ import annotations

from collections import Counter

import numpy
import pytest

from pitboss.cards import KeyStream, shuffled
from pitboss.games import all_games, find_game
from pitboss.odds.store import default_store
from pitboss.randomness.battery import HandsRead, hands_of, layout_of
from pitboss.rules.facts import Hands, encode
from pitboss.table import PlaceWagers
from tests.table.playing import finish, opened, table_of

GAMES = [game.name for game in all_games()]
KEY = bytes(range(32))


@pytest.mark.parametrize("name", GAMES)
def test_the_cards_of_a_lone_seat_lie_where_a_table_deals_them(name: str) -> None:
    table, layout = table_of(name), layout_of(find_game(name))
    wagers = {find_game(name).main.name, *table.jackpots}
    played = opened(table, KEY).apply(PlaceWagers(1, tuple((each, table.limits(each)[0]) for each in wagers)))
    done = finish(played, lambda options: options[0])
    assert tuple(played.shoe[place] for place in layout.seat) == done.state.seats[1].seat.cards
    assert tuple(played.shoe[place] for place in layout.board) == done.state.board.seat.cards


def read_of(name: str) -> tuple[HandsRead, ...]:
    return hands_of(find_game(name), default_store())


@pytest.mark.parametrize("name", GAMES)
def test_r_01_every_game_has_hands_on_trial_a_jackpot_among_them(name: str) -> None:
    read = read_of(name)
    assert any(each.wager.jackpot for each in read)
    assert len({each.wager.read for each in read}) == len(read)


@pytest.mark.parametrize("name", GAMES)
def test_codes_counted_are_those_that_settlement_reads(name: str) -> None:
    game = find_game(name)
    layout, tables = layout_of(game), game.tables()
    for each in read_of(name):
        shoes = [shuffled(each.deck.cards, KeyStream(KEY, block)) for block in range(150)]
        plain: Counter[int] = Counter()
        for shoe in shoes:
            seat, board = ([shoe[place] for place in places] for places in (layout.seat, layout.board))
            choices, readings = (1,) * len(game.decisions), (0,) * len(game.switches)
            facts = each.wager.read(Hands(seat, board, choices, readings), tables)
            plain[encode(facts, each.wager.bounds)] += 1
        counted = each.histogram_of(numpy.array(shoes, dtype=numpy.uint8))
        assert {code: number for code, number in enumerate(counted) if number} == plain


def test_r_19_the_three_card_oracle_is_in_the_exact_counts() -> None:
    """3 cards of 52: a pair or better comes 48 + 52 + 720 + 1,096 + 3,744 times in 22,100, with 49 fourth cards each."""
    pair_bonus = next(each for each in read_of("three-card-prime") if each.wager.name == "pair-bonus")
    total, nothing = int(pair_bonus.counts.sum()), int(pair_bonus.counts[:2].sum())
    assert (total - nothing) * 22_100 == total * (48 + 52 + 720 + 1_096 + 3_744)
