"""A PAR sheet as a frozen value: what was asked, under which rules, and every figure, exact until printed.

A figure that no fraction holds (a root, a share of a session's distribution) is a decimal text.
"""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction

__all__ = [
    "FORMAT",
    "AtMeter",
    "AtSeats",
    "Band",
    "Bin",
    "DecisionChart",
    "DecisionShare",
    "EventFigures",
    "Identification",
    "Inputs",
    "JackpotFigures",
    "Letter",
    "Quantile",
    "ReadingInForce",
    "RuleInForce",
    "RulesInForce",
    "Session",
    "StrategyFigures",
    "StrategyLine",
    "StrategyStep",
    "TableInForce",
    "TableInput",
    "TableRow",
    "Volatility",
    "WagerFigures",
]

FORMAT = "pitboss PAR sheet, 1"


@dataclass(frozen=True, slots=True, kw_only=True)
class TableInput:
    """A pay table as stated: its id and the cells that are not as printed, pays and Envy."""

    id: str
    pays: dict[str, str]
    envy: dict[str, str]


@dataclass(frozen=True, slots=True, kw_only=True)
class Inputs:
    """All that the sheet is derived from; with a configuration the other inputs are what that states."""

    game: str
    wagers: tuple[str, ...]
    paytables: dict[str, tuple[TableInput, ...]]
    readings: dict[str, str]
    decks: int | None
    jackpot_type: str
    jackpot_wager_cents: dict[str, int]
    bonus_sharing: str
    fixed_from_meter: tuple[str, ...]
    base_multiples_max: dict[str, int]
    meters_cents: dict[str, tuple[int, ...]]
    configuration: str | None


@dataclass(frozen=True, slots=True, kw_only=True)
class Letter:
    """A letter that approved the game: its day and what it is about."""

    date: str
    about: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Identification:
    """What the sheet is of, and by which code it was made."""

    title: str
    deck: str
    document: str
    letters: tuple[Letter, ...]
    terms_hash: str
    configuration_hash: str | None
    pitboss: str
    code_version: str


@dataclass(frozen=True, slots=True, kw_only=True)
class RuleInForce:
    """One step or ruling: where it is written and what it says."""

    place: str
    words: str


@dataclass(frozen=True, slots=True, kw_only=True)
class RulesInForce:
    """The rules in short: the game in our words, the course of the round by clause, and the rulings of the game."""

    words: tuple[str, ...]
    stages: tuple[RuleInForce, ...]
    rulings: tuple[RuleInForce, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class ReadingInForce:
    """How a disputed clause is read here, by which ruling, and what the clause says."""

    name: str
    reading: str
    words: str
    clause: str
    quote: str
    ruling: str
    others: dict[str, str]


@dataclass(frozen=True, slots=True, kw_only=True)
class TableRow:
    """A row as the document prints it and as it is paid here; `note` says where the two part."""

    event: str
    printed: str
    pays: str
    envy_printed: str | None
    envy: str | None
    note: str | None


@dataclass(frozen=True, slots=True, kw_only=True)
class TableInForce:
    """A pay table in force, with its source."""

    id: str
    wager: str
    title: str
    odds: str
    source: str
    document: str
    rows: tuple[TableRow, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class EventFigures:
    """One event of a wager."""

    event: str
    pays: str
    count: int
    of: int
    probability: Fraction
    contribution: Fraction


@dataclass(frozen=True, slots=True, kw_only=True)
class DecisionShare:
    """How often a decision is taken, of the hands that come to it."""

    decision: str
    share: Fraction


@dataclass(frozen=True, slots=True, kw_only=True)
class Band:
    """After so many rounds the return lies between these two, with the confidence of the index."""

    rounds: int
    low: str
    high: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Volatility:
    """The volatility index: deviations by confidence, times the deviation per initial stake of one round."""

    confidence: str
    deviations: Fraction
    index: str
    bands: tuple[Band, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class AtMeter:
    """A jackpot at one meter: expectation, return, edge and deviation per unit staked."""

    meter_cents: int
    ev: Fraction
    returned: Fraction
    house_edge: Fraction
    std_dev: str


@dataclass(frozen=True, slots=True, kw_only=True)
class AtSeats:
    """The edge of a jackpot with so many seats whose hands give Envy to one another, the meter counted as zero."""

    seats: int
    house_edge: Fraction


@dataclass(frozen=True, slots=True, kw_only=True)
class JackpotFigures:
    """What a jackpot wager returns besides and by the meter; the top award is the event with the largest share.

    `envy_per_hand` is what each other hand at the table adds by Envy, where the table pays it.
    """

    wager_cents: int
    fixed_return: Fraction
    meter_coefficient: Fraction
    break_even_meter: Fraction | None
    top_event: str
    top_probability: Fraction
    meters: tuple[AtMeter, ...]
    envy_per_hand: Fraction | None
    seats: tuple[AtSeats, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Quantile:
    """The least result that a session stays at or under with this probability; nothing where it is beyond the range."""

    probability: Fraction
    result: Fraction | None


@dataclass(frozen=True, slots=True, kw_only=True)
class Bin:
    """The share of sessions whose result is from the lowest to the highest given, both included."""

    lowest: Fraction
    highest: Fraction
    share: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Session:
    """The distribution of the result of so many rounds of one unit each.

    `meter_cents` is the meter that counts in it; `above` is the share of results over `range_max`.
    """

    rounds: int
    meter_cents: int | None
    mean: Fraction
    std_dev: str
    ahead: str
    even: str
    behind: str
    range_max: Fraction
    above: str
    quantiles: tuple[Quantile, ...]
    bins: tuple[Bin, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class StrategyLine:
    """One line a person can use: with such a hand, do this; and how often it decides."""

    words: str
    decision: str
    share: Fraction


@dataclass(frozen=True, slots=True, kw_only=True)
class DecisionChart:
    """The lines of one decision."""

    question: str
    lines: tuple[StrategyLine, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class StrategyStep:
    """What a strategy of at most so many lines for a decision costs against optimal play."""

    lines: int
    ev: Fraction
    cost: Fraction


@dataclass(frozen=True, slots=True, kw_only=True)
class StrategyFigures:
    """The strategy recommended for a person, with its exact expectation and cost, and the trade it was chosen from."""

    decisions: tuple[DecisionChart, ...]
    lines: int
    ev: Fraction
    cost: Fraction
    steps: tuple[StrategyStep, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class WagerFigures:
    """Every figure of one wager, per unit of its base stake; the meter of a jackpot counts as zero."""

    wager: str
    title: str
    words: str
    clause: str
    chips: tuple[str, ...]
    basis: str
    paytables: tuple[str, ...]
    method: str
    terms_hash: str
    ev: Fraction
    initial_stake: Fraction
    returned: Fraction
    house_edge: Fraction
    average_wager: Fraction
    element_of_risk: Fraction
    variance: Fraction
    std_dev: str
    hit_frequency: Fraction
    total: int
    events: tuple[EventFigures, ...]
    decisions: tuple[tuple[DecisionShare, ...], ...]
    volatility: Volatility
    jackpot: JackpotFigures | None
    sessions: tuple[Session, ...]
    strategy: StrategyFigures | None
