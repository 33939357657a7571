"""Signs with remote access: an adapter of the room's own sets one, and its answer confirms what it shows (E-05, G-63).

`signs.toml` in the data directory says how each sign is reached: a file that is written, or a program that is run, both
with one line of JSON. Nobody sets it over the network, as it names programs of this computer. A sign that gives no
answer, or another one, is unconfirmed: that is an alarm, and its display is not true (T-04).
"""

import json
import os
import subprocess
import time
import tomllib
from collections.abc import Callable, Mapping, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from pathlib import Path
from typing import Annotated, Any, NamedTuple

from pitboss import books
from pitboss.commands import Bounds, By, Command, Count, Executor, Name, Now, Words, command, refuse
from pitboss.commands.command import SYSTEM_ACTOR
from pitboss.commands.roles import SYSTEM
from pitboss.jackpot import JACKPOTS
from pitboss.room.displays import DISPLAYS, DisplayConfirmed, DisplayRecord, shown_at
from pitboss.rules import dollars

FILE_NAME = "signs.toml"
_KEYS = {"name", "file", "answer", "command", "timeout_seconds"}
_TIMEOUT, _TIMEOUT_MAX = 10, 60
_ANSWER_MAX = 64_000
_AGAIN_SECONDS = 60
_AT_ONCE = 4


class Sign(NamedTuple):
    """How a sign is reached: a file and the file of its answer, or a program with its arguments."""

    name: str
    file: str = ""
    answer: str = ""
    command: tuple[str, ...] = ()
    timeout_seconds: int = _TIMEOUT


class SignLine(NamedTuple):
    """What a sign is told: which setting this is, the cents by jackpot, and the same as lines to be shown."""

    sign: str
    number: int
    amounts: Mapping[str, int]
    lines: Sequence[str]

    def to_json(self) -> str:
        """Write the line, with its end."""
        return json.dumps(self._asdict(), ensure_ascii=True, separators=(",", ":")) + "\n"


class UnconfirmedError(RuntimeError):
    """A sign that has not confirmed what it was told, and why."""


@books.entry_kind("sign-unconfirmed")
class SignUnconfirmed(books.EntryPayload):
    """A sign with an adapter has not confirmed what it was told: what came instead."""

    name: str
    words: str


def read_signs(path: Path) -> dict[str, Sign]:
    """Read how the signs of a room are reached, by name; or raise `RefusedError` with everything that is wrong."""
    file = path / FILE_NAME
    if not file.exists():
        return {}
    if os.name == "posix" and file.stat().st_mode & 0o022:
        raise books.RefusedError([f"{file} names programs to run: nobody but its owner may write to it (T-06)"])
    try:
        content = tomllib.loads(file.read_text(encoding="utf-8"))
    except (tomllib.TOMLDecodeError, UnicodeDecodeError) as error:
        raise books.RefusedError([f"{file} is no TOML: {error}"]) from None
    rows = content.get("sign", [])
    problems = [f"{FILE_NAME}: {key!r} is no key of it" for key in content if key != "sign"]
    problems += [problem for place, row in enumerate(rows, start=1) for problem in _row_problems(place, row)]
    names = [row.get("name") for row in rows if isinstance(row, dict)]
    problems += [f"{FILE_NAME}: {name!r} is there twice" for name in dict.fromkeys(names) if names.count(name) > 1]
    refuse(problems)
    signs = [Sign(**{**row, "command": tuple(row.get("command", ()))}) for row in rows]
    return {sign.name: sign for sign in signs}


def _row_problems(place: int, row: Any) -> list[str]:
    where = f"{FILE_NAME}, sign {place}"
    if not isinstance(row, dict):
        return [f"{where}: must be a table"]
    problems = [f"{where}: {key!r} is no key of a sign" for key in row if key not in _KEYS]
    texts = ("name", "file", "answer")
    problems += [f"{where}: {key} must be text" for key in texts if not isinstance(row.get(key, ""), str)]
    typed = row.get("command", [])
    if not isinstance(typed, list) or not all(isinstance(word, str) for word in typed):
        problems.append(f"{where}: command must be a list: the program and each of its arguments")
    elif typed and not Path(typed[0]).is_absolute():
        problems.append(f"{where}: {typed[0]!r} must be the whole path of a program; no shell looks for it")
    if not row.get("name"):
        problems.append(f"{where}: name the display that is registered as a sign")
    if bool(typed) == bool(row.get("file")) or bool(row.get("file")) != bool(row.get("answer")):
        problems.append(f"{where}: either a command, or a file and the file of its answer")
    seconds = row.get("timeout_seconds", _TIMEOUT)
    if type(seconds) is not int or not 1 <= seconds <= _TIMEOUT_MAX:
        problems.append(f"{where}: timeout_seconds must be a whole number from 1 to {_TIMEOUT_MAX}")
    return problems


def set_sign(sign: Sign, line: SignLine) -> None:
    """Set a sign and wait for its answer; raises `UnconfirmedError` where it does not confirm what it was told."""
    answer = _run(sign, line) if sign.command else _write(sign, line)
    try:
        content = json.loads(answer)
    except ValueError:
        raise UnconfirmedError(f"its answer is no JSON: {answer[:80]!r}") from None
    if not isinstance(content, dict) or content.get("number") != line.number:
        raise UnconfirmedError(f"its answer is not about setting {line.number}: {answer[:80]!r}")
    if content.get("amounts") != dict(line.amounts):
        raise UnconfirmedError(f"it shows {content.get('amounts')!r}, and was told {dict(line.amounts)!r}")


