"""What is read as a PAR sheet: values come back as they were, and everything that is wrong is told at once."""

from __future__ import annotations

import json
from fractions import Fraction
from typing import Any

import pytest

from pitboss.odds.par import read_sheet
from pitboss.odds.par.values import SheetError, leaves, read_text, write_text
from tests.odds.sheets import SMALL, changed, large_sheet, small_sheet


def told(content: Any) -> str:
    with pytest.raises(SheetError) as caught:
        read_sheet(content)
    return str(caught.value)


@pytest.mark.parametrize("name", SMALL)
def test_a_sheet_reads_back_from_its_text(name: str) -> None:
    sheet = small_sheet(name)

    assert read_sheet(read_text(write_text(sheet.as_json()))) == (sheet, sheet.digest)


def test_a_sheet_of_every_wager_reads_back_from_its_text() -> None:
    sheet = large_sheet()

    assert read_sheet(read_text(write_text(sheet.as_json()))) == (sheet, sheet.digest)


def test_everything_that_is_wrong_is_told_at_once() -> None:
    content = small_sheet("three-card-prime").as_json()
    content = changed(content, ("wagers", 0, "ev"), "2/4")
    content = changed(content, ("wagers", 1, "total"), "many")
    content = changed(content, ("wagers", 0, "events", 1, "count"), 3.5)
    content = changed(content, ("paytables", 0, "rows"), {})
    content = changed(content, ("readings",), None)
    content = changed(content, ("rules", "words", 0), 7)
    content["inputs"]["surprise"] = 1
    del content["identification"]["deck"]
    del content["digest"]

    words = told(content)

    assert "digest: is missing" in words
    assert "inputs.surprise: unknown key" in words
    assert "identification.deck: is missing" in words
    assert "rules.words[0]: 7 must be text" in words
    assert "readings: None must be a list" in words
    assert "paytables[0].rows: {} must be a list" in words
    assert "wagers[0].ev: '2/4' must be a fraction" in words
    assert "wagers[0].events[1].count: 3.5 must be a whole number" in words
    assert "wagers[1].total: 'many' must be a whole number" in words


@pytest.mark.parametrize(
    "ratio", ["1", "1/0", "-1/-2", "01/2", "1/02", "1 /2", "+1/2", "1e3/1", "", "0/2", "٣/٤", "9" * 5000 + "/1", 0.5]
)
def test_a_fraction_has_one_way_to_be_written(ratio: Any) -> None:
    assert "wagers[0].ev" in told(changed(small_sheet("three-card-prime").as_json(), ("wagers", 0, "ev"), ratio))


@pytest.mark.parametrize("whole", [True, 1.0, "1", None])
def test_a_count_is_a_whole_number_and_nothing_like_it(whole: Any) -> None:
    content = changed(small_sheet("three-card-prime").as_json(), ("wagers", 0, "total"), whole)

    assert "wagers[0].total" in told(content)


@pytest.mark.parametrize("content", [None, [], "sheet", 3, {}])
def test_what_is_no_sheet_is_refused(content: Any) -> None:
    assert told(content)


def test_a_sheet_of_another_format_is_refused() -> None:
    content = changed(small_sheet("three-card-prime").as_json(), ("format",), "pitboss PAR sheet, 2")

    assert "format: 'pitboss PAR sheet, 2' must be" in told(content)


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("", "not JSON"),
        ("{", "not JSON"),
        ('{"a": 1, "b": {"c": 1, "c": 2}}', "a key stands twice: c"),
        ('{"a": NaN}', "NaN is no number"),
        ('{"a": -Infinity}', "-Infinity is no number"),
        ("[" * 100_000, "nested too deep"),
        ('{"a": ' + "9" * 5000 + "}", "not JSON"),
    ],
)
def test_text_that_json_readers_may_read_differently_is_refused(text: str, says: str) -> None:
    with pytest.raises(SheetError, match=says):
        read_text(text)


def test_no_float_stands_in_a_sheet_and_every_exact_number_is_a_ratio() -> None:
    for path, value in leaves(large_sheet().as_json()):
        assert value is None or type(value) in (int, str) or value in ([], {}), path
    assert json.loads(write_text({"share": "1/3"})) == {"share": "1/3"}
    assert Fraction(large_sheet().as_json()["wagers"][0]["ev"]) == large_sheet().wagers[0].ev
