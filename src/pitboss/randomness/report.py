"""The report on randomness: our battery on raw words, shoes and hands of one key, with one verdict on all of it.

Test programs of others run on the same stream where they are installed: ent, and some tests of dieharder (R-16).
"""

import hashlib
import os
import platform
import shutil
import subprocess
import tempfile
from collections import deque
from collections.abc import Callable, Iterator
from concurrent.futures import Future, ThreadPoolExecutor
from dataclasses import dataclass
from functools import cached_property
from importlib.metadata import version
from pathlib import Path
from typing import Any

import numpy

from pitboss.cards import Deck, key_text
from pitboss.games import all_games
from pitboss.odds.compiled import source_hash
from pitboss.odds.store import OddsStore
from pitboss.randomness import battery
from pitboss.randomness.live import LiveDealing, MemoryLock, raw_bytes, write_all
from pitboss.randomness.trials import ALPHA, Trial, chi_square_ends, fit, rejected, two_sided

PROGRAMS = ("ent", "dieharder")
# dieharder's own limits of a p-value for FAILED and WEAK, two-sided; ent has none, and is held to the same.
_FAILED_BELOW, _WEAK_BELOW = 1e-6, 0.005
_BYTES = 1 << 26
_SECONDS_MAX = 600
# Each reads less than the file has, so that it is not read twice: birthdays, runs, monobit, runs of STS.
_DIEHARDER_TESTS = (0, 15, 100, 101)
_VERDICTS = ("PASSED", "WEAK", "FAILED")
_COLUMNS = ("test_name", "pvalues", "assessment")


@dataclass(frozen=True, slots=True)
class ProgramTrial:
    """One p-value of a program, and its own verdict: PASSED, WEAK or FAILED."""

    test: str
    p: float
    verdict: str


@dataclass(frozen=True, slots=True)
class ProgramResult:
    """What a program said of the first so many bytes; one that is absent, or came to no end, says why not."""

    program: str
    length: int = 0
    trials: tuple[ProgramTrial, ...] = ()
    missing: str | None = None

    @property
    def failed(self) -> bool:
        """True if a test failed; WEAK is no failure, but a reason to try another key."""
        return any(trial.verdict == "FAILED" for trial in self.trials)


def run_programs(key: bytes, block: int) -> tuple[ProgramResult, ...]:
    """Run what is installed on the stream of a block, from its start."""
    paths = {name: shutil.which(name) for name in PROGRAMS}
    absent = tuple(ProgramResult(name, missing="not installed") for name, path in paths.items() if path is None)
    if len(absent) == len(PROGRAMS):
        return absent
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder) / "stream"
        with file.open("wb") as stream:
            write_all(raw_bytes(key, block, _BYTES), stream, lambda _: None)
        ran = tuple(_run(name, path, file) for name, path in paths.items() if path is not None)
    return ran + absent


def _run(name: str, path: str, file: Path) -> ProgramResult:
    readers: dict[str, Callable[[str, Path], tuple[ProgramTrial, ...]]] = {"ent": _ent, "dieharder": _dieharder}
    try:
        return ProgramResult(name, _BYTES, readers[name](str(Path(path).absolute()), file))
    except subprocess.TimeoutExpired:
        return ProgramResult(name, missing=f"not done after {_SECONDS_MAX} seconds")
    except (OSError, subprocess.SubprocessError, ValueError, IndexError) as error:
        return ProgramResult(name, missing=f"could not be run or understood: {error}")


def _output_of(*command: str) -> str:
    ended = subprocess.run(command, check=True, capture_output=True, text=True, timeout=_SECONDS_MAX)  # noqa: S603
    return ended.stdout


def _ent(path: str, file: Path) -> tuple[ProgramTrial, ...]:
    """Read ent's chi-square of the bytes; its other figures have no verdict."""
    names, figures = (line.split(",") for line in _output_of(path, "-t", str(file)).splitlines()[:2])
    chi_square = float(figures[names.index("Chi-square")])
    p = two_sided(*chi_square_ends(chi_square, 255))
    verdict = "FAILED" if p < _FAILED_BELOW else "WEAK" if p < _WEAK_BELOW else "PASSED"
    return (ProgramTrial("chi-square of bytes", p, verdict),)


def _dieharder(path: str, file: Path) -> tuple[ProgramTrial, ...]:
    columns = [option for column in _COLUMNS for option in ("-D", column)]
    trials: list[ProgramTrial] = []
    for number in _DIEHARDER_TESTS:
        output = _output_of(path, "-g", "201", "-f", str(file), "-d", str(number), "-c", ",", *columns)
        lines = [line for line in output.splitlines() if line.strip() and not line.startswith("#")]
        if not lines:
            raise ValueError(f"test {number} said nothing")
        for line in lines:
            test, p, verdict = (cell.strip() for cell in line.split(","))
            if verdict not in _VERDICTS:
                raise ValueError(f"test {number} said {line!r}")
            trials.append(ProgramTrial(test, float(p), verdict))
    return tuple(trials)


BYTES = 1 << 24
ROUNDS = 1_000_000
ROUNDS_MIN = 10_000
_CHUNK = 1 << 14
_COMPARED = 64
_PACKAGES = ("pitboss", "cryptography", "numpy", "numba")


class ReportError(Exception):
    """A report cannot be made, because what was counted is not what is dealt live."""


