"""Jackpots by form: defined, changed, opened and linked by two people, every problem at once with its clause."""

from __future__ import annotations

import re
from collections.abc import Iterator
from fractions import Fraction
from html import unescape
from typing import Any

import pytest
from fastapi.testclient import TestClient

from pitboss.commands import read_fields
from pitboss.jackpot import JACKPOTS, Jackpot, JackpotDraft
from pitboss.jackpot.descriptions import definition_changes
from pitboss.room.services import Counted
from pitboss.server.app import create_app
from pitboss.server.pages.office.jackpots import labelled, read_jackpot
from pitboss.server.views.office.jackpots import offer_groups, offer_view, percent_text, values_of
from tests.doors import show_amounts
from tests.pages.office import add_people
from tests.pages.room import NAME, CardRoom, card_room
from tests.server.making import ADDRESS, command, landed, sign_in

FINAL_FOUR = "three-card-prime|final-four|F4P-2"
MAIN = "/office/jackpots/final-four"


@pytest.fixture(scope="module")
def room(tmp_path_factory: pytest.TempPathFactory) -> Iterator[CardRoom]:
    with card_room(tmp_path_factory.mktemp("office") / "room") as found:
        add_people(found.room)
        yield found


@pytest.fixture(scope="module")
def people(room: CardRoom) -> dict[str, TestClient]:
    found = {}
    for login in ("lee", "max", "una"):
        found[login] = TestClient(create_app(room.room), base_url=ADDRESS, follow_redirects=False)
        sign_in(found[login], login)
        found[login].headers["accept"] = "text/html"
    return found


def fields(**more: Any) -> dict[str, Any]:
    usual = {
        "command": command(),
        "name": "second",
        "offer": FINAL_FOUR,
        "wager": "$1.00",
        "seed": "$2,000.00",
        "reseed": "$1,500.00",
        "display_rate": "17.3",
        "reserve_rate": "5 %",
        "cap": "",
        "small": "$100.00",
        "fixed_prizes": "house",
        "display": "real-time",
        "batch": "",
        "location": NAME,
        "table": "9",
        "words": "letter of 2026-11-01",
    }
    return usual | more


def definition(room: CardRoom, name: str) -> Jackpot:
    return room.room.state.of(JACKPOTS).jackpots[name].jackpot


def waiting(page: str) -> str:
    found = re.search(r"/office/jackpots/asked/(\d+)/", page) or re.search(r'name="number" value="(\d+)"', page)
    assert found is not None, page
    return found[1]


def test_a_progressive_is_defined_opened_and_closed_by_two_people(
    room: CardRoom, people: dict[str, TestClient]
) -> None:
    """T-06, T-18, T-01: asked by a manager, given by accounting, who sees every parameter."""
    manager, accounting = people["max"], people["lee"]
    page = manager.get("/office/jackpots/new/progressive").text
    assert "Final Four Jackpot: 4-card diamond Royal 100%, 4-card Royal 10%" in page
    assert '<span class="code"> · F4P-2</span>' in page
    page = manager.get(f"/office/jackpots/new/progressive?offer={FINAL_FOUR}").text
    assert "4-card diamond Royal" in page
    answer = manager.post("/office/jackpots/new/progressive", data=fields())
    assert landed(answer) == "/office/jackpots?told=waits", answer.text
    page = accounting.get("/office/jackpots").text
    assert all(each in page for each in ("$2,000.00", "17.3%", "F4P-2", "letter of 2026-11-01"))
    number = waiting(page)
    assert manager.post(f"/office/jackpots/asked/{number}/give", data={"command": command()}).status_code == 409
    given = accounting.post(f"/office/jackpots/asked/{number}/give", data={"command": command()})
    assert landed(given) == "/office/jackpots?told=given"
    made = definition(room, "second")
    assert (made.meter.seed_cents, made.meter.reseed_cents, made.meter.cap_cents) == (2_000_00, 1_500_00, None)
    assert (made.meter.display_rate, made.meter.reserve_rate) == (Fraction("0.173"), Fraction("0.05"))
    assert [each.table for each in made.tables] == ["9"]
    accounting.post("/office/jackpots/second/deposit", data={"command": command(), "amount": "$2,000.00"})
    deposit = re.search(r'name="entry" value="([0-9]+)"', manager.get("/office/jackpots/second?tab=money").text)
    assert deposit is not None
    arrived = {"command": command(), "entry": deposit[1], "reference": "B-17"}
    assert manager.post("/office/jackpots/second/arrived", data=arrived).headers["location"].endswith("told=waits")
    number = waiting(accounting.get("/office/jackpots/second").text)
    accounting.post("/office/jackpots/second/give", data={"command": command(), "number": number})
    show_amounts(room.room, "9")
    manager.post("/office/jackpots/second/open", data={"command": command(), "words": "first day"})
    number = waiting(accounting.get("/office/jackpots/second").text)
    accounting.post("/office/jackpots/second/give", data={"command": command(), "number": number})
    assert room.room.state.of(JACKPOTS).jackpots["second"].play == "open"
    refused = manager.post("/office/jackpots/second/change", data=fields(seed="$9.00"))
    assert (refused.status_code, "only while it is closed" in refused.text) == (409, True)
    manager.post("/office/jackpots/second/close", data={"command": command(), "words": "to change it"})
    assert room.room.state.of(JACKPOTS).jackpots["second"].play == "closed"


