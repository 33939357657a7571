"""The device simulator: whatever its line does, no press is lost and none is counted twice (M-10)."""

from __future__ import annotations

import json
import os
import random
import signal
import subprocess
import sys
import threading
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import pytest

from pitboss.tabulator import AlarmLimits
from pitboss.tabulator.devices.client import (
    DeviceBuffer,
    DeviceClient,
    DoorLine,
    FaultyLine,
    Felt,
    HttpLine,
    LineCutError,
    LineFaults,
    LockedError,
    NotAllowedError,
    Pace,
    Played,
    play,
)
from tests.books.making import Room
from tests.jackpot.making import make_bonus
from tests.tabulator.making import DEVICE, FINAL_FOUR, SECOND, Floor, floor, make_setup
from tests.tabulator.wire import served

ROOT = Path(__file__).parents[2]
TOKEN = "a-token-of-the-test"  # noqa: S105 - of this test alone


def device_at(at: Floor, path: Path, faults: LineFaults | None = None, seed: int = 1, skew: int = 0) -> DeviceClient:
    line = FaultyLine(DoorLine(at.tables.receive), faults or LineFaults(), random.Random(seed))
    return DeviceClient(DEVICE, "4", DeviceBuffer(path / "buffer"), line, clock=lambda: at.clock.now + skew)


def played_at(
    at: Floor, device: DeviceClient, rounds: int, seed: int = 1, felt: Felt | None = None, **said: Any
) -> Played:
    return play(device, felt or Felt(seats=7), random.Random(seed), rounds, pause=at.clock.add, **said)


FAULTS = {
    "none": LineFaults(),
    "duplicates": LineFaults(duplicate=0.5),
    "gaps": LineFaults(lost_request=0.4),
    "lost replies": LineFaults(lost_reply=0.4),
    "reordering": LineFaults(reorder=0.4),
    "cut line": LineFaults(cut=0.2, cut_messages=4),
    "all": LineFaults(duplicate=0.2, lost_request=0.2, lost_reply=0.2, reorder=0.2, cut=0.05),
}


@pytest.mark.parametrize("faults", FAULTS.values(), ids=list(FAULTS))
def test_m_10_whatever_the_line_does_every_round_is_counted_once(
    faults: LineFaults, sqlite_room: Room, tmp_path: Path
) -> None:
    with floor(sqlite_room, make_setup()) as at:
        device = device_at(at, tmp_path, faults)
        played = played_at(at, device, 25)
        assert len(played.rounds) == 25
        assert at.four.rounds_counted == 25
        wanted = {str(seat): sum((seat, 1) in there for there in played.rounds) for seat in range(1, 8)}
        assert at.four.counts[FINAL_FOUR] == {seat: wagers for seat, wagers in wanted.items() if wagers}
        assert at.wagers() == sum(wanted.values())
        assert at.is_sound()


def test_dead_and_stuck_sensors_and_a_wrong_clock_raise_their_alarms(sqlite_room: Room, tmp_path: Path) -> None:
    limits = AlarmLimits(silent_rounds=8, stuck_presses=6)
    with floor(sqlite_room, make_setup(limits=limits)) as at:
        device = device_at(at, tmp_path, skew=3_600 * SECOND)
        felt = Felt(seats=7, wager=0.9, dead=frozenset({(3, 1)}), stuck=frozenset({(6, 1)}))
        played_at(at, device, 12, felt=felt, dealers=["Dan", "Dora"])
        assert set(at.tables.room.alarms) == {"silent 4 3.1", "stuck 4 6.1", f"clock device {DEVICE}"}


def test_a_dealers_double_presses_are_ignored(sqlite_room: Room, tmp_path: Path) -> None:
    with floor(sqlite_room, make_setup()) as at:
        played = played_at(at, device_at(at, tmp_path), 10, pace=Pace(double_press=0.7))
        assert at.four.rounds_counted == len(played.rounds) == 10
        assert any(reply["status"] == "ignored" for reply in played.replies)


def test_t_09_while_a_press_waits_new_ones_are_refused_at_the_device(sqlite_room: Room, tmp_path: Path) -> None:
    with floor(sqlite_room, make_setup()) as at:
        device = device_at(at, tmp_path, LineFaults(cut=1, cut_messages=2))
        device.press([(1, 1)])
        assert device.deliver()
        at.clock.add(60)
        device.press([])
        assert not device.deliver()
        at.clock.add(2)
        with pytest.raises(LockedError, match="T-09"):
            device.press([(2, 1)])
        assert not device.deliver()
        assert device.deliver()
        assert at.four.phase == "open"
        device.press([(2, 1)])


def test_m_10_what_waited_at_a_cut_line_comes_with_its_own_time(sqlite_room: Room, tmp_path: Path) -> None:
    with floor(sqlite_room, make_setup("andromeda-1"), jackpots=[make_bonus()]) as at:
        line = FaultyLine(DoorLine(at.tables.receive), LineFaults(lost_request=1), random.Random(1))
        device = DeviceClient(DEVICE, "4", DeviceBuffer(tmp_path / "b"), line, clock=at.clock, buffers=True)
        for _ in range(3):
            device.batch([(at.clock.now, [(1, 1), (2, 1)]), (at.clock.now + 1, [(1, 1)])])
            assert not device.deliver()
            at.clock.add(3_600)
        device.line = DoorLine(at.tables.receive)
        assert device.deliver()
        assert (at.four.rounds_counted, at.wagers("daily")) == (6, 9)
        assert at.tables.room.alarms == {}
        assert at.is_sound()


