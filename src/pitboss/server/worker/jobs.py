"""Jobs of the worker process: each is a frozen value that states what to compute, and computes it by `run`.

What loads numba or matplotlib is imported when a job runs: that is in the worker process. A job that only reads a short
journal may also run in the server itself.
"""

from __future__ import annotations

import base64
import datetime
from abc import ABC, abstractmethod
from collections.abc import Iterator, Mapping
from contextlib import closing, contextmanager
from dataclasses import asdict, dataclass, replace
from fractions import Fraction
from hashlib import sha256
from pathlib import Path
from typing import Any

from pitboss import odds
from pitboss.books import (
    LEDGER,
    ROOM,
    Directory,
    JournalStore,
    RefusedError,
    canonical,
    counts_by_actor,
    last_before,
    part_at,
    state_at,
)
from pitboss.books.audit import check_books
from pitboss.commands.command import BOOK
from pitboss.games import find_game
from pitboss.jackpot import Jackpot, Offer, with_chances
from pitboss.jackpot.definitions import event_chances
from pitboss.jackpot.display_history import find_shown, history_of
from pitboss.jackpot.explain import explain_display, explain_hit, explain_story, find_prizes, movements_of, shown_change
from pitboss.paper.typesetting import reports_pdf
from pitboss.reports import Report, ReportRequest, Scope, look, make_packet, make_report
from pitboss.reports.catalogue.hits import ExpectedHits
from pitboss.reports.render import csv_text, json_text, page_view, report_view
from pitboss.room.hit_index import HIT_INDEX, story_at
from pitboss.room.projections import INVARIANTS, PROJECTIONS
from pitboss.rules import TermsInput, limit_words, make_terms
from pitboss.server.views.charts import thinned
from pitboss.table import Configuration, read_configuration

ODDS, GUESTS = "odds", "guests"
"""The lanes of what strangers may ask for, which is quick or may take minutes: nothing of the room waits behind it."""
_DAYS_QUICK = 8
"""What is of so many days at most does not take long."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Job(ABC):
    """A job of the worker; its fields are JSON, and equal fields have the same result."""

    @abstractmethod
    def run(self) -> dict[str, Any]:
        """Compute the result, as JSON; raises `RefusedError` where that is not possible."""

    @property
    def is_slow(self) -> bool:
        """True if it may take so long that others should not wait behind it."""
        return False

    @property
    def lane(self) -> str:
        """The process that runs it: jobs of one lane wait for each other, and for no others."""
        return "slow" if self.is_slow else "quick"

    @property
    def needs_worker(self) -> bool:
        """True if it runs in the worker's own process, however short the journal is."""
        return False

    @property
    def key(self) -> str:
        """The name under which its result is cached."""
        return sha256(canonical([type(self).__name__, asdict(self)]).encode()).hexdigest()[:24]


class SlowJob(Job):
    """A job that may take minutes."""

    __slots__ = ()

    @property
    def is_slow(self) -> bool:
        """Always true."""
        return True


# Odds, forecasts and papers.


@dataclass(frozen=True, slots=True, kw_only=True)
class OddsJob(SlowJob):
    """The exact odds of a wager; cached on disk, so that they are counted once."""

    game: str
    wager: str
    paytables: list[str]
    decks: int | None = None
    jackpot_type: str = "progressive"

    def run(self) -> dict[str, Any]:
        """Count and price the wager."""
        store = odds.default_store()
        result = odds.solve(
            self.game, self.wager, list(self.paytables), decks=self.decks, jackpot_type=self.jackpot_type, store=store
        )
        return result.as_json()


@dataclass(frozen=True, slots=True, kw_only=True)
class TableOddsJob(SlowJob):
    """The exact odds of a wager as a table offers it; cached on disk, so that they are counted once."""

    configuration: str
    wager: str

    def run(self) -> dict[str, Any]:
        """Count and price the wager by the table's terms."""
        configuration, store = configuration_of(self.configuration), odds.default_store()
        game, terms = find_game(configuration.game), configuration.terms
        wager = game.by_name[self.wager]
        result = odds.solve_terms(game, wager, terms, store=store).as_json()
        if wager.name not in terms.aggregate_limits:
            return result
        largest, seats = configuration.limits(wager.name)[1], configuration.seats
        price = odds.price_limit(game, wager, terms, largest, seats=seats, store=store)
        return result | {"aggregate_limit": {**price.as_json(), "posted": limit_words(wager.title, price.limit)}}


