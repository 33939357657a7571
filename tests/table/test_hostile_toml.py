"""TOML that somebody sends: what nests deep or runs long is refused before a parser takes gigabytes (issue 18)."""

from __future__ import annotations

import tracemalloc

import pytest

from pitboss.books import RefusedError
from pitboss.table import read_configuration
from pitboss.table.reading import read_toml
from pitboss.tabulator.setup import read_setup

DOTTED = ".".join(["a"] * 3_000)
HOSTILE = {
    "dotted keys": f"{DOTTED} = 1",
    "a header": f"[{DOTTED}]",
    "a quoted key": ".".join(['"a"'] * 3_000) + " = 1",
    "in an inline table": f"x = {{{DOTTED} = 1}}",
    "behind a string that ends in five quotes": f'x = {{y = """a""""", {DOTTED} = "b"}}',
    "behind a literal that ends in four quotes": f"x = {{y = '''a'''', {DOTTED} = 'b'}}",
    "behind a comment": f"# it's\n{DOTTED} = 1 # it's",
    "lists": "x = " + "[" * 30_000,
    "inline tables": "x = " + "{a=" * 10_000,
    "a huge number": "x = " + "1" * 20_000,
    "a long text": "x = 1\n" * 20_000,
}


@pytest.mark.parametrize("text", HOSTILE.values(), ids=HOSTILE)
def test_hostile_toml_is_refused_without_taking_memory(text: str) -> None:
    tracemalloc.start()
    try:
        assert [problem.path for problem in read_configuration(text).problems] == ["configuration"]
        with pytest.raises(RefusedError):
            read_setup(text)
        assert tracemalloc.get_traced_memory()[1] < 5_000_000
    finally:
        tracemalloc.stop()


def test_a_thousand_wrong_keys_are_not_placed_one_by_one_in_the_whole_text() -> None:
    text = "\n".join(f"wrong-{number} = 1" for number in range(3_000))
    assert len(read_configuration(text).problems) <= 100


@pytest.mark.parametrize(
    "text",
    [
        'x = 1.5\ny = "a...........................b"\n',
        'words = """\n......................... # no "comment"\n"""',
        "[a.b]\nc.d = [[1, 2], [3]]",
    ],
)
def test_what_people_write_is_read(text: str) -> None:
    assert read_toml(text)
