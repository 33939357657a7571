"""The rulings the project had to add itself: G-20 to G-26, DW-10, STC-9."""

from __future__ import annotations

import pytest

from pitboss.rules import JackpotPayment
from tests.support import cited, line, problems, record, seat, settled

ACES = {"ante-odds-play": 500, "twenty-one-plus-three": 100}
STC = {"ante-odds-play": ["PT-FLT-STC-01"], "twenty-one-plus-three": ["PT-BJS-213-03"]}


def test_g_20_in_a_split_bonus_jackpot_only_percentages_are_divided() -> None:
    both_aces = record(
        "super-three-card",
        "As",
        seat(1, "As As", ACES, play=False),
        seat(2, "As As", ACES, play=False),
        decks=6,
        paytables=STC,
        jackpot_type="bonus",
        bonus_sharing="split",
        meters={"twenty-one-plus-three": 100_001},
    )
    answer = settled(both_aces).settlement
    assert [50_000, 50_000] == [answer.lines[number]["twenty-one-plus-three"].paid_cents for number in (1, 2)]
    assert JackpotPayment(0, 100_000, 1) == answer.jackpots["twenty-one-plus-three"]
    both_kings = {**both_aces, "dealer": ["Ks"], "seats": [seat(n, "Ks Ks", ACES, play=False) for n in (1, 2)]}
    answer = settled(both_kings).settlement
    assert [12_500, 12_500] == [answer.lines[number]["twenty-one-plus-three"].paid_cents for number in (1, 2)]
    assert {} == answer.jackpots


def test_g_21_the_fund_pays_what_it_has_and_the_house_the_rest() -> None:
    wagers = {"ante-raise": 500, "five-card-jackpot": 100}
    royals = [seat(n, f"A{s} K{s} Q{s} J{s} T{s}", wagers, raise_=0) for n, s in ((1, "s"), (2, "h"), (3, "d"))]
    round_record = record(
        "four-card-prime",
        "2c 2d 2h 3d 3h 4s",
        *royals,
        seat(4, "9c 8c 7c 6c 5c", wagers, raise_=0),
        paytables={"ante-raise": ["Win-1", "BB-1"], "five-card-jackpot": ["PJ-1"]},
        meters={"five-card-jackpot": 1000},
    )
    answer = settled(round_record).settlement
    assert [333, 333, 333, 100] == [answer.lines[n]["five-card-jackpot"].paid_cents for n in (1, 2, 3, 4)]
    assert JackpotPayment(1000, 99, 1) == answer.jackpots["five-card-jackpot"]


def test_g_22_zero_to_one_returns_the_stake_and_loss_takes_it() -> None:
    for cell, paid_cents in (("0", 500), ("Loss", 0), ("Push", 500)):
        pays = {"Same Color Player and Dealer Hands": "4", "Same Color Player Hand": "3", "others": cell}
        tables = {"ante-play": ["PW/BB-1"], "prime": [{"id": "PRW-2", "pays": pays}]}
        mixed = seat(1, "As Kd 9c 2c", {"ante-play": 500, "prime": 500}, play=False)
        assert paid_cents == line(record("three-card-prime", "Qd 9h 4c", mixed, paytables=tables), "prime").paid_cents


def test_g_22_a_zero_is_refused_where_a_day_is_known_and_settled_as_before_where_none_is() -> None:
    pays = {"Same Color Player and Dealer Hands": "4", "Same Color Player Hand": "3", "others": "0"}
    tables = {"ante-play": ["PW/BB-1"], "prime": [{"id": "PRW-2", "pays": pays}]}
    mixed = seat(1, "As Kd 9c 2c", {"ante-play": 500, "prime": 500}, play=False)
    for profile in ("wa-commercial", "wa-tribal"):
        room = {"on": "2024-01-15", "profile": profile}
        (problem,) = problems(record("three-card-prime", "Qd 9h 4c", mixed, paytables=tables, **room))
        assert ("G-22", "paytables.prime.PRW-2.pays.others") == (problem.ruling, problem.path)
        assert "say Push or Loss" in str(problem)


