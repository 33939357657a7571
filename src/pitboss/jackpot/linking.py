"""Offers and links: what a wager's pay table comes to, and which games may be on one meter (J-11, J-12)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from fractions import Fraction
from itertools import combinations, zip_longest
from typing import TYPE_CHECKING, Any

from pitboss.games import find_game
from pitboss.jackpot.definitions import Offer, Prize
from pitboss.rules import Problem, Stated, make_terms

if TYPE_CHECKING:
    from pitboss.odds import Store


def offer_of(
    game_name: str,
    wager: str,
    paytable: str | Mapping[str, Any],
    *,
    jackpot_type: str = "progressive",
    wager_cents: int = 100,
    readings: Mapping[str, str] | None = None,
    decks: int | None = None,
) -> Offer:
    """Make the offer of a wager with one pay table, an id or `{"id", "pays", "envy"}`; all problems in one error."""
    game = find_game(game_name)
    found = game.by_name.get(wager)
    if found is None or not found.jackpot:
        names = ", ".join(each.name for each in game.jackpots)
        raise ValueError(f"{game.title} has no jackpot wager {wager!r}; it has: {names}")
    if decks is None and game.decks_allowed:
        decks = game.decks_allowed[0]
    stated = Stated(
        paytables={wager: [paytable]},
        readings=readings or {},
        decks=decks,
        jackpot_type=jackpot_type,
        jackpot_wager_cents={wager: wager_cents},
    )
    terms, problems = make_terms(game, stated)
    if problems:
        raise ValueError("; ".join(map(str, problems)))
    table = terms.tables[found.slots[0].name]
    return Offer(
        game=game_name,
        wager=wager,
        paytable=table.id,
        odds=table.odds,
        prizes=tuple(Prize(row.event, row.pay, row.envy) for row in table.rows),
        stated={} if isinstance(paytable, str) else _plain(paytable),
        readings=dict(readings or {}),
        decks=decks,
    )


def _plain(paytable: Mapping[str, Any]) -> dict[str, Any]:
    return {key: dict(value) if isinstance(value, Mapping) else value for key, value in paytable.items()}


def with_chances(offer: Offer, *, jackpot_type: str = "progressive", store: Store | None = None) -> Offer:
    """Have `odds` count the exact probability of every event that pays a share of the meter (J-12, T-07)."""
    from pitboss.odds import solve  # noqa: PLC0415

    result = solve(
        offer.game,
        offer.wager,
        [dict(offer.stated) or offer.paytable],
        readings=offer.readings,
        decks=offer.decks,
        jackpot_type=jackpot_type,
        store=store,
    )
    counted = {event.event: event.probability for event in result.events}
    chances = tuple((level.event, counted.get(level.event, Fraction(0))) for level in offer.levels)
    return replace(offer, chances=chances)


def link_problems(offers: Sequence[Offer]) -> list[Problem]:
    """Say why these games may not share a meter: other hands, or other chances of the same hand (J-12).

    Each level of the meter must be won by the same hand with exactly the same probability in every game.
    """
    problems = []
    if len({offer.game for offer in offers}) != len(offers):
        problems.append(Problem("offers", "one game is offered twice on one meter", "REGULATION J-12"))
    for first, second in combinations(offers, 2):
        for ours, theirs in zip_longest(_known(first), _known(second), fillvalue=("no hand", None)):
            if ours[0].casefold() != theirs[0].casefold() or ours[1] != theirs[1] or ours[1] is None:
                words = f"{_told(first, ours)} and {_told(second, theirs)} are not the same chance of the same hand"
                problems.append(Problem("offers", words, "REGULATION J-12"))
    return problems


def _known(offer: Offer) -> list[tuple[str, Fraction | None]]:
    chances = dict(offer.chances)
    return [(level.event, chances.get(level.event)) for level in offer.levels]


def _told(offer: Offer, level: tuple[str, Fraction | None]) -> str:
    event, chance = level
    if chance is None:
        return f"{event!r} of {offer.game} {offer.paytable} (not counted)"
    return f"{event!r} of {offer.game} {offer.paytable} ({chance.numerator:,} in {chance.denominator:,})"
