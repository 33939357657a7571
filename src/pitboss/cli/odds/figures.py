"""Exact figures: of a wager, a game or the whole catalogue, and of what readings, sharing and seen cards change."""

import json
from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from pathlib import Path
from typing import Any

from rich.markup import escape

from pitboss.cli.arguments import configuration_or_exit, dollars_or_exit, percent, readings_of, tables_of, wager_of
from pitboss.cli.output import console, fail, game_or_exit, plain_table, print_rows, progress_bar
from pitboss.games import all_games
from pitboss.odds.limited import LimitPrice, price_limit
from pitboss.odds.printed import catalogue, solve_catalogue
from pitboss.odds.results import OddsResult
from pitboss.odds.seen import SeenValue, kinds_of, seen_value
from pitboss.odds.sharing import SharedPrize, shared_prizes
from pitboss.odds.solving import PricedReading, first_tables, priced_readings, solve, solve_terms, stated_terms
from pitboss.odds.store import OddsStore, default_store
from pitboss.odds.together import Together, solve_together, turning_ratio
from pitboss.rules import Game, Terms, Wager, dollars
from pitboss.table import Configuration


@dataclass(frozen=True, slots=True, kw_only=True)
class OddsOptions:
    """The options of `pitboss odds`, unchecked."""

    paytables: Sequence[str] = ()
    readings: Sequence[str] = ()
    decks: int | None = None
    pays: Sequence[str] = ()
    meter: str | None = None
    seats: int | None = None
    fresh: bool = False
    config: Path | None = None


def store_of(*, fresh: bool) -> OddsStore | None:
    """Use what is kept on disk, unless all is to be computed again."""
    return None if fresh else default_store()


def show_odds(game_name: str, wager_name: str | None, options: OddsOptions, *, as_json: bool) -> int:
    """Print the odds of one wager, or of every wager of a game under its first tables or those of a configuration."""
    game = game_or_exit(game_name)
    if options.config is not None:
        return _show_configured(game, wager_name, options, options.config, as_json=as_json)
    wagers = game.wagers if wager_name is None else (wager_of(game, wager_name),)
    results = _solve_all(game, wagers, options, wager_name is not None)
    if as_json:
        print(json.dumps([result.as_json() for result in results], indent=2))
        return 0
    meter = dollars_or_exit(options.meter)
    for result in results:
        _show_result(game, result, meter, options.seats)
    return 0


def _show_configured(game: Game, wager_name: str | None, options: OddsOptions, file: Path, *, as_json: bool) -> int:
    """Print the odds of the wagers that a configuration offers, with what limits (G-65) and a cut card change."""
    if options.paytables or options.readings or options.pays or options.decks is not None:
        raise fail("--config states pay tables, readings and decks: do not type them as well")
    configuration = configuration_or_exit(file, lambda _: str(file))
    if configuration.game != game.name:
        raise fail(f"{file} is a table of {configuration.game}, not of {game.name}")
    names = configuration.offered if wager_name is None else (wager_of(game, wager_name).name,)
    if not set(names) <= set(configuration.offered):
        raise fail(f"{file} does not offer {wager_name}; it offers: {', '.join(configuration.offered)}")
    terms, store = configuration.terms, store_of(fresh=options.fresh)
    meter, contents = dollars_or_exit(options.meter), []
    for name in names:
        result, price = solve_terms(game, game.by_name[name], terms, store=store), None
        if name in terms.aggregate_limits:
            largest, seats = configuration.limits(name)[1], configuration.seats
            price = price_limit(game, game.by_name[name], terms, largest, seats=seats, store=store)
        contents.append(result.as_json() | ({} if price is None else {"aggregate_limit": price.as_json()}))
        if not as_json:
            _show_result(game, result, meter, options.seats)
            _show_limit(price)
    if configuration.cut_card is not None:
        _add_depths(game, configuration, contents, as_json=as_json)
    if as_json:
        print(json.dumps(contents, indent=2))
    return 0


_DEPTH_ROUNDS = 65_536


