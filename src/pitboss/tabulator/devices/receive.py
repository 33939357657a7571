"""The door of devices: a message comes in, is journalled once by device and sequence, and is answered.

Messages of a device are done in the order of their sequence, each once. One that comes again is answered as the first
time; one that comes too early is answered `waiting`, with the number that is expected, and comes again. One that cannot
be done is journalled with the reasons and acknowledged, so that nothing waits behind it for ever (M-10).
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from pitboss.books import Answer, BookState, ClosedError, Draft, HaltedError, RefusedError, StoreError, read_payload
from pitboss.tabulator import entries, lifecycle, rounds
from pitboss.tabulator.devices.protocol import Message, UnreadableMessageError, read_message
from pitboss.tabulator.entries import (
    BatchTabulated,
    DealerChanged,
    LateNoticed,
    PressIgnored,
    RoundReleased,
    RoundTabulated,
)
from pitboss.tabulator.guards import Decide, refuse, table_of
from pitboss.tabulator.rounds import Press
from pitboss.tabulator.state import TABLES
from pitboss.tabulator.values import DeviceRecord, RoomTables

if TYPE_CHECKING:
    from pitboss.tabulator.tables import Tables


class _EarlyError(RefusedError):
    """A message before which others are missing."""


def command_of(device: str, sequence: int) -> str:
    """The id of the command that a message is: its device and its sequence."""
    return f"device {device} {sequence}"


def receive(tables: Tables, text: bytes | str, device: str | None) -> dict[str, Any]:
    """Take a message, do it once, and answer it."""
    try:
        message = read_message(text)
    except UnreadableMessageError as error:
        return {"status": "unreadable", "problems": list(error.problems)}
    problems = _stranger_problems(tables.room, message, device)
    if problems:
        return {"status": "refused", "device": message.device, "problems": problems}
    tables.heard[message.device] = tables.clock()
    if not message.is_keyed:
        return _reply(tables, message, "heard")
    return _answered(tables, message)


def _stranger_problems(room: RoomTables, message: Message, device: str | None) -> list[str]:
    """Say why a message is not that of a table's device; such a one is neither journalled nor acknowledged."""
    problems = []
    if device is not None and device != message.device:
        problems.append(f"device {device} speaks as {message.device} (T-09)")
    table = room.tables.get(message.table)
    if table is None or message.device not in room.devices or table.setup.device != message.device:
        problems.append(f"{message.device} is not the device of table {message.table} (T-09)")
    return problems


def _answered(tables: Tables, message: Message) -> dict[str, Any]:
    command = command_of(message.device, message.sequence)
    press = _press(tables, message)
    try:
        answer = _submit(tables, message, _deciding(message, press))
    except (HaltedError, StoreError, ClosedError) as error:
        # Nothing was acknowledged: the device keeps the message and sends it again.
        return _reply(tables, message, "later", problems=[str(error)])
    except _EarlyError as error:
        return _reply(tables, message, "waiting", problems=list(error.problems))
    except RefusedError as error:
        problems = error.problems
        tables.review_escrow(command)
        try:
            answer = _submit(tables, message, _refusing(message, press, problems))
        except (RefusedError, HaltedError, StoreError, ClosedError) as again:
            return _reply(tables, message, "refused", problems=str(again).split("; "))
    return _told(tables, message, answer)


def _press(tables: Tables, message: Message) -> Press:
    """A message as a press: by our clock where the device's is wrong by more than its table allows (M-10)."""
    setup = tables.room.tables[message.table].setup
    skew = tables.heard[message.device] - message.sent
    wrong = abs(skew) > setup.limits.clock_seconds * 1_000_000
    return Press(
        message.at,
        seen=message.sensors,
        device=message.device,
        device_sequence=message.sequence,
        # An instant before 1970 is none, whatever a device's clock says.
        skew=max(skew, -message.at) if wrong else 0,
    )


def _submit(tables: Tables, message: Message, decide: Decide) -> Answer:
    def in_order(state: BookState) -> list[Draft]:
        device = state.of(TABLES).devices[message.device]
        _verify_order(device, message.sequence)
        drafts = list(decide(state))
        found = [Draft(entries.LinkFound(device=message.device))] if device.lost else []
        return [*found, *drafts]

    command = command_of(message.device, message.sequence)
    return tables.submit(command, f"device {message.device}", message.content, in_order, message.table)


def _verify_order(device: DeviceRecord, sequence: int) -> None:
    if sequence > device.sequence + 1:
        raise _EarlyError([f"message {device.sequence + 1} of {device.device} comes first (M-10)"])
    if sequence <= device.sequence:
        refuse([f"message {sequence} of {device.device} was given up (M-10)"])


def _deciding(message: Message, press: Press) -> Decide:
    if message.type == "press":
        return rounds.pressed(message.table, press)
    if message.type == "late":
        return rounds.noticed_late(message.table, press)
    if message.type == "batch":
        return rounds.batch(message.table, message.rounds, press)
    if message.type == "dealer":
        source = {"device": message.device, "device_sequence": message.sequence}
        return lifecycle.dealer_changed(message.table, message.dealer, **source)  # type: ignore[arg-type]
    return _fault(message, press)


def _fault(message: Message, press: Press) -> Decide:
    def decide(state: BookState) -> list[Draft]:
        table_of(state, message.table)
        told = entries.FaultTold(
            code=message.code, words=message.words, device=message.device, device_sequence=message.sequence
        )
        return [Draft(told, happened=press.happened)]

    return decide


def _refusing(message: Message, press: Press, problems: tuple[str, ...]) -> Decide:
    def decide(_: BookState) -> list[Draft]:
        told = entries.MessageRefused(
            device=message.device,
            device_sequence=message.sequence,
            type=message.type,
            problems=problems,
            seen=message.sensors,
        )
        return [Draft(told, happened=press.happened)]

    return decide


def _reply(tables: Tables, message: Message, status: str, **said: Any) -> dict[str, Any]:
    """Answer with how the table stands now: what the device shows, and the next message that is expected."""
    room = tables.room
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
    return reply | said


def _told(tables: Tables, message: Message, answer: Answer) -> dict[str, Any]:
    """Answer by what was journalled, which is the same however often a message comes."""
    values = [read_payload(entry.kind, entry.payload) for entry in answer.entries]
    said: dict[str, Any] = {"again": True} if answer.again else {}
    value = next(each for each in values if not isinstance(each, entries.LinkFound))
    if isinstance(value, entries.MessageRefused):
        return _reply(tables, message, "refused", problems=list(value.problems), **said)
    if isinstance(value, RoundTabulated):
        said |= {"round": value.round, "lights": [list(place) for place in value.lights]}
        told = [*value.notices, *value.not_counted.values()]
        return _reply(tables, message, "counted", notices=told, **said)
    if isinstance(value, RoundReleased | LateNoticed):
        status = "released" if isinstance(value, RoundReleased) else "noted"
        notices = [f"a wager at {position}.{number} came too late (F-02)" for position, number in value.late]
        return _reply(tables, message, status, round=value.round, notices=notices, **said)
    if isinstance(value, PressIgnored):
        return _reply(tables, message, "ignored", round=value.round, **said)
    if isinstance(value, BatchTabulated):
        told = list(value.not_counted.values())
        return _reply(tables, message, "counted", round=value.round, rounds=value.rounds, notices=told, **said)
    assert isinstance(value, DealerChanged | entries.FaultTold)
    return _reply(tables, message, "noted", **said)
