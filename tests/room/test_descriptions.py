"""One approval card for every command: it describes itself in names and dollars, on a room at work (issue 17, B1, B2)."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

import pytest

from pitboss.books import Draft
from pitboss.commands import By, Change, Command, Description, Now, command, read_fields, write_fields
from pitboss.commands.description import changes, counted, listed, seats_text, typed_moment
from pitboss.jackpot import JACKPOTS, AdjustFund, JackpotDraft
from pitboss.room.approvals import described, description_of
from pitboss.room.commands import BY_NAME, COMMANDS
from tests.pages.desk import AMY, busy, desk_room
from tests.pages.room import CardRoom, example, posted

APPROVED = [cls for cls in COMMANDS if cls.spec.approvers]
UNITS = re.compile(r"\bunits?\b|[{}\[\]]|\b[0-9a-f]{12,}\b|_cents|_units|\bNone\b|\bTrue\b|\bFalse\b")
"""What no card has: units, JSON, hashes, names of fields, values of Python."""


@pytest.fixture(scope="module")
def room(tmp_path_factory: pytest.TempPathFactory) -> Iterator[CardRoom]:
    with desk_room(Path(tmp_path_factory.mktemp("described")) / "room") as found:
        found.rounds.update(busy(found))
        yield found


def draft(room: CardRoom, name: str = "final-four") -> dict[str, Any]:
    fields: dict[str, Any] = write_fields(JackpotDraft.of(room.room.state.of(JACKPOTS).jackpots[name].jackpot))
    return fields


def fields_of(room: CardRoom, name: str) -> Mapping[str, Any]:
    """The fields of every command that somebody approves, as forms and the API send them."""
    changed = draft(room)
    changed["meter"]["cap_cents"] = 50_000_00
    setup: dict[str, Any] = {"table": "4", "game": "three-card-prime", "model": "andromeda-3", "seats": 7}
    sensors = [{"position": seat, "number": 1, "wager": "final-four", "light": True} for seat in range(1, 8)]
    setup |= {"device": "A3-2001", "sensors": sensors}
    paper = {"kind": "internal-controls", "number": "IC-26-014", "day": "2026-10-01"}
    samples: dict[str, dict[str, Any]] = {
        "jackpots/define": {"jackpot": {**draft(room), "name": "second"}, "words": "letter of 2026-10-01"},
        "jackpots/change": {"jackpot": changed, "words": "a lower cap"},
        "jackpots/open": {"name": "final-four", "words": "the weekend"},
        "room/set": {
            "settings": {"room": "R", "time_zone": "UTC", "shifts": [{"name": "early", "begins": "05:00"}]},
            "since": "2027-01-05",
        },
        "desk/share": {
            "hit": 1,
            "seat": 2,
            "shares": [{"winner": name, "cents": 50_000, "taxpayer_number": True} for name in ("Ann Low", "Bo High")],
        },
        "people/set": {"login": "eve", "name": "Eve Stone", "roles": ["manager"], "active": True, "first": True},
        "people/link": {"login": "max", "words": "forgot it"},
        "jackpots/adjust": {"name": "final-four", "units": 2_500_000, "words": "a gift"},
        "jackpots/receipts": {"name": "final-four", "units": 70_000, "fund": "reserve", "words": "end of the year"},
        "jackpots/seed-other": {
            "name": "final-four",
            "other": "aces",
            "units": 6_000_000,
            "fund": "reserve",
            "permitted_by": "the director's letter",
            "words": "moved",
        },
        "jackpots/confirm-amount": {"name": "final-four", "words": "compared with the display log"},
        "jackpots/notice": {
            "name": "final-four",
            "day": "2026-12-24",
            "destination": "progressive",
            "to": "aces",
            "words": "a new game",
        },
        "jackpots/remove": {"name": "final-four", "words": "a new game"},
        "jackpots/document-removal": {"name": "final-four", "reference": "receipt 17", "words": "paid"},
        "jackpots/post": {"name": "quads", "cents": 6_000_00, "words": "the week", "at": "2026-11-20T06:00"},
        "jackpots/withdraw-posting": {"name": "quads", "scheduled": 9, "words": "typed wrongly"},
        "jackpots/deposit-arrived": {"name": "final-four", "sequence": 12, "reference": "B-77"},
        "jackpots/withdraw": {"name": "final-four", "cents": 100_00, "words": "prizes paid"},
        "hits/call-found": {
            "jackpot": "final-four",
            "table": "5",
            "round": 1,
            "claims": [{"seat": 2, "row": "4-card diamond Royal"}],
            "words": "seen on video",
        },
        "hits/reject": {"hit": room.rounds["aces"], "words": "no wager"},
        "hits/correct": {
            "hit": room.rounds["aces"],
            "claims": [{"seat": 4, "row": "Four Aces"}],
            "words": "another seat",
        },
        "tables/set-up": {"setup": setup, "words": "new equipment", "since": "2026-11-20"},
        "tables/open": {"table": "4", "words": "the evening"},
        "tables/resume": {"table": "4", "words": "repaired"},
        "tables/correct-earlier": {
            "table": "5",
            "round": 1,
            "wager": "final-four",
            "cause": "miscounted",
            "seats": [2],
            "words": "on video",
        },
        "tables/void": {"table": "6", "round": 1, "cause": "misdeal", "words": "on video", "open_hits": "reject"},
        "tables/enter-counts": {
            "table": "5",
            "rounds": 3,
            "wagers": {"final-four": {"1": 3, "2": 1}},
            "words": "sheet 4",
        },
        "tables/name-seats": {"table": "5", "round": 1, "seats": {"final-four": [1, 2]}, "words": "on video"},
        "tables/restore": {"table": "5", "rounds_played": 4, "words": "new sensor"},
        "tables/give-up": {"device": "A3-2001", "last": 9, "words": "broken"},
        "tables/set-shuffler": {
            "table": "4",
            "model": "Model 1",
            "maker": "Maker",
            "approval": "WS-17",
            "day": "2026-01-05",
            "words": "new",
        },
        "tables/post": {
            "table": "4",
            "configuration": posted("three-card-prime").replace('maximum = "300.00"', 'maximum = "200.00"'),
            "words": "lower limit",
        },
        "tables/withdraw": {"table": "4", "number": 5, "words": "not now"},
        "tables/record-approval": {"table": "4", "game": "three-card-prime", "papers": [paper], "words": "recorded"},
        "tables/dealing": {"table": "9", "cards": "dealt", "words": "practice"},
        "tables/give-up-dealt": {"table": "9", "words": "lost"},
        "tables/unlock-dealing": {"words": "looked at"},
        "room/register-maker": {"part": "tabulator", "maker": "Maker", "licence": "L-77"},
        "backups/plan": {"directory": "/media/safe", "public": "04" * 32, "times": ["05:30"], "words": "every night"},
        "backups/stop": {"words": "another program does it"},
        "room/add-key": {"public": "04" * 32, "words": "the auditor asked for it"},
        "room/rename": {"name": "Cedar Hill", "since": "2099-01-01", "words": "sold"},
        "tables/add": {
            "table": "8",
            "configuration": posted("three-card-prime"),
            "setup": {**setup, "table": "8"},
            "papers": [paper],
            "jackpots": [{**draft(room), "name": "eighth", "tables": []}],
            "words": "a new table",
        },
        "tables/open-day": {"tables": ["4", "5"], "jackpots": ["quads"], "words": "the day begins"},
        "tables/withdraw-approval": {
            "table": "4",
            "number": "IC-26-014",
            "since": "2026-12-01",
            "words": "revoked by letter",
        },
        "desk/count": {
            "day": "2026-11-15",
            "shift": "day",
            "counts": [{"table": "4", "cents": 65_00}],
            "counted_with": "Sue",
        },
        "desk/collect": {"day": "2026-11-15", "shift": "day", "table": "4", "cents": 65_00, "counted_with": "Sue"},
    }
    return samples[name]


def description(room: CardRoom, name: str) -> Description:
    value: Command = read_fields(BY_NAME[name], dict(fields_of(room, name)))
    return value.describe(room.room.state)


@pytest.mark.parametrize("name", [cls.spec.name for cls in APPROVED])
def test_every_command_that_is_approved_describes_itself_in_names_and_dollars(room: CardRoom, name: str) -> None:
    card = description(room, name)
    texts = [card.title, *(text for change in card.changes for text in change)]
    assert card.title[:1].isupper()
    assert card.title != BY_NAME[name].spec.summary.rstrip("."), "a sentence of its own, no help text"
    assert card.changes, "what changes, or what is stated"
    assert [text for text in texts if UNITS.search(text)] == []
    ids = re.compile(r"final-four|\baces\b|\bquads\b|four-card-jackpot|three-card-prime|andromeda-3\b|wa-commercial")
    assert [text for text in texts if ids.search(text)] == [], "no ids"
    assert card.reason == str(fields_of(room, name).get("words", ""))
    assert card == described(room.room.state, name, fields_of(room, name))


@pytest.mark.parametrize(
    ("name", "title"),
    [
        ("jackpots/adjust", "Raise Final Four Jackpot meter by $2.50"),
        ("jackpots/seed-other", "Move $6.00 from Final Four Jackpot reserve to 21+3 Jackpot meter"),
        ("jackpots/post", "Post $6,000.00 as the amount of Four Card Jackpot"),
        ("tables/set-up", "Equipment for table 4: Andromeda-3, 7 seats"),
        ("tables/post", "New setup for table 4: Three Card Prime"),
        ("tables/void", "Void round 1 at table 6 and refund $3.00"),
        ("tables/correct-earlier", "Fix round 1 at table 5: remove seat 2, Final Four Jackpot"),
        ("room/rename", "Rename the room to Cedar Hill from Jan 1, 2099 on"),
        ("desk/collect", "Chip count for table 4, day shift, Nov 15, 2026: $65.00"),
    ],
)  # fmt: skip
def test_the_sentence_names_the_object_and_the_amount(room: CardRoom, name: str, title: str) -> None:
    assert description(room, name).title == title


def test_a_new_jackpot_is_named_with_its_tables_and_amounts(room: CardRoom) -> None:
    terms = "progressive, starting at $23,416.87, cap $100,000.00"
    title = f"New jackpot: Final Four Jackpot at tables 4 and 5 ({terms})"
    assert description(room, "jackpots/define").title == title
    bonus = read_fields(BY_NAME["jackpots/define"], {"jackpot": {**draft(room, "quads"), "name": "b"}, "words": "x"})
    assert bonus.describe(room.room.state).title == "New jackpot: Four Card Jackpot at table 6 (bonus, $5,000.00)"


def test_what_changes_stands_beside_what_is_there(room: CardRoom) -> None:
    changed = {change.label: (change.before, change.after) for change in description(room, "jackpots/change").changes}
    assert changed == {"Cap": ("$100,000.00", "$50,000.00")}
    posted_rows = {row.label: row.text for row in description(room, "tables/post").changes}
    assert "$300.00 \N{RIGHTWARDS ARROW} $200.00" in posted_rows.values()
    rejected = {row.label: row.text for row in description(room, "hits/reject").changes}
    assert rejected["Seat 6"].startswith("Four Aces, $")
    assert rejected["Seat 6"].endswith("no prize")
    corrected = {row.label: row.text for row in description(room, "hits/correct").changes}
    assert set(corrected) == {"Seat 4", "Seat 6"}
    equipment = {row.label: row.text for row in description(room, "tables/set-up").changes}
    assert equipment["Starts on"] == "Nov 20, 2026"


def test_b_1_an_adjustment_of_two_dollars_fifty_says_so(room: CardRoom) -> None:
    """2,500,000 units of a ten-thousandth of a cent: the card has what the books move, before and after."""
    adjust = AdjustFund(name="final-four", units=2_500_000, words="a gift of the house")
    number = room.room.do(adjust, AMY, id="ask-b1").entries[0].sequence
    state = room.room.state
    card = description_of(state, room.room.approvals.waiting[number])
    before = room.jackpots.meter("final-four").displayed_cents
    assert card.title == "Raise Final Four Jackpot meter by $2.50"
    assert card.reason == "a gift of the house"
    assert card.changes == (Change("Final Four Jackpot meter", *(f"${c / 100:,.2f}" for c in (before, before + 250))),)
    room.room.approvals.give(number, name="Max", roles=frozenset({"manager"}), id="give-b1")
    assert room.jackpots.meter("final-four").displayed_cents == before + 250


def test_a_command_that_is_approved_without_describing_itself_does_not_start() -> None:
    class Plain(Command):
        """Do something."""

        def entries(self, now: Now, by: By) -> list[Draft]:
            return []

    class Other(Plain):
        """Do something else."""

    with pytest.raises(TypeError, match="has no describe"):
        command("tables/nothing", roles=("manager",), approvers=("accounting",))(Plain)
    declared = command("tables/other", roles=("manager",))(Other)
    assert declared().describe(None).title == "Do something else"  # type: ignore[arg-type]


def test_a_request_of_before_that_is_read_no_more_still_has_a_sentence(room: CardRoom) -> None:
    state = room.room.state
    assert described(state, "jackpots/adjust", {"nothing": 1, "words": "why"}).reason == "why"
    assert described(state, "gone/for-good", {}).title == "gone: for good"
    assert described(state, "hits/reject", {"hit": 99_999, "words": "x"}).title.endswith("no longer pending")
    unreadable = {"table": "4", "configuration": "nothing = ", "words": "x"}
    assert "cannot be read" in described(state, "tables/post", unreadable).title
    assert described(state, "tables/post", {"table": "99", "configuration": example("deuces-wild")}).title == (
        "New setup for table 99: Deuces Wild"
    )


def test_words_of_numbers_seats_and_times(room: CardRoom) -> None:
    assert [listed(items) for items in ((), (1,), (1, 2), (1, 2, 3))] == ["", "1", "1 and 2", "1, 2 and 3"]
    assert [seats_text(seats) for seats in ((), (2,), (4, 1))] == ["no seat", "seat 2", "seats 1 and 4"]
    assert (counted(1, "round"), counted(1200, "round")) == ("1 round", "1,200 rounds")
    state = room.room.state
    assert typed_moment(state, "2026-11-20T06:00", "now") == "Nov 20, 2026, 6:00 AM"
    assert (typed_moment(state, " ", "now"), typed_moment(state, "soon", "now")) == ("now", "soon")
    assert changes({"a": "1", "b": "2"}, {"a": "1", "b": "", "c": "3"}) == (
        Change("b", "2", "none"),
        Change("c", "none", "3"),
    )
