"""Exercises of dealers, made from a table's own configuration: take and pay, a mistake, what comes next, jackpots.

Rounds are dealt from shoes in which a few cards of a kind lie on top, so that what hardly ever happens at a table
happens here. Each row of a pay table and each clause that moves a chip is a mark; a catalogue has a round for each,
and for every odd case: one person on two seats, a shared percentage, Envy, odd chips, a foul hand, a void round.
"""

import hashlib
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from itertools import repeat
from typing import Any, Literal, NamedTuple, TypeAlias

from pitboss.cards import JOKER, SUITS, Card
from pitboss.games import find_game
from pitboss.papers.training import draws_of, odd_stakes, play_out
from pitboss.randomness.live import LiveDealing, MemoryLock
from pitboss.rules import SettledLine
from pitboss.rules.pays import OfMeter, Posted, ToOne
from pitboss.rules.stages import Seat, Turn
from pitboss.table import Configuration, Deal, OperationRefusedError, PlaceWagers, Round, Void, VoidReason

Kind: TypeAlias = Literal["pay", "mistake", "procedure", "jackpot"]
KINDS: dict[Kind, str] = {
    "pay": "Take and pay",
    "mistake": "Spot the mistake",
    "procedure": "What comes next",
    "jackpot": "Jackpots on the console",
}
_RANKS = 13
_ON_TOP = 3
"""Every so many rounds the cards of a kind are just on top."""
_OPTIONS = 4
_CASE_ROUNDS = 6
"""An odd case that does not come up in so many rounds of each kind hardly can: five wild cards are there once."""


Case: TypeAlias = Literal["alone", "one person", "players", "void", "foul"]
"""Who plays and what goes wrong: a seat, one person on two, two players, a void round, a hand set foul."""


class Recipe(NamedTuple):
    """How a round is made again: which cards lie on top, its number, and its case."""

    top: int
    number: int
    case: Case = "alone"


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


@lru_cache(maxsize=64)
def _shoe(configuration: Configuration, number: int) -> tuple[Card, ...]:
    """Return a shoe, through the door of all shoes (R-06)."""
    dealing = LiveDealing(exercise_key(configuration), MemoryLock(), first_block=number)
    return dealing.next_shoe(configuration.terms.deck).cards


def _arranged(configuration: Configuration, recipe: Recipe, seats: Mapping[int, Mapping[str, int]]) -> tuple[Card, ...]:
    """Return the shoe with its cards of a kind on top; in most rounds seat 1 or the board gets them."""
    shoe, top = _shoe(configuration, recipe.number), tops(configuration.terms.deck.joker)[recipe.top]
    has_copies = len(set(shoe)) < len(shoe)
    on_top = [card for card in shoe if card in top]
    if has_copies and recipe.case == "players" and recipe.number % 2:
        # Copies of one card lie together, so that both players win the same prize.
        on_top.sort()
    cards = (*on_top, *(card for card in shoe if card not in top))
    if recipe.number % _ON_TOP == 0 or has_copies:
        return cards
    state = play_out(_placed(configuration, shoe, seats, recipe), repeat(0)).state
    hands = [state.seats[1].seat.cards, state.board.seat.cards]
    first = [shoe.index(card) for hand in hands[:: 1 if recipe.number % _ON_TOP == 1 else -1] for card in hand]
    order = [*first, *(place for place in range(len(shoe)) if place not in first)]
    arranged = [card for _, card in sorted(zip(order, cards, strict=True))]
    if recipe.case == "players" and recipe.number % 2:
        own, other = ([shoe.index(card) for card in state.seats[seat].seat.cards] for seat in (1, 2))
        for mine, theirs in zip(own, other, strict=False):
            # The other player has the same hand in the next suit, so that both win the same prize.
            card = arranged[mine]
            place = arranged.index(card if card == JOKER else card & ~3 | (card + 1) & 3)
            if place not in own:
                arranged[place], arranged[theirs] = arranged[theirs], arranged[place]
    return tuple(arranged)