def _add_depths(game: Game, configuration: Configuration, contents: list[dict[str, Any]], *, as_json: bool) -> None:
    """Add what the depth of a shoe with a cut card changes, by simulation with its error; odds are of a fresh shoe."""
    # Simulation brings numba, which priced results that are on disk do without.
    from pitboss.cli.simulate.runs import depth_json, show_depths  # noqa: PLC0415
    from pitboss.simulate import make_report, make_setup, run  # noqa: PLC0415

    stakes = {name: configuration.limits(name)[0] for name in configuration.offered}
    seats, cut_card = configuration.seats, configuration.cut_card
    setup = make_setup(game, configuration.terms, stakes, seats=seats, cut_card=cut_card)
    report = make_report(run(setup, bytes(32), _DEPTH_ROUNDS))
    if as_json:
        for content in contents:
            content["cut_card"] = depth_json(report)
    else:
        show_depths(report)


def _show_limit(price: LimitPrice | None) -> None:
    if price is None:
        return
    amounts = " and ".join(f"{dollars(cents)} {whose}" for whose, cents in price.limit.stated)
    console.print(f"  aggregate limit, {amounts}: {price.words}", soft_wrap=True)
    if price.limited is not None:
        edge = price.limited.house_edge
        console.print(
            f"    house edge there {edge}, {percent(edge)}; it costs {price.cost} of a unit\n", soft_wrap=True
        )


def _solve_all(game: Game, wagers: Sequence[Wager], options: OddsOptions, one: bool) -> list[OddsResult]:
    readings = readings_of(options.readings)
    near = [*wagers, *(game.by_name[wager.shares.main] for wager in wagers if one and wager.shares is not None)]
    tables = tables_of(game, near, options.paytables, options.pays)
    if options.seats is not None and not 1 <= options.seats <= game.seats_max:
        raise fail(f"--seats {options.seats}: {game.title} has 1 to {game.seats_max} seats")
    results = []
    with progress_bar() as progress:
        task = progress.add_task("", total=len(wagers))
        for wager in wagers:
            progress.update(task, description=f"{game.name} {wager.name}")
            relevant = {name: value for name, value in readings.items() if one or name in wager.switches}
            main = wager.shares.main if wager.shares is not None and one else None
            try:
                results.append(
                    solve(
                        game.name,
                        wager.name,
                        tables.get(wager.name) or first_tables(game, wager),
                        readings=relevant,
                        decks=options.decks,
                        beside=tables.get(main) if main is not None else None,
                        store=store_of(fresh=options.fresh),
                    )
                )
            except ValueError as error:
                raise fail(str(error)) from None
            progress.advance(task)
    return results


def show_catalogue(*, fresh: bool, as_json: bool) -> int:
    """Print every wager with every printed table, reading and shoe."""
    games = list(all_games())
    with progress_bar() as progress:
        task = progress.add_task("", total=sum(1 for game in games for _ in catalogue(game)))
        results = solve_catalogue(
            games,
            store=store_of(fresh=fresh),
            done=lambda game, wager: progress.update(task, description=f"{game} {wager}", advance=1),
        )
    if as_json:
        print(json.dumps([result.as_json() for result in results]))
        return 0
    columns = ("game", "wager", "pay tables", "readings", "decks>", "edge>", "risk>", "deviation>", "hits>")
    print_rows(columns, [_catalogue_row(result) for result in results])
    return 0


def _catalogue_row(result: OddsResult) -> tuple[str, ...]:
    return (
        result.game,
        result.wager,
        ", ".join(result.paytables),
        ", ".join(result.readings.values()),
        str(result.decks or ""),
        percent(result.house_edge),
        percent(result.element_of_risk),
        result.std_dev(4),
        percent(result.hit_frequency),
    )


