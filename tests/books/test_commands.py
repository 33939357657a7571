"""The commands about the books: what they print, how they end, and that nothing is changed by what is refused."""

from __future__ import annotations

import datetime
import json
import shutil
import sqlite3
from contextlib import closing
from pathlib import Path

import pytest

from pitboss.books import ROOM, Directory
from pitboss.books.audit import check_books
from pitboss.books.store.sqlite import BackupStore
from tests.books.making import BOOK, Room, counting, opening
from tests.books.sample import FILE, make_sample
from tests.cli.running import one_line, run, run_json


def tamper(file: Path, statement: str) -> None:
    with closing(sqlite3.connect(file, isolation_level=None)) as connection:
        connection.execute("DROP TRIGGER IF EXISTS entries_update")
        connection.execute(statement)


def test_the_example_room_is_what_is_made_today(tmp_path: Path) -> None:
    made = Room(make_sample(tmp_path / "room").path, "sqlite")
    with closing(BackupStore(FILE)) as kept:
        assert made.entries() == list(kept.entries(BOOK))
    assert 1 == check_books(FILE).books[BOOK].reading.snapshots


def test_an_audit_passes_sound_books_and_finds_a_printed_head() -> None:
    head = check_books(FILE).books[BOOK].reading.state.digest.hex()
    found = run_json(f"audit {FILE} --head {head.upper()} --json")

    assert found["sound"]
    assert {head: BOOK} == found["heads"]
    assert 20 == found["books"][BOOK]["entries"]
    assert f"{head} is in book room" in run(f"audit {FILE} --head {head}").output


def test_an_audit_says_that_a_head_is_not_of_these_books() -> None:
    result = run(f"audit {FILE} --head {'ab' * 32}")

    assert 1 == result.exit_code
    assert f"no entry has the head {'ab' * 32}" in one_line(result.output)
    assert 2 == run(f"audit {FILE} --head abc").exit_code


def test_an_audit_names_damage_and_halts_the_books_until_two_people_decide(tmp_path: Path) -> None:
    room = Room(make_sample(tmp_path / "room").path, "sqlite")
    tamper(room.path / "journal.sqlite3", "UPDATE entries SET actor = 'Eve' WHERE sequence = 4")
    result = run(f"audit {room.path}")

    assert 1 == result.exit_code
    assert "book room, entry 4: its content does not give its hash" in one_line(result.output)
    assert "No money moves in these books until two people decide" in one_line(result.output)
    assert 1 == run(f"books rebuild {room.path} --check").exit_code
    alone = run(f"books decide {room.path} --person Dora --second dora --reason 'looked at it'")
    assert (2, True) == (alone.exit_code, "two people decide on damage (G-29)" in one_line(alone.output))
    assert run(f"books decide {room.path} --person Dora --second Carla --reason 'looked at it'").exit_code == 0
    # G-29: the audit names decided damage in its last line, and does not exit 0.
    decided = run(f"audit {room.path}")
    assert 1 == decided.exit_code
    assert one_line(decided.output).endswith(
        "damaged, and decided on (G-29): book room, entry 4: its content does not give its hash"
    )
    assert json.loads(run(f"audit {room.path} --json").stdout)["books"][BOOK]["decided"]
    with room.open() as books:
        books.submit(counting("after"))


def test_a_backup_goes_back_into_a_room(tmp_path: Path) -> None:
    room, file, new = tmp_path / "room", tmp_path / "a.backup", tmp_path / "new"
    make_sample(room)
    copied = run_json(f"backup {room} {file} --json")
    restored = run_json(f"restore {file} {new} --person Dora --reason moved --no-head none --json")

    assert 20 == copied["books"][BOOK]["entries"]
    assert 21 == restored["books"][BOOK]["entries"]
    again = run(f"restore {file} {new} --person Dora --reason moved --no-head none")
    assert (2, True) == (again.exit_code, "is not empty" in one_line(again.output))


