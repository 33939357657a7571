"""What seldom happens: a commit whose answer is lost, a store that stays away, checks that only a broken one can fail."""

from __future__ import annotations

import json
import time
from collections.abc import Callable
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

import pitboss.books.journal.reading as reading_module
import pitboss.books.journal.writer as writer_module
from pitboss.books import (
    LEDGER,
    BookState,
    Folding,
    HaltedError,
    StoreError,
    UnknownOutcomeError,
    folding_of,
    known_kinds,
    register_kinds,
)
from pitboss.books.audit import check_books
from pitboss.books.audit.auditor import AuditedBook, audit_rows
from pitboss.books.journal.entries import ChainWatch, sealed_entry
from tests.books.making import BOOK, Room, counting, in_postgresql, opening
from tests.books.test_damage import tamper
from tests.examples import examples


class Losing:
    """A connection that does what it is told and then loses the answer to a COMMIT, once."""

    def __init__(self, connection: Any, *, before: bool) -> None:
        self._connection, self._before, self._lost = connection, before, False

    def __getattr__(self, name: str) -> Any:
        return getattr(self._connection, name)

    def cursor(self) -> Any:
        return _LosingCursor(self._connection.cursor(), self)


class _LosingCursor:
    def __init__(self, cursor: Any, owner: Losing) -> None:
        self._cursor, self._owner = cursor, owner

    def __getattr__(self, name: str) -> Any:
        return getattr(self._cursor, name)

    def execute(self, statement: str, *values: Any) -> Any:
        losing = statement == "COMMIT" and not self._owner._lost
        if losing:
            self._owner._lost = True
        if losing and self._owner._before:
            raise ConnectionResetError("lost before it was carried out")
        done = self._cursor.execute(statement, *values)
        if losing:
            raise ConnectionResetError("lost after it was carried out")
        return done


@pytest.mark.parametrize("before", [False, True])
def test_a_commit_whose_answer_is_lost_is_looked_for(room: Room, *, before: bool) -> None:
    with room.open() as books:
        books.submit(opening())
        books.store._writer = Losing(books.store._writer, before=before)
        answer = books.submit_later(counting("c"))
        if before:
            assert "nothing was written and nothing has moved: lost before" in str(answer.exception())
            assert 2 == books.state(BOOK).sequence
        else:
            assert answer.result().entries[0].sequence == books.state(BOOK).sequence == 3
        books.submit(counting("d"))
    assert ([] if before else ["c"]) + ["d"] == [entry.command for entry in room.entries()[2:]]
    assert room.read().is_sound


def test_a_store_that_stays_away_takes_nothing_and_is_used_again_when_it_comes_back(
    room: Room, monkeypatch: pytest.MonkeyPatch
) -> None:
    def away() -> None:
        raise StoreError("nobody answers")

    monkeypatch.setattr(writer_module, "AGAIN_SECONDS", 0.01)
    with room.open() as books:
        books.submit(opening())
        before = books.state(BOOK)
        books.store._writer = Losing(books.store._writer, before=False)
        monkeypatch.setattr(books.store, "reconnect", away)
        with pytest.raises(UnknownOutcomeError, match=r"the commit failed \(lost after .*nobody answers"):
            books.submit(counting("c"))
        with pytest.raises(UnknownOutcomeError, match="the books cannot be written: nobody answers"):
            books.submit(counting("d"))
        assert before == books.state(BOOK)
        assert "nobody answers" in books.unwritable
        monkeypatch.undo()
        # Without a command or a restart it is found again, with what was written before its answer was lost.
        assert eventually(lambda: not books.unwritable)
        assert before.sequence + 1 == books.state(BOOK).sequence
        assert books.submit(counting("c")).again
        assert not books.submit(counting("d")).again
    assert room.read().is_sound


