"""Configurations beside each other: what one states, what another changes, and the house edge of every wager."""

from collections.abc import Callable, Mapping
from typing import NamedTuple

from pitboss.games import find_game
from pitboss.rules import Problem
from pitboss.server.views.office.odds import Offered, WagerOdds, wager_line
from pitboss.server.views.paytables import titled
from pitboss.server.worker.jobs import Job, WagerOddsJob
from pitboss.server.worker.pool import Figure
from pitboss.table import Comparison, Configuration, ConfigurationChange, compare
from pitboss.table.comparison import letters_of, title_of

Ask = Callable[[Job], Figure]
_SHORT = 12


def short_hash(content_hash: str) -> str:
    """Return the first figures of a hash, by which people name a configuration."""
    return content_hash[:_SHORT]


class ProblemLine(NamedTuple):
    """Something that is wrong: its line in the text, what it is about, where, in words, and by which clause."""

    line: int | None
    title: str
    path: str
    words: str
    because: str


def problem_lines(problems: tuple[Problem, ...], game: str | None) -> tuple[ProblemLine, ...]:
    """Lay out what is wrong with a configuration."""

    def line(problem: Problem) -> ProblemLine:
        title = titled(title_of(problem.path, find_game(game))) if game else problem.path
        because = "; ".join(part for part in (problem.clause, problem.ruling) if part)
        return ProblemLine(problem.line, title, problem.path, problem.words, because)

    return tuple(map(line, problems))


class EdgeLine(NamedTuple):
    """The house edge of a wager, before and after; each a figure, that it is computed, or why there is none."""

    title: str
    was: str
    becomes: str
    paytables: str
    now: str = ""
    waits: str = ""
    failed: str = ""

    @property
    def changed(self) -> bool:
        """True if both are known and differ."""
        return bool(self.was and self.becomes and self.was != self.becomes)


def _offers(configuration: Configuration | None) -> dict[str, Offered | str]:
    """Return by wager the job for the worker, or why there can be none."""
    if configuration is None:
        return {}
    offers: dict[str, Offered | str] = {}
    for name in configuration.offered:
        entries = configuration.terms_spec.paytables[name]
        paytables = ", ".join(str(entry.get("id")) if isinstance(entry, Mapping) else str(entry) for entry in entries)
        job = WagerOddsJob.of(configuration, name)
        if job is None:
            offers[name] = "its pay table is not right yet"
            continue
        cents = configuration.jackpots[name].meter_cents if name in configuration.jackpots else None
        offers[name] = Offered(configuration.game, name, paytables, job, cents)
    return offers


def _line(offered: Offered | str | None, ask: Ask) -> WagerOdds | None:
    return wager_line(offered, ask(offered.job)) if isinstance(offered, Offered) else None


def edge_lines(before: Configuration | None, after: Configuration, ask: Ask) -> tuple[EdgeLine, ...]:
    """Return the house edge of every wager of a configuration, beside what it was under the one before."""
    was, becomes = _offers(before), _offers(after)
    is_same_game = before is not None and before.game == after.game
    lines = []
    for name, offered in becomes.items():
        old, new = _line(was.get(name), ask) if is_same_game else None, _line(offered, ask)
        title = titled(find_game(after.game).by_name[name].title)
        lines.append(
            EdgeLine(
                title,
                "" if old is None else old.edge,
                "" if new is None else new.edge,
                "" if new is None else new.paytables,
                "" if new is None else new.edge_now,
                next((odds.waits for odds in (old, new) if odds is not None and odds.waits), ""),
                offered if isinstance(offered, str) else "" if new is None else new.failed,
            )
        )
    return tuple(lines)


class ComparedView(NamedTuple):
    """Two configurations by their hashes, and everything that differs; what it rests on where there is only one."""

    before: str
    after: str
    settings: tuple[ConfigurationChange, ...]
    pays: tuple[ConfigurationChange, ...]
    approvals: tuple[ConfigurationChange, ...]
    edges: tuple[EdgeLine, ...]
    letters: tuple[tuple[str, str], ...]

    @property
    def is_same(self) -> bool:
        """True if nothing differs."""
        return bool(self.before) and not (self.settings or self.pays or self.approvals)

    @property
    def waits(self) -> str:
        """A figure that is being computed, if any is."""
        return next((line.waits for line in self.edges if line.waits), "")


def compared_view(before: Configuration | None, after: Configuration, ask: Ask) -> ComparedView:
    """Lay out what one configuration changes of another; of none, everything that it states."""
    comparison: Comparison = compare(before, after)
    return ComparedView(
        "" if before is None else before.content_hash,
        after.content_hash,
        comparison.settings,
        comparison.pays,
        comparison.approvals,
        edge_lines(before, after, ask),
        tuple(letters_of(after).items()),
    )
