"""A room on a busy evening: hits at several steps, something that waits for a second person, alarms, displays."""

from __future__ import annotations

import re
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from fastapi.testclient import TestClient

from pitboss.commands import By, read_fields
from pitboss.commands.command import SYSTEM_ACTOR
from pitboss.jackpot import Claim, Paper
from pitboss.room.commands import BY_NAME
from pitboss.room.displays import Display
from pitboss.room.disputes import RoundStatement
from pitboss.room.people.people import SetPerson
from pitboss.server.app import create_app
from tests.doors import doors_of
from tests.pages.floor import MANAGER, working_room
from tests.pages.room import CardRoom
from tests.server.making import ADDRESS, PASSWORD, command, with_csrf

DAN, DORA = By("Dan", "dealer"), By("Dora", "dealer")
SUE, SAM = By("Sue", "supervisor"), By("Sam", "supervisor")
AMY, VIC = By("Amy", "accounting"), By("Vic", "surveillance")
MORE = {
    "sam": ("Sam", "supervisor"),
    "vic": ("Vic", "surveillance"),
    "amy": ("Amy", "accounting"),
    "uma": ("Uma", "auditor"),
}
ROYAL, ROYAL_CARDS = "4-card diamond Royal", "Ad Kd Qd Jd"


DISPUTED: dict[str, Any] = {
    "seat": 2,
    "cards": ["Ad", "Kd", "Qd", "Jd"],
    "wagers": {"ante-play": 2000, "pair-bonus": 500, "final-four": 100},
    "decisions": {"play": True},
}
DISPUTE = RoundStatement([DISPUTED], ["9s", "9h", "4d"], {"final-four": 25_000_00})
DISPUTE_WORDS = "Seat 2 says that the Pair Bonus was not paid"


def more_staff(room: CardRoom) -> None:
    for login, (name, role) in MORE.items():
        person = SetPerson(login=login, name=name, roles=(role,), active=True, first=True)
        room.room.access.set_person(person, SYSTEM_ACTOR, id=command())
        room.room.access.set_password(login, PASSWORD, SYSTEM_ACTOR)


@contextmanager
def desk_room(path: Path) -> Iterator[CardRoom]:
    """A room with everybody in it, and dealers at the tables."""
    with working_room(path) as room:
        more_staff(room)
        tables = doors_of(room.room).tables
        for table, dealer in {"4": DORA, "5": DAN, "6": DAN}.items():
            tables.change_dealer(table, dealer.name, command=command(), by=dealer)
        tables.down("5", words="sensor 3 does not light", command=command(), by=MANAGER)
        yield room


def royal(room: CardRoom, seat: int = 3) -> int:
    """A royal at table 5, which is counted by hand: the whole meter is won."""
    tables = doors_of(room.room).tables
    tables.press("5", {"final-four": [1, 2, seat]}, command=command(), by=DAN)
    answer = room.hits.call("final-four", "5", [Claim(seat, ROYAL)], command=command(), by=DAN)
    return answer.entries[0].sequence


def four_aces(room: CardRoom) -> int:
    tables = doors_of(room.room).tables
    tables.press("6", {"four-card-jackpot": [1, 4, 6]}, command=command(), by=DAN)
    room.hits.pay_small("quads", "6", 1, "Straight Flush", command=command(), by=DAN)
    answer = room.hits.call("quads", "6", [Claim(6, "Four Aces")], command=command(), by=DAN)
    return answer.entries[0].sequence


def displays(room: CardRoom) -> None:
    watch = doors_of(room.room).displays
    for name, table, make in (("screen 4", "4", "screen"), ("screen 5", "5", "screen"), ("sign 6", "6", "sign")):
        watch.register(Display(name, table, make), command=command(), actor="Max")  # type: ignore[arg-type]
    watch.beat("screen 4", {"final-four": room.jackpots.meter("final-four").displayed_cents})
    watch.review(command=command())


def ask(room: CardRoom, name: str, by: By, **said: Any) -> int:
    answer = room.room.do(read_fields(BY_NAME[name], said), By(by.name, by.role), id=command())
    return answer.entries[0].sequence


def busy(room: CardRoom) -> dict[str, int]:
    """What there is to do: a royal that is verified, four aces just called, a rejection that waits, a malfunction, displays."""
    made = {"royal": royal(room), "aces": four_aces(room)}
    room.verify(made["royal"], {3: ROYAL_CARDS})
    displays(room)
    made["reject"] = ask(room, "hits/reject", SUE, hit=made["aces"], words="seat 6 had no wager")
    return made


def finish(room: CardRoom, hit: int) -> None:
    """Bring a royal that is verified to its end."""
    room.hits.surveil(hit, ["hand", "wager", "payout", "winner"], command=command(), by=VIC)
    paper = Paper(3, "Pat Lee", ("driver license", "passport"), True, False, True)
    room.hits.document(hit, [paper], command=command(), by=AMY)
    room.hits.pay(hit, 3, "cheque", cheque="1007", command=command(), by=MANAGER)
    room.hits.close(hit, command=command(), by=SUE)


class Somebody:
    """Somebody who has signed in and fills the forms that the page has."""

    def __init__(self, room: CardRoom, login: str) -> None:
        self.client = TestClient(
            create_app(room.room), base_url=ADDRESS, client=("192.0.2.7", 50_000), headers={"accept": "text/html"}
        )
        self.client.post("/sign-in", data={"login": login, "password": PASSWORD})
        with_csrf(self.client)
        self.csrf = self.client.headers.pop("x-csrf-token")

    def page(self, path: str = "/floor") -> str:
        answer = self.client.get(path)
        assert answer.status_code == 200, answer.text
        return answer.text

    def form(self, action: str, path: str = "/floor") -> dict[str, Any] | None:
        """The hidden fields of a form of the page, if it is there."""
        found = re.search(rf'<form[^>]*action="{re.escape(action)}".*?</form>', self.page(path), re.DOTALL)
        return None if found is None else dict(re.findall(r'type="hidden" name="([^"]+)" value="([^"]*)"', found[0]))

    def send(self, action: str, path: str = "/floor", **fields: Any) -> Any:
        """Fill the form in that the page has; without one, send what it would have sent."""
        hidden = self.form(action, path) or {"csrf": self.csrf, "command": command()}
        return self.client.post(action, data={**hidden, **fields})
