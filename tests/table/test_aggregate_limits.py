"""Item 9, W-13: aggregate payout limits in a configuration, by the law of their day, on every screen and to every door."""

from __future__ import annotations

import datetime
import json
import tomllib
from dataclasses import replace
from functools import cache
from pathlib import Path
from typing import Any

import pytest
from fastapi.testclient import TestClient

from pitboss.books import RefusedError
from pitboss.cards import parse_cards
from pitboss.commands import By
from pitboss.games import find_game
from pitboss.odds import default_store, price_limit
from pitboss.odds.par.sheet import make_sheet, read_sheet
from pitboss.odds.results import result_from_json
from pitboss.paper.par import _wager as wager_content
from pitboss.paper.words import percent
from pitboss.room.approval_records import ApprovalPaper, RecordApproval
from pitboss.room.configurations import configuration_at
from pitboss.rules import AggregateLimit
from pitboss.server.app import create_app
from pitboss.server.views.console import console_view
from pitboss.server.views.office.odds import Offered, wager_line
from pitboss.server.views.office.tables import content_of, fields_of, form_view, lost_keys
from pitboss.server.views.vision import frame_of, sign_lines, vision_view
from pitboss.server.worker.jobs import TableOddsJob
from pitboss.server.worker.pool import Figure
from pitboss.table import (
    Configuration,
    PlaceWagers,
    Round,
    compare,
    default_configuration,
    read_configuration,
    round_record,
    settle_record,
)
from pitboss.table.configuration import PAYOUT_LIMITS, toml_text
from pitboss.table.costs import cost_of
from tests.cli.running import run
from tests.doors import doors_of
from tests.pages.tables import LEE, MAX, tables_room
from tests.server.making import ADDRESS, command, sign_in
from tests.table.playing import finish

DW = "deuces-wild"
DAY = datetime.date(2026, 10, 1)
NOTICE = "Five Card Fortune: all prizes of one deal together are at most $20,000.00 a player."


def limited(
    wager: str,
    day: datetime.date = DAY,
    profile: str = "wa-commercial",
    *,
    player_limit_cents: int | None = None,
    table_limit_cents: int | None = None,
) -> Configuration:
    usual = default_configuration(find_game(DW), day, profile)
    settings = replace(
        usual.wagers[wager],
        maximum_cents=200_00 if wager == "ante-play-raise" else 400_00,
        player_limit_cents=player_limit_cents,
        table_limit_cents=table_limit_cents,
    )
    return replace(usual, wagers={**usual.wagers, wager: settings})


def told(configuration: Configuration) -> list[str]:
    return [str(problem) for problem in read_configuration(configuration.canonical).problems]


def test_w_13_fifty_times_the_largest_wager_is_the_least_and_one_cent_less_is_refused() -> None:
    """At $400 the least is $20,000; the Raise is twice an Ante of $200."""
    for wager in ("five-card-fortune", "ante-play-raise"):
        assert told(limited(wager, player_limit_cents=20_000_00, table_limit_cents=20_000_00)) == []
        for key, short in (
            ("player_limit", limited(wager, player_limit_cents=19_999_99)),
            ("table_limit", limited(wager, table_limit_cents=19_999_99)),
        ):
            (words,) = told(short)
            assert f"wagers.{wager}.{key}: $19,999.99 is less than $20,000.00" in words
            assert "WAC 230-15-490" in words
            assert words.endswith("REGULATION W-13; G-65)")


def test_w_13_below_fifty_to_one_no_limit_stands() -> None:
    """The Treasure pays 25 to 1 at most; a table of 49 to 1 is refused and one of 50 to 1 is not."""
    (words,) = told(limited("three-card-treasure", table_limit_cents=1_000_000_00))
    assert "highest odds are 20 to 1: an aggregate limit needs 50 to 1 or more" in words
    for top, refused in ((49, True), (50, False)):
        own = {"id": "CEDAR-T", "like": "TCT-A", "pays": {"Mini Royal (QKA suited)": str(top)}}
        configuration = limited("three-card-treasure", table_limit_cents=20_000_00)
        settings = replace(configuration.wagers["three-card-treasure"], paytables=(own,))
        wagers = {**configuration.wagers, "three-card-treasure": settings}
        assert bool(told(replace(configuration, wagers=wagers))) == refused


def test_w_13_the_text_before_2021_06_14_asked_for_more() -> None:
    """Of a table twice a player's, and of a player the least wager at the highest odds: $5 Ante, 250 to 1."""
    before, after = datetime.date(2021, 6, 13), datetime.date(2021, 6, 14)
    # $300 was the largest wager then: an Ante of $150 and a Raise of $300.
    usual = limited("ante-play-raise", before, player_limit_cents=15_000_00, table_limit_cents=29_999_99)
    settings = replace(usual.wagers["ante-play-raise"], maximum_cents=150_00)
    short = replace(usual, wagers={**usual.wagers, "ante-play-raise": settings})
    (words,) = told(short)
    assert "table_limit: $29,999.99 is less than $30,000.00" in words
    assert told(replace(short, on=after)) == []
    enough = replace(settings, table_limit_cents=30_000_00)
    assert told(replace(short, wagers={**short.wagers, "ante-play-raise": enough})) == []
    high = replace(settings, minimum_cents=100_00, table_limit_cents=None)
    (words,) = told(replace(short, wagers={**short.wagers, "ante-play-raise": high}))
    assert "player_limit: $15,000.00 is less than $25,000.00" in words


