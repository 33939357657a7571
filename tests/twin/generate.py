"""Random legal rounds (`random_round`), and legal rounds made illegal in one named way (`spoil`)."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from .amounts import random_entry
from .arrange import deal
from .games_side import selections
from .hands import THREE_CARDS, Card, card_text, strength
from .rounds import GAMES, READINGS, SLOTS, GameSpec
from .spoil import SPOILS, spoil
from .tables import table_in_force

if TYPE_CHECKING:
    from random import Random

__all__ = ["SPOILS", "random_round", "spoil"]

FIRST_DATE = {
    "three-card-prime": "2015-09-25",
    "deuces-wild": "2012-11-29",
    "super-three-card": "2021-01-28",
    "four-card-prime": "2015-04-23",
    "three-card-double-play": "2015-04-23",
}
DATES = ("2013-05-01", "2016-02-29", "2020-12-31", "2021-01-28", "2022-07-04", "2023-08-19", "2023-08-20", "2026-01-15")
JACKPOT_AMOUNTS = (50, 100, 137, 200, 250, 500, 1000)


def random_round(rng: Random, game: str | None = None) -> dict[str, Any]:
    """A legal round record of the game, or of any game."""
    game = game or rng.choice(sorted(GAMES))
    spec = GAMES[game]
    record: dict[str, Any] = {"game": game}
    if game == "super-three-card":
        record["decks"] = rng.choice([6, 8])
    offered = random_offer(rng, spec)
    jackpot_type = rng.choice(["progressive", "bonus"])
    if jackpot_type == "bonus" or rng.random() < 0.3:
        record["jackpot_type"] = jackpot_type
    record["paytables"] = {
        wager: [random_entry(rng, game, slot, jackpot_type) for slot in SLOTS[game, wager]] for wager in offered
    }
    readings = random_readings(rng, game, record["paytables"])
    if readings or rng.random() < 0.1:
        record["readings"] = readings
    if rng.random() < 0.5:
        record["bonus_sharing"] = rng.choice(["full", "split"])
    amounts = random_jackpot_amounts(rng, record, spec, offered)
    if rng.random() < 0.4:
        earliest = max(FIRST_DATE[game], "2021-01-28" if sum(w in offered for w in spec.jackpots) > 1 else "")
        record["on"] = rng.choice([date for date in DATES if date >= earliest])
        record["profile"] = rng.choice(["wa-commercial", "wa-commercial", "wa-tribal"])
    add_meters(rng, record, spec, jackpot_type)
    seats = rng.choice([1, 1, 2, 3, rng.randint(1, spec.seats_max), spec.seats_max])
    numbers = sorted(rng.sample(range(1, spec.seats_max + 1), seats))
    everyone_folds = rng.random() < 0.06
    fever = rng.random() < 0.4
    wagers = [random_wagers(rng, record, spec, offered, amounts, fever) for _ in numbers]
    decisions = [random_decisions(rng, game, stakes, everyone_folds) for stakes in wagers]
    add_cards(rng, record, numbers, wagers, decisions)
    return record


def random_offer(rng: Random, spec: GameSpec) -> list[str]:
    """The wagers on the layout; the base is left out only where it may be, and two jackpots only where they may stand."""
    jackpots = list(spec.jackpots)
    if not spec.two_jackpots:
        jackpots = [rng.choice(jackpots)]
    elif spec.jackpots[1].endswith("-b") and rng.random() < 0.5:
        jackpots = jackpots[:1]
    elif rng.random() < 0.3:
        jackpots = [rng.choice(jackpots)] if not spec.jackpots[1].endswith("-b") else jackpots
    extras = [wager for wager in (*spec.sides, *jackpots) if rng.random() < 0.9]
    if "twenty-one-plus-three-b" in extras and "twenty-one-plus-three" not in extras:
        extras.remove("twenty-one-plus-three-b")
    return [spec.base, *extras]


def random_readings(rng: Random, game: str, paytables: dict[str, Any]) -> dict[str, str]:
    readings = {switch: rng.choice(words) for switch, words in READINGS[game].items() if rng.random() < 0.5}
    for entry in paytables.get("ante-play", []):
        table_id = entry["id"] if isinstance(entry, dict) else entry
        if table_id in ("PW/BB-2", "PW/BB-4"):  # TCP-4: stated outright
            words = READINGS[game]["bad_beat_flush_or_lower"]
            readings["bad_beat_flush_or_lower"] = rng.choice(words)
    return readings


def random_jackpot_amounts(rng: Random, record: dict[str, Any], spec: GameSpec, offered: list[str]) -> dict[str, int]:
    amounts = dict.fromkeys(spec.jackpots, 100)
    if not spec.other_jackpot_amounts:
        if rng.random() < 0.05:
            record["jackpot_wager_cents"] = 100
        return amounts
    draw = rng.random()
    if draw < 0.3:
        record["jackpot_wager_cents"] = rng.choice(JACKPOT_AMOUNTS)
        amounts = dict.fromkeys(spec.jackpots, record["jackpot_wager_cents"])
    elif draw < 0.5:
        given = {wager: rng.choice(JACKPOT_AMOUNTS) for wager in spec.jackpots if wager in offered}
        record["jackpot_wager_cents"] = given
        amounts |= given
    return amounts


def add_meters(rng: Random, record: dict[str, Any], spec: GameSpec, jackpot_type: str) -> None:
    meters: dict[str, int] = {}
    for wager in spec.jackpots:
        for entry in record["paytables"].get(wager, []):
            problems: list[str] = []
            table = table_in_force(entry, jackpot_type, 100, problems)
            # a deuces-wild Bonus amount is compared at the real wager elsewhere; here only the kinds matter
            if table is None or table.has_percentage() or rng.random() < 0.1:
                meters[wager] = rng.choice(
                    [rng.randint(1, 60), rng.randint(100, 9999), rng.randint(10_000, 5_000_000), 1_234_567, 100_000]
                )
    if meters or rng.random() < 0.05:
        record["meters"] = meters


def random_stake(rng: Random, most: int) -> int:
    stakes = [
        rng.randint(1, most),
        rng.randint(1, min(most, 999)),
        100 * rng.randint(1, max(1, most // 100)),
        500,
        2 * rng.randint(0, (most - 1) // 2) + 1,
        most,
    ]
    return min(rng.choice(stakes), most)


def random_wagers(
    rng: Random, record: dict[str, Any], spec: GameSpec, offered: list[str], amounts: dict[str, int], fever: bool
) -> dict[str, int]:
    """One seat's wagers: at most four options (G-12), the base wager among them (G-19), within the limits if any (G-14).

    With jackpot fever every seat takes the jackpots first, so that several seats hit in one round.
    """
    extras = [wager for wager in offered if wager != spec.base]
    rng.shuffle(extras)
    if fever:
        extras.sort(key=lambda wager: wager not in spec.jackpots)
    chosen = extras[: rng.choice([2, 3] if fever else [0, 1, 2, 3, 3, 3])]
    if spec.base_required or rng.random() < 0.7 or not chosen:
        chosen.append(spec.base)
    commercial = record.get("profile") == "wa-commercial"
    most = (40_000 if record["on"] >= "2023-08-20" else 30_000) if commercial else 100_000
    stakes: dict[str, int] = {}
    for wager in sorted(chosen, key=spec.wagers.index):
        if wager in spec.jackpots:
            stakes[wager] = amounts[wager]
        else:
            stakes[wager] = random_stake(rng, most // (spec.base_multiple if wager == spec.base else 1))
    if commercial and len(stakes) == 4 and not any(s <= 500 for w, s in stakes.items() if w != spec.base):
        small = rng.choice([wager for wager in stakes if wager != spec.base and wager not in spec.jackpots])
        stakes[small] = rng.choice([500, 500, rng.randint(1, 500)])
    return stakes


def random_decisions(rng: Random, game: str, wagers: dict[str, int], everyone_folds: bool) -> dict[str, Any]:
    """What is decided without looking at the cards; selections and settings follow the deal."""
    if game == "four-card-prime":
        return {"raise": 0 if everyone_folds else rng.choice([0, 1, 2, 3])}
    if game == "three-card-double-play":
        return {"double": rng.random() < 0.5}
    if game == "deuces-wild" and "ante-play-raise" not in wagers:
        return {}
    play = not everyone_folds and rng.random() < 0.8
    if game == "deuces-wild" and play:
        return {"play": True, "raise": rng.random() < 0.8}
    return {"play": play}


def add_cards(
    rng: Random,
    record: dict[str, Any],
    numbers: list[int],
    wagers: list[dict[str, int]],
    decisions: list[dict[str, Any]],
) -> None:
    game = record["game"]
    needs = {"community": 4} if game == "deuces-wild" else {"dealer": 3}
    needs["dealer" if game != "deuces-wild" else "community"] = {
        "four-card-prime": 6,
        "three-card-double-play": 5,
        "deuces-wild": 4,
    }.get(game, 3)
    if game == "super-three-card" and not any(decision["play"] for decision in decisions):
        needs["dealer"] = 1  # STC-8
    for place, (stakes, decision) in enumerate(zip(wagers, decisions, strict=True)):
        needs[str(place)] = seat_cards(game, stakes, decision)
    hands = deal(rng, game, record.get("decks", 1), needs)
    for common in ("dealer", "community"):
        if common in hands:
            record[common] = [card_text(card) for card in hands[common]]
    record["seats"] = []
    for place, number in enumerate(numbers):
        cards = hands[str(place)]
        look_at_cards(rng, record, cards, wagers[place], decisions[place])
        record["seats"].append(
            {
                "seat": number,
                "cards": [card_text(card) for card in cards],
                "wagers": wagers[place],
                "decisions": decisions[place],
            }
        )


def seat_cards(game: str, stakes: dict[str, int], decision: dict[str, Any]) -> int:
    if game == "super-three-card":
        return 3 if decision["play"] else 2
    if game == "deuces-wild":
        if "bonus-jackpot" in stakes:
            return 5
        return 3 + bool(decision.get("play")) + bool(decision.get("raise"))
    return {"three-card-prime": 4, "four-card-prime": 5, "three-card-double-play": 6}[game]


def look_at_cards(
    rng: Random, record: dict[str, Any], cards: list[Card], stakes: dict[str, int], decision: dict[str, Any]
) -> None:
    """The decisions that name cards: the High Hand, the selection for the Five Card Fortune."""
    if record["game"] == "three-card-double-play":
        high = rng.sample(cards, 3)
        if rng.random() < 0.5:  # a setting with the best hand somewhere
            high = max((rng.sample(cards, 3) for _ in range(12)), key=lambda hand: strength(hand, THREE_CARDS))
        low = [card for card in cards if card not in high]
        if strength(low, THREE_CARDS) > strength(high, THREE_CARDS):
            high = low
        decision["high"] = [card_text(card) for card in high]
    if "five-card-fortune" in stakes:
        raised = decision.get("play") and decision.get("raise")
        if raised and record.get("readings", {}).get("fortune_after_raise") == "dealer_takes_best":
            return
        held = tuple(cards[:4] if decision.get("play") else cards[:3])
        choices = list(selections(held))
        many = [choice for choice in choices if len(choice) > 1]
        chosen = rng.choice(many if many and rng.random() < 0.6 else choices)
        decision["fortune"] = [card_text(card) for card in chosen]
