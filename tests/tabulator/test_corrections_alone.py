"""G-39: a round on the table is corrected by one person, under their own name; a seat added so is marked and watched."""

from __future__ import annotations

from typing import Any

import pytest

from pitboss.books import Draft, Movement, RefusedError, Submission, read_payload
from pitboss.commands import By
from pitboss.jackpot import Claim, Paper, RoundCards
from pitboss.jackpot.hits.handling import ConfirmWager
from pitboss.jackpot.hits.history import read_history
from pitboss.jackpot.hits.workflow import CHECKS
from pitboss.tabulator.outages import ClearAlarm
from tests.books.making import BOOK, Room
from tests.facades import Hits
from tests.jackpot.making import refused
from tests.reports.making import report_of
from tests.tabulator.making import DEALER, FINAL_FOUR, MANAGER, SUPERVISOR, TWO, Floor, floor, make_setup

ROYAL, TRIPS = "4-card Royal", "Three of a Kind"
VIC, CAS, SAM = By("Vic", "surveillance"), By("Cas", "accounting"), By("Sam", "supervisor")


def correct(at: Floor, cause: Any, *seats: int, by: By = DEALER, **fields: Any) -> Any:
    usual: dict[str, Any] = {"words": "light seen", "command": at.id(), "by": by}
    return at.tables.correct("4", 1, FINAL_FOUR, cause, seats, **usual | fields)


def confirm(at: Floor, seat: int, by: By = VIC) -> Any:
    value = ConfirmWager(jackpot="main", table="4", seat=seat, words="camera 4: chip lay there before the first card")
    return at.tables.executor.do(value, by, id=at.id())


def clear(at: Floor, alarm: str, by: By) -> Any:
    return at.tables.executor.do(ClearAlarm(alarm=alarm, words="looked at the camera"), by, id=at.id())


@pytest.mark.parametrize("by", [DEALER, SUPERVISOR, MANAGER], ids=lambda by: by.role)
def test_g_39_who_corrects_alone_acts_under_their_own_name_and_nobody_approved_it(sqlite_room: Room, by: By) -> None:
    with floor(sqlite_room, make_setup()) as at:
        at.press((1, 1), (2, 1))
        for cause, seat in (("missed", 5), ("miscounted", 2), ("refunded", 1)):
            answer = correct(at, cause, seat, by=by)
            assert {entry.actor for entry in answer.entries} == {by.name}
            for entry in answer.entries:
                assert "approved_by" not in entry.payload
        assert at.is_sound()


def test_g_39_a_seat_added_so_is_marked_on_the_call_the_verification_and_the_slip(sqlite_room: Room) -> None:
    with floor(sqlite_room, make_setup()) as at:
        at.press((1, 1))
        correct(at, "missed", 5)
        hits = Hits(at.books)
        hit = hits.call("main", "4", [Claim(5, ROYAL)], command=at.id(), by=DEALER).entries[0].sequence
        assert dict(hits.open[hit].added) == {5: "Dan"}
        hits.verify(hit, RoundCards(seats={5: "As Ks Qs Js"}), [5], command=at.id(), by=SUPERVISOR)
        papers = [Paper(5, "Wanda", ("passport", "licence"), True, True, True)]
        missing = refused(lambda: hits.document(hit, papers, command=at.id(), by=CAS))
        assert "needs surveillance first (G-39: Dan added the wager)" in missing
        hits.surveil(hit, CHECKS, command=at.id(), by=VIC)
        hits.document(hit, papers, command=at.id(), by=CAS)
        history = read_history(at.books.store.entries(BOOK, 0, at.books.state(BOOK).sequence))
        verified, slip = history.story(hit).verified, history.slip(1)
        assert verified is not None
        assert verified.added == ((5, "Dan"),)
        assert slip.added_by == "Dan"
        assert "added to the round by Dan; confirmed by surveillance (G-39)" in slip.text()
        hits.pay(hit, 5, "cheque", cheque="77", command=at.id(), by=MANAGER)
        assert at.is_sound()


def test_g_39_a_small_prize_of_an_added_seat_waits_for_surveillance_and_another_pays_it(sqlite_room: Room) -> None:
    with floor(sqlite_room, make_setup()) as at:
        at.press((1, 1))
        correct(at, "missed", 5)
        pay = {"command": "p1", "by": SUPERVISOR}
        problem = refused(lambda: Hits(at.books).pay_small("main", "4", 5, TRIPS, **pay))
        assert problem == (
            "seat 5 was added to round 1 by Dan: surveillance first confirms that the wager lay there before the first "
            "card (G-39)"
        )
        assert "hits/confirm-wager is for surveillance" in refused(lambda: confirm(at, 5, SUPERVISOR))
        assert "seat 1 was not added" in refused(lambda: confirm(at, 1))
        confirm(at, 5)
        assert "confirmed already" in refused(lambda: confirm(at, 5))
        problem = refused(lambda: Hits(at.books).pay_small("main", "4", 5, TRIPS, command="p2", by=DEALER))
        assert problem == "Dan added seat 5 to round 1: another person pays its prize (G-39)"
        Hits(at.books).pay_small("main", "4", 5, TRIPS, command="p3", by=SUPERVISOR)
        Hits(at.books).pay_small("main", "4", 1, TRIPS, command="p4", by=DEALER)
        assert at.is_sound()


