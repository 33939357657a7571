"""The journal: entries, their chain, commands applied once, group commit, and commits that fail."""

from __future__ import annotations

import hashlib
import re
import sqlite3
import threading
from concurrent.futures import Future, wait
from contextlib import closing
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pitboss.books import (
    Answer,
    Books,
    ClosedError,
    Draft,
    Entry,
    LedgerTransfer,
    Movement,
    NotCommittedError,
    RefusedError,
    StoreError,
    canonical,
    entry_digest,
    text_problem,
)
from pitboss.books.journal.entries import GENESIS
from pitboss.books.store import sql
from pitboss.books.store.sqlite import SqliteStore
from tests.books.making import BOOK, TERMS, Room, balances, command, counting, hitting, in_postgresql, moving, opening

ENTRY = Entry(BOOK, 7, 1, 2, "Bob", "4", "k", "{}", "c", 0, 1, b"r" * 32, b"p" * 32, b"")


def plain_hash(entry: Entry) -> str:
    """The hash of an entry as docs/books.md tells a stranger to compute it."""
    shown = [each.hex() if isinstance(each, bytes) else str(each) for each in entry[:-1]]
    return hashlib.sha256("".join(f"{line}\n" for line in shown).encode()).hexdigest()


def test_m_02_each_entry_holds_the_hash_of_the_one_before_it(room: Room) -> None:
    with room.open() as books:
        books.submit(opening())
        books.submit(hitting("h", 100))
    entries = room.entries()

    assert [1, 2, 3, 4] == [entry.sequence for entry in entries]
    assert GENESIS == entries[0].previous
    assert [entry.digest for entry in entries[:-1]] == [entry.previous for entry in entries[1:]]
    assert [entry.digest.hex() for entry in entries] == [plain_hash(entry) for entry in entries]
    assert [(0, 1), (0, 1), (0, 2), (1, 2)] == [(entry.part, entry.parts) for entry in entries]


@given(
    st.sampled_from(Entry._fields[:-1]),
    st.one_of(
        st.integers(0, 2**60),
        st.text(st.characters(codec="utf-8", exclude_categories=["Cc"])),
        st.binary(min_size=32, max_size=32),
    ),
)
def test_m_02_the_hash_covers_every_field(field: str, other: Any) -> None:
    before = getattr(ENTRY, field)
    if type(before) is type(other) and before != other:
        assert entry_digest(ENTRY) != entry_digest(ENTRY._replace(**{field: other}))
    assert plain_hash(ENTRY) == entry_digest(ENTRY).hex()


def test_a_command_is_applied_once_and_answered_the_same_each_time(room: Room) -> None:
    with room.open() as books:
        books.submit(opening())
        first = books.submit(hitting("h", 100))
        again = books.submit(hitting("h", 100))
        state = books.state(BOOK)
    with room.open() as books:
        after_restart = books.submit(hitting("h", 100))
        assert state == books.state(BOOK)

    assert not first.again
    assert again == after_restart == Answer(first.entries, again=True)
    assert 2 == len(first.entries)
    assert first.head == room.entries()[-1].digest.hex()


@pytest.mark.parametrize(
    "other", [hitting("h", 101), command("h", lambda _: [], ["hit", "main", 100], actor="Eve"), counting("h")]
)
def test_an_id_used_for_something_else_is_refused(room: Room, other: Any) -> None:
    with room.open() as books:
        books.submit(opening())
        books.submit(hitting("h", 100))
        before = books.state(BOOK)
        with pytest.raises(RefusedError, match=r"command h was used for something else \(entry 3\)"):
            books.submit(other)
        assert before == books.state(BOOK)


class Held:
    """Holds the writer at a point until it is let go, and counts commits."""

    def __init__(self, point: str) -> None:
        self.point, self.commits = point, 0
        self.reached, self.go = threading.Event(), threading.Event()
        self.armed = False

    def __call__(self, point: str) -> None:
        self.commits += point == "committed"
        if self.armed and point == self.point:
            self.reached.set()
            assert self.go.wait(60)


