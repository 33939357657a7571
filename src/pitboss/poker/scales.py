"""A ranking in fewer steps, for people: which hands are said alike, and the words of "so good or better"."""

from collections.abc import Mapping
from dataclasses import dataclass

from pitboss.cards import RANKS, rank_word
from pitboss.poker.ranking import Category, Ranking, Suited

_NUMBERS = ("two", "three", "four", "five")


@dataclass(frozen=True, slots=True)
class Scale:
    """The steps of a ranking from the worst up: the step of each value, and for each step what its hands are called.

    >>> from pitboss.cards import parse_cards
    >>> from pitboss.poker import THREE_CARD
    >>> scale = scale_of(THREE_CARD, {"high-card": 3, "pair": 1})
    >>> step = scale.steps[THREE_CARD.value(parse_cards("Qs 6d 4h"))]
    >>> scale.at_least(step), scale.at_most(step), scale.at_least(step + 1)
    ('Q-6-4 or better', 'Q-6-4 or worse', 'Q-6-5 or better')
    """

    steps: tuple[int, ...]
    hands: tuple[tuple[Category, tuple[int, ...]], ...]

    def at_least(self, step: int) -> str:
        """Describe this step and all above, in as few ranks as tell it from the one below."""
        return f"{self._told_from(step, step - 1)} or better"

    def at_most(self, step: int) -> str:
        """Describe this step and all below, in as few ranks as tell it from the one above."""
        if self._ends(step):
            above = self.hands[step + 1][0].words
            return f"less than {above if above.startswith(_NUMBERS) else f'a {above}'}"
        return f"{self._told_from(step, step + 1)} or worse"

    def between(self, first: int, last: int) -> str:
        """Describe the steps from one to another."""
        begins, ends = first == 0 or self._ends(first - 1), self._ends(last)
        one, other = self.hands[first], self.hands[last]
        if begins and ends and one[0] is other[0]:
            return one[0].words
        alike = one[0] is other[0]
        low = one[0].words if begins and not alike else _hand(*one)
        high = other[0].words if ends and not alike else _hand(*other)
        return f"{low} to {high}" if low != high else low

    def _ends(self, step: int) -> bool:
        """Return whether the next step is of another category."""
        return step + 1 == len(self.hands) or self.hands[step][0] is not self.hands[step + 1][0]

    def _told_from(self, step: int, other: int) -> str:
        category, ranks = self.hands[step]
        if not 0 <= other < len(self.hands) or self.hands[other][0] is not category:
            return category.words
        shared = 0
        while ranks[shared] == self.hands[other][1][shared]:
            shared += 1
        return _hand(category, ranks[: shared + 1])


def scale_of(ranking: Ranking, details: Mapping[str, int]) -> Scale:
    """Make a scale on which of each category so many ranks are told apart, none where it is not named."""
    details_of = []
    for value in range(ranking.classes):
        category = ranking.category_of(value)
        groups = tuple(dict.fromkeys(ranking.ranks_of(value)))
        details_of.append((-ranking.categories.index(category), groups[: details.get(category.name, 0)]))
    order = sorted(set(details_of))
    place = {detail: step for step, detail in enumerate(order)}
    return Scale(
        steps=tuple(place[detail] for detail in details_of),
        hands=tuple((ranking.categories[-index], ranks) for index, ranks in order),
    )


def _hand(category: Category, ranks: tuple[int, ...]) -> str:
    """Describe a hand by its first ranks."""
    if not ranks:
        return category.words
    first, letters = rank_word(ranks[0]), "-".join(RANKS[rank] for rank in ranks)
    if category.straight:
        return f"{first}-high {category.words}"
    if category.suited is Suited.ALL and category.shape is None:
        return f"{first}-high {category.words}" if len(ranks) == 1 else f"{category.words} {letters}"
    assert category.shape is not None
    if category.shape[0] == 1:
        return f"{first} high" if len(ranks) == 1 else letters
    several = sum(size > 1 for size in category.shape)
    if len(ranks) < several:
        return f"{category.words}, {rank_word(ranks[0], plural=True)} up"
    text = category.spoken.format(
        firsts=rank_word(ranks[0], plural=True),
        seconds=rank_word(ranks[1], plural=True) if several > 1 else "",
        kickers="",
    )
    beside = "-".join(RANKS[rank] for rank in ranks[several:])
    return f"{text} with {beside}" if beside else text
