"""What the papers of a table are made from: the configuration that runs it, its jackpots, and the room it stands in."""

from __future__ import annotations

import datetime
from collections.abc import Mapping
from dataclasses import dataclass, field
from fractions import Fraction
from operator import is_
from typing import TYPE_CHECKING, NamedTuple

from pitboss import law
from pitboss.books import ROOM, BookState, RoomSettings
from pitboss.books.calendar import POSTED_WORDS
from pitboss.games import find_game
from pitboss.jackpot import BONUS_SENTENCES, JACKPOTS, REMOVALS, Jackpot
from pitboss.jackpot.definitions import JackpotDraft
from pitboss.jackpot.descriptions import definition_texts
from pitboss.law.papers import PARTS, POSTED, SOURCES
from pitboss.room.agreement import disagreements
from pitboss.room.approval_records import Maker, record_problems, room_approvals
from pitboss.room.configurations import configuration_at, own_table_problems
from pitboss.rules import Game, Problem
from pitboss.table import Configuration
from pitboss.table.checks import check_configuration
from pitboss.tabulator import TABLES

if TYPE_CHECKING:
    from pitboss.odds.par import Sheet


@dataclass(frozen=True, slots=True, kw_only=True)
class RoomWords:
    """What a room itself decides to post (REGULATION W-12); what it has not said stands on no paper."""

    disputes: str = ""
    employees: str = ""
    responsible: str = ""

    @classmethod
    def of(cls, settings: RoomSettings) -> RoomWords:
        """Return the words among the settings of a room."""
        return cls(**{name: getattr(settings, name) for name in POSTED_WORDS})

    @property
    def missing(self) -> tuple[str, ...]:
        """What the room has not said, in words."""
        return tuple(text for name, text in _MISSING_WORDS.items() if not getattr(self, name))

    @property
    def missing_by_rule(self) -> tuple[str, ...]:
        """What a rule wants posted and the room has not said: it must be confirmed before the room opens (G-80)."""
        return tuple(text for text in self.missing if "REGULATION" in text)


_POSTED_BY = POSTED["wa-commercial"]["placards"]
_MISSING_WORDS = {
    "disputes": f"how a dispute is decided, and by whom ({_POSTED_BY})",
    "employees": f"the policy on play by employees ({_POSTED_BY})",
    "responsible": "a line about responsible gambling",
}


@dataclass(frozen=True, slots=True, kw_only=True)
class PaperSource:
    """A table on paper: nothing that a paper says comes from elsewhere.

    `notices` are the sentences that are posted beside each jackpot, by wager. `problems` is why the table may not open;
    a paper of such a table is a draft.
    """

    configuration: Configuration
    room: str
    table: str
    notices: dict[str, tuple[str, ...]]
    problems: tuple[Problem, ...] = ()
    words: RoomWords = RoomWords()
    edges: Mapping[str, Fraction] = field(default_factory=dict)
    """The house edge by wager, where the room chooses to print it for players."""
    makers: Mapping[str, tuple[str, str]] = field(default_factory=dict)
    """By part of the equipment its maker and the maker's license, as far as the room has them on record."""
    down_method: str = ""
    """What the table does when its equipment is down (E-09), where it is set up in a room."""
    small_prizes: Mapping[str, int] = field(default_factory=dict)
    """By jackpot wager the most cents that a dealer pays from the tray."""
    configured: Mapping[str, Mapping[str, str]] = field(default_factory=dict)
    """By jackpot wager its terms by the labels of the form that defined it, where a room has defined it."""
    sheet: Sheet | None = None
    """The PAR sheet of the configuration, where it was counted."""

    @property
    def game(self) -> Game:
        """The game of the table."""
        return find_game(self.configuration.game)

    @property
    def place(self) -> str:
        """Where the paper belongs: the room and the table, as far as they are known."""
        return ", ".join(filter(None, (self.room, f"Table {self.table}" if self.table else "")))

    @property
    def posting_rule(self) -> str:
        """The rule by which limits, restrictions and the room's words hang at a table in this kind of room."""
        return POSTED[self.configuration.profile]["placards"]

    @property
    def missing(self) -> tuple[str, ...]:
        """What these papers lack, although nothing of it keeps the table from opening: nothing stands in its place."""
        parts = PARTS if self.configuration.jackpots else PARTS[:2]
        unknown = [part for part in parts if part not in self.makers]
        rule = SOURCES[self.configuration.profile]
        configuration = self.configuration
        is_modelled = configuration.equipment is not None or not configuration.jackpots
        undefined = [name for name in configuration.jackpots if name not in self.notices]
        titles = [self.game.by_name[name].title for name in undefined]
        return (
            *(text.replace(_POSTED_BY, self.posting_rule) for text in self.words.missing),
            *(f"the contribution, seed, cap and reserve of the {title} (REGULATION J-10; T-20)" for title in titles),
            *([] if is_modelled else [f"the model of the equipment ({rule})"]),
            *(f"the maker of the {part} with its license ({rule})" for part in unknown),
        )

    @property
    def rules(self) -> law.RuleSet:
        """The limits in force on the day of the configuration in its kind of room."""
        return law.on(self.configuration.on, self.configuration.profile)


