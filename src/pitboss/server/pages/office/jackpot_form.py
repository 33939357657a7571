"""The form by which a jackpot is defined or changed, its tables linked and unlinked; two people do each (T-06)."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from fractions import Fraction
from http import HTTPStatus
from typing import Annotated, Any, Literal, TypeVar

from fastapi import APIRouter, Query, Request, Response

from pitboss.books import BookState, RefusedError
from pitboss.commands import Command, InvalidCommandError, read_fields
from pitboss.jackpot import JACKPOTS, ChangeJackpot, DefineJackpot, Jackpot, JackpotDraft, jackpot_of, jackpot_problems
from pitboss.jackpot.checks import room_problems
from pitboss.room.room import Room
from pitboss.rules import parse_dollars
from pitboss.rules.money import MoneyError
from pitboss.server.auth import Caller, RoomOf
from pitboss.server.pages.forms import (
    Form,
    allow_commands,
    answer,
    form_values,
    number_of,
    perform,
    render_form,
    with_id,
)
from pitboss.server.problems import ProblemError
from pitboss.server.views.office import jackpot_form as views
from pitboss.server.views.office.jackpot_form import OfferView, offer_view
from pitboss.server.views.office.jackpots import jackpot_address

_PERCENT = re.compile(r"(?P<number>[0-9]{1,3}(\.[0-9]{1,9})?) ?%?")
Read = TypeVar("Read")
Values = Mapping[str, list[str]]


class _Reader:
    """Reads fields, and collects what is wrong with them."""

    def __init__(self, values: Values) -> None:
        self._values = values
        self.problems: list[str] = []

    def text(self, name: str) -> str:
        return next(iter(self._values.get(name, [])), "")

    def all(self, name: str) -> list[str]:
        return [text for text in dict.fromkeys(self._values.get(name, [])) if text]

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
    number = number_of(text)
    if not number:
        raise ValueError(f"{text!r} must be a whole number, 1 or more (REGULATION T-01)")
    return number


def _rate(text: str) -> str:
    match = _PERCENT.fullmatch(text)
    if match is None:
        raise ValueError(f"{text!r} must be a part of the wager in percent, such as 17.3 (REGULATION J-07)")
    return str(Fraction(match["number"]) / 100)


def _paytable(view: OfferView, read: _Reader) -> str | dict[str, Any]:
    """Return the id of the pay table, or the id with the operator's amounts (G-6)."""
    cells: dict[str, dict[str, str]] = {"pays": {}, "envy": {}}
    for row in view.rows:
        for field, column in ((row.pays_field, "pays"), (row.envy_field, "envy")):
            if field and read.text(field):
                cells[column][row.event] = read.text(field)
    amounts = {column: texts for column, texts in cells.items() if texts}
    return {"id": view.paytable, **amounts} if amounts else view.paytable


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


def read_jackpot(values: Values, jackpot_type: str, state: BookState) -> tuple[dict[str, Any], list[str]]:
    """Read the draft of a jackpot from a form, with everything that cannot be read."""
    read = _Reader(values)
    offers = _offers(read)
    first = offers[0]["game"] if offers else ""
    location = read.text("location")
    draft = {
        "name": read.text("name"),
        "offers": offers,
        "meter": _meter(read, jackpot_type),
        "tables": [
            {"table": table, "game": views.game_at(state, table) or first, "location": location}
            for table in read.all("table")
        ],
        "display": read.text("display") or "real-time",
        "fixed_prizes": read.text("fixed_prizes") or "house",
        "small_prize_cents": read.cents("small", "REGULATION F-17"),
        "bonus_sharing": read.text("bonus_sharing") or "full",
    }
    for field, clause in (("name", "J-09"), ("location", "J-11"), ("words", "J-09")):
        if not read.text(field):
            read.problems.append(f"{field}: say it (REGULATION {clause})")
    return draft, read.problems


router = APIRouter(include_in_schema=False)
Definer = Annotated[Caller, allow_commands(DefineJackpot, ChangeJackpot)]
Kind = Literal["progressive", "bonus"]
Key = Annotated[str, Query(max_length=200)]
_TITLES = {"progressive": "Define a progressive jackpot", "bonus": "Define a Bonus Jackpot"}


