"""Three Card Prime, rules 1 to 5 and Appendix A: the Ante, the Play wager and who decides what."""

from __future__ import annotations

from itertools import pairwise
from typing import Any

import pytest

from pitboss.games import find_game
from pitboss.rules import CardPlace, Face, StageKind, TermsInput, make_terms
from tests.games.printed import back_to_one, ids_of, printed
from tests.support import cited, line, problems, record, seat

ANTE = 1000
STAKED = 2 * ANTE
QUEEN_HIGH = "Qd 7c 2h"
JACK_HIGH = "Jd 7c 2h"

Record = dict[str, Any]


def played(player: str, dealer: str, bad_beat: str = "PW/BB-1", **readings: str) -> Record:
    """One seat that plays ten dollars of Ante; the player's three cards and a fourth that matters to nothing here."""
    fourth = next(card for card in ("3c", "3d", "4c") if card not in f"{player} {dealer}")
    one = seat(1, f"{player} {fourth}", {"ante-play": ANTE}, play=True)
    return record("three-card-prime", dealer, one, paytables={"ante-play": [bad_beat]}, readings=readings)


def paid(player: str, dealer: str, bad_beat: str = "PW/BB-1", **readings: str) -> int:
    return line(played(player, dealer, bad_beat, **readings), "ante-play").paid_cents


def chips(round_record: Record) -> dict[str, tuple[int, int]]:
    """Chip to what was staked and what is handed back."""
    return {chip.part: (chip.staked_cents, chip.paid_cents) for chip in line(round_record, "ante-play").chips}


# Rule 1


def test_tcp_rule_1_every_player_makes_an_ante_wager() -> None:
    one = seat(1, "As Ks Qs 4d", {"prime": 500}, play=True)
    found = problems(record("three-card-prime", QUEEN_HIGH, one, paytables={"prime": ["PRW-1"]}))

    assert [("TCP rule 1", "G-19")] == [(problem.clause, problem.ruling) for problem in found]


@pytest.mark.parametrize("cards", ["As Ks Qs", "As Ks Qs 4d 5d"])
def test_tcp_rule_1_every_player_receives_four_cards(cards: str) -> None:
    one = seat(1, cards, {"ante-play": ANTE}, play=True)
    found = problems(record("three-card-prime", QUEEN_HIGH, one, paytables={"ante-play": ["PW/BB-1"]}))

    assert [("seat 1 cards", "TCP rule 1")] == [(problem.path, problem.clause) for problem in found]


@pytest.mark.parametrize("dealer", ["Qd 7c", "Qd 7c 2h 9s"])
def test_tcp_rule_1_the_dealer_uses_three_of_four_cards_the_bottom_one_is_discarded(dealer: str) -> None:
    assert ["dealer"] == [problem.path for problem in problems(played("As Ks Qs", dealer))]


def test_tcp_rule_1_no_player_may_inspect_the_fourth_card() -> None:
    deal = next(stage for stage in find_game("three-card-prime").stages if stage.kind is StageKind.DEAL)

    assert (Face.OWN, Face.OWN, Face.OWN, Face.UNSEEN) == deal.faces


def test_tcp_11_the_dealers_fourth_card_is_discarded_unseen() -> None:
    (discard,) = [stage for stage in find_game("three-card-prime").stages if stage.who is CardPlace.DISCARD]

    assert (Face.UNSEEN,) == discard.faces


def test_tcp_rule_1_the_fourth_card_is_no_part_of_the_hand() -> None:
    one = seat(1, "Kc Kd 4s Ks", {"ante-play": ANTE}, play=True)
    round_record = record("three-card-prime", "Ad Ac 5h", one, paytables={"ante-play": ["PW/BB-1"]})

    assert 0 == line(round_record, "ante-play").paid_cents


def test_tcp_rule_3_the_dealer_reveals_after_all_players_have_acted() -> None:
    kinds = [(stage.kind, stage.who) for stage in find_game("three-card-prime").stages]

    assert kinds.index((StageKind.DECIDE, CardPlace.SEATS)) < kinds.index((StageKind.SHOW, CardPlace.BOARD))


# Rule 2