def test_a_bonus_with_amounts_of_the_operator_is_defined(room: CardRoom, people: dict[str, TestClient]) -> None:
    """G-6, J-01: cells that the document leaves open are filled in; the reseed of a Bonus is its amount."""
    key = "three-card-prime|final-four|F4P-4"
    view = offer_view(key)
    assert view is not None
    cells = {row.pays_field: f"${900 - 100 * place}" for place, row in enumerate(view.rows) if place}
    said = fields(name="house", offer=key, table="8", display="updatable", bonus_sharing="full", **cells)
    for field in ("reseed", "display_rate", "reserve_rate", "cap"):
        del said[field]
    answer = people["max"].post("/office/jackpots/new/bonus", data=said)
    assert answer.status_code == 303, answer.text
    number = waiting(people["lee"].get("/office/jackpots").text)
    people["lee"].post(f"/office/jackpots/asked/{number}/give", data={"command": command()})
    made = definition(room, "house")
    assert (made.meter.jackpot_type, made.meter.seed_cents, made.meter.reseed_cents) == ("bonus", 2_000_00, 2_000_00)
    assert [str(prize.pay) for prize in made.offers[0].prizes[:2]] == ["the posted amount", "$800"]


def test_everything_that_is_wrong_is_told_at_once_and_what_was_typed_stays(
    room: CardRoom, people: dict[str, TestClient]
) -> None:
    """T-01, J-07, J-10, J-11: fields that cannot be read beside terms that may not be; nothing changes."""
    before = room.room.state.sequence
    said = fields(seed="a lot", display_rate="much", cap="$1.00", location="", words="", table="4")
    answer = people["max"].post("/office/jackpots/new/progressive", data=said)
    assert (answer.status_code, room.room.state.sequence) == (409, before)
    told = answer.text
    for field, words in (
        ("seed", ""),
        ("display_rate", ""),
        ("reseed", "$1,500.00 is above the cap"),
        ("location", "Fill this in"),
        ("words", "Fill this in"),
        ("table", "Final-four is won on the same wager"),
    ):
        assert f'id="{field}-problem"><span>{words}' in told, (field, told)
    assert "J-10" in told
    assert 'value="a lot"' in answer.text
    assert "a progressive grows" not in told


def test_s_7_a_seed_above_the_cap_a_name_and_a_table_of_another_game_are_refused_at_once(
    room: CardRoom, people: dict[str, TestClient]
) -> None:
    """Found when it is asked for, all together, in the words of the form; nothing waits for an approver."""
    before = room.room.state.sequence
    said = fields(name="Final Four!", seed="$10,000.00", reseed="$100.00", cap="$8,000.00", table="6")
    answer = people["max"].post("/office/jackpots/new/progressive", data=said)
    assert (answer.status_code, room.room.state.sequence) == (409, before)
    told = unescape(answer.text)
    assert "id=\"name-problem\"><span>'Final Four!' must be letters and digits" in told
    assert 'id="seed-problem"><span>$10,000.00 is above the cap of $8,000.00' in told
    assert 'id="table-problem"><span>Four Card Prime is dealt there; this jackpot is for Three Card Prime' in told
    assert [labelled(text) for text in ("no field", "hit: x", "cap: y")] == ["no field", "hit: x", "Cap: y"]


