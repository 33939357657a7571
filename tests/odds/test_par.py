"""The figures of a PAR sheet are those of the odds, its inputs state its terms again, and any game gets a sheet."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction
from math import isqrt
from typing import Any

import pytest

from pitboss.games import all_games, find_game
from pitboss.odds.par import Sheet, make_sheet
from pitboss.odds.par.figures import meter_grid
from pitboss.odds.par.sheet import inputs_of
from pitboss.odds.par.sheet import terms_of as terms_again
from pitboss.odds.par.values import WagerFigures
from pitboss.odds.printed import catalogue
from pitboss.odds.results import OddsResult
from pitboss.odds.solving import solve, stated_terms
from pitboss.rules import Game
from tests.odds.sheets import ROWS, SMALL, large_sheet, small_sheet, terms_of


def of(sheet: Sheet, wager: str, basis: str = "alone") -> WagerFigures:
    (found,) = (each for each in sheet.wagers if (each.wager, each.basis) == (wager, basis))
    return found


def same_figures(figures: WagerFigures, result: OddsResult) -> None:
    assert (figures.wager, figures.basis, figures.paytables) == (result.wager, result.basis, result.paytables)
    assert figures.ev == result.ev
    assert figures.initial_stake == result.initial_stake
    assert figures.house_edge == result.house_edge
    assert figures.returned == 1 - result.house_edge
    assert figures.average_wager == result.average_wager
    assert figures.element_of_risk == result.element_of_risk
    assert figures.variance == result.variance
    assert figures.std_dev == result.std_dev()
    assert figures.hit_frequency == result.hit_frequency
    assert figures.method == result.method
    assert figures.terms_hash == result.terms_hash
    assert [(e.event, e.pays, e.count, e.of, e.probability, e.contribution) for e in figures.events] == [
        (e.event, e.pays, e.count, e.of, e.probability, e.contribution) for e in result.events
    ]
    assert [[each.share for each in level] for level in figures.decisions] == [
        list(level.values()) for level in result.decisions if level
    ]
    if figures.jackpot is not None:
        assert figures.jackpot.meter_coefficient == result.meter_coefficient
        assert figures.jackpot.break_even_meter == result.break_even_meter
        assert figures.jackpot.fixed_return == 1 + result.ev
        assert figures.jackpot.envy_per_hand == result.envy_per_hand


def test_the_figures_of_every_wager_are_those_that_odds_gives() -> None:
    sheet = large_sheet()
    prime = {"id": "PRW-2", "pays": {ROWS[0]: "2.5", ROWS[1]: "2.5", ROWS[2]: "Loss"}}
    tables: dict[str, list[Any]] = {
        "ante-play": ["PW/BB-2"],
        "prime": [prime],
        "pair-bonus": ["PB-1", "PB/LD-2"],
        "all-six": ["A6-5"],
        "final-four": ["F4P-1"],
        "all-seven": ["A7P-1"],
    }

    assert [each.wager for each in sheet.wagers] == list(tables)
    for wager, ids in tables.items():
        same_figures(of(sheet, wager), solve("three-card-prime", wager, ids))


@pytest.mark.parametrize("name", [name for name in SMALL if name != "super-three-card"])
def test_every_game_gets_the_figures_that_odds_gives(name: str) -> None:
    for wager, ids in SMALL[name]["paytables"].items():
        same_figures(of(small_sheet(name), wager), solve(name, wager, ids))


def test_a_jackpot_of_five_dollars_on_eight_decks_is_figured_per_dollar_staked() -> None:
    figures = of(small_sheet("super-three-card"), "twenty-one-plus-three")
    one_dollar = solve("super-three-card", "twenty-one-plus-three", ["PT-BJS-213-02"], decks=8)

    assert figures.jackpot is not None
    assert figures.jackpot.wager_cents == 500
    # Every dollar prize is five times as large (G-7), the meter is not.
    assert figures.ev == one_dollar.ev
    assert one_dollar.meter_coefficient is not None
    assert figures.jackpot.meter_coefficient == one_dollar.meter_coefficient / 5


def test_events_add_up_to_the_expectation_and_to_all_deals() -> None:
    for figures in large_sheet().wagers:
        assert sum(each.count for each in figures.events) == figures.total
        assert sum(each.probability for each in figures.events) == 1
        assert sum(each.contribution for each in figures.events) == figures.ev


def test_a_jackpot_is_shown_at_every_meter_stated_and_is_fair_at_the_break_even_meter() -> None:
    jackpot = of(large_sheet(), "final-four").jackpot

    assert jackpot is not None
    assert jackpot.break_even_meter is not None
    shown = {each.meter_cents: each for each in jackpot.meters}
    assert {0, 12_345_67, 500_000_00} <= set(shown)
    assert list(shown) == sorted(shown)
    for cents, each in shown.items():
        assert each.ev == jackpot.fixed_return - 1 + jackpot.meter_coefficient * Fraction(cents, 100)
        assert each.house_edge == -each.ev == 1 - each.returned
    low, high = (max(c for c in shown if c <= jackpot.break_even_meter * 100), max(shown))
    assert shown[low].house_edge > 0 > shown[high].house_edge


def test_the_deviation_at_a_meter_counts_what_the_meter_pays() -> None:
    jackpot = of(large_sheet(), "final-four").jackpot
    assert jackpot is not None
    # Diamond royal: all of the meter, two of 1,082,900 hands; other royals a tenth of it, six hands (TCP-10).
    result = solve("three-card-prime", "final-four", ["F4P-1"])
    meter = 500_000
    square = sum(
        (each.net + {"4-card diamond Royal": meter, "4-card Royal": meter // 10}.get(each.event, 0)) ** 2 * each.count
        for each in result.events
    )
    (shown,) = (each for each in jackpot.meters if each.meter_cents == meter * 100)
    variance = Fraction(square, result.events[0].of) - shown.ev**2

    assert shown.std_dev.replace(".", "").lstrip("0") == str(isqrt(int(variance * 10**12)))


@pytest.mark.parametrize("dollars", ["7/3", "99", "1000", "207207", "1234567", "15000000"])
def test_the_grid_of_meters_is_round_and_passes_the_break_even_meter_by_half(dollars: str) -> None:
    break_even = Fraction(dollars)
    grid = meter_grid(break_even)
    step = grid[1] // 100

    assert grid == [step * 100 * place for place in range(len(grid))]
    assert str(step).rstrip("0") in ("1", "2", "5")
    assert grid[-2] < break_even * 150 <= grid[-1]
    assert 4 <= len(grid) <= 9


def test_a_jackpot_that_is_better_than_fair_without_its_meter_is_shown_at_nothing() -> None:
    assert meter_grid(Fraction(-5)) == [0]


def test_envy_is_counted_by_seats() -> None:
    jackpot = of(small_sheet("four-card-prime"), "four-card-jackpot").jackpot
    game = find_game("four-card-prime")

    assert jackpot is not None
    assert jackpot.envy_per_hand is not None
    assert [each.seats for each in jackpot.seats] == list(range(1, game.seats_max + 1))
    for each in jackpot.seats:
        assert each.house_edge == 1 - jackpot.fixed_return - (each.seats - 1) * jackpot.envy_per_hand


def test_the_volatility_index_is_its_deviations_per_initial_stake() -> None:
    for figures in large_sheet().wagers:
        deviation = Fraction(figures.std_dev) / figures.initial_stake
        index = Fraction(figures.volatility.index)
        assert abs(index - deviation * Fraction(1645, 1000)) < Fraction(1, 10**5)
        for band in figures.volatility.bands:
            half = index / isqrt(band.rounds) if isqrt(band.rounds) ** 2 == band.rounds else None
            assert Fraction(band.low) + Fraction(band.high) == pytest.approx(float(2 * figures.returned), abs=2e-6)
            if half is not None:
                assert Fraction(band.high) - Fraction(band.low) == pytest.approx(float(2 * half), abs=1e-5)


def test_sessions_have_the_mean_and_deviation_of_their_rounds() -> None:
    for figures in large_sheet().wagers:
        assert [each.rounds for each in figures.sessions] == [100, 1000]
        for each in figures.sessions:
            if figures.jackpot is None:
                assert each.mean == figures.ev * each.rounds
                assert float(each.std_dev) == pytest.approx(float(figures.variance * each.rounds) ** 0.5, abs=1e-5)
            shares = Fraction(each.ahead) + Fraction(each.even) + Fraction(each.behind)
            assert abs(shares - 1) < Fraction(1, 10**7)


def test_a_jackpot_session_counts_the_first_meter_stated_in_whole_hundreds() -> None:
    figures = of(large_sheet(), "final-four")
    assert figures.jackpot is not None
    for each in figures.sessions:
        assert each.meter_cents == 12_300_00
        at_meter = figures.ev + figures.jackpot.meter_coefficient * 12_300
        assert each.mean == at_meter * each.rounds


def test_rows_say_what_is_set_by_the_operator_and_what_a_reading_leaves_unpaid() -> None:
    tables = {table.id: table for table in large_sheet().paytables}

    assert {"Win-or-Copy", "PW/BB-2", "PRW-2", "PB-1", "PB/LD-2", "A6-5", "F4P-1", "A7P-1"} == set(tables)
    assert [(row.printed, row.pays, row.note) for row in tables["PRW-2"].rows] == [
        ("Bonus", "2.5 to 1", "set by the operator"),
        ("Bonus", "2.5 to 1", "set by the operator"),
        ("Bonus", "loss", "set by the operator"),
    ]
    # TCP-4: the printed 1 is not paid under the default reading.
    unpaid = tables["PW/BB-2"].rows[-1]
    assert (unpaid.printed, unpaid.pays, unpaid.note) == ("1", "loss", "not paid under the reading in force")
    assert [row.note for row in tables["PW/BB-2"].rows[:-1]] == [None] * 4


def test_a_reading_that_pays_a_row_sometimes_is_noted_and_one_that_always_does_is_not() -> None:
    game = find_game("three-card-prime")
    notes = {}
    for reading in ("loses", "flush_only", "as_printed"):
        terms = terms_of(game, paytables={"ante-play": ["PW/BB-4"]}, readings={"bad_beat_flush_or_lower": reading})
        from pitboss.odds.par.figures import tables_in_force  # noqa: PLC0415

        table = tables_in_force(game, terms, [game.by_name["ante-play"]])[-1]
        notes[reading] = (table.rows[-1].pays, table.rows[-1].note)

    assert notes == {
        "loses": ("loss", "not paid under the reading in force"),
        "flush_only": ("Flush: 1 to 1; Lower than a flush: loss", "paid only as the reading in force says"),
        "as_printed": ("1 to 1", None),
    }


def test_readings_rules_and_rulings_are_on_the_sheet() -> None:
    sheet = large_sheet()

    assert [(each.name, each.reading, each.ruling) for each in sheet.readings] == [
        ("play_when_not_qualified", "pay", "TCP-3"),
        ("bad_beat_flush_or_lower", "loses", "TCP-4"),
    ]
    assert {"TCP-1", "TCP-12"} <= {each.place for each in sheet.rules.rulings}
    assert ("TCP rule 2", "each seat in rotation plays or folds") in [(s.place, s.words) for s in sheet.rules.stages]
    assert sheet.rules.words[0].startswith("One deck of 52 cards")


@pytest.mark.parametrize("game", all_games(), ids=lambda game: game.name)
def test_inputs_state_the_terms_again_for_everything_that_can_be_priced(game: Game) -> None:
    every = [terms for _, terms in catalogue(game)]
    every += [
        replace(terms, tables={**terms.tables, **other.tables}) for terms, other in zip(every, every[::-1], strict=True)
    ][::7]
    for terms in every:
        assert terms_again(game, inputs_of(game, terms, [], {}, None)) == terms


def test_inputs_hold_no_cell_that_is_as_printed() -> None:
    tables = {table.id: table for tables in large_sheet().inputs.paytables.values() for table in tables}

    assert tables["A6-5"].pays == {}
    assert tables["PRW-2"].pays == {ROWS[0]: "2.5", ROWS[1]: "2.5", ROWS[2]: "Loss"}
    assert "Win-or-Copy" not in tables


def test_a_wager_that_shares_a_decision_stands_on_the_sheet_alone_and_beside() -> None:
    game = find_game("deuces-wild")
    terms = terms_of(game, paytables={"five-card-fortune": ["FCF-A"], "ante-play-raise": ["APR-A"]})
    sheet = make_sheet(game, terms, wagers=["five-card-fortune"])

    assert [(each.wager, each.basis) for each in sheet.wagers] == [
        ("five-card-fortune", "alone"),
        ("five-card-fortune", "beside-ante"),
    ]
    same_figures(sheet.wagers[0], solve("deuces-wild", "five-card-fortune", ["FCF-A"]))
    same_figures(sheet.wagers[1], solve("deuces-wild", "five-card-fortune", ["FCF-A"], beside=["APR-A"]))
    # The table that it stands beside is in force too.
    assert {table.id for table in sheet.paytables} == {"FCF-A", "APR-A"}


def test_a_wager_settled_on_what_the_main_wager_chose_needs_its_table() -> None:
    game = find_game("three-card-double-play")
    terms = terms_of(game, paytables={"pick-3": ["P3-1"]}, readings={"pick3_basis": "as_set"})

    with pytest.raises(ValueError, match="pick-3 is settled on what high-low chose: state a pay table of that too"):
        make_sheet(game, terms)


def test_what_cannot_be_on_a_sheet_is_told_at_once() -> None:
    game = find_game("three-card-prime")
    terms = terms_of(game, paytables={"prime": ["PRW-1"]})

    with pytest.raises(ValueError, match=r"no wager 'primes'.*no pay table is stated for all-six"):
        make_sheet(game, terms, wagers=["primes", "all-six"])
    with pytest.raises(ValueError, match="at least one wager"):
        make_sheet(game, terms, wagers=[])


def test_terms_with_cells_left_open_have_no_sheet() -> None:
    game = find_game("three-card-prime")
    terms, open_events = stated_terms(game, {"final-four": ["F4P-4"]})

    assert open_events
    with pytest.raises(ValueError, match="F4P-4"):
        make_sheet(game, terms)


def test_terms_that_no_inputs_state_have_no_sheet() -> None:
    game = find_game("three-card-prime")
    terms = terms_of(game, paytables={"prime": ["PRW-1"]})
    half = replace(terms, tables=dict(terms.tables) | {"loose-deuce": game.paytables["PB/LD-1"]})

    with pytest.raises(ValueError, match="cannot be stated"):
        make_sheet(game, half)


def test_the_digest_is_of_everything_the_sheet_says() -> None:
    sheet = small_sheet("three-card-prime")

    assert sheet.digest == replace(sheet).digest
    assert sheet.digest != replace(sheet, readings=large_sheet().readings).digest
