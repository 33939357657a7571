"""Papers are made from the table that runs: what they say is what is paid, posted, demanded and measured."""

from __future__ import annotations

import re
import subprocess
import sys
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from pitboss.games import all_games, find_game
from pitboss.jackpot import BONUS_SENTENCES
from pitboss.papers import layout
from pitboss.papers.catalogue import BY_NAME, PAPERS, DraftNeededError, make_pdf, paper_view
from pitboss.papers.change import change_between
from pitboss.papers.posted import paper_tables
from pitboss.papers.procedure import take_or_pay
from pitboss.papers.source import PaperSource, source_of_file
from pitboss.papers.training import training_sheet
from pitboss.randomness.live import LiveDealing, MemoryLock
from pitboss.rules.pays import EVEN_MONEY
from pitboss.table import (
    Configuration,
    Deal,
    Decide,
    Phase,
    PlaceWagers,
    Reveal,
    Round,
    Settle,
    read_configuration,
)

EXAMPLES = Path(__file__).parents[2] / "examples"
GAMES = [game.name for game in all_games()]


def table_of(game: str, **changes: Any) -> Configuration:
    read = read_configuration((EXAMPLES / f"{game}.toml").read_text(encoding="utf-8"))
    assert read.configuration is not None
    assert not read.problems
    return replace(read.configuration, **changes)


def source_of(game: str, **changes: Any) -> PaperSource:
    return source_of_file(table_of(game, **changes), "Riverside Card Room", "4")


def text_of(pdf: bytes, tmp_path: Path) -> str:
    """The text of a PDF, by a program that is none of ours; white space is folded."""
    file = tmp_path / "paper.pdf"
    file.write_bytes(pdf)
    ran = subprocess.run(["pdftotext", "-layout", str(file), "-"], capture_output=True, text=True, check=True)  # noqa: S603, S607
    return re.sub(r"\s+", " ", ran.stdout)


def words_of(view: Any) -> str:
    """Every text of a view, one after the other; drawings and the hash of the configuration are left out."""
    if isinstance(view, dict):
        return " ".join(words_of(value) for key, value in view.items() if key not in ("svg", "hash", "kind"))
    if isinstance(view, list | tuple):
        return " ".join(map(words_of, view))
    return str(view)


@pytest.mark.parametrize("game", GAMES)
def test_every_paper_of_a_table_is_typeset_with_its_configuration_on_it(game: str, tmp_path: Path) -> None:
    source = source_of(game)
    for paper in PAPERS:
        text = text_of(make_pdf(paper, source), tmp_path)
        assert source.configuration.content_hash in text.replace(" ", ""), paper.name
        assert "DRAFT" not in text


def test_the_same_table_gives_the_same_bytes_in_another_process(tmp_path: Path) -> None:
    source = source_of_file(table_of("three-card-prime"))
    first = {name: make_pdf(BY_NAME[name], source) for name in ("rack-card", "layout")}
    run = [sys.executable, "-m", "pitboss", "print", str(EXAMPLES / "three-card-prime.toml"), "-o", str(tmp_path)]
    subprocess.run([*run, "--paper", "rack-card", "--paper", "layout"], check=True, capture_output=True)  # noqa: S603
    for name, content in first.items():
        assert (tmp_path / f"three-card-prime-{name}.pdf").read_bytes() == content


def papers_naming(source: PaperSource, text: str) -> set[str]:
    return {paper.name for paper in PAPERS if text in words_of(paper_view(paper, source, draft=True))}


def test_one_cell_changes_every_paper_that_names_it_and_no_other() -> None:
    """A6-4 pays 100 to 1 for four of a kind, A6-1 50 to 1: nothing but the pay tables says so."""
    before = source_of("three-card-prime")
    wagers = dict(before.configuration.wagers)
    wagers["all-six"] = replace(wagers["all-six"], paytables=("A6-1",))
    after = replace(before, configuration=replace(before.configuration, wagers=wagers))
    changed = {
        paper.name for paper in PAPERS if words_of(paper_view(paper, before)) != words_of(paper_view(paper, after))
    }
    [old] = [table for table in paper_tables(before) if table.wager == "all-six"]
    [new] = [table for table in paper_tables(after) if table.wager == "all-six"]
    assert old.rows != new.rows
    assert {"placards", "forms"} & changed == set()
    assert {"rack-card", "procedure", "submission"} <= changed
    assert "Rack card" in change_between(before, after).papers
    assert "Placards" not in change_between(before, after).papers


