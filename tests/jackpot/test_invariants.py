"""Invariants of jackpots stop entries that some other code would write, and an audit finds those that were written."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from pitboss.books import LEDGER, BookState, Draft, Folding, LedgerTransfer, Movement, Submission, movement_of
from pitboss.jackpot import INVARIANTS, JackpotSet, PlayReason, PlaySet
from pitboss.meters import change_terms, contribute, correct_count
from tests.books.making import Room
from tests.facades import Jackpots
from tests.jackpot.making import audited, closed, make_jackpot, playing, press, refused, sound, units, with_meter

DETAILS = {"round": 9, "seats": [1, 2]}


def write(jackpots: Jackpots, *values: Any, table: str = "4", command: str = "raw", actor: str = "Eve") -> None:
    """Write entries as code that knows nothing of jackpots would."""
    made = [Draft(value) for value in values]
    asked = Submission(book="room", id=command, actor=actor, content=["raw"], decide=lambda _: made, table=table)
    jackpots.books.submit(asked)


def counted(jackpots: Jackpots, wagers: int = 2, **details: Any) -> Movement:
    meter = jackpots.meter("main")
    change = contribute(meter, jackpots.record("main").jackpot.meter, wagers)
    return movement_of("wagers-counted", "main", meter, change, details={**DETAILS, **details})


def test_no_wager_is_counted_that_its_seats_do_not_have_nor_twice_nor_elsewhere(sqlite_room: Room) -> None:
    with playing(sqlite_room, make_jackpot()) as jackpots:
        press(jackpots, 8, [1])
        assert "3 wagers of main are counted and 2 at its seats" in refused(
            lambda: write(jackpots, counted(jackpots, 3))
        )
        assert "'5' is not linked" in refused(lambda: write(jackpots, counted(jackpots), table="5"))
        assert "does not follow" in refused(lambda: write(jackpots, counted(jackpots, round=8)))
        assert "does not follow" in refused(lambda: write(jackpots, counted(jackpots), counted(jackpots)))
        assert "is none" in refused(lambda: write(jackpots, counted(jackpots, round=True)))
        bare = counted(jackpots)._replace(details={})
        assert "and 0 at its seats" in refused(lambda: write(jackpots, bare))
        missed = counted(jackpots, missed=True, round=8)
        assert "needs the approval of a second person" in refused(lambda: write(jackpots, missed))
        closed(jackpots, "main")
        assert "main is closed" in refused(lambda: write(jackpots, counted(jackpots)))
        assert jackpots.meter("main").wagers_counted == 1
    assert sound(sqlite_room)


def test_parameters_do_not_change_while_play_is_open_nor_in_the_ledger_alone(sqlite_room: Room) -> None:
    jackpot = make_jackpot()
    capped = with_meter(jackpot, cap_cents=5_000_00)
    with playing(sqlite_room, jackpot) as jackpots:
        meter = jackpots.meter("main")
        said = {"words": "w", "approved_by": "Carla"}
        change = change_terms(meter, jackpot.meter, capped.meter, words="w")
        terms = movement_of("terms-changed", "main", meter, change, **said)
        defined = JackpotSet(jackpot=capped, words="w", approved_by="Carla", first=False)
        for values in ((terms,), (defined,), (defined, terms)):
            assert "main is open" in refused(lambda it=values: write(jackpots, *it))  # type: ignore[misc]
        closed(jackpots, "main")
        for values in ((terms,), (defined,)):
            assert "not those of its definition" in refused(lambda it=values: write(jackpots, *it))  # type: ignore[misc]
        assert "defined already" in refused(lambda: write(jackpots, replace(defined, first=True)))
        write(jackpots, defined, terms)
        assert jackpots.record("main").jackpot == capped
    assert sound(sqlite_room)


@pytest.mark.parametrize("approver", ["", " ", "eve", "EVE"])
def test_nobody_sets_or_opens_a_jackpot_alone(sqlite_room: Room, approver: str) -> None:
    with playing(sqlite_room, make_jackpot()) as jackpots:
        closed(jackpots, "main")
        alone = (
            JackpotSet(jackpot=make_jackpot("new"), words="w", approved_by=approver, first=True),
            PlaySet(name="main", play="open", reason=PlayReason.BUSINESS, words="w", approved_by=approver),
        )
        for value in alone:
            assert "approv" in refused(lambda it=value: write(jackpots, it))  # type: ignore[misc]
        silent = PlaySet(name="main", play="suspended", reason=PlayReason.BUSINESS, words=" ")
        assert "says why in words" in refused(lambda: write(jackpots, silent))
        unknown = replace(silent, name="nothing", words="w")
        assert refused(lambda: write(jackpots, unknown))


def test_counts_taken_back_and_deposits_are_those_that_were_made(sqlite_room: Room) -> None:
    with playing(sqlite_room, make_jackpot()) as jackpots:
        sequence = press(jackpots, 1, [1, 2])
        meter = jackpots.meter("main")
        change = correct_count(meter, jackpots.record("main").jackpot.meter, 1, generation=1, words="w")
        said: dict[str, Any] = {"words": "w", "approved_by": "Ada", "reason": "equipment-malfunction"}
        taken = movement_of("count-corrected", "main", meter, change, corrects=sequence, **said)
        assert "not those of its seats" in refused(lambda: write(jackpots, taken))
        arrived = Movement("escrow-arrived", "main", (LedgerTransfer("escrow-transit", "escrow-bank", 5),))
        assert refused(lambda: write(jackpots, arrived))
        sent = Movement("escrow-sent", "main", (LedgerTransfer("cash", "escrow-transit", units(5)),))
        write(jackpots, sent, command="sent")
        wrong = arrived._replace(details={"sent": jackpots.record("main").in_transit[0][0]})
        assert "not those that were sent" in refused(lambda: write(jackpots, wrong))
    assert sound(sqlite_room)


def test_an_audit_finds_what_was_written_past_the_door(sqlite_room: Room, monkeypatch: pytest.MonkeyPatch) -> None:
    with playing(sqlite_room, make_jackpot()) as jackpots:
        monkeypatch.setattr(Folding, "step_findings", lambda *_: [])
        write(jackpots, counted(jackpots, 3), command="a")
        write(jackpots, counted(jackpots, round=9), table="5", command="b")
        alone = PlaySet(name="main", play="open", reason=PlayReason.BUSINESS, words="w", approved_by="Eve")
        write(jackpots, alone, command="c")
        monkeypatch.undo()
    report = audited(sqlite_room)
    assert not report.is_sound
    broken = {finding.invariant for finding in report.findings}
    assert broken == {"jackpot-counts", "jackpot-agreement", "jackpot-approval"}


def to_the_house(movement: Movement) -> Movement:
    """A count whose contribution goes to the house in place of the meter."""
    moved = (transfer._replace(payee="house-share") for transfer in movement.transfers)
    return movement._replace(transfers=tuple(moved))


def test_an_audit_compares_every_contribution_with_the_rate_in_force(
    sqlite_room: Room, monkeypatch: pytest.MonkeyPatch
) -> None:
    with playing(sqlite_room, make_jackpot()) as jackpots:
        press(jackpots, 8, [1])
        theft = to_the_house(counted(jackpots))
        assert "2 wagers of main are not shared as the rates in force demand" in refused(lambda: write(jackpots, theft))
        monkeypatch.setattr(Folding, "step_findings", lambda *_: [])
        for number in range(9, 14):
            write(jackpots, to_the_house(counted(jackpots, round=number)), command=f"theft {number}")
        monkeypatch.undo()
        press(jackpots, 14, [1])
    report = audited(sqlite_room)
    assert 5 * ["jackpot-rates"] == [finding.invariant for finding in report.findings]


def test_a_miscount_is_taken_back_at_the_rates_in_force(sqlite_room: Room, monkeypatch: pytest.MonkeyPatch) -> None:
    """Seen: what was taken back was compared with its seats, and not with what they had brought."""
    with playing(sqlite_room, make_jackpot()) as jackpots:
        sequence, meter = press(jackpots, 8, [1]), jackpots.meter("main")
        change = correct_count(meter, jackpots.record("main").jackpot.meter, 1, generation=1, words="w")
        details = {"round": 8, "seat_counts": [[1, 1]]}
        said: dict[str, Any] = {"words": "w", "approved_by": "Max", "reason": "equipment-malfunction"}
        right = movement_of("count-corrected", "main", meter, change, corrects=sequence, details=details, **said)
        moved = (each._replace(payer="displayed") if each.payer == "house-share" else each for each in right.transfers)
        theft = right._replace(transfers=tuple(moved))
        assert "1 wagers of main are not taken back at the rates in force" in refused(lambda: write(jackpots, theft))
        monkeypatch.setattr(Folding, "step_findings", lambda *_: [])
        write(jackpots, theft, command="theft")
        monkeypatch.undo()
    assert "jackpot-reversals" in {finding.invariant for finding in audited(sqlite_room).findings}


def test_books_opened_without_jackpots_are_left_alone_by_their_invariants(sqlite_room: Room) -> None:
    with playing(sqlite_room, make_jackpot()) as jackpots:
        press(jackpots, 1, [1])
    with sqlite_room.open() as books:
        assert () == books.halted

        def decide(state: BookState) -> list[Draft]:
            meter = state.of(LEDGER)["main"].meter_state
            return [Draft(movement_of("wagers-counted", "main", meter, contribute(meter, make_jackpot().meter, 0)))]

        books.submit(Submission(book="room", id="x", actor="a", content=[], decide=decide))


def test_every_invariant_of_jackpots_names_its_source() -> None:
    ours = [each for each in INVARIANTS if each.name.startswith("jackpot-")]
    assert {source for each in ours for source in each.sources} >= {
        "section 10 no. 4",
        "section 10 no. 6",
        "section 10 no. 10",
        "T-16",
    }
