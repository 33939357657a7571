"""The past of the demo room: some gambling days with rounds, prizes, hits, corrections and the work of an office.

It is made in a process of its own, `python -m pitboss.demo.history PATH`: a server never loads what makes a store.
"""

from __future__ import annotations

import datetime
import json
import random
import shutil
import sys
import tempfile
from collections import deque
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any, NamedTuple

from pitboss import jackpot, law, tabulator
from pitboss.books import EPOCH, ROOM, Answer, microseconds, microseconds_now
from pitboss.books.store.migrate import create_books
from pitboss.commands import By, Command, read_fields
from pitboss.commands.command import BOOK, SYSTEM_ACTOR
from pitboss.demo import room as demo_room
from pitboss.jackpot.hits.workflow import CHECKS
from pitboss.meters import units_of
from pitboss.reports import Report, ReportRequest, look, make_report
from pitboss.room.accounting import CollectChips, RaiseReport, TakeException
from pitboss.room.commands import BY_NAME
from pitboss.room.room import Room
from pitboss.rules.pays import Dollars
from pitboss.tabulator import TABLES
from pitboss.tabulator.devices.receive import ApplyMessage, command_id, read_message

SECOND = 1_000_000
MINUTE = 60 * SECOND
DAYS = 4
"""So many gambling days before today."""
_SESSIONS = (4, 13)
"""A session begins so many hours after its gambling day: one in the day shift, one in the swing shift."""
_ROUNDS = 14
_ROUND = 95 * SECOND
_SETTLED = 60 * SECOND
_TAPS = 0.12
"""How often a table pays a small prize in a round."""
_COUNTER = 41_200
"""What the counter of the table that has one showed on the first day."""
_CHIP_CENTS, _LAST_SHIFT = 1_00, "swing"
_PAPERS = ("driver's license", "passport")


class SetClock:
    """A clock that stands where it is set; while a group is committed it shows each command the time it was made."""

    def __init__(self, now: int) -> None:
        self.now = now
        self.times: deque[int] = deque()

    def __call__(self) -> int:
        """The time it shows."""
        return self.times.popleft() if self.times else self.now

    def until(self, moment: int) -> None:
        """Move the clock to a moment; it never goes back."""
        self.now = max(self.now, moment)

    def add(self, microseconds: int) -> None:
        """Move the clock forward."""
        self.now += microseconds


class Past:
    """The room while its past is made; presses are committed together, since each commit waits for the disk."""

    def __init__(self, demo: demo_room.DemoRoom, room: Room, clock: SetClock) -> None:
        self.demo, self.room, self.clock = demo, room, clock
        self._waiting: list[tuple[int, Command, By, str]] = []
        self._sequences: dict[str, int] = {}
        self._numbers = 0

    def id(self) -> str:
        """Return a command id, the same every time the past is made."""
        self._numbers += 1
        return f"past-{self._numbers}"

    def do(self, command: Command, by: By) -> Answer:
        """Carry a command out now; who approves it is named with who acts."""
        return self.room.do(command, by, id=self.id())

    def do_later(self, command: Command, by: By, id: str = "") -> None:  # noqa: A002
        """Carry a command out with others of its group, at the time it is now."""
        self._waiting.append((self.clock.now, command, by, id or self.id()))

    def commit(self) -> None:
        """Carry out what waits, in its order; raises what is refused."""
        self.clock.times.extend(moment for moment, *_ in self._waiting)
        answers = [
            self.room.do_later(command, by, id=name, happened=moment) for moment, command, by, name in self._waiting
        ]
        self._waiting.clear()
        for answer in answers:
            answer.result()

    def press(self, table: demo_room.DemoTable, seats: Sequence[Sequence[int]]) -> None:
        """Press the button of a table: for each of its sensors the seats that have a wager there."""
        if table.device:
            places = sorted([seat, sensor] for sensor, row in enumerate(seats, start=1) for seat in row)
            sequence = self._sequences[table.device] = self._sequences.get(table.device, 0) + 1
            now = self.clock.now
            fields = {"device": table.device, "table": table.name, "type": "press", "sequence": sequence}
            message = read_message(json.dumps(fields | {"at": now, "sent": now, "sensors": places}))
            self.do_later(ApplyMessage(message=message), By(f"device {table.device}", "device"), command_id(message))
            return
        wagers = dict(zip(table.data["wagers"], map(tuple, seats), strict=True)) if seats else None
        self.do_later(tabulator.Press(table=table.name, seats=wagers), self.demo.dealer_at(table.name))


class PlaySession(NamedTuple):
    """Rounds that are played on end: on which day (counted back from today), which of that day, and from when."""

    day: int
    number: int
    begins: int


