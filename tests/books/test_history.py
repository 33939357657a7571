"""G-73: history that nobody rewrites unseen: the witness, the triggers, the heads that left the machine, and their keys."""

from __future__ import annotations

import dataclasses
import json
import shutil
import sqlite3
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest

from pitboss.books import Books, BooksRestored, Draft, RefusedError, canonical, read_payload
from pitboss.books.audit import AuditReport, check_books
from pitboss.books.audit.backup import back_up, restore
from pitboss.books.journal.entries import sealed_entry
from pitboss.books.journal.heads import INVARIANTS, KEYS, BookHead, KeyAdded
from pitboss.books.store.keys import HeadSettings, make_key, read_key, write_head_settings
from pitboss.books.store.sql import SQLITE_GUARDS
from tests.books.making import BOOK, Room, command, counting, in_postgresql, opening


@pytest.fixture
def filled(room: Room) -> Room:
    with room.open() as books:
        books.submit(opening())
        for number in range(6):
            books.submit(counting(f"c{number}"))
    return room


def execute(room: Room, *statements: str) -> None:
    """Run statements as somebody who has the database in their hands."""
    if room.store_kind == "sqlite":
        with closing(sqlite3.connect(room.path / "journal.sqlite3", isolation_level=None)) as connection:
            for statement in statements:
                connection.execute(statement)
        return
    import psycopg  # noqa: PLC0415

    with psycopg.connect(room.directory.connection, autocommit=True) as connection:
        for statement in statements:
            connection.execute(statement)


def test_a_missing_witness_is_damage_and_two_people_decide_on_it(filled: Room) -> None:
    (filled.path / "witness-room").unlink()
    report = check_books(filled.directory)

    assert ["book room: its witness is missing"] == [str(damage).partition(" (")[0] for damage in report.damages]
    with filled.open() as books:
        assert books.halted
        books.decide_damage(BOOK, person="Ada", second="Bob", reason="the folder was copied by hand", command="d")
        assert not books.halted
        books.submit(counting("goes on"))
    assert not check_books(filled.directory).damages


def test_an_audit_looks_at_the_triggers(filled: Room) -> None:
    one = "entries_update" if filled.store_kind == "sqlite" else "entries_append_only"
    execute(filled, f"DROP TRIGGER {one}" if filled.store_kind == "sqlite" else f"DROP TRIGGER {one} ON entries")
    damages = [str(damage) for damage in check_books(filled.directory).damages]

    assert [f"book room: the trigger {one} that refuses changes is missing"] == damages
    with filled.open() as books:
        filled.directory.halt([])
    with filled.open() as books:
        books.decide_damage(BOOK, person="Ada", second="Bob", reason="somebody lifted it", command="d")
    assert not check_books(filled.directory).damages
    with pytest.raises(Exception, match="nothing is ever edited or deleted"):
        execute(filled, "UPDATE entries SET actor = 'Eve'")


def test_a_restore_needs_a_head_or_words_that_there_is_none(filled: Room, tmp_path: Path) -> None:
    back_up(filled.directory, tmp_path / "a.backup")
    with pytest.raises(RefusedError, match="head"):
        restore(tmp_path / "a.backup", tmp_path / "new", person="Dora", reason="server replaced")
    assert not (tmp_path / "new").exists()


# Keys, heads, and who writes history anew without them.


@pytest.fixture
def keyed(sqlite_room: Room, tmp_path: Path) -> Room:
    """A room that signs from its third entry on: counts, a snapshot, a signed head, and counts again."""
    write_head_settings(sqlite_room.path, HeadSettings(keys=(str(tmp_path / "heads.key"),)))
    key = make_key(tmp_path / "heads.key")
    added = KeyAdded(public=key.public, reason="the auditor asked for it", approved_by="Lee")
    with open_signed(sqlite_room) as books:
        books.submit(opening())
        books.submit(command("k", lambda _: [Draft(added)], table=""))
        for number in range(3):
            books.submit(counting(f"a{number}"))
        books.seal(BOOK)
        books.sign_head(BOOK, "shift")
        for number in range(3):
            books.submit(counting(f"b{number}"))
    return sqlite_room


