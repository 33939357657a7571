"""The device simulator on the command line: a table that plays over the line that devices use."""

import datetime
import json
import os
import random
import tempfile
import threading
from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import asdict, dataclass
from functools import partial
from pathlib import Path
from typing import Any, NamedTuple

from rich.markup import escape

from pitboss.books import microseconds, microseconds_now
from pitboss.cli.output import (
    BROKEN_RULE,
    TYPED_WRONG,
    console,
    errors,
    fail,
    plain_table,
    show_problems,
    survive_lost_peers,
)
from pitboss.tabulator.devices import client
from pitboss.tabulator.devices.broker import SCHEMES
from pitboss.tabulator.devices.client import Felt, play, play_logger
from pitboss.tabulator.devices.conformance import ClauseResult, Conformance, UnfitTableError, conform, passed
from pitboss.tabulator.entries import Place
from pitboss.tabulator.rounds import DOUBLE_PRESS

PRINTED = "-"
TOKEN = "PITBOSS_DEVICE_TOKEN"  # noqa: S105 - the name of a variable
_LEAST_PAUSE = 1.1
"""Presses come this far apart, however fast a table is played: nearer they would be one."""
_BACKLOG_MAX = 1_000
_CHANCES = {
    "duplicate": "duplicate",
    "gap": "lost_request",
    "lost-reply": "lost_reply",
    "reorder": "reorder",
    "cut": "cut",
}


@dataclass(frozen=True, slots=True, kw_only=True)
class DeviceOptions:
    """The options of `pitboss device`, unchecked."""

    url: str
    name: str
    table: str
    rounds: int
    seats: int
    sensors: int
    dealers: list[str]
    buffer: Path | None
    token_file: Path | None
    faults: list[str]
    speed: float
    seed: int | None
    start: str | None
    as_json: bool
    logger: int = 0


class _Faults(NamedTuple):
    line: client.LineFaults
    dead: frozenset[Place]
    stuck: frozenset[Place]
    skew: int


def run_device(options: DeviceOptions) -> int:
    """Play, and tell what the server has said."""
    problems: list[str] = []
    faults = _faults(options.faults, problems)
    if options.url != PRINTED and options.buffer is None:
        problems.append("--buffer: name the file in which the device keeps what waits")
    if options.speed <= 0 or options.rounds < 1 or options.seats < 1 or options.sensors < 1:
        problems.append("--speed, --rounds, --seats and --sensors must be more than nothing")
    if options.logger < 0 or (options.logger and options.dealers):
        problems.append("--logger: how many rounds are sent together; a logger has no badge reader, so no --dealer")
    if problems:
        show_problems(problems, "nothing was played")
        return TYPED_WRONG
    rng = random.Random(options.seed)  # noqa: S311 - a trial, not a secret
    time = _Time(options, faults.skew)
    felt = Felt(seats=options.seats, sensors=options.sensors, dead=faults.dead, stuck=faults.stuck)
    with (
        tempfile.TemporaryDirectory() as folder,
        client.DeviceBuffer(options.buffer or Path(folder) / "buffer") as buffer,
    ):
        told = _ToldLine(device_line(options.url, options.name, options.token_file))
        line = client.FaultyLine(told, faults.line, rng)
        device = client.DeviceClient(
            options.name, options.table, buffer, line, clock=time.now, buffers=bool(options.logger)
        )
        try:
            if options.logger:
                play_logger(device, felt, rng, options.rounds, pause=time.pause, batch=options.logger)
            else:
                play(device, felt, rng, options.rounds, pause=time.pause, dealers=options.dealers)
        except (client.NotAllowedError, TimeoutError) as error:
            raise fail(str(error)) from None
    return _print_result(options, device)


def device_line(url: str, device: str, token_file: Path | None) -> client.DeviceLine:
    """Return the line of a device: to a server, to a broker, or one that prints."""
    if url == PRINTED:
        return _PrintedLine()
    survive_lost_peers()
    try:
        return line_to(url, device, read_device_token(token_file))
    except (OSError, ValueError) as error:
        raise fail(str(error)) from None


def read_device_token(token_file: Path | None) -> str:
    """Read the token of a device, from its file or the environment."""
    return os.environ.get(TOKEN, "") if token_file is None else token_file.read_text(encoding="utf-8").strip()


def line_to(url: str, device: str, token: str) -> client.DeviceLine:
    """Return a line by HTTP to one server or several in turn, or by an MQTT broker as its address says."""
    if url.partition("://")[0] not in SCHEMES:
        return client.line_to(url.split(","), token)
    try:
        from pitboss.tabulator.devices.mqtt import MqttLine  # noqa: PLC0415 - its dependency is an extra
    except ImportError:
        raise ValueError("MQTT needs Paho: install pitboss with the extra `mqtt`") from None
    return MqttLine(url, device, token)


class _ToldLine:
    """A line that says when nothing answers, and when something does again; a device itself only waits."""

    def __init__(self, line: client.DeviceLine) -> None:
        self._line, self._is_cut = line, False

    def send(self, message: bytes) -> dict[str, Any]:
        """Send a message and return its reply."""
        try:
            reply = self._line.send(message)
        except client.LineCutError as error:
            if not self._is_cut:
                errors.print(f"{error}. Messages wait, and are sent again; Ctrl-C ends.", markup=False)
            self._is_cut = True
            raise
        if self._is_cut:
            errors.print("The server answers again.", markup=False)
        self._is_cut = False
        return reply


