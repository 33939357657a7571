"""The log of a table: its decks, inspected, washed, put into play and taken out, by whom; and its shuffler."""

import datetime
from collections.abc import Iterator, Mapping
from types import MappingProxyType
from typing import Annotated, Any, Literal, NamedTuple, TypeAlias, get_args

from pitboss import books
from pitboss.commands import Bounds, By, Command, Description, Name, Now, Words, command, refuse, roles
from pitboss.commands.description import changes, day_words
from pitboss.jackpot.state import local_day
from pitboss.tabulator.state import table_of

DeckAct: TypeAlias = Literal["inspected", "washed", "in", "out"]
DECK_ACTS: tuple[DeckAct, ...] = get_args(DeckAct)
ACT_WORDS: dict[str, str] = {
    "inspected": "inspected",
    "washed": "washed",
    "in": "put into play",
    "out": "taken out of play",
}
_STEP_14 = "O-15; DW step 14"


@books.entry_kind("deck-logged")
class DeckLogged(books.EntryPayload):
    """What was done with a deck at a table, and by whom."""

    deck: str
    act: DeckAct
    by: str
    role: str
    maker: Annotated[str, books.OMIT_DEFAULT] = ""
    words: Annotated[str, books.OMIT_DEFAULT] = ""


@books.entry_kind("shuffler-set")
class ShufflerSet(books.EntryPayload):
    """The shuffler of a table from here on: model, maker, and the paper that approves it; none without a model."""

    model: str
    maker: str
    approval: str
    day: str
    words: str
    by: str
    approved_by: str


class DeckRecord(NamedTuple):
    """A deck: where it is in play and since when, and who last inspected and washed it before that."""

    deck: str
    maker: str = ""
    table: str = ""
    since: books.Instant = 0
    inspected_by: str = ""
    washed_by: str = ""


class ShufflerRecord(NamedTuple):
    """A shuffler, and since when it stands there."""

    model: str
    maker: str
    approval: str
    day: str
    since: books.Instant
    by: str
    approved_by: str


_NOTHING: Mapping[str, Any] = MappingProxyType({})


@books.json_object
class RoomLog(NamedTuple):
    """All decks by name, and the shufflers by table."""

    decks: Mapping[str, DeckRecord] = _NOTHING
    shufflers: Mapping[str, ShufflerRecord] = _NOTHING

    def in_play(self, table: str) -> tuple[DeckRecord, ...]:
        """Return the decks in play at a table."""
        return tuple(deck for deck in self.decks.values() if deck.table == table)


def _fold(log: RoomLog, entry: books.Entry, value: books.Payload) -> RoomLog:
    if isinstance(value, ShufflerSet):
        left = {table: record for table, record in log.shufflers.items() if table != entry.table}
        if value.model:
            left[entry.table] = ShufflerRecord(
                value.model, value.maker, value.approval, value.day, entry.happened, value.by, value.approved_by
            )
        return log._replace(shufflers=left)
    assert isinstance(value, DeckLogged)
    deck = log.decks.get(value.deck, DeckRecord(value.deck))
    deck = deck._replace(maker=value.maker or deck.maker)
    if value.act == "inspected":
        deck = deck._replace(inspected_by=value.by)
    elif value.act == "washed":
        deck = deck._replace(washed_by=value.by)
    elif value.act == "in":
        deck = deck._replace(table=entry.table, since=entry.happened)
    else:
        deck = DeckRecord(deck.deck, deck.maker)
    return log._replace(decks={**log.decks, value.deck: deck})


TABLE_LOG: books.Projection[RoomLog] = books.Projection(
    name="table-log", shape=RoomLog, empty=RoomLog(), fold=_fold, kinds=books.kinds_of(DeckLogged, ShufflerSet)
)


def log_of(state: books.BookState) -> RoomLog:
    """Return the log of a state; of books without that part, an empty one."""
    log: RoomLog = state.parts.get(TABLE_LOG.name, RoomLog())
    return log


