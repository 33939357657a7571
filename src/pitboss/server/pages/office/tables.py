"""Tables in the back office: configurations, edited as a form or as TOML, equipment, odds, PAR sheets, forecasts."""

import base64
import datetime
import tomllib
from collections.abc import Sequence
from functools import partial
from http import HTTPStatus
from typing import Annotated, Any, Literal, NamedTuple
from urllib.parse import quote

from fastapi import APIRouter, Query, Request, Response
from fastapi.responses import RedirectResponse
from starlette.datastructures import FormData

from pitboss.books import EPOCH, LEDGER, RefusedError
from pitboss.commands import Command, refuse
from pitboss.games import UnknownGameError, all_games, find_game
from pitboss.jackpot import JACKPOTS, jackpot_title
from pitboss.room import configurations as configured
from pitboss.room.agreement import disagreements
from pitboss.room.approval_records import RecordApproval, WithdrawApproval
from pitboss.room.bundles import OpenDay, closed_jackpots
from pitboss.room.people.roles import READERS
from pitboss.room.room import Room, room_zone, tables_of
from pitboss.room.settings import gambling_day_of
from pitboss.rules import Game, Problem
from pitboss.server.auth import Caller, CurrentRoom, allow
from pitboss.server.pages import forms
from pitboss.server.pages.forms import Form, SubmittedForm, allow_commands, number_of, text_of
from pitboss.server.pages.layout import render
from pitboss.server.pages.office.new_table import FieldReader, setup_fields, submit_new_table, wagers_to_count
from pitboss.server.problems import NoTableError, ProblemError
from pitboss.server.views.approvals import about_table, approval_card, approval_cards
from pitboss.server.views.console import deck_text, shuffler_text
from pitboss.server.views.office import new_table
from pitboss.server.views.office import odds as odds_views
from pitboss.server.views.office import tables as views
from pitboss.server.views.office.approvals import table_approvals
from pitboss.server.views.office.jackpots import jackpot_address
from pitboss.server.views.office.papers import paper_statuses
from pitboss.server.views.office.tables import local_today, table_address, table_cards, table_page
from pitboss.server.views.viewer import Button
from pitboss.server.worker.jobs import JackpotForecastJob, ParSheetJob
from pitboss.server.worker.pool import Worker, figure_of, figure_or_failure
from pitboss.table import Configuration, default_configuration, read_configuration
from pitboss.table.configuration import toml_text
from pitboss.table.reading import read_toml
from pitboss.tabulator import TABLES, CloseTable, OpenTable, SetUpTable
from pitboss.tabulator.equipment import NONE
from pitboss.tabulator.table_log import SetShuffler, log_of

COMMANDS = forms.form_commands(
    OpenTable, CloseTable, configured.WithdrawConfiguration, SetUpTable, RecordApproval, WithdrawApproval, SetShuffler
)
"""The commands of a table's forms, by the last part of their address."""
MESSAGES = {
    "waits": "Submitted. Waiting for approval.",
    "given": "Approved.",
    "refused": "Request declined.",
    "open": "Table opened.",
    "close": "Table closed.",
    "withdraw": "Withdrawn.",
    "withdrawn": "Request withdrawn.",
}
Mode = Literal["form", "toml"]
_BESIDE = ("opens", "words", "override")


def _is_beside(name: str) -> bool:
    """True if a field stands beside the configuration: when it opens and why, or what a new table needs."""
    return name in _BESIDE or name.startswith(new_table.PREFIXES)


router = APIRouter(include_in_schema=False)
Reader = Annotated[Caller, allow(*READERS)]
Acts = Annotated[Caller, allow_commands(*COMMANDS.values(), approvers=True)]
Configures = Annotated[Caller, allow_commands(configured.PostConfiguration)]
Opener = Annotated[Caller, allow_commands(OpenDay)]


class Opening(NamedTuple):
    """The tables that can be opened now, the closed jackpots of them, and by closed table its button."""

    tables: tuple[str, ...]
    jackpots: tuple[str, ...]
    buttons: dict[str, Button]


