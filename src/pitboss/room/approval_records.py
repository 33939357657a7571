"""The room's own approvals as dated records, by game and table, and its register of makers and distributors.

A letter approves a game for everybody; a room deals it only when its own internal controls are approved, in a tribal
casino after the agency's approval, the state's concurrence and the Compact's supplement (O-16, P-04).
"""

import datetime
from collections.abc import Iterable, Iterator
from typing import Annotated, NamedTuple

from pitboss import books, law
from pitboss.commands import Bounds, By, Command, Description, Name, Now, Words, command, refuse
from pitboss.commands.description import Change, changes, day_words, fact
from pitboss.commands.roles import CONFIGURERS, MANAGERS
from pitboss.games import UnknownGameError, find_game
from pitboss.jackpot.descriptions import game_title
from pitboss.jackpot.state import local_day
from pitboss.law.papers import NEEDED, PAPER_TITLES, PARTS, SOURCES, PaperKind, Part
from pitboss.table.configuration import PAYOUT_LIMITS


class ApprovalPaper(NamedTuple):
    """One paper: its kind, its number, and its day."""

    kind: PaperKind
    number: Name
    day: datetime.date


@books.entry_kind("approval-recorded")
class ApprovalRecorded(books.EntryPayload):
    """The papers by which a game may be dealt at a table, or a pay table of the room's own be used there."""

    table: str
    game: str
    papers: tuple[ApprovalPaper, ...]
    words: str
    approved_by: str
    paytable: Annotated[str, books.OMIT_DEFAULT] = ""
    is_example: Annotated[bool, books.OMIT_DEFAULT] = False

    def payload_problems(self) -> Iterable[str]:
        """Return what no record may be."""
        return [] if self.papers and self.table else ["an approval is of a table and has a paper (O-16, P-04)"]


@books.entry_kind("approval-withdrawn")
class ApprovalWithdrawn(books.EntryPayload):
    """A paper that was on record at a table counts no more from a day on, by whoever gave it."""

    table: str
    number: str
    since: datetime.date
    words: str
    approved_by: str


@books.entry_kind("maker-registered")
class MakerRegistered(books.EntryPayload):
    """Who makes or distributes a part of the equipment, and the license for it."""

    part: Part
    maker: str
    licence: str
    words: str
    approved_by: str
    is_example: Annotated[bool, books.OMIT_DEFAULT] = False


class ApprovalRecord(NamedTuple):
    """A record, and the entry that has it."""

    sequence: int
    table: str
    game: str
    paytable: str
    papers: tuple[ApprovalPaper, ...]
    is_example: bool


class Withdrawal(NamedTuple):
    """A paper of a table that counts no more from a day on; records after its entry are not concerned."""

    sequence: int
    table: str
    number: str
    since: datetime.date

    def concerns(self, record: ApprovalRecord, paper: ApprovalPaper) -> bool:
        """True if it withdraws this paper of this record."""
        return record.sequence < self.sequence and (record.table, paper.number) == (self.table, self.number)


class Maker(NamedTuple):
    """A maker or distributor of a part, and the entry that has it."""

    sequence: int
    part: Part
    maker: str
    licence: str
    is_example: bool


@books.json_object
class RoomApprovals(NamedTuple):
    """All records and the register, in the order in which they were written."""

    records: tuple[ApprovalRecord, ...] = ()
    makers: tuple[Maker, ...] = ()
    withdrawn: tuple[Withdrawal, ...] = ()

    def withdrawal(self, record: ApprovalRecord, paper: ApprovalPaper) -> Withdrawal | None:
        """Return by what a paper is withdrawn; of several the one from the earliest day on."""
        found = [withdrawn for withdrawn in self.withdrawn if withdrawn.concerns(record, paper)]
        return min(found, key=lambda withdrawn: withdrawn.since, default=None)


def _fold(room: RoomApprovals, entry: books.Entry, value: books.Payload) -> RoomApprovals:
    if isinstance(value, ApprovalRecorded):
        record = ApprovalRecord(entry.sequence, value.table, value.game, value.paytable, value.papers, value.is_example)
        return room._replace(records=(*room.records, record))
    if isinstance(value, ApprovalWithdrawn):
        withdrawn = Withdrawal(entry.sequence, value.table, value.number, value.since)
        return room._replace(withdrawn=(*room.withdrawn, withdrawn))
    assert isinstance(value, MakerRegistered)
    maker = Maker(entry.sequence, value.part, value.maker, value.licence, value.is_example)
    return room._replace(makers=(*room.makers, maker))


