"""The audit: the journal, an entry, an amount explained, the chain verified, who did what, and configurations."""

import datetime
import json
from functools import partial
from http import HTTPStatus
from typing import Annotated

from fastapi import APIRouter, Query, Request, Response
from pydantic import BaseModel, Field

from pitboss import books
from pitboss.books import last_before
from pitboss.commands.command import BOOK
from pitboss.jackpot import jackpot_title
from pitboss.jackpot.hits.values import without_papers
from pitboss.room.configurations import CONFIGURATIONS, configuration_by_hash
from pitboss.room.people.roles import PAPER_READERS, PEOPLE_ROLES, READERS
from pitboss.room.room import Room, room_zone, tables_of
from pitboss.room.sentences import kind_title
from pitboss.rules import parse_dollars
from pitboss.rules.money import MoneyError
from pitboss.server.auth import CurrentRoom, allow, no_access
from pitboss.server.pages.layout import render
from pitboss.server.problems import ProblemError
from pitboss.server.views.formatting import dollars
from pitboss.server.views.office import audit as views
from pitboss.server.views.office.odds import compared_view, short_hash
from pitboss.server.worker import jobs
from pitboss.server.worker.pool import Figure, figure_of, figure_or_failure, journal_figure

router = APIRouter(include_in_schema=False)
READER = allow(*READERS)
_LINES = 100
_READ_MAX = 50_000
"""So many entries are looked through for one page; what is older is one click away."""
_WORDS_MAX = 20_000
"""So many where their payloads are looked through too."""
_HASH_LENGTH_MIN = 6
"""So many figures of a hash name a configuration, where only one begins with them."""
Hash = Annotated[str, Query(max_length=64)]
_TEXT = Field(default="", max_length=120)


class JournalQuery(BaseModel):
    """Which entries are looked for, as the form sends it."""

    kind: str = _TEXT
    actor: str = _TEXT
    table: str = _TEXT
    words: str = _TEXT
    day: str = _TEXT
    before: int | None = Field(default=None, ge=0, le=2**53)
    after: int = Field(default=0, ge=0, le=2**53)


def _bounds(room: Room, query: JournalQuery) -> tuple[int, int]:
    """Return the first and last entry to look at: those of a gambling day, or all."""
    head, first, last = room.state.sequence, query.after + 1, room.state.sequence
    calendar = room.state.of(books.ROOM)
    if query.day and calendar is not None:
        try:
            day = datetime.date.fromisoformat(query.day)
            ends = books.microseconds(calendar.begins(day + datetime.timedelta(days=1)))
            begins = books.microseconds(calendar.begins(day))
        except (ValueError, OverflowError):
            problem = f"day: {query.day!r} must be a day such as 2026-11-15"
            raise ProblemError(HTTPStatus.UNPROCESSABLE_ENTITY, [problem]) from None
        first = max(first, last_before(room.books.store, BOOK, begins, head) + 1)
        last = last_before(room.books.store, BOOK, ends, head)
    return first, last if query.before is None else min(last, query.before - 1)


def _readable(request: Request, entry: books.Entry) -> books.Entry:
    """Return an entry without winners' papers for who does not read them (G-70)."""
    if request.state.caller.roles & set(PAPER_READERS):
        return entry
    return entry._replace(payload=books.canonical(without_papers(json.loads(entry.payload))))


def _search(request: Request, room: Room, sought: books.Sought, first: int, last: int) -> tuple[list[books.Entry], int]:
    """Look back from the last entry until a page is full; return how far too. The database leaves out most."""
    entries: list[books.Entry] = []
    least = max(first, last - (min(_READ_MAX, _WORDS_MAX) if sought.words else _READ_MAX) + 1)
    store = room.books.store
    for entry in store.righted(BOOK, books.newest(store, BOOK, sought, least - 1, last)):
        readable = _readable(request, entry)
        # By what one may read alone: else a name would be found by who may not read it.
        if views.matches(readable, sought):
            entries.append(readable)
            if len(entries) == _LINES:
                return entries, entry.sequence
    return entries, least


