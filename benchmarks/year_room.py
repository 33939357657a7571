"""The room of the simulated year: fifteen tables, three linked progressives, a Bonus, and who works there."""

from __future__ import annotations

import datetime
from fractions import Fraction
from pathlib import Path
from typing import NamedTuple

from tests.facades import Jackpots

from benchmarks.year_tally import Rates
from pitboss.books import RoomSettings
from pitboss.books.store.directory import database_at
from pitboss.books.store.migrate import create_books
from pitboss.commands import By
from pitboss.jackpot import Jackpot, LinkedTable, Paper, offer_of
from pitboss.meters import MeterTerms

__all__ = ["CASHIER", "CLERK", "DEALS", "HANDS", "JACKPOTS", "MANAGER", "ROWS", "SECOND", "SUPERVISOR", "Row"]
__all__ += ["SETTINGS", "SURVEILLANCE", "TABLES", "create_room", "open_jackpots", "paper", "rates_of"]

GAME, WAGER_NAME, PAYTABLE, HOME = "four-card-prime", "five-card-jackpot", "PJ-1", "Year Room"
TABLES = tuple(str(number) for number in range(1, 16))
SUPERVISOR, SECOND = By("Sue Halvorsen", "supervisor"), By("Sam Ito", "supervisor")
SURVEILLANCE, CASHIER = By("Vic Tran", "surveillance"), By("Cora Bell", "accounting")
MANAGER, CLERK = By("Max Adeyemi", "manager"), "Ada King"
SETTINGS = RoomSettings(
    room=HOME,
    time_zone="America/Los_Angeles",
    shifts=(("day", datetime.time(6)), ("swing", datetime.time(14)), ("graveyard", datetime.time(22))),
)


class Row(NamedTuple):
    """A row of the pay table: hands that make it of all that can be dealt, and a percentage or cents."""

    name: str
    hands: int
    percent: int
    cents: int


DEALS = 2_598_960
"""Five cards of 52: each row has as many of them as poker says."""
ROWS = (
    Row("Five-card Royal Flush", 4, 100, 0),
    Row("Five-card Straight Flush", 36, 10, 0),
    Row("Four of a kind", 624, 0, 200_00),
    Row("Full House", 3_744, 0, 100_00),
    Row("Five-card Flush", 5_108, 0, 25_00),
    Row("Five-card Straight", 10_200, 0, 15_00),
    Row("Three of a kind", 54_912, 0, 10_00),
)
HANDS = {
    "Five-card Royal Flush": "As Ks Qs Js Ts",
    "Five-card Straight Flush": "9h 8h 7h 6h 5h",
    "Four of a kind": "4s 4h 4d 4c Kd",
}


def _jackpot(name: str, tables: tuple[str, ...], meter: MeterTerms) -> Jackpot:
    offer = offer_of(GAME, WAGER_NAME, PAYTABLE, jackpot_type=meter.jackpot_type)
    return Jackpot(
        name=name,
        offers=(offer,),
        meter=meter,
        tables=tuple(LinkedTable(table, GAME, HOME) for table in tables),
        display="real-time" if meter.is_progressive else "updatable",
        small_prize_cents=150_00,
    )


def _progressive(seed: int, reseed: int, display: str, reserve: str, cap: int | None) -> MeterTerms:
    return MeterTerms(
        jackpot_type="progressive",
        wager_cents=100,
        seed_cents=seed,
        reseed_cents=reseed,
        display_rate=Fraction(display),
        reserve_rate=Fraction(reserve),
        cap_cents=cap,
        batch_wagers_max=None,
    )


_BONUS = MeterTerms(
    jackpot_type="bonus",
    wager_cents=100,
    seed_cents=7_500_00,
    reseed_cents=7_500_00,
    display_rate=Fraction(0),
    reserve_rate=Fraction(0),
    cap_cents=None,
    batch_wagers_max=None,
)
JACKPOTS = (
    _jackpot("east", TABLES[:5], _progressive(10_000_00, 5_000_00, "0.173", "0.05", 12_000_00)),
    _jackpot("west", TABLES[5:10], _progressive(10_000_00, 5_000_00, "0.173", "0.0865", None)),
    _jackpot("north", TABLES[10:13], _progressive(5_000_00, 5_000_00, "0.2", "0.0333", None)),
    _jackpot("daily", TABLES[13:], _BONUS),
)


def rates_of(jackpot: Jackpot) -> Rates:
    """The terms of a jackpot as the tally takes them."""
    meter = jackpot.meter
    return Rates(
        display=int(meter.display_rate * 1_000_000),
        reserve=int(meter.reserve_rate * 1_000_000),
        seed_cents=meter.seed_cents,
        reseed_cents=meter.reseed_cents,
        cap_cents=meter.cap_cents,
        is_progressive=jackpot.name != "daily",
    )


def create_room(path: Path, first: datetime.date, now: int, connection: str | None = None) -> None:
    """Make the books of the room, whose settings are in force from the first gambling day on."""
    create_books(path, SETTINGS, person=CLERK, since=first, clock=lambda: now, database=database_at(connection))


def open_jackpots(jackpots: Jackpots) -> None:
    """Define the jackpots and open them, by two people."""
    for each in JACKPOTS:
        jackpots.define(each, words="opening", command=f"define-{each.name}", actor=CLERK, approved_by=MANAGER.name)
        jackpots.open(each.name, words="opening", command=f"open-{each.name}", actor=CLERK, approved_by=MANAGER.name)


def paper(seat: int) -> Paper:
    """Complete papers of a winner."""
    return Paper(seat, f"Winner {seat}", ("driver's licence", "passport"), True, True, True)
