"""Item 13: the table log on console, page, report and terminal; the method when equipment is down, when it is needed."""

from __future__ import annotations

import datetime
import json
import re
import shutil
import time
from collections.abc import Iterator
from http import HTTPStatus
from pathlib import Path

import pytest

from pitboss.cli.output import TYPED_WRONG
from pitboss.commands.command import SYSTEM_ACTOR
from pitboss.commands.description import day_words
from pitboss.room.settings import gambling_day_of
from pitboss.server.views.formatting import sentence
from pitboss.tabulator.outages import LoseLink
from pitboss.tabulator.setup import DOWN_STEPS
from pitboss.tabulator.table_log import TABLE_LOG
from tests.docs.console import run_pitboss
from tests.doors import doors_of
from tests.pages.desk import Somebody
from tests.pages.floor import MANAGER, device_press, working_room
from tests.pages.room import CardRoom
from tests.pages.test_console import SIX, Console
from tests.papers.test_papers import text_of
from tests.reports.making import cells, report_of
from tests.server.making import command

OFFICE = "/office/tables/6"
SHUFFLER = {"model": "Model 1", "maker": "Maker", "approval": "WS-17", "day": "2026-01-05", "words": "new"}


@pytest.fixture
def room(tmp_path: Path) -> Iterator[CardRoom]:
    with working_room(tmp_path / "room") as found:
        yield found


def test_item_13_a_dealer_logs_decks_at_the_console_and_the_office_shows_them(room: CardRoom, tmp_path: Path) -> None:
    dan = Console(room)
    assert "No deck is logged as in play." in dan.page()
    refused = dan.send("deck", dan.form("deck") | {"deck": "red 12", "act": "in"})
    assert "put into play after it was inspected and washed." in refused
    assert 'title="O-15; DW step 14' in refused
    for act in ("inspected", "washed", "in"):
        page = dan.send("deck", dan.form("deck") | {"deck": "red 12", "act": act, "maker": "Card Co"})
        assert "Logged." in page
    assert "red 12 (Card Co): inspected by Dan, washed by Dan" in page
    office = Somebody(room, "max").page(OFFICE)
    assert "red 12 (Card Co): inspected by Dan, washed by Dan" in office
    assert "None on file" in office
    path = tmp_path / "copy"
    room.room.close()
    shutil.copytree(room.books.directory.path, path)
    rows = [(row["what"], row["about"], row["by"]) for row in cells(report_of(path, "table-log", table="6"))]
    assert rows[-3:] == [
        ("Deck inspected", "red 12 (Card Co)", "Dan"),
        ("Deck washed", "red 12 (Card Co)", "Dan"),
        ("Deck put into play", "red 12 (Card Co)", "Dan"),
    ]
    assert ("Dealer", "Dan") in [row[:2] for row in rows]
    shown = run_pitboss(["tables", "log", str(path), "--json"])
    assert json.loads(shown.printed)["decks"][0]["washed_by"] == "Dan"
    assert "red 12" in run_pitboss(["tables", "log", str(path), "--table", "6"]).printed


def test_item_13_a_shuffler_is_asked_for_on_the_tables_page_and_waits_for_a_second_person(room: CardRoom) -> None:
    max_ = Somebody(room, "max")
    wrong = max_.send(f"{OFFICE}/set-shuffler", OFFICE, **SHUFFLER | {"approval": "yes"})
    assert "an approval has a number and a date</span>" in wrong.text
    answer = max_.send(f"{OFFICE}/set-shuffler", OFFICE, **SHUFFLER)
    assert "Submitted. Waiting for approval." in answer.text
    assert room.room.state.of(TABLE_LOG).shufflers == {}
    (number,) = room.room.approvals.waiting
    room.room.approvals.give(number, name="Lee", roles=frozenset({"accounting"}), id=command())
    assert "Model 1, Maker; approval WS-17 of Jan 5, 2026" in max_.page(OFFICE)
    assert "Model 1, Maker; approval WS-17 of Jan 5, 2026" in Console(room).page()


def test_item_13_the_method_stands_on_the_console_when_equipment_is_down_and_only_then(room: CardRoom) -> None:
    dan = Console(room)
    steps = [sentence(step) for step in DOWN_STEPS["on-the-spot"]]
    assert all(step not in dan.page() for step in steps)
    doors_of(room.room).tables.down("6", words="panel dark", command=command(), by=MANAGER)
    page = dan.page()
    assert "Equipment out of service (panel dark). Count by hand." in page
    assert [step in page for step in steps] == [True] * 3


