"""The displays of the room: which there are, what each was last known to do, and when a table has none that is true.

Everybody who could win a meter sees it (T-04), and within thirty seconds as it stands (T-05). So a display of a jackpot
table is registered, and says every few seconds what it shows; a sign that is set by hand is confirmed by a person. One
that is dark, stale or unconfirmed raises an alarm, and a table without a true display has its jackpots suspended.
"""

import datetime
import threading
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import suppress
from typing import Annotated, Literal, NamedTuple, TypeAlias, get_args

from pitboss import books, law
from pitboss.commands import By, Command, Count, Executor, Name, Now, Words, command, refuse
from pitboss.commands.command import SYSTEM_ACTOR
from pitboss.commands.roles import FLOOR, SYSTEM
from pitboss.games import find_game
from pitboss.jackpot import JACKPOTS, Jackpot, PlayReason, SuspendJackpot
from pitboss.room.configurations import configuration_by_hash, configurations_at
from pitboss.rules import dollars
from pitboss.tabulator import TABLES, SuspendTable

Make: TypeAlias = Literal["screen", "monitor", "sign"]
"""A screen with a browser of its own, a bare monitor driven by a computer, or a sign or frame that is set by hand."""
Driver: TypeAlias = Literal["", "table", "server"]
Condition: TypeAlias = Literal["unseen", "showing", "stale", "dark", "unconfirmed"]
MAKES: tuple[Make, ...] = get_args(Make)
CONDITIONS: tuple[Condition, ...] = get_args(Condition)
_SECOND = 1_000_000


class DisplayLimits(NamedTuple):
    """How long a display may be silent or show another amount (T-05), and until its table's jackpots are suspended."""

    dark_seconds: int
    stale_seconds: int
    suspend_seconds: int
    confirm_seconds: int


def limits_at(now: int) -> DisplayLimits:
    """Return the limits in force at an instant: dated settings of the law (G-51)."""
    day = (books.EPOCH + datetime.timedelta(microseconds=now)).date()
    return DisplayLimits(*(law.value_on(f"display_{name}", day) for name in DisplayLimits._fields))


class Display(NamedTuple):
    """A display: its name, its table, what it is, and for a bare monitor which computer drives it (E-08)."""

    name: str
    table: str
    make: Make
    driven_by: Driver = ""


def display_problems(display: Display, *, bare_only: bool = False) -> list[str]:
    """Return everything that is wrong with a display; `bare_only` where displays have no intelligence of their own."""
    problems = [f"{name} must say something" for name in ("name", "table") if not getattr(display, name).strip()]
    if display.make not in MAKES:
        problems.append(f"make: {display.make!r} is none of {', '.join(MAKES)}")
    if (display.make == "monitor") != bool(display.driven_by):
        problems.append("a bare monitor is driven by the table's or the server's computer, and nothing else is (E-08)")
    if bare_only and display.make != "monitor":
        problems.append(f"the game at table {display.table} has bare monitors only, driven by a computer (E-08)")
    return problems


@books.entry_kind("display-set", writes_defaults=True)
class DisplaySet(books.EntryPayload):
    """A display was registered, or registered anew; or taken away."""

    display: Annotated[Display, books.INLINE]
    active: bool = True

    def payload_problems(self) -> Iterable[str]:
        """Return what is wrong with the display."""
        return display_problems(self.display)


@books.entry_kind("display-turned")
class DisplayTurned(books.EntryPayload):
    """A display came to another condition: the log of which were connected, and the alarm where it is a bad one."""

    name: str
    condition: Condition
    words: str


@books.entry_kind("display-confirmed")
class DisplayConfirmed(books.EntryPayload):
    """A person has looked at a sign that is set by hand: the amounts it shows, in cents by jackpot."""

    name: str
    amounts: Mapping[str, int]


@books.json_object
class DisplayRecord(NamedTuple):
    """A display as the journal has it: its condition and since when, and what was last confirmed of a sign."""

    display: Display
    active: bool = True
    condition: Condition = "unseen"
    since: books.Instant = 0
    words: str = ""
    confirmed: Mapping[str, int] | None = None

    @property
    def is_true(self) -> bool:
        """True if players read the right amount off it."""
        return self.active and self.condition == "showing"


