"""The journal for people: entries as lines, one entry whole, and what leads from it to others."""

from __future__ import annotations

import datetime
import json
from collections.abc import Iterable, Iterator, Mapping
from itertools import accumulate
from typing import Any, NamedTuple
from urllib.parse import urlencode

from pitboss.books import EPOCH, BookState, Calendar, Entry, Movement, UnreadableError, instant_text, read_payload
from pitboss.meters import cents_shown
from pitboss.reports.render import clock_text, money_places, money_text, units_words
from pitboss.room.commands import EXPOSED
from pitboss.room.people.people import PEOPLE
from pitboss.room.people.roles import PEOPLE_ROLES
from pitboss.server.views.formatting import dollars

_SAID_LENGTH_MAX = 150
_BASE = "/office/audit"


class Wanted(NamedTuple):
    """Which entries are looked for; what is empty does not narrow them."""

    kind: str = ""
    actor: str = ""
    table: str = ""
    words: str = ""


class EntryLine(NamedTuple):
    """An entry in one line: its number, when it was recorded, kind, who, where, and what it says in short."""

    sequence: int
    when: str
    kind: str
    actor: str
    table: str
    said: str


class JournalView(NamedTuple):
    """A page of the journal, newest first; `looked` says how far it was read, `older` where to read on."""

    lines: tuple[EntryLine, ...]
    looked: str
    older: str
    newest: str


class Moved(NamedTuple):
    """Money that an entry moved."""

    payer: str
    payee: str
    amount: str
    words: str


class Field(NamedTuple):
    """A name and what stands there."""

    name: str
    text: str


class EntryView(NamedTuple):
    """One entry, whole, with what proves it and where it leads."""

    sequence: int
    kind: str
    actor: str
    table: str
    happened: str
    recorded: str
    recorded_utc: str
    command: str
    part: str
    siblings: tuple[int, ...]
    jackpot: str
    moved: tuple[Moved, ...]
    said: tuple[Field, ...]
    unreadable: str
    request: str
    previous: str
    digest: str
    is_sound: bool
    is_linked: bool
    earlier: int | None
    later: int | None
    explain: str
    hit: str
    escrow: str
    meters: str


def is_wanted(entry: Entry, wanted: Wanted) -> bool:
    """Whether an entry is one of those that are looked for."""
    return (
        wanted.kind in ("", entry.kind)
        and wanted.table in ("", entry.table)
        and wanted.actor.casefold() in entry.actor.casefold()
        and wanted.words.casefold() in _letters(entry.payload, wanted.words).casefold()
    )


def _letters(payload: str, words: str) -> str:
    """A payload as it is searched: written in ASCII, so that other letters are looked for where they are read."""
    return payload if words.isascii() else json.dumps(json.loads(payload), ensure_ascii=False)


def _transfers(movement: Movement) -> str:
    return ", ".join(f"{each.payer} to {each.payee} {units_words(each.units)}" for each in movement.transfers)


def _said(entry: Entry) -> str:
    """Say in short what an entry says; what cannot be read is told so (G-29)."""
    try:
        value = read_payload(entry.kind, entry.payload)
    except UnreadableError:
        return "cannot be read"
    if isinstance(value, Movement):
        parts = [value.jackpot, _transfers(value), value.words]
        text = "; ".join(part for part in parts if part)
    else:
        text = ", ".join(f"{each.name} {each.text}" for each in fields_of(value.to_json()) if each.text)
    return text if len(text) <= _SAID_LENGTH_MAX else f"{text[: _SAID_LENGTH_MAX - 1].rstrip()}…"


def entry_line(entry: Entry, zone: Any) -> EntryLine:
    """Put an entry into one line."""
    when = clock_text(entry.recorded, zone)
    return EntryLine(entry.sequence, when, entry.kind, entry.actor, entry.table, _said(entry))


def journal_view(
    found: Iterable[Entry], zone: Any, asked: Mapping[str, str], looked: tuple[int, int], end: int
) -> JournalView:
    """Lay out a page: what was found between two entries, and the address of what is older than them."""
    first, last = looked
    named = {name: value for name, value in asked.items() if value}
    older = f"{_BASE}?{urlencode({**named, 'before': first})}" if first > max(end, 1) else ""
    told = f"entries {first:,} to {last:,}" if last >= first else "no entry"
    newest = f"{_BASE}?{urlencode(named)}" if named else _BASE
    return JournalView(tuple(entry_line(each, zone) for each in found), told, older, newest)


def fields_of(said: Any, name: str = "") -> tuple[Field, ...]:
    """Write what a payload says as names and texts, whatever is inside of what."""
    return tuple(_fields(said, name))


