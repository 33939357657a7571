"""Checks of a table's equipment: by itself, for its game, and beside the jackpots of the room; each cited."""

import datetime
from collections import Counter
from collections.abc import Iterator

from pitboss import law
from pitboss.books import BookState
from pitboss.games import UnknownGameError, find_game
from pitboss.jackpot import JACKPOTS, Jackpot
from pitboss.rules import Game, Problem
from pitboss.table.checks import seats_max
from pitboss.tabulator.equipment import NONE, Model, clause, find_model, models
from pitboss.tabulator.setup import DOWN_METHODS, TableSetup


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
        problems += _approval_problems(setup, game, model)
        problems += _seat_problems(setup, game, model, on)
        problems += _sensor_problems(setup, game, model)
        problems += _light_problems(setup, game, model)
        problems += _line_problems(setup, model)
    return problems


def notices(setup: TableSetup) -> list[Problem]:
    """Return what rests on papers we do not hold and must be confirmed (G-15)."""
    approval = find_game(setup.game).approval
    if setup.model not in approval.equipment_to_confirm:
        return []
    text = f"{setup.model} rests on rules we do not hold: must be confirmed"
    return [Problem("model", text, ruling="G-15")]


def _plain_problems(setup: TableSetup) -> Iterator[Problem]:
    for name, value in (("table", setup.table), ("device", setup.device)):
        if (value or name == "table") and not (value.strip() == value and value.isprintable() and value):
            yield Problem(name, f"{value!r} must be a name in one line", "REGULATION T-09")
    if setup.down_method not in DOWN_METHODS:
        text = f"{setup.down_method!r} must be one of {', '.join(DOWN_METHODS)}"
        yield Problem("down_method", text, clause("down").id)
    if any(type(limit) is not int or limit < 1 for limit in setup.limits):
        yield Problem("limits", f"{tuple(setup.limits)} must be whole numbers from 1 on", "REGULATION F-08")


def _approval_problems(setup: TableSetup, game: Game, model: Model) -> Iterator[Problem]:
    approved = game.approval.equipment
    if model.name == NONE and game.approval.equipment_required:
        text = f"{game.title} is approved with equipment only: {', '.join(approved)}"
        yield Problem("model", text, "REGULATION E-08", "G-13")
    elif model.name not in (NONE, *approved):
        text = f"{model.title} is not approved for {game.title}: {', '.join(approved)}"
        yield Problem("model", text, model.source.id, "G-13")
    jackpots = {wager.name for wager in game.jackpots}
    counted = [wager for wager in setup.wagers if wager in jackpots]
    if len(counted) > game.approval.jackpots_max:
        text = f"{' and '.join(counted)}: {game.title} allows {game.approval.jackpots_max} jackpot at a time"
        yield Problem("sensors", text, clause("per-sensor").id, "G-13")


def _seat_problems(setup: TableSetup, game: Game, model: Model, on: datetime.date) -> Iterator[Problem]:
    most = min(seats_max(game, law.on(on, setup.profile)), model.positions)
    if type(setup.seats) is not int or not 1 <= setup.seats <= most:
        text = f"{setup.seats!r} seats: from 1 to {most}, the least of players, layout, deck and positions"
        yield Problem("seats", text, model.source.id, "G-16")


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
            yield Problem(f"sensors.{position}", f"{wager} has {times} sensors: a wager is counted once", one)
    for wager in setup.wagers:
        if wager not in game.by_name:
            text = f"{game.title} has no wager {wager!r}: {', '.join(game.by_name)}"
            yield Problem("sensors", text, "REGULATION W-10")
        elif wager not in setup.entered:
            lacking = [seat for seat in range(1, setup.seats + 1) if setup.sensor_of(seat, wager) is None]
            if lacking:
                yield Problem("sensors", f"no sensor counts {wager} at {_seats(lacking)}", one)
    if not setup.wagers:
        yield Problem("sensors", "a tabulator counts a wager at least", one)
    if model.name != NONE and setup.entered:
        text = f"{', '.join(setup.entered)}: wagers are entered by the dealer only where there is no equipment"
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
            text = f"{sensor.wager} is collected before play: its sensor needs a light"
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
        yield Problem(path, f"it is played on {linked.game}, and {setup.game} is dealt here", "REGULATION J-25")
        return
    wager = jackpot.offer_at(setup.table).wager
    if wager not in setup.wagers:
        yield Problem(path, f"nothing counts {wager}, on which it is won", clause("one-sensor").id)
    bound = rule_set.get("progressive_display_increments")
    if jackpot.meter.jackpot_type not in model.jackpots and bound is not None:
        text = f"a progressive needs a display that increments with each wager; {model.title} runs Bonus jackpots"
        yield Problem(path, text, f"{bound.source}; {model.source.id}", "G-13")
    elif jackpot.display not in model.displays and bound is not None:
        text = f"its display is {jackpot.display}; {model.title} has: {', '.join(model.displays)}"
        yield Problem(path, text, model.source.id, "G-13")
