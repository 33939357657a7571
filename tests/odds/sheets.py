"""PAR sheets for tests, made once: small ones of cheap wagers, and one of everything Three Card Prime has."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache
from typing import Any

from pitboss.games import find_game
from pitboss.odds.par import Sheet, make_sheet
from pitboss.odds.par.values import to_json
from pitboss.rules import Game, Terms, TermsInput, make_terms

# What each small sheet is of: pay tables by wager, and what else is stated.
SMALL: dict[str, dict[str, Any]] = {
    "three-card-prime": {"paytables": {"prime": ["PRW-1"], "final-four": ["F4P-1"]}},
    "deuces-wild": {"paytables": {"three-card-treasure": ["TCT-B"], "bonus-jackpot": ["BJ-A"]}},
    "super-three-card": {
        "paytables": {"big-hand-bonus": ["PT-FLT-STC-BH-02"], "twenty-one-plus-three": ["PT-BJS-213-02"]},
        "decks": 8,
        "jackpot_wager_cents": {"twenty-one-plus-three": 500},
    },
    "four-card-prime": {"paytables": {"prime": ["Prime-1"], "four-card-jackpot": ["FCJ-1"]}},
    "three-card-double-play": {"paytables": {"pick-5": ["P5-1"], "super-six": ["S6J-1"]}},
}


def terms_of(game: Game, **stated: Any) -> Terms:
    """Terms that must be right."""
    terms, problems = make_terms(game, TermsInput(**{"readings": {}, **stated}))
    assert not problems, problems
    return terms


@cache
def small_sheet(name: str) -> Sheet:
    """A sheet of two cheap wagers of a game."""
    game = find_game(name)
    return make_sheet(game, terms_of(game, **SMALL[name]))


@cache
def large_sheet() -> Sheet:
    """A sheet of every wager of one game, the main wager too."""
    game = find_game("three-card-prime")
    tables = {
        "ante-play": ["PW/BB-2"],
        "prime": [{"id": "PRW-2", "pays": dict.fromkeys(ROWS[:2], "2.5") | {ROWS[2]: "Loss"}}],
        "pair-bonus": ["PB-1", "PB/LD-2"],
        "all-six": ["A6-5"],
        "final-four": ["F4P-1"],
        "all-seven": ["A7P-1"],
    }
    return make_sheet(game, terms_of(game, paytables=tables), meters={"final-four": [12_345_67, 500_000_00]})


ROWS = ("Same Color Player and Dealer Hands", "Same Color Player Hand", "others")


def changed(content: Any, path: Sequence[Any], value: Any) -> Any:
    """The same JSON with another value at a path."""
    if not path:
        return value
    if isinstance(content, dict):
        return {key: changed(each, path[1:], value) if key == path[0] else each for key, each in content.items()}
    return [changed(each, path[1:], value) if at == path[0] else each for at, each in enumerate(content)]


def paths(content: Any, so_far: tuple[Any, ...] = ()) -> list[tuple[Any, ...]]:
    """The way to every leaf; an empty list or object is one."""
    if isinstance(content, dict) and content:
        return [path for key, each in content.items() for path in paths(each, (*so_far, key))]
    if isinstance(content, list) and content:
        return [path for at, each in enumerate(content) for path in paths(each, (*so_far, at))]
    return [so_far]


def at(content: Any, path: Sequence[Any]) -> Any:
    """What stands at a path."""
    for key in path:
        content = content[key]
    return content


def plain(sheet: Sheet) -> Any:
    """A sheet as JSON, without its digest."""
    return to_json(sheet)
