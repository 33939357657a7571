"""The approvals of a room as pages show them: the papers of a table, and the register of makers and distributors."""

from typing import NamedTuple

from pitboss.books import BookState
from pitboss.games import find_game
from pitboss.law.papers import NEEDED, PAPER_TITLES, PARTS
from pitboss.room.approval_records import maker_notices, papers_at, room_approvals
from pitboss.room.configurations import configuration_at
from pitboss.server.views.formatting import medium_day
from pitboss.server.views.paytables import titled
from pitboss.tabulator import TABLES


class PaperView(NamedTuple):
    """A paper that a table needs: its kind and title, and its number and day where it is on record."""

    kind: str
    title: str
    number: str
    day: str


class TableApprovals(NamedTuple):
    """The papers of a table for the game that is dealt there."""

    game: str
    title: str
    papers: tuple[PaperView, ...]
    others: tuple[str, ...]
    is_example: bool
    numbers: tuple[str, ...] = ()
    """The papers that could be withdrawn."""

    @property
    def is_whole(self) -> bool:
        """True if every paper is on record."""
        return all(paper.number for paper in self.papers)


def table_approvals(state: BookState, table: str) -> TableApprovals | None:
    """Return the view of the papers of a table; of one whose game is not known yet there are none."""
    record, configuration = state.of(TABLES).tables.get(table), configuration_at(state, table)
    if record is None and configuration is None:
        return None
    game, profile = (
        (record.setup.game, record.setup.profile) if record is not None else (configuration.game, configuration.profile)  # type: ignore[union-attr]
    )
    there = papers_at(state, table, game)
    records = [record for record in room_approvals(state).records if record.table == table]
    papers = tuple(
        PaperView(kind, titled(PAPER_TITLES[kind]), there[kind].number, medium_day(there[kind].day))
        if kind in there
        else PaperView(kind, titled(PAPER_TITLES[kind]), "", "")
        for kind in NEEDED.get(profile, ())
    )
    own = tuple(
        f"pay table {record.paytable}: {PAPER_TITLES[paper.kind]} {paper.number} of {medium_day(paper.day)}"
        for record in records
        if record.paytable
        for paper in record.papers
    )
    room = room_approvals(state)
    own += tuple(
        f"{PAPER_TITLES[paper.kind]} {paper.number} of {medium_day(paper.day)}"
        f": withdrawn from {medium_day(withdrawn.since)} on"
        for record in records
        for paper in record.papers
        if (withdrawn := room.withdrawal(record, paper)) is not None
    )
    examples = any(record.is_example for record in records if record.game == game)
    standing = dict.fromkeys(
        paper.number for record in records for paper in record.papers if room.withdrawal(record, paper) is None
    )
    return TableApprovals(game, find_game(game).title, papers, own, examples, tuple(standing))


class MakerView(NamedTuple):
    """A line of the register; `licence` is empty where a part must be confirmed."""

    part: str
    maker: str
    licence: str


def makers_view(state: BookState) -> tuple[MakerView, ...]:
    """Return the view of the register: every part with its makers, or that it must be confirmed."""
    makers = room_approvals(state).makers
    lines = [
        MakerView(maker.part, f"{maker.maker} (example)" if maker.is_example else maker.maker, maker.licence)
        for part in PARTS
        for maker in makers
        if maker.part == part
    ]
    missing = [notice.partition(": ")[0] for notice in maker_notices(state)]
    return (*lines, *(MakerView(part, "", "") for part in missing))
