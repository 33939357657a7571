"""Issue 19: a paper that hangs at a table is posted: which version, since when, by whom; out of date is an alarm."""

from __future__ import annotations

import datetime
import json
from collections.abc import Iterator
from contextlib import closing
from dataclasses import replace
from pathlib import Path

import pytest

from pitboss.books import Draft, RefusedError, Submission, folding_of
from pitboss.books.journal.reading import read_part
from pitboss.commands import By
from pitboss.commands.command import BOOK, SYSTEM_ACTOR
from pitboss.jackpot import RemovalNoticed
from pitboss.law import PROFILES
from pitboss.law.papers import POSTED
from pitboss.papers import posting
from pitboss.papers.catalogue import BY_NAME
from pitboss.papers.placards import placards
from pitboss.papers.posting import changed_papers, review_papers, unposted, version_of, versions_at
from pitboss.papers.source import source_of_table
from pitboss.reports import Report, ReportRequest, look, make_report
from pitboss.room.alarms import ActiveAlarm, TakeAlarm, active_alarms
from pitboss.room.displays import RegisterDisplay, shown_at
from pitboss.room.posted_papers import (
    POSTED_PAPERS,
    PaperPosted,
    PaperRemoved,
    PaperVersion,
    PostPapers,
    RemovePaper,
    ReviewPapers,
)
from pitboss.room.projections import INVARIANTS, PROJECTIONS
from pitboss.room.sentences import sentence_of
from pitboss.room.settings import gambling_day_of
from pitboss.server.worker.papers import PaperJob, paper_fields
from pitboss.tabulator import CloseTable, OpenTable
from tests.docs.console import run_pitboss
from tests.doors import doors_of
from tests.pages.room import CardRoom
from tests.pages.tables import LEE, MAX, SUE, WIDER, clock_of, tables_room
from tests.papers.test_papers import source_of, table_of, words_of
from tests.room.conftest import typed_names  # noqa: F401 - a fixture
from tests.server.making import SECOND, command

_DAY = 24 * 60 * 60 * SECOND


@pytest.fixture
def found(tmp_path: Path) -> Iterator[CardRoom]:
    """Table 1 is open with a jackpot, and no paper hangs there."""
    with tables_room(tmp_path / "room") as opened:
        yield opened


def do(found: CardRoom, value: object, by: By = SUE) -> None:
    found.room.do(value, by, id=command())  # type: ignore[arg-type]


def paper_alarms(found: CardRoom) -> list[ActiveAlarm]:
    return [alarm for alarm in active_alarms(found.room.state) if alarm.kind == "paper"]


def post_all(found: CardRoom) -> None:
    review_papers(found.room)
    do(
        found,
        PostPapers(
            table="1", papers=unposted(found.room.state, "1", gambling_day_of(found.room.state, found.room.clock()))
        ),
    )


def change_table(found: CardRoom) -> None:
    """Table 1 takes up to $350 on Ante, and pays by another table."""
    posted = doors_of(found.room).posted
    posted.post("1", WIDER, words="busy", command=command(), actor=MAX.name, approved_by=LEE.name)
    found.room.open_due()


def report_of(found: CardRoom, name: str = "papers", day: datetime.date | None = None) -> Report:
    with closing(found.room.books.directory.open_store(write=False)) as store:
        request = ReportRequest(first_day=day, last_day=day)
        now = found.room.clock()
        scope = look(store, BOOK, request, made_at=now, now=now, projections=PROJECTIONS, invariants=INVARIANTS)
        return make_report(scope, name)


def test_issue_19_papers_that_must_hang_are_papers_there_are_with_a_source_in_every_kind_of_room() -> None:
    for profile in PROFILES:
        for name, source in POSTED[profile].items():
            assert BY_NAME[name].is_posted
            assert profile in BY_NAME[name].profiles
            assert source.startswith("REGULATION ")


def test_issue_19_a_missing_paper_at_an_open_table_is_an_alarm_at_once(found: CardRoom) -> None:
    assert not paper_alarms(found)  # What the papers say is worked out by the server's watch.
    review_papers(found.room)
    assert [alarm.words for alarm in paper_alarms(found)] == [
        "Placards: not posted. Print it, hang it, then mark it as posted (W-12)",
        "Rack card: not posted. Print it, hang it, then mark it as posted (W-12)",
    ]
    sequence = found.room.state.sequence
    review_papers(found.room)
    assert found.room.state.sequence == sequence  # Nothing changed, so nothing is written.


