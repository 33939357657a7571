"""The pages on which a jackpot is defined and changed, its tables linked and unlinked; two people do each (T-06)."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from fractions import Fraction
from http import HTTPStatus
from typing import Annotated, Any, Literal, TypeVar
from urllib.parse import quote

from fastapi import APIRouter, Query, Request, Response
from fastapi.responses import RedirectResponse
from starlette.concurrency import run_in_threadpool
from starlette.datastructures import FormData

from pitboss.books import BookState, RefusedError
from pitboss.commands import Command, InvalidCommandError, read_fields
from pitboss.jackpot import JACKPOTS, ChangeJackpot, DefineJackpot, Jackpot, JackpotDraft, jackpot_of, jackpot_problems
from pitboss.jackpot.checks import room_problems
from pitboss.room.room import Room
from pitboss.rules import parse_dollars
from pitboss.rules.money import MoneyError
from pitboss.server.auth import Caller, CurrentRoom, allow
from pitboss.server.pages.forms import number_of, perform, problems_of, text_of, with_id
from pitboss.server.pages.layout import render
from pitboss.server.problems import ProblemError
from pitboss.server.views.office.jackpot_form import (
    OfferView,
    game_at,
    initial_values,
    offer_groups,
    offer_key,
    offer_view,
    table_boxes,
    values_of,
)

_PERCENT = re.compile(r"(?P<number>[0-9]{1,3}(\.[0-9]{1,9})?) ?%?")
_TEXT_FIELDS_MAX = 400
Read = TypeVar("Read")


def form_values(form: FormData) -> dict[str, list[str]]:
    """The texts of a form by field."""
    return {name: [text_of(each) for each in form.getlist(name)] for name in list(form)[:_TEXT_FIELDS_MAX]}


class _Reader:
    """Reads fields, and keeps what is wrong with them."""

    def __init__(self, values: Mapping[str, list[str]]) -> None:
        self._values = values
        self.problems: list[str] = []

    def text(self, name: str) -> str:
        found = self._values.get(name, [])
        return found[0] if found else ""

    def all(self, name: str) -> list[str]:
        return [each for each in dict.fromkeys(self._values.get(name, [])) if each]

    def _read(self, name: str, read: Callable[[str], Read], empty: Read, *, needed: str = "") -> Read:
        text = self.text(name)
        if not text:
            if needed:
                self.problems.append(f"{name.replace('_', ' ')}: {needed}")
            return empty
        try:
            return read(text)
        except (MoneyError, ValueError) as error:
            self.problems.append(f"{name.replace('_', ' ')}: {error}")
            return empty

    def cents(self, name: str, clause: str) -> int:
        return self._read(name, parse_dollars, 0, needed=f"an amount such as $1,000.00 ({clause})")

    def cents_or_none(self, name: str) -> int | None:
        return self._read(name, parse_dollars, None)

    def count_or_none(self, name: str) -> int | None:
        return self._read(name, _count, None)

    def rate(self, name: str) -> str:
        return self._read(name, _rate, "0", needed="a part of the wager in percent, such as 17.3 (REGULATION J-07)")


def _count(text: str) -> int:
    found = number_of(text)
    if not found:
        raise ValueError(f"{text!r} must be a whole number, 1 or more (REGULATION T-01)")
    return found


def _rate(text: str) -> str:
    match = _PERCENT.fullmatch(text)
    if match is None:
        raise ValueError(f"{text!r} must be a part of the wager in percent, such as 17.3 (REGULATION J-07)")
    return str(Fraction(match["number"]) / 100)


def _paytable(view: OfferView, read: _Reader) -> str | dict[str, Any]:
    """The id of the pay table, or the id with the operator's amounts (G-6)."""
    cells: dict[str, dict[str, str]] = {"pays": {}, "envy": {}}
    for row in view.rows:
        for field, column in ((row.pays_field, "pays"), (row.envy_field, "envy")):
            if field and read.text(field):
                cells[column][row.event] = read.text(field)
    return (
        {"id": view.paytable, **{name: each for name, each in cells.items() if each}}
        if any(cells.values())
        else (view.paytable)
    )


