"""What templates can draw: lettering, figures of an odometer, suits and cards, all as SVG that `paper` makes."""

from __future__ import annotations

import re
from functools import lru_cache

from jinja2 import Environment
from markupsafe import Markup

from pitboss.cards import card_words, parse_card
from pitboss.paper.cards import back_svg, card_svg, digit_strip_svg, suit_svg
from pitboss.paper.lettering import can_letter, lettering

__all__ = ["add_drawings", "lettered"]

_BODY = re.compile(r"<svg[^>]*>(.*)</svg>", re.DOTALL)


@lru_cache(maxsize=512)
def drawn(text: str, pen: int = 11, spacing: int = 14) -> Markup:
    """Draw a text that is said elsewhere."""
    return Markup(lettering(text, pen=pen, spacing=spacing))  # noqa: S704 - made by us of our own strokes


def lettered(text: str, pen: int = 11, spacing: int = 14) -> Markup:
    """Write a text in our own lettering, with the text itself for who has it read aloud; else in a font."""
    if not can_letter(text):
        return Markup('<span class="unlettered">{}</span>').format(text)
    words = Markup('<span class="visually-hidden">{}</span>').format(text)
    return Markup('<span class="lettered">{}{}</span>').format(words, drawn(text, pen, spacing))


@lru_cache(maxsize=64)
def _card_face(text: str) -> Markup:
    return Markup(card_svg(parse_card(text)))  # noqa: S704 - made by us of a card


def _reel_body() -> Markup:
    found = _BODY.search(digit_strip_svg())
    assert found is not None
    return Markup(found[1])  # noqa: S704 - made by us of our own strokes


def add_drawings(environment: Environment) -> Environment:
    """Give the drawings to the templates of an environment."""
    environment.globals.update(
        lettered=lettered,
        drawn=drawn,
        suit=lambda suit: Markup(suit_svg(suit)),  # noqa: S704 - one of four shapes
        card_face=_card_face,
        card_words=lambda text: card_words(parse_card(text)),
        card_back_face=lambda: Markup(back_svg()),  # noqa: S704 - one drawing
        reel_body=_reel_body(),
    )
    return environment
