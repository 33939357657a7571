"""A room with two linked tables, played at random: after every step the books are sound, against a plain twin.

The twin keeps cents in a few numbers, by the words of the rulings alone: what the meter would show, what each hit froze,
what was paid. No prize is paid twice, no slip is left out, and what is displayed, payable and paid adds up.
"""

from __future__ import annotations

import shutil
import tempfile
from contextlib import ExitStack
from dataclasses import dataclass, field
from fractions import Fraction
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, settings
from hypothesis import strategies as st
from hypothesis.stateful import (
    Bundle,
    RuleBasedStateMachine,
    invariant,
    multiple,
    precondition,
    rule,
    run_state_machine_as_test,
)

from pitboss.books import LEDGER, RefusedError
from pitboss.commands import By
from tests.books.making import BOOK
from tests.jackpot.hit_making import (
    FLUSH,
    FULL_HOUSE,
    HANDS,
    MANAGER,
    QUADS,
    ROYAL,
    SECOND_ROYAL,
    STRAIGHT_FLUSH,
    Floor,
    floor,
    reopened,
)
from tests.programs import quick_folder

SEED, RESEED = 10_000_00, 5_000_00
FIXED = {QUADS: 200_00, FULL_HOUSE: 100_00, FLUSH: 25_00}
SHARES = {ROYAL: Fraction(1), STRAIGHT_FLUSH: Fraction(1, 10)}
SEATS = (1, 2, 3, 4, 5)


@dataclass
class TwinHit:
    """What a twin knows of a hit: what was won, from the fund and from the house, and what put on the meter again."""

    won: dict[int, int]
    from_fund: int
    reseeded: int
    rows: dict[int, str]
    table: str
    round: int
    base: int
    state: str = "called"
    paid: set[int] = field(default_factory=set)


def prizes(rows: dict[int, str], base: int, shown: Fraction, before: list[str]) -> tuple[dict[int, int], int]:
    """Share by G-4: same row shares, other rows each of the displayed amount; the fund pays what it has.

    `before` are the rows of the round that were paid already: who is found later shares with them (G-37).
    """
    won = {}
    for seat, row in rows.items():
        if row in FIXED:
            won[seat] = FIXED[row]
        else:
            sharing = sum(other == row for other in (*rows.values(), *before))
            won[seat] = int(SHARES[row] * base) // sharing
    of_meter = sum(won[seat] for seat, row in rows.items() if row in SHARES)
    return won, min(of_meter, base, int(shown))


