"""Meters folded over the hits that blocks found, against every round through the settlement with the meter of that instant."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from fractions import Fraction
from functools import lru_cache
from typing import Any

import pytest

from pitboss.games import find_game
from pitboss.meters import FUNDS, Account, MeterState, balances, open_meter, units_of
from pitboss.rules import Terms, TermsInput, make_terms
from pitboss.simulate.folding import Fold, Occasion, PrizeLevel, find_occasions, fold_meter
from pitboss.simulate.running import run_block
from pitboss.simulate.setup import BLOCK_ROUNDS, Setup, make_setup
from tests.meters.making import bonus, progressive
from tests.simulate import one_by_one

KEY = bytes(range(32))
ROUNDS = 2_000
# Percentages on rows that come often, so that levels meet in one round and the meter is won whole again and again.
OFTEN = {
    "4-card diamond Royal": "100%",
    "4-card Royal": "100%",
    "4-card Straight Flush": "100%",
    "Four of a kind": "100%",
    "Initial 3-card SF": "100%",
    "Three of a Kind": "100%",
    "4-card Straight": "33%",
    "Initial 3-card straight": "7%",
}
# With dollars under the percentages, for jackpots whose fixed prizes come from the meter.
MIXED = OFTEN | {"Three of a Kind": "60%", "4-card Straight": "$15", "Initial 3-card straight": "$6"}


@lru_cache
def prime(pays: tuple[tuple[str, str], ...], stated: tuple[tuple[str, Any], ...] = (), seats: int = 6) -> Setup:
    game = find_game("three-card-prime")
    tables = {"ante-play": ["PW/BB-1"], "final-four": [{"id": "F4P-1", "pays": dict(pays)}]}
    terms, problems = make_terms(game, TermsInput(paytables=tables, readings={}, **dict(stated)))
    assert not problems
    return make_setup(game, terms, {"ante-play": 500, "final-four": 100}, seats=seats)


def often(**stated: Any) -> Setup:
    return prime(tuple(OFTEN.items()), tuple(stated.items()))


def mixed(**stated: Any) -> Setup:
    return prime(tuple(MIXED.items()), tuple(stated.items()))


def folded(setup: Setup, meter: Any, rounds: int = ROUNDS, looks: Sequence[int] = (), name: str = "final-four") -> Fold:
    result = run_block(setup, KEY, 0, rounds=rounds)
    wagers = sum(1 for cents in setup.staked_on(name) if cents)
    occasions = find_occasions(setup, [result])[name]
    return fold_meter(setup.terms, name, meter, occasions, wagers_a_round=wagers, rounds=rounds, looks=looks)


def agree(setup: Setup, meter: Any, name: str = "final-four") -> Fold:
    """Fold, and compare with every round settled by itself: states after every round, prizes, payers, transfers."""
    fold = folded(setup, meter, looks=range(1, ROUNDS + 1), name=name)
    hits = {hit.occasion.round: hit for hit in fold.hits}
    transfers = list(open_meter(meter).transfers)
    state: MeterState | None = None
    for number, instant in enumerate(one_by_one.play(setup, KEY, 0, ROUNDS, {name: meter})):
        transfers += instant.transfers[name]
        state = instant.after[name]
        payment = instant.settlement.jackpots.get(name)
        hit = hits.pop(number, None)
        if payment is None:
            assert hit is None
        else:
            assert hit is not None
            assert hit.payment == payment
            # In units: what is behind the cents that a display shows.
            assert hit.displayed_units == instant.shown[name].displayed_units
            lines = [by_wager[name] for by_wager in instant.settlement.lines.values() if name in by_wager]
            if setup.terms.fixed_from_meter:
                assert hit.percentage_cents + hit.occasion.fixed_cents == sum(line.paid_cents for line in lines)
            winners = sorted((line.event, line.paid_cents) for line in lines if line.event in percentage_rows(setup))
            told = zip(hit.occasion.levels, hit.each_cents, strict=True)
            assert winners == sorted((level.event, each) for level, each in told for _ in range(level.winners))
        # A look is the display after the rounds before the next hit: it has this round's prizes in it.
        assert fold.shown_cents[number] == state.displayed_cents
    assert hits == {}
    assert fold.state == state
    assert fold.accounts == balances(transfers)
    # Without a look after every round, prizes that reseed nothing are paid in turn: nothing else may come of it.
    at_once = folded(setup, meter, looks=(ROUNDS,), name=name)
    assert replace(at_once, shown_cents=fold.shown_cents) == fold
    return fold


def percentage_rows(setup: Setup) -> set[str]:
    (slot,) = find_game(setup.game).by_name["final-four"].slots
    return {row.event for row in setup.terms.tables[slot.name].rows if "meter" in str(row.pay)}


def reconcile(fold: Fold) -> None:
    """Money is neither made nor lost, to the unit: what came in is displayed, reserved, overflowed, kept or paid."""
    found = fold.accounts
    assert sum(found.values()) == 0
    staked = fold.rounds * fold.wagers_a_round * fold.terms.wager_units
    assert found[Account.WAGERS] == -staked
    held = sum(found[fund] for fund in FUNDS)
    assert staked - found[Account.SEED] - found[Account.HOUSE] - found[Account.POSTING] == (
        held + found[Account.HOUSE_SHARE] + found[Account.WINNERS]
    )
    assert found[Account.WINNERS] == units_of(
        sum(hit.payment.from_fund_cents + hit.payment.from_house_cents for hit in fold.hits)
    )


def test_g_4_prizes_shared_by_seats_and_levels_leave_the_same_meter_as_round_by_round() -> None:
    fold = agree(often(), progressive(reserve_rate=Fraction("0.05")))

    reconcile(fold)
    assert sum(hit.occasion.top for hit in fold.hits) > 20
    assert any(level.winners > 1 for hit in fold.hits for level in hit.occasion.levels), "a shared level"
    assert any(len(hit.occasion.levels) > 1 for hit in fold.hits), "several levels in one round"
    assert any(hit.payment.from_house_cents for hit in fold.hits), "the house covered"
    assert any(hit.payment.odd_cents for hit in fold.hits), "odd cents stayed"
    assert any(hit.lacked_units for hit in fold.hits), "the house reseeded"


def test_a_capped_meter_overflows_and_is_reseeded_from_reserve_and_overflow_before_the_house() -> None:
    meter = progressive(
        seed_cents=400_00,
        reseed_cents=390_00,
        cap_cents=400_00,
        display_rate=Fraction("0.5"),
        reserve_rate=Fraction("0.02"),
    )
    fold = agree(often(), meter)

    reconcile(fold)
    assert any(hit.from_reserve_units for hit in fold.hits)
    assert any(hit.from_overflow_units for hit in fold.hits)
    assert max(fold.shown_cents) == 400_00


def test_g_5_fixed_prizes_taken_from_the_meter_are_folded_as_settled() -> None:
    fold = agree(mixed(fixed_from_meter=frozenset({"final-four"})), progressive(seed_cents=100_00, reseed_cents=50_00))

    reconcile(fold)
    assert any(not hit.occasion.levels and hit.payment.from_fund_cents for hit in fold.hits)
    assert any(not hit.occasion.levels and hit.payment.from_house_cents for hit in fold.hits), "an empty meter"


@pytest.mark.parametrize("sharing", ["full", "split"])
def test_g_4_a_bonus_jackpot_is_paid_by_the_house_and_its_display_stays(sharing: str) -> None:
    fold = agree(often(jackpot_type="bonus", bonus_sharing=sharing), bonus())

    reconcile(fold)
    assert set(fold.shown_cents) == {250_00}
    assert all(hit.payment.from_fund_cents == 0 for hit in fold.hits)
    shared = next(hit for hit in fold.hits if hit.occasion.levels[0].winners == 2)
    whole = fold.terms.seed_cents * shared.occasion.levels[0].share.share
    assert shared.each_cents[0] == (whole if sharing == "full" else whole / 2)


def test_seats_without_the_jackpot_wager_neither_contribute_nor_win() -> None:
    setup = often()
    some = replace(setup, stakes=tuple((*seat[:4], 100 * (number % 2), 0) for number, seat in enumerate(setup.stakes)))
    fold = agree(some, progressive())

    assert fold.wagers_a_round == 3
    assert len(fold.hits) < len(folded(setup, progressive()).hits)


def test_two_jackpots_of_one_table_are_folded_apart() -> None:
    game = find_game("three-card-double-play")
    names = ("super-3s", "super-six")
    threes = dict.fromkeys(("Mini-Royal with SF", "Mini-Royal with Trips", "Double Trips/SF"), "100%")
    sixes = dict.fromkeys(("Five-card Royal Flush", "Five-card straight flush", "Four of a kind", "Full House"), "100%")
    paytables = {
        "high-low": ["LWB-1"],
        "super-3s": [{"id": "S3J-1", "pays": threes | {"One Mini-Royal": "100%", "One Trips or SF": "4%"}}],
        "super-six": [{"id": "S6J-1", "pays": sixes | {"Flush": "10%", "Straight": "5%"}}],
    }
    terms, problems = make_terms(game, TermsInput(paytables=paytables, readings={}))
    assert not problems
    setup = make_setup(game, terms, {"high-low": 500} | dict.fromkeys(names, 100), seats=3)
    occasions = find_occasions(setup, [run_block(setup, KEY, 0, rounds=ROUNDS)])
    meters = {"super-3s": progressive(), "super-six": progressive(seed_cents=70_00, reserve_rate=Fraction("0.1"))}
    instants = list(one_by_one.play(setup, KEY, 0, ROUNDS, meters))

    for name in names:
        fold = fold_meter(terms, name, meters[name], occasions[name], wagers_a_round=3, rounds=ROUNDS)
        assert fold.state == instants[-1].after[name]
        assert len(fold.hits) == sum(name in instant.settlement.jackpots for instant in instants) > 50
        assert fold.state.generation > 3
        reconcile(fold)


def test_rounds_are_numbered_over_the_blocks_and_occasions_come_in_order() -> None:
    setup = often()
    results = [run_block(setup, KEY, number, rounds=300) for number in (0, 1)]
    occasions = find_occasions(setup, results)["final-four"]
    again = find_occasions(setup, reversed(results))["final-four"]

    assert occasions == again
    assert [each.round for each in occasions] == sorted({each.round for each in occasions})
    assert {each.round // BLOCK_ROUNDS for each in occasions} == {0, 1}


def test_a_fold_may_begin_anywhere_and_is_the_same_as_one_over_the_whole() -> None:
    setup = often()
    whole = folded(setup, progressive(), looks=(1_000, ROUNDS))
    late = [hit.occasion for hit in whole.hits if hit.occasion.round >= 1_000]
    meter = progressive()
    part = fold_meter(setup.terms, "final-four", meter, late, wagers_a_round=6, first=1_000, rounds=1_000)

    # From the first top hit of both on, the meters are reseeded alike, but for what stayed of odd cents and reserve.
    assert [hit.occasion for hit in part.hits] == late
    assert part.rounds == 1_000
    assert part.state.wagers_counted == 6_000
    reconcile(part)


def test_a_year_without_hits_grows_by_every_wager() -> None:
    rounds = 24 * 365 * 40
    fold = fold_meter(often().terms, "final-four", progressive(), (), wagers_a_round=6, rounds=rounds)

    assert fold.hits == ()
    assert fold.state.displayed_units == units_of(1_000_00) + 6 * rounds * 173_000


def test_occasions_and_looks_out_of_order_are_refused() -> None:
    setup = often()
    some = folded(setup, progressive()).hits
    backwards = [some[1].occasion, some[0].occasion]
    with pytest.raises(ValueError, match="must rise"):
        fold_meter(setup.terms, "final-four", progressive(), backwards, wagers_a_round=6, rounds=ROUNDS)


def test_g_4_two_rows_of_one_percentage_are_two_levels() -> None:
    terms: Terms = often().terms
    share = next(hit for hit in folded(often(), progressive()).hits if hit.occasion.top).occasion.levels[0].share
    both = Occasion(0, (PrizeLevel("Three of a Kind", share, 1), PrizeLevel("Four of a kind", share, 2)), 0)
    fold = fold_meter(terms, "final-four", progressive(), [both], wagers_a_round=6, rounds=1)
    (hit,) = fold.hits

    assert hit.displayed_cents == 1_001_03
    assert hit.each_cents == (1_001_03, 500_51)
    assert (hit.payment.from_fund_cents, hit.payment.from_house_cents) == (1_001_03, 1_001_02)
    assert hit.payment.odd_cents == 1
