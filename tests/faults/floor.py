"""A floor at work, by one seed: devices press, people act, time passes, and everything fails now and then."""

from __future__ import annotations

import datetime
import json
import random
from collections.abc import Callable
from concurrent.futures import Future
from pathlib import Path
from typing import Any

import pytest

from pitboss.books import EPOCH, ROOM, Answer, ClosedError, HaltedError, RefusedError, StoreError
from pitboss.commands import By, Command
from pitboss.jackpot.escrow import review_escrow
from pitboss.room import room as room_module
from pitboss.room.room import Room
from pitboss.tabulator.devices.client import DeviceBuffer, DeviceClient, LineCutError, LockedError
from tests.faults import layout
from tests.faults.disk import SYNC, TRUNCATE, WRITE, Disk, Fault, KilledError
from tests.faults.record import DONE, LATER, REFUSED, UNKNOWN, Act, Pressed, Record
from tests.faults.world import SECOND, Clock, Ids, Server

AWAY = (StoreError, HaltedError, ClosedError)
Run = Callable[[Room], Answer]


class Line:
    """The line of a device: messages are lost, repeated, kept back and come late, and so are replies."""

    def __init__(self, floor: Floor, name: str) -> None:
        self.floor, self.name = floor, name
        self.is_down = False

    def send(self, message: bytes) -> dict[str, Any]:
        """Send a message and wait for its reply."""
        chance = self.floor.rng.random()
        if self.is_down or chance < 0.04:
            raise LineCutError("the message was lost")
        if chance < 0.08:
            self.floor.late.append((self.name, message))
            raise LineCutError("the message is on its way")
        if chance < 0.11:
            self.floor.late.append((self.name, message))
        reply = self.floor.receive(self.name, message)
        if chance < 0.15:
            raise LineCutError("the reply was lost")
        return reply


