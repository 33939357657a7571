"""The content of a PAR sheet: figures from the exact odds, and the rules, readings and pay tables in force."""

from collections.abc import Sequence
from fractions import Fraction
from importlib.metadata import version
from itertools import count
from typing import Any

from pitboss import law
from pitboss.odds.compiled import source_hash
from pitboss.odds.decimals import decimal_text, root_text
from pitboss.odds.par import values
from pitboss.odds.par.session import session
from pitboss.odds.results import OddsResult
from pitboss.rules import Game, PayTable, Terms, Wager
from pitboss.rules.facts import codes
from pitboss.rules.pays import Dollars, ForOne, OfMeter, ToOne
from pitboss.rules.paytables import Row
from pitboss.table import Configuration

SESSION_ROUNDS = (100, 1_000)
# Nine of ten normal results lie within so many deviations.
_CONFIDENCE, _DEVIATIONS = "90 %", Fraction(1645, 1000)
_BAND_ROUNDS = (1_000, 10_000, 100_000, 1_000_000)
_BAND_PLACES = 6
_GRID_PARTS = 8
# A session counts the meter in whole hundreds of dollars, so that shares of it are whole dollars.
_SESSION_METER_CENTS = 100_00


def wager_figures(
    game: Game,
    wager: Wager,
    terms: Terms,
    result: OddsResult,
    *,
    meters_cents: Sequence[int] = (),
    strategy: values.StrategyFigures | None = None,
) -> values.WagerFigures:
    """Put every figure of a wager together."""
    return values.WagerFigures(
        wager=wager.name,
        title=wager.title,
        words=wager.words,
        clause=wager.clause.id,
        chips=tuple(part.name for part in wager.parts),
        basis=result.basis,
        paytables=result.paytables,
        method=result.method,
        terms_hash=result.terms_hash,
        ev=result.ev,
        initial_stake=result.initial_stake,
        returned=1 - result.house_edge,
        house_edge=result.house_edge,
        average_wager=result.average_wager,
        element_of_risk=result.element_of_risk,
        variance=result.variance,
        std_dev=result.std_dev(),
        hit_frequency=result.hit_frequency,
        total=result.events[0].of,
        events=tuple(
            values.EventFigures(
                event=event.event,
                pays=event.pays,
                count=event.count,
                of=event.of,
                probability=event.probability,
                contribution=event.contribution,
            )
            for event in result.events
        ),
        decisions=tuple(
            tuple(
                values.DecisionShare(decision=_decision(game, at, name), share=share) for name, share in level.items()
            )
            for at, level in enumerate(result.decisions)
            if level
        ),
        volatility=_volatility(result),
        jackpot=_jackpot(game, wager, terms, result, meters_cents) if wager.jackpot else None,
        sessions=_sessions(wager, terms, result, meters_cents),
        strategy=strategy,
    )


def _decision(game: Game, at: int, name: str) -> str:
    """Name an answer that is only a number by what it answers: raise 3."""
    return f"{game.decisions[at]} {name}" if name.isdigit() and at < len(game.decisions) else name


def _volatility(result: OddsResult) -> values.Volatility:
    variance = result.variance * _DEVIATIONS**2 / result.initial_stake**2
    returned = 1 - result.house_edge
    bands = []
    for rounds in _BAND_ROUNDS:
        # The half width is rounded down to the last place before it is taken off and added.
        half = Fraction(root_text(variance / rounds, _BAND_PLACES))
        bands.append(
            values.Band(
                rounds=rounds,
                low=decimal_text(returned - half, _BAND_PLACES),
                high=decimal_text(returned + half, _BAND_PLACES),
            )
        )
    return values.Volatility(
        confidence=_CONFIDENCE, deviations=_DEVIATIONS, index=root_text(variance, _BAND_PLACES), bands=tuple(bands)
    )


