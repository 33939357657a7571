"""Games written in the test folder: played, settled, explained, listed and given their odds with no line changed in src."""

from __future__ import annotations

import json
from collections.abc import Iterator
from fractions import Fraction
from random import Random

import pytest
from typer.testing import CliRunner

from pitboss.cli.main import app
from pitboss.games import all_games, register, unregister
from pitboss.rules import Game
from pitboss.table import Phase, Round, round_record, settle_record
from tests.relatives import dj_wild_trips, four_card_poker, twenty_one_plus_three, wild_holdem_foldem
from tests.relatives.three_card_poker import GAME
from tests.support import line, record, seat
from tests.table.playing import random_round, table_of

OTHERS = (four_card_poker.GAME, wild_holdem_foldem.GAME, dj_wild_trips.GAME, twenty_one_plus_three.GAME)
GAMES = pytest.mark.parametrize("game", [GAME, *OTHERS], ids=lambda game: game.name)
TABLES = {"ante-play": ["AB-541"], "pair-plus": ["PP-40-30-6-4-1"]}


@pytest.fixture(autouse=True)
def _registered() -> Iterator[None]:
    for game in (GAME, *OTHERS):
        register(game)
    yield
    for game in (GAME, *OTHERS):
        unregister(game.name)


@GAMES
def test_it_is_listed_with_its_pay_tables(game: Game) -> None:
    assert game in all_games()
    listed = json.loads(CliRunner().invoke(app, ["paytables", "--game", game.name, "--json"]).stdout)
    assert list(game.paytables) == [table["id"] for table in listed]
    assert game.title in CliRunner().invoke(app, ["rules", game.name]).stdout


def test_the_sixth_game_has_its_course_and_its_disputed_clause_explained() -> None:
    rules = CliRunner().invoke(app, ["rules", GAME.name]).stdout
    assert "the dealer shows (3CP ante)" in rules
    assert "Disputed: ties" in rules


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


def test_the_sixth_game_settles_a_tie_by_its_switch() -> None:
    tied = seat(1, "Qs 9d 4h", {"ante-play": 1000}, play=True)
    won = record(GAME.name, "Qd 9h 4c", tied, paytables=TABLES, readings={"ties": "player"})
    assert 4000 == line(won, "ante-play").paid_cents


@pytest.mark.parametrize(
    ("cards", "event", "paid_cents"),
    [
        ("2s 2d 2h 2c *", "Five wild cards", 2_001_00),
        ("As Ks Qs Js Ts", "Natural royal flush", 1_001_00),
        ("As Ks Qs Js 2d", "Wild royal flush", 101_00),
        ("2s 3s 4s 5s 6s", "Natural straight flush", 201_00),  # a deuce as a plain 2
        ("2s 8s 7s 5s 4s", "Wild straight flush", 21_00),  # never read as a natural flush of 25
        ("2s 9s 7s 5s 3s", "Natural flush", 26_00),
        ("9s 9d 9h 9c 2s", "Five of a kind", 101_00),
        ("9s 9d 9h 4c 6s", "Natural three of a kind", 6_00),
        ("9s 9d 2h 4c 6s", "Wild three of a kind", 2_00),
        ("9s 9d 4h 4c 6s", None, 0),
    ],
)
def test_dj_wild_trips_settles(cards: str, event: str | None, paid_cents: int) -> None:
    dealt = record("dj-wild-trips", "3d 3h 4d 5d 7d", seat(1, cards, {"trips": 100}), paytables={"trips": ["DJW-1"]})
    settled = line(dealt, "trips")
    assert (event, paid_cents) == (settled.event, settled.paid_cents)


@pytest.mark.parametrize(
    ("cards", "event", "paid_cents"),
    [
        ("2s 2d 2h 2c 9s", "Four Deuces", 4 * 201_00),
        ("2s Ad Kh 9c 7s", "Pair of Aces", 5_00),
        ("As Ad Kh 9c 7s", "Pair of Aces", 5_00),
        ("2s Kd Qh 9c 7s", None, 0),
        ("9s 9d 4h 4c 6s", "Two Pair", 8_00),
    ],
)
def test_wild_holdem_foldem_settles(cards: str, event: str | None, paid_cents: int) -> None:
    """Two dollars of Ante and Play and two of Raise; what is paid has the chips that come back in it."""
    wager = "ante-play-raise"
    played = seat(1, cards, {wager: 100}, play=True, raise_=True)
    settled = line(record("wild-holdem-foldem", "", played, paytables={wager: ["WHF-1000"]}), wager)
    assert (event, paid_cents) == (settled.event, settled.paid_cents)


def test_the_sixth_game_is_explained_by_the_command() -> None:
    typed = ["settle", GAME.name, "--dealer", "Qd 9h 4c", "--seat", "Kd 3d 5h | ante-play=10 | play"]
    answer = CliRunner().invoke(app, [*typed, "--paytable", "AB-541"])
    assert 0 == answer.exit_code
    assert "the player wins (3CP ante)" in answer.stdout


@GAMES
def test_it_plays_at_a_table_and_replays(game: Game) -> None:
    for seed in range(25):
        played = random_round(table_of(game.name), Random(seed))
        assert Phase.FINISHED is played.phase
        assert played.to_text() == Round.from_text(played.to_text()).to_text()
        assert played.settlement is not None
        assert played.settlement.lines == settle_record(round_record(played)).settlement.lines


def test_the_sixth_game_in_the_practice_table() -> None:
    answer = CliRunner().invoke(app, ["play", GAME.name, "--key", "0" * 64], input="ante-play=5\ny\nq\n")
    assert 0 == answer.exit_code
    assert "3CP" in answer.stdout


def test_the_sixth_game_is_given_its_odds_by_the_command() -> None:
    answer = CliRunner().invoke(app, ["odds", GAME.name, "pair-plus", "--paytable", "PP-50-30-6-3-1", "--json"])
    assert 0 == answer.exit_code
    (result,) = json.loads(answer.stdout)
    assert Fraction(-282, 5_525) == Fraction(result["ev"])
