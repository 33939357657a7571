"""What a device keeps on disk: every message before it is sent, until it is acknowledged, so that no press is lost.

The file has one line of JSON for each message and for each acknowledgement. A line that was torn when the device was
killed was never shown as pressed, and is dropped.
"""

from __future__ import annotations

import json
import os
from collections.abc import Mapping
from pathlib import Path
from types import TracebackType
from typing import Any, Self


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