class _PrintedLine:
    """A line that prints what it would send, and answers as a table would that is open and counts."""

    def __init__(self) -> None:
        self._phase, self._pressed = "open", -DOUBLE_PRESS

    def send(self, message: bytes) -> dict[str, Any]:
        """Print the message."""
        payload = json.loads(message)
        print(message.decode())
        if payload["type"] == "press" and payload["at"] - self._pressed >= DOUBLE_PRESS:
            self._pressed = payload["at"]
            self._phase = "open" if self._phase == "tabulated" else "tabulated"
        return {"status": "printed", "acknowledged": payload.get("sequence", 0), "table": {"phase": self._phase}}


class _Time:
    """The clock of the device and the pauses of its dealer; where messages are printed no time goes by."""

    def __init__(self, options: DeviceOptions, skew: int) -> None:
        self._skew, self._speed = skew, options.speed
        self._stands: int | None = None
        if options.url == PRINTED:
            try:
                begun = None if options.start is None else datetime.datetime.fromisoformat(options.start)
                self._stands = microseconds_now() if begun is None else microseconds(begun)
            except ValueError:
                raise fail(f"--start {options.start!r} must be a time such as 2026-11-16T20:00:00+00:00") from None
        self._wait: Callable[[float], bool] = threading.Event().wait

    def now(self) -> int:
        return (microseconds_now() if self._stands is None else self._stands) + self._skew

    def pause(self, seconds: float) -> None:
        if self._stands is not None:
            self._stands += int(seconds * 1_000_000)
        else:
            # A hand that slips presses at once again, and does not wait.
            self._wait(seconds if seconds < 1 else max(seconds / self._speed, _LEAST_PAUSE))


def _faults(texts: list[str], problems: list[str]) -> _Faults:
    chances: dict[str, Any] = {}
    places: dict[str, set[Place]] = {"dead": set(), "stuck": set()}
    skew = 0
    for text in texts:
        name, _, value = text.partition("=")
        try:
            if name == "skew":
                skew = int(value) * 1_000_000
            elif name in places:
                position, number = value.split(".")
                places[name].add((int(position), int(number)))
            else:
                chances[_CHANCES[name]] = _chance(value)
        except (ValueError, KeyError):
            problems.append(f"--fault {text!r}: {', '.join(_CHANCES)} take a chance, dead and stuck 3.1, skew seconds")
    return _Faults(client.LineFaults(**chances), frozenset(places["dead"]), frozenset(places["stuck"]), skew)


def _chance(text: str) -> float:
    value = float(text)
    if not 0 <= value < 1:
        raise ValueError(text)
    return value


CONFORM = "conform"


class ConformOptions(NamedTuple):
    """The options of `pitboss device conform`, unchecked."""

    url: str
    name: str
    table: str
    token_file: Path | None
    backlog: int
    is_forced: bool
    as_json: bool


def run_conformance(options: ConformOptions) -> int:
    """Try the contract of devices at a server, and print which clauses it fulfills."""
    problems = [] if options.url else ["name the server or the broker: pitboss device conform URL"]
    problems += [] if 1 <= options.backlog <= _BACKLOG_MAX else [f"--backlog must be from 1 to {_BACKLOG_MAX}"]
    if problems:
        show_problems(problems, "nothing was tried")
        return TYPED_WRONG
    try:
        trial = Conformance(
            device=options.name,
            table=options.table,
            line=partial(line_to, options.url, options.name),
            token=read_device_token(options.token_file),
            clock=microseconds_now,
            backlog=options.backlog,
            is_forced=options.is_forced,
        )
        verdicts = list(conform(trial))
    except (OSError, ValueError, UnfitTableError, client.NotAllowedError) as error:
        raise fail(str(error)) from None
    _print_verdicts(verdicts, as_json=options.as_json)
    return 0 if passed(verdicts) else BROKEN_RULE


def _print_verdicts(verdicts: Sequence[ClauseResult], *, as_json: bool) -> None:
    if as_json:
        rows = [{**asdict(verdict), "passed": verdict.is_passed} for verdict in verdicts]
        print(json.dumps({"passed": passed(verdicts), "clauses": rows}, indent=2))
        return
    table = plain_table("clause", "result", "states", "otherwise")
    for verdict in verdicts:
        table.add_row(verdict.clause, "pass" if verdict.is_passed else "FAIL", verdict.states, escape(verdict.problem))
    console.print(table)
    failed = sum(not verdict.is_passed for verdict in verdicts)
    console.print(f"{len(verdicts) - failed} of {len(verdicts)} clauses are fulfilled", markup=False)


def _print_result(options: DeviceOptions, device: client.DeviceClient) -> int:
    statuses = Counter(str(reply.get("status")) for reply in device.replies)
    refused = [problem for reply in device.replies for problem in reply.get("problems", ())]
    if options.url == PRINTED:
        return 0
    if options.as_json:
        content = {"statuses": dict(statuses), "waiting": len(device.buffer.pending), "problems": refused}
        print(json.dumps(content, indent=2))
    else:
        counts = ", ".join(f"{status} {count}" for status, count in sorted(statuses.items()))
        console.print(
            f"{options.name} at table {options.table}: {counts}; waiting {len(device.buffer.pending)}", markup=False
        )
        if refused:
            show_problems(dict.fromkeys(refused), "the server has refused")
    return BROKEN_RULE if refused else 0
