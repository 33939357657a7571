"""Item 4: the picture for a photo frame shows what the live page shows first, and none of its text lies on another."""

from __future__ import annotations

import datetime
import html
import re
import subprocess
from collections.abc import Sequence
from contextlib import suppress
from fractions import Fraction
from functools import cache
from itertools import combinations
from typing import Any, NamedTuple
from zoneinfo import ZoneInfo

import pytest
import typst

from pitboss.games import all_games, find_game
from pitboss.jackpot import Jackpot, JackpotRecord, LinkedTable, offer_of
from pitboss.meters import MeterTerms
from pitboss.paper import typesetting, vision
from pitboss.server.views.table_state import JackpotAtTable, TableState
from pitboss.server.views.vision import ConductView, PromotionView, VisionView, WinView, frame_of, vision_view
from pitboss.table import Configuration, read_configuration
from tests.pages.room import NAME, example
from tests.programs import program

GAMES = tuple(game.name for game in all_games())
SIZES = ((1920, 1080), (1080, 1920), (800, 480))
CENTS = 123_456_78


class Box(NamedTuple):
    """A word of a picture, with the height of its letters."""

    word: str
    left: float
    top: float
    right: float
    bottom: float

    def lies_on(self, other: Box) -> bool:
        """Whether more than the rim of a line lies on another."""
        across = min(self.right, other.right) - max(self.left, other.left)
        down = min(self.bottom, other.bottom) - max(self.top, other.top)
        return across > 0.5 and down > 0.15 * min(self.bottom - self.top, other.bottom - other.top)


def words_of(frame: dict[str, Any], width: int, height: int, *, every: bool = False, **options: Any) -> list[list[Box]]:
    """Return the words of each picture with their places, as a reader of the PDF of the same layout has them."""
    caught: dict[str, Any] = {}

    def catch(template: str, content: dict[str, Any], **_: Any) -> list[bytes]:
        caught["pdf"] = typst.compile(
            typesetting._template(template),
            font_paths=typesetting._fonts(),
            sys_inputs=typesetting._inputs(content),
            format="pdf",
        )
        return []

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(vision, "pictures", catch)
        vision.vision_pictures(frame, width=width, height=height, every=every, **options)
    ran = subprocess.run(  # noqa: S603 - our own PDF
        [program("pdftotext"), "-bbox", "-", "-"], input=caught["pdf"], capture_output=True, check=True
    )
    word = re.compile(r'<word xMin="([-\d.]+)" yMin="([-\d.]+)" xMax="([-\d.]+)" yMax="([-\d.]+)">(.*?)</word>')
    pages = ran.stdout.decode().split("<page ")[1:]
    return [
        [
            Box(html.unescape(text), *map(float, (left, top, right, bottom)))
            for left, top, right, bottom, text in word.findall(page)
        ]
        for page in pages
    ]


def _offer(game: str, wager: str, kind: str) -> Any:
    """The pay table of a wager with the longest event that can be played so."""
    slot = find_game(game).by_name[wager].slots[0]
    offers = []
    for name in find_game(game).paytables:
        with suppress(ValueError, KeyError):
            offers.append(offer_of(game, wager, name, jackpot_type=kind, posted_cents=CENTS))
    assert offers, (game, wager, kind, slot)
    return max(offers, key=lambda offer: max(len(prize.event) for prize in offer.prizes))


@cache
def _configuration(game: str) -> Configuration:
    text = example(game)
    reading = read_configuration(text[: text.index("[jackpots]")])
    assert reading.configuration is not None, reading.problems
    return reading.configuration


@cache
def view_of(game: str, kind: str, count: int) -> VisionView:
    """The display of a table of a game with so many jackpots of a kind."""
    wagers = [wager.name for wager in find_game(game).jackpots][:count]
    seen = []
    for wager in wagers:
        rate = Fraction("0.173") if kind == "progressive" else Fraction(0)
        terms = MeterTerms(
            jackpot_type="bonus" if kind == "bonus" else "progressive",
            wager_cents=100,
            seed_cents=CENTS,
            reseed_cents=CENTS,
            display_rate=rate,
            reserve_rate=rate / 5,
            cap_cents=None,
            batch_wagers_max=None,
        )
        jackpot = Jackpot(
            name=wager,
            offers=(_offer(game, wager, kind),),
            meter=terms,
            tables=(LinkedTable("7", game, NAME),),
            display="real-time" if kind == "progressive" else "updatable",
        )
        seen.append(JackpotAtTable(JackpotRecord(jackpot, play="open"), CENTS, ()))
    day = datetime.date(2026, 11, 16)
    zone = ZoneInfo("America/Los_Angeles")
    return vision_view(TableState(NAME, zone, "7", 1, day, _configuration(game), tuple(seen), ()))


CASES = [
    (game, kind, count)
    for game in GAMES
    for kind in ("progressive", "bonus")
    for count in range(min(2, len(find_game(game).jackpots)) + 1)
    if count or kind == "progressive"
]


@pytest.mark.parametrize(("place", "case"), list(enumerate(CASES)))
def test_item_4_no_text_lies_on_another_and_none_is_cut_off(place: int, case: tuple[str, str, int]) -> None:
    """Every case at one of the sizes, each size by a third of the cases; the slow test has all of both."""
    verify_texts(*case, SIZES[place % len(SIZES) :][:1])


@pytest.mark.slow
@pytest.mark.parametrize(("game", "kind", "count"), CASES)
def test_item_4_no_text_lies_on_another_at_any_size(game: str, kind: str, count: int) -> None:
    verify_texts(game, kind, count, SIZES)


def verify_texts(game: str, kind: str, count: int, sizes: Sequence[tuple[int, int]]) -> None:
    for width, height in sizes:
        pages = words_of(frame_of(view_of(game, kind, count)), width, height, every=width > height > 500)
        for page in pages:
            over = [(one.word, two.word) for one, two in combinations(page, 2) if one.lies_on(two)]
            assert over == [], (width, height)
            outside = [box for box in page if box.left < 0 or box.right > width or box.top < 0 or box.bottom > height]
            assert outside == [], (width, height)


@pytest.mark.parametrize(("game", "kind", "count"), CASES)
def test_item_4_the_first_picture_has_every_text_of_the_live_pages_first_slide(
    game: str, kind: str, count: int
) -> None:
    view = view_of(game, kind, count)
    (page,) = words_of(frame_of(view), 1920, 1080)
    shown = " ".join(box.word for box in page)
    first = view.slides[0].panels if view.slides else ()
    for panel in (*first, *([] if view.fixed is None else [view.fixed])):
        assert not isinstance(panel, ConductView | PromotionView | WinView)
        for row in panel.rows:
            for word in (row.words, row.amount or row.pays):
                assert all(part in shown for part in word.split()), (panel.title, word)
    for limit in view.limits:
        assert all(part in shown for part in (*limit.title.split(), *limit.amount.split())), (limit, shown)


def test_item_4_every_table_and_rule_of_a_table_without_a_jackpot_is_in_its_pictures() -> None:
    view = view_of("three-card-prime", "progressive", 0)
    frame = frame_of(view)
    pages = words_of(frame, 1920, 1080, every=True)
    assert len(pages) == -(-len(frame["others"]) // 2) + len(frame["conduct"])
    shown = " ".join(box.word for page in pages for box in page)
    assert len(frame["others"]) > 3
    for table in frame["others"]:
        assert all(word in shown for word in table["title"].split()), table["title"]
