"""The front page: what is on, amounts that follow the room, and a page that everybody can use."""

from __future__ import annotations

import datetime
from collections.abc import Iterator

import pytest
from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import Browser, expect

from pitboss.jackpot import BONUS_SENTENCES
from pitboss.server.views.front import front_view
from tests.pages.room import NOW, CardRoom, card_room
from tests.pages.serving import serving


@pytest.fixture(scope="module")
def room(tmp_path_factory: pytest.TempPathFactory) -> Iterator[CardRoom]:
    with card_room(tmp_path_factory.mktemp("front") / "room") as found:
        yield found


def test_the_view_has_every_jackpot_and_table_and_the_rooms_own_day(room: CardRoom) -> None:
    view = front_view(room.books.state("room"), datetime.datetime(2026, 11, 17, 5, 0, tzinfo=datetime.UTC))
    assert view.day == "Monday, November 16, 2026", "it is still Monday in the room's zone"
    assert [each.amount for each in view.jackpots] == ["$23,416.87", "$5,000.00", "$11,482.10", "$48,905.25"]
    last = view.tables[-1]
    assert (last.name, last.game, last.play) == ("7", "Super Three Card", "")
    assert [(each.title, each.amount) for each in last.jackpots] == [
        ("21+3 Jackpot", "$11,482.10"),
        ("Second 21+3 Jackpot", "$48,905.25"),
    ]
    assert view.notice == BONUS_SENTENCES, "a Bonus amount stands there (J-06)"
    assert view.hero is not None
    assert (view.hero.amount, view.hero.label) == ("$48,905.25", "Progressive \N{MIDDLE DOT} Table 7")
    assert len(view.others) == len(view.jackpots) - 1
    assert view.jackpots[0].vision == "/tables/4/vision"


def test_a_room_without_anything_is_still_a_page() -> None:
    from pitboss.books import folding_of  # noqa: PLC0415
    from pitboss.room.projections import PROJECTIONS  # noqa: PLC0415

    view = front_view(folding_of(PROJECTIONS).empty(), NOW)
    assert (view.jackpots, view.tables, view.notice, view.hero) == ((), (), "", None)


@pytest.mark.xdist_group("browser")
def test_amounts_follow_the_room_and_the_page_is_clean_at_twice_the_size(browser: Browser, room: CardRoom) -> None:
    with serving(room) as address:
        # Twice the size of a screen 1280 wide is a screen 640 wide.
        page = browser.new_page(viewport={"width": 640, "height": 400})
        said: list[str] = []
        page.on("console", lambda message: said.append(message.text))
        page.goto(address)
        amount = page.get_by_role("listitem").filter(has=page.get_by_role("heading", name="Final Four Jackpot"))
        expect(amount).to_contain_text("$23,416.87")
        room.press("4", final_four=[1, 2, 3, 4, 5, 6])
        expect(amount).to_contain_text("$23,417.90")
        room.jackpots.close("quads", words="night", command="close-quads", actor="Ada")
        expect(page.get_by_role("listitem").filter(has_text="Four Card Jackpot").first).to_contain_text("Not open")
        results = Axe().run(page)
        assert results.violations_count == 0, results.generate_report()
        assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")
        page.keyboard.press("Tab")
        expect(page.get_by_role("link", name="Skip to content")).to_be_focused()
        page.get_by_role("link", name="Three Card Prime Table 4", exact=False).press("Enter")
        expect(page).to_have_title("Table 4, Three Card Prime \N{EN DASH} Cedar River Card Room")
        assert said == []
        page.close()
