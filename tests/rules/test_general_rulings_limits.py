"""The general rulings on who may wager what: G-12 to G-14, G-16 and G-19."""

from __future__ import annotations

from typing import Any

import pytest

from pitboss.games import find_game
from tests.support import problems, record, seat, settled

Record = dict[str, Any]

TABLES: dict[str, dict[str, list[str]]] = {
    "three-card-prime": {
        "ante-play": ["PW/BB-1"],
        "prime": ["PRW-1"],
        "pair-bonus": ["PB-1", "PB/LD-1"],
        "all-six": ["A6-1"],
        "final-four": ["F4P-1"],
        "all-seven": ["A7P-1"],
    },
    "deuces-wild": {
        "ante-play-raise": ["APR-A"],
        "three-card-treasure": ["TCT-A"],
        "five-card-fortune": ["FCF-A"],
        "bonus-jackpot": ["BJ-A"],
    },
    "super-three-card": {
        "ante-odds-play": ["PT-FLT-STC-01"],
        "big-hand-bonus": ["PT-FLT-STC-BH-01"],
        "twenty-one-plus-three": ["PT-BJS-213-01"],
        "twenty-one-plus-three-b": ["PT-BJS-213-02"],
    },
    "four-card-prime": {
        "ante-raise": ["Win-1", "BB-1"],
        "aces-baby": ["AB-1"],
        "prime": ["Prime-1"],
        "five-card-jackpot": ["PJ-1"],
        "four-card-jackpot": ["FCJ-1"],
    },
    "three-card-double-play": {
        "high-low": ["LWB-1"],
        "pick-3": ["P3-1"],
        "pick-5": ["P5-1"],
        "super-3s": ["S3J-1"],
        "super-six": ["S6J-1"],
    },
}
JACKPOTS = {
    "three-card-prime": ["final-four", "all-seven"],
    "deuces-wild": ["bonus-jackpot"],
    "super-three-card": ["twenty-one-plus-three", "twenty-one-plus-three-b"],
    "four-card-prime": ["five-card-jackpot", "four-card-jackpot"],
    "three-card-double-play": ["super-3s", "super-six"],
}
BASES = {game: next(iter(tables)) for game, tables in TABLES.items()}
BOARDS = {
    "three-card-prime": "Qd 7c 2h",
    "deuces-wild": "Qd 7c 3h 5s",
    "super-three-card": "Qd 7c 2h",
    "four-card-prime": "Qd 7c 2h 3s 4s 5d",
    "three-card-double-play": "Qd 7c 2h 3s 4s",
}
HANDS = ["As Kd 9h 4c 8s 6d", "Ah Kc 9s 4d 8h 6c"]
SEATED: dict[str, tuple[int, Record]] = {
    "three-card-prime": (4, {"play": False}),
    "super-three-card": (2, {"play": False}),
    "four-card-prime": (5, {"raise_": 0}),
}


def seated(game: str, number: int, wagers: dict[str, int], hand: str = HANDS[0]) -> Record:
    """A seat that folds where it can, with the cards and decisions these wagers need."""
    cards = hand.split()
    if game == "three-card-double-play":
        return seat(number, hand, wagers, high=cards[:3], double=False)
    if game == "deuces-wild":
        decisions: Record = {"play": False} if "ante-play-raise" in wagers else {}
        decisions |= {"fortune": cards[:1]} if "five-card-fortune" in wagers else {}
        return seat(number, " ".join(cards[: 5 if "bonus-jackpot" in wagers else 3]), wagers, **decisions)
    count, decisions = SEATED[game]
    return seat(number, " ".join(cards[:count]), wagers, **decisions)


def round_of(game: str, *seats: Record, **fields: Any) -> Record:
    decks = {"decks": 6} if game == "super-three-card" else {}
    meters = dict.fromkeys(JACKPOTS[game], 100_000)
    return record(game, BOARDS[game], *seats, paytables=TABLES[game], meters=meters, **decks, **fields)


def wagering(game: str, wagers: dict[str, int], **fields: Any) -> Record:
    return round_of(game, seated(game, 1, wagers), **fields)


def commercial(game: str, wagers: dict[str, int], on: str = "2024-01-31") -> Record:
    return wagering(game, wagers, on=on, profile="wa-commercial")


def rulings_against(round_record: Record) -> list[str | None]:
    """The rulings a round is refused by; none if it is settled."""
    return [problem.ruling for problem in problems(round_record)]


def is_settled(round_record: Record) -> bool:
    return len(round_record["seats"]) == len(settled(round_record).settlement.lines)


