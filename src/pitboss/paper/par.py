"""The PAR sheet as a PDF: every text as it will be printed, every chart drawn; the template only lays it out."""

from collections.abc import Callable
from fractions import Fraction
from itertools import accumulate
from typing import Any, TypeVar

from pitboss.odds.par import Sheet, values
from pitboss.paper.charts import Bar, HistogramBar, bar_chart, histogram, line_chart
from pitboss.paper.typesetting import pictures, typeset
from pitboss.paper.words import decimal, exact, money, odds_against, percent, percent_text, signed, whole

NOTICE = "Game names belong to their owners; Pitboss is not affiliated with them."

_EXACT = (
    "All counts are integers over one total of equally likely deals, and every figure is a fraction of integers until "
    "it is printed. What stands under About is that fraction rounded half away from zero; roots are rounded down. "
    "Nothing is sampled, and no exact figure has an error of rounding."
)
_UNIT = (
    "One unit is the base wager: an Ante, each of two equal wagers that stand together, one unit of a bonus wager, the "
    "fixed amount of a jackpot wager."
)
_PLAY = (
    "Every decision is optimal. Where two are worth exactly the same it is the smaller total wager, then the smaller "
    "variance, then the one listed first (ruling G-18)."
)
_STAKE = (
    "What is staked before any decision. House edge is the loss per initial stake, return is one less the edge, "
    "element of risk is the loss per average total wager."
)
_HITS = "The probability of being paid more than was staked; where odds are for 1, of being paid anything."
_SESSION = (
    "The exact distribution of one round convolved with itself in whole multiples of 2 to the power of minus 63, every "
    "product rounded down: a numerical figure, good to the places printed. Every round stakes one unit, and no "
    "bankroll ends the session. The result given for a probability is the least that is not exceeded with it; the "
    "dashed line is the mean."
)
_JACKPOTS = (
    "In every figure but those by meter, the meter and Envy count as zero. A share of the meter is counted whole, with "
    "no other winner. A session counts the meter in whole hundreds of dollars."
)
_STRATEGY = (
    "Found by search for lines that a person can use; its expectation and cost are exact, the cost being what it loses "
    "against optimal play per unit. Hands says how often a line decides."
)


def definitions(sheet: Sheet) -> list[list[str]]:
    """Explain the words and figures that this sheet uses."""
    volatility = sheet.wagers[0].volatility
    index = (
        f"{decimal(volatility.deviations, 3)} standard deviations of one round, per initial stake. After n rounds the "
        f"return lies within the index divided by the root of n of the return given here with {volatility.confidence} "
        "confidence, where n is large enough for a normal distribution."
    )
    entries = [
        ["Exact figures", _EXACT],
        ["Unit", _UNIT],
        ["Play", _PLAY],
        ["Initial stake", _STAKE],
        ["Hit frequency", _HITS],
        ["Volatility index", index],
        ["SessionFigures", _SESSION],
    ]
    if any(wager.jackpot for wager in sheet.wagers):
        entries.append(["Jackpots", _JACKPOTS])
    if any(wager.strategy for wager in sheet.wagers):
        entries.append(["Strategy", _STRATEGY])
    return [*entries, ["Names", NOTICE]]


T = TypeVar("T")


# Points: the width of the text on a Letter page, and of half of it.
_WIDTH, _HALF = 497, 242
_CHART_HEIGHT = 132
_BARS_MAX = 14
_NAMES_WIDTH_MAX, _LETTER_WIDTH = 215, 3.75


