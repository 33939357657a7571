"""Slides with pictures: what is kept, by which name, how it is served, and that nothing else passes for a picture."""

from __future__ import annotations

import hashlib
import json
import struct
import zlib
from pathlib import Path

import pytest
from fastapi.testclient import TestClient

from pitboss.books import LEDGER, RefusedError, read_value, write_value
from pitboss.room.slides import PICTURE_BYTES_MAX, Promotion, SlidePictures, measured, picture_problems
from tests.server.making import House, command

DAYS = {"first_day": "2026-01-01", "last_day": "2099-12-31"}


def png(wide: int = 320, high: int = 200, tail: bytes = b"") -> bytes:
    """Write a grey picture by hand: the second road to what `measured` reads."""

    def chunk(kind: bytes, content: bytes) -> bytes:
        return struct.pack(">I", len(content)) + kind + content + struct.pack(">I", zlib.crc32(kind + content))

    rows = zlib.compress(b"".join(b"\0" + b"\x88" * wide for _ in range(high)))
    head = struct.pack(">IIBBBBB", wide, high, 8, 0, 0, 0, 0)
    return b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", head) + chunk(b"IDAT", rows) + chunk(b"IEND", b"") + tail


def jpeg(wide: int = 640, high: int = 360) -> bytes:
    comment = b"\xff\xfe" + struct.pack(">H", 6) + b"\xff\xc0\0\0"
    frame = b"\xff\xc2" + struct.pack(">HBHHB", 11, 8, high, wide, 1) + b"\1\x11\0"
    return b"\xff\xd8" + comment + b"\xff" + frame + b"\xff\xda" + b"\0" * 20 + b"\xff\xd9"


def test_a_picture_is_measured_by_its_own_bytes() -> None:
    assert measured(png(320, 200)) == ("png", 320, 200)
    assert measured(jpeg(640, 360)) == ("jpg", 640, 360), "a comment that looks like a frame is none"


@pytest.mark.parametrize(
    "content",
    [b"", b"GIF89a", b"<svg xmlns='http://www.w3.org/2000/svg'/>", png()[:60], jpeg()[:30], b"\xff\xd8\xff\xd9",
     png(tail=b"<script>"), b"\xff\xd8\xff" + b"\xff" * 40 + b"\xff\xd9"],
)  # fmt: skip
def test_what_is_no_whole_png_or_jpeg_is_refused(content: bytes, tmp_path: Path) -> None:
    assert "not a complete PNG or JPEG" in " ".join(picture_problems(content))
    with pytest.raises(RefusedError):
        SlidePictures(tmp_path).keep(content)
    assert list(tmp_path.iterdir()) == []


def test_every_problem_is_named_at_once() -> None:
    assert len(picture_problems(b"x" * (PICTURE_BYTES_MAX + 1))) == 2
    assert "each side must be" in picture_problems(png(100, 5000))[0]


def test_g_54_a_picture_is_kept_once_under_its_hash_and_a_changed_one_is_none(tmp_path: Path) -> None:
    kept = SlidePictures(tmp_path)
    name = kept.keep(png())
    assert name == kept.keep(png()) == f"{hashlib.sha256(png()).hexdigest()}.png"
    found = kept.find(name)
    assert found is not None
    assert found == (png(), "image/png")
    (tmp_path / "slides" / name).write_bytes(png(321))
    assert kept.find(name) is None
    assert kept.find("../journal.sqlite3") is None


def test_a_slide_without_a_picture_is_written_as_it_always_was() -> None:
    plain = {"name": "a", "title": "b", "words": "c", "small_print": "", **DAYS, "tables": []}
    assert write_value(read_value(Promotion, plain)) == plain


@pytest.fixture(scope="module")
def manager(shared: House) -> TestClient:
    return shared.as_("manager")


def form(client: TestClient, **fields: str) -> dict[str, str]:
    return {"csrf": client.headers["x-csrf-token"], "command": command(), **DAYS, **fields}


def test_g_54_a_manager_sends_a_picture_and_it_is_journalled_by_its_hash_and_served(
    shared: House, manager: TestClient
) -> None:
    money = shared.room.state.of(LEDGER)
    said = form(manager, name="football", title="High Hand Saturday")
    answer = manager.post("/office/slides", data=said, files={"picture": ("a.png", png())}, follow_redirects=False)
    assert answer.status_code == 303, answer.text
    name = f"{hashlib.sha256(png()).hexdigest()}.png"
    assert json.loads(shared.entries("promotion-set")[-1].payload)["picture"] == name

    served = shared.as_("dealer").get(f"/slides/{name}")
    assert (served.content, served.headers["content-type"]) == (png(), "image/png")
    assert served.headers["x-content-type-options"] == "nosniff"
    assert "immutable" in served.headers["cache-control"]
    assert name in manager.get("/office/slides").text
    assert shared.room.state.of(LEDGER) == money, "a slide changes no meter"


def test_what_is_refused_keeps_what_was_typed_and_nothing_changes(shared: House, manager: TestClient) -> None:
    before = len(shared.entries("promotion-set"))
    said = form(manager, name="bad", title="A title that stays")
    answer = manager.post("/office/slides", data=said, files={"picture": ("a.png", b"<html>")})
    assert answer.status_code == 409
    assert "not a complete PNG or JPEG" in answer.text
    assert "A title that stays" in answer.text
    assert len(shared.entries("promotion-set")) == before


def test_by_the_api_a_picture_is_sent_first_and_a_slide_refers_to_it(shared: House, manager: TestClient) -> None:
    slide = {"name": "api", "title": "By the API", "words": "", **DAYS}
    missing = {"command": command(), "promotion": {**slide, "picture": "0" * 64 + ".jpg"}}
    assert "send it first" in manager.post("/api/v1/promotions/set", json=missing).text
    kept = manager.post("/api/v1/promotions/pictures", content=jpeg(), headers={"content-type": "image/jpeg"})
    assert kept.status_code == 201, kept.text
    said = {"command": command(), "promotion": {**slide, **kept.json()}}
    assert manager.post("/api/v1/promotions/set", json=said).status_code == 200
    too_large = manager.post("/api/v1/promotions/pictures", content=b"x" * (PICTURE_BYTES_MAX + 5))
    assert too_large.status_code == 409

    assert manager.post("/office/slides/end", data=form(manager, name="api")).status_code == 303
    assert "api" not in shared.room.state.parts["promotions"]
