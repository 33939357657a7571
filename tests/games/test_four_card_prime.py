"""Four Card Prime against document 003, clause by clause: the main game."""

from __future__ import annotations

from typing import Any

import pytest

from tests.games import printed
from tests.support import cited, line, problems, record, seat, settled

GAME = "four-card-prime"
MAIN = "ante-raise"
LOW_DEALER = "2c 3d 5h 7s 9c Jd"  # jack high
ACES_DEALER = "Ac Ad Ah As 3d 4h"


def raised(
    cards: str, dealer: str = LOW_DEALER, raise_: int = 1, ante: int = 500, tables: tuple[Any, ...] = ("Win-1", "BB-1")
) -> dict[str, Any]:
    hand = seat(1, cards, {MAIN: ante}, raise_=raise_)
    return record(GAME, dealer, hand, paytables={MAIN: list(tables)})


def chips(round_record: dict[str, Any]) -> dict[str, tuple[int, int]]:
    """Staked and handed back, by chip."""
    return {chip.part: (chip.staked_cents, chip.paid_cents) for chip in line(round_record, MAIN).chips}


QUADS = "8c 8d 8h 8s Kc"
STRAIGHT_FLUSH = "Kh Qh Jh Th 2d"
TRIPS = "8c 8d 8h Kc Qs"
FLUSH = "Ks Qs 8s 4s 2d"
STRAIGHT = "Kc Qd Jh Ts 2s"
TWO_PAIR = "Kc Kd 8c 8d 4s"
PAIR = "Kc Kd 8c 6d 4s"
HIGH = "Ac Kd 8c 6d 4s"


# Rules 1 to 5


def test_fcp_rule_1_the_ante_is_required_for_every_other_wager() -> None:
    alone = record(GAME, LOW_DEALER, seat(1, QUADS, {"prime": 500}, raise_=0), paytables={"prime": ["Prime-1"]})
    assert ("FCP rule 1", "G-19") in [(problem.clause, problem.ruling) for problem in problems(alone)]


@pytest.mark.parametrize("cards", ["Ac Kd 8c 6d", "Ac Kd 8c 6d 4s 2s"])
def test_fcp_rule_2_each_player_has_five_cards(cards: str) -> None:
    (problem,) = problems(raised(cards))
    assert ("seat 1 cards", "FCP rule 2") == (problem.path, problem.clause)


@pytest.mark.parametrize("dealer", ["2c 3d 5h 7s 9c", "2c 3d 5h 7s 9c Jd Qd", "2c"])
def test_fcp_rule_2_the_dealer_has_six_cards(dealer: str) -> None:
    assert ["dealer"] == [problem.path for problem in problems(raised(HIGH, dealer))]


def test_fcp_introduction_one_deck_no_card_twice() -> None:
    assert ["cards"] == [problem.path for problem in problems(raised("Jd Kd 8c 6d 4s"))]
    assert ["decks"] == [problem.path for problem in problems({**raised(HIGH), "decks": 6})]


@pytest.mark.parametrize("cards", [QUADS, PAIR, HIGH])
def test_fcp_rule_3_a_fold_loses_the_ante(cards: str) -> None:
    folded = line(raised(cards, raise_=0), MAIN)
    assert (500, 0) == (folded.staked_cents, folded.paid_cents)
    assert "FCP rule 3" in cited(folded)
    assert folded.event is None


@pytest.mark.parametrize("multiple", [1, 2, 3])
@pytest.mark.parametrize("cards", [HIGH, PAIR, FLUSH])
def test_fcp_rule_4_fcp_2_the_raise_is_one_two_or_three_antes_on_any_hand(cards: str, multiple: int) -> None:
    won = line(raised(cards, raise_=multiple), MAIN)
    assert (500 + multiple * 500, 500 + multiple * 500) == (won.staked_cents, won.net_cents)


