"""From a prize back to seed, contributions, cards, clauses, rulings, entries and people; and the commands that show it."""

from __future__ import annotations

import json
from contextlib import closing
from pathlib import Path

import pytest

from pitboss import law
from pitboss.books import Directory, Entry
from pitboss.books.audit import check_books
from pitboss.books.store.sqlite import BackupStore
from pitboss.jackpot import INVARIANTS, PROJECTIONS
from pitboss.jackpot.explain import HitExplanation, explain_hit
from pitboss.meters import cents_shown, units_of
from tests.books.making import BOOK
from tests.docs.console import run_pitboss
from tests.jackpot.hit_making import FLUSH, HANDS, MANAGER, QUADS, ROYAL, STRAIGHT_FLUSH, Floor, floor
from tests.jackpot.hit_sample import FILE, make_sample


def entries(at: Floor) -> list[Entry]:
    with closing(Directory(at.path).open_store(write=False)) as store:
        return list(store.entries(BOOK))


def explained(at: Floor, hit: int) -> HitExplanation:
    with closing(Directory(at.path).open_store(write=False)) as store:
        found = explain_hit(store, BOOK, hit)
    assert found.meter.is_complete
    assert found.hit.meter_cents == cents_shown(found.meter.displayed_units)
    return found


def test_t_14_the_prize_is_the_seed_and_every_batch_since(at: Floor) -> None:
    for _ in range(4):
        at.press("4", [1, 2])
        at.press("5", [1])
    hit = at.call((1, ROYAL), table="5")
    at.whole(hit)
    meter = explained(at, hit).meter

    assert [("4", 8, 4), ("5", 4, 4)] == [(part.table, part.wagers, part.entries) for part in meter.parts if part.table]
    assert units_of(10_000_00) + 12 * 173_000 == sum(part.units for part in meter.parts)
    assert units_of(10_000_00) == meter.parts[0].units
    assert explained(at, hit).hit.meter_cents == at.balance("paid")


def test_t_14_after_a_top_hit_the_story_begins_with_the_reseed(at: Floor) -> None:
    at.press()
    first = at.call((1, ROYAL))
    at.press("5", [1, 2])
    at.call((1, STRAIGHT_FLUSH), table="5")
    at.press("5", [1, 2])
    second = at.call((2, ROYAL), table="5")
    meter = explained(at, second).meter

    assert first == meter.parts[0].first
    assert units_of(5_000_00) in [part.units for part in meter.parts]
    assert [2, 2] == [part.wagers for part in meter.parts if part.table]
    assert -units_of(500_03) in [part.units for part in meter.parts], "10 % of $5,000.34"


def test_t_14_a_late_prize_is_of_the_meter_at_the_press_after_its_round(at: Floor) -> None:
    at.press(seats=[1])
    at.press(seats=[1, 2, 3])
    hit = at.call((1, ROYAL), round_number=1, words="late")
    found = explained(at, hit)

    assert 10_000_17 == found.hit.meter_cents
    assert [1] == [part.wagers for part in found.meter.parts if part.table]


def test_g_36_a_late_prize_after_another_call_is_of_the_meter_at_the_press(at: Floor) -> None:
    at.press(seats=[1])
    at.press("5", [1])
    at.press(seats=[1])
    at.call((1, ROYAL), table="5")
    found = explained(at, at.call((1, ROYAL), round_number=1, words="late"))

    assert found.meter.parts[0].what == "opened with its seed"
    assert 10_000_34 == found.hit.meter_cents


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
        ("hit-documented", "Cas", "accounting"),
        ("prize-paid", "Max", "manager"),
        ("hit-closed", "Sam", "supervisor"),
    ] == [(each.kind, each.person, each.role) for each in told]
    assert all(journal[each.sequence].digest.hex() == each.head for each in told)
    assert [each.sequence for each in told] == sorted(each.sequence for each in told)


def test_a_corrected_hit_keeps_every_entry_and_reason(at: Floor) -> None:
    at.press()
    hit = at.call((1, QUADS))
    at.correct(hit, (1, STRAIGHT_FLUSH), words="the dealer misread it")
    at.verify(hit, MANAGER)
    found = explained(at, hit)

    assert ["prize-called", "prize-rejected", "prize-called", "hit-verified"] == [each.kind for each in found.entries]
    assert ["", "the dealer misread it", "the dealer misread it", ""] == [each.words for each in found.entries]
    assert 1_000_08 == found.hit.cents


def test_the_example_room_is_what_is_made_today(quick_path: Path) -> None:
    directory = make_sample(quick_path / "room")
    with closing(BackupStore(FILE)) as kept, closing(directory.open_store(write=False)) as made:
        assert list(made.entries(BOOK)) == list(kept.entries(BOOK))
    assert check_books(directory, projections=PROJECTIONS, invariants=INVARIANTS).is_sound


@pytest.fixture
def shown(quick_path: Path) -> Path:
    """A room with a paid hit, an open one and small prizes, closed."""
    with floor(quick_path / "room") as at:
        at.press()
        at.small(2, FLUSH)
        at.whole(at.call((1, ROYAL)))
        at.press()
        at.call((3, QUADS), (4, STRAIGHT_FLUSH))
    return quick_path / "room"


def test_pitboss_hits_lists_every_hit(shown: Path) -> None:
    ran = run_pitboss(["hits", str(shown)])
    assert 0 == ran.exit_code, ran.printed
    for part in (
        "Closed",
        "Reported",
        "$10,000.86",
        "4: Five-card Straight Flush",
        "1 small and Envy prizes",
        "$25.00 in all",
    ):
        assert part in ran.printed
    assert "Closed" not in run_pitboss(["hits", str(shown), "--open"]).printed
    said = json.loads(run_pitboss(["hits", str(shown), "--json"]).printed)
    assert ["closed", "called"] == [hit["state"] for hit in said["hits"]]
    assert {"main": {"count": 1, "cents": 2500}} == said["small_prizes"]


def test_pitboss_explain_shows_a_hit_or_a_display(shown: Path) -> None:
    listed = json.loads(run_pitboss(["hits", str(shown), "--json"]).printed)["hits"]
    number = str(listed[0]["hit"])
    ran = run_pitboss(["explain", str(shown), f"hit-{number}"])
    assert 0 == ran.exit_code, ran.printed
    for part in (
        HANDS[ROYAL],
        "FCP Appendix D; G-4",
        "Slip 1, winner Winner 1",
        "Paid by check",
        "opened with its seed",
    ):
        assert part in ran.printed
    said = json.loads(run_pitboss(["explain", str(shown), f"hit-{number}", "--json"]).printed)
    assert said["meter_cents"] == said["prizes"][0]["cents"] == said["meter"]["displayed_units"] // 10_000
    assert run_pitboss(["explain", str(shown), f"hit-{listed[1]['hit']}"]).exit_code == 0


@pytest.mark.parametrize("what", ["hit-9999", "hit-", "hit-x"])
def test_pitboss_explain_refuses_a_hit_that_is_not_there(shown: Path, what: str) -> None:
    ran = run_pitboss(["explain", str(shown), what])
    assert 2 == ran.exit_code
    assert what.removeprefix("hit-") in ran.printed


def test_pitboss_slip_prints_a_slip(shown: Path) -> None:
    assert "JACKPOT SLIP 000001" in run_pitboss(["slip", str(shown), "1"]).printed
    assert 1 == json.loads(run_pitboss(["slip", str(shown), "1", "--json"]).printed)["number"]
    assert 2 == run_pitboss(["slip", str(shown), "2"]).exit_code
