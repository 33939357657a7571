"""The equipment of a table: its model, what each sensor counts, what is done when it is down; read from TOML."""

from __future__ import annotations

import tomllib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Annotated, Any, Literal, NamedTuple, TypeAlias, get_args

from pitboss.books import RefusedError
from pitboss.commands import Bounds, Count, Name, Seat
from pitboss.tabulator.equipment import NONE, Model, find_model

DownMethod: TypeAlias = Literal["on-the-spot", "suspend"]
"""When the equipment is down: wagers stay on the spot and are settled by hand, or the jackpots are suspended (E-09)."""
DOWN_METHODS: tuple[DownMethod, ...] = get_args(DownMethod)


class Sensor(NamedTuple):
    """One sensor: its position, its number there, the wager it counts, and whether it has a light of its own."""

    position: Seat
    number: Seat
    wager: Name
    light: bool = False


class AlarmLimits(NamedTuple):
    """When an alarm is raised: rounds without a wager, presses on end with one, corrections, seconds of a clock."""

    silent_rounds: Count = 200
    stuck_presses: Count = 12
    disagreements: Count = 3
    clock_seconds: Count = 5


_USUAL_LIMITS = AlarmLimits()


@dataclass(frozen=True, slots=True, kw_only=True)
class TableSetup:
    """A table's equipment as it is configured; it changes only while the table is closed.

    `sensors` says what each sensor counts, a jackpot wager or any other (participation); `entered` are the wagers that
    a dealer enters at the console where there is no sensor. `device` is the name of the table's device on the line.
    Seats are numbered as positions are: seat 1 is on the dealer's left (G-16, E-10).
    """

    table: Name
    game: Name
    model: Name
    seats: Seat
    sensors: Annotated[tuple[Sensor, ...], Bounds(most=200)] = ()
    entered: Annotated[tuple[Name, ...], Bounds(most=8)] = ()
    down_method: DownMethod = "suspend"
    profile: Name = "wa-commercial"
    device: Annotated[str, Bounds(most=120)] = ""
    counter_digits: Count | None = None
    limits: AlarmLimits = _USUAL_LIMITS

    @property
    def equipment(self) -> Model:
        """The model, which must be a known one."""
        model = find_model(self.model)
        assert model is not None, self.model
        return model

    @property
    def wagers(self) -> tuple[str, ...]:
        """The wagers that are counted at this table."""
        return tuple(dict.fromkeys((*(sensor.wager for sensor in self.sensors), *self.entered)))

    @property
    def by_place(self) -> dict[tuple[int, int], Sensor]:
        """The sensors by position and number."""
        return {(sensor.position, sensor.number): sensor for sensor in self.sensors}

    def sensor_of(self, seat: int, wager: str) -> Sensor | None:
        """Return the sensor that counts a wager of a seat."""
        return next((sensor for sensor in self.sensors if (sensor.position, sensor.wager) == (seat, wager)), None)

    def counted(self, seen: Sequence[tuple[int, int]]) -> dict[str, tuple[int, ...]]:
        """Return by wager the seats in play whose sensor sees one; a wager nobody made has no seat (E-01)."""
        places = self.by_place
        by_wager: dict[str, list[int]] = {wager: [] for wager in self.wagers}
        for place in seen:
            sensor = places.get(place)
            if sensor is not None and sensor.position <= self.seats:
                by_wager[sensor.wager].append(sensor.position)
        return {wager: tuple(sorted(seats)) for wager, seats in by_wager.items()}

    def stray(self, seen: Sequence[tuple[int, int]]) -> tuple[tuple[int, int], ...]:
        """Return what was seen where no wager is counted: an unknown sensor, or a position not in play (W-09)."""
        places = self.by_place
        return tuple(sorted(place for place in seen if place not in places or place[0] > self.seats))

    def to_json(self) -> dict[str, Any]:
        """Write the setup as the journal has it."""
        plain = ("table", "game", "model", "seats", "down_method", "profile", "device", "counter_digits")
        payload: dict[str, Any] = {name: getattr(self, name) for name in plain}
        return payload | {
            "sensors": [list(sensor) for sensor in self.sensors],
            "entered": list(self.entered),
            "limits": self.limits._asdict(),
        }

    @classmethod
    def from_json(cls, payload: Mapping[str, Any]) -> TableSetup:
        """Read what `to_json` wrote."""
        read = {
            "sensors": tuple(Sensor(*sensor) for sensor in payload["sensors"]),
            "entered": tuple(payload["entered"]),
            "limits": AlarmLimits(**payload["limits"]),
        }
        return cls(**{**payload, **read})


def sensors_for(model: str, seats: int, wagers: Sequence[str], lights: Sequence[str] = ()) -> tuple[Sensor, ...]:
    """Return sensors for the same wagers at every seat; `lights` are the wagers whose sensors have a light."""
    if model == NONE:
        return ()
    return tuple(
        Sensor(seat, number, wager, wager in lights)
        for seat in range(1, seats + 1)
        for number, wager in enumerate(wagers, start=1)
    )


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
