"""Tables in the back office, without a script: edited as a form and as TOML, refused, asked for, approved, compared."""

from __future__ import annotations

import json
import re
import tomllib
from collections.abc import Iterator
from dataclasses import asdict
from html import unescape
from pathlib import Path
from typing import Any

import pytest
from fastapi.testclient import TestClient
from hypothesis import given, settings
from hypothesis import strategies as st

from pitboss.games import find_game, game_names
from pitboss.room.configurations import configurations_at
from pitboss.room.people.roles import READERS
from pitboss.rules import posted_rows
from pitboss.rules.pays import NotApplicable
from pitboss.server.app import create_app
from pitboss.server.views.office.tables import content_of, fields_of, form_view, lost_keys
from pitboss.server.views.paytables import titled
from pitboss.server.worker.jobs import TableOddsJob, WagerOddsJob
from pitboss.server.worker.pool import Worker
from pitboss.table import default_configuration, read_configuration
from pitboss.table.configuration import toml_text
from tests.doors import doors_of, record_approval
from tests.pages.room import CardRoom, example
from tests.pages.tables import BROKEN, EXAMPLE, LEE, MAX, WIDER, SlowWork, ask, clock_of, give, tables_room
from tests.server.making import ADDRESS, SECOND, command, landed, sign_in
from tests.table.test_comparing import TCP

EXAMPLES = Path(__file__).parents[2] / "examples"
NONSENSE = ("nonsense", "7", "12.50", '"quoted" \\ é')


@pytest.fixture(scope="module")
def work() -> Iterator[SlowWork]:
    found = SlowWork()
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(Worker, "_submit", found.submitting)
        yield found


@pytest.fixture(scope="module")
def room(tmp_path_factory: pytest.TempPathFactory, work: SlowWork) -> Iterator[CardRoom]:
    assert work is not None
    with tables_room(tmp_path_factory.mktemp("tables") / "room") as found:
        yield found


@pytest.fixture(scope="module")
def people(room: CardRoom) -> dict[str, TestClient]:
    app, found = create_app(room.room), {}
    for login in ("max", "lee", "sue", "una"):
        found[login] = TestClient(app, base_url=ADDRESS, follow_redirects=False)
        sign_in(found[login], login)
        found[login].headers["accept"] = "text/html"
    return found


def fields_in(page: str) -> dict[str, str]:
    """Everything that stands in the form of a page, as a browser would send it."""
    form = re.search(r'<form class="edit".*?</form>', page, re.DOTALL)
    assert form is not None
    found = {}
    for tag in re.findall(r"<input[^>]*>", form[0]):
        said = dict(re.findall(r'(\w+)="([^"]*)"', tag))
        if said.get("type") != "checkbox" or " checked" in tag:
            found[unescape(said["name"])] = unescape(said.get("value", ""))
    for name, options in re.findall(r'<select[^>]*name="([^"]*)">(.*?)</select>', form[0], re.DOTALL):
        chosen = re.search(r'value="([^"]*)" selected', options)
        assert chosen is not None, name
        found[unescape(name)] = unescape(chosen[1])
    text = re.search(r"<textarea[^>]*>\n(.*?)</textarea>", form[0], re.DOTALL)
    return found | ({} if text is None else {"text": unescape(text[1])})


def edit(client: TestClient, fields: dict[str, str], do: str, table: str = "1") -> Any:
    return client.post(f"/office/tables/{table}/edit", data={**fields, "do": do})


# The form and the text are one.


@pytest.mark.parametrize("path", sorted(EXAMPLES.glob("*.toml")), ids=lambda path: path.stem)
def test_every_example_comes_back_from_the_form_as_it_went_in(path: Path) -> None:
    content = tomllib.loads(path.read_text(encoding="utf-8"))
    if path.stem == "broken":
        assert lost_keys(content) == ("bankroll", "wagers.insurance.paytables", "wagers.insurance.minimum", "wagers.insurance.maximum")  # fmt: skip
        return
    assert not lost_keys(content)
    there = read_configuration(path.read_text(encoding="utf-8"))
    back = read_configuration(toml_text(content_of(fields_of(content))))
    assert back.configuration == there.configuration
    assert [each.words for each in back.problems] == [each.words for each in there.problems]