def _offer(view: OfferView, read: _Reader, *, first: bool) -> dict[str, Any]:
    game, wager, _ = view.key.split("|")
    readings = {name: read.text(f"reading-{name}") for name, _ in view.readings if read.text(f"reading-{name}")}
    return {
        "game": game,
        "wager": wager,
        "paytable": _paytable(view, read) if first else view.paytable,
        "readings": readings if first else {},
        "decks": (number_of(read.text("decks")) or None) if view.decks else None,
    }


def _offers(read: _Reader) -> list[dict[str, Any]]:
    views = [offer_view(key) for key in (read.text("offer"), *read.all("other"))]
    if None in views:
        read.problems.append("offer: choose a wager and its pay table (REGULATION J-01)")
    return [_offer(view, read, first=place == 0) for place, view in enumerate(views) if view is not None]


def _meter(read: _Reader, jackpot_type: str) -> dict[str, Any]:
    seed = read.cents("seed", "REGULATION T-01")
    meter: dict[str, Any] = {
        "jackpot_type": jackpot_type,
        "wager_cents": read.cents("wager", "REGULATION W-14, G-7"),
        "seed_cents": seed,
        "reseed_cents": seed,
        "batch_wagers_max": read.count_or_none("batch"),
    }
    if jackpot_type == "progressive":
        meter |= {
            "reseed_cents": read.cents("reseed", "REGULATION T-01"),
            "display_rate": read.rate("display_rate"),
            "reserve_rate": read.rate("reserve_rate"),
            "cap_cents": read.cents_or_none("cap"),
        }
    return meter


def said_of(values: Mapping[str, list[str]], jackpot_type: str, state: BookState) -> tuple[dict[str, Any], list[str]]:
    """Read a jackpot as it is said, with everything that cannot be read."""
    read = _Reader(values)
    offers = _offers(read)
    first = offers[0]["game"] if offers else ""
    location = read.text("location")
    said = {
        "name": read.text("name"),
        "offers": offers,
        "meter": _meter(read, jackpot_type),
        "tables": [
            {"table": each, "game": game_at(state, each) or first, "location": location} for each in read.all("table")
        ],
        "display": read.text("display") or "real-time",
        "fixed_prizes": read.text("fixed_prizes") or "house",
        "small_prize_cents": read.cents("small", "REGULATION F-17"),
        "bonus_sharing": read.text("bonus_sharing") or "full",
    }
    for field, clause in (("name", "J-09"), ("location", "J-11"), ("words", "J-09")):
        if not read.text(field):
            read.problems.append(f"{field}: say it (REGULATION {clause})")
    return said, read.problems


router = APIRouter(include_in_schema=False)
Manager = Annotated[Caller, allow("manager")]
Kind = Literal["progressive", "bonus"]
Key = Annotated[str, Query(max_length=200)]
Values = Mapping[str, list[str]]
_TITLES = {"progressive": "Define a progressive jackpot", "bonus": "Define a Bonus Jackpot"}


def _form(
    request: Request, room: Room, kind: str, values: Values, problems: Sequence[str], before: Jackpot | None
) -> Response:
    offer = offer_view(next(iter(values.get("offer", [])), ""))
    name = "" if before is None else before.name
    given = {
        "title": _TITLES[kind] if before is None else f"Change {name}",
        "kind": kind,
        "is_progressive": kind == "progressive",
        "name": name,
        "back": f"/office/jackpots/{quote(name, safe='')}" if name else "/office/jackpots",
        "offer": offer,
        "groups": offer_groups(),
        "boxes": table_boxes(room.state, name),
        "was": lambda field: next(iter(values.get(field, [])), ""),
        "all": lambda field: values.get(field, []),
        "problems": problems,
        "command": lambda: with_id("office"),
        "is_closed": before is None or room.state.of(JACKPOTS).jackpots[name].play == "closed",
    }
    return render(request, "office/jackpot_form.html", given, status=HTTPStatus.CONFLICT if problems else HTTPStatus.OK)


