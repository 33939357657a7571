"""Equipment that is down, counters that are read, malfunctions with their clock, alarms, lost lines."""

from __future__ import annotations

import json
from typing import Any

import pytest

from pitboss.books import read_payload
from pitboss.tabulator import AlarmLimits
from pitboss.tabulator.availability import jackpot_block
from pitboss.tabulator.entries import CounterRead, MessageRefused
from tests.books.making import BOOK, Room
from tests.jackpot.making import make_bonus, refused
from tests.tabulator.making import (
    APPROVER,
    DEALER,
    DEVICE,
    FINAL_FOUR,
    PRIME,
    SECOND,
    SUPERVISOR,
    TWO,
    Floor,
    floor,
    make_setup,
)

HOUR = 60 * 60


def enter(at: Floor, rounds: int, wagers: dict[str, dict[int, int]], **said: Any) -> Any:
    usual: dict[str, Any] = {"words": "from the dealer's sheet", "command": at.id(), **TWO}
    return at.tables.enter_counts("4", rounds, wagers, **usual | said)


def down(at: Floor, **said: Any) -> Any:
    usual: dict[str, Any] = {"words": "panel dark", "command": at.id(), "by": SUPERVISOR}
    return at.tables.down("4", **usual | said)


def restore(at: Floor, rounds: int, **said: Any) -> Any:
    usual: dict[str, Any] = {"words": "panel replaced", "command": at.id(), **TWO}
    return at.tables.restore("4", rounds, **usual | said)


def test_e_09_down_on_the_spot_rounds_are_counted_by_hand_and_reconciled(sqlite_room: Room) -> None:
    with floor(sqlite_room, make_setup()) as at:
        at.round(1)
        assert [entry.kind for entry in down(at).entries] == ["malfunction-known", "equipment-down"]
        assert at.press((1, 1))["problems"] == ["the equipment of table 4 is down: counts are entered by hand (E-09)"]
        at.enter({FINAL_FOUR: [2, 3]})
        at.enter()
        enter(at, 10, {FINAL_FOUR: {1: 10, 4: 3}})
        assert jackpot_block(at.books.state(BOOK), "4") == "", "they are counted by hand"
        assert (at.wagers(), at.four.rounds[-1].rounds, at.four.round) == (16, 10, 12)
        assert at.four.counter == 1
        restore(at, 11)
        assert (at.four.down, "reconciliation 4" in at.tables.room.alarms) == (None, False)
        assert at.round(7) == 13
        assert at.is_sound()


def test_e_09_a_difference_at_the_restoring_stands_as_an_alarm_until_it_is_entered_and_cleared(
    sqlite_room: Room,
) -> None:
    with floor(sqlite_room, make_setup()) as at:
        down(at)
        restore(at, 3, words="sheet follows")
        assert at.tables.room.alarms["reconciliation 4"].words == (
            "3 rounds were played by hand and 0 entered: sheet follows"
        )
        enter(at, 3, {FINAL_FOUR: {1: 2}})
        at.tables.clear_alarm("reconciliation 4", words="entered", command=at.id(), by=SUPERVISOR)
        assert "not by hand (E-02)" in refused(lambda: enter(at, 1, {FINAL_FOUR: {1: 1}}))
        assert at.is_sound()


def test_e_09_down_by_suspension_nothing_is_counted(sqlite_room: Room) -> None:
    with floor(sqlite_room, make_setup(down_method="suspend")) as at:
        down(at)
        told = "jackpots suspended while its equipment is down (E-09)"
        assert told in refused(lambda: at.enter({FINAL_FOUR: [1]}))
        assert "suspended while its equipment is down (E-09)" in refused(lambda: enter(at, 1, {FINAL_FOUR: {1: 1}}))
        restore(at, 0)
        assert at.round(1) == 1
        assert at.is_sound()


