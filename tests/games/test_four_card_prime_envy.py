"""Four Card Prime against document 003: the Four Card Jackpot and its Envy."""

from __future__ import annotations

from typing import Any

import pytest

from pitboss.cards import parse_cards
from pitboss.games import find_game
from pitboss.rules import FinishedRound, FinishedSeat, JackpotPayment, Settlement, TermsInput, make_terms
from pitboss.rules.settlement import settle_round
from tests.games import printed
from tests.support import cited, line, problems, record, seat, settled

GAME = "four-card-prime"
MAIN = "ante-raise"
FOUR = "four-card-jackpot"
DEALER = "2c 3d 5c 7s 9c Jd"
METER = 1_234_567

QUADS = "8c 8d 8h 8s Kc"
FOUR_ACES = "Ac Ad Ah As Kd"
STRAIGHT_FLUSH = "Kh Qh Jh Th 2d"
TRIPS = "6c 6d 6h Qc 2s"
NOTHING = "Kc Qs 7d 4s 2h"


def one(cards: str, wager: str, table: Any, **fields: Any) -> dict[str, Any]:
    hand = seat(1, cards, {MAIN: 500, wager: 100}, raise_=fields.pop("raise_", 1))
    paytables = {MAIN: ["Win-1", "BB-1"], wager: [table]}
    return record(GAME, DEALER, hand, **{"paytables": paytables, "meters": {wager: METER}, **fields})


def several(wager: str, table: Any, *hands: dict[str, Any], **fields: Any) -> dict[str, Any]:
    paytables = {MAIN: ["Win-1", "BB-1"], wager: [table]}
    return record(GAME, DEALER, *hands, **{"paytables": paytables, "meters": {wager: METER}, **fields})


def in_it(number: int, cards: str, wager: str = FOUR, raise_: int = 1) -> dict[str, Any]:
    return seat(number, cards, {MAIN: 500, wager: 100}, raise_=raise_)


def out_of_it(number: int, cards: str, raise_: int = 1) -> dict[str, Any]:
    return seat(number, cards, {MAIN: 500}, raise_=raise_)


# Appendix E: Four Card Jackpot

FOUR_HANDS = {"Four Aces": FOUR_ACES, "Quads": QUADS, "Straight Flush": STRAIGHT_FLUSH, "Trips": TRIPS}


@pytest.mark.parametrize(("table", "event", "cell"), printed.rows(GAME, FOUR))
def test_fcp_appendix_e_every_row_of_the_four_card_jackpot(table: str, event: str, cell: str) -> None:
    settled_line = line(one(FOUR_HANDS[event], FOUR, table), FOUR)
    assert (event, table) == (settled_line.event, settled_line.paytable)
    assert (printed.prize_for_one(cell, 100, METER), 0) == (settled_line.paid_cents, settled_line.envy_cents)
    assert {"FCP Appendix E", "FCP Appendix E note 1", "FCP Appendix E note 2"} <= cited(settled_line)


@pytest.mark.parametrize(
    ("cards", "event", "paid"),
    [
        ("Ah Kh Qh Jh 2d", "Straight Flush", 10_000),  # a royal is a straight flush here
        ("Ah 2h 3h 4h 8d", "Straight Flush", 10_000),
        ("Ac Ad Ah Kd Ks", "Trips", 900),
        ("Ks Qs 8s 4s 2s", None, 0),  # a flush is too little
        (NOTHING, None, 0),
    ],
)
def test_fcp_appendix_e_note_2_the_players_four_card_hand(cards: str, event: str | None, paid: int) -> None:
    settled_line = line(one(cards, FOUR, "FCJ-1"), FOUR)
    assert (event, paid) == (settled_line.event, settled_line.paid_cents)
    assert "FCP Appendix E note 2" in cited(settled_line)


@pytest.mark.parametrize("raise_", [0, 1])
def test_fcp_appendix_e_note_4_the_four_card_jackpot_is_independent_of_the_main_game(raise_: int) -> None:
    assert 30_000 == line(one(QUADS, FOUR, "FCJ-1", raise_=raise_), FOUR).paid_cents


def test_fcp_appendix_e_note_5_only_the_highest_is_paid() -> None:
    settled_line = line(one(FOUR_ACES, FOUR, "FCJ-1", meters={FOUR: 5_000}), FOUR)
    assert ("Four Aces", 5_000) == (settled_line.event, settled_line.paid_cents)
    assert {"FCP Appendix E note 5", "G-2"} <= cited(settled_line)


# Envy


ENVY = {
    ("FCJ-1", FOUR_ACES): 10_000,
    ("FCJ-1", QUADS): 1_000,
    ("FCJ-1", STRAIGHT_FLUSH): 500,
    ("FCJ-1", TRIPS): 0,
    ("FCJ-2", FOUR_ACES): 10_000,
    ("FCJ-2", QUADS): 2_500,
    ("FCJ-2", STRAIGHT_FLUSH): 0,
    ("FCJ-2", TRIPS): 0,
}


