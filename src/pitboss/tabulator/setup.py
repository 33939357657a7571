"""The equipment of a table, read from TOML: its model, what each sensor counts, what is done when down; its checks."""

from __future__ import annotations

import datetime
import tomllib
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Annotated, Any, Literal, NamedTuple, TypeAlias, get_args

from pitboss import law
from pitboss.books import BookState, RefusedError
from pitboss.commands import Bounds, Count, Name, Seat
from pitboss.games import UnknownGameError, find_game
from pitboss.jackpot import JACKPOTS, Jackpot
from pitboss.jackpot.titles import wager_title
from pitboss.rules import Game, Problem
from pitboss.table.checks import check_equipment, check_jackpot_count, check_seats, equipment_notices
from pitboss.table.reading import read_toml
from pitboss.tabulator.equipment import NONE, Model, clause, find_model, models

DownMethod: TypeAlias = Literal["on-the-spot", "suspend"]
"""When the equipment is down: wagers stay on the spot and are settled by hand, or the jackpots are suspended (E-09)."""
DOWN_METHODS: tuple[DownMethod, ...] = get_args(DownMethod)
DOWN_STEPS: dict[DownMethod, tuple[str, ...]] = {
    "on-the-spot": (
        "Leave every jackpot wager on its spot until it is settled by hand (E-09, E-10).",
        "Tap the seats that have one and press for each round, or keep a tally of rounds and of wagers by seat.",
        "When it counts again, a supervisor returns it to service with an approver and compares the tally.",
    ),
    "suspend": (
        "Take no jackpot wager, and give back what lies there (E-09).",
        "Deal the game on; nothing is counted until a supervisor returns it to service with an approver.",
    ),
}
"""What a dealer does by each method, as the console tells it when it is needed."""


class Sensor(NamedTuple):
    """One sensor: its position, its number there, the wager it counts, and whether it has a light of its own."""

    position: Seat
    number: Seat
    wager: Name
    light: bool = False


class AlarmLimits(NamedTuple):
    """When an alarm is raised: rounds without a wager, presses on end with one, corrections, seconds of a clock.

    More rounds a minute than a table can deal, and what happened longer ago, are not counted (G-76).
    """

    silent_rounds: Count = 200
    stuck_presses: Count = 12
    disagreements: Count = 3
    clock_seconds: Count = 5
    rounds_a_minute: Count = 10
    late_hours: Count = 72

    def to_json(self) -> dict[str, int]:
        """Write them as the journal has them; those that came later only where they differ."""
        return {name: value for name, value in self._asdict().items() if self.later_fields.get(name) != value}

    @property
    def later_fields(self) -> dict[str, int]:
        """The fields that came later, with what they say where nothing is stated."""
        return {name: self._field_defaults[name] for name in ("rounds_a_minute", "late_hours")}


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

    def title(self, wager: str) -> str:
        """Return what a wager is called here; one that the game does not have, as it was typed."""
        return wager_title(self.game, wager) if wager in find_game(self.game).by_name else repr(wager)

    @property
    def counts_nothing(self) -> bool:
        """True if the table has no equipment and no jackpot: its rounds are followed, and no wager is counted."""
        return self.model == NONE and not self.wagers

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
            "limits": self.limits.to_json(),
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
        content = read_toml(text)
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


def setup_problems(setup: TableSetup, on: datetime.date) -> list[Problem]:
    """Return everything that is wrong with a table's equipment on a day, the room's jackpots apart."""
    problems = list(_plain_problems(setup))
    model = find_model(setup.model)
    if model is None:
        names = ", ".join(models())
        problems.append(Problem("model", f"{setup.model!r} is none of: {names}", "REGULATION E-04", "G-13"))
    try:
        game = find_game(setup.game)
    except UnknownGameError as error:
        return [*problems, Problem("game", str(error), "REGULATION W-10")]
    if setup.profile not in law.PROFILES:
        profiles = ", ".join(law.PROFILES)
        problems.append(Problem("profile", f"{setup.profile!r} is none of: {profiles}", "REGULATION W-07"))
    elif model is not None:
        problems += _approval_problems(setup, game, on)
        problems += check_seats(game, setup.seats, setup.model, law.on(on, setup.profile))
        problems += _sensor_problems(setup, game, model)
        problems += _light_problems(setup, game, model)
        problems += _line_problems(setup, model)
    return problems


def notices(setup: TableSetup) -> list[Problem]:
    """Return what rests on papers we do not hold and must be confirmed (G-15)."""
    return equipment_notices(find_game(setup.game), setup.model, path="model")


def _plain_problems(setup: TableSetup) -> Iterator[Problem]:
    for name, value in (("table", setup.table), ("device", setup.device)):
        if (value or name == "table") and not (value.strip() == value and value.isprintable() and value):
            yield Problem(name, f"{value!r} must be a name in one line", "REGULATION T-09")
    if setup.down_method not in DOWN_METHODS:
        text = f"{setup.down_method!r} must be one of {', '.join(DOWN_METHODS)}"
        yield Problem("down_method", text, clause("down").id)
    if any(type(limit) is not int or limit < 1 for limit in setup.limits):
        yield Problem("limits", f"{tuple(setup.limits)} must be whole numbers from 1 on", "REGULATION F-08")


