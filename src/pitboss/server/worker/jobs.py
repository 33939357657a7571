"""What the worker process does: odds, and pictures of displays. The server itself never calls anything of this.

Each function imports what it needs when it is called: numba and typst are loaded in the worker alone.
"""

from __future__ import annotations

import base64
import datetime
from collections.abc import Callable, Iterator, Mapping
from contextlib import closing, contextmanager
from dataclasses import replace
from hashlib import sha256
from pathlib import Path
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from pitboss.rules import Stated
    from pitboss.table import Configuration
if TYPE_CHECKING:
    from pitboss.books import Store
    from pitboss.reports import Report, Scope


def jackpot_forecast(
    configuration: str, jackpot: dict[str, Any], table: str, meter_cents: int, plan: dict[str, int], seats: int
) -> dict[str, Any]:
    """Forecast a jackpot as it is defined and stands, at a table as it is configured; the same asked is the same."""
    from pitboss.books import RefusedError  # noqa: PLC0415
    from pitboss.books.canonical import canonical  # noqa: PLC0415
    from pitboss.jackpot import Jackpot  # noqa: PLC0415
    from pitboss.simulate.forecast_plan import ForecastRefusedError, MeterSettings, Plan  # noqa: PLC0415
    from pitboss.simulate.forecasting import forecast  # noqa: PLC0415
    from pitboss.table import read_configuration  # noqa: PLC0415

    found, offered = Jackpot.from_json(jackpot), read_configuration(configuration).configuration
    assert offered is not None
    wager, meter = found.offer_at(table).wager, found.meter
    if wager not in offered.jackpots:
        raise RefusedError([f"the configuration of table {table} does not offer {wager}"])
    stands = replace(offered.jackpots[wager], meter_cents=meter_cents)
    begun = replace(offered, jackpots={**offered.jackpots, wager: stands})
    settings = MeterSettings(
        seed_cents=meter.reseed_cents if meter.is_progressive else meter_cents,
        rate=meter.display_rate,
        reserve_rate=meter.reserve_rate,
        cap_cents=meter.cap_cents,
    )
    key = sha256(canonical([configuration, jackpot, table, meter_cents, plan, seats]).encode()).digest()
    try:
        made = forecast(begun, plan=Plan(**plan), seats=seats or None, meters={wager: settings}, key=key)
    except ForecastRefusedError as error:
        raise RefusedError(list(map(str, error.problems))) from None
    return made.as_json()


def par_sheet(configuration: str, meters: dict[str, int]) -> dict[str, Any]:
    """The PAR sheet of a table as it is configured, its jackpots also at what they show now; with its JSON inside."""
    from pitboss.games import find_game  # noqa: PLC0415
    from pitboss.odds import default_store  # noqa: PLC0415
    from pitboss.odds.par import make_sheet  # noqa: PLC0415
    from pitboss.paper.par import par_pdf  # noqa: PLC0415
    from pitboss.table import read_configuration  # noqa: PLC0415

    found = read_configuration(configuration).configuration
    assert found is not None
    stated = {name: [cents] for name, cents in found.meters.items()}
    shown = {name: sorted({*stated.get(name, ()), cents}) for name, cents in meters.items()}
    sheet = make_sheet(
        find_game(found.game),
        found.terms,
        wagers=list(found.offered),
        meters={**stated, **shown},
        configuration=found,
        store=default_store(),
    )
    return {"pdf": base64.b64encode(par_pdf(sheet)).decode("ascii"), "digest": sheet.digest}


FORECAST_WORK: dict[str, Callable[..., dict[str, Any]]] = {"jackpot-forecast": jackpot_forecast, "par-sheet": par_sheet}


