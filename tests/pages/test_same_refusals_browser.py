"""Issue 16, shown by: a room of each kind with all five games set up by clicks, and refused as at the terminal.

The people and the first minutes are those of the first day in a browser; what a careless operator asks for, and the
terminal at which people sign in by their own tokens (G-71), are those of tests/room.
"""

from __future__ import annotations

import datetime
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Browser, Locator, Page, expect

from pitboss.books import microseconds_now
from pitboss.books.store.migrate import create_store
from pitboss.games import all_games
from pitboss.room.room import Room
from pitboss.server.worker import pool
from pitboss.table import read_configuration
from tests.doors import Slides, executor_of
from tests.pages.room import CardRoom
from tests.pages.serving import serving
from tests.pages.test_first_day_browser import FirstDay, make_room
from tests.room import test_same_refusals as doors
from tests.server.making import cheap
from tests.twin.generate import FIRST_DATE

terminal, wide = doors.terminal, doors.wide
pytestmark = [pytest.mark.xdist_group("browser"), pytest.mark.slow]
TITLES = {"manager": "Manager", "accounting": "Accounting", "supervisor": "Supervisor"}


class Clicks:
    """The people of a room in browsers of their own, who set tables up by what they can click and type."""

    def __init__(self, day: FirstDay, admin: Page) -> None:
        self.day = day
        day.go(admin, "/office/people")
        self.pages = {name: day.add(admin, name, TITLES[role]) for name, role in doors.ROLES.items()}
        for page in self.pages.values():
            # A machine that is busy is slow and not wrong.
            page.set_default_timeout(180_000)

    def do(self, name: str, fields: dict[str, Any], person: str, second: str) -> doors.Refusal | None:
        """Ask and approve by clicks; nothing where no page offers it."""
        page = self.pages[person]
        submit = getattr(self, f"_{name.partition('/')[2].replace('-', '_')}")(fields, page)
        if submit is None:
            return None
        if submit.is_disabled():
            return True, seen(page)
        self._send(page, submit)
        waits = page.get_by_text("Submitted. Waiting for approval.")
        expect(waits.or_(page.get_by_role("alert")).or_(page.locator("#wrong")).first).to_be_visible()
        if not waits.count():
            return True, seen(page)
        return self._own(page) if person == second else self._approved(page, self.pages[second])

    def _own(self, page: Page) -> doors.Refusal:
        """Who has asked finds nothing to approve with, and takes the request back."""
        self.day.go(page, "/today")
        expect(page.get_by_text("not the requester").first).to_be_visible()
        assert page.get_by_role("button", name="Approve").count() == 0
        words = seen(page)
        self._take_back(page)
        return True, words

    def _approved(self, page: Page, other: Page) -> doors.Refusal:
        self.day.go(other, "/today")
        card = other.locator("article.approval").first
        while not card.get_by_role("button", name="Approve").is_visible():
            # A page that has just come may be laid out anew under a press.
            self.day.click(card.get_by_text("Review", exact=True))
        self._send(other, card.get_by_role("button", name="Approve"))
        done = other.get_by_text("Approved.")
        expect(done.or_(other.get_by_role("alert")).first).to_be_visible()
        if done.count():
            return False, ""
        words = seen(other)
        self.day.go(page, "/today")
        self._take_back(page)
        return True, words

    def _take_back(self, page: Page) -> None:
        card = page.locator("article.approval").first
        self.day.click(card.locator("summary", has_text="Withdraw"))
        self.day.fill(card.get_by_label("Reason", exact=True), "no")
        self._send(page, card.get_by_role("button", name="Withdraw"))
        expect(page.locator("article.approval")).to_have_count(0)

    def _add(self, fields: dict[str, Any], page: Page) -> Locator | None:
        """Begin a table, write its setup as text, and fill in the papers that this kind of room has."""
        stated = read_configuration(fields["configuration"]).configuration
        if stated is not None and stated.seats not in (99, fields["setup"]["seats"]):
            # The form sets a table up for the seats that its configuration states.
            return None
        if not self._is_edited(page, fields["table"]):
            self.day.go(page, "/office/tables")
            self.day.fill(page.get_by_label("Table numbers or names"), fields["table"])
            self.day.choose(page.get_by_label("Game"), fields["setup"]["game"])
            self._send(page, page.get_by_role("button", name="Continue"))
        self._write(page, fields)
        papers = fields.get("papers", ())
        for place in page.locator('input[name^="number:"], input[name^="day:"]').all():
            place.fill("")
        if papers and not page.locator(f'input[name="number:{papers[0]["kind"]}"]').count():
            # The papers that are asked for are those of the kind of room that the text states.
            self._send(page, page.get_by_role("button", name="Check", exact=True))
        for paper in papers:
            self._fill_paper(page, paper)
        return page.get_by_role("button", name="Submit for approval")

    def _is_edited(self, page: Page, table: str) -> bool:
        """Whether the page still has the setup of a table as text, refused a moment ago."""
        return page.url.endswith(f"/office/tables/{table}/edit") and page.locator("#text").count() == 1

    def _write(self, page: Page, fields: dict[str, Any]) -> None:
        if not page.locator("#text").count():
            self._send(page, page.get_by_role("button", name="Advanced: edit text"))
        self.day.fill(page.get_by_label("The setup as text (TOML)"), fields["configuration"])
        self.day.fill(page.locator("#words"), fields["words"])

    def _send(self, page: Page, button: Locator) -> None:
        """Press a button, and wait for the page that answers it."""
        with page.expect_navigation():
            self.day.click(button)

    def _fill_paper(self, page: Page, paper: dict[str, str]) -> None:
        self.day.fill(page.locator(f'input[name="number:{paper["kind"]}"]'), paper["number"])
        self.day.fill(page.locator(f'input[name="day:{paper["kind"]}"]'), paper["day"])

    def _post(self, fields: dict[str, Any], page: Page) -> Locator | None:
        is_there = self._is_edited(page, fields["table"]) and page.get_by_role("heading", name="Edit setup").count()
        if not is_there:
            if not self._table(fields["table"], page):
                # The page of a new table asks for its papers and equipment too, at once (`tables/add`).
                return None
            self._send(page, page.get_by_role("link", name="Edit setup"))
        self._write(page, fields)
        return page.get_by_role("button", name="Submit for approval")

    def _table(self, table: str, page: Page) -> bool:
        """Go to the page of a table; false where there is none yet."""
        self.day.go(page, "/office/tables")
        link = page.get_by_role("link", name=f"Table {table}", exact=True)
        if not link.count():
            return False
        self._send(page, link)
        return True

    def _set_up(self, fields: dict[str, Any], page: Page) -> Locator | None:
        setup = fields["setup"]
        usual = doors.steps_of(
            next(game for game in all_games() if game.name == setup["game"]),
            setup["table"], datetime.date(2026, 1, 1), setup["profile"],
        )  # fmt: skip
        if setup != usual[-9][1]["setup"] or not self._table(setup["table"], page):
            # The form sets a table up for the equipment and the seats that its configuration states.
            return None
        form = page.locator('form[action$="/set-up"]').first
        if not form.is_visible():
            self.day.click(page.get_by_text("Replace", exact=True))
        for box in form.locator('input[name="counted"]:checked').all():
            self.day.click(box)
        self.day.fill(form.locator('input[name="since"]'), fields.get("since", ""))
        self.day.fill(form.locator('input[name="words"]'), fields["words"])
        return form.get_by_role("button", name="Submit for approval")

    def _record_approval(self, fields: dict[str, Any], page: Page) -> Locator | None:
        if not self._table(fields["table"], page):
            return None
        form = page.get_by_role("form", name="Record an approval")
        if any(not form.locator(f'input[name="number:{paper["kind"]}"]').count() for paper in fields["papers"]):
            return None
        if not form.is_visible():
            self.day.click(page.get_by_text("Record an approval", exact=True))
        for paper in fields["papers"]:
            self._fill_paper(page, paper)
        return form.get_by_role("button", name="Submit for approval")

    def _open(self, fields: dict[str, Any], page: Page) -> Locator | None:
        if not self._table(fields["table"], page):
            return None
        button = page.get_by_role("button", name="Open table")
        return button if button.count() else None

    def ask_with_equipment(self, room: Room, table: str, game: str, papers: list[dict[str, str]]) -> Mapping[str, Any]:
        """Ask for a table as its form offers it, with equipment and one jackpot; return what was asked for."""
        page = self.pages["Mia"]
        self.day.go(page, "/office/tables")
        self.day.fill(page.get_by_label("Table numbers or names"), table)
        self.day.choose(page.get_by_label("Game"), game)
        self._send(page, page.get_by_role("button", name="Continue"))
        if len(papers) > 1:
            self.day.choose(page.locator('select[name="profile"]'), "wa-tribal")
        for box in page.locator("#the-jackpots ~ fieldset legend input:checked").all()[1:]:
            self.day.click(box)
        expect(page.locator(f'input[name="number:{papers[-1]["kind"]}"]')).to_be_visible()
        for paper in papers:
            self._fill_paper(page, paper)
        self._send(page, page.get_by_role("button", name="Submit for approval"))
        expect(page.get_by_text("Submitted. Waiting for approval.")).to_be_visible()
        (pending,) = room.approvals.waiting.values()
        assert self._approved(page, self.pages["Lee"]) == (False, "")
        return pending.said