def stakes(game: str, *names: str, cents: int = 500) -> dict[str, int]:
    return {name: 100 if name in JACKPOTS[game] else cents for name in names}


# G-12


FIVE_OPTIONS = {
    "three-card-prime": ("ante-play", "prime", "pair-bonus", "all-six", "final-four"),
    "four-card-prime": ("ante-raise", "aces-baby", "prime", "five-card-jackpot", "four-card-jackpot"),
    "three-card-double-play": ("high-low", "pick-3", "pick-5", "super-3s", "super-six"),
}
ROOMS: list[Record] = [
    {},
    {"on": "2024-01-31", "profile": "wa-commercial"},
    {"on": "2024-01-31", "profile": "wa-tribal"},
]


@pytest.mark.parametrize("game", FIVE_OPTIONS)
@pytest.mark.parametrize("room", ROOMS)
def test_g_12_at_most_four_of_the_options_in_every_kind_of_room(game: str, room: Record) -> None:
    five = stakes(game, *FIVE_OPTIONS[game])

    assert ["G-12"] == rulings_against(wagering(game, five, **room))


@pytest.mark.parametrize("game", FIVE_OPTIONS)
@pytest.mark.parametrize("left_out", [1, 2, 3, 4])
@pytest.mark.parametrize("room", ROOMS)
def test_g_12_any_four_of_the_options_may_be_used(game: str, left_out: int, room: Record) -> None:
    four = [name for place, name in enumerate(FIVE_OPTIONS[game]) if place != left_out]

    assert is_settled(wagering(game, stakes(game, *four), **room))


def test_g_12_wagers_forced_on_one_hand_count_as_one_option() -> None:
    """Ante, Play and Raise with three more; High and Low and their doubles with three more."""
    wagers = stakes("deuces-wild", *TABLES["deuces-wild"])
    raised = seat(1, "As Kd 9h 4c 8s", wagers, play=True, raise_=True, fortune=["As"])
    assert is_settled(round_of("deuces-wild", raised))

    wagers = stakes("three-card-double-play", "high-low", "pick-3", "pick-5", "super-3s")
    doubled = seat(1, HANDS[0], wagers, high=["As", "Kd", "9h"], double=True)
    assert is_settled(round_of("three-card-double-play", doubled))


@pytest.mark.parametrize(
    ("smallest", "room", "expected"),
    [
        (500, ROOMS[1], []),
        (499, ROOMS[1], []),
        (501, ROOMS[1], ["G-12"]),
        (501, ROOMS[2], []),
        (501, ROOMS[0], []),
    ],
)
def test_g_12_of_four_wagers_one_is_five_dollars_or_less_in_commercial_rooms(
    smallest: int, room: Record, expected: list[str]
) -> None:
    wagers = {"ante-play": 1000, "prime": 2000, "pair-bonus": 1000, "all-six": smallest}
    round_record = wagering("three-card-prime", wagers, **room)
    if expected:
        assert expected == rulings_against(round_record)
    else:
        assert is_settled(round_record)


def test_g_12_three_wagers_may_all_be_above_five_dollars() -> None:
    assert is_settled(commercial("three-card-prime", {"ante-play": 1000, "prime": 1000, "all-six": 1000}))


def test_g_12_a_one_dollar_jackpot_wager_is_the_one_of_five_dollars_or_less() -> None:
    wagers = {"ante-play": 1000, "prime": 1000, "all-six": 1000, "final-four": 100}

    assert is_settled(commercial("three-card-prime", wagers))


# G-13


def test_g_13_three_card_prime_has_one_jackpot_at_a_time() -> None:
    both = stakes("three-card-prime", "ante-play", "final-four", "all-seven")

    assert ["G-13"] == rulings_against(wagering("three-card-prime", both))


def test_g_13_nor_may_two_seats_play_different_jackpots() -> None:
    game = "three-card-prime"
    one = seated(game, 1, stakes(game, "ante-play", "final-four"), HANDS[0])
    two = seated(game, 2, stakes(game, "ante-play", "all-seven"), HANDS[1])

    assert ["G-13"] == rulings_against(round_of(game, one, two))


@pytest.mark.parametrize("game", ["super-three-card", "four-card-prime", "three-card-double-play"])
def test_g_13_two_jackpots_on_one_layout_in_the_games_of_the_2021_letter(game: str) -> None:
    assert is_settled(wagering(game, stakes(game, BASES[game], *JACKPOTS[game])))


