"""Devices at the server: ids of their own, dealers who are people, an alarm for what cannot be written (issue 18)."""

from __future__ import annotations

import asyncio
import json
import threading

import anyio.to_thread
import httpx2
import pytest
from fastapi.testclient import TestClient

from pitboss.books import StoreError
from pitboss.commands.command import SYSTEM_ACTOR
from pitboss.room.alarms import active_alarms
from pitboss.tabulator.devices.client import HttpLine
from tests.server.making import ADDRESS, SECOND, House, served, sign_in
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


def test_item_9_a_device_is_answered_though_every_thread_for_people_is_taken(house: House) -> None:
    """Whoever signs in or reads at once as often as they can keeps no press waiting."""
    now, gate, token = house.clock.now, threading.Event(), house.as_("device").headers["authorization"]
    message = {"device": DEVICE, "table": "4", "type": "hello", "sent": now}

    async def ask() -> int:
        anyio.to_thread.current_default_thread_limiter().total_tokens = 1
        taken = asyncio.create_task(anyio.to_thread.run_sync(gate.wait))
        transport = httpx2.ASGITransport(app=house.app)
        async with httpx2.AsyncClient(transport=transport, base_url=ADDRESS) as client:
            sent = client.post("/api/v1/devices/messages", json=message, headers={"authorization": token})
            try:
                return (await asyncio.wait_for(sent, 20)).status_code
            finally:
                gate.set()
                await taken

    assert asyncio.run(ask()) == 200


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

    monkeypatch.setattr(postgres.leadership.PostgresSession, "connect", connect)
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


DAY = 24 * 3_600 * SECOND


def test_g_76_a_token_and_a_browser_that_nothing_uses_end_and_use_renews_them(house: House) -> None:
    """Seen: both lasted for ever."""
    display, console = house.as_("display"), house.console("the console")
    administrator = house.as_("administrator")

    def devices() -> str:
        sign_in(administrator, "a-administrator")
        return administrator.get("/office/devices").text

    def known() -> tuple[int, int]:
        return display.get("/api/v1/me").status_code, console.get("/api/v1/me").status_code

    for _ in range(4):
        house.clock.add(80 * DAY)
        assert known() == (200, 200)
        house.access.tidy()
    house.clock.add(70 * DAY)
    assert "ends on" not in devices()
    house.clock.add(10 * DAY)
    page = devices()
    assert "the console ends on" in page
    assert "the display ends on" in page
    house.clock.add(11 * DAY)
    assert known() == (401, 401)
    assert "the console ended on" in devices()
    # A clock that was wrong took none away; a person makes another.
    house.clock.add(-20 * DAY)
    assert known() == (200, 200)
    house.clock.add(100 * DAY)
    assert known() == (401, 401)
    display.headers["authorization"] = f"Bearer {house.access.make_token('the display', SYSTEM_ACTOR)}"
    assert (display.get("/api/v1/me").status_code, house.console("the console").get("/tap").status_code) == (200, 200)


def test_g_76_devices_of_before_begin_their_term_when_the_server_first_knows_of_it(house: House) -> None:
    console, vault = house.console("the console"), house.access.vault
    vault.put_sessions(session._replace(used=session.used - 1_000 * DAY) for session in house.access.sessions.enrolled)
    for name in house.access.people.devices:
        vault.drop_secret(name, "token-used")
    vault.drop_secret("", "device-terms")
    house.room.close()
    with served(house.room.path, None, house.tokens) as later:
        display, console = later.as_("display"), moved(console, later)
        assert (display.get("/api/v1/me").status_code, console.get("/api/v1/me").status_code) == (200, 200)
        later.clock.add(91 * DAY)
        assert (display.get("/api/v1/me").status_code, console.get("/api/v1/me").status_code) == (401, 401)


def moved(client: TestClient, house: House) -> TestClient:
    """The same browser after a restart of the server."""
    again = house.browser()
    again.cookies.update(client.cookies)
    return again