def _fields(said: Any, name: str) -> Iterator[Field]:
    if isinstance(said, Mapping):
        for key, value in said.items():
            yield from _fields(value, f"{name} {key}".strip().replace("_", " "))
    elif isinstance(said, list | tuple):
        if all(not isinstance(each, Mapping | list | tuple) for each in said):
            yield Field(name, ", ".join(_text(each) for each in said))
        else:
            for number, each in enumerate(said, start=1):
                yield from _fields(each, f"{name} {number}")
    else:
        yield Field(name, _text(said))


def _text(value: Any) -> str:
    if value is None:
        return ""
    if isinstance(value, bool):
        return "yes" if value else "no"
    return str(value)


def _day(calendar: Calendar | None, entry: Entry) -> str:
    instant = EPOCH + datetime.timedelta(microseconds=entry.recorded)
    return (instant.date() if calendar is None else calendar.gambling_day(instant)).isoformat()


def _links(entry: Entry, value: Any, calendar: Calendar | None) -> dict[str, str]:
    """Where an entry leads: to the display that it moved, the hit it belongs to, and reports of its day."""
    found = dict.fromkeys(("explain", "hit", "escrow", "meters"), "")
    if isinstance(value, Movement):
        day = _day(calendar, entry)
        query = urlencode({"first": day, "last": day, "jackpot": value.jackpot})
        found["explain"] = f"{_BASE}/explain?{urlencode({'jackpot': value.jackpot, 'entry': entry.sequence})}"
        found["meters"], found["escrow"] = f"/office/reports/meters?{query}", f"/office/reports/escrow?{query}"
        number = value.details.get("hit", entry.sequence if "meter_entry" in value.details else None)
    else:
        number = getattr(value, "hit", None)
    if isinstance(number, int):
        found["hit"] = f"{_BASE}/explain?{urlencode({'hit': number})}"
    return found


def entry_view(
    entry: Entry, zone: Any, before: Entry | None, after: Entry | None, calendar: Calendar | None
) -> EntryView:
    """Lay one entry out, between its neighbours."""
    unreadable, value, said = "", None, json.loads(entry.payload)
    try:
        value = read_payload(entry.kind, entry.payload)
    except UnreadableError as error:
        unreadable = str(error)
    moved: tuple[Moved, ...] = ()
    if isinstance(value, Movement):
        places = money_places(each.units for each in value.transfers)
        moved = tuple(
            Moved(
                each.payer,
                each.payee,
                money_text(each.units, places),
                " ".join(filter(None, (each.words, each.reason))),
            )
            for each in value.transfers
        )
        said = {name: each for name, each in said.items() if name not in ("transfers", "jackpot")}
    first = entry.sequence - entry.part
    return EntryView(
        sequence=entry.sequence,
        kind=entry.kind,
        actor=entry.actor,
        table=entry.table,
        happened=clock_text(entry.happened, zone),
        recorded=clock_text(entry.recorded, zone),
        recorded_utc=instant_text(entry.recorded),
        command=entry.command,
        part=f"{entry.part + 1} of {entry.parts}",
        siblings=tuple(each for each in range(first, first + entry.parts) if each != entry.sequence),
        jackpot=value.jackpot if isinstance(value, Movement) else "",
        moved=moved,
        said=fields_of(said),
        unreadable=unreadable,
        request=entry.request.hex(),
        previous=entry.previous.hex(),
        digest=entry.digest.hex(),
        is_sound=entry.is_sound,
        is_linked=entry.previous == (bytes(32) if before is None else before.digest),
        earlier=None if before is None else before.sequence,
        later=None if after is None else after.sequence,
        **_links(entry, value, calendar),
    )


class Did(NamedTuple):
    """A kind of entry that somebody signed, how often, and where they are."""

    kind: str
    entries: str
    address: str


class Who(NamedTuple):
    """Somebody, his roles now, and what he did; a table or a device has none."""

    name: str
    roles: str
    entries: str
    did: tuple[Did, ...]


class May(NamedTuple):
    """A command: what it is for, the mark of each role in their order, and who approves."""

    name: str
    says: str
    marks: tuple[str, ...]
    approvers: str


def who_view(state: BookState, who: Mapping[str, Mapping[str, int]], day: str) -> tuple[Who, ...]:
    """List everybody who signed an entry, people first."""
    found = []
    for name, kinds in who.items():
        person = state.of(PEOPLE).named(name)
        roles = "" if person is None else ", ".join(person.roles)
        did = tuple(
            Did(kind, f"{count:,}", f"/office/audit?{urlencode({'actor': name, 'kind': kind, 'day': day})}")
            for kind, count in sorted(kinds.items(), key=lambda each: (-each[1], each[0]))
        )
        found.append((person is None, name, Who(name, roles, f"{sum(kinds.values()):,}", did)))
    return tuple(who for _, _, who in sorted(found, key=lambda each: each[:2]))


