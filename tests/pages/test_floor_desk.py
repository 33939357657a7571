"""The floor desk without a browser: what each form does to the books, once, and for whom it does nothing."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from pitboss.jackpot import HITS, Claim, HitState
from pitboss.room.approvals import APPROVALS
from tests.doors import doors_of, show_amounts
from tests.pages.desk import DAN, ROYAL, ROYAL_CARDS, Somebody, desk_room, displays, four_aces, royal
from tests.pages.floor import MANAGER
from tests.pages.room import CardRoom
from tests.server.making import command


@pytest.fixture(scope="module")
def room(tmp_path_factory: pytest.TempPathFactory) -> Iterator[CardRoom]:
    with desk_room(tmp_path_factory.mktemp("desk") / "room") as found:
        yield found


def state_of(room: CardRoom, hit: int) -> HitState | None:
    found = room.books.state("room").of(HITS).open.get(hit)
    return None if found is None else found.state


def test_f_17_a_hit_goes_from_call_to_closed_by_forms_alone_and_only_by_the_right_people(room: CardRoom) -> None:
    hit = royal(room)
    people = {login: Somebody(room, login) for login in ("sue", "vic", "amy", "max", "sam")}
    at = f"/floor/hits/{hit}"
    cards = {"cards:3": ROYAL_CARDS, "light": "3"}
    wrong = people["amy"].send(f"{at}/verify", **cards)
    assert (wrong.status_code, state_of(room, hit)) == (409, HitState.CALLED)
    assert "Amy is no supervisor and no manager" in wrong.text
    refused = people["sue"].send(f"{at}/verify", **{"cards:3": "Ad Kd Qd 2c"})
    assert "Confirm the wager light at seat 3." in refused.text
    assert 'value="Ad Kd Qd 2c"' in refused.text, "what was filled in is not filled in twice"
    assert people["sue"].send(f"{at}/verify", **cards).status_code == 200
    assert people["sue"].form(f"{at}/document") is None, "surveillance comes first"
    checks = ["hand", "wager", "payout", "winner"]
    assert "Check the box: winner confirmed on camera." in people["vic"].send(f"{at}/surveil", check=checks[:3]).text
    people["vic"].send(f"{at}/surveil", check=checks)
    assert state_of(room, hit) is HitState.SURVEILLED
    papers: dict[str, Any] = {
        "winner:3": "Pat Lee",
        "identification:3": ["driver license", "passport"],
        "photograph": "3",
        "deck": "3",
    }
    people["amy"].send(f"{at}/document", **papers, taxpayer="3")
    assert state_of(room, hit) is HitState.DOCUMENTED
    pay = {"seat": "3", "method": "cheque", "cheque": "1007", "reviewed": "yes"}
    assert "Amy did the paperwork" in people["amy"].send(f"{at}/pay", **pay).text, (
        "who made the slip does not pay (T-06)"
    )
    assert "Payments by check are made by accounting or a manager." in people["sam"].send(f"{at}/pay", **pay).text
    reviewed = people["max"].send(f"{at}/pay", **{**pay, "reviewed": ""}).text
    assert all(words in reviewed for words in ("Record payment", "Pat Lee", "$23,417.38", "1007"))
    assert state_of(room, hit) is HitState.DOCUMENTED
    people["max"].send(f"{at}/pay", **pay)
    assert state_of(room, hit) is HitState.PAID
    people["sue"].send(f"{at}/close")
    assert state_of(room, hit) is None


def test_a_form_that_is_sent_again_is_done_once_and_one_that_is_not_whole_does_nothing(room: CardRoom) -> None:
    hit = four_aces(room)
    sue = Somebody(room, "sue")
    at = f"/floor/hits/{hit}/verify"
    fields = (sue.form(at) or {}) | {"cards:6": "As Ah Ad Ac 2d", "light": "6"}
    before = room.books.state("room").sequence
    answers = [sue.client.post(at, data=fields) for _ in range(3)]
    assert [each.status_code for each in answers] == [200, 200, 200]
    assert room.books.state("room").sequence == before + 1
    assert sue.client.post(at, data={**fields, "csrf": "another"}).status_code == 403
    assert sue.client.post(f"/floor/hits/{hit}/pay", data={"csrf": sue.csrf}).status_code == 409
    assert sue.client.post(f"/floor/hits/{hit}/dance", data={"csrf": sue.csrf}).status_code == 404


def test_t_06_a_rejection_is_asked_by_one_and_given_by_another(room: CardRoom) -> None:
    [hit] = [each for each in room.books.state("room").of(HITS).open.values() if each.jackpot == "quads"]
    sue, sam, amy, vic = (Somebody(room, login) for login in ("sue", "sam", "amy", "vic"))
    sue.send(f"/floor/hits/{hit.number}/reject", words="seat 6 had no wager")
    [number] = room.books.state("room").of(APPROVALS)
    give = f"/floor/approvals/{number}/give"
    assert sue.form(give) is None
    assert "Sue has asked for it" in sue.send(give).text
    assert "is given by" in amy.send(give).text
    assert state_of(room, hit.number) is HitState.VERIFIED
    assert "G-31" in sam.send(give).text
    assert vic.form(give) is not None
    vic.send(give)
    assert state_of(room, hit.number) is None
    assert room.books.state("room").of(APPROVALS) == {}


def test_m_07_an_alarm_is_taken_and_mended_by_forms_and_an_auditor_has_none(room: CardRoom) -> None:
    show_amounts(room.room, "4", "5", "6", "7")
    sue, uma = Somebody(room, "sue"), Somebody(room, "uma")
    assert "/floor/alarms/take" in sue.page()
    assert 'action="/floor' not in uma.page()
    sue.send("/floor/alarms/take")
    assert "</span> Sue</p>" in sue.page()
    sue.send("/floor/alarms/report", reference="case 12")
    sue.send("/floor/alarms/mend", words="new sensor")
    assert "No alerts." in sue.page()


def test_t_05_a_sign_that_is_set_by_hand_is_confirmed_on_the_floor(room: CardRoom) -> None:
    displays(room)
    sue, vic = Somebody(room, "sue"), Somebody(room, "vic")
    assert "Set sign 6 to $5,000.00, then confirm." in sue.page()
    assert "Confirm: sign shows $5,000.00" in sue.page()
    assert "/floor/alarms/confirm" not in vic.page()
    sue.send("/floor/alarms/confirm")
    doors_of(room.room).displays.review(command=command())
    assert "Set sign 6" not in sue.page()


def test_g_39_surveillance_confirms_an_added_seat_on_the_floor_desk(tmp_path: Path) -> None:
    with desk_room(tmp_path / "added") as room:
        tables = doors_of(room.room).tables
        tables.press("5", {"final-four": [1, 2]}, command=command(), by=DAN)
        number = tables.table("5").round
        tables.correct("5", number, "final-four", "missed", [6], words="chip seen", command=command(), by=DAN)
        hit = room.hits.call("final-four", "5", [Claim(6, ROYAL)], command=command(), by=DAN).entries[0].sequence
        vic, sue = Somebody(room, "vic"), Somebody(room, "sue")
        for path in ("/floor", f"/office/hits/{hit}"):
            assert "Dan added seat 6&#39;s wager after the count" in sue.page(path)
        assert "Dan added this wager." in sue.page()
        assert "/floor/alarms/confirm-wager" not in sue.page()
        vic.send("/floor/alarms/confirm-wager", words="camera 5, 20:14")
        assert "Dan added this wager." not in vic.page()
        assert room.room.state.of(HITS).confirmed["5"][-1].seat == 6


def test_s_2_a_refused_form_keeps_its_values_and_has_its_message_beside_it(room: CardRoom) -> None:
    """Two alerts have forms of the same address: the message stands in the one that was sent."""
    sue = Somebody(room, "sue")
    tables = doors_of(room.room).tables
    for table in ("4", "6"):
        tables.malfunction(table, words=f"light of table {table}", command=command(), by=MANAGER)
    forms = re.findall(r'<form[^>]*action="/floor/alarms/report".*?</form>', sue.page(), re.DOTALL)
    fields = dict(re.findall(r'type="hidden" name="([^"]+)" value="([^"]*)"', forms[-1]))
    refused = sue.client.post("/floor/alarms/report", data={**fields, "reference": " "}).text
    [with_alert] = [form for form in re.findall(r"<form.*?</form>", refused, re.DOTALL) if 'role="alert"' in form]
    assert fields["form"] in with_alert
    assert "Name the reference of the report." in with_alert
    assert refused.count('role="alert"') == 1


def test_s_2_the_address_of_a_form_leads_back_to_the_floor(room: CardRoom) -> None:
    sue = Somebody(room, "sue")
    for address in ("/floor/hits/1/verify", "/floor/approvals/1/give", "/floor/alarms/take"):
        answer = sue.client.get(address)
        assert (answer.status_code, answer.url.path) == (200, "/floor")


def test_s_1_a_closed_table_is_opened_from_its_tile(tmp_path: Path) -> None:
    with desk_room(tmp_path / "closed") as room:
        doors_of(room.room).tables.close("4", command=command(), by=MANAGER)
        sue = Somebody(room, "sue")
        assert "Open table" in sue.page()
        assert "Open table" not in Somebody(room, "vic").page()
        refused = sue.send("/floor/tables/4/open")
        assert (refused.status_code, "no approval of the internal controls is on record" in refused.text) == (409, True)
