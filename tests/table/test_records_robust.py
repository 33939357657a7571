"""Round records: nothing that stands in one crashes the reader, and what comes out is what ROUND_FORMAT.md says."""

from __future__ import annotations

import contextlib
import copy
import json
from bisect import bisect
from collections.abc import Iterator
from functools import cache
from random import Random
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from pitboss import law
from pitboss.games import all_games
from pitboss.table.records import RefusedRecordError, settle_line, settle_record
from tests.examples import examples
from tests.support import record, seat
from tests.twin.generate import random_round

Record = dict[str, Any]
Path = tuple[str | int, ...]

GAMES = ("three-card-prime", "deuces-wild", "super-three-card", "four-card-prime", "three-card-double-play")
ROUNDS = 60


@cache
def rounds(game: str) -> tuple[Record, ...]:
    """Legal rounds, the same in every run."""
    rng = Random(f"records {game}")
    return tuple(random_round(rng, game) for _ in range(ROUNDS))


def tcp(**fields: Any) -> Record:
    """One seat of Three Card Prime with a mini-royal and a Pair Bonus wager."""
    one = seat(1, "As Ks Qs 4d", {"ante-play": 1000, "pair-bonus": 500}, play=True)
    paytables = {"ante-play": ["PW/BB-1"], "pair-bonus": ["PB-1", "PB/LD-1"]}
    return record("three-card-prime", "Qd 7c 2h", one, **{"paytables": paytables, **fields})


# What comes out


def settled_lines(game: str) -> list[Record]:
    return [json.loads(settle_line(json.dumps(legal))) for legal in rounds(game)]


@pytest.mark.parametrize("game", GAMES)
def test_a_settled_round_has_exactly_the_documented_keys(game: str) -> None:
    """ROUND_FORMAT.md, Out: `envy_cents` and `jackpots` only where there is something to say."""
    wager_keys = {"staked_cents", "paid_cents", "net_cents", "event", "because"}
    for out in settled_lines(game):
        assert {"seats"} == set(out) - {"jackpots"}
        for payment in out.get("jackpots", {}).values():
            assert {"from_fund_cents", "from_house_cents", "odd_cents"} == set(payment)
        for one in out["seats"]:
            assert {"seat", "wagers", "net_cents"} == set(one)
            for line in one["wagers"].values():
                assert wager_keys == set(line) - {"envy_cents"}
                assert all({"clause", "ruling", "text"} == set(reason) for reason in line["because"])


@pytest.mark.parametrize("game", GAMES)
def test_every_number_of_a_settled_round_is_whole_cents_and_adds_up(game: str) -> None:
    for out in settled_lines(game):
        for one in out["seats"]:
            for line in one["wagers"].values():
                cents = [line[key] for key in ("staked_cents", "paid_cents", "net_cents")]
                assert [int, int, int] == [type(value) for value in cents]
                assert line["net_cents"] == line["paid_cents"] - line["staked_cents"]
                assert 0 < line["staked_cents"]
                assert 0 <= line.get("envy_cents", 0) <= line["paid_cents"]
            assert one["net_cents"] == sum(line["net_cents"] for line in one["wagers"].values())


@pytest.mark.parametrize("game", GAMES)
def test_because_says_why_with_ids_that_exist(game: str) -> None:
    clauses = {clause.id for each in all_games() for clause in each.clauses.values()}
    for out in settled_lines(game):
        for one in out["seats"]:
            for line in one["wagers"].values():
                assert line["because"]
                for reason in line["because"]:
                    assert reason["clause"] in clauses
                    assert reason["ruling"] is None or reason["ruling"] in law.rulings()
                    assert reason["text"]


@pytest.mark.parametrize("game", GAMES)
def test_seats_and_wagers_come_out_as_they_went_in(game: str) -> None:
    for legal, out in zip(rounds(game), settled_lines(game), strict=True):
        expected = [(one["seat"], list(one["wagers"])) for one in legal["seats"]]

        assert expected == [(one["seat"], list(one["wagers"])) for one in out["seats"]]


