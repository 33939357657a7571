"""The clock of the computer (G-77): a jump stops writing until two people decide, and what it moved is put right."""

from __future__ import annotations

import datetime
import json
import shutil
from pathlib import Path

import pytest

from pitboss import law
from pitboss.books import ROOM, HaltedError, RefusedError, last_before, microseconds_now
from pitboss.books.audit import check_books
from pitboss.books.store.migrate import create_books
from pitboss.commands import By
from pitboss.commands.command import BOOK, SYSTEM_ACTOR
from pitboss.jackpot.state import local_day
from pitboss.room.alarms import active_alarms
from pitboss.room.damage import Decider, decide_time
from pitboss.room.displays import DISPLAYS, RegisterDisplay
from pitboss.room.people.people import PEOPLE, SetPerson, people_of
from pitboss.room.people.vault import SessionLimits, Sessions, Vault
from pitboss.room.projections import INVARIANTS, PROJECTIONS
from pitboss.room.room import Room
from pitboss.server.views.office.audit import entry_view
from tests import clocks
from tests.books.making import START, settings
from tests.books.making import Room as RoomFiles
from tests.docs.console import run_pitboss
from tests.server.making import PASSWORD, Clock, cheap

SECOND, YEARS = 1_000_000, 10 * 365 * 24 * 3600 * 1_000_000
TWO = (Decider("Mona", PASSWORD), Decider("Carl", PASSWORD))


class Times:
    """The clock of a computer, and how long it runs."""

    def __init__(self) -> None:
        self.clock, self.runs = Clock(), 0

    def pass_by(self, seconds: float) -> None:
        self.clock.add(int(seconds * SECOND))
        self.runs += int(seconds * SECOND)

    def open(self, path: Path, *, watched: bool = True) -> Room:
        monotonic = (lambda: self.runs) if watched else None
        return Room(path, clock=self.clock, monotonic=monotonic, hashing=cheap())


@pytest.fixture
def path(sqlite_template: RoomFiles, quick_path: Path) -> Path:
    return shutil.copytree(sqlite_template.path, quick_path / "room")


def staff(room: Room) -> None:
    for login, role in (("mona", "manager"), ("carl", "accounting")):
        person = SetPerson(login=login, name=login.capitalize(), roles=(role,), first=True)
        room.access.set_person(person, SYSTEM_ACTOR, id=f"add-{login}")
        room.access.set_password(login, PASSWORD, SYSTEM_ACTOR)


def add(room: Room, login: str) -> int:
    person = SetPerson(login=login, name=login.capitalize(), roles=("dealer",), first=True)
    return room.do(person, SYSTEM_ACTOR, id=f"add-{login}").entries[0].recorded


@pytest.mark.parametrize("jump", [YEARS, -YEARS], ids=["ahead", "back"])
def test_g_77_a_clock_that_jumps_stops_writing_until_two_people_decide(path: Path, jump: int) -> None:
    """Seen: 19 wagers on a gambling day that had not begun, and nobody was warned."""
    times = Times()
    with times.open(path) as room:
        staff(room)
        times.pass_by(3600)
        add(room, "ann")
        times.clock.add(jump)
        with pytest.raises(HaltedError, match="two people"):
            add(room, "bob")
        assert room.books.is_halted
        room.look_after()
        assert [alarm.kind for alarm in active_alarms(room.state)] == ["time"]
        times.clock.add(-jump)
        with pytest.raises(HaltedError, match="two people"):
            add(room, "bob")
    # Starting the server again does not settle it.
    with times.open(path) as room:
        with pytest.raises(HaltedError, match="two people"):
            add(room, "bob")
        with pytest.raises(RefusedError):
            decide_time(room, BOOK, TWO[0], TWO[0], reason="alone")
        decide_time(room, BOOK, *TWO, reason="the clock was set")
        assert add(room, "bob") == times.clock.now
        assert not room.books.is_halted


def test_g_77_a_clock_that_jumps_before_anything_is_written_stops_writing_too(path: Path) -> None:
    """Seen on the fault floor: set two days back after the start, a press was counted on the day before yesterday."""
    times = Times()
    with times.open(path) as room:
        times.pass_by(3600)
        staff(room)
    with times.open(path) as room:
        times.clock.add(-2 * 24 * 3600 * SECOND)
        with pytest.raises(HaltedError, match="two people"):
            add(room, "ann")


@pytest.mark.parametrize("sign", [1, -1], ids=["ahead", "back"])
def test_g_77_a_jump_is_one_beyond_the_setting_and_no_other(path: Path, sign: int) -> None:
    """A clock that is put right by a time server goes on; the limit is that of law/settings.toml."""
    limit = law.value_on("clock_jump_seconds", datetime.date(2026, 11, 18))
    times = Times()
    with times.open(path) as room:
        add(room, "ann")
        times.clock.add(sign * limit * SECOND)
        add(room, "bob")
        times.clock.add(sign * (limit + 1) * SECOND)
        with pytest.raises(HaltedError, match="two people"):
            add(room, "cid")


