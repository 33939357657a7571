"""Tests of the integer that is a card."""

import pitboss.cards
from pitboss.cards import (
    ACE,
    CLUBS,
    DEUCE,
    DIAMONDS,
    HEARTS,
    JOKER,
    KING,
    RANKS,
    SPADES,
    SUITS,
    TEN,
    rank_of,
    suit_of,
)


def test_rank_and_suit_of_every_card_give_the_card_back() -> None:
    for card in range(52):
        assert card == rank_of(card) * 4 + suit_of(card)
        assert DEUCE <= rank_of(card) <= ACE
        assert CLUBS <= suit_of(card) <= SPADES


def test_the_constants_of_ranks_are_their_places_in_the_notation() -> None:
    names = ["DEUCE", "THREE", "FOUR", "FIVE", "SIX", "SEVEN", "EIGHT", "NINE", "TEN", "JACK", "QUEEN", "KING", "ACE"]
    values = [getattr(pitboss.cards, name) for name in names]
    assert list(range(13)) == values
    assert "".join(RANKS[rank] for rank in (DEUCE, TEN, KING, ACE)) == "2TKA"


def test_the_constants_of_suits_are_their_places_in_the_notation() -> None:
    assert "".join(SUITS[suit] for suit in (CLUBS, DIAMONDS, HEARTS, SPADES)) == "cdhs"
    assert (CLUBS, DIAMONDS, HEARTS, SPADES) == (0, 1, 2, 3)


def test_the_joker_has_a_rank_of_its_own_above_the_ace() -> None:
    assert JOKER == 52
    assert rank_of(JOKER) == 13
    assert suit_of(JOKER) == 0


def test_every_public_function_and_class_is_explained() -> None:
    own = [value for value in vars(pitboss.cards).values() if getattr(value, "__module__", "") == "pitboss.cards"]
    public = [value for value in own if callable(value) and not value.__name__.startswith("_")]
    assert len(public) > 15
    assert [value for value in public if not value.__doc__] == []
