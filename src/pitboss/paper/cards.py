"""Cards and odometer figures as SVG of our own: drawn by one function each, for pages and papers alike.

Nothing is taken from a font or from anybody else's pictures: ranks are the strokes of `lettering`, suits are the
shapes below.
"""

from collections.abc import Sequence

from pitboss.cards import JOKER, RANKS, SUITS, Card, rank_of, suit_of
from pitboss.paper.lettering import DIGITS, GLYPHS, HEIGHT

CARD_SIZE = (250, 350)
_SVG = '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}" {more}aria-hidden="true">{body}</svg>'

SUIT_SHAPES: dict[str, str] = {
    # In a box from -50 to 50.
    "s": "M0-48C12-24 44-10 44 16C44 32 32 40 21 40C14 40 8 37 5 32C6 40 10 45 16 48H-16C-10 45-6 40-5 32"
    "C-8 37-14 40-21 40C-32 40-44 32-44 16C-44-10-12-24 0-48Z",
    "h": "M0 46C-14 22-46 6-46-20C-46-36-35-44-24-44C-13-44-4-37 0-26"
    "C4-37 13-44 24-44C35-44 46-36 46-20C46 6 14 22 0 46Z",
    "d": "M0-50C9-30 22-13 38 0C22 13 9 30 0 50C-9 30-22 13-38 0C-22-13-9-30 0-50Z",
    "c": "M0-48C13-48 22-38 22-26C22-20 20-15 16-11C19-13 23-14 26-14C38-14 47-5 47 8S38 29 26 29C17 29 9 24 5 15"
    "C5 32 9 43 16 48H-16C-9 43-5 32-5 15C-9 24-17 29-26 29C-38 29-47 20-47 8S-38-14-26-14C-23-14-19-13-16-11"
    "C-20-15-22-20-22-26C-22-38-13-48 0-48Z",
}
_RED, _BLACK, _PAPER, _EDGE, _GOLD = "#b3202c", "#15181d", "#fdfbf5", "#c9c2b0", "#b48a3c"
_COURTS = "JQK"
_LEFT, _MIDDLE, _RIGHT = 80, 125, 170
_TOP, _BOTTOM = 78, 272
_COLUMN_OF_FOUR = (78, 143, 207, 272)


def _pips(rank: str) -> list[tuple[float, float]]:
    """Where the suit stands on a card from deuce to ten, as cards have had it for centuries."""
    middle = {"2": (_TOP, _BOTTOM), "3": (_TOP, 175, _BOTTOM), "5": (175,), "7": (127,), "8": (127, 223), "9": (175,)}
    sides = {"4": 2, "5": 2, "6": 3, "7": 3, "8": 3, "9": 4, "T": 4}.get(rank, 0)
    rows = {0: (), 2: (_TOP, _BOTTOM), 3: (_TOP, 175, _BOTTOM), 4: _COLUMN_OF_FOUR}[sides]
    places = [(x, y) for x in (_LEFT, _RIGHT) for y in rows]
    tens = (110.5, 239.5) if rank == "T" else ()
    return [*places, *((_MIDDLE, y) for y in (*middle.get(rank, ()), *tens))]


def _suit(suit: str, x: float, y: float, size: float, *, upside_down: bool = False) -> str:
    turn = " rotate(180)" if upside_down else ""
    return f'<path transform="translate({x:g} {y:g}){turn} scale({size / 100:g})" d="{SUIT_SHAPES[suit]}"/>'


def _rank(text: str, x: float, y: float, height: float, pen: int = 13) -> str:
    """A rank whose middle stands at a place; the ten is two figures set close."""
    widths = [GLYPHS[sign].width for sign in text]
    gap, scale = 4, height / HEIGHT
    whole, drawn, place = sum(widths) + gap * (len(text) - 1), [], 0.0
    for sign, width in zip(text, widths, strict=True):
        drawn.append(f'<path transform="translate({place:g})" d="{GLYPHS[sign].line}"/>')
        place += width + gap
    squeeze = scale * min(1, 92 / whole)
    return (
        f'<g transform="translate({x - whole * squeeze / 2:g} {y - height / 2:g}) scale({squeeze:g} {scale:g})"'
        f' fill="none" stroke="currentColor" stroke-width="{pen}" stroke-linecap="round"'
        f' stroke-linejoin="round">{"".join(drawn)}</g>'
    )


def _corner(text: str, suit: str) -> str:
    return _rank(text, 31, 40, 40) + _suit(suit, 31, 86, 34)


def _twice(drawn: str) -> str:
    """Draw something, and the same from the other end of the card."""
    return f'{drawn}<g transform="rotate(180 125 175)">{drawn}</g>'


