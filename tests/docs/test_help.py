"""Every command explains itself, and the example at the end of its help runs."""

from __future__ import annotations

import re
import shlex

import pytest
from typer.testing import CliRunner

from pitboss.cli.main import app
from tests.docs.console import run_pitboss

COMMANDS = [
    info.name or info.callback.__name__.replace("_", "-")
    for info in app.registered_commands
    if info.callback is not None
]
_EXAMPLE = re.compile(r"\n *Example: pitboss (?P<rest>.+)\Z", re.DOTALL)
# A practice table asks until it is left.
_TYPED = {"play": "q\n"}


def help_of(*command: str) -> str:
    """The help, in a terminal wide enough to break no word."""
    result = CliRunner().invoke(app, [*command, "--help"], terminal_width=2_000, max_content_width=2_000)
    assert result.exit_code == 0, result.output
    return result.output


def test_the_help_of_all_lists_every_command() -> None:
    assert len(COMMANDS) >= 7
    listed = re.findall(r"^  ([a-z-]+)  ", help_of().partition("Commands:")[2], re.MULTILINE)

    assert sorted(COMMANDS) == sorted(listed)


@pytest.mark.parametrize("command", COMMANDS)
def test_the_help_of_a_command_ends_in_an_example_that_runs(command: str) -> None:
    found = _EXAMPLE.search(help_of(command).rstrip())

    assert found is not None, "no example at the end"
    arguments = shlex.split(" ".join(found["rest"].split()))
    assert arguments[0] == command
    ran = run_pitboss(arguments, _TYPED.get(command, ""))
    assert ran.exit_code == 0, ran.printed
    assert ran.printed
