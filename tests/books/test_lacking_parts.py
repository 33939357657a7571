"""A snapshot that was sealed before a part of the state existed: the part alone is folded, from entries of its kinds."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from contextlib import closing
from dataclasses import replace
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from pitboss.books import (
    LEDGER,
    Books,
    Draft,
    Entry,
    EntryPayload,
    Folding,
    JournalStore,
    Payload,
    Projection,
    entry_kind,
    folding_of,
    kinds_of,
    read_book,
    snapshot_states,
)
from pitboss.books.audit import check_books
from pitboss.books.journal import reading
from pitboss.books.store import base
from tests.books.making import BOOK, Room, command, counting, opening
from tests.books.test_damage import tamper


@entry_kind("test-lamp-lit")
class LampLit(EntryPayload):
    """A lamp was lit, or put out."""

    lamp: str
    lit: bool = True


def _fold(lamps: Mapping[str, int], entry: Entry, value: Payload) -> Mapping[str, int]:
    assert isinstance(value, LampLit)
    if value.lamp == "broken":
        raise ValueError("it cannot be lit")
    return {**lamps, value.lamp: entry.sequence if value.lit else 0}


LAMPS: Projection[Mapping[str, int]] = Projection(
    name="test-lamps", shape=Mapping[str, int], empty={}, fold=_fold, kinds=kinds_of(LampLit)
)


def _fold_all(count: int, _: Entry, __: Payload) -> int:
    return count + 1


EVERYTHING: Projection[int] = Projection(name="test-everything", shape=int, empty=0, fold=_fold_all, kinds=None)


def light(books: Books, number: int, lamp: str, *, lit: bool = True) -> None:
    value = LampLit(lamp=lamp, lit=lit)
    books.submit(command(f"l{number}", lambda _: [Draft(value)], value.to_json()))


def play(room: Room, lamps: Sequence[str] = ("a", "b", "a"), wagers: int = 40) -> None:
    """Books with lamps and wagers, sealed without the part of lamps; and a little after it."""
    with room.open() as books:
        books.submit(opening())
        for number, lamp in enumerate(lamps):
            light(books, number, lamp)
            for count in range(wagers // len(lamps)):
                books.submit(counting(f"c{number}-{count}"))
        books.seal(BOOK)
        books.submit(counting("after"))
        light(books, 99, "z", lit=False)


class Counted:
    """How many entries a store gave."""

    def __init__(self) -> None:
        self.rows = 0


@pytest.fixture
def counted(monkeypatch: pytest.MonkeyPatch) -> Counted:
    count, pages, legible_pages = Counted(), base.JournalStore.pages, base.JournalStore.legible_pages

    def counting_pages(*words: Any, **named: Any) -> Iterator[list[Any]]:
        for page in pages(*words, **named):
            count.rows += len(page)
            yield page

    def counting_legible_pages(*words: Any, **named: Any) -> Iterator[base.LegiblePage]:
        for page in legible_pages(*words, **named):
            count.rows += len(page.rows)
            yield page

    # What is looked up by its command is not folded.
    monkeypatch.setattr(reading, "_LOOKED_UP", 0)
    monkeypatch.setattr(base.JournalStore, "pages", counting_pages)
    monkeypatch.setattr(base.JournalStore, "legible_pages", counting_legible_pages)
    return count


def whole_state(room: Room, *projections: Projection[Any]) -> Any:
    with closing(room.directory.open_store(write=False)) as store:
        return read_book(store, folding_of(projections), BOOK, whole=True).state


def test_a_part_that_a_snapshot_lacks_is_folded_from_its_own_entries(room: Room, counted: Counted) -> None:
    play(room)
    expected = whole_state(room, LAMPS)
    counted.rows = 0
    with room.open(projections=[LAMPS], invariants=()) as books:
        assert expected == books.state(BOOK)
        # Three lamps; then what follows the snapshot: itself, a wager and a lamp. Not the forty wagers before it.
        assert 3 + 3 == counted.rows
        assert ("test-lamps",) == books._readings[BOOK].lacking
    assert check_books(room.directory, projections=[LAMPS], invariants=()).is_sound


def test_the_next_snapshot_has_the_part_so_that_it_is_folded_alone_once(room: Room, counted: Counted) -> None:
    play(room)
    with room.open(projections=[LAMPS], invariants=(), snapshot_every=20) as books:
        light(books, 100, "c")
    counted.rows = 0
    with room.open(projections=[LAMPS], invariants=()) as books:
        assert () == books._readings[BOOK].lacking
        assert counted.rows <= 2
        lamps = books.state(BOOK).of(LAMPS)
        assert {"a", "b", "z", "c"} == set(lamps)
    assert check_books(room.directory, projections=[LAMPS], invariants=()).is_sound


def test_a_part_of_another_version_is_folded_alone_too(room: Room, counted: Counted) -> None:
    with room.open(projections=[LAMPS], invariants=()) as books:
        books.submit(opening())
        light(books, 1, "a")
        books.submit(counting("c"))
        books.seal(BOOK)
    newer = replace(LAMPS, version=2)
    expected = whole_state(room, newer)
    counted.rows = 0
    with closing(room.directory.open_store(write=False)) as store:
        reading = read_book(store, folding_of([newer]), BOOK)
    assert expected == reading.state
    assert 1 + 1 == counted.rows


def test_a_part_about_all_entries_is_folded_from_all(room: Room, counted: Counted) -> None:
    play(room)
    counted.rows = 0
    with closing(room.directory.open_store(write=False)) as store:
        reading = read_book(store, folding_of([EVERYTHING]), BOOK)
    assert reading.entries == counted.rows == reading.state.of(EVERYTHING) == reading.state.sequence


def test_in_the_middle_of_a_journal_the_part_is_folded_up_to_there_and_goes_on(room: Room, counted: Counted) -> None:
    play(room)
    with room.open() as books:
        for number in range(200, 205):
            light(books, number, f"lamp {number}")
            books.submit(counting(f"d{number}"))
        books.seal(BOOK)
        light(books, 300, "last")
    folding = Folding([LAMPS, LEDGER])
    with closing(room.directory.open_store(write=False)) as store:
        first, second = sorted(snapshot.sequence for snapshot in store.snapshots(BOOK))
        for upto, rows in ((first, 3), (second, 6), (first, 3)):
            counted.rows = 0
            state = next(snapshot_states(store, folding, BOOK, upto))
            assert rows == counted.rows
            assert state.sequence == upto - 1
            assert expected_at(store, folding, state.sequence) == state.parts


def expected_at(store: JournalStore, folding: Folding, upto: int) -> dict[str, Any]:
    state = folding.empty()
    for entry in store.entries(BOOK, 0, upto):
        state = folding.fold(state, entry)
    return state.parts


def test_an_entry_that_the_part_cannot_fold_or_that_was_altered_is_found_by_reading_all(room: Room) -> None:
    play(room, lamps=("a", "broken", "b"), wagers=6)
    with closing(room.directory.open_store(write=False)) as store:
        reading = read_book(store, folding_of([LAMPS]), BOOK)
    assert reading.entries == reading.state.sequence
    assert ["it cannot follow what came before it: ValueError('it cannot be lit')"] == [
        damage.what for damage in reading.damages
    ]


def test_an_altered_entry_of_the_part_is_named(room: Room) -> None:
    play(room)
    tamper(room, "UPDATE entries SET actor = 'Eve' WHERE sequence = 3")
    with closing(room.directory.open_store(write=False)) as store:
        reading = read_book(store, folding_of([LAMPS]), BOOK)
    assert [3] == [damage.sequence for damage in reading.damages]


def test_books_with_decided_damage_are_read_whole(sqlite_room: Room) -> None:
    play(sqlite_room)
    tamper(sqlite_room, "UPDATE entries SET payload = '{' WHERE sequence = 4")
    sqlite_room.directory.halt([])
    with sqlite_room.open() as books:
        books.decide_damage(BOOK, person="Dora", second="Carla", reason="seen", command="decide")
        books.seal(BOOK)
    expected = whole_state(sqlite_room, LAMPS)
    with closing(sqlite_room.directory.open_store(write=False)) as store:
        reading = read_book(store, folding_of([LAMPS]), BOOK)
    assert expected == reading.state
    assert reading.entries == len(sqlite_room.entries())


steps = st.lists(
    st.tuples(st.sampled_from(["lamp", "count", "seal"]), st.sampled_from("abc"), st.booleans()), max_size=25
)


@given(steps)
@settings(max_examples=15, deadline=None)
def test_folding_a_part_alone_gives_what_reading_all_gives(
    tmp_path_factory: pytest.TempPathFactory, sqlite_template: Room, played: list[tuple[str, str, bool]]
) -> None:
    import shutil  # noqa: PLC0415

    room = Room(shutil.copytree(sqlite_template.path, tmp_path_factory.mktemp("lacking") / "room"), "sqlite")
    with room.open() as books:
        books.submit(opening())
        for number, (step, lamp, lit) in enumerate(played):
            if step == "lamp":
                light(books, number, lamp, lit=lit)
            elif step == "count":
                books.submit(counting(f"c{number}"))
            else:
                books.seal(BOOK)
    expected = whole_state(room, LAMPS)
    with closing(room.directory.open_store(write=False)) as store:
        assert expected == read_book(store, folding_of([LAMPS]), BOOK).state