def build_room(path: Path, now: int, seed: int = 1, days: int = DAYS) -> None:
    """Make the data directory of the room with its past, which ends at an instant; the same one every time."""
    first = EPOCH + datetime.timedelta(microseconds=now) - datetime.timedelta(days=days + 2)
    demo = demo_room.read_room(first.date())
    clock = SetClock(microseconds(first))
    administrator = demo.person("administrator").name
    create_books(path, demo.settings, person=administrator, since=first.date(), clock=clock)
    with Room(path, clock=clock) as room:
        demo_room.set_up(demo, room)
        past = Past(demo, room, clock)
        _play(past, random.Random(seed), _sessions(past, now, days))  # noqa: S311 - a past, not a secret
        ask_approvals(past)
        clock.until(now)


def _sessions(past: Past, now: int, days: int) -> Iterator[PlaySession]:
    calendar = past.room.state.of(ROOM)
    assert calendar is not None
    today = calendar.gambling_day(EPOCH + datetime.timedelta(microseconds=now))
    for back in range(days, 0, -1):
        begins = calendar.begins(today - datetime.timedelta(days=back))
        for number, hours in enumerate(_SESSIONS, start=1):
            yield PlaySession(back, number, microseconds(begins + datetime.timedelta(hours=hours)))
    yield PlaySession(0, 1, now - (_ROUNDS + 1) * _ROUND)


def _play(past: Past, chances: random.Random, sessions: Iterable[PlaySession]) -> None:
    for session in sessions:
        past.clock.until(session.begins - 5 * MINUTE)
        if session.number == 1:
            open_day(past, session.day)
        called = [hit for number in range(1, _ROUNDS + 1) for hit in _round(past, chances, session, number)]
        past.commit()
        if session.day:
            for hit in called:
                finish(past, hit)
        if session.number == len(_SESSIONS):
            close_day(past, session.day)


def _round(past: Past, chances: random.Random, session: PlaySession, number: int) -> list[CalledHit]:
    """Play a round at every table: the press that counts, what happens in it, and the press that ends it."""
    begins = session.begins + (number - 1) * _ROUND
    at = (session.day, session.number, number)
    events = (*(past.demo.data["hits"] if _has_tax_rules(past) else ()), *past.demo.data["mishaps"])
    due = [event for event in events if (event["day"], event["session"], event["round"]) == at]
    wagers = {table.name: _wagers(chances, table, due) for table in past.demo.tables}
    _press_all(past, chances, begins, wagers)
    for table in past.demo.tables:
        if chances.random() < _TAPS and not any(event["table"] == table.name for event in due):
            past.clock.add(SECOND)
            small_prize(past, chances, table, wagers[table.name])
    called = []
    for event in due:
        past.commit()
        past.clock.add(2 * SECOND)
        called += _carry_out(past, event)
    _press_all(past, chances, begins + _SETTLED, {})
    return called


def _has_tax_rules(past: Past) -> bool:
    """True if large prizes can be paid today: on a day whose thresholds are not on file none is (G-38)."""
    today = (EPOCH + datetime.timedelta(microseconds=past.clock.now)).date()
    # The room's clocks are behind those in Greenwich.
    return all(
        law.on(day, "wa-commercial").get("w2g_from_cents") is not None
        for day in (today - datetime.timedelta(days=1), today)
    )


def _wagers(chances: random.Random, table: demo_room.DemoTable, due: list[dict[str, Any]]) -> list[list[int]]:
    """Return by sensor the seats that have a wager: who wins has made one, and a missed one is not sensed."""
    wagers = table.data["wagers"]
    seats = [[seat for seat in range(1, table.setup.seats + 1) if chances.random() < 0.55] for _ in wagers]
    for event in due:
        if event["table"] != table.name or "seat" not in event:
            continue
        names = {row["name"]: row["wager"] for row in table.data["jackpots"]}
        number = wagers.index(names[event["jackpot"]]) if "jackpot" in event else 0
        others = [seat for seat in seats[number] if seat != event["seat"]]
        seats[number] = others if event.get("kind") == "missed" else sorted([*others, event["seat"]])
    return seats


def _press_all(past: Past, chances: random.Random, begins: int, wagers: Mapping[str, list[list[int]]]) -> None:
    for number, table in enumerate(past.demo.tables):
        past.clock.until(begins + number * 3 * SECOND + chances.randrange(2 * SECOND))
        past.press(table, wagers.get(table.name, ()))


