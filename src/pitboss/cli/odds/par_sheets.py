"""The `par` command: make the PAR sheet of a configuration, or derive one again and compare."""

import json
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from rich.markup import escape

from pitboss.cli import output
from pitboss.cli.arguments import configuration_or_exit, read_file, tables_of, wager_of
from pitboss.cli.games.typed_round import Typed, TypedReader
from pitboss.cli.odds.figures import store_of
from pitboss.cli.output import BROKEN_RULE, TYPED_WRONG, console, errors, fail, game_or_exit, show_problems
from pitboss.odds.par import Sheet, SheetVerification, make_sheet, verify_sheet
from pitboss.odds.par.values import SheetError, read_text, write_text
from pitboss.odds.solving import first_tables
from pitboss.rules import Game, MoneyError, Problem, Terms, TermsInput, make_terms, parse_dollars
from pitboss.table import Configuration


@dataclass(frozen=True, slots=True, kw_only=True)
class ParOptions:
    """The options of `pitboss par`, unchecked."""

    game: str | None
    wagers: list[str]
    config: Path | None
    paytables: list[str]
    pays: list[str]
    envy: list[str]
    readings: list[str]
    decks: int | None
    meters: list[str]
    jackpot_type: str | None
    jackpot_wagers: list[str]
    outputs: list[Path]
    as_json: bool
    fresh: bool

    @property
    def terms_typed(self) -> list[str]:
        """The options typed that a configuration states itself."""
        options = {
            "--paytable": self.paytables,
            "--pays": self.pays,
            "--envy": self.envy,
            "--reading": self.readings,
            "--decks": self.decks,
            "--jackpot-type": self.jackpot_type,
            "--jackpot-wager": self.jackpot_wagers,
        }
        return [name for name, value in options.items() if value]


def make_par(options: ParOptions) -> int:
    """Make one sheet and write it to every file asked for."""
    wrong = [str(file) for file in options.outputs if file.suffix.lower() not in (".pdf", ".json")]
    if wrong or not (options.outputs or options.as_json):
        what = f"cannot write {', '.join(wrong)}: " if wrong else ""
        raise fail(f"{what}-o takes a file that ends in .pdf or .json; --json prints")
    game, terms, configuration = _terms(options)
    offered = None if configuration is None else list(configuration.offered)
    meters = _meters(options, game, terms, configuration)
    with output.progress_bar() as progress:
        task = progress.add_task("counting and pricing", total=None)
        try:
            sheet = make_sheet(
                game,
                terms,
                wagers=options.wagers or offered,
                meters=meters,
                configuration=configuration,
                store=store_of(fresh=options.fresh),
                tell=lambda words, done, of: progress.update(task, description=words, completed=done, total=of),
            )
        except ValueError as error:
            raise fail(str(error)) from None
        progress.update(task, description="typesetting")
        contents = {file: _content(sheet, file) for file in options.outputs}
    for file, content in contents.items():
        _write(file, content)
    _say(sheet, options)
    return 0


def _content(sheet: Sheet, file: Path) -> bytes:
    if file.suffix.lower() == ".json":
        return write_text(sheet.as_json()).encode()
    from pitboss.paper.par import par_pdf  # noqa: PLC0415

    return par_pdf(sheet)


def _write(file: Path, content: bytes) -> None:
    try:
        file.write_bytes(content)
    except OSError as error:
        raise fail(f"cannot write {file}: {error.strerror}") from None


def _say(sheet: Sheet, options: ParOptions) -> None:
    if options.as_json:
        print(write_text(sheet.as_json()), end="")
        return
    titles = ", ".join(dict.fromkeys(wager.title for wager in sheet.wagers))
    console.print(f"[bold]{escape(sheet.identification.title)}[/]: {escape(titles)}", soft_wrap=True)
    for file in options.outputs:
        console.print(f"  {escape(str(file))}: sheet {sheet.digest}", soft_wrap=True)


def _terms(options: ParOptions) -> tuple[Game, Terms, Configuration | None]:
    if options.config is None:
        if options.game is None:
            raise fail("name a GAME, or --config FILE; `pitboss par --help` has an example")
        game = game_or_exit(options.game)
        return game, _typed_terms(game, options), None
    if options.terms_typed:
        raise fail(f"--config states the terms: leave out {', '.join(options.terms_typed)}")
    configuration = configuration_or_exit(options.config, lambda count: f"{options.config}: {count} problems")
    if options.game not in (None, configuration.game):
        raise fail(f"{options.config} is of {configuration.game}, not of {options.game}")
    return game_or_exit(configuration.game), configuration.terms, configuration