@dataclass(frozen=True, slots=True, kw_only=True)
class RandomnessRequest:
    """What a report is made on: a key, its block of raw words, how many bytes of it, the rounds of later blocks."""

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
        if self.length < battery.BYTES_MIN:
            wrong.append(f"{self.length:,} bytes are too few: {battery.BYTES_MIN:,} at least")
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
class RandomnessReport:
    """All trials, and what they were computed from."""

    request: RandomnessRequest
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
        """True if nothing failed, the programs of others included."""
        return not self.failing and not any(program.failed for program in self.programs)

    def as_json(self, *, show_key: bool) -> dict[str, Any]:
        """Return everything for another program to read; the key itself only on request."""
        return {
            "passed": self.passed,
            "confidence": 1 - ALPHA,
            "rule": "Holm over all trials, p-values two-sided",
            "key": key_text(self.request.key) if show_key else None,
            "key_sha256": hashlib.sha256(self.request.key).hexdigest(),
            "raw": {"block": self.request.block, "bytes": self.request.length, "sha256": self.raw_sha256},
            "rounds": {"first_block": self.request.block + 1, "rounds": self.request.rounds},
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


def steps_of(request: RandomnessRequest) -> int:
    """Return how many rounds `done` is called with in all: those of every deck."""
    return request.rounds * len({game.deck for game in all_games()})


def make_report(
    request: RandomnessRequest, *, store: OddsStore | None, done: Done = lambda _what, _rounds: None
) -> RandomnessReport:
    """Run all trials; `done` is called with what was tried and its number of rounds."""
    request.check()
    done("raw words", 0)
    raw = b"".join(raw_bytes(request.key, request.block, request.length))
    trials = battery.word_trials(raw)
    decks = []
    for number, (deck, read) in enumerate(_by_deck(store, done).items()):
        done(deck.words, 0)
        dealt, deck_results = _try_deck(request, deck, read, number == 0, done)
        decks.append(dealt)
        trials += deck_results
    done("programs of others", 0)
    return RandomnessReport(
        request=request,
        raw_sha256=hashlib.sha256(raw).hexdigest(),
        decks=tuple(decks),
        trials=tuple(trials),
        programs=run_programs(request.key, request.block) if request.programs else (),
        versions={
            **{name: version(name) for name in _PACKAGES},
            "python": platform.python_version(),
            "source": source_hash(),
        },
    )


def _by_deck(store: OddsStore | None, done: Done) -> dict[Deck, list[battery.HandsRead]]:
    by_deck: dict[Deck, list[battery.HandsRead]] = {}
    for game in all_games():
        done(f"exact counts of {game.name}", 0)
        for read in battery.hands_of(game, store):
            by_deck.setdefault(read.deck, []).append(read)
    return by_deck


@dataclass(slots=True)
class _Chunk:
    """What was counted in some rounds, and their shoes as bytes."""

    cards: bytes
    tally: battery.ShoeTally
    histograms: list[Any]
    openings: Any


def _try_deck(
    request: RandomnessRequest, deck: Deck, read: list[battery.HandsRead], openings: bool, done: Done
) -> tuple[DealtDeck, list[Trial]]:
    """Deal all rounds of a deck in pieces, on every core, and count them; the SHA-256 goes over them in order."""
    digest, total = hashlib.sha256(), _Chunk(b"", battery.ShoeTally(deck.size), [0] * len(read), [])
    for start, chunk in _in_order(lambda start: _count(request, deck, read, start), range(0, request.rounds, _CHUNK)):
        digest.update(chunk.cards)
        total.tally.merge(chunk.tally)
        total.histograms = [before + more for before, more in zip(total.histograms, chunk.histograms, strict=True)]
        if openings:
            total.openings.append(chunk.openings)
        done(deck.words, min(_CHUNK, request.rounds - start))
    _compare_with_live(request, deck)
    trials = deck_trials(deck.words, total.tally, read, total.histograms)
    if openings:
        trials.append(battery.opening_trial(numpy.concatenate(total.openings)))
    games = tuple(dict.fromkeys(hands.game.name for hands in read))
    return DealtDeck(deck, games, request.rounds, digest.hexdigest()), trials


def deck_trials(of: str, tally: battery.ShoeTally, read: list[battery.HandsRead], histograms: list[Any]) -> list[Trial]:
    """Try the shoes of a deck and the hands of its games."""
    hands = [
        fit("hand frequency", f"{hands.game.name} {hands.wager.name}", histogram, hands.counts)
        for hands, histogram in zip(read, histograms, strict=True)
    ]
    return [*battery.shoe_trials(of, tally), *hands]


def _count(request: RandomnessRequest, deck: Deck, read: list[battery.HandsRead], start: int) -> _Chunk:
    rounds = min(_CHUNK, request.rounds - start)
    shoes = battery.deal_shoes(request.key, request.block + 1 + start, rounds, deck.size)
    tally = battery.ShoeTally(deck.size)
    tally.add(shoes.orders)
    cards = numpy.array(deck.cards, dtype=numpy.uint8)[shoes.orders]
    return _Chunk(cards.tobytes(), tally, [hands.histogram_of(cards) for hands in read], shoes.openings)


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


def _compare_with_live(request: RandomnessRequest, deck: Deck) -> None:
    """Compare the rounds that were counted with those of the live door, on some from the first to the last."""
    steps = {request.rounds * number // _COMPARED for number in range(_COMPARED)} | {request.rounds - 1}
    for step in sorted(steps):
        block = request.block + 1 + step
        live = LiveDealing(request.key, MemoryLock(), first_block=block).next_shoe(deck).cards
        counted = battery.deal_shoes(request.key, block, 1, deck.size).orders[0]
        if tuple(deck.cards[place] for place in counted) != live:
            raise ReportError(f"block {block}: the shoe that was counted is not the one dealt live")
