"""Hand rankings: categories in rank order, and the value, layout and wording of any hand."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from enum import Enum, IntEnum
from functools import cache, cached_property
from itertools import combinations, combinations_with_replacement, groupby
from typing import Final, NamedTuple, TypeAlias

from pitboss.cards import (
    ACE,
    DEUCE,
    JOKER,
    RANKS,
    SPADES,
    Card,
    card_text,
    cards_text,
    rank_of,
    rank_word,
    suit_of,
    suit_word,
)


class Suited(Enum):
    """What a category asks of the suits of a hand."""

    ANY = "any"
    ALL = "all"
    """All cards are of one suit."""
    PAIR = "pair"
    """Two cards are identical; only a shoe of many decks can deal that."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Category:
    """One line of a ranking: what a hand must have to stand there.

    A hand belongs to the first category of its ranking whose demands it meets, so a
    declaration need not exclude what is ranked above it. A `shape` of None asks
    nothing; (2, 1) is a pair and one other rank.
    """

    name: str
    """The key, such as `straight-flush`."""
    words: str
    """The name as printed, such as "straight flush"."""
    spoken: str
    """What a dealer says of a hand in it, with the fields that `hand_words` fills."""
    shape: tuple[int, ...] | None = None
    straight: bool = False
    suited: Suited = Suited.ANY
    royal: bool = False
    """Only the straight from the ace down."""
    natural: bool = False
    """Only without a wild card."""


Ranks: TypeAlias = tuple[int, ...]


class Pattern(IntEnum):
    """All that a ranking may know of the suits of a hand."""

    PLAIN = 0
    SUITED = 1
    """All cards are of one suit."""
    PAIRED = 2
    """Two cards are identical, and not all are of one suit."""


class Strength(NamedTuple):
    """A sort key: the place of the category, then the ranks that break ties (G-9)."""

    place: int
    """Minus the index of the category, so that more is better."""
    ranks: Ranks
    """The ranks in the order they are compared; of a straight, from the top down."""


class Form(NamedTuple):
    """What the ranks of a hand come to, whatever its suits."""

    compared: Ranks
    """The multiplied ranks before the kickers, then the higher first."""
    shape: tuple[int, ...]
    """How often each rank is held, the most first."""
    straight: Ranks | None
    """The ranks from the top down, the ace last in A-2-3, if they are a straight (G-8)."""


@cache
def form_of(ranks: Ranks) -> Form:
    """Find the form of ranks given in ascending order.

    >>> form_of((0, 1, 12)).straight, form_of((0, 11, 12)).straight
    ((1, 0, 12), None)
    >>> form_of((3, 7, 7))
    Form(compared=(7, 7, 3), shape=(2, 1), straight=None)
    """
    groups = sorted([(len(list(group)), rank) for rank, group in groupby(ranks)], reverse=True)
    compared = tuple([rank for count, rank in groups for _ in range(count)])
    shape = tuple([count for count, _ in groups])
    straight = _straight(compared) if shape[0] == 1 else None
    return Form(compared, shape, straight)


def _straight(ranks: Ranks) -> Ranks | None:
    """Order different ranks, given in descending order, as a straight."""
    below_top = len(ranks) - 1
    if ranks[0] - ranks[-1] == below_top:
        return ranks
    if ranks[0] == ACE and ranks[1] == below_top - 1:
        return (*ranks[1:], ACE)
    return None


def strength(categories: Sequence[Category], ranks: Ranks, pattern: Pattern, *, natural: bool) -> Strength:
    """Return the strength of a hand, its ranks in ascending order, in the first category that takes it."""
    form = form_of(ranks)
    for index, category in enumerate(categories):
        if category.shape is not None and category.shape != form.shape:
            continue
        if category.straight and (form.straight is None or (category.royal and form.straight[0] != ACE)):
            continue
        if category.natural and not natural:
            continue
        if not _suits_meet(category.suited, form.shape, pattern):
            continue
        in_order = form.straight if category.straight else None
        return Strength(-index, in_order or form.compared)
    raise ValueError(f"no category takes ranks {ranks} with suits {pattern.name}")


