"""A configuration as the fields of a form and back; what is wrong with it stays as it was typed."""

from __future__ import annotations

import datetime
from collections.abc import Iterable, Mapping
from typing import Any

from pitboss.games import UnknownGameError, find_game
from pitboss.rules import Game, Slot, Wager
from pitboss.table.configuration import flat

__all__ = ["Fields", "content_of", "fields_of", "lost_keys"]

Fields = Mapping[str, str]
"""What stands in each field of the form, by its name; what is offered is `offer:WAGER`."""
_WHOLE = ("decks", "seats")
_TOP = ("game", "on", "profile", "dealt", "decks", "seats", "smallest_chip", "equipment")
_DIGITS_MAX = 9
_WAGER_KEYS = {"minimum": "minimum", "maximum": "maximum", "base_multiple_max": "cap"}
_JACKPOT_KEYS = {"wager": "wager", "meter": "meter", "fixed_prizes": "fixed_prizes"}


def _text(value: Any) -> str:
    return value.isoformat() if isinstance(value, datetime.date) else str(value)


def _number(text: str) -> Any:
    """Read a whole number; what is none stays as it was typed, and is then named as a problem."""
    return int(text) if text.isascii() and text.isdigit() and len(text) <= _DIGITS_MAX else text


def _table(value: Any) -> Mapping[str, Any]:
    return value if isinstance(value, Mapping) else {}


# From what a text states to fields.


def fields_of(content: Mapping[str, Any]) -> dict[str, str]:
    """Fill the fields of the form with what a configuration states."""
    fields = {name: _text(content[name]) for name in _TOP if name in content and not isinstance(content[name], dict)}
    fields |= {f"reading:{name}": _text(value) for name, value in _table(content.get("readings")).items()}
    jackpots = _table(content.get("jackpots"))
    fields |= {name: _text(jackpots[name]) for name in ("type", "bonus_sharing") if name in jackpots}
    try:
        game = find_game(content.get("game"))
    except UnknownGameError:
        return fields
    for wager in game.wagers:
        section = jackpots if wager.jackpot else _table(content.get("wagers"))
        if isinstance(section.get(wager.name), Mapping):
            fields |= _wager_fields(wager, section[wager.name])
    return fields


def _wager_fields(wager: Wager, stated: Mapping[str, Any]) -> dict[str, str]:
    fields = {f"offer:{wager.name}": "yes"}
    keys = _JACKPOT_KEYS if wager.jackpot else _WAGER_KEYS
    fields |= {f"{field}:{wager.name}": _text(stated[key]) for key, field in keys.items() if key in stated}
    entries = stated.get("paytables")
    left = list(entries) if isinstance(entries, list) else []
    free = []
    for slot in _open_slots(wager):
        found = next((each for each in left if _id_of(each) in slot.ids), None)
        if found is None:
            free.append(slot)
        else:
            left.remove(found)
            fields |= _slot_fields(wager, slot, found)
    for slot, unknown in zip(free, left, strict=False):
        fields |= _slot_fields(wager, slot, unknown)
    return fields


def _open_slots(wager: Wager) -> list[Slot]:
    return [slot for slot in wager.slots if not slot.fixed]


def _id_of(entry: Any) -> str:
    return _text(entry.get("id", "")) if isinstance(entry, Mapping) else _text(entry)


def _slot_fields(wager: Wager, slot: Slot, entry: Any) -> dict[str, str]:
    place = f"{wager.name}:{slot.name}"
    fields = {f"table:{place}": _id_of(entry)}
    for column in ("pays", "envy"):
        amounts = _table(entry.get(column)) if isinstance(entry, Mapping) else {}
        fields |= {f"{column}:{place}:{event}": _text(cell) for event, cell in amounts.items()}
    return fields


# From fields to what a text would state.


def content_of(fields: Fields) -> dict[str, Any]:
    """Give what the fields of the form state, as a text would; a field that is left empty is not stated."""
    content: dict[str, Any] = {}
    for name in _TOP:
        if fields.get(name):
            content[name] = _number(fields[name]) if name in _WHOLE else fields[name]
    readings = {
        name.removeprefix("reading:"): value for name, value in fields.items() if name.startswith("reading:") and value
    }
    if readings:
        content["readings"] = readings
    try:
        game = find_game(content.get("game"))
    except UnknownGameError:
        return content
    content["wagers"] = _section(game, fields, (wager for wager in game.wagers if not wager.jackpot))
    jackpots = _section(game, fields, game.jackpots)
    if jackpots:
        kind = {name: fields[name] for name in ("type", "bonus_sharing") if fields.get(name)}
        content["jackpots"] = {**kind, **jackpots}
    return content


def _section(game: Game, fields: Fields, wagers: Iterable[Wager]) -> dict[str, Any]:
    return {wager.name: _wager_content(game, fields, wager) for wager in wagers if fields.get(f"offer:{wager.name}")}


def _wager_content(game: Game, fields: Fields, wager: Wager) -> dict[str, Any]:
    stated: dict[str, Any] = {"paytables": []}
    for slot in _open_slots(wager):
        if fields.get(f"table:{wager.name}:{slot.name}"):
            stated["paytables"].append(_entry(game, fields, f"{wager.name}:{slot.name}"))
    keys = _JACKPOT_KEYS if wager.jackpot else _WAGER_KEYS
    for key, field in keys.items():
        value = fields.get(f"{field}:{wager.name}", "")
        if value:
            stated[key] = _number(value) if field == "cap" else value
    return stated


def _entry(game: Game, fields: Fields, place: str) -> Any:
    table_id = fields[f"table:{place}"]
    table = game.paytables.get(table_id)
    entry: dict[str, Any] = {"id": table_id}
    for column in ("pays", "envy"):
        events = [] if table is None else [row.event for row in table.rows]
        found = {event: fields.get(f"{column}:{place}:{event}", "") for event in events}
        amounts = {event: cell for event, cell in found.items() if cell}
        if amounts:
            entry[column] = amounts
    return entry if len(entry) > 1 else table_id


def lost_keys(content: Mapping[str, Any]) -> tuple[str, ...]:
    """Name what a text states and the form has no field for: it would be lost on the way."""
    kept = flat(content_of(fields_of(content)))
    return tuple(key for key in flat(content) if key not in kept)
