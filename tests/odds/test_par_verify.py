"""A fresh sheet verifies; one in which any leaf was changed does not, and the first figure that differs is named."""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction
from functools import cache
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from pitboss.games import find_game
from pitboss.odds.par import Sheet, make_sheet, read_sheet, verify_sheet
from pitboss.odds.par import sheet as par_sheet
from pitboss.odds.par.values import SheetError, to_json, write_text
from pitboss.table import read_configuration
from tests.odds.sheets import SMALL, at, changed, large_sheet, paths, small_sheet, terms_of

NAME = "three-card-prime"


@pytest.fixture
def derived_once(monkeypatch: pytest.MonkeyPatch) -> None:
    """What is derived depends on the inputs alone: for the same inputs it is derived once."""
    derive: Callable[..., Sheet] = par_sheet._derive
    known: dict[str, Sheet] = {}

    def remembered(sheet: Sheet, game: Any, tell: Any) -> Sheet:
        key = write_text(to_json(sheet.inputs))
        if key not in known:
            known[key] = derive(sheet, game, tell)
        return known[key]

    monkeypatch.setattr(par_sheet, "_derive", remembered)


def other(value: Any) -> Any:
    """Something else of the same type, as a slip or a forger would write it."""
    if isinstance(value, int):
        return value + 1
    if isinstance(value, str) and "/" in value and value.replace("/", "").lstrip("-").isdigit():
        changed_ratio = Fraction(value) + 1
        return f"{changed_ratio.numerator}/{changed_ratio.denominator}"
    if isinstance(value, str) and value.lstrip("-").replace(".", "").isdigit():
        return value[:-1] + ("1" if value[-1] != "1" else "2")
    if isinstance(value, str):
        return value + "x"
    return "x" if value is None else None


def outcome(content: Any) -> str | None:
    """The path of the first difference, "refused" where the sheet is refused, nothing where it verifies."""
    try:
        difference = verify_sheet(content).difference
    except SheetError:
        return "refused"
    return None if difference is None else difference.path


def dotted(path: tuple[Any, ...]) -> str:
    text = "".join(f"[{key}]" if isinstance(key, int) else f".{key}" for key in path)
    return text.removeprefix(".")


def resealed(content: Any) -> Any:
    """The same sheet with the digest a forger would put there."""
    sheet, _ = read_sheet({**content, "digest": ""})
    return sheet.as_json()


@pytest.mark.parametrize("name", SMALL)
def test_a_fresh_sheet_verifies(name: str) -> None:
    sheet = small_sheet(name)
    found = verify_sheet(sheet.as_json())

    assert found.difference is None
    assert found.figures > 200
    assert found.made_by == found.verified_by == sheet.identification.code_version


def test_a_fresh_sheet_of_every_wager_verifies() -> None:
    assert verify_sheet(large_sheet().as_json()).difference is None


# By default every tenth leaf, and of every kind of leaf the first; all of them under `slow`.
TURNS = [10, pytest.param(1, marks=pytest.mark.slow)]


def some(every: list[tuple[Any, ...]], turn: int) -> list[tuple[Any, ...]]:
    """Each so many-th leaf, and the first of every kind: leaves that differ in places of lists alone are of one kind."""
    firsts: dict[tuple[Any, ...], tuple[Any, ...]] = {}
    for path in every:
        firsts.setdefault(tuple(key for key in path if isinstance(key, str)), path)
    chosen = {*firsts.values(), *every[::turn]}
    return [path for path in every if path in chosen]


@pytest.mark.usefixtures("derived_once")
@pytest.mark.parametrize("turn", TURNS)
def test_no_leaf_of_a_sheet_can_be_changed_unseen(turn: int) -> None:
    content = _jackpot()
    every = paths(content)
    changes = [(path, changed(content, path, other(at(content, path)))) for path in some(every, turn)]

    assert len(every) > 400
    assert len(changes) > 40
    assert [] == [dotted(path) for path, wrong in changes if outcome(wrong) is None]


@pytest.mark.usefixtures("derived_once")
@pytest.mark.parametrize("turn", TURNS)
def test_every_changed_figure_is_named_even_where_the_digest_was_made_anew(turn: int) -> None:
    content = _jackpot()
    said = [path for path in paths(content) if path[0] in ("wagers", "paytables", "rules")]
    figures = [path for path in said if isinstance(at(content, path), int | str)]
    made_by = [("identification", "pitboss"), ("identification", "code_version")]
    for path in some(figures, turn):
        forged = changed(content, path, other(at(content, path)))
        assert outcome(resealed(forged)) == dotted(path)
    for path in made_by:
        # Another version may have made the sheet; that is told, and no difference.
        assert outcome(resealed(changed(content, path, "0123456789abcdef"))) is None


