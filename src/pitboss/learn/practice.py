"""A session of practice: rounds with play chips from one key, each dealt again by its number; nothing is booked."""

import threading
from collections import OrderedDict
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from typing import Any, Literal, TypeAlias

from pitboss.learn.coach import Asked, asked_of
from pitboss.randomness import LiveDealing, default_lock
from pitboss.rules import Problem, dollars
from pitboss.table import (
    Configuration,
    Deal,
    Decide,
    OperationRefusedError,
    Phase,
    PlaceWagers,
    Reveal,
    Round,
    Settle,
)

BANK_CENTS = 100_000
"""The play chips that a session begins with, and gets again when they are gone."""
SEATS_MAX = 3
_HANDS_MAX = 1_000
"""So many hands of a session are kept for its review."""
_DECISIONS_MAX = 20_000
"""So many decisions of all sessions together are kept: one takes some kilobytes, and anybody may play."""
CoachMode: TypeAlias = Literal["off", "after", "before"]
Stakes: TypeAlias = Mapping[int, Mapping[str, int]]
"""By seat the wagers in cents."""


@dataclass(frozen=True, slots=True, kw_only=True)
class DecisionTaken:
    """A decision of a session: which hand, seat and wager, what the seat saw, and its answer."""

    dealt: int
    hand: int
    seat: int
    wager: str
    asked: Asked
    answer: Any
    stake_cents: int


@dataclass(frozen=True, slots=True, kw_only=True)
class HandPlayed:
    """A hand that is over: the key and number that deal it again, the wagers that were on it, and what it won."""

    dealt: int
    key: bytes
    hand: int
    stakes: Stakes
    net_cents: int


def finished_by_house(played: Round) -> Round:
    """Do what the dealer does until a seat must decide or the round is over."""
    while played.phase is not Phase.FINISHED and played.question() is None:
        played = played.apply(next(step for step in (Deal(), Reveal(), Settle()) if played.can(step)))
    return played


def asked_wager(played: Round, number: int) -> str:
    """Return the wager that the open question of a seat is about: without it something else would be asked."""
    game, readings = played.game, played.configuration.terms.readings
    seat = played.state.seats[number].seat
    names = sorted(seat.wagers, key=lambda name: name != game.main.name)
    question = game.question(seat, readings)
    for name in names:
        without = seat._replace(wagers={other: cents for other, cents in seat.wagers.items() if other != name})
        other = game.question(without, readings)
        if question is not None and (other is None or other.key != question.key):
            return name
    return names[0]


def dealt_round(configuration: Configuration, key: bytes, hand: int) -> Round:
    """Return the round of a hand before any wager; its shoe comes through the door of all shoes (R-06)."""
    shoe = LiveDealing(key, default_lock(), first_block=hand).next_shoe(configuration.terms.deck)
    return Round(configuration=configuration, shoe=shoe.cards, meters=configuration.meters)


