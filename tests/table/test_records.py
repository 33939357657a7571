"""Round records: everything a record may do wrong is refused with its place, all at once."""

from __future__ import annotations

import copy
import json
from typing import Any

import pytest

from pitboss.table.records import RefusedRecordError, settle_line, settle_record
from tests.support import problems, record, seat, settled

Record = dict[str, Any]
Path = tuple[str | int, ...]
LEFT_OUT = object()


def legal() -> Record:
    """Two seats of Three Card Prime with a jackpot, a date and a kind of room."""
    wagers = {"ante-play": 1000, "pair-bonus": 500, "final-four": 100}
    return record(
        "three-card-prime",
        "Qd 7c 2h",
        seat(1, "As Ks Qs 4d", dict(wagers), play=True),
        seat(3, "9s 9d 4h 3c", dict(wagers), play=False),
        paytables={"ante-play": ["PW/BB-1"], "pair-bonus": ["PB-1", "PB/LD-1"], "final-four": ["F4P-1"]},
        readings={"play_when_not_qualified": "compare"},
        jackpot_type="progressive",
        meters={"final-four": 100_000},
        on="2024-01-31",
        profile="wa-commercial",
    )


def changed(path: Path, value: Any, of: Record | None = None) -> Record:
    """A legal record with another value at one place, or none."""
    result = copy.deepcopy(of or legal())
    place: Any = result
    for key in path[:-1]:
        place = place[key]
    if value is LEFT_OUT:
        del place[path[-1]]
    else:
        place[path[-1]] = value
    return result


def paths(round_record: Any) -> list[str]:
    return [problem.path for problem in problems(round_record)]


def each(path: Path, place: str, *values: Any) -> list[tuple[Path, Any, str]]:
    """Several wrong values of one place, all told at `place`."""
    return [(path, value, place) for value in values]


def test_the_legal_record_is_settled() -> None:
    assert [1, 3] == list(settled(legal()).settlement.lines)


@pytest.mark.parametrize("value", [None, [], "three-card-prime", 5, True, [legal()], {}])
def test_a_record_is_an_object_with_a_game(value: Any) -> None:
    assert 1 == len(problems(value))


# One mistake, one problem at its place


WRONG: list[tuple[Path, Any, str]] = [
    *each(("game",), "game", "blackjack", "Three Card Prime", 5, None, [], {}, LEFT_OUT),
    # cards
    *each(("dealer",), "dealer", "Qd 7c 2h", 5, {}, LEFT_OUT, [], ["Qd", "7c"], ["Qd", "7c", 5]),
    *each(("dealer",), "dealer", ["Qd", "7c", "2h", "2d"], ["Qd", "7c", "1h"]),
    *each(("dealer", 0), "cards", "As", "*"),
    *each(("seats", 0, "cards"), "seat 1 cards", ["As", "Ks", "Qs"], ["As", "Ks", "Qs", "4d", "5d"]),
    *each(("seats", 0, "cards", 3), "cards", "9s", "As"),
    # seats
    *each(("seats",), "seats", [], {}, 5, "seats", LEFT_OUT),
    *each(("seats", 0), "seats[0]", None, [], "seat", 1),
    *each(("seats", 0, "seat"), "seats[0].seat", 0, -1, 8, 1.0, "1", True, None, [], LEFT_OUT),
    *each(("seats", 0, "seat"), "seats", 3),
    *each(("seats", 0, "name"), "seat 1", "Joe", None),
    # wagers
    *each(("seats", 0, "wagers"), "seat 1 wagers", [], 5, "ante-play", None, {}, LEFT_OUT),
    *each(("seats", 0, "wagers", "ante-play"), "seat 1 wagers.ante-play", 0, -1000, 10.0, 10.5, "1000"),
    *each(("seats", 0, "wagers", "ante-play"), "seat 1 wagers.ante-play", True, False, None, [], {}),
    *each(("seats", 0, "wagers", "ante-play"), "seat 1 wagers", LEFT_OUT),
    *each(("seats", 0, "wagers", "bingo"), "seat 1 wagers.bingo", 500),
    *each(("seats", 0, "wagers", "five-card-fortune"), "seat 1 wagers.five-card-fortune", 500),
    *each(("seats", 0, "wagers", "prime"), "paytables.prime", 500),
    *each(("seats", 0, "wagers", "final-four"), "seat 1 wagers.final-four", 200),
    # decisions
    *each(("seats", 0, "decisions"), "seat 1 decisions.play", LEFT_OUT, {}),
    *each(("seats", 0, "decisions", "play"), "seat 1 decisions.play", None, 1, 0, "true", [], {}),
    *each(("seats", 0, "decisions", "raise"), "seat 1 decisions.raise", True, False, 1, None),
    # pay tables
    *each(("paytables", "bingo"), "paytables.bingo", ["X"], [], None),
    *each(("paytables", "pair-bonus"), "paytables.pair-bonus", "PB-1", 5, None, {}, ["PB-1"], ["PB/LD-1"]),
    *each(("paytables", "pair-bonus"), "paytables.pair-bonus", ["PB-1", "PB-2", "PB/LD-1"], ["PB-1", "A6-1"]),
    *each(("paytables", "ante-play"), "paytables.ante-play", [], ["PW/BB-5"], [None], [5], [[]], [{}], ["pw/bb-1"]),
    *each(("paytables", "final-four"), "paytables.final-four.F4P-4", ["F4P-4"]),
    # readings, jackpots, money
    *each(("readings",), "readings", [], 5, "compare"),
    *each(("readings", "envy_trigger"), "readings.envy_trigger", "any_hand"),
    *each(("readings", "play_when_not_qualified"), "readings.play_when_not_qualified", "maybe", None, True, [], {}),
    *each(("jackpot_type",), "jackpot_type", "lotto", "Bonus", 5, [], {}),
    *each(("bonus_sharing",), "bonus_sharing", "half", 2, [], {}, False),
    *each(("jackpot_wager_cents",), "jackpot_wager_cents", 200, "100", 100.0, True, []),
    *each(("jackpot_wager_cents",), "jackpot_wager_cents.prime", {"prime": 1}),
    *each(("decks",), "decks", 1, 6, "6", []),
    *each(("meters",), "meters", [], 5, "100"),
    *each(("meters",), "meters.final-four", {}, LEFT_OUT),
    *each(("meters", "final-four"), "meters.final-four", -1, 1.5, 100.0, "100", True, None, []),
    *each(("meters", "prime"), "meters.prime", 5),
    *each(("meters", "bonus-jackpot"), "meters.bonus-jackpot", 5),
    # day and room
    *each(("on",), "on", "2024-13-01", "2024-02-30", "31.1.2024", "20240131", "", 20240131, [], LEFT_OUT),
    *each(("on",), "on", "2024-1-31", "2024-01-31T00:00", " 2024-01-31", "0000-01-01", "1990-01-01"),
    *each(("profile",), "profile", "nevada", "", 5, [], {}, LEFT_OUT),
    # fields
    *[((name,), 5, name) for name in ("tip", "community", "Game", "fixed_from_meter", "")],
]


