"""The devices of a room as its page shows them: tabulators, consoles, displays, and how each authenticates."""

from collections.abc import Mapping
from collections.abc import Set as AbstractSet
from typing import NamedTuple
from urllib.parse import quote

from pitboss.books import BookState
from pitboss.room.displays import DISPLAYS, DisplayRecord, is_bare_only, tables_without_display
from pitboss.room.people.people import PEOPLE, Device
from pitboss.server.views.table_state import tables_of

KINDS: Mapping[str, tuple[str, str, str, str]] = {
    "console": ("Dealer's console, a touch screen with a browser", "console", "", ""),
    "device": ("Tabulator of a table, which speaks for itself", "device", "", ""),
    "screen": ("Display with a browser of its own", "display", "screen", ""),
    "monitor-table": ("Bare monitor driven by the table's computer", "display", "monitor", "table"),
    "monitor-server": ("Bare monitor driven by the server", "display", "monitor", "server"),
    "sign": ("Sign that is set by hand", "", "sign", ""),
    "monitor": ("Program that reads the metrics", "monitor", "", ""),
}
"""By the value in the form: its label, what device it is, and what display with which driver."""


class DeviceLine(NamedTuple):
    """A device: its name, what it is, where it stands, how it authenticates, and the condition of a display."""

    name: str
    what: str
    table: str
    authentication: str
    condition: str
    is_bad: bool
    active: bool
    address: str
    links: bool
    tokens: bool


class DevicesView(NamedTuple):
    """Every device, what is missing, and what a form offers."""

    lines: tuple[DeviceLine, ...]
    missing: tuple[str, ...]
    tables: tuple[tuple[str, bool], ...]
    kinds: tuple[tuple[str, str], ...]


def _what(device: Device | None, display: DisplayRecord | None) -> str:
    if display is not None:
        driver = f", driven by the {display.display.driven_by}" if display.display.driven_by else ""
        return f"display: {display.display.make}{driver}"
    return "" if device is None else device.what


def _authentication(name: str, device: Device | None, tokens: AbstractSet[str], enrolled: AbstractSet[str]) -> str:
    if device is None:
        return "set by hand"
    ways = [text for text, names in (("a browser is enrolled", enrolled), ("a token", tokens)) if name in names]
    return ", ".join(ways) or "not yet"


def devices_view(state: BookState, tokens: AbstractSet[str], enrolled: AbstractSet[str]) -> DevicesView:
    """Lay out every device and display."""
    devices, displays = state.of(PEOPLE).devices, state.of(DISPLAYS)
    lines = []
    for name in dict.fromkeys((*devices, *displays)):
        device, display = devices.get(name), displays.get(name)
        active = (device is None or device.active) and (display is None or display.active)
        lines.append(
            DeviceLine(
                name=name,
                what=_what(device, display),
                table=(device.table if device is not None else "")
                or ("" if display is None else display.display.table),
                authentication=_authentication(name, device, tokens, enrolled),
                condition="" if display is None or not active else f"{display.condition}, {display.words}".strip(", "),
                is_bad=display is not None and active and display.condition in ("dark", "stale", "unconfirmed"),
                active=active,
                address=f"/office/devices/{quote(name, safe='')}",
                links=active and device is not None and device.what in ("console", "display"),
                tokens=active and device is not None and device.what != "console",
            )
        )
    missing = tuple(
        f"Table {table} has no display that players can see (J-08, T-04)." for table in tables_without_display(state)
    )
    tables = tuple((table, is_bare_only(state, table)) for table in tables_of(state))
    return DevicesView(tuple(lines), missing, tables, tuple((key, kind[0]) for key, kind in KINDS.items()))
