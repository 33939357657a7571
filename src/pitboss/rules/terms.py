"""Terms: everything a settlement depends on besides cards, decisions and stakes, built with every problem at once."""

from __future__ import annotations

import hashlib
import json
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache, cached_property, partial
from typing import TYPE_CHECKING, Any, Literal, NamedTuple, TypeAlias

from pitboss.cards import Deck
from pitboss.rules.limits import AggregateLimit, read_limits
from pitboss.rules.pays import rank_of_pay
from pitboss.rules.paytables import PayTable, losing_events, set_amounts
from pitboss.rules.reasons import Problem

if TYPE_CHECKING:
    from pitboss.rules.game import Game
    from pitboss.rules.wagers import Slot, Wager


JackpotType: TypeAlias = Literal["progressive", "bonus"]
BonusSharing: TypeAlias = Literal["full", "split"]


@dataclass(frozen=True, kw_only=True, eq=False)
class Terms:
    """The pay tables in force by slot, the readings, the deck and the jackpots' terms of one table.

    `base_multiples_max` caps a wager at so many times the base wager of its seat, where the operator set that;
    `aggregate_limits` is by wager the most that its prizes of one deal come to. Two terms are equal when their
    canonical texts are.
    """

    game: str
    deck: Deck
    tables: Mapping[str, PayTable]
    readings: Mapping[str, str]
    jackpot_type: JackpotType = "progressive"
    jackpot_wager_cents: Mapping[str, int] = field(default_factory=dict)
    bonus_sharing: BonusSharing = "full"
    fixed_from_meter: frozenset[str] = frozenset()
    base_multiples_max: Mapping[str, int] = field(default_factory=dict)
    aggregate_limits: Mapping[str, AggregateLimit] = field(default_factory=dict)

    @cached_property
    def canonical(self) -> str:
        """One line of text that says it all and is the same for equal terms."""
        tables = {
            slot: {
                "id": table.id,
                "rows": [
                    [row.event, str(row.pay)] + ([] if row.envy_printed is None else [str(row.envy or "-")])
                    for row in table.rows
                ],
            }
            for slot, table in self.tables.items()
        }
        content: dict[str, Any] = {
            "game": self.game,
            "decks": self.deck.decks,
            "tables": tables,
            "readings": dict(self.readings),
            "jackpot_type": self.jackpot_type,
            "jackpot_wager_cents": dict(self.jackpot_wager_cents),
            "bonus_sharing": self.bonus_sharing,
            "fixed_from_meter": sorted(self.fixed_from_meter),
            "base_multiples_max": dict(self.base_multiples_max),
        }
        if self.aggregate_limits:
            content["aggregate_limits"] = {name: limit.as_json() for name, limit in self.aggregate_limits.items()}
        return json.dumps(content, sort_keys=True, separators=(",", ":"), ensure_ascii=False)

    @cached_property
    def content_hash(self) -> str:
        """The SHA-256 of the canonical text, by which results name the terms they hold under."""
        return hashlib.sha256(self.canonical.encode()).hexdigest()

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Terms) and self.canonical == other.canonical

    def __hash__(self) -> int:
        return hash(self.canonical)


JACKPOT_TYPES = ("progressive", "bonus")
SHARING = ("full", "split")
DOLLAR_CENTS = 100
_JACKPOT_WAGER_CENTS_MAX = 100_000


@dataclass(frozen=True, slots=True, kw_only=True)
class TermsInput:
    """What was stated, unchecked: pay tables by wager as ids or as `{"id", "pays", "envy"}`, and the rest."""

    paytables: Mapping[str, Any]
    readings: Mapping[str, Any]
    decks: Any = None
    jackpot_type: Any = "progressive"
    jackpot_wager_cents: Any = DOLLAR_CENTS
    bonus_sharing: Any = None
    fixed_from_meter: frozenset[str] = frozenset()
    base_multiples_max: Mapping[str, int] = field(default_factory=dict)
    aggregate_limits: Any = field(default_factory=dict)


