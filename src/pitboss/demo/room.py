"""The demo room: its people, tables and jackpots, read from data and set up by the commands of a real room."""

import datetime
import itertools
import os
import tomllib
from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from fractions import Fraction
from functools import cached_property
from importlib.resources import files
from pathlib import Path
from typing import Any

from pitboss.books import LEDGER, RoomSettings, read_value
from pitboss.books.calendar import POSTED_WORDS
from pitboss.commands import By
from pitboss.commands.command import SYSTEM_ACTOR
from pitboss.jackpot import JACKPOTS, ConfirmDeposit, DefineJackpot, Jackpot, LinkedTable, OpenJackpot, SendDeposit
from pitboss.jackpot.definitions import JackpotDraft, offer_of
from pitboss.law.papers import PARTS
from pitboss.meters import MeterTerms, units_of
from pitboss.papers.posting import review_papers, unposted
from pitboss.room.approval_records import RecordApproval, RegisterMaker, example_papers
from pitboss.room.configurations import PostConfiguration
from pitboss.room.dealing.dealing import SetDealing
from pitboss.room.displays import ConfirmDisplay, Display, RegisterDisplay, shown_at
from pitboss.room.people.people import SetDevice, SetPerson
from pitboss.room.posted_papers import PostPapers
from pitboss.room.room import Room
from pitboss.room.settings import gambling_day_of
from pitboss.room.slides import Promotion, SetSlide
from pitboss.table import Configuration, read_configuration
from pitboss.tabulator import SetUpTable, TableSetup, sensors_for

SMALL_PRIZE_CENTS = 150_00
_SLIDE_DAYS = 60
_APPROVED_DAYS = 30
_ROUNDED_CENTS = 100_00


def default_path() -> Path:
    """Return the folder of the demo room in the user's data directory."""
    home = os.environ.get("XDG_DATA_HOME") or str(Path.home() / ".local" / "share")
    return Path(home) / "pitboss" / "demo"


def folder_of(path: Path) -> Path:
    """Return the folder in which the devices of the demo keep their buffers; no other room has one."""
    return path / "demo"


def is_free(path: Path) -> bool:
    """True if a room can be made there."""
    return not path.exists() or (path.is_dir() and not any(path.iterdir()))


def path_problems(path: Path) -> list[str]:
    """Return why no demo can run there: it prints links by which anybody signs in, which no other room may have."""
    if is_free(path) or folder_of(path).is_dir():
        return []
    return [f"{path} is not empty and no demo room: name an empty folder, or serve it without --demo"]


def cents_of(text: str) -> int:
    """Read an amount such as 10000.00 in cents."""
    return int(Fraction(text) * 100)


@dataclass(frozen=True)
class DemoTable:
    """A table: what is posted there, its equipment and display, and its jackpots."""

    data: Mapping[str, Any]
    text: str
    room: str

    @property
    def name(self) -> str:
        """Its name."""
        return str(self.data["name"])

    @property
    def device(self) -> str:
        """The name of its device on the line; empty where its wagers are entered at the console."""
        return str(self.data.get("device", ""))

    @cached_property
    def configuration(self) -> Configuration:
        """The configuration of the table."""
        reading = read_configuration(self.text)
        assert reading.configuration is not None
        assert not reading.problems, reading.problems
        return reading.configuration

    @property
    def setup(self) -> TableSetup:
        """Its equipment, a sensor with a light for each wager at every seat."""
        posted, wagers = self.configuration, self.data["wagers"]
        assert posted.equipment is not None
        return TableSetup(
            table=self.name,
            game=posted.game,
            model=posted.equipment,
            seats=posted.seats,
            sensors=sensors_for(posted.equipment, posted.seats, wagers, lights=wagers),
            device=self.device,
            down_method="on-the-spot",
            counter_digits=self.data.get("counter_digits"),
        )

    @property
    def display(self) -> Display:
        """The display that players read the amounts off."""
        make = self.data["display"]
        return Display(f"TableVision {self.name}", self.name, make, "server" if make == "monitor" else "")

    @property
    def console(self) -> str:
        """The name of the dealer's touch screen."""
        return f"Console {self.name}"

    @cached_property
    def jackpots(self) -> tuple[Jackpot, ...]:
        """Its jackpots, on the pay tables and with the amounts that are posted."""
        return tuple(self._jackpot(data) for data in self.data["jackpots"])

    def _jackpot(self, data: Mapping[str, Any]) -> Jackpot:
        posted, wager = self.configuration, data["wager"]
        settings, kind = posted.jackpots[wager], posted.jackpot_type
        offer = offer_of(
            posted.game,
            wager,
            settings.paytables[0],
            jackpot_type=kind,
            wager_cents=settings.wager_cents,
            readings=posted.readings,
            decks=posted.decks,
        )
        return Jackpot(
            name=data["name"],
            offers=(offer,),
            meter=MeterTerms(
                jackpot_type=kind,
                wager_cents=settings.wager_cents,
                seed_cents=settings.meter_cents,
                reseed_cents=cents_of(data["reseed"]) if "reseed" in data else settings.meter_cents,
                display_rate=Fraction(data.get("display_rate", "0")),
                reserve_rate=Fraction(data.get("reserve_rate", "0")),
                cap_cents=cents_of(data["cap"]) if "cap" in data else None,
                batch_wagers_max=None,
            ),
            tables=(LinkedTable(self.name, posted.game, self.room),),
            display="real-time" if kind == "progressive" else "updatable",
            small_prize_cents=SMALL_PRIZE_CENTS,
        )


