"""Issue 16 item 1: the row that is shown is what the settlement pays, for every pay table under every reading.

Hands are dealt from small parts of the deck, where rare events are common, decided at random and settled as rounds;
what was shown is turned into cents by this file alone.
"""

from __future__ import annotations

import itertools
import random
from collections.abc import Iterator, Mapping
from fractions import Fraction
from functools import cache
from typing import Any

import pytest

from pitboss.cards import Card
from pitboss.games import all_games, find_game
from pitboss.rules import (
    FinishedRound,
    FinishedSeat,
    Game,
    Hands,
    Seat,
    Settler,
    Slot,
    Terms,
    TermsInput,
    Wager,
    make_terms,
)
from pitboss.rules.pays import CellKind, NotApplicable, OperatorSet
from pitboss.rules.paytables import PayTable
from pitboss.rules.posted import PostedRow, full_words, posted_condition, posted_rows

STAKE, METER = 2_00, 12_345_00
DEALS = 6_000
ALIKE = 3


def amounts(table: PayTable) -> dict[str, str]:
    """Distinct amounts for every cell that the document leaves to the operator, falling from row to row."""
    count = len(table.rows)
    cells = {}
    for place, row in enumerate(table.rows):
        if isinstance(row.pay, OperatorSet):
            share = row.pay.kind is not CellKind.BONUS
            many = count - place + 1
            cells[row.event] = f"{10 * many}%" if share else f"${1000 * many}" if table.odds == "for" else str(many)
    return cells


def stated(game: Game, table_id: str) -> dict[str, Any]:
    table = game.paytables[table_id]
    envy = {row.event: f"${20 - place}" for place, row in enumerate(table.rows) if isinstance(row.envy, OperatorSet)}
    return {"id": table_id, "pays": amounts(table), "envy": envy}


def cases() -> Iterator[Any]:
    """Every pay table of every wager, under every reading that concerns the wager."""
    for game in all_games():
        for wager in game.wagers:
            switches = [switch for switch in game.switches if switch.name in wager.switches]
            for slot, readings in itertools.product(wager.slots, itertools.product(*(s.readings for s in switches))):
                for table_id in slot.ids:
                    chosen = {switch.name: reading for switch, reading in zip(switches, readings, strict=True)}
                    name = "-".join((game.code, wager.name, table_id, *readings))
                    yield pytest.param(game.name, wager.name, slot.name, table_id, chosen, id=name)


def terms_with(game: Game, wager: Wager, slot: Slot, table_id: str, readings: Mapping[str, str]) -> Terms:
    others = [other.ids[0] for other in wager.slots if other is not slot and not other.fixed]
    entries = others if slot.fixed else [stated(game, table_id), *others]
    problems: tuple[Any, ...] = ()
    for kind in ("progressive", "bonus"):
        decks = game.decks_allowed[0] if game.decks_allowed else None
        typed = TermsInput(paytables={wager.name: entries}, readings=readings, decks=decks, jackpot_type=kind)
        terms, problems = make_terms(game, typed)
        if not problems:
            return terms
    raise AssertionError(problems)


