"""The receiver of device messages: one comes in, is journalled once by device and sequence, and is answered.

A message is JSON with a `device`, its `table`, a `type`, and `sent`: what the device's clock showed when it was sent,
in microseconds since 1970 UTC. What must not be lost or repeated also has a `sequence`, from 1 without gaps, and `at`,
when it was. Messages of a device are applied in the order of their sequence, each once. One that comes again is
answered as the first time; one that comes too early is answered `waiting`, with the number that is expected, and comes
again. One that cannot be applied is journalled with the reasons and acknowledged, so that nothing waits behind it for
ever (M-10, G-40).
"""

import json
import logging
from collections.abc import Callable
from dataclasses import replace
from typing import Any, Literal, NamedTuple, TypeAlias, get_args

from pitboss import books
from pitboss.books import Instant, text_problem
from pitboss.books.journal.codec import hash_text
from pitboss.commands import By, Command, Executor, Now, Number, Prepared, command, refuse, roles
from pitboss.commands.command import SYSTEM_ACTOR
from pitboss.tabulator import entries
from pitboss.tabulator.entries import Place
from pitboss.tabulator.outages import LoseLink
from pitboss.tabulator.panel import logged_drafts
from pitboss.tabulator.rounds import ButtonPress, late_drafts, press_drafts, review_escrow
from pitboss.tabulator.state import TABLES, table_of
from pitboss.tabulator.tables import DealerNames, dealer_change
from pitboss.tabulator.values import RoomTables

_log = logging.getLogger(__name__)
MessageType: TypeAlias = Literal["press", "late", "batch", "dealer", "fault", "hello", "beat"]
_TYPES: tuple[MessageType, ...] = get_args(MessageType)
_WITHOUT_SEQUENCE = ("hello", "beat")
_FIELDS: dict[str, frozenset[str]] = {
    "press": frozenset({"sensors"}),
    "late": frozenset({"sensors"}),
    "batch": frozenset({"rounds"}),
    "dealer": frozenset({"dealer"}),
    "fault": frozenset({"code", "words"}),
    "hello": frozenset(),
    "beat": frozenset(),
}
_ALWAYS = frozenset({"device", "table", "type", "sent"})
_KEYED = frozenset({"sequence", "at"})
_LATEST = 2**53
_LENGTH_MAX = 256_000


class UnreadableMessageError(ValueError):
    """A message that is none, with everything that is wrong with it."""

    def __init__(self, problems: list[str]) -> None:
        self.problems = tuple(problems)
        super().__init__("; ".join(problems))


class Message(NamedTuple):
    """A message as it was read; fields that its type does not have are empty."""

    device: str
    table: str
    type: MessageType
    sent: Instant
    sequence: int = 0
    at: Instant = 0
    sensors: tuple[Place, ...] = ()
    rounds: tuple[tuple[int, tuple[Place, ...]], ...] = ()
    dealer: str = ""
    code: str = ""
    words: str = ""

    @property
    def is_keyed(self) -> bool:
        """True if it is journalled once, by device and sequence."""
        return self.type not in _WITHOUT_SEQUENCE

    @property
    def content(self) -> list[Any]:
        """Its JSON without the time of sending: the same however often it is sent."""
        rounds = [[at, [list(place) for place in seen]] for at, seen in self.rounds]
        sensors = [list(place) for place in self.sensors]
        return [self.type, self.sequence, self.at, sensors, rounds, self.dealer, self.code, self.words]


def read_message(text: bytes | str) -> Message:
    """Read a message, or raise with everything that is wrong with it."""
    fields = _json(text)
    kind = fields.get("type")
    if kind not in _TYPES:
        raise UnreadableMessageError([f"type: {kind!r} is none of {', '.join(_TYPES)}"])
    names = _ALWAYS | _FIELDS[kind] | (_KEYED if kind not in _WITHOUT_SEQUENCE else frozenset())
    problems = [f"{name} is missing" for name in sorted(names - fields.keys())]
    problems += [f"{name!r} is nothing that a {kind} says" for name in sorted(fields.keys() - names)]
    read = {name: _READERS[name](name, value, problems) for name, value in fields.items() if name in names}
    if not problems and kind not in _WITHOUT_SEQUENCE and read["at"] > read["sent"]:
        problems.append("at: it was not sent before it happened")
    if problems:
        raise UnreadableMessageError(problems)
    return Message(**read)


