"""What is posted at a table: its configuration, as an entry of the journal that says what was posted when."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

from pitboss.books import Answer, Books, BookState, Command, Draft, Entry, Payload, Projection, RefusedError
from pitboss.books import register_kinds as _register_kinds
from pitboss.table import Configuration, read_configuration

__all__ = ["POSTED", "Posted", "TablePosted", "configuration_at"]


@dataclass(frozen=True, slots=True, kw_only=True)
class TablePosted:
    """The configuration that holds at a table from now on: its canonical text, which reads back to the same."""

    table: str
    configuration: str

    @property
    def kind(self) -> str:
        """The kind of its entries."""
        return "table-posted"

    def to_json(self) -> dict[str, Any]:
        """Write the table and the text."""
        return {"table": self.table, "configuration": self.configuration}


@lru_cache(maxsize=256)
def _configuration(text: str) -> Configuration:
    found = read_configuration(text)
    if found.problems or found.configuration is None:
        raise ValueError("; ".join(map(str, found.problems)) or "no configuration")
    return found.configuration


def _read(_: str, said: dict[str, Any]) -> TablePosted:
    _configuration(said["configuration"])
    return TablePosted(table=said["table"], configuration=said["configuration"])


_register_kinds(["table-posted"], _read)

Posts = Mapping[str, str]


def _fold(posts: Posts, _: Entry, value: Payload) -> Posts:
    return {**posts, value.table: value.configuration} if isinstance(value, TablePosted) else posts


POSTED: Projection[Posts] = Projection(name="posted", empty={}, fold=_fold, write=dict, read=dict)


def configuration_at(state: BookState, table: str) -> Configuration | None:
    """The configuration that is posted at a table, if one is."""
    posts: Posts = state.parts.get(POSTED.name, {})
    return _configuration(posts[table]) if table in posts else None


class Posted:
    """The posted configurations in the books of a room."""

    def __init__(self, books: Books, book: str = "room") -> None:
        self.books, self.book = books, book

    def post(self, table: str, text: str, *, command: str, actor: str) -> Answer:
        """Post a configuration at a table; one with problems is refused with all of them."""
        found = read_configuration(text)

        def decide(_: BookState) -> list[Draft]:
            problems = list(map(str, found.problems)) + ([] if table.strip() else ["a table has a name"])
            if problems or found.configuration is None:
                raise RefusedError(problems or ["no configuration"])
            return [Draft(TablePosted(table=table, configuration=found.configuration.canonical))]

        content = ["table-posted", table, text]
        return self.books.submit(Command(book=self.book, id=command, actor=actor, content=content, decide=decide))
