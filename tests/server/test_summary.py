"""The one answer of a room for a company: the figures of its pages and reports, and none of its own."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

import pytest

from pitboss.books import LEDGER
from pitboss.commands import By
from pitboss.jackpot import JACKPOTS
from pitboss.server.api import summary
from pitboss.server.worker import jobs
from pitboss.server.worker.pool import Figure
from pitboss.server.worker.theory import TheoryJob
from pitboss.tabulator import ChangeDealer
from tests.server.making import SECOND, House, command
from tests.server.test_api import DEVICE, Evening


def press(evening: Evening, *seats: int) -> None:
    evening.sequence += 1
    evening.house.clock.add(10 * SECOND)
    now = evening.house.clock.now
    message: dict[str, Any] = {
        "type": "press",
        "device": DEVICE,
        "table": "4",
        "sequence": evening.sequence,
        "at": now,
        "sent": now,
    }
    answer = evening.device.post("/api/v1/devices/messages", json=message | {"sensors": [[seat, 1] for seat in seats]})
    assert answer.json()["status"] in ("counted", "released"), answer.text


def test_the_summary_has_what_the_ledger_and_the_reports_have(house: House, monkeypatch: pytest.MonkeyPatch) -> None:
    evening = Evening(house)
    house.room.do(ChangeDealer(table="4", dealer="A-dealer"), By("A-supervisor", "supervisor"), id=command())
    for _ in range(3):
        press(evening, 1, 2, 3)
        press(evening)
    found = house.as_("auditor").get("/api/v1/summary").json()
    (jackpot,) = found["jackpots"]
    meter = house.room.state.of(LEDGER)["main"].meter_state
    assert (jackpot["displayed_cents"], jackpot["wagers"], jackpot["locations"]) == (
        meter.displayed_cents,
        9,
        ["Test Room"],
    )
    assert found["tables"]["open"] == 1
    assert found["health"]["status"] == "ok"
    assert found["health"]["head"] == house.room.state.digest.hex()
    # What is over stands beside what is to be expected, once a day; while it is made there is nothing.
    assert found["theory"] is None
    house.clock.add(24 * 3_600 * SECOND)
    asked: list[TheoryJob] = []

    def figure_of(_request: object, job: Any) -> Figure:
        asked.append(job)
        return Figure("", "ready", job.run())

    events = [prize.event for prize in house.room.state.of(JACKPOTS).jackpots["main"].jackpot.offers[0].prizes]
    monkeypatch.setattr(jobs, "exact_chances", lambda *_: dict.fromkeys(events, Fraction(1, 3_000)))
    monkeypatch.setattr(summary, "figure_of", figure_of)
    auditor = house.as_("auditor")
    theory = auditor.get("/api/v1/summary").json()["theory"]
    assert theory["accrued"]["main"] == {"wagers": 9, "units": 9 * sum(jackpot["rates"])}
    assert {(row["wagers"], row["one_in"], row["expected"], row["actual"]) for row in theory["hits"]} == {
        (9, "3000", "3/1000", 0)
    }
    house.clock.add(60 * SECOND)
    auditor.get("/api/v1/summary")
    assert asked[0] == asked[1], "the same figure all day long"
