"""Forms for floor and cage: what is filled in by hand when the screens are not at hand, with what the room knows."""

from typing import Any

from pitboss.papers import document
from pitboss.papers.document import BLANK, Block
from pitboss.papers.source import PaperSource

_HEAD = ("Date and time", "Gambling day and shift", "Table", "Game")


def _head(source: PaperSource) -> Block:
    values = [BLANK, BLANK, source.table, source.game.title]
    return document.fields(zip(_HEAD, values, strict=True))


def _verification(source: PaperSource) -> list[Block]:
    jackpots = [source.game.by_name[name].title for name in source.configuration.jackpots]
    return [
        document.heading("Jackpot verification"),
        _head(source),
        document.boxes("Jackpot", jackpots),
        document.fields((label, BLANK) for label in ("Seat", "Hand", "Row of the pay table", "Amount")),
        document.boxes(
            "Checked",
            [
                "Light of the seat was on",
                "Cards on the felt",
                "Surveillance has seen the hand",
                "Deck counted down and in order",
            ],
        ),
        document.signatures(["Dealer", "Floor supervisor", "Surveillance"]),
    ]


def _slip(source: PaperSource) -> list[Block]:
    return [
        document.heading("Jackpot slip"),
        _head(source),
        document.fields(
            (label, BLANK) for label in ("Slip number", "Seat", "Gross", "Tax withheld", "Net", "Net in words")
        ),
        document.boxes("Paid", ["in cash or chips", "by check"]),
        document.signatures(["Dealer", "Supervisor", "Cashier", "Player"]),
    ]


def _tax(source: PaperSource) -> list[Block]:
    labels = ("Winner's name", "Address", "Taxpayer number", "First identification", "Second identification")
    money = ("Date won", "Type of wager", "Amount wagered", "Reportable winnings", "Federal tax withheld")
    return [
        document.heading("W-2G data sheet"),
        _head(source),
        document.fields((label, BLANK) for label in (*labels, *money)),
        document.heading("Form 5754: persons who share the prize", 3),
        document.grid(["Name and address", "Taxpayer number", "Share"], [[" ", " ", " "]] * 4),
        document.signatures(["Person who received the winnings", "Cashier"]),
    ]


def _malfunction(source: PaperSource) -> list[Block]:
    return [
        document.heading("Malfunction report"),
        document.paragraph("To the commission within 72 hours of knowing.", "REGULATION O-02"),
        _head(source),
        document.fields(
            (label, BLANK) for label in ("Equipment", "Known since", "Report due by", "Reported, reference")
        ),
        document.lines("What happened, and what was done", 5),
        document.signatures(["Reported by", "Manager"]),
    ]


def _dispute(source: PaperSource) -> list[Block]:
    return [
        document.heading("Dispute record"),
        _head(source),
        document.fields((label, BLANK) for label in ("Player", "Seat and round", "Cards", "Wagers", "Paid", "Claimed")),
        document.lines("What each side says", 4),
        document.lines("Decision and clause", 3),
        document.signatures(["Supervisor", "Player"]),
    ]


def _table_log(source: PaperSource) -> list[Block]:
    columns = ["Time", "Deck in / out", "Inspected", "Washed", "Shuffler", "Name"]
    return [document.heading("Table log"), _head(source), document.grid(columns, [[" "] * len(columns)] * 14)]


def forms(source: PaperSource) -> dict[str, Any]:
    """Return the view of all forms of a table, each beginning a page."""
    sheets = [_verification, _slip, _tax] if source.configuration.jackpots else []
    blocks: list[Block] = []
    for sheet in (*sheets, _malfunction, _dispute, _table_log):
        blocks += [*([document.new_page()] if blocks else []), *sheet(source)]
    return {"title": "Forms", "subtitle": source.game.title, "blocks": blocks}
