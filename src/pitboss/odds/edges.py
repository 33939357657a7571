"""The house edge of every wager of a table, as it is offered there: what a check and a posting look at (G-61)."""

from collections.abc import Callable
from fractions import Fraction

from pitboss.games import find_game
from pitboss.odds.results import OddsResult
from pitboss.table import Configuration


def house_edges(
    configuration: Configuration, result_of: Callable[[str], OddsResult] | None = None
) -> dict[str, Fraction]:
    """Return the house edge of every wager under the readings that are chosen, each jackpot at its seed.

    `result_of` has the odds of a wager where somebody else counts them; else they are counted here.
    """
    solved = result_of or (lambda name: _counted(configuration, name))
    return {name: solved(name).edge_at(meter_cents=configuration.meters.get(name, 0)) for name in configuration.offered}


def _counted(configuration: Configuration, wager: str) -> OddsResult:
    # A server has its worker count: it does not load what counts.
    from pitboss.odds.solving import solve_terms  # noqa: PLC0415
    from pitboss.odds.store import default_store  # noqa: PLC0415

    game = find_game(configuration.game)
    return solve_terms(game, game.by_name[wager], configuration.terms, store=default_store())
