"""The `settle` command: files of round records, and one round as typed; its settlement as the floor reads it."""

import json
import signal
import sys
from collections import deque
from collections.abc import Iterable, Iterator
from concurrent.futures import Future, ProcessPoolExecutor
from contextlib import contextmanager
from itertools import islice
from multiprocessing import get_context
from pathlib import Path
from typing import IO

from rich.markup import escape

from pitboss.cards import cards_text
from pitboss.cli.games.typed_round import Typed, TypedReader
from pitboss.cli.output import BROKEN_RULE, console, fail, plain_table, show_problems
from pitboss.rules import Problem, SettledLine, dollars
from pitboss.table import RefusedRecordError, SettledRecord, settle_line, settle_record

_BATCH = 1_000
_BATCHES_AHEAD = 4
_BYTE_ORDER_MARK = "\ufeff"


def settle_rounds(file: str, workers: int, typed: Typed) -> int:
    """Settle a file of records, a line each, empty lines passed over; the exit code says whether any was refused."""
    if typed.anything:
        raise fail("--rounds takes whole round records: leave the game and the options of a typed round out")
    refused = False
    with _lines_of(file) as lines:
        for answer in _settled(_with_content(lines), workers):
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
        raise fail(f"cannot read {file}: {getattr(error, 'strerror', None) or error}") from None
    with opened:
        yield opened


def _with_content(lines: Iterable[str]) -> Iterator[str]:
    for line in lines:
        text = line.lstrip(_BYTE_ORDER_MARK)
        if text.strip():
            yield text


def _settled(lines: Iterator[str], workers: int) -> Iterator[str]:
    if workers <= 1:
        yield from map(settle_line, lines)
        return
    batches = iter(lambda: list(islice(lines, _BATCH)), [])
    waiting: deque[Future[list[str]]] = deque()
    with ProcessPoolExecutor(workers, mp_context=get_context("spawn"), initializer=_leave_ctrl_c_to_the_parent) as pool:
        for batch in batches:
            waiting.append(pool.submit(_settle_batch, batch))
            if len(waiting) >= workers * _BATCHES_AHEAD:
                yield from waiting.popleft().result()
        while waiting:
            yield from waiting.popleft().result()


def _leave_ctrl_c_to_the_parent() -> None:
    signal.signal(signal.SIGINT, signal.SIG_IGN)


def _settle_batch(lines: list[str]) -> list[str]:
    return [settle_line(line) for line in lines]


def settle_typed(typed: Typed, *, as_json: bool) -> int:
    """Settle the round that was typed and print it; everything missing or wrong is named in one message."""
    if typed.game is None and typed.config is None:
        raise fail("name a GAME, or a file with --rounds; `pitboss settle --help` has an example")
    reader = TypedReader(typed)
    record = reader.record()
    settled: SettledRecord | None = None
    problems = list(reader.problems)
    if record is not None:
        try:
            settled = settle_record(record, **reader.beside)
        except RefusedRecordError as error:
            paths = {problem.path for problem in problems}
            problems += [problem for problem in error.problems if problem.path not in paths]
    if problems or settled is None:
        if as_json:
            print(json.dumps({"error": [str(problem) for problem in problems]}))
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


_HINTS = {"no-amount": "--pays ID:EVENT=CELL", "no-envy-amount": "--envy ID:EVENT=CELL"}


def _with_option(problem: Problem) -> str:
    """Add the option by which something that is missing is typed."""
    option = _HINTS.get(problem.code) or _OPTIONS.get(problem.path.split(".")[0])
    if " decisions." in problem.path and problem.code == "missing":
        name = problem.path.rpartition(".")[2]
        option = f"'{name}' or '{name}=no' in the third part of --seat"
    return f"{problem}  [give it with {option}]" if option and problem.code else str(problem)


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


def _show_reasons(line: SettledLine) -> None:
    chips = [f"{chip.part} {dollars(chip.staked_cents)} -> {dollars(chip.paid_cents)}" for chip in line.chips]
    if line.envy_cents:
        chips.append(f"Envy {dollars(line.envy_cents)}")
    console.print(f"  [bold]{line.wager}[/]  {escape(', '.join(chips))}", soft_wrap=True)
    for reason in line.reasons:
        ruling = f"; {reason.ruling}" if reason.ruling else ""
        console.print(f"    {escape(reason.words)} [dim]({escape(reason.clause.id)}{ruling})[/]", soft_wrap=True)
