"""Looking after a room for a day in which nothing changes: each watch writes what it finds once, and no more."""

from __future__ import annotations

import itertools
import json
import re
from collections import Counter
from collections.abc import Callable
from typing import Any

import pytest

from pitboss.books import LEDGER, RefusedError
from pitboss.commands.command import BOOK
from pitboss.jackpot import JACKPOTS
from pitboss.jackpot.escrow import shortfall_units
from pitboss.room import room as room_module
from pitboss.room.alarms import active_alarms
from pitboss.room.damage import Decider, decide_time
from pitboss.room.displays import DISPLAYS, Display
from pitboss.room.room import Room
from pitboss.tabulator import TABLES
from tests.doors import doors_of
from tests.server.making import PASSWORD, SECOND, House, cheap, command
from tests.server.test_api import DEVICE, Evening, both
from tests.server.test_strange_devices import badge

DAY_SECONDS, LOOK_SECONDS = 24 * 60 * 60, 5
WATCH_ID = re.compile(r"watch-[0-9a-f]{32}-((devices|displays|displays-table)-[0-9]{1,3}|escrow)")
WATCHES: dict[str, tuple[Callable[[Room], object], str]] = {
    "sign-ins": (lambda room: room.access, "tidy"),
    "what is due": (lambda room: room, "open_due"),
    "requests": (lambda room: room.approvals, "end_over"),
    "signs": (lambda room: room.signs, "review"),
    "devices": (lambda room: room.devices, "watch"),
    "displays": (lambda room: room.displays, "review"),
    "heads that leave this computer": (lambda room: room.heads, "review"),
    "software": (lambda room: room, "_record_software"),
    "backups": (lambda room: room, "_watch_backups"),
    "escrow": (lambda _room: room_module, "review_escrow"),
}
SCREEN = Display("screen 4", "4", "screen")


def look_after(house: House, seconds: int) -> Counter[str]:
    """Look after the room as often as a server does; count the entries it writes, by kind."""
    before = house.room.state.sequence
    for _ in range(0, seconds, LOOK_SECONDS):
        house.clock.add(LOOK_SECONDS * SECOND)
        house.room.look_after()
    return Counter(entry.kind for entry in house.entries() if entry.sequence > before)


def test_a_day_with_a_dead_display_a_dead_device_and_a_short_escrow_is_written_down_once(house: House) -> None:
    by = Evening(house).by
    # What comes to the jackpot now is never deposited: its escrow is short seven days later, in the middle of the day.
    both(by["manager"], by["accounting"], "jackpots/adjust", name="main", units=1_000_000, words="a gift")
    house.clock.add((6 * DAY_SECONDS + DAY_SECONDS // 2) * SECOND)
    displays = doors_of(house.room).displays
    displays.register(SCREEN, command=command(), actor="Ada")
    displays.register(Display("monitor 4", "4", "monitor", "server"), command=command(), actor="Ada", active=False)
    before = house.room.state.sequence
    written = look_after(house, DAY_SECONDS)
    assert written == {"display-turned": 1, "table-jackpots-suspended": 1, "link-lost": 1, "play-suspended": 1}
    # The ids of a watch hold no name: one that is long or odd keeps nothing from being written (item 12).
    ids = [(entry.kind, entry.command) for entry in house.entries() if entry.sequence > before]
    assert [name for name in ids if not WATCH_ID.fullmatch(name[1])] == []
    assert [alarm for alarm in active_alarms(house.room.state) if alarm.kind == "watch"] == []
    state = house.room.state
    assert state.of(DISPLAYS)["screen 4"].condition == "dark"
    assert state.of(TABLES).tables["4"].life == "suspended"
    assert state.of(TABLES).devices[DEVICE].lost
    assert state.of(JACKPOTS).jackpots["main"].play == "suspended"


def failing(room: Room, name: str, how: Exception, patch: pytest.MonkeyPatch) -> list[str]:
    """Let one watch fail; return the list of those that are run from now on."""
    ran: list[str] = []

    def watched(each: str, look: Callable[..., object]) -> Callable[..., object]:
        def run(*arguments: Any, **named: Any) -> object:
            ran.append(each)
            if each == name:
                raise how
            return look(*arguments, **named)

        return run

    for each, (holder, attribute) in WATCHES.items():
        place = holder(room)
        patch.setattr(place, attribute, watched(each, getattr(place, attribute)))
    return ran


@pytest.mark.parametrize("name", sorted(WATCHES))
def test_item_12_whichever_watch_fails_all_others_run_and_it_is_an_alarm(
    house: House, monkeypatch: pytest.MonkeyPatch, name: str
) -> None:
    watched, watch = list[str](), house.room.watch

    def noted(each: str, look: Callable[[], object]) -> None:
        watched.append(each)
        watch(each, look)

    monkeypatch.setattr(house.room, "watch", noted)
    ran = failing(house.room, name, ZeroDivisionError(), monkeypatch)
    house.room.look_after()
    # One that is added to the server is listed here too.
    assert sorted(ran) == sorted(WATCHES)
    assert sorted(watched) == sorted(WATCHES)
    assert [alarm.key for alarm in active_alarms(house.room.state) if alarm.kind == "watch"] == [f"watch {name}"]


def test_item_12_a_watch_that_is_refused_again_and_again_is_an_alarm(
    house: House, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Once, something has moved meanwhile; a refusal that stays was neither logged nor told."""
    with monkeypatch.context() as patch:
        ran = failing(house.room, "devices", RefusedError(["no"]), patch)
        house.room.look_after()
        assert [alarm for alarm in active_alarms(house.room.state) if alarm.kind == "watch"] == []
        house.room.look_after()
        assert [alarm.key for alarm in active_alarms(house.room.state) if alarm.kind == "watch"] == ["watch devices"]
        assert ran.count("displays") == 2
    house.room.look_after()
    assert [alarm for alarm in active_alarms(house.room.state) if alarm.kind == "watch"] == []


def test_g_77_a_term_of_escrow_that_began_by_a_wrong_clock_is_put_right(house: House) -> None:
    """A contribution that a clock ten years ahead has dated is due seven days after it was made, not in ten years."""
    badge(Evening(house), "A-dealer")
    years = 3_650 * DAY_SECONDS * SECOND
    house.clock.add(years)
    moment = {"sent": house.clock.now, "at": house.clock.now}
    message = {"device": DEVICE, "table": "4", "type": "press", "sequence": 2, "sensors": [[1, 1]], **moment}
    reply = house.room.devices.receive(json.dumps(message))
    assert reply["status"] == "counted", reply["problems"]
    house.clock.add(-years)
    now = house.clock.now

    def short(room: Room, days: int) -> bool:
        record, accounts = room.state.of(JACKPOTS).jackpots["main"], room.state.of(LEDGER)["main"]
        return bool(shortfall_units(record, accounts, now + days * DAY_SECONDS * SECOND))

    assert not short(house.room, 30)
    house.room.close()
    running = itertools.count(0, 1_000)
    with Room(house.room.path, clock=house.clock, monotonic=lambda: next(running), hashing=cheap()) as room:
        assert room.books.clock_jump
        two = (Decider("A-manager", PASSWORD), Decider("A-accounting", PASSWORD))
        decide_time(room, BOOK, *two, reason="the battery of the clock was empty")
        assert (short(room, 6), short(room, 8)) == (False, True)
