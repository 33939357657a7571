"""What an aggregate payout limit costs a player: the exact odds of a wager at a stake, its prizes reduced (G-65)."""

from dataclasses import dataclass, replace
from fractions import Fraction
from typing import Any

from pitboss.odds.decimals import ratio_text
from pitboss.odds.results import OddsResult
from pitboss.odds.solving import solve_fresh
from pitboss.odds.store import OddsStore
from pitboss.rules import AggregateLimit, Game, Terms, Wager, dollars, line_of, pay_array
from pitboss.rules.limits import in_proportion
from pitboss.rules.outcomes import Outcome
from pitboss.rules.pays import ToOne
from pitboss.rules.settlement import prizes_of


@dataclass(frozen=True, slots=True, kw_only=True)
class LimitPrice:
    """What a limit changes for one player at a stake, alone at the table; nothing is `limited` where it cannot bind.

    `largest_cents` is the largest prize of the wager without the limit, `binds_from_cents` the least stake whose
    largest prize is above it.
    """

    limit: AggregateLimit
    stake_cents: int
    largest_cents: int
    binds_from_cents: int
    seats: int
    plain: OddsResult
    limited: OddsResult | None

    @property
    def cost(self) -> Fraction:
        """What the player expects less, per unit of the base stake."""
        return Fraction(0) if self.limited is None else self.plain.ev - self.limited.ev

    @property
    def words(self) -> str:
        """Whether the limit can bind, why not, and for whom the figures are exact."""
        at, largest = f"at a stake of {dollars(self.stake_cents)}", dollars(self.largest_cents)
        if self.limited is not None:
            words = f"binds {at}: the largest prize is {largest}; the least stake where it can is "
            words += dollars(self.binds_from_cents)
        else:
            words = f"cannot bind on one player {at}: the largest prize is {largest}"
        table = self.limit.table_cents
        if table is None:
            return f"{words}; exact whatever other seats win, since the limit is each player's own"
        if self.seats * self.largest_cents <= table:
            return f"{words}; nor can {self.seats} seats together come above {dollars(table)}"
        return (
            f"{words}; exact for a player alone: the table's {dollars(table)} is divided with what other seats win in "
            "the same deal, which `pitboss simulate` plays"
        )

    def as_json(self) -> dict[str, Any]:
        """Return the price with exact numbers as "numerator/denominator"."""
        limited = self.limited
        return {
            **self.limit.as_json(),
            "stake_cents": self.stake_cents,
            "largest_cents": self.largest_cents,
            "binds_from_cents": self.binds_from_cents,
            "binds": limited is not None,
            "cost": ratio_text(self.cost),
            "limited": None if limited is None else limited.as_json(),
            "words": self.words,
        }


def _limited_wager(wager: Wager, limit_cents: int, stake_cents: int) -> Wager:
    """Return the wager as it is settled at a stake under a limit of one player."""

    def settle(facts: Any, terms: Terms) -> Outcome:
        outcome = wager.settle(facts, terms)
        prizes = prizes_of(outcome, line_of(wager, outcome, stake_cents))
        reduced = in_proportion(prizes, limit_cents)
        if reduced == prizes:
            return outcome
        parts = tuple(
            part._replace(prizes=(ToOne(Fraction(cents, part.multiple * stake_cents)),) if cents else ())
            for part, cents in zip(outcome.parts, reduced, strict=True)
        )
        return outcome._replace(parts=parts)

    return replace(wager, settle=settle)


def _prize_cents(wager: Wager, outcome: Outcome, stake_cents: int) -> int:
    return sum(prizes_of(outcome, line_of(wager, outcome, stake_cents)))


def price_limit(
    game: Game, wager: Wager, terms: Terms, stake_cents: int, *, seats: int, store: OddsStore | None = None
) -> LimitPrice:
    """Price the aggregate limit of a wager for a player who stakes so much and plays as well as can be under it."""
    limit = terms.aggregate_limits[wager.name]
    outcomes = pay_array(wager, terms).outcomes
    largest = max(_prize_cents(wager, outcome, stake_cents) for outcome in outcomes)
    # A stake in cents of a hundred dollars gives the largest prize of a unit exactly: no cell is finer.
    unit = Fraction(max(_prize_cents(wager, outcome, _FINE) for outcome in outcomes), _FINE)
    binds = largest > limit.alone_cents
    limited = _limited_wager(wager, limit.alone_cents, stake_cents)
    return LimitPrice(
        limit=limit,
        stake_cents=stake_cents,
        largest_cents=largest,
        binds_from_cents=limit.alone_cents // unit + 1,
        seats=seats,
        plain=solve_fresh(game, wager, terms, store=store),
        limited=solve_fresh(game, limited, terms, store=store) if binds else None,
    )


_FINE = 10**6
