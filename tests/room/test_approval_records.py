"""Item 5: no approval on record, no opening; the same words from the room, the API, the terminal, First day and check."""

from __future__ import annotations

import datetime
import json
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from fastapi.testclient import TestClient

from pitboss.books import Draft, RefusedError, Submission
from pitboss.cli.output import BROKEN_RULE, TYPED_WRONG
from pitboss.commands import By
from pitboss.jackpot.state import local_day
from pitboss.law.papers import PARTS
from pitboss.room.approval_records import (
    ApprovalPaper,
    ApprovalWithdrawn,
    RecordApproval,
    RegisterMaker,
    WithdrawApproval,
    maker_notices,
    papers_at,
)
from pitboss.room.opening import table_problems
from pitboss.server.app import create_app
from pitboss.server.views.formatting import medium_day
from pitboss.server.views.office.room import plain_problem, start_view
from pitboss.tabulator import TABLES, CloseTable, OpenTable
from tests.docs.console import run_pitboss
from tests.doors import doors_of, record_approval
from tests.jackpot.making import TCP
from tests.pages.room import CardRoom
from tests.pages.tables import EXAMPLE, LEE, MAX, SUE, setup, tables_room
from tests.server.making import ADDRESS, command, sign_in

DAY = datetime.date(2026, 10, 1)
TWO = By(MAX.name, "manager", LEE)
CONTROLS = "no approval of the internal controls is on record for Three Card Prime at table 3"
PAPER = ApprovalPaper("internal-controls", "IC-26-014", DAY)


@pytest.fixture
def found(tmp_path: Path) -> Iterator[CardRoom]:
    """Table 3 is set up as table 1 is, and nothing is approved there."""
    with tables_room(tmp_path / "room") as opened:
        three(opened)
        yield opened


def three(opened: CardRoom, **fields: Any) -> None:
    made = replace(setup("3"), device="A3-3", **fields)
    doors_of(opened.room).tables.set_up(made, words="new", by=MAX, approved_by=SUE.name, command=command())


def record(opened: CardRoom, *papers: ApprovalPaper, **fields: Any) -> None:
    value = RecordApproval(table="3", game=TCP, papers=papers, **fields)
    opened.room.do(value, TWO, id=command())


@pytest.mark.usefixtures("typed_names")
def test_g_59_no_record_no_opening_by_any_door(found: CardRoom) -> None:
    (refused,) = found.room.verify(OpenTable(table="3"), SUE)
    assert CONTROLS in refused
    assert refused.endswith("(REGULATION O-16; G-59)")
    client = TestClient(create_app(found.room), base_url=ADDRESS, follow_redirects=False)
    sign_in(client, "sue")
    answer = client.post("/api/v1/tables/open", json={"command": command(), "table": "3"})
    assert (answer.status_code, refused in answer.json()["problems"]) == (409, True)
    view = start_view(found.room.state, found.room.secrets(), found.room.clock())
    assert f"Table 3: {plain_problem(refused)}" in view.steps[3].missing
    assert f"Table 3: {plain_problem(refused)}" in view.steps[-1].missing
    path = found.room.path
    found.room.close()
    ran = run_pitboss(["tables", "open", str(path), "3", "--person", SUE.name])
    assert ran.exit_code == TYPED_WRONG
    assert CONTROLS in " ".join(ran.printed.split())


def test_o_16_a_record_of_two_people_opens_the_table(found: CardRoom) -> None:
    with pytest.raises(RefusedError, match="needs two people"):
        found.room.do(
            RecordApproval(table="3", game=TCP, papers=(PAPER,)),
            By(MAX.name, "manager", By(MAX.name, "manager")),
            id="x",
        )
    record(found, PAPER)
    assert papers_at(found.room.state, "3", TCP) == {"internal-controls": PAPER}
    found.room.do(OpenTable(table="3"), replace(SUE, approver=MAX), id=command())
    assert found.room.state.of(TABLES).tables["3"].life == "open"


def test_p_04_a_tribal_room_needs_three_papers(found: CardRoom) -> None:
    three(found, profile="wa-tribal")
    assert [
        text.partition(" is on record")[0] for text in table_problems(found.room.state, "3", found.room.clock())
    ] == [
        "approvals: no approval of the Tribal Gaming Agency",
        "approvals: no concurrence of the state",
        "approvals: no supplement of the Compact's Appendix A, section 18",
    ]
    record(found, ApprovalPaper("tga", "TGA-7", DAY), ApprovalPaper("state-concurrence", "SC-9", DAY))
    (left,) = found.room.verify(OpenTable(table="3"), SUE)
    assert "Appendix A, section 18" in left
    assert left.endswith("(REGULATION P-04; G-59)")
    record(found, ApprovalPaper("appendix-a-18", "S-18", DAY))
    assert found.room.verify(OpenTable(table="3"), SUE) == ()


