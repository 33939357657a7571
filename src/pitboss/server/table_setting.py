"""Setting a table up as its configuration states it: game, seats and equipment are said there, the sensors here."""

from __future__ import annotations

from typing import Any

from starlette.datastructures import FormData

from pitboss.games import find_game
from pitboss.server.performing import number_of, text_of
from pitboss.server.views.paytables import titled
from pitboss.table import Configuration
from pitboss.tabulator import sensors_for
from pitboss.tabulator.equipment import NONE, find_model

__all__ = ["setup_said", "wagers_to_count"]


def wagers_to_count(configuration: Configuration) -> tuple[tuple[str, str, bool], ...]:
    """The wagers that a tabulator may count: name, title, and whether it must, because a jackpot is won on it."""
    by_name = find_game(configuration.game).by_name
    names = (*configuration.jackpots, *configuration.wagers)
    return tuple((name, titled(by_name[name].title), name in configuration.jackpots) for name in names)


def setup_said(table: str, configuration: Configuration, form: FormData) -> dict[str, Any]:
    """Say the set-up of a table: the same sensors at every seat, one for each wager that is counted (E-02, E-03)."""
    model = configuration.equipment or NONE
    counted = [name for name, _, _ in wagers_to_count(configuration) if name in form.getlist("counted")]
    found = find_model(model)
    lit = counted if found is not None and found.lights == "sensors" else []
    digits = text_of(form.get("counter_digits"))
    return {
        "table": table,
        "game": configuration.game,
        "model": model,
        "seats": configuration.seats,
        "sensors": [each._asdict() for each in sensors_for(model, configuration.seats, counted, lights=lit)],
        "entered": counted if model == NONE else [],
        "down_method": text_of(form.get("down_method")) or "suspend",
        "profile": configuration.profile,
        "device": text_of(form.get("device")),
        "counter_digits": number_of(digits) if digits else None,
        "limits": {},
    }
