"""What `pitboss rng raw`, `deal`, `health` and `reset` do."""

import json
import sys
from collections.abc import Iterator
from contextlib import AbstractContextManager, nullcontext
from dataclasses import dataclass
from pathlib import Path
from typing import IO, Any

from rich.progress import BarColumn, Progress, TaskProgressColumn, TextColumn, TimeRemainingColumn

from pitboss.cards import Deck, fresh_key, key_text, parse_key
from pitboss.cli.output import BROKEN_RULE, console, errors, fail, game_or_exit, progress_bar, show_problems
from pitboss.randomness import DealingLockedError, default_lock
from pitboss.randomness.health import HealthError, check_known_answers
from pitboss.randomness.live import Written, dealt_shoes, raw_bytes, write_all
from pitboss.rules import Game

_STDOUT = "-"
_BLOCKS = 1 << 96
# ChaCha20 counts 64-byte pieces of a block in 32 bits.
_BLOCK_BYTES = 1 << 38


@dataclass(frozen=True, slots=True)
class StreamKey:
    """A key, and whether it was drawn here, so that it must be told."""

    key: bytes
    fresh: bool


def key_of(text: str | None, wrong: list[str]) -> StreamKey:
    """Read the key, or draw a fresh one; what is wrong with it is added to the list."""
    if text is None:
        return StreamKey(fresh_key(), fresh=True)
    try:
        return StreamKey(parse_key(text), fresh=False)
    except ValueError as error:
        wrong.append(f"--key: {error}")
        return StreamKey(bytes(32), fresh=False)


def byte_progress() -> Progress:
    """Show on standard error how far it is and how long it will take."""
    return progress_bar(TextColumn("{task.description}"), BarColumn(), TaskProgressColumn(), TimeRemainingColumn())


def write_raw(output: str, length: int, key_typed: str | None, block: int, *, as_json: bool) -> int:
    """Write raw words."""
    wrong: list[str] = []
    stream_key = key_of(key_typed, wrong)
    if not 1 <= length <= _BLOCK_BYTES:
        wrong.append(f"--bytes {length}: a block has from 1 to {_BLOCK_BYTES}")
    if not 0 <= block < _BLOCKS:
        wrong.append(f"--block {block}: it must be from 0 to 2**96 - 1")
    if wrong:
        raise fail("; ".join(wrong))
    written = _write(output, raw_bytes(stream_key.key, block, length), length)
    _tell(output, stream_key, written, {"kind": "raw", "block": block}, as_json=as_json)
    return 0


def write_deals(
    output: str,
    game_name: str,
    rounds: int,
    decks: int | None,
    key_typed: str | None,
    block: int,
    as_bytes: bool,
    *,
    as_json: bool,
) -> int:
    """Write dealt shoes."""
    game = game_or_exit(game_name)
    wrong: list[str] = []
    stream_key = key_of(key_typed, wrong)
    if rounds < 1:
        wrong.append(f"--rounds {rounds}: at least 1")
    if not 0 <= block <= _BLOCKS - max(rounds, 1):
        wrong.append(f"--block {block}: every round takes a block, and they are from 0 to 2**96 - 1")
    deck = _deck(game, decks, wrong)
    if wrong:
        raise fail("; ".join(wrong))
    shoe_bytes = deck.size if as_bytes else sum(3 - (card == 52) for card in deck.cards)
    written = _write(output, dealt_shoes(stream_key.key, block, rounds, deck, as_bytes=as_bytes), rounds * shoe_bytes)
    about = {"kind": "deal", "game": game.name, "deck": deck.words, "rounds": rounds, "first_block": block}
    _tell(output, stream_key, written, about, as_json=as_json)
    return 0


def _deck(game: Game, decks: int | None, wrong: list[str]) -> Deck:
    if decks is not None and decks not in game.decks_allowed:
        allowed = " or ".join(map(str, game.decks_allowed)) or "no choice of decks"
        wrong.append(f"--decks {decks}: {game.title} has {allowed}")
        return game.deck
    return game.deck_of(decks)


def _write(output: str, pieces: Iterator[bytes], total: int) -> Written:
    try:
        with _opened(output) as sink, byte_progress() as progress:
            task = progress.add_task("writing", total=total)
            return write_all(pieces, sink, lambda length: progress.advance(task, length))
    except OSError as error:
        raise fail(f"{output}: {error.strerror or error}") from None
    except DealingLockedError as error:
        show_problems([str(error)], "What was written so far is not to be used (R-06).")
        raise SystemExit(BROKEN_RULE) from None


def _opened(output: str) -> AbstractContextManager[IO[bytes]]:
    return nullcontext(sys.stdout.buffer) if output == _STDOUT else Path(output).open("wb")


def _tell(output: str, stream_key: StreamKey, written: Written, about: dict[str, Any], *, as_json: bool) -> None:
    """Print what was written; on standard error where the data go to standard output, and always without --json."""
    if output == _STDOUT:
        sys.stdout.buffer.flush()
    content = {**about, "output": output, "bytes": written.length, "sha256": written.sha256}
    if stream_key.fresh:
        content["key"] = key_text(stream_key.key)
    if as_json:
        (errors if output == _STDOUT else console).print(json.dumps(content, indent=2), markup=False, soft_wrap=True)
        return
    for name, value in content.items():
        errors.print(f"{name.replace('_', ' ')}: {value}", markup=False)


def show_health(*, as_json: bool) -> int:
    """Try the known answers and look at the lock."""
    failure = default_lock().failure()
    broken = _broken()
    if as_json:
        content = {"known_answers": broken or "right", "locked": None if failure is None else str(failure)}
        print(json.dumps(content, indent=2))
    else:
        console.print(f"known answers: {broken or 'right (ChaCha20 of RFC 8439, and a shoe)'}", markup=False)
        console.print(f"dealing: {'not locked' if failure is None else f'LOCKED: {failure}'}", markup=False)
    return BROKEN_RULE if failure is not None or broken else 0


def _broken() -> str | None:
    try:
        check_known_answers()
    except HealthError as error:
        return error.words
    return None


def reset_lock(person: str, reason: str) -> int:
    """Open the lock, if the known answers are right."""
    lock = default_lock()
    failure = lock.failure()
    if failure is None:
        console.print("Dealing is not locked; nothing is changed.")
        return 0
    if (broken := _broken()) is not None:
        show_problems([broken], "Dealing stays locked: the known answers still fail (R-06).")
        return BROKEN_RULE
    try:
        lock.open(person, reason)
    except (ValueError, OSError) as error:
        raise fail(str(error)) from None
    console.print(f"Dealing is open again. It was locked by {failure}. {person} opened it: {reason}", markup=False)
    return 0
