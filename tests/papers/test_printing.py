"""`pitboss print` and `pitboss diff`: a table of a file or of a room, one paper or all, and what is refused."""

from __future__ import annotations

import json
import re
from pathlib import Path

from pitboss.cli.output import BROKEN_RULE, TYPED_WRONG
from tests.docs.console import run_pitboss
from tests.doors import doors_of
from tests.pages.tables import EXAMPLE, LEE, MAX, tables_room
from tests.papers.test_papers import EXAMPLES, text_of
from tests.server.making import command

PRIME = str(EXAMPLES / "three-card-prime.toml")


def test_a_table_of_a_room_is_printed_with_the_rooms_name_its_table_and_its_notices(tmp_path: Path) -> None:
    with tables_room(tmp_path / "room") as opened:
        path, name = str(opened.room.path), opened.room.name
    output = tmp_path / "placards.pdf"
    ran = run_pitboss(["print", "--room", path, "--table", "1", "--paper", "placards", "-o", str(output), "--draft"])
    assert ran.exit_code == 0, ran.printed
    text = text_of(output.read_bytes(), tmp_path)
    assert f"{name}, Table 1, Three Card Prime" in text
    ran = run_pitboss(["print", "--room", path, "--table", "77", "-o", str(tmp_path / "none")])
    assert ran.exit_code == TYPED_WRONG
    assert "table 77 has no configuration" in ran.printed
    words = ["print", "--room", path, "--paper", "placards", "-o", str(tmp_path / "all")]
    ran = run_pitboss([*words, "--json"])
    assert ran.exit_code == 0, ran.printed
    content = json.loads(ran.printed)
    assert [Path(file).name for file in content["files"]] == ["table-1-placards.pdf"]
    assert "how a dispute is decided, and by whom (REGULATION W-12)" in content["missing"]


def test_a_layout_is_drawn_as_svg_to_scale_and_nothing_else_is(tmp_path: Path) -> None:
    file = tmp_path / "felt.svg"
    assert run_pitboss(["print", PRIME, "--paper", "layout", "-o", str(file)]).exit_code == 0
    assert 'width="79.0in" height="57.0in" viewBox="0 0 79.0 57.0"' in file.read_text(encoding="utf-8")
    refused = run_pitboss(["print", PRIME, "--paper", "forms", "-o", str(tmp_path / "forms.svg")])
    assert refused.exit_code == TYPED_WRONG
    assert "only --paper layout is drawn as SVG" in refused.printed


def test_what_is_typed_wrongly_is_refused_and_nothing_is_written(tmp_path: Path) -> None:
    out = str(tmp_path / "papers")
    for words, says in (
        (["print", "-o", out], "either CONFIG, or --room DATA, with --table TABLE"),
        (["print", PRIME, "--paper", "napkin", "-o", out], "no paper is napkin; there are: rack-card"),
        (["print", PRIME, "--paper", "forms", "--size", "4x6", "-o", out], "none of these papers comes in '4x6'"),
        (["print", PRIME, "-o", f"{out}.pdf"], "is one file, and these are 8 papers"),
        (["print", str(tmp_path / "none.toml"), "-o", out], "cannot read"),
    ):
        ran = run_pitboss(words)
        assert ran.exit_code == TYPED_WRONG, words
        assert says in " ".join(ran.printed.split())
    assert list(tmp_path.iterdir()) == []


def test_a_table_that_may_not_open_is_refused_with_everything_that_is_missing(tmp_path: Path) -> None:
    for more in ([], ["--draft"]):
        ran = run_pitboss(["print", str(EXAMPLES / "broken.toml"), "-o", str(tmp_path / "papers"), *more])
        assert ran.exit_code == BROKEN_RULE
        assert "this table may not open" in ran.printed
        assert "8 seats, but at most 7" in ran.printed


def test_every_refused_table_of_a_room_is_named_and_nothing_is_printed(tmp_path: Path) -> None:
    """Tables 3 and 4 have a setup and no approval on record: both are listed, and table 1 is not printed either."""
    with tables_room(tmp_path / "room") as opened:
        posted = doors_of(opened.room).posted
        for table in ("3", "4"):
            two = {"actor": MAX.name, "approved_by": LEE.name}
            posted.post(table, EXAMPLE, words="new", command=command(), **two)
        path = str(opened.room.path)
    out = tmp_path / "papers"
    ran = run_pitboss(["print", "--room", path, "--paper", "placards", "-o", str(out)])
    assert (ran.exit_code, out.exists()) == (BROKEN_RULE, False)
    text = " ".join(ran.printed.split())
    assert re.findall(r"Nothing printed: table (\S+) may not open", text) == ["3", "4"]
    drafts = run_pitboss(["print", "--room", path, "--paper", "placards", "-o", str(out), "--draft"])
    assert drafts.exit_code == 0
    assert sorted(file.name for file in out.iterdir()) == [f"table-{table}-placards.pdf" for table in "134"]
    assert "DRAFT" in text_of((out / "table-3-placards.pdf").read_bytes(), tmp_path)


def test_a_diff_names_settings_pays_papers_and_writes_the_notice(tmp_path: Path) -> None:
    other, notice = str(EXAMPLES / "three-card-prime-operator-set.toml"), tmp_path / "notice.pdf"
    ran = run_pitboss(["diff", PRIME, other, "--json", "-o", str(notice)])
    assert ran.exit_code == 0
    content = json.loads(ran.printed)
    assert {"title": "Seats", "was": "6", "becomes": "7", "path": "seats"} in content["settings"]
    assert "Bad Beat: Straight Flush" in [change["title"] for change in content["pays"]]
    assert content["papers"][:2] == ["Rack card", "Placards"]
    text = text_of(notice.read_bytes(), tmp_path)
    assert "Any modifications to this game may affect this approval." in text
    assert "Bad Beat: Straight Flush" in text
    same = run_pitboss(["diff", PRIME, PRIME])
    assert (same.exit_code, same.printed.strip()) == (0, "The two configurations are the same table.")


def test_a_diff_of_a_table_that_cannot_be_settled_or_a_place_that_cannot_be_written_is_refused_in_words(
    tmp_path: Path,
) -> None:
    broken = run_pitboss(["diff", PRIME, str(EXAMPLES / "broken.toml")])
    assert broken.exit_code == BROKEN_RULE
    assert "broken.toml may not open, and what it pays is not stated" in broken.printed
    assert "8 seats, but at most 7" in broken.printed
    file = tmp_path / "a-file"
    file.write_text("")
    other = str(EXAMPLES / "three-card-prime-operator-set.toml")
    unwritten = run_pitboss(["diff", PRIME, other, "-o", str(file / "notice.pdf")])
    assert unwritten.exit_code == TYPED_WRONG
    assert "cannot write" in unwritten.printed


def test_a_diff_names_the_papers_whose_text_differs_and_no_others(tmp_path: Path) -> None:
    """The opening amount of a progressive is on the submission; no sign, card or felt says it."""
    text = Path(PRIME).read_text(encoding="utf-8")
    assert 'meter = "25000.00"' in text
    file = tmp_path / "other.toml"
    file.write_text(text.replace('meter = "25000.00"', 'meter = "26000.00"'), encoding="utf-8")
    ran = run_pitboss(["diff", PRIME, str(file), "--json"])
    assert json.loads(ran.printed)["papers"] == ["Internal-controls submission", "Training sheet"]
