"""From a prize back to seed, contributions, cards, clauses, rulings, entries and people; and the commands that show it."""

from __future__ import annotations

import json
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import pytest

from pitboss import law
from pitboss.books import Directory, Entry, RefusedError
from pitboss.jackpot.hit_explain import Explanation, explain_hit, explain_meter
from pitboss.meters import units_of
from tests.books.making import BOOK
from tests.docs.console import run_pitboss
from tests.jackpot.hit_making import FLUSH, HANDS, MANAGER, QUADS, ROYAL, STRAIGHT_FLUSH, Floor, floor


@pytest.fixture
def at(tmp_path: Path) -> Iterator[Floor]:
    with floor(tmp_path / "room") as found:
        yield found
        found.check()


def entries(at: Floor) -> list[Entry]:
    with closing(Directory(at.path).open_store(write=False)) as store:
        return list(store.entries(BOOK))


def explained(at: Floor, hit: int) -> Explanation:
    return explain_hit(lambda: entries(at), hit)


def test_t_14_the_prize_is_the_seed_and_every_batch_since(at: Floor) -> None:
    for _ in range(4):
        at.press("4", [1, 2])
        at.press("5", [1])
    hit = at.call((1, ROYAL), table="5")
    at.whole(hit)
    meter = explained(at, hit).meter

    assert "jackpot-opened" == meter.began_with
    assert units_of(10_000_00) == meter.began_units
    (batch,) = meter.batches
    assert (8, 12, 12 * 173_000) == (batch.entries, batch.wagers, batch.units)
    assert meter.cents == explained(at, hit).hit.meter_cents == at.balance("paid")


def test_t_14_after_a_top_hit_the_story_begins_with_the_reseed(at: Floor) -> None:
    at.press()
    first = at.call((1, ROYAL))
    at.press("5", [1, 2])
    at.call((1, STRAIGHT_FLUSH), table="5")
    at.press("5", [1, 2])
    second = at.call((2, ROYAL), table="5")
    meter = explained(at, second).meter

    assert (first, "prize-called") == (meter.began_at, meter.began_with)
    assert ["wagers-counted", "prize-called", "wagers-counted"] == [batch.kind for batch in meter.batches]
    assert meter.cents == explained(at, second).hit.meter_cents


def test_t_14_a_late_prize_is_of_the_meter_at_the_press_after_its_round(at: Floor) -> None:
    at.press(seats=[1])
    at.press(seats=[1, 2, 3])
    hit = at.call((1, ROYAL), round_number=1, words="late")
    found = explained(at, hit)

    assert 10_000_17 == found.hit.meter_cents == found.meter.cents
    assert [1] == [batch.wagers for batch in found.meter.batches]


def test_a_prize_is_explained_by_cards_row_clause_and_ruling(at: Floor) -> None:
    at.press()
    hit = at.call((1, ROYAL))
    at.whole(hit)
    found = explained(at, hit)

    assert {"1": HANDS[ROYAL]} == found.cards
    assert ("five-card-jackpot", "PJ-1") == (found.wager, found.paytable)
    clauses = [(clause, ruling) for clause, ruling, _ in found.because[1]]
    assert ("FCP Appendix D", "G-4") in clauses
    assert all(ruling is None or ruling in law.rulings() for _, ruling in clauses)
    assert any("100% of the meter displayed at $10,000.86" in words for _, _, words in found.because[1])


def test_the_entries_of_a_hit_name_people_times_and_hashes(at: Floor) -> None:
    at.press()
    hit = at.call((1, ROYAL))
    at.press("5")
    at.whole(hit)
    told = explained(at, hit).entries
    journal = {entry.sequence: entry for entry in entries(at)}

    assert [
        ("prize-called", "Dan", "dealer"),
        ("hit-verified", "Sue", "supervisor"),
        ("hit-surveilled", "Vic", "surveillance"),
        ("hit-documented", "Cas", "cashier"),
        ("prize-paid", "Max", "manager"),
        ("hit-closed", "Sam", "supervisor"),
    ] == [(each.kind, each.person, each.role) for each in told]
    assert all(journal[each.sequence].digest.hex() == each.head for each in told)
    assert [each.sequence for each in told] == sorted(each.sequence for each in told)


