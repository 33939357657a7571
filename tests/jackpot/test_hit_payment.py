"""Papers, payment and tax of a hit; commands sent again, and restarts."""

from __future__ import annotations

import datetime
from pathlib import Path

from pitboss.books import microseconds
from pitboss.jackpot import Claim
from tests.books.making import Room
from tests.jackpot.hit_making import (
    CASHIER,
    DEALER,
    FLUSH,
    MANAGER,
    QUADS,
    ROYAL,
    STRAIGHT_FLUSH,
    SUPERVISOR,
    Floor,
    five_card,
    floor,
    hands_of,
    meter,
    refused,
    reopened,
    won_of,
)

# Papers, payment and tax.


def test_o_04_surveillance_is_demanded_over_three_thousand_dollars_and_not_at_it(quick_path: Path) -> None:
    terms = meter(seed_cents=3_000_00, reseed_cents=100_00, display_rate=meter().display_rate / 173)
    with floor(quick_path / "room", five_card(terms=terms)) as at:
        at.press(seats=[])
        at.press(seats=[1])
        hit = at.call((1, ROYAL))
        assert {1: 3_000_00} == won_of(at, hit)
        at.verify(hit)
        at.document(hit)
        at.reject(hit)
        for _ in range(10):
            at.press(seats=[1])
        hit = at.call((1, ROYAL))
        assert {1: 3_000_01} == won_of(at, hit)
        at.verify(hit)
        (problem,) = refused(lambda: at.document(hit), at)
        assert "seat 1: $3,000.01 needs surveillance first (WAC 230-15-320(4); REGULATION O-04)" == problem
        assert 2 == len(refused(lambda: at.surveil(hit, checks=("hand", "wager")), at))
        at.surveil(hit)
        at.document(hit)


def test_p_03_x_06_papers_are_refused_with_all_that_is_missing(at: Floor) -> None:
    at.press()
    hit = at.call((1, ROYAL), (2, ROYAL))
    at.verify(hit)
    at.surveil(hit)
    problems = refused(lambda: at.document(hit, winner=" ", deck_checked=False, identification=("passport",)), at)
    assert 6 == len(problems)
    assert ("seat 1: paperwork is missing", "seat 2: paperwork is missing") == refused(
        lambda: at.hits.document(hit, [], command="none", by=CASHIER), at
    )


def test_p_03_more_than_five_thousand_dollars_is_a_cheque(at: Floor) -> None:
    at.press()
    hit = at.call((1, ROYAL))
    at.verify(hit)
    at.surveil(hit)
    at.document(hit)
    (problem,) = refused(lambda: at.pay(hit, 1, "cage", by=MANAGER), at)
    assert "$10,000.86 is paid by check, not at the cage (P-03)" == problem
    assert refused(lambda: at.hits.pay(hit, 1, "cheque", command="n", by=MANAGER), at), "a cheque has a number"
    answer = at.pay(hit, 1, "cheque")
    assert '"handed":[1,"cheque",239996,"1001",1]' in answer.entries[0].payload


def test_x_07_without_a_taxpayer_number_tax_is_withheld(at: Floor) -> None:
    at.press(seats=[1, 2, 3, 4, 5])
    hit = at.call(*((seat, ROYAL) for seat in (1, 2)))
    at.verify(hit, hands=hands_of([ROYAL, ROYAL], [1, 2]))
    at.surveil(hit)
    at.document(hit, taxpayer_number=False)
    # Less than $5,001: no regular withholding, but 24 % for want of a number.
    assert (5_000_43 - 100) * 24 // 100 == at.hits.open[hit].demands[1].withheld(has_taxpayer_number=False)
    at.pay(hit, 1, "cheque")
    assert (5_000_43 - 100) * 24 // 100 == at.hits.open[hit].handed[0].withheld_cents


