"""Issue 19: may I open tomorrow? One check of everything that an opening asks, with what fixes each."""

from __future__ import annotations

import datetime
import json
import re
from collections.abc import Iterator
from dataclasses import replace
from html import unescape
from pathlib import Path

import pytest

from pitboss.books import ROOM
from pitboss.commands.command import SYSTEM_ACTOR
from pitboss.meters import UNITS_PER_CENT
from pitboss.papers.posting import review_papers, unposted
from pitboss.papers.readiness import ReadyLine, RoomReadiness, next_day, room_readiness
from pitboss.room.approval_records import WithdrawApproval, papers_at
from pitboss.room.configurations import PostConfiguration
from pitboss.room.opening import table_problems
from pitboss.room.people.people import SetPerson
from pitboss.room.posted_papers import PostPapers
from pitboss.room.settings import SetRoom, SettingsDraft, gambling_day_of
from pitboss.rules import parse_dollars
from pitboss.server.views.office.tomorrow import tomorrow_view
from pitboss.tabulator import CloseTable
from tests.docs.console import run_pitboss
from tests.doors import doors_of
from tests.pages.desk import Somebody
from tests.pages.room import TCP, CardRoom
from tests.pages.tables import LEE, MAX, SUE, WIDER, tables_room
from tests.papers.test_posting import change_table, do, post_all
from tests.server.making import command

_DAY = datetime.timedelta(days=1)


@pytest.fixture
def found(tmp_path: Path) -> Iterator[CardRoom]:
    """Table 1 is open with a jackpot and no display; no paper hangs there."""
    with tables_room(tmp_path / "room") as opened:
        yield opened


def day_of(found: CardRoom) -> datetime.date:
    day = next_day(found.room.state, found.room.clock())
    assert day is not None
    return day


def ready(found: CardRoom, day: datetime.date | None = None) -> RoomReadiness:
    return room_readiness(found.room.state, day or day_of(found), found.room.clock())


def lines(found: CardRoom, subject: str, day: datetime.date | None = None) -> list[ReadyLine]:
    [table] = ready(found, day).tables
    return [line for line in table.lines if line.subject == subject]


def test_issue_19_what_stops_the_opening_is_what_the_opening_would_be_refused_for(found: CardRoom) -> None:
    do(found, CloseTable(table="1"))
    [table] = ready(found).tables
    at = found.room.clock()
    stopped = {line.words for line in table.lines if line.level == "stops"}
    assert set(table_problems(found.room.state, "1", at)) <= stopped
    assert table.level == ready(found).level == "stops"
    [display] = lines(found, "Display")
    assert (display.level, display.page) == ("stops", "displays")
    assert "has no display of its jackpots" in display.words


def test_issue_19_papers_are_asked_in_the_version_of_that_day(found: CardRoom) -> None:
    assert [(line.level, line.words) for line in lines(found, "Papers")] == [
        ("confirm", "Rack card: not posted (REGULATION W-12)"),
        ("confirm", "Placards: not posted (REGULATION W-12)"),
    ]
    post_all(found)
    assert {line.level for line in lines(found, "Papers")} == {"ready"}
    # A setup that starts that morning makes what hangs today wrong that day, and not today.
    words, opens = "from tomorrow on", f"{day_of(found)}T05:00"
    post = PostConfiguration(table="1", configuration=WIDER, words=words, opens=opens)
    found.room.do(post, replace(MAX, approver=LEE), id=command())
    assert {line.words.partition(": ")[2] for line in lines(found, "Papers")} == {
        "changes with the setup of that day (REGULATION W-12)"
    }
    assert not unposted(found.room.state, "1", gambling_day_of(found.room.state, found.room.clock()))
    change = [line for line in lines(found, "Setup") if line.level == "ready"]
    assert "a new setup starts by" in change[0].words


def test_issue_19_a_changed_table_has_papers_that_are_out_of_date(found: CardRoom) -> None:
    post_all(found)
    change_table(found)
    review_papers(found.room)
    assert "Rack card: out of date (REGULATION W-12)" in {line.words for line in lines(found, "Papers")}
    do(
        found,
        PostPapers(
            table="1", papers=unposted(found.room.state, "1", gambling_day_of(found.room.state, found.room.clock()))
        ),
    )
    assert {line.level for line in lines(found, "Papers")} == {"ready"}


