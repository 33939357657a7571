"""`make golden`: every entry of the catalogue by both methods, written where they agree, refused where they differ."""

from __future__ import annotations

import sys
from fractions import Fraction
from pathlib import Path
from time import monotonic, process_time

from pitboss.games import game_names
from tests.golden import analyser, entries, second
from tests.golden.entries import Agreed, Entry

__all__ = ["main"]


def _say(words: str) -> None:
    print(words, file=sys.stderr, flush=True)


def _compare(game: str) -> tuple[list[Agreed], list[str]]:
    """Find what both methods say of each entry of a game; give what they agree on and where they differ."""
    agreed, differences = [], []
    counted = ""
    for entry, ev, words in analyser.results(game):
        if entry.wager != counted:
            counted = entry.wager
            _say(f"{game}: {counted} …")
        other = second.expectation(entry)
        if other == ev:
            agreed.append(Agreed(entry=entry, ev=ev, one=words, two=second.method(entry)))
        else:
            differences.append(_difference(entry, ev, other))
            _say(differences[-1])
    return agreed, differences


def _difference(entry: Entry, one: Fraction, two: Fraction) -> str:
    return f"{entry}: the analyser says {one}, the second method {two}"


def main(folder: Path = entries.FOLDER) -> int:
    """Write a file for each game; nothing is written unless the methods agree on everything."""
    began = monotonic(), process_time()
    found: dict[str, list[Agreed]] = {}
    differences: list[str] = []
    for game in game_names():
        found[game], differ = _compare(game)
        differences += differ
        _say(f"{game}: {len(found[game])} entries agree, {len(differ)} differ")
    if differences:
        _say(f"Nothing is written: the two methods differ on {len(differences)} entries.")
        for difference in differences:
            print(difference)
        return 1
    for game, agreed in found.items():
        entries.write(folder / f"{game}.csv", agreed)
    took, cpu = monotonic() - began[0], process_time() - began[1]
    total = sum(map(len, found.values()))
    _say(f"{total} entries written to {folder}; {took:.0f} s, {cpu:.0f} s of processor time")
    return 0


if __name__ == "__main__":
    sys.exit(main())