@router.get("/office/tables")
def tables(request: Request, caller: Reader, room: CurrentRoom) -> Response:
    """Render every table with what is in force there."""
    return _list(request, room, caller)


def _list(
    request: Request, room: Room, caller: Caller, problems: Sequence[str] = (), form: FormData | None = None
) -> Response:
    context = {
        "cards": table_cards(room.state, room.clock()),
        "games": [(game.name, game.title) for game in all_games()],
        "may_begin": caller.may(configured.PostConfiguration),
        "opening": _opening(room, caller),
        "short": odds_views.short_hash,
        "parts": ("compared",),
    }
    return forms.render_form(
        request,
        "office/tables/tables.html",
        context,
        problems=problems,
        messages=MESSAGES,
        sent=SubmittedForm("new", form),
        field_of=lambda path: {"name": "table", "game": "game"}.get(path, ""),
    )


def _opening(room: Room, caller: Caller) -> Opening:
    """Return which closed tables the caller may open now, alone or together, and which jackpots open with them."""
    if not caller.may(OpenDay):
        return Opening((), (), {})
    records = room.state.of(TABLES).tables
    buttons = {
        name: forms.button(room, caller, OpenTable(table=name))
        for name, record in records.items()
        if record.life == "closed"
    }
    ready = tuple(name for name, action in buttons.items() if action.is_active)
    return Opening(ready, closed_jackpots(room.state, ready), buttons)


@router.post("/office/tables")
def begin(request: Request, caller: Configures, room: CurrentRoom, form: Form) -> Response:
    """Start a new table with its name and game; what it offers is edited next, and nothing is written before."""
    tables, game = new_table.names_in(text_of(form.get("table"))), text_of(form.get("game"))
    problems = []
    if not tables or any(not name.isprintable() or len(name) > 40 or name in (".", "..") for name in tables):
        problems.append("name: Enter a table number or name, at most 40 letters, or several with commas.")
    present = {card.table for card in table_cards(room.state, room.clock())}
    problems += [f"name: There is a table {name} already." for name in tables if name in present]
    if game not in {offered.name for offered in all_games()}:
        problems.append("game: Choose a game.")
    if problems:
        return _list(request, room, caller, problems, form)
    address = f"{table_address(tables[0])}/edit?of={find_game(game).name}"
    also = f"&also={quote(', '.join(tables[1:]))}" if tables[1:] else ""
    return RedirectResponse(address + also, HTTPStatus.SEE_OTHER)


@router.post("/office/tables/open-day")
def open_day(request: Request, caller: Opener, room: CurrentRoom, form: Form) -> Response:
    """Submit the opening of several tables with their jackpots for approval."""
    names = {name: [text_of(text) for text in form.getlist(name)] for name in ("table", "jackpot")}
    fields = {"tables": names["table"], "jackpots": names["jackpot"], "words": text_of(form.get("words"))}
    page = partial(_list, request, room, caller)
    command = {"command": form.get("command")}
    return forms.answer("/office/tables", lambda: forms.perform(room, caller, OpenDay, {**command, **fields}), page)