def test_g_13_super_three_cards_two_jackpots_have_each_their_table_meter_and_amount() -> None:
    wagers = {"ante-odds-play": 1000, "twenty-one-plus-three": 100, "twenty-one-plus-three-b": 500}
    one = seat(1, "As As", wagers, play=False)
    round_record = round_of("super-three-card", one, jackpot_wager_cents={"twenty-one-plus-three-b": 500})
    round_record["dealer"] = ["As", "7c", "2h"]
    round_record["meters"] = {"twenty-one-plus-three": 123_456, "twenty-one-plus-three-b": 654_321}
    lines = settled(round_record).settlement.lines[1]

    assert (123_456, "PT-BJS-213-01") == (
        lines["twenty-one-plus-three"].paid_cents,
        lines["twenty-one-plus-three"].paytable,
    )
    assert (654_321, "PT-BJS-213-02") == (
        lines["twenty-one-plus-three-b"].paid_cents,
        lines["twenty-one-plus-three-b"].paytable,
    )


ANDROMEDA_3 = ("andromeda-3", "andromeda-3c", "andromeda-3d")


@pytest.mark.parametrize(
    ("game", "expected"),
    [
        ("three-card-prime", ["milky-way", "andromeda-1", *ANDROMEDA_3, "andromeda-5a"]),
        ("deuces-wild", ["milky-way", "andromeda-1", *ANDROMEDA_3, "andromeda-5a"]),
        ("four-card-prime", ["milky-way", *ANDROMEDA_3, "andromeda-5a"]),
        ("three-card-double-play", ["milky-way", "andromeda-1", "andromeda-3c", "andromeda-3d", "andromeda-5a"]),
    ],
)
def test_g_13_equipment(game: str, expected: list[str]) -> None:
    assert expected == list(find_game(game).approval.equipment)


# G-14


LIMITS = [
    ("three-card-prime", "2015-09-25", 30_000),
    ("three-card-prime", "2023-08-19", 30_000),
    ("three-card-prime", "2023-08-20", 40_000),
    ("deuces-wild", "2023-08-19", 15_000),
    ("deuces-wild", "2023-08-20", 20_000),
    ("super-three-card", "2023-08-19", 30_000),
    ("super-three-card", "2023-08-20", 40_000),
    ("four-card-prime", "2023-08-19", 10_000),
    ("four-card-prime", "2023-08-20", 13_333),
    ("three-card-double-play", "2023-08-19", 30_000),
    ("three-card-double-play", "2023-08-20", 40_000),
]


@pytest.mark.parametrize(("game", "on", "most"), LIMITS)
def test_g_14_the_base_wager_times_its_largest_multiple_is_limited_by_date(game: str, on: str, most: int) -> None:
    """Deuces Wild raises twice the Ante, Four Card Prime up to three times; exactly at the limit, and a cent over."""
    assert is_settled(commercial(game, {BASES[game]: most}, on))

    (problem,) = problems(commercial(game, {BASES[game]: most + 1}, on))
    assert ("G-14", f"seat 1 wagers.{BASES[game]}") == (problem.ruling, problem.path)
    assert "WAC 230-15-140" in str(problem.clause)


@pytest.mark.parametrize(
    ("game", "wager"),
    [
        ("three-card-prime", "prime"),
        ("three-card-prime", "all-six"),
        ("deuces-wild", "three-card-treasure"),
        ("deuces-wild", "five-card-fortune"),
        ("super-three-card", "big-hand-bonus"),
        ("four-card-prime", "aces-baby"),
        ("three-card-double-play", "pick-5"),
    ],
)
@pytest.mark.parametrize(("on", "most"), [("2023-08-19", 30_000), ("2023-08-20", 40_000)])
def test_g_14_a_bonus_wager_is_limited_at_its_own_amount(game: str, wager: str, on: str, most: int) -> None:
    assert is_settled(commercial(game, {BASES[game]: 500, wager: most}, on))
    assert ["G-14"] == rulings_against(commercial(game, {BASES[game]: 500, wager: most + 1}, on))


@pytest.mark.parametrize("room", [ROOMS[0], ROOMS[2]])
@pytest.mark.parametrize("game", TABLES)
def test_g_14_tribal_rooms_and_rounds_without_a_date_are_not_bound(game: str, room: Record) -> None:
    assert is_settled(wagering(game, {BASES[game]: 1_000_000}, **room))


