"""Item 7: `check`, definition, set-up, posting and opening ask one function, with the same refusals by every door."""

from __future__ import annotations

import datetime
from dataclasses import replace
from pathlib import Path

import pytest
from fastapi.testclient import TestClient

from pitboss.commands import By, write_fields
from pitboss.games import all_games, find_game
from pitboss.room.room import Room
from pitboss.server.app import create_app
from pitboss.server.views.office.room import plain_problem, start_view
from pitboss.table import Configuration, default_configuration, read_configuration
from pitboss.table.checks import ONE_SENSOR_POSITIONS, POSITIONS_MAX, check_configuration
from pitboss.tabulator import OpenTable, SetUpTable, TableSetup, models, sensors_for
from pitboss.tabulator.equipment import find_model
from pitboss.tabulator.setup import notices, setup_problems
from tests.docs.console import run_pitboss
from tests.doors import doors_of
from tests.jackpot.making import DW, FCP, STC, TCP, TDP
from tests.pages.tables import EXAMPLE, LEE, MAX, SUE, tables_room
from tests.server.making import ADDRESS, command, sign_in

DAY = datetime.date(2026, 11, 16)


def day(text: str) -> datetime.date:
    return datetime.date.fromisoformat(text)


def configured(game: str, on: datetime.date = DAY, profile: str = "wa-commercial", **fields: object) -> Configuration:
    return replace(default_configuration(find_game(game), on, profile), **fields)  # type: ignore[arg-type]


def configuration_problems(game: str, path: str, on: datetime.date = DAY, **fields: object) -> list[str]:
    problems, _ = check_configuration(configured(game, on, **fields))  # type: ignore[arg-type]
    return [str(problem).partition(": ")[2] for problem in problems if problem.path == path]


def set_up_for(game: str, model: str, jackpots: int = 1, **fields: object) -> TableSetup:
    wagers = [wager.name for wager in find_game(game).jackpots[:jackpots]]
    seats = 6
    known = find_model(model)
    device = "D-1" if known is not None and known.is_linked else ""
    setup = TableSetup(table="9", game=game, model=model, seats=seats, device=device)
    counted = {"entered": tuple(wagers)} if model == "none" else {"sensors": sensors_for(model, seats, wagers, wagers)}
    return replace(setup, **counted, **fields)  # type: ignore[arg-type]


def setup_words(setup: TableSetup, path: str, on: datetime.date = DAY) -> list[str]:
    return [str(problem).partition(": ")[2] for problem in setup_problems(setup, on) if problem.path == path]


@pytest.mark.parametrize("game", [TCP, DW, FCP, TDP])
def test_g_26_andromeda_5a_is_approved_from_2017_08_30_on(game: str) -> None:
    before, since = day("2017-08-29"), day("2017-08-30")
    (words,) = configuration_problems(game, "equipment", before, equipment="andromeda-5a")
    assert f"Andromeda-5a is approved for {find_game(game).title} from 2017-08-30 on, and this is 2017-08-29" in words
    assert "G-26" in words
    assert setup_words(set_up_for(game, "andromeda-5a"), "model", before) == [words]
    assert configuration_problems(game, "equipment", since, equipment="andromeda-5a") == []
    assert setup_words(set_up_for(game, "andromeda-5a"), "model", since) == []


@pytest.mark.parametrize("game", [FCP, TDP])
def test_g_26_two_jackpots_stand_on_one_layout_from_2021_01_28_on(game: str) -> None:
    before, since = day("2021-01-27"), day("2021-01-28")
    both = configured(game, since, equipment="andromeda-5a").jackpots
    assert len(both) == 2
    (words,) = configuration_problems(game, "jackpots", before, jackpots=both)
    assert words == (
        f"2 jackpots, but {find_game(game).title} allows 1 at a time before 2021-01-28 (REGULATION J-25; G-26)"
    )
    assert setup_words(set_up_for(game, "andromeda-5a", 2), "sensors", before) == [words]
    assert configuration_problems(game, "jackpots", since, jackpots=both) == []
    assert setup_words(set_up_for(game, "andromeda-5a", 2), "sensors", since) == []
    assert len(default_configuration(find_game(game), before).jackpots) == 1


@pytest.mark.parametrize("model", ["andromeda-3", "andromeda-3c", "andromeda-3d"])
@pytest.mark.parametrize("game", [TCP, DW, FCP])
def test_g_13_andromeda_3_is_a_family(game: str, model: str) -> None:
    assert configuration_problems(game, "equipment", equipment=model) == []
    assert setup_words(set_up_for(game, model), "model") == []


@pytest.mark.parametrize(("game", "model"), [(STC, "andromeda-4"), (STC, "andromeda-6a"), (TDP, "andromeda-5b")])
def test_g_15_what_is_higher_is_a_model_of_the_rooms_own_to_be_confirmed(game: str, model: str) -> None:
    problems, told = check_configuration(configured(game, equipment=model))
    assert [problem for problem in problems if problem.path == "equipment"] == []
    (notice,) = [str(each) for each in told if each.path == "equipment"]
    assert "is a model of the room's own" in notice
    assert "must be confirmed" in notice
    assert setup_problems(set_up_for(game, model), DAY) == []
    assert ["must be confirmed" in str(each) for each in notices(set_up_for(game, model))] == [True]


@pytest.mark.parametrize(
    ("game", "model"), [(STC, "andromeda-3c"), (TDP, "andromeda-5"), (TCP, "andromeda-6"), (STC, "galaxy-9")]
)
def test_g_13_what_is_lower_or_unknown_is_not(game: str, model: str) -> None:
    (words,) = configuration_problems(game, "equipment", equipment=model)
    assert f"{model!r} is not approved for {find_game(game).title}" in words
    if find_model(model) is not None:
        assert setup_words(set_up_for(game, model), "model") == [words]


