"""TableVision's view: money worked out twice, what must be posted, and what a hit does to the display."""

from __future__ import annotations

import datetime
import re
from collections.abc import Iterator
from dataclasses import replace
from html import escape
from pathlib import Path
from typing import Any

import pytest

from pitboss.books import LEDGER
from pitboss.commands import By
from pitboss.games import all_games, find_game
from pitboss.jackpot import BONUS_SENTENCES, HITS, Claim, Jackpot, JackpotRecord, LinkedTable, PlayReason, offer_of
from pitboss.jackpot.escrow import SendDeposit
from pitboss.jackpot.hits.amounts import called_prizes
from pitboss.room.room import tables_of
from pitboss.room.slides import Promotion, promotion_problems
from pitboss.rules import Settler, dollars, posted_rows
from pitboss.rules.pays import Dollars
from pitboss.server.pages.displays import THEMES, vision_html
from pitboss.server.views.console import _rows
from pitboss.server.views.paytables import PayTableView, jackpot_paytable, money, money_range, titled, wager_paytables
from pitboss.server.views.table_state import TableState, table_state
from pitboss.server.views.vision import (
    NOT_HERE,
    ConductView,
    LiveDisplays,
    VisionView,
    WinView,
    frame_of,
    live_of,
    sign_lines,
    vision_view,
)
from pitboss.table import default_configuration, read_configuration
from pitboss.table.configuration import toml_text
from tests.doors import doors_of
from tests.pages.room import NOW, SLIDE, TCP, CardRoom, bonus_meter, card_room, jackpot, meter
from tests.pages.serving import templates
from tests.pages.tables import ALL_SEVEN, LEE, MAX, tables_room
from tests.server.making import command

PAGES = templates()


@pytest.fixture(scope="module")
def room(tmp_path_factory: pytest.TempPathFactory) -> Iterator[CardRoom]:
    with card_room(tmp_path_factory.mktemp("vision") / "room") as found:
        found.press("4", final_four=[1, 2, 3])
        found.press("7", aces=[1], high_aces=[1, 2])
        yield found


def seen(room: CardRoom, table: str, now: datetime.datetime = NOW) -> TableState:
    return table_state(room.books.state("room"), table, now)


def shown(room: CardRoom, table: str) -> VisionView:
    return vision_view(seen(room, table))


def html(view: VisionView, theme: str = "emerald") -> str:
    return vision_html(PAGES, view, seen_zone(), theme)


def seen_zone() -> Any:
    from zoneinfo import ZoneInfo  # noqa: PLC0415

    return ZoneInfo("America/Los_Angeles")


def every_jackpot() -> Iterator[Jackpot]:
    """A progressive and a Bonus on each jackpot wager of each game, with the first table that needs no amounts."""
    for game in all_games():
        for wager in game.jackpots:
            for terms in (meter(12_345_67), bonus_meter(8_000_00)):
                for paytable in wager.slots[0].ids:
                    jackpot = _jackpot(game.name, wager.name, paytable, terms)
                    if jackpot is not None:
                        yield jackpot
                        break


def _jackpot(game: str, wager: str, paytable: str, terms: Any) -> Jackpot | None:
    options: dict[str, Any] = {"jackpot_type": "bonus"} if terms.jackpot_type == "bonus" else {}
    try:
        offer = offer_of(game, wager, paytable, **options)
    except ValueError:
        return None
    display = "real-time" if terms.is_progressive else "updatable"
    table = LinkedTable("9", game, "Here")
    return Jackpot(name="it", offers=(offer,), meter=terms, tables=(table,), display=display)  # type: ignore[arg-type]


JACKPOTS = list(every_jackpot())


@pytest.mark.parametrize("jackpot", JACKPOTS, ids=lambda each: f"{each.wager}-{each.meter.jackpot_type}")
@pytest.mark.parametrize("cents", [0, 1, 999_99, 12_345_67])
def test_g_3_the_money_of_every_row_is_what_the_settlement_would_pay(jackpot: Jackpot, cents: int) -> None:
    table = jackpot_paytable(jackpot, "9", cents)
    for row in table.rows:
        called = called_prizes(jackpot, "9", [Claim(1, row.event)], cents, cents)
        due = sum(won.cents for won in called.won if won.seat == 1)
        assert row.amount == (dollars(due) if row.of_meter else money(due)), row


READINGS: dict[str, dict[str, str]] = {
    "loses": {},
    "flush_only": {"Flush": "1 to 1"},
    "as_printed": {"Flush and lower": "1 to 1"},
}


