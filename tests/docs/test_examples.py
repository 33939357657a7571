"""Every example in README, docs and examples runs and prints what is written there; every link leads somewhere.

`PITBOSS_RECORD=1` writes what is printed today into the files; CONTRIBUTING.md says when.
"""

from __future__ import annotations

import doctest
import json
import re
from pathlib import Path

import pytest

from tests.docs.console import PAGES, RECORD, ROOT, has_long_blocks, rerun, rerun_markdown, run_pitboss

# Both run the commands of the program: what one has compiled the other need not.
pytestmark = pytest.mark.xdist_group("commands")

ALL_MARKDOWN = sorted({*PAGES, *ROOT.glob("src/**/*.md"), *ROOT.glob("tests/**/*.md")})
EXAMPLES = ROOT / "examples"
ALLOWED_TO_OPEN = sorted(set(EXAMPLES.glob("*.toml")) - {EXAMPLES / "broken.toml"})

_PYTHON = re.compile(r"^```python\n(.*?)^```$", re.MULTILINE | re.DOTALL)
_CODE = re.compile(r"^```.*?^```$|`[^`\n]*`", re.MULTILINE | re.DOTALL)
_LINK = re.compile(r"\[[^\]]*\]\(([^)\s]+)\)")
_HEADING = re.compile(r"^#+ (.+)$", re.MULTILINE)


def name(path: Path) -> str:
    return path.relative_to(ROOT).as_posix()


def read(path: Path) -> str:
    return path.read_text(encoding="utf-8")


def agree(path: Path, today: str) -> None:
    """The file says what is printed today; where recording, it is made to."""
    if RECORD:
        path.write_text(today, encoding="utf-8")

    assert read(path) == today


@pytest.mark.parametrize("page", [page for page in PAGES if "```console\n" in read(page)], ids=name)
def test_console_blocks_print_what_the_page_says(page: Path) -> None:
    agree(page, rerun_markdown(read(page), whole=RECORD))


@pytest.mark.slow
@pytest.mark.parametrize("page", [page for page in PAGES if has_long_blocks(read(page))], ids=name)
def test_long_console_blocks_print_what_the_page_says(page: Path) -> None:
    agree(page, rerun_markdown(read(page)))


@pytest.mark.parametrize("page", [page for page in PAGES if "```python\n" in read(page)], ids=name)
def test_python_blocks_are_doctests_that_pass(page: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(ROOT)
    source = "\n".join(_PYTHON.findall(read(page)))
    examples = doctest.DocTestParser().get_doctest(source, {}, name(page), name(page), 0)
    told: list[str] = []
    doctest.DocTestRunner(verbose=False).run(examples, out=told.append)

    assert examples.examples, "a python block without >>> shows nothing"
    assert "".join(told) == ""


def test_the_session_prints_what_is_recorded() -> None:
    session = EXAMPLES / "session.console"
    agree(session, rerun(read(session)))


def test_the_round_records_settle_to_what_is_recorded() -> None:
    ran = run_pitboss(["settle", "--rounds", "examples/rounds.jsonl"])
    agree(EXAMPLES / "rounds.out.jsonl", ran.printed)

    assert ran.exit_code == 1
    refused = ['"error"' in line for line in ran.printed.splitlines()]
    assert len(refused) == len(read(EXAMPLES / "rounds.jsonl").splitlines())
    assert any(refused)
    assert not all(refused)


def test_the_round_records_are_of_every_game() -> None:
    listed = json.loads(run_pitboss(["games", "--json"]).printed)
    recorded = [json.loads(line)["game"] for line in read(EXAMPLES / "rounds.jsonl").splitlines()]

    assert {game["name"] for game in listed} == set(recorded)


@pytest.mark.parametrize("config", ALLOWED_TO_OPEN, ids=name)
def test_every_example_configuration_may_open(config: Path) -> None:
    ran = run_pitboss(["check", name(config)])

    assert ran.exit_code == 0, ran.printed
    assert "may open" in ran.printed


def test_the_broken_configuration_is_refused_with_every_problem_at_once() -> None:
    ran = run_pitboss(["check", "examples/broken.toml", "--json"])
    found = json.loads(ran.printed)["problems"]

    assert ran.exit_code == 1
    assert len(found) >= 12
    assert all(problem["line"] for problem in found)


def links_of(page: Path) -> list[str]:
    """The targets on this computer that a page links to, apart from those in code."""
    targets = _LINK.findall(_CODE.sub("", read(page)))
    return [target for target in targets if not re.match(r"[a-z]+:", target)]


def anchors_of(page: Path) -> set[str]:
    """The anchors of a page's headings, as GitHub makes them."""
    headings = _HEADING.findall(re.sub(r"^```.*?^```$", "", read(page), flags=re.MULTILINE | re.DOTALL))
    return {re.sub(r"[^\w\- ]", "", heading.lower()).replace(" ", "-") for heading in headings}


# The digest cites sections as [WAC-671](2), which is no link.
@pytest.mark.parametrize("page", [page for page in ALL_MARKDOWN if page.name != "REGULATION.md"], ids=name)
def test_every_link_leads_somewhere(page: Path) -> None:
    for target in links_of(page):
        file, _, anchor = target.partition("#")
        place = (page.parent / file).resolve() if file else page.resolve()

        assert place.exists(), f"{target} does not exist"
        if anchor:
            assert anchor in anchors_of(place), f"{target}: no such heading"


def test_every_page_of_the_docs_is_reached_from_the_index() -> None:
    index = ROOT / "docs" / "README.md"
    reached, to_read = {index.resolve()}, [index]
    while to_read:
        page = to_read.pop()
        for target in links_of(page):
            place = (page.parent / target.partition("#")[0]).resolve()
            if place.suffix == ".md" and place not in reached:
                reached.add(place)
                to_read.append(place)

    missed = {name(page) for page in ROOT.glob("docs/**/*.md") if page.resolve() not in reached}
    assert set() == missed


def test_every_game_has_a_page_and_an_example() -> None:
    games = {game["name"] for game in json.loads(run_pitboss(["games", "--json"]).printed)}

    assert games == {page.stem for page in ROOT.glob("docs/games/*.md")}
    assert games <= {config.stem for config in ALLOWED_TO_OPEN}