def test_commands_that_wait_are_committed_together(room: Room) -> None:
    held = Held("taken")
    with room.open(at_point=held) as books:
        books.submit(opening())
        held.armed = True
        first = books.submit_later(counting("first"))
        assert held.reached.wait(60)
        before = held.commits
        answers = [books.submit_later(counting(f"c{n}")) for n in range(50)]
        answers.append(books.submit_later(counting("c7")))
        held.go.set()
        wait([first, *answers], timeout=60)

    assert before + 2 == held.commits
    assert answers[7].result().entries == answers[50].result().entries
    assert [False] * 50 + [True] == [answer.result().again for answer in answers]
    assert 53 == len(room.entries())
    assert room.read().is_sound


def test_nothing_moves_and_nothing_is_acknowledged_before_the_commit(room: Room) -> None:
    held = Held("decided")
    with room.open(at_point=held) as books:
        books.submit(opening())
        before, written = books.state(BOOK), room.entries()
        held.armed = True
        answer = books.submit_later(counting("c"))
        assert held.reached.wait(60)
        assert not answer.done()
        assert before == books.state(BOOK)
        assert written == room.entries()
        held.go.set()
        assert books.state(BOOK).digest in (before.digest, answer.result().entries[-1].digest)
        answer.result()
        assert books.state(BOOK).digest == answer.result().entries[-1].digest


def test_a_refused_command_changes_nothing_and_troubles_nobody_else(room: Room) -> None:
    held = Held("taken")
    unbalanced = Movement(kind="prize-paid", jackpot="main", transfers=(LedgerTransfer("winners", "paid", 1),))

    def breaks(_: Any) -> list[Draft]:
        raise ZeroDivisionError

    with room.open(at_point=held) as books:
        books.submit(opening())
        held.armed = True
        books.submit_later(counting("hold"))
        assert held.reached.wait(60)
        refused = books.submit_later(moving("r", unbalanced))
        broken = books.submit_later(command("b", breaks))
        nothing = books.submit_later(command("n", lambda _: []))
        good = books.submit_later(counting("g"))
        held.go.set()
        assert "winners of main would be -$0.000001" in str(refused.exception())
        assert isinstance(broken.exception(), ZeroDivisionError)
        assert "command n does nothing" in str(nothing.exception())
        assert not good.result().again
        assert 2 * TERMS.display_units == balances(books)["displayed"] - 1_000_00 * 10_000
    assert ["open-main", "hold", "g"] == [entry.command for entry in room.entries()[1:]]


@pytest.mark.parametrize(
    ("said", "words"),
    [
        ({"book": "Über"}, "book: 'Über' must be small letters"),
        ({"actor": ""}, "actor: '' must be printable"),
        ({"actor": "two\nlines"}, "actor: 'two\\nlines' must be printable"),
        ({"table": " 4"}, "table: ' 4' must be printable"),
        ({"happened": 1.5}, "happened: 1.5 must be microseconds"),
        ({"happened": 2**60}, "must be microseconds"),
        ({"content": {"rate": 0.5}}, "content: 0.5 is no whole number"),
    ],
)
def test_a_command_written_wrongly_is_told_everything(sqlite_room: Room, said: dict[str, Any], words: str) -> None:
    with sqlite_room.open() as books, pytest.raises(RefusedError) as caught:
        books.submit(command("", lambda _: [], **said))

    assert words in str(caught.value)
    assert "id: '' must be printable" in str(caught.value)
    assert 1 == len(sqlite_room.entries())


def test_happened_and_recorded_are_two_times_and_the_order_of_a_book_never_goes_back(room: Room) -> None:
    times = iter([5_000_000, 9_000_000, 7_000_000])
    with room.open(clock=lambda: 2**51 + next(times)) as books:
        books.submit(opening())
        books.submit(command("c", counting("").decide, happened=3))
        books.submit(counting("d"))
    entries = room.entries()[1:]

    assert [2**51 + 5_000_000, 2**51 + 9_000_000, 2**51 + 9_000_000] == [entry.recorded for entry in entries]
    assert [2**51 + 5_000_000, 3, 2**51 + 9_000_000] == [entry.happened for entry in entries]