def _show_result(game: Game, result: OddsResult, meter_cents: int | None, seats: int | None) -> None:
    tables = ", ".join(result.paytables)
    console.print(f"[bold]{escape(game.title)}: {result.wager}[/]  {escape(tables)}", soft_wrap=True)
    console.print(f"  {_plain_line(result)}", soft_wrap=True)
    for name, reading in result.readings.items():
        console.print(f"  {name} = {reading}")
    if result.decks is not None:
        console.print(f"  {result.decks} decks")
    figures = plain_table("", "exact", "about>")
    figures.add_row("  expectation per unit", str(result.ev), f"{float(result.ev):+.9f}")
    figures.add_row("  house edge of the initial stake", str(result.house_edge), percent(result.house_edge))
    figures.add_row("  average total wager", str(result.average_wager), f"{float(result.average_wager):.6f}")
    figures.add_row("  element of risk", str(result.element_of_risk), percent(result.element_of_risk))
    figures.add_row("  variance", str(result.variance), f"{float(result.variance):.6f}")
    figures.add_row("  standard deviation", "", result.std_dev(6))
    figures.add_row("  hit frequency", str(result.hit_frequency), percent(result.hit_frequency))
    if result.meter_coefficient is not None:
        _add_jackpot(figures, game, result, meter_cents, seats)
    console.print(figures)
    for row, coefficient in result.open_cells.items():
        console.print(f"  left open: {escape(row)} counts as zero and adds {coefficient} for every dollar it pays")
    for level in result.decisions:
        if level:
            console.print("  decisions: " + ", ".join(f"{name} {percent(share)}" for name, share in level.items()))
    events = plain_table("  event", "pays>", "count>", "probability>", "adds>")
    for event in result.events:
        events.add_row(
            f"  {event.event}",
            event.pays,
            f"{event.count:,}",
            f"{float(event.probability):.9f}",
            f"{float(event.contribution):+.9f}",
        )
    console.print(events)
    console.print(
        f"  of {result.events[0].of:,} deals: {result.method}; terms {result.terms_hash[:12]}\n", soft_wrap=True
    )


def _plain_line(result: OddsResult) -> str:
    """Return what a wager costs and how often it wins, in one line."""
    edge, hits = percent(result.house_edge), percent(result.hit_frequency)
    if result.meter_coefficient is None:
        return f"House edge {edge}; the player wins {hits} of hands."
    return f"House edge {edge} before meter and Envy; {hits} of hands win a prize."


def _add_jackpot(figures: Any, game: Game, result: OddsResult, meter_cents: int | None, seats: int | None) -> None:
    """Add what meter and Envy are worth."""
    figures.add_row("  return without meter and Envy", str(result.fixed_return), percent(result.fixed_return))
    top = result.events[0]
    figures.add_row(f"  odds of {top.event}", str(top.probability), f"1 in {float(1 / top.probability):,.1f}")
    if result.meter_coefficient:
        figures.add_row("  return per dollar of meter", str(result.meter_coefficient), "")
        even = result.break_even_meter or Fraction(0)
        figures.add_row("  break-even meter", f"${even}", f"${float(even):,.2f}")
        if meter_cents is not None:
            edge = result.edge_at(meter_cents=meter_cents)
            figures.add_row(f"  edge at a meter of ${meter_cents / 100:,.2f}", str(edge), percent(edge))
    if result.envy_per_hand:
        figures.add_row("  Envy from each other hand", str(result.envy_per_hand), percent(result.envy_per_hand))
        for number in range(2, game.seats_max + 1) if seats is None else (seats,):
            edge = result.edge_at(meter_cents=meter_cents or 0, seats=number)
            figures.add_row(f"  edge with Envy, {number} seats", str(edge), percent(edge))


def show_switches(game_name: str | None, *, fresh: bool, as_json: bool) -> int:
    """Print every switch of one game or of all, with the edge of each wager under each reading."""
    games = all_games() if game_name is None else (game_or_exit(game_name),)
    priced_list: list[PricedReading] = []
    with progress_bar() as progress:
        task = progress.add_task("", total=sum(len(game.switches) for game in games))
        for game in games:
            progress.update(task, description=game.name)
            priced_list += priced_readings(game, store=store_of(fresh=fresh))
            progress.advance(task, len(game.switches))
    if as_json:
        print(json.dumps([priced.as_json() for priced in priced_list], indent=2))
        return 0
    for game in games:
        ours = [priced for priced in priced_list if priced.result.game == game.name]
        if not ours:
            console.print(f"{escape(game.title)}: no clause is disputed.\n")
        for switch in game.switches:
            _show_switch(game.title, [priced for priced in ours if priced.switch is switch])
    return 0


def _show_switch(title: str, readings: list[PricedReading]) -> None:
    switch = readings[0].switch
    console.print(f"[bold]{escape(title)}: {switch.name}[/]  {escape(switch.clause.id)}, {switch.ruling}")
    table = plain_table("  reading", "wager", "pay tables", "edge>", "against default>", "it says")
    default: dict[str, Fraction] = {}
    for priced in readings:
        result = priced.result
        base = default.setdefault(result.wager, priced.house_edge)
        name = f"  {priced.reading}{' (default)' if priced.reading == switch.default else ''}"
        seats = f", {priced.seats} hands, Envy from all" if priced.seats > 1 else ""
        difference = priced.house_edge - base
        table.add_row(
            name,
            result.wager + seats,
            ", ".join(result.paytables),
            percent(priced.house_edge),
            percent(difference) if difference else "",
            switch.readings[priced.reading],
        )
    console.print(table)
    if len({priced.house_edge for priced in readings}) == 1:
        console.print("  Under optimal play no printed table makes a difference.")
    console.print()


