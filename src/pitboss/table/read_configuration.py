"""Reading a table's configuration from TOML: every problem at once, each with its key, its line and its clause."""

from __future__ import annotations

import datetime
import tomllib
from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any

from pitboss import law
from pitboss.games import UnknownGameError, find_game
from pitboss.rules import Game, MoneyError, Problem, parse_dollars
from pitboss.table.check_configuration import check_configuration
from pitboss.table.configuration import DEALT, Configuration, JackpotSettings, WagerSettings
from pitboss.table.defaults import bonus_sharing_on
from pitboss.table.limits import seats_max
from pitboss.table.locate import line_of

__all__ = ["ReadConfiguration", "read_configuration"]

_TOP = {
    "game",
    "on",
    "profile",
    "dealt",
    "decks",
    "seats",
    "smallest_chip",
    "equipment",
    "readings",
    "wagers",
    "jackpots",
}
_WAGER = {"paytables", "minimum", "maximum", "base_multiple_max"}
_JACKPOT = {"paytables", "wager", "meter", "fixed_prizes"}
_TYPES = ("progressive", "bonus")
_SHARING = ("full", "split")


@dataclass(frozen=True, slots=True)
class ReadConfiguration:
    """A configuration as far as it could be read, what is wrong with it, and what must be confirmed (G-15)."""

    configuration: Configuration | None
    problems: tuple[Problem, ...]
    notices: tuple[Problem, ...] = ()


def read_configuration(text: str) -> ReadConfiguration:
    """Read a configuration; it may be used only where no problem comes back."""
    try:
        content = tomllib.loads(text)
    except tomllib.TOMLDecodeError as error:
        return ReadConfiguration(None, (Problem("configuration", f"not TOML: {error}"),))
    reader = _Reader(content)
    configuration = reader.read()
    problems = list(reader.problems)
    notices: tuple[Problem, ...] = ()
    if configuration is not None:
        found, notices = check_configuration(configuration)
        unread = {problem.path for problem in problems}
        problems += [problem for problem in found if problem.path not in unread]
    return ReadConfiguration(
        configuration,
        tuple(sorted((_placed(problem, text) for problem in problems), key=lambda problem: problem.line or 0)),
        tuple(_placed(notice, text) for notice in notices),
    )


def _placed(problem: Problem, text: str) -> Problem:
    """Add the line; a pay table's problem stands under the wager or the jackpot that states it."""
    path = problem.path.split(".")
    if path[0] == "jackpot_wager_cents":
        path = ["jackpots", *path[1:], "wager"]
        return replace(problem, path=".".join(path), line=line_of(text, path))
    if path[0] == "paytables" and len(path) > 1:
        for section in ("wagers", "jackpots"):
            line = line_of(text, (section, path[1], "paytables"))
            if line is not None and line_of(text, (section, path[1])) is not None and _has(text, section, path[1]):
                return replace(problem, path=".".join((section, path[1], *path[:1], *path[2:])), line=line)
    return replace(problem, line=line_of(text, path))


def _has(text: str, section: str, name: str) -> bool:
    return name in tomllib.loads(text).get(section, {})