def test_b4_a_table_takes_no_jackpot_wagers_for_each_reason_that_refuses_them_and_for_no_other(
    sqlite_room: Room,
) -> None:
    """Seen: displays showed a jackpot at full brightness whose wager no press would count."""
    with floor(sqlite_room, make_setup(down_method="suspend")) as at:

        def block() -> str:
            return jackpot_block(at.books.state(BOOK), "4")

        assert (block(), jackpot_block(at.books.state(BOOK), "no such table")) == ("", "")
        at.tables.lose_link(DEVICE, words="switch broken", command=at.id())
        assert block() == "line-lost"
        down(at)
        assert block() == "equipment-down"
        restore(at, 0)
        at.press((1, 1))
        at.press()
        assert block() == ""
        at.tables.suspend("4", words="display dark", command=at.id(), by=SUPERVISOR)
        assert block() == "suspended"


def test_e_09_counts_entered_later_are_checked_and_every_problem_told(sqlite_room: Room) -> None:
    with floor(sqlite_room, make_setup()) as at:
        down(at)
        told = refused(lambda: enter(at, 2, {}, by=DEALER, approved_by=""))
        assert told == (
            "tables/enter-counts is for supervisor or manager, not for Dan as dealer (T-06); "
            "tables/enter-counts needs two people: 'nobody' is no second person (T-06, G-31)"
        )
        told = refused(lambda: enter(at, 2, {FINAL_FOUR: {1: 3, 9: 1}, "royal": {1: 1}}, words=""))
        for words in (
            "in words",
            "seat 1 has 3 wagers of Final Four Jackpot in 2 rounds (E-01)",
            "seat 9: a number from 1 to 7 (G-16)",
            "'royal' is not counted at table 4 (E-01)",
        ):
            assert words in told
        assert refused(lambda: down(at)) == "the equipment of table 4 is down already (E-09)"


def test_m_10_a_press_from_before_the_equipment_went_down_is_counted_when_it_comes(sqlite_room: Room) -> None:
    with floor(sqlite_room, make_setup()) as at:
        pressed = at.message(sensors=[[1, 1], [2, 1]])
        released = at.message(sensors=[])
        at.clock.add(5)
        down(at)
        at.enter({FINAL_FOUR: [3]})
        sent = {"sent": at.clock.now}
        assert at.send({**pressed, **sent})["status"] == "counted"
        # The round entered by hand is still on the table.
        assert (at.four.phase, at.wagers()) == ("tabulated", 3)
        assert at.send({**released, **sent})["round"] == 2
        assert at.four.phase == "tabulated"
        at.enter()
        restore(at, 1)
        assert at.tables.room.alarms == {}
        assert at.is_sound()


def test_t_09_a_lost_line_is_written_down_and_found_again_with_the_next_message(sqlite_room: Room) -> None:
    with floor(sqlite_room, make_setup()) as at:
        assert at.send(at.message("hello"))["status"] == "heard"
        at.clock.add(30)
        assert at.tables.watch(command="w1") == []
        at.clock.add(1)
        assert at.tables.watch(command="w2") == [DEVICE]
        assert at.tables.watch(command="w3") == []
        assert at.tables.room.devices[DEVICE].lost
        assert at.press((1, 1))["status"] == "counted"
        assert not at.tables.room.devices[DEVICE].lost
        assert at.is_sound()


def test_g_43_a_table_whose_line_is_lost_follows_the_method_of_its_configuration(sqlite_room: Room) -> None:
    """Seen: a table whose method is `suspend` was put by hand by one supervisor, and a progressive counted."""
    with floor(sqlite_room, make_setup(down_method="suspend")) as at:
        assert "not lost: its presses are counted (T-09)" in refused(lambda: go_on(at))
        at.tables.lose_link(DEVICE, words="switch broken", command=at.id())
        go_on(at)
        assert at.four.down is not None
        assert at.four.down.method == "suspend"
        wrong = "table 4 has its jackpots suspended while its equipment is down (E-09)"
        assert refused(lambda: at.enter({FINAL_FOUR: [1]})) == wrong
        assert at.press((2, 1))["status"] == "refused"
        restore(at, 0)
        assert at.press((2, 1))["status"] == "counted"
        assert at.is_sound()


