"""The papers that hang at tables: which version hangs where, since when and by whom, and which are out of date (W-12).

The version of a paper is the digest of what it says for the table as it runs. It is worked out by `papers`, which
stands after this package: Pitboss records each new version as an entry, so that what hangs is compared with the books
alone. A required paper that is missing or out of date at an open table is an alarm at once; where it is not put right
by the end of the gambling day, the report `papers` has it as an exception.
"""

from collections.abc import Iterator, Mapping
from typing import Annotated, NamedTuple

from pitboss import books
from pitboss.commands import LISTED_MAX, Bounds, By, Command, Name, Now, Words, command, refuse
from pitboss.commands.roles import FLOOR, SYSTEM
from pitboss.law.papers import POSTED
from pitboss.room.configurations import configuration_at
from pitboss.room.dealing.entries import DEALING, TableDealing
from pitboss.room.opening import approval_problems
from pitboss.tabulator.entries import TableClosed, TableOpened

_PAPERS_MAX = 20
Version = Annotated[str, Bounds(64, 64, r"[0-9a-f]{64}", "The digest of what the paper says.")]


@books.entry_kind("paper-changed")
class PaperChanged(books.EntryPayload):
    """A paper of a table says something else from now on; the table is the entry's."""

    paper: str
    version: str


@books.entry_kind("paper-posted")
class PaperPosted(books.EntryPayload):
    """A paper hangs at its table from now on: the version, and the configuration it was printed from."""

    paper: str
    version: str
    configuration: str


@books.entry_kind("paper-removed")
class PaperRemoved(books.EntryPayload):
    """A paper hangs at its table no more."""

    paper: str
    words: str


class TablePaper(NamedTuple):
    """A paper of a table: what it says now and since when; which version hangs, since when, and who has said so.

    `wrong` is since when an open table has lacked it as it is now, and `wrong_entry` the entry from which on.
    """

    version: str = ""
    changed: books.Instant = 0
    posted: str = ""
    since: books.Instant = 0
    by: str = ""
    configuration: str = ""
    wrong: books.Instant = 0
    wrong_entry: int = 0

    @property
    def is_current(self) -> bool:
        """True if what hangs is what the paper says now."""
        return bool(self.posted) and self.posted == self.version

    @property
    def trouble(self) -> str:
        """What is wrong with it, in two or three words; empty where nothing is."""
        return "" if self.is_current else "out of date" if self.posted else "not posted"


@books.json_object
class PostedPapers(NamedTuple):
    """The papers by table and name, and the tables that are open."""

    tables: Mapping[str, Mapping[str, TablePaper]]
    open: tuple[str, ...]

    def at(self, table: str) -> Mapping[str, TablePaper]:
        """Return the papers of a table by name."""
        return self.tables.get(table, {})

    def troubles(self) -> Iterator[tuple[str, str, TablePaper]]:
        """Yield every paper that is missing or out of date at an open table, with the table and its name."""
        for table in self.open:
            yield from ((table, name, paper) for name, paper in self.at(table).items() if not paper.is_current)


NOTHING_POSTED = PostedPapers({}, ())


def _with(papers: PostedPapers, entry: books.Entry, name: str, paper: TablePaper) -> PostedPapers:
    """Return the papers with one that was changed, posted or removed by an entry."""
    if paper.is_current:
        paper = paper._replace(wrong=0, wrong_entry=0)
    elif entry.table in papers.open and not paper.wrong:
        paper = paper._replace(wrong=entry.happened, wrong_entry=entry.sequence)
    return papers._replace(tables={**papers.tables, entry.table: {**papers.at(entry.table), name: paper}})


def fold_papers(papers: PostedPapers, entry: books.Entry, value: books.Payload) -> PostedPapers:
    """Return the papers after an entry."""
    match value:
        case TableClosed():
            return papers._replace(open=tuple(table for table in papers.open if table != entry.table))
        case TableOpened():
            papers = papers._replace(open=tuple(dict.fromkeys((*papers.open, entry.table))))
            for name, paper in papers.at(entry.table).items():
                papers = _with(papers, entry, name, paper)
            return papers
        case PaperChanged() | PaperPosted() | PaperRemoved():
            before = papers.at(entry.table).get(value.paper, TablePaper())
            return _with(papers, entry, value.paper, _turned(before, entry, value))
    return papers


def _turned(paper: TablePaper, entry: books.Entry, value: PaperChanged | PaperPosted | PaperRemoved) -> TablePaper:
    if isinstance(value, PaperChanged):
        return paper._replace(version=value.version, changed=entry.happened)
    hangs = ("", "") if isinstance(value, PaperRemoved) else (value.version, value.configuration)
    return paper._replace(posted=hangs[0], since=entry.happened, by=entry.actor, configuration=hangs[1])


