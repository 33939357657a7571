"""Counting by compiled loops: rounds dealt as live ones are, and what the battery counts in words and in shoes.

The words of a round are those of `pitboss.cards.KeyStream` and its shoe that of `pitboss.cards.shuffled`; a report
compares the two before it counts, and the tests compare them on whole streams. Everything is a plain integer of 64
bits, so that the same functions run without being compiled.
"""

from typing import Any

PIECE_WORDS = 16
_MASK = 0xFFFFFFFF
_WORD = 1 << 32
_DOUBLE_ROUNDS = 10


def quarter_round(a: int, b: int, c: int, d: int) -> tuple[int, int, int, int]:
    """Mix four words as RFC 8439, 2.1, says."""
    a = (a + b) & _MASK
    d ^= a
    d = (d << 16 | d >> 16) & _MASK
    c = (c + d) & _MASK
    b ^= c
    b = (b << 12 | b >> 20) & _MASK
    a = (a + b) & _MASK
    d ^= a
    d = (d << 8 | d >> 24) & _MASK
    c = (c + d) & _MASK
    b ^= c
    b = (b << 7 | b >> 25) & _MASK
    return a, b, c, d


def fill_piece(key: Any, piece: int, n0: int, n1: int, n2: int, words: Any) -> None:
    """Write one piece of 16 words of the ChaCha20 key stream (RFC 8439, 2.3) at its place."""
    c0, c1, c2, c3 = 0x61707865, 0x3320646E, 0x79622D32, 0x6B206574
    k0, k1, k2, k3, k4, k5, k6, k7 = key[0], key[1], key[2], key[3], key[4], key[5], key[6], key[7]
    d0, d1, d2, d3 = piece, n0, n1, n2
    for _ in range(_DOUBLE_ROUNDS):
        c0, k0, k4, d0 = quarter_round(c0, k0, k4, d0)
        c1, k1, k5, d1 = quarter_round(c1, k1, k5, d1)
        c2, k2, k6, d2 = quarter_round(c2, k2, k6, d2)
        c3, k3, k7, d3 = quarter_round(c3, k3, k7, d3)
        c0, k1, k6, d3 = quarter_round(c0, k1, k6, d3)
        c1, k2, k7, d0 = quarter_round(c1, k2, k7, d0)
        c2, k3, k4, d1 = quarter_round(c2, k3, k4, d1)
        c3, k0, k5, d2 = quarter_round(c3, k0, k5, d2)
    at = piece * 16
    words[at], words[at + 1] = (c0 + 0x61707865) & _MASK, (c1 + 0x3320646E) & _MASK
    words[at + 2], words[at + 3] = (c2 + 0x79622D32) & _MASK, (c3 + 0x6B206574) & _MASK
    words[at + 4], words[at + 5] = (k0 + key[0]) & _MASK, (k1 + key[1]) & _MASK
    words[at + 6], words[at + 7] = (k2 + key[2]) & _MASK, (k3 + key[3]) & _MASK
    words[at + 8], words[at + 9] = (k4 + key[4]) & _MASK, (k5 + key[5]) & _MASK
    words[at + 10], words[at + 11] = (k6 + key[6]) & _MASK, (k7 + key[7]) & _MASK
    words[at + 12], words[at + 13] = (d0 + piece) & _MASK, (d1 + n0) & _MASK
    words[at + 14], words[at + 15] = (d2 + n1) & _MASK, (d3 + n2) & _MASK


def shuffle_into(words: Any, available: int, order: Any, size: int) -> bool:
    """Shuffle the places 0 to size - 1 as `shuffled` does; say no where the words do not suffice."""
    for place in range(size):
        order[place] = place
    used = 0
    for i in range(size - 1, 0, -1):
        n = i + 1
        while True:
            if used == available:
                return False
            product = words[used] * n
            used += 1
            low = product & _MASK
            if low >= n or low >= _WORD % n:
                break
        j = product >> 32
        held = order[i]
        order[i] = order[j]
        order[j] = held
    return True


def deal_rounds(key: Any, first: Any, pieces: int, words: Any, shoes: Any, openings: Any, short: Any) -> None:
    """Deal a round from each block number from the first on; a round short of words is marked and left to others."""
    size = shoes.shape[1]
    for index in range(shoes.shape[0]):
        low = first[0] + index
        middle = first[1] + (low >> 32)
        high = first[2] + (middle >> 32)
        for piece in range(pieces):
            fill_piece(key, piece, low & _MASK, middle & _MASK, high & _MASK, words)
        openings[index, 0] = words[0]
        openings[index, 1] = words[1]
        if not shuffle_into(words, pieces * 16, shoes[index], size):
            short[index] = 1


def tally_shoes(shoes: Any, positions: Any, neighbours: Any, fixed: Any, carried: Any) -> None:
    """Count cards by position, each card's next one (the first follows the last), cards at home and cards that stay."""
    size = shoes.shape[1]
    for index in range(shoes.shape[0]):
        at_home = 0
        stay = 0
        before = shoes[index, size - 1]
        for place in range(size):
            card = shoes[index, place]
            positions[place, card] += 1
            neighbours[before, card] += 1
            before = card
            if card == place:
                at_home += 1
            if index and card == shoes[index - 1, place]:
                stay += 1
        fixed[at_home] += 1
        if index:
            carried[stay] += 1


def tally_bits(words: Any, ones: Any, changes: Any) -> None:
    """Count the ones at each of the 32 places of a word, and the bits that differ from the word before."""
    before = words[0]
    for index in range(words.shape[0]):
        word = words[index]
        change = word ^ before
        for place in range(32):
            ones[place] += word >> place & 1
            changes[place] += change >> place & 1
        before = word


def tally_bytes(numbers: Any, single: Any, pairs: Any) -> None:
    """Count bytes, and pairs of bytes that do not overlap."""
    for index in range(0, numbers.shape[0] - 1, 2):
        first, second = int(numbers[index]), int(numbers[index + 1])
        single[first] += 1
        single[second] += 1
        pairs[first * 256 + second] += 1


def tally_runs(words: Any, number: int, lengths: Any) -> int:
    """Count the lengths of the first so many runs of equal bits, words read from the lowest bit; give their number."""
    last = lengths.shape[0] - 1
    count = 0
    run = 0
    before = words[0] & 1
    for index in range(words.shape[0]):
        word = words[index]
        for place in range(32):
            bit = word >> place & 1
            if bit == before:
                run += 1
                continue
            lengths[min(run, last)] += 1
            count += 1
            if count == number:
                return count
            run = 1
            before = bit
    return count


def tally_gaps(numbers: Any, below: int, number: int, lengths: Any) -> int:
    """Count how many bytes lie between bytes less than a bound, for the first so many gaps; give their number."""
    last = lengths.shape[0] - 1
    count = 0
    gap = 0
    for index in range(numbers.shape[0]):
        if numbers[index] >= below:
            gap += 1
            continue
        lengths[min(gap, last)] += 1
        count += 1
        if count == number:
            return count
        gap = 0
    return count


def tally_orders(words: Any, size: int, orders: Any) -> None:
    """Count in which of all possible orders each group of so many words stands; of equal words the later is larger."""
    for start in range(0, words.shape[0] - size + 1, size):
        code = 0
        for place in range(size):
            smaller = 0
            for later in range(place + 1, size):
                if words[start + later] < words[start + place]:
                    smaller += 1
            code = code * (size - place) + smaller
        orders[code] += 1
