"""Item 10, STC-8: simulated shoes with a cut card, beside a plain road, and the effect of depth with its error."""

from __future__ import annotations

import datetime
import json
from collections import Counter
from dataclasses import replace
from fractions import Fraction
from pathlib import Path

import numpy
import pytest

from pitboss.games import find_game
from pitboss.meters import units_of
from pitboss.odds.pricing import unit_pays
from pitboss.odds.solving import stated_terms
from pitboss.poker import SHOE_THREE_CARD
from pitboss.rules import FinishedSeat, Settler
from pitboss.rules.pays import ToOne
from pitboss.simulate.forecasts import ForecastPlan, forecast
from pitboss.simulate.forecasts.plan import make_request
from pitboss.simulate.playing import make_ready
from pitboss.simulate.report import make_report
from pitboss.simulate.running import run, run_block
from pitboss.simulate.setup import Setup, make_setup
from pitboss.table import Configuration, default_configuration
from tests.cli.running import run as run_command
from tests.simulate import one_by_one
from tests.simulate.cases import KEY
from tests.simulate.plain import Money, cents_settled, finished, played_in

STC = find_game("super-three-card")
ROUNDS, SEATS, CUT = 400, 3, 180
MAIN = "ante-odds-play"
LOWEST = (0, 5, 14)
"""A dealer's hand that no three cards lose to: 2-3-5 of different suits."""


def setup_of(cut_card: int | None = CUT) -> Setup:
    terms, _ = stated_terms(STC, {MAIN: ["PT-FLT-STC-01"], "big-hand-bonus": ["PT-FLT-STC-BH-01"]}, decks=6)
    return make_setup(STC, terms, {MAIN: 500, "big-hand-bonus": 300}, seats=SEATS, cut_card=cut_card)


def used_by_hand(hands: tuple[tuple[int, ...], ...], board: tuple[int, ...], plays: list[bool]) -> list[int]:
    """The cards of a round that leave the shoe: rules 2 and 5."""
    cards = [card for hand in hands for card in hand[:2]] + [board[0]]
    cards += [hand[2] for hand, plays_on in zip(hands, plays, strict=True) if plays_on]
    return cards + (list(board[1:]) if any(plays) else [])


def test_stc_8_a_shoe_gives_each_card_as_often_as_it_holds_it_and_is_shuffled_after_the_cut_card() -> None:
    ready = make_ready(setup_of())
    gone: Counter[int] = Counter()
    shoes, money = 0, Money(ready, {})
    settler = Settler(STC, ready.terms)
    for chunk in ready.play(KEY, 0, ROUNDS):
        for place, played in enumerate(played_in(ready, chunk)):
            depth = int(chunk.depths[place])
            if depth == 0:
                assert gone.total() == 0 or gone.total() >= CUT
                gone.clear()
                shoes += 1
            assert depth == gone.total() < CUT
            gone.update(used_by_hand(played.cards, played.board, [bool(each[0]) for each in played.choices]))
            assert max(gone.values()) <= 6
            assert cents_settled(settler.settle(finished(ready, played), {})) == money.cents(played)
    assert shoes > ROUNDS * 9 // (CUT + 12)


def worth_by_hand(gone: Counter[int], hand: tuple[int, ...], up: int) -> tuple[Fraction, Fraction]:
    """What playing and surrendering are worth with these cards gone, by every third card and every two of the dealer's."""
    left = {kind: 6 - gone[kind] - (*hand, up).count(kind) for kind in range(52)}
    settler = Settler(STC, setup_of().terms)
    main = STC.by_name[MAIN]
    events = {}
    for third in range(52):
        won = settler.outcome(main, FinishedSeat(1, {MAIN: 100}, (*hand, third), (1,)), LOWEST)
        events[third] = sum(
            (prize.times for part in won.parts for prize in part.prizes if isinstance(prize, ToOne)), Fraction(0)
        )
    values = {third: SHOE_THREE_CARD.hand((*hand, third)).value for third in range(52)}
    total, play = 0, Fraction(0)
    for x in range(52):
        for y in range(x, 52):
            dealer = SHOE_THREE_CARD.hand((up, x, y)).value
            for third in range(52):
                n = dict(left)
                ways = n[third]
                n[third] -= 1
                ways *= n[x] * (n[y] - 1) // 2 if x == y else n[x] * n[y]
                if ways > 0:
                    total += ways
                    play += ways * (events[third] if values[third] >= dealer else -3)
    return play / total, Fraction(-1)


@pytest.mark.parametrize("place", [3, 15])
def test_stc_8_remembering_is_worth_the_better_decision_by_hand(place: int) -> None:
    ready = make_ready(setup_of())
    gone: Counter[int] = Counter()
    (chunk,) = ready.play(KEY, 1, place + 1)
    rounds = list(played_in(ready, chunk))
    for number, played in enumerate(rounds[:place]):
        if chunk.depths[number] == 0:
            gone.clear()
        gone.update(used_by_hand(played.cards, played.board, [bool(each[0]) for each in played.choices]))
    if chunk.depths[place] == 0:
        gone.clear()
    played = rounds[place]
    play, surrender = worth_by_hand(gone, played.cards[0][:2], played.board[0])
    chosen = play if played.choices[0][0] else surrender
    assert abs(float(max(play, surrender) - chosen) - chunk.gains[place]) < 1e-12


