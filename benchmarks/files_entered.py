"""How many files of Pitboss a reader meets behind a press, a verified hit and a report page.

`python -m benchmarks.files_entered` prints three numbers: distinct files under src/pitboss in which a function runs
while the message of a press is received and counted, while a hit is verified by `room.do`, and while the server answers
with a report. `--list` prints the files too.
"""

from __future__ import annotations

import argparse
import datetime
import json
import sys
import tempfile
import threading
import warnings
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path
from types import FrameType
from typing import Any, NamedTuple

from pitboss.books import Answer, RoomSettings
from pitboss.books.store.migrate import create_books
from pitboss.commands import By, Command
from pitboss.commands.command import BOOK, SYSTEM_ACTOR
from pitboss.games import find_game
from pitboss.jackpot import (
    CallHit,
    Claim,
    ConfirmDeposit,
    DefineJackpot,
    JackpotDraft,
    LinkedTable,
    OpenJackpot,
    SendDeposit,
    VerifyHit,
)
from pitboss.jackpot.definitions import MeterDraft, OfferDraft
from pitboss.room.approval_records import RecordApproval, example_papers
from pitboss.room.configurations import PostConfiguration
from pitboss.room.displays import RegisterDisplay
from pitboss.room.people.people import SetPerson
from pitboss.room.room import Room
from pitboss.server.app import create_app
from pitboss.tabulator import ChangeDealer, OpenTable, SetUpTable, TableSetup, sensors_for

ROOT = Path(__file__).parents[1]
SOURCE = str(ROOT / "src" / "pitboss")
GAME, WAGER, PAYTABLE, TABLE, NAME = "four-card-prime", "five-card-jackpot", "PJ-1", "4", "main"
ROW, HAND = "Five-card Royal Flush", "As Ks Qs Js Ts"
MODEL, DEVICE = "andromeda-3c", "A3C-1"
DEALER, SUPERVISOR = By("Dan", "dealer"), By("Sue", "supervisor")
MANAGER, CLERK = By("Max", "manager"), By("Lee", "accounting")
BY_TWO = By("Max", "manager", By("Sam", "surveillance"))
LOGIN, PASSWORD = "max", "a horse, a kingdom, a staple"
Do = Callable[[Command, By], Answer]


class FilesEntered(NamedTuple):
    """Functions that ran, by file under src/pitboss."""

    press: Counter[str]
    verified_hit: Counter[str]
    report_page: Counter[str]


class Watch:
    """Counts calls by file in every thread that starts after it, while it is on."""

    def __init__(self) -> None:
        self.is_on = False
        self.calls: Counter[str] = Counter()
        threading.setprofile(self._profile)
        sys.setprofile(self._profile)

    def _profile(self, frame: FrameType, event: str, _: Any) -> None:
        path = frame.f_code.co_filename
        if self.is_on and event == "call" and path.startswith(SOURCE) and path.endswith(".py"):
            self.calls[path[len(SOURCE) + 1 :]] += 1

    def count(self, act: Callable[[], object]) -> Counter[str]:
        """Return the calls by file while something is done."""
        self.calls, self.is_on = Counter(), True
        act()
        self.is_on = False
        return self.calls

    def end(self) -> None:
        """Watch no longer."""
        sys.setprofile(None)
        threading.setprofile(None)


def _configuration() -> str:
    text = (ROOT / "examples" / f"{GAME}.toml").read_text(encoding="utf-8").partition("[jackpots]")[0]
    jackpot = f'[jackpots.{WAGER}]\npaytables = ["{PAYTABLE}"]\nmeter = "10000.00"\n'
    return f'{text.replace("milky-way", MODEL)}[jackpots]\ntype = "progressive"\n\n{jackpot}'


@contextmanager
def _room(path: Path) -> Iterator[tuple[Room, Do]]:
    """Open a room with a jackpot and a table that is counted at the console; yields what carries commands out."""
    settings = RoomSettings(room="Bench", time_zone="America/Los_Angeles", shifts=(("day", datetime.time(6)),))
    now = int(datetime.datetime(2026, 11, 16, 20, tzinfo=datetime.UTC).timestamp()) * 1_000_000

    def clock() -> int:
        nonlocal now
        now += 2_000_000
        return now

    create_books(path, settings, person="bench", since=datetime.date(2026, 1, 1), clock=clock)
    with Room(path, clock=clock) as room:
        numbers = iter(range(1, 1_000))
        yield room, lambda command, by: room.do(command, by, id=f"files-{next(numbers)}")


