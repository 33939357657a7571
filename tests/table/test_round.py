"""A round at a table: operations in, settlement out; illegal ones refused with the reason, the round unchanged."""

from __future__ import annotations

import json
from dataclasses import replace
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pitboss.cards import parse_cards
from pitboss.games import find_game, game_names
from pitboss.rules import Settlement
from pitboss.rules.settlement import HOUSE
from pitboss.table import (
    Deal,
    Decide,
    Operation,
    OperationRefusedError,
    Phase,
    PlaceWagers,
    Reveal,
    Round,
    Settle,
    Void,
    VoidReason,
    round_record,
    settle_record,
    to_undo,
)
from pitboss.table.operations import from_json, to_json
from tests.examples import examples
from tests.table.playing import finish, opened, random_round, step, table_of, wagers_of

GAMES = game_names()[:5]
seeds = st.integers(min_value=0, max_value=2**32)


def refusal(played: Round, operation: Operation) -> str:
    """The words of a refusal; the round is the very same afterwards."""
    before = played.to_text()
    assert not played.can(operation)
    with pytest.raises(OperationRefusedError) as refused:
        played.apply(operation)
    assert before == played.to_text()
    return str(refused.value)


def balances(settlement: Settlement) -> dict[str, int]:
    found: dict[str, int] = {}
    for transfer in settlement.transfers:
        assert transfer.cents > 0
        found[transfer.payer] = found.get(transfer.payer, 0) - transfer.cents
        found[transfer.payee] = found.get(transfer.payee, 0) + transfer.cents
    return found


@pytest.mark.parametrize("game", GAMES)
@given(seed=seeds)
@examples(15)
def test_the_sum_over_house_players_and_funds_is_zero(game: str, seed: int) -> None:
    settlement = random_round(table_of(game), Random(seed)).settlement
    assert settlement is not None
    accounts = balances(settlement)
    assert 0 == sum(accounts.values())
    for seat, lines in settlement.lines.items():
        net = sum(line.paid_cents - line.staked_cents for line in lines.values())
        assert net == accounts.get(f"seat:{seat}", 0)
    funds = -sum(payment.from_fund_cents for payment in settlement.jackpots.values())
    players = sum(settlement.net_cents(seat) for seat in settlement.lines)
    assert -(players + funds) == accounts.get(HOUSE, 0)


@pytest.mark.parametrize("game", GAMES)
@given(seed=seeds)
@examples(15)
def test_a_round_replays_to_the_same_bytes_and_settles_as_its_record(game: str, seed: int) -> None:
    played = random_round(table_of(game), Random(seed))
    text = played.to_text()
    again = Round.from_text(text)
    assert text == again.to_text()
    assert played == again
    assert played.settlement == again.settlement
    recorded = settle_record(json.loads(json.dumps(round_record(played))))
    assert played.settlement == recorded.settlement


@pytest.mark.parametrize("game", GAMES)
@given(seed=seeds)
@examples(15)
def test_chips_on_the_layout_are_the_chips_settled(game: str, seed: int) -> None:
    played = random_round(table_of(game), Random(seed))
    assert played.settlement is not None
    for seat in played.state.all_seats:
        for name, cents in seat.wagers.items():
            down = played.game.by_name[name].chips_down(seat.decisions, cents)
            settled = {chip.part: chip.staked_cents for chip in played.settlement.lines[seat.number][name].chips}
            assert down == settled


@pytest.mark.parametrize("game", GAMES)
@given(seed=seeds, reason=st.sampled_from(VoidReason), steps=st.integers(min_value=0, max_value=60))
@examples(15)
def test_g_11_a_void_round_returns_every_wager_also_those_settled(
    game: str, seed: int, reason: VoidReason, steps: int
) -> None:
    rng = Random(seed)
    configuration = table_of(game)
    played = opened(configuration, rng.randbytes(32))
    for seat in range(1, configuration.seats + 1):
        played = played.apply(PlaceWagers(seat, wagers_of(played.game, configuration, rng)))
    for _ in range(steps):
        ahead = step(played, rng.choice)
        if ahead.phase is Phase.FINISHED:
            break
        played = ahead
    taken_or_paid = {
        (seat, name) for seat, lines in played.state.lines.items() for name, line in lines.items() if line.net_cents
    }
    void = played.apply(Void(reason))
    assert Phase.VOID is void.phase
    assert void.settlement is not None
    for seat, lines in void.settlement.lines.items():
        assert dict(void.state.seats[seat].seat.wagers).keys() == lines.keys()
        for line in lines.values():
            assert line.staked_cents == line.paid_cents > 0
            assert "G-11" in {cited.ruling for cited in line.reasons}
    assert () == void.settlement.transfers
    assert taken_or_paid == {(seat, line.wager) for seat, line in to_undo(void)}
    assert void == Round.from_text(void.to_text())