def test_one_limit_changes_rack_card_placard_procedure_and_submission() -> None:
    before = source_of("three-card-prime")
    wagers = dict(before.configuration.wagers)
    wagers["prime"] = replace(wagers["prime"], maximum_cents=7_700)
    after = replace(before, configuration=replace(before.configuration, wagers=wagers))
    assert papers_naming(before, "$5 to $77") == set()
    assert {"rack-card", "placards", "procedure", "submission"} <= papers_naming(after, "$5 to $77")
    assert {"Rack card", "Placards"} <= set(change_between(before, after).papers)


def test_tcp_4_one_reading_changes_the_row_that_is_posted() -> None:
    wagers = dict(table_of("three-card-prime").wagers)
    wagers["ante-play"] = replace(wagers["ante-play"], paytables=("PW/BB-2",))
    tables = {}
    for reading in ("loses", "flush_only"):
        source = source_of("three-card-prime", wagers=wagers, readings={"bad_beat_flush_or_lower": reading})
        [tables[reading]] = [table for table in paper_tables(source) if table.title == "Bad Beat"]
    assert "Flush" in [row.hand for row in tables["flush_only"].rows]
    assert not [row for row in tables["loses"].rows if "lush" in row.hand and "Straight" not in row.hand]


def test_one_model_stands_in_procedure_and_submission() -> None:
    source = source_of("three-card-prime", equipment="andromeda-3d")
    assert {"procedure", "submission"} <= papers_naming(source, "Andromeda-3d")


def test_j_06_the_bonus_sentences_stand_to_the_byte_on_rack_card_and_placard(tmp_path: Path) -> None:
    source = source_of("four-card-prime")
    assert source.configuration.jackpot_type == "bonus"
    for name in ("rack-card", "placards"):
        view = words_of(paper_view(BY_NAME[name], source))
        assert BONUS_SENTENCES in view
        assert BONUS_SENTENCES in text_of(make_pdf(BY_NAME[name], source), tmp_path)


@pytest.mark.parametrize("game", GAMES)
def test_w_12_everything_that_must_be_posted_is_on_the_placards_or_the_rack_card(game: str) -> None:
    source = source_of(game)
    posted = words_of([paper_view(BY_NAME[name], source) for name in ("placards", "rack-card")])
    assert "Maximum four wagers per player." in posted
    for table in paper_tables(source):
        for row in table.rows:
            assert row.hand in posted
            assert row.pays in posted
    for rule in source.game.conduct_of("players"):
        if not rule.clause.id.endswith("four options"):
            assert rule.words in posted
    for words in (source.words.disputes, source.words.employees, source.words.on_request, source.words.responsible):
        assert words in posted


@pytest.mark.parametrize("game", GAMES)
def test_a_game_is_told_in_six_steps_each_with_its_clause(game: str) -> None:
    steps = find_game(game).how_to_play
    assert len(steps) == 6
    for step in steps:
        assert step.clause.quote
        assert len(set(step.cards) - {"??"}) == len([card for card in step.cards if card != "??"])


@pytest.mark.parametrize("game", ["three-card-prime", "super-three-card", "deuces-wild"])
def test_what_the_steps_say_of_a_folded_hand_is_what_the_settlement_pays(game: str) -> None:
    """The same cards, folded at once and played to the end: the other wagers come to the same cents."""
    configuration = table_of(game)
    main = find_game(game).main.name
    # What is selected for the Fortune is a decision of its own, and after a fold other cards of the shoe come next.
    apart = {main, "five-card-fortune", "bonus-jackpot"}
    others = [name for name in configuration.offered if name not in apart][:3]
    paid = 0
    for number in range(60):
        shoe = LiveDealing(bytes(32), MemoryLock(), first_block=number).next_shoe(configuration.terms.deck).cards
        lines = [played_out(configuration, shoe, (main, *others), is_folded=folded) for folded in (True, False)]
        for name in others:
            assert lines[0][name].paid_cents == lines[1][name].paid_cents, (number, name)
            paid += lines[0][name].paid_cents > 0
        assert lines[0][main].paid_cents <= lines[0][main].staked_cents
    assert paid


def played_out(configuration: Configuration, shoe: Any, wagers: tuple[str, ...], *, is_folded: bool) -> Any:
    played = Round(configuration=configuration, shoe=shoe, meters=configuration.meters)
    played = played.apply(PlaceWagers(1, tuple((name, configuration.limits(name)[0]) for name in wagers)))
    while played.phase is not Phase.FINISHED:
        turn = played.question()
        if turn is not None:
            played = played.apply(Decide(turn[0], turn[1].key, not is_folded))
        else:
            played = played.apply(next(step for step in (Deal(), Reveal(), Settle()) if played.can(step)))
    assert played.settlement is not None
    return played.settlement.lines[1]


