"""A second, naive way to the same shoes, written from the text of RFC 8439.

It shares nothing with `pitboss.cards`: no cipher library, no buffer, and the bounded
draw is the plain rule (throw a product away when its low part is below 2**32 mod n) on
whole integers.
"""

from collections.abc import Iterator

# The four constant words spell "expand 32-byte k" (section 2.3).
_CONSTANTS = b"expand 32-byte k"
_ROUNDS = (
    (0, 4, 8, 12),
    (1, 5, 9, 13),
    (2, 6, 10, 14),
    (3, 7, 11, 15),
    (0, 5, 10, 15),
    (1, 6, 11, 12),
    (2, 7, 8, 13),
    (3, 4, 9, 14),
)


def _add(left: int, right: int) -> int:
    return (left + right) % 2**32


def _roll(value: int, count: int) -> int:
    return (value << count) % 2**32 + (value >> (32 - count))


def quarter_round(a: int, b: int, c: int, d: int) -> tuple[int, int, int, int]:
    """Do the quarter round of section 2.1."""
    a = _add(a, b)
    d = _roll(d ^ a, 16)
    c = _add(c, d)
    b = _roll(b ^ c, 12)
    a = _add(a, b)
    d = _roll(d ^ a, 8)
    c = _add(c, d)
    b = _roll(b ^ c, 7)
    return a, b, c, d


def _little_endian_words(data: bytes) -> list[int]:
    return [int.from_bytes(data[at : at + 4], "little") for at in range(0, len(data), 4)]


def chacha20_piece(key: bytes, counter: int, nonce: bytes) -> bytes:
    """Give the 64 bytes of the block function of section 2.3."""
    start = _little_endian_words(_CONSTANTS + key + counter.to_bytes(4, "little") + nonce)
    state = list(start)
    for _ in range(10):
        for a, b, c, d in _ROUNDS:
            state[a], state[b], state[c], state[d] = quarter_round(state[a], state[b], state[c], state[d])
    return b"".join(_add(first, last).to_bytes(4, "little") for first, last in zip(start, state, strict=True))


def words(key: bytes, block: int) -> Iterator[int]:
    """Give the words of the stream of a key and a block number."""
    for counter in range(2**32):
        piece = chacha20_piece(key, counter, block.to_bytes(12, "little"))
        yield from _little_endian_words(piece)


def shoe(size: int, key: bytes, block: int) -> list[int]:
    """Give the places 0 to size - 1 in the order the stream shuffles them."""
    source = words(key, block)
    order = list(range(size))
    for i in reversed(range(1, size)):
        n = i + 1
        j, rest = divmod(next(source) * n, 2**32)
        while rest < 2**32 % n:
            j, rest = divmod(next(source) * n, 2**32)
        order[i], order[j] = order[j], order[i]
    return order
