"""PAR sheets: built from a game and its terms, written as JSON, read back, and verified by deriving them again."""

import hashlib
import json
import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from pitboss.games import UnknownGameError, find_game
from pitboss.odds.compiled import source_hash
from pitboss.odds.par import figures as par_figures
from pitboss.odds.par import values
from pitboss.odds.solving import solve_terms
from pitboss.odds.store import OddsStore
from pitboss.odds.strategy import strategies
from pitboss.rules import Game, PayTable, Problem, Terms, TermsInput, Wager, make_terms
from pitboss.rules.pays import cell_text
from pitboss.table import Configuration, read_configuration

# Called before each wager with its title, how many are done and how many there are.
Progress = Callable[[str, int, int], None]

_NUMBER = re.compile(r"-?[0-9]+(?:[./][0-9]+)?")
# Sheets from before the documents of rules were named after their games.
_FORMER_DOCUMENT = re.compile(r"00[0-4]_[0-9a-f]{16}")
# What made the sheet is no figure: another version may derive the same sheet.
_MADE_BY = ("identification.pitboss", "identification.code_version")


@dataclass(frozen=True, slots=True, kw_only=True)
class Sheet:
    """A PAR sheet of one configuration."""

    format: str
    inputs: values.Inputs
    identification: values.Identification
    rules: values.RulesInForce
    readings: tuple[values.ReadingInForce, ...]
    paytables: tuple[values.TableInForce, ...]
    wagers: tuple[values.WagerFigures, ...]

    @property
    def digest(self) -> str:
        """The SHA-256 of all that the sheet says, by which a printed sheet and its file know each other."""
        text = json.dumps(values.to_json(self), sort_keys=True, separators=(",", ":"), ensure_ascii=False)
        return hashlib.sha256(text.encode()).hexdigest()

    def as_json(self) -> dict[str, Any]:
        """Return the sheet as JSON holds it, with its digest."""
        content: dict[str, Any] = values.to_json(self)
        return content | {"digest": self.digest}


@dataclass(frozen=True, slots=True)
class Difference:
    """Where a sheet is not what is derived again from its inputs."""

    path: str
    sheet: Any
    derived: Any


@dataclass(frozen=True, slots=True)
class SheetVerification:
    """What verifying a sheet found: how many figures agree, or the first that differs; and who made the sheet."""

    figures: int
    difference: Difference | None
    made_by: str
    verified_by: str


def make_sheet(
    game: Game,
    terms: Terms,
    *,
    wagers: Sequence[str] | None = None,
    meters: Mapping[str, Sequence[int]] | None = None,
    configuration: Configuration | None = None,
    store: OddsStore | None = None,
    tell: Progress = lambda _words, _done, _of: None,
) -> Sheet:
    """Make the PAR sheet of these wagers, or of all whose pay tables the terms hold.

    `meters` gives the meters in cents at which a jackpot is shown besides those of the grid; `configuration` is named
    on the sheet where the terms are of one; with a store, what was counted before is found there.
    """
    chosen = _chosen(game, terms, wagers)
    meters = meters or {}
    inputs = inputs_of(game, terms, [wager.name for wager in chosen], meters, configuration)
    if terms_of(game, inputs) != terms:
        raise ValueError("these terms cannot be stated, so that nobody could derive the sheet again")
    work = [(wager, basis) for wager in chosen for basis in _bases(game, wager, terms)]
    in_force = [wager for wager in game.wagers if any(_has_its_tables(wager, own) for _, own in work)]
    figures = []
    for done, (wager, own) in enumerate(work):
        tell(wager.title, done, len(work))
        result = solve_terms(game, wager, own, store=store)
        plan = _strategy(game, wager, own, store)
        meters_cents = meters.get(wager.name, ())
        limit = None if configuration is None else par_figures.limit_figures(game, wager, own, configuration, store)
        figures.append(
            par_figures.wager_figures(game, wager, own, result, meters_cents=meters_cents, strategy=plan, limit=limit)
        )
    return Sheet(
        format=values.FORMAT,
        inputs=inputs,
        identification=par_figures.identify(game, terms, configuration),
        rules=par_figures.rules_in_force(game),
        readings=par_figures.readings_in_force(game, terms, in_force),
        paytables=par_figures.tables_in_force(game, terms, in_force),
        wagers=tuple(figures),
    )


