"""Jackpots in the back office: the list, a jackpot with its history and forms, and the form that defines one."""

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from fractions import Fraction
from functools import partial
from http import HTTPStatus
from typing import Annotated, Any, Literal, TypeVar

from fastapi import APIRouter, Query, Request, Response
from starlette.datastructures import FormData

from pitboss import jackpot as domain
from pitboss.books import BookState, RefusedError
from pitboss.commands import Command, Description, InvalidCommandError, read_fields
from pitboss.jackpot.lifecycle import jackpot_of, jackpot_problems, room_problems
from pitboss.meters import units_of
from pitboss.room.configurations import configuration_at
from pitboss.room.people.roles import READERS
from pitboss.room.room import Room, location_of, room_zone, tables_of
from pitboss.rules import parse_dollars
from pitboss.rules.money import MoneyError
from pitboss.server.auth import Caller, CurrentRoom, allow
from pitboss.server.pages import forms
from pitboss.server.pages.forms import Form, SubmittedForm, allow_commands, button, number_of, text_of
from pitboss.server.problems import ProblemError
from pitboss.server.views.approvals import about_jackpot, approval_cards
from pitboss.server.views.charts import step_chart
from pitboss.server.views.formatting import whole_dollars
from pitboss.server.views.office import jackpots as views
from pitboss.server.views.office.jackpots import JackpotView, OfferView, jackpot_address, offer_view
from pitboss.server.views.office.odds import choice_edges
from pitboss.server.views.office.tables import local_today
from pitboss.server.worker.jobs import MeterHistoryJob
from pitboss.server.worker.pool import is_long, journal_figure

PlayCommand = type[domain.OpenJackpot] | type[domain.CloseJackpot] | type[domain.SuspendJackpot]
_PLAY: dict[str, tuple[PlayCommand, str, str]] = {
    "open": (domain.OpenJackpot, "Open", "Submit for approval"),
    "closed": (domain.CloseJackpot, "Close", "Close jackpot"),
    "suspended": (domain.SuspendJackpot, "Suspend", "Suspend jackpot"),
}
"""By how a jackpot is played: the command that brings it there, its title, and its button."""
_PLAIN = (*(command for command, _, _ in _PLAY.values()), domain.RemoveJackpot, domain.ConfirmAmount)
"""Commands whose only field is the reason."""
COMMANDS = forms.form_commands(
    *_PLAIN,
    domain.AdjustFund,
    domain.BookReceipts,
    domain.DocumentRemoval,
    domain.GiveRemovalNotice,
    domain.PostBonus,
    domain.WithdrawPosting,
    domain.SendDeposit,
    domain.WithdrawEscrow,
    arrived=domain.ConfirmDeposit,
)
"""The commands of a jackpot's forms, by the last part of their address."""
MESSAGES = {
    "close": "Jackpot closed.",
    "suspend": "Jackpot suspended.",
    "deposit": "Deposit recorded.",
    "waits": "Submitted. Waiting for approval.",
    "given": "Approved.",
    "refused": "Request declined.",
    "withdrawn": "Request withdrawn.",
}
TABS = {"overview": "Overview", "money": "Money", "terms": "Terms", "log": "Log"}
"""The tabs of a jackpot, each an address of its own."""
_FORM_TABS = {"adjust": "money", "deposit": "money", "arrived": "money", "withdraw": "money", "post": "money"}
_FORM_TABS |= {"withdraw-posting": "money", "document-removal": "money", "notice": "terms", "remove": "terms"}
"""The tab on which a form stands, where that is not the overview."""
_FORM_FIELDS: dict[str, tuple[str, ...]] = {
    **dict.fromkeys(("open", "close", "suspend", "remove", "confirm-amount"), ("words",)),
    **dict.fromkeys(("adjust", "post", "withdraw"), ("amount", "words")),
    "deposit": ("amount",),
    "notice": ("day", "words"),
    "document-removal": ("reference", "words"),
}
"""The fields of a form beside which a problem can stand."""
_REVIEWED = ("adjust", "post", "withdraw")
"""Forms that show what they come to before they are submitted for approval."""
_SPANS = ((1, "Day"), (7, "Week"), (30, "Month"), (366, "Year"))
_REASONS = ("equipment-malfunction", "above-cap", "booked-as-receipts", "seed-recovered")
_MINUTE = 60_000_000
_PERCENT = re.compile(r"(?P<number>[0-9]{1,3}(\.[0-9]{1,9})?) ?%?")
_TITLES = {"progressive": "New progressive", "bonus": "New bonus"}
Read = TypeVar("Read")
Values = Mapping[str, list[str]]
router = APIRouter(include_in_schema=False)
Reader = Annotated[Caller, allow(*READERS)]
Acts = Annotated[Caller, allow_commands(*COMMANDS.values(), approvers=True)]
Definer = Annotated[Caller, allow_commands(domain.DefineJackpot, domain.ChangeJackpot)]
Kind = Literal["progressive", "bonus"]
Key = Annotated[str, Query(max_length=200)]


