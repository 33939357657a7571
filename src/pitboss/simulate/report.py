"""What simulated rounds say, beside what is exact: means with their errors, events with a chi-square, the hold."""

from dataclasses import dataclass
from fractions import Fraction
from math import sqrt
from typing import Any

from pitboss.odds.pricing import Priced
from pitboss.odds.results import OddsResult
from pitboss.randomness.trials import chi_square_ends
from pitboss.rules import Wager
from pitboss.simulate.playing import Ready, make_ready
from pitboss.simulate.running import RoundTally
from pitboss.simulate.shoes import DepthBand, depth_bands
from pitboss.simulate.strategies import Exact

# Events expected less often than this are counted together in a chi-square.
_EXPECTED_LEAST = 5


@dataclass(frozen=True, slots=True)
class CountedEvent:
    """An event of a wager: how often it came at the seat looked at, and its exact probability."""

    event: str
    pays: str
    count: int
    probability: Fraction

    def expected(self, rounds: int) -> float:
        """How often it is expected in so many rounds."""
        return float(self.probability * rounds)


@dataclass(frozen=True, slots=True, kw_only=True)
class HeldBack:
    """What an aggregate limit held back: in how many rounds, how much, and per unit staked with its error (G-65)."""

    rounds: int
    cents: int
    mean: Fraction
    standard_error: float


@dataclass(frozen=True, slots=True, kw_only=True)
class WagerReport:
    """One wager over all seats: money in cents, mean per unit of the base stake with its standard error, exact beside.

    Percentage prizes are left out of money, mean and exact value alike: a meter decides them. Envy is in all of them.
    Mean, exact value and events are those before an aggregate limit; `paid_cents` and `hold` are after it, and `held`
    says what it held back. The chi-square is of the first seat that has the wager, since seats of a round share cards.
    """

    wager: str
    paytables: tuple[str, ...]
    placed: int
    base_cents: int
    staked_cents: int
    paid_cents: int
    mean: Fraction
    standard_error: float
    exact: Fraction
    result: OddsResult
    events: tuple[CountedEvent, ...]
    chi_square: float
    degrees: int
    held: HeldBack | None = None

    @property
    def z(self) -> float | None:
        """How many standard errors the mean is above the exact value; nothing where nothing varied."""
        return float(self.mean - self.exact) / self.standard_error if self.standard_error else None

    @property
    def chance(self) -> float | None:
        """The chance of a chi-square at least this large."""
        return chi_square_ends(self.chi_square, self.degrees)[1] if self.degrees else None

    @property
    def hold(self) -> Fraction:
        """What the house kept of all that was wagered."""
        return Fraction(self.staked_cents - self.paid_cents, self.staked_cents)


@dataclass(frozen=True, slots=True, kw_only=True)
class SimulationReport:
    """Every wager of the tally, the house's result of all together, and with a cut card what depth changes."""

    rounds: int
    seats: int
    strategy: str
    wagers: tuple[WagerReport, ...]
    cut_card: int | None = None
    depths: tuple[DepthBand, ...] = ()

    @property
    def staked_cents(self) -> int:
        """All that was wagered."""
        return sum(wager.staked_cents for wager in self.wagers)

    @property
    def won_cents(self) -> int:
        """What the house kept, percentage prizes left out."""
        return sum(wager.staked_cents - wager.paid_cents for wager in self.wagers)


def make_report(tally: RoundTally) -> SimulationReport:
    """Build the report on every wager placed of a tally."""
    ready = make_ready(tally.setup)
    wagers = tuple(
        _wager_report(ready, tally, place, wager)
        for place, wager in enumerate(ready.game.wagers)
        if wager.name in ready.decided.exact
    )
    setup = tally.setup
    depths: tuple[DepthBand, ...] = ()
    if tally.depths is not None and setup.cut_card is not None:
        bases = {wager.name: sum(setup.staked_on(wager.name)) for wager in ready.game.wagers}
        placed = {name: (place, base) for place, (name, base) in enumerate(bases.items()) if base}
        remembers = bool(bases[ready.game.main.name])
        depths = depth_bands(tally.depths, setup.cut_card, placed, remembers=remembers)
    return SimulationReport(
        rounds=tally.rounds,
        seats=setup.seats,
        strategy=setup.strategy,
        wagers=wagers,
        cut_card=setup.cut_card,
        depths=depths,
    )


