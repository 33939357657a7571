"""Disputes: settled as `pitboss settle` settles, kept under numbers without gaps, refused with everything at once."""

from __future__ import annotations

import base64
import json
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from pitboss.books import Entry, RefusedError, read_payload
from pitboss.cli.games.typed_round import Typed, TypedReader
from pitboss.games import find_game
from pitboss.jackpot import HITS
from pitboss.paper.typesetting import dispute_pdf
from pitboss.room.configurations import configuration_at
from pitboss.room.disputes import DISPUTES, DisputeSettled, RoundStatement, settled_dispute
from pitboss.room.room import room_zone
from pitboss.server.views.disputes import dispute_form, dispute_paper, dispute_view
from pitboss.server.worker.papers import DisputePdfJob
from pitboss.table import record_terms, settle_record
from tests.doors import doors_of
from tests.pages.desk import DAN, DISPUTE, DISPUTED, ROYAL, SUE, Somebody, desk_room
from tests.pages.room import TCP, CardRoom, posted
from tests.server.making import command

FIELDS = {
    "table": "4",
    "seat": "2",
    "board": "9s 9h 4d",
    "cards:2": "Ad Kd Qd Jd",
    "wager:2:ante-play": "20",
    "decision:2:play": "yes",
}


@pytest.fixture(scope="module")
def room(tmp_path_factory: pytest.TempPathFactory) -> Iterator[CardRoom]:
    with desk_room(tmp_path_factory.mktemp("disputes") / "room") as found:
        yield found


def typed(config: Path) -> Typed:
    """The same round, as it is typed after `pitboss settle`."""
    seat = "2: Ad Kd Qd Jd | ante-play=20 pair-bonus=5 final-four=1 | play"
    nothing: dict[str, Any] = {name: [] for name in ("paytables", "pays", "envy", "readings", "jackpot_wagers")}
    boards = {"dealer": "9s 9h 4d", "community": None}
    return Typed(game=None, seats=[seat], boards=boards, meters=["25000"], plain={}, config=config, **nothing)


def kept(room: CardRoom, number: int) -> tuple[Entry, DisputeSettled]:
    entry = room.books.store.entry("room", room.books.state("room").of(DISPUTES)[number - 1])
    assert entry is not None
    value = read_payload(entry.kind, entry.payload)
    assert isinstance(value, DisputeSettled)
    return entry, value


def test_a_dispute_settles_as_the_command_does_on_the_same_round(room: CardRoom, tmp_path: Path) -> None:
    config = tmp_path / "table-4.toml"
    config.write_text(posted(TCP), encoding="utf-8")
    reader = TypedReader(typed(config))
    by_command = settle_record(reader.record(), **reader.beside).json_text(paytables=True)
    assert reader.problems == []
    settled, _ = settled_dispute(room.books.state("room"), "4", DISPUTE)
    assert settled.json_text(paytables=True) == by_command
    assert '"net_cents": 2541900' in by_command


def test_t_14_a_dispute_that_is_kept_says_for_ever_what_was_told_and_settles_the_same_again(room: CardRoom) -> None:
    settle = doors_of(room.room).disputes.settle
    said: dict[str, Any] = {"words": "Pair Bonus not paid", "round_number": 311, "by": SUE}
    first = len(room.books.state("room").of(DISPUTES)) + 1
    answers = [settle("4", DISPUTE, command="dispute-a", **said) for _ in range(2)]
    assert [each.again for each in answers] == [False, True]
    settle("4", DISPUTE, command="dispute-b", **said)
    assert [kept(room, number)[1].number for number in (first, first + 1)] == [first, first + 1]
    entry, value = kept(room, first)
    configuration = configuration_at(room.books.state("room"), "4")
    assert configuration is not None
    again = settle_record(json.loads(value.record), **record_terms(configuration)[1])
    assert again.json_text(paytables=True) == value.settlement
    assert value.configuration == configuration.content_hash
    view = dispute_view(entry, room_zone(room.books.state("room")))
    [seat] = view.seats
    assert (view.table, view.round, view.by, seat.net) == ("4", 311, "Sue", "+$25,419.00")
    # Seen: "Settled on round 311: …, but for final-four as stated (G-52)."
    assert view.basis.startswith("Round 311: its configuration, meters of the ledger")
    assert "final-four" not in view.basis
    assert "G-52" not in view.basis
    assert [line.net for line in seat.lines] == ["+$220.00", "+$200.00", "+$24,999.00"]
    assert all(source for line in seat.lines for _, source in line.because)