@pytest.mark.parametrize("decisions", [{}, {"play": None}, {"play": "yes"}, {"play": 1}])
def test_tcp_rule_2_each_player_must_decide_to_fold_or_play(decisions: Record) -> None:
    one = seat(1, "As Ks Qs 4d", {"ante-play": ANTE}, **decisions)
    found = problems(record("three-card-prime", QUEEN_HIGH, one, paytables={"ante-play": ["PW/BB-1"]}))

    assert [("seat 1 decisions.play", "TCP rule 2")] == [(problem.path, problem.clause) for problem in found]


def test_tcp_rule_2_the_play_wager_equals_the_ante() -> None:
    assert {"Ante": (1000, 2000), "Play": (1000, 2000)} == chips(played("Ks 9d 4h", QUEEN_HIGH))


@pytest.mark.parametrize("dealer", [QUEEN_HIGH, JACK_HIGH, "Ad Ac 5h"])
def test_tcp_rule_2_a_folded_hand_loses_its_ante_whatever_the_dealer_has(dealer: str) -> None:
    one = seat(1, "As Ks Qs 4d", {"ante-play": ANTE}, play=False)
    folded = line(record("three-card-prime", dealer, one, paytables={"ante-play": ["PW/BB-1"]}), "ante-play")

    assert (1000, 0, -1000, None) == (folded.staked_cents, folded.paid_cents, folded.net_cents, folded.event)
    assert {"TCP rule 2"} == cited(folded)


# Rules 3 and 4: the qualifier and the Ante


@pytest.mark.parametrize("dealer", ["Qd 7c 2h", "Qd Jc 9h", "Kd 3c 2h", "Ad 4c 2h", "2d 2c 3h", "4d 3c 2h", "8d 5d 3d"])
def test_tcp_2_the_dealer_qualifies_with_queen_high_or_better(dealer: str) -> None:
    round_record = played("As Ks Qs", dealer)

    assert {"Ante": (1000, 2000), "Play": (1000, 11_000)} == chips(round_record)
    assert "TCP-2" not in cited(line(round_record, "ante-play"))


@pytest.mark.parametrize("dealer", ["Jd Tc 8h", "Jd 3c 2h", "5d 3c 2h", "Td 9c 7h"])
def test_tcp_2_the_dealer_does_not_qualify_below_queen_high_and_the_ante_pushes(dealer: str) -> None:
    round_record = played("As Ks Qs", dealer)

    assert (1000, 1000) == chips(round_record)["Ante"]
    assert {"TCP rule 4, not qualified", "TCP-2"} <= cited(line(round_record, "ante-play"))


@pytest.mark.parametrize("player", ["Ks 9d 4h", "Ks 9s 4s", "9s 8d 6h", "3h 2s 5d"])
def test_tcp_rule_4_the_ante_pushes_automatically_whatever_the_player_has(player: str) -> None:
    assert (1000, 1000) == chips(played(player, "Jd 7c 2c"))["Ante"]


def test_tcp_rule_4_a_higher_hand_is_paid_even_money_on_the_ante() -> None:
    round_record = played("Ks 9d 4h", QUEEN_HIGH)

    assert (1000, 2000) == chips(round_record)["Ante"]
    assert "TCP rule 4, equal or higher" in cited(line(round_record, "ante-play"))
    assert "TCP-6" not in cited(line(round_record, "ante-play"))


def test_tcp_rule_4_a_lower_hand_loses_the_ante() -> None:
    round_record = played("Js 9d 4h", QUEEN_HIGH)

    assert (1000, 0) == chips(round_record)["Ante"]
    assert "TCP rule 4, lower" in cited(line(round_record, "ante-play"))


# Rule 5 and Appendix A: the Play wager


@pytest.mark.parametrize("player", ["Ks 9s 4s", "9s 9d 4h", "Ks 9d 4h"])
def test_tcp_rule_5_flush_or_lower_wins_even_money(player: str) -> None:
    won = line(played(player, QUEEN_HIGH), "ante-play")

    assert (4000, "Flush and lower", "Win-or-Copy") == (won.paid_cents, won.event, won.paytable)
    assert "TCP rule 5, flush or lower, equal or greater" in cited(won)