@dataclass(frozen=True)
class DemoRoom:
    """The room as its data has it, on a day."""

    data: Mapping[str, Any]
    day: datetime.date
    tables: tuple[DemoTable, ...]

    @property
    def settings(self) -> RoomSettings:
        """Its name, zone and shifts, and what it says on its signs."""
        plain = {name: self.data[name] for name in ("room", "time_zone", "shifts", *POSTED_WORDS)}
        return read_value(RoomSettings, plain)

    @property
    def dealt(self) -> Mapping[str, str]:
        """The table that Pitboss deals: its name, why, and what is posted there."""
        data = self.data["dealt"]
        return {**data, "text": _posted(self.day, data["name"])}

    def table(self, name: str) -> DemoTable:
        """Find a table."""
        return next(table for table in self.tables if table.name == name)

    def people(self, role: str) -> list[By]:
        """Return everybody in a role."""
        people = (person for person in self.data["people"] if role in person["roles"])
        return [By(person["name"], role) for person in people]

    def person(self, role: str) -> By:
        """Return the first of those in a role."""
        return self.people(role)[0]

    def login(self, role: str) -> str:
        """Return the login of the first of those in a role."""
        return str(next(person["login"] for person in self.data["people"] if role in person["roles"]))

    def dealer_at(self, table: str) -> By:
        """Return who deals at a table."""
        login = self.table(table).data["dealer"]
        return By(next(person["name"] for person in self.data["people"] if person["login"] == login), "dealer")


def _posted(day: datetime.date, name: str) -> str:
    return f"on = {day}\n" + files(__package__).joinpath("tables", f"{name}.toml").read_text(encoding="utf-8")


def read_room(day: datetime.date) -> DemoRoom:
    """Read the room; what is posted is dated on the day."""
    data = tomllib.loads(files(__package__).joinpath("room.toml").read_text(encoding="utf-8"))
    tables = tuple(DemoTable(table, _posted(day, table["name"]), data["room"]) for table in data["tables"])
    return DemoRoom(data, day, tables)


