"""A new table from the fields of its form: configuration, equipment, approvals and jackpots as one command."""

import re
from collections.abc import Callable, Mapping
from fractions import Fraction
from typing import Any, TypeVar

from pitboss.commands import refuse
from pitboss.games import find_game
from pitboss.law.papers import NEEDED
from pitboss.room.bundles import AddTable
from pitboss.room.room import Room, location_of
from pitboss.rules import parse_dollars
from pitboss.rules.money import MoneyError
from pitboss.server.auth import Caller
from pitboss.server.pages import forms
from pitboss.server.views.office.new_table import names_in, tables_typed, usual_device
from pitboss.server.views.paytables import titled
from pitboss.table import Configuration
from pitboss.tabulator import sensors_for
from pitboss.tabulator.equipment import NONE, find_model

_PERCENT = re.compile(r"(?P<number>[0-9]{1,3}(\.[0-9]{1,9})?) ?%?")
Read = TypeVar("Read")


class FieldReader:
    """Reads typed fields, and collects what is wrong with them by the name of the field."""

    def __init__(self, typed: Mapping[str, str]) -> None:
        self._typed = typed
        self.problems: list[str] = []

    def text(self, name: str) -> str:
        """Return what stands in a field."""
        return self._typed.get(name, "")

    def read(self, name: str, parse: Callable[[str], Read], empty: Read) -> Read:
        """Parse a field; an empty one is `empty`, and so is one that cannot be read, with a problem."""
        text = self.text(name)
        try:
            return parse(text) if text else empty
        except MoneyError:
            self.problems.append(f"{name}: Enter an amount like 65 or $65.00.")
        except ValueError as error:
            self.problems.append(f"{name}: {error}")
        return empty


def percent(text: str) -> str:
    """Parse a part of the wager in percent as an exact fraction."""
    match = _PERCENT.fullmatch(text)
    if match is None:
        raise ValueError("Enter a percentage like 17.3.")
    return str(Fraction(match["number"]) / 100)


def whole(text: str) -> int:
    """Parse a whole number."""
    if not (text.isascii() and text.isdigit() and len(text) < 10 and int(text)):
        raise ValueError("Enter a whole number, 1 or more.")
    return int(text)


def wagers_to_count(configuration: Configuration) -> tuple[tuple[str, str, bool], ...]:
    """Return the wagers that a tabulator may count: name, title, and whether it must, as a jackpot is won on it."""
    by_name = find_game(configuration.game).by_name
    names = (*configuration.jackpots, *configuration.wagers)
    return tuple((name, titled(by_name[name].title), name in configuration.jackpots) for name in names)


def setup_fields(
    table: str, configuration: Configuration, counted: list[str], typed: Mapping[str, str], read: FieldReader
) -> dict[str, Any]:
    """Return the set-up of a table: the same sensors at every seat, one for each wager that is counted (E-02, E-03)."""
    model = configuration.equipment or NONE
    equipment = find_model(model)
    lit = counted if equipment is not None and equipment.lights == "sensors" else []
    return {
        "table": table,
        "game": configuration.game,
        "model": model,
        "seats": configuration.seats,
        "sensors": [sensor._asdict() for sensor in sensors_for(model, configuration.seats, counted, lights=lit)],
        "entered": counted if model == NONE else [],
        "down_method": typed.get("down_method") or "suspend",
        "profile": configuration.profile,
        "device": typed.get("device", ""),
        "counter_digits": read.read("counter_digits", whole, None),
        "limits": {},
    }


def _jackpots(
    room: Room, tables: tuple[str, ...], configuration: Configuration, read: FieldReader
) -> list[dict[str, Any]]:
    """Return the drafts of all jackpots: of several tables one each, or one for all of them where that is chosen."""
    drafts = []
    for wager in configuration.jackpots:
        name = read.text(f"name:{wager}") or wager
        if len(tables) == 1 or read.text(f"shared:{wager}") == "one":
            drafts.append(_jackpot(room, name, tables, configuration, wager, read))
        else:
            drafts += [_jackpot(room, f"{name}-{table}", (table,), configuration, wager, read) for table in tables]
    return drafts


