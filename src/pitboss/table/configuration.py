"""A table's configuration: one frozen value with a canonical text and a content hash."""

import datetime
import hashlib
import json
from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any

from pitboss.games import find_game
from pitboss.rules import AggregateLimit, Game, Problem, Terms, TermsInput, limit_words, make_terms
from pitboss.rules.posting import stated_amount, with_posted_row
from pitboss.rules.terms import BonusSharing, JackpotType

DEALT = ("shuffler", "shoe", "by-hand")
PAYOUT_LIMITS = "payout limits"
"""What the approval of aggregate payout limits is recorded for, as one of a pay table is for its id."""


def dollar_text(cents: int) -> str:
    """Write cents as a configuration does: 5.00."""
    return f"{cents // 100}.{cents % 100:02d}"


@dataclass(frozen=True, slots=True, kw_only=True)
class WagerSettings:
    """How a wager is offered: its pay tables as stated, its limits, and a cap in multiples of the base wager.

    `player_limit_cents` and `table_limit_cents` are the most that its prizes of one deal come to (G-65).
    """

    paytables: tuple[Any, ...]
    minimum_cents: int
    maximum_cents: int
    base_multiple_max: int | None = None
    player_limit_cents: int | None = None
    table_limit_cents: int | None = None

    @property
    def aggregate_limit(self) -> AggregateLimit | None:
        """The aggregate payout limit, where one is stated."""
        limit = AggregateLimit(self.player_limit_cents, self.table_limit_cents)
        return limit if limit.stated else None


@dataclass(frozen=True, slots=True, kw_only=True)
class JackpotSettings:
    """How a jackpot is offered: its pay table as stated, its fixed wager, its meter, and who pays fixed prizes."""

    paytables: tuple[Any, ...]
    wager_cents: int = 100
    meter_cents: int = 0
    fixed_prizes: str = "house"


