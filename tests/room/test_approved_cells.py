"""Item 6: a printed cell is not overwritten under the printed id; a table of the room's own has an approval of its own."""

from __future__ import annotations

import datetime
from pathlib import Path
from typing import Any

import pytest

from pitboss import odds
from pitboss.books import Draft, RefusedError, Submission
from pitboss.commands import By
from pitboss.commands.command import BOOK
from pitboss.games import find_game
from pitboss.jackpot import definitions, lifecycle
from pitboss.room.approval_records import ApprovalPaper, RecordApproval
from pitboss.room.configurations import TablePosted, configuration_at
from pitboss.table import default_configuration, read_configuration, settle_record
from pitboss.table.configuration import Configuration
from tests.doors import doors_of
from tests.jackpot.making import STC, TCP
from tests.pages.room import jackpot, meter
from tests.pages.tables import EXAMPLE, LEE, MAX, tables_room
from tests.server.making import command

DAY = datetime.date(2026, 10, 1)
PRINTED = 'paytables = ["A6-4"]'
FLUSH = "Flush"


def stating(entry: str) -> str:
    assert PRINTED in EXAMPLE
    return EXAMPLE.replace(PRINTED, f"paytables = [{entry}]")


def told(text: str) -> str:
    return "; ".join(map(str, read_configuration(text).problems))


OVERWRITTEN = stating('{ id = "A6-4", pays = { "Flush" = "1" } }')
BROKEN = stating('{ id = "CEDAR-1", like = "A6-4", pays = { "Flush" = "1" } }')
OWN = stating('{ id = "CEDAR-1", like = "A6-4", pays = { "Flush" = "16" } }')


def test_g_6_a_printed_cell_is_not_overwritten_under_the_printed_id() -> None:
    words = told(OVERWRITTEN)
    assert "wagers.all-six.paytables.A6-4.pays.Flush: A6-4 prints" in words
    assert "an approved cell is not overwritten" in words
    assert words.endswith("(REGULATION W-10; G-6)")


def test_g_6_the_cell_as_printed_and_an_operator_set_cell_may_be_stated() -> None:
    row = find_game(TCP).paytables["A6-4"].row(FLUSH)
    assert row is not None
    assert told(stating(f'{{ id = "A6-4", pays = {{ "Flush" = "{row.printed}" }} }}')) == ""
    assert read_configuration(Path("examples/three-card-prime-operator-set.toml").read_text()).problems == ()


def test_g_6_a_table_of_the_rooms_own_has_an_id_of_its_own_and_keeps_the_order() -> None:
    assert told(OWN) == ""
    configuration = read_configuration(OWN).configuration
    assert configuration is not None
    assert configuration.own_tables == ("CEDAR-1",)
    assert configuration.terms.tables["all-six"].id == "CEDAR-1"
    assert read_configuration(configuration.canonical).configuration == configuration
    assert any("CEDAR-1" in str(notice) for notice in read_configuration(OWN).notices)
    assert "pays less than the row under it" in told(BROKEN)
    assert "is a printed table" in told(OWN.replace("CEDAR-1", "A6-1"))
    assert "is no pay table of" in told(OWN.replace('like = "A6-4"', 'like = "A6-9"'))


def test_w_10_it_is_posted_and_opened_only_with_an_approval_of_its_own(tmp_path: Path) -> None:
    with tables_room(tmp_path / "room") as found:
        posted = doors_of(found.room).posted
        with pytest.raises(RefusedError, match="for pay table CEDAR-1 at table 2"):
            posted.post("2", OWN, command=command(), actor=MAX.name, approved_by=LEE.name)
        papers = (ApprovalPaper("internal-controls", "IC-26-020", DAY),)
        approval = RecordApproval(table="2", game=TCP, papers=papers, paytable="CEDAR-1")
        found.room.do(approval, By(MAX.name, "manager", LEE), id=command())
        posted.post("2", OWN, command=command(), actor=MAX.name, approved_by=LEE.name)
        assert configuration_at(found.room.state, "2") == read_configuration(OWN).configuration


def test_g_6_a_jackpot_does_not_overwrite_a_printed_cell_either() -> None:
    entry = {"id": "F4P-1", "pays": {"Three of a Kind": "$9"}}
    changed = jackpot("main", TCP, "final-four", entry, meter(10_000_00), "4")
    assert "an approved cell is not overwritten" in "; ".join(map(str, lifecycle.jackpot_problems(changed)))
    assert definitions.offer_of(TCP, "final-four", entry).paytable == "F4P-1"


def test_item_6_research_and_records_price_and_settle_any_cell() -> None:
    changed = {"Same Color Player Hand": "2"}
    printed = odds.solve(TCP, "prime", ["PRW-1"]).ev
    other = odds.solve(TCP, "prime", [{"id": "PRW-1", "pays": changed}]).ev
    assert printed != other == odds.solve(TCP, "prime", [{"id": "CEDAR-2", "like": "PRW-1", "pays": changed}]).ev
    record: dict[str, Any] = {
        "game": TCP,
        "paytables": {"ante-play": ["PW/BB-1"], "prime": [{"id": "PRW-1", "pays": changed}]},
        "dealer": ["2c", "3d", "9s"],
        "seats": [
            {
                "seat": 1,
                "cards": ["Ah", "Kh", "9d", "2d"],
                "wagers": {"ante-play": 500, "prime": 500},
                "decisions": {"play": True},
            }
        ],
    }
    assert settle_record(record).settlement.lines[1]["prime"].paid_cents == 1500


def test_item_6_books_of_before_stay_readable(tmp_path: Path) -> None:
    """What was posted under the rulings of before is read as it was written, and opens no more."""
    before = default_configuration(find_game(STC), DAY)
    old = Configuration(**{**vars_of(before), "equipment": None})
    assert read_configuration(old.canonical).problems
    with tables_room(tmp_path / "room") as found:
        entry = Draft(TablePosted(table="8", configuration=old.canonical), table="8")
        found.room.books.submit(
            Submission(book=BOOK, id="old", actor="Ada", content="old", decide=lambda _: [entry], table="8")
        )
        assert configuration_at(found.room.state, "8") == old


def vars_of(configuration: Configuration) -> dict[str, Any]:
    return {name: getattr(configuration, name) for name in configuration.__dataclass_fields__}
