"""The floor desk without a browser: what each form does to the books, once, and for whom it does nothing."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from pitboss.jackpot import HITS, Claim, HitState
from pitboss.room.approvals import APPROVALS
from tests.doors import doors_of, show_amounts
from tests.pages.desk import DAN, ROYAL, ROYAL_CARDS, Somebody, desk_room, displays, four_aces, royal
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
    assert "its wager light is not confirmed" in refused.text
    assert 'value="Ad Kd Qd 2c"' in refused.text, "what was filled in is not filled in twice"
    assert people["sue"].send(f"{at}/verify", **cards).status_code == 200
    assert people["sue"].form(f"{at}/document") is None, "surveillance comes first"
    checks = ["hand", "wager", "payout", "winner"]
    assert "has not confirmed the winner" in people["vic"].send(f"{at}/surveil", check=checks[:3]).text
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
    pay = {"seat": "3", "method": "cheque", "cheque": "1007"}
    assert "approves" in people["amy"].send(f"{at}/pay", **pay).text, "who made the slip does not pay (T-06)"
    assert "cheque" in people["sam"].send(f"{at}/pay", **pay).text
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
    assert "<form" not in uma.page().replace('<form method="post" action="/sign-out">', "")
    sue.send("/floor/alarms/take")
    assert 'class="owner">Sue<' in sue.page()
    sue.send("/floor/alarms/report", reference="case 12")
    sue.send("/floor/alarms/mend", words="new sensor")
    assert "No alarm stands." in sue.page()


def test_t_05_a_sign_that_is_set_by_hand_is_confirmed_on_the_floor(room: CardRoom) -> None:
    displays(room)
    sue, vic = Somebody(room, "sue"), Somebody(room, "vic")
    assert "sign 6 is unconfirmed" in sue.page()
    assert "It shows $5,000.00" in sue.page()
    assert "/floor/alarms/confirm" not in vic.page()
    sue.send("/floor/alarms/confirm")
    doors_of(room.room).displays.review(command=command())
    assert "sign 6 is unconfirmed" not in sue.page()


def test_g_39_surveillance_confirms_an_added_seat_on_the_floor_desk(tmp_path: Path) -> None:
    with desk_room(tmp_path / "added") as room:
        tables = doors_of(room.room).tables
        tables.press("5", {"final-four": [1, 2]}, command=command(), by=DAN)
        number = tables.table("5").round
        tables.correct("5", number, "final-four", "missed", [6], words="chip seen", command=command(), by=DAN)
        hit = room.hits.call("final-four", "5", [Claim(6, ROYAL)], command=command(), by=DAN).entries[0].sequence
        vic, sue = Somebody(room, "vic"), Somebody(room, "sue")
        for path in ("/floor", f"/office/hits/{hit}"):
            assert "Dan added the wager of seat 6 after the press (G-39)" in sue.page(path)
        assert "Dan added its wager" in sue.page()
        assert "/floor/alarms/confirm-wager" not in sue.page()
        vic.send("/floor/alarms/confirm-wager", words="camera 5, 20:14")
        assert "Dan added its wager" not in vic.page()
        assert room.room.state.of(HITS).confirmed["5"][-1].seat == 6
