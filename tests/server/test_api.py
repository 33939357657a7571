"""The API: two people where the law wants two (T-06, T-18, P-05), devices, and a whole evening by HTTP alone."""

from __future__ import annotations

import datetime
import json
from typing import Any

import pytest
from fastapi.testclient import TestClient

from pitboss.books import LEDGER
from pitboss.books.audit import check_books
from pitboss.commands.command import SYSTEM_ACTOR
from pitboss.jackpot import HITS, JACKPOTS
from pitboss.law.papers import NEEDED
from pitboss.room.approvals import APPROVALS
from pitboss.room.projections import INVARIANTS, PROJECTIONS
from pitboss.room.room import location_of
from pitboss.server.live import find_topic
from pitboss.tabulator import TABLES
from tests.doors import show_amounts
from tests.server.making import PIN, SECOND, House, command, with_csrf

FCP, DEVICE = "four-card-prime", "A3-0017"
JACKPOT: dict[str, Any] = {
    "name": "main",
    "offers": [{"game": FCP, "wager": "five-card-jackpot", "paytable": "PJ-1"}],
    "meter": {
        "jackpot_type": "progressive",
        "seed_cents": 10_000_00,
        "reseed_cents": 5_000_00,
        "display_rate": "0.173",
        "reserve_rate": "0.05",
    },
    "tables": [{"table": "4", "game": FCP, "location": "Test Room"}],
    "display": "real-time",
    "small_prize_cents": 100_00,
}
SETUP: dict[str, Any] = {
    "table": "4",
    "game": FCP,
    "model": "andromeda-3c",
    "seats": 7,
    "device": DEVICE,
    "sensors": [{"position": seat, "number": 1, "wager": "five-card-jackpot", "light": True} for seat in range(1, 8)],
}


def ask(client: TestClient, path: str, /, **said: Any) -> dict[str, Any]:
    answer = client.post(f"/api/v1/{path}", json={"command": command(), **said})
    assert answer.status_code in (200, 202), answer.text
    found: dict[str, Any] = answer.json()
    return found


def problems(client: TestClient, path: str, /, **said: Any) -> str:
    answer = client.post(f"/api/v1/{path}", json={"command": command(), **said})
    assert answer.status_code in (403, 409), (answer.status_code, answer.text)
    return str(answer.json()["detail"])


def both(asker: TestClient, giver: TestClient, path: str, /, **said: Any) -> dict[str, Any]:
    waits = ask(asker, path, **said)
    return ask(giver, f"approvals/{waits['approval']}/give")


class Evening:
    """A room with a jackpot on an open table, all of it asked for by HTTP."""

    def __init__(self, house: House, profile: str = "wa-commercial") -> None:
        self.house = house
        tables = [{**JACKPOT["tables"][0], "location": location_of(house.room.state)}]
        roles = ("manager", "supervisor", "accounting", "surveillance", "auditor", "dealer", "administrator")
        self.by = {role: house.as_(role) for role in roles}
        manager, supervisor, accounting = (self.by[role] for role in ("manager", "supervisor", "accounting"))
        both(manager, accounting, "jackpots/define", jackpot={**JACKPOT, "tables": tables}, words="approved 2015-09-25")
        self.deposit(JACKPOT["meter"]["seed_cents"])
        show_amounts(house.room, "4")
        both(supervisor, manager, "jackpots/open", name="main", words="first day")
        show_amounts(house.room, "4")
        both(manager, accounting, "tables/set-up", setup={**SETUP, "profile": profile}, words="new table")
        papers = [{"kind": kind, "number": "IC-26-014", "day": "2026-10-01"} for kind in NEEDED[profile]]
        both(manager, accounting, "tables/record-approval", table="4", game=SETUP["game"], papers=papers)
        both(supervisor, manager, "tables/open", table="4")
        house.add_device(DEVICE, "device")
        self.device = house.browser()
        token = house.access.make_token(DEVICE, SYSTEM_ACTOR)
        self.device.headers["authorization"] = f"Bearer {token}"
        self.sequence = 0

    def deposit(self, cents: int) -> None:
        """Bring money to the bank: accounting sends it, and a manager confirms that it has arrived (G-33)."""
        manager, accounting = self.by["manager"], self.by["accounting"]
        sequence = ask(accounting, "jackpots/deposit", name="main", cents=cents)["entries"][-1]
        both(manager, accounting, "jackpots/deposit-arrived", name="main", sequence=sequence, reference="B-17")

    def press(self, *seats: int) -> dict[str, Any]:
        self.sequence += 1
        self.house.clock.add(2 * SECOND)
        now = self.house.clock.now
        message = {"device": DEVICE, "table": "4", "type": "press", "sent": now, "at": now, "sequence": self.sequence}
        answer = self.device.post(
            "/api/v1/devices/messages", json={**message, "sensors": [[seat, 1] for seat in seats]}
        )
        assert answer.status_code == 200, answer.text
        found: dict[str, Any] = answer.json()
        return found

    @property
    def shown(self) -> int:
        return self.house.room.state.of(LEDGER)["main"].meter_state.displayed_units

    def is_sound(self) -> bool:
        report = check_books(self.house.room.books.directory, projections=PROJECTIONS, invariants=INVARIANTS)
        assert [*report.damages, *report.findings] == []
        return report.books["room"].reading.state == self.house.room.state


