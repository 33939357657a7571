"""Every command explains itself, and the example at the end of its help runs."""

from __future__ import annotations

import re
import shlex
import shutil
from pathlib import Path

import pytest
from typer.models import CommandInfo
from typer.testing import CliRunner

from pitboss.books.store.keys import make_key
from pitboss.cli.main import app
from pitboss.room.room import Room
from tests.books.sample import make_sample
from tests.docs.console import ROOT, commands_of_pages, run_pitboss
from tests.doors import show_amounts
from tests.tabulator.sample import make_sample as make_tables_sample

# Both run the commands of the program: what one has compiled the other need not.
pytestmark = pytest.mark.xdist_group("commands")


def _names(commands: list[CommandInfo]) -> list[str]:
    return [info.name or info.callback.__name__.replace("_", "-") for info in commands if info.callback is not None]


GROUPS = {
    str(group.name): _names(group.typer_instance.registered_commands)
    for group in app.registered_groups
    if group.typer_instance is not None
}
COMMANDS = [
    *((name,) for name in _names(app.registered_commands)),
    *((group, name) for group, names in GROUPS.items() for name in names),
]
_EXAMPLE = re.compile(r"\n *Example: pitboss (?P<rest>.+)\Z", re.DOTALL)
# A practice table asks until it is left.
_TYPED = {"play": "q\n"}
_ABOUT_BOOKS = ("books", "audit", "backup", "restore", "packet", "keys", "support-bundle", "upgrade", "backups")
# A server runs until it is ended; `tests/server` runs it, and types the password of a company.
_GOES_ON = ("serve", "company")
# The room of the example may not open tomorrow, and the command says so.
_SAYS_NO = ("tomorrow",)
# They need a table with an active setup, which that of the examples has not; `tests/cli/test_verbs.py` types them.
_PAPERS = (("tables", "post-papers"), ("tables", "remove-paper"))
# Who has made a token in the browser types these; `tests/server/test_terminal.py` does.
_WITH_A_TOKEN = ("token", "approve", "decline")
# There is a version before only where an installer has put one, and the doctor of this computer may find something;
# `tests/operations` types them.
_WITH_AN_INSTALLATION = ("rollback", "doctor")


COMMANDS_IN_DOCS = frozenset(commands_of_pages())
"""What stands in a console block of a page too, where `test_examples` runs it and compares what it prints."""


def help_of(*command: str) -> str:
    """The help, in a terminal wide enough to break no word."""
    result = CliRunner().invoke(app, [*command, "--help"], terminal_width=2_000, max_content_width=2_000)
    assert result.exit_code == 0, result.output
    return result.output


def test_the_help_of_all_lists_every_command() -> None:
    assert len(COMMANDS) >= 7
    listed = re.findall(r"^  ([a-z-]+)  ", help_of().partition("--help")[2], re.MULTILINE)

    assert sorted({command[0] for command in COMMANDS}) == sorted(listed)


@pytest.mark.parametrize("name", GROUPS)
def test_the_help_of_a_group_lists_its_commands(name: str) -> None:
    listed = re.findall(r"^  ([a-z-]+)  ", help_of(name).partition("Commands:")[2], re.MULTILINE)

    assert GROUPS[name] == listed


@pytest.mark.parametrize("name", GROUPS)
def test_a_29_no_description_of_a_group_is_cut(name: str) -> None:
    """Seen at 80 columns: "Show the tables of a room, their devices, alarms, and..."."""
    assert "..." not in CliRunner().invoke(app, [name, "--help"], terminal_width=80).output.partition("Commands:")[2]


@pytest.fixture
def rooms(tmp_path: Path) -> dict[str, str]:
    """What the examples about books speak of, made in a folder of this test."""
    made = {
        name: tmp_path / name
        for name in (
            *("room", "damaged-room", "new-room", "room.backup", "today.backup"),
            *("heads.key", "new.key", "apart.key", "backup.key", "heads.txt", "witness"),
        )
    }
    made["witness"].mkdir()
    make_key(made["apart.key"])
    make_sample(made["room"])
    make_sample(made["damaged-room"])
    (made["damaged-room"] / "witness-room").write_text(f"{21:020d} {'0' * 64}\n")
    shutil.copy(ROOT / "examples" / "room.backup", made["room.backup"])
    return {name: str(path) for name, path in made.items()}


