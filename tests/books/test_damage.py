"""Damage: a journal that was altered, cut, reordered or replaced is named, and no money moves until two people decide."""

from __future__ import annotations

import shutil
import sqlite3
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest

from pitboss.books import (
    LEDGER,
    DamageDecided,
    HaltedError,
    LedgerTransfer,
    Movement,
    RefusedError,
    entry_digest,
    read_payload,
)
from pitboss.books.audit import check_books
from pitboss.books.audit.backup import back_up
from pitboss.books.journal.entries import sealed_entry
from pitboss.books.store.migrate import create_store
from pitboss.books.store.sql import POSTGRESQL_GUARDS, SQLITE_GUARDS
from pitboss.books.store.sqlite import BackupStore
from tests.books.making import BOOK, TERMS, Room, balances, counting, hitting, moving, opening, ticking

ENTRIES = 12


@pytest.fixture
def filled(room: Room) -> Room:
    """Twelve entries: the room, a jackpot, eight counts, a prize called and paid."""
    with room.open() as books:
        books.submit(opening())
        for number in range(8):
            books.submit(counting(f"c{number}", number + 1))
        books.submit(hitting("h", 100))
    assert ENTRIES == len(room.entries())
    return room


def tamper(room: Room, *statements: str) -> None:
    """What somebody with the database in their hands can do: change what they like, and put the triggers back."""
    if room.store_kind == "sqlite":
        with closing(sqlite3.connect(room.path / "journal.sqlite3", isolation_level=None)) as connection:
            for table in ("entries", "snapshots"):
                for verb in ("update", "delete"):
                    connection.execute(f"DROP TRIGGER IF EXISTS {table}_{verb}")
            for statement in (*statements, *SQLITE_GUARDS.values()):
                connection.execute(statement)
        return
    import psycopg  # noqa: PLC0415

    with psycopg.connect(room.directory.connection, autocommit=True) as connection:
        for table in ("entries", "snapshots"):
            connection.execute(f"DROP TRIGGER IF EXISTS {table}_append_only ON {table}")
        for statement in (*statements, *POSTGRESQL_GUARDS.values()):
            connection.execute(statement)


def halted_by(room: Room) -> list[tuple[int, str]]:
    """Open the damaged books: they can be read, and nothing can be written."""
    before = room.entries()
    with room.open() as books:
        found = [(each.sequence, str(each)) for each in books.halted]
        assert found
        with pytest.raises(HaltedError, match="no money moves until two people decide"):
            books.submit(counting("refused"))
    assert before == room.entries()
    return found


CHANGES: list[tuple[str, list[str], int, str]] = [
    (
        "a digit of an amount",
        ["UPDATE entries SET payload = replace(payload, '346000', '346001') WHERE sequence = 4"],
        4,
        "its content does not give its hash",
    ),
    ("the actor", ["UPDATE entries SET actor = 'Eve' WHERE sequence = 5"], 5, "its content does not give its hash"),
    (
        "the time",
        ["UPDATE entries SET recorded = recorded + 1 WHERE sequence = 6"],
        6,
        "its content does not give its hash",
    ),
    ("one taken out", ["DELETE FROM entries WHERE sequence = 7"], 7, "entry 7 is missing"),
    ("some taken out", ["DELETE FROM entries WHERE sequence BETWEEN 4 AND 6"], 4, "entries 4 to 6 are missing"),
    ("the first taken out", ["DELETE FROM entries WHERE sequence = 1"], 1, "entry 1 is missing"),
    ("cut at the end", ["DELETE FROM entries WHERE sequence > 9"], 10, "entries 10 to 12 are missing"),
    (
        "cut within a command",
        ["DELETE FROM entries WHERE sequence = 12"],
        11,
        "command h has 2 entries, and the book ends before the last",
    ),
    ("all taken out", ["DELETE FROM entries"], 1, "entries 1 to 12 are missing"),
    (
        "two exchanged",
        [f"UPDATE entries SET sequence = {b} WHERE sequence = {a}" for a, b in ((4, 99), (6, 4), (99, 6))],
        4,
        "it is entry 6, put in another place",
    ),
    (
        "no JSON",
        ["UPDATE entries SET payload = '{' WHERE sequence = 4"],
        4,
        "the payload does not say what a 'wagers-counted' says",
    ),
    ("another kind", ["UPDATE entries SET kind = 'gift' WHERE sequence = 4"], 4, "no entry of kind 'gift' is known"),
    ("another hash", ["UPDATE entries SET previous = digest WHERE sequence = 4"], 4, "it does not follow entry 3"),
]