def _jackpot(
    room: Room, name: str, tables: tuple[str, ...], configuration: Configuration, wager: str, read: FieldReader
) -> dict[str, Any]:
    """Return the draft of a jackpot: its wager, pay table and payer are those of the configuration (A18)."""
    settings, is_progressive = configuration.jackpots[wager], configuration.jackpot_type == "progressive"
    paytable = configuration.terms_spec.paytables[wager][0]
    offer = {
        "game": configuration.game,
        "wager": wager,
        "paytable": dict(paytable) if isinstance(paytable, Mapping) else paytable,
        "readings": {name: text for name, text in configuration.readings.items() if name.startswith("envy")},
        "decks": configuration.decks,
    }
    seed = configuration.meters[wager]
    meter: dict[str, Any] = {
        "jackpot_type": configuration.jackpot_type,
        "wager_cents": settings.wager_cents,
        "seed_cents": seed,
        "reseed_cents": seed,
        "batch_wagers_max": read.read(f"batch:{wager}", whole, None),
    }
    if is_progressive:
        meter |= {
            "reseed_cents": read.read(f"reseed:{wager}", parse_dollars, seed),
            "display_rate": read.read(f"rate:{wager}", percent, "0"),
            "reserve_rate": read.read(f"reserve:{wager}", percent, "0"),
            "cap_cents": read.read(f"cap:{wager}", parse_dollars, None),
        }
    return {
        "name": name,
        "offers": [offer],
        "meter": meter,
        "tables": [
            {"table": table, "game": configuration.game, "location": location_of(room.state)} for table in tables
        ],
        "display": "real-time" if is_progressive else read.text(f"display:{wager}") or "updatable",
        "fixed_prizes": settings.fixed_prizes,
        "small_prize_cents": read.read(f"small:{wager}", parse_dollars, 0),
        "bonus_sharing": configuration.bonus_sharing or "full",
    }


def _papers(configuration: Configuration, read: FieldReader) -> list[dict[str, Any]]:
    """Return the papers that have a number and a date; where one of both is missing, it is asked for."""
    papers = []
    for kind in NEEDED.get(configuration.profile, ()):
        number, day = read.text(f"number:{kind}"), read.text(f"day:{kind}")
        if number and not day:
            read.problems.append(f"day:{kind}: Enter the date of the approval.")
        elif day and not number:
            read.problems.append(f"number:{kind}: Enter the number of the approval.")
        elif number:
            papers.append({"kind": kind, "number": number, "day": day})
    return papers


def submit_new_table(
    room: Room, caller: Caller, table: str, text: str, configuration: Configuration, typed: Mapping[str, str]
) -> str:
    """Request approval of a whole new table, or refuse it with everything that is wrong."""
    model = find_model(configuration.equipment or NONE)
    if model is None or model.name == NONE:
        # Without a script the fields of the equipment that was chosen before are still there.
        typed = {name: text for name, text in typed.items() if name not in ("device", "counter_digits", "down_method")}
    read = FieldReader(typed)
    tables = tables_typed(table, typed)
    jackpots = _jackpots(room, tables, configuration, read)
    devices = names_in(typed.get("device", ""))
    if devices == (usual_device(table),):
        # The form was filled in for one table before more were named.
        devices = tuple(map(usual_device, tables))
    if devices and len(devices) != len(tables):
        read.problems.append(f"device: Enter {len(tables)} different names, one for each table, with commas.")
    by_table = dict(zip(tables, devices, strict=False))
    setup, *others = (
        setup_fields(
            name, configuration, list(configuration.jackpots), {**typed, "device": by_table.get(name, "")}, read
        )
        for name in tables
    )
    if configuration.equipment and not jackpots:
        # A tabulator counts a wager at least; a table without a jackpot needs none.
        read.problems.append("equipment: This table has no jackpot, so it needs no equipment. Choose None.")
    fields = {
        "command": typed.get("command", ""),
        "table": table,
        "configuration": text,
        "setup": setup,
        "others": others,
        "papers": _papers(configuration, read),
        "jackpots": jackpots,
        "words": typed.get("words", ""),
        "override": typed.get("override", ""),
    }
    refuse(dict.fromkeys(read.problems))
    return forms.perform(room, caller, AddTable, fields)
