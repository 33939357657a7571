"""The rules that pages keep: what DESIGN.md says of parts, styles and scripts, read off the files themselves."""

from __future__ import annotations

import re
from pathlib import Path
from xml.etree import ElementTree

import pytest

from pitboss.cards import JOKER, RANKS, rank_of
from pitboss.paper.cards import SUIT_SHAPES, back_svg, card_svg, digit_strip_svg, suit_svg
from pitboss.paper.lettering import DIGITS, GLYPHS, can_letter, lettering
from pitboss.server.pages.layout import lettered

SERVER = Path(__file__).parents[2] / "src" / "pitboss" / "server"
SCRIPTS = sorted([*SERVER.glob("static/*.js"), *SERVER.glob("parts/*/*.js")])
STYLES = sorted([*SERVER.glob("static/**/*.css"), *SERVER.glob("parts/*/*.css")])
TEMPLATES = sorted([*SERVER.glob("templates/*.html"), *SERVER.glob("parts/*/*.html")])


def name_of(path: Path) -> str:
    return str(path.relative_to(SERVER))


@pytest.mark.parametrize("script", SCRIPTS, ids=name_of)
def test_a_script_is_a_small_module_that_asks_nobody_else_and_computes_no_money(script: Path) -> None:
    text = script.read_text(encoding="utf-8")
    assert len(text.splitlines()) <= 150
    assert not re.search(r"https?://|innerHTML|eval\(|\bwindow\.\w+ = |toFixed|currency", text)
    assert ("new EventSource" in text) == (script.name == "live.js")
    assert text.startswith("/**")
    for path in re.findall(r'from "([^"]+)"|import "([^"]+)"', text):
        assert (script.parent / "".join(path)).resolve().is_file() or (SERVER / "".join(path).lstrip("./")).is_file()


@pytest.mark.parametrize("style", STYLES, ids=name_of)
def test_a_style_sheet_stays_in_its_layer_and_loads_nothing_from_elsewhere(style: Path) -> None:
    text = style.read_text(encoding="utf-8")
    layer = {"parts": "parts", "themes": "tokens"}.get(style.relative_to(SERVER).parts[0], "")
    outside = re.sub(r"/\*.*?\*/|@property [^{]+\{[^}]*\}", "", text, flags=re.DOTALL).strip()
    assert outside.startswith("@layer")
    assert not layer or f"@layer {layer}" in text
    assert not re.search(r"https?://|@import|!important", text)


@pytest.mark.parametrize("template", TEMPLATES, ids=name_of)
def test_a_template_has_no_script_or_style_of_its_own(template: Path) -> None:
    text = template.read_text(encoding="utf-8")
    assert not re.search(r"<style|\sstyle=|\son[a-z]+=\"|javascript:|https?://|\|\s*safe\b", text)
    assert all("src=" in script for script in re.findall(r"<script[^>]*>", text))


def test_a_theme_sets_the_same_tokens_as_the_others() -> None:
    themes = [set(re.findall(r"(--[\w-]+):", path.read_text())) for path in SERVER.glob("static/themes/*.css")]
    assert len(themes) >= 2
    assert all(each == themes[0] for each in themes)


def test_every_token_that_is_used_is_set_somewhere() -> None:
    text = "\n".join(path.read_text(encoding="utf-8") for path in STYLES)
    assert set(re.findall(r"var\((--[\w-]+)\)", text)) <= set(re.findall(r"(--[\w-]+):", text)) | {"--u"}


def test_every_card_is_drawn_alone_and_well_formed() -> None:
    drawn = {card: card_svg(card) for card in range(JOKER + 1)}
    assert len(set(drawn.values())) == 53
    for text in (*drawn.values(), back_svg(), digit_strip_svg(), *map(suit_svg, SUIT_SHAPES)):
        ElementTree.fromstring(text)  # noqa: S314 - drawn by us


@pytest.mark.parametrize("card", range(4 * 9))
def test_a_card_from_deuce_to_ten_has_as_many_pips_as_it_says(card: int) -> None:
    """Two more stand in the corners."""
    pips = sum(card_svg(card).count(shape) for shape in SUIT_SHAPES.values())
    assert pips - 2 == rank_of(card) + 2


def test_figures_are_equally_wide_and_every_rank_and_amount_can_be_lettered() -> None:
    assert {GLYPHS[digit].width for digit in DIGITS} == {60}
    assert can_letter(f"$1,234,567.89 {RANKS} 100%")
    assert digit_strip_svg().count("<path") == 11


def test_what_cannot_be_drawn_is_written_in_a_font_and_nothing_is_taken_for_markup() -> None:
    assert "<b>" not in lettered("<b>Room</b>")
    assert "Café" in lettered("Café")
    assert 'visually-hidden">Cedar' in lettered("Cedar")
    ElementTree.fromstring(lettering("Table 4"))  # noqa: S314 - drawn by us