@pytest.mark.parametrize("multiple", [4, -1, 1.5, "2", True, None])
def test_fcp_rule_4_fcp_2_no_other_raise(multiple: Any) -> None:
    (problem,) = problems(raised(HIGH, raise_=multiple))
    assert ("seat 1 decisions.raise", "FCP rule 4", "FCP-2") == (problem.path, problem.clause, problem.ruling)


def test_fcp_rule_5_the_dealer_plays_the_highest_four_of_six() -> None:
    """Four clubs make a flush, but three nines are there as well and are higher."""
    assert -1000 == line(raised("Ks Qs 8s 4s 2d", "9c 9d 9h Kc Qc 2c"), MAIN).net_cents
    assert 1000 == line(raised("Ks Qs 8s 4s 2d", "9c 9d Jh Kc Qd 2c"), MAIN).net_cents


# Rule 6, FCP-1: the ranking, best first, each hand against the one below it

RANKING = [
    ("8c 8d 8h 8s Kc", "2c 2d 2h 2s Ks 4h"),
    ("Kh Qh Jh Th 7d", "As 2s 3s 4s 9c Jd"),
    ("Ac Ad Ah Kc Qs", "3c 3d 3h 8c 7d Ts"),
    ("As Ks Js 9s 2d", "2c 3c 4c 6c 9d Jd"),
    ("Ac Kd Qh Jc 2s", "Ah 2d 3h 4c 8d Ts"),
    ("Ac Ad Kc Kd 4s", "2c 2d 3h 3s Jd 8s"),
    ("As Ah Kh Qs 4s", "2c 2d 7h 9s Jd 5s"),
    ("Ac Kd Qh 9c 4s", "2h 3d 5c 7s 9d Jh"),
]


@pytest.mark.parametrize("index", range(7))
def test_fcp_rule_6_fcp_1_the_lowest_of_a_rank_beats_the_highest_of_the_next(index: int) -> None:
    dealer, player = RANKING[index][1], RANKING[index + 1][0]
    beaten = line(raised(player, dealer), MAIN)
    assert (0, 500) == (beaten.chips[1].paid_cents, beaten.chips[1].staked_cents)


@pytest.mark.parametrize("index", range(8))
def test_fcp_rule_6_fcp_1_the_highest_of_a_rank_beats_its_lowest(index: int) -> None:
    player, dealer = RANKING[index]
    won = line(raised(player, dealer), MAIN)
    assert 1000 == won.chips[1].paid_cents
    assert "FCP rule 6, copies" not in cited(won)


@pytest.mark.parametrize(
    ("player", "dealer"),
    [
        ("Ac Ad Kc Kd 4s", "Ah As Kh Ks 9c 7d"),  # two pair
        ("Ac Ad Kc Qd 2s", "Ah As Kh Qs 9c 7d"),  # a fifth card decides nothing: A-A-K-Q both
        ("Ac Kd Jh 9s 2s", "Ah Ks Jc 9d 7s 6c"),  # A-K-J-9 both
        ("Kc Qd Jh Tc 2s", "Kh Qs Jc Td 4s 2c"),  # straight
        ("Ks Qs Js Ts 2d", "Kh Qh Jh Th 4s 2c"),  # straight flush
        ("Ks Qs 8s 4s 2d", "Kh Qh 8h 4h 2c 3c"),  # flush
    ],
)
def test_fcp_rule_6_copies_win_for_the_player(player: str, dealer: str) -> None:
    won = line(raised(player, dealer), MAIN)
    assert 1000 == won.chips[1].paid_cents
    assert {"FCP rule 6, copies", "FCP-1"} <= cited(won)


@pytest.mark.parametrize(
    ("higher", "lower_dealer"),
    [
        ("2c 3d 4h 5s Ks", "Ac 2d 3h 4c 8d Td"),  # A-2-3-4 is the lowest straight (G-8)
        ("9c 9d 4h 3s 2s", "8c 8d Ah Kd Qs 7d"),  # the pair before the kickers (G-9)
        ("9c 9d Ah 3s 2s", "9h 9s Kh Qd Js 7d"),
        ("Kc Kd 2h 2s 4c", "Qc Qd Jh Js Ac 9d"),
    ],
)
def test_g_8_g_9_fcp_1_ranks_inside_a_category(higher: str, lower_dealer: str) -> None:
    assert 1000 == line(raised(higher, lower_dealer), MAIN).net_cents