def _cents(form: FormData) -> int:
    try:
        return parse_dollars(text_of(form.get("amount")))
    except MoneyError:
        raise RefusedError(["amount: Enter an amount like 65 or $65.00."]) from None


def _fields(cls: type[Command], form: FormData) -> dict[str, Any]:
    """Return the fields of a command that stand in its form under other names or in dollars."""
    if cls in _PLAIN:
        return {"words": forms.reason_of(form, "words: Enter a reason (REGULATION J-09)")}
    if cls is domain.ConfirmDeposit:
        return {"sequence": number_of(form.get("entry")), "reference": text_of(form.get("reference"))}
    if cls is domain.DocumentRemoval:
        return {"reference": text_of(form.get("reference"))}
    if cls is domain.WithdrawPosting:
        return {"scheduled": number_of(form.get("scheduled"))}
    if cls is domain.GiveRemovalNotice:
        return {"to": text_of(form.get("other" if form.get("destination") == "progressive" else "to"))}
    cents = _cents(form)
    if cls is domain.AdjustFund:
        # A fund is lowered only for one of the permitted reasons (J-14).
        lowers = form.get("way") == "lower"
        fields = {"units": units_of(-cents if lowers else cents), "reason": form.get("reason") if lowers else None}
        return fields | {"malfunction": number_of(form.get("malfunction")) or None}
    return {"units": units_of(cents)} if cls is domain.BookReceipts else {"cents": cents}


def _list(request: Request, room: Room, caller: Caller, problems: Sequence[str] = ()) -> Response:
    context = {
        "view": views.jackpots_view(room.state, room.clock()),
        "waiting": approval_cards(
            room.state,
            forms.viewer_of(room, caller),
            everything=True,
            about=lambda pending: pending.what == domain.DefineJackpot.spec.name,
        ),
        "parts": ("approval",),
        "may_define": caller.may(domain.DefineJackpot),
    }
    return forms.render_form(request, "office/jackpots/jackpots.html", context, problems=problems, messages=MESSAGES)


@router.get("/office/jackpots")
def list_page(request: Request, caller: Reader, room: CurrentRoom) -> Response:
    """Render every jackpot with its meter, what waits to be defined, and what the escrows warn of."""
    return _list(request, room, caller)


@router.post("/office/jackpots/asked/{number}/{do}")
def decide(request: Request, number: int, do: str, caller: Acts, room: CurrentRoom, form: Form) -> Response:
    """Approve or refuse a definition that another has asked for, or take back one's own."""
    forms.require_form(do, forms.APPROVAL_FORMS)
    page = partial(_list, request, room, caller)
    return forms.answer("/office/jackpots", lambda: forms.decide_approval(room, caller, do, number, form), page)


def _view(room: Room, name: str) -> JackpotView:
    view = views.jackpot_page(room.state, name, room.clock(), room_zone(room.state))
    if view is None:
        raise ProblemError(HTTPStatus.NOT_FOUND, [f"No jackpot {name}."])
    return view


def _buttons(room: Room, caller: Caller, name: str, view: JackpotView) -> dict[str, Any]:
    """Return which forms of a jackpot the caller sees, and the buttons of those whose fields are known."""
    play = {
        command.spec.name.rpartition("/")[2]: (title, label, button(room, caller, command(name=name, words="reason")))
        for value, (command, title, label) in _PLAY.items()
        if value != view.card.play
    }
    deposits = () if view.escrow is None else view.escrow.deposits
    return {
        "play": {do: texts for do, texts in play.items() if texts[2].is_shown},
        "confirm": button(room, caller, domain.ConfirmAmount(name=name, words="reason")),
        "remove": button(room, caller, domain.RemoveJackpot(name=name, words="reason")),
        "arrivals": {
            deposit.entry: button(
                room, caller, domain.ConfirmDeposit(name=name, sequence=deposit.entry, reference="its reference")
            )
            for deposit in deposits
        },
        "may_change": caller.may(domain.ChangeJackpot),
        "may_deposit": caller.may(domain.SendDeposit),
        "may_withdraw": caller.may(domain.WithdrawEscrow),
        "may_post": caller.may(domain.PostBonus),
        "may_document": caller.may(domain.DocumentRemoval),
        "may_give_notice": caller.may(domain.GiveRemovalNotice),
        "may_adjust": caller.may(domain.AdjustFund),
    }


