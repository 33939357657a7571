"""Entries folded together come to what they come to one by one, and damage among them is named as it is one by one."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import closing
from itertools import pairwise
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from pitboss.books import BookReading, Entry, Run, folding_of, read_part, read_payload
from pitboss.books.journal import reading
from pitboss.books.journal.entries import sealed_entry
from pitboss.books.store.base import LegiblePage, Snapshot
from pitboss.books.store.sqlite import BackupStore
from pitboss.reports import PROJECTIONS

FOLDING = folding_of(PROJECTIONS)
EXAMPLES = Path(__file__).parents[2] / "examples"
BOOK = "room"


def _entries(name: str) -> list[Entry]:
    with closing(BackupStore(EXAMPLES / f"{name}.backup")) as store:
        return list(store.entries(BOOK))


JOURNALS = {name: _entries(name) for name in ("jackpots", "hits", "tables", "reports")}
RUNS: dict[str, Run] = {
    name: [(each, read_payload(each.kind, each.payload)) for each in entries] for name, entries in JOURNALS.items()
}


@pytest.mark.parametrize("name", RUNS)
@given(data=st.data())
@settings(max_examples=12, deadline=None)
def test_a_run_of_entries_comes_to_what_they_come_to_one_by_one(name: str, data: st.DataObject) -> None:
    run = RUNS[name]
    cuts = data.draw(st.sets(st.integers(1, len(run) - 1), max_size=6))
    together = single = FOLDING.empty()
    for start, end in pairwise([0, *sorted(cuts), len(run)]):
        before = together
        written = FOLDING.seal(before)
        together = FOLDING.fold_run(before, run[start:end])
        assert FOLDING.seal(before) == written, "the state that was given never changes"
        for entry, value in run[start:end]:
            single = FOLDING.fold(single, entry, value)
        assert together == single
        assert FOLDING.seal(together) == FOLDING.seal(single)


class _Shelf:
    """Entries as a store gives them."""

    def __init__(self, entries: list[Entry]) -> None:
        self._entries = entries

    def entries(self, _: str, after: int, upto: int) -> list[Entry]:
        return [each for each in self._entries if after < each.sequence <= upto]

    def legible_pages(self, book: str, after: int, upto: int, **_: Any) -> list[LegiblePage]:
        return [LegiblePage([tuple(entry) for entry in self.entries(book, after, upto)])]

    def righted_spans(self, _: str) -> tuple[()]:
        return ()

    def snapshots(self, *_: Any, **__: Any) -> list[Snapshot]:
        return []


def _said(reading_: BookReading) -> tuple[Any, ...]:
    state = FOLDING.seal(reading_.state)
    return reading_.entries, reading_.snapshots, sorted(map(str, reading_.damages)), reading_.passed, state


def _chained(entries: list[Entry]) -> list[Entry]:
    """Write all hashes anew, as somebody who knows how would do."""
    made: list[Entry] = []
    for entry in entries:
        made.append(sealed_entry(entry._replace(previous=made[-1].digest if made else entry.previous)))
    return made


def _changed(**fields: Any) -> Callable[[list[Entry], int], list[Entry]]:
    return lambda entries, at: [*entries[:at], entries[at]._replace(**fields), *entries[at + 1 :]]


def _swapped(entries: list[Entry], at: int) -> list[Entry]:
    one, two = entries[at : at + 2]
    return [*entries[:at], two._replace(sequence=one.sequence), one._replace(sequence=two.sequence), *entries[at + 2 :]]


DAMAGES: dict[str, Callable[[list[Entry], int], list[Entry]]] = {
    "a field": _changed(actor="Mallory"),
    "another hash": _changed(digest=bytes(32)),
    "an earlier instant": _changed(recorded=1),
    "a command out of order": _changed(part=3, parts=4),
    "no JSON": _changed(payload="{"),
    "a float": _changed(payload='{"details":{"round":1.5,"seats":[1]},"jackpot":"main"}'),
    "an unknown kind": _changed(kind="wagers-dreamt"),
    "an unknown jackpot": _changed(kind="wagers-counted", payload='{"details":{"round":99},"jackpot":"none"}'),
    "an unknown account": _changed(kind="wagers-counted", payload='{"jackpot":"main","transfers":[["a","b",1]]}'),
    "no round": _changed(kind="wagers-counted", payload='{"details":{"seats":[2,3]},"jackpot":"main"}'),
    "seats that are none": _changed(
        kind="wagers-counted", payload='{"details":{"round":9,"seats":5},"jackpot":"main"}'
    ),
    "an entry missing": lambda entries, at: [*entries[:at], *entries[at + 1 :]],
    "two entries in each other's place": _swapped,
}


@pytest.mark.parametrize("forged", [False, True], ids=["changed", "with right hashes"])
@pytest.mark.parametrize("name", DAMAGES)
def test_m_02_damage_among_entries_folded_together_is_named_as_one_by_one(
    name: str, forged: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The slow road asks every invariant between two entries, and so folds each of them by itself."""
    monkeypatch.setattr(reading, "_RUN", 50)
    entries = JOURNALS["jackpots"]
    for at in (40, len(entries) // 2):
        damaged = DAMAGES[name](entries, at)
        store: Any = _Shelf(_chained(damaged) if forged else damaged)
        quick = read_part(store, FOLDING, BOOK, None, rules=False)
        assert _said(quick) == _said(read_part(store, FOLDING, BOOK, None, rules=True))
        assert forged or quick.damages, "whoever cannot write hashes is found"


FORGED = {
    "an earlier instant": "it was recorded before the entry before it",
    "a command out of order": "out of order",
    "no JSON": "does not say what a",
    "an unknown kind": "no entry of kind 'wagers-dreamt' is known",
    "an unknown jackpot": "it cannot follow what came before it: KeyError",
    "an unknown account": "it cannot follow what came before it: KeyError",
    "no round": "it cannot follow what came before it: KeyError",
    "seats that are none": "it cannot follow what came before it: TypeError",
    "an entry missing": "entry 41 is missing",
}


@pytest.mark.parametrize("name", FORGED)
def test_m_02_what_right_hashes_do_not_hide_is_named_at_its_entry(name: str) -> None:
    store: Any = _Shelf(_chained(DAMAGES[name](JOURNALS["jackpots"], 40)))
    first = read_part(store, FOLDING, BOOK, None, rules=False).damages[0]
    assert first.sequence == 41
    assert FORGED[name] in first.what
