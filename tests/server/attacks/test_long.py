"""Everybody at once and for long, while the table counts."""

from __future__ import annotations

import os
import random
import time
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress

import httpx2
import pytest

from tests.server.attacks.bad import ODD, PLACES, TOMLS
from tests.server.attacks.target import MEGABYTES_MAX, Target
from tests.server.making import command
from tests.server.test_api import DEVICE


@pytest.mark.slow
def test_everybody_at_once_and_for_long(target: Target) -> None:
    """All positions together for `PITBOSS_ATTACK_SECONDS`, while the table counts and the floor reads."""
    until = time.monotonic() + float(os.environ.get("PITBOSS_ATTACK_SECONDS", "60"))
    manager, device, texts = target.person("manager"), target.by_token(DEVICE), list(TOMLS.values())
    attacks: tuple[Callable[[random.Random], object], ...] = (
        lambda rng: target.raw(rng.choice(list(ODD.values()))),
        lambda rng: target.raw(f"GET {rng.choice(PLACES)} HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n".encode()),
        lambda rng: target.server.client().post("/sign-in", data={"login": f"x{rng.random()}", "password": "x" * 50}),
        lambda rng: device.post("/api/v1/devices/messages", content=rng.randbytes(rng.randrange(100_000))),
        lambda rng: manager.post("/api/v1/tables/post", json={"command": command(), "toml": rng.choice(texts)}),
    )

    def attack(number: int) -> None:
        rng = random.Random(number)
        while time.monotonic() < until:
            with suppress(httpx2.TransportError):
                attacks[number](rng)

    before = target.megabytes
    with ThreadPoolExecutor(len(attacks)) as pool:
        attackers = [pool.submit(attack, number) for number in range(len(attacks))]
        while time.monotonic() < until:
            expected = target.expected
            assert target.press()["acknowledged"] == expected
            assert target.person("supervisor").get("/floor").status_code == 200
            time.sleep(7)
        assert {each.result() for each in attackers} == {None}
    assert target.megabytes - before < MEGABYTES_MAX
