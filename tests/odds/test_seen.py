"""What seen cards are worth: shortened decks through the settlement, full-deck hands by the plain loop, properties."""

from __future__ import annotations

import random
from collections import Counter
from dataclasses import replace
from fractions import Fraction
from functools import cache
from itertools import combinations, permutations
from math import comb
from pathlib import Path
from typing import Any

import numpy
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from pitboss.games import find_game
from pitboss.games.three_card_prime import seen
from pitboss.odds.context import NumbaContext
from pitboss.odds.pricing import UnitPays, best_decisions, price, unit_pays
from pitboss.odds.printed import catalogue
from pitboss.odds.seen import kinds_of, seen_counts, seen_value
from pitboss.odds.solving import counts_of, solve_terms
from pitboss.odds.store import OddsStore
from pitboss.poker import three_card_value
from pitboss.rules import FinishedSeat, Settler, Terms, TermsInput, make_terms
from pitboss.rules.facts import Hands, decode, encode
from pitboss.rules.pays import ToOne
from tests.odds import plain_pricing
from tests.relatives.three_card_poker import GAME as THREE_CARD_POKER

GAME = find_game("three-card-prime")
MAIN = GAME.by_name["ante-play"]
KINDS = ("own-fourth-card", "another-hand", "dealer-card")
TERMS = [terms for wager, terms in catalogue(GAME) if wager is MAIN]
TABLES = ("PW/BB-1", "PW/BB-2", "PW/BB-3", "PW/BB-4")
BY_TABLE = [next(terms for terms in TERMS if terms.tables["bad-beat"].id == table) for table in TABLES]


def named(value: object) -> str:
    return f"{value.tables['bad-beat'].id}" if isinstance(value, Terms) else str(value)


def net_of(settler: Settler, hand: tuple[int, ...], dealer: tuple[int, ...], play: int) -> int:
    """What one unit wins by the settlement code; these tables pay whole units."""
    outcome = settler.outcome(MAIN, FinishedSeat(1, {"ante-play": 100}, (*hand, 0), (play,)), dealer)
    won = Fraction(0)
    for part in outcome.parts:
        won += (part.multiple if part.returned else 0) - part.multiple
        won += sum(prize.times * part.multiple for prize in part.prizes if isinstance(prize, ToOne))
    assert won.denominator == 1
    return int(won)


