"""A round at the table: presses, lights, late wagers, dealers, persons (E-01, E-02, F-02)."""

from __future__ import annotations

from dataclasses import replace
from datetime import date, timedelta

import pytest

from pitboss.books import read_payload
from pitboss.tabulator import AlarmLimits
from pitboss.tabulator.entries import RoundTabulated
from pitboss.tabulator.setup import Sensor
from tests.books.making import Room
from tests.jackpot.making import make_bonus, refused
from tests.tabulator.making import (
    ALL_SIX,
    DEALER,
    FINAL_FOUR,
    PAIR_BONUS,
    PRIME,
    SECOND,
    SECOND_DEALER,
    SUPERVISOR,
    TWO,
    floor,
    make_setup,
)


def test_e_02_a_press_counts_the_next_one_opens_again(sqlite_room: Room) -> None:
    with floor(sqlite_room, make_setup()) as at:
        reply = at.press((1, 1), (3, 1), (6, 1))
        assert (reply["status"], reply["round"], reply["lights"]) == ("counted", 1, [[1, 1], [3, 1], [6, 1]])
        assert (at.four.phase, at.four.lights) == ("tabulated", ((1, 1), (3, 1), (6, 1)))
        assert at.wagers() == 3
        reply = at.press()
        assert (reply["status"], reply["table"]["phase"], reply["table"]["lights"]) == ("released", "open", [])
        assert at.wagers() == 3
        assert at.press((2, 1))["round"] == 2
        assert at.is_sound()


def test_e_01_e_02_a_press_and_its_counts_are_one_command_with_dealer_sensors_lights_and_device(
    sqlite_room: Room,
) -> None:
    with floor(sqlite_room, make_setup()) as at:
        before = at.books.state("room").sequence
        at.press((2, 1), (5, 1))
        pressed, counted = at.room.entries()[before:]
        assert (pressed.command, pressed.part, pressed.parts) == (counted.command, 0, 2)
        assert (pressed.kind, counted.kind) == ("round-tabulated", "wagers-counted")
        value = read_payload(pressed.kind, pressed.payload)
        assert isinstance(value, RoundTabulated)
        assert (value.dealer, value.seen, value.lights) == ("Dan", ((2, 1), (5, 1)), ((2, 1), (5, 1)))
        assert (value.device, value.device_sequence, value.source) == ("A3-0017", 1, "device")
        assert pressed.happened == at.clock.now


@pytest.mark.parametrize(("after", "status"), [(0.0, "ignored"), (0.999999, "ignored"), (1.0, "released")])
def test_e_02_a_second_press_within_a_second_is_ignored_by_its_own_time(
    sqlite_room: Room, after: float, status: str
) -> None:
    with floor(sqlite_room, make_setup()) as at:
        first = at.message(sensors=[[1, 1]])
        second = at.message(sensors=[], after=after)
        # Both come a minute later, at the same instant: only when they were pressed counts.
        at.clock.add(60)
        both = [at.send({**each, "sent": at.clock.now}) for each in (first, second)]
        assert [each["status"] for each in both] == ["counted", status]
        assert both[1]["round"] == 1
        assert at.four.phase == ("tabulated" if status == "ignored" else "open")
        assert at.is_sound()


@pytest.mark.parametrize("between", ["closed", "down"])
def test_e_02_a_second_press_that_comes_after_the_table_was_closed_or_down_is_ignored(
    sqlite_room: Room, between: str
) -> None:
    """Seen (fault floor, seed 1738): the table was closed and opened before it came, and a round was counted for it."""
    with floor(sqlite_room, make_setup()) as at:
        at.press((1, 1))
        released, double = at.message(sensors=[]), at.message(sensors=[[2, 1]], after=0.3)
        assert at.send(released)["status"] == "released"
        if between == "closed":
            at.tables.close("4", command=at.id(), by=SUPERVISOR)
            at.tables.open("4", command=at.id(), by=SUPERVISOR)
            at.tables.change_dealer("4", "Dan", command=at.id(), by=SUPERVISOR)
        else:
            at.clock.add(2)
            at.tables.down("4", words="dark", command=at.id(), by=SUPERVISOR)
            at.clock.add(2)
            at.tables.restore("4", 0, words="repaired", command=at.id(), **TWO)
        assert at.send({**double, "sent": at.clock.now})["status"] == "ignored"
        assert (at.wagers(), at.four.round) == (1, 1)
        assert at.press((3, 1))["round"] == 2
        assert at.is_sound()