def test_item_11_a_disputed_round_may_be_void_and_one_person_plays_two_seats(room: CardRoom) -> None:
    state = room.books.state("room")
    void, record = settled_dispute(state, "4", DISPUTE._replace(void="misdeal"))
    assert [void.settlement.net_cents(seat) for seat in void.settlement.lines] == [0]
    assert (record["void"], "person" in record["seats"][0]) == ("misdeal", False)
    other = {**DISPUTED, "seat": 3, "cards": ["As", "8c", "6c", "2h"], "wagers": {"ante-play": 2000, "all-six": 500}}
    seats = [{**DISPUTED, "person": "Ann"}, {**other, "person": "Ann"}]
    settled, _ = settled_dispute(state, "4", DISPUTE._replace(seats=seats))
    assert set(settled.settlement.lines) == {2, 3}
    more = {**seats[1], "wagers": {**other["wagers"], "prime": 500}}
    with pytest.raises(RefusedError, match="one person on seats 2 and 3 uses 5 options"):
        settled_dispute(state, "4", DISPUTE._replace(seats=[seats[0], more]))
    sue = Somebody(room, "sue")
    page = sue.client.get("/floor/disputes/new", params={**FIELDS, "void": "misdeal", "settle": "yes"}).text
    assert "Round void (misdeal): every wager is returned" in page


def test_g_52_a_number_that_does_not_follow_is_no_record() -> None:
    value = DisputeSettled(number=3, configuration="", record="{}", settlement="{}", words="x")
    entry: Any = None
    with pytest.raises(ValueError, match="dispute 3 does not follow dispute 0"):
        DISPUTES.fold((), entry, value)


def test_everything_that_is_wrong_is_told_at_once_and_nothing_is_kept(room: CardRoom) -> None:
    before = room.books.state("room").sequence
    wrong = RoundStatement([{**DISPUTED, "cards": ["Ad", "Ad", "Qd", "Jd"], "decisions": {}}], ["9s", "9h"], {})
    with pytest.raises(RefusedError) as refused:
        doors_of(room.room).disputes.settle("4", wrong, words="x", round_number=0, command=command(), by=SUE)
    told = "; ".join(refused.value.problems)
    assert "more often than" in told
    assert "is missing: Play" in told
    with pytest.raises(RefusedError, match="no configuration is posted at table '99'"):
        settled_dispute(room.books.state("room"), "99", DISPUTE)
    with pytest.raises(RefusedError, match="what the dispute is about"):
        doors_of(room.room).disputes.settle("4", DISPUTE, words=" ", round_number=0, command=command(), by=SUE)
    assert room.books.state("room").sequence == before


@pytest.mark.parametrize("table", ["4", "6", "7"])
def test_the_form_asks_for_every_wager_that_is_offered_and_every_decision_of_the_game(
    room: CardRoom, table: str
) -> None:
    configuration = configuration_at(room.books.state("room"), table)
    form = dispute_form(room.books.state("room"), table)
    assert configuration is not None
    assert form is not None
    game = find_game(configuration.game)
    assert [each.name for each in form.wagers] == list(configuration.offered)
    assert [each.name for each in form.decisions] == list(game.decisions)
    assert all(each.answers for each in form.decisions if each.name not in game.card_decisions)
    assert dispute_form(room.books.state("room"), "99") is None


def test_the_pages_settle_keep_once_and_turn_the_wrong_people_away(room: CardRoom) -> None:
    sue, vic, uma = (Somebody(room, login) for login in ("sue", "vic", "uma"))
    page = sue.client.get("/floor/disputes/new", params={**FIELDS, "settle": "yes"}).text
    assert "<b>Net +$220.00</b>" in page
    assert "TCP rule 4" in page
    bad = sue.client.get("/floor/disputes/new", params={**FIELDS, "wager:2:prime": "much", "settle": "yes"})
    assert (bad.status_code, "Seat 2 prime" in bad.text) == (409, True)
    before = len(room.books.state("room").of(DISPUTES))
    sent = {**FIELDS, "csrf": sue.csrf, "command": "keep-1", "words": "even money", "round": "7"}
    answers = [sue.client.post("/floor/disputes", data=sent) for _ in range(2)]
    assert [each.url.path for each in answers] == [f"/floor/disputes/{before + 1}"] * 2
    assert len(room.books.state("room").of(DISPUTES)) == before + 1
    assert "even money" in uma.page(f"/floor/disputes/{before + 1}")
    assert "even money" in vic.page("/floor/disputes")
    assert "/floor/disputes/new" not in vic.page("/floor/disputes")
    assert vic.client.post("/floor/disputes", data={**sent, "csrf": vic.csrf}).status_code == 403
    assert sue.client.post("/floor/disputes", data={**sent, "command": "keep-2", "words": ""}).status_code == 409
    assert sue.client.get("/floor/disputes/new?table=99").status_code == 404
    assert uma.client.get("/floor/disputes/999").status_code == 404


