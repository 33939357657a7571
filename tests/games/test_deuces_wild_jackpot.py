"""Deuces Wild, the Bonus Jackpot and Appendix D, who looks at which cards, and the fourth wager."""

from __future__ import annotations

from typing import Any

import pytest

from pitboss.games import find_game
from pitboss.rules import Seat, StageKind
from tests.games.printed import printed, prize_for_one
from tests.support import cited, line, problems, record, seat, settled

STAKE = 500
COMMUNITY = "3c 6d 8c Th"
METER = 1_000_001

Record = dict[str, Any]


# Bonus Jackpot


def jackpot(cards: str, table: Any = "BJ-A", **fields: Any) -> Record:
    one = seat(1, cards, {"bonus-jackpot": fields.get("jackpot_wager_cents", 100)})
    given = {"meters": {"bonus-jackpot": METER}, **fields}
    return record("deuces-wild", COMMUNITY, one, paytables={"bonus-jackpot": [table]}, **given)


JACKPOT = {
    "5 Wild Cards": "2s 2h 2d 2c *",
    "4 Wild Cards": "2s 2h 9d 2c *",
    "3 Wild Cards": "2s 2h 9d 8h *",
    "2 Wild Cards": "2s Ah 9d 8h *",
}


@pytest.mark.parametrize("wager_cents", [100, 250, 500])
@pytest.mark.parametrize("table", ["BJ-A", "BJ-B", "BJ-C"])
@pytest.mark.parametrize("event", ["4 Wild Cards", "3 Wild Cards", "2 Wild Cards"])
def test_dw_appendix_d_pays_every_printed_row_of_every_table(table: str, event: str, wager_cents: int) -> None:
    won = line(jackpot(JACKPOT[event], table, jackpot_wager_cents=wager_cents), "bonus-jackpot")

    assert (event, prize_for_one(printed(table, event), wager_cents, METER)) == (won.event, won.paid_cents)
    assert {"DW footnote 1", "DW-7", "DW Appendix D"} <= cited(won)


@pytest.mark.parametrize(
    ("table", "four", "three", "two"),
    [("BJ-A", 25_000, 1500, 700), ("BJ-B", 40_000, 4000, 500), ("BJ-C", 50_000, 3500, 500)],
)
def test_dw_appendix_d_one_dollar(table: str, four: int, three: int, two: int) -> None:
    """250, 15 and 7 for 1; 400, 40 and 5; 500, 35 and 5."""
    paid = [line(jackpot(JACKPOT[f"{count} Wild Cards"], table), "bonus-jackpot").paid_cents for count in (4, 3, 2)]

    assert [four, three, two] == paid


def test_dw_appendix_d_note_three_deuces_and_a_joker_are_four_wild_cards_only() -> None:
    won = line(jackpot("2s 2h 9d 2c *"), "bonus-jackpot")

    assert ("4 Wild Cards", 25_000, 24_900) == (won.event, won.paid_cents, won.net_cents)
    assert {"DW Appendix D note", "G-1", "G-2"} <= cited(won)


@pytest.mark.parametrize("cards", ["2s Ah 9d 8h 7c", "Ks Ah 9d 8h *", "As Ks Qs Js Ts"])
def test_dw_appendix_d_fewer_than_two_wild_cards_lose(cards: str) -> None:
    lost = line(jackpot(cards), "bonus-jackpot")

    assert (100, 0, None) == (lost.staked_cents, lost.paid_cents, lost.event)


@pytest.mark.parametrize("table", ["BJ-A", "BJ-B", "BJ-C"])
def test_dw_appendix_d_scheme_1_a_bonus_jackpot_pays_the_amount_the_operator_set(table: str) -> None:
    amount = {"id": table, "pays": {"5 Wild Cards": "$25,000"}}
    round_record = jackpot(JACKPOT["5 Wild Cards"], amount, jackpot_type="bonus", meters={})

    assert 2_500_000 == line(round_record, "bonus-jackpot").paid_cents
    assert {} == settled(round_record).settlement.jackpots


@pytest.mark.parametrize("table", ["BJ-A", "BJ-B", "BJ-C"])
def test_dw_appendix_d_scheme_2_a_progressive_pays_the_whole_meter_unless_set(table: str) -> None:
    won = line(jackpot(JACKPOT["5 Wild Cards"], table), "bonus-jackpot")
    half = {"id": table, "pays": {"5 Wild Cards": "50%"}}

    assert ("5 Wild Cards", METER) == (won.event, won.paid_cents)
    assert 500_000 == line(jackpot(JACKPOT["5 Wild Cards"], half), "bonus-jackpot").paid_cents