def _wager_report(ready: Ready, tally: RoundTally, place: int, wager: Wager) -> WagerReport:
    span = slice(int(ready.begins[place]), int(ready.begins[place + 1]))
    counts = tally.histogram[:, span]
    staked, paid, envy = (_money(counts, cents[:, span]) for cents in (ready.staked, ready.paid, ready.envy))
    stakes = tally.setup.staked_on(wager.name)
    won = paid + envy - staked
    base = sum(stakes)
    exact = ready.decided.exact[wager.name]
    variance = Fraction(float(tally.squares[place])) / tally.rounds - Fraction(won, tally.rounds) ** 2
    events = _events(exact, counts[_first(stakes)], tally.rounds)
    chi_square, degrees = _chi_square(events, tally.rounds)
    held = _held(tally, place, base) if wager.name in tally.setup.terms.aggregate_limits else None
    return WagerReport(
        wager=wager.name,
        paytables=exact.result.paytables,
        placed=tally.rounds * sum(1 for cents in stakes if cents),
        base_cents=base * tally.rounds,
        staked_cents=staked,
        paid_cents=paid + envy - (0 if held is None else held.cents),
        mean=Fraction(won, base * tally.rounds),
        standard_error=sqrt(max(variance, Fraction(0)) / tally.rounds) / base,
        exact=exact.result.ev + _envy(exact, ready.placed[:, place].sum()),
        result=exact.result,
        events=events,
        chi_square=chi_square,
        degrees=degrees,
        held=held,
    )


def _held(tally: RoundTally, place: int, base_cents: int) -> HeldBack:
    amounts = tally.held[tally.held[:, 1] == place][:, 2].tolist()
    mean = Fraction(sum(amounts), tally.rounds)
    variance = Fraction(sum(cents * cents for cents in amounts), tally.rounds) - mean**2
    return HeldBack(
        rounds=len(amounts),
        cents=sum(amounts),
        mean=mean / base_cents,
        standard_error=sqrt(variance / tally.rounds) / base_cents,
    )


def _money(counts: Any, cents: Any) -> int:
    """Multiply and add up in Python's integers, of which a product of pays and counts may need more than 64 bits."""
    return sum(
        int(count) * int(amount)
        for count, amount in zip(counts.ravel().tolist(), cents.ravel().tolist(), strict=True)
        if count and amount
    )


def _first(stakes: tuple[int, ...]) -> int:
    return next(seat for seat, cents in enumerate(stakes) if cents)


def _envy(exact: Exact, giving: int) -> Fraction:
    """What the Envy of all other hands that give it adds to a unit staked."""
    return (exact.result.envy_per_hand or Fraction(0)) * (int(giving) - 1)


def _events(exact: Exact, counts: Any, rounds: int) -> tuple[CountedEvent, ...]:
    histogram = {code: count for code, count in enumerate(counts.tolist()) if count}
    simulated = exact.result_of(Priced(rounds, histogram, ())).events
    seen = {(event.event, event.pays): event.count for event in simulated}
    unknown = seen.keys() - {(event.event, event.pays) for event in exact.result.events}
    if unknown:
        raise RuntimeError(f"{exact.wager.name}: {sorted(unknown)} came up, which exact counting rules out")
    return tuple(
        CountedEvent(event.event, event.pays, seen.get((event.event, event.pays), 0), event.probability)
        for event in exact.result.events
    )


def _chi_square(events: tuple[CountedEvent, ...], rounds: int) -> tuple[float, int]:
    """Add up the squared differences, rare events taken together; one degree less than there are terms."""
    terms: list[tuple[float, float]] = []
    rare_count, rare_expected = 0.0, 0.0
    for event in sorted(events, key=lambda event: event.probability):
        if rare_expected < _EXPECTED_LEAST:
            rare_count += event.count
            rare_expected += event.expected(rounds)
        else:
            terms.append((event.count, event.expected(rounds)))
    terms.append((rare_count, rare_expected))
    return sum((count - expected) ** 2 / expected for count, expected in terms), len(terms) - 1
