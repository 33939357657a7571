"""The training sheet: ten hands of this table that are easily mispaid, with their answers, all made by the engine."""

import hashlib
from collections import Counter
from collections.abc import Iterator
from itertools import count
from typing import Any, NamedTuple

from pitboss.cards import card_text, card_words
from pitboss.paper.words import money
from pitboss.papers import document
from pitboss.papers.document import Block
from pitboss.papers.posted import capital
from pitboss.papers.source import PaperSource
from pitboss.randomness.live import LiveDealing, MemoryLock
from pitboss.rules import Settlement
from pitboss.table import Configuration, Deal, Decide, Phase, PlaceWagers, Reveal, Round, Settle
from pitboss.table.checks import OPTIONS_MAX

_HANDS = 10
_DEALT = 240
"""So many rounds are dealt for a sheet; the ten whose outcomes come up least among them are printed."""


class _Exercise(NamedTuple):
    """A finished round, and what is unusual in it: wager, event and what became of the chips."""

    played: Round
    settlement: Settlement
    marks: tuple[str, ...]


def odd_stakes(configuration: Configuration, draws: Iterator[int], turn: int = 0) -> dict[str, int]:
    """The main wager and up to three others from this turn on, at stakes that are no round multiple of the least."""
    game = Round(configuration=configuration, shoe=()).game
    others = [name for name in configuration.offered if name != game.main.name]
    turn %= max(len(others), 1)
    most, jackpots = game.approval.jackpots_max_on(configuration.on), 0
    stakes: dict[str, int] = {}
    for name in (game.main.name, *others[turn:], *others[:turn]):
        if len(stakes) == OPTIONS_MAX or (name in configuration.jackpots and jackpots == most):
            continue
        jackpots += name in configuration.jackpots
        least, largest = configuration.limits(name)
        chip = configuration.smallest_chip_cents
        stakes[name] = least + chip * (next(draws) % (min((largest - least) // chip, 5) + 1))
    return stakes


def draws_of(key: bytes, name: str) -> Iterator[int]:
    """Numbers that stand for stakes and decisions: none of them deals a card, and none has to be even."""
    for place in count():
        yield int.from_bytes(hashlib.sha256(key + f"{name} {place}".encode()).digest()[:4])


def play_out(played: Round, draws: Iterator[int], *, steps: int = 1_000, first: int = 1) -> Round:
    """Play a round to its end, or so many steps; the first answer to a question is taken `first` times as often."""
    while played.phase not in (Phase.FINISHED, Phase.VOID) and steps:
        steps -= 1
        turn = played.question()
        if turn is None:
            played = played.apply(next(step for step in (Deal(), Reveal(), Settle()) if played.can(step)))
            continue
        options = turn[1].options()
        draw = next(draws) % (first * len(options))
        played = played.apply(Decide(turn[0], turn[1].key, options[draw if draw < len(options) else 0]))
    return played


def _finished(configuration: Configuration, key: bytes, number: int) -> Round | None:
    """Deal and play one round from its number; its shoe comes through the door of all shoes (R-06)."""
    draws = draws_of(key, str(number))
    shoe = LiveDealing(key, MemoryLock(), first_block=number).next_shoe(configuration.terms.deck)
    played = Round(configuration=configuration, shoe=shoe.cards, meters=configuration.meters)
    placed = PlaceWagers(1, tuple(odd_stakes(configuration, draws).items()))
    return play_out(played.apply(placed), draws) if played.can(placed) else None


def _exercise(played: Round) -> _Exercise:
    settlement = played.settlement
    assert settlement is not None
    marks = tuple(
        f"{name}: {line.event}: {'+'.join(sorted({reason.clause.id for reason in line.reasons}))}"
        for name, line in settlement.lines[1].items()
    )
    return _Exercise(played, settlement, marks)


def _chosen(exercises: list[_Exercise]) -> list[_Exercise]:
    """The hands with the rarest outcomes, each bringing one that the ones before it do not have."""
    times = Counter(mark for exercise in exercises for mark in exercise.marks)
    order = sorted(exercises, key=lambda exercise: sum(1 / times[mark] for mark in exercise.marks), reverse=True)
    sheet: list[_Exercise] = []
    seen: set[str] = set()
    for exercise in order:
        if len(sheet) < _HANDS and not seen.issuperset(exercise.marks):
            sheet.append(exercise)
            seen.update(exercise.marks)
    return [*sheet, *(exercise for exercise in order if exercise not in sheet)][:_HANDS]


def _question_blocks(number: int, exercise: _Exercise) -> list[Block]:
    state, game = exercise.played.state, exercise.played.game
    [held] = state.all_seats
    decided = "; ".join(f"{capital(key)}: {_decision(value)}" for key, value in held.decisions.items())
    wagers = ", ".join(f"{game.by_name[name].title} {money(cents)}" for name, cents in held.wagers.items())
    hands = [("Player", [card_text(card) for card in held.cards])]
    if state.board.seat.cards:
        hands.append((game.board.name.capitalize(), [card_text(card) for card in state.board.seat.cards]))
    text = f"{capital(wagers)}." + (f" {decided}." if decided else "")
    return [document.exercise(f"Hand {number}", text, hands)]


def _decision(value: Any) -> str:
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, tuple):
        return ", ".join(map(card_words, value))
    return f"{value}X" if value else "fold"


def _answer_blocks(number: int, exercise: _Exercise) -> list[Block]:
    game = exercise.played.game
    rows = []
    for name, line in exercise.settlement.lines[1].items():
        because = "; ".join(f"{reason.words} ({reason.clause.id})" for reason in line.reasons)
        rows.append((capital(game.by_name[name].title), money(line.staked_cents), money(line.paid_cents), because))
    return [
        document.heading(f"Hand {number}", 3),
        document.grid(["Wager", "At risk>", "Hand back>", "How it was decided"], rows),
    ]


def training_sheet(source: PaperSource, number: int = 1) -> dict[str, Any]:
    """Return the view of a training sheet; another number gives other hands, the same number the same ones."""
    key = hashlib.sha256(f"training {source.configuration.content_hash} {number}".encode()).digest()
    rounds = (_finished(source.configuration, key, place) for place in range(_DEALT))
    sheet = _chosen([_exercise(played) for played in rounds if played is not None])
    blocks = [
        document.heading("Take or pay?"),
        document.paragraph("For each wager: take, push or pay, and how much goes back to the player?"),
    ]
    for place, exercise in enumerate(sheet, start=1):
        blocks += _question_blocks(place, exercise)
    blocks += [document.new_page(), document.heading("Answers")]
    for place, exercise in enumerate(sheet, start=1):
        blocks += _answer_blocks(place, exercise)
    return {"title": f"Training sheet {number}", "subtitle": source.game.title, "blocks": blocks}