# Rules 7 and 8, Appendix A, FCP-3


@pytest.mark.parametrize("cards", [FLUSH, STRAIGHT, TWO_PAIR, PAIR, "Jc Kd 8c 6d 4s"])
@pytest.mark.parametrize("multiple", [1, 3])
def test_fcp_rule_7_flush_or_lower_beaten_loses_ante_and_raise(cards: str, multiple: int) -> None:
    beaten = raised(cards, ACES_DEALER, multiple)
    assert {"Ante": (500, 0), "Raise": (multiple * 500, 0)} == chips(beaten)
    assert "FCP rule 7, flush or lower" in cited(line(beaten, MAIN))


@pytest.mark.parametrize("cards", [FLUSH, STRAIGHT, TWO_PAIR, PAIR, HIGH])
@pytest.mark.parametrize("multiple", [1, 2])
def test_fcp_rule_8_flush_or_lower_wins_even_money_on_ante_and_raise(cards: str, multiple: int) -> None:
    won = raised(cards, raise_=multiple)
    assert {"Ante": (500, 1000), "Raise": (multiple * 500, multiple * 1000)} == chips(won)
    assert {"FCP rule 8, flush or lower", "FCP Appendix A", "FCP-3"} <= cited(line(won, MAIN))


BONUS_HANDS = {"Any Quads": QUADS, "Any Straight Flush": STRAIGHT_FLUSH, "Any Trips": TRIPS}


@pytest.mark.parametrize(("event", "times"), [("Any Quads", 25), ("Any Straight Flush", 20), ("Any Trips", 2)])
@pytest.mark.parametrize("multiple", [1, 2, 3])
def test_fcp_rule_8_fcp_3_win_bonus_is_paid_on_the_ante_beside_even_money(
    event: str, times: int, multiple: int
) -> None:
    won = raised(BONUS_HANDS[event], raise_=multiple)
    assert {"Ante": (500, 1000 + times * 500), "Raise": (multiple * 500, multiple * 1000)} == chips(won)
    settled_line = line(won, MAIN)
    assert (event, "Win-1") == (settled_line.event, settled_line.paytable)
    assert {"FCP rule 8, Win Bonus", "FCP-3"} <= cited(settled_line)


@pytest.mark.parametrize(("table", "event", "cell"), printed.rows(GAME, MAIN, "BB"))
def test_fcp_appendix_a_every_row_of_the_bad_beat_bonus(table: str, event: str, cell: str) -> None:
    cards = BONUS_HANDS.get(event, FLUSH)
    beaten = raised(cards, ACES_DEALER, 2, tables=("Win-1", table))
    assert {"Ante": (500, printed.back_to_one(cell, 500)), "Raise": (1000, 0)} == chips(beaten)
    settled_line = line(beaten, MAIN)
    assert (event, table) == (settled_line.event, settled_line.paytable)
    if cell != "Loss":
        assert {"FCP rule 7, Bad Beat", "FCP Appendix A note 3", "FCP-3"} <= cited(settled_line)


@pytest.mark.parametrize(
    ("table", "cards", "ante_back"),
    [("BB-1", TRIPS, 1500), ("BB-2", TRIPS, 3000), ("BB-4", TRIPS, 5500), ("BB-3", QUADS, 50_500)],
)
def test_fcp_appendix_a_note_3_the_ante_remains_on_a_bad_beat(table: str, cards: str, ante_back: int) -> None:
    assert (500, ante_back) == chips(raised(cards, ACES_DEALER, 1, tables=("Win-1", table)))["Ante"]


def test_fcp_appendix_a_note_2_bad_beat_tables_apply_only_when_the_hand_loses() -> None:
    assert (500, 2000) == chips(raised(TRIPS, tables=("Win-1", "BB-4")))["Ante"]


