"""The jackpot slip as a paper: on Letter and on a roll of 80 mm, the same bytes each time."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path

import pytest

from pitboss.cli.books.sources import open_store
from pitboss.jackpot.hits.history import read_history
from pitboss.paper.typesetting import SLIP_PAPERS, slip_pdf

ROOT = Path(__file__).parents[2]


@pytest.mark.parametrize("paper", SLIP_PAPERS)
def test_s_4_a_slip_is_typeset_for_each_paper_original_and_reprint(paper: str) -> None:
    with open_store(ROOT / "examples" / "hits.backup") as store:
        history = read_history(store.entries("room"))
    for copy in (0, 1):
        view = json.loads(json.dumps(history.slip(1, copy).view()))
        first, second = slip_pdf(view, paper), slip_pdf(view, paper)
        assert first.startswith(b"%PDF")
        assert first == second
        assert b"SourceSansPro" in first, "the face of the pages"
        assert b"Libertinus" not in first


def test_a_7_the_number_of_a_log_entry_is_written_as_on_the_pages() -> None:
    """A number that somebody looks up has no separators: entry 1202, and not 1,202."""
    with open_store(ROOT / "examples" / "hits.backup") as store:
        slip = read_history(store.entries("room")).slip(1, 0)
    assert dict(replace(slip, entry=1202).view()["hashes"])["Entry"] == "1202"


def test_the_hand_of_a_slip_is_written_in_full() -> None:
    """Seen: "Mini-Royal with SF", where the floor said Mini-Royal with Straight Flush."""
    with open_store(ROOT / "examples" / "hits.backup") as store:
        slip = read_history(store.entries("room")).slip(1, 0)
    assert dict(replace(slip, row="Mini-Royal with SF").view()["facts"])["Hand"] == "Mini-Royal with Straight Flush"
