"""The operator's own slides and promotions: dated records beside the games, which change no settlement and no meter."""

import datetime
import hashlib
import os
import re
import tempfile
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated, NamedTuple

from pitboss import books
from pitboss.commands import LISTED_MAX, Bounds, By, Command, Name, Now, Prepared, Services, command, refuse
from pitboss.commands.roles import MANAGERS
from pitboss.games import find_game
from pitboss.room.configurations import CONFIGURATIONS, configuration_at
from pitboss.rules.posted import posted_rows
from pitboss.table import Configuration

FOLDER = "slides"
PICTURE_BYTES_MAX = 4_000_000
_PICTURES_MAX = 500
_LEAST, _MOST = 200, 4096
_NAME = re.compile(r"[0-9a-f]{64}\.(png|jpg)")
_TYPES = {"png": "image/png", "jpg": "image/jpeg"}
_PNG = b"\x89PNG\r\n\x1a\n"
_JPEG = b"\xff\xd8\xff"
_WITHOUT_LENGTH = frozenset({0x01, *range(0xD0, 0xDA)})
_FRAMES = frozenset(range(0xC0, 0xD0)) - {0xC4, 0xC8, 0xCC}
"""The segments of a JPEG that hold its size: every start of a frame, and not tables or extensions between them."""


class SlidePicture(NamedTuple):
    """A stored picture: its bytes and media type."""

    content: bytes
    media_type: str


def _jpeg_size(content: bytes) -> tuple[int, int] | None:
    place = 2
    while place + 9 < len(content) and content[place] == 0xFF:
        marker = content[place + 1]
        if marker == 0xFF or marker in _WITHOUT_LENGTH:
            place += 1 if marker == 0xFF else 2
            continue
        if marker in _FRAMES:
            high, wide = content[place + 5 : place + 7], content[place + 7 : place + 9]
            return int.from_bytes(wide), int.from_bytes(high)
        place += 2 + int.from_bytes(content[place + 2 : place + 4])
    return None


def measured(content: bytes) -> tuple[str, int, int] | None:
    """Return the type, width and height of a picture by its own bytes; None where it is neither PNG nor JPEG."""
    if content.startswith(_PNG) and content[12:16] == b"IHDR" and content.rstrip(b"\0")[-8:-4] == b"IEND":
        return "png", int.from_bytes(content[16:20]), int.from_bytes(content[20:24])
    if content.startswith(_JPEG) and content.rstrip(b"\0").endswith(b"\xff\xd9"):
        size = _jpeg_size(content)
        return None if size is None else ("jpg", *size)
    return None


def picture_problems(content: bytes) -> list[str]:
    """Return everything that is wrong with a picture."""
    problems = []
    if len(content) > PICTURE_BYTES_MAX:
        problems.append(f"picture: {len(content):,} bytes; the limit is {PICTURE_BYTES_MAX:,}")
    size = measured(content)
    if size is None:
        problems.append("picture: this file is not a complete PNG or JPEG")
    elif not all(_LEAST <= pixels <= _MOST for pixels in size[1:]):
        problems.append(f"picture: {size[1]} x {size[2]} pixels; each side must be {_LEAST} to {_MOST}")
    return problems


class SlidePictures:
    """The pictures in a data directory."""

    def __init__(self, path: Path) -> None:
        self._folder = path / FOLDER

    def keep(self, content: bytes) -> str:
        """Store a picture, and return its name: the hash of its bytes, with its type."""
        problems = picture_problems(content)
        if not problems and self._folder.is_dir() and len(list(self._folder.iterdir())) >= _PICTURES_MAX:
            problems.append(f"picture: {_PICTURES_MAX} pictures are saved already, which is the limit")
        size = measured(content)
        if problems or size is None:
            raise books.RefusedError(problems)
        name = f"{hashlib.sha256(content).hexdigest()}.{size[0]}"
        if self.find(name) is None:
            self._write(name, content)
        return name

    def _write(self, name: str, content: bytes) -> None:
        """Write beside its place, on disk, then move it there: killed, it leaves no half of one under its name."""
        self._folder.mkdir(mode=0o700, exist_ok=True)
        with tempfile.NamedTemporaryFile(dir=self._folder, delete=False) as file:
            file.write(content)
            file.flush()
            os.fsync(file.fileno())
        Path(file.name).replace(self._folder / name)

    def find(self, name: str) -> SlidePicture | None:
        """Read a picture; one whose bytes are not those of its name is none (G-54)."""
        if _NAME.fullmatch(name) is None:
            return None
        try:
            content = (self._folder / name).read_bytes()
        except OSError:
            return None
        digest, _, ending = name.partition(".")
        return SlidePicture(content, _TYPES[ending]) if hashlib.sha256(content).hexdigest() == digest else None


