"""Hits in a room: amounts, meters, sharing, and Bonus prizes of the house."""

from __future__ import annotations

from pathlib import Path

import pytest

from pitboss.books import RefusedError
from pitboss.jackpot import HitState, lifecycle
from tests.jackpot.hit_making import (
    FLUSH,
    FULL_HOUSE,
    MANAGER,
    QUADS,
    ROYAL,
    STRAIGHT_FLUSH,
    Floor,
    bonus_five_card,
    five_card,
    floor,
    refused,
    won_of,
)

# The amount: frozen at the call, and of what the display showed.


def test_f_17_a_hit_from_the_call_to_the_closed_hit(at: Floor) -> None:
    at.press()
    shown = at.displayed()
    hit = at.call((3, ROYAL))

    assert HitState.CALLED is at.hits.open[hit].state
    assert {3: shown} == won_of(at, hit)
    assert (shown, 5_000_00) == (at.balance("winners"), at.displayed())
    at.whole(hit)
    assert {} == at.hits.open
    assert (0, shown) == (at.balance("winners"), at.balance("paid"))


def test_f_04_the_amount_is_frozen_and_other_tables_play_on(at: Floor) -> None:
    at.press()
    shown = at.displayed()
    hit = at.call((3, ROYAL))
    for _ in range(10):
        at.press("5")

    assert {3: shown} == won_of(at, hit)
    assert 5_000_00 + 10 * 5 * 17 < at.displayed()
    at.whole(hit)
    assert shown == at.balance("paid")


def test_g_4_the_rounds_own_wagers_are_in_the_prize(at: Floor) -> None:
    at.press(seats=[1])
    assert {1: 10_000_17} == won_of(at, at.call((1, ROYAL)))


def test_g_4_a_rejected_call_restores_the_frozen_amount_with_all_contributions_since(at: Floor) -> None:
    at.press(seats=[1, 2])
    hit = at.call((2, ROYAL))
    at.press("5", [1, 2, 3])
    at.reject(hit)

    # What the same wagers give without any call: the seed is back with the house.
    assert 10_000_00 * 10_000 + 5 * 173_000 == at.jackpots.meter("main").displayed_units
    assert (0, 0) == (at.balance("winners"), at.balance("paid"))
    assert -10_000_00 == at.balance("seed")
    assert {} == at.hits.open


def test_g_4_two_tables_of_one_link_the_second_call_is_paid_from_the_reseeded_meter(at: Floor) -> None:
    at.press("4")
    at.press("5")
    shown = at.displayed()
    first, second = at.call((1, ROYAL), table="4"), at.call((1, ROYAL), table="5")

    assert ({1: shown}, {1: 5_000_00}) == (won_of(at, first), won_of(at, second))
    assert first < second
    at.reject(first)
    assert {1: 5_000_00} == won_of(at, second)
    at.whole(second)
    assert 5_000_00 == at.balance("paid")


# Several winners of one round.


def test_g_4_winners_of_one_level_share_it_and_odd_cents_stay_on_the_meter(at: Floor) -> None:
    at.press(seats=[1, 2])
    shown = at.displayed()
    hit = at.call((1, ROYAL), (2, ROYAL))

    assert 10_000_34 == shown
    assert {1: 5_000_17, 2: 5_000_17} == won_of(at, hit)
    at.whole(hit)
    assert shown == at.balance("paid")


def test_g_4_an_odd_cent_stays_on_the_meter(at: Floor) -> None:
    at.press(seats=[1, 2, 3])
    hit = at.call((1, ROYAL), (2, ROYAL))

    assert 10_000_51 == 2 * 5_000_25 + 1
    assert {1: 5_000_25, 2: 5_000_25} == won_of(at, hit)
    assert 5_000_01 == at.displayed()


def test_g_4_different_levels_are_each_of_the_displayed_amount_and_the_house_covers_the_rest(at: Floor) -> None:
    at.press(seats=[1, 2])
    hit = at.call((1, ROYAL), (2, STRAIGHT_FLUSH))

    assert {1: 10_000_34, 2: 1_000_03} == won_of(at, hit)
    assert -1_000_03 == at.balance("house")
    at.whole(hit)
    assert 11_000_37 == at.balance("paid")


def test_g_4_a_second_winner_found_after_the_call_shares_what_was_frozen(at: Floor) -> None:
    at.press(seats=[1, 2])
    hit = at.call((1, ROYAL))
    at.press("5")
    (problem,) = refused(lambda: at.call((2, ROYAL)), at)
    assert f"hit {hit} already: correct it to add a seat (G-37)" in problem
    at.correct(hit, (1, ROYAL), (2, ROYAL), words="seat 2 shows a royal too")

    assert {1: 5_000_17, 2: 5_000_17} == won_of(at, hit)
    assert 10_000_34 == at.balance("winners")
    assert 5_000_00 * 10_000 + 5 * 173_000 + 6_000 == at.jackpots.meter("main").displayed_units
    at.whole(hit, MANAGER)
    assert 10_000_34 == at.balance("paid")


