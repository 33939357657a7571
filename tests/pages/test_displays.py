"""Displays: what is dark, stale or unconfirmed, when it is told, and when a table's jackpots are suspended (T-04)."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as some

from pitboss.books import RefusedError, open_books
from pitboss.commands import By
from pitboss.jackpot import PROJECTIONS
from pitboss.room.displays import (
    DISPLAYS,
    Display,
    DisplayContact,
    DisplayRecord,
    Heartbeat,
    display_problems,
    judge_display,
    limits_at,
    shown_at,
    tables_to_suspend,
    tables_without_display,
    with_heartbeat,
)
from pitboss.room.projections import PAGE_PROJECTIONS
from pitboss.server.views.displays import published
from tests.doors import Displays, executor_of
from tests.facades import Tables
from tests.pages.floor import MANAGER, working_room
from tests.pages.room import CardRoom, card_room

SECOND = 1_000_000
LIMITS = limits_at(1_900_000_000 * SECOND)
SCREEN, SIGN = Display("screen 4", "4", "screen"), Display("sign 6", "6", "sign")


class Clock:
    def __init__(self) -> None:
        self.now = 1_900_000_000 * SECOND

    def __call__(self) -> int:
        return self.now

    def wait(self, seconds: int) -> None:
        self.now += seconds * SECOND


@pytest.fixture
def room(tmp_path: Path) -> Iterator[CardRoom]:
    with card_room(tmp_path / "room") as found:
        yield found


class Others(Displays):
    """Displays of which each table has a true one, until a test puts its own there."""

    def own(self) -> Others:
        for table in ("4", "5", "6", "7"):
            super().register(Display(f"other {table}", table, "monitor", "server"), command=f"o{table}", actor="Ada")
        self.review(command="others")
        return self

    def register(self, display: Display, **named: Any) -> Any:
        other = self.state.of(DISPLAYS).get(f"other {display.table}")
        if other is not None and other.active:
            super().register(other.display, active=False, command=f"o-{other.display.name}", actor="Ada")
        return super().register(display, **named)

    def review(self, *, command: str) -> tuple[str, ...]:
        for name, record in self.state.of(DISPLAYS).items():
            if name.startswith("other "):
                self.watch.beat(name, shown_at(self.state, record.display.table))
        return self.watch.review(command=command)


def watch_of(room: CardRoom) -> tuple[Others, Clock]:
    clock = Clock()
    room.books._writer._clock = clock
    return Others(executor_of(room.books, clock)).own(), clock


def condition(watch: Displays, name: str) -> str:
    return str(watch.state.of(DISPLAYS)[name].condition)


def play(room: CardRoom, name: str) -> str:
    return room.jackpots.record(name).play


def test_g_51_t_04_a_dark_screen_raises_an_alarm_then_suspends_and_a_beat_brings_it_back(room: CardRoom) -> None:
    watch, clock = watch_of(room)
    watch.register(SCREEN, command="d1", actor="Ada")
    assert watch.beat("screen 4", shown_at(watch.state, "4"))
    watch.review(command="r1")
    assert condition(watch, "screen 4") == "showing"
    clock.wait(LIMITS.dark_seconds + 1)
    assert watch.review(command="r2") == ()
    assert condition(watch, "screen 4") == "dark"
    assert play(room, "final-four") == "open"
    clock.wait(LIMITS.suspend_seconds)
    assert watch.review(command="r3") == ()
    clock.wait(1)
    assert watch.review(command="r4") == ("4",)
    assert play(room, "final-four") == "suspended"
    assert watch.review(command="r5") == (), "once is enough"
    watch.beat("screen 4", shown_at(watch.state, "4"))
    watch.review(command="r6")
    assert condition(watch, "screen 4") == "showing"
    assert play(room, "final-four") == "suspended", "opening it again needs a second person (T-06)"


def test_g_51_t_05_a_screen_that_shows_another_amount_for_thirty_seconds_is_stale(room: CardRoom) -> None:
    watch, clock = watch_of(room)
    watch.register(SCREEN, command="d1", actor="Ada")
    right = shown_at(watch.state, "4")
    for second in range(0, LIMITS.stale_seconds + 11, 10):
        watch.beat("screen 4", {"final-four": right["final-four"] - 1})
        watch.review(command=f"r{second}")
        assert condition(watch, "screen 4") == ("stale" if second > LIMITS.stale_seconds else "showing")
        clock.wait(10)
    assert "shows $23,416.86, not $23,416.87" in watch.state.of(DISPLAYS)["screen 4"].words


def test_a_sign_set_by_hand_is_confirmed_anew_after_each_posting_or_its_jackpot_is_suspended(room: CardRoom) -> None:
    watch, clock = watch_of(room)
    watch.register(SIGN, command="d1", actor="Ada")
    watch.confirm("sign 6", {"quads": 5_000_00}, command="c1", actor="Sue")
    watch.review(command="r1")
    assert condition(watch, "sign 6") == "showing"
    room.jackpots.post_bonus("quads", 6_000_00, words="holiday", command="p1", actor="Ada")
    watch.review(command="r2")
    assert condition(watch, "sign 6") == "unconfirmed"
    clock.wait(LIMITS.confirm_seconds + 1)
    assert watch.review(command="r3") == ("6",)
    assert play(room, "quads") == "suspended"
    watch.confirm("sign 6", {"quads": 6_000_00}, command="c2", actor="Sue")
    watch.review(command="r4")
    assert condition(watch, "sign 6") == "showing"


def test_one_true_display_of_a_table_is_enough_and_one_that_is_gone_counts_for_nothing(room: CardRoom) -> None:
    watch, clock = watch_of(room)
    for name in ("left", "right"):
        watch.register(Display(name, "4", "screen"), command=name, actor="Ada")
    clock.wait(LIMITS.dark_seconds + 1)
    watch.beat("right", shown_at(watch.state, "4"))
    watch.review(command="r1")
    clock.wait(LIMITS.suspend_seconds + 1)
    watch.beat("right", shown_at(watch.state, "4"))
    assert watch.review(command="r2") == ()
    watch.register(Display("right", "4", "screen"), command="gone", actor="Ada", active=False)
    assert watch.review(command="r3") == ("4",)
    assert not watch.beat("right", {})


def entries_since(room: CardRoom, sequence: int) -> list[str]:
    return [entry.kind for entry in room.books.store.entries("room") if entry.sequence > sequence]


def review_every_five_seconds(watch: Displays, clock: Clock, seconds: int) -> list[tuple[int, str]]:
    """Review as often as a server does; give the tables that were suspended, and after how many seconds."""
    suspended = []
    for second in range(5, seconds + 1, 5):
        clock.wait(5)
        suspended += [(second, table) for table in watch.review(command=f"review-{clock.now}")]
    return suspended


def test_g_51_a_display_that_was_never_heard_is_lost_since_its_registration_and_suspends_once(room: CardRoom) -> None:
    watch, clock = watch_of(room)
    clock.wait(3_600)
    watch.register(SCREEN, command="d1", actor="Ada")
    before = watch.state.sequence
    assert review_every_five_seconds(watch, clock, 600) == [(LIMITS.suspend_seconds + 5, "4")]
    assert entries_since(room, before) == ["display-turned", "play-suspended"]
    assert condition(watch, "screen 4") == "dark"
    assert watch.state.of(DISPLAYS)["screen 4"].words == "not heard since it was registered"
    clock.wait(3_600)
    # Registered anew, at another table, it has its time again.
    watch.register(Display("screen 4", "6", "screen"), command="d2", actor="Ada")
    assert review_every_five_seconds(watch, clock, 600) == [(LIMITS.suspend_seconds + 5, "6")]
    # A beat from before the registration says nothing of what it shows now.
    watch.beat("screen 4", shown_at(watch.state, "6"))
    clock.wait(3_600)
    watch.register(Display("screen 4", "7", "monitor", "server"), command="d3", actor="Ada")
    assert review_every_five_seconds(watch, clock, 600) == [(LIMITS.suspend_seconds + 5, "7")]


def test_g_51_a_display_that_is_not_heard_again_is_lost_since_the_server_started(room: CardRoom) -> None:
    watch, clock = watch_of(room)
    watch.register(SCREEN, command="d1", actor="Ada")
    watch.beat("screen 4", shown_at(watch.state, "4"))
    watch.review(command="r1")
    clock.wait(3_600)
    again, before = Others(executor_of(room.books, clock)), watch.state.sequence
    assert review_every_five_seconds(again, clock, LIMITS.dark_seconds) == []
    assert entries_since(room, before) == [], "it has its time to come back"
    assert review_every_five_seconds(again, clock, 600) == [(LIMITS.suspend_seconds - LIMITS.dark_seconds + 5, "4")]
    assert entries_since(room, before) == ["display-turned", "play-suspended"]
    assert again.state.of(DISPLAYS)["screen 4"].words == "not heard since the server started"
    third, before = Others(executor_of(room.books, clock)), again.state.sequence
    assert review_every_five_seconds(third, clock, 600) == []
    assert entries_since(room, before) == [], "nothing has changed"
    third.beat("screen 4", shown_at(third.state, "4"))
    third.review(command="r2")
    assert condition(third, "screen 4") == "showing"


def test_every_jackpot_table_must_have_a_display(room: CardRoom) -> None:
    watch = Displays(executor_of(room.books, Clock()))
    assert tables_without_display(watch.state) == ("4", "5", "6", "7")
    watch.register(SCREEN, command="d1", actor="Ada")
    assert tables_without_display(watch.state) == ("5", "6", "7")


def test_e_08_a_bare_monitor_is_driven_by_a_computer_and_some_games_have_no_other() -> None:
    monitor = Display("m", "7", "monitor", "server")
    assert display_problems(monitor, bare_only=True) == []
    assert len(display_problems(Display("s", "7", "screen"), bare_only=True)) == 1
    assert len(display_problems(Display("", "", "lamp", "table"), bare_only=True)) == 5  # type: ignore[arg-type]


def test_e_08_the_register_asks_for_bare_monitors_where_the_game_has_no_other(room: CardRoom) -> None:
    watch, _ = watch_of(room)
    with pytest.raises(RefusedError, match="bare monitors"):
        watch.register(Display("s", "7", "screen"), command="x", actor="Ada")
    watch.register(Display("m", "7", "monitor", "server"), command="y", actor="Ada")
    watch.register(Display("s", "4", "screen"), command="z", actor="Ada")


def test_t_04_only_the_dark_table_is_suspended_between_its_rounds(tmp_path: Path) -> None:
    with working_room(tmp_path / "room") as own:
        watch, clock = watch_of(own)
        tables, dan = Tables(own.books, clock=clock), By("Dan", "dealer")
        tables.change_dealer("6", "Dan", command="dealer", by=MANAGER)
        tables.press("6", {"four-card-jackpot": [1, 2]}, command="p1", by=dan)
        watch.register(Display("screen 6", "6", "screen"), command="d1", actor="Ada")
        clock.wait(LIMITS.dark_seconds + 1)
        watch.review(command="r1")
        clock.wait(LIMITS.suspend_seconds + 1)
        assert watch.review(command="r2") == (), "a round is on the table"
        tables.press("6", command="p2", by=dan)
        assert watch.review(command="r3") == ("6",)
        assert tables.table("6").life == "suspended"
        assert (tables.table("4").life, play(own, "quads")) == ("open", "open")


def test_what_is_wrong_is_refused_and_changes_nothing(room: CardRoom) -> None:
    watch, _ = watch_of(room)
    before = watch.state
    with pytest.raises(RefusedError):
        watch.register(Display("", "", "screen"), command="x", actor="Ada")
    with pytest.raises(RefusedError, match="no sign"):
        watch.confirm("nobody", {}, command="y", actor="Ada")
    assert watch.state == before


def test_the_journal_tells_what_was_published_when_and_folds_to_the_same(room: CardRoom) -> None:
    watch, clock = watch_of(room)
    watch.register(SIGN, command="d1", actor="Ada")
    watch.confirm("sign 6", {"quads": 5_000_00}, command="c1", actor="Sue")
    watch.review(command="r1")
    room.jackpots.post_bonus("quads", 6_000_00, words="holiday", command="p1", actor="Ada")
    clock.wait(1)
    watch.review(command="r2")
    told = [each.words for each in published(room.books.store.entries("room")) if "6" in each.tables]
    assert told[-5:] == [
        "display sign 6: sign",
        "sign sign 6 confirmed: quads $5,000.00",
        "display sign 6 is showing: confirmed by floor",
        "quads: amount changed; now $6,000.00",
        "display sign 6 is unconfirmed: Four Card Jackpot shows $5,000.00, not $6,000.00",
    ]
    state = room.books.state("room")
    for each in PAGE_PROJECTIONS:
        assert each.read(json.loads(json.dumps(each.write(state.of(each))))) == state.of(each)


def test_displays_survive_a_restart(tmp_path: Path) -> None:
    with card_room(tmp_path / "room") as own:
        watch, _ = watch_of(own)
        watch.register(SCREEN, command="d1", actor="Ada")
        before = watch.state.of(DISPLAYS)
    with open_books(tmp_path / "room", projections=(*PROJECTIONS, *PAGE_PROJECTIONS), invariants=()) as books:
        assert books.state("room").of(DISPLAYS) == before


@given(
    some.lists(some.tuples(some.integers(1, 40), some.booleans()), max_size=12),
    some.integers(0, 60),
)
def test_a_screen_is_judged_as_one_who_counts_seconds_would(beats: list[tuple[int, bool]], silence: int) -> None:
    """The twin goes through every second and remembers when it last heard, and since when it was told wrong."""
    seen, at, heard, wrong = DisplayContact(), 0, None, None
    for pause, is_right in beats:
        at += pause
        seen = with_heartbeat(seen, Heartbeat(at * SECOND, {"a": 1 if is_right else 2}), {"a": 1})
        heard, wrong = at, None if is_right else (at if wrong is None else wrong)
    now = at + silence
    expected = "showing"
    if heard is None:
        expected = "dark" if now > LIMITS.dark_seconds else "unseen"
    elif now - heard > LIMITS.dark_seconds:
        expected = "dark"
    elif wrong is not None and now - wrong > LIMITS.stale_seconds:
        expected = "stale"
    assert judge_display(DisplayRecord(SCREEN), seen, {"a": 1}, now * SECOND).condition == expected


def test_a_display_that_was_never_heard_is_not_lost_before_it_is_told_dark() -> None:
    assert tables_to_suspend([DisplayRecord(SCREEN)], 10**15) == ()