def test_g_39_whoever_added_the_seat_does_not_hand_its_prize_over(sqlite_room: Room) -> None:
    with floor(sqlite_room, make_setup()) as at:
        at.press((1, 1))
        correct(at, "missed", 5, by=MANAGER)
        hits = Hits(at.books)
        hit = hits.call("main", "4", [Claim(5, TRIPS)], command=at.id(), by=DEALER).entries[0].sequence
        hits.verify(hit, RoundCards(seats={5: "5s 5h 5d 9c"}), [5], command=at.id(), by=SUPERVISOR)
        hits.surveil(hit, CHECKS, command=at.id(), by=VIC)
        hits.document(hit, [Paper(5, "Wanda")], command=at.id(), by=CAS)
        problem = refused(lambda: hits.pay(hit, 5, "cage", command=at.id(), by=MANAGER))
        assert "Max added seat 5 to the round: another person pays its prize (G-39)" in problem
        hits.pay(hit, 5, "tray", command=at.id(), by=SAM)
        assert at.is_sound()


def test_g_39_a_seat_added_by_two_people_is_like_any_other(sqlite_room: Room) -> None:
    with floor(sqlite_room, make_setup()) as at:
        at.round(1)
        at.tables.correct("4", 1, FINAL_FOUR, "missed", (5,), words="seen", command=at.id(), **TWO)
        Hits(at.books).pay_small("main", "4", 5, TRIPS, command=at.id(), by=DEALER)
        assert at.is_sound()


def test_g_39_a_count_taken_off_a_meter_alone_is_confirmed_by_another(sqlite_room: Room) -> None:
    with floor(sqlite_room, make_setup()) as at:
        at.press((1, 1), (2, 1), (3, 1))
        correct(at, "miscounted", 2, by=SUPERVISOR)
        (alarm,) = (alarm for alarm in at.tables.room.alarms.values() if alarm.kind == "correction")
        assert "Sue took the count of seat 2 of Final Four Jackpot in round 1 off the meter" in alarm.words
        assert "their own correction (G-39)" in refused(lambda: clear(at, alarm.key, SUPERVISOR))
        clear(at, alarm.key, SAM)
        assert alarm.key not in at.tables.room.alarms
        correct(at, "missed", 7)
        correct(at, "refunded", 3)
        assert not any(alarm.kind == "correction" for alarm in at.tables.room.alarms.values())
        assert at.is_sound()


def test_g_39_alone_is_only_the_round_on_the_table_whoever_writes(sqlite_room: Room) -> None:
    with floor(sqlite_room, make_setup()) as at:
        at.press((1, 1))
        entry = correct(at, "miscounted", 1).entries[1]
        value = read_payload(entry.kind, entry.payload)
        assert isinstance(value, Movement)
        assert value.details["alone"] == "dealer"
        at.press()
        movement = Movement("count-corrected", "main", words="x", corrects=1, details={"round": 1, "alone": "dealer"})
        submission = Submission(
            book=BOOK, id="forged", actor="Dan", content=[], decide=lambda _: [Draft(movement)], table="4"
        )
        with pytest.raises(RefusedError, match="one person corrects the round on the table only"):
            at.books.submit(submission)


@pytest.mark.parametrize(
    ("minutes", "lapse"),
    [(5, ""), (9 * 60, "confirmed after the shift had ended"), (None, "nobody has confirmed it")],
)
def test_g_39_a_count_that_nobody_confirmed_before_the_shift_ended_is_an_exception(
    sqlite_room: Room, minutes: int | None, lapse: str
) -> None:
    with floor(sqlite_room, make_setup()) as at:
        at.press((1, 1), (2, 1))
        correct(at, "miscounted", 2)
        (alarm,) = (alarm for alarm in at.tables.room.alarms.values() if alarm.kind == "correction")
        at.clock.add(60 * (9 * 60 if minutes is None else minutes))
        if minutes is not None:
            clear(at, alarm.key, SUPERVISOR)
        at.press()
    found = report_of(sqlite_room.path, "corrections").exceptions
    words = f"entry {alarm.sequence} at table 4: a count reversed by Dan alone, {lapse} (G-39)"
    assert [line.words for line in found] == ([words] if lapse else [])
    assert [line.people for line in found] == ([("Dan",)] if lapse else [])
    every = [line.words for line in report_of(sqlite_room.path, "exceptions").exceptions]
    assert (words in every, alarm.words in every) == (bool(lapse), False)