def _carry_out(past: Past, event: dict[str, Any]) -> list[CalledHit]:
    """Carry out an event of a round; return the hit that was called."""
    if "jackpot" in event:
        hit = call(past, event)
        if event["ends"] == "rejected":
            reject(past, hit)
            return []
        return [hit]
    table, words = past.demo.table(event["table"]), event["words"]
    number = past.room.state.of(TABLES).tables[table.name].round
    supervisor, manager = past.demo.person("supervisor"), past.demo.person("manager")
    if event["kind"] == "malfunction":
        past.do(tabulator.RecordMalfunction(table=table.name, words=words), supervisor)
    elif event["kind"] == "misdeal":
        void = tabulator.VoidRound(table=table.name, round=number, cause="misdeal", words=words)
        past.do(void, replace(supervisor, approver=manager))
    else:
        correct = tabulator.CorrectRound(
            table=table.name,
            round=number,
            wager=table.data["wagers"][0],
            cause=event["kind"],
            seats=(event["seat"],),
            words=words,
        )
        past.do(correct, past.demo.dealer_at(table.name))
    return []


def open_day(past: Past, day: int) -> None:
    """Carry out what was decided for the day, update the displays, open the tables, and tap dealers in."""
    demo = past.demo
    supervisor, manager, accounting = (demo.person(role) for role in ("supervisor", "manager", "accounting"))
    for adjustment in demo.data["adjustments"]:
        if adjustment["day"] == day:
            units = units_of(100 * adjustment["dollars"])
            adjust = jackpot.AdjustFund(name=adjustment["jackpot"], units=units, words=adjustment["words"])
            past.do(adjust, replace(accounting, approver=manager))
    for posting in demo.data["postings"]:
        if posting["day"] == day:
            post = jackpot.PostBonus(name=posting["jackpot"], cents=posting["cents"], words=posting["words"])
            past.do(post, replace(accounting, approver=manager))
    demo_room.show_amounts(demo, past.room, past.id)
    for table in demo.tables:
        past.clock.add(2 * SECOND)
        past.do(tabulator.OpenTable(table=table.name), replace(supervisor, approver=manager))
        past.do(tabulator.ChangeDealer(table=table.name, dealer=demo.dealer_at(table.name).name), supervisor)
    _read_counters(past)
    demo_room.deposit(past.room, accounting, manager, past.id)


def _read_counters(past: Past) -> None:
    for table in past.demo.tables:
        if table.setup.equipment.counter:
            reading = _COUNTER + past.room.state.of(TABLES).tables[table.name].counter
            past.do(tabulator.ReadCounter(table=table.name, reading=reading), past.demo.person("supervisor"))


def close_day(past: Past, day: int) -> None:
    """Close the tables, read counters, count the chips of both shifts."""
    supervisor = past.demo.person("supervisor")
    past.clock.add(10 * MINUTE)
    _read_counters(past)
    for table in past.demo.tables:
        past.clock.add(2 * SECOND)
        past.do(tabulator.CloseTable(table=table.name), supervisor)
    past.clock.add(30 * MINUTE)
    _report_malfunctions(past)
    _count_chips(past, day)
    # What comes later is read from here on.
    past.room.books.seal(BOOK)


def ask_approvals(past: Past) -> None:
    """Request what needs a second person, who has not come yet."""
    for request in past.demo.data["requests"]:
        past.clock.add(2 * SECOND)
        past.do(read_fields(BY_NAME[request["what"]], request["fields"]), past.demo.person(request["role"]))


def _report_malfunctions(past: Past) -> None:
    """Report what has failed to the commission, and have it mended (O-02)."""
    manager = past.demo.person("manager")
    for number in [record.number for record in past.room.state.of(TABLES).malfunctions.values()]:
        past.do(tabulator.ReportMalfunction(malfunction=number, reference=f"report {number} by mail"), manager)
        past.do(tabulator.EndMalfunction(malfunction=number, words="cable seated again"), manager)


def _count_chips(past: Past, day: int) -> None:
    """Count what lies there; on the last evening a chip is missing at the first table, and somebody looks into it."""
    cashier, second = past.demo.person("accounting"), past.demo.person("supervisor")
    is_last = missing = day == 1
    for date, shift, table, cents in _expected(past):
        short = missing and shift == _LAST_SHIFT
        missing = missing and not short
        chips = CollectChips(
            day=datetime.date.fromisoformat(date),
            shift=shift,
            table=table,
            cents=cents - (_CHIP_CENTS if short else 0),
            counted_with=second.name,
        )
        past.do(chips, replace(cashier, approver=second))
    if is_last and (report := _takings(past)).exceptions:
        raised = past.do(RaiseReport(report=report), SYSTEM_ACTOR)
        past.do(TakeException(number=raised.entries[0].sequence), past.demo.person("manager"))