def _approval_problems(setup: TableSetup, game: Game, on: datetime.date) -> Iterator[Problem]:
    yield from check_equipment(game, setup.model, on, path="model")
    jackpots = {wager.name for wager in game.jackpots}
    counted = [wager for wager in setup.wagers if wager in jackpots]
    yield from check_jackpot_count(game, len(counted), on, path="sensors")


def _sensor_problems(setup: TableSetup, game: Game, model: Model) -> Iterator[Problem]:
    places = Counter((sensor.position, sensor.number) for sensor in setup.sensors)
    counted = Counter((sensor.position, sensor.wager) for sensor in setup.sensors)
    one = clause("one-sensor").id
    for (position, number), times in places.items():
        path = f"sensors.{position}.{number}"
        if not 1 <= position <= model.positions:
            text = f"{model.title} has positions 1 to {model.positions}, not {position}"
            yield Problem(path, text, model.source.id, "G-16")
        if not 1 <= number <= model.sensors:
            text = f"{model.title} has {model.sensors} sensors a position, and this is number {number}"
            yield Problem(path, text, model.source.id, "G-13")
        if times > 1:
            yield Problem(path, "a sensor counts one wager", one)
    for (position, wager), times in counted.items():
        if times > 1:
            yield Problem(
                f"sensors.{position}", f"{setup.title(wager)} has {times} sensors: a wager is counted once", one
            )
    for wager in setup.wagers:
        if wager not in game.by_name:
            text = f"{game.title} has no wager {wager!r}: {', '.join(game.by_name)}"
            yield Problem("sensors", text, "REGULATION W-10")
        elif wager not in setup.entered:
            lacking = [seat for seat in range(1, setup.seats + 1) if setup.sensor_of(seat, wager) is None]
            if lacking:
                yield Problem("sensors", f"no sensor counts {setup.title(wager)} at {_seats(lacking)}", one)
    if not setup.wagers and not setup.counts_nothing:
        yield Problem("sensors", "a tabulator counts a wager at least", one)
    if model.name != NONE and setup.entered:
        titles = ", ".join(map(setup.title, setup.entered))
        text = f"{titles}: wagers are entered by the dealer only where there is no equipment"
        yield Problem("entered", text, clause("down").id)


def _seats(seats: list[int]) -> str:
    return f"seat{'s' if len(seats) > 1 else ''} {', '.join(map(str, seats))}"


def _light_problems(setup: TableSetup, game: Game, model: Model) -> Iterator[Problem]:
    """Yield sensors that lack a light: a wager removed before play needs one (E-03), as a jackpot wager is."""
    if model.lights != "sensors":
        # The panel of a Milky Way has a light for each position; without equipment the wager stays on its spot.
        return
    for sensor in setup.sensors:
        wager = game.by_name.get(sensor.wager)
        if wager is not None and wager.jackpot and not sensor.light:
            text = f"{setup.title(sensor.wager)} is collected before play: its sensor needs a light"
            yield Problem(f"sensors.{sensor.position}.{sensor.number}", text, clause("light").id)


def _line_problems(setup: TableSetup, model: Model) -> Iterator[Problem]:
    if model.is_linked and not setup.device:
        yield Problem("device", f"{model.title} sends its counts: name its device", "REGULATION T-09")
    if not model.is_linked and setup.device:
        yield Problem("device", f"{model.title} has no line to us", model.source.id)
    digits = setup.counter_digits
    if digits is not None and not model.counter:
        yield Problem("counter_digits", f"{model.title} has no counter to be read", model.source.id)
    elif digits is not None and (type(digits) is not int or not 1 <= digits <= 12):
        yield Problem("counter_digits", f"{digits!r} must be how many digits the counter has", "REGULATION M-11")


def opening_problems(setup: TableSetup, state: BookState, on: datetime.date) -> list[Problem]:
    """Return what keeps a table from opening beside the jackpots that are linked to it."""
    problems = setup_problems(setup, on)
    if problems:
        return problems
    for record in state.of(JACKPOTS).at(setup.table):
        problems += _jackpot_problems(setup, record.jackpot, law.on(on, setup.profile))
    return problems


def _jackpot_problems(setup: TableSetup, jackpot: Jackpot, rule_set: law.RuleSet) -> Iterator[Problem]:
    model, linked = setup.equipment, jackpot.linked(setup.table)
    assert linked is not None
    path = f"jackpots.{jackpot.name}"
    if linked.game != setup.game:
        yield Problem(
            path,
            f"it is played on {find_game(linked.game).title}, and {find_game(setup.game).title} is dealt here",
            "REGULATION J-25",
        )
        return
    wager = jackpot.offer_at(setup.table).wager
    if wager not in setup.wagers:
        yield Problem(path, f"nothing counts {setup.title(wager)}, on which it is won", clause("one-sensor").id)
    bound = rule_set.get("progressive_display_increments")
    if jackpot.meter.jackpot_type not in model.jackpots and bound is not None:
        text = f"{model.title} can't run a progressive: its display doesn't move with each wager"
        yield Problem(path, text, f"{bound.source}; {model.source.id}", "G-13")
    elif jackpot.display not in model.displays and bound is not None:
        text = f"its display is {jackpot.display}; {model.title} has: {', '.join(model.displays)}"
        yield Problem(path, text, model.source.id, "G-13")
