"""How soon a practice decision with the coach on is answered, in milliseconds, beside an empty request of the same run.

`python -m benchmarks.practice` serves a new room in this process and asks over HTTP, as a browser does; the figures are
the 50th and the 95th of a hundred. The counts are made first, which takes minutes where they are not on disk.
"""

from __future__ import annotations

import argparse
import datetime
import http.cookiejar
import re
import socket
import tempfile
import threading
import time
from pathlib import Path
from urllib.error import HTTPError
from urllib.parse import urlencode
from urllib.request import HTTPCookieProcessor, Request, build_opener

import uvicorn

from pitboss.books import RoomSettings
from pitboss.books.store.migrate import create_books
from pitboss.games import all_games
from pitboss.room.room import Room
from pitboss.server.app import create_app

_FRAGMENT = {"x-pitboss-fragment": "1"}


def _percentiles(times: list[float]) -> str:
    ordered = sorted(times)
    return f"p50 {1000 * ordered[len(ordered) // 2]:6.1f} ms   p95 {1000 * ordered[int(len(ordered) * 0.95)]:6.1f} ms"


Fields = dict[str, str | list[str]]


class Client:
    """A browser with its cookies."""

    def __init__(self, address: str) -> None:
        self._address = address
        self._open = build_opener(HTTPCookieProcessor(http.cookiejar.CookieJar())).open

    def ask(self, path: str, data: Fields | None = None, times: list[float] | None = None) -> str:
        """Return a page, or the answer to a form; how long it took goes to the times."""
        body = None if data is None else urlencode(data, doseq=True).encode()
        request = Request(self._address + path, body, {"origin": self._address, **_FRAGMENT})  # noqa: S310 - our own
        start = time.perf_counter()
        try:
            with self._open(request, timeout=600) as answer:
                content: bytes = answer.read()
        except HTTPError as error:
            content = error.read()
        if times is not None:
            times.append(time.perf_counter() - start)
        return content.decode()


def _answer(page: str) -> Fields:
    step = re.findall(r'name="step" value="(\d+)"', page)[0]
    cards = re.findall(r'name="card" value="(\w+)"', page)
    if not cards:
        return {"step": step, "answer": re.findall(r'name="answer" value="(\w+)"', page)[0]}
    least = int(re.findall(r'data-least="(\d)"', page)[0])
    return {"step": step, "card": cards[:least]}


def measure(client: Client, game: str, decisions: int) -> None:
    """Play hands with the coach on and time every decision."""
    base = f"/practice/{game}"
    page = client.ask(base)
    main = re.findall(r'name="(1:[^"]+)" inputmode="decimal" autocomplete="off" value="(\d+)"', page)
    sent = {name: re.findall(rf'name="{name}" value="(\w*)"', page)[0] for name in ("step", "key", "hand")}
    client.ask(f"{base}/coach", {"coach": "before", "step": "0"})
    page = client.ask(f"{base}/deal", {**sent, **dict(main)})
    while "data-counting" in page:
        time.sleep(1)
        page = client.ask(base)
    times: list[float] = []
    empty: list[float] = []
    while len(times) < decisions:
        if 'data-phase="over"' in page:
            step = re.findall(r'name="step" value="(\d+)"', page)[0]
            page = client.ask(f"{base}/again", {"step": step})
            continue
        answer = _answer(page)
        after = client.ask(f"{base}/decide", answer, times)
        if "card" in answer and 'role="alert"' in after:
            cards = re.findall(r'name="card" value="(\w+)"', page)
            after = client.ask(f"{base}/decide", {**answer, "card": cards[len(answer["card"]) :]}, times)
        page = after
        client.ask("/practice", times=empty)
    print(f"{game:24} decision {_percentiles(times)}   empty request {_percentiles(empty)}", flush=True)


def new_room(path: Path) -> Room:
    """Make a room with nothing in it."""
    settings = RoomSettings(room="Bench", time_zone="America/Los_Angeles", shifts=(("day", datetime.time(6, 0)),))
    create_books(path, settings, person="Ada", since=datetime.date(2026, 1, 1))
    return Room(path)


def main() -> None:
    """Measure every game, or the ones that are named."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("games", nargs="*", default=[game.name for game in all_games()])
    parser.add_argument("--decisions", type=int, default=100)
    arguments = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder, new_room(Path(folder) / "room") as room:
        door = socket.create_server(("127.0.0.1", 0))
        app = create_app(room)
        server = uvicorn.Server(uvicorn.Config(app, log_level="warning", timeout_graceful_shutdown=1))
        thread = threading.Thread(target=server.run, kwargs={"sockets": [door]})
        thread.start()
        address = f"http://127.0.0.1:{door.getsockname()[1]}"
        try:
            client = Client(address)
            for game in arguments.games:
                measure(client, game, arguments.decisions)
        finally:
            app.state.ending()
            server.should_exit = True
            thread.join(10)


if __name__ == "__main__":
    main()
