"""G-57: the zone stays for good; two people give the room another name from a later day on, papers keep theirs."""

from __future__ import annotations

import datetime
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest
from fastapi.testclient import TestClient

from pitboss.books import ROOM
from pitboss.commands import By, read_fields
from pitboss.commands.command import SYSTEM_ACTOR
from pitboss.papers.source import RoomWords
from pitboss.room.room import Room, location_of, room_name
from pitboss.room.settings import RenameRoom, SetRoom, SettingsDraft, ShiftDraft, today_of
from pitboss.server.app import create_app
from tests.docs.console import run_pitboss
from tests.pages.room import NAME, CardRoom
from tests.pages.tables import LEE, MAX, clock_of, tables_room
from tests.server.making import ADDRESS, SECOND, cheap, command, sign_in

DAY = 24 * 3_600 * SECOND
TWO = By(MAX.name, "manager", LEE)
NEW = "Cedar Hill Card Room"


@pytest.fixture
def found(tmp_path: Path) -> Iterator[CardRoom]:
    with tables_room(tmp_path / "room") as opened:
        yield opened


def today(found: CardRoom) -> datetime.date:
    calendar = found.room.state.of(ROOM)
    assert calendar is not None
    return today_of(calendar, found.room.clock())


def rename(found: CardRoom, days: int, name: str = NEW) -> RenameRoom:
    return RenameRoom(name=name, since=today(found) + datetime.timedelta(days=days), words="sold")


def test_g_57_a_name_holds_from_a_later_day_on_and_papers_keep_the_name_of_their_day(found: CardRoom) -> None:
    assert "needs two people" in " ".join(rename(found, 2).spec.problems(MAX))
    (early,) = found.room.verify(rename(found, 0), MAX)
    assert "has begun, name a later one (O-07, G-57)" in early
    before = found.room.clock()
    found.room.do(rename(found, 2), TWO, id=command())
    assert found.room.name == NAME, "it is decided and not in force"
    clock_of(found).add(DAY)
    assert found.room.name == NAME
    clock_of(found).add(DAY)
    assert found.room.name == NEW
    assert room_name(found.room.state, before) == NAME, "a paper of that day"
    assert location_of(found.room.state) == NAME, "the licensed location is not renamed: links stay"
    assert len(found.room.verify(rename(found, 2), MAX)) == 1, "it is called so already"


def test_g_57_the_zone_stays_and_one_person_does_not_rename(found: CardRoom) -> None:
    calendar = found.room.state.of(ROOM)
    assert calendar is not None
    draft = SettingsDraft.of(calendar.history[-1][1])
    since = today(found) + datetime.timedelta(days=1)
    zone = found.room.verify(SetRoom(settings=replace(draft, time_zone="America/Denver"), since=since), MAX)
    name = found.room.verify(SetRoom(settings=replace(draft, room=NEW), since=since), MAX)
    assert zone == ("time_zone: America/Los_Angeles stays for good (G-57)",)
    assert [problem for problem in name if "room/rename (G-57)" in problem] == list(name)
    assert len(name) == 1


@pytest.mark.parametrize("rename_first", [True, False])
def test_g_57_a_name_and_shifts_that_are_both_decided_on_for_later_keep_each_other(
    found: CardRoom, *, rename_first: bool
) -> None:
    calendar = found.room.state.of(ROOM)
    assert calendar is not None
    shifts = (ShiftDraft(name="early", begins="05:00"),)
    draft = replace(SettingsDraft.of(calendar.history[-1][1]), shifts=shifts)
    # The one that is decided on second holds from the earlier day: it drops nothing that was decided on before.
    days = {"shifts": 1, "name": 3} if rename_first else {"shifts": 3, "name": 1}
    first_day = today(found)
    set_shifts = SetRoom(settings=draft, since=first_day + datetime.timedelta(days=days["shifts"]))
    acts = [(rename(found, days["name"]), TWO), (set_shifts, TWO)]
    for value, by in acts if rename_first else reversed(acts):
        found.room.do(value, by, id=command())
    after = found.room.state.of(ROOM)
    assert after is not None
    for day in range(5):
        settings = after.settings_on(first_day + datetime.timedelta(days=day))
        assert settings.room == (NEW if day >= days["name"] else NAME), day
        assert settings.shifts[0][0] == ("early" if day >= days["shifts"] else "day"), day


def test_g_57_the_name_of_an_instant_is_that_of_its_gambling_day() -> None:
    from pitboss.books import Calendar, RoomSettings  # noqa: PLC0415

    old = RoomSettings(room="Old", time_zone="UTC", shifts=(("day", datetime.time(6)),))
    calendar = Calendar(((datetime.date(2026, 1, 1), old), (datetime.date(2026, 11, 20), replace(old, room="New"))))
    at = {hour: int(datetime.datetime(2026, 11, 20, hour, tzinfo=datetime.UTC).timestamp()) * SECOND for hour in (5, 6)}
    assert (calendar.name_at(at[5]), calendar.name_at(at[6])) == ("Old", "New"), "the gambling day begins at six"


