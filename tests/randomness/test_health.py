"""Health of live words: each broken source is named and locks dealing, and only a person opens the lock (R-06)."""

from __future__ import annotations

import json
import math
from collections.abc import Callable
from fractions import Fraction
from pathlib import Path
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pitboss.cards import JOKER_DECK, STANDARD_DECK, Deck, KeyStream, WordSource, shuffled
from pitboss.randomness import DealingLockedError, Failure, FileLock, LiveDealing, MemoryLock, default_lock
from pitboss.randomness.health import (
    FALSE_ALARM_BITS,
    HealthError,
    HealthMonitor,
    HealthySource,
    adaptive_cutoff,
    check_known_answers,
    repetition_cutoff,
)
from tests.cards import twin
from tests.examples import examples
from tests.randomness.streams import ALL_ZERO, Words, ignoring_the_block, mostly_ones, stuck

KEY = bytes(range(32))


def chance_of_at_least(k: int, window: int, bits: int) -> Fraction:
    """The upper end of a binomial distribution, summed from the top."""
    p = Fraction(1, 2**bits)
    return sum((math.comb(window, i) * p**i * (1 - p) ** (window - i) for i in range(k, window + 1)), Fraction(0))


@pytest.mark.parametrize(("window", "bits"), [(1024, 1), (512, 8), (64, 4)])
def test_r_06_the_adaptive_cutoff_is_the_least_with_so_rare_a_false_alarm(window: int, bits: int) -> None:
    cutoff = adaptive_cutoff(window, bits)
    rare = Fraction(1, 2**FALSE_ALARM_BITS)
    assert chance_of_at_least(cutoff, window, bits) <= rare < chance_of_at_least(cutoff - 1, window, bits)


def test_r_06_the_repetition_cutoff_is_that_of_sp_800_90b() -> None:
    assert {bits: repetition_cutoff(bits) for bits in (1, 8, 32, 40, 64)} == {1: 41, 8: 6, 32: 3, 40: 2, 64: 2}


class NaiveMonitor:
    """SP 800-90B, 4.4, sample by sample as it is written, with the cutoffs as numbers."""

    def __init__(self) -> None:
        self.words: list[int] = []

    def verdict(self, words: list[int]) -> str | None:
        run = 0
        for number, word in enumerate(words):
            run = run + 1 if number and word == words[number - 1] else 1
            if run == 3:
                return "repetition count"
            if (number + 1) % 128 == 0 and self.uneven(words[number - 127 : number + 1]):
                return "adaptive proportion"
        return None

    @staticmethod
    def uneven(words: list[int]) -> bool:
        numbers = [word >> shift & 255 for word in words for shift in (0, 8, 16, 24)]
        bits = [number >> place & 1 for number in numbers for place in range(8)]
        by_window = [sum(bits[start : start + 1024]) for start in range(0, 4096, 1024)]
        uneven_bits = any(ones >= 625 or 1024 - ones >= 625 for ones in by_window)
        return uneven_bits or sum(number == numbers[0] for number in numbers) >= 19


def found_by(monitor: HealthMonitor, words: list[int]) -> str | None:
    for word in words:
        try:
            monitor.observe(word)
        except HealthError as error:
            return error.test
    return None


@examples(30)
@given(st.integers(), st.integers(0, 24), st.integers(0, 3))
def test_r_06_the_monitor_finds_what_the_standard_finds_sample_by_sample(seed: int, weight: int, few: int) -> None:
    """Words of bits that are one a little too often, of few different bytes, or with words that come again."""
    random = Random(seed)

    def word() -> int:
        if few:
            return sum(random.randrange(4**few) * 3 % 256 << shift for shift in (0, 8, 16, 24))
        return sum((random.randrange(100) < 40 + weight) << place for place in range(32))

    words = [word() for _ in range(300)]
    if random.randrange(4) == 0:
        at = random.randrange(297)
        words[at : at + 3] = [words[at]] * 3
    assert NaiveMonitor().verdict(words) == found_by(HealthMonitor(), words)


def windows_of(numbers: bytes) -> list[int]:
    return [int.from_bytes(numbers[start : start + 4], "little") for start in range(0, len(numbers), 4)]


@pytest.mark.parametrize(("often", "found"), [(18, None), (19, "adaptive proportion")])
def test_r_06_a_byte_fails_from_its_cutoff_on_and_not_before(often: int, found: str | None) -> None:
    """The first byte so often among 512, and no other more than four times."""
    rest = [number for number in range(256) if number != 7] * 3
    others = [7] * (often - 1) + rest[: 512 - often]
    Random(1).shuffle(others)
    assert found_by(HealthMonitor(), windows_of(Random(1).randbytes(512) + bytes([7, *others]))) == found


