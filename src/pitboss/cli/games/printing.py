"""`pitboss print` and `pitboss diff`: the papers of a table, and what changes between two configurations."""

from __future__ import annotations

import datetime
import json
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import replace
from fractions import Fraction
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

from rich.markup import escape

from pitboss import odds
from pitboss.books import RefusedError
from pitboss.cli.arguments import read_file
from pitboss.cli.output import BROKEN_RULE, console, errors, fail, plain_table, progress_bar, show_problems
from pitboss.paper.par import par_pdf
from pitboss.papers import catalogue
from pitboss.papers.catalogue import BY_NAME, PAPERS, PaperKind
from pitboss.papers.change import MAY_AFFECT, TableChange, change_between, change_notice
from pitboss.papers.source import PaperSource, source_of_file, source_of_table
from pitboss.reports.render import days_in_words
from pitboss.table import ConfigurationChange, read_configuration

if TYPE_CHECKING:
    from pitboss.books import BookState, JournalStore
    from pitboss.odds.par import Sheet

_PPI = 150
_FILES = (".pdf", ".png", ".svg")


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


@contextmanager
def _opened(path: Path) -> Iterator[tuple[JournalStore, BookState, int]]:
    """Open a room or a backup for reading, with its state and the time there."""
    from pitboss.books import StoreError  # noqa: PLC0415
    from pitboss.cli.books.sources import check_book, open_store, state_of, time_of  # noqa: PLC0415

    try:
        with open_store(path) as store:
            check_book(store, "room")
            state = state_of(store, "room")
            yield store, state, time_of(path, state)
    except (StoreError, OSError) as error:
        raise fail(str(error)) from None


def _sources_of_room(path: Path, table: str) -> list[PaperSource]:
    """Return a table of a room, or all that have a configuration."""
    from pitboss.room.configurations import configuration_at  # noqa: PLC0415
    from pitboss.room.room import room_name, tables_of  # noqa: PLC0415
    from pitboss.room.settings import gambling_day_of  # noqa: PLC0415

    with _opened(path) as (_, state, now):
        # The day that counts for what hangs: after midnight the words of today, not of the day that begins at six.
        day = gambling_day_of(state, now)
        tables = [table] if table else [name for name in tables_of(state) if configuration_at(state, name) is not None]
        if not tables:
            raise fail(f"{path}: no table has a configuration in force")
        try:
            return [source_of_table(state, room_name(state, now), name, day) for name in tables]
        except LookupError as error:
            raise fail(str(error)) from None


def _papers_of(names: Sequence[str], source: PaperSource) -> list[PaperKind]:
    unknown = [name for name in names if name not in BY_NAME]
    if unknown:
        raise fail(f"no paper is {', '.join(unknown)}; there are: {', '.join(BY_NAME)}")
    wrong = [problem for name in names if (problem := catalogue.kind_problem(BY_NAME[name], source))]
    if wrong:
        raise fail("; ".join(wrong))
    profile = source.configuration.profile
    return [BY_NAME[name] for name in names] or [paper for paper in PAPERS if profile in paper.profiles]


def _write(paper: PaperKind, source: PaperSource, size: str, output: Path, *, draft: bool) -> list[Path]:
    size = size if size in paper.sizes else ""
    if output.suffix == ".svg":
        output.write_text(catalogue.paper_view(paper, source, size, draft=draft)["svg"], encoding="utf-8")
    elif output.suffix == ".png":
        pages = catalogue.make_pictures(paper, source, size, draft=draft, ppi=_PPI)
        files = [output, *(output.with_stem(f"{output.stem}-{number}") for number in range(2, len(pages) + 1))]
        for file, picture in zip(files, pages, strict=True):
            file.write_bytes(picture)
        return files
    else:
        output.write_bytes(catalogue.make_pdf(paper, source, size, draft=draft))
    return [output]


class PrintOptions(NamedTuple):
    """The options of `pitboss print`: which papers, in which size, and with what."""

    names: Sequence[str]
    size: str
    output: Path
    draft: bool
    with_odds: bool
    with_sheet: bool
    as_json: bool


