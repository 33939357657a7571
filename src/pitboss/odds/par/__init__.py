"""PAR sheets: built from a game and its terms, written as JSON, read back, and verified by deriving them again.

>>> from pitboss.odds.par import Sheet, make_sheet, verify_sheet
"""

from pitboss.odds.par.sheet import Difference, Sheet, SheetVerification, make_sheet, read_sheet, verify_sheet
from pitboss.odds.par.values import SheetError, read_text, write_text

__all__ = [
    "Difference", "Sheet", "SheetError", "SheetVerification", "make_sheet", "read_sheet", "read_text", "verify_sheet",
    "write_text",
]  # fmt: skip
