"""A count that is read by its shape says what its text says, whatever the text (G-29, M-02)."""

from __future__ import annotations

from types import MappingProxyType
from typing import Any

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from pitboss.books import LedgerTransfer, Movement, UnreadableError, read_payload
from pitboss.books.journal.codec import encoded
from pitboss.books.journal.payloads import parse_payload
from pitboss.books.ledger.movements import RoundCache
from tests.examples import examples

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
@examples(20)
@example([(text, number) for text in TEXTS for number in NUMBERS])
@example([(text, number) for text in TEXTS for number in reversed(NUMBERS)])
def test_m_02_a_shape_gives_what_the_text_says_or_nothing(said: list[tuple[str, str]]) -> None:
    shapes = RoundCache()
    for form, number in said:
        text = form.replace("%s", number)
        found, wanted = shapes.find(text), _read(text)
        if found is not None:
            assert repr(found) == repr(wanted)
            assert type(found) is Movement
        if isinstance(wanted, Movement):
            shapes.learn(text, wanted)


def test_a_shape_is_known_after_it_was_read_once_and_what_it_gives_is_a_value_of_its_own() -> None:
    shapes = RoundCache()
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
    monkeypatch.setattr("pitboss.books.ledger.movements._TEXTS_MAX", 3)
    shapes = RoundCache()
    texts = ['{"details":{"round":%s,"seats":[' + str(seat) + ']},"jackpot":"main"}' for seat in range(1, 8)]
    for text in texts:
        value = parse_payload(KIND, text % 1)
        assert isinstance(value, Movement)
        shapes.learn(text % 1, value)
    assert [shapes.find(text % 2) is not None for text in texts] == [False] * 6 + [True]


SHARED = (
    (LedgerTransfer("wagers", "displayed", 3), LedgerTransfer("wagers", "reserve", 1)),
    (LedgerTransfer("wagers", "reserve", 1),),
)
"""Transfers as the meters give them: the same value again and again."""


def _counts() -> list[Movement]:
    """A count, and others that differ from it in one thing, or only look alike: a truth value is no number."""
    plain = Movement(KIND, "main", SHARED[0], {"wagers_counted": 2}, details={"round": 5, "seats": [1, 2]})
    rounds: list[Any] = [6, 1, 0, -1, 10**20, True, 5.0, "5", None]
    seats: list[Any] = [[2], [], [True, 2], [1.0, 2], (1, 2), "12", [1, 2, 3], [[1], 2]]
    more: list[dict[str, Any]] = [{"missed": True}, {"persons": [[1, 2]]}, {'a"round":5,': 1}, {"x": {"round": 5}}]
    wagers: list[Any] = [{"wagers_counted": each} for each in (3, True, 2.0)]
    return [
        plain,
        *(plain._replace(details={"round": each, "seats": [1, 2]}) for each in rounds),
        *(plain._replace(details={"round": 5, "seats": each}) for each in seats),
        *(plain._replace(details={"round": 5, "seats": [1, 2], **each}) for each in more),
        plain._replace(details={"seats": [1, 2], "other": 5}),
        plain._replace(counts={"wagers_counted": 1}, details={"round": 5, "seats": [1]}),
        plain._replace(counts={"wagers_counted": True}, details={"round": 5, "seats": [1]}),
        *(plain._replace(counts=each) for each in (*wagers, {}, {"wagers_counted": 2, "hits": 1}, {"hits": 2})),
        plain._replace(counts=MappingProxyType({"wagers_counted": 2})),
        *(
            plain._replace(transfers=each)
            for each in (SHARED[1], (), tuple([LedgerTransfer(*one) for one in SHARED[0]]))
        ),
        plain._replace(transfers=(LedgerTransfer("wagers", "displayed", 3), LedgerTransfer("wagers", "reserve", True))),
        *(plain._replace(jackpot=each) for each in ("other", 'a"round":5,')),
        plain._replace(words="by hand"),
        plain._replace(corrects=4),
        plain._replace(approved_by="Carla"),
    ]


def test_a_count_written_by_the_shape_of_any_other_is_written_as_its_text() -> None:
    movements = _counts()
    by_shape = 0
    for first in movements:
        for second in movements:
            shapes = RoundCache()
            shapes.learn_text(encoded(first.to_json()), first)
            found, text = shapes.find_text(second), encoded(second.to_json())
            assert found in (None, text), (first, second)
            by_shape += found is not None
    assert by_shape > len(movements) // 2


def test_a_count_that_was_written_once_is_written_by_its_shape() -> None:
    shapes = RoundCache()
    first, second = (
        Movement(KIND, "main", SHARED[0], {"wagers_counted": 2}, details={"round": number, "seats": [1, 2]})
        for number in (5, 6)
    )
    assert shapes.find_text(second) is None
    shapes.learn_text(encoded(first.to_json()), first)
    assert shapes.find_text(second) == encoded(second.to_json())
