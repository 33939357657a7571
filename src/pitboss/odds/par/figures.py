"""The content of a PAR sheet: figures from the exact odds, and the rules, readings and pay tables in force."""

from collections.abc import Mapping, Sequence
from fractions import Fraction
from importlib.metadata import version
from itertools import accumulate, count
from math import gcd, lcm
from typing import Any

import numpy

from pitboss import law
from pitboss.odds.compiled import source_hash
from pitboss.odds.decimals import decimal_text, root_text
from pitboss.odds.limited import price_limit
from pitboss.odds.par import values
from pitboss.odds.results import OddsResult
from pitboss.odds.store import OddsStore
from pitboss.rules import Game, PostedRow, Slot, Terms, Wager, limit_words, pays_by_row, posted_rows
from pitboss.rules.pays import Dollars, ForOne, NotApplicable, OfMeter, ToOne
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
    limit: values.LimitFigures | None = None,
) -> values.WagerFigures:
    """Collect every figure of a wager."""
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
        limit=limit,
    )


def limit_figures(
    game: Game, wager: Wager, terms: Terms, configuration: Configuration, store: OddsStore | None
) -> values.LimitFigures | None:
    """Price the aggregate payout limit that a table states for a wager, at its largest stake (G-65)."""
    if wager.name not in terms.aggregate_limits:
        return None
    stake = configuration.limits(wager.name)[1]
    price = price_limit(game, wager, terms, stake, seats=configuration.seats, store=store)
    return values.LimitFigures(
        posted=limit_words(wager.title, price.limit),
        words=price.words,
        stake_cents=price.stake_cents,
        largest_cents=price.largest_cents,
        binds_from_cents=price.binds_from_cents,
        house_edge=None if price.limited is None else price.limited.house_edge,
        cost=price.cost,
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
        _table(game, wager, terms, slot) for wager in wagers for slot in wager.slots if slot.name in terms.tables
    )


def _table(game: Game, wager: Wager, terms: Terms, slot: Slot) -> values.TableInForce:
    table = terms.tables[slot.name]
    printed = game.paytables[table.printed_id]
    posted = posted_rows(wager, slot, terms)
    return values.TableInForce(
        id=table.id,
        wager=wager.name,
        title=wager.heading(slot),
        odds=f"{table.odds} 1",
        source=table.source.id,
        document=table.source.document,
        rows=tuple(
            values.TableRow(
                event=row.event,
                printed=row.printed,
                pays=_pays_words(row, posted),
                envy_printed=row.envy_printed,
                envy=None if row.envy_printed is None else str(row.envy or "-"),
                note=_SET_BY_OPERATOR if _is_set(first, row) else _reading_note(row, posted),
            )
            for first, row in zip(printed.rows, table.rows, strict=True)
        ),
    )


def _is_set(printed: Row, row: Row) -> bool:
    return (printed.pay, printed.envy) != (row.pay, row.envy)


def _pays_words(row: Row, posted: Sequence[PostedRow]) -> str:
    """What the settlement pays on a printed row, kind by kind where the reading in force divides it."""
    if isinstance(row.pay, NotApplicable):
        return str(row.pay)
    return pays_by_row(posted).get(row.event, str(row.pay))


def _reading_note(row: Row, posted: Sequence[PostedRow]) -> str | None:
    """Return the note that a printed prize is not paid, or not on every hand, because a clause is read so."""
    if not isinstance(row.pay, ToOne | ForOne | Dollars | OfMeter):
        return None
    paid = {kind.is_paid for kind in posted if kind.printed == row.event}
    if paid == {True, False}:
        return _NOT_ALWAYS_PAID
    return _NOT_PAID if paid == {False} else None


_BITS = 63
_ONE = 1 << _BITS
# More points than this take too long; pays so fine that they need them have no session.
POINTS_MAX = 40_000
# A range of so many times what is first staked in all rounds.
_RANGE_STAKES = 5
_BINS_MAX = 32
_PLACES = 8
PROBABILITIES = tuple(Fraction(percent, 100) for percent in (1, 5, 25, 50, 75, 95, 99))
_FIRST_BIN = Fraction(1, 1000)
_LAST_BINS = (Fraction(99, 100), Fraction(95, 100))


def _step(nets: list[Fraction]) -> Fraction:
    """Return the largest step in which all these results lie on one lattice."""
    apart = [net - nets[0] for net in nets[1:] if net != nets[0]]
    if not apart:
        return Fraction(1)
    below = lcm(*(difference.denominator for difference in apart))
    return Fraction(gcd(*(int(difference * below) for difference in apart)), below)


