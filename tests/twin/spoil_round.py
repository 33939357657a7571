"""Ways to spoil a round: names and structure, cards, wagers, meters."""

from __future__ import annotations

import copy
from typing import TYPE_CHECKING, Any

from .rounds import GAMES, READINGS, seats_most
from .spoil_base import Record, any_seat, card_lists, jackpots_of, unused_card, way
from .tables import transcription

if TYPE_CHECKING:
    from random import Random

# --- names and structure


@way
def unknown_game(rng: Random, record: Record) -> bool:
    record["game"] = rng.choice(["Three-Card-Prime", "three card prime", "", None, 3, "pai-gow"])
    return True


@way
def game_missing(_: Random, record: Record) -> bool:
    del record["game"]
    return True


@way
def unknown_field(rng: Random, record: Record) -> bool:
    record[rng.choice(["paytable", "jackpots", "Dealer", "meter"])] = {}
    return True


@way
def unknown_seat_field(rng: Random, record: Record) -> bool:
    any_seat(rng, record)["wager"] = {}
    return True


@way
def no_seats(rng: Random, record: Record) -> bool:
    record["seats"] = rng.choice([[], {}, None])
    return True


@way
def seats_missing(_: Random, record: Record) -> bool:
    del record["seats"]
    return True


@way
def too_many_seats(rng: Random, record: Record) -> bool:
    """One seat more than the game has, all with cards of their own."""
    model = record["seats"][0]
    if (
        record["game"] == "three-card-double-play"
        or seats_most(record, record["game"]) > GAMES[record["game"]].seats_max
    ):
        return False  # the deck has no cards for an eighth seat, nor for more than a tribal room may have
    if record["game"] == "deuces-wild" and "five-card-fortune" in model["wagers"]:
        return False
    number = 0
    while len(record["seats"]) <= seats_most(record, record["game"]):
        number += 1
        if number in [seat["seat"] for seat in record["seats"]]:
            continue
        seat = copy.deepcopy(model) | {"seat": number, "cards": []}
        record["seats"].append(seat)
        seat["cards"] = [unused_card(rng, record)]
        while len(seat["cards"]) < len(model["cards"]):
            seat["cards"].append(unused_card(rng, record))
    return True


@way
def seat_twice(_: Random, record: Record) -> bool:
    if len(record["seats"]) < 2:
        return False
    record["seats"][1]["seat"] = record["seats"][0]["seat"]
    return True


@way
def seat_number_wrong(rng: Random, record: Record) -> bool:
    any_seat(rng, record)["seat"] = rng.choice([0, -1, True, "1", 1.0, None, [1]])
    return True


@way
def seat_number_beyond_the_layout(rng: Random, record: Record) -> bool:
    any_seat(rng, record)["seat"] = seats_most(record, record["game"]) + rng.randint(1, 9)
    return True


@way
def seat_number_missing(rng: Random, record: Record) -> bool:
    del any_seat(rng, record)["seat"]
    return True


@way
def seat_is_no_object(rng: Random, record: Record) -> bool:
    record["seats"][0] = rng.choice([1, "1", None, []])
    return True


@way
def decks_wrong(rng: Random, record: Record) -> bool:
    if record["game"] == "super-three-card":
        record["decks"] = rng.choice([1, 4, 7, 0, "6", 6.0, True, None])
    else:
        record["decks"] = rng.choice([1, 6, 8])
    return True


@way
def decks_missing(_: Random, record: Record) -> bool:
    return record.pop("decks", None) is not None


@way
def unknown_switch(rng: Random, record: Record) -> bool:
    others = [switch for game, switches in READINGS.items() if game != record["game"] for switch in switches]
    record.setdefault("readings", {})[rng.choice([*others, "no_such_switch"])] = rng.choice(["pay", "best", "wagered"])
    return True


@way
def unknown_reading(rng: Random, record: Record) -> bool:
    switches = READINGS[record["game"]]
    if not switches:
        return False
    record.setdefault("readings", {})[rng.choice(sorted(switches))] = rng.choice(["default", "", True, None, 1])
    return True


@way
def readings_no_object(rng: Random, record: Record) -> bool:
    record["readings"] = rng.choice([[], "pay", None])
    return True


@way
def jackpot_type_wrong(rng: Random, record: Record) -> bool:
    record["jackpot_type"] = rng.choice(["Bonus", "house", "", True, None])
    return True


@way
def bonus_sharing_wrong(rng: Random, record: Record) -> bool:
    record["bonus_sharing"] = rng.choice(["shared", "Full", "", False, None])
    return True


# --- cards


@way
def card_twice(rng: Random, record: Record) -> bool:
    if record["game"] == "super-three-card":
        card = record["dealer"][0]
        lists = [(cards, place) for cards in card_lists(record) for place in range(len(cards))]
        if len(lists) <= record["decks"]:
            return False
        for cards, place in rng.sample(lists, len(lists)):
            cards[place] = card
        return True
    first, second = rng.sample(range(len(card_lists(record))), 2)
    source, target = card_lists(record)[first], card_lists(record)[second]
    target[rng.randrange(len(target))] = rng.choice(source)
    return True


@way
def card_too_many(rng: Random, record: Record) -> bool:
    rng.choice(card_lists(record)).append(unused_card(rng, record))
    return True


@way
def card_too_few(rng: Random, record: Record) -> bool:
    rng.choice(card_lists(record)).pop()
    return True


@way
def not_a_card(rng: Random, record: Record) -> bool:
    cards = rng.choice(card_lists(record))
    wrong: list[Any] = ["1s", "10s", "as", "AS", "", "A", "Asx", None, 5, ["As"], "A♠", "sA"]
    cards[rng.randrange(len(cards))] = rng.choice(wrong)
    return True


