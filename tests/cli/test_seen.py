"""`pitboss seen`: one kind or all, any table and reading, and what a mistyped command says."""

from __future__ import annotations

from fractions import Fraction

import pytest

from pitboss.games import find_game
from pitboss.odds.seen import seen_value
from pitboss.rules import TermsInput, make_terms
from tests.cli.running import one_line, run, run_json

GAME = find_game("three-card-prime")


def test_json_is_the_exact_value_under_the_table_and_reading_typed() -> None:
    typed = "--kind dealer-card --paytable PW/BB-4 --reading bad_beat_flush_or_lower=as_printed"
    readings = {"bad_beat_flush_or_lower": "as_printed"}
    terms, _ = make_terms(GAME, TermsInput(paytables={"ante-play": ["PW/BB-4"]}, readings=readings))
    (told,) = run_json(f"seen three-card-prime {typed} --no-cache --json")

    assert seen_value(GAME, terms, "dealer-card").as_json() == told
    assert run_json(f"seen three-card-prime {typed} --json") == [told]
    assert Fraction(told["gain"]) >= 0


def test_the_table_tells_both_edges_the_gain_and_the_changes() -> None:
    (told,) = run_json("seen three-card-prime --kind own-fourth-card --json")
    result = run("seen three-card-prime --kind own-fourth-card")

    assert result.exit_code == 0
    for figure in (
        "2.8957%",
        "2.8796%",
        told["gain"],
        "play where it was fold",
        "the player knows their own fourth card",
    ):
        assert figure in one_line(result.output)
    assert "another-hand" not in result.output


def test_item_16_super_three_card_prices_a_card_of_another_seat() -> None:
    (told,) = run_json("seen super-three-card --kind another-card --json")

    assert ("124750030/15563308872111", "another-card") == (told["gain"], told["kind"])
    assert {"play", "surrender"} == {change["seeing"] for change in told["changes"]}


# The counts themselves are tested every day, in `tests/odds/test_seen_deuces_wild.py`.
@pytest.mark.slow
def test_item_16_deuces_wild_prices_a_treasure_winner() -> None:
    (told,) = run_json("seen deuces-wild --json")

    assert ("244324123/26579844200", "treasure-winner") == (told["gain"], told["kind"])
    assert ("raise", "fold at four cards") in {(change["without"], change["seeing"]) for change in told["changes"]}


@pytest.mark.parametrize(
    ("typed", "says"),
    [
        ("three-card-prime --kind burn-card", "there is: own-fourth-card, another-hand, dealer-card"),
        ("four-card-prime", "what seen cards are worth in Four Card Prime is not counted"),
        ("three-card-prime --paytable PRW-1", "'PRW-1' is no pay table here"),
        ("three-card-prime --reading pay", "--reading 'pay' must be NAME=VALUE"),
        ("three-card-prime --reading flush=loses", "Three Card Prime has no such switch"),
    ],
)
def test_what_cannot_be_answered_is_refused_in_one_message(typed: str, says: str) -> None:
    result = run(f"seen {typed}")

    assert result.exit_code == 2
    assert says in one_line(result.output)
