"""Issue 16, item 3: what a Bonus posts is what its first row pays, on display, in the hit and in the settlement."""

from __future__ import annotations

import json
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import Any
from zoneinfo import ZoneInfo

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pitboss.books import Draft, Submission, instant_of
from pitboss.commands.command import SYSTEM_ACTOR
from pitboss.jackpot import (
    Jackpot,
    JackpotDraft,
    JackpotSet,
    PostDueBonus,
    WithdrawPosting,
    due_postings,
    offer_of,
    scheduled_for,
)
from pitboss.jackpot.definitions import MeterDraft, OfferDraft
from pitboss.jackpot.lifecycle import jackpot_problems
from pitboss.rules import Settler
from pitboss.rules.pays import Posted
from pitboss.table.reading import read_configuration
from tests.books.making import Room
from tests.examples import examples
from tests.facades import Jackpots
from tests.jackpot.hit_making import floor, won_of
from tests.jackpot.making import DAY, DW, TCP, Clock, make_jackpot, opened, playing, press, refused, sound, tables
from tests.jackpot.test_definitions import AMOUNTS
from tests.meters.making import bonus

FIVE = "5 Wild Cards"


def wild(seed_cents: int = 3_000_00, paytable: Any = "BJ-A", **fields: Any) -> Jackpot:
    """The Bonus of Deuces Wild, as its draft builds it."""
    draft = JackpotDraft(
        name="wild",
        offers=(OfferDraft(game=DW, wager="bonus-jackpot", paytable=paytable),),
        meter=MeterDraft(jackpot_type="bonus", seed_cents=seed_cents, reseed_cents=seed_cents),
        tables=tables("4", game=DW),
        display="updatable",
        bonus_sharing="full",
        **fields,
    )
    jackpot, problems = draft.build(None)
    assert problems == []
    return jackpot


def texts(jackpot: Jackpot) -> list[str]:
    return list(map(str, jackpot_problems(jackpot)))


def test_item_3_a_top_prize_other_than_what_is_posted_is_refused_by_the_definition() -> None:
    """Seen: Deuces Wild shows $3,000.00 over a top prize of $2,500, F4P-4 $25,000 over $10,000."""
    told = texts(wild(paytable={"id": "BJ-A", "pays": {FIVE: "$2,500"}}))
    assert len(told) == 1
    assert "$3,000.00 is posted, and '5 Wild Cards' pays $2,500" in told[0]
    assert "G-6" in told[0]
    assert [] == texts(wild(paytable={"id": "BJ-A", "pays": {FIVE: "$3,000"}}))
    assert [] == texts(wild())
    offer = offer_of(TCP, "final-four", {"id": "F4P-4", "pays": AMOUNTS}, jackpot_type="bonus", posted_cents=25_000_00)
    (problem,) = texts(make_jackpot(meter=bonus(seed_cents=25_000_00, reseed_cents=25_000_00), offers=(offer,)))
    assert "$25,000.00 is posted" in problem


def test_item_3_a_jackpot_whose_meter_no_row_pays_is_refused() -> None:
    changed = {"id": "OWN-1", "like": "F4P-1", "pays": {"4-card diamond Royal": "$5,000", "4-card Royal": "$2,000"}}
    offer = offer_of(TCP, "final-four", changed, jackpot_type="bonus", posted_cents=5_000_00)
    made = make_jackpot(meter=bonus(seed_cents=5_000_00, reseed_cents=5_000_00), offers=(offer,))
    problems = "\n".join(texts(made))
    assert problems.count("nobody could win it (REGULATION J-23; G-6)") == 1


def test_item_3_a_posted_amount_is_never_less_than_the_row_under_it() -> None:
    (problem,) = texts(wild(seed_cents=249_99))
    assert "$249.99 is posted for '5 Wild Cards', less than the row under it, '4 Wild Cards' ($250.00)" in problem
    assert [] == texts(wild(seed_cents=250_00))


def test_item_3_another_amount_changes_the_prize_of_the_hit_and_of_the_settlement(quick_path: Path) -> None:
    with floor(quick_path / "room", wild()) as at:
        at.press(jackpot="wild")
        at.jackpots.post_bonus("wild", 4_250_00, words="the day's amount", command=at.id(), actor="Ada")
        at.press(jackpot="wild")
        hit = at.call((1, FIVE), (2, FIVE), jackpot="wild")
        assert {1: 4_250_00, 2: 4_250_00} == won_of(at, hit)
        late = at.call((3, FIVE), jackpot="wild", round_number=1, words="seen on camera")
        assert {3: 3_000_00} == won_of(at, late)
        assert 4_250_00 == at.displayed("wild")
        at.check()