def _json(text: bytes | str) -> dict[str, Any]:
    if len(text) > _LENGTH_MAX:
        raise UnreadableMessageError([f"a message has at most {_LENGTH_MAX} characters"])
    try:
        fields = json.loads(text)
    except (ValueError, RecursionError) as error:
        raise UnreadableMessageError([f"this is no JSON: {error}"]) from None
    if not isinstance(fields, dict):
        raise UnreadableMessageError(["a message is a JSON object"])
    return fields


def _text(name: str, value: Any, problems: list[str]) -> str:
    problems += text_problem(name, value)
    return str(value)


def _number(name: str, value: Any, problems: list[str]) -> int:
    least = 1 if name == "sequence" else 0
    if type(value) is not int or not least <= value < _LATEST:
        problems.append(f"{name}: {value!r} must be a whole number from {least} on")
        return least
    return value


def _places(name: str, value: Any, problems: list[str]) -> tuple[Place, ...]:
    if not isinstance(value, list) or not all(map(_is_place, value)):
        problems.append(f"{name}: {value!r} must be pairs of position and sensor, such as [[3, 1]]")
        return ()
    places = tuple(sorted((position, number) for position, number in value))
    if len(set(places)) != len(places):
        problems.append(f"{name}: {value!r} names a sensor twice")
    return places


def _is_place(value: Any) -> bool:
    return isinstance(value, list) and len(value) == 2 and all(type(n) is int and 1 <= n <= 99 for n in value)


def _rounds(name: str, value: Any, problems: list[str]) -> tuple[tuple[int, tuple[Place, ...]], ...]:
    if not isinstance(value, list) or not all(isinstance(item, list) and len(item) == 2 for item in value):
        problems.append(f"{name}: must be rounds such as [1800000000000000, [[3, 1]]]")
        return ()
    return tuple((_number(name, at, problems), _places(name, seen, problems)) for at, seen in value)


_READERS: dict[str, Any] = {
    **dict.fromkeys(("device", "table", "type", "dealer", "code", "words"), _text),
    **dict.fromkeys(("sequence", "at", "sent"), _number),
    "sensors": _places,
    "rounds": _rounds,
}


LINK_SECONDS = 30
"""A device that has not been heard for so long has lost its line (T-05, T-09)."""


_AWAY = (books.HaltedError, books.StoreError, books.ClosedError)
"""Nothing can be written now: nothing was acknowledged, and the device sends it again."""


class EarlyMessageError(books.RefusedError):
    """A message before which others are missing."""


class LateMessageError(books.RefusedError):
    """A message whose number is done or given up, though nothing was done under its own id."""


@command("tables/apply-message", roles=roles.DEVICE, is_exposed=False)
class ApplyMessage(Command):
    """Apply a message of a device in its turn: a press, late wagers, a batch of rounds, a dealer's badge, or a fault.

    `skew` is by how much the device's clock is wrong, where that is too much; with `problems` the message could not be
    applied, and is written down with them; with `is_late` its number is done already, and it is written down too.
    """

    message: Message
    skew: Number = 0
    problems: tuple[str, ...] = ()
    is_late: bool = False

    def content(self) -> list[Any]:
        """Return the message as it is journalled, by which a device may send it again after an upgrade."""
        return self.message.content

    def table_name(self, state: books.BookState) -> str:
        """Return the table of the device."""
        return self.message.table

    def prepare(self, services: DealerNames) -> Prepared:
        """Return the message with whom to ask who is a dealer."""
        return _Named(self, services) if self.message.type == "dealer" and not self.problems else self

    def entries(self, now: Now, by: By) -> list[books.Draft]:
        """Return what the message does, after the line that is found again where it was lost."""
        device, sequence = now.state.of(TABLES).devices[self.message.device], self.message.sequence
        if sequence > device.sequence + 1:
            raise EarlyMessageError([f"message {device.sequence + 1} of {device.device} comes first (M-10, G-40)"])
        if sequence <= device.sequence and not self.is_late:
            raise LateMessageError([f"message {sequence} of {device.device} was given up (M-10, G-40)"])
        if not self.problems:
            refuse(self._time_problems(now))
        drafts = self._drafts(now.state)
        return [books.Draft(entries.LinkFound(device=device.device)), *drafts] if device.lost else drafts

    def _time_problems(self, now: Now) -> list[str]:
        """Return that something happened longer ago than messages wait, or has not happened yet (G-76)."""
        limits, message = table_of(now.state, self.message.table).setup.limits, self.message
        instants = [instant + self.skew for instant in (message.at, *(at for at, _ in message.rounds))]
        if min(instants) < now.at - limits.late_hours * 3_600_000_000:
            return [f"it happened more than {limits.late_hours} hours ago: enter the count by hand (M-10, G-76)"]
        if max(instants) > now.at + limits.clock_seconds * 1_000_000:
            return ["it has not happened yet by the clock of the server (M-10, G-76)"]
        return []

    def _drafts(self, state: books.BookState) -> list[books.Draft]:
        message, table = self.message, self.message.table
        source: Any = {"device": message.device, "device_sequence": message.sequence}
        press = ButtonPress(message.at, seen=message.sensors, skew=self.skew, **source)
        if self.problems:
            content = "" if message.type in ("press", "late") else books.canonical(message.content)
            refusal = entries.MessageRefused(
                type=message.type,
                problems=self.problems,
                seen=message.sensors,
                content=content,
                twin=self.is_late,
                **source,
            )
            return [books.Draft(refusal, happened=press.happened_at)]
        if message.type == "press":
            return press_drafts(state, table, press)
        if message.type == "late":
            return late_drafts(state, table, press)
        if message.type == "batch":
            return logged_drafts(state, table, message.rounds, press)
        if message.type == "dealer":
            return [books.Draft(dealer_change(state, table, message.dealer, **source))]
        table_of(state, table)
        fault = entries.FaultTold(code=message.code, words=message.words, **source)
        return [books.Draft(fault, happened=press.happened_at)]


