"""Books that version 0.1 wrote open, replay to the same units, verify, and what waited in them can still be approved.

`before-0.2.backup.gz` and `before-0.2.json` were made by the tree before commands were values: the demo room with a day
of play, its backup, and `pitboss books show --json` of it.
"""

from __future__ import annotations

import gzip
import json
from pathlib import Path
from typing import Any

import pytest

from pitboss.books import LEDGER, Directory
from pitboss.books.audit import check_books
from pitboss.books.audit.backup import restore
from pitboss.room.approvals import APPROVALS
from pitboss.room.projections import INVARIANTS, PROJECTIONS
from pitboss.room.room import Room

HERE = Path(__file__).parent
BEFORE: dict[str, Any] = json.loads((HERE / "before-0.2.json").read_text())["room"]


@pytest.fixture
def room(tmp_path: Path) -> Path:
    backup = tmp_path / "before.backup"
    backup.write_bytes(gzip.decompress((HERE / "before-0.2.backup.gz").read_bytes()))
    restore(backup, tmp_path / "room", person="Ada King", reason="a test of old books", without_head="it is a test")
    return tmp_path / "room"


def test_every_balance_and_counter_is_as_it_was(room: Path) -> None:
    assert check_books(Directory(room), projections=PROJECTIONS, invariants=INVARIANTS).is_sound
    with Room(room) as opened:
        accounts = opened.state.of(LEDGER)
        for name, jackpot in BEFORE["jackpots"].items():
            assert jackpot["balances_units"] == dict(accounts[name].balances)
        assert set(BEFORE["jackpots"]) == set(accounts)


def test_what_waited_for_a_second_person_can_be_given(room: Path) -> None:
    now = [0]
    with Room(room, clock=lambda: now[0]) as opened:
        waiting = opened.state.of(APPROVALS)
        assert waiting
        people = opened.access.people.people.values()
        given = []
        for number, pending in waiting.items():
            giver = next(
                person
                for person in people
                if person.name != pending.by and set(person.roles) & pending.givers and person.active
            )
            # Within the shift in which it was asked (G-69).
            now[0] = pending.asked
            opened.approvals.give(number, name=giver.name, roles=frozenset(giver.roles), id=f"give-{number}")
            given.append(pending.what)
        assert not opened.state.of(APPROVALS)
        assert sorted(given) == sorted(set(given))
    assert check_books(Directory(room), projections=PROJECTIONS, invariants=INVARIANTS).is_sound
