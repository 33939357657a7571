"""What an operator asks a forecast of: how the table is played, what is staked, and the terms of its meters."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, fields
from fractions import Fraction

from pitboss import law
from pitboss.games import find_game
from pitboss.meters import MeterRefusedError, MeterTerms, open_meter
from pitboss.rules import Game, Problem, Terms, dollars
from pitboss.simulate.folding import ASSUMED_RATE, ASSUMED_RESERVE_RATE
from pitboss.simulate.setup import OPTIMAL, Setup, make_setup
from pitboss.table import Configuration
from pitboss.table.checks import OPTIONS_MAX, check_jackpots_together, check_money, check_options

_MOST = {"rounds_per_hour": 1_000, "hours_per_day": 24, "shift_hours": 24, "days": 3_660, "runs": 1_000_000}


class ForecastRefusedError(ValueError):
    """What cannot be forecast, with every problem found."""

    def __init__(self, problems: Iterable[Problem]) -> None:
        self.problems = tuple(problems)
        super().__init__("; ".join(map(str, self.problems)))


@dataclass(frozen=True, slots=True, kw_only=True)
class ForecastPlan:
    """How much is played: a run is so many days of so many hours, and so many runs are simulated."""

    rounds_per_hour: int = 40
    hours_per_day: int = 16
    shift_hours: int = 8
    days: int = 30
    runs: int = 400

    @property
    def shift_rounds(self) -> int:
        """The rounds of a shift."""
        return self.rounds_per_hour * self.shift_hours

    @property
    def day_rounds(self) -> int:
        """The rounds of a day."""
        return self.rounds_per_hour * self.hours_per_day

    @property
    def run_rounds(self) -> int:
        """The rounds of a run."""
        return self.day_rounds * self.days


@dataclass(frozen=True, slots=True, kw_only=True)
class MeterSettings:
    """What a configuration does not state of a meter; nothing stands for what is usual.

    `seed_cents` is what the meter is reseeded with when it was won whole, as it opened if not stated; the rates are the
    parts of a wager that go to the display and to the reserve.
    """

    seed_cents: int | None = None
    rate: Fraction | None = None
    reserve_rate: Fraction | None = None
    cap_cents: int | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class ForecastRequest:
    """A forecast to be made, checked: `assumed` names by jackpot the settings that nobody stated."""

    setup: Setup
    plan: ForecastPlan
    meters: Mapping[str, MeterTerms]
    assumed: Mapping[str, tuple[str, ...]]


def make_request(
    configuration: Configuration,
    *,
    plan: ForecastPlan,
    seats: int | None = None,
    stakes: Mapping[str, int] | None = None,
    meters: Mapping[str, MeterSettings] | None = None,
    strategy: str = OPTIMAL,
) -> ForecastRequest:
    """Check what is asked; all that is wrong comes in one error."""
    game = find_game(configuration.game)
    placed = dict(usual_stakes(configuration) if stakes is None else stakes)
    playing = configuration.seats if seats is None else seats
    problems = _plan_problems(plan) + _seat_problems(configuration, playing)
    wrong = _stake_problems(configuration, game, placed)
    problems += wrong
    terms, assumed = _meters(configuration, [] if wrong else list(placed), dict(meters or {}), problems)
    if problems:
        raise ForecastRefusedError(problems)
    try:
        setup = make_setup(
            game, configuration.terms, placed, seats=playing, strategy=strategy, cut_card=configuration.cut_card
        )
    except ValueError as error:
        raise ForecastRefusedError([Problem("table", str(error))]) from None
    return ForecastRequest(setup=setup, plan=plan, meters=terms, assumed=assumed)


def usual_stakes(configuration: Configuration) -> dict[str, int]:
    """Stake the least of the main wager, of the jackpots and of what else a seat may use beside them (G-12)."""
    game = find_game(configuration.game)
    ordered = [game.main.name, *configuration.jackpots, *configuration.wagers]
    offered = list(dict.fromkeys(name for name in ordered if name in configuration.offered))
    caps = configuration.terms.base_multiples_max
    base = configuration.limits(game.main.name)[0] if game.main.name in offered else 0
    least = {name: configuration.limits(name)[0] for name in offered}
    allowed = [name for name in offered if name not in caps or least[name] <= caps[name] * base]
    return {name: least[name] for name in allowed[:OPTIONS_MAX]}


def _plan_problems(plan: ForecastPlan) -> list[Problem]:
    problems = []
    for field in fields(plan):
        value, most = getattr(plan, field.name), _MOST[field.name]
        if type(value) is not int or not 1 <= value <= most:
            problems.append(Problem(field.name, f"{value!r} must be a whole number from 1 to {most:,}"))
    if not problems and plan.hours_per_day % plan.shift_hours:
        words = f"{plan.shift_hours} must divide the {plan.hours_per_day} hours of a day into whole shifts"
        problems.append(Problem("shift_hours", words))
    return problems


def _seat_problems(configuration: Configuration, seats: int) -> list[Problem]:
    if type(seats) is int and 1 <= seats <= configuration.seats:
        return []
    return [
        Problem("seats", f"{seats!r} must be from 1 to {configuration.seats}, the seats of the table", None, "G-16")
    ]


def _stake_problems(configuration: Configuration, game: Game, stakes: Mapping[str, int]) -> list[Problem]:
    problems = []
    for name, cents in stakes.items():
        if name not in configuration.offered:
            offered = ", ".join(configuration.offered)
            problems.append(Problem(f"wager {name}", f"is not offered at this table, which has: {offered}"))
            continue
        low, high = configuration.limits(name)
        if not low <= cents <= high:
            words = f"{dollars(cents)} must be from {dollars(low)} to {dollars(high)}"
            problems.append(
                Problem(f"wager {name}", words if low < high else f"{dollars(cents)} must be {dollars(low)}")
            )
    if problems:
        return problems
    rule_set = law.on(configuration.on, configuration.profile)
    problems += check_options(game, configuration.terms, 1, stakes, rule_set)
    problems += check_jackpots_together(game, stakes, configuration.on)
    return problems + check_money(game, 1, stakes, rule_set)


def _meters(
    configuration: Configuration, placed: list[str], settings_by_name: dict[str, MeterSettings], problems: list[Problem]
) -> tuple[dict[str, MeterTerms], dict[str, tuple[str, ...]]]:
    """Make the terms of the meter of every jackpot that is played."""
    terms, assumed = {}, {}
    for name in settings_by_name:
        if name not in configuration.jackpots:
            has = ", ".join(configuration.jackpots) or "none"
            problems.append(Problem(f"jackpot {name}", f"is no jackpot of this table, which has: {has}"))
    for name in configuration.jackpots:
        if name not in placed:
            continue
        settings = settings_by_name.get(name, MeterSettings())
        try:
            terms[name] = _meter(configuration, name, settings)
            open_meter(terms[name])
        except MeterRefusedError as error:
            problems += [_under(name, problem) for problem in error.problems]
        assumed[name] = _assumed(configuration.terms, settings)
    return terms, assumed


def _under(name: str, problem: Problem) -> Problem:
    names = {"display_rate": "rate", "reseed_cents": "seed", "seed_cents": "meter", "cap_cents": "cap"}
    path = names.get(problem.path, problem.path.replace("_", "-"))
    return Problem(f"jackpot {name}: {path}", problem.words, problem.clause, problem.ruling)


def _meter(configuration: Configuration, name: str, settings: MeterSettings) -> MeterTerms:
    jackpot, shown_cents = configuration.jackpots[name], configuration.meters[name]
    progressive = configuration.jackpot_type == "progressive"
    rate = ASSUMED_RATE if progressive else Fraction(0)
    reserve = ASSUMED_RESERVE_RATE if progressive else Fraction(0)
    return MeterTerms(
        jackpot_type=configuration.jackpot_type,
        wager_cents=jackpot.wager_cents,
        seed_cents=shown_cents,
        reseed_cents=shown_cents if settings.seed_cents is None else settings.seed_cents,
        display_rate=rate if settings.rate is None else settings.rate,
        reserve_rate=reserve if settings.reserve_rate is None else settings.reserve_rate,
        cap_cents=settings.cap_cents,
        batch_wagers_max=None,
    )


def _assumed(terms: Terms, settings: MeterSettings) -> tuple[str, ...]:
    """Name what nobody stated; a Bonus display has nothing to assume."""
    if terms.jackpot_type != "progressive":
        return ()
    values = {"seed": settings.seed_cents, "rate": settings.rate, "reserve-rate": settings.reserve_rate}
    return tuple(name for name, value in values.items() if value is None)