def _typed_terms(game: Game, options: ParOptions) -> Terms:
    """Build the terms that were typed; a wager's table that was not typed is the game's first."""
    for name in options.wagers:
        wager_of(game, name)
    files = [text for text in options.paytables if text.endswith(".toml")]
    reader = TypedReader(
        Typed(
            game=game.name,
            seats=[],
            boards={},
            paytables=[text for text in options.paytables if text not in files],
            pays=options.pays,
            envy=options.envy,
            readings=options.readings,
            meters=[],
            plain={"decks": options.decks, "jackpot_type": options.jackpot_type},
            jackpot_wagers=options.jackpot_wagers,
            config=None,
        )
    )
    record = reader.record() or {}
    tables = {name: list(entries) for name, entries in record["paytables"].items()}
    for name, entries in tables_of(game, game.wagers, files).items():
        tables.setdefault(name, []).extend(entries)
    statement = TermsInput(
        paytables=_filled(game, tables, options.wagers or list(game.by_name)),
        readings=record.get("readings", {}),
        decks=record.get("decks", game.decks_allowed[0] if game.decks_allowed else None),
        jackpot_type=record.get("jackpot_type", "progressive"),
        jackpot_wager_cents=record.get("jackpot_wager_cents", 100),
    )
    terms, problems = make_terms(game, statement)
    if reader.problems or problems:
        _refuse([*reader.problems, *problems], f"{game.title}: no PAR sheet under these terms")
    return terms


def _filled(game: Game, typed: dict[str, list[Any]], wagers: list[str]) -> dict[str, list[Any]]:
    """Add the first table of every slot of these wagers for which none was typed."""
    for wager in game.wagers:
        if wager.name in wagers or wager.name in typed:
            entries = typed.setdefault(wager.name, [])
            ids = [entry if isinstance(entry, str) else entry.get("id") for entry in entries]
            slots = [slot for slot in wager.slots if not slot.fixed]
            for slot, first in zip(slots, first_tables(game, wager), strict=True):
                if not set(slot.ids) & set(ids):
                    entries.append(first)
    return typed


def _meters(options: ParOptions, game: Game, terms: Terms, configuration: Configuration | None) -> dict[str, list[int]]:
    """Read the meters typed, `WAGER=DOLLARS`, after those the configuration states."""
    meters = {} if configuration is None else {name: [cents] for name, cents in configuration.meters.items()}
    offered = [wager.name for wager in game.jackpots if all(slot.name in terms.tables for slot in wager.slots)]
    meant = [name for name in offered if name in (options.wagers or offered)]
    problems = []
    for text in options.meters:
        name, equals, amount = text.partition("=")
        if not equals and len(meant) != 1:
            problems.append(Problem("--meter", f"{text!r}: say which jackpot it is, WAGER=DOLLARS"))
            continue
        name, amount = (name.strip(), amount) if equals else (meant[0], text)
        if name not in meant:
            problems.append(Problem("--meter", f"{name!r} is no jackpot on this sheet: {', '.join(meant) or 'none'}"))
            continue
        try:
            meters.setdefault(name, []).append(parse_dollars(amount))
        except MoneyError as error:
            problems.append(Problem("--meter", str(error)))
    if problems:
        _refuse(problems, "the meters cannot be read")
    return meters


def _refuse(problems: list[Problem], headline: str) -> None:
    show_problems(problems, headline)
    raise SystemExit(TYPED_WRONG)


def verify_par(files: list[str], *, as_json: bool) -> int:
    """Derive a sheet again from its inputs and say whether every figure agrees."""
    if len(files) != 1:
        raise fail("`pitboss par verify` takes one sheet.json")
    with output.progress_bar() as progress:
        task = progress.add_task("deriving again", total=None)
        try:
            result = verify_sheet(
                read_text(read_file(Path(files[0]))),
                tell=lambda words, done, of: progress.update(task, description=words, completed=done, total=of),
            )
        except SheetError as error:
            progress.stop()
            show_problems(error.problems, f"{files[0]} cannot be verified")
            return TYPED_WRONG
    _say_verified(result, files[0], as_json=as_json)
    return 0 if result.difference is None else BROKEN_RULE


def _say_verified(result: SheetVerification, file: str, *, as_json: bool) -> None:
    difference = result.difference
    if as_json:
        content: dict[str, Any] = {"verified": difference is None, "figures": result.figures}
        if difference is not None:
            content["difference"] = {
                "path": difference.path,
                "sheet": difference.sheet,
                "derived": difference.derived,
            }
        print(json.dumps(content | {"made_by": result.made_by, "verified_by": result.verified_by}, indent=2))
    elif difference is not None:
        errors.print(f"[bold red]{escape(file)} differs at {escape(difference.path)}[/]")
        errors.print(f"  the sheet says {escape(json.dumps(difference.sheet, ensure_ascii=False))}")
        errors.print(f"  derived again  {escape(json.dumps(difference.derived, ensure_ascii=False))}")
    else:
        console.print(f"[bold green]{escape(file)}: verified[/], {result.figures:,} figures", soft_wrap=True)
    if not as_json and result.made_by != result.verified_by:
        console.print(f"  made by code {result.made_by}, verified by code {result.verified_by}", soft_wrap=True)
