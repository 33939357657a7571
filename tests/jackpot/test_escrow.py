"""Escrow of a progressive: what is due after seven days, the forecast, and the game that stops (J-18, J-19)."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from pitboss.books import LEDGER, BookState, Draft, JackpotAccounts, JackpotTerms, Submission, movement_of
from pitboss.jackpot import ConfirmDeposit, Jackpot, PlayReason, counting
from pitboss.jackpot.definitions import EscrowRule, PlaySet
from pitboss.jackpot.escrow import account_shortfalls, escrow_of, forecast_of, shortfall_units
from pitboss.jackpot.state import JACKPOTS, JackpotRecord, RoomJackpots
from pitboss.meters import open_meter, units_of
from tests.books.making import START, Room
from tests.facades import Jackpots
from tests.jackpot.hit_making import MANAGER, ROYAL, floor
from tests.jackpot.making import (
    DAY,
    TWO,
    Clock,
    define,
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

HOUR = DAY // 24


def deposit(jackpots: Jackpots, cents: int, *, arrive: bool = True, name: str = "main") -> int:
    at = jackpots.books.state("room").sequence
    sent = jackpots.send_deposit(name, cents, command=f"deposit-{at}", actor="Dora").entries[-1].sequence
    if arrive:
        jackpots.deposit_arrived(name, sent, command=f"arrived-{at}", actor="Dora")
    return sent


@contextmanager
def alone(room: Room, *jackpots: Jackpot, clock: Clock | None = None) -> Iterator[Jackpots]:
    """A room in which the seed is brought to the bank by the test itself."""
    with playing(room, clock=clock) as found:
        found.pays_seed = False
        for each in jackpots:
            define(found, each)
        yield found


def test_g_33_the_seed_is_at_the_bank_before_play_opens(sqlite_room: Room) -> None:
    """Seen: a progressive opened with $10,000 displayed and $0 at the bank, and played for a week."""
    with alone(sqlite_room, make_jackpot()) as jackpots:
        assert "short by $1,000.00" in refused(lambda: opened(jackpots, "main"))
        sent = deposit(jackpots, 999_99)
        assert "short by $0.01" in refused(lambda: opened(jackpots, "main"))
        last = deposit(jackpots, 1, arrive=False)
        # What is in transit is not there.
        assert "short by $0.01" in refused(lambda: opened(jackpots, "main"))
        assert sent < last
        jackpots.deposit_arrived("main", last, command="arrived", actor="Dora")
        opened(jackpots, "main")
        assert jackpots.displayed_cents("main") == 1_000_00
    assert sound(sqlite_room)


def test_g_33_a_deposit_is_confirmed_by_another_person_with_the_banks_reference(sqlite_room: Room) -> None:
    """Seen: deposit and arrival were one person, and there was no evidence."""
    with alone(sqlite_room, make_jackpot()) as jackpots:
        sent = deposit(jackpots, 1_000_00, arrive=False)

        def arrive(person: str, second: str, reference: str = "B-17") -> None:
            value = ConfirmDeposit(name="main", sequence=sent, reference=reference)
            jackpots.do(value, f"arrive-{person}-{second}-{reference.strip()}", person, second)

        assert "Dora sent it" in refused(lambda: arrive("Dora", "Max"))
        assert "dora sent it" in refused(lambda: arrive("dora", "Max"))
        assert "needs two people" in refused(lambda: arrive("Max", ""))
        assert "bank's reference" in refused(lambda: arrive("Max", "Dora", " "))
        arrive("Max", "Dora")
        assert jackpots.escrow("main").bank_units == units(1_000)


def test_g_33_j_19_contributions_are_due_after_seven_days(sqlite_room: Room) -> None:
    clock = Clock(START - START % HOUR)
    with playing(sqlite_room, make_jackpot(), clock=clock) as jackpots:
        assert jackpots.escrow("main").undeposited_units == 0
        press(jackpots, 1, [1, 2])
        clock.add_days(6)
        press(jackpots, 2, [1])
        escrow = jackpots.escrow("main")
        assert (escrow.undeposited_units, escrow.age_days, escrow.is_short) == (3 * 17_3000, 6, False)
        clock.add_days(1.1)
        escrow = jackpots.escrow("main")
        assert (escrow.shortfall_units, escrow.age_days) == (2 * 17_3000, 7)
        deposit(jackpots, 35)
        escrow = jackpots.escrow("main")
        assert (escrow.is_short, escrow.age_days) == (False, 1)


def test_g_33_j_19_a_shortfall_stops_the_game_until_the_money_has_arrived(room: Room) -> None:
    clock = Clock()
    with playing(room, make_jackpot(), clock=clock) as jackpots:
        press(jackpots, 1, [1])
        clock.add_days(7.1)
        told = refused(lambda: press(jackpots, 2, [1]))
        assert "the escrow of Final Four Jackpot is short by $0.173000: the game is stopped" in told
        record = jackpots.record("main")
        assert (record.play, record.play_reason) == ("suspended", "escrow-shortfall")
        assert jackpots.meter("main").wagers_counted == 1
        sent = deposit(jackpots, 18, arrive=False)
        assert "is short" in refused(lambda: opened(jackpots, "main", "again"))
        jackpots.deposit_arrived("main", sent, command="arrived", actor="Dora")
        opened(jackpots, "main", "again-2")
        jackpots.tabulate("4", 2, {"main": [1]}, command="4-2-again", actor="table 4")
        assert jackpots.review_escrow(command="r", actor="pitboss") is None
    assert sound(room)


def test_g_33_money_sent_again_counts_once_and_for_seven_days(sqlite_room: Room) -> None:
    """Seen: "sending" the same money again kept a short jackpot open to day 20."""
    clock = Clock()
    with playing(sqlite_room, make_jackpot(), clock=clock) as jackpots:
        press(jackpots, 1, [1, 2, 3])
        clock.add_days(6.9)
        first = deposit(jackpots, 52, arrive=False)
        clock.add_days(6.9)
        assert not jackpots.escrow("main").is_short
        deposit(jackpots, 52, arrive=False)
        clock.add_days(0.2)
        escrow = jackpots.escrow("main")
        assert (escrow.transit_units, escrow.shortfall_units) == (0, 3 * 17_3000)
        assert "is short" in refused(lambda: press(jackpots, 2, [1]))
        assert "no deposit of Final Four Jackpot by entry 3" in refused(
            lambda: jackpots.deposit_arrived("main", 3, command="a", actor="Dora")
        )
        jackpots.deposit_arrived("main", first, command="b", actor="Dora")
        assert not jackpots.escrow("main").is_short
        assert f"entry {first} is in transit" in refused(
            lambda: jackpots.deposit_arrived("main", first, command="c", actor="Dora")
        )
    assert sound(sqlite_room)


def test_g_33_every_progressive_of_the_account_is_suspended_and_no_bonus(sqlite_room: Room) -> None:
    clock = Clock()
    others = (make_jackpot("paid", tables=tables("5")), make_bonus(tables=tables("6")))
    with playing(sqlite_room, make_jackpot(), *others, clock=clock) as jackpots:
        assert jackpots.review_escrow(command="r1", actor="pitboss") is None
        press(jackpots, 1, [1])
        clock.add_days(8)
        assert jackpots.warnings() == [
            "Final Four Jackpot, table 4: the escrow is short by $0.173000, the game is stopped (J-19)"
        ]
        assert "escrow of Final Four Jackpot, table 4 is short" in refused(lambda: press(jackpots, 1, [1], "paid", "5"))
        assert {name: each.play for name, each in jackpots.room.jackpots.items()} == {
            "main": "suspended",
            "paid": "suspended",
            "daily": "open",
        }
        assert "escrow of Final Four Jackpot, table 4 is short" in refused(lambda: opened(jackpots, "paid", "again"))
        deposit(jackpots, 18)
        opened(jackpots, "paid", "again-2")
        opened(jackpots, "main", "again-3")
    assert sound(sqlite_room)


def test_j_18_after_a_seizure_play_opens_when_the_bank_holds_what_is_displayed(sqlite_room: Room) -> None:
    with playing(sqlite_room, make_jackpot()) as jackpots:
        jackpots.suspend("main", words="levy", command="s", actor="Bob", reason=PlayReason.SEIZURE)
        jackpots.withdraw("main", 400_00, words="levy of the county", command="w", **TWO)
        assert "after a seizure" in refused(lambda: opened(jackpots, "main", "again"))
        deposit(jackpots, 400_00)
        opened(jackpots, "main", "again-2")
        assert "would be -$" in refused(lambda: jackpots.withdraw("main", 1_000_01, words="w", command="x", **TWO))
    assert sound(sqlite_room)


def test_the_forecast_warns_days_ahead(sqlite_room: Room) -> None:
    clock = Clock(START - START % HOUR)
    with playing(sqlite_room, make_jackpot(), clock=clock) as jackpots:
        assert jackpots.forecast("main").days(clock.now) is None
        for number in range(1, 5):
            press(jackpots, number, [1, 2, 3, 4, 5])
        clock.add_days(4)
        assert jackpots.forecast("main").days(clock.now) == 2
        assert jackpots.warnings() == [
            "Final Four Jackpot: $3.46 is not deposited, and the game stops in 2 days (J-19)"
        ]
        deposit(jackpots, 3_46)
        # All is deposited: what comes from now on is due in seven days.
        assert jackpots.forecast("main").days(clock.now) == 7
        # $3.46 in four days, so that $1.73 more last two days more.
        deposit(jackpots, 1_73)
        assert jackpots.forecast("main").days(clock.now) == 9


def test_g_33_what_the_fund_owes_to_a_winner_stays_at_the_bank_until_it_is_paid(quick_path: Path) -> None:
    """Seen: $9,500 were withdrawn before the winner was paid: a called prize did not count as owed."""
    with floor(quick_path / "room") as at:
        jackpots = at.jackpots

        def withdraw(cents: int) -> str:
            return refused(lambda: jackpots.withdraw("main", cents, words="prize", command=at.id(), **TWO))

        at.press()
        shown, bank = at.displayed(), jackpots.escrow("main").bank_units
        hit = at.call((1, ROYAL))
        escrow = jackpots.escrow("main")
        assert escrow.owed_units == units_of(shown)
        assert escrow.held_units + escrow.owed_units > bank
        for cents in (1, 9_500_00):
            assert "owed to winners (G-33" in withdraw(cents)
        at.whole(hit, MANAGER)
        escrow = jackpots.escrow("main")
        assert escrow.owed_units == 0
        free = (bank - escrow.held_units) // units_of(1)
        assert free > 0
        assert "G-33" in withdraw(free + 1)
        jackpots.withdraw("main", free, words="prize", command=at.id(), **TWO)


def test_g_33_books_of_before_are_judged_by_the_rule_of_then(sqlite_room: Room) -> None:
    """An opening of before version 0.3 states no rule: the seed had seven days."""
    clock = Clock()
    with alone(sqlite_room, make_jackpot(), clock=clock) as jackpots:
        terms = make_jackpot().meter
        drafts = [
            Draft(movement_of("jackpot-opened", "main", None, open_meter(terms), approved_by="Carla")),
            Draft(PlaySet(name="main", play="open", reason=PlayReason.BUSINESS, words="w", approved_by="Carla")),
        ]
        opening = Submission(book="room", id="old", actor="Ada", content=[], decide=lambda _: drafts)
        jackpots.books.submit(opening)
        assert b"escrow" not in b"".join(e.payload.encode() for e in sqlite_room.entries() if e.kind == "play-opened")
        jackpots.books.submit(
            jackpots._submission(
                lambda state: counting.count_round(state, "4", 1, {"main": [1]}), [], "4", command="p", actor="table 4"
            )
        )
        assert not jackpots.escrow("main").is_short
        # The room of today reviews it by the rule of today, under which an accrual has seven days.
        assert jackpots.review_escrow(command="r", actor="pitboss") is None
        clock.add_days(7.1)
        assert jackpots.escrow("main").shortfall_units == units(1_000) + 17_3000
        assert jackpots.review_escrow(command="r2", actor="pitboss") is not None
    assert sound(sqlite_room)


SCALE = 10**6
accruals = st.lists(st.tuples(st.integers(0, 7 * 24), st.integers(1, 500)), max_size=6, unique_by=lambda each: each[0])
transits = st.lists(st.tuples(st.integers(0, 7 * 24), st.integers(1, 800)), max_size=3)


rules: st.SearchStrategy[EscrowRule] = st.sampled_from(["", "commercial", "none"])


@given(
    accruals, transits, st.integers(0, 2_000), st.integers(0, 2_000), st.integers(0, 900), rules, st.integers(1, 480)
)
def test_the_forecast_is_the_first_hour_at_which_the_escrow_is_short(
    came: list[tuple[int, int]],
    on_way: list[tuple[int, int]],
    older: int,
    bank: int,
    owed: int,
    rule: EscrowRule,
    ahead: int,
) -> None:
    """An independent road: ask the escrow every hour from now on; nothing accrues and nothing is deposited."""
    now = START - START % HOUR
    lots = tuple(sorted((now - hours * HOUR, units * SCALE) for hours, units in came))
    sent = tuple((place, now - hours * HOUR, units * SCALE) for place, (hours, units) in enumerate(on_way))
    held = sum(each for _, each in lots) + older * SCALE
    balances = {"displayed": held, "reserve": 0, "overflow": 0, "escrow-bank": bank * SCALE}
    balances["escrow-transit"] = sum(each for _, _, each in sent)
    accounts = JackpotAccounts(JackpotTerms("progressive", 100, None), balances, {})
    owes = {"9": (owed * SCALE, (owed + 5) * SCALE)}
    record = JackpotRecord(make_jackpot(), accruals=lots, in_transit=sent, owed=owes, escrow=rule)
    forecast = forecast_of(record, accounts, now)
    moment = now + ahead * HOUR
    short = escrow_of(record, accounts, moment).is_short
    assert shortfall_units(record, accounts, moment) == escrow_of(record, accounts, moment).shortfall_units
    fresh = sum(each for _, since, each in sent if moment - since <= 7 * DAY)
    stale = sum(each for _, _, each in sent) - fresh
    covered = balances["escrow-bank"] + (max(0, fresh - stale) if rule else fresh)
    due = held + (owed * SCALE if rule else 0) - sum(each for hour, each in lots if moment - hour <= 7 * DAY)
    assert short == (rule != "none" and due > covered)
    if short:
        assert forecast.short_at is not None
        assert forecast.short_at <= moment
    elif forecast.short_at is not None and moment <= now + 7 * DAY:
        assert forecast.short_at > moment or not _later_covered(record, accounts, forecast.short_at, moment)


def _later_covered(record: JackpotRecord, accounts: JackpotAccounts, first: int, moment: int) -> bool:
    """Once short it stays so where nothing is deposited."""
    return escrow_of(record, accounts, first).is_short and not escrow_of(record, accounts, moment).is_short


def test_a_week_of_accruals_is_kept_by_the_hour_and_no_more(sqlite_room: Room) -> None:
    clock = Clock(START - START % HOUR)
    with playing(sqlite_room, make_jackpot(), clock=clock) as jackpots:
        deposit(jackpots, 5_000_00)
        for number in range(1, 61):
            press(jackpots, number, [1])
            clock.add_days(1 / 48 if number < 20 else 1 / 2)
        accruals = jackpots.record("main").accruals
        assert len({hour for hour, _ in accruals}) == len(accruals) <= 17
        assert all(hour % HOUR == 0 and clock.now - hour <= 9 * DAY for hour, _ in accruals)
    assert sound(sqlite_room)


def test_withdrawals_and_deposits_are_whole_cents(sqlite_room: Room) -> None:
    with playing(sqlite_room, make_jackpot()) as jackpots:
        for wrong in (0, -1, 1.5):
            with pytest.raises(ValueError, match="whole number"):
                jackpots.send_deposit("main", wrong, command=f"d{wrong}", actor="Dora")


moves = st.lists(
    st.tuples(
        st.integers(0, 2),  # whose meter moves, if any
        st.integers(0, 900),  # by how much it grows
        st.booleans(),  # whether it is a deposit on its way instead
        st.sampled_from([0, 1, HOUR // 2, HOUR - 1, HOUR, HOUR + 1, DAY, 7 * DAY - 1, 7 * DAY, -HOUR]),
    ),
    max_size=14,
)


@example([(0, 100, False, 7 * DAY - 1), (2, 0, False, 2)], 0)
@given(moves, st.integers(0, 1_500))
def test_j_19_an_account_is_as_short_as_its_progressives_are_by_themselves(
    steps: list[tuple[int, int, bool, int]], bank: int
) -> None:
    """What was found covered is not asked for again; whatever moves or falls due, the answer is the plain one."""
    now = START - START % HOUR
    names, terms = ("first", "second"), JackpotTerms("progressive", 100, None)
    records = {name: JackpotRecord(make_jackpot(name), escrow="commercial") for name in names}
    balances = {"displayed": 0, "reserve": 0, "overflow": 0, "escrow-bank": bank * SCALE, "escrow-transit": 0}
    ledger = {name: JackpotAccounts(terms, balances, {}) for name in names}
    for whose, more, is_sent, later in steps:
        if whose < len(names):
            name = names[whose]
            record, held = records[name], ledger[name].balances["displayed"]
            if is_sent:
                records[name] = record._replace(in_transit=(*record.in_transit, (len(steps), now, more * SCALE)))
            else:
                records[name] = record._replace(accruals=(*record.accruals, (now - now % HOUR, more * SCALE)))
                ledger[name] = JackpotAccounts(terms, {**balances, "displayed": held + more * SCALE}, {})
        now += later
        parts = {JACKPOTS.name: RoomJackpots(dict(records), {}), LEDGER.name: dict(ledger)}
        state = BookState(1, b"", now, parts)
        plain = {name: shortfall_units(records[name], ledger[name], now) for name in names}
        expected = {name: units for name, units in plain.items() if units}
        for _ in range(2):
            assert expected == account_shortfalls(state, records["first"].jackpot, now)
