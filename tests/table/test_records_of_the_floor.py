"""Issue 16 item 11: records know a void round, one person on two seats (G-41), and a foul hand turned round (TDP-7)."""

from __future__ import annotations

import json
from typing import Any

import pytest

from pitboss.games import all_games
from pitboss.table import RefusedRecordError, settle_line, settle_record

FOUL = {"high": ["Tc", "8d", "4s"], "double": True}
TURNED = {"high": ["Kc", "Kd", "4h"], "double": True}


def double_play(decisions: dict[str, Any], **seat: Any) -> dict[str, Any]:
    cards = ["Tc", "8d", "4s", "Kc", "Kd", "4h"]
    wagers = {"high-low": 500, "pick-3": 100}
    seats = [{"seat": 1, "cards": cards, "wagers": wagers, "decisions": decisions, **seat}]
    paytables = {"high-low": ["LWB-1"], "pick-3": ["P3-1"]}
    board = ["2c", "3d", "5c", "7s", "9c"]
    return {"game": "three-card-double-play", "paytables": paytables, "dealer": board, "seats": seats}


def problems(record: dict[str, Any]) -> str:
    with pytest.raises(RefusedRecordError) as error:
        settle_record(record)
    return "; ".join(map(str, error.value.problems))


def lines(record: dict[str, Any]) -> dict[str, Any]:
    settled: dict[str, Any] = json.loads(settle_line(json.dumps(record)))
    return settled


def amounts(settled: dict[str, Any]) -> list[Any]:
    names = ("staked_cents", "paid_cents", "net_cents", "event")
    return [{name: line[name] for name in names} for seat in settled["seats"] for line in seat["wagers"].values()]


def test_tdp_7_a_foul_hand_that_was_turned_round_is_settled_turned_and_said_so() -> None:
    settled, right = lines(double_play(FOUL, turned=True)), lines(double_play(TURNED))
    assert amounts(settled) == amounts(right)
    first = settled["seats"][0]["wagers"]["high-low"]["because"][0]
    assert first == {
        "clause": "TDP rule 3",
        "ruling": "TDP-7",
        "text": "Low Hand ranked above the High Hand: the hands were switched and settled that way",
    }


def test_tdp_6_a_foul_hand_that_nobody_turned_is_refused_as_before() -> None:
    assert "the Low Hand ranks above the High Hand: turn them round (TDP rule 3; TDP-6)" in problems(double_play(FOUL))


def test_tdp_7_only_a_foul_hand_is_turned_round() -> None:
    assert "nothing is turned round" in problems(double_play(TURNED, turned=True))
    assert "TDP-6" in problems(double_play({"high": ["Tc", "8d"], "double": True}, turned=True))
    assert "must be true or left out" in problems(double_play(FOUL, turned="yes"))
    other = {**FOUR, "seats": [{**FOUR["seats"][0], "turned": True}]}
    assert "nothing is turned round" in problems(other)


FOUR: dict[str, Any] = {
    "game": "four-card-prime",
    "paytables": {"ante-raise": ["Win-1", "BB-1"], "aces-baby": ["AB-1"], "four-card-jackpot": ["FCJ-1"]},
    "meters": {"four-card-jackpot": 1_000_000},
    "dealer": ["2d", "3h", "5c", "7s", "9c", "Jd"],
    "seats": [
        {
            "seat": number,
            "cards": cards.split(),
            "wagers": {"ante-raise": 500, "four-card-jackpot": 100},
            "decisions": {"raise": 1},
        }
        for number, cards in ((1, "4s 4h 4d 4c Kd"), (2, "As Qh 8d 6c 3c"))
    ],
}


def seats_of(*fields: dict[str, Any]) -> dict[str, Any]:
    return {**FOUR, "seats": [{**seat, **more} for seat, more in zip(FOUR["seats"], fields, strict=True)]}


def test_fcp_5_one_person_on_two_seats_is_paid_no_envy_by_themselves() -> None:
    jackpot = "four-card-jackpot"
    apart = lines(seats_of({"person": "Ann"}, {"person": "Bob"}))["seats"][1]["wagers"][jackpot]
    together = lines(seats_of({"person": "Ann"}, {"person": "Ann"}))["seats"][1]["wagers"][jackpot]
    assert (apart["envy_cents"], apart["paid_cents"]) == (1000, 1000)
    assert ("envy_cents" in together, together["paid_cents"]) == (False, 0)
    assert lines(seats_of({}, {}))["seats"][1]["wagers"][jackpot] == apart


