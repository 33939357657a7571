"""Frames a second of a display while its meter rolls, on one core without a graphics card: python -m benchmarks.frames.

A browser draws a table's display at each size while the amount rolls, then with a jackpot pending; a frame is a turn of
`requestAnimationFrame`. What a frame costs is the time of all the browser's processes, whatever else the machine does.
"""

from __future__ import annotations

import argparse
import os
import tempfile
import time
from pathlib import Path

from playwright.sync_api import Browser, Page, sync_playwright
from tests.pages.desk import desk_room, royal
from tests.pages.serving import serving
from tests.programs import program

SIZES = ((1280, 720), (1920, 1080), (3840, 2160))
_SETTLE_SECONDS, _LOOK_MILLISECONDS, _LITTLE, _QUIET_LOOKS = 30.0, 500, 0.05, 3
_FRAMES = """(seconds) => new Promise((done) => {
  let frames = 0;
  const start = performance.now();
  const meter = document.querySelector("pit-odometer");
  const money = new Intl.NumberFormat("en-US", { style: "currency", currency: "USD" });
  const roll = () => {
    const cents = Number(meter.dataset.cents) + 517;
    // The text as the server writes it: without its figures the odometer would have no reels to turn.
    meter.show(cents, money.format(cents / 100));
  };
  roll();
  const rolls = setInterval(roll, 1500);
  const turn = (now) => {
    frames += 1;
    if (now - start < seconds * 1000) return requestAnimationFrame(turn);
    clearInterval(rolls);
    done(frames * 1000 / (now - start));
  };
  requestAnimationFrame(turn);
})"""


def _seconds(browser_pids: set[int]) -> float:
    """Return the processor seconds of some processes so far."""
    ticks = 0
    for pid in browser_pids:
        try:
            fields = Path(f"/proc/{pid}/stat").read_text(encoding="ascii").rpartition(")")[2].split()
        except OSError:
            continue
        ticks += int(fields[11]) + int(fields[12])
    return ticks / os.sysconf("SC_CLK_TCK")


def _below(pid: int) -> set[int]:
    """Return a process and all that it started."""
    tree, parents = {pid}, {}
    for path in Path("/proc").iterdir():
        if path.name.isdigit():
            try:
                parents[int(path.name)] = int((path / "stat").read_text(encoding="ascii").rpartition(")")[2].split()[1])
            except OSError:
                continue
    for _ in parents:
        more = {child for child, parent in parents.items() if parent in tree} - tree
        if not more:
            break
        tree |= more
    return tree


def _settle(page: Page) -> float:
    """Wait until a display is drawn, half a minute at most, and return the processor seconds that took.

    In 4K the first picture takes seconds: measured with the frames it would count as theirs. Its slides stand still.
    """
    page.keyboard.press(" ")
    pids = _below(os.getpid()) - {os.getpid()}
    first = last = _seconds(pids)
    quiet, until = 0, time.monotonic() + _SETTLE_SECONDS
    while quiet < _QUIET_LOOKS and time.monotonic() < until:
        page.wait_for_timeout(_LOOK_MILLISECONDS)
        now = _seconds(pids)
        quiet, last = quiet + 1 if now - last < _LITTLE else 0, now
    return last - first


def _measure(page: Page, title: str, seconds: int) -> None:
    pids = {pid for pid in _below(os.getpid()) if pid != os.getpid()}
    before, start = _seconds(pids), time.monotonic()
    frames = page.evaluate(_FRAMES, seconds)
    share = (_seconds(pids) - before) / (time.monotonic() - start)
    cost = 1000 * share / frames
    print(f"{title:28} {frames:5.1f} frames a second, {share:5.0%} of a core, {cost:5.1f} ms a frame", flush=True)


def _displays(browser: Browser, address: str, what: str, seconds: int) -> None:
    for width, height in SIZES:
        page = browser.new_page(viewport={"width": width, "height": height})
        page.goto(f"{address}/tables/5/vision")
        drawn = _settle(page)
        _measure(page, f"{what}, {width} x {height}", seconds)
        print(f"{'':28} {drawn:5.1f} s of a core for the first picture", flush=True)
        page.close()


def main() -> None:
    """Measure a display with a rolling meter, then with a win."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--seconds", type=int, default=8, help="how long each size is measured")
    seconds = parser.parse_args().seconds
    if hasattr(os, "sched_setaffinity"):
        os.sched_setaffinity(0, {min(os.sched_getaffinity(0))})
    with (
        tempfile.TemporaryDirectory() as folder,
        desk_room(Path(folder) / "room") as room,
        sync_playwright() as playwright,
        serving(room) as address,
    ):
        chromium = program("chromium", "chromium-browser", "google-chrome")
        browser = playwright.chromium.launch(executable_path=chromium, args=["--no-sandbox", "--disable-gpu"])
        _displays(browser, address, "rolling meter", seconds)
        royal(room)
        _displays(browser, address, "jackpot pending", seconds)
        browser.close()


if __name__ == "__main__":
    main()