@pytest.mark.usefixtures("derived_once")
@given(st.data())
@settings(max_examples=10, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
def test_any_leaf_changed_to_anything_is_seen(data: st.DataObject) -> None:
    check_seen(data)


@pytest.mark.slow
@pytest.mark.usefixtures("derived_once")
@given(st.data())
@settings(max_examples=500, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
def test_many_leaves_changed_to_anything_are_seen(data: st.DataObject) -> None:
    check_seen(data)


def check_seen(data: st.DataObject) -> None:
    content = _large()
    path = data.draw(st.sampled_from(_large_paths()))
    anything: st.SearchStrategy[Any] = (
        st.none() | st.integers() | st.text(max_size=8) | st.booleans() | st.just([]) | st.just({})
    )
    value = data.draw(anything | st.fractions().map(lambda f: f"{f.numerator}/{f.denominator}"))
    if value != at(content, path) or type(value) is not type(at(content, path)):
        assert outcome(changed(content, path, value)) is not None


@cache
def _jackpot() -> Any:
    """A sheet of one jackpot, which has every kind of figure but decisions."""
    game = find_game(NAME)
    return make_sheet(game, terms_of(game, paytables={"final-four": ["F4P-1"]})).as_json()


@cache
def _large() -> Any:
    return large_sheet().as_json()


@cache
def _large_paths() -> list[tuple[Any, ...]]:
    # What is derived anew from changed inputs of a whole game takes long; those are changed in the small sheet.
    return [path for path in paths(_large()) if path[0] != "inputs"]


def test_the_first_of_two_changed_figures_is_named_with_both_values() -> None:
    content = small_sheet(NAME).as_json()
    content = changed(content, ("wagers", 1, "events", 2, "count"), 81)
    content = changed(content, ("wagers", 0, "hit_frequency"), "5/17")
    found = verify_sheet(content).difference

    assert found is not None
    assert (found.path, found.sheet, found.derived) == ("wagers[0].hit_frequency", "5/17", "4/17")


def test_a_row_left_out_and_a_row_too_many_are_seen() -> None:
    content = small_sheet(NAME).as_json()
    events = content["wagers"][0]["events"]

    assert outcome(resealed(changed(content, ("wagers", 0, "events"), events[:-1]))) == "wagers[0].events[2].event"
    more = outcome(resealed(changed(content, ("wagers", 0, "events"), [*events, events[-1]])))
    assert more == "wagers[0].events[3].event"


def test_a_changed_input_changes_what_is_derived() -> None:
    content = small_sheet(NAME).as_json()

    assert outcome(changed(content, ("inputs", "paytables", "final-four", 0, "id"), "F4P-2")) is not None
    assert outcome(changed(content, ("inputs", "meters_cents"), {"final-four": [100]})) is not None
    assert outcome(changed(content, ("inputs", "wagers"), ["prime"])) is not None
    assert outcome(changed(content, ("inputs", "readings", "play_when_not_qualified"), "compare")) is not None


@pytest.mark.parametrize(
    ("path", "value", "says"),
    [
        (("inputs", "game"), "four-card-stud", "inputs.game: unknown game"),
        (("inputs", "paytables", "prime", 0, "id"), "PRW-9", "inputs.paytables.prime"),
        (("inputs", "wagers"), ["primes"], "no wager 'primes'"),
        (("inputs", "decks"), 6, "inputs.decks"),
        (("inputs", "configuration"), "game =", "not TOML"),
        (("inputs", "jackpot_wager_cents", "final-four"), 0, "inputs.jackpot_wager_cents"),
    ],
)
def test_inputs_that_state_no_terms_are_refused(path: tuple[Any, ...], value: Any, says: str) -> None:
    with pytest.raises(SheetError, match=says):
        verify_sheet(changed(small_sheet(NAME).as_json(), path, value))


def test_a_sheet_of_a_configuration_names_it_and_verifies() -> None:
    text = (
        'game = "three-card-prime"\non = 2026-11-15\n'
        '[wagers.ante-play]\npaytables = ["PW/BB-1"]\nminimum = "5.00"\nmaximum = "100.00"\n'
        '[wagers.prime]\npaytables = ["PRW-1"]\nminimum = "1.00"\nmaximum = "25.00"\n'
    )
    configuration = read_configuration(text).configuration
    assert configuration is not None
    sheet = make_sheet(find_game(NAME), configuration.terms, wagers=["prime"], configuration=configuration)
    content = sheet.as_json()

    assert sheet.identification.configuration_hash == configuration.content_hash
    assert outcome(content) is None
    dearer = configuration.canonical.replace("25.00", "20.00")
    assert dearer != configuration.canonical
    assert (
        outcome(resealed(changed(content, ("inputs", "configuration"), dearer))) == "identification.configuration_hash"
    )
    without = resealed(changed(content, ("inputs", "configuration"), None))
    assert outcome(without) == "identification.configuration_hash"


def test_verifying_reads_no_result_that_was_kept(monkeypatch: pytest.MonkeyPatch) -> None:
    from pitboss.odds.store import OddsStore  # noqa: PLC0415

    def refuse(*_arguments: Any) -> Any:
        raise AssertionError("read from the store")

    monkeypatch.setattr(OddsStore, "result", refuse)
    monkeypatch.setattr(OddsStore, "counts", refuse)

    assert outcome(small_sheet(NAME).as_json()) is None
