"""Messages of devices: JSON that is read with every field looked at; what they mean is not decided here.

A message has a `device`, its `table`, a `type`, and `sent`: what the device's clock showed when it was sent, in
microseconds since 1970 UTC. What must not be lost or repeated also has a `sequence`, from 1 without gaps, and `at`,
when it was.
"""

import json
from typing import Any, Literal, NamedTuple, TypeAlias, get_args

from pitboss.books import Instant, text_problem
from pitboss.tabulator.entries import Place

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
_LENGTH_MAX = 4_000_000


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