def test_g_41_one_person_uses_the_same_four_options_on_both_seats_and_no_fifth() -> None:
    names = ("ante-play", "prime", "pair-bonus", "all-six", "final-four")
    paytables = {"ante-play": ["PW/BB-1"], "prime": ["PRW-1"], "pair-bonus": ["PB-1", "PB/LD-1"], "all-six": ["A6-1"]}
    paytables["final-four"] = ["F4P-1"]

    def record(first: Any, second: Any, **person: Any) -> dict[str, Any]:
        hands = ("Td 8h 3c 2s", "Th 8d 3s 2c")
        seats = [
            {
                "seat": number,
                "cards": hand.split(),
                "wagers": dict.fromkeys(wagers, 100),
                "decisions": {"play": True},
                **person,
            }
            for number, hand, wagers in zip((1, 2), hands, (first, second), strict=True)
        ]
        meters = {"final-four": 1_000_000}
        board = ["Jd", "9h", "4c"]
        return {"game": "three-card-prime", "paytables": paytables, "meters": meters, "dealer": board, "seats": seats}

    assert "error" not in lines(record(names[:4], names[:4], person="Ann"))
    assert "error" not in lines(record(names[:4], ("ante-play", "final-four")))
    problem = problems(record(names[:4], ("ante-play", "final-four"), person="Ann"))
    assert "one person on seats 1 and 2 uses 5 options, but at most 4" in problem
    assert "G-41" in problem
    assert "must be a name" in problems(record(names[:4], names[:4], person=""))


VOIDS: dict[str, tuple[dict[str, Any], dict[str, int]]] = {
    "three-card-prime": ({"play": True}, {"ante-play": 1000}),
    "deuces-wild": ({"play": True}, {"ante-play-raise": 1000}),
    "super-three-card": ({"play": True}, {"ante-odds-play": 1000}),
    "four-card-prime": ({"raise": 3}, {"ante-raise": 1000}),
    "three-card-double-play": ({"high": ["Kc", "Kd", "4h"], "double": True}, {"high-low": 1000}),
}
STAKED = {
    "three-card-prime": 2000,
    "deuces-wild": 2000,
    "super-three-card": 3000,
    "four-card-prime": 4000,
    "three-card-double-play": 4000,
}
HELD = {
    "three-card-prime": "Td 8h 3c 2s",
    "deuces-wild": "Td 8h 3c 4s",
    "super-three-card": "Td 8h 3c",
    "four-card-prime": "Td 8h 3c 2s 9c",
    "three-card-double-play": "Tc 8d 4s Kc Kd 4h",
}


def void_record(game: str, **fields: Any) -> dict[str, Any]:
    decisions, wagers = VOIDS[game]
    described = next(known for known in all_games() if known.name == game)
    ids = {name: [slot.ids[0] for slot in described.by_name[name].slots if not slot.fixed] for name in wagers}
    seat = {"seat": 1, "wagers": wagers, "cards": HELD[game].split(), "decisions": decisions}
    record: dict[str, Any] = {"game": game, "paytables": ids, "void": "exposed-card", "seats": [seat]}
    return record | ({"decks": 6} if game == "super-three-card" else {}) | fields


@pytest.mark.parametrize("game", list(VOIDS))
def test_g_11_a_void_round_gives_every_chip_back(game: str) -> None:
    settled = lines(void_record(game))
    ((name, line),) = settled["seats"][0]["wagers"].items()
    assert settled["void"] == "exposed-card"
    assert (name, line["staked_cents"], line["paid_cents"], line["net_cents"], line["event"]) == (
        name,
        STAKED[game],
        STAKED[game],
        0,
        None,
    )
    assert line["because"][0]["ruling"] == "G-11"
    assert line["because"][0]["text"] == "Round void (exposed card): every wager is returned"


@pytest.mark.parametrize("game", list(VOIDS))
def test_g_11_a_round_void_before_a_card_is_dealt_needs_none(game: str) -> None:
    record = void_record(game)
    del record["seats"][0]["cards"], record["seats"][0]["decisions"]
    (line,) = lines(record)["seats"][0]["wagers"].values()
    assert line["staked_cents"] == line["paid_cents"] in (1000, 2000)


def test_g_11_a_fouled_deck_and_a_wrong_count_of_cards_are_no_problem_of_a_void_record() -> None:
    seats = [{"seat": number, "wagers": {"ante-play": 1000}, "cards": ["As", "As"]} for number in (1, 2)]
    settled = lines(void_record("three-card-prime", seats=seats, void="fouled-deck", dealer=["As"]))
    assert [seat["net_cents"] for seat in settled["seats"]] == [0, 0]
    assert "jackpots" not in settled


def test_g_11_a_void_record_is_checked_as_far_as_it_goes() -> None:
    assert "shuffler-malfunction, misdeal, exposed-card" in problems(void_record("three-card-prime", void="bad luck"))
    seat = {
        "seat": 1,
        "wagers": {"ante-raise": 500},
        "cards": ["Td", "8h", "3c", "2s", "9c"],
        "decisions": {"raise": 9},
    }
    assert "decisions.raise" in problems(void_record("four-card-prime", seats=[seat]))
    seat = {"seat": 1, "wagers": {"ante-raise": 500}, "decisions": {"luck": True}}
    assert "decisions.luck" in problems(void_record("four-card-prime", seats=[seat]))