@pytest.mark.parametrize(
    ("statements", "sequence", "words"), [each[1:] for each in CHANGES], ids=[each[0] for each in CHANGES]
)
def test_m_02_what_was_done_to_a_journal_is_named_and_halts_it(
    filled: Room, statements: list[str], sequence: int, words: str
) -> None:
    tamper(filled, *statements)
    found = halted_by(filled)
    report = check_books(filled.directory)

    assert any(at == sequence and f"book room, entry {sequence}: {words}" in told for at, told in found), found
    assert not report.is_sound
    assert any(str(each).startswith(f"book room, entry {sequence}: {words}") for each in report.damages)
    assert [] == report.books[BOOK].disagreements


def test_a_whole_journal_written_anew_with_right_hashes_is_no_longer_the_one_that_was_acknowledged(
    filled: Room,
) -> None:
    """Whoever recomputes every hash makes a chain without a break; the witness and every printed head know better."""
    printed = filled.entries()[-1].digest.hex()
    statements, previous = [], b""
    for entry in filled.entries():
        if entry.sequence == 4:
            entry = entry._replace(actor="Eve")  # noqa: PLW2901
        forged = sealed_entry(entry._replace(previous=previous or entry.previous))
        previous = forged.digest
        mark = "X'{}'" if filled.store_kind == "sqlite" else "'\\x{}'"
        statements.append(
            f"UPDATE entries SET actor = '{forged.actor}', previous = {mark.format(forged.previous.hex())}, "
            f"digest = {mark.format(forged.digest.hex())} WHERE sequence = {forged.sequence}"
        )
    tamper(filled, *statements)

    assert all(entry_digest(entry) == entry.digest for entry in filled.entries())
    assert [
        (12, "book room, entry 12: it is not the entry that was acknowledged: the journal was replaced")
    ] == halted_by(filled)
    forged = filled.entries()[-1]
    (filled.path / "witness-room").write_text(f"{forged.sequence:020d} {forged.digest.hex()}\n")
    assert check_books(filled.directory).is_sound
    assert not check_books(filled.directory, heads=[printed]).is_sound


def test_an_older_copy_of_the_journal_is_noticed(sqlite_room: Room, tmp_path: Path) -> None:
    with sqlite_room.open() as books:
        books.submit(opening())
    shutil.copy(sqlite_room.path / "journal.sqlite3", tmp_path / "old")
    with sqlite_room.open() as books:
        books.submit(counting("c"))
    shutil.copy(tmp_path / "old", sqlite_room.path / "journal.sqlite3")

    assert [(3, "book room, entry 3: entry 3 is missing")] == halted_by(sqlite_room)


def test_a_person_decides_and_the_decision_is_journalled(filled: Room) -> None:
    tamper(filled, "DELETE FROM entries WHERE sequence > 9")
    with filled.open() as books:
        with pytest.raises(RefusedError, match="person: '' must be"):
            books.decide_damage(BOOK, person="", second="Carla", reason="", command="d")
        answer = books.decide_damage(BOOK, person="Dora", second="Carla", reason="disk failed, video kept", command="d")
        assert () == books.halted
        books.submit(counting("after", terms=TERMS))
    decision = read_payload(answer.entries[1].kind, answer.entries[1].payload)

    assert isinstance(decision, DamageDecided)
    assert ("Dora", "disk failed, video kept") == (decision.person, decision.reason)
    assert ["entries 10 to 12 are missing"] == [damage.what for damage in decision.damages]
    # A number that was acknowledged is not used again.
    assert [1, 2, 3, 4, 5, 6, 7, 8, 9, 13, 14, 15] == [entry.sequence for entry in filled.entries()]
    report = check_books(filled.directory)
    assert report.is_sound
    assert ["entries 10 to 12 are missing"] == [damage.what for damage in report.books[BOOK].reading.damages]
    with filled.open() as books:
        assert () == books.halted
        with pytest.raises(RefusedError, match="nothing is wrong"):
            books.decide_damage(BOOK, person="Dora", second="Carla", reason="again", command="e")