def _prepare(room: Room, do: Do) -> None:
    do(PostConfiguration(table=TABLE, configuration=_configuration(), words="new"), BY_TWO)
    meter = MeterDraft(
        jackpot_type="progressive",
        seed_cents=10_000_00,
        reseed_cents=5_000_00,
        display_rate="0.173",
        reserve_rate="0.05",
    )
    offer = OfferDraft(game=GAME, wager=WAGER, paytable=PAYTABLE)
    tables = (LinkedTable(TABLE, GAME, "Bench"),)
    draft = JackpotDraft(name=NAME, offers=(offer,), meter=meter, tables=tables, display="real-time")
    do(DefineJackpot(jackpot=draft, words="new"), BY_TWO)
    sent = do(SendDeposit(name=NAME, cents=10_000_00), CLERK)
    arrived = ConfirmDeposit(name=NAME, sequence=sent.entries[-1].sequence, reference="bench")
    do(arrived, replace(MANAGER, approver=CLERK))
    do(RegisterDisplay(name="screen", table=TABLE, make="screen"), MANAGER)
    room.displays.beat("screen", {})
    room.displays.review(command="files-heard")
    do(OpenJackpot(name=NAME, words="new"), BY_TWO)
    sensors = sensors_for(MODEL, 7, [WAGER], lights=[WAGER])
    setup = TableSetup(table=TABLE, game=GAME, model=MODEL, seats=7, sensors=sensors, device=DEVICE)
    do(SetUpTable(setup=setup, words="new"), BY_TWO)
    papers = example_papers("wa-commercial", find_game(GAME).approval.since)
    do(RecordApproval(table=TABLE, game=GAME, papers=papers, is_example=True), BY_TWO)
    do(OpenTable(table=TABLE), replace(SUPERVISOR, approver=MANAGER))
    do(ChangeDealer(table=TABLE, dealer="Dan"), SUPERVISOR)


def _press(room: Room, sequence: int) -> None:
    """Press at the device of the table: the odd ones count wagers of three seats, the even ones end the round."""
    at = room.clock()
    message = {"device": DEVICE, "table": TABLE, "type": "press", "sequence": sequence, "at": at, "sent": at}
    reply = room.devices.receive(json.dumps({**message, "sensors": [[1, 1], [2, 1], [3, 1]] if sequence % 2 else []}))
    assert reply["status"] == ("counted" if sequence % 2 else "released"), reply


def files_entered(path: Path) -> FilesEntered:
    """Play two rounds, verify a hit and open a report in a new room."""
    # The test client warns of a newer library, which says nothing of Pitboss.
    warnings.simplefilter("ignore")
    from fastapi.testclient import TestClient  # noqa: PLC0415 - after the warnings are off

    watch = Watch()
    with _room(path) as (room, do):
        _prepare(room, do)
        # As after its first day: how a room was set up is read from a snapshot.
        room.books.seal(BOOK)
        for sequence in (1, 2):
            _press(room, sequence)
        press = watch.count(lambda: _press(room, 3))
        called = do(CallHit(jackpot=NAME, table=TABLE, claims=(Claim(2, ROW),)), DEALER)
        verify = VerifyHit(hit=called.entries[0].sequence, cards={2: HAND}, lights=(1, 2, 3))
        verified_hit = watch.count(lambda: do(verify, SUPERVISOR))
        person = SetPerson(login=LOGIN, name="Max", roles=("manager",), active=True, first=True)
        room.access.set_person(person, SYSTEM_ACTOR, id="max")
        room.access.set_password(LOGIN, PASSWORD, SYSTEM_ACTOR)
        client = TestClient(create_app(room), base_url="http://127.0.0.1", follow_redirects=False)
        client.post("/sign-in", data={"login": LOGIN, "password": PASSWORD})

        def page() -> None:
            answer = client.get("/office/reports/meters", headers={"accept": "text/html"})
            assert answer.status_code == 200, answer.text

        page()
        report_page = watch.count(page)
    watch.end()
    return FilesEntered(press, verified_hit, report_page)


def main() -> None:
    """Print the three numbers."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--list", action="store_true", help="print the files and how many calls each has")
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        entered = files_entered(Path(folder) / "room")
    for name, calls in entered._asdict().items():
        print(f"{name.replace('_', ' '):<14} {len(calls)} files, {sum(calls.values()):,} calls")
        if options.list:
            for file, number in sorted(calls.items()):
                print(f"    {number:>6,}  {file}")


if __name__ == "__main__":
    main()
