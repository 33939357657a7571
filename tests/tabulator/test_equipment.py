"""Equipment as data: what each model can, which game may use which, and limits refused with their clause."""

from __future__ import annotations

import datetime
import itertools
import re
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from pitboss.games import all_games, find_game
from pitboss.rules import Game
from pitboss.table.checks import ONE_SENSOR_EQUIPMENT, check_configuration
from pitboss.table.configuration import Configuration, JackpotSettings
from pitboss.tabulator import TableSetup, models, sensors_for
from pitboss.tabulator.equipment import Model, _content, clause
from pitboss.tabulator.setup import Sensor, notices, setup_problems
from tests.books.making import Room
from tests.jackpot.making import DW, FCP, STC, TCP, TDP, make_bonus, refused
from tests.tabulator.making import DEALER, FINAL_FOUR, PRIME, SUPERVISOR, floor, main_jackpot, make_setup

ROOT = Path(__file__).parents[2]


def named(value: Game | Model) -> str:
    return value.name


DAY = datetime.date(2026, 11, 16)


def folded(text: str) -> str:
    return re.sub(r"\s+", " ", text)


def document(name: str) -> str:
    return folded((ROOT / "docs" / "rules" / f"{name}.txt").read_text(encoding="utf-8"))


@pytest.mark.parametrize("model", models().values(), ids=list(models()))
def test_every_model_quotes_its_document(model: Model) -> None:
    assert model.quotes
    for words in model.quotes.values():
        assert folded(words) in document(model.source.document)


@pytest.mark.parametrize("name", _content()["clauses"])
def test_every_common_clause_quotes_its_document(name: str) -> None:
    assert folded(clause(name).quote) in document(clause(name).document)


def test_e_04_to_e_07_the_models_are_those_of_the_appendices() -> None:
    found = {
        name: (each.sensors, each.positions, each.lights, each.counter, each.counts) for name, each in models().items()
    }
    assert found == {
        "milky-way": (1, 7, "panel", True, "console"),
        "andromeda-1": (1, 7, "panel", True, "batches"),
        "andromeda-3": (6, 16, "sensors", False, "at-once"),
        "andromeda-3c": (6, 16, "sensors", False, "at-once"),
        "andromeda-3d": (6, 16, "sensors", False, "at-once"),
        "andromeda-5a": (6, 16, "sensors", False, "at-once"),
        "none": (0, 16, "nowhere", False, "console"),
    }


def test_one_rule_is_written_once_the_one_sensor_models_are_those_a_configuration_knows() -> None:
    assert {name for name, model in models().items() if model.sensors == 1} == set(ONE_SENSOR_EQUIPMENT)
    for game in all_games():
        assert set(game.approval.equipment) <= set(models())


APPROVED = {
    TCP: {"milky-way", "andromeda-1", "andromeda-3", "andromeda-3c", "andromeda-3d", "andromeda-5a"},
    DW: {"milky-way", "andromeda-1", "andromeda-3", "andromeda-3c", "andromeda-3d", "andromeda-5a"},
    STC: {"andromeda-3d", "andromeda-5a"},
    FCP: {"milky-way", "andromeda-3", "andromeda-3c", "andromeda-3d", "andromeda-5a"},
    TDP: {"milky-way", "andromeda-1", "andromeda-3c", "andromeda-3d", "andromeda-5a"},
}


def setup_for(game: Game, model: Model, jackpots: int = 1, **fields: Any) -> TableSetup:
    wagers = [wager.name for wager in game.jackpots[:jackpots]]
    return make_setup(model.name, wagers, **{"game": game.name, "seats": 6} | fields)


@pytest.mark.parametrize(("game", "model"), list(itertools.product(all_games(), models().values())), ids=named)
def test_g_13_which_game_may_use_which(game: Game, model: Model) -> None:
    problems = [str(each) for each in setup_problems(setup_for(game, model), DAY)]
    if model.name == "none":
        assert bool(problems) == (game.name == STC)
    elif model.name in APPROVED[game.name]:
        assert problems == []
    else:
        assert len(problems) == 1
        assert f"{model.name!r} is not approved for {game.title}" in problems[0]
        assert problems[0].endswith("(REGULATION O-01; G-13)")


def test_e_08_a_game_that_uses_the_equipment_is_not_dealt_without() -> None:
    (problem,) = setup_problems(setup_for(find_game(STC), models()["none"]), DAY)
    assert str(problem).endswith("is approved with equipment only: andromeda-3d, andromeda-5a (REGULATION E-08; G-13)")


def test_g_15_what_must_be_confirmed_is_said() -> None:
    for game in all_games():
        told = notices(setup_for(game, models()["andromeda-5a"]))
        assert bool(told) == (game.name in (TCP, DW, FCP))
        assert all(each.ruling == "G-15" for each in told)