def _court(rank: str, suit: str) -> str:
    """A court card: the letter in a frame between its suits, the same from both ends."""
    frame = (
        f'<rect x="58" y="50" width="134" height="250" rx="10" fill="none" stroke="{_GOLD}" stroke-width="3"/>'
        f'<rect x="65" y="57" width="120" height="236" rx="6" fill="none" stroke="{_GOLD}" stroke-width="1.2"/>'
        f'<path d="M65 175L185 175M125 115L185 175L125 235L65 175Z" fill="none" stroke="{_GOLD}" stroke-width="1.2"/>'
    )
    crown = {
        "K": "M97 84L92 66L109 75L125 60L141 75L158 66L153 84Z",
        "Q": "M99 84C92 76 92 70 96 64L111 76L125 62L139 76L154 64C158 70 158 76 151 84Z",
        "J": "M100 84C100 66 150 66 150 84Z",
    }[rank]
    ends = f'<path d="{crown}" fill="{_GOLD}"/>' + _suit(suit, 86, 110, 30)
    plate = f'<circle cx="125" cy="175" r="45" fill="{_PAPER}" stroke="{_GOLD}" stroke-width="3"/>'
    return frame + _twice(ends) + plate + _rank(rank, 125, 175, 54, 12)


def _joker() -> str:
    star = "M125 92L144 150L205 150L156 186L174 244L125 209L76 244L94 186L45 150L106 150Z"
    return f'<path d="{star}" fill="{_GOLD}"/>' + _twice(
        "".join(_rank(sign, 28, 34 + 30 * place, 24) for place, sign in enumerate("JOKER"))
    )


def card_svg(card: Card) -> str:
    """Draw the face of a card."""
    width, height = CARD_SIZE
    face = f'<rect x="2" y="2" width="246" height="346" rx="18" fill="{_PAPER}" stroke="{_EDGE}" stroke-width="3"/>'
    if card == JOKER:
        body, ink = _joker(), _BLACK
    else:
        rank, suit = RANKS[rank_of(card)], SUITS[suit_of(card)]
        ink = _RED if suit in "dh" else _BLACK
        body = _twice(_corner("10" if rank == "T" else rank, suit))
        if rank == "A":
            body += _suit(suit, 125, 175, 120)
        elif rank in _COURTS:
            body += _court(rank, suit)
        else:
            body += "".join(_suit(suit, x, y, 52, upside_down=y > 180) for x, y in _pips(rank))
    return _SVG.format(
        width=width, height=height, more='class="card-face" ', body=f'{face}<g color="{ink}" fill="{ink}">{body}</g>'
    )


def back_svg() -> str:
    """Draw the back of a card: a lattice in a frame."""
    lines = "".join(f"M{x} 20L{x + 310} 330M{x} 20L{x - 310} 330" for x in range(-290, 560, 24))
    body = (
        f'<rect x="2" y="2" width="246" height="346" rx="18" fill="{_PAPER}" stroke="{_EDGE}" stroke-width="3"/>'
        f'<clipPath id="back"><rect x="18" y="18" width="214" height="314" rx="8"/></clipPath>'
        f'<g clip-path="url(#back)"><rect width="250" height="350" fill="#7a1a26"/>'
        f'<path d="{lines}" stroke="#e7d7a8" stroke-opacity=".55" stroke-width="1.6" fill="none"/></g>'
        f'<rect x="18" y="18" width="214" height="314" rx="8" fill="none" stroke="{_GOLD}" stroke-width="3"/>'
    )
    return _SVG.format(width=CARD_SIZE[0], height=CARD_SIZE[1], more='class="card-face" ', body=body)


def suit_svg(suit: str) -> str:
    """Draw a suit alone, in the colour of its surroundings."""
    shape = f'<path transform="translate(50 50)" d="{SUIT_SHAPES[suit]}"/>'
    return _SVG.format(width=100, height=100, more='class="suit" fill="currentColor" ', body=shape)


def digit_strip_svg(signs: Sequence[str] = (*DIGITS, "0"), *, pen: int = 13) -> str:
    """Draw the reel of an odometer: figures one below the other, each in a window 76 wide and 132 high."""
    drawn = "".join(
        f'<path transform="translate({(76 - GLYPHS[sign].width) / 2:g} {16 + 132 * place})" d="{GLYPHS[sign].line}"/>'
        for place, sign in enumerate(signs)
    )
    body = (
        f'<g fill="none" stroke="currentColor" stroke-width="{pen}" stroke-linecap="round"'
        f' stroke-linejoin="round">{drawn}</g>'
    )
    return _SVG.format(width=76, height=132 * len(signs), more='class="strip" ', body=body)
