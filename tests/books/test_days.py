"""Gambling days and shifts: every instant belongs to one of each, by the room's own clocks, summer time included."""

from __future__ import annotations

import datetime
from itertools import pairwise
from zoneinfo import ZoneInfo

import pytest
from hypothesis import given
from hypothesis import settings as hypothesis_settings
from hypothesis import strategies as st

from pitboss.books import ROOM, Calendar, Draft, RefusedError, RoomSet, RoomSettings, settings_problems, time_of_day
from tests.books.making import BOOK, Room, command, settings

SEATTLE = "America/Los_Angeles"
DAY = datetime.timedelta(days=1)
MINUTE = datetime.timedelta(minutes=1)
TICK = datetime.timedelta(microseconds=1)


def calendar(*shifts: str, zone: str = SEATTLE) -> Calendar:
    named = tuple((f"s{number}", time_of_day(text)) for number, text in enumerate(shifts))
    return Calendar(((datetime.date(2020, 1, 1), settings(time_zone=zone, shifts=named)),))


def local(text: str, zone: str = SEATTLE, fold: int = 0) -> datetime.datetime:
    return datetime.datetime.fromisoformat(text).replace(tzinfo=ZoneInfo(zone), fold=fold)


def date(text: str) -> datetime.date:
    return datetime.date.fromisoformat(text)


@pytest.mark.parametrize(
    ("shown", "day", "shift"),
    [
        ("2026-11-16 06:00", "2026-11-16", "s0"),
        ("2026-11-16 05:59:59.999999", "2026-11-15", "s2"),
        ("2026-11-16 13:59", "2026-11-16", "s0"),
        ("2026-11-16 14:00", "2026-11-16", "s1"),
        ("2026-11-16 23:30", "2026-11-16", "s2"),
        ("2026-11-17 00:30", "2026-11-16", "s2"),
        ("2026-01-01 01:00", "2025-12-31", "s2"),
    ],
)
def test_o_07_a_gambling_day_runs_from_its_hour_to_the_same_hour(shown: str, day: str, shift: str) -> None:
    room = calendar("06:00", "14:00", "22:00")

    assert date(day) == room.gambling_day(local(shown))
    assert (date(day), shift) == (room.shift(local(shown)).day, room.shift(local(shown)).name)


@pytest.mark.parametrize(
    ("day", "hours"), [("2026-03-07", 23), ("2026-03-08", 24), ("2026-10-31", 25), ("2026-11-01", 24)]
)
def test_the_day_in_which_clocks_change_is_an_hour_shorter_or_longer(day: str, hours: int) -> None:
    room = calendar("06:00")
    begins, ends = room.begins(date(day)), room.begins(date(day) + DAY)

    assert datetime.timedelta(hours=hours) == ends - begins


def test_g_30_a_time_that_clocks_show_twice_counts_the_first_time() -> None:
    room = calendar("01:30")

    assert date("2026-11-01") == room.gambling_day(local("2026-11-01 01:30"))
    assert date("2026-11-01") == room.gambling_day(local("2026-11-01 01:10", fold=1))
    assert date("2026-10-31") == room.gambling_day(local("2026-11-01 01:29"))


def test_g_30_a_time_that_clocks_skip_is_the_moment_of_the_skip() -> None:
    room = calendar("02:30")

    assert local("2026-03-08 03:00") == room.begins(date("2026-03-08"))
    assert date("2026-03-07") == room.gambling_day(local("2026-03-08 01:59:59.999999"))
    assert date("2026-03-08") == room.gambling_day(local("2026-03-08 03:00"))


zones = st.sampled_from([SEATTLE, "UTC", "Australia/Lord_Howe", "Asia/Kathmandu", "Pacific/Apia", "America/Sao_Paulo"])
minutes = st.lists(st.integers(0, 24 * 60 - 1), min_size=1, max_size=4, unique=True)
seconds = st.integers(1_420_000_000, 1_890_000_000)
instants = seconds.map(lambda each: datetime.datetime.fromtimestamp(each, datetime.UTC))


def drawn_calendar(zone: str, starts: list[int]) -> Calendar:
    first, *rest = starts
    ordered = [first, *sorted(rest, key=lambda each: (each - first) % 1440)]
    return calendar(*(f"{each // 60:02d}:{each % 60:02d}" for each in ordered), zone=zone)