Records: TypeAlias = Mapping[str, DisplayRecord]


def _fold(records: Records, entry: books.Entry, value: books.Payload) -> Records:
    if isinstance(value, DisplaySet):
        record = DisplayRecord(value.display, value.active, since=entry.recorded)
        return {**records, value.display.name: record}
    if isinstance(value, DisplayTurned):
        turned = {"condition": value.condition, "since": entry.recorded, "words": value.words}
        return {**records, value.name: records[value.name]._replace(**turned)}  # type: ignore[arg-type]
    if isinstance(value, DisplayConfirmed):
        return {**records, value.name: records[value.name]._replace(confirmed=dict(value.amounts))}
    return records


DISPLAYS: books.Projection[Records] = books.Projection(
    name="displays",
    shape=Records,
    empty={},
    fold=_fold,
    kinds=books.kinds_of(DisplaySet, DisplayTurned, DisplayConfirmed),
)


def shown_at(state: books.BookState, table: str) -> dict[str, int]:
    """Return what the displays of a table must show: the cents of each jackpot that has a meter."""
    ledger = state.of(books.LEDGER)
    names = (record.jackpot.name for record in state.of(JACKPOTS).at(table))
    return {name: ledger[name].meter_state.displayed_cents for name in names if name in ledger}


class Heartbeat(NamedTuple):
    """A report of a display about itself: when, and the amounts that it shows."""

    at: int
    amounts: Mapping[str, int]


class DisplayContact(NamedTuple):
    """The contact with a display: its last beat, and since when it shows something else than the ledger.

    One without a beat is waited for since its registration or the server's start, whichever is later.
    """

    beat: Heartbeat | None = None
    differs_since: int | None = None
    waiting_since: int = 0


def with_heartbeat(before: DisplayContact, beat: Heartbeat, must_show: Mapping[str, int]) -> DisplayContact:
    """Return the contact after a beat; an amount on its way to the ledger's differs until it is there."""
    if dict(beat.amounts) == dict(must_show):
        return DisplayContact(beat, None)
    return DisplayContact(beat, beat.at if before.differs_since is None else before.differs_since)


class DisplayVerdict(NamedTuple):
    """The condition of a display, and why."""

    condition: Condition
    words: str


def judge_display(
    record: DisplayRecord,
    seen: DisplayContact,
    must_show: Mapping[str, int],
    now: int,
    limits: DisplayLimits | None = None,
    title: Callable[[str], str] = str,
) -> DisplayVerdict:
    """Return the condition of a display: of a sign by its confirmation, of others by their beats (T-04, T-05)."""
    limits = limits or limits_at(now)
    if record.display.make == "sign":
        wrong = _differences(record.confirmed or {}, must_show, title)
        return DisplayVerdict("unconfirmed", wrong) if wrong else DisplayVerdict("showing", "confirmed by floor")
    if seen.beat is None:
        if not _is_over(seen.waiting_since, now, limits.dark_seconds):
            return DisplayVerdict(record.condition, record.words)
        start = "it was registered" if record.condition == "unseen" else "the server started"
        return DisplayVerdict("dark", f"not heard since {start}")
    if _is_over(seen.beat.at, now, limits.dark_seconds):
        return DisplayVerdict("dark", f"not heard for {limits.dark_seconds} seconds")
    if seen.differs_since is not None and _is_over(seen.differs_since, now, limits.stale_seconds):
        wrong = _differences(seen.beat.amounts, must_show, title)
        return DisplayVerdict("stale", wrong or "other amounts than the ledger")
    return DisplayVerdict("showing", "connected")


def _is_over(since: int, now: int, seconds: int) -> bool:
    return now - since > seconds * _SECOND


def _differences(shows: Mapping[str, int], must_show: Mapping[str, int], title: Callable[[str], str] = str) -> str:
    wrong = [name for name in (*must_show, *shows) if shows.get(name) != must_show.get(name)]
    return "; ".join(
        f"{title(name)} shows {_amount_text(shows, name)}, not {_amount_text(must_show, name)}"
        for name in dict.fromkeys(wrong)
    )


def _amount_text(amounts: Mapping[str, int], name: str) -> str:
    return dollars(amounts[name]) if name in amounts else "nothing"