def _page(
    request: Request,
    room: Room,
    caller: Caller,
    table: str,
    problems: Sequence[str] = (),
    sent: SubmittedForm | None = None,
) -> Response:
    state = room.state
    view = table_page(state, table, room.clock())
    waiting = approval_cards(state, forms.viewer_of(room, caller), everything=True, about=about_table(state, table))
    if table not in tables_of(state) and not waiting:
        raise NoTableError(table)
    compared = odds_views.compared_at_table(state, table, None, view.configuration, figure_or_failure(request))
    record, posts = state.of(TABLES).tables.get(table), configured.configurations_at(state, table)
    hashes = dict.fromkeys((*([posts.now.hash] if posts.now else []), *(waiting.hash for waiting in posts.prepared)))
    configurations = {content_hash: configured.configuration_by_hash(state, content_hash) for content_hash in hashes}
    play: Command = OpenTable(table=table) if record is None or record.life == "closed" else CloseTable(table=table)
    context = {
        "view": view,
        "waiting": waiting,
        "compared": compared,
        "waits": "" if compared is None else compared.waits,
        "record": record,
        "counted": views.counted_wagers(record),
        "setups": [
            (key, wagers_to_count(value), value.equipment not in (None, NONE))
            for key, value in configurations.items()
            if value is not None
        ],
        "may_configure": caller.may(configured.PostConfiguration),
        "may_set_up": caller.may(SetUpTable),
        "approvals": table_approvals(state, table),
        "may_record": caller.may(RecordApproval),
        "papers": paper_statuses(state, table),
        "decks": [deck_text(deck) for deck in log_of(state).in_play(table)],
        "shuffler": shuffler_text(log_of(state).shufflers.get(table)),
        "today": gambling_day_of(state, room.clock()).isoformat(),
        "may_set_shuffler": caller.may(SetShuffler),
        "play": None if record is None else forms.button(room, caller, play),
        "withdrawals": {
            waiting.number: forms.button(
                room, caller, configured.WithdrawConfiguration(table=table, number=waiting.number, words="reason")
            )
            for waiting in posts.prepared
        },
        "short": odds_views.short_hash,
        "parts": ("compared", "approval"),
    }
    return forms.render_form(
        request, "office/tables/table.html", context, problems=problems, messages=MESSAGES, sent=sent
    )


@router.get("/office/tables/{table}")
def table_of(request: Request, table: str, caller: Reader, room: CurrentRoom) -> Response:
    """Render a table: what is in force, prepared and requested, its equipment, and what was in force when."""
    return _page(request, room, caller, table)


@router.get("/office/tables/{table}/asked/{number}")
def request_page(request: Request, table: str, number: str, caller: Reader, room: CurrentRoom) -> Response:
    """Render a configuration that waits for a second person beside the one in force."""
    state = room.state
    pending = room.approvals.waiting.get(number_of(number))
    is_here = pending is not None and table in views.configured_tables(pending)
    configuration = None if pending is None or not is_here else views.requested_configuration(pending)
    if pending is None or configuration is None:
        raise ProblemError(HTTPStatus.NOT_FOUND, [f"Request {number} at table {table} is not waiting any more."])
    active = configured.configuration_at(state, table)
    compared = odds_views.compared_at_table(state, table, active, configuration, figure_or_failure(request))
    assert compared is not None
    context = {
        "table": table,
        "address": table_address(table),
        "card": approval_card(state, pending, forms.viewer_of(room, caller)),
        "compared": compared,
        "text": configuration.canonical,
        "waits": compared.waits,
        "parts": ("compared", "approval"),
        "command": partial(forms.with_id, "office"),
    }
    return render(request, "office/tables/request.html", context)


class Editing(NamedTuple):
    """A configuration being edited: as a form or TOML, its text, the form's fields, and what was typed beside it."""

    mode: Mode
    text: str
    fields: dict[str, str]
    beside: dict[str, str]
    problems: tuple[str, ...] = ()


def _from_content(content: dict[str, Any], beside: dict[str, str] | None = None) -> Editing:
    fields = views.fields_of(content)
    return Editing("form", toml_text(views.content_of(fields)), fields, beside or {})


def _usual_table(room: Room, game: Game, beside: dict[str, str] | None = None) -> Editing:
    """Return the table that a game begins with; what it does not offer is filled in, so that a check mark is enough."""
    today = local_today(room.state, room.clock())
    editing = _from_content(new_table.office_default(game, today).as_dict(), beside)
    usual = views.fields_of(default_configuration(game, today).as_dict())
    others = {name: text for name, text in usual.items() if not name.startswith("offer:")}
    return editing._replace(fields={**others, **editing.fields})