class _Named(NamedTuple):
    """A dealer's badge, and whom to ask for the name."""

    command: ApplyMessage
    people: DealerNames

    def entries(self, now: Now, by: By) -> list[books.Draft]:
        """Return what the badge does, by the name that the room knows."""
        message = self.command.message
        named = message._replace(dealer=self.people.dealer_name(now.state, message.dealer))
        return replace(self.command, message=named).entries(now, by)


class Receiver:
    """Receives the messages of a room's devices.

    `heard` has when each device was last heard, by the time that no setting of the clock moves (G-77): the one thing
    that is not in the books, because it means nothing once the process is gone.
    """

    def __init__(self, executor: Executor) -> None:
        self.executor = executor
        self.heard: dict[str, books.Instant] = {}
        self._gone: set[str] = set()
        self.is_example: Callable[[str], bool] = lambda _: False
        """True for a table whose approval is an example: nobody's money is counted there, and `hello` says so."""
        self.tell_stuck: Callable[[str, str], object] = lambda *_: None
        """Called with a device and what it sends that can be neither done nor written down; empty when it is well."""

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
            if device is not None:
                self.tell_stuck(device, f"{device} sends what cannot be read: {error.problems[0]}")
            return {"status": "unreadable", "problems": list(error.problems)}
        problems = _stranger_problems(self._room, content, device)
        if problems:
            if device is not None:
                self.tell_stuck(device, f"What {device} sends is not counted: {problems[0]}")
            return {"status": "refused", "device": content.device, "problems": problems}
        self._hear(content.device)
        if not content.is_keyed:
            return self._reply(content, "heard", **({"example": True} if self.is_example(content.table) else {}))
        return self._apply(content)

    def receive_later(self, message: bytes | str, waiting: books.Recipient, *, device: str) -> Message | None:
        """Put the press of a device in line; `reply_to` returns the reply after the commit, which `waiting` is told.

        None for everything else, which `receive` is for. Where an error is told, `receive` is called too: it writes
        down what is refused, and under its id nothing is done twice.
        """
        try:
            content = read_message(message)
            if content.type != "press" or _stranger_problems(self._room, content, device):
                return None
            self._hear(content.device)
            command = ApplyMessage(message=content, skew=self._skew(content))
            submission = self._submission(command, command_id(content))
            self.executor.services.books.submit_for(submission, waiting)
        except Exception:  # noqa: BLE001 - `receive` meets it again, and says what became of the message
            return None
        return content

    def reply_to(self, message: Message, answer: books.Answer) -> dict[str, Any]:
        """Return the reply to a message that was written down."""
        self.tell_stuck(message.device, "")
        return self._reply(message, **_outcome(answer))

    def _hear(self, device: str) -> None:
        self.heard[device] = self.executor.services.monotonic()
        self._gone.discard(device)

    def lose(self, device: str) -> None:
        """Note that a broker has lost a device: unless it is heard before the next `watch`, it was silent (G-43)."""
        self._gone.add(device)

    def watch(self, *, id: str) -> list[str]:  # noqa: A002
        """Write down which devices of open tables have not been heard for long; return their names (T-09)."""
        now, room, lost = self.executor.services.monotonic(), self._room, []
        for number, (name, device) in enumerate(room.devices.items(), start=1):
            table = room.tables.get(device.table)
            if table is None or table.setup.device != name or table.life == "closed" or device.lost:
                continue
            is_silent = now - self.heard.setdefault(name, now) > LINK_SECONDS * 1_000_000
            if table.setup.equipment.counts == "at-once" and (is_silent or name in self._gone):
                words = f"nothing heard for {LINK_SECONDS} seconds" if is_silent else "its broker has lost it"
                link = LoseLink(device=name, words=words)
                self.executor.do(link, SYSTEM_ACTOR, id=f"{id}-{number}")
                lost.append(name)
        return lost

    def _apply(self, message: Message) -> dict[str, Any]:
        try:
            answer = self._journalled(ApplyMessage(message=message, skew=self._skew(message)))
        except _AWAY as error:
            return self._reply(message, "later", problems=[str(error)])
        except EarlyMessageError as error:
            return self._reply(message, "waiting", problems=list(error.problems))
        except Exception as error:  # noqa: BLE001 - the device keeps it, and somebody is told
            _log.exception("message %s of device %s cannot be written down", message.sequence, message.device)
            text = f"message {message.sequence} of {message.device} can be neither counted nor recorded"
            self.tell_stuck(message.device, f"{text}: {error}")
            return self._reply(message, "refused", problems=[f"{text} (M-10, G-76)"])
        return self.reply_to(message, answer)

    def _journalled(self, command: ApplyMessage, under: str = "") -> books.Answer:
        """Apply a message, or write down that it was refused; raises where neither can be."""
        message, own = command.message, command_id(command.message)
        try:
            return self._submit(command, under or own)
        except books.UsedIdError:
            if under:
                raise
            return self._journalled_beside(command, f"{own} {hash_text(message.content)[:16]}")
        except (EarlyMessageError, *_AWAY):
            raise
        except LateMessageError as error:
            return self._submit(replace(command, problems=error.problems, is_late=True), under or own)
        except books.RefusedError as error:
            problems = error.problems
        except Exception as error:  # noqa: BLE001 - a fault of ours: what was sent is written down all the same
            _log.exception("message %s of device %s fails", message.sequence, message.device)
            problems = (f"the server cannot handle this message: {type(error).__name__} (M-10, G-76)",)
        review_escrow(self.executor, under or own)
        return self._submit(replace(command, problems=problems), under or own)

    def _journalled_beside(self, command: ApplyMessage, under: str) -> books.Answer:
        """Write down a message whose id was used for something else, under another one (G-76).

        Where its number is still to come, a person has used its id in a journal of before, and it is done. Else a
        device has sent two messages under one number, or there are two devices.
        """
        message = command.message
        if message.sequence > self._room.devices[message.device].sequence:
            return self._journalled(command, under)
        text = f"message {message.sequence} came twice with different content: two devices under the name"
        problems = (f"{text} {message.device}? Count it by hand, and look (M-10, G-76)",)
        return self._submit(replace(command, problems=problems, is_late=True), under)

    def _skew(self, message: Message) -> int:
        """Return by how much the device's clock is wrong, where that is more than its table allows (M-10)."""
        setup = self._room.tables[message.table].setup
        skew = self.executor.services.clock() - message.sent
        is_wrong = abs(skew) > setup.limits.clock_seconds * 1_000_000
        # An instant before 1970 is none, whatever a device's clock shows.
        return max(skew, -message.at) if is_wrong else 0

    def _submit(self, command: ApplyMessage, under: str) -> books.Answer:
        return self.executor.services.books.submit(self._submission(command, under))

    def _submission(self, command: ApplyMessage, under: str) -> books.Submission:
        """Return a message to be submitted under an id and its own content; the role is not part of it."""
        by = By(f"device {command.message.device}", "device")
        return replace(self.executor.submission(command, by, id=under), content=command.content())

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
    assert isinstance(value, entries.DealerChanged | entries.FaultTold | entries.LightsConfirmed)
    return {"status": "noted", **again}