@given(cents=st.integers(250_00, 10_000_000_00), winners=st.integers(1, 6), sharing=st.sampled_from(("full", "split")))
@examples(40)
def test_item_3_g_20_whatever_is_posted_is_paid_to_each_winner(cents: int, winners: int, sharing: Any) -> None:
    """A posted amount is a dollar prize: nobody divides it."""
    jackpot = replace(wild(), bonus_sharing=sharing)
    (offer,) = jackpot.offers
    game, wager = jackpot.game_and_wager(offer)
    rows = dict.fromkeys(range(1, winners + 1), FIVE)
    settled = Settler(game, jackpot.terms_of(offer)).settle_rows(wager.name, rows, 100, cents)
    assert [cents] * winners == [settled.lines[seat][wager.name].paid_cents for seat in rows]
    assert (0, winners * cents) == (
        settled.jackpots[wager.name].from_fund_cents,
        settled.jackpots[wager.name].from_house_cents,
    )


def test_item_3_an_amount_that_may_not_be_posted_is_refused_and_the_old_one_stays(sqlite_room: Room) -> None:
    with playing(sqlite_room, wild()) as jackpots:
        for at in ("", "2026-12-24T06:00"):
            post = {"words": "w", "command": "p", "actor": "Ada", "at": at}
            told = refused(partial(jackpots.post_bonus, "wild", 100_00, **post))
            assert "less than the row under it" in told
        assert jackpots.displayed_cents("wild") == 3_000_00


def test_item_3_a_bonus_of_old_books_pays_as_it_was_defined_and_opens_only_where_that_is_posted(
    sqlite_room: Room,
) -> None:
    """Entries that were written before this ruling are read as they were; the top prize there is a fixed amount."""
    offer = offer_of(DW, "bonus-jackpot", {"id": "BJ-A", "pays": {FIVE: "$2,500"}}, jackpot_type="bonus")
    old = replace(wild(), offers=(offer,))
    terms = old.terms_of(offer)
    assert str(terms.tables["bonus-jackpot"].rows[0].pay) == "$2,500"
    assert "$3,000.00 is posted" in str(old.meter_problems(3_000_00)[0])
    assert [] == old.meter_problems(2_500_00)
    with playing(sqlite_room) as jackpots:
        value = JackpotSet(jackpot=old, words="before the ruling", approved_by="Carla", first=True)
        jackpots.books.submit(
            Submission(book="room", id="old", actor="Ada", content=["old"], decide=lambda _: [Draft(value)])
        )
        told = refused(lambda: opened(jackpots, "wild"))
        assert "the posted amount is the amount of that row" in told
    assert sound(sqlite_room)


def test_item_3_check_refuses_a_meter_that_no_row_pays() -> None:
    def problems(meter: str, cell: str) -> list[str]:
        text = CONFIGURATION.replace("METER", meter).replace("CELL", cell)
        reading = read_configuration(text)
        return [str(problem) for problem in reading.problems]

    assert [] == problems('meter = "3000.00"', "")
    assert [] == problems('meter = "3000.00"', '"5 Wild Cards" = "$3,000"')
    assert [] == problems("", '"5 Wild Cards" = "$3,000"')
    (problem,) = problems('meter = "3000.00"', '"5 Wild Cards" = "$2,500"')
    assert "jackpots.bonus-jackpot.meter: $3,000.00 is posted, and '5 Wild Cards' pays $2,500" in problem
    (problem,) = problems('meter = "200.00"', "")
    assert "less than the row under it" in problem


def test_item_3_a_configuration_posts_the_amount_it_states() -> None:
    reading = read_configuration(CONFIGURATION.replace("METER", "").replace("CELL", '"5 Wild Cards" = "$3,000"'))
    configuration = reading.configuration
    assert configuration is not None
    assert configuration.meters == {"bonus-jackpot": 3_000_00}
    assert configuration.terms.tables["bonus-jackpot"].rows[0].pay == Posted()


