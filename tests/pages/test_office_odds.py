"""The odds of the table in force: computing until they are counted, and then exact, at what the meter shows now."""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction

import pytest
from fastapi.testclient import TestClient

from pitboss.odds.results import EventOdds, OddsResult
from pitboss.room.configurations import configuration_at
from pitboss.server.app import create_app
from pitboss.server.views.office.odds import odds_view, offered_at
from pitboss.server.worker.jobs import JackpotOddsJob, Job, TableOddsJob
from pitboss.server.worker.pool import BusyError, Figure
from tests.pages.floor import staff
from tests.pages.room import CardRoom, card_room
from tests.server.making import ADDRESS, sign_in

RESULT = OddsResult(
    game="",
    wager="",
    paytables=("T",),
    readings={},
    decks=None,
    basis="",
    ev=Fraction(-1, 4),
    initial_stake=Fraction(1),
    average_wager=Fraction(2),
    variance=Fraction(9),
    hit_frequency=Fraction(1, 8),
    meter_coefficient=Fraction(1, 100_000),
    events=(EventOdds("Top", 1, 1_000, "100%", Fraction(0), Fraction(1)),),
    decisions=(),
    method="counted",
    terms_hash="",
    code_version="",
)


@pytest.fixture(scope="module")
def room(tmp_path_factory: pytest.TempPathFactory) -> Iterator[CardRoom]:
    with card_room(tmp_path_factory.mktemp("odds") / "room") as found:
        staff(found)
        yield found


class Counting:
    """A worker that has counted some wagers."""

    def __init__(self) -> None:
        self.ready: tuple[type[Job], ...] = ()
        self.asked: list[Job] = []

    def ask(self, job: Job) -> Figure:
        self.asked.append(job)
        return Figure("key", "ready", RESULT.as_json()) if isinstance(job, self.ready) else Figure("key", "computing")


def test_figures_are_computing_until_they_are_there(room: CardRoom) -> None:
    app = create_app(room.room)
    app.state.worker = worker = Counting()
    client = TestClient(app, base_url=ADDRESS, follow_redirects=False)
    sign_in(client, "max")
    page = client.get("/office/odds/4").text
    configuration = configuration_at(room.room.state, "4")
    assert configuration is not None
    assert [job.wager for job in worker.asked if isinstance(job, TableOddsJob)] == list(configuration.wagers)
    assert [job.jackpot["name"] for job in worker.asked if isinstance(job, JackpotOddsJob)] == ["final-four"]
    assert page.count('data-figure="') == len(configuration.wagers) + 1
    worker.ready = (JackpotOddsJob,)
    page = client.get("/office/odds/4").text
    assert page.count('data-figure="') == len(configuration.wagers)
    assert "$25,000.00" in page
    assert client.get("/office/odds/none").status_code == 404


class Busy(Counting):
    """A worker that has too much to do."""

    def ask(self, job: Job) -> Figure:
        raise BusyError("Try again in a minute.")


def test_a_worker_with_too_much_to_do_is_said_in_the_place_of_each_figure(room: CardRoom) -> None:
    """Seen: the page of odds and that of a forecast were error pages (503)."""
    app = create_app(room.room)
    app.state.worker = Busy()
    client = TestClient(app, base_url=ADDRESS, follow_redirects=False)
    sign_in(client, "max")
    for address in ("/office/odds/4", "/office/jackpots/final-four/forecast"):
        page = client.get(address)
        assert page.status_code == 200
        assert "Try again in a minute." in page.text


def test_edge_volatility_hits_and_break_even_are_those_of_the_exact_figures(room: CardRoom) -> None:
    """Worked out by hand: 25 % of the stake, half of that of all wagered, a deviation of 3; even at $25,000."""
    state = room.room.state
    configuration = configuration_at(state, "4")
    figures = {
        TableOddsJob: Figure("", "failed", words="no table"),
        JackpotOddsJob: Figure("", "ready", RESULT.as_json()),
    }
    offered = offered_at(state, "4", configuration)
    view = odds_view("4", configuration, offered, lambda job: figures[type(job)])
    found = view.wagers[-1]
    assert (found.edge, found.risk) == ("25.0000%", "12.5000%")
    assert (found.deviation, found.hits) == ("3.0000", "12.5000%")
    assert (found.break_even, found.meter) == ("$25,000.00", "$23,416.87")
    assert found.edge_now == "1.5831%"
    assert found.events[0].one_in == "1,000.0"
    assert {each.failed for each in view.wagers[:-1]} == {"no table"}


def test_the_worker_counts_what_the_table_offers(room: CardRoom) -> None:
    from pitboss.odds import solve  # noqa: PLC0415

    offered = offered_at(room.room.state, "4", configuration_at(room.room.state, "4"))[-1]
    found = offered.job.run()
    assert found["ev"] == solve(offered.game, offered.wager, [offered.paytables]).as_json()["ev"]