@pytest.mark.parametrize(("table", "cards"), ENVY)
def test_fcp_5_every_envy_cell(table: str, cards: str) -> None:
    loser = NOTHING.replace("Kc", "9s").replace("Qs", "Jc").replace("2h", "3h")
    settled_line = line(several(FOUR, table, in_it(1, cards), in_it(2, loser)), FOUR, 2)
    envy = ENVY[table, cards]
    assert (None, envy, envy) == (settled_line.event, settled_line.paid_cents, settled_line.envy_cents)
    if envy:
        assert {"FCP Appendix E note 3", "FCP-5"} <= cited(settled_line)


def test_fcp_appendix_e_note_3_all_participating_players_except_the_one_with_the_event() -> None:
    losers = ["Jc Ts 7d 4s 2h", "Qs Jh 7c 4c 3h", "Qd Th 7h 4d 3c"]
    hands = [in_it(1, QUADS), in_it(2, losers[0]), in_it(3, losers[1]), out_of_it(4, losers[2])]
    lines = settled(several(FOUR, "FCJ-1", *hands)).settlement.lines
    assert (30_000, 0) == (lines[1][FOUR].paid_cents, lines[1][FOUR].envy_cents)
    assert [1_000, 1_000] == [lines[number][FOUR].envy_cents for number in (2, 3)]
    assert [MAIN] == list(lines[4])


def test_fcp_5_one_envy_prize_per_event_four_aces_are_not_quads_besides() -> None:
    settled_line = line(several(FOUR, "FCJ-1", in_it(1, FOUR_ACES), in_it(2, "Jc Ts 7d 4s 2h")), FOUR, 2)
    assert 10_000 == settled_line.envy_cents


def test_fcp_appendix_e_note_5_multiple_envy_payouts_beside_the_own_prize() -> None:
    hands = [in_it(1, QUADS), in_it(2, STRAIGHT_FLUSH), in_it(3, TRIPS.replace("Qc", "Qd")), in_it(4, "Jc Ts 7d 4s 3h")]
    lines = settled(several(FOUR, "FCJ-1", *hands)).settlement.lines
    assert [500, 1_000, 1_500, 1_500] == [lines[number][FOUR].envy_cents for number in (1, 2, 3, 4)]
    assert [30_500, 11_000, 2_400, 1_500] == [lines[number][FOUR].paid_cents for number in (1, 2, 3, 4)]


def test_fcp_5_two_events_of_the_same_row_are_two_envy_prizes() -> None:
    hands = [in_it(1, QUADS), in_it(2, "6c 6d 6h 6s Qc"), in_it(3, "Jc Ts 7d 4s 3h")]
    lines = settled(several(FOUR, "FCJ-2", *hands)).settlement.lines
    assert [2_500, 2_500, 5_000] == [lines[number][FOUR].envy_cents for number in (1, 2, 3)]


@pytest.mark.parametrize(
    ("readings", "envy"), [({}, 1_000), ({"envy_trigger": "any_hand"}, 1_000), ({"envy_trigger": "wagered"}, 0)]
)
@pytest.mark.parametrize("raise_", [0, 1])
def test_fcp_5_envy_trigger_a_hand_without_the_wager(readings: dict[str, str], envy: int, raise_: int) -> None:
    hands = [out_of_it(1, QUADS, raise_), in_it(2, "Jc Ts 7d 4s 2h")]
    settled_line = line(several(FOUR, "FCJ-1", *hands, readings=readings), FOUR, 2)
    assert (envy, envy) == (settled_line.paid_cents, settled_line.envy_cents)


@pytest.mark.parametrize("trigger", ["any_hand", "wagered"])
@pytest.mark.parametrize("raise_", [0, 1])
def test_fcp_5_envy_trigger_a_hand_with_the_wager_folded_or_not(trigger: str, raise_: int) -> None:
    hands = [in_it(1, QUADS, raise_=raise_), in_it(2, "Jc Ts 7d 4s 2h")]
    settled_line = line(several(FOUR, "FCJ-1", *hands, readings={"envy_trigger": trigger}), FOUR, 2)
    assert 1_000 == settled_line.envy_cents


def test_fcp_5_no_other_reading() -> None:
    odd = several(FOUR, "FCJ-1", in_it(1, QUADS), readings={"envy_trigger": "never"})
    assert ["FCP-5"] == [problem.ruling for problem in problems(odd)]


