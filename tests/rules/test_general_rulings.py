"""The general rulings on prizes and hands: G-1 to G-5 and G-8 to G-10, shown in whichever game shows them best."""

from __future__ import annotations

from typing import Any

import pytest

from pitboss.cards import parse_cards
from pitboss.games import find_game
from pitboss.poker import FIVE_CARD, FOUR_CARD, THREE_CARD, Ranking
from pitboss.rules import FinishedRound, FinishedSeat, JackpotPayment, TermsInput, make_terms
from pitboss.rules.settlement import settle_round
from tests.support import cited, line, problems, record, seat, settled

Record = dict[str, Any]
TCP_TABLES: dict[str, list[Any]] = {
    "ante-play": ["PW/BB-1"],
    "pair-bonus": ["PB-1", "PB/LD-1"],
    "final-four": ["F4P-1"],
}
ROYALS = {"diamonds": "Ad Kd Qd Jd", "spades": "As Ks Qs Js", "hearts": "Ah Kh Qh Jh", "clubs": "Ac Kc Qc Jc"}


def tcp(
    *hands: str, meter: int = 0, tables: Record | None = None, wagers: Record | None = None, **fields: Any
) -> Record:
    """Three Card Prime: every hand has an Ante of ten dollars and the Final Four wager, and plays."""
    stakes = wagers or {"ante-play": 1000, "final-four": 100}
    seats = [seat(number, hand, stakes, play=True) for number, hand in enumerate(hands, 1)]
    paytables = {**TCP_TABLES, **(tables or {})}
    return record("three-card-prime", "9c 8h 5h", *seats, paytables=paytables, meters={"final-four": meter}, **fields)


def prizes(round_record: Record, wager: str = "final-four") -> list[int]:
    lines = settled(round_record).settlement.lines
    return [lines[number][wager].paid_cents for number in lines]


def payment(round_record: Record, wager: str = "final-four") -> tuple[int, int, int]:
    """From the fund, from the house, odd cents."""
    paid = settled(round_record).settlement.jackpots[wager]
    return paid.from_fund_cents, paid.from_house_cents, paid.odd_cents


# G-1


def test_g_1_to_1_returns_the_stake_and_adds_the_prize() -> None:
    won = line(tcp("9s 9d 4h 3c", wagers={"ante-play": 1000, "pair-bonus": 500}), "pair-bonus")

    assert (500, 1000, 500) == (won.staked_cents, won.paid_cents, won.net_cents)
    assert "G-1" in cited(won)


def test_g_1_for_1_never_returns_the_wager_the_prize_is_the_gross_amount() -> None:
    won = line(tcp("9s 8d 7h 2c"), "final-four")

    assert (100, 600, 500) == (won.staked_cents, won.paid_cents, won.net_cents)
    assert "G-1" in cited(won)


def test_g_1_a_losing_for_1_wager_is_collected() -> None:
    assert -100 == line(tcp("Ks 9d 4h 2c"), "final-four").net_cents


# G-2


@pytest.mark.parametrize(
    ("pays", "event", "expected"),
    [
        ({}, "Straight Flush", 20_500),
        ({"Flush": "100"}, "Flush", 50_500),
        ({"Straight": "41"}, "Straight", 21_000),
        ({"Straight": "40"}, "Straight Flush", 20_500),
        ({"Straight Flush": "Push"}, "Straight", 3500),
        ({"Straight Flush": "Loss", "Straight": "Loss"}, "Flush", 2000),
        ({"Straight Flush": "Push", "Straight": "Loss", "Flush": "Loss"}, "Straight Flush", 500),
    ],
)
def test_g_2_the_best_paying_event_at_the_posted_amounts(pays: Record, event: str, expected: int) -> None:
    """A straight flush is a straight and a flush too; of equal rows the first printed names the event."""
    tables = {"pair-bonus": [{"id": "PB-1", "pays": pays}, "PB/LD-1"]}
    won = line(tcp("Js Ts 9s 3c", tables=tables, wagers={"ante-play": 1000, "pair-bonus": 500}), "pair-bonus")

    assert (event, expected) == (won.event, won.paid_cents)
    assert "G-2" in cited(won)


