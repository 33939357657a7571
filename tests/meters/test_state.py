"""Tests of the state and of what a change may be."""

import subprocess
import sys
from dataclasses import fields, replace

import pytest

from pitboss.meters import Account, MeterState, contribute, explains, open_meter
from pitboss.meters.state import EMPTY, changed, move
from tests.meters.making import after_wagers, bonus, progressive, usd


def test_g_3_the_display_shows_whole_cents_rounded_down() -> None:
    state = after_wagers(progressive(seed_cents=0), 1).state
    assert 173_000 == state.displayed_units
    assert 17 == state.displayed_cents
    assert 34 == replace(state, displayed_units=2 * 173_000).displayed_cents


@pytest.mark.parametrize("name", [each.name for each in fields(MeterState)])
def test_nothing_goes_below_zero_and_nothing_is_a_float(name: str) -> None:
    state = after_wagers(progressive(), 10).state
    for wrong in (-1, 1.0, True, None):
        with pytest.raises(AssertionError, match=name):
            replace(state, **{name: wrong})  # type: ignore[arg-type]


@pytest.mark.parametrize("name", ["wagers_reversed", "hits_rejected", "won_rejected_cents"])
def test_no_more_is_taken_back_than_there_was(name: str) -> None:
    with pytest.raises(AssertionError, match=r"more .* than"):
        replace(EMPTY, **{name: 1})


def test_m_11_a_counter_never_falls() -> None:
    change = after_wagers(progressive(), 10)
    with pytest.raises(AssertionError, match="wagers_counted would fall"):
        changed(change.state, change.terms, (), wagers_counted=9)


def test_j_10_no_change_passes_the_cap() -> None:
    terms = progressive(cap_cents=1_000_00)
    state = open_meter(terms).state
    with pytest.raises(AssertionError, match="cap"):
        changed(state, terms, move(Account.HOUSE, Account.DISPLAYED, 1, "test"))


def test_j_01_no_change_puts_players_money_on_a_bonus() -> None:
    terms = bonus()
    with pytest.raises(AssertionError, match="Bonus"):
        changed(open_meter(terms).state, terms, move(Account.WAGERS, Account.RESERVE, 1, "test"))


def test_assertions_for_money_do_not_depend_on_the_interpreters_switch() -> None:
    # An assert statement vanishes under `python -O`; these do not.
    code = "import dataclasses; from pitboss.meters.state import EMPTY; dataclasses.replace(EMPTY, displayed_units=-1)"
    done = subprocess.run([sys.executable, "-O", "-c", code], capture_output=True, text=True, check=False)  # noqa: S603
    assert 1 == done.returncode
    assert "displayed_units would be -1: nothing goes below zero" in done.stderr


def test_j_09_the_state_is_the_fold_of_its_transfers() -> None:
    terms = progressive()
    opened = open_meter(terms)
    counted = contribute(opened.state, terms, 7)
    both = opened.transfers + counted.transfers
    assert explains(both, counted.state)
    assert not explains(opened.transfers, counted.state)
    for name in ("displayed_units", "reserve_units", "overflow_units", "seed_units"):
        assert not explains(both, replace(counted.state, **{name: usd("77")}))


def test_j_03_what_is_held_is_all_three_funds() -> None:
    assert 7 == replace(EMPTY, displayed_units=1, reserve_units=2, overflow_units=4).held_units
