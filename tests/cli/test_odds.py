"""`pitboss odds`, `switches` and `together`: figures as asked, what is kept on disk, and what a slip is told."""

from __future__ import annotations

import json
from fractions import Fraction
from pathlib import Path
from typing import Any

import pytest

from tests.cli.running import one_line, run


@pytest.fixture(autouse=True)
def kept(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """An empty store for each test; compiled loops stay where they are."""
    from pitboss.cli.odds import figures as odds_command  # noqa: PLC0415
    from pitboss.odds.store import OddsStore  # noqa: PLC0415

    monkeypatch.setattr(odds_command, "default_store", lambda: OddsStore(tmp_path / "kept"))
    return tmp_path / "kept"


def answer(command: str) -> Any:
    result = run(command)
    assert result.exit_code == 0, result.output
    return json.loads(result.stdout)


def refused(command: str) -> str:
    result = run(command)
    assert result.exit_code == 2, result.output
    return one_line(result.output)


def test_a_row_set_by_hand_changes_the_figure_by_its_probability() -> None:
    (plain,) = answer("odds three-card-prime prime --paytable PRW-1 --json")
    (changed,) = answer('odds three-card-prime prime --paytable PRW-1 --pays "Same Color Player Hand=2" --json')
    (row,) = (row for row in plain["events"] if row["event"] == "Same Color Player Hand")
    assert Fraction(plain["ev"]) - Fraction(changed["ev"]) == Fraction(row["count"], row["of"])


def test_a_table_from_a_file_is_priced_like_the_same_rows_typed(tmp_path: Path) -> None:
    file = tmp_path / "prime.toml"
    file.write_text('id = "PRW-1"\n[pays]\n"Same Color Player Hand" = "2"\n')
    typed = answer('odds three-card-prime prime --paytable PRW-1 --pays "Same Color Player Hand=2" --json')
    assert answer(f"odds three-card-prime prime --paytable {file} --json") == typed


@pytest.mark.parametrize(
    ("content", "says"),
    [
        ("id = ", "Invalid value"),
        ('id = "PRW-9"', "PRW-9"),
        ("", "None"),
        ('id = "PRW-1"\n[pays]\nNobody = "2"', "Nobody"),
        ('id = "PRW-1"\nmore = 1', "unknown keys more"),
        ('id = "PRW-1"\npays = 3', "must be objects"),
        ('id = "PRW-1"\n[pays]\n"Same Color Player Hand" = 2', "must be text"),
    ],
)
def test_a_bad_file_is_told_in_one_message(tmp_path: Path, content: str, says: str) -> None:
    file = tmp_path / "prime.toml"
    file.write_text(content)
    assert says in refused(f"odds three-card-prime prime --paytable {file}")


def test_a_file_that_is_not_there_is_named() -> None:
    assert "nowhere.toml: No such file" in refused("odds three-card-prime prime --paytable nowhere.toml")


@pytest.mark.parametrize(
    ("command", "says"),
    [
        ("odds", "name a GAME"),
        ("odds nothing", "nothing"),
        ("odds three-card-prime nothing", "has no wager 'nothing'"),
        ("odds three-card-prime prime --paytable PB-1", "'PB-1' is no pay table here"),
        ("odds three-card-prime prime --reading x", "must be NAME=VALUE"),
        ("odds three-card-prime prime --reading x=y", "no such switch"),
        ("odds three-card-prime prime --decks 6", "leave decks out"),
        ("odds super-three-card ante-odds-play --decks 7", "expected 6 or 8"),
        ("odds four-card-prime four-card-jackpot --seats 99", "1 to 9 seats"),
        ("odds four-card-prime four-card-jackpot --meter much", "much"),
        ("odds three-card-prime prime --paytable PRW-2", "leaves to the operator"),
        ("together three-card-prime", "no wager of Three Card Prime shares a decision"),
        ("together deuces-wild three-card-treasure", "shares no decision"),
        ("together deuces-wild --ratio -1", "--ratio '-1' must be a number"),
        ("together deuces-wild --ratio 1/0", "must be a number"),
        ("together three-card-double-play --reading pick3_basis=best", "shares no decision"),
        ("switches nothing", "nothing"),
    ],
)
def test_a_slip_is_told_in_one_message(command: str, says: str) -> None:
    assert says in refused(command)


def test_fcp_5_envy_is_told_by_seats_and_adds_for_each_other_hand() -> None:
    (result,) = answer("odds four-card-prime four-card-jackpot --paytable FCJ-1 --json")
    rows = {row["event"]: Fraction(row["count"], row["of"]) for row in result["events"]}
    # Appendix E prints $100, $10 and $5 of Envy in column 1.
    by_hand = 100 * rows["Four Aces"] + 10 * rows["Quads"] + 5 * rows["Straight Flush"]
    assert Fraction(result["envy_per_hand"]) == by_hand
    shown = run("odds four-card-prime four-card-jackpot --paytable FCJ-1 --seats 3").stdout
    assert str(-Fraction(result["ev"]) - 2 * by_hand) in shown


def test_g_6_rows_left_to_the_operator_count_as_zero_with_their_coefficient() -> None:
    (open_table,) = answer("odds four-card-prime five-card-jackpot --paytable PJ-5 --json")
    (printed,) = answer("odds four-card-prime five-card-jackpot --paytable PJ-3 --json")
    rows = {row["event"]: Fraction(row["count"], row["of"]) for row in printed["events"]}
    cells = {event: Fraction(share) for event, share in open_table["open_cells"].items()}
    assert Fraction(open_table["ev"]) == -1
    assert cells["Five-card Straight Flush"] == rows["Five-card Straight Flush"]
    # With the amounts of a printed column the coefficients give that column's figure.
    fixed = {
        "Five-card Straight Flush": 1000,
        "Four of a kind": 200,
        "Full House": 100,
        "Five-card Flush": 25,
        "Five-card Straight": 15,
        "Three of a kind": 10,
    }
    assert -1 + sum(cells[event] * amount for event, amount in fixed.items()) == Fraction(printed["ev"])


def test_results_are_kept_and_no_cache_computes_again(kept: Path) -> None:
    first = answer("odds four-card-prime aces-baby --paytable AB-6 --json")
    (file,) = (kept / "results").rglob("*.json")
    text = file.read_text()
    assert answer("odds four-card-prime aces-baby --paytable AB-6 --json") == first
    file.write_text("damaged")
    assert answer("odds four-card-prime aces-baby --paytable AB-6 --no-cache --json") == first
    assert file.read_text() == "damaged"
    assert answer("odds four-card-prime aces-baby --paytable AB-6 --json") == first
    assert file.read_text() == text


def test_every_switch_is_priced_and_the_misprint_of_tcp_4_is_dear() -> None:
    found = answer("switches three-card-prime --json")
    edges = {row["reading"]: Fraction(row["house_edge"]) for row in found if row["ruling"] == "TCP-4"}
    assert edges["as_printed"] < 0 < edges["flush_only"] < edges["loses"]
    assert {row["switch"] for row in found} == {"play_when_not_qualified", "bad_beat_flush_or_lower"}


def test_switches_say_where_a_reading_makes_no_difference() -> None:
    assert "no printed table makes a difference" in run("switches three-card-prime").stdout
    assert "no clause is disputed" in run("switches super-three-card").stdout


def test_fcp_5_the_envy_switch_is_priced_among_hands_that_do_not_wager() -> None:
    found = {row["reading"]: row for row in answer("switches four-card-prime --json")}
    alone, all_hands = Fraction(found["wagered"]["house_edge"]), Fraction(found["any_hand"]["house_edge"])
    assert alone - all_hands == 8 * Fraction(found["any_hand"]["result"]["envy_per_hand"])
    assert found["any_hand"]["seats"] == 9


def test_together_prints_what_the_ratio_brings() -> None:
    found = answer("together deuces-wild --paytable FCF-A --paytable APR-A --ratio 0 --ratio 5 --json")
    assert found["turning_ratio"] is None
    nothing, five = found["ratios"]
    (ante,) = answer("odds deuces-wild ante-play-raise --paytable APR-A --json")
    assert nothing["ev"] == ante["ev"]
    assert Fraction(five["ev"]) == Fraction(five["main_ev"]) + 5 * Fraction(five["side_ev"])