def seen(page: Page) -> str:
    """Return what a page shows now to who reads it, in one line."""
    return " ".join(page.locator("body").inner_text().split())


def unsaid(told: tuple[str, ...], shown: doors.Refusal) -> list[str]:
    """Return what the terminal says and a page does not; who has asked themselves is told so on the card of the request."""
    own = any("has asked for it" in text for text in told)
    return [text for text in (["not the requester"] if own else told) if not doors.says(shown[1], text)]


@pytest.mark.usefixtures("wide")
@pytest.mark.parametrize(("profile", "year"), doors.KINDS)
def test_shown_by_a_room_of_each_kind_set_up_by_clicks_is_refused_in_the_words_of_the_terminal(
    profile: str,
    year: int,
    browser: Browser,
    tmp_path: Path,
    terminal: doors.Terminal,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    day, then = doors.clock_on(year)
    late = microseconds_now() - then()
    monkeypatch.setattr(pool.Worker, "ask", lambda *_: pool.Figure("key", "computing"))
    create_store(tmp_path / "browser")
    clicked: dict[str, int] = {}
    with Room(tmp_path / "browser", clock=lambda: microseconds_now() - late, hashing=cheap()) as room:
        code = room.access.first_link()
        with serving(CardRoom(room, Slides(executor_of(room.books, room.clock)))) as address:
            people = FirstDay(browser, address)
            admin = people.by_link(f"{address}/links/{code}")
            make_room(people, admin)
            clicks = Clicks(people, admin)
            for number, game in enumerate(all_games(), start=1):
                for place, step in enumerate(doors.steps_of(game, str(number), day, profile)):
                    shown = clicks.do(*step)
                    if shown is None:
                        # What no page offers is compared by HTTP and terminal alone.
                        continue
                    told = terminal.do(*step)
                    assert shown[0] == bool(told), (game.name, place, step[0], told, shown)
                    assert unsaid(told, shown) == [], (game.name, place, told, shown)
                    clicked[game.name] = clicked.get(game.name, 0) + shown[0]
                if game.approval.equipment_required and day.isoformat() >= FIRST_DATE[game.name]:
                    # Without equipment it was refused by both; as its form offers it, both set it up and open it.
                    asked = clicks.ask_with_equipment(room, str(number), game.name, doors.papers(profile, day))
                    assert terminal.do("tables/add", dict(asked), "Mia", "Lee") == ()
                    opening: doors.Step = ("tables/open", {"table": str(number)}, "Sue", "Mia")
                    told, shown = terminal.do(*opening), clicks.do(*opening)
                    assert (told, shown) == ((), (False, ""))
            assert people.errors == []
            lives = doors.lives_in(room)
    with Room(terminal.path, clock=then) as room:
        assert lives == doors.lives_in(room)
    print(f"{profile} {year}: {people.actions} actions, refusals by game {clicked}")
    # A game whose table cannot be begun without equipment has fewer pages to be refused on.
    assert all(count >= 5 for count in clicked.values()), clicked
    assert sum(clicked.values()) >= 40, clicked
