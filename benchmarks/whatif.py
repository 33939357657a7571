"""A what-if of the odds room, decisions solved again, beside an empty request in the same run."""

from __future__ import annotations

import statistics
import sys
import tempfile
import time
from pathlib import Path

import httpx2 as httpx
from tests.pages.floor import staff
from tests.pages.room import card_room
from tests.pages.serving import serving

PAGE = "/odds/three-card-prime/ante-play/figures"


def main(times: int = 60) -> None:
    """Print the median and the 95th percentile of both."""
    with tempfile.TemporaryDirectory() as folder, card_room(Path(folder) / "room") as room:
        staff(room)
        with serving(room) as address, httpx.Client(base_url=address, timeout=600) as client:
            while "data-waits" in client.get(PAGE).text:
                time.sleep(1)
            spent: dict[str, list[float]] = {"empty request": [], "what-if": []}
            for number in range(times):
                for name, path in (("empty request", "/healthz"), ("what-if", f"{PAGE}?pay.ante-play.1={number + 3}")):
                    begun = time.perf_counter()
                    client.get(path).raise_for_status()
                    spent[name].append(1000 * (time.perf_counter() - begun))
            for name, figures in spent.items():
                slow = sorted(figures)[int(times * 0.95)]
                print(f"{name}: median {statistics.median(figures):.1f} ms, p95 {slow:.1f} ms")


if __name__ == "__main__":
    main(*map(int, sys.argv[1:]))
