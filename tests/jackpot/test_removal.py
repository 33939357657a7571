"""Removing a jackpot for good: noticed before, whole, to where the notice says, by two people (J-17, T-23)."""

from __future__ import annotations

import datetime
from fractions import Fraction
from typing import Any

import pytest

from pitboss.books import EPOCH, LEDGER, ROOM, Draft, LedgerTransfer, Movement, RefusedError, Submission, read_payload
from pitboss.jackpot import REMOVALS, RemovalNoticed, offer_of
from pitboss.jackpot.titles import jackpot_title
from pitboss.meters import DecreaseReason, units_of
from tests.books.making import Room
from tests.facades import Jackpots
from tests.jackpot.making import (
    STC,
    TWO,
    Clock,
    closed,
    make_bonus,
    make_jackpot,
    opened,
    playing,
    press,
    refused,
    sound,
    tables,
    units,
)
from tests.meters.making import progressive


def day(jackpots: Jackpots, later: int) -> datetime.date:
    calendar = jackpots.books.state("room").of(ROOM)
    assert calendar is not None
    now = EPOCH + datetime.timedelta(microseconds=jackpots.clock())
    return calendar.gambling_day(now) + datetime.timedelta(days=later)


def give(jackpots: Jackpots, command: str = "notice-1", *, later: int = 30, **said: Any) -> None:
    usual: dict[str, Any] = {
        "name": "main",
        "day": day(jackpots, later),
        "destination": "progressive",
        "to": "second",
        "words": "table 4 goes",
        "approved_by": "Carla",
    }
    jackpots.notice_removal(RemovalNoticed(**usual | said), command=command, actor="Ada")


def remove(jackpots: Jackpots, name: str = "main", command: str = "remove-1") -> None:
    jackpots.remove(name, words="table 4 goes", command=command, **TWO)


def test_g_56_all_of_it_goes_to_another_progressive_and_nothing_is_lost(sqlite_room: Room) -> None:
    """J-17, T-23: display, reserve and overflow leave to the last unit; the audit agrees; the table is free again."""
    clock = Clock()
    main = make_jackpot(meter=progressive(cap_cents=1_000_50, seed_cents=1_000_00))
    second = make_jackpot("second", tables=tables("5"))
    with playing(sqlite_room, main, second, clock=clock) as jackpots:
        for number in range(1, 9):
            press(jackpots, number, [1, 2, 3])
        before = {name: each.held_units for name, each in jackpots.books.state("room").of(LEDGER).items()}
        give(jackpots)
        assert "close it first" in refused(lambda: remove(jackpots))
        closed(jackpots, "main")
        assert "not before (J-17)" in refused(lambda: remove(jackpots))
        clock.add_days(31)
        remove(jackpots)
        ledger = jackpots.books.state("room").of(LEDGER)
        assert ledger["main"].held_units == 0
        assert ledger["second"].held_units == before["main"] + before["second"]
        assert jackpots.record("main").jackpot.tables == ()
        assert jackpots.room.at("4") == ()
        assert jackpots.books.state("room").of(REMOVALS) == {}
        assert "removed already" in refused(lambda: remove(jackpots, command="again"))
        assert "is removed" in refused(lambda: opened(jackpots, "main", "reopen"))
        assert "is removed" in refused(lambda: jackpots.change(main, words="x", command="change", **TWO))
        state = jackpots.books.state("room")
        jackpots.define(make_jackpot("third"), words="in its place", command="define-third", **TWO)
    assert sound(sqlite_room)
    entry = next(each for each in sqlite_room.entries() if each.kind == "removal-noticed")
    notice = read_payload(entry.kind, entry.payload)
    assert isinstance(notice, RemovalNoticed)
    assert notice.sentence(state).endswith(f"what stands on it goes to the {jackpot_title(state, 'second')}.")
    assert "second" not in notice.sentence(state)


@pytest.mark.parametrize(("destination", "to"), [("players", "a drawing on June 1"), ("charity", "the council")])
def test_g_56_it_goes_to_players_or_to_a_charity(sqlite_room: Room, destination: str, to: str) -> None:
    clock = Clock()
    with playing(sqlite_room, make_jackpot(), clock=clock) as jackpots:
        press(jackpots, 1, [1, 2])
        held = jackpots.accounts("main").held_units
        give(jackpots, destination=destination, to=to)
        closed(jackpots, "main")
        clock.add_days(31)
        remove(jackpots)
        accounts = jackpots.accounts("main")
        assert (accounts.held_units, accounts.balances["players"]) == (0, held)
        bank = accounts.balances["escrow-bank"] // units_of(1)
        take: dict[str, Any] = {"words": "paid", **TWO}
        assert "until its payment is documented (G-56)" in refused(
            lambda: jackpots.withdraw("main", bank, command="early", **take)
        )
        told = refused(lambda: jackpots.document_removal("main", reference=" ", words=" ", command="empty", **TWO))
        assert all(each in told for each in ("name the document", "say to whom"))
        jackpots.document_removal("main", reference="receipt 7", words="by cheque", command="document", **TWO)
        assert "nothing of Final Four Jackpot (removed) waits" in refused(
            lambda: jackpots.document_removal("main", reference="r", words="w", command="twice", **TWO)
        )
        jackpots.withdraw("main", bank, command="late", **take)
        assert jackpots.escrow("main").bank_units == 0
    assert sound(sqlite_room)


