"""The operator's own slides and promotions: dated records beside the games, which change no settlement and no meter."""

from __future__ import annotations

import datetime
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from pitboss.books import Answer, Books, BookState, Command, Draft, Entry, Payload, Projection, RefusedError
from pitboss.books import register_kinds as _register_kinds
from pitboss.server.slide_pictures import SlidePictures

__all__ = ["PROMOTIONS", "Promotion", "PromotionEnded", "PromotionSet", "Promotions", "promotion_problems", "showing"]

_LIMITS = {"name": 40, "title": 60, "words": 280, "small_print": 280}
_MAY_BE_EMPTY = ("small_print",)


@dataclass(frozen=True, slots=True, kw_only=True)
class Promotion:
    """A slide: a title, what it says and its small print, from a first to a last day, at some tables or at all.

    A `picture` stands in place of the words, by the name under which the room keeps it: the hash of its bytes. Then the
    title and the words are what is read aloud to who cannot see it.
    """

    name: str
    title: str
    words: str
    small_print: str = ""
    first_day: datetime.date
    last_day: datetime.date
    tables: tuple[str, ...] = ()
    picture: str = ""

    def is_shown(self, table: str, day: datetime.date) -> bool:
        """Say whether it is shown at a table on a day of the room's calendar."""
        return self.first_day <= day <= self.last_day and (not self.tables or table in self.tables)

    def to_json(self) -> dict[str, Any]:
        """Write the slide."""
        return {
            **{name: getattr(self, name) for name in _LIMITS},
            "first_day": self.first_day.isoformat(),
            "last_day": self.last_day.isoformat(),
            "tables": list(self.tables),
            # Left out where there is none: slides of before are written as they were.
            **({"picture": self.picture} if self.picture else {}),
        }

    @classmethod
    def from_json(cls, said: Mapping[str, Any]) -> Promotion:
        """Read what `to_json` wrote."""
        return cls(
            **{name: said[name] for name in _LIMITS},
            first_day=datetime.date.fromisoformat(said["first_day"]),
            last_day=datetime.date.fromisoformat(said["last_day"]),
            tables=tuple(said["tables"]),
            picture=said.get("picture", ""),
        )


def promotion_problems(promotion: Promotion) -> list[str]:
    """Name everything that is wrong with a slide."""
    problems = []
    for name, longest in _LIMITS.items():
        text = getattr(promotion, name)
        may_be_empty = name in _MAY_BE_EMPTY or (name == "words" and promotion.picture)
        if not text.strip() and not may_be_empty:
            problems.append(f"{name} must say something")
        if len(text) > longest:
            problems.append(f"{name} has {len(text)} characters: {longest} can be read from a seat")
        if not text.isprintable():
            problems.append(f"{name} must be one line of text")
    if promotion.last_day < promotion.first_day:
        problems.append(f"its last day, {promotion.last_day}, comes before its first, {promotion.first_day}")
    return problems


@dataclass(frozen=True, slots=True, kw_only=True)
class PromotionSet:
    """A slide was made, or made anew under its name."""

    promotion: Promotion

    @property
    def kind(self) -> str:
        """The kind of its entries."""
        return "promotion-set"

    def to_json(self) -> dict[str, Any]:
        """Write the slide."""
        return self.promotion.to_json()


@dataclass(frozen=True, slots=True, kw_only=True)
class PromotionEnded:
    """A slide was taken away before its last day."""

    name: str

    @property
    def kind(self) -> str:
        """The kind of its entries."""
        return "promotion-ended"

    def to_json(self) -> dict[str, Any]:
        """Write which slide."""
        return {"name": self.name}


def _read_set(_: str, said: dict[str, Any]) -> PromotionSet:
    promotion = Promotion.from_json(said)
    problems = promotion_problems(promotion)
    if problems:
        raise ValueError("; ".join(problems))
    return PromotionSet(promotion=promotion)


def _read_ended(_: str, said: dict[str, Any]) -> PromotionEnded:
    return PromotionEnded(name=said["name"])


_register_kinds(["promotion-set"], _read_set)
_register_kinds(["promotion-ended"], _read_ended)

Slides = Mapping[str, Promotion]


def _fold(slides: Slides, _: Entry, value: Payload) -> Slides:
    if isinstance(value, PromotionSet):
        return {**slides, value.promotion.name: value.promotion}
    if isinstance(value, PromotionEnded):
        return {name: each for name, each in slides.items() if name != value.name}
    return slides


PROMOTIONS: Projection[Slides] = Projection(
    name="promotions",
    empty={},
    fold=_fold,
    write=lambda slides: [each.to_json() for each in slides.values()],
    read=lambda said: {each["name"]: Promotion.from_json(each) for each in said},
)


def showing(state: BookState, table: str, day: datetime.date) -> tuple[Promotion, ...]:
    """Give the slides of a table on a day, in the order in which they were made."""
    slides: Slides = state.parts.get(PROMOTIONS.name, {})
    return tuple(each for each in slides.values() if each.is_shown(table, day))


class Promotions:
    """The slides in the books of a room."""

    def __init__(self, books: Books, book: str = "room") -> None:
        self.books, self.book = books, book

    @property
    def pictures(self) -> SlidePictures:
        """The pictures that slides may show."""
        return SlidePictures(self.books.directory.path)

    def set(self, promotion: Promotion, *, command: str, actor: str) -> Answer:
        """Make a slide, or make it anew under its name."""

        def decide(_: BookState) -> list[Draft]:
            problems = promotion_problems(promotion)
            if promotion.picture and self.pictures.find(promotion.picture) is None:
                problems.append(f"picture: the room keeps none by the name {promotion.picture!r}: send it first")
            if problems:
                raise RefusedError(problems)
            return [Draft(PromotionSet(promotion=promotion))]

        content = ["promotion", promotion.to_json()]
        return self.books.submit(Command(book=self.book, id=command, actor=actor, content=content, decide=decide))

    def end(self, name: str, *, command: str, actor: str) -> Answer:
        """Take a slide away before its last day."""

        def decide(state: BookState) -> list[Draft]:
            if name not in state.of(PROMOTIONS):
                raise RefusedError([f"there is no slide {name!r}"])
            return [Draft(PromotionEnded(name=name))]

        content = ["promotion-ended", name]
        return self.books.submit(Command(book=self.book, id=command, actor=actor, content=content, decide=decide))