def test_f_02_late_wagers_are_not_counted_and_are_noticed(sqlite_room: Room) -> None:
    with floor(sqlite_room, make_setup()) as at:
        at.press((1, 1))
        reply = at.send(at.message("late", sensors=[[1, 1], [4, 1]]))
        assert (reply["status"], reply["notices"]) == ("noted", ["a wager at 4.1 came too late (F-02)"])
        reply = at.press((5, 1))
        assert reply["notices"] == ["a wager at 5.1 came too late (F-02)"]
        assert at.four.rounds[-1].late == ((4, 1), (5, 1))
        assert at.wagers() == 1
        assert "none is late (F-02)" in at.send(at.message("late", sensors=[[1, 1]]))["problems"][0]


def test_w_09_what_is_seen_where_nothing_is_counted_is_noticed_and_not_counted(sqlite_room: Room) -> None:
    setup = make_setup(seats=6)
    far = Sensor(9, 1, FINAL_FOUR, True)
    with floor(sqlite_room, replace(setup, sensors=(*setup.sensors, far))) as at:
        reply = at.press((1, 1), (9, 1), (2, 5))
        assert reply["notices"] == [
            "a wager at 2.5, where none is counted (W-09)",
            "a wager at 9.1, where none is counted (W-09)",
        ]
        assert at.wagers() == 1


def test_e_02_every_press_has_its_dealer_who_changes_without_stopping_a_round(sqlite_room: Room) -> None:
    with floor(sqlite_room, make_setup()) as at:
        at.press((1, 1))
        at.send(at.message("dealer", dealer=SECOND_DEALER.name))
        at.press()
        at.press((2, 1))
        assert [each.dealer for each in at.four.rounds] == ["Dan", "Dora"]
        assert at.four.dealer == "Dora"
        at.press()
        at.tables.close("4", command=at.id(), by=SUPERVISOR)
        at.tables.open("4", command=at.id(), by=SUPERVISOR)
        assert "no dealer is in charge of table 4: every press names one (E-02)" in at.press((1, 1))["problems"]


def test_a_sensor_counts_any_wager_not_only_jackpots(sqlite_room: Room) -> None:
    with floor(sqlite_room, make_setup(wagers=(FINAL_FOUR, PRIME))) as at:
        at.press((1, 1), (1, 2), (2, 2))
        assert at.four.rounds[-1].counted == {FINAL_FOUR: (1,), PRIME: (1, 2)}
        assert (at.wagers(), at.four.wagers_counted) == (1, 3)
        assert at.four.counts == {FINAL_FOUR: {"1": 1}, PRIME: {"1": 1, "2": 1}}
        assert at.is_sound()


def test_e_03_only_a_wager_that_is_collected_has_a_light(sqlite_room: Room) -> None:
    setup = make_setup(wagers=(FINAL_FOUR, PRIME))
    dark = tuple(each._replace(light=each.wager == FINAL_FOUR) for each in setup.sensors)
    with floor(sqlite_room, replace(setup, sensors=dark)) as at:
        assert at.press((1, 1), (1, 2))["lights"] == [[1, 1]]