@command("tables/log-deck", roles=roles.TABLE, pin=True)
class LogDeck(Command):
    """Log what is done with a deck at a table: inspected, washed, put into play, or taken out."""

    table: Name
    deck: Name
    act: DeckAct
    maker: Annotated[str, Bounds(most=120)] = ""
    words: Words = ""

    def entries(self, now: Now, by: By) -> list[books.Payload]:
        """Return what was done, with who did it."""
        refuse(self._problems(now.state))
        return [DeckLogged(deck=self.deck, act=self.act, by=by.name, role=by.role, maker=self.maker, words=self.words)]

    def _problems(self, state: books.BookState) -> Iterator[str]:
        record, deck = table_of(state, self.table), log_of(state).decks.get(self.deck, DeckRecord(self.deck))
        if not self.deck.strip() or not self.deck.isprintable():
            yield f"{self.deck!r} is no name of a deck (O-14, G-64)"
        if self.act in ("in", "out") and record.phase != "open":
            yield f"round {record.on_table} of table {self.table} is in play: a deck is changed between rounds (E-02)"
        if deck.table and (self.act == "in" or deck.table != self.table):
            yield f"deck {self.deck} is in play at table {deck.table} (O-14, G-64)"
        elif self.act == "out" and not deck.table:
            yield f"deck {self.deck} is not in play at table {self.table} (O-14, G-64)"
        elif self.act == "in":
            lacking = [word for word, who in (("inspected", deck.inspected_by), ("washed", deck.washed_by)) if not who]
            if lacking:
                yield f"deck {self.deck} is put into play after it was {' and '.join(lacking)} ({_STEP_14}; G-64)"


@command("tables/set-shuffler", roles=roles.MANAGERS, approvers=roles.CONFIGURERS)
class SetShuffler(Command):
    """Record the shuffler of a table: model, maker, and number and day of its approval; none without a model."""

    table: Name
    model: Annotated[str, Bounds(most=120)]
    maker: Annotated[str, Bounds(most=120)] = ""
    approval: Annotated[str, Bounds(most=120)] = ""
    day: datetime.date | None = None
    words: Words

    def describe(self, state: books.BookState) -> Description:
        """Return the shuffler that was on record, and the one that is."""
        before = log_of(state).shufflers.get(self.table)
        day = "" if self.day is None else day_words(self.day)
        texts = {"Shuffler": self.model, "Maker": self.maker, "Approval": self.approval, "Approved on": day}
        was = None
        if before is not None:
            approved = day_words(datetime.date.fromisoformat(before.day)) if before.day else ""
            labels = zip(texts, (before.model, before.maker, before.approval, approved), strict=True)
            was = dict(labels)
        title = f"Shuffler of table {self.table}: {self.model}" if self.model else f"No shuffler at table {self.table}"
        return Description(title, changes(was, texts), self.words)

    def entries(self, now: Now, by: By) -> list[books.Payload]:
        """Return the shuffler as it is from now on."""
        refuse(self._problems(now))
        return [
            ShufflerSet(
                model=self.model,
                maker=self.maker,
                approval=self.approval,
                day="" if self.day is None else self.day.isoformat(),
                words=self.words,
                by=by.name,
                approved_by=by.approved_by,
            )
        ]

    def _problems(self, now: Now) -> Iterator[str]:
        record = table_of(now.state, self.table)
        if not self.words.strip():
            yield "state the reason in words (M-02)"
        if record.phase != "open":
            yield f"round {record.on_table} of table {self.table} is in play: a shuffler changes between rounds (E-02)"
        if not self.model:
            if self.table not in log_of(now.state).shufflers:
                yield f"table {self.table} has no shuffler on record (O-15, G-64)"
            return
        if not self.maker.strip():
            yield "maker: a shuffler is made by a licensed manufacturer; say who it is (O-15, G-64)"
        if not any(character.isdigit() for character in self.approval) or self.day is None:
            yield f"approval: {self.approval!r} is none: an approval has a number and a date (G-50)"
        elif self.day > local_day(now.state, now.at):
            yield f"day: {self.day} has not come yet: an approval is recorded when it is there (G-50)"


def _two_people(step: books.EntryStep) -> Iterator[str]:
    value = step.value
    assert isinstance(value, ShufflerSet)
    yield from books.second_person_problems("the record of a shuffler", value.approved_by, value.by)


def _inspected(step: books.EntryStep) -> Iterator[str]:
    value = step.value
    assert isinstance(value, DeckLogged)
    deck = log_of(step.before).decks.get(value.deck, DeckRecord(value.deck))
    if value.act == "in" and (deck.table or not (deck.inspected_by and deck.washed_by)):
        yield f"deck {value.deck} is put into play while it is elsewhere, or neither inspected nor washed (G-64)"


INVARIANTS = (
    books.Invariant(
        name="shuffler-approval",
        says="nobody records a shuffler alone",
        sources=("T-06", "T-18"),
        step=_two_people,
        kinds=books.kinds_of(ShufflerSet),
    ),
    books.Invariant(
        name="deck-inspected",
        says="a deck is put into play once, after it was inspected and washed",
        sources=("O-14", "O-15"),
        step=_inspected,
        kinds=books.kinds_of(DeckLogged),
    ),
)