def test_g_50_an_approval_has_a_number_and_a_date_that_has_come(found: CardRoom) -> None:
    for paper, words in (
        (PAPER._replace(number="yes"), "'yes' is no number of a paper"),
        (PAPER._replace(day=datetime.date(2100, 1, 1)), "has not come yet"),
        (PAPER._replace(day=datetime.date(2009, 1, 1)), "before the game's first letter"),
    ):
        with pytest.raises(RefusedError, match=words):
            record(found, paper)


def test_o_16_the_approval_of_another_game_or_table_is_none(found: CardRoom) -> None:
    record_approval(found.room, "3", game="four-card-prime")
    record_approval(found.room, "4")
    assert CONTROLS in found.room.verify(OpenTable(table="3"), SUE)[0]


def test_o_16_a_running_table_is_not_closed_and_closes_as_ever(tmp_path: Path) -> None:
    """Books of before have no record: their tables play on, and need one at the next opening."""
    with tables_room(tmp_path / "room") as opened:
        three(opened)
        doors_of(opened.room).tables.open("3", command=command(), by=SUE)
        assert opened.room.verify(CloseTable(table="3"), SUE) == ()
        assert opened.room.state.of(TABLES).tables["3"].life == "open"


def test_o_16_a_part_without_a_maker_must_be_confirmed(found: CardRoom) -> None:
    assert [text.partition(":")[0] for text in maker_notices(found.room.state)] == list(PARTS)
    assert all("must be confirmed" in text for text in maker_notices(found.room.state))
    found.room.do(RegisterMaker(part="layout", maker="Galaxy Gaming", licence="20-00123"), TWO, id=command())
    assert [text.partition(":")[0] for text in maker_notices(found.room.state)] == list(PARTS[1:])
    with pytest.raises(RefusedError, match="is no number of a paper"):
        found.room.do(RegisterMaker(part="layout", maker="Galaxy Gaming", licence="yes"), TWO, id=command())


def test_item_5_the_packet_lists_the_rooms_own_approvals(found: CardRoom) -> None:
    record(found, PAPER)
    path = found.room.path
    found.room.close()
    ran = run_pitboss(["report", "approvals", str(path), "--json"])
    assert ran.exit_code == 0, ran.printed
    for words in ("IC-26-014", "table 3: approval of the internal controls", "on file", "example", "layout: maker"):
        assert words in ran.printed


@pytest.mark.usefixtures("typed_names")
def test_item_5_check_says_it_of_a_file_and_of_a_room(found: CardRoom, tmp_path: Path) -> None:
    file = tmp_path / "table.toml"
    file.write_text(EXAMPLE)
    path = found.room.path
    found.room.close()
    bare = run_pitboss(["check", str(file), "--json"])
    assert bare.exit_code == 0
    (notice,) = [each for each in json.loads(bare.printed)["notices"] if each["path"] == "approvals"]
    assert notice["words"] == "approval of the internal controls for this table: must be confirmed"
    ran = run_pitboss(["check", str(file), "--room", str(path), "--table", "3", "--json"])
    assert ran.exit_code == BROKEN_RULE
    assert any(CONTROLS in each["words"] for each in json.loads(ran.printed)["problems"])
    papers = ["--paper", "internal-controls=IC-1:2026-10-01"]
    who = ["--person", MAX.name, "--approved-by", LEE.name]
    assert run_pitboss(["tables", "record-approval", str(path), "3", *papers, *who]).exit_code == 0
    assert run_pitboss(["check", str(file), "--room", str(path), "--table", "3"]).exit_code == 0


def test_item_5_a_manager_records_an_approval_on_the_tables_page(found: CardRoom) -> None:
    client = TestClient(create_app(found.room), base_url=ADDRESS, follow_redirects=False)
    sign_in(client, "max")
    client.headers["accept"] = "text/html"
    page = client.get("/office/tables/3").text
    assert "Not on file: the table can" in page
    form = {"command": command(), "number:internal-controls": "IC-26-014", "day:internal-controls": "2026-10-01"}
    assert client.post("/office/tables/3/record-approval", data=form).status_code == 303
    (number,) = found.room.approvals.waiting
    found.room.approvals.give(number, name=LEE.name, roles=frozenset({"accounting"}), id=command())
    assert "IC-26-014, Oct 1, 2026" in client.get("/office/tables/3").text
    assert (
        client.post(
            "/office/room/makers", data={"command": command(), "part": "layout", "maker": "G", "licence": "7"}
        ).status_code
        == 303
    )
    assert "Not on file" in client.get("/office/room").text