def par_view(sheet: Sheet) -> dict[str, Any]:
    """Make the view of a sheet."""
    title = sheet.identification.title
    wagers = [_wager(wager) for wager in sheet.wagers]
    return {
        "title": title,
        "headline": _listed([wager.title for wager in sheet.wagers]),
        "digest": sheet.digest,
        "made_by": f"Pitboss {sheet.identification.pitboss}",
        "identification": _identification(sheet),
        "summary": [_summary(wager) for wager in sheet.wagers],
        "letters": [f"{letter.date}: {letter.about}" for letter in sheet.identification.letters],
        "rules": list(sheet.rules.words),
        "stages": [[stage.words, stage.place] for stage in sheet.rules.stages],
        "rulings": _two_columns(
            [[ruling.place, ruling.words.replace("**", "").replace("`", "")] for ruling in sheet.rules.rulings],
            lambda ruling: len(ruling[1]) + 30,
        ),
        "readings": [
            {
                "name": reading.name,
                "reading": reading.reading,
                "words": reading.words[:1].upper() + reading.words[1:],
                "place": f"{reading.clause}; ruling {reading.ruling}",
                "quote": reading.quote,
                "others": [[name, words] for name, words in reading.others.items()],
            }
            for reading in sheet.readings
        ],
        "tables": _two_columns([_table(table) for table in sheet.paytables], lambda table: len(table["rows"]) + 4),
        "wagers": wagers,
        "definitions": definitions(sheet),
        "notice": NOTICE.partition(";")[0] + ".",
        "json": values.write_text(sheet.as_json()),
    }


def _listed(titles: list[str]) -> str:
    return ", ".join(dict.fromkeys(titles))


def _identification(sheet: Sheet) -> list[list[str]]:
    identification = sheet.identification
    rows = [
        ["Game", f"{identification.title} ({sheet.inputs.game})"],
        ["Wagers", _listed([wager.wager for wager in sheet.wagers])],
        ["Played with", identification.deck],
        ["Rules of play", identification.document],
    ]
    if any(wager.jackpot for wager in sheet.wagers):
        rows.append(["Jackpots", sheet.inputs.jackpot_type])
    hashes = [["Terms", identification.terms_hash], ["Code", identification.code_version], ["Sheet", sheet.digest]]
    if identification.configuration_hash is not None:
        hashes.insert(0, ["Configuration", identification.configuration_hash])
    return [[*row, ""] for row in rows] + [[*row, "hash"] for row in hashes]


def _summary(wager: values.WagerFigures) -> dict[str, str]:
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


def _label(wager: values.WagerFigures) -> str:
    return f"wager-{wager.wager}-{wager.basis}"


def _basis(wager: values.WagerFigures) -> str:
    if wager.basis == "alone":
        return ""
    return wager.basis.replace("-", " ", 1)


def _table(table: values.TableInForce) -> dict[str, Any]:
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


def _wager(wager: values.WagerFigures) -> dict[str, Any]:
    return {
        "label": _label(wager),
        "title": wager.title[:1].upper() + wager.title[1:],
        "basis": _basis(wager),
        "words": wager.words,
        "clause": wager.clause,
        "tables": ", ".join(wager.paytables) or "none",
        "terms": wager.terms_hash,
        "method": wager.method,
        "limit": None if wager.limit is None else f"{wager.limit.posted} It {wager.limit.words}.",
        "net": len(wager.chips) > 1,
        "figures": _figures(wager),
        "total": whole(wager.total),
        "events": [
            [
                event.event,
                event.pays.replace("-", "\u2212") if len(wager.chips) > 1 else event.pays,
                whole(event.count),
                decimal(event.probability, 10),
                odds_against(event.probability),
                signed(event.contribution, 9),
            ]
            for event in wager.events
        ],
        "sum": signed(wager.ev, 9),
        "bars": _bars(wager),
        "bars_words": _bars_words(wager),
        "decisions": [[[choice.decision, percent(choice.share)] for choice in level] for level in wager.decisions],
        "bands": [[whole(band.rounds), percent(band.low, 2), percent(band.high, 2)] for band in wager.volatility.bands],
        "confidence": wager.volatility.confidence,
        "sessions": [_session(session) for session in wager.sessions],
        "jackpot": None if wager.jackpot is None else _jackpot(wager.jackpot),
        "strategy": None if wager.strategy is None else _strategy(wager.strategy),
    }


def _figures(wager: values.WagerFigures) -> list[list[str]]:
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
    if wager.limit is not None and wager.limit.house_edge is not None:
        edge, stake = wager.limit.house_edge, money(wager.limit.stake_cents)
        rows.append([f"House edge at {stake} with the payout limit", percent(edge), exact(edge)])
    return rows


def _jackpot_figures(jackpot: values.JackpotFigures) -> list[list[str]]:
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