@dataclass(frozen=True, slots=True, kw_only=True)
class JackpotOddsJob(SlowJob):
    """The exact odds of a jackpot wager as it is defined for a table."""

    jackpot: dict[str, Any]
    table: str

    def run(self) -> dict[str, Any]:
        """Count and price the jackpot's wager at the table."""
        jackpot = Jackpot.from_json(self.jackpot)
        offer = jackpot.offer_at(self.table)
        return odds.solve_terms(
            *jackpot.game_and_wager(offer), jackpot.terms_of(offer), store=odds.default_store()
        ).as_json()


@dataclass(frozen=True, slots=True, kw_only=True)
class WagerOddsJob(SlowJob):
    """The exact odds of a wager by the statements it depends on, while a configuration is edited."""

    game: str
    wager: str
    stated: dict[str, Any]

    @classmethod
    def of(cls, configuration: Configuration, wager: str) -> WagerOddsJob | None:
        """Build the job of a configuration's wager; nothing where pay tables that it depends on are not valid.

        Those are its own, and the main wager's where both hang on one decision. Limits and the other wagers are no
        part of the job: whoever edits those gets the cached figure.
        """
        shares = find_game(configuration.game).by_name[wager].shares
        names = [wager] if shares is None else [wager, shares.main]
        paths = [problem.path.split(".") for problem in configuration.terms_and_problems[1]]
        if {path[1] for path in paths if path[0] == "paytables" and len(path) > 1}.intersection(names):
            return None
        terms = configuration.terms_spec
        stated = {
            "paytables": {name: terms.paytables[name] for name in names if name in terms.paytables},
            "readings": dict(terms.readings),
            "decks": terms.decks,
            "jackpot_type": terms.jackpot_type,
            "jackpot_wager_cents": {name: cents for name, cents in terms.jackpot_wager_cents.items() if name == wager},
            "bonus_sharing": terms.bonus_sharing,
            "fixed_from_meter": sorted({wager} & terms.fixed_from_meter),
            "base_multiples_max": {name: most for name, most in terms.base_multiples_max.items() if name in names},
        }
        return cls(game=configuration.game, wager=wager, stated=stated)

    def run(self) -> dict[str, Any]:
        """Count and price the wager; cached on disk, so that it is counted once."""
        game = find_game(self.game)
        stated = TermsInput(**{**self.stated, "fixed_from_meter": frozenset(self.stated["fixed_from_meter"])})
        terms, problems = make_terms(game, stated)
        if problems:
            raise RefusedError(map(str, problems))
        return odds.solve_terms(game, game.by_name[self.wager], terms, store=odds.default_store()).as_json()


@dataclass(frozen=True, slots=True, kw_only=True)
class HitProbabilitiesJob(SlowJob):
    """The exact probability of every hand of an offer that pays a share of the meter (J-12, T-07)."""

    offer: dict[str, Any]
    jackpot_type: str

    def run(self) -> dict[str, Any]:
        """Count the offer's hands."""
        counted = with_chances(Offer.from_json(self.offer), jackpot_type=self.jackpot_type, store=odds.default_store())
        return {"chances": [[event, str(chance)] for event, chance in counted.chances]}


