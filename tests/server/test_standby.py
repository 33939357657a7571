"""A room on PostgreSQL is served as one in SQLite; a second server stands by, serves who reads, and takes over."""

from __future__ import annotations

import asyncio
import shutil
from collections.abc import Callable, Iterator
from contextlib import closing
from http import HTTPStatus
from pathlib import Path
from typing import Any

import pytest

from pitboss.books import LEDGER
from pitboss.books.audit import check_books
from pitboss.books.store.directory import Database, Directory
from pitboss.commands import By
from pitboss.room.copying import copy_room
from pitboss.room.people.vault import SqliteTables, Vault
from pitboss.room.projections import INVARIANTS, PROJECTIONS
from pitboss.server import app as served
from pitboss.server.metrics import AuditRun
from pitboss.server.worker.pool import Worker
from pitboss.tabulator import ChangeDealer
from pitboss.tabulator.devices.client import LineCutError, NotAllowedError, ServersLine, StandsByError
from tests.books.test_uncertain import eventually
from tests.cli.running import run
from tests.server.conftest import Filled
from tests.server.making import PASSWORD, SECOND, House, command
from tests.server.test_api import DEVICE, Evening

pytestmark = pytest.mark.xdist_group("postgresql")
PAGE = {"accept": "text/html"}
SECONDS = 30


@pytest.fixture
def shared_room(filled: Filled, database: str, quick_path: Path) -> Path:
    """A room in PostgreSQL with people and devices."""
    source = shutil.copytree(filled.path, quick_path / "source")
    copy_room(source, quick_path / "room", Database(database), lambda *_: None)
    return quick_path / "room"


@pytest.fixture
def leader(shared_room: Path, filled: Filled) -> Iterator[House]:
    house = House(shared_room, None, filled.tokens, stands_by=True)
    yield house
    house.room.close()


@pytest.fixture
def standby(leader: House, filled: Filled) -> Iterator[House]:
    path = shutil.copytree(leader.room.path, leader.room.path.with_name("other"))
    house = House(path, None, filled.tokens, stands_by=True)
    yield house
    house.room.close()


def pressed(house: House, evening: Evening, sequence: int, begun: int) -> Any:
    """Send a press of the device to a server: two seconds after the one before."""
    now = begun + 2 * sequence * SECOND
    house.clock.now = max(house.clock.now, now)
    client = house.browser()
    client.headers["authorization"] = evening.device.headers["authorization"]
    message = {"device": DEVICE, "table": "4", "type": "press", "sent": now, "at": now, "sequence": sequence}
    return client.post("/api/v1/devices/messages", json={**message, "sensors": [[1, 1]]})


def test_a_standby_serves_who_reads_and_sends_others_to_the_leader_and_takes_over(
    leader: House, standby: House
) -> None:
    evening = Evening(leader)
    leader.room.do(ChangeDealer(table="4", dealer="A-dealer"), By("A-dealer", "dealer"), id=command())
    begun = standby.clock.now = leader.clock.now
    assert pressed(leader, evening, 1, begun).json()["status"] == "counted"
    assert eventually(lambda: standby.room.state.sequence == leader.room.state.sequence)

    health = [house.browser().get("/healthz") for house in (leader, standby)]
    assert [answer.status_code for answer in health] == [HTTPStatus.OK] * 2
    assert [answer.json()["role"] for answer in health] == ["leader", "standby"]
    standby.room.look_after()
    # Who has signed in there is signed in here; the jackpots stand as there.
    supervisor = standby.browser()
    supervisor.cookies.update(evening.by["supervisor"].cookies)
    for path in ("/", "/floor", "/tables/4/vision"):
        assert supervisor.get(path, headers=PAGE).status_code == HTTPStatus.OK, path
    assert evening.shown == leader.room.state.of(LEDGER)["main"].meter_state.displayed_units
    assert leader.room.state == standby.room.state
    # A display may say what it shows; whatever would be written is for the leader.
    beat = standby.as_("display").post("/api/v1/displays/beat", json={"amounts": {}})
    assert beat.status_code == HTTPStatus.OK
    for answer in (
        pressed(standby, evening, 2, begun),
        standby.browser().post("/sign-in", data={"login": "a-manager", "password": PASSWORD}),
        supervisor.post("/api/v1/tables/close", json={"command": command(), "table": "4"}),
    ):
        assert (answer.status_code, answer.headers["retry-after"]) == (HTTPStatus.SERVICE_UNAVAILABLE, "1")
    standby.room.open_due()
    assert standby.room.state.sequence == leader.room.state.sequence

    leader.room.close()
    assert eventually(lambda: standby.room.role == "leader", SECONDS)
    assert pressed(standby, evening, 1, begun).json()["again"]
    assert pressed(standby, evening, 2, begun).json()["status"] in ("counted", "released")
    assert supervisor.get("/floor", headers=PAGE).status_code == HTTPStatus.OK
    standby.room.look_after()
    report = check_books(Directory(standby.room.path), projections=PROJECTIONS, invariants=INVARIANTS)
    assert report.is_sound


