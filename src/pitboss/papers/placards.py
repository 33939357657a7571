"""Placards: what must be posted at a table, one sign a page, in the sizes of the frames that rooms buy."""

from typing import Any

from pitboss.paper.words import money
from pitboss.papers.posted import limits, players_conduct
from pitboss.papers.source import PaperSource
from pitboss.table.checks import options_sentence

ON_REQUEST = "The rules of play and our internal controls are available on request."
"""What every room offers (REGULATION W-12)."""


def _sign(title: str, lines: list[str], source: str, rows: list[list[str]] | None = None) -> dict[str, Any]:
    return {"title": title, "lines": lines, "rows": rows or [], "source": source}


def placards(source: PaperSource) -> dict[str, Any]:
    """Return the view of all placards of a table."""
    configuration, game = source.configuration, source.game
    signs = [
        _sign(
            "Table limits",
            [options_sentence(source.rules, money)],
            "REGULATION W-01; G-12",
            [list(row) for row in limits(source)],
        )
    ]
    if configuration.aggregate_limits:
        signs.append(_sign("Payout limit", list(configuration.limit_sentences), "DW step 16; REGULATION W-12"))
    for name in configuration.jackpots:
        sentences = list(source.notices.get(name, ()))
        if sentences:
            kind = "Bonus Jackpot" if configuration.jackpot_type == "bonus" else "Progressive jackpot"
            rule = "REGULATION J-06" if configuration.jackpot_type == "bonus" else "REGULATION J-10; T-20; J-17"
            signs.append(_sign(f"{game.by_name[name].title}: {kind}", sentences, rule))
    conduct = players_conduct(source)
    if conduct:
        clauses = "; ".join(dict.fromkeys(rule.clause.id for rule in conduct))
        signs.append(_sign("At this table", [rule.words for rule in conduct], clauses))
    words, posting = source.words, "REGULATION W-12"
    signs.append(
        _sign("Questions about a payout", [words.disputes, ON_REQUEST], posting)
        if words.disputes
        else _sign("Rules of play", [ON_REQUEST], posting)
    )
    if words.employees:
        signs.append(_sign("Employee play", [words.employees], posting))
    if words.responsible:
        signs.append(_sign("Responsible gambling", [words.responsible], ""))
    return {"title": game.title, "signs": signs}
