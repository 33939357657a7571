"""The `settle` command: from what was typed to a round record, and from its settlement to paper."""

from __future__ import annotations

import json
import sys
from collections.abc import Iterable, Iterator
from concurrent.futures import ProcessPoolExecutor
from contextlib import contextmanager
from dataclasses import dataclass, field
from itertools import islice
from multiprocessing import get_context
from pathlib import Path
from typing import IO, Any

from rich.markup import escape

from pitboss.cards import CardError, card_text, cards_text, parse_cards
from pitboss.cli.checking import read_file
from pitboss.cli.output import BROKEN_RULE, console, fail, game_or_exit, plain_table, show_problems
from pitboss.rules import Game, Line, MoneyError, Problem, dollars, parse_dollars
from pitboss.table import RefusedError, SettledRecord, read_configuration, settle_line, settle_record

__all__ = ["Typed", "settle_rounds", "settle_typed", "show_settled"]

_BATCH = 2_000
_YES, _NO = ("yes", "true"), ("no", "false")


@dataclass(frozen=True, slots=True, kw_only=True)
class Typed:
    """What was typed after `pitboss settle`, unchecked."""

    game: str | None
    seats: list[str]
    boards: dict[str, str | None]
    paytables: list[str]
    pays: list[str]
    envy: list[str]
    readings: list[str]
    meters: list[str]
    plain: dict[str, Any]
    jackpot_wager: str | None
    config: Path | None


def settle_rounds(file: str, workers: int) -> int:
    """Settle a file of records, a line each; the exit code says whether any was refused."""
    refused = False
    with _lines_of(file) as lines:
        for answer in _settled(lines, workers):
            refused = refused or answer.startswith('{"error"')
            sys.stdout.write(answer + "\n")
    sys.stdout.flush()
    return BROKEN_RULE if refused else 0


@contextmanager
def _lines_of(file: str) -> Iterator[IO[str]]:
    if file == "-":
        yield sys.stdin
        return
    try:
        opened = Path(file).open(encoding="utf-8", errors="replace")  # noqa: SIM115 - closed below
    except OSError as error:
        raise fail(f"cannot read {file}: {error}") from None
    with opened:
        yield opened


def _settled(lines: Iterable[str], workers: int) -> Iterator[str]:
    if workers <= 1:
        yield from map(settle_line, lines)
        return
    numbered = iter(lines)
    batches = iter(lambda: list(islice(numbered, _BATCH)), [])
    with ProcessPoolExecutor(workers, mp_context=get_context("spawn")) as pool:
        for answers in pool.map(_settle_batch, batches):
            yield from answers


def _settle_batch(lines: list[str]) -> list[str]:
    return [settle_line(line) for line in lines]


def settle_typed(typed: Typed, *, as_json: bool) -> int:
    """Settle the round that was typed and print it; everything missing or wrong is named in one message."""
    if typed.game is None and typed.config is None:
        raise fail("name a GAME, or a file with --rounds; `pitboss settle --help` has an example")
    reader = _TypedReader(typed)
    record = reader.record()
    try:
        settled = None if reader.problems else settle_record(record, **reader.beside)
        problems: Iterable[Problem] = reader.problems
    except RefusedError as error:
        settled, problems = None, error.problems
    if settled is None:
        if as_json:
            print(json.dumps({"error": [str(problem) for problem in problems]}, ensure_ascii=False))
        else:
            show_problems([_with_option(problem) for problem in problems], "This round cannot be settled:")
        return BROKEN_RULE
    if as_json:
        print(settled.json_text(paytables=True))
    else:
        show_settled(settled)
    return 0


_OPTIONS = {
    "dealer": "--dealer",
    "community": "--community",
    "decks": "--decks",
    "paytables": "--paytable",
    "meters": "--meter",
    "readings": "--reading",
    "seats": "--seat",
    "on": "--on",
    "profile": "--profile",
}


def _with_option(problem: Problem) -> str:
    """Add the option by which a missing thing is given."""
    option = _OPTIONS.get(problem.path.split(".")[0])
    missing = any(word in problem.words for word in ("missing", "no pay table", "must be a list"))
    return f"{problem}  [give it with {option}]" if option and missing else str(problem)


