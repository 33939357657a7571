"""Heads leave the machine at every shift, day and snapshot, signed where the room has a key; a server audits daily."""

from __future__ import annotations

import asyncio
import json
import logging
import syslog
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from fastapi.testclient import TestClient

from pitboss.books import Directory
from pitboss.books.audit import check_books
from pitboss.books.journal.heads import BookHead, keys_of
from pitboss.books.store.keys import HeadSettings, make_key, read_head_settings, write_head_settings
from pitboss.commands import By
from pitboss.commands.command import BOOK
from pitboss.room.heads import AddKey
from pitboss.room.projections import INVARIANTS, PROJECTIONS
from pitboss.server import app as served
from pitboss.server.metrics import AuditRun
from pitboss.server.worker.jobs import VerifyBooksJob
from pitboss.server.worker.pool import Figure
from tests.docs.console import run_pitboss
from tests.pages.room import CardRoom
from tests.pages.tables import LEE, MAX, clock_of, tables_room
from tests.server.making import ADDRESS, SECOND, command, sign_in

SHIFT = 8 * 3_600 * SECOND
TWO = By(MAX.name, "manager", LEE)


@pytest.fixture
def found(tmp_path: Path) -> Iterator[CardRoom]:
    with tables_room(tmp_path / "room") as opened:
        yield opened


def heads_in(folder: Path) -> list[BookHead]:
    return [BookHead.parse(line) for line in (folder / "heads-room.txt").read_text().splitlines()]


def test_heads_go_to_a_second_directory_at_start_and_at_every_shift(found: CardRoom, tmp_path: Path) -> None:
    other = tmp_path / "other"
    other.mkdir()
    write_head_settings(found.room.path, HeadSettings(directory=str(other)))
    found.room.look_after()
    found.room.look_after()
    assert 1 == len(heads_in(other))
    clock_of(found).add(SHIFT)
    found.room.look_after()
    first, second = heads_in(other)

    assert ("", "") == (first.key, second.signature), "the room has no key"
    assert first.sequence <= second.sequence
    found.room.books.seal(BOOK)
    found.room.look_after()
    assert 3 == len(heads_in(other))
    report = check_books(
        Directory(found.room.path), projections=PROJECTIONS, invariants=INVARIANTS, kept_heads=heads_in(other)
    )
    assert report.is_sound
    assert {BOOK: heads_in(other)[-1].sequence} == report.heads_upto


def test_heads_are_shown_where_the_room_chooses_a_display(found: CardRoom) -> None:
    """Item 13: the page of displays has the last head in its last line; no longer where it is chosen no more."""
    found.room.look_after()
    assert found.room.heads.shown is None
    write_head_settings(found.room.path, HeadSettings(display=True))
    found.room.look_after()
    shown = found.room.heads.shown
    assert shown == (head := BookHead.of(BOOK, found.room.state, None))
    client = TestClient(served.create_app(found.room), base_url=ADDRESS, follow_redirects=False)
    sign_in(client, "sue")
    page = client.get("/floor/displays", headers={"accept": "text/html"}).text
    assert f"Audit log up to entry {head.sequence}, " in page
    assert f"<code>{head.head}</code>" in page
    clock_of(found).add(SHIFT)
    found.room.look_after()
    assert found.room.heads.shown is not None
    assert found.room.heads.shown.sequence >= shown.sequence
    write_head_settings(found.room.path, HeadSettings())
    found.room.look_after()
    assert found.room.heads.shown is None


