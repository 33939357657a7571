"""The general rulings on amounts an operator sets: G-6, and G-7 on the jackpot wager's amount."""

from __future__ import annotations

from typing import Any

import pytest

from pitboss.games import find_game
from pitboss.rules import Problem, TermsInput, make_terms
from tests.support import cited, line, problems, record, seat

Record = dict[str, Any]

PRW_2 = {"Same Color Player and Dealer Hands": "5", "Same Color Player Hand": "3", "others": "Loss"}
PB_LD_5 = {"Mini Royal": "90", "Straight Flush": "60", "Trips": "40", "Straight": "8", "Flush": "4", "Pair": "1"}
F4P_4 = {
    "4-card diamond Royal": "$50,000",
    "4-card Royal": "$5,000",
    "4-card Straight Flush": "$1,500",
    "Four of a kind": "$750",
    "Initial 3-card SF": "$60",
    "Three of a Kind": "$30",
    "4-card Straight": "$20",
    "Initial 3-card straight": "$7",
    "initial hand < straight": "$0",
}
PJ_5 = {
    "Five-card Royal Flush": "100%",
    "Five-card Straight Flush": "$2,000",
    "Four of a kind": "$500",
    "Full House": "$50",
    "Five-card Flush": "$40",
    "Five-card Straight": "$30",
    "Three of a kind": "$5",
    "two pairs & less": "$0",
}
S3J_5 = {
    "Double Mini-Royal": "100%",
    "Mini-Royal with SF": "10%",
    "Mini-Royal with Trips": "$1,000",
    "Double Trips/SF": "$400",
    "One Mini-Royal": "$50",
    "One Trips or SF": "$3",
    "Other": "$0",
}
FCJ_3 = {"Four Aces": "100%", "Quads": "$200", "Straight Flush": "$50", "Trips": "$5"}
ENVY = {"Four Aces": "$100", "Quads": "$10", "Straight Flush": "$5"}
BJ_D = {"5 Wild Cards": "$9,000", "4 Wild Cards": "$300", "3 Wild Cards": "$20", "2 Wild Cards": "$4"}


def found(game: str, wager: str, *tables: Any, **stated: Any) -> list[Problem]:
    """The problems of a configuration with these tables for one wager."""
    _, all_found = make_terms(find_game(game), TermsInput(paytables={wager: list(tables)}, readings={}, **stated))
    return list(all_found)


def prime(**pays: Any) -> list[Problem]:
    return found("three-card-prime", "prime", {"id": "PRW-2", "pays": {**PRW_2, **pays}})


def final_four(pays: Record, table: str = "F4P-4") -> list[Problem]:
    return found("three-card-prime", "final-four", {"id": table, "pays": pays})


COMPLETE = [
    ("three-card-prime", "prime", [{"id": "PRW-2", "pays": PRW_2}], {}),
    ("three-card-prime", "pair-bonus", ["PB-1", {"id": "PB/LD-5", "pays": PB_LD_5}], {}),
    ("three-card-prime", "final-four", [{"id": "F4P-4", "pays": F4P_4}], {}),
    ("four-card-prime", "five-card-jackpot", [{"id": "PJ-5", "pays": PJ_5}], {}),
    ("four-card-prime", "four-card-jackpot", [{"id": "FCJ-3", "pays": FCJ_3, "envy": ENVY}], {"jackpot_type": "bonus"}),
    ("three-card-double-play", "super-3s", [{"id": "S3J-5", "pays": S3J_5}], {}),
    ("deuces-wild", "bonus-jackpot", [{"id": "BJ-D", "pays": BJ_D}], {"jackpot_type": "bonus"}),
    ("deuces-wild", "bonus-jackpot", ["BJ-A"], {"jackpot_type": "progressive"}),
]


@pytest.mark.parametrize(("game", "wager", "tables", "stated"), COMPLETE)
def test_g_6_a_table_with_every_amount_set_is_taken(game: str, wager: str, tables: list[Any], stated: Record) -> None:
    assert [] == found(game, wager, *tables, **stated)


