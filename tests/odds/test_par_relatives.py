"""Games written outside the product get a PAR sheet as they are: printed, verified, with the published figures."""

from __future__ import annotations

from fractions import Fraction
from functools import cache
from importlib import import_module

import pytest

from pitboss.games import game_names
from pitboss.odds.par import Sheet, make_sheet, verify_sheet
from pitboss.odds.par.values import SheetError
from pitboss.paper.par import par_pdf
from pitboss.rules import Game
from tests.odds.sheets import changed
from tests.rules.tables import first_terms

RELATIVES = ("three_card_poker", "dj_wild_trips", "twenty_one_plus_three")
MORE = ("four_card_poker", "wild_holdem_foldem")


def relative(folder: str) -> Game:
    game = import_module(f"tests.relatives.{folder}").GAME
    assert isinstance(game, Game)
    return game


@cache
def sheet_of(folder: str) -> Sheet:
    game = relative(folder)
    return make_sheet(game, first_terms(game))


@pytest.mark.parametrize("folder", [*RELATIVES, *(pytest.param(folder, marks=pytest.mark.slow) for folder in MORE)])
def test_a_game_that_is_not_registered_gets_a_sheet_that_is_printed_and_verifies(folder: str) -> None:
    game, sheet = relative(folder), sheet_of(folder)
    found = verify_sheet(sheet.as_json(), game=game)

    assert game.name not in game_names()
    assert {each.wager for each in sheet.wagers} == set(game.by_name)
    assert found.difference is None
    assert found.figures > 100
    assert par_pdf(sheet).startswith(b"%PDF-")


def test_three_card_poker_has_the_published_figures_on_its_sheet() -> None:
    main = next(each for each in sheet_of("three_card_poker").wagers if each.wager == "ante-play")

    # ANCHORS.md, section 2.
    assert main.ev == Fraction(-13_733_780, 407_170_400)
    assert {each.decision: each.share for each in main.decisions[0]}["play"] == Fraction(14_900, 22_100)


def test_a_changed_figure_of_a_relative_is_named() -> None:
    content = changed(sheet_of("three_card_poker").as_json(), ("wagers", 0, "ev"), "-1/30")
    found = verify_sheet(content, game=relative("three_card_poker")).difference

    assert found is not None
    assert found.path == "wagers[0].ev"


def test_without_the_game_itself_a_sheet_of_a_game_not_registered_is_refused() -> None:
    with pytest.raises(SheetError, match="unknown game"):
        verify_sheet(sheet_of("three_card_poker").as_json())
