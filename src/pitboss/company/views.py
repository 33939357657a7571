"""The pages of a company: pure functions from what rooms have answered to every text as it is shown."""

import datetime
from collections.abc import Iterable, Mapping
from fractions import Fraction
from typing import Any, NamedTuple
from zoneinfo import ZoneInfo

from pitboss.company.reading import RoomReading
from pitboss.company.theory import HitTheory, hit_theory, together
from pitboss.meters import UNITS_PER_CENT
from pitboss.odds.decimals import decimal_text
from pitboss.server.views.formatting import clock_text, dollars, medium_day
from pitboss.server.views.shell import counted

_HALTED = {"ok": "", "halted": "Money does not move: the books are halted", "unwritable": "Its books cannot be written"}


class Total(NamedTuple):
    """A figure with its words, and whether somebody must act."""

    title: str
    figure: str
    text: str
    state: str = ""


class RoomCard(NamedTuple):
    """A room on the page of all: its state, since when it is silent, its figures, and where it leads."""

    name: str
    state: str
    label: str
    note: str
    as_of: str
    figures: tuple[Total, ...]
    path: str


class TheoryLine(NamedTuple):
    """A row of a pay table: hits actual and expected, the range of most such rooms, and how it stands in that."""

    about: str
    row: str
    wagers: str
    expected: str
    actual: str
    usual: str
    state: str
    label: str


class AccrualLine(NamedTuple):
    """A jackpot: wagers counted, what went to its funds, and what exactly should have by the rates now in force."""

    jackpot: str
    wagers: str
    actual: str
    expected: str
    state: str
    label: str


class CompanyView(NamedTuple):
    """The page of all rooms."""

    name: str
    time: str
    totals: tuple[Total, ...]
    rooms: tuple[RoomCard, ...]
    theory: tuple[TheoryLine, ...]
    covered: str


class JackpotStanding(NamedTuple):
    """A jackpot of a room."""

    title: str
    displayed: str
    status: str
    state: str
    tables: str
    wagers: str
    paid: str
    escrow: str


class RoomPage(NamedTuple):
    """The page of a room."""

    card: RoomCard
    jackpots: tuple[JackpotStanding, ...]
    pending: tuple[tuple[str, str, str], ...]
    theory: tuple[TheoryLine, ...]
    accrual: tuple[AccrualLine, ...]
    period: str
    url: str


def company_view(name: str, readings: Iterable[RoomReading], now: int) -> CompanyView:
    """Build the page of all rooms; a room that is silent counts with its last answer, and the page says so."""
    every = list(readings)
    answers = [reading.answer for reading in every if reading.answer is not None]
    results = [result for answer in answers for result in hit_theory(_rows(answer))]
    covered = sum(bool(_rows(answer)) for answer in answers)
    return CompanyView(
        name=name,
        time=clock_text(now, ZoneInfo("UTC"), with_day=True),
        totals=_totals(every, answers),
        rooms=tuple(_card(number, reading) for number, reading in enumerate(every)),
        theory=tuple(_theory_line(result, result.game) for result in together(results)),
        covered=f"{covered} of {counted(len(every), 'room')}",
    )


def _rows(answer: Mapping[str, Any]) -> list[Mapping[str, Any]]:
    rows: list[Mapping[str, Any]] = (answer["theory"] or {}).get("hits", [])
    return rows


def _totals(readings: list[RoomReading], answers: list[Mapping[str, Any]]) -> tuple[Total, ...]:
    silent = sum(reading.is_silent for reading in readings)
    pending = [hit for answer in answers for hit in answer["pending"]]
    alerts = sum(answer["health"]["alerts"] for answer in answers)
    exceptions = sum(answer["exceptions"] for answer in answers)
    largest = max((answer["tables"]["largest_cents"] for answer in answers), default=0)
    heard = len(readings) - silent
    return (
        Total("Rooms", str(heard), f"of {counted(len(readings), 'room')} answering", "danger" if silent else "ok"),
        Total("Meters", dollars(sum(map(_displayed, answers))), "shown by all jackpots"),
        _pending_figure(pending),
        Total("Exposure", dollars(largest), "at most to one seat in one round"),
        Total("Exceptions", str(exceptions), "open", "warn" if exceptions else "ok"),
        Total("Alerts", str(alerts), "unassigned", "danger" if alerts else "ok"),
    )


def _displayed(answer: Mapping[str, Any]) -> int:
    return sum(jackpot["displayed_cents"] or 0 for jackpot in answer["jackpots"])


def _pending_figure(hits: list[Mapping[str, Any]]) -> Total:
    words = f"jackpot{'' if len(hits) == 1 else 's'} pending"
    if hits:
        words = f"{words}, {dollars(sum(hit['unpaid_cents'] for hit in hits))}"
    return Total("Pending", str(len(hits)), words, "warn" if hits else "ok")


def _zone(answer: Mapping[str, Any] | None) -> ZoneInfo:
    try:
        return ZoneInfo("UTC" if answer is None else answer["zone"])
    except (ValueError, OSError, KeyError):
        return ZoneInfo("UTC")


def _card(number: int, reading: RoomReading) -> RoomCard:
    answer, zone, path = reading.answer, _zone(reading.answer), f"/rooms/{number}"
    if reading.is_silent:
        since = f" since {clock_text(reading.silent_since, zone, with_day=True)}" if reading.silent_since else ""
        state, label, note = "danger", f"No answer{since}", f"{reading.problem[:1].upper()}{reading.problem[1:]}"
    else:
        assert answer is not None
        note = _HALTED.get(answer["health"]["status"], answer["health"]["status"])
        state, label = ("danger", "Stopped") if note else _standing(answer)
    if answer is None:
        return RoomCard(reading.room, state, label, note, "", (), path)
    as_of = clock_text(reading.answered, zone, with_day=True)
    return RoomCard(reading.room, state, label, note, as_of, _figures(answer), path)


