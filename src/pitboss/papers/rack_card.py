"""The rack card: how a game is played, what every wager pays, the limits and the jackpot, for players to take along."""

from typing import Any

from pitboss.paper.words import money, percent
from pitboss.papers.document import in_columns
from pitboss.papers.posted import (
    PaperTable,
    capital,
    hand_order,
    highest_only,
    limit_text,
    paper_tables,
    players_conduct,
    prize_sentences,
)
from pitboss.papers.source import PaperSource
from pitboss.table.checks import options_sentence


def _table(source: PaperSource, table: PaperTable) -> dict[str, Any]:
    wager, is_jackpot = source.game.by_name[table.wager], table.wager in source.configuration.jackpots
    about = "" if wager is source.game.main else wager.words
    return {
        "title": capital(table.title),
        "limit": limit_text(source, table.wager),
        "condition": table.condition or about,
        "envy": table.has_envy,
        "rows": [row._asdict() for row in table.rows],
        "jackpot": is_jackpot,
        "told": [told.text for told in prize_sentences(source, table.wager)] if is_jackpot else [],
    }


_COLUMNS = 3


def _fan(source: PaperSource) -> list[str]:
    """The longest hand of the steps, without cards that are face down, for the head of the card."""
    hands = [[card for card in step.cards if card != "??"] for step in source.game.how_to_play]
    return max(hands, key=len, default=[])


def _placed(source: PaperSource) -> list[str]:
    """The chips that are placed before the deal, by the names of their spots."""
    wagers = [source.game.by_name[name] for name in source.configuration.offered]
    return [part.name for wager in wagers for part in wager.parts if part.placed({})]


def rack_card(source: PaperSource) -> dict[str, Any]:
    """Return the view of the rack card; with the house edge of each wager where the room chooses to print it."""
    game, shown = source.game, [_table(source, table) for table in paper_tables(source)]
    order = hand_order(source)
    notices = dict.fromkeys(text for name in source.configuration.jackpots for text in source.notices.get(name, ()))
    return {
        "title": game.title,
        "fan": _fan(source),
        "deck": capital(game.deck_of(source.configuration.decks).words),
        "steps": [
            {
                "title": step.title,
                "words": step.words,
                "cards": list(step.cards),
                "dealer": list(step.dealer),
                "spots": [] if place else _placed(source),
            }
            for place, step in enumerate(game.how_to_play)
        ],
        "columns": in_columns(shown, _COLUMNS),
        "halves": in_columns(shown, 2),
        "conduct": [
            *([order.text] if order else []),
            highest_only(source).text,
            *(rule.words for rule in players_conduct(source)),
        ],
        "rules": [options_sentence(source.rules, money), *source.configuration.limit_sentences],
        "notices": list(notices),
        "edges": [
            {"title": capital(game.by_name[name].title), "edge": percent(edge, 2)}
            for name, edge in source.edges.items()
        ],
    }