def odds_asked(configuration: Configuration, wager: str) -> dict[str, Any] | None:
    """Give what the odds of a wager depend on, as JSON; nothing where pay tables that they hang on are not right.

    That is its own tables, and the main wager's where both hang on one decision. Limits and the other wagers are no
    part of it: who edits those asks for the same figure again.
    """
    from pitboss.games import find_game  # noqa: PLC0415

    shares = find_game(configuration.game).by_name[wager].shares
    names = [wager] if shares is None else [wager, shares.main]
    paths = [each.path.split(".") for each in configuration.terms_and_problems[1]]
    wrong = {path[1] for path in paths if path[0] == "paytables" and len(path) > 1}
    stated = configuration.terms_spec
    if wrong.intersection(names):
        return None
    return {
        "paytables": {name: stated.paytables[name] for name in names if name in stated.paytables},
        "readings": dict(stated.readings),
        "decks": stated.decks,
        "jackpot_type": stated.jackpot_type,
        "jackpot_wager_cents": {name: cents for name, cents in _cents(stated).items() if name == wager},
        "bonus_sharing": stated.bonus_sharing,
        "fixed_from_meter": sorted({wager} & stated.fixed_from_meter),
        "base_multiples_max": {name: most for name, most in stated.base_multiples_max.items() if name in names},
    }


def _cents(stated: Stated) -> dict[str, int]:
    return dict(stated.jackpot_wager_cents)


def wager_odds(game: str, wager: str, stated: dict[str, Any]) -> dict[str, Any]:
    """The exact odds of a wager beside the others that are stated; kept on disk, so that they are counted once."""
    from pitboss.books import RefusedError  # noqa: PLC0415
    from pitboss.games import find_game  # noqa: PLC0415
    from pitboss.odds import default_store, solve_terms  # noqa: PLC0415
    from pitboss.rules import Stated, make_terms  # noqa: PLC0415

    found = find_game(game)
    said = Stated(**{**stated, "fixed_from_meter": frozenset(stated["fixed_from_meter"])})
    terms, problems = make_terms(found, said)
    if problems:
        raise RefusedError(map(str, problems))
    return solve_terms(found, found.by_name[wager], terms, store=default_store()).as_json()


TABLE_WORK = {"wager-odds": wager_odds}


_BOOK = "room"
_ENTRY_KEYS = frozenset({"entry", "hit", "number", "malfunction"})
"""Columns of reports whose figures are numbers of entries."""


def asked_of(said: Mapping[str, str]) -> Any:
    """Read what a report is to be of from texts, as a form sends them; all that is wrong in one refusal."""
    from pitboss.books import RefusedError  # noqa: PLC0415
    from pitboss.reports import Asked  # noqa: PLC0415

    days: dict[str, datetime.date | None] = {}
    problems = []
    for name, title in (("first", "from"), ("last", "to")):
        try:
            days[name] = datetime.date.fromisoformat(said[name]) if said.get(name) else None
        except ValueError:
            problems.append(f"{title}: {said[name]!r} must be a day such as 2026-11-15")
    if problems:
        raise RefusedError(problems)
    shift, table, jackpot = (said.get(name) or None for name in ("shift", "table", "jackpot"))
    return Asked(first_day=days["first"], last_day=days["last"], shift=shift, table=table, jackpot=jackpot)


@contextmanager
def _scope(path: str, asked: Mapping[str, str], at: int) -> Iterator[Scope]:
    from pitboss.books import Directory  # noqa: PLC0415
    from pitboss.reports import look  # noqa: PLC0415
    from pitboss.room.projections import PROJECTIONS  # noqa: PLC0415

    wanted = asked_of(asked)
    with closing(Directory(Path(path)).open_store(write=False)) as store:
        yield look(store, _BOOK, wanted, made=at, now=at, projections=PROJECTIONS)


def linked(report: Report) -> list[list[int | None]]:
    """By row and column the entry that a figure is the number of."""
    places = [each.key in _ENTRY_KEYS for each in report.columns]
    return [
        [cell if here and isinstance(cell, int) else None for here, cell in zip(places, row.cells, strict=True)]
        for row in report.all_rows
    ]