def settle_persons(persons: dict[int, str | None], cards: dict[int, str], trigger: str = "any_hand") -> Settlement:
    """Settle seats of these persons, each with the Four Card Jackpot wager."""
    game = find_game(GAME)
    stated = {MAIN: ["Win-1", "BB-1"], FOUR: ["FCJ-1"]}
    terms, found = make_terms(game, TermsInput(paytables=stated, readings={"envy_trigger": trigger}))
    assert () == found
    seats = tuple(
        FinishedSeat(number, {MAIN: 500, FOUR: 100}, parse_cards(cards[number]), (1,), persons[number])
        for number in cards
    )
    return settle_round(game, terms, FinishedRound(parse_cards(DEALER), seats), {FOUR: METER})


@pytest.mark.parametrize("trigger", ["any_hand", "wagered"])
def test_fcp_5_one_person_on_two_seats_is_never_paid_envy_by_himself(trigger: str) -> None:
    cards = {1: QUADS, 2: "Jc Ts 7d 4s 2h", 3: "Qs Jh 7c 4c 3h"}
    lines = settle_persons({1: "Ann", 2: "Ann", 3: "Bob"}, cards, trigger).lines
    assert [0, 0, 1_000] == [lines[number][FOUR].envy_cents for number in (1, 2, 3)]


def test_fcp_5_one_person_on_two_seats_is_paid_envy_by_others_on_both() -> None:
    cards = {1: QUADS, 2: "Jc Ts 7d 4s 3h", 3: STRAIGHT_FLUSH}
    lines = settle_persons({1: "Ann", 2: "Ann", 3: "Bob"}, cards).lines
    assert [500, 500, 1_000] == [lines[number][FOUR].envy_cents for number in (1, 2, 3)]


def test_fcp_5_seats_without_a_name_are_different_persons() -> None:
    lines = settle_persons({1: None, 2: None}, {1: QUADS, 2: "Jc Ts 7d 4s 2h"}).lines
    assert [0, 1_000] == [lines[number][FOUR].envy_cents for number in (1, 2)]


def test_fcp_5_g_5_envy_is_paid_by_the_house_beside_the_meter() -> None:
    done = settled(several(FOUR, "FCJ-1", in_it(1, FOUR_ACES), in_it(2, "Jc Ts 7d 4s 2h")))
    assert {FOUR: JackpotPayment(METER, 0, 0)} == done.settlement.jackpots
    assert (METER, 10_000) == tuple(done.settlement.lines[number][FOUR].paid_cents for number in (1, 2))


# FCJ-3, FCP-6

FCJ_3 = {
    "id": "FCJ-3",
    "pays": {"Four Aces": "50%", "Quads": "$250", "Straight Flush": "$90", "Trips": "$12"},
    "envy": {"Four Aces": "$75", "Quads": "$20", "Straight Flush": "-"},
}


@pytest.mark.parametrize(
    ("cards", "paid", "envy"),
    [(FOUR_ACES, 617_283, 7_500), (QUADS, 25_000, 2_000), (STRAIGHT_FLUSH, 9_000, 0), (TRIPS, 1_200, 0)],
)
def test_fcp_appendix_e_note_8_fcj_3_is_set_by_the_operator(cards: str, paid: int, envy: int) -> None:
    hands = (in_it(1, cards), in_it(2, "Jc Ts 7d 4s 3h"))
    lines = settled(several(FOUR, FCJ_3, *hands, jackpot_type="bonus")).settlement.lines
    assert (paid, envy) == (lines[1][FOUR].paid_cents, lines[2][FOUR].envy_cents)


def test_fcp_6_appendix_e_note_8_fcj_3_is_for_a_bonus_jackpot_only() -> None:
    (problem,) = problems(several(FOUR, FCJ_3, in_it(1, QUADS), jackpot_type="progressive"))
    assert ("FCP Appendix E note 8", "FCP-6") == (problem.clause, problem.ruling)


@pytest.mark.parametrize("table", ["FCJ-1", "FCJ-2"])
def test_fcp_6_the_other_two_may_be_either(table: str) -> None:
    for jackpot_type in ("progressive", "bonus"):
        assert 1 in settled(several(FOUR, table, in_it(1, QUADS), jackpot_type=jackpot_type)).settlement.lines


def test_g_6_fcj_3_without_envy_amounts_is_refused() -> None:
    silent = {"id": "FCJ-3", "pays": FCJ_3["pays"]}
    found = problems(several(FOUR, silent, in_it(1, QUADS), jackpot_type="bonus"))
    assert ["G-6"] == [problem.ruling for problem in found]


def test_g_6_fcj_3_has_no_envy_on_trips() -> None:
    table = {**FCJ_3, "envy": {**FCJ_3["envy"], "Trips": "$1"}}  # type: ignore[dict-item]
    found = problems(several(FOUR, table, in_it(1, QUADS), jackpot_type="bonus"))
    assert ["G-6"] == [problem.ruling for problem in found]
