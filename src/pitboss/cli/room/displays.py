"""`pitboss vision`: what the displays of a room show, for equipment that has no browser."""

import datetime
import re
from pathlib import Path
from typing import Any

from pitboss.books import EPOCH, RefusedError, instant_text
from pitboss.cli.books.sources import check_book, explaining, open_store, state_of, time_of
from pitboss.cli.output import console, plain_table
from pitboss.room.room import tables_of
from pitboss.room.slides import SlidePictures
from pitboss.server.views.displays import published
from pitboss.server.views.table_state import table_state
from pitboss.server.views.vision import VisionView, frame_of, sign_lines, vision_view

_SIZE = re.compile(r"([0-9]{3,4})x([0-9]{3,4})")
_LEAST, _MOST = 320, 4096


def _view(path: Path, table: str, book: str) -> VisionView:
    """Return the view of a table; a data directory as of now, a backup as of its last entry."""
    with open_store(path) as store:
        check_book(store, book)
        state = state_of(store, book)
    if table not in tables_of(state):
        names = ", ".join(tables_of(state)) or "none"
        raise RefusedError([f"nothing is shown at table {table!r}; there are: {names}"])
    now = EPOCH + datetime.timedelta(microseconds=time_of(path, state))
    return vision_view(table_state(state, table, now))


def _problems(output: Path | None, size: str, theme: str, *, text: bool, every: bool) -> list[str]:
    from pitboss.paper.vision import COLOURS  # noqa: PLC0415

    problems = []
    match = _SIZE.fullmatch(size)
    if match is None or not all(_LEAST <= int(side) <= _MOST for side in match.groups()):
        problems.append(f"--size: {size!r} must be such as 1920x1080, each from {_LEAST} to {_MOST}")
    if theme not in COLOURS:
        problems.append(f"--theme: {theme!r} is none; there are: {', '.join(COLOURS)}")
    if output is None and not text:
        problems.append("either --output FILE.png or --text says what to write")
    if output is not None and output.suffix != ".png":
        problems.append(f"--output: {output} must end in .png")
    if every and output is None:
        problems.append("--every writes pictures: --output says where")
    return problems


def _with_pictures(path: Path, frame: dict[str, Any]) -> dict[str, Any]:
    """Return a frame whose slides have their pictures; a backup holds none, so their words stand there."""
    from pitboss.paper.vision import as_data  # noqa: PLC0415

    slide_pictures = SlidePictures(path)
    pictures = {slide["picture"]: slide_pictures.find(slide["picture"].rpartition("/")[2]) for slide in frame["slides"]}
    data = {name: "" if picture is None else as_data(*picture) for name, picture in pictures.items()}
    return {**frame, "slides": [{**slide, "picture": data[slide["picture"]]} for slide in frame["slides"]]}


@explaining
def export_vision(
    path: Path, table: str, book: str, output: Path | None, *, size: str, theme: str, text: bool, every: bool
) -> int:
    """Write the display of a table as pictures, as lines, or both."""
    problems = _problems(output, size, theme, text=text, every=every)
    if problems:
        raise RefusedError(problems)
    view = _view(path, table, book)
    if text:
        for line in sign_lines(view):
            print(line)
    if output is None:
        return 0
    from pitboss.paper.vision import vision_pictures  # noqa: PLC0415

    frame = _with_pictures(path, frame_of(view))
    width, height = map(int, size.split("x"))
    pictures = vision_pictures(frame, width=width, height=height, theme=theme, every=every)
    for number, picture in enumerate(pictures, start=1):
        file = output if number == 1 else output.with_stem(f"{output.stem}-{number}")
        file.write_bytes(picture)
        if not text:
            console.print(f"{file}: {width} x {height}, as of entry {view.sequence}")
    return 0


@explaining
def list_published(path: Path, table: str, most: int, book: str) -> int:
    """List what was published when, the newest last."""
    with open_store(path) as store:
        check_book(store, book)
        notices = [
            notice
            for notice in published(store.entries(book))
            if not table or not notice.tables or table in notice.tables
        ]
    listing = plain_table("entry>", "recorded", "by", "tables", "what")
    for notice in notices[-most:] if most > 0 else ():
        listing.add_row(
            str(notice.sequence),
            instant_text(notice.recorded),
            notice.actor,
            ", ".join(notice.tables),
            notice.words,
        )
    console.print(listing)
    if len(notices) > most:
        console.print(f"{len(notices) - most} earlier ones are not shown: --most")
    return 0
