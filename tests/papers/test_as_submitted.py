"""What a special agent looks for who has the approval letters beside a submission, its notice of change and a layout."""

from __future__ import annotations

import datetime
import re
import subprocess
from dataclasses import replace
from fractions import Fraction
from pathlib import Path

import pytest

from pitboss import law
from pitboss.commands.description import day_words
from pitboss.law.papers import NEEDED, PAPER_TITLES
from pitboss.papers import document, layout
from pitboss.papers.catalogue import BY_NAME, make_case, paper_view
from pitboss.papers.change import change_between, change_notice
from pitboss.papers.posted import limit_text, prize_sentences
from pitboss.rules import Problem
from pitboss.rules.pays import OfMeter
from pitboss.rules.settlement import pay_from_meter
from pitboss.server.views.paytables import limit_views
from tests.cli.running import run
from tests.odds.sheets import small_sheet
from tests.papers.test_derived import submission_of
from tests.papers.test_papers import EXAMPLES, GAMES, source_of, words_of

ROOT = Path(__file__).parents[2]


@pytest.mark.parametrize("game", GAMES)
def test_w_10_a_change_names_every_approval_that_it_touches(game: str) -> None:
    """Seen: from a commercial room to a Tribal casino, and no approval named but "this approval"."""
    before = source_of(game, profile="wa-commercial")
    kinds = [PAPER_TITLES[kind] for profile in ("wa-commercial", "wa-tribal") for kind in NEEDED[profile]]
    moved = replace(before, configuration=replace(before.configuration, profile="wa-tribal"))
    change = change_between(before, moved)
    told = words_of(change_notice(before, moved, change))
    for title in kinds:
        assert title[:1].upper() + title[1:] in told
    letters = before.game.approval.letters
    seats = replace(before, configuration=replace(before.configuration, seats=3))
    small = change_between(before, seats)
    for letter in letters:
        assert any(str(letter.date) in each.title for each in (*change.approvals,)), letter
        assert any(str(letter.date) in each.title for each in small.approvals)
    assert any(kinds[0] in each.title.lower() for each in small.approvals)
    assert not any(title in each.title for each in small.approvals for title in kinds[1:])
    assert change_between(before, before).approvals == ()


def test_a_change_of_a_progressive_says_nothing_of_how_a_bonus_is_shared() -> None:
    """Seen: "If several players win: each paid in full, split" of a progressive, whose winners share either way."""
    before = source_of("deuces-wild")
    after = replace(before, configuration=replace(before.configuration, profile="wa-tribal", bonus_sharing="split"))
    assert not any("several players" in each.title for each in change_between(before, after).comparison.settings)


def test_j_10_and_t_20_a_progressive_from_a_file_names_its_notices_as_missing() -> None:
    """Seen: placards of a progressive without cap and reserve, and nobody told that they were not known."""
    for game in GAMES:
        source = source_of(game)
        named = [words for words in source.missing if "J-10" in words]
        assert bool(named) == (source.configuration.jackpot_type == "progressive"), game
        assert len(named) == len(source.configuration.jackpots) * bool(named)
    told = words_of(paper_view(BY_NAME["submission"], source_of("deuces-wild"), draft=True))
    assert "Not on file: the contribution, seed, cap and reserve of the Bonus Jackpot" in told
    known = replace(source_of("deuces-wild"), notices={"bonus-jackpot": ()})
    assert not any("J-10" in words for words in known.missing)


@pytest.mark.parametrize("game", GAMES)
def test_o_15_the_procedure_says_where_the_cards_come_from(game: str) -> None:
    """DW step 13: "Except for tribal casinos, the cards must be dealt from an automatic shuffler or a shoe"."""
    for dealt, words in (("shuffler", "an automatic shuffler"), ("shoe", "a shoe")):
        source = source_of(game, dealt=dealt, profile="wa-commercial")
        for paper in ("procedure", "pit-card", "submission"):
            assert f"The cards are dealt from {words}." in words_of(BY_NAME[paper].view(source)), paper
    by_hand = words_of(BY_NAME["procedure"].view(source_of(game, dealt="by-hand", profile="wa-tribal")))
    assert "The cards are dealt by hand." in by_hand
    assert "DW step 13" in words_of(BY_NAME["procedure"].view(source_of("deuces-wild")))
    tribal = words_of(BY_NAME["procedure"].view(source_of("deuces-wild", profile="wa-tribal")))
    assert "The cards are dealt from a shoe." in tribal
    assert "DW step 13" not in tribal


