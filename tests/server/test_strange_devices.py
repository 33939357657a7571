"""Devices at the server: ids of their own, dealers who are people, an alarm for what cannot be written (issue 18)."""

from __future__ import annotations

import json

import pytest

from pitboss.books import StoreError
from pitboss.commands.command import SYSTEM_ACTOR
from pitboss.room.alarms import active_alarms
from pitboss.tabulator.devices.client import HttpLine
from tests.server.making import SECOND, House
from tests.server.test_api import DEVICE, Evening


def test_a_dealer_does_not_stop_a_table_by_the_id_of_its_next_press(house: House) -> None:
    evening = Evening(house)
    taken = {"command": f"device {DEVICE} 2", "table": "4", "persons": []}
    answer = evening.by["supervisor"].post("/api/v1/tables/mark-seats", json=taken)
    assert (answer.status_code, answer.json()["problems"][0].partition(":")[0]) == (409, "command")
    giving = evening.by["manager"].post("/api/v1/approvals/1/refuse", json={"command": "watch-1", "words": "no"})
    assert "not for people" in giving.text
    assert badge(evening, "A-dealer")["status"] == "noted"
    assert evening.press(1)["status"] == "counted"


def badge(evening: Evening, name: str) -> dict[str, object]:
    evening.sequence += 1
    evening.house.clock.add(2 * SECOND)
    now = evening.house.clock.now
    message = {"device": DEVICE, "table": "4", "type": "dealer", "sent": now, "at": now, "sequence": evening.sequence}
    answer: dict[str, object] = evening.device.post("/api/v1/devices/messages", json={**message, "dealer": name}).json()
    return answer


def test_a_badge_is_that_of_a_dealer_of_the_room(house: House) -> None:
    evening = Evening(house)
    for name in ("Nobody Here", "A-auditor"):
        reply = badge(evening, name)
        assert (reply["status"], reply["acknowledged"]) == ("refused", evening.sequence)
    noted = badge(evening, "a-DEALER")
    assert (noted["status"], noted["table"]["dealer"]) == ("noted", "A-dealer")  # type: ignore[index]


def test_what_cannot_be_read_is_an_alarm_of_the_floor_until_the_device_is_well(house: House) -> None:
    evening = Evening(house)
    badge(evening, "A-dealer")
    evening.device.post("/api/v1/devices/messages", content=b'{"type": "press"}')
    [alarm] = [alarm for alarm in active_alarms(house.room.state) if alarm.kind == "device"]
    assert DEVICE in alarm.words
    page = evening.by["supervisor"].get("/floor").text
    assert "Device stuck" in page
    evening.press(1)
    assert not [alarm for alarm in active_alarms(house.room.state) if alarm.kind == "device"]


def test_a_token_that_came_to_the_proxy_by_plain_http_is_refused(house: House) -> None:
    device = house.as_("device")
    assert device.get("/api/v1/me").status_code == 200
    assert device.get("/api/v1/me", headers={"x-forwarded-proto": "https"}).status_code == 200
    assert device.get("/api/v1/me", headers={"x-forwarded-proto": "http"}).status_code == 403


def test_a_device_sends_its_token_by_https_off_this_computer() -> None:
    HttpLine("http://127.0.0.1:8000", "secret")
    HttpLine("https://room.example", "secret")
    with pytest.raises(ValueError, match="https:// alone"):
        HttpLine("http://room.example", "secret")


def test_the_books_go_to_another_computer_by_tls_alone(monkeypatch: pytest.MonkeyPatch) -> None:
    postgres = pytest.importorskip("pitboss.books.store.postgres")
    addresses: list[str] = []

    def connect(address: str, **_: object) -> None:
        addresses.append(address)
        raise postgres.psycopg.OperationalError("not here")

    monkeypatch.setattr(postgres.psycopg, "connect", connect)
    monkeypatch.delenv("PGHOST", raising=False)
    for connection in ("dbname=books", "host=/run/postgresql", "host=localhost", "host=127.0.0.1 sslmode=disable"):
        with pytest.raises(StoreError, match="not here"):
            postgres.PostgresStore(connection, write=False)
        assert "require" not in addresses[-1]
    for connection, demanded in (("host=db.example", "sslmode=require"), ("host=db.example sslmode=verify-full", "")):
        with pytest.raises(StoreError, match="not here"):
            postgres.PostgresStore(connection, write=False)
        assert demanded in addresses[-1]
    for mode in ("disable", "allow", "prefer"):
        with pytest.raises(StoreError, match="unprotected"):
            postgres.PostgresStore(f"host=localhost,db.example sslmode={mode}", write=False)


def test_g_71_what_is_done_by_a_terminals_token_names_the_user_of_its_system(house: House) -> None:
    token = house.access.make_terminal_token("a-manager", SYSTEM_ACTOR)
    headers = {"Authorization": f"Bearer {token}", "X-Pitboss-User": "j%C3%BCrgen"}
    body = {"command": "c1", "name": "New", "since": "2027-06-01", "words": "why"}
    assert house.browser().post("/api/v1/room/rename", json=body, headers=headers).status_code == 202
    *_, signed, asked = house.entries()
    assert (signed.kind, asked.kind) == ("signed-in", "approval-asked")
    assert json.loads(signed.payload)["device"] == "user jürgen"
