"""The command `simulate`: complete rounds by the million, with the exact figures beside."""

import datetime
import json
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from rich.markup import escape
from rich.progress import BarColumn, TextColumn, TimeElapsedColumn, TimeRemainingColumn

from pitboss.cards import fresh_key, key_text, parse_key
from pitboss.cli import arguments
from pitboss.cli.arguments import percent
from pitboss.cli.output import console, fail, game_or_exit, plain_table, progress_bar
from pitboss.meters import MeterTerms
from pitboss.odds.solving import first_tables, stated_terms
from pitboss.paper.simulation import check_ending, draw_simulation
from pitboss.randomness.trials import normal_two_sided
from pitboss.rules import Game, Terms, dollars
from pitboss.simulate.folding import JackpotReport, fold_tally, usual_meter
from pitboss.simulate.report import HeldBack, SimulationReport, WagerReport, make_report
from pitboss.simulate.running import RoundTally, run
from pitboss.simulate.setup import NEVER_FOLD, OPTIMAL, SIMPLE, Setup, make_setup
from pitboss.table import Configuration, default_configuration

_INTERRUPTED = 130


@dataclass(frozen=True, slots=True, kw_only=True)
class SimulationOptions:
    """The options of `pitboss simulate`, unchecked."""

    game: str
    config: Path | None
    paytables: Sequence[str]
    readings: Sequence[str]
    decks: int | None
    pays: Sequence[str]
    seats: int | None
    wagers: Sequence[str]
    meters: Sequence[str]
    strategy: str
    rounds: int
    key: str | None
    workers: int | None
    scheduler: str | None
    output: Path | None
    cut_card: int | None = None


def run_simulation(options: SimulationOptions, *, as_json: bool) -> int:
    """Simulate and report, also where Ctrl-C left fewer rounds than were asked for."""
    key = _key(options.key)
    if options.workers is not None and options.workers < 1:
        raise fail(f"--workers {options.workers}: there must be at least one")
    setup = setup_of(options)
    meters = _meters(options, setup)
    try:
        if options.output is not None:
            check_ending(options.output)
        tally = _simulate(options, setup, key)
    except ValueError as error:
        raise fail(str(error)) from None
    except OSError as error:
        raise fail(f"{options.scheduler}: {error}") from None
    report, jackpots = make_report(tally), fold_tally(tally, meters)
    if options.output is not None:
        draw_simulation(report, tally, options.output)
    if as_json:
        print(
            json.dumps(
                _as_json(report, tally) | {"jackpots": [_jackpot_json(jackpot) for jackpot in jackpots]}, indent=2
            )
        )
    else:
        _show(report, tally)
        for jackpot in jackpots:
            _show_jackpot(jackpot)
    return 0 if tally.whole else _INTERRUPTED


def _simulate(options: SimulationOptions, setup: Setup, key: bytes) -> RoundTally:
    columns = (
        TextColumn("{task.description}"),
        BarColumn(),
        TextColumn("{task.completed:,.0f} of {task.total:,.0f} rounds"),
        TextColumn("{task.fields[rate]}"),
        TimeElapsedColumn(),
        TimeRemainingColumn(),
    )
    with progress_bar(*columns) as progress:
        task = progress.add_task("Preparing", total=options.rounds, rate="")

        def done(rounds: int) -> None:
            speed = progress.tasks[0].speed
            rate = f"{speed:,.0f} a second" if speed else ""
            progress.update(task, description=setup.game, advance=rounds, rate=rate)

        return run(
            setup,
            key,
            options.rounds,
            span=min(_SPAN, options.rounds),
            workers=options.workers,
            scheduler=options.scheduler,
            done=done,
        )


# The house's result is drawn by so many rounds.
_SPAN = 1024


def _key(text: str | None) -> bytes:
    if text is None:
        return fresh_key()
    try:
        return parse_key(text)
    except ValueError as error:
        raise fail(f"--key: {error}") from None


def setup_of(options: SimulationOptions) -> Setup:
    """Build the setup: that of a configuration, or the first tables of the game with what was changed."""
    game = game_or_exit(options.game)
    if options.config is not None:
        configuration = _configuration(game, options)
        terms, seats = configuration.terms, options.seats or configuration.seats
        least = {name: configuration.limits(name)[0] for name in configuration.offered}
        cut_card = options.cut_card or configuration.cut_card
    else:
        terms, seats, cut_card = _terms(game, options), options.seats or 1, options.cut_card
        least = {wager.name: terms.jackpot_wager_cents.get(wager.name, 100) for wager in game.wagers}
    stakes = _stakes(game, options.wagers) or least
    try:
        strategy = _strategy(options.strategy)
        return make_setup(game, terms, stakes, seats=seats, strategy=strategy, cut_card=cut_card)
    except ValueError as error:
        raise fail(str(error)) from None


def _configuration(game: Game, options: SimulationOptions) -> Configuration:
    assert options.config is not None
    if options.paytables or options.readings or options.pays or options.decks is not None:
        raise fail("--config states pay tables, readings and decks: do not type them as well")
    configuration = arguments.configuration_or_exit(options.config, lambda _: str(options.config))
    if configuration.game != game.name:
        raise fail(f"{options.config} is a table of {configuration.game}, not of {game.name}")
    return configuration


