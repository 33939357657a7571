"""Three Card Prime: what each way a round can end is told as, with its chips, clauses and rulings."""

from __future__ import annotations

import pytest

from pitboss.games import find_game
from pitboss.games.three_card_prime import rules
from pitboss.rules import Terms
from tests.games.explaining import asked, chips, described, found, outcome, said, seat, terms_of, told

GAME = "three-card-prime"
LOWER, EQUAL, HIGHER = 0, 1, 2
STRAIGHT = 0b1000


def terms(bad_beat: str = "PW/BB-1", **readings: str) -> Terms:
    return terms_of(GAME, {"ante-play": [bad_beat], "pair-bonus": ["PB-1", "PB/LD-1"]}, readings=readings)


def test_tcp_rule_2_a_fold_is_told() -> None:
    folded = outcome(terms(), "ante-play", 0, 0, 0, HIGHER, 1)
    assert (["Ante x1 taken"], None, None) == (chips(folded), folded.event, folded.paytable)
    assert ["TCP rule 2: Player folded: Ante loses"] == said(folded.reasons)


WON = "Flush and lower: Play pays 1 to 1 (Win or Copy)"


@pytest.mark.parametrize(
    ("facts", "expected"),
    [
        (
            (1, 0, 0, HIGHER, 1),
            [
                "TCP rule 4, equal or higher: Player's hand beats the dealer's: Ante pays even money",
                f"TCP rule 5, flush or lower, equal or greater: {WON}",
            ],
        ),
        (
            (1, 0, 0, EQUAL, 1),
            [
                "TCP rule 4, equal or higher [TCP-6]: Player's hand ties the dealer's: Ante pays even money",
                f"TCP rule 5, flush or lower, equal or greater: {WON}",
                "TCP Appendix A [TCP-6]: Copy (tie): the player wins",
            ],
        ),
        (
            (1, STRAIGHT, 0, HIGHER, 1),
            [
                "TCP rule 4, equal or higher: Player's hand beats the dealer's: Ante pays even money",
                "TCP rule 5, straight or better, win: Straight: Play pays 2 to 1 (Win or Copy)",
            ],
        ),
    ],
)
def test_tcp_6_a_win_and_a_copy_are_told_apart(facts: tuple[int, ...], expected: list[str]) -> None:
    won = outcome(terms(), "ante-play", *facts)
    assert expected == said(won.reasons)
    assert "Win-or-Copy" == won.paytable


NOT_QUALIFIED = "TCP rule 4, not qualified [TCP-2]: Dealer does not have Queen-high or better: Ante pushes"


@pytest.mark.parametrize("comparison", [LOWER, EQUAL, HIGHER])
def test_tcp_3_play_paid_to_a_dealer_who_does_not_qualify_is_told(comparison: int) -> None:
    paid = outcome(terms(), "ante-play", 1, 0, 0, comparison, 0)
    assert ["Ante x1 back", "Play x1 back 1 to 1"] == chips(paid)
    assert [
        NOT_QUALIFIED,
        f"TCP rule 5, flush or lower, equal or greater: {WON}",
        "TCP Appendix A note 4 [TCP-3]: Dealer did not qualify: Play pays whatever the hands are",
    ] == said(paid.reasons)


@pytest.mark.parametrize("comparison", [LOWER, EQUAL, HIGHER])
def test_tcp_3_play_compared_with_a_dealer_who_does_not_qualify_is_told(comparison: int) -> None:
    compared = outcome(terms(play_when_not_qualified="compare"), "ante-play", 1, 0, 0, comparison, 0)
    lost = "TCP rule 5, flush or lower, lower: Beaten with a flush or lower: Play loses"
    assert [
        NOT_QUALIFIED,
        lost if comparison == LOWER else f"TCP rule 5, flush or lower, equal or greater: {WON}",
        "TCP Appendix A note 4 [TCP-3]: Dealer did not qualify: Play is decided by the hands",
    ] == said(compared.reasons)


BEATEN = "TCP rule 4, lower: Player's hand is lower: Ante loses"


def test_tcp_5_a_bad_beat_is_told() -> None:
    beaten = outcome(terms(), "ante-play", 1, STRAIGHT, 0, LOWER, 1)
    assert ["Ante x1 taken", "Play x1 back 4 to 1"] == chips(beaten)
    assert [
        BEATEN,
        "TCP rule 5, Bad Beat [TCP-5]: Beaten with Straight (Bad Beat): PW/BB-1 pays Play 4 to 1",
    ] == said(beaten.reasons)
    assert ("Straight", "PW/BB-1") == (beaten.event, beaten.paytable)


LOST = "Beaten with a flush or lower: Play loses"


