"""What the words on a PAR sheet mean, and how its figures are made."""

from __future__ import annotations

from pitboss.odds.par import Sheet
from pitboss.paper.words import decimal

__all__ = ["NOTICE", "definitions"]

NOTICE = "Game names belong to their owners; Pitboss is not affiliated with them."

_EXACT = (
    "All counts are integers over one total of equally likely deals, and every figure is a fraction of integers until "
    "it is printed. What stands under About is that fraction rounded half away from zero; roots are rounded down. "
    "Nothing is sampled, and no exact figure has an error of rounding."
)
_UNIT = (
    "One unit is the base wager: an Ante, each of two equal wagers that stand together, one unit of a bonus wager, the "
    "fixed amount of a jackpot wager."
)
_PLAY = (
    "Every decision is optimal. Where two are worth exactly the same it is the smaller total wager, then the smaller "
    "variance, then the one listed first (ruling G-18)."
)
_STAKE = (
    "What is staked before any decision. House edge is the loss per initial stake, return is one less the edge, "
    "element of risk is the loss per average total wager."
)
_HITS = "The probability of being paid more than was staked; where odds are for 1, of being paid anything."
_SESSION = (
    "The exact distribution of one round convolved with itself in whole multiples of 2 to the power of minus 63, every "
    "product rounded down: a numerical figure, good to the places printed. Every round stakes one unit, and no "
    "bankroll ends the session. The result given for a probability is the least that is not exceeded with it; the "
    "dashed line is the mean."
)
_JACKPOTS = (
    "In every figure but those by meter, the meter and Envy count as zero. A share of the meter is counted whole, with "
    "no other winner. A session counts the meter in whole hundreds of dollars."
)
_STRATEGY = (
    "Found by search for lines that a person can use; its expectation and cost are exact, the cost being what it loses "
    "against optimal play per unit. Hands says how often a line decides."
)


def definitions(sheet: Sheet) -> list[list[str]]:
    """Explain the words and figures that this sheet uses."""
    volatility = sheet.wagers[0].volatility
    index = (
        f"{decimal(volatility.deviations, 3)} standard deviations of one round, per initial stake. After n rounds the "
        f"return lies within the index divided by the root of n of the return given here with {volatility.confidence} "
        "confidence, where n is large enough for a normal distribution."
    )
    found = [
        ["Exact figures", _EXACT],
        ["Unit", _UNIT],
        ["Play", _PLAY],
        ["Initial stake", _STAKE],
        ["Hit frequency", _HITS],
        ["Volatility index", index],
        ["Session", _SESSION],
    ]
    if any(each.jackpot for each in sheet.wagers):
        found.append(["Jackpots", _JACKPOTS])
    if any(each.strategy for each in sheet.wagers):
        found.append(["Strategy", _STRATEGY])
    return [*found, ["Names", NOTICE]]