@pytest.mark.parametrize(
    ("cards", "pays", "event", "expected"),
    [
        ("As Ad Ah Kc Ks", {}, "Three Aces", 10_500),
        ("As Ad Ah Kc Ks", {"Two Pair": "25"}, "Two Pair", 13_000),
        ("As Ad Ah Kc Ks", {"AA": "50"}, "AA", 25_500),
    ],
)
def test_g_2_the_best_paying_event_among_all_four_card_hands(
    cards: str, pays: Record, event: str, expected: int
) -> None:
    one = seat(1, cards, {"ante-raise": 1000, "aces-baby": 500}, raise_=0)
    paytables = {"ante-raise": ["Win-1", "BB-1"], "aces-baby": [{"id": "AB-1", "pays": pays}]}
    won = line(record("four-card-prime", "Qd 7c 2h 3s 4s 5d", one, paytables=paytables), "aces-baby")

    assert (event, expected) == (won.event, won.paid_cents)


@pytest.mark.parametrize("meter", [0, 10, 5000, 90_000_000])
def test_g_2_in_a_jackpot_table_a_percentage_row_is_above_the_dollar_rows_under_it(meter: int) -> None:
    """Ten percent, though the 4-card Straight Flush row under it shows $1,000."""
    won = line(tcp(ROYALS["spades"], meter=meter), "final-four")

    assert ("4-card Royal", meter // 10) == (won.event, won.paid_cents)
    assert "G-2" in cited(won)


def test_g_2_in_a_jackpot_table_the_printed_order_decides_among_dollars_too() -> None:
    tables = {"final-four": [{"id": "F4P-1", "pays": {"4-card Straight": "$500"}}]}
    won = line(tcp("Js Ts 9s 8d", tables=tables), "final-four")

    assert ("Initial 3-card SF", 4000) == (won.event, won.paid_cents)


def test_g_2_envy_aside_only_one_event_is_paid_envy_comes_on_top() -> None:
    wagers = {"ante-raise": 1000, "four-card-jackpot": 100}
    one = seat(1, "9s 9d 9h 9c 2d", wagers, raise_=1)
    two = seat(2, "Js Jd Jh Jc 3d", wagers, raise_=1)
    paytables = {"ante-raise": ["Win-1", "BB-1"], "four-card-jackpot": ["FCJ-1"]}
    round_record = record(
        "four-card-prime", "Qd 7c 2h 3s 4s 5d", one, two, paytables=paytables, meters={"four-card-jackpot": 100_000}
    )

    for number in (1, 2):
        won = line(round_record, "four-card-jackpot", number)
        assert (30_000 + 1000, 1000, "Quads") == (won.paid_cents, won.envy_cents, won.event)


# G-3


@pytest.mark.parametrize("stake", [10.0, "500", 0, -5, True, 1.5])
def test_g_3_money_is_whole_cents(stake: Any) -> None:
    found = problems(tcp("9s 8d 7h 2c", wagers={"ante-play": stake, "final-four": 100}))

    assert [("seat 1 wagers.ante-play", "G-3")] == [(problem.path, problem.ruling) for problem in found]


@pytest.mark.parametrize(("stake", "prize"), [(100, 150), (101, 151), (103, 154), (1, 1), (333, 499)])
def test_g_3_a_half_unit_is_exact_and_a_half_cent_is_rounded_down(stake: int, prize: int) -> None:
    tables = {"pair-bonus": [{"id": "PB-1", "pays": {"Pair": "1.5"}}, "PB/LD-1"]}
    won = line(tcp("9s 9d 4h 3c", tables=tables, wagers={"ante-play": 1000, "pair-bonus": stake}), "pair-bonus")

    assert stake + prize == won.paid_cents


def test_g_3_each_chip_of_deuces_wild_is_rounded_by_itself() -> None:
    """Half to 1 on 101, 101 and 202 cents: 50 + 50 + 101, not 202."""
    one = seat(1, "9s 9d Kh Kc 4d", {"ante-play-raise": 101}, play=True, raise_=True)
    paytables = {"ante-play-raise": [{"id": "APR-A", "pays": {"Two Pair": "0.5"}}]}
    won = line(record("deuces-wild", "3c 6d 8c Th", one, paytables=paytables), "ante-play-raise")

    assert [151, 151, 303] == [chip.paid_cents for chip in won.chips]
    assert 404 + 201 == won.paid_cents


def test_g_3_the_low_wager_and_its_double_are_rounded_each_by_itself() -> None:
    """LWB-1 pays a pair in the Low Hand 1.5 to 1: 151 on each of two chips of 101, not 303 on both."""
    one = seat(1, "Ks Kd Kh As Ad 9c", {"high-low": 101}, high=["Ks", "Kd", "Kh"], double=True)
    paytables = {"high-low": ["LWB-1"]}
    won = line(record("three-card-double-play", "Qd 7c 2h 3s 5c", one, paytables=paytables), "high-low")

    assert 404 == won.staked_cents
    assert 2 * 202 + 2 * 252 == won.paid_cents


def test_g_3_a_percentage_prize_is_rounded_down() -> None:
    assert [123_456] == prizes(tcp(ROYALS["spades"], meter=1_234_567))


# G-4


def test_g_4_a_percentage_is_of_the_displayed_meter() -> None:
    won = line(tcp(ROYALS["diamonds"], meter=1_234_567), "final-four")

    assert (1_234_567, "4-card diamond Royal") == (won.paid_cents, won.event)
    assert "G-4" in cited(won)


def test_g_4_the_same_level_is_shared_equally_and_the_odd_cents_stay_on_the_meter() -> None:
    """Ten percent of $1,000.19 is 10,001 cents: 3,333 for each of three, 2 odd."""
    round_record = tcp(ROYALS["spades"], ROYALS["hearts"], ROYALS["clubs"], meter=100_019)

    assert [3333, 3333, 3333] == prizes(round_record)
    assert (9999, 0, 2) == payment(round_record)


def test_g_4_different_levels_are_each_paid_on_the_displayed_amount_the_house_covers_the_rest() -> None:
    round_record = tcp(ROYALS["diamonds"], ROYALS["spades"], meter=100_000)

    assert [100_000, 10_000] == prizes(round_record)
    assert (100_000, 10_000, 0) == payment(round_record)


def test_g_4_the_order_of_the_seats_does_not_matter() -> None:
    round_record = tcp(ROYALS["spades"], ROYALS["diamonds"], meter=100_000)

    assert [10_000, 100_000] == prizes(round_record)
    assert (100_000, 10_000, 0) == payment(round_record)


def test_g_4_one_level_shared_and_another_beside_it() -> None:
    round_record = tcp(ROYALS["diamonds"], ROYALS["spades"], ROYALS["hearts"], meter=100_010)

    assert [100_010, 5000, 5000] == prizes(round_record)
    assert (100_010, 10_000, 1) == payment(round_record)


def test_g_4_two_printed_rows_of_one_percentage_are_two_levels() -> None:
    """S3J-3 prints 100 % twice."""
    wagers = {"high-low": 1000, "super-3s": 100}
    one = seat(1, "As Ks Qs Ad Kd Qd", wagers, high=["As", "Ks", "Qs"], double=False)
    two = seat(2, "Ah Kh Qh 9c 8c 7c", wagers, high=["Ah", "Kh", "Qh"], double=False)
    paytables = {"high-low": ["LWB-1"], "super-3s": ["S3J-3"]}
    round_record = record(
        "three-card-double-play", "Jd 7d 2h 3s 5c", one, two, paytables=paytables, meters={"super-3s": 77_777}
    )

    assert [77_777, 77_777] == prizes(round_record, "super-3s")
    assert (77_777, 77_777, 0) == payment(round_record, "super-3s")


def test_g_4_a_meter_of_zero_pays_nothing_and_never_goes_below() -> None:
    round_record = tcp(ROYALS["diamonds"], meter=0)

    assert [0] == prizes(round_record)
    assert (0, 0, 0) == payment(round_record)


def test_g_4_a_meter_is_required_where_a_percentage_may_be_paid() -> None:
    round_record = tcp("9s 8d 7h 2c")
    del round_record["meters"]

    assert [("meters.final-four", "G-4")] == [(problem.path, problem.ruling) for problem in problems(round_record)]


@pytest.mark.parametrize("sharing", [{}, {"bonus_sharing": "full"}])
def test_g_4_a_bonus_jackpot_pays_every_winner_in_full(sharing: Record) -> None:
    round_record = tcp(ROYALS["spades"], ROYALS["hearts"], meter=100_019, jackpot_type="bonus", **sharing)

    assert [10_001, 10_001] == prizes(round_record)
    assert (0, 20_002, 0) == payment(round_record)


def test_g_4_a_bonus_jackpot_is_divided_where_that_is_stated() -> None:
    round_record = tcp(ROYALS["spades"], ROYALS["hearts"], meter=100_019, jackpot_type="bonus", bonus_sharing="split")

    assert [5000, 5000] == prizes(round_record)
    assert (0, 10_000, 1) == payment(round_record)


@pytest.mark.parametrize("sharing", ["full", "split"])
def test_g_4_a_progressive_is_always_shared(sharing: str) -> None:
    assert [5000, 5000] == prizes(tcp(ROYALS["spades"], ROYALS["hearts"], meter=100_000, bonus_sharing=sharing))


@pytest.mark.parametrize(
    ("sharing", "expected"), [({}, [50_000, 50_000]), ({"bonus_sharing": "full"}, [100_001, 100_001])]
)
def test_g_4_super_three_card_shares_a_bonus_jackpot_unless_stated_otherwise(
    sharing: Record, expected: list[int]
) -> None:
    wagers = {"ante-odds-play": 1000, "twenty-one-plus-three": 100}
    seats = [seat(number, "As As", wagers, play=False) for number in (1, 2)]
    paytables = {"ante-odds-play": ["PT-FLT-STC-01"], "twenty-one-plus-three": ["PT-BJS-213-01"]}
    round_record = record(
        "super-three-card",
        "As 7c 2h",
        *seats,
        decks=6,
        paytables=paytables,
        jackpot_type="bonus",
        meters={"twenty-one-plus-three": 100_001},
        **sharing,
    )

    assert expected == prizes(round_record, "twenty-one-plus-three")


# G-5


def test_g_5_fixed_prizes_are_paid_by_the_house_and_not_deducted_from_the_meter() -> None:
    settlement = settled(tcp("Js Ts 9s 8s", meter=500_000)).settlement

    assert {} == settlement.jackpots
    assert [("house", "seat:1", 99_900)] == [
        (moved.payer, moved.payee, moved.cents) for moved in settlement.transfers if moved.wager == "final-four"
    ]


def test_g_5_a_fixed_prize_beside_a_percentage_is_not_deducted_either() -> None:
    assert (500_000, 0, 0) == payment(tcp(ROYALS["diamonds"], "Js Ts 9s 8s", meter=500_000))


def settle_deducting(meter: int, *hands: str) -> JackpotPayment:
    """Settle with a jackpot that the operator has configured to deduct its fixed prizes."""
    game = find_game("three-card-prime")
    stated = TermsInput(paytables=TCP_TABLES, readings={}, fixed_from_meter=frozenset({"final-four"}))
    terms, found = make_terms(game, stated)
    wagers = {"ante-play": 1000, "final-four": 100}
    seats = tuple(FinishedSeat(n, wagers, parse_cards(hand), (1,)) for n, hand in enumerate(hands, 1))
    finished = FinishedRound(parse_cards("9c 8h 5h"), seats)

    assert () == found
    return settle_round(game, terms, finished, {"final-four": meter}).jackpots["final-four"]


@pytest.mark.parametrize(
    ("meter", "hands", "expected"),
    [
        (500_000, ["Js Ts 9s 8s"], JackpotPayment(100_000, 0, 0)),
        (100_000, ["Js Ts 9s 8s"], JackpotPayment(100_000, 0, 0)),
        (60_000, ["Js Ts 9s 8s"], JackpotPayment(60_000, 40_000, 0)),
        (500_000, ["Js Ts 9s 8s", "7s 7d 7h 7c"], JackpotPayment(200_000, 0, 0)),
        (500_000, [ROYALS["diamonds"], "Js Ts 9s 8s"], JackpotPayment(500_000, 100_000, 0)),
        (500_000, [ROYALS["spades"], "Js Ts 9d 2c"], JackpotPayment(50_600, 0, 0)),
    ],
)
def test_g_5_an_operator_may_configure_a_jackpot_to_deduct_fixed_prizes(
    meter: int, hands: list[str], expected: JackpotPayment
) -> None:
    assert expected == settle_deducting(meter, *hands)


def test_g_5_super_three_card_may_not_deduct_fixed_prizes() -> None:
    allowed = {
        name: find_game(name).approval.fixed_prizes_from_meter_allowed
        for name in ("three-card-prime", "deuces-wild", "super-three-card", "four-card-prime", "three-card-double-play")
    }

    assert ["super-three-card"] == [name for name, may_deduct in allowed.items() if not may_deduct]


# G-8 and G-9


@pytest.mark.parametrize(
    ("ranking", "cards", "category"),
    [
        (THREE_CARD, "As 2d 3h", "straight"),
        (THREE_CARD, "As Kd Qh", "straight"),
        (THREE_CARD, "As 2d Kh", "high-card"),
        (THREE_CARD, "As 2s Ks", "flush"),
        (FOUR_CARD, "As 2d 3h 4c", "straight"),
        (FOUR_CARD, "As Kd Qh Jc", "straight"),
        (FOUR_CARD, "As 2d 3h Kc", "high-card"),
        (FIVE_CARD, "As 2d 3h 4c 5s", "straight"),
        (FIVE_CARD, "As Kd Qh Jc Ts", "straight"),
        (FIVE_CARD, "As 2d 3h Qc Ks", "high-card"),
        (FIVE_CARD, "As 2s 3s Js Ks", "flush"),
    ],
)
def test_g_8_aces_are_high_or_low_and_no_straight_goes_round_the_corner(
    ranking: Ranking, cards: str, category: str
) -> None:
    assert category == ranking.hand(parse_cards(cards)).category.name


@pytest.mark.parametrize(
    ("player", "expected"), [("Ah 2d 3s 4c", 1500), ("As Kd Qh 2c", 600), ("Kh As 2d 3s", 0), ("Qh Kd As 2c", 600)]
)
def test_g_8_in_a_settlement(player: str, expected: int) -> None:
    """A-2-3-4 is a 4-card straight; K-A-2 is no straight at all."""
    assert [expected] == prizes(tcp(player))


@pytest.mark.parametrize(
    ("ranking", "higher", "lower"),
    [
        (THREE_CARD, "9s 9d 2h", "8s 8d Ah"),
        (THREE_CARD, "9s 9d Kh", "9h 9c Qd"),
        (THREE_CARD, "As 9d 3h", "Ah 9c 2d"),
        (THREE_CARD, "As 9s 3s", "Ah 8h 7h"),
        (THREE_CARD, "2s 3d 4h", "As 2d 3h"),
        (THREE_CARD, "Ks Qs Js", "3s 2s As"),
        (FOUR_CARD, "Ks Kd 2h 2c", "Qs Qd Jh Jc"),
        (FOUR_CARD, "9s 9d 9h 2c", "8s 8d 8h Ac"),
        (FOUR_CARD, "9s 9d Ah 2c", "9h 9c Kd Qs"),
        (FIVE_CARD, "9s 9d 9h 2c 2s", "8s 8d 8h Ac As"),
        (FIVE_CARD, "9s 9d 9h 4c 4s", "9s 9d 9h 3c 3s"),
        (FIVE_CARD, "Ks Kd 2h 2c 3s", "Qs Qd Jh Jc As"),
        (FIVE_CARD, "Ks Kd 2h 2c 4s", "Kh Kc 2s 2d 3s"),
        (FIVE_CARD, "6s 5d 4h 3c 2s", "As 2d 3h 4c 5s"),
    ],
)
def test_g_9_tie_breaks_are_by_ranks_the_multiplied_rank_before_kickers(
    ranking: Ranking, higher: str, lower: str
) -> None:
    assert ranking.hand(parse_cards(higher)) > ranking.hand(parse_cards(lower))


@pytest.mark.parametrize(
    ("ranking", "one", "other"),
    [
        (THREE_CARD, "As Ks Qs", "Ac Kc Qc"),
        (THREE_CARD, "9s 9d 2h", "9h 9c 2d"),
        (FOUR_CARD, "As 9s 5s 2s", "Ad 9d 5d 2d"),
        (FIVE_CARD, "As Kd Qh Jc 9s", "Ah Kc Qd Js 9d"),
    ],
)
def test_g_9_suits_never_break_ties(ranking: Ranking, one: str, other: str) -> None:
    assert ranking.hand(parse_cards(one)) == ranking.hand(parse_cards(other))


# G-10: record, and what every wager hands back


FOLDED = [
    (
        record(
            "three-card-prime",
            "Jd Tc 2h",
            seat(1, "As Ks Qs 4d", {"ante-play": 1000, "pair-bonus": 500, "final-four": 100}, play=False),
            paytables=TCP_TABLES,
            meters={"final-four": 0},
        ),
        {"ante-play": 0, "pair-bonus": 25_500, "final-four": 4000},
    ),
    (
        record(
            "super-three-card",
            "Qs 7c 2h",
            seat(1, "As Ks", {"ante-odds-play": 1000, "big-hand-bonus": 500, "twenty-one-plus-three": 100}, play=False),
            decks=8,
            paytables={
                "ante-odds-play": ["PT-FLT-STC-01"],
                "big-hand-bonus": ["PT-FLT-STC-BH-01"],
                "twenty-one-plus-three": ["PT-BJS-213-01"],
            },
            meters={"twenty-one-plus-three": 0},
        ),
        {"ante-odds-play": 1000, "big-hand-bonus": 75_500, "twenty-one-plus-three": 2500},
    ),
    (
        record(
            "four-card-prime",
            "Qd 7c 2h 3s 4s 5d",
            seat(1, "As Ad Ah Ac 9c", {"ante-raise": 1000, "aces-baby": 500, "four-card-jackpot": 100}, raise_=0),
            paytables={"ante-raise": ["Win-1", "BB-1"], "aces-baby": ["AB-1"], "four-card-jackpot": ["FCJ-1"]},
            meters={"four-card-jackpot": 50_000},
        ),
        {"ante-raise": 0, "aces-baby": 250_500, "four-card-jackpot": 50_000},
    ),
    (
        record(
            "deuces-wild",
            "9d 9h 9c 5s",
            seat(
                1,
                "2s 9s Kd 2c *",
                dict.fromkeys(("ante-play-raise", "five-card-fortune"), 500) | {"bonus-jackpot": 100},
                play=False,
                fortune=["9s"],
            ),
            paytables={"ante-play-raise": ["APR-A"], "five-card-fortune": ["FCF-A"], "bonus-jackpot": ["BJ-A"]},
            meters={"bonus-jackpot": 0},
        ),
        {"ante-play-raise": 0, "five-card-fortune": 2500, "bonus-jackpot": 1500},
    ),
]


@pytest.mark.parametrize(("round_record", "expected"), FOLDED, ids=[entry[0]["game"] for entry in FOLDED])
def test_g_10_bonus_and_jackpot_wagers_stand_on_a_folded_or_surrendered_hand(
    round_record: Record, expected: dict[str, int]
) -> None:
    lines = settled(round_record).settlement.lines[1]

    assert expected == {wager: lines[wager].paid_cents for wager in lines}