def jackpot_games(state: books.BookState, table: str) -> set[str]:
    """Return the games whose jackpots are played at a table, or stated by what is posted or prepared there."""
    games = {record.jackpot.offer_at(table).game for record in state.of(JACKPOTS).at(table)}
    posted = configurations_at(state, table)
    hashes = [posting.hash for posting in (posted.now, *posted.prepared) if posting is not None]
    for configuration in (configuration_by_hash(state, each) for each in hashes):
        games |= {configuration.game} if configuration is not None and configuration.jackpots else set()
    return games


def is_bare_only(state: books.BookState, table: str) -> bool:
    """True if jackpots are played at a table, or stated for it, whose displays are bare monitors (E-08)."""
    return any(find_game(game).approval.bare_displays for game in jackpot_games(state, table))


def displays_at(state: books.BookState, table: str) -> Records:
    """Return the displays that are registered at a table."""
    records = state.parts.get(DISPLAYS.name, {})
    return {name: record for name, record in records.items() if record.active and record.display.table == table}


def bare_problems(state: books.BookState, games: Mapping[str, str]) -> list[str]:
    """Return which displays may not show jackpots of games, by table the game dealt there: only bare monitors may.

    It is asked when a jackpot is defined, when a configuration is posted, and at every opening (E-08).
    """
    return [
        f"display {name} at table {table} is a {record.display.make}, and {game.title} has bare monitors only, driven "
        f"by a computer ({game.name} {game.approval.bare_displays}; REGULATION E-08, G-51)"
        for table, game in ((table, find_game(name)) for table, name in games.items())
        if game.approval.bare_displays
        for name, record in displays_at(state, table).items()
        if record.display.make != "monitor"
    ]


def _is_read(state: books.BookState, record: DisplayRecord) -> bool:
    """True if players read the right amounts off a display; a sign shows what was confirmed last."""
    if record.display.make == "sign":
        return not _differences(record.confirmed or {}, shown_at(state, record.display.table))
    return record.is_true


def untrue_displays(state: books.BookState, table: str) -> list[str]:
    """Return why players at a table see no amount that is true: no display, or none that shows it (T-04, T-05)."""
    records = displays_at(state, table)
    if any(_is_read(state, record) for record in records.values()):
        return []
    if not records:
        return [f"table {table} has no display of its jackpots: register one (T-04, J-08, G-51)"]
    return [f"display {name} of table {table} {_lacks(record)} (T-04, T-05, G-51)" for name, record in records.items()]


def _lacks(record: DisplayRecord) -> str:
    if record.display.make == "sign":
        return "is not confirmed: somebody looks at its amounts"
    if record.condition == "unseen":
        return "was never heard"
    return f"is {record.condition}: {record.words}"


def showing_problems(state: books.BookState, table: str) -> list[str]:
    """Return what the displays hold against playing the jackpots of a table that are not closed."""
    played = any(record.play != "closed" for record in state.of(JACKPOTS).at(table))
    return untrue_displays(state, table) if played else []


def jackpot_showing_problems(state: books.BookState, jackpot: Jackpot) -> list[str]:
    """Return what the displays hold against opening a jackpot.

    Each table that would play it at once has a true display; a closed one is asked when it opens. Where all are closed,
    one of them has it.
    """
    untrue = {link.table: untrue_displays(state, link.table) for link in jackpot.tables}
    if all(untrue.values()):
        return [problem for problems in untrue.values() for problem in problems]
    return [problem for table, problems in untrue.items() if not _is_closed(state, table) for problem in problems]


def _is_closed(state: books.BookState, table: str) -> bool:
    tables = state.parts.get(TABLES.name)
    record = None if tables is None else tables.tables.get(table)
    return record is not None and record.life != "open"


def unshown_tables(state: books.BookState) -> dict[str, int]:
    """Return the tables that play a jackpot and have no display at all, and since when (T-04)."""
    unshown: dict[str, int] = {}
    for record in state.of(JACKPOTS).jackpots.values():
        tables = [link.table for link in record.jackpot.tables] if record.play == "open" else []
        for table in tables:
            if not _is_closed(state, table) and not displays_at(state, table):
                gone = [each.since for each in state.of(DISPLAYS).values() if each.display.table == table]
                unshown[table] = max(record.play_since, unshown.get(table, 0), *gone)
    return unshown