def _outcomes(wager: Wager, terms: Terms, result: OddsResult, meter_cents: int) -> dict[Fraction, Fraction]:
    """Return the distribution of what one round wins per unit staked, the meter counted."""
    stake_cents = terms.jackpot_wager_cents.get(wager.name, 100)
    outcomes: dict[Fraction, Fraction] = {}
    for event in result.events:
        net = event.net + event.share * meter_cents / stake_cents
        outcomes[net] = outcomes.get(net, Fraction(0)) + event.probability
    return outcomes


def _jackpot(
    game: Game, wager: Wager, terms: Terms, result: OddsResult, meters_cents: Sequence[int]
) -> values.JackpotFigures:
    coefficient = result.meter_coefficient or Fraction(0)
    break_even = result.break_even_meter
    meters = {*meters_cents, *meter_grid(break_even)} if break_even is not None else set()
    top = result.events[0]
    seats = range(1, game.seats_max + 1) if result.envy_per_hand else ()
    return values.JackpotFigures(
        wager_cents=terms.jackpot_wager_cents.get(wager.name, 100),
        fixed_return=result.fixed_return,
        meter_coefficient=coefficient,
        break_even_meter=break_even,
        top_event=top.event,
        top_probability=top.probability,
        meters=tuple(_at_meter(wager, terms, result, meter) for meter in sorted(meters)),
        envy_per_hand=result.envy_per_hand,
        seats=tuple(values.AtSeats(seats=number, house_edge=result.edge_at(seats=number)) for number in seats),
    )


def _at_meter(wager: Wager, terms: Terms, result: OddsResult, meter_cents: int) -> values.AtMeter:
    edge = result.edge_at(meter_cents=meter_cents)
    ev = -edge * result.initial_stake
    outcomes = _outcomes(wager, terms, result, meter_cents)
    square = sum((net * net * share for net, share in outcomes.items()), Fraction(0))
    return values.AtMeter(
        meter_cents=meter_cents, ev=ev, returned=1 - edge, house_edge=edge, std_dev=root_text(square - ev * ev, 6)
    )


def meter_grid(break_even: Fraction) -> list[int]:
    """Choose round meters from nothing to half as much again as the break-even meter, in cents."""
    top = break_even * 3 / 2
    steps = (digit * 10**power for power in count() for digit in (1, 2, 5))
    step = next(amount for amount in steps if amount * _GRID_PARTS >= top)
    return [index * step * 100 for index in range(_GRID_PARTS + 1) if (index - 1) * step < top or not index]


def _sessions(
    wager: Wager, terms: Terms, result: OddsResult, meters_cents: Sequence[int]
) -> tuple[values.SessionFigures, ...]:
    meter: int | None = None
    if wager.jackpot and result.break_even_meter is not None:
        meter_cents = meters_cents[0] if meters_cents else max(int(result.break_even_meter * 100), 0)
        meter = meter_cents // _SESSION_METER_CENTS * _SESSION_METER_CENTS
    outcomes = _outcomes(wager, terms, result, meter or 0)
    sessions = (session(outcomes, rounds, result.initial_stake, meter) for rounds in SESSION_ROUNDS)
    return tuple(figures for figures in sessions if figures is not None)


def strategy_figures(trade: Any) -> values.StrategyFigures:
    """Return a strategy and the trade it was chosen from as figures of a sheet."""
    chosen = trade.recommended
    return values.StrategyFigures(
        decisions=tuple(
            values.DecisionChart(
                question=decision.question,
                lines=tuple(
                    values.StrategyLine(words=line.words, decision=line.decision, share=line.share)
                    for line in decision.lines
                ),
            )
            for decision in chosen.decisions
        ),
        lines=chosen.lines,
        ev=chosen.ev,
        cost=chosen.cost,
        steps=tuple(values.StrategyStep(lines=step.lines, ev=step.ev, cost=step.cost) for step in trade.steps),
    )


_SET_BY_OPERATOR = "set by the operator"
_NOT_PAID = "not paid under the reading in force"
_NOT_ALWAYS_PAID = "paid only as the reading in force says"