def test_issue_19_the_room_records_which_version_hangs_since_when_and_by_whom(found: CardRoom) -> None:
    post_all(found)
    assert not paper_alarms(found)
    paper = found.room.state.of(POSTED_PAPERS).at("1")["rack-card"]
    assert (
        paper.posted
        == versions_at(found.room.state, "1", gambling_day_of(found.room.state, found.room.clock()))["rack-card"]
    )
    assert (paper.by, paper.is_current, len(paper.configuration)) == ("Sue Halvorsen", True, 64)
    entry = found.room.books.store.entry(BOOK, found.room.state.sequence)
    assert entry is not None
    assert paper.since == entry.happened
    assert sentence_of(found.room.state, entry) == "Sue Halvorsen posted the placards at table 1"


def test_issue_19_a_change_makes_what_it_touches_out_of_date_and_nothing_else(found: CardRoom) -> None:
    post_all(found)
    change_table(found)
    review_papers(found.room)
    assert [alarm.key for alarm in paper_alarms(found)] == ["paper placards of table 1", "paper rack-card of table 1"]
    assert "out of date" in paper_alarms(found)[0].words
    do(found, TakeAlarm(alarm="paper placards of table 1"))
    post_all(found)
    assert not paper_alarms(found)


def test_issue_19_a_version_is_the_same_while_nothing_that_is_printed_changes() -> None:
    rack, placards = BY_NAME["rack-card"], BY_NAME["placards"]
    before = source_of("three-card-prime")
    # The equipment stands on neither; another pay table only on the rack card; another room nowhere in what is said.
    other = source_of("three-card-prime", equipment="andromeda-5")
    assert before.configuration.content_hash != other.configuration.content_hash
    for paper in (rack, placards):
        assert version_of(paper, before) == version_of(paper, other)
        assert version_of(paper, before) == version_of(paper, replace(before, room="Elsewhere", problems=()))
    wagers = dict(table_of("three-card-prime").wagers)
    wagers["all-six"] = replace(wagers["all-six"], paytables=("A6-1",))
    paid = source_of("three-card-prime", wagers=wagers)
    assert version_of(rack, before) != version_of(rack, paid)
    assert version_of(placards, before) == version_of(placards, paid)


def test_issue_19_what_speaks_against_posting_a_paper(found: CardRoom) -> None:
    review_papers(found.room)
    versions = versions_at(found.room.state, "1", gambling_day_of(found.room.state, found.room.clock()))
    verify = found.room.verify
    assert verify(PostPapers(table="1", papers={"layout": versions["placards"]}), SUE) == (
        "papers: 'layout' does not hang at tables; there are: rack-card, placards",
    )
    old = PostPapers(table="1", papers={"rack-card": versions["rack-card"]})
    change_table(found)
    review_papers(found.room)
    assert verify(old, SUE) == ("Rack card: the table has changed since this was printed. Print it again (W-12)",)
    post_all(found)
    again = PostPapers(
        table="1", papers=versions_at(found.room.state, "1", gambling_day_of(found.room.state, found.room.clock()))
    )
    assert verify(again, SUE) == (
        "Rack card of table 1 is marked as posted already",
        "Placards of table 1 is marked as posted already",
    )
    [empty] = verify(PostPapers(table="1", papers={}), SUE)
    assert empty == "no paper of table 1 is to be marked as posted (W-12)"
    [nothing] = verify(PostPapers(table="9", papers=versions), SUE)
    assert nothing == "table 9 has no active setup, so it has no papers (W-12)"
    [dealers] = verify(again, By("Dee", "dealer"))[:1]
    assert "is for supervisor or manager" in dealers


def test_issue_19_a_paper_that_is_removed_is_missing(found: CardRoom) -> None:
    post_all(found)
    [refused] = found.room.verify(RemovePaper(table="1", paper="layout", words="torn"), SUE)
    assert refused == "no layout hangs at table 1"
    do(found, RemovePaper(table="1", paper="placards", words="torn"))
    assert [alarm.words.partition(".")[0] for alarm in paper_alarms(found)] == ["Placards: not posted"]
    post_all(found)
    assert not paper_alarms(found)


