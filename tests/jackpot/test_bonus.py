"""Bonus jackpots: the house's amount, posted between rounds, unmoved by wagers, with the required sentences."""

from __future__ import annotations

from fractions import Fraction
from pathlib import Path

import pytest

from pitboss.jackpot import BONUS_SENTENCES
from tests.books.making import Room
from tests.jackpot.making import TWO, closed, make_bonus, make_jackpot, playing, press, refused, sound, tables
from tests.meters.making import bonus, progressive

RULES = Path(__file__).parents[2] / "docs" / "rules"


@pytest.mark.parametrize("document", sorted(RULES.glob("*.txt")), ids=lambda path: path.stem)
def test_j_06_the_required_sentences_stand_so_in_every_document(document: Path) -> None:
    assert BONUS_SENTENCES in document.read_text(encoding="utf-8")


def test_j_06_a_bonus_display_says_the_sentences_and_a_progressive_s_its_cap_and_its_reserve() -> None:
    assert make_bonus().notices == (BONUS_SENTENCES,)
    assert make_jackpot().notices == ()
    capped = make_jackpot(meter=progressive(cap_cents=50_000_00, reserve_rate=Fraction("0.05")))
    assert capped.notices == (
        "Jackpot maximum $50,000.",
        "$0.05 of each $1 wager goes to a reserve (not displayed) that funds the next jackpot.",
    )


def test_j_02_no_wager_moves_a_bonus_display_and_nothing_is_held_for_players(room: Room) -> None:
    with playing(room, make_bonus()) as jackpots:
        for number in range(1, 6):
            press(jackpots, number, [1, 2, 3], "daily")
        assert jackpots.displayed_cents("daily") == 250_00
        accounts = jackpots.accounts("daily")
        assert (accounts.held_units, accounts.counts["wagers_counted"]) == (0, 15)
        assert not jackpots.escrow("daily").is_short
        assert "has no escrow" in refused(lambda: jackpots.send_deposit("daily", 1, command="e", actor="Bob"))
    assert sound(room)


def test_c_10_an_updatable_bonus_is_posted_higher_or_lower_and_every_round_keeps_its_amount(sqlite_room: Room) -> None:
    post = {"words": "the day's amount", "actor": "Ada"}
    with playing(sqlite_room, make_bonus()) as jackpots:
        press(jackpots, 1, [1], "daily")
        jackpots.post_bonus("daily", 300_00, command="p1", **post)
        assert jackpots.displayed_cents("daily") == 300_00
        press(jackpots, 2, [1], "daily")
        jackpots.post_bonus("daily", 100_00, command="p2", **post)
        assert [each.shown_cents("daily") for each in jackpots.room.rounds["4"]] == [250_00, 300_00]
        assert "shows this amount already" in refused(
            lambda: jackpots.post_bonus("daily", 100_00, command="p3", **post)
        )
        assert "every change is explained" in refused(
            lambda: jackpots.post_bonus("daily", 1, words="", command="p4", actor="Ada")
        )
    assert sound(sqlite_room)


def test_e_07_a_static_bonus_is_posted_only_while_it_is_closed(sqlite_room: Room) -> None:
    with playing(sqlite_room, make_bonus(display="static")) as jackpots:

        def post(command: str) -> None:
            jackpots.post_bonus("daily", 300_00, words="w", command=command, actor="Ada")

        assert "static" in refused(lambda: post("p1"))
        closed(jackpots, "daily")
        post("p2")
        assert jackpots.displayed_cents("daily") == 300_00


def test_t_24_a_progressive_is_never_set_by_hand_and_a_bonus_has_no_funds_to_adjust(sqlite_room: Room) -> None:
    other = make_bonus(tables=tables("5"))
    with playing(sqlite_room, make_jackpot(), other) as jackpots:
        assert "T-24" in refused(lambda: jackpots.post_bonus("main", 1, words="w", command="a", actor="Ada"))
        assert "J-01" in refused(lambda: jackpots.adjust("daily", 5, words="w", command="b", **TWO))


def test_j_01_a_display_fits_its_type_and_the_type_stays(sqlite_room: Room) -> None:
    with playing(sqlite_room, make_jackpot()) as jackpots:
        for wrong in (make_bonus(display="real-time"), make_jackpot("m", display="static")):
            assert "J-02" in refused(lambda it=wrong: jackpots.define(it, words="w", command="d", **TWO))  # type: ignore[misc]
        closed(jackpots, "main")
        changed = make_jackpot(meter=bonus(), display="updatable")
        assert "type of a jackpot does not change" in refused(
            lambda: jackpots.change(changed, words="w", command="c", **TWO)
        )