def open_signed(room: Room) -> Books:
    return room.open(projections=[KEYS], invariants=INVARIANTS)


def audit(room: Room, **more: Any) -> AuditReport:
    return check_books(room.directory, projections=[KEYS], invariants=INVARIANTS, **more)


def forge(room: Room, first: int, public: str = "") -> None:
    """Write every entry from one on anew as somebody who has all but the private key: hashes, snapshots, witness.

    What they cannot sign they leave out, and where there is a public key they put their own in its place.
    """
    entries, previous, forged = room.entries(), None, []
    for entry in entries[first - 1 :]:
        payload = json.loads(entry.payload)
        if entry.kind in ("snapshot-sealed", "head-signed"):
            continue
        if entry.kind == "key-added" and public:
            payload["public"] = public
        before = previous or (entries[first - 2] if first > 1 else None)
        changed = entry._replace(
            actor="Eve" if entry.sequence == first else entry.actor,
            payload=canonical(payload),
            sequence=before.sequence + 1 if before else 1,
            previous=before.digest if before else entry.previous,
        )
        previous = sealed_entry(changed)
        forged.append(previous)
    last = forged[-1] if forged else entries[first - 2]
    with closing(sqlite3.connect(room.path / "journal.sqlite3", isolation_level=None)) as connection:
        for name in SQLITE_GUARDS:
            connection.execute(f"DROP TRIGGER {name}")
        connection.execute("DELETE FROM entries WHERE sequence >= ?", [first])
        connection.execute("DELETE FROM snapshots WHERE sequence >= ?", [first])
        connection.executemany(f"INSERT INTO entries VALUES ({', '.join('?' * 14)})", forged)
        for text in SQLITE_GUARDS.values():
            connection.execute(text)
    signed = room.directory.witness(BOOK)
    assert signed is not None
    (room.path / "witness-room").write_text(f"{last.sequence:020d} {last.digest.hex()} {signed.signature}\n")


def test_history_written_anew_from_any_entry_without_the_key_is_found(keyed: Room, tmp_path: Path) -> None:
    public, entries = read_key(tmp_path / "heads.key").public, keyed.entries()
    kept = [BookHead(BOOK, entry.sequence, entry.digest.hex(), entry.recorded) for entry in (entries[-1],)]
    own = make_key(tmp_path / "eve.key")
    assert audit(keyed, pinned=[public], kept_heads=kept).is_sound
    for first in range(1, len(entries) + 1):
        room = Room(shutil.copytree(keyed.path, tmp_path / f"forged-{first}"), "sqlite")
        forge(room, first)
        assert not audit(room).is_sound, first
        # Who puts their own key in its place signs everything; not with the key on the auditor's paper.
        forge(room, first, own.public)
        write_head_settings(room.path, HeadSettings(keys=(str(tmp_path / "eve.key"),)))
        with open_signed(room) as books:
            if not books.halted:
                books.submit(counting("signed by Eve"))
        assert not audit(room, pinned=[public]).is_sound, first
        assert not audit(room, kept_heads=kept).is_sound, first


def test_signed_books_say_up_to_where_and_go_on_after_a_rotation(keyed: Room, tmp_path: Path) -> None:
    old, new = read_key(tmp_path / "heads.key"), make_key(tmp_path / "new.key")
    proof = old.sign("key", new.public)
    report = audit(keyed, pinned=[old.public])
    last = keyed.entries()[-1].sequence
    assert (last, (old.id,), True) == report.vouched[BOOK]

    added = KeyAdded(public=new.public, reason="yearly", approved_by="Lee", replaces=old.id, proof=proof)
    with open_signed(keyed) as books:
        with pytest.raises(RefusedError, match="another one replaces it"):
            books.submit(command("x", lambda _: [Draft(dataclasses.replace(added, replaces="", proof=""))], table=""))
        with pytest.raises(RefusedError, match="is not signed by key"):
            books.submit(command("y", lambda _: [Draft(dataclasses.replace(added, proof="00"))], table=""))
        with pytest.raises(RefusedError, match="is not among those that heads"):
            books.submit(command("w", lambda _: [Draft(added)], table=""))
        files = (str(tmp_path / "heads.key"), str(tmp_path / "new.key"))
        write_head_settings(keyed.path, HeadSettings(keys=files))
        books.submit(command("z", lambda _: [Draft(added)], table=""))
        books.submit(counting("after"))
    report = audit(keyed, pinned=[old.public])
    assert report.is_sound, report.problems
    assert (old.id, new.id) == report.vouched[BOOK].keys
    assert audit(keyed, pinned=[new.public]).is_sound