_LIMITS = {
    "name": 40, "title": 60, "words": 280, "small_print": 280, "wager": 40, "prize": 80, "paid_by": 40, "consent": 80,
}  # fmt: skip
_OF_A_PROMOTION = ("prize", "paid_by", "consent")
_MAY_BE_EMPTY = ("small_print", "wager", *_OF_A_PROMOTION)


@dataclass(frozen=True, slots=True, kw_only=True)
class Promotion:
    """A slide: a title, what it says and its small print, from a first to a last day, at some tables or at all.

    A `picture` stands in place of the words, by the name under which the room keeps it: the hash of its bytes. Then the
    title and the words are what is read aloud to who cannot see it. A slide with a `wager` is a gambling promotion:
    what is won beside the pay table, who pays it, and the written consent where the game's document asks for one.
    """

    name: str
    title: str
    words: str
    small_print: str = ""
    first_day: datetime.date
    last_day: datetime.date
    tables: Annotated[tuple[Name, ...], Bounds(most=LISTED_MAX)] = ()
    picture: Annotated[str, Bounds(most=70, text="A picture that the room keeps, by its name."), books.OMIT_DEFAULT] = (
        ""
    )
    wager: Annotated[
        str, Bounds(most=40, text="The wager that a gambling promotion is added to."), books.OMIT_DEFAULT
    ] = ""
    prize: Annotated[str, Bounds(most=80, text="What is won, besides what the pay table pays."), books.OMIT_DEFAULT] = (
        ""
    )
    paid_by: Annotated[str, Bounds(most=40, text="Who pays the prize."), books.OMIT_DEFAULT] = ""
    consent: Annotated[
        str,
        Bounds(most=80, text="The written consent of the game's owner: its date and who gave it."),
        books.OMIT_DEFAULT,
    ] = ""

    @property
    def is_gambling(self) -> bool:
        """True if it is a gambling promotion, and not a slide alone."""
        return bool(self.wager)

    @property
    def fine_print(self) -> str:
        """The small print; a promotion's begins with its prize and who pays it."""
        prize = (
            f"Prize: {self.prize}. Paid by {self.paid_by}, beside the pay table and any jackpot."
            if self.is_gambling
            else ""
        )
        return f"{prize} {self.small_print}".strip()

    def is_shown(self, table: str, day: datetime.date) -> bool:
        """True if it is shown at a table on a day of the room's calendar."""
        return self.first_day <= day <= self.last_day and (not self.tables or table in self.tables)


def promotion_problems(promotion: Promotion) -> list[str]:
    """Return everything that is wrong with a slide."""
    problems = []
    for name, longest in _LIMITS.items():
        text = getattr(promotion, name)
        may_be_empty = name in _MAY_BE_EMPTY or (name == "words" and promotion.picture)
        if not text.strip() and not may_be_empty:
            problems.append(f"{name}: enter a text")
        if len(text) > longest:
            problems.append(f"{name}: {len(text)} characters, and {longest} can be read from a seat")
        if not text.isprintable():
            problems.append(f"{name}: enter one line of text")
    if promotion.is_gambling:
        empty = [name for name in ("prize", "paid_by") if not getattr(promotion, name).strip()]
        problems += [f"{name}: enter it, a gambling promotion says it" for name in empty]
        if not promotion.tables:
            problems.append("tables: choose the tables at which it is won")
    else:
        problems += [
            f"{name}: choose a wager, or leave this blank" for name in _OF_A_PROMOTION if getattr(promotion, name)
        ]
    if promotion.last_day < promotion.first_day:
        problems.append(f"last_day: {promotion.last_day} is before the first day, {promotion.first_day}")
    return problems


@books.entry_kind("promotion-set")
class PromotionSet(books.EntryPayload):
    """A slide was made, or made anew under its name."""

    promotion: Annotated[Promotion, books.INLINE]

    def payload_problems(self) -> Iterable[str]:
        """Return what is wrong with the slide."""
        return promotion_problems(self.promotion)


@books.entry_kind("promotion-ended")
class PromotionEnded(books.EntryPayload):
    """A slide was taken away before its last day."""

    name: str


Slides = Mapping[str, Promotion]


def _fold(slides: Slides, _: books.Entry, value: books.Payload) -> Slides:
    if isinstance(value, PromotionSet):
        return {**slides, value.promotion.name: value.promotion}
    if isinstance(value, PromotionEnded):
        return {name: slide for name, slide in slides.items() if name != value.name}
    return slides


PROMOTIONS: books.Projection[Slides] = books.Projection(
    name="promotions",
    empty={},
    shape=Annotated[Slides, books.KeyedBy("name")],
    fold=_fold,
    kinds=books.kinds_of(PromotionSet, PromotionEnded),
)


