"""Reading a table's equipment from TOML: every key looked at, every problem at once."""

from __future__ import annotations

import tomllib
from typing import Any

from pitboss.books import RefusedError
from pitboss.tabulator.setup import AlarmLimits, Sensor, TableSetup, sensors_for

_TEXTS = ("table", "game", "model", "down_method", "profile", "device")
_NUMBERS = ("seats", "counter_digits")
_LISTS = ("wagers", "lights", "entered")
_REQUIRED = ("table", "game", "model", "seats")
_KEYS = {*_TEXTS, *_NUMBERS, *_LISTS, "sensors", "limits"}


def read_setup(text: str) -> TableSetup:
    """Parse a table's equipment; the law is not checked here.

    `wagers` lays the same wagers out at every seat, one sensor each, and `lights` names those with a light; `sensors`
    lists it sensor by sensor instead, each as [position, number, wager, light].
    """
    try:
        content = tomllib.loads(text)
    except tomllib.TOMLDecodeError as error:
        raise RefusedError([f"this is no TOML: {error}"]) from None
    problems = [f"{key} is missing" for key in _REQUIRED if key not in content]
    problems += [f"{key!r} is no key of a table's equipment" for key in content if key not in _KEYS]
    problems += [f"{key}: must be text" for key in _TEXTS if not isinstance(content.get(key, ""), str)]
    problems += [f"{key}: must be a whole number" for key in _NUMBERS if type(content.get(key, 0)) is not int]
    problems += [f"{key}: must be names of wagers" for key in _LISTS if not _is_names(content.get(key, []))]
    limits = _limits(content.get("limits", {}), problems)
    sensors = _sensors(content, problems)
    if problems:
        raise RefusedError(problems)
    plain: dict[str, Any] = {key: content[key] for key in (*_TEXTS, *_NUMBERS) if key in content}
    return TableSetup(**plain, sensors=sensors, entered=tuple(content.get("entered", ())), limits=limits)


def _is_names(value: object) -> bool:
    return isinstance(value, list) and all(isinstance(name, str) for name in value)


def _limits(content: Any, problems: list[str]) -> AlarmLimits:
    names = AlarmLimits._fields
    if not isinstance(content, dict) or any(
        key not in names or type(value) is not int for key, value in content.items()
    ):
        problems.append(f"limits: whole numbers for some of {', '.join(names)}")
        return AlarmLimits()
    return AlarmLimits(**content)


def _sensors(content: dict[str, Any], problems: list[str]) -> tuple[Sensor, ...]:
    rows = content.get("sensors")
    if rows is None:
        wagers, seats = content.get("wagers", []), content.get("seats", 0)
        if not _is_names(wagers) or type(seats) is not int:
            return ()
        return sensors_for(str(content.get("model")), seats, wagers, content.get("lights", ()))
    if "wagers" in content or "lights" in content:
        problems.append("sensors: either sensor by sensor, or the same wagers at every seat")
    kinds = (int, int, str, bool)
    if not isinstance(rows, list) or any(
        not isinstance(row, list) or tuple(map(type, row)) not in (kinds, kinds[:3]) for row in rows
    ):
        problems.append('sensors: each as [position, number, wager, light], such as [1, 1, "WAGER", true]')
        return ()
    return tuple(Sensor(*row) for row in rows)