def report(path: str, name: str, asked: dict[str, str], at: int) -> dict[str, Any]:
    """A report as it is laid out on a page, with the numbers of entries that its figures lead to."""
    from pitboss.reports import make_report  # noqa: PLC0415
    from pitboss.reports.render import report_view  # noqa: PLC0415

    with _scope(path, asked, at) as scope:
        made = make_report(scope, name)
        return {**report_view(made, scope.zone), "linked": linked(made), "keys": [each.key for each in made.exceptions]}


def report_csv(path: str, name: str, asked: dict[str, str], at: int) -> dict[str, Any]:
    """A report for spreadsheets."""
    from pitboss.reports import make_report  # noqa: PLC0415
    from pitboss.reports.render import csv_text  # noqa: PLC0415

    with _scope(path, asked, at) as scope:
        return {"text": csv_text(make_report(scope, name))}


def report_pdf(path: str, name: str, asked: dict[str, str], at: int) -> dict[str, Any]:
    """A report as it is filed; with no name, the agent's packet."""
    from pitboss.paper.report import reports_pdf  # noqa: PLC0415
    from pitboss.reports import make_packet, make_report  # noqa: PLC0415
    from pitboss.reports.render import json_text, report_view  # noqa: PLC0415

    with _scope(path, asked, at) as scope:
        made = [make_report(scope, name)] if name else make_packet(scope)
        views = [report_view(each, scope.zone) for each in made]
    return {"pdf": base64.b64encode(reports_pdf(views, json_text(made))).decode("ascii")}


@contextmanager
def _opened(path: str) -> Iterator[tuple[Store, Any]]:
    """Open the books for reading, with the room's calendar as it is now."""
    from pitboss.books import ROOM, Directory  # noqa: PLC0415
    from pitboss.reports.journal import part_at  # noqa: PLC0415

    with closing(Directory(Path(path)).open_store(write=False)) as store:
        head = store.head(_BOOK)
        upto = 0 if head is None else head.sequence
        yield store, part_at(store, _BOOK, upto, ROOM, ("room-set",))


def explained(path: str, jackpot: str, entry: int) -> dict[str, Any]:
    """Why a display showed what it showed after an entry (J-09, T-14)."""
    from pitboss.jackpot.explain import explain_display  # noqa: PLC0415

    with _opened(path) as (store, calendar):
        return explain_display(store, _BOOK, jackpot, entry, calendar).to_json()


def shown(path: str, cents: int, entry: int) -> dict[str, Any]:
    """When each display last came to an amount, up to an entry."""
    from pitboss.jackpot.display_history import find_shown  # noqa: PLC0415

    with _opened(path) as (store, _):
        return {"shown": [each._asdict() for each in find_shown(store, _BOOK, cents, entry)]}


def hit_explained(path: str, hit: int, entry: int) -> dict[str, Any]:
    """A hit back to cards, clauses, rulings and the meter."""
    from pitboss.jackpot.hits.explain import explain_hit, explain_story  # noqa: PLC0415
    from pitboss.reports.journal import part_at  # noqa: PLC0415
    from pitboss.room.hit_index import HIT_LOG, story_at  # noqa: PLC0415

    with _opened(path) as (store, calendar):
        log = part_at(store, _BOOK, entry, HIT_LOG, HIT_LOG.kinds or ())
        story = story_at(store, _BOOK, log, hit)
        # One that is not among the last hits is looked for in the whole journal.
        found = explain_hit(store, _BOOK, hit) if story is None else explain_story(store, _BOOK, story, calendar)
        return found.to_json()


