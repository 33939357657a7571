"""`settle(record)`: a round record (ROUND_FORMAT.md) settled naively, to be compared with the product's own."""

from __future__ import annotations

from fractions import Fraction
from typing import TYPE_CHECKING, Any

from .checks import read_round
from .games_main import MAIN
from .games_side import EVENTS
from .tables import Row, best_row, fixed_prize, to_one

if TYPE_CHECKING:
    from .rounds import Round, Seat

Entry = dict[str, Any]


def settle(record: Any) -> dict[str, Any]:
    """ROUND_FORMAT.md's Out without `because`, or `{"error": [...]}` with every problem found."""
    round_, problems = read_round(record)
    if round_ is None:
        assert problems
        return {"error": problems}
    lines: dict[int, dict[str, Entry]] = {seat.number: {} for seat in round_.seats}
    for seat in round_.seats:
        for wager, stake in seat.wagers.items():
            if wager not in round_.spec.jackpots:
                lines[seat.number][wager] = settle_at_odds(round_, seat, wager, stake)
    jackpots: dict[str, dict[str, int]] = {}
    for wager in round_.spec.jackpots:
        entries, hit = settle_jackpot(round_, wager)
        for number, entry in entries.items():
            lines[number][wager] = entry
        if hit is not None:
            jackpots[wager] = hit
    seats = []
    for seat in round_.seats:
        wagers = {wager: lines[seat.number][wager] for wager in seat.wagers}
        for entry in wagers.values():
            entry["net_cents"] = entry["paid_cents"] - entry["staked_cents"]
        net = sum(entry["net_cents"] for entry in wagers.values())
        seats.append({"seat": seat.number, "wagers": wagers, "net_cents": net})
    out: dict[str, Any] = {"seats": seats}
    if jackpots:
        out["jackpots"] = jackpots
    return out


def settle_at_odds(round_: Round, seat: Seat, wager: str, stake: int) -> Entry:
    """A main wager, or a bonus wager at odds "to 1"."""
    if wager in MAIN:
        staked, paid, event = MAIN[wager](round_, seat)
        return {"staked_cents": staked, "paid_cents": paid, "event": event}
    slot = None
    if wager == "pair-bonus":  # TCP-8: the fourth card picks the column
        slot = "PB/LD" if seat.cards[3][0] == 2 else "PB"
    table = round_.table(wager, slot)
    row = best_row(table, EVENTS[round_.game, wager](round_, seat, table))
    paid = to_one(row.cell, stake) if row else 0
    return {"staked_cents": stake, "paid_cents": paid, "event": row.event if row else None}


def jackpot_row(round_: Round, seat: Seat, wager: str) -> Row | None:
    table = round_.table(wager)
    return best_row(table, EVENTS[round_.game, wager](round_, seat, table))


def settle_jackpot(round_: Round, wager: str) -> tuple[dict[int, Entry], dict[str, int] | None]:
    """One jackpot for all seats: fixed prizes, shares of percentage prizes (G-4), Envy (FCP-5)."""
    players = [seat for seat in round_.seats if wager in seat.wagers]
    rows = {seat.number: jackpot_row(round_, seat, wager) for seat in players}
    shared = not (round_.jackpot_type == "bonus" and round_.bonus_sharing == "full")
    entries: dict[int, Entry] = {}
    total, odd, hit = 0, 0, False
    odd_counted: set[str] = set()
    for seat in players:
        row = rows[seat.number]
        paid = 0
        if row is not None and row.cell.kind == "percent":
            hit = True
            level = int(row.cell.value * Fraction(round_.meters[wager], 100))  # whole cents, rounded down
            winners = sum(other is row or other == row for other in rows.values()) if shared else 1
            paid = level // winners
            total += paid
            if row.event not in odd_counted:
                odd_counted.add(row.event)
                odd += level - paid * winners
        elif row is not None:
            paid = fixed_prize(row.cell, round_.jackpot_wager_cents[wager], round_.game == "super-three-card")
        stake = seat.wagers[wager]
        entries[seat.number] = {"staked_cents": stake, "paid_cents": paid, "event": row.event if row else None}
    if wager == "four-card-jackpot":
        add_envy(round_, entries)
    if not hit:
        return entries, None
    from_fund = min(total, round_.meters[wager]) if round_.jackpot_type == "progressive" else 0
    return entries, {"from_fund_cents": from_fund, "from_house_cents": total - from_fund, "odd_cents": odd}


def add_envy(round_: Round, entries: dict[int, Entry]) -> None:
    """Every seat with the wager gets one Envy prize for each *other* seat's event (FCP-5)."""
    if not entries:
        return
    for number, entry in entries.items():
        envy = 0
        for other in round_.seats:
            triggers = round_.readings["envy_trigger"] == "any_hand" or "four-card-jackpot" in other.wagers
            if other.number == number or not triggers:
                continue
            row = jackpot_row(round_, other, "four-card-jackpot")
            if row is not None:
                envy += fixed_prize(row.envy, 100, scaled=False)
        if envy:
            entry["envy_cents"] = envy
            entry["paid_cents"] += envy