@pytest.mark.parametrize(
    ("bad_beat", "reading", "flush", "expected"),
    [
        ("PW/BB-1", "loses", 1, f"TCP rule 5, flush or lower, lower: {LOST}"),
        ("PW/BB-2", "loses", 1, f"TCP rule 5, flush or lower, lower [TCP-4]: {LOST}"),
        ("PW/BB-2", "flush_only", 0, f"TCP rule 5, flush or lower, lower [TCP-4]: {LOST}"),
        (
            "PW/BB-2",
            "flush_only",
            1,
            "TCP Appendix A note 5 [TCP-4]: Beaten, 'Flush and lower' read flush only: PW/BB-2 has 1 to 1 for Play",
        ),
        (
            "PW/BB-2",
            "as_printed",
            0,
            "TCP Appendix A note 5 [TCP-4]: Beaten, 'Flush and lower' read as printed: PW/BB-2 has 1 to 1 for Play",
        ),
    ],
)
def test_tcp_4_a_beaten_flush_or_lower_is_told_by_its_reading(
    bad_beat: str, reading: str, flush: int, expected: str
) -> None:
    lost = outcome(terms(bad_beat, bad_beat_flush_or_lower=reading), "ante-play", 1, 0, flush, LOWER, 1)
    assert [BEATEN, expected] == said(lost.reasons)
    assert ("Flush and lower", bad_beat) == (lost.event, lost.paytable)


def test_g_2_of_two_bad_beats_the_better_paying_is_paid() -> None:
    set_otherwise = terms_of(GAME, {"ante-play": [{"id": "PW/BB-1", "pays": {"Straight": "77"}}]})
    beaten = outcome(set_otherwise, "ante-play", 1, 0b1010, 0, LOWER, 1)
    assert ("Straight", "Play x1 back 77 to 1") == (beaten.event, chips(beaten)[1])


@pytest.mark.parametrize(
    ("facts", "expected"),
    [
        ((0, STRAIGHT, 0, HIGHER, 1), "folds"),
        ((1, STRAIGHT, 0, LOWER, 0), "dealer does not qualify, lower Straight"),
        ((1, STRAIGHT, 0, EQUAL, 0), "dealer does not qualify, equal or higher Straight"),
        ((1, 0, 1, HIGHER, 0), "dealer does not qualify, equal or higher Flush and lower"),
        ((1, STRAIGHT, 0, LOWER, 1), "beaten with Straight"),
        ((1, STRAIGHT, 0, EQUAL, 1), "copies with Straight"),
        ((1, STRAIGHT, 0, HIGHER, 1), "wins with Straight"),
        ((1, 0, 1, HIGHER, 1), "wins with Flush"),
        ((1, 0, 0, HIGHER, 1), "wins with Flush and lower"),
    ],
)
def test_the_course_of_ante_and_play_in_words(facts: tuple[int, ...], expected: str) -> None:
    assert expected == told(GAME, "ante-play", *facts)


@pytest.mark.parametrize(
    ("deuce", "table", "expected"),
    [
        (0, "PB-1", "TCP Appendix C note 1 [TCP-8]: Fourth card is not a deuce: the PB column pays"),
        (
            1,
            "PB/LD-1",
            "TCP Appendix C note 2 [TCP-8]: Fourth card is a deuce: the PB/LD column pays; the deuce is not wild",
        ),
    ],
)
def test_tcp_8_the_column_of_the_pair_bonus_is_told(deuce: int, table: str, expected: str) -> None:
    settled = outcome(terms(), "pair-bonus", 1, deuce)
    assert (expected, table) == (said(settled.reasons)[0], settled.paytable)


def test_a_reason_names_its_place_its_words_and_its_ruling() -> None:
    assert ["TCP Prime [TCP-7]: colors"] == said(rules._why("Prime", "colors", "TCP-7"))


def test_the_tables_of_a_letter_are_found() -> None:
    assert ("PRW-1", "PRW-2") == rules._FOLDER.table_ids("PRW")


def test_tcp_4_the_reading_to_be_stated_is_named() -> None:
    (unstated,) = found(find_game(GAME).check_opening(terms("PW/BB-4"), {}))
    assert (
        'readings.bad_beat_flush_or_lower: PW/BB-4 prints 1 for "Flush and lower": '
        "state the reading outright before the table opens (TCP Appendix A; TCP-4)"
    ) == unstated
    assert () == find_game(GAME).check_opening(terms("PW/BB-4"), {"bad_beat_flush_or_lower": "loses"})
    assert () == find_game(GAME).check_opening(terms("PW/BB-3"), {})
    assert () == find_game(GAME).check_opening(terms_of(GAME, {"prime": ["PRW-1"]}), {})


def test_tcp_rule_2_the_question_is_asked_once_the_cards_are_dealt() -> None:
    question = asked(GAME, seat("As Kd 4c 9h"))
    assert question is not None
    assert ("play", "Play (a wager equal to the Ante) or fold?") == (question.key, question.words)
    assert ("TCP rule 2", (True, False)) == (question.clause.id, question.options())
    assert asked(GAME, seat("")) is None
    assert asked(GAME, seat("As Kd 4c 9h", play=False)) is None


def test_a_fold_is_0_and_a_play_is_1() -> None:
    assert [(1,), (0,), (0,)] == [
        find_game(GAME).choices(decisions, ()) for decisions in ({"play": True}, {"play": False}, {})
    ]


def test_hands_are_described_by_three_cards_each() -> None:
    assert ("player ace king four high", "dealer pair of nines, four kicker") == described(
        GAME, seat("As Kd 4c 4d"), "9s 9d 4h 9c"
    )
