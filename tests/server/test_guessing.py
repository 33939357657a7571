"""Guessing at the door: locks that no stranger turns on an administrator, the line of hashes, TOTP (issue 18, item 9)."""

from __future__ import annotations

import base64
import threading
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from typing import Any

import pytest
from fastapi.testclient import TestClient

from pitboss.commands.command import SYSTEM_ACTOR
from pitboss.room.people import access as access_module
from pitboss.room.people.access import SignInRefusedError
from pitboss.room.people.passwords import Hashing, LineFullError, password_problems, pin_problems, totp, totp_step
from pitboss.room.people.vault import SEAL_FILE
from pitboss.server.settings import Listening, listening_problems
from tests.server.making import ADDRESS, MINUTE, PASSWORD, PIN, SECOND, House, cheap, served, sign_in, with_csrf

WRONG = "not the password at all"


def at(house: House, address: str) -> TestClient:
    return TestClient(house.app, base_url=ADDRESS, follow_redirects=False, client=(address, 50_000))


def tried(client: TestClient, login: str, password: str, **fields: str) -> int:
    return client.post("/sign-in", data={"login": login, "password": password, **fields}).status_code


class Hashes(Hashing):
    """Counts what is compared with a real hash, and waits until it is told to go on."""

    def __init__(self) -> None:
        super().__init__(cheap()._hasher)
        self.real = self.all = 0
        self.go = threading.Event()

    def matches(self, hashed: str | None, secret: str) -> bool:
        self.all += 1
        self.real += hashed is not None
        self.go.wait(5)
        return super().matches(hashed, secret)


def test_a_code_that_two_send_at_once_lets_one_of_them_in(house: House, monkeypatch: pytest.MonkeyPatch) -> None:
    """Seen: who copied a code as it was typed came in beside its owner."""
    set_up(house, house.as_("manager"), "a-manager")
    house.clock.add(MINUTE)
    code = code_of(house, "a-manager")
    both = threading.Barrier(2)

    def slow(*arguments: Any, **named: Any) -> int | None:
        with suppress(threading.BrokenBarrierError):
            both.wait(1)
        return totp_step(*arguments, **named)

    monkeypatch.setattr(access_module, "totp_step", slow)

    def enter(number: int) -> bool:
        try:
            house.access.sign_in("a-manager", PASSWORD, address=f"192.0.2.{number}", code=code)
        except SignInRefusedError:
            return False
        return True

    with ThreadPoolExecutor(2) as pool:
        assert sorted(pool.map(enter, (1, 2))) == [False, True]


def test_of_many_tries_at_once_no_more_are_compared_than_one_by_one(house: House) -> None:
    hashes = house.access.hashing = Hashes()

    def guess(number: int) -> None:
        with pytest.raises((SignInRefusedError, LineFullError)):
            house.access.sign_in("a-manager", f"{WRONG} {number}", address=f"192.0.2.{number % 3}")

    with ThreadPoolExecutor(12) as pool:
        guesses = [pool.submit(guess, number) for number in range(12)]
        hashes.go.set()
        assert {each.result() for each in guesses} == {None}
    for number in range(60):
        guess(number)
    assert hashes.real <= 15


def test_a_stranger_who_locks_a_name_locks_it_where_they_are(house: House) -> None:
    stranger, administrator = at(house, "198.51.100.1"), at(house, "192.0.2.10")
    assert {tried(stranger, "a-administrator", WRONG) for _ in range(20)} == {403}

    assert tried(stranger, "a-administrator", PASSWORD) == 403
    assert tried(administrator, "a-administrator", PASSWORD) == 303


def test_who_has_signed_in_before_in_this_browser_is_not_locked_out_by_others_at_the_same_address(house: House) -> None:
    administrator, stranger = house.browser(), house.browser()
    assert tried(administrator, "a-administrator", PASSWORD) == 303
    for name in ("a-administrator", "a-manager", "nobody"):
        assert {tried(stranger, name, WRONG) for _ in range(20)} == {403}

    assert tried(stranger, "a-administrator", PASSWORD) == 403
    assert tried(administrator, "a-administrator", PASSWORD) == 303
    # The browser itself is no way to guess on.
    assert {tried(administrator, "a-administrator", WRONG) for _ in range(5)} == {403}
    assert tried(administrator, "a-administrator", PASSWORD) == 403
    house.clock.add(5 * MINUTE)
    assert tried(administrator, "a-administrator", PASSWORD) == 303


