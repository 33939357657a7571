"""Rooms to look at: books with jackpots, configured tables and slides, as the pages show them."""

from __future__ import annotations

import datetime
import re
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from fractions import Fraction
from pathlib import Path
from typing import Any

from pitboss.books import Books, RoomSettings
from pitboss.books.migrating import create_books
from pitboss.commands import By
from pitboss.jackpot import Claim, Jackpot, LinkedTable, RoundCards, offer_of
from pitboss.meters import MeterTerms
from pitboss.room.room import Room
from pitboss.room.slides import Promotion
from tests.doors import Configurations, Slides, doors_of, executor_of
from tests.facades import Hits, Jackpots
from tests.server.making import cheap

ROOT = Path(__file__).parents[2]
NAME = "Cedar River Card Room"
NOW = datetime.datetime(2026, 11, 16, 20, 0, tzinfo=datetime.UTC)
TWO: dict[str, Any] = {"actor": "Ada", "approved_by": "Carla"}
DEALER, SUPERVISOR = By("Dan", "dealer"), By("Sue", "supervisor")
TCP, FCP, STC = "three-card-prime", "four-card-prime", "super-three-card"


def example(name: str) -> str:
    return (ROOT / "examples" / f"{name}.toml").read_text(encoding="utf-8")


def posted(game: str) -> str:
    """The configuration of the tables of a game, which states the jackpots of this room (T-16)."""
    text = example(game)
    if game == TCP:
        text = text.replace("seats = 6", "seats = 7")
        return text.replace(
            '[jackpots.all-seven]\npaytables = ["A7P-2"]', '[jackpots.final-four]\npaytables = ["F4P-1"]'
        )
    if game == FCP:
        return re.sub(r'paytables = \[\{ id = "FCJ-3".*', 'paytables = ["FCJ-1"]', text)
    return text.replace("decks = 8", "decks = 6")


def meter(seed_cents: int, **fields: Any) -> MeterTerms:
    usual: dict[str, Any] = {
        "jackpot_type": "progressive",
        "wager_cents": 100,
        "seed_cents": seed_cents,
        "reseed_cents": 5_000_00,
        "display_rate": Fraction("0.173"),
        "reserve_rate": Fraction("0.05"),
        "cap_cents": 100_000_00,
        "batch_wagers_max": None,
    }
    return MeterTerms(**usual | fields)


def bonus_meter(cents: int) -> MeterTerms:
    nothing = Fraction(0)
    return meter(
        cents, jackpot_type="bonus", reseed_cents=cents, display_rate=nothing, reserve_rate=nothing, cap_cents=None
    )


def jackpot(name: str, game: str, wager: str, paytable: Any, terms: MeterTerms, *tables: str) -> Jackpot:
    is_bonus = terms.jackpot_type == "bonus"
    options: dict[str, Any] = {"jackpot_type": "bonus"} if is_bonus else {}
    return Jackpot(
        name=name,
        offers=(offer_of(game, wager, paytable, **options),),
        meter=terms,
        tables=tuple(LinkedTable(table, game, NAME) for table in tables),
        display="updatable" if is_bonus else "real-time",
        small_prize_cents=150_00,
    )


SLIDE = Promotion(
    name="football",
    title="Double High Hand Saturday",
    words="High hand of the hour wins a $50 dinner voucher, every hour from noon to midnight.",
    small_print="No purchase necessary. See the floor for the rules of this drawing.",
    first_day=datetime.date(2026, 11, 1),
    last_day=datetime.date(2026, 11, 30),
)


@dataclass
class CardRoom:
    """A room at work."""

    room: Room
    promotions: Slides
    rounds: dict[str, int] = field(default_factory=dict)

    @property
    def books(self) -> Books:
        return self.room.books

    @property
    def jackpots(self) -> Jackpots:
        return doors_of(self.room).jackpots

    @property
    def hits(self) -> Hits:
        return doors_of(self.room).hits

    def press(self, table: str, **seats: list[int]) -> None:
        number = self.rounds[table] = self.rounds.get(table, 0) + 1
        by_jackpot = {name.replace("_", "-"): each for name, each in seats.items()}
        self.jackpots.tabulate(table, number, by_jackpot, command=f"{table}-{number}", actor=f"table {table}")

    def call(self, name: str, table: str, seat: int, row: str) -> int:
        claims = [Claim(seat, row)]
        answer = self.hits.call(name, table, claims, command=f"call-{table}-{self.rounds.get(table, 0)}", by=DEALER)
        return answer.entries[0].sequence

    def verify(self, hit: int, cards: dict[int, str], board: str = "") -> None:
        said = RoundCards(seats=cards, board=board)
        self.hits.verify(hit, said, list(cards), command=f"verify-{hit}", by=SUPERVISOR)


def jackpots_of_the_room() -> tuple[Jackpot, ...]:
    return (
        jackpot("final-four", TCP, "final-four", "F4P-1", meter(23_416_87), "4", "5"),
        jackpot("quads", FCP, "four-card-jackpot", "FCJ-1", bonus_meter(5_000_00), "6"),
        jackpot("aces", STC, "twenty-one-plus-three", "PT-BJS-213-02", meter(11_482_10), "7"),
        jackpot(
            "high-aces", STC, "twenty-one-plus-three-b", "PT-BJS-213-03",
            meter(48_905_25, wager_cents=500, cap_cents=None, reserve_rate=Fraction(0)), "7",
        ),
    )  # fmt: skip


@contextmanager
def card_room(path: Path) -> Iterator[CardRoom]:
    """A room with four jackpots at four tables: one progressive linked, one Bonus, two side by side."""
    settings = RoomSettings(room=NAME, time_zone="America/Los_Angeles", shifts=(("day", datetime.time(6, 0)),))
    create_books(path, settings, person="Ada", since=datetime.date(2026, 1, 1))
    with Room(path, hashing=cheap()) as room:
        books = room.books
        found = CardRoom(room, Slides(executor_of(books, room.clock)))
        for table, game in {"4": TCP, "5": TCP, "6": FCP, "7": STC}.items():
            Configurations(executor_of(books, room.clock)).post(
                table, posted(game), command=f"post-{table}", actor="Ada"
            )
        for each in jackpots_of_the_room():
            found.jackpots.define(each, words="approved", command=f"define-{each.name}", **TWO)
            found.jackpots.open(each.name, words="opened", command=f"open-{each.name}", **TWO)
        found.promotions.set(SLIDE, command="slide-1", actor="Ada")
        yield found