@given(st.sampled_from(game_names()), st.data())
@settings(max_examples=20, deadline=None)
def test_whatever_stands_in_the_fields_is_what_the_text_states(name: str, data: st.DataObject) -> None:
    """Some fields are emptied or hold nonsense: the text read back fills the same fields (parse after format)."""
    fields = fields_of(default_configuration(find_game(name), TCP.on).as_dict())
    for key in data.draw(st.lists(st.sampled_from(sorted(fields.keys() - {"game"})), max_size=4)):
        fields[key] = data.draw(st.sampled_from(["", *NONSENSE]))
    stated = {key: value for key, value in fields.items() if value}
    again = fields_of(tomllib.loads(toml_text(content_of(fields))))
    offered = {key for key in stated if not _of_a_wager_not_offered(key, stated)}
    stated, read = _in_text({key: stated[key] for key in offered}), _in_text(again)
    assert read.keys() <= stated.keys()
    assert all(read[key] == stated[key] for key in read if not key.startswith("offer:"))
    form_view(again)


def _in_text(fields: dict[str, str]) -> dict[str, str]:
    """The fields as a text states them: it lists the pay tables of a wager, and an unknown one has no slot there."""
    stated = {key: value for key, value in fields.items() if not (key.startswith("table:") and value in NONSENSE)}
    unknown = sorted((key.rpartition(":")[0], value) for key, value in fields.items() if key not in stated)
    return stated | {key: ", ".join(value for other, value in unknown if other == key) for key, _ in unknown}


def _of_a_wager_not_offered(key: str, fields: dict[str, str]) -> bool:
    wager = key.split(":")[1] if ":" in key and not key.startswith("reading:") else ""
    return bool(wager) and f"offer:{wager}" not in fields


def test_the_form_offers_every_pay_table_reading_and_amount_of_a_game() -> None:
    """G-6: the amounts that a chosen pay table leaves to the operator are asked for, and no others."""
    game = find_game("three-card-prime")
    view = form_view(fields_of(tomllib.loads(example("three-card-prime-operator-set"))))
    assert {each.name for each in (*view.wagers, *view.jackpots)} == set(game.by_name)
    assert [each.name for each in view.readings] == [f"reading:{each.name}" for each in game.switches]
    slots = [slot for wager in (*view.wagers, *view.jackpots) for slot in wager.slots]
    assert {choice.value for slot in slots for choice in slot.choices if choice.value} == {
        name for name in game.paytables if name != "Win-or-Copy"
    }
    prime = next(slot for slot in slots if "prime" in slot.name.split(":"))
    rows = [row.event for row in game.paytables["PRW-2"].operator_set]
    assert [name.rpartition(":")[2] for name, _, _ in prime.amounts] == rows
    assert [title for _, title, _ in prime.amounts] == [f"{row} pays" for row in rows]
    assert [value for _, _, value in prime.amounts] == ["5", "2.5", "Loss"]


@pytest.mark.parametrize(
    ("reading", "rows"),
    [
        ("", {"Flush and lower": "Loss"}),
        ("loses", {"Flush and lower": "Loss"}),
        ("flush_only", {"Flush": "1 to 1", "Lower than a flush": "Loss"}),
        ("as_printed", {"Flush and lower": "1 to 1"}),
    ],
)
def test_item_1_the_form_lists_the_rows_of_a_chosen_table_as_they_are_settled(
    reading: str, rows: dict[str, str]
) -> None:
    """Seen: the form of a setup said "Flush and lower 1 to 1" under `loses`, and the table takes that bet (TCP-4)."""
    fields = fields_of(tomllib.loads(example("three-card-prime")))
    fields |= {"table:ante-play:bad-beat": "PW/BB-2", "reading:bad_beat_flush_or_lower": reading}
    (slot,) = form_view(fields).wagers[0].slots
    assert rows == {event: pays for event, pays, _ in slot.rows if event.startswith(("Flush", "Lower"))}
    # A hand that no dealer beats.
    assert ("Mini-Royal", "n/a", "") in slot.rows


@pytest.mark.parametrize("name", game_names())
def test_item_1_the_form_lists_every_row_of_every_table_that_waits_for_no_amount_as_settled(name: str) -> None:
    game = find_game(name)
    fields = fields_of(default_configuration(game, TCP.on).as_dict())
    configuration = read_configuration(toml_text(content_of(fields))).configuration
    assert configuration is not None
    view, tables = form_view(fields), configuration.terms.tables
    for wager in game.wagers:
        shown = {slot.name: slot for each in (*view.wagers, *view.jackpots) for slot in each.slots}
        for slot in (slot for slot in wager.slots if not slot.fixed and slot.name in tables):
            posted = posted_rows(wager, slot, configuration.terms)
            listed = [pays for _, pays, _ in shown[f"table:{wager.name}:{slot.name}"].rows]
            never = {row.event for row in tables[slot.name].rows if isinstance(row.pay, NotApplicable)}
            assert ["n/a" if row.event in never else titled(row.pays_words) for row in posted] == listed


