"""What binds every game: clauses and rulings by id, and limits that have dates and sources.

The package knows no game. A game brings its own clauses in a file beside its rules and loads them with `load_clauses`.
`law.on(date, profile)` returns the limits in force on a day in a kind of room, with their sources.
"""

import datetime
import re
import tomllib
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from importlib.resources.abc import Traversable
from types import MappingProxyType
from typing import Any, NamedTuple, TypeAlias


class Citation(NamedTuple):
    """A place in a document: its id ("TCP rule 5"), the document's file stem, and a passage of its words."""

    id: str
    document: str
    quote: str

    def __str__(self) -> str:
        return self.id


Clauses: TypeAlias = Mapping[str, Citation]


def load_clauses(file: Traversable) -> dict[str, Citation]:
    """Read a clauses file: `document` and `prefix` at the top, then under `[clauses]` a place and its words."""
    content = tomllib.loads(file.read_text(encoding="utf-8"))
    document, prefix = content["document"], content["prefix"]
    return {
        place: Citation(f"{prefix} {place}", document, quote.strip()) for place, quote in content["clauses"].items()
    }


_RULING = re.compile(r"^- \*\*(?P<id>[A-Z]+-\d+)(?P<title>[^*]*)\*\*(?P<text>.*)$")


@dataclass(frozen=True, slots=True)
class Ruling:
    """One ruling: its id, its short title where it has one, its whole text, and the switch it names, if any."""

    id: str
    title: str
    text: str

    @property
    def game_code(self) -> str:
        """The letters in front of the number: G for all games, else a game's."""
        return self.id.rpartition("-")[0]


@cache
def rulings() -> Mapping[str, Ruling]:
    """Every ruling by id, read from RULINGS.md as people read it."""
    blocks: list[list[str]] = []
    for line in files(__package__).joinpath("RULINGS.md").read_text(encoding="utf-8").splitlines():
        if line.startswith("- **"):
            blocks.append([line])
        elif line.startswith("  ") and blocks:
            blocks[-1].append(line.strip())
    parsed = [_read(" ".join(block)) for block in blocks]
    return MappingProxyType({item.id: item for item in parsed})


def _read(block: str) -> Ruling:
    match = _RULING.match(block)
    if match is None:
        raise ValueError(f"RULINGS.md: a ruling does not begin with its id in bold: {block[:60]!r}")
    return Ruling(match["id"], match["title"].strip(" ."), match["text"].strip())


def ruling(ruling_id: str) -> Ruling:
    """Return one ruling; asking for one that does not exist is a fault of the program."""
    return rulings()[ruling_id]


PROFILES = ("wa-commercial", "wa-tribal")


@dataclass(frozen=True, slots=True, kw_only=True)
class Setting:
    """One limit: its name, its value, the day from which it holds, the rooms it binds, and where it is written."""

    name: str
    value: int
    since: datetime.date
    profiles: tuple[str, ...]
    source: str
    ruling: str | None = None
    until: datetime.date | None = None
    """The last day for which the value is on file."""


@dataclass(frozen=True, slots=True)
class RuleSet:
    """The settings in force on one day in one kind of room; a limit that does not bind the room is absent."""

    date: datetime.date
    profile: str
    settings: Mapping[str, Setting]

    def __getitem__(self, name: str) -> Setting:
        setting = self.settings.get(name)
        if setting is None:
            raise NoRuleSetError(f"{self.date}: {name} of {self.profile} is not on file")
        return setting

    def get(self, name: str) -> Setting | None:
        """Return the setting, or nothing where the room is not bound by one."""
        return self.settings.get(name)

    def is_on(self, name: str) -> bool:
        """True if a setting that is 0 or 1 is in force and 1."""
        setting = self.settings.get(name)
        return setting is not None and bool(setting.value)


@cache
def _content() -> Mapping[str, Any]:
    return tomllib.loads(files(__package__).joinpath("settings.toml").read_text(encoding="utf-8"))


@cache
def _all_settings() -> tuple[Setting, ...]:
    settings = [Setting(**{**entry, "profiles": tuple(entry["profiles"])}) for entry in _content()["setting"]]
    return tuple(sorted(settings, key=lambda setting: setting.since))


def settings_of(profile: str) -> tuple[Setting, ...]:
    """Return every setting that binds a kind of room, on any day."""
    return tuple(setting for setting in _all_settings() if profile in setting.profiles)


def unread() -> Mapping[str, str]:
    """Return the rules of REGULATION.md that are recalled or not found: no one may take them for law."""
    rules: Mapping[str, str] = _content()["unread"]
    return rules


def regulation_key() -> Mapping[str, str]:
    """Return what the letter of each rule of REGULATION.md says of where it comes from."""
    rules: Mapping[str, str] = _content()["key"]
    return rules


@cache
def value_on(name: str, date: datetime.date) -> int:
    """Return the value of a setting that binds every kind of room; a day before the first has the first value."""
    values = [setting for setting in _all_settings() if setting.name == name and set(PROFILES) <= {*setting.profiles}]
    return ([setting for setting in values if setting.since <= date] or values[:1])[-1].value


def value_kept(name: str, date: datetime.date, profile: str) -> tuple[int, bool]:
    """Return a value and whether it binds this kind of room; a room that it does not bind keeps that of the others."""
    setting = on(date, profile).get(name)
    return (on(date, PROFILES[0])[name] if setting is None else setting).value, setting is not None


class NoRuleSetError(ValueError):
    """A day for which we hold no rule set, or not the value that is needed."""


@cache
def on(date: datetime.date, profile: str) -> RuleSet:
    """Return the rule set of a day and a profile; an unknown profile or a day before our papers is refused."""
    if profile not in PROFILES:
        raise ValueError(f"unknown profile {profile!r}: expected one of {', '.join(PROFILES)}")
    first = _content()["first_day"][profile]
    if date < first:
        raise NoRuleSetError(f"{date}: the limits of {profile} before {first} are not on file")
    # Sorted by date, so that a later setting of the same name replaces an earlier one.
    in_force = {
        setting.name: setting for setting in _all_settings() if profile in setting.profiles and setting.since <= date
    }
    on_file = {name: setting for name, setting in in_force.items() if setting.until is None or date <= setting.until}
    return RuleSet(date, profile, MappingProxyType(on_file))
