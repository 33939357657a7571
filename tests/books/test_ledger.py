"""The double-entry ledger as a fold: against the meters, against a naive twin, and what is refused at the door."""

from __future__ import annotations

from collections import Counter
from fractions import Fraction
from typing import Any

import pytest
from hypothesis import HealthCheck, given
from hypothesis import strategies as st

from pitboss.books import (
    LEDGER,
    MOVEMENTS,
    BookState,
    Draft,
    Entry,
    JackpotTerms,
    LedgerAccount,
    LedgerTransfer,
    Movement,
    RefusedError,
    Submission,
    count_of,
    folding_of,
    movement_of,
    read_payload,
    write_payload,
)
from pitboss.books.audit.auditor import AuditedBook, audit_rows, disagreements
from pitboss.books.journal.writer import drafted
from pitboss.meters import Account, MeterTerms, contribute, open_meter, units_of
from tests.books.making import BOOK, Room, balances, command, counting, hitting, moving, opening
from tests.examples import examples
from tests.meters.events import live, lives
from tests.meters.making import bonus, progressive, usd

KINDS = {
    "contribute": "wagers-counted",
    "refund": "wagers-refunded",
    "hit": "prize-called",
    "reject": "prize-rejected",
    "raise": "meter-adjusted",
    "lower": "meter-adjusted",
    "book": "receipts-booked",
    "seed_other": "other-seeded",
    "correct": "count-corrected",
    "cap": "terms-changed",
    "post": "bonus-posted",
}


def said_of(kind: str) -> dict[str, Any]:
    said: dict[str, Any] = {"words": "because"} if MOVEMENTS[kind].words else {}
    return said | ({"approved_by": "Carla"} if MOVEMENTS[kind].approval else {})


GIVER = [
    movement_of("jackpot-opened", "k", None, open_meter(progressive())),
    Movement("meter-adjusted", "k", (LedgerTransfer("house", "reserve", 10**15),), **said_of("meter-adjusted")),
    Movement("other-seeded", "k", (LedgerTransfer("reserve", "other-meters", 10**15),), **said_of("other-seeded")),
]
"""Another meter that has given much to others."""


def written(movements: list[Movement]) -> tuple[list[Entry], BookState]:
    """Write movements through the same door as the writer, without a store."""
    folding = folding_of()
    state, entries = folding.empty(), list[Entry]()
    for number, movement in enumerate(movements):
        asked = Submission(
            book=BOOK,
            id=str(number),
            actor="Bob",
            content=None,
            decide=lambda _, m=movement: [Draft(m)],  # type: ignore[misc]
        )
        made, state = drafted(asked, asked.request, state, folding, 1)
        entries += made
    return entries, state


def movements_of(drawn: tuple[MeterTerms, list[tuple[Any, ...]]]) -> tuple[list[Movement], Any]:
    life = live(*drawn)
    movements = [*GIVER, movement_of("jackpot-opened", "j", None, life.opened)]
    for step in life.steps:
        if step.change is not None:
            kind = KINDS[step.kind]
            movements.append(movement_of(kind, "j", step.before, step.change, **said_of(kind)))
    return movements, life.last


@given(lives)
@examples(30, suppress_health_check=[HealthCheck.too_slow])
def test_j_09_any_life_of_a_meter_put_in_the_books_folds_to_the_meter(drawn: Any) -> None:
    movements, last = movements_of(drawn)
    _, state = written(movements)
    accounts = state.of(LEDGER)["j"]

    assert last.state == accounts.meter_state
    assert 0 == sum(accounts.balances.values())
    assert JackpotTerms(last.terms.jackpot_type, last.terms.wager_cents, last.terms.cap_cents) == accounts.terms


