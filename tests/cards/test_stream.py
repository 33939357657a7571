"""Tests of the stream of words and of unbiased numbers drawn from it."""

import copy
import pickle
from fractions import Fraction
from functools import partial
from itertools import islice

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pitboss import cards
from pitboss.cards import KeyStream, StreamSpentError, draw_below, fresh_key

from . import enumerated, twin

# RFC 8439, appendix A.1, test vectors 1 and 2: key and nonce all zero, counter 0 and 1.
RFC_8439_ZERO_KEY = bytes.fromhex(
    "76b8e0ada0f13d90405d6ae55386bd28bdd219b8a08ded1aa836efcc8b770dc7"
    "da41597c5157488d7724e03fb8d84a376a43b8f41518a11cc387b669b2ee6586"
    "9f07e7be5551387a98ba977c732d080dcb0f29a048e3656912c6533e32ee7aed"
    "29b721769ce64e43d57133b074d839d531ed1f28510afb45ace10a1f4b794d6f"
)


def stream_bytes(stream: KeyStream, length: int) -> bytes:
    words = (stream.word() for _ in range(length // 4))
    return b"".join(word.to_bytes(4, "little") for word in words)


def test_the_stream_of_the_zero_key_is_the_one_printed_in_rfc_8439() -> None:
    assert stream_bytes(KeyStream(bytes(32)), 128) == RFC_8439_ZERO_KEY


def test_the_twin_gives_the_values_printed_in_rfc_8439() -> None:
    zero = b"".join(twin.chacha20_piece(bytes(32), n, bytes(12)) for n in (0, 1))
    assert zero == RFC_8439_ZERO_KEY
    # Section 2.1.1.
    assert twin.quarter_round(0x11111111, 0x01020304, 0x9B8D6F43, 0x01234567) == (
        0xEA2A92F4,
        0xCB1CF8CE,
        0x4581472E,
        0x5881C4BB,
    )
    # Section 2.3.2.
    nonce = bytes.fromhex("000000090000004a00000000")
    assert bytes.fromhex(
        "10f1e7e4d13b5915500fdd1fa32071c4c7d1f4c733c068030422aa9ac3d46c4e"
        "d2826446079faa0914c2d705d98b02a2b5129cd1de164eb9cbd083e8a2503c4e"
    ) == twin.chacha20_piece(bytes(range(32)), 1, nonce)


@pytest.mark.parametrize("block", [0, 1, 0x0102030405060708090A0B0C, 2**96 - 1])
def test_words_are_those_of_the_twin_beyond_the_buffer(block: int) -> None:
    key = bytes(range(32))
    stream = KeyStream(key, block)
    expected = list(islice(twin.words(key, block), 600))
    assert expected == [stream.word() for _ in range(600)]


@given(st.binary(min_size=32, max_size=32), st.integers(0, 2**96 - 1))
def test_any_key_and_block_give_the_words_of_the_twin(key: bytes, block: int) -> None:
    stream = KeyStream(key, block)
    assert list(islice(twin.words(key, block), 20)) == [stream.word() for _ in range(20)]


def test_r_04_blocks_of_one_key_are_different_streams() -> None:
    key = fresh_key()
    starts = {stream_bytes(KeyStream(key, block), 32) for block in range(1000)}
    assert len(starts) == 1000


@pytest.mark.parametrize("block", [-1, 2**96])
def test_a_block_number_beyond_twelve_bytes_is_refused(block: int) -> None:
    with pytest.raises(ValueError, match=r"must be 0 to 2\*\*96 - 1"):
        KeyStream(bytes(32), block)


def test_r_03_a_stream_shows_neither_its_key_nor_its_state() -> None:
    stream = KeyStream(b"\xab" * 32, 7)
    assert "<KeyStream of a hidden key, block=7>" == repr(stream) == str(stream)
    with pytest.raises(TypeError):
        pickle.dumps(stream)
    with pytest.raises(TypeError):
        copy.deepcopy(stream)


def test_r_04_a_spent_stream_stops_before_it_repeats_another(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr("pitboss.cards._BUFFERS_MAX", 2)
    stream = KeyStream(bytes(32))
    for _ in range(512):
        stream.word()
    for _ in range(2):
        with pytest.raises(StreamSpentError):
            stream.word()


def test_r_04_the_limit_of_a_stream_is_the_counter_of_chacha20() -> None:
    assert cards._BUFFERS_MAX * len(cards._ZEROS) == 2**32 * 64


@pytest.mark.parametrize("bits", [1, 2, 3, 4, 5, 6])
def test_r_08_one_word_gives_every_number_equally_often(bits: int) -> None:
    size = 2**bits
    for n in range(1, size + 1):
        counts, rejected = enumerated.results(bits, 1, partial(draw_below, n=n))
        assert dict.fromkeys(range(n), size // n) == dict(counts)
        assert Fraction(size % n, size) == rejected


def test_r_08_three_bits_below_five_take_five_words_and_reject_three() -> None:
    counts, rejected = enumerated.results(3, 1, lambda source: draw_below(source, 5))
    assert counts == {0: 1, 1: 1, 2: 1, 3: 1, 4: 1}
    assert Fraction(3, 8) == rejected


def test_r_08_numbers_stay_equally_likely_through_rejections() -> None:
    for n in range(1, 9):
        counts, rejected = enumerated.results(3, 4, partial(draw_below, n=n))
        assert set(range(n)) == set(counts)
        assert len(set(counts.values())) == 1
        assert Fraction(8 % n, 8) ** 4 == rejected


def test_r_08_the_remainder_alone_would_be_uneven() -> None:
    counts, _ = enumerated.results(3, 1, lambda source: source.word() % 5)
    assert counts == {0: 2, 1: 2, 2: 2, 3: 1, 4: 1}


@given(st.integers(1, 2**32))
def test_r_08_numbers_drawn_are_in_range_and_those_of_the_plain_rule(n: int) -> None:
    stream = KeyStream(bytes(32), n)
    source = twin.words(bytes(32), n)
    for _ in range(5):
        number, rest = divmod(next(source) * n, 2**32)
        while rest < 2**32 % n:
            number, rest = divmod(next(source) * n, 2**32)
        assert 0 <= number < n
        assert number == stream.below(n)


def test_below_one_takes_a_word_and_below_all_gives_the_word() -> None:
    stream = KeyStream(bytes(32))
    words = twin.words(bytes(32), 0)
    next(words)
    assert stream.below(1) == 0
    assert next(words) == stream.below(2**32)


@pytest.mark.parametrize("n", [0, -1, 2**32 + 1])
def test_a_bound_out_of_range_is_refused_and_takes_no_word(n: int) -> None:
    stream = KeyStream(bytes(32))
    with pytest.raises(ValueError, match=f"n is {n}; it must be from 1 to 4294967296"):
        stream.below(n)
    assert RFC_8439_ZERO_KEY[:4] == stream_bytes(stream, 4)