def withdraw(opened: CardRoom, since: datetime.date, **fields: Any) -> None:
    value = WithdrawApproval(table="3", since=since, **{"number": PAPER.number, "words": "by letter", **fields})
    opened.room.do(value, TWO, id=command())


def today_of(opened: CardRoom) -> datetime.date:
    return local_day(opened.room.state, opened.room.clock())


def test_g_59_a_withdrawn_approval_opens_nothing_from_its_day_on(found: CardRoom) -> None:
    """Seen: what was on record stayed there for good."""
    today = today_of(found)
    record(found, PAPER)
    withdraw(found, today + datetime.timedelta(days=1))
    assert found.room.verify(OpenTable(table="3"), SUE) == ()
    tomorrow = found.room.clock() + 86_400_000_000
    (later,) = table_problems(found.room.state, "3", tomorrow)
    assert f"{CONTROLS} (IC-26-014 is withdrawn from {today + datetime.timedelta(days=1)} on)" in later
    assert later.endswith("(REGULATION O-16; G-59)")

    # Recorded again it stands again, until that is withdrawn too.
    record(found, PAPER)
    assert table_problems(found.room.state, "3", tomorrow) == []
    withdraw(found, today)
    assert CONTROLS in found.room.verify(OpenTable(table="3"), SUE)[0]


def test_g_59_an_approval_is_withdrawn_by_two_people_with_a_reason(found: CardRoom) -> None:
    record(found, PAPER)
    alone = WithdrawApproval(table="3", number=PAPER.number, since=DAY, words="by letter")
    with pytest.raises(RefusedError, match="needs two people"):
        found.room.do(alone, By(MAX.name, "manager", By(MAX.name, "manager")), id="x")
    for fields, words in (
        ({"words": " "}, "reason must be stated"),
        ({"number": "IC-1"}, "no 'IC-1' is on record for table 3; there are: IC-26-014"),
        ({"since": DAY - datetime.timedelta(days=1)}, "cannot end before it"),
    ):
        with pytest.raises(RefusedError, match=words):
            withdraw(found, **{"since": DAY, **fields})  # type: ignore[arg-type]
    entry = ApprovalWithdrawn(table="3", number=PAPER.number, since=DAY, words="alone", approved_by="")
    assert approval_problems_of(found, entry) == ["an approval that is withdrawn needs the approval of a second person"]


def approval_problems_of(opened: CardRoom, entry: ApprovalWithdrawn) -> list[str]:
    """What the books hold against an entry that a program past the commands writes."""
    try:
        opened.room.books.submit(
            Submission(book="room", id=command(), actor=MAX.name, content={}, decide=lambda _: [Draft(entry)])
        )
    except RefusedError as error:
        return list(error.problems)
    return []


@pytest.mark.usefixtures("typed_names")
def test_g_59_a_withdrawal_at_the_page_and_the_terminal(found: CardRoom) -> None:
    record(found, PAPER)
    client = TestClient(create_app(found.room), base_url=ADDRESS, follow_redirects=False)
    sign_in(client, "max")
    client.headers["accept"] = "text/html"
    assert "<option>IC-26-014</option>" in client.get("/office/tables/3").text
    today = today_of(found)
    form = {"command": command(), "number": "IC-26-014", "since": today.isoformat(), "words": "by letter"}
    assert client.post("/office/tables/3/withdraw-approval", data=form).status_code == 303
    (number,) = found.room.approvals.waiting
    found.room.approvals.give(number, name=LEE.name, roles=frozenset({"accounting"}), id=command())
    page = client.get("/office/tables/3").text
    assert f"IC-26-014 of Oct 1, 2026: withdrawn from {medium_day(today)} on" in page
    assert "t open without it" in page
    path = found.room.path
    found.room.close()
    ran = run_pitboss(["report", "approvals", str(path), "--json"])
    assert f"on file; withdrawn from {today} on" in ran.printed
    again = json.dumps({"table": "3", "number": "IC-26-014", "since": f"{today}", "words": "again"})
    ran = run_pitboss(
        ["do", str(path), "tables/withdraw-approval", again, "--person", MAX.name, "--approved-by", LEE.name]
    )
    assert ran.exit_code == TYPED_WRONG
    assert "there are: none (G-59)" in " ".join(ran.printed.split())