def _page(
    request: Request,
    room: Room,
    caller: Caller,
    name: str,
    problems: Sequence[str] = (),
    form: FormData | None = None,
    review: Description | None = None,
) -> Response:
    view = _view(room, name)
    acted = request.url.path.rpartition("/")[2] if problems or review is not None else ""
    days = next((days for days, _ in _SPANS if request.query_params.get("days") == str(days)), 7)
    # A long journal is read once a minute at most, whoever looks.
    now = room.clock()
    at = now - now % _MINUTE if is_long(room) else now
    figure = journal_figure(request, room, MeterHistoryJob(path=str(room.path), jackpot=name, days=days, at=at))
    history = figure.value if figure.status == "ready" else None
    context = {
        **_buttons(room, caller, name, view),
        "view": view,
        "chart": history
        and step_chart(
            [tuple(point) for point in history["points"]], history["begins"], history["ends"], room_zone(room.state)
        ),
        "spans": [(span, title, span == days) for span, title in _SPANS],
        "waits": figure.key if figure.status == "computing" else "",
        "reasons": _REASONS,
        "acted": acted,
        "review": review,
        "reviewed": [] if review is None or form is None else forms.sent_fields(form, "csrf", "command", "review"),
        "tab": _FORM_TABS.get(acted, "") or _tab(request),
        "tabs": TABS,
        "retire_title": "Retire jackpot",
        "waiting": approval_cards(
            room.state, forms.viewer_of(room, caller), everything=True, about=about_jackpot(name)
        ),
        "parts": ("chart", "approval"),
    }
    return forms.render_form(
        request,
        "office/jackpots/jackpot.html",
        context,
        problems=problems,
        messages=MESSAGES | {"deposit": _deposit_message(view)},
        sent=SubmittedForm(acted, form),
        field_of=lambda path: f"{acted}-{path}" if path in _FORM_FIELDS.get(acted, ()) else "",
    )


def _tab(request: Request) -> str:
    chosen = request.query_params.get("tab", "")
    return chosen if chosen in TABS else "overview"


def _deposit_message(view: JackpotView) -> str:
    """Return the message about the deposit that was recorded last, with its amount."""
    deposits = () if view.escrow is None else view.escrow.deposits
    return f"Deposit of {deposits[-1].amount} recorded." if deposits else "Deposit recorded."


@router.get("/office/jackpots/{name}")
def page(
    request: Request, name: str, caller: Reader, room: CurrentRoom, days: Annotated[str, Query(max_length=5)] = ""
) -> Response:
    """Render a jackpot."""
    del days
    return _page(request, room, caller, name)


# The form that defines or changes a jackpot. Its routes stand before that of the other forms.


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
        return self._read(name, parse_dollars, 0, needed=f"Enter an amount like $1,000.00 ({clause})")

    def cents_or_none(self, name: str) -> int | None:
        return self._read(name, parse_dollars, None)

    def count_or_none(self, name: str) -> int | None:
        return self._read(name, _count, None)

    def rate(self, name: str) -> str:
        return self._read(name, _rate, "0", needed="Enter a percentage like 17.3 (REGULATION J-07)")


def _count(text: str) -> int:
    number = number_of(text)
    if not number:
        raise ValueError(f"{text!r} is not a whole number. Enter 1 or more (REGULATION T-01)")
    return number


def _rate(text: str) -> str:
    match = _PERCENT.fullmatch(text)
    if match is None:
        raise ValueError(f"{text!r} is not a percentage. Enter one like 17.3 (REGULATION J-07)")
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
        read.problems.append("offer: Choose a wager and its pay table (REGULATION J-01)")
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
            read.problems.append(f"{field}: Fill this in (REGULATION {clause})")
    return draft, read.problems