@dataclass(frozen=True, kw_only=True, eq=False)
class PracticeSession:
    """A session: the table it is played at, the key of its shoes, the hand that is on, and all that was decided.

    `before` is the round as it was before the last answer: what is new since then moves on the felt. `step` counts
    what was done, so that a form that is sent twice is done once; `dealt` is the step that dealt the hand: one that is
    played again is another. Every hand is from a fresh shuffle.
    """

    configuration: Configuration
    key: bytes
    hand: int = 1
    bank_cents: int = BANK_CENTS
    stakes: Stakes = field(default_factory=dict)
    played: Round | None = None
    before: Round | None = None
    decisions: tuple[DecisionTaken, ...] = ()
    hands: tuple[HandPlayed, ...] = ()
    coach: CoachMode = "off"
    step: int = 0
    dealt: int = 0
    drill: Any = None
    """The `Drill` of decisions that is on beside the felt, if one is."""

    @property
    def is_over(self) -> bool:
        """True if the hand on the felt is settled."""
        return self.played is not None and self.played.phase is Phase.FINISHED

    @property
    def here(self) -> tuple[DecisionTaken, ...]:
        """What has been decided of the hand on the felt."""
        return tuple(each for each in self.decisions if each.dealt == self.dealt and self.played is not None)

    @property
    def least_cents(self) -> int:
        """The smallest amount with which a hand can be played."""
        game = Round(configuration=self.configuration, shoe=()).game
        required = [game.base.name] if game.base else self.configuration.offered
        return min(self.configuration.limits(name)[0] for name in required)

    def deal(self, stakes: Stakes) -> "PracticeSession":
        """Place the wagers and deal up to the first decision; refuse with everything that is wrong."""
        played = dealt_round(self.configuration, self.key, self.hand)
        placed = {seat: dict(wagers) for seat, wagers in sorted(stakes.items()) if wagers}
        problems: list[Problem] = []
        if not placed:
            problems.append(Problem("", "Put a chip on a wager first."))
        total = sum(cents for wagers in placed.values() for cents in wagers.values())
        if total > self.bank_cents:
            problems.append(Problem("", f"That is more than your {dollars(self.bank_cents)} of chips."))
        for seat, wagers in placed.items():
            operation = PlaceWagers(seat, tuple(wagers.items()), "player" if len(placed) > 1 else None)
            wrong = played.verify(operation)
            problems += wrong
            if not wrong:
                played = played.apply(operation)
        if problems:
            raise OperationRefusedError(tuple(problems))
        started = replace(self, stakes=placed, before=played, played=finished_by_house(played))
        return replace(started, step=self.step + 1, dealt=self.step + 1).counted()

    def decide(self, seat: int, key: str, answer: Any) -> "PracticeSession":
        """Answer the question of a seat and go on to the next one, or to the settlement."""
        assert self.played is not None
        asked = asked_of(self.played)
        after = self.played.apply(Decide(seat, key, answer))
        if self.at_risk_cents(after) > self.bank_cents:
            words = f"That takes more than your {dollars(self.bank_cents)} of chips."
            raise OperationRefusedError((Problem("", words),))
        decisions = self.decisions
        if asked is not None:
            wager = asked_wager(self.played, seat)
            decision = DecisionTaken(
                dealt=self.dealt,
                hand=self.hand,
                seat=seat,
                wager=wager,
                asked=asked,
                answer=answer,
                stake_cents=self.stakes[seat][wager],
            )
            decisions = (*decisions, decision)[-_HANDS_MAX:]
        going_on = replace(self, before=self.played, played=finished_by_house(after), decisions=decisions)
        return replace(going_on, step=self.step + 1).counted()

    def counted(self) -> "PracticeSession":
        """Add what a hand that is over has won to the chips."""
        if not self.is_over:
            return self
        assert self.played is not None
        settlement = self.played.settlement
        assert settlement is not None
        net = sum(settlement.net_cents(seat) for seat in self.stakes)
        over = HandPlayed(dealt=self.dealt, key=self.key, hand=self.hand, stakes=self.stakes, net_cents=net)
        return replace(self, bank_cents=self.bank_cents + net, hands=(*self.hands, over)[-_HANDS_MAX:])

    def next_hand(self) -> "PracticeSession":
        """Clear the felt for the next hand; one that is on goes back with its chips."""
        hand = self.hand + 1 if self.is_over else self.hand
        bank = self.bank_cents if self.bank_cents >= self.least_cents else BANK_CENTS
        return replace(self, hand=hand, bank_cents=bank, played=None, before=None, step=self.step + 1)

    def at_risk_cents(self, played: Round) -> int:
        """Count every chip of the player's on the layout."""
        total = 0
        for number, wagers in self.stakes.items():
            decided = played.state.seats[number].seat.decisions
            for name, cents in wagers.items():
                total += sum(played.game.by_name[name].chips_down(decided, cents).values())
        return total


class PracticeSessions:
    """Sessions in memory by a name that only their browser has; the one not used for longest goes first.

    Where all of them have more decisions than are kept, the longest session loses the older half of its own.
    """

    def __init__(self, most: int = 400, decisions_most: int = _DECISIONS_MAX) -> None:
        self._most, self._decisions_most = most, decisions_most
        self._lock = threading.Lock()
        self._sessions: OrderedDict[tuple[str, str], PracticeSession] = OrderedDict()

    def find(self, owner: str, game: str) -> PracticeSession | None:
        """Return somebody's session of a game."""
        with self._lock:
            session = self._sessions.get((owner, game))
            if session is not None:
                self._sessions.move_to_end((owner, game))
            return session

    def change(
        self, owner: str, game: str, fresh: PracticeSession, do: Callable[[PracticeSession], PracticeSession]
    ) -> PracticeSession:
        """Run an action in somebody's session, or in a new one, and store the result."""
        with self._lock:
            session = do(self._sessions.get((owner, game), fresh))
            self._sessions[owner, game] = session
            self._sessions.move_to_end((owner, game))
            while len(self._sessions) > self._most:
                self._sessions.popitem(last=False)
            self._shorten()
            return self._sessions[owner, game]

    def _shorten(self) -> None:
        while sum(len(session.decisions) for session in self._sessions.values()) > self._decisions_most:
            key, longest = max(self._sessions.items(), key=lambda item: len(item[1].decisions))
            decisions = longest.decisions[(len(longest.decisions) + 1) // 2 :]
            hands = longest.hands[(len(longest.hands) + 1) // 2 :]
            self._sessions[key] = replace(longest, decisions=decisions, hands=hands)


def stakes_text(stakes: Stakes) -> str:
    """Write wagers as a link carries them; `read_stakes` reads them back."""
    return "!".join(
        f"{seat}:" + ",".join(f"{name}={cents}" for name, cents in wagers.items()) for seat, wagers in stakes.items()
    )


def read_stakes(text: str) -> Stakes:
    """Read wagers from a link; what is none is nothing."""
    stakes: dict[int, dict[str, int]] = {}
    for piece in text.split("!"):
        seat, _, wagers = piece.partition(":")
        for wager in wagers.split(","):
            name, _, cents = wager.partition("=")
            if seat.isdecimal() and len(seat) == 1 and cents.isdecimal() and len(cents) < 9:
                stakes.setdefault(int(seat), {})[name] = int(cents)
    return stakes