# Editing.


def test_check_names_every_problem_with_its_clause_and_asks_for_the_edge_of_every_wager(
    people: dict[str, TestClient], work: SlowWork
) -> None:
    page = people["max"].get("/office/tables/1/edit").text
    assert "Ready to submit" in page
    assert "No changes." in page
    assert page.count('class="waits" data-figure="') == 5
    assert page.count(" · edge being counted<span") > 5, "of tables that are not chosen too (issue 17.14)"
    work.finish()
    fields = fields_in(page)
    work.at_once = True
    edit(people["max"], fields, "check")
    counted = edit(people["max"], fields, "check").text
    assert (
        "edge being counted" in counted,
        '>Straight Flush 12 to 1, Trips 10 to 1, Straight 4 to 1 · edge 3.0000%<span class="code"> · PW/BB-1<'
        in counted,
        '10, 5 · edge 2.0000%<span class="code"> · A6-1<' in counted,
    ) == (
        False,
        True,
        True,
    )
    work.at_once = False
    page = edit(people["max"], {**fields, "maximum:ante-play": "500", "table:all-six:all-six": ""}, "check").text
    assert "2 problems" in page
    for words in ("WAC 230-15-140", "is over the single wager limit of $400.00", "no pay table for", "$500.00"):
        assert words in page
    assert "its pay table is not right yet" in page
    assert page.count("2.0000") == 2 * 4

    # Limits are no part of what the worker is asked: nothing is computed again.
    again = edit(people["max"], {**fields, "maximum:ante-play": "350"}, "check").text
    assert "computing" not in again
    assert re.search(r"Ante and Play: maximum</th><td>\$300.00</td><td>\$350.00</td>", again)


def test_each_of_form_and_text_turns_into_the_other_and_what_was_typed_stays(people: dict[str, TestClient]) -> None:
    form = fields_in(people["max"].get("/office/tables/1/edit").text)
    text = fields_in(edit(people["max"], {**form, "seats": "lots", "words": "why"}, "toml").text)
    assert 'seats = "lots"' in text["text"]
    assert "on = 2026-11-15" in text["text"]
    assert (text["mode"], text["words"]) == ("toml", "why")
    page = edit(people["max"], text, "form").text
    assert fields_in(page)["seats"] == "lots"
    assert fields_in(page)["mode"] == "form"
    assert "must be a positive whole number" in unescape(page)
    broken = (EXAMPLES / "broken.toml").read_text(encoding="utf-8")
    for typed, told in (
        (broken, "the form has no field for bankroll"),
        ("game = 3", "there is no form for this text"),
        ("=", "there is no form for this text"),
    ):
        page = edit(people["max"], {**text, "text": typed}, "form").text
        assert told in unescape(page)
        assert fields_in(page)["text"].strip() == typed.replace("\r\n", "\n").strip()
    other = edit(people["max"], {**form, "game": "deuces-wild"}, "game").text
    assert "Three card treasure" in other or "Three Card Treasure" in other
    assert fields_in(other)["offer:ante-play-raise"] == "yes"
    odd = edit(people["max"], {**form, "game": "none"}, "check").text
    assert "mode" in fields_in(odd)


def test_a_new_table_is_begun_with_a_name_and_a_game(people: dict[str, TestClient], room: CardRoom) -> None:
    before = room.room.state.sequence
    told = people["max"].post("/office/tables", data={"table": "1", "game": ""})
    assert told.status_code == 409
    assert "There is a table 1 already." in told.text
    assert "Choose a game." in told.text
    begun = people["max"].post("/office/tables", data={"table": "High 1", "game": "super-three-card"})
    assert begun.headers["location"] == "/office/tables/High%201/edit?of=super-three-card"
    page = people["max"].get(begun.headers["location"]).text
    assert "Set up table High 1" in page
    assert "Approval letters" in page
    assert fields_in(page)["decks"] == "6"
    assert people["max"].get("/office/tables/none/edit").status_code == 404
    assert people["max"].get("/office/tables/none").status_code == 404
    assert people["max"].post("/office/tables/1/nothing", data={}).status_code == 404
    assert room.room.state.sequence == before