def test_g_29_one_person_or_the_same_twice_does_not_decide(filled: Room) -> None:
    tamper(filled, "UPDATE entries SET actor = 'Eve' WHERE sequence = 5")
    before = filled.entries()
    with filled.open() as books:
        for second, words in (("", "second: '' must be"), ("DORA", "DORA is no second person: two people decide")):
            with pytest.raises(RefusedError, match=words):
                books.decide_damage(BOOK, person="Dora", second=second, reason="seen", command="d")
        assert [5] == [damage.sequence for damage in books.halted]
    assert before == filled.entries()


FORGED = "UPDATE entries SET payload = replace(payload, '346000', '999999') WHERE sequence = 4"


@pytest.mark.parametrize(
    "changes",
    [
        [FORGED],
        ["DELETE FROM entries WHERE sequence = 5"],
        ["DELETE FROM entries WHERE sequence > 9"],
        ["DELETE FROM entries WHERE sequence < 4"],
        [
            FORGED,
            "DELETE FROM entries WHERE sequence IN (6, 7)",
            "UPDATE entries SET payload = '{' WHERE sequence = 11",
        ],
    ],
)
def test_g_29_damaged_and_lost_entries_are_restored_from_a_copy_that_fits_their_hashes(
    filled: Room, tmp_path: Path, changes: list[str]
) -> None:
    """Entry by entry as they were, after which nothing is damaged any more and no amount is doubtful."""
    whole, file = filled.entries(), tmp_path / "a.backup"
    back_up(filled.directory, file)
    tamper(filled, *changes)
    numbers = {entry.sequence for entry in whole} - {entry.sequence for entry in filled.entries() if entry in whole}
    with filled.open() as books, closing(BackupStore(file)) as copy:
        answer = books.decide_damage(BOOK, person="Dora", second="Carla", reason="seen", command="d", copy=copy)
        books.submit(counting("after"))
    decision = read_payload(answer.entries[1].kind, answer.entries[1].payload)

    assert isinstance(decision, DamageDecided)
    assert sorted(numbers) == list(decision.restored)
    assert whole == filled.entries()[:ENTRIES]
    assert () == decision.doubtful
    assert decision.damages
    # What stood there is kept, for whoever wants to know what was altered.
    assert ("999999" in "".join(decision.replaced)) == (FORGED in changes)
    report = check_books(filled.directory)
    assert (True, []) == (report.is_sound, report.decided)


def test_g_29_a_copy_that_does_not_fit_the_hashes_is_not_believed(filled: Room, tmp_path: Path) -> None:
    """A copy with another amount and hashes made anew, and one of another journal, give nothing back."""
    tamper(filled, FORGED)
    other = create_store(tmp_path / "forged")
    with closing(filled.directory.open_store(write=False)) as store:
        rows = list(store.entries(BOOK))
    with closing(sqlite3.connect(tmp_path / "forged" / "journal.sqlite3")) as connection, connection:
        for number, entry in enumerate(rows):
            forged = sealed_entry(entry._replace(previous=rows[number - 1].digest if number else entry.previous))
            connection.execute(f"INSERT INTO entries VALUES ({', '.join('?' * len(forged))})", forged)
            rows[number] = forged
    with filled.open() as books, closing(other.open_store(write=False)) as copy:
        answer = books.decide_damage(BOOK, person="Dora", second="Carla", reason="seen", command="d", copy=copy)
    decision = read_payload(answer.entries[1].kind, answer.entries[1].payload)

    assert isinstance(decision, DamageDecided)
    assert () == decision.restored
    assert [("main", 4)] == [tuple(doubt) for doubt in decision.doubtful]