@pytest.fixture(scope="module")
def tables_room(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The room of examples/tables.backup, made once; it is copied for every command that writes."""
    return make_tables_sample(tmp_path_factory.mktemp("tables") / "room").path


def _show(path: Path, table: str) -> None:
    with Room(path) as room:
        show_amounts(room, table)


@pytest.mark.parametrize("command", COMMANDS, ids=" ".join)
def test_the_help_of_a_command_ends_in_an_example_that_runs(
    command: tuple[str, ...], request: pytest.FixtureRequest
) -> None:
    found = _EXAMPLE.search(help_of(*command).rstrip())

    assert found is not None, "no example at the end"
    arguments = shlex.split(" ".join(found["rest"].split()))
    assert arguments[: len(command)] == list(command)
    if command[0] in (*_GOES_ON, *_WITH_A_TOKEN, *_WITH_AN_INSTALLATION) or shlex.join(arguments) in COMMANDS_IN_DOCS:
        return
    if command in _PAPERS:
        return
    if command[0] in _ABOUT_BOOKS:
        rooms: dict[str, str] = request.getfixturevalue("rooms")
        arguments = [rooms.get(argument, argument) for argument in arguments]
    elif command[0] in ("tables", "do", "store") and "room" in arguments:
        made = shutil.copytree(request.getfixturevalue("tables_room"), request.getfixturevalue("tmp_path") / "room")
        here = {name: str(made.with_name(name)) for name in ("room", "moved-room")}
        arguments = [here.get(argument, argument) for argument in arguments]
    if command == ("backups", "stop"):
        people = ["--person", "Max Orr", "--approved-by", "Lee Sato", "--reason", "safe"]
        when = ["--directory", "/media/safe", "--every", "6", "--key", "0123456789abcdef" * 4]
        run_pitboss(["backups", "plan", arguments[2], *when, *people])
    if command == ("tables", "confirm-display"):
        run_pitboss(["tables", "register-display", arguments[2], "sign 2", "2", "--make", "sign", "--person", "Max"])
    if command in (("tables", "open"), ("tables", "resume")):
        _show(Path(arguments[2]), arguments[3])
        paper = ["--paper", "internal-controls=IC-1:2026-01-05", "--approved-by", "Max Adeyemi"]
        run_pitboss(["tables", "record-approval", *arguments[2:4], "--person", "Sue Halvorsen", *paper])
    if command == ("tables", "resume"):
        suspended = run_pitboss(
            ["tables", "suspend", *arguments[2:4], "--person", "Sue Halvorsen", "--reason", "display is dark"]
        )
        assert suspended.exit_code == 0, suspended.printed
    if command == ("tables", "lights"):
        _show(Path(arguments[2]), "3")
    if command in (("tables", "name-seats"), ("tables", "lights")):
        _prepare(command[1], arguments[2], request.getfixturevalue("tmp_path"))
    if command == ("keys", "rotate"):
        key = ["--key", str(Path(arguments[2]).with_name("first.key"))]
        run_pitboss(["keys", "make", arguments[2], *key, *arguments[5:]])
    if "-o" in arguments:
        place = arguments.index("-o") + 1
        arguments[place] = str(request.getfixturevalue("tmp_path") / Path(arguments[place]).name)
    before = set(ROOT.iterdir())
    ran = run_pitboss(arguments, _TYPED.get(command[0], ""))
    assert ran.exit_code == (1 if command[0] in _SAYS_NO else 0), ran.printed
    assert set(ROOT.iterdir()) == before, "an example leaves files in the repository"
    assert ran.printed


def _prepare(verb: str, room: str, folder: Path) -> None:
    """Enter totals at table 5, or put an Andromeda-1 in the place of the Milky Way at table 3."""
    one, two = "--person 'Sue Halvorsen'", "--person 'Sue Halvorsen' --approved-by 'Max Adeyemi'"
    steps = [f"counts {room} 5 2 --seats final-four=1:2,4:1 {two} --reason sheet"]
    if verb == "lights":
        file = folder / "table-3.toml"
        file.write_text(
            'table = "3"\ngame = "three-card-prime"\nmodel = "andromeda-1"\ndevice = "A1-0003"\nseats = 7\n'
            'wagers = ["final-four"]\n'
        )
        steps = [
            f"close {room} 3 {one}",
            f"set-up {room} {file} {two} --reason new",
            f"record-approval {room} 3 --paper internal-controls=IC-1:2026-01-05 {two}",
            f"open {room} 3 {two}",
            f"dealer {room} 3 'Dan Ortiz' {one}",
        ]
    for step in steps:
        ran = run_pitboss(["tables", *shlex.split(step)])
        assert ran.exit_code == 0, ran.printed
