"""The audit in the back office: the journal by pages, an entry, amounts explained, the chain, and who did what."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator

import pytest
from fastapi.testclient import TestClient

from pitboss.books import Entry, Movement, Sought, known_kinds, read_payload
from pitboss.books.journal.entries import sealed_entry
from pitboss.books.store import base
from pitboss.commands.command import SYSTEM_ACTOR
from pitboss.meters import cents_shown
from pitboss.room.people.people import PEOPLE, SetPerson
from pitboss.room.sentences import SENTENCES, kind_title, sentence_of
from pitboss.server.app import create_app
from pitboss.server.pages.office import audit as office_audit
from pitboss.server.views.office.audit import display_explained, entry_view, fields_of, matches, permissions_view
from pitboss.server.worker.jobs import DisplayedAmountJob, DisplayExplanationJob, HitExplanationJob, VerifyBooksJob
from tests.pages.office import office_room
from tests.pages.room import CardRoom
from tests.server.making import ADDRESS, PASSWORD, sign_in
from tests.server.matrix import LETTERS, stated


@pytest.fixture(scope="module")
def room(tmp_path_factory: pytest.TempPathFactory) -> Iterator[CardRoom]:
    with office_room(tmp_path_factory.mktemp("office") / "room") as found:
        yield found


@pytest.fixture(scope="module")
def auditor(room: CardRoom) -> TestClient:
    client = TestClient(create_app(room.room), base_url=ADDRESS, follow_redirects=False)
    sign_in(client, "una")
    client.headers["accept"] = "text/html"
    return client


@pytest.fixture(scope="module")
def entries(room: CardRoom, auditor: TestClient) -> list[Entry]:
    """The journal after the auditor has signed in."""
    assert auditor.cookies
    return list(room.books.store.entries("room"))


def numbers(page: str) -> list[int]:
    return [int(each) for each in re.findall(r'href="/office/audit/(\d+)">\1</a></td>', page)]


@pytest.mark.parametrize(
    ("query", "sought"),
    [
        ("", Sought()),
        ("kind=wagers-counted&table=4", Sought(kind="wagers-counted", table="4")),
        ("actor=ada", Sought(actor="ada")),
        ("words=sticks", Sought(words="sticks")),
        ("kind=no-such-kind", Sought(kind="no-such-kind")),
    ],
)
def test_pages_of_the_journal_have_every_entry_that_is_looked_for_once_and_newest_first(
    auditor: TestClient, entries: list[Entry], monkeypatch: pytest.MonkeyPatch, query: str, sought: Sought
) -> None:
    """The second road is a plain walk over the journal; windows are small, so that pages end in the middle of one."""
    monkeypatch.setattr(base, "_HUNDREDS", 7)
    monkeypatch.setattr(office_audit, "_READ_MAX", 90)
    monkeypatch.setattr(office_audit, "_LINES", 40)
    found: list[int] = []
    address = f"/office/audit?{query}"
    while address:
        page = auditor.get(address).text
        found += numbers(page)
        older = re.search(r'href="([^"]*)">Older</a>', page)
        address = older[1].replace("&amp;", "&") if older else ""

    assert found == [each.sequence for each in reversed(entries) if matches(each, sought)]
    assert len(found) == len(set(found))


def test_the_entries_of_a_gambling_day_are_those_the_days_report_counts(auditor: TestClient) -> None:
    page = auditor.get("/office/audit?day=2026-11-14&kind=count-corrected").text
    assert len(numbers(page)) == 1
    assert numbers(auditor.get("/office/audit?day=2026-11-13&kind=count-corrected").text) == []
    assert "entries 285 to" in auditor.get("/office/audit?day=2026-11-14").text
    assert auditor.get("/office/audit?day=tomorrow").status_code == 422


def test_an_entry_is_shown_whole_and_a_changed_one_is_told(room: CardRoom, entries: list[Entry]) -> None:
    """M-02: hash and link are worked out again each time an entry is looked at."""
    before, entry, after = entries[283:286]
    view = entry_view(room.room.state, entry, before, after, None)
    assert (view.entry.is_sound, view.is_linked) == (True, True)
    changed = entry._replace(payload=entry.payload.replace('"main"', '"mine"'))
    assert changed != entry
    assert not entry_view(room.room.state, changed, before, after, None).entry.is_sound
    forged = sealed_entry(entry._replace(previous=bytes(32)))
    assert (entry_view(room.room.state, forged, before, after, None).is_linked, forged.is_sound) == (False, True)


def test_what_is_inside_of_what_is_written_flat() -> None:
    said = {"seat_1": [1, 2], "made": {"by": "Ada", "at": None}, "rows": [{"a": True}, {"a": False}]}
    assert [tuple(each) for each in fields_of(said)] == [
        ("seat 1", "1, 2"),
        ("made by", "Ada"),
        ("made at", ""),
        ("rows 1 a", "yes"),
        ("rows 2 a", "no"),
    ]


def test_an_amount_is_explained_by_parts_that_come_to_it_and_lead_to_their_entries(
    auditor: TestClient, room: CardRoom, entries: list[Entry]
) -> None:
    """J-09, T-14: the naive road adds up every transfer to the display, entry by entry."""
    view = display_explained(DisplayExplanationJob(path=str(room.room.path), jackpot="main", entry=265).run())
    shown = 0
    for entry in entries[:265]:
        value = read_payload(entry.kind, entry.payload)
        if isinstance(value, Movement) and value.jackpot == "main":
            shown += sum(
                each.units * ((each.payee == "displayed") - (each.payer == "displayed")) for each in value.transfers
            )
    assert cents_shown(shown) == 10_048_78
    assert (view.amount, view.complete, view.lines[-1].comes_to) == ("$10,048.78", True, view.exact)
    page = auditor.get("/office/audit/explain?amount=$10,048.78").text
    assert "showed $10,048.78 after entry" in page
    assert "main showed" not in page
    # Seen: days as files have them, and lines without a capital, on the one page that players' amounts are explained by.
    assert {"Opened with its seed", "Contributions of counted wagers"} <= {each.what for each in view.lines}
    assert all(re.fullmatch(r"[A-Z][a-z]{2} \d{1,2}, \d{4}", each.day) for each in view.lines if each.wagers)
    counted = next(each for each in view.lines if each.table == "4")
    listed = numbers(auditor.get(counted.address).text)
    assert len(listed) == int(counted.entries.split()[0])


def test_a_hit_is_explained_and_what_cannot_be_is_told(auditor: TestClient) -> None:
    page = auditor.get("/office/audit/explain?hit=342").text
    assert re.search(r'data-kind="instant">Nov 1\d, 2026, \d+:\d\d:\d\d [AP]M</td>', page)
    assert " UTC<" not in page
    assert "10% of the meter displayed at $5,022.86 is $502.28" in page
    assert "G-4" in page
    for query, told in (
        ("amount=lots", "isn&#39;t an amount of money"),
        ("jackpot=none", "No jackpot"),
        ("hit=5", "there is no hit 5"),
    ):
        answer = auditor.get(f"/office/audit/explain?{query}")
        assert (answer.status_code, told in answer.text) == (422, True), query
    assert auditor.get("/office/audit/99999").status_code == 404


def test_s_12_an_amount_that_was_a_prize_is_found_with_links_and_another_says_what_to_try(
    auditor: TestClient, room: CardRoom
) -> None:
    """A prize that was called, pending or not, is no amount of a display: it is found all the same."""
    page = auditor.get("/office/audit/explain?amount=$502.28").text
    assert re.search(r"Jackpot 342[^:]*: Five Card Jackpot, tables 4 and 5, table \d, round \d+, seat \d", page)
    assert 'href="/office/audit/explain?hit=342">How it was decided' in page
    answer = auditor.get("/office/audit/explain?amount=$1.01")
    assert answer.status_code == 200
    assert "No meter or prize of $1.01 was found." in answer.text
    assert 'href="/office/hits"' in answer.text
    found = DisplayedAmountJob(path=str(room.room.path), cents=502_28, entry=room.room.state.sequence).run()
    assert [(each["what"], each["hit"]) for each in found["prizes"]] == [("hit", 342)]


def test_the_log_reads_as_sentences_and_every_kind_of_entry_has_one(
    auditor: TestClient, room: CardRoom, entries: list[Entry]
) -> None:
    # Kinds that other tests have made up are none of a room.
    assert set(SENTENCES) == {kind for kind in known_kinds() if not kind.startswith("test-")}
    state = room.room.state
    for entry in entries:
        text = sentence_of(state, entry)
        assert not re.search(r"[{}\[\]]|None|units|\bmain\b|[0-9a-f]{16}", text), text
    secrets = [sentence_of(state, entry) for entry in entries if entry.kind == "secret-changed"]
    names = {person.name for person in state.of(PEOPLE).people.values()}
    assert secrets
    assert all(text.partition(" for ")[2] in names and " set a " not in text for text in secrets), secrets
    verified = next(each for each in entries if each.kind == "hit-verified")
    assert re.fullmatch(r"\w+ \w+ verified jackpot \d+", sentence_of(state, verified))
    page = auditor.get("/office/audit?kind=hit-verified").text
    assert f"{sentence_of(state, verified)}." in page
    assert '<option value="hit-verified" selected>Jackpot verified</option>' in page
    whole = auditor.get(f"/office/audit/{verified.sequence}").text
    assert f"<h1>{sentence_of(state, verified)}" in whole
    assert "Previous hash" in whole
    assert kind_title("of-another-release") == "Of another release"
    assert sentence_of(state, verified._replace(payload="{}")) == "This entry cannot be read"


def test_the_chain_is_verified_whole_and_a_printed_head_is_found(room: CardRoom, entries: list[Entry]) -> None:
    heads = [entries[99].digest.hex(), "ab" * 32]
    found = VerifyBooksJob(path=str(room.room.path), heads=heads, at=0).run()

    assert found["heads"] == {heads[0]: "room", heads[1]: None}
    assert found["wrong"] == []
    assert found["books"][0]["entries"] >= len(entries)
    assert all(each["holds"] for each in found["rules"])


def test_who_may_do_what_is_what_the_routes_declare() -> None:
    """T-06: the second road is the matrix, which is typed by hand."""
    roles = [LETTERS[letter] for letter in "DSVAMUX"]
    for each in permissions_view():
        asks = {role for role, mark in zip(roles, each.marks, strict=True) if "Requests" in mark}
        assert asks == stated()["POST", f"/api/v1/{each.name}"]


def test_what_may_be_done_is_said_in_the_words_of_the_pages() -> None:
    """An approver reads these: no call, no papers made, nothing handed over, written down or journalled."""
    old = re.compile(
        r"call prizes|a call\b|the papers of every|hand the|write .*down|journal|in words|slide|anew|away$",
        re.IGNORECASE,
    )
    assert [each.summary for each in permissions_view() if old.search(each.summary)] == []


def test_who_did_what_counts_every_entry_of_the_day(auditor: TestClient, entries: list[Entry]) -> None:
    page = auditor.get("/office/audit/who?day=2026-11-14").text
    ada = sum(each.actor == "Ada King" for each in entries[284:])
    assert re.search(rf"Ada King</th><td>[^<]*</td><td data-kind=\"count\">{ada}</td>", page)


def test_g_70_neither_an_explanation_nor_a_search_names_a_winner_to_surveillance(
    room: CardRoom, auditor: TestClient, entries: list[Entry]
) -> None:
    """Seen: surveillance read a winner's name where an amount is explained, and found the entry by that name."""
    documented = next(entry for entry in entries if '"winner":"' in entry.payload)
    name = re.findall(r'"winner":"([^"]+)"', documented.payload)[0]
    hit = int(re.findall(r'"hit":(\d+)', documented.payload)[0])
    assert name not in json.dumps(HitExplanationJob(path=str(room.room.path), hit=hit, entry=len(entries)).run())
    person = SetPerson(login="vic", name="Vic", roles=("surveillance",), first=True)
    room.room.access.set_person(person, SYSTEM_ACTOR, id="vic")
    room.room.access.set_password("vic", PASSWORD, SYSTEM_ACTOR)
    surveillance = TestClient(create_app(room.room), base_url=ADDRESS, follow_redirects=False)
    sign_in(surveillance, "vic")
    surveillance.headers["accept"] = "text/html"
    assert documented.sequence in numbers(auditor.get(f"/office/audit?words={name}").text)
    assert documented.sequence not in numbers(surveillance.get(f"/office/audit?words={name}").text)
