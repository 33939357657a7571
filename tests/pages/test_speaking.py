"""Money, days and times in the room's locale: each as people write it there, and on every page alike."""

from __future__ import annotations

import datetime
import html
from collections.abc import Iterator
from contextvars import copy_context
from typing import Any

import pytest
from fastapi.testclient import TestClient
from hypothesis import given
from hypothesis import strategies as st
from playwright.sync_api import Browser

from pitboss.books import LOCALES, Draft, RoomSet, RoomSettings, Submission, read_value, settings_problems, write_value
from pitboss.jackpot import BONUS_SENTENCES
from pitboss.rules import dollars as plain_dollars
from pitboss.server.app import create_app
from pitboss.server.views.formatting import (
    clock,
    current_locale,
    dollars,
    long_day,
    set_locale,
    short_day,
    whole_dollars,
)
from pitboss.server.worker.jobs import ReportCsvJob
from tests.pages.room import CardRoom, card_room

AT = datetime.datetime(2026, 11, 6, 14, 5, tzinfo=datetime.UTC)
WRITTEN = {
    "en-US": ("$1,234,567.08", "-$5.00", "$1,000", "Nov 6", "Friday, November 6, 2026", "2:05 PM"),
    "en-CA": ("$1,234,567.08", "-$5.00", "$1,000", "Nov 6", "Friday, November 6, 2026", "2:05 p.m."),
    "fr-CA": ("1 234 567,08 $", "-5,00 $", "1 000 $", "6 nov.", "vendredi 6 novembre 2026", "14 h 05"),
    "es-US": ("$1,234,567.08", "-$5.00", "$1,000", "6 nov", "viernes, 6 de noviembre de 2026", "2:05 p.m."),
}
SETTINGS = RoomSettings(room="Example", time_zone="America/Toronto", shifts=(("day", datetime.time(6, 0)),))


def spoken_in(locale: str, write: Any, *given: Any, **named: Any) -> Any:
    """Write something in a locale, and leave the one that is current here as it is."""

    def run() -> Any:
        set_locale(locale)
        return write(*given, **named)

    return copy_context().run(run)


@pytest.mark.parametrize("locale", LOCALES)
def test_each_locale_is_written_as_people_write_it_there(locale: str) -> None:
    def write() -> tuple[str, ...]:
        amounts = dollars(123_456_708), dollars(-500), whole_dollars(1_000_00)
        return (*amounts, short_day(AT), long_day(AT), clock(AT))

    assert tuple(each.replace("\N{NO-BREAK SPACE}", " ") for each in spoken_in(locale, write)) == WRITTEN[locale]


@given(st.integers(-(10**13), 10**13))
def test_the_usual_locale_writes_what_papers_write(cents: int) -> None:
    assert dollars(cents) == plain_dollars(cents)
    digits = {locale: "".join(filter(str.isdigit, spoken_in(locale, dollars, cents))) for locale in LOCALES}
    assert set(digits.values()) == {digits["en-US"]}, "every locale writes the same figures"


def test_an_unknown_locale_is_the_usual_one_and_no_setting_of_a_room() -> None:
    assert spoken_in("xx-XX", current_locale) == "en-US"
    assert "locale" in settings_problems(RoomSettings(**{**_fields(), "locale": "xx-XX"}))[0]


def _fields() -> dict[str, Any]:
    return {name: getattr(SETTINGS, name) for name in ("room", "time_zone", "shifts")}


def test_settings_of_before_are_written_and_read_as_they_were() -> None:
    assert set(write_value(SETTINGS)) == {"room", "time_zone", "shifts"}
    assert read_value(RoomSettings, write_value(SETTINGS)) == SETTINGS
    french = RoomSettings(**_fields(), locale="fr-CA")
    assert read_value(RoomSettings, write_value(french)) == french


@pytest.fixture(scope="module")
def french(tmp_path_factory: pytest.TempPathFactory) -> Iterator[CardRoom]:
    with card_room(tmp_path_factory.mktemp("french") / "room") as found:
        day = datetime.date(2099, 1, 1)
        settings = RoomSettings(**_fields(), locale="fr-CA")
        draft = Draft(RoomSet(since=day, settings=settings))
        found.books.submit(Submission(book="room", id="fr", actor="Ada", content=["fr"], decide=lambda _: [draft]))
        yield found


def test_every_page_of_a_room_speaks_its_locale_and_so_does_the_stream(french: CardRoom) -> None:
    app = create_app(french.room)
    client = TestClient(app, base_url="http://127.0.0.1")
    front, vision = client.get("/").text, client.get("/tables/4/vision").text

    assert "23\N{NO-BREAK SPACE}416,87\N{NO-BREAK SPACE}$" in front
    assert 'data-locale="fr-CA"' in front
    assert "23\N{NO-BREAK SPACE}416,87\N{NO-BREAK SPACE}$" in vision
    assert "$23,416.87" not in front + vision
    state = app.state.hub._state()
    assert state.sequence == french.room.state.sequence
    assert current_locale() == "fr-CA", "the stream says it before it works anything out"
    set_locale("en-US")


def test_g_55_the_sentences_of_the_rules_and_reports_do_not_speak_it(french: CardRoom) -> None:
    client = TestClient(create_app(french.room), base_url="http://127.0.0.1")
    vision = html.unescape(client.get("/tables/6/vision").text)
    assert BONUS_SENTENCES in vision
    asked = {"first": "2026-11-15", "last": "2026-11-15"}
    job = ReportCsvJob(path=str(french.room.path), name="meters", criteria=asked, at=0)
    french_words, plain = (spoken_in(each, job.run) for each in ("fr-CA", "en-US"))
    assert french_words == plain


@pytest.mark.xdist_group("browser")
@pytest.mark.parametrize(
    ("locale", "currency"), [("en-US", "USD"), ("en-CA", "CAD"), ("fr-CA", "CAD"), ("es-US", "USD")]
)
def test_a_browser_writes_the_same(browser: Browser, locale: str, currency: str) -> None:
    """The data of CLDR, as Chromium has it, is the second road."""
    page = browser.new_page()
    for cents in (0, 5, 99, 100, 123_456, 123_456_789):
        told = page.evaluate(
            "([locale, currency, amount]) => new Intl.NumberFormat(locale, {style: 'currency', currency}).format(amount)",
            [locale, currency, cents / 100],
        )
        assert _spaces(told) == _spaces(spoken_in(locale, dollars, cents))
    for month in range(1, 13):
        day = datetime.date(2026, month, 5)
        told = page.evaluate(
            "([locale, day]) => new Intl.DateTimeFormat(locale, {dateStyle: 'full', timeZone: 'UTC'}).format(new Date(day))",
            [locale, day.isoformat()],
        )
        assert _spaces(told) == spoken_in(locale, long_day, day)
    page.close()


def _spaces(text: str) -> str:
    return "".join(" " if each.isspace() else each for each in text)
