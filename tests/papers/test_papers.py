"""Papers are made from the table that runs: what they say is what is paid, posted, demanded and measured."""

from __future__ import annotations

import re
import subprocess
import sys
import zlib
from dataclasses import replace
from fractions import Fraction
from functools import cache
from itertools import pairwise
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from pitboss.games import all_games, find_game
from pitboss.jackpot import BONUS_SENTENCES
from pitboss.law.papers import PARTS
from pitboss.papers import layout
from pitboss.papers.catalogue import BY_NAME, PAPERS, DraftNeededError, make_pdf, paper_view
from pitboss.papers.change import change_between, change_notice
from pitboss.papers.posted import paper_tables
from pitboss.papers.procedure import take_or_pay
from pitboss.papers.source import PaperSource, RoomWords, source_of_file
from pitboss.papers.training import training_sheet
from pitboss.randomness.live import LiveDealing, MemoryLock
from pitboss.rules.pays import EVEN_MONEY
from pitboss.table import (
    Configuration,
    Deal,
    Decide,
    Phase,
    PlaceWagers,
    Reveal,
    Round,
    Settle,
    read_configuration,
)

EXAMPLES = Path(__file__).parents[2] / "examples"
GAMES = [game.name for game in all_games()]


def table_of(game: str, **changes: Any) -> Configuration:
    read = read_configuration((EXAMPLES / f"{game}.toml").read_text(encoding="utf-8"))
    assert read.configuration is not None
    assert not read.problems
    return replace(read.configuration, **changes)


def source_of(game: str, **changes: Any) -> PaperSource:
    return source_of_file(table_of(game, **changes), "Riverside Card Room", "4")


def text_of(pdf: bytes, tmp_path: Path) -> str:
    """The text of a PDF, by a program that is none of ours; white space is folded."""
    file = tmp_path / "paper.pdf"
    file.write_bytes(pdf)
    ran = subprocess.run(["pdftotext", "-layout", str(file), "-"], capture_output=True, text=True, check=True)  # noqa: S603, S607
    return re.sub(r"\s+", " ", ran.stdout)


def words_of(view: Any) -> str:
    """Every text of a view, one after the other; drawings and the hash of the configuration are left out."""
    if isinstance(view, dict):
        return " ".join(words_of(value) for key, value in view.items() if key not in ("svg", "hash", "kind"))
    if isinstance(view, list | tuple):
        return " ".join(map(words_of, view))
    return str(view)


@cache
def compiled(game: str, name: str) -> bytes:
    """A paper of the example of a game, typeset once for all tests."""
    return make_pdf(BY_NAME[name], source_of(game))


@pytest.mark.parametrize("game", GAMES)
def test_every_paper_of_a_table_is_typeset_with_its_configuration_on_it(game: str, tmp_path: Path) -> None:
    source = source_of(game)
    for paper in (paper for paper in PAPERS if source.configuration.profile in paper.profiles):
        text = text_of(compiled(game, paper.name), tmp_path)
        assert source.configuration.content_hash in text.replace(" ", ""), paper.name
        assert "DRAFT" not in text


@pytest.mark.parametrize("game", GAMES)
def test_a_pit_card_and_a_layout_are_one_page_and_a_pocket_card_has_two(game: str, tmp_path: Path) -> None:
    source = source_of(game)
    files = {
        "pit-card": compiled(game, "pit-card"),
        "layout": compiled(game, "layout"),
        "layout 11x17": make_pdf(BY_NAME["layout"], source, "11x17"),
        "rack-card": compiled(game, "rack-card"),
        "rack-card 4x6": make_pdf(BY_NAME["rack-card"], source, "4x6"),
        "rack-card 5x7": make_pdf(BY_NAME["rack-card"], source, "5x7"),
    }
    pages = {name: pages_of(content, tmp_path) for name, content in files.items()}
    assert pages == {name: 2 if "x6" in name or "x7" in name else 1 for name in files} | {"layout 11x17": 1}


def pages_of(pdf: bytes, tmp_path: Path) -> int:
    file = tmp_path / "pages.pdf"
    file.write_bytes(pdf)
    ran = subprocess.run(["pdfinfo", str(file)], capture_output=True, text=True, check=True)  # noqa: S603, S607
    return int(ran.stdout.partition("Pages:")[2].split()[0])