def test_g_21_odd_cents_and_prizes_in_dollars_are_told_as_the_meter_pays_them() -> None:
    """Seen: "the odd cents stay on the meter", also where the meter pays fixed prizes and is emptied by them."""
    source = source_of("three-card-double-play")
    terms = source.configuration.terms
    assert terms.fixed_from_meter == {"super-six"}
    whole = OfMeter(Fraction(1))
    paid = pay_from_meter(terms, "super-six", [(whole, 2)], fixed_cents=1_500, meter_cents=10_001)
    assert (paid.payment.from_fund_cents, paid.payment.from_house_cents) == (10_001, 1_499)
    told = {name: " ".join(line.text for line in prize_sentences(source, name)) for name in ("super-six", "super-3s")}
    assert "out of the meter" in told["super-six"]
    assert "out of the meter" not in told["super-3s"]
    for text in told.values():
        assert "unless the prizes of the round take all it holds" in text
        assert "A prize in dollars is paid in full to each who wins it" in text
    procedure = words_of(BY_NAME["procedure"].view(source))
    assert "Super-Six Jackpot: A prize in dollars is paid in full to each who wins it, out of the meter" in procedure
    split = source_of("four-card-prime", profile="wa-tribal", bonus_sharing="split")
    [name] = split.configuration.jackpots
    text = " ".join(line.text for line in prize_sentences(split, name))
    assert "A prize in dollars is paid in full to each who wins it." in text


@pytest.mark.parametrize("game", GAMES)
def test_a_submission_is_of_the_kind_of_room_of_its_table(game: str) -> None:
    """Seen: internal controls for the commission, to be signed by it, printed for a table of a Tribal casino."""
    source = source_of(game)
    mine = submission_of(source.configuration)
    [other] = {"submission", "tribal-submission"} - {mine}
    paper_view(BY_NAME[mine], source)
    with pytest.raises(ValueError, match=f"print {mine}"):
        paper_view(BY_NAME[other], source)
    ran = run(f"print {EXAMPLES / game}.toml --paper {other} --no-par -o paper.pdf")
    assert (ran.exit_code, f"print {mine}" in " ".join(ran.output.split())) == (2, True)


def test_a_submission_without_a_model_of_equipment_names_it_as_missing() -> None:
    source = source_of("deuces-wild")
    assert source.configuration.equipment is None
    assert any("model of the equipment" in words for words in source.missing)
    assert not any("model of the equipment" in words for words in source_of("four-card-prime").missing)


def test_a_heading_stands_on_the_page_of_its_table(tmp_path: Path) -> None:
    """Seen: "Who approves what" and its sentence at the foot of a page, the table on the next."""
    rows = [[f"Act {number}", "manager", "surveillance"] for number in range(30)]
    for lead in range(30, 46):
        blocks = [
            *(document.paragraph(f"Line {number}.") for number in range(lead)),
            document.heading("Who approves what"),
            document.paragraph("Nobody approves what they have asked for themselves."),
            document.grid(["Act", "Asked by", "Approved by"], rows),
        ]
        view = {"title": "Paper", "subtitle": "", "blocks": blocks}
        file = tmp_path / "paper.pdf"
        file.write_bytes(make_case(view, "Room", "mark"))
        pages = pages_text(file)
        [page] = [text for text in pages if "Who approves what" in text]
        assert "Act 0" in page, lead


def pages_text(file: Path) -> list[str]:
    ran = subprocess.run(["pdftotext", "-layout", str(file), "-"], capture_output=True, text=True, check=True)  # noqa: S603, S607
    return ran.stdout.split("\f")


@pytest.mark.parametrize("game", GAMES)
def test_the_words_on_a_spot_are_large_and_stay_within_it(game: str) -> None:
    """Seen: "Four Card Jackpot" across a sensor in letters of a sixth of an inch."""
    for spot in layout.spots(source_of(game)):
        size, lines = layout.lettering_of(spot)
        assert size >= 0.3, (spot.text, size)
        assert " ".join(lines) == spot.text
        for place, line in enumerate(lines):
            high = abs(place - (len(lines) - 1) / 2) * size * layout.LINE_HEIGHT + size / 2
            half = len(line) * size * layout.LETTER_WIDTH / 2
            assert (high**2 + half**2) ** 0.5 <= spot.diameter / 2


