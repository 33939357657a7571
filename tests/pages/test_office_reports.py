"""Reports in the back office: on screen, as files, narrowed, and made beside the server where the journal is long."""

from __future__ import annotations

import csv
import io
import re
from base64 import b64decode
from collections.abc import Iterator, Sequence
from dataclasses import replace
from html import unescape
from time import sleep
from typing import Any

import pytest
from fastapi.testclient import TestClient
from httpx2 import Response

from pitboss.reports import ACCOUNTING, GROUPS, PACKET, REPORTS, make_report
from pitboss.reports.render import cents_words, csv_text, printed_cells
from pitboss.room.projections import INVARIANTS, PROJECTIONS
from pitboss.server.app import create_app
from pitboss.server.pages.office.reports import reports_view
from pitboss.server.worker import pool as office_figures
from pitboss.server.worker.jobs import Job, ReportPdfJob, exact_chances
from pitboss.server.worker.pool import Figure
from tests.pages.office import office_room
from tests.pages.room import CardRoom
from tests.reports.making import FIRST, ZONE, at, scope_of
from tests.reports.sample import NEXT
from tests.server.making import ADDRESS, command, sign_in

QUICK = ("meters", "escrow", "takings", "hits", "configurations", "chain")
"""With groups, sums, alarms, details and links to entries; the others are looked at by `make slow`."""


@pytest.fixture(scope="module")
def room(tmp_path_factory: pytest.TempPathFactory) -> Iterator[CardRoom]:
    with office_room(tmp_path_factory.mktemp("office") / "room") as found:
        yield found


@pytest.fixture(scope="module")
def auditor(room: CardRoom) -> TestClient:
    client = TestClient(create_app(room.room), base_url=ADDRESS, follow_redirects=False)
    sign_in(client, "una")
    client.headers["accept"] = "text/html"
    return client


def cells_of(page: str) -> list[str]:
    """Every cell of a page, as somebody reads it who looks at the rules behind the info marks too."""
    shown = re.sub(r'<label class="rules">.*?<span class="codes">(.*?)</span></label>', r"(\1)", page)
    found = re.findall(r"<td data-kind[^>]*>(.*?)</td>", shown, re.DOTALL)
    return [unescape(re.sub(r"<[^>]*>", "", each)).strip() for each in found]


def test_every_report_stands_under_one_heading() -> None:
    names = [report.name for group in GROUPS.values() for report in group]
    assert sorted(names) == sorted(REPORTS)


def test_without_days_it_is_of_the_last_day_that_has_an_entry_and_a_shift_goes_with_one_day_alone(
    room: CardRoom,
) -> None:
    view = reports_view(room.room.state, {"shift": "swing", "table": "4"}, at(NEXT, 16), "takings")

    assert (view.first, view.last) == ("2026-11-14", "2026-11-14")
    assert [each.title for each in view.shifts if each.chosen] == ["swing"]
    addresses = {each.title: each.address for each in view.quick}
    assert addresses["Yesterday"].endswith("first=2026-11-13&last=2026-11-13&shift=swing&table=4")
    assert addresses["7 days"].endswith("first=2026-11-08&last=2026-11-14&table=4")
    assert view.csv == f"/office/reports/takings/csv?shift=swing&table=4&at={at(NEXT, 16)}"


def _in_cents(name: str, values: Sequence[Any], cells: Sequence[str], kinds: Sequence[str]) -> list[str]:
    """A page has money in cents, and the exact amount where somebody points at it; what reconciles is exact."""
    return [
        cents_words(value) if kind == "money" and isinstance(value, int) and name != "meters" else cell
        for value, cell, kind in zip(values, cells, kinds, strict=True)
    ]


def opened(client: TestClient, address: str) -> Response:
    """Ask again while the worker makes what the page shows, as the page itself does."""
    for _ in range(600):
        page = client.get(address)
        if page.status_code != 202:
            break
        sleep(0.1)
    return page


def test_s_11_hits_expected_and_actual_come_to_an_end_however_short_the_journal_is(auditor: TestClient) -> None:
    """What the worker makes is asked for again by the same address: one that names its instant, or it is never there."""
    first = auditor.get("/office/reports/chances")
    assert first.status_code == 303, "each look at an address without an instant would be another report"
    page = opened(auditor, first.headers["location"])
    assert page.status_code == 200, page.text
    assert "Preparing" not in page.text