def _takings(past: Past) -> Report:
    return make_report(look(past.room.books.store, BOOK, ReportRequest(), made_at=past.clock.now), "takings")


def _expected(past: Past) -> list[tuple[str, str, str, int]]:
    """By day, shift and table what must lie there, as the report on takings has it."""
    report = _takings(past)
    keys = [column.key for column in report.columns]
    places = [keys.index(key) for key in ("day", "shift", "table", "expected_units")]
    rows = [tuple(row.cells[place] for place in places) for row in report.rows]
    return [(str(day), str(shift), str(table), int(str(units)) // units_of(1)) for day, shift, table, units in rows]


class CalledHit(NamedTuple):
    """A hit that was called: its number, and the event of the data."""

    number: int
    event: dict[str, Any]


def small_prize(past: Past, chances: random.Random, table: demo_room.DemoTable, wagers: list[list[int]]) -> None:
    """Pay a small prize from the tray to one of those who have the wager; cheap ones come more often."""
    played = chances.choice(table.jackpots)
    factor = played.meter.wager_cents // 100
    pays = [(prize.event, prize.pay) for prize in played.offers[0].prizes if isinstance(prize.pay, Dollars)]
    rows = [event for event, pay in pays if 0 < pay.cents * factor < demo_room.SMALL_PRIZE_CENTS]
    seats = wagers[table.data["wagers"].index(played.wager)]
    if not seats or not rows:
        return
    row = chances.choices(rows, weights=[4**number for number in range(len(rows))])[0]
    seat, dealer = chances.choice(seats), past.demo.dealer_at(table.name)
    past.do_later(jackpot.PaySmallPrize(jackpot=played.name, table=table.name, seat=seat, row=row), dealer)


def call(past: Past, event: dict[str, Any]) -> CalledHit:
    """Call a hit of the last round, by the dealer."""
    claims = (jackpot.Claim(event["seat"], event["row"]),)
    dealer = past.demo.dealer_at(event["table"])
    answer = past.do(jackpot.CallHit(jackpot=event["jackpot"], table=event["table"], claims=claims), dealer)
    return CalledHit(answer.entries[0].sequence, event)


def reject(past: Past, hit: CalledHit) -> None:
    """Reject a report, by a supervisor and surveillance."""
    past.clock.add(15 * SECOND)
    supervisor, camera = past.demo.person("supervisor"), past.demo.person("surveillance")
    past.do(jackpot.RejectHit(hit=hit.number, words=hit.event["words"]), replace(supervisor, approver=camera))


def finish(past: Past, hit: CalledHit) -> None:
    """Carry a hit through every step: cards and lights, camera, papers, the money, and its closing."""
    demo, event = past.demo, hit.event
    supervisor, second = demo.people("supervisor")[:2]
    seat, number, method = event["seat"], hit.number, event["ends"]
    paper = jackpot.PaperDraft(
        seat=seat,
        winner=event["winner"],
        identification=_PAPERS,
        photograph=True,
        taxpayer_number=True,
        deck_checked=True,
    )
    cheque, board = f"{4000 + number}" if method == "cheque" else "", event.get("board", "")
    steps: tuple[tuple[Command, By], ...] = (
        (jackpot.VerifyHit(hit=number, cards={seat: event["cards"]}, board=board, lights=(seat,)), supervisor),
        (jackpot.SurveilHit(hit=number, checks=CHECKS), demo.person("surveillance")),
        (jackpot.DocumentHit(hit=number, papers=(paper,)), supervisor),
        (jackpot.PayPrize(hit=number, seat=seat, method=method, cheque=cheque), demo.person("accounting")),
        (jackpot.CloseHit(hit=number), second),
    )
    for command, by in steps:
        past.clock.add(3 * MINUTE)
        past.do(command, by)
    hits = past.room.state.of(jackpot.HITS).open
    assert number not in hits or hits[number].state is jackpot.HitState.CLOSED


def build_at(path: Path, now: int) -> None:
    """Build the room beside its place, and move it there when it is whole: killed, it leaves no half of one."""
    path.parent.mkdir(parents=True, exist_ok=True)
    beside = Path(tempfile.mkdtemp(prefix=f".{path.name}-", dir=path.parent))
    try:
        built = beside / "room"
        build_room(built, now)
        demo_room.folder_of(built).mkdir()
        if path.exists():
            path.rmdir()
        built.replace(path)
    finally:
        shutil.rmtree(beside)


if __name__ == "__main__":
    build_at(Path(sys.argv[1]), microseconds_now())
