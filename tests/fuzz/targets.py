"""What is fuzzed: each target takes any bytes and raises only where Pitboss is at fault.

A case of `forms` and `api` is a line with a role and a path, and the body below it. Cases that were at fault once, and
those that others are made from, are files in `corpus`, one folder a target.
"""

from __future__ import annotations

from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING

from pitboss.books import RefusedError
from pitboss.cards import CardError, card_text, parse_card, parse_cards
from pitboss.table.reading import read_configuration
from pitboss.table.round import Round
from pitboss.tabulator.setup import read_setup

if TYPE_CHECKING:
    from tests.fuzz.room import Served

CORPUS = Path(__file__).parent / "corpus"
Target = Callable[[bytes], None]


def cards(data: bytes) -> None:
    """Card notation: what is read is written back, and everything else is named."""
    text = data.decode("utf-8", "surrogateescape")
    with suppress(CardError):
        for card in parse_cards(text):
            assert parse_card(card_text(card)) == card
    with suppress(CardError):
        parse_cards(text.split(" "), as_printed=True)


def toml(data: bytes) -> None:
    """Configurations, setups of tables, and round records: a refusal names what is wrong."""
    text = data.decode("utf-8", "replace")
    for read in (read_configuration, read_setup, Round.from_text):
        with suppress(ValueError, RefusedError):
            read(text)


def targets(served: Served | None) -> dict[str, Target]:
    """Return every target by name; those that need a server only where there is one."""
    found: dict[str, Target] = {"cards": cards, "toml": toml}
    if served is not None:
        found |= {"messages": served.messages, "forms": served.forms, "api": served.api}
    return found


def kept(name: str) -> list[bytes]:
    """Return the cases of a target that are kept."""
    return [file.read_bytes() for file in sorted((CORPUS / name).iterdir()) if file.is_file()]
