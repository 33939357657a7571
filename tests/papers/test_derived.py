"""Everything printed is derived: one change is found on every paper that names it, on the display, in settlement and check.

Views are compared and not PDFs: what a template does with a view is seen once for every kind of paper.
"""

from __future__ import annotations

from dataclasses import replace
from functools import cache
from typing import Any

import pytest

from pitboss.papers.catalogue import BY_NAME, PAPERS, paper_view
from pitboss.papers.change import change_between
from pitboss.papers.source import PaperSource, RoomWords
from pitboss.papers.training import training_sheet
from pitboss.rules import pay_array
from pitboss.server.views.paytables import limit_views, wager_paytables
from pitboss.table import Configuration
from pitboss.table.checks import check_configuration
from pitboss.tabulator.equipment import find_model
from tests.papers.test_papers import GAMES, source_of, table_of, words_of

WORDS = RoomWords(
    disputes="Tell the dealer; the floor supervisor decides.",
    employees="Employees do not play here.",
    responsible="Play for fun.",
)


def papers_of(source: PaperSource) -> set[str]:
    """The papers of a table; training sheets are dealt from the hash of the configuration, and always others."""
    profile = source.configuration.profile
    return {paper.name for paper in PAPERS if profile in paper.profiles and paper.view is not training_sheet}


@cache
def text_of_paper(configuration: Configuration, name: str, words: RoomWords = WORDS) -> str:
    source = replace(source_of(configuration.game), configuration=configuration, words=words)
    view = paper_view(BY_NAME[name], source, draft=True)
    return words_of(view) + str(view.get("svg", ""))


def changed(before: Configuration, after: Configuration) -> set[str]:
    names = papers_of(replace(source_of(before.game), configuration=before))
    return {name for name in names if text_of_paper(before, name) != text_of_paper(after, name)}


def submission_of(configuration: Configuration) -> str:
    return "submission" if configuration.profile == "wa-commercial" else "tribal-submission"


def with_wager(configuration: Configuration, name: str, **fields: Any) -> Configuration:
    wagers = dict(configuration.wagers)
    wagers[name] = replace(wagers[name], **fields)
    return replace(configuration, wagers=wagers)


# A wager of each game, and another printed table of it that pays otherwise.
OTHER_TABLES = {
    "three-card-prime": ("all-six", "A6-1"),
    "deuces-wild": ("three-card-treasure", "TCT-A"),
    "super-three-card": ("big-hand-bonus", "PT-FLT-STC-BH-01"),
    "four-card-prime": ("aces-baby", "AB-1"),
    "three-card-double-play": ("pick-5", "P5-1"),
}


@pytest.mark.parametrize("game", GAMES)
def test_one_cell_is_on_every_paper_that_names_it_on_the_display_and_in_the_settlement_and_nowhere_else(
    game: str,
) -> None:
    before = table_of(game)
    wager, table = OTHER_TABLES[game]
    after = with_wager(before, wager, paytables=(table,))
    assert before.wagers[wager].paytables != (table,)
    assert changed(before, after) == {"rack-card", "layout", "procedure", "pit-card", submission_of(before)}
    assert wager_paytables(before) != wager_paytables(after)
    value = source_of(game).game.by_name[wager]
    assert pay_array(value, before.terms).outcomes != pay_array(value, after.terms).outcomes
    others = [other for other in source_of(game).game.wagers if other.name in before.wagers and other.name != wager]
    assert all(pay_array(each, before.terms).outcomes == pay_array(each, after.terms).outcomes for each in others)
    first, second = (replace(source_of(game), configuration=each) for each in (before, after))
    touched = set(change_between(first, second).papers)
    assert touched == {BY_NAME[name].title for name in changed(before, after)} | {"Training sheet"}


@pytest.mark.parametrize("game", GAMES)
def test_one_limit_is_on_every_paper_that_names_it_on_the_display_and_in_the_check_and_nowhere_else(game: str) -> None:
    before = table_of(game)
    name, _ = OTHER_TABLES[game]
    least, most = before.limits(name)
    after = with_wager(before, name, maximum_cents=most - before.smallest_chip_cents)
    text = f"${least // 100} to ${after.limits(name)[1] // 100}"
    assert changed(before, after) == {"rack-card", "placards", "procedure", "pit-card", submission_of(before)}
    for paper in changed(before, after):
        assert text in text_of_paper(after, paper)
    assert limit_views(before, ()) != limit_views(after, ())
    refused = with_wager(before, name, maximum_cents=100_000_00)
    # No limit of the state binds a Tribe's casino: there the check has nothing to say.
    expected = [f"wagers.{name}.maximum"] if before.profile == "wa-commercial" else []
    assert [str(problem).partition(":")[0] for problem in check_configuration(refused)[0]] == expected


def readings_of(game: str) -> tuple[Configuration, Configuration]:
    before = table_of(game)
    switch = source_of(game).game.switches[0]
    first, second, *_ = switch.readings
    return (
        replace(before, readings={**before.readings, switch.name: first}),
        replace(before, readings={**before.readings, switch.name: second}),
    )