def test_w_07_the_wac_does_not_bind_a_tribal_room() -> None:
    assert told(limited("three-card-treasure", profile="wa-tribal", table_limit_cents=1_00)) == []


def test_w_13_it_is_read_and_written_and_compared() -> None:
    configuration = limited("five-card-fortune", player_limit_cents=20_000_00, table_limit_cents=50_000_00)
    assert 'player_limit = "20000.00"' in configuration.canonical
    assert read_configuration(configuration.canonical).configuration == configuration
    assert configuration.terms.aggregate_limits == {"five-card-fortune": AggregateLimit(20_000_00, 50_000_00)}
    plain = limited("five-card-fortune")
    assert "limit" not in plain.canonical
    assert "aggregate" not in plain.terms.canonical
    assert configuration.content_hash != plain.content_hash
    changes = {change.title: (change.was, change.becomes) for change in compare(plain, configuration).settings}
    assert changes["Five Card Fortune: most paid to a player in one deal"][1] == "$20,000.00"
    (notice,) = [str(each) for each in read_configuration(configuration.canonical).notices if "limit" in str(each)]
    assert notice.endswith("must be confirmed (REGULATION W-13; G-65)")


@pytest.mark.parametrize(
    ("stated", "words"),
    [
        ('player_limit = "0.00"', "must be a positive whole number of cents"),
        ("player_limit = true", "must be dollars in quotes"),
        ('table_limit = "20000.00"\nplayer_limit = "30000.00"', "at the table is less than $30,000.00 a player"),
    ],
)
def test_g_65_what_is_no_limit_is_refused_with_its_line(stated: str, words: str) -> None:
    usual = limited("five-card-fortune").canonical
    text = usual.replace("[wagers.five-card-fortune]\n", f"[wagers.five-card-fortune]\n{stated}\n")
    problems = [problem for problem in read_configuration(text).problems if words in problem.words]
    assert problems
    assert all(problem.line is not None and problem.path.startswith("wagers.five") for problem in problems)


def test_item_9_the_form_keeps_the_limits() -> None:
    configuration = limited("five-card-fortune", player_limit_cents=20_000_00, table_limit_cents=50_000_00)
    content = tomllib.loads(configuration.canonical)
    assert lost_keys(content) == ()
    again = read_configuration(toml_text(content_of(fields_of(content)))).configuration
    assert again == configuration
    fields = [field for wager in form_view(fields_of(content)).wagers for field in wager.fields]
    assert ("player_limit:five-card-fortune", "Max payout per player", "20000.00") in fields


def test_item_9_the_largest_prize_of_the_check_is_the_limit() -> None:
    plain, bound = (
        {cost.wager: cost.largest_cents for cost in cost_of(configuration).wagers}
        for configuration in (limited("five-card-fortune"), limited("five-card-fortune", table_limit_cents=20_000_00))
    )
    assert (160_000_00, 20_000_00) == (plain["five-card-fortune"], bound["five-card-fortune"])


def test_item_9_a_played_round_and_its_record_have_the_limit() -> None:
    """Fortune on a natural royal of four community cards and the Ace: 400 to 1 on $400."""
    configuration = limited("five-card-fortune", player_limit_cents=20_000_00)
    # The community has one card, then the seat, three times; then the fourth community card.
    shoe = parse_cards("Kh Ah Qh 3c Jh 4d Th")
    rest = tuple(card for card in configuration.terms.deck.cards if card not in shoe)
    opened = Round(configuration=configuration, shoe=(*shoe, *rest), meters=configuration.meters)
    ace = parse_cards("Ah")
    played = finish(
        opened.apply(PlaceWagers(1, (("five-card-fortune", 400_00),))),
        lambda options: ace if ace in options else options[0],
    )
    assert played.settlement is not None
    line = played.settlement.lines[1]["five-card-fortune"]
    assert (line.event, line.paid_cents) == ("Natural Royal Flush", 20_400_00)
    record = json.loads(json.dumps(round_record(played)))
    assert record["aggregate_limits"] == {"five-card-fortune": {"player_cents": 20_000_00}}
    assert settle_record(record).settlement.lines[1]["five-card-fortune"] == line


def test_step_16_the_limit_stands_on_every_display(tmp_path: Path) -> None:
    from pitboss.server.views.table_state import table_state  # noqa: PLC0415
    from tests.pages.room import NOW  # noqa: PLC0415

    configuration = limited("five-card-fortune", player_limit_cents=20_000_00)
    with tables_room(tmp_path / "room") as found:
        state = table_state(found.room.state, "2", NOW)._replace(configuration=configuration)
    view = vision_view(state)
    (notice,) = [notice for notice in view.notices if notice.kind == "limit"]
    assert notice.words.startswith(NOTICE)
    assert any(line.startswith(NOTICE) for line in sign_lines(view))
    assert notice.words in [each["words"] for each in frame_of(view)["notices"]]


