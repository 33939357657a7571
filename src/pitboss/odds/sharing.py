"""What sharing takes: the same percentage prize at several seats of one round is divided equally (G-4).

Counted are the very cards. With all seats wagering, one seat's part of a prize is the chance that any seat makes it,
divided by the seats: whoever makes it, the prize is paid once. That chance is included and excluded over the seats
that make it at the same time, whose cards must not meet.
"""

import sys
from collections import defaultdict
from collections.abc import Collection, Iterator
from dataclasses import dataclass
from fractions import Fraction
from functools import reduce
from itertools import combinations, combinations_with_replacement, permutations, product
from math import comb, factorial
from operator import and_
from typing import Any

import numpy

from pitboss.odds.compiled import as_arrays, compiled, in_threads, make_compilable
from pitboss.odds.context import NumbaContext
from pitboss.odds.decimals import ratio_text
from pitboss.odds.pricing import unit_pays
from pitboss.rules import Game, Terms, Wager
from pitboss.rules.facts import Hands, encode
from pitboss.rules.wagers import Holds

_HITS_MAX = 400_000
_KINDS = 53


@dataclass(frozen=True, slots=True)
class SharedPrize:
    """One percentage prize: its chance for one seat, and by number of seats the chance that any of them makes it."""

    event: str
    share: Fraction
    chance: Fraction
    any_of: tuple[Fraction, ...]

    def own(self, seats: int) -> Fraction:
        """What one seat gets of the meter's dollar by this prize when so many seats wager."""
        return self.share * self.any_of[seats - 1] / seats

    def lost(self, seats: int) -> Fraction:
        """The part of the prize that sharing takes from one seat."""
        return 1 - self.any_of[seats - 1] / (seats * self.chance)

    def as_json(self) -> dict[str, Any]:
        """Return the prize as JSON, exact numbers as "numerator/denominator"."""
        return {
            "event": self.event,
            "share": ratio_text(self.share),
            "chance": ratio_text(self.chance),
            "seats": [
                {
                    "seats": seats,
                    "any_of": ratio_text(chance),
                    "own": ratio_text(self.own(seats)),
                    "lost": ratio_text(self.lost(seats)),
                }
                for seats, chance in enumerate(self.any_of, start=1)
            ],
        }


def shared_prizes(
    game: Game, wager: Wager, terms: Terms, events: Collection[str] | None = None
) -> tuple[SharedPrize, ...]:
    """Return every percentage prize of a jackpot (or those of some events) with what sharing makes of it.

    The chances are for one seat to the game's most.
    """
    holds = wager.holds
    if holds is None:
        raise ValueError(f"{wager.title} pays no prize that seats could share")
    levels: dict[str, tuple[Fraction, set[int]]] = {}
    for code, outcome in enumerate(unit_pays(wager, terms).outcomes):
        prize = outcome.meter_share
        if prize is not None and outcome.event is not None and (events is None or outcome.event in events):
            levels.setdefault(outcome.event, (prize.share, set()))[1].add(code)
    rows = _rows(game, terms, holds)
    prizes = []
    for event, (share, codes) in levels.items():
        together = _together(game, terms, holds, _hits(game, wager, rows, codes))
        chances = tuple(_any_of(together, seats) for seats in range(1, game.seats_max + 1))
        prizes.append(SharedPrize(event, share, together[0], chances))
    return tuple(sorted(prizes, key=lambda prize: -prize.share))


def _any_of(together: list[Fraction], seats: int) -> Fraction:
    """The chance that at least one of the seats makes it, from the chances that so many given ones all do."""
    return sum(
        ((-1) ** more * comb(seats, more + 1) * chance for more, chance in enumerate(together[:seats])), Fraction(0)
    )


@dataclass(frozen=True, slots=True)
class _Rows:
    """Rows of cards, seat first; the renamings of suits and divisions under which each is read."""

    cards: Any
    suits: Any
    divisions: Any


def _rows(game: Game, terms: Terms, holds: Holds) -> _Rows:
    size = holds.seat + holds.board
    same, straight = numpy.arange(4)[None], numpy.arange(size)[None]
    if terms.deck.decks > 1:
        hands = combinations_with_replacement(range(52), holds.seat)
        boards = list(combinations_with_replacement(range(52), holds.board))
        rows = [(*hand, *board) for hand, board in product(hands, boards)]
        return _Rows(numpy.array(rows, dtype=numpy.int64), same, straight)
    if game.deck.joker:
        return _Rows(numpy.array(list(combinations(game.deck.cards, size)), dtype=numpy.int64), same, straight)
    divisions = straight if holds.any_division else numpy.array(list(_divisions(holds)))
    suits = numpy.array(list(permutations(range(4))))
    return _Rows(NumbaContext().classes(size)[0].astype(numpy.int64), suits, divisions)


def _divisions(holds: Holds) -> Iterator[tuple[int, ...]]:
    """Every way to lay the cards of a set to the seat, those apart last, and to the board."""
    places = range(holds.seat + holds.board)
    for seat in combinations(places, holds.seat):
        board = tuple(place for place in places if place not in seat)
        for apart in combinations(seat, holds.apart):
            yield (*(place for place in seat if place not in apart), *apart, *board)


