"""Signing in and out, lock-out, one-time links, PINs; every sign-in in the journal (O-06, M-05, M-10)."""

from __future__ import annotations

import json
import stat
from pathlib import Path

import pytest

from pitboss.books import RefusedError
from pitboss.books.audit import check_books
from pitboss.commands.command import SYSTEM_ACTOR
from pitboss.room.people.passwords import Hashing
from pitboss.room.people.people import SetPerson
from pitboss.room.people.vault import FILE
from pitboss.room.projections import INVARIANTS, PROJECTIONS
from pitboss.server.settings import Listening
from tests.server.making import MINUTE, PASSWORD, PIN, SECOND, House, command, served, sign_in, with_csrf

WRONG = "not the password at all"


def refused(house: House, login: str = "a-manager", times: int = 1) -> None:
    client = house.browser()
    for _ in range(times):
        assert client.post("/sign-in", data={"login": login, "password": WRONG}).status_code == 403


def test_a_person_signs_in_and_out_and_both_are_in_the_journal(house: House) -> None:
    client = house.as_("manager")

    assert client.get("/api/v1/me").json()["roles"] == ["manager"]
    (entry,) = house.entries("signed-in")
    assert (entry.actor, json.loads(entry.payload)["address"]) == ("A-manager", "192.0.2.7")

    assert client.post("/sign-out").status_code == 303
    assert client.get("/api/v1/me").status_code == 401
    assert [each.actor for each in house.entries("signed-out")] == ["A-manager"]


def test_a_cookie_that_was_stolen_ends_with_its_session(house: House) -> None:
    client, thief = house.as_("manager"), house.browser()
    thief.cookies.update(client.cookies)
    client.post("/sign-out")

    assert thief.get("/api/v1/me").status_code == 401


def test_the_cookie_is_not_for_scripts_nor_other_sites_and_secure_but_on_loopback(house: House) -> None:
    def cookie(found: House) -> str:
        answer = found.browser().post("/sign-in", data={"login": "a-manager", "password": PASSWORD})
        return answer.headers["set-cookie"].lower()

    plain = cookie(house)
    assert "httponly" in plain
    assert "samesite=lax" in plain
    assert "secure" not in plain
    house.room.close()
    with served(house.room.path, Listening(behind_proxy=True, public="https://testserver")) as other:
        secure = cookie(other)
    assert secure.startswith("__host-pitboss-session=")
    assert "; secure" in secure


def test_no_secret_comes_into_the_journal_and_the_vault_is_its_owners_alone(house: House) -> None:
    house.access.set_pin("a-dealer", PIN, SYSTEM_ACTOR)
    code = house.access.make_link("a-dealer", "password", SYSTEM_ACTOR)
    text = "\n".join(each.payload for each in house.entries())

    for secret in (PASSWORD, PIN, code, *house.tokens.values(), "$argon2"):
        assert secret not in text
    assert stat.S_IMODE((house.room.path / FILE).stat().st_mode) == 0o600
    vault = (house.room.path / FILE).read_bytes() + (house.room.path / f"{FILE}-wal").read_bytes()
    for secret in (PASSWORD, code, *house.tokens.values()):
        assert secret.encode() not in vault
    assert b"$argon2id$" in vault


def test_a_name_that_is_nobodys_and_a_wrong_password_are_told_the_same(house: House) -> None:
    client = house.browser()
    known = client.post("/sign-in", data={"login": "a-manager", "password": WRONG})
    unknown = client.post("/sign-in", data={"login": "nobody", "password": WRONG})

    assert known.status_code == unknown.status_code == 403
    assert known.text.replace("a-manager", "X") == unknown.text.replace("nobody", "X")


def test_m_10_five_failures_lock_out_for_five_minutes_and_the_right_password_too(house: House) -> None:
    refused(house, times=5)
    house.access.tidy()

    (entry,) = house.entries("locked-out")
    assert json.loads(entry.payload) == {
        "login": "a-manager",
        "address": "192.0.2.7",
        "failures": 5,
        "seconds": 300,
    }
    client = house.browser()
    assert client.post("/sign-in", data={"login": "a-manager", "password": PASSWORD}).status_code == 403
    sign_in(house.browser(), "a-supervisor")
    house.clock.add(5 * MINUTE)
    sign_in(house.browser(), "a-manager")


