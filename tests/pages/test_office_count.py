"""The chip count: one blind grid for a shift, saved by two people who have both signed in (O-12, G-45, S3, S14)."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any

import pytest

from pitboss.reports import ACCOUNTING
from pitboss.room.approvals import APPROVALS
from tests.pages.desk import Somebody
from tests.pages.office import office_room
from tests.pages.room import CardRoom
from tests.server.making import PASSWORD

SHIFT = {"day": "2026-11-14", "shift": "swing"}
ADDRESS = "/office/count?day=2026-11-14&shift=swing"


@pytest.fixture
def room(tmp_path_factory: pytest.TempPathFactory) -> Iterator[CardRoom]:
    with office_room(tmp_path_factory.mktemp("count") / "room") as card_room:
        yield card_room


def send(person: Somebody, **fields: Any) -> Any:
    names = {name.replace("_", "-", 1): value for name, value in fields.items()}
    return person.send("/office/count", ADDRESS, **names)


def chips(room: CardRoom) -> dict[str, int]:
    counts = room.room.state.of(ACCOUNTING).chips
    return {place: count.cents for place, count in counts.items() if place.startswith("2026-11-14/swing/")}


def test_s14_the_grid_has_every_table_and_no_expected_figure_before_a_count(room: CardRoom) -> None:
    page = Somebody(room, "lee").page(ADDRESS)
    assert re.findall(r'name="amount-([^"]+)"', page) == ["4", "5", "6"]
    assert "Expected" not in page
    assert "Difference" not in page
    assert re.findall(r'<option value="([a-z]*)">', page)[1:] == ["max"], "never another of the same role (G-31)"


def test_g_45_all_tables_are_saved_at_once_when_the_second_person_signs_in_beside_the_first(room: CardRoom) -> None:
    before = room.room.state.sequence
    answer = send(
        Somebody(room, "lee"), amount_4="$61.00", amount_5="-58", amount_6="0", witness="max", password=PASSWORD
    )
    assert answer.status_code == 200, answer.text
    assert "Saved. Swing shift, Nov 14: 3 of 3 tables counted, $3.00 in all." in answer.text
    assert chips(room) == {"2026-11-14/swing/4": 6100, "2026-11-14/swing/5": -5800, "2026-11-14/swing/6": 0}
    assert "Expected" in answer.text
    assert "Lee Sato and Max Adeyemi" in answer.text
    kinds = [entry.kind for entry in room.room.books.store.entries("room", before, room.room.state.sequence)]
    assert kinds.count("chips-collected") == 3
    assert kinds[-5:-3] == ["signed-in", "signed-out"], "the second person has signed in, and the books say so"


def test_s3_what_is_wrong_stands_at_its_field_and_everything_typed_is_still_there(room: CardRoom) -> None:
    before = chips(room)
    answer = send(Somebody(room, "lee"), amount_4="sixty five", amount_5="65")
    assert answer.status_code == 409
    assert "<title>Count" in answer.text
    assert "Conflict" not in answer.text
    assert 'id="amount-4-problem"><span>Enter an amount like 65 or $65.00.' in answer.text
    assert 'id="witness-problem"><span>Choose who counted with you.' in answer.text
    assert 'value="sixty five" aria-invalid="true"' in answer.text
    assert (
        'name="amount-5" inputmode="decimal" maxlength="20" autocomplete="off" placeholder="$" value="65"'
        in answer.text
    )
    assert chips(room) == before


def test_g_45_a_wrong_password_saves_nothing_and_is_not_shown_again(room: CardRoom) -> None:
    answer = send(Somebody(room, "lee"), amount_4="65", witness="max", password="not the password")  # noqa: S106
    assert answer.status_code == 409
    assert 'id="password-problem"><span>That is not Max Adeyemi' in answer.text
    assert "not the password" not in answer.text
    assert not chips(room)


def test_g_45_without_the_second_person_it_waits_for_their_own_sign_in(room: CardRoom) -> None:
    answer = send(Somebody(room, "lee"), amount_4="65", witness="max", confirm="later")
    assert "waiting for Max Adeyemi" in answer.text
    assert not chips(room)
    (number,) = [number for number, pending in room.room.state.of(APPROVALS).items() if pending.what == "desk/count"]
    room.room.approvals.give(number, name="Max Adeyemi", roles=frozenset({"manager"}), id="given")
    assert chips(room) == {"2026-11-14/swing/4": 6500}


def test_o_12_a_recount_needs_a_reason_and_replaces_the_count_before(room: CardRoom) -> None:
    lee = Somebody(room, "lee")
    send(lee, amount_4="65", witness="max", password=PASSWORD)
    answer = send(lee, amount_4="66", witness="max", password=PASSWORD)
    assert 'id="amount-4-problem"><span>Already counted. Add a reason to record a recount.' in answer.text
    send(lee, amount_4="66", reason_4="a chip was under the tray", witness="max", password=PASSWORD)
    assert chips(room) == {"2026-11-14/swing/4": 6600}


def test_a_shift_that_has_not_begun_cannot_be_counted_and_one_that_is_not_known_is_not_found(room: CardRoom) -> None:
    lee = Somebody(room, "lee")
    assert lee.client.get("/office/count?day=2026-11-14&shift=noon").status_code == 404
    late = lee.client.post(
        "/office/count",
        data={
            "csrf": lee.csrf,
            "command": "c-1",
            "day": "2026-11-14",
            "shift": "graveyard",
            "amount-4": "1",
            "witness": "max",
        },
    )
    assert (late.status_code, "has not begun" in late.text) == (409, True)