@pytest.mark.parametrize("paytable", ["PW/BB-2", "PW/BB-4"])
@pytest.mark.parametrize("reading", READINGS)
def test_item_1_no_display_picture_or_sheet_promises_a_bad_beat_that_the_table_takes(
    room: CardRoom, paytable: str, reading: str
) -> None:
    """Seen: "Flush and lower 1 to 1" on the display, and the table took that bet (TCP-4)."""
    text = Path("examples/three-card-prime.toml").read_text(encoding="utf-8").replace("PW/BB-3", paytable)
    read = read_configuration(f'{text}\n[readings]\nbad_beat_flush_or_lower = "{reading}"\n')
    assert read.configuration is not None
    view = vision_view(seen(room, "4")._replace(configuration=read.configuration))
    (shown_rows,) = [table.rows for table in wager_paytables(read.configuration) if "eat" in table.title]
    assert {row.event: row.pays for row in shown_rows if row.event.startswith("Flush")} == READINGS[reading]
    (framed,) = [table["rows"] for table in frame_of(view)["others"] if "eat" in table["title"]]
    assert [(row["words"], row["pays"]) for row in framed] == [(row.words, row.pays) for row in shown_rows]
    page = html(view)
    for row in shown_rows:
        assert f"{row.words}</th>" in page


def every_reading() -> Iterator[Any]:
    for game in all_games():
        for switch in game.switches:
            for reading in switch.readings:
                yield pytest.param(game.name, {switch.name: reading}, id=f"{game.code}-{switch.name}-{reading}")


@pytest.mark.parametrize(("game_name", "readings"), list(every_reading()))
def test_item_1_display_and_picture_post_in_every_reading_what_settle_is_compared_with(
    room: CardRoom, game_name: str, readings: dict[str, str]
) -> None:
    """That these rows are what `settle` pays for hands of them is shown in tests/games/test_posted_pays.py."""
    game = find_game(game_name)
    stated = default_configuration(game, datetime.date(2026, 11, 16)).as_dict() | {"readings": readings}
    configuration = read_configuration(toml_text(stated)).configuration
    assert configuration is not None
    posted = [
        (row.event, titled(row.pays_words))
        for name in configuration.wagers
        for slot in game.by_name[name].slots
        for row in posted_rows(game.by_name[name], slot, configuration.terms)
        if row.is_paid
    ]
    view = vision_view(seen(room, "4")._replace(configuration=configuration, jackpots=()))
    tables = wager_paytables(configuration)
    assert posted == [(row.event, row.pays) for table in tables for row in table.rows]
    framed = [(row["words"], row["pays"]) for table in frame_of(view)["others"] for row in table.get("rows", ())]
    assert set(framed) >= {(row.words, row.pays) for table in tables for row in table.rows}
    page = html(view)
    assert [] == [row.words for table in tables for row in table.rows if f"{escape(row.words)}</th>" not in page]


def test_there_are_jackpots_of_every_game_to_try() -> None:
    assert {each.game for each in JACKPOTS} == {game.name for game in all_games()}
    assert {each.meter.jackpot_type for each in JACKPOTS} == {"progressive", "bonus"}


