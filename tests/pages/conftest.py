"""A browser for the pages; where tests must all run, a missing one is a failure."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from playwright.sync_api import Browser, expect, sync_playwright

from tests.programs import program

# A machine that is busy is slow and not wrong.
expect.set_options(timeout=30_000)
_QUIET = (
    "--no-sandbox",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
    "--no-first-run",
)


# Of a module, not of the session: while it is open, no other test of the same process can run an event loop.
@pytest.fixture(scope="module")
def browser() -> Iterator[Browser]:
    chromium = program("chromium", "chromium-browser", "google-chrome")
    with sync_playwright() as playwright:
        opened = playwright.chromium.launch(executable_path=chromium, args=list(_QUIET))
        yield opened
        opened.close()