def loop_hits(
    start: int,
    stop: int,
    read: Any,
    cards: Any,
    suits: Any,
    divisions: Any,
    seat: int,
    bounds: Any,
    tables: Any,
    hit_codes: Any,
    hits: Any,
) -> None:
    """Mark the rows that make what is wanted, under every renaming and division."""
    row: Any = numpy.zeros(cards.shape[1], dtype=numpy.int64)
    for index in range(start, stop):
        for turn in range(len(suits)):
            for division in range(len(divisions)):
                for place in range(len(row)):
                    card = cards[index, divisions[division, place]]
                    row[place] = card if card >= 52 else card // 4 * 4 + suits[turn, card % 4]
                facts = read(Hands(row[:seat], row[seat:], (0, 0, 0), (0, 0, 0)), tables)
                if hit_codes[encode(facts, bounds)]:
                    hits[index - start, turn, division] = 1


def _hits(game: Game, wager: Wager, rows: _Rows, codes: set[int]) -> set[tuple[int, ...]]:
    """List the cards, seat first, that make one of these codes."""
    make_compilable(sys.modules[__name__], sys.modules[wager.read.__module__])
    loop, read = compiled(loop_hits), compiled(wager.read)
    hit_codes = numpy.zeros(_code_count(wager), dtype=numpy.int8)
    hit_codes[list(codes)] = 1
    holds, tables, bounds = wager.holds, as_arrays(game.tables()), numpy.array(wager.bounds)
    assert holds is not None

    def piece(start: int, stop: int) -> Any:
        piece_hits = numpy.zeros((stop - start, len(rows.suits), len(rows.divisions)), dtype=numpy.int8)
        loop(
            start, stop, read, rows.cards, rows.suits, rows.divisions, holds.seat, bounds, tables, hit_codes, piece_hits
        )
        return numpy.argwhere(piece_hits) + numpy.array((start, 0, 0))

    hits = set()
    for index, turn, division in numpy.concatenate(in_threads(piece, len(rows.cards), pieces=32)).tolist():
        cards = rows.cards[index, rows.divisions[division]].tolist()
        turned = [card if card >= 52 else card // 4 * 4 + int(rows.suits[turn, card % 4]) for card in cards]
        parts = (
            turned[: holds.seat - holds.apart],
            turned[holds.seat - holds.apart : holds.seat],
            turned[holds.seat :],
        )
        hits.add(tuple(card for part in parts for card in sorted(part)))
        if len(hits) > _HITS_MAX:
            raise ValueError(f"{wager.title} makes this prize with too many hands to share it exactly")
    return hits


def _code_count(wager: Wager) -> int:
    return int(numpy.prod(wager.bounds))


def _by_board(holds: Holds, decks: int, hits: set[tuple[int, ...]]) -> dict[int, dict[int, int]]:
    """Sort the hits by board: each seat's cards, a bit a card, and in how many parts played they make it."""
    by_board: dict[int, dict[int, int]] = defaultdict(lambda: defaultdict(int))
    for cards in hits:
        if holds.any_division:
            for board in combinations(cards, holds.board):
                by_board[_mask(board)][_mask(card for card in cards if card not in board)] = 1
        elif decks > 1:
            # All copies of a board's cards are alike: the first ones stand for all.
            board = cards[holds.seat :]
            for copies in product(range(decks), repeat=holds.seat):
                held = {card + _KINDS * copy for card, copy in zip(cards, copies, strict=False)} - set(board)
                if len(held) == holds.seat:
                    by_board[_mask(board)][_mask(held)] = 1
        else:
            by_board[_mask(cards[holds.seat :])][_mask(cards[: holds.seat])] += 1
    return by_board


def _mask(cards: Any) -> int:
    return sum(1 << card for card in cards)


def _together(game: Game, terms: Terms, holds: Holds, hits: set[tuple[int, ...]]) -> list[Fraction]:
    """Return the chances that one, two, three … given seats all make it, as far as they can."""
    decks = terms.deck.decks
    sets: list[int] = [0] * game.seats_max
    for seats in _by_board(holds, decks, hits).values():
        for size, number in enumerate(_disjoint(list(seats.items()), game.seats_max)):
            sets[size] += number * decks**holds.board
    deals = comb(terms.deck.size, holds.board)
    left = terms.deck.size - holds.board
    chances = []
    for size, number in enumerate(sets):
        deals *= comb(left - size * holds.seat, holds.seat) * comb(holds.seat, holds.apart)
        chances.append(Fraction(number * factorial(size + 1), deals))
    return chances


def _disjoint(seats: list[tuple[int, int]], most: int) -> list[int]:
    """Count the sets of one, two, three … seats whose cards do not meet, each by the ways its seats make it."""
    totals = [0] * most

    def go_on(candidates: list[tuple[int, int]], ways: int, size: int) -> None:
        totals[size] += ways * sum(number for _, number in candidates)
        if size + 1 == most or reduce(and_, (cards for cards, _ in candidates)):
            return
        for place, (cards, number) in enumerate(candidates):
            rest = [other for other in candidates[place + 1 :] if not other[0] & cards]
            if rest:
                go_on(rest, ways * number, size + 1)

    go_on(seats, 1, 0)
    return totals