@pytest.mark.parametrize("game", GAMES)
def test_a_round_is_one_line_and_the_same_bytes_every_time(game: str) -> None:
    for legal in rounds(game):
        text = json.dumps(legal)
        out = settle_line(text)

        assert "\n" not in out
        assert out.encode() == settle_line(text + "\n").encode()


def test_settling_leaves_the_record_as_it_was() -> None:
    for game in GAMES:
        for legal in rounds(game)[:10]:
            before = copy.deepcopy(legal)
            settle_record(legal)

            assert before == legal


def test_what_is_remembered_of_one_round_never_answers_for_another() -> None:
    """Numbers that compare equal are not the same terms; the same cards at other stakes and amounts are other lines."""
    stated = {"jackpot_wager_cents": {"final-four": 100}}
    first = settle_line(json.dumps(tcp(**stated)))
    for wrong in (100.0, True):
        assert is_error(settle_line(json.dumps(tcp(jackpot_wager_cents={"final-four": wrong}))))
    assert first == settle_line(json.dumps(tcp(**stated)))

    paid = []
    for stake, cell in ((1000, "50"), (1000, "60"), (2000, "50"), (1000, "50")):
        one = seat(1, "As Ks Qs 4d", {"ante-play": stake, "pair-bonus": stake}, play=True)
        own = {"id": "PB-1", "pays": {"Mini Royal": cell}}
        tables = {"ante-play": ["PW/BB-1"], "pair-bonus": [own, "PB/LD-1"]}
        out = json.loads(settle_line(json.dumps(record("three-card-prime", "Qd 7c 2h", one, paytables=tables))))
        paid.append(out["seats"][0]["wagers"]["pair-bonus"]["paid_cents"])
    assert [51000, 61000, 102000, 51000] == paid


def test_an_error_line_has_only_its_error() -> None:
    out = json.loads(settle_line(json.dumps({**tcp(), "tip": 5})))

    assert ["error"] == list(out)
    assert [str] == [type(problem) for problem in out["error"]]


# Anything at any place


def places(value: Any, path: Path = ()) -> Iterator[Path]:
    """Every place of a record."""
    if path:
        yield path
    items = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    for key, inner in items:
        yield from places(inner, (*path, key))


WORDS = ["As", "*", "2s", "10c", "PB-1", "F4P-4", "BJ-D", "100%", "$5", "Bonus", "Loss", "ante-play", "final-four"]
WORDS += ["id", "pays", "envy", "play", "fortune", "bonus", "split", "2024-01-31", "wa-commercial", *GAMES]
SCALARS = (
    st.none()
    | st.booleans()
    | st.integers(-5, 10)
    | st.integers()
    | st.floats(allow_nan=False)
    | st.sampled_from(WORDS)
    | st.text(max_size=5)
)
JSON = st.recursive(
    SCALARS,
    lambda inner: (
        st.lists(inner, max_size=4) | st.dictionaries(st.sampled_from(WORDS) | st.text(max_size=3), inner, max_size=4)
    ),
    max_leaves=8,
)


@st.composite
def disturbed(draw: st.DrawFn) -> Record:
    """A legal record with arbitrary JSON at one, two or three places: put in, put beside, or taken out."""
    legal = draw(st.sampled_from([legal for game in GAMES for legal in rounds(game)[:8]]))
    result = copy.deepcopy(legal)
    for _ in range(draw(st.integers(1, 3))):
        path = draw(st.sampled_from(list(places(result))))
        parent: Any = result
        for key in path[:-1]:
            parent = parent[key]
        how = draw(st.sampled_from(["replace", "replace", "add", "remove"]))
        if how == "replace":
            parent[path[-1]] = draw(JSON)
        elif how == "remove":
            del parent[path[-1]]
        elif isinstance(parent, dict):
            parent[draw(st.sampled_from(WORDS) | st.text(max_size=5))] = draw(JSON)
        else:
            parent.append(draw(JSON))
        if not result:
            break
    return result


