"""The device simulator over the real interface: the server's endpoint, with a token, and a line with faults (M-10)."""

from __future__ import annotations

import random
import threading
from pathlib import Path
from typing import Any

import pytest
from fastapi.testclient import TestClient

from pitboss.books import microseconds_now
from pitboss.tabulator import TABLES
from pitboss.tabulator.devices.client import (
    DeviceBuffer,
    DeviceClient,
    FaultyLine,
    Felt,
    HttpLine,
    LineFaults,
    Pace,
    play,
)
from tests.server.making import SECOND, House, served
from tests.server.running import running
from tests.server.test_api import DEVICE, Evening

FAULTS = LineFaults(duplicate=0.2, lost_request=0.1, lost_reply=0.1, reorder=0.1)
DEALER = "A-dealer"


class ClientLine:
    """A line to the server's application in this process."""

    def __init__(self, client: TestClient) -> None:
        self.client = client

    def send(self, message: bytes) -> dict[str, Any]:
        answer = self.client.post("/api/v1/devices/messages", content=message)
        assert answer.status_code == 200, answer.text
        found: dict[str, Any] = answer.json()
        return found


def test_m_10_the_simulator_plays_at_the_servers_endpoint(house: House, tmp_path: Path) -> None:
    evening = Evening(house)
    line = FaultyLine(ClientLine(evening.device), FAULTS, random.Random(2))
    with DeviceBuffer(tmp_path / "buffer") as buffer:
        device = DeviceClient(DEVICE, "4", buffer, line, clock=lambda: house.clock.now)
        played = play(
            device,
            Felt(seats=7),
            random.Random(2),
            4,
            pause=lambda seconds: house.clock.add(int(seconds * SECOND)),
            dealers=[DEALER],
        )
    four = house.room.state.of(TABLES).tables["4"]
    assert (four.rounds_counted, four.wagers_counted) == (4, sum(map(len, played.rounds)))
    assert evening.is_sound()


@pytest.mark.slow
def test_m_10_the_simulator_plays_at_a_server_in_a_process_of_its_own(house: House, tmp_path: Path) -> None:
    evening = Evening(house)
    token = evening.device.headers["authorization"].removeprefix("Bearer ")
    path = house.room.books.directory.path
    house.room.close()
    pace = Pace(wagering=(1.1, 1.1), playing=(1.1, 1.1), retry=0.1)
    with running(path) as server, DeviceBuffer(tmp_path / "buffer") as buffer:
        url = f"{server.address.rstrip('/')}/api/v1/devices/messages"
        line = FaultyLine(HttpLine(url, token), FAULTS, random.Random(3))
        device = DeviceClient(DEVICE, "4", buffer, line, clock=microseconds_now)
        wait = threading.Event().wait
        played = play(device, Felt(seats=7), random.Random(3), 4, pause=wait, dealers=[DEALER], pace=pace)
        assert server.end()[0] == 0
    with served(path) as again:
        four = again.room.state.of(TABLES).tables["4"]
        assert (four.rounds_counted, four.wagers_counted) == (4, sum(map(len, played.rounds)))
