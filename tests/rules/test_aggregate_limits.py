"""Item 9, G-65: aggregate payout limits settled in proportion, by a small second settlement of the tests' own."""

from __future__ import annotations

import json
from itertools import combinations
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pitboss.games import find_game
from pitboss.rules import AggregateLimit, Settlement, limit_words
from pitboss.rules.limits import in_proportion, limited_prizes
from pitboss.table.records import settle_record
from tests.examples import examples
from tests.support import cited, problems, record, seat

GAME = "deuces-wild"
BOARD = "3c 5h Ts Td"
# Hands of different cards, with what TCT-A pays to 1 for them: typed from Appendix B.
TREASURES = [("As Ks Qs", 20), ("Kd Qd Jd", 6), ("9s 9d 9h", 5), ("8h 7d 6c", 2), ("Jc 9c 4c", 2), ("Ah 7h 4d", 0)]
# Five cards that were raised, with what APR-A pays to 1 on Ante, Play and Raise.
RAISED = [("Ah Kh Qh Jh Th", 250), ("9c 8c 7c 6c 5c", 10), ("4s 4d 4h 3s 3d", 4), ("Ks Jd 7s 6h 5d", -1)]
PERSONS = [None, None, "Kim", "Kim"]


def treasures(hands: list[int], stakes: list[int], limit: dict[str, int] | None, persons: list[Any]) -> dict[str, Any]:
    seats = []
    for number, (hand, stake, person) in enumerate(zip(hands, stakes, persons, strict=False), start=1):
        one = seat(number, TREASURES[hand][0], {"three-card-treasure": stake})
        seats.append(one | ({} if person is None else {"person": person}))
    fields: dict[str, Any] = {} if limit is None else {"aggregate_limits": {"three-card-treasure": limit}}
    return record(GAME, BOARD, *seats, paytables={"three-card-treasure": ["TCT-A"]}, **fields)


def settle(content: dict[str, Any]) -> Settlement:
    return settle_record(content).settlement


def reduce_by_hand(prizes: list[int], limit: int) -> list[int]:
    """The largest whole cents whose share is no more than the limit's, searched one binary digit at a time."""
    total, reduced = sum(prizes), []
    for prize in prizes:
        cents = 0
        for digit in reversed(range(60)):
            if (cents + (1 << digit)) * max(total, 1) <= prize * limit:
                cents += 1 << digit
        reduced.append(cents if total > limit else prize)
    return reduced


def settle_by_hand(prizes: list[int], owners: list[Any], player: int | None, table: int | None) -> list[int]:
    for owner in set(owners) if player is not None else ():
        places = [place for place in range(len(prizes)) if owners[place] == owner]
        assert player is not None
        for place, cents in zip(places, reduce_by_hand([prizes[place] for place in places], player), strict=True):
            prizes[place] = cents
    return prizes if table is None else reduce_by_hand(prizes, table)


limits = st.one_of(st.none(), st.integers(1, 500_000))


@st.composite
def some_treasures(draw: st.DrawFn) -> tuple[list[int], list[int], int | None, int | None, list[Any]]:
    hands = draw(st.permutations(range(len(TREASURES))))[: draw(st.integers(1, 4))]
    stakes = draw(st.lists(st.integers(1, 40_000), min_size=len(hands), max_size=len(hands)))
    player, table = draw(limits), draw(limits)
    if player is not None and table is not None and table < player:
        player, table = table, player
    return list(hands), stakes, player, table, draw(st.permutations(PERSONS))


@given(some_treasures())
@examples(150)
def test_g_65_prizes_are_reduced_as_by_hand(
    case: tuple[list[int], list[int], int | None, int | None, list[Any]],
) -> None:
    hands, stakes, player, table, persons = case
    stated = AggregateLimit(player, table).as_json()
    got = settle(treasures(hands, stakes, stated or None, persons))
    lines = [by_wager["three-card-treasure"] for by_wager in got.lines.values()]
    prizes = [TREASURES[hand][1] * stake for hand, stake in zip(hands, stakes, strict=True)]
    owners = [place if persons[place] is None else persons[place] for place in range(len(hands))]
    expected = settle_by_hand(list(prizes), owners, player, table)
    won = [
        line.paid_cents - (stake if TREASURES[hand][1] else 0)
        for line, hand, stake in zip(lines, hands, stakes, strict=True)
    ]
    assert expected == won
    # Never above the limits, never below nothing, and what is not bound stays as it was.
    assert table is None or sum(won) <= table
    by_owner = [sum(cents for cents, other in zip(won, owners, strict=True) if other == owner) for owner in owners]
    assert player is None or max(by_owner) <= player
    assert all(0 <= cents <= prize for cents, prize in zip(won, prizes, strict=True))
    plain = settle(treasures(hands, stakes, None, persons))
    if won == prizes:
        assert plain == got
    for line, before in zip(lines, plain.lines.values(), strict=True):
        old = before["three-card-treasure"]
        assert (line == old) == (line.paid_cents == old.paid_cents)
        assert sum(chip.paid_cents for chip in line.chips) == line.paid_cents
        assert sum(chip.staked_cents for chip in line.chips) == line.staked_cents


@given(st.lists(st.integers(0, 10**9), max_size=8), st.integers(1, 10**9))
@examples(200)
def test_g_65_a_cent_is_never_paid_twice_and_few_are_left(prizes: list[int], limit: int) -> None:
    reduced = in_proportion(prizes, limit)
    assert list(reduced) == reduce_by_hand(prizes, limit)
    assert sum(reduced) <= max(limit, 0)
    assert min(sum(prizes), limit) - sum(reduced) < max(1, len(prizes))
    assert all(
        (one >= other) == (more >= less) or one == other
        for (one, more), (other, less) in combinations(zip(prizes, reduced, strict=True), 2)
        if one != other and more != less
    )


