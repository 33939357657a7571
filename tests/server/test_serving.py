"""The real server in a process of its own: starting, ending in order, being killed, and what it never loads."""

from __future__ import annotations

import signal
from pathlib import Path

import pytest

from tests.docs.console import run_pitboss
from tests.server.making import PASSWORD, served
from tests.server.running import running


def test_the_first_start_prints_a_one_time_link_by_which_the_administrator_comes_in(empty_path: Path) -> None:
    with running(empty_path) as server:
        assert server.first.startswith("Test Room is served at http://127.0.0.1:")
        link = server.line().split()[-1]
        ran = run_pitboss(["serve", "--data", str(empty_path), "--port", "0"])
        assert ran.exit_code == 2
        assert "another process writes to the books" in ran.printed
        client = server.client()
        chosen = {"password": PASSWORD, "again": PASSWORD}
        assert client.get(link).status_code == 200
        assert client.post(link, data=chosen).status_code == 303
        assert client.get("/api/v1/me").json()["roles"] == ["administrator"]
        assert server.end(signal.SIGINT) == (0, "loaded:\n")
    with served(empty_path) as again:
        assert again.access.first_link() is None


@pytest.mark.parametrize(
    ("options", "words"),
    [
        (["--host", "0.0.0.0"], "can be reached from elsewhere"),  # noqa: S104
        (["--certificate", "none.pem"], "given together"),
        (["--port", "70000"], "must be from 0 to 65535"),
    ],
)
def test_where_it_may_not_listen_it_does_not_start(empty_path: Path, options: list[str], words: str) -> None:
    ran = run_pitboss(["serve", "--data", str(empty_path), *options])

    assert ran.exit_code == 2
    assert words in " ".join(ran.printed.split())


def test_without_books_it_says_what_is_missing(tmp_path: Path) -> None:
    ran = run_pitboss(["serve", "--data", str(tmp_path)])

    assert ran.exit_code == 2
    assert "there are no books in" in ran.printed