@pytest.mark.parametrize(("game", "wager", "tables", "stated"), COMPLETE[:-1])
def test_g_6_a_table_without_its_amounts_is_refused(game: str, wager: str, tables: list[Any], stated: Record) -> None:
    bare = [entry["id"] if isinstance(entry, dict) else entry for entry in tables]

    assert {"G-6"} == {problem.ruling for problem in found(game, wager, *bare, **stated)}


@pytest.mark.parametrize("event", F4P_4)
def test_g_6_every_single_missing_amount_is_refused_and_named(event: str) -> None:
    missing = final_four({row: cell for row, cell in F4P_4.items() if row != event})

    assert [("G-6", "TCP Appendix E")] == [(problem.ruling, problem.clause) for problem in missing]
    assert event in missing[0].words


def test_g_6_all_missing_amounts_are_named_at_once() -> None:
    (missing,) = final_four({})

    assert [] == [event for event in F4P_4 if event not in missing.words]


# Odds in a "to 1" table, dollars in a "for 1" one


@pytest.mark.parametrize(
    "cell", ["$5", "10%", "100%", "five", "", " ", "-1", "1/2", "5 to 1", "1,00", "1e3", "Bonus", "n/a", "+5", ".5"]
)
def test_g_6_a_to_1_cell_takes_odds_only(cell: str) -> None:
    assert ["G-6"] == [problem.ruling for problem in prime(**{"Same Color Player and Dealer Hands": cell})]


@pytest.mark.parametrize("cell", [5, 5.0, None, True, ["5"], {"pays": "5"}])
def test_g_6_a_cell_is_text(cell: Any) -> None:
    assert ["G-6"] == [problem.ruling for problem in prime(**{"Same Color Player and Dealer Hands": cell})]


@pytest.mark.parametrize("cell", ["5", "5.5", "1,000", "1000"])
def test_g_6_odds_may_be_halves_and_thousands(cell: str) -> None:
    assert [] == prime(**{"Same Color Player and Dealer Hands": cell})


@pytest.mark.parametrize(
    "cell", ["10%", "100%", "Push", "five", "$", "$-5", "-$5", "$1.005", "Bonus", "Jackpot", "n/a", "$1,00"]
)
def test_g_6_a_bonus_cell_of_a_for_1_table_takes_dollars_only(cell: str) -> None:
    refused = final_four({**F4P_4, "4-card diamond Royal": cell})

    assert ["G-6"] == [problem.ruling for problem in refused]


@pytest.mark.parametrize("cell", ["60000", "60,000"])
def test_g_24_a_bare_number_in_a_for_1_cell_is_a_multiple_of_the_one_dollar_wager(cell: str) -> None:
    one = seat(1, "Ad Kd Qd Jd", {"ante-play": 1000, "final-four": 100}, play=True)
    table = {"id": "F4P-4", "pays": {**F4P_4, "4-card diamond Royal": cell}}
    paytables = {"ante-play": ["PW/BB-1"], "final-four": [table]}

    assert 6_000_000 == line(record("three-card-prime", "9c 8h 5h", one, paytables=paytables), "final-four").paid_cents


def test_g_6_digits_are_those_a_cell_would_print() -> None:
    """Arabic-Indic digits are digits to Unicode, but no document prints them."""
    assert ["G-6"] == [problem.ruling for problem in prime(**{"Same Color Player and Dealer Hands": "\u0665"})]


def test_g_6_an_absurdly_long_amount_is_refused_and_does_not_crash() -> None:
    assert ["G-6"] == [problem.ruling for problem in prime(**{"Same Color Player and Dealer Hands": "9" * 5000})]


# Zero or a loss only on rows that lose in a sister table


@pytest.mark.parametrize("cell", ["Loss", "loss", "Push", "0", "1"])
def test_g_6_nothing_may_be_set_on_a_row_that_loses_in_the_sister_table(cell: str) -> None:
    assert [] == prime(others=cell)