@pytest.mark.parametrize("kind", ["progressive", "bonus"])
@pytest.mark.parametrize("profile", ["wa-commercial", "wa-tribal"])
@pytest.mark.parametrize("model", [each for each in models().values() if each.name != "none"], ids=named)
def test_g_13_a_table_says_the_same_as_a_configuration(
    model: Model, profile: str, kind: str, sqlite_room: Room
) -> None:
    """Second road: the check of a table's configuration, written apart, refuses the same equipment."""
    jackpot = main_jackpot() if kind == "progressive" else make_bonus()
    with floor(sqlite_room, jackpots=[jackpot]) as at:
        setup = make_setup(model.name, profile=profile)
        try:
            at.set_up(setup)
            at.tables.open("4", command=at.id(), by=SUPERVISOR)
            told = ""
        except ValueError as error:
            told = str(error)
    configuration = Configuration(
        game=TCP,
        on=DAY,
        profile=profile,
        seats=7,
        equipment=model.name,
        jackpot_type="bonus" if kind == "bonus" else "progressive",
        jackpots={FINAL_FOUR: JackpotSettings(paytables=("F4P-1",), meter_cents=100_00)},
    )
    problems = [each for each in check_configuration(configuration)[0] if each.path == "equipment"]
    assert bool(told) == bool(problems), told
    assert not told or "G-13" in told


def problems_of(**fields: Any) -> str:
    return "; ".join(map(str, setup_problems(make_setup(**fields), DAY)))


def test_every_limit_is_refused_with_its_clause() -> None:
    milky = "TCP Appendix G, Milky Way"
    one = "TCP Appendix G, Bet Tabulator"
    assert problems_of(model="milky-way", wagers=(FINAL_FOUR, PRIME)) == "; ".join(
        f"sensors.{seat}.2: Milky Way has 1 sensors a position, and this is number 2 ({milky}; G-13)"
        for seat in range(1, 8)
    )
    assert "seats: 8 seats, but at most 7 (G-16)" in problems_of(model="milky-way", seats=8)
    assert f"Milky Way has positions 1 to 7, not 8 ({milky}; G-16)" in problems_of(model="milky-way", seats=8)
    dark = tuple(each._replace(light=False) for each in sensors_for("andromeda-3", 7, [FINAL_FOUR]))
    assert "Final Four Jackpot is collected before play: its sensor needs a light (TCP Appendix G, footnote 3)" in (
        problems_of(sensors=dark)
    )
    twice = (*sensors_for("andromeda-3", 7, [FINAL_FOUR], [FINAL_FOUR]), Sensor(1, 1, FINAL_FOUR, True))
    assert f"sensors.1.1: a sensor counts one wager ({one})" in problems_of(sensors=twice)
    assert f"Final Four Jackpot has 2 sensors: a wager is counted once ({one})" in problems_of(sensors=twice)
    assert f"no sensor counts Final Four Jackpot at seats 6, 7 ({one})" in (
        problems_of(sensors=sensors_for("andromeda-3", 5, [FINAL_FOUR], [FINAL_FOUR]))
    )
    assert "sensors: 2 jackpots, but Three Card Prime allows 1 at a time (REGULATION J-25; G-13)" in (
        problems_of(wagers=(FINAL_FOUR, "all-seven"))
    )
    assert "name its device (REGULATION T-09)" in problems_of(device="")
    assert f"Milky Way has no line to us ({milky})" in problems_of(model="milky-way", device="X")
    assert "Andromeda-3 has no counter to be read (TCP Appendix G, Andromeda-3)" in problems_of(counter_digits=6)
    assert f"'wait' must be one of on-the-spot, suspend ({one})" in problems_of(down_method="wait")
    assert f"a tabulator counts a wager at least ({one})" in problems_of(wagers=())
    assert "has no wager 'royal'" in problems_of(wagers=("royal",))
    assert "'galaxy-9' is none of" in problems_of(model="galaxy-9", sensors=())
    assert "'moon' is none of" in problems_of(profile="moon")
    assert "where there is no equipment" in problems_of(entered=(PRIME,))


def test_all_problems_are_told_at_once() -> None:
    problems = setup_problems(
        replace(make_setup("andromeda-6"), table=" 4", seats=9, down_method="wait", device=""),  # type: ignore[arg-type]
        DAY,
    )
    assert {each.path for each in problems} >= {"table", "seats", "down_method", "model", "device", "sensors"}
    assert all(each.clause or each.ruling for each in problems)


def test_a_jackpot_that_nothing_counts_keeps_a_table_closed(sqlite_room: Room) -> None:
    with floor(sqlite_room) as at:
        at.set_up(make_setup(wagers=(PRIME,)))
        told = refused(lambda: at.tables.open("4", command=at.id(), by=SUPERVISOR))
        assert told == (
            "jackpots.main: nothing counts Final Four Jackpot, on which it is won (TCP Appendix G, Bet Tabulator)"
        )


def test_t_09_two_tables_do_not_share_a_device(sqlite_room: Room) -> None:
    with floor(sqlite_room, make_setup()) as at:
        told = refused(lambda: at.set_up(make_setup(table="5")))
        assert told == "device A3-0017 is that of table 4: each has its own (T-09)"


def test_t_06_a_table_is_set_up_by_two_people(sqlite_room: Room) -> None:
    with floor(sqlite_room) as at:
        problem = refused(lambda: at.set_up(make_setup(), approved_by="sue"))
        assert problem == "tables/set-up needs two people: 'sue' is no second person (T-06, G-31)"
        problem = refused(lambda: at.set_up(make_setup(), by=DEALER))
        assert problem == "tables/set-up is for manager, not for Dan as dealer (T-06)"
        assert refused(lambda: at.set_up(make_setup(), words=" ")) == "state the reason in words (M-02)"


def test_a_setup_is_read_as_it_was_written() -> None:
    setup = make_setup("milky-way", counter_digits=6)
    assert TableSetup.from_json(setup.to_json()) == setup
