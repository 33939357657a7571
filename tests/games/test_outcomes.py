"""Every outcome of every facts code: chips that lie on the layout, tables in force, and one prize at the posted amounts."""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction

import pytest

from pitboss.games import all_games, find_game
from pitboss.rules import Game, Terms, TermsInput, Wager, make_terms
from pitboss.rules.facts import codes, decode
from pitboss.rules.outcomes import Events, Outcome
from pitboss.rules.pays import OfMeter, ToOne
from tests.rules.tables import first_terms
from tests.support import cited, line, record, seat

GAMES = all_games()[:5]


def outcomes(game: Game, terms: Terms) -> Iterator[tuple[Wager, int, Outcome]]:
    for wager in game.wagers:
        for code in codes(wager.bounds):
            yield wager, code, wager.outcome_of_code(code, terms)


@pytest.mark.parametrize("game", GAMES, ids=lambda game: game.name)
def test_every_chip_of_every_outcome_is_a_part_of_its_wager(game: Game) -> None:
    for wager, _, outcome in outcomes(game, first_terms(game)):
        largest = {part.name: part.multiple_max for part in wager.parts}
        names = [part.part for part in outcome.parts]
        assert names == [name for name in largest if name in names]
        assert all(1 <= part.multiple <= largest[part.part] for part in outcome.parts)


@pytest.mark.parametrize("game", GAMES, ids=lambda game: game.name)
def test_every_event_is_a_row_of_the_table_that_is_named(game: Game) -> None:
    terms = first_terms(game)
    by_id = {table.id: table for table in terms.tables.values()}
    for wager, _, outcome in outcomes(game, terms):
        if outcome.event is not None:
            assert outcome.paytable is not None
            table = by_id[outcome.paytable]
            assert table.row(outcome.event) is not None
            assert table.wager == wager.name.removesuffix("-b")


@pytest.mark.parametrize("game", GAMES, ids=lambda game: game.name)
def test_g_1_a_prize_to_1_returns_its_chip_and_a_prize_for_1_does_not(game: Game) -> None:
    for wager, _, outcome in outcomes(game, first_terms(game)):
        for part in outcome.parts:
            if part.prizes:
                assert part.returned is not wager.jackpot
                assert all(isinstance(prize, ToOne) is not wager.jackpot for prize in part.prizes)


@pytest.mark.parametrize("game", GAMES, ids=lambda game: game.name)
def test_g_4_a_share_of_the_meter_is_paid_by_jackpots_only(game: Game) -> None:
    for wager, _, outcome in outcomes(game, first_terms(game)):
        share = outcome.meter_share
        assert share is None or (wager.jackpot and isinstance(share, OfMeter))


@pytest.mark.parametrize("game", GAMES, ids=lambda game: game.name)
def test_every_wager_is_told_in_words_that_tell_its_outcomes_apart(game: Game) -> None:
    terms = first_terms(game)
    for wager in game.wagers:
        if wager.tell is None:
            continue
        told: dict[str, set[str]] = {}
        for code in codes(wager.bounds):
            facts = wager.facts(*decode(code, wager.bounds))
            told.setdefault(wager.tell(facts), set()).add(wager.settle(facts, terms).event or "")
        assert all(words and words[0].islower() for words in told)
        assert len(told) > 3


def one_lower_row_richer(game: str, wager: str, table: str, event: str) -> Terms:
    """Terms under which one row pays more than all rows above it."""
    found = find_game(game)
    decks = found.decks_allowed[0] if found.decks_allowed else None
    stated = TermsInput(paytables={wager: [{"id": table, "pays": {event: "7777"}}]}, readings={}, decks=decks)
    terms, problems = make_terms(found, stated)
    assert not problems
    return terms


@pytest.mark.parametrize(
    ("game", "wager", "table", "event", "facts"),
    [
        ("super-three-card", "ante-odds-play", "PT-FLT-STC-01", "Flush", (1, 0b1010101, 2)),
        ("deuces-wild", "ante-play-raise", "APR-A", "Flush", (2, 0b00110010100)),
        ("deuces-wild", "five-card-fortune", "FCF-A", "Straight", (0b00100010100,)),
    ],
)
def test_g_2_the_best_paying_event_is_paid_not_the_first_printed(
    game: str, wager: str, table: str, event: str, facts: tuple[int, ...]
) -> None:
    chosen = find_game(game).by_name[wager]
    made = chosen.facts(*facts)
    outcome = chosen.settle(made, one_lower_row_richer(game, wager, table, event))
    assert event == outcome.event
    assert ToOne(Fraction(7777)) in {prize for part in outcome.parts for prize in part.prizes}


STC = {"ante-odds-play": ["PT-FLT-STC-01"]}


def test_stc_1_a_tie_is_explained_as_one_and_a_win_is_not() -> None:
    tie = seat(1, "Kd 9h 4c", {"ante-odds-play": 500}, play=True)
    assert "STC rule 6, ties" in cited(
        line(record("super-three-card", "Ks 9d 4h", tie, decks=6, paytables=STC), "ante-odds-play")
    )
    assert "STC rule 6, ties" not in cited(
        line(record("super-three-card", "Qs 9d 4h", tie, decks=6, paytables=STC), "ante-odds-play")
    )


def test_stc_2_the_push_of_the_odds_cites_its_ruling_and_a_paid_row_does_not() -> None:
    high = seat(1, "Kd 9h 4c", {"ante-odds-play": 500}, play=True)
    pair = seat(1, "Kd Kh 4c", {"ante-odds-play": 500}, play=True)
    for hand, ruled in ((high, True), (pair, False)):
        found = cited(line(record("super-three-card", "Qs 9d 4h", hand, decks=6, paytables=STC), "ante-odds-play"))
        assert ruled is ("STC-2" in found)


def test_events_name_the_first_made_or_the_residual() -> None:
    events = Events(("a", "b"), residual="rest")
    assert ["rest", "a", "b", "a"] == [events.first(mask) for mask in range(4)]
    assert "nothing" == Events(("a",)).first(0)
    assert 4 == events.masks