@pytest.mark.parametrize(
    ("player", "dealer"), [("Ks 9s 4s", "Ad 9d 4d"), ("9s 9d 4h", "Td Tc 2h"), ("Js 9d 4h", QUEEN_HIGH)]
)
def test_tcp_rule_5_flush_or_lower_loses_when_beaten(player: str, dealer: str) -> None:
    lost = line(played(player, dealer), "ante-play")

    assert (2000, 0, "Flush and lower", "PW/BB-1") == (lost.staked_cents, lost.paid_cents, lost.event, lost.paytable)
    assert "TCP rule 5, flush or lower, lower" in cited(lost)


WINNING = {
    "Mini-Royal": "As Ks Qs",
    "Straight Flush": "9s 8s 7s",
    "Trips": "7s 7d 7h",
    "Straight": "9s 8d 7h",
    "Flush and lower": "Ks 9s 4s",
}
BEATEN = {
    "Straight Flush": ("9s 8s 7s", "Jd Td 9d"),
    "Trips": ("7s 7d 7h", "9s 9d 9h"),
    "Straight": ("9s 8d 7h", "Td 9c 8h"),
}


@pytest.mark.parametrize(("event", "player"), WINNING.items())
def test_tcp_appendix_a_win_or_copy_pays_every_row(event: str, player: str) -> None:
    won = line(played(player, "Qd 6c 2h"), "ante-play")
    expected = 2 * ANTE + back_to_one(printed("Win-or-Copy", event), ANTE)

    assert (event, expected, STAKED) == (won.event, won.paid_cents, won.staked_cents)


@pytest.mark.parametrize(
    ("player", "expected"),
    [("As Ks Qs", 13_000), ("9s 8s 7s", 9000), ("7s 7d 7h", 8000), ("9s 8d 7h", 5000), ("Ks 9s 4s", 4000)],
)
def test_tcp_rule_5_straight_or_better_is_paid_by_win_or_copy(player: str, expected: int) -> None:
    """Ten dollars on each: even money on the Ante, and 10, 6, 5, 2 or 1 to 1 on the Play wager."""
    assert expected == paid(player, "Qd 6c 2h")


@pytest.mark.parametrize("bad_beat", ids_of("PW/BB"))
@pytest.mark.parametrize("event", BEATEN)
def test_tcp_rule_5_bad_beat_pays_every_row_of_every_table(bad_beat: str, event: str) -> None:
    player, dealer = BEATEN[event]
    lost = line(played(player, dealer, bad_beat, bad_beat_flush_or_lower="loses"), "ante-play")

    assert (event, back_to_one(printed(bad_beat, event), ANTE)) == (lost.event, lost.paid_cents)
    assert bad_beat == lost.paytable


@pytest.mark.parametrize(
    ("bad_beat", "expected"), [("PW/BB-1", 13_000), ("PW/BB-2", 13_000), ("PW/BB-3", 7000), ("PW/BB-4", 7000)]
)
def test_tcp_5_a_beaten_straight_flush_loses_the_ante_and_is_paid_on_play(bad_beat: str, expected: int) -> None:
    round_record = played("9s 8s 7s", "Jd Td 9d", bad_beat)

    assert {"Ante": (1000, 0), "Play": (1000, expected)} == chips(round_record)
    assert {"TCP rule 4, lower", "TCP rule 5, Bad Beat", "TCP-5"} <= cited(line(round_record, "ante-play"))


def test_tcp_appendix_a_note_3_a_mini_royal_can_only_win_or_copy() -> None:
    copied = line(played("As Ks Qs", "Ad Kd Qd"), "ante-play")

    assert (13_000, "Mini-Royal", "Win-or-Copy") == (copied.paid_cents, copied.event, copied.paytable)
    assert "TCP-6" in cited(copied)


def test_tcp_appendix_a_note_3_the_mini_royals_bad_beat_cell_takes_no_amount() -> None:
    round_record = played("As Ks Qs", QUEEN_HIGH)
    round_record["paytables"] = {"ante-play": [{"id": "PW/BB-1", "pays": {"Mini-Royal": "20"}}]}

    assert ["TCP Appendix A"] == [problem.clause for problem in problems(round_record)]


@pytest.mark.parametrize("player", ["As Ks Qs", "Ah Kh Qh", "Ad Kd Qd", "Ac Kc Qc"])
def test_tcp_appendix_a_note_1_a_mini_royal_is_a_suited_ace_king_queen(player: str) -> None:
    assert "Mini-Royal" == line(played(player, "Jd 7c 2h"), "ante-play").event


