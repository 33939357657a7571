"""Table service: every command of a room is a form on some page, and what is taken out of service is returned."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from pathlib import Path

import pytest

from pitboss.room.approvals import APPROVALS
from pitboss.room.commands import EXPOSED
from pitboss.server.views.formatting import iso_day
from pitboss.server.views.service import service_view
from pitboss.server.views.viewer import Viewer
from pitboss.tabulator import TABLES, TableRecord
from tests.doors import doors_of
from tests.pages.desk import DAN, Somebody, desk_room
from tests.pages.room import CardRoom
from tests.server.making import command

SERVER = Path(__file__).parents[2] / "src" / "pitboss" / "server"
WITHOUT_A_FORM = {
    "desk/collect": "one table by itself, for programs: the page counts a shift as a whole (`desk/count`)",
    "backups/plan": "names a directory of the server's computer and a key: typed there by who looks after it",
    "backups/stop": "the same",
}
"""Exposed commands that no page has a form for, and why."""


def _referred(path: Path) -> set[str]:
    """Names that a module of pages uses, besides importing them."""
    nodes = ast.walk(ast.parse(path.read_text(encoding="utf-8")))
    return {
        node.id if isinstance(node, ast.Name) else node.attr
        for node in nodes
        if isinstance(node, (ast.Name, ast.Attribute))
    }


ADDRESSED_OTHERWISE = frozenset(
    [
        "backups/plan",
        "backups/stop",
        "desk/collect",
        "jackpots/define",
        "tables/add",
        "tables/post",
        "jackpots/open",
        "jackpots/close",
        "jackpots/suspend",
        "jackpots/receipts",
        "jackpots/seed-other",
        "jackpots/deposit-arrived",
        "hits/call-found",
        "hits/verify",
        "hits/document",
        "hits/undo-small",
        "hits/reverse-small",
        "hits/surveil",
        "hits/close",
        "hits/reprint",
        "tables/open",
        "tables/close",
        "tables/suspend",
        "tables/resume",
        "tables/press",
        "tables/mark-seats",
        "tables/correct-earlier",
        "tables/state-lights",
        "tables/by-hand",
        "tables/enter-counts",
        "tables/restore",
        "tables/read-counter",
        "tables/malfunction",
        "tables/clear-alarm",
        "tables/give-up",
        "tables/log-deck",
        "room/register-maker",
        "tables/dealing",
        "tables/give-up-dealt",
        "tables/unlock-dealing",
        "room/set",
        "room/rename",
        "promotions/set",
        "displays/register",
        "floor/take-alarm",
        "floor/dispute",
        "desk/raise-found",
    ]
)
"""Commands whose form's address is not their name, or is put together from a view; each has a test of its form."""


def test_the_address_of_every_other_form_stands_in_a_template() -> None:
    """A command that a page could run and that no template offers is none that a person reaches."""
    folders = (SERVER / "templates", SERVER / "parts")
    text = "\n".join(path.read_text(encoding="utf-8") for folder in folders for path in folder.rglob("*.html"))
    last = {cls.spec.name: cls.spec.name.rpartition("/")[2] for cls in EXPOSED}
    offered = {
        name for name, do in last.items() if re.search(rf'(?:/{re.escape(do)}["#{{]|action\("{re.escape(do)}")', text)
    }
    assert set(last) - offered <= ADDRESSED_OTHERWISE


def test_every_exposed_command_is_a_form_on_some_page() -> None:
    """Its class is used by a module of pages."""
    referred = set().union(*(_referred(path) for path in (SERVER / "pages").rglob("*.py")))
    missing = {cls.spec.name for cls in EXPOSED if cls.__name__ not in referred}
    assert set(WITHOUT_A_FORM) == missing


@pytest.fixture
def room(tmp_path: Path) -> Iterator[CardRoom]:
    with desk_room(tmp_path / "room") as opened:
        yield opened


def _send(person: Somebody, do: str, table: str = "5", **fields: str) -> str:
    answer = person.send(f"/floor/tables/{table}/{do}", f"/floor/tables/{table}", **fields)
    return str(answer.text)


