"""The PAR sheet as a PDF."""

from __future__ import annotations

from pitboss.odds.par import Sheet
from pitboss.paper.par_view import par_view
from pitboss.paper.typesetting import pictures, typeset

__all__ = ["par_pdf", "par_pictures"]

_TEMPLATE = "par_sheet.typ"


def par_pdf(sheet: Sheet) -> bytes:
    """Typeset a PAR sheet; the same sheet gives the same bytes, and carries its JSON as an attachment."""
    return typeset(_TEMPLATE, par_view(sheet))


def par_pictures(sheet: Sheet, ppi: float = 100) -> list[bytes]:
    """Typeset a PAR sheet as pictures of its pages."""
    return pictures(_TEMPLATE, par_view(sheet), ppi)