def _beginning(room: Room, table: str, of: str, also: str = "") -> Editing:
    """Return a configuration by its hash, the default table of a game, or the one in force, to be edited."""
    state = room.state
    configuration = configured.configuration_by_hash(state, of) or configured.configuration_at(state, table)
    if of in {game.name for game in all_games()}:
        return _usual_table(room, find_game(of), {"also": also} if also else None)
    if configuration is None:
        raise NoTableError(table)
    return _from_content(configuration.as_dict())


def _typed(form: FormData) -> Editing:
    """Parse the submitted form or text."""
    beside = {name: text_of(form.get(name)) for name in form if _is_beside(name)}
    if form.get("mode") == "toml":
        text = str(form.get("text") or "").replace("\r\n", "\n")
        return Editing("toml", text, {}, beside)
    fields = {name: text_of(value) for name, value in form.multi_items() if not _is_beside(name)}
    fields = {name: text for name, text in fields.items() if name not in ("csrf", "command")}
    return Editing("form", toml_text(views.content_of(fields)), fields, beside)


def _equipped(room: Room, table: str, typed: Editing) -> Editing:
    """Leave out the equipment of a new table without a jackpot: nothing is counted there; a game may demand it."""
    fields = typed.fields
    game = next((game for game in all_games() if game.name == fields.get("game")), None)
    if game is None or game.approval.equipment_required or table in tables_of(room.state):
        return typed
    if not fields.get("equipment") or any(fields.get(f"offer:{wager.name}") for wager in game.jackpots):
        return typed
    fields = {**fields, "equipment": ""}
    return typed._replace(fields=fields, text=toml_text(views.content_of(fields)))


def _as_form(typed: Editing) -> Editing:
    """Turn a text into the form; where something would be lost, it stays a text, with a problem."""
    try:
        content = read_toml(typed.text)
        find_game(content.get("game"))
    except (tomllib.TOMLDecodeError, UnknownGameError) as error:
        return typed._replace(problems=(f"there is no form for this text: {error}",))
    lost = views.lost_keys(content)
    if lost:
        return typed._replace(problems=(f"the form has no field for {', '.join(lost)}: mend or remove it first",))
    return _from_content(content, typed.beside)


def _other_game(room: Room, typed: Editing) -> Editing:
    try:
        game = find_game(typed.fields.get("game"))
    except UnknownGameError as error:
        return typed._replace(problems=(str(error),))
    return _usual_table(room, game, typed.beside)


def _moved(room: Room, typed: Editing, do: str) -> Editing:
    if do == "form" and typed.mode == "toml":
        return _as_form(typed)
    if do == "toml" and typed.mode == "form":
        return typed._replace(mode="toml")
    return _other_game(room, typed) if do == "game" and typed.mode == "form" else typed


def _opening_problems(room: Room, typed: Editing, configuration: Any) -> list[str]:
    """Return what is wrong with the opening time, or with the configuration by the rules of that day."""
    zone = room_zone(room.state)
    try:
        instant = configured.opening_instant(typed.beside.get("opens", ""), zone)
    except RefusedError as error:
        return list(error.problems)
    day = (EPOCH + datetime.timedelta(microseconds=max(instant, room.clock()))).astimezone(zone).date()
    return configured.problems_on(configuration, day)


