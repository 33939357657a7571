"""Progressive jackpots in the books: seed, contributions, cap and overflow, counts, corrections, changes, five reasons."""

from __future__ import annotations

import datetime
from fractions import Fraction
from typing import Any

import pytest

from pitboss.books import Answer, microseconds, read_payload
from pitboss.jackpot import Jackpot, JackpotSet, PlayReason, offer_of
from pitboss.meters import Account, DecreaseReason, contribute, open_meter, units_of, units_text
from tests.books.making import Room
from tests.facades import Jackpots
from tests.jackpot.making import (
    STC,
    TWO,
    Clock,
    call,
    closed,
    define,
    final_four,
    make_jackpot,
    opened,
    playing,
    press,
    refused,
    sound,
    tables,
    units,
    with_meter,
)
from tests.meters.making import progressive


def test_j_07_a_round_adds_exactly_its_seats_times_the_rate(room: Room) -> None:
    terms = progressive(reserve_rate=Fraction("0.05"))
    with playing(room, make_jackpot(meter=terms)) as jackpots:
        press(jackpots, 1, [1, 3, 6])
        press(jackpots, 2, [])
        press(jackpots, 3, [2])
        meter = jackpots.meter("main")
    assert units_text(meter.displayed_units) == "$1,000.692000"
    assert meter.reserve_units == 4 * units_of(5)
    assert meter == contribute(open_meter(terms).state, terms, 4).state
    assert sound(room)


def test_the_definition_is_in_the_journal_whole_and_reads_back_to_itself(sqlite_room: Room) -> None:
    jackpot = make_jackpot(meter=progressive(cap_cents=50_000_00, batch_wagers_max=7))
    with playing(sqlite_room, jackpot) as jackpots:
        assert jackpots.record("main").jackpot == jackpot
    entry = next(each for each in sqlite_room.entries() if each.kind == "jackpot-defined")
    value = read_payload(entry.kind, entry.payload)
    assert isinstance(value, JackpotSet)
    assert value.jackpot == jackpot
    assert value.jackpot.offers[0].levels[0].event == "4-card diamond Royal"
    assert [str(prize.pay) for prize in value.jackpot.offers[0].levels] == ["100% of the meter", "10% of the meter"]
    assert "4-card Royal" in value.jackpot.terms_of(value.jackpot.offers[0]).canonical


def test_t_10_the_state_after_reopening_is_the_state_before(room: Room) -> None:
    with playing(room, make_jackpot(), snapshot_every=4) as jackpots:
        for number in range(1, 12):
            press(jackpots, number, [1, 2, 3][: number % 4])
        before, shown = jackpots.room, jackpots.meter("main")
    with playing(room) as jackpots:
        assert jackpots.room == before
        assert jackpots.meter("main") == shown
    assert sound(room)


def test_t_22_the_display_stops_at_the_cap_and_the_overflow_grows(sqlite_room: Room) -> None:
    with playing(sqlite_room, make_jackpot(meter=progressive(cap_cents=1_000_30))) as jackpots:
        shown = []
        for number in range(1, 5):
            press(jackpots, number, [1])
            meter = jackpots.meter("main")
            shown.append((meter.displayed_cents, meter.overflow_units))
    assert shown == [(1_000_17, 0), (1_000_30, 46_000), (1_000_30, 219_000), (1_000_30, 392_000)]
    assert sound(sqlite_room)


def test_a_jackpot_has_several_levels_on_one_meter() -> None:
    assert [level.share for level in final_four().levels] == [Fraction(1), Fraction(1, 10)]


def test_g_5_fixed_prizes_are_the_house_s_unless_configured_and_never_the_meter_s_in_stc(sqlite_room: Room) -> None:
    assert make_jackpot().fixed_prizes == "house"
    assert not make_jackpot().terms_of(final_four()).fixed_from_meter
    deducting = make_jackpot(fixed_prizes="meter")
    assert deducting.terms_of(final_four()).fixed_from_meter == {"final-four"}
    offer = offer_of(STC, "twenty-one-plus-three", "PT-BJS-213-01")
    wrong = make_jackpot("other", offers=(offer,), tables=tables("5", game=STC), fixed_prizes="meter")
    with playing(sqlite_room, deducting) as jackpots:
        told = refused(lambda: define(jackpots, wrong))
    assert "only percentage prizes are deducted from the meter in this game (REGULATION J-24; G-5)" in told


