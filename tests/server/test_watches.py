"""Looking after a room for a day in which nothing changes: each watch writes what it finds once, and no more."""

from __future__ import annotations

from collections import Counter

from pitboss.jackpot import JACKPOTS
from pitboss.room.displays import DISPLAYS, Display
from pitboss.tabulator import TABLES
from tests.doors import doors_of
from tests.server.making import SECOND, House, command
from tests.server.test_api import DEVICE, Evening, both

DAY_SECONDS, LOOK_SECONDS = 24 * 60 * 60, 5
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
    written = look_after(house, DAY_SECONDS)
    assert written == {"display-turned": 1, "table-jackpots-suspended": 1, "link-lost": 1, "play-suspended": 1}
    state = house.room.state
    assert state.of(DISPLAYS)["screen 4"].condition == "dark"
    assert state.of(TABLES).tables["4"].life == "suspended"
    assert state.of(TABLES).devices[DEVICE].lost
    assert state.of(JACKPOTS).jackpots["main"].play == "suspended"
