"""Jackpots in the back office: a chart that is true, money that two people move, and an escrow that warns."""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import pairwise

import pytest
from fastapi.testclient import TestClient
from hypothesis import given, settings
from hypothesis import strategies as st

from pitboss.books import LEDGER, Movement, read_payload
from pitboss.meters import UNITS_PER_CENT
from pitboss.room.people.roles import READERS
from pitboss.server.app import create_app
from pitboss.server.views.charts import money_ticks, step_chart, thinned
from pitboss.server.views.office.jackpots import jackpot_page, jackpots_view
from pitboss.server.worker.jobs import MeterHistoryJob
from tests.pages.office import office_room
from tests.pages.room import CardRoom
from tests.reports.making import ZONE, at
from tests.reports.sample import NEXT
from tests.server.making import ADDRESS, command, landed, sign_in

DAY = 24 * 60 * 60 * 1_000_000
amounts = st.lists(st.integers(0, 10**13), min_size=1, max_size=60)


@pytest.fixture(scope="module")
def room(tmp_path_factory: pytest.TempPathFactory) -> Iterator[CardRoom]:
    with office_room(tmp_path_factory.mktemp("office") / "room") as found:
        yield found


@pytest.fixture(scope="module")
def people(room: CardRoom) -> dict[str, TestClient]:
    found = {}
    for login in ("lee", "nia", "max", "una"):
        found[login] = TestClient(create_app(room.room), base_url=ADDRESS, follow_redirects=False)
        sign_in(found[login], login)
        found[login].headers["accept"] = "text/html"
    return found