def _suits_meet(demand: Suited, shape: tuple[int, ...], pattern: Pattern) -> bool:
    if demand is Suited.ALL:
        return pattern is Pattern.SUITED
    if demand is Suited.PAIR:
        # Two cards of one rank and one suit are identical, so a suited hand with a pair has them.
        return pattern is Pattern.PAIRED or (pattern is Pattern.SUITED and shape[0] > 1)
    return True


WILD: Final = 0
"""The rank under which wild cards are entered: deuces are wild whenever anything is."""

_SUIT_COUNT: Final = 4


@dataclass(frozen=True, slots=True, kw_only=True)
class Classes:
    """The classes of a ranking: how strong each is, and which hands are in it."""

    strengths: tuple[Strength, ...]
    """The strength of each value, worst first."""
    values: dict[tuple[Ranks, Pattern], int]
    """The value of every hand there is, by its ranks in ascending order and its pattern."""


def classes_of(categories: Sequence[Category], size: int, *, many_decks: bool, wild_deuces: bool) -> Classes:
    """Find every hand of the deck and number the classes, 0 for the worst."""
    wilds = _Wilds(categories)
    strength_of: dict[tuple[Ranks, Pattern], Strength] = {}
    for ranks in combinations_with_replacement(range(len(RANKS)), size):
        wild_count = ranks.count(WILD) if wild_deuces else 0
        for pattern in _patterns(ranks[wild_count:], many_decks=many_decks):
            strength_of[ranks, pattern] = (
                wilds.best(ranks[wild_count:], wild_count, pattern)
                if wild_count
                else strength(categories, ranks, pattern, natural=True)
            )
    strengths = tuple(sorted(set(strength_of.values())))
    value_of = {hand_strength: value for value, hand_strength in enumerate(strengths)}
    return Classes(
        strengths=strengths, values={hand: value_of[hand_strength] for hand, hand_strength in strength_of.items()}
    )


def _patterns(naturals: Ranks, *, many_decks: bool) -> Iterator[Pattern]:
    """Return the patterns that a hand can have, by the ranks of its cards that are not wild."""
    most = form_of(naturals).shape[0] if naturals else 0
    if many_decks:
        yield from Pattern if most > 1 else (Pattern.PLAIN, Pattern.SUITED)
        return
    if most > _SUIT_COUNT:
        return
    if len(naturals) > 1:
        yield Pattern.PLAIN
    if most <= 1:
        yield Pattern.SUITED


class _Wilds:
    """The best that wild cards can do, found by letting each in turn stand for every rank.

    Wild cards take the suit of the others when these share one: a suited hand meets every demand a plain one does.
    """

    def __init__(self, categories: Sequence[Category]) -> None:
        self._categories = categories
        self._best: dict[tuple[Ranks, int, Pattern], Strength] = {}

    def best(self, ranks: Ranks, wild_count: int, pattern: Pattern) -> Strength:
        """Return the best strength that ranks in ascending order have with so many wild cards, now or before."""
        remembered = self._best.get((ranks, wild_count, pattern))
        if remembered is not None:
            return remembered
        if wild_count == 0:
            best = strength(self._categories, ranks, pattern, natural=False)
        else:
            best = max([self.best(more, wild_count - 1, pattern) for more in _with_one_more(ranks)])
        self._best[ranks, wild_count, pattern] = best
        return best


@cache
def _with_one_more(ranks: Ranks) -> tuple[Ranks, ...]:
    return tuple([tuple(sorted((*ranks, rank))) for rank in range(len(RANKS))])


_NUMBERS: Final = ("no", "one", "two", "three", "four", "five")