# From a refusal to what is in force.


def test_a_configuration_is_refused_corrected_approved_by_another_and_in_force(
    people: dict[str, TestClient], room: CardRoom, work: SlowWork
) -> None:
    """T-06: who asks cannot give, an auditor sees it and gives nothing; TableVision shows what is in force."""
    before = room.room.state.sequence
    said = {"mode": "toml", "text": BROKEN, "words": "holidays", "command": command()}
    refused = edit(people["max"], said, "ask")
    assert (refused.status_code, room.room.state.sequence) == (409, before)
    assert "Not submitted." in refused.text
    assert "A6-9" in refused.text
    assert fields_in(refused.text)["words"] == "holidays"
    asked = edit(people["max"], {**said, "text": WIDER}, "ask")
    assert landed(asked) == "/office/tables/1?told=waits"
    own = people["max"].get("/office/tables/1").text
    number = re.search(r"/office/tables/1/asked/(\d+)", own)
    assert number is not None
    assert ">Withdraw<" in own
    assert "New setup for table 1: Three Card Prime" in own
    assert (">Approve<" in own, ">Approve<" in people["lee"].get("/office/tables/1").text) == (False, True)
    assert "Waiting for approval" in people["lee"].get("/office/tables").text
    for login, gives in (("max", False), ("una", False), ("sue", False), ("lee", True)):
        page = people[login].get(f"/office/tables/1/asked/{number[1]}").text
        assert (">Approve<" in page) is gives
        assert "PW/BB-1" in page
        assert "Same approvals." in page
    queue = people["lee"].get("/floor").text
    assert "Compare with current" in queue
    assert '<td class="before">PW/BB-3</td><td class="after">PW/BB-1</td>' in queue
    form = {"number": number[1], "command": command()}
    assert people["max"].post("/office/tables/1/give", data=form).status_code == 409
    assert people["una"].post("/office/tables/1/give", data=form).status_code == 403
    given_ = people["lee"].post("/office/tables/1/give", data={**form, "command": command()})
    assert landed(given_) == "/office/tables/1?told=given"
    now = configurations_at(room.room.state, "1").now
    assert now is not None
    assert (now.by, now.approved_by) == (MAX.name, LEE.name)
    vision = people["una"].get("/tables/1/vision").text
    assert "$10 \N{EN DASH} $350" in unescape(vision)
    work.finish()
    history = people["una"].get("/office/tables/1").text
    assert history.count(now.hash[:12]) >= 2
    assert "Edit setup" not in history
    assert people["una"].get("/office/tables/1/edit").status_code == 403
    assert people["lee"].get(f"/office/tables/1/asked/{number[1]}").status_code == 404


def test_any_two_are_compared_by_hash_and_the_auditor_may(people: dict[str, TestClient], room: CardRoom) -> None:
    """Asked in the audit: what one states, and what differs between two."""
    give(room, ask(room, "tables/post", MAX, table="8", configuration=example("four-card-prime")))
    one, other = (configurations_at(room.room.state, table).history[-1].hash for table in ("1", "8"))
    assert "auditor" in READERS
    una = people["una"]
    assert "/office/audit/configurations" in una.get("/office/audit").text
    page = una.get("/office/audit/configurations", params={"one": one[:12], "other": other}).text
    assert f"From <code>{one[:12]}</code> to <code>{other[:12]}</code>" in page
    assert re.search(r"Game</th><td>Three Card Prime</td><td>Four Card Prime</td>", page)
    assert "Letter of Sep 25, 2015" in page
    alone = una.get("/office/audit/configurations", params={"one": one}).text
    assert f"Setup <code>{one}</code>" in alone
    assert una.get("/office/audit/configurations", params={"one": one, "other": one}).text.count("No differences.")
    assert una.get("/office/audit/configurations", params={"one": "abcdef"}).status_code == 404
    assert una.get("/office/audit/configurations", params={"one": ""}).status_code == 200


