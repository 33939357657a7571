"""The judge's own meters: naive sums in fractions of a cent, by the words of the rulings alone."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from fractions import Fraction
from typing import Any, NamedTuple

from tests.faults.layout import JackpotOfFloor

WAGER = 100
WEEK, HOUR = 7 * 24 * 3600 * 1_000_000, 3600 * 1_000_000
Find = Callable[[Any, str], None]


class Prize(NamedTuple):
    """Prizes that were called: what came from the fund, what was put on the meter again, and by whom."""

    recorded: int
    won: dict[int, int]
    fund: Fraction
    reseed: dict[str, Fraction]
    paid: set[int]
    counts: bool
    place: tuple[str, int]
    percentages: list[str]
    base: int


class Play(NamedTuple):
    """A round at a table: its seats, and what the meter had before it was counted."""

    round: int
    seats: set[int]
    before: Fraction


@dataclass(slots=True)
class Meter:
    """A jackpot's money, as the judge adds it up."""

    jackpot: JackpotOfFloor
    play: str = "closed"
    played_until: int = 0
    displayed: Fraction = Fraction(0)
    reserve: Fraction = Fraction(0)
    overflow: Fraction = Fraction(0)
    owed: Fraction = Fraction(0)
    paid: Fraction = Fraction(0)
    house: Fraction = Fraction(0)
    seed: Fraction = Fraction(0)
    bank: Fraction = Fraction(0)
    transit: dict[int, tuple[int, Fraction]] = field(default_factory=dict)
    prizes: dict[int, Prize] = field(default_factory=dict)
    small: dict[int, Any] = field(default_factory=dict)
    rounds: dict[str, list[Play]] = field(default_factory=dict)
    counted_under: dict[int, Fraction] = field(default_factory=dict)
    accrued: list[tuple[int, Fraction]] = field(default_factory=list)

    @property
    def is_open(self) -> bool:
        """Whether it is played."""
        return self.play == "open"

    @property
    def shown(self) -> int:
        """The whole cents that a display shows."""
        return int(self.displayed)

    def accounts(self) -> dict[str, Fraction]:
        """Return what must stand on the accounts of the room."""
        return {
            "displayed": self.displayed, "reserve": self.reserve, "overflow": self.overflow, "winners": self.owed,
            "paid": self.paid, "escrow-bank": self.bank,
        }  # fmt: skip

    def see(self, kind: str, row: Any, find: Find) -> None:
        """Take an entry that moves money."""
        held = self.displayed + self.reserve + self.overflow
        do = getattr(self, f"_{kind.replace('-', '_')}", None)
        if do is None:
            find(row, "is no movement that the judge knows")
            return
        wanted = self._accounts_before()
        do(row, find)
        wrong = {
            account: (float(moved), float(self._now(account) - wanted[account]))
            for account, moved in _moved(row).items()
            if account in wanted and moved != self._now(account) - wanted[account]
        }
        missing = [
            account for account in wanted if self._now(account) != wanted[account] and account not in _moved(row)
        ]
        if wrong or missing:
            find(row, f"moves (is, should be) {wrong}, and does not move {missing}")
        grown = self.displayed + self.reserve + self.overflow - held
        if grown > 0:
            self.accrued.append((row.recorded, grown))

    def _accounts_before(self) -> dict[str, Fraction]:
        return {name: self._now(name) for name in ("displayed", "reserve", "overflow", "winners", "paid")}

    def _now(self, account: str) -> Fraction:
        return self.accounts()[account]

    def _grow(self, amount: Fraction) -> None:
        """Put an amount on the display, up to its cap; the rest waits in the overflow."""
        room = amount if self.jackpot.cap is None else max(Fraction(0), self.jackpot.cap - self.displayed)
        self.displayed += min(amount, room)
        self.overflow += amount - min(amount, room)

    def _jackpot_opened(self, row: Any, find: Find) -> None:
        self.displayed += self.jackpot.seed
        self.seed += self.jackpot.seed

    def _wagers_counted(self, row: Any, find: Find) -> None:
        details = row.payload["details"]
        seats = details["seats"]
        if details.get("missed"):
            self._missed(row, find)
        else:
            plays = self.rounds.setdefault(row.table, [])
            # A press of no wagers was seen before.
            if not plays or plays[-1].round != details["round"]:
                plays.append(Play(details["round"], set(seats), self.displayed))
        self._grow(len(seats) * WAGER * self.jackpot.display)
        self.reserve += len(seats) * WAGER * self.jackpot.reserve

    def see_uncounted(self, row: Any) -> None:
        """Take a press that counts no wager of this jackpot: it ends the round before all the same (G-4)."""
        self.rounds.setdefault(row.table, []).append(Play(row.payload["round"], set(), self.displayed))

    def _missed(self, row: Any, find: Find) -> None:
        details = row.payload["details"]
        play = next((play for play in self.rounds.get(row.table, ()) if play.round == details["round"]), None)
        if play is None or play.seats & set(details["seats"]):
            find(row, f"adds seats {details['seats']} to a round that has {play}")
        else:
            play.seats.update(details["seats"])

    def _wagers_refunded(self, row: Any, find: Find) -> None:
        details = row.payload["details"]
        play = next((play for play in self.rounds.get(row.table, ()) if play.round == details["round"]), None)
        if play is None or play.seats != set(details["seats"]):
            find(row, f"refunds seats {details['seats']} of a round that has {play}")
        else:
            play.seats.clear()

    def _count_corrected(self, row: Any, find: Find) -> None:
        """At most what the wagers have added goes, and only from what is there."""
        details, moved = row.payload["details"], _moved(row)
        wagers = sum(count for _, count in details["seat_counts"])
        play = next((play for play in self.rounds.get(row.table, ()) if play.round == details["round"]), None)
        for seat, _ in details["seat_counts"]:
            if play is None or seat not in play.seats:
                find(row, f"takes seat {seat} out of a round that has {play}")
            else:
                play.seats.discard(seat)
        down = {"displayed": self.jackpot.display, "reserve": self.jackpot.reserve, "overflow": self.jackpot.display}
        for account, rate in down.items():
            if not -wagers * WAGER * rate <= moved.get(account, 0) <= 0:
                find(row, f"{wagers} wagers move {account} by {float(moved[account])} cents")
        whole = -moved.get("displayed", 0) - moved.get("overflow", 0)
        if whole > wagers * WAGER * self.jackpot.display:
            find(row, f"{wagers} wagers take {float(whole)} cents")
        self._apply(moved)

    def _apply(self, moved: dict[str, Fraction]) -> None:
        self.displayed += moved.get("displayed", 0)
        self.reserve += moved.get("reserve", 0)
        self.overflow += moved.get("overflow", 0)

    def _base(self, row: Any, details: dict[str, Any]) -> int:
        """Return the cents that percentages are of: the meter now, or as it stood at the press after the round."""
        plays = self.rounds.get(row.table, [])
        later = [play for play in plays if play.round > details["round"]]
        return int(later[0].before) if later else self.shown

    def _prize_called(self, row: Any, find: Find) -> None:
        details = row.payload["details"]
        won = {seat: cents for seat, _, cents in details["won"]}
        rows = {seat: name for seat, name, _ in details["won"]}
        play = next((play for play in self.rounds.get(row.table, ()) if play.round == details["round"]), None)
        place = (row.table, details["round"])
        percentages = [name for name in rows.values() if isinstance(self.jackpot.rows[name], Fraction)]
        before = [prize for prize in self.prizes.values() if prize.place == place and prize.percentages]
        # Found after another was paid: a share of what was frozen first, and the house pays it (G-37).
        is_second = bool(before and percentages)
        if is_second and not all(prize.paid for prize in before):
            find(row, "is a second report of a percentage of one round, whose first is not paid")
        base, of_meter = before[0].base if is_second else self._base(row, details), 0
        together = [*rows.values(), *(name for prize in before for name in prize.percentages)]
        is_late = play is not None and play is not self.rounds[row.table][-1]
        if details["step"] == "call" and play is not None and details["late"] != is_late:
            find(row, f"says late: {details['late']}, of round {details['round']}")
        for seat, name in rows.items():
            if play is None or seat not in play.seats:
                find(row, f"seat {seat} has no wager in round {details['round']}")
            pay = self.jackpot.rows[name]
            cents = int(pay * base) // together.count(name) if isinstance(pay, Fraction) else pay
            of_meter += cents if isinstance(pay, Fraction) and not is_second else 0
            if won[seat] != cents:
                find(row, f"seat {seat} wins {won[seat]} cents for {name}, which should be {cents}")
        fund = Fraction(min(of_meter, self.shown))
        self.displayed -= fund
        self.owed += sum(won.values())
        self.house += sum(won.values()) - fund
        is_top = not is_second and any(self.jackpot.rows[name] == Fraction(1) for name in rows.values())
        self.prizes[row.sequence] = Prize(
            row.recorded, won, fund, self._reseed() if is_top else {}, set(), counts=details["step"] == "call",
            place=place, percentages=percentages, base=base,
        )  # fmt: skip
        if details["step"] == "tray":
            self.small[row.sequence] = row

    def _reseed(self) -> dict[str, Fraction]:
        """The reserve goes on the display first, then what is above the cap, then the house's money."""
        room = None if self.jackpot.cap is None else self.jackpot.cap - self.displayed
        needed = Fraction(self.jackpot.reseed) if room is None else min(Fraction(self.jackpot.reseed), room)
        given = {"reserve": min(needed, self.reserve)}
        given["overflow"] = min(needed - given["reserve"], self.overflow)
        given["seed"] = needed - given["reserve"] - given["overflow"]
        self.reserve -= given["reserve"]
        self.overflow -= given["overflow"]
        self.seed += given["seed"]
        self.displayed += needed
        return given

    def _prize_rejected(self, row: Any, find: Find) -> None:
        """What was frozen comes back, and the seed goes back to those who gave it, as far as there is money."""
        prize = self.prizes.pop(row.payload["details"]["hit"], None)
        if prize is None or prize.paid:
            find(row, f"rejects {row.payload['details']['hit']}, which does not stand")
            return
        self.owed -= sum(prize.won.values())
        self.house -= sum(prize.won.values()) - prize.fund
        total = self.displayed + prize.fund
        for source in ("reserve", "overflow", "seed"):
            owed = prize.reseed.get(source, Fraction(0))
            back = min(min(owed, self.seed) if source == "seed" else owed, total)
            total -= back
            setattr(self, source, getattr(self, source) + (-back if source == "seed" else back))
        above = Fraction(0) if self.jackpot.cap is None else max(Fraction(0), total - self.jackpot.cap)
        self.displayed = total - above
        self.overflow += above

    def _prize_paid(self, row: Any, find: Find) -> None:
        details = row.payload["details"]
        if "hit" in details:
            prize, seats = self.prizes.get(details["hit"]), [details["handed"][0]]
        else:
            number = max((number for number in self.prizes if number < row.sequence), default=0)
            prize, seats = self.prizes.get(number), [seat for seat, _, _ in details["won"]]
        if prize is None:
            find(row, "pays a prize that does not stand")
            return
        for seat in seats:
            if seat in prize.paid or seat not in prize.won:
                find(row, f"pays seat {seat}, which is paid or has won nothing")
            prize.paid.add(seat)
            self.owed -= prize.won.get(seat, 0)
            self.paid += prize.won.get(seat, 0)

    def _prize_reversed(self, row: Any, find: Find) -> None:
        number = row.payload["details"]["prize"]
        prize = self.prizes.pop(number, None)
        self.small.pop(number, None)
        if prize is not None:
            self.paid -= sum(prize.won.values())
            self.house -= sum(prize.won.values())

    def _meter_adjusted(self, row: Any, find: Find) -> None:
        moved = _moved(row)
        if any(amount < 0 for account, amount in moved.items() if account in ("displayed", "reserve", "overflow")):
            find(row, "lowers the meter, which nobody on this floor asks for")
        self._apply(moved)

    def _receipts_booked(self, row: Any, find: Find) -> None:
        self._apply(_moved(row))

    def _escrow_sent(self, row: Any, find: Find) -> None:
        self.transit[row.sequence] = (row.recorded, _moved(row)["escrow-transit"])

    def _escrow_arrived(self, row: Any, find: Find) -> None:
        _, amount = self.transit.pop(row.payload["details"]["sent"], (0, Fraction(0)))
        if amount != _moved(row)["escrow-bank"]:
            find(row, f"{float(amount)} was sent")
        self.bank += amount

    def _escrow_withdrawn(self, row: Any, find: Find) -> None:
        self.bank += _moved(row)["escrow-bank"]
        if self.bank < self.held:
            find(row, "leaves less at the bank than is held for players and owed to winners")

    @property
    def held(self) -> Fraction:
        """What must be at the bank: what is on the meter, and what the fund owes to winners."""
        owed = Fraction(0)
        for prize in self.prizes.values():
            unpaid = sum(cents for seat, cents in prize.won.items() if seat not in prize.paid)
            owed += min(prize.fund, Fraction(unpaid)) if prize.counts else 0
        return self.displayed + self.reserve + self.overflow + owed

    def short(self, now: int) -> Fraction:
        """Return what is not at the bank though it came more than a week, and an hour, ago."""
        fresh = sum((amount for since, amount in self.transit.values() if now - since <= WEEK), Fraction(0))
        missing = self.displayed + self.reserve + self.overflow - self.bank - fresh
        recent = sum((amount for at, amount in self.accrued if now - at <= WEEK + HOUR), Fraction(0))
        return missing - recent


def _moved(row: Any) -> dict[str, Fraction]:
    """Return by account what the transfers of an entry come to, in cents."""
    moved: dict[str, Fraction] = {}
    for payer, payee, units, *_ in row.payload.get("transfers", ()):
        moved[payer] = moved.get(payer, Fraction(0)) - Fraction(units, 10_000)
        moved[payee] = moved.get(payee, Fraction(0)) + Fraction(units, 10_000)
    return moved
