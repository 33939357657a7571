"""Every displayed amount leads back to the seed, batches of contributions and entries (J-09, T-14)."""

from __future__ import annotations

from contextlib import closing
from pathlib import Path

from pitboss.books import ROOM, Movement, folding_of, read_book, read_payload
from pitboss.books.store.sqlite import BackupStore
from pitboss.jackpot import PROJECTIONS
from pitboss.jackpot.display_history import find_shown
from pitboss.jackpot.explain import explain_display
from tests.books.making import Room
from tests.cli.running import one_line, run, run_json
from tests.jackpot.making import audited
from tests.jackpot.sample import FILE, make_sample


def test_the_example_room_is_what_is_made_today(tmp_path: Path) -> None:
    made = Room(make_sample(tmp_path / "room").path, "sqlite")
    with closing(BackupStore(FILE)) as kept:
        assert made.entries() == list(kept.entries("room"))
    assert audited(made).is_sound


def test_t_14_after_every_entry_the_parts_sum_to_what_was_displayed() -> None:
    with closing(BackupStore(FILE)) as store:
        shown = dict.fromkeys(("main", "daily"), 0)
        for entry in store.entries("room"):
            value = read_payload(entry.kind, entry.payload)
            if isinstance(value, Movement):
                came = sum(each.units for each in value.transfers if each.payee == "displayed")
                left = sum(each.units for each in value.transfers if each.payer == "displayed")
                shown[value.jackpot] += came - left
                told = explain_display(store, "room", value.jackpot, entry.sequence)
                assert told.is_complete
                assert told.displayed_units == shown[value.jackpot]


def test_t_14_contributions_are_grouped_by_day_and_table_and_name_every_entry_once() -> None:
    with closing(BackupStore(FILE)) as store:
        calendar = read_book(store, folding_of(PROJECTIONS), "room").state.of(ROOM)
        told = explain_display(store, "room", "main", 99, calendar)
        daily = explain_display(store, "room", "daily", 191, calendar)
        counted = [
            (entry, read_payload(entry.kind, entry.payload))
            for entry in store.entries("room", 0, 99)
            if entry.kind == "wagers-counted" and '"main"' in entry.payload
        ]
    days = [(part.table, part.day, part.entries) for part in daily.parts if part.table]
    assert days == [("3", "2026-11-15", 30), ("3", "2026-11-16", 30)]
    batches = [part for part in told.parts if part.table]
    assert [(part.table, part.day) for part in batches] == [("1", "2026-11-15"), ("2", "2026-11-15")]
    assert sum(part.entries for part in batches) == len(counted)
    for part in batches:
        own = [value for entry, value in counted if entry.table == part.table]
        assert part.wagers == sum(len(value.details["seats"]) for value in own if isinstance(value, Movement))
        assert part.units == part.wagers * 17_3000


def test_an_amount_is_found_where_a_display_last_came_to_show_it() -> None:
    with closing(BackupStore(FILE)) as store:
        assert [each.jackpot for each in find_shown(store, "room", 250_00, 10**9)] == ["daily"]
        (shown,) = find_shown(store, "room", 1_000_00, 10**9)
        told = explain_display(store, "room", *shown)
    assert [part.what for part in told.parts] == ["opened with its seed"]


def test_the_command_explains_a_jackpot_an_amount_and_refuses_what_is_neither() -> None:
    told = run_json(f"explain {FILE} main --json")
    assert told["complete"]
    assert sum(part["units"] for part in told["parts"]) == told["displayed_units"]
    assert told["generation"] == 2
    assert "reseeded by the house" in run(f"explain {FILE} main").output
    assert "Final Four Jackpot, tables 1 and 2 shows $1,000.00 after entry 3 of book room" in one_line(
        run(f"explain {FILE} $1,000.00").output
    )
    for wrong, words in (("nothing", "nor a jackpot of book room"), ("$5.17", "No meter or prize of $5.17 was found")):
        result = run(f"explain {FILE} {wrong}")
        assert result.exit_code == 2
        assert words in one_line(result.output)


def test_the_command_lists_jackpots_with_meters_and_escrow() -> None:
    told = run_json(f"jackpots {FILE} --json")
    daily, main = told["jackpots"]
    assert told["warnings"] == []
    assert (main["name"], main["play"], main["displayed_cents"]) == ("main", "open", main["displayed_units"] // 10_000)
    assert main["escrow"]["held_units"] == sum(main[f"{each}_units"] for each in ("displayed", "reserve", "overflow"))
    assert "Bonus Jackpot prizes are paid by the casino" in daily["notices"][0]
    assert "escrow" not in daily
    assert "there is no book 'attic'" in one_line(run(f"jackpots {FILE} --book attic").output)


def test_the_books_commands_read_a_room_with_jackpots(tmp_path: Path) -> None:
    path = make_sample(tmp_path / "room").path
    assert run(f"audit {path}").exit_code == 0
    assert run(f"books rebuild {path} --check").exit_code == 0
    assert run(f"backup {path} {tmp_path / 'copy'}").exit_code == 0
    assert (
        run(f"restore {tmp_path / 'copy'} {tmp_path / 'new'} --person Dora --reason moved --no-head test").exit_code
        == 0
    )
    assert run(f"audit {tmp_path / 'new'}").exit_code == 0
    assert main_of(tmp_path / "new") == main_of(path)


def main_of(path: Path) -> dict[str, object]:
    (_, found) = run_json(f"jackpots {path} --json")["jackpots"]
    return {name: found[name] for name in ("displayed_units", "wagers", "play", "tables")}
