"""Papers in the back office: a card for each paper of a table, its picture, its PDF in its sizes."""

from __future__ import annotations

import base64
import io
import re
import zipfile
from collections.abc import Iterator
from html import unescape
from pathlib import Path
from typing import Any

import pytest
from fastapi.testclient import TestClient

from pitboss.paper.par import par_pdf
from pitboss.papers import catalogue
from pitboss.papers.catalogue import PAPERS
from pitboss.papers.posting import review_papers, versions_at
from pitboss.room.settings import gambling_day_of
from pitboss.server.app import create_app
from pitboss.server.pages.office import papers as papers_page
from pitboss.server.worker.jobs import Job
from pitboss.server.worker.papers import PaperJob, PaperPictureJob, PaperSetJob, paper_fields
from pitboss.server.worker.pool import BusyError, Figure
from pitboss.tabulator import TABLES
from tests.odds.sheets import small_sheet
from tests.pages.desk import Somebody, busy, desk_room, finish
from tests.pages.room import CardRoom
from tests.pages.tables import tables_room
from tests.paper.test_par_pdf import streams
from tests.papers.test_papers import source_of, text_of
from tests.papers.test_posting import change_table
from tests.server.making import ADDRESS, command, sign_in, with_csrf


class AtOnce:
    """A worker that runs what it is asked for, and keeps what that was."""

    def __init__(self) -> None:
        self.jobs: list[Job] = []

    def ask(self, job: Job) -> Figure:
        self.jobs.append(job)
        return Figure(job.key, "ready", job.run())

    def __getattr__(self, name: str) -> Any:
        raise AttributeError(name)


@pytest.fixture
def room(tmp_path: Path) -> Iterator[CardRoom]:
    with tables_room(tmp_path / "room") as opened:
        yield opened


@pytest.fixture
def worker() -> AtOnce:
    return AtOnce()


@pytest.fixture
def manager(room: CardRoom, worker: AtOnce) -> TestClient:
    app = create_app(room.room)
    app.state.worker = worker
    client = TestClient(app, base_url=ADDRESS, follow_redirects=False)
    sign_in(client, "max")
    client.headers["accept"] = "text/html"
    with_csrf(client)
    return client


def test_every_paper_of_a_commercial_table_has_a_card(manager: TestClient) -> None:
    page = unescape(manager.get("/office/papers?table=1").text)
    for paper in PAPERS:
        assert (f"<h2>{paper.title}</h2>" in page) is ("wa-commercial" in paper.profiles)
    assert "/office/papers/1/placards/pdf?size=4x6" in page
    assert manager.get("/office/papers?table=99").status_code == 404


class Busy(AtOnce):
    """A worker that has more to do than it will do soon."""

    def ask(self, job: Job) -> Figure:
        raise BusyError(job.key)


