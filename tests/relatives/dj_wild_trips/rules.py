"""DJ Wild Trips: a bonus wager on five cards of 53, deuces and the joker wild, natural hands paying more."""

from __future__ import annotations

from pitboss.cards import JOKER_DECK, Card
from pitboss.poker import WILD_FIVE_CARD
from pitboss.rules import Seat, Slot, Wager
from pitboss.rules.outcomes import Events, settle_by_events
from pitboss.rules.wagers import Part
from tests.relatives.dj_wild_trips import facts
from tests.relatives.making import data_of, one_wager_game

_DATA = data_of(__package__)
_CLAUSES, _PAYTABLES, _ = _DATA


def _describe(seat: Seat, _board: tuple[Card, ...]) -> tuple[str, ...]:
    return (f"player {WILD_FIVE_CARD.hand(seat.cards).words}",)


GAME = one_wager_game(
    _DATA,
    Wager(
        name="trips",
        title="Trips",
        clause=_CLAUSES["trips"],
        words="Three of a kind or better, deuces and the joker wild.",
        slots=(Slot("trips", tuple(_PAYTABLES)),),
        parts=(Part("Trips"),),
        facts=facts.Ranked,
        bounds=(1 + len(facts.EVENTS),),
        read=facts.read_trips,
        settle=settle_by_events(part="Trips", events=Events(facts.EVENTS), slot="trips", one_prize=_CLAUSES["natural"]),
        base=True,
    ),
    name="dj-wild-trips",
    title="DJ Wild Trips",
    code="DJW",
    deck=JOKER_DECK,
    cards=5,
    dealer_cards=5,
    describe=_describe,
    loops="tests.relatives.dj_wild_trips.loops",
)