@pytest.mark.parametrize(("path", "value", "place"), WRONG)
def test_one_mistake_is_one_problem_at_its_place(path: Path, value: Any, place: str) -> None:
    assert [place] == paths(changed(path, value))


@pytest.mark.parametrize("field", [name for name in legal() if name != "game"])
def test_null_is_refused_everywhere(field: str) -> None:
    assert field in paths(changed((field,), None))


CASCADES: list[tuple[Path, Any, str]] = [
    (("seats", 0, "cards"), LEFT_OUT, "seat 1 cards"),
    (("seats", 0, "cards"), None, "seat 1 cards"),
    (("seats", 0, "cards"), "As Ks Qs 4d", "seat 1 cards"),
    (("seats", 0, "cards", 0), "1s", "seat 1 cards"),
    (("seats", 0, "cards", 0), "as", "seat 1 cards"),
    (("seats", 0, "cards", 0), "A♠", "seat 1 cards"),
    (("seats", 0, "cards", 0), None, "seat 1 cards"),
    (("seats", 0, "decisions"), None, "seat 1 decisions"),
    (("seats", 0, "decisions"), [], "seat 1 decisions"),
    (("paytables",), [], "paytables"),
    (("paytables",), "PB-1", "paytables"),
]


@pytest.mark.parametrize(("path", "value", "place"), CASCADES)
def test_a_mistake_that_leads_to_others_is_named_first(path: Path, value: Any, place: str) -> None:
    assert place == paths(changed(path, value))[0]


def test_a_card_that_cannot_be_read_is_not_also_counted_as_missing() -> None:
    """Four cards were given; that there are "0 cards" is not true and sends the reader the wrong way."""
    found = problems(changed(("seats", 0, "cards", 0), "1s"))

    assert ["'1s' is not a card"] == [problem.words.partition(";")[0] for problem in found]


@pytest.mark.parametrize("card", ["as", "AS", "A♠", "1s", "", "Asx", " As", "joker"])
def test_the_card_that_cannot_be_read_is_named(card: str) -> None:
    (first, *_) = problems(changed(("seats", 0, "cards", 0), card))

    assert repr(card) in first.words


@pytest.mark.parametrize("card", ["Tc", "10c"])
def test_a_ten_is_written_either_way(card: str) -> None:
    assert [1, 3] == list(settled(changed(("seats", 0, "cards", 3), card)).settlement.lines)


# Many mistakes at once


