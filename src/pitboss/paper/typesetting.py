"""Typesetting by typst: a template of ours and a value in, the same bytes out; nothing is read from disk or network."""

import json
from collections.abc import Mapping, Sequence
from importlib.resources import files
from typing import Any


def _template(name: str) -> bytes:
    return files(__package__).joinpath(name).read_bytes()


def _inputs(view: Mapping[str, Any]) -> dict[str, str]:
    return {"view": json.dumps(view, ensure_ascii=False)}


def typeset(template: str, view: Mapping[str, Any]) -> bytes:
    """Typeset a view by a template of this folder as a PDF, tagged for people who have it read aloud."""
    import typst  # noqa: PLC0415

    return typst.compile(
        _template(template), sys_inputs=_inputs(view), ignore_system_fonts=True, format="pdf", pdf_standards=["ua-1"]
    )


def pictures(template: str, view: Mapping[str, Any], ppi: float = 100) -> list[bytes]:
    """Typeset a view as pictures, one PNG a page, to look at."""
    import typst  # noqa: PLC0415

    pages: bytes | list[bytes] = typst.compile(
        _template(template), sys_inputs=_inputs(view), ignore_system_fonts=True, format="png", ppi=ppi
    )
    return [pages] if isinstance(pages, bytes) else pages


def reports_pdf(views: Sequence[Mapping[str, Any]], attached: str) -> bytes:
    """Typeset views of reports, with everything they say attached as JSON."""
    return typeset("report.typ", {"reports": list(views), "json": attached})


def reports_pictures(views: Sequence[Mapping[str, Any]], ppi: float = 100) -> list[bytes]:
    """Typeset views of reports as pictures of their pages."""
    return pictures("report.typ", {"reports": list(views), "json": "{}"}, ppi)


def dispute_pdf(view: Mapping[str, Any]) -> bytes:
    """Typeset the view of a dispute, with the round and its settlement attached as JSON."""
    return typeset("dispute.typ", view)


def dispute_pictures(view: Mapping[str, Any], ppi: float = 100) -> list[bytes]:
    """Typeset the view of a dispute as pictures of its pages."""
    return pictures("dispute.typ", view, ppi)