# Prints in a process of its own whose clock is more than a year ahead.
_ANOTHER_DAY = (
    "import time, sys; now = time.time; time.time = lambda: now() + 4e7\n"
    "from pitboss.cli.main import app; app(sys.argv[1:])"
)


def test_the_same_table_gives_the_same_bytes_of_every_paper_in_another_process_on_another_day(tmp_path: Path) -> None:
    game = "four-card-prime"
    source = source_of_file(table_of(game))
    run = ["print", str(EXAMPLES / f"{game}.toml"), "-o", str(tmp_path), "--no-par"]
    subprocess.run([sys.executable, "-c", _ANOTHER_DAY, *run], check=True, capture_output=True)  # noqa: S603
    names = [paper.name for paper in PAPERS if source.configuration.profile in paper.profiles]
    assert {file.name for file in tmp_path.iterdir()} == {f"{game}-{name}.pdf" for name in names}
    for name in names:
        assert (tmp_path / f"{game}-{name}.pdf").read_bytes() == make_pdf(BY_NAME[name], source), name


def test_j_06_the_bonus_sentences_stand_to_the_byte_on_rack_card_and_placard(tmp_path: Path) -> None:
    source = source_of("four-card-prime")
    assert source.configuration.jackpot_type == "bonus"
    for name in ("rack-card", "placards"):
        view = words_of(paper_view(BY_NAME[name], source))
        assert BONUS_SENTENCES in view
        assert BONUS_SENTENCES in text_of(compiled("four-card-prime", name), tmp_path)


@pytest.mark.parametrize("game", GAMES)
def test_w_12_everything_that_must_be_posted_is_on_the_placards_or_the_rack_card(game: str) -> None:
    source = source_of(game)
    posted = words_of([paper_view(BY_NAME[name], source) for name in ("placards", "rack-card")])
    assert "Maximum four wagers per player." in posted
    for table in paper_tables(source):
        for row in table.rows:
            assert row.hand in posted
            assert row.pays in posted
    for rule in source.game.conduct_of("players"):
        if not rule.clause.id.endswith("four options"):
            assert rule.words in posted
    assert "The rules of play and our internal controls are available on request." in posted


@pytest.mark.parametrize("game", GAMES)
def test_a_game_is_told_in_six_steps_each_with_its_clause(game: str) -> None:
    steps = find_game(game).how_to_play
    assert len(steps) == 6
    for step in steps:
        assert step.clause.quote
        assert len(set(step.cards) - {"??"}) == len([card for card in step.cards if card != "??"])


@pytest.mark.parametrize("game", ["three-card-prime", "super-three-card", "four-card-prime", "deuces-wild"])
def test_what_the_steps_say_of_a_folded_hand_is_what_the_settlement_pays(game: str) -> None:
    """The same cards, folded at once and played to the end: the other wagers come to the same cents."""
    configuration = table_of(game)
    main = find_game(game).main.name
    # What is selected for the Fortune is a decision of its own, and after a fold other cards of the shoe come next.
    apart = {main, "five-card-fortune", "bonus-jackpot"}
    others = [name for name in configuration.offered if name not in apart][:3]
    paid = 0
    for number in range(60):
        shoe = LiveDealing(bytes(32), MemoryLock(), first_block=number).next_shoe(configuration.terms.deck).cards
        lines = [played_out(configuration, shoe, (main, *others), is_folded=folded) for folded in (True, False)]
        for name in others:
            assert lines[0][name].paid_cents == lines[1][name].paid_cents, (number, name)
            paid += lines[0][name].paid_cents > 0
        assert lines[0][main].paid_cents <= lines[0][main].staked_cents
    assert paid


def played_out(configuration: Configuration, shoe: Any, wagers: tuple[str, ...], *, is_folded: bool) -> Any:
    played = Round(configuration=configuration, shoe=shoe, meters=configuration.meters)
    played = played.apply(PlaceWagers(1, tuple((name, configuration.limits(name)[0]) for name in wagers)))
    while played.phase is not Phase.FINISHED:
        turn = played.question()
        if turn is not None:
            # A raise is a number and a play is yes or no: none of either folds.
            choice = next(option for option in turn[1].options() if option == (not is_folded))
            played = played.apply(Decide(turn[0], turn[1].key, choice))
        else:
            played = played.apply(next(step for step in (Deal(), Reveal(), Settle()) if played.can(step)))
    assert played.settlement is not None
    return played.settlement.lines[1]


