"""What changes between two configurations: settings, rows, letters; each found a second way."""

from __future__ import annotations

import tomllib
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pitboss.games import find_game
from pitboss.table import Configuration, compare, default_configuration, read_configuration
from pitboss.table.comparison import title_of
from pitboss.table.configuration import flat, toml_text
from tests.examples import examples

EXAMPLES = Path(__file__).parents[2] / "examples"
NAMES = ("three-card-prime", "deuces-wild", "four-card-prime", "super-three-card", "three-card-double-play")


def of(name: str, *changes: tuple[str, str]) -> Configuration:
    text = (EXAMPLES / f"{name}.toml").read_text(encoding="utf-8")
    for before, after in changes:
        assert before in text
        text = text.replace(before, after)
    found = read_configuration(text)
    assert found.configuration is not None
    assert not found.problems, found.problems
    return found.configuration


TCP = of("three-card-prime")


@pytest.mark.parametrize("name", NAMES)
def test_nothing_differs_from_itself_and_all_of_it_is_new_where_nothing_was(name: str) -> None:
    configuration = of(name)
    assert compare(configuration, configuration).is_empty
    new = compare(None, configuration)
    assert {each.was for each in new.settings} == {""}
    assert not new.pays
    offered = {each.path.partition(".")[2] for each in new.settings if each.path.count(".") == 1}
    assert set(configuration.offered) <= offered


def test_a_limit_and_a_pay_table_that_change_are_named_with_every_row_that_pays_otherwise() -> None:
    changed = of("three-card-prime", ('maximum = "300.00"', 'maximum = "350.00"'), ("PW/BB-3", "PW/BB-1"))
    found = compare(TCP, changed)
    assert [(each.title, each.was, each.becomes) for each in found.settings] == [
        ("Ante and Play: pay tables", "PW/BB-3", "PW/BB-1"),
        ("Ante and Play: maximum", "$300.00", "$350.00"),
    ]
    assert not found.approvals

    # The printed cells of both tables, row by row, are the second road.
    old, new = (find_game("three-card-prime").paytables[name] for name in ("PW/BB-3", "PW/BB-1"))
    naive = {row.event for row in old.rows if row.printed != getattr(new.row(row.event), "printed", None)}
    assert {f"Bad Beat: {event}" for event in naive} == {
        each.title.removeprefix("Ante and Play: ") for each in found.pays
    }


def test_a_wager_that_is_no_longer_offered_is_one_line_and_g_15_what_must_be_confirmed_is_told() -> None:
    start = TCP.canonical.index("[wagers.all-six]")
    gone = read_configuration(TCP.canonical[:start] + TCP.canonical[TCP.canonical.index("[jackpots]") :])
    assert gone.configuration is not None
    (change,) = compare(TCP, gone.configuration).settings
    assert (change.title, change.was, change.becomes) == ("All-Six Bonus", "A6-4; $1.00 to $25.00", "not offered")
    (back,) = compare(gone.configuration, TCP).settings
    assert (back.was, back.becomes) == ("not offered", "A6-4; $1.00 to $25.00")
    (letter,) = compare(TCP, replace(TCP, equipment="andromeda-5a")).approvals
    assert "must be confirmed" in letter.title
    assert letter.becomes == "G-15"


def test_another_game_changes_its_letters() -> None:
    found = compare(TCP, of("four-card-prime"))
    assert any("2015-09-25" in each.title and not each.becomes for each in found.approvals)
    assert {each.title for each in found.settings} >= {"Game", "Ante and Play"}


KEYS = st.sampled_from(["seats", "smallest_chip_cents", "dealt", "equipment", "on"])


@given(st.sampled_from(NAMES), st.dictionaries(KEYS, st.integers(0, 2), max_size=3))
@examples(12)
def test_the_settings_that_differ_are_exactly_those_of_the_texts(name: str, changes: dict[str, int]) -> None:
    """The second road: the canonical texts of both, read as plain TOML."""
    before = default_configuration(find_game(name), TCP.on)
    values: dict[str, tuple[Any, ...]] = {
        "seats": (2, 3, 4),
        "smallest_chip_cents": (50, 100, 500),
        "dealt": ("shoe", "shuffler", "by-hand"),
        "equipment": (None, "milky-way", "andromeda-3"),
        "on": tuple(TCP.on.replace(day=day) for day in (15, 16, 17)),
    }
    after = replace(before, **{key: values[key][place] for key, place in changes.items()})
    texts = [flat(tomllib.loads(each.canonical)) for each in (before, after)]
    naive = {key for key in (*texts[0], *texts[1]) if texts[0].get(key) != texts[1].get(key)}
    assert {each.path for each in compare(before, after).settings} == naive


def test_titles_say_what_a_key_is_about_and_an_unknown_one_is_told_as_it_is() -> None:
    game = find_game("three-card-prime")
    assert title_of("wagers.prime.paytables.PRW-2", game) == "Prime: pay tables"
    assert title_of("readings.some_rule", game) == "Reading: some rule"
    assert title_of("bankroll", game) == "bankroll"
    assert title_of("wagers.insurance", game) == "insurance"


def test_a_text_is_written_whatever_it_says_and_only_a_day_is_a_date() -> None:
    assert tomllib.loads(toml_text({"on": "soon", "seats": "many", "wagers": {"a": {"b": 1}}})) == {
        "on": "soon",
        "seats": "many",
        "wagers": {"a": {"b": 1}},
    }
    assert tomllib.loads(toml_text({"on": "2026-11-15"})) == {"on": TCP.on}
