"""Typesetting by typst: a template of ours and a value in, the same bytes out; the face comes from its package.

Every document is set in the face of the pages, unless its template says otherwise: the first line of each says so here.
"""

import json
import os
import tempfile
from collections.abc import Mapping, Sequence
from functools import cache
from importlib.resources import files
from pathlib import Path
from typing import TYPE_CHECKING, Any

from pitboss.cards import card_words, parse_cards
from pitboss.odds.compiled import cache_folder
from pitboss.paper.cards import card_svg

if TYPE_CHECKING:
    import typst


FACE, _FACE_PACKAGE = "Source Sans Pro", "font_source_sans_pro"
_STYLES = tuple(f"SourceSansPro-{style}.ttf" for style in ("Regular", "It", "Semibold", "Bold", "BoldIt", "Black"))


def _template(name: str) -> bytes:
    face = f'#set text(font: "{FACE}")\n'
    return face.encode() + files(__package__).joinpath(name).read_bytes()


@cache
def face_folder() -> Path:
    """Return a folder with the files of the face, each style once, so that the same bytes come out everywhere.

    Its package has each style in two formats; which of them typst would find first there is chance.
    """
    folder = cache_folder() / "faces"
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError:
        folder = Path(tempfile.mkdtemp(prefix="pitboss-faces-"))
    for style in _STYLES:
        content, copy = files(_FACE_PACKAGE).joinpath("files", style).read_bytes(), folder / style
        if not copy.exists() or copy.read_bytes() != content:
            # Another process may read it: it is there whole or not at all.
            part = copy.with_suffix(f".{os.getpid()}")
            part.write_bytes(content)
            part.replace(copy)
    return folder


@cache
def _fonts() -> "typst.Fonts":
    import typst  # noqa: PLC0415

    return typst.Fonts(include_system_fonts=False, font_paths=[str(face_folder())])


def _inputs(view: Mapping[str, Any]) -> dict[str, str]:
    return {"view": json.dumps(view, ensure_ascii=False)}


def typeset(template: str, view: Mapping[str, Any]) -> bytes:
    """Typeset a view by a template of this folder as a PDF, tagged for people who have it read aloud."""
    import typst  # noqa: PLC0415

    return typst.compile(
        _template(template),
        font_paths=_fonts(),
        sys_inputs=_inputs(view),
        format="pdf",
        pdf_standards=["ua-1"],
    )


def pictures(template: str, view: Mapping[str, Any], ppi: float = 100) -> list[bytes]:
    """Typeset a view as pictures, one PNG a page, to look at."""
    import typst  # noqa: PLC0415

    pages: bytes | list[bytes] = typst.compile(
        _template(template),
        font_paths=_fonts(),
        sys_inputs=_inputs(view),
        format="png",
        ppi=ppi,
    )
    return [pages] if isinstance(pages, bytes) else pages


def reports_pdf(views: Sequence[Mapping[str, Any]], attached: str) -> bytes:
    """Typeset views of reports, with everything they say attached as JSON."""
    return typeset("report.typ", {"reports": list(views), "json": attached})


def reports_pictures(views: Sequence[Mapping[str, Any]], ppi: float = 100) -> list[bytes]:
    """Typeset views of reports as pictures of their pages."""
    return pictures("report.typ", {"reports": list(views), "json": "{}"}, ppi)


SLIP_PAPERS = ("letter", "80mm")
"""The papers that a slip is printed on."""


def _slip(view: Mapping[str, Any], paper: str) -> dict[str, Any]:
    """Return the view of a slip with its cards drawn, and the paper it is laid out for."""
    drawn = {name: [_drawn(card) for card in view[name]] for name in ("cards", "board")}
    return {**view, **drawn, "paper": paper}


def _drawn(text: str) -> dict[str, str]:
    [card] = parse_cards([text], as_printed=True)
    return {"svg": card_svg(card), "words": card_words(card)}


def slip_pdf(view: Mapping[str, Any], paper: str = "letter") -> bytes:
    """Typeset the view of a jackpot slip for a sheet of Letter or a roll of 80 mm."""
    return typeset("slip.typ", _slip(view, paper))


def slip_pictures(view: Mapping[str, Any], paper: str = "letter", ppi: float = 100) -> list[bytes]:
    """Typeset the view of a jackpot slip as pictures of its pages."""
    return pictures("slip.typ", _slip(view, paper), ppi)


def dispute_pdf(view: Mapping[str, Any]) -> bytes:
    """Typeset the view of a dispute, with the round and its settlement attached as JSON."""
    return typeset("dispute.typ", view)


def dispute_pictures(view: Mapping[str, Any], ppi: float = 100) -> list[bytes]:
    """Typeset the view of a dispute as pictures of its pages."""
    return pictures("dispute.typ", view, ppi)
