"""The receiver of device messages: one comes in, is journalled once by device and sequence, and is answered.

Messages of a device are applied in the order of their sequence, each once. One that comes again is answered as the
first time; one that comes too early is answered `waiting`, with the number that is expected, and comes again. One that
cannot be applied is journalled with the reasons and acknowledged, so that nothing waits behind it for ever (M-10).
"""

from dataclasses import dataclass, replace
from typing import Any

from pitboss import books
from pitboss.commands import By, Command, Executor, Now, Number, command, refuse, roles
from pitboss.commands.command import SYSTEM_ACTOR
from pitboss.tabulator import entries
from pitboss.tabulator.devices.protocol import Message, UnreadableMessageError, read_message
from pitboss.tabulator.outages import LoseLink
from pitboss.tabulator.rounds import ButtonPress, late_drafts, press_drafts, review_escrow, upload_drafts
from pitboss.tabulator.state import TABLES, table_of
from pitboss.tabulator.tables import dealer_change
from pitboss.tabulator.values import RoomTables

LINK_SECONDS = 30
"""A device that has not been heard for so long has lost its line (T-05, T-09)."""


class EarlyMessageError(books.RefusedError):
    """A message before which others are missing."""


@command("tables/apply-message", roles=roles.DEVICE, is_exposed=False)
@dataclass(frozen=True, slots=True, kw_only=True)
class ApplyMessage(Command):
    """Apply a message of a device in its turn: a press, late wagers, a batch of rounds, a dealer's badge, or a fault.

    `skew` is by how much the device's clock is wrong, where that is too much; with `problems` the message could not be
    applied, and is written down with them.
    """

    message: Message
    skew: Number = 0
    problems: tuple[str, ...] = ()

    def content(self) -> list[Any]:
        """Return the message as it is journalled, by which a device may send it again after an upgrade."""
        return self.message.content

    def table_name(self, state: books.BookState) -> str:
        """Return the table of the device."""
        return self.message.table

    def entries(self, now: Now, by: By) -> list[books.Draft]:
        """Return what the message does, after the line that is found again where it was lost."""
        device, sequence = now.state.of(TABLES).devices[self.message.device], self.message.sequence
        if sequence > device.sequence + 1:
            raise EarlyMessageError([f"message {device.sequence + 1} of {device.device} comes first (M-10)"])
        if sequence <= device.sequence:
            refuse([f"message {sequence} of {device.device} was given up (M-10)"])
        drafts = self._drafts(now.state)
        return [books.Draft(entries.LinkFound(device=device.device)), *drafts] if device.lost else drafts

    def _drafts(self, state: books.BookState) -> list[books.Draft]:
        message, table = self.message, self.message.table
        source: Any = {"device": message.device, "device_sequence": message.sequence}
        press = ButtonPress(message.at, seen=message.sensors, skew=self.skew, **source)
        if self.problems:
            refusal = entries.MessageRefused(type=message.type, problems=self.problems, seen=message.sensors, **source)
            return [books.Draft(refusal, happened=press.happened_at)]
        if message.type == "press":
            return press_drafts(state, table, press)
        if message.type == "late":
            return late_drafts(state, table, press)
        if message.type == "batch":
            return upload_drafts(state, table, message.rounds, press)
        if message.type == "dealer":
            return [books.Draft(dealer_change(state, table, message.dealer, **source))]
        table_of(state, table)
        fault = entries.FaultTold(code=message.code, words=message.words, **source)
        return [books.Draft(fault, happened=press.happened_at)]


