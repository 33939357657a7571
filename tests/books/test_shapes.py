"""A count that is read by its shape says what its text says, whatever the text (G-29, M-02)."""

from __future__ import annotations

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from pitboss.books import Movement, UnreadableError, read_payload
from pitboss.books.payloads import parse_payload
from pitboss.books.shapes import RoundShapes

KIND = "wagers-counted"
PLAIN = (
    '{"counts":{"wagers_counted":2},"details":{"round":%s,"seats":[1,2]},"jackpot":"main","transfers":[["a","b",3]]}'
)
TEXTS = (
    PLAIN,
    '{"details":{"persons":[[1,2]],"round":%s,"seats":[1,2]},"jackpot":"main"}',
    '{"details":{"round":%s,"rounds":%s,"seat_counts":[[1,4]]},"jackpot":"main"}',
    '{"details":{"round":%s,"\\u0072ound":7,"seats":[1]},"jackpot":"main"}',
    '{"details":{"\\u0072ound":7,"round":%s,"seats":[1]},"jackpot":"main"}',
    '{"details":{"round":%s,"round":7,"seats":[1]},"jackpot":"main"}',
    '{"details":{"round":%s,"round" :7,"seats":[1]},"jackpot":"main"}',
    '{"details":{"other":{"round":%s,"x":1},"seats":[1]},"jackpot":"main"}',
    '{"details":{"other":{"round":%s,"x":1},"round" :%s,"seats":[1]},"jackpot":"main"}',
    '{"details":{"other":{"round":%s,"x":1},"round":7,"seats":[1]},"jackpot":"main"}',
    '{"details":{"a\\"round":%s,"round":7,"seats":[1]},"jackpot":"main"}',
    '{"details":{"a,\\"round\\":":%s,"seats":[1]},"jackpot":"main"}',
    '{"details":{"round":7,"seats":[1]},"jackpot":"main","words":"\\"round\\":%s,"}',
    '{"round":%s,"details":{"round":7},"jackpot":"main"}',
    '{"details":{"round": %s,"seats":[1]},"jackpot":"main"}',
    '{"details":{"round":%s},"jackpot":"main"}',
    '{"details":{"round":%s,"seats":[1]},"jackpot":4}',
    '{"details":{"round":%s,"seats":[1.5]},"jackpot":"main"}',
    '["round":%s,7',
)
NUMBERS = (
    "0",
    "1",
    "7",
    "12",
    "007",
    "-7",
    "-0",
    "7.0",
    "1e3",
    "true",
    '"7"',
    "\u0667",
    " 7",
    "7 ",
    "",
    "9" * 15,
    "9" * 30,
)


def _read(text: str) -> Movement | str:
    try:
        found = parse_payload(KIND, text)
    except UnreadableError as error:
        return str(error)
    assert isinstance(found, Movement)
    return found


@given(st.lists(st.tuples(st.sampled_from(TEXTS), st.sampled_from(NUMBERS)), min_size=2, max_size=40))
@settings(max_examples=60, deadline=None)
@example([(text, number) for text in TEXTS for number in NUMBERS])
@example([(text, number) for text in TEXTS for number in reversed(NUMBERS)])
def test_m_02_a_shape_gives_what_the_text_says_or_nothing(said: list[tuple[str, str]]) -> None:
    shapes = RoundShapes()
    for form, number in said:
        text = form.replace("%s", number)
        found, wanted = shapes.find(text), _read(text)
        if found is not None:
            assert repr(found) == repr(wanted)
            assert type(found) is Movement
        if isinstance(wanted, Movement):
            shapes.learn(text, wanted)


def test_a_shape_is_known_after_it_was_read_once_and_what_it_gives_is_a_value_of_its_own() -> None:
    shapes = RoundShapes()
    first = parse_payload(KIND, PLAIN % 5)
    assert isinstance(first, Movement)
    shapes.learn(PLAIN % 5, first)
    found, again = shapes.find(PLAIN % 6), shapes.find(PLAIN % 7)
    assert found is not None
    assert again is not None
    assert [each.details["round"] for each in (first, found, again)] == [5, 6, 7]
    assert found == parse_payload(KIND, PLAIN % 6)


def test_what_cannot_be_read_is_refused_in_the_same_words_by_either_road() -> None:
    for text in ((TEXTS[0] % 5), (TEXTS[0] % "7.0"), (TEXTS[-3] % 5), (TEXTS[-2] % 5)):
        wanted = _read(text)
        if isinstance(wanted, Movement):
            assert read_payload(KIND, text) == wanted
        else:
            with pytest.raises(UnreadableError) as refused:
                read_payload(KIND, text)
            assert str(refused.value) == wanted


def test_no_more_shapes_are_kept_than_a_room_has(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("pitboss.books.shapes._SHAPES_MAX", 3)
    shapes = RoundShapes()
    texts = ['{"details":{"round":%s,"seats":[' + str(seat) + ']},"jackpot":"main"}' for seat in range(1, 8)]
    for text in texts:
        value = parse_payload(KIND, text % 1)
        assert isinstance(value, Movement)
        shapes.learn(text % 1, value)
    assert [shapes.find(text % 2) is not None for text in texts] == [False] * 6 + [True]
