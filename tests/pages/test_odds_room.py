"""Issue 20, the odds room: figures open to anybody, moved by hand, side by side, designed; a what-if is `pitboss odds`."""

from __future__ import annotations

import json
from collections.abc import Iterator

import pytest
from fastapi.testclient import TestClient

from pitboss.games import all_games
from pitboss.odds import solve
from pitboss.paper.words import percent
from pitboss.server.app import create_app
from pitboss.server.views.odds import wanted_of
from pitboss.server.worker.jobs import Job
from pitboss.server.worker.odds_room import WhatIfJob
from pitboss.server.worker.pool import Figure
from tests.pages.floor import staff
from tests.pages.room import card_room
from tests.server.making import ADDRESS

PRIME = "/odds/three-card-prime/prime"


class AtOnce:
    """A worker that computes in this process."""

    def wait(self, job: Job, _seconds: float, caller: str) -> Figure:
        assert caller, "what strangers ask for is counted"
        return self.ask(job)

    def ask(self, job: Job) -> Figure:
        assert job.key, "whatever a job is made of can be written down"
        try:
            return Figure("key", "ready", json.loads(json.dumps(job.run())))
        except Exception as error:  # noqa: BLE001 - as the worker does
            return Figure("key", "failed", words="; ".join(getattr(error, "problems", [str(error)])))

    ask_at_ease = ask

    def close(self) -> None:
        """Hold nothing."""


@pytest.fixture(scope="module")
def anybody(tmp_path_factory: pytest.TempPathFactory) -> Iterator[TestClient]:
    with card_room(tmp_path_factory.mktemp("odds-room") / "room") as found:
        staff(found)
        app = create_app(found.room)
        app.state.worker = AtOnce()
        yield TestClient(app, base_url=ADDRESS)


def test_every_game_and_wager_is_listed_without_signing_in(anybody: TestClient) -> None:
    page = anybody.get("/odds")
    assert 200 == page.status_code
    for game in all_games():
        for wager in game.wagers:
            assert f'href="/odds/{game.name}/{wager.name}"' in page.text


def test_figures_as_printed_have_their_fraction_and_method(anybody: TestClient) -> None:
    page = anybody.get(PRIME).text
    assert "3.6206%" in page
    assert "405/11,186" in page
    assert "by the number of red cards in each hand" in page
    assert "OWN-1" not in page


def test_a_what_if_is_what_pitboss_odds_says(anybody: TestClient) -> None:
    slot = wanted_of("three-card-prime", "prime", {}).slots[0]  # type: ignore[union-attr]
    page = anybody.get(f"{PRIME}/figures", params={slot.rows[0].name: "10", slot.rows[1].name: "2"}).text
    pays = {"Same Color Player and Dealer Hands": "10", "Same Color Player Hand": "2"}
    solved = solve("three-card-prime", "prime", [{"id": "PRW-1", "pays": pays}])
    assert percent(solved.house_edge) in page
    assert "633/5,593" in page
    assert "like = &#34;PRW-1&#34;" in page


def test_decisions_are_solved_again_when_a_pay_is_changed(anybody: TestClient) -> None:
    page = anybody.get("/odds/three-card-prime/ante-play/figures", params={"pay.ante-play.0": "50"})
    assert 200 == page.status_code
    assert "Best play: play" in page.text


def test_two_tables_stand_side_by_side(anybody: TestClient) -> None:
    page = anybody.get("/odds/three-card-prime/all-six", params={"beside.all-six": "A6-5"}).text
    first = wanted_of("three-card-prime", "all-six", {}).slots[0].chosen  # type: ignore[union-attr]
    for table in (first, "A6-5"):
        assert percent(solve("three-card-prime", "all-six", [table]).house_edge) in page
    assert "Beside it" in page


def test_what_cannot_be_a_cell_is_refused_in_words(anybody: TestClient) -> None:
    page = anybody.get(f"{PRIME}/figures", params={"pay.prime.0": "lots"})
    assert 'class="problems"' in page.text
    assert "lots" in page.text


def test_csv_and_json_are_exact(anybody: TestClient) -> None:
    content = anybody.get(f"{PRIME}/download/json").json()
    assert "405/11186" == content["house_edge"]
    rows = anybody.get(f"{PRIME}/download/csv").text.splitlines()
    assert "event,pays,count,of,contribution" == rows[0]
    assert 4 == len(rows)
    assert 404 == anybody.get(f"{PRIME}/download/exe").status_code


def test_a_hand_is_weighed_exactly(anybody: TestClient) -> None:
    page = anybody.get("/odds/three-card-prime/ante-play", params={"player": "Qh 6d 3c"}).text
    assert "-18419/18424" in page
    assert "play (best)" in page


def test_designed_tables_lead_to_their_what_if(anybody: TestClient) -> None:
    page = anybody.get("/odds/three-card-prime/pair-bonus/design", params={"low": 3, "high": 4, "top": "40"}).text
    assert "tables tried" in page
    assert "/odds/three-card-prime/pair-bonus?table." in page


def test_g_78_vulnerability_is_for_those_who_protect_the_game(anybody: TestClient) -> None:
    assert anybody.get("/odds/three-card-prime/vulnerability", follow_redirects=False).status_code in (303, 401, 403)
    assert 404 == anybody.get("/odds/three-card-prime/no-such").status_code
    assert 404 == anybody.get("/odds/no-such/prime").status_code


def test_equal_wishes_are_one_job() -> None:
    wanted = wanted_of("three-card-prime", "prime", {"stake": "10", "pace": "60"})
    other = wanted_of("three-card-prime", "prime", {})
    assert wanted is not None
    assert other is not None
    assert WhatIfJob(**wanted.job_fields()).key == WhatIfJob(**other.job_fields()).key