@pytest.mark.parametrize("cell", ["0", "Loss", "Push", "0.0"])
def test_g_6_nothing_may_not_be_set_on_a_row_that_wins_in_every_sister_table(cell: str) -> None:
    refused = found("three-card-prime", "pair-bonus", "PB-1", {"id": "PB/LD-5", "pays": {**PB_LD_5, "Pair": cell}})

    assert ["G-6"] == [problem.ruling for problem in refused]


@pytest.mark.parametrize("cell", ["$0", "Loss", "$0.00", "$1"])
def test_g_6_zero_dollars_may_be_set_where_the_sister_tables_print_them(cell: str) -> None:
    assert [] == final_four({**F4P_4, "initial hand < straight": cell})


@pytest.mark.parametrize("cell", ["$0", "Loss"])
def test_g_6_zero_dollars_may_not_be_set_on_a_winning_row(cell: str) -> None:
    pays = {**F4P_4, "Initial 3-card straight": cell, "initial hand < straight": "$0"}

    assert ["G-6"] == [problem.ruling for problem in final_four(pays)]


# Jackpot cells


@pytest.mark.parametrize("cell", ["$5,000", "5000", "Loss", "Push", "0%", "101%", "100.1%", "-5%", "%"])
def test_g_6_a_jackpot_cell_takes_a_percentage_above_0_and_at_most_100(cell: str) -> None:
    table = {"id": "PJ-5", "pays": {**PJ_5, "Five-card Royal Flush": cell}}

    assert ["G-6"] == [problem.ruling for problem in found("four-card-prime", "five-card-jackpot", table)]


@pytest.mark.parametrize("cell", ["100%", "50%", "0.5%", "$100%"])
def test_g_6_a_jackpot_cell_takes_any_share_of_the_meter(cell: str) -> None:
    table = {"id": "PJ-5", "pays": {**PJ_5, "Five-card Royal Flush": cell}}

    assert [] == found("four-card-prime", "five-card-jackpot", table)


@pytest.mark.parametrize(("cell", "refused"), [("10%", []), ("$5,000", []), ("Push", ["G-6"]), ("0%", ["G-6"])])
def test_g_6_bonus_or_jackpot_takes_either(cell: str, refused: list[str]) -> None:
    table = {"id": "S3J-5", "pays": {**S3J_5, "Mini-Royal with SF": cell}}

    assert refused == [problem.ruling for problem in found("three-card-double-play", "super-3s", table)]


@pytest.mark.parametrize(
    ("jackpot_type", "cell", "refused"),
    [
        ("progressive", "100%", []),
        ("progressive", "50%", []),
        ("progressive", "$9,000", ["G-6"]),
        ("bonus", "$9,000", []),
        ("bonus", "100%", ["G-6"]),
    ],
)
def test_g_6_deuces_wild_takes_an_amount_or_a_percentage_by_the_scheme(
    jackpot_type: str, cell: str, refused: list[str]
) -> None:
    table = {"id": "BJ-A", "pays": {"5 Wild Cards": cell}}
    all_found = found("deuces-wild", "bonus-jackpot", table, jackpot_type=jackpot_type)

    assert refused == [problem.ruling for problem in all_found]


def test_g_6_deuces_wild_five_wild_cards_are_100_percent_unless_set() -> None:
    terms, _ = make_terms(
        find_game("deuces-wild"),
        TermsInput(paytables={"bonus-jackpot": ["BJ-A"]}, readings={}, jackpot_type="progressive"),
    )

    assert "100% of the meter" == str(terms.tables["bonus-jackpot"].rows[0].pay)
    assert ["G-6"] == [
        problem.ruling for problem in found("deuces-wild", "bonus-jackpot", "BJ-A", jackpot_type="bonus")
    ]


# An operator-set row never pays less than the row under it