def _chosen(game: Game, terms: Terms, names: Sequence[str] | None) -> tuple[Wager, ...]:
    """Find the wagers asked for, in the order of the game, or tell everything that is wrong with the asking."""
    if names is None:
        names = [wager.name for wager in game.wagers if has_tables(wager, terms)]
    wrong = [
        f"{game.title} has no wager {name!r}; it has: {', '.join(game.by_name)}"
        for name in names
        if name not in game.by_name
    ]
    chosen = tuple(wager for wager in game.wagers if wager.name in names)
    wrong += [f"no pay table is stated for {wager.name}" for wager in chosen if not has_tables(wager, terms)]
    wrong += [
        f"{wager.name} is settled on what {wager.shares.main} chose: state a pay table of that too"
        for wager in chosen
        if wager.shares is not None
        and wager.follows_main(terms)
        and not has_tables(game.by_name[wager.shares.main], terms)
    ]
    if wrong or not chosen:
        raise ValueError("; ".join(wrong) or "a PAR sheet needs at least one wager")
    return chosen


def _has_its_tables(wager: Wager, terms: Terms) -> bool:
    return bool(wager.slots) and has_tables(wager, terms)


def _bases(game: Game, wager: Wager, terms: Terms) -> list[Terms]:
    """Return the terms a wager is priced under: its own tables, and those of a main wager it shares decisions with."""
    bases = [] if wager.follows_main(terms) else [_only(terms, wager)]
    if wager.shares is not None and wager.shares_decision(terms):
        main = game.by_name[wager.shares.main]
        bases += [_only(terms, wager, main)] if has_tables(main, terms) else []
    return bases


def _only(terms: Terms, *wagers: Wager) -> Terms:
    slots = [slot.name for wager in wagers for slot in wager.slots]
    return replace(terms, tables={name: table for name, table in terms.tables.items() if name in slots})


def _strategy(game: Game, wager: Wager, terms: Terms, store: OddsStore | None) -> values.StrategyFigures | None:
    """Find the strategy of the main wager, where the game says what a person looks at."""
    if game.strategy is None or not (wager.base or len(wager.parts) > 1):
        return None
    return par_figures.strategy_figures(strategies(game, terms, wager=wager, store=store))


def read_sheet(content: Any) -> tuple[Sheet, str]:
    """Read a sheet and the digest it carries from JSON, or tell everything that is wrong."""
    if not isinstance(content, dict):
        raise values.SheetError((Problem("sheet", "must be an object"),))
    digest = content.get("digest")
    problems = [] if isinstance(digest, str) else [Problem("digest", "is missing or no text")]
    rest = {key: value for key, value in content.items() if key != "digest"}
    if isinstance(rest.get("format"), str) and rest["format"] != values.FORMAT:
        problems.append(Problem("format", f"{rest['format']!r} must be {values.FORMAT!r}"))
    try:
        sheet = values.from_json(Sheet, rest)
    except values.SheetError as error:
        raise values.SheetError((*problems, *error.problems)) from None
    if problems:
        raise values.SheetError(tuple(problems))
    return sheet, str(digest)


def verify_sheet(
    content: Any, *, game: Game | None = None, tell: Progress = lambda _words, _done, _of: None
) -> SheetVerification:
    """Derive a sheet again from its inputs and find the first figure that differs; a sheet misread is refused."""
    sheet, digest = read_sheet(content)
    derived = _derive(sheet, game, tell)
    ours, theirs = values.to_json(derived), values.to_json(sheet)
    difference = _first_difference(theirs, ours)
    if difference is None and digest != sheet.digest:
        difference = Difference("digest", digest, sheet.digest)
    figures = sum(1 for path, value in values.leaves(ours) if not path.startswith("inputs") and _is_figure(value))
    return SheetVerification(figures, difference, sheet.identification.code_version, source_hash())


def _derive(sheet: Sheet, game: Game | None, tell: Progress) -> Sheet:
    inputs = sheet.inputs
    try:
        sheet_game = game or find_game(inputs.game)
    except UnknownGameError as error:
        raise values.SheetError((Problem("inputs.game", str(error)),)) from None
    configuration = configuration_of(inputs)
    terms = terms_of(sheet_game, inputs) if configuration is None else configuration.terms
    try:
        return make_sheet(
            sheet_game, terms, wagers=inputs.wagers, meters=inputs.meters_cents, configuration=configuration, tell=tell
        )
    except ValueError as error:
        raise values.SheetError((Problem("inputs", str(error)),)) from None