def test_g_43_on_the_spot_is_counted_by_hand_while_the_line_is_lost(sqlite_room: Room) -> None:
    with floor(sqlite_room, make_setup()) as at:
        at.tables.lose_link(DEVICE, words="switch broken", command=at.id())
        assert "counted by its Andromeda-3, not by hand (E-02)" in refused(lambda: at.enter({FINAL_FOUR: [1]}))
        go_on(at)
        at.enter({FINAL_FOUR: [1]})
        at.enter()
        restore(at, 1)
        assert at.is_sound()


@pytest.mark.parametrize("stops", ["table", "jackpot"])
def test_g_43_a_press_of_before_the_loss_counts_though_the_jackpot_was_suspended_meanwhile(
    sqlite_room: Room, stops: str
) -> None:
    """Seen: a press made before the suspension was dropped."""
    with floor(sqlite_room, make_setup()) as at:
        pressed, released = at.message(sensors=[[1, 1], [2, 1]]), at.message(sensors=[])
        at.clock.add(5)
        at.tables.lose_link(DEVICE, words="switch broken", command=at.id())
        if stops == "table":
            at.tables.suspend("4", words="line lost", command=at.id(), by=SUPERVISOR)
        else:
            at.jackpots.suspend("main", words="line lost", command=at.id(), actor="Max")
        late = at.message(sensors=[[3, 1]])
        before, sent = at.shown(), {"sent": at.clock.now}
        assert at.send({**pressed, **sent})["status"] == "counted"
        assert (at.wagers(), at.shown() - before) == (2, 2 * 173_000)
        assert at.send({**released, **sent})["status"] == "released"
        # What was pressed after the suspension is not counted.
        at.send({**late, **sent})
        assert (at.wagers(), at.shown() - before) == (2, 2 * 173_000)
        assert at.is_sound()


def go_on(at: Floor) -> Any:
    return at.tables.go_by_hand("4", words="switch broken", command=at.id(), by=SUPERVISOR)


def test_m_11_a_counter_is_read_each_shift_and_never_falls(sqlite_room: Room) -> None:
    with floor(sqlite_room, make_setup("milky-way", counter_digits=4), jackpots=[make_bonus()]) as at:

        def read(reading: int, **said: Any) -> CounterRead:
            (entry,) = at.tables.read_counter("4", reading, command=at.id(), by=DEALER, **said).entries
            value = read_payload(entry.kind, entry.payload)
            assert isinstance(value, CounterRead)
            return value

        assert (read(9990).counted, at.four.reading and at.four.reading.shift) == (0, "graveyard")
        at.enter({FINAL_FOUR: [1, 2]})
        at.enter()
        assert read(9992).counted == 2
        assert at.tables.room.alarms == {}
        assert "9991 is below 9992, read on 2026-12-19 in shift graveyard: a counter never falls" in refused(
            lambda: read(9991)
        )
        at.enter({FINAL_FOUR: [1, 2, 3, 4, 5, 6, 7]})
        at.enter()
        assert "state the reason in words" in refused(lambda: read(9, rolled_over=True))
        at.enter({FINAL_FOUR: [1]})
        at.enter()
        read(0, rolled_over=True, words="went over at 9999")
        assert at.tables.room.alarms == {}
        read(5)
        assert at.tables.room.alarms["counter 4"].words == (
            "the counter of table 4 went on by 5 and 0 wagers were counted since 2026-12-19, graveyard"
        )
        at.tables.clear_alarm("counter 4", words="tested with five chips", command=at.id(), by=SUPERVISOR)
        read(3, replaced=True, words="new panel")
        assert at.tables.room.alarms["counter 4"].words == "the counter of table 4 was replaced: new panel"
        assert "12345 is no reading of a counter with 4 digits" in refused(lambda: read(12_345)).replace("'", "")
        assert at.is_sound()


def test_m_11_only_a_counter_that_is_there_is_read(sqlite_room: Room) -> None:
    with floor(sqlite_room, make_setup()) as at:
        told = refused(lambda: at.tables.read_counter("4", 7, command=at.id(), by=DEALER))
        assert told == "Andromeda-3 has no counter that is read by hand (TCP Appendix G, Andromeda-3)"