def test_g_26_a_record_before_the_letter_of_its_game_is_refused() -> None:
    for day, rulings in (("2015-09-24", ["G-26"]), ("2015-09-25", [])):
        plain = seat(1, "As Kd 9c 2c", {"ante-play": 500}, play=False)
        room = {"on": day, "profile": "wa-commercial"}
        dated = record("three-card-prime", "Qd 9h 4c", plain, paytables={"ante-play": ["PW/BB-1"]}, **room)
        assert rulings == ([problem.ruling for problem in problems(dated)] if rulings else [])
        assert rulings or settled(dated).settlement.lines


def test_g_26_two_jackpots_on_one_layout_from_2021_01_28() -> None:
    wagers = {"ante-raise": 500, "five-card-jackpot": 100, "four-card-jackpot": 100}
    folded = seat(1, "As Kd 9c 2c 3h", wagers, raise_=0)
    tables = {"ante-raise": ["Win-1", "BB-1"], "five-card-jackpot": ["PJ-1"], "four-card-jackpot": ["FCJ-1"]}
    meters = {"five-card-jackpot": 1000, "four-card-jackpot": 1000}
    board = "Qd 7c 2h 3s 4s 5d"
    early = record(
        "four-card-prime", board, folded, paytables=tables, meters=meters, on="2021-01-27", profile="wa-tribal"
    )
    assert ["G-26"] == [problem.ruling for problem in problems(early)]
    for room in ({"on": "2021-01-28", "profile": "wa-tribal"}, {}):
        assert settled(
            record("four-card-prime", board, folded, paytables=tables, meters=meters, **room)
        ).settlement.lines


@pytest.mark.parametrize(
    ("room", "each"),
    [
        ({}, 5_000_00),
        ({"on": "2026-01-15", "profile": "wa-commercial"}, 10_000_00),
        ({"on": "2026-01-15", "profile": "wa-commercial", "bonus_sharing": "split"}, 10_000_00),
        ({"on": "2021-06-13", "profile": "wa-commercial"}, 5_000_00),
        ({"on": "2021-06-13", "profile": "wa-commercial", "bonus_sharing": "full"}, 10_000_00),
        ({"on": "2026-01-15", "profile": "wa-tribal"}, 5_000_00),
        ({"on": "2026-01-15", "profile": "wa-tribal", "bonus_sharing": "full"}, 10_000_00),
    ],
)
def test_g_4_two_winners_of_a_posted_prize_in_super_three_card(room: dict[str, str], each: int) -> None:
    """Seen: $5,000 each of a posted $10,000 in a commercial room of 2026."""
    wagers = {"ante-odds-play": 500, "twenty-one-plus-three": 100}
    seats = [seat(number, "As As", wagers, play=False) for number in (1, 2)]
    tables = {"ante-odds-play": ["PT-FLT-STC-01"], "twenty-one-plus-three": ["PT-BJS-213-03"]}
    dated = record(
        "super-three-card",
        "As 3c 4c",
        *seats,
        decks=6,
        paytables=tables,
        jackpot_type="bonus",
        meters={"twenty-one-plus-three": 10_000_00},
        **room,
    )
    lines = settled(dated).settlement.lines
    assert [each, each] == [lines[number]["twenty-one-plus-three"].paid_cents for number in (1, 2)]


def test_g_23_the_better_of_two_events_that_include_one_another_is_paid() -> None:
    """In P3-16 a double of trips or straight flushes pays 5, one mini-royal 30: a mini-royal beside one pays 30."""
    hands = {"As Ks Qs 9d 8d 7d": "Double Mini-Royal", "As Ks Qs Jd 5c 2h": "Double Mini-Royal"}
    wagers = {"high-low": 500, "pick-3": 100}
    tables = {"high-low": ["LWB-1"], "pick-3": ["P3-16"]}
    events = []
    for cards in hands:
        one = seat(1, cards, wagers, high=["As", "Ks", "Qs"], double=False)
        settled_line = line(record("three-card-double-play", "2c 3d 6h 8s Tc", one, paytables=tables), "pick-3")
        assert 3100 == settled_line.paid_cents
        events.append(settled_line.event)
    assert ["Mini-Royal + Trips/SF", "One Mini-Royal"] == events


