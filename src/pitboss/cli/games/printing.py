"""`pitboss print` and `pitboss diff`: the papers of a table, and what changes between two configurations."""

import datetime
import json
from collections.abc import Sequence
from dataclasses import replace
from fractions import Fraction
from pathlib import Path
from typing import Any

from rich.markup import escape

from pitboss import odds
from pitboss.cli.arguments import read_file
from pitboss.cli.output import BROKEN_RULE, console, fail, plain_table, progress_bar, show_problems
from pitboss.papers import catalogue
from pitboss.papers.catalogue import BY_NAME, PAPERS, PaperKind
from pitboss.papers.change import MAY_AFFECT, TableChange, change_between, change_notice
from pitboss.papers.source import PaperSource, source_of_file, source_of_table
from pitboss.table import ConfigurationChange, read_configuration

_PPI = 150


def list_papers(*, as_json: bool) -> int:
    """Print the papers there are, whom each is for, and in which sizes."""
    if as_json:
        print(
            json.dumps(
                [
                    {
                        "name": paper.name,
                        "title": paper.title,
                        "for": paper.audience,
                        "sizes": list(paper.sizes),
                        "posted": paper.is_posted,
                    }
                    for paper in PAPERS
                ],
                indent=2,
            )
        )
        return 0
    table = plain_table("paper", "for", "sizes", "posted at the table")
    for paper in PAPERS:
        table.add_row(paper.name, paper.audience, ", ".join(paper.sizes), "yes" if paper.is_posted else "")
    console.print(table)
    return 0


def _source_of_file(file: Path) -> PaperSource:
    read = read_configuration(read_file(file))
    if read.configuration is None:
        show_problems(read.problems, f"{file} cannot be read as a table:")
        raise SystemExit(BROKEN_RULE)
    return source_of_file(read.configuration)


def _settled_source(file: Path) -> PaperSource:
    """Return the table of a file that says what it pays; it may lack something else before it may open."""
    source = _source_of_file(file)
    if source.configuration.terms_and_problems[1]:
        show_problems(source.problems, f"{file} may not open, and what it pays is not stated:")
        raise SystemExit(BROKEN_RULE)
    return source


def _source_of_room(path: Path, table: str) -> PaperSource:
    from pitboss.books import EPOCH, StoreError  # noqa: PLC0415
    from pitboss.cli.books.sources import check_book, open_store, state_of, time_of  # noqa: PLC0415
    from pitboss.room.room import room_name, room_zone  # noqa: PLC0415

    try:
        with open_store(path) as store:
            check_book(store, "room")
            state = state_of(store, "room")
    except (StoreError, OSError) as error:
        raise fail(str(error)) from None
    now = time_of(path, state)
    day = (EPOCH + datetime.timedelta(microseconds=now)).astimezone(room_zone(state)).date()
    try:
        return source_of_table(state, room_name(state, now), table, day)
    except LookupError as error:
        raise fail(str(error)) from None


def _papers_of(names: Sequence[str], source: PaperSource) -> list[PaperKind]:
    unknown = [name for name in names if name not in BY_NAME]
    if unknown:
        raise fail(f"no paper is {', '.join(unknown)}; there are: {', '.join(BY_NAME)}")
    profile = source.configuration.profile
    return [BY_NAME[name] for name in names] or [paper for paper in PAPERS if profile in paper.profiles]


def _write(paper: PaperKind, source: PaperSource, size: str, output: Path, *, draft: bool) -> list[Path]:
    size = size if size in paper.sizes else ""
    if output.suffix == ".png":
        files = []
        for number, picture in enumerate(catalogue.make_pictures(paper, source, size, draft=draft, ppi=_PPI), start=1):
            file = output if number == 1 else output.with_stem(f"{output.stem}-{number}")
            file.write_bytes(picture)
            files.append(file)
        return files
    output.write_bytes(catalogue.make_pdf(paper, source, size, draft=draft))
    return [output]


