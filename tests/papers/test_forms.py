"""Forms with data: what the books know of a jackpot or a malfunction is filled in, and what they do not hold is a line."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from pitboss.books import BookState, JournalStore
from pitboss.cli.books.sources import open_store, state_of
from pitboss.cli.output import TYPED_WRONG
from pitboss.jackpot.hits.history import History, read_history
from pitboss.paper.words import money
from pitboss.papers.forms import forms, hit_forms, malfunction_form
from pitboss.room.hit_index import HIT_INDEX, story_at
from pitboss.tabulator import TABLES
from tests.docs.console import run_pitboss
from tests.papers.test_papers import EXAMPLES, source_of, text_of, words_of

HITS, OUTAGES = EXAMPLES / "hits.backup", EXAMPLES / "tables.backup"
Opened = tuple[JournalStore, BookState, History]


@pytest.fixture(scope="module")
def room() -> Iterator[Opened]:
    with open_store(HITS) as store:
        yield store, state_of(store, "room"), read_history(store.entries("room"))


def form_of(room: Opened, number: int) -> dict[str, Any]:
    store, state, _ = room
    story = story_at(store, "room", state.of(HIT_INDEX), number)
    assert story is not None
    return hit_forms(state, story)


def fields_of(view: dict[str, Any], heading: str) -> dict[str, str]:
    """The fields below a heading, by label."""
    found: dict[str, str] = {}
    inside = False
    for block in view["blocks"]:
        if block["kind"] == "heading" and block["level"] == 2:
            inside = block["text"] == heading
        if inside and block["kind"] == "fields":
            found |= {item["label"]: item["value"] for item in block["items"]}
    return found


def test_x_01_the_w_2g_sheet_of_a_hit_has_the_amounts_of_its_slip(room: Opened) -> None:
    """The slip is made by another road: from the whole history, and not from the hit's own entries."""
    slip, sheet = room[2].slip(1), fields_of(form_of(room, 16), "W-2G data sheet")
    assert sheet["Winnings"] == money(slip.prize_cents)
    assert sheet["Federal tax withheld"] == money(slip.withheld_cents)
    assert sheet["Net paid"] == money(slip.net_cents)
    assert sheet["Winner's name"] == slip.winner
    assert sheet["Slip"] == f"{slip.number:06d}"


def test_g_70_a_form_has_the_identification_that_the_books_keep_and_no_taxpayer_number(room: Opened) -> None:
    store, state, _ = room
    story = story_at(store, "room", state.of(HIT_INDEX), 16)
    assert story is not None
    [paper] = story.hit.papers
    sheet = fields_of(hit_forms(state, story), "W-2G data sheet")
    assert (sheet["First identification"], sheet["Second identification"]) == paper.identification[:2]
    assert sheet["Taxpayer number"] == ""
    assert sheet["Address"] == ""


def test_a_verification_form_names_who_did_each_step_and_ticks_what_was_checked(room: Opened) -> None:
    view = form_of(room, 16)
    [names] = [block["names"] for block in view["blocks"] if block["kind"] == "signatures"][:1]
    assert names == ["Dealer: Dan Ortiz", "Floor supervisor: Sue Halvorsen", "Surveillance: Vic Tran"]
    ticked = [item["ticked"] for block in view["blocks"] if block["kind"] == "boxes" for item in block["items"]]
    assert all(ticked)
    small = form_of(room, 39)
    ticked = [item["ticked"] for block in small["blocks"] if block["kind"] == "boxes" for item in block["items"]]
    assert ticked == [True, True, True, False, False]
    assert "W-2G" not in words_of(small)


def test_the_form_of_a_call_that_was_rejected_says_so_first(room: Opened) -> None:
    first = form_of(room, 35)["blocks"][0]
    assert first["kind"] == "notice"
    assert first["text"].startswith("Rejected: ")


def test_o_02_a_malfunction_report_has_its_72_hours() -> None:
    with open_store(OUTAGES) as store:
        state = state_of(store, "room")
    malfunction = state.of(TABLES).malfunctions["59"]
    assert malfunction.due - malfunction.known == 72 * 3_600 * 1_000_000
    view = malfunction_form(state, malfunction, "Deuces Wild")
    sheet = fields_of(view, "Malfunction report")
    assert (sheet["Known by"], sheet["Table"]) == ("Sue Halvorsen", "5")
    assert sheet["Report due by"].split(", ")[-1] == sheet["Known since"].split(", ")[-1]
    assert sheet["Report due by"] != sheet["Known since"]
    assert "panel dark" in words_of(view)


def test_blank_forms_have_the_table_and_its_jackpots_and_lines_for_the_rest() -> None:
    view = forms(source_of("super-three-card"))
    headings = [block["text"] for block in view["blocks"] if block["kind"] == "heading" and block["level"] == 2]
    assert headings == [
        *("Jackpot verification", "Jackpot slip", "W-2G data sheet"),
        *("Malfunction report", "Dispute record", "Table log"),
    ]
    sheet = fields_of(view, "Jackpot verification")
    assert (sheet["Table"], sheet["Game"], sheet["Prize"]) == ("4", "Super Three Card", "")


def test_filled_forms_are_printed_at_the_terminal(tmp_path: Path) -> None:
    file = tmp_path / "jackpot.pdf"
    ran = run_pitboss(["print", "--room", str(HITS), "--hit", "16", "-o", str(file)])
    assert ran.exit_code == 0, ran.printed
    assert "Five-card Royal Flush" in text_of(file.read_bytes(), tmp_path)
    for words, says in (
        (["--hit", "7"], "there is no jackpot 7"),
        (["--malfunction", "7"], "there is no open malfunction 7; open are: none"),
        (["--hit", "16", "--malfunction", "7"], "one of them"),
    ):
        ran = run_pitboss(["print", "--room", str(HITS), *words, "-o", str(tmp_path / "none")])
        assert ran.exit_code == TYPED_WRONG
        assert says in " ".join(ran.printed.split())
    assert not (tmp_path / "none").exists()
