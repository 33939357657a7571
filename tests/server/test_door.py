"""What every answer carries, from where a request may come, and where a server may listen."""

from __future__ import annotations

from pathlib import Path

import pytest
from fastapi.testclient import TestClient

from pitboss.books import Damage
from pitboss.commands.command import SYSTEM_ACTOR
from pitboss.server.run import _tell_where
from pitboss.server.settings import Listening, listening_problems
from tests.server.making import PASSWORD, House, command, served

POLICY = (
    "default-src 'self'; script-src 'self'; style-src 'self'; img-src 'self' data:; object-src 'none'; "
    "base-uri 'none'; form-action 'self'; frame-ancestors 'self'"
)


def body() -> dict[str, object]:
    return {"command": command(), "roles": ["supervisor"]}


def put(client: TestClient, **headers: str) -> int:
    return client.put("/api/v1/people/a-supervisor", json=body(), headers=headers).status_code


@pytest.mark.parametrize("path", ["/", "/healthz", "/sign-in", "/api/v1/me", "/nowhere", "/static/none.css"])
def test_every_answer_carries_the_policy_to_the_byte(shared: House, path: str) -> None:
    headers = shared.browser().get(path).headers

    assert headers["content-security-policy"] == POLICY
    assert headers["x-content-type-options"] == "nosniff"
    assert headers["cache-control"] == ("no-cache" if path.startswith("/static") else "no-store")
    assert "server" not in headers
    assert "strict-transport-security" not in headers


def test_pages_hold_no_script_or_style_of_their_own(shared: House) -> None:
    manager, console = shared.as_("manager"), shared.console("the console")
    code = shared.access.make_link("a-dealer", "password", SYSTEM_ACTOR)
    for client, path in [(manager, "/"), (manager, "/sign-in"), (manager, "/account"), (console, "/tap")]:
        text = client.get(path, headers={"accept": "text/html"}).text + client.get(f"/links/{code}").text
        assert "<script>" not in text
        assert "<style" not in text
        assert " style=" not in text
        assert "onclick" not in text


def test_what_a_person_typed_is_escaped_on_the_page(shared: House) -> None:
    answer = shared.browser().post("/sign-in", data={"login": "<b>me</b>", "password": "x"})

    assert "<b>me" not in answer.text
    assert "&lt;b&gt;me" in answer.text


# CSRF.


def test_a_change_needs_the_token_of_ones_own_session(shared: House) -> None:
    administrator, other = shared.as_("administrator"), shared.as_("administrator")
    token = administrator.headers.pop("x-csrf-token")

    assert put(administrator) == 403
    assert put(administrator, **{"x-csrf-token": ""}) == 403
    assert put(administrator, **{"x-csrf-token": other.headers["x-csrf-token"]}) == 403
    assert put(administrator, **{"x-csrf-token": token}) == 200
    form = {"csrf": token, "current": "no", "password": "a new password", "again": "a new password"}
    assert "t your current password" in administrator.post("/account/password", data=form).text
    assert "Load the page again" in administrator.post("/account/password", data={**form, "csrf": "no"}).text


@pytest.mark.parametrize(
    "headers",
    [
        {"origin": "http://elsewhere.example"},
        {"origin": "null"},
        {"origin": "http://127.0.0.1:81"},
        {"sec-fetch-site": "cross-site"},
        {"sec-fetch-site": "same-site"},
    ],
)
def test_what_a_page_of_elsewhere_sends_is_refused_even_with_the_token(shared: House, headers: dict[str, str]) -> None:
    assert put(shared.as_("administrator"), **headers) == 403
    form = {"login": "a-manager", "password": PASSWORD}
    assert shared.browser().post("/sign-in", data=form, headers=headers).status_code == 403


def test_what_a_page_of_this_server_sends_is_taken(shared: House) -> None:
    assert put(shared.as_("administrator"), origin="http://127.0.0.1", **{"sec-fetch-site": "same-origin"}) == 200


def test_a_device_with_a_token_needs_no_csrf_and_its_cookie_does(shared: House) -> None:
    console = shared.console("the console")
    console.headers.pop("x-csrf-token")

    assert "Load the page again" in console.post("/tap", data={"login": "a-dealer", "pin": "1"}).text
    assert shared.as_("console").post("/tap", data={"login": "a-dealer", "pin": "1"}).status_code == 403


def test_a_token_that_is_nobodys_is_not_passed_over_for_a_cookie(shared: House) -> None:
    manager = shared.as_("manager")

    assert manager.get("/api/v1/me", headers={"authorization": "Bearer nobody"}).status_code == 401
    assert manager.get("/api/v1/me", headers={"authorization": "Basic YTpi"}).status_code == 401


# Where people are sent.


def test_who_must_sign_in_is_asked_to_and_led_back(shared: House) -> None:
    client = shared.browser()
    asked = client.get("/account?x=1", headers={"accept": "text/html"})

    assert (asked.status_code, asked.headers["location"]) == (303, "/sign-in?next=%2Faccount%3Fx%3D1")
    assert 'value="/account?x=1"' in client.get(asked.headers["location"]).text
    form = {"login": "a-manager", "password": PASSWORD, "next": "/account?x=1"}
    assert client.post("/sign-in", data=form).headers["location"] == "/account?x=1"


