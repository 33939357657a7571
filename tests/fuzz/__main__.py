"""`python -m tests.fuzz cards`: fuzzing led by coverage, with atheris where it is installed; Ctrl-C ends it."""

from __future__ import annotations

import importlib
import sys

from tests.fuzz.targets import CORPUS, targets


def fuzz(name: str, options: list[str]) -> None:
    """Fuzz a target that needs no server; what is found is left where libFuzzer says."""
    atheris = importlib.import_module("atheris")
    atheris.instrument_all()
    atheris.Setup([sys.argv[0], *options, str(CORPUS / name)], targets(None)[name])
    atheris.Fuzz()


if __name__ == "__main__":
    fuzz(sys.argv[1], sys.argv[2:])
