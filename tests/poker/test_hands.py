"""Hands: their words, how they are laid out, how they compare, and what is refused."""

import doctest
import pickle

import pytest
from hypothesis import given
from hypothesis import strategies as st

import pitboss.poker
from pitboss.cards import JOKER, cards_text, parse_cards
from pitboss.poker import (
    FIVE_CARD,
    FOUR_CARD,
    SHOE_THREE_CARD,
    THREE_CARD,
    WILD_FIVE_CARD,
    WILD_THREE_CARD,
    Category,
    Ranking,
    Suited,
)

RANKINGS = (THREE_CARD, SHOE_THREE_CARD, FOUR_CARD, FIVE_CARD, WILD_FIVE_CARD, WILD_THREE_CARD)

# ranking, cards as dealt, as laid out, as said
HANDS = [
    (THREE_CARD, "Qs As Ks", "As Ks Qs", "mini-royal of spades"),
    (THREE_CARD, "9h Jh Th", "Jh Th 9h", "straight flush, jack high"),
    (THREE_CARD, "6c 6h 6d", "6h 6d 6c", "three sixes"),
    (THREE_CARD, "3c Ad 2h", "3c 2h Ad", "straight, three high"),
    (THREE_CARD, "Kd Qh Ac", "Ac Kd Qh", "straight, ace high"),
    (THREE_CARD, "9c Ac Kc", "Ac Kc 9c", "flush, ace king nine"),
    (THREE_CARD, "9c Kd 9h", "9h 9c Kd", "pair of nines, king kicker"),
    (THREE_CARD, "4s Qd Jc", "Qd Jc 4s", "queen jack four high"),
    (SHOE_THREE_CARD, "Qs As Ks", "As Ks Qs", "mini-royal of spades"),
    (SHOE_THREE_CARD, "6h 6h 6h", "6h 6h 6h", "three suited sixes"),
    (SHOE_THREE_CARD, "2h Ah 3h", "3h 2h Ah", "straight flush, three high"),
    (SHOE_THREE_CARD, "6h 6d 6h", "6h 6h 6d", "three sixes"),
    (SHOE_THREE_CARD, "3c 4d 5h", "5h 4d 3c", "straight, five high"),
    (SHOE_THREE_CARD, "7d Ks 7d", "7d 7d Ks", "pair of suited sevens, king kicker"),
    (SHOE_THREE_CARD, "2c 9c Tc", "Tc 9c 2c", "flush, ten nine deuce"),
    (SHOE_THREE_CARD, "7d Ks 7h", "7h 7d Ks", "pair of sevens, king kicker"),
    (SHOE_THREE_CARD, "8d Ks 7h", "Ks 8d 7h", "king eight seven high"),
    (FOUR_CARD, "2c 2d 2h 2s", "2s 2h 2d 2c", "four deuces"),
    (FOUR_CARD, "As 2s 3s 4s", "4s 3s 2s As", "straight flush, four high"),
    (FOUR_CARD, "Kc 4d 4h 4s", "4s 4h 4d Kc", "three fours, king kicker"),
    (FOUR_CARD, "Kc 9c 2c 3c", "Kc 9c 3c 2c", "flush, king nine three deuce"),
    (FOUR_CARD, "Tc Jd Qd Kd", "Kd Qd Jd Tc", "straight, king high"),
    (FOUR_CARD, "4c Kd 4d Kh", "Kh Kd 4d 4c", "two pair, kings and fours"),
    (FOUR_CARD, "4c Kd 4d 9h", "4d 4c Kd 9h", "pair of fours, king and nine kickers"),
    (FOUR_CARD, "4c Kd 5d 9h", "Kd 9h 5d 4c", "king nine five four high"),
    (FIVE_CARD, "Ad Jd Td Qd Kd", "Ad Kd Qd Jd Td", "royal flush of diamonds"),
    (FIVE_CARD, "Ad 2d 3d 4d 5d", "5d 4d 3d 2d Ad", "straight flush, five high"),
    (FIVE_CARD, "9c 9d 9h 9s 2d", "9s 9h 9d 9c 2d", "four nines, deuce kicker"),
    (FIVE_CARD, "2c 2d Th Ts Td", "Ts Th Td 2d 2c", "full house, tens over deuces"),
    (FIVE_CARD, "2c 4c 6c 8c Tc", "Tc 8c 6c 4c 2c", "flush, ten eight six four deuce"),
    (FIVE_CARD, "6c 7d 8h 9s Td", "Td 9s 8h 7d 6c", "straight, ten high"),
    (FIVE_CARD, "6c 6d 6h 2s Td", "6h 6d 6c Td 2s", "three sixes, ten and deuce kickers"),
    (FIVE_CARD, "6c 6d Th 2s Td", "Th Td 6d 6c 2s", "two pair, tens and sixes, deuce kicker"),
    (FIVE_CARD, "6c 6d Jh 2s Td", "6d 6c Jh Td 2s", "pair of sixes, jack, ten and deuce kickers"),
    (FIVE_CARD, "6c 7d Jh 2s Td", "Jh Td 7d 6c 2s", "jack ten seven six deuce high"),
    (WILD_FIVE_CARD, "Ad Jd Td Qd Kd", "Ad Kd Qd Jd Td", "natural royal flush of diamonds"),
    (WILD_FIVE_CARD, "Ad Jd * Qd 2c", "Ad * Qd Jd 2c", "wild royal flush of diamonds, with two wild cards"),
    (WILD_FIVE_CARD, "2s 2d * 2h 2c", "* 2s 2h 2d 2c", "wild royal flush of spades, all five cards wild"),
    (WILD_FIVE_CARD, "Ad 2d * As 2c", "As Ad * 2d 2c", "five aces, three of them wild"),
    (WILD_FIVE_CARD, "9h 2d 7h 6h 2c", "2d 9h 2c 7h 6h", "straight flush, ten high, with two wild cards"),
    (WILD_FIVE_CARD, "9h 2d 9s 9c 4c", "9s 9h 9c 2d 4c", "four nines, four kicker, with one wild card"),
    (WILD_FIVE_CARD, "9h 2d 9s 4h 4c", "9s 9h 2d 4h 4c", "full house, nines over fours, with one wild card"),
    (WILD_FIVE_CARD, "Kh 2d 9h 4h 3h", "2d Kh 9h 4h 3h", "flush, ace king nine four three, with one wild card"),
    (WILD_FIVE_CARD, "3h 2d 4c 5h Ah", "5h 4c 3h 2d Ah", "straight, five high, with one wild card"),
    (WILD_FIVE_CARD, "3h 2d 3c 5h Jh", "3h 3c 2d Jh 5h", "three threes, jack and five kickers, with one wild card"),
    (WILD_FIVE_CARD, "3h 3d 9c 5h 9h", "9h 9c 3h 3d 5h", "two pair, nines and threes, five kicker"),
    (
        WILD_FIVE_CARD,
        "3h * 9c 5h Jh",
        "Jh * 9c 5h 3h",
        "pair of jacks, nine, five and three kickers, with one wild card",
    ),
    (WILD_FIVE_CARD, "3h 4d 9c 5h Jh", "Jh 9c 5h 4d 3h", "jack nine five four three high"),
    (WILD_THREE_CARD, "2s * 2d", "* 2s 2d", "mini-royal of spades, all three cards wild"),
    (WILD_THREE_CARD, "Kh Qh *", "* Kh Qh", "mini-royal of hearts, with one wild card"),
    (WILD_THREE_CARD, "7h 2d *", "* 2d 7h", "straight flush, nine high, with two wild cards"),
    (WILD_THREE_CARD, "7h 7d 2s", "7h 7d 2s", "three sevens, one of them wild"),
    (WILD_THREE_CARD, "7h 9d 2s", "9d 2s 7h", "straight, nine high, with one wild card"),
    (WILD_THREE_CARD, "7h Jh 2s", "2s Jh 7h", "flush, ace jack seven, with one wild card"),
    (WILD_THREE_CARD, "7h Jd 2s", "Jd 2s 7h", "pair of jacks, seven kicker, with one wild card"),
    (WILD_THREE_CARD, "7h Jd 3s", "Jd 7h 3s", "jack seven three high"),
]


