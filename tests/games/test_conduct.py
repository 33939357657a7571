"""Issue 16 item 15: rules of conduct and the dealer's words, each with a clause of its own document."""

from __future__ import annotations

import json
from importlib.resources import files
from pathlib import Path

import pytest

from pitboss.games import all_games, find_game
from pitboss.rules import Game
from pitboss.rules.conduct import load_conduct
from tests.cli.running import run

EXPECTED = {
    "three-card-prime": {
        "players": ["TCP rule 1, information", "TCP rule 1, fourth card", "TCP four options", "TCP Appendix B, tuck"],
        "dealer": ["TCP rule 1, top card", "TCP rule 1, dealer"],
    },
    "four-card-prime": {
        "players": ["FCP four options", "FCP rule 3, fifth card", "FCP rule 4, fold", "FCP Appendix C note 3"],
        "dealer": ["FCP rule 2", "FCP rule 5"],
    },
    "three-card-double-play": {
        "players": ["TDP four options", "TDP rule 3", "TDP rule 4, over", "TDP rule 4"],
        "dealer": ["TDP rule 2", "TDP rule 6"],
    },
    "deuces-wild": {
        "players": ["DW rule 9", "DW rule 10", "DW step 20(a)", "DW step 20(b)", "DW step 20(b), only",
                    "DW step 21, tuck", "DW step 22(b), tuck", "DW step 22, final"],
        "dealer": ["DW step 14", "DW step 18, scoop", "DW step 19, reveal", "DW step 21(a)(ii)",
                   "DW step 20(b), pays", "DW step 21, exception", "DW step 23", "DW step 25"],
    },
    "super-three-card": {
        "players": ["STC rule 1", "STC rule 4", "STC rule 4, signal"],
        "dealer": ["STC rule 2", "STC rule 3", "STC rule 5, dealer"],
    },
}  # fmt: skip


@pytest.mark.parametrize("game", all_games(), ids=lambda game: game.name)
def test_item_15_every_rule_of_conduct_cites_a_clause_of_its_own_document(game: Game) -> None:
    by_audience: dict[str, list[str]] = {}
    for rule in game.conduct:
        assert rule.clause in game.clauses.values()
        by_audience.setdefault(rule.audience, []).append(rule.clause.id)
    by_audience.pop("layout", None)
    assert by_audience == EXPECTED[game.name]


def test_item_15_the_dealers_bottom_card_is_discarded_and_the_players_top_card_is_set_aside() -> None:
    """TCP rule 1: the words said "the fourth" of both."""
    game = find_game("three-card-prime")
    top, bottom = (rule.words for rule in game.conduct_of("dealer"))
    assert "top card" in top
    assert "bottom card" in bottom
    words = " ".join(game.words.split())
    assert "the top card is set aside" in words
    assert "discards the bottom card" in words
    stages = " ".join(stage.words for stage in game.stages)
    assert "the top card set aside" in stages
    assert "dealer's bottom card is discarded" in stages


@pytest.mark.parametrize(
    ("name", "word"),
    [("four-card-prime", "slant"), ("four-card-prime", "Tuck"), ("deuces-wild", "scoop"), ("deuces-wild", "English")],
)
def test_item_15_the_documents_own_words_for_handling_cards_are_used(name: str, word: str) -> None:
    assert any(word in rule.words for rule in find_game(name).conduct)


def test_item_15_the_terminal_tells_them_with_their_clauses() -> None:
    assert "English only during the play of the game. (DW rule 10)" in run("rules deuces-wild").stdout
    content = json.loads(run("rules deuces-wild --json").stdout)
    words = "English only during the play of the game."
    assert {"audience": "players", "words": words, "clause": "DW rule 10"} in content["conduct"]


def test_a_rule_for_nobody_is_refused(tmp_path: Path) -> None:
    file = tmp_path / "conduct.toml"
    file.write_text('[[conduct]]\naudience = "guests"\nclause = "rule 1"\nwords = "Hello."\n', encoding="utf-8")
    game = find_game("three-card-prime")
    with pytest.raises(ValueError, match="no audience is 'guests'"):
        load_conduct(file, game.clauses)
    assert load_conduct(tmp_path / "none.toml", game.clauses) == ()
    assert load_conduct(files("pitboss.games.three_card_prime") / "conduct.toml", game.clauses) == game.conduct