class Floor:
    """The simulated floor, driven by one generator of chance."""

    def __init__(self, seed: int, patch: pytest.MonkeyPatch) -> None:
        self.seed, self.rng = seed, random.Random(seed)
        start = layout.STARTS[seed % len(layout.STARTS)]
        self.clock = Clock(start + 3600 * SECOND)
        self.patch = patch
        self.patch.setattr(room_module, "uuid", Ids())
        self.record = Record()
        self.server = Server(layout.template(start), self.clock, random.Random(seed + 1), patch)
        self.late: list[tuple[str, bytes]] = []
        self.again: list[tuple[Act, Run]] = []
        self.done: list[tuple[Act, Run]] = []
        self.is_jumped = 0
        self.number = 0
        self.restarts = 0
        self.on_restart: Callable[[], object] = lambda: None
        self.lines = {table: Line(self, layout.device_of(table)) for table in layout.TABLES}
        self.devices: dict[str, DeviceClient] = {}

    # The server.

    @property
    def room(self) -> Room:
        """The room as the server has it now."""
        return self.server.room

    @property
    def disk(self) -> Disk:
        """The disk as it is now."""
        return self.server.disk

    def begin(self) -> None:
        """Start the server and the devices."""
        self.server.start()
        for table, line in self.lines.items():
            path = Path(self.server._folder.name) / "devices" / table
            client = DeviceClient(line.name, table, DeviceBuffer(path), line, clock=self.clock.right)
            self.devices[table] = client
            client.hello()
        self.beat()

    def crash(self, *, power: bool | None = None) -> None:
        """End the server without a word and start it again, perhaps with other versions of its parts."""
        power = self.rng.random() < 0.6 if power is None else power
        self.record.count("power cut" if power else "killed")
        if self.is_jumped and not self.room.books._jump:
            # Nobody has noticed yet: a computer that starts sets its clock by the network.
            self.clock.jump(-self.is_jumped)
            self.is_jumped = 0
        for attempt in range(5):
            self.server.end(power=power)
            if self.rng.random() < 0.15:
                self.server.upgrade()
                self.record.count("upgrade")
            try:
                self.server.start()
                if attempt < 3 and self.rng.random() < 0.1:
                    # Killed again while it opens: the new disk is killed at its first writes.
                    self.disk.kill_in = self.rng.randint(0, 3)
                    self.beat()
                break
            except KilledError:
                self.record.count("killed while opening")
                power = self.rng.random() < 0.6
        self.disk.kill_in = None
        self.restarts += 1
        self.record.note("restart", self.room.services.state.sequence, self.room.services.state.digest.hex())
        if self.room.books.halted:
            self.record.find(f"halted after a crash that damaged nothing: {self.room.books.halted[:2]}")
        self.beat()
        self.on_restart()

    def beat(self) -> None:
        """Have every display say what it shows."""
        for table in layout.TABLES:
            self.room.displays.beat(f"monitor {table}", self.shown(table))

    def shown(self, table: str) -> dict[str, int]:
        """Return what the display over a table shows."""
        from pitboss.room import displays  # noqa: PLC0415 - planted bugs replace it there

        return displays.shown_at(self.room.state, table)

    @property
    def is_well(self) -> bool:
        """Whether nothing is about to fail."""
        return not self.disk.is_failing() and self.disk.kill_in is None and not self.room.books.is_halted

    def crosses_shift(self, since: int) -> bool:
        """Whether another shift may begin between an instant and a minute from now."""
        calendar = self.room.services.state.of(ROOM)
        assert calendar is not None
        times = [EPOCH + datetime.timedelta(microseconds=at) for at in (since, self.clock.now + 60 * SECOND)]
        return calendar.shift(times[0]) != calendar.shift(times[1])

    # People.

    def id(self) -> str:
        """Return a fresh id of a client."""
        self.number += 1
        return f"c{self.number}"

    def ask(self, what: str, by: str, run: Run, *, expect: str = "", id: str | None = None) -> Answer | None:  # noqa: A002
        """Have somebody ask for something, and note what they are told."""
        act = self.record.asked(id or self.id(), what, by, self.clock.now, expect)
        return self.carry_out(act, run)

    def carry_out(self, act: Act, run: Run) -> Answer | None:
        """Ask for it, now or again, and note the answer."""
        is_again = act.outcome == DONE
        try:
            answer = run(self.room)
        except KilledError:
            self.record.answered(act, UNKNOWN)
            self.again.append((act, run))
            self.crash()
            return None
        except RefusedError as error:
            self.record.answered(act, REFUSED, words="; ".join(error.problems))
            return None
        except AWAY as error:
            self.record.answered(act, UNKNOWN, words=type(error).__name__)
            self.again.append((act, run))
            return None
        return self.answered(act, run, answer, is_again=is_again)

    def answered(self, act: Act, run: Run, answer: Answer, *, is_again: bool = False) -> Answer:
        """Note what was done."""
        if self.is_jumped and not answer.again:
            self.record.find(f"{act.id} ({act.what}) was written while the clock had jumped")
        if is_again and not answer.again:
            self.record.find(f"{act.id} ({act.what}) was done again")
        self.record.answered(act, DONE, [entry.sequence for entry in answer.entries])
        for entry in answer.entries:
            self.acknowledge(entry.sequence, entry.digest.hex())
        self.server.mark()
        if not is_again:
            self.done.append((act, run))
        return answer

    def acknowledge(self, sequence: int, digest: str) -> None:
        """Note an entry that somebody was told of: it is the same for ever."""
        if self.record.heads.setdefault(sequence, digest) != digest:
            self.record.find(f"entry {sequence} is another than the one that was acknowledged")

    def do(self, command: Command, by: By, *, expect: str = "", id: str | None = None) -> Answer | None:  # noqa: A002
        """Have somebody carry out a command."""
        name = id or self.id()
        return self.ask(command.spec.name, by.name, lambda room: room.do(command, by, id=name), expect=expect, id=name)

    def give(self, number: int, name: str, *, expect: str = "") -> Answer | None:
        """Have somebody approve a request."""
        ask_id, roles = self.id(), frozenset({layout.PEOPLE[name]})
        return self.ask(
            "approve", name,
            lambda room: room.approvals.give(number, name=name, roles=roles, id=ask_id),
            expect=expect, id=ask_id,
        )  # fmt: skip

    def together(self, asked: list[tuple[str, Command, By]]) -> list[Answer | None]:
        """Have several people ask in one instant, in one commit; devices that wait are in it too."""
        room, futures = self.room, list[tuple[Act, Run, Future[Answer]]]()
        self.server.writer.is_held = True
        answers: list[Answer | None] = []
        try:
            for name, command, who in asked:
                act = self.record.asked(name, command.spec.name, who.name, self.clock.now, "")
                run = _run(command, who, name)
                try:
                    futures.append((act, run, room.do_later(command, who, id=name)))
                except RefusedError as error:
                    self.record.answered(act, REFUSED, words="; ".join(error.problems))
            waiting = self._pressed_together()
            self.server.writer.is_held = False
            self.server.writer.take_turn()
        except KilledError:
            for act, run, future in futures:
                if future.done() and future.exception() is None:
                    self.answered(act, run, future.result())
                else:
                    self.again.append((act, run))
            self.crash()
            return answers
        for act, run, future in futures:
            answers.append(self.carry_out_now(act, run, future))
        self._reply_together(waiting)
        return answers

    def carry_out_now(self, act: Act, run: Run, future: Future[Answer]) -> Answer | None:
        """Note the answer that a future has; who is told nothing asks again by themselves."""
        error = future.exception()
        if error is None:
            return self.answered(act, run, future.result())
        if isinstance(error, RefusedError):
            self.record.answered(act, REFUSED, words="; ".join(error.problems))
        elif isinstance(error, AWAY):
            self.record.answered(act, UNKNOWN, words=type(error).__name__)
            self.again.append((act, run))
        else:
            raise error
        return None

    def _pressed_together(self) -> list[tuple[DeviceClient, Any, Future[Answer]]]:
        waiting = []
        for device in self.devices.values():
            if device.buffer.pending and self.rng.random() < 0.7:
                message = next(iter(device.buffer.pending.values()))
                future: Future[Answer] = Future()
                content = self.room.devices.receive_later(device._text(message), future, device=device.name)
                if content is not None:
                    waiting.append((device, content, future))
        return waiting

    def _reply_together(self, waiting: list[tuple[DeviceClient, Any, Future[Answer]]]) -> None:
        for device, content, future in waiting:
            if future.done() and future.exception() is None:
                self.take_reply(device.name, self.room.devices.reply_to(content, future.result()))
                for entry in future.result().entries:
                    self.acknowledge(entry.sequence, entry.digest.hex())
                self.server.mark()
                device.buffer.done(content.sequence)

    # Devices.

    def receive(self, name: str, message: bytes) -> dict[str, Any]:
        """Have a message arrive at the server; where that is killed, nothing comes back."""
        try:
            reply: dict[str, Any] = json.loads(json.dumps(self.room.devices.receive(message, device=name)))
        except KilledError:
            self.record.note("killed by a message of", name)
            self.crash()
            raise LineCutError("the server is gone") from None
        self.take_reply(name, reply)
        return reply

    def take_reply(self, name: str, reply: dict[str, Any]) -> None:
        """Note a reply to a press."""
        status, sequence = reply["status"], reply.get("sequence", 0)
        self.record.note("reply", name, sequence, status, reply.get("round", 0))
        self.record.count(f"device {status}")
        pressed = self.record.pressed.get((name, sequence))
        if pressed is not None:
            pressed.statuses.append(status)
            if "round" in reply:
                pressed.rounds.append(reply["round"])
            if pressed.is_acknowledged:
                if self.is_jumped and status not in LATER and not reply.get("again"):
                    self.record.find(f"press {sequence} of {name} was written while the clock had jumped")
                self.server.mark()

    def press(self, table: str, seats: list[int], *, at_once: bool = False) -> None:
        """Press the button of a table; `at_once` within a second of the last press, which may still wait."""
        device = self.devices[table]
        if device.is_locked and not at_once:
            self.deliver(table)
        try:
            kept = device.press(tuple((seat, 1) for seat in seats))
        except LockedError:
            return
        seen = tuple((seat, 1) for seat in seats)
        pressed = Pressed(device.name, kept["sequence"], kept["at"], seen)
        self.record.pressed[device.name, kept["sequence"]] = pressed
        self.record.note("press", device.name, kept["sequence"], kept["at"], seats)

    def deliver(self, table: str) -> None:
        """Have a device send what waits."""
        self.devices[table].deliver()

    def overtake(self, table: str) -> None:
        """Have the last message that waits arrive before those that were sent before it."""
        device = self.devices[table]
        if len(device.buffer.pending) > 1:
            try:
                self.receive(device.name, device._text(device.buffer.pending[max(device.buffer.pending)]))
            except LineCutError:
                return

    def deliver_late(self) -> None:
        """Have a message arrive that was on its way for long; the network forgets none for ever."""
        name, message = self.late.pop(self.rng.randrange(len(self.late)))
        try:
            self.receive(name, message)
        except LineCutError:
            return

    # What the server does by itself, and the end.

    def watch(self) -> None:
        """Have the server do what it does every few seconds."""
        self.beat()
        number = self.id()
        looks: tuple[Callable[[Room], object], ...] = (
            lambda room: room.open_due(),
            lambda room: room.approvals.end_over(id=f"watch-{number}-ended"),
            lambda room: room.displays.review(command=f"watch-{number}-displays"),
            lambda room: review_escrow(room._executor, f"watch-{number}-escrow"),
        )
        for look in looks:
            try:
                if not self.room.books.is_halted:
                    look(self.room)
            except KilledError:
                self.crash()
            except (RefusedError, *AWAY):
                continue

    def fail_disk(self) -> None:
        """Have the disk fail for a while."""
        kinds = self.rng.choice([(WRITE,), (SYNC,), (TRUNCATE,), (WRITE, SYNC, TRUNCATE)])
        error = self.rng.choice([5, 28])
        self.disk.faults.append(Fault(kinds, self.rng.choice([1, 2, 4, 30]), error))
        self.record.count("disk failure")

    def heal(self) -> None:
        """Let nothing fail any more, and have the store used again."""
        self.disk.heal()
        self.disk.kill_in = None
        for line in self.lines.values():
            line.is_down = False
        for _ in range(3):
            self.clock.add(2)
            self.server.writer.try_again()
        if self.is_jumped:
            self.right_clock()
        if self.room.books.unwritable:
            self.record.find(f"the disk is well, and nothing can be written: {self.room.books.unwritable}")

    def right_clock(self) -> None:
        """Set the clock right, and have two people decide so."""
        self.clock.jump(-self.is_jumped)
        try:
            self.room.books.decide_time("room", person="Max", second="Cas", reason="set by the wall")
        except RefusedError as error:
            if "has not jumped" not in str(error):
                self.record.find(f"two people could not decide on the time: {error}")
        except (*AWAY, KilledError) as error:
            self.record.note("no decision", type(error).__name__)
            self.clock.jump(self.is_jumped)
            if isinstance(error, KilledError):
                self.crash()
            return
        self.is_jumped = 0

    def ask_again(self) -> None:
        """Have everybody who was told nothing ask again, under the same ids."""
        waiting, self.again = self.again, []
        for act, run in waiting:
            self.carry_out(act, run)

    def settle(self) -> None:
        """End the trouble: everything works again, and whoever waits for an answer gets it."""
        self.heal()
        for _ in range(12):
            self.heal()
            self.clock.add(1)
            self.beat()
            self.ask_again()
            while self.late:
                self.deliver_late()
            for table in self.devices:
                self.deliver(table)
            if not self.again and not any(device.buffer.pending for device in self.devices.values()):
                return
        waiting = [
            f"{device.name} {min(device.buffer.pending)}" for device in self.devices.values() if device.buffer.pending
        ]
        self.record.find(f"never answered: {[act.id for act, _ in self.again]} {waiting}")


def _run(command: Command, who: By, name: str) -> Run:
    return lambda room: room.do(command, who, id=name)