def test_a_lock_out_outlives_a_restart_and_grows(house: House) -> None:
    refused(house, times=5)
    house.room.close()
    with served(house.room.path) as again:
        client = again.browser()
        assert client.post("/sign-in", data={"login": "a-manager", "password": PASSWORD}).status_code == 403
        again.clock.add(6 * MINUTE)
        refused(again, times=5)
        again.access.tidy()
        assert [json.loads(each.payload)["seconds"] for each in again.entries("locked-out")] == [300, 600]


def test_four_failures_and_a_success_begin_anew(house: House) -> None:
    refused(house, times=4)
    sign_in(house.browser(), "a-manager")
    refused(house, times=4)
    house.access.tidy()

    assert house.entries("locked-out") == []


def test_refused_sign_ins_are_written_together_once_a_minute_and_address(house: House) -> None:
    for login in ("nobody", "a-dealer", "a-manager", "nobody"):
        refused(house, login)
        house.clock.add(SECOND)

    def told() -> list[tuple[int, list[str]]]:
        said = [json.loads(each.payload) for each in house.entries("sign-ins-refused")]
        return [(each["count"], each["logins"]) for each in said]

    assert told() == [(1, [])]
    house.access.tidy()
    assert told() == [(1, [])]
    house.clock.add(MINUTE)
    house.access.tidy()
    assert told() == [(1, []), (3, ["a-dealer", "a-manager"])]
    house.clock.add(MINUTE)
    house.access.tidy()
    assert len(told()) == 2


def test_refused_sign_ins_that_wait_are_written_when_the_server_ends(house: House) -> None:
    refused(house, "nobody", times=3)
    house.room.close()
    with served(house.room.path) as again:
        counts = [json.loads(each.payload)["count"] for each in again.entries("sign-ins-refused")]

    assert counts == [1, 2]


def test_an_address_that_fails_for_many_names_is_refused_without_trying(house: House) -> None:
    for number in range(30):
        refused(house, f"nobody-{number}")

    assert house.browser().post("/sign-in", data={"login": "a-manager", "password": PASSWORD}).status_code == 403
    house.clock.add(11 * MINUTE)
    sign_in(house.browser(), "a-manager")


def test_an_idle_person_is_signed_out_and_one_at_work_is_not(house: House) -> None:
    idle, busy = house.as_("manager"), house.as_("supervisor")
    for _ in range(4):
        house.clock.add(14 * MINUTE)
        assert busy.get("/api/v1/me").status_code == 200
    house.access.tidy()

    assert idle.get("/api/v1/me").status_code == 401
    house.clock.add(16 * MINUTE)
    assert busy.get("/api/v1/me").status_code == 401


def test_nobody_stays_signed_in_for_longer_than_half_a_day(house: House) -> None:
    client = house.as_("manager")
    for _ in range(60):
        house.clock.add(13 * MINUTE)
        client.get("/api/v1/me")

    assert client.get("/api/v1/me").status_code == 401


def test_a_session_outlives_a_restart(house: House) -> None:
    client = house.as_("manager")
    house.room.close()
    with served(house.room.path) as again:
        other = again.browser()
        other.cookies.update(client.cookies)

        assert other.get("/api/v1/me").json()["name"] == "A-manager"


def test_a_person_taken_off_the_list_is_out_at_once_and_new_roles_hold_at_once(house: House) -> None:
    client, administrator = house.as_("manager"), house.as_("administrator")
    changed = {"command": command(), "roles": ["supervisor", "manager"]}
    assert administrator.put("/api/v1/people/a-manager", json=changed).status_code == 200
    assert client.get("/api/v1/me").json()["roles"] == ["manager", "supervisor"]
    gone = {"command": command(), "roles": ["manager"], "active": False}
    assert administrator.put("/api/v1/people/a-manager", json=gone).status_code == 200

    assert client.get("/api/v1/me").status_code == 401
    assert client.post("/sign-in", data={"login": "a-manager", "password": PASSWORD}).status_code == 403


# The first start, and one-time links.