@pytest.mark.parametrize(
    "path", ["//elsewhere.example", "https://elsewhere.example", "/\\elsewhere.example", "", "\n/"]
)
def test_a_link_leads_nowhere_else_after_signing_in(shared: House, path: str) -> None:
    form = {"login": "a-manager", "password": PASSWORD, "next": path}

    assert shared.browser().post("/sign-in", data=form).headers["location"] == "/today"


def test_a_host_that_was_made_to_lead_here_is_refused_on_loopback(shared: House) -> None:
    client = shared.browser()
    for host in ("elsewhere.example", "elsewhere.example:8000", "127.0.0.1.elsewhere.example"):
        assert client.get("/healthz", headers={"host": host}).status_code == 421
    for host in ("127.0.0.1:8000", "localhost", "LOCALHOST:8000", "[::1]:8000"):
        assert client.get("/healthz", headers={"host": host}).status_code == 200


def test_behind_a_proxy_its_host_is_asked_for_and_https_is_kept(house: House) -> None:
    house.room.close()
    with served(house.room.path, Listening(behind_proxy=True, public="https://pitboss.example")) as again:
        answer = again.browser().get("/healthz", headers={"host": "pitboss.example"})
        other = again.browser().get("/healthz", headers={"host": "elsewhere.example"})

    assert other.status_code == 421
    assert answer.status_code == 200
    assert answer.headers["strict-transport-security"].startswith("max-age=")


# Where it may listen.


@pytest.mark.parametrize("host", ["127.0.0.1", "localhost", "::1", "127.9.9.9"])
def test_plain_http_stays_on_this_computer(host: str) -> None:
    assert [] == listening_problems(Listening(host=host))


@pytest.mark.parametrize("host", ["0.0.0.0", "192.0.2.1", "::", "pitboss.example"])  # noqa: S104
def test_elsewhere_only_with_a_certificate_or_behind_a_proxy(host: str, tmp_path: Path) -> None:
    certificate, key = tmp_path / "certificate.pem", tmp_path / "key.pem"
    (plain,) = listening_problems(Listening(host=host))
    assert "can be reached from elsewhere" in plain
    assert [] == listening_problems(Listening(host=host, behind_proxy=True, public="https://pit.example"))
    assert len(listening_problems(Listening(host=host, certificate=certificate, key=key))) == 2
    for file in (certificate, key):
        file.touch()
    assert [] == listening_problems(Listening(host=host, certificate=certificate, key=key))
    assert "a certificate and its key are given together" in listening_problems(
        Listening(host=host, certificate=certificate)
    )


def test_the_start_link_behind_a_proxy_names_no_address_of_this_computer(empty_path: Path) -> None:
    """Seen: it named 127.0.0.1, where nobody but the proxy asks."""
    lines: list[str] = []
    with served(empty_path) as house:
        listening = Listening(behind_proxy=True, public="https://pit.example/")
        _tell_where(house.room, listening, listening.address(), lines.append)
    (named,) = (line for line in lines if "one-time link" in line)
    assert "127.0.0.1" not in named
    assert "link): https://pit.example/links/" in named
    assert listening_problems(Listening(behind_proxy=True, public="pit.example"))


def test_everything_wrong_with_where_it_listens_is_named_at_once() -> None:
    problems = listening_problems(Listening(host="0.0.0.0", port=70_000, key=Path("none")))  # noqa: S104

    assert len(problems) == 4


# Health and figures.


def test_figures_are_for_those_who_watch(shared: House) -> None:
    text = shared.as_("monitor").get("/metrics").text

    assert f"pitboss_journal_sequence {float(shared.room.state.sequence)}" in text
    assert "pitboss_books_halted 0.0" in text
    assert 'pitboss_requests_total{method="GET",route="/api/v1/me",status="200"}' in text


def test_while_the_books_are_halted_the_server_says_so_and_nobody_signs_in(house: House) -> None:
    house.room.books._wrong = [Damage("room", 1, "found by a test", "x")]
    client = house.browser()

    assert client.get("/healthz").status_code == 503
    assert client.get("/healthz").json()["status"] == "halted"
    answer = client.post("/sign-in", data={"login": "a-manager", "password": PASSWORD})
    assert answer.status_code == 503
    assert "no money moves until two people decide" in answer.json()["detail"]
    assert client.get("/").status_code == 200


def test_what_is_not_there_is_told_as_rfc_9457_says(shared: House) -> None:
    answer = shared.browser().get("/nowhere")

    assert answer.status_code == 404
    assert answer.headers["content-type"] == "application/problem+json"
    assert {"type", "title", "status", "detail", "problems", "request"} == set(answer.json())
    assert "<h1>Page not found</h1>" in shared.browser().get("/nowhere", headers={"accept": "text/html"}).text


def test_everything_wrong_with_a_request_is_named_at_once(shared: House) -> None:
    answer = shared.as_("administrator").post("/api/v1/people", json={"login": 5, "roles": "x", "king": 1})

    assert answer.status_code == 422
    told = answer.json()["problems"]
    assert {"command", "login", "name", "roles", "king"} == {each.split(":")[0] for each in told}