def _product(first: Any, second: Any, points: int) -> Any:
    """Multiply two polynomials of shares exactly, as two large integers, and round every coefficient down."""
    number = int.from_bytes(_spaced(first), "little") * int.from_bytes(_spaced(second), "little")
    length = len(first) + len(second) - 1
    words = numpy.frombuffer(number.to_bytes(16 * length, "little"), dtype="<u8").reshape(length, 2)[:points]
    return words[:, 1] << numpy.uint64(64 - _BITS) | words[:, 0] >> numpy.uint64(_BITS)


def _spaced(shares: Any) -> bytes:
    """Write shares so far apart that no product reaches the next one: all of them sum to at most one."""
    spaced = numpy.zeros((len(shares), 2), dtype="<u8")
    spaced[:, 0] = shares
    return spaced.tobytes()


def distribution(outcomes: Mapping[Fraction, Fraction], rounds: int, top: Fraction) -> tuple[Fraction, Fraction, Any]:
    """Return the lowest result that counts, the step, and the share of each result up to the top, times 2**63."""
    lowest = min(outcomes) * rounds
    nets = sorted(net for net in outcomes if net - min(outcomes) <= top - lowest)
    step = _step(nets)
    points = int((top - lowest) / step) + 1
    if points > POINTS_MAX:
        raise ValueError(f"{points} results are too many for a session")
    largest = int((nets[-1] - nets[0]) / step) + 1
    # Every share but the largest is rounded down; the largest takes up what that leaves.
    whole = {net: int(share * _ONE) for net, share in outcomes.items()}
    whole[max(whole, key=lambda net: whole[net])] += _ONE - sum(whole.values())
    one = numpy.zeros(largest, dtype=numpy.uint64)
    for net in nets:
        one[int((net - nets[0]) / step)] = whole[net]
    first, shares = 0, one
    for bit in bin(rounds)[3:]:
        first, shares = _from_first(2 * first, _product(shares, shares, max(points - 2 * first, 1)))
        if bit == "1":
            shares = _product(shares, one, max(points - first, 1))
    return lowest + first * step, step, shares


def _from_first(first: int, shares: Any) -> tuple[int, Any]:
    """Leave out the worst results, whose share is less than the last bit."""
    missing = int(numpy.argmax(shares > 0))
    return first + missing, shares[missing:]


def session(
    outcomes: Mapping[Fraction, Fraction], rounds: int, stake: Fraction, meter_cents: int | None = None
) -> values.SessionFigures | None:
    """Return how the result of so many rounds is distributed, or None where the pays are too fine."""
    mean = sum((net * share for net, share in outcomes.items()), Fraction(0))
    square = sum((net * net * share for net, share in outcomes.items()), Fraction(0))
    top = _RANGE_STAKES * rounds * stake
    try:
        lowest, step, distributed = distribution(outcomes, rounds, top)
    except ValueError:
        return None
    shares = [int(share) for share in distributed]
    sums = list(accumulate(shares))
    even = (-lowest) / step
    at_zero = shares[int(even)] if even.denominator == 1 and 0 <= even < len(shares) else 0
    behind = sum(share for index, share in enumerate(shares) if lowest + index * step < 0)
    return values.SessionFigures(
        rounds=rounds,
        meter_cents=meter_cents,
        mean=mean * rounds,
        std_dev=root_text((square - mean * mean) * rounds, 6),
        ahead=_share(_ONE - behind - at_zero),
        even=_share(at_zero),
        behind=_share(behind),
        range_max=top,
        above=_share(_ONE - sums[-1]),
        quantiles=tuple(values.Quantile(probability=p, result=_result(sums, p, lowest, step)) for p in PROBABILITIES),
        bins=_bins(shares, sums, lowest, step),
    )


def _share(units: int) -> str:
    return decimal_text(Fraction(units, _ONE), _PLACES)


def _place(sums: list[int], probability: Fraction) -> int | None:
    """Find the first result at or under which this probability lies."""
    return next((index for index, units in enumerate(sums) if units >= probability * _ONE), None)


def _result(sums: list[int], probability: Fraction, lowest: Fraction, step: Fraction) -> Fraction | None:
    index = _place(sums, probability)
    return None if index is None else lowest + index * step


def _bins(shares: list[int], sums: list[int], lowest: Fraction, step: Fraction) -> tuple[values.Bin, ...]:
    """Gather the middle of the distribution into bins of equally many results."""
    start = _place(sums, _FIRST_BIN) or 0
    ends = (_place(sums, probability) for probability in _LAST_BINS)
    stop = next((end for end in ends if end is not None), len(shares) - 1)
    width = -((start - stop - 1) // _BINS_MAX)
    return tuple(
        values.Bin(
            lowest=lowest + index * step,
            highest=lowest + (index + width - 1) * step,
            share=_share(sum(shares[index : index + width])),
        )
        for index in range(start, stop + 1, width)
    )