def verified(path: str, heads: list[str], at: int) -> dict[str, Any]:  # noqa: ARG001 - asked later, it is checked again
    """The whole check of all books: chain, fold, seals, every invariant, and the auditor's own sums (M-02, T-19)."""
    from pitboss.books import Directory, invariants  # noqa: PLC0415
    from pitboss.books.check import check_books  # noqa: PLC0415
    from pitboss.room.projections import PROJECTIONS  # noqa: PLC0415

    found = check_books(Directory(Path(path)), heads=heads, projections=PROJECTIONS)
    broken = {each.invariant for each in found.findings}
    books = [
        {
            "book": name,
            "entries": each.reading.entries,
            "snapshots": each.reading.snapshots,
            "head": each.reading.state.digest.hex(),
            "last": each.reading.state.sequence,
            "sound": each.is_sound,
            "disagreements": each.disagreements,
        }
        for name, each in found.books.items()
    ]
    rules = [
        {"name": each.name, "says": each.says, "sources": list(each.sources), "holds": each.name not in broken}
        for each in invariants()
    ]
    wrong = [
        *map(str, found.damages),
        *(f"{each.invariant}: entry {each.sequence}, {each.words}" for each in found.findings),
    ]
    return {"sound": found.is_sound, "books": books, "rules": rules, "wrong": wrong, "heads": found.heads}


def who_did(path: str, first: int, last: int) -> dict[str, Any]:
    """How many entries of which kind everybody signed in a stretch of the journal."""
    from pitboss.books.finding import counts_by_actor  # noqa: PLC0415

    with _opened(path) as (store, _):
        return {"who": counts_by_actor(store, _BOOK, first - 1, last)}


def meter_history(path: str, jackpot: str, days: int, at: int) -> dict[str, Any]:
    """What a display showed from some days before an instant up to it: instants and units, thinned out."""
    from pitboss.books import LEDGER  # noqa: PLC0415
    from pitboss.reports.journal import last_before, state_at  # noqa: PLC0415
    from pitboss.server.views.charts import thinned  # noqa: PLC0415

    begins = at - days * 24 * 60 * 60 * 1_000_000
    with _opened(path) as (store, _):
        head = store.head(_BOOK)
        upto = 0 if head is None else head.sequence
        before = last_before(store, _BOOK, begins, upto)
        accounts = state_at(store, _BOOK, before, ()).state.of(LEDGER).get(jackpot)
        points = [] if accounts is None else [(begins, accounts.balances["displayed"])]
        points += _moved(store, jackpot, before, upto, 0 if accounts is None else accounts.balances["displayed"])
    first = points[0][0] if points else begins
    return {"begins": max(begins, first), "ends": at, "points": thinned(points)}


_SEALED_FOR_A_CHART = 300
"""From so many sealed states on, they are points enough: what is between them is read only where something fell."""


def _moved(store: Store, jackpot: str, after: int, upto: int, shown: int) -> list[tuple[int, int]]:
    """Instants and units at which a display moved after an entry, every one or enough of them and all falls."""
    from pitboss.books.finding import sealed_numbers  # noqa: PLC0415
    from pitboss.jackpot.display_history import history_of  # noqa: PLC0415
    from pitboss.jackpot.explain import movements_of, shown_change  # noqa: PLC0415

    if len(sealed_numbers(store, _BOOK, after, upto)) >= _SEALED_FOR_A_CHART:
        return history_of(store, _BOOK, jackpot, after, upto)
    points: list[tuple[int, int]] = []
    for entry, movement in movements_of(store, _BOOK, upto, jackpot, after):
        before, shown = shown, shown + shown_change(movement)
        if shown != before:
            points.append((entry.recorded, shown))
    return points


def table_odds(configuration: str, wager: str) -> dict[str, Any]:
    """The exact odds of a wager as a table offers it; kept on disk, so that they are counted once."""
    from pitboss.games import find_game  # noqa: PLC0415
    from pitboss.odds import default_store, solve_terms  # noqa: PLC0415
    from pitboss.table import read_configuration  # noqa: PLC0415

    found = read_configuration(configuration).configuration
    assert found is not None
    game = find_game(found.game)
    return solve_terms(game, game.by_name[wager], found.terms, store=default_store()).as_json()


