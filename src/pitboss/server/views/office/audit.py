"""The audit for people: entries as lines, one entry whole and its links, amounts explained, and configurations."""

import datetime
import json
from collections.abc import Iterable, Iterator, Mapping
from itertools import accumulate
from typing import Any, NamedTuple
from urllib.parse import urlencode
from zoneinfo import ZoneInfo

from pitboss import books
from pitboss.commands import CommandSpec
from pitboss.games import find_game
from pitboss.jackpot import HITS, jackpot_title
from pitboss.meters import cents_shown
from pitboss.reports.render import money_places, money_text
from pitboss.room.commands import EXPOSED
from pitboss.room.configurations import CONFIGURATIONS, configuration_by_hash
from pitboss.room.people.people import PEOPLE
from pitboss.room.people.roles import PEOPLE_ROLES
from pitboss.room.room import room_zone
from pitboss.room.sentences import kind_title, sentence_of
from pitboss.rules import full_words
from pitboss.server.views.formatting import day_text, dollars, log_time, medium_day

_BASE = "/office/audit"


class EntryLine(NamedTuple):
    """An entry in one line: its number, when it was logged, its type, a sentence, and where."""

    sequence: int
    when: str
    title: str
    sentence: str
    table: str


class JournalView(NamedTuple):
    """A page of the journal, newest first; `span` is what was read, `older` the address of what is before."""

    lines: tuple[EntryLine, ...]
    span: str
    older: str
    newest: str


class TransferLine(NamedTuple):
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

    entry: books.Entry
    title: str
    sentence: str
    happened: str
    recorded: str
    written: str
    recorded_utc: str
    part: str
    siblings: tuple[int, ...]
    jackpot: str
    transfers: tuple[TransferLine, ...]
    fields: tuple[Field, ...]
    unreadable: str
    is_linked: bool
    earlier: int | None
    later: int | None
    explain: str
    hit: str
    escrow: str
    meters: str


def matches(entry: books.Entry, sought: books.Sought) -> bool:
    """True if an entry is one of those that are sought; what is empty does not narrow them."""
    return (
        sought.kind in ("", entry.kind)
        and sought.table in ("", entry.table)
        and sought.actor.casefold() in entry.actor.casefold()
        and sought.words.casefold() in _searchable(entry.payload, sought.words).casefold()
    )


def _searchable(payload: str, words: str) -> str:
    """Return a payload as it is searched: it is written in ASCII, so other letters are looked for in what it reads."""
    return payload if words.isascii() else json.dumps(json.loads(payload), ensure_ascii=False)


def entry_line(state: books.BookState, entry: books.Entry) -> EntryLine:
    """Return an entry as one line."""
    when, sentence = log_time(entry.recorded, room_zone(state)), sentence_of(state, entry)
    return EntryLine(entry.sequence, when, kind_title(entry.kind), sentence, entry.table)


def journal_view(
    state: books.BookState, entries: Iterable[books.Entry], query: Mapping[str, str], bounds: tuple[int, int], end: int
) -> JournalView:
    """Return the view of a page of entries from between two bounds, and the address of what is older than them."""
    first, last = bounds
    filled = {name: value for name, value in query.items() if value}
    older = f"{_BASE}?{urlencode({**filled, 'before': first})}" if first > max(end, 1) else ""
    text = f"entries {first} to {last}" if last >= first else "no entry"
    newest = f"{_BASE}?{urlencode(filled)}" if filled else _BASE
    return JournalView(tuple(entry_line(state, entry) for entry in entries), text, older, newest)


def fields_of(payload: Any, name: str = "") -> tuple[Field, ...]:
    """Flatten a payload into names and texts."""
    return tuple(_fields(payload, name))