def test_all_problems_are_named_at_once() -> None:
    wrong = legal()
    wrong["tip"] = 5
    wrong["readings"] = {"play_when_not_qualified": "maybe"}
    wrong["jackpot_type"] = "lotto"
    wrong["meters"] = {"final-four": -1, "prime": 5}
    wrong["paytables"]["pair-bonus"] = ["PB-9", "PB/LD-1"]
    wrong["profile"] = "nevada"
    wrong["dealer"] = ["Qd", "7c"]
    wrong["seats"][0]["wagers"]["bingo"] = 5
    wrong["seats"][0]["wagers"]["ante-play"] = -5
    wrong["seats"][1]["decisions"] = {"play": "no"}
    wrong["seats"][1]["name"] = "Joe"
    wrong["seats"].append("nobody")
    expected = {
        "tip",
        "readings.play_when_not_qualified",
        "jackpot_type",
        "meters.final-four",
        "meters.prime",
        "paytables.pair-bonus",
        "profile",
        "dealer",
        "seat 1 wagers.bingo",
        "seat 1 wagers.ante-play",
        "seat 3 decisions.play",
        "seat 3",
        "seats[2]",
    }

    assert set() == expected - set(paths(wrong))


def test_all_problems_of_a_seat_are_named_though_its_number_is_wrong() -> None:
    wrong = changed(("seats", 0, "seat"), 9)
    wrong["seats"][0]["cards"] = ["As", "Ks", "Qs", "1x"]
    wrong["seats"][0]["wagers"]["bingo"] = 5

    assert 3 <= len(paths(wrong))


@pytest.mark.parametrize("number", [True, None, "1", LEFT_OUT])
def test_a_seat_without_a_number_is_not_taken_for_another_seat(number: Any) -> None:
    other = changed(("seats", 1, "seat"), 1)

    assert ["seats[0].seat"] == paths(changed(("seats", 0, "seat"), number, other))


def test_the_error_says_all_problems_in_one_text() -> None:
    with pytest.raises(RefusedRecordError, match=r"tip: .*; jackpot_type: ") as raised:
        settle_record({**legal(), "tip": 5, "jackpot_type": "lotto"})

    assert 2 == len(raised.value.problems)
    assert {"error": [str(problem) for problem in raised.value.problems]} == json.loads(
        settle_line(json.dumps({**legal(), "tip": 5, "jackpot_type": "lotto"}))
    )


def test_every_problem_of_a_rule_names_its_clause_or_ruling() -> None:
    wrong = changed(("seats", 0, "wagers"), {"final-four": 200})

    assert [
        "seat 1 wagers: Ante and Play is required for every other wager (TCP rule 1; G-19)",
        "seat 1 wagers.final-four: the jackpot wager is $1.00, not $2.00 (TCP Final Four; G-7)",
    ] == [str(problem) for problem in problems(wrong)]


# Text that is no record


@pytest.mark.parametrize(
    "text",
    [
        "",
        " ",
        "{",
        "}",
        "{} {}",
        "nonsense",
        "{'game': 'three-card-prime'}",
        '{"game": "three-card-prime",}',
        "[1, 2",
        '"' + "\x00" + '"',
        "\ufeff{}",
        "[" * 100_000,
        "1" * 5000,
        "nul",
    ],
)
def test_a_line_that_is_not_json_gives_an_error_line(text: str) -> None:
    (words,) = json.loads(settle_line(text))["error"]

    assert words.startswith("not a JSON object")


@pytest.mark.parametrize("text", ["null", "[]", "5", "true", '"three-card-prime"', "1e400", "[[]]"])
def test_json_that_is_no_object_gives_an_error_line(text: str) -> None:
    assert ["record: must be a JSON object"] == json.loads(settle_line(text))["error"]


@pytest.mark.parametrize("constant", ["NaN", "Infinity", "-Infinity"])
def test_nan_and_infinity_are_refused(constant: str) -> None:
    text = json.dumps(legal()).replace("1000", constant, 1)
    (words,) = json.loads(settle_line(text))["error"]

    assert constant in words


@pytest.mark.parametrize(
    ("once", "twice"),
    [
        ('"game"', '"game": "deuces-wild", "game"'),
        ('"ante-play": 1000', '"ante-play": 500, "ante-play": 1000'),
        ('"play": true', '"play": true, "play": true'),
        ('"meters"', '"meters": {}, "meters"'),
    ],
)
def test_a_key_that_stands_twice_is_refused(once: str, twice: str) -> None:
    (words,) = json.loads(settle_line(json.dumps(legal()).replace(once, twice, 1)))["error"]

    assert "twice" in words


# The other games' own fields


