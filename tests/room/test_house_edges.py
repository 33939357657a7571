"""G-61, item 8: a wager that players win in the long run is not posted unless two people say why in writing."""

from __future__ import annotations

import json
from collections.abc import Iterator
from fractions import Fraction
from pathlib import Path

import pytest

from pitboss import odds
from pitboss.books import RefusedError
from pitboss.commands import By, NotReadyError
from pitboss.games import find_game
from pitboss.odds import house_edges
from pitboss.room.configurations import PostConfiguration
from pitboss.room.services import Counted
from pitboss.server.worker.jobs import WagerOddsJob
from pitboss.server.worker.pool import Figure, Worker
from pitboss.table import Configuration, read_configuration
from tests.pages.room import CardRoom, card_room

TEXT = Path("examples/three-card-prime-operator-set.toml").read_text(encoding="utf-8")
BY = By("Mia", "manager", By("Acc", "accounting"))
REFUSED = "wagers.ante-play: the house edge is -83.8915%: below zero"
COUNT_EDGES = Worker.count_edges


@pytest.fixture
def at(quick_path: Path) -> Iterator[CardRoom]:
    with card_room(quick_path / "room") as found:
        yield found


def counting(edge: Fraction, status: str = "ready") -> object:
    return lambda *_: Counted(status, {"ante-play": edge}, "no such table")


def post(at: CardRoom, override: str = "") -> str:
    """Post a configuration; return the payload of its entry."""
    value = PostConfiguration(table="9", configuration=TEXT, words="new", override=override)
    return at.room.do(value, BY, id=f"post-{override}").entries[0].payload


def test_g_61_an_edge_below_zero_is_refused_and_two_people_may_override_it_in_writing(at: CardRoom) -> None:
    at.room.services.edges.count = counting(Fraction(-838_915, 1_000_000))  # type: ignore[assignment]
    before = at.room.state.sequence
    with pytest.raises(RefusedError) as error:
        post(at)
    assert [REFUSED in error.value.problems[0], "G-61" in error.value.problems[1]] == [True, True]
    assert before == at.room.state.sequence
    entry = json.loads(post(at, "a promotion of one evening"))
    assert ("a promotion of one evening", "Acc") == (entry["override"], entry["approved_by"])


def test_g_61_an_edge_of_zero_or_more_needs_no_words(at: CardRoom) -> None:
    at.room.services.edges.count = counting(Fraction(0))  # type: ignore[assignment]
    assert "override" not in json.loads(post(at))


def test_g_61_edges_that_are_being_counted_or_cannot_be_are_waited_for_or_refused(at: CardRoom) -> None:
    at.room.services.edges.count = counting(Fraction(0), "computing")  # type: ignore[assignment]
    value, before = PostConfiguration(table="9", configuration=TEXT, words="new"), at.room.state.sequence
    with pytest.raises(NotReadyError, match="Submit again in a moment"):
        at.room.do(value, By("Mia", "manager"), id="asked")
    at.room.services.edges.count = counting(Fraction(-1, 100))  # type: ignore[assignment]
    with pytest.raises(RefusedError, match="below zero"):
        at.room.do(value, By("Mia", "manager"), id="asked")
    assert before == at.room.state.sequence, "what is not counted, or below zero, waits for nobody"
    with pytest.raises(RefusedError, match="below zero"):
        post(at)
    at.room.services.edges.count = counting(Fraction(0), "failed")  # type: ignore[assignment]
    with pytest.raises(RefusedError, match="no such table"):
        post(at)


class Solved(Worker):
    """A worker that counts at once, in this process."""

    def wait(self, job: object, seconds: float, caller: str = "") -> Figure:
        assert isinstance(job, WagerOddsJob)
        assert seconds >= 0
        return Figure("", "ready", job.run())


def of_text(text: str) -> Configuration:
    found = read_configuration(text).configuration
    assert found is not None
    return found


def test_g_61_server_and_terminal_count_the_same_edges_and_a_jackpot_at_its_seed() -> None:
    """By a third way too: the share of the meter in what comes back of a dollar, worked out here."""
    configuration = of_text(TEXT)
    worker = Solved()
    try:
        counted = COUNT_EDGES(worker, 1.0, configuration)
    finally:
        worker.close()
    assert counted.value == house_edges(configuration)
    for name in configuration.jackpots:
        game = find_game(configuration.game)
        result = odds.solve_terms(game, game.by_name[name], configuration.terms, store=odds.default_store())
        share = (result.meter_coefficient or 0) * Fraction(configuration.meters[name], 100)
        assert counted.value[name] == 1 - (1 + result.ev + share)
