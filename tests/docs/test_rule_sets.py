"""The pages of the rule sets list what `law` holds: written from its data, so that they cannot drift.

`PITBOSS_RECORD=1` writes what the data says today between the marks of each page.
"""

from __future__ import annotations

import re

import pytest

from pitboss import law
from pitboss.commands.description import day_words
from pitboss.law import Setting
from pitboss.law.papers import NEEDED, PAPER_TITLES, PARTS, SOURCES
from tests.docs.console import RECORD, ROOT

PAGES = {"wa-commercial": "commercial.md", "wa-tribal": "tribal.md"}
_MARKED = re.compile(r"(<!-- enforced -->\n)(.*?)(<!-- end -->)", re.DOTALL)
_UNCONFIRMED = re.compile(
    r"^\| (?P<id>[A-Z]+-\d+) \| (?P<rule>[^|]+) \|.*\| (?P<state>[^|]*(?:RECALLED|NOT FOUND)[^|]*) \|$"
)


def _value(setting: Setting) -> str:
    value = setting.value
    if "cents" in setting.name:
        return f"${value // 100:,}" + (f".{value % 100:02d}" if value % 100 else "")
    return f"{value:,}"


def _name(setting: Setting) -> str:
    return setting.name.replace("_cents", "").replace("_", " ")


def enforced(profile: str) -> str:
    """What Pitboss enforces in a kind of room, by the data of `law`; each with its day and its source."""
    lines = ["| what | value | since | source |", "|---|---|---|---|"]
    for setting in sorted(law.settings_of(profile), key=lambda setting: (setting.name, setting.since)):
        source = "; ".join(filter(None, (setting.source, setting.ruling)))
        until = "" if setting.until is None else f", on file until {day_words(setting.until)}"
        lines.append(f"| {_name(setting)} | {_value(setting)} | {day_words(setting.since)}{until} | {source} |")
    needed = (f"{PAPER_TITLES[paper]} is on record before a table opens" for paper in NEEDED[profile])
    lines += [f"| {text} | yes | always | {SOURCES[profile]} |" for text in needed]
    makers = ", ".join(PARTS)
    lines.append(
        f"| makers of {makers} with their licenses | a notice while one is missing | always | {SOURCES[profile]} |"
    )
    return "\n".join(lines) + "\n"


@pytest.mark.parametrize("profile", law.PROFILES)
def test_the_page_of_a_rule_set_lists_everything_that_is_enforced_with_its_source(profile: str) -> None:
    page = ROOT / "docs" / "rule-sets" / PAGES[profile]
    text = page.read_text(encoding="utf-8")
    expected = _MARKED.sub(lambda found: f"{found[1]}{enforced(profile)}{found[3]}", text)
    if RECORD:
        page.write_text(expected, encoding="utf-8")
    assert text == expected or RECORD
    assert "| options max | 4 |" in expected


@pytest.mark.parametrize("profile", law.PROFILES)
def test_what_is_recalled_or_not_found_is_named_as_to_be_confirmed(profile: str) -> None:
    text = (ROOT / "docs" / "rule-sets" / PAGES[profile]).read_text(encoding="utf-8")
    rules = (ROOT / "docs" / "REGULATION.md").read_text(encoding="utf-8").splitlines()
    unconfirmed = [found["id"] for line in rules if (found := _UNCONFIRMED.match(line))]
    assert len(unconfirmed) >= 10
    # Tests of random numbers and sample data bind no room; the list that `check` has and the document agree.
    assert set(unconfirmed) == law.unread().keys()
    told = text.partition("## To be confirmed")[2]
    missing = [
        rule for rule in unconfirmed if rule[0] != "R" and rule != "F-18" and not re.search(rf"\b{rule}\b", told)
    ]
    assert missing == []
