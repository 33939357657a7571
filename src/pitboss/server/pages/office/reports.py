"""Reports: each on screen, as CSV and as PDF, the agent's packet, and the forms of accounting on them."""

import base64
import datetime
from collections.abc import Callable, Mapping
from http import HTTPStatus
from typing import Annotated, Any, NamedTuple
from urllib.parse import urlencode

from fastapi import APIRouter, Query, Request, Response
from fastapi.responses import RedirectResponse
from pydantic import BaseModel, Field
from starlette.datastructures import FormData

from pitboss.books import EPOCH, ROOM, BookState, Calendar, RefusedError
from pitboss.jackpot import JACKPOTS
from pitboss.reports import GROUPS, PACKET, REPORTS
from pitboss.room.accounting import CountShift, RaiseFound, ResolveException, TakeException
from pitboss.room.people.roles import PAPER_READERS, READERS
from pitboss.room.room import Room, tables_of
from pitboss.server.auth import Caller, CurrentRoom, allow, no_access
from pitboss.server.pages import forms
from pitboss.server.pages.forms import Form, allow_commands, button, text_of
from pitboss.server.pages.layout import render
from pitboss.server.problems import ProblemError
from pitboss.server.views.office.tables import FieldChoice
from pitboss.server.views.viewer import Button
from pitboss.server.worker import jobs
from pitboss.server.worker.pool import Figure, figure_of, is_for_worker, journal_figure

_FIELDS = ("first", "last", "shift", "table", "jackpot")
_BASE = "/office/reports"
_DAY = datetime.timedelta(days=1)


class QuickPeriod(NamedTuple):
    """A period that is one click away."""

    title: str
    address: str
    chosen: bool


class ReportLink(NamedTuple):
    """A report that can be looked at: its name, title, description and address."""

    name: str
    title: str
    description: str
    address: str
    chosen: bool


class ReportsView(NamedTuple):
    """Everything around a report: the others, the filters as they stand, and where files of it are."""

    sequence: int
    action: str
    title: str
    description: str
    groups: dict[str, tuple[ReportLink, ...]]
    first: str
    last: str
    shifts: tuple[FieldChoice, ...]
    tables: tuple[FieldChoice, ...]
    jackpots: tuple[FieldChoice, ...]
    quick: tuple[QuickPeriod, ...]
    csv: str
    pdf: str
    packet: str
    packet_titles: tuple[str, ...]


def narrowed(query: Mapping[str, str]) -> dict[str, str]:
    """Return the filters of a report that were filled in."""
    return {name: query[name] for name in _FIELDS if query.get(name)}


def _address(path: str, filters: Mapping[str, str], **more: str) -> str:
    query = urlencode({**narrowed(filters), **more})
    return f"{path}?{query}" if query else path


def _choices(
    values: tuple[str, ...], chosen: str, every: str, title: Callable[[str], str] = str
) -> tuple[FieldChoice, ...]:
    choices = values if chosen in ("", *values) else (*values, chosen)
    titles = (FieldChoice(value, title(value), value == chosen) for value in choices)
    return (FieldChoice("", every, not chosen), *titles)


def _day(calendar: Calendar | None, instant: int) -> datetime.date:
    moment = EPOCH + datetime.timedelta(microseconds=instant)
    return moment.date() if calendar is None else calendar.gambling_day(moment)


def _quick(
    path: str, filters: Mapping[str, str], today: datetime.date, period: tuple[str, str]
) -> tuple[QuickPeriod, ...]:
    spans = (
        ("Today", today, today),
        ("Yesterday", today - _DAY, today - _DAY),
        ("7 days", today - 6 * _DAY, today),
        ("This month", today.replace(day=1), today),
    )
    periods = []
    for title, first, last in spans:
        span = {"first": first.isoformat(), "last": last.isoformat()}
        query = {**filters, **span, "shift": filters.get("shift", "") if first == last else ""}
        periods.append(QuickPeriod(title, _address(path, query), period == (span["first"], span["last"])))
    return tuple(periods)


def _link(name: str, filters: Mapping[str, str], *, is_chosen: bool) -> ReportLink:
    report = REPORTS[name]
    return ReportLink(name, report.title, report.says, _address(f"{_BASE}/{name}", filters), is_chosen)