def _fields(payload: Any, name: str) -> Iterator[Field]:
    if isinstance(payload, Mapping):
        for key, value in payload.items():
            yield from _fields(value, f"{name} {key}".strip().replace("_", " "))
    elif isinstance(payload, list | tuple):
        if all(not isinstance(item, Mapping | list | tuple) for item in payload):
            yield Field(name, ", ".join(_text(item) for item in payload))
        else:
            for number, item in enumerate(payload, start=1):
                yield from _fields(item, f"{name} {number}")
    else:
        yield Field(name, _text(payload))


def _text(value: Any) -> str:
    if value is None:
        return ""
    if isinstance(value, bool):
        return "yes" if value else "no"
    return str(value)


def _day(calendar: books.Calendar | None, entry: books.Entry) -> str:
    instant = books.EPOCH + datetime.timedelta(microseconds=entry.recorded)
    return (instant.date() if calendar is None else calendar.gambling_day(instant)).isoformat()


def _links(entry: books.Entry, value: Any, calendar: books.Calendar | None) -> dict[str, str]:
    """Return the links of an entry: the display that it moved, the hit it belongs to, and reports of its day."""
    links = dict.fromkeys(("explain", "hit", "escrow", "meters"), "")
    if isinstance(value, books.Movement):
        day = _day(calendar, entry)
        query = urlencode({"first": day, "last": day, "jackpot": value.jackpot})
        links["explain"] = f"{_BASE}/explain?{urlencode({'jackpot': value.jackpot, 'entry': entry.sequence})}"
        links["meters"], links["escrow"] = f"/office/reports/meters?{query}", f"/office/reports/escrow?{query}"
        number = value.details.get("hit", entry.sequence if "meter_entry" in value.details else None)
    else:
        number = getattr(value, "hit", None)
    if isinstance(number, int):
        links["hit"] = f"{_BASE}/explain?{urlencode({'hit': number})}"
    return links


def _transfers(movement: books.Movement) -> tuple[TransferLine, ...]:
    places = money_places(transfer.units for transfer in movement.transfers)
    return tuple(
        TransferLine(
            transfer.payer,
            transfer.payee,
            money_text(transfer.units, places),
            " ".join(filter(None, (transfer.words, transfer.reason))),
        )
        for transfer in movement.transfers
    )


def entry_view(
    state: books.BookState,
    entry: books.Entry,
    before: books.Entry | None,
    after: books.Entry | None,
    calendar: books.Calendar | None,
    righted: books.Entry | None = None,
) -> EntryView:
    """Return the view of one entry, between its neighbors; `righted` has the time that two people put right (G-77)."""
    counts = righted or entry
    unreadable, value, payload = "", None, json.loads(entry.payload)
    try:
        value = books.read_payload(entry.kind, entry.payload)
    except books.UnreadableError as error:
        unreadable = str(error)
    if isinstance(value, books.Movement):
        payload = {name: item for name, item in payload.items() if name not in ("transfers", "jackpot")}
    first, zone = entry.sequence - entry.part, room_zone(state)
    return EntryView(
        entry=entry,
        title=kind_title(entry.kind),
        sentence=sentence_of(state, entry),
        happened=log_time(counts.happened, zone),
        recorded=log_time(counts.recorded, zone),
        written="" if counts.recorded == entry.recorded else log_time(entry.recorded, zone),
        recorded_utc=books.instant_text(entry.recorded),
        part=f"{entry.part + 1} of {entry.parts}",
        siblings=tuple(number for number in range(first, first + entry.parts) if number != entry.sequence),
        jackpot=jackpot_title(state, value.jackpot) if isinstance(value, books.Movement) else "",
        transfers=_transfers(value) if isinstance(value, books.Movement) else (),
        fields=fields_of(payload),
        unreadable=unreadable,
        is_linked=entry.previous == (bytes(32) if before is None else before.digest),
        earlier=None if before is None else before.sequence,
        later=None if after is None else after.sequence,
        **_links(counts, value, calendar),
    )


