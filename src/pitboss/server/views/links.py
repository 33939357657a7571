"""One-time links as they are handed on: the address to copy, and a picture that a telephone or tablet reads."""

from typing import NamedTuple

import segno
from markupsafe import Markup


class HandedSecret(NamedTuple):
    """A link or token that is shown once: whose it is, what to do with it, the secret, and the picture of a link."""

    name: str
    text: str
    secret: str
    picture: Markup = Markup("")


def qr_picture(text: str) -> Markup:
    """Draw a text as a QR code, for a page; it needs no script and no style of its own."""
    drawing = segno.make(text, micro=False).svg_inline(scale=4, border=2, omitsize=False)
    return Markup(drawing)  # noqa: S704 - drawn by us: a path of numbers


def handed_link(name: str, text: str, address: str) -> HandedSecret:
    """Return a link with its picture."""
    return HandedSecret(name, text, address, qr_picture(address))