def test_g_11_what_was_taken_or_paid_before_the_void_is_listed_for_the_floor() -> None:
    played = opened(table_of("super-three-card")).apply(
        PlaceWagers(1, (("ante-odds-play", 500), ("big-hand-bonus", 500)))
    )
    played = played.apply(Deal()).apply(Settle())
    line = played.state.lines[1]["big-hand-bonus"]
    assert line.net_cents != 0
    undone = to_undo(played.apply(Void(VoidReason.MISDEAL)))
    assert ((1, line),) == undone
    assert () == to_undo(played)


def test_g_11_a_finished_or_void_round_cannot_be_voided() -> None:
    finished = random_round(table_of("three-card-prime"), Random(1))
    assert "finished already" in refusal(finished, Void(VoidReason.MISDEAL))
    void = opened(table_of("three-card-prime")).apply(Void(VoidReason.FOULED_DECK))
    assert "void already" in refusal(void, Void(VoidReason.MISDEAL))


@pytest.mark.parametrize(
    ("wagers", "words"),
    [
        ((("ante-play", 499),), "outside the table's limits of $5.00 to $400.00"),
        ((("ante-play", 550),), "cannot be wagered with chips of $1.00"),
        ((("ante-play", 40_100),), "limits"),
        ((("ante-play", -500),), "limits"),
        ((("ante-play", True),), "whole number of cents"),
        ((("ante-play", 5.0),), "whole number of cents"),
        ((("prime", 500),), "Ante and Play is required for every other wager"),
        ((("all-seven", 100),), "not offered at this table"),
        ((("ante-play", 500), ("final-four", 200)), "the jackpot wager is $1.00, not $2.00"),
        ((("ante-play", 500), ("ante-play", 500)), "stands twice"),
        ((), "must make a wager"),
        (
            (("ante-play", 600), ("prime", 600), ("pair-bonus", 600), ("all-six", 600)),
            "at least one must be $5.00 or less",
        ),
        (
            (("ante-play", 500), ("prime", 500), ("pair-bonus", 500), ("all-six", 500), ("final-four", 100)),
            "5 wagers, but at most 4",
        ),
    ],
)
def test_g_12_wagers_outside_the_table_s_terms_are_refused(wagers: tuple[tuple[str, int], ...], words: str) -> None:
    assert words in refusal(opened(table_of("three-card-prime")), PlaceWagers(1, wagers))


def test_all_problems_of_an_operation_come_at_once() -> None:
    words = refusal(
        opened(table_of("three-card-prime")), PlaceWagers(9, (("prime", 50), ("poker", 1), ("final-four", 7)))
    )
    assert "9 must be a seat from 1 to 7" in words
    assert "not offered" in words
    assert "outside the table's limits" in words


def test_a_seat_may_change_its_wagers_until_the_deal_and_not_after() -> None:
    played = opened(table_of("three-card-prime")).apply(PlaceWagers(1, (("ante-play", 500),)))
    played = played.apply(PlaceWagers(1, (("ante-play", 700),)))
    assert {"ante-play": 700} == played.state.seats[1].seat.wagers
    assert "waits for decisions" in refusal(played.apply(Deal()), PlaceWagers(2, (("ante-play", 500),)))


def test_operations_out_of_order_are_refused() -> None:
    empty = opened(table_of("three-card-prime"))
    assert "no seat has made a wager" in refusal(empty, Deal())
    assert "waits for wagers" in refusal(empty, Reveal())
    assert "waits for wagers" in refusal(empty, Settle())
    assert "waits for wagers" in refusal(empty, Decide(1, "play", True))
    dealt = (
        empty.apply(PlaceWagers(1, (("ante-play", 500),))).apply(PlaceWagers(2, (("ante-play", 500),))).apply(Deal())
    )
    assert "it is seat 1's turn" in refusal(dealt, Decide(2, "play", True))
    assert "the question is 'play'" in refusal(dealt, Decide(1, "raise", True))
    assert "must be true or false" in refusal(dealt, Decide(1, "play", 1))
    assert "waits for decisions" in refusal(dealt, Deal())
    done = finish(dealt, lambda options: options[0])
    for operation in (Deal(), Reveal(), Settle(), Decide(1, "play", True)):
        assert "waits for finished" in refusal(done, operation)


def test_seats_decide_in_rotation_from_the_dealer_s_left() -> None:
    played = opened(table_of("four-card-prime"))
    for seat in (5, 1, 3):
        played = played.apply(PlaceWagers(seat, (("ante-raise", 500),)))
    played = played.apply(Deal())
    order = []
    while (asked := played.question()) is not None:
        order.append(asked[0])
        played = played.apply(Decide(asked[0], asked[1].key, 1))
    assert [1, 3, 5] == order