def test_issue_19_the_invariant_refuses_a_version_that_the_table_does_not_have(found: CardRoom) -> None:
    """What any program writes: the command asks the same, so the entry is written around it."""
    review_papers(found.room)
    for payload in (
        PaperPosted(paper="rack-card", version="0" * 64, configuration=""),
        PaperRemoved(paper="rack-card", words=""),
    ):
        drafts = [Draft(payload, table="1")]

        def decide(_: object, drafts: list[Draft] = drafts) -> list[Draft]:
            return drafts

        written = Submission(book=BOOK, id=command(), actor="x", content=[], decide=decide, table="1")
        with pytest.raises(RefusedError, match=r"W-12"):
            found.room.books.submit(written)


def test_issue_19_a_closed_table_has_no_alarm_and_opens_into_one(found: CardRoom) -> None:
    do(found, CloseTable(table="1"))
    review_papers(found.room)
    assert not paper_alarms(found)
    do(found, RegisterDisplay(name="screen 1", table="1", make="screen"), By("Ada", "administrator"))
    found.room.displays.beat("screen 1", shown_at(found.room.state, "1"))
    found.room.displays.review(command=command())
    do(found, OpenTable(table="1"), replace(SUE, approver=MAX))
    assert len(paper_alarms(found)) == len(POSTED["wa-commercial"])


def test_issue_19_what_is_put_right_on_the_same_day_is_no_exception(found: CardRoom) -> None:
    review_papers(found.room)
    clock_of(found).add(60 * SECOND)
    post_all(found)
    report = report_of(found)
    assert not report.exceptions
    assert [row.cells[:3] for row in report.rows if row.cells[5]] == [
        ("1", "placards", "posted"),
        ("1", "rack card", "posted"),
    ]
    clock_of(found).add(2 * _DAY)
    assert not report_of(found, day=datetime.date(2026, 11, 15)).exceptions


def test_issue_19_what_is_not_put_right_by_the_end_of_the_day_is_an_exception(found: CardRoom) -> None:
    review_papers(found.room)
    assert not report_of(found).exceptions  # An alarm before it is an exception.
    clock_of(found).add(2 * _DAY)
    late = report_of(found).exceptions
    assert [line.words.partition(":")[0] for line in late] == ["table 1, rack card", "table 1, placards"]
    assert "not posted at the end of" in late[0].words
    assert late[0].words.endswith("(W-12)")
    # Put right two days later: the report of those days still has it, under the same key.
    post_all(found)
    again = report_of(found)
    assert {line.key for line in again.exceptions} == {line.key for line in late}
    assert {line.key for line in report_of(found, "exceptions").exceptions} >= {line.key for line in late}


def test_issue_19_review_is_for_pitboss_alone_and_writes_what_changed_only(found: CardRoom) -> None:
    review_papers(found.room)
    known = versions_at(found.room.state, "1", gambling_day_of(found.room.state, found.room.clock()))
    same = PaperVersion("1", "rack-card", known["rack-card"])
    other = PaperVersion("1", "placards", "ab" * 32)
    answer = found.room.do(ReviewPapers(papers=(same, other)), SYSTEM_ACTOR, id="watch-x")
    assert [entry.kind for entry in answer.entries] == ["paper-changed"]
    assert changed_papers(found.room.state, gambling_day_of(found.room.state, found.room.clock())) == (
        PaperVersion("1", "placards", known["placards"]),
    )
    assert not ReviewPapers.spec.is_exposed
    assert found.room.verify(ReviewPapers(papers=(same,)), MAX)


def test_issue_19_folded_one_by_one_or_from_a_snapshot_the_papers_are_the_same(found: CardRoom) -> None:
    post_all(found)
    change_table(found)
    review_papers(found.room)
    with closing(found.room.books.directory.open_store(write=False)) as store:
        folding = folding_of(PROJECTIONS, INVARIANTS)
        reading = read_part(store, folding, BOOK, folding.empty(), found.room.state.sequence, rules=True, last=True)
    assert not reading.findings
    assert reading.state.of(POSTED_PAPERS) == found.room.state.of(POSTED_PAPERS)