class _Reader:
    """Reads the parsed TOML, collecting problems."""

    def __init__(self, content: Mapping[str, Any]) -> None:
        self.content = content
        self.problems: list[Problem] = []

    def _refuse(self, path: str, words: str, clause: str | None = None, ruling: str | None = None) -> None:
        self.problems.append(Problem(path, words, clause, ruling))

    def read(self) -> Configuration | None:
        try:
            game = find_game(self.content.get("game"))
        except UnknownGameError as error:
            self._refuse("game", str(error))
            return None
        self._unknown(self.content, _TOP, "")
        on, profile = self._on(), self._one_of(self.content, "profile", law.PROFILES, "", law.PROFILES[0])
        if on is None:
            return None
        try:
            rule_set = law.on(on, profile)
        except law.NoRuleSetError as error:
            self._refuse("on", str(error), ruling="G-14")
            return None
        jackpots = self._table("jackpots", self.content)
        sharing = self._one_of(jackpots, "bonus_sharing", _SHARING, "jackpots.", bonus_sharing_on(game, rule_set))
        decks = self.content.get("decks", game.decks_allowed[0] if game.decks_allowed else None)
        return Configuration(
            game=game.name,
            on=on,
            profile=profile,
            dealt=self._one_of(self.content, "dealt", DEALT, "", DEALT[0]),
            decks=decks,
            seats=self._whole(self.content, "seats", "", seats_max(game, rule_set)),
            smallest_chip_cents=self._money(self.content, "smallest_chip", "", 100),
            equipment=self._text("equipment"),
            readings=self._table("readings", self.content),
            wagers=self._wagers(game),
            jackpot_type=self._one_of(jackpots, "type", _TYPES, "jackpots.", _TYPES[0]),  # type: ignore[arg-type]
            bonus_sharing=sharing,  # type: ignore[arg-type]
            jackpots=self._jackpots(game, jackpots),
        )

    def _unknown(self, table: Mapping[str, Any], known: set[str], prefix: str) -> None:
        for key in table:
            if key not in known:
                self._refuse(f"{prefix}{key}", f"unknown key; expected: {', '.join(sorted(known))}")

    def _on(self) -> datetime.date | None:
        on = self.content.get("on")
        if isinstance(on, datetime.date) and not isinstance(on, datetime.datetime):
            return on
        words = "is missing: the day whose rules are in force" if on is None else f"{on!r} must be a date"
        self._refuse("on", f"{words}, such as 2024-01-31", ruling="G-14")
        return None

    def _one_of(self, table: Mapping[str, Any], key: str, allowed: tuple[str, ...], prefix: str, default: str) -> str:
        value = table.get(key, default)
        if isinstance(value, str) and value in allowed:
            return value
        self._refuse(f"{prefix}{key}", f"{value!r} must be one of {', '.join(allowed)}")
        return default

    def _whole(self, table: Mapping[str, Any], key: str, prefix: str, default: int) -> int:
        value = table.get(key, default)
        if isinstance(value, int) and not isinstance(value, bool) and value > 0:
            return value
        self._refuse(f"{prefix}{key}", f"{value!r} must be a positive whole number")
        return default

    def _money(self, table: Mapping[str, Any], key: str, prefix: str, default: int | None) -> int:
        value = table.get(key)
        if value is None and default is not None:
            return default
        try:
            if isinstance(value, str):
                return parse_dollars(value)
            if isinstance(value, int) and not isinstance(value, bool) and value >= 0:
                return value * 100
        except MoneyError as error:
            self._refuse(f"{prefix}{key}", str(error), ruling="G-3")
            return default or 0
        words = "is missing" if value is None else f"{value!r} must be dollars in quotes"
        self._refuse(f"{prefix}{key}", f'{words}, such as "5.00"', ruling="G-3")
        return default or 0

    def _text(self, key: str) -> str | None:
        value = self.content.get(key)
        if value is None or isinstance(value, str):
            return value
        self._refuse(key, f"{value!r} must be text")
        return None

    def _table(self, key: str, parent: Mapping[str, Any]) -> dict[str, Any]:
        value = parent.get(key, {})
        if isinstance(value, dict):
            return value
        self._refuse(key, f"must be a table [{key}]")
        return {}

    def _wagers(self, game: Game) -> dict[str, WagerSettings]:
        found = {}
        for name, table in self._table("wagers", self.content).items():
            prefix = f"wagers.{name}."
            wager = game.by_name.get(name)
            if wager is None or wager.jackpot or not isinstance(table, dict):
                self._refuse(f"wagers.{name}", self._no_such(game, jackpot=False))
                continue
            self._unknown(table, _WAGER, prefix)
            cap = self._whole(table, "base_multiple_max", prefix, 1) if "base_multiple_max" in table else None
            found[name] = WagerSettings(
                paytables=self._paytables(table, prefix),
                minimum_cents=self._money(table, "minimum", prefix, None),
                maximum_cents=self._money(table, "maximum", prefix, None),
                base_multiple_max=cap,
            )
        return found

    def _jackpots(self, game: Game, tables: Mapping[str, Any]) -> dict[str, JackpotSettings]:
        found = {}
        for name, table in tables.items():
            if name in ("type", "bonus_sharing"):
                continue
            prefix = f"jackpots.{name}."
            wager = game.by_name.get(name)
            if wager is None or not wager.jackpot or not isinstance(table, dict):
                self._refuse(f"jackpots.{name}", self._no_such(game, jackpot=True))
                continue
            self._unknown(table, _JACKPOT, prefix)
            found[name] = JackpotSettings(
                paytables=self._paytables(table, prefix),
                wager_cents=self._money(table, "wager", prefix, 100),
                meter_cents=self._money(table, "meter", prefix, 0),
                fixed_prizes=self._one_of(table, "fixed_prizes", ("house", "meter"), prefix, "house"),
            )
        return found

    def _no_such(self, game: Game, *, jackpot: bool) -> str:
        names = ", ".join(wager.name for wager in game.wagers if wager.jackpot is jackpot)
        return f"{game.title} has no such {'jackpot' if jackpot else 'wager'}; it has: {names}"

    def _paytables(self, table: Mapping[str, Any], prefix: str) -> tuple[Any, ...]:
        value = table.get("paytables", [])
        if isinstance(value, list):
            return tuple(value)
        self._refuse(f"{prefix}paytables", "must be a list of pay table ids")
        return ()