@dataclass(frozen=True, slots=True, kw_only=True)
class JackpotForecastJob(SlowJob):
    """A forecast of a jackpot as it is defined and stands, at a table as it is configured; equal jobs draw alike."""

    configuration: str
    jackpot: dict[str, Any]
    table: str
    meter_cents: int
    plan: dict[str, int]
    seats: int

    def run(self) -> dict[str, Any]:
        """Simulate the meter over the days of the plan."""
        # Simulation brings numba, which only the worker's own process loads.
        from pitboss.simulate import ForecastPlan, ForecastRefusedError, MeterSettings, forecast  # noqa: PLC0415

        jackpot, configuration = Jackpot.from_json(self.jackpot), configuration_of(self.configuration)
        wager, meter = jackpot.offer_at(self.table).wager, jackpot.meter
        if wager not in configuration.jackpots:
            raise RefusedError([f"the configuration of table {self.table} does not offer {wager}"])
        now = replace(configuration.jackpots[wager], meter_cents=self.meter_cents)
        settings = MeterSettings(
            seed_cents=meter.reseed_cents if meter.is_progressive else self.meter_cents,
            rate=meter.display_rate,
            reserve_rate=meter.reserve_rate,
            cap_cents=meter.cap_cents,
        )
        fields = [self.configuration, self.jackpot, self.table, self.meter_cents, self.plan, self.seats]
        try:
            return forecast(
                replace(configuration, jackpots={**configuration.jackpots, wager: now}),
                plan=ForecastPlan(**self.plan),
                seats=self.seats or None,
                meters={wager: settings},
                key=sha256(canonical(fields).encode()).digest(),
            ).as_json()
        except ForecastRefusedError as error:
            raise RefusedError(list(map(str, error.problems))) from None


@dataclass(frozen=True, slots=True, kw_only=True)
class ParSheetJob(SlowJob):
    """The PAR sheet of a table as it is configured, its jackpots also at what they show now; with its JSON inside."""

    configuration: str
    meters: dict[str, int]

    def run(self) -> dict[str, Any]:
        """Compute the sheet and print it."""
        from pitboss.paper.par import par_pdf  # noqa: PLC0415

        configuration = configuration_of(self.configuration)
        meters = {name: [cents] for name, cents in configuration.meters.items()}
        now = {name: sorted({*meters.get(name, ()), cents}) for name, cents in self.meters.items()}
        sheet = odds.make_sheet(
            find_game(configuration.game),
            configuration.terms,
            wagers=list(configuration.offered),
            meters={**meters, **now},
            configuration=configuration,
            store=odds.default_store(),
        )
        return {"pdf": as_base64(par_pdf(sheet)), "digest": sheet.digest}


def configuration_of(text: str) -> Configuration:
    """Read a configuration that was approved, and so is valid."""
    configuration = read_configuration(text).configuration
    assert configuration is not None
    return configuration


def as_base64(content: bytes) -> str:
    """Write a file as text, for JSON."""
    return base64.b64encode(content).decode("ascii")


# Reports of the journal.


def exact_chances(offer: Offer, jackpot_type: str) -> dict[str, Fraction]:
    """Return the exact odds of an offer; cached on disk, so that they are counted once."""
    return event_chances(offer, jackpot_type, odds.default_store())


def report_request(criteria: Mapping[str, str]) -> ReportRequest:
    """Read the criteria of a report from texts, as a form sends them; all that is wrong in one refusal."""
    days: dict[str, datetime.date | None] = {}
    problems = []
    for name, title in (("first", "from"), ("last", "to")):
        try:
            days[name] = datetime.date.fromisoformat(criteria[name]) if criteria.get(name) else None
        except ValueError:
            problems.append(f"{title}: {criteria[name]!r} must be a day such as 2026-11-15")
    if problems:
        raise RefusedError(problems)
    shift, table, jackpot = (criteria.get(name) or None for name in ("shift", "table", "jackpot"))
    return ReportRequest(first_day=days["first"], last_day=days["last"], shift=shift, table=table, jackpot=jackpot)


@dataclass(frozen=True, slots=True, kw_only=True)
class ReportJob(Job):
    """A report as it is laid out on a page, with the numbers of entries that its figures lead to."""

    path: str
    name: str
    criteria: dict[str, str]
    at: int

    @property
    def is_slow(self) -> bool:
        """True if it verifies the whole journal, counts odds, or is of many days."""
        return self.name in ("chain", ExpectedHits.name) or self._days > _DAYS_QUICK

    @property
    def needs_worker(self) -> bool:
        """True if it counts odds, which only the worker's own process does."""
        return self.name == ExpectedHits.name

    @property
    def _days(self) -> int:
        """How many days the report is of; one where no two are named."""
        try:
            first, last = (datetime.date.fromisoformat(self.criteria[name]) for name in ("first", "last"))
        except (KeyError, ValueError):
            return 1
        return (last - first).days + 1

    @contextmanager
    def scope(self) -> Iterator[Scope]:
        """Open the books, and look at what the criteria name."""
        request = report_request(self.criteria)
        with _store(self.path) as store:
            yield look(
                store,
                BOOK,
                request,
                made_at=self.at,
                now=self.at,
                projections=PROJECTIONS,
                invariants=INVARIANTS,
                chances=exact_chances if self.name == ExpectedHits.name else None,
            )

    def run(self) -> dict[str, Any]:
        """Make the report."""
        with self.scope() as scope:
            report = make_report(scope, self.name)
            keys = [exception.key for exception in report.exceptions]
            return {**page_view(report, scope.zone), "linked": linked_entries(report), "keys": keys}