def test_dw_4_appendix_d_has_four_tables_the_fourth_all_set_by_the_operator() -> None:
    amounts = {"5 Wild Cards": "$9,000", "4 Wild Cards": "$300", "3 Wild Cards": "$20", "2 Wild Cards": "$4"}
    for event, expected in zip(amounts, (900_000, 30_000, 2000, 400), strict=True):
        table = {"id": "BJ-D", "pays": amounts}
        won = line(jackpot(JACKPOT[event], table, jackpot_type="bonus", meters={}), "bonus-jackpot")

        assert (event, expected) == (won.event, won.paid_cents)
    assert problems(jackpot(JACKPOT["2 Wild Cards"], "BJ-D"))[0].ruling == "G-6"
    assert ["paytables.bonus-jackpot"] == [problem.path for problem in problems(jackpot("2s Ah 9d 8h *", "BJ-E"))]


@pytest.mark.parametrize(
    "decisions", [{"play": False}, {"play": True, "raise_": False}, {"play": True, "raise_": True}]
)
def test_dw_7_the_jackpot_wager_keeps_its_five_cards_whatever_happens_to_the_ante(decisions: Record) -> None:
    one = seat(1, "2s 9h Kd 2c *", {"ante-play-raise": STAKE, "bonus-jackpot": 100}, **decisions)
    paytables = {"ante-play-raise": ["APR-A"], "bonus-jackpot": ["BJ-A"]}
    round_record = record("deuces-wild", COMMUNITY, one, paytables=paytables, meters={"bonus-jackpot": METER})

    assert 1500 == line(round_record, "bonus-jackpot").paid_cents


def test_dw_7_with_no_ante_the_fortune_selection_is_still_from_the_first_three() -> None:
    wagers = {"five-card-fortune": STAKE, "bonus-jackpot": 100}
    paytables = {"five-card-fortune": ["FCF-A"], "bonus-jackpot": ["BJ-A"]}
    for selected, refused in (("9s", False), ("2c", True), ("*", True)):
        one = seat(1, "9s 9h Kd 2c *", wagers, fortune=[selected])
        round_record = record("deuces-wild", COMMUNITY, one, paytables=paytables, meters={"bonus-jackpot": METER})
        if refused:
            assert ["seat 1 decisions.fortune"] == [problem.path for problem in problems(round_record)]
        else:
            assert 700 == line(round_record, "bonus-jackpot").paid_cents


# Who looks, and when


@pytest.mark.parametrize(
    ("wagers", "at_three", "when_selecting"),
    [
        (["ante-play-raise"], True, False),
        (["three-card-treasure"], True, False),
        (["five-card-fortune"], False, True),
        (["bonus-jackpot"], False, False),
        (["three-card-treasure", "five-card-fortune"], True, True),
        (["bonus-jackpot", "five-card-fortune"], False, True),
    ],
)
def test_dw_9_who_looks_at_three_cards(wagers: list[str], at_three: bool, when_selecting: bool) -> None:
    one = Seat(1, dict.fromkeys(wagers, 100))
    looks = {
        stage.clause.id: stage.entitled(one)
        for stage in find_game("deuces-wild").stages
        if stage.kind is StageKind.LOOK
    }

    assert (at_three, when_selecting) == (looks["DW step 19"], looks["DW step 21"])


def test_dw_footnote_3_a_fourth_wager_may_not_exceed_five_dollars_in_a_commercial_room() -> None:
    paytables = {
        "ante-play-raise": ["APR-A"],
        "three-card-treasure": ["TCT-A"],
        "five-card-fortune": ["FCF-A"],
        "bonus-jackpot": ["BJ-A"],
    }
    for cents, expected in ((500, []), (600, ["G-12"])):
        wagers = dict.fromkeys(paytables, 600) | {"bonus-jackpot": cents}
        one = seat(1, "As Kd 9h 7c 5s", wagers, play=False, fortune=["As"])
        round_record = record(
            "deuces-wild",
            COMMUNITY,
            one,
            paytables=paytables,
            jackpot_wager_cents=cents,
            meters={"bonus-jackpot": METER},
            on="2013-01-01",
            profile="wa-commercial",
        )
        if expected:
            assert expected == [problem.ruling for problem in problems(round_record)]
        else:
            assert 1 == len(settled(round_record).settlement.lines)
