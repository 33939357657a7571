"""Health of the words that deal live rounds: known answers before the first round, continuous tests after it.

The tests are those of NIST SP 800-90B, section 4.4, for words of full entropy, with its smallest false-alarm rate of
2**-40; they are held against R-04 (no stream comes twice) and R-06 (play stops when the generator fails).
"""

import struct
from collections import deque
from collections.abc import Callable
from functools import cache
from math import comb
from typing import Final

from pitboss.cards import STANDARD_DECK, KeyStream, WordSource, cards_text, shuffled

FALSE_ALARM_BITS: Final = 40
_WORD_BITS: Final = 32
_BIT_WINDOW: Final = 1024
_BYTE_WINDOW: Final = 512
_WORDS: Final = _BYTE_WINDOW * 8 // _WORD_BITS
_PACKED: Final = struct.Struct(f"<{_WORDS}I")
_OPENING_WORDS: Final = 8
_OPENING: Final = struct.Struct(f"<{_OPENING_WORDS}I")
_OPENINGS: Final = 65_536

# RFC 8439: key, nonce, number of the first 64-byte piece, key stream.
_RFC_8439: Final = (
    (
        "A.1, test vectors 1 and 2",
        bytes(32),
        bytes(12),
        0,
        (
            "76b8e0ada0f13d90405d6ae55386bd28bdd219b8a08ded1aa836efcc8b770dc7"
            "da41597c5157488d7724e03fb8d84a376a43b8f41518a11cc387b669b2ee6586"
            "9f07e7be5551387a98ba977c732d080dcb0f29a048e3656912c6533e32ee7aed"
            "29b721769ce64e43d57133b074d839d531ed1f28510afb45ace10a1f4b794d6f"
        ),
    ),
    (
        "A.1, test vector 5",
        bytes(32),
        bytes(11) + b"\2",
        0,
        (
            "c2c64d378cd536374ae204b9ef933fcd1a8b2288b3dfa49672ab765b54ee27c7"
            "8a970e0e955c14f3a88e741b97c286f75f8fc299e8148362fa198a39531bed6d"
        ),
    ),
    (
        "2.3.2",
        bytes(range(32)),
        bytes.fromhex("000000090000004a00000000"),
        1,
        (
            "10f1e7e4d13b5915500fdd1fa32071c4c7d1f4c733c068030422aa9ac3d46c4e"
            "d2826446079faa0914c2d705d98b02a2b5129cd1de164eb9cbd083e8a2503c4e"
        ),
    ),
)
_SHOE_KEY: Final = bytes(range(32))
_SHOE_BLOCK: Final = 7
_SHOE: Final = (
    "4d 8h Kd 2d Qs 7d Qh 4s Jh 8d Th Tc 5c 7c Ts 3c Ad 7s 2c Js Jc 5s 9s 3d 6d Qd "
    "3h Kc Ac Jd 2h 6c 8s Ah 8c As Kh 5h 3s 9d 7h 9c 6s 2s 5d Ks Qc Td 4h 9h 4c 6h"
)


class HealthError(Exception):
    """A health test failed; `test` is its name."""

    def __init__(self, test: str, words: str) -> None:
        super().__init__(f"{test}: {words}")
        self.test = test
        self.words = words


