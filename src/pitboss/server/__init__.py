"""The card room in a browser: HTTP API, people and their roles, the stream of live events, and pages.

The package is a door to what the others do. It holds no rule of a game and no arithmetic of money, and its process
imports neither numba nor matplotlib nor Alembic: odds and drawings are made by a worker process of their own. This
module imports nothing, so that commands which only audit need not load a web server.
"""
