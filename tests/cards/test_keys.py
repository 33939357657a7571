"""Tests of the keys of a stream."""

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pitboss.cards import KeyStream, fresh_key, key_text, parse_key


def test_r_04_a_thousand_starts_all_differ_in_their_first_256_bits() -> None:
    starts = set()
    for _ in range(1000):
        stream = KeyStream(fresh_key())
        starts.add(tuple(stream.word() for _ in range(8)))
    assert len(starts) == 1000


def test_r_11_a_fresh_key_has_256_bits() -> None:
    assert len(fresh_key()) == 32


def test_r_03_a_fresh_key_comes_from_the_operating_system(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr("os.urandom", lambda length: b"\x07" * length)
    assert key_text(fresh_key()) == "07" * 32


@given(st.binary(min_size=32, max_size=32))
def test_a_key_is_read_back_from_its_text_in_either_case(key: bytes) -> None:
    text = key_text(key)
    assert len(text) == 64
    assert key == parse_key(text) == parse_key(text.upper())


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("", "; this has 0"),
        ("ab" * 31, "; this has 62"),
        ("ab" * 33, "; this has 66"),
        ("a" * 63, "; this has 63"),
        ("a" * 63 + "g", "; character 64 is 'g'"),
        ("ab" * 32 + "\n", "; character 65 is '\\n'"),
        (" " + "ab" * 32, "; character 1 is ' '"),
        ("ab " * 21 + "a", "; character 3 is ' '"),
        ("\u0660" * 64, "; character 1 is '\u0660'"),
        ("a passphrase", "; character 2 is ' '"),
        (None, ", not a NoneType"),
        (b"ab" * 32, ", not a bytes"),
    ],
)
def test_text_that_is_no_key_is_refused_with_what_is_wrong(text: Any, found: str) -> None:
    with pytest.raises((ValueError, TypeError)) as caught:
        parse_key(text)
    assert "a key is exactly 64 hexadecimal digits" + found == str(caught.value)


@pytest.mark.parametrize(
    ("key", "message"),
    [
        (b"", "a key is 32 bytes; this has 0"),
        (b"secret", "a key is 32 bytes; this has 6"),
        (bytes(33), "a key is 32 bytes; this has 33"),
        ("s" * 32, "a key is 32 bytes, not a str"),
        (None, "a key is 32 bytes, not a NoneType"),
    ],
)
def test_bytes_that_are_no_key_are_refused_without_showing_them(key: Any, message: str) -> None:
    for use in (key_text, KeyStream):
        with pytest.raises((ValueError, TypeError)) as caught:
            use(key)
        assert message == str(caught.value)