@pytest.fixture(scope="module")
def evening(shared: House) -> Evening:
    return Evening(shared)


# A whole evening.


def test_a_hit_from_the_press_to_the_closed_slip_by_http_alone(evening: Evening) -> None:
    by, house = evening.by, evening.house
    house.access.set_pin("a-dealer", PIN, SYSTEM_ACTOR)
    console = house.console("the console")
    assert console.post("/tap", data={"login": "a-dealer", "pin": PIN}).status_code == 303
    with_csrf(console)
    assert house.room.state.of(TABLES).tables["4"].dealer == "A-dealer"
    before = evening.shown
    assert evening.press(2, 5)["status"] == "counted"
    assert evening.shown == before + 2 * 173_000

    royal = [{"seat": 5, "row": "Five-card Royal Flush"}]
    called = ask(console, "hits/call", jackpot="main", table="4", claims=royal)
    number = called["entries"][0]
    assert house.browser().get("/api/v1/jackpots/main").json()["pending"] == [number]
    assert "Dan" not in problems(by["dealer"], "hits/call", jackpot="main", table="4", claims=royal)
    assert "verified" in problems(by["surveillance"], "hits/surveil", hit=number, checks=[])
    cards = {"5": "As Ks Qs Js Ts"}
    ask(by["supervisor"], "hits/verify", hit=number, cards=cards, lights=[2, 5])
    ask(by["surveillance"], "hits/surveil", hit=number, checks=["hand", "wager", "payout", "winner"])
    paper = {
        "seat": 5,
        "winner": "Wanda Winner",
        "identification": ["licence", "passport"],
        "photograph": True,
        "taxpayer_number": True,
        "deck_checked": True,
    }
    ask(by["accounting"], "hits/document", hit=number, papers=[paper])
    # G-70: nobody at a table reads who has won, by no door, while it is in hand.
    for client in (console, by["dealer"], by["surveillance"]):
        for path in ("/api/v1/hits", "/tables/4/console", "/floor", f"/office/hits/{number}"):
            assert "Wanda" not in client.get(path).text, path
    live = find_topic(house.app.state.hub.specs, house.room.state, "hits")
    assert live is not None
    assert "Wanda" not in str(live[0].view(house.room.state, live[1], datetime.datetime.now(datetime.UTC)))
    note = {"key": "queue", "words": "who is Wanda  Winner, really"}
    assert "Leave out the winner" in problems(by["surveillance"], "desk/raise", **note)
    ask(by["manager"], "hits/pay", hit=number, seat=5, method="cheque", cheque="1001")
    ask(by["supervisor"], "hits/close", hit=number)
    # And after it is paid and closed, however the name is set apart.
    assert "Leave out the winner" in problems(by["surveillance"], "desk/raise", key="queue", words="(Wanda WINNER's)")

    assert by["auditor"].get("/api/v1/hits").json() == []
    told = by["auditor"].get(f"/api/v1/hits/{number}/explanation").json()
    assert "Five-card Royal Flush" in json.dumps(told)
    assert number not in house.room.state.of(HITS).open or house.room.state.of(HITS).open[number].is_finished
    assert evening.is_sound()


# Two people.


