"""Capitals, figures and signs as strokes of our own, for meters, headings and the corners of cards.

A glyph is the middle line of a pen, in a box a hundred high; the pen's width is chosen where it is drawn, so that one
set of lines serves a meter that is read from four metres and the corner of a card. Figures are all equally wide.
"""

from typing import NamedTuple

HEIGHT = 100


class Glyph(NamedTuple):
    """How far the pen moves on, and the line that it draws."""

    width: int
    line: str


_O = "M38 8C56 8 68 25 68 50S56 92 38 92S8 75 8 50S20 8 38 8Z"
_P = "M9 92V8H30C43 8 51 18 51 31S43 54 30 54H9"

GLYPHS: dict[str, Glyph] = {
    "0": Glyph(60, "M30 8C43 8 52 18 52 36V64C52 82 43 92 30 92S8 82 8 64V36C8 18 17 8 30 8Z"),
    "1": Glyph(60, "M15 26L34 9V92"),
    "2": Glyph(60, "M9 31C9 17 18 8 30 8S51 17 51 30C51 45 38 55 9 92H53"),
    "3": Glyph(
        60, "M10 24C13 13 20 8 30 8C42 8 50 17 50 28S42 48 27 48C43 48 53 57 53 70S43 92 30 92C19 92 11 86 7 75"
    ),
    "4": Glyph(60, "M41 92V8L7 69H55"),
    "5": Glyph(60, "M49 8H16L13 46C18 41 23 39 30 39C43 39 52 50 52 65S43 92 29 92C19 92 11 87 7 77"),
    "6": Glyph(60, "M46 9C22 17 8 38 8 65C8 82 17 92 30 92S52 82 52 67S43 43 30 43S8 52 8 65"),
    "7": Glyph(60, "M8 8H52L24 92"),
    "8": Glyph(
        60,
        "M30 8C41 8 49 17 49 28S41 48 30 48S11 39 11 28S19 8 30 8ZM30 48"
        "C43 48 52 57 52 70S43 92 30 92S8 83 8 70S17 48 30 48Z",
    ),
    "9": Glyph(60, "M14 91C38 83 52 62 52 35C52 18 43 8 30 8S8 18 8 33S17 57 30 57S52 48 52 35"),
    "$": Glyph(
        60,
        "M50 28C48 18 40 13 30 13C18 13 10 20 10 30C10 42 20 46 30 49"
        "S52 57 52 70C52 81 43 88 30 88C19 88 10 82 8 72M30 0V101",
    ),
    "%": Glyph(
        86,
        "M66 8L20 92M21 10C30 10 35 17 35 27S30 44 21 44S7 37 7 27S12 10 21 10ZM65 56"
        "C74 56 79 63 79 73S74 90 65 90S51 83 51 73S56 56 65 56Z",
    ),
    ",": Glyph(24, "M13 90L8 107"),
    ".": Glyph(24, "M12 91V92"),
    "+": Glyph(60, "M30 26V76M5 51H55"),
    "-": Glyph(44, "M8 53H36"),
    "'": Glyph(20, "M11 8L9 27"),
    "/": Glyph(50, "M42 6L8 94"),
    "!": Glyph(20, "M10 8V64M10 91V92"),
    "&": Glyph(70, "M64 92L21 33C14 22 20 8 32 8S47 24 37 33L20 48C6 60 8 92 32 92C50 92 58 76 58 56"),
    " ": Glyph(34, ""),
    "A": Glyph(68, "M6 92L34 8L62 92M16 64H52"),
    "B": Glyph(60, "M9 49H32C44 49 52 58 52 70S44 92 32 92H9V8H30C41 8 48 17 48 28S41 49 30 49"),
    "C": Glyph(67, "M60 27C56 15 47 8 36 8C19 8 8 24 8 50S19 92 36 92C47 92 56 85 60 73"),
    "D": Glyph(66, "M9 8H28C46 8 58 24 58 50S46 92 28 92H9Z"),
    "E": Glyph(54, "M48 8H9V92H48M9 49H42"),
    "F": Glyph(52, "M47 8H9V92M9 50H40"),
    "G": Glyph(71, "M61 26C57 15 48 8 37 8C19 8 8 24 8 50S19 92 37 92C48 92 57 88 62 80V54H40"),
    "H": Glyph(66, "M9 8V92M57 8V92M9 49H57"),
    "I": Glyph(20, "M10 8V92"),
    "J": Glyph(50, "M41 8V66C41 83 34 92 23 92C14 92 8 86 6 76"),
    "K": Glyph(61, "M9 8V92M54 8L10 58M25 42L56 92"),
    "L": Glyph(50, "M9 8V92H46"),
    "M": Glyph(80, "M9 92V8L40 62L71 8V92"),
    "N": Glyph(68, "M9 92V8L59 92V8"),
    "O": Glyph(76, _O),
    "P": Glyph(58, _P),
    "Q": Glyph(76, _O + "M46 70L67 97"),
    "R": Glyph(62, _P + "M32 54L54 92"),
    "S": Glyph(
        60, "M51 26C48 14 40 8 30 8C18 8 9 16 9 28C9 41 20 46 30 49S52 56 52 70C52 83 42 92 30 92C19 92 10 86 8 74"
    ),
    "T": Glyph(58, "M5 8H53M29 8V92"),
    "U": Glyph(66, "M9 8V60C9 80 18 92 33 92S57 80 57 60V8"),
    "V": Glyph(66, "M6 8L33 92L60 8"),
    "W": Glyph(90, "M6 8L26 92L45 22L64 92L84 8"),
    "X": Glyph(62, "M8 8L54 92M54 8L8 92"),
    "Y": Glyph(62, "M6 8L31 50L56 8M31 50V92"),
    "Z": Glyph(58, "M9 8H50L8 92H51"),
}
DIGITS = "0123456789"
_MARGIN, _HANGING = 8, 16
"""How far a pen may stand out above and below, and how far where a comma hangs."""


def can_letter(text: str) -> bool:
    """True if every sign of a text can be drawn; a page writes what cannot be drawn in a font."""
    return all(sign in GLYPHS for sign in text.upper())


def lettering(text: str, *, pen: int = 11, spacing: int = 14) -> str:
    """Draw a text in capitals as SVG in the colour of its surroundings; whoever places it says what it says aloud."""
    drawn, place = [], 0
    for sign in text.upper():
        glyph = GLYPHS[sign]
        if glyph.line:
            drawn.append(f'<path transform="translate({place})" d="{glyph.line}"/>')
        place += glyph.width + spacing
    width = max(place - spacing, 1)
    below = _HANGING if "," in text else _MARGIN
    box = f"0 {-_MARGIN} {width} {HEIGHT + _MARGIN + below}"
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" class="lettering" viewBox="{box}"'
        f' aria-hidden="true"><g fill="none" stroke="currentColor" stroke-width="{pen}" stroke-linecap="round"'
        f' stroke-linejoin="round">{"".join(drawn)}</g></svg>'
    )
