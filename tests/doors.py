"""A room driven by plain calls, for tests that need a past: each call builds the command that pages build, and has it done."""

from __future__ import annotations

import datetime
from collections.abc import Callable
from typing import Any

from pitboss.books import Answer, Books, RoomSettings
from pitboss.commands import By, Executor, Now, read_fields
from pitboss.commands.command import SYSTEM_ACTOR
from pitboss.games import find_game
from pitboss.reports import ACCOUNTING, Report
from pitboss.room import accounting, alarms, approval_records, configurations, displays, disputes, settings, slides
from pitboss.room.dealing import dealing
from pitboss.room.room import Room
from pitboss.room.services import RoomServices
from tests.facades import Acting, Hits, Jackpots, Tables, verb


def executor_of(books: Books, clock: Callable[[], int]) -> Executor:
    return Executor(RoomServices(books, clock))


class _Acting(Acting):
    SECOND = "a second person"


class Configurations(_Acting):
    post = verb(configurations.PostConfiguration, "table", "configuration")
    withdraw = verb(configurations.WithdrawConfiguration, "table", "number")


class Slides(_Acting):
    set, end = verb(slides.SetSlide, "promotion"), verb(slides.EndSlide, "name")

    @property
    def pictures(self) -> slides.SlidePictures:
        return slides.SlidePictures(self.services.books.directory.path)


class Displays(_Acting):
    def __init__(self, executor: Executor, watch: displays.DisplayWatch | None = None) -> None:
        super().__init__(executor)
        self.watch = watch or displays.DisplayWatch(executor)

    confirm = verb(displays.ConfirmDisplay, "name", "amounts")
    _register = verb(displays.RegisterDisplay)

    def register(self, display: displays.Display, *, active: bool = True, **named: Any) -> Answer:
        return self._register(**display._asdict(), active=active, **named)

    def __getattr__(self, name: str) -> Any:
        return getattr(self.watch, name)


class Alarms(_Acting):
    take = verb(alarms.TakeAlarm, "alarm")


class Disputes(_Acting):
    def settle(self, table: str, stated: Any, *, words: str, round_number: int, command: str, by: Any) -> Answer:
        fields = {
            "table": table,
            "seats": [dict(seat) for seat in stated.seats],
            "board": list(stated.board),
            "meters": dict(stated.meters),
            "round": round_number,
            "words": words,
        }
        return self.do(read_fields(disputes.SettleDispute, fields), command, by)


class Dealing(_Acting):
    def __init__(self, executor: Executor, service: dealing.Dealing) -> None:
        super().__init__(executor)
        self.service = service

    set, give_up = verb(dealing.SetDealing, "table", "cards", "money"), verb(dealing.GiveUpDealt, "table")

    def shuffle(self, table: str, *, command: str, actor: str) -> Answer:
        return self.service.shuffle(table, By(actor, "dealer"), id=command)

    def operate(self, table: str, operation: dict[str, Any], *, command: str, actor: str) -> Answer | None:
        return self.service.operate(table, operation, By(actor, "dealer"), id=command)

    def __getattr__(self, name: str) -> Any:
        return getattr(self.service, name)


class Desk(_Acting):
    @classmethod
    def over(cls, books: Books, clock: Callable[[], int]) -> Desk:
        return cls(executor_of(books, clock))

    collect = verb(accounting.CollectChips, "day", "shift", "table", "cents")
    raise_exception = verb(accounting.RaiseException, "key", "words")
    resolve = verb(accounting.ResolveException, "number", "words")
    share = verb(accounting.SharePrize, "hit", "seat", "shares")
    _take = verb(accounting.TakeException, "number")

    def raise_found(self, report: Report, *, command: str, actor: str) -> Answer | None:
        raising = accounting.RaiseReport(report=report)
        if not raising.entries(Now(self.state, self.services.clock()), SYSTEM_ACTOR):
            return None
        return self.do(raising, command, SYSTEM_ACTOR)

    def take(self, number: int, owner: str, *, command: str, actor: str) -> Answer:
        assert owner == actor, "people take exceptions on for themselves"
        return self._take(number, command=command, actor=actor)

    @property
    def room(self) -> Any:
        return self.state.of(ACCOUNTING)


class Settings(_Acting):
    def set(self, value: RoomSettings, since: datetime.date | None, *, command: str, actor: str) -> Answer:
        return self.do(settings.SetRoom(settings=settings.SettingsDraft.of(value), since=since), command, actor)


class Doors:
    """Everything that tests do in a room, by plain calls."""

    def __init__(self, room: Room) -> None:
        executor = room._executor
        books, clock = room.books, room.clock
        self.books, self.clock = books, clock
        self.jackpots, self.hits, self.tables = (
            Jackpots(books, clock=clock),
            Hits(books, clock=clock),
            Tables(books, clock=clock),
        )
        self.posted, self.promotions = Configurations(executor), Slides(executor)
        self.displays, self.alarms = Displays(executor, room.displays), Alarms(executor)
        self.disputes, self.desk, self.setting = Disputes(executor), Desk(executor), Settings(executor)
        self._room = room

    @property
    def dealing(self) -> Dealing:
        return Dealing(self._room._executor, self._room.dealing)


def record_approval(room: Room, *tables: str, game: str = "three-card-prime", profile: str = "wa-commercial") -> None:
    """Record what a room needs before tables of it open: papers marked as examples, of the day of the letter."""
    by = By("Max Adeyemi", "manager", By("Lee Sato", "accounting"))
    for table in tables:
        papers = approval_records.example_papers(profile, find_game(game).approval.since)
        value = approval_records.RecordApproval(table=table, game=game, papers=papers, is_example=True)
        room._executor.do(value, by, id=f"approval-{table}-{game}-{profile}")


def doors_of(room: Room) -> Doors:
    return Doors(room)


def show_amounts(room: Room, *tables: str) -> None:
    """Put a bare monitor over each table, one that is not there yet, and have all of them heard and true (T-04)."""
    by = By("Ada", "administrator")
    for table in tables:
        name = f"monitor {table}"
        if name not in room.state.of(displays.DISPLAYS):
            value = displays.RegisterDisplay(name=name, table=table, make="monitor", driven_by="server")
            room._executor.do(value, by, id=f"register-{name}")
        room.displays.beat(name, displays.shown_at(room.state, table))
    room.displays.review(command=f"review-{room.state.sequence}")