def _check(options: PrintOptions, papers: Sequence[PaperKind], tables: int) -> None:
    """Refuse what cannot be written."""
    output, count = options.output, len(papers) * tables
    sizes = {name for paper in papers for name in paper.sizes}
    if options.size and options.size not in sizes:
        raise fail(f"--size: none of these papers comes in {options.size!r}; there are: {', '.join(sorted(sizes))}")
    if output.suffix in _FILES and count > 1:
        raise fail(f"{output} is one file, and these are {count} papers: name a folder, or one --paper")
    if output.suffix == ".svg" and [paper.name for paper in papers] != ["layout"]:
        raise fail(f"{output}: only --paper layout is drawn as SVG")


def print_papers(file: Path | None, room: tuple[Path | None, str], options: PrintOptions) -> int:
    """Write the papers of a table, or of all tables of a room, each a PDF in a folder, or one paper to one file."""
    path, table = room
    if (file is None) == (path is None) or (path is None and table):
        raise fail("either CONFIG, or --room DATA, with --table TABLE for one of them, says which table")
    sources = [_source_of_file(file)] if file is not None else _sources_of_room(path or Path(), table)
    papers = {source.table: _papers_of(options.names, source) for source in sources}
    _check(options, papers[sources[0].table], len(sources))
    refused = [source for source in sources if _is_refused(source, draft=options.draft)]
    for source in refused:
        hint = " What it pays is not stated." if options.draft else " Print drafts with --draft."
        which = f"table {source.table}" if len(sources) > 1 else "this table"
        show_problems(list(source.problems), f"Nothing printed: {which} may not open.{hint}")
    if refused:
        return BROKEN_RULE
    try:
        written = _print_all(sources, papers, options)
    except OSError as error:
        raise fail(f"cannot write {options.output}: {error.strerror or error}") from None
    _say(sources, written, options)
    return 0


def _is_refused(source: PaperSource, *, draft: bool) -> bool:
    """True if nothing of a table is printed: it may not open, or not even a draft could say what it pays."""
    return bool(source.configuration.terms_and_problems[1]) or (bool(source.problems) and not draft)


def _print_all(sources: Sequence[PaperSource], papers: dict[str, list[PaperKind]], options: PrintOptions) -> list[Path]:
    output, written = options.output, []
    is_file = output.suffix in _FILES
    (output.parent if is_file else output).mkdir(parents=True, exist_ok=True)
    sheets: dict[str, Sheet] = {}
    with progress_bar() as bar:
        task = bar.add_task("Papers", total=sum(map(len, papers.values())))
        for plain in sources:
            stem = f"table-{plain.table}" if plain.table else plain.game.name
            source = _with_figures(
                plain, papers[plain.table], options, sheets, lambda text: bar.update(task, description=text)
            )
            for paper in papers[plain.table]:
                bar.update(task, description=f"{stem}, {paper.title.lower()}")
                place = output if is_file else output / f"{stem}-{paper.name}.pdf"
                written += _write(paper, source, options.size, place, draft=bool(source.problems) or options.draft)
                bar.advance(task)
            if source.sheet is not None and not is_file:
                sheet = output / f"{stem}-{catalogue.SHEET_FILE}"
                sheet.write_bytes(par_pdf(source.sheet))
                written.append(sheet)
    return written


def _with_figures(
    source: PaperSource,
    papers: Sequence[PaperKind],
    options: PrintOptions,
    sheets: dict[str, Sheet],
    tell: Callable[[str], None],
) -> PaperSource:
    """Return a table with the house edges and the PAR sheet, where its papers have them; a draft has neither."""
    if source.problems:
        return source
    if options.with_odds:
        source = replace(source, edges=odds.house_edges(source.configuration))
    if options.with_sheet and any(paper.has_sheet for paper in papers):
        key = source.configuration.content_hash
        if key not in sheets:
            sheets[key] = catalogue.make_sheet_of(source, lambda words, done, of: tell(f"{words}, {done} of {of}"))
        source = replace(source, sheet=sheets[key])
    return source


def _say(sources: Sequence[PaperSource], written: Sequence[Path], options: PrintOptions) -> None:
    missing = list(dict.fromkeys(text for source in sources for text in source.missing))
    if options.as_json:
        hashes = {source.table: source.configuration.content_hash for source in sources}
        content = {"hash": sources[0].configuration.content_hash} if len(sources) == 1 else {"hashes": hashes}
        print(json.dumps({**content, "files": list(map(str, written)), "missing": missing}, indent=2))
        return
    for path_written in written:
        console.print(escape(str(path_written)), soft_wrap=True)
    if missing:
        errors.print("Not on these papers, because it is not on file:")
        for text in missing:
            errors.print(f"  {escape(text)}", soft_wrap=True)


