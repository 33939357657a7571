"""A replayable stream of random words, and unbiased numbers drawn from it.

The exact bytes are part of the interface: a recorded key must give the same cards
on every machine and in compiled code.
"""

import struct
from collections.abc import Iterator
from typing import Final, Protocol

from cryptography.hazmat.primitives.ciphers import Cipher, CipherContext
from cryptography.hazmat.primitives.ciphers.algorithms import ChaCha20

from pitboss.cards._keys import check_key

_BLOCK_BITS: Final = 96
_WORDS_BUFFERED: Final = 256
_ZEROS: Final = bytes(4 * _WORDS_BUFFERED)
_WORDS: Final = struct.Struct(f"<{_WORDS_BUFFERED}I")

# ChaCha20 counts 64-byte pieces in 32 bits. One step further, cryptography 50 raises
# an error of its own, but 44 carries into the nonce and goes on with the words of the
# next block number.
_BUFFERS_MAX: Final = 2**32 * 64 // len(_ZEROS)


class WordSource(Protocol):
    """Where random words come from: a key stream, or a test that tries them all."""

    @property
    def word_bits(self) -> int:
        """How many bits a word has; words are 0 to 2**word_bits - 1."""

    def word(self) -> int:
        """Give the next word; all words are equally likely."""


class StreamSpentError(Exception):
    """A stream has given all its 2**36 words; going on would repeat another's."""


def draw_below(source: WordSource, n: int) -> int:
    """Draw one of 0 to n - 1, each equally likely, for n from 1 to 2**word_bits.

    This is Lemire's multiplication with rejection. With words of b bits: the product
    of a word and n has the number drawn above its low b bits; it is thrown away, and
    the next word taken, while these low bits are less than 2**b mod n. Each call
    takes at least one word, also when n is 1.
    """
    bits = source.word_bits
    size = 1 << bits
    if not 1 <= n <= size:
        raise ValueError(f"n is {n}; it must be from 1 to {size}")
    product = source.word() * n
    low = product & (size - 1)
    # The remainder is less than n: only when low is too, is the division needed.
    if low < n:
        reject_below = size % n
        while low < reject_below:
            product = source.word() * n
            low = product & (size - 1)
    return product >> bits


class KeyStream:
    """The ChaCha20 key stream (RFC 8439) of a key and a block number, in words.

    The 64-byte pieces of the stream are counted from 0, and the nonce is the block
    number as 12 bytes, little-endian. `cryptography` takes both as one value of 16
    bytes: four bytes of counter, zero, then the twelve of the nonce. The bytes of
    the stream are read in order as little-endian words of 32 bits.

    The same key and block number give the same words; live play takes a fresh key,
    or a block number never used with the key before.
    """

    __slots__ = ("_block", "_words")

    word_bits: Final = 32

    def __init__(self, key: bytes, block: int = 0) -> None:
        """Start the stream at its first word."""
        self._block = block
        self._words = _words_of(stream_cipher(key, block))

    def __repr__(self) -> str:
        """Name the stream without its key, which would tell the cards to come."""
        return f"<KeyStream of a hidden key, block={self._block}>"

    def word(self) -> int:
        """Give the next word, 0 to 2**32 - 1."""
        word = next(self._words, None)
        if word is None:
            raise StreamSpentError("this stream is spent; take another key or block")
        return word

    def below(self, n: int) -> int:
        """Draw one of 0 to n - 1, each equally likely; see `draw_below`."""
        return draw_below(self, n)


def stream_cipher(key: bytes, block: int) -> CipherContext:
    """Give the cipher whose key stream the words are read from, for code that reads many at a time."""
    check_key(key)
    if not 0 <= block < 1 << _BLOCK_BITS:
        raise ValueError(f"block is {block}; it must be 0 to 2**{_BLOCK_BITS} - 1")
    nonce = bytes(4) + block.to_bytes(_BLOCK_BITS // 8, "little")
    return Cipher(ChaCha20(key, nonce), mode=None).encryptor()


def _words_of(encryptor: CipherContext) -> Iterator[int]:
    for _ in range(_BUFFERS_MAX):
        yield from _WORDS.unpack(encryptor.update(_ZEROS))