def _run(sign: Sign, line: SignLine) -> str:
    """Run the program of a sign without a shell: the line on its standard input, the answer on its standard output."""
    try:
        process = subprocess.run(  # noqa: S603 - a list of arguments from the owner of this computer
            list(sign.command),
            input=line.to_json().encode(),
            capture_output=True,
            timeout=sign.timeout_seconds,
            check=False,
            env={"PATH": os.defpath},
        )
    except subprocess.TimeoutExpired:
        raise UnconfirmedError(f"no answer within {sign.timeout_seconds} seconds") from None
    except OSError as error:
        raise UnconfirmedError(f"its program could not be run: {error.strerror}") from None
    if process.returncode:
        raise UnconfirmedError(f"its program ended with {process.returncode}")
    return process.stdout[:_ANSWER_MAX].decode(errors="replace")


def _write(sign: Sign, line: SignLine) -> str:
    """Replace the file of a sign whole, and wait until the file of its answer speaks about this setting."""
    file, answer = Path(sign.file), ""
    try:
        fresh = file.with_name(f".{file.name}.new")
        fresh.write_text(line.to_json(), encoding="utf-8")
        fresh.replace(file)
    except OSError as error:
        raise UnconfirmedError(f"its file could not be written: {error.strerror}") from None
    until = time.monotonic() + sign.timeout_seconds
    while time.monotonic() < until:
        try:
            answer = Path(sign.answer).read_text(encoding="utf-8", errors="replace")[:_ANSWER_MAX]
            if json.loads(answer).get("number") == line.number:
                return answer
        except (OSError, ValueError, AttributeError):
            pass
        time.sleep(0.05)
    raise UnconfirmedError(f"no answer within {sign.timeout_seconds} seconds")


@command("displays/set-sign", roles=SYSTEM, is_exposed=False)
class RecordSign(Command):
    """Record what a sign with an adapter has confirmed: by jackpot the cents, or nothing and why."""

    name: Name
    amounts: Mapping[Name, Count]
    words: Annotated[Words, Bounds(most=500)] = ""

    def entries(self, now: Now, by: By) -> list[books.Payload]:
        """Return the amounts that the sign shows; none where it did not confirm them."""
        record = now.state.of(DISPLAYS).get(self.name)
        if record is None or not record.active or record.display.make != "sign":
            raise books.RefusedError([f"{self.name!r} is no sign of this room (T-04)"])
        confirmed = DisplayConfirmed(name=self.name, amounts=dict(self.amounts))
        return [SignUnconfirmed(name=self.name, words=self.words), confirmed] if self.words else [confirmed]


class SignWatch:
    """Sets the signs that have an adapter, beside everything else that the room does, and records their answers."""

    def __init__(self, executor: Executor, path: Path, clock: Callable[[], int]) -> None:
        self._executor, self._clock, self.signs = executor, clock, read_signs(path)
        self._pool = ThreadPoolExecutor(_AT_ONCE, thread_name_prefix="sign") if self.signs else None
        self._waiting: dict[str, tuple[SignLine, Future[None]]] = {}
        self._checked: dict[str, int] = {}

    def review(self, *, command: str, wait: bool = False) -> None:
        """Record the answers that have come, and set what shows another amount or was not looked at for a minute."""
        state = self._executor.services.state
        for number, (name, sign) in enumerate(self.signs.items(), start=1):
            record = state.of(DISPLAYS).get(name)
            if record is None or not record.active or record.display.make != "sign" or self._pool is None:
                continue
            line = _line(state, name, record)
            if name not in self._waiting and self._is_due(name, record, line):
                self._waiting[name] = (line, self._pool.submit(set_sign, sign, line))
            if name in self._waiting and (wait or self._waiting[name][1].done()):
                self._record(name, record, f"{command}-{number}")

    def _is_due(self, name: str, record: DisplayRecord, line: SignLine) -> bool:
        since = self._clock() - self._checked.get(name, -_AGAIN_SECONDS * 1_000_000)
        is_other = bool(record.confirmed) and dict(record.confirmed or {}) != dict(line.amounts)
        return is_other or since >= _AGAIN_SECONDS * 1_000_000

    def _record(self, name: str, record: DisplayRecord, id: str) -> None:  # noqa: A002
        line, future = self._waiting.pop(name)
        self._checked[name] = self._clock()
        try:
            future.result()
        except UnconfirmedError as error:
            amounts, words = {}, f"{name}: {error}"
        else:
            amounts, words = dict(line.amounts), ""
        if record.confirmed is None or dict(record.confirmed) != amounts:
            self._executor.do(RecordSign(name=name, amounts=amounts, words=words), SYSTEM_ACTOR, id=id)

    def close(self) -> None:
        """Wait for nobody any more."""
        if self._pool is not None:
            self._pool.shutdown(wait=False, cancel_futures=True)


def _line(state: books.BookState, name: str, record: DisplayRecord) -> SignLine:
    table = record.display.table
    amounts = shown_at(state, table)
    lines = []
    for jackpot in state.of(JACKPOTS).at(table):
        if jackpot.jackpot.name in amounts:
            _, wager = jackpot.jackpot.game_and_wager(jackpot.jackpot.offer_at(table))
            lines.append(f"{wager.title.upper()} {dollars(amounts[jackpot.jackpot.name])}")
    return SignLine(name, state.sequence, amounts, lines)
