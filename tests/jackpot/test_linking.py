"""Linked tables: one game at one location, or games whose jackpot is the same hand with the same chance; strict order."""

from __future__ import annotations

import threading
from dataclasses import replace
from fractions import Fraction

import pytest

from pitboss.games import find_game, register, unregister
from pitboss.jackpot import LinkedTable, offer_of, with_chances
from pitboss.jackpot.definitions import link_problems
from pitboss.jackpot.lifecycle import _linked_game_problems
from pitboss.jackpot.state import JackpotRecord, RoomJackpots
from pitboss.odds import default_store
from tests.books.making import Room
from tests.facades import Jackpots
from tests.jackpot.making import (
    FCP,
    HOME,
    STC,
    TCP,
    TWO,
    call,
    define,
    make_bonus,
    make_jackpot,
    playing,
    press,
    refused,
    sound,
    tables,
)


def test_j_11_tables_of_one_game_at_one_location_share_a_meter(room: Room) -> None:
    with playing(room, make_jackpot(tables=tables("4", "5", "6"))) as jackpots:
        for number in range(1, 4):
            for table in ("4", "5", "6"):
                press(jackpots, number, [1, 2], table=table)
        assert jackpots.meter("main").wagers_counted == 18
        assert jackpots.record("main").counted == {table: {"1": 3, "2": 3} for table in ("4", "5", "6")}
    assert sound(room)


def test_j_11_a_link_across_locations_is_refused_with_everything_else_that_is_wrong(sqlite_room: Room) -> None:
    wrong = make_jackpot(
        tables=(*tables("4", "4"), LinkedTable("9", TCP, "Elsewhere"), LinkedTable("8", FCP, HOME)),
        small_prize_cents=-1,
    )
    with playing(sqlite_room) as jackpots:
        told = refused(lambda: define(jackpots, wrong))
    for part in ("J-11", "Elsewhere and Test Room", "a table is linked once", "Four Card Prime is dealt there", "-1"):
        assert part in told


def test_g_34_j_12_games_whose_jackpot_hands_differ_are_refused_with_both_hands_and_both_chances() -> None:
    store = default_store()
    first = with_chances(offer_of(FCP, "five-card-jackpot", "PJ-3"), store=store)
    second = with_chances(offer_of(TCP, "final-four", "F4P-1"), store=store)
    royal, diamond = link_problems([first, second])
    assert dict(first.chances) == {"Five-card Royal Flush": Fraction(4, 2_598_960)}
    for part in (
        "'Five-card Royal Flush' of four-card-prime PJ-3 (1 in 649,740)",
        f"'4-card diamond Royal' of three-card-prime F4P-1 (1 in {second.chances[0][1].denominator:,})",
        "REGULATION J-12",
    ):
        assert part in str(royal)
    assert "'no hand' of four-card-prime PJ-3 (not counted)" in str(diamond)


def test_j_12_the_same_hand_with_another_chance_is_refused_even_by_the_smallest_difference() -> None:
    first = with_chances(offer_of(FCP, "five-card-jackpot", "PJ-3"), store=default_store())
    (event, chance) = first.chances[0]
    second = replace(first, game="other", chances=((event, chance + Fraction(1, 10**30)),))
    assert len(link_problems([first, second])) == 1
    assert link_problems([first, replace(first, game="other")]) == []
    assert "is offered twice" in str(link_problems([first, first])[0])
    other_hand = first.prizes[0]._replace(event="Four Aces")
    third = replace(first, game="other", prizes=(other_hand,), chances=(("Four Aces", chance),))
    assert "'Four Aces' of other PJ-3 (1 in 649,740)" in str(link_problems([first, third])[0])
    uncounted = replace(first, chances=())
    assert "(not counted)" in str(link_problems([uncounted, replace(uncounted, game="other")])[0])


def test_j_12_two_games_with_the_same_hand_and_chance_share_a_meter(sqlite_room: Room) -> None:
    """No two of the five games have such a pair, so a second game is dealt under another name."""
    twin = replace(find_game(FCP), name="twin-prime")
    register(twin)
    try:
        offers = [with_chances(offer_of(game, "five-card-jackpot", "PJ-1")) for game in (FCP, twin.name)]
        assert [event for event, _ in offers[0].chances] == ["Five-card Royal Flush", "Five-card Straight Flush"]
        linked = (*tables("4", game=FCP), *tables("5", game=twin.name))
        with playing(sqlite_room, make_jackpot(offers=tuple(offers), tables=linked)) as jackpots:
            press(jackpots, 1, [1])
            press(jackpots, 1, [2, 3], table="5")
            assert jackpots.record("main").jackpot.offer_at("5").game == twin.name
            other = make_jackpot("alone", offers=tuple(offers[:1]), tables=tables("6", game=FCP))
            told = refused(lambda: define(jackpots, other))
            assert "has the progressive main: linked games have only one each" in told
            assert "G-34" in told
            assert jackpots.meter("main").wagers_counted == 3
        assert sound(sqlite_room)
    finally:
        unregister(twin.name)


