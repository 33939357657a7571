"""The `pitboss` command; what it can do is declared by area."""

from __future__ import annotations

import io
import signal
import sys
from importlib import import_module

from pitboss.cli.app import app

__all__ = ["app", "main"]

# Each area declares its commands when it is loaded; help lists them in this order.
AREAS = (
    "games",
    "odds",
    "simulate",
    "forecast",
    "rng",
    "jackpots",
    "hits",
    "tables",
    "reports",
    "vision",
    "books",
    "server",
)
for _area in AREAS:
    import_module(f"pitboss.cli.declared_{_area}")


def main() -> None:
    """Run the command; a reader that goes away or Ctrl-C ends it quietly, and no character fails to print."""
    if hasattr(signal, "SIGPIPE"):
        signal.signal(signal.SIGPIPE, signal.SIG_DFL)
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(errors="replace")
    try:
        app()
    except KeyboardInterrupt:
        sys.exit(130)