def test_g_57_the_terminal_renames_by_two_people(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "room"
    monkeypatch.setenv("PITBOSS_TOKEN_FILE", str(tmp_path / "token"))
    with tables_room(path):
        pass
    with Room(path, hashing=cheap()) as room:
        tokens = {name: room.access.make_terminal_token(name, SYSTEM_ACTOR) for name in ("max", "lee")}
    (tmp_path / "token").touch(0o600)
    (tmp_path / "token").write_text(tokens["max"], encoding="utf-8")
    words = ["books", "rename", str(path), NEW, "--since", "2099-01-01", "--person", MAX.name, "--reason", "sold"]
    ran = run_pitboss([*words, "--approved-by", LEE.name])
    assert (ran.exit_code, "Submitted for approval" in ran.printed) == (0, True), ran.printed
    number = ran.printed.partition("request ")[2].partition(".")[0]
    assert run_pitboss(["approve", str(path), number]).exit_code != 0
    (tmp_path / "token").write_text(tokens["lee"], encoding="utf-8")
    assert run_pitboss(["approve", str(path), number]).exit_code == 0


def test_g_57_console_and_floor_have_the_name_of_the_day_and_not_of_the_last_entry(found: CardRoom) -> None:
    """Seen: both carried the name that held at the last entry, however long ago that was."""
    found.room.do(rename(found, 1), TWO, id=command())
    client = TestClient(create_app(found.room), base_url=ADDRESS, follow_redirects=False)
    sign_in(client, "sue")
    client.headers["accept"] = "text/html"
    for page in ("/floor", "/tables/1/console", "/tables/1/vision", "/"):
        assert NEW not in client.get(page).text, page
    clock_of(found).add(DAY)
    sign_in(client, "sue")
    for page in ("/floor", "/tables/1/vision", "/"):
        text = client.get(page).text
        assert (NEW in text, NAME in text) == (True, False), page
    assert NAME not in client.get("/tables/1/console").text


def test_w_12_the_rooms_own_words_are_settings_that_two_people_change_from_a_later_day_on(found: CardRoom) -> None:
    calendar = found.room.state.of(ROOM)
    assert calendar is not None
    said = "Tell the dealer; the floor supervisor decides."
    draft = replace(SettingsDraft.of(calendar.history[-1][1]), disputes=said)
    change = SetRoom(settings=draft, since=today(found) + datetime.timedelta(days=1))
    [row] = change.describe(found.room.state).changes
    assert (row.label, row.before, row.after) == ("Disputes", "", said)
    found.room.do(change, TWO, id=command())
    after = found.room.state.of(ROOM)
    assert after is not None
    assert RoomWords.of(after.settings_on(today(found))) == RoomWords()
    assert RoomWords.of(after.settings_on(today(found) + datetime.timedelta(days=1))) == RoomWords(disputes=said)
    two_lines = SetRoom(settings=replace(draft, employees="No\nplay"), since=today(found) + datetime.timedelta(days=2))
    assert found.room.verify(two_lines, TWO) == ("employees: 'No\\nplay' must be printable text in one line",)


def test_w_12_settings_that_are_left_out_stay_as_they_are(found: CardRoom) -> None:
    """Seen: shifts that were changed through the API took the room's words off every placard."""
    calendar = found.room.state.of(ROOM)
    assert calendar is not None
    full = replace(SettingsDraft.of(calendar.history[-1][1]), disputes="Ask.", employees="None.", practice=False)
    one, two = (today(found) + datetime.timedelta(days=days) for days in (1, 2))
    found.room.do(SetRoom(settings=full, since=one), TWO, id=command())
    fields = {
        "settings": {"room": full.room, "time_zone": full.time_zone, "shifts": [{"name": "all", "begins": "07:00"}]},
        "since": two.isoformat(),
    }
    change = read_fields(SetRoom, fields)
    assert [row.label for row in change.describe(found.room.state).changes] == ["Shifts"]
    found.room.do(change, TWO, id=command())
    after = found.room.state.of(ROOM)
    assert after is not None
    settings = after.settings_on(two)
    assert (settings.disputes, settings.employees, settings.practice) == ("Ask.", "None.", False)
    # What is said to be empty is.
    cleared = read_fields(SetRoom, {**fields, "settings": {**fields["settings"], "disputes": ""}})  # type: ignore[dict-item]
    found.room.do(cleared, TWO, id=command())
    after = found.room.state.of(ROOM)
    assert after is not None
    assert (after.settings_on(two).disputes, after.settings_on(two).employees) == ("", "None.")
