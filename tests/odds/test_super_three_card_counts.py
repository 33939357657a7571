"""Super Three Card counted on full shoes: published figures."""

from __future__ import annotations

from pitboss.games import find_game
from pitboss.odds.solving import solve

GAME = find_game("super-three-card")


def test_anchors_section_1_twenty_one_plus_three_of_six_decks() -> None:
    result = solve(GAME.name, "twenty-one-plus-three", ["PT-BJS-213-02"], decks=6)
    assert [240, 800, 10_368, 25_272, 155_520, 292_896] == [event.count for event in result.events[:6]]
    assert {5_013_320} == {event.of for event in result.events}
    assert "0.475444" == f"{float(1 + result.ev):.6f}"
    assert result.break_even_meter is not None
    assert "10957.37" == f"{float(result.break_even_meter):.2f}"


def test_anchors_section_3_eight_decks() -> None:
    result = solve(GAME.name, "twenty-one-plus-three", ["PT-BJS-213-01"], decks=8)
    counted = {event.event: event.count for event in result.events}
    suited = counted["Three-of-a-Kind Aces or Kings Suited"] + counted["Three-of-a-Kind Suited"]
    assert 2_912 == suited
    assert [24_576, 61_568, 368_640, 700_928] == [
        counted[name] for name in ("Straight Flush", "Three-of-a-Kind Offsuit", "Straight", "Flush")
    ]