def tables_without_display(state: books.BookState) -> tuple[str, ...]:
    """Return the tables of jackpots at which no display is registered: each must have one (T-04)."""
    linked = {link.table for record in state.of(JACKPOTS).jackpots.values() for link in record.jackpot.tables}
    equipped = {record.display.table for record in state.of(DISPLAYS).values() if record.active}
    return tuple(sorted(linked - equipped))


def tables_to_suspend(
    records: Iterable[DisplayRecord], now: int, limits: DisplayLimits | None = None
) -> tuple[str, ...]:
    """Return the tables none of whose displays is true, each for longer than it may be."""
    limits = limits or limits_at(now)
    by_table: dict[str, list[bool]] = {}
    for record in records:
        if record.active:
            seconds = limits.confirm_seconds if record.display.make == "sign" else limits.suspend_seconds
            lost = record.condition not in ("showing", "unseen") and _is_over(record.since, now, seconds)
            by_table.setdefault(record.display.table, []).append(lost)
    return tuple(sorted(table for table, lost in by_table.items() if all(lost)))


_SUPERVISOR = By("pitboss", "supervisor")


@command("displays/register", roles=("manager", "administrator"))
class RegisterDisplay(Command):
    """Register a display at a table, or remove it."""

    name: Name
    table: Name
    make: Make
    driven_by: Driver = ""
    active: bool = True

    def entries(self, now: Now, by: By) -> list[books.Payload]:
        """Return the display as it is from now on."""
        display = Display(self.name, self.table, self.make, self.driven_by)
        refuse(display_problems(display, bare_only=self.active and is_bare_only(now.state, self.table)))
        return [DisplaySet(display=display, active=self.active)]

    def table_name(self, state: books.BookState) -> str:
        """A display belongs to the room."""
        return ""


@command("displays/confirm", roles=FLOOR)
class ConfirmDisplay(Command):
    """Confirm what a manual sign shows: by jackpot the cents."""

    name: Name
    amounts: Mapping[Name, Count]

    def entries(self, now: Now, by: By) -> list[books.Payload]:
        """Return the amounts that the sign shows."""
        record = now.state.of(DISPLAYS).get(self.name)
        if record is None or not record.active or record.display.make != "sign":
            raise books.RefusedError([f"{self.name!r} is no sign that is set by hand"])
        return [DisplayConfirmed(name=self.name, amounts=dict(self.amounts))]


@command("displays/turn", roles=SYSTEM, is_exposed=False)
class TurnDisplay(Command):
    """Record that a display has come to another condition."""

    name: Name
    condition: Condition
    words: Words

    def entries(self, now: Now, by: By) -> list[books.Payload]:
        """Return the new condition, where it is one."""
        record = now.state.of(DISPLAYS).get(self.name)
        if record is None or record.condition == self.condition:
            raise books.RefusedError([f"display {self.name!r} is {self.condition} already, or not there"])
        return [DisplayTurned(name=self.name, condition=self.condition, words=self.words)]


