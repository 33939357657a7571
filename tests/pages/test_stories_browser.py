"""The day of each role but the operator's in a real browser, by touch and by keyboard; every press and field is counted."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Locator, Page, expect

from pitboss.commands.command import SYSTEM_ACTOR
from pitboss.room.displays import DisplayLimits
from tests.pages.desk import desk_room
from tests.pages.room import CardRoom
from tests.pages.serving import serving
from tests.server.making import PASSWORD

pytestmark = pytest.mark.xdist_group("browser")
BEFORE = {
    "dealer: link to console": 3,
    "dealer: tabulate three seats": 4,
    "dealer: fix a seat": 8,
    "dealer: report five cards": 9,
    "supervisor: verify five cards": 8,
    "surveillance: confirm": 6,
    "accounting: paperwork": 7,
    "manager: pay": 1,
    "supervisor: close": 1,
    "accounting: one count": 9,
    "supervisor: dispute of seven cards": 16,
    "auditor: explain an amount": 4,
    "auditor: verify the log": 3,
}
"""Presses and fields of the same work before (SCREENS, section 2), without the scrolling that it took."""
NAMES = {"A": "ace", "K": "king", "Q": "queen", "J": "jack", "9": "nine", "4": "four", "2": "deuce"}
SUITS = {"s": "spades", "h": "hearts", "d": "diamonds", "c": "clubs"}


class Person:
    """Somebody at a screen, who touches it or has keys only."""

    def __init__(self, browser: Browser, room: CardRoom, address: str, login: str, *, by_keyboard: bool) -> None:
        self.by_keyboard, self.address, self.actions = by_keyboard, address, 0
        context = browser.new_context(
            viewport={"width": 1280, "height": 800}, reduced_motion="reduce", has_touch=not by_keyboard
        )
        self.page: Page = context.new_page()
        self.page.set_default_timeout(120_000)
        self.errors: list[str] = []
        self.page.on("pageerror", lambda error: self.errors.append(str(error)))
        self.link = f"{address}/links/{room.room.access.make_link(login, 'sign-in', SYSTEM_ACTOR)}"

    def sign_in(self) -> None:
        """Open the link that was sent and sign in: two actions."""
        self.actions += 1
        self.page.goto(self.link)
        self.press(self.page.get_by_role("button", name="Sign in"))

    def button(self, name: str) -> None:
        self.press(self.page.get_by_role("button", name=name, exact=True))

    def press(self, place: Locator) -> None:
        """Touch what is there, or press its key: Space on a box, Enter on anything else."""
        self.actions += 1
        if self.by_keyboard:
            place.focus()
            expect(place).to_be_focused()
            place.press("Space" if place.evaluate("(each) => each.tagName === 'INPUT'") else "Enter")
            return
        is_box = place.evaluate("(each) => each.matches('[type=radio], [type=checkbox]')")
        (place.locator("xpath=ancestor::label[1]") if is_box else place).tap()

    def fill(self, place: Locator, text: str) -> None:
        self.actions += 1
        place.focus()
        place.press_sequentially(text)

    def cards(self, cards: str, name: str = "") -> None:
        """Enter hands one after the other: by touch a rank and a suit for each card, by keys its two letters."""
        if name:
            self.page.locator("pit-pick", has=self.page.locator(f"[name='{name}']")).locator(".slot").first.focus()
        for card in cards.split():
            rank, suit = card[0], card[1]
            pick = self.page.locator("pit-pick[data-active]").first
            if self.by_keyboard:
                self.actions += 1
                pick.locator(".slot").first.focus()
                self.page.keyboard.type(rank + suit)
            else:
                self.press(pick.get_by_role("button", name=NAMES[rank], exact=True))
                self.press(pick.get_by_role("button", name=SUITS[suit], exact=True))

    def says(self, words: str) -> None:
        expect(self.page.get_by_text(words).first).to_be_visible()


@pytest.fixture
def room(tmp_path: Path) -> Iterator[CardRoom]:
    with desk_room(tmp_path / "room") as made:
        # Tables without a display are suspended after a while, which a slow machine would reach.
        made.room.displays.limits = DisplayLimits(3600, 3600, 3600, 3600)
        yield made


def dealing(dan: Person) -> Iterator[str]:
    """A dealer opens the console, counts a round, takes a seat out again and reports four aces."""
    page = dan.page
    dan.sign_in()
    dan.press(page.get_by_role("link", name="Table 6"))
    expect(page.locator("html")).to_have_attribute("data-keys", "ready")
    yield "dealer: link to console"
    for seat in (1, 3, 6):
        dan.press(page.locator(f".seat[data-seat='{seat}'] input"))
    dan.press(page.locator("button.big"))
    expect(page.get_by_role("button", name="Next round")).to_be_visible()
    yield "dealer: tabulate three seats"
    dan.press(page.get_by_role("radio", name="Fix"))
    fix = page.get_by_role("region", name="Fix")
    dan.press(fix.get_by_role("radio", name="3", exact=True))
    dan.press(fix.get_by_role("radio", name="Counted, no wager there"))
    dan.press(fix.get_by_role("button", name="Save fix"))
    dan.says("Fixed: seat 3 removed from round")
    yield "dealer: fix a seat"
    dan.press(page.get_by_role("link", name="Report a jackpot"))
    page.wait_for_load_state()
    dan.press(page.get_by_role("radio", name="6"))
    dan.cards("As Ah Ad Ac 2d")
    dan.says("Seat 6: Four Aces")
    dan.button("Call the floor")
    dan.says("Waiting for supervisor.")
    yield "dealer: report five cards"


def handling(sue: Person, vic: Person, amy: Person, max_: Person) -> Iterator[str]:
    """The hit is verified, seen on camera, written down, paid and closed."""
    for person in (sue, vic, amy, max_):
        person.sign_in()
        person.actions = 0
    sue.cards("As Ah Ad Ac 2d")
    sue.press(sue.page.get_by_label("Wager light is on at seat 6"))
    sue.button("Verify")
    sue.says("Verified.")
    yield "supervisor: verify five cards"
    for check in ("Hand", "Wager", "Payout", "Winner"):
        vic.press(vic.page.get_by_label(check, exact=True))
    vic.button("Confirm")
    vic.says("Confirmed by surveillance.")
    yield "surveillance: confirm"
    amy.press(amy.page.get_by_role("link", name="Handle"))
    amy.fill(amy.page.get_by_label("Winner"), "Pat Lee")
    amy.fill(amy.page.get_by_label("Primary ID"), "driver license")
    amy.fill(amy.page.get_by_label("Secondary ID"), "passport")
    for words in ("One ID has a photo", "SSN/TIN recorded on W-2G", "Remaining deck counted down"):
        amy.press(amy.page.get_by_label(words))
    amy.button("Create jackpot slip")
    amy.says("Paperwork saved.")
    yield "accounting: paperwork"
    max_.press(max_.page.get_by_role("link", name="Handle"))
    max_.press(max_.page.locator("[name=method][value=cage]"))
    max_.button("Review payment")
    max_.button("Record payment")
    max_.says("Payment recorded.")
    yield "manager: pay"
    sue.button("Close jackpot")
    sue.says("Jackpot closed.")
    yield "supervisor: close"


def counting(amy: Person) -> Iterator[str]:
    page = amy.page
    page.goto(f"{amy.address}/today")
    amy.actions = 0
    amy.press(page.get_by_role("navigation", name="Main menu").get_by_role("link", name="Count"))
    amy.fill(page.get_by_label("Table 5", exact=True), "0")
    amy.actions += 1
    page.get_by_label("Counted with").select_option(label="Max, manager")
    amy.fill(page.get_by_label("Their password"), PASSWORD)
    amy.button("Save count")
    amy.says("$0.00")
    yield "accounting: one count"


def judging(sue: Person) -> Iterator[str]:
    page = sue.page
    sue.actions = 0
    sue.press(page.get_by_role("link", name="Disputes"))
    sue.press(page.get_by_role("link", name="4", exact=True))
    for name, cards in (("board", "9s 9h 4d"), ("cards:1", "Ad Kd Qd Jd")):
        sue.cards(cards, name)
    sue.fill(page.get_by_label("Ante and Play"), "20")
    sue.actions += 1
    page.get_by_role("combobox", name="Decision").select_option("yes")
    sue.button("Settle")
    sue.says("Net +$220.00")
    sue.fill(page.get_by_label("What was disputed?"), "seat 1 was paid even money")
    sue.button("Save record")
    expect(page.get_by_role("heading", name="Dispute 1")).to_be_visible()
    yield "supervisor: dispute of seven cards"


def auditing(uma: Person) -> Iterator[str]:
    page = uma.page
    uma.sign_in()
    uma.actions = 0
    uma.press(page.get_by_role("link", name="Explain an amount"))
    uma.fill(page.get_by_label("Amount", exact=True), "$5,000.00")
    uma.button("Explain")
    expect(page.get_by_role("heading", name="Prizes of this amount")).to_be_visible()
    yield "auditor: explain an amount"
    uma.press(page.get_by_role("link", name="Verify audit log"))
    uma.button("Verify now")
    expect(page.get_by_text("All checks passed.")).to_be_visible(timeout=120_000)
    yield "auditor: verify the log"


@pytest.mark.parametrize(
    ("hand", "most"),
    [
        ("touch", 1),
        pytest.param("touch", 5, marks=pytest.mark.slow),
        pytest.param("keyboard", 5, marks=pytest.mark.slow),
    ],
)
def test_i17_every_role_does_its_work_by_touch_and_by_keyboard(
    browser: Browser, room: CardRoom, hand: str, most: int
) -> None:
    """Each story ends with what it is for; what it took is printed beside what it took before. In short: the dealer's."""
    after: dict[str, int] = {}
    with serving(room) as address:
        people = {
            login: Person(browser, room, address, login, by_keyboard=hand == "keyboard")
            for login in ("dan", "sue", "vic", "amy", "max", "uma")
        }
        dan, sue, vic, amy, max_, uma = people.values()
        stories: list[Callable[[], Iterator[str]]] = [
            lambda: dealing(dan),
            lambda: handling(sue, vic, amy, max_),
            lambda: counting(amy),
            lambda: judging(sue),
            lambda: auditing(uma),
        ]
        for story in stories[:most]:
            for name in story():
                after[name] = sum(person.actions for person in people.values())
                for person in people.values():
                    person.actions = 0
        assert {login: person.errors for login, person in people.items() if person.errors} == {}
        for person in people.values():
            person.page.context.close()
    assert list(after) == list(BEFORE)[: len(after)]
    assert len(after) == len(BEFORE) or most == 1
    print("\n".join(f"{hand}: {name}: {BEFORE[name]} before, {count} now" for name, count in after.items()))