def test_x_02_papers_of_last_year_are_made_anew(quick_path: Path) -> None:
    eve = microseconds(datetime.datetime(2026, 1, 1, 7, 59, tzinfo=datetime.UTC)) - 1_000_000_000
    with floor(quick_path / "room", start=eve) as at:
        at.press()
        hit = at.call((1, STRAIGHT_FLUSH))
        at.verify(hit)
        assert "w-2g" in at.hits.open[hit].demands[1].names, "$1,000.08 on the last day of 2025 by the room's clocks"
        at.document(hit)
    with reopened(quick_path / "room", start=eve + 3_600_000_000) as at:
        (problem,) = refused(lambda: at.hits.pay(hit, 1, "cage", command="p", by=MANAGER), at)
        assert "make them anew (X-02)" in problem
        at.hits.document(hit, at.hits.open[hit].papers, command="again", by=CASHIER)
        assert "w-2g" not in at.hits.open[hit].demands[1].names
        at.hits.pay(hit, 1, "cage", command="q", by=MANAGER)
        assert 2 == at.hits.room.slips
        at.check()


def test_one_prize_is_not_paid_twice(at: Floor) -> None:
    at.press()
    hit = at.call((1, ROYAL), (2, ROYAL))
    at.verify(hit)
    at.surveil(hit)
    at.document(hit)
    at.pay(hit, 1)
    assert any("already paid (T-12)" in each for each in refused(lambda: at.pay(hit, 1), at))
    assert any("is paid (seat 1)" in each for each in refused(lambda: at.reject(hit), at))
    assert any("is paid (seat 1)" in each for each in refused(lambda: at.correct(hit, (1, ROYAL)), at))
    assert any("is ready to pay" in each for each in refused(lambda: at.close(hit), at))
    at.pay(hit, 2)
    assert any("is paid" in each for each in refused(lambda: at.pay(hit, 2), at))
    at.close(hit)
    assert (f"there is no open hit {hit}; open are: none",) == refused(lambda: at.pay(hit, 2), at)


def test_a_command_sent_again_is_answered_with_what_it_did(at: Floor) -> None:
    at.press()
    hit = at.call((1, QUADS), command="once")
    again = at.hits.call("main", "4", [Claim(1, QUADS)], command="once", by=DEALER)
    assert (again.again, hit) == (True, again.entries[0].sequence)
    at.whole(hit)
    assert at.hits.call("main", "4", [Claim(1, QUADS)], command="once", by=DEALER).again
    assert 200_00 == at.balance("paid")


def test_the_state_of_hits_survives_a_snapshot_and_a_restart(quick_path: Path) -> None:
    with floor(quick_path / "room", snapshot_every=5) as at:
        at.press()
        hit = at.call((1, ROYAL), (2, STRAIGHT_FLUSH))
        at.verify(hit)
        at.surveil(hit)
        at.document(hit)
        at.pay(hit, 1)
        before = at.hits.room
        at.books.seal("room")
    with reopened(quick_path / "room") as at:
        assert before == at.hits.room
        at.hits.pay(hit, 2, "cage", command="pay", by=MANAGER)
        at.hits.close(hit, command="close", by=SUPERVISOR)
        at.check()


def test_t_16_a_jackpot_with_an_open_hit_is_not_changed(at: Floor) -> None:
    at.press()
    hit = at.call((1, QUADS))
    at.jackpots.close("main", words="end of day", command="stop", actor="Ada")
    two = {"words": "other amounts", "actor": "Ada", "approved_by": "Max"}
    changed = five_card(small_prize_cents=1_00)
    (problem,) = refused(lambda: at.jackpots.change(changed, command="change", **two), at)
    assert f"hit {hit} of main is not finished" in problem
    # What was won is owed while play is closed too (T-23).
    at.whole(hit)
    at.jackpots.change(changed, command="change", **two)


def test_a_hit_goes_its_way_in_either_store(room: Room) -> None:
    with reopened(room.path) as at:
        two = {"actor": "Ada", "approved_by": "Max", "words": "approved"}
        at.jackpots.define(five_card(), command=at.id(), **two)
        at.jackpots.open("main", command=at.id(), **two)
        at.press()
        first = at.call((1, ROYAL))
        at.correct(first, (1, ROYAL), (2, ROYAL), words="two royals")
        at.whole(first, MANAGER)
        at.press()
        at.reject(at.call((1, ROYAL)))
        at.small(2, FLUSH)
        at.check()
    with reopened(room.path) as at:
        assert (10_000_86 + 25_00, 0) == (at.balance("paid"), at.balance("winners"))