def test_t_04_the_meter_shows_the_ledgers_whole_cents_and_says_that_it_is_progressive(room: CardRoom) -> None:
    units = room.books.state("room").of(LEDGER)["final-four"].meter_state.displayed_units
    (found,) = shown(room, "4").meters
    assert units % 10_000, "the fraction of a cent is what this test is about (G-3)"
    assert (found.cents, found.kind, found.text) == (units // 10_000, "Progressive", "$23,417.38")


def test_j_06_a_bonus_display_carries_the_three_sentences_to_the_byte_and_no_progressive_does(room: CardRoom) -> None:
    bonus, progressive = html(shown(room, "6")), html(shown(room, "4"))
    assert f'data-notice="bonus">{BONUS_SENTENCES}</p>' in bonus
    assert BONUS_SENTENCES not in progressive


def test_j_10_and_t_20_the_cap_and_the_use_of_a_reserve_are_posted_for_the_jackpot_that_has_them(
    room: CardRoom,
) -> None:
    about = {each.about: each.words for each in shown(room, "7").notices if each.kind == "progressive"}
    assert list(about) == ["21+3 Jackpot"]
    assert "Jackpot maximum $100,000." in about["21+3 Jackpot"]
    assert "$0.05 of each $1 wager goes to a reserve (not displayed)" in about["21+3 Jackpot"]


def test_g_12_the_four_wager_notice_follows_the_law_of_the_room(room: CardRoom) -> None:
    state = seen(room, "4")
    assert state.configuration is not None
    words = vision_view(state).notices[0].words
    assert words == "Maximum four wagers per player. With four, at least one must be $5 or less."
    tribal = state._replace(configuration=replace(state.configuration, profile="wa-tribal"))
    assert "or less" not in vision_view(tribal).notices[0].words


def test_limits_are_posted_for_every_wager_and_jackpot(room: CardRoom) -> None:
    limits = dict(shown(room, "7").limits)
    assert limits == {
        "Ante, Odds and Play": "$5 \N{EN DASH} $400",
        "Big Hand Bonus": "$1 \N{EN DASH} $25",
        "21+3 Jackpot": "$1",
        "Second 21+3 Jackpot": "$5",
    }
    assert (money(150), money(12_345_600), money_range(500, 500)) == ("$1.50", "$123,456", "$5")


def test_one_jackpot_keeps_its_pay_table_and_two_stand_side_by_side(room: CardRoom) -> None:
    one, two = shown(room, "4"), shown(room, "7")
    assert one.fixed is not None
    assert {len(slide.panels) for slide in one.slides} == {1}
    assert two.fixed is None
    first = two.slides[0].panels
    assert [each.key for each in first if isinstance(each, PayTableView)] == ["aces", "high-aces"]


def test_every_paying_wager_has_its_table_in_turn(room: CardRoom) -> None:
    titles = {panel.title for slide in shown(room, "4").slides for panel in slide.panels}
    assert {
        "Prime",
        "All-Six Bonus",
        "Play (win or copy)",
        "Bad Beat",
        "Pair Bonus",
        "Pair Bonus with a loose deuce",
        SLIDE.title,
    } <= titles
    assert not [row for slide in shown(room, "4").slides for panel in slide.panels if isinstance(panel, PayTableView)
                for row in panel.rows if row.pays in ("Loss", "Not applicable")]  # fmt: skip


def test_item_15_the_rules_of_conduct_are_shown_in_turn_and_on_the_pictures(room: CardRoom) -> None:
    for table, name in {"4": "three-card-prime", "6": "four-card-prime", "7": "super-three-card"}.items():
        view = shown(room, table)
        panels = [panel for slide in view.slides for panel in slide.panels if isinstance(panel, ConductView)]
        words = [rule.words for rule in find_game(name).conduct if rule.audience == "players"]
        assert [line for panel in panels for line in panel.lines] == words
        assert max(len(panel.lines) for panel in panels) <= 4
        assert [line for panel in frame_of(view)["conduct"] for line in panel["lines"]] == words
        page = html(view)
        assert all(f"<li>{line}</li>" in page for line in words)


def test_a_table_without_anything_is_still_a_page(room: CardRoom) -> None:
    view = shown(room, "99")
    assert (view.meters, view.fixed, view.limits) == ((), None, ())
    assert "Table 99" in html(view)


def live_places(page: str) -> dict[str, str]:
    return dict(re.findall(r'data-live="([^"]+)"[^>]*>([^<]*)<', page))


@pytest.mark.parametrize("table", ["4", "6", "7"])
def test_what_moves_on_the_page_is_what_the_stream_sends(room: CardRoom, table: str) -> None:
    view = shown(room, table)
    assert live_places(html(view)) == live_of(view)["texts"]


def test_the_shape_stays_while_only_amounts_move_and_changes_with_anything_else(room: CardRoom) -> None:
    before = live_of(shown(room, "4"))
    room.press("4", final_four=[1, 2, 3, 4, 5])
    after = live_of(shown(room, "4"))
    assert before["shape"] == after["shape"]
    assert before["texts"] != after["texts"]
    assert before["sequence"] < after["sequence"]
    view = shown(room, "4")
    assert live_of(view._replace(limits=()))["shape"] != after["shape"]
    assert live_of(view._replace(notices=()))["shape"] != after["shape"]


def test_t_05_and_t_17_a_hit_is_pending_until_it_is_verified_and_then_won(tmp_path: Path) -> None:
    with card_room(tmp_path / "room") as own:
        own.press("5", final_four=[1, 2, 3])
        before = shown(own, "4").meters[0].text
        hit = own.call("final-four", "5", 3, "4-card diamond Royal")
        for table, here in (("4", False), ("5", True)):
            view = shown(own, table)
            assert view.slides[0].is_urgent
            (win,) = [panel for panel in view.slides[0].panels if isinstance(panel, WinView)]
            assert (win.is_pending, win.table, win.is_here) == (True, "5", here)
            assert (win.total, [now.text for now in win.now]) == (before, ["$5,000.00"])
            assert (view.meters[0].ribbon, view.meters[0].text) == ("Jackpot pending", "$5,000.00")
        own.verify(hit, {3: "Ad Kd Qd Jd"})
        view = shown(own, "4")
        (panel,) = view.slides[0].panels
        assert isinstance(panel, WinView)
        assert not panel.is_pending
        assert view.meters[0].ribbon == "Winner!"
        page = html(view)
        assert all(words in page for words in ("Winner!", "Table 5, seat 3", before, "$5,000.00"))
        assert shown(own, "6").slides[0].is_urgent is False


def test_a15_a_hit_has_the_stage_for_two_minutes_after_each_step_that_makes_it_another(tmp_path: Path) -> None:
    with card_room(tmp_path / "room") as own:
        own.press("7", aces=[1, 2], high_aces=[1])
        hit = own.call("aces", "7", 1, "Straight Flush")
        record = own.books.state("room").of(HITS).open[hit]
        slide = shown(own, "7").slides[0]
        assert slide.until == record.done[0].happened + 120_000_000
        (win,) = slide.panels
        assert isinstance(win, WinView)
        assert [now.name for now in win.now] == ["aces", "high-aces"], "it covers both meters, and says both (J-08)"
        page = html(shown(own, "7"))
        assert f'data-until="{slide.until // 1000}"' in page
        assert f'data-now="{int(NOW.timestamp() * 1000)}"' in page
        live = live_of(shown(own, "7"))
        assert live["shape"] == live_of(vision_view(seen(own, "7", NOW + datetime.timedelta(minutes=1))))["shape"]


def test_j_02_a_bonus_is_a_plaque_and_a_progressive_an_odometer(room: CardRoom) -> None:
    bonus, progressive = html(shown(room, "6")), html(shown(room, "4"))
    assert 'class="amount plaque" data-name="quads" data-cents="500000"' in bonus
    assert "<pit-odometer" not in bonus
    assert 'class="plate"' not in progressive
    view = shown(room, "6")
    dearer = view._replace(meters=tuple(meter._replace(cents=6_000_00, text="$6,000.00") for meter in view.meters))
    assert live_of(dearer)["shape"] != live_of(view)["shape"], "a plaque does not turn: the page is made anew"


def test_b4_a_wager_that_is_not_taken_at_a_table_says_so_where_the_jackpot_is_open(room: CardRoom) -> None:
    state = seen(room, "7")
    blocked = state._replace(jackpots=tuple(each._replace(block="equipment-down") for each in state.jackpots))
    for each in vision_view(blocked).meters:
        assert (each.ribbon, each.play, bool(each.text)) == (NOT_HERE, "blocked", True)
    assert f"({NOT_HERE})" in sign_lines(vision_view(blocked))[0]
    assert live_of(vision_view(blocked))["shape"] != live_of(vision_view(state))["shape"]


def test_a_long_table_under_two_jackpots_has_a_slide_for_itself(room: CardRoom) -> None:
    slides = shown(room, "7").slides
    for slide in slides[1:]:
        long = [each for each in slide.panels if isinstance(each, PayTableView) and len(each.rows) > 6]
        assert not long or len(slide.panels) == 1
    assert len(slides[0].panels) == 2


def test_t_09_a_jackpot_that_is_suspended_says_so_and_keeps_its_amount(tmp_path: Path) -> None:
    with card_room(tmp_path / "room") as own:
        reason = PlayReason.EQUIPMENT_MALFUNCTION
        own.jackpots.suspend("quads", words="sensor", command="s", actor="Ada", reason=reason)
        (found,) = shown(own, "6").meters
        assert (found.ribbon, found.text, found.play) == ("Not available", "$5,000.00", "suspended")
        own.jackpots.close("final-four", words="night", command="c", actor="Ada")
        assert shown(own, "4").meters[0].ribbon == "Not open for play"


def test_slides_are_dated_and_change_no_meter(tmp_path: Path) -> None:
    with card_room(tmp_path / "room") as own:
        ledger = own.books.state("room").of(LEDGER)
        own.promotions.set(replace(SLIDE, name="other", tables=("6",)), command="slide-2", actor="Ada")
        titles = [len(vision_view(seen(own, table)).slides) for table in ("5", "6")]
        own.promotions.end("football", command="end-1", actor="Ada")
        assert [len(vision_view(seen(own, table)).slides) for table in ("5", "6")] == [each - 1 for each in titles]
        late = NOW + datetime.timedelta(days=40)
        assert vision_view(seen(own, "6", late)).slides[-1].panels[0].title != SLIDE.title
        assert own.books.state("room").of(LEDGER) == ledger


def test_a_slide_with_everything_wrong_is_told_everything() -> None:
    wrong = Promotion(
        name="", title="x" * 61, words="two\nlines", first_day=NOW.date(), last_day=datetime.date(2020, 1, 1)
    )
    assert len(promotion_problems(wrong)) == 4


def test_tables_are_listed_in_the_order_of_their_numbers(room: CardRoom) -> None:
    assert tables_of(room.books.state("room")) == ("4", "5", "6", "7")


@pytest.mark.parametrize("theme", THEMES)
def test_a_page_has_the_operators_name_and_no_script_or_style_in_it(room: CardRoom, theme: str) -> None:
    page = html(shown(room, "7"), theme)
    assert "Cedar River Card Room" in page
    assert f"/static/themes/{theme}.css" in page
    assert not re.search(r"<style|\sstyle=|\son[a-z]+=|javascript:", page)
    assert re.findall(r"<script[^>]*>", page) == ['<script type="module" src="/static/vision.js">']


def test_what_an_operator_types_is_text_and_nothing_else(tmp_path: Path) -> None:
    with card_room(tmp_path / "room") as own:
        own.promotions.set(replace(SLIDE, words="<script>alert(1)</script>"), command="x", actor="Ada")
        page = html(shown(own, "4"))
        assert "<script>alert" not in page
        assert "&lt;script&gt;alert" in page


@pytest.mark.parametrize("jackpot", JACKPOTS, ids=lambda each: f"{each.wager}-{each.meter.jackpot_type}")
def test_item_1_the_rows_of_a_jackpot_are_what_the_settlement_pays_whatever_its_definition_repeats(
    jackpot: Jackpot,
) -> None:
    """The prizes that a definition repeats are a copy: the display, the console and the call ask the terms."""
    (offer,) = jackpot.offers
    dearer = tuple(prize._replace(pay=Dollars(777_77)) for prize in offer.prizes)
    copied = replace(jackpot, offers=(replace(offer, prizes=dearer),))
    right, table = jackpot_paytable(jackpot, "9", 12_345_67), jackpot_paytable(copied, "9", 12_345_67)
    assert table == right
    assert {row.event for row in table.rows} <= {prize.event for prize in offer.prizes}
    game, wager = jackpot.game_and_wager(offer)
    settler = Settler(game, jackpot.terms_of(offer))
    for prize in offer.prizes:
        settled = settler.settle_rows(wager.name, {1: prize.event}, jackpot.meter.wager_cents, 12_345_67)
        due = settled.lines[1][wager.name].paid_cents
        shown_row = next((row for row in table.rows if row.event == prize.event), None)
        if shown_row is None:
            assert not due, prize.event
            continue
        assert shown_row.amount == (dollars(due) if shown_row.of_meter else money(due)), prize.event
    record = JackpotRecord(copied)
    listed = [(row.row, row.envy) for row in _rows(record, "9")]
    assert listed == [(row.event, row.envy) for row in right.rows]


def test_g_33_a_deposit_before_the_first_opening_shows_the_seed_and_never_zero(tmp_path: Path) -> None:
    """Seen: a display showed $0.00 from the first deposit to the opening."""
    with tables_room(tmp_path / "room") as found:
        new = jackpot("later", TCP, ALL_SEVEN, "A7P-2", meter(25_000_00), "2")
        doors_of(found.room).jackpots.define(
            new, words="approved", command=command(), actor=MAX.name, approved_by=LEE.name
        )
        before = vision_view(table_state(found.room.state, "2", NOW))
        assert [(each.text, each.ribbon != "") for each in before.meters] == [("", True)]
        found.room.do(SendDeposit(name="later", cents=100_00), By(LEE.name, "accounting"), id=command())
        after = vision_view(table_state(found.room.state, "2", NOW))
        assert [(each.text, each.ribbon != "") for each in after.meters] == [("$25,000.00", True)]


def test_what_displays_follow_is_the_same_where_only_amounts_were_computed_anew(room: CardRoom) -> None:
    """Issue 18, item 20: the shape of a display is kept while nothing but amounts moves."""
    live = LiveDisplays()
    states = [seen(room, table) for table in ("4", "5", "6", "7")]
    for _ in range(2):
        for state in states:
            assert live.live(state) == live_of(vision_view(state))
            jackpots = tuple(
                each._replace(cents=None if each.cents is None else each.cents + 12_345) for each in state.jackpots
            )
            for changed in (
                state._replace(jackpots=jackpots, sequence=99),
                state._replace(jackpots=tuple(each._replace(block="closed") for each in jackpots)),
                state._replace(jackpots=tuple(each._replace(cents=None) for each in jackpots)),
                state._replace(configuration=None),
                state._replace(promotions=()),
                state._replace(room="Another"),
            ):
                assert live.live(changed) == live_of(vision_view(changed))