def test_without_its_key_nothing_is_written_until_two_people_decide_that_it_is_lost(
    keyed: Room, tmp_path: Path
) -> None:
    (tmp_path / "heads.key").rename(tmp_path / "elsewhere.key")
    with open_signed(keyed) as books:
        assert "the private key that signs these books cannot be read" in str(books.halted[0])
        books.decide_damage(BOOK, person="Ada", second="Bob", reason="the stick was lost", command="d")
        books.submit(counting("unsigned"))
    report = audit(keyed)

    assert report.is_sound
    assert not report.vouched[BOOK].is_end
    with open_signed(keyed) as books:
        assert not books.halted


def test_heads_that_were_kept_elsewhere_vouch_up_to_an_entry(keyed: Room) -> None:
    entries = keyed.entries()
    head = BookHead(BOOK, entries[4].sequence, entries[4].digest.hex(), entries[4].recorded)
    assert head == BookHead.parse(f"Nov 18 09:00 host pitboss: {head.line()}")
    assert {BOOK: 5} == audit(keyed, kept_heads=[head]).heads_upto
    with pytest.raises(ValueError, match="no head"):
        BookHead.parse("pitboss-head room five")
    other = audit(keyed, kept_heads=[head, head._replace(sequence=7)])
    assert not other.is_sound
    assert ["history after entry 5 was written anew"] == [text.rpartition(": ")[2] for text in other.problems]


def test_books_without_keys_say_so_and_are_no_worse(filled: Room) -> None:
    report = audit(filled)

    assert report.is_sound
    assert (0, (), False) == report.vouched[BOOK]


def test_a_restore_in_part_is_damage_and_a_whole_one_always_says_so(keyed: Room, tmp_path: Path) -> None:
    back_up(keyed.directory, tmp_path / "a.backup")
    head = keyed.entries()[3].digest.hex()
    restore(tmp_path / "a.backup", tmp_path / "new", person="Dora", reason="server replaced", head=head)
    new = Room(tmp_path / "new", "sqlite")
    restored = read_payload(new.entries()[-1].kind, new.entries()[-1].payload)

    assert isinstance(restored, BooksRestored)
    assert (head, "") == (restored.vouched, restored.without_head)
    with open_signed(new) as books:
        assert not books.halted
    execute(new, "DROP TRIGGER entries_delete", "DELETE FROM entries WHERE kind = 'books-restored'")
    with open_signed(new) as books:
        assert any("is missing" in str(damage) for damage in books.halted)


def test_the_triggers_are_those_of_the_migration(room: Room) -> None:
    with closing(room.directory.open_store(write=False)) as store:
        assert [] == store.guard_problems()


@in_postgresql
def test_an_audit_looks_at_grants_and_at_what_triggers_run(filled: Room) -> None:
    execute(filled, "GRANT UPDATE ON entries TO PUBLIC", "ALTER TABLE snapshots DISABLE TRIGGER snapshots_append_only")
    damages = [damage.what for damage in check_books(filled.directory).damages]

    assert [
        "the trigger snapshots_append_only does not refuse changes as it was made to",
        "PUBLIC was granted UPDATE on entries",
    ] == damages
    filled.directory.halt([])
    with filled.open() as books:
        books.decide_damage(BOOK, person="Ada", second="Bob", reason="the administrator was new", command="d")
    assert not check_books(filled.directory).damages
