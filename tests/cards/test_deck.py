"""Tests of decks and of what they cannot deal."""

from collections import Counter
from dataclasses import FrozenInstanceError
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pitboss.cards import (
    JOKER,
    JOKER_DECK,
    STANDARD_DECK,
    Deck,
    cards_text,
    overdealt,
    parse_card,
    parse_cards,
)

DECKS = st.builds(Deck, decks=st.integers(1, 9), joker=st.booleans())


@pytest.mark.parametrize(
    ("deck", "size", "words"),
    [
        (STANDARD_DECK, 52, "one 52-card deck"),
        (JOKER_DECK, 53, "one 53-card deck with a joker"),
        (Deck(decks=6), 312, "six 52-card decks"),
        (Deck(decks=8), 416, "eight 52-card decks"),
        (Deck(decks=2, joker=True), 106, "two 53-card decks with a joker each"),
        (Deck(decks=12), 624, "twelve 52-card decks"),
        (Deck(decks=13), 676, "13 52-card decks"),
    ],
)
def test_size_and_words_of_a_deck(deck: Deck, size: int, words: str) -> None:
    assert size == deck.size == len(deck.cards)
    assert words == deck.words


def test_new_deck_order_goes_up_by_rank_then_suit_and_ends_with_the_joker() -> None:
    text = cards_text(JOKER_DECK.cards)
    assert text.startswith("2c 2d 2h 2s 3c 3d 3h 3s 4c ")
    assert text.endswith(" Kh Ks Ac Ad Ah As *")
    assert JOKER_DECK.cards[:52] == STANDARD_DECK.cards
    assert STANDARD_DECK.cards * 6 == Deck(decks=6).cards


@given(DECKS)
def test_copies_are_counted_from_the_cards(deck: Deck) -> None:
    counts = Counter(deck.cards)
    assert [counts[card] for card in range(-1, 55)] == [deck.copies(card) for card in range(-1, 55)]


@given(DECKS)
def test_a_deck_is_a_value_that_its_repr_rebuilds(deck: Deck) -> None:
    rebuilt = eval(repr(deck), {"Deck": Deck})  # noqa: S307 - it is our own repr
    assert deck == rebuilt
    assert hash(deck) == hash(rebuilt)
    assert Deck(decks=1) == STANDARD_DECK
    assert Deck(joker=True) == JOKER_DECK


def test_a_deck_cannot_be_changed() -> None:
    with pytest.raises(FrozenInstanceError):
        STANDARD_DECK.decks = 2  # type: ignore[misc]


@pytest.mark.parametrize("decks", [0, -1, 1.0, "6", None, True])
def test_a_number_of_decks_below_one_or_not_whole_is_refused(decks: Any) -> None:
    with pytest.raises(ValueError, match=r"decks is .*must be a whole number from 1"):
        Deck(decks=decks)


@pytest.mark.parametrize("joker", [0, 1, "yes", None])
def test_a_joker_that_is_neither_true_nor_false_is_refused(joker: Any) -> None:
    with pytest.raises(ValueError, match=r"joker is .*must be True or False"):
        Deck(joker=joker)


def test_a_whole_deck_is_not_overdealt_and_one_more_of_any_card_is() -> None:
    for deck in (STANDARD_DECK, JOKER_DECK, Deck(decks=6), Deck(decks=8)):
        assert overdealt(deck, deck.cards) == ()
        for card in set(deck.cards):
            assert (card,) == overdealt(deck, (*deck.cards, card))


def test_overdealt_cards_are_named_once_in_ascending_order() -> None:
    cards = parse_cards("As As As 2c Kd Kd 2c 5h")
    assert cards_text(overdealt(STANDARD_DECK, cards)) == "2c Kd As"
    assert cards_text(overdealt(Deck(decks=2), cards)) == "As"
    assert overdealt(Deck(decks=3), cards) == ()


def test_the_joker_is_overdealt_from_a_deck_without_one() -> None:
    assert overdealt(STANDARD_DECK, parse_cards("As *")) == (JOKER,)
    assert overdealt(Deck(decks=6), parse_cards("As *")) == (JOKER,)
    assert overdealt(JOKER_DECK, parse_cards("As *")) == ()
    assert overdealt(JOKER_DECK, parse_cards("As * *")) == (JOKER,)


def test_what_is_no_card_is_overdealt_from_every_deck() -> None:
    assert overdealt(Deck(decks=8, joker=True), [53, -1, parse_card("As")]) == (-1, 53)


@given(DECKS, st.lists(st.integers(-1, 54) | st.integers(48, 52), max_size=30))
def test_overdealt_agrees_with_counting_one_card_at_a_time(deck: Deck, cards: list[int]) -> None:
    left = list(deck.cards)
    missing = set()
    for card in cards:
        if card in left:
            left.remove(card)
        else:
            missing.add(card)
    assert tuple(sorted(missing)) == overdealt(deck, cards)
