"""Tables of many rows: what is printed quickly is what the library for tables would print."""

from hypothesis import given
from hypothesis import strategies as st

from pitboss.cli.output import console, plain_table, print_rows

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