class Room(RuleBasedStateMachine):
    """Tables press, dealers call, people do the next step or a wrong one, the room is closed and opened again."""

    hits = Bundle("hits")

    def __init__(self) -> None:
        super().__init__()
        self.folder = Path(tempfile.mkdtemp(dir=quick_folder(), prefix="pitboss-"))
        self.stack = ExitStack()
        self.at: Floor = self.stack.enter_context(floor(self.folder / "room"))
        self.meter = Fraction(SEED)
        self.wagers = 0
        self.tray = 0
        self.slips = 0
        self.twins: dict[int, TwinHit] = {}
        self.seats: dict[str, set[int]] = {"4": set(), "5": set()}
        self.ids = self.at.ids
        self.rounds = self.at.rounds
        self.press("4", {1, 2, 3, 4})
        self.press("5", {2, 3, 4, 5})

    def teardown(self) -> None:
        self.at.check()
        self.stack.close()
        shutil.rmtree(self.folder)

    @rule(table=st.sampled_from(["4", "5"]), seats=st.sets(st.sampled_from(SEATS), min_size=2))
    def press(self, table: str, seats: set[int]) -> None:
        self.at.press(table, sorted(seats))
        self.meter += Fraction("17.3") * len(seats)
        self.wagers += len(seats)
        self.seats[table] = set(seats)

    def _shares_in_round(self, table: str) -> bool:
        """Whether the round in play has a percentage called that is neither rejected nor paid: then it is corrected."""
        return any(
            (twin.table, twin.round) == (table, self.rounds.get(table))
            and twin.state not in ("rejected", "paid", "closed")
            and not twin.paid
            and set(twin.rows.values()) & set(SHARES)
            for twin in self.twins.values()
        )

    def _paid_in_round(self, table: str) -> list[TwinHit]:
        """The hits of the round in play that took a percentage and are not rejected, the first frozen first (G-37)."""
        return [
            twin
            for twin in self.twins.values()
            if (twin.table, twin.round) == (table, self.rounds.get(table))
            and twin.state != "rejected"
            and set(twin.rows.values()) & set(SHARES)
        ]

    @rule(
        target=hits,
        table=st.sampled_from(["4", "5"]),
        rows=st.lists(st.sampled_from([ROYAL, ROYAL, STRAIGHT_FLUSH, QUADS, FULL_HOUSE]), min_size=1, max_size=2),
        data=st.data(),
    )
    def call(self, table: str, rows: list[str], data: st.DataObject) -> Any:
        free = sorted(self.seats[table])
        if len(free) < len(rows) or (rows.count(ROYAL) < 2 and len(set(rows)) < len(rows)):
            return multiple()
        if set(rows) & set(SHARES) and self._shares_in_round(table):
            with pytest.raises(RefusedError):
                self.at.call(*zip(free, rows, strict=False), table=table)
            return multiple()
        chosen = data.draw(st.permutations(free))[: len(rows)]
        claims = dict(zip(chosen, rows, strict=True))
        hit = self.at.call(*claims.items(), table=table)
        self.seats[table] -= set(chosen)
        paid = self._paid_in_round(table) if set(rows) & set(SHARES) else []
        base = paid[0].base if paid else int(self.meter)
        before = [row for twin in paid for row in twin.rows.values()]
        won, from_fund = prizes(claims, base, Fraction(0) if paid else self.meter, before)
        reseeded = RESEED if ROYAL in rows and not paid else 0
        self.meter += reseeded - from_fund
        self.twins[hit] = TwinHit(won, from_fund, reseeded, claims, table, self.rounds[table], base)
        return hit

    @rule(table=st.sampled_from(["4", "5"]), row=st.sampled_from([FLUSH, FULL_HOUSE]), seat=st.sampled_from(SEATS))
    def small(self, table: str, row: str, seat: int) -> None:
        if seat not in self.seats[table]:
            with pytest.raises(RefusedError):
                self.at.small(seat, row, table=table)
            return
        self.at.small(seat, row, table=table)
        self.seats[table].remove(seat)
        self.tray += FIXED[row]

    def _hands(self, hit: int) -> dict[int, str]:
        hands: dict[int, str] = {}
        for seat, row in self.twins[hit].rows.items():
            hands[seat] = SECOND_ROYAL if HANDS[row] in hands.values() else HANDS[row]
        return hands

    @rule(hit=hits, step=st.sampled_from(["verify", "surveil", "document", "pay", "close", "reject"]), data=st.data())
    def step(self, hit: int, step: str, data: st.DataObject) -> None:
        twin = self.twins[hit]
        large = max(twin.won.values()) > 3_000_00
        ready = {
            "verify": twin.state == "called",
            "surveil": twin.state == "verified",
            "document": twin.state in ("surveilled", "documented") or (twin.state == "verified" and not large),
            "pay": twin.state == "documented",
            "close": twin.state == "paid",
            "reject": twin.state in ("called", "verified", "surveilled", "documented"),
        }[step]
        if twin.paid and step in ("document", "reject"):
            ready = False
        seat = data.draw(st.sampled_from(sorted(twin.won))) if step == "pay" else 0
        if not ready or seat in twin.paid:
            with pytest.raises(RefusedError):
                self._do(hit, step, seat)
            return
        self._do(hit, step, seat)
        self._note(twin, step, seat)

    @rule(hit=hits, steps=st.integers(1, 6), data=st.data())
    def go_on(self, hit: int, steps: int, data: st.DataObject) -> None:
        """Do the next steps of a hit in their order."""
        for _ in range(steps):
            twin = self.twins[hit]
            following = {"called": "verify", "surveilled": "document", "documented": "pay", "paid": "close"}
            following["verified"] = "surveil" if max(twin.won.values()) > 3_000_00 else "document"
            if twin.state in following:
                step = following[twin.state]
                seat = data.draw(st.sampled_from(sorted(set(twin.won) - twin.paid))) if step == "pay" else 0
                self._do(hit, step, seat)
                self._note(twin, step, seat)

    def _do(self, hit: int, step: str, seat: int) -> None:
        if step == "verify":
            self.at.verify(hit, hands=self._hands(hit))
        elif step == "document":
            self.at.document(hit, By("Cas", "accounting"))
        elif step == "pay":
            self.at.pay(hit, seat)
        elif step == "reject":
            self.at.reject(hit, approved_by=MANAGER)
        else:
            getattr(self.at, step)(hit)

    def _note(self, twin: TwinHit, step: str, seat: int) -> None:
        if step == "pay":
            twin.paid.add(seat)
            twin.state = "paid" if twin.paid == set(twin.won) else "documented"
            return
        words = {"verify": "verified", "surveil": "surveilled", "document": "documented", "close": "closed"}
        twin.state = words.get(step, "rejected")
        if step == "document":
            self.slips += len(twin.won)
        if step == "reject":
            self.meter += twin.from_fund - twin.reseeded
            if twin.round == self.rounds[twin.table]:
                # A rejected seat of the round in play may be called anew.
                self.seats[twin.table] |= set(twin.rows)

    @precondition(lambda self: self.twins)
    @rule(sealed=st.booleans())
    def reopen(self, sealed: bool) -> None:
        if sealed:
            self.at.books.seal(BOOK)
        before = self.at.books.state(BOOK)
        self.stack.close()
        self.at = self.stack.enter_context(reopened(self.folder / "room", start=before.recorded))
        self.at.ids, self.at.rounds = self.ids, self.rounds
        assert before == self.at.books.state(BOOK)

    @invariant()
    def the_ledger_agrees_with_the_twin(self) -> None:
        accounts = self.at.books.state(BOOK).of(LEDGER)["main"]
        units = {name: Fraction(balance, 10_000) for name, balance in accounts.balances.items()}
        live = [twin for twin in self.twins.values() if twin.state != "rejected"]
        payable = sum(twin.won[seat] for twin in live for seat in twin.won if seat not in twin.paid)
        paid = sum(twin.won[seat] for twin in live for seat in twin.paid) + self.tray

        assert self.meter == units["displayed"]
        assert payable == units["winners"]
        assert paid == units["paid"]
        assert -100 * self.wagers == units["wagers"]
        # Everything that came in is somewhere.
        came_in = 100 * self.wagers - units["seed"] - units["house"]
        assert came_in == units["displayed"] + units["house-share"] + payable + paid
        assert self.slips == self.at.hits.room.slips
        still = {number for number, twin in self.twins.items() if twin.state not in ("rejected", "closed")}
        assert still == set(self.at.hits.open)

    @invariant()
    def the_books_are_sound(self) -> None:
        self.at.check()


def test_a_room_played_at_random_agrees_with_the_twin_after_every_step() -> None:
    _play(examples=10, steps=25)


@pytest.mark.slow
def test_a_room_played_for_long_agrees_with_the_twin_after_every_step() -> None:
    _play(examples=80, steps=50)


def _play(examples: int, steps: int) -> None:
    run_state_machine_as_test(
        Room,
        settings=settings(
            max_examples=examples,
            stateful_step_count=steps,
            deadline=None,
            derandomize=True,
            suppress_health_check=list(HealthCheck),
        ),
    )