def test_item_13_a_lost_line_tells_the_method_too(room: CardRoom) -> None:
    device_press(room, "4", 1)
    dan = Console(room, "console 4")
    room.room.do(LoseLink(device="A3-4", words="silent"), SYSTEM_ACTOR, id=command())
    page = dan.page("/tables/4/console")
    assert "Table link lost." in page
    assert sentence(DOWN_STEPS["on-the-spot"][0]) in page
    assert "out of service (" not in page
    assert sentence(DOWN_STEPS["on-the-spot"][0]) not in Console(room).page(SIX)


def test_g_35_the_console_names_the_seats_of_totals_for_a_second_person(room: CardRoom) -> None:
    tables = doors_of(room.room).tables
    dan = Console(room)
    assert "Name seats of a round entered by hand" not in Somebody(room, "sue").page(SIX)
    tables.down("6", words="panel dark", command=command(), by=MANAGER)
    counts = {"four-card-jackpot": {1: 2, 4: 1}}
    tables.enter_counts("6", 2, counts, words="sheet", command=command(), by=MANAGER, approved_by="Vic")
    assert "Name seats of a round entered by hand" not in dan.page()
    sue = Somebody(room, "sue")
    assert "Name seats of a round entered by hand" in sue.page(SIX)
    named = {"round": "2", "wager:four-card-jackpot": ["1", "4"], "words": "camera 4"}
    wrong = sue.send(f"{SIX}/name-seats", SIX, **named | {"wager:four-card-jackpot": ["2"]})
    assert "Seat 2 has 0 wagers of Four Card Jackpot in the totals" in wrong.text
    assert "Submitted for approval." in sue.send(f"{SIX}/name-seats", SIX, **named).text
    (number,) = room.room.approvals.waiting
    room.room.approvals.give(number, name="Vic", roles=frozenset({"surveillance"}), id=command())
    counted = tables.table("6").find_round(2)
    assert counted is not None
    assert counted.counted == {"four-card-jackpot": (1, 4)}


def test_issue_19_the_log_of_a_day_is_a_form_filled_from_the_books_at_the_terminal_and_on_the_page(
    room: CardRoom, tmp_path: Path
) -> None:
    dan = Console(room)
    for act in ("inspected", "washed", "in"):
        dan.send("deck", dan.form("deck") | {"deck": "red 12", "act": act, "maker": "Card Co"})
    day = gambling_day_of(room.room.state, room.room.clock())
    auditor = Somebody(room, "max")
    assert 'href="/office/reports/table-log?table=6"' in auditor.page(OFFICE)
    assert re.search(rf'action="{OFFICE}/log".*?value="{day}"', auditor.page(OFFICE), re.DOTALL)
    assert auditor.client.get("/office/tables/none/log").status_code == HTTPStatus.NOT_FOUND
    assert auditor.client.get(f"{OFFICE}/log?day=soon&at=1").status_code == HTTPStatus.UNPROCESSABLE_ENTITY
    file = pdf_of(auditor, f"{OFFICE}/log?day={day}")
    text = text_of(file, tmp_path)
    for words in ("Table log", day_words(day), "red 12 (Card Co)", "Deck put into play", "Dan", "Floor supervisor"):
        assert words in text
    path = tmp_path / "copy"
    room.room.close()
    shutil.copytree(room.books.directory.path, path)
    out = tmp_path / "log.pdf"
    asked = ["print", "--room", str(path), "--table", "6", "-o", str(out), "--log"]
    assert run_pitboss([*asked, str(day)]).exit_code == 0
    assert "Deck put into play" in text_of(out.read_bytes(), tmp_path)
    assert run_pitboss([*asked, str(day + datetime.timedelta(days=1))]).exit_code == 0
    assert "Nothing was logged on this day" in text_of(out.read_bytes(), tmp_path)
    for wrong, says in (
        ([*asked, str(day - datetime.timedelta(days=1))], "table 6 was not set up by"),
        ([*asked, "soon"], "--log 'soon' is no day such as 2026-11-15"),
        ([*asked[:3], "-o", str(out), "--log", str(day)], "--log DAY --table TABLE, one of them"),
        ([*asked[:3], "--table", "66", "-o", str(out), "--log", str(day)], "66"),
    ):
        ran = run_pitboss(wrong)
        assert ran.exit_code == TYPED_WRONG
        assert says in " ".join(ran.printed.split())


def pdf_of(somebody: Somebody, path: str) -> bytes:
    """The file behind a page that waits for it."""
    for _ in range(600):
        answer = somebody.client.get(path, follow_redirects=True)
        if answer.headers["content-type"] == "application/pdf":
            return answer.content
        assert answer.status_code == HTTPStatus.ACCEPTED, answer.text
        path = answer.url.raw_path.decode()
        time.sleep(0.1)
    raise AssertionError(path)
