"""Four Card Prime against document 003: the Five Card Jackpot, the Four Card Jackpot and its Envy."""

from __future__ import annotations

from typing import Any

import pytest

from pitboss.cards import parse_cards
from pitboss.games import find_game
from pitboss.rules import FinishedRound, FinishedSeat, JackpotPayment, Settlement, Stated, make_terms, settle_round
from tests.games import printed
from tests.support import cited, line, problems, record, seat, settled

GAME = "four-card-prime"
MAIN = "ante-raise"
FIVE = "five-card-jackpot"
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


# Appendix D: Five Card Jackpot

FIVE_HANDS = {
    "Five-card Royal Flush": "Ah Kh Qh Jh Th",
    "Five-card Straight Flush": "Kh Qh Jh Th 9h",
    "Four of a kind": QUADS,
    "Full House": "Kc Kd Kh 8c 8d",
    "Five-card Flush": "Kh Qh 8h 4h 2h",
    "Five-card Straight": "Kc Qd Jh Ts 9s",
    "Three of a kind": TRIPS,
    "two pairs & less": "Kc Kd 8c 8d 4s",
}


@pytest.mark.parametrize(("table", "event", "cell"), printed.rows(GAME, FIVE))
def test_fcp_appendix_d_every_row_of_the_five_card_jackpot(table: str, event: str, cell: str) -> None:
    settled_line = line(one(FIVE_HANDS[event], FIVE, table), FIVE)
    assert (event, table) == (settled_line.event, settled_line.paytable)
    assert printed.for_one(cell, METER) == settled_line.paid_cents
    assert {"FCP Appendix D", "FCP Appendix D note 1", "G-1"} <= cited(settled_line)


@pytest.mark.parametrize(
    ("table", "event", "paid"),
    [
        ("PJ-1", "Five-card Royal Flush", 1_234_567),
        ("PJ-1", "Five-card Straight Flush", 123_456),  # 10 % of a meter with an odd end is rounded down (G-3)
        ("PJ-3", "Five-card Straight Flush", 100_000),
        ("PJ-2", "Four of a kind", 50_000),
        ("PJ-4", "Three of a kind", 700),
        ("PJ-1", "two pairs & less", 0),
    ],
)
def test_fcp_appendix_d_by_hand(table: str, event: str, paid: int) -> None:
    assert paid == line(one(FIVE_HANDS[event], FIVE, table), FIVE).paid_cents


@pytest.mark.parametrize(
    ("cards", "event"),
    [
        ("Ah 2d 3h 4h 5h", "Five-card Straight"),
        ("Ah 2h 3h 4h 5h", "Five-card Straight Flush"),
        ("Ah Kh Qh Jh 9h", "Five-card Flush"),  # four to a royal count for nothing here
        ("Ah Kh Qh Jh 2d", "two pairs & less"),
    ],
)
def test_fcp_five_card_jackpot_all_five_cards_count(cards: str, event: str) -> None:
    assert event == line(one(cards, FIVE, "PJ-1"), FIVE).event


def test_fcp_appendix_d_note_2_only_the_highest_is_paid() -> None:
    settled_line = line(one(FIVE_HANDS["Five-card Royal Flush"], FIVE, "PJ-1"), FIVE)
    assert METER == settled_line.paid_cents
    assert {"FCP Appendix D note 2", "G-2", "G-4"} <= cited(settled_line)


@pytest.mark.parametrize("raise_", [0, 3])
def test_fcp_appendix_d_note_3_the_five_card_jackpot_is_independent_of_the_main_game(raise_: int) -> None:
    assert 20_000 == line(one(QUADS, FIVE, "PJ-1", raise_=raise_), FIVE).paid_cents


def test_fcp_appendix_d_note_4_a_percentage_is_divided_equally() -> None:
    hands = [in_it(1, "Ah Kh Qh Jh Th", FIVE), in_it(2, "As Ks Qs Js Ts", FIVE), in_it(3, NOTHING.replace("Qs", "Qd"), FIVE)]
    done = settled(several(FIVE, "PJ-1", *hands))
    assert [617_283, 617_283, 0] == [done.settlement.lines[number][FIVE].paid_cents for number in (1, 2, 3)]
    assert {FIVE: JackpotPayment(1_234_566, 0, 1)} == done.settlement.jackpots


def test_g_4_fcp_two_levels_in_one_round_are_each_paid_on_the_displayed_amount() -> None:
    """100 % and 10 %: what the fund cannot cover, the house covers."""
    hands = [in_it(1, "Ah Kh Qh Jh Th", FIVE), in_it(2, "Ks Qs Js Ts 9s", FIVE)]
    done = settled(several(FIVE, "PJ-1", *hands))
    assert [METER, 123_456] == [done.settlement.lines[number][FIVE].paid_cents for number in (1, 2)]
    assert {FIVE: JackpotPayment(METER, 123_456, 0)} == done.settlement.jackpots


def test_g_5_fcp_appendix_d_note_5_fixed_prizes_are_not_taken_from_the_meter() -> None:
    assert {} == settled(one(QUADS, FIVE, "PJ-1")).settlement.jackpots