def test_g_7_the_wager_is_a_dollar_except_where_the_rules_allow_another(sqlite_room: Room) -> None:
    offer = offer_of(STC, "twenty-one-plus-three", "PT-BJS-213-01", wager_cents=5_00)
    five = make_jackpot("five", offers=(offer,), tables=tables("5", game=STC), meter=progressive(wager_cents=5_00))
    with playing(sqlite_room, five) as jackpots:
        press(jackpots, 1, [1, 2], "five", table="5")
        assert jackpots.meter("five").displayed_units == units(1_000) + 10 * 17_3000
        wrong = make_jackpot(meter=progressive(wager_cents=5_00))
        assert "G-7" in refused(lambda: define(jackpots, wrong))


def test_e_02_a_round_is_counted_once_at_a_linked_table_by_different_seats(sqlite_room: Room) -> None:
    with playing(sqlite_room, make_jackpot()) as jackpots:
        press(jackpots, 7, [1, 2])
        answer = jackpots.tabulate("4", 7, {"main": [1, 2]}, command="4-7", actor="table 4")
        assert answer.again
        told = refused(lambda: jackpots.tabulate("4", 7, {"main": [1]}, command="x", actor="table 4"))
        assert "round 7 of table 4 was counted already: the last was 7" in told
        told = refused(lambda: jackpots.tabulate("9", 0, {"main": [1, 1], "none": [2]}, command="y", actor="table 9"))
        for part in ("round 0", "table 9 is not linked", "different numbers", "there is no jackpot 'none'"):
            assert part in told
        assert jackpots.meter("main").wagers_counted == 2
        assert jackpots.record("main").counted == {"4": {"1": 1, "2": 1}}


def test_m_10_a_batch_counts_what_a_table_kept_while_it_was_cut_off(sqlite_room: Room) -> None:
    with playing(sqlite_room, make_jackpot()) as jackpots:
        press(jackpots, 1, [1])
        told = refused(lambda: batch(jackpots, 40, 40, {1: 5}))
        assert "round 1 of table 4 was counted already" in told
        assert "at most one wager in each of 39 rounds" in refused(lambda: batch(jackpots, 40, 39, {1: 40}))
        batch(jackpots, 40, 39, {1: 39, 5: 7, 6: 0})
        assert jackpots.record("main").counted == {"4": {"1": 40, "5": 7}}
        assert jackpots.meter("main").wagers_counted == 47
        assert jackpots.room.last_round("4").round == 40  # type: ignore[union-attr]
    assert sound(sqlite_room)


def batch(jackpots: Jackpots, last: int, rounds: int, wagers: dict[int, int]) -> None:
    jackpots.count_batch("4", last, rounds, {"main": wagers}, command=f"batch-{last}-{rounds}", actor="table 4")


def test_g_11_a_void_round_is_refunded_by_the_house_and_the_meter_stays(sqlite_room: Room) -> None:
    with playing(sqlite_room, make_jackpot()) as jackpots:
        press(jackpots, 1, [1, 2, 3])
        shown = jackpots.meter("main").displayed_units
        jackpots.void_round("4", 1, words="misdeal", command="v", actor="Bob")
        balances = jackpots.accounts("main").balances
        assert (jackpots.meter("main").displayed_units, balances["players"]) == (shown, units(3))
        assert balances["house"] == -units(3)
        assert "was void already" in refused(
            lambda: jackpots.void_round("4", 1, words="misdeal", command="w", actor="Bob")
        )
        assert "none of the last" in refused(
            lambda: jackpots.void_round("4", 2, words="misdeal", command="u", actor="Bob")
        )
        for number in range(2, 6):
            press(jackpots, number, [1])
        assert [kept.round for kept in jackpots.room.rounds["4"]] == [4, 5]
    assert sound(sqlite_room)


def test_g_11_a_wrong_count_is_taken_back_once_with_the_terms_it_was_counted_under(sqlite_room: Room) -> None:
    jackpot = make_jackpot()
    with playing(sqlite_room, jackpot) as jackpots:
        counted = press(jackpots, 1, [1, 2, 3])
        closed(jackpots, "main")
        changed = with_meter(jackpot, display_rate=Fraction("0.30"))
        jackpots.change(changed, words="approved rate", command="change", **TWO)
        opened(jackpots, "main", "open-again")
        press(jackpots, 2, [4])
        correct = {"words": "sensor 2 stuck", **TWO}
        jackpots.correct_count("main", counted, {2: 1}, command="c", **correct)
        meter = jackpots.meter("main")
        assert meter.displayed_units == units(1_000) + 2 * 17_3000 + 30_0000
        assert (meter.wagers_counted, meter.wagers_reversed) == (4, 1)
        assert jackpots.record("main").counted == {"4": {"1": 1, "2": 0, "3": 1, "4": 1}}
        told = refused(lambda: jackpots.correct_count("main", counted, {2: 1, 9: 1}, command="d", **correct))
        assert "seat 2 has 0 wagers" in told
        assert "seat 9 has 0 wagers" in told
        assert "counted no wagers" in refused(lambda: jackpots.correct_count("main", 1, {2: 1}, command="e", **correct))
        told = refused(
            lambda: jackpots.correct_count(
                "main", counted, {1: 1}, command="f", words="x", actor="Ada", approved_by="ada"
            )
        )
        assert "approves a change of their own" in told
    assert sound(sqlite_room)