@pytest.mark.parametrize(("ranking", "dealt", "laid", "words"), HANDS, ids=[f"{h[0].name}: {h[1]}" for h in HANDS])
def test_hand_is_laid_out_and_said_as_a_dealer_would(ranking: Ranking, dealt: str, laid: str, words: str) -> None:
    hand = ranking.hand(parse_cards(dealt))
    assert (cards_text(hand.cards), hand.words) == (laid, words)
    assert str(hand) == f"{laid} ({words})"


def test_words_are_shown_for_every_category() -> None:
    shown = {(ranking.name, ranking.hand(parse_cards(dealt)).category) for ranking, dealt, _, _ in HANDS}
    assert shown == {(ranking.name, each) for ranking in RANKINGS for each in ranking.categories}


def test_best_picks_the_cards_that_make_the_hand() -> None:
    assert str(THREE_CARD.best(parse_cards("2c 9h Kd 9s 4d"))) == "9s 9h Kd (pair of nines, king kicker)"
    assert str(FOUR_CARD.best(parse_cards("2c 9c Kc 9s 4c Kd"))) == "Kc 9c 4c 2c (flush, king nine four deuce)"
    assert str(FIVE_CARD.best(parse_cards("2c 9c Kc 9s Ks Kd 2d"))) == "Ks Kd Kc 9s 9c (full house, kings over nines)"
    assert (
        str(WILD_THREE_CARD.best(parse_cards("* 9c 3d Tc 4c")))
        == "* Tc 9c (straight flush, jack high, with one wild card)"
    )