@pytest.mark.parametrize(
    ("pays", "refused"),
    [
        ({}, 0),
        ({"4-card Royal": "$1,500"}, 0),
        ({"4-card Royal": "$1,499.99"}, 1),
        ({"Three of a Kind": "$19"}, 1),
        ({"Initial 3-card straight": "$20.01"}, 1),
        ({"initial hand < straight": "$8"}, 1),
        ({"4-card diamond Royal": "$1", "Three of a Kind": "$1"}, 2),
    ],
)
def test_g_6_an_operator_set_row_never_pays_less_than_the_row_under_it(pays: Record, refused: int) -> None:
    all_found = final_four({**F4P_4, **pays})

    assert ["G-6"] * refused == [problem.ruling for problem in all_found]


def test_g_6_an_operator_set_row_above_a_printed_row_obeys_too() -> None:
    """BJ-A prints 250 for four wild cards: a Bonus of $249 for five is refused, $250 is taken."""
    for cell, refused in (("$249", ["G-6"]), ("$250", [])):
        table = {"id": "BJ-A", "pays": {"5 Wild Cards": cell}}
        all_found = found("deuces-wild", "bonus-jackpot", table, jackpot_type="bonus")

        assert refused == [problem.ruling for problem in all_found]


def test_g_6_multiples_are_compared_at_the_wager_of_the_table() -> None:
    """At a five-dollar wager BJ-A's 250 for 1 is $1,250."""
    for cell, refused in (("$1,249", ["G-6"]), ("$1,250", [])):
        table = {"id": "BJ-A", "pays": {"5 Wild Cards": cell}}
        all_found = found("deuces-wild", "bonus-jackpot", table, jackpot_type="bonus", jackpot_wager_cents=500)

        assert refused == [problem.ruling for problem in all_found]


def test_g_6_a_percentage_is_above_every_dollar_row() -> None:
    table = {"id": "PJ-5", "pays": {**PJ_5, "Five-card Royal Flush": "0.5%", "Five-card Straight Flush": "$90,000"}}

    assert [] == found("four-card-prime", "five-card-jackpot", table)


def test_g_6_a_printed_row_may_be_set_otherwise_and_below_the_next() -> None:
    """Only operator-set rows are bound by the order; a custom amount in a printed row is an operator's what-if."""
    assert [] == final_four({"4-card Straight": "$500"}, "F4P-1")


# Envy


@pytest.mark.parametrize(
    ("envy", "refused"),
    [
        (ENVY, 0),
        ({**ENVY, "Straight Flush": "-"}, 0),
        ({**ENVY, "Straight Flush": "$11"}, 1),
        ({**ENVY, "Quads": "$0"}, 1),
        ({**ENVY, "Quads": "10%"}, 1),
        ({**ENVY, "Four Aces": 100}, 1),
        ({"Four Aces": "$100"}, 1),
        ({}, 1),
    ],
)
def test_g_6_envy_amounts_are_set_likewise(envy: Record, refused: int) -> None:
    table = {"id": "FCJ-3", "pays": FCJ_3, "envy": envy}
    all_found = found("four-card-prime", "four-card-jackpot", table, jackpot_type="bonus")

    assert ["G-6"] * refused == [problem.ruling for problem in all_found]


# What else cannot be set


@pytest.mark.parametrize(
    ("wager", "table"),
    [
        ("prime", {"id": "PRW-2", "pays": {**PRW_2, "Rainbow": "5"}}),
        ("prime", {"id": "PRW-2", "pays": PRW_2, "envy": {"others": "$5"}}),
        ("prime", {"id": "PRW-2", "pays": PRW_2, "title": "ours"}),
        ("prime", {"id": "PRW-2", "pays": ["5", "3", "Loss"]}),
        ("prime", {"pays": PRW_2}),
        ("prime", {"id": "PRW-3", "pays": PRW_2}),
        ("prime", {"id": ["PRW-2"], "pays": PRW_2}),
        ("ante-play", {"id": "PW/BB-1", "pays": {"Mini-Royal": "20"}}),
        ("ante-play", {"id": "Win-or-Copy", "pays": {"Mini-Royal": "20"}}),
    ],
)
def test_g_6_what_no_table_has_is_refused(wager: str, table: Record) -> None:
    tables = [table, "PW/BB-1"] if table.get("id") == "Win-or-Copy" else [table]

    assert 1 == len(found("three-card-prime", wager, *tables))


