"""What commands about tables and their rounds do, in the words of who approves them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING

from pitboss.commands import Description
from pitboss.commands.description import Change, changes, counted, fact, listed, seats_text
from pitboss.jackpot.descriptions import game_title, meter_text
from pitboss.jackpot.hits import voids
from pitboss.jackpot.state import JACKPOTS
from pitboss.jackpot.titles import jackpot_title, wager_title
from pitboss.law.papers import equipment_title
from pitboss.tabulator.state import TABLES, jackpots_by_wager
from pitboss.tabulator.values import TableRecord

if TYPE_CHECKING:
    from pitboss.books import BookState
    from pitboss.tabulator.corrections import Correction, VoidRound
    from pitboss.tabulator.setup import TableSetup

LIFE_TITLES = {"closed": "Closed", "open": "Open", "suspended": "Jackpots suspended"}
DOWN_TITLES = {"suspend": "suspend jackpots", "on-the-spot": "play manually"}
PROFILE_TITLES = {"wa-commercial": "house-banked card room", "wa-tribal": "tribal casino"}
ALARM_TITLES = {
    "disagreeing": "Sensor check",
    "silent": "Sensor sees no wagers",
    "stuck": "Sensor stuck",
    "fault": "Equipment fault",
    "refused": "Message rejected",
    "twin": "Two devices, one name",
    "clock": "Clock off",
    "link": "Link lost",
    "lost": "Messages missing",
    "counter": "Counter difference",
    "reconciliation": "Manual counts differ",
    "correction": "Correction to confirm",
    "logger": "Panel and logger differ",
}
"""The titles of a table's alerts by their kind, with which their key begins."""
CAUSE_TITLES = {
    "missed": "wager missed",
    "miscounted": "counted, no wager there",
    "refunded": "wager returned",
    "shuffler-malfunction": "shuffler malfunction",
    "misdeal": "misdeal",
    "exposed-card": "exposed card",
    "wrong-count-of-cards": "wrong number of cards",
    "fouled-deck": "fouled deck",
}


def record_at(state: BookState, table: str) -> TableRecord | None:
    """Return a table that is set up, if it is."""
    return state.of(TABLES).tables.get(table)


def setup_texts(setup: TableSetup) -> dict[str, str]:
    """Return a table's equipment by the labels of its form."""
    entered = listed(wager_title(setup.game, wager) for wager in setup.entered)
    return {
        "Game": game_title(setup.game),
        "Equipment": equipment_title(setup.model),
        "Seats": str(setup.seats),
        "Wagers counted": listed(wager_title(setup.game, wager) for wager in setup.wagers),
        "Entered by the dealer": entered,
        "Tabulator name": setup.device,
        "Counter digits": "" if setup.counter_digits is None else str(setup.counter_digits),
        "If equipment fails": DOWN_TITLES.get(setup.down_method, setup.down_method),
        "Property type": PROFILE_TITLES.get(setup.profile, setup.profile),
        "Alarm after": (
            f"{counted(setup.limits.silent_rounds, 'round')} without a wager, "
            f"{setup.limits.stuck_presses:,} in a row with one, "
            f"{counted(setup.limits.disagreements, 'correction')}, "
            f"a clock off by {counted(setup.limits.clock_seconds, 'second')}"
        ),
    }


def setup_changes(state: BookState, setup: TableSetup) -> tuple[Change, ...]:
    """Return the equipment of a new table, or what differs from the equipment that is there."""
    record = record_at(state, setup.table)
    return changes(None if record is None else setup_texts(record.setup), setup_texts(setup))


def table_changes(state: BookState, table: str, after: str) -> tuple[Change, ...]:
    """Return the state of a table before and after, its game, and the meters that are played then."""
    record = record_at(state, table)
    rows = [Change("State", LIFE_TITLES["closed" if record is None else record.life], after)]
    rows += [] if record is None else [fact("Game", game_title(record.setup.game))]
    rows += [
        fact(jackpot_title(state, linked.jackpot.name), meter_text(state, linked.jackpot.name))
        for linked in state.of(JACKPOTS).at(table)
    ]
    return tuple(rows)


def wager_name(state: BookState, table: str, wager: str) -> str:
    """Return what a wager of a table is called: the jackpot that is won on it, or its title."""
    linked = jackpots_by_wager(state, table).get(wager)
    record = record_at(state, table)
    if linked is not None:
        return jackpot_title(state, linked.jackpot.name)
    return wager_title("" if record is None else record.setup.game, wager)


def _round_seats(state: BookState, table: str, number: int) -> Mapping[str, Sequence[int]]:
    """Return by wager the seats that were counted in a round, where it is one of the last."""
    record = record_at(state, table)
    counted_round = None if record is None else record.find_round(number)
    return {} if counted_round is None else counted_round.counted


def correction(command: Correction, state: BookState) -> Description:
    """Describe the correction of a round: the seats before and after."""
    table, seats = command.table, set(command.seats)
    before = set(_round_seats(state, table, command.round).get(command.wager, ()))
    after = before | seats if command.cause == "missed" else before - seats
    name = wager_name(state, table, command.wager)
    does = {"missed": "add", "miscounted": "remove", "refunded": "refund"}[command.cause]
    title = f"Fix round {command.round} at table {table}: {does} {seats_text(seats)}, {name}"
    rows = (
        Change(f"{name}, seats counted", seats_text(before), seats_text(after)),
        fact("What happened", CAUSE_TITLES[command.cause]),
    )
    return Description(title, rows, command.words)


def void(command: VoidRound, state: BookState) -> Description:
    """Describe a void round: what is refunded, and which pending jackpots are rejected with it."""
    table, number = command.table, command.round
    linked = jackpots_by_wager(state, table)
    rows = [fact("What happened", CAUSE_TITLES.get(command.cause, command.cause))]
    counted_seats = _round_seats(state, table, number)
    refunds = [
        voids.Refund(wager_name(state, table, wager), linked[wager], seats)
        for wager, seats in counted_seats.items()
        if wager in linked and seats
    ]
    rows += [fact(f"{refund.title}, refunded", f"{seats_text(refund.seats)}, {refund.text}") for refund in refunds]
    if command.open_hits == "reject":
        rows += [fact("Rejected with it", voids.hit_text(hit)) for hit in voids.open_hits(state, table, number)]
    refund = f" and refund {voids.sum_text(refunds)}" if refunds else ""
    return Description(f"Void round {number} at table {table}{refund}", tuple(rows), command.words)