def test_e_08_a_game_that_demands_equipment_is_refused_without_by_check_too() -> None:
    (words,) = configuration_problems(STC, "equipment", equipment=None)
    assert words.endswith("is approved with equipment only: andromeda-3d, andromeda-5a (REGULATION E-08; G-13)")
    assert setup_words(set_up_for(STC, "none"), "model") == [words]
    assert [configuration_problems(game.name, "equipment") for game in all_games()] == [[]] * 5


def test_dw_step_13_is_cited_for_deuces_wild_only() -> None:
    cited = {game.name: configuration_problems(game.name, "dealt", dealt="by-hand")[0] for game in all_games()}
    assert [name for name, words in cited.items() if "DW step 13" in words] == [DW]
    assert all("REGULATION O-15" in words for words in cited.values())
    assert configuration_problems(DW, "dealt", profile="wa-tribal", dealt="by-hand") == []


def test_g_16_tribal_rooms_are_not_bound_by_the_wacs_seats() -> None:
    assert configuration_problems(TCP, "seats", seats=8) == ["8 seats, but at most 7 (G-16)"]
    assert configuration_problems(TCP, "seats", profile="wa-tribal", seats=12, equipment="andromeda-3") == []
    assert configuration_problems(TCP, "seats", profile="wa-tribal", seats=13) == ["13 seats, but at most 12 (G-16)"]
    milky = {"profile": "wa-tribal", "seats": 8, "equipment": "milky-way"}
    assert configuration_problems(TCP, "seats", **milky) == ["8 seats, but at most 7 (G-16)"]  # type: ignore[arg-type]
    assert configured(TCP, profile="wa-tribal").seats == 7
    assert {model.positions for model in models().values() if model.sensors == 1} == {ONE_SENSOR_POSITIONS}
    assert max(model.positions for model in models().values()) == POSITIONS_MAX


def _sixteen(room: Room, profile: str) -> list[str]:
    doors = doors_of(room)
    for number in range(101, 116):
        made = replace(set_up_for(TCP, "andromeda-3"), table=str(number), device=f"D-{number}", profile=profile)
        doors.tables.set_up(made, words="new", by=MAX, approved_by=SUE.name, command=command())
    last = replace(set_up_for(TCP, "andromeda-3"), table="200", device="D-200", profile=profile)
    return list(room.verify(SetUpTable(setup=last, words="new"), MAX))


def test_g_60_the_sixteenth_table_of_a_commercial_room_is_refused(tmp_path: Path) -> None:
    refused = pytest.raises(ValueError, match="15 tables are set up: a room has at most 15")
    with tables_room(tmp_path / "room") as found, refused:
        _sixteen(found.room, "wa-commercial")
    with tables_room(tmp_path / "tribal") as found:
        assert _sixteen(found.room, "wa-tribal") == []


@pytest.mark.usefixtures("typed_names")
def test_item_7_the_api_and_the_terminal_refuse_in_the_same_words(tmp_path: Path) -> None:
    path = tmp_path / "room"
    file = tmp_path / "table.toml"
    file.write_text(f'table = "9"\ngame = "{STC}"\nmodel = "none"\nseats = 9\nentered = ["twenty-one-plus-three"]\n')
    setup = TableSetup(table="9", game=STC, model="none", seats=9, entered=("twenty-one-plus-three",))
    with tables_room(path) as found:
        client = TestClient(create_app(found.room), base_url=ADDRESS, follow_redirects=False)
        sign_in(client, "max")
        answer = client.post(
            "/api/v1/tables/set-up", json={"command": command(), "setup": write_fields(setup), "words": "new"}
        )
        refused = list(found.room.verify(SetUpTable(setup=setup, words="new"), MAX))
        assert len(refused) == 2
        assert answer.status_code == 409, answer.text
    ran = run_pitboss(
        ["tables", "set-up", str(path), str(file), "--person", "Max", "--approved-by", "Lee", "--reason", "new"]
    )
    told = " ".join(ran.printed.split())
    for words in refused:
        assert words in answer.text
        assert words in told


def test_g_26_a_configuration_is_checked_by_the_rules_of_the_day_it_opens(tmp_path: Path) -> None:
    """A room of 2016 that posts a configuration of 2026 is asked what the letters of 2016 say."""
    with tables_room(tmp_path / "room") as found:
        later = EXAMPLE.replace("andromeda-3", "andromeda-5a")
        assert read_configuration(later).problems == ()
        doors = doors_of(found.room)
        clock = found.room.clock
        clock.add(-int(datetime.timedelta(days=3650).total_seconds()) * 1_000_000)  # type: ignore[attr-defined]
        with pytest.raises(ValueError, match="Andromeda-5a is approved for Three Card Prime from 2017-08-30 on"):
            doors.posted.post("2", later, command=command(), actor=MAX.name, approved_by=LEE.name)


def test_item_7_the_first_day_tells_what_the_opening_refuses(tmp_path: Path) -> None:
    with tables_room(tmp_path / "room") as found:
        doors = doors_of(found.room)
        made = replace(set_up_for(FCP, "andromeda-3c"), table="2", device="D-2")
        doors.tables.set_up(made, words="new", by=MAX, approved_by=SUE.name, command=command())
        found.room.clock.add(-int(datetime.timedelta(days=12 * 365).total_seconds()) * 1_000_000)  # type: ignore[attr-defined]
        refused = found.room.verify(OpenTable(table="2"), By("Sue", "supervisor"))
        view = start_view(found.room.state, found.room.secrets(), found.room.clock())
        for problem in refused:
            assert f"Table 2: {plain_problem(problem)}" in view.steps[-1].missing
