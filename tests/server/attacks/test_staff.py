"""Each role and an administrator: nobody acts alone, and nobody becomes a second person."""

from __future__ import annotations

import sqlite3
from contextlib import closing
from typing import Any

import pytest

from pitboss.room.people.roles import PEOPLE_ROLES
from tests.server.attacks.bad import TOMLS
from tests.server.attacks.target import SECONDS_MAX, TRACES, Target
from tests.server.making import command
from tests.server.test_api import JACKPOT


def test_each_role_alone_moves_no_meter(target: Target) -> None:
    """Every way in which one person could raise or lower a progressive, and then approve it themselves."""
    shown = target.shown
    ways: tuple[tuple[str, dict[str, Any]], ...] = (
        ("jackpots/adjust", {"name": "main", "units": 5_000_000_000, "words": "a gift"}),
        ("jackpots/withdraw", {"name": "main", "cents": 1_000_00}),
        ("jackpots/seed-other", {"name": "main", "other": "main", "cents": 1, "words": "x"}),
        ("jackpots/change", {"jackpot": JACKPOT, "words": "x"}),
        ("jackpots/remove", {"name": "main", "words": "x"}),
        ("tables/void", {"table": "4", "round": 1, "cause": "misdeal", "words": "x"}),
    )
    for role in PEOPLE_ROLES:
        for path, fields in ways:
            answer = target.post(role, path, **fields)
            assert answer.status_code in (202, 403, 409, 422), (role, path, answer.text)
            if answer.status_code == 202:
                number = answer.json()["approval"]
                own = target.post(role, f"approvals/{number}/give")
                assert own.status_code in (403, 409), (role, path, own.text)
                assert target.post(role, f"approvals/{number}/refuse", words="back").status_code == 200
    assert target.shown == shown


def test_an_id_that_is_sent_again_does_nothing_and_with_another_content_is_refused(target: Target) -> None:
    body = {"command": command(), "name": "Renamed", "since": "2027-06-01", "words": "why"}
    first = target.post("manager", "room/rename", **body)
    assert first.status_code == 202
    # Who has not signed in yet does so with their first request, which is an entry.
    target.person("accounting")
    before = target.head
    assert target.post("manager", "room/rename", **body).json() == first.json() | {"again": True}
    assert target.post("manager", "room/rename", **{**body, "name": "Another"}).status_code == 409
    assert target.post("accounting", "jackpots/adjust", **{**body, "units": 1, "name": "main"}).status_code in (
        409,
        422,
    )
    assert [entry["kind"] for entry in target.entries(before) if entry["kind"] not in TRACES] == []
    number = first.json()["approval"]
    assert target.post("manager", f"approvals/{number}/refuse", words="never mind").status_code == 200


@pytest.mark.parametrize("text", TOMLS.values(), ids=TOMLS)
def test_a_managers_toml_is_refused_in_milliseconds(target: Target, text: str) -> None:
    """Seen: 98 kB of dotted keys took 9.5 GB."""
    begun = target.seconds
    answer = target.post("manager", "tables/post", table="4", toml=text, since="2026-12-01", words="x")
    assert answer.status_code in (409, 422), answer.text[:200]
    page = target.person("manager").post("/office/tables/4/edit", data={"toml": text, "command": command()})
    assert page.status_code in (200, 409, 422), page.status_code
    assert target.seconds - begun < SECONDS_MAX


def test_an_administrator_becomes_nobody_else(target: Target) -> None:
    """Seen: one administrator raised a progressive by $50,000 alone."""
    waiting = []
    for roles in (["manager"], ["accounting", "surveillance"], ["dealer"]):
        added = target.post("administrator", "people", login=f"eve-{roles[0]}", name=f"Eve {roles[0]}", roles=roles)
        assert added.status_code == 202, added.text
        waiting.append(added.json()["approval"])
    for role in PEOPLE_ROLES:
        if role != "administrator":
            linked = target.post("administrator", f"people/a-{role}/links", words="forgot it")
            assert linked.status_code == 202, (role, linked.text)
            waiting.append(linked.json()["approval"])
    own = target.person("administrator").put(
        "/api/v1/people/a-administrator", json={"command": command(), "roles": ["administrator", "manager"]}
    )
    assert own.status_code in (202, 409)
    for number in waiting:
        assert target.post("administrator", f"approvals/{number}/give").status_code == 403
        assert target.post("administrator", f"approvals/{number}/refuse", words="no").status_code == 200
    adjusted = target.post("administrator", "jackpots/adjust", name="main", units=5_000_000_000, words="x")
    assert adjusted.status_code == 403


def test_g_68_an_administrator_makes_no_link_alone_for_who_has_a_pin(target: Target) -> None:
    """Who only deals has a PIN and no password: a link would make the administrator that dealer."""
    administrator = target.person("administrator")
    with closing(sqlite3.connect(target.path / "access.sqlite3")) as vault, vault:
        kept = vault.execute("SELECT hash FROM secrets WHERE subject = 'a-dealer' AND what = 'password'").fetchone()
        vault.execute("DELETE FROM secrets WHERE subject = 'a-dealer' AND what = 'password'")
    try:
        body = {"command": command(), "words": "forgot it"}
        assert administrator.post("/api/v1/people/a-dealer/links", json=body).status_code == 202
    finally:
        with closing(sqlite3.connect(target.path / "access.sqlite3")) as vault, vault:
            vault.execute("INSERT INTO secrets VALUES ('a-dealer', 'password', ?)", kept)


def test_an_administrators_devices_and_names_are_nobody_else(target: Target) -> None:
    """A device or a person whose name looks like another's, or like what signs for the server."""
    for name in ("A-manager", "a-MANAGER", "Pitboss", "pitboss", "\uff21-manager", "A\u2010manager\u200b"):
        device = target.post("administrator", "devices", name=name, what="display", table="4")
        assert device.status_code == 409, (name, device.text)
        person = target.post("administrator", "people", login=f"x{command()}", name=name, roles=["auditor"])
        assert person.status_code == 409, (name, person.text)
