"""Every citation leads somewhere: clauses to the documents, rulings to RULINGS.md, and every ruling to a test."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from pitboss import law
from pitboss.games import all_games
from pitboss.rules import Game
from pitboss.rules.facts import codes

ROOT = Path(__file__).parents[2]


def folded(text: str) -> str:
    return re.sub(r"\s+", " ", text)


@pytest.mark.parametrize("game", all_games(), ids=lambda game: game.name)
def test_every_clause_quotes_its_document(game: Game) -> None:
    document = next(iter(game.clauses.values())).document
    text = folded((ROOT / "docs" / "rules" / f"{document}.txt").read_text(encoding="utf-8"))
    assert [] == [clause.id for clause in game.clauses.values() if folded(clause.quote) not in text]


def test_item_17_every_ruling_is_cited_by_the_source() -> None:
    """Item 17, D: where it refuses or, a convention, where it is carried out; there is no exception.

    What is only written down in RULINGS.md, in words for players or on a page is not carried out by it.
    """
    source = "\n".join(
        path.read_text(encoding="utf-8")
        for ending in ("*.py", "*.toml")
        for path in sorted((ROOT / "src").rglob(ending))
    )
    cited = set(re.findall(r"\b[A-Z]{1,3}-\d+\b", source))
    assert [] == [ruling for ruling in law.rulings() if ruling not in cited]


def test_every_ruling_that_the_source_cites_is_there() -> None:
    cited: dict[str, str] = {}
    for path in sorted((ROOT / "src").rglob("*.py")):
        found = re.findall(r"(?<![-\w])(?:G|TCP|DW|STC|FCP|TDP)-\d+\b", path.read_text(encoding="utf-8"))
        cited.update(dict.fromkeys(found, path.name))
    assert {} == {ruling: name for ruling, name in cited.items() if ruling not in law.rulings()}


def test_every_ruling_is_cited_by_a_test() -> None:
    tests = "\n".join(path.read_text(encoding="utf-8") for path in sorted((ROOT / "tests").rglob("test_*.py")))
    names = set(re.findall(r"\btest_([a-z]+_\d+)_", tests)) | set(re.findall(r"\b([A-Z]+-\d+)\b", tests))
    assert [] == [
        ruling for ruling in law.rulings() if ruling not in names and ruling.lower().replace("-", "_") not in names
    ]


@pytest.mark.parametrize("game", all_games(), ids=lambda game: game.name)
def test_every_ruling_cited_by_a_game_exists(game: Game) -> None:
    folder = ROOT / "src" / "pitboss" / "games" / game.name.replace("-", "_")
    text = "\n".join(path.read_text(encoding="utf-8") for path in folder.glob("*.py"))
    cited = set(re.findall(rf"(?<![-\w])(?:G|{game.code})-\d+\b", text))
    assert set() == cited - set(law.rulings())


def test_every_outcome_of_every_facts_code_says_why() -> None:
    """Also a check that the settlement stands on every code, as pricing will call it."""
    from tests.rules.tables import first_terms  # noqa: PLC0415

    for game in all_games():
        terms = first_terms(game)
        for wager in game.wagers:
            for code in codes(wager.bounds):
                outcome = wager.outcome_of_code(code, terms)
                assert outcome.reasons
                assert all(reason.words for reason in outcome.reasons)
                assert all(reason.ruling is None or reason.ruling in law.rulings() for reason in outcome.reasons)
