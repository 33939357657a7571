"""The same approval card on the floor, on the object's page, in the API and at the terminal; Review before Approve."""

from __future__ import annotations

import re
from collections.abc import Iterator
from html import unescape
from pathlib import Path

import pytest

from pitboss.jackpot import AdjustFund
from pitboss.tabulator import VoidRound
from tests.cli.running import run, run_json
from tests.pages.desk import AMY, SUE, Somebody, busy, desk_room
from tests.pages.room import CardRoom

JACKPOT = "/office/jackpots/final-four"
TITLE = "Raise Final Four Jackpot meter by $2.50"


@pytest.fixture(scope="module")
def room(tmp_path_factory: pytest.TempPathFactory) -> Iterator[CardRoom]:
    with desk_room(Path(tmp_path_factory.mktemp("cards")) / "room") as found:
        found.rounds.update(busy(found))
        yield found


@pytest.fixture(scope="module")
def number(room: CardRoom) -> int:
    adjust = AdjustFund(name="final-four", units=2_500_000, words="a gift of the house")
    return room.room.do(adjust, AMY, id="ask").entries[0].sequence


def card(page: str, number: int) -> str:
    """The texts of a card, without its forms' hidden fields and addresses."""
    found = re.search(rf'<article class="task approval" id="approval-{number}".*?</article>', page, re.DOTALL)
    assert found is not None, page
    return unescape(re.sub(r'<input type="hidden"[^>]*>|action="[^"]*"|Amounts as of [^<]*', "", found[0]))


def test_b_1_floor_jackpot_api_and_terminal_show_one_card(room: CardRoom, number: int) -> None:
    max_ = Somebody(room, "max")
    on_floor, on_page = card(max_.page(), number), card(max_.page(JACKPOT), number)
    assert on_floor == on_page
    before = room.jackpots.meter("final-four").displayed_cents
    amounts = [f"${cents / 100:,.2f}" for cents in (before, before + 250)]
    texts = [TITLE, "Requested by <b>Amy</b> (accounting)", "a gift of the house", *amounts]
    assert all(text in on_floor for text in texts), on_floor
    assert not re.search(r"units|2500000|hundredth|final-four|T-06", on_floor)
    [terminal] = [
        each for each in run_json(f"approvals {room.room.path} --json")["approvals"] if each["number"] == number
    ]
    [api] = [each for each in max_.client.get("/api/v1/approvals").json() if each["number"] == number]
    change = {"label": "Final Four Jackpot meter", "before": amounts[0], "after": amounts[1]}
    for each in (terminal, api):
        assert (each["title"], each["changes"], each["reason"]) == (TITLE, [change], "a gift of the house")
    listing = run(f"approvals {room.room.path}").output
    assert f"{number}  {TITLE}" in listing
    assert f"Final Four Jackpot meter: {amounts[0]} -> {amounts[1]}" in listing
    assert "Requested by Amy (accounting)" in listing
    assert "Needs a manager; not the requester." in listing


def test_approve_stands_behind_review_and_the_requester_withdraws(room: CardRoom, number: int) -> None:
    approver, requester, other = (card(Somebody(room, who).page(JACKPOT), number) for who in ("max", "amy", "sue"))
    review = re.search(r'<details class="review"><summary>Review</summary>.*?</details>', approver, re.DOTALL)
    assert review is not None
    assert ">Approve<" in review[0]
    assert approver.count(">Approve<") == 1
    assert (">Decline<" in approver, ">Withdraw<" in approver) == (True, False)
    assert (">Approve<" in requester, ">Withdraw<" in requester) == (False, True)
    assert "Needs a manager; not the requester." in requester
    assert not re.search(r">Approve<|>Decline<|>Withdraw<", other)
    amy = Somebody(room, "amy")
    told = amy.send(f"/floor/approvals/{number}/refuse", words=" ")
    assert "Enter a reason." in told.text
    told = amy.send(f"/floor/approvals/{number}/refuse", words="not now")
    assert "Request withdrawn." in told.text


def test_b_2_the_tables_page_has_the_card_and_its_approve_button(room: CardRoom) -> None:
    void = VoidRound(table="6", round=1, cause="misdeal", words="seen on camera", open_hits="reject")
    number = room.room.do(void, SUE, id="void").entries[0].sequence
    max_ = Somebody(room, "max")
    on_floor, on_page = card(max_.page(), number), card(max_.page("/office/tables/6"), number)
    assert on_floor == on_page
    assert "Void round 1 at table 6 and refund $3.00" in on_page
    assert ">Approve<" in on_page
    assert 'id="approval-' not in max_.page("/office/tables/7")
    told = max_.send("/office/tables/6/refuse", "/office/tables/6", number=number, words="ask again")
    assert "Request declined." in told.text
    assert number not in room.room.approvals.waiting
    assert run(f"approvals {room.room.path}").exit_code == 0