def identify(game: Game, terms: Terms, configuration: Configuration | None) -> values.Identification:
    """Return what the sheet describes and which code made it."""
    documents = sorted({clause.document for clause in game.clauses.values()})
    return values.Identification(
        title=game.title,
        deck=terms.deck.words,
        document=", ".join(documents),
        letters=tuple(
            values.SheetLetter(date=str(letter.date), about=letter.about) for letter in game.approval.letters
        ),
        terms_hash=terms.content_hash,
        configuration_hash=None if configuration is None else configuration.content_hash,
        pitboss=version("pitboss"),
        code_version=source_hash(),
    )


def rules_in_force(game: Game) -> values.RulesInForce:
    """Return the rules in short; a ruling's text is as RULINGS.md has it."""
    paragraphs = game.words.strip().split("\n\n")
    return values.RulesInForce(
        words=tuple(" ".join(paragraph.split()) for paragraph in paragraphs),
        stages=tuple(values.RuleInForce(place=stage.clause.id, words=stage.words) for stage in game.stages),
        rulings=tuple(
            values.RuleInForce(place=ruling.id, words=". ".join(part for part in (ruling.title, ruling.text) if part))
            for ruling in law.rulings().values()
            if ruling.game_code == game.code
        ),
    )


def readings_in_force(game: Game, terms: Terms, wagers: Sequence[Wager]) -> tuple[values.ReadingInForce, ...]:
    """Return how each disputed clause that concerns these wagers is read."""
    concerned = {name for wager in wagers for name in wager.switches}
    concerned |= {wager.envy.switch for wager in wagers if wager.envy is not None}
    return tuple(
        values.ReadingInForce(
            name=switch.name,
            reading=terms.readings[switch.name],
            words=switch.readings[terms.readings[switch.name]],
            clause=switch.clause.id,
            quote=" ".join(switch.clause.quote.split()),
            ruling=switch.ruling,
            others={
                reading: words for reading, words in switch.readings.items() if reading != terms.readings[switch.name]
            },
        )
        for switch in game.switches
        if switch.name in concerned
    )


def tables_in_force(game: Game, terms: Terms, wagers: Sequence[Wager]) -> tuple[values.TableInForce, ...]:
    """Return the pay tables of these wagers, every row as printed and as it is paid."""
    return tuple(
        _table(game, wager, terms, terms.tables[slot.name])
        for wager in wagers
        for slot in wager.slots
        if slot.name in terms.tables
    )


def _table(game: Game, wager: Wager, terms: Terms, table: PayTable) -> values.TableInForce:
    printed = game.paytables[table.id]
    unpaid = _reading_notes(wager, terms, table)
    return values.TableInForce(
        id=table.id,
        wager=wager.name,
        title=wager.title,
        odds=f"{table.odds} 1",
        source=table.source.id,
        document=table.source.document,
        rows=tuple(
            values.TableRow(
                event=row.event,
                printed=row.printed,
                pays="loss" if unpaid.get(row.event) == _NOT_PAID else str(row.pay),
                envy_printed=row.envy_printed,
                envy=None if row.envy_printed is None else str(row.envy or "-"),
                note=_SET_BY_OPERATOR if _is_set(first, row) else unpaid.get(row.event),
            )
            for first, row in zip(printed.rows, table.rows, strict=True)
        ),
    )


def _is_set(printed: Row, row: Row) -> bool:
    return (printed.pay, printed.envy) != (row.pay, row.envy)


def _reading_notes(wager: Wager, terms: Terms, table: PayTable) -> dict[str, str]:
    """Find the rows with a prize that the settlement does not pay, or not always, because a clause is read so."""
    if not wager.switches:
        return {}
    prizes = {row.event: row.pay for row in table.rows if isinstance(row.pay, ToOne | ForOne | Dollars | OfMeter)}
    paid: dict[str, set[bool]] = {}
    for code in codes(wager.bounds):
        outcome = wager.outcome_of_code(code, terms)
        if outcome.paytable == table.id and outcome.event in prizes:
            prize = prizes[outcome.event]
            paid.setdefault(outcome.event, set()).add(any(prize in part.prizes for part in outcome.parts))
    words = {False: _NOT_PAID, True: _NOT_ALWAYS_PAID}
    return {event: words[True in readings] for event, readings in paid.items() if False in readings}
