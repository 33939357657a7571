"""A room driven by plain calls, for tests that need a past: each call builds the command that pages build, and has it done."""

from __future__ import annotations

import datetime
from collections.abc import Callable, Mapping, Sequence
from typing import Any

from pitboss.books import Answer, Books, RoomSettings
from pitboss.commands import By, Command, Executor, read_fields
from pitboss.commands.command import SYSTEM_ACTOR
from pitboss.reports import Report, Share
from pitboss.room import accounting, alarms, configurations, displays, disputes, settings, slides
from pitboss.room.dealing import dealing
from pitboss.room.room import Room
from pitboss.room.services import RoomServices
from pitboss.room.slides import Promotion
from tests.facades import Hits, Jackpots
from tests.facades_tables import Tables

SECOND = "a second person"


def executor_of(books: Books, clock: Callable[[], int]) -> Executor:
    return Executor(RoomServices(books, clock))


class _Acting:
    def __init__(self, executor: Executor) -> None:
        self._executor = executor

    def _do(self, command: Command, actor: str, id: str, approved_by: str = "", role: str = "") -> Answer:  # noqa: A002
        spec = command.spec
        approver = By(approved_by or SECOND, spec.approvers[0]) if spec.approvers else None
        return self._executor.do(command, By(actor, role or spec.roles[0], approver), id=id)


class Configurations(_Acting):
    def post(
        self,
        table: str,
        text: str,
        *,
        command: str,
        actor: str,
        approved_by: str = "",
        opens: str = "",
        words: str = "",
    ) -> Answer:
        post = configurations.PostConfiguration(table=table, configuration=text, opens=opens, words=words)
        return self._do(post, actor, command, approved_by)

    def withdraw(self, table: str, number: int, *, words: str, command: str, actor: str) -> Answer:
        return self._do(configurations.WithdrawConfiguration(table=table, number=number, words=words), actor, command)


class Slides(_Acting):
    def set(self, promotion: Promotion, *, command: str, actor: str) -> Answer:
        return self._do(slides.SetSlide(promotion=promotion), actor, command)

    def end(self, name: str, *, command: str, actor: str) -> Answer:
        return self._do(slides.EndSlide(name=name), actor, command)

    @property
    def pictures(self) -> slides.SlidePictures:
        return slides.SlidePictures(self._executor.services.books.directory.path)


class Displays(_Acting):
    def __init__(self, executor: Executor, watch: displays.DisplayWatch | None = None) -> None:
        super().__init__(executor)
        self.watch = watch or displays.DisplayWatch(executor)

    def register(self, display: displays.Display, *, command: str, actor: str, active: bool = True) -> Answer:
        return self._do(displays.RegisterDisplay(**display._asdict(), active=active), actor, command)

    def confirm(self, name: str, amounts: Mapping[str, int], *, command: str, actor: str) -> Answer:
        return self._do(displays.ConfirmDisplay(name=name, amounts=amounts), actor, command)

    def __getattr__(self, name: str) -> Any:
        return getattr(self.watch, name)


class Alarms(_Acting):
    def take(self, key: str, *, command: str, actor: str) -> Answer:
        return self._do(alarms.TakeAlarm(alarm=key), actor, command)


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
        return self._do(read_fields(disputes.SettleDispute, fields), by.name, command, role=by.role)


class Dealing(_Acting):
    def __init__(self, executor: Executor, service: dealing.Dealing) -> None:
        super().__init__(executor)
        self.service = service

    def set(
        self,
        table: str,
        cards: Any,
        money: Any,
        *,
        words: str,
        command: str,
        actor: str,
        approved_by: str,
        approval: str = "",
    ) -> Answer:
        setting = dealing.SetDealing(table=table, cards=cards, money=money, approval=approval, words=words)
        return self._do(setting, actor, command, approved_by)

    def shuffle(self, table: str, *, command: str, actor: str) -> Answer:
        return self.service.shuffle(table, By(actor, "dealer"), id=command)

    def operate(self, table: str, operation: dict[str, Any], *, command: str, actor: str) -> Answer | None:
        return self.service.operate(table, operation, By(actor, "dealer"), id=command)

    def __getattr__(self, name: str) -> Any:
        return getattr(self.service, name)

    def give_up(self, table: str, *, words: str, command: str, actor: str, approved_by: str) -> Answer:
        return self._do(dealing.GiveUpDealt(table=table, words=words), actor, command, approved_by)


class Desk(_Acting):
    @classmethod
    def over(cls, books: Books, clock: Callable[[], int]) -> Desk:
        return cls(executor_of(books, clock))

    def collect(
        self,
        day: datetime.date,
        shift: str,
        table: str,
        cents: int,
        *,
        counted_with: str,
        command: str,
        actor: str,
        words: str = "",
    ) -> Answer:
        chips = accounting.CollectChips(
            day=day, shift=shift, table=table, cents=cents, counted_with=counted_with, words=words
        )
        return self._do(chips, actor, command)

    def raise_exception(
        self, key: str, words: str, *, units: int | None = None, people: Sequence[str] = (), command: str, actor: str
    ) -> Answer:
        exception = accounting.RaiseException(key=key, words=words, units=units, people=tuple(people))
        return self._do(exception, actor, command)

    def raise_found(self, report: Report, *, command: str, actor: str) -> Answer | None:
        del actor
        raising = accounting.RaiseReport(report=report)
        if not raising.entries(_now(self._executor), SYSTEM_ACTOR):
            return None
        return self._executor.do(raising, SYSTEM_ACTOR, id=command)

    def raise_reported(self, name: str, period: Any, key: str, *, command: str, actor: str) -> Answer:
        finding = accounting.RaiseFound(report=name, first=period.first_day, last=period.last_day, key=key)
        return self._do(finding, actor, command)

    def take(self, number: int, owner: str, *, command: str, actor: str) -> Answer:
        assert owner == actor, "people take exceptions on for themselves"
        return self._do(accounting.TakeException(number=number), actor, command)

    def resolve(self, number: int, words: str, *, command: str, actor: str) -> Answer:
        return self._do(accounting.ResolveException(number=number, words=words), actor, command)

    def share(self, hit: int, seat: int, shares: Sequence[Share], *, command: str, actor: str) -> Answer:
        return self._do(accounting.SharePrize(hit=hit, seat=seat, shares=tuple(shares)), actor, command)

    @property
    def room(self) -> Any:
        from pitboss.reports import ACCOUNTING  # noqa: PLC0415

        return self._executor.services.state.of(ACCOUNTING)


def _now(executor: Executor) -> Any:
    from pitboss.commands import Now  # noqa: PLC0415

    return Now(executor.services.state, executor.services.clock())


class Settings(_Acting):
    def set(self, value: RoomSettings, since: datetime.date | None, *, command: str, actor: str) -> Answer:
        draft = settings.SettingsDraft.of(value)
        return self._do(settings.SetRoom(settings=draft, since=since), actor, command)


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


def doors_of(room: Room) -> Doors:
    return Doors(room)
