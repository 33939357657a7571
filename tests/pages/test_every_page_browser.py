"""Every page of the demo as every role opens it: axe finds nothing, the console is silent, nothing overflows.

Short versions for a few pages stand with the tests of those pages; this one walks every route that answers with a page.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import suppress
from pathlib import Path
from typing import Any

import pytest
from axe_playwright_python.sync_playwright import Axe
from fastapi.routing import APIRoute
from playwright.sync_api import Browser, ConsoleMessage, Page
from playwright.sync_api import Error as PlaywrightError

from pitboss.commands.command import SYSTEM_ACTOR
from pitboss.demo.running import make_room
from pitboss.games import all_games
from pitboss.jackpot import HITS, JACKPOTS
from pitboss.reports import REPORTS
from pitboss.room.disputes import DISPUTES
from pitboss.room.people.roles import PEOPLE_ROLES
from pitboss.room.room import Room
from pitboss.server.app import create_app
from pitboss.server.settings import Listening
from tests.doors import Slides, doors_of, executor_of
from tests.pages.desk import DISPUTE, DISPUTED, SUE
from tests.pages.room import CardRoom
from tests.pages.serving import serving

pytestmark = [pytest.mark.slow, pytest.mark.xdist_group("browser")]
NARROW = 320
_LOOKS = 3
"""A page may renew itself so often while it is looked at."""
SIZES = ((1280, 800), (390, 844), (NARROW, 568))
"""A desk, a phone, and what reflow is measured at (WCAG 1.4.10): 1280 at 400 %."""
TARGETS = {"rules": {"target-size": {"enabled": True}}}
"""WCAG 2.5.8, which axe leaves out unless it is named."""
NO_PAGES = (
    *("/api", "/static", "/parts/", "/fonts", "/cards", "/slides/", "/links", "/shell", "/session", "/health"),
    *("/metrics", "/openapi", "/docs", "/stream", "/demo/", "/figures", "/favicon"),
)
NO_ENDS = (
    "/csv",
    "/pdf",
    "/par",
    "/print",
    "/report",
    "/forms",
    "/log",
    "/set",
    "/picture",
    "{form}",
    ".svg",
    ".ttf",
    "/packet",
    "{_do}",
    "{told}",
    "{code}",
    "/download",
    "/figures",
)
"""Addresses that answer with something else than a page, or lead to another one."""
TEMPLATE_SAMPLES = 2
"""Axe reads so many pages of a template: its others, and those of other roles, are laid out by the same lines."""
OVERFLOW = """() => {
  const wide = document.documentElement.scrollWidth - innerWidth;
  if (wide <= 0) return "";
  const scrolls = (each) => each && (/auto|scroll|hidden|clip/.test(getComputedStyle(each).overflowX) || scrolls(each.parentElement));
  const far = (each) => each.getBoundingClientRect().right > innerWidth + 1 && !scrolls(each.parentElement);
  const out = [...document.querySelectorAll("body *")].filter(far);
  return `${wide} px: ` + out.slice(0, 4).map((each) => `${each.tagName}.${each.className}`).join(", ");
}"""


@pytest.fixture(scope="module")
def room(tmp_path_factory: pytest.TempPathFactory) -> Iterator[CardRoom]:
    path: Path = tmp_path_factory.mktemp("every") / "room"
    make_room(path)
    with Room(path) as made:
        seat = {**DISPUTED, "wagers": {"ante-play": 2000}}
        dispute = DISPUTE._replace(seats=[seat], meters={})
        doors_of(made).disputes.settle("1", dispute, command="dispute", words="paid even money", round_number=0, by=SUE)
        yield CardRoom(made, Slides(executor_of(made.books, made.clock)))


@pytest.fixture(scope="module")
def read() -> Counter[str]:
    """How many pages of each template axe has read."""
    return Counter()


def filled(room: Room) -> dict[str, tuple[str, ...]]:
    """What stands in the braces of an address."""
    state = room.state
    hits = [str(hit.number) for hit in state.of(HITS).open.values()]
    return {
        "{table}": ("1", "3"),
        "{wager}": ("prime", "ante-play"),
        "{name}": tuple(state.of(JACKPOTS).jackpots)[:2],
        "{kind}": ("progressive", "bonus"),
        "{sequence}": ("1", str(state.sequence)),
        "{hits}": tuple(hits[-1:]),
        "{asked}": tuple(str(number) for number in room.approvals.waiting)[:1],
        "{disputes}": tuple(str(number) for number in state.of(DISPUTES))[:1],
        "{reports}": tuple(REPORTS),
        "{game}": tuple(game.name for game in all_games())[:2],
    }


def addresses(room: Room) -> list[list[str]]:
    """Every address that answers with a page, by route, with what the room has in the place of names."""
    routes = []
    values = filled(room)
    for route in create_app(room, Listening(demo=True, parts=True)).routes:
        if not isinstance(route, APIRoute) or "GET" not in (route.methods or ()):
            continue
        path = route.path.replace("/hits/{number}", "/hits/{hits}").replace("/asked/{number}", "/asked/{asked}")
        path = path.replace("/disputes/{number}", "/disputes/{disputes}").replace(
            "/reports/{name}", "/reports/{reports}"
        )
        if path.startswith(NO_PAGES) or path.endswith(NO_ENDS) or "{slip}" in path:
            continue
        there = [path]
        for key, texts in values.items():
            there = [each.replace(key, text) for each in there for text in (texts if key in each else ("",))]
        routes.append(there)
    # What the room has no name for would be walked by nobody, and a silent gap is no finding.
    assert all(routes), "a route without an address"
    assert not [path for paths in routes for path in paths if "{" in path]
    return [*routes, ["/tables/1/vision?theme=midnight"], ["/no-such-page"]]


class Walk:
    """A page that walks through addresses, and what its console said."""

    def __init__(self, page: Page, address: str, read: Counter[str]) -> None:
        self._page, self._address, self._read = page, address, read
        self._said: list[str] = []
        self._missing: set[str] = set()
        page.on("console", lambda message: self._hear(message) if message.type == "error" else None)
        page.on("pageerror", lambda error: self._said.append(str(error)))

    def _hear(self, message: ConsoleMessage) -> None:
        self._said.append(f"{message.text} {message.location.get('url', '')}")

    def _steady(self, look: Callable[[], Any]) -> Any:
        """What is seen of a page; one that renewed itself meanwhile, its figures being there, is looked at again."""
        for _ in range(_LOOKS):
            with suppress(PlaywrightError):
                return look()
            self._page.wait_for_load_state("load")
        return look()

    def problems(self, path: str, template: str) -> Iterator[str]:
        """Yield what is wrong with a page at each size; axe reads each template, not each address."""
        page = self._page
        self._said.clear()
        page.set_viewport_size({"width": SIZES[0][0], "height": SIZES[0][1]})
        answer = self._steady(lambda: page.goto(self._address + path, wait_until="load"))
        assert answer is not None
        if answer.status in (401, 403) or "text/html" not in answer.headers.get("content-type", ""):
            return
        if answer.status == 404:
            self._missing.add(answer.url)
        if answer.status >= 500:
            yield f"{path} answers {answer.status}"
            return
        is_template_new = self._read[template] < TEMPLATE_SAMPLES
        self._read[template] += 1
        for width, height in SIZES:
            page.set_viewport_size({"width": width, "height": height})
            if is_template_new and width > NARROW:
                read = self._steady(lambda: Axe().run(page, options=TARGETS))
                for violation in read.response["violations"]:
                    nodes = "; ".join(str(node["target"]) for node in violation["nodes"][:3])
                    yield f"{path} at {width}: {violation['id']}: {nodes}"
            wide = self._steady(lambda: page.evaluate(OVERFLOW)) if "vision" not in path else ""
            if wide:
                yield f"{path} at {width} overflows by {wide}"
        # What a browser says of an address that is not there may come after the next page has begun.
        yield from (f"{path} says: {text}" for text in self._said if text.rpartition(" ")[2] not in self._missing)


@pytest.mark.parametrize("role", ["", *PEOPLE_ROLES])
def test_every_page_of_a_role_is_accessible_silent_and_fits(
    browser: Browser, room: CardRoom, read: Counter[str], role: str
) -> None:
    problems: list[str] = []
    with serving(room, listening=Listening(parts=True)) as address:
        context = browser.new_context(reduced_motion="reduce")
        page = context.new_page()
        if role:
            login = room.room.access.people.with_role(role)[0].login
            page.goto(f"{address}/links/{room.room.access.make_link(login, 'sign-in', SYSTEM_ACTOR)}")
            page.get_by_role("button").first.click()
        walk = Walk(page, address, read)
        for paths in addresses(room.room):
            # Another role reads another address of a template first.
            for path in reversed(paths) if read[paths[0]] else paths:
                problems += walk.problems(path, paths[0])
        context.close()
    assert not problems, "\n".join(dict.fromkeys(problems))
