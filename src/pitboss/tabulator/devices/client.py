"""A device at a table: its line, its buffer on disk, its button and what its sensors report; and a table that plays.

The buffer has one line of JSON for each message and for each acknowledgement. A line that was torn when the device was
killed was never shown as pressed, and is dropped.
"""

import json
import os
import random
import time
import urllib.error
import urllib.parse
import urllib.request
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from types import TracebackType
from typing import Any, Protocol, Self

from pitboss.books.store.directory import is_loopback
from pitboss.tabulator.entries import Place
from pitboss.tabulator.rounds import DOUBLE_PRESS
from pitboss.tabulator.values import RoundPhase

_TIMEOUT_SECONDS = 10
_TIMEOUT_SECONDS_OF_ONE = 3
"""So long an answer is waited for where there is another server to ask."""
_REST_SECONDS = 3
"""So long a server that did not answer is not asked again."""
_NOT_ALLOWED, _NOT_THERE, _STANDS_BY = (401, 403), (404, 405), 503
MESSAGES_PATH = "/api/v1/devices/messages"
"""Where a server receives messages of devices."""


class LineCutError(OSError):
    """Nothing came back: whether the message arrived, nobody at this end knows."""


class StandsByError(LineCutError):
    """The server has answered that it does not take messages now: it stands by, or cannot write."""


class NotAllowedError(RuntimeError):
    """The server does not take messages with this token, or is not to be trusted with it."""


class DeviceLine(Protocol):
    """Where a message goes and a reply comes from."""

    def send(self, message: bytes) -> dict[str, Any]:
        """Send a message and wait for its reply, or raise `LineCutError`."""


class DoorLine:
    """A line to a receiver in this process."""

    def __init__(self, receive: Callable[[bytes], dict[str, Any]]) -> None:
        self._receive = receive

    def send(self, message: bytes) -> dict[str, Any]:
        """Pass the message on; the reply goes through JSON as it would over a wire."""
        reply: dict[str, Any] = json.loads(json.dumps(self._receive(message)))
        return reply


class ServersLine:
    """A line to the servers of a room: where one does not take a message, the next is tried at once.

    A server that stands by answers 503. What one server may have written down before it was lost is sent to the other
    under the same number, and is done once (M-10).
    """

    def __init__(self, lines: Sequence[DeviceLine], *, monotonic: Callable[[], float] = time.monotonic) -> None:
        self._lines = list(lines)
        self._monotonic = monotonic
        self._rests: dict[int, float] = {}

    def send(self, message: bytes) -> dict[str, Any]:
        """Send a message to the server that took the last one, then to each other.

        One that does not answer at all is left alone for some seconds, so that the others are not kept waiting for it.
        """
        now = self._monotonic()
        error = LineCutError("no server of the room answers")
        for line in tuple(self._lines):
            if self._rests.get(id(line), now) > now:
                continue
            try:
                reply = line.send(message)
            except StandsByError as standby:
                error = standby
            except LineCutError as cut:
                error = cut
                self._rests[id(line)] = self._monotonic() + _REST_SECONDS
            else:
                if reply.get("status") != "later":
                    self._lines.remove(line)
                    self._lines.insert(0, line)
                    return reply
                error = LineCutError("the server cannot write at the moment")
        raise error


def line_to(urls: Sequence[str], token: str = "") -> DeviceLine:
    """Return the line to a server, or to each of several in turn."""
    if len(urls) == 1:
        return HttpLine(urls[0], token)
    return ServersLine([HttpLine(url, token, seconds=_TIMEOUT_SECONDS_OF_ONE) for url in urls])


class HttpLine:
    """A line to a server: POST, with the device's token where it has one."""

    def __init__(self, url: str, token: str = "", *, seconds: float = _TIMEOUT_SECONDS) -> None:
        self._seconds = seconds
        if not url.startswith(("http://", "https://")):
            raise ValueError(f"{url!r} must be the address of a server, http:// or https://")
        if token and url.startswith("http://") and not is_loopback(urllib.parse.urlsplit(url).hostname or ""):
            raise ValueError(f"{url!r} leads off this computer: a device sends its token by https:// alone (G-76)")
        # The address of the server alone is enough.
        self._url = url if urllib.parse.urlsplit(url).path.strip("/") else f"{url.rstrip('/')}{MESSAGES_PATH}"
        self._headers = {"Content-Type": "application/json"}
        if token:
            self._headers["Authorization"] = f"Bearer {token}"

    def send(self, message: bytes) -> dict[str, Any]:
        """Post the message and read the reply."""
        request = urllib.request.Request(self._url, message, self._headers, method="POST")  # noqa: S310 - checked above
        try:
            with urllib.request.urlopen(request, timeout=self._seconds) as answer:  # noqa: S310 - checked above
                reply: dict[str, Any] = json.loads(answer.read())
        except urllib.error.HTTPError as error:
            error.close()
            if error.code in _NOT_ALLOWED:
                raise NotAllowedError(f"{self._url} says {error.code}: this token does not speak there") from None
            if error.code in _NOT_THERE:
                text = f"{self._url} says {error.code}: messages of devices are posted to {MESSAGES_PATH} of a server"
                raise NotAllowedError(text) from None
            kind = StandsByError if error.code == _STANDS_BY else LineCutError
            raise kind(f"{self._url} says {error.code}") from None
        except (OSError, ValueError) as error:
            reason = getattr(error, "reason", error)
            raise LineCutError(f"{self._url}: {getattr(reason, 'strerror', None) or reason}") from None
        return reply


