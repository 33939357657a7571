"""Rooms to test tables with, as the tests of the books make them."""

from tests.books.conftest import quick_path, sqlite_room, sqlite_template

__all__ = ["quick_path", "sqlite_room", "sqlite_template"]
