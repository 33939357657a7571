"""Runs the command in this process, as typed in a shell, and holds what a tricky hand looks like."""

from __future__ import annotations

import json
import shlex
from dataclasses import dataclass, field
from typing import Any

from typer.testing import CliRunner, Result

from pitboss.cli.main import app

GAMES = ("three-card-prime", "deuces-wild", "super-three-card", "four-card-prime", "three-card-double-play")


@dataclass(frozen=True, kw_only=True, slots=True)
class Hand:
    """A round as a supervisor types it after `pitboss settle GAME`, and what it must come to.

    `comes_to` has (staked, paid, event) by wager in cents, "2 prime" for seat 2's; `jackpots` has (fund, house, odd cents).
    """

    why: str
    typed: str
    comes_to: dict[str, tuple[int, int, str | None]]
    jackpots: dict[str, tuple[int, int, int]] = field(default_factory=dict)


@dataclass(frozen=True, kw_only=True, slots=True)
class Refusal:
    """What must not be settled, and the pieces that its one message must hold."""

    why: str
    typed: str
    says: tuple[str, ...]
    code: int = 1


def run(command: str, stdin: str | None = None) -> Result:
    """Run `pitboss COMMAND`; the command is split as a shell does it."""
    return CliRunner().invoke(app, shlex.split(command), input=stdin)


def run_json(command: str) -> Any:
    """Run a command that must succeed, and read the JSON it prints."""
    result = run(command)

    assert result.exit_code == 0, result.output
    return json.loads(result.stdout)


def one_line(text: str) -> str:
    """Text without line ends, so that where it was wrapped does not matter."""
    return " ".join(text.split())
