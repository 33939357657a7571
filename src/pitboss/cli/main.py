"""The `pitboss` command: everything it can do is declared in the modules loaded here."""

from __future__ import annotations

import io
import signal
import sys

from pitboss.cli import (
    declared_books,
    declared_forecast,
    declared_games,
    declared_hits,
    declared_jackpots,
    declared_odds,
    declared_rng,
    declared_simulate,
)
from pitboss.cli.app import app

__all__ = ["app", "main"]

# Each module declares its commands when it is loaded.
_DECLARED = (
    declared_books,
    declared_forecast,
    declared_games,
    declared_hits,
    declared_jackpots,
    declared_odds,
    declared_rng,
    declared_simulate,
)


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
