"""Four Card Prime: what each way a round can end is told as, with its chips, clauses and rulings."""

from __future__ import annotations

import pytest

from pitboss.games import find_game
from pitboss.games.four_card_prime import rules
from pitboss.rules import Terms, TermsInput, make_terms
from tests.games.explaining import asked, chips, described, found, outcome, said, seat, terms_of, told

GAME = "four-card-prime"
LOWER, EQUAL, HIGHER = 0, 1, 2
STRAIGHT_FLUSH, TRIPS = 0b010, 0b100


def terms() -> Terms:
    return terms_of(GAME, {"ante-raise": ["Win-1", "BB-1"]})


def pay(slot: str, event: str) -> str:
    row = terms().tables[slot].row(event)
    assert row is not None
    return str(row.pay)


def test_fcp_rule_3_a_fold_is_told() -> None:
    folded = outcome(terms(), "ante-raise", 0, TRIPS, HIGHER)
    assert (["Ante x1 taken"], None, None) == (chips(folded), folded.event, folded.paytable)
    assert ["FCP rule 3: Player folded: Ante loses"] == said(folded.reasons)


WON = "Player's hand wins: Ante and Raise pay even money"
COPY = "FCP rule 6, copies [FCP-1]: Copy (tie): the player wins"


@pytest.mark.parametrize(("comparison", "copied"), [(HIGHER, []), (EQUAL, [COPY])])
def test_fcp_1_a_flush_or_less_that_wins_is_told(comparison: int, copied: list[str]) -> None:
    won = outcome(terms(), "ante-raise", 3, 0, comparison)
    assert ["Ante x1 back 1 to 1", "Raise x3 back 1 to 1"] == chips(won)
    assert ("Flush or less", "Win-1") == (won.event, won.paytable)
    assert [
        f"FCP rule 8, flush or lower: {WON}",
        *copied,
        "FCP Appendix A [FCP-3]: Flush or less: Win-1 adds no Win Bonus",
    ] == said(won.reasons)


@pytest.mark.parametrize(("comparison", "copied"), [(HIGHER, []), (EQUAL, [COPY])])
def test_fcp_3_a_win_bonus_is_told(comparison: int, copied: list[str]) -> None:
    won = outcome(terms(), "ante-raise", 2, TRIPS, comparison)
    bonus = pay("win-bonus", "Any Trips")
    assert [f"Ante x1 back 1 to 1 {bonus}", "Raise x2 back 1 to 1"] == chips(won)
    assert [
        f"FCP rule 8, Win Bonus: {WON}",
        *copied,
        f"FCP rule 8, Win Bonus [FCP-3]: Any Trips: Win-1 adds a Win Bonus of {bonus} on the Ante",
    ] == said(won.reasons)


def test_fcp_rule_7_a_beaten_flush_or_lower_is_told() -> None:
    beaten = outcome(terms(), "ante-raise", 3, 0, LOWER)
    assert ["Ante x1 taken", "Raise x3 taken"] == chips(beaten)
    assert ("Flush or less", "BB-1") == (beaten.event, beaten.paytable)
    assert ["FCP rule 7, flush or lower: Beaten with a flush or lower: Ante and Raise lose"] == said(beaten.reasons)


def test_fcp_3_a_bad_beat_is_told() -> None:
    beaten = outcome(terms(), "ante-raise", 2, TRIPS, LOWER)
    bonus = pay("bad-beat", "Any Trips")
    assert [f"Ante x1 back {bonus}", "Raise x2 taken"] == chips(beaten)
    assert [
        f"FCP rule 7, Bad Beat [FCP-3]: Beaten with Any Trips (Bad Beat): BB-1 pays {bonus} on the Ante",
        "FCP Appendix A note 3 [FCP-3]: Ante pushes, Raise loses",
    ] == said(beaten.reasons)


@pytest.mark.parametrize(("comparison", "table"), [(HIGHER, "Win-1"), (LOWER, "BB-1")])
def test_g_2_of_two_events_the_better_paying_is_paid(comparison: int, table: str) -> None:
    tables = [{"id": table_id, "pays": {"Any Trips": "77"}} for table_id in ("Win-1", "BB-1")]
    settled = outcome(terms_of(GAME, {"ante-raise": tables}), "ante-raise", 1, STRAIGHT_FLUSH | TRIPS, comparison)
    assert ("Any Trips", table) == (settled.event, settled.paytable)
    assert chips(settled)[0].endswith(" 77 to 1")


@pytest.mark.parametrize(
    ("facts", "expected"),
    [
        ((0, TRIPS, HIGHER), "folds"),
        ((1, TRIPS, HIGHER), "raises 1, wins with Any Trips"),
        ((3, TRIPS, EQUAL), "raises 3, copies with Any Trips"),
        ((2, 0, LOWER), "raises 2, beaten with Flush or less"),
    ],
)
def test_the_course_of_ante_and_raise_in_words(facts: tuple[int, ...], expected: str) -> None:
    assert expected == told(GAME, "ante-raise", *facts)


def test_fcp_6_fcj_3_as_a_progressive_is_named() -> None:
    pays = {"Four Aces": "100%", "Quads": "$200", "Straight Flush": "$50", "Trips": "$5"}
    envy = {"Four Aces": "$100", "Quads": "$10", "Straight Flush": "$5"}
    tables = {"four-card-jackpot": [{"id": "FCJ-3", "pays": pays, "envy": envy}]}
    _, problems = make_terms(find_game(GAME), TermsInput(paytables=tables, readings={}, jackpot_type="progressive"))
    (problem,) = found(problems)
    assert (
        "paytables.four-card-jackpot: FCJ-3 is for a Bonus jackpot only, not for a progressive "
        "(FCP Appendix E note 8; FCP-6)"
    ) == problem
    assert "bonus" == terms_of(GAME, tables, jackpot_type="bonus").jackpot_type


def test_fcp_2_the_question_is_asked_once_the_cards_are_dealt() -> None:
    question = asked(GAME, seat("As Kd 4c 9h 9d"))
    assert question is not None
    assert ("raise", "Raise 1, 2 or 3 times the Ante, or 0 to fold?") == (question.key, question.words)
    assert ("FCP rule 4", "FCP-2", (0, 1, 2, 3)) == (question.clause.id, question.ruling, question.options())
    assert [None] * 4 == [question.refusal(multiple) for multiple in question.options()]
    for wrong in (4, -1, True, "1", None):
        assert f"{wrong!r} must be 0, 1, 2 or 3" == question.refusal(wrong)
    assert question.takes_cards is False
    assert asked(GAME, seat("")) is None
    assert asked(GAME, seat("As Kd 4c 9h 9d", raise_=0)) is None


def test_a_hand_that_has_not_raised_raises_nothing() -> None:
    assert [(3,), (0,), (0,)] == [
        find_game(GAME).choices(decisions, ()) for decisions in ({"raise": 3}, {"raise": 0}, {})
    ]


def test_the_tables_of_a_letter_are_found() -> None:
    assert {"FCJ-1", "FCJ-2", "FCJ-3"} <= set(rules._FOLDER.table_ids("FCJ"))
    assert all(table_id.startswith("FCJ-") for table_id in rules._FOLDER.table_ids("FCJ"))


def test_the_dealers_hand_is_described_when_all_six_cards_lie_open() -> None:
    player = "player two pair, nines and fours"
    holder = seat("9s 9d 4c 4d Ah")
    assert (player,) == described(GAME, holder, "Kc")
    assert (player, "dealer three kings, queen kicker") == described(GAME, holder, "Kc Kd Ks Qh Jc 3d")
