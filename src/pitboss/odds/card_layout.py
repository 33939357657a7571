"""Where the cards of a game lie, who knows which when they decide, and the courses that decisions can take."""

import random
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

from pitboss.rules import CardPlace, Face, Game, Hands, Seat, StageKind, Terms
from pitboss.rules.facts import encode

_TRIALS = 200
Option = tuple[int, ...]


@dataclass(frozen=True, slots=True)
class CardLayout:
    """Where cards lie, seat first, then board: what a player knows at each decision, and what else is read in the end.

    `hidden` are the places unknown at the first decision that the main wager reads.
    """

    seat: int
    board: int
    open_places: tuple[tuple[int, ...], ...]
    hidden: tuple[int, ...]

    @property
    def draws(self) -> bool:
        """True if there is a second decision, after more cards."""
        return len(self.open_places) > 1

    def group(self, *, seat: bool) -> tuple[int, ...]:
        """Return the hidden places of the seat, or those of the board."""
        return tuple(place for place in self.hidden if (place < self.seat) == seat)


class Cells(NamedTuple):
    """Places on the layout by the stages of a game: how many, and those known at each decision."""

    counts: dict[CardPlace, int]
    open_places: list[list[tuple[CardPlace, int]]]


def _cells(game: Game) -> Cells:
    counts = {CardPlace.SEATS: 0, CardPlace.BOARD: 0, CardPlace.DISCARD: 0}
    seen: list[tuple[CardPlace, int]] = []
    open_places: list[list[tuple[CardPlace, int]]] = []
    for stage in game.stages:
        if stage.kind is StageKind.DEAL:
            for face in stage.faces:
                if face is not Face.UNSEEN:
                    seen.append((stage.who, counts[stage.who]))
                counts[stage.who] += 1
        elif stage.kind is StageKind.LOOK and stage.who is CardPlace.SEATS:
            seen += [(CardPlace.SEATS, place) for place in range(counts[CardPlace.SEATS])]
        elif stage.kind is StageKind.SHOW and stage.who is CardPlace.BOARD:
            seen += [(CardPlace.BOARD, place) for place in range(counts[CardPlace.BOARD])]
        elif stage.kind is StageKind.DECIDE:
            open_places.append(list(dict.fromkeys(seen)))
    return Cells(counts, open_places)


def layout_of(game: Game, terms: Terms) -> CardLayout:
    """Read the layout from the stages; which hidden places the main wager reads is tried out on dealt cards."""
    cells = _cells(game)
    seat, board = cells.counts[CardPlace.SEATS], cells.counts[CardPlace.BOARD]
    open_places = tuple(
        tuple(sorted(place if who is CardPlace.SEATS else seat + place for who, place in places))
        for places in cells.open_places
    )
    hidden = tuple(place for place in range(seat + board) if place not in open_places[0])
    layout = CardLayout(seat, board, open_places, hidden)
    random_cards = random.Random(7)  # noqa: S311 - samples, not shuffles
    read = _python_reader(game, terms, layout)
    matters: set[int] = set()
    for _ in range(_TRIALS):
        *row, other = random_cards.sample(terms.deck.cards, seat + board + 1)
        options = every_path(game, terms, layout, row)
        for place in set(hidden) - matters:
            changed = [*row[:place], other, *row[place + 1 :]]
            if any(read(row, option) != read(changed, option) for option in options):
                matters.add(place)
    return CardLayout(seat, board, open_places, tuple(sorted(matters)))


def _python_reader(game: Game, terms: Terms, layout: CardLayout) -> Callable[[Sequence[int], Option], int]:
    tables, readings = game.tables(), game.reading_codes(terms)

    def read(row: Sequence[int], option: Option) -> int:
        hands = Hands(tuple(row[: layout.seat]), tuple(row[layout.seat :]), option, readings)
        return encode(game.main.read(hands, tables), game.main.bounds)

    return read


def _seat(game: Game, layout: CardLayout, row: Sequence[int], level: int, decisions: dict[str, Any]) -> Seat:
    held = tuple(row[place] for place in layout.open_places[level] if place < layout.seat)
    return Seat(1, {game.main.name: 100}, held, decisions)


def _answers(game: Game, terms: Terms, seat: Seat, *, once: bool) -> list[dict[str, Any]]:
    """List all decisions that a seat may come to with these cards; `once`, by the next question alone."""
    question = game.question(seat, terms.readings)
    if question is None:
        return [dict(seat.decisions)]
    decided = [{**seat.decisions, question.key: answer} for answer in question.options()]
    if once:
        return decided
    return [after for more in decided for after in _answers(game, terms, seat._replace(decisions=more), once=False)]


class Path(NamedTuple):
    """Decisions that end a round: at which of its decisions the last was made, and all as facts read them."""

    level: int
    answers: tuple[int, ...]
    option: Option


def paths_of(game: Game, terms: Terms, layout: CardLayout, row: Sequence[int]) -> tuple[Path, ...]:
    """List every course of decisions with these cards; `answers` number the answer at each decision."""
    paths: list[Path] = []

    def go_on(level: int, decisions: dict[str, Any], numbers: tuple[int, ...]) -> None:
        once = layout.draws
        for number, after in enumerate(_answers(game, terms, _seat(game, layout, row, level, decisions), once=once)):
            last = level + 1 == len(layout.open_places)
            following = None if last else game.question(_seat(game, layout, row, level + 1, after), terms.readings)
            if following is not None:
                go_on(level + 1, after, (*numbers, number))
                continue
            held = tuple(row[place] for place in layout.open_places[level] if place < layout.seat)
            paths.append(Path(level, (*numbers, number), game.choices(after, held)))

    go_on(0, {}, ())
    return tuple(paths)


def every_path(game: Game, terms: Terms, layout: CardLayout, row: Sequence[int]) -> tuple[Option, ...]:
    """List the decisions of every course, as facts read them."""
    return tuple(path.option for path in paths_of(game, terms, layout, row))
