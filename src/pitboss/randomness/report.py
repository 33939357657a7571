"""The report on randomness: our battery on raw words, shoes and hands of one key, with one verdict on all of it."""

from __future__ import annotations

import hashlib
import os
import platform
from collections import deque
from collections.abc import Callable, Iterator
from concurrent.futures import Future, ThreadPoolExecutor
from dataclasses import dataclass
from functools import cached_property
from importlib.metadata import version
from typing import Any

import numpy

from pitboss.cards import Deck, key_text
from pitboss.games import all_games
from pitboss.odds.compiled import source_hash
from pitboss.odds.store import OddsStore
from pitboss.randomness.collect import raw_bytes
from pitboss.randomness.hands import HandsRead, hands_of
from pitboss.randomness.live import LiveDealing
from pitboss.randomness.locks import MemoryLock
from pitboss.randomness.programs import ProgramResult, run_programs
from pitboss.randomness.shoes import ShoeTally, deal_shoes, opening_trial, shoe_trials
from pitboss.randomness.trials import ALPHA, Trial, fit, rejected
from pitboss.randomness.words import BYTES_MIN, word_trials

__all__ = [
    "BYTES",
    "ROUNDS",
    "ROUNDS_MIN",
    "DealtDeck",
    "Report",
    "ReportAsked",
    "ReportError",
    "deck_trials",
    "make_report",
]

BYTES = 1 << 24
ROUNDS = 1_000_000
ROUNDS_MIN = 10_000
_CHUNK = 1 << 14
_COMPARED = 64
_PACKAGES = ("pitboss", "cryptography", "numpy", "numba")