def check_known_answers(open_stream: Callable[[bytes, int], WordSource] = KeyStream) -> None:
    """Compare the stream with RFC 8439 and a shoe with the one known for its key; raise a HealthError (R-06)."""
    for place, key, nonce, first, expected in _RFC_8439:
        stream = open_stream(key, int.from_bytes(nonce, "little"))
        for _ in range(16 * first):
            stream.word()
        words = [stream.word() for _ in range(len(expected) // 8)]
        if struct.pack(f"<{len(words)}I", *words).hex() != expected:
            raise HealthError("known answer", f"the key stream is not the one printed in RFC 8439, {place}")
    shoe = shuffled(STANDARD_DECK.cards, open_stream(_SHOE_KEY, _SHOE_BLOCK))
    if cards_text(shoe) != _SHOE:
        raise HealthError("known answer", "the shuffle does not give the shoe known for its key")


def repetition_cutoff(bits: int) -> int:
    """How many equal samples in a row are too many (SP 800-90B, 4.4.1), for samples of so many bits of entropy."""
    return 1 - FALSE_ALARM_BITS // -bits


@cache
def adaptive_cutoff(window: int, bits: int) -> int:
    """How often one sample is too often in a window (SP 800-90B, 4.4.2), for samples of so many bits of entropy.

    That is one more than the least k at which the binomial distribution reaches 1 - 2**-40, in whole numbers.
    """
    others = (1 << bits) - 1
    total = 1 << bits * window
    above = total
    for k in range(window + 1):
        above -= comb(window, k) * others ** (window - k)
        if above << FALSE_ALARM_BITS <= total:
            return k + 1
    raise AssertionError("a binomial distribution ends at the size of its window")


class HealthMonitor:
    """Watches words in the order in which they are used, across all streams of a table."""

    __slots__ = ("_last", "_openings", "_recent", "_run", "_window")

    def __init__(self) -> None:
        self._last = -1
        self._run = 0
        self._window: list[int] = []
        self._openings: set[bytes] = set()
        self._recent: deque[bytes] = deque()

    def observe(self, word: int) -> None:
        """Check one word; raise a HealthError where a test fails."""
        if word == self._last:
            self._run += 1
            if self._run >= repetition_cutoff(_WORD_BITS):
                raise HealthError("repetition count", f"the word {word:#010x} came {self._run} times in a row")
        else:
            self._last, self._run = word, 1
        self._window.append(word)
        if len(self._window) == _WORDS:
            window = _PACKED.pack(*self._window)
            self._window.clear()
            _check_bits(window)
            _check_bytes(window)

    def opened(self, words: list[int]) -> None:
        """Check the first 256 bits of a stream: none of the last 65,536 streams began with them (R-04)."""
        opening = _OPENING.pack(*words)
        if opening in self._openings:
            raise HealthError("repeated stream", "a stream began with the same 256 bits as an earlier one")
        self._openings.add(opening)
        self._recent.append(opening)
        if len(self._recent) > _OPENINGS:
            self._openings.discard(self._recent.popleft())


def _check_bits(window: bytes) -> None:
    """Test the proportion of the commoner bit: windows of 1,024 bits."""
    size = _BIT_WINDOW // 8
    for start in range(0, len(window), size):
        ones = int.from_bytes(window[start : start + size], "little").bit_count()
        commoner = max(ones, _BIT_WINDOW - ones)
        if commoner >= adaptive_cutoff(_BIT_WINDOW, 1):
            raise HealthError("adaptive proportion", f"{commoner} of {_BIT_WINDOW:,} bits are the same")


def _check_bytes(window: bytes) -> None:
    """Test the proportion of the first byte: a window of 512 bytes."""
    often = window.count(window[0])
    if often >= adaptive_cutoff(_BYTE_WINDOW, 8):
        raise HealthError("adaptive proportion", f"the byte {window[0]} came {often} times in {_BYTE_WINDOW}")


class HealthySource:
    """A source of words that passes each one by a monitor before it gives it out."""

    __slots__ = ("_monitor", "_opening", "_source")

    def __init__(self, source: WordSource, monitor: HealthMonitor) -> None:
        if source.word_bits != _WORD_BITS:
            raise ValueError(f"the health tests are for words of {_WORD_BITS} bits, not {source.word_bits}")
        self._source = source
        self._monitor = monitor
        # The opening is looked at before the first word is used: a stream known already deals no card.
        self._opening = [source.word() for _ in range(_OPENING_WORDS)]
        monitor.opened(self._opening)
        self._opening.reverse()

    @property
    def word_bits(self) -> int:
        """How many bits a word has."""
        return self._source.word_bits

    def word(self) -> int:
        """Return the next word, if the monitor has nothing against it."""
        word = self._opening.pop() if self._opening else self._source.word()
        self._monitor.observe(word)
        return word
