"""All 122 pay tables against their second transcription, cell by cell, and the typed pays."""

from __future__ import annotations

import json
from fractions import Fraction
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pitboss.cli.games.catalogue import paytable_json
from pitboss.games import all_games
from pitboss.rules.pays import (
    CellKind,
    Dollars,
    ForOne,
    Loss,
    NotApplicable,
    OfMeter,
    OperatorSet,
    Push,
    ToOne,
    parse_cell,
    rank_of_pay,
)

TRANSCRIPTION: list[dict[str, Any]] = json.loads(
    (Path(__file__).parents[1] / "transcription" / "paytables.json").read_text(encoding="utf-8")
)
OURS = {(game.name, table.id): paytable_json(game, table) for game in all_games() for table in game.paytables.values()}


def test_there_are_122_pay_tables() -> None:
    assert 122 == len(OURS)
    assert {(table["game"], table["id"]) for table in TRANSCRIPTION} == set(OURS)


@pytest.mark.parametrize("table", TRANSCRIPTION, ids=lambda table: f"{table['game']}:{table['id']}")
def test_the_two_transcriptions_agree_cell_by_cell(table: dict[str, Any]) -> None:
    ours = OURS[table["game"], table["id"]]
    assert table["rows"] == ours["rows"]
    assert (table["wager"], table["odds"]) == (ours["wager"], ours["odds"])
    assert ours["source"]["document"] == table["source"]["document"]
    assert ours["source"]["place"].endswith(f"Appendix {table['source']['appendix']}")


def test_every_table_belongs_to_exactly_one_slot_of_its_wager_but_the_second_jackpot_of_stc_6() -> None:
    for game in all_games():
        for table in game.paytables.values():
            slots = [wager.name for wager, slot in game.slots() if table.id in slot.ids]
            assert table.wager in slots
            assert [name for name in slots if name != f"{table.wager}-b"] == [table.wager]


@pytest.mark.parametrize(
    ("cell", "odds", "pay"),
    [
        ("50", "to", ToOne(Fraction(50))),
        ("1.5", "to", ToOne(Fraction(3, 2))),
        ("200,000", "to", ToOne(Fraction(200_000))),
        ("250", "for", ForOne(Fraction(250))),
        ("$1,000", "for", Dollars(100_000)),
        ("$7.50", "for", Dollars(750)),
        ("$0", "for", Dollars(0)),
        ("100%", "for", OfMeter(Fraction(1))),
        ("2.5%", "for", OfMeter(Fraction(1, 40))),
        ("$100%", "for", OfMeter(Fraction(1))),
        ("Push", "to", Push()),
        ("loss", "to", Loss()),
        ("Loss", "for", Loss()),
        ("n/a", "to", NotApplicable()),
        ("Bonus", "to", OperatorSet(CellKind.BONUS)),
        ("Jackpot", "for", OperatorSet(CellKind.JACKPOT)),
        ("Bonus or Jackpot", "for", OperatorSet(CellKind.BONUS_OR_JACKPOT)),
    ],
)
def test_g_1_a_cell_is_read_into_its_type(cell: str, odds: Any, pay: object) -> None:
    assert pay == parse_cell(cell, odds)


@pytest.mark.parametrize(
    ("cell", "odds"),
    [
        ("$5", "to"),
        ("10%", "to"),
        ("Push", "for"),
        ("", "to"),
        ("-1", "to"),
        ("1,00", "to"),
        ("five", "to"),
        ("$1.005", "for"),
    ],
)
def test_g_1_what_is_no_cell_is_not_read(cell: str, odds: Any) -> None:
    assert parse_cell(cell, odds) is None


@given(st.fractions(min_value=0, max_value=10**6, max_denominator=1000))
def test_g_2_a_percentage_stands_above_every_dollar_row(share: Fraction) -> None:
    assert rank_of_pay(OfMeter(share)) > rank_of_pay(Dollars(10**12))
    assert rank_of_pay(Loss()) < rank_of_pay(Push()) <= rank_of_pay(ToOne(share))