def renamed(hand: tuple[int, ...]) -> list[tuple[int, ...]]:
    """The hand under all names of the suits."""
    return [tuple(sorted(card // 4 * 4 + suits[card % 4] for card in hand)) for suits in permutations(range(4))]


def hands_of(ranks: int, *, one_by_one: bool) -> dict[tuple[int, ...], int]:
    """Every hand of a shortened deck, or one for all names of the suits, with how many it stands for."""
    every = combinations(range(4 * ranks), 3)
    return dict.fromkeys(every, 1) if one_by_one else Counter(min(renamed(hand)) for hand in every)


@cache
def settled(terms: Terms, ranks: int, *, one_by_one: bool) -> list[tuple[tuple[int, ...], int, Any, Any]]:
    """Hands with every dealer's hand against them, a bit a card, and what playing wins."""
    settler = Settler(GAME, terms)
    found: list[tuple[tuple[int, ...], int, Any, Any]] = []
    for hand, times in hands_of(ranks, one_by_one=one_by_one).items():
        dealers = list(combinations([card for card in range(4 * ranks) if card not in hand], 3))
        assert {-1} == {net_of(settler, hand, dealer, 0) for dealer in dealers[:3]}
        masks = numpy.array([sum(1 << card for card in dealer) for dealer in dealers])
        found.append((hand, times, masks, numpy.array([net_of(settler, hand, dealer, 1) for dealer in dealers])))
    return found


def naive(
    terms: Terms, kind: str, ranks: int, *, one_by_one: bool
) -> tuple[Fraction, Fraction, Fraction, dict[tuple[str, str], Fraction]]:
    """Play every deal of a shortened deck: expectation without and with, share played with, changes of decision."""
    deals = with_cards = played = 0
    without = Fraction(0)
    changes: Counter[tuple[str, str]] = Counter()
    for hand, times, masks, nets in settled(terms, ranks, one_by_one=one_by_one):
        without += times * max(Fraction(int(nets.sum()), len(nets)), Fraction(-1)) / comb(4 * ranks, 3)
        plays_unseen = nets.sum() > -len(nets)
        rest = [card for card in range(4 * ranks) if card not in hand]
        for cards in combinations(rest, 3 if kind == "another-hand" else 1):
            mask = sum(1 << card for card in cards)
            left = nets[(masks & mask == 0) == (kind != "dealer-card")]
            worth, number = times * int(left.sum()), times * len(left)
            plays = worth > -number
            deals += number
            with_cards += max(worth, -number)
            played += number * plays
            if plays != plays_unseen:
                changes["fold" if plays else "play", "play" if plays else "fold"] += number
    shares = {change: Fraction(number, deals) for change, number in changes.items()}
    return without, Fraction(with_cards, deals), Fraction(played, deals), shares


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("terms", BY_TABLE, ids=named)
@pytest.mark.parametrize(
    ("ranks", "one_by_one"),
    [
        (4, False),
        pytest.param(4, True, marks=pytest.mark.slow),
        pytest.param(5, True, marks=pytest.mark.slow),
    ],
)
def test_every_deal_of_a_shortened_deck_through_the_settlement(
    terms: Terms, kind: str, ranks: int, one_by_one: bool
) -> None:
    value = seen_value(GAME, terms, kind, ranks=ranks)
    changes = {(change.without, change.seeing): change.share for change in value.changes}
    found = (value.without.ev, value.seeing.ev, value.seeing.decisions[1]["play"], changes)

    assert naive(terms, kind, ranks, one_by_one=one_by_one) == found
    assert value.seeing.ev - value.without.ev == value.gain
    assert sum(changes.values()) == value.decision_changes


def columns_of(hand: tuple[int, ...]) -> tuple[Any, Any]:
    """Every dealer's hand against this one on the full deck, a bit a card, with its facts code: the plain loop."""
    tables = GAME.tables()
    dealers = list(combinations([card for card in range(52) if card not in hand], 3))
    read = [encode(MAIN.read(Hands((*hand, 0), dealer, (1,), (0, 0)), tables), MAIN.bounds) for dealer in dealers]
    return numpy.array([sum(1 << card for card in dealer) for dealer in dealers]), numpy.array(read)


def rows_by_the_plain_loop(hand: tuple[int, ...], kind: str) -> Counter[tuple[tuple[int, int], ...]]:
    """For everything that may be seen, how often each facts code occurs if the hand is played."""
    masks, codes = columns_of(hand)
    names, places = numpy.unique(codes, return_inverse=True)
    rows: Counter[tuple[tuple[int, int], ...]] = Counter()
    rest = [card for card in range(52) if card not in hand]
    for cards in combinations(rest, 3 if kind == "another-hand" else 1):
        mask = sum(1 << card for card in cards)
        left = numpy.bincount(places[(masks & mask == 0) == (kind != "dealer-card")], minlength=len(names))
        rows[tuple((int(code), int(number)) for code, number in zip(names, left, strict=True) if number)] += 1
    return rows


@cache
def nodes() -> dict[tuple[int, ...], int]:
    return {tuple(cards): node for node, cards in enumerate(NumbaContext().classes(3)[0].tolist())}


def node_of(hand: tuple[int, ...]) -> int:
    """The node of the hand in the plain counts, found by renaming the suits in every way."""
    return next(nodes()[cards] for cards in renamed(hand) if cards in nodes())


def rows_counted(kind: str, node: int) -> Counter[tuple[tuple[int, int], ...]]:
    level = seen_counts(GAME, TERMS[0], kind).levels[1]
    assert level.parents is not None
    rows: Counter[tuple[tuple[int, int], ...]] = Counter()
    for at in numpy.flatnonzero(level.parents == node):
        codes = level.codes[0, level.groups[at, 0]]
        row = ((int(code), int(number)) for code, number in zip(codes, level.counts[at, 0], strict=True) if number)
        rows[tuple(sorted(row))] += int(level.weights[at])
    return rows


RANDOM_HANDS = [tuple(random.Random(seed).sample(range(52), 3)) for seed in range(30)]


@pytest.mark.parametrize(
    ("hand", "kind"),
    [
        # All that another hand may be is long: by default it is dealt out on the shortened deck alone.
        pytest.param(hand, kind, marks=[pytest.mark.slow] if index or kind == "another-hand" else [])
        for index, hand in enumerate(RANDOM_HANDS)
        for kind in KINDS
    ],
    ids=str,
)
def test_random_hands_of_the_full_deck_with_all_that_may_be_seen_by_the_plain_loop(
    hand: tuple[int, ...], kind: str
) -> None:
    assert rows_by_the_plain_loop(hand, kind) == rows_counted(kind, node_of(hand))


@pytest.mark.parametrize(
    ("kind", "times"), [("own-fourth-card", 46), ("another-hand", comb(46, 3)), ("dealer-card", 3)]
)
def test_all_that_may_be_seen_adds_up_to_the_plain_counts(kind: str, times: int) -> None:
    """A dealer's hand is met with each card, or three cards, that it leaves to be seen, or with each of its own."""
    (plain,) = counts_of(GAME, MAIN, TERMS[0]).levels
    before, level = seen_counts(GAME, TERMS[0], kind).levels
    assert level.parents is not None
    sums = numpy.zeros_like(plain.counts)
    numpy.add.at(sums, level.parents, level.counts * level.weights[:, None, None])
    numbers = numpy.bincount(level.parents, weights=level.weights)

    assert (plain.counts * times == sums).all()
    assert (plain.weights == before.weights).all()
    assert (plain.groups[level.parents] == level.groups).all()
    assert (plain.codes == level.codes).all()
    assert {comb(49, 3) if kind == "another-hand" else 49} == set(map(int, numbers))


@pytest.mark.parametrize(
    ("terms", "kind"),
    [
        pytest.param(
            terms, kind, marks=[pytest.mark.slow] if kind == "another-hand" and terms is not BY_TABLE[0] else []
        )
        for terms in BY_TABLE
        for kind in KINDS
    ],
    ids=named,
)
def test_who_does_not_use_what_he_sees_has_the_plain_expectation_and_who_does_never_less(
    terms: Terms, kind: str
) -> None:
    pays = unit_pays(MAIN, terms)
    counts = seen_counts(GAME, TERMS[0], kind)
    (usual,) = best_decisions(counts_of(GAME, MAIN, terms), pays)
    before, level = counts.levels
    priced = price(counts, pays, [numpy.zeros(len(before.weights), dtype=numpy.int64), usual[level.parents]])
    plain = sum(pays.net[code] * count for code, count in priced.histogram.items()) / priced.total
    value = seen_value(GAME, terms, kind)

    assert solve_terms(GAME, MAIN, terms) == value.without
    assert value.without.ev == plain
    assert value.gain > 0
    assert value.seeing.house_edge == value.without.house_edge - value.gain


def wins_by_hand(hand: tuple[int, ...], deck: Any, values: Any, qualified: Any) -> Any:
    """What playing this hand wins against each dealer's hand under PW/BB-1, typed from the rules and not from src."""
    tables = GAME.tables()
    ours = three_card_value(tables, *hand)
    category = tables.category[ours]
    win, beaten = ((10, 0), (6, 12), (5, 10), (2, 4), (1, -1), (1, -1), (1, -1))[category]
    won = numpy.where(~qualified, win, numpy.where(values > ours, beaten - 1, win + 1))
    return numpy.where(numpy.isin(deck, hand).any(axis=1), 0, won)


@pytest.mark.slow
def test_the_full_deck_by_sums_of_what_is_won_instead_of_counts() -> None:
    """A second road to the figures of PW/BB-1: no counts, no merging, no pricing, other rules code."""
    deck = numpy.array(list(combinations(range(52), 3)))
    values = numpy.array([three_card_value(GAME.tables(), *cards) for cards in deck.tolist()])
    qualified = (numpy.array(GAME.tables().category)[values] < 6) | (deck.max(axis=1) >= 40)
    x, y, z = deck.T
    deals = {"own-fourth-card": comb(48, 3), "another-hand": comb(46, 3), "dealer-card": comb(48, 2)}
    worth = dict.fromkeys(KINDS, 0)
    changed = {kind: Counter[tuple[str, str]]() for kind in KINDS}
    sets: Counter[str] = Counter()
    for hand, weight in zip(*(array.tolist() for array in NumbaContext().classes(3)), strict=True):
        won = wins_by_hand(tuple(hand), deck, values, qualified)
        one, two = numpy.zeros(52, dtype=int), numpy.zeros((52, 52), dtype=int)
        for first in (x, y, z):
            numpy.add.at(one, first, won)
            for second in (x, y, z):
                numpy.add.at(two, (first, second), won)
        others = [card for card in range(52) if card not in hand]
        free = ~numpy.isin(deck, hand).any(axis=1)
        three = won.sum() - one[x] - one[y] - one[z] + two[x, y] + two[x, z] + two[y, z] - won
        seen_sums = {
            "own-fourth-card": won.sum() - one[others],
            "another-hand": three[free],
            "dealer-card": one[others],
        }
        usual = "play" if won.sum() > -comb(49, 3) else "fold"
        for kind, sums in seen_sums.items():
            sets[kind] += weight * len(sums)
            worth[kind] += weight * int(numpy.maximum(sums, -deals[kind]).sum())
            other = "fold" if usual == "play" else "play"
            changed[kind][usual, other] += weight * int(((sums > -deals[kind]) == (other == "play")).sum())
    for kind in KINDS:
        value = seen_value(GAME, BY_TABLE[0], kind)
        shares = {(change.without, change.seeing): change.share for change in value.changes}
        assert Fraction(worth[kind], sets[kind] * deals[kind]) == value.seeing.ev
        assert {change: Fraction(number, sets[kind]) for change, number in changed[kind].items()} == shares


def with_bad_beats(pays: dict[str, str], readings: dict[str, str]) -> Terms:
    stated = TermsInput(paytables={"ante-play": [{"id": "PW/BB-2", "pays": pays}]}, readings=readings)
    terms, problems = make_terms(GAME, stated)
    assert problems == ()
    return terms


terms_of_any_amounts = given(
    amounts=st.tuples(*(st.integers(0, 40) for _ in range(3))),
    unqualified=st.sampled_from(["pay", "compare"]),
    flush=st.sampled_from(["loses", "flush_only", "as_printed"]),
)


@settings(max_examples=6, deadline=None)
@terms_of_any_amounts
def test_the_gain_is_never_negative_and_three_cards_are_worth_no_less_than_one(
    amounts: tuple[int, ...], unqualified: str, flush: str
) -> None:
    check_gains(amounts, unqualified, flush)


@pytest.mark.slow
@settings(max_examples=100, deadline=None)
@terms_of_any_amounts
def test_the_gain_is_never_negative_under_many_terms(amounts: tuple[int, ...], unqualified: str, flush: str) -> None:
    check_gains(amounts, unqualified, flush)


def check_gains(amounts: tuple[int, ...], unqualified: str, flush: str) -> None:
    rows = dict(zip(("Straight Flush", "Trips", "Straight"), map(str, amounts), strict=True))
    terms = with_bad_beats(rows, {"play_when_not_qualified": unqualified, "bad_beat_flush_or_lower": flush})
    gain = {kind: seen_value(GAME, terms, kind, ranks=5).gain for kind in KINDS}

    assert min(gain.values()) >= 0
    assert gain["another-hand"] >= gain["own-fourth-card"]


@pytest.mark.parametrize("kind", KINDS)
def test_g_18_compiled_and_plain_pricing_take_the_same_decisions_with_cards_seen(kind: str) -> None:
    counts = seen_counts(GAME, TERMS[0], kind, ranks=6)
    for terms in BY_TABLE:
        pays = unit_pays(MAIN, terms)
        assert plain_pricing.price(counts, pays) == price(counts, pays)


def as_three_card_poker() -> UnitPays:
    """What Three Card Poker pays on the facts of Three Card Prime: the same hands, comparison and qualifier."""
    main = THREE_CARD_POKER.by_name["ante-play"]
    terms, problems = make_terms(THREE_CARD_POKER, TermsInput(paytables={"ante-play": ["AB-541"]}, readings={}))
    assert problems == ()
    theirs = unit_pays(main, terms)
    codes = []
    for code in range(len(unit_pays(MAIN, TERMS[0]).net)):
        played, made, _flush, comparison, qualified = decode(code, MAIN.bounds)
        codes.append(encode((played, made >> 1, comparison, qualified), main.bounds))
    pick = {
        name: tuple(getattr(theirs, name)[code] for code in codes) for name in ("net", "staked", "meter", "outcomes")
    }
    return replace(theirs, **pick)


def test_three_card_poker_with_a_dealers_card_seen_is_what_others_published() -> None:
    """Without 3.3730 % for the house, with 3.4829 % for the player, who then wins in 54.2203 % of deals (apheat.net, 2015)."""
    pays = as_three_card_poker()
    for counts, expectation, wins in (
        (counts_of(GAME, MAIN, TERMS[0]), "-0.033730", "0.449127"),
        (seen_counts(GAME, TERMS[0], "dealer-card"), "0.034829", "0.542203"),
    ):
        priced = price(counts, pays)
        mean = sum(pays.net[code] * count for code, count in priced.histogram.items()) / priced.total
        won = sum(count for code, count in priced.histogram.items() if pays.net[code] > 0)
        assert (expectation, wins) == (f"{float(mean):.6f}", f"{won / priced.total:.6f}")


def test_what_is_not_counted_is_refused_by_name() -> None:
    assert KINDS == tuple(kinds_of(GAME)) == tuple(seen.KINDS)
    with pytest.raises(ValueError, match="no seen cards 'burn-card'; it has: own-fourth-card, another-hand"):
        seen_value(GAME, TERMS[0], "burn-card")
    with pytest.raises(ValueError, match="Four Card Prime has no seen cards 'dealer-card'; it has: none"):
        seen_counts(find_game("four-card-prime"), TERMS[0], "dealer-card")
    with pytest.raises(ValueError, match="prime has no decision"):
        seen.count("dealer-card", "prime", NumbaContext())


def test_the_value_as_json_holds_both_results_and_the_changes() -> None:
    value = seen_value(GAME, TERMS[0], "dealer-card")
    told = value.as_json()

    assert value.gain == Fraction(told["seeing"]["ev"]) - Fraction(told["without"]["ev"]) == Fraction(told["gain"])
    assert ("alone", "dealer-card") == (told["without"]["basis"], told["seeing"]["basis"])
    assert value.decision_changes == Fraction(told["decision_changes"])
    assert value.decision_changes == sum(Fraction(change["share"]) for change in told["changes"])


def test_a_value_kept_in_a_store_is_found_again_under_its_kind_and_terms(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    store = OddsStore(tmp_path)
    value = seen_value(GAME, TERMS[0], "dealer-card", ranks=4, store=store)
    assert seen_value(GAME, TERMS[0], "dealer-card", ranks=4) == value
    monkeypatch.setattr(seen, "count", lambda *_: pytest.fail("counted again"))
    monkeypatch.setattr("pitboss.odds.seen._COUNTED", {})

    assert seen_value(GAME, TERMS[0], "dealer-card", ranks=4, store=store) == value
    for terms, kind, ranks in (
        (TERMS[1], "dealer-card", 4),
        (TERMS[0], "another-hand", 4),
        (TERMS[0], "dealer-card", 5),
    ):
        with pytest.raises(pytest.fail.Exception, match="counted again"):
            seen_value(GAME, terms, kind, ranks=ranks, store=store)