def test_o_02_a_malfunction_is_reported_within_72_hours_of_knowing(sqlite_room: Room) -> None:
    with floor(sqlite_room, make_setup()) as at:
        known = at.clock.now
        at.clock.add(HOUR)
        said: dict[str, Any] = {"words": "sensor 3.1 dead", "known_at": known, "place": (3, 1), "by": SUPERVISOR}
        (entry,) = at.tables.malfunction("4", command=at.id(), **said).entries
        found = at.tables.room.malfunctions[str(entry.sequence)]
        assert (found.known, found.due) == (known, known + 72 * HOUR * SECOND)
        assert not found.is_overdue(found.due)
        assert found.is_overdue(found.due + 1)
        assert (
            refused(lambda: at.tables.malfunction("4", words="x", command=at.id(), by=SUPERVISOR, place=(8, 1)))
            == "table 4 has no sensor 8.1 (E-04)"
        )

        def report(**more: Any) -> Any:
            usual: dict[str, Any] = {"reference": "WSGC 26-114", "command": at.id(), "by": SUPERVISOR}
            return at.tables.report(found.number, **usual | more)

        assert "after it was known" in refused(lambda: report(reported_at=known - 1))
        assert "name the reference" in refused(lambda: report(reference=" "))
        report()
        assert "was reported already: WSGC 26-114 (O-02)" in refused(report)
        at.tables.mend(found.number, words="replaced", command=at.id(), by=SUPERVISOR)
        assert at.tables.room.malfunctions == {}
        assert f"there is no open malfunction {found.number}" in refused(report)
        assert at.is_sound()


def test_a_sensor_that_is_silent_for_long_raises_an_alarm(sqlite_room: Room) -> None:
    with floor(sqlite_room, make_setup(seats=2, limits=AlarmLimits(silent_rounds=3))) as at:
        for _ in range(3):
            at.round()
        assert at.tables.room.alarms == {}
        for _ in range(3):
            at.round(1)
        alarm = at.tables.room.alarms["silent 4 2.1"]
        assert alarm.words == (
            "the seat 2 sensor of Final Four Jackpot has seen no wager in 3 rounds that others were counted in (F-08)"
        )
        at.tables.clear_alarm(alarm.key, words="nobody sits there", command=at.id(), by=SUPERVISOR)
        at.round(1)
        assert at.tables.room.alarms == {}
        assert at.is_sound()


def test_a_sensor_that_is_always_on_raises_an_alarm(sqlite_room: Room) -> None:
    """A collected wager is gone at the press that ends the round; one that stays on the layout is not."""
    limits = AlarmLimits(stuck_presses=4)
    with floor(sqlite_room, make_setup(wagers=(FINAL_FOUR, PRIME), limits=limits)) as at:
        for _ in range(2):
            at.press((1, 1), (2, 1), (3, 2))
            at.press((1, 1), (3, 2))
        assert list(at.tables.room.alarms) == ["stuck 4 1.1"]
        assert at.tables.room.alarms["stuck 4 1.1"].words.endswith("has seen a wager at 4 presses in a row (F-08)")


def test_f_08_a_sensor_that_corrections_disagree_with_raises_an_alarm(sqlite_room: Room) -> None:
    with floor(sqlite_room, make_setup()) as at:
        for cause in ("missed", "miscounted", "missed"):
            at.press(*([(5, 1)] if cause == "miscounted" else []))
            said: dict[str, Any] = {"words": "chip on the spot", "command": at.id(), "by": DEALER}
            at.tables.correct("4", at.four.round, FINAL_FOUR, cause, [5], **said)
            at.press()
        (alarm,) = (alarm for alarm in at.tables.room.alarms.values() if alarm.kind != "correction")
        assert (alarm.key, alarm.words) == (
            "disagreeing 4 5.1",
            "the seat 5 sensor of Final Four Jackpot has been corrected 3 times (rounds 1, 2, 3): have it checked (F-08)",
        )
        assert (at.four.sensors["5.1"].missed, at.four.sensors["5.1"].miscounted) == (2, 1)