def test_g_56_after_the_notice_the_house_recovers_no_seed_and_books_no_fund(sqlite_room: Room) -> None:
    """Seen: after the notice the house recovered $10,000 of $10,035.12 displayed; the charity got $35.12."""
    clock = Clock()
    main = make_jackpot(meter=progressive(reserve_rate=Fraction("0.5"), seed_cents=10_000_00))
    with playing(sqlite_room, main, clock=clock) as jackpots:
        press(jackpots, 1, [1, 2, 3, 4])
        said: dict[str, Any] = {"words": "w", **TWO}
        jackpots.book_receipts("main", units(1), fund="reserve", command="before", **said)
        jackpots.adjust("main", -units(5), DecreaseReason.SEED_RECOVERED, command="before-2", **said)
        give(jackpots, destination="charity", to="the council")
        held = jackpots.accounts("main").held_units
        for number, units_taken in enumerate((1, units(9_000))):
            assert "goes where the notice says (G-56)" in refused(
                lambda number=number, taken=units_taken: jackpots.adjust(  # type: ignore[misc]
                    "main", -taken, DecreaseReason.SEED_RECOVERED, command=f"after-{number}", **said
                )
            )
        assert "G-56" in refused(lambda: jackpots.book_receipts("main", 1, fund="reserve", command="after-3", **said))
        # What a malfunction counted too much was never the players'.
        jackpots.adjust("main", -1, DecreaseReason.EQUIPMENT_MALFUNCTION, command="malfunction", **said)
        closed(jackpots, "main")
        clock.add_days(31)
        remove(jackpots)
        assert jackpots.accounts("main").balances["players"] == held - 1
    assert sound(sqlite_room)


def test_g_56_one_days_notice_is_not_enough(sqlite_room: Room) -> None:
    with playing(sqlite_room, make_jackpot(), clock=Clock()) as jackpots:
        for later in (1, 29):
            assert "notice stands for 30 days, to be confirmed" in refused(
                lambda later=later: give(  # type: ignore[misc]
                    jackpots, f"n-{later}", later=later, destination="charity", to="the council"
                )
            )
        give(jackpots, later=30, destination="charity", to="the council")


def test_g_56_a_notice_of_before_is_judged_as_it_was_given(sqlite_room: Room) -> None:
    clock = Clock()
    with playing(sqlite_room, make_jackpot(), clock=clock) as jackpots:
        notice = RemovalNoticed(
            name="main",
            day=day(jackpots, 1),
            destination="charity",
            to="the council",
            words="w",
            approved_by="Carla",
        )
        old = Submission(book="room", id="old", actor="Ada", content=["x"], decide=lambda _: [Draft(notice)])
        jackpots.books.submit(old)
        jackpots.adjust("main", -units(5), DecreaseReason.SEED_RECOVERED, words="w", command="taken", **TWO)
        closed(jackpots, "main")
        clock.add_days(2)
        remove(jackpots)
    assert sound(sqlite_room)


def test_g_56_a_bonus_goes_without_notice_and_one_that_was_never_opened_has_no_money(sqlite_room: Room) -> None:
    """J-06: the house's own."""
    with playing(sqlite_room, make_bonus()) as jackpots:
        assert "without notice" in refused(lambda: give(jackpots, name="daily"))
        closed(jackpots, "daily")
        remove(jackpots, "daily")
        assert jackpots.meter("daily").displayed_units == 0
        jackpots.define(make_jackpot(), words="x", command="define", **TWO)
        remove(jackpots, "main", "remove-2")
        assert "main" not in jackpots.books.state("room").of(LEDGER)
    assert sound(sqlite_room)


def test_every_problem_with_a_notice_is_told_at_once(sqlite_room: Room) -> None:
    """T-23: not to a game that costs more, not to another place, not to a Bonus, not at once."""
    offer = offer_of(STC, "twenty-one-plus-three", "PT-BJS-213-02", wager_cents=200)
    elsewhere = tables("5", game=STC, location="Elsewhere")
    dear = make_jackpot("second", progressive(wager_cents=200), offers=(offer,), tables=elsewhere)
    with playing(sqlite_room, make_jackpot(), clock=Clock()) as jackpots:
        jackpots.define(dear, words="x", command="define", **TWO)
        told = refused(lambda: give(jackpots, later=0, words=" "))
        for words in ("has not been opened", "another location", "costs more", "notice stands for 30 days", "say why"):
            assert words in told, told
        assert "no other progressive" in refused(lambda: give(jackpots, to="main"))
        assert "name the charity" in refused(lambda: give(jackpots, destination="charity", to=""))
        assert "no second person (T-06" in refused(
            lambda: give(jackpots, destination="charity", to="x", approved_by="Ada")
        )
        closed(jackpots, "main")
        assert "no notice" in refused(lambda: remove(jackpots))
        assert jackpots.displayed_cents("main") == 1_000_00


def test_no_other_door_takes_the_money_away(sqlite_room: Room) -> None:
    """J-14, J-17: the invariant refuses a movement that leaves something behind or comes before the notice."""
    with playing(sqlite_room, make_jackpot()) as jackpots:
        closed(jackpots, "main")
        part = Movement(
            "funds-removed",
            "main",
            (LedgerTransfer("displayed", "players", units(1)),),
            words="a little",
            approved_by="Carla",
        )
        asked = Submission(book="room", id="x", actor="Ada", content=["x"], decide=lambda _: [Draft(part)])
        with pytest.raises(RefusedError) as caught:
            jackpots.books.submit(asked)
        told = "; ".join(caught.value.problems)
        assert "would be left on main" in told
        assert "has come to its day" in told
        assert jackpots.meter("main").displayed_units == units_of(1_000_00)