class ReportCsvJob(ReportJob):
    """A report for spreadsheets."""

    __slots__ = ()

    def run(self) -> dict[str, Any]:
        """Make the report, and write it as CSV."""
        with self.scope() as scope:
            return {"text": csv_text(make_report(scope, self.name))}


class ReportPdfJob(ReportJob):
    """A report as it is filed; with no name, the agent's packet."""

    __slots__ = ()

    @property
    def is_slow(self) -> bool:
        """Always true: it is printed."""
        return True

    def run(self) -> dict[str, Any]:
        """Make the reports, and print them."""
        with self.scope() as scope:
            reports = [make_report(scope, self.name)] if self.name else make_packet(scope)
            views = [report_view(report, scope.zone) for report in reports]
        return {"pdf": as_base64(reports_pdf(views, json_text(reports)))}


_ENTRY_KEYS = frozenset({"entry", "hit", "number", "malfunction"})
"""Columns of reports whose figures are numbers of entries."""


def linked_entries(report: Report) -> list[list[int | None]]:
    """Return by row and column the entry that a figure is the number of."""
    places = [column.key in _ENTRY_KEYS for column in report.columns]
    return [
        [cell if is_entry and isinstance(cell, int) else None for is_entry, cell in zip(places, row.cells, strict=True)]
        for row in report.all_rows
    ]


# Explanations and checks of the journal.


@contextmanager
def _store(path: str) -> Iterator[JournalStore]:
    """Open the books of a room for reading."""
    with closing(Directory(Path(path)).open_store(write=False)) as store:
        yield store


def _head(store: JournalStore) -> int:
    head = store.head(BOOK)
    return 0 if head is None else head.sequence


def _calendar(store: JournalStore) -> Any:
    """Return the room's calendar as it is now."""
    return part_at(store, BOOK, _head(store), ROOM)


@dataclass(frozen=True, slots=True, kw_only=True)
class DisplayExplanationJob(Job):
    """Why a display showed what it showed after an entry (J-09, T-14)."""

    path: str
    jackpot: str
    entry: int

    def run(self) -> dict[str, Any]:
        """Explain the amount, part by part."""
        with _store(self.path) as store:
            return explain_display(store, BOOK, self.jackpot, self.entry, _calendar(store)).to_json()


@dataclass(frozen=True, slots=True, kw_only=True)
class DisplayedAmountJob(SlowJob):
    """When each display last came to an amount, and which prizes and payments did, up to an entry."""

    path: str
    cents: int
    entry: int

    def run(self) -> dict[str, Any]:
        """Search the history of every display, and every prize."""
        with _store(self.path) as store:
            return {
                "shown": [moment._asdict() for moment in find_shown(store, BOOK, self.cents, self.entry)],
                "prizes": [match._asdict() for match in find_prizes(store, BOOK, self.cents, self.entry)],
            }


@dataclass(frozen=True, slots=True, kw_only=True)
class HitExplanationJob(Job):
    """A hit back to cards, clauses, rulings and the meter; streams publish it, so that it names no winner (G-70)."""

    path: str
    hit: int
    entry: int

    def run(self) -> dict[str, Any]:
        """Explain the hit; the slip of a prize names who won it, for those who read winners' papers."""
        explained = self._explained()
        return {**explained, "prizes": [{**prize, "winner": None} for prize in explained["prizes"]]}

    def _explained(self) -> dict[str, Any]:
        """Explain the hit; one that is not among the last hits is searched in the whole journal."""
        with _store(self.path) as store:
            log = part_at(store, BOOK, self.entry, HIT_INDEX)
            story = story_at(store, BOOK, log, self.hit)
            if story is None:
                return explain_hit(store, BOOK, self.hit).to_json()
            return explain_story(store, BOOK, story, _calendar(store)).to_json()


