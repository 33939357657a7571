"""Small prizes from the tray, and Envy."""

from __future__ import annotations

from pathlib import Path

import pytest

from pitboss.jackpot import Claim, offer_of
from tests.jackpot.hit_making import (
    DEALER,
    FCP,
    FLUSH,
    FULL_HOUSE,
    QUADS,
    ROYAL,
    STRAIGHT_FLUSH,
    Floor,
    five_card,
    floor,
    four_card,
    refused,
)

# Small prizes and Envy.


def test_a_small_prize_is_one_command_and_two_entries(at: Floor) -> None:
    at.press()
    answer = at.small(2, FLUSH)

    assert ["prize-called", "prize-paid"] == [entry.kind for entry in answer.entries]
    assert (0, 25_00, -25_00) == (at.balance("winners"), at.balance("paid"), at.balance("house"))
    assert {} == at.hits.open


def test_only_fixed_prizes_below_the_operators_amount_are_paid_so(at: Floor) -> None:
    at.press()
    assert ("Five-card Straight Flush is a percentage of the meter: call it (G-4)",) == refused(
        lambda: at.small(1, STRAIGHT_FLUSH), at
    )
    (problem,) = refused(lambda: at.small(1, QUADS), at)
    assert "only prizes below $150.00 are paid so" in problem
    at.small(1, FULL_HOUSE)


def test_a_small_prize_that_demands_something_is_called(quick_path: Path) -> None:
    offer = offer_of(FCP, "five-card-jackpot", "PJ-2")
    with floor(quick_path / "room", five_card(offers=(offer,), small_prize_cents=10_000_00)) as at:
        at.press()
        (problem,) = refused(lambda: at.small(1, QUADS), at)
        assert "$500.00 demands deck-check" in problem


def test_a_prize_exactly_the_operators_amount_is_called(quick_path: Path) -> None:
    with floor(quick_path / "room", five_card(small_prize_cents=25_00)) as at:
        at.press()
        assert refused(lambda: at.small(1, FLUSH), at)


def test_fcp_5_envy_is_a_list_that_the_verification_gives_and_one_command_pays(quick_path: Path) -> None:
    with floor(quick_path / "room", four_card()) as at:
        at.press(jackpot="envy", seats=[1, 2, 3])
        hit = at.call((1, "Four Aces"), jackpot="envy")
        hands = {1: "As Ah Ad Ac Kd", 2: "2s 3h 4d 6c 7d", 3: "9s 8h Jd Qc 2d"}
        entry = at.verify(hit, hands=hands).entries[0]

        assert '"envy":[[2,10000,' in entry.payload
        answer = at.hits.pay_envy("envy", "4", Claim(1, "Four Aces"), [2, 3], command="e", by=DEALER)
        assert ["prize-called", "prize-paid"] == [each.kind for each in answer.entries]
        assert (200_00, -200_00) == (at.balance("paid", "envy"), at.balance("house", "envy"))
        again = refused(lambda: at.hits.pay_envy("envy", "4", Claim(1, "Four Aces"), [3], command="f", by=DEALER), at)
        assert ("seat 3 has a prize of round 1 already (G-2)",) == again
        wrong = refused(lambda: at.hits.pay_envy("envy", "4", Claim(1, "Trips"), [1, 2], command="g", by=DEALER), at)
        assert any("others than seat 1" in each for each in wrong)
        none = refused(lambda: at.hits.pay_envy("envy", "4", Claim(3, "Trips"), [1, 2], command="h", by=DEALER), at)
        assert ("Trips gives no Envy prize",) == none
        # A seat that was paid Envy still has its own prize.
        at.small(2, "Straight Flush", jackpot="envy")
        at.check()


@pytest.mark.parametrize("reading", ["any_hand", "wagered"])
def test_fcp_5_who_gives_envy_goes_by_the_reading(quick_path: Path, reading: str) -> None:
    offer = offer_of(FCP, "four-card-jackpot", "FCJ-1", readings={"envy_trigger": reading})
    with floor(quick_path / "room", five_card("envy", "4", offers=(offer,))) as at:
        at.press(jackpot="envy", seats=[1, 2])

        def paid() -> object:
            return at.hits.pay_envy("envy", "4", Claim(5, "Quads"), [1, 2], command="e", by=DEALER)

        if reading == "any_hand":
            paid()
            assert 20_00 == at.balance("paid", "envy")
        else:
            assert any("only a hand that carries it" in each for each in refused(paid, at))


def test_g_11_a_void_round_has_no_prize(at: Floor) -> None:
    at.press()
    at.jackpots.void_round("4", 1, words="misdeal", command="void", actor="Sue")
    assert ("round 1 of table 4 is void: its wagers go back (G-11)",) == refused(lambda: at.call((1, ROYAL)), at)
    assert ("round 1 of table 4 is void: its wagers go back (G-11)",) == refused(lambda: at.small(1, FLUSH), at)