def _placed(
    configuration: Configuration, shoe: tuple[Card, ...], seats: Mapping[int, Mapping[str, int]], recipe: Recipe
) -> Round:
    """Place the wagers."""
    played = Round(configuration=configuration, shoe=shoe, meters=configuration.meters)
    for seat, stakes in seats.items():
        played = played.apply(PlaceWagers(seat, tuple(stakes.items()), "A" if recipe.case == "one person" else None))
    return played


@lru_cache(maxsize=256)
def exercise_round(configuration: Configuration, recipe: Recipe) -> Round | None:
    """Deal and play a round from its recipe; nothing where its wagers may not stand together."""
    case = "" if recipe.case == "alone" else f" {recipe.case}"
    draws = draws_of(exercise_key(configuration), f"{recipe.top} {recipe.number}{case}")
    seats = {1: odd_stakes(configuration, draws, recipe.number)}
    if recipe.case == "players":
        seats[2] = odd_stakes(configuration, draws, recipe.number)
    elif recipe.case == "one person":
        few = dict(list(seats[1].items())[:2])
        seats = {1: few, 2: few}
    try:
        placed = _placed(configuration, _arranged(configuration, recipe, seats), seats, recipe)
    except OperationRefusedError:
        return None
    if recipe.case == "void":
        reasons = tuple(VoidReason)
        return play_out(placed, draws, steps=1 + recipe.top % 3, first=2).apply(
            Void(reasons[recipe.number % len(reasons)])
        )
    # A hand that is played shows more than one that is folded.
    return play_out(placed, draws, first=2)


def lines_of(played: Round) -> tuple[tuple[int, SettledLine], ...]:
    """Return the settled wagers of a finished round with their seats."""
    settlement = played.settlement
    assert settlement is not None
    return tuple((seat, line) for seat, lines in settlement.lines.items() for line in lines.values())


def marks_of(line: SettledLine) -> set[str]:
    """Return what a settled wager shows: the row of its pay table, and every clause that moves its chips."""
    marks = {f"{line.wager}: {reason.clause.id}" for reason in line.reasons}
    return marks | ({f"{line.wager}: row {line.event}"} if line.event else set())


def round_marks(played: Round, case: Case) -> set[str]:
    """Return what a round shows: the marks of its wagers, and which odd case it is."""
    lines, tables = lines_of(played), played.configuration.terms.tables
    voids = [operation.reason for operation in played.operations if isinstance(operation, Void)]
    if voids:
        return {f"{_VOID}{reason.value}" for reason in voids}
    marks = set[str]().union(*(marks_of(line) for _, line in lines))
    if any(chip.paid_cents % played.configuration.smallest_chip_cents for _, line in lines for chip in line.chips):
        marks.add(_ODD_CHIPS)
    marks |= {f"{line.wager}: {_ENVY}" for _, line in lines if line.envy_cents}
    hits = Counter((line.wager, line.event) for _, line in lines if line.event and line.wager in tables)
    for (wager, event), winners in hits.items():
        row = tables[wager].row(event)
        if winners > 1 and row is not None and isinstance(row.pay, OfMeter) and not isinstance(row.pay, Posted):
            marks.add(_SHARED)
    return marks | {mark for name, mark in (("one person", _ONE_PERSON), ("foul", _FOUL)) if name == case}


_ODD_CHIPS, _ENVY, _SHARED, _VOID = "Odd chips", "Envy", "Shared percentage", "Void: "
_ONE_PERSON, _FOUL = "One person on two seats", "Foul hand"


def case_marks(configuration: Configuration) -> dict[Case, set[str]]:
    """Return the odd cases that a table can have, from the definition."""
    game, tables, chip = find_game(configuration.game), configuration.terms.tables, configuration.smallest_chip_cents
    offered = [game.by_name[name] for name in configuration.offered]
    pays = [row.pay for wager in offered for slot in wager.slots for row in tables[slot.name].rows]
    cases: dict[Case, set[str]] = {"void": {f"{_VOID}{reason.value}" for reason in VoidReason}}
    if any(isinstance(pay, ToOne) and pay.times * chip % chip for pay in pays):
        cases["alone"] = {_ODD_CHIPS}
    if configuration.seats > 1:
        cases["one person"] = {_ONE_PERSON}
        cases["players"] = {f"{wager.name}: {_ENVY}" for wager in offered if wager.envy is not None}
        if any(isinstance(pay, OfMeter) and not isinstance(pay, Posted) for pay in pays):
            cases["players"].add(_SHARED)
    if foul_turn(configuration) is not None:
        cases["foul"] = {_FOUL}
    return cases


