"""Counts and results kept on disk under the hash of our sources: what was computed by other code is never found.

Results are read without numpy, whose import would take longer than reading them.
"""

from __future__ import annotations

import hashlib
import json
import shutil
import tempfile
import time
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import IO, TYPE_CHECKING, Any
from zipfile import BadZipFile

from pitboss.odds.compiled import cache_folder, source_hash
from pitboss.odds.results import OddsResult, result_from_json
from pitboss.rules import Game, Terms, Wager

if TYPE_CHECKING:
    from pitboss.rules.counting import Counts

_ARRAYS = ("weights", "counts", "groups", "codes", "parents", "allowed")
_UNUSED_SECONDS = 30 * 24 * 3600


@dataclass(frozen=True, slots=True)
class OddsStore:
    """A folder of results and counts; a file that is damaged counts as absent, one that cannot be written is let go."""

    folder: Path

    def result(self, key: str, make: Callable[[], OddsResult]) -> OddsResult:
        """Return the result stored under a key, or compute and store it."""
        return result_from_json(self.cached(key, lambda: make().as_json()))

    def cached(self, key: str, make: Callable[[], dict[str, Any]]) -> dict[str, Any]:
        """Return the JSON stored under a key, or compute and store it."""
        stored = self._read(key)
        if stored is not None:
            return stored
        content = make()
        text = json.dumps(content)
        signed = f"{hashlib.sha256(text.encode()).hexdigest()}\n{text}"
        _write(self._file("results", key, ".json"), lambda stream: stream.write(signed.encode()))
        return content

    def stored_result(self, key: str) -> OddsResult | None:
        """Return the result stored under a key, if there is one."""
        content = self._read(key)
        return None if content is None else result_from_json(content)

    def _read(self, key: str) -> dict[str, Any] | None:
        try:
            digest, text = self._file("results", key, ".json").read_text(encoding="utf-8").split("\n", 1)
            if digest == hashlib.sha256(text.encode()).hexdigest():
                content: dict[str, Any] = json.loads(text)
                return content
        except (OSError, ValueError):
            pass
        return None

    def counts(self, key: str, make: Callable[[], Counts]) -> Counts:
        """Load the counts stored under a key, or compute and store them."""
        import numpy  # noqa: PLC0415

        file = self._file("counts", key, ".npz")
        try:
            with file.open("rb") as stream, numpy.load(stream, allow_pickle=False) as archive:
                return _counts_of(archive)
        except (OSError, ValueError, KeyError, EOFError, BadZipFile):
            pass
        fresh = make()
        _write(file, lambda stream: numpy.savez(stream, **_arrays_of(fresh)))
        return fresh

    def _file(self, kind: str, key: str, ending: str) -> Path:
        name = hashlib.sha256(key.encode()).hexdigest()[:32]
        return self.folder / kind / source_hash() / f"{name}{ending}"


def default_store() -> OddsStore:
    """The store in the user's cache folder, or where PITBOSS_CACHE_DIR says."""
    return OddsStore(cache_folder())


def _write(file: Path, write: Callable[[IO[bytes]], Any]) -> None:
    """Write a file whole or not at all; a full disk costs time later, never an answer now."""
    try:
        if not file.parent.is_dir():
            file.parent.mkdir(parents=True, exist_ok=True)
            _forget_unused(file.parent)
        with tempfile.NamedTemporaryFile(dir=file.parent, delete=False) as stream:
            try:
                write(stream)
            except OSError:
                Path(stream.name).unlink()
                raise
        Path(stream.name).replace(file)
    except OSError:
        return


def _forget_unused(current: Path) -> None:
    """Remove what sources that have not been used for a month left beside this folder."""
    for other in current.parent.iterdir():
        if other != current and other.is_dir() and time.time() - other.stat().st_mtime > _UNUSED_SECONDS:
            shutil.rmtree(other, ignore_errors=True)


def _arrays_of(counts: Counts) -> dict[str, Any]:
    import numpy  # noqa: PLC0415

    arrays: dict[str, Any] = {}
    levels = []
    for index, level in enumerate(counts.levels):
        shapes = {}
        for name in _ARRAYS:
            array = getattr(level, name)
            if array is not None:
                # An axis along which nothing changes is kept once.
                slim = array[tuple(slice(0, 1) if not step else slice(None) for step in array.strides)]
                arrays[f"{index}-{name}"] = slim
                shapes[name] = list(array.shape)
        levels.append({"decisions": level.decisions, "branches": level.branches, "shapes": shapes})
    meta = {
        "wager": counts.wager,
        "total": counts.total,
        "method": counts.method,
        "basis": counts.basis,
        "levels": levels,
    }
    return {"meta": numpy.frombuffer(json.dumps(meta).encode(), dtype=numpy.uint8), **arrays}


def _counts_of(archive: Any) -> Counts:
    import numpy  # noqa: PLC0415

    from pitboss.rules.counting import Counts, DecisionLevel  # noqa: PLC0415

    meta = json.loads(archive["meta"].tobytes())
    levels = []
    for index, level in enumerate(meta["levels"]):
        arrays = {}
        for name, shape in level["shapes"].items():
            slim = archive[f"{index}-{name}"]
            arrays[name] = slim if list(slim.shape) == shape else numpy.broadcast_to(slim, shape)
        levels.append(DecisionLevel(decisions=tuple(level["decisions"]), branches=tuple(level["branches"]), **arrays))
    return Counts(
        wager=meta["wager"], total=meta["total"], levels=tuple(levels), method=meta["method"], basis=meta["basis"]
    )


_OURS = "pitboss."


def is_ours(game: Game) -> bool:
    """Return whether the hash of our sources covers a game's loops; what others count is not kept on disk."""
    return game.loops is not None and game.loops.startswith(_OURS)


def result_key(game: Game, wager: Wager, terms: Terms, open_events: frozenset[str] = frozenset()) -> str:
    """Return what a result depends on, besides the sources."""
    return f"{game.name} {wager.name} {sorted(open_events)} {terms.canonical}"


def stored_result(game: Game, wager: Wager, terms: Terms, store: OddsStore | None) -> OddsResult | None:
    """Return the odds of a wager if they were computed before."""
    return None if store is None or not is_ours(game) else store.stored_result(result_key(game, wager, terms))