@pytest.mark.parametrize(
    "name", [pytest.param(each, marks=() if each in QUICK else pytest.mark.slow) for each in REPORTS]
)
def test_a_report_on_screen_has_every_cell_that_the_report_has(auditor: TestClient, room: CardRoom, name: str) -> None:
    """M-06: what is on screen is what is filed; a second road is the report itself, printed."""
    page = opened(auditor, f"/office/reports/{name}?first={FIRST}&last={NEXT}&at={at(NEXT, 16)}")

    assert page.status_code == 200, page.text
    with scope_of(
        room.room.path, first_day=FIRST, last_day=NEXT, projections=PROJECTIONS, invariants=INVARIANTS
    ) as scope:
        report = make_report(replace(scope, chances=exact_chances), name)
    kinds = [each.kind.value for each in report.columns]
    printed = [
        _in_cents(name, row.cells, cells, kinds)
        for row, cells in zip(report.all_rows, printed_cells(report, ZONE), strict=True)
    ]
    wanted = [
        cell.replace("-", "\N{MINUS SIGN}", 1) if kind not in ("text", "detail") and cell.startswith("-") else cell
        for row in printed
        for kind, cell in zip(kinds, row, strict=True)
        if kind != "detail"
    ]
    assert cells_of(page.text) == wanted
    read = re.sub(r'<span class="codes">.*?</span>|<[^>]*>', " ", page.text[page.text.index("<main") :])
    assert re.findall(r"\([A-Z]{1,4}-\d+[^)]*\)", read) == [], "rules stand behind an info mark (A3)"
    assert report.head[:16] in page.text or name == "chain"


def test_a_csv_is_the_reports_own_and_can_be_read(auditor: TestClient, room: CardRoom) -> None:
    answer = auditor.get(f"/office/reports/takings/csv?first={FIRST}&last={NEXT}&at=1")

    with scope_of(room.room.path, first_day=FIRST, last_day=NEXT) as scope:
        text = csv_text(make_report(scope, "takings"))
    plain = [line for line in answer.text.splitlines() if "# pitboss" not in line]
    assert plain == [line for line in text.splitlines() if "# pitboss" not in line]
    rows = list(csv.reader(io.StringIO("\n".join(line for line in plain if not line.lstrip('"').startswith("#")))))
    assert rows[-1][:4] == ["Total", "", "", "500"]
    assert plain[0].startswith("day,shift,table"), "A26: the header comes first"
    assert answer.headers["content-disposition"] == 'attachment; filename="takings-2026-11-13-2026-11-14.csv"'


def test_what_is_asked_wrongly_is_told_whole_and_the_filters_stay(auditor: TestClient) -> None:
    answer = auditor.get("/office/reports/meters?first=yesterday&last=2026-99-99&table=4")
    assert answer.status_code == 422
    assert "&#39;yesterday&#39; must be a day" in answer.text
    assert "&#39;2026-99-99&#39; must be a day" in answer.text
    assert '<option value="4" selected>' in answer.text
    refused = auditor.get("/office/reports/meters?table=77&jackpot=none")
    assert "no jackpot is linked to table" in refused.text
    assert "there is no jackpot" in refused.text
    assert auditor.get("/office/reports/none").status_code == 404


class Instead:
    """A worker that is done when the test says so, and remembers what it was asked."""

    def __init__(self) -> None:
        self.figure = Figure("f" * 24, "computing")
        self.asked: list[Job] = []

    def ask(self, job: Job) -> Figure:
        self.asked.append(job)
        return self.figure


@pytest.fixture
def worker(auditor: TestClient) -> Iterator[Instead]:
    state = auditor.app.state  # type: ignore[attr-defined]
    before, state.worker = state.worker, Instead()
    yield state.worker
    state.worker = before


def test_a_pdf_is_made_beside_the_server_and_opens_when_it_is_there(auditor: TestClient, worker: Instead) -> None:
    address = f"/office/packet?first={FIRST}&last={NEXT}&at=356"
    waits = auditor.get(address)
    assert waits.status_code == 202
    assert f'data-figure="{worker.figure.key}"' in waits.text
    worker.figure = Figure("f" * 24, "ready", {"pdf": "JVBERi0="})
    ready = auditor.get(address)
    assert (ready.content, ready.headers["content-type"]) == (b"%PDF-", "application/pdf")
    assert worker.asked[0] == worker.asked[1], "asked again it is the same figure"
    worker.figure = Figure("f" * 24, "failed", words="the disk is full")
    assert "the disk is full" in auditor.get(address).text