class DisplayWatch:
    """The displays of a room; beats are kept in memory, and only what they change is journalled.

    How long one is silent or wrong goes by the time that no setting of the clock moves (G-77).
    """

    def __init__(self, executor: Executor, limits: DisplayLimits | None = None) -> None:
        self._executor, self.clock, self.limits = executor, executor.services.clock, limits
        self._running = executor.services.monotonic
        self._lock = threading.Lock()
        self.begin()

    def begin(self) -> None:
        """Wait for every display anew, as a server does that starts or takes over."""
        with self._lock:
            self._seen: dict[str, DisplayContact] = {}
            self._since: dict[str, tuple[books.Instant, int]] = {}
            self._started = self._running()

    @property
    def state(self) -> books.BookState:
        """The state of the room's book after the last commit."""
        return self._executor.services.state

    def beat(self, name: str, amounts: Mapping[str, int]) -> bool:
        """Record what a display says it shows; False for a display that is not registered."""
        record = self.state.of(DISPLAYS).get(name)
        if record is None or not record.active:
            return False
        must_show = shown_at(self.state, record.display.table)
        with self._lock:
            before = self._seen.get(name, DisplayContact())
            self._seen[name] = with_heartbeat(before, Heartbeat(self._running(), dict(amounts)), must_show)
        return True

    def last_beats(self) -> dict[str, Heartbeat]:
        """Return what each display last said of itself, since the server runs, by the clock as it is now."""
        ahead = self.clock() - self._running()
        with self._lock:
            beats = {name: seen.beat for name, seen in self._seen.items() if seen.beat is not None}
        return {name: beat._replace(at=beat.at + ahead) for name, beat in beats.items()}

    def _instant(self, key: str, since: books.Instant) -> int:
        """Return when something of the books was by the time that the computer runs, as it was first looked at."""
        instant = self._since.get(key)
        if instant is None or instant[0] != since:
            instant = self._since[key] = (since, self._running() - max(0, self.clock() - since))
        return instant[1]

    def review(self, *, command: str) -> tuple[str, ...]:
        """Record every turn, and suspend what must be; return the tables that were suspended."""
        now, limits = self._running(), self.limits or limits_at(self.clock())
        for number, (name, record) in enumerate(self.state.of(DISPLAYS).items(), start=1):
            if not record.active:
                continue
            must_show = shown_at(self.state, record.display.table)
            title = self.state.of(JACKPOTS).title
            verdict = judge_display(record, self._watched(name, record), must_show, now, limits, title)
            if verdict.condition != record.condition:
                turn = TurnDisplay(name=name, condition=verdict.condition, words=verdict.words)
                self._executor.do(turn, SYSTEM_ACTOR, id=f"{command}-{number}")
        lost = {*tables_to_suspend(self._records(), now, limits), *self._unshown(now, limits)}
        numbered = enumerate(sorted(lost), start=1)
        return tuple(table for number, table in numbered if self._suspend(table, f"{command}-table-{number}"))

    def _unshown(self, now: int, limits: DisplayLimits) -> Iterator[str]:
        """Yield the tables that have had no display for longer than they may play so, since the server runs."""
        for table, since in unshown_tables(self.state).items():
            if _is_over(max(self._instant(f"table {table}", since), self._started), now, limits.suspend_seconds):
                yield table

    def _watched(self, name: str, record: DisplayRecord) -> DisplayContact:
        """Return what was heard of a display; a beat from before its registration does not count."""
        since = self._instant(f"display {name}", record.since)
        with self._lock:
            seen = self._seen.get(name, DisplayContact(waiting_since=self._started))
            if record.condition == "unseen" and (seen.beat is None or seen.beat.at < since):
                seen = DisplayContact(waiting_since=max(since, self._started))
            self._seen[name] = seen
        return seen

    def _records(self) -> Iterator[DisplayRecord]:
        """Return the displays as the journal has them; one that was never heard is lost since it is waited for."""
        for name, record in self.state.of(DISPLAYS).items():
            seen = self._seen.get(name, DisplayContact())
            is_unheard = seen.beat is None and record.display.make != "sign"
            since = seen.waiting_since if is_unheard else self._instant(f"display {name}", record.since)
            yield record._replace(since=since)

    def _suspend(self, table: str, command: str) -> bool:
        """Suspend what is played at a table whose displays show nothing true (T-04, T-09)."""
        words = f"no display of table {table} shows the amount (T-04)"
        record = self.state.of(TABLES).tables.get(table) if TABLES.name in self.state.parts else None
        if record is not None:
            # The jackpots of this table alone, between rounds: linked tables whose displays are true play on.
            with suppress(books.RefusedError):
                if record.life == "open":
                    self._executor.do(SuspendTable(table=table, words=words), _SUPERVISOR, id=command)
                    return True
            return False
        names = [jackpot.jackpot.name for jackpot in self.state.of(JACKPOTS).at(table) if jackpot.play == "open"]
        for number, name in enumerate(names, start=1):
            suspend = SuspendJackpot(name=name, words=words, reason=PlayReason.EQUIPMENT_MALFUNCTION)
            self._executor.do(suspend, _SUPERVISOR, id=f"{command}-{number}")
        return bool(names)