def test_a_buffer_remembers_what_was_not_acknowledged_and_uses_no_number_again(tmp_path: Path) -> None:
    path = tmp_path / "folder" / "buffer"
    with DeviceBuffer(path) as buffer:
        for name in "abc":
            buffer.keep({"type": name})
        buffer.done(1)
    with path.open("ab") as file:
        file.write(b'{"type":"torn"')
    for _ in range(2):
        with DeviceBuffer(path) as buffer:
            assert [(each["type"], each["sequence"]) for each in buffer.pending.values()] == [("b", 2), ("c", 3)]
            assert buffer.next == 4
    with DeviceBuffer(path) as buffer:
        buffer.done(3)
    with DeviceBuffer(path) as buffer:
        assert (buffer.pending, buffer.next) == ({}, 4)
        buffer.go_on_after(9)
    with DeviceBuffer(path) as buffer:
        assert buffer.keep({"type": "d"})["sequence"] == 10


def test_a_device_without_its_memory_goes_on_after_what_the_server_has(sqlite_room: Room, tmp_path: Path) -> None:
    with floor(sqlite_room, make_setup()) as at:
        played_at(at, device_at(at, tmp_path / "first"), 3)
        fresh = device_at(at, tmp_path / "second")
        played_at(at, fresh, 2)
        assert at.four.rounds_counted == 5
        assert "refused" not in {each["status"] for each in fresh.replies}


def test_m_10_a_press_is_delivered_though_the_clock_was_set_back_since(sqlite_room: Room, tmp_path: Path) -> None:
    with floor(sqlite_room, make_setup()) as at:
        device = device_at(at, tmp_path)
        device.press([(1, 1)])
        at.clock.add(-3)
        assert device.deliver()
        assert (at.four.rounds_counted, at.tables.room.alarms) == (1, {})


def test_the_same_simulator_speaks_http_with_its_token(sqlite_room: Room, tmp_path: Path) -> None:
    with floor(sqlite_room, make_setup()) as at, served(at.tables.receive, {TOKEN: DEVICE}) as url:
        line = FaultyLine(HttpLine(url, TOKEN), FAULTS["all"], random.Random(5))
        device = DeviceClient(DEVICE, "4", DeviceBuffer(tmp_path / "buffer"), line, clock=at.clock)
        played = played_at(at, device, 5)
        assert at.wagers() == sum(len(there) for there in played.rounds)
        with pytest.raises(NotAllowedError, match="401"):
            HttpLine(url, "another").send(b"{}")
    with pytest.raises(LineCutError):
        HttpLine(url, TOKEN).send(b"{}")
    # SCREENS S17: with the address of the server alone it hung for ever.
    with pytest.raises(LineCutError, match="/api/v1/devices/messages"):
        HttpLine(f"http://{urlsplit(url).netloc}", TOKEN).send(b"{}")
    with pytest.raises(ValueError, match="http://"):
        HttpLine("file:///etc/passwd")


def waited_for(path: Path, lines: int) -> list[tuple[int, int]]:
    """Wait until so many presses are written down; give their numbers and wagers."""
    for _ in range(6_000):
        found = path.read_text().splitlines() if path.exists() else []
        if len(found) >= lines:
            return [(int(line.split()[0]), int(line.split()[1])) for line in found]
        threading.Event().wait(0.005)
    raise AssertionError("the device does not press")


def kill_devices(at: Floor, tmp_path: Path, times: int, seed: int) -> None:
    """Kill the device again and again; every press that it was shown as done is counted once in the end."""
    rng, notes = random.Random(seed), tmp_path / "pressed"
    with served(at.tables.receive, {TOKEN: DEVICE}) as url:
        asked = [sys.executable, "-m", "tests.tabulator.pressing_device", url, TOKEN, str(tmp_path), "100000"]
        pressed = 0
        for _ in range(times):
            process = subprocess.Popen(asked, cwd=ROOT)  # noqa: S603 - our own program
            pressed = len(waited_for(notes, pressed + rng.randint(1, 12)))
            os.kill(process.pid, signal.SIGKILL)
            assert process.wait() == -signal.SIGKILL
        last = subprocess.run([*asked[:-1], "0"], cwd=ROOT, check=False)  # noqa: S603 - our own program
        assert last.returncode == 0
    shown = waited_for(notes, 1)
    sequences = [sequence for sequence, _ in shown]
    assert len(set(sequences)) == len(sequences)
    counted = {
        said["device_sequence"]: len(said.get("seen", ()))
        for entry in at.room.entries()
        if "device_sequence" in (said := json.loads(entry.payload))
    }
    # A press on disk that was not shown yet when the device died comes too; none that was shown is missing.
    assert sorted(counted) == list(range(1, len(counted) + 1))
    assert {sequence: counted[sequence] for sequence in sequences} == dict(shown)
    assert at.is_sound()


def test_m_10_a_device_that_is_killed_loses_nothing_pressed(sqlite_room: Room, tmp_path: Path) -> None:
    with real_time(sqlite_room) as at:
        kill_devices(at, tmp_path, 1, seed=3)


@pytest.mark.slow
def test_m_10_a_device_that_is_killed_often_loses_nothing_pressed(sqlite_room: Room, tmp_path: Path) -> None:
    with real_time(sqlite_room) as at:
        kill_devices(at, tmp_path, 40, seed=4)


def real_time(room: Room) -> Any:
    """A floor whose clock is the computer's, for devices in other processes."""
    limits = AlarmLimits(clock_seconds=10**6, silent_rounds=10**6, stuck_presses=10**6)
    return floor(room, make_setup(limits=limits))