@given(lives)
@examples(15, suppress_health_check=[HealthCheck.too_slow])
def test_the_auditor_expects_what_the_ledger_says(drawn: Any) -> None:
    entries, state = written(movements_of(drawn)[0])
    audited = audit_rows(entries, AuditedBook())
    ledger = state.of(LEDGER)
    told = (
        {name: each.balances for name, each in ledger.items()},
        {name: each.counts for name, each in ledger.items()},
        {name: each.terms for name, each in ledger.items()},
    )

    assert [] == audited.objections
    assert [] == disagreements(audited, *told)
    wrong = told[0] | {"j": dict(ledger["j"].balances) | {"paid": 1}}
    assert ["balance paid of j is 1 in the ledger, 0 by the auditor"] == disagreements(audited, wrong, *told[1:])


@given(lives)
@examples(15, suppress_health_check=[HealthCheck.too_slow])
def test_a_sealed_state_is_read_back_as_it_was(drawn: Any) -> None:
    entries, state = written(movements_of(drawn)[0])
    folding = folding_of()
    middle = folding.empty()
    for entry in entries[: len(entries) // 2]:
        middle = folding.fold(middle, entry)
    resumed = folding.unseal(folding.seal(middle))
    assert resumed is not None
    for entry in entries[len(entries) // 2 :]:
        resumed = folding.fold(resumed, entry)

    assert folding.seal(state) == folding.seal(resumed)
    assert state.of(LEDGER) == resumed.of(LEDGER)


def test_the_ledger_has_every_account_of_a_meter_and_those_behind_it() -> None:
    ours = {account.value for account in LedgerAccount}

    assert {account.value for account in Account} < ours
    assert {"paid", "cash", "escrow-transit", "escrow-bank"} == ours - {account.value for account in Account}


def test_the_ledger_agrees_with_adding_up_every_transfer(room: Room) -> None:
    with room.open() as books:
        for jackpot in ("one", "two"):
            books.submit(opening(jackpot))
        for number in range(12):
            books.submit(counting(f"c{number}", number, "one" if number % 3 else "two"))
        books.submit(hitting("h", 500, "one"))
        expected: Counter[tuple[str, str]] = Counter()
        for entry in room.entries()[1:]:
            value = read_payload(entry.kind, entry.payload)
            assert isinstance(value, Movement)
            for transfer in value.transfers:
                expected[value.jackpot, transfer.payer] -= transfer.units
                expected[value.jackpot, transfer.payee] += transfer.units
        for jackpot in ("one", "two"):
            assert balances(books, jackpot) == {account: expected[jackpot, account] for account in LedgerAccount}
        assert usd("5") == balances(books, "one")["paid"]
        assert 0 == balances(books, "one")["winners"]


def test_j_07_a_million_wagers_at_17_3_percent_are_exactly_173_000_dollars() -> None:
    terms = progressive(seed_cents=0)
    opened = movement_of("jackpot-opened", "j", None, open_meter(terms))
    _, state = written([opened])
    folding = folding_of()
    for number in range(100):
        before = state.of(LEDGER)["j"].meter_state
        counted = movement_of("wagers-counted", "j", before, contribute(before, terms, 10_000))
        asked = Submission(book=BOOK, id=f"c{number}", actor="t", content=None, decide=lambda _, m=counted: [Draft(m)])  # type: ignore[misc]
        _, state = drafted(asked, asked.request, state, folding, 1)

    assert units_of(173_000_00) == state.of(LEDGER)["j"].balances["displayed"]
    assert -units_of(1_000_000_00) == state.of(LEDGER)["j"].balances["wagers"]


def test_j_01_a_bonus_display_stays_whatever_is_wagered(room: Room) -> None:
    terms = bonus()
    with room.open() as books:
        books.submit(opening("b", terms))
        for number in range(5):
            books.submit(counting(f"c{number}", 3, "b", terms))
        accounts = books.state(BOOK).of(LEDGER)["b"]

    assert units_of(250_00) == accounts.balances["displayed"] == -accounts.balances["posting"]
    assert units_of(15_00) == accounts.balances["house-share"]
    assert 0 == accounts.held_units


T = LedgerTransfer
WRONG: list[tuple[str, Movement, str]] = [
    (
        "J-15",
        Movement("meter-adjusted", "main", (T("other-meters", "displayed", 5),), words="w", approved_by="C"),
        "$0.000005 came from other meters and left none",
    ),
    (
        "J-09",
        Movement("meter-adjusted", "main", (T("house", "displayed", 5),), approved_by="Carla"),
        "explained in words",
    ),
    (
        "T-06",
        Movement("meter-adjusted", "main", (T("house", "displayed", 5),), words="w"),
        "approval of a second person",
    ),
    (
        "T-18",
        Movement("meter-adjusted", "main", (T("house", "displayed", 5),), words="w", approved_by="BOB"),
        "Bob approves a change of their own",
    ),
    (
        "J-14",
        Movement("prize-called", "main", (T("displayed", "winners", 5),)),
        "the displayed of main goes down by $0.000005 for none of the five reasons",
    ),
    (
        "J-14",
        Movement("prize-called", "main", (T("reserve", "house", 5, "because"),)),
        "'because' is none of the five reasons",
    ),
    (
        "J-03",
        Movement("prize-called", "main", (T("overflow", "receipts", 5, "booked-as-receipts"),)),
        "overflow of main would be -$0.000005",
    ),
    ("G-3", Movement("wagers-counted", "main", (T("wagers", "displayed", 1.5),)), "no floats"),  # type: ignore[arg-type]
    ("G-3", Movement("wagers-counted", "main", (T("wagers", "displayed", True),)), "True must be a whole number"),
    (
        "G-3",
        Movement("wagers-counted", "main", (T("wagers", "displayed", -5),)),
        "-5 must be a whole number of units, more than 0",
    ),
    (
        "J-07",
        Movement("wagers-counted", "main", (T("wagers", "displayed", 5),), {"wagers_counted": 1}),
        "has counted wagers of $1.00, and $0.000005 were taken in",
    ),
    ("M-11", Movement("wagers-counted", "main", (), {"hits": -1}), "hits of main would move by -1"),
    ("M-11", Movement("wagers-counted", "main", (), {"wins": 1}), "wins of main would move by 1"),
    (
        "M-11",
        Movement("prize-rejected", "main", (), {"hits_rejected": 1}, words="w", approved_by="C"),
        "hits_rejected of main would pass hits",
    ),
    ("J-01", Movement("wagers-counted", "other", ()), "jackpot 'other' has not been opened"),
    (
        "J-01",
        Movement("jackpot-opened", "main", terms=JackpotTerms("progressive", 100, None)),
        "jackpot 'main' is open already",
    ),
    (
        "J-01",
        Movement("terms-changed", "main", terms=JackpotTerms("bonus", 100, None), words="w", approved_by="C"),
        "the type of a jackpot does not change",
    ),
    (
        "J-10",
        Movement("terms-changed", "main", terms=JackpotTerms("progressive", 100, 999_99), words="w", approved_by="C"),
        "the display of main at $1,000.00 is above its cap $999.99",
    ),
    (
        "G-11",
        Movement("correction", "main", (T("house", "displayed", 5),), words="w", approved_by="C"),
        "a correction names an earlier entry",
    ),
    (
        "G-11",
        Movement(
            "correction",
            "main",
            (T("house", "displayed", 5),),
            words="w",
            approved_by="C",
            reason="mistyped",
            corrects=3,
        ),
        "a correction names an earlier entry",
    ),
    (
        "J-03",
        Movement("wagers-counted", "main", (T("pocket", "displayed", 5),)),
        "no transfer goes from 'pocket' to 'displayed'",
    ),
    (
        "J-19",
        Movement("escrow-arrived", "main", (T("escrow-transit", "escrow-bank", 5),)),
        "escrow-transit of main would be -$0.000005",
    ),
]


@pytest.mark.parametrize(("clause", "movement", "words"), WRONG, ids=[f"{each[0]} {each[2][:30]}" for each in WRONG])
def test_g_31_what_would_break_an_invariant_is_refused_at_the_door(
    sqlite_room: Room, clause: str, movement: Movement, words: str
) -> None:
    assert clause
    with sqlite_room.open() as books:
        books.submit(opening())
        before = books.state(BOOK)
        with pytest.raises(RefusedError) as caught:
            books.submit(command("m", lambda _: [Draft(movement)]))
        assert words in str(caught.value)
        assert before == books.state(BOOK)
    assert 2 == len(sqlite_room.entries())


def test_everything_wrong_is_told_at_once(sqlite_room: Room) -> None:
    wrong = Movement("correction", "main", (T("displayed", "house", 5), T("reserve", "house", -1)))
    with sqlite_room.open() as books:
        books.submit(opening())
        with pytest.raises(RefusedError) as caught:
            books.submit(moving("m", wrong))
    assert 5 <= len(caught.value.problems)


def test_g_11_a_correction_is_a_new_entry_with_a_reason(room: Room) -> None:
    correction = Movement(
        "correction",
        "main",
        (T("displayed", "house", usd("2"), "equipment-malfunction"),),
        words="counted on the wrong table",
        approved_by="Carla",
        reason="wrong-table",
        corrects=2,
    )
    with room.open() as books:
        books.submit(opening())
        before = room.entries()
        books.submit(moving("k", correction))
        assert usd("998") == balances(books)["displayed"]

    assert before == room.entries()[:-1]
    assert correction == read_payload("correction", room.entries()[-1].payload)
    assert room.read().is_sound


def test_j_19_escrow_goes_to_the_bank_by_way_of_transit(room: Room) -> None:
    sent = Movement("escrow-sent", "main", (T("cash", "escrow-transit", usd("300")),))
    arrived = Movement("escrow-arrived", "main", (T("escrow-transit", "escrow-bank", usd("300")),))
    with room.open() as books:
        books.submit(opening())
        books.submit(moving("s", sent))
        books.submit(moving("a", arrived))
        found = balances(books)

    assert (-usd("300"), 0, usd("300")) == (found["cash"], found["escrow-transit"], found["escrow-bank"])


names = st.text(st.characters(codec="utf-8"), max_size=8)
transfers = st.builds(
    LedgerTransfer,
    names,
    names,
    st.integers(-(2**70), 2**70),
    st.one_of(st.none(), names),
    names,
)


@given(
    st.builds(
        Movement,
        kind=st.sampled_from(sorted(MOVEMENTS)),
        jackpot=names,
        transfers=st.lists(transfers, max_size=3).map(tuple),
        counts=st.dictionaries(names, st.integers(), max_size=2),
        terms=st.one_of(st.none(), st.builds(JackpotTerms, names, st.integers(), st.one_of(st.none(), st.integers()))),
        words=names,
        approved_by=names,
        reason=names,
        corrects=st.one_of(st.none(), st.integers()),
        details=st.dictionaries(names, st.one_of(st.integers(), names, st.lists(st.booleans())), max_size=2),
    )
)
def test_movements_are_read_as_they_were_written(movement: Movement) -> None:
    assert movement == read_payload(movement.kind, write_payload(movement))


@pytest.mark.parametrize("rate", ["0.173", "0.000001"])
def test_units_are_those_of_the_meters(rate: str) -> None:
    terms = progressive(display_rate=Fraction(rate))
    opened = movement_of("jackpot-opened", "j", None, open_meter(terms))
    _, state = written([opened])
    before = state.of(LEDGER)["j"].meter_state
    counted = movement_of("wagers-counted", "j", before, contribute(before, terms, 1))

    assert Fraction(rate) * units_of(100) == counted.transfers[0].units


@given(st.integers(0, 50), st.integers(0, 400), st.sampled_from(["0.173", "1", "0.000001"]), st.booleans())
def test_a_count_without_states_is_the_movement_of_a_contribution(
    wagers: int, before: int, rate: str, capped: bool
) -> None:
    terms = progressive(display_rate=Fraction(rate), reserve_rate=Fraction(0), cap_cents=1_020_00 if capped else None)
    state = contribute(open_meter(terms).state, terms, before).state
    expected = movement_of("wagers-counted", "j", state, contribute(state, terms, wagers), details={"round": 1})

    assert expected == count_of("j", state.displayed_units, terms, wagers, {"round": 1})
