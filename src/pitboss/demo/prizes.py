"""Prizes of the past: small ones from the tray, and hits from the call to the closed papers."""

from __future__ import annotations

import random
from typing import Any, NamedTuple

from pitboss.demo.past import MINUTE, Past
from pitboss.demo.room import SMALL_PRIZE_CENTS, DemoTable
from pitboss.jackpot import Claim, HitState, Jackpot, Paper, RoundCards
from pitboss.jackpot.hits.workflow import CHECKS
from pitboss.rules.pays import Dollars

_PAPERS = ("driving licence", "passport")


class Called(NamedTuple):
    """A hit that was called: its number, and what the data says of it."""

    number: int
    said: dict[str, Any]


def _small_rows(jackpot: Jackpot) -> list[str]:
    """The rows that are paid from the tray, the dearest first."""
    factor = jackpot.meter.wager_cents // 100
    rows = [(each.event, each.pay) for each in jackpot.offers[0].prizes if isinstance(each.pay, Dollars)]
    return [event for event, pay in rows if 0 < pay.cents * factor < SMALL_PRIZE_CENTS]


def small_prize(past: Past, chances: random.Random, table: DemoTable, wagers: list[list[int]]) -> None:
    """Pay a small prize to one of those who have the wager; cheap ones come more often."""
    jackpot = chances.choice(table.jackpots)
    seats = wagers[table.said["wagers"].index(jackpot.wager)]
    rows = _small_rows(jackpot)
    if not seats or not rows:
        return
    row = chances.choices(rows, weights=[4**number for number in range(len(rows))])[0]
    seat, dealer = chances.choice(seats), past.demo.dealer_at(table.name)
    said: dict[str, Any] = {"command": past.id(), "by": dealer}
    past.gather(lambda: past.hits.pay_small(jackpot.name, table.name, seat, row, **said))


def call(past: Past, said: dict[str, Any]) -> Called:
    """Call a hit of the last round, by the dealer."""
    claims = [Claim(said["seat"], said["row"])]
    dealer = past.demo.dealer_at(said["table"])
    answer = past.doors.hits.call(said["jackpot"], said["table"], claims, command=past.id(), by=dealer)
    return Called(answer.entries[0].sequence, said)


def rejected(past: Past, hit: Called) -> None:
    """Reject a call, by a supervisor and surveillance."""
    past.clock.add(15_000_000)
    supervisor, camera = past.demo.person("supervisor"), past.demo.person("surveillance")
    words = hit.said["words"]
    past.doors.hits.reject(hit.number, words=words, command=past.id(), by=supervisor, approved_by=camera)


def finish(past: Past, hit: Called) -> None:
    """Take a hit through every step: cards and lights, camera, papers, the money, and its closing."""
    hits, demo, said = past.doors.hits, past.demo, hit.said
    supervisor, second = demo.people("supervisor")[:2]
    seat, number = said["seat"], hit.number

    def go() -> dict[str, Any]:
        past.clock.add(3 * MINUTE)
        return {"command": past.id()}

    cards = RoundCards(seats={seat: said["cards"]}, board=said.get("board", ""))
    hits.verify(number, cards, [seat], by=supervisor, **go())
    hits.surveil(number, CHECKS, by=demo.person("surveillance"), **go())
    paper = Paper(seat, said["winner"], _PAPERS, photograph=True, taxpayer_number=True, deck_checked=True)
    hits.document(number, [paper], by=supervisor, **go())
    method = said["ends"]
    cheque = f"{4000 + number}" if method == "cheque" else ""
    hits.pay(number, seat, method, by=demo.person("accounting"), cheque=cheque, **go())
    hits.close(number, by=second, **go())
    assert number not in hits.open or hits.open[number].state is HitState.CLOSED