@pytest.mark.parametrize("bit", [0, 1])
@pytest.mark.parametrize(("often", "found"), [(624, None), (625, "adaptive proportion")])
def test_r_06_a_bit_fails_from_its_cutoff_on_and_not_before(bit: int, often: int, found: str | None) -> None:
    bits = [bit] * often + [1 - bit] * (1024 - often)
    Random(2).shuffle(bits)
    odd_window = sum(value << place for place, value in enumerate(bits)).to_bytes(128, "little")
    assert found_by(HealthMonitor(), windows_of(Random(3).randbytes(384) + odd_window)) == found


def test_r_06_a_good_stream_passes_and_is_given_on_unchanged() -> None:
    source = HealthySource(KeyStream(KEY), HealthMonitor())
    plain = KeyStream(KEY)
    assert [plain.word() for _ in range(20_000)] == [source.word() for _ in range(20_000)]
    assert source.word_bits == 32


def test_words_of_another_size_are_refused() -> None:
    source = Words(lambda _: 0)
    source.word_bits = 8
    with pytest.raises(ValueError, match="words of 32 bits, not 8"):
        HealthySource(source, HealthMonitor())


def stream_of_the_twin(key: bytes, block: int) -> WordSource:
    words = twin.words(key, block)
    return Words(lambda _: next(words))


def test_r_06_the_known_answers_are_those_of_the_twin_too() -> None:
    check_known_answers()
    check_known_answers(stream_of_the_twin)


def wrong_counter(key: bytes, block: int) -> WordSource:
    """ChaCha20 whose pieces are counted from 1."""
    stream = KeyStream(key, block)
    for _ in range(16):
        stream.word()
    return stream


def wrong_order(key: bytes, block: int) -> WordSource:
    """Words read with their bytes turned round."""
    stream = KeyStream(key, block)
    return Words(lambda _: int.from_bytes(stream.word().to_bytes(4, "little"), "big"))


BROKEN: list[tuple[Callable[[bytes, int], WordSource], str]] = [
    (ALL_ZERO, "known answer"),
    (ignoring_the_block, "known answer"),
    (wrong_counter, "known answer"),
    (wrong_order, "known answer"),
]


@pytest.mark.parametrize(("broken", "test"), BROKEN, ids=lambda value: getattr(value, "__name__", value))
def test_r_06_a_wrong_stream_fails_the_known_answers_before_a_card_is_dealt(
    broken: Callable[[bytes, int], WordSource], test: str
) -> None:
    lock = MemoryLock()
    with pytest.raises(DealingLockedError, match=f"dealing is locked.*{test}"):
        LiveDealing(KEY, lock, open_stream=broken).next_shoe(STANDARD_DECK)
    failure = lock.failure()
    assert failure is not None
    assert failure.test == test


