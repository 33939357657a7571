"""A sixth game, written in the test folder: plays, settles, explains and is listed with no line changed in src."""

from __future__ import annotations

import json
from collections.abc import Iterator
from random import Random

import pytest
from typer.testing import CliRunner

from pitboss.cli.main import app
from pitboss.games import all_games, register, unregister
from pitboss.table import Phase, Round, round_record, settle_record
from tests.relatives.three_card_poker import GAME
from tests.support import line, record, seat
from tests.table.playing import random_round, table_of

TABLES = {"ante-play": ["AB-541"], "pair-plus": ["PP-40-30-6-4-1"]}


@pytest.fixture(autouse=True)
def _registered() -> Iterator[None]:
    register(GAME)
    yield
    unregister(GAME.name)


def test_the_sixth_game_is_listed_with_its_pay_tables() -> None:
    assert GAME in all_games()
    listed = json.loads(CliRunner().invoke(app, ["paytables", "--game", GAME.name, "--json"]).stdout)
    assert list(GAME.paytables) == [table["id"] for table in listed]
    rules = CliRunner().invoke(app, ["rules", GAME.name]).stdout
    assert "Three Card Poker" in rules
    assert "the dealer shows (3CP ante)" in rules


@pytest.mark.parametrize(
    ("dealer", "cards", "play", "paid_cents"),
    [
        ("Jd 9h 4c", "2s 3d 5h", True, 3000),  # no qualifier: Ante 1 to 1, Play pushes
        ("Jd 9h 4c", "9s Th Jc", True, 4000),  # the same with a straight: Ante Bonus 1 to 1 more
        ("Qd 9h 4c", "Kd 3d 5h", True, 4000),  # wins
        ("Qd 9h 4c", "Qs 9d 4h", True, 2000),  # a tie pushes
        ("Qd 9h 4c", "Qs 9d 3h", True, 0),  # loses
        ("Ad Kd Qd", "9s 9d 9h", True, 4000),  # loses with trips: Ante Bonus 4 to 1 on a lost Ante
        ("Qd 9h 4c", "Kd 3d 5h", False, 0),  # folds
    ],
)
def test_the_sixth_game_settles(dealer: str, cards: str, play: bool, paid_cents: int) -> None:
    round_record = record(GAME.name, dealer, seat(1, cards, {"ante-play": 1000}, play=play), paytables=TABLES)
    assert paid_cents == line(round_record, "ante-play").paid_cents


def test_the_sixth_game_is_explained_by_the_command() -> None:
    typed = ["settle", GAME.name, "--dealer", "Qd 9h 4c", "--seat", "Kd 3d 5h | ante-play=10 | play"]
    answer = CliRunner().invoke(app, [*typed, "--paytable", "AB-541"])
    assert 0 == answer.exit_code
    assert "the player wins (3CP ante)" in answer.stdout


def test_the_sixth_game_plays_at_a_table_and_replays() -> None:
    for seed in range(25):
        played = random_round(table_of(GAME.name), Random(seed))
        assert Phase.FINISHED is played.phase
        assert played.to_text() == Round.from_text(played.to_text()).to_text()
        assert played.settlement is not None
        assert played.settlement.lines == settle_record(round_record(played)).settlement.lines


def test_the_sixth_game_in_the_practice_table() -> None:
    answer = CliRunner().invoke(app, ["play", GAME.name, "--key", "0" * 64], input="ante-play=5\ny\nq\n")
    assert 0 == answer.exit_code
    assert "3CP" in answer.stdout