def reports_view(state: BookState, filters: Mapping[str, str], now: int, name: str = "") -> ReportsView:
    """Render the page around a report, or around none; without days it is of the last one that has an entry."""
    calendar = state.of(ROOM)
    today, latest = _day(calendar, now), _day(calendar, state.recorded).isoformat()
    first, last = (
        filters.get("first") or filters.get("last") or latest,
        filters.get("last") or filters.get("first") or latest,
    )
    shifts = () if calendar is None else tuple(shift for shift, _ in calendar.settings_on(today).shifts)
    path = f"{_BASE}/{name}" if name else _BASE
    at, room = {"at": str(now)}, state.of(JACKPOTS)
    return ReportsView(
        sequence=state.sequence,
        action=path,
        title=REPORTS[name].title if name else "Reports",
        description=REPORTS[name].says if name else "",
        groups={
            title: tuple(_link(report.name, filters, is_chosen=report.name == name) for report in reports)
            for title, reports in GROUPS.items()
        },
        first=first,
        last=last,
        shifts=_choices(shifts, filters.get("shift", ""), "All day"),
        tables=_choices(tables_of(state), filters.get("table", ""), "All tables"),
        jackpots=_choices(tuple(sorted(room.jackpots)), filters.get("jackpot", ""), "All jackpots", room.title),
        quick=_quick(path, filters, today, (first, last)),
        csv=_address(f"{path}/csv", filters, **at) if name else "",
        pdf=_address(f"{path}/pdf", filters, **at) if name else "",
        packet=_address("/office/packet", filters, **at),
        packet_titles=tuple(report.title for report in PACKET),
    )


COMMANDS = forms.form_commands(TakeException, ResolveException, **{"raise": RaiseFound})
"""The commands of the forms on reports, by the last part of their address."""
router = APIRouter(include_in_schema=False)
Reader = Annotated[Caller, allow(*READERS)]
PaperReader = Annotated[Caller, allow(*PAPER_READERS)]
Acts = Annotated[Caller, allow_commands(*COMMANDS.values())]
_TEXT = Field(default="", max_length=120)


class Narrowing(BaseModel):
    """What narrows a report, as the form sends it; `at` is the instant of the request."""

    first: str = _TEXT
    last: str = _TEXT
    shift: str = _TEXT
    table: str = _TEXT
    jackpot: str = _TEXT
    at: int | None = Field(default=None, ge=0, le=2**62)

    @property
    def filters(self) -> dict[str, str]:
        """The filters that were filled in."""
        return narrowed(self.model_dump(exclude={"at"}))


class FileNarrowing(Narrowing):
    """What narrows a file: it names the instant, so that a second request returns the same file."""

    at: int = Field(ge=0, le=2**62)


ReportQuery = Annotated[Narrowing, Query()]
FileQuery = Annotated[FileNarrowing, Query()]


_NAMING_WINNERS = frozenset({"w-2g", "cheques", "slips"})


def _existing(request: Request, name: str) -> str:
    if name not in REPORTS:
        raise ProblemError(HTTPStatus.NOT_FOUND, [f"No report {name}."])
    if name in _NAMING_WINNERS and not request.state.caller.roles & set(PAPER_READERS):
        raise ProblemError(HTTPStatus.FORBIDDEN, [no_access(PAPER_READERS)])
    return name


@router.get("/office/reports")
def reports_page(request: Request, _: Reader, room: CurrentRoom, query: ReportQuery) -> Response:
    """Render which reports there are."""
    view = reports_view(room.state, query.filters, room.clock())
    return render(request, "office/reports/reports.html", {"view": view})


_MESSAGES = {
    "raise": "Exception opened.",
    "take": "Assigned to you.",
    "resolve": "Exception resolved.",
}


def _page(
    request: Request,
    room: Room,
    caller: Caller,
    name: str,
    query: Narrowing,
    figure: Figure,
    problems: tuple[str, ...],
    *,
    is_refused: bool = False,
) -> Response:
    wrong = problems or ((figure.words,) if figure.status == "failed" else ())
    waits = figure.key if figure.status == "computing" else ""
    context = {
        "view": reports_view(room.state, query.filters, room.clock(), name),
        "report": figure.value,
        "name": name,
        "buttons": _buttons(room, caller, figure.value),
        "may_raise": caller.may(RaiseFound),
        "may_collect": caller.may(CountShift),
        "command": lambda: forms.with_id("desk"),
        "waits": waits,
        "problems": wrong,
        "message": "" if wrong else _MESSAGES.get(request.query_params.get("told", ""), ""),
    }
    status = HTTPStatus.ACCEPTED if waits else HTTPStatus.UNPROCESSABLE_ENTITY if wrong else HTTPStatus.OK
    status = HTTPStatus.CONFLICT if is_refused else status
    return render(request, "office/reports/report.html", context, status=status)


def _buttons(room: Room, caller: Caller, report: dict[str, Any] | None) -> dict[str, Button]:
    """Return by raised exception the button that takes it on, or resolves it where it is the caller's."""
    buttons = {}
    for line in () if report is None else report["exceptions"]:
        if line["number"] and line["state"] in ("open", "taken"):
            number, is_own = int(line["number"]), line["owner"] == caller.name
            command = ResolveException(number=number, words="reason") if is_own else TakeException(number=number)
            buttons[line["number"]] = button(room, caller, command)
    return {number: action for number, action in buttons.items() if action.is_shown}


def _job(room: Room, name: str, filters: dict[str, str], at: int) -> jobs.ReportJob:
    return jobs.ReportJob(path=str(room.path), name=name, criteria=filters, at=at)