def _form(
    request: Request, room: Room, kind: str, values: Values, problems: Sequence[str], before: Jackpot | None
) -> Response:
    name = "" if before is None else before.name
    context = {
        "title": _TITLES[kind] if before is None else f"Change {name}",
        "is_progressive": kind == "progressive",
        "name": name,
        "back": jackpot_address(name) if name else "/office/jackpots",
        "offer": offer_view(next(iter(values.get("offer", [])), "")),
        "groups": views.offer_groups(),
        "boxes": views.table_boxes(room.state, name),
        "typed": lambda field: next(iter(values.get(field, [])), ""),
        "all_typed": lambda field: values.get(field, []),
        "is_closed": before is None or room.state.of(JACKPOTS).jackpots[name].play == "closed",
    }
    return render_form(request, "office/jackpot_form.html", context, problems=problems)


@router.get("/office/jackpots/new/{kind}")
def new(request: Request, kind: Kind, _: Definer, room: RoomOf, offer: Key = "") -> Response:
    """Render the form of a new jackpot: first its pay table is chosen, then everything else."""
    values = {**views.initial_values(room.state, kind), "offer": [offer]}
    problems = ["choose a wager and its pay table (REGULATION J-01)"] if offer and offer_view(offer) is None else []
    return _form(request, room, kind, values, problems, None)


def _defined(room: Room, name: str) -> Jackpot:
    record = room.state.of(JACKPOTS).jackpots.get(name)
    if record is None:
        raise ProblemError(HTTPStatus.NOT_FOUND, [f"there is no jackpot {name!r}"])
    return record.jackpot


@router.get("/office/jackpots/{name}/change")
def change_page(request: Request, name: str, _: Definer, room: RoomOf, offer: Key = "") -> Response:
    """Render the form of a jackpot with what is in force, under another pay table where one is chosen."""
    jackpot = _defined(room, name)
    first = jackpot.offers[0]
    key = offer if offer_view(offer) is not None else views.offer_key(first.game, first.wager, first.paytable)
    values = {**views.values_of(jackpot), "offer": [key]}
    return _form(request, room, jackpot.meter.jackpot_type, values, (), jackpot)


def _all_problems(room: Room, draft: Mapping[str, Any], unreadable: Sequence[str]) -> list[str]:
    """Add what else is wrong with a jackpot of which some fields cannot be read, without naming a field twice."""
    filled = {**draft, "name": draft["name"] or "this jackpot"}
    filled["tables"] = [{**linked, "location": linked["location"] or room.name} for linked in draft["tables"]]
    try:
        jackpots = room.state.of(JACKPOTS)
        jackpot = jackpot_of(read_fields(JackpotDraft, filled), room.services.probabilities, jackpots)
        problems = list(map(str, jackpot_problems(jackpot) or room_problems(jackpot, jackpots)))
    except RefusedError as error:
        problems = list(error.problems)
    except InvalidCommandError:
        return list(unreadable)
    fields = {text.partition(":")[0].replace(" ", "_") for text in unreadable}
    named = {f"{field}{end}" for field in fields for end in ("", "_cents", "_wagers_max")}
    return [*unreadable, *(text for text in problems if text.partition(":")[0].strip() not in named)]


def _request(room: Room, caller: Caller, cls: type[Command], values: Values, kind: str, name: str = "") -> str:
    """Ask a second person for the jackpot of a form, or refuse it with everything that is wrong."""
    draft, problems = read_jackpot(values, kind, room.state)
    if name:
        draft["name"] = name
        problems = [text for text in problems if not text.startswith("name:")]
    if problems:
        raise RefusedError(_all_problems(room, draft, problems))
    words = next(iter(values.get("words", [])), "")
    command = next(iter(values.get("command", [])), "") or with_id("office")
    return perform(room, caller, cls, {"command": command, "jackpot": draft, "words": words})


@router.post("/office/jackpots/new/{kind}")
def define(request: Request, kind: Kind, caller: Definer, room: RoomOf, form: Form) -> Response:
    """Ask a second person for a new jackpot."""
    values = form_values(form)
    return answer(
        "/office/jackpots",
        lambda: _request(room, caller, DefineJackpot, values, kind),
        lambda problems: _form(request, room, kind, values, problems, None),
    )


@router.post("/office/jackpots/{name}/change")
def change(request: Request, name: str, caller: Definer, room: RoomOf, form: Form) -> Response:
    """Ask a second person for changed parameters, tables or linked games; only while it is closed (T-16)."""
    before, values = _defined(room, name), form_values(form)
    kind = before.meter.jackpot_type
    return answer(
        jackpot_address(name),
        lambda: _request(room, caller, ChangeJackpot, values, kind, name),
        lambda problems: _form(request, room, kind, values, problems, before),
    )