def test_a_displayed_amount_is_explained(at: Floor) -> None:
    at.press()
    at.reject(at.call((1, ROYAL)))
    at.press("5")
    story = explain_meter(entries(at), "main")

    assert at.jackpots.meter("main").displayed_units == story.units
    assert ["prize-rejected", "wagers-counted"] == [batch.kind for batch in story.batches]
    with pytest.raises(RefusedError, match="no jackpot 'other'"):
        explain_meter(entries(at), "other")


def test_a_corrected_hit_keeps_every_entry_and_reason(at: Floor) -> None:
    at.press()
    hit = at.call((1, QUADS))
    at.correct(hit, (1, STRAIGHT_FLUSH), words="the dealer misread it")
    at.verify(hit, MANAGER)
    found = explained(at, hit)

    assert ["prize-called", "prize-rejected", "prize-called", "hit-verified"] == [each.kind for each in found.entries]
    assert ["", "the dealer misread it", "the dealer misread it", ""] == [each.words for each in found.entries]
    assert 1_000_08 == found.hit.cents


@pytest.fixture
def shown(tmp_path: Path) -> Path:
    """A room with a paid hit, an open one and small prizes, closed."""
    with floor(tmp_path / "room") as at:
        at.press()
        at.small(2, FLUSH)
        at.whole(at.call((1, ROYAL)))
        at.press()
        at.call((3, QUADS), (4, STRAIGHT_FLUSH))
    return tmp_path / "room"


def test_pitboss_hits_lists_every_hit(shown: Path) -> None:
    ran = run_pitboss(["hits", str(shown)])
    assert 0 == ran.exit_code, ran.printed
    for part in ("closed", "called", "$10,000.86", "4: Five-card Straight Flush", "1 small prizes", "$25.00 in all"):
        assert part in ran.printed
    assert "closed" not in run_pitboss(["hits", str(shown), "--open"]).printed
    said = json.loads(run_pitboss(["hits", str(shown), "--json"]).printed)
    assert ["closed", "called"] == [hit["state"] for hit in said["hits"]]
    assert {"main": {"count": 1, "cents": 2500}} == said["small_prizes"]


def test_pitboss_explain_shows_a_hit_or_a_display(shown: Path) -> None:
    listed = json.loads(run_pitboss(["hits", str(shown), "--json"]).printed)["hits"]
    number = str(listed[0]["hit"])
    ran = run_pitboss(["explain", str(shown), number])
    assert 0 == ran.exit_code, ran.printed
    for part in (HANDS[ROYAL], "FCP Appendix D; G-4", "slip 1, winner Winner 1", "paid by cheque", "jackpot-opened"):
        assert part in ran.printed
    said = json.loads(run_pitboss(["explain", str(shown), number, "--json"]).printed)
    assert said["meter"]["cents"] == said["meter_cents"] == said["prizes"][0]["cents"]
    assert run_pitboss(["explain", str(shown), str(listed[1]["hit"])]).exit_code == 0
    display = run_pitboss(["explain", str(shown), "--jackpot", "main"])
    assert "main displays" in display.printed
    assert json.loads(run_pitboss(["explain", str(shown), "--jackpot", "main", "--json"]).printed)["jackpot"] == "main"


@pytest.mark.parametrize("arguments", [[], ["9999"], ["9", "--jackpot", "main"], ["--jackpot", "other"]])
def test_pitboss_explain_refuses_what_is_not_there(shown: Path, arguments: list[str]) -> None:
    ran = run_pitboss(["explain", str(shown), *arguments])
    assert 2 == ran.exit_code
    assert "•" in ran.printed


def test_pitboss_slip_prints_a_slip(shown: Path) -> None:
    assert "JACKPOT SLIP 000001" in run_pitboss(["slip", str(shown), "1"]).printed
    assert 1 == json.loads(run_pitboss(["slip", str(shown), "1", "--json"]).printed)["number"]
    assert 2 == run_pitboss(["slip", str(shown), "2"]).exit_code
