"""Reading a table's configuration from TOML: defaults, and all problems at once with key, line and clause."""

import datetime
import re
import tomllib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from typing import Any

from pitboss import law
from pitboss.games import UnknownGameError, find_game
from pitboss.rules import Game, MoneyError, Problem, Slot, Wager, parse_dollars
from pitboss.table.checks import bonus_sharing_on, check_configuration, seats_usual
from pitboss.table.configuration import DEALT, Configuration, JackpotSettings, WagerSettings, flat, value_text

_HEADER = re.compile(r"^\s*\[\[?([^\[\]]+)\]\]?\s*(?:#.*)?$")
_KEY = re.compile(r"^\s*((?:[A-Za-z0-9_-]+|\"[^\"]*\"|'[^']*')(?:\s*\.\s*(?:[A-Za-z0-9_-]+|\"[^\"]*\"|'[^']*'))*)\s*=")

_TEXT_LENGTH_MAX, _DEPTH_MAX, _PROBLEMS_MAX = 64_000, 20, 100
# Strings and comments, also such as never end, so that no text is looked at twice; the signs of keys and nestings.
_TOKEN = re.compile(
    r'''"""(?:[^"\\]|\\.|"{1,2}(?!"))*(?:"{3,5}|\\|\Z)'''
    r"""|'{3}(?:[^']|'{1,2}(?!'))*(?:'{3,5}|\Z)"""
    r"""|"(?:[^"\\\n]|\\[^\n])*(?:"|\\|(?=\n)|\Z)|'[^'\n]*(?:'|(?=\n)|\Z)|\#[^\n]*|[.=,\n\[\]{}]""",
    re.DOTALL,
)


def read_toml(text: str, most: int = _TEXT_LENGTH_MAX) -> dict[str, Any]:
    """Parse TOML that somebody sent; refuse what is long or nests deep, for which a parser takes gigabytes."""
    if len(text) > most:
        raise tomllib.TOMLDecodeError(f"a text has at most {most:,} characters")
    dots = depth = 0
    for match in _TOKEN.finditer(text):
        mark = match[0]
        # Dots within a number or a name count too: nobody writes twenty of them into one key or value.
        dots = dots + 1 if mark == "." else 0 if mark in "=,\n[]{}" else dots
        depth += 1 if mark in ("[", "{") else -1 if mark in ("]", "}") else 0
        if max(dots, depth) > _DEPTH_MAX:
            raise tomllib.TOMLDecodeError(f"a key or a value nests at most {_DEPTH_MAX} deep")
    try:
        return tomllib.loads(text)
    except (RecursionError, OverflowError, ValueError) as error:
        if isinstance(error, tomllib.TOMLDecodeError):
            raise
        raise tomllib.TOMLDecodeError("a number or a date is out of range") from None


def _parts(dotted: str) -> tuple[str, ...]:
    """Split a dotted key as TOML does, by letting TOML do it."""
    try:
        node: Any = tomllib.loads(f"{dotted} = 0")
    except tomllib.TOMLDecodeError:
        return ()
    parts = []
    while isinstance(node, dict):
        key, node = next(iter(node.items()))
        parts.append(key)
    return tuple(parts)


@lru_cache(maxsize=4)
def _lines(text: str) -> dict[tuple[str, ...], int]:
    """Return by key the line that states it first."""
    lines: dict[tuple[str, ...], int] = {}
    header: tuple[str, ...] = ()
    for number, line in enumerate(text.splitlines(), start=1):
        if match := _HEADER.match(line):
            header = _parts(match[1])
            lines.setdefault(header, number)
        elif match := _KEY.match(line):
            lines.setdefault(header + _parts(match[1]), number)
    return lines


def line_of(text: str, path: Sequence[str]) -> int | None:
    """Find the line of a key, or of the nearest thing around it that has a line of its own."""
    lines = _lines(text)
    for length in range(len(path), 0, -1):
        prefix = tuple(path[:length])
        if prefix in lines:
            return lines[prefix]
        inside = [number for key, number in lines.items() if key[:length] == prefix]
        if inside:
            return min(inside)
    return None


_MINIMUM_CENTS = 500
_BONUS_MINIMUM_CENTS, _BONUS_MAXIMUM_CENTS = 100, 2500
_SINGLE_WAGER_CENTS = 50_000  # where no law sets a limit
_METER_CENTS = 1_000_000