def _standing(answer: Mapping[str, Any]) -> tuple[str, str]:
    if answer["health"]["alerts"]:
        return "danger", counted(answer["health"]["alerts"], "alert")
    if answer["pending"] or answer["exceptions"]:
        return "warn", "Something waits"
    return "ok", "All in order"


def _figures(answer: Mapping[str, Any]) -> tuple[Total, ...]:
    tables, health = answer["tables"], answer["health"]
    jackpots, pending = answer["jackpots"], answer["pending"]
    calls = sum(jackpot["hits"] for jackpot in jackpots) - len(pending)
    cents = sum(jackpot["won_cents"] for jackpot in jackpots) - sum(hit["unpaid_cents"] for hit in pending)
    lost = health["devices_lost"]
    return (
        Total("Tables", str(tables["open"]), f"of {counted(tables['all'], 'table')} open"),
        Total("Meters", dollars(_displayed(answer)), counted(len(answer["jackpots"]), "jackpot")),
        _pending_figure(answer["pending"]),
        Total("Paid", dollars(max(0, cents)), f"{counted(max(0, calls), 'prize')} since opening"),
        Total("Exposure", dollars(tables["largest_cents"]), "at most to one seat in one round"),
        Total("Exceptions", str(answer["exceptions"]), "open", "warn" if answer["exceptions"] else "ok"),
        Total("Alerts", str(health["alerts"]), "unassigned", "danger" if health["alerts"] else "ok"),
        Total("Devices", str(lost), "lost", "danger" if lost else "ok"),
    )


_LABELS = {"ok": "As usual", "warn": "Outside of 95 in 100", "danger": "Outside of 998 in 1,000"}


def _theory_line(result: HitTheory, about: str) -> TheoryLine:
    return TheoryLine(
        about=about,
        row=result.row,
        wagers=f"{result.wagers:,}",
        expected=decimal_text(result.expected, 2 if result.expected >= 1 else 4),
        actual=f"{result.actual:,}",
        usual=f"{result.low:,} to {result.high:,}",
        state=result.state,
        label=_LABELS[result.state],
    )


def verify_reading(reading: RoomReading) -> None:
    """Build every page of a room's answer; raises what there is where that cannot be done."""
    company_view("", [reading], reading.answered)
    room_view(0, reading, "")


def room_view(number: int, reading: RoomReading, url: str) -> RoomPage:
    """Build the page of a room from its last answer."""
    answer, card = reading.answer, _card(number, reading)
    if answer is None:
        return RoomPage(card, (), (), (), (), "", url)
    titles = {jackpot["name"]: jackpot["title"] for jackpot in answer["jackpots"]}
    theory = answer["theory"] or {}
    results = hit_theory(_rows(answer))
    return RoomPage(
        card=card,
        jackpots=tuple(map(_jackpot_line, answer["jackpots"])),
        pending=tuple(
            (f"Table {hit['table']}", hit["title"], dollars(hit["unpaid_cents"])) for hit in answer["pending"]
        ),
        theory=tuple(_theory_line(result, titles.get(result.jackpot, result.jackpot)) for result in results),
        accrual=tuple(_accruals(answer, theory.get("accrued", {}))),
        period=_period(theory),
        url=url,
    )


def _period(theory: Mapping[str, Any]) -> str:
    if "first" in theory:
        first, last = (datetime.date.fromisoformat(theory[name]) for name in ("first", "last"))
        return f"Gaming days from {medium_day(first)} to {medium_day(last)}"
    return str(theory.get("failed", ""))


def _jackpot_line(jackpot: Mapping[str, Any]) -> JackpotStanding:
    cents = -(-jackpot["undeposited_units"] // UNITS_PER_CENT)
    due = f"{dollars(cents)} to deposit{', short' if jackpot['is_short'] else ''}" if cents > 0 else "Deposited"
    return JackpotStanding(
        title=jackpot["title"],
        displayed=jackpot["displayed"] or "Not open yet",
        status=jackpot["status"].capitalize(),
        state="ok" if jackpot["status"] == "open" else "warn",
        tables=", ".join(jackpot["tables"]),
        wagers=f"{jackpot['wagers']:,}",
        paid=f"{jackpot['hits']:,}, {dollars(jackpot['won_cents'])}",
        escrow=due if jackpot["type"] == "progressive" else "None: a Bonus",
    )


def _accruals(answer: Mapping[str, Any], accrued: Mapping[str, Any]) -> Iterable[AccrualLine]:
    for jackpot in answer["jackpots"]:
        sums = accrued.get(jackpot["name"])
        if sums is None:
            continue
        exact = sums["wagers"] * sum(jackpot["rates"])
        is_same = exact == sums["units"]
        yield AccrualLine(
            jackpot=jackpot["title"],
            wagers=f"{sums['wagers']:,}",
            actual=_units(sums["units"]),
            expected=_units(exact),
            state="ok" if is_same else "warn",
            label="Exactly" if is_same else "Rates have changed, or counts were corrected",
        )


def _units(units: int) -> str:
    return dollars(int(decimal_text(Fraction(units, UNITS_PER_CENT), 0)))
