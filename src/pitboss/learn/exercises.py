"""Exercises of dealers, made from a table's own configuration: take and pay, spot the mistake, what comes next.

Rounds are dealt from shoes in which a few cards of a kind lie on top, so that what hardly ever happens at a table
happens here. Each row of a pay table and each clause that moves a chip is a mark; a catalogue has a round for each.
"""

import hashlib
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import count
from typing import Any, Literal, NamedTuple, TypeAlias

from pitboss.cards import JOKER, SUITS, Card
from pitboss.games import find_game
from pitboss.randomness.live import LiveDealing, MemoryLock
from pitboss.rules import Game, SettledLine, Stage
from pitboss.table import Configuration, Deal, Decide, OperationRefusedError, Phase, PlaceWagers, Reveal, Round, Settle
from pitboss.table.checks import OPTIONS_MAX

Kind: TypeAlias = Literal["pay", "mistake", "procedure"]
KINDS: dict[Kind, str] = {"pay": "Take and pay", "mistake": "Spot the mistake", "procedure": "What comes next"}
_RANKS = 13
_STAKE_STEPS = 6
_OTHER_SEAT, _ON_TOP = 5, 3
"""Every so many rounds there is a second seat, one person's with the first; and the cards of a kind are just on top."""
_OPTIONS = 4


class Recipe(NamedTuple):
    """How a round is made again: which cards lie on top, and its number."""

    top: int
    number: int


def _draws(key: bytes, recipe: Recipe) -> Iterator[int]:
    """Numbers that stand for stakes and decisions: none of them deals a card, and none has to be even."""
    for place in count():
        yield int.from_bytes(hashlib.sha256(key + f"{recipe.top} {recipe.number} {place}".encode()).digest()[:4])


def exercise_key(configuration: Configuration) -> bytes:
    """Return the key of a table's exercises: the same table has the same ones."""
    return hashlib.sha256(f"exercises {configuration.content_hash}".encode()).digest()


def _cards_of(ranks: Iterable[int], suits: Iterable[int]) -> frozenset[Card]:
    return frozenset(rank << 2 | suit for rank in ranks for suit in suits)


@lru_cache(maxsize=8)
def tops(has_joker: bool) -> tuple[frozenset[Card], ...]:
    """Return the sets of cards that lie on top: none, runs of a suit, few ranks, few ranks of two suits, wild cards."""
    suits = range(len(SUITS))
    sets: list[frozenset[Card]] = [frozenset()]
    for low, high in ((7, 13), (9, 13), (8, 13), (10, 13), (0, 6), (4, 10)):
        sets += [_cards_of(range(low, high), (suit,)) for suit in suits]
    for first in range(0, _RANKS, 2):
        sets += [_cards_of(range(first, min(first + width, _RANKS)), suits) for width in (1, 2, 3)]
    for suit in suits:
        both = (suit, (suit + 1) % len(SUITS))
        sets += [_cards_of(range(low, _RANKS), both) for low in (9, 10, 11)]
    sets += [_cards_of((0, 1, 2, 12), (suit,)) for suit in suits]
    sets += [_cards_of((rank,), (0, 1, 2)) for rank in (2, 6, 10)]
    sets += [_cards_of((10, 11, 12), (suit,)) | _cards_of((rank,), (0, 1, 2)) for rank in (4, 7) for suit in suits]
    sets += [_cards_of(range(low, low + 5), (suit,)) for low in (3, 6) for suit in suits]
    if has_joker:
        wild = _cards_of((0,), suits) | {JOKER}
        sets += [wild, *(wild | _cards_of(range(8, 13), (suit,)) for suit in suits)]
    return tuple(sets)