@lru_cache(maxsize=16)
def foul_turn(configuration: Configuration) -> Turn | None:
    """Return how a foul answer to the first question of the main wager is turned round, where there is such a thing."""
    main = find_game(configuration.game).main.name
    placed = Round(configuration=configuration, shoe=_shoe(configuration, 1), meters=configuration.meters).apply(
        PlaceWagers(1, ((main, configuration.limits(main)[0]),))
    )
    while (turn := placed.question()) is None:
        placed = placed.apply(Deal())
    return turn[1].turn


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

    When every row and every odd case has its round, the search ends.
    """
    cases, catalogue = case_marks(configuration), dict[str, Recipe]()
    cases["alone"] = cases.get("alone", set()) | row_marks(configuration)
    for case, wanted in cases.items():
        for number in range(1, (rounds if case == "alone" else min(rounds, _CASE_ROUNDS)) + 1):
            for top in range(len(tops(configuration.terms.deck.joker))):
                recipe = Recipe(top, number, case)
                played = exercise_round(configuration, recipe)
                for mark in () if played is None else round_marks(played, case):
                    catalogue.setdefault(mark, recipe)
                if case != "alone" and wanted <= set(catalogue):
                    break
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
            seat=seat,
            wager=line.wager,
            part=chip.part,
            staked_cents=chip.staked_cents,
            paid_cents=chip.paid_cents + (0 if place else line.envy_cents),
        )
        for seat, line in lines_of(played)
        for place, chip in enumerate(line.chips)
    )


@dataclass(frozen=True, slots=True, kw_only=True)
class Exercise:
    """An exercise: its kind, where it comes from, and the round; of a mistake, which chip is paid how much wrongly.

    Of a procedure, the stages up to the one that is asked for, and the answers to choose from.
    """

    kind: Kind
    mark: str
    played: Round
    case: Case = "alone"
    wrong: tuple[str, int] | None = None
    stage: int = 0
    options: tuple[str, ...] = ()

    @property
    def note(self) -> str:
        """What happened beside the cards: the round was voided; of a procedure, only by what."""
        for operation in self.played.operations:
            if isinstance(operation, Void):
                words = operation.reason.value
                return f"Now: {words}" if self.kind == "procedure" else f"The floor voids the round: {words}."
        return ""

    @property
    def next_step(self) -> tuple[str, str]:
        """What comes next, with its clause: the stage of the game, or that the round is void."""
        if self.note:
            why = lines_of(self.played)[0][1].reasons[0]
            return why.words, why.ruling or why.clause.id
        stage = self.played.game.stages[self.stage]
        return stage.words, stage.clause.id

    def decided(self, seat: Seat) -> dict[str, Any]:
        """Return the decisions of a seat as the player laid them; a foul hand lies the wrong way round."""
        turn = foul_turn(self.played.configuration) if self.case == "foul" else None
        if turn is None:
            return dict(seat.decisions)
        return {
            key: tuple(card for card in seat.cards if card not in value) if isinstance(value, tuple) else value
            for key, value in seat.decisions.items()
        }


def make_exercise(
    configuration: Configuration, catalogue: Sequence[tuple[str, Recipe]], kind: Kind, seed: str, number: int
) -> Exercise:
    """Make the exercise of a seed and a number: the same ones give the same exercise."""
    place = int.from_bytes(hashlib.sha256(f"{kind} {seed} {number}".encode()).digest()[:6])
    voids = [entry for entry in catalogue if entry[1].case == "void"] if kind == "procedure" else []
    chosen = voids if voids and place // 5 % _OPTIONS == 0 else catalogue
    if kind == "jackpot":
        chosen = of_jackpots(configuration, catalogue)
    mark, recipe = chosen[place % len(chosen)]
    played = exercise_round(configuration, recipe)
    assert played is not None
    made = Exercise(kind=kind, mark=mark, played=played, case=recipe.case)
    if kind == "mistake":
        chips = chips_of(played)
        chip = chips[place // 7 % len(chips)]
        wrong = chip.staked_cents if chip.paid_cents != chip.staked_cents else 0
        # Every fourth round is paid as it should be: nobody finds a mistake because there must be one.
        found = None if place // 3 % 4 == 0 else (chip.name, wrong)
        return replace(made, wrong=found)
    if kind == "procedure":
        staged = replace(made, stage=1 + place % (len(played.game.stages) - 1))
        return replace(staged, options=_next_steps(staged, place))
    return made


def of_jackpots(
    configuration: Configuration, catalogue: Sequence[tuple[str, Recipe]]
) -> tuple[tuple[str, Recipe], ...]:
    """Return what of a catalogue is about a jackpot: its rows, its clauses, Envy and shared percentages."""
    game = find_game(configuration.game)
    names = {name for name in configuration.offered if game.by_name[name].jackpot}
    return tuple(
        (mark, recipe)
        for mark, recipe in catalogue
        if recipe.case != "void" and (mark == _SHARED or mark.partition(":")[0] in names)
    )


def jackpot_lines(played: Round) -> tuple[tuple[int, SettledLine], ...]:
    """Return the settled jackpot wagers of a finished round with their seats."""
    return tuple((seat, line) for seat, line in lines_of(played) if played.game.by_name[line.wager].jackpot)


def _next_steps(exercise: Exercise, place: int) -> tuple[str, ...]:
    """Return the right step among others, in an order that says nothing."""
    right = exercise.next_step[0]
    unique = list(dict.fromkeys(stage.words for stage in exercise.played.game.stages if stage.words != right))
    shown = [unique[(place + step * 3) % len(unique)] for step in range(_OPTIONS - 1)]
    return tuple(sorted({*shown, right}, key=lambda words: hashlib.sha256(words.encode()).digest()))


class Marked(NamedTuple):
    """One answer that is marked: what was asked, whether it was right, what is right, and what a mispay would cost."""

    name: str
    is_right: bool
    given: str
    right: str
    cost_cents: int
    because: tuple[tuple[str, str], ...]


def _mark_console(exercise: Exercise, answers: Mapping[str, Any]) -> tuple[Marked, ...]:
    """Mark what a trainee did at the console: which wagers were counted, and which prizes paid or reported.

    An answer has by `seat:wager:what` a word and the cents that it handed out; what is `count`, `prize` or `envy`.
    """
    marked = []
    rights: dict[str, tuple[str, int, tuple[tuple[str, str], ...]]] = {}
    for seat, line in jackpot_lines(exercise.played):
        because = tuple((reason.words, reason.clause.id) for reason in line.reasons)
        cents = sum(chip.paid_cents for chip in line.chips)
        rights[f"{seat}:{line.wager}:count"] = ("counted", 0, because[:0])
        rights[f"{seat}:{line.wager}:prize"] = (line.event or "" if cents else "", cents, because)
        rights[f"{seat}:{line.wager}:envy"] = (str(line.envy_cents or ""), line.envy_cents, because)
    for name in dict.fromkeys((*rights, *answers)):
        right, right_cents, because = rights.get(name, ("", 0, ()))
        given, given_cents = answers.get(name, ("", 0))
        if not right and not given and not name.endswith(":prize"):
            continue
        cost = 0 if given == right else given_cents - right_cents
        marked.append(Marked(name, given == right, given, right, cost, because))
    return tuple(marked)


def mark_exercise(exercise: Exercise, answers: Mapping[str, Any]) -> tuple[Marked, ...]:
    """Mark the answers of an exercise by the settlement, or by the stages of the game."""
    if exercise.kind == "procedure":
        step, given = exercise.next_step, str(answers.get("next", ""))
        return (Marked("next", given == step[0], given, step[0], 0, (step,)),)
    if exercise.kind == "jackpot":
        return _mark_console(exercise, answers)
    because = {
        (seat, line.wager): tuple((reason.words, reason.clause.id) for reason in line.reasons)
        for seat, line in lines_of(exercise.played)
    }
    turn = foul_turn(exercise.played.configuration) if exercise.case == "foul" else None
    if turn is not None:
        main = exercise.played.game.main.name
        because = {key: ((turn.words, turn.ruling), *why) if key[1] == main else why for key, why in because.items()}
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
