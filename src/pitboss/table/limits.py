"""Which wagers may stand together and how large they may be, for one round's seats (G-7, G-12, G-13, G-14, G-19)."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from pitboss.law import RuleSet
from pitboss.rules import Game, Problem, Terms, dollars

__all__ = ["OPTIONS_MAX", "check_jackpots_together", "check_money", "check_options", "seats_max"]

# G-12 holds in every kind of room and on every day; a rule set may state another number.
OPTIONS_MAX = 4
SEATS_MAX = 7


def seats_max(game: Game, law: RuleSet | None) -> int:
    """The most seats: the least of the players allowed, the layout and the deck (G-16)."""
    return min(game.seats_max, law["seats_max"].value if law is not None else SEATS_MAX)


def check_options(game: Game, terms: Terms, seat: int, wagers: Mapping[str, int], law: RuleSet | None) -> list[Problem]:
    """Find what is wrong with a seat's set of wagers."""
    problems: list[Problem] = []
    path = f"seat {seat} wagers"
    options = law["options_max"].value if law is not None else OPTIONS_MAX
    if not wagers:
        problems.append(Problem(path, "a seat in the round must make a wager"))
    elif game.base is not None and game.base.name not in wagers:
        words = f"{game.base.title} is required for every other wager"
        problems.append(Problem(path, words, game.base.clause.id, "G-19"))
    if len(wagers) > options:
        words = f"{len(wagers)} wagers, but at most {options} of the options may be used: {', '.join(wagers)}"
        problems.append(Problem(path, words, ruling="G-12"))
    for name, cents in wagers.items():
        fixed = terms.jackpot_wager_cents.get(name, cents)
        if cents != fixed:
            words = f"the jackpot wager is {dollars(fixed)}, not {dollars(cents)}"
            problems.append(Problem(f"{path}.{name}", words, game.by_name[name].clause.id, "G-7"))
        cap = terms.base_multiples_max.get(name)
        if cap is not None and cents > cap * wagers.get(game.main.name, 0):
            words = f"{dollars(cents)} is more than {cap} times {game.main.parts[0].name}, the cap of this table"
            problems.append(Problem(f"{path}.{name}", words, game.by_name[name].clause.id))
    return problems


def check_jackpots_together(game: Game, wagered: Iterable[str]) -> list[Problem]:
    """Find whether more jackpots are played at once than the layout may carry (G-13)."""
    jackpots = {wager.name for wager in game.jackpots}.intersection(wagered)
    allowed = game.approval.jackpots_max
    if len(jackpots) <= allowed:
        return []
    words = (
        f"{' and '.join(sorted(jackpots))} cannot be played together: {game.title} allows {allowed} jackpot at a time"
    )
    return [Problem("seats", words, ruling="G-13")]


def check_money(game: Game, seat: int, wagers: Mapping[str, int], law: RuleSet) -> list[Problem]:
    """Find which wagers are over the limits in force on a day in a kind of room (G-12, G-14)."""
    problems = []
    largest, fourth = law.get("single_wager_cents_max"), law.get("fourth_wager_cents_max")
    if largest is not None:
        for name, cents in wagers.items():
            multiple = game.by_name[name].multiple_max
            if cents * multiple <= largest.value:
                continue
            most = f", and the rules put up to {multiple} times that on one spot" if multiple > 1 else ""
            words = f"{dollars(cents)}{most}: the largest single wager is {dollars(largest.value)} from {largest.since}"
            problems.append(Problem(f"seat {seat} wagers.{name}", words, largest.source, largest.ruling))
    if fourth is not None and len(wagers) >= OPTIONS_MAX and min(wagers.values()) > fourth.value:
        words = f"of four wagers at least one must be {dollars(fourth.value)} or less"
        problems.append(Problem(f"seat {seat} wagers", words, fourth.source, fourth.ruling))
    return problems