def test_every_book_has_a_chain_of_its_own(room: Room) -> None:
    with room.open() as books:
        books.submit(opening())
        books.submit(command("open-main", opening().decide, ["other"], book="second"))
        books.submit(counting("c"))
        books.submit(command("c", counting("c").decide, book="second"))
        assert ["room", "second"] == books.names()
        assert books.state("room").of(_ledger()) == books.state("second").of(_ledger())

    assert [1, 2] == [entry.sequence for entry in room.entries("second")]
    assert room.read("second").is_sound
    assert room.read().is_sound


def _ledger() -> Any:
    from pitboss.books import LEDGER  # noqa: PLC0415

    return LEDGER


def test_a_second_writer_is_refused(room: Room) -> None:
    with room.open() as books:
        with pytest.raises(StoreError, match="one writer at a time"):
            room.open()
        books.submit(opening())
    with room.open() as books:
        books.submit(counting("c"))


def test_closed_books_take_nothing_and_finish_what_was_in_line(room: Room) -> None:
    books = room.open()
    answers: list[Future[Answer]] = [books.submit_later(opening())]
    answers += [books.submit_later(counting(f"c{n}")) for n in range(20)]
    books.close()

    assert 22 == len(room.entries())
    assert all(answer.result() for answer in answers)
    with pytest.raises(ClosedError):
        books.submit_later(counting("late"))


def test_a_full_disk_moves_nothing_and_says_so(sqlite_room: Room) -> None:
    with sqlite_room.open() as books:
        books.submit(opening())
        writer: Any = books.store._writer
        pages = writer.execute("PRAGMA page_count").fetchone()[0]
        writer.execute(f"PRAGMA max_page_count={pages}")
        done = _count_until_refused(books)
        state = books.state(BOOK)
        # A new connection has no such limit: the disk has room again.
        books.submit(counting("after"))
        assert state.sequence + 1 == books.state(BOOK).sequence

    assert [f"c{n}" for n in range(done)] + ["after"] == [entry.command for entry in sqlite_room.entries()[2:]]
    assert sqlite_room.read().is_sound


def _count_until_refused(books: Books) -> int:
    for number in range(10_000):
        before = books.state(BOOK)
        error = books.submit_later(counting(f"c{number}")).exception()
        if error is not None:
            assert isinstance(error, NotCommittedError)
            assert "nothing was written and nothing has moved: database or disk is full" in str(error)
            assert before == books.state(BOOK)
            return number
    raise AssertionError("the disk was never full")


@pytest.mark.parametrize("point", ["taken", "decided"])
@in_postgresql
def test_a_lost_connection_moves_nothing_and_the_next_command_goes_on(room: Room, point: str) -> None:
    import psycopg  # noqa: PLC0415

    held = Held(point)
    with room.open(at_point=held) as books:
        books.submit(opening())
        before = books.state(BOOK)
        held.armed = True
        answer = books.submit_later(counting("c"))
        assert held.reached.wait(60)
        writer: Any = books.store._writer
        with psycopg.connect(room.directory.connection, autocommit=True) as other:
            other.execute("SELECT pg_terminate_backend(%s, 10000)", [writer.info.backend_pid])
        held.armed = False
        held.go.set()
        if point == "decided":
            assert isinstance(answer.exception(), NotCommittedError)
            assert before == books.state(BOOK)
        else:
            answer.result()
        assert (point == "taken") == books.submit(counting("c")).again
    assert room.read().is_sound


@pytest.mark.parametrize(
    "statement",
    [
        "UPDATE entries SET actor = 'Eve'",
        "DELETE FROM entries",
        "DELETE FROM snapshots",
        "UPDATE snapshots SET state = ''",
    ],
)
def test_g_11_the_database_itself_refuses_to_edit_or_delete(room: Room, statement: str) -> None:
    with room.open() as books:
        books.submit(opening())
        books.seal(BOOK)
        writer: Any = books.store._writer
        with pytest.raises(Exception, match="nothing is ever edited or deleted"):
            writer.execute(statement)