def test_a_store_that_comes_back_without_what_was_acknowledged_is_halted(
    sqlite_room: Room, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A copy of yesterday was mounted in the place of a disk that failed."""
    monkeypatch.setattr(writer_module, "AGAIN_SECONDS", 0.01)
    with sqlite_room.open() as books:
        books.submit(opening())
    old = (sqlite_room.path / "journal.sqlite3").read_bytes()
    with sqlite_room.open() as books:
        for number in range(3):
            books.submit(counting(f"c{number}"))
        books.store.close()
        for file in sqlite_room.path.glob("journal.sqlite3*"):
            file.unlink()
        with pytest.raises(StoreError):
            books.submit(counting("d"))
        (sqlite_room.path / "journal.sqlite3").write_bytes(old)
        assert eventually(lambda: not books.unwritable)
        assert ["entries 3 to 5 are missing"] == [damage.what for damage in books.halted]  # type: ignore[union-attr]
        assert books.is_halted
        assert 5 == books.state(BOOK).sequence
        with pytest.raises(HaltedError, match="entries 3 to 5 are missing"):
            books.submit(counting("d"))
    with sqlite_room.open() as books:
        assert books.is_halted


@in_postgresql
def test_a_backend_that_was_killed_is_replaced_and_the_next_command_goes_on(room: Room) -> None:
    import psycopg  # noqa: PLC0415

    with room.open() as books:
        books.submit(opening())
        writer: Any = books.store._writer
        with psycopg.connect(room.directory.connection, autocommit=True) as other:
            other.execute("SELECT pg_terminate_backend(%s, 10000)", [writer.info.backend_pid])
        assert not books.submit(counting("c")).again
        assert "" == books.unwritable
    assert room.read().is_sound


@in_postgresql
def test_a_cluster_that_is_away_for_a_while_is_used_again(room: Room) -> None:
    import psycopg  # noqa: PLC0415

    server, name = room.database
    with psycopg.connect(f"{server} dbname=postgres", autocommit=True) as other, room.open() as books:
        books.submit(opening())
        other.execute(f"ALTER DATABASE {name} ALLOW_CONNECTIONS false")
        other.execute("SELECT pg_terminate_backend(pid, 10000) FROM pg_stat_activity WHERE datname = %s", [name])
        with pytest.raises(StoreError):
            books.submit(counting("c"))
        assert "not currently accepting connections" in books.unwritable
        other.execute(f"ALTER DATABASE {name} ALLOW_CONNECTIONS true")
        assert eventually(lambda: not books.unwritable)
        assert not books.submit(counting("c")).again
    assert room.read().is_sound


def eventually(holds: Callable[[], bool], seconds: float = 5.0) -> bool:
    """Whether something comes to hold by itself in time."""
    until = time.monotonic() + seconds
    while not holds() and time.monotonic() < until:
        time.sleep(0.01)
    return holds()


def test_an_order_of_time_that_goes_back_is_named() -> None:
    template = sealed_entry(_entry(1, recorded=5))
    later = sealed_entry(_entry(2, recorded=4)._replace(previous=template.digest))
    watch = ChainWatch(BOOK)

    assert [] == watch.see(template)
    assert ["it was recorded before the entry before it"] == [damage.what for damage in watch.see(later)]


def _entry(sequence: int, recorded: int) -> Any:
    from pitboss.books.journal.entries import GENESIS, Entry  # noqa: PLC0415

    return Entry(BOOK, sequence, 0, recorded, "Bob", "", "k", "{}", f"c{sequence}", 0, 1, bytes(32), GENESIS, b"")


def test_balances_that_do_not_sum_to_zero_are_named(room: Room) -> None:
    """No transfer can make them so; a state that was read wrongly could."""
    with room.open() as books:
        books.submit(opening())
        state = books.state(BOOK)
    accounts = state.of(LEDGER)["main"]
    wrong = accounts._replace(balances=dict(accounts.balances) | {"house": 1})
    spoiled = BookState(state.sequence, state.digest, state.recorded, dict(state.parts) | {"ledger": {"main": wrong}})
    told = [finding.words for finding in folding_of().end_findings(BOOK, spoiled)]

    assert ["the accounts of main sum to $0.000001, not to zero"] == told


def test_what_only_the_auditor_sees_is_reported(room: Room, monkeypatch: pytest.MonkeyPatch) -> None:
    with room.open() as books:
        books.submit(opening())
    tamper(room, "UPDATE entries SET actor = 'Eve' WHERE sequence = 2")
    monkeypatch.setattr(ChainWatch, "see", lambda *_: [])
    report = check_books(room.directory)

    assert [] == report.damages
    assert not report.is_sound
    assert [
        "the auditor objects to entry 2, and the reading does not: the hash is not that of the fields"
    ] == report.books[BOOK].disagreements


def test_names_are_taken_once() -> None:
    folding = folding_of()
    with pytest.raises(ValueError, match="two parts of the state have one name"):
        Folding((*folding.projections, LEDGER))
    with pytest.raises(ValueError, match="have a reader already"):
        register_kinds(["correction"], lambda *_: pytest.fail("not read"))
    with pytest.raises(ValueError, match="two invariants have one name"):
        folding_of(invariants=folding.invariants[:1])


def test_a_snapshot_with_other_parts_of_the_state_is_not_used_but_replayed(room: Room) -> None:
    from dataclasses import replace  # noqa: PLC0415

    from pitboss.books import PROJECTIONS  # noqa: PLC0415

    with room.open() as books:
        books.submit(opening())
        text = books.folding.seal(books.state(BOOK))
    newer = Folding([replace(each, version=2) for each in PROJECTIONS])

    assert newer.unseal(text) is None
    assert folding_of().unseal(text) is not None


anything = st.recursive(
    st.one_of(st.none(), st.booleans(), st.integers(), st.floats(), st.text(max_size=5)),
    lambda inner: st.one_of(st.lists(inner, max_size=5), st.dictionaries(st.text(max_size=5), inner, max_size=3)),
    max_leaves=6,
)
KEYS = ["jackpot", "transfers", "counts", "terms", "words", "approved_by", "reason", "corrects", "details", "settings", "since",
        "state_hash", "person", "damages", "sequence", "head"]  # fmt: skip
account = st.sampled_from(["displayed", "reserve", "wagers", "house", "nowhere"])
likely = st.fixed_dictionaries(
    {"jackpot": st.sampled_from(["main", "other"])},
    optional={
        "transfers": st.lists(st.tuples(account, account, st.one_of(st.integers(-5, 5), st.booleans())), max_size=2),
        "counts": st.dictionaries(st.sampled_from(["hits", "wagers_counted", "wins"]), st.integers(-2, 2), max_size=2),
        "terms": st.tuples(st.sampled_from(["bonus", "progressive", "none"]), st.integers(-1, 100), st.one_of(st.none(), st.integers(-1, 5))),
        "words": st.one_of(st.text(max_size=3), st.integers()),
        "approved_by": st.sampled_from(["Bob", "", "C", 5]),
        "corrects": st.one_of(st.none(), st.integers(-2, 9), st.text(max_size=2)),
    },
)  # fmt: skip


@given(
    st.lists(
        st.tuples(
            st.sampled_from([*sorted(known_kinds()), "x"]),
            st.one_of(anything, likely, st.dictionaries(st.sampled_from(KEYS), anything)),
        ),
        max_size=4,
    )
)
@examples(60)
def test_whatever_stands_in_a_journal_is_read_or_named_and_nothing_breaks(said: list[tuple[str, Any]]) -> None:
    folding = folding_of()
    reader = reading_module._Reader(reading_module.BookReading(BOOK, folding.empty()), folding, {}, rules=True)
    opened = json.dumps({"jackpot": "main", "terms": ["progressive", 100, None]})
    previous, audited = bytes(32), AuditedBook()
    for number, (kind, payload) in enumerate([("jackpot-opened", opened), *said], start=1):
        text = payload if number == 1 else json.dumps(payload)
        entry = sealed_entry(_entry(number, 1)._replace(kind=kind, payload=text, previous=previous))
        reader.see(entry)
        previous = entry.digest
        audit_rows([entry], audited)

    assert len(said) + 1 == reader.reading.state.sequence
    assert all(damage.sequence > 1 for damage in reader.reading.damages)
    assert len(said) + 1 == audited.entries
    for accounts in reader.reading.state.of(LEDGER).values():
        assert 0 == sum(accounts.balances.values())
