"""`pitboss par` and `pitboss par verify` as typed."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from tests.cli.running import one_line, run
from tests.odds.sheets import changed

PRIME = "par three-card-prime prime --paytable PRW-1"


@pytest.fixture(autouse=True)
def kept(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """An empty store for each test; compiled loops stay where they are."""
    from pitboss.cli.odds import figures as odds_command  # noqa: PLC0415
    from pitboss.odds.store import OddsStore  # noqa: PLC0415

    monkeypatch.setattr(odds_command, "default_store", lambda: OddsStore(tmp_path / "kept"))
    return tmp_path / "kept"


def sheet(command: str) -> Any:
    result = run(f"{command} --json")
    assert result.exit_code == 0, result.output
    return json.loads(result.stdout)


def refused(command: str, code: int = 2) -> str:
    result = run(command)
    assert result.exit_code == code, result.output
    assert "Traceback" not in result.output
    return one_line(result.output)


def written(file: Path, content: Any) -> Path:
    file.write_text(content if isinstance(content, str) else json.dumps(content), encoding="utf-8")
    return file


def test_a_sheet_is_written_as_pdf_and_json_and_verifies(tmp_path: Path) -> None:
    pdf, as_json = tmp_path / "sheet.pdf", tmp_path / "sheet.json"
    result = run(f"{PRIME} -o {pdf} -o {as_json}")
    verified = run(f"par verify {as_json}")

    assert result.exit_code == 0, result.output
    digest = json.loads(as_json.read_text(encoding="utf-8"))["digest"]
    assert one_line(result.stdout).count(digest) == 2
    assert pdf.read_bytes().startswith(b"%PDF-")
    assert verified.exit_code == 0, verified.output
    assert "verified, " in one_line(verified.output)
    assert " figures" in verified.output


def test_the_same_command_writes_the_same_bytes_from_the_store_and_without_it(tmp_path: Path) -> None:
    files = [tmp_path / f"{name}{ending}" for name in ("one", "two", "three") for ending in (".pdf", ".json")]
    for place, option in ((0, ""), (2, ""), (4, "--no-cache")):
        assert run(f"{PRIME} {option} -o {files[place]} -o {files[place + 1]}").exit_code == 0

    assert files[0].read_bytes() == files[2].read_bytes() == files[4].read_bytes()
    assert files[1].read_bytes() == files[3].read_bytes() == files[5].read_bytes()


def test_a_changed_figure_is_named_and_ends_with_1(tmp_path: Path) -> None:
    content = sheet(PRIME)
    file = written(tmp_path / "sheet.json", changed(content, ("wagers", 0, "events", 1, "count"), 7))
    words = refused(f"par verify {file}", code=1)

    assert "differs at wagers[0].events[1].count" in words
    assert "the sheet says 7" in words
    assert "derived again 86595600" in words
    told = run(f"par verify {file} --json")
    assert told.exit_code == 1
    assert json.loads(told.stdout)["difference"] == {
        "path": "wagers[0].events[1].count",
        "sheet": 7,
        "derived": 86_595_600,
    }


def test_a_sheet_made_by_other_code_verifies_and_says_so(tmp_path: Path) -> None:
    from pitboss.odds.par import read_sheet  # noqa: PLC0415

    content = changed(sheet(PRIME), ("identification", "code_version"), "0" * 24)
    other, _ = read_sheet(content)
    result = run(f"par verify {written(tmp_path / 'sheet.json', other.as_json())}")

    assert result.exit_code == 0, result.output
    assert f"made by code {'0' * 24}, verified by code" in one_line(result.output)


def test_all_that_is_wrong_with_a_file_is_told_in_one_message(tmp_path: Path) -> None:
    content = sheet(PRIME)
    content = changed(content, ("wagers", 0, "ev"), 0.5)
    del content["rules"]
    content["note"] = "mine"
    words = refused(f"par verify {written(tmp_path / 'sheet.json', content)}")

    assert "cannot be verified" in words
    assert "wagers[0].ev: 0.5 must be a fraction" in words
    assert "rules: is missing" in words
    assert "note: unknown key" in words


@pytest.mark.parametrize(
    ("content", "says"),
    [
        ("", "not JSON"),
        ("[]", "must be an object"),
        ('{"a": 1, "a": 2}', "a key stands twice: a"),
        ("\ud800", "cannot read"),
    ],
)
def test_a_file_that_is_no_sheet_is_refused(tmp_path: Path, content: str, says: str) -> None:
    file = tmp_path / "sheet.json"
    file.write_bytes(content.encode("utf-8", "surrogatepass"))

    assert says in refused(f"par verify {file}")


def test_verify_takes_one_file_that_is_there(tmp_path: Path) -> None:
    assert "takes one sheet.json" in refused("par verify")
    assert "takes one sheet.json" in refused("par verify a.json b.json")
    assert "cannot read" in refused(f"par verify {tmp_path / 'none.json'}")


def test_wagers_without_a_table_typed_stand_under_their_first() -> None:
    content = sheet("par three-card-prime prime pair-bonus --paytable PB/LD-3")

    assert [wager["paytables"] for wager in content["wagers"]] == [["PRW-1"], ["PB-1", "PB/LD-3"]]


def test_a_row_set_by_hand_and_a_table_from_a_file_are_on_the_sheet(tmp_path: Path) -> None:
    file = written(tmp_path / "prime.toml", 'id = "PRW-1"\n[pays]\n"Same Color Player Hand" = "2"\n')
    from_file = sheet(f"par three-card-prime prime --paytable {file}")
    typed = sheet('par three-card-prime prime --paytable PRW-1 --pays "PRW-1:Same Color Player Hand=2"')

    assert from_file == typed
    assert typed["inputs"]["paytables"]["prime"] == [
        {"id": "PRW-1", "pays": {"Same Color Player Hand": "2"}, "envy": {}}
    ]
    (row,) = (row for row in typed["paytables"][0]["rows"] if row["printed"] == "3")
    assert (row["pays"], row["note"]) == ("2 to 1", "set by the operator")


def test_meters_typed_are_on_the_sheet_and_the_first_counts_in_sessions() -> None:
    content = sheet("par three-card-prime final-four --meter 12,345.67 --meter final-four=250000")
    (wager,) = content["wagers"]

    assert content["inputs"]["meters_cents"] == {"final-four": [1_234_567, 25_000_000]}
    assert {1_234_567, 25_000_000} <= {each["meter_cents"] for each in wager["jackpot"]["meters"]}
    assert {each["meter_cents"] for each in wager["sessions"]} == {1_230_000}


def test_the_second_of_two_jackpots_takes_its_own_table_and_amount() -> None:
    content = sheet(
        "par super-three-card twenty-one-plus-three twenty-one-plus-three-b --decks 8 --paytable PT-BJS-213-02 "
        "--paytable twenty-one-plus-three-b=PT-BJS-213-03 --jackpot-wager twenty-one-plus-three-b=5"
    )

    assert [wager["paytables"] for wager in content["wagers"]] == [["PT-BJS-213-02"], ["PT-BJS-213-03"]]
    assert [wager["jackpot"]["wager_cents"] for wager in content["wagers"]] == [100, 500]
    assert content["inputs"]["decks"] == 8


def test_a_configuration_gives_its_tables_meters_and_hash(tmp_path: Path) -> None:
    text = (
        'game = "super-three-card"\non = 2026-11-15\ndecks = 8\nequipment = "andromeda-3d"\n'
        '[wagers.ante-odds-play]\npaytables = ["PT-FLT-STC-01"]\nminimum = "5.00"\nmaximum = "100.00"\n'
        '[wagers.big-hand-bonus]\npaytables = ["PT-FLT-STC-BH-03"]\nminimum = "1.00"\nmaximum = "25.00"\n'
        '[jackpots]\ntype = "progressive"\n'
        '[jackpots.twenty-one-plus-three]\npaytables = ["PT-BJS-213-02"]\nmeter = "11000.00"\n'
    )
    file = written(tmp_path / "table.toml", text)
    content = sheet(f"par super-three-card big-hand-bonus twenty-one-plus-three --config {file}")
    checked = json.loads(run(f"check {file} --json").stdout)

    assert content["identification"]["configuration_hash"] == checked["hash"]
    assert content["inputs"]["meters_cents"] == {"twenty-one-plus-three": [1_100_000]}
    assert [wager["paytables"] for wager in content["wagers"]] == [["PT-FLT-STC-BH-03"], ["PT-BJS-213-02"]]
    saved = written(tmp_path / "sheet.json", content)
    assert run(f"par verify {saved}").exit_code == 0
    assert "--config states the terms: leave out --paytable, --decks" in refused(
        f"par --config {file} --paytable PT-FLT-STC-02 --decks 6 --json"
    )
    assert "is of super-three-card, not of deuces-wild" in refused(f"par deuces-wild --config {file} --json")
    assert "no pay table is stated for twenty-one-plus-three-b" in refused(
        f"par super-three-card twenty-one-plus-three-b --config {file} --json"
    )


def test_a_configuration_that_may_not_open_has_no_sheet(tmp_path: Path) -> None:
    file = written(tmp_path / "table.toml", 'game = "three-card-prime"\non = 2026-11-15\nseats = 99\ncolour = 1\n')
    words = refused(f"par --config {file} --json", code=1)

    assert "seats" in words
    assert "colour" in words


@pytest.mark.parametrize(
    ("typed", "says"),
    [
        ("par --json", "name a GAME"),
        ("par three-card-stud --json", "unknown game 'three-card-stud'"),
        ("par three-card-prime primes --json", "no wager 'primes'"),
        (f"{PRIME}", "-o takes a file that ends in .pdf or .json"),
        (f"{PRIME} -o sheet.docx -o sheet", "cannot write sheet.docx, sheet"),
        ("par three-card-prime prime --paytable PRW-9 --json", "'PRW-9' is no pay table"),
        ("par three-card-prime prime --paytable PRW-2 --json", "leaves to the operator"),
        ("par three-card-prime prime --reading nothing=pay --reading play --json", "no such switch"),
        ("par three-card-prime prime --decks 2 --json", "leave decks out"),
        ("par super-three-card big-hand-bonus --decks 7 --json", "expected 6 or 8"),
        (f"{PRIME} --meter 5 --json", "say which jackpot it is"),
        (f"{PRIME} --meter prime=5 --json", "'prime' is no jackpot on this sheet: none"),
        ("par three-card-prime final-four --meter much --json", "'much' isn't an amount of money"),
        ("par three-card-prime prime --pays PRW-1:x --json", "must be ID:EVENT=CELL"),
        ("par three-card-prime prime --paytable none.toml --json", "No such file"),
        ("par four-card-prime four-card-jackpot --paytable FCJ-3 --json", "FCJ-3 leaves to the operator"),
        ("par three-card-double-play pick-3 --reading pick3_basis=as_set --json", "state a pay table of that too"),
    ],
)
def test_a_slip_is_told_in_words(typed: str, says: str) -> None:
    assert says in refused(typed)


def test_a_file_that_cannot_be_written_is_told(tmp_path: Path) -> None:
    assert "cannot write" in refused(f"{PRIME} -o {tmp_path / 'none' / 'sheet.json'}")