def _approve(room: CardRoom, name: str, role: str) -> None:
    [number] = room.room.state.of(APPROVALS)
    room.room.approvals.give(number, name=name, roles=frozenset({role}), id=command())


def _table(room: CardRoom, name: str = "5") -> TableRecord:
    return room.room.state.of(TABLES).tables[name]


def test_b_4_equipment_that_was_taken_out_is_returned_in_the_browser_with_its_approver(room: CardRoom) -> None:
    sue = Somebody(room, "sue")
    assert "out of service since" in sue.page("/floor/tables/5")
    refused = _send(sue, "restore", rounds_played="a few", words="new sensor")
    assert "Rounds dealt meanwhile: enter a whole number." in refused
    assert 'value="a few"' in refused
    assert 'value="new sensor"' in refused
    assert "Submitted. Waiting for approval." in _send(sue, "restore", rounds_played="0", words="new sensor")
    assert _table(room).down is not None
    [number] = room.room.state.of(APPROVALS)
    for login, may_approve in {"sue": False, "vic": True}.items():
        page = Somebody(room, login).page("/floor/tables/5")
        assert "Return the equipment of table 5 to service" in page, "the card stands where it was asked for"
        assert may_approve == (f'action="/floor/approvals/{number}/give"' in page)
        assert '<td class="before">Out of service</td><td class="after">In service</td>' in page
        assert '>Out since</th><td class="after" colspan="2">' in page, "a fact does not begin with the approval"
    _approve(room, "Vic", "surveillance")
    assert _table(room).down is None
    assert "Take out of service" in sue.page("/floor/tables/5")


def test_b_4_the_console_leads_to_the_return_to_service_where_it_took_out(room: CardRoom) -> None:
    """Seen: with the equipment out, the console had nothing left about it."""
    place = 'href="/floor/tables/5#form-restore"'
    assert place in Somebody(room, "sue").page("/tables/5/console")
    assert place not in Somebody(room, "dan").page("/tables/5/console"), "a dealer returns no equipment"
    assert place not in Somebody(room, "sue").page("/tables/4/console"), "nothing is out there"


def test_s_13_jackpots_of_a_table_are_suspended_and_resumed(room: CardRoom) -> None:
    sue = Somebody(room, "sue")
    assert "Jackpots suspended at this table." in _send(sue, "suspend", "4", words="sign is dark")
    assert _table(room, "4").life == "suspended"
    view = service_view(room.room.state, "4", Viewer("Sue", frozenset({"supervisor"})))
    assert view is not None
    assert view.status == "Jackpots suspended"


def test_t_9_a_console_of_suspended_jackpots_asks_for_no_wagers(room: CardRoom) -> None:
    """Seen: the alarm said to give the wagers back, and the button below to tap each seat that has one."""
    sue = Somebody(room, "sue")
    _send(sue, "suspend", "6", words="sign is dark")
    page = Somebody(room, "dan").page("/tables/6/console")
    assert "Take no jackpot wagers" in page
    assert "Tap each seat with a jackpot wager first" not in page


def test_s_13_counts_of_manual_play_are_entered_by_seat(room: CardRoom) -> None:
    sue = Somebody(room, "sue")
    counts = {"count:final-four:1": "3", "count:final-four:4": "2"}
    assert "Seat 1: enter a whole number." in _send(
        sue, "enter-counts", rounds="3", words="tally", **{**counts, "count:final-four:1": "x"}
    )
    assert "Waiting for approval" in _send(sue, "enter-counts", rounds="3", words="tally", **counts)
    _approve(room, "Max", "manager")
    assert (_table(room).round, _table(room).wagers_counted) == (3, 5)


def test_s_13_a_counter_is_read_and_never_by_nothing(room: CardRoom) -> None:
    dan = Somebody(room, "dan")
    assert "enter a whole number" in _send(dan, "read-counter", "6", reading="")
    assert _table(room, "6").reading is None
    assert "Counter reading saved." in _send(dan, "read-counter", "6", reading="1204")
    reading = _table(room, "6").reading
    assert reading is not None
    assert reading.reading == 1204
    day = iso_day(reading.day)
    assert f"Last reading 1204: {day}, {reading.shift.capitalize()} shift, Dan." in dan.page("/floor/tables/6")


