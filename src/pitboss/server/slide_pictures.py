"""Pictures of the operator's slides: checked when they come, kept in the data directory under the hash of their bytes.

The journal names a picture by that hash: which one was shown when can be proved as long as the file is kept, and a file
that was changed is none of the room's.
"""

from __future__ import annotations

import hashlib
import os
import re
import tempfile
from pathlib import Path
from typing import NamedTuple

from pitboss.books import RefusedError

__all__ = ["FOLDER", "PICTURE_BYTES_MAX", "SlidePicture", "SlidePictures", "measured", "picture_problems"]

FOLDER = "slides"
PICTURE_BYTES_MAX = 4_000_000
_PICTURES_MAX = 500
_LEAST, _MOST = 200, 4096
_NAME = re.compile(r"[0-9a-f]{64}\.(png|jpg)")
_TYPES = {"png": "image/png", "jpg": "image/jpeg"}
_PNG = b"\x89PNG\r\n\x1a\n"
_JPEG = b"\xff\xd8\xff"
_WITHOUT_LENGTH = frozenset({0x01, *range(0xD0, 0xDA)})
_FRAMES = frozenset(range(0xC0, 0xD0)) - {0xC4, 0xC8, 0xCC}
"""The segments of a JPEG that hold its size: every start of a frame, and not tables or extensions between them."""


class SlidePicture(NamedTuple):
    """A picture that is kept: its bytes, and the type that a browser is told."""

    content: bytes
    media_type: str


def _jpeg_size(content: bytes) -> tuple[int, int] | None:
    place = 2
    while place + 9 < len(content) and content[place] == 0xFF:
        marker = content[place + 1]
        if marker == 0xFF or marker in _WITHOUT_LENGTH:
            place += 1 if marker == 0xFF else 2
            continue
        if marker in _FRAMES:
            high, wide = content[place + 5 : place + 7], content[place + 7 : place + 9]
            return int.from_bytes(wide), int.from_bytes(high)
        place += 2 + int.from_bytes(content[place + 2 : place + 4])
    return None


def measured(content: bytes) -> tuple[str, int, int] | None:
    """Say by its own bytes what a picture is, and how wide and high; nothing where it is neither PNG nor JPEG."""
    if content.startswith(_PNG) and content[12:16] == b"IHDR" and content.rstrip(b"\0")[-8:-4] == b"IEND":
        return "png", int.from_bytes(content[16:20]), int.from_bytes(content[20:24])
    if content.startswith(_JPEG) and content.rstrip(b"\0").endswith(b"\xff\xd9"):
        size = _jpeg_size(content)
        return None if size is None else ("jpg", *size)
    return None


def picture_problems(content: bytes) -> list[str]:
    """Name everything that is wrong with a picture."""
    problems = []
    if len(content) > PICTURE_BYTES_MAX:
        problems.append(f"picture: {len(content):,} bytes, and at most {PICTURE_BYTES_MAX:,} are kept")
    found = measured(content)
    if found is None:
        problems.append("picture: it is no whole PNG or JPEG, whatever its name says")
    elif not all(_LEAST <= each <= _MOST for each in found[1:]):
        problems.append(f"picture: {found[1]} x {found[2]} pixels, and each must be from {_LEAST} to {_MOST}")
    return problems


class SlidePictures:
    """The pictures in a data directory."""

    def __init__(self, path: Path) -> None:
        self._folder = path / FOLDER

    def keep(self, content: bytes) -> str:
        """Keep a picture, and give its name: the hash of its bytes, with what it is."""
        problems = picture_problems(content)
        if not problems and self._folder.is_dir() and len(list(self._folder.iterdir())) >= _PICTURES_MAX:
            problems.append(f"picture: {_PICTURES_MAX} are kept already, and no more")
        found = measured(content)
        if problems or found is None:
            raise RefusedError(problems)
        name = f"{hashlib.sha256(content).hexdigest()}.{found[0]}"
        if self.find(name) is None:
            self._write(name, content)
        return name

    def _write(self, name: str, content: bytes) -> None:
        """Write beside its place, on disk, then move it there: killed, it leaves no half of one under its name."""
        self._folder.mkdir(mode=0o700, exist_ok=True)
        with tempfile.NamedTemporaryFile(dir=self._folder, delete=False) as file:
            file.write(content)
            file.flush()
            os.fsync(file.fileno())
        Path(file.name).replace(self._folder / name)

    def find(self, name: str) -> SlidePicture | None:
        """Read a picture; one whose bytes are not those of its name is none."""
        if _NAME.fullmatch(name) is None:
            return None
        try:
            content = (self._folder / name).read_bytes()
        except OSError:
            return None
        digest, _, ending = name.partition(".")
        return SlidePicture(content, _TYPES[ending]) if hashlib.sha256(content).hexdigest() == digest else None
