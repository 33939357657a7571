"""Item 4: a jackpot is played where players see its amount: asked at every opening, in the same words by every door."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest
from fastapi.testclient import TestClient

from pitboss.books import RefusedError
from pitboss.commands import By
from pitboss.jackpot import (
    JACKPOTS,
    ChangeJackpot,
    CloseJackpot,
    DefineJackpot,
    JackpotDraft,
    OpenJackpot,
)
from pitboss.room.alarms import active_alarms
from pitboss.room.configurations import PostConfiguration
from pitboss.room.displays import ConfirmDisplay, RegisterDisplay, shown_at, unshown_tables
from pitboss.room.opening import table_problems
from pitboss.server.app import create_app
from pitboss.server.views.office.room import plain_problem, start_view
from pitboss.tabulator import TABLES, CloseTable, OpenTable, SuspendTable, TableSetup, sensors_for
from pitboss.tabulator.tables import ResumeTable
from tests.docs.console import run_pitboss
from tests.doors import doors_of
from tests.jackpot.making import STC
from tests.pages.room import CardRoom, example, jackpot, meter
from tests.pages.tables import LEE, MAX, SUE, clock_of, tables_room
from tests.server.making import ADDRESS, SECOND, command, sign_in

ADA = By("Ada", "administrator")
OPENING, RESUMING = replace(SUE, approver=MAX), replace(SUE, approver=MAX)
TWO = replace(MAX, approver=LEE)
NONE = "table 1 has no display of its jackpots: register one (T-04, J-08, G-51)"
UNHEARD = "display screen 1 of table 1 was never heard (T-04, T-05, G-51)"
SCREEN = RegisterDisplay(name="screen 1", table="1", make="screen")


@pytest.fixture
def found(tmp_path: Path) -> Iterator[CardRoom]:
    """Table 1 plays a jackpot and has no display, as rooms of before could."""
    with tables_room(tmp_path / "room") as opened:
        yield opened


def do(found: CardRoom, value: object, by: By = ADA) -> None:
    found.room.do(value, by, id=command())  # type: ignore[arg-type]


def beat(found: CardRoom, *, off_by: int = 0, seconds: int = 0) -> None:
    """Have the screen say what it shows, and the room look at it."""
    clock_of(found).add(seconds * SECOND)
    amounts = {name: cents + off_by for name, cents in shown_at(found.room.state, "1").items()}
    found.room.displays.beat("screen 1", amounts)
    found.room.displays.review(command=command())


def against_open(found: CardRoom) -> tuple[str, ...]:
    return found.room.verify(OpenTable(table="1"), SUE)


def test_item_4_a_table_opens_only_with_a_display_that_is_heard_and_true(found: CardRoom) -> None:
    do(found, CloseTable(table="1"), SUE)
    assert against_open(found) == (NONE,)
    do(found, SCREEN)
    assert against_open(found) == (UNHEARD,)
    beat(found)
    assert against_open(found) == ()
    clock_of(found).add(31 * SECOND)
    found.room.displays.review(command=command())
    (dark,) = against_open(found)
    assert dark == "display screen 1 of table 1 is dark: not heard for 30 seconds (T-04, T-05, G-51)"
    beat(found, off_by=-1)
    beat(found, off_by=-1, seconds=29)
    assert against_open(found) == (), "an amount on its way there has thirty seconds (T-05)"
    beat(found, off_by=-1, seconds=2)
    (stale,) = against_open(found)
    assert "screen 1 of table 1 is stale: All Seven Jackpot shows $24,999.99, not $25,000.00" in stale
    beat(found)
    do(found, OpenTable(table="1"), OPENING)
    assert found.room.state.of(TABLES).tables["1"].life == "open"


def test_item_4_a_table_resumes_only_with_a_display_that_is_true(found: CardRoom) -> None:
    do(found, SuspendTable(table="1", words="no display"), SUE)
    resume = ResumeTable(table="1", words="it is back")
    assert found.room.verify(resume, SUE) == (NONE,)
    do(found, SCREEN)
    assert found.room.verify(resume, SUE) == (UNHEARD,)
    beat(found)
    do(found, resume, RESUMING)
    assert found.room.state.of(TABLES).tables["1"].life == "open"


def test_item_4_a_jackpot_opens_only_where_its_tables_show_it(found: CardRoom) -> None:
    do(found, CloseJackpot(name="seven", words="a pause"), SUE)
    opening = OpenJackpot(name="seven", words="go on")
    assert found.room.verify(opening, SUE) == (NONE,)
    do(found, SCREEN)
    assert found.room.verify(opening, SUE) == (UNHEARD,)
    beat(found)
    do(found, opening, OPENING)
    assert found.room.state.of(JACKPOTS).jackpots["seven"].play == "open"


def test_item_4_a_closed_table_of_a_link_is_asked_when_it_opens_and_an_open_one_at_once(found: CardRoom) -> None:
    doors = doors_of(found.room)
    do(found, CloseJackpot(name="seven", words="a link"), SUE)
    before = found.room.state.of(JACKPOTS).jackpots["seven"].jackpot
    linked = replace(before, tables=(*before.tables, before.tables[0]._replace(table="2")))
    do(found, ChangeJackpot(jackpot=JackpotDraft.of(linked), words="table 2"), TWO)
    doors.tables.set_up(
        replace(found.room.state.of(TABLES).tables["1"].setup, table="2", device="A3-2"),
        words="new",
        by=MAX,
        approved_by=SUE.name,
        command=command(),
    )
    do(found, SCREEN)
    beat(found)
    opening = OpenJackpot(name="seven", words="go on")
    assert found.room.verify(opening, SUE) == (), "table 2 is closed, and table 1 shows it"
    doors.tables.open("2", command=command(), by=SUE)
    (problem,) = found.room.verify(opening, SUE)
    assert problem.startswith("table 2 has no display of its jackpots")


def test_item_4_a_sign_is_true_when_its_amounts_are_confirmed(found: CardRoom) -> None:
    do(found, CloseTable(table="1"), SUE)
    do(found, RegisterDisplay(name="sign 1", table="1", make="sign"))
    assert against_open(found) == (
        "display sign 1 of table 1 is not confirmed: somebody looks at its amounts (T-04, T-05, G-51)",
    )
    do(found, ConfirmDisplay(name="sign 1", amounts={"seven": 24_000_00}), SUE)
    assert len(against_open(found)) == 1
    do(found, ConfirmDisplay(name="sign 1", amounts={"seven": 25_000_00}), SUE)
    assert against_open(found) == ()


@pytest.mark.usefixtures("typed_names")
def test_item_4_every_door_refuses_in_the_same_words(tmp_path: Path) -> None:
    path = tmp_path / "room"
    with tables_room(path) as found:
        do(found, CloseTable(table="1"), SUE)
        client = TestClient(create_app(found.room), base_url=ADDRESS, follow_redirects=False)
        sign_in(client, "sue")
        answer = client.post("/api/v1/tables/open", json={"command": command(), "table": "1"})
        assert (answer.status_code, answer.json()["problems"]) == (409, [NONE])
        assert NONE in table_problems(found.room.state, "1", found.room.clock())
        do(found, CloseJackpot(name="seven", words="a pause"), SUE)
        answer = client.post("/api/v1/jackpots/open", json={"command": command(), "name": "seven", "words": "go on"})
        assert answer.json()["problems"] == [NONE]
    ran = run_pitboss(["tables", "open", str(path), "1", "--person", SUE.name, "--approved-by", MAX.name])
    assert NONE not in ran.printed, "its jackpot is closed: nothing is to be seen"
    with tables_room(tmp_path / "other") as found:
        do(found, CloseTable(table="1"), SUE)
    ran = run_pitboss(
        ["tables", "open", str(tmp_path / "other"), "1", "--person", SUE.name, "--approved-by", MAX.name, "--json"]
    )
    assert NONE in " ".join(ran.printed.split())


def test_item_4_the_first_day_tells_what_the_opening_of_a_jackpot_refuses(found: CardRoom) -> None:
    made = jackpot("second", "three-card-prime", "all-seven", "A7P-2", meter(25_000_00), "2")
    doors_of(found.room).jackpots.define(made, words="x", command=command(), actor=MAX.name, approved_by=LEE.name)

    def missing() -> list[str]:
        steps = start_view(found.room.state, found.room.secrets(), found.room.clock()).steps
        return [text for step in steps for text in step.missing]

    assert "Table 2: a display players can see" in missing(), "with a button that adds it"
    found.room.do(RegisterDisplay(name="screen 2", table="2", make="screen"), MAX, id=command())
    (refused,) = found.room.verify(OpenJackpot(name="second", words="x"), SUE)
    assert plain_problem(refused) in missing()


def test_item_4_an_open_table_without_any_display_is_an_alarm_and_is_suspended_as_the_settings_say(
    found: CardRoom,
) -> None:
    assert list(unshown_tables(found.room.state)) == ["1"]
    (alarm,) = (each for each in active_alarms(found.room.state) if each.kind == "display")
    assert (alarm.key, alarm.table) == ("display of table 1", "1")
    clock_of(found).add(120 * SECOND)
    assert found.room.displays.review(command=command()) == ()
    clock_of(found).add(SECOND)
    assert found.room.displays.review(command=command()) == ("1",)
    assert found.room.state.of(TABLES).tables["1"].life == "suspended"
    assert not [each for each in active_alarms(found.room.state) if each.kind == "display"]


def test_item_4_a_display_that_is_taken_away_leaves_two_minutes(found: CardRoom) -> None:
    do(found, SCREEN)
    beat(found)
    clock_of(found).add(20 * SECOND)
    do(found, replace(SCREEN, active=False))
    found.room.displays.review(command=command())
    assert found.room.state.of(TABLES).tables["1"].life == "open"
    clock_of(found).add(121 * SECOND)
    assert found.room.displays.review(command=command()) == ("1",)


# Super Three Card: "Jackpot meter displays will not contain additional intelligence or functionality" (E-08).

BARE = "has bare monitors only, driven by a computer (super-three-card Equipment, displays; REGULATION E-08, G-51)"
SMART = RegisterDisplay(name="smart", table="7", make="screen")
ACES = jackpot("aces", STC, "twenty-one-plus-three", "PT-BJS-213-02", meter(11_000_00), "7")
STC_SETUP = TableSetup(
    table="7",
    game=STC,
    model="andromeda-3d",
    device="A3-7",
    seats=7,
    sensors=sensors_for("andromeda-3d", 7, ["twenty-one-plus-three"], lights=["twenty-one-plus-three"]),
)
DEFINE = DefineJackpot(jackpot=JackpotDraft.of(ACES), words="new")
POST = PostConfiguration(table="7", configuration=example(STC), words="new")


@pytest.mark.parametrize("second", [DEFINE, POST])
def test_item_4_e_08_a_screen_first_and_then_the_jackpot_or_its_configuration(found: CardRoom, second: object) -> None:
    do(found, SMART)
    (problem,) = found.room.verify(second, MAX)  # type: ignore[arg-type]
    assert problem == f"display smart at table 7 is a screen, and Super Three Card {BARE}"
    with pytest.raises(RefusedError, match="bare monitors only"):
        do(found, second, TWO)
    do(found, replace(SMART, active=False))
    assert found.room.verify(second, MAX) == ()  # type: ignore[arg-type]


@pytest.mark.parametrize("first", [DEFINE, POST, replace(POST, opens="2027-01-01T06:00")])
def test_item_4_e_08_the_jackpot_or_its_configuration_first_and_then_a_screen(found: CardRoom, first: object) -> None:
    assert found.room.verify(SMART, ADA) == (), "nothing is known of table 7 yet"
    do(found, first, TWO)
    (problem,) = found.room.verify(SMART, ADA)
    assert "bare monitors only" in problem
    assert "E-08" in problem
    assert found.room.verify(RegisterDisplay(name="m", table="7", make="monitor", driven_by="table"), ADA) == ()


def test_item_4_e_08_a_table_without_a_jackpot_may_have_any_display(found: CardRoom) -> None:
    text = example(STC)
    plain = replace(POST, configuration=text[: text.index("[jackpots]")])
    do(found, SMART)
    do(found, plain, TWO)
    assert found.room.verify(replace(SMART, name="another"), ADA) == ()


def test_item_4_e_08_an_opening_asks_again_where_books_of_before_have_a_screen_there(found: CardRoom) -> None:
    """Whoever wrote them, in whatever order: neither the jackpot nor the table opens with a screen over it."""
    do(found, SMART)
    # The facade asks no room: it writes as the program of before did.
    doors_of(found.room).jackpots.define(ACES, words="x", command=command(), actor=MAX.name, approved_by=LEE.name)
    doors_of(found.room).tables.set_up(STC_SETUP, words="new", by=MAX, approved_by=SUE.name, command=command())
    for opening in (OpenJackpot(name="aces", words="x"), OpenTable(table="7")):
        assert any(BARE in problem for problem in found.room.verify(opening, SUE)), opening
