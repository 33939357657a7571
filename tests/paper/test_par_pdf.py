"""A PAR sheet in print: the same bytes in any process, every figure on its pages, and its JSON inside."""

from __future__ import annotations

import hashlib
import os
import re
import subprocess
import sys
import zlib
from dataclasses import replace
from fractions import Fraction
from pathlib import Path
from typing import Any

import pytest

from pitboss.odds.par.values import DecisionChart, StrategyFigures, StrategyLine, StrategyStep, write_text
from pitboss.paper.par import par_pdf, par_pictures, par_view
from pitboss.paper.words import exact
from tests.odds.sheets import SMALL, large_sheet, small_sheet

ROOT = Path(__file__).parents[2]
STRATEGY = StrategyFigures(
    decisions=(
        DecisionChart(
            question="Play or fold?",
            lines=(
                StrategyLine(words="Queen, six and four or better", decision="play", share=Fraction(2, 3)),
                StrategyLine(words="everything else", decision="fold", share=Fraction(1, 3)),
            ),
        ),
    ),
    lines=2,
    ev=Fraction(-1, 30),
    cost=Fraction(1, 100_000),
    steps=(
        StrategyStep(lines=1, ev=Fraction(-1, 10), cost=Fraction(1, 15)),
        StrategyStep(lines=2, ev=Fraction(-1, 30), cost=Fraction(1, 100_000)),
    ),
)


def texts(view: Any) -> list[str]:
    """Every text that the template lays out."""
    if isinstance(view, dict):
        return [text for key, each in view.items() if key != "json" for text in texts(each)]
    if isinstance(view, list):
        return [text for each in view for text in texts(each)]
    return [view] if isinstance(view, str) else []


def streams(pdf: bytes) -> list[bytes]:
    """What the streams of a PDF hold, unpacked."""
    found = []
    for match in re.finditer(rb"stream\r?\n(.*?)\r?\nendstream", pdf, re.DOTALL):
        try:
            found.append(zlib.decompress(match[1]))
        except zlib.error:
            found.append(match[1])
    return found


def test_the_same_sheet_is_the_same_bytes_in_another_process(tmp_path: Path) -> None:
    sheet = small_sheet("three-card-prime")
    file = tmp_path / "sheet.json"
    file.write_text(write_text(sheet.as_json()), encoding="utf-8")
    program = (
        "import sys, hashlib, pathlib\n"
        "from pitboss.odds.par import read_sheet\n"
        "from pitboss.odds.par.values import read_text, write_text\n"
        "from pitboss.paper.par import par_pdf\n"
        "text = pathlib.Path(sys.argv[1]).read_text(encoding='utf-8')\n"
        "sheet, _ = read_sheet(read_text(text))\n"
        "assert write_text(sheet.as_json()) == text\n"
        "print(hashlib.sha256(par_pdf(sheet)).hexdigest())\n"
    )
    environment = {**os.environ, "PYTHONPATH": str(ROOT / "src"), "TZ": "Asia/Tokyo", "PYTHONHASHSEED": "7"}
    told = subprocess.run(  # noqa: S603
        [sys.executable, "-c", program, str(file)],
        check=True,
        capture_output=True,
        text=True,
        env=environment,
        cwd=tmp_path,
    )

    assert told.stdout.strip() == hashlib.sha256(par_pdf(sheet)).hexdigest()


def test_the_print_carries_the_json_of_the_sheet_and_no_date() -> None:
    sheet = small_sheet("three-card-prime")
    pdf = par_pdf(sheet)

    assert pdf.startswith(b"%PDF-")
    assert write_text(sheet.as_json()).encode() in streams(pdf)
    assert b"CreationDate" not in pdf
    assert b"ModDate" not in pdf


@pytest.mark.parametrize("name", SMALL)
def test_every_game_has_a_first_page_rules_its_wagers_and_notes(name: str) -> None:
    sheet = small_sheet(name)
    pages = par_pictures(sheet, ppi=20)

    assert len(pages) >= 3 + len(sheet.wagers)
    assert all(page.startswith(b"\x89PNG") for page in pages)


def test_every_figure_of_the_sheet_is_in_the_view() -> None:
    sheet = large_sheet()
    shown = set(texts(par_view(sheet)))

    for wager in sheet.wagers:
        for figure in (wager.ev, wager.house_edge, wager.element_of_risk, wager.variance, wager.hit_frequency):
            assert exact(figure) in shown
        assert wager.std_dev in shown
        for event in wager.events:
            assert event.event in shown
            assert f"{event.count:,}" in shown
    assert {sheet.digest, sheet.identification.terms_hash, sheet.identification.code_version} <= shown
    for table in sheet.paytables:
        assert {table.id, *(row.event for row in table.rows), *(row.printed for row in table.rows)} <= shown
    for reading in sheet.readings:
        assert {reading.name, reading.reading, reading.quote} <= shown
    assert "Game names belong to their owners; Pitboss is not affiliated with them." in shown


def test_notes_under_a_pay_table_say_where_it_is_not_paid_as_printed() -> None:
    tables = {table["id"]: table for column in par_view(large_sheet())["tables"] for table in column}

    assert tables["PW/BB-2"]["notes"] == [["1", "not paid under the reading in force"]]
    assert tables["PW/BB-2"]["rows"][-1] == ["Flush and lower", "1", "loss", "", "1"]
    assert tables["A6-5"]["notes"] == []


def test_a_strategy_is_printed_with_its_lines_and_its_cost() -> None:
    sheet = large_sheet()
    main = replace(sheet.wagers[0], strategy=STRATEGY)
    with_strategy = replace(sheet, wagers=(main,))
    shown = texts(par_view(with_strategy))

    assert {"Play or fold?", "Queen, six and four or better", "everything else"} <= set(shown)
    assert exact(STRATEGY.cost) in shown
    assert len(par_pictures(with_strategy, ppi=20)) >= len(
        par_pictures(replace(sheet, wagers=(sheet.wagers[0],)), ppi=20)
    )
    assert par_pdf(with_strategy) == par_pdf(with_strategy)


def test_text_of_others_is_printed_as_it_is_and_never_run() -> None:
    sheet = small_sheet("three-card-prime")
    odd = '#panic("run") *bold* $x$ \\ <label> @ref ] [ `raw` //'
    wager = replace(sheet.wagers[0], words=odd, title=odd)

    assert par_pdf(replace(sheet, wagers=(wager,))) != par_pdf(sheet)


def test_a_row_as_wide_as_the_page_breaks_instead_of_running_over() -> None:
    wide = Fraction(-(10**90 + 1), 10**91 + 7)
    sheet = small_sheet("three-card-prime")
    wager = replace(sheet.wagers[0], variance=-wide, ev=wide)
    pages = par_pictures(replace(sheet, wagers=(wager,)), ppi=40)

    # The margin of 57.5 points stays white on every page.
    for page in pages:
        assert set(_right_edge(page, points=50, ppi=40)) == {255}


def _right_edge(png: bytes, *, points: int, ppi: int) -> bytes:
    """The bytes of the last columns of a picture."""
    import io  # noqa: PLC0415

    from PIL import Image  # noqa: PLC0415

    picture = Image.open(io.BytesIO(png)).convert("L")
    return picture.crop((picture.width - points * ppi // 72, 0, picture.width, picture.height)).tobytes()
