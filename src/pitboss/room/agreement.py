"""Whether a configuration agrees with what stands at its table: its equipment, and the jackpots that are played there.

Displays, disputes and dealt rounds go by the configuration in force; sensors are laid out by the set-up, and a hit is
paid by the jackpot's own definition. None of them opens while it disagrees with another: so there is one truth (T-16).
"""

from __future__ import annotations

from collections.abc import Iterator

from pitboss.books import BookState, EntryStep, Invariant, kinds_of
from pitboss.games import find_game
from pitboss.jackpot import JACKPOTS, Jackpot
from pitboss.jackpot.entries import PlaySet
from pitboss.room.configurations import POSTED, configuration_at
from pitboss.rules import Problem, dollars
from pitboss.table import Configuration
from pitboss.tabulator import TABLES, TableSetup
from pitboss.tabulator.entries import TableOpened
from pitboss.tabulator.equipment import NONE


def disagreements(
    state: BookState, table: str, configuration: Configuration, setup: TableSetup | None = None
) -> tuple[Problem, ...]:
    """Name everything in which a configuration disagrees with the set-up of its table and the jackpots played there."""
    found: list[Problem] = []
    tables = state.parts.get(TABLES.name)
    record = None if tables is None else tables.tables.get(table)
    if setup is None and record is not None:
        setup = record.setup
    if setup is not None:
        found += _setup_problems(setup, configuration)
    for each in state.of(JACKPOTS).at(table):
        if each.play != "closed":
            found += jackpot_disagreements(each.jackpot, table, configuration)
    return tuple(found)


def _setup_problems(setup: TableSetup, configuration: Configuration) -> Iterator[Problem]:
    stated = (configuration.game, configuration.seats, configuration.equipment or NONE, configuration.profile)
    standing = (setup.game, setup.seats, setup.model, setup.profile)
    for path, ours, theirs in zip(("game", "seats", "equipment", "profile"), stated, standing, strict=True):
        if ours != theirs:
            words = f"{ours} is stated, and the table is set up for {theirs}: set it up anew while it is closed"
            yield Problem(path, words, "REGULATION T-16")


def jackpot_disagreements(jackpot: Jackpot, table: str, configuration: Configuration) -> Iterator[Problem]:
    """Name everything in which a jackpot at a table is not what the table's configuration states."""
    offer = jackpot.offer_at(table)
    path = f"jackpots.{offer.wager}"
    settings = configuration.jackpots.get(offer.wager)
    if offer.game != configuration.game or settings is None:
        title = find_game(configuration.game).title
        words = (
            f"jackpot {jackpot.name} is played here on {offer.game} {offer.wager}, which {title} here does not offer"
        )
        yield Problem(path, words, "REGULATION J-25")
        return
    ours, theirs = configuration.terms_and_problems[0], jackpot.terms_of(offer)
    pairs = [
        ("type", configuration.jackpot_type, jackpot.meter.jackpot_type),
        ("wager", dollars(settings.wager_cents), dollars(jackpot.meter.wager_cents)),
        ("fixed_prizes", settings.fixed_prizes, jackpot.fixed_prizes),
        ("decks", ours.deck.decks, theirs.deck.decks),
    ]
    if configuration.jackpot_type == "bonus":
        pairs.append(("bonus_sharing", configuration.bonus_sharing, jackpot.bonus_sharing))
    # Of the readings only those about Envy concern a jackpot (FCP-5).
    envy = [name for name in ours.readings if name.startswith("envy")]
    pairs += [(f"reading {name}", ours.readings[name], theirs.readings.get(name)) for name in envy]
    for slot in find_game(offer.game).by_name[offer.wager].slots:
        stated, defined = ours.tables.get(slot.name), theirs.tables.get(slot.name)
        if stated is not None and defined is not None and stated != defined:
            same = "the amounts of " if stated.id == defined.id else ""
            pairs.append(("pay table", f"{same}{stated.id}", f"{defined.id}{' otherwise' if same else ''}"))
    for what, stated_as, defined_as in pairs:
        if stated_as != defined_as:
            words = f"{what} is {stated_as}, and jackpot {jackpot.name} is defined with {defined_as}"
            yield Problem(path, words, "REGULATION T-16")


def open_table_problems(state: BookState, table: str) -> list[str]:
    """Say what keeps a table from opening: that its configuration disagrees with what stands there."""
    configuration = configuration_at(state, table)
    return [] if configuration is None else list(map(str, disagreements(state, table, configuration)))


def open_jackpot_problems(state: BookState, name: str) -> list[str]:
    """Say what keeps a jackpot from opening: that a table of it states it otherwise."""
    record, found = state.of(JACKPOTS).jackpots.get(name), list[str]()
    if record is None:
        return found
    for linked in record.jackpot.tables:
        configuration = configuration_at(state, linked.table)
        if configuration is not None:
            problems = jackpot_disagreements(record.jackpot, linked.table, configuration)
            found += [f"table {linked.table}: {each}" for each in problems]
    return found


def _table_agrees(step: EntryStep) -> Iterator[str]:
    """A table opens only where its configuration in force agrees with what stands there."""
    if POSTED.name in step.before.parts:
        yield from open_table_problems(step.after, step.entry.table)


def _jackpot_agrees(step: EntryStep) -> Iterator[str]:
    """A jackpot is opened only as the configurations of its tables state it."""
    if POSTED.name in step.before.parts and step.value.play == "open":
        yield from open_jackpot_problems(step.before, step.value.name)


INVARIANTS = (
    Invariant(
        name="table-configuration",
        says="a table opens only where its configuration agrees with its set-up and its jackpots",
        sources=("T-16",),
        step=_table_agrees,
        kinds=kinds_of(TableOpened),
    ),
    Invariant(
        name="jackpot-configuration",
        says="a jackpot opens only as the configurations of its tables state it",
        sources=("T-16",),
        step=_jackpot_agrees,
        kinds=kinds_of(PlaySet),
    ),
)
