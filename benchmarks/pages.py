"""How soon every page answers with a long journal in the books, in milliseconds and as a ratio to an empty page.

A room of the simulated year is served by a process of its own and asked over HTTP, as a browser asks. A page whose
figure is made beside the server says so at once: then the time until the stream tells that it is there stands beside
it. `python -m benchmarks.pages --room DIR` measures a room that `benchmarks.year --keep DIR` has made, and writes to
it: somebody who signs in is added. Without it a week is played first.
"""

from __future__ import annotations

import argparse
import datetime
import http.client
import json
import re
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from statistics import median
from typing import Any, NamedTuple
from urllib.parse import quote, urlencode

from benchmarks.pages_room import NAME, TABLE, Ready, prepared
from benchmarks.year import FIRST, Plan, play_year
from benchmarks.year_room import SETTINGS
from pitboss.books import EPOCH, Calendar
from pitboss.reports import REPORTS

EMPTY = "/account"
"""A page with everything around it and nothing of the journal in it."""
_FIGURE = re.compile(rb'data-figure="([0-9a-f]+)"')
_LONGEST = 900


class Asked(NamedTuple):
    """A page to be asked for: what it is, and its address."""

    what: str
    address: str


class Took(NamedTuple):
    """What a page took, in milliseconds: the median and the worst answer, and until its figure was there."""

    asked: Asked
    typical: float
    worst: float
    there: float | None
    size: int


class Browser:
    """One connection that is signed in, and follows redirects."""

    def __init__(self, port: int) -> None:
        self.port, self.cookie = port, ""
        self.connection = http.client.HTTPConnection("127.0.0.1", port, timeout=_LONGEST)

    def _send(self, method: str, address: str, body: str | None = None) -> tuple[http.client.HTTPResponse, bytes]:
        kind = {"content-type": "application/x-www-form-urlencoded"} if body else {}
        self.connection.request(method, address, body, {"cookie": self.cookie, **kind})
        answer = self.connection.getresponse()
        return answer, answer.read()

    def sign_in(self, login: str, password: str) -> None:
        """Sign in, and keep the cookie."""
        answer, _ = self._send("POST", "/sign-in", urlencode({"login": login, "password": password}))
        assert answer.status == http.client.SEE_OTHER, answer.status
        self.cookie = (answer.getheader("set-cookie") or "").partition(";")[0]

    def get(self, address: str) -> tuple[str, bytes]:
        """Ask for a page; gives where it was in the end, and what it says."""
        while True:
            answer, body = self._send("GET", address)
            if answer.status != http.client.SEE_OTHER:
                break
            address = answer.getheader("location") or ""
        if answer.status >= http.client.BAD_REQUEST:
            raise SystemExit(f"{address}: {answer.status} {body[:2_000].decode()}")
        return address, body

    def there(self, key: bytes) -> None:
        """Wait until the stream tells that a figure is there."""
        connection = http.client.HTTPConnection("127.0.0.1", self.port, timeout=_LONGEST)
        topics = urlencode({"topics": f"figure:{key.decode()}"})
        connection.request("GET", f"/api/v1/stream?{topics}", headers={"cookie": self.cookie})
        answer = connection.getresponse()
        for line in answer:
            if line.startswith(b"data:") and b"status" in line:
                figure: dict[str, Any] = json.loads(line[5:])
                if figure["status"] == "failed":
                    raise SystemExit(figure["words"])
                if figure["status"] == "ready":
                    break
        connection.close()
        # The server lets go of a connection that says nothing for some seconds: the next page gets a new one.
        self.connection.close()


@contextmanager
def serving(path: Path) -> Iterator[int]:
    """Serve a room by a process of its own; gives its port."""
    words = [sys.executable, "-m", "benchmarks.pages_room", str(path)]
    with subprocess.Popen(words, stdout=subprocess.PIPE, text=True) as process:  # noqa: S603 - our own command
        assert process.stdout is not None
        try:
            yield int(process.stdout.readline())
        finally:
            process.terminate()


