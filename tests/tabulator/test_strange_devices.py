"""Devices that lie, stumble or are two: nothing is counted that cannot be, nothing sent is forgotten (M-10, G-76)."""

from __future__ import annotations

import json
import sys
from typing import Any

import pytest

from pitboss.books import read_payload
from pitboss.commands import By
from pitboss.tabulator import AlarmLimits
from pitboss.tabulator.devices import receive
from pitboss.tabulator.entries import MessageRefused
from tests.books.making import BOOK, Room
from tests.jackpot.making import make_bonus
from tests.tabulator.making import DEVICE, SECOND, TWO, Floor, floor, make_setup

HOUR = 3_600 * SECOND


def refused(at: Floor) -> list[MessageRefused]:
    entries = [entry for entry in at.books.store.entries(BOOK) if entry.kind == MessageRefused.KIND]
    return [read_payload(entry.kind, entry.payload) for entry in entries]  # type: ignore[misc]


def test_an_id_of_a_device_or_of_the_server_is_nobody_elses(sqlite_room: Room) -> None:
    with floor(sqlite_room, make_setup()) as at:
        for taken in (f"device {DEVICE} 1", "watch-1", "snapshot-99-abc"):
            with pytest.raises(ValueError, match="this id is not for people"):
                at.tables.mark_seats("4", ((1, 2),), command=taken, by=By("Dan", "dealer"))
        assert at.press((1, 1))["status"] == "counted"


def test_a_press_counts_though_a_journal_of_before_has_its_id(sqlite_room: Room, monkeypatch: Any) -> None:
    with floor(sqlite_room, make_setup()) as at:
        monkeypatch.setattr(sys.modules["pitboss.commands.command"], "OWN_IDS", ("none",))
        at.tables.mark_seats("4", ((1, 2),), command=f"device {DEVICE} 1", by=By("Dan", "dealer"))
        message = at.message(sensors=[[1, 1], [3, 1]])
        first, again = at.send(message), at.send(message)
        assert (first["status"], first["acknowledged"], at.wagers()) == ("counted", 1, 2)
        assert (again["status"], again["again"], at.wagers()) == ("counted", True, 2)
        assert at.press()["status"] == "released"
        assert at.is_sound()


def test_g_76_a_second_device_under_the_same_name_is_an_alarm_and_its_press_is_in_the_journal(
    sqlite_room: Room,
) -> None:
    with floor(sqlite_room, make_setup()) as at:
        mine = at.message(sensors=[[1, 1]])
        at.send(mine)
        other = {**mine, "sensors": [[2, 1], [5, 1]], "at": mine["at"] - SECOND}
        first, again = at.send(other), at.send({**other, "sent": at.clock.add(1)})
        assert (first["status"], first["acknowledged"], at.wagers()) == ("refused", 1, 1)
        assert again["again"]
        [entry] = refused(at)
        assert (entry.seen, entry.device_sequence) == (((2, 1), (5, 1)), 1)
        alarm = at.tables.room.alarms[f"twin device {DEVICE}"]
        assert "two devices under the name" in alarm.words
        assert at.press()["acknowledged"] == 2
        assert at.is_sound()


def test_g_76_what_comes_after_it_was_given_up_is_written_down(sqlite_room: Room) -> None:
    with floor(sqlite_room, make_setup()) as at:
        late = at.message(sensors=[[3, 1]])
        at.tables.give_up(DEVICE, 1, command="gone", words="the device was dropped", **TWO)
        reply = at.send(late)
        assert (reply["status"], reply["acknowledged"]) == ("refused", 1)
        assert [entry.seen for entry in refused(at)] == [((3, 1),)]
        assert at.is_sound()


def test_a_message_that_raises_is_journalled_as_refused(sqlite_room: Room, monkeypatch: Any) -> None:
    with floor(sqlite_room, make_setup()) as at:

        def fails(*_: object) -> list[object]:
            raise KeyError("4")

        monkeypatch.setattr(receive, "press_drafts", fails)
        reply = at.press((1, 1))
        monkeypatch.undo()
        assert (reply["status"], reply["acknowledged"]) == ("refused", 1)
        assert f"refused device {DEVICE}" in at.tables.room.alarms
        assert at.press((2, 1))["status"] == "counted"


def test_what_can_be_neither_done_nor_journalled_is_told(sqlite_room: Room, monkeypatch: Any) -> None:
    with floor(sqlite_room, make_setup()) as at:
        told: dict[str, str] = {}
        at.tables.receiver.tell_stuck = told.__setitem__

        def fails(*_: object) -> list[object]:
            raise KeyError("4")

        monkeypatch.setattr(receive.ApplyMessage, "_drafts", fails)
        message = at.message(sensors=[[1, 1]])
        reply = at.send(message)
        assert (reply["status"], reply["acknowledged"]) == ("refused", 0)
        assert "message 1" in told[DEVICE]
        monkeypatch.undo()
        assert at.send(message)["status"] == "counted"
        assert told[DEVICE] == ""
        at.tables.receive(b"{", device=DEVICE)
        assert "cannot be read" in told[DEVICE]
        at.tables.receive(json.dumps({**at.message(sensors=[]), "table": "9"}), device=DEVICE)
        assert "table 9" in told[DEVICE]


def test_m_10_a_press_of_long_ago_is_not_counted(sqlite_room: Room) -> None:
    with floor(sqlite_room, make_setup()) as at:
        reply = at.press((1, 1), at=at.clock.now - 73 * HOUR)
        assert (reply["status"], reply["acknowledged"], at.wagers()) == ("refused", 1, 0)
        assert "72 hours" in reply["problems"][0]
        assert at.press((1, 1), at=at.clock.now - 71 * HOUR)["status"] == "counted"


def test_m_10_rounds_of_a_batch_are_bounded_in_time(sqlite_room: Room) -> None:
    with floor(sqlite_room, make_setup("andromeda-1", limits=AlarmLimits()), jackpots=[make_bonus()]) as at:
        now = at.clock.now
        ahead = at.send(at.message("batch", rounds=[[now + HOUR, [[1, 1]]]]))
        old = at.send(at.message("batch", rounds=[[now - 80 * HOUR, [[1, 1]]]]))
        many = at.send(at.message("batch", rounds=[[now - SECOND * number, [[1, 1]]] for number in range(30)]))
        assert [reply["status"] for reply in (ahead, old, many)] == ["refused"] * 3
        assert at.wagers("daily") == 0


def test_g_76_rounds_a_minute_are_bounded_with_an_alarm(sqlite_room: Room) -> None:
    with floor(sqlite_room, make_setup(limits=AlarmLimits(rounds_a_minute=3))) as at:
        for _ in range(3):
            at.round(1)
        reply = at.press((1, 1))
        assert (reply["status"], reply["acknowledged"], at.wagers()) == ("refused", 7, 3)
        assert "more than 3 rounds a minute" in at.tables.room.alarms[f"refused device {DEVICE}"].words
        # Nor by a clock that goes backwards.
        assert at.press((1, 1), at=at.clock.now - HOUR)["status"] == "refused"
        at.clock.add(60)
        assert at.press((1, 1))["status"] == "counted"
