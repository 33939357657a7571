"""Devices at the server: ids of their own, dealers who are people, an alarm for what cannot be written (issue 18)."""

from __future__ import annotations

from pitboss.room.alarms import active_alarms
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