def test_audit_backup_restore_rebuild_and_reports_work_on_postgresql_beside_the_server(
    leader: House, quick_path: Path
) -> None:
    Evening(leader)
    room, backup = leader.room.path, quick_path / "backup"
    for typed in (
        f"audit {room}",
        f"books rebuild {room} --check",
        f"books show {room}",
        f"jackpots {room}",
        f"report malfunctions {room}",
        f"backup {room} {backup}",
        f"restore {backup} {quick_path / 'restored'} --person Dora --reason test --no-head test",
        f"audit {quick_path / 'restored'}",
    ):
        done = run(typed)
        assert done.exit_code == 0, (typed, done.output)


def test_a_daily_audit_that_fails_because_the_database_is_away_is_asked_again_when_it_is_back(
    leader: House, database: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """It was asked again on the next day only, and told as an audit that has found something wrong."""
    import psycopg  # noqa: PLC0415

    monkeypatch.setattr(served, "_AUDIT_AFTER_SECONDS", 0)
    monkeypatch.setattr(served, "_AUDIT_LOOK_SECONDS", 0.05)
    worker, run, failed = Worker(), AuditRun(), list[str]()
    server, _, name = database.rpartition(" dbname=")

    async def until(holds: Callable[[], object]) -> None:
        while not holds():  # noqa: ASYNC110 - what it waits for happens in another process
            await asyncio.sleep(0.05)

    def has_failed() -> bool:
        failed.extend(figure.words for figure in map(worker.figure, worker.keys()) if figure and figure.words)
        return bool(failed)

    async def watch() -> None:
        with psycopg.connect(f"{server} dbname=postgres", autocommit=True) as other:
            other.execute(f"ALTER DATABASE {name} ALLOW_CONNECTIONS false")
            task = asyncio.create_task(served._audit_daily(leader.room, worker, run))
            await until(has_failed)
            await asyncio.sleep(0.2)
            assert (0, True) == (run.at, run.is_sound), "nothing was audited"
            other.execute(f"ALTER DATABASE {name} ALLOW_CONNECTIONS true")
        await until(lambda: run.at)
        task.cancel()

    try:
        asyncio.run(asyncio.wait_for(watch(), SECONDS))
    finally:
        worker.close()
    assert "not currently accepting connections" in failed[0]
    assert run.is_sound


def test_a_vault_of_before_goes_into_the_database_that_servers_share(shared_room: Path) -> None:
    with closing(SqliteTables(shared_room / "access.sqlite3")) as before:
        before.rows("INSERT INTO secrets VALUES ('ada', 'password', 'hashed')")
    with closing(Vault(shared_room)) as vault:
        assert vault.secret("ada", "password") == "hashed"
    assert not (shared_room / "access.sqlite3").exists()
    with closing(Vault(shared_room)) as vault:
        vault.put_secret("ada", "password", "another")
        assert vault.secret("ada", "password") == "another"


def test_the_vault_is_used_again_after_its_connection_was_lost(shared_room: Path) -> None:
    with closing(Vault(shared_room)) as vault:
        vault.put_secret("ada", "pin", "hashed")
        tables: Any = vault.tables
        tables._connection.pgconn.finish()
        assert vault.secret("ada", "pin") == "hashed"


class Line:
    def __init__(self, *answers: Any) -> None:
        self.answers, self.asked = list(answers), 0

    def send(self, _message: bytes) -> dict[str, Any]:
        self.asked += 1
        answer = self.answers.pop(0)
        if isinstance(answer, Exception):
            raise answer
        found: dict[str, Any] = answer
        return found


def test_a_device_asks_the_next_server_and_leaves_one_alone_that_does_not_answer() -> None:
    times = iter(range(100))
    first = Line(LineCutError("silent"), {"status": "counted", "number": 4})
    second = Line(StandsByError("stands by"), StandsByError("stands by"), {"status": "later"}, {"status": "counted"})
    line = ServersLine([first, second], monotonic=lambda: next(times))
    for _ in range(2):
        with pytest.raises(LineCutError, match="stands by"):
            line.send(b"")
    assert (first.asked, second.asked) == (1, 2)
    # After some seconds it is asked again, and goes on being asked first while it answers.
    with pytest.raises(LineCutError, match="cannot write"):
        line.send(b"")
    assert line.send(b"")["status"] == "counted"
    assert (first.asked, second.asked) == (2, 3)
    stranger = ServersLine([Line(NotAllowedError("no token")), second])
    with pytest.raises(NotAllowedError):
        stranger.send(b"")
