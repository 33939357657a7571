"""A display, a device, and a console with a dealer's PIN: each has its own place and speaks for nobody else."""

from __future__ import annotations

import json
from typing import Any

import httpx2
import pytest

from pitboss.books import microseconds_now
from tests.server.attacks.target import SECONDS_MAX, TRACES, Target, follows
from tests.server.making import PIN, command


def test_a_display_reads_and_changes_nothing_but_its_own_beat(target: Target) -> None:
    display = target.by_token("display")
    before = target.head
    for path in ("entries", "head", "people", "hits", "approvals", "devices", "jackpots/main/accounts", "alarms"):
        assert display.get(f"/api/v1/{path}").status_code == 403, path
    bodies: tuple[Any, ...] = ({"amounts": {"main": 10**18}}, {"amounts": {"main": -1}}, [], {})
    for body in (*bodies, {"amounts": dict.fromkeys(map(str, range(1_000)), 1)}):
        assert display.post("/api/v1/displays/beat", json=body).status_code == 422, body
    # What it says it shows moves no meter, and another display's name cannot be said.
    shown = target.shown
    assert display.post("/api/v1/displays/beat", json={"amounts": {"main": 1}}).json()["registered"] is False
    named = {"amounts": {"main": 1}, "name": "monitor 4"}
    assert display.post("/api/v1/displays/beat", json=named).status_code == 422
    assert target.shown == shown
    assert {entry["kind"] for entry in target.entries(before)} <= TRACES


def test_a_device_does_not_speak_for_others_or_at_another_time(target: Target) -> None:
    now, shown = microseconds_now(), target.shown
    year = 365 * 24 * 3_600 * 1_000_000
    for fields in ({"device": "A3-0018"}, {"table": "5"}, {"device": "the device"}):
        assert target.press(**fields)["status"] == "refused"
    for at, sent in ((0, now), (1, 1), (now - year, now - year), (2**53 - 1, 2**53 - 1), (now + year, now + year)):
        reply = target.press(at=at, sent=sent, sensors=[[1, 1]])
        # A clock that is wrong is put right by the server's own: then it is a press of now.
        assert reply["status"] in ("refused", "counted", "released", "ignored", "noted"), reply
        if reply["status"] == "counted":
            assert abs(sent - now) > 120 * 1_000_000
            assert at == sent
    strange = target.by_token("device")
    assert strange.post("/api/v1/devices/messages", json=target.message()).json()["status"] == "refused"
    assert target.shown - shown <= 5 * 18


def test_a_device_sends_nothing_that_harms(target: Target) -> None:
    bodies = (
        b"[" * 120_000,
        b'{"a":' * 40_000,
        b"9" * 200_000,
        b'{"type": "press", "type": "hello"}',
        b'{"type": NaN}',
        b"\xff\xfe\x00",
        json.dumps(target.message(sequence=10**400)).encode(),
        json.dumps(target.message(sensors=[[10**30, 1]])).encode(),
        json.dumps(target.message(device="\ud800")).encode(),
        json.dumps({**target.message(), "rounds": []}).encode(),
        json.dumps(target.message(type="batch", rounds=[[1, [[1, 1]]]] * 9_000) | {"sensors": []}).encode(),
    )
    shown = target.shown
    for body in bodies:
        begun = target.seconds
        answer = target.device.post("/api/v1/devices/messages", content=body)
        assert answer.status_code in (200, 413, 422), (body[:40], answer.status_code)
        assert answer.status_code != 200 or answer.json()["status"] in ("unreadable", "refused"), answer.text
        assert target.seconds - begun < SECONDS_MAX, body[:40]
        assert len(answer.content) < 20_000, body[:40]
    assert target.device.post("/api/v1/devices/messages", content=b" " * 256_001).status_code == 413
    assert target.shown == shown