@pytest.mark.parametrize(
    ("change", "doubtful"),
    [
        (FORGED, [("main", 4)]),
        ("UPDATE entries SET payload = '{' WHERE sequence = 4", [("main", 4)]),
        ("DELETE FROM entries WHERE sequence > 9", [("main", 10)]),
        ("UPDATE entries SET actor = 'Eve' WHERE sequence = 1", []),
    ],
)
def test_g_29_amounts_that_rest_on_what_is_damaged_or_lost_are_doubtful(
    filled: Room, change: str, doubtful: list[tuple[str, int]]
) -> None:
    tamper(filled, change)
    with filled.open() as books:
        answer = books.decide_damage(BOOK, person="Dora", second="Carla", reason="seen", command="d")
    decision = read_payload(answer.entries[1].kind, answer.entries[1].payload)

    assert isinstance(decision, DamageDecided)
    assert doubtful == [tuple(doubt) for doubt in decision.doubtful]


def test_a_decision_covers_what_was_seen_and_nothing_later(filled: Room) -> None:
    tamper(filled, "UPDATE entries SET actor = 'Eve' WHERE sequence = 5")
    with filled.open() as books:
        books.decide_damage(BOOK, person="Dora", second="Carla", reason="seen", command="d")
    assert check_books(filled.directory).is_sound
    tamper(filled, "UPDATE entries SET actor = 'Mallory' WHERE sequence = 5")

    assert [5] == [damage.sequence for damage in check_books(filled.directory).damages]


def test_g_29_what_damage_left_wrong_is_put_right_by_a_correction(filled: Room) -> None:
    """An entry that cannot be read moves nothing: its three wagers are entered again by a correction."""
    tamper(filled, "UPDATE entries SET payload = '{' WHERE sequence = 5")
    with filled.open() as books:
        books.decide_damage(BOOK, person="Dora", second="Carla", reason="sector lost", command="d")
        lost = balances(books)["displayed"]
        shares = (TERMS.display_units, TERMS.reserve_units, TERMS.house_units)
        books.submit(
            moving(
                "fix",
                Movement(
                    "correction",
                    "main",
                    tuple(
                        LedgerTransfer("wagers", to, 3 * units)
                        for to, units in zip(("displayed", "reserve", "house-share"), shares, strict=True)
                    ),
                    {"wagers_counted": 3},
                    words="from the tabulator's own counter",
                    approved_by="Carla",
                    reason="damaged-journal",
                    corrects=5,
                ),
            )
        )
        assert lost + 3 * TERMS.display_units == balances(books)["displayed"]
        assert sum(range(1, 9)) == books.state(BOOK).of(LEDGER)["main"].counts["wagers_counted"]
    assert check_books(filled.directory).is_sound


def test_an_audit_in_another_process_halts_the_one_that_writes(filled: Room) -> None:
    with filled.open() as books:
        books.seal(BOOK)
        books.submit(counting("before"))
        tamper(filled, "UPDATE entries SET actor = 'Eve' WHERE sequence = 5")
        books.submit(counting("not noticed yet"))
        report = check_books(filled.directory)
        filled.directory.halt(report.damages)
        with pytest.raises(HaltedError):
            books.submit(counting("noticed"))
    # Opened again, the books are read whole because of the halt.
    with filled.open() as books:
        assert [5] == [each.sequence for each in books.halted]
        books.decide_damage(BOOK, person="Dora", second="Carla", reason="seen", command="d")
        books.submit(counting("after"))
    assert not filled.directory.is_halted
    assert check_books(filled.directory).is_sound


def test_a_halt_without_damage_is_lifted_by_reading_everything(filled: Room) -> None:
    filled.directory.halt([])
    with filled.open() as books:
        assert () == books.halted
        books.submit(counting("after"))
    assert not filled.directory.is_halted