@pytest.mark.parametrize("game", [game for game in GAMES if source_of(game).game.switches])
def test_one_reading_stands_with_its_reason_in_the_submission(game: str) -> None:
    before, after = readings_of(game)
    switch = source_of(game).game.switches[0]
    name = submission_of(before)
    assert name in changed(before, after)
    for configuration in (before, after):
        reading = switch.readings[configuration.terms.readings[switch.name]]
        assert f"{reading[:1].upper()}{reading[1:]}." in text_of_paper(configuration, name)
    assert not {"placards", "forms"} & changed(before, after)


def test_one_reading_that_changes_a_pay_is_on_every_paper_with_the_pay_table() -> None:
    """TCP-4: a beaten flush pays or does not, with a table that prints it."""
    tables = {}
    for reading in ("loses", "flush_only"):
        configuration = with_wager(table_of("three-card-prime"), "ante-play", paytables=("PW/BB-2",))
        tables[reading] = replace(configuration, readings={"bad_beat_flush_or_lower": reading})
    before, after = tables.values()
    assert changed(before, after) == {"rack-card", "layout", "procedure", "pit-card", "submission"}
    assert wager_paytables(before) != wager_paytables(after)


@pytest.mark.parametrize("game", GAMES)
def test_one_model_of_equipment_is_on_every_paper_that_names_it_and_nowhere_else(game: str) -> None:
    before = table_of(game)
    model = "andromeda-3d" if before.equipment != "andromeda-3d" else "andromeda-5a"
    after = replace(before, equipment=model)
    # Lights are on the dealer's panel or at the sensors: another model may move them on the cloth.
    lights = {getattr(find_model(name or ""), "lights", "sensors") for name in (before.equipment, after.equipment)}
    drawn = {"layout"} if len(lights) > 1 else set()
    assert changed(before, after) == {"procedure", "pit-card", submission_of(before)} | drawn


@pytest.mark.parametrize("game", GAMES)
def test_w_12_the_rooms_own_words_are_on_its_signs_and_what_it_has_not_said_is_on_none(game: str) -> None:
    configuration = table_of(game)
    said = text_of_paper(configuration, "placards")
    for words in (WORDS.disputes, WORDS.employees, WORDS.responsible):
        assert words in said
    assert WORDS.responsible in text_of_paper(configuration, "rack-card")
    silent = text_of_paper(configuration, "placards", RoomWords())
    for title in ("Employee play", "Questions about a payout", "Responsible gambling"):
        assert title in said
        assert title not in silent
    assert "The rules of play and our internal controls are available on request." in silent
    assert len(RoomWords().missing) == 3
    assert WORDS.missing == ()


# Sentences of the documents that a paper must carry, by game: typed from the documents.
DEMANDED = {
    "three-card-prime": {"layout": ["Dealer plays with Queen-high or better"], "placards": ["fourth card"]},
    "deuces-wild": {"layout": ["All deuces and the joker are wild"], "placards": ["English only"]},
    "super-three-card": {
        "layout": ["Ante = Odds", "Must beat dealer"],
        "placards": ["surrender"],
    },
    "four-card-prime": {"layout": ["Raise 1X to 3X", "All layout paytables are to 1"], "placards": ["fifth card"]},
    "three-card-double-play": {
        "layout": [
            "High Hand pays even money",
            "High Hand ranking must be equal to or higher than Low hand",
            "Must double both hand bets, if doubling",
        ],
        "placards": ["Double both hands or neither."],
    },
}


@pytest.mark.parametrize("game", GAMES)
def test_every_sentence_that_a_document_demands_is_on_its_paper(game: str) -> None:
    configuration = table_of(game)
    source = source_of(game)
    for paper in ("layout", "placards", "rack-card", "procedure", "pit-card"):
        assert "Maximum four wagers per player." in text_of_paper(configuration, paper)
    for paper, sentences in DEMANDED[game].items():
        for sentence in sentences:
            assert sentence in text_of_paper(configuration, paper), (paper, sentence)
    for rule in source.game.conduct_of("players"):
        assert rule.words in text_of_paper(configuration, "procedure")
    for sentence in configuration.limit_sentences:
        assert sentence in text_of_paper(configuration, "placards")
    for stage in source.game.stages:
        assert stage.clause.id in text_of_paper(configuration, "procedure") or not set(stage.wagers) & set(
            configuration.offered
        )


@pytest.mark.parametrize("method", ["suspend", "on-the-spot"])
def test_e_09_the_method_of_the_table_is_in_procedure_and_pit_card_and_the_other_is_not(method: str) -> None:
    source = replace(source_of("deuces-wild"), down_method=method)
    texts = {
        "suspend": "Take no jackpot wager, and give back what lies there.",
        "on-the-spot": "Leave every jackpot wager on its spot until it is settled by hand.",
    }
    for name in ("procedure", "pit-card"):
        view = words_of(paper_view(BY_NAME[name], source, draft=True))
        assert [key for key, text in texts.items() if text in view] == [method]
        for words in ("late bet", "lights", "small prize", "call the floor", "voids the round"):
            assert words in view


def test_a_small_prize_is_as_large_as_the_jackpot_says() -> None:
    source = source_of("deuces-wild")
    [name] = source.configuration.jackpots
    view = words_of(paper_view(BY_NAME["procedure"], replace(source, small_prizes={name: 25_000}), draft=True))
    assert "A small prize, up to $250 of the Bonus Jackpot: choose the seat" in view
