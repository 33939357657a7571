"""What somebody who reads the papers beside the documents looks for: who shares, what Envy is, what ranks above what."""

from __future__ import annotations

import re
from dataclasses import replace
from typing import Any

import pytest

from pitboss import law
from pitboss.games import find_game
from pitboss.papers import layout
from pitboss.papers.catalogue import BY_NAME, PAPERS, paper_view
from pitboss.papers.posted import prize_sentences
from pitboss.papers.procedure import take_or_pay
from pitboss.papers.source import PaperSource
from pitboss.papers.training import training_sheet
from pitboss.rules.pays import OfMeter
from pitboss.rules.settlement import pay_from_meter
from pitboss.table.costs import cost_of
from tests.papers.test_derived import submission_of
from tests.papers.test_papers import GAMES, source_of, table_of, words_of

TOLD = ("rack-card", "procedure")


def text_of(source: PaperSource, name: str) -> str:
    return words_of(paper_view(BY_NAME[name], source, draft=True))


SHARED = "share it equally"
IN_FULL = "Each winner is paid the full amount"
JACKPOT_TABLES = [
    ("three-card-prime", {}),
    ("deuces-wild", {}),
    ("super-three-card", {}),
    ("three-card-double-play", {}),
    ("four-card-prime", {}),
    ("four-card-prime", {"profile": "wa-tribal", "bonus_sharing": "split"}),
]


@pytest.mark.parametrize(("game", "changes"), JACKPOT_TABLES)
def test_j_23_a_percentage_is_promised_as_two_winners_are_paid_it(game: str, changes: dict[str, Any]) -> None:
    """Seen: "100% of the jackpot" and not a word of "divided equally among all qualifying players"."""
    source = source_of(game, **changes)
    papers = ("rack-card", "placards", "procedure", submission_of(source.configuration))
    for name in source.configuration.jackpots:
        wager, terms = source.game.by_name[name], source.configuration.terms
        whole = next(row.pay for row in terms.tables[wager.slots[0].name].rows if isinstance(row.pay, OfMeter))
        paid = pay_from_meter(terms, name, [(whole, 2)], fixed_cents=0, meter_cents=10_001).each_cents
        expected = {5_000: SHARED, 10_001: IN_FULL}[paid[0]]
        for paper in papers:
            text = text_of(source, paper)
            assert expected in text, paper
            assert ({SHARED, IN_FULL} - {expected}).pop() not in text, paper


@pytest.mark.parametrize("game", GAMES)
def test_g_1_and_g_2_that_a_jackpot_wager_does_not_come_back_and_that_one_hand_is_paid_is_on_card_and_procedure(
    game: str,
) -> None:
    for paper in TOLD:
        text = text_of(source_of(game), paper)
        assert "only the highest hand is paid" in text
        assert "does not come back" in text


def test_envy_is_told_as_the_reading_in_force_pays_it() -> None:
    """Seen: a column "Envy" whose prize nobody could find out how to win."""
    for reading, words in (("any_hand", "whether or not the other made it"), ("wagered", "if the other made it too")):
        source = source_of("four-card-prime", readings={"envy_trigger": reading})
        for paper in (*TOLD, "submission"):
            text = text_of(source, paper)
            assert "Envy: " in text
            assert words in text
    assert "Envy" not in text_of(source_of("three-card-prime"), "rack-card")


# Typed from TDP rule 5, FCP rule 6 and STC rule 7, with TCP-1 for the game whose document has no list.
RANKINGS = {
    "three-card-prime": "mini-royal, straight flush, three of a kind, straight, flush, pair, high card",
    "super-three-card": "mini-royal, suited three of a kind, straight flush, three of a kind, straight, suited pair, "
    "flush, pair, high card",
    "four-card-prime": "four of a kind, straight flush, three of a kind, flush, straight, two pair, pair, high card",
    "three-card-double-play": "mini-royal, straight flush, three of a kind, straight, flush, pair, high card",
}


