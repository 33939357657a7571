"""The console without a browser: what each form does to the books, once; and what the page says is next."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from fastapi.testclient import TestClient

from pitboss.books import LEDGER, ROOM, RefusedError
from pitboss.commands import By
from pitboss.commands.command import SYSTEM_ACTOR
from pitboss.jackpot import HITS, ReverseSmallPrize
from pitboss.room.accounting import CollectChips
from pitboss.room.room import room_zone
from pitboss.server.app import create_app
from pitboss.server.pages.console import hand_read
from pitboss.server.views.console import console_alerts, console_live, console_view, envy_view
from pitboss.server.views.formatting import clock, short_day, time_of
from pitboss.tabulator import TABLES, TableSetup, sensors_for
from tests.doors import doors_of
from tests.jackpot.making import closed
from tests.pages.floor import device_press, working_room
from tests.pages.room import TCP, CardRoom
from tests.server.making import ADDRESS, PASSWORD, PIN

SIX = "/tables/6/console"


class Console:
    """A browser at a console: it fills the forms that the page has, as a person would."""

    def __init__(self, room: CardRoom, name: str = "console 6", login: str | None = "dan") -> None:
        self.room = room
        self.client = TestClient(create_app(room.room), base_url=ADDRESS, client=("192.0.2.7", 50_000))
        if name:
            self.client.post(f"/links/{room.room.access.make_link(name, 'enrol', SYSTEM_ACTOR)}")
            if login:
                self.tap(login)
        elif login:
            self.client.post("/sign-in", data={"login": login, "password": PASSWORD})

    def tap(self, login: str) -> None:
        page = self.client.get("/tap").text
        csrf = re.search(r'name="csrf" value="([^"]+)"', page)
        assert csrf is not None
        self.client.post("/tap", data={"csrf": csrf[1], "login": login, "pin": PIN})

    def page(self, path: str = SIX) -> str:
        return self.client.get(path).text

    def form(self, do: str, path: str = SIX) -> dict[str, Any]:
        """The hidden fields of a form of the page."""
        found = re.search(rf'<form[^>]*action="{path}/{do}".*?</form>', self.page(path), re.DOTALL)
        assert found is not None, do
        return dict(re.findall(r'<input type="hidden" name="([^"]+)" value="([^"]*)">', found[0]))

    def send(self, do: str, fields: dict[str, Any], path: str = SIX) -> str:
        answer = self.client.post(f"{path}/{do}", data=fields)
        assert answer.status_code in (200, 409), answer.text
        return answer.text

    def press(self, *seats: int, path: str = SIX, wager: str = "four-card-jackpot") -> str:
        self.later()
        return self.send("press", self.form("press", path) | {f"wager:{wager}": list(map(str, seats))}, path)

    def take(self, path: str = SIX) -> str:
        """Tap in where one is signed in: asked for, and confirmed."""
        page = self.page(f"{path}?take=1")
        form = re.search(rf'<form[^>]*action="{path}/take".*?</form>', page, re.DOTALL)
        assert form is not None
        return self.send(
            "take", dict(re.findall(r'<input type="hidden" name="([^"]+)" value="([^"]*)">', form[0])), path
        )

    def later(self) -> None:
        """Let the second pass in which another press would count as a slip of the finger."""
        books: Any = self.room.books
        clock = books._writer._clock
        ahead = getattr(clock, "ahead", 0) + 2_000_000
        base = getattr(clock, "base", clock)

        def later() -> int:
            return int(base()) + ahead

        later.ahead, later.base = ahead, base  # type: ignore[attr-defined]
        books._writer._clock = self.room.room.services.clock = doors_of(self.room.room).tables.clock = later


@pytest.fixture
def room(tmp_path: Path) -> Iterator[CardRoom]:
    with working_room(tmp_path / "room") as found:
        yield found


def six(room: CardRoom) -> Any:
    return room.books.state("room").of(TABLES).tables["6"]


def big(page: str) -> str:
    found = re.search(r'class="big"[^>]*>([^<]+)<', page)
    assert found is not None
    return found[1]


def test_the_big_button_is_always_the_next_right_thing(room: CardRoom) -> None:
    nobody = Console(room, login=None)
    assert big(nobody.page()) == "Tap in"
    dan = Console(room)
    assert big(dan.page()) == "Tabulate"
    assert big(dan.press(1, 3, 6)) == "Next round"
    assert six(room).rounds[-1].counted == {"four-card-jackpot": (1, 3, 6)}
    assert big(dan.press()) == "Tabulate"
    device = Console(room, "console 4")
    assert big(device.page("/tables/4/console")) == "Ready"
    doors_of(room.room).tables.close("4", command="close-4", by=room_manager())
    assert big(device.page("/tables/4/console")) == "Table closed"


def room_manager() -> Any:
    from tests.pages.floor import MANAGER  # noqa: PLC0415

    return MANAGER


def test_e_02_a_press_that_is_sent_twice_counts_once_and_an_old_page_does_nothing(room: CardRoom) -> None:
    dan = Console(room)
    form = dan.form("press") | {"wager:four-card-jackpot": ["1", "2"]}
    dan.later()
    for _ in range(3):
        assert big(dan.send("press", form)) == "Next round"
    assert room.books.state("room").of(LEDGER)["quads"].counts["wagers_counted"] == 2
    dan.later()
    old = dan.send("press", form | {"command": "another"})
    assert "A new round has started, so nothing was changed." in old
    assert six(room).phase == "tabulated"


def test_a_small_prize_is_paid_with_a_seat_and_a_row_and_envy_follows_as_a_list(room: CardRoom) -> None:
    dan = Console(room)
    dan.press(1, 3, 6)
    form = dan.form("small") | {"seat": "3", "prize": "10000|quads|Straight Flush"}
    page = dan.send("small", form)
    assert "Seat 3: paid $100, Straight Flush." in page
    assert '<span class="seat-tag">PAID $100</span>' in page
    assert "Seat 1 $5" in page
    assert "Seat 6 $5" in page
    paid = room.books.state("room").of(LEDGER)["quads"].balances["paid"]
    dan.send("small", form)
    assert room.books.state("room").of(LEDGER)["quads"].balances["paid"] == paid, "sent again it is paid once"
    envy = dict(re.findall(r'<input type="hidden" name="([^"]+)" value="([^"]*)">', page[page.index("/envy") :]))
    told = dan.send(
        "envy",
        {name: envy[name] for name in ("csrf", "command", "shown_round", "shown_cents")}
        | {"jackpot": "quads", "seat": "3", "row": "Straight Flush", "to": ["1", "6"]},
    )
    assert "Envy paid: seats 1, 6 ($5 each)." in told
    assert envy_view(room.books.state("room"), "6", "quads", 3, "Straight Flush") is None
    again = dan.send("small", dan.form("small") | {"seat": "3", "prize": "1500|quads|Trips"})
    assert "Seat 3 has a prize of round 1 already." in again, "one prize a seat (G-2)"
    assert "Choose a seat first." in dan.send("small", dan.form("small") | {"prize": "1500|quads|Trips"})


def test_the_engine_says_what_the_cards_are_and_a_call_freezes_the_prize(room: CardRoom) -> None:
    dan = Console(room)
    dan.press(2, 5)
    page = dan.page(f"{SIX}/call?jackpot=quads&seat=5&cards=As+Ah+Ad+Ac+2d")
    assert "Four Aces" in page
    assert "$5,000.00" in page
    assert "Call the floor" in page
    form = dict(
        re.findall(r'<input type="hidden" name="([^"]+)" value="([^"]*)">', page[page.index('class="pays"') - 1500 :])
    )
    told = dan.send("call", form)
    assert "Reported. A supervisor is on the way." in told
    (hit,) = room.books.state("room").of(HITS).open.values()
    assert (hit.table, hit.won[0].seat, hit.won[0].row, hit.cents) == ("6", 5, "Four Aces", 5_000_00)
    assert "Waiting for supervisor." in told


def test_cards_that_are_none_or_win_nothing_are_told(room: CardRoom) -> None:
    dan = Console(room)
    dan.press(2)
    wrong = dan.client.get(f"{SIX}/call?jackpot=quads&seat=2&cards=As+As+Xx")
    assert wrong.status_code == 409
    assert 'role="alert"' in wrong.text
    assert "No jackpot prize for this hand." in dan.page(f"{SIX}/call?jackpot=quads&seat=2&cards=2s+4h+6d+8c+Td")
    jackpot = room.jackpots.record("quads").jackpot
    with pytest.raises(RefusedError, match="entered twice"):
        hand_read(jackpot, "6", 2, "As As Ah Ad Ac", "", 1)


def test_g_11_the_dealer_corrects_the_round_on_the_table(room: CardRoom) -> None:
    dan = Console(room)
    dan.press(1, 2)
    base = dan.form("correct") | {"wager": "four-card-jackpot"}
    assert "Fixed: seat 4 added to round 1." in dan.send("correct", base | {"seat": "4", "cause": "missed"})
    assert six(room).rounds[-1].counted["four-card-jackpot"] == (1, 2, 4)
    refused = dan.send(
        "correct",
        dan.form("correct") | {"wager": "four-card-jackpot", "seat": "7", "cause": "miscounted", "words": "x"},
    )
    assert 'role="alert"' in refused


def test_a_void_waits_for_a_second_person_and_equipment_goes_down_by_a_supervisor(room: CardRoom) -> None:
    dan, sue = Console(room), Console(room, "", "sue")
    assert "/void" not in dan.page()
    assert "/down" not in dan.page()
    assert "/console/take" not in sue.page(), "nobody is relieved by one key"
    sue.take()
    sue.press(1)
    told = sue.send("void", sue.form("void") | {"round": "1", "cause": "misdeal", "words": "a card fell"})
    assert "Submitted for approval." in told
    assert not six(room).rounds[-1].voided
    assert len(room.room.approvals.waiting) == 1
    assert "Equipment out of service (sensor 3 is dead). Count by hand." in sue.send(
        "down", sue.form("down") | {"words": "sensor 3 is dead"}
    )


def test_dealers_are_changed_in_the_middle_of_a_round(room: CardRoom) -> None:
    dan = Console(room)
    dan.press(1)
    dan.tap("dora")
    assert big(dan.page()) == "Next round"
    assert six(room).dealer == "Dora"
    assert big(Console(room, "", "sue").page()) == "Tap in"


def test_the_pin_page_names_who_is_in_charge_though_they_did_not_tap_in_here(room: CardRoom) -> None:
    """Seen: nobody is dealing, on the PIN page of a table whose console named its dealer."""
    console = Console(room, login=None)
    doors_of(room.room).tables.change_dealer("6", "Dora", command="charge", by=By("Sue", "supervisor"))
    assert "Dealer <b>Dora</b>" in console.page()
    assert "Dora is dealing." in console.client.get("/tap").text


def test_who_does_not_deal_is_offered_no_pin(room: CardRoom) -> None:
    for login, is_offered in (("sue", True), ("max", False)):
        client = Console(room, "", login).client
        assert ("Change PIN" in client.get("/account").text) == is_offered


def test_who_taps_in_at_one_table_does_nothing_at_another_and_a_bare_console_nothing_at_all(room: CardRoom) -> None:
    dan = Console(room)
    form = dan.form("press")
    assert dan.client.post("/tables/4/console/press", data=form).status_code == 404
    assert dan.client.post(f"{SIX}/dance", data=form).status_code == 404
    bare = Console(room, "console 4", login=None)
    assert bare.client.post(f"{SIX}/press", data=form).status_code in (401, 403)
    assert dan.client.post(f"{SIX}/press", data=form | {"csrf": "x"}).status_code == 403
    assert dan.client.get("/tables/none/console").status_code == 404


def test_a_form_that_is_not_whole_is_refused_and_nothing_changes(room: CardRoom) -> None:
    dan = Console(room)
    dan.press(1)
    before = room.books.state("room")
    for do, fields in {"small": {"seat": "x"}, "call": {}, "envy": {"seat": "1"}, "correct": {"seat": "1"}}.items():
        answer = dan.client.post(f"{SIX}/{do}", data={"csrf": dan.form("press")["csrf"], **fields})
        assert answer.status_code == 409, do
    assert room.books.state("room") == before


def test_seats_stand_in_order_and_lights_say_what_was_counted(room: CardRoom) -> None:
    dan = Console(room)
    dan.press(2, 7)
    view = console_view(room.books.state("room"), "6", "Dan")
    assert view is not None
    assert [each.seat for each in view.seats] == [1, 2, 3, 4, 5, 6, 7]
    assert [each.seat for each in view.seats if each.lights[0].state == "on"] == [2, 7]
    assert view.prizes[0].seats == (2, 7)
    dan.press()
    view = console_view(room.books.state("room"), "6", "Dan")
    assert view is not None
    assert {each.lights[0].state for each in view.seats} == {"off"}


def test_the_shape_of_a_console_moves_with_its_table_and_not_with_a_meter(room: CardRoom) -> None:
    def live() -> dict[str, Any]:
        from tests.pages.test_vision_view import seen  # noqa: PLC0415

        return console_live(room.books.state("room"), "6", seen(room, "6").jackpots)

    dan = Console(room)
    before = live()
    room.jackpots.post_bonus("quads", 7_000_00, words="more", command="p", actor="Ada")
    after = live()
    assert before["shape"] == after["shape"]
    assert after["texts"] == {"meter:quads": "$7,000.00"}
    dan.press(1)
    assert live()["shape"] != after["shape"]


def test_item_12_at_an_andromeda_1_the_console_states_the_lights_of_the_panel(room: CardRoom) -> None:
    tables, nine = doors_of(room.room).tables, "/tables/9/console"
    panel = sensors_for("andromeda-1", 7, ["prime"])
    made = TableSetup(table="9", game=TCP, model="andromeda-1", device="A1-9", seats=7, sensors=panel)
    tables.set_up(made, words="new", by=room_manager(), approved_by="Sue", command="set-up-9")
    tables.open("9", command="open-9", by=room_manager())
    tables.change_dealer("9", "Sue", command="sue-9", by=room_manager())
    sue = Console(room, "", "sue")
    assert big(sue.page(nine)) == "Enter lights"
    assert 'name="wager:prime" value="3"' in sue.page(nine)
    page = sue.send("lights", sue.form("lights", nine) | {"wager:prime": ["2", "3"]}, nine)
    assert "Round <b>1</b>" in page
    assert tables.table("9").rounds[-1].counted == {"prime": (2, 3)}
    assert "ithout one no prize is called" in sue.send("lights", sue.form("lights", nine), nine)


def hidden(page: str, action: str) -> dict[str, str]:
    """The hidden fields of a form of a page."""
    form = re.search(rf'<form[^>]*action="{action}".*?</form>', page, re.DOTALL)
    assert form is not None, action
    return dict(re.findall(r'<input type="hidden" name="([^"]+)" value="([^"]*)">', form[0]))


def test_g_66_a_tap_that_paid_is_undone_and_later_reversed_by_a_supervisor_with_a_reason(room: CardRoom) -> None:
    dan, sue = Console(room), Console(room, "", "sue")
    dan.press(1, 3)
    page = dan.send("small", dan.form("small") | {"seat": "3", "prize": "10000|quads|Straight Flush"})
    assert "Seat 3: paid $100, Straight Flush." in page
    undo = hidden(page, f"{SIX}/undo")
    page = dan.send("undo", undo)
    assert "Undone. Dan took back $100.00 of Four Card Jackpot at table 6, round 1." in page, (
        "seen: twice what was paid"
    )
    assert "PAID" not in page
    assert room.books.state("room").of(LEDGER)["quads"].balances["paid"] == 0
    dan.send("small", dan.form("small") | {"seat": "3", "prize": "10000|quads|Straight Flush"})
    for _ in range(6):
        dan.later()
    room.room.clock = room.room.services.clock
    assert f"{SIX}/undo" not in dan.page(), "after ten seconds there is nothing to undo"
    form = sue.form("reverse")
    number = re.search(r'<option value="(\d+)">[^<]*Seat 3: paid \$100, Straight Flush. Dan<', sue.page())
    assert number is not None
    told = sue.send("reverse", form | {"prize": number[1], "words": "wrong seat"})
    assert "Reversed." in told
    assert room.books.state("room").of(LEDGER)["quads"].balances["paid"] == 0


def test_g_67_a_form_of_a_round_that_is_over_changes_nothing_and_says_so(room: CardRoom) -> None:
    dan, sue = Console(room), Console(room, "", "sue")
    dan.press(2, 5)
    call = dan.page(f"{SIX}/call?jackpot=quads&seat=5&cards=As+Ah+Ad+Ac+2d")
    old = {
        "small": dan.form("small") | {"seat": "2", "prize": "10000|quads|Straight Flush"},
        "correct": dan.form("correct") | {"wager": "four-card-jackpot", "seat": "2", "cause": "miscounted"},
    }
    void = sue.form("void") | {"round": "1", "cause": "misdeal", "words": "x"}
    report = hidden(call[call.index('class="found"') :], f"{SIX}/call")
    dan.press()
    dan.press(2, 5)
    before = room.books.state("room")
    for do, fields in old.items():
        assert "A new round has started, so nothing was changed." in dan.send(do, fields), do
    assert "A new round has started, so nothing was changed." in sue.send("void", void)
    late = dan.send("call", report)
    assert "A new round has started, so nothing was changed." in late
    assert room.books.state("room") == before
    dan.send("call", hidden(late[late.index('class="found"') :], f"{SIX}/call") | {"words": "seen after the press"})
    (hit,) = room.books.state("room").of(HITS).open.values()
    assert (hit.round, hit.late) == (1, True), "reported late for its own round, with a reason (G-4)"


def test_g_4_after_a_press_while_the_jackpot_is_closed_the_console_asks_for_the_reason(room: CardRoom) -> None:
    """The prizes of the round before are still on the screen: their jackpot counted no round since."""
    dan = Console(room)
    dan.press(2, 5)
    dan.press()
    closed(doors_of(room.room).jackpots, "quads")
    dan.press(2, 5)
    call = dan.page(f"{SIX}/call?jackpot=quads&seat=5&cards=As+Ah+Ad+Ac+2d")
    late = dan.send("call", hidden(call[call.index('class="found"') :], f"{SIX}/call"))
    assert "A new round has started, so nothing was changed." in late
    dan.send("call", hidden(late[late.index('class="found"') :], f"{SIX}/call") | {"words": "seen after the press"})
    (hit,) = room.books.state("room").of(HITS).open.values()
    assert (hit.round, hit.late) == (1, True)


def test_s_19_an_alarm_whose_cause_is_gone_leaves_the_console(room: CardRoom) -> None:
    tables = doors_of(room.room).tables
    now = tables.clock()
    message = {"device": "A3-4", "table": "4", "type": "press", "sequence": 1, "at": now, "sent": now, "sensors": []}
    assert tables.receive(json.dumps(message))["status"] == "refused"

    def alerts() -> list[str]:
        view = console_view(room.books.state("room"), "4", "Dan")
        assert view is not None
        assert all(each.time for each in view.alerts)
        return [each.text for each in view.alerts]

    assert alerts() == ["No dealer is tapped in. Tap in first."]
    device_press(room, "4", 1, sequence=2)
    assert alerts() == []


def test_s_19_an_alarm_that_stands_since_another_day_says_so(room: CardRoom) -> None:
    """Seen: 10:05 AM beside an alarm of the day before."""
    tables = doors_of(room.room).tables
    now = tables.clock()
    message = {"device": "A3-4", "table": "4", "type": "press", "sequence": 1, "at": now, "sent": now, "sensors": []}
    assert tables.receive(json.dumps(message))["status"] == "refused"
    state = room.books.state("room")
    record, zone = state.of(TABLES).tables["4"], room_zone(state)

    def times(pressed: int | None) -> list[str]:
        return [each.time for each in console_alerts(state, record._replace(pressed=pressed))]

    then = time_of(now).astimezone(zone)
    assert times(None) == times(now) == [clock(then)]
    assert times(now + 24 * 3_600_000_000) == [f"{short_day(then)}, {clock(then)}"]


def test_s_20_nobody_is_relieved_by_one_key_and_not_by_an_old_page(room: CardRoom) -> None:
    dan, sue = Console(room), Console(room, "", "sue")
    assert "autofocus" not in sue.page()
    form = hidden(sue.page(f"{SIX}?take=1"), f"{SIX}/take")
    dan.tap("dora")
    assert "Another dealer has tapped in since" in sue.send("take", form)
    assert "Tap in with your PIN." in dan.send("take", form | {"csrf": dan.form("press")["csrf"], "from": "Dora"})
    assert six(room).dealer == "Dora"
    assert "Dora is dealing. Take over table 6?" in sue.page(f"{SIX}?take=1")
    sue.take()
    assert six(room).dealer == "Sue"


def test_a_refused_fix_keeps_what_was_filled_in(room: CardRoom) -> None:
    dan = Console(room)
    dan.press(1)
    wrong = {"wager": "four-card-jackpot", "seat": "7", "cause": "miscounted", "words": "chip fell"}
    page = dan.send("correct", dan.form("correct") | wrong)
    assert 'name="words" value="chip fell"' in page
    assert 'name="seat" value="7" checked' in page
    assert 'name="tab" value="fix" autocomplete="off" checked' in page


def test_g_66_after_the_chips_of_the_shift_are_counted_its_prizes_stay(room: CardRoom) -> None:
    dan = Console(room)
    dan.press(3)
    dan.send("small", dan.form("small") | {"seat": "3", "prize": "10000|quads|Straight Flush"})
    (paid,) = room.books.state("room").of(HITS).small["6"]
    calendar = room.books.state("room").of(ROOM)
    assert calendar is not None
    shift = calendar.shift(time_of(paid.at))
    count = CollectChips(day=shift.day, shift=shift.name, table="6", cents=-99_00, counted_with="Sue")
    room.room.do(count, By("Amy", "accounting", By("Sue", "supervisor")), id="count")
    reverse = ReverseSmallPrize(table="6", prize=paid.number, words="wrong hand")
    (problem,) = room.room.verify(reverse, By("Sue", "supervisor"))
    assert "The chips of table 6 are counted" in problem