def showing(state: books.BookState, table: str, day: datetime.date) -> tuple[Promotion, ...]:
    """Return the slides of a table on a day, in the order in which they were made."""
    slides: Slides = state.parts.get(PROMOTIONS.name, {})
    return tuple(slide for slide in slides.values() if slide.is_shown(table, day))


def game_problems(state: books.BookState, promotion: Promotion) -> list[str]:
    """Return what the documents of the games at its tables say against a gambling promotion."""
    problems = []
    for table in promotion.tables if promotion.is_gambling else ():
        configuration = configuration_at(state, table)
        if configuration is None:
            problems.append(f"tables: table {table} has no setup yet")
            continue
        game = find_game(configuration.game)
        terms = game.approval.promotions
        if terms is None:
            problems.append(f"tables: the approved rules of {game.title} (table {table}) have no promotions")
            continue
        clause = game.clauses[terms.clause].id
        if promotion.wager not in configuration.offered:
            offered = ", ".join(game.by_name[name].title for name in configuration.offered)
            problems.append(f"wager: table {table} does not offer {promotion.wager}; it offers: {offered}")
        elif terms.wagers == "bonus" and game.by_name[promotion.wager] is game.base:
            problems.append(f"wager: {game.title} has promotions on its bonus wagers only ({clause})")
        if terms.consent and not promotion.consent.strip():
            problems.append(f"consent: {game.title} requires the written consent of the game's owner ({clause})")
    return list(dict.fromkeys(problems))


_MULTIPLES = re.compile(
    r"\b(pays?|paid|wins?|payouts?)\s+(\w+\s+){0,2}(double|triple|twice|\d+\s?x|x\s?\d+)\b"
    r"|\b(double|triple)\s+(pays?|payouts?|odds)\b",
    re.IGNORECASE,
)
_ODDS = re.compile(r"\b(\d[\d,]*(?:\.\d+)?)\s*(?:to|:)\s*1\b")


def contradictions(state: books.BookState, promotion: Promotion) -> tuple[str, ...]:
    """Return what a slide promises that no pay table of its tables pays; a promotion changes no settlement."""
    text = f"{promotion.title} {promotion.words} {promotion.small_print} {promotion.prize}"
    notes = [
        f"It says {match[0]!r}: the table pays its pay table, and no more, on every wager."
        for match in _MULTIPLES.finditer(text)
    ]
    odds = {match[1].replace(",", ""): match[0] for match in _ODDS.finditer(text)}
    for table in promotion.tables or tuple(state.of(CONFIGURATIONS).tables):
        configuration = configuration_at(state, table)
        if configuration is None or not odds:
            continue
        paid = _odds_paid(configuration)
        unpaid = [words for number, words in odds.items() if number not in paid]
        notes += [f"It says {words!r}, which no pay table of table {table} pays." for words in unpaid]
    return tuple(dict.fromkeys(notes))


def _odds_paid(configuration: Configuration) -> set[str]:
    """Return the odds to 1 that some wager of a table pays, as the settlement pays them and not as they are printed."""
    game, terms = find_game(configuration.game), configuration.terms
    slots = [(wager, slot) for wager in map(game.by_name.get, configuration.offered) if wager for slot in wager.slots]
    rows = [row for wager, slot in slots if slot.name in terms.tables for row in posted_rows(wager, slot, terms)]
    return {str(pay).removesuffix(" to 1").replace(",", "") for row in rows for pay in row.pays}


@command("promotions/set", roles=MANAGERS)
class SetSlide(Command):
    """Save a promotion; it replaces the one of the same name."""

    promotion: Promotion

    def prepare(self, services: Services) -> Prepared:
        """Check that the picture of the slide is there."""
        name = self.promotion.picture
        if name and SlidePictures(services.books.directory.path).find(name) is None:
            missing = f"picture: the room keeps none by the name {name!r}: send it first (G-54)"
            raise books.RefusedError([*promotion_problems(self.promotion), missing])
        return self

    def entries(self, now: Now, by: By) -> list[books.Payload]:
        """Return the slide."""
        refuse([*promotion_problems(self.promotion), *game_problems(now.state, self.promotion)])
        return [PromotionSet(promotion=self.promotion)]


@command("promotions/end", roles=MANAGERS)
class EndSlide(Command):
    """Remove a promotion before its last day."""

    name: Name

    def entries(self, now: Now, by: By) -> list[books.Payload]:
        """Return the end of the slide."""
        if self.name not in now.state.of(PROMOTIONS):
            raise books.RefusedError([f"there is no slide {self.name!r}"])
        return [PromotionEnded(name=self.name)]
