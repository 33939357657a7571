"""Issue 16 item 1, jackpots: the row that a display posts is what the settlement and a call pay for a hand of it.

Every jackpot wager, pay table and reading, progressive and Bonus, each kind of sharing, at meters with odd cents; the
amounts on the display are read as a player reads them.
"""

from __future__ import annotations

import itertools
from collections.abc import Iterator, Mapping
from typing import Any

import pytest

from pitboss.games import all_games, find_game
from pitboss.jackpot import Jackpot
from pitboss.jackpot.definitions import JackpotDraft, LinkedTable, MeterDraft, OfferDraft
from pitboss.jackpot.hits.amounts import called_prizes, envy_cents
from pitboss.jackpot.hits.values import Claim
from pitboss.rules import FinishedRound, FinishedSeat, Game, Settler, Wager
from pitboss.rules.pays import CellKind, NotApplicable, OfMeter, OperatorSet
from pitboss.server.views.paytables import PrizeView, jackpot_paytable
from tests.games.test_posted_pays import telling

SEED, TABLE = 10_000_00, "1"
METERS = {"progressive": (12_345_67, 501_03), "bonus": (SEED, 12_500_00)}
"""What the display shows; a Bonus as it was defined, and after another amount was posted (G-6)."""


def stated(game: Game, table_id: str, kind: str, stake: int) -> dict[str, Any]:
    """A pay table with the operator's amounts: percentages where there is a meter, dollars where there is none."""
    table, pays = game.paytables[table_id], {}
    for place, row in enumerate(table.rows):
        if isinstance(row.pay, OperatorSet):
            many = len(table.rows) - place
            is_share = row.pay.kind is CellKind.JACKPOT or (
                row.pay.kind is not CellKind.BONUS and kind == "progressive"
            )
            pays[row.event] = f"{100 * many // len(table.rows)}%" if is_share else f"${100 * many * stake // 100}"
    envy = {row.event: f"${20 - place}" for place, row in enumerate(table.rows) if isinstance(row.envy, OperatorSet)}
    if kind == "bonus" and pays.get(table.rows[0].event, "%")[-1] != "%":
        # It is what the display shows.
        del pays[table.rows[0].event]
    return {"id": table_id, "pays": pays, "envy": envy}


def built(game: Game, wager: Wager, table_id: str, kind: str, more: Mapping[str, Any]) -> tuple[Jackpot, list[str]]:
    stake = more.get("stake", 100)
    draft = JackpotDraft(
        name="main",
        offers=(
            OfferDraft(
                game=game.name,
                wager=wager.name,
                paytable=stated(game, table_id, kind, stake),
                readings=more.get("readings", {}),
            ),
        ),
        meter=MeterDraft(
            jackpot_type=kind,  # type: ignore[arg-type]
            wager_cents=stake,
            seed_cents=SEED,
            reseed_cents=SEED if kind == "bonus" else 500_00,
            display_rate="0.173" if kind == "progressive" else "0",
        ),
        tables=(LinkedTable(TABLE, game.name, "Cedar Street"),),
        display="real-time",
        bonus_sharing=more.get("sharing", "full"),
        fixed_prizes=more.get("fixed", "house"),
    )
    jackpot, problems = draft.build(None)
    return jackpot, [*problems, *map(str, () if problems else jackpot.meter_problems(SEED))]


def cases() -> Iterator[Any]:
    for game in all_games():
        for wager in (wager for wager in game.wagers if wager.jackpot):
            switches = [switch for switch in game.switches if switch.name in wager.switches]
            stakes = (100, 500) if game.code in ("STC", "DW") else (100,)
            for table_id, readings in itertools.product(
                wager.slots[0].ids, itertools.product(*(switch.readings for switch in switches))
            ):
                chosen = {switch.name: reading for switch, reading in zip(switches, readings, strict=True)}
                name = "-".join((game.code, wager.name, table_id, *readings))
                for stake in stakes:
                    yield pytest.param(game.name, wager.name, table_id, chosen, stake, id=f"{name}-{stake}")


def cents(amount: str) -> int:
    """What a display says, as a player reads it."""
    whole, _, part = amount.removeprefix("$").replace(",", "").partition(".")
    return int(whole) * 100 + int(part or 0)


