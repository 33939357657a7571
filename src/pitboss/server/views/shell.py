"""What stands around every page of the staff: the room's clock, gambling day and shift, and what waits."""

from typing import Any, NamedTuple
from urllib.parse import quote

from pitboss.books import LEDGER, ROOM, BookState
from pitboss.jackpot import HITS
from pitboss.room.alarms import OWNERS, active_alarms
from pitboss.room.approvals import APPROVALS
from pitboss.room.people.roles import READERS
from pitboss.room.room import room_zone
from pitboss.server.views.formatting import clock, local, short_day, time_of
from pitboss.server.views.viewer import Viewer
from pitboss.tabulator import TABLES


class Waiting(NamedTuple):
    """A badge: what waits, how many there are, in words, and where it is done."""

    kind: str
    number: int
    label: str
    path: str


class ShellView(NamedTuple):
    """The clock in the room's zone, the gambling day with its shift and the instant it ends (ms), and what waits."""

    zone: str
    now: int
    time: str
    day: str
    shift: str
    until: int
    waiting: tuple[Waiting, ...]
    follows: bool
    sequence: int

    @property
    def total(self) -> int:
        """The number of things that wait."""
        return sum(item.number for item in self.waiting)


def has_counted(state: BookState) -> bool:
    """True if a jackpot wager was counted: the first day is over."""
    return any(accounts.counts["wagers_counted"] for accounts in state.of(LEDGER).values())


def counted(count: int, one: str, many: str = "") -> str:
    """Return a number with its noun: 1 alert, 2 alerts."""
    return f"{count:,} {one if count == 1 else many or one + 's'}"


class RoomCounts(NamedTuple):
    """What waits in a room for anybody: jackpots that are being verified or paid, and alerts nobody has taken on."""

    hits: int
    alerts: int


_LAST: list[tuple[BookState, RoomCounts]] = []


def room_counts(state: BookState) -> RoomCounts:
    """Count what waits once for each state of the books: every page and every stream asks for it."""
    if (last := next(iter(_LAST), None)) is not None and last[0] is state:
        return last[1]
    counts = RoomCounts(pending_jackpots(state), open_alerts(state))
    _LAST[:] = [(state, counts)]
    return counts


def pending_jackpots(state: BookState) -> int:
    """Return how many jackpots are being verified or paid."""
    return sum(not hit.is_finished for hit in state.of(HITS).open.values())


def waiting_approvals(state: BookState, viewer: Viewer) -> int:
    """Return how many requests the viewer can approve."""
    return sum(not pending.problems(viewer.name, viewer.roles) for pending in state.of(APPROVALS).values())


def open_alerts(state: BookState) -> int:
    """Return how many alerts nobody has taken on."""
    owners = state.of(OWNERS)
    return sum(alarm.key not in owners for alarm in active_alarms(state))


def waiting_for(state: BookState, viewer: Viewer) -> tuple[Waiting, ...]:
    """Return what waits for the viewer; who does not read the floor sees nothing of it."""
    if not viewer.roles & set(READERS):
        return ()
    (hits, alerts), approvals = room_counts(state), waiting_approvals(state, viewer)
    return (
        Waiting("hits", hits, f"{counted(hits, 'jackpot')} pending", "/floor#hits-title"),
        Waiting("approvals", approvals, f"{counted(approvals, 'approval')}", "/floor#approvals-title"),
        Waiting("alerts", alerts, f"{counted(alerts, 'alert')}", "/floor#alarms-title"),
    )


def waiting_live(state: BookState) -> dict[str, Any]:
    """Return what tells an open page that something waits now that did not, or the other way round."""
    return {
        "hits": room_counts(state).hits,
        "approvals": sorted(pending.number for pending in state.of(APPROVALS).values()),
        "alerts": room_counts(state).alerts,
    }


def shell_view(state: BookState, viewer: Viewer, now: int) -> ShellView:
    """Build what stands around a page."""
    zone, calendar = room_zone(state), state.of(ROOM)
    time = local(now, zone)
    shift = None if calendar is None else calendar.shift(time_of(now))
    return ShellView(
        zone=zone.key,
        now=now // 1000,
        time=clock(time),
        day=short_day(time.date() if shift is None else shift.day),
        shift="" if shift is None else shift_title(shift.name),
        until=0 if shift is None else int(shift.ends.timestamp() * 1000),
        waiting=waiting_for(state, viewer),
        follows=bool(viewer.roles & set(READERS)),
        sequence=state.sequence,
    )


def shift_title(name: str) -> str:
    """Return a shift as people name it: Day shift."""
    return f"{name[:1].upper()}{name[1:]} shift"


_HOMES = {
    "manager": "/today",
    "accounting": "/today",
    "supervisor": "/floor",
    "surveillance": "/floor",
    "auditor": "/office/audit",
    "administrator": "/office/people",
}


def home_of_roles(state: BookState, name: str, roles: frozenset[str]) -> str:
    """Return the page on which somebody begins, by role; a dealer at the table they deal at, else where all are."""
    for role, path in _HOMES.items():
        if role in roles:
            return path
    if "dealer" not in roles:
        return "/"
    tables = [record.table for record in state.of(TABLES).tables.values() if record.dealer == name]
    return f"/tables/{quote(tables[0], safe='')}/console" if len(tables) == 1 else "/tables"
