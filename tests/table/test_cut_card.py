"""Item 10, STC-8: a shoe that is dealt on until a cut card comes out: stated, checked, played and settled."""

from __future__ import annotations

import datetime
import json
import tomllib
from collections import Counter
from dataclasses import replace
from random import Random

import pytest

from pitboss.games import all_games, find_game
from pitboss.server.views.office.tables import content_of, fields_of, form_view, lost_keys
from pitboss.table import (
    Configuration,
    Phase,
    PlaceWagers,
    Round,
    Void,
    VoidReason,
    default_configuration,
    read_configuration,
    round_record,
    settle_record,
)
from pitboss.table.configuration import toml_text
from tests.support import problems, record, seat
from tests.table.playing import finish

STC = find_game("super-three-card")
DAY = datetime.date(2026, 10, 1)
WAGER = (("ante-odds-play", 500),)


def with_cut(cut_card: int | None, game: str = STC.name, **changes: object) -> Configuration:
    fields: dict[str, object] = {"dealt": "shoe", "cut_card": cut_card, **changes}
    return replace(default_configuration(find_game(game), DAY), **fields)  # type: ignore[arg-type]


def told(configuration: Configuration) -> list[str]:
    return [str(problem) for problem in read_configuration(configuration.canonical).problems]


def test_stc_8_it_is_read_written_and_named() -> None:
    configuration = with_cut(208)
    assert "cut_card = 208" in configuration.canonical
    assert read_configuration(configuration.canonical).configuration == configuration
    assert "cut_card" not in with_cut(None).canonical
    assert told(configuration) == []
    content = tomllib.loads(configuration.canonical)
    assert lost_keys(content) == ()
    assert read_configuration(toml_text(content_of(fields_of(content)))).configuration == configuration
    assert [name for name, *_ in form_view(fields_of(content)).tops if name == "cut_card"]


def test_stc_8_the_round_in_which_it_comes_out_can_be_dealt_to_its_end() -> None:
    """Seven seats take 24 cards at most: the last round of 312 cards begins when 288 have left the shoe."""
    assert told(with_cut(289, seats=7)) == []
    (words,) = told(with_cut(290, seats=7))
    assert "cut_card: 290 must be a whole number of cards from 1 to 289" in words
    assert words.endswith("(STC description; STC-8)")
    assert told(with_cut(404, seats=3, decks=8)) == []
    assert told(with_cut(406, seats=3, decks=8))


def test_stc_8_a_cut_card_is_put_into_a_shoe() -> None:
    (words,) = told(with_cut(208, dealt="shuffler"))
    assert words.endswith("(STC description; STC-8)")
    assert "dealt: a cut card is put into a shoe" in words


@pytest.mark.parametrize("game", [game.name for game in all_games() if game is not STC])
def test_stc_8_the_other_games_are_shuffled_before_each_round(game: str) -> None:
    (words,) = [text for text in told(with_cut(20, game)) if "cut_card" in text]
    assert "has a fresh shuffle before each round and no cut card" in words
    assert words.endswith("(REGULATION W-10)")


def test_stc_8_rounds_follow_from_one_shoe_until_it_comes_out() -> None:
    configuration = with_cut(40, seats=5)
    cards = list(configuration.terms.deck.cards)
    Random(8).shuffle(cards)
    played: Round | None = Round(configuration=configuration, shoe=tuple(cards), meters=configuration.meters)
    dealt, answers = 0, Random(9)
    while played is not None:
        assert len(played.dealt_before) == dealt < 40
        assert (*played.dealt_before, *played.shoe) == tuple(cards)
        for number in (1, 2, 3):
            played = played.apply(PlaceWagers(number, WAGER))
        done = finish(played, answers.choice)
        assert Round.from_text(done.to_text()) == done
        stated = json.loads(json.dumps(round_record(done)))
        assert (stated["cut_card"], len(stated["dealt_before"])) == (40, dealt)
        settled = settle_record(stated).settlement
        assert done.settlement is not None
        assert {number: dict(lines) for number, lines in settled.lines.items()} == done.settlement.lines
        dealt += done.state.used
        played = done.following()
    assert 40 <= dealt < 40 + STC.round_cards_max(3)


def test_stc_8_without_a_cut_card_and_after_a_void_round_it_is_shuffled() -> None:
    for configuration in (with_cut(None), with_cut(200)):
        played = Round(configuration=configuration, shoe=configuration.terms.deck.cards, meters=configuration.meters)
        begun = played.apply(PlaceWagers(1, WAGER))
        assert begun.following() is None
        void = begun.apply(Void(VoidReason.MISDEAL))
        assert (void.phase, void.following()) == (Phase.VOID, None)
        done = finish(begun, lambda options: options[0])
        assert (done.following() is None) == (configuration.cut_card is None)
        assert ("cut_card" in round_record(done)) == (configuration.cut_card is not None)


def one_round(**fields: object) -> dict[str, object]:
    tables = {"ante-odds-play": ["PT-FLT-STC-01"]}
    hand = seat(1, "As Ks Qs", {"ante-odds-play": 500}, play=True)
    return record(STC.name, "2c 2d 9h", hand, decks=6, paytables=tables, **fields)


def test_stc_8_a_record_of_a_shoe_knows_what_left_it_before() -> None:
    before = ["As"] * 5
    plain = settle_record(one_round()).json_text()
    assert plain == settle_record(one_round(cut_card=200, dealt_before=before)).json_text()
    (problem,) = problems(one_round(cut_card=200, dealt_before=[*before, "As"]))
    assert "As: more often than" in problem.words
    assert Counter(before)["As"] == 5
    (problem,) = problems(one_round(cut_card=5, dealt_before=before))
    assert "the cut card came out after 5: a fresh shuffle comes first" in problem.words
    assert (problem.clause, problem.ruling) == ("STC description", "STC-8")
    (problem,) = problems(one_round(dealt_before=before))
    assert "each round has a fresh shuffle" in problem.words
    for wrong in (0, True, "200", 313):
        assert any(problem.path == "cut_card" for problem in problems(one_round(cut_card=wrong, dealt_before=[])))