def set_up(demo: DemoRoom, room: Room) -> None:
    """Add people, and set tables, jackpots, displays and slides up, by the commands that a real room has."""
    _set_people(demo, room)
    manager, administrator, accounting = (demo.person(role) for role in ("manager", "administrator", "accounting"))
    configured, supervised = replace(manager, approver=accounting), demo.person("supervisor")
    for table in demo.tables:
        name = table.name
        post = PostConfiguration(table=name, configuration=table.text, words="first day")
        room.do(post, configured, id=f"post-{name}")
        for jackpot in table.jackpots:
            words = "carried over from the system before, meter and all"
            define = DefineJackpot(jackpot=JackpotDraft.of(jackpot), words=words)
            room.do(define, configured, id=f"define-{jackpot.name}")
            if jackpot.is_progressive:
                ids = iter((f"seed-{jackpot.name}", f"seed-{jackpot.name}-arrived"))
                seed_cents = jackpot.meter.seed_cents
                deposit_cents(room, jackpot.name, seed_cents, accounting, manager, ids.__next__)
        set_table = SetUpTable(setup=table.setup, words="first day")
        room.do(set_table, configured, id=f"set-up-{name}")
        papers = example_papers(table.setup.profile, demo.day - datetime.timedelta(days=_APPROVED_DAYS))
        approval = RecordApproval(
            table=name, game=table.setup.game, papers=papers, words="an example: no room has it", is_example=True
        )
        room.do(approval, configured, id=f"approval-{name}")
        room.do(RegisterDisplay(**table.display._asdict()), administrator, id=f"display-{name}")
        _set_devices(table, room, administrator)
    show_amounts(demo, room, (f"show-{number}" for number in itertools.count(1)).__next__)
    for jackpot in (jackpot for table in demo.tables for jackpot in table.jackpots):
        opening = OpenJackpot(name=jackpot.name, words="first day")
        room.do(opening, replace(supervised, approver=manager), id=f"open-{jackpot.name}")
    post_papers(demo, room)
    for part in PARTS:
        maker = RegisterMaker(part=part, maker=f"Example {part} maker", licence="EXAMPLE-1", is_example=True)
        room.do(maker, configured, id=f"maker-{part}")
    _set_dealt(demo, room, configured)
    for fields in demo.data["slides"]:
        last = demo.day + datetime.timedelta(days=_SLIDE_DAYS)
        slide = Promotion(first_day=demo.day, last_day=last, **fields | {"tables": tuple(fields.get("tables", ()))})
        room.do(SetSlide(promotion=slide), manager, id=f"slide-{slide.name}")


def post_papers(demo: DemoRoom, room: Room) -> None:
    """Hang the papers of every table, in the version that the table has now (W-12)."""
    review_papers(room, id="papers-review")
    for table in demo.tables:
        papers = PostPapers(
            table=table.name, papers=unposted(room.state, table.name, gambling_day_of(room.state, room.clock()))
        )
        room.do(papers, demo.person("supervisor"), id=f"papers-{table.name}")


def show_amounts(demo: DemoRoom, room: Room, make_id: Callable[[], str]) -> None:
    """Make every display show what is in the books: a sign is confirmed, a screen says so itself (T-04)."""
    for table in demo.tables:
        display, amounts = table.display, shown_at(room.state, table.name)
        if display.make == "sign":
            room.do(ConfirmDisplay(name=display.name, amounts=amounts), demo.person("supervisor"), id=make_id())
        else:
            room.displays.beat(display.name, amounts)
    room.displays.review(command=make_id())


def _set_dealt(demo: DemoRoom, room: Room, by: By) -> None:
    name, words = demo.dealt["name"], demo.dealt["words"]
    room.do(PostConfiguration(table=name, configuration=demo.dealt["text"], words=words), by, id=f"post-{name}")
    room.do(SetDealing(table=name, cards="dealt", words=words), by, id=f"dealing-{name}")


def _set_people(demo: DemoRoom, room: Room) -> None:
    for fields in demo.data["people"]:
        person = SetPerson(login=fields["login"], name=fields["name"], roles=tuple(fields["roles"]), first=True)
        room.access.set_person(person, SYSTEM_ACTOR, id=f"person-{person.login}")


def _set_devices(table: DemoTable, room: Room, by: By) -> None:
    devices = [(table.console, "console")]
    devices += [(table.device, "device")] if table.device else []
    devices += [(table.display.name, "display")] if table.display.make != "sign" else []
    for name, what in devices:
        device = SetDevice(name=name, what=what, table=table.name, first=True)
        room.access.set_device(device, by, id=f"device-{name}")


def deposit(room: Room, by: By, second: By, make_id: Callable[[], str]) -> None:
    """Deposit what is held for the players and not yet at the bank, in round amounts (J-19)."""
    jackpots = room.state.of(JACKPOTS).jackpots
    for name, accounts in room.state.of(LEDGER).items():
        if not jackpots[name].jackpot.is_progressive:
            continue
        missing = accounts.held_units - accounts.balances["escrow-bank"]
        if missing > 0:
            cents = -(-missing // units_of(_ROUNDED_CENTS)) * _ROUNDED_CENTS
            deposit_cents(room, name, cents, by, second, make_id)


def deposit_cents(room: Room, name: str, cents: int, by: By, second: By, make_id: Callable[[], str]) -> None:
    """Send money to the bank, and have another person confirm that it has arrived (G-33)."""
    sequence = room.do(SendDeposit(name=name, cents=cents), by, id=make_id()).entries[-1].sequence
    arrived = ConfirmDeposit(name=name, sequence=sequence, reference=f"deposit {sequence}")
    room.do(arrived, replace(second, approver=by), id=make_id())
