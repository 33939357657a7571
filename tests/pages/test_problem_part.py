"""A problem is a sentence with its rules behind an info mark; the typeface is served and nothing else of its package."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest
from fastapi.testclient import TestClient
from playwright.sync_api import Browser, expect

from pitboss.server.app import create_app
from pitboss.server.pages.layout import environment
from pitboss.server.views.formatting import cited
from pitboss.server.views.viewer import Button
from tests.pages.room import CardRoom, card_room
from tests.pages.serving import serving


@pytest.mark.parametrize(
    ("text", "sentence", "codes"),
    [
        ("Seat 4 is already counted in round 127 (G-11)", "Seat 4 is already counted in round 127", "G-11"),
        ("It is above the cap (REGULATION J-10; T-06).", "It is above the cap.", "REGULATION J-10; T-06"),
        (
            "Too much (WAC 230-15-671(1)(b), WSR 21-11-057; G-60)",
            "Too much",
            "WAC 230-15-671(1)(b), WSR 21-11-057; G-60",
        ),
        ("Done before (call or document; T-06)", "Done before (call or document)", "T-06"),
        ("Play pays 5 to 1 (PW/BB-3)", "Play pays 5 to 1 (PW/BB-3)", ""),
        ("Prime pays by this table (AB-9)", "Prime pays by this table (AB-9)", ""),
        ("The table is open (at 3 PM).", "The table is open (at 3 PM).", ""),
        ("(G-11)", "(G-11)", ""),
        ("", "", ""),
    ],
)
def test_citations_at_the_end_are_split_off_and_nothing_else(text: str, sentence: str, codes: str) -> None:
    assert cited(text) == (sentence, codes)


def test_the_rule_stands_behind_a_mark_and_not_in_the_sentence() -> None:
    part: Any = environment().get_template("parts/problem/problem.html").module
    page = str(part.problems(["Confirm the wager light at seat 2 (E-02, F-17).", "<b>"]))
    assert '<span class="problem-text">Confirm the wager light at seat 2.</span><details class="rules">' in page
    assert "<span>E-02, F-17</span>" in page
    assert "&lt;b&gt;" in page
    assert 'role="alert"' in page
    assert str(part.problems(())).strip() == ""


@pytest.fixture(scope="module")
def room(tmp_path_factory: pytest.TempPathFactory) -> Iterator[CardRoom]:
    with card_room(tmp_path_factory.mktemp("fonts") / "room") as found:
        yield found


def test_faces_are_served_to_anybody_and_kept(room: CardRoom) -> None:
    client = TestClient(create_app(room.room), base_url="http://127.0.0.1")
    answer = client.get("/fonts/SourceSansPro-Semibold.ttf")
    assert (answer.status_code, answer.headers["content-type"]) == (200, "font/ttf")
    assert "immutable" in answer.headers["cache-control"]
    assert answer.content[:4] == b"\x00\x01\x00\x00"
    for name in ("SourceSansPro-Light", "LICENSE", "..%2FLICENSE"):
        assert client.get(f"/fonts/{name}.ttf").status_code == 404, name


def test_a_browser_that_asks_for_an_icon_by_itself_gets_the_icon_of_the_pages(room: CardRoom) -> None:
    """Seen: a page without markup, such as /metrics, made the browser ask, and the next page was blamed for the 404."""
    client = TestClient(create_app(room.room), base_url="http://127.0.0.1")
    answer = client.get("/favicon.ico")
    assert (answer.status_code, answer.headers["content-type"]) == (200, "image/svg+xml")
    assert answer.content == client.get("/static/icon.svg").content


def test_the_rule_of_a_problem_at_a_field_is_phrasing_content() -> None:
    """Seen: a <details> ended the paragraph of the field, and its info mark stood in a column of its own."""
    text = '{% from "office/forms.html" import problem_at with context %}<p>{{ problem_at("cap") }}</p>'
    page = environment().from_string(text).render(field_problems={"cap": [("Too low.", "REGULATION J-10")]})
    assert "<details" not in page
    assert '<span class="codes">REGULATION J-10</span></label>' in page


def test_the_reason_of_a_grayed_button_and_a_note_of_a_report_have_no_code_in_the_sentence() -> None:
    """Seen: "close it first (T-16, T-23)" beside a button of a jackpot's page."""
    text = '{% from "office/forms.html" import submit, with_rule %}{{ submit(button, "Retire", "x") }}{{ with_rule(note) }}'
    button = Button(is_shown=True, problems=("It is open: close it first (T-16, T-23)",))
    page = environment().from_string(text).render(button=button, note="Money is due then (G-33).")
    assert "<span>It is open: close it first <label" in page
    assert '<span class="codes">T-16, T-23</span>' in page
    assert "Money is due then. <label" in page


CHOICE = """() => {
  const form = document.createElement("form");
  form.innerHTML = `<fieldset><legend>Ante $10.00 <small>Ante and Play</small></legend>${["take", "push", "pay"]
    .map((name) => `<label><input type="radio" name="chip" value="${name}" required> ${name}</label>`).join("")}</fieldset>`;
  document.querySelector("main").append(form);
  form.requestSubmit();
}"""


@pytest.mark.xdist_group("browser")
def test_a_choice_that_is_not_made_is_told_once_by_its_legend(browser: Browser, room: CardRoom) -> None:
    """Seen in training: each of the three answers to a chip had a message of its own, "Take: fill this in."."""
    with serving(room) as address:
        page = browser.new_page()
        page.goto(f"{address}/sign-in")
        page.evaluate(CHOICE)
        messages = page.locator(".field-problem")
        expect(messages).to_have_text(["Ante $10.00: choose one."])
        expect(page.get_by_label("take")).to_be_focused()
        page.get_by_label("push").check()
        expect(messages).to_have_count(0)
        page.close()
