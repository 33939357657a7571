"""The room of the floor: its people, tables, devices and jackpots, typed here once for the floor and for the judge."""

from __future__ import annotations

import datetime
import tempfile
from dataclasses import dataclass
from fractions import Fraction
from functools import cache
from pathlib import Path

from pitboss.books import RoomSettings
from pitboss.books.store.migrate import create_books
from pitboss.commands import By
from pitboss.commands.command import SYSTEM_ACTOR
from pitboss.jackpot.definitions import JackpotDraft, LinkedTable, MeterDraft, OfferDraft
from pitboss.jackpot.escrow import ConfirmDeposit, SendDeposit
from pitboss.jackpot.lifecycle import DefineJackpot, OpenJackpot
from pitboss.room.people.people import SetPerson
from pitboss.room.room import Room
from pitboss.tabulator import AlarmLimits, TableSetup, sensors_for
from pitboss.tabulator.tables import ChangeDealer, OpenTable, SetUpTable
from tests.doors import record_approval, show_amounts
from tests.programs import quick_folder

HOME, ZONE = "Fault Floor", "America/Los_Angeles"
SHIFTS = (("day", (6, 0)), ("swing", (14, 0)), ("graveyard", (22, 0)), ("late", (1, 30)))
"""One shift begins in the hour that the clocks show twice when summer time ends."""
PEOPLE = {
    "Dan": "dealer", "Dora": "dealer", "Sue": "supervisor", "Sam": "supervisor", "Vic": "surveillance",
    "Vera": "surveillance", "Cas": "accounting", "Ann": "accounting", "Max": "manager", "Mia": "manager",
}  # fmt: skip
SEATS = 6
FCP, TCP = "four-card-prime", "three-card-prime"


@dataclass(frozen=True, kw_only=True)
class JackpotOfFloor:
    """A jackpot in the floor's own words: amounts in cents, what a row pays as cents or as a share of the meter."""

    name: str
    game: str
    wager: str
    paytable: str
    tables: tuple[str, ...]
    seed: int
    reseed: int
    display: Fraction
    reserve: Fraction
    cap: int | None
    small: int
    rows: dict[str, int | Fraction]


ROYAL = JackpotOfFloor(
    name="royal", game=FCP, wager="five-card-jackpot", paytable="PJ-1", tables=("1", "2"), seed=10_000_00,
    reseed=5_000_00, display=Fraction("0.173"), reserve=Fraction("0.11"), cap=None, small=150_00,
    rows={
        "Five-card Royal Flush": Fraction(1), "Five-card Straight Flush": Fraction(1, 10), "Four of a kind": 200_00,
        "Full House": 100_00, "Five-card Flush": 25_00,
    },
)  # fmt: skip
FINAL = JackpotOfFloor(
    name="final", game=TCP, wager="final-four", paytable="F4P-1", tables=("3",), seed=1_000_00, reseed=500_00,
    display=Fraction("0.313"), reserve=Fraction("0.07"), cap=1_003_17, small=30_00,
    rows={
        "4-card diamond Royal": Fraction(1), "4-card Royal": Fraction(1, 10), "Four of a kind": 1_000_00,
        "Three of a Kind": 25_00, "4-card Straight": 15_00,
    },
)  # fmt: skip
JACKPOTS = (ROYAL, FINAL)
TABLES = {"1": FCP, "2": FCP, "3": TCP}
AT = {"1": ROYAL, "2": ROYAL, "3": FINAL}
STARTS = tuple(
    int(datetime.datetime(*day, tzinfo=datetime.UTC).timestamp()) * 1_000_000
    for day in ((2026, 11, 16, 18), (2026, 10, 31, 23), (2026, 3, 7, 23))
)
"""A usual day, the eve of the end of summer time, and the eve of its beginning."""


def device_of(table: str) -> str:
    """The device of a table."""
    return f"A3-000{table}"


def by(name: str, approver: str = "") -> By:
    """Somebody in their role, and who approves."""
    return By(name, PEOPLE[name], by(approver) if approver else None)


@cache
def template(start: int) -> dict[str, bytes]:
    """Make the files of a room that plays, once in a process."""
    with tempfile.TemporaryDirectory(dir=quick_folder(), prefix="pitboss-floor-") as folder:
        path = Path(folder) / "room"
        ticks = iter(range(10**9))

        def clock() -> int:
            return start + next(ticks) * 1_000

        settings = RoomSettings(
            room=HOME, time_zone=ZONE, shifts=tuple((name, datetime.time(*time)) for name, time in SHIFTS)
        )
        create_books(path, settings, person="Ada", since=datetime.date(2026, 1, 1), clock=clock)
        with Room(path, clock=clock) as room:
            for name, role in PEOPLE.items():
                person = SetPerson(login=name.lower(), name=name, roles=(role,), first=True)
                room.do(person, SYSTEM_ACTOR, id=f"add-{name}")
            _equip(room)
            _play(room)
        return {
            file.name: file.read_bytes()
            for file in path.iterdir()
            if file.name.startswith(("journal", "witness", "store"))
        }


def _equip(room: Room) -> None:
    limits = AlarmLimits(rounds_a_minute=200, silent_rounds=10_000, stuck_presses=10_000, disagreements=1_000)
    for table, game in TABLES.items():
        record_approval(room, table, game=game)
        wager = AT[table].wager
        setup = TableSetup(
            table=table, game=game, model="andromeda-3", seats=SEATS, device=device_of(table), limits=limits,
            down_method="on-the-spot", sensors=sensors_for("andromeda-3", SEATS, (wager,), lights=(wager,)),
        )  # fmt: skip
        room.do(SetUpTable(setup=setup, words="new"), by("Max", "Cas"), id=f"set-up-{table}")
    for jackpot in JACKPOTS:
        draft = JackpotDraft(
            name=jackpot.name,
            offers=(OfferDraft(game=jackpot.game, wager=jackpot.wager, paytable=jackpot.paytable),),
            meter=MeterDraft(
                jackpot_type="progressive", seed_cents=jackpot.seed, reseed_cents=jackpot.reseed,
                display_rate=str(jackpot.display), reserve_rate=str(jackpot.reserve), cap_cents=jackpot.cap,
            ),
            tables=tuple(LinkedTable(table, jackpot.game, HOME) for table in jackpot.tables),
            display="real-time",
            small_prize_cents=jackpot.small,
        )  # fmt: skip
        room.do(DefineJackpot(jackpot=draft, words="new"), by("Max", "Cas"), id=f"define-{jackpot.name}")


def _play(room: Room) -> None:
    show_amounts(room, *TABLES)
    for jackpot in JACKPOTS:
        deposit = SendDeposit(name=jackpot.name, cents=jackpot.seed)
        sent = room.do(deposit, by("Cas"), id=f"seed-{jackpot.name}").entries[-1].sequence
        arrived = ConfirmDeposit(name=jackpot.name, sequence=sent, reference="seed")
        room.do(arrived, by("Max", "Ann"), id=f"seed-arrived-{jackpot.name}")
        room.do(OpenJackpot(name=jackpot.name, words="open"), by("Sue", "Cas"), id=f"open-{jackpot.name}")
    for table in TABLES:
        room.do(OpenTable(table=table), by("Sue", "Vic"), id=f"open-table-{table}")
        dealer = "Dan" if table == "1" else "Dora"
        room.do(ChangeDealer(table=table, dealer=dealer), by("Sue"), id=f"dealer-{table}")