def test_what_is_prepared_is_shown_with_what_keeps_it_back_and_is_withdrawn(
    people: dict[str, TestClient], room: CardRoom
) -> None:
    clock_of(room).add(60 * SECOND)
    give(room, ask(room, "tables/post", MAX, table="1", configuration=EXAMPLE.replace("seats = 6", "seats = 5")))
    page = people["max"].get("/office/tables/1").text
    assert "Due, but blocked:" in page
    assert "set up for 6" in page
    number = configurations_at(room.room.state, "1").prepared[0].number
    form = {"number": str(number), "words": "", "command": command()}
    assert people["max"].post("/office/tables/1/withdraw", data=form).status_code == 409
    assert people["sue"].post("/office/tables/1/withdraw", data={**form, "words": "x"}).status_code == 409
    done = people["max"].post("/office/tables/1/withdraw", data={**form, "words": "not now", "command": command()})
    assert done.headers["location"].endswith("told=waits")
    (asked,) = [each.number for each in room.room.approvals.waiting.values() if each.what == "tables/withdraw"]
    give(room, asked)
    assert not configurations_at(room.room.state, "1").prepared


def test_a_table_is_set_up_as_its_configuration_states_and_opened(
    people: dict[str, TestClient], room: CardRoom
) -> None:
    give(room, ask(room, "tables/post", MAX, table="2", configuration=example("deuces-wild")))
    page = people["max"].get("/office/tables/2").text
    configuration = re.search(r'name="hash" value="([0-9a-f]{64})"', page)
    assert configuration is not None
    assert 'value="bonus-jackpot" checked' in page
    form = {"hash": configuration[1], "counted": "bonus-jackpot", "words": "", "command": command()}
    told = people["max"].post("/office/tables/2/set-up", data={**form, "hash": "none", "words": "x"})
    assert (told.status_code, "prepare one first" in told.text) == (409, True)
    assert people["max"].post("/office/tables/2/set-up", data=form).status_code == 409
    asked = people["max"].post("/office/tables/2/set-up", data={**form, "words": "new", "command": command()})
    assert asked.headers["location"].endswith("told=waits")
    waiting = [each for each in room.room.approvals.waiting.values() if each.what == "tables/set-up"]
    assert "Equipment for table 2: no equipment, 6 seats" in people["max"].get("/office/tables/2").text
    give(room, waiting[0].number)
    setup = doors_of(room.room).tables.table("2").setup
    assert (setup.game, setup.seats, setup.model, setup.entered) == ("deuces-wild", 6, "none", ("bonus-jackpot",))
    refused = people["sue"].post("/office/tables/2/open", data={"command": command()})
    assert (refused.status_code, "no approval of the internal controls is on record" in refused.text) == (409, True)
    record_approval(room.room, "2", game="deuces-wild")
    opened = people["sue"].post("/office/tables/2/open", data={"command": command()})
    assert opened.headers["location"].endswith("told=waits")
    (number,) = [each.number for each in room.room.approvals.waiting.values() if each.what == "tables/open"]
    people["max"].post("/office/tables/2/give", data={"command": command(), "number": number})
    assert doors_of(room.room).tables.table("2").life == "open"
    people["sue"].post("/office/tables/2/close", data={"command": command()})
    assert doors_of(room.room).tables.table("2").life == "closed"


def test_what_was_asked_is_taken_back_with_a_reason(people: dict[str, TestClient], room: CardRoom) -> None:
    number = ask(room, "tables/post", MAX, table="9", configuration=EXAMPLE)
    assert "table 9" in people["lee"].get(f"/office/tables/9/asked/{number}").text
    form = {"number": str(number), "words": " ", "command": command()}
    assert "Enter a reason." in people["max"].post("/office/tables/9/refuse", data=form).text
    people["max"].post("/office/tables/9/refuse", data={**form, "words": "wrong table", "command": command()})
    assert number not in room.room.approvals.waiting


@pytest.mark.parametrize(
    ("name", "wager"),
    [("three-card-prime", "prime"), pytest.param("three-card-double-play", "pick-3", marks=pytest.mark.slow)],
)
def test_the_edge_of_a_wager_while_it_is_edited_is_that_of_the_table(name: str, wager: str) -> None:
    """What the worker is asked leaves the other wagers out; the whole table gives the same, shared decisions too."""
    configuration = read_configuration(example(name)).configuration
    assert configuration is not None
    job = WagerOddsJob.of(configuration, wager)
    assert job is not None
    found = WagerOddsJob(**json.loads(json.dumps(asdict(job)))).run()
    whole = TableOddsJob(configuration=configuration.canonical, wager=wager).run()
    for figure in ("ev", "variance", "average_wager", "hit_frequency"):
        assert found[figure] == whole[figure]