def measured(browser: Browser, asked: Asked, requests: int) -> Took:
    """Ask for a page: the first time as who comes first, then some times more."""
    took: list[float] = []
    there, address, size = None, asked.address, 0
    for _ in range(requests):
        begun = time.perf_counter()
        address, body = browser.get(address)
        took.append((time.perf_counter() - begun) * 1_000)
        size = len(body)
        keys = _FIGURE.findall(body)
        if keys and there is None:
            for key in keys:
                browser.there(key)
            there = (time.perf_counter() - begun) * 1_000
    return Took(asked, median(took), max(took), there, size)


def _audit_pages(ready: Ready, day: str) -> Iterator[Asked]:
    base, middle = "/office/audit", ready.head // 2
    yield Asked("journal, newest", base)
    yield Asked("journal, from the middle", f"{base}?before={middle}")
    yield Asked("journal, oldest", f"{base}?before=100")
    found = {"kind": "hit-called", "actor": "Max", "table": "7", "words": "east", "day": day}
    for name, value in found.items():
        yield Asked(f"journal, by {name}", f"{base}?{urlencode({name: value})}")
    yield Asked("journal, by a kind that is rare", f"{base}?kind=jackpot-opened")
    yield Asked("journal, by a kind there is none of", f"{base}?kind=malfunction-reported")
    yield Asked("journal, by words nobody said", f"{base}?words=zanzibar")
    yield Asked("journal, by all of them", f"{base}?{urlencode({**found, 'kind': 'wagers-counted', 'actor': 'table'})}")
    yield Asked("an entry", f"{base}/{middle}")
    yield Asked("explain, form", f"{base}/explain")
    yield Asked("explain, a display now", f"{base}/explain?jackpot={NAME}")
    yield Asked("explain, a display at an entry", f"{base}/explain?jackpot=west&entry={middle}")
    yield Asked("explain, an amount", f"{base}/explain?amount=5%2C500.00")
    yield Asked("explain, a hit", f"{base}/explain?hit={ready.hits[len(ready.hits) // 2]}")
    yield Asked("who did what, last day", f"{base}/who")
    yield Asked("who did what, a day", f"{base}/who?day={day}")
    yield Asked("chain, form", f"{base}/chain")


