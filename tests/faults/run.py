"""One seed from its first move to the verdict; and the crash states that a run may have left."""

from __future__ import annotations

import hashlib
import random
import shutil
import tempfile
from collections.abc import Callable
from dataclasses import dataclass, field
from datetime import timedelta
from pathlib import Path

import pytest

from pitboss.books import EPOCH, LEDGER, ROOM, open_books
from pitboss.room.approvals import APPROVALS
from pitboss.room.projections import INVARIANTS, PROJECTIONS
from tests.faults import layout
from tests.faults.disk import Disk, left_by_power_cut, see
from tests.faults.floor import Floor
from tests.faults.judge import Judge, Shown, digest_of, rows_of
from tests.faults.moves import play
from tests.faults.recording import COMPUTER
from tests.faults.world import lay, one_process
from tests.programs import quick_folder

STEPS = 150


@dataclass(slots=True)
class Verdict:
    """What became of a seed: everything that is wrong, the hash of all that happened, and how much that was."""

    seed: int
    findings: list[str]
    digest: str
    counts: dict[str, int]
    entries: int
    crash_states: int = 0
    disks: list[Disk] = field(default_factory=list)


def judged(floor: Floor) -> tuple[list[str], str, int]:
    """Have the judge read what is on the disk now, from a copy, and what the room shows."""
    with tempfile.TemporaryDirectory(dir=quick_folder(), prefix="pitboss-judge-") as folder:
        for name in ("journal.sqlite3", "journal.sqlite3-wal"):
            if (COMPUTER.folder / name).exists():
                shutil.copy(COMPUTER.folder / name, folder)
        rows = rows_of(Path(folder))
    room = floor.room
    state, calendar = room.services.state, room.services.state.of(ROOM)
    assert calendar is not None

    def shift_of(instant: int) -> tuple[str, str]:
        shift = calendar.shift(EPOCH + timedelta(microseconds=instant))
        return shift.day.isoformat(), shift.name

    shown = Shown(
        displays={table: floor.shown(table) for table in layout.TABLES},
        balances={name: dict(state.of(LEDGER)[name].balances) for name in state.of(LEDGER)},
        waiting=tuple(state.parts[APPROVALS.name]),
        shift_of=shift_of,
        sequence=state.sequence,
    )
    return Judge(floor.record).look(rows, shown), digest_of(rows), len(rows)


def run_seed(
    seed: int, *, steps: int = STEPS, crash_states: int = 0, plant: Callable[[pytest.MonkeyPatch], None] | None = None
) -> Verdict:
    """Play a seed, and have everything judged: after crashes, at the end, and what else a power cut might have left."""
    floors: list[Floor] = []
    with one_process(lambda: floors[0].clock) as patch:
        if plant is not None:
            plant(patch)
        floor = Floor(seed, patch)
        floors.append(floor)
        try:
            floor.begin()

            def look() -> None:
                if not floor.record.findings and floor.restarts % 3 == 0:
                    floor.record.findings += judged(floor)[0]

            floor.on_restart = look
            play(floor, steps)
            floor.settle()
            floor.crash(power=True)
            floor.settle()
            findings, digest, entries = judged(floor)
        except Exception as error:  # noqa: BLE001 - whatever ends the room so is a finding
            findings, digest, entries = [f"ended by {type(error).__name__}: {error}"], "", 0
        finally:
            floor.server.close()
            for device in floor.devices.values():
                device.buffer.close()
        disks = [*floor.server.crashed, COMPUTER.disk]
    whole = hashlib.sha256("\n".join([floor.record.digest(), digest, *floor.server.digests]).encode()).hexdigest()
    findings = list(dict.fromkeys([*floor.record.findings, *findings]))
    verdict = Verdict(seed, findings, whole, floor.record.counts, entries, disks=disks)
    if crash_states and not findings:
        verdict.findings += look_at_crash_states(disks, crash_states, random.Random(seed))
        verdict.crash_states = crash_states
    return verdict


def look_at_crash_states(disks: list[Disk], number: int, rng: random.Random) -> list[str]:
    """Open what power cuts at so many instants may have left, by the real code, and return what is lost or halted."""
    findings = []
    changes = [len(disk.log) for disk in disks]
    places = sorted(rng.randrange(sum(changes)) for _ in range(number))
    first = 0
    for disk, size in zip(disks, changes, strict=True):
        mine = [place - first for place in places if first <= place < first + size]
        first += size
        images, at = disk.images(), 0
        for place in mine:
            for change in disk.log[at:place]:
                see(images, change)
            at = place
            findings += look_at_one(disk, place, left_by_power_cut(images, rng))
    return findings


def look_at_one(disk: Disk, place: int, files: dict[str, bytes]) -> list[str]:
    """Open the files of one crash state with the standard library's SQLite: what was acknowledged is there."""
    last = max((mark for mark in disk.marks if mark.changes <= place), default=None)
    with tempfile.TemporaryDirectory(dir=quick_folder(), prefix="pitboss-crash-") as folder:
        path = Path(folder) / "room"
        lay(path, files | {"store.toml": b'store = "sqlite"\n'})
        with open_books(path, projections=PROJECTIONS, invariants=INVARIANTS) as books:
            if books.halted:
                return [f"crash after change {place}: halted: {books.halted[:2]}"]
            entry = None if last is None else books.store.entry("room", last.sequence)
            if last is not None and (entry is None or entry.digest.hex() != last.digest):
                return [f"crash after change {place}: entry {last.sequence} was acknowledged and is {entry}"]
    return []