def test_the_first_start_makes_one_administrator_with_a_one_time_link_and_no_password(empty_path: Path) -> None:
    with served(empty_path) as house:
        code = house.access.first_link()
        assert code is not None
        assert [each.login for each in house.access.people.people.values()] == ["administrator"]
        client = house.browser()
        assert "Administrator" in client.get(f"/links/{code}").text
        assert "Administrator" in client.get(f"/links/{code}").text
        chosen = {"password": PASSWORD, "again": PASSWORD}
        assert client.post(f"/links/{code}", data=chosen).status_code == 303

        assert client.get("/api/v1/me").json()["roles"] == ["administrator"]
        assert house.browser().post(f"/links/{code}", data=chosen).status_code == 404
        assert house.access.first_link() is None
        sign_in(house.browser(), "administrator")


def test_a_link_that_was_lost_is_made_anew_at_the_next_start_and_the_old_one_ends(empty_path: Path) -> None:
    with served(empty_path) as house:
        lost = house.access.first_link()
        found = house.access.first_link()

        assert house.browser().get(f"/links/{lost}").status_code == 404
        assert house.browser().get(f"/links/{found}").status_code == 200
        assert len(house.access.people.people) == 1


def test_a_link_lasts_for_a_day(house: House) -> None:
    code = house.access.make_link("a-dealer", "sign-in", SYSTEM_ACTOR)
    house.clock.add(25 * 60 * MINUTE)

    assert house.browser().post(f"/links/{code}").status_code == 404


def test_a_password_that_is_too_weak_leaves_the_link_as_it_was(house: House) -> None:
    code = house.access.make_link("a-manager", "password", SYSTEM_ACTOR)
    client = house.browser()
    weak = client.post(f"/links/{code}", data={"password": "a-manager", "again": "a-manager"})

    assert weak.status_code == 422
    assert "12 to 256 characters" in weak.text
    assert "your name in the password" in weak.text
    assert client.post(f"/links/{code}", data={"password": WRONG, "again": PASSWORD}).status_code == 422
    assert client.post(f"/links/{code}", data={"password": WRONG, "again": WRONG}).status_code == 303


def test_i17_8_who_only_deals_chooses_a_pin_and_no_password_by_their_link(house: House) -> None:
    code = house.access.make_link("a-dealer", "password", SYSTEM_ACTOR)
    client = house.browser()
    page = client.get(f"/links/{code}").text
    assert ('name="pin"' in page, 'name="password"' in page) == (True, False)
    other = client.post(f"/links/{code}", data={"pin": "4711", "pin_again": "4712"})
    assert (other.status_code, "don&#39;t match" in other.text) == (422, True)
    assert "isn&#39;t a repeat" in client.post(f"/links/{code}", data={"pin": "1111", "pin_again": "1111"}).text
    assert client.post(f"/links/{code}", data={}).status_code == 422
    assert client.post(f"/links/{code}", data={"pin": "8462", "pin_again": "8462"}).status_code == 303
    assert house.access.by_pin("a-dealer", "8462", address="here").login == "a-dealer"


def test_i17_8_who_has_another_role_chooses_a_password_and_may_choose_a_pin_on_the_same_page(house: House) -> None:
    code = house.access.make_link("a-supervisor", "password", SYSTEM_ACTOR)
    client = house.browser()
    page = client.get(f"/links/{code}").text
    assert all(f'name="{name}"' in page for name in ("password", "again", "pin", "pin_again"))
    assert client.post(f"/links/{code}", data={"pin": "8462", "pin_again": "8462"}).status_code == 422
    both = {"password": WRONG, "again": WRONG, "pin": "8462", "pin_again": "8462"}
    assert client.post(f"/links/{code}", data=both).status_code == 303
    assert house.access.by_pin("a-supervisor", "8462", address="here").login == "a-supervisor"


def test_a_link_to_sign_in_signs_in_once_and_changes_no_password(house: House) -> None:
    code = house.access.make_link("a-dealer", "sign-in", SYSTEM_ACTOR)
    client = house.browser()

    assert client.post(f"/links/{code}").status_code == 303
    assert client.get("/api/v1/me").json()["roles"] == ["dealer"]
    assert house.browser().post(f"/links/{code}").status_code == 404
    sign_in(house.browser(), "a-dealer")


# One's own secrets.


def test_one_changes_ones_password_and_everybody_else_under_ones_name_is_signed_out(house: House) -> None:
    here, there = house.as_("manager"), house.as_("manager")
    csrf = here.headers["x-csrf-token"]
    form = {"csrf": csrf, "current": PASSWORD, "password": WRONG, "again": WRONG}
    assert here.post("/account/password", data={**form, "current": WRONG}).status_code == 403
    assert here.post("/account/password", data={**form, "again": PASSWORD}).status_code == 422
    assert here.post("/account/password", data=form).status_code == 303

    assert here.get("/account").status_code == 200
    assert there.get("/api/v1/me").status_code == 401
    sign_in(house.browser(), "a-manager", WRONG)


