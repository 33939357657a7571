"""Simulated rounds played at a table: decisions are legal, cards are those a table deals, and the cents are the same."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from dataclasses import replace
from itertools import chain, product
from typing import Any

import pytest

from pitboss.cards import overdealt
from pitboss.games import find_game
from pitboss.rules import CardPlace, Seat, StageKind
from pitboss.simulate.playing import Ready, make_ready
from pitboss.simulate.setup import Setup
from pitboss.table import Configuration, Decide, Phase, PlaceWagers, Round, default_configuration
from tests.simulate.cases import GAMES, KEY
from tests.simulate.plain import Money, Played, cents_settled, decisions_of, finished, played_in, wagers_of
from tests.table.playing import DAY, step

SEATS, OPTIONS = 3, 4
ROUNDS, MANY_ROUNDS = 20, 600  # of every game, over its tables


def tables() -> list[tuple[str, Configuration, tuple[str, ...]]]:
    """Every game under every reading and shoe, with its first four wagers and, where there are more, its last ones."""
    found = []
    for game in map(find_game, GAMES):
        readings = [{switch.name: reading} for switch in game.switches for reading in switch.readings] or [{}]
        for decks, chosen in product(game.decks_allowed or (None,), readings):
            configuration = replace(default_configuration(game, DAY, decks=decks), readings=chosen)
            rest = [offered for offered in configuration.offered if offered != game.main.name]
            for wagers in dict.fromkeys((tuple(rest[: OPTIONS - 1]), tuple(rest[1 - OPTIONS :]))):
                words = "-".join([game.name, *chosen.values(), *([f"{decks}-decks"] if decks else []), wagers[-1]])
                found.append((words, configuration, (game.main.name, *wagers)))
    return found


def ready_at(configuration: Configuration, wagers: tuple[str, ...]) -> Ready:
    game = find_game(configuration.game)
    one = tuple(configuration.limits(name)[0] if name in wagers else 0 for name in game.by_name)
    return make_ready(Setup(game=game.name, terms=configuration.terms, stakes=(one,) * SEATS))


def arranged_shoe(ready: Ready, played: Played) -> tuple[int, ...]:
    """A shoe that gives these cards in the order of the stages; what is not needed comes last."""
    seats = []
    for seat, cards in enumerate(played.cards):
        decisions = decisions_of(ready, seat, cards, played.choices[seat])
        seats.append(Seat(seat + 1, wagers_of(ready, seat), cards, decisions))
    held, board = [list(cards) for cards in played.cards], list(played.board)
    spare = list((Counter(ready.terms.deck.cards) - Counter([*board, *chain(*held)])).elements())
    shoe: list[int] = []
    for stage in ready.game.stages:
        if stage.kind is not StageKind.DEAL or not stage.needed(tuple(seats)):
            continue
        if stage.who is CardPlace.SEATS:
            holders = [cards for seat, cards in zip(seats, held, strict=True) if stage.entitled(seat)]
        else:
            holders = [board if stage.who is CardPlace.BOARD else spare]
        shoe += [holder.pop(0) for holder in holders for _ in stage.faces]
    return (*shoe, *spare, *board, *chain(*held))


def at_the_table(configuration: Configuration, ready: Ready, played: Played) -> Round:
    shoe = arranged_shoe(ready, played)
    at_table = Round(configuration=configuration, shoe=shoe, meters=configuration.meters)
    decisions = {}
    for seat, cards in enumerate(played.cards):
        at_table = at_table.apply(PlaceWagers(seat + 1, tuple(wagers_of(ready, seat).items())))
        decisions[seat + 1] = decisions_of(ready, seat, cards, played.choices[seat])
    while at_table.phase is not Phase.FINISHED:
        asked = at_table.question()
        if asked is None:
            at_table = step(at_table, lambda _: None)
        else:
            seat, question = asked
            at_table = at_table.apply(Decide(seat, question.key, decisions[seat].pop(question.key)))
    assert not any(decisions.values()), "a seat was not asked what it had decided"
    return at_table


def cases() -> Iterator[Any]:
    """Every game under every reading and shoe; always under the first of them, with its first and its last wagers."""
    first: dict[str, str] = {}
    for name, configuration, wagers in tables():
        always = first.setdefault(configuration.game, configuration.content_hash) == configuration.content_hash
        marks = [] if always else [pytest.mark.slow]
        yield pytest.param(configuration, wagers, ROUNDS, marks=marks, id=f"{ROUNDS}-{name}")
        yield pytest.param(configuration, wagers, MANY_ROUNDS, marks=pytest.mark.slow, id=f"{MANY_ROUNDS}-{name}")


@pytest.mark.parametrize(("configuration", "wagers", "rounds"), [*cases()])
def test_rounds_are_those_of_a_table_decision_by_decision(
    configuration: Configuration, wagers: tuple[str, ...], rounds: int
) -> None:
    ready = ready_at(configuration, wagers)
    money = Money(ready, dict(configuration.meters))
    tables_of_game = sum(other.game == configuration.game for _, other, _ in tables())
    (chunk,) = ready.play(KEY, 7, rounds // tables_of_game)
    for played in played_in(ready, chunk):
        assert not overdealt(ready.terms.deck, (*played.board, *(card for cards in played.cards for card in cards)))
        at_table = at_the_table(configuration, ready, played)
        assert [seat.cards for seat in at_table.state.all_seats] == [
            seat.cards for seat in finished(ready, played).seats
        ]
        board = at_table.state.board.seat.cards
        assert board == played.board[: len(board)]
        assert at_table.settlement is not None
        assert money.cents(played) == cents_settled(at_table.settlement)
