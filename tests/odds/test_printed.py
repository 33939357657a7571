"""The catalogue solved by processes is the catalogue solved one by one, and nothing is computed that is kept."""

from pathlib import Path

import pytest

from pitboss.games import find_game
from pitboss.odds import printed
from pitboss.odds.printed import catalogue, solve_catalogue
from pitboss.odds.solving import solve_terms
from pitboss.odds.store import OddsStore

GAMES = [find_game("super-three-card"), find_game("three-card-prime")]
ONE_BY_ONE = [(game, wager, terms) for game in GAMES for wager, terms in catalogue(game)]


def test_processes_give_what_one_gives_in_its_order_and_then_it_is_kept(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    expected = [solve_terms(*each) for each in ONE_BY_ONE]
    told: list[tuple[str, str]] = []
    store = OddsStore(tmp_path)
    assert solve_catalogue(GAMES, store=store, done=lambda game, wager: told.append((game, wager))) == expected
    assert sorted(told) == sorted((game.name, wager.name) for game, wager, _ in ONE_BY_ONE)
    monkeypatch.setattr(printed, "_in_processes", None)
    monkeypatch.setattr(printed, "_solve", None)
    assert solve_catalogue(GAMES, store=store) == expected


def test_one_game_is_solved_here(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(printed, "_in_processes", None)
    told: list[tuple[str, str]] = []
    results = solve_catalogue(GAMES[:1], done=lambda game, wager: told.append((game, wager)))
    assert [(result.game, result.wager) for result in results] == told
    assert len(told) == sum(1 for _ in catalogue(GAMES[0]))


def test_what_fails_in_a_process_is_raised_here(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(printed, "_solve_in_process", _fails)
    with pytest.raises(ValueError, match="no such deck"):
        printed._in_processes([game.name for game in GAMES], None, lambda *_: None)


def _fails(*_: object) -> list[dict[str, object]]:
    raise ValueError("no such deck")
