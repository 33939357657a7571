"""Papers of a table: each with its sizes, and of those that hang there whether what hangs is what the table is now."""

from collections.abc import Mapping, Sequence
from typing import NamedTuple
from urllib.parse import quote

from pitboss.books import BookState
from pitboss.room.posted_papers import (
    POSTED_PAPERS,
    PostPapers,
    RemovePaper,
    TablePaper,
    paper_title,
    required_papers,
)
from pitboss.room.room import room_zone
from pitboss.server.views.formatting import day_text
from pitboss.server.views.viewer import HIDDEN, NOBODY, SOME_TEXT, Button, Viewer

PAPERS = "/office/papers"
POST = f"{PAPERS}/post"
"""The address of the form that marks papers as posted."""


class PaperStatus(NamedTuple):
    """A paper that must hang at a table: whether it does, in words; its version, and the viewer's buttons."""

    name: str
    title: str
    text: str
    state: str
    version: str
    rule: str
    post: Button = HIDDEN
    remove: Button = HIDDEN

    @property
    def is_current(self) -> bool:
        """True if nothing is to be done about it."""
        return self.state == "good"


class PaperCard(NamedTuple):
    """A paper: its title, whom it is for, its picture, its files by size, and its status where it hangs at tables."""

    title: str
    audience: str
    picture: str
    files: tuple[tuple[str, str], ...]
    status: PaperStatus | None


def papers_address(table: str) -> str:
    """Return the address of a table's papers."""
    return f"{PAPERS}?table={quote(table)}"


def _text(state: BookState, paper: TablePaper, version: str) -> tuple[str, str]:
    """Return how a paper hangs, and in words."""
    zone = room_zone(state)
    if not paper.posted:
        return "bad", "Not posted"
    if paper.posted == version:
        return "good", f"Posted since {day_text(paper.since, zone)}, by {paper.by}"
    if paper.version == version:
        return "bad", f"Out of date since {day_text(paper.changed, zone)}"
    return "bad", "Out of date"


def paper_statuses(
    state: BookState, table: str, viewer: Viewer = NOBODY, versions: Mapping[str, str] | None = None
) -> tuple[PaperStatus, ...]:
    """Return every paper that must hang at a table; by the versions the books have where none are worked out."""
    statuses, known = [], state.of(POSTED_PAPERS).at(table)
    for name, source in required_papers(state, table).items():
        paper = known.get(name, TablePaper())
        version = paper.version if versions is None else versions.get(name, "")
        short, text = _text(state, paper, version)
        post, is_recorded = Button(is_shown=viewer.may(PostPapers) and bool(version)), paper.version == version
        if post.is_shown and is_recorded and short != "good":
            post = viewer.button(PostPapers(table=table, papers={name: version}))
        remove = RemovePaper(table=table, paper=name, words=SOME_TEXT)
        statuses.append(
            PaperStatus(
                name=name,
                title=paper_title(name),
                text=text,
                state=short,
                version=version,
                rule=source.removeprefix("REGULATION "),
                post=HIDDEN if short == "good" else post,
                remove=viewer.button(remove) if paper.posted else HIDDEN,
            )
        )
    return tuple(statuses)


def papers_text(statuses: Sequence[PaperStatus]) -> tuple[str, str]:
    """Return how the papers of a table hang at a glance: good or warn, none where it has no papers."""
    wrong = sum(not status.is_current for status in statuses)
    if not statuses:
        return "none", "No papers"
    return ("warn", f"{wrong} paper{'' if wrong == 1 else 's'} to post") if wrong else ("good", "Papers OK")
