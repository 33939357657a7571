"""A PAR sheet as a view: every text as it will be printed, every chart drawn; the template only lays it out."""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction
from itertools import accumulate
from typing import Any, TypeVar

from pitboss.odds.par import Sheet
from pitboss.odds.par.values import (
    JackpotFigures,
    SessionFigures,
    StrategyFigures,
    TableInForce,
    WagerFigures,
    write_text,
)
from pitboss.paper.charts import Bar, Step, bar_chart, histogram, line_chart
from pitboss.paper.par_definitions import NOTICE, definitions
from pitboss.paper.words import decimal, exact, money, odds_against, percent, percent_text, signed, whole

T = TypeVar("T")

__all__ = ["par_view"]

# Points: the width of the text on a Letter page, and of half of it.
_WIDTH, _HALF = 497, 242
_CHART_HEIGHT = 132
_BARS_MAX = 14
_NAMES_WIDTH_MAX, _LETTER_WIDTH = 215, 3.75


def par_view(sheet: Sheet) -> dict[str, Any]:
    """Make the view of a sheet."""
    title = sheet.identification.title
    wagers = [_wager(each) for each in sheet.wagers]
    return {
        "title": title,
        "headline": _listed([each.title for each in sheet.wagers]),
        "digest": sheet.digest,
        "made_by": f"Pitboss {sheet.identification.pitboss}",
        "identification": _identification(sheet),
        "summary": [_summary(each) for each in sheet.wagers],
        "letters": [f"{each.date}: {each.about}" for each in sheet.identification.letters],
        "rules": list(sheet.rules.words),
        "stages": [[each.words, each.place] for each in sheet.rules.stages],
        "rulings": _two_columns(
            [[each.place, each.words.replace("**", "").replace("`", "")] for each in sheet.rules.rulings],
            lambda ruling: len(ruling[1]) + 30,
        ),
        "readings": [
            {
                "name": each.name,
                "reading": each.reading,
                "words": each.words[:1].upper() + each.words[1:],
                "place": f"{each.clause}; ruling {each.ruling}",
                "quote": each.quote,
                "others": [[name, words] for name, words in each.others.items()],
            }
            for each in sheet.readings
        ],
        "tables": _two_columns([_table(each) for each in sheet.paytables], lambda table: len(table["rows"]) + 4),
        "wagers": wagers,
        "definitions": definitions(sheet),
        "notice": NOTICE.partition(";")[0] + ".",
        "json": write_text(sheet.as_json()),
    }


def _listed(titles: list[str]) -> str:
    return ", ".join(dict.fromkeys(titles))


def _identification(sheet: Sheet) -> list[list[str]]:
    known = sheet.identification
    rows = [
        ["Game", f"{known.title} ({sheet.inputs.game})"],
        ["Wagers", _listed([each.wager for each in sheet.wagers])],
        ["Played with", known.deck],
        ["Rules of play", known.document],
    ]
    if any(each.jackpot for each in sheet.wagers):
        rows.append(["Jackpots", sheet.inputs.jackpot_type])
    hashes = [["Terms", known.terms_hash], ["Code", known.code_version], ["Sheet", sheet.digest]]
    if known.configuration_hash is not None:
        hashes.insert(0, ["Configuration", known.configuration_hash])
    return [[*row, ""] for row in rows] + [[*row, "hash"] for row in hashes]


def _summary(wager: WagerFigures) -> dict[str, str]:
    return {
        "label": _label(wager),
        "title": wager.title[:1].upper() + wager.title[1:],
        "basis": _basis(wager),
        "tables": ", ".join(wager.paytables),
        "edge": percent(wager.house_edge),
        "risk": percent(wager.element_of_risk),
        "deviation": decimal(wager.std_dev, 4),
        "hits": percent(wager.hit_frequency, 3),
    }


def _label(wager: WagerFigures) -> str:
    return f"wager-{wager.wager}-{wager.basis}"


def _basis(wager: WagerFigures) -> str:
    if wager.basis == "alone":
        return ""
    return wager.basis.replace("-", " ", 1)


