"""Rules of conduct of a game, how it is played in six steps, and lines on its layout: each with its clause."""

import tomllib
from dataclasses import dataclass
from importlib.resources.abc import Traversable
from typing import Literal, NamedTuple, TypeAlias, get_args

from pitboss.law import Citation, Clauses

Audience: TypeAlias = Literal["players", "dealer", "layout"]
AUDIENCES: tuple[Audience, ...] = get_args(Audience)


@dataclass(frozen=True, slots=True, kw_only=True)
class Conduct:
    """A rule of conduct: for whom it is, or that it is about the layout, our words, and the clause that says it."""

    audience: Audience
    words: str
    clause: Citation


@dataclass(frozen=True, slots=True, kw_only=True)
class HowToStep:
    """One of the steps in which a player is told the game: title, words, clause, and the cards of an example."""

    title: str
    words: str
    clause: Citation
    cards: tuple[str, ...] = ()
    dealer: tuple[str, ...] = ()


class LayoutLine(NamedTuple):
    """A line that is printed on the layout, and the clause it rests on."""

    text: str
    clause: str


def load_layout_lines(file: Traversable) -> tuple[LayoutLine, ...]:
    """Load the lines that are printed on a game's layout; a game without the file has none."""
    if not file.is_file():
        return ()
    lines = tomllib.loads(file.read_text(encoding="utf-8")).get("layout", [])
    return tuple(LayoutLine(line["text"], line["clause"]) for line in lines)


def load_steps(file: Traversable, clauses: Clauses) -> tuple[HowToStep, ...]:
    """Load the steps in which a game is told; a game without the file has none."""
    if not file.is_file():
        return ()
    return tuple(
        HowToStep(
            title=step["title"],
            words=step["words"],
            clause=clauses[step["clause"]],
            cards=tuple(step.get("cards", "").split()),
            dealer=tuple(step.get("dealer", "").split()),
        )
        for step in tomllib.loads(file.read_text(encoding="utf-8"))["steps"]
    )


def load_conduct(file: Traversable, clauses: Clauses) -> tuple[Conduct, ...]:
    """Load the rules of conduct of a game; a game without the file has none."""
    if not file.is_file():
        return ()
    rules = tomllib.loads(file.read_text(encoding="utf-8"))["conduct"]
    wrong = [rule["audience"] for rule in rules if rule["audience"] not in AUDIENCES]
    if wrong:
        raise ValueError(f"{file.name}: no audience is {wrong[0]!r}; expected {', '.join(AUDIENCES)}")
    return tuple(
        Conduct(audience=rule["audience"], words=rule["words"], clause=clauses[rule["clause"]]) for rule in rules
    )