@examples(80, suppress_health_check=[HealthCheck.too_slow])
@given(disturbed())
def test_arbitrary_json_in_a_record_never_raises_anything_but_a_refusal(wrong: Record) -> None:
    with contextlib.suppress(RefusedRecordError):
        settle_record(wrong)
    out = json.loads(settle_line(json.dumps(wrong)))

    assert bool(out.get("error")) != bool(out.get("seats"))


@pytest.mark.slow
@settings(max_examples=20_000, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(disturbed())
def test_much_arbitrary_json_never_raises_anything_but_a_refusal(wrong: Record) -> None:
    json.loads(settle_line(json.dumps(wrong)))


@examples(40)
@given(st.text() | JSON.map(json.dumps))
def test_arbitrary_text_gives_an_error_line(text: str) -> None:
    assert ["error"] == list(json.loads(settle_line(text)))


# What a hostile line may hold


def replaced(old: str, new: str, **fields: Any) -> str:
    text = json.dumps(tcp(**fields))
    assert old in text
    return text.replace(old, new, 1)


def is_error(line: str) -> bool:
    """A line that can be written to a file or a terminal and says what is wrong."""
    return ["error"] == list(json.loads(line.encode("utf-8")))


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ('"game"', r'"\ud800": 1, "game"'),
        ('"pair-bonus": 500', r'"\ud800": 500'),
        ('"play"', r'"\udfff": 1, "play"'),
        ('"PB-1"', r'"\ud800"'),
        ('"paytables": {', r'"paytables": {"\ud800": [], '),
        ('"game"', r'"readings": {"\ud800": "x"}, "game"'),
        ('"game"', r'"meters": {"\ud800": 1}, "game"'),
    ],
)
def test_a_lone_surrogate_is_refused_in_a_line_that_can_be_written(old: str, new: str) -> None:
    """JSON may escape half a character; told back as it stands, it cannot be encoded and the command would crash."""
    assert is_error(settle_line(replaced(old, new)))


def is_readable(depth: int) -> bool:
    try:
        json.loads("[" * depth + "]" * depth)
    except RecursionError:
        return False
    return True


def deepest() -> int:
    """How deep a list may be nested so that json still reads it here."""
    return bisect(range(100_000), False, key=lambda depth: not is_readable(depth)) - 1


@pytest.mark.parametrize("place", ['"PB-1"', "1000", "true", '"Qd"', '"As"'])
def test_deep_nesting_is_refused(place: str) -> None:
    """What json can just about read must not be too deep to work on."""
    limit = deepest()
    for depth in (100, *range(limit - 30, limit + 5), 100_000):
        assert is_error(settle_line(replaced(place, "[" * depth + "]" * depth)))


@pytest.mark.parametrize("digits", [20, 4299, 4300, 4301])
@pytest.mark.parametrize("place", ["1000", "500"])
def test_a_stake_of_any_length_is_settled_or_refused(digits: int, place: str) -> None:
    """A stake that can just be read wins a prize that is a digit too long to be written."""
    out = json.loads(settle_line(replaced(place, "9" * digits)))

    assert ("error" in out) != ("seats" in out)


@pytest.mark.parametrize("digits", [4299, 4300, 4301, 100_000])
@pytest.mark.parametrize("form", ["{}", "0.{}", "{}%", "${}"])
def test_a_cell_of_any_length_is_taken_or_refused(digits: int, form: str) -> None:
    paytables = {
        "ante-play": ["PW/BB-1"],
        "pair-bonus": [{"id": "PB-1", "pays": {"Mini Royal": form.format("9" * digits)}}, "PB/LD-1"],
    }
    out = json.loads(settle_line(json.dumps(tcp(paytables=paytables))))

    assert ("error" in out) != ("seats" in out)