def _table(table: TableInForce) -> dict[str, Any]:
    notes = list(dict.fromkeys(row.note for row in table.rows if row.note))
    envy = any(row.envy_printed is not None for row in table.rows)
    return {
        "id": table.id,
        "wager": table.title,
        "source": f"{table.source}, odds {table.odds}",
        "document": table.document,
        "envy": envy,
        "rows": [
            [
                row.event,
                row.printed,
                row.pays,
                "" if row.envy is None else row.envy,
                "" if row.note is None else str(notes.index(row.note) + 1),
            ]
            for row in table.rows
        ],
        "notes": [[str(at), note] for at, note in enumerate(notes, start=1)],
    }


def _two_columns(parts: list[T], height: Callable[[T], int]) -> list[list[T]]:
    """Divide parts into two columns, the first at least as high as the second."""
    heights = [height(part) for part in parts]
    filled = list(accumulate(heights))
    first = sum(1 for so_far, own in zip(filled, heights, strict=True) if 2 * (so_far - own) < filled[-1])
    return [parts[:first], parts[first:]]


def _wager(wager: WagerFigures) -> dict[str, Any]:
    return {
        "label": _label(wager),
        "title": wager.title[:1].upper() + wager.title[1:],
        "basis": _basis(wager),
        "words": wager.words,
        "clause": wager.clause,
        "tables": ", ".join(wager.paytables) or "none",
        "terms": wager.terms_hash,
        "method": wager.method,
        "net": len(wager.chips) > 1,
        "figures": _figures(wager),
        "total": whole(wager.total),
        "events": [
            [
                each.event,
                each.pays.replace("-", "\u2212") if len(wager.chips) > 1 else each.pays,
                whole(each.count),
                decimal(each.probability, 10),
                odds_against(each.probability),
                signed(each.contribution, 9),
            ]
            for each in wager.events
        ],
        "sum": signed(wager.ev, 9),
        "bars": _bars(wager),
        "bars_words": _bars_words(wager),
        "decisions": [[[each.decision, percent(each.share)] for each in level] for level in wager.decisions],
        "bands": [[whole(each.rounds), percent(each.low, 2), percent(each.high, 2)] for each in wager.volatility.bands],
        "confidence": wager.volatility.confidence,
        "sessions": [_session(each) for each in wager.sessions],
        "jackpot": None if wager.jackpot is None else _jackpot(wager.jackpot),
        "strategy": None if wager.strategy is None else _strategy(wager.strategy),
    }


def _figures(wager: WagerFigures) -> list[list[str]]:
    volatility = wager.volatility
    rows = [
        ["Expectation per unit", signed(wager.ev, 9), exact(wager.ev)],
        ["Initial stake, units", decimal(wager.initial_stake, 0), exact(wager.initial_stake)],
        ["Return", percent(wager.returned), exact(wager.returned)],
        ["House edge", percent(wager.house_edge), exact(wager.house_edge)],
        ["Average total wager, units", decimal(wager.average_wager, 6), exact(wager.average_wager)],
        ["Element of risk", percent(wager.element_of_risk), exact(wager.element_of_risk)],
        ["Variance", decimal(wager.variance, 6), exact(wager.variance)],
        ["Standard deviation", wager.std_dev, "the root of the variance"],
        ["Hit frequency", percent(wager.hit_frequency), exact(wager.hit_frequency)],
        ["Volatility index", volatility.index, f"{decimal(volatility.deviations, 3)} deviations per initial stake"],
    ]
    if wager.jackpot is not None:
        rows += _jackpot_figures(wager.jackpot)
    return rows


def _jackpot_figures(jackpot: JackpotFigures) -> list[list[str]]:
    rows = [["Return of the fixed prizes", percent(jackpot.fixed_return), exact(jackpot.fixed_return)]]
    if jackpot.break_even_meter is not None:
        rows += [
            ["Return per dollar of meter", percent(jackpot.meter_coefficient, 8), exact(jackpot.meter_coefficient)],
            ["Break-even meter", f"${decimal(jackpot.break_even_meter, 2)}", f"${exact(jackpot.break_even_meter)}"],
        ]
    if jackpot.envy_per_hand is not None:
        rows.append(["Envy, per other hand", percent(jackpot.envy_per_hand), exact(jackpot.envy_per_hand)])
    top = f"one in {odds_against(jackpot.top_probability)}"
    rows.append([f"Top award: {jackpot.top_event}", top, exact(jackpot.top_probability)])
    return rows