def _most(wager: values.WagerFigures) -> list[Any]:
    """Choose the events that add or take most, in the order of the table."""
    heaviest = sorted(wager.events, key=lambda event: -abs(event.contribution))[:_BARS_MAX]
    return [event for event in wager.events if event in heaviest]


def _bars(wager: values.WagerFigures) -> str:
    bars = [Bar(event.event, float(event.contribution), signed(event.contribution, 6)) for event in _most(wager)]
    longest = max(len(bar.name) for bar in bars) * _LETTER_WIDTH + 8
    return bar_chart(bars, width=_WIDTH, names_width=min(longest, _NAMES_WIDTH_MAX))


def _bars_words(wager: values.WagerFigures) -> str:
    count = len(_most(wager))
    which = "each event" if count == len(wager.events) else f"the {count} events that weigh most (all are in the table)"
    return f"What {which} adds to the expectation, in units of the base wager"


def _session(session: values.SessionFigures) -> dict[str, Any]:
    steps = []
    ends = [part.lowest for part in session.bins[1:]]
    for part, end in zip(session.bins, [*ends, session.bins[-1].highest], strict=True):
        steps.append(HistogramBar(float(part.lowest), float(end), float(part.share)))
    chart = histogram(
        _touching(session, steps), mean=float(session.mean), label="result in units", width=_HALF, height=_CHART_HEIGHT
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
            [percent_text(quantile.probability), over if quantile.result is None else _units(quantile.result)]
            for quantile in session.quantiles
        ],
    }


def _units(value: Fraction) -> str:
    text = signed(value, 2)
    return text.removesuffix(".00")


def _touching(session: values.SessionFigures, steps: list[HistogramBar]) -> list[HistogramBar]:
    """Draw the last bar as wide as the others, each centred on the results it gathers."""
    if len(steps) < 2:
        return [HistogramBar(steps[0].left - 0.5, steps[0].right + 0.5, steps[0].height)]
    width = steps[0].right - steps[0].left
    count = len(session.bins)
    inner = float(session.bins[0].highest - session.bins[0].lowest)
    shift = (width - inner) / 2
    return [HistogramBar(step.left - shift, step.left - shift + width, step.height) for step in steps[:count]]


def _jackpot(jackpot: values.JackpotFigures) -> dict[str, Any]:
    chart = None
    if jackpot.break_even_meter is not None and len(jackpot.meters) > 1:
        chart = line_chart(
            [(meter.meter_cents / 100, float(meter.house_edge) * 100) for meter in jackpot.meters],
            mark=float(jackpot.break_even_meter),
            marked=f"break-even ${decimal(jackpot.break_even_meter, 0)}",
            labels=("meter, dollars", "house edge, %"),
            width=_HALF,
            height=_CHART_HEIGHT,
        )
    return {
        "chart": chart,
        "rows": [
            [money(meter.meter_cents), percent(meter.returned), percent(meter.house_edge), decimal(meter.std_dev, 3)]
            for meter in jackpot.meters
        ],
        "seats": [[whole(row.seats), percent(row.house_edge)] for row in jackpot.seats],
    }


def _strategy(strategy: values.StrategyFigures) -> dict[str, Any]:
    return {
        "decisions": [
            {
                "question": decision.question,
                "lines": [[line.words, line.decision, percent(line.share, 2)] for line in decision.lines],
            }
            for decision in strategy.decisions
        ],
        "ev": signed(strategy.ev, 9),
        "ev_exact": exact(strategy.ev),
        "cost": percent(strategy.cost, 4),
        "cost_exact": exact(strategy.cost),
        "lines": whole(strategy.lines),
        "steps": [[whole(step.lines), signed(step.ev, 6), percent(step.cost, 4)] for step in strategy.steps],
    }


_TEMPLATE = "par_sheet.typ"


def par_pdf(sheet: Sheet) -> bytes:
    """Typeset a PAR sheet; the same sheet gives the same bytes, and carries its JSON as an attachment."""
    return typeset(_TEMPLATE, par_view(sheet))


def par_pictures(sheet: Sheet, ppi: float = 100) -> list[bytes]:
    """Typeset a PAR sheet as pictures of its pages."""
    return pictures(_TEMPLATE, par_view(sheet), ppi)
