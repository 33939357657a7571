"""Hits and money: every hit is found again with its steps and papers, small prizes add up, exceptions have names."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from html import unescape
from pathlib import Path

import pytest

from pitboss.commands import read_fields
from pitboss.commands.command import SYSTEM_ACTOR
from pitboss.jackpot import HITS, Paper, PayPrize
from pitboss.jackpot.hits.history import read_history
from pitboss.room.hit_index import HIT_INDEX, story_at
from pitboss.room.people.people import SetPerson
from pitboss.server.auth import Caller
from pitboss.server.views.hits import exception_rows, hit_detail, small_rows
from tests.doors import Desk
from tests.pages.desk import AMY, ROYAL_CARDS, VIC, Somebody, busy, desk_room, finish, royal
from tests.pages.room import CardRoom
from tests.server.making import PASSWORD, command


@pytest.fixture(scope="module")
def room(tmp_path_factory: pytest.TempPathFactory) -> Iterator[tuple[CardRoom, dict[str, int]]]:
    with desk_room(tmp_path_factory.mktemp("hits") / "room") as found:
        made = busy(found)
        finish(found, made["royal"])
        found.room.approvals.give(made["reject"], name="Vic", roles=frozenset({VIC.role}), id=command())
        desk = Desk.over(found.books, found.room.clock)
        raised = desk.raise_exception("chips/6", "chips are short", units=-4_000_000, command=command(), actor="Amy")
        number = raised.entries[0].sequence
        desk.take(number, "Max", command=command(), actor="Max")
        desk.resolve(number, "found under the tray", command=command(), actor="Max")
        yield found, made


def test_every_hit_is_read_alone_as_it_is_in_the_whole_history(room: tuple[CardRoom, dict[str, int]]) -> None:
    """Two roads: the entries of one hit by the log, and the journal read from its beginning."""
    books = room[0].books
    whole, log = read_history(books.store.entries("room")), books.state("room").of(HIT_INDEX)
    assert len(whole.stories) == 2
    for number, story in whole.stories.items():
        alone = story_at(books.store, "room", log, number)
        assert alone is not None
        assert (alone.hit, alone.verified) == (story.hit, story.verified)
        assert [entry.sequence for entry, _ in alone.entries] == [entry.sequence for entry, _ in story.entries]
    assert HIT_INDEX.read(HIT_INDEX.write(log)) == log
    assert story_at(books.store, "room", log, 1) is None


def test_x_01_a_finished_hit_has_its_people_slip_and_form(room: tuple[CardRoom, dict[str, int]]) -> None:
    found, made = room
    state = found.books.state("room")
    story = story_at(found.books.store, "room", state.of(HIT_INDEX), made["royal"])
    assert story is not None
    view = hit_detail(state, story)
    assert [(each.title, each.who) for each in view.done][-2:] == [("handed over", "Max"), ("closed", "Sue")]
    [prize] = view.prizes
    assert (prize.winner, prize.slip, prize.handed) == ("Pat Lee", 1, "cheque 1007")
    form = dict(prize.form)
    assert form["Taxpayer number"] == "not given: backup withholding (X-07)"
    assert form["Federal tax withheld"] == prize.withheld == "$5,619.93"
    assert all(source for _, source in prize.because)


def test_small_prizes_add_up_by_table_and_shift_as_counted_from_the_movements(
    room: tuple[CardRoom, dict[str, int]],
) -> None:
    state, store = room[0].books.state("room"), room[0].books.store
    rows = small_rows(state, store.entries("room"))
    assert [(row.table, row.shift, row.small, row.envy, row.total) for row in rows] == [("6", "day", 1, 0, "$100.00")]
    history = read_history(store.entries("room"))
    assert Counter({row.jackpot: row.cents for row in rows}) == history.small_cents


def test_m_07_exceptions_say_who_resolved_them(room: tuple[CardRoom, dict[str, int]]) -> None:
    [row] = exception_rows(room[0].books.state("room"))
    assert (row.record.state, row.record.owner, row.record.result, row.amount) == (
        "resolved",
        "Max",
        "found under the tray",
        "-$4.00",
    )


def test_the_pages_show_it_and_refuse_what_is_not_there(room: tuple[CardRoom, dict[str, int]]) -> None:
    uma = Somebody(room[0], "uma")
    page = uma.page("/office/hits")
    for words in ("Pat Lee", "$23,417.38", "rejected", "found under the tray", "<span>Jackpots paid</span>"):
        assert words in page
    assert "No hit was called." in uma.page("/office/hits?day=2026-01-02")
    assert "Form W-2G" in uma.page(f"/office/hits/{room[1]['royal']}")
    assert uma.client.get("/office/hits/99999").status_code == 404
    assert uma.client.get("/office/hits?day=yesterday").status_code == 409


def test_f_15_a_slip_is_printed_again_from_its_hit_with_a_reason_and_marked(
    room: tuple[CardRoom, dict[str, int]],
) -> None:
    """The second road: the slip as the whole history has it."""
    found, made = room
    amy, address = Somebody(found, "amy"), f"/office/hits/{made['royal']}"
    assert Somebody(found, "uma").form(f"{address}/slips/1", address) is None
    refused = amy.send(f"{address}/slips/1", address, words=" ")
    assert (refused.status_code, "the reason must be stated in words (F-15)" in refused.text) == (409, True)
    assert amy.send(f"{address}/slips/99", address, words="lost").status_code == 409

    page = amy.send(f"{address}/slips/1", address, words="lost at the cage")
    whole = read_history(found.books.store.entries("room"))
    [(entry, _)] = whole.reprints[1]
    assert f"{page.url.path}?{page.url.query.decode()}" == f"{address}/slips/1?entry={entry.sequence}"
    told = whole.slip(1, 1).text()
    assert "*** REPRINT 1 *** Amy" in told
    assert told in unescape(page.text)
    assert "reprinted 1 time<" in amy.page(address)
    for wrong in ("1", f"2?entry={entry.sequence}", f"1?entry={entry.sequence - 1}"):
        assert amy.client.get(f"{address}/slips/{wrong}").status_code == 404


@pytest.fixture
def fresh(tmp_path: Path) -> Iterator[CardRoom]:
    with desk_room(tmp_path / "room") as found:
        yield found


def test_f_17_who_is_supervisor_and_accounting_pays_in_the_role_that_the_step_needs(
    fresh: CardRoom,
) -> None:
    found = fresh
    kim = SetPerson(login="kim", name="Kim", roles=("accounting", "supervisor"), active=True, first=True)
    found.room.access.set_person(kim, SYSTEM_ACTOR, id=command())
    found.room.access.set_password("kim", PASSWORD, SYSTEM_ACTOR)
    hit = royal(found)
    found.verify(hit, {3: ROYAL_CARDS})
    found.hits.surveil(hit, ["hand", "wager", "payout", "winner"], command=command(), by=VIC)
    paper = Paper(3, "Lou Ray", ("driver license", "passport"), True, True, True)
    found.hits.document(hit, [paper], command=command(), by=AMY)

    action = f"/floor/hits/{hit}/pay"
    assert 'value="cheque"' not in Somebody(found, "sam").page()
    refused = Somebody(found, "sam").send(action, seat="3", method="cheque", cheque="1008")
    assert (refused.status_code, "made by accounting or a manager (F-17)" in refused.text) == (409, True)
    paid = Somebody(found, "kim").send(action, seat="3", method="cheque", cheque="1008")
    assert (paid.status_code, "Handed over" in paid.text) == (200, True)
    done = found.room.state.of(HITS).open[hit].done[-1]
    assert (done.step, done.person, done.role) == ("pay", "Kim", "accounting")


@pytest.mark.parametrize(
    ("roles", "method", "role"),
    [
        (("accounting", "supervisor"), "tray", "supervisor"),
        (("accounting", "supervisor"), "cage", "accounting"),
        (("manager", "supervisor"), "cheque", "manager"),
        (("supervisor",), "cheque", "supervisor"),
    ],
)
def test_f_17_the_role_of_who_pays_follows_the_way_of_paying(roles: tuple[str, ...], method: str, role: str) -> None:
    pay = read_fields(PayPrize, {"hit": 1, "seat": 1, "method": method})
    assert Caller(roles=frozenset(roles)).by(pay.role_order()).role == role