@pytest.mark.parametrize("game", GAMES)
def test_hands_that_are_compared_have_their_order_on_card_procedure_and_pit_card(game: str) -> None:
    """Seen: no paper said that a suited pair beats a flush, nor that four-card trips do."""
    for paper in ("rack-card", "procedure", "pit-card"):
        text = text_of(source_of(game), paper)
        if game in RANKINGS:
            assert RANKINGS[game] in text
        else:
            assert "Hands rank" not in text


@pytest.mark.parametrize("game", GAMES)
def test_the_rack_card_says_of_every_wager_beside_the_main_one_which_cards_it_is_about(game: str) -> None:
    """Seen: "Five Card Fortune, $1 to $25" and not which cards it is made of."""
    source = source_of(game)
    text = text_of(source, "rack-card")
    for name in source.configuration.offered:
        wager = source.game.by_name[name]
        if wager is not source.game.main and not any(slot.condition for slot in wager.slots):
            assert wager.words in text


def test_e_04_and_e_06_lights_are_drawn_where_the_model_has_them() -> None:
    """Seen: lamps at the sensors of a Milky Way, whose lights are on the dealer's panel."""
    lamp = 'r="0.16"'
    source = source_of("four-card-prime")
    at_sensors = {
        model: layout.layout_svg(source_of("four-card-prime", equipment=model)).count(lamp)
        for model in ("milky-way", "andromeda-3d")
    }
    assert at_sensors["andromeda-3d"] == source.configuration.seats
    assert at_sensors["milky-way"] == source.configuration.seats
    panel = layout.layout_svg(source).partition("CONTROL PANEL")[2].partition("CHIP TRAY")[0]
    assert panel.count(lamp) == source.configuration.seats
    other = layout.layout_svg(source_of("four-card-prime", equipment="andromeda-3d"))
    assert other.partition("CONTROL PANEL")[2].partition("CHIP TRAY")[0].count(lamp) == 0


@pytest.mark.parametrize("game", [game for game in GAMES if "milky-way" in find_game(game).approval.equipment])
def test_a_table_without_equipment_has_neither_sensors_nor_a_panel_and_nobody_presses_a_button(game: str) -> None:
    source = source_of(game, equipment="none")
    drawn = layout.layout_svg(source)
    assert "CONTROL PANEL" not in drawn
    assert not any(spot.sensor for spot in layout.spots(source))
    text = text_of(source, "procedure")
    assert "press the tabulate button" not in text
    assert "lights" not in text.lower()


@pytest.mark.parametrize("game", GAMES)
def test_w_07_no_paper_of_a_tribal_table_rests_on_a_rule_of_commercial_rooms(game: str) -> None:
    """Seen: REGULATION W-12, O-16 and O-02 under signs, makers and the malfunction report of a Tribal casino."""
    source = source_of(game, profile="wa-tribal")
    commercial = {"W-01", "W-02", "W-12", "W-13", "O-02", "O-04", "O-16"}
    for paper in PAPERS:
        if "wa-tribal" in paper.profiles:
            text = text_of(source, paper.name)
            assert not commercial & set(re.findall(r"[A-Z]-\d\d", text)), paper.name
            assert "To the commission" not in text
    text = text_of(source, "tribal-submission")
    assert "Certified by the state" in text
    assert "Licensed by the Tribe" in text
    assert not any("O-16" in words or "W-12" in words for words in source.missing)


def test_a_submission_names_what_it_rests_on_that_is_recalled_and_not_read() -> None:
    for game in GAMES:
        source = source_of(game)
        text = text_of(source, submission_of(source.configuration))
        told = text.partition("Must be confirmed")[2].partition("Procedures")[0]
        cited = set(re.findall(r"REGULATION [A-Z]+-\d+", text.replace("; ", " REGULATION ")))
        for rule in {words.split()[1] for words in cited} & law.unread().keys():
            assert rule in told, (game, rule)


def test_a_figure_of_the_procedure_whose_rule_is_to_be_confirmed_is_named_so() -> None:
    told = text_of(source_of("three-card-prime"), "submission").partition("Must be confirmed")[2]
    assert "A check for a jackpot over $5,000. WAC 230-15-405, adopted; to be confirmed" in told


