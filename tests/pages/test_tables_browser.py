"""Tables in a real browser: a configuration refused with its clauses, corrected, approved by another, opened."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import Browser, Page, expect

from pitboss.room.configurations import configurations_at
from pitboss.server.worker.pool import Worker
from tests.pages.room import CardRoom
from tests.pages.serving import serving
from tests.pages.tables import LEE, MAX, WIDER, SlowWork, ask, give, tables_room
from tests.server.making import PASSWORD

pytestmark = pytest.mark.xdist_group("browser")


@pytest.fixture
def work(monkeypatch: pytest.MonkeyPatch) -> SlowWork:
    found = SlowWork()
    monkeypatch.setattr(Worker, "_submit", found.submitting)
    return found


@pytest.fixture
def room(tmp_path_factory: pytest.TempPathFactory, work: SlowWork) -> Iterator[CardRoom]:
    assert work is not None
    with tables_room(tmp_path_factory.mktemp("tables") / "room") as found:
        yield found


def clean(page: Page) -> None:
    results = Axe().run(page)
    assert results.violations_count == 0, results.generate_report()


def signed_in(browser: Browser, address: str, login: str, said: list[str], path: str) -> Page:
    page = browser.new_page(viewport={"width": 1280, "height": 800})
    page.on("console", lambda message: said.append(message.text))
    page.on("pageerror", lambda error: said.append(str(error)))
    page.goto(f"{address}/sign-in?next={path}")
    page.get_by_label("User name").fill(login)
    page.get_by_label("Password").fill(PASSWORD)
    page.get_by_role("button", name="Sign in").click()
    return page


def test_a_configuration_is_refused_with_its_clauses_corrected_approved_by_a_second_person_and_opened(
    browser: Browser, room: CardRoom, work: SlowWork
) -> None:
    """T-06, G-14, TCP-4: every problem while it is edited, the edges when they are counted; the display follows."""
    said: list[str] = []
    with serving(room) as address:
        max_ = signed_in(browser, address, "max", said, "/office/tables/1")
        max_.get_by_role("link", name="Edit setup").click()
        found = max_.get_by_role("complementary", name="Check", exact=True)
        expect(found).to_contain_text("Ready to submit")
        expect(found.get_by_role("row", name="Ante and Play")).to_contain_text("computing")
        work.at_once = True
        work.finish()
        expect(found.get_by_role("row", name="Ante and Play")).to_contain_text("2.0000")
        main = max_.get_by_role("group", name="Ante and Play")
        main.get_by_label("Maximum").fill("500")
        main.get_by_label("Pay table").select_option("PW/BB-2")
        expect(main.get_by_role("row", name="Straight Flush")).to_be_visible()
        expect(found).to_contain_text("2 problems")
        expect(found).to_contain_text("WAC 230-15-140")
        expect(found).to_contain_text("TCP-4")
        max_.get_by_role("button", name="Submit for approval").click()
        expect(max_.get_by_role("alert")).to_contain_text("Not submitted.")
        clean(max_)
        main.get_by_label("Pay table").select_option("PW/BB-1")
        main.get_by_label("Maximum").fill("350")
        max_.get_by_label("Reason", exact=True).fill("holidays")
        expect(found).to_contain_text("Ready to submit")
        expect(found.get_by_role("row", name="Ante and Play PW/BB-1")).to_contain_text("3.0000")
        expect(found.get_by_role("row", name="Ante and Play: maximum")).to_contain_text("$300.00")
        max_.get_by_role("button", name="Submit for approval").click()
        expect(max_.get_by_text("Submitted. Waiting for approval.")).to_be_visible()
        expect(max_.get_by_text("Review", exact=True)).to_be_hidden()
        clean(max_)

        vision = browser.new_page(viewport={"width": 1920, "height": 1080})
        vision.goto(f"{address}/tables/1/vision")
        expect(vision.get_by_text("$10 \N{EN DASH} $300").first).to_be_visible()
        lee = signed_in(browser, address, "lee", said, "/floor")
        lee.get_by_text("Review", exact=True).click()
        lee.get_by_role("link", name="Compare with current").click()
        expect(lee.get_by_role("row", name="Ante and Play PW/BB-1")).to_contain_text("3.0000")
        clean(lee)
        lee.get_by_role("button", name="Approve").click()
        expect(lee.get_by_text("Approved.", exact=True)).to_be_visible()
        expect(lee.get_by_role("region", name="Setup history").get_by_text("holidays")).to_be_visible()
        expect(vision.get_by_text("$10 \N{EN DASH} $350").first).to_be_visible()
        now = configurations_at(room.room.state, "1").now
        assert now is not None
        assert (now.by, now.approved_by) == (MAX.name, LEE.name)
        assert [each for each in said if "409" not in each] == []
        for page in (max_, lee, vision):
            page.close()


@pytest.mark.slow
def test_every_page_of_tables_is_clean_and_an_auditor_compares_what_was_in_force(
    browser: Browser, room: CardRoom, work: SlowWork
) -> None:
    work.at_once = True
    said: list[str] = []
    give(room, ask(room, "tables/post", MAX, table="1", configuration=WIDER, words="holidays"))
    with serving(room) as address:
        una = signed_in(browser, address, "una", said, "/office/tables")
        expect(una.get_by_role("heading", name="Tables")).to_be_visible()
        clean(una)
        una.get_by_role("link", name="Table 1").click()
        clean(una)
        una.get_by_role("button", name="Compare the two").click()
        expect(una.get_by_role("row", name="Ante and Play: maximum")).to_contain_text("$350.00")
        clean(una)
        max_ = signed_in(browser, address, "max", said, "/office/tables")
        max_.get_by_label("Table numbers or names").fill("2")
        max_.get_by_label("Game").select_option("four-card-prime")
        max_.get_by_role("button", name="Continue").click()
        expect(max_.get_by_role("heading", name="Set up table 2")).to_be_visible()
        clean(max_)
        max_.get_by_role("group", name="Four Card Jackpot").get_by_label("Pay table").select_option("FCJ-3")
        expect(max_.get_by_label("Four Aces", exact=False).first).to_be_visible()
        max_.get_by_role("button", name="Advanced: edit text").click()
        expect(max_.get_by_label("The setup as text (TOML)")).to_be_visible()
        clean(max_)
        max_.get_by_role("button", name="Edit as a form").click()
        expect(max_.get_by_role("button", name="Advanced: edit text")).to_be_visible()
        assert said == []
        una.close()
        max_.close()
