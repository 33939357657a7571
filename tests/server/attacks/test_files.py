"""Who has the files, to read or to write: no sign-in is in them, and a history written anew is found."""

from __future__ import annotations

import shutil
import sqlite3
from contextlib import closing
from pathlib import Path

from pitboss.books.audit import check_books
from pitboss.books.journal.entries import sealed_entry
from pitboss.books.store.directory import Directory
from pitboss.books.store.sql import SQLITE_GUARDS
from pitboss.commands.command import BOOK
from tests.server.attacks.target import Target
from tests.server.running import running
from tests.server.test_api import DEVICE


def test_who_reads_the_files_has_no_session_no_token_and_no_link(target: Target) -> None:
    """Everything that the store of sign-ins holds, sent as a cookie, a token and a link."""
    target.server.client("a-accounting")
    with closing(sqlite3.connect(f"file:{target.path}/access.sqlite3?mode=ro", uri=True)) as vault:
        sessions = [row[0] for row in vault.execute("SELECT hash FROM sessions")]
        csrf = [row[0] for row in vault.execute("SELECT csrf FROM sessions")]
        tokens = [row[0] for row in vault.execute("SELECT hash FROM secrets")]
        links = [row[0] for row in vault.execute("SELECT hash FROM links")]
    assert sessions
    assert tokens
    thief = target.server.client()
    for value in (*sessions[:4], *csrf[:2], *tokens[:4]):
        thief.cookies.set("pitboss-session", value)
        thief.cookies.set("pitboss-device", value)
        assert thief.get("/api/v1/me").status_code == 401
        bearer = {"authorization": f"Bearer {value}"}
        assert target.server.client().get("/api/v1/me", headers=bearer).status_code == 401
    for value in links:
        assert target.nobody.post(f"/links/{value}").status_code in (403, 404, 410)
    files = {file.name: file.stat().st_mode & 0o077 for file in target.path.iterdir()}
    assert set(files.values()) == {0}, files


def test_who_writes_the_history_anew_is_found(target: Target, quick_path: Path) -> None:
    """One entry is changed, every hash after it recomputed, and the triggers are put back as they were."""
    copy = shutil.copytree(target.path, quick_path / "copy")
    with closing(Directory(copy).open_store(write=False)) as store:
        entries = list(store.entries(BOOK))
    previous = entries[3].previous
    with closing(sqlite3.connect(copy / "journal.sqlite3")) as journal, journal:
        for (trigger,) in journal.execute("SELECT name FROM sqlite_master WHERE type = 'trigger'").fetchall():
            journal.execute(f"DROP TRIGGER {trigger}")
        for number, entry in enumerate(entries[3:]):
            forged = sealed_entry(entry._replace(previous=previous, actor="Eve" if number == 0 else entry.actor))
            previous = forged.digest
            values = (forged.actor, forged.previous, forged.digest, BOOK, forged.sequence)
            journal.execute("UPDATE entries SET actor=?, previous=?, digest=? WHERE book=? AND sequence=?", values)
        for statement in SQLITE_GUARDS.values():
            journal.execute(statement)
    damages = [str(damage) for damage in check_books(Directory(copy)).damages]
    assert any("not the entry that was acknowledged" in damage for damage in damages), damages
    with running(copy) as server:
        # It shows its pages, and neither counts nor lets anybody sign in before two people have decided (G-29).
        assert server.client().get("/healthz").status_code == 503
        press = target.message()
        bearer = {"authorization": f"Bearer {target.tokens[DEVICE]}"}
        answer = server.client().post("/api/v1/devices/messages", json=press, headers=bearer)
        assert answer.json()["status"] == "later"