def test_guesses_from_many_addresses_lock_the_name_but_for_a_browser_that_is_known(house: House) -> None:
    administrator = at(house, "203.0.113.1")
    assert tried(administrator, "a-administrator", PASSWORD) == 303
    for number in range(50):
        assert tried(at(house, f"198.51.100.{number}"), "a-administrator", WRONG) == 403

    assert tried(at(house, "203.0.113.2"), "a-administrator", PASSWORD) == 403
    assert tried(administrator, "a-administrator", PASSWORD) == 303


def test_every_answer_takes_one_hash_and_no_entry_of_its_own(house: House) -> None:
    """The time of an answer tells nothing: known or not, locked or not, each compares once and writes nothing more."""
    hashes = house.access.hashing = Hashes()
    hashes.go.set()
    client, written = house.browser(), []
    tried(client, "a-manager", WRONG)
    for name in ("a-manager", "nobody"):
        for _ in range(10):
            before, entries = hashes.all, len(house.entries())
            tried(client, name, WRONG)
            written.append((hashes.all - before, len(house.entries()) - entries))
    assert set(written) == {(1, 0)}
    house.access.tidy()
    assert len(house.entries("locked-out")) == 1


def test_beyond_the_line_of_hashes_one_is_told_to_come_later(house: House) -> None:
    hashes = house.access.hashing = Hashes()
    with ThreadPoolExecutor(6) as pool:
        tries = [pool.submit(tried, house.browser(), f"nobody-{number}", WRONG) for number in range(4)]
        while hashes.all < 2:
            pass
        while sum(hashes._waiting.values()) < 4:
            pass
        late = house.browser().post("/sign-in", data={"login": "a-manager", "password": PASSWORD})
        elsewhere = pool.submit(tried, at(house, "203.0.113.9"), "a-manager", PASSWORD)
        hashes.go.set()
        assert {each.result() for each in tries} == {403}
        assert elsewhere.result() == 303
    assert (late.status_code, late.headers["retry-after"]) == (429, "2")


COMMON = (
    "password1234",
    "Password123!",
    "Qwertyuiop123",
    "correct horse battery staple",
    "iloveyouforever",
    "P@ssw0rd2026!",
    "jackpotjackpot",
    "asdfghjklpoiu",
    "1q2w3e4r5t6y",
    "Administrator1",
    "12345678901234",
)


@pytest.mark.parametrize("password", COMMON)
def test_common_passwords_are_refused(password: str) -> None:
    assert password_problems(password, login="zoe", name="Zoe")


@pytest.mark.parametrize("password", [PASSWORD, "four clouds over Tacoma 7", "vexed quartz jumps", "m8Rq-2zLw-9xTk"])
def test_others_are_not(password: str) -> None:
    assert password_problems(password, login="zoe", name="Zoe") == []


@pytest.mark.parametrize(
    "pin", ["1212", "1984", "2026", "123123", "2580", "0007", "1122", "7777", "4321", "112112", "1121"]
)
def test_common_pins_are_refused(pin: str) -> None:
    assert pin_problems(pin)


def test_most_pins_are_free() -> None:
    assert sum(not pin_problems(f"{number:04}") for number in range(10_000)) > 8_500


SECRET = base64.b32encode(b"12345678901234567890").decode()
VECTORS = ((59, "94287082"), (1111111109, "07081804"), (1111111111, "14050471"), (1234567890, "89005924"), (2000000000, "69279037"), (20000000000, "65353130"))  # fmt: skip


