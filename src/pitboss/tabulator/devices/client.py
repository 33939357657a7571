"""A device at a table: its button, its sensors' reports, its buffer and its line, as a maker of one would write it."""

from __future__ import annotations

import json
from collections.abc import Callable, Sequence
from typing import Any

from pitboss.tabulator.devices.links import Line, LineCutError
from pitboss.tabulator.devices.outbox import DeviceBuffer
from pitboss.tabulator.entries import Place
from pitboss.tabulator.rounds import DOUBLE_PRESS


class LockedError(RuntimeError):
    """A press that is refused at the device, because the one before it waits for its acknowledgement (T-09)."""


class Device:
    """One device. A press is kept on disk, sent, and shown as done when it is acknowledged.

    While a press waits, new ones are refused: the line is lost until it is back, or a supervisor lets the table go on
    by hand. `buffers` lets a data logger keep pressing, as its batches come later anyway (E-05).
    """

    def __init__(
        self,
        name: str,
        table: str,
        buffer: DeviceBuffer,
        line: Line,
        *,
        clock: Callable[[], int],
        buffers: bool = False,
    ) -> None:
        self.name, self.table, self.buffer, self.line = name, table, buffer, line
        self.clock, self.buffers = clock, buffers
        self.replies: list[dict[str, Any]] = []
        """The server's reply to each message that was done."""
        self.lost = False
        self.phase = "open"
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

    def fault(self, code: str, words: str) -> dict[str, Any]:
        """Report a fault of the device itself."""
        return self._keep({"type": "fault", "code": code, "words": words})

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
        text = json.dumps({**message, "device": self.name, "table": self.table, "sent": sent}, separators=(",", ":"))
        return text.encode()
