"""Commands about jackpots and hits as values: read as written, verified as they are done, refused without a trace."""

from __future__ import annotations

import datetime
import shutil
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, Phase, given, settings
from hypothesis import strategies as st

from pitboss.commands import By, Command, read_fields, write_fields
from pitboss.jackpot import COMMANDS, CallFoundHit, CallHit, Claim, DefineJackpot, JackpotDraft, LinkedTable, PaperDraft
from pitboss.jackpot.hits.workflow import CHECKS
from tests.books.making import Room
from tests.jackpot.hit_making import FCP, FULL_HOUSE, HANDS, HOME, QUADS, ROYAL, bonus_five_card, five_card, four_card
from tests.jackpot.making import playing, sound
from tests.random_commands import is_done_as_verified, records_of, requests

KINDS = sorted(COMMANDS, key=lambda kind: kind.spec.name)
_QUIET = [HealthCheck.function_scoped_fixture, HealthCheck.too_slow]


@pytest.mark.parametrize("kind", KINDS, ids=lambda kind: kind.spec.name)
@settings(max_examples=20, deadline=None)
@given(data=st.data())
def test_a_command_is_read_as_it_was_written(kind: type[Command], data: st.DataObject) -> None:
    command = data.draw(records_of(kind))
    assert read_fields(kind, write_fields(command)) == command


HIT = 1
"""The number that stands for the one hit of the room until it is called."""
# What a room with three jackpots could be asked, mostly within what it has.
_NAMES: dict[str, st.SearchStrategy[Any]] = {
    "name": st.sampled_from(["main", "main", "envy", "posted", "nothing"]),
    "jackpot": st.sampled_from(["main", "main", "envy", "nothing"]),
    "other": st.sampled_from(["envy", "main", "posted"]),
    "table": st.sampled_from(["4", "4", "4", "9"]),
    "round": st.sampled_from([None, 1, 2, 9]),
    "shown_round": st.sampled_from([None, None, None, 1, 2]),
    "shown_cents": st.none(),
    "prize": st.integers(8, 40),
    "seat": st.sampled_from([1, 2, 2, 3, 9]),
    "row": st.sampled_from([FULL_HOUSE, FULL_HOUSE, QUADS, ROYAL, "nothing"]),
    "claims": st.sampled_from([(Claim(2, ROYAL),), (Claim(3, QUADS),), (Claim(1, ROYAL), Claim(1, QUADS)), ()]),
    "event": st.sampled_from([Claim(1, "Quads"), Claim(9, ROYAL)]),
    "seats": st.sampled_from([(2, 3), (1,), ()]),
    "cards": st.sampled_from([{1: HANDS[FULL_HOUSE]}, {1: HANDS[ROYAL]}, {2: "As As"}]),
    "board": st.just(""),
    "lights": st.sampled_from([(1, 2, 3), (2,)]),
    "checks": st.sampled_from([CHECKS, ("hand",)]),
    "papers": st.sampled_from([(PaperDraft(1, "Rosa", ("passport", "licence"), True, True, True),), ()]),
    "method": st.sampled_from(["cage", "tray", "cheque"]),
    "cheque": st.sampled_from(["", "1001"]),
    "hit": st.sampled_from([HIT, HIT, HIT, 0]),
    "slip": st.integers(0, 2),
    "words": st.sampled_from([*["as agreed"] * 5, " "]),
    "permitted_by": st.sampled_from(["rule 7", " "]),
    "units": st.integers(-100, 10_000),
    "cents": st.integers(-100, 50_000),
    "sequence": st.integers(0, 30),
    "day": st.sampled_from([datetime.date(2027, 2, 1), datetime.date(2026, 1, 1)]),
    "to": st.sampled_from(["envy", "the food bank", " "]),
}
_POSTED = bonus_five_card(tables=(LinkedTable("8", FCP, HOME),))
_JACKPOTS = (five_card("main", "4"), four_card(), _POSTED)
_DRAFTS = [JackpotDraft.of(jackpot) for jackpot in (five_card("third", "4"), five_card("third", "7"), *_JACKPOTS)]


def _names(kind: type[Command]) -> dict[str, st.SearchStrategy[Any]]:
    drafts: dict[str, st.SearchStrategy[Any]] = {}
    if issubclass(kind, DefineJackpot):
        drafts["jackpot"] = st.sampled_from(_DRAFTS)
    if issubclass(kind, CallFoundHit):
        drafts["round"] = st.sampled_from([1, 2, 9])
    return _NAMES | drafts


def test_what_verify_returns_is_what_a_command_is_refused_for(sqlite_template: Room, quick_path: Path) -> None:
    done: set[str] = set()
    drawn = st.tuples(*(requests(kind, **_names(kind)) for kind in KINDS)).flatmap(st.permutations)
    path = quick_path / "room"

    # Shrinking fifty commands takes minutes, and the failing one is named by its problems.
    @settings(max_examples=24, deadline=None, derandomize=True, suppress_health_check=_QUIET, phases=[Phase.generate])
    @given(first=drawn, second=drawn)
    def check(first: list[tuple[Command, By]], second: list[tuple[Command, By]]) -> None:
        shutil.rmtree(path, ignore_errors=True)
        room = Room(shutil.copytree(sqlite_template.path, path), "sqlite")
        with playing(room, *_JACKPOTS) as jackpots:
            jackpots.tabulate("4", 1, {"main": [1, 2, 3], "envy": [1, 2, 3]}, command="press", actor="table 4")
            call = CallHit(jackpot="main", table="4", claims=(Claim(1, FULL_HOUSE),))
            hit = jackpots.do(call, "call", By("Dora", "dealer")).entries[0].sequence
            for number, (command, by) in enumerate([*first, *second]):
                value = replace(command, hit=hit) if getattr(command, "hit", None) == HIT else command  # type: ignore[type-var]
                if is_done_as_verified(jackpots.executor, value, by, f"c{number}"):
                    done.add(value.spec.name)
        assert sound(room)

    check()
    assert len(done) >= 12, sorted(done)