def test_a_new_room_is_told_everything_that_is_wrong_and_nothing_is_made(tmp_path: Path) -> None:
    result = run(
        f"books create {tmp_path / 'r'} --name Room --time-zone Mars --shift a=06:00 --shift a=07:00 --person Ada"
    )

    assert 2 == result.exit_code
    assert "time_zone: 'Mars' is no time zone" in one_line(result.output)
    assert "must be names that differ" in one_line(result.output)
    assert "shift b: '6' must be a time of day" in one_line(
        run(f"books create {tmp_path / 'r'} --name Room --shift b=6 --person Ada").output
    )
    assert not (tmp_path / "r").exists()


def test_a_new_room_can_be_used(tmp_path: Path) -> None:
    made = run(f"books create {tmp_path / 'r'} --name Room --shift day=06:00 --person Ada")
    room = Room(tmp_path / "r", "sqlite")
    with room.open(clock=lambda: 2**53) as books:
        books.submit(opening())
    shown = run_json(f"books show {room.path} --json")

    assert 0 == made.exit_code, made.output
    assert "Room" == shown[BOOK]["room"]["name"]
    assert 10_000_000_00 == shown[BOOK]["jackpots"]["main"]["balances_units"]["displayed"]


def test_entries_are_exported_whole_one_a_line() -> None:
    lines = [json.loads(line) for line in run(f"books entries {FILE} --json").output.splitlines()]
    with closing(BackupStore(FILE)) as kept:
        expected = list(kept.entries(BOOK))

    assert [entry.digest.hex() for entry in expected] == [line["digest"] for line in lines]
    assert list(expected[0]._fields) == list(lines[0])


@pytest.mark.parametrize("command", ["audit", "books show", "books rebuild", "books entries"])
def test_a_place_without_books_is_named(tmp_path: Path, command: str) -> None:
    result = run(f"{command} {tmp_path}")

    assert 2 == result.exit_code
    assert "there are no books in" in one_line(result.output)


def test_reading_commands_leave_nothing_beside_a_backup(tmp_path: Path) -> None:
    shutil.copy(FILE, tmp_path / "room.backup")
    for command in ("audit", "books show", "books rebuild --check", "books entries"):
        assert 0 == run(f"{command} {tmp_path / 'room.backup'}").exit_code
    assert ["room.backup"] == [file.name for file in tmp_path.iterdir()]


def test_upgrading_books_of_this_version_changes_nothing(tmp_path: Path) -> None:
    room = Room(make_sample(tmp_path / "room").path, "sqlite")
    before = room.entries()
    assert 0 == run(f"books upgrade {room.path}").exit_code
    assert before == room.entries()
    assert Directory(room.path).store_kind == "sqlite"


def test_shifts_change_from_a_later_day_on_and_never_before(tmp_path: Path) -> None:
    room = Room(make_sample(tmp_path / "room").path, "sqlite")
    changed = run(
        f"books shifts {room.path} --since 2099-01-01 --shift day=07:00 --shift night=19:00 --person Ada --approved-by Lee"
    )
    calendar = room.read().state.of(ROOM)

    assert (0, "From gaming day 2099-01-01 on: day=07:00, night=19:00") == (
        changed.exit_code,
        one_line(changed.output),
    )
    assert calendar is not None
    assert ["day", "night"] == [shift.name for shift in calendar.shifts(datetime.date(2099, 1, 1))]
    for wrong, words in (
        ("--since 2026-11-02 --shift day=07:00", "has begun, name a later one"),
        ("--since soon --shift day=07:00", "--since 'soon' must be a date"),
        ("--since 2099-01-01 --shift day=7", "'7' must be a time of day"),
        ("--since 2099-01-01 --shift a=07:00 --shift a=08:00", "must be names that differ"),
    ):
        refused = run(f"books shifts {room.path} {wrong} --person Ada")
        assert (2, True) == (refused.exit_code, words in one_line(refused.output)), refused.output
    assert 21 == len(room.entries())
