"""The one answer of a room for a company: the figures of its pages and reports, and none of its own."""

from __future__ import annotations

import time
from fractions import Fraction
from typing import Any

from pitboss.books import LEDGER
from pitboss.commands import By
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


def theory_of(house: House) -> dict[str, Any]:
    """Ask until the worker has made it."""
    auditor = house.as_("auditor")
    for _ in range(600):
        found = auditor.get("/api/v1/summary").json()["theory"]
        if found is not None:
            theory: dict[str, Any] = found
            return theory
        time.sleep(0.1)
    raise AssertionError("not made in a minute")


def test_the_summary_has_what_the_ledger_and_the_reports_have(house: House) -> None:
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
    # The next day what was counted stands beside what is to be expected, as the report has it.
    house.clock.add(24 * 3_600 * SECOND)
    theory = theory_of(house)
    assert theory["accrued"]["main"] == {"wagers": 9, "units": 9 * sum(jackpot["rates"])}
    assert all(Fraction(row["expected"]) * Fraction(row["one_in"]) == 9 for row in theory["hits"] if row["one_in"])
    assert any(row["one_in"] for row in theory["hits"])
