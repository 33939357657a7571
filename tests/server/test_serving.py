"""The real server in a process of its own: starting, ending in order, being killed, and what it never loads."""

from __future__ import annotations

import shutil
import signal
from pathlib import Path

import pytest

from pitboss.books.check import check_books
from pitboss.server.projections import PROJECTIONS
from tests.books.making import Room
from tests.docs.console import run_pitboss
from tests.server.conftest import Filled
from tests.server.making import PASSWORD
from tests.server.running import running


def test_the_first_start_prints_a_one_time_link_by_which_the_administrator_comes_in(empty_path: Path) -> None:
    with running(empty_path) as server:
        assert server.first.startswith("Test Room is served at http://127.0.0.1:")
        link = server.line().split()[-1]
        client = server.client()
        chosen = {"password": PASSWORD, "again": PASSWORD}
        assert client.get(link).status_code == 200
        assert client.post(link, data=chosen).status_code == 303
        assert client.get("/api/v1/me").json()["roles"] == ["administrator"]
        assert server.end() == (0, "loaded:\n")
    with running(empty_path) as again:
        again.client("administrator")
        # Nothing but the address is printed: somebody has a password.
        assert again.end(signal.SIGINT) == (0, "loaded:\n")


def test_a_server_has_the_books_to_itself_and_goes_on_where_it_was_when_killed(
    filled: Filled, quick_path: Path
) -> None:
    path = shutil.copytree(filled.path, quick_path / "room")
    with running(path) as server:
        ran = run_pitboss(["serve", "--data", str(path), "--port", "0"])
        assert ran.exit_code == 2
        assert "another process writes to the books" in ran.printed
        client = server.client("a-administrator")
        added = {"command": "1", "login": "eve", "name": "Eve", "roles": ["dealer"]}
        assert client.post("/api/v1/people", json=added).json()["again"] is False
        cookies = client.cookies
        token = client.headers["x-csrf-token"]
        server.end(signal.SIGKILL)
    with running(path) as again:
        client = again.client()
        client.cookies, client.headers["x-csrf-token"] = cookies, token
        assert client.get("/api/v1/me").json()["login"] == "a-administrator"
        assert client.post("/api/v1/people", json=added).json()["again"] is True
        again.end()
    report = check_books(Room(path, "sqlite").directory, projections=PROJECTIONS)
    assert report.is_sound


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
