"""A table that plays by itself, for trials: players who wager, and a dealer who presses at a human pace."""

import random
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Any

from pitboss.tabulator.devices.client import DeviceClient
from pitboss.tabulator.entries import Place

_SECONDS_BETWEEN_SIGNS = 10


@dataclass(frozen=True, slots=True, kw_only=True)
class Pace:
    """Seconds of a round: until the press, until the press that ends it; chances of a slip of the dealer's hand.

    About forty rounds an hour (F-18), a press twice in fifty rounds, a late wager once in thirty.
    """

    wagering: tuple[float, float] = (15, 35)
    playing: tuple[float, float] = (45, 85)
    double_press: float = 0.04
    late: float = 0.03
    retry: float = 5


@dataclass(frozen=True, slots=True, kw_only=True)
class Felt:
    """The places of a table and what their sensors do: a dead one sees nothing, a stuck one always sees a wager."""

    seats: int
    sensors: int = 1
    wager: float = 0.6
    dead: frozenset[Place] = frozenset()
    stuck: frozenset[Place] = frozenset()

    def wagered(self, rng: random.Random) -> set[Place]:
        """Return the wagers that players make in a round."""
        places = [(seat, number) for seat in range(1, self.seats + 1) for number in range(1, self.sensors + 1)]
        return {place for place in places if rng.random() < self.wager}

    def seen(self, there: set[Place]) -> list[Place]:
        """Return what the sensors report of the wagers that are there."""
        return sorted((there - self.dead) | self.stuck)


@dataclass(slots=True)
class Played:
    """Rounds that were played: wagers that lay there at each press that counted, and every reply."""

    rounds: list[set[Place]] = field(default_factory=list)
    replies: list[dict[str, Any]] = field(default_factory=list)


def play(
    device: DeviceClient,
    felt: Felt,
    rng: random.Random,
    rounds: int,
    *,
    pause: Callable[[float], object],
    dealers: Sequence[str] = (),
    pace: Pace | None = None,
    tries: int = 1_000,
) -> Played:
    """Play rounds: wagers, a press, cards, and the press that opens the table again.

    `pause` lets time go by. Where the line is cut the table waits, and tries again.
    """
    pace, played = pace or Pace(), Played()
    device.hello()
    _until_delivered(device, pace, pause, tries)
    for number in range(rounds):
        if dealers and number % 20 == 0:
            device.dealer(dealers[number // 20 % len(dealers)])
            _until_delivered(device, pace, pause, tries)
        _wait(device, rng.uniform(*pace.wagering), pause)
        if device.phase == "tabulated":
            _press(device, felt.seen(set()), rng, pace, pause, tries)
            pause(2)
        there = felt.wagered(rng)
        _press(device, felt.seen(there), rng, pace, pause, tries)
        played.rounds.append(there)
        if rng.random() < pace.late:
            device.late(felt.seen(felt.wagered(rng) - there))
            _until_delivered(device, pace, pause, tries)
        _wait(device, rng.uniform(*pace.playing), pause)
        if device.phase == "tabulated":
            _press(device, felt.seen(set()), rng, pace, pause, tries)
    played.replies = list(device.replies)
    return played


def _wait(device: DeviceClient, seconds: float, pause: Callable[[float], object]) -> None:
    """Pass time, with a sign of the device now and then: a line that is silent counts as lost (T-09)."""
    while seconds > _SECONDS_BETWEEN_SIGNS:
        pause(_SECONDS_BETWEEN_SIGNS)
        device.hello()
        seconds -= _SECONDS_BETWEEN_SIGNS
    pause(seconds)


def _press(
    device: DeviceClient,
    seen: Sequence[Place],
    rng: random.Random,
    pace: Pace,
    pause: Callable[[float], object],
    tries: int,
) -> None:
    device.press(seen)
    if rng.random() < pace.double_press:
        pause(0.2)
        device.press(seen)
    _until_delivered(device, pace, pause, tries)


def _until_delivered(device: DeviceClient, pace: Pace, pause: Callable[[float], object], tries: int) -> None:
    for _ in range(tries):
        if device.deliver():
            return
        pause(pace.retry)
    raise TimeoutError(f"{device.name}: nothing was acknowledged in {tries} tries")