@given(zones, minutes, instants)
@hypothesis_settings(deadline=None)
def test_every_instant_belongs_to_one_day_and_one_shift(
    zone: str, starts: list[int], instant: datetime.datetime
) -> None:
    room = drawn_calendar(zone, starts)
    day = room.gambling_day(instant)
    shifts = room.shifts(day)

    assert room.begins(day) <= instant < room.begins(day + DAY)
    assert [shift for shift in shifts if shift.begins <= instant < shift.ends] == [room.shift(instant)]
    assert (room.begins(day), room.begins(day + DAY)) == (shifts[0].begins, shifts[-1].ends)
    assert all(earlier.ends == later.begins for earlier, later in pairwise(shifts))


@given(zones, minutes, instants)
@hypothesis_settings(deadline=None)
def test_days_agree_with_walking_the_clock_minute_by_minute(
    zone: str, starts: list[int], instant: datetime.datetime
) -> None:
    """A naive twin: from an instant back in time until the clock first shows a time before the beginning of the day."""
    room = drawn_calendar(zone, starts)
    begins = room.settings_on(date("2020-01-01")).day_begins
    here = instant.replace(second=0, microsecond=0).astimezone(ZoneInfo(zone))
    expected = here.date() if here.time() >= begins else here.date() - DAY
    # Only within two hours of a change of the clocks may the wall alone mislead.
    offsets = {(instant + hours * 60 * MINUTE).astimezone(ZoneInfo(zone)).utcoffset() for hours in range(-25, 3)}
    if len(offsets) == 1:
        assert expected == room.gambling_day(instant)


def test_settings_change_from_a_gambling_day_on_and_leave_no_gap() -> None:
    before = settings()
    after = settings(shifts=(("early", datetime.time(4)), ("late", datetime.time(16))))
    room = Calendar(((date("2026-01-01"), before), (date("2026-06-01"), after)))
    eve, first = room.shifts(date("2026-05-31")), room.shifts(date("2026-06-01"))

    assert local("2026-06-01 04:00") == eve[-1].ends == first[0].begins
    assert "graveyard" == room.shift(local("2026-06-01 03:59")).name
    assert "early" == room.shift(local("2026-06-01 04:00")).name
    assert date("2026-05-31") == room.gambling_day(local("2026-06-01 03:59"))


def test_everything_wrong_with_settings_is_told_at_once() -> None:
    wrong = RoomSettings(
        room=" ",
        time_zone="Mars/Olympus",
        shifts=(("a", datetime.time(6)), ("a", datetime.time(5)), ("c", datetime.time(4))),
    )

    assert ["time_zone", "room", "shifts", "shifts"] == [each.split(":")[0] for each in settings_problems(wrong)]
    assert ["shifts: there must be one at least; the first begins the gaming day"] == settings_problems(
        settings(shifts=())
    )
    assert [] == settings_problems(settings())


def test_the_settings_of_a_room_are_entries_of_its_book(room: Room) -> None:
    later = RoomSet(since=date("2027-12-01"), settings=settings(shifts=(("all", datetime.time(9)),)))
    bad = RoomSet(since=date("2027-12-01"), settings=settings(time_zone="Nowhere"))
    begun = RoomSet(since=date("2026-12-19"), settings=settings(shifts=(("all", datetime.time(9)),)))
    with room.open() as books:
        books.submit(command("s", lambda _: [Draft(later)]))
        with pytest.raises(RefusedError, match="Nowhere"):
            books.submit(command("t", lambda _: [Draft(bad)]))
        with pytest.raises(RefusedError, match="the gaming day of 2026-12-19 has begun, name a later one"):
            books.submit(command("u", lambda _: [Draft(begun)]))
        found = books.state(BOOK).of(ROOM)
    assert found is not None
    assert ["day", "swing", "graveyard"] == [shift.name for shift in found.shifts(date("2027-11-30"))]
    assert ["all"] == [shift.name for shift in found.shifts(date("2027-12-01"))]
    assert found == room.read().state.of(ROOM)


@pytest.mark.parametrize("text", ["24:00", "6:00", "06:60", "", "06:00:00", "\uff106:00"])
def test_a_time_of_day_has_two_digits_twice(text: str) -> None:
    with pytest.raises(ValueError, match="must be a time of day such as 06:00"):
        time_of_day(text)


def test_an_instant_without_a_time_zone_is_refused() -> None:
    with pytest.raises(ValueError, match="has no time zone"):
        calendar("06:00").gambling_day(datetime.datetime(2026, 1, 1))  # noqa: DTZ001