@given(amounts)
@settings(max_examples=30)
def test_a_scale_has_round_amounts_around_all_that_is_drawn(units: list[int]) -> None:
    ticks = money_ticks(min(units), max(units))
    assert ticks[0] <= min(units)
    assert ticks[-1] >= max(units)
    assert 2 <= len(ticks) <= 5
    step = ticks[1] - ticks[0]
    assert all(after - before == step for before, after in pairwise(ticks))
    assert str(step // UNITS_PER_CENT).strip("0") in ("1", "2", "5")


@given(amounts)
@settings(max_examples=30)
def test_a_thinned_history_keeps_its_ends_and_both_sides_of_every_fall(units: list[int]) -> None:
    points = list(enumerate(units))
    kept = thinned(points, 5)
    assert (kept[0], kept[-1]) == (points[0], points[-1])
    for before, after in pairwise(points):
        if after[1] < before[1]:
            assert {before, after} <= set(kept)


def test_a_chart_steps_through_its_points_and_marks_each_fall() -> None:
    drawn = step_chart([(0, 1_000_000), (DAY, 2_000_000), (2 * DAY, 1_000_000)], 0, 4 * DAY, ZONE)
    assert drawn is not None
    assert [each.text for each in drawn.rows] == ["$1.00", "$1.50", "$2.00"]
    bottom, top = drawn.rows[0].at, drawn.rows[-1].at
    left, right = drawn.left, drawn.right
    first, second = left + (right - left) // 4, left + (right - left) // 2
    assert drawn.line == f"M{left} {bottom}H{first}V{top}H{second}V{bottom}H{right}"
    assert [(each.x, each.y, each.text) for each in drawn.marks] == [(second, top, "\N{MINUS SIGN}$1.00")]
    assert step_chart([], 0, DAY, ZONE) is None


def test_the_history_of_a_meter_is_what_the_journal_adds_up_to(room: CardRoom) -> None:
    now = room.room.clock()
    found = MeterHistoryJob(path=str(room.room.path), jackpot="main", days=1, at=now).run()
    shown, naive = 0, {}
    for entry in room.books.store.entries("room"):
        value = read_payload(entry.kind, entry.payload)
        if isinstance(value, Movement) and value.jackpot == "main":
            shown += sum(
                each.units * ((each.payee == "displayed") - (each.payer == "displayed")) for each in value.transfers
            )
        naive[entry.recorded] = shown
    begins = now - DAY
    assert found["points"][0] == (begins, [units for instant, units in naive.items() if instant < begins][-1])
    assert all(naive[instant] == units for instant, units in found["points"][1:])
    assert found["points"][-1][1] == room.room.state.of(LEDGER)["main"].balances["displayed"]


def test_an_escrow_that_will_be_short_is_warned_of_and_one_that_is_stops_the_game(room: CardRoom) -> None:
    """J-19: what came in the week before is due in the week after."""
    state = room.room.state
    assert jackpots_view(state, at(NEXT, 16)).warnings == ()
    card = jackpots_view(state, at(NEXT, 16)).cards[0]
    assert (card.amount, card.escrow, card.escrow_short) == ("$4,520.92", "Funded", False)
    page = jackpot_page(state, "main", at(NEXT, 16), ZONE)
    assert page is not None
    assert page.escrow is not None
    figures = dict(page.escrow.figures)
    assert figures["At the bank"] == "$10,000.00"
    # Seen: "Nov 30 or play stops" where nothing has to be deposited.
    assert figures["To deposit"] == "$0.00"
    assert "play stops" not in figures["Deposit by"]
    meter = state.of(LEDGER)["main"].counts
    assert meter["hits_rejected"] > 0, "a prize that was rejected is no prize"
    counts = dict(page.counts)
    assert counts["Prizes recorded"] == str(meter["hits"] - meter["hits_rejected"])
    assert counts["Wagers counted"] == f"{meter['wagers_counted'] - meter['wagers_reversed']:,}"
    assert jackpot_page(state, "none", 0, ZONE) is None


def test_a_fund_is_adjusted_by_two_people_and_never_by_one(room: CardRoom, people: dict[str, TestClient]) -> None:
    """J-14, T-06: asked by accounting, given by another; who asks cannot give, an auditor does neither."""
    before = room.room.state.of(LEDGER)["main"].balances["displayed"]
    said = {"command": command(), "fund": "displayed", "way": "raise", "amount": "$12.34", "words": "found in the box"}
    review = people["lee"].post("/office/jackpots/main/adjust", data={**said, "review": "yes"})
    assert review.status_code == 200
    assert "$4,520.92 " in review.text
    assert "<b>$4,533.26</b>" in review.text, "before and after, before it is asked for"
    assert not room.room.approvals.waiting
    asked = people["lee"].post("/office/jackpots/main/adjust", data=said)
    assert landed(asked) == "/office/jackpots/main?tab=money&told=waits"
    page = people["lee"].get(asked.headers["location"]).text
    assert "Raise the meter of Five Card Jackpot, tables 4 and 5, by $12.34. It needs a manager; not you." in page
    others = people["una"].get(asked.headers["location"]).text
    assert "It needs a manager" not in others, "others read the audit log"
    assert ">Approve<" not in people["nia"].get("/office/jackpots/main").text
    page = people["max"].get("/office/jackpots/main").text
    number = re.search(r'name="number" value="(\d+)"', page)
    assert number is not None
    assert "Raise the meter of Five Card Jackpot, tables 4 and 5, by $12.34" in page
    assert '<td class="before">$4,520.92</td><td class="after">$4,533.26</td>' in page
    own = people["lee"].post("/office/jackpots/main/give", data={"command": command(), "number": number[1]})
    assert (own.status_code, "another person approves" in own.text) == (409, True)
    assert ">Approve<" not in people["lee"].get("/office/jackpots/main").text
    assert ">Approve<" not in people["una"].get("/office/jackpots/main").text
    assert people["una"].post("/office/jackpots/main/give", data={"number": number[1]}).status_code == 403
    same_role = people["nia"].post("/office/jackpots/main/give", data={"command": command(), "number": number[1]})
    assert (same_role.status_code, "G-31" in same_role.text) == (409, True)
    given_ = people["max"].post("/office/jackpots/main/give", data={"command": command(), "number": number[1]})
    assert given_.headers["location"].endswith("told=given")
    assert room.room.state.of(LEDGER)["main"].balances["displayed"] - before == 12_34 * UNITS_PER_CENT


@pytest.mark.parametrize(
    ("do", "said", "told"),
    [
        (
            "adjust",
            {"amount": "a lot", "fund": "displayed", "way": "raise", "words": "x"},
            "Enter an amount like 65 or $65.00.",
        ),
        ("deposit", {"amount": "0"}, "J-19"),
        ("arrived", {"entry": "1"}, "is in transit"),
        ("refuse", {"number": "1", "words": " "}, "Enter a reason."),
        ("give", {"number": "1"}, "does not wait"),
    ],
)
def test_what_cannot_be_done_is_told_and_nothing_changes(
    room: CardRoom, people: dict[str, TestClient], do: str, said: dict[str, str], told: str
) -> None:
    before = room.room.state.sequence
    answer = people["max"].post(f"/office/jackpots/main/{do}", data={"command": command(), **said})
    assert (answer.status_code, told in answer.text, room.room.state.sequence) == (409, True, before), answer.text
    assert people["max"].post(f"/office/jackpots/none/{do}", data=said).status_code == 404
    assert people["max"].post("/office/jackpots/main/nothing", data=said).status_code == 404


def test_a_deposit_is_sent_and_arrives(room: CardRoom, people: dict[str, TestClient]) -> None:
    """J-19, J-20."""
    people["lee"].post("/office/jackpots/main/deposit", data={"command": command(), "amount": "$250.00"})
    page = people["lee"].get("/office/jackpots/main?tab=money&told=deposit").text
    entry = re.search(r'name="entry" value="(\d+)"', page)
    assert entry is not None
    assert "<b>$250.00</b> deposited Nov 14, 2026" in page
    assert "Deposit of $250.00 recorded." in page, "every message of a booked act names what and how much"
    arrived = {"command": command(), "entry": entry[1], "reference": "B-17"}
    own = people["lee"].post("/office/jackpots/main/arrived", data=arrived)
    assert (own.status_code, "another person confirms" in own.text) == (409, True)
    people["max"].post("/office/jackpots/main/arrived", data=arrived)
    assert room.room.state.of(LEDGER)["main"].balances["escrow-bank"] == 10_000_00 * UNITS_PER_CENT
    (number,) = room.room.approvals.waiting
    people["lee"].post("/office/jackpots/main/give", data={"command": command(), "number": str(number)})
    assert room.room.state.of(LEDGER)["main"].balances["escrow-bank"] == 10_250_00 * UNITS_PER_CENT


def test_every_reader_may_look(people: dict[str, TestClient]) -> None:
    assert "auditor" in READERS
    assert "Meter of Five Card Jackpot" in people["una"].get("/office/jackpots/main?days=1").text
    assert people["una"].get("/office/jackpots/none").status_code == 404