def test_what_prizes_demand_stands_in_the_procedure_with_the_figures_of_the_day() -> None:
    text = text_of(source_of("three-card-prime"), "procedure")
    assert "From $500" in text
    assert "over $3,000" in text
    assert "over $5,000" in text
    assert "over $3,000" not in text_of(source_of("three-card-prime", profile="wa-tribal"), "procedure")


def test_the_submission_says_in_words_how_a_table_is_dealt_and_what_a_reading_is_about() -> None:
    text = text_of(source_of("three-card-double-play"), "tribal-submission")
    assert "by-hand" not in text
    assert "By hand" in text
    assert "Pick3" not in text
    assert "Pick-3 and Super-3's" in text


def test_g_19_one_seat_cannot_win_without_the_base_wager_that_the_others_need() -> None:
    """Seen: the four largest prizes of 3 Card Double Play, the base wager not among them."""
    cost = cost_of(table_of("three-card-double-play"))
    by_name = {each.wager: each.largest_cents for each in cost.wagers}
    others = sorted((cents for name, cents in by_name.items() if name != "high-low"), reverse=True)[:3]
    assert cost.round_cents == by_name["high-low"] + sum(others)


def test_w_02_one_seat_wins_at_most_what_four_wagers_of_which_one_is_five_dollars_win() -> None:
    table = table_of("three-card-prime")
    table = replace(table, jackpots={})
    cost = cost_of(table)
    whole = {each.wager: each.largest_cents for each in cost.wagers}
    small = {each.wager: each.largest_cents * 500 // each.stake_cents for each in cost.wagers}
    others = [name for name in whole if name != "ante-play"]
    expected = max(
        whole["ante-play"] + sum(small[name] if name == low else whole[name] for name in others) for low in others
    )
    assert cost.round_cents == expected


def test_the_procedure_of_deuces_wild_has_the_dealers_steps_of_its_document() -> None:
    text = text_of(source_of("deuces-wild"), "procedure")
    for clause in ("DW step 20(b), pays", "DW step 21, exception", "DW step 23", "DW step 25"):
        assert clause in text, clause


def test_the_dealer_of_three_card_prime_takes_a_packet_of_four() -> None:
    text = text_of(source_of("three-card-prime"), "procedure")
    assert "packet of four" in text
    assert "The dealer's three cards face down." not in text


def test_two_jackpot_wagers_are_placed_and_not_it_is() -> None:
    assert "They are placed before the round begins." in text_of(source_of("super-three-card"), "procedure")


def test_sentences_of_a_jackpot_are_those_of_its_own_rows() -> None:
    source = source_of("super-three-card")
    for name in source.configuration.jackpots:
        assert prize_sentences(source, name)[0].text.startswith("The wager does not come back")


def test_g_7_an_answer_about_a_five_dollar_jackpot_says_what_is_paid_and_not_only_what_is_printed() -> None:
    """Seen: "$100 ... PT-BJS-213-03 pays $20" in the answers of a training sheet."""
    rows = [row for block in training_sheet(source_of("super-three-card"))["blocks"] for row in block.get("rows", ())]
    fives = [row for row in rows if row[0] == "Second 21+3 Jackpot" and row[2] != "$0"]
    assert fives
    for _, _, paid, because in fives:
        assert f"on $5.00 it is {paid}.00" in because
    ones = [row[3] for row in rows if row[0] == "21+3 Jackpot"]
    assert not any("printed for" in because for because in ones)


def test_fcp_rule_7_what_loses_both_chips_cannot_be_read_as_a_bad_beat() -> None:
    """Seen: "Dealer's hand is higher: take, take" above the rows that pay a beaten straight flush."""
    rows = take_or_pay(find_game("four-card-prime").main, source_of("four-card-prime"))["rows"]
    assert [row[1:3] for row in rows if row[0] == "Beaten with a flush or lower"] == [["Take", "Take"]]


def test_stc_rule_6_a_situation_of_take_or_pay_is_what_the_dealer_sees_and_not_what_is_paid() -> None:
    rows = take_or_pay(find_game("super-three-card").main, source_of("super-three-card"))["rows"]
    assert not any("pay" in row[0].partition(":")[0] for row in rows)