def _editor(
    request: Request,
    room: Room,
    table: str,
    typed: Editing,
    problems: Sequence[str] = (),
    *,
    status: HTTPStatus = HTTPStatus.OK,
) -> Response:
    parsed, state = read_configuration(typed.text), room.state
    configuration, in_force = parsed.configuration, configured.configuration_at(state, table)
    game = None if configuration is None else configuration.game
    worker: Worker = request.app.state.worker
    compared = odds_views.compared_at_table(state, table, in_force, configuration, figure_or_failure(request))
    edges = {}
    if configuration is not None and not parsed.problems and typed.mode == "form":
        edges = odds_views.choice_edges(configuration, worker.ask_at_ease)
    try:
        form = views.form_view(typed.fields, edges) if typed.mode == "form" else None
    except UnknownGameError:
        form, typed = None, typed._replace(mode="toml")
    before_opening: list[str] = []
    is_valid = configuration is not None and not parsed.problems
    if configuration is not None and is_valid:
        before_opening = [*_opening_problems(room, typed, configuration)]
        before_opening += map(str, disagreements(state, table, configuration))
    context = {
        "table": table,
        "tables": new_table.tables_typed(table, typed.beside),
        "address": table_address(table),
        "editing": typed,
        "form": form,
        "wrong": odds_views.problem_lines(parsed.problems, game),
        "notices": odds_views.problem_lines(parsed.notices, game),
        "compared": compared,
        "before_opening": before_opening,
        "is_new": in_force is None,
        "new": _new_fields(room, table, configuration, typed),
        "hash": configuration.content_hash if configuration is not None and is_valid else "",
        "short": odds_views.short_hash,
        "parts": ("compared",),
    }
    wrong = (*typed.problems, *problems, *(_at_field(problem) for problem in parsed.problems if form is not None))
    fields = views.field_of_path(typed.fields)
    return forms.render_form(
        request, "office/tables/form.html", context, problems=wrong, status=status, field_of=fields
    )


def _at_field(problem: Problem) -> str:
    """Return a problem as it stands beside its field: with its path, and its clause at the end."""
    because = "; ".join(part for part in (problem.clause, problem.ruling) if part)
    return f"{problem.path}: {problem.words}{f' ({because})' if because else ''}"


@router.get("/office/tables/{table}/edit")
def edit(
    request: Request,
    table: str,
    _: Configures,
    room: CurrentRoom,
    of: Annotated[str, Query(max_length=64)] = "",
    also: Annotated[str, Query(max_length=600)] = "",
) -> Response:
    """Render the form that edits a configuration of a table."""
    return _editor(request, room, table, _beginning(room, table, of, also))


@router.post("/office/tables/{table}/edit")
def change(request: Request, table: str, caller: Configures, room: CurrentRoom, form: Form) -> Response:
    """Check what was typed, turn it into the other form, or ask a second person for it."""
    typed, do = _equipped(room, table, _typed(form)), text_of(form.get("do")) or "check"
    if do != "ask":
        return _editor(request, room, table, _moved(room, typed, do))
    try:
        message = _submit_configuration(room, caller, table, typed, form)
    except ValueError as error:
        is_broken = bool(read_configuration(typed.text).problems)
        problems = () if is_broken else forms.problems_of(error)
        refusal = ("Not submitted. Fix what is marked below." if is_broken else "Not submitted.", *problems)
        return _editor(request, room, table, typed, refusal, status=HTTPStatus.CONFLICT)
    return RedirectResponse(f"{table_address(table)}?told={message}", HTTPStatus.SEE_OTHER)


def _new_fields(
    room: Room, table: str, configuration: Configuration | None, typed: Editing
) -> new_table.NewTable | None:
    """Return what else is asked of a table that stands nowhere yet, so that one approval is enough."""
    if configuration is None or table in tables_of(room.state):
        return None
    return new_table.new_table_view(room.state, table, configuration, typed.beside)


def _submit_configuration(room: Room, caller: Caller, table: str, typed: Editing, form: FormData) -> str:
    """Request approval of a configuration; of a table that is new, with its equipment, approvals and jackpots."""
    parsed = read_configuration(typed.text)
    if parsed.configuration is not None and not parsed.problems and table not in tables_of(room.state):
        beside = {**typed.beside, "command": text_of(form.get("command"))}
        return submit_new_table(room, caller, table, typed.text, parsed.configuration, beside)
    beside = {name: typed.beside.get(name, "") for name in _BESIDE}
    return forms.submit(
        room, caller, configured.PostConfiguration, form, table=table, configuration=typed.text, **beside
    )


