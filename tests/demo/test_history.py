"""The past of the demo room: made the same every time, sound to every audit, and something in every report."""

from __future__ import annotations

import datetime
import json
import shutil
from collections import Counter
from collections.abc import Iterator
from fractions import Fraction
from pathlib import Path
from typing import Any

import pytest

from pitboss.books import EPOCH, LEDGER, Directory, Entry, JournalStore, microseconds
from pitboss.books.audit import AuditReport, check_books
from pitboss.commands.command import BOOK
from pitboss.demo.history import DAYS, build_room
from pitboss.demo.room import folder_of, path_problems, read_room
from pitboss.jackpot import HITS, JACKPOTS, RoundCards
from pitboss.reports import REPORTS, ReportRequest, look
from pitboss.reports.scope import make_reports
from pitboss.room.approvals import APPROVALS
from pitboss.room.configurations import CONFIGURATIONS
from pitboss.room.dealing.entries import DEALING
from pitboss.room.displays import DISPLAYS, tables_without_display
from pitboss.room.projections import INVARIANTS, PROJECTIONS, open_table_problems
from pitboss.room.room import Room
from pitboss.tabulator import TABLES
from tests.doors import doors_of

NOW = microseconds(datetime.datetime(2026, 11, 16, 20, 0, tzinfo=datetime.UTC))


@pytest.fixture(scope="module")
def audited(made: Path) -> AuditReport:
    return check_books(Directory(made), projections=PROJECTIONS, invariants=INVARIANTS)


@pytest.fixture(scope="module")
def store(made: Path) -> Iterator[JournalStore]:
    found = Directory(made).open_store(write=False)
    yield found
    found.close()


@pytest.fixture(scope="module")
def entries(store: JournalStore) -> list[Entry]:
    return list(store.entries(BOOK))


def heads(path: Path, now: int) -> str:
    build_room(path, now, days=0)
    found = Directory(path).open_store(write=False)
    head = found.head(BOOK)
    found.close()
    assert head is not None
    assert head.recorded <= now
    return head.digest.hex()


def test_the_same_clock_and_seed_make_the_same_entries_to_the_last_byte(tmp_path: Path) -> None:
    assert heads(tmp_path / "first", NOW) == heads(tmp_path / "again", NOW)


@pytest.mark.slow
@pytest.mark.parametrize(
    "when",
    [
        "2026-11-16T20:00",
        "2026-11-03T14:01",  # a minute after a gambling day has begun
        "2026-11-02T05:00",  # the clocks were put back
        "2026-03-10T13:30",  # they were put forward
        "2031-01-02T00:00",  # years from now
    ],
)
def test_it_can_be_made_at_any_time(tmp_path: Path, when: str) -> None:
    now = microseconds(datetime.datetime.fromisoformat(when).replace(tzinfo=datetime.UTC))
    build_room(tmp_path / "room", now)

    assert check_books(Directory(tmp_path / "room"), projections=PROJECTIONS, invariants=INVARIANTS).is_sound


def test_the_books_pass_every_check_and_the_auditor_agrees(audited: AuditReport) -> None:
    book = audited.books[BOOK]

    assert (audited.damages, audited.findings, book.disagreements) == ([], [], [])
    assert audited.is_sound
    assert book.auditor is not None
    assert 1_500 < book.reading.entries < 4_000


def test_every_meter_is_its_seed_and_what_entries_say_was_added_and_taken(
    audited: AuditReport, entries: list[Entry]
) -> None:
    """A second road to each meter: the transfers as they stand in the journal, summed without any code of ours."""
    summed: Counter[str] = Counter()
    for entry in entries:
        said = json.loads(entry.payload)
        for payer, payee, units, *_ in said.get("transfers", ()):
            summed[said["jackpot"]] += units * ((payee == "displayed") - (payer == "displayed"))
    ledger = audited.books[BOOK].reading.state.of(LEDGER)

    assert {name: each.balances["displayed"] for name, each in ledger.items()} == dict(summed)
    assert len(summed) == 6


def test_wagers_in_the_journal_times_their_rate_are_what_the_meters_have_grown_by(
    audited: AuditReport, entries: list[Entry]
) -> None:
    state = audited.books[BOOK].reading.state
    for name, record in state.of(JACKPOTS).jackpots.items():
        terms, counted, grown = record.jackpot.meter, 0, 0
        for entry in entries:
            said = json.loads(entry.payload)
            if entry.kind == "wagers-counted" and said["jackpot"] == name:
                counted += len(said["details"]["seats"])
                grown += sum(each[2] for each in said.get("transfers", ()) if each[1] == "displayed")
        rate = terms.display_rate * terms.wager_cents if terms.is_progressive else Fraction(0)
        assert Fraction(grown, 10_000) == counted * rate, name
        assert counted > 0


