"""The page of a table that Pitboss deals: what it shows when, and never the key or a card that lies face down."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any

import pytest
from fastapi.testclient import TestClient

from pitboss.room.dealing.entries import DEALING, last_dealt
from tests.doors import doors_of
from tests.server.making import House, command
from tests.server.test_dealing import DEALING_SET, Training

BASE = "/tables/9/play"


@pytest.fixture
def training(house: House) -> Training:
    return Training(house)


def post(client: TestClient, do: str, expected: Any = 303, **fields: str) -> str:
    said = {"csrf": client.headers["x-csrf-token"], "command": command(), **fields}
    answer = client.post(f"{BASE}/{do}", data=said, follow_redirects=False)
    assert answer.status_code == expected, answer.text
    return answer.text


def steps(client: TestClient) -> Iterator[str]:
    """Do what the page offers next until the round is over; give the page before each step."""
    while True:
        page = client.get(BASE).text
        yield page
        asked = re.search(r'name="seat" value="(\d)"><input type="hidden" name="key" value="([^"]+)"', page)
        if asked is not None:
            post(client, "decide", seat=asked[1], key=asked[2], answer="yes")
            continue
        found = re.search(rf'action="{BASE}/(deal|reveal|settle)"', page)
        if found is None:
            return
        post(client, found[1])


def test_r_04_a_round_is_played_by_forms_and_its_key_is_on_the_page_only_when_it_is_over(training: Training) -> None:
    dealer = training.dealer
    assert "Shuffle" in dealer.get(BASE).text
    post(dealer, "shuffle")
    held = doors_of(training.house.room).dealing._held("9")
    post(dealer, "wager", seat="2", **{"wager:ante-play": "10", "wager:prime": "5.00"})
    *pages, last = steps(dealer)

    bound = training.house.room.state
    assert all(held.key.hex() not in page for page in pages)
    assert any("decides</span>" in page and 'aria-label="face down"' in page for page in pages)
    assert held.key.hex() in last
    assert "Check round 1" in last
    assert not bound.of(DEALING)["9"].is_on
    told = last_dealt(bound, "9")
    checked = dealer.get(f"{BASE}/rounds/{told.bound}/{told.revealed}").text
    assert "is the key that was locked" in checked
    assert checked.count(held.key.hex()) >= 1
    assert "Paid back" in checked


def test_what_is_refused_is_said_at_once_and_what_was_typed_stays(training: Training) -> None:
    post(training.dealer, "shuffle")
    page = post(training.dealer, "wager", 409, seat="2", **{"wager:ante-play": "1000000", "wager:prime": "many"})
    assert "prime" in page
    page = post(training.dealer, "wager", 409, seat="2", **{"wager:ante-play": "1000000"})

    assert 'role="alert"' in page
    assert 'value="1000000"' in page
    assert re.search(r'value="2" required checked', page)
    assert doors_of(training.house.room).dealing.seen("9")["wagers"] == {}
    post(training.dealer, "king", 404)


def test_a_form_sent_twice_is_done_once(training: Training) -> None:
    post(training.dealer, "shuffle")
    one = {"seat": "1", "wager:ante-play": "10", "command": command()}
    post(training.dealer, "wager", **one)
    post(training.dealer, "wager", **one)

    assert len(doors_of(training.house.room).dealing._held("9").done) == 1


def test_a_void_round_tells_its_key_and_has_no_settlement(training: Training) -> None:
    post(training.dealer, "shuffle")
    post(training.dealer, "wager", seat="1", **{"wager:ante-play": "10"})
    post(training.dealer, "deal")
    post(training.dealer, "void", reason="misdeal")
    told = last_dealt(training.house.room.state, "9")

    assert "round 1 (void)" in training.dealer.get(BASE).text
    assert "every wager was returned" in training.dealer.get(f"{BASE}/rounds/{told.bound}/{told.revealed}").text
    assert training.dealer.get(f"{BASE}/rounds/{told.revealed}/{told.bound}").status_code == 404
    assert training.dealer.get(f"{BASE}/rounds/1/{told.revealed}").status_code == 404


def test_an_auditor_looks_on_and_a_table_of_physical_cards_has_no_such_page(training: Training) -> None:
    page = training.by["auditor"].get(BASE).text
    assert "View only." in page
    assert f'action="{BASE}' not in page
    assert training.dealer.get("/tables/8/play").status_code == 404


def test_w_04_for_money_no_page_shows_the_cards_of_a_seat(training: Training) -> None:
    from tests.server.test_api import both  # noqa: PLC0415

    real = DEALING_SET | {"money": "real", "approval": "WSGC 2026-01-01, no. 7"}
    both(training.by["manager"], training.by["accounting"], "tables/dealing", **real)
    post(training.dealer, "shuffle")
    post(training.dealer, "wager", seat="1", **{"wager:ante-play": "10"})
    post(training.dealer, "deal")
    page = training.dealer.get(BASE).text

    assert "decides</span>" in page
    assert page.count('aria-label="face down"') >= 4
    assert not re.search(r'role="img" aria-label="(?!face down)', page)


def test_the_last_round_is_found_again_after_a_restart(training: Training) -> None:
    training.play()
    before = last_dealt(training.house.room.state, "9")
    training.play()
    after = last_dealt(training.house.room.state, "9")

    assert before.revealed < after.bound < after.revealed
    entries = {each.sequence: each.kind for each in training.house.entries()}
    assert (entries[after.bound], entries[after.revealed]) == ("shoe-bound", "shoe-revealed")