@pytest.mark.parametrize(("player", "event"), [("As Ks Qd", "Straight"), ("Ks Qs Js", "Straight Flush")])
def test_tcp_appendix_a_note_1_other_hands_are_no_mini_royal(player: str, event: str) -> None:
    assert event == line(played(player, "Jd 7c 2h"), "ante-play").event


def test_tcp_appendix_a_note_6_a_straight_flush_is_not_paid_as_a_straight_too() -> None:
    """6 to 1, not 6 + 2."""
    assert 2000 + 7000 == paid("9s 8s 7s", QUEEN_HIGH)


# TCP-1: the ranking, shown by comparing every category with the next

RANKING = ["As Ks Qs", "Ks Qs Js", "3s 2s As", "Ah Ac Ad", "2s 2c 2d", "As Kd Qh", "3s 2d Ah"]
RANKING += ["Ah Kh Jh", "5h 3h 2h", "As Ad Kh", "2s 2d 3h", "As Kd Jh", "Qh 3s 2d"]


@pytest.mark.parametrize(("higher", "lower"), list(pairwise(RANKING)))
def test_tcp_1_the_ranking_in_one_scale(higher: str, lower: str) -> None:
    """A straight flush is above trips, trips above a straight, a straight above a flush; A-2-3 is the lowest straight."""
    if set(higher.split()) & set(lower.split()):
        turn = str.maketrans("shdc", "cdhs")
        lower = lower.translate(turn)

    assert (1000, 2000) == chips(played(higher, lower))["Ante"]
    assert (1000, 0) == chips(played(lower, higher))["Ante"]


def test_tcp_1_one_deck_of_52_cards_holds_no_card_twice_and_no_joker() -> None:
    assert ["G-11"] == [problem.ruling for problem in problems(played("As Ks Qd", "Qd 7c 2h"))]
    assert ["cards"] == [problem.path for problem in problems(played("As Ks *", "Qd 7c 2h"))]


# TCP-3


@pytest.mark.parametrize("reading", [{}, {"play_when_not_qualified": "pay"}])
@pytest.mark.parametrize(
    ("player", "expected"), [("Ts 9d 4h", 3000), ("Js 9d 4h", 3000), ("9s 8d 7h", 4000), ("As Ks Qs", 12_000)]
)
def test_tcp_3_play_is_paid_when_the_dealer_does_not_qualify(
    player: str, expected: int, reading: dict[str, str]
) -> None:
    """Also a lower hand: the Ante pushes, the Play wager is paid Win or Copy."""
    paid_line = line(played(player, JACK_HIGH, **reading), "ante-play")

    assert (expected, "Win-or-Copy") == (paid_line.paid_cents, paid_line.paytable)
    assert {"TCP-3", "TCP Appendix A note 4"} <= cited(paid_line)


@pytest.mark.parametrize(
    ("player", "expected"),
    [("Ts 9d 4h", 1000), ("Js 7d 2c", 3000), ("Js 9d 4h", 3000), ("9s 8d 7h", 4000), ("As Ks Qs", 12_000)],
)
def test_tcp_3_compare_settles_play_by_comparison_when_the_dealer_does_not_qualify(player: str, expected: int) -> None:
    assert expected == paid(player, JACK_HIGH, play_when_not_qualified="compare")


def test_tcp_3_compare_still_pushes_the_ante_of_a_lower_hand() -> None:
    round_record = played("Ts 9d 4h", JACK_HIGH, play_when_not_qualified="compare")

    assert {"Ante": (1000, 1000), "Play": (1000, 0)} == chips(round_record)
    assert "TCP rule 5, flush or lower, lower" in cited(line(round_record, "ante-play"))


def test_tcp_3_the_switch_does_not_touch_a_dealer_who_qualifies() -> None:
    for reading in ("pay", "compare"):
        assert 0 == paid("Js 9d 4h", QUEEN_HIGH, play_when_not_qualified=reading)


# TCP-4: hand, dealer, what Play returns under each reading, with a table that prints 1

LOSING_HANDS = [
    ("Ks 9s 4s", "Td 9c 8h", 0, 2000, 2000),
    ("9s 9d 4h", "Td Tc 2h", 0, 0, 2000),
    ("Js 9d 4h", "Qd 7c 2h", 0, 0, 2000),
]


