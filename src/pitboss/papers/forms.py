"""Forms for floor and cage: blank for a table, or with what the books know of a jackpot or a malfunction."""

import datetime
from collections.abc import Iterable, Mapping, Sequence
from typing import Any, TypeAlias
from zoneinfo import ZoneInfo

from pitboss import law
from pitboss.books import EPOCH, ROOM, BookState, RefusedError
from pitboss.commands.description import day_words, moment_words
from pitboss.games import find_game
from pitboss.jackpot.hits.history import Story
from pitboss.jackpot.hits.thresholds import Demand
from pitboss.jackpot.hits.values import Hit, HitState
from pitboss.jackpot.state import local_day
from pitboss.jackpot.titles import jackpot_title
from pitboss.paper.words import money
from pitboss.papers import document
from pitboss.papers.document import BLANK, Block
from pitboss.papers.source import PaperSource
from pitboss.reports import ReportRow, Scope, make_report
from pitboss.reports.catalogue.equipment import TableLog
from pitboss.reports.render import clock_text, days_in_words
from pitboss.reports.state import ACCOUNTING, Share
from pitboss.rules import full_words
from pitboss.tabulator import TABLES
from pitboss.tabulator.table_log import log_of
from pitboss.tabulator.values import Malfunction

Facts: TypeAlias = Mapping[str, str]
"""What is written into the fields of a form, by their labels; the others are lines to write on."""
_HEAD = ("Date and time", "Gaming day and shift", "Table", "Game")
_CHECKS = (
    "Light of the seat was on",
    "Cards on the felt",
    "Surveillance has seen the hand",
    "Deck counted down and in order",
)


def _fields(labels: Iterable[str], facts: Facts) -> Block:
    return document.fields((label, facts.get(label, BLANK)) for label in labels)


def _verification(facts: Facts, jackpots: Sequence[str], ticked: Sequence[str] = ()) -> list[Block]:
    return [
        document.heading("Jackpot verification"),
        _fields(_HEAD, facts),
        document.boxes("Jackpot", jackpots, ticked),
        _fields(("Round", "Seat", "Hand", "Row of the pay table", "Amount on the meter", "Prize"), facts),
        document.boxes("Checked", _CHECKS, ticked),
        document.signatures(facts.get(role, role) for role in ("Dealer", "Floor supervisor", "Surveillance")),
    ]


def _slip(facts: Facts) -> list[Block]:
    return [
        document.heading("Jackpot slip"),
        document.paragraph("Only while Pitboss cannot print the slip."),
        _fields((*_HEAD, "Slip number", "Seat", "Gross", "Tax withheld", "Net", "Net in words"), facts),
        document.boxes("Paid", ["in cash or chips", "by check"]),
        document.signatures(["Dealer", "Supervisor", "Cashier", "Player"]),
    ]


_WINNER = ("Winner's name", "Address", "Taxpayer number", "First identification", "Second identification")
_WINNINGS = ("Date won", "Type of wager", "Amount wagered", "Winnings", "Federal tax withheld", "Net paid", "Slip")
_SHARERS = 4


def _tax(facts: Facts, shares: Sequence[Share] = ()) -> list[Block]:
    rows = [[share.winner, "on file" if share.taxpayer_number else "not given", money(share.cents)] for share in shares]
    rows += [[" ", " ", " "]] * max(0, _SHARERS - len(rows))
    return [
        document.heading("W-2G data sheet"),
        _fields((*_HEAD, *_WINNER, *_WINNINGS), facts),
        document.heading("Form 5754: persons who share the prize", 3),
        document.grid(["Name and address", "Taxpayer number", "Share>"], rows),
        document.signatures(["Person who received the winnings", "Cashier"]),
    ]


def _reported_to(day: datetime.date, profile: str) -> Block:
    """To whom a malfunction is reported, and until when; rooms that no rule binds keep the same time."""
    hours, is_bound = law.value_kept("malfunction_report_within_hours", day, profile)
    if is_bound:
        return document.paragraph(f"To the commission within {hours} hours of knowing.", "REGULATION O-02")
    return document.paragraph(f"To the Tribal Gaming Agency, within {hours} hours of knowing unless it asks otherwise.")


