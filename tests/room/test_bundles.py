"""A new table, and the opening of a day, as one command each: checked whole, approved once (A18, S7, S8)."""

from __future__ import annotations

import re
from collections.abc import Iterator
from html import unescape
from pathlib import Path
from typing import Any

import pytest
from fastapi.testclient import TestClient

from pitboss.books import RefusedError
from pitboss.commands import By, read_fields
from pitboss.games import all_games
from pitboss.jackpot import JACKPOTS
from pitboss.room.approvals import APPROVALS, description_of
from pitboss.room.bundles import AddTable, OpenDay
from pitboss.room.configurations import configuration_at
from pitboss.room.displays import RegisterDisplay
from pitboss.room.opening import table_problems
from pitboss.room.services import Counted
from pitboss.server.app import create_app
from pitboss.server.views.office.new_table import office_default
from pitboss.server.worker.pool import Worker
from pitboss.table.checks import check_configuration
from pitboss.tabulator import TABLES
from pitboss.tabulator.equipment import find_model
from tests.pages.form_filling import form_to
from tests.pages.room import CardRoom
from tests.pages.tables import LEE, MAX, SUE, SlowWork, tables_room
from tests.server.making import ADDRESS, command, landed, sign_in
from tests.table.test_comparing import TCP


@pytest.fixture
def room(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[CardRoom]:
    work = SlowWork()
    work.at_once = True
    monkeypatch.setattr(Worker, "_submit", work.submitting)
    with tables_room(tmp_path / "room") as card_room:
        yield card_room


def client_of(room: CardRoom, login: str) -> TestClient:
    client = TestClient(create_app(room.room), base_url=ADDRESS, follow_redirects=False)
    sign_in(client, login)
    client.headers["accept"] = "text/html"
    return client


def fields_in(page: str) -> dict[str, str]:
    form = re.search(r'<form class="edit".*?</form>', page, re.DOTALL)
    assert form is not None
    fields = {}
    for tag in re.findall(r"<input[^>]*>", form[0]):
        attributes = dict(re.findall(r'([\w-]+)="([^"]*)"', tag))
        if attributes.get("type") != "checkbox" or " checked" in tag:
            fields[unescape(attributes["name"])] = unescape(attributes.get("value", ""))
    for name, options in re.findall(r'<select[^>]*name="([^"]*)"[^>]*>(.*?)</select>', form[0], re.DOTALL):
        chosen = re.search(r'value="([^"]*)" selected', options)
        fields[unescape(name)] = unescape(chosen[1]) if chosen else ""
    return fields


def new_table(manager: TestClient, table: str = "12", game: str = "three-card-prime") -> dict[str, str]:
    begun = manager.post("/office/tables", data={"table": table, "game": game})
    return fields_in(manager.get(begun.headers["location"]).text)


def send(manager: TestClient, fields: dict[str, Any], table: str = "12") -> Any:
    return manager.post(f"/office/tables/{table}/edit", data={**fields, "do": "ask"})


@pytest.mark.parametrize("game", [game.name for game in all_games()])
def test_s8_the_table_that_an_office_begins_with_can_be_equipped(game: str) -> None:
    table = office_default(next(known for known in all_games() if known.name == game), TCP.on)
    assert check_configuration(table)[0] == ()
    model = find_model(table.equipment or "none")
    assert model is not None
    assert model.is_linked or not table.jackpots


def test_a18_one_approval_covers_setup_equipment_approvals_and_jackpot(room: CardRoom) -> None:
    manager = client_of(room, "max")
    fields = new_table(manager)
    fields |= {
        "number:internal-controls": "IC-26-014",
        "day:internal-controls": "2026-01-05",
        "name:final-four": "ff12",
    }
    answer = send(manager, fields)
    assert answer.status_code == 303, answer.text
    (number,) = room.room.state.of(APPROVALS)
    room.room.approvals.give(number, name=LEE.name, roles=frozenset({LEE.role}), id=command())
    state = room.room.state
    configuration = configuration_at(state, "12")
    assert configuration is not None
    assert state.of(TABLES).tables["12"].setup.device == "BT-12"
    jackpot = state.of(JACKPOTS).jackpots["ff12"].jackpot
    assert jackpot.meter.seed_cents == configuration.meters["final-four"]
    assert [link.table for link in jackpot.tables] == ["12"]
    assert {entry.table for entry in room.books.store.entries("room", number)} == {"12", ""}


def test_s7_what_is_wrong_with_any_part_is_shown_at_its_field_and_nothing_waits(room: CardRoom) -> None:
    manager = client_of(room, "max")
    fields = new_table(manager) | {"cap:final-four": "$8,000.00", "reserve:final-four": "much", "words": "new pit"}
    answer = send(manager, fields)
    assert answer.status_code == 409
    assert 'id="reserve:final-four-problem"><span>Enter a percentage like 17.3.' in answer.text
    assert 'value="new pit"' in answer.text
    assert "<title>Set up table 12" in answer.text
    whole = send(manager, {**fields, "reserve:final-four": "0"})
    assert "is above the cap of $8,000.00" in unescape(whole.text)
    assert not room.room.state.of(APPROVALS)


def added(room: CardRoom) -> dict[str, Any]:
    manager = client_of(room, "max")
    fields = new_table(manager) | {"name:final-four": "ff12", "number:internal-controls": "IC-1"}
    send(manager, {**fields, "day:internal-controls": "2026-01-05"})
    (pending,) = room.room.state.of(APPROVALS).values()
    return dict(pending.said)


def test_s8_equipment_that_cannot_count_the_jackpot_is_refused_when_it_is_asked_for(room: CardRoom) -> None:
    said = added(room)
    seats = said["setup"]["seats"]
    wrong = {**said, "table": "13", "setup": {**said["setup"], "table": "13", "device": "X"}}
    wrong["setup"]["sensors"] = [
        {"position": seat, "number": 1, "wager": "prime", "light": True} for seat in range(1, seats + 1)
    ]
    wrong["jackpots"] = [{**said["jackpots"][0], "name": "other"}]
    wrong["jackpots"][0]["tables"] = [{**said["jackpots"][0]["tables"][0], "table": "13"}]
    problems = room.room.verify(read_fields(AddTable, wrong), MAX)
    assert any("nothing counts Final Four Jackpot" in problem for problem in problems), problems
    before = room.room.state.sequence
    with pytest.raises(RefusedError):
        room.room.do(read_fields(AddTable, wrong), By(MAX.name, MAX.role, LEE), id=command())
    assert room.room.state.sequence == before, "nothing of it was written"


def test_a_table_and_its_jackpots_open_with_one_approval_or_not_at_all(room: CardRoom) -> None:
    refused = room.room.verify(OpenDay(tables=("1", "nowhere")), SUE)
    assert any("nowhere" in problem for problem in refused)
    tables = room.room.state.of(TABLES).tables
    assert tables["1"].life == "open"
    assert any("open already" in problem for problem in refused)


def test_a_jackpot_that_is_not_offered_is_filled_in_so_that_a_check_mark_is_enough(room: CardRoom) -> None:
    manager = client_of(room, "max")
    fields = new_table(manager, game="four-card-prime")
    (offered,) = [name for name in fields if name in ("offer:five-card-jackpot", "offer:four-card-jackpot")]
    other = "offer:four-card-jackpot" if offered == "offer:five-card-jackpot" else "offer:five-card-jackpot"
    del fields[offered]
    checked = manager.post("/office/tables/12/edit", data={**fields, other: "yes", "do": "check"}).text
    assert 'data-ready="yes">Ready to submit' in checked


def test_i17_8_a_new_table_without_a_jackpot_has_no_equipment_by_itself(room: CardRoom) -> None:
    manager = client_of(room, "max")
    fields = {name: text for name, text in new_table(manager).items() if name != "offer:final-four"}
    assert fields["equipment"]
    checked = manager.post("/office/tables/12/edit", data={**fields, "do": "check"}).text
    assert (fields_in(checked)["equipment"], "device" in fields_in(checked)) == ("", False)
    assert send(manager, fields).status_code == 303
    (pending,) = room.room.state.of(APPROVALS).values()
    assert pending.said["setup"]["model"] == "none"


def test_i17_8_several_tables_alike_are_one_form_and_one_approval_that_names_them_all(room: CardRoom) -> None:
    manager = client_of(room, "max")
    begun = manager.post("/office/tables", data={"table": "12, 13,14", "game": "three-card-prime"})
    fields = fields_in(manager.get(begun.headers["location"]).text)
    assert (fields["also"], fields["device"]) == ("13, 14", "BT-12, BT-13, BT-14")
    fields |= {"number:internal-controls": "IC-26-014", "day:internal-controls": "2026-01-05"}
    assert send(manager, fields).status_code == 303
    (number,) = room.room.state.of(APPROVALS)
    card = description_of(room.room.state, room.room.state.of(APPROVALS)[number])
    assert card.title == "New tables 12, 13 and 14: Three Card Prime, with Final Four Jackpot"
    labels = [change.label for change in card.changes]
    assert ["Approval: Approval of the internal controls" in labels, labels.count("Seats")] == [True, 1], labels
    assert {"Table 12: Equipment: Tabulator name", "Table 14: Equipment: Tabulator name"} <= set(labels), labels
    assert "Waiting for approval" in manager.get("/office/tables/14").text
    room.room.approvals.give(number, name=LEE.name, roles=frozenset({LEE.role}), id=command())
    state = room.room.state
    assert [state.of(TABLES).tables[table].setup.device for table in ("12", "13", "14")] == ["BT-12", "BT-13", "BT-14"]
    assert all(configuration_at(state, table) == configuration_at(state, "12") for table in ("13", "14"))
    assert {"final-four-12", "final-four-13", "final-four-14"} <= set(state.of(JACKPOTS).jackpots), list(
        state.of(JACKPOTS).jackpots
    )


def test_i17_8_a_refusal_of_tables_alike_names_the_table_it_is_about_and_nothing_of_any_is_written(
    room: CardRoom,
) -> None:
    said = added(room)
    other = {**said["setup"], "table": "13", "device": "BT-13", "seats": 3}
    linked = {
        **said["jackpots"][0],
        "tables": [{**said["jackpots"][0]["tables"][0], "table": name} for name in ("12", "13")],
    }
    wrong = {**said, "others": [other], "jackpots": [linked]}
    problems = room.room.verify(read_fields(AddTable, wrong), MAX)
    assert problems
    assert all("13" in problem for problem in problems), problems
    twice = {**said, "others": [said["setup"]]}
    assert "table 12 is named twice (REGULATION T-09)" in room.room.verify(read_fields(AddTable, twice), MAX)
    there = {**said, "table": "1", "setup": {**said["setup"], "table": "1"}}
    assert any("There is a table 1 already" in text for text in room.room.verify(read_fields(AddTable, there), MAX))


def test_i17_8_what_is_being_counted_is_sent_again_by_its_page_and_not_by_a_person(room: CardRoom) -> None:
    approver, manager = client_of(room, "lee"), client_of(room, "max")
    fields = new_table(manager)
    room.room.services.edges.count = lambda *_: Counted("computing", None, "")
    waits = send(manager, fields)
    assert (waits.status_code, "data-again" in waits.text, "/static/again.js" in waits.text) == (202, True, True)
    assert f'name="command" value="{fields["command"]}"' in waits.text
    assert not room.room.state.of(APPROVALS)
    # Cancel leads back to the form as it was filled in: it posts to its own address.
    assert '<button class="plain" type="submit" name="do" value="check">Cancel</button>' in waits.text
    form = manager.post("/office/tables/12/edit", data={**fields, "do": "check"})
    assert (form.status_code, fields_in(form.text)["minimum:ante-play"]) == (200, fields["minimum:ante-play"])
    room.room.services.edges.count = lambda *_: Counted("ready", {}, "")
    again = form_to(waits.text.partition('<form class="actions"')[0], "/edit")
    assert manager.post(again.action, data=again.filled({})).status_code == 303
    (number,) = room.room.state.of(APPROVALS)
    room.room.services.edges.count = lambda *_: Counted("computing", None, "")
    given = approver.post(f"/floor/approvals/{number}/give", data={"command": command()})
    assert (given.status_code, "data-again" in given.text) == (202, True)
    assert f'href="/floor/approvals/{number}/give">Cancel' in given.text, "an address that leads to the floor"


def test_setup_offers_no_opening_that_is_refused_and_names_the_jackpot_by_its_title(room: CardRoom) -> None:
    """Seen: step 8 offered "Open table 12" while the escrow was short, and the refusal named the jackpot by its id."""
    added(room)
    (number,) = room.room.state.of(APPROVALS)
    room.room.approvals.give(number, name=LEE.name, roles=frozenset({LEE.role}), id=command())
    room.room.do(RegisterDisplay(name="D12", table="12", make="screen"), MAX, id=command())
    record = room.room.state.of(JACKPOTS).jackpots["ff12"]
    assert room.room.displays.beat("D12", {"ff12": record.jackpot.meter.seed_cents})
    room.room.displays.review(command=command())
    assert table_problems(room.room.state, "12", room.room.clock()) == [], "nothing but the escrow is held against it"
    supervisor = client_of(room, "sue")
    page = unescape(supervisor.get("/office/start").text)
    assert "The escrow of Final Four Jackpot is short by $" in page
    assert "Open table 12</button>" not in page
    asked = supervisor.post("/office/tables/open-day", data={"table": "12", "jackpot": "ff12", "command": command()})
    assert (asked.status_code, "the escrow of Final Four Jackpot is short" in unescape(asked.text)) == (409, True)


def test_i17_8_what_waits_is_approved_on_the_page_where_the_second_person_begins(room: CardRoom) -> None:
    added(room)
    (number,) = room.room.state.of(APPROVALS)
    second = client_of(room, "lee")
    page = second.get("/today").text
    assert "New table 12: Three Card Prime, with Final Four Jackpot" in page
    form = form_to(page, f"/today/approvals/{number}/give")
    answer = second.post(form.action, data=form.filled({}))
    assert landed(answer) == "/today?told=given"
    assert "12" in room.room.state.of(TABLES).tables
    assert f'href="/today#approval-{number}"' not in second.get("/office/start").text
