"""The floor desk as a view: every table, the queue and the alarms, and what each person sees of them."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from zoneinfo import ZoneInfo

import pytest

from pitboss.books import RefusedError
from pitboss.jackpot import HITS
from pitboss.room.alarms import OWNERS, active_alarms
from pitboss.room.dealing.entries import DEALING, TableDealing
from pitboss.server.views.approvals import approval_cards
from pitboss.server.views.floor import FloorTable, FloorView, floor_live, floor_view
from pitboss.server.views.hits import HitCard, hit_card, hit_line
from pitboss.server.views.office.tables import table_cards
from pitboss.server.views.today import today_view
from pitboss.server.views.viewer import Viewer
from tests.doors import doors_of
from tests.pages.desk import DAN, SUE, busy, desk_room
from tests.pages.room import CardRoom
from tests.pages.serving import templates
from tests.server.making import command


class Busy:
    """A busy room and the numbers of what is in it."""

    def __init__(self, room: CardRoom, made: dict[str, int]) -> None:
        self.room, self.made = room, made

    def view(self, name: str = "", *roles: str) -> FloorView:
        return floor_view(self.room.books.state("room"), Viewer(name, frozenset(roles)))

    def table(self, name: str) -> FloorTable:
        return next(each for each in self.view().tables if each.name == name)

    def hit(self, which: str, name: str = "", *roles: str) -> HitCard:
        return next(each for each in self.view(name, *roles).hits if each.number == self.made[which])


@pytest.fixture(scope="module")
def evening(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Busy]:
    with desk_room(tmp_path_factory.mktemp("floor") / "room") as room:
        yield Busy(room, busy(room))


def test_every_table_is_there_with_its_game_state_dealer_meters_and_health(evening: Busy) -> None:
    assert [each.name for each in evening.view().tables] == ["4", "5", "6", "7"]
    four, five, seven = evening.table("4"), evening.table("5"), evening.table("7")
    assert (four.game, four.state, four.dealer, four.sensors.state) == ("Three Card Prime", "open", "Dora", "good")
    assert (four.displays.words, four.displays.state) == ("Display OK", "good")
    assert (five.state, five.round, five.sensors.words) == ("hit", 1, "Out of service: manual")
    assert five.displays.words == "Display not seen yet"
    assert evening.table("6").displays.words == "Display not confirmed"
    assert (seven.state, seven.label, seven.displays.words) == ("closed", "Not set up", "No display")
    assert [each.amount for each in seven.meters] == ["$11,482.10", "$48,905.25"]


@pytest.mark.parametrize(
    ("which", "name", "roles", "may"),
    [
        ("royal", "Vic", ("surveillance",), True),
        ("royal", "Sue", ("supervisor",), False),
        ("royal", "Uma", ("auditor",), False),
        ("aces", "Sam", ("supervisor",), True),
        ("aces", "Max", ("manager",), True),
        ("aces", "Amy", ("accounting",), False),
        ("aces", "Dan", ("supervisor",), False),
    ],
)
def test_f_17_the_next_step_is_offered_to_who_may_do_it(
    evening: Busy, which: str, name: str, roles: tuple[str, ...], may: bool
) -> None:
    """Dan has called the aces, so that they do not verify them, whatever their role (T-06)."""
    assert evening.hit(which, name, *roles).is_mine == may


def test_the_steps_say_who_did_them_and_what_the_prize_demands(evening: Busy) -> None:
    royal = evening.hit("royal")
    assert [(each.step, each.state, each.who) for each in royal.steps][:4] == [
        ("call", "done", "Dan"),
        ("verify", "done", "Sue"),
        ("surveil", "next", ""),
        ("document", "later", ""),
    ]
    assert [name for name, _ in royal.prizes[0].demands][:2] == ["Surveillance", "Deck countdown"]
    assert evening.hit("aces").next[0].waiting == "Waiting for a supervisor or manager to verify"


def test_t_06_who_has_asked_does_not_see_a_button_and_another_does(evening: Busy) -> None:
    state = evening.room.books.state("room")
    [own] = approval_cards(state, Viewer("Sue", frozenset({"supervisor"})))
    [given] = approval_cards(state, Viewer("Vic", frozenset({"surveillance"})))
    assert approval_cards(state, Viewer("Sam", frozenset({"supervisor"}))) == ()
    assert (own.is_own, own.can_approve) == (True, False)
    assert (given.is_own, given.can_approve) == (False, True)
    assert given.title.startswith("Reject jackpot ")
    assert given.title.endswith(": Four Card Jackpot, table 6, seat 6, $5,000.00")
    assert (given.reason, given.needs) == ("seat 6 had no wager", "surveillance or a manager")
    assert approval_cards(state, Viewer("Amy", frozenset({"accounting"}))) == ()
    assert len(approval_cards(state, Viewer("Uma", frozenset({"auditor"})))) == 1


def test_m_07_an_alarm_is_taken_once_taken_over_and_forgotten_when_it_is_cleared(evening: Busy) -> None:
    room = evening.room
    [malfunction] = [each for each in active_alarms(room.books.state("room")) if each.kind == "malfunction"]
    take = doors_of(room.room).alarms.take
    take(malfunction.key, command=command(), actor="Sue")
    with pytest.raises(RefusedError, match="Sue has this alarm already"):
        take(malfunction.key, command=command(), actor="Sue")
    take(malfunction.key, command=command(), actor="Sam")
    found = next(each for each in evening.view("Sue", "supervisor").alarms if each.key == malfunction.key)
    assert (found.owner, found.take.is_active, found.mend.is_active) == ("Sam", True, True)
    with pytest.raises(RefusedError, match="there is no alarm 'nothing'"):
        take("nothing", command=command(), actor="Sue")
    doors_of(room.room).tables.mend(malfunction.malfunction, words="new sensor", command=command(), by=SUE)
    assert malfunction.key not in room.books.state("room").of(OWNERS)


def test_the_shape_stays_while_amounts_move_and_changes_with_a_step(evening: Busy) -> None:
    room = evening.room
    before = floor_live(room.books.state("room"))
    room.jackpots.tabulate("7", 1, {"aces": [1, 2]}, command=command(), actor="table 7")
    after = floor_live(room.books.state("room"))
    assert before["shape"] == after["shape"]
    assert before["texts"]["meter:aces"] != after["texts"]["meter:aces"]
    doors_of(room.room).tables.change_dealer("4", "Dan", command=command(), by=DAN)
    assert floor_live(room.books.state("room"))["shape"] != before["shape"]


def test_a_hit_looks_the_same_from_the_state_and_from_what_the_state_was_written_as(evening: Busy) -> None:
    """The second road: the projection written and read back."""
    state = evening.room.books.state("room")
    again = HITS.read(HITS.write(state.of(HITS)))
    for number, hit in state.of(HITS).open.items():
        assert hit_card(state, hit) == hit_card(state, again.open[number])
    assert OWNERS.read(OWNERS.write(state.of(OWNERS))) == state.of(OWNERS)


def test_a_table_that_pitboss_deals_is_called_so_on_the_floor_and_on_today_and_is_open_on_neither(
    evening: Busy,
) -> None:
    """Seen: Today said 6 of 6 tables open, the floor 5, and "Not set up" of the sixth."""
    state = evening.room.books.state("room")
    dealt = replace(state, parts={**state.parts, DEALING.name: {"7": TableDealing(cards="dealt")}})
    floor = floor_view(dealt)
    assert next(each.label for each in floor.tables if each.name == "7") == "Dealt by Pitboss"
    today = today_view(dealt, Viewer("Max", frozenset({"manager"})), evening.room.room.clock()).cards[0]
    assert today.lines[-1].value == "Dealt by Pitboss"
    listed = {card.table: card.status for card in table_cards(dealt, evening.room.room.clock())}
    assert (listed["7"], listed["4"]) == ("Dealt by Pitboss", "Open")
    assert (today.figure, today.text) == (str(floor.summary[0][1]), "of 4 tables open") == ("3", "of 4 tables open")


def test_hands_are_written_in_full_on_the_floor(evening: Busy) -> None:
    """Seen: "Mini-Royal with SF"; the value of a choice stays the row of the pay table."""
    hit = evening.room.books.state("room").of(HITS).open[evening.made["royal"]]
    won = (hit.won[0]._replace(row="Mini-Royal with SF"),)
    line = hit_line(evening.room.books.state("room"), replace(hit, won=won), ZoneInfo("America/Los_Angeles"))
    assert line.won == (f"Seat {won[0].seat}: Mini-Royal with Straight Flush",)
    part = templates().from_string("{{ 'Mini-Royal with SF'|full_words }}").render()
    assert part == "Mini-Royal with Straight Flush"