_SEATS_SHOWN = 9


def show_sharing(
    game_name: str, wager_name: str | None, typed: Sequence[str], decks: int | None, seats: int | None, *, as_json: bool
) -> int:
    """Print by number of seats what sharing makes of every percentage prize."""
    game = game_or_exit(game_name)
    wagers = game.jackpots if wager_name is None else (wager_of(game, wager_name),)
    if seats is not None and not 1 <= seats <= game.seats_max:
        raise fail(f"--seats {seats}: {game.title} has 1 to {game.seats_max} seats")
    tables = tables_of(game, wagers, typed)
    shared: list[tuple[Wager, tuple[SharedPrize, ...]]] = []
    with progress_bar() as progress:
        task = progress.add_task("", total=len(wagers))
        for wager in wagers:
            progress.update(task, description=f"{game.name} {wager.name}")
            try:
                paytables = {wager.name: tables.get(wager.name) or first_tables(game, wager)}
                shared.append((wager, shared_prizes(game, wager, stated_terms(game, paytables, decks=decks)[0])))
            except ValueError as error:
                raise fail(str(error)) from None
            progress.advance(task)
    if as_json:
        rows = [
            {"game": game.name, "wager": wager.name, **prize.as_json()} for wager, prizes in shared for prize in prizes
        ]
        print(json.dumps(rows, indent=2))
        return 0
    for wager, prizes in shared:
        _show_sharing(game, wager, prizes, seats)
    return 0


def _show_sharing(game: Game, wager: Wager, prizes: tuple[SharedPrize, ...], seats: int | None) -> None:
    console.print(f"[bold]{escape(game.title)}: {wager.name}[/]  every seat wagers; a prize hit twice is divided (G-4)")
    table = plain_table(
        "  prize", "of the meter>", "seats>", "chance of one seat>", "chance that any hits>", "lost by sharing>"
    )
    numbers = range(1, min(game.seats_max, _SEATS_SHOWN) + 1) if seats is None else (seats,)
    for prize in prizes:
        for number in numbers:
            table.add_row(
                f"  {prize.event}",
                f"{float(prize.share * 100):g}%",
                str(number),
                f"{float(prize.chance):.6e}",
                f"{float(prize.any_of[number - 1]):.6e}",
                f"{float(prize.lost(number)):.3e}",
            )
    console.print(table)
    console.print()


_RATIOS = ("1/5", "1/2", "1", "2", "5", "10")
_RATIO_LENGTH_MAX = 12


def show_together(
    game_name: str,
    wager_name: str | None,
    typed: Sequence[str],
    readings: Sequence[str],
    ratios: Sequence[str],
    *,
    fresh: bool,
    as_json: bool,
) -> int:
    """Print what both wagers bring at each ratio, and the ratio at which the player's expectation turns positive."""
    game = game_or_exit(game_name)
    wager = _sharing_wager(game, wager_name)
    stake_ratios = [_ratio(text) for text in ratios or _RATIOS]
    terms = _terms_of_both(game, wager, typed, readings)
    store = store_of(fresh=fresh)
    solved: list[Together] = []
    with progress_bar() as progress:
        task = progress.add_task(f"{game.name} {wager.name}", total=len(stake_ratios) + 1)
        try:
            for ratio in stake_ratios:
                solved.append(solve_together(game, wager, terms, ratio, store=store))
                progress.advance(task)
            turning = turning_ratio(game, wager, terms, store=store)
        except ValueError as error:
            raise fail(str(error)) from None
    if as_json:
        exact = None if turning is None else f"{turning.numerator}/{turning.denominator}"
        print(json.dumps({"ratios": [both.as_json() for both in solved], "turning_ratio": exact}, indent=2))
        return 0
    _show_together(game, wager, solved, turning)
    return 0


def _sharing_wager(game: Game, name: str | None) -> Wager:
    sharing = [wager for wager in game.wagers if wager.shares is not None]
    if name is not None:
        return wager_of(game, name)
    if not sharing:
        raise fail(f"no wager of {game.title} shares a decision with another")
    return sharing[0]


