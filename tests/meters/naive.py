"""A second meter, written apart from the first: a purse of fractions of a dollar, one wager and one step at a time."""

from __future__ import annotations

from collections import defaultdict
from fractions import Fraction

CENT = Fraction(1, 100)


class RefusedByTwinError(Exception):
    """The twin refuses, too."""


def need(holds: bool) -> None:
    if not holds:
        raise RefusedByTwinError


class NaiveMeter:
    """Funds in dollars by name; every other purse may go below zero and only has to balance."""

    def __init__(
        self,
        *,
        bonus: bool,
        wager: Fraction,
        seed: Fraction,
        reseed: Fraction,
        rates: tuple[Fraction, Fraction],
        cap: Fraction | None,
    ) -> None:
        need(cap is None or seed <= cap)
        self.bonus, self.wager, self.reseed, self.rates, self.cap = bonus, wager, reseed, rates, cap
        self.purse: dict[str, Fraction] = defaultdict(Fraction)
        self.generation = 1
        self.counted = self.reversed = self.hits = self.rejected = 0
        self.won = self.won_rejected = Fraction(0)
        self.calls: list[dict[str, Fraction]] = []
        self.pay("posting" if bonus else "seed", "displayed", seed)

    def pay(self, payer: str, payee: str, amount: Fraction) -> None:
        self.purse[payer] -= amount
        self.purse[payee] += amount

    @property
    def shown(self) -> Fraction:
        return self.purse["displayed"] // CENT * CENT

    def contribute(self, wagers: int) -> None:
        need(wagers >= 0)
        for _ in range(wagers):
            self.counted += 1
            grown, kept = self.wager * self.rates[0], self.wager * self.rates[1]
            self.pay("wagers", "house-share", self.wager - grown - kept)
            self.pay("wagers", "reserve", kept)
            self.pay("wagers", "displayed", grown)
            if self.cap is not None and self.purse["displayed"] > self.cap:
                self.pay("displayed", "overflow", self.purse["displayed"] - self.cap)

    def refund(self, wagers: int) -> None:
        need(1 <= wagers <= self.counted - self.reversed)
        self.pay("house", "players", wagers * self.wager)

    def hit(self, fund: Fraction, house: Fraction, top: bool) -> None:
        need(fund <= (0 if self.bonus else self.shown))
        call: dict[str, Fraction] = defaultdict(Fraction, fund=fund, house=house)
        self.pay("displayed", "winners", fund)
        self.pay("house", "winners", house)
        self.hits += 1
        self.won += fund + house
        if top:
            self.generation += 1
            if not self.bonus:
                goal = self.purse["displayed"] + self.reseed
                goal = goal if self.cap is None else min(goal, self.cap)
                for giver in ("reserve", "overflow", "seed"):
                    lacking = goal - self.purse["displayed"]
                    call[giver] = lacking if giver == "seed" else min(lacking, self.purse[giver])
                    self.pay(giver, "displayed", call[giver])
        self.calls.append(call)

    def reject(self, index: int) -> None:
        call = self.calls[index]
        self.rejected += 1
        self.won_rejected += call["fund"] + call["house"]
        self.pay("winners", "displayed", call["fund"])
        self.pay("winners", "house", call["house"])
        for giver in ("reserve", "overflow", "seed"):
            back = min(call[giver], self.purse["displayed"])
            if giver == "seed":
                back = min(back, -self.purse["seed"])
            self.pay("displayed", giver, back)
        if self.cap is not None and self.purse["displayed"] > self.cap:
            self.pay("displayed", "overflow", self.purse["displayed"] - self.cap)

    def raise_fund(self, fund: str, source: str, amount: Fraction) -> None:
        need(not self.bonus and amount > 0 and source != fund)
        if source in ("reserve", "overflow"):
            need(self.purse[source] >= amount)
        if fund == "displayed" and self.cap is not None:
            need(self.purse["displayed"] + amount <= self.cap)
        self.pay(source, fund, amount)

    def lower_fund(self, fund: str, reason: str, amount: Fraction) -> None:
        need(not self.bonus and 0 < amount <= self.purse[fund])
        match reason, fund:
            case "equipment-malfunction", _:
                self.pay(fund, "house", amount)
            case "booked-as-receipts", "reserve" | "overflow":
                self.pay(fund, "receipts", amount)
            case "seed-recovered", _:
                need(amount <= -self.purse["seed"])
                self.pay(fund, "seed", amount)
            case _:
                # A prize is a hit, and a display is never above its cap for longer than a step.
                raise RefusedByTwinError

    def seed_other(self, fund: str, amount: Fraction) -> None:
        need(not self.bonus and fund != "displayed" and 0 < amount <= self.purse[fund])
        self.pay(fund, "other-meters", amount)

    def correct(self, wagers: int, generation: int) -> None:
        need(1 <= wagers <= self.counted - self.reversed and generation <= self.generation)
        self.reversed += wagers
        grown, kept = wagers * self.wager * self.rates[0], wagers * self.wager * self.rates[1]
        self.pay("house-share", "wagers", wagers * self.wager - grown - kept)
        at_cap = self.purse["displayed"] == self.cap
        if generation == self.generation:
            for fund in ("overflow", "displayed") if at_cap else ("displayed", "overflow"):
                taken = min(grown, self.purse[fund])
                self.pay(fund, "wagers", taken)
                grown -= taken
        self.pay("house", "wagers", grown)
        from_reserve = min(kept, self.purse["reserve"])
        self.pay("reserve", "wagers", from_reserve)
        self.pay("house", "wagers", kept - from_reserve)

    def set_cap(self, cap: Fraction | None) -> None:
        need(cap is None or (not self.bonus and cap > 0 and cap >= self.shown and cap >= self.reseed))
        self.cap = cap
        if cap is not None and self.purse["displayed"] > cap:
            self.pay("displayed", "overflow", self.purse["displayed"] - cap)

    def post(self, amount: Fraction) -> None:
        need(self.bonus)
        self.pay("posting", "displayed", amount - self.purse["displayed"])
