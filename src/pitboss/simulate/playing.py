"""A table made ready: rounds dealt and played, compiled, and what every facts code pays each seat."""

from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache
from importlib import import_module
from math import prod
from threading import Lock
from typing import Any, NamedTuple

import numpy

from pitboss.cards import Deck, stream_cipher
from pitboss.games import find_game
from pitboss.odds.compiled import as_arrays, compiled
from pitboss.odds.context import NumbaContext
from pitboss.odds.pricing import unit_pays
from pitboss.odds.store import default_store
from pitboss.rules import CardPlace, Game, StageKind, Terms, Wager, line_of, prize_cents
from pitboss.rules.wagers import pay_array
from pitboss.simulate.limiting import LimitedWager, limited_wagers
from pitboss.simulate.setup import BLOCK_ROUNDS, Setup
from pitboss.simulate.shoes import ShoeDealer
from pitboss.simulate.strategies import Decided, decide
from pitboss.simulate.tally import loop_tally

_WORD_BITS = 32
_LOW = (1 << _WORD_BITS) - 1
_WORD_BYTES = 4


def loop_deal(words: Any, at: int, rounds: int, place_of: Any, swapped: Any, faces: Any, cards: Any) -> tuple[int, int]:
    """Deal rounds from these words, and say how many rounds were dealt and how many words that took.

    The first steps of a Fisher-Yates shuffle from the top: card i changes places with one of those from i on, drawn by
    Lemire's multiplication with rejection as `cards.draw_below` does. `place_of` is 0, 1, 2 … and is so again after
    every round. A round for which the words do not suffice is not begun as far as the answer is concerned.
    """
    size = cards.shape[1]
    for dealt in range(rounds):
        begun = at
        drawn = 0
        while drawn < size and at < len(words):
            left = len(place_of) - drawn
            product = numpy.int64(words[at]) * left
            at += 1
            # The remainder is less than what is left: only where the low bits are too, is the division needed.
            if product & _LOW < left and product & _LOW < (1 << _WORD_BITS) % left:
                continue
            place = drawn + (product >> _WORD_BITS)
            cards[dealt, drawn] = faces[place_of[place]]
            place_of[place] = place_of[drawn]
            swapped[drawn] = place
            drawn += 1
        for step in range(drawn):
            place_of[swapped[step]] = swapped[step]
        if drawn < size:
            return dealt, begun
    return rounds, at


class Dealer:
    """Deals the rounds of one block in order; the block number is the nonce, so that it is the same everywhere."""

    def __init__(self, key: bytes, block: int, deck: Deck, cards: int, rounds: int) -> None:
        """Make ready to deal so many cards a round, at most `rounds` rounds at a time."""
        self._cipher = stream_cipher(key, block)
        self._zeros = memoryview(bytes(_WORD_BYTES * (rounds * cards + _WORD_BITS)))
        self._bytes = memoryview(bytearray(len(self._zeros)))
        self._words: Any = numpy.frombuffer(self._bytes, dtype="<u4")
        self._at = len(self._words)
        self._faces = numpy.array(deck.cards, dtype=numpy.int64)
        self._place_of = numpy.arange(deck.size, dtype=numpy.int64)
        self._swapped = numpy.zeros(cards, dtype=numpy.int64)
        self.cards = numpy.zeros((rounds, cards), dtype=numpy.int64)
        self._loop = compiled(loop_deal)

    def deal(self, rounds: int) -> int:
        """Deal up to so many of the next rounds into `cards`, and say how many: at least one."""
        left = len(self._words) - self._at
        self._words[:left] = self._words[self._at :]
        missing = _WORD_BYTES * self._at
        self._cipher.update_into(self._zeros[:missing], self._bytes[_WORD_BYTES * left :])
        arrays = (self._place_of, self._swapped, self._faces, self.cards)
        dealt, self._at = self._loop(self._words, 0, min(rounds, len(self.cards)), *arrays)
        if not dealt:
            raise RuntimeError("a round took more words than a whole chunk of rounds should")
        return int(dealt)


CHUNK_ROUNDS = 4096
_ONE_AT_A_TIME = Lock()


class Chunk(NamedTuple):
    """Some rounds of a block, played: cards as dealt, decisions as facts read them, and facts codes by wager.

    With a cut card `depths` says how many cards had left the shoe before each round, and `gains` what remembering them
    would have added to the first seat's main wager.
    """

    first: int
    rounds: int
    cards: Any
    choices: Any
    codes: Any
    depths: Any = None
    gains: Any = None


