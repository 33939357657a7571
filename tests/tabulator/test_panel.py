"""Item 12: at an Andromeda-1 prizes are called against the panel's lights; the logger's batch confirms or contradicts."""

from __future__ import annotations

import json
import random
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest

from pitboss.books import Answer
from pitboss.jackpot import Claim
from pitboss.tabulator import StateLights
from pitboss.tabulator.devices.client import DeviceBuffer, DeviceClient, DoorLine, Felt, play_logger
from tests.books.making import Room
from tests.cli.running import run
from tests.facades import Hits
from tests.jackpot.making import make_bonus, refused
from tests.tabulator.making import DEALER, DEVICE, SECOND, TWO, Floor, floor, make_setup

TRIPS, ROYAL = "Three of a Kind", "4-card Royal"
ONE = make_setup("andromeda-1")
DAILY = [make_bonus()]


def state(at: Floor, *seats: int) -> Answer:
    return at.tables.do(StateLights(table="4", seats={"final-four": tuple(seats)}), at.id(), DEALER)


def logged(at: Floor, *rounds: tuple[int, Sequence[int]]) -> dict[str, Any]:
    """Send the batch of a logger: each round as its instant and its seats."""
    return at.send(at.message("batch", rounds=[[when, [[seat, 1] for seat in seats]] for when, seats in rounds]))


def small(at: Floor, seat: int, number: int | None = None) -> Answer:
    return Hits(at.books).pay_small("daily", "4", seat, TRIPS, round_number=number, command=at.id(), by=DEALER)


def alarms(at: Floor) -> dict[str, str]:
    return {key: alarm.words for key, alarm in at.tables.room.alarms.items()}


def test_item_12_prizes_are_called_for_a_lit_seat_before_the_logger_speaks(sqlite_room: Room) -> None:
    """Seen: until its batch came no round of the table could be called at all."""
    with floor(sqlite_room, ONE, jackpots=DAILY) as at:
        pressed = at.clock.add(60)
        at.clock.add(30)
        state(at, 1, 3)
        assert (at.four.round, at.wagers("daily"), at.four.phase) == (1, 2, "open")
        assert "seat 2 had no wager of Final Four Jackpot counted in round 1 (E-02)" in refused(lambda: small(at, 2))
        small(at, 1)
        call = Hits(at.books).call("daily", "4", [Claim(3, ROYAL)], command=at.id(), by=DEALER)
        assert call.entries[0].kind == "prize-called"
        later = at.clock.add(60)
        reply = logged(at, (pressed - 60 * SECOND, [2]), (pressed, [1, 3]), (later, [5]))
        assert (reply["status"], reply["round"], reply["rounds"]) == ("counted", 3, 2)
        assert (at.wagers("daily"), at.four.rounds_counted, at.four.stated) == (4, 3, ())
        assert alarms(at) == {}
        assert at.is_sound()


def test_item_12_the_rounds_of_the_batch_stay_apart_from_the_stated_one(sqlite_room: Room) -> None:
    with floor(sqlite_room, ONE, jackpots=DAILY) as at:
        first = at.clock.add(60)
        second = at.clock.add(60)
        at.clock.add(20)
        state(at, 1)
        third = at.clock.add(60)
        logged(at, (first, [2]), (second, [1]), (third, [4]))
        assert {number: at.four.find_round(number).counted["final-four"] for number in (1, 2, 3)} == {  # type: ignore[union-attr]
            1: (1,),
            2: (2,),
            3: (4,),
        }
        small(at, 2, 2)
        assert "seat 2 had no wager of Final Four Jackpot counted in round 3 (E-02)" in refused(lambda: small(at, 2, 3))
        at.tables.void("4", 3, "misdeal", words="misdeal", command=at.id(), **TWO)
        assert "is void" in refused(lambda: small(at, 4, 3))
        assert at.is_sound()


