"""From outcomes to cents: results of chips, void rounds, and the words of shared prizes and Envy."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction
from typing import Any

import pytest

from pitboss.cards import parse_cards
from pitboss.games import find_game
from pitboss.law import Citation
from pitboss.rules import FinishedRound, FinishedSeat, Reason, Settler, Terms, void_round
from pitboss.rules.facts import Hands
from pitboss.rules.outcomes import Outcome, lost, paid, returned
from pitboss.rules.pays import CellKind, Dollars, Loss, OperatorSet, Push, ToOne
from pitboss.rules.settlement import Chip, SettledLine
from tests.games.explaining import said, terms_of
from tests.support import line, record, seat, settled

# Chips


def test_a_chip_is_taken_returned_or_paid() -> None:
    assert [("Ante", 1, ()), ("Raise", 3, ())] == [
        (result.part, result.multiple, result.prizes) for result in (lost("Ante"), lost("Raise", 3))
    ]
    assert [False, True, True] == [result.returned for result in (lost("A"), returned("A"), returned("A", 2))]
    assert 2 == returned("A", 2).multiple


@pytest.mark.parametrize(
    ("pays", "back"),
    [((Loss(),), False), ((Dollars(5),), False), ((Push(),), True), ((Push(), Dollars(5)), True), ((), False)],
)
def test_g_1_a_chip_goes_back_if_any_of_its_cells_returns_it(pays: tuple[Any, ...], back: bool) -> None:
    result = paid("Ante", 1, *pays)
    assert back is result.returned
    assert tuple(pay for pay in pays if isinstance(pay, Dollars)) == result.prizes


def test_g_6_a_cell_left_to_the_operator_is_never_paid() -> None:
    with pytest.raises(ValueError, match=r"^Ante: a cell left to the operator has no amount \(G-6\)$"):
        paid("Ante", 1, ToOne(Fraction(1)), OperatorSet(CellKind.BONUS))


# Void rounds


def test_g_11_a_void_round_returns_every_chip() -> None:
    reason = Reason(Citation("X rule 1", "x", ""), "a card was exposed", "G-11")
    voided = void_round({1: {"ante": {"Ante": 500, "Raise": 1500}, "bonus": {"Bonus": 100}}, 4: {}}, reason)
    assert {
        1: {
            "ante": SettledLine(
                "ante", 2000, 2000, None, None, (reason,), (Chip("Ante", 500, 500), Chip("Raise", 1500, 1500))
            ),
            "bonus": SettledLine("bonus", 100, 100, None, None, (reason,), (Chip("Bonus", 100, 100),)),
        },
        4: {},
    } == voided.lines
    assert {} == voided.jackpots
    assert () == voided.transfers


# Percentages

TCP = {"ante-play": ["PW/BB-1"], "final-four": ["F4P-1"]}
WAGERS = {"ante-play": 1000, "final-four": 100}


def royals(*cards: str, **fields: Any) -> dict[str, Any]:
    seats = [seat(number, text, WAGERS, play=True) for number, text in enumerate(cards, 1)]
    return record("three-card-prime", "2c 3c 5d", *seats, paytables=TCP, meters={"final-four": 100_019}, **fields)


SPADES, HEARTS, DIAMONDS = "As Ks Qs Js", "Ah Kh Qh Jh", "Ad Kd Qd Jd"
SHARE = "TCP Appendix E [G-4]: 10% of the meter displayed at $1,000.19 is $100.01"


@pytest.mark.parametrize(
    ("fields", "hands", "expected"),
    [
        ({}, (SPADES, DIAMONDS), SHARE),
        ({}, (SPADES, HEARTS), f"{SHARE}, shared by seats 1, 2: $50.00 each"),
        ({"jackpot_type": "bonus"}, (SPADES, HEARTS), f"{SHARE}, paid in full to each of seats 1, 2"),
    ],
)
def test_g_4_a_share_is_told_with_meter_prize_and_sharers(
    fields: dict[str, Any], hands: tuple[str, ...], expected: str
) -> None:
    assert expected == said(line(royals(*hands, **fields), "final-four").reasons)[-1]


def test_g_4_a_share_is_handed_over_on_the_chip_of_the_wager() -> None:
    won = line(royals(SPADES), "final-four")
    assert (Chip("Final Four", 100, 10_001),) == won.chips
    assert ("final-four", 100, 10_001) == (won.wager, won.staked_cents, won.paid_cents)


def test_every_line_names_its_wager_and_adds_up() -> None:
    for lines in settled(royals(SPADES, DIAMONDS, "9s 9c 4d 3h")).settlement.lines.values():
        for name, each in lines.items():
            assert name == each.wager
            assert each.staked_cents == sum(chip.staked_cents for chip in each.chips)
            assert each.paid_cents == sum(chip.paid_cents for chip in each.chips)


def test_g_3_and_g_7_a_scaled_dollar_prize_is_whole_cents() -> None:
    wager = "twenty-one-plus-three"
    one = seat(1, "9s 8s", {"ante-odds-play": 500, wager: 250}, play=False)
    tables = {"ante-odds-play": ["PT-FLT-STC-01"], wager: ["PT-BJS-213-01"]}
    won = line(
        record(
            "super-three-card",
            "7s",
            one,
            decks=6,
            paytables=tables,
            jackpot_wager_cents={wager: 250},
            meters={wager: 1_000_000},
        ),
        wager,
    )
    assert ("Straight Flush", 6250) == (won.event, won.paid_cents)
    assert type(won.paid_cents) is int


# Envy and what a settler remembers

FOUR, QUADS, NOTHING = "four-card-jackpot", "9c 9d 9h 9s 2h", "Jc Ts 7d 4s 2d"
BOARD = parse_cards("Kc Kd 8s 5h 3d 2c")


def envy_terms(quads: str) -> Terms:
    pays = {"Four Aces": "100%", "Quads": "$200", "Straight Flush": "$50", "Trips": "$5"}
    envy = {"Four Aces": "$100", "Quads": quads, "Straight Flush": "$5"}
    tables: dict[str, list[Any]] = {
        "ante-raise": ["Win-1", "BB-1"],
        FOUR: [{"id": "FCJ-3", "pays": pays, "envy": envy}],
    }
    return terms_of("four-card-prime", tables, jackpot_type="bonus")


def round_of(*cards: str) -> FinishedRound:
    seats = tuple(
        FinishedSeat(number, {"ante-raise": 500, FOUR: 100}, parse_cards(text), (1,))
        for number, text in enumerate(cards, 1)
    )
    return FinishedRound(BOARD, seats)


@pytest.mark.parametrize(("quads", "cents", "words"), [("$10", 1000, "$10.00"), ("7", 700, "$7.00")])
def test_fcp_5_and_g_24_envy_is_paid_and_told(quads: str, cents: int, words: str) -> None:
    settler = Settler(find_game("four-card-prime"), envy_terms(quads))
    envious = settler.settle(round_of(QUADS, NOTHING), {FOUR: 0}).lines[2][FOUR]
    assert (cents, cents, None) == (envious.paid_cents, envious.envy_cents, envious.event)
    assert f"FCP Appendix E note 3 [FCP-5]: Envy: seat 1 has Quads, {words}" == said(envious.reasons)[-1]


def test_every_wager_is_read_with_the_cards_of_the_board_and_settled_once_for_the_same_facts() -> None:
    game = find_game("four-card-prime")
    boards: list[tuple[int, ...]] = []
    settlements: list[object] = []
    jackpot = game.by_name[FOUR]

    def read(hands: Hands, tables: Any) -> tuple[int, ...]:
        boards.append(tuple(hands.board))
        return jackpot.read(hands, tables)

    def settle(facts: Any, terms: Terms) -> Outcome:
        settlements.append(facts)
        return jackpot.settle(facts, terms)

    watched = replace(jackpot, read=read, settle=settle)
    watching = replace(game, wagers=tuple(watched if wager is jackpot else wager for wager in game.wagers))
    Settler(watching, envy_terms("$10")).settle(round_of(QUADS, NOTHING, "Jd Th 7c 4h 3s"), {FOUR: 0})
    assert {BOARD} == set(boards)
    assert 2 == len(settlements) == len(set(settlements))