def test_g_11_a_wrong_count_of_a_generation_that_was_won_is_made_good_by_the_house(sqlite_room: Room) -> None:
    with playing(sqlite_room, make_jackpot()) as jackpots:
        counted = press(jackpots, 1, [1, 2, 3])
        call(jackpots, "main", "hit", "4")
        later = press(jackpots, 2, [1])
        shown, house = jackpots.meter("main").displayed_units, jackpots.accounts("main").balances["house"]
        jackpots.correct_count("main", counted, {2: 1}, words="sensor", command="c", **TWO)
        assert jackpots.meter("main").displayed_units == shown
        assert jackpots.accounts("main").balances["house"] == house - 17_3000
        jackpots.correct_count("main", later, {1: 1}, words="sensor", command="d", **TWO)
        assert jackpots.meter("main").displayed_units == shown - 17_3000
    assert sound(sqlite_room)


def test_g_35_g_11_a_void_round_refunds_neither_what_was_taken_back_nor_a_batch(sqlite_room: Room) -> None:
    with playing(sqlite_room, make_jackpot()) as jackpots:
        counted = press(jackpots, 1, [1, 2, 3])
        jackpots.correct_count("main", counted, {2: 1}, words="sensor", command="c", **TWO)
        jackpots.void_round("4", 1, words="misdeal", command="v", actor="Bob")
        assert jackpots.accounts("main").balances["players"] == units(2)
        batch(jackpots, 5, 4, {1: 3})
        assert "counted in a batch of 4" in refused(
            lambda: jackpots.void_round("4", 5, words="misdeal", command="w", actor="Bob")
        )
    assert sound(sqlite_room)


def test_g_11_a_missed_wager_is_counted_anew_with_approval(sqlite_room: Room) -> None:
    with playing(sqlite_room, make_jackpot()) as jackpots:
        press(jackpots, 1, [1])
        said: dict[str, Any] = {"words": "sensor 2 was unplugged", "actor": "Bob"}

        def missed(seats: list[int], command: str, by: str) -> None:
            jackpots.count_missed("main", "4", 1, seats, command=command, approved_by=by, **said)

        missed([2], "m", "Carla")
        assert jackpots.record("main").counted == {"4": {"1": 1, "2": 1}}
        assert jackpots.room.last_round("4").seats == {"main": (1, 2)}  # type: ignore[union-attr]
        assert "seats [2] were counted in round 1" in refused(lambda: missed([2], "n", "Carla"))
        assert "needs the approval of a second person" in refused(lambda: missed([3], "o", ""))
        assert "approves a change of their own" in refused(lambda: missed([3], "p", "Bob"))
    assert sound(sqlite_room)


def test_t_16_parameters_change_only_while_the_jackpot_is_closed(sqlite_room: Room) -> None:
    jackpot = make_jackpot()
    changed = with_meter(jackpot, cap_cents=2_000_00)
    with playing(sqlite_room, jackpot) as jackpots:

        def change(what: Jackpot, command: str) -> None:
            jackpots.change(what, words="w", command=command, **TWO)

        assert "Final Four Jackpot is open" in refused(lambda: change(changed, "1"))
        jackpots.suspend("main", words="sensor", command="s", actor="Bob", reason=PlayReason.EQUIPMENT_MALFUNCTION)
        assert "Final Four Jackpot is suspended" in refused(lambda: change(changed, "2"))
        assert "Final Four Jackpot is suspended: no wager is counted" in refused(lambda: press(jackpots, 1, [1]))
        closed(jackpots, "main")
        assert "below the $1,000.00 displayed" in refused(lambda: change(with_meter(jackpot, cap_cents=999_99), "3"))
        change(changed, "4")
        assert jackpots.accounts("main").terms.cap_cents == 2_000_00
        assert "Final Four Jackpot is closed: no wager is counted" in refused(lambda: press(jackpots, 1, [1]))
    assert sound(sqlite_room)