@dataclass(frozen=True, slots=True, eq=False)
class Ready:
    """A table made ready to be simulated.

    The facts codes of wager w stand from `begins[w]` on in arrays by seat: `paid` and `staked` in cents without any
    share of a meter, `envy` what the code at a seat gives to others, `shares` the numerator and denominator of the
    share of the meter it wins, `watched` where the meter pays. `placed` says which seats the tally reads. What
    aggregate limits hold back of `paid` depends on a whole deal, and is in `limited`.
    """

    setup: Setup
    game: Game
    decided: Decided
    seat_cards: int
    begins: Any
    placed: Any
    staked: Any
    paid: Any
    envy: Any
    watched: Any
    plan: Any
    tables: Any
    readings: tuple[int, ...]
    rounds_loop: Any
    tally_loop: Any
    limited: tuple[LimitedWager, ...]
    shoe: Any = None

    @property
    def terms(self) -> Terms:
        """The terms in force."""
        return self.setup.terms

    @property
    def dealt(self) -> int:
        """How many cards a round takes: every seat's, then the board's."""
        return self.seat_cards * self.setup.seats + self.game.board.cards

    def play(self, key: bytes, block: int, rounds: int = BLOCK_ROUNDS) -> Iterator[Chunk]:
        """Play the first rounds of a block, some at a time; the arrays are used again for the next."""
        dealer = self._dealer(key, block)
        seats = self.setup.seats
        read = self.placed.any(axis=0)
        choices = numpy.zeros((CHUNK_ROUNDS, seats, self._choices), dtype=numpy.int64)
        codes = numpy.zeros((CHUNK_ROUNDS, seats, len(self.game.wagers)), dtype=numpy.int64)
        left = numpy.zeros(len(set(self.terms.deck.cards)), dtype=numpy.int64)
        first = 0
        while first < rounds:
            dealt = dealer.deal(rounds - first)
            self.rounds_loop(dealt, read, dealer.cards, self.plan, self.tables, self.readings, choices, codes)
            if isinstance(dealer, ShoeDealer):
                gains = self.shoe.gains(dealer.depths, dealer.cards, dealt, left)
                yield Chunk(first, dealt, dealer.cards, choices, codes, dealer.depths[:dealt], gains)
            else:
                yield Chunk(first, dealt, dealer.cards, choices, codes)
            first += dealt

    def _dealer(self, key: bytes, block: int) -> Dealer | ShoeDealer:
        if self.setup.cut_card is None:
            return Dealer(key, block, self.terms.deck, self.dealt, CHUNK_ROUNDS)
        shape, deck = (CHUNK_ROUNDS, self.dealt), self.terms.deck
        return ShoeDealer(key, block, deck, self.setup.cut_card, shape, self.shoe.used)

    @property
    def _choices(self) -> int:
        return len(self.game.choices({}, ()))


def make_ready(setup: Setup) -> Ready:
    """Make a table ready: decide at every node, compile, and settle every facts code; once, whoever asks first."""
    with _ONE_AT_A_TIME:
        return _make_ready(setup)


@lru_cache(maxsize=4)
def _make_ready(setup: Setup) -> Ready:
    game = find_game(setup.game)
    if game.rounds is None:
        raise ValueError(f"{game.title} has no rounds to simulate")
    main = setup.staked_on(game.main.name)
    if any(main) and not all(main):
        raise ValueError(f"either every seat places {game.main.title} or none does: decisions are the same for all")
    rounds = import_module(game.rounds)
    names = list(game.by_name)
    placed = frozenset(name for name in names if any(setup.staked_on(name)))
    decided = decide(game, setup.terms, placed, setup.strategy, default_store())
    readings = game.reading_codes(setup.terms)
    context = NumbaContext(decks=setup.terms.deck.decks, readings=readings)
    begins = numpy.cumsum([0, *(prod(wager.bounds) for wager in game.wagers)])
    money = _money(game, setup, begins)
    plan = rounds.plan_of(context, decided.choices)
    shoe = None
    if setup.cut_card is not None:
        shoe = rounds.Shoe(context, plan, setup.seats, unit_pays(game.main, setup.terms))
    return Ready(
        setup=setup,
        game=game,
        decided=decided,
        seat_cards=_seat_cards(game),
        begins=begins,
        plan=plan,
        shoe=shoe,
        tables=as_arrays(game.tables()),
        readings=readings or (0,),
        rounds_loop=context.compiled(rounds.loop_rounds),
        tally_loop=context.compiled(loop_tally),
        limited=limited_wagers(game, setup),
        **money,
    )


def _seat_cards(game: Game) -> int:
    return sum(
        len(stage.faces) for stage in game.stages if stage.kind is StageKind.DEAL and stage.who is CardPlace.SEATS
    )


def _money(game: Game, setup: Setup, begins: Any) -> dict[str, Any]:
    """Settle every facts code for every seat by the settlement of the rules."""
    shape = (setup.seats, int(begins[-1]))
    staked, paid, envy = (numpy.zeros(shape, dtype=numpy.int64) for _ in range(3))
    watched = numpy.zeros(shape, dtype=numpy.bool_)
    placed = numpy.zeros((setup.seats, len(game.wagers)), dtype=numpy.bool_)
    for place, wager in enumerate(game.wagers):
        stakes = setup.staked_on(wager.name)
        if not any(stakes):
            continue
        outcomes = pay_array(wager, setup.terms).outcomes
        deducts = wager.name in setup.terms.fixed_from_meter
        for seat, cents in enumerate(stakes):
            placed[seat, place] = cents > 0 or _any_hand_gives_envy(wager, setup.terms)
            for code, outcome in enumerate(outcomes):
                at = seat, begins[place] + code
                if cents:
                    line = line_of(wager, outcome, cents)
                    staked[at], paid[at] = line.staked_cents, line.paid_cents
                    watched[at] = outcome.meter_share is not None or (deducts and line.paid_cents > 0)
                if outcome.envy is not None and placed[seat, place]:
                    others = (other for number, other in enumerate(stakes) if number != seat and other)
                    envy[at] = sum(prize_cents(wager, outcome.envy, other) for other in others)
                    # Envy is deducted as other fixed prizes are (G-5), whoever's hand gives it.
                    watched[at] |= deducts and envy[at] > 0
    return {"placed": placed, "staked": staked, "paid": paid, "envy": envy, "watched": watched}


def _any_hand_gives_envy(wager: Wager, terms: Terms) -> bool:
    rule = wager.envy
    return rule is not None and terms.readings[rule.switch] == rule.any_hand