APPROVAL_RECORDS: books.Projection[RoomApprovals] = books.Projection(
    name="approval-records",
    empty=RoomApprovals(),
    shape=RoomApprovals,
    fold=_fold,
    kinds=books.kinds_of(ApprovalRecorded, ApprovalWithdrawn, MakerRegistered),
)


def room_approvals(state: books.BookState) -> RoomApprovals:
    """Return the records and the register of a room; of books without that part, none."""
    approvals: RoomApprovals = state.parts.get(APPROVAL_RECORDS.name, RoomApprovals())
    return approvals


def is_example(state: books.BookState, table: str) -> bool:
    """True if a table has example papers alone: a demo or a training table, at which nobody's money is counted."""
    records = [record for record in room_approvals(state).records if record.table == table]
    return bool(records) and all(record.is_example for record in records)


def _papers(
    state: books.BookState, table: str, game: str, paytable: str
) -> Iterator[tuple[ApprovalPaper, Withdrawal | None]]:
    room = room_approvals(state)
    for record in room.records:
        if (record.table, record.game, record.paytable) == (table, game, paytable):
            for paper in record.papers:
                yield paper, room.withdrawal(record, paper)


def papers_at(
    state: books.BookState, table: str, game: str, paytable: str = "", on: datetime.date | None = None
) -> dict[str, ApprovalPaper]:
    """Return by kind the newest paper for a game at a table, or for a pay table of the room's own there.

    One that is withdrawn is none from its day on; without a day it is none.
    """
    return {
        paper.kind: paper
        for paper, withdrawn in _papers(state, table, game, paytable)
        if withdrawn is None or (on is not None and on < withdrawn.since)
    }


def record_problems(
    state: books.BookState,
    table: str,
    game: str,
    profile: str,
    paytable: str = "",
    on: datetime.date | None = None,
) -> list[str]:
    """Return which papers are not on record on a day for a game at a table of this kind of room (O-16, P-04)."""
    there = papers_at(state, table, game, paytable, on)
    gone = {
        paper.kind: f" ({paper.number} is withdrawn from {withdrawn.since} on)"
        for paper, withdrawn in _papers(state, table, game, paytable)
        if withdrawn is not None
    }
    subject = paytable if paytable == PAYOUT_LIMITS else f"pay table {paytable}" if paytable else find_game(game).title
    return [
        f"approvals: no {PAPER_TITLES[kind]} is on record for {subject} at table {table}{gone.get(kind, '')}: "
        f"record its number and date first ({SOURCES[profile]}; G-59)"
        for kind in NEEDED.get(profile, ())
        if kind not in there
    ]


def maker_notices(state: books.BookState) -> list[str]:
    """Return the parts of which no maker or distributor is on the register: each must be confirmed."""
    there = {maker.part for maker in room_approvals(state).makers}
    return [
        f"{part}: no licensed maker or distributor is on the register: must be confirmed (REGULATION O-16, P-04; G-15)"
        for part in PARTS
        if part not in there
    ]


def _number_problems(path: str, number: str) -> Iterator[str]:
    if not any(character.isdigit() for character in number):
        yield f"{path}: {number!r} is no number of a paper: an approval has a number and a date (G-50)"


def _paper_title(kind: str) -> str:
    title = PAPER_TITLES[kind]
    return title[:1].upper() + title[1:]


def _paper_text(paper: ApprovalPaper) -> str:
    return f"{paper.number}, {day_words(paper.day)}"