def test_g_6_an_operator_set_prize_is_paid_and_explained() -> None:
    one = seat(1, "As 9c 4s 3c", {"ante-play": 1000, "prime": 500}, play=True)
    paytables = {"ante-play": ["PW/BB-1"], "prime": [{"id": "PRW-2", "pays": PRW_2}]}
    won = line(record("three-card-prime", "Kc 8s 2s", one, paytables=paytables), "prime")

    assert (3000, "PRW-2") == (won.paid_cents, won.paytable)
    assert "TCP Appendix B" in cited(won)


# G-7


@pytest.mark.parametrize(
    ("game", "wager", "table"),
    [
        ("three-card-prime", "final-four", "F4P-1"),
        ("four-card-prime", "five-card-jackpot", "PJ-1"),
        ("three-card-double-play", "super-3s", "S3J-1"),
    ],
)
@pytest.mark.parametrize("cents", [99, 200, 500, 0, -100, True, "100", 1.0])
def test_g_7_jackpot_wagers_are_one_dollar(game: str, wager: str, table: str, cents: Any) -> None:
    for stated in (cents, {wager: cents}):
        assert {"G-7"} == {problem.ruling for problem in found(game, wager, table, jackpot_wager_cents=stated)}


@pytest.mark.parametrize(
    ("game", "wager", "table"),
    [("super-three-card", "twenty-one-plus-three", "PT-BJS-213-01"), ("deuces-wild", "bonus-jackpot", "BJ-A")],
)
@pytest.mark.parametrize("cents", [50, 100, 500])
def test_g_7_super_three_card_and_deuces_wild_may_set_another_fixed_amount(
    game: str, wager: str, table: str, cents: int
) -> None:
    decks = {"decks": 6} if game == "super-three-card" else {}

    assert [] == found(game, wager, table, jackpot_wager_cents=cents, **decks)
    assert [] == found(game, wager, table, jackpot_wager_cents={wager: cents}, **decks)


def twenty_one(wager_cents: int, stake_cents: int) -> Record:
    """A-K of spades with the dealer's queen: a straight flush, $25 in PT-BJS-213-01."""
    one = seat(1, "As Ks", {"ante-odds-play": 1000, "twenty-one-plus-three": stake_cents}, play=False)
    paytables = {"ante-odds-play": ["PT-FLT-STC-01"], "twenty-one-plus-three": ["PT-BJS-213-01"]}
    return record(
        "super-three-card",
        "Qs 7c 2h",
        one,
        decks=6,
        paytables=paytables,
        jackpot_wager_cents=wager_cents,
        meters={"twenty-one-plus-three": 100_000},
    )


@pytest.mark.parametrize(("cents", "expected"), [(50, 1250), (100, 2500), (500, 12_500)])
def test_g_7_in_super_three_card_every_fixed_prize_scales_with_the_wager(cents: int, expected: int) -> None:
    assert expected == line(twenty_one(cents, cents), "twenty-one-plus-three").paid_cents


@pytest.mark.parametrize("stake", [100, 499, 501])
def test_g_7_every_seat_makes_the_wager_of_the_amount_that_is_set(stake: int) -> None:
    assert ["G-7"] == [problem.ruling for problem in problems(twenty_one(500, stake))]


def test_g_7_a_percentage_does_not_scale() -> None:
    round_record = twenty_one(500, 500)
    round_record["seats"][0]["cards"] = ["As", "As"]
    round_record["dealer"] = ["As", "7c", "2h"]

    assert 100_000 == line(round_record, "twenty-one-plus-three").paid_cents


def test_g_7_an_amount_for_no_jackpot_wager_is_refused() -> None:
    all_found = found("deuces-wild", "bonus-jackpot", "BJ-A", jackpot_wager_cents={"ante-play-raise": 100})

    assert ["G-7"] == [problem.ruling for problem in all_found]