def test_the_password_asked_for_before_a_change_is_no_way_round_the_lock_out(house: House) -> None:
    client = house.as_("manager")
    form = {"current": WRONG, "password": "x", "again": "x"}
    for _ in range(5):
        assert client.post("/account/password", data=form).status_code == 403
    house.access.tidy()

    assert len(house.entries("locked-out")) == 1


# Dealers at a table.


def test_dealers_tap_in_and_out_by_pin_at_the_console_of_a_table(house: House) -> None:
    console = house.console("the console")
    house.access.set_pin("a-dealer", PIN, SYSTEM_ACTOR)
    assert "Table 4" in console.get("/tap").text
    assert console.post("/tap", data={"login": "a-dealer", "pin": PIN}).status_code == 303
    with_csrf(console)

    me = console.get("/api/v1/me").json()
    assert (me["name"], me["table"], me["roles"]) == ("A-dealer", "4", ["console", "dealer"])
    assert [(each.table, each.actor) for each in house.entries("dealer-tapped-in")] == [("4", "A-dealer")]
    assert house.access.people.dealer_at("4").name == "A-dealer"
    assert console.post("/sign-out").headers["location"] == "/tap"
    assert house.access.people.dealer_at("4") is None
    assert console.get("/api/v1/me").json()["roles"] == ["console"]


def test_a_dealer_who_taps_in_relieves_the_one_before(house: House) -> None:
    console = house.console("the console")
    house.add_person("bo", "dealer")
    for login in ("a-dealer", "bo"):
        house.access.set_pin(login, PIN, SYSTEM_ACTOR)
        assert console.post("/tap", data={"login": login, "pin": PIN}).status_code == 303
        with_csrf(console)

    assert house.access.people.dealer_at("4").name == "Bo"
    assert [each.subject for each in house.access.sessions.at_device("the console")] == ["bo"]


def test_a_console_in_play_is_not_timed_out(house: House) -> None:
    console = house.console("the console")
    house.access.set_pin("a-dealer", PIN, SYSTEM_ACTOR)
    console.post("/tap", data={"login": "a-dealer", "pin": PIN})
    house.clock.add(8 * 60 * MINUTE)
    house.access.tidy()

    assert console.get("/api/v1/me").json()["name"] == "A-dealer"
    house.clock.add(9 * 60 * MINUTE)
    assert console.get("/api/v1/me").json()["name"] == "the console"


def test_g_49_a_pin_gives_the_roles_of_the_floor_alone_and_only_at_its_console(house: House) -> None:
    house.add_person("cara", "supervisor", "manager")
    house.access.set_pin("cara", PIN, SYSTEM_ACTOR)
    console = house.console("the console")
    console.post("/tap", data={"login": "cara", "pin": PIN})

    assert console.get("/api/v1/me").json()["roles"] == ["console", "supervisor"]
    thief = house.browser()
    thief.cookies.set("pitboss-session", console.cookies["pitboss-session"])
    assert thief.get("/api/v1/me").status_code == 401


def test_wrong_pins_lock_the_pin_and_not_the_password(house: House) -> None:
    console = house.console("the console")
    house.access.set_pin("a-dealer", PIN, SYSTEM_ACTOR)
    for _ in range(5):
        assert console.post("/tap", data={"login": "a-dealer", "pin": "9999"}).status_code == 403

    assert console.post("/tap", data={"login": "a-dealer", "pin": PIN}).status_code == 403
    sign_in(house.browser(), "a-dealer")


@pytest.mark.parametrize("pin", ["123", "1234", "9876", "0000", "123456789", "12a4", "٤٧١١"])
def test_pins_that_are_guessed_first_are_none(shared: House, pin: str) -> None:
    with pytest.raises(RefusedError):
        shared.access.set_pin("a-dealer", pin, SYSTEM_ACTOR)


# People and devices themselves.


