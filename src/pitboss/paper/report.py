"""Reports as PDFs: one, or several as a packet; the same reports give the same bytes."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from pitboss.paper.typesetting import pictures, typeset

__all__ = ["reports_pdf", "reports_pictures"]

_TEMPLATE = "report.typ"


def reports_pdf(views: Sequence[Mapping[str, Any]], attached: str) -> bytes:
    """Typeset views of reports, with everything they say attached as JSON."""
    return typeset(_TEMPLATE, _view(views, attached))


def reports_pictures(views: Sequence[Mapping[str, Any]], ppi: float = 100) -> list[bytes]:
    """Typeset views of reports as pictures of their pages."""
    return pictures(_TEMPLATE, _view(views, "{}"), ppi)


def _view(views: Sequence[Mapping[str, Any]], attached: str) -> dict[str, Any]:
    return {"reports": list(views), "json": attached}