def test_j_25_jackpots_of_one_table_are_of_one_type_on_wagers_of_their_own_and_as_many_as_approved(
    sqlite_room: Room,
) -> None:
    first = make_jackpot(
        offers=(offer_of(STC, "twenty-one-plus-three", "PT-BJS-213-01"),), tables=tables("4", game=STC)
    )
    second = replace(first, name="second", offers=(offer_of(STC, "twenty-one-plus-three-b", "PT-BJS-213-02"),))
    with playing(sqlite_room, first) as jackpots:
        same_wager = replace(first, name="same")
        assert "on the same wager" in refused(lambda: define(jackpots, same_wager))
        other_type = make_bonus("bonus", offers=second.offers, tables=second.tables)
        assert "all jackpots of a table are of one type" in refused(lambda: define(jackpots, other_type))
        define(jackpots, second)
        third = replace(second, name="third")
        assert "3 jackpots, but Super Three Card allows 2 at a time" in refused(lambda: define(jackpots, third))
        jackpots.open("second", words="w", command="o", **TWO)
        answer = jackpots.tabulate("4", 1, {"main": [1, 2], "second": [2]}, command="p", actor="table 4")
        assert [(entry.kind, entry.part) for entry in answer.entries] == [("wagers-counted", 0), ("wagers-counted", 1)]
        assert jackpots.room.last_round("4").seats == {"main": (1, 2), "second": (2,)}  # type: ignore[union-attr]
    assert sound(sqlite_room)


def test_g_13_one_jackpot_at_a_time_where_no_more_is_approved(sqlite_room: Room) -> None:
    other = make_jackpot("other", offers=(offer_of(TCP, "all-seven", "A7P-1"),))
    with playing(sqlite_room, make_jackpot()) as jackpots:
        assert "2 jackpots, but Three Card Prime allows 1 at a time" in refused(lambda: define(jackpots, other))


def hit_together(jackpots: Jackpots, trial: int) -> None:
    """Let two tables count a round and hit at the same moment."""
    press(jackpots, trial, [1, 2, 3])
    together = threading.Barrier(2)
    paid: dict[str, int] = {}

    def work(table: str) -> None:
        together.wait()
        paid[table] = call(jackpots, "main", f"hit-{table}-{trial}", table)

    threads = [threading.Thread(target=work, args=(table,)) for table in ("4", "5")]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert min(paid.values()) == 500_00
    assert max(paid.values()) in (1_000_51, 500_51, 500_52)


@pytest.mark.parametrize("trials", [100, pytest.param(5_000, marks=pytest.mark.slow)])
def test_t_12_tables_that_hit_together_are_paid_one_after_the_other(sqlite_room: Room, trials: int) -> None:
    """G-4: the first in the journal gets the meter, the second what the reseeded meter shows."""
    with playing(sqlite_room, make_jackpot(tables=tables("4", "5"))) as jackpots:
        for trial in range(1, trials + 1):
            hit_together(jackpots, trial)
        meter = jackpots.meter("main")
        assert (meter.hits, meter.generation) == (2 * trials, 2 * trials + 1)
        assert len(set(jackpots.record("main").generations)) == 2 * trials + 1
    assert sound(sqlite_room)


def test_g_34_where_different_games_are_linked_each_has_only_one_progressive() -> None:
    """WAC 230-15-685(6)."""
    plain = make_jackpot()
    offers = (*plain.offers, offer_of(FCP, "five-card-jackpot", "PJ-3"))
    linked = replace(
        plain, name="linked", offers=offers, tables=(LinkedTable("8", FCP, HOME), LinkedTable("9", TCP, HOME))
    )
    room = RoomJackpots({"main": JackpotRecord(plain)}, {})
    (problem,) = _linked_game_problems(linked, room)
    assert str(problem) == (
        "offers: three-card-prime has the progressive main: linked games have only one each "
        "(WAC 230-15-685(6); REGULATION J-12; G-34)"
    )
    other = RoomJackpots({"linked": JackpotRecord(linked)}, {})
    assert [each.ruling for each in _linked_game_problems(plain, other)] == ["G-34"]
    assert list(_linked_game_problems(replace(plain, name="second"), room)) == []


def test_g_34_a_linked_game_that_has_a_progressive_is_refused_by_the_definition(sqlite_room: Room) -> None:
    plain = make_jackpot()
    games = {plain.offers[0].game, TCP if plain.offers[0].game == FCP else FCP}
    offers = (offer_of(FCP, "five-card-jackpot", "PJ-3"), offer_of(TCP, "final-four", "F4P-1"))
    places = tuple(LinkedTable(table, game, HOME) for table, game in zip(("8", "9"), sorted(games), strict=True))
    with playing(sqlite_room, plain) as jackpots:
        told = refused(lambda: define(jackpots, replace(plain, name="linked", offers=offers, tables=places)))
    assert f"{plain.offers[0].game} has the progressive main: linked games have only one each" in told
