"""The page of the displays: what each shows, and a day's log that is the same as the whole journal's."""

from __future__ import annotations

import datetime
from collections.abc import Iterator

import pytest
from fastapi.testclient import TestClient

from pitboss.books import EPOCH, ROOM
from pitboss.jackpot import JACKPOTS, jackpot_title
from pitboss.room.displays import Display, shown_at
from pitboss.room.room import room_zone
from pitboss.server.app import create_app
from pitboss.server.pages.displays import _log
from pitboss.server.views.displays import LogStart, displays_view, log_lines, published
from tests.doors import doors_of
from tests.pages.floor import device_press, working_room
from tests.pages.room import CardRoom
from tests.server.making import PASSWORD, command


@pytest.fixture(scope="module")
def room(tmp_path_factory: pytest.TempPathFactory) -> Iterator[CardRoom]:
    with working_room(tmp_path_factory.mktemp("displays") / "room") as found:
        watch = doors_of(found.room).displays
        for name, table, make in (("screen 4", "4", "screen"), ("sign 6", "6", "sign"), ("old 4", "4", "screen")):
            display = Display(name, table, make)  # type: ignore[arg-type]
            watch.register(display, command=command(), actor="Ann", active=True)
        watch.register(Display("old 4", "4", "screen"), command=command(), actor="Ann", active=False)
        device_press(found, "4", 1, 2, 3)
        found.call("final-four", "4", 3, "4-card diamond Royal")
        yield found


def today(room: CardRoom) -> datetime.date:
    calendar = room.room.state.of(ROOM)
    assert calendar is not None
    return calendar.gambling_day(EPOCH + datetime.timedelta(microseconds=room.room.clock()))


def test_the_log_of_a_day_is_what_the_whole_journal_says_of_that_day(room: CardRoom) -> None:
    state = room.room.state
    titles = {name: jackpot_title(state, name) for name in state.of(JACKPOTS).jackpots}
    whole = log_lines(published(room.books.store.entries("room"), LogStart(titles=titles)), room_zone(state))

    assert _log(room.room, state, today(room), "") == whole
    assert any("now $10,000.00" in each.words or "prize reported" in each.words for each, _ in whole)
    assert _log(room.room, state, today(room) - datetime.timedelta(days=1), "") == ()
    of_six = _log(room.room, state, today(room), "6")
    assert of_six
    assert all("6" in each.tables or not each.tables for each, _ in of_six)


def test_t_04_each_display_says_what_it_shows_and_what_it_must_and_who_has_none_is_named(room: CardRoom) -> None:
    watch = doors_of(room.room).displays
    watch.beat("screen 4", shown_at(room.room.state, "4"))
    watch.review(command=command())
    view = displays_view(room.room.state, watch.last_beats(), room.room.clock())
    rows = {each.name: each for each in view.rows}

    assert rows["screen 4"].health == "good"
    assert rows["screen 4"].shows == rows["screen 4"].must_show == ("Final Four Jackpot $5,000.00",)
    assert rows["sign 6"].condition == "Not confirmed"
    assert (rows["old 4"].condition, rows["old 4"].active) == ("Removed", False)
    assert view.rows[-1].name == "old 4"
    assert view.without == ("5", "7")
    assert view.bad == 1


def test_the_page_is_there_for_who_reads_the_books(room: CardRoom) -> None:
    client = TestClient(create_app(room.room), base_url="http://127.0.0.1")
    assert client.post("/sign-in", data={"login": "max", "password": PASSWORD}).status_code == 200
    page = client.get("/floor/displays")

    assert page.status_code == 200
    assert "Table 7 needs a display players can see." in page.text
    assert "Unassigned alert" in page.text
    for day in ("yesterday", "2999-01-01", "0001-01-01"):
        assert client.get("/floor/displays", params={"day": day, "table": "4"}).status_code == 200
