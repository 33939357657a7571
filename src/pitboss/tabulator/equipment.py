"""The models of the Bonus Jackpot System as data, each with the words of the approved rules it rests on."""

import tomllib
from collections.abc import Mapping
from dataclasses import dataclass, replace
from functools import cache
from importlib.resources import files
from typing import Any, Literal, TypeAlias

from pitboss.games import all_games
from pitboss.law import Citation
from pitboss.law.papers import equipment_title
from pitboss.table.checks import NO_EQUIPMENT

NONE = NO_EQUIPMENT
"""The name that stands for a table without equipment."""
Lights: TypeAlias = Literal["panel", "sensors", "nowhere"]
"""Where a counted wager is shown: on the dealer's panel, at its sensor, or nowhere."""
Counts: TypeAlias = Literal["at-once", "batches", "console"]
"""How counts come to us: with each press, in batches of a data logger, or by the dealer's entry at the console."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Model:
    """One model: what it can sense, where it shows that, how its counts come to us, and what it may run.

    `displays` and `jackpots` are what it may run in a room that the WAC binds (G-13); `quotes` has, by field, the
    words that say so, which stand at `source`.
    """

    name: str
    title: str
    sensors: int
    positions: int
    lights: Lights
    counter: bool
    counts: Counts
    displays: tuple[str, ...]
    jackpots: tuple[str, ...]
    source: Citation
    quotes: Mapping[str, str]

    @property
    def is_linked(self) -> bool:
        """True if its counts come over a line, from a device with a name."""
        return self.counts != "console"

    def to_json(self) -> dict[str, Any]:
        """Write the model for people and programs."""
        plain = ("name", "title", "sensors", "positions", "lights", "counter", "counts")
        fields: dict[str, Any] = {name: getattr(self, name) for name in plain}
        return fields | {
            "displays": list(self.displays),
            "jackpots": list(self.jackpots),
            "source": self.source.id,
            "quotes": dict(self.quotes),
        }


@cache
def _content() -> dict[str, Any]:
    return tomllib.loads(files(__package__).joinpath("equipment.toml").read_text(encoding="utf-8"))


def _model(fields: Mapping[str, Any]) -> Model:
    quotes = dict(fields["quotes"])
    source = Citation(fields["source"]["id"], fields["source"]["document"], next(iter(quotes.values())))
    lists = {name: tuple(fields[name]) for name in ("displays", "jackpots")}
    title = equipment_title(fields["name"])
    return Model(**{**fields, **lists, "title": title, "source": source, "quotes": quotes})


@cache
def models() -> Mapping[str, Model]:
    """Return every model by name, the simplest first; `none` stands for a table without equipment."""
    return {fields["name"]: _model(fields) for fields in _content()["model"]}


_HIGHEST = "andromeda-5a"


@cache
def find_model(name: str) -> Model | None:
    """Find a model by its name; one of the room's own can what the highest described can (G-13, G-15)."""
    model = models().get(name)
    if model is None and any(game.approval.is_own_model(name) for game in all_games()):
        return replace(models()[_HIGHEST], name=name, title=equipment_title(name))
    return model


@cache
def clause(name: str) -> Citation:
    """Find what all models have in common by its short name."""
    fields = _content()["clauses"][name]
    return Citation(fields["id"], fields["document"], fields["quote"])
