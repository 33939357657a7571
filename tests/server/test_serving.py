"""The real server in a process of its own: starting, ending in order, being killed, and what it never loads."""

from __future__ import annotations

import json
import shutil
import signal
import socket
import ssl
from pathlib import Path

import httpx2
import pytest

from tests.docs.console import run_pitboss
from tests.server.conftest import Filled
from tests.server.making import PASSWORD, served
from tests.server.running import running, self_signed


def test_the_first_start_prints_a_one_time_link_by_which_the_administrator_comes_in(empty_path: Path) -> None:
    with running(empty_path) as server:
        assert server.first.startswith("Test Room is running at http://127.0.0.1:")
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
        assert f"Stopped. The room is saved in {empty_path}.\n" in server.rest
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


def test_a_port_that_is_taken_is_told_with_what_to_do(empty_path: Path) -> None:
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = str(taken.getsockname()[1])
        ran = run_pitboss(["serve", "--data", str(empty_path), "--port", port])

    assert ran.exit_code == 2
    assert f"port {port} of 127.0.0.1: Address already in use; --port names another" in " ".join(ran.printed.split())


def test_without_books_it_says_what_is_missing(tmp_path: Path) -> None:
    (tmp_path / "something").touch()
    ran = run_pitboss(["serve", "--data", str(tmp_path)])

    assert ran.exit_code == 2
    assert "there are no books in" in ran.printed


def test_with_a_certificate_it_speaks_https_and_its_cookies_are_secure(filled: Filled, quick_path: Path) -> None:
    path = shutil.copytree(filled.path, quick_path / "room")
    certificate, key = self_signed(quick_path)
    with running(path, "--certificate", str(certificate), "--key", str(key)) as server:
        assert server.address.startswith("https://127.0.0.1:")
        trusting = ssl.create_default_context(cafile=str(certificate))
        with httpx2.Client(base_url=server.address, verify=trusting, timeout=60) as client:
            answer = client.post("/sign-in", data={"login": "a-manager", "password": PASSWORD})
            assert answer.status_code == 303
            assert answer.headers["set-cookie"].startswith("__Host-pitboss-session=")
            assert "; secure" in answer.headers["set-cookie"].lower()
            assert client.get("/api/v1/me").json()["login"] == "a-manager"
        assert server.end() == (0, "loaded:\n")


def test_behind_a_proxy_it_believes_the_proxy_about_whom_it_asks_for_and_nobody_else(
    filled: Filled, quick_path: Path
) -> None:
    path = shutil.copytree(filled.path, quick_path / "room")
    forwarded = {"x-forwarded-for": "192.0.2.99", "x-forwarded-proto": "https", "host": "pitboss.example"}
    proxied = ("--behind-proxy", "--public", "https://pitboss.example")
    for options in (proxied, (*proxied, "--proxy", "192.0.2.1"), ()):
        with running(path, *options) as server:
            headers = forwarded if options else {"x-forwarded-for": "192.0.2.99"}
            form = {"login": "a-manager", "password": PASSWORD}
            assert server.client().post("/sign-in", data=form, headers=headers).status_code == 303
            server.end()
    with served(path) as house:
        found = [json.loads(each.payload)["address"] for each in house.entries("signed-in")]
    assert found == ["192.0.2.99", "127.0.0.1", "127.0.0.1"]


def test_an_empty_directory_becomes_a_new_room_that_is_set_up_in_the_browser(quick_path: Path) -> None:
    """The store is made by another process: the server itself loads nothing that makes one."""
    with running(quick_path / "new") as server:
        assert server.first.startswith("A new room in ")
        link = server.line().split()[-1]
        client = server.client()
        answer = client.post(link, data={"password": PASSWORD, "again": PASSWORD})
        assert answer.headers["location"] == "/office/start"
        assert server.end(signal.SIGINT) == (0, "loaded:\n")