def test_a_record_is_a_pdf_that_says_what_the_page_says_and_has_the_round_with_it(room: CardRoom) -> None:
    """The same record gives the same bytes, tagged and with its settlement attached; the worker makes it."""
    state = room.books.state("room")
    answer = doors_of(room.room).disputes.settle(
        "4", DISPUTE, words="Pair Bonus not paid", round_number=311, command=command(), by=SUE
    )
    entry = answer.entries[0]
    paper = dispute_paper(entry, room_zone(state), room.room.name)
    page = dispute_view(entry, room_zone(state))
    assert [each["net"] for each in paper["seats"]] == [each.net for each in page.seats]
    assert (paper["number"], paper["head"], "2026" in paper["at"] or "2027" in paper["at"]) == (
        page.number,
        entry.digest.hex(),
        True,
    )
    value = kept(room, page.number)[1]
    assert json.loads(paper["json"]) == {"record": json.loads(value.record), "settlement": json.loads(value.settlement)}
    made = base64.b64decode(DisputePdfJob(view=paper).run()["pdf"])
    assert made == dispute_pdf(paper)
    assert made.startswith(b"%PDF")
    assert b"dispute.json" in made
    uma = Somebody(room, "uma")
    asked = uma.client.get(f"/floor/disputes/{page.number}/pdf")
    assert (asked.status_code, "data-figure" in asked.text) == (202, True)
    assert uma.client.get("/floor/disputes/999/pdf").status_code == 404
    uma.client.app.state.worker.close()  # type: ignore[attr-defined]


SEAT: dict[str, Any] = {
    "seat": 2,
    "cards": ["Ad", "Kd", "Qd", "Jd"],
    "wagers": {"ante-play": 2000, "final-four": 100},
    "decisions": {"play": True},
}
STATED = RoundStatement([SEAT], ["9s", "9h", "4d"], {})


def played(room: CardRoom, *seats: int) -> int:
    """Play a round at table 5, which is counted by hand."""
    tables = doors_of(room.room).tables
    tables.press("5", {"final-four": list(seats)}, command=command(), by=DAN)
    return tables.table("5").round


def released(room: CardRoom) -> None:
    time.sleep(1.05)
    doors_of(room.room).tables.press("5", command=command(), by=DAN)
    time.sleep(1.05)


def test_g_52_a_dispute_is_settled_on_the_meter_that_the_ledger_has_for_its_round(tmp_path: Path) -> None:
    """Seen: settled on the opening meter of the configuration file, whatever the round."""
    with desk_room(tmp_path / "room") as room:
        number = played(room, 2)
        owed = room.jackpots.meter("final-four").displayed_cents
        released(room)
        played(room, 1, 3)
        assert room.jackpots.meter("final-four").displayed_cents > owed
        settle = doors_of(room.room).disputes.settle
        settle("5", STATED, words="royal not paid", round_number=number, command=command(), by=SUE)
        _, value = kept(room, len(room.room.state.of(DISPUTES)))
        record = json.loads(value.record)
        assert record["meters"]["final-four"] == owed
        assert value.basis == f"round {number}: its configuration, meters of the ledger (G-52)"
        other = STATED._replace(meters={"final-four": owed + 1})
        with pytest.raises(RefusedError, match=r"say why in words \(G-52\)"):
            settle("5", other, words="x", round_number=number, command=command(), by=SUE)
        settle("5", STATED, words="no round known", round_number=0, command=command(), by=SUE)
        _, unnamed = kept(room, len(room.room.state.of(DISPUTES)))
        assert unnamed.basis == "no round is named: the configuration now posted applies (G-52)"


def test_g_52_g_58_decided_for_the_player_a_dispute_opens_a_hit(tmp_path: Path) -> None:
    with desk_room(tmp_path / "room") as room:
        number = played(room, 2)
        owed = room.jackpots.meter("final-four").displayed_cents
        for _ in range(2):
            released(room)
            played(room, 1)
        settle = doors_of(room.room).disputes.settle
        settle("5", STATED, words="royal not paid", round_number=number, command=command(), by=SUE)
        dispute = len(room.room.state.of(DISPUTES))
        sue = Somebody(room, "sue")
        page = sue.page(f"/floor/disputes/{dispute}")
        assert "Decided for the player" in page
        assert "Decided for the player" not in Somebody(room, "vic").page(f"/floor/disputes/{dispute}")
        fields = {"jackpot": "final-four", "table": "5", "round": number, "dispute": dispute, "seat": 2}
        sent = {**fields, "row": ROYAL, "words": "camera 5", "csrf": sue.csrf, "command": command()}
        answer = sue.client.post("/office/hits/found", data=sent)
        assert (answer.status_code, "Submitted. Waiting for approval." in answer.text) == (200, True), answer.text
        (waiting,) = room.room.approvals.waiting
        number_waiting = int(waiting)
        room.room.approvals.give(number_waiting, name="Vic", roles=frozenset({"surveillance"}), id=command())
        (hit,) = (hit for hit in room.room.state.of(HITS).open.values() if hit.round == number)
        assert [(won.seat, won.row, won.cents) for won in hit.won] == [(2, ROYAL, owed)]
        assert hit.late