def _edges(request: Request, room: Room) -> dict[str, str]:
    """Return by the key of an offer its house edge at the opening meter of a table that has it, where it is counted."""
    edges = {}
    for table in tables_of(room.state):
        configuration = configuration_at(room.state, table)
        if configuration is None or not configuration.jackpots:
            continue
        counted = choice_edges(replace(configuration, wagers={}), request.app.state.worker.ask_at_ease)
        for place, (edge, _) in counted.items():
            wager, _slot, code = place.split(":", 2)
            meter = configuration.jackpots[wager].meter_cents
            if edge.endswith("%"):
                edges[views.offer_key(configuration.game, wager, code)] = f"{edge} at {whole_dollars(meter)}"
    return edges


def _form(
    request: Request, room: Room, kind: str, values: Values, problems: Sequence[str], before: domain.Jackpot | None
) -> Response:
    name = "" if before is None else before.name
    context = {
        "title": _TITLES[kind] if before is None else f"Edit {domain.jackpot_title(room.state, name)}",
        "is_progressive": kind == "progressive",
        "name": name,
        "back": jackpot_address(name) if name else "/office/jackpots",
        "offer": offer_view(next(iter(values.get("offer", [])), "")),
        "groups": views.offer_groups(room.state, _edges(request, room)),
        "boxes": views.table_boxes(room.state, name),
        "typed": lambda field: next(iter(values.get(field, [])), ""),
        "all_typed": lambda field: values.get(field, []),
        "is_closed": before is None or room.state.of(domain.JACKPOTS).jackpots[name].play == "closed",
    }
    return forms.render_form(
        request, "office/jackpots/form.html", context, problems=problems, field_of=_labelled_fields(kind, before)
    )


_FIELDS_OF_KIND = {
    "progressive": ("reseed", "display_rate", "reserve_rate", "cap"),
    "bonus": ("bonus_sharing",),
}


def _labelled_fields(kind: str, before: domain.Jackpot | None) -> Callable[[str], str]:
    """Return how a label leads to its field on the form of a kind; what has no field there stands above the form."""
    always = ("wager", "seed", "small", "batch", "location", "words", "display", "fixed_prizes", "offer")
    there = {*always, *_FIELDS_OF_KIND[kind], *(("name",) if before is None else ())}

    def field_of(label: str) -> str:
        if label.startswith("Table"):
            return "table"
        return next((field for field, title in _FIELD_LABELS.items() if title == label and field in there), "")

    return field_of


@router.get("/office/jackpots/new/{kind}")
def new(request: Request, kind: Kind, _: Definer, room: CurrentRoom, offer: Key = "") -> Response:
    """Render the form of a new jackpot: first its pay table is chosen, then everything else."""
    values = {**views.initial_values(room.state, kind), "offer": [offer]}
    problems = ["Choose a wager and its pay table (REGULATION J-01)"] if offer and offer_view(offer) is None else []
    return _form(request, room, kind, values, problems, None)


def _defined(room: Room, name: str) -> domain.Jackpot:
    record = room.state.of(domain.JACKPOTS).jackpots.get(name)
    if record is None:
        raise ProblemError(HTTPStatus.NOT_FOUND, [f"No jackpot {name}."])
    return record.jackpot


@router.get("/office/jackpots/{name}/change")
def change_page(request: Request, name: str, _: Definer, room: CurrentRoom, offer: Key = "") -> Response:
    """Render the form of a jackpot with what is in force, under another pay table where one is chosen."""
    jackpot = _defined(room, name)
    first = jackpot.offers[0]
    key = offer if offer_view(offer) is not None else views.offer_key(first.game, first.wager, first.paytable)
    values = {**views.values_of(jackpot), "offer": [key]}
    return _form(request, room, jackpot.meter.jackpot_type, values, (), jackpot)


_FIELD_LABELS = {
    "name": "Short name",
    "wager": "Wager",
    "seed": "Starting amount",
    "reseed": "Reset amount after a full win",
    "display_rate": "Meter contribution",
    "reserve_rate": "Reserve contribution",
    "cap": "Cap",
    "small": "Dealer pays prizes under",
    "small_prize": "Dealer pays prizes under",
    "batch": "Max wagers per count",
    "batch_wagers_max": "Max wagers per count",
    "location": "Licensed location",
    "words": "Reason",
    "offer": "Pay table",
    "offers": "Pay table",
    "tables": "Tables",
    "display": "Display updates",
    "fixed_prizes": "Fixed prizes paid by",
    "bonus_sharing": "If several players win",
}
"""What the fields of the form, and those of the command behind them, are called on it."""