@router.get("/office/jackpots/new/{kind}", dependencies=[allow("manager")])
def new(request: Request, kind: Kind, room: CurrentRoom, offer: Key = "") -> Response:
    """Show the form of a new jackpot: first its pay table is chosen, then everything else."""
    values = {**initial_values(room.state, kind), "offer": [offer]}
    problems = ["choose a wager and its pay table (REGULATION J-01)"] if offer and offer_view(offer) is None else []
    return _form(request, room, kind, values, problems, None)


def _known(room: Room, name: str) -> Jackpot:
    record = room.state.of(JACKPOTS).jackpots.get(name)
    if record is None:
        raise ProblemError(HTTPStatus.NOT_FOUND, [f"there is no jackpot {name!r}"])
    return record.jackpot


@router.get("/office/jackpots/{name}/change", dependencies=[allow("manager")])
def change(request: Request, name: str, room: CurrentRoom, offer: Key = "") -> Response:
    """Show the form of a jackpot with what is in force, under another pay table where one is chosen."""
    found = _known(room, name)
    first = found.offers[0]
    key = offer if offer_view(offer) is not None else offer_key(first.game, first.wager, first.paytable)
    return _form(request, room, found.meter.jackpot_type, {**values_of(found), "offer": [key]}, (), found)


def _wrong(room: Room, said: Mapping[str, Any], wrong: Sequence[str]) -> list[str]:
    """Name what else is wrong with a jackpot of which some fields cannot be read, without telling anything twice."""
    filled = {**said, "name": said["name"] or "this jackpot"}
    filled["tables"] = [{**each, "location": each["location"] or room.name} for each in said["tables"]]
    try:
        jackpots = room.state.of(JACKPOTS)
        jackpot = jackpot_of(read_fields(JackpotDraft, filled), room.services.probabilities, jackpots)
        found = list(map(str, jackpot_problems(jackpot) or room_problems(jackpot, jackpots)))
    except RefusedError as error:
        found = list(error.problems)
    except InvalidCommandError:
        return list(wrong)
    fields = {each.partition(":")[0].replace(" ", "_") for each in wrong}
    told = {f"{field}{end}" for field in fields for end in ("", "_cents", "_wagers_max")}
    return [*wrong, *(each for each in found if each.partition(":")[0].strip() not in told)]


def _ask(room: Room, caller: Caller, cls: type[Command], values: Values, kind: str, name: str) -> None:
    """Ask a second person for a jackpot as a form says it, or refuse it with everything that is wrong."""
    said, problems = said_of(values, kind, room.state)
    if name:
        said["name"] = name
        problems = [each for each in problems if not each.startswith("name:")]
    if problems:
        raise RefusedError(_wrong(room, said, problems))
    words = next(iter(values.get("words", [])), "")
    command = next(iter(values.get("command", [])), "") or with_id("office")
    perform(room, caller, cls, {"command": command, "jackpot": said, "words": words})


def _problems(error: RefusedError | ValueError | ProblemError) -> tuple[str, ...]:
    return error.problems if isinstance(error, ProblemError) else problems_of(error)


@router.post("/office/jackpots/new/{kind}")
async def define(request: Request, kind: Kind, caller: Manager, room: CurrentRoom) -> Response:
    """Ask a second person for a new jackpot."""
    values = form_values(await request.form())
    try:
        await run_in_threadpool(_ask, room, caller, DefineJackpot, values, kind, "")
    except (RefusedError, ValueError, ProblemError) as error:
        return await run_in_threadpool(_form, request, room, kind, values, _problems(error), None)
    return RedirectResponse("/office/jackpots?told=waits", HTTPStatus.SEE_OTHER)


@router.post("/office/jackpots/{name}/change")
async def changed(request: Request, name: str, caller: Manager, room: CurrentRoom) -> Response:
    """Ask a second person for changed parameters, tables or linked games; only while it is closed (T-16)."""
    found = await run_in_threadpool(_known, room, name)
    kind, values = found.meter.jackpot_type, form_values(await request.form())
    try:
        await run_in_threadpool(_ask, room, caller, ChangeJackpot, values, kind, name)
    except (RefusedError, ValueError, ProblemError) as error:
        return await run_in_threadpool(_form, request, room, kind, values, _problems(error), found)
    return RedirectResponse(f"/office/jackpots/{quote(name, safe='')}?told=waits", HTTPStatus.SEE_OTHER)
