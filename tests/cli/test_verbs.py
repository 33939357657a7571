"""Every verb of the terminal reads only, sets files or books up, or has the room carry a registered command out."""

from __future__ import annotations

import re
import shlex
from pathlib import Path
from typing import Any, NoReturn

import pytest
from typer.models import CommandInfo
from typer.testing import CliRunner

from pitboss.books import RefusedError
from pitboss.cli.main import app
from pitboss.commands import By, Command
from pitboss.room.commands import BY_NAME
from pitboss.room.room import Room
from tests.docs.console import ROOT
from tests.tabulator.sample import make_sample

READ_ONLY = {
    *("games", "rules", "paytables", "settle", "check", "config", "diff", "print", "play", "train"),
    *("odds", "switches", "sharing", "together", "seen", "strategy", "best", "par", "simulate", "forecast"),
    *("design", "vulnerability"),
    *("jackpots", "approvals", "explain", "hits", "slip", "report", "packet", "vision export", "vision log"),
    *("tables show", "tables log", "tables models", "tables check", "books show", "books entries", "books rebuild"),
    *("keys list", "verify-install", "tomorrow", "tables papers"),
    *("backups show", "monitoring", "doctor", "support-bundle"),
    *("rng raw", "rng deal", "rng report", "rng health"),
}
SETS_UP = {
    "books create": "there is no room yet that could carry a command out",
    "books upgrade": "the schema of the store; no entry is written",
    "books decide": "books that are halted accept no command",
    "audit": "halts damaged books; no entry is written",
    "backup": "copies the books",
    "keys backup": "makes a key in a file; no room has it",
    "provision": "asks for the command behind each file: `tests/cli/test_provision.py`",
    "keys sign": "signs where the books end in a file of heads; no entry is written",
    "keys send": "sets where heads go, a file of the data directory; no entry is written",
    "restore": "makes new books from a backup",
    "rng reset": "the lock on dealing of this computer, which is no room's",
    "serve": "runs the server, whose people and devices ask for commands",
    "device": "posts messages to a server, which turns them into commands",
    "token": "keeps the token of who sits at the terminal in a file of theirs",
    "approve": "gives an approval, which carries the command out that waits",
    "decline": "refuses an approval; nothing else is done",
    "upgrade": "the schema of the store and its parts; no entry is written",
    "rollback": "chooses the version that is installed; no entry is written",
    "store copy": "copies a room into another store",
    "company serve": "serves a page that reads rooms",
    "company password": "sets the password of a company's page, which is no room's",
}
COMMANDS = {
    "do": {"jackpots/close"},
    "tables post": {"tables/post"},
    "tables set-up": {"tables/set-up"},
    "tables record-approval": {"tables/record-approval"},
    "tables register-maker": {"room/register-maker"},
    "tables register-display": {"displays/register"},
    "tables confirm-display": {"displays/confirm"},
    "tables post-papers": {"papers/post"},
    "tables remove-paper": {"papers/remove"},
    "tables open": {"tables/open"},
    "tables close": {"tables/close"},
    "tables suspend": {"tables/suspend"},
    "tables resume": {"tables/resume"},
    "tables dealer": {"tables/dealer"},
    "tables press": {"tables/press"},
    "tables lights": {"tables/state-lights"},
    "tables name-seats": {"tables/name-seats"},
    "tables deck": {"tables/log-deck"},
    "tables shuffler": {"tables/set-shuffler"},
    "tables correct": {"tables/correct", "tables/correct-earlier"},
    "tables void": {"tables/void"},
    "tables confirm-wager": {"hits/confirm-wager"},
    "tables call-found": {"hits/call-found"},
    "tables down": {"tables/down"},
    "tables counts": {"tables/enter-counts"},
    "tables restore": {"tables/restore"},
    "tables read": {"tables/read-counter"},
    "tables malfunction": {"tables/malfunction"},
    "tables report": {"tables/report"},
    "tables mend": {"tables/mend"},
    "tables clear": {"tables/clear-alarm"},
    "books shifts": {"room/set"},
    "books words": {"room/set"},
    "books rename": {"room/rename"},
    "backups plan": {"backups/plan"},
    "backups stop": {"backups/stop"},
    "keys make": {"room/add-key"},
    "keys rotate": {"room/add-key"},
}
# Verbs that ask for another command when more is typed than in the example of their help.
ALSO_TYPED = {"tables correct": '--role supervisor --approved-by "Max Adeyemi"'}


def _verbs() -> dict[str, CommandInfo]:
    groups: list[tuple[str, list[CommandInfo]]] = [("", app.registered_commands)]
    for group in app.registered_groups:
        assert group.typer_instance is not None
        groups.append((f"{group.name} ", group.typer_instance.registered_commands))
    return {
        f"{prefix}{info.name or info.callback.__name__.replace('_', '-')}": info
        for prefix, commands in groups
        for info in commands
        if info.callback is not None
    }


VERBS = _verbs()


def test_every_verb_is_of_one_kind() -> None:
    assert set(VERBS) == READ_ONLY | set(SETS_UP) | set(COMMANDS)
    assert len(VERBS) == len(READ_ONLY) + len(SETS_UP) + len(COMMANDS)


def test_the_commands_of_verbs_are_registered() -> None:
    assert set() == set().union(*COMMANDS.values()) - BY_NAME.keys()


@pytest.fixture(scope="module")
def room(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = make_sample(tmp_path_factory.mktemp("verbs") / "room").path
    who = ["--person", "Max Orr", "--approved-by", "Lee Sato", "--reason", "so that there is one to replace"]
    made = CliRunner().invoke(app, ["keys", "make", str(path), "--key", str(path.parent / "first.key"), *who])
    assert made.exit_code == 0, made.output
    return path


@pytest.mark.parametrize("verb", COMMANDS)
def test_a_verb_that_changes_the_room_asks_it_for_these_commands(
    verb: str, room: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    requested: list[tuple[Command, By]] = []

    def record(_: Room, command: Command, by: By, **_more: Any) -> NoReturn:
        requested.append((command, by))
        raise RefusedError(["this room only listens"])

    monkeypatch.setattr(Room, "do", record)
    monkeypatch.chdir(ROOT)
    usage = str(VERBS[verb].epilog).removeprefix("Example: pitboss ")
    for more in dict.fromkeys(("", ALSO_TYPED.get(verb, ""))):
        typed = [str(room) if word == "room" else word for word in shlex.split(f"{usage} {more}")]
        result = CliRunner().invoke(app, typed)
        assert (result.exit_code, "this room only listens" in result.output) == (2, True), result.output

    assert {command.spec.name for command, _ in requested} == COMMANDS[verb]
    for command, by in requested:
        assert by.role in command.spec.roles
        assert bool(by.approver) == bool(command.spec.approvers)


def test_few_modules_of_the_terminal_write() -> None:
    source = ROOT / "src" / "pitboss" / "cli"
    writes = re.compile(r"\b(Room|open_books|create_books|upgrade_store)\(|\b(books|room)\.(submit|submit_later|do)\(")
    found = {str(module.relative_to(source)) for module in source.rglob("*.py") if writes.search(module.read_text())}

    assert found == {"room/tables.py", "room/served.py", "books/maintenance.py"}
