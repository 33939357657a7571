"""A table played at random: presses, slips of the hand, corrections, voids, lost lines, equipment down.

After every step the books are compared with a plain twin that keeps a few numbers by the words of the rules alone: which
round is on the table, who was counted where, and what a progressive must show: its seed and 17.3 cents for every wager
counted and not taken back. At the end everything is audited from the journal.
"""

from __future__ import annotations

import re
import shutil
import tempfile
from contextlib import ExitStack
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, settings
from hypothesis import strategies as st
from hypothesis.stateful import (
    RuleBasedStateMachine,
    initialize,
    invariant,
    precondition,
    rule,
    run_state_machine_as_test,
)

from pitboss.books import LEDGER, RefusedError
from tests.books.making import BOOK, Room, make_room
from tests.programs import quick_folder
from tests.tabulator.making import (
    APPROVER,
    DEALER,
    DEVICE,
    FINAL_FOUR,
    PRIME,
    SECOND,
    SUPERVISOR,
    TWO,
    floor,
    make_setup,
)

CITED = re.compile(r"\((?:[A-Z]+-\d+(?:, )?)+\)$")
ONE = 173_000
DOLLAR = 1_000_000
seats = st.frozensets(st.integers(1, 7))
gaps = st.sampled_from([0.0, 0.4, 0.999, 1.0, 3.0, 40.0])


@dataclass
class TwinRound:
    """A round as a dealer would remember it: the seats in force by wager, and those that are out of it."""

    counted: dict[str, set[int]]
    out: dict[str, set[int]] = field(default_factory=lambda: {FINAL_FOUR: set(), PRIME: set()})
    void: bool = False


@dataclass
class Twin:
    """What must stand there, in a few numbers."""

    phase: str = "open"
    pressed: int | None = None
    rounds: dict[int, TwinRound] = field(default_factory=dict)
    counted: int = 0
    reversed: int = 0
    refunded: int = 0
    prime: int = 0
    entered: int | None = None
    """Rounds entered by hand while equipment is down; nothing where it is not."""
    on_table: int = 0
    down_since: int = 0
    device_phase: str = "open"

    def press(self, at: int, jackpot: frozenset[int], prime: frozenset[int]) -> str:
        if self.pressed is not None and 0 <= at - self.pressed < SECOND:
            return "ignored"
        self.pressed = at
        if self.phase == "tabulated":
            self.phase = "open"
            return "released"
        self.phase = "tabulated"
        self.on_table = self.count(jackpot, prime)
        return "counted"

    def press_from_before(self, at: int, jackpot: frozenset[int], prime: frozenset[int]) -> str:
        """A press from before the equipment went down goes on where the equipment stood."""
        if self.pressed is not None and 0 <= at - self.pressed < SECOND:
            return "ignored"
        self.pressed = at
        if self.device_phase == "tabulated":
            self.device_phase = "open"
            return "released"
        self.device_phase = "tabulated"
        self.count(jackpot, prime)
        return "counted"

    def count(self, jackpot: frozenset[int], prime: frozenset[int]) -> int:
        self.rounds[len(self.rounds) + 1] = TwinRound({FINAL_FOUR: set(jackpot), PRIME: set(prime)})
        self.counted += len(jackpot)
        self.prime += len(prime)
        return len(self.rounds)


_TEMPLATE: list[Room] = []


def template() -> Room:
    if not _TEMPLATE:
        _TEMPLATE.append(make_room(Path(tempfile.mkdtemp(dir=quick_folder(), prefix="pitboss-")) / "room"))
    return _TEMPLATE[0]