@dataclass(frozen=True, kw_only=True, eq=False)
class Configuration:
    """Everything that is decided about a table before it opens. Equal when the canonical texts are."""

    game: str
    on: datetime.date
    profile: str = "wa-commercial"
    dealt: str = "shuffler"
    decks: int | None = None
    cut_card: int | None = None
    seats: int
    smallest_chip_cents: int = 100
    equipment: str | None = None
    readings: Mapping[str, str] = field(default_factory=dict)
    wagers: Mapping[str, WagerSettings] = field(default_factory=dict)
    jackpot_type: JackpotType = "progressive"
    bonus_sharing: BonusSharing = "full"
    jackpots: Mapping[str, JackpotSettings] = field(default_factory=dict)

    @cached_property
    def terms_spec(self) -> TermsInput:
        """What the configuration states of the terms."""
        paytables = {name: list(settings.paytables) for name, settings in self.wagers.items()}
        game, shown = find_game(self.game), self.meters
        for name, settings in self.jackpots.items():
            paytables[name] = with_posted_row(
                game, game.by_name[name], settings.paytables, self.jackpot_type, shown[name], settings.wager_cents
            )
        return TermsInput(
            paytables=paytables,
            readings=self.readings,
            decks=self.decks,
            jackpot_type=self.jackpot_type,
            jackpot_wager_cents={name: settings.wager_cents for name, settings in self.jackpots.items()},
            bonus_sharing=self.bonus_sharing,
            fixed_from_meter=frozenset(
                name for name, settings in self.jackpots.items() if settings.fixed_prizes == "meter"
            ),
            base_multiples_max={
                name: settings.base_multiple_max
                for name, settings in self.wagers.items()
                if settings.base_multiple_max is not None
            },
            **self.limit_fields,
        )

    @cached_property
    def terms_and_problems(self) -> tuple[Terms, tuple[Problem, ...]]:
        """The terms a settlement depends on, and what is wrong with them."""
        return make_terms(find_game(self.game), self.terms_spec)

    @property
    def terms(self) -> Terms:
        """The terms of a configuration without problems."""
        terms, problems = self.terms_and_problems
        if problems:
            raise ValueError("; ".join(map(str, problems)))
        return terms

    @property
    def meters(self) -> dict[str, int]:
        """What the jackpots show when the table opens, in cents; a Bonus shows the amount of its first row (G-6)."""
        return {name: settings.meter_cents or self._stated_amount(name) for name, settings in self.jackpots.items()}

    def _stated_amount(self, name: str) -> int:
        game, settings = find_game(self.game), self.jackpots[name]
        return stated_amount(game, game.by_name[name], settings.paytables, self.jackpot_type, settings.wager_cents)

    @property
    def own_tables(self) -> tuple[str, ...]:
        """The ids of the pay tables of the room's own, which need an approval of their own (G-6)."""
        tables = self.terms_and_problems[0].tables.values()
        return tuple(dict.fromkeys(table.id for table in tables if table.like))

    @property
    def limit_sentences(self) -> tuple[str, ...]:
        """The aggregate payout limits as they are posted at the table (DW step 16, REGULATION W-12)."""
        by_name = find_game(self.game).by_name
        return tuple(limit_words(by_name[name].title, limit) for name, limit in self.aggregate_limits.items())

    @property
    def aggregate_limits(self) -> dict[str, AggregateLimit]:
        """The aggregate payout limits by wager (G-65)."""
        stated = {name: settings.aggregate_limit for name, settings in self.wagers.items()}
        return {name: limit for name, limit in stated.items() if limit is not None}

    @property
    def limit_fields(self) -> dict[str, Any]:
        """The field by which terms and round records state the aggregate payout limits, where there are any."""
        limits = {name: limit.as_json() for name, limit in self.aggregate_limits.items()}
        return {"aggregate_limits": limits} if limits else {}

    @property
    def own_approvals(self) -> tuple[str, ...]:
        """What needs an approval of its own: pay tables of the room's own (G-6), aggregate payout limits (G-65)."""
        return (*self.own_tables, *([PAYOUT_LIMITS] if self.aggregate_limits else []))

    def limits(self, wager: str) -> tuple[int, int]:
        """The least and the most cents of a wager; a jackpot has one amount."""
        if wager in self.jackpots:
            fixed = self.jackpots[wager].wager_cents
            return fixed, fixed
        return self.wagers[wager].minimum_cents, self.wagers[wager].maximum_cents

    @property
    def offered(self) -> tuple[str, ...]:
        """The names of the wagers on offer, jackpots last."""
        return (*self.wagers, *self.jackpots)

    def as_dict(self) -> dict[str, Any]:
        """Return the configuration as its TOML file would state it, with nothing left to a default."""
        top: dict[str, Any] = {
            "game": self.game,
            "on": self.on.isoformat(),
            "profile": self.profile,
            "dealt": self.dealt,
            "seats": self.seats,
            "smallest_chip": dollar_text(self.smallest_chip_cents),
        }
        if self.decks is not None:
            top["decks"] = self.decks
        if self.cut_card is not None:
            top["cut_card"] = self.cut_card
        if self.equipment is not None:
            top["equipment"] = self.equipment
        if self.readings:
            top["readings"] = dict(sorted(self.readings.items()))
        game = find_game(self.game)
        order = list(game.by_name)
        wagers = sorted(self.wagers, key=order.index)
        top["wagers"] = {name: _wager_dict(game, self.wagers[name]) for name in wagers}
        if self.jackpots:
            top["jackpots"] = {"type": self.jackpot_type, "bonus_sharing": self.bonus_sharing} | {
                name: _jackpot_dict(game, self.jackpots[name]) for name in sorted(self.jackpots, key=order.index)
            }
        return top

    @cached_property
    def canonical(self) -> str:
        """The configuration as a TOML text that is the same for equal configurations and reads back to it."""
        return toml_text(self.as_dict())

    @cached_property
    def content_hash(self) -> str:
        """The SHA-256 of the canonical text."""
        return hashlib.sha256(self.canonical.encode()).hexdigest()

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Configuration) and self.canonical == other.canonical

    def __hash__(self) -> int:
        return hash(self.canonical)