@dataclass(frozen=True, slots=True, kw_only=True)
class LineFaults:
    """Faults of a line, each as a chance between 0 and 1; a cut lasts for so many messages."""

    duplicate: float = 0
    lost_request: float = 0
    lost_reply: float = 0
    reorder: float = 0
    cut: float = 0
    cut_messages: int = 3


@dataclass(slots=True)
class FaultyLine:
    """A line with faults: it repeats, loses, keeps back and is cut, by a seed."""

    line: DeviceLine
    faults: LineFaults
    rng: random.Random
    held: list[bytes] = field(default_factory=list)
    cut_for: int = 0

    def send(self, message: bytes) -> dict[str, Any]:
        """Send a message, with the faults that are configured."""
        if self.cut_for:
            self.cut_for -= 1
            raise LineCutError("the line is cut")
        if self._happens(self.faults.cut):
            self.cut_for = self.faults.cut_messages
        if self._happens(self.faults.lost_request):
            raise LineCutError("the message was lost")
        if self._happens(self.faults.reorder):
            self.held.append(message)
            raise LineCutError("the message is on its way")
        if self._happens(self.faults.duplicate):
            self.line.send(message)
        reply = self.line.send(message)
        while self.held:
            # What was kept back comes after what was sent later.
            self.line.send(self.held.pop())
        if self._happens(self.faults.lost_reply):
            raise LineCutError("the reply was lost")
        return reply

    def _happens(self, chance: float) -> bool:
        return chance > 0 and self.rng.random() < chance