@router.get("/office/audit", dependencies=[READER])
def journal(request: Request, room: CurrentRoom, query: Annotated[JournalQuery, Query()]) -> Response:
    """Render the journal, newest first, narrowed by kind, person, table, day and words."""
    state = room.state
    first, last = _bounds(room, query)
    entries, upto = _search(request, room, books.Sought(query.kind, query.table, query.actor, query.words), first, last)
    address = query.model_dump(include={"kind", "actor", "table", "words", "day"})
    address |= {"after": str(query.after)} if query.after else {}
    context = {
        "view": views.journal_view(state, entries, address, (upto, last), first),
        "query": query,
        "kinds": sorted(((kind, kind_title(kind)) for kind in books.known_kinds()), key=lambda kind: kind[1]),
        "tables": tables_of(state),
        "head": state.digest.hex(),
        "sequence": state.sequence,
    }
    return render(request, "office/audit/journal.html", context)


@router.get("/office/audit/explain", dependencies=[READER])
def explain(
    request: Request,
    room: CurrentRoom,
    jackpot: Annotated[str, Query(max_length=120)] = "",
    entry: Annotated[str, Query(max_length=20)] = "",
    amount: Annotated[str, Query(max_length=40)] = "",
    hit: Annotated[int | None, Query(ge=0, le=2**53)] = None,
) -> Response:
    """Explain an amount: what a display showed, back to its seed, or a hit back to cards and clauses."""
    state = room.state
    ledger = state.of(books.LEDGER)
    context: dict[str, object] = {
        "jackpots": [(name, jackpot_title(state, name)) for name in sorted(ledger)],
        "jackpot": jackpot,
        "entry": entry,
        "amount": amount,
        "view": None,
        "hit": None,
        "moments": (),
        "prizes": (),
        "not_found": "",
        "title": partial(jackpot_title, state),
        "kind_title": kind_title,
        "problems": (),
        "waits": "",
    }
    try:
        context |= _explanation(request, room, jackpot, entry, amount, hit)
    except (books.RefusedError, MoneyError) as error:
        context["problems"] = error.problems if isinstance(error, books.RefusedError) else (str(error),)
    status = HTTPStatus.UNPROCESSABLE_ENTITY if context["problems"] else HTTPStatus.OK
    return render(request, "office/audit/explain.html", context, status=status)


def _explanation(
    request: Request, room: Room, jackpot: str, entry: str, amount: str, hit: int | None
) -> dict[str, object]:
    upto = room.state.sequence
    if hit is not None:
        figure = journal_figure(request, room, jobs.HitExplanationJob(path=str(room.path), hit=hit, entry=upto))
        zone = room_zone(room.state)
        return {"hit": views.hit_explained(figure.value, zone)} if figure.status == "ready" else _waits(figure)
    if amount:
        figure = journal_figure(
            request, room, jobs.DisplayedAmountJob(path=str(room.path), cents=parse_dollars(amount), entry=upto)
        )
        if figure.status != "ready":
            return _waits(figure)
        moments = [moment for moment in figure.value["shown"] if jackpot in ("", moment["jackpot"])]
        prizes = [prize for prize in figure.value["prizes"] if jackpot in ("", prize["jackpot"])]
        context: dict[str, object] = {"moments": moments, "prizes": views.amount_lines(room.state, prizes)}
        if not moments:
            return context if prizes else {"not_found": dollars(parse_dollars(amount))}
        jackpot, entry = moments[-1]["jackpot"], str(moments[-1]["sequence"])
    else:
        context = {}
    if not jackpot:
        return context
    if jackpot not in room.state.of(books.LEDGER):
        raise books.RefusedError([f"No jackpot {jackpot!r} was opened."])
    number = int(entry) if entry.isascii() and entry.isdigit() else upto
    figure = journal_figure(
        request, room, jobs.DisplayExplanationJob(path=str(room.path), jackpot=jackpot, entry=min(number, upto))
    )
    if figure.status != "ready":
        return {**context, **_waits(figure)}
    return {**context, "view": views.display_explained(figure.value), "jackpot": jackpot}


def _waits(figure: Figure) -> dict[str, object]:
    if figure.status == "failed":
        raise books.RefusedError([figure.words])
    return {"waits": figure.key}


