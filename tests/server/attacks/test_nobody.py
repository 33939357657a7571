"""Nobody, and who is on the wire: no file, no page, no session and no count is theirs."""

from __future__ import annotations

import itertools

import pytest

from tests.server.attacks.bad import ODD, PLACES
from tests.server.attacks.target import SECONDS_MAX, Target, follows
from tests.server.making import PASSWORD


@pytest.mark.parametrize("place", PLACES)
def test_nobody_reads_a_file_by_its_path(target: Target, place: str) -> None:
    answer = target.raw(f"GET {place} HTTP/1.1\r\nHost: 127.0.0.1\r\nConnection: close\r\n\r\n".encode())
    head, _, body = answer.partition(b"\r\n\r\n")
    assert head.split()[1] in (b"400", b"404", b"422"), answer
    for secret in (b"root:", b"SQLite format", b"import ", b"{%"):
        assert secret not in body


@pytest.mark.parametrize("sent", ODD.values(), ids=ODD)
def test_nobody_gets_a_page_by_a_request_that_is_none(target: Target, sent: bytes) -> None:
    answer = target.raw(sent)
    statuses = [line.split()[1] for line in answer.split(b"\r\n") if line.startswith(b"HTTP/1.1 ")]
    assert len(statuses) <= 1, statuses
    assert not statuses or statuses[0] in (b"400", b"404", b"405", b"413", b"421", b"422", b"431"), statuses


def test_nobody_is_believed_about_where_they_come_from(target: Target) -> None:
    """Who says another address each time is still counted at their own."""
    answers = []
    for number in range(7):
        headers = {"x-forwarded-for": f"203.0.113.{number}", "x-real-ip": f"203.0.113.{number}"}
        headers |= {"forwarded": f"for=203.0.113.{number}", "x-forwarded-host": "evil.example"}
        form = {"login": "a-surveillance", "password": f"wrong number {number}"}
        answer = target.server.client().post("/sign-in", data=form, headers=headers)
        answers.append(answer.status_code)
        assert "evil.example" not in answer.text
    assert set(answers) == {403}
    right = {"login": "a-surveillance", "password": PASSWORD}
    locked = target.server.client().post("/sign-in", data=right, headers={"x-forwarded-for": "203.0.113.99"})
    assert locked.status_code == 403


def test_nobody_chooses_the_session_that_somebody_gets(target: Target) -> None:
    client = target.server.client()
    client.cookies.set("pitboss-session", "chosen-by-the-attacker")
    answer = client.post("/sign-in", data={"login": "a-manager", "password": PASSWORD})
    assert "chosen-by-the-attacker" not in answer.headers["set-cookie"]
    thief = target.server.client()
    thief.cookies.set("pitboss-session", "chosen-by-the-attacker")
    assert thief.get("/api/v1/me").status_code == 401


NUMBERS = (
    "9" * 4_000,
    "-1",
    "1e400",
    "NaN",
    "0x7fffffffffffffff",
    "\ud800".encode("utf-8", "surrogatepass").hex(),
    "٣",
)
ASKED = ("/api/v1/jackpots/{}", "/tables/{}/vision", "/links/{}", "/cards/{}.svg")


def test_nobody_breaks_a_page_with_a_number(target: Target) -> None:
    for place, number in itertools.product(ASKED, NUMBERS):
        answer = target.nobody.get(place.format(number))
        assert answer.status_code in (200, 400, 404, 422), (place, number[:20], answer.status_code)
    for number in ("9" * 4_000, "-1", "1e400"):
        assert target.nobody.get(f"/api/v1/stream?topics=room&after={number}").status_code == 422


def test_nobody_follows_what_is_the_staffs(target: Target) -> None:
    topics = target.person("manager").get("/api/v1/topics").json()
    names = [topic if isinstance(topic, str) else topic["name"] for topic in topics]
    public = {
        topic if isinstance(topic, str) else topic["name"] for topic in target.nobody.get("/api/v1/topics").json()
    }
    assert set(names) - public
    for name in set(names) - public:
        assert follows(target.nobody, name) in (401, 403, 404), name


def test_what_was_recorded_on_the_wire_and_is_sent_again_counts_once(target: Target) -> None:
    sent = target.message(sensors=[[5, 1]])
    first = target.device.post("/api/v1/devices/messages", json=sent).json()
    shown, before = target.shown, target.head
    for _ in range(3):
        again = target.device.post("/api/v1/devices/messages", json=sent).json()
        assert (again["status"], again["again"]) == (first["status"], True)
    assert (target.shown, target.head) == (shown, before)


def test_a_recorded_session_ends_when_its_person_signs_out(target: Target) -> None:
    client = target.server.client("a-auditor")
    cookies, csrf = dict(client.cookies), client.headers["x-csrf-token"]
    assert client.post("/sign-out").status_code == 303
    thief = target.server.client()
    for name, value in cookies.items():
        thief.cookies.set(name, value)
    thief.headers["x-csrf-token"] = csrf
    assert thief.get("/api/v1/me").status_code == 401
    assert thief.post("/account/pin", data={"pin": "8264"}).status_code == 401


PRACTISED = (
    "seats=2000000",
    "seats=0",
    "seats=9&wagers=9:prime=99999999",
    f"key={'0' * 64}&hand={'9' * 15}&wagers=1:prime=1000",
    f"key={'0' * 64}&hand=0&wagers={'1:prime=1!' * 900}",
    f"key={'f' * 65}",
)


@pytest.mark.parametrize("query", PRACTISED, ids=lambda query: query[:24])
def test_nobody_keeps_the_server_busy_by_a_link_to_practice(target: Target, query: str) -> None:
    """Seen: one address with so many seats made the server fill its memory before it looked how many there are."""
    for page in ("/practice/three-card-prime", "/practice/three-card-prime/drill"):
        begun = target.seconds
        answer = target.nobody.get(f"{page}?{query}", timeout=120)
        assert answer.status_code in (200, 404, 409, 422), answer.text[:200]
        assert target.seconds - begun < SECONDS_MAX
        assert len(answer.content) < 200_000


def test_nobody_keeps_the_server_busy_by_a_form_of_practice(target: Target) -> None:
    forms: tuple[dict[str, str], ...] = (
        {f"{seat}:prime": "10" for seat in range(900)},
        {"key": "0" * 64, "hand": "9" * 15, "1:ante": "10"},
        {"1:ante": "9" * 900},
        {"step": "9" * 15, "answer": "As " * 300},
    )
    for form in forms:
        for do in ("deal", "decide", "again", "next", "coach", "drill/do"):
            begun = target.seconds
            answer = target.server.client().post(f"/practice/three-card-prime/{do}", data=form, timeout=120)
            assert answer.status_code in (200, 303, 404, 409, 413, 422), (do, form, answer.text[:200])
            assert target.seconds - begun < SECONDS_MAX
