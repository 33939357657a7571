"""What a simulated room must come to, by the script's own count: no line of `meters`, `books` or `jackpot` is used.

Money is in units, ten thousand to the cent. Every figure of the journal that `year` compares is worked out here anew.
"""

from __future__ import annotations

from dataclasses import dataclass, field

__all__ = ["CENT", "WAGER", "Call", "Rates", "Tally"]

CENT = 10_000
WAGER = 100 * CENT


@dataclass(frozen=True, slots=True, kw_only=True)
class Rates:
    """The terms of a jackpot as the operator laid them down: units of each wager, cents of seeds and of the cap."""

    display: int
    reserve: int
    seed_cents: int
    reseed_cents: int
    cap_cents: int | None = None
    is_progressive: bool = True


@dataclass(frozen=True, slots=True)
class Call:
    """What a call took from the fund and from the house, and what was put back as the next seed, by its source."""

    fund: int
    house: int
    from_reserve: int = 0
    from_overflow: int = 0
    from_seed: int = 0

    @property
    def reseeded(self) -> int:
        """The next seed."""
        return self.from_reserve + self.from_overflow + self.from_seed


@dataclass(slots=True)
class Tally:
    """One jackpot: what stands on its meter, and everything that came and went."""

    rates: Rates
    shown: int = 0
    reserve: int = 0
    overflow: int = 0
    seed: int = 0
    wagers: int = 0
    reversed: int = 0
    refunded: int = 0
    contributed: int = 0
    taken_back: int = 0
    fund_prizes: int = 0
    house_prizes: int = 0
    restored: int = 0
    reseeded: int = 0
    adjusted: int = 0
    receipts: int = 0
    deposited: int = 0
    withdrawn: int = 0
    hits: int = 0
    rejected: int = 0
    by_day: dict[int, int] = field(default_factory=dict)

    def __post_init__(self) -> None:
        self.shown = self.rates.seed_cents * CENT
        self.seed = self.shown if self.rates.is_progressive else 0

    @property
    def held(self) -> int:
        """What belongs to the players: nothing of a Bonus."""
        return self.shown + self.reserve + self.overflow if self.rates.is_progressive else 0

    @property
    def bank(self) -> int:
        """What the escrow bank holds."""
        return self.deposited - self.withdrawn

    def count(self, wagers: int, day: int) -> None:
        """A press, or wagers that were missed at one."""
        self.wagers += wagers
        self.by_day[day] = self.by_day.get(day, 0) + wagers
        self.contributed += wagers * (self.rates.display + self.rates.reserve)
        self.shown += wagers * self.rates.display
        self.reserve += wagers * self.rates.reserve
        self._cap()

    def _cap(self) -> None:
        if self.rates.cap_cents is not None and self.shown > self.rates.cap_cents * CENT:
            self.overflow += self.shown - self.rates.cap_cents * CENT
            self.shown = self.rates.cap_cents * CENT

    def take_back(self, wagers: int) -> None:
        """Wagers that were counted wrongly; only asked of a jackpot without a cap, in the generation of the count."""
        self.reversed += wagers
        self.taken_back += wagers * (self.rates.display + self.rates.reserve)
        self.shown -= wagers * self.rates.display
        self.reserve -= wagers * self.rates.reserve

    def fixed(self, cents: int) -> Call:
        """A prize in dollars, which the house pays."""
        self.hits += 1
        self.house_prizes += cents * CENT
        return Call(0, cents * CENT)

    def share(self, percent: int) -> Call:
        """A percentage of what is displayed, rounded down to the cent; the whole of it starts the next meter."""
        self.hits += 1
        prize = self.shown // CENT * percent // 100 * CENT
        if not self.rates.is_progressive:
            self.house_prizes += prize
            return Call(0, prize)
        self.fund_prizes += prize
        self.shown -= prize
        if percent < 100:
            return Call(prize, 0)
        wanted = self.rates.reseed_cents * CENT
        from_reserve = min(wanted, self.reserve)
        from_overflow = min(wanted - from_reserve, self.overflow)
        call = Call(prize, 0, from_reserve, from_overflow, wanted - from_reserve - from_overflow)
        self.reserve -= from_reserve
        self.overflow -= from_overflow
        self.seed += call.from_seed
        self.shown += call.reseeded
        self.reseeded += call.reseeded
        return call

    def reject(self, call: Call) -> None:
        """A call that was rejected: all of it goes back where it came from."""
        self.rejected += 1
        self.fund_prizes -= call.fund
        self.house_prizes -= call.house
        self.reseeded -= call.reseeded
        self.shown += call.fund - call.reseeded
        self.reserve += call.from_reserve
        self.overflow += call.from_overflow
        self.seed -= call.from_seed
        self._cap()

    def adjust(self, cents: int) -> None:
        """A gift of the house to the display."""
        self.adjusted += cents * CENT
        self.shown += cents * CENT

    def book_receipts(self) -> int:
        """All of the overflow becomes the house's."""
        gone, self.overflow = self.overflow, 0
        self.receipts += gone
        return gone