def test_a_long_journal_is_read_beside_the_server(
    auditor: TestClient, worker: Instead, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(office_figures, "_ENTRIES_AT_ONCE", 10)
    named = auditor.get("/office/reports/meters?table=4")
    assert re.fullmatch(r"/office/reports/meters\?table=4&at=[0-9]+", named.headers["location"])
    waits = auditor.get(named.headers["location"])
    assert (waits.status_code, "Preparing" in waits.text) == (202, True)
    worker.figure = Figure("f" * 24, "ready", worker.asked[0].run())
    assert "Difference" in auditor.get(named.headers["location"]).text


def test_the_packet_is_one_pdf_of_every_report_an_agent_asks_for(room: CardRoom) -> None:

    asked = {"first": FIRST.isoformat(), "last": NEXT.isoformat()}
    made = b64decode(ReportPdfJob(path=str(room.room.path), name="", criteria=asked, at=0).run()["pdf"])
    assert made.startswith(b"%PDF-")
    assert len(PACKET) == 11


def test_what_the_desk_is_asked_wrongly_is_told_and_nothing_changes(room: CardRoom) -> None:
    """M-07: nobody resolves what they do not own; the report stays, with what is wrong on it."""
    client = TestClient(create_app(room.room), base_url=ADDRESS, follow_redirects=False)
    sign_in(client, "lee")
    before = room.room.state.sequence
    for do, said, told in (
        ("take", {"number": "3"}, "there is no open exception 3"),
        ("take", {"number": "355"}, "exception 355 is about Lee Sato"),
        ("resolve", {"number": "355", "words": "x"}, "is resolved by its owner, Omar Diaz"),
        ("raise", {"report": "takings", "back-first": "2026-11-14", "back-last": "2026-11-14", "key": "x"}, "nothing"),
    ):
        answer = client.post(f"/office/desk/{do}", data={"command": command(), **said})
        assert (answer.status_code, told in answer.text) == (409, True), (do, answer.text)
    assert client.post("/office/desk/nothing").status_code == 404
    assert room.room.state.sequence == before


def test_g_46_what_a_report_finds_is_raised_with_the_people_it_finds_whatever_the_form_says(room: CardRoom) -> None:
    client = TestClient(create_app(room.room), base_url=ADDRESS, follow_redirects=False)
    sign_in(client, "max")
    period = {"first": FIRST.isoformat(), "last": NEXT.isoformat()}
    with scope_of(room.room.path, first_day=FIRST, last_day=NEXT) as scope:
        lines = make_report(scope, "exceptions").exceptions
    line = next(each for each in lines if each.people and each.state == "found")
    report = line.key.partition("/")[0]
    said = {"report": report, "key": line.key, "people": "", "words": "nothing at all"}
    back = {f"back-{name}": day for name, day in period.items()}
    assert client.post("/office/desk/raise", data={"command": command(), **said, **back}).status_code == 303
    held = room.room.state.of(ACCOUNTING).by_key(line.key)
    assert held is not None
    assert (held.words, held.people) == (line.words, line.people)
    again = client.post("/office/desk/raise", data={"command": command(), **said, **back})
    assert (again.status_code, "is raised already" in again.text) == (409, True)


def test_g_46_nobody_raises_under_the_key_of_a_report_what_he_says_himself(room: CardRoom) -> None:
    client = TestClient(create_app(room.room), base_url=ADDRESS, follow_redirects=False)
    sign_in(client, "max")
    said = {"words": "the box was open", "units": -10000, "people": ["Dan"]}
    own = client.post("/api/v1/desk/raise", json={"command": command(), "key": "box/1", **said})
    assert own.status_code == 200
    held = room.room.state.of(ACCOUNTING).by_key("box/1")
    assert held is not None
    assert (held.words, held.people) == ("the box was open", ("Dan",))
    before = room.room.state.sequence
    other = client.post("/api/v1/desk/raise", json={"command": command(), "key": "takings/2026-11-14", **said})
    assert (other.status_code, "is raised from it" in other.text) == (409, True)
    assert room.room.state.sequence == before


def test_an_exception_names_the_report_that_found_it_by_its_title(auditor: TestClient) -> None:
    page = opened(auditor, f"/office/reports/exceptions?first={FIRST}&last={NEXT}&at={at(NEXT, 16)}").text
    found = set(re.findall(r'data-column="found_by"[^>]*>(?:<span[^>]*>)?([^<]*)<', page))
    # What a person raises is named by its own subject; the test before raises one about a box.
    assert found - {"box"}
    assert found - {"box"} <= {report.title for report in REPORTS.values()}