DEUCES = record(
    "deuces-wild",
    "3c 6d 8c Th",
    seat(1, "As Kd 2h 7c", {"ante-play-raise": 500, "five-card-fortune": 500}, play=True, raise_=False, fortune=["2h"]),
    paytables={"ante-play-raise": ["APR-A"], "five-card-fortune": ["FCF-A"]},
)
SHOE = record(
    "super-three-card",
    "Qs 7c 2h",
    seat(1, "As As 2d", {"ante-odds-play": 500}, play=True),
    decks=6,
    paytables={"ante-odds-play": ["PT-FLT-STC-01"]},
)
FOUR = record(
    "four-card-prime",
    "Qd 7c 2h 3s 4s 5d",
    seat(1, "As Kd 9h 4c 8s", {"ante-raise": 500}, raise_=1),
    paytables={"ante-raise": ["Win-1", "BB-1"]},
)
SIX = record(
    "three-card-double-play",
    "Qd 7c 2h 3s 4s",
    seat(1, "As Kd 9h 4c 8s 6d", {"high-low": 500}, high=["As", "Kd", "9h"], double=False),
    paytables={"high-low": ["LWB-1"]},
)


@pytest.mark.parametrize("base", [DEUCES, SHOE, FOUR, SIX], ids=lambda base: base["game"])
def test_the_legal_records_of_the_other_games_are_settled(base: Record) -> None:
    assert [1] == list(settled(base).settlement.lines)


FORTUNE: Path = ("seats", 0, "decisions", "fortune")
RAISE: Path = ("seats", 0, "decisions", "raise")
HIGH: Path = ("seats", 0, "decisions", "high")
DOUBLE: Path = ("seats", 0, "decisions", "double")
ELSEWHERE: list[tuple[Record, tuple[Path, Any, str]]] = [
    *[(SHOE, wrong) for wrong in each(("decks",), "decks", 1, 2, 7, "6", 6.0, True, [], LEFT_OUT)],
    *[(SHOE, wrong) for wrong in each(("dealer",), "dealer", ["Qs"], ["Qs", "7c", "2h", "2h"])],
    *[(SHOE, wrong) for wrong in each(("seats", 0, "cards"), "seat 1 cards", ["As", "As"], ["As"] * 4)],
    *[(DEUCES, wrong) for wrong in each(("dealer",), "dealer", ["Qd", "7c", "2h"])],
    *[(DEUCES, wrong) for wrong in each(("community",), "community", LEFT_OUT, [], ["3c", "6d", "8c"])],
    *[(DEUCES, wrong) for wrong in each(FORTUNE, "seat 1 decisions.fortune", None, "2h", [], ["3c"], [5], [None])],
    *[(DEUCES, wrong) for wrong in each(FORTUNE, "seat 1 decisions.fortune", ["2h", "2h"], ["As", "Kd"], {"2h": 1})],
    *[(DEUCES, wrong) for wrong in each(FORTUNE, "seat 1 decisions.fortune", True, ["2H"], LEFT_OUT)],
    *[(FOUR, wrong) for wrong in each(RAISE, "seat 1 decisions.raise", 4, -1, True, "1", 1.0, None, [], LEFT_OUT)],
    *[(FOUR, wrong) for wrong in each(("seats", 0, "decisions", "play"), "seat 1 decisions.play", True)],
    *[(SIX, wrong) for wrong in each(HIGH, "seat 1 decisions.high", None, [], ["As", "Kd"], "As Kd 9h", LEFT_OUT)],
    *[(SIX, wrong) for wrong in each(HIGH, "seat 1 decisions.high", ["As", "Kd", "Kd"], ["As", "Kd", "2c"])],
    *[(SIX, wrong) for wrong in each(HIGH, "seat 1 decisions.high", ["4c", "8s", "6d"])],
    *[(SIX, wrong) for wrong in each(DOUBLE, "seat 1 decisions.double", None, 1, "no", LEFT_OUT)],
]


@pytest.mark.parametrize(("base", "wrong"), ELSEWHERE)
def test_mistakes_in_the_other_games(base: Record, wrong: tuple[Path, Any, str]) -> None:
    path, value, place = wrong

    assert [place] == paths(changed(path, value, base))


def test_a_shoe_of_six_decks_holds_a_card_six_times() -> None:
    for decks, copies, fits in ((6, 6, True), (6, 7, False), (8, 8, True), (8, 9, False)):
        round_record = changed(("decks",), decks, SHOE)
        cards = ["Kd"] * copies
        round_record["dealer"] = cards[:3]
        round_record["seats"] = [
            seat(number, " ".join(hand), {"ante-odds-play": 500}, play=True)
            for number, hand in ((1, cards[3:6]), (2, [*cards[6:9], "2c", "3c", "4c"][:3]))
        ]
        if fits:
            assert [1, 2] == list(settled(round_record).settlement.lines)
        else:
            assert ["cards"] == paths(round_record)