class DeviceBuffer:
    """The messages of a device that wait for their acknowledgement, oldest first, and the number of the next one."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self.pending: dict[int, dict[str, Any]] = {}
        self.next = 1
        path.parent.mkdir(parents=True, exist_ok=True)
        whole = self._read()
        # Only what waits is kept, so that the file does not grow for ever; it is replaced whole or not at all.
        self._rewrite(whole)
        self._file = os.open(path, os.O_WRONLY | os.O_APPEND | os.O_CREAT, 0o600)

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    def close(self) -> None:
        """Close the file."""
        os.close(self._file)

    def _read(self) -> bool:
        """Read what was kept; return whether there was anything."""
        if not self.path.exists():
            return False
        for line in self.path.read_bytes().splitlines(keepends=True):
            if not line.endswith(b"\n"):
                break
            record = json.loads(line)
            if "next" in record:
                self.next = max(self.next, record["next"])
            elif "done" in record:
                self._forget(record["done"])
            else:
                self.pending[record["sequence"]] = record
                self.next = max(self.next, record["sequence"] + 1)
        return True

    def _rewrite(self, whole: bool) -> None:
        if not whole:
            return
        fresh = self.path.with_suffix(".new")
        records = [{"next": self.next}, *self.pending.values()]
        with fresh.open("wb") as file:
            file.write(b"".join(map(_line, records)))
            file.flush()
            os.fsync(file.fileno())
        fresh.replace(self.path)
        _sync_folder(self.path.parent)

    def keep(self, message: Mapping[str, Any]) -> dict[str, Any]:
        """Number a message and keep it on disk; only then is it a press."""
        numbered = {**message, "sequence": self.next}
        self._append(numbered)
        self.pending[self.next] = numbered
        self.next += 1
        return numbered

    def done(self, sequence: int) -> None:
        """Forget messages up to this number: they are acknowledged."""
        if any(number <= sequence for number in self.pending):
            self._append({"done": sequence})
            self._forget(sequence)

    def go_on_after(self, sequence: int) -> None:
        """Number messages from after this one on: a device that has lost its memory uses no number again."""
        if sequence >= self.next:
            self.next = sequence + 1
            self._append({"next": self.next})

    def _forget(self, sequence: int) -> None:
        self.pending = {number: message for number, message in self.pending.items() if number > sequence}

    def _append(self, record: Mapping[str, Any]) -> None:
        os.write(self._file, _line(record))
        os.fsync(self._file)


def _line(record: Mapping[str, Any]) -> bytes:
    return json.dumps(record, separators=(",", ":")).encode() + b"\n"


def _sync_folder(path: Path) -> None:
    folder = os.open(path, os.O_RDONLY)
    try:
        os.fsync(folder)
    finally:
        os.close(folder)


class LockedError(RuntimeError):
    """A press that is refused at the device, because the one before it waits for its acknowledgement (T-09)."""


class DeviceClient:
    """One device. A press is kept on disk, sent, and shown as done when it is acknowledged.

    While a press waits, new ones are refused: the line is lost until it is back, or a supervisor lets the table go on
    by hand. `buffers` lets a data logger keep pressing, as its batches come later anyway (E-05).
    """

    def __init__(
        self,
        name: str,
        table: str,
        buffer: DeviceBuffer,
        line: DeviceLine,
        *,
        clock: Callable[[], int],
        buffers: bool = False,
    ) -> None:
        self.name, self.table, self.buffer, self.line = name, table, buffer, line
        self.clock, self.buffers = clock, buffers
        self.replies: list[dict[str, Any]] = []
        """The server's reply to each message that was done."""
        self.lost = False
        self.phase: RoundPhase = "open"
        """Where the round stands by the last reply: the lights follow it."""
        self._pressed: int | None = None

    @property
    def is_locked(self) -> bool:
        """True if new presses are refused."""
        return bool(self.buffer.pending) and not self.buffers

    def hello(self) -> bool:
        """Announce the device, and go on after the last message that the server has; return whether it heard."""
        try:
            reply = self.line.send(self._text({"type": "hello"}))
        except LineCutError:
            self.lost = True
            return False
        self._heard(reply)
        acknowledged = int(reply.get("acknowledged", 0))
        self.buffer.done(acknowledged)
        self.buffer.go_on_after(acknowledged)
        return True

    def press(self, seen: Sequence[Place]) -> dict[str, Any]:
        """Press the button; the message is on disk when this returns, whether it was delivered or not.

        A second press within a second is no new one: it is sent, and the server ignores it.
        """
        now = self.clock()
        again = self._pressed is not None and 0 <= now - self._pressed < DOUBLE_PRESS
        if self.is_locked and not again:
            raise LockedError("the last press is not acknowledged yet: no new one (T-09)")
        self._pressed = self._pressed if again else now
        return self._keep({"type": "press", "sensors": [list(place) for place in seen]})

    def late(self, seen: Sequence[Place]) -> dict[str, Any]:
        """Report wagers that came after the press."""
        return self._keep({"type": "late", "sensors": [list(place) for place in seen]})

    def batch(self, rounds: Sequence[tuple[int, Sequence[Place]]]) -> dict[str, Any]:
        """Upload rounds that a data logger has kept."""
        return self._keep({"type": "batch", "rounds": [[at, [list(place) for place in seen]] for at, seen in rounds]})

    def dealer(self, name: str) -> dict[str, Any]:
        """Report a dealer's badge."""
        return self._keep({"type": "dealer", "dealer": name})

    def fault(self, code: str, text: str) -> dict[str, Any]:
        """Report a fault of the device itself."""
        return self._keep({"type": "fault", "code": code, "words": text})

    def _keep(self, message: dict[str, Any]) -> dict[str, Any]:
        return self.buffer.keep({**message, "at": self.clock()})

    def deliver(self) -> bool:
        """Send what waits, oldest first, until all is acknowledged or the line is cut; return whether nothing waits."""
        while self.buffer.pending:
            sequence, message = next(iter(self.buffer.pending.items()))
            try:
                reply = self.line.send(self._text(message))
            except LineCutError:
                self.lost = True
                return False
            self._heard(reply)
            self.replies.append(reply)
            if int(reply.get("acknowledged", 0)) < sequence:
                # Not done, and nothing that this end could do about it: somebody must look.
                return False
            self.buffer.done(sequence)
        return True

    def _heard(self, reply: dict[str, Any]) -> None:
        self.lost = False
        self.phase = reply.get("table", {}).get("phase", self.phase)

    def _text(self, message: dict[str, Any]) -> bytes:
        # A clock that was set back since must not make it look as if it was sent before it happened.
        sent = max(self.clock(), int(message.get("at", 0)))
        return message_text({**message, "device": self.name, "table": self.table, "sent": sent})


def message_text(message: Mapping[str, Any]) -> bytes:
    """Write a message as it travels."""
    return json.dumps(message, separators=(",", ":")).encode()


_SECONDS_BETWEEN_SIGNS = 10