def test_g_24_a_bare_number_is_a_multiple_and_dollars_are_dollars() -> None:
    wilds = seat(1, "2c 2d 2h 2s *", {"bonus-jackpot": 500})
    for cell, paid_cents in (("$5,000", 500_000), ("5000", 2_500_000)):
        tables = {"bonus-jackpot": [{"id": "BJ-A", "pays": {"5 Wild Cards": cell}}]}
        round_record = record(
            "deuces-wild", "3c 4c 5c 6c", wilds, paytables=tables, jackpot_type="bonus", jackpot_wager_cents=500
        )
        settled_line = line(round_record, "bonus-jackpot")
        assert paid_cents == settled_line.paid_cents
        assert "DW-7" in cited(settled_line)


def test_g_25_a_day_without_a_kind_of_room_is_refused_and_the_reverse() -> None:
    one = seat(1, "As Ks Qs 2d", {"ante-play": 500}, play=True)
    fields = {"paytables": {"ante-play": ["PW/BB-1"]}}
    assert ["profile"] == [
        p.path for p in problems(record("three-card-prime", "Qd 9h 4c", one, **fields, on="2024-01-01"))
    ]
    assert ["on"] == [
        p.path for p in problems(record("three-card-prime", "Qd 9h 4c", one, **fields, profile="wa-commercial"))
    ]
    old = record("three-card-prime", "Qd 9h 4c", one, **fields, on="2004-06-30", profile="wa-commercial")
    assert "not on file" in str(problems(old)[0])


def test_g_26_pay_tables_of_a_jackpot_nobody_wagered_on_are_no_offence_in_a_record() -> None:
    tables = {"ante-play": ["PW/BB-1"], "final-four": ["F4P-1"], "all-seven": ["A7P-1"]}
    meters = {"final-four": 100_000, "all-seven": 100_000}
    first = seat(1, "As Ks Qs 2d", {"ante-play": 500, "final-four": 100}, play=True)
    second = seat(2, "Ah Kh Qh 2h", {"ante-play": 500, "all-seven": 100}, play=True)
    alone = settled(record("three-card-prime", "Qd 9h 4c", first, paytables=tables, meters=meters))
    assert [1] == list(alone.settlement.lines)
    both = problems(record("three-card-prime", "Qd 9h 4c", first, second, paytables=tables, meters=meters))
    assert ["G-13"] == [problem.ruling for problem in both]


def test_dw_10_a_record_may_show_three_or_four_where_only_jackpot_wagers_are_live() -> None:
    folded = seat(1, "3d 7h 9c 8d Kc", {"ante-play-raise": 500, "bonus-jackpot": 100}, play=False)
    tables = {"ante-play-raise": ["APR-A"], "bonus-jackpot": ["BJ-A"]}
    for community in ("4c 5c 6c", "4c 5c 6c 7c"):
        meters = {"bonus-jackpot": 1000}
        assert settled(record("deuces-wild", community, folded, paytables=tables, meters=meters)).settlement.lines


def test_dw_10_all_folded_without_fortune_or_jackpot_ends_with_three_community_cards() -> None:
    folded = seat(1, "3d 7h 9c", {"ante-play-raise": 500}, play=False)
    tables = {"ante-play-raise": ["APR-A"], "five-card-fortune": ["FCF-A"]}
    for community in ("4c 5c 6c", "4c 5c 6c 7c"):
        round_record = record("deuces-wild", community, folded, paytables=tables)
        assert 0 == line(round_record, "ante-play-raise").paid_cents
    fortune = seat(1, "3d 7h 9c", {"five-card-fortune": 500}, fortune=["3d"])
    assert ["community"] == [p.path for p in problems(record("deuces-wild", "4c 5c 6c", fortune, paytables=tables))]


def test_stc_9_a_one_card_dealer_when_all_surrendered() -> None:
    surrendered = seat(1, "As Kd", {"ante-odds-play": 500}, play=False)
    played = seat(2, "9s 8d 7c", {"ante-odds-play": 500}, play=True)
    tables = {"ante-odds-play": ["PT-FLT-STC-01"]}
    for dealer in ("2c", "2c 3c 4c"):
        round_record = record("super-three-card", dealer, surrendered, decks=6, paytables=tables)
        assert 500 == line(round_record, "ante-odds-play").paid_cents
    short = record("super-three-card", "2c", surrendered, played, decks=6, paytables=tables)
    assert ["dealer"] == [problem.path for problem in problems(short)]
