"""What a seat may see, and when: hidden cards never appear."""

from __future__ import annotations

from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pitboss.cards import cards_text, parse_cards
from pitboss.games import game_names
from pitboss.rules import Face
from pitboss.table import Deal, Decide, Phase, PlaceWagers, Reveal, Round, Settle, view
from pitboss.table.round import HIDDEN
from tests.examples import examples
from tests.table.playing import finish, opened, step, table_of, wagers_of


def stacked(game: str, cards: str) -> Round:
    """A table whose shoe begins with these cards."""
    configuration = table_of(game)
    first = parse_cards(cards)
    rest = list(configuration.terms.deck.cards)
    for card in first:
        rest.remove(card)
    return Round(configuration=configuration, shoe=(*first, *rest), meters=configuration.meters)


@pytest.mark.parametrize("game", game_names()[:5])
@given(seed=st.integers(min_value=0, max_value=2**32))
@examples(12)
def test_a_seat_never_sees_a_card_that_is_not_its_own_or_face_up(game: str, seed: int) -> None:
    rng = Random(seed)
    configuration = table_of(game)
    played = opened(configuration, rng.randbytes(32))
    for seat in range(1, configuration.seats + 1):
        played = played.apply(PlaceWagers(seat, wagers_of(played.game, configuration, rng)))
    while played.phase is not Phase.FINISHED:
        played = step(played, rng.choice)
        for viewer in (None, *played.state.seats):
            seen = view(played, viewer)
            for number, held in played.state.seats.items():
                faces = (Face.UP, Face.OWN) if number == viewer else (Face.UP,)
                expected = tuple(
                    cards_text([card]) if face in faces else HIDDEN
                    for card, face in zip(held.seat.cards, held.faces, strict=True)
                )
                assert expected == seen.hands[number]
            assert viewer is not None or seen.question is None


def test_tcp_rule_1_nobody_sees_the_fourth_card_or_the_dealer_s_before_the_reveal() -> None:
    played = stacked("three-card-prime", "As Ks Qs 2d 3c 4c 5c 6c").apply(PlaceWagers(1, (("ante-play", 500),)))
    played = played.apply(Deal())
    assert ("As", "Ks", "Qs", HIDDEN) == view(played, 1).hands[1]
    assert (HIDDEN,) * 4 == view(played, 2).hands[1]
    assert (HIDDEN,) * 3 == view(played, 1).board
    shown = played.apply(Decide(1, "play", True)).apply(Reveal())
    assert ("As", "Ks", "Qs", "2d") == view(shown).hands[1]
    assert ("3c", "4c", "5c") == view(shown).board


def test_tcp_11_the_dealer_s_fourth_card_is_discarded_unseen() -> None:
    played = stacked("three-card-prime", "As Ks Qs 2d 3c 4c 5c 6c").apply(PlaceWagers(1, (("ante-play", 500),)))
    played = played.apply(Deal()).apply(Decide(1, "play", False)).apply(Reveal()).apply(Settle())
    assert 1 == played.state.discarded
    assert 8 == played.state.used
    assert "6c" not in view(played).board


def test_dw_step_18_the_community_card_is_dealt_first_and_three_rounds_follow() -> None:
    played = stacked("deuces-wild", "3c 4c 5c 6c 7c 8c 9c Tc Jc")
    for seat in (2, 5):
        played = played.apply(PlaceWagers(seat, (("ante-play-raise", 500),)))
    played = played.apply(Deal())
    assert parse_cards("3c 6c 9c") == played.state.board.seat.cards
    assert parse_cards("4c 7c Tc") == played.state.seats[2].seat.cards
    assert parse_cards("5c 8c Jc") == played.state.seats[5].seat.cards


def test_dw_9_who_looks_and_when() -> None:
    played = stacked("deuces-wild", "3c")
    seats = {
        1: (("ante-play-raise", 500),),
        2: (("three-card-treasure", 100),),
        3: (("five-card-fortune", 100),),
        4: (("bonus-jackpot", 100),),
    }
    for seat, wagers in seats.items():
        played = played.apply(PlaceWagers(seat, wagers))
    played = played.apply(Deal())
    looked = {seat for seat in seats if HIDDEN not in view(played, seat).hands[seat]}
    assert {1, 2} == looked
    while played.phase is not Phase.DECISIONS:
        played = step(played, lambda options: options[0])
    assert HIDDEN not in view(played, 3).hands[3]
    assert (HIDDEN,) * 3 == view(played, 4).hands[4]
    played = finish(played, lambda options: options[0])
    assert HIDDEN not in view(played).hands[4]