def _malfunction(facts: Facts, day: datetime.date, profile: str) -> list[Block]:
    return [
        document.heading("Malfunction report"),
        _reported_to(day, profile),
        _fields(_HEAD, facts),
        _fields(("Equipment", "Known since", "Known by", "Report due by", "Reported, reference"), facts),
        *([document.paragraph(facts["What happened"])] if "What happened" in facts else []),
        document.lines("What happened, and what was done", 5),
        document.signatures(["Reported by", "Manager"]),
    ]


def _dispute(facts: Facts) -> list[Block]:
    return [
        document.heading("Dispute record"),
        _fields((*_HEAD, "Player", "Seat and round", "Cards", "Wagers", "Paid", "Claimed"), facts),
        document.lines("What each side says", 4),
        document.lines("Decision and clause", 3),
        document.signatures(["Supervisor", "Player"]),
    ]


_LOG_HEAD = ("Gaming day", "Table", "Game", "Shuffler", "Decks in play")
_LOG_COLUMNS = ("Time", "What", "Deck, shuffler or equipment", "Name", "Approved by", "Notes")
_LOG_LINES = 14


def _table_log(facts: Facts, rows: Sequence[Sequence[str]] = ()) -> list[Block]:
    lines = list(rows) or [[" "] * len(_LOG_COLUMNS)] * _LOG_LINES
    return [
        document.heading("Table log"),
        document.paragraph(
            "Opened and closed, each dealer, each deck inspected, washed, put into play and taken out, the shuffler, "
            "equipment out of service and back.",
            "REGULATION O-15",
        ),
        _fields(_LOG_HEAD, facts),
        document.grid(_LOG_COLUMNS, lines),
        document.signatures(["Floor supervisor", "Manager"]),
    ]


def _pages(sheets: Iterable[list[Block]]) -> list[Block]:
    blocks: list[Block] = []
    for sheet in sheets:
        blocks += [*([document.new_page()] if blocks else []), *sheet]
    return blocks


def forms(source: PaperSource) -> dict[str, Any]:
    """Return the view of all forms of a table, each beginning a page."""
    facts = {"Table": source.table, "Game": source.game.title}
    titles = [source.game.by_name[name].title for name in source.configuration.jackpots]
    sheets = [_verification(facts, titles), _slip(facts), _tax(facts)] if titles else []
    sheets += [
        _malfunction(facts, source.configuration.on, source.configuration.profile),
        _dispute(facts),
        _table_log(facts),
    ]
    return {"title": "Forms", "subtitle": source.game.title, "blocks": _pages(sheets)}


def _when(state: BookState, instant: int) -> dict[str, str]:
    """The head of a form: when something happened by the room's clocks, and the gaming day and shift that it was in."""
    facts, calendar = {"Date and time": moment_words(state, instant)}, state.of(ROOM)
    if calendar is not None:
        time = EPOCH + datetime.timedelta(microseconds=instant)
        day = calendar.gambling_day(time)
        shift = next((shift.name for shift in calendar.shifts(day) if shift.begins <= time < shift.ends), "")
        facts["Gaming day and shift"] = f"{day_words(day)}, {shift}"
    return facts


def _people(hit: Hit) -> dict[str, str]:
    """Who signs: those who did the steps, by the line that they sign on."""
    places = {"call": "Dealer", "verify": "Floor supervisor", "surveil": "Surveillance"}
    return {places[done.step]: f"{places[done.step]}: {done.person}" for done in hit.done if done.step in places}


def _ticked(hit: Hit, title: str, seat: int) -> list[str]:
    steps, paper = {done.step for done in hit.done[hit.since :]}, hit.paper(seat)
    checked = [_CHECKS[0], _CHECKS[1]] if "verify" in steps else []
    checked += [_CHECKS[2]] if "surveil" in steps else []
    return [title, *checked, *([_CHECKS[3]] if paper is not None and paper.deck_checked else [])]


def _tax_facts(state: BookState, hit: Hit, seat: int, title: str) -> dict[str, str]:
    won, paper, demands = hit.prize(seat), hit.paper(seat), hit.demands.get(seat)
    assert won is not None
    facts = {
        "Date won": moment_words(state, hit.done[0].happened),
        "Type of wager": title,
        "Amount wagered": money(hit.wager_cents),
        "Winnings": money(won.cents),
    }
    if paper is None or demands is None:
        return facts
    withheld = demands.withheld(has_taxpayer_number=paper.taxpayer_number)
    labels = ("First identification", "Second identification")
    return facts | {
        "Winner's name": paper.winner,
        "Taxpayer number": "" if paper.taxpayer_number else "Not given: backup withholding",
        "Federal tax withheld": money(withheld),
        "Net paid": money(won.cents - withheld),
        "Slip": f"{paper.slip:06d}",
        **dict(zip(labels, paper.identification, strict=False)),
    }


