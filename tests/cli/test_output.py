"""Tables of many rows: what is printed quickly is what the library for tables would print."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pitboss.cli.output import console, fail, plain_table, print_rows

COLUMNS = ("game", "pay tables", "edge>", "hits>")
CELLS = st.text("abcXYZ 0123456789.,%-/", max_size=30).map(str.strip)


@given(st.lists(st.tuples(CELLS, CELLS, CELLS, CELLS), min_size=1, max_size=9))
def test_many_rows_are_printed_as_a_table_is(rows: list[tuple[str, ...]]) -> None:
    table = plain_table(*COLUMNS)
    for row in rows:
        table.add_row(*row)
    with console.capture() as expected:
        console.print(table)
    with console.capture() as printed:
        print_rows(COLUMNS, rows)
    assert printed.get() == expected.get()


@pytest.mark.parametrize(
    ("error", "words"),
    [
        (FileNotFoundError(2, "No such file or directory", "a/token"), "a/token: No such file or directory"),
        (PermissionError(13, "Permission denied", "it's"), "it's: Permission denied"),
        (ConnectionRefusedError(111, "Connection refused"), "Connection refused"),
    ],
)
def test_what_the_system_says_is_told_in_words(error: OSError, words: str, capsys: pytest.CaptureFixture[str]) -> None:
    """Issue 18. Seen: `[Errno 2] No such file or directory: 'heads.txt'`."""
    assert fail(f"it cannot be done: {error}").code == 2
    assert capsys.readouterr().err.split() == f"it cannot be done: {words}".split()
