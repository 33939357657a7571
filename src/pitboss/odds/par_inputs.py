"""From terms to the inputs of a PAR sheet and back: what is stated, and no more than that."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from pitboss.odds.par_json import SheetError
from pitboss.odds.par_values import Inputs, TableInput
from pitboss.rules import Game, PayTable, Problem, Stated, Terms, Wager, make_terms
from pitboss.rules.pays import cell_text
from pitboss.table import Configuration, read_configuration

__all__ = ["configuration_of", "has_tables", "inputs_of", "terms_of"]


def has_tables(wager: Wager, terms: Terms) -> bool:
    """Tell whether a wager's pay tables are all in force."""
    return all(slot.name in terms.tables for slot in wager.slots)


def inputs_of(
    game: Game,
    terms: Terms,
    wagers: Sequence[str],
    meters: Mapping[str, Sequence[int]],
    configuration: Configuration | None,
) -> Inputs:
    """Write down all that these terms state; cells stand there only where they are not as printed."""
    return Inputs(
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
    )


def _table_input(game: Game, table: PayTable) -> TableInput:
    printed = game.paytables[table.id]
    pairs = list(zip(printed.rows, table.rows, strict=True))
    return TableInput(
        id=table.id,
        pays={row.event: cell_text(row.pay) for first, row in pairs if row.pay != first.pay},
        envy={
            row.event: "-" if row.envy is None else cell_text(row.envy)
            for first, row in pairs
            if row.envy != first.envy
        },
    )


def terms_of(game: Game, inputs: Inputs) -> Terms:
    """Make the terms that were stated, or tell every problem with them."""
    stated = Stated(
        paytables={
            name: [{"id": each.id, "pays": each.pays, "envy": each.envy} for each in tables]
            for name, tables in inputs.paytables.items()
        },
        readings=inputs.readings,
        decks=inputs.decks,
        jackpot_type=inputs.jackpot_type,
        jackpot_wager_cents=inputs.jackpot_wager_cents,
        bonus_sharing=inputs.bonus_sharing,
        fixed_from_meter=frozenset(inputs.fixed_from_meter),
        base_multiples_max=inputs.base_multiples_max,
    )
    terms, problems = make_terms(game, stated)
    if problems:
        raise SheetError(
            tuple(Problem(f"inputs.{each.path}", each.words, each.clause, each.ruling) for each in problems)
        )
    return terms


def configuration_of(inputs: Inputs) -> Configuration | None:
    """Read the configuration that was stated, if one was, or tell every problem with it."""
    if inputs.configuration is None:
        return None
    read = read_configuration(inputs.configuration)
    if read.configuration is None or read.problems:
        problems = (Problem(f"inputs.configuration, {each.path}", each.words) for each in read.problems)
        raise SheetError(tuple(problems))
    return read.configuration