def test_no_entry_comes_from_the_future_and_the_days_are_as_many_as_they_should_be(
    entries: list[Entry], made: Path
) -> None:
    times = [entry.recorded for entry in entries]
    days = {(EPOCH + datetime.timedelta(microseconds=each)).date() for each in times}

    assert times == sorted(times)
    assert times[-1] <= made.stat().st_mtime_ns // 1_000 + 60_000_000
    assert len(days) >= DAYS


def test_five_tables_with_different_games_and_equipment_are_open_and_shown(audited: AuditReport) -> None:
    """One table for each game, each on a model that may run it (G-13); each has a display (T-04)."""
    state = audited.books[BOOK].reading.state
    tables = state.of(TABLES).tables

    assert {each.life for each in tables.values()} == {"open"}
    assert (
        len({each.setup.game for each in tables.values()}) == len({each.setup.model for each in tables.values()}) == 5
    )
    assert {each.jackpot.meter.jackpot_type for each in state.of(JACKPOTS).jackpots.values()} == {
        "progressive",
        "bonus",
    }
    assert [problem for table in tables for problem in open_table_problems(state, table)] == []
    posted = state.of(CONFIGURATIONS).tables
    assert {table for table, each in posted.items() if each.now is not None} == {*tables, "9"}
    dealt = state.of(DEALING)["9"]
    assert (dealt.cards, dealt.money) == ("dealt", "play"), "one table is dealt by Pitboss (W-04)"
    assert tables_without_display(state) == ()
    assert {each.display.make for each in state.of(DISPLAYS).values()} == {"screen", "monitor", "sign"}


def test_hits_were_closed_and_rejected_and_one_waits_to_be_verified(audited: AuditReport, entries: list[Entry]) -> None:
    kinds = Counter(entry.kind for entry in entries)
    waiting = audited.books[BOOK].reading.state.of(HITS).open

    assert [each.state.value for each in waiting.values()] == ["called"]
    assert kinds["hit-closed"] == sum(each["ends"] in ("cage", "cheque", "tray") for each in _hits())
    assert kinds["prize-rejected"] == 1
    assert len(audited.books[BOOK].reading.state.of(APPROVALS)) == 1
    for kind in (
        "meter-adjusted",
        "bonus-posted",
        "escrow-arrived",
        "round-voided",
        "round-corrected",
        "chips-collected",
    ):
        assert kinds[kind], (kind, kinds)


def test_the_hit_that_waits_is_what_its_cards_say(made: Path, tmp_path: Path) -> None:
    """A supervisor who enters the cards that the demo prints has verified it."""
    said = next(each for each in _hits() if each["ends"] == "called")
    path = tmp_path / "room"
    shutil.copytree(made, path)
    with Room(path) as room:
        (number,) = doors_of(room).hits.open
        cards = RoundCards(seats={said["seat"]: said["cards"]})
        supervisor = read_room(datetime.date(2026, 11, 16)).person("supervisor")
        doors_of(room).hits.verify(number, cards, [said["seat"]], command="verify", by=supervisor)

        assert doors_of(room).hits.open[number].state == "verified"


def _hits() -> list[dict[str, Any]]:
    return list(read_room(datetime.date(2026, 11, 16)).data["hits"])


def test_every_report_of_these_days_has_something_to_say(store: JournalStore) -> None:
    head = store.head(BOOK)
    assert head is not None
    last = (EPOCH + datetime.timedelta(microseconds=head.recorded)).date()
    first = last - datetime.timedelta(days=DAYS + 2)
    parts: dict[str, Any] = {"projections": PROJECTIONS, "invariants": INVARIANTS}
    scope = look(store, BOOK, ReportRequest(first_day=first, last_day=last), made_at=head.recorded, **parts)
    made = make_reports(scope, tuple(REPORTS.values()))

    # Who signed in and what was refused is traced by a server; here nobody has been served yet.
    assert [each.name for each in made if not each.rows] == ["access"]
    assert not [each.name for each in made if each.broken]


def test_a_room_that_is_no_demo_is_left_alone(tmp_path: Path, made: Path) -> None:
    """The demo prints links by which anybody signs in: it must never do so for another room."""
    (tmp_path / "store.toml").write_text('store = "sqlite"\n', encoding="utf-8")

    assert path_problems(tmp_path) != []
    assert path_problems(tmp_path / "new") == []
    assert path_problems(made) == []
    assert folder_of(made).is_dir()