def test_a_second_device_under_the_same_name_is_an_alarm_and_counts_nothing(target: Target) -> None:
    first = target.message(sensors=[[2, 1]])
    target.device.post("/api/v1/devices/messages", json=first)
    shown, before = target.shown, target.head
    twin = target.device.post("/api/v1/devices/messages", json={**first, "sensors": [[3, 1], [4, 1]]}).json()
    assert twin["status"] == "refused"
    assert target.shown == shown
    [refused] = [entry for entry in target.entries(before) if entry["kind"] == "message-refused"]
    assert "two devices" in json.dumps(refused)
    assert "two devices" in target.person("supervisor").get("/floor").text.lower()


@pytest.fixture(scope="module")
def dealer(target: Target) -> httpx2.Client:
    """The console of table 4, at which the dealer has tapped in."""
    client = target.server.client()
    assert client.post(f"/links/{target.links['the console']}").status_code == 303
    csrf = client.get("/api/v1/me").json()["csrf"]
    tapped = client.post("/tap", data={"login": "a-dealer", "pin": PIN, "csrf": csrf})
    assert tapped.status_code == 303, tapped.text
    client.headers["x-csrf-token"] = client.get("/api/v1/me").json()["csrf"]
    return client


READ = ("/api/v1/entries", "/api/v1/head", "/office/audit", "/office/audit/1", "/office/reports/w-2g", "/api/v1/people")


def test_a_pin_reads_no_journal_and_no_winners_papers(dealer: httpx2.Client) -> None:
    for path in (*READ, "/office/hits/3/slips/1", "/office/hits/3/slips/1/pdf", "/office/packet", "/metrics"):
        assert dealer.get(path).status_code == 403, path
    for topic in ("floor", "alarms", "approvals", "people", "approvals/people"):
        assert follows(dealer, topic) in (403, 404), topic


def test_a_pin_acts_at_its_own_table_and_in_its_own_place(target: Target, dealer: httpx2.Client) -> None:
    before = target.head
    claims = [{"seat": 1, "row": "Five-card Royal Flush"}]
    tried: tuple[tuple[str, dict[str, Any], tuple[int, ...]], ...] = (
        ("hits/call", {"jackpot": "main", "table": "5", "claims": claims}, (403, 409)),
        ("tables/press", {"table": "5"}, (403, 409)),
        ("tables/void", {"table": "4", "round": 1, "cause": "misdeal", "words": "x"}, (403, 422)),
        ("jackpots/adjust", {"name": "main", "units": 5_000_000_000, "words": "x"}, (403,)),
        ("hits/pay", {"hit": 1, "slip": 1}, (403,)),
        ("approvals/1/give", {}, (403,)),
        ("people", {"login": "eve", "name": "Eve", "roles": ["manager"]}, (403,)),
    )
    for path, fields, statuses in tried:
        answer = dealer.post(f"/api/v1/{path}", json={"command": command(), **fields})
        assert answer.status_code in statuses, (path, answer.status_code, answer.text)
    assert {entry["kind"] for entry in target.entries(before)} <= TRACES


@pytest.mark.parametrize("name", ["device A3-0017 {}", "watch-1", "first-administrator"])
def test_a_dealer_takes_no_id_of_a_device_or_of_the_server(target: Target, dealer: httpx2.Client, name: str) -> None:
    taken = name.format(target.expected)
    answer = dealer.post("/api/v1/tables/mark-seats", json={"command": taken, "table": "4", "persons": []})
    assert (answer.status_code, "command" in answer.text) == (409, True), answer.text
    before = target.expected
    target.press()
    assert target.expected == before + 1


def test_a_pins_session_is_worth_nothing_in_another_browser(target: Target, dealer: httpx2.Client) -> None:
    thief = target.server.client()
    thief.cookies.set("pitboss-session", dealer.cookies["pitboss-session"])
    assert thief.get("/api/v1/me").status_code == 401
    # Nor at the console of another table.
    assert thief.post(f"/links/{target.links['the other console']}").status_code == 303
    thief.cookies.set("pitboss-session", dealer.cookies["pitboss-session"])
    assert "dealer" not in thief.get("/api/v1/me").json()["roles"]
