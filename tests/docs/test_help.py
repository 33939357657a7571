"""Every command explains itself, and the example at the end of its help runs."""

from __future__ import annotations

import re
import shlex

import pytest
import typer
from typer.testing import CliRunner

from pitboss.cli.main import app
from tests.docs.console import run_pitboss


def names_of(group: typer.Typer) -> list[str]:
    return [
        info.name or info.callback.__name__.replace("_", "-")
        for info in group.registered_commands
        if info.callback is not None
    ]


GROUPS = {info.name: info.typer_instance for info in app.registered_groups if info.name and info.typer_instance}
COMMANDS = [*names_of(app), *(f"{name} {command}" for name, group in GROUPS.items() for command in names_of(group))]
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

    assert sorted([*names_of(app), *GROUPS]) == sorted(listed)


@pytest.mark.parametrize("name", GROUPS)
def test_the_help_of_a_group_lists_its_commands(name: str) -> None:
    listed = re.findall(r"^  ([a-z-]+)  ", help_of(name).partition("Commands:")[2], re.MULTILINE)

    assert names_of(GROUPS[name]) == listed


@pytest.mark.parametrize("command", COMMANDS)
def test_the_help_of_a_command_ends_in_an_example_that_runs(command: str) -> None:
    found = _EXAMPLE.search(help_of(*command.split()).rstrip())

    assert found is not None, "no example at the end"
    arguments = shlex.split(" ".join(found["rest"].split()))
    assert arguments[: len(command.split())] == command.split()
    ran = run_pitboss(arguments, _TYPED.get(command, ""))
    assert ran.exit_code == 0, ran.printed
    assert ran.printed