def make_terms(game: Game, inputs: TermsInput) -> tuple[Terms, tuple[Problem, ...]]:
    """Make the terms; they may be used only where no problem comes back."""
    problems: list[Problem] = []
    decks = _decks(game, inputs.decks, problems)
    jackpot_type = _one_of(inputs.jackpot_type, JACKPOT_TYPES, "jackpot_type", problems)
    stated_sharing = game.bonus_sharing if inputs.bonus_sharing is None else inputs.bonus_sharing
    sharing = _one_of(stated_sharing, SHARING, "bonus_sharing", problems)
    readings = _readings(game, inputs.readings, problems)
    wager_cents = _jackpot_wager_cents(game, inputs.jackpot_wager_cents, problems)
    tables: dict[str, PayTable] = {}
    for name, entries in inputs.paytables.items():
        wager = game.by_name.get(name)
        if wager is None:
            names = ", ".join(game.by_name)
            problems.append(Problem(f"paytables.{name}", f"{game.title} has no such wager; it has: {names}"))
        elif not isinstance(entries, (list, tuple)):
            problems.append(
                Problem(f"paytables.{name}", "must be a list of pay table ids", wager.clause.id, code="not-a-list")
            )
        else:
            tables |= _tables_of(game, wager, entries, jackpot_type, wager_cents.get(name, DOLLAR_CENTS), problems)
    for name, slot in _fixed_slots(game):
        if name in inputs.paytables:
            tables.setdefault(slot.name, game.paytables[slot.ids[0]])
    terms = Terms(
        game=game.name,
        deck=game.deck_of(decks),
        tables=tables,
        readings=readings,
        jackpot_type=jackpot_type,  # type: ignore[arg-type]
        jackpot_wager_cents=wager_cents,
        bonus_sharing=sharing,  # type: ignore[arg-type]
        fixed_from_meter=inputs.fixed_from_meter,
        base_multiples_max=inputs.base_multiples_max,
        aggregate_limits=read_limits(game, inputs.aggregate_limits, problems),
    )
    if not problems:
        problems += game.check(terms)
    return terms, tuple(problems)


@cache
def _fixed_slots(game: Game) -> tuple[tuple[str, Slot], ...]:
    return tuple((wager.name, slot) for wager, slot in game.slots() if slot.fixed)


def _one_of(value: Any, allowed: tuple[str, ...], path: str, problems: list[Problem]) -> str:
    if isinstance(value, str) and value in allowed:
        return value
    problems.append(Problem(path, f"{value!r} must be one of {', '.join(allowed)}", ruling="G-4"))
    return allowed[0]


def _decks(game: Game, value: Any, problems: list[Problem]) -> int | None:
    allowed = game.decks_allowed
    if not allowed:
        if value is not None:
            problems.append(Problem("decks", f"{game.title} is played with {game.deck.words}: leave decks out"))
        return None
    if isinstance(value, int) and not isinstance(value, bool) and value in allowed:
        return value
    words = "is missing" if value is None else f"{value!r} is not allowed"
    words = f"{words}: expected {' or '.join(map(str, allowed))}"
    code = "missing" if value is None else ""
    problems.append(Problem("decks", words, f"{game.code} description", code=code))
    return allowed[0]


def _readings(game: Game, values: Mapping[str, Any], problems: list[Problem]) -> dict[str, str]:
    readings = {switch.name: switch.default for switch in game.switches}
    by_name = {switch.name: switch for switch in game.switches}
    for name, value in values.items():
        switch = by_name.get(name)
        if switch is None:
            names = ", ".join(by_name) or "none"
            problems.append(Problem(f"readings.{name}", f"{game.title} has no such switch; it has: {names}"))
        elif not isinstance(value, str) or value not in switch.readings:
            words = f"{value!r} must be one of {', '.join(switch.readings)}"
            problems.append(Problem(f"readings.{name}", words, switch.clause.id, switch.ruling))
        else:
            readings[name] = value
    return readings


def _jackpot_wager_cents(game: Game, amounts: Any, problems: list[Problem]) -> dict[str, int]:
    names = [wager.name for wager in game.jackpots]
    by_name = isinstance(amounts, Mapping)
    if not by_name:
        amounts = dict.fromkeys(names, amounts)
    cents = dict.fromkeys(names, DOLLAR_CENTS)
    refused: set[str] = set()
    for name, value in amounts.items():
        problem = None
        if name not in names:
            problem = f"{name!r} is no jackpot wager of {game.title}"
        elif type(value) is not int or not 0 < value <= _JACKPOT_WAGER_CENTS_MAX:
            problem = f"must be a positive whole number of cents, at most {_JACKPOT_WAGER_CENTS_MAX}"
        elif value != DOLLAR_CENTS and game.approval.jackpot_amount_fixed:
            problem = f"{value}: the jackpot wager of {game.title} is one dollar only"
        if problem is None:
            cents[name] = value
        elif problem not in refused:
            refused.add(problem)
            problems.append(Problem(f"jackpot_wager_cents{f'.{name}' if by_name else ''}", problem, ruling="G-7"))
    return cents