def test_tdp_6_the_table_refuses_a_low_hand_above_the_high_hand() -> None:
    played = opened(table_of("three-card-double-play")).apply(PlaceWagers(1, (("high-low", 500),))).apply(Deal())
    asked = played.question()
    assert asked is not None
    cards = played.state.seats[1].seat.cards
    allowed = asked[1].options()
    assert all(set(high) < set(cards) for high in allowed)
    for high in allowed:
        low = tuple(card for card in cards if card not in high)
        if low not in {tuple(sorted(option, key=cards.index)) for option in allowed}:
            assert "turn them round" in refusal(played, Decide(1, "high", low))
            break
    assert "must be cards" in refusal(played, Decide(1, "high", "As Ks Qs"))


def test_g_18_options_stand_in_the_order_of_the_round_format() -> None:
    """Where two decisions are worth the same, the one listed first is taken; the order is the format's."""
    first_decisions = {
        "three-card-prime": (True, False),
        "deuces-wild": (True, False),
        "super-three-card": (True, False),
        "four-card-prime": (0, 1, 2, 3),
    }
    for name, options in first_decisions.items():
        game = find_game(name)
        played = opened(table_of(name)).apply(PlaceWagers(1, ((game.main.name, 500),)))
        while played.phase is not Phase.DECISIONS:
            played = step(played, lambda given: given[0])
        asked = played.question()
        assert asked is not None
        assert options == asked[1].options()


def test_dw_6_a_cap_on_fortune_is_a_multiple_of_the_ante() -> None:
    table = table_of("deuces-wild")
    capped = replace(table.wagers["five-card-fortune"], base_multiple_max=2)
    configuration = replace(table, wagers={**table.wagers, "five-card-fortune": capped})
    played = opened(configuration)
    assert played.can(PlaceWagers(1, (("ante-play-raise", 500), ("five-card-fortune", 1000))))
    words = refusal(played, PlaceWagers(1, (("ante-play-raise", 500), ("five-card-fortune", 1100))))
    assert "more than 2 times Ante" in words
    assert "more than 2 times Ante" in refusal(played, PlaceWagers(1, (("five-card-fortune", 100),)))


@pytest.mark.parametrize(
    "operation",
    [
        PlaceWagers(3, (("ante-play", 500), ("prime", 100)), "Ann"),
        PlaceWagers(1, ()),
        Deal(),
        Reveal(),
        Settle(),
        Decide(2, "play", True),
        Decide(2, "raise", 3),
        Decide(2, "high", (51, 47, 43)),
        Decide(2, "fortune", (52,)),
        Void(VoidReason.EXPOSED_CARD),
    ],
)
def test_operations_and_their_text_are_inverse(operation: Operation) -> None:
    assert operation == from_json(to_json(operation))


@pytest.mark.parametrize("text", ["{}", '{"do":"dance"}', '{"do":"void"}', "[]", "3"])
def test_what_is_no_operation_is_named(text: str) -> None:
    with pytest.raises(ValueError, match="no operation of a round"):
        from_json(text)


def test_a_damaged_round_text_is_refused() -> None:
    text = random_round(table_of("three-card-prime"), Random(4)).to_text()
    with pytest.raises(ValueError, match="hash does not agree"):
        Round.from_text(text.replace('minimum = \\"5.00\\"', 'minimum = \\"6.00\\"', 1))
    with pytest.raises(ValueError, match="not a round"):
        Round.from_text('{"format":"other"}\n')


def test_fcp_5_one_person_on_two_seats_is_never_paid_envy_by_himself() -> None:
    table = table_of("four-card-prime")
    wagers = (("ante-raise", 500), ("four-card-jackpot", 100))
    trips = ["Ac", "Ad", "Ah", "As", "2c"]
    other = ["7c", "8d", "Ts", "Jh", "3c"]
    dealt = parse_cards(trips + other)
    shoe = (*dealt, *(card for card in table.terms.deck.cards if card not in dealt))
    for person, envy_cents in ((None, 10_000), ("Ann", 0)):
        played = Round(configuration=table, shoe=shoe, meters=table.meters)
        played = played.apply(PlaceWagers(1, wagers, person)).apply(PlaceWagers(2, wagers, person))
        settlement = finish(played, lambda options: options[0]).settlement
        assert settlement is not None
        assert envy_cents == settlement.lines[2]["four-card-jackpot"].envy_cents
        assert 0 == settlement.lines[1]["four-card-jackpot"].envy_cents