def hit_forms(state: BookState, story: Story) -> dict[str, Any]:
    """Return the forms of a jackpot with what the books know of it: verification by prize, and W-2G where one is due.

    Of identification the books have what they keep (G-70); the taxpayer number is written by hand.
    """
    hit, verified = story.hit, story.verified
    game = find_game(story.called.details["game"])
    title, shared = jackpot_title(state, hit.jackpot), state.of(ACCOUNTING).shared
    sheets = []
    for won in hit.won:
        facts = _when(state, hit.done[0].happened) | _people(hit)
        facts |= {"Table": hit.table, "Game": game.title, "Round": str(hit.round), "Seat": str(won.seat)}
        facts |= {"Hand": "" if verified is None else verified.cards.get(str(won.seat), "")}
        facts |= {"Row of the pay table": full_words(won.row), "Amount on the meter": money(hit.meter_cents)}
        facts |= {"Prize": money(won.cents)}
        sheets.append(_verification(facts, [title], _ticked(hit, title, won.seat)))
        demands = hit.demands.get(won.seat)
        if demands is not None and Demand.W2G in demands:
            facts |= _tax_facts(state, hit, won.seat, f"{game.title}, {title}")
            sheets.append(_tax(facts, shared.get(f"{hit.number}-{won.seat}", ())))
    blocks = _pages(sheets)
    if hit.state is HitState.REJECTED:
        blocks.insert(0, document.notice(f"Rejected: {hit.done[-1].words}"))
    return {"title": f"Jackpot {hit.number}", "subtitle": game.title, "blocks": blocks}


def malfunction_form(state: BookState, malfunction: Malfunction, game: str) -> dict[str, Any]:
    """Return the report of a malfunction with what the books know of it, and until when it is due."""
    facts = _when(state, malfunction.known) | {
        "Table": malfunction.table,
        "Game": game,
        "Equipment": "" if malfunction.place is None else "Position {}, sensor {}".format(*malfunction.place),
        "Known since": moment_words(state, malfunction.known),
        "Known by": malfunction.by,
        "Report due by": moment_words(state, malfunction.due),
        "What happened": malfunction.words,
    }
    if malfunction.reported is not None:
        facts["Reported, reference"] = f"{moment_words(state, malfunction.reported)}, {malfunction.reference}"
    profile = state.of(TABLES).tables[malfunction.table].setup.profile
    blocks = _malfunction(facts, local_day(state, malfunction.known), profile)
    return {"title": f"Malfunction {malfunction.number}", "subtitle": game, "blocks": blocks}


def _logged(row: ReportRow, zone: ZoneInfo) -> list[str]:
    """One line of the log: the hour without the day, which stands at the top."""
    _, recorded, _, *cells = row.cells
    assert isinstance(recorded, int)
    return [clock_text(recorded, zone).rpartition(", ")[2], *(days_in_words(str(cell)) for cell in cells)]


def table_log_form(scope: Scope) -> dict[str, Any]:
    """Return the log of one table on one gambling day with what the books know; a day without entries says so."""
    table, state = scope.request.table or "", scope.closing
    log, record = log_of(state), state.of(TABLES).tables.get(table)
    if record is None:
        raise RefusedError([f"table {table} was not set up by {day_words(scope.period.first_day)}"])
    game, shuffler = find_game(record.setup.game).title, log.shufflers.get(table)
    facts = {
        "Gaming day": day_words(scope.period.first_day),
        "Table": table,
        "Game": game,
        "Shuffler": "None on file" if shuffler is None else f"{shuffler.model}, {shuffler.maker}: {shuffler.approval}",
        "Decks in play": ", ".join(deck.deck for deck in log.in_play(table)) or "None",
    }
    rows = [_logged(row, scope.zone) for row in make_report(scope, TableLog.name).rows]
    nothing = ["", "Nothing was logged on this day", *[""] * (len(_LOG_COLUMNS) - 2)]
    blocks = _table_log(facts, rows or [nothing])
    return {"title": f"Table {table}", "subtitle": f"{game}, {facts['Gaming day']}", "blocks": blocks}