def _stakes(configuration: Configuration, game: Game, recipe: Recipe, draws: Iterator[int]) -> dict[str, int]:
    """The main wager and up to three others in turn, at stakes that are no round multiple of the least."""
    others = [name for name in configuration.offered if name != game.main.name]
    turn = recipe.number % max(len(others), 1)
    most, jackpots = game.approval.jackpots_max_on(configuration.on), 0
    stakes: dict[str, int] = {}
    for name in (game.main.name, *others[turn:], *others[:turn]):
        if len(stakes) == OPTIONS_MAX or (name in configuration.jackpots and jackpots == most):
            continue
        jackpots += name in configuration.jackpots
        least, largest = configuration.limits(name)
        steps = min((largest - least) // configuration.smallest_chip_cents, _STAKE_STEPS - 1)
        stakes[name] = least + configuration.smallest_chip_cents * (next(draws) % (steps + 1))
    return stakes


@lru_cache(maxsize=64)
def _shoe(configuration: Configuration, number: int) -> tuple[Card, ...]:
    """Return a shoe, through the door of all shoes (R-06)."""
    dealing = LiveDealing(exercise_key(configuration), MemoryLock(), first_block=number)
    return dealing.next_shoe(configuration.terms.deck).cards


def _arranged(configuration: Configuration, recipe: Recipe, seats: Mapping[int, Mapping[str, int]]) -> tuple[Card, ...]:
    """Return the shoe with its cards of a kind on top; in most rounds seat 1 or the board gets them."""
    shoe, top = _shoe(configuration, recipe.number), tops(configuration.terms.deck.joker)[recipe.top]
    cards = (*(card for card in shoe if card in top), *(card for card in shoe if card not in top))
    if recipe.number % _ON_TOP == 0 or len(set(shoe)) < len(shoe):
        return cards
    state = _played_out(_placed(configuration, shoe, seats), iter(lambda: 0, 1)).state
    hands = [state.seats[1].seat.cards, state.board.seat.cards]
    first = [shoe.index(card) for hand in hands[:: 1 if recipe.number % _ON_TOP == 1 else -1] for card in hand]
    order = [*first, *(place for place in range(len(shoe)) if place not in first)]
    return tuple(card for _, card in sorted(zip(order, cards, strict=True)))


def _placed(configuration: Configuration, shoe: tuple[Card, ...], seats: Mapping[int, Mapping[str, int]]) -> Round:
    """Put the wagers down; two seats with few wagers are one person's."""
    played = Round(configuration=configuration, shoe=shoe, meters=configuration.meters)
    person = "A" if len(seats) > 1 and sum(map(len, seats.values())) <= OPTIONS_MAX else None
    for seat, stakes in seats.items():
        played = played.apply(PlaceWagers(seat, tuple(stakes.items()), person))
    return played


@lru_cache(maxsize=256)
def exercise_round(configuration: Configuration, recipe: Recipe) -> Round | None:
    """Deal and play a round from its recipe; nothing where its wagers may not stand together."""
    game = find_game(configuration.game)
    draws = _draws(exercise_key(configuration), recipe)
    stakes = _stakes(configuration, game, recipe, draws)
    seats = {1: stakes}
    if recipe.number % _OTHER_SEAT == 0 and configuration.seats > 1:
        seats = {1: dict(list(stakes.items())[:2]), 2: dict(list(stakes.items())[:2])}
    try:
        placed = _placed(configuration, _arranged(configuration, recipe, seats), seats)
    except OperationRefusedError:
        return None
    return _played_out(placed, draws)


def _played_out(played: Round, draws: Iterator[int]) -> Round:
    while played.phase is not Phase.FINISHED:
        turn = played.question()
        if turn is None:
            played = played.apply(next(step for step in (Deal(), Reveal(), Settle()) if played.can(step)))
            continue
        options = turn[1].options()
        draw = next(draws) % (2 * len(options))
        # A hand that is played shows more than one that is folded.
        played = played.apply(Decide(turn[0], turn[1].key, options[draw if draw < len(options) else 0]))
    return played


def lines_of(played: Round) -> tuple[tuple[int, SettledLine], ...]:
    """Return the settled wagers of a finished round with their seats."""
    settlement = played.settlement
    assert settlement is not None
    return tuple((seat, line) for seat, lines in settlement.lines.items() for line in lines.values())


def marks_of(line: SettledLine) -> set[str]:
    """Return what a settled wager shows: the row of its pay table, and every clause that moves its chips."""
    marks = {f"{line.wager}: {reason.clause.id}" for reason in line.reasons}
    return marks | ({f"{line.wager}: row {line.event}"} if line.event else set())


def row_marks(configuration: Configuration) -> set[str]:
    """Return the mark of every row of every pay table of a configuration, from the definition."""
    game, tables = find_game(configuration.game), configuration.terms.tables
    return {
        f"{name}: row {row.event}"
        for name in configuration.offered
        for slot in game.by_name[name].slots
        if slot.name in tables
        for row in tables[slot.name].rows
    }


Catalogue: TypeAlias = Mapping[str, Recipe]
"""By mark a round that shows it."""


def make_catalogue(configuration: Configuration, rounds: int = 40) -> Catalogue:
    """Find a round for every mark that can be found, from so many rounds of each set of cards on top at most.

    When every row has its round, the search ends.
    """
    wanted, catalogue = row_marks(configuration), dict[str, Recipe]()
    for number in range(1, rounds + 1):
        for top in range(len(tops(configuration.terms.deck.joker))):
            recipe = Recipe(top, number)
            played = exercise_round(configuration, recipe)
            for _, line in () if played is None else lines_of(played):
                for mark in marks_of(line):
                    catalogue.setdefault(mark, recipe)
        if wanted <= set(catalogue):
            break
    return catalogue


@dataclass(frozen=True, slots=True, kw_only=True)
class ChipAsked:
    """A chip of a finished round: whose it is, and what is right for it: so much is handed back."""

    seat: int
    wager: str
    part: str
    staked_cents: int
    paid_cents: int

    @property
    def name(self) -> str:
        """Its name in a form."""
        return f"{self.seat}:{self.wager}:{self.part}"

    @property
    def action(self) -> str:
        """What the dealer does: take, push or pay."""
        if not self.paid_cents:
            return "take"
        return "push" if self.paid_cents == self.staked_cents else "pay"


def chips_of(played: Round) -> tuple[ChipAsked, ...]:
    """Return every chip of a finished round, with what is handed back; an Envy prize counts to the first chip."""
    return tuple(
        ChipAsked(
            seat=seat, wager=line.wager, part=chip.part, staked_cents=chip.staked_cents, paid_cents=chip.paid_cents
        )
        for seat, line in lines_of(played)
        for chip in line.chips
    )


@dataclass(frozen=True, slots=True, kw_only=True)
class Exercise:
    """An exercise: its kind, where it comes from, and the round; of a mistake, which chip is paid how much wrongly.

    Of a procedure, the stages up to the one that is asked for, and the answers to choose from.
    """

    kind: Kind
    mark: str
    played: Round
    wrong: tuple[str, int] | None = None
    stage: int = 0
    options: tuple[str, ...] = ()


def make_exercise(
    configuration: Configuration, catalogue: Sequence[tuple[str, Recipe]], kind: Kind, seed: str, number: int
) -> Exercise:
    """Make the exercise of a seed and a number: the same ones give the same exercise."""
    place = int.from_bytes(hashlib.sha256(f"{kind} {seed} {number}".encode()).digest()[:6])
    mark, recipe = catalogue[place % len(catalogue)]
    played = exercise_round(configuration, recipe)
    assert played is not None
    if kind == "mistake":
        chips = chips_of(played)
        chip = chips[place // 7 % len(chips)]
        wrong = chip.staked_cents if chip.paid_cents != chip.staked_cents else 0
        # Every fourth round is paid as it should be: nobody finds a mistake because there must be one.
        found = None if place // 3 % 4 == 0 else (chip.name, wrong)
        return Exercise(kind=kind, mark=mark, played=played, wrong=found)
    if kind == "procedure":
        stages = played.game.stages
        stage = 1 + place % (len(stages) - 1)
        return Exercise(kind=kind, mark=mark, played=played, stage=stage, options=_next_steps(stages, stage, place))
    return Exercise(kind=kind, mark=mark, played=played)


def _next_steps(stages: Sequence[Stage], stage: int, place: int) -> tuple[str, ...]:
    """Return the words of a stage among those of others, in an order that says nothing."""
    others = [other.words for other in stages if other.words != stages[stage].words]
    unique = list(dict.fromkeys(others))
    shown = [unique[(place + step * 3) % len(unique)] for step in range(_OPTIONS - 1)]
    return tuple(sorted({*shown, stages[stage].words}, key=lambda words: hashlib.sha256(words.encode()).digest()))


class Marked(NamedTuple):
    """One answer that is marked: what was asked, whether it was right, what is right, and what a mispay would cost."""

    name: str
    is_right: bool
    given: str
    right: str
    cost_cents: int
    because: tuple[tuple[str, str], ...]


def mark_exercise(exercise: Exercise, answers: Mapping[str, Any]) -> tuple[Marked, ...]:
    """Mark the answers of an exercise by the settlement, or by the stages of the game."""
    if exercise.kind == "procedure":
        stage = exercise.played.game.stages[exercise.stage]
        given = str(answers.get("next", ""))
        return (Marked("next", given == stage.words, given, stage.words, 0, ((stage.words, stage.clause.id),)),)
    because = {
        (seat, line.wager): tuple((reason.words, reason.clause.id) for reason in line.reasons)
        for seat, line in lines_of(exercise.played)
    }
    chips = chips_of(exercise.played)
    if exercise.kind == "mistake":
        right = "" if exercise.wrong is None else exercise.wrong[0]
        given = str(answers.get("mistake", ""))
        chip = next((chip for chip in chips if chip.name == right), None)
        why = () if chip is None else because[chip.seat, chip.wager]
        cost = 0 if chip is None or exercise.wrong is None else exercise.wrong[1] - chip.paid_cents
        return (Marked("mistake", given == right, given, right, 0 if given == right else cost, why),)
    marked = []
    for chip in chips:
        cents = answers.get(chip.name)
        is_right = cents == chip.paid_cents
        cost = 0 if is_right or not isinstance(cents, int) else cents - chip.paid_cents
        given = "" if cents is None else str(cents)
        marked.append(Marked(chip.name, is_right, given, str(chip.paid_cents), cost, because[chip.seat, chip.wager]))
    return tuple(marked)
