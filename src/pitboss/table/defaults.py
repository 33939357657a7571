"""What a table has unless its configuration says otherwise."""

from __future__ import annotations

import datetime
from typing import Any

from pitboss import law
from pitboss.games import find_game
from pitboss.rules import Game, Slot, Wager
from pitboss.rules.terms import BonusSharing
from pitboss.table.configuration import Configuration, JackpotSettings, WagerSettings, flat, value_text
from pitboss.table.limits import seats_max

__all__ = ["bonus_sharing_on", "default_configuration", "differences"]

_MINIMUM_CENTS = 500
_BONUS_MINIMUM_CENTS, _BONUS_MAXIMUM_CENTS = 100, 2500
_SINGLE_WAGER_CENTS = 50_000  # where no law sets a limit
_METER_CENTS = 1_000_000


def bonus_sharing_on(game: Game, rule_set: law.RuleSet) -> BonusSharing:
    """Say how several winners of one Bonus jackpot row are paid: by the game's own rule, else by the law (G-4)."""
    if game.bonus_sharing == "split":
        return "split"
    return "full" if rule_set["bonus_prize_in_full"].value else "split"


def default_configuration(
    game: Game, on: datetime.date, profile: str = "wa-commercial", *, decks: int | None = None
) -> Configuration:
    """Make the default table: every wager with the first table that needs no amounts, as many jackpots as allowed."""
    rule_set = law.on(on, profile)
    largest = rule_set.get("single_wager_cents_max")
    single = _SINGLE_WAGER_CENTS if largest is None else largest.value
    jackpots = game.jackpots[: game.approval.jackpots_max]
    return Configuration(
        game=game.name,
        on=on,
        profile=profile,
        decks=decks if decks is not None or not game.decks_allowed else game.decks_allowed[0],
        seats=seats_max(game, rule_set),
        bonus_sharing=bonus_sharing_on(game, rule_set),
        wagers={
            wager.name: WagerSettings(
                paytables=_first_tables(game, wager),
                minimum_cents=_MINIMUM_CENTS if _is_main(wager) else _BONUS_MINIMUM_CENTS,
                maximum_cents=_main_maximum(single, wager) if _is_main(wager) else _BONUS_MAXIMUM_CENTS,
            )
            for wager in game.wagers
            if not wager.jackpot
        },
        jackpots={
            wager.name: JackpotSettings(paytables=_first_tables(game, wager), meter_cents=_METER_CENTS)
            for wager in jackpots
        },
    )


def differences(configuration: Configuration) -> tuple[str, ...]:
    """Say what differs from the default table of the game, a line each."""
    game = find_game(configuration.game)
    plain = default_configuration(game, configuration.on, configuration.profile)
    default, ours = flat(plain.as_dict()), flat(configuration.as_dict())
    changed = [f"{key} = {value_text(ours[key])}" for key in ours if ours[key] != default.get(key)]
    gone = [f"{key.removesuffix('.paytables')}: not offered" for key in default if _not_offered(key, ours)]
    return (*changed, *gone)


def _not_offered(key: str, ours: dict[str, Any]) -> bool:
    return key.endswith(".paytables") and key not in ours


def _main_maximum(single_cents: int, wager: Wager) -> int:
    """The most whole dollars whose largest multiple stays within the single wager limit (G-14)."""
    return single_cents // wager.multiple_max // 100 * 100


def _is_main(wager: Wager) -> bool:
    return len(wager.parts) > 1


def _first_tables(game: Game, wager: Wager) -> tuple[str, ...]:
    return tuple(_first_table(game, slot) for slot in wager.slots if not slot.fixed)


def _first_table(game: Game, slot: Slot) -> str:
    complete = (table_id for table_id in slot.ids if not game.paytables[table_id].operator_set)
    # Where every table has operator-set cells the first one stands, with the default the ruling gives them.
    return next(complete, slot.ids[0])
