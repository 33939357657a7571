"""What a PAR sheet says besides figures: identification, rules, readings and pay tables in force."""

from __future__ import annotations

from collections.abc import Sequence
from importlib.metadata import version

from pitboss import law
from pitboss.odds.compiled import source_hash
from pitboss.odds.par_values import (
    Identification,
    Letter,
    ReadingInForce,
    RuleInForce,
    RulesInForce,
    TableInForce,
    TableRow,
)
from pitboss.rules import Game, PayTable, Row, Terms, Wager, codes
from pitboss.rules.pays import Dollars, ForOne, OfMeter, ToOne
from pitboss.table import Configuration

__all__ = ["identify", "readings_in_force", "rules_in_force", "tables_in_force"]

_SET_BY_OPERATOR = "set by the operator"
_NOT_PAID = "not paid under the reading in force"
_NOT_ALWAYS_PAID = "paid only as the reading in force says"


def identify(game: Game, terms: Terms, configuration: Configuration | None) -> Identification:
    """Say what the sheet is of and what made it."""
    documents = sorted({clause.document for clause in game.clauses.values()})
    return Identification(
        title=game.title,
        deck=terms.deck.words,
        document=", ".join(documents),
        letters=tuple(Letter(date=str(letter.date), about=letter.about) for letter in game.approval.letters),
        terms_hash=terms.content_hash,
        configuration_hash=None if configuration is None else configuration.content_hash,
        pitboss=version("pitboss"),
        code_version=source_hash(),
    )


def rules_in_force(game: Game) -> RulesInForce:
    """Tell the rules in short; a ruling's text is as RULINGS.md has it."""
    paragraphs = game.words.strip().split("\n\n")
    return RulesInForce(
        words=tuple(" ".join(paragraph.split()) for paragraph in paragraphs),
        stages=tuple(RuleInForce(place=stage.clause.id, words=stage.words) for stage in game.stages),
        rulings=tuple(
            RuleInForce(place=each.id, words=". ".join(part for part in (each.title, each.text) if part))
            for each in law.rulings().values()
            if each.game_code == game.code
        ),
    )


def readings_in_force(game: Game, terms: Terms, wagers: Sequence[Wager]) -> tuple[ReadingInForce, ...]:
    """Tell how each disputed clause that concerns these wagers is read."""
    concerned = {name for wager in wagers for name in wager.switches}
    concerned |= {wager.envy.switch for wager in wagers if wager.envy is not None}
    return tuple(
        ReadingInForce(
            name=switch.name,
            reading=terms.readings[switch.name],
            words=switch.readings[terms.readings[switch.name]],
            clause=switch.clause.id,
            quote=" ".join(switch.clause.quote.split()),
            ruling=switch.ruling,
            others={
                reading: words for reading, words in switch.readings.items() if reading != terms.readings[switch.name]
            },
        )
        for switch in game.switches
        if switch.name in concerned
    )


def tables_in_force(game: Game, terms: Terms, wagers: Sequence[Wager]) -> tuple[TableInForce, ...]:
    """Give the pay tables of these wagers, every row as printed and as it is paid."""
    return tuple(
        _table(game, wager, terms, terms.tables[slot.name])
        for wager in wagers
        for slot in wager.slots
        if slot.name in terms.tables
    )


def _table(game: Game, wager: Wager, terms: Terms, table: PayTable) -> TableInForce:
    printed = game.paytables[table.id]
    unpaid = _reading_notes(wager, terms, table)
    return TableInForce(
        id=table.id,
        wager=wager.name,
        title=wager.title,
        odds=f"{table.odds} 1",
        source=table.source.id,
        document=table.source.document,
        rows=tuple(
            TableRow(
                event=row.event,
                printed=row.printed,
                pays="loss" if unpaid.get(row.event) == _NOT_PAID else str(row.pay),
                envy_printed=row.envy_printed,
                envy=None if row.envy_printed is None else str(row.envy or "-"),
                note=_SET_BY_OPERATOR if _is_set(first, row) else unpaid.get(row.event),
            )
            for first, row in zip(printed.rows, table.rows, strict=True)
        ),
    )


def _is_set(printed: Row, row: Row) -> bool:
    return (printed.pay, printed.envy) != (row.pay, row.envy)


def _reading_notes(wager: Wager, terms: Terms, table: PayTable) -> dict[str, str]:
    """Find the rows with a prize that the settlement does not pay, or not always, because a clause is read so."""
    if not wager.switches:
        return {}
    prizes = {row.event: row.pay for row in table.rows if isinstance(row.pay, ToOne | ForOne | Dollars | OfMeter)}
    paid: dict[str, set[bool]] = {}
    for code in codes(wager.bounds):
        outcome = wager.outcome_of_code(code, terms)
        if outcome.paytable == table.id and outcome.event in prizes:
            prize = prizes[outcome.event]
            paid.setdefault(outcome.event, set()).add(any(prize in part.prizes for part in outcome.parts))
    words = {False: _NOT_PAID, True: _NOT_ALWAYS_PAID}
    return {event: words[True in found] for event, found in paid.items() if False in found}