@pytest.mark.parametrize(("seconds", "code"), VECTORS)
def test_the_codes_are_those_of_rfc_6238(seconds: int, code: str) -> None:
    assert totp(SECRET, seconds // 30, digits=8) == code
    assert totp_step(SECRET, f" {code[2:5]} {code[5:]} ", seconds * SECOND) == seconds // 30
    assert totp_step(SECRET, code[2:], (seconds + 90) * SECOND) is None


def code_of(house: House, login: str) -> str:
    secret = house.access.vault.unsealed(login, "totp") or house.access.vault.unsealed(login, "totp-new")
    return totp(secret.partition(" ")[0], house.clock() // (30 * SECOND))


def set_up(house: House, client: TestClient, login: str) -> None:
    assert "<svg" in client.get("/account").text
    answer = client.post("/account/factor", data={"current": PASSWORD, "code": "000000"})
    assert (answer.status_code, house.access.has_factor(login)) == (422, False)
    answer = client.post("/account/factor", data={"current": PASSWORD, "code": code_of(house, login)})
    assert (answer.status_code, house.access.has_factor(login)) == (200, True)


def test_who_has_a_second_factor_signs_in_with_a_code_that_works_once(house: House) -> None:
    set_up(house, house.as_("manager"), "a-manager")
    client = house.browser()
    assert "one-time-code" in client.get("/sign-in").text
    assert tried(client, "a-manager", PASSWORD) == 403
    refused = client.post("/sign-in", data={"login": "a-manager", "password": PASSWORD})
    nobody = client.post("/sign-in", data={"login": "no-one", "password": PASSWORD})
    assert "That name, password and code don&#39;t match." in refused.text, "seen: a right password was called wrong"
    assert "That name, password and code don&#39;t match." in nobody.text
    # The code with which it was set up was used.
    assert tried(client, "a-manager", PASSWORD, code=code_of(house, "a-manager")) == 403
    house.clock.add(31 * SECOND)
    code = code_of(house, "a-manager")
    assert tried(client, "a-manager", WRONG, code=code) == 403
    assert tried(client, "a-manager", PASSWORD, code=code) == 303
    assert tried(house.browser(), "a-manager", PASSWORD, code=code) == 403
    secret = house.access.vault.unsealed("a-manager", "totp").partition(" ")[0]
    assert secret not in "".join(entry.payload for entry in house.entries())


def test_the_secret_of_a_second_factor_is_sealed_with_the_rooms_key(house: House) -> None:
    """Seen: whoever had the store of sign-ins computed everybody's codes."""
    set_up(house, house.as_("manager"), "a-manager")
    vault, key = house.access.vault, house.room.path / SEAL_FILE
    secret = vault.unsealed("a-manager", "totp").partition(" ")[0]
    files = [file.read_bytes() for file in house.room.path.iterdir() if file.is_file()]
    assert not any(secret.encode() in content for content in files)
    assert key.stat().st_mode & 0o077 == 0
    # Nobody puts another person's sealed secret in the place of their own.
    vault.put_secret("a-supervisor", "totp", vault.secret("a-manager", "totp"))
    assert tried(house.browser(), "a-supervisor", PASSWORD, code=code_of(house, "a-manager")) == 403
    key.unlink()
    house.clock.add(31 * SECOND)
    assert tried(house.browser(), "a-manager", PASSWORD, code="000000") == 403
    # One of before, in plain text, opens as ever.
    vault.put_secret("a-manager", "totp", f"{secret} 0")
    assert tried(house.browser(), "a-manager", PASSWORD, code=code_of(house, "a-manager")) == 303


def test_who_lost_the_phone_comes_in_by_a_new_link(house: House) -> None:
    set_up(house, house.as_("manager"), "a-manager")
    with pytest.raises(SignInRefusedError):
        house.access.by_password("a-manager", PASSWORD, address="192.0.2.7")
    house.clock.add(31 * SECOND)
    code = code_of(house, "a-manager")
    assert house.access.by_password("a-manager", PASSWORD, address="192.0.2.7", code=code).login == "a-manager"
    code = house.access.make_link("a-manager", "password", SYSTEM_ACTOR)
    chosen = "six owls in the attic"
    assert house.browser().post(f"/links/{code}", data={"password": chosen, "again": chosen}).status_code == 303
    assert tried(house.browser(), "a-manager", chosen) == 303


def test_a_role_of_which_the_room_demands_it_does_nothing_before_it_is_set_up(house: House) -> None:
    house.room.close()
    with served(house.room.path, Listening(second_factor=("manager",)), house.tokens) as strict:
        client = strict.browser()
        assert tried(client, "a-manager", PASSWORD) == 303
        html = {"accept": "text/html"}
        assert client.get("/floor", headers=html).headers["location"] == "/account"
        assert client.get("/api/v1/people").status_code == 403
        # Nor follows it what is the staff's: the stream is for anyone, its topics are not. One that begins ends at once.
        strict.app.state.hub.end()
        for topic in ("floor", "hits", "approvals"):
            assert client.get(f"/api/v1/stream?topics={topic}").status_code == 403, topic
        assert "floor" not in client.get("/api/v1/topics").json()
        assert "Your role needs it" in client.get("/account").text
        client.headers["x-csrf-token"] = client.get("/api/v1/me").json()["csrf"]
        set_up(strict, client, "a-manager")
        assert client.get("/floor", headers=html).status_code == 200
        assert "floor" in client.get("/api/v1/topics").json()
        sign_in(strict.browser(), "a-supervisor")
    assert listening_problems(Listening(second_factor=("boss",)))


def test_a_token_of_a_terminal_is_no_way_around_the_second_factor(house: House) -> None:
    """Seen: with the password alone somebody made a token at /account, and it did everything for thirty days."""
    before = house.access.make_terminal_token("a-supervisor", SYSTEM_ACTOR)
    house.room.close()
    with served(house.room.path, Listening(second_factor=("manager", "supervisor")), house.tokens) as strict:
        client = strict.browser()
        assert tried(client, "a-manager", PASSWORD) == 303
        client.headers["x-csrf-token"] = client.get("/api/v1/me").json()["csrf"]
        made = client.post("/account/token", data={"current": PASSWORD})
        tokens = [before, made.text.partition('<code class="token">')[2].partition("</code>")[0]]
        strict.app.state.hub.end()
        for token in filter(None, tokens):
            bearer = strict.browser()
            bearer.headers["authorization"] = f"Bearer {token}"
            assert bearer.get("/api/v1/people").status_code == 403
            assert bearer.get("/api/v1/stream?topics=floor").status_code == 403
            assert bearer.post("/api/v1/floor/take-alarm", json={"command": "c", "alarm": "x"}).status_code == 403
            assert "floor" not in bearer.get("/api/v1/topics").json()


def test_what_came_in_without_the_second_factor_ends_when_it_is_set_up(house: House) -> None:
    token = house.access.make_terminal_token("a-manager", SYSTEM_ACTOR)
    client, other = house.as_("manager"), house.as_("manager")
    set_up(house, client, "a-manager")
    assert house.access.at_terminal(token) is None
    assert other.get("/api/v1/me").status_code == 401
    assert client.get("/api/v1/me").status_code == 200


@pytest.mark.parametrize("form", ["password", "pin", "token", "factor"])
def test_a_pin_and_a_password_are_no_way_around_the_second_factor(house: House, form: str) -> None:
    """At a console, by PIN, whoever knows the password too changes no secret and gets no token."""
    set_up(house, house.as_("supervisor"), "a-supervisor")
    house.access.set_pin("a-supervisor", PIN, SYSTEM_ACTOR)
    console = house.console("the console")
    assert console.post("/tap", data={"login": "a-supervisor", "pin": PIN}).status_code == 303
    with_csrf(console)
    kept = {what: house.access.vault.secret("a-supervisor", what) for what in ("password", "pin", "totp")}
    sessions, chosen = house.access.sessions.of("a-supervisor"), "six owls in the attic"
    sent = {"current": PASSWORD, "password": chosen, "again": chosen, "pin": "8264", "code": "000000"}
    answer = console.post(f"/account/{form}", data=sent)
    assert answer.status_code in (409, 422), answer.headers
    assert "a PIN is not enough for this" in answer.text
    assert kept == {what: house.access.vault.secret("a-supervisor", what) for what in kept}
    assert sessions == house.access.sessions.of("a-supervisor")