class Receiver:
    """Receives the messages of a room's devices.

    `heard` has when each device was last heard by our clock: the one thing that is not in the books, because it means
    nothing once the process is gone.
    """

    def __init__(self, executor: Executor) -> None:
        self.executor = executor
        self.heard: dict[str, books.Instant] = {}

    @property
    def _room(self) -> RoomTables:
        return self.executor.services.state.of(TABLES)

    def receive(self, message: bytes | str, *, device: str | None = None) -> dict[str, Any]:
        """Apply a message of a device once, and return the reply; see docs/devices.md.

        `device` is whose token came with it, where tokens are checked. Nothing that a device may send raises.
        """
        try:
            content = read_message(message)
        except UnreadableMessageError as error:
            return {"status": "unreadable", "problems": list(error.problems)}
        problems = _stranger_problems(self._room, content, device)
        if problems:
            return {"status": "refused", "device": content.device, "problems": problems}
        self.heard[content.device] = self.executor.services.clock()
        if not content.is_keyed:
            return self._reply(content, "heard")
        return self._apply(content)

    def watch(self, *, id: str) -> list[str]:  # noqa: A002
        """Write down which devices of open tables have not been heard for long; return their names (T-09)."""
        now, room, lost = self.executor.services.clock(), self._room, []
        for name, device in room.devices.items():
            table = room.tables.get(device.table)
            if table is None or table.setup.device != name or table.life == "closed" or device.lost:
                continue
            silent = now - self.heard.setdefault(name, now)
            if table.setup.equipment.counts == "at-once" and silent > LINK_SECONDS * 1_000_000:
                link = LoseLink(device=name, words=f"nothing heard for {LINK_SECONDS} seconds")
                self.executor.do(link, SYSTEM_ACTOR, id=f"{id}-{name}")
                lost.append(name)
        return lost

    def _apply(self, message: Message) -> dict[str, Any]:
        skew = self._skew(message)
        try:
            answer = self._submit(ApplyMessage(message=message, skew=skew))
        except (books.HaltedError, books.StoreError, books.ClosedError) as error:
            # Nothing was acknowledged: the device keeps the message and sends it again.
            return self._reply(message, "later", problems=[str(error)])
        except EarlyMessageError as error:
            return self._reply(message, "waiting", problems=list(error.problems))
        except books.RefusedError as error:
            problems = error.problems
            review_escrow(self.executor, command_id(message))
            try:
                answer = self._submit(ApplyMessage(message=message, skew=skew, problems=problems))
            except (books.RefusedError, books.HaltedError, books.StoreError, books.ClosedError) as again:
                return self._reply(message, "refused", problems=str(again).split("; "))
        return self._reply(message, **_outcome(answer))

    def _skew(self, message: Message) -> int:
        """Return by how much the device's clock is wrong, where that is more than its table allows (M-10)."""
        setup = self._room.tables[message.table].setup
        skew = self.heard[message.device] - message.sent
        is_wrong = abs(skew) > setup.limits.clock_seconds * 1_000_000
        # An instant before 1970 is none, whatever a device's clock shows.
        return max(skew, -message.at) if is_wrong else 0

    def _submit(self, command: ApplyMessage) -> books.Answer:
        """Submit a message under its own id and content; the role is not part of it."""
        message, executor = command.message, self.executor
        by = By(f"device {message.device}", "device")
        submission = executor.submission(command, by, id=command_id(message))
        return executor.services.books.submit(replace(submission, content=command.content()))

    def _reply(self, message: Message, status: str, **fields: Any) -> dict[str, Any]:
        """Return how the table stands now: what the device shows, and the next message that is expected."""
        room = self._room
        table, device = room.tables[message.table], room.devices[message.device]
        reply: dict[str, Any] = {
            "status": status,
            "device": message.device,
            "acknowledged": device.sequence,
            "table": {
                "name": table.table,
                "life": table.life,
                "phase": table.phase,
                "round": table.on_table,
                "dealer": table.dealer,
                "lights": [list(place) for place in table.lights],
                "by_hand": table.down is not None,
            },
        }
        if message.is_keyed:
            reply["sequence"] = message.sequence
        return reply | fields


def command_id(message: Message) -> str:
    """Return the id of the command that a message is: its device and its sequence."""
    return f"device {message.device} {message.sequence}"


def _stranger_problems(room: RoomTables, message: Message, device: str | None) -> list[str]:
    """Return why a message is not that of a table's device; such a one is neither journalled nor acknowledged."""
    problems = []
    if device is not None and device != message.device:
        problems.append(f"device {device} speaks as {message.device} (T-09)")
    table = room.tables.get(message.table)
    if table is None or message.device not in room.devices or table.setup.device != message.device:
        problems.append(f"{message.device} is not the device of table {message.table} (T-09)")
    return problems


def _outcome(answer: books.Answer) -> dict[str, Any]:
    """Return the reply's fields by what was journalled, which is the same however often a message comes."""
    values = [books.read_payload(entry.kind, entry.payload) for entry in answer.entries]
    value = next(value for value in values if not isinstance(value, entries.LinkFound))
    again: dict[str, Any] = {"again": True} if answer.again else {}
    if isinstance(value, entries.MessageRefused):
        return {"status": "refused", "problems": list(value.problems), **again}
    if isinstance(value, entries.RoundTabulated):
        notices = [*value.notices, *value.not_counted.values()]
        lights = [list(place) for place in value.lights]
        return {"status": "counted", "notices": notices, **again, "round": value.round, "lights": lights}
    if isinstance(value, entries.RoundReleased | entries.LateNoticed):
        status = "released" if isinstance(value, entries.RoundReleased) else "noted"
        notices = [f"a wager at {position}.{number} came too late (F-02)" for position, number in value.late]
        return {"status": status, "round": value.round, "notices": notices, **again}
    if isinstance(value, entries.PressIgnored):
        return {"status": "ignored", "round": value.round, **again}
    if isinstance(value, entries.BatchTabulated):
        notices = list(value.not_counted.values())
        return {"status": "counted", "round": value.round, "rounds": value.rounds, "notices": notices, **again}
    assert isinstance(value, entries.DealerChanged | entries.FaultTold)
    return {"status": "noted", **again}