def test_stc_8_a_fresh_shoe_is_nothing_to_remember() -> None:
    ready = make_ready(setup_of())
    (chunk,) = ready.play(KEY, 2, ROUNDS)
    fresh = chunk.gains[chunk.depths == 0]
    assert len(fresh)
    assert (fresh == 0).all()
    assert (chunk.gains >= 0).all()
    assert unit_pays(STC.by_name[MAIN], ready.terms).scale >= 1


def test_stc_8_bands_add_up_to_the_rounds_and_their_money() -> None:
    setup = setup_of()
    block = run_block(setup, KEY, 0, rounds=ROUNDS)
    assert block.depths is not None
    assert int(block.depths.rounds.sum()) == ROUNDS
    report = make_report(run(setup, KEY, ROUNDS))
    names = list(STC.by_name)
    for wager in report.wagers:
        won = int(block.depths.won[:, names.index(wager.wager)].sum())
        assert won == wager.paid_cents - wager.staked_cents
    assert [band.rounds for band in report.depths] == block.depths.rounds.tolist()
    assert all(band.remembered is not None and band.remembered.standard_error >= 0 for band in report.depths)
    assert make_report(run(setup_of(None), KEY, ROUNDS)).depths == ()
    assert run_block(setup_of(None), KEY, 0, rounds=ROUNDS).depths is None


def test_stc_8_depth_is_worth_more_the_deeper_it_is() -> None:
    report = make_report(run(setup_of(270), KEY, 16_384))
    first, *_, last = (band.remembered for band in report.depths)
    assert first is not None
    assert last is not None
    assert last.mean - first.mean > 4 * (last.standard_error + first.standard_error)
    for wager in report.wagers:
        assert wager.z is not None
        assert abs(wager.z) < 4


def test_stc_8_the_same_key_gives_the_same_shoes() -> None:
    one, other = (run_block(setup_of(), KEY, 5, rounds=ROUNDS) for _ in range(2))
    assert numpy.array_equal(one.histogram, other.histogram)


def test_item_10_odds_and_simulate_tell_the_effect_of_depth(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("pitboss.cli.odds.figures._DEPTH_ROUNDS", 512)
    usual = replace(default_configuration(STC, datetime.date(2026, 10, 1)), dealt="shoe", cut_card=208)
    file = tmp_path / "table.toml"
    file.write_text(usual.canonical)
    told = json.loads(run_command(f"odds super-three-card {MAIN} --config {file} --json").stdout)
    assert told[0]["cut_card"]["cards"] == 208
    assert {"mean", "standard_error"} == set(told[0]["cut_card"]["bands"][0]["remembered"])
    text = run_command(f"simulate super-three-card --config {file} --rounds 300 --seats 2").stdout
    assert "the cut card comes out after 208 cards" in text
    content = json.loads(run_command("simulate super-three-card --cut-card 100 --rounds 300 --json").stdout)
    assert sum(band["rounds"] for band in content["cut_card"]["bands"]) == 300
    for wrong in ("super-three-card --cut-card 312", "three-card-prime --cut-card 20"):
        assert run_command(f"simulate {wrong} --rounds 10").exit_code != 0


def shoe_table(cut_card: int | None) -> Configuration:
    plain = default_configuration(STC, datetime.date(2026, 11, 15))
    return replace(plain, dealt="shoe", cut_card=cut_card, jackpots={})


def test_stc_8_a_forecast_deals_on_from_the_shoe_as_the_table_does() -> None:
    """Seen: a forecast shuffled before every round, whatever cut card the table had."""
    plan = ForecastPlan(rounds_per_hour=20, hours_per_day=4, shift_hours=2, days=3, runs=2)
    table = shoe_table(CUT)
    setup = make_request(table, plan=plan, seats=3).setup
    found = forecast(table, plan=plan, seats=3, key=KEY)
    settled = one_by_one.play(setup, KEY, 0, plan.runs * plan.run_rounds, {})
    wins = [
        sum(
            line.staked_cents - line.paid_cents
            for wagers in instant.settlement.lines.values()
            for line in wagers.values()
        )
        for instant in settled
    ]
    (chunk, *_) = make_ready(setup).play(KEY, 0, 20)
    assert (setup.cut_card, int(chunk.depths[1]) > 0) == (CUT, True)
    assert [units_of(sum(wins[at : at + plan.run_rounds])) for at in (0, plan.run_rounds)] == list(found.run_wins)
    assert found.run_wins != forecast(shoe_table(None), plan=plan, seats=3, key=KEY).run_wins


def test_stc_8_a_forecast_says_what_its_exact_figures_leave_out() -> None:
    plan = ForecastPlan(rounds_per_hour=5, hours_per_day=2, shift_hours=2, days=1, runs=1)
    found = forecast(shoe_table(CUT), plan=plan, seats=1, key=KEY)
    words = "the cut card after 180 cards: exact figures are of a fresh shoe (STC-8)"
    assert (words,) == found.exact_leaves_out
    assert [words] == found.as_json()["exact_leaves_out"]
    assert "exact_leaves_out" not in forecast(shoe_table(None), plan=plan, seats=1, key=KEY).as_json()
