"""What the relatives share: their data read from their folders, and the game that a single wager makes."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from importlib.resources import files
from typing import Any

from pitboss.cards import Card, Deck
from pitboss.law import Clauses, load_clauses
from pitboss.rules import CardPlace, Face, Game, PayTable, Question, Seat, Stage, StageKind, Wager
from pitboss.rules.game import Approval, Board, load_approval
from pitboss.rules.paytables import load_paytables
from pitboss.rules.stages import Decisions

__all__ = ["APPROVAL", "Data", "data_of", "one_wager_game"]

APPROVAL: Approval = load_approval(files(__package__) / "approval.toml")
Data = tuple[Clauses, dict[str, PayTable], str]


def data_of(package: str | None) -> Data:
    """The clauses, the pay tables and the words of a relative's folder."""
    folder = files(package or "")
    clauses = load_clauses(folder / "clauses.toml")
    paytables = load_paytables(folder / "paytables.toml", clauses)
    return clauses, paytables, (folder / "words.md").read_text(encoding="utf-8")


def _asks_nothing(_seat: Seat, _readings: Mapping[str, str]) -> Question | None:
    return None


def _no_choices(_decisions: Decisions, _cards: tuple[Card, ...]) -> tuple[int, ...]:
    return ()


def one_wager_game(
    data: Data,
    wager: Wager,
    *,
    name: str,
    title: str,
    code: str,
    deck: Deck,
    cards: int,
    dealer_cards: int,
    describe: Callable[[Seat, tuple[Card, ...]], tuple[str, ...]],
    loops: str,
    tables: Callable[[], Any] = lambda: None,
    decks_allowed: tuple[int, ...] = (),
) -> Game:
    """A game without decisions: so many cards to each seat and to the dealer, and one wager settled on them."""
    clauses, paytables, words = data
    deal = clauses["deal"]
    return Game(
        name=name,
        title=title,
        code=code,
        deck=deck,
        decks_allowed=decks_allowed,
        board=Board("dealer", dealer_cards),
        wagers=(wager,),
        stages=(
            Stage(kind=StageKind.DEAL, clause=deal, words="cards to each seat", faces=(Face.OWN,) * cards),
            Stage(
                kind=StageKind.DEAL,
                clause=deal,
                words="cards to the dealer",
                who=CardPlace.BOARD,
                faces=(Face.UNSEEN,) * dealer_cards,
            ),
            Stage(kind=StageKind.SHOW, clause=deal, words="the dealer shows", who=CardPlace.BOARD),
            Stage(kind=StageKind.SHOW, clause=deal, words="the players show"),
            Stage(kind=StageKind.SETTLE, clause=wager.clause, words="take or pay", wagers=(wager.name,)),
        ),
        decisions=(),
        question=_asks_nothing,
        choices=_no_choices,
        tables=tables,
        paytables=paytables,
        clauses=clauses,
        approval=APPROVAL,
        describe=describe,
        words=words,
        loops=loops,
    )