def labelled(problem: str) -> str:
    """Return a problem with the label of its field on the form in place of the field's name."""
    path, colon, text = problem.partition(": ")
    field, _, place = path.partition(".")
    label = _FIELD_LABELS.get(field.replace(" ", "_").removesuffix("_cents"))
    if not colon or label is None:
        return problem
    return f"Table {place}: {text}" if field == "tables" and place else f"{label}: {text}"


def _all_problems(room: Room, draft: Mapping[str, Any], unreadable: Sequence[str]) -> list[str]:
    """Add what else is wrong with a jackpot of which some fields cannot be read, without naming a field twice."""
    filled = {**draft, "name": draft["name"] or "this jackpot"}
    filled["tables"] = [
        {**linked, "location": linked["location"] or location_of(room.state)} for linked in draft["tables"]
    ]
    try:
        jackpots, today = room.state.of(domain.JACKPOTS), local_today(room.state, room.clock())
        jackpot = jackpot_of(read_fields(domain.JackpotDraft, filled), room.services.probabilities, jackpots, today)
        problems = list(map(str, [*jackpot_problems(jackpot), *room_problems(jackpot, jackpots, today)]))
    except RefusedError as error:
        problems = list(error.problems)
    except InvalidCommandError:
        return list(unreadable)
    fields = {text.partition(":")[0].replace(" ", "_") for text in unreadable}
    named = {f"{field}{end}" for field in fields for end in ("", "_cents", "_wagers_max")}
    return [*unreadable, *(text for text in problems if text.partition(":")[0].strip() not in named)]


def _request(room: Room, caller: Caller, cls: type[Command], values: Values, kind: str, name: str = "") -> str:
    """Request approval of the jackpot of a form, or refuse it with everything that is wrong."""
    draft, problems = read_jackpot(values, kind, room.state)
    if name:
        draft["name"] = name
        problems = [text for text in problems if not text.startswith("name:")]
    if problems:
        raise RefusedError(_all_problems(room, draft, problems))
    words = next(iter(values.get("words", [])), "")
    command = next(iter(values.get("command", [])), "") or forms.with_id("office")
    return forms.perform(room, caller, cls, {"command": command, "jackpot": draft, "words": words})


@router.post("/office/jackpots/new/{kind}")
def define(request: Request, kind: Kind, caller: Definer, room: CurrentRoom, form: Form) -> Response:
    """Request approval of a new jackpot."""
    values = forms.form_values(form)
    return forms.answer(
        "/office/jackpots",
        lambda: _request(room, caller, domain.DefineJackpot, values, kind),
        lambda problems: _form(request, room, kind, values, [*map(labelled, problems)], None),
    )


@router.post("/office/jackpots/{name}/change")
def change(request: Request, name: str, caller: Definer, room: CurrentRoom, form: Form) -> Response:
    """Request approval of changed parameters, tables or linked games; only while it is closed (T-16)."""
    before, values = _defined(room, name), forms.form_values(form)
    kind = before.meter.jackpot_type
    return forms.answer(
        jackpot_address(name),
        lambda: _request(room, caller, domain.ChangeJackpot, values, kind, name),
        lambda problems: _form(request, room, kind, values, [*map(labelled, problems)], before),
    )


@router.post("/office/jackpots/{name}/{do}")
def act(request: Request, name: str, do: str, caller: Acts, room: CurrentRoom, form: Form) -> Response:
    """Run the form's command and redirect to the jackpot; on refusal render it again with all problems."""
    _view(room, name)
    forms.require_form(do, (*COMMANDS, *forms.APPROVAL_FORMS))

    page = partial(_page, request, room, caller, name, form=form)
    if do in _REVIEWED and form.get("review") == "yes":
        # What is asked for is shown with its result first (before, after); the same fields are then sent.
        try:
            fields = _fields(COMMANDS[do], form)
            return page(review=forms.reviewed(room, caller, COMMANDS[do], form, name=name, **fields))
        except ValueError as error:
            return page(forms.problems_of(error))

    def run() -> str:
        if do in forms.APPROVAL_FORMS:
            return forms.decide_approval(room, caller, do, number_of(form.get("number")), form)
        return forms.submit(room, caller, COMMANDS[do], form, name=name, **_fields(COMMANDS[do], form))

    tab = _FORM_TABS.get(do, text_of(form.get("tab")))
    address = f"{jackpot_address(name)}?tab={tab}" if tab in TABS else jackpot_address(name)
    return forms.answer(address, run, page)
