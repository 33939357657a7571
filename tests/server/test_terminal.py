"""The terminal beside a running server: what is typed goes through the server, in the name of a token's owner."""

from __future__ import annotations

import json
import shutil
from getpass import getuser
from pathlib import Path
from typing import Any

import pytest

from pitboss.commands.command import BOOK, SYSTEM_ACTOR
from pitboss.room.room import Room
from pitboss.server.settings import announce, announced
from tests.docs.console import Ran, run_pitboss
from tests.server.conftest import Filled
from tests.server.making import PASSWORD, House, served
from tests.server.running import running, self_signed


@pytest.fixture
def path(filled: Filled, quick_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("PITBOSS_TOKEN_FILE", str(quick_path / "token"))
    return shutil.copytree(filled.path, quick_path / "room")


def keep(file: Path, token: str) -> None:
    file.unlink(missing_ok=True)
    file.touch(0o600)
    file.write_text(token, encoding="utf-8")


def make_token(client: Any) -> str:
    """The token that somebody makes on the page of their account."""
    page = client.post("/account/token", data={"current": PASSWORD, "csrf": client.headers["x-csrf-token"]})
    assert page.status_code == 200, page.text
    return str(page.text.partition('<code class="token">')[2].partition("</code>")[0])


def rename(path: Path, person: str) -> Ran:
    fields = json.dumps({"name": "New Name", "since": "2027-06-01", "words": "another name"})
    return run_pitboss(["do", str(path), "room/rename", fields, "--person", person, "--approved-by", "A-accounting"])


def test_a_token_is_made_for_the_password_alone_and_signs_no_browser_in(house: House) -> None:
    client = house.as_("manager")
    refused = client.post("/account/token", data={"current": "wrong", "csrf": client.headers["x-csrf-token"]})
    assert refused.status_code == 403
    token = make_token(client)
    bearer = house.browser().get("/api/v1/me", headers={"Authorization": f"Bearer {token}"})
    assert bearer.json()["roles"] == ["manager"]
    cookie = house.browser()
    cookie.cookies.set("pitboss-session", token)
    assert cookie.get("/api/v1/me").status_code == 401


def test_a_token_ends_with_the_next_one_with_the_password_and_after_thirty_days(house: House) -> None:
    client = house.as_("manager")
    first, second = make_token(client), make_token(client)
    assert house.access.at_terminal(first) is None
    assert house.access.at_terminal(second) is not None
    house.access.set_password("a-manager", "another long password 1", SYSTEM_ACTOR)
    assert house.access.at_terminal(second) is None
    third = house.access.make_terminal_token("a-manager", SYSTEM_ACTOR)
    assert house.access.at_terminal(third) is not None
    house.clock.add(31 * 24 * 3600 * 1_000_000)
    assert house.access.at_terminal(third) is None


def test_beside_a_server_one_asks_and_another_approves_each_with_their_own_token(path: Path) -> None:
    token = path.parent / "token"
    with running(path) as server:
        without = rename(path, "A-manager")
        keep(token, make_token(server.client("a-manager")))
        another, waiting = rename(path, "A-auditor"), rename(path, "A-manager")
        number = waiting.printed.partition("request ")[2].partition(".")[0]
        own = run_pitboss(["approve", str(path), number])
        token.chmod(0o644)
        readable = run_pitboss(["approve", str(path), number])
        typed = run_pitboss(["token"], typed=make_token(server.client("a-accounting")))
        done = run_pitboss(["approve", str(path), number])
        again = run_pitboss(["decline", str(path), number, "--reason", "too late"])
        server.end()

    assert (without.exit_code, "sign in first" in without.printed) == (2, True)
    assert "the token at this terminal is that of A-manager, not of A-auditor" in another.printed
    assert waiting.exit_code == 0
    assert (
        f"request {number}. It needs accounting or surveillance, and not you: in the browser, or with"
        in waiting.printed
    )
    assert (own.exit_code, readable.exit_code, "others can read" in readable.printed) == (2, 2, True)
    assert (typed.exit_code, token.stat().st_mode & 0o777) == (0, 0o600)
    assert done.exit_code == 0
    shown, _, outcome = done.printed.partition("Approved: entry")
    assert (f"{number}  Rename the room" in shown, "Requested by A-manager (manager)" in shown, bool(outcome)) == (
        True,
    ) * 3
    assert again.exit_code == 2
    with Room(path) as room:
        assert [entry.kind for entry in room.books.store.entries(BOOK)][-3:-1] == ["approval-given", "room-set"]
    assert announced(path) is None


def test_without_a_server_the_second_person_approves_with_their_token_too(path: Path) -> None:
    with served(path) as own:
        answer = own.as_("manager").post(
            "/api/v1/room/rename", json={"command": "c", "name": "New", "since": "2027-06-01", "words": "why"}
        )
        keep(path.parent / "token", own.access.make_terminal_token("a-accounting", SYSTEM_ACTOR))
    declined = run_pitboss(["decline", str(path), str(answer.json()["approval"]), "--reason", "no"])

    assert (declined.exit_code, declined.printed.startswith("Declined")) == (0, True)


def test_a_server_with_a_certificate_is_trusted_by_that_certificate_alone(path: Path, quick_path: Path) -> None:
    certificate, key = self_signed(quick_path)
    with served(path) as own:
        keep(quick_path / "token", own.access.make_terminal_token("a-manager", SYSTEM_ACTOR))
    with running(path, "--certificate", str(certificate), "--key", str(key)):
        assert rename(path, "A-manager").exit_code == 0
        (quick_path / "other").mkdir()
        other, _key = self_signed(quick_path / "other")
        announce(path, announced(path).address, other)  # type: ignore[union-attr]
        refused = rename(path, "A-manager")

    assert (refused.exit_code, "does not answer" in refused.printed) == (2, True)


def test_g_71_without_a_server_the_terminal_asks_who_one_is_too(path: Path) -> None:
    """Seen: any two names that were typed renamed a room, and closed tables, while its server was stopped."""
    without = rename(path, "A-manager")
    with served(path) as own:
        keep(path.parent / "token", own.access.make_terminal_token("a-dealer", SYSTEM_ACTOR))
        manager = own.access.make_terminal_token("a-manager", SYSTEM_ACTOR)
        own.clock.add(1)
    other, dealer = rename(path, "A-manager"), rename(path, "A-dealer")
    keep(path.parent / "token", manager)
    waiting = rename(path, "A-manager")

    assert (without.exit_code, "sign in first" in without.printed) == (2, True)
    assert "the token at this terminal is that of A-dealer" in other.printed
    assert "A-dealer is no manager" in dealer.printed
    assert (waiting.exit_code, "Submitted for approval" in waiting.printed) == (0, True)
    with Room(path) as room:
        entries = list(room.books.store.entries(BOOK))
    assert [entry.kind for entry in entries][-2:] == ["signed-in", "approval-asked"]
    assert f"user {getuser()}" in entries[-2].payload
