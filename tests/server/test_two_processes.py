"""The books of a whole room are read by two processes: every part of its state is found in the other one."""

from __future__ import annotations

import copy
import pickle
from pathlib import Path
from typing import Any

import pytest

from pitboss.books import Directory, Projection, Reading, check, folding_of, open_books
from pitboss.books.check import _joined, check_books
from pitboss.books.migrating import create_books
from pitboss.jackpot import Jackpots
from pitboss.server.projections import PROJECTIONS
from tests.books.making import settings
from tests.jackpot.making import make_jackpot, opened, press


def test_every_part_of_a_rooms_state_is_found_by_another_process() -> None:
    folding = folding_of(PROJECTIONS)
    again = pickle.loads(pickle.dumps(folding))  # noqa: S301 - our own
    assert [id(each) for each in again.projections] == [id(each) for each in folding.projections]


def test_a_part_that_stands_in_no_module_is_not_taken_for_another() -> None:
    part: Projection[Any] = PROJECTIONS[0]
    other = Projection(name=part.name, empty=None, fold=part.fold, write=part.write, read=part.read)
    with pytest.raises(TypeError, match=f"the part '{part.name}' of a state is none of the module of its fold"):
        pickle.dumps(other)
    assert copy.copy(part) is part


def test_a_room_is_audited_by_two_processes_as_by_one(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    create_books(tmp_path / "room", settings(), person="Ada King")
    with open_books(tmp_path / "room", projections=PROJECTIONS) as books:
        jackpots = Jackpots(books)
        jackpots.define(make_jackpot(), words="new", command="define", actor="Ada", approved_by="Carla")
        opened(jackpots, "main")
        for number in range(1, 9):
            press(jackpots, number, [1, 2])
            if number == 1:
                books.seal("room")
    one = check_books(Directory(tmp_path / "room"), projections=PROJECTIONS)
    joined: list[Reading] = []

    def join(*said: Any, **how: Any) -> Reading:
        joined.append(_joined(*said, **how))
        return joined[-1]

    monkeypatch.setattr(check, "PAGE", 3)
    monkeypatch.setattr(check, "_joined", join)
    two = check_books(Directory(tmp_path / "room"), projections=PROJECTIONS, processes=2)
    assert joined, "two processes were asked"
    assert one.is_sound
    assert one.books["room"].reading == two.books["room"].reading
