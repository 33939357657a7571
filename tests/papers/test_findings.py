"""Issue 19: `pitboss check` finds what is refused, what must be confirmed, and advice; each with its remedy."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest

from pitboss import law
from pitboss.papers.findings import findings_of, remedy
from pitboss.rules import Problem
from pitboss.table import read_configuration
from tests.docs.console import run_pitboss

ROOT = Path(__file__).parents[2]
BROKEN = (ROOT / "examples" / "broken.toml").read_text(encoding="utf-8")
PRIME = (ROOT / "examples" / "three-card-prime.toml").read_text(encoding="utf-8")


def test_issue_19_rules_that_are_recalled_or_not_found_are_those_of_the_document() -> None:
    rows = {}
    for line in (ROOT / "docs" / "REGULATION.md").read_text(encoding="utf-8").splitlines():
        match = re.match(r"\| ([A-Z]{1,2}-\d+) \|", line)
        status = line.rstrip(" |").rpartition("|")[2]
        if match and ("RECALLED" in status or "NOT FOUND" in status):
            rows[match[1]] = status
    assert set(law.unread()) == set(rows)
    for rule, status in rows.items():
        assert ("not found" in law.unread()[rule]) is ("NOT FOUND" in status), rule
        assert ("in part" in law.unread()[rule]) is any(word in status for word in ("SEEN", "SEED")), rule


def test_issue_19_every_problem_of_a_broken_file_has_its_line_and_what_fixes_it() -> None:
    findings = findings_of(read_configuration(BROKEN))
    refused = [finding for finding in findings if finding.level == "refused"]
    assert len(refused) == 21
    for finding in refused:
        assert finding.problem.line, finding
        assert finding.fix.endswith("."), finding
        assert not finding.fix.startswith("Change "), finding
    assert remedy(Problem("elsewhere", "odd")) == "Change elsewhere."
    assert remedy(Problem("bankroll", "unknown key; expected: game")) == "Remove the key, or correct its name."


def test_issue_19_what_rests_on_a_recalled_rule_says_so() -> None:
    by_path = {finding.problem.path: finding for finding in findings_of(read_configuration(BROKEN))}
    assert by_path["seats"].to_confirm == ("W-09 is recalled in part",)
    assert by_path["dealt"].to_confirm == ()
    assert by_path["wagers.ante-play.maximum"].to_confirm == ("the day or number is not seen in a document",)


def test_issue_19_a_file_is_checked_by_another_day_and_kind_of_room() -> None:
    eight = PRIME.replace("seats = 6", "seats = 8")
    assert [problem.path for problem in read_configuration(eight).problems] == ["seats"]
    assert not read_configuration(eight, profile="wa-tribal").problems
    assert [problem.path for problem in read_configuration(PRIME, profile="wa-mars").problems] == ["profile"]


@pytest.mark.parametrize(
    ("arguments", "code"),
    [
        ("examples/three-card-prime.toml", 0),
        ("examples/three-card-prime.toml --strict", 3),
        ("examples/broken.toml --strict", 1),
        ("examples/three-card-prime.toml --on 1999-01-01", 1),
        ("examples/three-card-prime.toml --on monday", 2),
    ],
)
def test_issue_19_exit_codes_of_check_are_for_scripts(arguments: str, code: int) -> None:
    assert run_pitboss(["check", *arguments.split()]).exit_code == code


def test_issue_19_check_as_json_has_levels_remedies_and_what_is_to_be_confirmed() -> None:
    ran = run_pitboss(["check", "examples/deuces-wild.toml", "--json", "--profile", "wa-tribal"])
    content = json.loads(ran.printed)
    assert content["problems"] == []
    levels = {finding["level"] for finding in (*content["notices"], *content["advice"])}
    assert levels == {"confirm", "advice"}
    [approvals] = [notice for notice in content["notices"] if notice["path"] == "approvals"]
    assert approvals["to_confirm"] == ["P-04 is not found in part"]
    assert approvals["fix"]