def row_of(rows: Mapping[str, PrizeView], event: str | None) -> PrizeView | None:
    return None if event is None else rows.get(event)


def one_winner(jackpot: Jackpot, readings: Mapping[str, str], shown: int) -> set[str]:
    """Settle hands of every row at the meter shown; return the rows that were dealt."""
    offer = jackpot.offer_at(TABLE)
    game, wager = jackpot.game_and_wager(offer)
    rows = {row.event: row for row in jackpot_paytable(jackpot, TABLE, shown).rows}
    settler, dealt = Settler(game, jackpot.terms_of(offer)), set()
    stake = jackpot.meter.wager_cents
    for each in telling(game.name, wager.name, tuple(readings.items())):
        (seat,) = each.seats
        finished = each._replace(seats=(seat._replace(wagers={wager.name: stake}),))
        line = settler.settle(finished, {wager.name: shown}).lines[1][wager.name]
        row = row_of(rows, line.event)
        assert line.paid_cents == (0 if row is None else cents(row.amount)), (line, row)
        if row is not None and row.envy:
            other = next_seat(game, finished)
            lines = settler.settle(finished._replace(seats=(*finished.seats, other)), {wager.name: shown}).lines
            assert lines[2][wager.name].envy_cents == cents(row.envy)
        dealt |= set() if row is None else {row.event}
    return dealt


def next_seat(game: Game, finished: FinishedRound) -> FinishedSeat:
    """Another seat with the same wager, and cards that nobody holds."""
    (seat,) = finished.seats
    gone = (*finished.board, *seat.cards)
    left = [card for card in game.deck.cards if card not in gone]
    return FinishedSeat(2, seat.wagers, tuple(left[:: len(left) // len(seat.cards)][: len(seat.cards)]), seat.choices)


def check_calls(jackpot: Jackpot, shown: int) -> None:
    """What is called is what stands there: for one winner, and divided by two where the prize is."""
    offer = jackpot.offer_at(TABLE)
    for row in jackpot_paytable(jackpot, TABLE, shown).rows:
        (won,) = called_prizes(jackpot, TABLE, (Claim(1, row.event),), shown, shown).won
        assert won.cents == cents(row.amount)
        both = called_prizes(jackpot, TABLE, (Claim(1, row.event), Claim(2, row.event)), shown, shown).won
        pay = offer.prize(row.event)
        assert pay is not None
        # Of a Bonus only a percentage is divided: a dollar prize, posted or printed, is paid to each (G-20).
        divided = type(pay.pay) is OfMeter and (jackpot.is_progressive or jackpot.bonus_sharing == "split")
        assert [each.cents for each in both] == [cents(row.amount) // (2 if divided else 1)] * 2
        if row.envy:
            assert envy_cents(jackpot, TABLE, row.event) == cents(row.envy)


@pytest.mark.parametrize(("game_name", "wager_name", "table_id", "readings", "stake"), list(cases()))
def test_item_1_the_jackpot_row_shown_is_what_settle_and_a_call_pay(
    game_name: str, wager_name: str, table_id: str, readings: dict[str, str], stake: int
) -> None:
    game = find_game(game_name)
    wager = game.by_name[wager_name]
    kinds = []
    for kind, sharing in (("progressive", "full"), ("bonus", "full"), ("bonus", "split")):
        more = {"readings": readings, "stake": stake, "sharing": sharing}
        jackpot, problems = built(game, wager, table_id, kind, more)
        if problems:
            continue
        kinds.append(kind)
        for shown in METERS[kind]:
            dealt = one_winner(jackpot, readings, shown)
            check_calls(jackpot, shown)
        never = {row.event for row in game.paytables[table_id].rows if isinstance(row.pay, NotApplicable)}
        posted = {row.event for row in jackpot_paytable(jackpot, TABLE, SEED).rows}
        envy_only = {row.event for row in jackpot.posted_prizes(jackpot.offer_at(TABLE)) if not row.is_paid}
        assert posted - never - envy_only <= dealt, "every row was dealt"
    assert kinds, problems