def test_t_06_nobody_defines_changes_or_opens_a_jackpot_alone(sqlite_room: Room) -> None:
    with playing(sqlite_room) as jackpots:
        for approver in ("", "ADA"):
            told = refused(
                lambda by=approver: jackpots.define(  # type: ignore[misc]
                    make_jackpot(), words="w", command=f"d{by}", actor="Ada", approved_by=by
                )
            )
            assert "needs two people" in told
        define(jackpots, make_jackpot())
        assert "no second person (T-06" in refused(
            lambda: jackpots.open("main", words="w", command="o", actor="Ada", approved_by="Ada")
        )
        assert "already" in refused(lambda: jackpots.define(make_jackpot(), words="w", command="d2", **TWO))
        assert jackpots.record("main").play == "closed"


@pytest.mark.parametrize("reason", [None, *DecreaseReason])
def test_j_14_a_decrease_by_hand_has_one_of_the_permitted_reasons(
    sqlite_room: Room, reason: DecreaseReason | None
) -> None:
    allowed = {DecreaseReason.EQUIPMENT_MALFUNCTION, DecreaseReason.SEED_RECOVERED}
    with playing(sqlite_room, make_jackpot()) as jackpots:

        def lower() -> None:
            jackpots.adjust("main", -units(5), reason, words="w", command="a", **TWO)

        if reason in allowed:
            lower()
            assert jackpots.displayed_cents("main") == 995_00
        else:
            assert "J-14" in refused(lower) or reason is DecreaseReason.PRIZE_WON
            assert jackpots.displayed_cents("main") == 1_000_00
    assert sound(sqlite_room)


def clock_on(day: str) -> Clock:
    """A clock at noon UTC of a day."""
    return Clock(microseconds(datetime.datetime.fromisoformat(f"{day}T12:00+00:00")))


def test_g_31_j_15_no_reserve_seeds_another_progressive_in_a_commercial_room_from_2021_06_14(
    sqlite_room: Room,
) -> None:
    terms = progressive(reserve_rate=Fraction("0.5"))
    other = make_jackpot("other", offers=(final_four(),), tables=tables("5"))
    with playing(sqlite_room, make_jackpot(meter=terms), other, clock=clock_on("2021-06-14")) as jackpots:
        press(jackpots, 1, [1, 2, 3, 4])
        seed: dict[str, Any] = {"fund": Account.RESERVE, "words": "w", "permitted_by": "any words", **TWO}
        told = refused(lambda: jackpots.seed_other("main", "other", units(1), command="s", **seed))
        assert "2021-06-14: a reserve does not seed another progressive in a commercial room" in told
        assert "G-31" in told


def test_j_03_reserve_is_booked_or_seeds_another_meter_only_with_two_people(sqlite_room: Room) -> None:
    terms = progressive(reserve_rate=Fraction("0.5"))
    other = make_jackpot("other", offers=(final_four(),), tables=tables("5"))
    with playing(sqlite_room, make_jackpot(meter=terms), other, clock=clock_on("2021-06-13")) as jackpots:
        press(jackpots, 1, [1, 2, 3, 4])
        said = {"fund": Account.RESERVE, "words": "w", **TWO}
        jackpots.book_receipts("main", units(1), command="b", **said)
        seed: dict[str, Any] = {"permitted_by": "WSR 10-12-092", **said}
        jackpots.seed_other("main", "other", units(1), command="s", **seed)
        assert (jackpots.meter("main").reserve_units, jackpots.meter("other").displayed_units) == (0, units(1_001))
        assert "holds $0.00" in refused(lambda: jackpots.seed_other("main", "other", 1, command="t", **seed))
        assert refused(lambda: jackpots.book_receipts("main", 1, command="c", **said))
    assert sound(sqlite_room)


def test_a_command_that_is_sent_again_answers_the_same_and_another_under_its_id_is_refused(sqlite_room: Room) -> None:
    with playing(sqlite_room, make_jackpot()) as jackpots:

        def act(units: int) -> Answer:
            return jackpots.adjust("main", units, words="w", command="a", **TWO)

        first, again = act(5), act(5)
        assert again.again
        assert first.entries == again.entries
        assert "was used for something else" in refused(lambda: act(6))
        assert jackpots.meter("main").displayed_units == units(1_000) + 5
