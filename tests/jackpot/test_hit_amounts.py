"""Prizes from rows and from cards agree with each other and with the naive twin, in all games, on random rounds."""

from __future__ import annotations

import json
from random import Random
from typing import Any

import pytest

from pitboss.books import LedgerTransfer
from pitboss.games import find_game
from pitboss.jackpot import Claim, Hit, HitState, Jackpot, LinkedTable, RoundCards, offer_of
from pitboss.jackpot.hits.amounts import called_prizes, claim_problems, verified_by_cards
from pitboss.rules import Settler
from tests.meters.making import bonus, progressive
from tests.twin.generate import random_round
from tests.twin.twin import settle

GAMES = ("three-card-prime", "deuces-wild", "super-three-card", "four-card-prime", "three-card-double-play")
ROUNDS, ROUNDS_PROVED = 150, 2_000


def jackpot_of(record: dict[str, Any], wager: str, stake: int) -> Jackpot:
    """The jackpot that a record plays on a wager."""
    kind = record.get("jackpot_type", "progressive")
    game = find_game(record["game"])
    paytable = record["paytables"][wager][0]
    readings = {name: value for name, value in record.get("readings", {}).items() if name == "envy_trigger"}
    said = {"jackpot_type": kind, "wager_cents": stake, "readings": readings, "decks": record.get("decks")}
    return Jackpot(
        name="main",
        offers=(offer_of(game.name, wager, paytable, **said),),
        meter=(progressive if kind == "progressive" else bonus)(wager_cents=stake),
        tables=(LinkedTable("4", game.name, "Here"),),
        display="real-time" if kind == "progressive" else "static",
        bonus_sharing=sharing_of(record, game.bonus_sharing),
    )


def sharing_of(record: dict[str, Any], usual: Any) -> Any:
    """G-4: in full in commercial rooms from 2021-06-14; divided unless stated on any other day that is known."""
    if "on" not in record:
        return record.get("bonus_sharing", usual)
    if record["profile"] == "wa-commercial" and record["on"] >= "2021-06-14":
        return "full"
    return record.get("bonus_sharing", "split")


def cards_of(record: dict[str, Any], wager: str) -> tuple[RoundCards, list[int]]:
    """The cards that a supervisor enters, and the seats whose lights are on."""
    game = find_game(record["game"])
    holds = game.by_name[wager].holds
    assert holds is not None
    lights = [seat["seat"] for seat in record["seats"] if wager in seat["wagers"]]
    hands = {
        seat["seat"]: " ".join(seat["cards"][: holds.seat])
        for seat in record["seats"]
        if seat["seat"] in lights or len(seat["cards"]) == holds.seat
    }
    board = record[game.board.name][: holds.board]
    return RoundCards(seats=hands, board=" ".join(board)), lights


def called(jackpot: Jackpot, claims: list[Claim], meter_cents: int) -> Hit:
    prizes = called_prizes(jackpot, "4", claims, meter_cents, meter_cents)
    return Hit(
        number=1,
        jackpot="main",
        table="4",
        round=1,
        wager_cents=jackpot.meter.wager_cents,
        meter_cents=meter_cents,
        late=False,
        state=HitState.CALLED,
        won=prizes.won,
        transfers=(LedgerTransfer("displayed", "winners", prizes.payment.from_fund_cents),),
        called_at=1,
        done=(),
    )


def compare(record: dict[str, Any], wager: str) -> int:
    """Call what the twin says was won; the amounts, who pays, the cards and the Envy must agree with it."""
    expected = settle(record)
    lines = {seat["seat"]: seat["wagers"][wager] for seat in expected["seats"] if wager in seat["wagers"]}
    own = {seat: line["paid_cents"] - line.get("envy_cents", 0) for seat, line in lines.items()}
    claims = [Claim(seat, lines[seat]["event"]) for seat, cents in own.items() if cents > 0]
    if not claims:
        return 0
    stake = next(seat["wagers"][wager] for seat in record["seats"] if wager in seat["wagers"])
    jackpot = jackpot_of(record, wager, stake)
    meter_cents = record.get("meters", {}).get(wager, 0)
    assert [] == claim_problems(jackpot, "4", claims)
    hit = called(jackpot, claims, meter_cents)

    assert {claim.seat: own[claim.seat] for claim in claims} == {won.seat: won.cents for won in hit.won}
    payment = expected.get("jackpots", {}).get(wager, {"from_fund_cents": 0})
    assert payment["from_fund_cents"] == hit.transfers[0].units
    found = verified_by_cards(jackpot, hit, *cards_of(record, wager))
    envy = {seat: line["envy_cents"] for seat, line in lines.items() if line.get("envy_cents")}
    assert envy == {seat: cents for seat, cents, _ in found.envy}
    assert all(found.because[claim.seat] for claim in claims)
    return len(claims)


def compared(game: str, rounds: int) -> int:
    rng = Random(f"hits {game}")
    found = 0
    for _ in range(rounds):
        record = random_round(rng, game)
        for wager in (wager.name for wager in find_game(game).jackpots):
            if any(wager in seat["wagers"] for seat in record["seats"]):
                try:
                    found += compare(record, wager)
                except AssertionError as error:
                    raise AssertionError(f"{wager}: {json.dumps(record)}") from error
    return found


@pytest.mark.parametrize("game", GAMES)
def test_g_4_calls_and_cards_agree_with_the_twin(game: str) -> None:
    assert 10 < compared(game, ROUNDS)


@pytest.mark.slow
@pytest.mark.parametrize("game", GAMES)
def test_g_4_calls_and_cards_agree_with_the_twin_on_many_rounds(game: str) -> None:
    assert 150 < compared(game, ROUNDS_PROVED)


def test_a_row_that_the_table_does_not_print_is_refused_by_name() -> None:
    offer = offer_of("four-card-prime", "five-card-jackpot", "PJ-1")
    jackpot = Jackpot(
        name="main",
        offers=(offer,),
        meter=progressive(),
        tables=(LinkedTable("4", offer.game, "x"),),
        display="real-time",
    )
    settler = Settler(find_game(offer.game), jackpot.terms_of(offer))
    with pytest.raises(ValueError, match="PJ-1 has no row 'Flush'; it has: Five-card Royal Flush"):
        settler.settle_rows(offer.wager, {1: "Flush"}, 100, 0)