@dataclass(frozen=True, slots=True, kw_only=True)
class Pace:
    """Seconds of a round: until the press, until the press that ends it; chances of a slip of the dealer's hand.

    About forty rounds an hour (F-18), a press twice in fifty rounds, a late wager once in thirty.
    """

    wagering: tuple[float, float] = (15, 35)
    playing: tuple[float, float] = (45, 85)
    double_press: float = 0.04
    late: float = 0.03
    retry: float = 5


@dataclass(frozen=True, slots=True, kw_only=True)
class Felt:
    """The places of a table and what their sensors do: a dead one sees nothing, a stuck one always sees a wager."""

    seats: int
    sensors: int = 1
    wager: float = 0.6
    dead: frozenset[Place] = frozenset()
    stuck: frozenset[Place] = frozenset()

    def wagered(self, rng: random.Random) -> set[Place]:
        """Return the wagers that players make in a round."""
        places = [(seat, number) for seat in range(1, self.seats + 1) for number in range(1, self.sensors + 1)]
        return {place for place in places if rng.random() < self.wager}

    def seen(self, there: set[Place]) -> list[Place]:
        """Return what the sensors report of the wagers that are there."""
        return sorted((there - self.dead) | self.stuck)


@dataclass(slots=True)
class Played:
    """Rounds that were played: wagers that lay there at each press that counted, and every reply."""

    rounds: list[set[Place]] = field(default_factory=list)
    replies: list[dict[str, Any]] = field(default_factory=list)


def play(
    device: DeviceClient,
    felt: Felt,
    rng: random.Random,
    rounds: int,
    *,
    pause: Callable[[float], object],
    dealers: Sequence[str] = (),
    pace: Pace | None = None,
    tries: int = 1_000,
) -> Played:
    """Play rounds: wagers, a press, cards, and the press that opens the table again.

    `pause` lets time go by. Where the line is cut the table waits, and tries again.
    """
    pace, played = pace or Pace(), Played()
    device.hello()
    _until_delivered(device, pace, pause, tries)
    for number in range(rounds):
        if dealers and number % 20 == 0:
            device.dealer(dealers[number // 20 % len(dealers)])
            _until_delivered(device, pace, pause, tries)
        _wait(device, rng.uniform(*pace.wagering), pause)
        if device.phase == "tabulated":
            _press(device, felt.seen(set()), rng, pace, pause, tries)
            pause(2)
        there = felt.wagered(rng)
        _press(device, felt.seen(there), rng, pace, pause, tries)
        played.rounds.append(there)
        if rng.random() < pace.late:
            device.late(felt.seen(felt.wagered(rng) - there))
            _until_delivered(device, pace, pause, tries)
        _wait(device, rng.uniform(*pace.playing), pause)
        if device.phase == "tabulated":
            _press(device, felt.seen(set()), rng, pace, pause, tries)
    played.replies = list(device.replies)
    return played


def play_logger(
    device: DeviceClient,
    felt: Felt,
    rng: random.Random,
    rounds: int,
    *,
    pause: Callable[[float], object],
    batch: int,
    pace: Pace | None = None,
    tries: int = 1_000,
) -> Played:
    """Play an Andromeda-1: its panel counts by itself, and its logger sends so many rounds together (E-05)."""
    pace, played = pace or Pace(), Played()
    device.hello()
    memory: list[tuple[int, list[Place]]] = []
    for number in range(1, rounds + 1):
        pause(rng.uniform(*pace.wagering))
        there = felt.wagered(rng)
        memory.append((device.clock(), felt.seen(there)))
        played.rounds.append(there)
        pause(rng.uniform(*pace.playing))
        if len(memory) == batch or number == rounds:
            device.batch(memory)
            memory = []
            _until_delivered(device, pace, pause, tries)
    played.replies = list(device.replies)
    return played


def _wait(device: DeviceClient, seconds: float, pause: Callable[[float], object]) -> None:
    """Pass time, with a sign of the device now and then: a line that is silent counts as lost (T-09)."""
    while seconds > _SECONDS_BETWEEN_SIGNS:
        pause(_SECONDS_BETWEEN_SIGNS)
        device.hello()
        seconds -= _SECONDS_BETWEEN_SIGNS
    pause(seconds)


def _press(
    device: DeviceClient,
    seen: Sequence[Place],
    rng: random.Random,
    pace: Pace,
    pause: Callable[[float], object],
    tries: int,
) -> None:
    device.press(seen)
    if rng.random() < pace.double_press:
        pause(0.2)
        device.press(seen)
    _until_delivered(device, pace, pause, tries)


def _until_delivered(device: DeviceClient, pace: Pace, pause: Callable[[float], object], tries: int) -> None:
    for _ in range(tries):
        if device.deliver():
            return
        pause(pace.retry)
    raise TimeoutError(f"{device.name}: nothing was acknowledged in {tries} tries")