def test_r_09_a_wrong_shuffle_fails_the_known_answers(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("pitboss.randomness.health.shuffled", lambda cards, _stream: tuple(cards))
    with pytest.raises(HealthError, match="the shuffle does not give"):
        check_known_answers()


def deal_shoes(dealing: LiveDealing, number: int) -> None:
    for _ in range(number):
        dealing.next_shoe(STANDARD_DECK)


LATER_BROKEN: list[tuple[Callable[[bytes, int], WordSource], str]] = [
    (stuck(20), "repetition count"),
    (mostly_ones, "adaptive proportion"),
    (ignoring_the_block, "repeated stream"),
]


@pytest.mark.parametrize(("broken", "test"), LATER_BROKEN, ids=["stuck", "biased", "repeated"])
def test_r_06_a_source_that_breaks_after_the_start_is_caught_by_name(
    broken: Callable[[bytes, int], WordSource], test: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("pitboss.randomness.live.check_known_answers", lambda _open_stream: None)
    lock = MemoryLock()
    dealing = LiveDealing(KEY, lock, open_stream=broken)
    with pytest.raises(DealingLockedError, match=test):
        deal_shoes(dealing, 20)


class Breaking:
    """A stream that is stuck while a switch is on."""

    def __init__(self) -> None:
        self.broken = False

    def __call__(self, key: bytes, block: int) -> WordSource:
        return ALL_ZERO(key, block) if self.broken else KeyStream(key, block)


def test_r_06_dealing_stays_locked_until_a_person_opens_it_and_is_tried_again_then() -> None:
    opens, lock = Breaking(), MemoryLock()
    dealing = LiveDealing(KEY, lock, open_stream=opens)
    first = dealing.next_shoe(STANDARD_DECK)
    opens.broken = True
    for _ in range(3):
        with pytest.raises(DealingLockedError, match="repetition count"):
            dealing.next_shoe(STANDARD_DECK)
    opens.broken = False
    with pytest.raises(DealingLockedError):
        dealing.next_shoe(STANDARD_DECK)
    lock.open("Ada", "memory replaced")
    later = dealing.next_shoe(STANDARD_DECK)
    # The block of the shoe that failed is not used again.
    assert (first.block, later.block) == (1, 3)
    opens.broken = True
    lock.open("Ada", "again")
    with pytest.raises(DealingLockedError):
        dealing.next_shoe(STANDARD_DECK)
    lock.open("Ada", "not repaired at all")
    with pytest.raises(DealingLockedError, match="known answer"):
        dealing.next_shoe(STANDARD_DECK)


def test_r_06_another_dealer_under_the_same_lock_deals_no_card_either() -> None:
    lock = MemoryLock()
    with pytest.raises(DealingLockedError):
        LiveDealing(KEY, lock, open_stream=ALL_ZERO).next_shoe(STANDARD_DECK)
    with pytest.raises(DealingLockedError):
        LiveDealing(bytes(32), lock).next_shoe(STANDARD_DECK)


@pytest.mark.parametrize("deck", [STANDARD_DECK, JOKER_DECK, Deck(decks=8)], ids=lambda deck: deck.words)
def test_r_04_live_shoes_are_the_shuffles_of_the_key_block_after_block(deck: Deck) -> None:
    dealing = LiveDealing(KEY, MemoryLock(), first_block=5)
    for block in range(5, 25):
        shoe = dealing.next_shoe(deck)
        assert (block, shuffled(deck.cards, KeyStream(KEY, block))) == (shoe.block, shoe.cards)
    assert "hidden key, next block=25" in repr(dealing)


def test_r_04_only_the_last_streams_are_remembered(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("pitboss.randomness.health._OPENINGS", 3)
    monitor = HealthMonitor()
    for block in (0, 1, 2, 3, 0):
        HealthySource(KeyStream(KEY, block), monitor)
    with pytest.raises(HealthError, match="repeated stream"):
        HealthySource(KeyStream(KEY, 3), monitor)


FAILURE = Failure("repetition count", "the word 0x00000000 came 3 times in a row", "2026-11-16T04:00:00+00:00")
OTHER = Failure("known answer", "wrong", "2026-11-16T05:00:00+00:00")


def test_r_06_a_lock_on_disk_outlives_the_process_and_tells_who_opened_it(tmp_path: Path) -> None:
    folder = tmp_path / "not" / "there" / "yet"
    assert FileLock(folder).failure() is None
    FileLock(folder).close(FAILURE)
    FileLock(folder).close(OTHER)
    assert FAILURE == FileLock(folder).failure()
    FileLock(folder).open("Ada Byron", "memory replaced")
    assert FileLock(folder).failure() is None
    told = [json.loads(line) for line in FileLock(folder).log.read_text(encoding="utf-8").splitlines()]
    assert [entry["event"] for entry in told] == ["locked", "opened"]
    assert told[1]["by"] == "Ada Byron"
    assert told[1]["reason"] == "memory replaced"


@pytest.mark.parametrize(("person", "reason", "missing"), [("", " ", "who opens it and why"), ("Ada", "", "say why")])
@pytest.mark.parametrize("kind", ["memory", "file"])
def test_g_27_r_06_nobody_opens_the_lock_without_name_and_reason(
    kind: str, person: str, reason: str, missing: str, tmp_path: Path
) -> None:
    lock = MemoryLock() if kind == "memory" else FileLock(tmp_path)
    lock.close(FAILURE)
    with pytest.raises(ValueError, match=missing):
        lock.open(person, reason)
    assert FAILURE == lock.failure()


@pytest.mark.parametrize("content", [b"", b"{}", b"[1]", b"\xff", b'{"test": 1}'])
def test_g_27_r_06_a_damaged_lock_counts_as_closed(content: bytes, tmp_path: Path) -> None:
    lock = FileLock(tmp_path)
    lock.file.write_bytes(content)
    assert lock.failure() is not None
    lock.open("Ada", "looked at it")
    assert lock.failure() is None


def test_r_06_a_lock_that_cannot_be_written_is_closed_all_the_same(tmp_path: Path) -> None:
    (tmp_path / "a file").write_text("in the way")
    lock = FileLock(tmp_path / "a file")
    lock.close(FAILURE)
    assert lock.failure() is not None


def test_opening_a_lock_that_is_open_tells_nothing(tmp_path: Path) -> None:
    FileLock(tmp_path).open("Ada", "to be sure")
    assert list(tmp_path.iterdir()) == []


def test_the_lock_is_in_the_state_folder_of_the_user(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("PITBOSS_STATE_DIR", str(tmp_path / "named"))
    assert tmp_path / "named" == default_lock().file.parent
    monkeypatch.delenv("PITBOSS_STATE_DIR")
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path / "state"))
    assert tmp_path / "state" / "pitboss" == default_lock().file.parent
    monkeypatch.delenv("XDG_STATE_HOME")
    monkeypatch.setenv("HOME", str(tmp_path))
    assert tmp_path / ".local" / "state" / "pitboss" == default_lock().file.parent


def test_dealing_loads_neither_numpy_nor_numba() -> None:
    import subprocess  # noqa: PLC0415
    import sys  # noqa: PLC0415

    asks = "import sys; from pitboss.randomness import LiveDealing, default_lock; print('numpy' in sys.modules)"
    told = subprocess.run([sys.executable, "-c", asks], check=True, capture_output=True, text=True)  # noqa: S603
    assert told.stdout == "False\n"
