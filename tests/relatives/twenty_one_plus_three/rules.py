"""21+3: facts and counts of Super Three Card's jackpot wager, paid 9 to 1 on all that wins, from one deck to eight."""

from __future__ import annotations

from pitboss.cards import STANDARD_DECK, Card
from pitboss.games.super_three_card import facts
from pitboss.poker import SHOE_THREE_CARD
from pitboss.rules import Seat, Slot, Wager
from pitboss.rules.facts import EventFacts
from pitboss.rules.outcomes import Events, settle_by_events
from pitboss.rules.wagers import Part
from tests.relatives.making import data_of, one_wager_game

_DATA = data_of(__package__)
_CLAUSES, _PAYTABLES, _ = _DATA


def _describe(seat: Seat, board: tuple[Card, ...]) -> tuple[str, ...]:
    return (f"the three cards {SHOE_THREE_CARD.hand((*seat.cards, *board)).words}",)


GAME = one_wager_game(
    _DATA,
    Wager(
        name="21-plus-3",
        title="21+3",
        clause=_CLAUSES["21+3"],
        words="A flush or better in the player's two cards and the dealer's up card.",
        slots=(Slot("21-plus-3", tuple(_PAYTABLES)),),
        parts=(Part("21+3"),),
        facts=EventFacts,
        bounds=(1 << len(facts.JACKPOT_EVENTS),),
        read=facts.read_jackpot,
        settle=settle_by_events(
            part="21+3", events=Events(facts.JACKPOT_EVENTS), slot="21-plus-3", one_prize=_CLAUSES["21+3"]
        ),
        base=True,
    ),
    name="twenty-one-plus-three",
    title="21+3",
    code="21+3",
    deck=STANDARD_DECK,
    cards=2,
    dealer_cards=1,
    describe=_describe,
    loops="pitboss.games.super_three_card.loops",
    decks_allowed=(1, 2, 4, 6, 8),
)