def test_t_09_a_table_whose_jackpots_are_suspended_is_dealt_and_counts_no_jackpot_wager(sqlite_room: Room) -> None:
    with floor(sqlite_room, make_setup(wagers=(FINAL_FOUR, PRIME))) as at:
        at.tables.suspend("4", words="display dark", command=at.id(), by=SUPERVISOR)
        reply = at.press((1, 1), (1, 2))
        assert reply["status"] == "counted"
        assert reply["notices"] == ["the jackpots of table 4 are suspended: give the wagers back (T-09)"]
        assert (at.wagers(), at.four.counts[PRIME]) == (0, {"1": 1})
        told = refused(lambda: at.tables.resume("4", words="mended", command=at.id(), **TWO))
        assert "round 1 of table 4 is in play: " in told
        at.press()
        at.tables.resume("4", words="mended", command=at.id(), **TWO)
        at.round(1)
        assert at.wagers() == 1
        assert at.is_sound()


def test_j_19_where_a_jackpot_is_not_played_its_wagers_are_given_back(sqlite_room: Room) -> None:
    with floor(sqlite_room, make_setup()) as at:
        at.jackpots.close("main", words="audit", command=at.id(), actor="Ada")
        assert at.press((1, 1))["notices"] == ["Final Four Jackpot is closed: give the wagers back (J-18, J-19)"]
        assert at.wagers() == 0


def test_j_19_a_short_escrow_refuses_the_round_and_suspends_the_jackpot(sqlite_room: Room) -> None:
    with floor(sqlite_room, make_setup()) as at:
        at.round(1)
        at.clock.add(8 * 24 * 60 * 60)
        reply = at.press((1, 1))
        assert reply["status"] == "refused"
        assert "escrow of Final Four Jackpot is short" in reply["problems"][0]
        assert at.jackpots.record("main").play == "suspended"
        assert "Final Four Jackpot is suspended" in at.press((1, 1))["notices"][0]
        assert at.wagers() == 1
        assert at.is_sound()


def test_the_life_of_a_table_changes_between_rounds(sqlite_room: Room) -> None:
    with floor(sqlite_room, make_setup()) as at:
        at.press((1, 1))
        told = refused(lambda: at.tables.close("4", command=at.id(), by=SUPERVISOR))
        assert told == "round 1 of table 4 is in play: a table is closed between rounds (E-02)"
        told = refused(lambda: at.tables.suspend("4", words="x", command=at.id(), by=DEALER))
        assert told == (
            "tables/suspend is for supervisor or manager, not for Dan as dealer (T-06); "
            "round 1 of table 4 is in play: jackpots are suspended between rounds (E-02)"
        )
        told = refused(lambda: at.tables.suspend("4", words=" ", command=at.id(), by=SUPERVISOR))
        assert told.startswith(
            "state the reason in words (M-02); round 1 of table 4 is in play: jackpots are suspended"
        )
        at.press()
        at.tables.close("4", command=at.id(), by=SUPERVISOR)
        assert at.four.life == "closed"
        assert at.press((1, 1))["problems"] == ["table 4 is closed: nothing is counted (E-02)"]
        assert at.is_sound()


def test_t_16_a_change_waits_for_the_opening_it_was_prepared_for(sqlite_room: Room) -> None:
    with floor(sqlite_room, make_setup()) as at:
        more = make_setup(wagers=(FINAL_FOUR, PRIME), limits=AlarmLimits(silent_rounds=9))
        today = date(2026, 12, 19)
        assert "prepare the change for a later day (T-16)" in refused(lambda: at.set_up(more))
        told = refused(lambda: at.set_up(more, since=today))
        assert "a change is prepared for a later one (T-16)" in told
        at.set_up(more, since=today + timedelta(days=1))
        at.tables.close("4", command=at.id(), by=SUPERVISOR)
        at.tables.open("4", command=at.id(), by=SUPERVISOR)
        assert (at.four.setup.wagers, len(at.four.prepared)) == ((FINAL_FOUR,), 1)
        at.tables.close("4", command=at.id(), by=SUPERVISOR)
        at.clock.add(24 * 60 * 60)
        at.tables.open("4", command=at.id(), by=SUPERVISOR)
        assert (at.four.setup, at.four.prepared) == (more, ())
        assert at.is_sound()