def test_dw_8_a_winning_treasure_hand_is_face_up_from_then_on_and_a_losing_one_is_not() -> None:
    played = stacked("deuces-wild", "3c Ks 4c 5d Qs 9h 6d Js Td")
    played = played.apply(PlaceWagers(1, (("three-card-treasure", 100),)))
    played = played.apply(PlaceWagers(2, (("three-card-treasure", 100),)))
    played = played.apply(Deal()).apply(Reveal())
    assert ("Ks", "Qs", "Js") == view(played).hands[1]
    assert (HIDDEN,) * 3 == view(played).hands[2]


def test_dw_5_the_community_stays_face_down_until_fortune_is_settled() -> None:
    played = stacked("deuces-wild", "3c").apply(PlaceWagers(1, (("ante-play-raise", 500), ("five-card-fortune", 100))))
    played = played.apply(Deal())
    while "ante-play-raise" not in played.state.lines.get(1, {}):
        assert set(view(played).board) <= {HIDDEN}
        played = step(played, lambda options: options[0])
    assert (HIDDEN,) * 4 == view(played).board
    played = played.apply(Reveal())
    assert HIDDEN not in view(played).board
    assert Phase.SETTLE is played.phase


def test_dw_step_21_exception_all_folded_deals_the_fourth_community_card_for_fortune_only() -> None:
    folded = stacked("deuces-wild", "3c").apply(PlaceWagers(1, (("ante-play-raise", 500), ("five-card-fortune", 100))))
    folded = folded.apply(Deal()).apply(Decide(1, "play", False))
    cards = folded.state.seats[1].seat.cards
    folded = folded.apply(Decide(1, "fortune", cards[:1]))
    while folded.phase is not Phase.FINISHED:
        folded = step(folded, lambda options: options[0])
    assert 4 == len(folded.state.board.seat.cards)
    assert 3 == len(folded.state.seats[1].seat.cards)
    assert ("??", "??") == view(folded).hands[1][1:]

    without = stacked("deuces-wild", "3c").apply(PlaceWagers(1, (("ante-play-raise", 500),)))
    without = without.apply(Deal()).apply(Decide(1, "play", False))
    while without.phase is not Phase.FINISHED:
        without = step(without, lambda options: options[0])
    assert 3 == len(without.state.board.seat.cards)


def test_dw_7_a_jackpot_seat_gets_five_cards_after_a_fold() -> None:
    played = stacked("deuces-wild", "3c").apply(PlaceWagers(1, (("ante-play-raise", 500), ("bonus-jackpot", 100))))
    played = played.apply(Deal()).apply(Decide(1, "play", False))
    while played.phase is not Phase.FINISHED:
        played = step(played, lambda options: options[0])
    assert 5 == len(played.state.seats[1].seat.cards)


def test_dw_6_a_fortune_selection_is_hidden_from_the_others() -> None:
    played = stacked("deuces-wild", "3c").apply(PlaceWagers(1, (("five-card-fortune", 100),)))
    played = played.apply(PlaceWagers(2, (("five-card-fortune", 100),))).apply(Deal())
    mine = played.state.seats[1].seat.cards[1]
    played = played.apply(Decide(1, "fortune", (mine,)))
    assert {"fortune": (mine,)} == view(played, 1).decisions[1]
    assert {} == view(played, 2).decisions[1]


def test_stc_7_a_player_decides_on_two_cards_and_the_dealer_s_up_card() -> None:
    played = stacked("super-three-card", "As Kd 9c").apply(PlaceWagers(1, (("ante-odds-play", 500),))).apply(Deal())
    seen = view(played, 1)
    assert (("As", "Kd"), ("9c",)) == (seen.hands[1], seen.board)
    assert seen.question is not None


def test_stc_8_if_every_seat_surrendered_the_dealer_draws_no_more_cards() -> None:
    played = stacked("super-three-card", "As Kd 9c").apply(PlaceWagers(1, (("ante-odds-play", 500),))).apply(Deal())
    played = played.apply(Decide(1, "play", False))
    while played.phase is not Phase.FINISHED:
        played = step(played, lambda options: options[0])
    assert 1 == len(played.state.board.seat.cards)
    assert 2 == len(played.state.seats[1].seat.cards)


def test_fcp_rule_2_one_of_the_dealer_s_six_cards_is_face_up() -> None:
    played = stacked("four-card-prime", "As Ks Qs Js Ts 3d").apply(PlaceWagers(1, (("ante-raise", 500),))).apply(Deal())
    assert ("3d", *(HIDDEN,) * 5) == view(played, 1).board


def test_tdp_rule_2_none_of_the_dealer_s_cards_shows_until_all_hands_are_set() -> None:
    played = stacked("three-card-double-play", "As").apply(PlaceWagers(1, (("high-low", 500),))).apply(Deal())
    assert (HIDDEN,) * 5 == view(played, 1).board
    assert {} == view(played, 2).decisions[1]