def test_g_80_words_that_must_be_posted_and_were_not_entered_must_be_confirmed_and_do_not_stop(found: CardRoom) -> None:
    """W-12: the check of tomorrow and the opening agree: it is told before, and the table opens."""
    found.room.do(CloseTable(table="1"), SUE, id=command())
    told = [line for line in ready(found).lines if line.subject == "Papers"]
    assert [(line.level, line.words, line.page) for line in told] == [
        ("confirm", "Not on the placards: how a dispute is decided, and by whom (REGULATION W-12)", "room"),
        ("confirm", "Not on the placards: the policy on play by employees (REGULATION W-12)", "room"),
    ]
    assert not any("W-12" in text for text in table_problems(found.room.state, "1", found.room.clock()))
    calendar = found.room.state.of(ROOM)
    assert calendar is not None
    draft = replace(SettingsDraft.of(calendar.history[-1][1]), disputes="The floor decides.", employees="No play.")
    found.room.do(SetRoom(settings=draft, since=day_of(found)), replace(MAX, approver=LEE), id=command())
    assert not [line for line in ready(found).lines if line.subject == "Papers"]


def test_issue_19_an_approval_that_is_withdrawn_by_then_stops_that_day(found: CardRoom) -> None:
    assert [line.level for line in lines(found, "Approvals")] in (["ready"], ["confirm"])
    since = day_of(found) + _DAY
    [paper] = papers_at(found.room.state, "1", TCP).values()
    withdraw = WithdrawApproval(table="1", number=paper.number, since=since, words="by letter")
    found.room.do(withdraw, replace(MAX, approver=LEE), id=command())
    assert "stops" not in {line.level for line in lines(found, "Approvals")}
    assert [line.level for line in lines(found, "Approvals", since)] == ["stops"]


def test_issue_19_escrow_says_what_to_deposit_before_play_stops(found: CardRoom) -> None:
    [escrow] = lines(found, "Escrow")
    assert escrow.page == "jackpot"
    assert escrow.about == "seven"
    if escrow.level != "ready":
        assert escrow.fix.startswith("Deposit $")


def test_issue_19_people_are_counted_by_role_and_by_what_takes_two(found: CardRoom) -> None:
    people = [line for line in ready(found).lines if line.subject == "People"]
    assert people[0].words == "0 dealers for 1 table"
    assert people[-1].words.startswith("On file: 0 dealers, 1 supervisor, 1 manager, 1 in accounting")
    gone = SetPerson(login="sue", name="Sue Halvorsen", roles=("supervisor",), active=False, first=False)
    found.room.access.set_person(gone, SYSTEM_ACTOR, id=command())
    people = [line for line in ready(found).lines if line.subject == "People"]
    stops = [line for line in people if line.level == "stops"]
    assert [line.words.partition(":")[0] for line in stops] == ["Nobody can open a table"]


def test_issue_19_what_it_can_cost_goes_by_the_meter_of_now(found: CardRoom) -> None:
    [table] = ready(found).tables
    assert table.cost is not None
    by_wager = {cost.wager: cost for cost in table.cost.wagers}
    assert by_wager["all-seven"].largest_cents == 25_000_00
    assert by_wager["ante-play"].largest_cents == 3_300_00


def test_issue_19_every_line_that_is_not_ready_has_what_fixes_it_and_a_page(found: CardRoom) -> None:
    answer = ready(found)
    view = tomorrow_view(answer)
    todo = [*view.open_lines, *(line for table in view.tables for line in table.open_lines)]
    assert todo
    for line in todo:
        assert line.fix, line
        assert line.address.startswith("/"), line
    assert view.answer == "Not yet. Something below stops opening."


def test_issue_19_the_terminal_says_the_same_with_exit_codes(found: CardRoom) -> None:
    path = str(found.room.path)
    ran = run_pitboss(["tomorrow", path, "--json", "--on", day_of(found).isoformat()])
    content = json.loads(ran.printed)
    answer = ready(found)
    assert ran.exit_code == 1
    assert content["level"] == answer.level == "stops"
    assert [line["words"] for line in content["tables"]["1"]["lines"]] == [
        line.words for line in answer.tables[0].lines
    ]
    assert "Stops opening" in run_pitboss(["tomorrow", path, "--on", day_of(found).isoformat()]).printed
    assert run_pitboss(["tomorrow", path, "--on", "monday"]).exit_code == 2


def test_issue_17_what_one_seat_can_win_is_by_the_live_meter_on_the_tables_page_its_form_and_tomorrow(
    found: CardRoom,
) -> None:
    def shown(path: str) -> list[str]:
        page = unescape(Somebody(found, "max").page(path))
        return re.findall(r"Most one seat can win in one round[^$]*(\$[\d,]+\.\d\d)", page)

    [before] = shown("/office/tables/1")
    jackpots = doors_of(found.room).jackpots
    now = jackpots.displayed_cents("seven")
    jackpots.adjust(
        "seven", 500_000 * UNITS_PER_CENT, words="a gift", command=command(), actor="Max", approved_by="Lee"
    )
    assert jackpots.displayed_cents("seven") == now + 500_000
    [after] = shown("/office/tables/1")
    assert parse_dollars(after) > parse_dollars(before)
    assert shown("/office/tomorrow") == [after]
    assert shown("/office/tables/1/edit") in ([after], [])
