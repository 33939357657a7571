"""Tests of cards as text and in words."""

import re
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pitboss.cards import (
    ACE,
    DEUCE,
    JOKER,
    RANKS,
    SIX,
    SPADES,
    CardError,
    card_text,
    card_words,
    cards_text,
    parse_card,
    parse_cards,
    rank_word,
    suit_word,
)

EXPECTED = "; a card is a rank (23456789TJQKA, or 10 for T) and a suit (cdhs), such as As or Td, or * for the joker"
CARDS = st.integers(0, JOKER)


def test_every_card_is_read_back_from_its_text() -> None:
    texts = [card_text(card) for card in range(JOKER + 1)]
    assert len(set(texts)) == 53
    assert list(range(JOKER + 1)) == [parse_card(text) for text in texts]


@given(st.lists(CARDS))
def test_cards_are_read_back_from_their_text_apart_or_run_together(
    cards: list[int],
) -> None:
    text = cards_text(cards)
    assert tuple(cards) == parse_cards(text)
    assert tuple(cards) == parse_cards(text.replace(" ", ""))
    assert tuple(cards) == parse_cards(text.split())
    assert text == cards_text(parse_cards(text))


@given(st.data())
def test_every_spelling_and_separator_reads_the_same_card(data: st.DataObject) -> None:
    cards = data.draw(st.lists(CARDS, min_size=1))
    text = ""
    for card in cards:
        spelling = "*"
        if card != JOKER:
            rank, suit = tuple(card_text(card))
            ranks = [rank, rank.lower()] + (["10"] if rank == "T" else [])
            suits = [suit, suit.upper(), "♣♦♥♠"["cdhs".index(suit)]]
            spelling = data.draw(st.sampled_from(ranks))
            spelling += data.draw(st.sampled_from(suits))
        assert card == parse_card(spelling)
        text += spelling + data.draw(st.sampled_from(["", " ", ",", ", ", "\n", " ,\t"]))
    assert tuple(cards) == parse_cards(text)


@given(st.text(alphabet="23456789TJQKAtjqka10cdhsCDHS♣♦♥♠* ,x"))
def test_any_text_is_read_as_cards_that_print_alike_or_refused(text: str) -> None:
    try:
        cards = parse_cards(text)
    except CardError:
        with pytest.raises(CardError, match=re.escape(EXPECTED) + "$"):
            parse_cards(text)
    else:
        assert cards == parse_cards(cards_text(cards))


@given(st.text())
def test_any_text_is_one_card_or_refused(text: str) -> None:
    try:
        card = parse_card(text)
    except CardError:
        pass
    else:
        assert card in range(JOKER + 1)


@pytest.mark.parametrize(
    ("text", "card"),
    [
        ("2c", 0),
        ("As", 51),
        ("aS", 51),
        ("AS", 51),
        ("as", 51),
        ("A♠", 51),
        ("a♠", 51),
        ("Tc", 32),
        ("tC", 32),
        ("10c", 32),
        ("10♣", 32),
        ("3♦", 5),
        ("Q♥", 42),
        ("*", 52),
    ],
)
def test_a_card_is_read_in_every_form_accepted(text: str, card: int) -> None:
    assert card == parse_card(text)


@pytest.mark.parametrize(
    "text",
    ["As Kd Tc", "As,Kd,Tc", " As , Kd\tTc,", "AsKdTc", "AsKd Tc", "asKD10C", "A♠K♦10♣"],
)
def test_cards_in_one_text_are_read_however_they_stand_apart(text: str) -> None:
    assert parse_cards(text) == (51, 45, 32)


def test_no_text_is_no_cards() -> None:
    assert () == parse_cards("") == parse_cards(" , ") == parse_cards([])
    assert cards_text([]) == ""


def test_cards_are_written_one_space_apart_and_the_joker_as_a_star() -> None:
    assert cards_text(parse_cards(("As", "Kd", "*"))) == "As Kd *"


@pytest.mark.parametrize("text", ["", "A", "s", "1c", "0c", "As ", " As", "AsKd", "sA", "Ax", "joker", "**"])
def test_what_is_not_one_card_is_refused_by_name(text: str) -> None:
    with pytest.raises(CardError) as caught:
        parse_card(text)
    assert f"{text!r} is not a card{EXPECTED}" == str(caught.value)