def test_g_37_a_second_winner_found_after_the_first_was_paid_has_their_share_of_what_was_frozen(at: Floor) -> None:
    at.press(seats=[1, 2])
    first = at.call((1, ROYAL))
    at.verify(first)
    at.surveil(first)
    at.document(first)
    at.pay(first, 1)

    assert {2: 5_000_17} == won_of(at, at.call((2, ROYAL)))


def test_g_4_a_lower_level_alone_does_not_reseed_the_meter(at: Floor) -> None:
    at.press(seats=[1, 2])
    hit = at.call((2, STRAIGHT_FLUSH))

    assert {2: 1_000_03} == won_of(at, hit)
    assert 10_000_34 - 1_000_03 == at.displayed()
    at.reject(hit)
    assert 10_000_34 == at.displayed()


def test_two_hits_in_one_round_of_which_one_is_fixed_are_two_calls(at: Floor) -> None:
    at.press()
    first, second = at.call((1, ROYAL)), at.call((2, QUADS))

    assert {2: 200_00} == won_of(at, second)
    at.whole(second)
    at.whole(first)
    assert 200_00 + 10_000_86 == at.balance("paid")


def test_g_2_a_seat_has_one_prize_of_a_round(at: Floor) -> None:
    at.press()
    hit = at.call((1, QUADS))
    assert any("(G-2)" in each for each in refused(lambda: at.call((1, FULL_HOUSE)), at))
    assert any("(G-2)" in each for each in refused(lambda: at.small(1, FLUSH), at))
    at.reject(hit)
    at.small(1, FLUSH)
    assert any("(G-2)" in each for each in refused(lambda: at.small(1, FLUSH), at))


# Bonus jackpots are the house's.


def test_g_4_a_bonus_that_would_be_divided_is_refused_in_a_commercial_room_of_today(quick_path: Path) -> None:
    split = bonus_five_card(bonus_sharing="split")
    refusal = pytest.raises(RefusedError, match=r"every winner of a Bonus gets the full posted prize.*G-4")
    with refusal, floor(quick_path / "room", split):
        pass


@pytest.mark.parametrize(("sharing", "each"), [("full", 10_000_00), ("split", 5_000_00)])
def test_g_4_a_bonus_prize_is_paid_by_the_house_in_full_or_divided(
    quick_path: Path, monkeypatch: pytest.MonkeyPatch, sharing: str, each: int
) -> None:
    # A tribal room divides it still.
    monkeypatch.setattr(lifecycle, "profile_at", lambda *_: "wa-tribal")
    with floor(quick_path / "room", bonus_five_card(bonus_sharing=sharing)) as at:
        at.press(jackpot="posted")
        hit = at.call((1, ROYAL), (2, ROYAL), jackpot="posted")

        assert {1: each, 2: each} == won_of(at, hit)
        assert 10_000_00 == at.displayed("posted")
        at.whole(hit)
        assert (-2 * each, 2 * each) == (at.balance("house", "posted"), at.balance("paid", "posted"))
        at.check()


@pytest.mark.parametrize("late", [False, True])
def test_g_32_e_07_a_bonus_posted_after_the_press_holds_for_later_rounds_only(quick_path: Path, late: bool) -> None:
    with floor(quick_path / "room", bonus_five_card()) as at:
        at.press(jackpot="posted")
        at.jackpots.post_bonus("posted", 12_000_00, words="the day's amount", command=at.id(), actor="Ada")
        if late:
            at.press(jackpot="posted")
            hit = at.call((1, ROYAL), jackpot="posted", round_number=1, words="seen on camera")
        else:
            hit = at.call((1, ROYAL), jackpot="posted")
        assert {1: 10_000_00} == won_of(at, hit)
        at.check()


def test_g_5_fixed_prizes_are_the_houses_unless_the_jackpot_deducts_them(quick_path: Path) -> None:
    with floor(quick_path / "room", five_card(), five_card("deducting", "6", fixed_prizes="meter")) as at:
        at.press()
        at.press("6", jackpot="deducting")
        at.small(1, FLUSH)
        at.small(1, FLUSH, table="6", jackpot="deducting")

        assert (10_000_86, 10_000_86 - 25_00) == (at.displayed(), at.displayed("deducting"))
        assert (-25_00, 0) == (at.balance("house"), at.balance("house", "deducting"))
        at.check()