def _first_difference(sheet: Any, derived: Any) -> Difference | None:
    """Find the first leaf that is not the same, in the order of the sheet derived, then what only the sheet has."""
    theirs, ours = dict(values.leaves(sheet)), dict(values.leaves(derived))
    for path, value in ours.items():
        if path in _MADE_BY or (path.endswith("document") and _FORMER_DOCUMENT.fullmatch(str(theirs.get(path)))):
            continue
        if path not in theirs or not _same(theirs[path], value):
            return Difference(path, theirs.get(path), value)
    return next((Difference(path, value, None) for path, value in theirs.items() if path not in ours), None)


def _same(sheet: Any, derived: Any) -> bool:
    return type(sheet) is type(derived) and bool(sheet == derived)


def _is_figure(value: Any) -> bool:
    return isinstance(value, int) or (isinstance(value, str) and _NUMBER.fullmatch(value) is not None)


def has_tables(wager: Wager, terms: Terms) -> bool:
    """Return whether a wager's pay tables are all in force."""
    return all(slot.name in terms.tables for slot in wager.slots)


def inputs_of(
    game: Game,
    terms: Terms,
    wagers: Sequence[str],
    meters: Mapping[str, Sequence[int]],
    configuration: Configuration | None,
) -> values.Inputs:
    """Write down all that these terms state; cells stand there only where they are not as printed."""
    return values.Inputs(
        game=game.name,
        wagers=tuple(wagers),
        paytables={
            wager.name: tuple(
                _table_input(game, terms.tables[slot.name])
                for slot in wager.slots
                if not slot.fixed and slot.name in terms.tables
            )
            for wager in game.wagers
            if has_tables(wager, terms)
        },
        readings=dict(terms.readings),
        decks=terms.deck.decks if game.decks_allowed else None,
        jackpot_type=terms.jackpot_type,
        jackpot_wager_cents=dict(terms.jackpot_wager_cents),
        bonus_sharing=terms.bonus_sharing,
        fixed_from_meter=tuple(sorted(terms.fixed_from_meter)),
        base_multiples_max=dict(sorted(terms.base_multiples_max.items())),
        meters_cents={name: tuple(meters[name]) for name in game.by_name if name in meters},
        configuration=None if configuration is None else configuration.canonical,
        aggregate_limits={name: limit.as_json() for name, limit in terms.aggregate_limits.items()},
    )


_LIKE = " like "
"""Between the id of a table of a room's own and the printed table from which it departs; no id has a space."""


def _stated_table(item: values.TableInput) -> dict[str, Any]:
    own_id, _, like = item.id.partition(_LIKE)
    return {"id": own_id, "pays": item.pays, "envy": item.envy} | ({"like": like} if like else {})


def _table_input(game: Game, table: PayTable) -> values.TableInput:
    printed = game.paytables[table.printed_id]
    pairs = list(zip(printed.rows, table.rows, strict=True))
    return values.TableInput(
        id=f"{table.id}{_LIKE}{table.like}" if table.like else table.id,
        pays={row.event: cell_text(row.pay) for first, row in pairs if row.pay != first.pay},
        envy={
            row.event: "-" if row.envy is None else cell_text(row.envy)
            for first, row in pairs
            if row.envy != first.envy
        },
    )


def terms_of(game: Game, inputs: values.Inputs) -> Terms:
    """Make the terms that were stated, or tell every problem with them."""
    terms_input = TermsInput(
        paytables={name: [_stated_table(item) for item in tables] for name, tables in inputs.paytables.items()},
        readings=inputs.readings,
        decks=inputs.decks,
        jackpot_type=inputs.jackpot_type,
        jackpot_wager_cents=inputs.jackpot_wager_cents,
        bonus_sharing=inputs.bonus_sharing,
        fixed_from_meter=frozenset(inputs.fixed_from_meter),
        base_multiples_max=inputs.base_multiples_max,
        aggregate_limits=inputs.aggregate_limits,
    )
    terms, problems = make_terms(game, terms_input)
    if problems:
        raise values.SheetError(
            tuple(Problem(f"inputs.{item.path}", item.words, item.clause, item.ruling) for item in problems)
        )
    return terms


def configuration_of(inputs: values.Inputs) -> Configuration | None:
    """Read the configuration that was stated, if one was, or tell every problem with it."""
    if inputs.configuration is None:
        return None
    read = read_configuration(inputs.configuration)
    if read.configuration is None or read.problems:
        problems = (Problem(f"inputs.configuration, {problem.path}", problem.words) for problem in read.problems)
        raise values.SheetError(tuple(problems))
    return read.configuration
