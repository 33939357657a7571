"""A store that fails under a running server: said to everybody, nothing lost, and used again when it is back."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from http import HTTPStatus
from typing import Any

import pytest

from pitboss.books import StoreError
from pitboss.books.audit import check_books
from pitboss.books.store.directory import Directory
from pitboss.books.store.sqlite import SqliteStore
from pitboss.commands import By
from pitboss.installation import Installation
from pitboss.room.alarms import active_alarms
from pitboss.room.people.vault import SqliteTables
from pitboss.room.projections import INVARIANTS, PROJECTIONS
from pitboss.server.app import _look_after
from pitboss.tabulator import ChangeDealer
from tests.books.test_uncertain import Losing, eventually
from tests.server.making import PASSWORD, House, command, sign_in
from tests.server.test_api import DEVICE, Evening

PAGE = {"accept": "text/html"}


@contextmanager
def disk_fails(house: House) -> Iterator[None]:
    """The disk of the journal fails: nothing can be written or opened."""

    def away(*_: object) -> Any:
        raise StoreError("disk I/O error")

    store = house.room.books.store
    with pytest.MonkeyPatch.context() as patch:
        store._writer = Losing(store._writer, before=True)
        patch.setattr(SqliteStore, "_connect", away)
        yield


def messages_of(evening: Evening, sequence: int) -> dict[str, Any]:
    now = evening.house.clock.now
    message = {"device": DEVICE, "table": "4", "type": "press", "sent": now, "at": now, "sequence": sequence}
    answer = evening.device.post("/api/v1/devices/messages", json={**message, "sensors": [[2, 1]]})
    assert answer.status_code == HTTPStatus.OK
    reply: dict[str, Any] = answer.json()
    return reply


def test_a_store_that_fails_is_told_and_used_again_without_a_restart(house: House) -> None:
    evening = Evening(house)
    house.room.do(ChangeDealer(table="4", dealer="A-dealer"), By("A-dealer", "dealer"), id=command())
    supervisor, anybody = evening.by["supervisor"], house.browser()
    before, head = evening.shown, house.room.state.sequence
    assert anybody.get("/healthz").status_code == HTTPStatus.OK
    with disk_fails(house):
        assert messages_of(evening, 1)["status"] == "later"
        health = anybody.get("/healthz")
        assert (health.status_code, health.json()["status"]) == (HTTPStatus.SERVICE_UNAVAILABLE, "unwritable")
        floor = supervisor.get("/floor", headers=PAGE)
        assert floor.status_code == HTTPStatus.OK
        assert "Nothing can be saved" in floor.text
        for path in ("/", "/tables/4/vision", "/tables/4/console"):
            assert supervisor.get(path, headers=PAGE).status_code == HTTPStatus.OK, path
        refused = supervisor.post("/api/v1/tables/close", json={"command": command(), "table": "4"})
        assert (refused.status_code, refused.json()["code"]) == (HTTPStatus.SERVICE_UNAVAILABLE, "later")
        assert refused.headers["retry-after"]
        signing = anybody.post("/sign-in", data={"login": "a-manager", "password": PASSWORD}, headers=PAGE)
        assert signing.status_code == HTTPStatus.SERVICE_UNAVAILABLE
        assert "try it again" in signing.text
        house.room.look_after()
        assert messages_of(evening, 1)["status"] == "later"
        assert (before, head) == (evening.shown, house.room.state.sequence)
    assert eventually(lambda: anybody.get("/healthz").status_code == HTTPStatus.OK)
    assert "Nothing can be saved" not in supervisor.get("/floor", headers=PAGE).text
    assert messages_of(evening, 1)["status"] == "counted"
    assert messages_of(evening, 1)["again"]
    assert evening.shown > before
    sign_in(anybody, "a-manager")
    report = check_books(Directory(house.room.path), projections=PROJECTIONS, invariants=INVARIANTS)
    assert report.is_sound


def test_healthz_says_503_while_an_audit_has_halted_the_books(house: House) -> None:
    house.room.books.directory.halt([])
    health = house.browser().get("/healthz")

    assert (health.status_code, health.json()["status"]) == (HTTPStatus.SERVICE_UNAVAILABLE, "halted")


CHANGED = Installation("1.0", "ab" * 32, 2, is_built=True, problems=("changed: rules/cents.py",))
STOPS: dict[str, tuple[Callable[[House], object], str]] = {
    "changed software": (lambda house: house.room.take_software(CHANGED), "software"),
    "a clock that jumped": (lambda house: house.room.books._note_jump("it shows 2036"), "time"),
}


@pytest.mark.parametrize("what", STOPS)
def test_while_the_software_or_the_clock_is_wrong_a_press_waits_and_pages_go_on(house: House, what: str) -> None:
    """T-15, G-77: nothing is written, and nothing is answered counted; the device keeps what it has."""
    evening = Evening(house)
    house.room.do(ChangeDealer(table="4", dealer="A-dealer"), By("A-dealer", "dealer"), id=command())
    stop, kind = STOPS[what]
    stop(house)
    before, shown = house.room.state.sequence, evening.shown
    house.room.look_after()
    assert messages_of(evening, 1)["status"] == "later"
    assert (house.room.state.sequence, evening.shown) == (before, shown)
    assert house.browser().get("/healthz").status_code == HTTPStatus.SERVICE_UNAVAILABLE
    assert house.browser().get("/tables/4/vision", headers=PAGE).status_code == HTTPStatus.OK
    assert kind in {alarm.kind for alarm in active_alarms(house.room.state)}


def test_a_full_store_of_sign_ins_is_no_fault_of_ours(house: House) -> None:
    tables = house.room.vault.tables
    assert isinstance(tables, SqliteTables)
    connection = tables.connection
    pages = connection.execute("PRAGMA page_count").fetchone()[0]
    connection.execute(f"PRAGMA max_page_count={pages}")
    statuses = set[int]()
    for _ in range(200):
        answer = house.browser().post("/sign-in", data={"login": "a-dealer", "password": PASSWORD}, headers=PAGE)
        statuses.add(answer.status_code)
        if answer.status_code != HTTPStatus.SEE_OTHER:
            break
    assert statuses == {HTTPStatus.SEE_OTHER, HTTPStatus.SERVICE_UNAVAILABLE}
    connection.execute("PRAGMA max_page_count=1000000")
    sign_in(house.browser(), "a-dealer")


def test_a_watch_that_fails_is_an_alarm_and_the_others_go_on(house: House, monkeypatch: pytest.MonkeyPatch) -> None:
    Evening(house)
    reviewed: list[str] = []
    review: Callable[..., object] = house.room.displays.review
    monkeypatch.setattr(house.room.devices, "watch", lambda **_: 1 // 0)

    def watched(**options: Any) -> object:
        reviewed.append("")
        return review(**options)

    monkeypatch.setattr(house.room.displays, "review", watched)
    house.room.look_after()

    assert ["watch devices"] == [alarm.key for alarm in active_alarms(house.room.state) if alarm.kind == "watch"]
    assert [""] == reviewed
    assert "A check of the server fails" in house.as_("supervisor").get("/floor", headers=PAGE).text
    monkeypatch.undo()
    house.room.look_after()
    assert [] == [alarm for alarm in active_alarms(house.room.state) if alarm.kind == "watch"]


def test_who_comes_back_to_the_floor_is_sent_what_no_entry_says(house: House) -> None:
    """The journal does not move while it cannot be written: its number does not say that nothing is new."""
    state = house.room.state
    hub = house.app.state.hub
    follower = hub._begin(("floor", "room"), state.sequence, lambda: True)

    assert follower.sent["floor"] == 0
    assert follower.sent["room"] > 0


def test_the_look_of_every_second_that_fails_is_an_alarm_too(house: House) -> None:
    """Seen: what opens due configurations failed in the log alone."""
    alarms: list[str] = []

    async def look() -> None:
        task = asyncio.create_task(_look_after(house.room, "what is due", lambda: 1 // 0, 0))
        while not alarms:
            await asyncio.sleep(0.001)
            alarms.extend(alarm.words for alarm in active_alarms(house.room.state))
        task.cancel()

    asyncio.run(asyncio.wait_for(look(), 30))
    assert "what is due" in alarms[0]