class ActorLine(NamedTuple):
    """Somebody who signed entries, their roles now, and of each kind how many and where; a device has no roles."""

    name: str
    roles: str
    entries: str
    kinds: tuple[tuple[str, str, str], ...]


class PermissionLine(NamedTuple):
    """A command: what it is for, and the mark of each role in their order."""

    name: str
    summary: str
    marks: tuple[str, ...]


def who_view(state: books.BookState, counts: Mapping[str, Mapping[str, int]], day: str) -> tuple[ActorLine, ...]:
    """List everybody who signed an entry, people first."""
    lines = []
    for name, kinds in counts.items():
        person = state.of(PEOPLE).named(name)
        roles = "" if person is None else ", ".join(person.roles)
        signed = tuple(
            (kind_title(kind), f"{count:,}", f"{_BASE}?{urlencode({'actor': name, 'kind': kind, 'day': day})}")
            for kind, count in sorted(kinds.items(), key=lambda item: (-item[1], item[0]))
        )
        lines.append((person is None, name, ActorLine(name, roles, f"{sum(kinds.values()):,}", signed)))
    return tuple(line for _, _, line in sorted(lines, key=lambda item: item[:2]))


def _mark(spec: CommandSpec, role: str) -> str:
    marks = [("Requests", spec.roles), ("Approves", spec.approvers)]
    return ", ".join(mark for mark, roles in marks if role in roles)


