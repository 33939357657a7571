"""Take and pay in the terminal: finished rounds of a table, to be paid and marked by the settlement."""

import secrets
from pathlib import Path

from rich.markup import escape

from pitboss.cards import card_text
from pitboss.cli.games.practice import practice_configuration
from pitboss.cli.output import console, fail
from pitboss.games import find_game
from pitboss.learn.exercises import Exercise, chips_of, make_catalogue, make_exercise, mark_exercise
from pitboss.rules import MoneyError, dollars, parse_dollars

_ROUNDS = 24


def train(name: str | None, config: Path | None, seed: str | None, hands: int) -> int:
    """Ask for so many rounds what is handed back for each chip, and mark the answers."""
    if not 1 <= hands <= 100:
        raise fail("--hands must be from 1 to 100")
    configuration, chosen = practice_configuration(name, config), seed or secrets.token_hex(8)
    console.print("Dealing rounds until every line of every pay table has come up ...")
    catalogue = sorted(make_catalogue(configuration, _ROUNDS).items())
    right = asked = cost = 0
    for number in range(1, hands + 1):
        exercise = make_exercise(configuration, catalogue, "pay", chosen, number)
        console.rule(f"hand {number} of {hands}")
        try:
            answers = _answers(exercise)
        except EOFError:
            break
        for answer in mark_exercise(exercise, answers):
            asked, right, cost = asked + 1, right + answer.is_right, cost + abs(answer.cost_cents)
            verdict = "[green]right[/]" if answer.is_right else f"[red]wrong[/], hand back {dollars(int(answer.right))}"
            because = "; ".join(f"{words} ({clause})" for words, clause in answer.because)
            console.print(f"  {escape(answer.name)}: {verdict}. [dim]{escape(because)}[/]", soft_wrap=True)
    console.print(f"{right} of {asked} right. Mispays would have cost {dollars(cost)}. The same hands: --seed {chosen}")
    return 0


def _answers(exercise: Exercise) -> dict[str, int | None]:
    played = exercise.played
    game = find_game(played.configuration.game)
    board = " ".join(map(card_text, played.state.board.seat.cards))
    console.print(f"{game.board.name}: {board or '-'}")
    for seat in played.state.all_seats:
        decided = ", ".join(
            f"{key} {' '.join(map(card_text, value)) if isinstance(value, tuple) else value}"
            for key, value in exercise.decided(seat).items()
        )
        console.print(f"seat {seat.number}: {' '.join(map(card_text, seat.cards))}  {escape(decided)}")
    if exercise.note:
        console.print(exercise.note)
    answers: dict[str, int | None] = {}
    for chip in chips_of(played):
        words = f"  seat {chip.seat}, {game.by_name[chip.wager].title}, {chip.part} {dollars(chip.staked_cents)}"
        answers[chip.name] = _amount(f"{escape(words)}: hand back (0 takes it)? ")
    return answers


def _amount(question: str) -> int | None:
    """Ask for an amount until it can be read; nothing is no answer."""
    while text := console.input(question).strip():
        try:
            return parse_dollars(text.removeprefix("$"))
        except MoneyError as error:
            console.print(f"  {escape(str(error))}")
    return None
