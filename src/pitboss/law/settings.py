"""Dated settings: `law.on(date, profile)` gives the limits in force on a day in a kind of room, with their sources."""

from __future__ import annotations

import datetime
import tomllib
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from types import MappingProxyType

__all__ = ["PROFILES", "NoRuleSetError", "RuleSet", "Setting", "on"]

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


@dataclass(frozen=True, slots=True)
class RuleSet:
    """The settings in force on one day in one kind of room; a limit that does not bind the room is absent."""

    date: datetime.date
    profile: str
    settings: Mapping[str, Setting]

    def __getitem__(self, name: str) -> Setting:
        return self.settings[name]

    def get(self, name: str) -> Setting | None:
        """Return the setting, or nothing where the room is not bound by one."""
        return self.settings.get(name)


@cache
def _all_settings() -> tuple[Setting, ...]:
    content = tomllib.loads(files(__package__).joinpath("settings.toml").read_text(encoding="utf-8"))
    found = [Setting(**{**entry, "profiles": tuple(entry["profiles"])}) for entry in content["setting"]]
    return tuple(sorted(found, key=lambda setting: setting.since))


def _by_name(profile: str) -> dict[str, list[Setting]]:
    groups: dict[str, list[Setting]] = {}
    for setting in _all_settings():
        if profile in setting.profiles:
            groups.setdefault(setting.name, []).append(setting)
    return groups


class NoRuleSetError(ValueError):
    """A day for which we hold no rule set."""


@cache
def on(date: datetime.date, profile: str) -> RuleSet:
    """Return the rule set of a day and a profile; an unknown profile or a day before our papers is refused."""
    if profile not in PROFILES:
        raise ValueError(f"unknown profile {profile!r}: expected one of {', '.join(PROFILES)}")
    first = max(min(s.since for s in group) for group in _by_name(profile).values())
    if date < first:
        raise NoRuleSetError(f"{date}: the limits of {profile} before {first} are not on file")
    # Sorted by date, so that a later setting of the same name replaces an earlier one.
    in_force = {
        setting.name: setting for setting in _all_settings() if profile in setting.profiles and setting.since <= date
    }
    return RuleSet(date, profile, MappingProxyType(in_force))