def test_everything_wrong_with_a_person_is_named_at_once_and_nothing_changes(shared: House) -> None:
    before = shared.room.state.sequence
    body = {"command": command(), "login": "No Login", "name": "A-manager", "roles": ["auditor", "king"]}
    answer = shared.as_("administrator").post("/api/v1/people", json=body)

    assert answer.status_code == 409
    assert answer.headers["content-type"] == "application/problem+json"
    told = " ".join(answer.json()["problems"])
    for words in ("'No Login' must be", "'A-manager' is taken", "'king' is none", "no other role"):
        assert words in told
    assert shared.entries("person-added")[-1].sequence < before + 2


def test_the_last_administrator_stays(house: House) -> None:
    body = {"command": command(), "roles": ["dealer"]}
    answer = house.as_("administrator").put("/api/v1/people/a-administrator", json=body)

    assert answer.json()["problems"] == ["A-administrator is the last administrator"]
    house.add_person("zoe", "administrator")
    assert house.as_("administrator").put("/api/v1/people/a-administrator", json=body).status_code == 200


def test_a_person_sent_twice_is_added_once(house: House) -> None:
    administrator = house.as_("administrator")
    body = {"command": command(), "login": "dan", "name": "Dan", "roles": ["dealer"]}
    first, second = (administrator.post("/api/v1/people", json=body).json() for _ in range(2))

    assert (first["again"], second["again"]) == (False, True)
    assert first["entries"] == second["entries"]
    assert administrator.post("/api/v1/people", json={**body, "name": "Dane"}).status_code == 409


def test_a_token_or_link_is_told_once(house: House) -> None:
    administrator = house.as_("administrator")
    body = {"command": command()}
    for path in ("/api/v1/devices/the device/tokens", "/api/v1/devices/the display/links"):
        body = {"command": command()}
        assert administrator.post(path, json=body).status_code == 201
        assert "told once" in administrator.post(path, json=body).json()["detail"]


def test_a_device_that_is_taken_away_is_known_no_more(house: House) -> None:
    administrator, device, console = house.as_("administrator"), house.as_("device"), house.console("the console")
    assert device.get("/api/v1/me").json()["roles"] == ["device"]
    for name in ("the device", "the console"):
        body = {"command": command(), "table": "4", "active": False}
        assert administrator.put(f"/api/v1/devices/{name}", json=body).status_code == 200

    assert device.get("/api/v1/me").status_code == 401
    assert console.get("/api/v1/me").status_code == 401


def test_an_enrolled_browser_goes_to_its_page_and_keeps_its_cookie(house: House) -> None:
    for name, page in (("the display", "/tables/4/vision"), ("the console", "/tap")):
        code = house.access.make_link(name, "enrol", SYSTEM_ACTOR)
        answer = house.browser().post(f"/links/{code}")
        assert answer.headers["location"] == page
        assert "max-age=34560000" in answer.headers["set-cookie"].lower()


def test_a_new_token_ends_the_one_before_and_a_second_browser_the_first(house: House) -> None:
    device, console = house.as_("device"), house.console("the console")
    token = house.access.make_token("the device", SYSTEM_ACTOR)
    house.console("the console")

    assert device.get("/api/v1/me").status_code == 401
    device.headers["authorization"] = f"Bearer {token}"
    assert device.get("/api/v1/me").status_code == 200
    assert console.get("/api/v1/me").status_code == 401


def test_people_and_devices_are_replayed_from_the_journal_alone(house: House) -> None:
    console = house.console("the console")
    house.access.set_pin("a-dealer", PIN, SYSTEM_ACTOR)
    console.post("/tap", data={"login": "a-dealer", "pin": PIN})
    body = SetPerson(login="a-manager", name="A-manager", roles=("supervisor",), active=False, first=False)
    house.access.set_person(body, SYSTEM_ACTOR, id=command())
    before = house.access.people
    house.room.books.seal("room")
    house.room.close()
    report = check_books(house.room.books.directory, projections=PROJECTIONS, invariants=INVARIANTS)

    assert report.is_sound
    with served(house.room.path) as again:
        assert again.access.people == before


def test_hashes_are_argon2id_with_the_librarys_own_cost() -> None:
    hashing = Hashing()
    hashed = hashing.hash(PASSWORD)

    assert hashed.startswith("$argon2id$v=19$m=65536,t=3,p=4$")
    assert hashing.matches(hashed, PASSWORD)
    assert not hashing.matches(hashed, WRONG)
    assert not hashing.matches(None, "nobody has this password, for nobody has this name")