def _ratio(text: str) -> Fraction:
    try:
        ratio = Fraction(text) if len(text) <= _RATIO_LENGTH_MAX else Fraction(-1)
    except (ValueError, ZeroDivisionError):
        ratio = Fraction(-1)
    if ratio < 0:
        raise fail(f"--ratio {text!r} must be a number such as 5, 0.25 or 1/2")
    return ratio


def _terms_of_both(game: Game, wager: Wager, typed: Sequence[str], readings: Sequence[str]) -> Terms:
    shares = wager.shares
    if shares is None:
        raise fail(f"{wager.title} shares no decision with another wager")
    wagers = (wager, game.by_name[shares.main])
    tables = tables_of(game, wagers, typed)
    paytables = {part.name: tables.get(part.name) or first_tables(game, part) for part in wagers}
    try:
        return stated_terms(game, paytables, readings={shares.switch: shares.readings[0], **readings_of(readings)})[0]
    except ValueError as error:
        raise fail(str(error)) from None


def _show_together(game: Game, wager: Wager, solved: list[Together], turning: Fraction | None) -> None:
    first = solved[0]
    main = game.by_name[first.main]
    console.print(f"[bold]{game.title}: {wager.name} with {main.name}[/]  {', '.join(first.paytables)}")
    for name, reading in first.readings.items():
        console.print(f"  {name} = {reading}")
    table = plain_table(
        "  ratio of stakes", "expectation of both>", f"{main.name}>", f"{wager.name}>", "gained over apart>"
    )
    for both in solved:
        table.add_row(
            f"  {both.ratio} to 1",
            f"{float(both.ev):+.9f}",
            f"{float(both.main_ev):+.9f}",
            f"{float(both.side_ev):+.9f}",
            percent(both.gain or Fraction(0)),
        )
    console.print(table)
    if turning is None:
        console.print("  At no ratio is the player's expectation positive.")
    else:
        console.print(f"  Above {turning} to 1 (about {float(turning):.6f}) the player's expectation is positive.")
    console.print("  Per unit of the main wager; apart: the main wager played as if alone.")


def show_seen(
    game_name: str, kind: str | None, paytables: list[str], readings: list[str], *, fresh: bool, as_json: bool
) -> int:
    """Print what each kind of seen cards, or the one named, is worth in a game's main wager."""
    game = game_or_exit(game_name)
    main, kinds = game.main, kinds_of(game)
    if not kinds:
        raise fail(f"what seen cards are worth in {game.title} is not counted")
    if kind is not None and kind not in kinds:
        raise fail(f"{kind!r} is no kind of seen cards here; there is: {', '.join(kinds)}")
    tables = tables_of(game, (main,), paytables) or {main.name: first_tables(game, main)}
    try:
        terms, _ = stated_terms(game, tables, readings=readings_of(readings))
    except ValueError as error:
        raise fail(str(error)) from None
    chosen = [kind] if kind else list(kinds)
    with progress_bar() as progress:
        names = progress.track(chosen, description=f"{game.name} {main.name}")
        values = [seen_value(game, terms, name, store=store_of(fresh=fresh)) for name in names]
    if as_json:
        print(json.dumps([value.as_json() for value in values], indent=2))
    else:
        _show_seen(game, values)
    return 0


def _show_seen(game: Game, values: list[SeenValue]) -> None:
    plain = values[0].without
    console.print(f"[bold]{escape(game.title)}: {plain.wager}[/]  {escape(', '.join(plain.paytables))}", soft_wrap=True)
    for name, reading in plain.readings.items():
        console.print(f"  {name} = {reading}")
    table = plain_table("  seen", "edge>", "edge with>", "gain per unit>", "decision changes>")
    for value in values:
        table.add_row(
            f"  {value.kind}",
            percent(value.without.house_edge),
            percent(value.seeing.house_edge),
            f"{float(value.gain):+.9f}",
            percent(value.decision_changes),
        )
    console.print(table)
    for value in values:
        console.print(f"  {value.kind}: {value.words}", soft_wrap=True)
        console.print(f"    gain {value.gain}, of {value.seeing.events[0].of:,} deals")
        for change in value.changes:
            console.print(f"    {change.seeing} where it was {change.without}: {change.share}, {percent(change.share)}")
    console.print(f"  optimal play without and with them; terms {plain.terms_hash[:12]}")