def pages(ready: Ready, only_quick: bool) -> Iterator[Asked]:
    """Every page of the server that shows something of the room."""
    calendar = Calendar(((FIRST, SETTINGS),))
    today = calendar.gambling_day(EPOCH + datetime.timedelta(microseconds=ready.recorded))
    middle = (FIRST + (today - FIRST) / 2).isoformat()
    hit = ready.hits[len(ready.hits) // 2]
    yield from (Asked("an empty page", EMPTY), Asked("sign in", "/sign-in"), Asked("health", "/healthz"))
    yield from (Asked("front page", "/"), Asked("table's display", f"/tables/{TABLE}/vision"))
    yield from (Asked("console", f"/tables/{TABLE}/console"), Asked("console, call", f"/tables/{TABLE}/console/call"))
    yield from (
        Asked("floor desk", "/floor"),
        Asked("disputes", "/floor/disputes"),
        Asked("a dispute", "/floor/disputes/1"),
    )
    yield Asked("a dispute, form", f"/floor/disputes/new?table={TABLE}")
    yield Asked("hits", "/office/hits")
    yield Asked("hits of a day", f"/office/hits?day={middle}")
    yield from (Asked("a hit", f"/office/hits/{hit}"), Asked("the last hit", f"/office/hits/{ready.hits[-1]}"))
    yield from (Asked("people", "/office/people"), Asked("jackpots", "/office/jackpots"))
    for days in (1, 7, 30, 366):
        yield Asked(f"a jackpot, {days} days", f"/office/jackpots/{NAME}?days={days}")
    yield Asked("odds", f"/office/odds/{TABLE}")
    yield from _audit_pages(ready, middle)
    yield Asked("reports", "/office/reports")
    yield Asked("API: why a display shows it", f"/api/v1/jackpots/{quote(NAME)}/explanation")
    yield Asked("API: why a hit is that", f"/api/v1/hits/{hit}/explanation")
    yield Asked("API: entries", f"/api/v1/entries?after={ready.head // 2}")
    first_of_month = today.replace(day=1).isoformat()
    periods = {"last day": {}, "day": {"first": middle}}
    if not only_quick:
        periods["month"] = {"first": first_of_month, "last": today.isoformat()}
    for title, asked in periods.items():
        for name in REPORTS:
            yield Asked(f"report {name}, {title}", f"/office/reports/{name}?{urlencode(asked)}")


def slow_pages(ready: Ready) -> Iterator[Asked]:
    """What may take seconds or minutes beside the server, and must not make other pages wait."""
    today = Calendar(((FIRST, SETTINGS),)).gambling_day(EPOCH + datetime.timedelta(microseconds=ready.recorded))
    year = urlencode({"first": FIRST.isoformat(), "last": today.isoformat()})
    for name in ("meters", "hits", "w-2g", "wagers-by-table", "wagers-by-shift"):
        yield Asked(f"report {name}, everything", f"/office/reports/{name}?{year}")
    yield Asked("chain, verified", f"/office/audit/chain?at={ready.recorded}")


def _told(took: Took, empty: float) -> str:
    there = "" if took.there is None else f"{took.there:10,.0f}"
    ratio = took.typical / empty
    return f"{took.asked.what:40}{took.typical:9.1f}{took.worst:9.1f}{ratio:8.1f}{there:>11}{took.size / 1_000:9.1f}"


class Beside(threading.Thread):
    """Somebody who looks at the floor desk again and again while other figures are made."""

    def __init__(self, browser: Browser) -> None:
        super().__init__()
        self.browser, self.ends = browser, threading.Event()
        self.took: list[float] = []

    def run(self) -> None:
        """Look twice a second until it ends."""
        # The server has let go of a connection that has said nothing since it signed in.
        self.browser.connection.close()
        while not self.ends.wait(0.5):
            begun = time.perf_counter()
            self.browser.get("/floor")
            self.took.append((time.perf_counter() - begun) * 1_000)


def _measure(port: int, ready: Ready, asked: argparse.Namespace) -> None:
    one, other = Browser(port), Browser(port)
    for browser in (one, other):
        browser.sign_in(ready.login, ready.password)
    for _ in range(3):
        one.get(EMPTY)
    empty = measured(one, Asked("", EMPTY), 3 * asked.requests).typical
    print(f"{'milliseconds':40}{'median':>9}{'worst':>9}{'ratio':>8}{'figure':>11}{'kB':>9}")
    for each in pages(ready, asked.quick):
        if asked.only in each.what:
            print(_told(measured(one, each, asked.requests), empty), flush=True)
    if asked.quick:
        return
    beside = Beside(other)
    beside.start()
    for each in slow_pages(ready):
        if asked.only in each.what:
            print(_told(measured(one, each, 2), empty), flush=True)
    beside.ends.set()
    beside.join()
    if beside.took:
        told = Took(Asked("floor desk meanwhile", ""), median(beside.took), max(beside.took), None, 0)
        print(_told(told, empty))


def main() -> None:
    """Make or open a room, serve it, and ask for every page."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--room", type=Path, help="a room of the simulated year, which is written to")
    parser.add_argument("--days", type=int, default=7, help="days that are played where no room is given")
    parser.add_argument("--requests", type=int, default=9, help="how often each page is asked for")
    parser.add_argument("--only", default="", help="only pages whose name has this in it")
    parser.add_argument("--quick", action="store_true", help="leave out months and everything")
    asked = parser.parse_args()
    with tempfile.TemporaryDirectory(prefix="pages-") as folder:
        path = asked.room or Path(folder) / "room"
        if asked.room is None:
            play_year(path, Plan(asked.days))
        ready = prepared(path)
        print(f"{ready.head:,} entries, {len(ready.hits):,} hits are known by number")
        with serving(path) as port:
            _measure(port, ready, asked)


if __name__ == "__main__":
    main()
