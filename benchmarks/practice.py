"""How soon a practice decision with the coach on is answered, in milliseconds, beside an empty request of the same run.

`python -m benchmarks.practice` serves a new room in this process and asks over HTTP, as a browser does; the figures are
the 50th and the 95th of a hundred. The counts are made first, which takes minutes where they are not on disk.
"""

from __future__ import annotations

import argparse
import re
import socket
import tempfile
import threading
import time
from pathlib import Path

import httpx
import uvicorn

from pitboss.games import all_games
from pitboss.room.room import Room
from pitboss.server.app import create_app

_FRAGMENT = {"x-pitboss-fragment": "1"}


def _percentiles(times: list[float]) -> str:
    ordered = sorted(times)
    return f"p50 {1000 * ordered[len(ordered) // 2]:6.1f} ms   p95 {1000 * ordered[int(len(ordered) * 0.95)]:6.1f} ms"


def _timed(client: httpx.Client, times: list[float], path: str, data: dict[str, str | list[str]] | None) -> str:
    start = time.perf_counter()
    answer = client.get(path) if data is None else client.post(path, data=data, headers=_FRAGMENT)
    times.append(time.perf_counter() - start)
    return answer.text


def _answer(page: str) -> dict[str, str | list[str]]:
    step = re.findall(r'name="step" value="(\d+)"', page)[0]
    cards = re.findall(r'name="card" value="(\w+)"', page)
    if not cards:
        return {"step": step, "answer": re.findall(r'name="answer" value="(\w+)"', page)[0]}
    least = int(re.findall(r'data-least="(\d)"', page)[0])
    return {"step": step, "card": cards[:least]}


def measure(client: httpx.Client, game: str, decisions: int) -> None:
    """Play hands with the coach on and time every decision."""
    base = f"/practice/{game}"
    page = client.get(base).text
    main = re.findall(r'name="(1:[^"]+)" inputmode="decimal" autocomplete="off" value="(\d+)"', page)
    sent = {name: re.findall(rf'name="{name}" value="(\w*)"', page)[0] for name in ("step", "key", "hand")}
    client.post(f"{base}/coach", data={"coach": "before", "step": "0"}, headers=_FRAGMENT)
    page = client.post(f"{base}/deal", data={**sent, **dict(main)}, headers=_FRAGMENT).text
    while "data-counting" in page:
        time.sleep(1)
        page = client.get(base).text
    times: list[float] = []
    empty: list[float] = []
    while len(times) < decisions:
        if 'data-phase="over"' in page:
            step = re.findall(r'name="step" value="(\d+)"', page)[0]
            page = client.post(f"{base}/again", data={"step": step}, headers=_FRAGMENT).text
            continue
        answer = _answer(page)
        after = _timed(client, times, f"{base}/decide", answer)
        if "card" in answer and 'role="alert"' in after:
            cards = re.findall(r'name="card" value="(\w+)"', page)
            after = _timed(client, times, f"{base}/decide", {**answer, "card": cards[len(answer["card"]) :]})
        page = after
        _timed(client, empty, "/practice", None)
    print(f"{game:24} decision {_percentiles(times)}   empty request {_percentiles(empty)}", flush=True)


def main() -> None:
    """Measure every game, or the ones that are named."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("games", nargs="*", default=[game.name for game in all_games()])
    parser.add_argument("--decisions", type=int, default=100)
    arguments = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder, Room(Path(folder) / "room") as room:
        door = socket.create_server(("127.0.0.1", 0))
        app = create_app(room)
        server = uvicorn.Server(uvicorn.Config(app, log_level="warning", timeout_graceful_shutdown=1))
        thread = threading.Thread(target=server.run, kwargs={"sockets": [door]})
        thread.start()
        address = f"http://127.0.0.1:{door.getsockname()[1]}"
        try:
            with httpx.Client(base_url=address, headers={"origin": address}, timeout=600) as client:
                for game in arguments.games:
                    measure(client, game, arguments.decisions)
        finally:
            app.state.ending()
            server.should_exit = True
            thread.join(10)


if __name__ == "__main__":
    main()