def part_of_the_deck(game: Game, rng: random.Random, least: int) -> list[Card]:
    """Some suits of a run of ranks, with the wild cards now and then."""
    deck = list(game.deck_of(game.decks_allowed[0] if game.decks_allowed else None).cards)
    while True:
        suits, low, length = rng.sample(range(4), rng.randint(1, 4)), rng.randrange(13), rng.randint(1, 7)
        if rng.random() < 0.2:
            suits, length = suits[:1], rng.randint(5, 7)
            low = 13 - length
        elif rng.random() < 0.1:
            suits, low, length = [0, 1, 2, 3], 10, 3
        ranks = {(low + step) % 13 for step in range(length)} | ({0} if rng.random() < 0.3 else set())
        cards = [card for card in deck if (card % 4 in suits and card // 4 in ranks) or (card >= 52 and 0 in ranks)]
        if len(cards) >= least:
            return rng.sample(cards, len(cards))


def decided(game: Game, wagers: Mapping[str, int], cards: tuple[Card, ...], rng: random.Random) -> dict[str, Any]:
    """Answers to all that the seat is asked, giving up rarely."""
    decisions: dict[str, Any] = {}
    while True:
        question = game.question(Seat(1, wagers, cards, decisions), {s.name: s.default for s in game.switches})
        if question is None:
            return decisions
        options = list(question.options())
        going_on = [option for option in options if option not in (False, 0)] or options
        decisions[question.key] = rng.choice(options if rng.random() < 0.05 else going_on)


def royal_on_the_board(game: Game, rng: random.Random, held: int) -> tuple[tuple[Card, ...], list[Card]]:
    """The highest cards of a suit, all but one on the board and that one with the seat."""
    deck, suit, board = list(find_game(game.name).deck.cards), rng.randrange(4), game.board.cards
    high = rng.sample([card for card in deck if card < 52 and card % 4 == suit][-board - 1 :], board + 1)
    others = rng.sample([card for card in deck if card not in high], held - 1)
    return (high[-1], *others), high[:-1]


@cache
def deals(game_name: str) -> list[FinishedRound]:
    game, rng = find_game(game_name), random.Random(f"posted {game_name}")
    held = 3 if game.code == "STC" else 4 if game.code == "TCP" else 6 if game.code == "TDP" else 5
    wagers = {wager.name: STAKE for wager in game.wagers}
    rounds = []
    for _ in range(DEALS):
        together = rng.random() < 0.5
        cards = part_of_the_deck(game, rng, held + game.board.cards * together)
        mine, rest = tuple(cards[:held]), cards[held:]
        if not together:
            whole = list(game.deck_of(game.decks_allowed[0] if game.decks_allowed else None).cards)
            for card in mine:
                whole.remove(card)
            rest = rng.sample(whole, game.board.cards)
        if rng.random() < 0.1:
            mine, rest = royal_on_the_board(game, rng, held)
        choices = game.choices(decided(game, wagers, mine, rng), mine)
        rounds.append(FinishedRound(tuple(rest[: game.board.cards]), (FinishedSeat(1, wagers, mine, choices),)))
    return rounds


@cache
def telling(game_name: str, wager_name: str, readings: tuple[tuple[str, str], ...]) -> list[FinishedRound]:
    """Of the deals those that tell the wager something new, some of each."""
    game, found = find_game(game_name), dict[tuple[int, ...], list[FinishedRound]]()
    wager, tables = game.by_name[wager_name], game.tables()
    stated_codes = [list(s.readings).index(dict(readings).get(s.name, s.default)) for s in game.switches]

    for each in deals(game_name):
        (seat,) = each.seats
        found.setdefault(wager.read(Hands(seat.cards, each.board, seat.choices, stated_codes), tables), []).append(each)
    return [one for alike in found.values() for one in alike[:ALIKE]]


def in_cents(words: str, stake: int) -> int:
    """What a row says that is handed over for a chip, read as a player reads it."""
    if words == "loss":
        return 0
    if words == "push":
        return stake
    total, back = Fraction(0), 0
    for term in words.split(" + "):
        if term == "even money" or term.endswith(" to 1"):
            number = "1" if term == "even money" else term.removesuffix(" to 1")
            total, back = total + Fraction(number.replace(",", "")) * stake, stake
        elif term.endswith(" for 1"):
            total += Fraction(term.removesuffix(" for 1").replace(",", "")) * stake
        elif term.endswith("% of the meter"):
            total += Fraction(term.removesuffix("% of the meter")) * METER / 100
        else:
            total += Fraction(term.removeprefix("$").replace(",", "")) * 100
    return int(total) + back


def is_of(row: PostedRow, cards: tuple[Card, ...]) -> bool:
    """Whether a hand of the printed row is of this kind; only the reading `flush_only` divides one."""
    if row.event == row.printed:
        return True
    return (row.event == "Flush") == (len({card % 4 for card in cards[:3]}) == 1)


@pytest.mark.parametrize(("game_name", "wager_name", "slot_name", "table_id", "readings"), list(cases()))
def test_item_1_the_row_shown_is_what_settle_pays_for_a_hand_of_that_row(
    game_name: str, wager_name: str, slot_name: str, table_id: str, readings: dict[str, str]
) -> None:
    game = find_game(game_name)
    wager = game.by_name[wager_name]
    slot = next(each for each in wager.slots if each.name == slot_name)
    terms = terms_with(game, wager, slot, table_id, readings)
    posted = posted_rows(wager, slot, terms)
    chips = slot.pays or tuple(part.name for part in wager.parts)
    settler, dealt = Settler(game, terms), set()
    stake = terms.jackpot_wager_cents.get(wager.name, STAKE)
    for each in telling(game_name, wager_name, tuple(readings.items())):
        (seat,) = each.seats
        finished = each._replace(seats=(seat._replace(wagers={wager.name: stake}),))
        line = settler.settle(finished, {wager.name: METER}).lines[1][wager.name]
        if line.paytable != table_id or line.event is None:
            continue
        (row,) = [row for row in posted if row.printed == line.event and is_of(row, seat.cards)]
        dealt.add(row)
        for chip in line.chips:
            if chip.part in chips:
                shown = in_cents(row.pays_words, chip.staked_cents)
                if wager.dollars_scale and row.pays_words.startswith("$"):
                    shown = shown * stake // 100
                assert shown == chip.paid_cents, (row, line)
    never = {row.event for row in terms.tables[slot_name].rows if isinstance(row.pay, NotApplicable)}
    assert {row.event for row in posted} - never == {row.event for row in dealt}, "every row was dealt"


def test_item_1_every_reading_of_every_switch_of_every_game_is_tried() -> None:
    tried = {(case.values[0], *reading) for case in cases() for reading in case.values[4].items()}
    assert tried == {
        (game.name, s.name, reading) for game in all_games() for s in game.switches for reading in s.readings
    }


def test_tcp_4_a_reading_that_pays_nothing_posts_nothing_and_flush_only_posts_the_flush() -> None:
    """Seen: "Flush and lower 1 to 1" was posted for PW/BB-2 and -4 under `loses` and `flush_only`."""
    game = find_game("three-card-prime")
    wager = game.by_name["ante-play"]
    _, slot = wager.slots
    expected: dict[str, dict[str, str]] = {
        "loses": {"Flush and lower": "loss"},
        "flush_only": {"Flush": "1 to 1", "Lower than a flush": "loss"},
        "as_printed": {"Flush and lower": "1 to 1"},
    }
    for table_id, (reading, rows) in itertools.product(("PW/BB-2", "PW/BB-4"), expected.items()):
        terms = terms_with(game, wager, slot, table_id, {"bad_beat_flush_or_lower": reading})
        posted = {row.event: row.pays_words for row in posted_rows(wager, slot, terms) if "lush" in row.event}
        assert rows == {event: words for event, words in posted.items() if event != "Straight Flush"}


def test_fcp_3_a_winning_flush_or_less_is_posted_at_even_money_and_not_as_a_push() -> None:
    game = find_game("four-card-prime")
    wager = game.by_name["ante-raise"]
    slot, _ = wager.slots
    rows = {row.event: row.pays_words for row in posted_rows(wager, slot, terms_with(game, wager, slot, "Win-1", {}))}
    assert rows == {
        "Any Quads": "even money + 25 to 1",
        "Any Straight Flush": "even money + 20 to 1",
        "Any Trips": "even money + 2 to 1",
        "Flush or less": "1 to 1",
    }


HEADINGS = {
    ("TCP", "win-or-copy"): ("Play (win or copy)", {}),
    ("TCP", "bad-beat"): ("Bad Beat", {"Ante": 0}),
    ("FCP", "win-bonus"): ("Win Bonus", {"Raise": 2}),
    ("FCP", "bad-beat"): ("Bad Beat", {"Raise": 0}),
    ("STC", "ante-odds-play"): ("Odds", {"Ante": 2, "Play": 2}),
    ("TDP", "low-hand"): ("Low Hand", {"High": 2, "High double": 2}),
    ("DW", "ante-play-raise"): ("Ante, Play and Raise", {}),
}
"""What the table of a slot is headed by, and how many times its stake each chip beside it is handed back."""


@pytest.mark.parametrize(("code", "slot_name"), list(HEADINGS))
def test_item_2_a_table_is_headed_by_the_chip_it_pays_and_says_what_becomes_of_the_others(
    code: str, slot_name: str
) -> None:
    """Seen: "Ante, Odds and Play: Mini Royal 50 to 1", where Ante and Play pay even money."""
    heading, beside = HEADINGS[code, slot_name]
    game = next(game for game in all_games() if game.code == code)
    wager = game.main
    slot = next(each for each in wager.slots if each.name == slot_name)
    terms = terms_with(game, wager, slot, slot.ids[0], {})
    words = posted_condition(wager, slot, terms)
    assert heading == wager.heading(slot)
    assert all(name in words for name in beside)
    assert ("even money" in words, "lose" in words) == (2 in beside.values(), 0 in beside.values())
    settler, count = Settler(game, terms), 0
    for each in telling(game.name, wager.name, ()):
        finished = each._replace(seats=(each.seats[0]._replace(wagers={wager.name: STAKE}),))
        line = settler.settle(finished, {}).lines[1][wager.name]
        if beside and line.paytable == terms.tables[slot_name].id:
            back = {
                chip.part: Fraction(chip.paid_cents, chip.staked_cents)
                for chip in line.chips
                if chip.part not in slot.pays
            }
            assert back.items() <= beside.items()
            count += 1
    assert count or not beside


def test_item_2_every_wager_with_several_tables_heads_each_by_itself() -> None:
    for game in all_games():
        headings = [wager.heading(slot) for wager, slot in game.slots()]
        assert len(headings) == len(set(headings)), game.name


def test_item_2_events_are_written_without_abbreviations() -> None:
    for game in all_games():
        for table in game.paytables.values():
            for row in table.rows:
                words = full_words(row.event).split()
                assert not {"SF", "Trips/SF", "AA", "<", "&"} & set(words), row.event
    assert full_words("Mini-Royal + Trips/SF") == "Mini-Royal + Trips/Straight Flush"
    assert full_words("initial hand < straight") == "initial hand lower than a straight"