def test_m_10_a_clock_that_is_wrong_is_corrected_and_raises_an_alarm(sqlite_room: Room) -> None:
    with floor(sqlite_room, make_setup()) as at:
        message = at.message(sensors=[[1, 1]])
        wrong = 3 * HOUR * SECOND
        at.send({**message, "at": message["at"] + wrong, "sent": message["sent"] + wrong})
        assert at.four.rounds[-1].happened == message["at"]
        assert at.tables.room.alarms[f"clock device {DEVICE}"].words == "its clock is wrong by 10800 seconds"
        again = at.message(sensors=[], after=0.5)
        reply = at.send({**again, "at": again["at"] + wrong, "sent": again["sent"] + wrong})
        assert reply["status"] == "ignored"
        assert at.is_sound()


def test_m_01_a_fault_that_a_device_tells_is_an_alarm(sqlite_room: Room) -> None:
    with floor(sqlite_room, make_setup()) as at:
        at.send(at.message("fault", code="power", words="restarted after a loss of power"))
        assert at.tables.room.alarms[f"fault device {DEVICE}"].words == "power: restarted after a loss of power"
        told = refused(lambda: at.tables.clear_alarm("nothing", words="x", command=at.id(), by=SUPERVISOR))
        assert told == f"there is no alarm 'nothing'; there are: fault device {DEVICE} (M-07)"


def test_e_05_a_data_logger_uploads_batches_once(sqlite_room: Room) -> None:
    with floor(sqlite_room, make_setup("andromeda-1"), jackpots=[make_bonus()]) as at:
        rounds = [[at.clock.now, [[1, 1], [2, 1]]], [at.clock.now + 1, [[1, 1]]], [at.clock.now + 2, []]]
        message = at.message("batch", rounds=rounds)
        reply = at.send(message)
        assert (reply["status"], reply["round"], reply["rounds"]) == ("counted", 3, 3)
        assert at.send(message)["again"]
        assert (at.wagers("daily"), at.four.counter, at.four.counts) == (3, 3, {FINAL_FOUR: {"1": 2, "2": 1}})
        for number in (1, 2):
            at.tables.correct("4", number, FINAL_FOUR, "miscounted", [1], words="stuck", command=at.id(), **TWO)
        assert at.four.reversed == {FINAL_FOUR: {"1": 2}}
        told = refused(
            lambda: at.tables.correct("4", 3, FINAL_FOUR, "miscounted", [1], words="x", command=at.id(), **TWO)
        )
        assert told == "seat 1 has no wager on Final Four Jackpot in round 3 (G-11)"
        assert at.is_sound()


def test_e_05_a_batch_from_equipment_that_sends_each_press_is_refused_and_written_down(sqlite_room: Room) -> None:
    with floor(sqlite_room, make_setup()) as at:
        reply = at.send(at.message("batch", rounds=[[at.clock.now, [[1, 1]]]]))
        assert reply["problems"] == ["Andromeda-3 sends each press, not batches (E-05)"]
        entry = at.room.entries()[-1]
        value = read_payload(entry.kind, entry.payload)
        assert isinstance(value, MessageRefused)
        assert (value.type, reply["acknowledged"]) == ("batch", 1)
        assert json.loads(entry.payload)["problems"] == reply["problems"]


def test_g_40_m_10_messages_that_will_never_come_are_given_up_by_two_people(sqlite_room: Room) -> None:
    with floor(sqlite_room, make_setup()) as at:
        at.press((1, 1))
        at.sequences[DEVICE] = 5
        late = at.message(sensors=[])
        assert at.send(late)["status"] == "waiting"
        said: dict[str, Any] = {"words": "memory of the panel lost", "command": at.id(), "by": SUPERVISOR}
        assert "two people" in refused(lambda: at.tables.give_up(DEVICE, 5, approved_by="Sue", **said))
        assert "is 1, not before 1 (M-10, G-40)" in refused(
            lambda: at.tables.give_up(DEVICE, 1, approved_by=APPROVER, **said)
        )
        at.tables.give_up(DEVICE, 5, approved_by=APPROVER, **said)
        assert at.send(late)["status"] == "released"
        assert at.send({**late, "sequence": 3})["problems"] == [f"message 3 of {DEVICE} was given up (M-10, G-40)"]
        assert f"lost device {DEVICE}" in at.tables.room.alarms
        assert at.is_sound()
