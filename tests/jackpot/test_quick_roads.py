"""Quick roads through a long journal give what the slow ones give: by sealed states, and by what a database leaves out.

The slow road reads every entry from the first on; it stands here as the naive twin of each quick one.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from contextlib import closing, contextmanager, suppress
from fractions import Fraction
from itertools import pairwise
from random import Random
from typing import Any

import pytest

from pitboss.books import (
    ROOM,
    Calendar,
    Entry,
    JournalStore,
    Movement,
    RefusedError,
    Sought,
    counts_by_actor,
    entries_at,
    folding_of,
    newest,
    read_book,
    read_payload,
    saying,
)
from pitboss.jackpot.display_history import DisplayMoment, _fallen, _seals, find_shown, history_of
from pitboss.jackpot.explain import _cache, explain_display, shown_change
from pitboss.meters import cents_shown
from pitboss.server.views.office.audit import matches
from tests.books.making import Room
from tests.facades import Jackpots
from tests.jackpot.making import TWO, Clock, call, make_bonus, make_jackpot, playing, press, tables, units
from tests.meters.making import progressive

NAMES = ("main", "daily")
EVERY = 9
SEALED_LEAST = 15


def play(jackpots: Jackpots, clock: Clock, rounds: int) -> None:
    """Rounds at three tables, and all that moves a display otherwise: hits, counts taken back, gifts, amounts posted."""
    random = Random(8)
    for number in range(1, rounds + 1):
        clock.now += random.choice((0, 3_600_000_000))
        last = press(jackpots, number, random.sample(range(1, 7), random.randint(0, 4)), table="4")
        press(jackpots, number, [1, 2], "daily", "6")
        what = random.random()
        if what < 0.06:
            call(jackpots, "main", f"hit-{number}", "4")
        elif what < 0.12:
            last = press(jackpots, number, [3, 4], table="5")
            jackpots.correct_count("main", last, {3: 1}, words="für José", command=f"c-{number}", **TWO)
        elif what < 0.18:
            said: dict[str, Any] = {"actor": "Zoë Ångström", "approved_by": "Carla"}
            # At its cap a display takes nothing more (J-10).
            with suppress(RefusedError):
                jackpots.adjust("main", units(1), words=f"gift {number}", command=f"a-{number}", **said)
        elif what < 0.24:
            jackpots.post_bonus("daily", 300_00 + number, words="today", command=f"p-{number}", actor="Ada")


@contextmanager
def played(room: Room) -> Iterator[JournalStore]:
    """The store of a room that has played, with many sealed states in it; nothing is remembered of another room."""
    _seals.clear()
    _fallen.clear()
    clock = Clock()
    terms = progressive(reserve_rate=Fraction("0.05"), cap_cents=1_020_00)
    jackpot = make_jackpot(meter=terms, tables=tables("4", "5"))
    with playing(room, jackpot, make_bonus(tables=tables("6")), clock=clock, snapshot_every=EVERY) as jackpots:
        play(jackpots, clock, 60)
    with closing(room.directory.open_store(write=False)) as found:
        assert len(found.snapshot_numbers("room", 0, 10**9)) > SEALED_LEAST
        yield found


@pytest.fixture
def store(sqlite_room: Room) -> Iterator[JournalStore]:
    with played(sqlite_room) as found:
        yield found


@pytest.fixture
def either(room: Room) -> Iterator[JournalStore]:
    with played(room) as found:
        yield found


def movements(store: JournalStore, upto: int = 10**9) -> Iterator[tuple[Entry, Movement]]:
    for entry in store.entries("room", 0, upto):
        value = read_payload(entry.kind, entry.payload)
        if isinstance(value, Movement):
            yield entry, value


def naive_shown(store: JournalStore, cents: int, upto: int) -> list[DisplayMoment]:
    shown: dict[str, int] = {}
    found: dict[str, int] = {}
    for entry, movement in movements(store, upto):
        before = shown.get(movement.jackpot)
        shown[movement.jackpot] = after = (before or 0) + shown_change(movement)
        if cents_shown(after) == cents and (before is None or cents_shown(before) != cents):
            found[movement.jackpot] = entry.sequence
    return sorted((DisplayMoment(*each) for each in found.items()), key=lambda each: each.sequence)


def steps(store: JournalStore, name: str) -> list[tuple[int, int, int]]:
    """Every entry, instant and amount of a display, as it moved."""
    found, shown = [], 0
    for entry, movement in movements(store):
        if movement.jackpot == name:
            before, shown = shown, shown + shown_change(movement)
            if shown != before:
                found.append((entry.sequence, entry.recorded, shown))
    return found


def test_t_14_an_explanation_from_a_sealed_state_is_the_one_from_the_first_entry(store: JournalStore) -> None:
    calendar: Calendar | None = read_book(store, folding_of(), "room").state.of(ROOM)
    head = store.head("room")
    assert head is not None
    explained = set()
    # Forwards it goes on where it was, backwards it begins anew.
    for upto in [*range(1, head.sequence, 5), 10**9, *range(head.sequence, 1, -37)]:
        for name in (*NAMES, "none"):
            quick = explain_display(store, "room", name, upto, calendar)
            assert quick == explain_display(store, "room", name, upto, calendar, whole=True)
            explained.add(quick.generation)
    assert len(explained) > len(NAMES)


def test_what_was_explained_of_other_books_is_not_gone_on_with(store: JournalStore) -> None:
    told = explain_display(store, "room", "main", 10**9)
    kept = _cache["room", "main"]
    other = kept.collector.copied()
    other.displayed += 1
    _cache["room", "main"] = kept._replace(sequence=kept.sequence - 5, digest=bytes(32), collector=other)
    assert explain_display(store, "room", "main", 10**9) == told


def test_j_09_an_amount_is_found_where_every_entry_says_so(store: JournalStore) -> None:
    amounts = {cents_shown(shown) for name in NAMES for _, _, shown in steps(store, name)}
    some = [
        *Random(9).sample(sorted(amounts), 12),
        0,
        1,
        max(amounts),
        min(amounts) - 1,
        max(amounts) + 1,
        1_020_00,
    ]
    for cents in some:
        for upto in (133, 10**9):
            assert find_shown(store, "room", cents, upto) == naive_shown(store, cents, upto), (cents, upto)


def test_a_history_by_sealed_states_has_every_fall_and_nothing_that_was_not_shown(store: JournalStore) -> None:
    head = store.head("room")
    assert head is not None
    for after in (0, 40, 77):
        for name in NAMES:
            check_history(history_of(store, "room", name, after, head.sequence), steps(store, name), after)


def check_history(found: list[tuple[int, int]], all_steps: list[tuple[int, int, int]], after: int) -> None:
    every = [each for each in all_steps if each[0] > after]
    shown = [amount for _, amount in found]
    assert found == sorted(found, key=lambda point: point[0])
    assert [pair for pair in pairwise(shown) if pair[1] < pair[0]] == [
        (one[2], two[2]) for one, two in pairwise(every) if two[2] < one[2]
    ]
    assert (max(shown), shown[-1]) == (max(each[2] for each in every), every[-1][2])
    for instant, amount in found:
        before = [each[2] for each in all_steps if each[1] <= instant]
        # Several entries of one command have one instant.
        assert amount in {*before[-1:], *(each[2] for each in every if each[1] == instant)}


SOUGHT = (
    Sought(),
    Sought(kind="count-corrected"),
    Sought(table="5"),
    Sought(actor="TABLE"),
    Sought(actor="zoë å"),
    Sought(actor="z"),
    Sought(words='"ROUND":7'),
    Sought(words="JOSÉ"),
    Sought("wagers-counted", "4", "table", "[1,"),
    Sought(words="nobody says it"),
)


def test_what_the_database_leaves_out_is_what_was_not_sought(either: JournalStore) -> None:
    for sought in SOUGHT:
        for after, upto in ((30, 150), (0, 10**9)):
            every = [each for each in either.entries("room", after, upto) if matches(each, sought)]
            found = [each for each in newest(either, "room", sought, after, upto) if matches(each, sought)]
            assert found == every[::-1], sought
        assert bool(every) == (sought.words != "nobody says it"), sought
    assert len(list(newest(either, "room", SOUGHT[1], 0, 10**9))) == len(
        [each for each in either.entries("room") if each.kind == "count-corrected"]
    )
    said = list(saying(either, "room", '"displayed"', 10, 150, but="wagers-counted"))
    assert said == [
        each
        for each in either.entries("room", 10, 150)
        if '"displayed"' in each.payload and each.kind != "wagers-counted"
    ]
    assert said


def test_entries_by_number_and_counts_by_person_are_those_of_the_journal(either: JournalStore) -> None:
    every = {each.sequence: each for each in either.entries("room")}
    numbers = [*range(1, 150), 7, 10**9, 0]
    assert entries_at(either, "room", numbers) == {each: every[each] for each in numbers if each in every}
    assert entries_at(either, "room", []) == {}
    counted = Counter((each.actor, each.kind) for each in every.values() if 20 < each.sequence <= 120)
    found = counts_by_actor(either, "room", 20, 120)
    assert {(actor, kind): count for actor, kinds in found.items() for kind, count in kinds.items()} == counted


@pytest.mark.slow
def test_t_14_quick_roads_give_in_either_store_what_slow_ones_give(either: JournalStore) -> None:
    test_t_14_an_explanation_from_a_sealed_state_is_the_one_from_the_first_entry(either)
    test_j_09_an_amount_is_found_where_every_entry_says_so(either)
    test_a_history_by_sealed_states_has_every_fall_and_nothing_that_was_not_shown(either)
