"""Jobs for a worker to be tried with; nothing here takes long, or loads anything."""

from __future__ import annotations

import os
from dataclasses import dataclass
from typing import Any

from pitboss.server.worker.jobs import Job


@dataclass(frozen=True, slots=True, kw_only=True)
class DoubleJob(Job):
    number: int

    def run(self) -> dict[str, Any]:
        return {"number": 2 * self.number, "process": os.getpid()}


class SlowDoubleJob(DoubleJob):
    __slots__ = ()

    @property
    def is_slow(self) -> bool:
        return True


@dataclass(frozen=True, slots=True, kw_only=True)
class FailJob(Job):
    words: str

    def run(self) -> dict[str, Any]:
        raise ValueError(self.words)


@dataclass(frozen=True, slots=True, kw_only=True)
class AbortJob(Job):
    def run(self) -> dict[str, Any]:
        os.abort()