def test_g_7_a_submission_says_that_the_par_sheet_prints_prizes_for_one_dollar() -> None:
    """Seen: $625 on the first page and $125 in the PAR sheet attached, of one row."""
    source = replace(source_of("super-three-card"), sheet=small_sheet("super-three-card"))
    told = words_of(BY_NAME["submission"].view(source))
    assert (
        "Second 21+3 Jackpot: the PAR sheet prints each prize in dollars as the rules do, for a wager of $1; " in told
    )
    assert "at $5 it is 5 times as much." in told
    assert told.count("times as much") == 1
    other = words_of(BY_NAME["submission"].view(replace(source_of("deuces-wild"), sheet=small_sheet("deuces-wild"))))
    assert "times as much" not in other


def test_a_sign_begins_with_a_capital() -> None:
    for sign in BY_NAME["placards"].view(source_of("super-three-card"))["signs"]:
        assert sign["title"][:1] == sign["title"][:1].upper()


@pytest.mark.parametrize(
    ("game", "name", "limit"),
    [
        ("deuces-wild", "ante-play-raise", "$5 to $200, Raise up to $400"),
        ("deuces-wild", "five-card-fortune", "$1 to $25, at most the Ante"),
        ("four-card-prime", "ante-raise", "$5 to $133, Raise up to $399"),
        ("three-card-prime", "ante-play", "$10 to $300"),
    ],
)
def test_w_12_a_posted_limit_names_the_chip_that_may_be_larger_and_the_cap_of_the_house(
    game: str, name: str, limit: str
) -> None:
    """Seen: "Ante, Play and Raise, $5 to $200" where the rules force a Raise of $400, and no word of Fortune's cap."""
    source = source_of(game)
    assert limit_text(source, name) == limit
    for paper in ("rack-card", "placards", "procedure", "pit-card", submission_of(source.configuration)):
        assert limit in words_of(paper_view(BY_NAME[paper], source)), paper
    shown = {each.title: each.amount for each in limit_views(source.configuration, ())}
    assert shown[source.game.by_name[name].title] == limit.replace(" to $", " \N{EN DASH} $", 1)


def test_dw_6_a_cap_of_several_times_the_ante_is_posted_in_figures() -> None:
    source = source_of("deuces-wild")
    fortune = replace(source.configuration.wagers["five-card-fortune"], base_multiple_max=3)
    wagers = {**source.configuration.wagers, "five-card-fortune": fortune}
    capped = replace(source, configuration=replace(source.configuration, wagers=wagers))
    assert limit_text(capped, "five-card-fortune") == "$1 to $25, at most 3 times the Ante"


def _progressive(game: str, profile: str) -> str:
    source = source_of(game, profile=profile, jackpot_type="progressive")
    return words_of(BY_NAME[submission_of(source.configuration)].view(source))


@pytest.mark.parametrize("game", ["three-card-prime", "deuces-wild", "super-three-card", "three-card-double-play"])
def test_j_14_and_j_17_a_submission_says_how_a_progressive_is_lowered_banked_and_removed(game: str) -> None:
    """Seen: how a jackpot is won and paid, and nothing of how it goes down or is taken off the floor."""
    commercial, tribal = _progressive(game, "wa-commercial"), _progressive(game, "wa-tribal")
    for text in (commercial, tribal):
        assert "A progressive is removed only after its tables have shown the notice for 30 days." in text
        assert "Steps marked J-17 rest on a rule that is " in text
        assert "goes down only for a prize, the correction of a malfunction" in text
    banked = "deposited within 7 days; while any of it is missing, play stops."
    assert banked in commercial
    assert banked not in tribal
    assert "is removed only after" not in words_of(BY_NAME["submission"].view(source_of("four-card-prime")))


def test_j_15_nobody_approves_what_the_law_of_the_day_refuses() -> None:
    """Seen: who approves that a reserve seeds another progressive, which commercial rooms may not do since 2021."""
    seeds = "Seed another progressive"
    for day, profile, is_allowed in (
        (datetime.date(2026, 11, 15), "wa-commercial", False),
        (datetime.date(2021, 6, 13), "wa-commercial", True),
        (datetime.date(2026, 11, 15), "wa-tribal", True),
    ):
        source = source_of("three-card-prime", profile=profile, on=day)
        assert (seeds in words_of(BY_NAME[submission_of(source.configuration)].view(source))) == is_allowed, day


@pytest.mark.parametrize("game", GAMES)
def test_a_submission_is_in_the_words_of_card_rooms(game: str) -> None:
    """Seen: a journal "whose chain an audit derives again", "letter of A and B and C", "Fortune after raise"."""
    for profile in ("wa-commercial", "wa-tribal"):
        source = source_of(game, profile=profile)
        text = words_of(BY_NAME[submission_of(source.configuration)].view(source))
        for odd in ("chain", "the default", "favours", *(switch.title for switch in source.game.switches)):
            assert f" {odd}" not in text, odd
        assert " or supervisor or " not in text
        assert "surveillance or manager or" not in text
    letters = [day_words(letter.date) for letter in source.game.approval.letters]
    some = {1: "letter of {}", 2: "letters of {} and {}", 3: "letters of {}; {} and {}"}[len(letters)]
    assert f"approved by {some.format(*letters)};" in text