@command("tables/record-approval", roles=MANAGERS, approvers=CONFIGURERS)
class RecordApproval(Command):
    """Record the papers by which a game may be dealt at a table, with the number and the day of each."""

    table: Name
    game: Name
    papers: Annotated[tuple[ApprovalPaper, ...], Bounds(1, 8)]
    words: Words = ""
    paytable: Annotated[
        str, Bounds(most=60, text="A pay table of the room's own, or payout limits, where the papers approve that.")
    ] = ""
    is_example: bool = False

    def describe(self, state: books.BookState) -> Description:
        """Return the papers with their numbers and days, and those that they replace."""
        before = papers_at(state, self.table, self.game, self.paytable)
        rows = [
            Change(_paper_title(paper.kind), _paper_text(before[paper.kind]) if paper.kind in before else "", text)
            for paper, text in ((paper, _paper_text(paper)) for paper in self.papers)
        ]
        rows += [fact("Example", "yes: it is no real paper")] if self.is_example else []
        subject = f"{self.paytable} of " if self.paytable else ""
        title = f"Record the approval of {subject}{game_title(self.game)} at table {self.table}"
        return Description(title, tuple(rows), self.words)

    def entries(self, now: Now, by: By) -> list[books.Payload]:
        """Return the record."""
        refuse(self._problems(local_day(now.state, now.at)))
        return [
            ApprovalRecorded(
                table=self.table,
                game=self.game,
                papers=self.papers,
                words=self.words,
                approved_by=by.approved_by,
                paytable=self.paytable,
                is_example=self.is_example,
            )
        ]

    def _problems(self, today: datetime.date) -> Iterator[str]:
        try:
            first = find_game(self.game).approval.since
        except UnknownGameError as error:
            yield f"game: {error} (REGULATION W-10)"
            return
        if not self.table.strip():
            yield "table: a table has a name (REGULATION T-09)"
        for paper in self.papers:
            yield from _number_problems(paper.kind, paper.number)
            if paper.day > today:
                yield f"{paper.kind}: {paper.day} has not come yet: an approval is recorded when it is there (G-50)"
            elif paper.day < first:
                yield f"{paper.kind}: {paper.day} is before the game's first letter, {first} (REGULATION W-10)"


@command("tables/withdraw-approval", roles=MANAGERS, approvers=CONFIGURERS)
class WithdrawApproval(Command):
    """Withdraw an approval on record for a table from a day on: the table does not open without it."""

    table: Name
    number: Annotated[str, Bounds(1, 120, text="The number of the paper, as it was recorded.")]
    since: datetime.date
    words: Words

    def describe(self, state: books.BookState) -> Description:
        """Return the paper that ends, and from which day on."""
        papers = [
            Change(_paper_title(paper.kind), _paper_text(paper), "withdrawn")
            for record in room_approvals(state).records
            for paper in record.papers
            if (record.table, paper.number) == (self.table, self.number)
        ]
        rows = (*papers, fact("From", day_words(self.since)))
        return Description(f"Withdraw approval {self.number} of table {self.table}", rows, self.words)

    def entries(self, now: Now, by: By) -> list[books.Payload]:
        """Return the withdrawal."""
        room = room_approvals(now.state)
        there = {
            paper.number: paper.day
            for record in room.records
            for paper in record.papers
            if record.table == self.table and room.withdrawal(record, paper) is None
        }
        problems = [] if self.words.strip() else ["words: the reason must be stated in words (M-02, G-59)"]
        if self.number not in there:
            numbers = ", ".join(there) or "none"
            problems.append(
                f"number: no {self.number!r} is on record for table {self.table}; there are: {numbers} (G-59)"
            )
        elif self.since < there[self.number]:
            problems.append(f"since: {self.number} is of {there[self.number]}, and cannot end before it (G-59)")
        refuse(problems)
        return [
            ApprovalWithdrawn(
                table=self.table, number=self.number, since=self.since, words=self.words, approved_by=by.approved_by
            )
        ]


@command("room/register-maker", roles=MANAGERS, approvers=CONFIGURERS)
class RegisterMaker(Command):
    """Register who makes or distributes a part of the equipment, and the license for it."""

    part: Part
    maker: Name
    licence: Name
    words: Words = ""
    is_example: bool = False

    def describe(self, state: books.BookState) -> Description:
        """Return the maker, and the one that was on the register."""
        there = [maker for maker in room_approvals(state).makers if maker.part == self.part]
        before = {"Maker": there[-1].maker, "License number": there[-1].licence} if there else None
        rows = changes(before, {"Maker": self.maker, "License number": self.licence})
        return Description(f"Register {self.maker} as maker of the {self.part}", rows, self.words)

    def entries(self, now: Now, by: By) -> list[books.Payload]:
        """Return the entry of the register."""
        problems = [] if self.maker.strip() else ["maker: say who it is (REGULATION O-16)"]
        refuse([*problems, *_number_problems("licence", self.licence)])
        return [
            MakerRegistered(
                part=self.part,
                maker=self.maker,
                licence=self.licence,
                words=self.words,
                approved_by=by.approved_by,
                is_example=self.is_example,
            )
        ]


def example_papers(profile: str, day: datetime.date) -> tuple[ApprovalPaper, ...]:
    """Return the papers that a room of this kind needs, with numbers that say what they are: examples."""
    assert profile in law.PROFILES, profile
    return tuple(ApprovalPaper(kind, f"EXAMPLE-{place}", day) for place, kind in enumerate(NEEDED[profile], start=1))