def _most(wager: WagerFigures) -> list[Any]:
    """Choose the events that add or take most, in the order of the table."""
    heaviest = sorted(wager.events, key=lambda each: -abs(each.contribution))[:_BARS_MAX]
    return [each for each in wager.events if each in heaviest]


def _bars(wager: WagerFigures) -> str:
    bars = [Bar(each.event, float(each.contribution), signed(each.contribution, 6)) for each in _most(wager)]
    longest = max(len(bar.name) for bar in bars) * _LETTER_WIDTH + 8
    return bar_chart(bars, width=_WIDTH, names_width=min(longest, _NAMES_WIDTH_MAX))


def _bars_words(wager: WagerFigures) -> str:
    shown = len(_most(wager))
    which = "each event" if shown == len(wager.events) else f"the {shown} events that weigh most (all are in the table)"
    return f"What {which} adds to the expectation, in units of the base wager"


def _session(session: SessionFigures) -> dict[str, Any]:
    steps = []
    ends = [each.lowest for each in session.bins[1:]]
    for each, end in zip(session.bins, [*ends, session.bins[-1].highest], strict=True):
        steps.append(Step(float(each.lowest), float(end), float(each.share)))
    chart = histogram(
        _touching(session, steps),
        mean=float(session.mean),
        label="result in units",
        width=_HALF,
        height=_CHART_HEIGHT,
    )
    meter = "" if session.meter_cents is None else f", meter {money(session.meter_cents)}"
    over = f"over {decimal(session.range_max, 0)}"
    return {
        "rounds": f"{whole(session.rounds)} rounds{meter}",
        "chart": chart,
        "alt": f"Distribution of the result of {session.rounds} rounds",
        "chances": [
            ["ahead", percent(session.ahead, 2)],
            ["even", percent(session.even, 2)],
            ["behind", percent(session.behind, 2)],
        ],
        "mean": signed(session.mean, 2),
        "deviation": decimal(session.std_dev, 2),
        "quantiles": [
            [percent_text(each.probability), over if each.result is None else _units(each.result)]
            for each in session.quantiles
        ],
    }


def _units(value: Fraction) -> str:
    text = signed(value, 2)
    return text.removesuffix(".00")


def _touching(session: SessionFigures, steps: list[Step]) -> list[Step]:
    """Draw the last bar as wide as the others, each centred on the results it gathers."""
    if len(steps) < 2:
        return [Step(steps[0].left - 0.5, steps[0].right + 0.5, steps[0].height)]
    width = steps[0].right - steps[0].left
    count = len(session.bins)
    inner = float(session.bins[0].highest - session.bins[0].lowest)
    shift = (width - inner) / 2
    return [Step(step.left - shift, step.left - shift + width, step.height) for step in steps[:count]]


def _jackpot(jackpot: JackpotFigures) -> dict[str, Any]:
    chart = None
    if jackpot.break_even_meter is not None and len(jackpot.meters) > 1:
        chart = line_chart(
            [(each.meter_cents / 100, float(each.house_edge) * 100) for each in jackpot.meters],
            mark=float(jackpot.break_even_meter),
            marked=f"break-even ${decimal(jackpot.break_even_meter, 0)}",
            labels=("meter, dollars", "house edge, %"),
            width=_HALF,
            height=_CHART_HEIGHT,
        )
    return {
        "chart": chart,
        "rows": [
            [money(each.meter_cents), percent(each.returned), percent(each.house_edge), decimal(each.std_dev, 3)]
            for each in jackpot.meters
        ],
        "seats": [[whole(each.seats), percent(each.house_edge)] for each in jackpot.seats],
    }


def _strategy(strategy: StrategyFigures) -> dict[str, Any]:
    return {
        "decisions": [
            {
                "question": each.question,
                "lines": [[line.words, line.decision, percent(line.share, 2)] for line in each.lines],
            }
            for each in strategy.decisions
        ],
        "ev": signed(strategy.ev, 9),
        "ev_exact": exact(strategy.ev),
        "cost": percent(strategy.cost, 4),
        "cost_exact": exact(strategy.cost),
        "lines": whole(strategy.lines),
        "steps": [[whole(each.lines), signed(each.ev, 6), percent(each.cost, 4)] for each in strategy.steps],
    }