def test_e_08_a_submission_has_what_the_document_says_of_displays_and_shufflers() -> None:
    """Super Three Card: "meter displays will not contain additional intelligence"; a shuffler is an approved model."""
    text = words_of(BY_NAME["submission"].view(source_of("super-three-card", profile="wa-commercial")))
    assert "Jackpot meter displays will not contain additional intelligence or functionality" in text
    assert "it must be a WSGC approved model, manufactured by a WSGC licensed manufacturer" in text
    others = words_of(BY_NAME["submission"].view(source_of("three-card-prime", profile="wa-commercial")))
    assert "intelligence" not in others


def test_a_bonus_jackpot_of_that_name_is_headed_by_it_once() -> None:
    """Seen: a sign of Deuces Wild headed "Bonus Jackpot: Bonus Jackpot"."""
    source = source_of("deuces-wild", jackpot_type="bonus")
    titles = [sign["title"] for sign in BY_NAME["placards"].view(source)["signs"]]
    assert "Bonus Jackpot" in titles
    assert "Bonus Jackpot: Bonus Jackpot" not in titles


@pytest.mark.parametrize("game", GAMES)
def test_stc_rule_6_a_hand_that_equals_the_dealers_is_told_to_dealers_and_players(game: str) -> None:
    """Seen: a procedure without a word of copies, which every document gives to the player."""
    source = source_of(game)
    words = "A hand that equals the dealer's wins for the player."
    for paper in ("rack-card", "procedure", "pit-card", submission_of(source.configuration)):
        assert (words in words_of(BY_NAME[paper].view(source))) == bool(source.game.hand_order), paper
    if source.game.hand_order:
        [clause] = [each for each in source.game.clauses.values() if each.id == source.game.equal_hands_source]
        assert re.search("copies, the player wins|wins all ties|equal to or higher", clause.quote)


def test_a_list_of_what_is_missing_has_no_empty_place() -> None:
    """Seen: "• : approvals: no approval of the internal controls is on record"."""
    assert str(Problem("", "approvals: none is on record", ruling="G-59")) == "approvals: none is on record (G-59)"
    assert str(Problem("seats", "8 seats, but at most 7")) == "seats: 8 seats, but at most 7"


@pytest.mark.parametrize("game", GAMES)
@pytest.mark.parametrize("profile", ["wa-commercial", "wa-tribal"])
def test_a_submission_says_what_kind_of_source_each_letter_is(game: str, profile: str) -> None:
    """Seen: "REGULATION F-02" beside a procedure, which an agent could take for law and is a maker's practice."""
    source = source_of(game, profile=profile)
    words = words_of(paper_view(BY_NAME[submission_of(source.configuration)], source, draft=True))
    before, key = words.split("What the sources are")
    cited = {rule[0] for rule in re.findall(r"(?<![\w-])(?!G-)[A-Z]-\d\d(?!\d)", before)}
    assert cited
    for letter in cited:
        assert re.search(rf"\b{letter}\b.{{0,30}}{re.escape(law.regulation_key()[letter])}", key, re.IGNORECASE), letter


def test_the_kind_of_each_letter_is_that_of_its_section_of_the_regulation() -> None:
    """By the headings of docs/REGULATION.md under which its rules stand."""
    text = (ROOT / "docs" / "REGULATION.md").read_text(encoding="utf-8")
    section = ""
    sections: dict[str, str] = {}
    for line in text.splitlines():
        if line.startswith(("## ", "### ")):
            section = line.lstrip("# ").split(maxsplit=1)[1].lower()
        elif (rule := re.match(r"\| ([A-Z])-\d\d \|", line)) and not section.startswith("conflicts"):
            sections.setdefault(rule[1], section)
    key = law.regulation_key()
    assert set(sections) == set(key)
    for letter, heading in sections.items():
        is_washington = heading.startswith("washington")
        assert key[letter].startswith("Washington: ") == is_washington, (letter, heading)
        first = heading.removeprefix("washington: ").split(",")[0].split(" (")[0].split()[0]
        said = {"contrast": "comparison", "progressive-system": "progressives", "products": "makers"}.get(first, first)
        assert said in key[letter], (letter, heading)
        is_law = is_washington or letter in "XEP"
        assert key[letter].endswith("not law") != is_law