def test_item_12_a_logger_that_contradicts_raises_an_alarm_and_counts_nothing_again(sqlite_room: Room) -> None:
    with floor(sqlite_room, ONE, jackpots=DAILY) as at:
        pressed = at.clock.add(60)
        at.clock.add(30)
        state(at, 1, 3)
        at.clock.add(60)
        reply = logged(at, (pressed, [1, 6]))
        assert reply["status"] == "noted"
        assert at.wagers("daily") == 2
        assert alarms(at) == {
            "logger 4 1 final-four": "round 1 of table 4: the panel was stated with Final Four Jackpot at seats 1, 3, the logger"
            " has seats 1, 6: correct it by two people (E-05, G-62, G-11)"
        }
        assert at.is_sound()


def test_item_12_a_statement_that_no_round_of_the_logger_bears_out_is_an_alarm(sqlite_room: Room) -> None:
    with floor(sqlite_room, ONE, jackpots=DAILY) as at:
        at.clock.add(30)
        state(at, 1)
        at.clock.add(1)
        state(at, 1)
        later = at.clock.add(60)
        logged(at, (later, [2]))
        assert sorted(alarms(at)) == ["logger 4 1", "logger 4 2"]
        assert (at.wagers("daily"), at.four.stated) == (3, ())
        assert at.is_sound()


def test_item_12_lights_are_stated_where_a_logger_speaks_later_and_nowhere_else(sqlite_room: Room) -> None:
    with floor(sqlite_room, make_setup()) as at:
        assert "has no logger that speaks later: its lights are not stated (E-05, G-62)" in refused(
            lambda: state(at, 1)
        )


def test_item_12_a_statement_names_seats_of_the_table_and_one_at_least(sqlite_room: Room) -> None:
    with floor(sqlite_room, ONE, jackpots=DAILY) as at:
        assert "without one no prize is called (E-05, G-62)" in refused(lambda: state(at))
        assert "numbers from 1 to 7 (G-16)" in refused(lambda: state(at, 9))
        at.tables.down("4", words="panel dark", command=at.id(), by=TWO["by"])
        assert "is down" in refused(lambda: state(at, 1))


def test_item_12_a_simulated_logger_sends_its_rounds_together_and_each_keeps_its_seats(
    sqlite_room: Room, tmp_path: Path
) -> None:
    with floor(sqlite_room, ONE, jackpots=DAILY) as at, DeviceBuffer(tmp_path / "buffer") as buffer:
        line = DoorLine(at.tables.receive)
        device = DeviceClient(DEVICE, "4", buffer, line, clock=at.clock, buffers=True)
        played = play_logger(device, Felt(seats=7), random.Random(5), 5, pause=at.clock.add, batch=2)
        assert [reply["rounds"] for reply in played.replies] == [2, 2, 1]
        for number, there in enumerate(played.rounds, start=1):
            counted = at.four.find_round(number)
            assert counted is not None
            assert counted.counted["final-four"] == tuple(sorted(seat for seat, _ in there))
        assert at.is_sound()


def test_item_12_pitboss_device_prints_the_batches_of_a_logger() -> None:
    typed = "device - --device A1-1 --table 3 --rounds 3 --logger 2 --seed 1 --start 2026-11-16T20:00:00+00:00"
    messages = [json.loads(line) for line in run(typed).stdout.splitlines()]
    assert [(each["type"], len(each.get("rounds", ()))) for each in messages] == [
        ("hello", 0),
        ("batch", 2),
        ("batch", 1),
    ]
    assert run(f"{typed} --dealer Dan").exit_code == 2


@pytest.mark.parametrize("seed", range(6))
def test_item_12_whatever_is_stated_truly_every_wager_counts_once(sqlite_room: Room, seed: int) -> None:
    rng = random.Random(seed)
    with floor(sqlite_room, ONE, jackpots=DAILY) as at:
        played = 0
        for _ in range(3):
            kept = []
            for _ in range(rng.randint(1, 8)):
                seats = sorted(rng.sample(range(1, 8), rng.randint(0, 7)))
                kept.append((at.clock.add(60), seats))
                played += len(seats)
                if seats and rng.random() < 0.4:
                    at.clock.add(rng.randint(1, 50))
                    state(at, *seats)
            at.clock.add(60)
            assert logged(at, *kept)["status"] in ("counted", "noted")
        assert at.wagers("daily") == played == at.four.wagers_counted
        assert alarms(at) == {}
        assert at.is_sound()
