"""One name per jackpot: the title of displays, told apart by tables where two have the same."""

from __future__ import annotations

import dataclasses
from types import SimpleNamespace
from typing import Any, cast

import pytest

from pitboss.books import BookState
from pitboss.jackpot import JACKPOTS, Jackpot, JackpotRecord, RoomJackpots, jackpot_title
from pitboss.jackpot.titles import tables_text, wager_title
from tests.jackpot.making import TCP, make_jackpot, tables


def state_of(*jackpots: Jackpot) -> BookState:
    room = RoomJackpots({jackpot.name: JackpotRecord(jackpot) for jackpot in jackpots}, {})
    return cast("BookState", cast("Any", SimpleNamespace(parts={JACKPOTS.name: room})))


def test_a_jackpot_is_called_as_its_displays_title_it() -> None:
    assert jackpot_title(state_of(make_jackpot("main")), "main") == "Final Four Jackpot"
    assert wager_title("super-three-card", "twenty-one-plus-three-b") == "Second 21+3 Jackpot"


def test_two_of_one_title_are_told_apart_by_their_tables() -> None:
    one, two = make_jackpot("one", tables=tables("1")), make_jackpot("two", tables=tables("2", "3"))
    state = state_of(one, two)
    titles = [jackpot_title(state, name) for name in ("one", "two")]
    assert titles == ["Final Four Jackpot, table 1", "Final Four Jackpot, tables 2 and 3"]


def test_a_removed_one_says_so_and_does_not_burden_the_one_that_is_played() -> None:
    old, new = make_jackpot("old", tables=()), make_jackpot("new")
    state = state_of(old, new)
    assert [jackpot_title(state, name) for name in ("old", "new")] == [
        "Final Four Jackpot (removed)",
        "Final Four Jackpot",
    ]
    older = dataclasses.replace(old, name="older")
    assert jackpot_title(state_of(old, older), "older") == "Final Four Jackpot (removed, older)"


def test_what_is_no_jackpot_keeps_its_name() -> None:
    assert jackpot_title(state_of(), "gone") == "gone"
    assert jackpot_title(cast("BookState", cast("Any", SimpleNamespace(parts={}))), "gone") == "gone"
    assert wager_title(TCP, "nothing") == "Nothing"


@pytest.mark.parametrize(
    ("names", "text"), [((), ""), (("1",), "table 1"), (("1", "2"), "tables 1 and 2"), ("124", "tables 1, 2 and 4")]
)
def test_tables_in_words(names: tuple[str, ...], text: str) -> None:
    assert tables_text(names) == text
