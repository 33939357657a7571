"""`pitboss device conform`: the contract of devices, clause by clause, at the real receiver; and broken receivers fail."""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from contextlib import ExitStack
from pathlib import Path
from typing import Any

import pytest

from pitboss.commands import By
from pitboss.server.mqtt import Bridge
from pitboss.tabulator import ChangeDealer
from pitboss.tabulator.devices.broker import parse_broker
from pitboss.tabulator.devices.client import NotAllowedError
from pitboss.tabulator.devices.conformance import CHECKS, ClauseResult, Conformance, UnfitTableError, conform
from pitboss.tabulator.devices.mqtt import MqttLine
from tests.docs.console import ROOT
from tests.server.brokers import SERVER_PASSWORD, broker
from tests.server.making import SECOND, House, command
from tests.server.test_api import DEVICE, Evening

Change = Callable[[bytes, dict[str, Any]], dict[str, Any]]


class Line:
    """A line to the application, with a server at its end that may do something wrong."""

    def __init__(self, evening: Evening, token: str, change: Change | None = None) -> None:
        self.client, self.change = evening.house.browser(), change
        self.client.headers["authorization"] = f"Bearer {token}"

    def send(self, message: bytes) -> dict[str, Any]:
        answer = self.client.post("/api/v1/devices/messages", content=message)
        if answer.status_code != 200:
            raise NotAllowedError(answer.text)
        reply: dict[str, Any] = answer.json()
        return reply if self.change is None else self.change(message, reply)


def prepare(house: House) -> tuple[Evening, str]:
    evening = Evening(house)
    house.room.do(ChangeDealer(table="4", dealer="A-dealer"), By("A-supervisor", "supervisor"), id=command())
    house.clock.add(3_600 * SECOND)
    return evening, evening.device.headers["authorization"].removeprefix("Bearer ")


def trial(evening: Evening, token: str, change: Change | None = None, **fields: Any) -> Conformance:
    usual: dict[str, Any] = {"is_forced": True, "backlog": 3}
    return Conformance(
        device=DEVICE,
        table="4",
        line=lambda each: Line(evening, each, change),
        token=token,
        clock=lambda: evening.house.clock.now,
        **usual | fields,
    )


def failed(verdicts: list[ClauseResult]) -> list[str]:
    return [verdict.clause for verdict in verdicts if not verdict.is_passed]


def test_the_server_fulfills_every_clause_by_http(house: House) -> None:
    evening, token = prepare(house)
    verdicts = list(conform(trial(evening, token)))
    assert [] == [verdict for verdict in verdicts if not verdict.is_passed]
    assert evening.is_sound()


def test_the_server_fulfills_every_clause_by_a_broker(house: House, tmp_path: Path) -> None:
    evening, token = prepare(house)
    with broker(tmp_path / "broker", {DEVICE: token}) as made, ExitStack() as stack:
        bridge = Bridge(house.room, parse_broker(made.of_server), SERVER_PASSWORD)
        stack.callback(bridge.close)
        bridge.start()
        assert bridge.subscribed.wait(20)
        by_broker = Conformance(
            device=DEVICE,
            table="4",
            line=lambda each: MqttLine(made.address, DEVICE, each),
            token=token,
            clock=lambda: house.clock.now,
            backlog=3,
            is_forced=True,
        )
        assert [] == [verdict for verdict in conform(by_broker) if not verdict.is_passed]
    assert evening.is_sound()


def test_a_table_without_example_papers_is_refused_unless_forced(house: House) -> None:
    evening, token = prepare(house)
    with pytest.raises(UnfitTableError, match="real table"):
        list(conform(trial(evening, token, is_forced=False)))
    assert house.room.devices.is_example("4") is False
    house.room.devices.is_example = lambda table: table == "4"
    assert Line(evening, token).send(hello())["example"] is True
    assert next(iter(conform(trial(evening, token, is_forced=False)))).is_passed


def hello() -> bytes:
    return json.dumps({"type": "hello", "device": DEVICE, "table": "4", "sent": 1}).encode()


def acknowledge_early(_: bytes, reply: dict[str, Any]) -> dict[str, Any]:
    return reply | {"status": "counted"} if reply["status"] == "waiting" else reply


def forget_again(_: bytes, reply: dict[str, Any]) -> dict[str, Any]:
    return {name: value for name, value in reply.items() if name != "again"}


def take_anything(_: bytes, reply: dict[str, Any]) -> dict[str, Any]:
    return reply | {"status": "counted"} if reply["status"] == "unreadable" else reply


@pytest.mark.parametrize(
    ("change", "clauses"),
    [(acknowledge_early, {"DP-4"}), (forget_again, {"DP-3", "DP-15"}), (take_anything, {"DP-8", "DP-13"})],
)
def test_a_server_that_does_otherwise_fails_that_clause(house: House, change: Change, clauses: set[str]) -> None:
    evening, token = prepare(house)
    assert clauses <= set(failed(list(conform(trial(evening, token, change)))))


def test_the_page_has_every_clause_and_no_other() -> None:
    text = (ROOT / "docs" / "devices.md").read_text(encoding="utf-8")
    assert {clause for clause, _, _ in CHECKS} == set(re.findall(r"\| (DP-\d+) \|", text))
