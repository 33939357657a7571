"""The documentation site: it builds strictly and offline, every link leads somewhere, every exported name is on it."""

from __future__ import annotations

import importlib
import re
import subprocess
import sys
from html.parser import HTMLParser
from pathlib import Path
from urllib.parse import unquote, urlsplit

import pytest
from tools import site

from pitboss.room.commands import BY_NAME
from tests.docs.console import ROOT
from tests.house.test_house_rules import ORDER

NOT_FOR_PROGRAMS = {"installation", "paper", "papers", "learn", "server", "company", "demo", "operations", "cli"}
"""Papers, pages and verbs of the terminal: nothing is built on them in Python."""


class SitePage(HTMLParser):
    """The anchors of a page, what it links to, and what a browser loads with it."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.anchors: set[str] = set()
        self.links: set[str] = set()
        self.loaded: set[str] = set()
        self.feed(text)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        values = {name: value for name, value in attrs if value is not None}
        self.anchors |= {values[name] for name in ("id", "name") if name in values}
        if tag == "a":
            self.links |= {values["href"]} if "href" in values else set()
        else:
            self.loaded |= {values[name] for name in ("src", "href", "data", "srcset") if name in values}


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    out = tmp_path_factory.mktemp("site")
    arguments = [sys.executable, "-m", "mkdocs", "build", "--strict", "--quiet", "--site-dir", str(out)]
    built = subprocess.run(arguments, cwd=ROOT, capture_output=True, text=True, check=False)  # noqa: S603 - our own site
    assert built.returncode == 0, built.stdout + built.stderr
    return out


@pytest.fixture(scope="module")
def pages(folder: Path) -> dict[str, SitePage]:
    return {
        path.relative_to(folder).as_posix(): SitePage(path.read_text(encoding="utf-8"))
        for path in folder.rglob("*.html")
    }


def is_elsewhere(target: str) -> bool:
    return bool(urlsplit(target).scheme or urlsplit(target).netloc)


def test_every_link_of_the_site_leads_somewhere(folder: Path, pages: dict[str, SitePage]) -> None:
    broken = []
    for name, page in pages.items():
        for target in page.links | page.loaded:
            if is_elsewhere(target):
                continue
            path, anchor = unquote(urlsplit(target).path), unquote(urlsplit(target).fragment)
            base = folder if path.startswith("/") else (folder / name).parent
            place = (base / path.lstrip("/")).resolve() if path else folder / name
            there = pages.get(place.relative_to(folder.resolve()).as_posix()) if place.is_file() else None
            if not place.exists() or (anchor and there is not None and anchor not in there.anchors):
                broken.append(f"{name}: {target}")

    assert [] == sorted(broken)
    assert len(pages) > 40


def test_a_browser_loads_nothing_from_elsewhere(folder: Path, pages: dict[str, SitePage]) -> None:
    loaded = {f"{name}: {target}" for name, page in pages.items() for target in page.loaded if is_elsewhere(target)}
    styles = {
        path.name
        for path in folder.rglob("*.css")
        if re.search(r"(url\(|@import)\s*[\"']?(https?:)?//", path.read_text(encoding="utf-8"))
    }

    assert set() == loaded | styles


def test_every_package_for_programs_is_on_the_site() -> None:
    assert [name for name in ORDER if name not in NOT_FOR_PROGRAMS] == list(site.PACKAGES)


@pytest.mark.parametrize("package", site.PACKAGES)
def test_the_site_lists_what_a_package_exports(package: str) -> None:
    door = importlib.import_module(f"pitboss.{package}")

    assert set(site.exported(f"pitboss.{package}")) == set(getattr(door, "__all__", ()))


@pytest.mark.parametrize("package", site.PACKAGES)
def test_every_exported_name_is_on_the_page_of_its_package(package: str, pages: dict[str, SitePage]) -> None:
    door = importlib.import_module(f"pitboss.{package}")
    exported = set(getattr(door, "__all__", ()))
    page = pages[f"api/{package}.html"]

    assert set() == {f"pitboss.{package}.{name}" for name in exported} - page.anchors
    assert any(anchor.startswith(f"pitboss.{package}.") for anchor in page.anchors)


def command_classes() -> dict[str, str]:
    return {name: f"{cls.__module__}.{cls.__qualname__}" for name, cls in BY_NAME.items()}


def test_the_site_lists_every_command_of_a_room() -> None:
    listed, classes = site.commands(), command_classes()

    assert classes == {name: listed[name] for name in classes}


def test_every_command_of_a_room_is_on_the_site(pages: dict[str, SitePage]) -> None:
    classes = command_classes()

    assert set() == set(classes.values()) - pages["api/room-commands.html"].anchors


def test_every_page_of_the_docs_is_on_the_site(pages: dict[str, SitePage]) -> None:
    sources = [path.relative_to(ROOT / "docs") for path in (ROOT / "docs").rglob("*.md")]
    places = {("index.html" if path.name == "README.md" else path.with_suffix(".html").as_posix()) for path in sources}

    assert set() == places - pages.keys()
