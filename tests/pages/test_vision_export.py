"""The display for equipment without a browser: pictures for photo frames and lines for signs, from the same view."""

from __future__ import annotations

import datetime
import re
import struct
from collections.abc import Iterator
from pathlib import Path

import pytest

from pitboss.jackpot import BONUS_SENTENCES
from pitboss.paper import typesetting
from pitboss.paper.typesetting import face_folder
from pitboss.paper.vision import COLOURS, vision_pictures
from pitboss.server.pages.displays import THEMES
from pitboss.server.views.table_state import table_state
from pitboss.server.views.vision import VisionView, frame_of, sign_lines, vision_view
from tests.docs.console import run_pitboss
from tests.pages.room import NOW, CardRoom, card_room


@pytest.fixture(scope="module")
def room(tmp_path_factory: pytest.TempPathFactory) -> Iterator[CardRoom]:
    with card_room(tmp_path_factory.mktemp("export") / "room") as found:
        yield found


def shown(room: CardRoom, table: str) -> VisionView:
    return vision_view(table_state(room.books.state("room"), table, NOW))


def size_of(png: bytes) -> tuple[int, int]:
    assert png[:8] == b"\x89PNG\r\n\x1a\n"
    width, height = struct.unpack(">II", png[16:24])
    return width, height


def test_a_picture_has_the_size_asked_for_and_is_the_same_every_time(room: CardRoom) -> None:
    frame = frame_of(shown(room, "6"))
    (first,) = vision_pictures(frame, width=800, height=480)
    assert size_of(first) == (800, 480)
    assert vision_pictures(frame, width=800, height=480) == [first]
    assert vision_pictures(frame, width=800, height=480, theme="midnight") != [first]
    assert set(COLOURS) == set(THEMES)


def test_a31_a_picture_says_when_it_was_true(room: CardRoom) -> None:
    view = shown(room, "6")
    assert frame_of(view)["as_of"] == "As of Nov 16, 2026, 12:00 PM", "NOW by the clock of the room"
    later = vision_view(table_state(room.books.state("room"), "6", NOW + datetime.timedelta(minutes=1)))
    pictures = [vision_pictures(frame_of(each), width=480, height=320) for each in (view, later)]
    assert pictures[0] != pictures[1]


def test_papers_and_pictures_are_set_in_the_face_of_the_pages() -> None:
    files = sorted(file.name for file in face_folder().glob("*"))
    assert {"SourceSansPro-Regular.ttf", "SourceSansPro-Semibold.ttf", "SourceSansPro-Bold.ttf"} <= set(files)
    assert all(name.endswith(".ttf") for name in files), "each style once: two formats would be chosen by chance"
    assert typesetting._template("report.typ").startswith(b'#set text(font: "Source Sans Pro")')


def test_every_other_table_and_slide_gets_a_picture_of_its_own(room: CardRoom) -> None:
    made = vision_pictures(frame_of(shown(room, "7")), width=600, height=800, every=True)
    jackpots, tables, conduct, slides = 1, 2, 1, 1
    assert len(made) == jackpots + tables + conduct + slides
    assert {size_of(each) for each in made} == {(600, 800)}


def test_j_06_a_sign_says_the_amount_and_the_three_sentences_to_the_byte(room: CardRoom) -> None:
    lines = sign_lines(shown(room, "6"))
    assert lines[0] == "FOUR CARD JACKPOT $5,000.00"
    assert BONUS_SENTENCES in lines
    assert "Quads $300, Envy $10" in lines
    assert all(line.isascii() for line in lines)


def test_a_sign_says_every_amount_that_the_page_shows(room: CardRoom) -> None:
    for table in ("4", "6", "7"):
        view = shown(room, table)
        text = "\n".join(sign_lines(view))
        amounts = {row["amount"] for each in frame_of(view)["prizes"] for row in each["rows"]}
        assert amounts
        assert not [amount for amount in amounts if not re.search(rf" {re.escape(amount)}\b", text)]
        assert all(meter.text in text for meter in view.meters)


def test_the_command_writes_pictures_and_lines_and_tells_everything_that_is_wrong(tmp_path: Path) -> None:
    backup = "examples/jackpots.backup"
    ran = run_pitboss(["vision", "export", backup, "3", "-o", str(tmp_path / "x.png"), "--size", "400x320", "--text"])
    assert ran.exit_code == 0
    assert BONUS_SENTENCES in ran.printed
    assert size_of((tmp_path / "x.png").read_bytes()) == (400, 320)
    wrong = run_pitboss(["vision", "export", backup, "3", "-o", "x.gif", "--size", "9x9", "--theme", "pink"])
    assert wrong.exit_code == 2
    assert all(words in wrong.printed for words in ("--size", "--theme", "--output"))
    assert run_pitboss(["vision", "export", backup, "3"]).exit_code == 2
    assert "there are: 1, 2, 3" in run_pitboss(["vision", "export", backup, "99", "--text"]).printed
