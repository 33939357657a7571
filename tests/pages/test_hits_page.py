"""Hits and money: every hit is found again with its steps and papers, small prizes add up, exceptions have names."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from html import unescape
from pathlib import Path

import pytest

from pitboss.books import Movement, read_payload
from pitboss.commands import read_fields
from pitboss.commands.command import SYSTEM_ACTOR
from pitboss.jackpot import HITS, Paper, PayPrize
from pitboss.jackpot.hits.history import read_history
from pitboss.room.hit_index import HIT_INDEX, story_at
from pitboss.room.people.people import SetPerson
from pitboss.room.sentences import sentence_of
from pitboss.server.auth import Caller
from pitboss.server.pages import hits as hits_page
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
    assert [(each.title, each.who) for each in view.done][-2:] == [("Paid", "Max"), ("Closed", "Sue")]
    [prize] = view.prizes
    assert (prize.winner, prize.slip, prize.handed) == ("Pat Lee", 1, "by check 1007")
    form = dict(prize.form)
    assert form["SSN/TIN"] == "not given: backup withholding"
    assert form["Federal tax withheld"] == prize.withheld == "$5,619.93"
    assert all(source for _, source in prize.because)


def test_small_prizes_add_up_by_table_and_shift_as_counted_from_the_movements(
    room: tuple[CardRoom, dict[str, int]],
) -> None:
    state, store = room[0].books.state("room"), room[0].books.store
    rows = small_rows(state, store.entries("room"))
    assert [(row.table, row.shift, row.small, row.envy, row.total) for row in rows] == [("6", "day", 1, 0, "$100.00")]
    history = read_history(store.entries("room"))
    assert Counter(row.cents for row in rows) == Counter(history.small_cents.values())


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
    for words in ("Pat Lee", "$23,417.38", "Rejected", "found under the tray", "Jackpots paid"):
        assert words in page
    assert "No jackpots reported." in uma.page("/office/hits?day=2026-01-02")
    assert "Form W-2G" in uma.page(f"/office/hits/{room[1]['royal']}")
    assert uma.client.get("/office/hits/99999").status_code == 404
    assert uma.client.get("/office/hits?day=yesterday").status_code == 409


def test_f_15_a_slip_is_printed_once_and_then_again_with_a_reason_and_marked(
    room: tuple[CardRoom, dict[str, int]],
) -> None:
    """The second road: the slip as the whole history has it."""
    found, made = room
    amy, address = Somebody(found, "amy"), f"/office/hits/{made['royal']}/slips/1"
    assert Somebody(found, "uma").form(f"{address}/print", address) is None
    assert "Seventeen thousand seven hundred ninety-seven and 45/100 dollars" in amy.page(address)
    original = amy.send(f"{address}/print", address)
    assert "Original" in original.text
    refused = amy.send(f"{address}/print", address)
    assert (refused.status_code, "was printed already" in refused.text) == (409, True)
    assert amy.form(f"{address}/print", address) is None

    refused = amy.send(address, address, words=" ")
    assert (refused.status_code, "The reason must be stated in words." in refused.text) == (409, True)
    assert amy.client.post(f"{address}9", data={"csrf": amy.csrf, "words": "lost"}).status_code == 404
    page = amy.send(address, address, words="lost at the cage")
    whole = read_history(found.books.store.entries("room"))
    [(entry, _)] = whole.reprints[1]
    assert f"{page.url.path}?{page.url.query.decode()}" == f"{address}?entry={entry.sequence}"
    assert "REPRINT 1" in page.text
    assert "lost at the cage" in unescape(page.text)
    assert "*** REPRINT 1 *** Amy" in whole.slip(1, 1).text()
    assert "reprinted 1 time<" in amy.page(f"/office/hits/{made['royal']}")
    for wrong in (f"{address[:-1]}2?entry={entry.sequence}", f"{address}?entry={entry.sequence - 3}"):
        assert amy.client.get(wrong).status_code == 404
    assert amy.client.get(f"{address}/pdf?entry={entry.sequence}&paper=80mm").status_code in (200, 202)
    assert amy.client.get(f"{address}/print").url.path == address


def test_x_04_a_payment_is_told_with_what_was_handed_over_and_what_was_withheld(
    room: tuple[CardRoom, dict[str, int]],
) -> None:
    """Seen: the prize alone, where tax was withheld of it. $23,417.38 less $5,619.93 is $17,797.45."""
    books = room[0].books
    for paid in books.store.entries("room", kinds=["prize-paid"]):
        value = read_payload(paid.kind, paid.payload)
        if isinstance(value, Movement) and value.details.get("hit") == room[1]["royal"]:
            break
    assert "paid $17,797.45 ($23,417.38 less $5,619.93 tax withheld) of jackpot" in sentence_of(
        books.state("room"), paid
    )


def test_s_5_a_small_prize_is_in_the_list_of_the_day_and_reversed_there(tmp_path: Path) -> None:
    with desk_room(tmp_path / "small") as found:
        busy(found)
        sue, uma = Somebody(found, "sue"), Somebody(found, "uma")
        page = uma.page("/office/hits")
        for words in ("Straight Flush", "$100.00", "(running)", "(ended 6:00 AM)"):
            assert words in page
        [number] = [paid.number for paid in found.room.state.of(HITS).small["6"]]
        action = f"/office/hits/small/6/{number}/reverse"
        assert action not in page
        assert "Prize reversed." in sue.send(action, "/office/hits", words="wrong seat").text
        assert "Reversed by Sue" in uma.page("/office/hits")
        assert sue.send(action, "/office/hits", words="again").status_code == 409


def test_of_a_busy_day_the_newest_small_prizes_are_listed_and_all_of_them_are_added_up(
    room: tuple[CardRoom, dict[str, int]], monkeypatch: pytest.MonkeyPatch
) -> None:
    """Seen: a page of a megabyte, with a form for each prize of two days."""
    monkeypatch.setattr(hits_page, "_NEWEST", 0)
    uma = Somebody(room[0], "uma")
    short, whole = uma.page("/office/hits"), uma.page("/office/hits?prizes=all")

    assert "/office/hits?prizes=all#small-title" in short
    assert "Show all" not in whole
    title = 'aria-label="Gaming day'
    assert short.count(title) == whole.count(title)
    rows = [page.count("<td>6<small>round") for page in (short, whole)]
    assert rows == [0, 1]
    assert 'data-page="/office/hits?prizes=all"' in whole


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
    assert (refused.status_code, "are made by accounting or a manager." in refused.text) == (409, True)
    paid = Somebody(found, "kim").send(action, seat="3", method="cheque", cheque="1008", reviewed="yes")
    assert (paid.status_code, "Payment recorded." in paid.text) == (200, True)
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