def test_w_13_it_is_posted_only_with_an_approval_of_its_own(tmp_path: Path) -> None:
    text = limited("five-card-fortune", player_limit_cents=20_000_00).canonical
    with tables_room(tmp_path / "room") as found:
        posted = doors_of(found.room).posted
        with pytest.raises(RefusedError, match="on record for payout limits at table 2"):
            posted.post("2", text, command=command(), actor=MAX.name, approved_by=LEE.name)
        papers = (ApprovalPaper("internal-controls", "IC-26-020", DAY),)
        approval = RecordApproval(table="2", game=DW, papers=papers, paytable=PAYOUT_LIMITS)
        found.room.do(approval, By(MAX.name, "manager", LEE), id=command())
        posted.post("2", text, command=command(), actor=MAX.name, approved_by=LEE.name)
        assert configuration_at(found.room.state, "2") == read_configuration(text).configuration


def test_item_9_the_dealer_reads_the_limit_on_the_console(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    configuration = limited("five-card-fortune", player_limit_cents=20_000_00)
    with tables_room(tmp_path / "room") as found:
        before = console_view(found.room.state, "1", "")
        assert before is not None
        assert before.limits == ()
        monkeypatch.setattr("pitboss.server.views.console.configuration_at", lambda *_: configuration)
        view = console_view(found.room.state, "1", "")
        assert view is not None
        assert view.limits == configuration.limit_sentences
        assert view.limits[0].startswith(NOTICE)
        client = TestClient(create_app(found.room), base_url=ADDRESS, follow_redirects=False)
        sign_in(client, "sue")
        assert view.limits[0] in client.get("/tables/1/console", headers={"accept": "text/html"}).text


def treasure() -> Configuration:
    """A wager that is quick to count; the WAC would not allow a limit on its odds."""
    return limited("three-card-treasure", profile="wa-tribal", player_limit_cents=2_000_00)


@cache
def figure() -> dict[str, Any]:
    configuration = treasure()
    return TableOddsJob(configuration=configuration.canonical, wager="three-card-treasure").run()


def test_item_9_the_odds_page_has_the_limit_and_the_edge_under_it() -> None:
    configuration = treasure()
    job = TableOddsJob(configuration=configuration.canonical, wager="three-card-treasure")
    offered = Offered(DW, "three-card-treasure", "TCT-A", job)
    line = wager_line(offered, Figure("key", "ready", figure(), ""))
    game = find_game(DW)
    price = price_limit(
        game, game.by_name["three-card-treasure"], configuration.terms, 400_00, seats=configuration.seats
    )
    assert price.limited is not None
    assert line.limit.startswith(configuration.limit_sentences[0])
    assert f"House edge of a player alone at that stake: {percent(price.limited.house_edge)}." in line.limit
    plain = {key: value for key, value in figure().items() if key != "aggregate_limit"}
    assert wager_line(offered, Figure("key", "ready", plain, "")).limit == ""


def test_item_9_a_par_sheet_has_the_limit_and_verifies() -> None:
    """Seen: a table with a limit had no PAR sheet at all: "these terms cannot be stated"."""
    configuration = treasure()
    game, terms = find_game(DW), configuration.terms
    store = default_store()
    sheet = make_sheet(game, terms, wagers=["three-card-treasure"], configuration=configuration, store=store)
    limit = sheet.wagers[0].limit
    assert limit is not None
    assert (limit.posted, limit.stake_cents) == (configuration.limit_sentences[0], 400_00)
    (priced,) = [result_from_json(figure()["aggregate_limit"]["limited"])]
    assert limit.house_edge == priced.house_edge > sheet.wagers[0].house_edge
    again, _ = read_sheet(json.loads(json.dumps(sheet.as_json())))
    assert again == sheet
    content = wager_content(sheet.wagers[0])
    assert configuration.limit_sentences[0] in content["limit"]
    assert any("with the payout limit" in row[0] for row in content["figures"])
    without = make_sheet(game, replace(terms, aggregate_limits={}), wagers=["three-card-treasure"], store=store)
    assert "limit" not in without.as_json()["wagers"][0]
    assert "aggregate_limits" not in without.as_json()["inputs"]


def test_item_9_settle_and_check_at_the_terminal(tmp_path: Path) -> None:
    file = tmp_path / "table.toml"
    file.write_text(limited("five-card-fortune", player_limit_cents=20_000_00).canonical)
    hand = '--seat "Ah 3c 4d | five-card-fortune=400 | fortune=Ah" --community "Kh Qh Jh Th"'
    done = run(f"settle deuces-wild --config {file} {hand} --json")
    line = json.loads(done.stdout)["seats"][0]["wagers"]["five-card-fortune"]
    assert line["paid_cents"] == 20_400_00
    assert "$20,000.00 instead of $160,000.00" in line["because"][-1]["text"]
    check = json.loads(run(f"check {file} --json").stdout)
    assert check["costs"]["wagers"]["five-card-fortune"]["largest_cents"] == 20_000_00