def test_a_picture_that_is_not_made_yet_is_a_blank_sheet_and_no_error(
    manager: TestClient, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(papers_page, "_PATIENCE_SECONDS", 0.0)
    app: Any = manager.app
    app.state.worker = Busy()
    picture = manager.get("/office/papers/1/placards/picture")
    assert (picture.status_code, picture.headers["content-type"]) == (202, "image/svg+xml")
    script = Path(papers_page.__file__).parents[2] / "static" / "pictures.js"
    width = re.search(r"BLANK_WIDTH = (\d+)", script.read_text(encoding="utf-8"))
    assert width is not None
    assert f'width="{width[1]}"' in picture.text


def test_a_paper_is_a_pdf_in_its_sizes_and_a_picture(manager: TestClient, worker: AtOnce) -> None:
    answer = manager.get("/office/papers/1/placards/pdf?size=4x6")
    assert (answer.status_code, answer.headers["content-type"]) == (200, "application/pdf")
    assert answer.content.startswith(b"%PDF-")
    assert 'filename="table-1-placards.pdf"' in answer.headers["content-disposition"]
    picture = manager.get("/office/papers/1/placards/picture")
    assert picture.content.startswith(b"\x89PNG")
    printed, drawn = worker.jobs
    assert isinstance(printed, PaperJob)
    assert isinstance(drawn, PaperPictureJob)
    assert printed.key != drawn.key
    assert base64.b64decode(printed.run()["pdf"]) == answer.content
    for address in (
        "/office/papers/1/napkin/pdf",
        "/office/papers/1/tribal-submission/pdf",
        "/office/papers/1/tribal-submission/picture",
        "/office/papers/1/placards/pdf?size=a4",
        "/office/papers/9/forms/pdf",
    ):
        assert manager.get(address).status_code == 404


def test_papers_of_a_table_that_may_not_open_are_drafts(tmp_path: Path) -> None:
    source = source_of("three-card-prime", seats=9)
    job = PaperJob(**paper_fields(source), paper="forms", size="letter")
    assert job.needs_worker
    assert "DRAFT, not to be posted." in text_of(base64.b64decode(job.run()["pdf"]), tmp_path)


def test_all_papers_of_a_table_come_in_one_file_with_the_par_sheet_beside_and_inside_the_submission(
    manager: TestClient, worker: AtOnce, monkeypatch: pytest.MonkeyPatch
) -> None:
    sheet = small_sheet("three-card-prime")
    monkeypatch.setattr(catalogue, "make_sheet_of", lambda _: sheet)
    answer = manager.get("/office/papers/set?table=1")
    assert (answer.status_code, answer.headers["content-type"]) == (200, "application/zip")
    with zipfile.ZipFile(io.BytesIO(answer.content)) as archive:
        names = archive.namelist()
        assert archive.read("table-1/par-sheet.pdf") == par_pdf(sheet)
        submission = archive.read("table-1/submission.pdf")
    assert b"par-sheet.pdf" in submission
    assert par_pdf(sheet) in streams(submission)
    papers = [f"table-1/{paper.name}.pdf" for paper in PAPERS if "wa-commercial" in paper.profiles]
    assert names == [*papers, "table-1/par-sheet.pdf"]
    assert isinstance(worker.jobs[-1], PaperSetJob)
    assert worker.jobs[-1].is_slow


def test_a_set_that_is_being_made_shows_how_many_tables_are_done(manager: TestClient, worker: AtOnce) -> None:
    worker.ask = lambda job: Figure(job.key, "computing")  # type: ignore[method-assign]
    answer = manager.get("/office/papers/set")
    assert answer.status_code == 202
    assert re.search(r'<progress max="\d+" value="0"', answer.text)
    assert "data-figure" in answer.text


def test_what_a_room_has_not_said_is_listed_and_the_felt_is_a_drawing(manager: TestClient) -> None:
    page = unescape(manager.get("/office/papers?table=1").text)
    assert "How a dispute is decided, and by whom" in page
    assert "/office/papers/1/layout/svg" in page
    assert manager.get("/office/papers/99/layout/svg").status_code == 404
    assert manager.get("/office/hits/99999/forms").status_code == 404
    assert manager.get("/office/malfunctions/99999/report").status_code == 404


def test_issue_19_forms_of_a_jackpot_and_of_a_malfunction_are_printed_with_what_the_books_know(tmp_path: Path) -> None:
    """The routes themselves: a PDF that names the winner for who may read winners' papers, and for nobody else."""
    with desk_room(tmp_path / "room") as found:
        hit = busy(found)["royal"]
        finish(found, hit)
        [trouble] = found.room.state.of(TABLES).malfunctions.values()
        client, watching = Somebody(found, "max").client, Somebody(found, "vic").client
        for each in (client, watching):
            each.app.state.worker = AtOnce()  # type: ignore[attr-defined]
        answers = [
            client.get(path) for path in (f"/office/hits/{hit}/forms", f"/office/malfunctions/{trouble.number}/report")
        ]
        # Surveillance reads no winners' papers (G-70).
        assert watching.get(f"/office/hits/{hit}/forms").status_code == 403
    assert [(each.status_code, each.headers["content-type"]) for each in answers] == [(200, "application/pdf")] * 2
    forms, report = (text_of(each.content, tmp_path) for each in answers)
    assert "Pat Lee" in forms
    assert "$5,619.93" in forms
    assert "sensor 3 does not light" in report
    assert "Report due by" in report


def posted_forms(page: str) -> dict[str, str]:
    """By paper the version that the page offers to mark as posted."""
    found = re.findall(
        r'name="paper" value="([a-z-]+)"><input type="hidden" name="version" value="([0-9a-f]{64})"', page
    )
    return dict(found)


def test_issue_19_papers_are_marked_as_posted_on_their_page(manager: TestClient, room: CardRoom) -> None:
    page = manager.get("/office/papers?table=1").text
    assert page.count("Not posted") == 2
    assert "Mark all 2 as posted" in page
    offered = posted_forms(page)
    assert offered == versions_at(room.room.state, "1", gambling_day_of(room.room.state, room.room.clock()))
    fields = {"command": command(), "table": ["1", "1"], "paper": list(offered), "version": list(offered.values())}
    answer = manager.post("/office/papers/post", data=fields)
    assert (answer.status_code, answer.headers["location"]) == (303, "/office/papers?table=1&told=post")
    page = unescape(manager.get(answer.headers["location"]).text)
    assert "Marked as posted." in page
    assert page.count("Posted since") == 2
    assert ", by Max Adeyemi" in page
    assert "Mark as posted" not in page
    assert "Posted since" in manager.get("/office/tables/1").text
    assert "Papers OK" in manager.get("/floor").text
    # A page that was open while the table changed marks nothing: what it printed is not what hangs there now.
    change_table(room)
    late = manager.post("/office/papers/post", data={**fields, "command": command()})
    assert late.status_code == 409
    assert "the table has changed since this was printed. Print it again" in unescape(late.text)
    floor = unescape(manager.get("/floor").text)
    assert "Paper to post: table 1" in floor
    assert "2 papers to post" in floor
    version = posted_forms(floor)["rack-card"]
    mark = {"command": command(), "from": "floor", "table": "1", "paper": "rack-card", "version": version}
    assert manager.post("/office/papers/post", data=mark).headers["location"].startswith("/floor?")
    assert "1 paper to post" in manager.get("/floor").text
    gone = {"command": command(), "table": "1", "paper": "rack-card", "words": "torn"}
    assert manager.post("/office/papers/remove", data=gone).status_code == 303
    assert "2 papers to post" in manager.get("/floor").text
    assert manager.post("/office/papers/post", data={"command": command()}).status_code == 409


def test_issue_19_setup_marks_the_papers_of_all_tables_by_one_button(manager: TestClient, room: CardRoom) -> None:
    review_papers(room.room)
    page = manager.get("/office/start").text
    assert "Posted papers" in page
    [form] = [part for part in page.split("<form") if "Mark all as posted" in part]
    names = ("table", "paper", "version", "from")
    values = {name: re.findall(rf'name="{name}" value="([^"]*)"', form) for name in names}
    answer = manager.post("/office/papers/post", data={"command": command(), **values})
    assert answer.headers["location"].startswith("/office/start?")
    assert "Mark all as posted" not in manager.get("/office/start").text