@pytest.mark.parametrize("game", GAMES)
def test_a_layout_is_to_scale_with_the_wagers_of_the_table_and_no_others(game: str) -> None:
    source = source_of(game)
    spots = list(layout.spots(source))
    assert {spot.wager for spot in spots} == set(source.configuration.offered)
    assert {spot.seat for spot in spots} == set(range(1, source.configuration.seats + 1))
    sensors = [spot.sensor for spot in spots if spot.sensor]
    assert sensors == list(range(1, len(sensors) + 1))
    assert len(sensors) == source.configuration.seats * len(source.configuration.jackpots)
    for one in spots:
        for other in spots:
            if one is not other:
                apart = ((one.x - other.x) ** 2 + (one.y - other.y) ** 2) ** 0.5
                assert apart > (one.diameter + other.diameter) / 2, (one, other)
        assert abs(one.x) + one.diameter / 2 < layout.CLOTH[0] / 2
        assert 0 < one.y + one.diameter / 2 < layout.CLOTH[1]


def test_e_10_seat_1_is_at_the_dealers_left_which_players_see_at_their_right() -> None:
    places = layout.seat_places(6)
    assert places[0][0] > 0 > places[-1][0]


def circles_of(pdf: bytes) -> list[tuple[float, float, float]]:
    """The circles that a PDF draws: middle and diameter in inches, from its own operators."""
    found: list[tuple[float, float, float]] = []
    for stream in re.findall(rb"stream\r?\n(.*?)\r?\nendstream", pdf, re.DOTALL):
        try:
            text = zlib.decompress(stream).decode("latin-1")
        except zlib.error:
            continue
        if "BDC" not in text:
            continue
        text = re.sub(r"\((?:\\.|[^\\)])*\)|/[\w-]+", " ", text)
        numbers: list[float] = []
        path: list[tuple[float, float]] = []
        scale, left, top = 1.0, 0.0, 0.0
        for sign in re.findall(r"-?\d*\.?\d+|[A-Za-z]+", text):
            if not sign[-1].isalpha():
                numbers.append(float(sign))
                continue
            if sign == "cm":
                scale, _, _, _, left, top = numbers[-6:]
            elif sign == "m":
                path = [(numbers[-2], numbers[-1])]
            elif sign in ("l", "c"):
                path.append((numbers[-2], numbers[-1]))
            elif sign in ("S", "s", "B", "b") and path:
                sides = [(min(line), max(line)) for line in zip(*path, strict=True)]
                (x, right), (y, bottom) = sides
                if abs(right - x - (bottom - y)) < 0.01 < right - x:
                    middle = (left + scale * (x + right) / 2, top - scale * (y + bottom) / 2)
                    found.append((middle[0] / 72, middle[1] / 72, scale * (right - x) / 72))
            numbers.clear()
    return found


@pytest.mark.parametrize("game", GAMES)
def test_a_layout_at_full_size_has_the_measures_it_states(game: str, tmp_path: Path) -> None:
    """The sheet is as large as the cloth; every spot stands in the PDF where the file says, as large as it says."""
    source = source_of(game)
    file = tmp_path / "layout.pdf"
    file.write_bytes(make_pdf(BY_NAME["layout"], source, "full"))
    ran = subprocess.run(["pdfinfo", str(file)], capture_output=True, text=True, check=True)  # noqa: S603, S607
    wide, high = layout.CLOTH
    assert f"{wide * 72:g} x {high * 72:g} pts" in ran.stdout
    drawn = circles_of(file.read_bytes())
    for spot in layout.spots(source):
        x, y = wide / 2 + spot.x, high - spot.y
        near = [size for cx, cy, size in drawn if abs(cx - x) < 0.02 and abs(cy - y) < 0.02]
        assert near == pytest.approx([spot.diameter], abs=0.02), spot
    seats = layout.seat_places(source.configuration.seats)
    apart = [((a[0] - b[0]) ** 2 + (a[1] - b[1]) ** 2) ** 0.5 for a, b in pairwise(seats)]
    measures = " ".join(paper_view(BY_NAME["layout"], source, "full")["measures"])
    stated = re.search(r"([\d.]+) to ([\d.]+) in from middle to middle", measures)
    assert stated is not None
    assert (min(apart), max(apart)) == pytest.approx((float(stated[1]), float(stated[2])), abs=0.01)