def permissions_view() -> tuple[PermissionLine, ...]:
    """Return every command by role: who requests it, and who approves it (T-06)."""
    return tuple(
        PermissionLine(
            spec.name,
            spec.summary.partition(";")[0].rstrip("."),
            tuple(_mark(spec, role) for role in PEOPLE_ROLES),
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
    amount: str
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
    """A hit from its prizes back to cards and clauses; the meter it is of; `source` is the explanation as JSON."""

    source: dict[str, Any]
    meter: str
    cards: tuple[tuple[str, str], ...]
    prizes: tuple[PrizeLine, ...]
    envy: tuple[tuple[int, str, str], ...]
    display: DisplayExplained


def _part(part: dict[str, Any], comes_to: int, places: tuple[int, int]) -> PartLine:
    first, last, entries = part["first"], part["last"], part["entries"]
    is_single = first == last
    table = part["table"] if part["table"] != "-" else ""
    query = {"kind": "wagers-counted", "table": table} if part["wagers"] else {}
    bounds = {"before": last + 1, "after": first - 1}
    address = urlencode({**{name: value for name, value in query.items() if value}, **bounds})
    return PartLine(
        what=f"{part['what'][:1].upper()}{part['what'][1:]}",
        table=table,
        day=medium_day(datetime.date.fromisoformat(part["day"])) if part["day"] else "",
        wagers=f"{part['wagers']:,}" if part["wagers"] else "",
        amount=money_text(part["units"], places[0]).replace("-", "\N{MINUS SIGN}", 1),
        comes_to=money_text(comes_to, places[1]),
        entries=str(first) if is_single else f"{entries:,} from {first} to {last}",
        address=f"{_BASE}/{first}" if is_single else f"{_BASE}?{address}",
    )


def display_explained(explanation: dict[str, Any]) -> DisplayExplained:
    """Return the view of an explanation of a display; the last line comes to what it showed (J-09, T-14)."""
    parts, displayed = explanation["parts"], explanation["displayed_units"]
    sums = list(accumulate(part["units"] for part in parts))
    places = money_places(part["units"] for part in parts), money_places([*sums, displayed])
    lines = [_part(part, comes_to, places) for part, comes_to in zip(parts, sums, strict=True)]
    return DisplayExplained(
        jackpot=explanation["jackpot"],
        entry=explanation["entry"],
        amount=dollars(cents_shown(displayed)),
        exact=money_text(displayed, places[1]),
        generation=explanation["generation"],
        complete=explanation["complete"],
        lines=tuple(lines),
    )


class AmountLine(NamedTuple):
    """A prize or payment that came to an amount that was looked for: what it was, and where to read on."""

    text: str
    links: tuple[tuple[str, str], ...]


_MATCHES = {
    "hit": "Jackpot {hit}{status}",
    "tray": "Small prize",
    "envy": "Envy prize",
    "slip": "Slip {slip}, after tax",
}


def amount_lines(state: books.BookState, prizes: Iterable[Mapping[str, Any]]) -> tuple[AmountLine, ...]:
    """Return the view of the prizes and payments that came to an amount."""
    lines = []
    for prize in prizes:
        is_pending = prize["hit"] in state.of(HITS).open
        status = " (rejected)" if prize["rejected"] else " (pending)" if is_pending else ""
        what = _MATCHES[prize["what"]].format(**{**prize, "status": status, "slip": f"{prize['slip']:06d}"})
        place = f"table {prize['table']}, round {prize['round']}, seat {prize['seat']}"
        won = f"{full_words(prize['row'])}, {dollars(prize['cents'])}"
        text = f"{what}: {jackpot_title(state, prize['jackpot'])}, {place}, {won}"
        hit, entry = prize["hit"], prize["sequence"]
        links = [(f"/office/hits/{hit}", f"Jackpot {hit}"), (f"{_BASE}/explain?hit={hit}", "How it was decided")]
        lines.append(AmountLine(text, tuple(links) if hit else ((f"{_BASE}/{entry}", f"Entry {entry}"),)))
    return tuple(lines)


def _prize(prize: dict[str, Any]) -> PrizeLine:
    because = tuple((rule["clause"], rule["ruling"] or "", rule["text"]) for rule in prize["because"])
    slip = "" if prize["slip"] is None else str(prize["slip"])
    return PrizeLine(prize["seat"], prize["row"], dollars(prize["cents"]), prize["winner"] or "", slip, because)


def _logged(text: str, zone: ZoneInfo) -> str:
    """Return the time of an entry, which an explanation states in UTC, as the audit log has it."""
    instant = books.instant_of(text.replace(" UTC", "+00:00"), zone)
    return text if instant is None else log_time(instant, zone)


def hit_explained(explanation: dict[str, Any], zone: ZoneInfo) -> HitExplained:
    """Return the view of an explanation of a hit."""
    entries = [{**entry, "recorded": _logged(entry["recorded"], zone)} for entry in explanation["entries"]]
    return HitExplained(
        source={**explanation, "entries": entries},
        meter=dollars(explanation["meter_cents"]),
        cards=tuple(explanation["cards"].items()),
        prizes=tuple(_prize(prize) for prize in explanation["prizes"]),
        envy=tuple((prize["seat"], dollars(prize["cents"]), prize["text"]) for prize in explanation["envy"]),
        display=display_explained(explanation["meter"]),
    )


class ConfigurationLine(NamedTuple):
    """A configuration that was approved: its hash, game, and where and when it was in force."""

    hash: str
    game: str
    places: tuple[str, ...]


def configurations_view(state: books.BookState) -> tuple[ConfigurationLine, ...]:
    """List every configuration that was approved."""
    posts, zone = state.of(CONFIGURATIONS), room_zone(state)
    places: dict[str, list[str]] = {content_hash: [] for content_hash in posts.texts}
    for table, table_posts in posts.tables.items():
        for posted, following in table_posts.spans():
            until = "" if following is None else f" to {day_text(following.since, zone)}"
            places[posted.hash].append(f"table {table} from {day_text(posted.since, zone)}{until}")
        for waiting in table_posts.prepared:
            places[waiting.hash].append(f"table {table}, prepared")
    lines = []
    for content_hash, texts in places.items():
        configuration = configuration_by_hash(state, content_hash)
        title = "" if configuration is None else find_game(configuration.game).title
        lines.append(ConfigurationLine(content_hash, title, tuple(texts)))
    return tuple(lines)