@pytest.mark.usefixtures("typed_names")
def test_issue_19_papers_are_posted_and_listed_at_the_terminal(tmp_path: Path) -> None:
    path = tmp_path / "room"
    with tables_room(path):
        pass
    listed = json.loads(run_pitboss(["tables", "papers", str(path), "--json"]).printed)["papers"]
    assert [(row["paper"], row["state"], row["source"]) for row in listed] == [
        ("rack-card", "not posted", "REGULATION W-12"),
        ("placards", "not posted", "REGULATION W-12"),
    ]
    post = ["tables", "post-papers", str(path), "1", "--person", SUE.name, "--json"]
    ran = run_pitboss(post)
    assert ran.exit_code == 0, ran.printed
    assert len(json.loads(ran.printed)["entries"]) == 2
    again = run_pitboss(post)
    assert (again.exit_code, "no paper of table 1 is to be marked as posted" in again.printed) == (2, True)
    assert run_pitboss(["tables", "papers", str(path)]).printed.count("Sue Halvorsen") == 2
    gone = ["tables", "remove-paper", str(path), "1", "placards", "--person", SUE.name, "--reason", "torn"]
    assert run_pitboss(gone).exit_code == 0
    assert "not posted" in run_pitboss(["tables", "papers", str(path), "--table", "1"]).printed


def test_issue_19_a_progressives_cap_reserve_and_removal_are_on_the_placards_of_its_table(found: CardRoom) -> None:
    """REGULATION J-10, T-20, J-17: from the jackpot that is played there; a notice of removal makes what hangs wrong."""
    day = gambling_day_of(found.room.state, found.room.clock())

    def signs() -> list[str]:
        view = placards(source_of_table(found.room.state, "", "1", day))
        [sign] = [sign for sign in view["signs"] if "Progressive jackpot" in sign["title"]]
        return list(sign["lines"])

    notices = [
        "Jackpot maximum $100,000.",
        "$0.05 of each $1 wager goes to a reserve (not displayed) that funds the next jackpot.",
    ]
    paid = [
        "The wager does not come back: its prizes are for 1.",
        (
            "Winners of the same percentage in one round at this table share it equally; the odd cents stay on the meter "
            "unless the prizes of the round take all it holds."
        ),
        "A prize in dollars is paid in full to each who wins it.",
    ]
    assert signs() == [*notices, *paid]
    post_all(found)
    notice = RemovalNoticed(
        name="seven", day=day + datetime.timedelta(days=40), destination="charity", to="the food bank",
        words="the table goes", approved_by=LEE.name,
    )  # fmt: skip
    doors_of(found.room).jackpots.notice_removal(notice, command=command(), actor=MAX.name)
    assert signs() == [*notices, notice.sentence(found.room.state), *paid]
    review_papers(found.room)
    assert [alarm.words.partition(":")[0] for alarm in paper_alarms(found)] == ["Placards", "Rack card"]


def test_issue_19_a_look_at_papers_of_which_nothing_has_changed_works_nothing_out(
    found: CardRoom, monkeypatch: pytest.MonkeyPatch
) -> None:
    """It is done every five seconds for every table, beside the presses (issue 18, item 20)."""
    post_all(found)
    before = versions_at(found.room.state, "1", day := gambling_day_of(found.room.state, found.room.clock()))
    monkeypatch.setattr(posting, "source_of_table", lambda *_, **__: pytest.fail("nothing has changed"))
    doors_of(found.room).tables.down("1", words="sensor 3", command=command(), by=SUE)
    assert versions_at(found.room.state, "1", day) == before
    monkeypatch.undo()
    change_table(found)
    assert versions_at(found.room.state, "1", day) != before


def test_a_submission_of_a_room_says_how_its_jackpot_is_configured(found: CardRoom) -> None:
    """STC: "The operator's internal controls must define how the Jackpots are configured and how they are won"."""
    day = gambling_day_of(found.room.state, found.room.clock())
    source = source_of_table(found.room.state, "", "1", day)
    told = words_of(BY_NAME["submission"].view(source))
    for words in ("Meter contribution", "Reserve contribution", "Reset amount", "Cap $100,000", "How it is won"):
        assert words in told
    assert not any("J-10" in words for words in source.missing)
    # The worker that typesets it for the browser is told all of it too.
    job = PaperJob(**paper_fields(source), paper="submission", size="letter")
    assert job.source().configured == source.configured