def test_a_reader_cannot_write(room: Room) -> None:
    directory = room.directory
    with closing(directory.open_store(write=False)) as store:
        with pytest.raises(StoreError, match="opened for reading"):
            store.append([ENTRY])
        with store.reading() as connection, pytest.raises(Exception, match=r"read-?only"):
            connection.execute("INSERT INTO snapshots VALUES ('b', 1, '')")


def test_sqlite_tables_are_strict_and_take_no_text_for_a_number(sqlite_room: Room) -> None:
    with sqlite_room.open() as books:
        writer: Any = books.store._writer
        with pytest.raises(sqlite3.IntegrityError, match="cannot store TEXT value in INTEGER column"):
            writer.execute("INSERT INTO snapshots VALUES ('b', 'one', '')")


@pytest.mark.parametrize("value", [1.0, {"a": [0.5]}, {1: "a"}, {"a": float("nan")}])
def test_g_3_no_float_comes_into_the_books(value: Any) -> None:
    with pytest.raises(TypeError):
        canonical(value)


def test_canonical_json_is_one_text_for_one_value() -> None:
    assert '{"a":[1,null,true],"b":"\\u00e9\\n"}' == canonical({"b": "é\n", "a": (1, None, True)})


@pytest.mark.parametrize("text", ["", "a\u2028b", "x" * 121, "\ud800", None, "a\x00"])
def test_texts_of_an_entry_are_one_printable_line(text: Any) -> None:
    assert text_problem("actor", text)
    assert not text_problem("actor", "Zoë Ángel")


def test_commands_are_looked_for_by_their_index(sqlite_room: Room) -> None:
    """However long the book is: a search by another order would walk all of it."""
    with sqlite_room.open() as books:
        books.submit(opening())
        with books.store.reading() as connection:
            for text in (sql.COMMAND, sql.commands(sql.SQLITE)):
                statement = sql.SQLITE.statement(text)
                places = statement.places(book=BOOK, **sql.filled("id", ["c"]))
                plan = connection.execute(f"EXPLAIN QUERY PLAN {statement.text}", places).fetchall()
                assert ["SEARCH entries USING INDEX entries_command (book=? AND command=?)"] == [row[3] for row in plan]


@in_postgresql
def test_postgresql_looks_for_each_command_by_its_index_also_in_a_book_it_does_not_know(room: Room) -> None:
    """A server that has never looked at a table takes all books for short, and keeps its plan while they grow."""
    with room.open() as books:
        store = books.store
        assert not isinstance(store, SqliteStore)
        books.submit(opening())
        with closing(store._connect_to_read()) as connection:
            connection.execute("SET enable_seqscan TO off")
            for text in (sql.COMMAND, sql.commands(sql.POSTGRESQL)):
                statement = sql.POSTGRESQL.statement(text)
                places = statement.places(book=BOOK, **sql.filled("id", ["c"]))
                plan = "\n".join(row[0] for row in connection.execute(f"EXPLAIN {statement.text}", places).fetchall())
                assert "Index Scan using entries_command on entries" in plan
                assert re.search(r"Index Cond: \(\(book = '.*\) AND \(\(?command", plan)


def test_many_commands_at_once_are_each_found_again(room: Room) -> None:
    with room.open() as books:
        books.submit(opening())
        first = [books.submit_later(counting(f"c{number}")) for number in range(150)]
        wait(first, timeout=60)
        again = [books.submit_later(counting(f"c{number}")) for number in range(0, 300, 2)]
        assert [number < 75 for number in range(150)] == [answer.result().again for answer in again]
        assert [answer.result().entries for answer in first[::2]] == [answer.result().entries for answer in again[:75]]
        asked_twice = books.store.commands(BOOK, ["c3", "c1", "c3", "none"])
        assert {"c1": first[1].result().entries, "c3": first[3].result().entries} == {
            name: tuple(entries) for name, entries in asked_twice.items()
        }
