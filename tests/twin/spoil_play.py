"""Ways to spoil a round: decisions and money limits."""

from __future__ import annotations

from typing import TYPE_CHECKING

from .hands import THREE_CARDS, parse_card, strength
from .rounds import GAMES
from .spoil_base import Record, any_seat, jackpots_of, unused_card, way

if TYPE_CHECKING:
    from random import Random

# --- decisions


@way
def decision_missing(rng: Random, record: Record) -> bool:
    decisions = any_seat(rng, record)["decisions"]
    if not decisions:
        return False
    del decisions[rng.choice(sorted(decisions))]
    return True


@way
def decisions_missing(rng: Random, record: Record) -> bool:
    seat = any_seat(rng, record)
    if not seat["decisions"]:
        return False
    del seat["decisions"]
    return True


@way
def decisions_no_object(rng: Random, record: Record) -> bool:
    any_seat(rng, record)["decisions"] = rng.choice([True, [], "play", None])
    return True


@way
def decision_superfluous(rng: Random, record: Record) -> bool:
    game = record["game"]
    own = {
        "deuces-wild": ("play", "raise", "fortune"),
        "four-card-prime": ("raise",),
        "three-card-double-play": ("high", "double"),
    }
    names = [n for n in ("play", "raise", "fortune", "high", "double", "fold") if n not in own.get(game, ("play",))]
    any_seat(rng, record)["decisions"][rng.choice(names)] = False
    return True


@way
def decision_of_the_wrong_type(rng: Random, record: Record) -> bool:
    decisions = any_seat(rng, record)["decisions"]
    if not decisions:
        return False
    name = rng.choice(sorted(decisions))
    if record["game"] == "four-card-prime":
        decisions[name] = rng.choice([True, False, "1", 1.0, None, 4, -1])
    elif name in ("high", "fortune"):
        decisions[name] = rng.choice([True, "".join(decisions[name]), [], None, [None], [["As"]]])
    else:
        decisions[name] = rng.choice([1, 0, "true", None, "yes"])
    return True


@way
def play_or_raise_without_an_ante(rng: Random, record: Record) -> bool:
    for seat in record["seats"]:
        if record["game"] == "deuces-wild" and "ante-play-raise" not in seat["wagers"]:
            seat["decisions"][rng.choice(["play", "raise"])] = rng.choice([True, False])
            return True
    return False


@way
def raise_after_a_fold(_: Random, record: Record) -> bool:
    for seat in record["seats"]:
        if record["game"] == "deuces-wild" and seat["decisions"].get("play") is False:
            seat["decisions"]["raise"] = True
            return True
    return False


@way
def fortune_where_the_player_selects_nothing(_: Random, record: Record) -> bool:
    for seat in record["seats"]:
        if record["game"] == "deuces-wild" and "fortune" not in seat["decisions"]:
            seat["decisions"]["fortune"] = [seat["cards"][0]]
            return True
    return False


def fortune_seats(record: Record) -> list[Record]:
    return [seat for seat in record["seats"] if "fortune" in seat["decisions"]]


@way
def fortune_card_not_held_at_that_moment(rng: Random, record: Record) -> bool:
    for seat in fortune_seats(record):
        held = 4 if seat["decisions"].get("play") else 3
        later = [*seat["cards"][held:], unused_card(rng, record), record["community"][0]]
        seat["decisions"]["fortune"] = [rng.choice(later)]
        return True
    return False


@way
def fortune_two_cards_not_both_wild(_: Random, record: Record) -> bool:
    for seat in fortune_seats(record):
        held = seat["cards"][: 4 if seat["decisions"].get("play") else 3]
        natural = [card for card in held if card[0] not in "2*"]
        if natural:
            seat["decisions"]["fortune"] = [natural[0], next(card for card in held if card != natural[0])]
            return True
    return False


@way
def fortune_card_twice(_: Random, record: Record) -> bool:
    for seat in fortune_seats(record):
        wild = [card for card in seat["decisions"]["fortune"] if card[0] in "2*"]
        if wild:
            seat["decisions"]["fortune"] = [wild[0], wild[0]]
            return True
    return False


@way
def high_hand_of_other_cards(rng: Random, record: Record) -> bool:
    if record["game"] != "three-card-double-play":
        return False
    high = any_seat(rng, record)["decisions"]["high"]
    high[rng.randrange(3)] = rng.choice([*record["dealer"], unused_card(rng, record)])
    return True


@way
def high_hand_of_the_wrong_size(rng: Random, record: Record) -> bool:
    if record["game"] != "three-card-double-play":
        return False
    seat = any_seat(rng, record)
    high = seat["decisions"]["high"]
    seat["decisions"]["high"] = rng.choice([high[:2], seat["cards"], [high[0], high[0], high[1]]])
    return True


@way
def low_hand_above_the_high_hand(_: Random, record: Record) -> bool:
    if record["game"] != "three-card-double-play":
        return False
    for seat in record["seats"]:
        high = [parse_card(card) for card in seat["decisions"]["high"]]
        low = [card for card in seat["cards"] if card not in seat["decisions"]["high"]]
        if strength(high, THREE_CARDS) > strength([parse_card(card) for card in low], THREE_CARDS):
            seat["decisions"]["high"] = low
            return True
    return False


# --- money


@way
def date_wrong(rng: Random, record: Record) -> bool:
    record["on"] = rng.choice(["2023-02-29", "19.8.2023", "20230819", "", 20230819, None, True])
    record.setdefault("profile", "wa-commercial")
    return True


@way
def profile_unknown(rng: Random, record: Record) -> bool:
    record["profile"] = rng.choice(["commercial", "nv", "", True, None, []])
    record.setdefault("on", "2022-01-01")
    return True


def commercial(rng: Random, record: Record) -> int:
    record["profile"] = "wa-commercial"
    record["on"], most = rng.choice([("2021-06-01", 30_000), ("2023-08-19", 30_000), ("2023-08-20", 40_000)])
    return most


@way
def stake_above_the_maximum(rng: Random, record: Record) -> bool:
    most = commercial(rng, record)
    wagers = any_seat(rng, record)["wagers"]
    names = [wager for wager in wagers if wager not in jackpots_of(record)]
    if not names:
        return False
    wagers[rng.choice(names)] = most + rng.choice([1, 100, 100_000])
    return True


@way
def base_times_its_largest_multiple_above_the_maximum(rng: Random, record: Record) -> bool:
    spec = GAMES[record["game"]]
    most = commercial(rng, record)
    wagers = any_seat(rng, record)["wagers"]
    if spec.base_multiple == 1 or spec.base not in wagers:
        return False
    wagers[spec.base] = most // spec.base_multiple + 1
    return True


@way
def four_wagers_all_above_five_dollars(rng: Random, record: Record) -> bool:
    commercial(rng, record)
    for seat in record["seats"]:
        if len(seat["wagers"]) == 4 and not any(wager in jackpots_of(record) for wager in seat["wagers"]):
            for wager in seat["wagers"]:
                seat["wagers"][wager] = rng.choice([501, 600, 10_000])
            return True
    return False