@pytest.mark.parametrize("bad_beat", ["PW/BB-2", "PW/BB-4"])
@pytest.mark.parametrize(("player", "dealer", "loses", "flush_only", "as_printed"), LOSING_HANDS)
def test_tcp_4_every_reading_of_a_beaten_flush_or_lower(
    bad_beat: str, player: str, dealer: str, loses: int, flush_only: int, as_printed: int
) -> None:
    for reading, expected in (("loses", loses), ("flush_only", flush_only), ("as_printed", as_printed)):
        round_record = played(player, dealer, bad_beat, bad_beat_flush_or_lower=reading)

        assert {"Ante": (1000, 0), "Play": (1000, expected)} == chips(round_record)
        assert "TCP-4" in cited(line(round_record, "ante-play"))


@pytest.mark.parametrize("bad_beat", ["PW/BB-1", "PW/BB-3"])
@pytest.mark.parametrize("reading", ["loses", "flush_only", "as_printed"])
def test_tcp_4_a_table_that_prints_loss_takes_a_beaten_flush_under_every_reading(bad_beat: str, reading: str) -> None:
    assert 0 == paid("Ks 9s 4s", "Td 9c 8h", bad_beat, bad_beat_flush_or_lower=reading)


def test_tcp_4_by_default_rule_5_governs() -> None:
    lost = line(played("Ks 9s 4s", "Td 9c 8h", "PW/BB-2"), "ante-play")

    assert (0, "Flush and lower") == (lost.paid_cents, lost.event)
    assert {"TCP-4", "TCP rule 5, flush or lower, lower"} <= cited(lost)


@pytest.mark.parametrize(("reading", "play"), [("loses", 0), ("flush_only", 0), ("as_printed", 2000)])
def test_tcp_4_as_printed_pays_also_against_a_dealer_who_does_not_qualify(reading: str, play: int) -> None:
    round_record = played(
        "Ts 9d 4h", JACK_HIGH, "PW/BB-2", play_when_not_qualified="compare", bad_beat_flush_or_lower=reading
    )

    assert {"Ante": (1000, 1000), "Play": (1000, play)} == chips(round_record)


@pytest.mark.parametrize(
    ("bad_beat", "must_be_stated"), [("PW/BB-1", 0), ("PW/BB-2", 1), ("PW/BB-3", 0), ("PW/BB-4", 1)]
)
def test_tcp_4_a_table_opens_only_with_the_reading_stated_outright(bad_beat: str, must_be_stated: int) -> None:
    game = find_game("three-card-prime")
    terms, _ = make_terms(game, TermsInput(paytables={"ante-play": [bad_beat]}, readings={}))

    assert ["TCP-4"] * must_be_stated == [problem.ruling for problem in game.check_opening(terms, {})]
    assert () == game.check_opening(terms, {"bad_beat_flush_or_lower": "loses"})


# TCP-6


@pytest.mark.parametrize(
    ("player", "dealer", "expected"),
    [
        ("Qs 7d 2c", "Qd 7c 2h", 4000),
        ("9s 9d 4h", "9h 9c 4d", 4000),
        ("Ks 9s 4s", "Kd 9d 4d", 4000),
        ("9s 8d 7h", "9c 8h 7d", 5000),
        ("9s 8s 7s", "9d 8d 7d", 9000),
        ("As Ks Qs", "Ad Kd Qd", 13_000),
    ],
)
def test_tcp_6_equal_hands_win_for_the_player(player: str, dealer: str, expected: int) -> None:
    copied = line(played(player, dealer), "ante-play")

    assert (expected, "Win-or-Copy") == (copied.paid_cents, copied.paytable)
    assert {"TCP-6", "TCP rule 4, equal or higher"} <= cited(copied)


@pytest.mark.parametrize("reading", ["pay", "compare"])
def test_tcp_6_equal_hands_below_the_qualifier_push_the_ante_and_pay_play(reading: str) -> None:
    round_record = played("Js 7d 2c", JACK_HIGH, play_when_not_qualified=reading)

    assert {"Ante": (1000, 1000), "Play": (1000, 2000)} == chips(round_record)
