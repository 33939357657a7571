"""Placards: what must be posted at a table, one sign a page, in the sizes of the frames that rooms buy."""

from typing import Any

from pitboss.paper.words import money
from pitboss.papers.posted import Told, capital, limits, players_conduct, prize_sentences
from pitboss.papers.source import PaperSource
from pitboss.table.checks import options_sentence

ON_REQUEST = "The rules of play and our internal controls are available on request."
"""What every room offers (REGULATION W-12, P-06)."""


def _sign(title: str, lines: list[str], source: str, rows: list[list[str]] | None = None) -> dict[str, Any]:
    return {"title": title, "lines": lines, "rows": rows or [], "source": source}


def _restrictions(source: PaperSource, name: str) -> list[Told]:
    """How the prizes of a jackpot are paid; Envy stands with its prizes on the rack card."""
    return [told for told in prize_sentences(source, name) if not told.text.startswith("Envy")]


def placards(source: PaperSource) -> dict[str, Any]:
    """Return the view of all placards of a table."""
    configuration, game, posting = source.configuration, source.game, source.posting_rule
    signs = [
        _sign(
            "Table limits",
            [options_sentence(source.rules, money)],
            f"{posting}; G-12",
            [list(row) for row in limits(source)],
        )
    ]
    if configuration.aggregate_limits:
        clause = game.clauses.get(game.approval.aggregate_limits)
        demanded = f"{clause.id}; {posting}" if clause else posting
        signs.append(_sign("Payout limit", list(configuration.limit_sentences), demanded))
    for name in configuration.jackpots:
        is_bonus = configuration.jackpot_type == "bonus"
        sentences = [*source.notices.get(name, ()), *(told.text for told in _restrictions(source, name))]
        rule = "REGULATION J-06" if is_bonus else "REGULATION J-10; T-20; J-17"
        kind = "Bonus Jackpot" if is_bonus else "Progressive jackpot"
        title = ": ".join(dict.fromkeys((capital(game.by_name[name].title), kind)))
        signs.append(_sign(title, sentences, f"{rule}; G-1; G-4"))
    conduct = players_conduct(source)
    if conduct:
        clauses = "; ".join(dict.fromkeys(rule.clause.id for rule in conduct))
        signs.append(_sign("At this table", [rule.words for rule in conduct], clauses))
    words = source.words
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
