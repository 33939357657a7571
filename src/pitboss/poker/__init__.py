"""Hand rankings, declared in rank order.

This package is for saying which hand is better: of three, four and five cards, the best of more, with wild cards, and
from a shoe of many decks. Values come from a `Ranking`, which checks what it is given and can say a hand in words, or,
for loops, from small tables and plain functions that numba compiles as they are. It must not know a wager, a pay table
or money, and it imports nothing but the standard library and `pitboss.cards`.

>>> from pitboss.cards import parse_cards
>>> THREE_CARD.hand(parse_cards("9h Kd 9s")).words
'pair of nines, king kicker'
>>> tables = three_card_tables()
>>> three_card_value(tables, *parse_cards("9h Kd 9s")) == THREE_CARD.value(parse_cards("Ks 9c 9d"))
True
"""

from pitboss.poker.ranking import Category, Hand, Ranking, Suited
from pitboss.poker.rankings import FIVE_CARD, FOUR_CARD, SHOE_THREE_CARD, THREE_CARD, WILD_FIVE_CARD, WILD_THREE_CARD
from pitboss.poker.tables import (
    DIVISIONS_OF_SIX,
    RankTables,
    SumTables,
    best_five_of_seven,
    best_five_of_six,
    best_four_of_five,
    best_four_of_six,
    best_three_of_five,
    five_card_tables,
    five_card_value,
    four_card_tables,
    four_card_value,
    shoe_three_card_tables,
    shoe_three_card_value,
    three_and_three_values,
    three_card_tables,
    three_card_value,
    wild_five_card_tables,
    wild_three_card_tables,
    wild_three_card_value,
)

__all__ = [
    "DIVISIONS_OF_SIX", "FIVE_CARD", "FOUR_CARD", "SHOE_THREE_CARD", "THREE_CARD", "WILD_FIVE_CARD", "WILD_THREE_CARD",
    "Category", "Hand", "RankTables", "Ranking", "Suited", "SumTables", "best_five_of_seven", "best_five_of_six",
    "best_four_of_five", "best_four_of_six", "best_three_of_five", "five_card_tables", "five_card_value",
    "four_card_tables", "four_card_value", "shoe_three_card_tables", "shoe_three_card_value", "three_and_three_values",
    "three_card_tables", "three_card_value", "wild_five_card_tables", "wild_three_card_tables", "wild_three_card_value",
]  # fmt: skip