@dataclass(slots=True)
class _TypedReader:
    """Turns what was typed into a round record, collecting what cannot be read."""

    typed: Typed
    problems: list[Problem] = field(default_factory=list)
    beside: dict[str, Any] = field(default_factory=dict)

    def record(self) -> dict[str, Any]:
        record = self._configured()
        game = game_or_exit(self.typed.game or record["game"])
        if record.get("game", game.name) != game.name:
            self._refuse("--config", f"is of {record['game']}, not of {game.name}")
        record["game"] = game.name
        record |= {key: value for key, value in self.typed.plain.items() if value is not None}
        for name, text in self.typed.boards.items():
            if text is not None and name != game.board.name:
                self._refuse(f"--{name}", f"{game.title} has none: it takes --{game.board.name}")
            elif text is not None:
                record[name] = self._cards(text, f"--{name}")
        self._paytables(game, record)
        for text in self.typed.readings:
            name, value = self._pair(text, "--reading")
            record.setdefault("readings", {})[name] = value
        self._meters(game, record)
        if self.typed.jackpot_wager is not None:
            record["jackpot_wager_cents"] = self._dollars(self.typed.jackpot_wager, "--jackpot-wager")
        if self.typed.seats:
            record["seats"] = [self._seat(game, text, index) for index, text in enumerate(self.typed.seats, start=1)]
        return record

    def _refuse(self, path: str, words: str) -> None:
        self.problems.append(Problem(path, words))

    def _configured(self) -> dict[str, Any]:
        if self.typed.config is None:
            return {}
        read = read_configuration(read_file(self.typed.config))
        if read.configuration is None or read.problems:
            self.problems += read.problems
            return {"game": self.typed.game} if read.configuration is None else {"game": read.configuration.game}
        configuration = read.configuration
        record: dict[str, Any] = {
            "game": configuration.game,
            "paytables": {name: list(ids) for name, ids in configuration.stated.paytables.items()},
            "readings": dict(configuration.readings),
            "jackpot_type": configuration.jackpot_type,
            "bonus_sharing": configuration.bonus_sharing,
            "meters": configuration.meters,
            "jackpot_wager_cents": {name: jackpot.wager_cents for name, jackpot in configuration.jackpots.items()},
            "on": configuration.on.isoformat(),
            "profile": configuration.profile,
        }
        if configuration.decks is not None:
            record["decks"] = configuration.decks
        stated = configuration.stated
        self.beside = {
            "fixed_from_meter": stated.fixed_from_meter,
            "base_multiples_max": stated.base_multiples_max,
        }
        return record

    def _cards(self, text: str, path: str) -> list[str]:
        try:
            return [card_text(card) for card in parse_cards(text)]
        except CardError as error:
            self._refuse(path, str(error))
            return []

    def _dollars(self, text: str, path: str) -> int:
        try:
            return parse_dollars(text)
        except MoneyError as error:
            self._refuse(path, str(error))
            return 0

    def _pair(self, text: str, path: str) -> tuple[str, str]:
        name, equals, value = text.partition("=")
        if not equals:
            self._refuse(path, f"{text!r} must be NAME=VALUE")
        return name.strip(), value.strip()

    def _paytables(self, game: Game, record: dict[str, Any]) -> None:
        stated: dict[str, list[Any]] = {}
        for text in self.typed.paytables:
            wager, table_id = self._wager_of(game, text)
            if wager is not None:
                stated.setdefault(wager, []).append(table_id)
        tables = {**record.get("paytables", {}), **stated}
        amounts: dict[str, dict[str, dict[str, str]]] = {}
        for column, texts in (("pays", self.typed.pays), ("envy", self.typed.envy)):
            for text in texts:
                table_id, colon, rest = text.partition(":")
                event, equals, cell = rest.rpartition("=")
                if not colon or not equals:
                    self._refuse(f"--{column}", f"{text!r} must be ID:EVENT=CELL, such as 'PRW-2:others=Loss'")
                amounts.setdefault(table_id.strip(), {}).setdefault(column, {})[event.strip()] = cell.strip()
        record["paytables"] = {
            wager: [
                {"id": entry, **amounts[entry]} if isinstance(entry, str) and entry in amounts else entry
                for entry in ids
            ]
            for wager, ids in tables.items()
        }
        used = {entry["id"] for ids in record["paytables"].values() for entry in ids if isinstance(entry, dict)}
        for table_id in amounts.keys() - used:
            self._refuse("--pays", f"{table_id!r} is not in force: state it with --paytable {table_id}")

    def _wager_of(self, game: Game, text: str) -> tuple[str | None, str]:
        """Find the wager that a pay table id belongs to; `WAGER=ID` says it outright."""
        name, equals, table_id = text.partition("=")
        if equals:
            return name.strip(), table_id.strip()
        for wager, slot in game.slots():
            for known in slot.ids:
                if text.strip().lower() == known.lower():
                    return wager.name, known
        self._refuse(
            "--paytable", f"{text!r} is no pay table of {game.title}; `pitboss paytables --game {game.name}` lists them"
        )
        return None, text

    def _meters(self, game: Game, record: dict[str, Any]) -> None:
        for text in self.typed.meters:
            name, equals, amount = text.partition("=")
            if not equals:
                wagered = [wager.name for wager in game.jackpots if wager.name in record["paytables"]]
                if len(wagered) != 1:
                    self._refuse("--meter", f"{text!r}: say whose meter it is, WAGER=DOLLARS")
                    continue
                name, amount = wagered[0], text
            record.setdefault("meters", {})[name.strip()] = self._dollars(amount, "--meter")

    def _seat(self, game: Game, text: str, index: int) -> dict[str, Any]:
        cards, *rest = [piece.strip() for piece in text.split("|")]
        wagers, decisions, *more = [*rest, "", ""]
        number = index
        head, colon, tail = cards.partition(":")
        if colon and head.strip().isdigit():
            number, cards = int(head), tail
        if any(more) or len(rest) > 2:
            self._refuse(f"seat {number}", f"{text!r} must be 'CARDS | WAGERS | DECISIONS'")
        path = f"seat {number}"
        return {
            "seat": number,
            "cards": self._cards(cards, f"{path} cards"),
            "wagers": {
                name: self._dollars(amount, f"{path} wagers.{name}")
                for name, amount in (self._pair(piece.strip(","), f"{path} wagers") for piece in wagers.split())
            },
            "decisions": dict(self._decision(game, piece, path) for piece in decisions.split()),
        }

    def _decision(self, game: Game, piece: str, path: str) -> tuple[str, Any]:
        name, equals, value = piece.partition("=")
        if not equals and name in ("fold", "surrender"):
            return ("play", False) if "play" in game.decisions else ("raise", 0)
        lowered = value.lower()
        if not equals or lowered in _YES:
            return name, True
        if lowered in _NO:
            return name, False
        if value.isdigit():
            return name, int(value)
        return name, self._cards(value.replace("+", " "), f"{path} decisions.{name}")


