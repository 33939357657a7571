"""The gallery of parts: it has every part there is, it can be laid out, and no room that is served shows it."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from fastapi.testclient import TestClient

from pitboss.server.app import create_app
from pitboss.server.pages.gallery import GALLERY_PARTS
from pitboss.server.settings import Listening
from tests.pages.room import CardRoom, card_room
from tests.pages.test_page_rules import SERVER


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
