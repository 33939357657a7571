"""What sight of hidden cards is worth to a player of the main wager, whatever the game: read from its stages and facts.

Three engines, one answer. Few boards: every hand and board (exact). A second decision: every card that may come
(exact). Else hands are drawn, and what may lie hidden is dealt out or drawn as well (with its error): one half of the
cards decides, the other is what the decision is worth, so that luck in deciding is never counted as sight.
"""

import random
import sys
from collections.abc import Callable, Collection, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property, lru_cache
from itertools import combinations
from math import comb, perm, sqrt
from typing import Any, NamedTuple

import numpy

from pitboss.odds import hidden_cards
from pitboss.odds.card_layout import CardLayout, Path, every_path, layout_of, paths_of
from pitboss.odds.compiled import as_arrays, compiled, in_threads, make_compilable
from pitboss.odds.context import NumbaContext
from pitboss.odds.hidden_cards import loop_all, loop_coming, loop_drawn, loop_sets
from pitboss.odds.pricing import unit_pays
from pitboss.odds.solving import solve_terms
from pitboss.rules import Game, Terms
from pitboss.rules.counting import pascal

_BOARDS_FEW = 30_000
_HANDS_FEW = 4_000
_SETS_SEEN = 24
_MATES = 8
_SEATS_MAX = 7
_OWN_FEW = 3
_RANKS = 13
_JOKER_FACE = 52


class Worth(NamedTuple):
    """What the player expects per base wager: exact, or a mean of hands drawn with its standard error."""

    ev: Fraction
    error: float | None
    hands: int | None
    method: str


# Classes of cards that coarse sight tells apart


_PAINT = {9: 1, 10: 1, 11: 1, 12: 2}


def paint(card: int) -> int:
    """Return 1 for a jack, queen or king, 2 for an ace, which is told from paint at a glance, 0 for any other card."""
    return _PAINT.get(card >> 2, 0) if card < _JOKER_FACE else 3


def color(card: int) -> int:
    """Return 1 for a red card; a joker is a color of its own."""
    return 2 if card >= _JOKER_FACE else 1 if card & 3 in (1, 2) else 0


def _splits(ranks: int) -> Any:
    """Every split of the ranks in two, the deuce in the second part: a row of bits for each."""
    return (numpy.arange(1 << (ranks - 1))[:, None] << 1 >> numpy.arange(ranks)) & 1