def default_configuration(
    game: Game, on: datetime.date, profile: str = "wa-commercial", *, decks: int | None = None
) -> Configuration:
    """Make the default table: every wager with the first table that needs no amounts, as many jackpots as allowed."""
    rule_set = law.on(on, profile)
    largest = rule_set.get("single_wager_cents_max")
    single = _SINGLE_WAGER_CENTS if largest is None else largest.value
    jackpots = game.jackpots[: game.approval.jackpots_max_on(on)]
    return Configuration(
        game=game.name,
        on=on,
        profile=profile,
        decks=decks if decks is not None or not game.decks_allowed else game.decks_allowed[0],
        seats=seats_usual(game, rule_set),
        equipment=_usual_equipment(game),
        bonus_sharing=bonus_sharing_on(rule_set),
        wagers={
            wager.name: WagerSettings(
                paytables=_first_tables(game, wager),
                minimum_cents=_MINIMUM_CENTS if _is_main(wager) else _BONUS_MINIMUM_CENTS,
                maximum_cents=_main_maximum(single, wager) if _is_main(wager) else _BONUS_MAXIMUM_CENTS,
            )
            for wager in game.wagers
            if not wager.jackpot
        },
        jackpots={
            wager.name: JackpotSettings(paytables=_first_tables(game, wager), meter_cents=_METER_CENTS)
            for wager in jackpots
        },
    )


def _usual_equipment(game: Game) -> str | None:
    return game.approval.equipment[0] if game.approval.equipment_required else None


def differences(configuration: Configuration) -> tuple[str, ...]:
    """List what differs from the default table of the game, a line each."""
    game = find_game(configuration.game)
    plain = default_configuration(game, configuration.on, configuration.profile)
    default, ours = flat(plain.as_dict()), flat(configuration.as_dict())
    changed = [f"{key} = {value_text(ours[key])}" for key in ours if ours[key] != default.get(key)]
    gone = [f"{key.removesuffix('.paytables')}: not offered" for key in default if _not_offered(key, ours)]
    return (*changed, *gone)


def _not_offered(key: str, ours: dict[str, Any]) -> bool:
    return key.endswith(".paytables") and key not in ours


def _main_maximum(single_cents: int, wager: Wager) -> int:
    """The most whole dollars whose largest multiple stays within the single wager limit (G-14)."""
    return single_cents // wager.multiple_max // 100 * 100


def _is_main(wager: Wager) -> bool:
    return len(wager.parts) > 1


def _first_tables(game: Game, wager: Wager) -> tuple[str, ...]:
    return tuple(_first_table(game, slot) for slot in wager.slots if not slot.fixed)


def _first_table(game: Game, slot: Slot) -> str:
    complete = (table_id for table_id in slot.ids if not game.paytables[table_id].operator_set)
    # Where every table has operator-set cells the first one stands, with the default the ruling gives them.
    return next(complete, slot.ids[0])


_TOP = {
    "game",
    "on",
    "profile",
    "dealt",
    "decks",
    "cut_card",
    "seats",
    "smallest_chip",
    "equipment",
    "readings",
    "wagers",
    "jackpots",
}
_WAGER = {"paytables", "minimum", "maximum", "base_multiple_max", "player_limit", "table_limit"}
_JACKPOT = {"paytables", "wager", "meter", "fixed_prizes"}
_TYPES = ("progressive", "bonus")
_SHARING = ("full", "split")


@dataclass(frozen=True, slots=True)
class ReadConfiguration:
    """A configuration as far as it could be read, what is wrong with it, and what must be confirmed (G-15)."""

    configuration: Configuration | None
    problems: tuple[Problem, ...]
    notices: tuple[Problem, ...] = ()


def read_configuration(text: str, **stated: Any) -> ReadConfiguration:
    """Read a configuration; it may be used only where no problem comes back. `stated` stands in place of its keys."""
    try:
        content = read_toml(text)
    except tomllib.TOMLDecodeError as error:
        return ReadConfiguration(None, (Problem("configuration", f"not TOML: {error}"),))
    reader = _Reader({**content, **stated})
    configuration = reader.read()
    problems = list(reader.problems)
    notices: tuple[Problem, ...] = ()
    if configuration is not None:
        faults, notices = check_configuration(configuration)
        unread = {problem.path for problem in problems}
        problems += [problem for problem in faults if problem.path not in unread]
    problems = problems[:_PROBLEMS_MAX]
    return ReadConfiguration(
        configuration,
        tuple(sorted((_placed(problem, text) for problem in problems), key=lambda problem: problem.line or 0)),
        tuple(_placed(notice, text) for notice in notices),
    )