def test_t_06_a_command_for_two_waits_is_seen_by_those_who_can_give_it_and_is_done_by_another(
    evening: Evening,
) -> None:
    by, before = evening.by, evening.shown
    waits = ask(by["manager"], "jackpots/adjust", name="main", units=10_000, words="one dollar short")
    number = waits["approval"]

    assert evening.shown == before
    assert waits["approvers"] == ["accounting"]
    seen = {role: by[role].get("/api/v1/approvals").json() for role in ("accounting", "supervisor", "auditor")}
    assert [(each["number"], each["yours"]) for each in seen["accounting"]] == [(number, True)]
    assert seen["supervisor"] == []
    assert [(each["number"], each["yours"]) for each in seen["auditor"]] == [(number, False)]
    assert seen["accounting"][0]["said"]["words"] == "one dollar short"
    assert "another person approves" in problems(by["manager"], f"approvals/{number}/give")
    assert "given by accounting" in problems(by["supervisor"], f"approvals/{number}/give")
    once = {"command": command()}
    first = by["accounting"].post(f"/api/v1/approvals/{number}/give", json=once)
    again = by["accounting"].post(f"/api/v1/approvals/{number}/give", json=once)
    assert evening.shown == before + 10_000
    assert (first.json()["again"], again.json()["again"]) == (False, True)
    assert "does not wait" in problems(by["accounting"], f"approvals/{number}/give")
    entries = [each for each in evening.house.entries() if each.sequence in first.json()["entries"]]
    assert [(each.kind, each.actor) for each in entries] == [
        ("approval-given", "A-manager"),
        ("meter-adjusted", "A-manager"),
    ]
    assert json.loads(entries[1].payload)["approved_by"] == "A-accounting"
    assert evening.is_sound()


def test_what_could_not_be_done_does_not_wait(evening: Evening) -> None:
    before = evening.house.room.state.sequence

    assert "there is no jackpot 'none'" in problems(
        evening.by["manager"], "jackpots/adjust", name="none", units=1, words="x"
    )
    assert "reason" in problems(evening.by["manager"], "jackpots/adjust", name="main", units=-1, words="x")
    assert evening.house.room.state.sequence == before


def test_what_cannot_be_done_any_more_when_it_is_given_is_refused_and_goes_on_waiting(evening: Evening) -> None:
    by = evening.by
    ask(by["supervisor"], "jackpots/close", name="main", words="a pause")
    first, second = (ask(by["supervisor"], "jackpots/open", name="main", words="go on") for _ in range(2))
    ask(by["manager"], f"approvals/{first['approval']}/give")

    assert "open" in problems(by["manager"], f"approvals/{second['approval']}/give")
    assert second["approval"] in evening.house.room.state.of(APPROVALS)
    assert evening.house.room.state.of(JACKPOTS).jackpots["main"].play == "open"
    ask(by["manager"], f"approvals/{second['approval']}/refuse", words="it is open")


def test_an_approval_is_refused_by_who_could_give_it_or_taken_back_by_who_asked(evening: Evening) -> None:
    by = evening.by
    for role in ("accounting", "manager"):
        waits = ask(by["manager"], "jackpots/adjust", name="main", units=1, words="no matter")
        number = waits["approval"]
        assert "given by" in problems(by["surveillance"], f"approvals/{number}/refuse", words="not mine")
        assert "in words" in problems(by[role], f"approvals/{number}/refuse", words=" ")
        ask(by[role], f"approvals/{number}/refuse", words="not needed")
        assert number not in evening.house.room.state.of(APPROVALS)


def test_what_is_asked_twice_under_one_command_waits_once(evening: Evening) -> None:
    body = {"command": command(), "name": "main", "units": 5, "words": "twice"}
    first, second = (evening.by["manager"].post("/api/v1/jackpots/adjust", json=body).json() for _ in range(2))

    assert first["approval"] == second["approval"]
    assert (first["again"], second["again"]) == (False, True)
    ask(evening.by["manager"], f"approvals/{first['approval']}/refuse", words="only a test")


def test_g_11_a_round_is_made_void_by_two_people(evening: Evening) -> None:
    by = evening.by
    evening.press()
    counted = evening.press(1)
    said = {"table": "4", "round": counted["round"], "cause": "misdeal", "words": "a card was exposed"}

    both(by["supervisor"], by["surveillance"], "tables/void", **said)
    assert evening.house.room.state.of(TABLES).tables["4"].rounds[-1].voided
    assert evening.is_sound()


def test_approvals_that_wait_are_replayed_from_the_journal_alone(evening: Evening) -> None:
    waits = ask(evening.by["manager"], "jackpots/adjust", name="main", units=7, words="left over")
    evening.house.room.books.seal("room")

    assert evening.is_sound()
    ask(evening.by["manager"], f"approvals/{waits['approval']}/refuse", words="only a test")