@pytest.mark.parametrize("look_alike", ["\u212as", "A\u017f", "\uff21s", "\u0410s"])
def test_letters_that_only_look_like_a_rank_or_suit_are_refused(look_alike: str) -> None:
    for parse in (parse_card, parse_cards):
        with pytest.raises(CardError):
            parse(look_alike)


@pytest.mark.parametrize("value", [None, 51, 1.5, ["As"], {"As": 1}, b"As"])
def test_what_is_not_text_is_refused_by_name(value: Any) -> None:
    with pytest.raises(CardError) as caught:
        parse_card(value)
    assert f"{value!r} is not a card{EXPECTED}" == str(caught.value)


@pytest.mark.parametrize(
    ("value", "bad"),
    [
        ("Kx", "'Kx' is not a card"),
        ("As Kx 1c Td", "'Kx', '1c' are not cards"),
        ("AsKxTd", "'Kx' is not a card"),
        ("AsKxTd9yz 4c", "'Kx', '9yz' are not cards"),
        ("A As", "'A' is not a card"),
        ("zz As zz", "'zz' is not a card"),
        ("110c", "'1' is not a card"),
        (["As", "Kx", "AsKd", ""], "'Kx', 'AsKd', '' are not cards"),
        (["As", None, 7, ["Kd"]], "None, 7, ['Kd'] are not cards"),
        (None, "None is not a card"),
        (51, "51 is not a card"),
        ({"As": 1}, "{'As': 1} is not a card"),
        (b"As", "65, 115 are not cards"),
    ],
)
def test_all_that_is_not_a_card_is_named_in_one_message(value: Any, bad: str) -> None:
    with pytest.raises(CardError) as caught:
        parse_cards(value)
    assert bad + EXPECTED == str(caught.value)


@pytest.mark.parametrize("value", ["x" * 10**6, ["x" * 10**6], [["x"] * 10**5], None])
def test_a_message_stays_short_whatever_was_sent(value: Any) -> None:
    with pytest.raises(CardError) as caught:
        parse_cards(value)
    assert len(str(caught.value)) < 300


@pytest.mark.parametrize("value", [-1, 53, 1000, None, "As", [1]])
def test_what_is_not_a_card_is_not_written(value: Any) -> None:
    for say in (card_text, card_words):
        with pytest.raises(CardError) as caught:
            say(value)
        assert f"{value!r} is not a card; cards are 0 to 52" == str(caught.value)
    with pytest.raises(CardError):
        cards_text([0, value])


def test_ranks_in_words_one_and_many() -> None:
    assert (
        " ".join(rank_word(rank) for rank in range(13))
        == "deuce three four five six seven eight nine ten jack queen king ace"
    )
    assert (
        " ".join(rank_word(rank, plural=True) for rank in range(13))
        == "deuces threes fours fives sixes sevens eights nines tens jacks queens kings aces"
    )
    assert rank_word(SIX, True) == "sixes"
    assert RANKS[DEUCE] + RANKS[ACE] == "2A"


def test_suits_and_cards_in_words() -> None:
    assert [suit_word(s) for s in range(4)] == ["clubs", "diamonds", "hearts", "spades"]
    assert suit_word(SPADES) == "spades"
    assert card_words(parse_card("As")) == "ace of spades"
    assert card_words(parse_card("2c")) == "deuce of clubs"
    assert card_words(parse_card("Th")) == "ten of hearts"
    assert card_words(JOKER) == "joker"
    assert len({card_words(card) for card in range(53)}) == 53


@pytest.mark.parametrize("value", [-1, 13, None, "A"])
def test_what_is_not_a_rank_or_suit_has_no_word(value: Any) -> None:
    with pytest.raises(CardError, match=r"is not a rank; ranks are 0 \(deuce\) to 12"):
        rank_word(value)
    with pytest.raises(CardError, match=r"is not a suit; suits are 0 \(clubs\) to 3"):
        suit_word(value)
