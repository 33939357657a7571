"""Prizes of the past: small ones from the tray, and hits from the call to the closed papers."""

from __future__ import annotations

import random
from dataclasses import replace
from typing import Any, NamedTuple

from pitboss.commands import By, Command
from pitboss.demo.past import MINUTE, Past
from pitboss.demo.room import SMALL_PRIZE_CENTS, DemoTable
from pitboss.jackpot import (
    HITS,
    CallHit,
    Claim,
    CloseHit,
    DocumentHit,
    HitState,
    Jackpot,
    PaperDraft,
    PayPrize,
    PaySmallPrize,
    RejectHit,
    SurveilHit,
    VerifyHit,
)
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
    past.do_later(PaySmallPrize(jackpot=jackpot.name, table=table.name, seat=seat, row=row), dealer)


def call(past: Past, said: dict[str, Any]) -> Called:
    """Call a hit of the last round, by the dealer."""
    claims = (Claim(said["seat"], said["row"]),)
    dealer = past.demo.dealer_at(said["table"])
    answer = past.do(CallHit(jackpot=said["jackpot"], table=said["table"], claims=claims), dealer)
    return Called(answer.entries[0].sequence, said)


def rejected(past: Past, hit: Called) -> None:
    """Reject a call, by a supervisor and surveillance."""
    past.clock.add(15_000_000)
    supervisor, camera = past.demo.person("supervisor"), past.demo.person("surveillance")
    past.do(RejectHit(hit=hit.number, words=hit.said["words"]), replace(supervisor, approver=camera))


def finish(past: Past, hit: Called) -> None:
    """Take a hit through every step: cards and lights, camera, papers, the money, and its closing."""
    demo, said = past.demo, hit.said
    supervisor, second = demo.people("supervisor")[:2]
    seat, number, method = said["seat"], hit.number, said["ends"]
    paper = PaperDraft(
        seat=seat,
        winner=said["winner"],
        identification=_PAPERS,
        photograph=True,
        taxpayer_number=True,
        deck_checked=True,
    )
    cheque = f"{4000 + number}" if method == "cheque" else ""
    steps: tuple[tuple[Command, By], ...] = (
        (VerifyHit(hit=number, cards={seat: said["cards"]}, board=said.get("board", ""), lights=(seat,)), supervisor),
        (SurveilHit(hit=number, checks=CHECKS), demo.person("surveillance")),
        (DocumentHit(hit=number, papers=(paper,)), supervisor),
        (PayPrize(hit=number, seat=seat, method=method, cheque=cheque), demo.person("accounting")),
        (CloseHit(hit=number), second),
    )
    for command, by in steps:
        past.clock.add(3 * MINUTE)
        past.do(command, by)
    hits = past.room.state.of(HITS).open
    assert number not in hits or hits[number].state is HitState.CLOSED
