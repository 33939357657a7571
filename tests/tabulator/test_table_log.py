"""Item 13: decks with inspection, wash, change and who; the shuffler's model and approval (G-64, O-14, O-15, DW step 14; G-64)."""

from __future__ import annotations

import datetime
from typing import Any

import pytest

from pitboss.books import Answer, Draft, Payload, Submission
from pitboss.commands import By
from pitboss.tabulator.table_log import DECK_ACTS, TABLE_LOG, DeckLogged, LogDeck, RoomLog, SetShuffler, ShufflerSet
from tests.books.making import Room
from tests.jackpot.making import refused
from tests.tabulator.making import DEALER, MANAGER, SUPERVISOR, Floor, floor, make_setup

DECK = "red 12"
PAPER: dict[str, Any] = {"approval": "WS-17", "day": datetime.date(2026, 1, 5), "maker": "Licensed Maker"}


def log(at: Floor) -> RoomLog:
    return at.books.state("room").of(TABLE_LOG)


def deck(at: Floor, act: Any, by: By = DEALER, table: str = "4", name: str = DECK) -> Answer:
    return at.tables.do(LogDeck(table=table, deck=name, act=act), at.id(), by)


def shuffler(at: Floor, model: str = "Model 1", by: By = MANAGER, second: Any = None, **fields: Any) -> Answer:
    value = SetShuffler(table="4", model=model, words="new", **PAPER | fields)
    return at.tables.do(value, at.id(), by, second or By("Lee", "accounting"))


def test_item_13_a_deck_is_inspected_washed_put_into_play_and_taken_out_with_who(sqlite_room: Room) -> None:
    with floor(sqlite_room, make_setup(), make_setup(table="5", device="A3-5"), jackpots=[]) as at:
        assert "after it was inspected and washed (O-15; DW step 14; G-64)" in refused(lambda: deck(at, "in"))
        deck(at, "inspected")
        assert "after it was washed (O-15; DW step 14; G-64)" in refused(lambda: deck(at, "in"))
        deck(at, "washed", SUPERVISOR)
        deck(at, "in", SUPERVISOR)
        (there,) = log(at).in_play("4")
        assert (there.deck, there.inspected_by, there.washed_by) == (DECK, "Dan", "Sue")
        assert "deck red 12 is in play at table 4 (O-14, G-64)" in refused(lambda: deck(at, "in", table="5"))
        assert "deck red 12 is in play at table 4 (O-14, G-64)" in refused(lambda: deck(at, "out", table="5"))
        deck(at, "out")
        assert log(at).in_play("4") == ()
        # What was done to it before it was in play does not hold for the next time.
        assert "inspected and washed" in refused(lambda: deck(at, "in"))
        assert "is not in play at table 4 (O-14, G-64)" in refused(lambda: deck(at, "out"))
        assert at.is_sound()


def test_item_13_decks_and_shufflers_are_changed_between_rounds(sqlite_room: Room) -> None:
    with floor(sqlite_room, make_setup()) as at:
        deck(at, "inspected")
        deck(at, "washed")
        at.press((1, 1))
        assert "round 1 of table 4 is in play: a deck is changed between rounds (E-02)" in refused(
            lambda: deck(at, "in")
        )
        assert "a shuffler changes between rounds" in refused(lambda: shuffler(at))


def test_item_13_a_shuffler_has_a_model_a_maker_and_an_approval_and_two_people_record_it(sqlite_room: Room) -> None:
    with floor(sqlite_room, make_setup()) as at:
        assert "has no shuffler on record (O-15, G-64)" in refused(lambda: shuffler(at, ""))
        assert "an approval has a number and a date (G-50)" in refused(lambda: shuffler(at, approval="yes"))
        assert "an approval has a number and a date (G-50)" in refused(lambda: shuffler(at, day=None))
        assert "has not come yet" in refused(lambda: shuffler(at, day=datetime.date(2099, 1, 1)))
        assert "licensed manufacturer" in refused(lambda: shuffler(at, maker=""))
        shuffler(at)
        there = log(at).shufflers["4"]
        assert (there.model, there.approval, there.day, there.by, there.approved_by) == (
            "Model 1",
            "WS-17",
            "2026-01-05",
            "Max",
            "Lee",
        )
        shuffler(at, "")
        assert log(at).shufflers == {}
        assert at.is_sound()


@pytest.mark.parametrize(
    ("value", "words"),
    [
        (DeckLogged(deck=DECK, act="in", by="Eve", role="dealer"), "neither inspected nor washed"),
        (
            ShufflerSet(model="M", maker="K", approval="1", day="2026-01-05", words="x", by="Eve", approved_by="eve"),
            "approves a change of their own",
        ),
    ],
)
def test_item_13_what_a_program_writes_that_does_not_ask_is_refused(
    sqlite_room: Room, value: Payload, words: str
) -> None:
    with floor(sqlite_room, make_setup()) as at:
        forged = Submission(
            book="room", id=at.id(), actor="Eve", content=[], decide=lambda _: [Draft(value)], table="4"
        )
        assert words in refused(lambda: at.books.submit(forged))


def test_item_13_a_deck_has_a_name_and_there_are_four_things_to_do_with_it(sqlite_room: Room) -> None:
    with floor(sqlite_room, make_setup()) as at:
        assert "is no name of a deck (O-14, G-64)" in refused(lambda: deck(at, "inspected", name=" "))
        assert DECK_ACTS == ("inspected", "washed", "in", "out")