def _terms(game: Game, options: SimulationOptions) -> Terms:
    typed = arguments.tables_of(game, game.wagers, options.paytables, options.pays)
    tables = {wager.name: typed.get(wager.name) or first_tables(game, wager) for wager in game.wagers}
    try:
        terms, _ = stated_terms(game, tables, readings=arguments.readings_of(options.readings), decks=options.decks)
    except ValueError as error:
        raise fail(str(error)) from None
    return terms


def _stakes(game: Game, typed: Sequence[str]) -> dict[str, int]:
    """Read every --wager NAME=DOLLARS."""
    stakes: dict[str, int] = {}
    for text in typed:
        name, amount = arguments.pair(text, "--wager")
        if name not in game.by_name:
            raise fail(f"--wager: {game.title} has no wager {name!r}; it has: {', '.join(game.by_name)}")
        stakes[name] = arguments.dollars_or_exit(amount) or 0
    return stakes


def _meters(options: SimulationOptions, setup: Setup) -> dict[str, MeterTerms]:
    """Return the meter of every jackpot that is played: as typed, as configured, or as the default table opens it."""
    game = game_or_exit(options.game)
    opens = default_configuration(game, datetime.datetime.now(tz=datetime.UTC).date()).meters
    if options.config is not None:
        opens |= _configuration(game, options).meters
    usual = max(opens.values(), default=0)
    typed = {}
    for text in options.meters:
        name, amount = arguments.pair(text, "--meter")
        if name not in {wager.name for wager in game.jackpots}:
            raise fail(f"--meter: {game.title} has no jackpot {name!r}")
        typed[name] = arguments.dollars_or_exit(amount) or 0
    played = [wager.name for wager in game.jackpots if any(setup.staked_on(wager.name))]
    return {name: usual_meter(setup.terms, name, typed.get(name, opens.get(name, usual))) for name in played}


def _strategy(text: str) -> str:
    return text if text in (OPTIMAL, SIMPLE, NEVER_FOLD) else arguments.read_file(Path(text))


def _show(report: SimulationReport, tally: RoundTally) -> None:
    stopped = "" if tally.whole else " (stopped: whole blocks from the first)"
    seats = f"{report.seats} seat{'s' if report.seats > 1 else ''}"
    head = f"[bold]{tally.setup.game}[/]: {report.rounds:,} rounds{stopped}, {seats}, {_strategy_words(report)}"
    console.print(head, soft_wrap=True)
    console.print(f"key {key_text(tally.key)}, terms {tally.setup.terms.content_hash}", soft_wrap=True)
    table = plain_table("wager", "pay tables", "mean>", "error>", "exact>", "z>", "chi-square>", "p>", "hold>")
    for wager in report.wagers:
        table.add_row(*_row(wager))
    console.print(table)
    for wager in report.wagers:
        _show_events(wager, report.rounds)
        _show_held(wager, report.rounds)
    show_depths(report)
    console.print(
        f"the house kept {dollars(report.won_cents)} of {dollars(report.staked_cents)} wagered, percentage prizes "
        "not counted",
        soft_wrap=True,
    )


def _strategy_words(report: SimulationReport) -> str:
    named = report.strategy in (OPTIMAL, SIMPLE, NEVER_FOLD)
    return f"strategy {report.strategy if named else 'from a file'}"


def _row(wager: WagerReport) -> tuple[str, ...]:
    z, chance = wager.z, wager.chance
    return (
        wager.wager,
        ", ".join(wager.paytables),
        f"{float(wager.mean):+.6f}",
        f"{wager.standard_error:.6f}",
        f"{float(wager.exact):+.6f}",
        "" if z is None else f"{z:+.2f}",
        f"{wager.chi_square:.1f} ({wager.degrees})" if wager.degrees else "",
        "" if chance is None else f"{chance:.3f}",
        percent(wager.hold),
    )


def _show_events(wager: WagerReport, rounds: int) -> None:
    table = plain_table(f"{wager.wager}", "pays", "counted>", "expected>")
    for event in wager.events:
        table.add_row(escape(event.event), escape(event.pays), f"{event.count:,}", f"{event.expected(rounds):,.1f}")
    console.print()
    console.print(table)


def _show_held(wager: WagerReport, rounds: int) -> None:
    """Print what an aggregate limit held back of what the events come to."""
    if wager.held is not None:
        held = wager.held
        console.print(
            f"the aggregate limit held back {dollars(held.cents)} in {held.rounds:,} of {rounds:,} rounds, "
            f"{float(held.mean):.9f} of a unit staked with an error of {held.standard_error:.9f}",
            soft_wrap=True,
        )


