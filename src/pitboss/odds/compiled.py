"""The only importer of numba: compiles facts and loops as they are, cached under a hash of the sources they rest on."""

import fcntl
import hashlib
import os
import sys
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from functools import cache
from inspect import getmembers, isfunction, ismodule
from pathlib import Path
from threading import RLock
from types import ModuleType
from typing import Any

_PACKAGE = Path(__file__).parents[1]
_OURS = f"{_PACKAGE.name}."
MATHEMATICS = ("cards", "poker", "law", "rules", "meters", "games", "table", "odds", "randomness", "simulate")
"""The packages that a loop, a count or a result can reach: none of them imports another of ours."""


@cache
def source_hash() -> str:
    """A hash of every source file of the mathematics: a stale compiled loop cannot be found under it."""
    digest = hashlib.sha256()
    for file in sorted(_PACKAGE.rglob("*.py")):
        if file.relative_to(_PACKAGE).parts[0].removesuffix(".py") not in MATHEMATICS:
            continue
        digest.update(str(file.relative_to(_PACKAGE)).encode())
        digest.update(file.read_bytes())
    return digest.hexdigest()[:24]


def cache_folder() -> Path:
    """Where results, counts and compiled loops are kept."""
    home = os.environ.get("PITBOSS_CACHE_DIR")
    if home:
        return Path(home)
    base = os.environ.get("XDG_CACHE_HOME") or str(Path.home() / ".cache")
    return Path(base) / "pitboss"


@cache
def _numba() -> ModuleType:
    folder = str(cache_folder() / "compiled" / source_hash())
    os.environ["NUMBA_CACHE_DIR"] = folder
    import numba  # noqa: PLC0415
    import numba.extending  # noqa: PLC0415

    # Where someone imported numba before us it has read the variable already.
    numba.config.CACHE_DIR = folder  # type: ignore[attr-defined]
    return numba


_COMPILABLE: set[str] = set()
_ONE_AT_A_TIME = RLock()


def make_compilable(*modules: ModuleType) -> None:
    """Make every plain function of these modules, and of those of ours they use, callable from compiled loops."""
    with _ONE_AT_A_TIME:
        for module in modules:
            if module.__name__ not in _COMPILABLE:
                _COMPILABLE.add(module.__name__)
                _register(module)


def _register(module: ModuleType) -> None:
    register = _numba().extending.register_jitable
    for _name, function in getmembers(module, isfunction):
        if function.__module__ == module.__name__:
            register(function)
        elif function.__module__.startswith(_OURS) or _beside(function, module):
            make_compilable(sys.modules[function.__module__])
    make_compilable(*(used for _name, used in getmembers(module, ismodule) if used.__name__.startswith(_OURS)))


def _beside(function: Callable[..., Any], module: ModuleType) -> bool:
    """Return whether a function comes from another module of the same folder: a game outside this package."""
    folders = [name.rpartition(".")[0] for name in (function.__module__, module.__name__)]
    return function.__module__ != module.__name__ and folders[0] == folders[1] != ""


def _may_be_cached(module: ModuleType) -> bool:
    """Return whether a compiled loop may be cached: our sources are hashed, of others numba watches one file."""
    if module.__name__.startswith(_OURS):
        return True
    return not any(_beside(function, module) for _name, function in getmembers(module, isfunction))


def compiled(function: Callable[..., Any]) -> Callable[..., Any]:
    """Compile a loop, once; it runs without holding the interpreter, so that threads share the work."""
    with _ONE_AT_A_TIME:
        return _compiled(function)


@cache
def _compiled(function: Callable[..., Any]) -> Callable[..., Any]:
    is_cached = _may_be_cached(sys.modules[function.__module__])
    dispatcher = _numba().njit(nogil=True, cache=is_cached)(function)
    if is_cached:
        dispatcher.compile = _in_turn(dispatcher.compile, f"{function.__module__}.{function.__qualname__}")
    return dispatcher  # type: ignore[no-any-return]


def _in_turn(compile_it: Callable[..., Any], name: str) -> Callable[..., Any]:
    """Lock compilation: one process compiles a loop at a time, and the others find it in the cache."""

    def compile_in_turn(signature: Any) -> Any:
        folder = cache_folder() / "compiled" / source_hash()
        folder.mkdir(parents=True, exist_ok=True)
        # The compiler's lock first: a thread that has it also compiles what its loop calls, and must wait for nobody.
        with _numba().core.compiler_lock.global_compiler_lock, (folder / f"{name}.lock").open("a") as lock:
            fcntl.flock(lock, fcntl.LOCK_EX)
            return compile_it(signature)

    return compile_in_turn


def as_arrays(tables: Any) -> Any:
    """Convert rank tables for compiled code: arrays in the same named tuple, small so that they stay in the cache."""
    import numpy  # noqa: PLC0415

    if tables is None:
        return 0
    small = numpy.iinfo(numpy.int16)
    columns = (numpy.asarray(column, dtype=numpy.int64) for column in tables)
    return type(tables)(*(column if (column > small.max).any() else column.astype(numpy.int16) for column in columns))


def in_threads(loop: Callable[[int, int], Any], size: int, *, pieces: int = 8) -> list[Any]:
    """Run a loop over ranges that cover 0 to size, on every core, and give the answers in order."""
    if size < pieces or _ALONE:
        return [loop(0, size)]
    edges = [size * piece // pieces for piece in range(pieces + 1)]
    return list(_pool().map(loop, edges[:-1], edges[1:]))


_ALONE: list[bool] = []
"""True if loops of this process run on one core, because other processes have the others."""


@contextmanager
def on_one_core() -> Iterator[None]:
    """Run loops in the calling thread meanwhile: where processes share the cores, threads would only get in the way."""
    _ALONE.append(True)
    try:
        yield
    finally:
        _ALONE.pop()


@cache
def _pool() -> ThreadPoolExecutor:
    return ThreadPoolExecutor(os.cpu_count() or 1)
