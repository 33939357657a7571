"""A PAR sheet as a frozen value and as JSON: its inputs, the rules in force, and every figure, exact until printed.

A figure that no fraction holds (a root, a share of a session's distribution) is a decimal text.
"""

import json
import re
from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import MISSING, dataclass, field, fields, is_dataclass
from fractions import Fraction
from functools import cache
from math import gcd
from types import NoneType, UnionType
from typing import Any, TypeVar, get_args, get_origin, get_type_hints

from pitboss.odds.decimals import ratio_text
from pitboss.rules import Problem

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
    aggregate_limits: dict[str, dict[str, int]] = field(default_factory=dict)


@dataclass(frozen=True, slots=True, kw_only=True)
class SheetLetter:
    """A letter that approved the game: its day and what it is about."""

    date: str
    about: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Identification:
    """What the sheet is of, and by which code it was made."""

    title: str
    deck: str
    document: str
    letters: tuple[SheetLetter, ...]
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
class SessionFigures:
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
class LimitFigures:
    """The aggregate payout limit of a wager at its largest stake: as posted, where it binds, what it changes (G-65).

    `house_edge` is that of one player alone under the limit; nothing where it cannot bind.
    """

    posted: str
    words: str
    stake_cents: int
    largest_cents: int
    binds_from_cents: int
    house_edge: Fraction | None
    cost: Fraction


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
    sessions: tuple[SessionFigures, ...]
    strategy: StrategyFigures | None
    limit: LimitFigures | None = None


T = TypeVar("T")

_RATIO = re.compile(r"(-?(?:0|[1-9][0-9]*))/([1-9][0-9]*)")
# Longer than any figure; more digits are not read.
_TEXT_MAX = 4_000


class SheetError(ValueError):
    """What cannot be read as a PAR sheet, with all that is wrong."""

    def __init__(self, problems: tuple[Problem, ...]) -> None:
        super().__init__("; ".join(map(str, problems)))
        self.problems = problems


def to_json(value: Any) -> Any:
    """Return a value as JSON holds it; a field with a default, which came later, stands there where it is another."""
    if isinstance(value, Fraction):
        return ratio_text(value)
    if isinstance(value, tuple):
        return [to_json(item) for item in value]
    if isinstance(value, Mapping):
        return {key: to_json(item) for key, item in value.items()}
    if is_dataclass(value) and not isinstance(value, type):
        declared, later = fields(value), _defaults(type(value))
        held = {declaration.name: getattr(value, declaration.name) for declaration in declared}
        return {name: to_json(item) for name, item in held.items() if name not in later or item != later[name]}
    return value


def from_json(kind: type[T], content: Any) -> T:
    """Read a value of this kind back, or tell everything that is wrong."""
    problems: list[Problem] = []
    value = _read(kind, content, "", problems)
    if problems:
        raise SheetError(tuple(problems))
    assert isinstance(value, kind)
    return value


@cache
def _declared(kind: type) -> dict[str, Any]:
    hints = get_type_hints(kind)
    return {declaration.name: hints[declaration.name] for declaration in fields(kind)}


@cache
def _defaults(kind: type) -> dict[str, Any]:
    """Return the fields that sheets of before do not have, with what they mean there."""
    plain = {each.name: each.default for each in fields(kind) if each.default is not MISSING}
    return plain | {each.name: each.default_factory() for each in fields(kind) if each.default_factory is not MISSING}


def _read(kind: Any, content: Any, path: str, problems: list[Problem]) -> Any:
    """Read one value; where it cannot be read a problem is added and what comes back means nothing."""
    origin = get_origin(kind)
    if origin is UnionType:
        return None if content is None else _read(_other_than_none(kind), content, path, problems)
    if is_dataclass(kind):
        return _read_object(kind, content, path, problems)
    if origin is tuple:
        if isinstance(content, list):
            each_kind = get_args(kind)[0]
            return tuple(_read(each_kind, item, f"{path}[{at}]", problems) for at, item in enumerate(content))
        return _refuse(path, content, "a list", problems)
    if origin is dict:
        if isinstance(content, dict):
            each_kind = get_args(kind)[1]
            return {key: _read(each_kind, item, _under(path, key), problems) for key, item in content.items()}
        return _refuse(path, content, "an object", problems)
    return _read_plain(kind, content, path, problems)


def _other_than_none(kind: Any) -> Any:
    (other,) = (argument for argument in get_args(kind) if argument is not NoneType)
    return other


def _read_object(kind: Any, content: Any, path: str, problems: list[Problem]) -> Any:
    if not isinstance(content, dict):
        return _refuse(path, content, "an object", problems)
    declared = _declared(kind)
    problems_before = len(problems)
    problems += [
        Problem(_under(path, str(key)), f"unknown key; expected: {', '.join(declared)}")
        for key in content
        if key not in declared
    ]
    later = _defaults(kind)
    problems += [
        Problem(_under(path, name), "is missing") for name in declared if name not in content and name not in later
    ]
    values = {
        name: _read(field_kind, content[name], _under(path, name), problems)
        for name, field_kind in declared.items()
        if name in content
    }
    return None if len(problems) > problems_before else kind(**values)


def _read_plain(kind: Any, content: Any, path: str, problems: list[Problem]) -> Any:
    if kind is Fraction:
        match = _RATIO.fullmatch(content) if isinstance(content, str) and len(content) <= _TEXT_MAX else None
        if match is None or gcd(int(match[1]), int(match[2])) != 1:
            return _refuse(path, content, 'a fraction "numerator/denominator" in lowest terms', problems)
        return Fraction(int(match[1]), int(match[2]))
    if kind is int and type(content) is int:
        return content
    if kind is str and isinstance(content, str):
        return content
    return _refuse(path, content, "text" if kind is str else "a whole number", problems)


def _refuse(path: str, content: Any, expected: str, problems: list[Problem]) -> None:
    text = repr(content)
    excerpt = text if len(text) <= 60 else f"{text[:57]}..."
    problems.append(Problem(path or "sheet", f"{excerpt} must be {expected}"))


def _under(path: str, key: str) -> str:
    return f"{path}.{key}" if path else key


def leaves(content: Any, path: str = "") -> Iterator[tuple[str, Any]]:
    """Every value that holds no other, with the path to it; an empty list or object counts as one."""
    if isinstance(content, dict) and content:
        for key, item in content.items():
            yield from leaves(item, _under(path, key))
    elif isinstance(content, list) and content:
        for at, item in enumerate(content):
            yield from leaves(item, f"{path}[{at}]")
    else:
        yield path, content


def write_text(content: Any) -> str:
    """Write JSON for people and machines: the same content gives the same bytes."""
    return json.dumps(content, indent=1, ensure_ascii=False) + "\n"


def read_text(text: str) -> Any:
    """Read JSON; what JSON readers do not agree about (a key twice, NaN) is refused."""
    try:
        return json.loads(text, object_pairs_hook=_each_key_once, parse_constant=_no_constant)
    except (ValueError, RecursionError) as error:
        words = "nested too deep" if isinstance(error, RecursionError) else str(error)
        raise SheetError((Problem("sheet", f"not JSON: {words}"),)) from None


def _each_key_once(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    twice = sorted(key for key, times in Counter(key for key, _ in pairs).items() if times > 1)
    if twice:
        raise ValueError(f"a key stands twice: {', '.join(twice)}")
    return dict(pairs)


def _no_constant(name: str) -> Any:
    raise ValueError(f"{name} is no number")
