"""The `pitboss` command; what it can do is declared by area."""

import io
import signal
import sys
from importlib import import_module

from pitboss.cli.app import app

__all__ = ["app", "main"]

# Each area declares its commands when it is loaded; help lists them in this order.
AREAS = ("games", "odds", "simulate", "rng", "room", "room.table_verbs", "books", "server", "company", "operations")
for _area in AREAS:
    import_module(f"pitboss.cli.{_area}")


def main() -> None:
    """Run the command; a reader that goes away or Ctrl-C ends it quietly, and no character fails to print."""
    # Commands that talk over a network restore Python's own handling: output.survive_lost_peers.
    if hasattr(signal, "SIGPIPE"):
        signal.signal(signal.SIGPIPE, signal.SIG_DFL)
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(errors="replace")
    try:
        app()
    except KeyboardInterrupt:
        sys.exit(130)