class FilledForm(NamedTuple):
    """What the books know a form of: a jackpot, an open malfunction, or the gambling day of a table."""

    hit: int = 0
    malfunction: int = 0
    log: str = ""
    table: str = ""

    @property
    def is_one(self) -> bool:
        """True if exactly one is named, a log with its table."""
        named = (bool(self.hit), bool(self.malfunction), bool(self.log))
        return sum(named) == 1 and (bool(self.table) or not self.log)

    @property
    def stem(self) -> str:
        """The name of its file."""
        if self.log:
            return f"table-{self.table}-log-{self.log}"
        return f"jackpot-{self.hit}" if self.hit else f"malfunction-{self.malfunction}"


def _log(store: JournalStore, now: int, case: FilledForm) -> tuple[dict[str, Any], str]:
    """Return the log of a table on a day, and the entry that it was read at."""
    from pitboss.papers.forms import table_log_form  # noqa: PLC0415
    from pitboss.reports import ReportRequest, look  # noqa: PLC0415

    try:
        day = datetime.date.fromisoformat(case.log)
    except ValueError:
        raise fail(f"--log {case.log!r} is no day such as 2026-11-15") from None
    request = ReportRequest(first_day=day, last_day=day, table=case.table)
    try:
        scope = look(store, "room", request, made_at=now, now=now)
        return table_log_form(scope), f"Entry {scope.head.sequence}, {scope.head.digest.hex()}"
    except RefusedError as error:
        raise fail("; ".join(error.problems)) from None


def print_case(path: Path | None, case: FilledForm, output: Path) -> int:
    """Write the forms of a jackpot, of a malfunction or of a table's day, with what the books know."""
    from pitboss.games import find_game  # noqa: PLC0415
    from pitboss.papers.forms import hit_forms, malfunction_form  # noqa: PLC0415
    from pitboss.room.configurations import configuration_at  # noqa: PLC0415
    from pitboss.room.hit_index import HIT_INDEX, story_at  # noqa: PLC0415
    from pitboss.room.room import room_name  # noqa: PLC0415
    from pitboss.tabulator import TABLES  # noqa: PLC0415

    if path is None or not case.is_one:
        raise fail(
            "--hit NUMBER, --malfunction NUMBER or --log DAY --table TABLE, one of them, is of a room: --room DATA"
        )
    with _opened(path) as (store, state, now):
        if case.log:
            view, mark = _log(store, now, case)
        elif case.hit:
            story = story_at(store, "room", state.of(HIT_INDEX), case.hit)
            if story is None:
                raise fail(f"there is no jackpot {case.hit}")
            view, entry = hit_forms(state, story), story.entries[-1][0]
            mark = f"Entry {entry.sequence}, {entry.digest.hex()}"
        else:
            known = state.of(TABLES).malfunctions.get(str(case.malfunction))
            if known is None:
                numbers = ", ".join(state.of(TABLES).malfunctions) or "none"
                raise fail(f"there is no open malfunction {case.malfunction}; open are: {numbers}")
            configuration = configuration_at(state, known.table)
            game = "" if configuration is None else find_game(configuration.game).title
            view, mark = malfunction_form(state, known, game), f"Entry {known.number}"
        content = catalogue.make_case(view, room_name(state, now), mark)
    file = output if output.suffix == ".pdf" else output / f"{case.stem}.pdf"
    try:
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_bytes(content)
    except OSError as error:
        raise fail(f"cannot write {file}: {error.strerror or error}") from None
    console.print(escape(str(file)), soft_wrap=True)
    return 0


def _show(title: str, changes: Sequence[ConfigurationChange]) -> None:
    if not changes:
        return
    console.print(f"[bold]{title}[/]")
    table = plain_table("what", "before", "after")
    for change in changes:
        table.add_row(*map(days_in_words, (change.title, change.was or "-", change.becomes or "-")))
    console.print(table)


def _json(change: TableChange) -> dict[str, Any]:
    comparison = change.comparison
    groups = {
        "settings": comparison.settings,
        "pays": comparison.pays,
        "approvals": change.approvals,
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
        _show("Approvals this touches", change.approvals)
        console.print(f"[bold]Papers to print anew[/]\n  {', '.join(change.papers)}")
        console.print(f"\n{MAY_AFFECT}")
    return 0