def _show_jackpot(jackpot: JackpotReport) -> None:
    """Print how a meter fared, and under which terms."""
    meter, state = jackpot.fold.terms, jackpot.fold.state
    growth = ""
    if meter.is_progressive:
        growth = f", {percent(meter.display_rate)} to the display and {percent(meter.reserve_rate)} to the reserve"
    console.print()
    head = f"a {meter.jackpot_type} meter, opened and reseeded at {dollars(meter.seed_cents)}{growth}"
    console.print(f"[bold]{jackpot.wager}[/]: {head}", soft_wrap=True)
    table = plain_table("percentage prize", "winners>", "paid>")
    for event, (seats, cents) in jackpot.winners.items():
        table.add_row(escape(event), f"{seats:,}", dollars(cents))
    if jackpot.winners:
        console.print(table)
    paid = f"{dollars(jackpot.from_fund_cents)} from the fund, {dollars(jackpot.from_house_cents)} from the house"
    console.print(
        f"{len(jackpot.fold.hits):,} hits: {paid}; at the end it shows {dollars(state.displayed_cents)}", soft_wrap=True
    )


def _jackpot_json(jackpot: JackpotReport) -> dict[str, Any]:
    meter, state = jackpot.fold.terms, jackpot.fold.state
    return {
        "wager": jackpot.wager,
        "jackpot_type": meter.jackpot_type,
        "opened_cents": meter.seed_cents,
        "reseed_cents": meter.reseed_cents,
        "display_rate": _ratio(meter.display_rate),
        "reserve_rate": _ratio(meter.reserve_rate),
        "hits": len(jackpot.fold.hits),
        "winners": {event: {"seats": seats, "paid_cents": cents} for event, (seats, cents) in jackpot.winners.items()},
        "from_fund_cents": jackpot.from_fund_cents,
        "from_house_cents": jackpot.from_house_cents,
        "displayed_cents": state.displayed_cents,
        "reserve_units": state.reserve_units,
    }


def _ratio(value: Any) -> str:
    return f"{value.numerator}/{value.denominator}"


def _as_json(report: SimulationReport, tally: RoundTally) -> dict[str, Any]:
    return {
        "game": tally.setup.game,
        "rounds": report.rounds,
        "whole": tally.whole,
        "seats": report.seats,
        "strategy": report.strategy,
        "key": key_text(tally.key),
        "terms_hash": tally.setup.terms.content_hash,
        "staked_cents": report.staked_cents,
        "won_cents": report.won_cents,
        "wagers": [_wager_json(wager, report.rounds) for wager in report.wagers],
    } | ({} if report.cut_card is None else {"cut_card": depth_json(report)})


def depth_json(report: SimulationReport) -> dict[str, Any]:
    """Return what the depth of the shoe changes, every mean with its standard error."""
    bands = [
        {
            "from_cards": band.from_cards,
            "below_cards": band.below_cards,
            "rounds": band.rounds,
            "wagers": {name: estimate._asdict() for name, estimate in band.wagers.items()},
            "remembered": None if band.remembered is None else band.remembered._asdict(),
        }
        for band in report.depths
    ]
    return {"cards": report.cut_card, "rounds": report.rounds, "seats": report.seats, "bands": bands}


def show_depths(report: SimulationReport) -> None:
    """Print by depth of the shoe what each wager wins, and what remembering every card would add."""
    if report.cut_card is None:
        return
    names = list(report.depths[0].wagers)
    remembers = report.depths[0].remembered is not None
    columns = [column for name in names for column in (f"{name}>", "error>")]
    table = plain_table("cards dealt before", "rounds>", *columns, *(["remembered>", "error>"] if remembers else []))
    for band in report.depths:
        estimates = [*(band.wagers[name] for name in names), *([band.remembered] if band.remembered else [])]
        figures = [text for each in estimates for text in (f"{each.mean:+.6f}", f"{each.standard_error:.6f}")]
        table.add_row(f"{band.from_cards} to {band.below_cards - 1}", f"{band.rounds:,}", *figures)
    console.print(f"the cut card comes out after {report.cut_card} cards: means by depth, per unit staked")
    console.print(table)
    if remembers:
        console.print(
            "remembered: what the main wager gains by deciding on all cards of earlier rounds", soft_wrap=True
        )


def _wager_json(wager: WagerReport, rounds: int) -> dict[str, Any]:
    return {
        "wager": wager.wager,
        "paytables": list(wager.paytables),
        "readings": wager.result.readings,
        "basis": wager.result.basis,
        "placed": wager.placed,
        "staked_cents": wager.staked_cents,
        "paid_cents": wager.paid_cents,
        "mean": _ratio(wager.mean),
        "standard_error": wager.standard_error,
        "exact": _ratio(wager.exact),
        "z": wager.z,
        "chance_of_z": None if wager.z is None else normal_two_sided(wager.z),
        "chi_square": wager.chi_square,
        "degrees": wager.degrees,
        "chance_of_chi_square": wager.chance,
        "hold": _ratio(wager.hold),
        "events": [
            {
                "event": event.event,
                "pays": event.pays,
                "count": event.count,
                "expected": event.expected(rounds),
                "probability": _ratio(event.probability),
            }
            for event in wager.events
        ],
    } | ({} if wager.held is None else {"aggregate_limit": _held_json(wager.held)})


def _held_json(held: HeldBack) -> dict[str, Any]:
    return {
        "rounds": held.rounds,
        "held_cents": held.cents,
        "mean": _ratio(held.mean),
        "standard_error": held.standard_error,
    }
