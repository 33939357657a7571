"""Runs a module, tied to whoever started it: when standard input ends, so does this process.

Whoever is killed cannot end its children; but its end of their pipe is closed then, and they end themselves.
"""

from __future__ import annotations

import os
import runpy
import sys
import threading


def _end_with_input() -> None:
    while os.read(0, 1):
        pass
    os._exit(0)


def main() -> None:
    """Run the module that is named first, with the arguments after it."""
    threading.Thread(target=_end_with_input, daemon=True).start()
    sys.argv = sys.argv[1:]
    runpy.run_module(sys.argv[0], run_name="__main__", alter_sys=True)


if __name__ == "__main__":
    main()
