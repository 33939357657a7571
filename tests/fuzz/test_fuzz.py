"""Fuzzing (issue 18): whatever is sent makes no server error, no hang and no growth of memory.

`make test` tries what is kept and a little more, always the same. `make slow` tries for `PITBOSS_FUZZ_SECONDS` in all,
other cases every time: half of them changed from others by hypothesis, half led by coverage, with atheris, where it is
there. A case at fault is left in the corpus. `make fuzz` is the hour before a release, `make fuzz FUZZ_SECONDS=600` less,
and with `FUZZ_TARGETS=forms,api` it is run in parts.
"""

from __future__ import annotations

import os
import re
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from hashlib import sha256
from pathlib import Path

import pytest
from hypothesis import HealthCheck, Phase, given, seed, settings
from hypothesis import strategies as st

from tests.fuzz.room import Served
from tests.fuzz.targets import CORPUS, kept, targets
from tests.server.making import House

NAMES = {"cards": 150, "toml": 25, "messages": 25, "forms": 25, "api": 25}
"""By target, how many cases are tried in `make test` besides those that are kept."""
SECONDS = float(os.environ.get("PITBOSS_FUZZ_SECONDS", "30"))
LONG = [name for name in os.environ.get("PITBOSS_FUZZ_TARGETS", ",".join(NAMES)).split(",") if name in NAMES]
SECONDS_EACH = SECONDS / 2 / max(1, len(LONG))
SECONDS_A_CASE, MEGABYTES_MAX = 2.0, 64
SECONDS_HANG, MEGABYTES_ALL = 20, 1_024
"""For one case led by coverage, by the clock of the wall; and for its whole process."""
PIECES = (
    b"[", b"]", b"{", b"}", b'"', b"\\", b".", b"=", b"\n", b"%00", b"%FF", b"&", b"\x00", b"\xff", b"\xed\xa0\x80",
    b"-1", b"1e999", b"NaN", b"9" * 40, b"9" * 5_000, b"[" * 3_000, b"a." * 400, b"null", b"true", b"0001-01-01",
    b"9999-12-31", b"NOW", b"DEVICE", "♠１Ⅷ\u202e".encode(), b"' OR 1=1 --", b"../../", b"<script>", b"${7*7}", b"As", b"*",
)  # fmt: skip


@pytest.fixture
def served(request: pytest.FixtureRequest, name: str) -> Served | None:
    """A room that is served, for the targets that need one."""
    if name in ("cards", "toml"):
        return None
    house: House = request.getfixturevalue("house")
    return Served(house)


def cases(seeds: list[bytes]) -> st.SearchStrategy[bytes]:
    """Cases that are made from others: a few places of one are cut, doubled or replaced; or just any bytes."""

    @st.composite
    def changed(draw: st.DrawFn) -> bytes:
        case = draw(st.sampled_from(seeds))
        for _ in range(draw(st.integers(1, 6))):
            start = draw(st.integers(0, len(case)))
            end = min(len(case), start + draw(st.integers(0, 20)))
            put = draw(st.one_of(st.sampled_from(PIECES), st.binary(max_size=6), st.just(case[start:end] * 2)))
            case = case[:start] + put + case[end:]
        return case

    return st.one_of(changed(), changed(), changed(), st.binary(max_size=300))


def timed(target: Callable[[bytes], None], case: bytes) -> None:
    begun = time.process_time()
    target(case)
    assert time.process_time() - begun < SECONDS_A_CASE, "it takes too long"


def seeds_of(name: str, served: Served | None) -> list[bytes]:
    return [*kept(name), *(() if served is None or name == "messages" else served.seeds(name))]


def given_cases(name: str, served: Served | None, examples: int) -> Callable[[], None]:
    target = targets(served)[name]
    quiet = settings(
        max_examples=examples,
        deadline=None,
        database=None,
        phases=[Phase.generate],
        suppress_health_check=list(HealthCheck),
    )

    @quiet
    @given(cases(seeds_of(name, served)))
    def trying(case: bytes) -> None:
        try:
            timed(target, case)
        except BaseException:
            keep(name, case)
            raise

    return trying


def keep(name: str, case: bytes) -> None:
    """Leave a case that was at fault where the next run begins with it."""
    (CORPUS / name / f"found-{sha256(case).hexdigest()[:12]}").write_bytes(case)


@pytest.mark.parametrize("name", NAMES)
def test_what_is_kept_and_a_little_more_is_answered(served: Served | None, name: str) -> None:
    target = targets(served)[name]
    for case in kept(name):
        timed(target, case)
    seed(18)(given_cases(name, served, NAMES[name]))()


def resident() -> int:
    """Return how many megabytes this process has."""
    return int(Path("/proc/self/status").read_text(encoding="ascii").partition("VmRSS:")[2].split()[0]) // 1_024


def rounds(until: float) -> Iterator[int]:
    number = 0
    while time.monotonic() < until:
        yield number
        number += 1


@pytest.mark.slow
@pytest.mark.parametrize("name", LONG)
def test_nothing_that_is_sent_for_long_fails_hangs_or_grows(served: Served | None, name: str) -> None:
    first = 0
    begun = time.monotonic()
    for number in rounds(begun + SECONDS_EACH):
        given_cases(name, served, 50)()
        if number == 3:
            first = resident()
    assert not first or resident() - first < MEGABYTES_MAX


@pytest.mark.slow
@pytest.mark.parametrize("name", LONG)
def test_no_path_that_coverage_leads_to_fails_hangs_or_grows(name: str) -> None:
    """A process of its own for each target: what is at fault is left in the corpus, and said in its last lines."""
    pytest.importorskip("atheris", reason="there is no atheris for this system and Python")
    limits = [f"-max_total_time={int(SECONDS_EACH) + 1}", f"-timeout={SECONDS_HANG}", f"-rss_limit_mb={MEGABYTES_ALL}"]
    arguments = [sys.executable, "-m", "tests.fuzz", name, *limits]
    ran = subprocess.run(arguments, capture_output=True, text=True, check=False)  # noqa: S603
    assert ran.returncode == 0, ran.stderr[-3_000:]
    assert re.search(r"^Done [1-9]", ran.stderr, re.MULTILINE), ran.stderr[-3_000:]