def test_g_41_g_12_one_person_on_two_seats_has_one_count_of_four_options(sqlite_room: Room) -> None:
    wagers = (FINAL_FOUR, PRIME, PAIR_BONUS, ALL_SIX, "ante-play")
    with floor(sqlite_room, make_setup(wagers=wagers)) as at:
        seen = [(2, 1), (2, 2), (2, 5), (3, 3), (3, 4), (3, 5)]
        assert at.press(*seen)["notices"] == []
        at.press()
        at.tables.mark_seats("4", [[2, 3]], command=at.id(), by=DEALER)
        (told,) = at.press(*seen)["notices"]
        assert told == (
            "one person on seats 2 and 3 has 5 options, at most 4: final-four, prime, pair-bonus, all-six, ante-play (G-41)"
        )
        at.press()
        assert at.press(*seen[:-3], (3, 3), (3, 5))["notices"] == []
        at.press()
        at.tables.mark_seats("4", [], command=at.id(), by=DEALER)
        assert at.press(*seen)["notices"] == []
        told = refused(lambda: at.tables.mark_seats("4", [[2], [2, 9]], command=at.id(), by=DEALER))
        assert (
            told
            == "seats [2, 2, 9]: numbers from 1 to 7 (G-16); [[2], [2, 9]]: a person plays two seats or more, alone (FCP-5)"
        )


def test_the_console_counts_where_there_is_no_line_and_double_presses_are_ignored(sqlite_room: Room) -> None:
    with floor(sqlite_room, make_setup("none"), jackpots=[make_bonus()]) as at:
        at.enter({FINAL_FOUR: [1, 5]})
        assert (at.four.phase, at.four.lights, at.wagers("daily")) == ("tabulated", (), 2)
        (ignored,) = at.enter(after=0.2).entries
        assert ignored.kind == "press-ignored"
        assert at.enter().entries[0].kind == "round-released"
        told = refused(lambda: at.enter({FINAL_FOUR: [0, 8], "royal": [1]}))
        assert told == (
            "Final Four Jackpot, seats [0, 8]: different numbers from 1 to 7 (G-16); 'royal' is not counted at table 4 (E-01)"
        )
        assert at.is_sound()


def test_a_table_with_a_line_is_not_counted_at_the_console(sqlite_room: Room) -> None:
    with floor(sqlite_room, make_setup()) as at:
        told = refused(lambda: at.enter({FINAL_FOUR: [1]}))
        assert told == "table 4 is counted by its Andromeda-3, not by hand (E-02)"


def test_g_42_section_10_no_4_where_a_table_is_set_up_its_tabulator_alone_counts(sqlite_room: Room) -> None:
    """Counts from before it was set up keep their place; afterwards the jackpots' own door is shut."""
    with floor(sqlite_room) as at:
        at.jackpots.tabulate("4", 1, {"main": [1, 2]}, command=at.id(), actor="table 4")
        at.start(make_setup())
        told = refused(lambda: at.jackpots.tabulate("4", 2, {"main": [1]}, command=at.id(), actor="table 4"))
        assert told == "wagers of table 4 are counted by its tabulator alone (G-42)"
        assert at.round(2, 3) == 2
        assert at.four.before == {"1": 1, "2": 1}
        assert at.is_sound()


def test_a_command_sent_twice_is_done_once(sqlite_room: Room) -> None:
    with floor(sqlite_room, make_setup("none"), jackpots=[make_bonus()]) as at:
        asked = {"command": "press-1", "by": DEALER, "happened": at.clock.now}
        first = at.tables.press("4", {FINAL_FOUR: [1]}, **asked)  # type: ignore[arg-type]
        at.clock.add(5 * SECOND)
        again = at.tables.press("4", {FINAL_FOUR: [1]}, **asked)  # type: ignore[arg-type]
        assert (again.again, again.entries) == (True, first.entries)
        assert at.wagers("daily") == 1