def test_after_a_snapshot_only_what_follows_is_read_and_an_audit_reads_all(filled: Room) -> None:
    with filled.open() as books:
        books.seal(BOOK)
        books.submit(counting("after"))
        state = books.state(BOOK)
    part, whole = filled.read(whole=False), filled.read()

    assert (2, 14) == (part.entries, whole.entries)
    assert (1, 1) == (part.snapshots, whole.snapshots)
    assert state == part.state == whole.state


@pytest.mark.parametrize(
    ("statement", "words"),
    [
        (
            "UPDATE snapshots SET state = replace(state, '\"hits\":1', '\"hits\":2')",
            "the sealed state kept beside it is not the one it was sealed with",
        ),
        ("DELETE FROM snapshots", None),
    ],
)
def test_a_sealed_state_that_was_changed_is_not_used(filled: Room, statement: str, words: str | None) -> None:
    with filled.open() as books:
        books.seal(BOOK)
        state = books.state(BOOK)
    tamper(filled, statement)
    part = filled.read(whole=False)

    assert 13 == part.entries
    assert state == part.state
    assert ([] if words is None else [words]) == [damage.what for damage in filled.read().open_damages]


def test_a_snapshot_that_does_not_follow_from_the_entries_is_found(filled: Room) -> None:
    """An entry before a snapshot is altered and every hash made right again: the sealed state speaks against it."""
    with filled.open() as books:
        books.seal(BOOK)
    statements, previous = [], b""
    for entry in filled.entries():
        if entry.sequence == 12:
            entry = entry._replace(payload=entry.payload.replace("1000000", "1000001"))  # noqa: PLW2901
        forged = sealed_entry(entry._replace(previous=previous or entry.previous))
        previous = forged.digest
        mark = "X'{}'" if filled.store_kind == "sqlite" else "'\\x{}'"
        statements.append(
            f"UPDATE entries SET payload = '{forged.payload}', previous = {mark.format(forged.previous.hex())}, "
            f"digest = {mark.format(forged.digest.hex())} WHERE sequence = {forged.sequence}"
        )
    tamper(filled, *statements)

    assert "the entries before it do not fold to the state that was sealed in it" in [
        damage.what for damage in check_books(filled.directory).damages
    ]


def test_snapshots_come_by_themselves_and_agree_with_the_replay(room: Room) -> None:
    with room.open(snapshot_every=10, clock=ticking()) as books:
        books.submit(opening())
        for number in range(60):
            books.submit(counting(f"c{number}"))
    whole = room.read()

    assert 4 <= whole.snapshots <= 7
    assert whole.is_sound
    assert room.read(whole=False).entries < 25


def test_every_damage_in_the_journal_is_found_wherever_it_is(sqlite_room: Room) -> None:
    """Every field of every entry, altered one at a time."""
    with sqlite_room.open() as books:
        books.submit(opening())
        books.submit(hitting("h", 100))
    changed: dict[str, Any] = {
        "book": "'other'", "happened": "happened + 1", "recorded": "recorded + 1", "actor": "'x'", '"table"': "'x'", "kind": "'x'",
        "payload": "payload || ' '", "command": "'x'", "part": "part + 7", "parts": "parts + 1", "request": "X'00'", "previous": "X'00'", "digest": "X'00'",
    }  # fmt: skip
    for sequence in range(1, 5):
        for column, value in changed.items():
            copy = Room(sqlite_room.path.with_name(f"copy-{sequence}-{column.strip(chr(34))}"), "sqlite")
            shutil.copytree(sqlite_room.path, copy.path)
            tamper(copy, f"UPDATE entries SET {column} = {value} WHERE sequence = {sequence}")
            found = check_books(copy.directory).damages

            assert found, (sequence, column)
            assert sequence - 1 <= min(damage.sequence for damage in found if damage.book == BOOK) <= sequence + 1
            shutil.rmtree(copy.path)