def test_a_change_says_what_changes_and_unlinks_a_table(room: CardRoom, people: dict[str, TestClient]) -> None:
    """T-16, T-06."""
    manager, accounting = people["max"], people["lee"]
    manager.post(f"{MAIN}/close", data={"command": command(), "words": "new terms"})
    page = manager.get(f"{MAIN}/change").text
    assert 'value="4" checked' in page
    was = values_of(definition(room, "final-four"))
    said = {name: each for name, each in was.items() if name != "name"}
    said |= {"offer": [FINAL_FOUR.replace("-2", "-1")], "cap": ["$90,000.00"], "table": ["4"], "words": ["agreed"]}
    answer = manager.post(f"{MAIN}/change", data={**said, "command": command()})
    assert landed(answer) == f"{MAIN}?told=waits", answer.text
    page = accounting.get(MAIN).text
    card = page.split("<article", 1)[1].split("</article>")[0]
    assert '<td class="before">tables 4 and 5</td><td class="after">table 4</td>' in card
    assert '<td class="before">$100,000.00</td><td class="after">$90,000.00</td>' in card
    assert "Starting amount" not in card
    accounting.post(f"{MAIN}/give", data={"command": command(), "number": waiting(page)})
    assert [each.table for each in definition(room, "final-four").tables] == ["4"]


def test_games_of_other_hands_are_refused_with_both_hands_and_both_chances(
    room: CardRoom, people: dict[str, TestClient], monkeypatch: pytest.MonkeyPatch
) -> None:
    """J-12: the worker supplies the chances; here they are stated, so that nothing is counted in this test."""
    chances = {"F4P-1": ("1/270725", "3/270725"), "PJ-1": ("1/649740", "9/649740")}

    def count(_: float, offer: dict[str, Any], __: str) -> Counted:
        levels = [event for event, pay, _ in offer["prizes"] if pay.endswith("%")]
        return Counted("ready", {"chances": list(zip(levels, chances[offer["paytable"]], strict=False))}, "")

    monkeypatch.setattr(room.room.services.probabilities, "count", count)
    other = "four-card-prime|five-card-jackpot|PJ-1"
    said = fields(name="both", offer=FINAL_FOUR.replace("-2", "-1"), other=["", other], table="12")
    answer = people["max"].post("/office/jackpots/new/progressive", data=said)
    assert answer.status_code == 409
    for words in ("4-card diamond Royal", "1 in 270,725", "Five-card Royal Flush", "1 in 649,740", "J-12"):
        assert words in answer.text, answer.text


def test_a_progressive_is_removed_with_notice_and_its_displays_say_so(people: dict[str, TestClient]) -> None:
    """J-17, T-23: the notice names the day and the destination; before that day nothing is removed."""
    manager, accounting = people["max"], people["lee"]
    address = "/office/jackpots/aces"
    said = {"command": command(), "destination": "charity", "to": "", "other": "", "day": "2026-01-01", "words": "x"}
    refused = manager.post(f"{address}/notice", data=said)
    assert refused.status_code == 409
    assert all(each in refused.text for each in ("ame the charity", "otice stands for 30 days", "J-17"))
    said |= {"command": command(), "to": "the council", "day": "2099-01-01"}
    assert landed(manager.post(f"{address}/notice", data=said)) == f"{address}?tab=terms&told=waits"
    accounting.post(f"{address}/give", data={"command": command(), "number": waiting(accounting.get(address).text)})
    sentence = "This jackpot is removed on January 1, 2099; what stands on it is given to the council."
    assert sentence in manager.get(f"{address}?tab=terms").text
    assert sentence in manager.get("/tables/7/vision").text
    refused = manager.post(f"{address}/remove", data={"command": command(), "words": "now"})
    assert all(each in refused.text for each in ("close it first", "not before"))


def test_every_pay_table_can_be_chosen_and_what_a_form_shows_reads_back(room: CardRoom) -> None:
    """A form filled in from a definition says that definition again."""
    groups = offer_groups(room.room.state)
    keys = [choice.key for choices in groups.values() for choice in choices]
    assert "table" in next(iter(groups)), "games that are dealt come first (A17)"
    assert all(choice.title.startswith(key.split(": ")[1] + ": ") for key, (choice, *_) in groups.items())
    assert len(keys) == len(set(keys)) == 36
    assert all(offer_view(key) is not None for key in keys)
    assert offer_view("no|such|table") is None
    for record in room.room.state.of(JACKPOTS).jackpots.values():
        found = record.jackpot
        first = found.offers[0]
        values = {**values_of(found), "offer": [f"{first.game}|{first.wager}|{first.paytable}"], "words": ["x"]}
        draft, problems = read_jackpot(values, found.meter.jackpot_type, room.room.state)
        assert problems == []
        assert definition_changes(read_fields(JackpotDraft, draft), found) == ()


@pytest.mark.parametrize(("rate", "text"), [("0.173", "17.3"), ("0", "0"), ("1/3", "100/3"), ("1/100", "1")])
def test_a_part_of_a_wager_is_written_in_percent(rate: str, text: str) -> None:
    assert percent_text(Fraction(rate)) == text
