"""From a configuration to the terms of a round record: what every record of its table states."""

from __future__ import annotations

from typing import Any

from pitboss.table.configuration import Configuration

__all__ = ["record_terms"]


def record_terms(configuration: Configuration) -> tuple[dict[str, Any], dict[str, Any]]:
    """Give the fields of a record that a configuration states, and beside them the terms a record has no field for."""
    stated = configuration.stated
    beside = {"fixed_from_meter": stated.fixed_from_meter, "base_multiples_max": stated.base_multiples_max}
    record: dict[str, Any] = {
        "game": configuration.game,
        "paytables": {name: list(ids) for name, ids in stated.paytables.items()},
        "readings": dict(configuration.readings),
        "jackpot_type": configuration.jackpot_type,
        "bonus_sharing": configuration.bonus_sharing,
        "meters": configuration.meters,
        "jackpot_wager_cents": dict(stated.jackpot_wager_cents),
        "on": configuration.on.isoformat(),
        "profile": configuration.profile,
    }
    if configuration.decks is not None:
        record["decks"] = configuration.decks
    return record, beside