@pytest.mark.parametrize(
    ("sharing", "each", "odd"), [({}, METER, 0), ({"bonus_sharing": "full"}, METER, 0), ({"bonus_sharing": "split"}, 617_283, 1)]
)
def test_g_4_fcp_a_bonus_jackpot_is_paid_by_the_house_in_full_or_split(sharing: dict[str, str], each: int, odd: int) -> None:
    hands = [in_it(1, "Ah Kh Qh Jh Th", FIVE), in_it(2, "As Ks Qs Js Ts", FIVE)]
    done = settled(several(FIVE, "PJ-1", *hands, jackpot_type="bonus", **sharing))
    assert [each, each] == [done.settlement.lines[number][FIVE].paid_cents for number in (1, 2)]
    assert {FIVE: JackpotPayment(0, 2 * each, odd)} == done.settlement.jackpots


def test_fcp_appendix_d_note_6_pj_5_is_set_by_the_operator() -> None:
    amounts = ["80%", "$2,500", "$300", "75", "$20", "$10", "$5", "$0"]
    table = {"id": "PJ-5", "pays": dict(zip(FIVE_HANDS, amounts, strict=True))}
    paid = [line(one(cards, FIVE, table), FIVE).paid_cents for cards in FIVE_HANDS.values()]
    assert [987_653, 250_000, 30_000, 7_500, 2_000, 1_000, 500, 0] == paid


@pytest.mark.parametrize(
    "pays",
    [
        {},
        {"Five-card Royal Flush": "$5,000"},  # Jackpot: a percentage of the meter
        {"Five-card Straight Flush": "10%"},  # Bonus: a fixed payout
        {"Three of a kind": "$0"},  # no sister table loses there
        {"Three of a kind": "$11"},  # more than the row above
    ],
)
def test_g_6_fcp_appendix_d_note_6_what_pj_5_may_not_be(pays: dict[str, str]) -> None:
    amounts = ["80%", "$2,500", "$300", "$75", "$20", "$10", "$5", "$0"]
    stated = {**dict(zip(FIVE_HANDS, amounts, strict=True)), **pays} if pays else {}
    found = problems(one(QUADS, FIVE, {"id": "PJ-5", "pays": stated}))
    assert {"G-6"} == {problem.ruling for problem in found}


@pytest.mark.parametrize("wager", [FIVE, FOUR])
def test_fcp_appendix_d_note_9_appendix_e_note_10_g_7_one_dollar_only(wager: str) -> None:
    table = {FIVE: "PJ-1", FOUR: "FCJ-1"}[wager]
    two = several(wager, table, seat(1, QUADS, {MAIN: 500, wager: 200}, raise_=1))
    assert ["G-7"] == [problem.ruling for problem in problems(two)]
    assert {"G-7"} == {problem.ruling for problem in problems({**two, "jackpot_wager_cents": 200})}


def test_g_13_fcp_both_jackpots_may_be_played_together() -> None:
    hand = seat(1, FOUR_ACES, {MAIN: 500, FIVE: 100, FOUR: 100}, raise_=1)
    tables = {MAIN: ["Win-1", "BB-1"], FIVE: ["PJ-1"], FOUR: ["FCJ-1"]}
    done = settled(record(GAME, DEALER, hand, paytables=tables, meters={FIVE: 900_000, FOUR: 50_000}))
    assert (20_000, 50_000) == tuple(done.settlement.lines[1][name].paid_cents for name in (FIVE, FOUR))
    assert {FOUR: JackpotPayment(50_000, 0, 0)} == done.settlement.jackpots


# Appendix E: Four Card Jackpot

FOUR_HANDS = {"Four Aces": FOUR_ACES, "Quads": QUADS, "Straight Flush": STRAIGHT_FLUSH, "Trips": TRIPS}


@pytest.mark.parametrize(("table", "event", "cell"), printed.rows(GAME, FOUR))
def test_fcp_appendix_e_every_row_of_the_four_card_jackpot(table: str, event: str, cell: str) -> None:
    settled_line = line(one(FOUR_HANDS[event], FOUR, table), FOUR)
    assert (event, table) == (settled_line.event, settled_line.paytable)
    assert (printed.for_one(cell, METER), 0) == (settled_line.paid_cents, settled_line.envy_cents)
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


@pytest.mark.parametrize(("readings", "envy"), [({}, 1_000), ({"envy_trigger": "any_hand"}, 1_000), ({"envy_trigger": "wagered"}, 0)])
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
    terms, found = make_terms(game, Stated(paytables=stated, readings={"envy_trigger": trigger}))
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
        assert settled(several(FOUR, table, in_it(1, QUADS), jackpot_type=jackpot_type))


def test_g_6_fcj_3_without_envy_amounts_is_refused() -> None:
    silent = {"id": "FCJ-3", "pays": FCJ_3["pays"]}
    found = problems(several(FOUR, silent, in_it(1, QUADS), jackpot_type="bonus"))
    assert ["G-6"] == [problem.ruling for problem in found]


def test_g_6_fcj_3_has_no_envy_on_trips() -> None:
    table = {**FCJ_3, "envy": {**FCJ_3["envy"], "Trips": "$1"}}  # type: ignore[dict-item]
    found = problems(several(FOUR, table, in_it(1, QUADS), jackpot_type="bonus"))
    assert ["G-6"] == [problem.ruling for problem in found]
