"""Who works in the demo room and what stands there: read from data, and set up through the doors of a real room."""

from __future__ import annotations

import datetime
import tomllib
from collections.abc import Mapping
from dataclasses import dataclass, replace
from fractions import Fraction
from functools import cached_property
from importlib.resources import files
from typing import Any

from pitboss.books import RoomSettings, read_value
from pitboss.commands import By
from pitboss.commands.command import SYSTEM_ACTOR
from pitboss.jackpot import DefineJackpot, Jackpot, LinkedTable, OpenJackpot, offer_of
from pitboss.jackpot.definitions import JackpotDraft
from pitboss.meters import MeterTerms
from pitboss.room.dealing.dealing import SetDealing
from pitboss.room.displays import Display, RegisterDisplay
from pitboss.room.people.people import SetDevice, SetPerson
from pitboss.room.posting import PostConfiguration
from pitboss.room.room import Room
from pitboss.room.slides import Promotion, SetSlide
from pitboss.table import Configuration, read_configuration
from pitboss.tabulator import SetUpTable, TableSetup, sensors_for

SMALL_PRIZE_CENTS = 150_00
_SLIDE_DAYS = 60


def cents_of(text: str) -> int:
    """Read an amount such as 10000.00 in cents."""
    return int(Fraction(text) * 100)


@dataclass(frozen=True)
class DemoTable:
    """A table: what is posted there, its equipment and display, and its jackpots."""

    said: Mapping[str, Any]
    text: str
    room: str

    @property
    def name(self) -> str:
        """Its name."""
        return str(self.said["name"])

    @property
    def device(self) -> str:
        """The name of its device on the line; empty where its wagers are entered at the console."""
        return str(self.said.get("device", ""))

    @cached_property
    def configuration(self) -> Configuration:
        """What is posted."""
        found = read_configuration(self.text)
        assert found.configuration is not None
        assert not found.problems, found.problems
        return found.configuration

    @property
    def setup(self) -> TableSetup:
        """Its equipment, a sensor with a light for each wager at every seat."""
        posted, wagers = self.configuration, self.said["wagers"]
        assert posted.equipment is not None
        return TableSetup(
            table=self.name,
            game=posted.game,
            model=posted.equipment,
            seats=posted.seats,
            sensors=sensors_for(posted.equipment, posted.seats, wagers, lights=wagers),
            device=self.device,
            down_method="on-the-spot",
            counter_digits=self.said.get("counter_digits"),
        )

    @property
    def display(self) -> Display:
        """What players read the amounts off."""
        make = self.said["display"]
        return Display(f"TableVision {self.name}", self.name, make, "server" if make == "monitor" else "")

    @property
    def console(self) -> str:
        """The name of the dealer's touch screen."""
        return f"Console {self.name}"

    @cached_property
    def jackpots(self) -> tuple[Jackpot, ...]:
        """Its jackpots, on the pay tables and with the amounts that are posted."""
        return tuple(self._jackpot(each) for each in self.said["jackpots"])

    def _jackpot(self, said: Mapping[str, Any]) -> Jackpot:
        posted, wager = self.configuration, said["wager"]
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
            name=said["name"],
            offers=(offer,),
            meter=MeterTerms(
                jackpot_type=kind,
                wager_cents=settings.wager_cents,
                seed_cents=settings.meter_cents,
                reseed_cents=cents_of(said["reseed"]) if "reseed" in said else settings.meter_cents,
                display_rate=Fraction(said.get("display_rate", "0")),
                reserve_rate=Fraction(said.get("reserve_rate", "0")),
                cap_cents=cents_of(said["cap"]) if "cap" in said else None,
                batch_wagers_max=None,
            ),
            tables=(LinkedTable(self.name, posted.game, self.room),),
            display="real-time" if kind == "progressive" else "updatable",
            small_prize_cents=SMALL_PRIZE_CENTS,
        )


@dataclass(frozen=True)
class DemoRoom:
    """The room as its data has it, on a day."""

    said: Mapping[str, Any]
    day: datetime.date
    tables: tuple[DemoTable, ...]

    @property
    def settings(self) -> RoomSettings:
        """Its name, zone and shifts."""
        plain = {name: self.said[name] for name in ("room", "time_zone", "shifts")}
        return read_value(RoomSettings, plain)

    @property
    def dealt(self) -> Mapping[str, str]:
        """The table that Pitboss deals: its name, why, and what is posted there."""
        said = self.said["dealt"]
        return {**said, "text": _posted(self.day, said["name"])}

    def table(self, name: str) -> DemoTable:
        """Find a table."""
        return next(each for each in self.tables if each.name == name)

    def people(self, role: str) -> list[By]:
        """Everybody in a role, as the doors call it."""
        said = (each for each in self.said["people"] if role in each["roles"])
        return [By(each["name"], role) for each in said]

    def person(self, role: str) -> By:
        """The first of those in a role."""
        return self.people(role)[0]

    def login(self, role: str) -> str:
        """What the first of those in a role signs in with."""
        return str(next(each["login"] for each in self.said["people"] if role in each["roles"]))

    def dealer_at(self, table: str) -> By:
        """Who deals at a table."""
        login = self.table(table).said["dealer"]
        return By(next(each["name"] for each in self.said["people"] if each["login"] == login), "dealer")


def _posted(day: datetime.date, name: str) -> str:
    return f"on = {day}\n" + files(__package__).joinpath("tables", f"{name}.toml").read_text(encoding="utf-8")


def read_room(day: datetime.date) -> DemoRoom:
    """Read the room; what is posted is dated on the day."""
    said = tomllib.loads(files(__package__).joinpath("room.toml").read_text(encoding="utf-8"))
    tables = tuple(DemoTable(each, _posted(day, each["name"]), said["room"]) for each in said["tables"])
    return DemoRoom(said, day, tables)


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
            opening = OpenJackpot(name=jackpot.name, words="first day")
            room.do(opening, replace(supervised, approver=manager), id=f"open-{jackpot.name}")
        set_table = SetUpTable(setup=table.setup, words="first day")
        room.do(set_table, configured, id=f"set-up-{name}")
        room.do(RegisterDisplay(**table.display._asdict()), administrator, id=f"display-{name}")
        _set_devices(table, room, administrator)
    _set_dealt(demo, room, configured)
    for fields in demo.said["slides"]:
        last = demo.day + datetime.timedelta(days=_SLIDE_DAYS)
        slide = Promotion(first_day=demo.day, last_day=last, **fields)
        room.do(SetSlide(promotion=slide), manager, id=f"slide-{slide.name}")


def _set_dealt(demo: DemoRoom, room: Room, by: By) -> None:
    name, words = demo.dealt["name"], demo.dealt["words"]
    room.do(PostConfiguration(table=name, configuration=demo.dealt["text"], words=words), by, id=f"post-{name}")
    room.do(SetDealing(table=name, cards="dealt", words=words), by, id=f"dealing-{name}")


def _set_people(demo: DemoRoom, room: Room) -> None:
    for fields in demo.said["people"]:
        person = SetPerson(login=fields["login"], name=fields["name"], roles=tuple(fields["roles"]), first=True)
        room.access.set_person(person, SYSTEM_ACTOR, id=f"person-{person.login}")


def _set_devices(table: DemoTable, room: Room, by: By) -> None:
    devices = [(table.console, "console")]
    devices += [(table.device, "device")] if table.device else []
    devices += [(table.display.name, "display")] if table.display.make != "sign" else []
    for name, what in devices:
        device = SetDevice(name=name, what=what, table=table.name, first=True)
        room.access.set_device(device, by, id=f"device-{name}")