@dataclass(frozen=True, slots=True, kw_only=True)
class VerifyBooksJob(SlowJob):
    """The whole check of all books (M-02, T-19); `at` makes a check that is asked for later another job."""

    path: str
    heads: list[str]
    at: int
    halts: bool = False
    """True if damage halts the books, as `pitboss audit` does."""

    def run(self) -> dict[str, Any]:
        """Check the books."""
        directory = Directory(Path(self.path))
        result = check_books(directory, heads=self.heads, projections=PROJECTIONS, invariants=INVARIANTS)
        if self.halts and (result.damages or result.findings):
            directory.halt(result.damages)
        broken = {finding.invariant for finding in result.findings}
        books = [
            {
                "book": name,
                "entries": book.reading.entries,
                "snapshots": book.reading.snapshots,
                "head": book.reading.state.digest.hex(),
                "last": book.reading.state.sequence,
                "sound": book.is_sound,
                "disagreements": book.disagreements,
            }
            for name, book in result.books.items()
        ]
        rules = [
            {"name": rule.name, "says": rule.says, "sources": list(rule.sources), "holds": rule.name not in broken}
            for rule in result.invariants
        ]
        wrong = [
            *map(str, result.damages),
            *(f"{finding.invariant}: entry {finding.sequence}, {finding.words}" for finding in result.findings),
        ]
        return {"sound": result.is_sound, "books": books, "rules": rules, "wrong": wrong, "heads": result.heads}


@dataclass(frozen=True, slots=True, kw_only=True)
class ActorCountsJob(Job):
    """How many entries of which kind each person signed in a stretch of the journal."""

    path: str
    first: int
    last: int

    def run(self) -> dict[str, Any]:
        """Count the entries."""
        with _store(self.path) as store:
            return {"who": counts_by_actor(store, BOOK, self.first - 1, self.last)}


@dataclass(frozen=True, slots=True, kw_only=True)
class MeterHistoryJob(Job):
    """What a display showed from some days before an instant up to it: instants and units, thinned out."""

    path: str
    jackpot: str
    days: int
    at: int

    @property
    def is_slow(self) -> bool:
        """True if it is of many days."""
        return self.days > _DAYS_QUICK

    def run(self) -> dict[str, Any]:
        """Read the points of the chart."""
        begins = self.at - self.days * 24 * 60 * 60 * 1_000_000
        with _store(self.path) as store:
            upto = _head(store)
            before = last_before(store, BOOK, begins, upto)
            accounts = state_at(store, BOOK, before, ()).state.of(LEDGER).get(self.jackpot)
            units = 0 if accounts is None else accounts.balances["displayed"]
            points = [] if accounts is None else [(begins, units)]
            points += _display_points(store, self.jackpot, before, upto, units)
        first = points[0][0] if points else begins
        return {"begins": max(begins, first), "ends": self.at, "points": thinned(points)}


_SEALED_FOR_A_CHART = 300
"""From so many sealed states on, they are points enough: what is between them is read only where something fell."""


def _display_points(store: JournalStore, jackpot: str, after: int, upto: int, units: int) -> list[tuple[int, int]]:
    """Return instants and units at which a display moved after an entry, every one or enough of them and all falls."""
    if len(store.snapshot_numbers(BOOK, after, upto)) >= _SEALED_FOR_A_CHART:
        return history_of(store, BOOK, jackpot, after, upto)
    points: list[tuple[int, int]] = []
    for entry, movement in movements_of(store, BOOK, upto, jackpot, after):
        before, units = units, units + shown_change(movement)
        if units != before:
            points.append((entry.recorded, units))
    return points


@dataclass(frozen=True, slots=True, kw_only=True)
class WarmUpJob(Job):
    """Loads what most jobs need, so that the first one does not wait for it."""

    def run(self) -> dict[str, Any]:
        """Do nothing: importing this module has loaded it."""
        return {}