def _paytables(game: Game, entries: tuple[Any, ...]) -> list[Any]:
    """Write pay tables as stated, amounts in the order of the rows."""
    return [_in_row_order(game, entry) if isinstance(entry, Mapping) else entry for entry in entries]


def _in_row_order(game: Game, entry: Mapping[str, Any]) -> dict[str, Any]:
    table = game.paytables.get(entry.get("like", entry.get("id", "")))
    rows = [] if table is None else [row.event for row in table.rows]
    out: dict[str, Any] = {key: entry[key] for key in ("id", "like") if key in entry} or {"id": None}
    for column in ("pays", "envy"):
        amounts = entry.get(column)
        if isinstance(amounts, Mapping) and amounts:
            in_rows = [event for event in rows if event in amounts]
            out[column] = {event: amounts[event] for event in (*in_rows, *sorted(set(amounts) - set(in_rows)))}
    return out | {key: value for key, value in entry.items() if key not in ("id", "like", "pays", "envy")}


def _wager_dict(game: Game, settings: WagerSettings) -> dict[str, Any]:
    out: dict[str, Any] = {
        "paytables": _paytables(game, settings.paytables),
        "minimum": dollar_text(settings.minimum_cents),
        "maximum": dollar_text(settings.maximum_cents),
    }
    if settings.base_multiple_max is not None:
        out["base_multiple_max"] = settings.base_multiple_max
    for key, cents in (("player_limit", settings.player_limit_cents), ("table_limit", settings.table_limit_cents)):
        if cents is not None:
            out[key] = dollar_text(cents)
    return out


def _jackpot_dict(game: Game, settings: JackpotSettings) -> dict[str, Any]:
    return {
        "paytables": _paytables(game, settings.paytables),
        "wager": dollar_text(settings.wager_cents),
        "meter": dollar_text(settings.meter_cents),
        "fixed_prizes": settings.fixed_prizes,
    }


def flat(node: Mapping[str, Any], prefix: str = "") -> dict[str, Any]:
    """Return a nested configuration as dotted keys with their values."""
    keys: dict[str, Any] = {}
    for key, value in node.items():
        path = f"{prefix}.{key}" if prefix else key
        if isinstance(value, Mapping):
            keys |= flat(value, path)
        else:
            keys[path] = value
    return keys


def value_text(value: Any) -> str:
    """Write a value as TOML; its strings, numbers and lists are written as in JSON."""
    if isinstance(value, Mapping):
        return "{ " + ", ".join(f"{json.dumps(key)} = {value_text(inner)}" for key, inner in value.items()) + " }"
    if isinstance(value, list | tuple):
        return "[" + ", ".join(map(value_text, value)) + "]"
    return json.dumps(value, ensure_ascii=False)


def toml_text(content: Mapping[str, Any]) -> str:
    """Write a nested configuration as TOML, whatever it says; a day that is one is written as a date."""
    plain = [f"{key} = {value_text(value)}" for key, value in content.items() if not isinstance(value, Mapping)]
    tables = []
    for name, table in content.items():
        if isinstance(table, Mapping):
            tables.append(_toml_table(name, table))
    text = "\n".join(plain) + "\n" + "".join(tables)
    on = content.get("on")
    return text.replace(f'on = "{on}"', f"on = {on}", 1) if _is_day(on) else text


def _is_day(text: Any) -> bool:
    try:
        return isinstance(text, str) and datetime.date.fromisoformat(text).isoformat() == text
    except ValueError:
        return False


def _toml_table(name: str, table: Mapping[str, Any]) -> str:
    plain = [f"{key} = {value_text(value)}" for key, value in table.items() if not isinstance(value, Mapping)]
    text = f"\n[{name}]\n" + "".join(f"{line}\n" for line in plain) if plain else ""
    for key, inner in table.items():
        if isinstance(inner, Mapping):
            text += _toml_table(f"{name}.{key}", inner)
    return text
