"""Aggregate payout limits: the most that the prizes of one wager come to from a single deal (G-65)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from fractions import Fraction
from typing import TYPE_CHECKING, Any, NamedTuple

from pitboss.rules.money import dollars, times
from pitboss.rules.pays import ForOne, ToOne
from pitboss.rules.reasons import Problem

if TYPE_CHECKING:
    from pitboss.rules.game import Game
    from pitboss.rules.outcomes import Outcome

_CENTS_MAX = 10**15 - 1
_KEYS = ("player_cents", "table_cents")


class AggregateLimit(NamedTuple):
    """The most that is paid in prizes on one wager from a single deal: to one player, and at the whole table."""

    player_cents: int | None = None
    table_cents: int | None = None

    @property
    def stated(self) -> tuple[tuple[str, int], ...]:
        """What is stated, in the order in which it is applied: a player's limit before the table's."""
        named = (("a player", self.player_cents), ("at the table", self.table_cents))
        return tuple((whose, cents) for whose, cents in named if cents is not None)

    @property
    def alone_cents(self) -> int:
        """The limit of a player who is the only one at the table."""
        return min(cents for _, cents in self.stated)

    def as_json(self) -> dict[str, int]:
        """Return the limit as a round record states it."""
        return {key: cents for key, cents in zip(_KEYS, self, strict=True) if cents is not None}


def limit_words(title: str, limit: AggregateLimit) -> str:
    """Return the sentence that is posted: what the limit is, and what becomes of more (DW step 16, W-13)."""
    amounts = " and ".join(f"{dollars(cents)} {whose}" for whose, cents in limit.stated)
    return (
        f"{title[:1].upper()}{title[1:]}: all prizes of one deal together are at most {amounts}. "
        "Larger ones are paid in proportion."
    )


def read_limits(game: Game, stated: Any, problems: list[Problem]) -> dict[str, AggregateLimit]:
    """Read limits by wager as a round record states them; what is wrong is added to the problems."""
    if not isinstance(stated, Mapping):
        problems.append(Problem("aggregate_limits", "must be an object, wager to limits in cents", ruling="G-65"))
        return {}
    limits = {}
    for name, content in stated.items():
        words = _limit_problem(game, name, content)
        if words is None:
            limits[name] = AggregateLimit(**content)
        else:
            problems.append(Problem(f"aggregate_limits.{name}", words, "REGULATION W-13", "G-65"))
    return limits


def _limit_problem(game: Game, name: Any, content: Any) -> str | None:
    wager = game.by_name.get(name)
    if wager is None:
        return f"{game.title} has no such wager; it has: {', '.join(game.by_name)}"
    if wager.jackpot:
        return f"the prizes of {wager.title} are paid as its display shows them: a jackpot has no aggregate limit"
    if not isinstance(content, Mapping) or not content or not set(content) <= set(_KEYS):
        return f"must be an object with {' or '.join(_KEYS)}"
    if any(type(cents) is not int or not 0 < cents <= _CENTS_MAX for cents in content.values()):
        return "must be a positive whole number of cents"
    limit = AggregateLimit(**content)
    if limit.player_cents is not None and limit.table_cents is not None and limit.table_cents < limit.player_cents:
        return f"{dollars(limit.table_cents)} at the table is less than {dollars(limit.player_cents)} a player"
    return None


def highest_odds(outcomes: Sequence[Outcome]) -> Fraction:
    """Return the highest odds that a wager offers, of everything that can happen to it."""
    odds = [
        prize.times
        for outcome in outcomes
        for part in outcome.parts
        for prize in part.prizes
        if isinstance(prize, ToOne | ForOne)
    ]
    return max(odds, default=Fraction(0))


def in_proportion(prizes: Sequence[int], limit_cents: int) -> tuple[int, ...]:
    """Reduce prizes in proportion where together they are more than a limit; each is rounded down (G-3)."""
    total = sum(prizes)
    if total <= limit_cents:
        return tuple(prizes)
    share = Fraction(limit_cents, total)
    return tuple(times(share, cents) for cents in prizes)


def limited_prizes(limit: AggregateLimit, prizes: Sequence[int], players: Sequence[Any]) -> tuple[int, ...]:
    """Reduce the prizes of one wager and deal, chip by chip: each player's to their limit, then all to the table's.

    `players` says whose each prize is; one person on two seats is one player (G-41).
    """
    reduced = list(prizes)
    if limit.player_cents is not None:
        for player in dict.fromkeys(players):
            places = [place for place, owner in enumerate(players) if owner == player]
            mine = in_proportion([reduced[place] for place in places], limit.player_cents)
            for place, cents in zip(places, mine, strict=True):
                reduced[place] = cents
    return tuple(reduced) if limit.table_cents is None else in_proportion(reduced, limit.table_cents)
