"""A payload that is not read back before it is written is one that would have been read as the same."""

from __future__ import annotations

from enum import IntEnum, StrEnum
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pitboss.books import LedgerTransfer, Movement, UnreadableError, read_payload, write_payload
from pitboss.books.journal.codec import encoded, is_plain
from pitboss.books.ledger.movements import _is_plain


class Number(IntEnum):
    ONE = 1


class Word(StrEnum):
    SEED = "seed"


# Whatever Python might put where an integer or a text belongs, and some of it JSON gives back as something else.
odd = st.sampled_from([1, True, None, 1.0, float("nan"), Number.ONE, "seed", Word.SEED, "\ud83d\ude00", b"1", (1,)])
anything = st.recursive(
    odd,
    lambda inner: st.one_of(
        st.lists(inner, max_size=3),
        st.lists(inner, max_size=3).map(tuple),
        st.dictionaries(st.one_of(st.sampled_from(["a", Word.SEED, 1, None, True])), inner, max_size=3),
    ),
    max_leaves=5,
)


def _given_back(value: Any) -> bool:
    """Read it back the slow way; equality alone would take 1 for True and 1.0."""
    try:
        text = encoded({"jackpot": "main", "details": {"said": value}})
        movement = read_payload("wagers-counted", text)
        assert isinstance(movement, Movement)
        return repr(movement.details["said"]) == repr(value)
    except (UnreadableError, TypeError, ValueError):
        return False


@given(anything)
def test_what_is_called_plain_is_given_back_by_json_as_it_was(value: Any) -> None:
    broken = "\\ud83d" in repr(value)
    assert not is_plain(value) or broken or _given_back(value)


@given(anything, odd, odd, odd, odd)
def test_no_movement_is_called_plain_that_is_not_read_as_it_was_written(
    details: Any, payer: Any, units: Any, count: Any, words: Any
) -> None:
    transfers = (LedgerTransfer(payer, "displayed", units),)
    movement = Movement("wagers-counted", "main", transfers, {"hits": count}, words=words, details={"said": details})
    if _is_plain(movement):
        try:
            read = read_payload(movement.kind, write_payload(movement))
        except UnreadableError:
            assert "\\ud83d" in repr(movement)
            return
        assert isinstance(read, Movement)
        assert movement == read
        assert repr((transfers, movement.words)) == repr((read.transfers, read.words))
        assert repr([movement.counts, movement.details]) == repr([dict(read.counts), dict(read.details)])


@pytest.mark.parametrize(
    "wrong",
    [
        {"words": "\ud83d\ude00"},
        {"details": {"seats": (1, 2)}},
        {"details": {"seats": [1.5]}},
        {"details": {1: 2}},
        {"counts": {"hits": 1.0}},
        {"transfers": (LedgerTransfer("wagers", "displayed", 1.0),)},  # type: ignore[arg-type]
        {"transfers": ([1, 2, 3],)},
    ],
)
def test_what_would_be_read_as_something_else_is_not_written(wrong: dict[str, Any]) -> None:
    with pytest.raises((UnreadableError, TypeError, ValueError)):
        write_payload(Movement("wagers-counted", "main", **wrong))