def jackpot_odds(jackpot: dict[str, Any], table: str) -> dict[str, Any]:
    """The exact odds of a jackpot wager as it is defined for a table."""
    from pitboss.jackpot import Jackpot  # noqa: PLC0415
    from pitboss.odds import default_store, solve_terms  # noqa: PLC0415

    found = Jackpot.from_json(jackpot)
    offer = found.offer_at(table)
    return solve_terms(*found.game_and_wager(offer), found.terms_of(offer), store=default_store()).as_json()


def offer_chances(offer: dict[str, Any], jackpot_type: str) -> dict[str, Any]:
    """The exact chance of every hand of an offer that pays a share of the meter (J-12, T-07)."""
    from pitboss.jackpot import Offer, with_chances  # noqa: PLC0415
    from pitboss.odds import default_store  # noqa: PLC0415

    found = with_chances(Offer.from_json(offer), jackpot_type=jackpot_type, store=default_store())
    return {"chances": [[event, str(chance)] for event, chance in found.chances]}


OFFICE_WORK: dict[str, Callable[..., dict[str, Any]]] = {
    "report": report,
    "report-csv": report_csv,
    "report-pdf": report_pdf,
    "explained": explained,
    "shown": shown,
    "hit-explained": hit_explained,
    "verified": verified,
    "who-did": who_did,
    "meter-history": meter_history,
    "table-odds": table_odds,
    "jackpot-odds": jackpot_odds,
    "offer-chances": offer_chances,
}


_ODDS = ("odds", "table-odds", "jackpot-odds", "wager-odds", "offer-chances", "jackpot-forecast", "par-sheet")
_SLOW = frozenset({*_ODDS, "verified", "shown", "report-pdf"})
_DAYS_QUICK = 8
"""What is of so many days at most does not take long."""


def odds(game: str, wager: str, paytables: list[str], decks: int | None, jackpot_type: str) -> dict[str, Any]:
    """The exact odds of a wager; kept on disk, so that they are counted once."""
    from pitboss.odds import default_store, solve  # noqa: PLC0415

    return solve(game, wager, list(paytables), decks=decks, jackpot_type=jackpot_type, store=default_store()).as_json()


def vision_picture(frame: Any, width: int, height: int, theme: str) -> dict[str, Any]:
    """The display of a table as a picture, for photo frames."""
    from pitboss.paper.vision import vision_pictures  # noqa: PLC0415

    made = vision_pictures(frame, width=width, height=height, theme=theme, every=False)
    return {"png": base64.b64encode(made[0]).decode("ascii")}


def dispute_pdf(view: Any) -> dict[str, Any]:
    """The record of a dispute, to be printed and signed."""
    from pitboss.paper.dispute import dispute_pdf as made  # noqa: PLC0415

    return {"pdf": base64.b64encode(made(view)).decode("ascii")}


WORK: dict[str, Callable[..., dict[str, Any]]] = {
    "odds": odds,
    "vision-picture": vision_picture,
    "dispute-pdf": dispute_pdf,
    **OFFICE_WORK,
    **FORECAST_WORK,
    **TABLE_WORK,
}


def is_slow(what: str, given: Mapping[str, Any]) -> bool:
    """Whether a figure may take so long that others should not wait behind it; what is not known is not slow."""
    if what == "meter-history":
        return bool(given["days"] > _DAYS_QUICK)
    if what in ("report", "report-csv"):
        return given["name"] == "chain" or _days(given["asked"]) > _DAYS_QUICK
    return what in _SLOW


def _days(asked: Mapping[str, str]) -> int:
    """How many days a report is of; one where no two are named."""
    try:
        first, last = (datetime.date.fromisoformat(asked[name]) for name in ("first", "last"))
    except (KeyError, ValueError):
        return 1
    return (last - first).days + 1


def loaded() -> dict[str, Any]:
    """Load what most figures need, so that the first one does not wait for it."""
    from pitboss.reports import make_report  # noqa: PLC0415
    from pitboss.room.projections import PROJECTIONS  # noqa: PLC0415

    return {"loaded": [make_report.__name__, len(PROJECTIONS)]}