def test_g_49_a_supervisor_approves_by_pin_at_the_console_and_its_dealer_stays(evening: Evening) -> None:
    house = evening.house
    house.add_person("hal", "supervisor", "manager")
    house.access.set_pin("hal", PIN, SYSTEM_ACTOR)
    console = house.console("the console")
    dealer = house.room.state.of(TABLES).tables["4"].dealer
    waits = ask(evening.by["manager"], "jackpots/adjust", name="main", units=3, words="not for a PIN")
    path = f"approvals/{waits['approval']}/give-here"

    # A PIN has the roles of the floor, and adjusting is not for them.
    assert "a PIN is not enough" in problems(console, path, login="hal", pin=PIN)
    ask(evening.by["manager"], f"approvals/{waits['approval']}/refuse", words="only a test")
    ask(evening.by["supervisor"], "jackpots/close", name="main", words="a pause")
    waits = ask(evening.by["manager"], "jackpots/open", name="main", words="go on")
    path = f"approvals/{waits['approval']}/give-here"
    assert "Wrong PIN." in problems(console, path, login="hal", pin="9999")
    ask(console, path, login="hal", pin=PIN)
    assert house.room.state.of(JACKPOTS).jackpots["main"].play == "open"
    assert house.room.state.of(TABLES).tables["4"].dealer == dealer


def test_g_49_a_pin_gives_nothing_at_the_console_of_another_table(evening: Evening) -> None:
    """Seen: a supervisor's PIN at any console gave what was asked for at any table."""
    house = evening.house
    house.add_person("ida", "supervisor")
    house.access.set_pin("ida", PIN, SYSTEM_ACTOR)
    house.add_device("console 8", "console", "8")
    console = house.console("console 8")
    ask(evening.by["manager"], "jackpots/close", name="main", words="a pause")
    waits = ask(evening.by["manager"], "jackpots/open", name="main", words="go on")
    path = f"approvals/{waits['approval']}/give-here"
    assert "a PIN is for its own console: this is about table 4" in problems(console, path, login="ida", pin=PIN)
    ask(house.console("the console"), path, login="ida", pin=PIN)
    assert house.room.state.of(JACKPOTS).jackpots["main"].play == "open"


# Places.


def test_who_has_tapped_in_at_a_console_acts_at_its_table_alone(evening: Evening) -> None:
    house = evening.house
    house.add_person("gus", "dealer")
    house.access.set_pin("gus", PIN, SYSTEM_ACTOR)
    house.add_device("console 9", "console", "9")
    console = house.console("console 9")
    console.post("/tap", data={"login": "gus", "pin": PIN})
    with_csrf(console)

    said = {"jackpot": "main", "table": "4", "seat": 1, "row": "Flush"}
    assert "no console of table '4'" in problems(console, "hits/small", **said)


def test_a_device_speaks_for_itself_alone(evening: Evening) -> None:
    message = {"device": DEVICE, "table": "4", "type": "beat", "sent": evening.house.clock.now}
    other = evening.house.as_("device").post("/api/v1/devices/messages", json=message)

    assert other.status_code == 200
    assert "speaks as" in json.dumps(other.json())
    assert evening.device.post("/api/v1/devices/messages", content=b"\xff no json").status_code == 200
    assert evening.device.post("/api/v1/devices/messages", content=b"x" * 2_000_000).status_code == 413


# Reading.


def test_auditors_read_the_entries_whole_and_the_head(evening: Evening) -> None:
    auditor = evening.by["auditor"]
    head = auditor.get("/api/v1/head").json()
    found = auditor.get("/api/v1/entries", params={"after": head["sequence"] - 3, "most": 2}).json()

    assert [each["sequence"] for each in found] == [head["sequence"] - 2, head["sequence"] - 1]
    last = auditor.get("/api/v1/entries", params={"after": head["sequence"] - 1}).json()
    assert last[0]["digest"] == head["head"]
    assert auditor.get("/api/v1/entries", params={"after": 2**53}).json() == []


def test_the_explanation_of_a_display_sums_to_it(evening: Evening) -> None:
    told = evening.by["auditor"].get("/api/v1/jackpots/main/explanation").json()

    assert told["displayed_units"] == evening.shown == sum(part["units"] for part in told["parts"])


def test_what_is_not_there_is_not_found(evening: Evening) -> None:
    auditor = evening.by["auditor"]
    for path in ("jackpots/none", "jackpots/none/accounts", "jackpots/none/explanation", "tables/none"):
        assert auditor.get(f"/api/v1/{path}").status_code == 404
    assert auditor.get("/api/v1/hits/1/explanation").status_code == 409
    for do in ("take", "correct", "name-seats", "press", "void"):
        sent = {"command": command(), "seat": "1"}
        assert evening.by["supervisor"].post(f"/tables/none/console/{do}", data=sent).status_code == 404, do


def test_the_front_of_the_house_reads_what_hangs_on_the_wall(evening: Evening) -> None:
    room = evening.house.browser().get("/api/v1/room").json()

    assert room["room"] == "Test Room"
    assert room["jackpots"][0]["displayed_cents"] == evening.shown // 10_000
    assert "Five Card Jackpot" in evening.house.browser().get("/tables/4/vision").text
    assert evening.house.browser().get("/tables/none/vision").status_code == 404
