"""Parts of a long run: together they are all tests, each test is in one of them, and they are about as long."""

from __future__ import annotations

import doctest
from random import Random

import pytest

from tests import conftest
from tests.conftest import Shard, parts_of, plain_id


def test_examples_in_the_docstring() -> None:
    assert doctest.testmod(conftest).failed == 0


def test_parts_take_about_the_same_time_and_a_short_group_stays_together() -> None:
    random = Random(6)
    tests = [(f"group {random.randrange(60)}", random.expovariate(1 / 20)) for _ in range(800)]
    part_of = parts_of(tests, 6)
    assert part_of == parts_of(tests, 6)
    loads = [sum(seconds for (_, seconds), part in zip(tests, part_of, strict=True) if part == own) for own in range(6)]
    assert max(loads) < 1.2 * min(loads)
    for group in {group for group, _ in tests}:
        assert len({part for (other, _), part in zip(tests, part_of, strict=True) if other == group}) == 1


@pytest.mark.parametrize("text", ["", "0/6", "7/6", "2", "a/b", "1/0", "-1/2"])
def test_a_part_that_is_none_is_refused(text: str) -> None:
    with pytest.raises(pytest.UsageError, match="it must be K/N"):
        Shard(text)


def test_a_group_is_no_part_of_an_id() -> None:
    assert plain_id("tests/a.py::test_b[x@y]@tests/a.py") == "tests/a.py::test_b[x@y]"
    assert plain_id("tests/a.py::test_b[x@y]") == "tests/a.py::test_b[x@y]"
    assert plain_id("tests/a.py::test_b@browser") == "tests/a.py::test_b"
    assert plain_id("tests/a.py::test_b") == "tests/a.py::test_b"
