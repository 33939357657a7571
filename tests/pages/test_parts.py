"""The gallery of parts: it has every part there is, it can be laid out, and no room that is served shows it."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

import pytest
from fastapi.testclient import TestClient

from pitboss.server.app import create_app
from pitboss.server.pages.gallery import GALLERY_PARTS
from pitboss.server.settings import Listening
from tests.pages.room import CardRoom, card_room
from tests.pages.test_page_rules import SERVER

STANDS_ON = {
    "approval": {"queue"},
    "compared": {"queue"},
    "conduct": {"paytable"},
    "fan": {"chart"},
    "plaque": {"odometer"},
    "promotion": {"paytable"},
    "queue": {"problem"},
}
"""Which part has the style sheet of another: one whose class means the same in both."""


@pytest.fixture(scope="module")
def room(tmp_path_factory: pytest.TempPathFactory) -> Iterator[CardRoom]:
    with card_room(tmp_path_factory.mktemp("parts") / "room") as found:
        yield found


def test_the_gallery_has_every_part_and_both_themes(room: CardRoom) -> None:
    assert set(GALLERY_PARTS) == {each.name for each in (SERVER / "parts").iterdir() if each.is_dir()}
    client = TestClient(create_app(room.room, Listening(parts=True)), base_url="http://127.0.0.1")
    page = client.get("/parts?theme=midnight")

    assert page.status_code == 200
    assert all(f"/parts/{part}/{part}.css" in page.text for part in GALLERY_PARTS)
    assert 'data-theme="midnight"' in page.text


def test_a_room_that_is_served_has_no_gallery(room: CardRoom) -> None:
    client = TestClient(create_app(room.room), base_url="http://127.0.0.1")
    assert client.get("/parts").status_code == 404
    assert client.get("/parts/card/card.css").status_code == 200


def styled(folder: Path) -> set[str]:
    """The classes that a part's style sheet names by themselves, so that they mean this wherever they stand."""
    css = re.sub(r"/\*.*?\*/", "", (folder / f"{folder.name}.css").read_text("utf-8"), flags=re.DOTALL)
    selectors = [each.strip() for found in re.findall(r"([^{}]+)\{", css) for each in found.split(",")]
    return {found[1] for each in selectors if (found := re.match(r"\.([\w-]+)", each))}


def named(folder: Path) -> set[str]:
    """The classes of a part's own markup."""
    html = re.sub(r"\{[%{].*?[%}]\}", " ", (folder / f"{folder.name}.html").read_text("utf-8"))
    return {name for text in re.findall(r'class="([^"]*)"', html) for name in text.split()}


def test_no_part_is_drawn_by_the_style_sheet_of_another() -> None:
    """Seen in the gallery: tables of figures in an odometer's bezel, pay tables in a third of their panel, lost seats."""
    folders = [each for each in (SERVER / "parts").iterdir() if each.is_dir()]
    strange = {
        (folder.name, other.name): both
        for folder in folders
        for other in folders
        if folder != other and (folder / f"{folder.name}.html").exists() and (other / f"{other.name}.css").exists()
        if other.name not in STANDS_ON.get(folder.name, set())
        if (both := named(folder) & styled(other))
    }
    assert not strange