def print_papers(
    file: Path | None,
    room: tuple[Path | None, str],
    names: Sequence[str],
    size: str,
    output: Path,
    *,
    draft: bool,
    with_odds: bool,
    as_json: bool,
) -> int:
    """Write the papers of a table, each a PDF in a folder, or one paper to one file."""
    path, table = room
    if (file is None) == (path is None) or (path is None) != (not table):
        raise fail("either CONFIG, or --room DATA with --table TABLE, says which table")
    source = _source_of_file(file) if file is not None else _source_of_room(path or Path(), table)
    if with_odds and not source.problems:
        source = replace(source, edges=odds.house_edges(source.configuration))
    papers = _papers_of(names, source)
    sizes = {name for paper in papers for name in paper.sizes}
    if size and size not in sizes:
        raise fail(f"--size: none of these papers comes in {size!r}; there are: {', '.join(sorted(sizes))}")
    is_file = output.suffix in (".pdf", ".png")
    if is_file and len(papers) > 1:
        raise fail(f"{output} is one file, and these are {len(papers)} papers: name a folder, or one --paper")
    written: list[Path] = []
    try:
        (output.parent if is_file else output).mkdir(parents=True, exist_ok=True)
        with progress_bar() as bar:
            task = bar.add_task("Papers", total=len(papers))
            for paper in papers:
                stem = "-".join(filter(None, (f"table-{table}" if table else source.game.name, paper.name)))
                written += _write(paper, source, size, output if is_file else output / f"{stem}.pdf", draft=draft)
                bar.advance(task)
    except catalogue.DraftNeededError as error:
        hint = " What it pays is not stated." if draft else " Print drafts with --draft."
        show_problems(error.problems, f"Nothing printed: this table may not open.{hint}")
        return BROKEN_RULE
    except OSError as error:
        raise fail(f"cannot write {output}: {error.strerror or error}") from None
    if as_json:
        print(json.dumps({"hash": source.configuration.content_hash, "files": list(map(str, written))}, indent=2))
    else:
        for path_written in written:
            console.print(escape(str(path_written)), soft_wrap=True)
    return 0


def _show(title: str, changes: Sequence[ConfigurationChange]) -> None:
    if not changes:
        return
    console.print(f"[bold]{title}[/]")
    table = plain_table("what", "before", "after")
    for change in changes:
        table.add_row(change.title, change.was or "-", change.becomes or "-")
    console.print(table)


def _json(change: TableChange) -> dict[str, Any]:
    comparison = change.comparison
    groups = {
        "settings": comparison.settings,
        "pays": comparison.pays,
        "approvals": comparison.approvals,
        "odds": change.odds,
    }
    return {
        **{name: [each._asdict() for each in group] for name, group in groups.items()},
        "papers": list(change.papers),
    }


def show_diff(before: Path, after: Path, output: Path | None, *, edges: bool, as_json: bool) -> int:
    """Print what changes between two configurations."""
    sources = [_settled_source(before), _settled_source(after)]
    counted: list[dict[str, Fraction]] = [{}, {}]
    if edges and not any(source.problems for source in sources):
        counted = [odds.house_edges(source.configuration) for source in sources]
    change = change_between(sources[0], sources[1], (counted[0], counted[1]))
    if output is not None:
        try:
            output.write_bytes(catalogue.make_notice(change_notice(sources[0], sources[1], change), sources[1]))
        except OSError as error:
            raise fail(f"cannot write {output}: {error.strerror or error}") from None
    if as_json:
        print(json.dumps(_json(change), indent=2))
    elif change.comparison.is_empty:
        console.print("The two configurations are the same table.")
    else:
        _show("Settings and limits", change.comparison.settings)
        _show("What rows pay", change.comparison.pays)
        _show("House edge", change.odds)
        _show("Approvals this touches", change.comparison.approvals)
        console.print(f"[bold]Papers to print anew[/]\n  {', '.join(change.papers)}")
        console.print(f"\n{MAY_AFFECT}")
    return 0
