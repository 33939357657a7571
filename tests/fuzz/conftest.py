"""The served rooms of the tests of the server."""

from tests.server.conftest import filled, house

__all__ = ["filled", "house"]
