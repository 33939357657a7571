"""Renderings: JSON and CSV say what the report says, figures are exact, papers are the same bytes every time."""

from __future__ import annotations

import csv
import json
import re
import subprocess
import zlib
from dataclasses import replace
from fractions import Fraction
from importlib.metadata import version
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pitboss.odds.decimals import decimal_text
from pitboss.paper.typesetting import reports_pdf, reports_pictures
from pitboss.reports import REPORTS, CellKind, Column, Report, ReportRequest, ReportRow, make_packet, make_report
from pitboss.reports.render import (
    csv_text,
    days_in_words,
    json_text,
    money_places,
    money_text,
    printed_cells,
    repeated,
    report_view,
)
from tests.programs import program
from tests.reports.making import FIRST, ZONE, scope_of

MADE = 1_794_700_000_000_000


@pytest.fixture(scope="module")
def all_reports(sample: Path) -> list[Report]:
    with scope_of(sample, ReportRequest(first_day=FIRST), made=MADE) as scope:
        return [make_report(scope, name) for name in REPORTS]


def test_json_gives_every_cell_as_it_is(all_reports: list[Report]) -> None:
    for report in all_reports:
        said = json.loads(json_text([report]))
        keys = [each.key for each in report.columns]
        assert len(report.rows) == len(said["rows"])
        for row, told in zip(report.rows, said["rows"], strict=True):
            for key, cell in zip(keys, row.cells, strict=True):
                assert told[key] == (str(cell) if isinstance(cell, Fraction) else cell)
        assert (report.title, report.head, report.broken) == (said["title"], said["head"], said["broken"])


def test_csv_is_read_back_to_the_same_money_and_counts(all_reports: list[Report]) -> None:
    for report in all_reports:
        text = csv_text(report)
        assert report.head in text
        head, *rows = csv.reader(line for line in text.splitlines() if not line.lstrip('"').startswith("# "))
        assert len(report.all_rows) == len(rows)
        assert len(report.columns) == len(head)
        for row, told in zip(report.all_rows, rows, strict=True):
            for each, cell, printed in zip(report.columns, row.cells, told, strict=True):
                if cell is not None and each.kind is CellKind.MONEY:
                    assert Fraction(printed) * 1_000_000 == cell
                elif cell is not None and each.kind is CellKind.COUNT:
                    assert int(printed) == cell


def test_hands_are_written_in_full_for_people_and_as_printed_in_files(all_reports: list[Report]) -> None:
    hits = next(report for report in all_reports if report.name == "hits")
    place = [column.key for column in hits.columns].index("row")
    cells = tuple("Mini-Royal with SF" if at == place else None for at in range(len(hits.columns)))
    report = replace(hits, rows=(ReportRow(cells),), totals=None)
    assert printed_cells(report, ZONE)[0][place] == "Mini-Royal with Straight Flush"
    assert "Mini-Royal with SF" in csv_text(report)


def test_no_cell_of_a_csv_file_is_taken_for_a_formula(all_reports: list[Report]) -> None:
    wicked = replace(
        all_reports[0],
        columns=(Column("a", "A"),),
        rows=(ReportRow(("=1+1",)), ReportRow(("@x",)), ReportRow(("plain",))),
        totals=None,
    )
    assert ["'=1+1", "'@x", "plain"] == [line for line in csv_text(wicked).splitlines() if not line.startswith("#")][
        1:4
    ]


@given(st.lists(st.integers(-(10**15), 10**15), min_size=1))
def test_g_3_money_is_printed_exactly_with_one_number_of_places(amounts: list[int]) -> None:
    places = money_places(amounts)
    printed = [money_text(units, places) for units in amounts]

    assert [Fraction(units, 10**6) for units in amounts] == [Fraction(re.sub(r"[$,]", "", text)) for text in printed]
    assert 1 == len({len(text.partition(".")[2]) for text in printed})
    assert places == 2 or any(units % 10 ** (7 - places) for units in amounts), "no more places than needed"


@given(st.fractions(), st.integers(1, 6))
def test_decimals_are_rounded_half_to_even_without_floats(value: Fraction, places: int) -> None:
    assert Fraction(decimal_text(value, places, is_report=True).replace(",", "")) == Fraction(
        round(value * 10**places), 10**places
    )


def test_totals_are_the_sums_of_their_columns(all_reports: list[Report]) -> None:
    summed = [each for each in all_reports if each.totals is not None and each.name != "hits"]
    assert len(summed) > 5
    for report in summed:
        assert report.totals is not None
        for place, total in enumerate(report.totals.cells):
            if isinstance(total, int):
                column = [row.cells[place] for row in report.rows if row.style != "sum"]
                assert sum(each for each in column if isinstance(each, int)) == total, (report.name, place)


def test_groups_are_printed_where_they_change(all_reports: list[Report]) -> None:
    report = next(each for each in all_reports if each.name == "meters")
    first = [row[0] for row, same in zip(printed_cells(report, ZONE), repeated(report), strict=True) if not same]
    assert ["Five Card Jackpot, table 6", "Five Card Jackpot, tables 4 and 5"] == first, "by name, not by id"
    assert {"daily", "main"} == {str(row.cells[0]) for row in report.rows}, "files keep the id"


def page_texts(pdf: bytes, folder: Path) -> list[str]:
    file = folder / "report.pdf"
    file.write_bytes(pdf)
    text = subprocess.run([program("pdftotext"), "-layout", file, "-"], capture_output=True, text=True, check=True)  # noqa: S603
    return text.stdout.split("\f")[:-1]


def views(reports: list[Report]) -> list[dict[str, Any]]:
    return [report_view(each, ZONE) for each in reports]


def test_m_06_every_page_of_a_packet_has_room_period_time_version_head_and_number(sample: Path, tmp_path: Path) -> None:
    with scope_of(sample, ReportRequest(first_day=FIRST), made=MADE) as scope:
        packet = make_packet(scope)
    pdf = reports_pdf(views(packet), json_text(packet))
    assert pdf == reports_pdf(views(packet), json_text(packet)), "the same bytes every time"
    unpacked = b"".join(
        zlib.decompress(each[1]) if each[1][:1] == b"x" else each[1]
        for each in re.finditer(rb"stream\r?\n(.*?)\r?\nendstream", pdf, re.DOTALL)
    )
    assert json_text(packet).encode() in unpacked, "the figures are attached"
    pages = page_texts(pdf, tmp_path)
    assert len(pages) > len(packet)
    for number, text in enumerate(pages, start=1):
        for wanted in (
            "Example Room",
            f"page {number} of {len(pages)}",
            "gambling day Nov 13, 2026",
            "made Nov 14, 2026, 3:46 PM",
            f"Pitboss {version('pitboss')}",
            packet[0].head,
        ):
            assert wanted in text, (number, wanted)


def test_every_figure_of_a_report_is_on_its_page(all_reports: list[Report], tmp_path: Path) -> None:
    report = next(each for each in all_reports if each.name == "takings")
    text = " ".join(page_texts(reports_pdf(views([report]), json_text([report])), tmp_path))
    for row in printed_cells(report, ZONE):
        for cell in row[3:10]:
            assert cell.replace("-$", "\u2212$") in text
    assert days_in_words(report.exceptions[0].words)[:30] in re.sub(r"\s+", " ", text)


def test_pictures_are_made_for_people_to_look_at(all_reports: list[Report]) -> None:
    pictures = reports_pictures(views(all_reports[:1]), ppi=20)
    assert pictures[0].startswith(b"\x89PNG")