def source_of_file(configuration: Configuration, room: str = "", table: str = "") -> PaperSource:
    """Return what papers are made from where there is a configuration and no room.

    The notices of a progressive follow from terms that only a room has: its jackpots have none here, and lack them.
    """
    is_bonus = configuration.jackpot_type == "bonus"
    problems, _ = check_configuration(configuration)
    return PaperSource(
        configuration=configuration,
        room=room,
        table=table,
        notices=dict.fromkeys(configuration.jackpots, (BONUS_SENTENCES,)) if is_bonus else {},
        problems=tuple(problems),
    )


class TableParts(NamedTuple):
    """All of a state that the papers of a table are made from: while every part is the very same, so are the papers."""

    configuration: Configuration
    settings: RoomSettings | None
    makers: tuple[Maker, ...]
    down_method: str
    jackpots: tuple[Jackpot, ...]
    removals: tuple[str, ...]
    """By jackpot the notice of its removal, if there is one."""

    def is_same(self, other: TableParts) -> bool:
        """True if nothing was written since that a paper says; what is equal and written anew is looked at again."""
        mine, others = ((*parts[:4], *parts.jackpots) for parts in (self, other))
        return len(mine) == len(others) and all(map(is_, mine, others)) and self.removals == other.removals


def parts_of_table(state: BookState, table: str, day: datetime.date) -> TableParts:
    """Return what a state has of a table that is on its papers; it is asked every few seconds for every table."""
    configuration = configuration_at(state, table)
    if configuration is None:
        raise LookupError(f"table {table} has no configuration")
    calendar, record_of = state.of(ROOM), state.of(TABLES).tables.get(table)
    jackpots = tuple(record.jackpot for record in state.of(JACKPOTS).at(table))
    notices = state.parts.get(REMOVALS.name, {})
    removals = (notices.get(jackpot.name) for jackpot in jackpots)
    return TableParts(
        configuration=configuration,
        settings=None if calendar is None else calendar.settings_on(day),
        makers=room_approvals(state).makers,
        down_method="" if record_of is None else record_of.setup.down_method,
        jackpots=jackpots,
        removals=tuple("" if notice is None else notice.sentence(state) for notice in removals),
    )


def source_of_table(
    state: BookState, room: str, table: str, day: datetime.date, *, is_checked: bool = True
) -> PaperSource:
    """Return what papers are made from for a table of a room, with everything that speaks against its opening.

    What is not checked has no problems; what its papers say is the same.
    """
    parts = parts_of_table(state, table, day)
    notices: dict[str, tuple[str, ...]] = {}
    small_prizes: dict[str, int] = {}
    configured: dict[str, Mapping[str, str]] = {}
    for jackpot, removal in zip(parts.jackpots, parts.removals, strict=True):
        sentences = (*jackpot.notices, *([removal] if removal else []))
        wager = jackpot.offer_at(table).wager
        notices[wager], small_prizes[wager] = sentences, jackpot.small_prize_cents
        configured[wager] = definition_texts(JackpotDraft.of(jackpot))
    return PaperSource(
        makers={maker.part: (maker.maker, maker.licence) for maker in parts.makers},
        configuration=parts.configuration,
        room=room,
        table=table,
        notices=notices,
        words=RoomWords() if parts.settings is None else RoomWords.of(parts.settings),
        down_method=parts.down_method,
        small_prizes=small_prizes,
        configured=configured,
        problems=_table_problems(state, table, parts.configuration, day) if is_checked else (),
    )


def _table_problems(
    state: BookState, table: str, configuration: Configuration, day: datetime.date
) -> tuple[Problem, ...]:
    texts = [
        *record_problems(state, table, configuration.game, configuration.profile, on=day),
        *own_table_problems(state, table, configuration, day),
    ]
    problems, _ = check_configuration(configuration)
    return (*problems, *(Problem("", text) for text in texts), *disagreements(state, table, configuration))