def test_a_head_that_does_not_arrive_is_an_alarm_and_is_sent_again(
    found: CardRoom, tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    other = tmp_path / "not mounted"
    write_head_settings(found.room.path, HeadSettings(directory=str(other)))
    with caplog.at_level(logging.CRITICAL):
        found.room.look_after()
    assert any("heads that leave this computer" in alarm.words for alarm in found.room._troubles.values())
    other.mkdir()
    found.room.look_after()
    assert 1 == len(heads_in(other))
    assert not found.room._troubles


def test_a_room_with_a_key_signs_its_heads_and_sends_them_to_the_log(
    found: CardRoom, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    lines: list[str] = []
    monkeypatch.setattr(syslog, "syslog", lambda _, line: lines.append(line))
    key = make_key(tmp_path / "heads.key")
    write_head_settings(found.room.path, HeadSettings(keys=(str(tmp_path / "heads.key"),), syslog=True))
    found.room.do(AddKey(public=key.public, words="the auditor asked for it"), TWO, id=command())
    found.room.look_after()
    [head] = map(BookHead.parse, lines)

    assert head.key == key.id
    assert head.is_signed_by(key.public)
    kinds = [entry.kind for entry in found.room.books.store.entries(BOOK, head.sequence)]
    assert "head-signed" == kinds[0]
    assert head.sequence == keys_of(found.room.state).keys[0].signed_upto
    found.room.look_after()
    assert 1 == len(lines)


def test_a_server_has_its_worker_audit_at_start_and_on_every_gambling_day(
    found: CardRoom, monkeypatch: pytest.MonkeyPatch
) -> None:
    asked: list[VerifyBooksJob] = []

    class Listening:
        def ask(self, job: VerifyBooksJob) -> Figure:
            asked.append(job)
            return Figure(job.key, "ready", {"sound": True})

        def figure(self, key: str) -> Figure | None:
            return Figure(key, "ready", {"sound": True}) if key else None

    monkeypatch.setattr(served, "_AUDIT_AFTER_SECONDS", 0)
    monkeypatch.setattr(served, "_AUDIT_LOOK_SECONDS", 0.001)

    run = AuditRun()

    async def watch() -> None:
        task = asyncio.create_task(served._audit_daily(found.room, Listening(), run))  # type: ignore[arg-type]
        await asyncio.sleep(0.05)
        assert 1 == len(asked)
        clock_of(found).add(3 * SHIFT)
        await asyncio.sleep(0.05)
        task.cancel()

    asyncio.run(watch())
    assert [True, True] == [job.halts for job in asked]
    assert run.at == found.room.clock()
    assert run.is_sound
    assert asked[0].run()["sound"]
    assert not found.room.books.is_halted
    (found.room.path / "witness-room").write_text("gone")
    assert not asked[1].run()["sound"]
    assert found.room.books.is_halted, "as by an audit at the terminal"


def _typed(*words: Any) -> Any:
    ran = run_pitboss([str(word) for word in words])
    assert ran.exit_code == 0, ran.printed
    return json.loads(ran.printed)


def test_keys_are_made_rotated_kept_apart_and_printed_at_the_terminal(tmp_path: Path) -> None:
    room, who = tmp_path / "room", ("--person", "Max Orr", "--approved-by", "Lee Sato", "--reason", "yearly", "--json")
    run_pitboss(["books", "create", str(room), "--name", "X", "--shift", "day=06:00", "--person", "Ada"])
    first = _typed("keys", "make", room, "--key", tmp_path / "a.key", *who)
    second = _typed("keys", "rotate", room, "--key", tmp_path / "b.key", *who)
    apart = _typed("keys", "make", room, "--key", tmp_path / "c.key", "--apart", *who)
    keys = _typed("keys", "list", room, "--json")[BOOK]

    assert [first["key"], second["key"], apart["key"]] == [key["id"] for key in keys]
    assert [True, False, False] == [bool(key["until"]) for key in keys]
    assert str(tmp_path / "b.key") == read_head_settings(room).keys[-1]
    assert 0o600 == (tmp_path / "a.key").stat().st_mode & 0o777
    _typed("keys", "sign", room, "--key", tmp_path / "c.key", "--to", tmp_path / "heads.txt", "--json")
    report = _typed("audit", room, "--heads", tmp_path / "heads.txt", "--key", first["public"], "--json")
    assert (4, 4) == (report["signed"][BOOK]["upto"], report["heads_vouch_upto"][BOOK])
    missing = run_pitboss(["audit", str(room), "--heads", str(tmp_path / "nowhere.txt")])
    assert missing.exit_code == 2
    assert "cannot be read: No such file" in " ".join(missing.printed.split())
    assert "Errno" not in missing.printed
    refused = run_pitboss(["audit", str(room), "--key", "ab" * 32])
    assert refused.exit_code == 1
    assert "does not name the key that was given" in refused.printed
    again = run_pitboss(["keys", "make", str(room), "--key", str(tmp_path / "d.key"), *who])
    assert "another one replaces it" in again.printed
    assert not (tmp_path / "d.key").exists()
    assert str(tmp_path / "b.key") == read_head_settings(room).keys[-1]