def show_settled(settled: SettledRecord) -> None:
    """Print a settlement as the floor reads it: each wager, then the chain of clauses."""
    game, settlement = settled.game, settled.settlement
    console.print(f"[bold]{escape(game.title)}[/]  {game.board.name} {cards_text(settled.board)}\n")
    for seat in settled.seats:
        words = "; ".join(game.describe(seat, settled.board))
        console.print(f"[bold]Seat {seat.number}[/]  {cards_text(seat.cards)}  [dim]{escape(words)}[/]")
        table = plain_table("  wager", "event", "pay table", "staked>", "paid>", "net>")
        for line in settlement.lines[seat.number].values():
            amounts = (line.staked_cents, line.paid_cents, line.net_cents)
            table.add_row(f"  {line.wager}", line.event or "-", line.paytable or "-", *map(dollars, amounts))
        table.add_row("  [bold]in all[/]", "", "", "", "", f"[bold]{dollars(settlement.net_cents(seat.number))}[/]")
        console.print(table)
        for line in settlement.lines[seat.number].values():
            _show_reasons(line)
        console.print()
    for name, payment in settlement.jackpots.items():
        console.print(
            f"[bold]{name}[/]: {dollars(payment.from_fund_cents)} from the fund, "
            f"{dollars(payment.from_house_cents)} from the house; odd cents that stay: {payment.odd_cents}"
        )


def _show_reasons(line: Line) -> None:
    chips = [f"{chip.part} {dollars(chip.staked_cents)} → {dollars(chip.paid_cents)}" for chip in line.chips]
    if line.envy_cents:
        chips.append(f"Envy {dollars(line.envy_cents)}")
    console.print(f"  [bold]{line.wager}[/]  {escape(', '.join(chips))}", soft_wrap=True)
    for reason in line.reasons:
        ruling = f"; {reason.ruling}" if reason.ruling else ""
        console.print(f"    {escape(reason.words)} [dim]({escape(reason.clause.id)}{ruling})[/]", soft_wrap=True)