@given(st.data())
def test_hands_do_not_depend_on_the_order_dealt_nor_values_on_suits(data: st.DataObject) -> None:
    ranking = data.draw(st.sampled_from(RANKINGS))
    cards = st.integers(0, JOKER if ranking.wild_deuces else JOKER - 1)
    hand = data.draw(st.lists(cards, min_size=ranking.size, max_size=7, unique=not ranking.many_decks))
    shuffled = data.draw(st.permutations(hand))
    suits = data.draw(st.permutations(range(4)))
    other_suits = [card if card == JOKER else card & ~3 | suits[card & 3] for card in hand]
    best = ranking.best(hand)
    assert (ranking.best(shuffled).cards, ranking.best(other_suits).value) == (best.cards, best.value)
    assert ranking.value(best.cards) == best.value
    assert ranking.best(hand[: ranking.size]) <= best


def test_hands_compare_by_value_within_one_ranking() -> None:
    nines, same, tens = (THREE_CARD.hand(parse_cards(text)) for text in ("9c 9d Kh", "9h 9s Kd", "Tc Td 2h"))
    assert nines == same
    assert hash(nines) == hash(same)
    assert nines.cards != same.cards
    assert nines < tens
    assert nines <= same
    assert tens > nines
    assert tens >= nines
    assert max(nines, tens) is tens


def test_hands_of_two_rankings_do_not_compare() -> None:
    one, other = THREE_CARD.hand([0, 1, 2]), SHOE_THREE_CARD.hand([0, 1, 2])
    assert one != other
    for compare in ("__lt__", "__le__", "__gt__", "__ge__"):
        assert getattr(one, compare)(other) is NotImplemented


def test_hands_and_rankings_survive_pickling() -> None:
    hand = THREE_CARD.hand(parse_cards("9c 9d Kh"))
    copy = pickle.loads(pickle.dumps(hand))  # noqa: S301 - our own bytes
    assert (copy, copy.cards, copy.words) == (hand, hand.cards, hand.words)
    assert pickle.loads(pickle.dumps(FIVE_CARD)) == FIVE_CARD  # noqa: S301 - our own bytes


@pytest.mark.parametrize(
    ("ranking", "cards", "message"),
    [
        (THREE_CARD, [0, 1], "a hand of three-card has 3 cards, not 2"),
        (FIVE_CARD, [0, 1, 2, 3, 4, 5], "a hand of five-card has 5 cards, not 6"),
        (THREE_CARD, [0, 0, 1], "2c is held more than once; three-card is dealt from one deck"),
        (THREE_CARD, [0, 1, JOKER], r"\[0, 1, 52\] are not all cards of three-card, which are 0 to 51"),
        (WILD_THREE_CARD, [0, 1, 53], r"\[0, 1, 53\] are not all cards of wild-three-card, which are 0 to 52"),
        (SHOE_THREE_CARD, [-1, 1, 2], "are not all cards of shoe-three-card"),
    ],
)
def test_what_is_no_hand_is_refused(ranking: Ranking, cards: list[int], message: str) -> None:
    with pytest.raises(ValueError, match=message):
        ranking.value(cards)
    with pytest.raises(ValueError, match=message):
        ranking.hand(cards)


def test_too_few_cards_and_no_values_are_refused() -> None:
    with pytest.raises(ValueError, match="a hand of four-card has 4 cards; 3 are too few"):
        FOUR_CARD.best([0, 1, 2])
    for value in (-1, THREE_CARD.classes):
        with pytest.raises(ValueError, match=f"{value} is no value of three-card; they are 0 to 740"):
            THREE_CARD.category_of(value)


def test_a_ranking_that_leaves_hands_out_is_refused() -> None:
    flush = Category(name="flush", words="flush", spoken="flush", suited=Suited.ALL)
    with pytest.raises(ValueError, match="no category takes ranks"):
        Ranking("flushes", 3, (flush,)).value([0, 4, 9])


def test_the_order_of_declaration_is_the_ranking() -> None:
    upside_down = Ranking("no-order", 3, THREE_CARD.categories[::-1])
    assert upside_down.hand(parse_cards("As Ks Qs")).category.name == "high-card"


def test_examples_in_the_docstrings() -> None:
    modules = [pitboss.poker, pitboss.poker.ranking]
    assert [doctest.testmod(module).failed for module in modules] == [0, 0]