def test_g_14_every_wager_over_the_limit_is_named() -> None:
    found = problems(commercial("three-card-prime", {"ante-play": 50_000, "prime": 50_000, "all-six": 500}))

    assert ["seat 1 wagers.ante-play", "seat 1 wagers.prime"] == [problem.path for problem in found]


def test_g_14_a_day_before_our_papers_is_refused() -> None:
    assert ["G-14"] == rulings_against(commercial("three-card-prime", {"ante-play": 500}, "1990-01-01"))


# G-16


@pytest.mark.parametrize(
    ("game", "most"),
    [
        ("three-card-prime", 7),
        ("deuces-wild", 6),
        ("super-three-card", 7),
        ("four-card-prime", 7),
        ("three-card-double-play", 7),
    ],
)
@pytest.mark.parametrize("room", ROOMS[:2])
def test_g_16_the_most_seats_are_seven_and_six_on_the_layout_of_deuces_wild(game: str, most: int, room: Record) -> None:
    wagers = stakes(game, BASES[game])
    # The seven players are of the WAC, which does not bind tribal rooms: there the layout and the deck are left.
    beyond = (
        {"three-card-prime": 13, "super-three-card": 104, "four-card-prime": 10} if "wa-tribal" in room.values() else {}
    )

    assert is_settled(round_of(game, seated(game, most, wagers), **room))
    assert ["G-16"] == rulings_against(round_of(game, seated(game, beyond.get(game, most + 1), wagers), **room))
    assert ["G-16"] == rulings_against(round_of(game, seated(game, 0, wagers), **room))


def test_g_16_section_c_tribal_rooms_are_not_bound_by_seven_players() -> None:
    wagers = stakes("three-card-prime", BASES["three-card-prime"])
    eighth, day = seated("three-card-prime", 8, wagers), "2024-01-15"
    assert is_settled(round_of("three-card-prime", eighth, on=day, profile="wa-tribal"))
    assert ["G-16"] == rulings_against(round_of("three-card-prime", eighth, on=day, profile="wa-commercial"))


@pytest.mark.parametrize(
    ("game", "most"),
    [("three-card-prime", 12), ("deuces-wild", 6), ("super-three-card", 16), ("four-card-prime", 9)],
)
def test_g_16_a_tribal_room_is_not_bound_by_the_wacs_seven_players(game: str, most: int) -> None:
    wagers = stakes(game, BASES[game])

    assert is_settled(round_of(game, seated(game, most, wagers), **ROOMS[2]))
    assert ["G-16"] == rulings_against(round_of(game, seated(game, most + 1, wagers), **ROOMS[2]))


@pytest.mark.parametrize(
    ("game", "seats"),
    [("three-card-prime", 12), ("deuces-wild", 6), ("four-card-prime", 9), ("three-card-double-play", 7)],
)
def test_g_16_what_layout_and_deck_allow(game: str, seats: int) -> None:
    """Twelve hands of four beside the dealer's four; Deuces Wild's deck would serve nine, its layout has six."""
    assert seats == find_game(game).seats_max


def test_g_16_a_full_table_of_three_card_double_play_takes_the_whole_deck_but_five() -> None:
    deck = [rank + suit for rank in "AKQJT98765432" for suit in "shdc"]
    seats = []
    for number in range(1, 8):
        hand = deck[6 * (number - 1) : 6 * number]
        # Six cards in order of rank are three and a pair with one more: the three of a kind is the High Hand.
        high = hand[:3] if number % 2 else hand[3:]
        seats.append(seat(number, " ".join(hand), {"high-low": 500}, high=high, double=False))
    round_record = record("three-card-double-play", " ".join(deck[42:47]), *seats, paytables={"high-low": ["LWB-1"]})

    assert is_settled(round_record)


# G-19


@pytest.mark.parametrize("game", [game for game in TABLES if game != "deuces-wild"])
def test_g_19_the_base_wager_is_required_for_every_other_wager(game: str) -> None:
    for wager in TABLES[game]:
        if wager != BASES[game]:
            assert ["G-19"] == rulings_against(wagering(game, stakes(game, wager))), wager


@pytest.mark.parametrize("wager", TABLES["deuces-wild"])
def test_g_19_in_deuces_wild_any_of_the_four_may_stand_alone(wager: str) -> None:
    assert is_settled(wagering("deuces-wild", stakes("deuces-wild", wager)))


@pytest.mark.parametrize("game", TABLES)
def test_g_19_a_seat_without_any_wager_is_no_seat_in_the_round(game: str) -> None:
    paths = [problem.path for problem in problems(wagering(game, {}))]

    assert "seat 1 wagers" in paths