def configuration_as_written(text: str) -> Configuration:
    """Read a configuration that was checked when it was written: the rules of today are not asked again (T-16)."""
    content = tomllib.loads(text)
    reader = _Reader(content)
    configuration = reader.read()
    if reader.problems or configuration is None:
        raise ValueError("; ".join(map(str, reader.problems)) or "no configuration")
    return configuration


def _placed(problem: Problem, text: str) -> Problem:
    """Add the line; a pay table's problem stands under the wager or the jackpot that states it."""
    path = problem.path.split(".")
    if path[0] == "jackpot_wager_cents":
        path = ["jackpots", *path[1:], "wager"]
        return replace(problem, path=".".join(path), line=line_of(text, path))
    if path[0] == "aggregate_limits" and len(path) > 1:
        path = ["wagers", path[1]]
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
        sharing = self._one_of(jackpots, "bonus_sharing", _SHARING, "jackpots.", bonus_sharing_on(rule_set))
        decks = self.content.get("decks", game.decks_allowed[0] if game.decks_allowed else None)
        return Configuration(
            game=game.name,
            on=on,
            profile=profile,
            dealt=self._one_of(self.content, "dealt", DEALT, "", DEALT[0]),
            decks=decks,
            cut_card=self._whole(self.content, "cut_card", "", 1) if "cut_card" in self.content else None,
            seats=self._whole(self.content, "seats", "", seats_usual(game, rule_set)),
            smallest_chip_cents=self._money(self.content, "smallest_chip", "", 100),
            equipment=self._text("equipment"),
            readings=self._table("readings", self.content),
            wagers=self._wagers(game),
            jackpot_type=self._one_of(jackpots, "type", _TYPES, "jackpots.", _TYPES[0]),  # type: ignore[arg-type]
            bonus_sharing=sharing,  # type: ignore[arg-type]
            jackpots=self._jackpots(game, jackpots),
        )

    def _unknown(self, table: Mapping[str, Any], allowed: set[str], prefix: str) -> None:
        for key in table:
            if key not in allowed:
                self._refuse(f"{prefix}{key}", f"unknown key; expected: {', '.join(sorted(allowed))}")

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

    def _limit(self, table: Mapping[str, Any], key: str, prefix: str) -> int | None:
        return self._money(table, key, prefix, None) if key in table else None

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
        settings = {}
        for name, table in self._table("wagers", self.content).items():
            prefix = f"wagers.{name}."
            wager = game.by_name.get(name)
            if wager is None or wager.jackpot or not isinstance(table, dict):
                self._refuse(f"wagers.{name}", self._no_such(game, jackpot=False))
                continue
            self._unknown(table, _WAGER, prefix)
            cap = self._whole(table, "base_multiple_max", prefix, 1) if "base_multiple_max" in table else None
            settings[name] = WagerSettings(
                paytables=self._paytables(table, prefix),
                minimum_cents=self._money(table, "minimum", prefix, None),
                maximum_cents=self._money(table, "maximum", prefix, None),
                base_multiple_max=cap,
                player_limit_cents=self._limit(table, "player_limit", prefix),
                table_limit_cents=self._limit(table, "table_limit", prefix),
            )
        return settings

    def _jackpots(self, game: Game, tables: Mapping[str, Any]) -> dict[str, JackpotSettings]:
        settings = {}
        for name, table in tables.items():
            if name in ("type", "bonus_sharing"):
                continue
            prefix = f"jackpots.{name}."
            wager = game.by_name.get(name)
            if wager is None or not wager.jackpot or not isinstance(table, dict):
                self._refuse(f"jackpots.{name}", self._no_such(game, jackpot=True))
                continue
            self._unknown(table, _JACKPOT, prefix)
            settings[name] = JackpotSettings(
                paytables=self._paytables(table, prefix),
                wager_cents=self._money(table, "wager", prefix, 100),
                meter_cents=self._money(table, "meter", prefix, 0),
                fixed_prizes=self._one_of(table, "fixed_prizes", ("house", "meter"), prefix, "house"),
            )
        return settings

    def _no_such(self, game: Game, *, jackpot: bool) -> str:
        names = ", ".join(wager.name for wager in game.wagers if wager.jackpot is jackpot)
        return f"{game.title} has no such {'jackpot' if jackpot else 'wager'}; it has: {names}"

    def _paytables(self, table: Mapping[str, Any], prefix: str) -> tuple[Any, ...]:
        value = table.get("paytables", [])
        if isinstance(value, list):
            return tuple(value)
        self._refuse(f"{prefix}paytables", "must be a list of pay table ids")
        return ()
