"""T-16: a table opens only as its configuration states it, by every door, and an audit names books that have it else."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path

import pytest

from pitboss import tabulator
from pitboss.books import Directory, Draft, Submission, open_books
from pitboss.books.audit import check_books
from pitboss.cli.output import BROKEN_RULE, TYPED_WRONG
from pitboss.commands.command import BOOK
from pitboss.room.projections import INVARIANTS, PROJECTIONS
from pitboss.room.room import Room
from pitboss.tabulator import TABLES, OpenTable, sensors_for
from pitboss.tabulator.entries import TableOpened
from tests.docs.console import run_pitboss
from tests.doors import doors_of
from tests.pages.tables import ALL_SEVEN, EXAMPLE, LEE, MAX, SUE, setup, tables_room
from tests.server.making import command


@pytest.fixture
def room(tmp_path: Path) -> Path:
    """Table 2 has a configuration for six seats and is set up for four; nobody has the room open."""
    path = tmp_path / "room"
    four = replace(setup("2"), seats=4, sensors=sensors_for("andromeda-3", 4, [ALL_SEVEN], lights=[ALL_SEVEN]))
    with tables_room(path) as opened:
        doors = doors_of(opened.room)
        doors.posted.post("2", EXAMPLE, command=command(), actor=MAX.name, approved_by=LEE.name)
        doors.tables.set_up(four, words="new", by=MAX, approved_by=SUE.name, command=command())
    return path


def open_without_the_rule(path: Path) -> None:
    """Write the entry as a program would that knows tables, and nothing of configurations."""
    with open_books(path, projections=tabulator.PROJECTIONS, invariants=tabulator.INVARIANTS) as books:
        opened = Draft(TableOpened(day="2026-11-16"), table="2")
        books.submit(
            Submission(book=BOOK, id="forged", actor=SUE.name, content="open", decide=lambda _: [opened], table="2")
        )


@pytest.mark.usefixtures("typed_names")
def test_t_16_the_terminal_refuses_what_the_server_refuses(room: Path) -> None:
    ran = run_pitboss(["tables", "open", str(room), "2", "--person", SUE.name, "--approved-by", MAX.name])

    assert ran.exit_code == TYPED_WRONG
    assert "T-16" in ran.printed
    assert "set up for 4" in " ".join(ran.printed.split())
    with Room(room) as opened:
        assert opened.state.of(TABLES).tables["2"].life == "closed"
        assert any("T-16" in problem for problem in opened.verify(OpenTable(table="2"), SUE))


@pytest.mark.usefixtures("typed_names")
def test_t_16_the_terminal_opens_a_table_that_agrees(room: Path) -> None:
    with Room(room) as opened:
        doors_of(opened).tables.set_up(setup("2"), words="new", by=MAX, approved_by=SUE.name, command=command())

    assert (
        run_pitboss(["tables", "open", str(room), "2", "--person", SUE.name, "--approved-by", MAX.name]).exit_code == 0
    )


def test_t_16_an_audit_names_books_in_which_such_a_table_was_opened(room: Path) -> None:
    assert run_pitboss(["audit", str(room)]).exit_code == 0
    open_without_the_rule(room)

    (finding,) = check_books(Directory(room), projections=PROJECTIONS, invariants=INVARIANTS).findings
    assert finding.invariant == "table-configuration"
    assert "set up for 4" in finding.words
    assert "T-16" in finding.words
    ran = run_pitboss(["audit", str(room), "--json"])
    assert ran.exit_code == BROKEN_RULE
    assert json.loads(ran.printed)["halted"]
    assert "table-configuration" in ran.printed
    plain = run_pitboss(["audit", str(room)])
    assert plain.exit_code == BROKEN_RULE
    assert "T-16" in plain.printed