def _papers(room: Room, table: str, form: FormData) -> dict[str, Any]:
    """Return the game of a table, and the papers that a form has a number or a day for."""
    approvals = table_approvals(room.state, table)
    if approvals is None:
        raise RefusedError(["game: set the table up first: an approval is of a game at a table (O-16)"])
    typed = [
        {"kind": paper.kind, "number": text_of(form.get(f"number:{paper.kind}")), "day": form.get(f"day:{paper.kind}")}
        for paper in approvals.papers
    ]
    return {"game": approvals.game, "papers": [paper for paper in typed if paper["number"] or paper["day"]]}


def _submit(room: Room, caller: Caller, table: str, do: str, form: FormData) -> str:
    """Run the form's command; a table is set up for a configuration of it: game, seats and equipment are its."""
    if do in forms.APPROVAL_FORMS:
        return forms.decide_approval(room, caller, do, number_of(form.get("number")), form)
    cls = COMMANDS[do]
    if cls is RecordApproval:
        return forms.submit(room, caller, cls, form, table=table, **_papers(room, table, form))
    if cls is not SetUpTable:
        return forms.submit(room, caller, cls, form, table=table)
    configuration = configured.configuration_by_hash(room.state, text_of(form.get("hash")))
    if configuration is None:
        raise RefusedError(["configuration: prepare one first; the table is set up for it"])
    counted = [name for name, _, _ in wagers_to_count(configuration) if name in form.getlist("counted")]
    typed = {name: text_of(form.get(name)) for name in ("device", "down_method", "counter_digits")}
    reader = FieldReader(typed)
    setup = setup_fields(table, configuration, counted, typed, reader)
    refuse(reader.problems)
    return forms.submit(room, caller, cls, form, setup=setup)


@router.post("/office/tables/{table}/{do}")
def act(request: Request, table: str, do: str, caller: Acts, room: CurrentRoom, form: Form) -> Response:
    """Run the form's command and redirect to the table; on refusal render it again with all problems."""
    forms.require_form(do, (*COMMANDS, *forms.APPROVAL_FORMS))
    page = partial(_page, request, room, caller, table, sent=SubmittedForm(do, form))
    return forms.answer(table_address(table), lambda: _submit(room, caller, table, do, form), page)


READER = allow(*READERS)
_USUAL = {"rounds_per_hour": 40, "hours_per_day": 16, "days": 30, "runs": 100}
_MOST = {"rounds_per_hour": 1_000, "hours_per_day": 24, "days": 366, "runs": 1_000}
_LABELS = {
    "rounds_per_hour": "Rounds per hour, all linked tables",
    "hours_per_day": "Hours per day",
    "days": "Days",
    "runs": "Runs",
}


def _plan(request: Request, tables: int) -> tuple[dict[str, int], list[str]]:
    """Read the plan, with the usual number in place of one that cannot be, and a problem for it."""
    plan, problems = {}, []
    for name, usual in _USUAL.items():
        text = request.query_params.get(name, "")
        number = number_of(text)
        if text and not 1 <= number <= _MOST[name]:
            problems.append(f"{_LABELS[name]}: enter a whole number from 1 to {_MOST[name]:,}.")
            number = 0
        plan[name] = number or (min(usual * max(1, tables), _MOST[name]) if name == "rounds_per_hour" else usual)
    return plan, problems


def _cents(room: Room, name: str) -> int:
    accounts = room.state.of(LEDGER).get(name)
    meter = room.state.of(JACKPOTS).jackpots[name].jackpot.meter
    return meter.seed_cents if accounts is None else accounts.meter_state.displayed_cents


@router.get("/office/odds/{table}", dependencies=[READER])
def odds(request: Request, table: str, room: CurrentRoom) -> Response:
    """Render edge, volatility, hit rate and break-even meter of every wager at a table."""
    state = room.state
    if table not in tables_of(state):
        raise NoTableError(table)
    configuration = configured.configuration_at(state, table)
    offered = odds_views.offered_at(state, table, configuration)
    view = odds_views.odds_view(table, configuration, offered, figure_or_failure(request))
    return render(request, "office/odds/odds.html", {"table": table, "view": view, "waits": view.waits})