POSTED_PAPERS: books.Projection[PostedPapers] = books.Projection(
    name="posted-papers",
    shape=PostedPapers,
    empty=NOTHING_POSTED,
    fold=fold_papers,
    kinds=books.kinds_of(PaperChanged, PaperPosted, PaperRemoved, TableOpened, TableClosed),
)


def paper_alarm(table: str, name: str) -> str:
    """Return the key of the alarm about a paper of a table."""
    return f"paper {name} of table {table}"


def paper_title(name: str) -> str:
    """Return the title of a paper by its name."""
    return name.replace("-", " ").capitalize()


def required_papers(state: books.BookState, table: str) -> Mapping[str, str]:
    """Return the papers that must hang at a table, each with the rule that says so.

    A table without a configuration has none, and one that Pitboss deals has no felt where anything would hang.
    """
    configuration = configuration_at(state, table)
    if configuration is None or state.of(DEALING).get(table, TableDealing()).cards == "dealt":
        return {}
    return POSTED[configuration.profile]


def posting_problems(step: books.EntryStep) -> Iterator[str]:
    """Yield that a paper is posted in another version than the table's, or removed where none hangs."""
    if POSTED_PAPERS.name not in step.before.parts:
        return
    paper = step.before.of(POSTED_PAPERS).at(step.entry.table).get(step.value.paper, TablePaper())
    if isinstance(step.value, PaperPosted) and step.value.version != paper.version:
        yield f"{paper_title(step.value.paper)} of table {step.entry.table} says something else now (W-12)"
    if isinstance(step.value, PaperRemoved) and not paper.posted:
        yield f"no {step.value.paper} hangs at table {step.entry.table} (W-12)"


INVARIANTS: tuple[books.Invariant, ...] = (
    books.Invariant(
        name="paper-posted",
        says="a paper is posted as its table has it now, and none is removed that does not hang",
        sources=("W-12",),
        step=posting_problems,
        kinds=books.kinds_of(PaperPosted, PaperRemoved),
    ),
)


class PaperVersion(NamedTuple):
    """What a paper of a table says, as a digest."""

    table: Name
    paper: Name
    version: Version


@command("papers/review", roles=SYSTEM, is_exposed=False)
class ReviewPapers(Command):
    """Record which papers of tables say something else than before."""

    papers: Annotated[tuple[PaperVersion, ...], Bounds(1, LISTED_MAX)]

    def entries(self, now: Now, by: By) -> list[books.Draft]:
        """Return each paper that has changed."""
        known = now.state.of(POSTED_PAPERS)
        return [
            books.Draft(PaperChanged(paper=name, version=version), table=table)
            for table, name, version in self.papers
            if known.at(table).get(name, TablePaper()).version != version
        ]


@command("papers/post", roles=FLOOR)
class PostPapers(Command):
    """Record that papers are posted at a table: by name the version that was printed."""

    table: Name
    papers: Annotated[Mapping[Name, Version], Bounds(most=_PAPERS_MAX)]

    def entries(self, now: Now, by: By) -> list[books.Draft]:
        """Return each paper that hangs now; one that was printed before a change is refused, and so is a draft."""
        configuration, known = configuration_at(now.state, self.table), now.state.of(POSTED_PAPERS).at(self.table)
        if configuration is None:
            raise books.RefusedError([f"table {self.table} has no active setup, so it has no papers (W-12)"])
        if not self.papers:
            raise books.RefusedError([f"no paper of table {self.table} is to be marked as posted (W-12)"])
        problems = [f"Papers are drafts: {text}" for text in approval_problems(now.state, self.table, now.at)]
        for name, version in self.papers.items():
            paper, title = known.get(name), paper_title(name)
            if paper is None:
                problems.append(
                    f"papers: {name!r} does not hang at tables; there are: {', '.join(known) or 'none yet'}"
                )
            elif paper.version != version:
                problems.append(f"{title}: the table has changed since this was printed. Print it again (W-12)")
            elif paper.is_current:
                problems.append(f"{title} of table {self.table} is marked as posted already")
        refuse(problems)
        return [
            books.Draft(
                PaperPosted(paper=name, version=version, configuration=configuration.content_hash), table=self.table
            )
            for name, version in self.papers.items()
        ]


@command("papers/remove", roles=FLOOR)
class RemovePaper(Command):
    """Record that a paper was taken down at a table, and why."""

    table: Name
    paper: Name
    words: Words

    def entries(self, now: Now, by: By) -> list[books.Draft]:
        """Return that it is gone; what does not hang cannot be removed."""
        paper = now.state.of(POSTED_PAPERS).at(self.table).get(self.paper, TablePaper())
        problems = [] if paper.posted else [f"no {self.paper} hangs at table {self.table}"]
        problems += [] if self.words.strip() else ["words: Enter a reason."]
        refuse(problems)
        return [books.Draft(PaperRemoved(paper=self.paper, words=self.words), table=self.table)]