@pytest.mark.parametrize("hand", range(len(RAISED)))
@pytest.mark.parametrize("limit", [1, 99_999, 300_001, 2_000_000])
def test_g_65_each_chip_is_reduced_and_its_stake_comes_back(hand: int, limit: int) -> None:
    cards, odds = RAISED[hand]
    stake = 2_003
    one = seat(1, cards, {"ante-play-raise": stake}, play=True, raise_=True)
    fields = {"aggregate_limits": {"ante-play-raise": {"player_cents": limit}}}
    line = settle(record(GAME, BOARD, one, paytables={"ante-play-raise": ["APR-A"]}, **fields)).lines[1][
        "ante-play-raise"
    ]
    if odds < 0:
        assert (4 * stake, 0) == (line.staked_cents, line.paid_cents)
        return
    expected = reduce_by_hand([odds * stake, odds * stake, odds * 2 * stake], limit)
    assert [stake + expected[0], stake + expected[1], 2 * stake + expected[2]] == [
        chip.paid_cents for chip in line.chips
    ]
    assert line.paid_cents == 4 * stake + sum(expected)
    assert ("G-65" in cited(line)) == (sum(expected) < 4 * odds * stake)


def test_g_65_the_example_of_the_ruling() -> None:
    """$25 and $100 on the Treasure: 20 to 1 and 6 to 1 are $500 and $600; the table pays $1,000."""
    content = treasures([0, 1], [2_500, 10_000], {"table_cents": 100_000}, [None, None])
    lines = [by_wager["three-card-treasure"] for by_wager in settle(content).lines.values()]
    assert [45_454 + 2_500, 54_545 + 10_000] == [line.paid_cents for line in lines]
    words = "Prizes of one deal are limited to $1,000.00 at the table: paid in proportion, $454.54 instead of $500.00"
    assert [("DW step 16, limits", words, "G-65")] == [
        (reason.clause.id, reason.words, reason.ruling) for reason in lines[0].reasons if reason.ruling == "G-65"
    ]
    because = json.loads(settle_record(content).json_text())["seats"][0]["wagers"]["three-card-treasure"]["because"]
    assert {"clause": "DW step 16, limits", "ruling": "G-65", "text": words} in because


def test_g_65_one_person_on_two_seats_is_one_player() -> None:
    apart = settle(treasures([0, 1], [2_500, 10_000], {"player_cents": 60_000}, [None, None]))
    together = settle(treasures([0, 1], [2_500, 10_000], {"player_cents": 60_000}, ["Kim", "Kim"]))
    assert [50_000, 60_000] == [apart.net_cents(1), apart.net_cents(2)]
    assert [27_272, 32_727] == [together.net_cents(1), together.net_cents(2)]


def test_g_65_wagers_are_limited_apart() -> None:
    """W-13: a limit is of one kind of prize; the prizes of another wager do not count against it."""
    one = seat(1, "As Ks Qs", {"three-card-treasure": 1_000, "five-card-fortune": 1_000}, fortune=["As"])
    tables = {"three-card-treasure": ["TCT-A"], "five-card-fortune": ["FCF-A"]}
    fields = {"aggregate_limits": {"five-card-fortune": {"table_cents": 1}}}
    community = "Ah Ad Ac 4h"
    plain = settle(record(GAME, community, one, paytables=tables)).lines[1]
    got = settle(record(GAME, community, one, paytables=tables, **fields)).lines[1]
    assert got["three-card-treasure"] == plain["three-card-treasure"]
    assert (5_000, 1_001) == (plain["five-card-fortune"].paid_cents, got["five-card-fortune"].paid_cents)


@pytest.mark.parametrize(
    ("limit", "words"),
    [
        ({"bonus-jackpot": {"table_cents": 100}}, "a jackpot has no aggregate limit"),
        ({"nothing": {"table_cents": 100}}, "has no such wager"),
        ({"three-card-treasure": {}}, "must be an object with player_cents or table_cents"),
        ({"three-card-treasure": {"seat_cents": 5}}, "must be an object with player_cents or table_cents"),
        ({"three-card-treasure": {"table_cents": 0}}, "must be a positive whole number of cents"),
        ({"three-card-treasure": {"table_cents": True}}, "must be a positive whole number of cents"),
        ({"three-card-treasure": {"table_cents": 10**15}}, "must be a positive whole number of cents"),
        ({"three-card-treasure": {"table_cents": 5, "player_cents": 6}}, "$0.05 at the table is less than $0.06"),
        ([], "must be an object, wager to limits in cents"),
    ],
)
def test_g_65_what_is_no_limit_is_refused(limit: Any, words: str) -> None:
    content = treasures([0], [500], None, [None]) | {"aggregate_limits": limit}
    (problem,) = problems(content)
    assert words in problem.words
    assert problem.ruling == "G-65"


def test_g_65_terms_without_a_limit_are_named_as_before() -> None:
    content = treasures([0], [500], None, [None])
    assert settle(content) == settle(content | {"aggregate_limits": {}})
    game = find_game(GAME)
    assert game.clauses[game.approval.aggregate_limits].id == "DW step 16, limits"


def test_step_16_the_sentence_that_is_posted() -> None:
    assert limit_words("Five Card Fortune", AggregateLimit(2_000_000, 4_000_000)) == (
        "Five Card Fortune: all prizes of one deal together are at most $20,000.00 a player and $40,000.00 at the "
        "table. Larger ones are paid in proportion."
    )
    assert limited_prizes(AggregateLimit(), [5, 6], [1, 2]) == (5, 6)