@router.get("/office/jackpots/{name}/forecast", dependencies=[READER])
def forecast_page(
    request: Request, name: str, room: CurrentRoom, table: Annotated[str, Query(max_length=60)] = ""
) -> Response:
    """Render what the meter may show in the days to come, from where it stands now."""
    record = room.state.of(JACKPOTS).jackpots.get(name)
    if record is None:
        raise ProblemError(HTTPStatus.NOT_FOUND, [f"No jackpot {name}."])
    tables = [linked.table for linked in record.jackpot.tables]
    chosen = table if table in tables else next(iter(tables), "")
    plan, problems = _plan(request, len(tables))
    configuration = configured.configuration_at(room.state, chosen) if chosen else None
    if configuration is None:
        problems.append(f"Table {chosen} has no active setup yet." if chosen else "This jackpot has no table yet.")
    forecast: dict[str, Any] = {"view": None, "waits": "", "failed": ""}
    if configuration is not None and not problems:
        forecast = _forecast(request, room, name, chosen, configuration.canonical, plan)
    context = {
        **forecast,
        "title": jackpot_title(room.state, name),
        "address": jackpot_address(name),
        "tables": tables,
        "table": chosen,
        "plan": [(field, _LABELS[field], number) for field, number in plan.items()],
        "problems": problems,
        "parts": ("chart", "fan"),
    }
    status = HTTPStatus.CONFLICT if problems else HTTPStatus.OK
    return render(request, "office/odds/forecast.html", context, status=status)


def _forecast(
    request: Request, room: Room, name: str, table: str, configuration: str, plan: dict[str, int]
) -> dict[str, Any]:
    jackpot = room.state.of(JACKPOTS).jackpots[name].jackpot
    job = JackpotForecastJob(
        configuration=configuration,
        jackpot=jackpot.to_json(),
        table=table,
        # From the whole dollar, so that a meter that moves does not make it another forecast with each wager.
        meter_cents=_cents(room, name) // 100 * 100,
        plan={**plan, "shift_hours": plan["hours_per_day"]},
        seats=0,
    )
    figure = figure_or_failure(request)(job)
    view = odds_views.forecast_view(figure.value, jackpot.offer_at(table).wager) if figure.status == "ready" else None
    waits = figure.key if figure.status == "computing" else ""
    return {"view": view, "waits": waits, "failed": figure.words if figure.status == "failed" else ""}


@router.get("/office/odds/{table}/par", dependencies=[READER])
def par(request: Request, table: str, room: CurrentRoom) -> Response:
    """Return the PAR sheet of a table as it is configured, as a PDF that carries its figures (T-07)."""
    configuration = configured.configuration_at(room.state, table) if table in tables_of(room.state) else None
    if configuration is None:
        raise ProblemError(HTTPStatus.NOT_FOUND, [f"Table {table} has no active setup yet."])
    records = room.state.of(JACKPOTS).at(table)
    displayed = {
        record.jackpot.offer_at(table).wager: _cents(room, record.jackpot.name) // 100 * 100 for record in records
    }
    meters = {wager: cents for wager, cents in displayed.items() if wager in configuration.jackpots}
    figure = figure_of(request, ParSheetJob(configuration=configuration.canonical, meters=meters))
    if figure.status == "failed":
        raise ProblemError(HTTPStatus.UNPROCESSABLE_ENTITY, [figure.words])
    if figure.status == "computing":
        context = {"title": f"PAR sheet of table {table}", "waits": figure.key}
        return render(request, "office/waits.html", context, status=HTTPStatus.ACCEPTED)
    name = "".join(char for char in table if char.isascii() and char.isalnum()) or "table"
    headers = {"content-disposition": f'inline; filename="par-{name}.pdf"'}
    return Response(base64.b64decode(figure.value["pdf"]), media_type="application/pdf", headers=headers)
