"""`pitboss settle`: a supervisor types a disputed hand and reads what every wager comes to."""

from __future__ import annotations

import pytest

from tests.cli.hands import deuces_wild, four_card_prime, super_three_card, three_card_double_play, three_card_prime
from tests.cli.running import Hand, run_json

HANDS = {
    "three-card-prime": three_card_prime.HANDS,
    "deuces-wild": deuces_wild.HANDS,
    "super-three-card": super_three_card.HANDS,
    "four-card-prime": four_card_prime.HANDS,
    "three-card-double-play": three_card_double_play.HANDS,
}


@pytest.mark.parametrize(
    ("game", "hand"),
    [pytest.param(game, hand, id=f"{game}: {hand.why}") for game, hands in HANDS.items() for hand in hands],
)
def test_a_tricky_hand_comes_to_what_the_documents_say(game: str, hand: Hand) -> None:
    answer = run_json(f"settle {game} {hand.typed} --json")
    lines = {f"{seat['seat']} {name}": line for seat in answer["seats"] for name, line in seat["wagers"].items()}
    expected = {key if key[0].isdigit() else f"1 {key}": value for key, value in hand.comes_to.items()}
    found = {key: (lines[key]["staked_cents"], lines[key]["paid_cents"], lines[key]["event"]) for key in expected}

    assert expected == found
    assert hand.jackpots == {
        name: (paid["from_fund_cents"], paid["from_house_cents"], paid["odd_cents"])
        for name, paid in answer.get("jackpots", {}).items()
    }
