"""Definitions of jackpots: every printed table of every game, amounts of the operator, and what is refused at once."""

from __future__ import annotations

import datetime
import json
from dataclasses import replace
from typing import Any

import pytest

from pitboss import law
from pitboss.books import read_payload, write_payload
from pitboss.commands import read_fields, write_fields
from pitboss.games import all_games
from pitboss.jackpot import Jackpot, JackpotSet, LinkedTable, offer_of
from pitboss.jackpot.definitions import JackpotDraft
from pitboss.jackpot.lifecycle import jackpot_problems, room_problems
from pitboss.jackpot.state import RoomJackpots
from pitboss.rules.pays import OperatorSet
from tests.jackpot.making import DW, FCP, TCP, final_four, make_jackpot, tables
from tests.meters.making import bonus, progressive

PRINTED = [
    (game.name, wager.name, table)
    for game in all_games()
    for wager in game.jackpots
    for slot in wager.slots
    for table in slot.ids
    if not game.paytables[table].operator_set
]
AMOUNTS = {
    "4-card diamond Royal": "$5,000",
    "4-card Royal": "$500",
    "4-card Straight Flush": "$100",
    "Four of a kind": "$50",
    "Initial 3-card SF": "$20",
    "Three of a Kind": "$6",
    "4-card Straight": "$4",
    "Initial 3-card straight": "$2",
    "initial hand < straight": "$0",
}


def again(jackpot: Jackpot) -> Jackpot:
    """Write a jackpot as an entry of the journal does, and read it."""
    value = JackpotSet(jackpot=jackpot, words="w", approved_by="Carla", first=True)
    read = read_payload(value.kind, write_payload(value))
    assert isinstance(read, JackpotSet)
    return read.jackpot


@pytest.mark.parametrize(("game", "wager", "table"), PRINTED)
@pytest.mark.parametrize("meter", [progressive(), bonus()], ids=["progressive", "bonus"])
def test_every_printed_table_makes_a_jackpot_whose_rows_are_those_of_its_terms(
    game: str, wager: str, table: str, meter: Any
) -> None:
    offer = offer_of(game, wager, table, jackpot_type=meter.jackpot_type)
    jackpot = make_jackpot(meter=meter, offers=(offer,), tables=tables("4", game=game))
    assert [] == jackpot_problems(jackpot)
    assert jackpot == again(jackpot)
    (in_force,) = jackpot.terms_of(offer).tables.values()
    assert [(row.event, row.pay, row.envy) for row in in_force.rows] == [tuple(prize) for prize in offer.prizes]
    assert not any(isinstance(prize.pay, OperatorSet) for prize in offer.prizes)


def test_g_6_amounts_of_the_operator_are_in_the_journal_and_in_force() -> None:
    offer = offer_of(TCP, "final-four", {"id": "F4P-4", "pays": AMOUNTS}, jackpot_type="bonus")
    jackpot = again(make_jackpot(meter=bonus(), offers=(offer,)))
    assert str(jackpot.offers[0].prizes[0].pay) == "$5,000"
    assert json.dumps(jackpot.to_json()).count('"$5,000"') == 2
    (in_force,) = jackpot.terms_of(jackpot.offers[0]).tables.values()
    assert [str(row.pay) for row in in_force.rows][:3] == ["$5,000", "$500", "$100"]
    with pytest.raises(ValueError, match="leaves to the operator"):
        offer_of(TCP, "final-four", "F4P-4", jackpot_type="bonus")


def test_g_6_a_progressive_of_bonus_cells_pays_the_whole_meter_for_its_first_row() -> None:
    offer = offer_of(DW, "bonus-jackpot", "BJ-A")
    assert [str(level.pay) for level in offer.levels] == ["100% of the meter"]


def test_j_23_a_progressive_that_pays_no_share_of_its_meter_is_refused() -> None:
    changed = {
        "id": "OWN-1",
        "like": "PJ-1",
        "pays": {"Five-card Royal Flush": "$9,000", "Five-card Straight Flush": "$1,000"},
    }
    offer = offer_of(FCP, "five-card-jackpot", changed)
    problems = "\n".join(map(str, jackpot_problems(make_jackpot(offers=(offer,), tables=tables("4", game=FCP)))))
    assert problems.count("nobody could win it (REGULATION J-23; G-6)") == 1


def test_everything_that_is_wrong_with_a_definition_is_told_at_once() -> None:
    wrong = make_jackpot(
        " main ",
        offers=(replace(final_four(), wager="prime"), replace(final_four(), game="whist")),
        tables=(),
        display="neon",
        fixed_prizes="bank",
        small_prize_cents=1.5,
    )
    told = "\n".join(map(str, jackpot_problems(wrong)))
    for part in ("name:", "no jackpot wager 'prime'", "unknown game 'whist'", "tables:", "'neon'", "1.5", "J-12"):
        assert part in told
    assert "a jackpot is won on a wager" in str(jackpot_problems(make_jackpot(offers=()))[0])
    assert "must be house or meter" in str(jackpot_problems(make_jackpot(fixed_prizes="bank"))[0])
    with pytest.raises(ValueError, match="has no jackpot wager 'prime'"):
        offer_of(TCP, "prime", "PRW-1")


def test_g_5_a_bonus_has_no_fund_to_deduct_from() -> None:
    offer = offer_of(TCP, "final-four", "F4P-1", jackpot_type="bonus")
    (problem,) = jackpot_problems(make_jackpot(meter=bonus(), offers=(offer,), fixed_prizes="meter"))
    assert "a Bonus jackpot has no fund" in str(problem)


def test_how_many_tables_a_jackpot_has_is_a_setting_and_no_bound_of_a_field() -> None:
    """Issue 18, item 20: a company links more than a hundred."""
    day = datetime.date(2026, 11, 18)
    most = law.value_on("jackpot_tables_max", day)
    many = tuple(LinkedTable(str(number), TCP, "Bench") for number in range(most + 1))
    room = RoomJackpots({}, {})
    draft = JackpotDraft.of(make_jackpot(tables=many[:-1]))
    assert read_fields(JackpotDraft, write_fields(draft)) == draft
    assert not room_problems(make_jackpot(tables=many[:-1]), room, day)
    assert [problem.path for problem in room_problems(make_jackpot(tables=many), room, day)] == ["tables"]