class _Choice(NamedTuple):
    """A pay table that may be stated for a wager: where it stands, and which events may lose in it (G-6)."""

    table: PayTable
    slot: Slot
    losing: frozenset[str]
    losing_envy: frozenset[str]
    printed_ids: frozenset[str]


@cache
def _choices(game: Game, wager: str) -> dict[str, _Choice]:
    """Collect the pay tables that may be stated for a wager, by id."""
    choices: dict[str, _Choice] = {}
    printed_ids = frozenset(game.paytables)
    for slot in game.by_name[wager].slots:
        losing = losing_events(game.paytables[sister] for sister in slot.ids)
        choices |= {table_id: _Choice(game.paytables[table_id], slot, *losing, printed_ids) for table_id in slot.ids}
    return choices


def _tables_of(
    game: Game, wager: Wager, entries: Sequence[Any], jackpot_type: str, wager_cents: int, problems: list[Problem]
) -> dict[str, PayTable]:
    chosen: dict[str, PayTable] = {}
    path = f"paytables.{wager.name}"
    choices = _choices(game, wager.name)
    for entry in entries:
        table = _table_of(wager, choices, entry, jackpot_type, wager_cents, problems)
        if table is None:
            continue
        slot = choices[table.printed_id].slot
        if slot.name in chosen:
            words = f"{chosen[slot.name].id} and {table.id} cannot both be in force"
            problems.append(Problem(path, words, table.source.id))
        chosen[slot.name] = table
    refused = any(problem.path.startswith(path) for problem in problems)
    for slot in wager.slots:
        if slot.name not in chosen and not slot.fixed and not refused:
            words = f"no pay table for {wager.title}: state one of {', '.join(slot.ids)}"
            problems.append(Problem(path, words, wager.clause.id, code="missing"))
    return chosen


def _table_of(
    wager: Wager,
    choices: Mapping[str, _Choice],
    entry: Any,
    jackpot_type: str,
    wager_cents: int,
    problems: list[Problem],
) -> PayTable | None:
    if isinstance(entry, str) and entry in choices and not choices[entry].table.operator_set:
        return choices[entry].table
    path = f"paytables.{wager.name}"
    content = entry if isinstance(entry, Mapping) else {"id": entry}
    table_id, pays, envy = content.get("id"), content.get("pays", {}), content.get("envy", {})
    like = content.get("like", table_id)
    choice = choices.get(like) if isinstance(like, str) else None
    if "like" in content and (problem := _own_id_problem(wager, table_id, like, choice)):
        problems.append(Problem(path, problem, ruling="G-6"))
        return None
    if choice is None:
        words = f"{table_id!r} is no pay table of {wager.title}: expected {', '.join(choices)}"
        problems.append(Problem(path, words, code="unknown-paytable"))
        return None
    unknown = sorted(set(map(str, content)) - {"id", "like", "pays", "envy"})
    if unknown:
        words = f"{table_id}: unknown keys {', '.join(unknown)}; expected id, like, pays, envy"
        problems.append(Problem(path, words))
    if not isinstance(pays, Mapping) or not isinstance(envy, Mapping):
        problems.append(Problem(path, f"{table_id}: pays and envy must be objects, event to cell"))
        return None
    table = choice.table.as_own(str(table_id)) if "like" in content else choice.table
    if not pays and not envy and not table.operator_set:
        return table
    if choice.slot.fixed:
        problems.append(Problem(path, f"{table_id} is fixed by the rules and takes no amounts", table.source.id))
        return None
    settled, amount_problems = set_amounts(
        table,
        pays,
        envy,
        path=f"{path}.{table_id}",
        losing=choice.losing,
        losing_envy=choice.losing_envy,
        jackpot_type=jackpot_type,
        either=wager.bonus_cells_by_type,
        worth=partial(rank_of_pay, stake_cents=wager_cents, dollars_scale=wager.dollars_scale),
    )
    problems += amount_problems
    return settled


_OWN_ID = re.compile(r"[A-Za-z0-9][A-Za-z0-9./_-]{0,39}")


def _own_id_problem(wager: Wager, own_id: Any, like: Any, choice: _Choice | None) -> str | None:
    """Return what is wrong with the id of a room's own table: never that of a printed one (G-6)."""
    if choice is None:
        return f"like: {like!r} is no pay table of {wager.title}"
    if not isinstance(own_id, str) or not _OWN_ID.fullmatch(own_id):
        return f"{own_id!r} must be an id of the room's own in letters, digits and ./_-"
    if own_id in choice.printed_ids:
        return f"{own_id} is a printed table: a table of the room's own has an id of its own"
    return None
