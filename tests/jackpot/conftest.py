"""Rooms to test jackpots with, as the tests of the books make them."""

from tests.books.conftest import postgresql, postgresql_template, quick_path, room, sqlite_room, sqlite_template

__all__ = ["postgresql", "postgresql_template", "quick_path", "room", "sqlite_room", "sqlite_template"]
