"""Golden results: the analyser gives what the files hold, so does the second method, and nothing is written that differs."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from dataclasses import replace
from fractions import Fraction
from pathlib import Path

import pytest

from pitboss.games import game_names
from tests.golden import analyser, entries, second, write
from tests.golden.entries import FOLDER, Agreed, Entry

GAMES = game_names()
# The methods that take longer than `make test` has time for: there a shortened deck shows the same wagers, hand by hand.
LONG = {
    ("three-card-prime", "all-seven"),
    ("deuces-wild", "ante-play-raise"),
    ("deuces-wild", "five-card-fortune"),
    ("super-three-card", "ante-odds-play"),
    ("super-three-card", "big-hand-bonus"),
    ("four-card-prime", "aces-baby"),
    ("four-card-prime", "ante-raise"),
    ("three-card-double-play", "high-low"),
    ("three-card-double-play", "pick-3"),
    ("three-card-double-play", "pick-5"),
}
# What may ask the product: the analyser's own method, and what compares the two.
MAY_IMPORT_THE_PRODUCT = {"analyser.py", "write.py"}


def golden(game: str) -> list[Agreed]:
    return entries.read(FOLDER / f"{game}.csv")


def is_long(entry: Entry) -> bool:
    return (entry.game, entry.wager) in LONG or entry.basis == "beside-high-low"


def grouped(game: str) -> pytest.MarkDecorator:
    """What is counted once serves all tests of a game, if one worker runs them."""
    return pytest.mark.xdist_group(f"golden {game}")


def wagers() -> Iterator[object]:
    """Every line under `slow`; always, where the method is not long, the first line of each wager."""
    for game in GAMES:
        for wager in dict.fromkeys(each.entry.wager for each in golden(game)):
            every = [each for each in golden(game) if each.entry.wager == wager]
            first = next((each for each in every if not is_long(each.entry)), None)
            if first is not None:
                yield pytest.param([first], marks=grouped(game), id=f"{game} {wager}")
            yield pytest.param(every, marks=[grouped(game), pytest.mark.slow], id=f"{game} {wager} (all lines)")


def test_every_game_has_its_file() -> None:
    assert sorted(GAMES) == sorted(file.stem for file in FOLDER.glob("*.csv"))


@pytest.mark.parametrize("game", [pytest.param(game, marks=grouped(game)) for game in GAMES])
def test_the_analyser_gives_what_the_file_holds_and_nothing_more(game: str) -> None:
    assert [(each.entry, each.ev, each.one) for each in golden(game)] == list(analyser.results(game))


@pytest.mark.parametrize("asked", [*wagers()])
def test_the_second_method_gives_what_the_file_holds(asked: list[Agreed]) -> None:
    assert [each.ev for each in asked] == [second.expectation(each.entry) for each in asked]
    assert [each.two for each in asked] == [second.method(each.entry) for each in asked]


def second_method_modules() -> list[Path]:
    own = [file for file in FOLDER.glob("*.py") if not file.name.startswith("test_")]
    return [file for file in own if file.name not in MAY_IMPORT_THE_PRODUCT] + list(
        (FOLDER.parent / "twin").glob("*.py")
    )


@pytest.mark.parametrize("module", second_method_modules(), ids=lambda file: f"{file.parent.name}/{file.name}")
def test_the_second_method_uses_nothing_of_the_product(module: Path) -> None:
    imported = set()
    for node in ast.walk(ast.parse(module.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Import):
            imported |= {alias.name.split(".")[0] for alias in node.names}
        elif isinstance(node, ast.ImportFrom) and node.module:
            imported.add(node.module.split(".")[0])
    assert "pitboss" not in imported


@pytest.fixture
def both_say_what_the_files_hold(monkeypatch: pytest.MonkeyPatch) -> dict[Entry, Agreed]:
    """Both methods answer at once, from the files."""
    held = {each.entry: each for game in GAMES for each in golden(game)}

    def results(game: str) -> Iterator[tuple[Entry, Fraction, str]]:
        yield from ((each.entry, each.ev, each.one) for each in held.values() if each.entry.game == game)

    monkeypatch.setattr(analyser, "results", results)
    monkeypatch.setattr(second, "expectation", lambda entry: held[entry].ev)
    return held


def test_what_both_methods_say_is_written_as_it_is_held(
    tmp_path: Path, both_say_what_the_files_hold: dict[Entry, Agreed]
) -> None:
    assert write.main(tmp_path) == 0

    assert both_say_what_the_files_hold
    for game in GAMES:
        assert (FOLDER / f"{game}.csv").read_bytes() == (tmp_path / f"{game}.csv").read_bytes()


@pytest.mark.parametrize("game", GAMES)
def test_a_figure_on_which_the_methods_differ_is_refused(
    game: str,
    tmp_path: Path,
    both_say_what_the_files_hold: dict[Entry, Agreed],
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    held = both_say_what_the_files_hold
    wrong = [each for each in held.values() if each.entry.game == game][-1]
    said = {**held, wrong.entry: replace(wrong, ev=wrong.ev + Fraction(1, 10**15))}
    monkeypatch.setattr(second, "expectation", lambda entry: said[entry].ev)

    assert write.main(tmp_path) == 1

    expected = f"{wrong.entry}: the analyser says {wrong.ev}, the second method {said[wrong.entry].ev}\n"
    assert expected == capsys.readouterr().out
    assert [] == list(tmp_path.iterdir())