class ReportError(Exception):
    """A report cannot be made, because what was counted is not what is dealt live."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ReportAsked:
    """What is to be tried: a key, its block of raw words, how many bytes of it, the rounds of later blocks."""

    key: bytes
    block: int = 0
    rounds: int = ROUNDS
    length: int = BYTES
    programs: bool = True

    def check(self) -> None:
        """Raise one error that names everything that is wrong."""
        wrong = []
        if self.rounds < ROUNDS_MIN:
            wrong.append(f"{self.rounds:,} rounds are too few: {ROUNDS_MIN:,} at least")
        if self.length < BYTES_MIN:
            wrong.append(f"{self.length:,} bytes are too few: {BYTES_MIN:,} at least")
        if not 0 <= self.block <= (1 << 96) - 1 - max(self.rounds, 0):
            wrong.append(f"block {self.block} and as many blocks as rounds after it must be from 0 to 2**96 - 1")
        if wrong:
            raise ValueError("; ".join(wrong))


@dataclass(frozen=True, slots=True)
class DealtDeck:
    """The shoes of one deck: how many rounds, and the SHA-256 of all of them, a byte for each card."""

    deck: Deck
    games: tuple[str, ...]
    rounds: int
    sha256: str


@dataclass(frozen=True, kw_only=True)
class Report:
    """All trials, and what they were computed from."""

    asked: ReportAsked
    raw_sha256: str
    decks: tuple[DealtDeck, ...]
    trials: tuple[Trial, ...]
    programs: tuple[ProgramResult, ...]
    versions: dict[str, str]

    @cached_property
    def failing(self) -> frozenset[int]:
        """The places of the trials that fail."""
        return rejected(self.trials)

    @property
    def passed(self) -> bool:
        """Tell whether nothing failed, the programs of others included."""
        return not self.failing and not any(program.failed for program in self.programs)

    def as_json(self, *, show_key: bool) -> dict[str, Any]:
        """Give everything for another program to read; the key itself only where asked for."""
        return {
            "passed": self.passed,
            "confidence": 1 - ALPHA,
            "rule": "Holm over all trials, p-values two-sided",
            "key": key_text(self.asked.key) if show_key else None,
            "key_sha256": hashlib.sha256(self.asked.key).hexdigest(),
            "raw": {"block": self.asked.block, "bytes": self.asked.length, "sha256": self.raw_sha256},
            "rounds": {"first_block": self.asked.block + 1, "rounds": self.asked.rounds},
            "decks": [
                {"deck": dealt.deck.words, "games": list(dealt.games), "rounds": dealt.rounds, "sha256": dealt.sha256}
                for dealt in self.decks
            ],
            "trials": [
                {
                    "test": trial.test,
                    "of": trial.of,
                    "sample": trial.sample,
                    "statistic": trial.statistic if numpy.isfinite(trial.statistic) else None,
                    "degrees": trial.degrees,
                    "p": trial.p,
                    "passed": place not in self.failing,
                }
                for place, trial in enumerate(self.trials)
            ],
            "programs": [_program_json(program) for program in self.programs],
            "versions": self.versions,
        }


def _program_json(program: ProgramResult) -> dict[str, Any]:
    return {
        "program": program.program,
        "missing": program.missing,
        "bytes": program.length,
        "trials": [{"test": trial.test, "p": trial.p, "verdict": trial.verdict} for trial in program.trials],
    }


Done = Callable[[str, int], None]


def steps_of(asked: ReportAsked) -> int:
    """Say how many steps `done` is told of in all: rounds of every deck."""
    return asked.rounds * len({game.deck for game in all_games()})


def make_report(asked: ReportAsked, *, store: OddsStore | None, done: Done = lambda _what, _rounds: None) -> Report:
    """Try everything; `done` is told what was tried and how many rounds that took."""
    asked.check()
    done("raw words", 0)
    raw = b"".join(raw_bytes(asked.key, asked.block, asked.length))
    trials = word_trials(raw)
    decks = []
    for number, (deck, read) in enumerate(_by_deck(store, done).items()):
        done(deck.words, 0)
        dealt, found = _try_deck(asked, deck, read, number == 0, done)
        decks.append(dealt)
        trials += found
    done("programs of others", 0)
    return Report(
        asked=asked,
        raw_sha256=hashlib.sha256(raw).hexdigest(),
        decks=tuple(decks),
        trials=tuple(trials),
        programs=run_programs(asked.key, asked.block) if asked.programs else (),
        versions={
            **{name: version(name) for name in _PACKAGES},
            "python": platform.python_version(),
            "source": source_hash(),
        },
    )


def _by_deck(store: OddsStore | None, done: Done) -> dict[Deck, list[HandsRead]]:
    by_deck: dict[Deck, list[HandsRead]] = {}
    for game in all_games():
        done(f"exact counts of {game.name}", 0)
        for read in hands_of(game, store):
            by_deck.setdefault(read.deck, []).append(read)
    return by_deck


@dataclass(slots=True)
class _Chunk:
    """What was counted in some rounds, and their shoes as bytes."""

    cards: bytes
    tally: ShoeTally
    histograms: list[Any]
    openings: Any


def _try_deck(
    asked: ReportAsked, deck: Deck, read: list[HandsRead], openings: bool, done: Done
) -> tuple[DealtDeck, list[Trial]]:
    """Deal all rounds of a deck in pieces, on every core, and count them; the SHA-256 goes over them in order."""
    digest, total = hashlib.sha256(), _Chunk(b"", ShoeTally(deck.size), [0] * len(read), [])
    for start, chunk in _in_order(lambda start: _count(asked, deck, read, start), range(0, asked.rounds, _CHUNK)):
        digest.update(chunk.cards)
        total.tally.merge(chunk.tally)
        total.histograms = [before + more for before, more in zip(total.histograms, chunk.histograms, strict=True)]
        if openings:
            total.openings.append(chunk.openings)
        done(deck.words, min(_CHUNK, asked.rounds - start))
    _compare_with_live(asked, deck)
    trials = deck_trials(deck.words, total.tally, read, total.histograms)
    if openings:
        trials.append(opening_trial(numpy.concatenate(total.openings)))
    games = tuple(dict.fromkeys(each.game.name for each in read))
    return DealtDeck(deck, games, asked.rounds, digest.hexdigest()), trials


def deck_trials(of: str, tally: ShoeTally, read: list[HandsRead], histograms: list[Any]) -> list[Trial]:
    """Try the shoes of a deck and the hands of its games."""
    hands = [
        fit("hand frequency", f"{each.game.name} {each.wager.name}", histogram, each.counts)
        for each, histogram in zip(read, histograms, strict=True)
    ]
    return [*shoe_trials(of, tally), *hands]


def _count(asked: ReportAsked, deck: Deck, read: list[HandsRead], start: int) -> _Chunk:
    rounds = min(_CHUNK, asked.rounds - start)
    shoes = deal_shoes(asked.key, asked.block + 1 + start, rounds, deck.size)
    tally = ShoeTally(deck.size)
    tally.add(shoes.orders)
    cards = numpy.array(deck.cards, dtype=numpy.uint8)[shoes.orders]
    return _Chunk(cards.tobytes(), tally, [each.histogram_of(cards) for each in read], shoes.openings)


def _in_order(work: Callable[[int], _Chunk], starts: range) -> Iterator[tuple[int, _Chunk]]:
    """Work on every core, and give the results in order; no more are waiting than there are cores."""
    cores = os.cpu_count() or 1
    waiting: deque[tuple[int, Future[_Chunk]]] = deque()
    with ThreadPoolExecutor(cores) as pool:
        for start in starts:
            waiting.append((start, pool.submit(work, start)))
            if len(waiting) > cores:
                first, chunk = waiting.popleft()
                yield first, chunk.result()
        for first, chunk in waiting:
            yield first, chunk.result()


def _compare_with_live(asked: ReportAsked, deck: Deck) -> None:
    """Compare the rounds that were counted with those of the live door, on some from the first to the last."""
    steps = {asked.rounds * number // _COMPARED for number in range(_COMPARED)} | {asked.rounds - 1}
    for step in sorted(steps):
        block = asked.block + 1 + step
        live = LiveDealing(asked.key, MemoryLock(), first_block=block).next_shoe(deck).cards
        counted = deal_shoes(asked.key, block, 1, deck.size).orders[0]
        if tuple(deck.cards[place] for place in counted) != live:
            raise ReportError(f"block {block}: the shoe that was counted is not the one dealt live")