class Sight:
    """The main wager of one game under terms, ready to be seen through."""

    def __init__(
        self,
        game: Game,
        terms: Terms,
        *,
        ranks: int = _RANKS,
        effort: "Effort | None" = None,
        plain: Fraction | None = None,
    ) -> None:
        self._stated_plain = plain
        self.game, self.terms, self.ranks, self.effort = game, terms, ranks, effort or Effort()
        self.layout = layout_of(game, terms)
        self.pays = unit_pays(game.main, terms)
        self.scale = self.pays.scale
        self.cards = tuple(card for card in terms.deck.cards if card >= _JOKER_FACE or card >> 2 < ranks)
        make_compilable(hidden_cards, sys.modules[game.main.read.__module__])
        self._read = compiled(game.main.read)
        nets = numpy.array([int(net * self.scale) for net in self.pays.net], dtype=numpy.int64)
        codes = game.reading_codes(terms)
        readings = numpy.array(codes or (0,), dtype=numpy.int64)
        bounds = numpy.array(game.main.bounds, dtype=numpy.int64)
        self._reader = (self.layout.seat, readings, bounds, nets, as_arrays(game.tables()))

    @cached_property
    def is_small(self) -> bool:
        """True if every hand can be dealt out against every board."""
        layout = self.layout
        rest = len(self.cards) - len(layout.open_places[0])
        alike = all(place >= layout.seat for place in layout.hidden)
        own = all(place < layout.seat for place in layout.open_places[0])
        plain = self.terms.deck.decks == 1 and not self.terms.deck.joker and own
        few = comb(rest, len(layout.hidden)) <= _BOARDS_FEW and len(self._classes[0]) <= _HANDS_FEW
        return not layout.draws and alike and plain and few

    @cached_property
    def _classes(self) -> tuple[Any, Any]:
        size = len(self.layout.open_places[0])
        if size > _OWN_FEW:
            return numpy.zeros((_HANDS_FEW + 1, 0)), ()
        return NumbaContext(ranks=self.ranks).classes(size)

    def _row(self, open_places: Sequence[int]) -> Any:
        layout = self.layout
        row = numpy.zeros(layout.seat + layout.board, dtype=numpy.int64)
        # A place that the wager does not read holds a card that is nowhere else, so that no reader stumbles.
        spare = [card for card in self.cards if card not in open_places][: len(row)]
        row[:] = spare
        row[list(layout.open_places[0])] = open_places
        return row

    def _options(self, row: Any) -> Any:
        return numpy.array(every_path(self.game, self.terms, self.layout, row.tolist()), dtype=numpy.int64)

    # Every hand against every board

    @cached_property
    def _dealt(self) -> "Dealt":
        """What every class of hands wins, by whichever exact engine fits."""
        return self._come if self.layout.draws else self._boards

    @cached_property
    def _boards(self) -> "Dealt":
        hands, weights = self._classes
        size = len(self.layout.hidden)
        choose = pascal(len(self.cards) + 1, size)
        options = self._options(self._row(hands[0].tolist()))
        by_card = numpy.zeros((len(hands), len(options), len(self.cards)), dtype=numpy.int64)
        best = numpy.zeros((len(hands), size + 1), dtype=numpy.int64)
        places, loop = numpy.array(self.layout.hidden, dtype=numpy.int64), compiled(loop_sets)

        def piece(start: int, stop: int) -> None:
            for index in range(start, stop):
                hand = hands[index].tolist()
                rest = numpy.array([card for card in self.cards if card not in hand], dtype=numpy.int64)
                arrays = (options, rest, places, choose, by_card[index], best[index])
                loop(self._read, self._reader, self._row(hand), *arrays)

        in_threads(piece, len(hands))
        total = by_card.sum(axis=2, keepdims=True) // size
        left = (total - by_card).max(axis=1)
        for index, hand in enumerate(hands.tolist()):
            left[index, hand] = 0
        return Dealt(by_card, best, left.sum(axis=1), weights)

    def _exact(self, best: Any, times: int) -> Fraction:
        """Turn sums by hand into an expectation; every deal is in `times` of them."""
        weights, rest = self._dealt.weights, len(self.cards) - len(self.layout.open_places[0])
        deals = int(weights.sum()) * (perm if self.layout.draws else comb)(rest, len(self.layout.hidden))
        return Fraction(int((best.astype(object) * weights.astype(object)).sum()), deals * times * self.scale)

    @property
    def _watched(self) -> int:
        """Of how many places what is won by card is the sum: of the first card to come alone, or of all on a board."""
        return 1 if self.layout.draws else len(self.layout.hidden)

    def _exact_seen(self, seen: int) -> Fraction:
        return self._exact(self._dealt.best[:, seen], comb(self._watched, seen) if self._watched > 1 else 1)

    def _exact_classes(self, classes: Any) -> Fraction:
        """Value sight of the class of one hidden card; `classes` has a class for each card."""
        sums = self._dealt.by_card
        labels = classes[: sums.shape[2]]
        best = sum(sums[:, :, labels == label].sum(axis=2).max(axis=1) for label in numpy.unique(labels))
        return self._exact(best, self._watched)

    def _exact_split(self) -> tuple[Fraction, tuple[int, ...]]:
        """Try every split of the ranks; a joker goes with the deuces."""
        sums, weights = self._dealt.by_card, self._dealt.weights
        ranks = range(self.ranks)
        by_rank = numpy.stack([sums[:, :, 4 * rank : 4 * rank + 4].sum(axis=2) for rank in ranks], axis=2)
        by_rank[:, :, 0] += sums[:, :, _JOKER_FACE:].sum(axis=2)
        splits = _splits(self.ranks)
        # Whole numbers below 2 to the power of 53, which float adds up exactly and fast.
        both = [(by_rank.astype(float) @ part.T.astype(float)).max(axis=1) for part in (splits, 1 - splits)]
        worth = both[0] + both[1]
        chosen = int((worth * weights[:, None].astype(float)).sum(axis=0).argmax())
        exact = self._exact(worth[:, chosen].astype(numpy.int64), self._watched)
        return exact, tuple(numpy.flatnonzero(splits[chosen]).tolist())

    # Every card that may come

    def _nets_to_come(self, hand: Sequence[int]) -> tuple[Any, Any]:
        """Return the cards left, and what each path wins by the cards to come; nothing where two are the same."""
        places, options = self._places, numpy.array([path.option for path in self._paths], dtype=numpy.int64)
        rest = numpy.array([card for card in self.cards if card not in hand], dtype=numpy.int64)
        nets = numpy.zeros((len(options), len(rest) ** len(places)), dtype=numpy.int64)
        compiled(loop_coming)(self._read, self._reader, self._row(hand), options, rest, places, nets)
        return rest, nets.reshape((len(options), *(len(rest),) * len(places)))

    @cached_property
    def _places(self) -> Any:
        return numpy.array(self.layout.hidden, dtype=numpy.int64)

    @cached_property
    def _paths(self) -> tuple[Path, ...]:
        row = self._row(self.cards[: len(self.layout.open_places[0])])
        return paths_of(self.game, self.terms, self.layout, row.tolist())

    def _by_hand(self, measure: Callable[[Any, Any], Any]) -> tuple[list[Any], Any]:
        """Measure the cards left and the nets of every class of first hands; return the weights as well."""
        hands = list(_alike_hands(self.cards, len(self.layout.open_places[0])).items())

        def piece(start: int, stop: int) -> list[Any]:
            return [measure(*self._nets_to_come(hand)) for hand, _ in hands[start:stop]]

        measures = [one for part in in_threads(piece, len(hands)) for one in part]
        return measures, numpy.array([weight for _, weight in hands], dtype=numpy.int64)

    @cached_property
    def _come(self) -> "Dealt":
        axes = len(self.layout.hidden)

        def measure(rest: Any, nets: Any) -> tuple[Any, list[int], int]:
            first = numpy.zeros((len({path.answers[0] for path in self._paths}), _JOKER_FACE + 1), dtype=numpy.int64)
            # The first card to come lies open at the next decision: what is known of it before is all that matters.
            for answer, (sums,) in enumerate(_by_answer((nets,), (0,), self._paths, self.layout)):
                first[answer, rest] = sums.reshape(-1)
            best = [first.sum(axis=1).max(), first.max(axis=0).sum()]
            best += [self._best_seen((nets,), range(seen)) for seen in range(2, axes + 1)]
            left = nets.sum(axis=-1, keepdims=True) - nets
            left[:, ~_all_differ(len(rest), axes)] = 0
            return first, best, self._best_seen((left,), (axes - 1,))

        measures, weights = self._by_hand(measure)
        by_card, best, gone = (numpy.array(column) for column in zip(*measures, strict=True))
        return Dealt(by_card, best, gone, weights)

    def _best_seen(self, values: tuple[Any, ...], seen: Collection[int]) -> int:
        """Return what the last of the values add up to, decided by the first, where these cards are known at once."""
        return int(_best(_by_answer(values, seen, self._paths, self.layout))[-1].sum())

    def coming(self, sights: Sequence[Collection[int]]) -> list[Fraction]:
        """Value the cards to come where a player knows these of them, by their order, from the start."""
        measures, weights = self._by_hand(lambda _, nets: [self._best_seen((nets,), seen) for seen in sights])
        unknown, axes = len(self.cards) - len(self.layout.open_places[0]), len(self.layout.hidden)
        deals = int(weights.sum()) * perm(unknown, axes) * self.scale
        return [Fraction(int((numpy.array(sums) * weights).sum()), deals) for sums in zip(*measures, strict=True)]

    def _told(self, seed: int) -> dict[int, Worth]:
        """Draw first hands, and beside each the first cards of so many seats, which are decided upon all at once."""
        draw = random.Random(seed)  # noqa: S311 - samples, not shuffles
        own, axes = len(self.layout.open_places[0]), len(self.layout.hidden)
        most = min(self.game.seats_max, _SEATS_MAX, (len(self.cards) - axes) // own)
        seats = range(2, most + 1)
        deals = [draw.sample(self.cards, own) for _ in range(self.effort.hands)]
        mates = [[draw.sample(range(len(self.cards) - own), own * seats[-1]) for _ in range(_MATES)] for _ in deals]

        def gain(rest: Any, nets: Any, gone: list[int]) -> float:
            there = nets.copy()
            for axis in range(1, axes + 1):
                numpy.moveaxis(there, axis, 0)[gone] = 0
            more = self._best_seen((there,), ()) - self._best_seen((nets, there), ())
            return more / perm(len(rest) - len(gone), axes)

        def piece(start: int, stop: int) -> list[list[float]]:
            gains = []
            for index in range(start, stop):
                rest, nets = self._nets_to_come(deals[index])
                told = [[gain(rest, nets, mate[: own * (number - 1)]) for mate in mates[index]] for number in seats]
                gains.append([sum(one) / _MATES for one in told])
            return gains

        gains = [one for part in in_threads(piece, len(deals)) for one in part]
        columns = zip(seats, zip(*gains, strict=True), strict=True)
        return {number: self._mean(list(column), _TOLD) for number, column in columns}

    # Hands drawn

    def _pool(self, row: Any, options: Any, rest: list[int], places: Sequence[int], times: int, seed: int) -> "Pool":
        """Draw hidden cards to these places: what each option wins, and where all are drawn by the card at each."""
        sums = numpy.zeros(len(options), dtype=numpy.int64)
        watched = len(places) if len(places) == len(self.layout.hidden) else 0
        by_place = numpy.zeros((watched, len(options), _JOKER_FACE + 1), dtype=numpy.int64)
        loop, cards = compiled(loop_drawn), numpy.array(rest, dtype=numpy.int64)
        where = numpy.array(places, dtype=numpy.int64)
        loop(self._read, self._reader, row, options, cards, where, times, seed, sums, by_place)
        group = [index for index in range(watched) if self.layout.hidden[index] in self._first_group]
        return Pool(sums, by_place[group].sum(axis=0), by_place.sum(axis=0), times, len(group))

    @property
    def _first_group(self) -> tuple[int, ...]:
        """The hidden places of the dealer, or where there are none the seat's own: of these one card is seen."""
        return self.layout.group(seat=False) or self.layout.group(seat=True)

    def _decided(self, row: Any, options: Any, rest: list[int], places: Sequence[int], plain: int, seed: int) -> float:
        """Return what is gained on the plain option by a player who knows all but the cards at these places."""
        alike = len({place < self.layout.seat for place in places}) <= 1
        if not places or (alike and comb(len(rest), len(places)) <= self.effort.dealt_out):
            sums = numpy.zeros(len(options), dtype=numpy.int64)
            cards, where = numpy.array(rest, dtype=numpy.int64), numpy.array(places, dtype=numpy.int64)
            times = compiled(loop_all)(self._read, self._reader, row, options, cards, where, sums)
            return float(sums.max() - sums[plain]) / int(times)
        first, second = (self._pool(row, options, rest, places, self.effort.again, seed + half) for half in (1, 2))
        return float(second.sums[first.sums.argmax()] - second.sums[plain]) / second.times

    def _gains(self, deal: tuple[list[int], list[int]], seed: int) -> tuple[dict[str, float], Any]:
        """Return for one hand what each sight is worth, and every split of the ranks by each half of the draws."""
        open_places, rest = deal
        row = self._row(open_places)
        options = self._options(row)
        hidden = self.layout.hidden
        times = self.effort.times
        halves = [self._pool(row.copy(), options, list(rest), hidden, times, seed + half) for half in (3, 4)]
        plain = int(halves[0].sums.argmax())
        gains = {name: _class_gain(halves, plain, labels) for name, labels in self.coarse.items()}
        gains["gone"] = _gone_gain(halves, plain, rest, len(hidden))
        for name, places in self.sights.items():
            if places == self._first_group[:1]:
                gains[name] = _class_gain(halves, plain, numpy.arange(_JOKER_FACE + 1))
            else:
                gains[name] = self._sight_gain(row, options, rest, places, plain, seed)
        for seats in range(2, min(self.game.seats_max, _SEATS_MAX) + 1):
            gone = (seats - 1) * len([place for place in self.layout.open_places[0] if place < self.layout.seat])
            if len(rest) - gone < len(hidden):
                break
            gains[f"seats-{seats}"] = self._decided(row.copy(), options, rest[gone:], hidden, plain, seed + 7)
        return gains, _split_gains(halves, plain, self.ranks)

    def _sight_gain(
        self, row: Any, options: Any, rest: list[int], places: tuple[int, ...], plain: int, seed: int
    ) -> float:
        """Return the mean worth of sets of cards seen at these places: of more where less is left to deal out."""
        unseen = [place for place in self.layout.hidden if place not in places]
        often = max(1, min(_SETS_SEEN, self.effort.dealt_out // comb(len(rest) - len(places), len(unseen))))
        draw, cards, gain = random.Random(seed), list(rest), 0.0  # noqa: S311 - samples, not shuffles
        for turn in range(often):
            here = row.copy()
            here[list(places)] = cards[: len(places)]
            gain += self._decided(here, options, cards[len(places) :], unseen, plain, seed + 5 + turn)
            draw.shuffle(cards)
        return gain / often

    @cached_property
    def sights(self) -> dict[str, tuple[int, ...]]:
        """Name the sets of hidden places a player may see: so many of the dealer's, or of the own cards to come."""
        named: dict[str, tuple[int, ...]] = {}
        for seat, words in ((True, "own"), (False, "dealer")):
            group = self.layout.group(seat=seat)
            named |= {f"{words}-{size}": group[:size] for size in range(1, len(group) + 1)}
        if all(self.layout.group(seat=seat) for seat in (True, False)):
            named["all"] = self.layout.hidden
        return named

    @cached_property
    def coarse(self) -> dict[str, Any]:
        """Name what coarse sight tells of one hidden card: a class for every card."""
        cards = range(_JOKER_FACE + 1)
        return {
            name: numpy.array([label(card) for card in cards]) for name, label in (("paint", paint), ("color", color))
        }

    @lru_cache(maxsize=1)  # noqa: B019 - a sight lives as long as its report
    def _sampled(self, seed: int) -> tuple[dict[str, Worth], tuple[Worth, Any]]:
        draw = random.Random(seed)  # noqa: S311 - samples, not shuffles
        deals, size = [], len(self.layout.open_places[0])
        options = len(self._options(self._row(self.cards[: len(self.cards) : len(self.cards) // size][:size])))
        for _ in range(min(self.effort.hands, self.effort.options // options)):
            deck = list(self.cards)
            draw.shuffle(deck)
            deals.append((deck[:size], deck[size:]))

        def piece(start: int, stop: int) -> list[Any]:
            return [self._gains(deals[index], (seed * 1_000_003 + index) * 64) for index in range(start, stop)]

        answers = [answer for part in in_threads(piece, len(deals), pieces=16) for answer in part]
        names = answers[0][0]
        worths = {name: self._mean([gains[name] for gains, _ in answers]) for name in names}
        splits = numpy.array([split for _, split in answers])
        chosen = int(splits[:, 0].mean(axis=0).argmax())
        return worths, (self._mean(splits[:, 1, chosen].tolist()), _splits(self.ranks)[chosen])

    def _mean(self, values: list[float], method: str = "") -> Worth:
        number = len(values)
        mean = sum(values) / number
        error = sqrt(sum((value - mean) ** 2 for value in values) / (number - 1) / number)
        # Who sees more can always play as if they did not: a gain below nothing is chance.
        gain = Fraction(max(round(mean / self.scale * 10**9), 0), 10**9)
        return Worth(self.plain + gain, error / self.scale, number, method or _DRAWN)

    # What a report asks

    @cached_property
    def plain(self) -> Fraction:
        """What optimal play expects that sees nothing."""
        if self._stated_plain is not None:
            return self._stated_plain
        if self._is_exact:
            return self._exact_seen(0)
        return solve_terms(self.game, self.game.main, self.terms).ev

    @property
    def _is_exact(self) -> bool:
        return self.layout.draws or self.is_small

    @property
    def _method(self) -> str:
        return _COMING if self.layout.draws else _DEALT

    def seen(self, name: str) -> Worth:
        """Value one of `sights`: those cards are known before the first decision."""
        if self._is_exact:
            places = self.sights[name]
            if places == self.layout.hidden[: len(places)]:
                return Worth(self._exact_seen(len(places)), None, None, self._method)
            return Worth(self.coming([[self.layout.hidden.index(place) for place in places]])[0], None, None, _COMING)
        return self._sampled(1)[0][name]

    def classes(self, labels: Any, name: str = "") -> Worth:
        """Value sight of the class of one hidden card, such as paint or not; `labels` has a class for each card."""
        if self._is_exact:
            return Worth(self._exact_classes(labels), None, None, self._method)
        return self._sampled(1)[0][name]

    def best_split(self) -> tuple[Worth, tuple[int, ...]]:
        """Find the split of the ranks in two that is worth most to a player who sees it of one hidden card."""
        if self._is_exact:
            worth, ranks = self._exact_split()
            return Worth(worth, None, None, self._method), ranks
        drawn, split = self._sampled(1)[1]
        return drawn, tuple(numpy.flatnonzero(split).tolist())

    def foreign_card(self) -> Worth:
        """Value one card of another seat, known to be nowhere else."""
        if self._is_exact:
            times = len(self.cards) - len(self.layout.open_places[0]) - len(self.layout.hidden)
            return Worth(self._exact(self._dealt.gone, times), None, None, self._method)
        return self._sampled(1)[0]["gone"]

    def collusion(self) -> dict[int, Worth]:
        """Value what so many seats know that tell each other all their cards."""
        if self.layout.draws:
            return self._told(1)
        sampled = self._sampled(1)[0]
        return {int(name[6:]): worth for name, worth in sampled.items() if name.startswith("seats-")}


_DRAWN = "hands drawn; hidden cards dealt out where they are few, else drawn, one half to decide and one to value"
_DEALT = "every hand by suit class against every board"
_COMING = "every hand with every card that may come"
_TOLD = f"hands drawn, each beside {_MATES} draws of the others' first cards; then every card that may come"


class Dealt(NamedTuple):
    """Sums by class of hands: what options win by one hidden card, the best by cards seen or with one gone, weights."""

    by_card: Any
    best: Any
    gone: Any
    weights: Any


@dataclass(frozen=True, slots=True)
class Effort:
    """How many hands are drawn, and options of hands; cards for each half, again for each sight, and when dealt out."""

    hands: int = 800
    options: int = 3600
    times: int = 8000
    again: int = 1500
    dealt_out: int = 4000


class Pool(NamedTuple):
    """Sums over cards drawn: what options win, the same by card at a watched or any place, draws, watched places."""

    sums: Any
    by_card: Any
    anywhere: Any
    times: int
    watched: int


def _class_gain(halves: list[Pool], plain: int, labels: Any) -> float:
    """Decide by class of one card on the first half, and value the decisions on the second."""
    first, second = halves
    gain = 0
    for label in numpy.unique(labels):
        mine, theirs = (half.by_card[:, labels == label].sum(axis=1) for half in (first, second))
        gain += int(theirs[mine.argmax()] - theirs[plain])
    return gain / (second.times * second.watched)


def _gone_gain(halves: list[Pool], plain: int, rest: list[int], hidden: int) -> float:
    """Decide by a card that is known to be nowhere hidden, and value it on the other half; of a shoe, one such card."""
    first, second = halves
    cards = numpy.array(rest)
    alike = numpy.maximum(numpy.bincount(cards, minlength=_JOKER_FACE + 1), 1)
    mine, theirs = (half.sums[:, None] - half.anywhere / alike for half in (first, second))
    best = mine.argmax(axis=0)
    gains = theirs[best[cards], cards] - theirs[plain, cards]
    # A deal is in as many of these as there are cards that it leaves.
    return float(gains.sum()) / (second.times * (len(rest) - hidden))


def _split_gains(halves: list[Pool], plain: int, ranks: int) -> Any:
    """Value every split of the ranks: decided and valued on the first half, and valued on the second."""
    splits = _splits(ranks)
    ranked = [
        numpy.stack([half.by_card[:, 4 * rank : 4 * rank + 4].sum(axis=1) for rank in range(ranks)], axis=1) * 1.0
        for half in halves
    ]
    gains = numpy.zeros((2, len(splits)), dtype=numpy.float32)
    for part in (splits, 1 - splits):
        mine, theirs = (half @ part.T for half in ranked)
        best = mine.argmax(axis=0)
        for place, sums in enumerate((mine, theirs)):
            gains[place] += sums[best, numpy.arange(len(splits))] - sums[plain]
    return gains / (halves[0].times * halves[0].watched)


def _alike_hands(cards: Sequence[int], size: int) -> dict[tuple[int, ...], int]:
    """List hands up to a renaming of the suits, with how many each stands for; a joker has no suit."""
    number: dict[tuple[int, ...], int] = {}
    for hand in combinations(cards, size):
        suits = [tuple(card >> 2 for card in hand if card < _JOKER_FACE and card & 3 == suit) for suit in range(4)]
        order = sorted(range(4), key=lambda suit: suits[suit], reverse=True)
        named = tuple(sorted(card if card >= _JOKER_FACE else card >> 2 << 2 | order.index(card & 3) for card in hand))
        number[named] = number.get(named, 0) + 1
    return number


def _all_differ(size: int, axes: int) -> Any:
    """Return for every choice of a card at each place whether no two are one."""
    places = numpy.indices((size,) * axes)
    apart = numpy.ones((size,) * axes, dtype=bool)
    for one, other in combinations(range(axes), 2):
        apart &= places[one] != places[other]
    return apart


def _best(answers: list[tuple[Any, ...]]) -> tuple[Any, ...]:
    """Take what is worth most by the first of the values, and with it the others."""
    best = answers[0]
    for other in answers[1:]:
        better = other[0] > best[0]
        best = tuple(numpy.where(better, theirs, ours) for ours, theirs in zip(best, other, strict=True))
    return best


def _by_answer(
    values: tuple[Any, ...], seen: Collection[int], paths: tuple[Path, ...], layout: CardLayout
) -> list[tuple[Any, ...]]:
    """Decide from the last decision back to the first, whose answers are returned; cards not seen yet are summed over.

    The first of the values decides, the others go along.
    """
    levels = len(layout.open_places)
    reveals = [
        next((level for level in range(levels) if place in layout.open_places[level]), levels)
        for place in layout.hidden
    ]

    def answers(level: int, so_far: tuple[int, ...]) -> list[tuple[Any, ...]]:
        worths = []
        here_on = [path.answers for path in paths if path.answers[:level] == so_far and len(path.answers) > level]
        for number in sorted({path[level] for path in here_on}):
            course = (*so_far, number)
            ends = [index for index, path in enumerate(paths) if path.answers == course]
            here = tuple(value[ends[0]] for value in values) if ends else _best(answers(level + 1, course))
            for axis, reveal in enumerate(reveals):
                if axis not in seen and reveal > level and (ends or reveal == level + 1):
                    here = tuple(value.sum(axis=axis, keepdims=True) for value in here)
            worths.append(here)
        return worths

    return answers(0, ())