def may_view() -> tuple[May, ...]:
    """Return every command by role: `asks`, or `gives` for the second person (T-06)."""
    return tuple(
        May(
            spec.name,
            spec.summary,
            tuple("asks" if role in spec.roles else "gives" if role in spec.approvers else "" for role in PEOPLE_ROLES),
            ", ".join(spec.approvers),
        )
        for spec in (cls.spec for cls in EXPOSED)
    )


class PartLine(NamedTuple):
    """One line: what came to the display or left it, and where its entries are."""

    what: str
    table: str
    day: str
    wagers: str
    amount: str
    comes_to: str
    entries: str
    address: str


class DisplayExplained(NamedTuple):
    """Why a display showed what it showed after an entry."""

    jackpot: str
    entry: int
    shown: str
    exact: str
    generation: int
    complete: bool
    lines: tuple[PartLine, ...]


class PrizeLine(NamedTuple):
    """A prize and why it is what it is: clause, ruling, words."""

    seat: int
    row: str
    amount: str
    winner: str
    slip: str
    because: tuple[tuple[str, str, str], ...]


class HitExplained(NamedTuple):
    """A hit from its prizes back to cards and clauses; the meter it is of; its entries."""

    hit: int
    state: str
    jackpot: str
    paytable: str
    table: str
    round: int
    meter: str
    cards: tuple[tuple[str, str], ...]
    prizes: tuple[PrizeLine, ...]
    envy: tuple[tuple[int, str, str], ...]
    entries: tuple[dict[str, Any], ...]
    display: DisplayExplained


def _part(part: dict[str, Any], comes_to: int, places: tuple[int, int]) -> PartLine:
    first, last, entries = part["first"], part["last"], part["entries"]
    one = first == last
    table = part["table"] if part["table"] != "-" else ""
    said = {"kind": "wagers-counted", "table": table} if part["wagers"] else {}
    query = urlencode(
        {**{name: value for name, value in said.items() if value}, "before": last + 1, "after": first - 1}
    )
    return PartLine(
        what=part["what"],
        table=table,
        day=part["day"],
        wagers=f"{part['wagers']:,}" if part["wagers"] else "",
        amount=money_text(part["units"], places[0]).replace("-", "\N{MINUS SIGN}", 1),
        comes_to=money_text(comes_to, places[1]),
        entries=str(first) if one else f"{entries:,} from {first:,} to {last:,}",
        address=f"/office/audit/{first}" if one else f"/office/audit?{query}",
    )


def display_explained(told: dict[str, Any]) -> DisplayExplained:
    """Lay out an explanation of a display; the last line comes to what it showed (J-09, T-14)."""
    parts = told["parts"]
    sums = list(accumulate(part["units"] for part in parts))
    places = money_places(part["units"] for part in parts), money_places([*sums, told["displayed_units"]])
    lines = [_part(part, comes_to, places) for part, comes_to in zip(parts, sums, strict=True)]
    return DisplayExplained(
        jackpot=told["jackpot"],
        entry=told["entry"],
        shown=dollars(cents_shown(told["displayed_units"])),
        exact=money_text(told["displayed_units"], places[1]),
        generation=told["generation"],
        complete=told["complete"],
        lines=tuple(lines),
    )


def _prize(said: dict[str, Any]) -> PrizeLine:
    because = tuple((each["clause"], each["ruling"] or "", each["text"]) for each in said["because"])
    slip = "" if said["slip"] is None else str(said["slip"])
    return PrizeLine(said["seat"], said["row"], dollars(said["cents"]), said["winner"] or "", slip, because)


def hit_explained(told: dict[str, Any]) -> HitExplained:
    """Lay out an explanation of a hit."""
    return HitExplained(
        hit=told["hit"],
        state=told["state"],
        jackpot=told["jackpot"],
        paytable=told["paytable"],
        table=told["table"],
        round=told["round"],
        meter=dollars(told["meter_cents"]),
        cards=tuple(told["cards"].items()),
        prizes=tuple(_prize(each) for each in told["prizes"]),
        envy=tuple((each["seat"], dollars(each["cents"]), each["text"]) for each in told["envy"]),
        entries=tuple(told["entries"]),
        display=display_explained(told["meter"]),
    )
