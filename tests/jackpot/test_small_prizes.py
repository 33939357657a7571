"""Small prizes from the tray, and Envy."""

from __future__ import annotations

import datetime
from pathlib import Path

import pytest

from pitboss.books import EPOCH, ROOM
from pitboss.commands import By
from pitboss.jackpot import Claim, offer_of, small_prizes_of
from tests.jackpot.hit_making import (
    DEALER,
    FCP,
    FLUSH,
    FULL_HOUSE,
    QUADS,
    ROYAL,
    STRAIGHT_FLUSH,
    SUPERVISOR,
    Floor,
    five_card,
    floor,
    four_card,
    refused,
    reopened,
)

# Small prizes and Envy.


def test_a_small_prize_is_one_command_and_two_entries(at: Floor) -> None:
    at.press()
    answer = at.small(2, FLUSH)

    assert ["prize-called", "prize-paid"] == [entry.kind for entry in answer.entries]
    assert (0, 25_00, -25_00) == (at.balance("winners"), at.balance("paid"), at.balance("house"))
    assert {} == at.hits.open


def test_only_fixed_prizes_below_the_operators_amount_are_paid_so(at: Floor) -> None:
    at.press()
    assert ("Five-card Straight Flush is a percentage of the meter: call it (G-4)",) == refused(
        lambda: at.small(1, STRAIGHT_FLUSH), at
    )
    (problem,) = refused(lambda: at.small(1, QUADS), at)
    assert "only prizes below $150.00 are paid so" in problem
    at.small(1, FULL_HOUSE)


def test_a_small_prize_that_demands_something_is_called(quick_path: Path) -> None:
    offer = offer_of(FCP, "five-card-jackpot", "PJ-2")
    with floor(quick_path / "room", five_card(offers=(offer,), small_prize_cents=10_000_00)) as at:
        at.press()
        (problem,) = refused(lambda: at.small(1, QUADS), at)
        assert "$500.00 demands deck-check" in problem


def test_a_prize_exactly_the_operators_amount_is_called(quick_path: Path) -> None:
    with floor(quick_path / "room", five_card(small_prize_cents=25_00)) as at:
        at.press()
        assert refused(lambda: at.small(1, FLUSH), at)


def test_fcp_5_envy_is_a_list_that_the_verification_gives_and_one_command_pays(quick_path: Path) -> None:
    with floor(quick_path / "room", four_card()) as at:
        at.press(jackpot="envy", seats=[1, 2, 3])
        hit = at.call((1, "Four Aces"), jackpot="envy")
        hands = {1: "As Ah Ad Ac Kd", 2: "2s 3h 4d 6c 7d", 3: "9s 8h Jd Qc 2d"}
        entry = at.verify(hit, hands=hands).entries[0]

        assert '"envy":[[2,10000,' in entry.payload
        answer = at.hits.pay_envy("envy", "4", Claim(1, "Four Aces"), [2, 3], command="e", by=DEALER)
        assert ["prize-called", "prize-paid"] == [each.kind for each in answer.entries]
        assert (200_00, -200_00) == (at.balance("paid", "envy"), at.balance("house", "envy"))
        again = refused(lambda: at.hits.pay_envy("envy", "4", Claim(1, "Four Aces"), [3], command="f", by=DEALER), at)
        assert ("seat 3 has a prize of round 1 already (G-2)",) == again
        wrong = refused(lambda: at.hits.pay_envy("envy", "4", Claim(1, "Trips"), [1, 2], command="g", by=DEALER), at)
        assert any("others than seat 1" in each for each in wrong)
        none = refused(lambda: at.hits.pay_envy("envy", "4", Claim(3, "Trips"), [1, 2], command="h", by=DEALER), at)
        assert ("Trips gives no Envy prize",) == none
        # A seat that was paid Envy still has its own prize.
        at.small(2, "Straight Flush", jackpot="envy")
        at.check()


@pytest.mark.parametrize("reading", ["any_hand", "wagered"])
def test_fcp_5_who_gives_envy_goes_by_the_reading(quick_path: Path, reading: str) -> None:
    offer = offer_of(FCP, "four-card-jackpot", "FCJ-1", readings={"envy_trigger": reading})
    with floor(quick_path / "room", five_card("envy", "4", offers=(offer,))) as at:
        at.press(jackpot="envy", seats=[1, 2])

        def paid() -> object:
            return at.hits.pay_envy("envy", "4", Claim(5, "Quads"), [1, 2], command="e", by=DEALER)

        if reading == "any_hand":
            paid()
            assert 20_00 == at.balance("paid", "envy")
        else:
            assert any("only a hand that carries it" in each for each in refused(paid, at))


def test_g_11_a_void_round_has_no_prize(at: Floor) -> None:
    at.press()
    at.jackpots.void_round("4", 1, words="misdeal", command="void", actor="Sue")
    assert ("round 1 of table 4 is void: its wagers go back (G-11)",) == refused(lambda: at.call((1, ROYAL)), at)
    assert ("round 1 of table 4 is void: its wagers go back (G-11)",) == refused(lambda: at.small(1, FLUSH), at)