@router.get("/office/reports/{name}")
def report_page(request: Request, name: str, caller: Reader, room: CurrentRoom, query: ReportQuery) -> Response:
    """Render a report, or what is wrong with the request, or that the report is being made."""
    if query.at is None and name in REPORTS and is_for_worker(room, _job(room, name, query.filters, 0)):
        # Named, so that the page that asks for itself again gets the report that was made for it.
        told = {name: request.query_params[name] for name in ("told",) if name in request.query_params}
        address = f"{request.url.path}?{urlencode({**query.filters, 'at': room.clock(), **told})}"
        return RedirectResponse(address, HTTPStatus.SEE_OTHER)
    return _report(request, room, caller, name, query)


def _report(
    request: Request, room: Room, caller: Caller, name: str, query: Narrowing, refused: tuple[str, ...] = ()
) -> Response:
    """Render a report with what speaks against a form of it."""
    filters, figure, problems = query.filters, Figure("", "failed"), tuple[str, ...]()
    try:
        jobs.report_request(filters)
        at = query.at or room.clock()
        figure = journal_figure(request, room, _job(room, _existing(request, name), filters, at))
    except RefusedError as error:
        problems = error.problems
    return _page(request, room, caller, name, query, figure, (*refused, *problems), is_refused=bool(refused))


def _file(request: Request, figure: Figure, name: str, filters: dict[str, str], ending: str) -> Response:
    """Return a file that is ready, named by its report and period; else a page that waits for it."""
    if figure.status == "failed":
        raise ProblemError(HTTPStatus.UNPROCESSABLE_ENTITY, [figure.words])
    if figure.status == "computing":
        title = REPORTS[name].title if name else "Commission packet"
        context = {"title": title, "waits": figure.key}
        return render(request, "office/waits.html", context, status=HTTPStatus.ACCEPTED)
    headers = _file_headers(name, filters, ending)
    if ending == "csv":
        return Response(figure.value["text"].encode(), media_type="text/csv; charset=utf-8", headers=headers)
    return Response(base64.b64decode(figure.value["pdf"]), media_type="application/pdf", headers=headers)


def _pdf(request: Request, room: Room, name: str, query: FileNarrowing) -> Response:
    filters = query.filters
    jobs.report_request(filters)
    figure = figure_of(request, jobs.ReportPdfJob(path=str(room.path), name=name, criteria=filters, at=query.at))
    return _file(request, figure, name, filters, "pdf")


def _file_headers(name: str, filters: dict[str, str], ending: str) -> dict[str, str]:
    """Return the header that names a file by its report and period."""
    parts = [name or "packet", *(filters[field] for field in ("first", "last", "shift") if field in filters)]
    plain = "-".join(
        "".join(char for char in part if char.isascii() and (char.isalnum() or char == "-")) for part in parts
    )
    how = "inline" if ending == "pdf" else "attachment"
    return {"content-disposition": f'{how}; filename="{plain}.{ending}"'}


@router.get("/office/reports/{name}/csv")
def report_csv(request: Request, name: str, _: Reader, room: CurrentRoom, query: FileQuery) -> Response:
    """Return a report for spreadsheets."""
    filters = query.filters
    figure = journal_figure(
        request,
        room,
        jobs.ReportCsvJob(path=str(room.path), name=_existing(request, name), criteria=filters, at=query.at),
    )
    return _file(request, figure, name, filters, "csv")


@router.get("/office/reports/{name}/pdf")
def report_pdf(request: Request, name: str, _: Reader, room: CurrentRoom, query: FileQuery) -> Response:
    """Return a report as it is filed."""
    return _pdf(request, room, _existing(request, name), query)


@router.get("/office/packet")
def packet(
    request: Request, _: Annotated[Caller, allow(*PAPER_READERS)], room: CurrentRoom, query: FileQuery
) -> Response:
    """Return what an agent of the commission asks for of a period, as one PDF."""
    return _pdf(request, room, "", query)


def _back(form: FormData) -> tuple[str, Narrowing]:
    """Return the report that a form stands on, and what narrows it."""
    name = text_of(form.get("report"))
    filters = {field: text_of(form.get(f"back-{field}"))[:120] for field in Narrowing.model_fields if field != "at"}
    return name if name in REPORTS else "exceptions", Narrowing.model_validate(filters)


@router.post("/office/desk/{do}")
def act(request: Request, do: str, caller: Acts, room: CurrentRoom, form: Form) -> Response:
    """Run the command of a report's form and redirect to the report; on refusal render it with all problems."""
    forms.require_form(do, COMMANDS)
    cls, (name, query) = COMMANDS[do], _back(form)
    period = {"first": query.first, "last": query.last} if cls is RaiseFound else {}
    try:
        forms.submit(room, caller, cls, form, **period)
    except ValueError as error:
        return _report(request, room, caller, name, query, forms.problems_of(error))
    address = _address(f"{_BASE}/{name}", query.filters, told=do)
    return RedirectResponse(address, HTTPStatus.SEE_OTHER)