def test_take_or_pay_of_three_card_prime_is_what_rules_3_to_5_say() -> None:
    """Typed from the document: Ante and Play in every situation."""
    rows = take_or_pay(find_game("three-card-prime").main, source_of("three-card-prime"))["rows"]
    actions = {tuple(row[:3]) for row in rows}
    assert str(EVEN_MONEY) == "1 to 1"
    assert actions == {
        ("Player folded", "Take", ""),
        ("Dealer does not have Queen-high or better", "Push", "Pay by its table"),
        ("Player's hand is lower: no row that pays", "Take", "Take"),
        ("Player's hand is lower: a row that pays", "Take", "Pay by its table"),
        ("Player's hand ties the dealer's", "Pay 1 to 1", "Pay by its table"),
        ("Player's hand beats the dealer's", "Pay 1 to 1", "Pay by its table"),
    }


def test_a_training_sheet_has_other_hands_for_another_number_and_the_same_for_the_same() -> None:
    source = source_of("three-card-prime")
    first, again, second = training_sheet(source), training_sheet(source), training_sheet(source, 2)
    assert first == again
    assert first["blocks"] != second["blocks"]
    answers = [block for block in first["blocks"] if block["kind"] == "grid"]
    assert len(answers) == 10


def test_a_table_that_may_not_open_is_printed_as_a_draft_or_not_at_all(tmp_path: Path) -> None:
    source = source_of("three-card-prime", seats=9)
    with pytest.raises(DraftNeededError, match="9 seats"):
        make_pdf(BY_NAME["rack-card"], source)
    assert "DRAFT" in text_of(make_pdf(BY_NAME["rack-card"], source, draft=True), tmp_path)


def test_a_tribal_submission_has_the_letters_list_and_the_supplements_headings() -> None:
    text = words_of(paper_view(BY_NAME["tribal-submission"], source_of("deuces-wild", profile="wa-tribal"), draft=True))
    for words in (
        "Tribal Gaming Agency",
        "Concurrence of the state",
        "Appendix A, section 18",
        "certified by the state",
    ):
        assert words in text
    for title in ("Rules of play and the layout", "Surveillance coverage"):
        assert title in text


def test_issue_19_a_submission_names_what_is_not_certain_and_never_says_nothing_while_something_is_missing() -> None:
    """Seen: "Must be confirmed: Nothing." above makers to be filled in, and a limit whose text nobody has read."""
    source = source_of("four-card-prime")
    text = words_of(BY_NAME["submission"].view(source)).partition("Must be confirmed")[2]
    assert "The single wager limit of $400. WAC 230-15-140" in text
    assert "Not on file: how a dispute is decided, and by whom. REGULATION W-12" in text
    assert "Not on file: the maker of the shuffler with its license. REGULATION O-16" in text
    assert "Nothing." not in text
    makers = {str(part): ("Maker", "license 1") for part in PARTS}
    words = RoomWords(disputes="a", employees="b", responsible="c")
    whole = replace(source_of("super-three-card", profile="wa-tribal"), makers=makers, words=words)
    whole = replace(whole, notices=dict.fromkeys(whole.configuration.jackpots, ()))
    told = (
        words_of(BY_NAME["tribal-submission"].view(whole)).partition("Must be confirmed")[2].partition("Procedures")[0]
    )
    # Everything is on file; how a progressive is removed and a step of the procedures are as we recall them.
    assert re.findall(r"\b[A-Z]-\d\d\b", told) == ["J-17", "J-17", "F-17", "F-17"]
    assert "Not on file" not in told


def texts_of(view: Any, key: str = "") -> list[str]:
    """Every text that a reader reads as a sentence or a name: what a source or a fingerprint is for is left out."""
    if isinstance(view, dict):
        left_out = ("svg", "hash", "kind", "source", "sources")
        return [text for name, value in view.items() if name not in left_out for text in texts_of(value, name)]
    if isinstance(view, list | tuple):
        return [text for value in view for text in texts_of(value, key)]
    is_fingerprint = isinstance(view, str) and re.fullmatch("[0-9a-f]{64}", view)
    return [view] if isinstance(view, str) and not is_fingerprint else []