def test_fcp_3_trips_beaten_by_a_straight_flush_higher_than_trips() -> None:
    assert {"Ante": (500, 1500), "Raise": (500, 0)} == chips(raised(TRIPS, "As 2s 3s 4s 9c Jd"))


def test_fcp_3_there_is_no_win_2() -> None:
    (problem,) = problems(raised(QUADS, tables=("Win-2", "BB-1")))
    assert "'Win-2' is no pay table" in problem.words


@pytest.mark.parametrize("tables", [("Win-1",), ("BB-1",), ("Win-1", "BB-1", "BB-2")])
def test_fcp_appendix_a_one_win_table_and_one_bad_beat_table(tables: tuple[str, ...]) -> None:
    assert ["paytables.ante-raise"] == [problem.path for problem in problems(raised(QUADS, tables=tables))]


def test_fcp_appendix_a_note_4_win_3_and_bb_5_are_set_by_the_operator() -> None:
    win = {
        "id": "Win-3",
        "pays": {"Any Quads": "30", "Any Straight Flush": "15", "Any Trips": "1.5", "Flush or less": "Push"},
    }
    beat = {
        "id": "BB-5",
        "pays": {"Any Quads": "60", "Any Straight Flush": "30", "Any Trips": "4", "Flush or less": "Loss"},
    }
    tables = (win, beat)
    assert (333, 333 * 2 + 499) == chips(raised(TRIPS, ante=333, tables=tables))["Ante"]
    assert (500, 1000 + 7500) == chips(raised(STRAIGHT_FLUSH, tables=tables))["Ante"]
    assert (500, 1000 + 15_000) == chips(raised(QUADS, tables=tables))["Ante"]
    assert (500, 1000) == chips(raised(FLUSH, tables=tables))["Ante"]
    assert (500, 500 + 2000) == chips(raised(TRIPS, ACES_DEALER, tables=tables))["Ante"]
    assert (500, 500 + 15_000) == chips(raised(STRAIGHT_FLUSH, ACES_DEALER, tables=tables))["Ante"]
    assert (500, 500 + 30_000) == chips(raised(QUADS, ACES_DEALER, tables=tables))["Ante"]
    assert (500, 0) == chips(raised(FLUSH, ACES_DEALER, tables=tables))["Ante"]


@pytest.mark.parametrize(
    "tables", [("Win-3", "BB-1"), ("Win-1", "BB-5"), ("Win-1", {"id": "BB-5", "pays": {"Any Quads": "5"}})]
)
def test_g_6_fcp_appendix_a_note_4_an_amount_that_is_not_set_is_refused(tables: tuple[Any, ...]) -> None:
    assert ["G-6"] == [problem.ruling for problem in problems(raised(QUADS, tables=tables))]


# Money and options


def test_fcp_four_options_g_12_five_wagers_are_refused() -> None:
    wagers = {MAIN: 500, "aces-baby": 100, "prime": 100, "five-card-jackpot": 100, "four-card-jackpot": 100}
    tables = {MAIN: ["Win-1", "BB-1"], "aces-baby": ["AB-1"], "prime": ["Prime-1"]}
    jackpots = {"five-card-jackpot": ["PJ-1"], "four-card-jackpot": ["FCJ-1"]}
    meters = {"five-card-jackpot": 100_000, "four-card-jackpot": 100_000}
    five = record(GAME, LOW_DEALER, seat(1, HIGH, wagers, raise_=1), paytables=tables | jackpots, meters=meters)
    assert ["G-12"] == [problem.ruling for problem in problems(five)]


@pytest.mark.parametrize(("ante", "legal"), [(13_333, True), (13_334, False)])
def test_g_14_fcp_three_times_the_ante_may_not_exceed_the_largest_wager(ante: int, legal: bool) -> None:
    large = {**raised(HIGH, ante=ante), "on": "2024-01-31", "profile": "wa-commercial"}
    if legal:
        assert 1 in settled(large).settlement.lines
    else:
        assert ["G-14"] == [problem.ruling for problem in problems(large)]