@router.get("/office/audit/chain", dependencies=[READER])
def chain(
    request: Request,
    room: CurrentRoom,
    head: Annotated[str, Query(max_length=64)] = "",
    at: Annotated[int | None, Query(ge=0, le=2**62)] = None,
) -> Response:
    """Verify the whole journal, and that it has a head that was printed; the worker does it, and the answer arrives."""
    context: dict[str, object] = {"head": head, "now": room.clock(), "result": None, "waits": "", "problems": ()}
    if at is not None:
        heads = [head.strip().lower()] if head.strip() else []
        figure = figure_of(request, jobs.VerifyBooksJob(path=str(room.path), heads=heads, at=at))
        context["waits"] = figure.key if figure.status == "computing" else ""
        context["result"] = figure.value
        context["problems"] = (figure.words,) if figure.status == "failed" else ()
    return render(request, "office/audit/chain.html", context)


@router.get("/office/audit/who", dependencies=[READER])
def who(request: Request, room: CurrentRoom, day: Annotated[str, Query(max_length=20)] = "") -> Response:
    """Render who did what on a gambling day, and who may do what."""
    state = room.state
    calendar = state.of(books.ROOM)
    if not day and calendar is not None:
        day = calendar.gambling_day(books.EPOCH + datetime.timedelta(microseconds=state.recorded)).isoformat()
    first, last = _bounds(room, JournalQuery(day=day))
    figure = journal_figure(request, room, jobs.ActorCountsJob(path=str(room.path), first=first, last=last))
    context = {
        "day": day,
        "view": views.who_view(state, figure.value["who"], day) if figure.status == "ready" else None,
        "permissions": views.permissions_view(),
        "roles": PEOPLE_ROLES,
        "waits": figure.key if figure.status == "computing" else "",
    }
    return render(request, "office/audit/who.html", context)


def _whole_hash(state: books.BookState, text: str) -> str:
    """Return the hash that begins as was typed."""
    typed = text.strip().lower()
    hashes = state.of(CONFIGURATIONS).texts if len(typed) >= _HASH_LENGTH_MIN else ()
    matches = [content_hash for content_hash in hashes if content_hash.startswith(typed)]
    if len(matches) != 1:
        raise ProblemError(HTTPStatus.NOT_FOUND, [f"no configuration was approved whose hash begins with {text!r}"])
    return matches[0]


@router.get("/office/audit/configurations", dependencies=[READER])
def configurations(request: Request, room: CurrentRoom, one: Hash = "", other: Hash = "") -> Response:
    """Render every configuration that was approved, and what differs between two of them."""
    state = room.state
    before = _whole_hash(state, one) if one else ""
    after = _whole_hash(state, other) if other else ""
    chosen = configuration_by_hash(state, after or before)
    first = configuration_by_hash(state, before) if before and after else None
    compared = None if chosen is None else compared_view(first, chosen, figure_or_failure(request))
    context = {
        "configurations": views.configurations_view(state),
        "one": before,
        "other": after,
        "compared": compared,
        "text": "" if chosen is None else chosen.canonical,
        "waits": "" if compared is None else compared.waits,
        "short": short_hash,
        "parts": ("compared",),
    }
    return render(request, "office/audit/configurations.html", context)


@router.get("/office/audit/{sequence}", dependencies=[READER])
def entry_page(request: Request, sequence: str, room: CurrentRoom) -> Response:
    """Render one entry, whole."""
    number = int(sequence) if sequence.isascii() and sequence.isdigit() and len(sequence) <= 15 else 0
    near = books.entries_at(room.books.store, BOOK, (number - 1, number, number + 1))
    if number not in near:
        raise ProblemError(HTTPStatus.NOT_FOUND, [f"No entry {sequence}."])
    if json.loads(near[number].payload) != json.loads(_readable(request, near[number]).payload):
        raise ProblemError(HTTPStatus.FORBIDDEN, [no_access(PAPER_READERS)])
    calendar = room.state.of(books.ROOM)
    [righted] = room.books.store.righted(BOOK, [near[number]])
    around = near.get(number - 1), near.get(number + 1)
    view = views.entry_view(room.state, near[number], *around, calendar, righted)
    return render(request, "office/audit/entry.html", {"view": view})