@pytest.mark.parametrize("game", GAMES)
def test_a_layout_is_to_scale_with_the_wagers_of_the_table_and_no_others(game: str) -> None:
    source = source_of(game)
    spots = list(layout.spots(source))
    assert {spot.wager for spot in spots} == set(source.configuration.offered)
    assert {spot.seat for spot in spots} == set(range(1, source.configuration.seats + 1))
    sensors = [spot.sensor for spot in spots if spot.sensor]
    assert sensors == list(range(1, len(sensors) + 1))
    assert len(sensors) == source.configuration.seats * len(source.configuration.jackpots)
    for one in spots:
        for other in spots:
            if one is not other:
                apart = ((one.x - other.x) ** 2 + (one.y - other.y) ** 2) ** 0.5
                assert apart > (one.diameter + other.diameter) / 2, (one, other)
        assert abs(one.x) + one.diameter / 2 < layout.CLOTH[0] / 2
        assert 0 < one.y + one.diameter / 2 < layout.CLOTH[1]


def test_e_10_seat_1_is_at_the_dealers_left_which_players_see_at_their_right() -> None:
    places = layout.seat_places(6)
    assert places[0][0] > 0 > places[-1][0]


def test_a_layout_at_full_size_has_the_measures_it_states(tmp_path: Path) -> None:
    """The sheet is as large as the cloth, and the drawing fills it: one unit of the drawing is one inch."""
    source = source_of("three-card-prime")
    file = tmp_path / "layout.pdf"
    file.write_bytes(make_pdf(BY_NAME["layout"], source, "full"))
    ran = subprocess.run(["pdfinfo", str(file)], capture_output=True, text=True, check=True)  # noqa: S603, S607
    wide, high = layout.CLOTH
    assert f"{wide * 72:g} x {high * 72:g} pts" in ran.stdout
    view = paper_view(BY_NAME["layout"], source, "full")
    assert f'viewBox="0 0 {wide} {high}"' in view["svg"]
    assert f'r="{layout.SPOT / 2:.3f}"' in view["svg"]
    first, second = layout.seat_places(6)[:2]
    apart = ((first[0] - second[0]) ** 2 + (first[1] - second[1]) ** 2) ** 0.5
    stated = re.search(r"([\d.]+) to ([\d.]+) in from middle to middle", " ".join(view["measures"]))
    assert stated is not None
    assert float(stated[1]) - 0.01 <= apart <= float(stated[2]) + 0.01


def test_take_or_pay_of_three_card_prime_is_what_rules_3_to_5_say() -> None:
    """Typed from the document: Ante and Play in every situation."""
    rows = take_or_pay(find_game("three-card-prime").main, source_of("three-card-prime"))["rows"]
    actions = {tuple(row[:3]) for row in rows}
    assert str(EVEN_MONEY) == "1 to 1"
    assert actions == {
        ("Player folded", "Take", ""),
        ("Dealer does not have Queen-high or better", "Push", "Pay by its table"),
        ("Player's hand is lower", "Take", "Take"),
        ("Player's hand is lower", "Take", "Pay by its table"),
        ("Player's hand ties the dealer's", "Pay 1 to 1", "Pay by its table"),
        ("Player's hand beats the dealer's", "Pay 1 to 1", "Pay by its table"),
    }


def test_a_training_sheet_has_other_hands_for_another_number_and_the_same_for_the_same() -> None:
    source = source_of("three-card-prime")
    first, again, second = training_sheet(source), training_sheet(source), training_sheet(source, 2)
    assert first == again
    assert first["blocks"] != second["blocks"]
    answers = [block for block in first["blocks"] if block["kind"] == "grid"]
    assert 8 <= len(answers) <= 10


def test_a_table_that_may_not_open_is_printed_as_a_draft_or_not_at_all(tmp_path: Path) -> None:
    source = source_of("three-card-prime", seats=9)
    with pytest.raises(DraftNeededError, match="9 seats"):
        make_pdf(BY_NAME["rack-card"], source)
    assert "DRAFT" in text_of(make_pdf(BY_NAME["rack-card"], source, draft=True), tmp_path)


def test_a_tribal_submission_has_the_letters_list_and_the_supplements_headings() -> None:
    text = words_of(paper_view(BY_NAME["tribal-submission"], source_of("deuces-wild", profile="wa-tribal"), draft=True))
    for words in (
        "Tribal Gaming Agency",
        "Concurrence of the state",
        "Appendix A, section 18",
        "certified by the state",
    ):
        assert words in text
    for title in ("Rules of play and the layout", "Surveillance coverage"):
        assert title in text
