"""A browser for the pages; where tests must all run, a missing one is a failure."""

from __future__ import annotations

import os
import shutil
from collections.abc import Iterator

import pytest
from playwright.sync_api import Browser, expect, sync_playwright

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
    found = shutil.which("chromium") or shutil.which("chromium-browser") or shutil.which("google-chrome")
    if found is None:
        if os.environ.get("CI"):
            pytest.fail("there is no chromium: `make system` installs it")
        pytest.skip("there is no chromium: `make system` installs it")
    with sync_playwright() as playwright:
        opened = playwright.chromium.launch(executable_path=found, args=list(_QUIET))
        yield opened
        opened.close()
