"""Slips: numbered without gaps, carrying the head of the chain; reprints and void slips are marked."""

from __future__ import annotations

import json
import re
from contextlib import closing

import pytest

from pitboss.books import Directory, RefusedError
from pitboss.books.audit import check_books
from pitboss.commands import By
from pitboss.jackpot import INVARIANTS, PROJECTIONS
from pitboss.jackpot.hits.history import History, Slip, read_history
from tests.books.making import BOOK
from tests.jackpot.hit_making import (
    CASHIER,
    DEALER,
    MANAGER,
    QUADS,
    ROYAL,
    STRAIGHT_FLUSH,
    Floor,
    refused,
)


def history_of(at: Floor) -> History:
    with closing(Directory(at.path).open_store(write=False)) as store:
        return read_history(store.entries(BOOK))


def documented(at: Floor, *claims: tuple[int, str]) -> int:
    at.press()
    hit = at.call(*claims)
    at.verify(hit)
    if at.hits.open[hit].cents > 3_000_00:
        at.surveil(hit)
    at.document(hit)
    return hit


def test_m_08_slips_of_a_room_have_one_series_without_gaps(at: Floor) -> None:
    documented(at, (1, ROYAL), (2, STRAIGHT_FLUSH))
    hit = documented(at, (1, QUADS))
    at.reject(hit)
    documented(at, (3, QUADS))
    found = history_of(at)

    assert [1, 2, 3, 4] == list(found.slips)
    assert 4 == at.hits.room.slips
    assert ["", "", "the call was rejected: misread", ""] == [found.slip(number).void for number in found.slips]


def test_a_slip_says_what_the_prize_is_and_carries_the_head_of_the_chain(at: Floor) -> None:
    hit = documented(at, (2, ROYAL))
    slip = history_of(at).slip(1)
    head = at.books.state(BOOK).digest.hex()

    assert (1, hit, 2, ROYAL, 10_000_86, 2_399_96) == (
        slip.number,
        slip.hit,
        slip.seat,
        slip.row,
        slip.prize_cents,
        slip.withheld_cents,
    )
    assert 10_000_86 - 2_399_96 == slip.net_cents
    assert head == slip.head
    assert ["call", "verify", "surveil", "document"] == [step.step for step in slip.steps]
    report = check_books(Directory(at.path), heads=[slip.head], projections=PROJECTIONS, invariants=INVARIANTS)
    assert {head: BOOK} == report.heads
    text = slip.text()
    for part in (
        "JACKPOT SLIP 000001",
        "Test Room",
        "Winner 2",
        "Seven thousand six hundred and 90/100 dollars",
        "$10,000.86",
        "$2,399.96",
        "by check, within 24 hours",
        head,
        "O-04",
    ):
        assert part in text
    assert "REPRINT" not in text
    assert "VOID" not in text


def test_a_slip_is_read_back_from_its_json(at: Floor) -> None:
    documented(at, (2, ROYAL))
    at.hits.reprint(1, words="paper jam", command="r", by=CASHIER)
    for copy in (0, 1):
        slip = history_of(at).slip(1, copy)
        assert slip == Slip.from_json(json.loads(json.dumps(slip.to_json())))


def test_f_15_a_reprint_is_journalled_and_marked(at: Floor) -> None:
    documented(at, (2, QUADS))
    first = at.hits.reprint(1, words="paper jam", command="r1", by=CASHIER)
    second = at.hits.reprint(1, words="the winner lost it", command="r2", by=MANAGER)
    found = history_of(at)

    assert "REPRINT" not in found.slip(1).text()
    assert "*** REPRINT 1 *** Cas" in found.slip(1, 1).text()
    assert "*** REPRINT 2 *** Max" in found.slip(1, 2).text()
    assert "the winner lost it" in found.slip(1, 2).text()
    assert (first.head, second.head) == (found.slip(1, 1).copy.head, found.slip(1, 2).copy.head)  # type: ignore[union-attr]
    assert found.slip(1).head == found.slip(1, 2).head
    with pytest.raises(RefusedError, match="reprinted 2 times"):
        found.slip(1, 3)


def test_f_15_a_closed_hits_slip_is_reprinted_too(at: Floor) -> None:
    hit = documented(at, (2, QUADS))
    at.pay(hit, 2, "cage")
    at.close(hit)
    at.hits.reprint(1, words="for the auditor", command="r1", by=MANAGER)
    assert "REPRINT 1" in history_of(at).slip(1, 1).text()


def test_a_reprint_of_a_slip_that_is_not_there_or_without_reason_is_refused(at: Floor) -> None:
    documented(at, (2, QUADS))
    problems = refused(lambda: at.hits.reprint(2, words="", command="r", by=DEALER), at)
    assert 3 == len(problems)
    assert refused(lambda: at.hits.reprint(0, words="x", command="r", by=MANAGER), at)
    with pytest.raises(RefusedError, match="there is no slip 2"):
        history_of(at).slip(2)


def test_a_corrected_call_makes_its_slip_void(at: Floor) -> None:
    hit = documented(at, (2, QUADS))
    at.correct(hit, (3, QUADS), words="wrong seat")
    at.verify(hit, MANAGER)
    at.document(hit)
    found = history_of(at)

    assert ("the call was corrected: wrong seat", "") == (found.slip(1).void, found.slip(2).void)
    assert (2, 3) == (found.slip(1).seat, found.slip(2).seat)
    assert "*** VOID *** the call was corrected: wrong seat" in found.slip(1).text()


def test_papers_made_anew_make_the_first_slip_void(at: Floor) -> None:
    hit = documented(at, (2, QUADS))
    at.document(hit, By("Clea", "accounting"), winner="Winner Two")
    assert "the papers were made anew" == history_of(at).slip(1).void
    assert "Winner Two" == history_of(at).slip(2).winner


def test_f_15_the_original_is_printed_once_and_a_copy_is_a_reprint(at: Floor) -> None:
    documented(at, (2, QUADS))
    at.hits.print_slip(1, command="p", by=CASHIER)
    [problem] = refused(lambda: at.hits.print_slip(1, command="q", by=MANAGER), at)
    assert "slip 000001 was printed already: reprint it, and say why (F-15)" == problem
    assert refused(lambda: at.hits.print_slip(2, command="q", by=MANAGER), at)
    assert refused(lambda: at.hits.print_slip(1, command="q", by=DEALER), at)
    at.hits.reprint(1, words="paper jam", command="r", by=CASHIER)
    assert [1] == list(history_of(at).prints)
    assert (1,) == at.hits.room.printed


def test_the_view_of_a_slip_has_cards_local_time_and_how_it_is_paid(at: Floor) -> None:
    """What was printed before it was paid does not say that it is; what is printed after does."""
    hit = documented(at, (2, QUADS))
    at.hits.print_slip(1, command="p", by=CASHIER)
    at.pay(hit, 2, "cage")
    at.hits.reprint(1, words="paper jam", command="r", by=CASHIER)
    original, reprint = history_of(at).slip(1).view(), history_of(at).slip(1, 1).view()

    assert 5 == len(original["cards"])
    assert ("", True) == (original["paid"], reprint["paid"].startswith("at the cage"))
    assert re.fullmatch(r"[A-Z][a-z]{2} \d+, \d{4}, \d+:\d\d [AP]M", dict(original["facts"])["Date"])
    assert "REPRINT 1" == reprint["marks"][0][0]