def test_g_77_what_one_entry_of_the_wrong_time_moved_is_put_right(path: Path) -> None:
    times = Times()
    with times.open(path, watched=False) as room:
        staff(room)
        before = add(room, "ann")
        times.pass_by(60)
        times.clock.add(YEARS)
        assert add(room, "wrong") == times.clock.now
        wrong = room.state.sequence
        room.books.seal(BOOK)
        times.clock.add(-YEARS)
        times.pass_by(60)
        # As journals of before have it: everything after it stands at that time too.
        assert add(room, "later") > START + YEARS
    with times.open(path) as room:
        with pytest.raises(HaltedError, match="two people"):
            add(room, "bob")
        decide_time(room, BOOK, *TWO, reason="the battery of the clock was empty")
        assert room.state.recorded == times.clock.now
        times.pass_by(60)
        after = add(room, "bob")
        assert before < after == times.clock.now
        state = room.state
        assert {"ann", "wrong", "later", "bob"} <= set(people_of(state).people)
        assert last_before(room.books.store, BOOK, before + 1, state.sequence) == wrong - 1 + 3
        [entry] = [entry for entry in room.books.store.entries(BOOK, kinds=["person-added"]) if entry.sequence == wrong]
        assert entry.recorded == before
        written = room.books.store.entry(BOOK, wrong)
        assert written is not None
        assert written.is_sound
        # The pages of the audit show the time as it was put right, and beside it what the clock showed.
        view = entry_view(state, written, None, None, state.of(ROOM), entry)
        assert ("2026" in view.recorded, "2036" in view.written) == (True, True)
        assert view.entry.is_sound
        assert state.of(ROOM) is not None
        assert local_day(state, entry.happened) == local_day(state, before)
    report = check_books(room.books.directory, projections=PROJECTIONS, invariants=INVARIANTS)
    assert [*report.damages, *report.findings] == []
    with times.open(path) as room:
        assert room.state.of(PEOPLE) == state.of(PEOPLE)
        assert not room.books.is_halted


def test_g_77_a_clock_far_ahead_of_the_last_entry_is_asked_about_and_a_week_is_not(path: Path) -> None:
    times = Times()
    with times.open(path) as room:
        add(room, "ann")
    times.clock.add(7 * 24 * 3600 * SECOND)
    with times.open(path) as room:
        add(room, "bob")
    times.clock.add(YEARS)
    with times.open(path) as room, pytest.raises(HaltedError, match="two people"):
        add(room, "cid")


def test_g_77_idle_times_go_by_the_monotonic_clock(path: Path) -> None:
    times, minute = Times(), 60 * SECOND
    sessions = Sessions(Vault(path), times.clock, SessionLimits(), monotonic=lambda: times.runs)
    token, _session = sessions.begin("ann", "password")
    times.clock.add(-30 * minute)
    times.runs += 14 * minute
    assert sessions.find(token) is not None
    times.clock.add(datetime.timedelta(hours=1) // datetime.timedelta(microseconds=1))
    assert sessions.find(token) is not None, "a clock that is set forward signs nobody out"
    times.runs += 2 * minute
    assert sessions.find(token) is None, "a clock that is set back keeps nobody in"


def test_g_77_a_display_is_silent_by_the_time_that_the_computer_runs(path: Path) -> None:
    """A clock that is set by less than stops writing neither turns a display dark nor keeps a dark one up."""
    times = Times()
    with times.open(path) as room:
        by = By("Ada", "administrator")
        room.do(RegisterDisplay(name="screen 4", table="4", make="screen"), by, id="register")

        def condition() -> str:
            room.displays.review(command=f"review-{times.runs}-{times.clock.now}")
            return room.state.of(DISPLAYS)["screen 4"].condition

        room.displays.beat("screen 4", {})
        assert condition() == "showing"
        times.clock.add(100 * SECOND)
        assert condition() == "showing", "a clock that is set forward turns no display dark"
        assert room.displays.last_beats()["screen 4"].at == times.clock.now
        times.runs += 100 * SECOND
        assert condition() == "dark", "a clock that stands still keeps no display up"


def test_g_77_books_decide_puts_the_time_right_at_the_terminal(
    quick_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("pitboss.room.room._clock_watch", clocks._watch)
    path, ahead = quick_path / "ahead", microseconds_now() + YEARS
    create_books(path, settings(), person="Ada", since=datetime.date(2026, 1, 1), clock=lambda: ahead)
    audit = run_pitboss(["audit", str(path)])
    assert audit.exit_code == 0, audit.printed
    who = ["--person", "Dora Vane", "--second", "Carla Mbeki", "--reason", "the battery of the clock was empty"]
    decided = run_pitboss(["books", "decide", str(path), *who, "--json"])
    assert decided.exit_code == 0, decided.printed
    content = json.loads(decided.printed)
    assert content["righted"] == [1, content["sequence"] - 1]
    assert "nothing is wrong" in run_pitboss(["books", "decide", str(path), *who]).printed
    with Room(path, hashing=cheap()) as room:
        assert not room.books.is_halted
        assert room.state.recorded < ahead - YEARS // 2