CONFIGURATION = """
game = "deuces-wild"
on = 2026-11-15
dealt = "shoe"
seats = 6
equipment = "milky-way"

[wagers.ante-play-raise]
paytables = ["APR-D"]
minimum = "5.00"
maximum = "200.00"

[jackpots]
type = "bonus"

[jackpots.bonus-jackpot]
paytables = [{ id = "BJ-A", pays = { CELL } }]
METER
"""


def test_g_6_a_progressive_takes_a_percentage_on_top_and_dollars_below_in_scheme_2() -> None:
    cells = {"5 Wild Cards": "100%", "4 Wild Cards": "$500", "3 Wild Cards": "$25", "2 Wild Cards": "$5"}
    offer = offer_of(DW, "bonus-jackpot", {"id": "BJ-D", "pays": cells})
    assert ["100% of the meter", "$500", "$25", "$5"] == [str(prize.pay) for prize in offer.prizes]
    unset = {event: cell for event, cell in cells.items() if event != FIVE}
    assert offer.prizes == offer_of(DW, "bonus-jackpot", {"id": "BJ-D", "pays": unset}).prizes
    for wrong in ({**cells, FIVE: "$10,000"}, {**cells, "3 Wild Cards": "5%"}):
        with pytest.raises(ValueError, match="G-6"):
            offer_of(DW, "bonus-jackpot", {"id": "BJ-D", "pays": wrong})


# Posting at a time, by two people.

SIX = "2026-12-24T06:00"


def test_item_3_an_amount_is_posted_at_its_time_by_two_people(sqlite_room: Room) -> None:
    clock = Clock()
    with playing(sqlite_room, wild(), clock=clock) as jackpots:
        assert "second person" in refused(
            lambda: jackpots.post_bonus("wild", 5_000_00, words="w", command="p0", actor="Ada", approved_by="ada")
        )
        six = instant_of(SIX, ZoneInfo("America/Los_Angeles"))
        assert six is not None
        clock.now = six - DAY
        post = {"words": "the day's amount", "actor": "Ada", "at": SIX}
        (entry,) = jackpots.post_bonus("wild", 5_000_00, command="p1", **post).entries
        assert "is scheduled for" in refused(lambda: jackpots.post_bonus("wild", 6_000_00, command="p2", **post))
        assert (3_000_00, [5_000_00]) == (
            jackpots.displayed_cents("wild"),
            [posting.cents for posting in scheduled_for(jackpots.state, "wild")],
        )
        clock.now = six - 10_000_000
        assert "no amount of Bonus Jackpot is due" in refused(lambda: due(jackpots, "d1"))
        clock.now = six
        assert due_postings(jackpots.state, six) == ["wild"]
        due(jackpots, "d2")
        assert (5_000_00, ()) == (jackpots.displayed_cents("wild"), scheduled_for(jackpots.state, "wild"))
        press(jackpots, 1, [1], "wild")
        assert jackpots.room.rounds["4"][-1].shown_cents("wild") == 5_000_00
        assert json.loads(entry.payload)["approved_by"] == "Bea Post"
    assert sound(sqlite_room)


def due(jackpots: Jackpots, command: str) -> None:
    jackpots.do(PostDueBonus(name="wild"), command, SYSTEM_ACTOR)


def test_item_3_a_scheduled_amount_is_withdrawn_before_its_time(sqlite_room: Room) -> None:
    clock = Clock()
    with playing(sqlite_room, wild(), clock=clock) as jackpots:
        said: dict[str, Any] = {"words": "w", "actor": "Ada"}
        (entry,) = jackpots.post_bonus("wild", 5_000_00, command="p1", at="2030-01-01T06:00", **said).entries
        withdraw = WithdrawPosting(name="wild", scheduled=entry.sequence, words="typed wrongly")
        jackpots.do(withdraw, "w1", "Ada", "Ben")
        assert scheduled_for(jackpots.state, "wild") == ()
        assert "no amount of Bonus Jackpot is scheduled" in refused(lambda: jackpots.do(withdraw, "w2", "Ada", "Ben"))
        for at in ("2020-01-01T06:00", "soon"):
            told = refused(partial(jackpots.post_bonus, "wild", 5_000_00, command="p2", at=at, **said))
            assert told.startswith("at: ")
    assert sound(sqlite_room)