def hand_words(category: Category, cards: Sequence[Card], wild_count: int) -> str:
    """Describe a hand, from the cards in order, each wild card as what it stands for."""
    ranks = [rank_of(card) for card in cards]
    groups = list(dict.fromkeys(ranks))
    kickers = [rank_word(rank) for rank in groups if ranks.count(rank) == 1]
    text = category.spoken.format(
        first=rank_word(groups[0]),
        firsts=rank_word(groups[0], plural=True),
        seconds=rank_word(groups[1], plural=True) if len(groups) > 1 else "",
        ranks=" ".join(map(rank_word, ranks)),
        kickers=_kicker_words(kickers),
        suit=suit_word(suit_of(cards[0])),
    )
    return text + _wild_words(len(cards), len(groups), wild_count)


def _kicker_words(kickers: Sequence[str]) -> str:
    if not kickers:
        return ""
    if len(kickers) == 1:
        return f", {kickers[0]} kicker"
    return f", {', '.join(kickers[:-1])} and {kickers[-1]} kickers"


def _wild_words(size: int, group_count: int, wild_count: int) -> str:
    if wild_count == 0:
        return ""
    number = _NUMBERS[wild_count]
    if wild_count == size:
        return f", all {number} cards wild"
    if group_count == 1:
        return f", {number} of them wild"
    return f", with {number} wild {'card' if wild_count == 1 else 'cards'}"


_ALL_SUITS: Final = 0b1111


@dataclass(frozen=True, slots=True, kw_only=True)
class Hand:
    """The cards of a hand with their place in a ranking.

    Two hands are equal when they tie. Hands of different rankings are never equal and cannot be ordered.
    """

    ranking: str
    """The name of the ranking."""
    value: int
    category: Category = field(compare=False)
    cards: tuple[Card, ...] = field(compare=False)
    """The cards as a dealer lays them: multiplied ranks first, then kickers; straights from the top down."""
    stands_for: tuple[Card, ...] = field(compare=False)
    """What each of the cards counts as; differs from `cards` only where one is wild."""
    wild_count: int = field(default=0, compare=False)

    @property
    def words(self) -> str:
        """What a dealer would say, such as "pair of nines, king kicker"."""
        return hand_words(self.category, self.stands_for, self.wild_count)

    def __str__(self) -> str:
        return f"{cards_text(self.cards)} ({self.words})"

    def __lt__(self, other: "Hand") -> bool:
        return self.value < other.value if self._comparable(other) else NotImplemented

    def __le__(self, other: "Hand") -> bool:
        return self.value <= other.value if self._comparable(other) else NotImplemented

    def __gt__(self, other: "Hand") -> bool:
        return self.value > other.value if self._comparable(other) else NotImplemented

    def __ge__(self, other: "Hand") -> bool:
        return self.value >= other.value if self._comparable(other) else NotImplemented

    def _comparable(self, other: object) -> bool:
        return isinstance(other, Hand) and self.ranking == other.ranking