def test_s_13_seats_of_one_person_are_marked_and_unmarked(room: CardRoom) -> None:
    dan = Somebody(room, "dan")
    assert "Seats saved." in _send(dan, "mark-seats", **{"person:2": "A", "person:3": "A"})
    assert _table(room).persons == ((2, 3),)
    assert "One player at seats 2 and 3." in dan.page("/floor/tables/5")
    _send(dan, "mark-seats", **{"person:2": ""})
    assert _table(room).persons == ()


def test_s_13_a_problem_is_logged_without_taking_down_then_reported_and_repaired(room: CardRoom) -> None:
    sue = Somebody(room, "sue")
    assert "Problem logged." in _send(sue, "malfunction", "4", words="seat 2 flickers", place="2.1")
    assert _table(room, "4").down is None
    [malfunction] = [item for item in room.room.state.of(TABLES).malfunctions.values() if item.table == "4"]
    assert malfunction.place == (2, 1)
    number = str(malfunction.number)
    assert "Marked as reported." in _send(sue, "report", "4", malfunction=number, reference="GC-77")
    assert "Return it to service when ready." in _send(sue, "mend", "4", malfunction=number, words="cleaned")


def test_a_greyed_button_says_why_and_a_form_that_somebody_may_not_ask_for_is_not_there(room: CardRoom) -> None:
    page = Somebody(room, "sue").page("/floor/tables/4")
    assert "The equipment of table 4 is not down." in page
    assert 'title="E-09"' in page
    assert "/floor/tables/4/restore" not in Somebody(room, "dan").page("/floor/tables/4")
    assert "Nothing can be changed here in your role." in Somebody(room, "uma").page("/floor/tables/4")
    assert Somebody(room, "sue").client.get("/floor/tables/99").status_code == 404


def test_the_address_of_a_form_leads_back_to_its_page(room: CardRoom) -> None:
    sue = Somebody(room, "sue")
    answer = sue.client.get("/floor/tables/5/restore")
    assert (answer.status_code, answer.url.path) == (200, "/floor/tables/5")


def test_lost_messages_are_written_off_and_dealing_is_set_up(room: CardRoom) -> None:
    sue, max_ = Somebody(room, "sue"), Somebody(room, "max")
    refused = _send(sue, "give-up", "4", device="A3-4", last="0", words="box burnt")
    assert "the last message of a3-4 that is done is 0" in refused.lower()
    assert "Waiting for approval" in _send(sue, "give-up", "4", device="A3-4", last="3", words="box burnt")
    _approve(room, "Vic", "surveillance")
    assert room.room.state.of(TABLES).devices["A3-4"].sequence == 3
    assert "Waiting for approval" in _send(max_, "dealing", "4", cards="physical", money="play", words="as before")


def test_j_15_funds_of_a_progressive_are_booked_and_seed_no_other_in_a_commercial_room(room: CardRoom) -> None:
    max_, address = Somebody(room, "max"), "/office/jackpots/final-four/reserve"
    doors_of(room.room).tables.press("5", {"final-four": [1, 2]}, command=command(), by=DAN)
    page = max_.page(address)
    assert "Reserve: $0.10" in page
    assert "Not available now (1)" in page
    assert "a reserve does not seed another progressive in a commercial room" in page
    refused = max_.send(f"{address}/receipts", address, form="receipts", amount="ten", fund="reserve", words="why")
    assert (refused.status_code, 'value="ten"' in refused.text) == (409, True)
    sent = max_.send(f"{address}/receipts", address, amount="0.05", fund="reserve", words="year end")
    assert "Waiting for approval" in sent.text
    fields = {"other": "aces", "amount": "0.05", "fund": "reserve", "permitted_by": "WAC", "words": "seed"}
    assert max_.send(f"{address}/seed-other", address, **fields).status_code == 409