# Small prizes that are taken back.


def books_of(at: Floor) -> tuple[int, ...]:
    return tuple(at.balance(account) for account in ("displayed", "winners", "paid", "house"))


@pytest.mark.parametrize("payer", ["house", "meter"])
def test_g_66_who_paid_a_small_prize_undoes_it_and_the_seat_is_paid_what_it_is_owed(
    quick_path: Path, payer: str
) -> None:
    with floor(quick_path / "room", five_card(fixed_prizes=payer)) as at:
        at.press()
        before = books_of(at)
        paid = at.small(2, FULL_HOUSE).entries[0].sequence
        assert before != books_of(at)
        (back,) = at.hits.undo_small("4", paid, command="undo", by=DEALER).entries

        assert ("prize-reversed", before) == (back.kind, books_of(at))
        twice = refused(lambda: at.hits.undo_small("4", paid, command="undo-2", by=DEALER), at)
        assert (f"Table 4 has no small prize {paid} that can still be taken back (G-66)",) == twice
        at.small(2, FLUSH)
        at.check()


def test_g_66_after_some_seconds_another_reverses_it_with_a_reason(at: Floor) -> None:
    at.press()
    paid = at.small(2, FLUSH).entries[0].sequence
    other = By("Dora", "dealer")
    (not_theirs,) = refused(lambda: at.hits.undo_small("4", paid, command="u", by=other), at)
    assert "Dan paid this prize" in not_theirs
    for _ in range(12):
        at.hits.executor.services.clock()
    (late,) = refused(lambda: at.hits.undo_small("4", paid, command="u", by=DEALER), at)
    assert "too late" in late
    (why,) = refused(lambda: at.hits.reverse_small("4", paid, words=" ", command="r", by=SUPERVISOR), at)
    assert "reason" in why
    at.hits.reverse_small("4", paid, words="wrong row", command="r", by=SUPERVISOR)
    assert (0, 0, 0) == (at.balance("winners"), at.balance("paid"), at.balance("house"))
    own = at.small(2, FLUSH, by=SUPERVISOR).entries[0].sequence
    (same,) = refused(lambda: at.hits.reverse_small("4", own, words="x", command="s", by=SUPERVISOR), at)
    assert "another supervisor or manager" in same
    at.check()


def test_g_66_envy_is_taken_back_with_all_its_seats_and_a_day_lists_every_prize(quick_path: Path) -> None:
    with floor(quick_path / "room", four_card()) as at:
        at.press(jackpot="envy", seats=[1, 2, 3])
        answer = at.hits.pay_envy("envy", "4", Claim(1, "Four Aces"), [2, 3], command="e", by=DEALER)
        at.hits.undo_small("4", answer.entries[0].sequence, command="u", by=DEALER)
        assert 0 == at.balance("paid", "envy")
        at.small(2, "Straight Flush", jackpot="envy")
        state = at.books.state("room")
        calendar = state.of(ROOM)
        assert calendar is not None
        day = calendar.gambling_day(EPOCH + datetime.timedelta(microseconds=answer.entries[0].recorded))
        lines = small_prizes_of(at.books.store, state, day)
        assert [(2, 1, "Dan"), (3, 1, "Dan"), (2, 0, "")] == [(o.seat, o.of_seat, o.reversed_by) for o in lines]
        assert [False, False, True] == [line.stands for line in lines]
        assert () == small_prizes_of(at.books.store, state, day + datetime.timedelta(days=1))
        at.check()


def test_g_66_a_prize_of_a_shift_that_is_over_stays(quick_path: Path) -> None:
    with floor(quick_path / "room") as at:
        at.press()
        answer = at.small(2, FLUSH)
        later = answer.entries[0].recorded + 23 * 3_600_000_000
    with reopened(quick_path / "room", later) as at:
        paid = answer.entries[0].sequence
        (over,) = refused(lambda: at.hits.reverse_small("4", paid, words="x", command="r", by=SUPERVISOR), at)
        assert "shift, which is over" in over


# Screens that are behind their table.


def test_g_67_what_a_screen_showed_is_what_is_paid_or_nothing_is(at: Floor) -> None:
    at.press()
    at.press()
    moved = ("A new round has started, so nothing was changed.",)
    assert moved == refused(lambda: at.small(2, FLUSH, shown_round=1), at)
    assert moved == refused(lambda: at.call((2, ROYAL), shown_round=1), at)
    (other,) = refused(lambda: at.small(2, FLUSH, shown_round=2, shown_cents=20_00), at)
    assert "Five-card Flush pays $25.00, and $20.00 was shown" in other
    (lower,) = refused(lambda: at.call((2, ROYAL), shown_round=2, shown_cents=99_999_00), at)
    assert "and $99,999.00 was shown: nothing was reported" in lower
    at.small(2, FLUSH, shown_round=2, shown_cents=25_00)
    hit = at.call((3, ROYAL), shown_round=2, shown_cents=10_000_00)
    assert at.hits.open[hit].cents > 10_000_00, "a meter that has grown since is called as it stands (G-4)"