def raw_words(texts: list[str]) -> set[str]:
    """What no reader should meet: ids, underscores, days as programs write them, rule codes inside a sentence, data."""
    names: set[str] = {"wa-commercial", "wa-tribal", "on-the-spot"}
    for game in all_games():
        names |= {game.name, *(wager.name for wager in game.wagers), *game.approval.equipment}
    ids = "|".join(sorted((name for name in names if "-" in name), key=len, reverse=True))
    raw = re.compile(
        rf"(?<![\w-])(?:{ids})(?![\w-])|\w+_\w+|\b\d{{4}}-\d\d-\d\d\b|\(REGULATION [^)]*\)|\b[GT]-\d+\)|[{{\[] ?\""
    )
    return {f"{match[0]}: {text}" for text in texts for match in raw.finditer(text)}


@pytest.mark.parametrize("profile", ["wa-commercial", "wa-tribal"])
def test_issue_19_no_paper_prints_an_id_a_day_of_a_program_or_a_rule_code_in_a_sentence(profile: str) -> None:
    for game in GAMES:
        source = source_of(game, profile=profile, equipment="andromeda-5a")
        for paper in PAPERS:
            # The hands of a training sheet are no other in a tribal room, and take a second to deal.
            is_read = profile in paper.profiles and (paper.name != "training-sheet" or profile == "wa-commercial")
            view = paper.view(source) if is_read else {}
            if paper.name == "layout":
                # Its legend for the felt's printer has the source behind each line.
                view = {"measures": view["measures"]}
            assert raw_words(texts_of(view)) == set(), (game, paper.name)


@pytest.mark.parametrize("game", GAMES)
def test_issue_19_a_notice_of_change_names_what_people_know_and_no_id(game: str) -> None:
    before = source_of(
        "super-three-card" if game == "three-card-prime" else "three-card-prime", equipment="andromeda-3d"
    )
    switches = {switch.name: list(switch.readings)[-1] for switch in find_game(game).switches}
    after = source_of(game, equipment="andromeda-5a", readings=switches, seats=3)
    texts = texts_of(change_notice(before, after, change_between(before, after)))
    assert raw_words(texts) == set()
    assert {"Andromeda-5a", "Andromeda-3d"} <= set(texts)
    assert set(texts) >= {switch.readings[switches[switch.name]] for switch in find_game(game).switches}


@pytest.mark.parametrize("game", GAMES)
def test_issue_19_no_two_situations_of_take_or_pay_read_alike(game: str) -> None:
    """A dealer who reads "Ante and Play pay even money" twice, once with a push, knows nothing."""
    source = source_of(game)
    rows = take_or_pay(source.game.main, source)["rows"]
    assert len({row[0] for row in rows}) == len(rows)


def test_dw_6_a_reading_that_is_not_the_usual_one_is_not_given_the_reason_of_the_usual_one() -> None:
    switches = find_game("deuces-wild").switches
    usual = source_of("deuces-wild", readings={switch.name: switch.default for switch in switches})
    assert "Reason: " in words_of(BY_NAME["submission"].view(usual))
    other = words_of(BY_NAME["submission"].view(source_of("deuces-wild")))
    assert "The usual reading is another: the player selects from the four cards" in other
    assert "The room's reason for the reading above" in other


def test_issue_19_a_submission_names_each_figure_of_a_wager_apart_and_nobody_who_is_no_person() -> None:
    figures = {
        "paytables": ["FCF-A"],
        **dict.fromkeys(("house_edge", "element_of_risk", "hit_frequency"), Fraction(1, 9)),
    }
    wagers = [
        SimpleNamespace(title="Fortune", basis=basis, std_dev=1.5, **figures) for basis in ("alone", "beside-ante")
    ]
    sheet: Any = SimpleNamespace(wagers=wagers, digest="", identification=SimpleNamespace(pitboss="1"))
    view = BY_NAME["submission"].view(replace(source_of("deuces-wild"), sheet=sheet))
    grids = {tuple(block["columns"]): block["rows"] for block in view["blocks"] if block["kind"] == "grid"}
    names = [row[0] for columns, rows in grids.items() if "House edge" in columns for row in rows]
    assert names == ["Fortune", "Fortune, beside ante"]
    assert all("system" not in row[1] for row in grids["Act", "Asked by", "Approved by"])