@dataclass(frozen=True)
class Ranking:
    """Hands of so many cards in rank order: the order of the categories, best first, is the ranking.

    A value is an integer from 0, the worst, to `classes` - 1, the best; two hands have the same value exactly when
    they tie (G-9).
    """

    name: str
    size: int
    categories: tuple[Category, ...]
    many_decks: bool = False
    """Hands come from a shoe, where a card may be held more than once."""
    wild_deuces: bool = False
    """The deuces and the joker are wild and may stand for any card, also one already held (DW-1)."""

    @property
    def classes(self) -> int:
        """How many values there are."""
        return len(self._classes.strengths)

    def value(self, cards: Sequence[Card]) -> int:
        """Return the value of exactly as many cards as a hand has, in any order."""
        if len(cards) != self.size:
            raise ValueError(f"a hand of {self.name} has {self.size} cards, not {len(cards)}")
        self._check(cards)
        return self._value(cards)

    def category_of(self, value: int) -> Category:
        """Return the category of a value."""
        if not 0 <= value < self.classes:
            raise ValueError(f"{value} is no value of {self.name}; they are 0 to {self.classes - 1}")
        return self.categories[-self._classes.strengths[value].place]

    def ranks_of(self, value: int) -> tuple[int, ...]:
        """Return the ranks of a value in the order they are compared; of a straight, from the top down."""
        return self._classes.strengths[value].ranks

    def hand(self, cards: Sequence[Card]) -> Hand:
        """Lay out a hand of exactly as many cards as a hand has."""
        return self._laid_out(cards, self.value(cards))

    def best(self, cards: Sequence[Card]) -> Hand:
        """Lay out the best hand among these cards, at least as many as a hand has."""
        if len(cards) < self.size:
            raise ValueError(f"a hand of {self.name} has {self.size} cards; {len(cards)} are too few")
        self._check(cards)
        # Sorted, so that among hands that tie the same cards are chosen however they were dealt.
        choices = combinations(sorted(cards, reverse=True), self.size)
        value, chosen = max(((self._value(choice), choice) for choice in choices), key=lambda pair: pair[0])
        return self._laid_out(chosen, value)

    @cached_property
    def _classes(self) -> Classes:
        return classes_of(self.categories, self.size, many_decks=self.many_decks, wild_deuces=self.wild_deuces)

    def _check(self, cards: Sequence[Card]) -> None:
        last = JOKER if self.wild_deuces else JOKER - 1
        if min(cards) < 0 or max(cards) > last:
            raise ValueError(f"{cards} are not all cards of {self.name}, which are 0 to {last}")
        if not self.many_decks and len(set(cards)) != len(cards):
            twice = next(card for card in cards if list(cards).count(card) > 1)
            raise ValueError(f"{card_text(twice)} is held more than once; {self.name} is dealt from one deck")

    @cached_property
    def _wild(self) -> tuple[bool, ...]:
        return tuple(self.wild_deuces and (card == JOKER or rank_of(card) == DEUCE) for card in range(JOKER + 1))

    @cached_property
    def _ranks(self) -> tuple[int, ...]:
        return tuple(WILD if wild else rank_of(card) for card, wild in enumerate(self._wild))

    @cached_property
    def _suits(self) -> tuple[int, ...]:
        """The suits a card can be of, one bit each."""
        return tuple(_ALL_SUITS if wild else 1 << suit_of(card) for card, wild in enumerate(self._wild))

    def _value(self, cards: Sequence[Card]) -> int:
        ranks, suits = self._ranks, self._suits
        shared = _ALL_SUITS
        for card in cards:
            shared &= suits[card]
        pattern = Pattern.SUITED if shared else Pattern.PLAIN
        if self.many_decks and not shared and len(set(cards)) < len(cards):
            pattern = Pattern.PAIRED
        return self._classes.values[tuple(sorted([ranks[card] for card in cards])), pattern]

    def _laid_out(self, cards: Sequence[Card], value: int) -> Hand:
        naturals = sorted((card for card in cards if not self._wild[card]), reverse=True)
        wilds = sorted((card for card in cards if self._wild[card]), reverse=True)
        wild_count = len(wilds)
        suits = {suit_of(card) for card in naturals}
        # A wild card takes the suit of the others if they share one; otherwise its suit is of no use.
        suit_of_wilds = suits.pop() if len(suits) == 1 else SPADES
        laid: list[Card] = []
        stands_for: list[Card] = []
        for rank in self._classes.strengths[value].ranks:
            held = next((card for card in naturals if rank_of(card) == rank), None)
            if held is None:
                laid.append(wilds.pop(0))
                stands_for.append(rank * 4 + suit_of_wilds)
            else:
                naturals.remove(held)
                laid.append(held)
                stands_for.append(held)
        return Hand(
            ranking=self.name,
            value=value,
            category=self.category_of(value),
            cards=tuple(laid),
            stands_for=tuple(stands_for),
            wild_count=wild_count,
        )
