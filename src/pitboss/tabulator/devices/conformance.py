"""The contract of devices, tried against a server as a device would: one check for each clause of docs/devices.md.

Every check plays at a table: its wagers move meters, what it sends wrongly raises alerts. It belongs to a table with
example papers, and refuses another one unless it is forced.
"""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from typing import Any

from pitboss.tabulator.devices.client import DeviceLine, LineCutError, NotAllowedError, message_text

_SECOND = 1_000_000
_ROUND, _PRESS = 7 * _SECOND, 2 * _SECOND
"""Eight rounds a minute, fewer than the ten that count (G-76)."""
_ROUNDS, _HOURS_OLD = 12, 73
_LONG = 256_001


class NotConformingError(AssertionError):
    """What a server does otherwise than the contract states."""


class UnfitTableError(RuntimeError):
    """Why nothing can be tried at a table."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ClauseResult:
    """What became of a check: its clause, what the clause states, and what was otherwise, empty where it passed."""

    clause: str
    states: str
    problem: str

    @property
    def is_passed(self) -> bool:
        """True if the server does as the clause states."""
        return not self.problem


@dataclass(frozen=True, slots=True, kw_only=True)
class Conformance:
    """What is tried: a device and its table, lines to the server by a token, and the rounds that wait after a break."""

    device: str
    table: str
    line: Callable[[str], DeviceLine]
    token: str
    clock: Callable[[], int]
    place: tuple[int, int] = (1, 1)
    backlog: int = 20
    is_forced: bool = False


@dataclass(slots=True)
class _Play:
    """A device on trial: its next number, and the time of its next press, a while ago and never twice the same."""

    trial: Conformance
    line: DeviceLine
    at: int
    sequence: int = 0
    phase: str = "open"
    last: dict[str, Any] = field(default_factory=dict)

    def send(self, message: dict[str, Any], *, skew: int = 0, **fields: Any) -> dict[str, Any]:
        sent = max(self.trial.clock(), message.get("at", 0) - skew) + skew
        names = {"device": self.trial.device, "table": self.trial.table, "sent": sent}
        reply = self.line.send(message_text({**message, **names, **fields}))
        self.phase = reply.get("table", {}).get("phase", self.phase)
        return reply

    def next(self, type_: str = "press", *, after: int = _PRESS, **fields: Any) -> dict[str, Any]:
        """Return the next message that is numbered."""
        self.at += after
        self.sequence += 1
        usual: dict[str, Any] = {"sensors": [list(self.trial.place)]} if type_ == "press" else {}
        self.last = {"type": type_, "sequence": self.sequence, "at": self.at, **usual, **fields}
        return self.last

    def round(self) -> dict[str, Any]:
        """Play a round, and return the reply to its press."""
        self.clear()
        reply = self.send(self.next(after=_ROUND - _PRESS))
        _expect(reply, "counted", self.sequence)
        return reply

    def clear(self) -> None:
        """End the round that is on the table."""
        if self.phase == "tabulated":
            _expect(self.send(self.next(sensors=[])), "released", self.sequence)


def _expect(reply: dict[str, Any], status: str, acknowledged: int) -> None:
    got = (reply.get("status"), reply.get("acknowledged"))
    if got != (status, acknowledged):
        problems = "".join(f": {problem}" for problem in reply.get("problems", ()))
        text = f"answered {got[0]} with {got[1]} acknowledged, not {status} with {acknowledged}{problems}"
        raise NotConformingError(text)


def _require(is_so: bool, text: str) -> None:
    if not is_so:
        raise NotConformingError(text)


def _unheard(play: _Play, text: bytes, line: DeviceLine | None = None) -> str:
    """Send what must not be taken, and return how it was turned away."""
    try:
        reply = (line or play.line).send(text)
    except (LineCutError, NotAllowedError) as error:
        return str(error)
    _require(reply.get("status") in ("unreadable", "refused"), f"answered {reply.get('status')}")
    _require("sequence" not in reply, "answered as if it had been taken")
    return str(reply["status"])


# The clauses, in the order in which they are tried: each begins where the one before has ended.


def _hello(play: _Play) -> None:
    reply = play.send({"type": "hello"})
    _expect(reply, "heard", play.sequence)
    _require("sequence" not in reply, "answered as if it had a number")


def _press(play: _Play) -> None:
    reply = play.round()
    place = list(play.trial.place)
    _require(place in reply.get("lights", []), f"the light of {place} is not on: is there a sensor?")
    play.clear()


def _again(play: _Play) -> None:
    first = play.round()
    for _ in range(2):
        reply = play.send(play.last)
        _expect(reply, "counted", play.sequence)
        _require(reply.get("again") is True, "did not say that it was answered before")
        _require(reply.get("round") == first.get("round"), "counted it as another round")
    play.clear()


def _gap(play: _Play) -> None:
    play.clear()
    first, second = play.next(), play.next(sensors=[])
    _expect(play.send(second), "waiting", play.sequence - 2)
    _expect(play.send(first), "counted", play.sequence - 1)
    _expect(play.send(second), "released", play.sequence)


def _double(play: _Play) -> None:
    play.round()
    _expect(play.send(play.next(after=_SECOND // 2)), "ignored", play.sequence)
    play.clear()


def _late(play: _Play) -> None:
    play.round()
    _expect(play.send(play.next("late", sensors=[])), "noted", play.sequence)
    play.clear()


def _twin(play: _Play) -> None:
    reply = play.round()
    other = {**play.last, "at": play.last["at"] - _SECOND}
    answer = play.send(other)
    _expect(answer, "refused", play.sequence)
    _require(answer["table"]["round"] == reply["round"], "counted it as another round")
    play.clear()


_DAMAGED = (b"", b"{", b"[]", b"\xff\xfe", b'{"type":"press"}', b'{"type":"unheard-of"}', b"[" * 5_000)


def _damaged(play: _Play) -> None:
    whole = message_text({**play.next(), "device": play.trial.device, "table": play.trial.table, "sent": play.at})
    play.sequence -= 1
    for text in (*_DAMAGED, whole[:-1], whole[:-1] + b',"amount":500}', whole.replace(b'"at"', b'"when"')):
        _unheard(play, text)
    _expect(play.send({"type": "hello"}), "heard", play.sequence)


def _long(play: _Play) -> None:
    _unheard(play, b'{"type":"hello","device":"' + b"x" * _LONG + b'"}')
    _expect(play.send({"type": "hello"}), "heard", play.sequence)


def _wrong_token(play: _Play) -> None:
    stranger = play.trial.line("nobody's")
    try:
        stranger.send(
            message_text({"type": "hello", "device": play.trial.device, "table": play.trial.table, "sent": 1})
        )
    except (NotAllowedError, LineCutError):
        return
    finally:
        _close(stranger)
    raise NotConformingError("a token that is nobody's is heard")


def _stranger(play: _Play) -> None:
    message = {**play.next(), "device": play.trial.device, "table": play.trial.table, "sent": play.trial.clock()}
    play.sequence -= 1
    _unheard(play, message_text({**message, "device": f"{play.trial.device} of another"}))
    _unheard(play, message_text({**message, "table": f"{play.trial.table} of another"}))
    _expect(play.send({"type": "hello"}), "heard", play.sequence)


def _clock(play: _Play) -> None:
    for hours in (-1, 1):
        play.clear()
        skew = hours * 3_600 * _SECOND
        message = play.next(after=_ROUND - _PRESS)
        reply = play.send({**message, "at": message["at"] + skew}, skew=skew)
        _expect(reply, "counted", play.sequence)
        play.send(play.next(sensors=[]) | {"at": play.at + skew}, skew=skew)


def _future(play: _Play) -> None:
    play.clear()
    message = {**play.next(), "at": play.trial.clock() + 3_600 * _SECOND}
    reply = play.send(message, sent=play.trial.clock())
    _require(reply.get("status") == "unreadable", f"answered {reply.get('status')}: it was sent before it happened")
    play.sequence -= 1


def _old(play: _Play) -> None:
    play.clear()
    at = play.trial.clock() - _HOURS_OLD * 3_600 * _SECOND
    _expect(play.send({**play.next(), "at": at}), "refused", play.sequence)


def _reconnect(play: _Play) -> None:
    play.round()
    _close(play.line)
    play.line = play.trial.line(play.trial.token)
    _expect(play.send({"type": "hello"}), "heard", play.sequence)
    reply = play.send(play.last)
    _expect(reply, "counted", play.sequence)
    _require(reply.get("again") is True, "did not say that it was answered before")
    play.clear()


def _backlog(play: _Play) -> None:
    play.clear()
    begun = play.send({"type": "hello"})["table"]["round"]
    waiting = []
    for _ in range(play.trial.backlog):
        waiting += [play.next(after=_ROUND - _PRESS), play.next(sensors=[])]
    for message in waiting:
        _expect(play.send(message), "released" if not message["sensors"] else "counted", message["sequence"])
    rounds = play.send({"type": "hello"})["table"]["round"] - begun
    _require(rounds == play.trial.backlog, f"{rounds} rounds were counted, not {play.trial.backlog}")


CHECKS: tuple[tuple[str, str, Callable[[_Play], None]], ...] = (
    ("DP-1", "hello is answered with the last number that is done", _hello),
    ("DP-2", "a press is counted, acknowledged under its number, and its lights are on", _press),
    ("DP-3", "the same message again is answered as the first time and counted once", _again),
    ("DP-4", "a message that comes too early waits, and is done in its order", _gap),
    ("DP-5", "a second press within a second does nothing", _double),
    ("DP-6", "a late wager is noted", _late),
    ("DP-7", "another message under a number that is done is refused and counts nothing", _twin),
    ("DP-8", "what is damaged is unreadable, and acknowledges nothing", _damaged),
    ("DP-9", "what is longer than 256,000 bytes is not taken", _long),
    ("DP-10", "a token that is nobody's is not heard", _wrong_token),
    ("DP-11", "a device speaks under its own name and at its own table alone", _stranger),
    ("DP-12", "a clock that is wrong is corrected by the time of sending", _clock),
    ("DP-13", "what was sent before it happened is unreadable", _future),
    ("DP-14", "what is older than 72 hours is recorded as refused, and acknowledged", _old),
    ("DP-15", "after a break the device goes on where it was, and what it repeats counts once", _reconnect),
    ("DP-16", "rounds that waited are counted in their order, each once", _backlog),
)


def conform(trial: Conformance) -> Iterator[ClauseResult]:
    """Try every clause; raises `UnfitTableError` where the table is none to try anything at."""
    span = (_ROUNDS + trial.backlog) * _ROUND
    line = trial.line(trial.token)
    play = _Play(trial=trial, line=line, at=trial.clock() - span - 60 * _SECOND)
    try:
        reply = play.send({"type": "hello"})
        _verify_table(trial, reply)
        play.sequence = int(reply["acknowledged"])
        for clause, states, check in CHECKS:
            yield ClauseResult(clause=clause, states=states, problem=_tried(play, check))
    finally:
        _close(play.line)


def _verify_table(trial: Conformance, reply: dict[str, Any]) -> None:
    if reply.get("status") != "heard":
        raise UnfitTableError(f"{trial.device} is not heard: {'; '.join(reply.get('problems', ()))}")
    table = reply["table"]
    problems = []
    if not (reply.get("example") or trial.is_forced):
        problems.append("it is a real table, whose meters would move: use one with example papers, or --force")
    if table["life"] != "open" or not table["dealer"] or table["by_hand"]:
        problems.append("it must be open, with a dealer and its equipment in service")
    if problems:
        raise UnfitTableError(f"nothing is tried at table {trial.table}: {'; '.join(problems)}")


def _tried(play: _Play, check: Callable[[_Play], None]) -> str:
    try:
        check(play)
    except NotConformingError as error:
        problem = str(error)
    except (LineCutError, NotAllowedError, KeyError, TypeError, ValueError) as error:
        problem = f"{type(error).__name__}: {error}"
    else:
        return ""
    _go_on(play)
    return problem


def _go_on(play: _Play) -> None:
    """After a failure go on where the server is: the next check is about its own clause."""
    try:
        play.sequence = int(play.send({"type": "hello"}).get("acknowledged", play.sequence))
    except (LineCutError, NotAllowedError, TypeError, ValueError):
        return


def _close(line: DeviceLine) -> None:
    close: Callable[[], object] | None = getattr(line, "close", None)
    if close is not None:
        close()


def passed(verdicts: Sequence[ClauseResult]) -> bool:
    """True if a server does as every clause states."""
    return all(verdict.is_passed for verdict in verdicts)