class Machine(RuleBasedStateMachine):
    """The table, and its twin."""

    def __init__(self) -> None:
        super().__init__()
        self.stack = ExitStack()
        folder = self.stack.enter_context(tempfile.TemporaryDirectory(dir=quick_folder(), prefix="pitboss-"))
        room = Room(shutil.copytree(template().path, Path(folder) / "room"), "sqlite")
        self.at = self.stack.enter_context(floor(room, make_setup(wagers=(FINAL_FOUR, PRIME))))
        self.twin = Twin()
        self.sent: list[dict[str, Any]] = []
        self.waiting: list[tuple[dict[str, Any], frozenset[int], frozenset[int]]] = []

    @initialize()
    def begin(self) -> None:
        self.seed = self.at.shown()

    def teardown(self) -> None:
        try:
            if hasattr(self, "seed"):
                assert self.at.is_sound()
        finally:
            self.stack.close()

    def refused(self, act: Any) -> bool:
        """Whether something was refused; then nothing has changed."""
        before = self.at.books.state(BOOK)
        try:
            act()
        except RefusedError as error:
            problems = error.problems
        else:
            return False
        assert [] == [each for each in problems if not CITED.search(each)]
        assert self.at.books.state(BOOK) is before
        return True

    # The device.

    def _message(self, jackpot: frozenset[int], prime: frozenset[int], gap: float) -> dict[str, Any]:
        places = [[seat, 1] for seat in sorted(jackpot)] + [[seat, 2] for seat in sorted(prime)]
        return self.at.message(sensors=places, after=gap)

    def _deliver(self, message: dict[str, Any], jackpot: frozenset[int], prime: frozenset[int]) -> None:
        reply = self.at.send({**message, "sent": self.at.clock.now})
        if self.twin.entered is None:
            assert reply["status"] == self.twin.press(message["at"], jackpot, prime)
        elif message["at"] < self.twin.down_since:
            assert reply["status"] == self.twin.press_from_before(message["at"], jackpot, prime)
        else:
            assert reply["status"] == "refused"
        assert reply["acknowledged"] == message["sequence"]
        self.sent.append(message)

    @precondition(lambda self: not self.waiting)
    @rule(jackpot=seats, prime=seats, gap=gaps)
    def press(self, jackpot: frozenset[int], prime: frozenset[int], gap: float) -> None:
        self._deliver(self._message(jackpot, prime, gap), jackpot, prime)

    @precondition(lambda self: self.twin.entered is None)
    @rule(jackpot=seats, gap=gaps)
    def press_while_the_line_is_cut(self, jackpot: frozenset[int], gap: float) -> None:
        self.waiting.append((self._message(jackpot, frozenset(), gap), jackpot, frozenset()))

    @precondition(lambda self: self.waiting)
    @rule(order=st.randoms(use_true_random=False))
    def the_line_is_back_and_messages_come_in_any_order(self, order: Any) -> None:
        early = list(self.waiting)
        order.shuffle(early)
        first = self.waiting[0][0]["sequence"]
        for message, _, _ in early:
            if message["sequence"] != first:
                reply = self.at.send({**message, "sent": self.at.clock.now})
                assert (reply["status"], reply["acknowledged"]) == ("waiting", first - 1)
        for message, jackpot, prime in self.waiting:
            self._deliver(message, jackpot, prime)
        self.waiting = []

    @precondition(lambda self: self.sent)
    @rule(data=st.data())
    def a_message_comes_again(self, data: st.DataObject) -> None:
        message = data.draw(st.sampled_from(self.sent))
        before = self.at.books.state(BOOK)
        reply = self.at.send({**message, "sent": self.at.clock.now})
        assert reply["again"]
        assert self.at.books.state(BOOK) is before

    # Corrections and voids.

    @precondition(lambda self: self.twin.rounds)
    @rule(data=st.data(), cause=st.sampled_from(["missed", "miscounted", "refunded"]), who=st.booleans())
    def correct(self, data: st.DataObject, cause: Any, who: bool) -> None:
        last = len(self.twin.rounds)
        number = data.draw(st.integers(max(1, last - 3), last))
        wager = data.draw(st.sampled_from([FINAL_FOUR, PRIME]))
        seat = data.draw(st.integers(1, 7))
        said: dict[str, Any] = {"by": DEALER} if who else TWO
        kept = self.twin.rounds[number]
        on_table = self.twin.phase == "tabulated" and number == self.twin.on_table
        fits = seat not in kept.counted[wager] | kept.out[wager] if cause == "missed" else seat in kept.counted[wager]
        allowed = (on_table or not who) and not kept.void and fits and not (cause == "refunded" and wager == PRIME)
        # The jackpots keep two rounds: what was missed longer ago is counted, what is refunded must be one of them.
        if cause == "refunded" and number < last - 1:
            allowed = False
        refused = self.refused(
            lambda: self.at.tables.correct(
                "4", number, wager, cause, [seat], words="seen on video", command=self.at.id(), **said
            )
        )
        assert refused == (not allowed)
        if allowed:
            self._corrected(kept, wager, cause, seat)

    def _corrected(self, kept: TwinRound, wager: str, cause: str, seat: int) -> None:
        if cause == "missed":
            kept.counted[wager].add(seat)
            self.twin.counted += wager == FINAL_FOUR
            self.twin.prime += wager == PRIME
            return
        kept.counted[wager].discard(seat)
        kept.out[wager].add(seat)
        if cause == "refunded":
            self.twin.refunded += 1
        elif wager == FINAL_FOUR:
            self.twin.reversed += 1
        else:
            self.twin.prime -= 1

    @precondition(lambda self: self.twin.rounds)
    @rule(data=st.data(), alone=st.booleans())
    def void(self, data: st.DataObject, alone: bool) -> None:
        last = len(self.twin.rounds)
        number = data.draw(st.integers(max(1, last - 2), last))
        kept = self.twin.rounds[number]
        said: dict[str, Any] = {"by": SUPERVISOR, "approved_by": SUPERVISOR.name if alone else APPROVER}
        refunds = kept.counted[FINAL_FOUR]
        allowed = not alone and not kept.void and (not refunds or number >= last - 1)
        refused = self.refused(
            lambda: self.at.tables.void("4", number, "misdeal", words="misdeal", command=self.at.id(), **said)
        )
        assert refused == (not allowed)
        if allowed:
            kept.void = True
            self.twin.refunded += len(refunds)

    # Equipment that is down.

    @precondition(lambda self: self.twin.entered is None)
    @rule(by_line=st.booleans())
    def down(self, by_line: bool) -> None:
        self.at.clock.add(1)
        said: dict[str, Any] = {"command": self.at.id(), "by": SUPERVISOR, "words": "dark"}
        if by_line:
            if not self.at.tables.room.devices[DEVICE].lost:
                self.at.tables.lose_link(DEVICE, words="switch", command=self.at.id())
            self.at.tables.go_by_hand("4", **said)
        else:
            self.at.tables.down("4", **said)
        self.twin.device_phase, self.twin.down_since = self.twin.phase, self.at.clock.now
        self.twin.entered, self.twin.phase = 0, "open"

    @precondition(lambda self: self.twin.entered is not None)
    @rule(jackpot=seats, gap=gaps)
    def press_by_hand(self, jackpot: frozenset[int], gap: float) -> None:
        named = {FINAL_FOUR: sorted(jackpot)}
        (kind, *_) = [entry.kind for entry in self.at.enter(named, after=gap).entries]
        status = self.twin.press(self.at.clock.now, jackpot, frozenset())
        assert kind == {"ignored": "press-ignored", "released": "round-released", "counted": "round-tabulated"}[status]
        assert self.twin.entered is not None
        self.twin.entered += status == "counted"

    @precondition(lambda self: self.twin.entered is not None and not self.waiting)
    @rule(played=st.integers(0, 2))
    def restore(self, played: int) -> None:
        assert self.twin.entered is not None
        rounds = self.twin.entered + played

        def act() -> None:
            self.at.tables.restore("4", rounds, words="mended", command=self.at.id(), **TWO)

        if self.refused(act):
            assert self.twin.phase == "tabulated"
            return
        assert self.twin.phase == "open"
        self.twin.entered = None
        if played:
            self.at.tables.clear_alarm("reconciliation 4", words="found", command=self.at.id(), by=SUPERVISOR)

    # What must hold.

    @invariant()
    def the_books_and_the_twin_agree(self) -> None:
        if not hasattr(self, "seed"):
            return
        four, twin = self.at.four, self.twin
        assert (four.phase, four.round, four.rounds_counted) == (twin.phase, len(twin.rounds), len(twin.rounds))
        accounts = self.at.books.state(BOOK).of(LEDGER)["main"]
        assert accounts.counts["wagers_counted"] == twin.counted
        assert accounts.balances["displayed"] == self.seed + ONE * (twin.counted - twin.reversed)
        assert accounts.balances["players"] == DOLLAR * twin.refunded
        for number, kept in twin.rounds.items():
            found = four.find_round(number)
            if found is not None:
                assert {wager: set(there) for wager, there in found.counted.items()} == kept.counted
                assert found.voided == kept.void
        net = sum(four.counts.get(PRIME, {}).values()) - sum(four.reversed.get(PRIME, {}).values())
        assert net == twin.prime
        if twin.phase == "open":
            assert four.lights == ()


def test_a_table_played_at_random_agrees_with_a_plain_twin() -> None:
    run_state_machine_as_test(
        Machine,
        settings=settings(
            max_examples=10, stateful_step_count=25, deadline=None, suppress_health_check=list(HealthCheck)
        ),
    )


@pytest.mark.slow
def test_a_table_played_at_random_for_long_agrees_with_a_plain_twin() -> None:
    run_state_machine_as_test(
        Machine,
        settings=settings(
            max_examples=300, stateful_step_count=60, deadline=None, suppress_health_check=list(HealthCheck)
        ),
    )
