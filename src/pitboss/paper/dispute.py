"""The numbered record of a dispute as a PDF, to be signed; the same record gives the same bytes."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from pitboss.paper.typesetting import pictures, typeset

__all__ = ["dispute_pdf", "dispute_pictures"]

_TEMPLATE = "dispute.typ"


def dispute_pdf(view: Mapping[str, Any]) -> bytes:
    """Typeset the view of a dispute, with the round and its settlement attached as JSON."""
    return typeset(_TEMPLATE, view)


def dispute_pictures(view: Mapping[str, Any], ppi: float = 100) -> list[bytes]:
    """Typeset the view of a dispute as pictures of its pages."""
    return pictures(_TEMPLATE, view, ppi)
