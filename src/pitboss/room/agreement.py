"""The agreement of a configuration with its table: equipment and jackpots (T-16), and what both can cost together."""

from collections.abc import Iterator
from dataclasses import replace

from pitboss.books import LEDGER, BookState
from pitboss.games import find_game
from pitboss.jackpot import JACKPOTS, Jackpot
from pitboss.rules import PayTable, Problem, dollars
from pitboss.rules.pays import Dollars, Posted
from pitboss.table import Configuration
from pitboss.table.costs import TableCost, cost_of
from pitboss.tabulator import TABLES, TableSetup
from pitboss.tabulator.equipment import NONE, clause


def disagreements(
    state: BookState, table: str, configuration: Configuration, setup: TableSetup | None = None
) -> tuple[Problem, ...]:
    """Return everything in which a configuration disagrees with the set-up of its table and the jackpots there."""
    problems: list[Problem] = []
    tables = state.parts.get(TABLES.name)
    record = None if tables is None else tables.tables.get(table)
    if setup is None and record is not None:
        setup = record.setup
    if setup is not None:
        problems += _setup_problems(setup, configuration)
    for record in state.of(JACKPOTS).at(table):
        if record.play != "closed":
            problems += jackpot_disagreements(record.jackpot, table, configuration)
    return tuple(problems)


def cost_at_the_meter(state: BookState, table: str, configuration: Configuration) -> TableCost | None:
    """Return what a configuration can cost at a table, its jackpots at what is displayed there now.

    A jackpot that is not open counts with the amount it starts with; while pay tables are not settled there is no cost.
    """
    if configuration.terms_and_problems[1]:
        return None
    jackpots = dict(configuration.jackpots)
    for record in state.of(JACKPOTS).at(table):
        wager = record.jackpot.offer_at(table).wager
        accounts = state.of(LEDGER).get(record.jackpot.name)
        if accounts is not None and wager in jackpots:
            jackpots[wager] = replace(jackpots[wager], meter_cents=accounts.meter_state.displayed_cents)
    return cost_of(replace(configuration, jackpots=jackpots))


def _setup_problems(setup: TableSetup, configuration: Configuration) -> Iterator[Problem]:
    configured = (configuration.game, configuration.seats, configuration.equipment or NONE, configuration.profile)
    standing = (setup.game, setup.seats, setup.model, setup.profile)
    for path, ours, theirs in zip(("game", "seats", "equipment", "profile"), configured, standing, strict=True):
        if ours != theirs:
            words = f"{ours} is stated, and the table is set up for {theirs}: set it up anew while it is closed"
            yield Problem(path, words, "REGULATION T-16", "G-53")
    if setup.counts_nothing:
        for wager in configuration.jackpots:
            words = "the table is set up to count nothing, and a jackpot's wagers are counted: set it up anew"
            yield Problem(f"jackpots.{wager}", words, clause("one-sensor").id)


def _as_defined(posted: PayTable, defined: PayTable, meter_cents: int) -> PayTable:
    """Return the pay table of a configuration beside a Bonus of old books, which states the amount it posts (G-6)."""
    first = defined.rows[0]
    if isinstance(posted.rows[0].pay, Posted) and first.pay == Dollars(meter_cents):
        return posted.with_rows((first, *posted.rows[1:]))
    return posted


def jackpot_disagreements(jackpot: Jackpot, table: str, configuration: Configuration) -> Iterator[Problem]:
    """Yield everything in which a jackpot at a table is not what the table's configuration states."""
    offer = jackpot.offer_at(table)
    path = f"jackpots.{offer.wager}"
    settings = configuration.jackpots.get(offer.wager)
    if offer.game != configuration.game or settings is None:
        title = find_game(configuration.game).title
        words = f"{jackpot.title} is played here on {find_game(offer.game).title}, and {title} here does not offer it"
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
        posted, defined = ours.tables.get(slot.name), theirs.tables.get(slot.name)
        if posted is not None and defined is not None:
            posted = _as_defined(posted, defined, configuration.meters[offer.wager])
        if posted is not None and defined is not None and posted != defined:
            same = "the amounts of " if posted.id == defined.id else ""
            pairs.append(("pay table", f"{same}{posted.id}", f"{defined.id}{' otherwise' if same else ''}"))
    for what, stated_as, defined_as in pairs:
        if stated_as != defined_as:
            words = f"{what} is {stated_as}, and {jackpot.title} is defined with {defined_as}"
            yield Problem(path, words, "REGULATION T-16", "G-53")