@way
def joker_where_there_is_none(rng: Random, record: Record) -> bool:
    if record["game"] == "deuces-wild":
        return False
    cards = rng.choice(card_lists(record))
    cards[rng.randrange(len(cards))] = "*"
    return True


@way
def cards_missing(rng: Random, record: Record) -> bool:
    del any_seat(rng, record)["cards"]
    return True


@way
def cards_as_text(rng: Random, record: Record) -> bool:
    seat = any_seat(rng, record)
    seat["cards"] = " ".join(seat["cards"])
    return True


@way
def dealer_or_community_missing(_: Random, record: Record) -> bool:
    del record["community" if record["game"] == "deuces-wild" else "dealer"]
    return True


@way
def dealer_or_community_superfluous(rng: Random, record: Record) -> bool:
    field = "dealer" if record["game"] == "deuces-wild" else "community"
    record[field] = [unused_card(rng, record) for _ in range(4)]
    return True


# --- wagers


@way
def unknown_wager(rng: Random, record: Record) -> bool:
    any_seat(rng, record)["wagers"][rng.choice(["insurance", "Prime", "ante", "", "lucky-ladies"])] = 100
    return True


@way
def wager_of_another_game(rng: Random, record: Record) -> bool:
    own = GAMES[record["game"]].wagers
    others = [wager for spec in GAMES.values() for wager in spec.wagers if wager not in own]
    any_seat(rng, record)["wagers"][rng.choice(others)] = 100
    return True


@way
def stake_wrong(rng: Random, record: Record) -> bool:
    wagers = any_seat(rng, record)["wagers"]
    wagers[rng.choice(sorted(wagers))] = rng.choice([0, -500, 500.0, 2.5, "500", True, False, None, [500]])
    return True


@way
def no_wagers(rng: Random, record: Record) -> bool:
    any_seat(rng, record)["wagers"] = rng.choice([{}, None, []])
    return True


@way
def wagers_missing(rng: Random, record: Record) -> bool:
    del any_seat(rng, record)["wagers"]
    return True


@way
def base_wager_missing(rng: Random, record: Record) -> bool:
    spec = GAMES[record["game"]]
    seat = any_seat(rng, record)
    if not spec.base_required or len(seat["wagers"]) < 2:
        return False
    del seat["wagers"][spec.base]
    return True


@way
def five_options(rng: Random, record: Record) -> bool:
    """All five wagers of the layout at one seat, each with its pay table."""
    spec = GAMES[record["game"]]
    offered = [wager for wager in spec.wagers if wager in record["paytables"]]
    if len(offered) < 5:
        return False
    wagers = any_seat(rng, record)["wagers"]
    for wager in offered:
        wagers.setdefault(wager, 100)
    return True


@way
def two_jackpots_where_one_is_allowed(_: Random, record: Record) -> bool:
    if record["game"] != "three-card-prime":
        return False
    record["paytables"] |= {"final-four": ["F4P-1"], "all-seven": ["A7P-1"]}
    record["meters"] = {"final-four": 100_000, "all-seven": 100_000}
    first, last = record["seats"][0]["wagers"], record["seats"][-1]["wagers"]
    if len(set(first) | {"final-four", "all-seven"}) > 4:
        return False
    first["final-four"] = 100
    last["all-seven"] = 100
    return True


@way
def jackpot_wager_of_another_amount(rng: Random, record: Record) -> bool:
    for seat in rng.sample(record["seats"], len(record["seats"])):
        for wager in jackpots_of(record):
            if wager in seat["wagers"]:
                seat["wagers"][wager] += rng.choice([-1, 1, 100])
                return True
    return False


@way
def jackpot_amount_not_one_dollar(rng: Random, record: Record) -> bool:
    if GAMES[record["game"]].other_jackpot_amounts:
        return False
    amount = rng.choice([200, 500, 50])
    record["jackpot_wager_cents"] = amount if rng.random() < 0.5 else {jackpots_of(record)[0]: amount}
    for seat in record["seats"]:
        for wager in jackpots_of(record):
            if wager in seat["wagers"]:
                seat["wagers"][wager] = amount
    return True


@way
def jackpot_amount_wrong(rng: Random, record: Record) -> bool:
    wrong = rng.choice([0, -100, True, "100", 100.0, None, [100]])
    record["jackpot_wager_cents"] = wrong if rng.random() < 0.5 else {jackpots_of(record)[0]: wrong}
    return True


@way
def jackpot_amount_of_no_jackpot(rng: Random, record: Record) -> bool:
    record["jackpot_wager_cents"] = {rng.choice([GAMES[record["game"]].base, "no-such-wager"]): 100}
    return True


# --- meters


@way
def meter_missing(_: Random, record: Record) -> bool:
    """Of a jackpot somebody wagered on, with a printed percentage row."""
    for wager, entries in record["paytables"].items():
        if wager in jackpots_of(record) and any(wager in seat["wagers"] for seat in record["seats"]):
            for entry in entries:
                if isinstance(entry, str) and any(
                    row["printed"].endswith("%") for row in transcription()[entry]["rows"]
                ):
                    return record.get("meters", {}).pop(wager, None) is not None
    return False


@way
def meter_wrong(rng: Random, record: Record) -> bool:
    record.setdefault("meters", {})[jackpots_of(record)[0]] = rng.choice([-1, 1000.0, "1000", True, None, {}])
    return True


@way
def meter_of_no_jackpot(rng: Random, record: Record) -> bool:
    record.setdefault("meters", {})[rng.choice([GAMES[record["game"]].base, "no-such-wager"])] = 1000
    return True


@way
def meters_no_object(rng: Random, record: Record) -> bool:
    record["meters"] = rng.choice([1000, [], None])
    return True
