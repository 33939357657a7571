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
        """Let go of the file."""
        os.close(self._file)

    def _read(self) -> bool:
        """Read what was kept; say whether there was anything."""
        if not self.path.exists():
            return False
        for line in self.path.read_bytes().splitlines(keepends=True):
            if not line.endswith(b"\n"):
                break
            said = json.loads(line)
            if "next" in said:
                self.next = max(self.next, said["next"])
            elif "done" in said:
                self._forget(said["done"])
            else:
                self.pending[said["sequence"]] = said
                self.next = max(self.next, said["sequence"] + 1)
        return True

    def _rewrite(self, whole: bool) -> None:
        if not whole:
            return
        fresh = self.path.with_suffix(".new")
        lines = [{"next": self.next}, *self.pending.values()]
        with fresh.open("wb") as file:
            file.write(b"".join(_line(each) for each in lines))
            file.flush()
            os.fsync(file.fileno())
        fresh.replace(self.path)
        _sync_folder(self.path.parent)

    def keep(self, message: Mapping[str, Any]) -> dict[str, Any]:
        """Give a message its number and keep it on disk; only then is it a press."""
        kept = {**message, "sequence": self.next}
        self._append(kept)
        self.pending[self.next] = kept
        self.next += 1
        return kept

    def done(self, sequence: int) -> None:
        """Forget messages up to this number: they are acknowledged."""
        if any(each <= sequence for each in self.pending):
            self._append({"done": sequence})
            self._forget(sequence)

    def go_on_after(self, sequence: int) -> None:
        """Number messages from after this one on: a device that has lost its memory uses no number again."""
        if sequence >= self.next:
            self.next = sequence + 1
            self._append({"next": self.next})

    def _forget(self, sequence: int) -> None:
        self.pending = {each: message for each, message in self.pending.items() if each > sequence}

    def _append(self, said: Mapping[str, Any]) -> None:
        os.write(self._file, _line(said))
        os.fsync(self._file)


def _line(said: Mapping[str, Any]) -> bytes:
    return json.dumps(said, separators=(",", ":")).encode() + b"\n"


def _sync_folder(path: Path) -> None:
    folder = os.open(path, os.O_RDONLY)
    try:
        os.fsync(folder)
    finally:
        os.close(folder)
