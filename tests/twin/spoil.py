"""Ways to make a legal round illegal. Each is a function that spoils the record in place and says whether it could."""

from __future__ import annotations

import copy
from collections.abc import Callable
from fractions import Fraction
from random import Random
from typing import Any

from .hands import RANKS, SUITS, THREE_CARDS, parse_card, strength
from .rounds import GAMES, READINGS
from .tables import OPERATOR_SET, parse_cell, transcription

Record = dict[str, Any]
Spoil = Callable[[Random, Record], bool]
SPOILS: dict[str, Spoil] = {}


def way(function: Spoil) -> Spoil:
    SPOILS[function.__name__.replace("_", "-")] = function
    return function


def spoil(rng: Random, record: Record, name: str | None = None) -> tuple[Record, str]:
    """A copy of a legal record made illegal in one way, and the way's name.

    With `name` that way is tried; LookupError if it doesn't apply to this record.
    """
    names = [name] if name else rng.sample(sorted(SPOILS), len(SPOILS))
    for candidate in names:
        spoiled = copy.deepcopy(record)
        if SPOILS[candidate](rng, spoiled):
            return spoiled, candidate
    raise LookupError(name)


def any_seat(rng: Random, record: Record) -> Record:
    seat: Record = rng.choice(record["seats"])
    return seat


def jackpots_of(record: Record) -> tuple[str, ...]:
    return GAMES[record["game"]].jackpots


def all_cards(record: Record) -> list[str]:
    cards = [*record.get("dealer", []), *record.get("community", [])]
    return cards + [card for seat in record["seats"] for card in seat["cards"]]


def unused_card(rng: Random, record: Record) -> str:
    return rng.choice([rank + suit for rank in RANKS for suit in SUITS if rank + suit not in all_cards(record)])


def card_lists(record: Record) -> list[list[str]]:
    lists = [record[field] for field in ("dealer", "community") if field in record]
    return lists + [seat["cards"] for seat in record["seats"]]


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
    spec = GAMES[record["game"]]
    model = record["seats"][0]
    if record["game"] == "three-card-double-play":
        return False  # the deck has no cards for an eighth seat
    if record["game"] == "deuces-wild" and "five-card-fortune" in model["wagers"]:
        return False
    number = 0
    while len(record["seats"]) <= spec.seats_max:
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
def seat_twice(rng: Random, record: Record) -> bool:
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
    any_seat(rng, record)["seat"] = GAMES[record["game"]].seats_max + rng.randint(1, 9)
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
    cards[rng.randrange(len(cards))] = rng.choice(["1s", "10s", "as", "AS", "", "A", "Asx", None, 5, ["As"], "A♠", "sA"])
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
def two_jackpots_where_one_is_allowed(rng: Random, record: Record) -> bool:
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
                if isinstance(entry, str) and any(row["printed"].endswith("%") for row in transcription()[entry]["rows"]):
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


# --- pay tables


@way
def paytables_missing(rng: Random, record: Record) -> bool:
    if rng.random() < 0.5:
        del record["paytables"]
    else:
        record["paytables"] = rng.choice([[], None, "PB-1"])
    return True


@way
def paytable_missing_for_a_wager(rng: Random, record: Record) -> bool:
    del record["paytables"][rng.choice(sorted(any_seat(rng, record)["wagers"]))]
    return True


@way
def paytable_list_empty(rng: Random, record: Record) -> bool:
    record["paytables"][rng.choice(sorted(any_seat(rng, record)["wagers"]))] = []
    return True


@way
def paytable_not_in_a_list(rng: Random, record: Record) -> bool:
    wager = rng.choice(sorted(record["paytables"]))
    record["paytables"][wager] = record["paytables"][wager][0]
    return True


@way
def paytable_unknown(rng: Random, record: Record) -> bool:
    wager = rng.choice(sorted(record["paytables"]))
    record["paytables"][wager][0] = rng.choice(["PB-3", "Win-2", "APR-G", "BJ-E", "FCJ-4", "pb-1", "", None, 7, [], {"id": "X"}])
    return True


@way
def paytable_of_another_wager(rng: Random, record: Record) -> bool:
    wager = rng.choice(sorted(record["paytables"]))
    others = [
        table["id"]
        for table in transcription().values()
        if (table["game"], table["wager"]) != (record["game"], wager.removesuffix("-b"))
        and not any(row["printed"] in OPERATOR_SET for row in table["rows"])
    ]
    record["paytables"][wager][0] = rng.choice(others)
    return True


@way
def paytable_twice(rng: Random, record: Record) -> bool:
    entries = record["paytables"][rng.choice(sorted(record["paytables"]))]
    entries.append(copy.deepcopy(entries[0]))
    return True


@way
def paytable_for_an_unknown_wager(rng: Random, record: Record) -> bool:
    record["paytables"][rng.choice(["insurance", "Prime", ""])] = ["PB-1"]
    return True


@way
def one_of_two_paytables(rng: Random, record: Record) -> bool:
    for wager in ("pair-bonus", "ante-raise"):
        if len(record["paytables"].get(wager, [])) == 2:
            record["paytables"][wager].pop(rng.randrange(2))
            return True
    return False


def operator_set_entries(record: Record) -> list[tuple[str, int, Record]]:
    """(wager, place, printed table) of every operator-set table in force, as an object with amounts."""
    found = []
    for wager, entries in record["paytables"].items():
        for place, entry in enumerate(entries):
            table = transcription()[entry["id"] if isinstance(entry, dict) else entry]
            if isinstance(entry, dict) and any(row["printed"] in OPERATOR_SET for row in table["rows"]):
                found.append((wager, place, table))
    return found


@way
def operator_set_without_amounts(rng: Random, record: Record) -> bool:
    found = [item for item in operator_set_entries(record) if item[2]["id"] not in ("BJ-A", "BJ-B", "BJ-C")]
    if not found:
        return False
    wager, place, table = rng.choice(found)
    record["paytables"][wager][place] = rng.choice([table["id"], {"id": table["id"]}, {"id": table["id"], "pays": {}}])
    return True


@way
def operator_set_one_amount_missing(rng: Random, record: Record) -> bool:
    found = operator_set_entries(record)
    if not found:
        return False
    wager, place, _table = rng.choice(found)
    pays = record["paytables"][wager][place]["pays"]
    event = rng.choice(sorted(pays))
    if event == "5 Wild Cards" and record.get("jackpot_type") != "bonus":
        return False
    del pays[event]
    return True


@way
def operator_set_pays_less_than_the_row_under_it(rng: Random, record: Record) -> bool:
    for wager, place, table in operator_set_entries(record):
        pays = record["paytables"][wager][place]["pays"]
        rows = [row for row in table["rows"] if row["printed"] in OPERATOR_SET]
        for upper, lower in zip(rows, rows[1:], strict=False):
            if upper["event"] not in pays or lower["event"] not in pays:
                continue
            one, two = parse_cell(pays[upper["event"]]), parse_cell(pays[lower["event"]])
            assert one is not None and two is not None
            if one.kind != two.kind or one.kind not in ("number", "dollars"):
                continue
            more = one.value + rng.randint(1, 1000)
            whole = Fraction(int(more) + 1)
            pays[lower["event"]] = f"${whole}" if one.kind == "dollars" else str(whole)
            return True
    return False


@way
def operator_set_wrong_kind(rng: Random, record: Record) -> bool:
    found = [item for item in operator_set_entries(record) if not item[2]["id"].startswith("BJ")]
    if not found:
        return False
    wager, place, table = rng.choice(found)
    pays = record["paytables"][wager][place]["pays"]
    printed = {row["event"]: row["printed"] for row in table["rows"]}
    event = rng.choice([event for event in sorted(pays) if printed[event] in OPERATOR_SET])
    if table["odds"] == "to":
        pays[event] = rng.choice(["$500,000", "100%"])
    elif printed[event] == "Jackpot":
        pays[event] = rng.choice(["$500,000", "100", "Push", "Loss"])
    elif printed[event] == "Bonus":
        pays[event] = rng.choice(["100%", "500000", "Push"])
    else:
        pays[event] = rng.choice(["5000", "Push"])
    return True


@way
def deuces_bonus_cell_of_the_wrong_kind(rng: Random, record: Record) -> bool:
    """An amount in a progressive, a percentage in a Bonus jackpot (G-6)."""
    for wager, place, table in operator_set_entries(record):
        if table["id"].startswith("BJ"):
            bonus = record.get("jackpot_type") == "bonus"
            record["paytables"][wager][place]["pays"]["5 Wild Cards"] = "100%" if bonus else "$900,000"
            record.setdefault("meters", {})[wager] = 100_000
            return True
    return False


@way
def operator_set_nothing_on_a_winning_row(rng: Random, record: Record) -> bool:
    """Zero or a loss in the lowest row of a table whose sisters all pay there."""
    lowest = {"PB/LD-5": "Pair", "LWB-7": "High Cards", "Prime-3": "Four one color", "FCJ-3": "Trips"}
    for wager, place, table in operator_set_entries(record):
        if table["id"] in lowest:
            nothing = ["$0"] if table["odds"] == "for" else ["0", "Loss"]
            record["paytables"][wager][place]["pays"][lowest[table["id"]]] = rng.choice(nothing)
            return True
    return False


@way
def percentage_above_a_hundred(rng: Random, record: Record) -> bool:
    for entries in record["paytables"].values():
        for place, entry in enumerate(entries):
            table = transcription()[entry["id"] if isinstance(entry, dict) else entry]
            for row in table["rows"][:1]:
                if row["printed"] in ("100%", "$100%", "Jackpot"):
                    custom = entry if isinstance(entry, dict) else {"id": entry, "pays": {}}
                    custom["pays"][row["event"]] = rng.choice(["101%", "0%", "-10%"])
                    entries[place] = custom
                    return True
    return False


@way
def custom_cell_unreadable(rng: Random, record: Record) -> bool:
    entries = record["paytables"][rng.choice(sorted(record["paytables"]))]
    entry = entries[0]
    custom = entry if isinstance(entry, dict) else {"id": entry, "pays": {}}
    event = transcription()[custom["id"]]["rows"][0]["event"]
    custom["pays"][event] = rng.choice(["five", "", "-1", "1/2", "5 to 1", 5, None, True, "$", "%", "1,00", "Bonus", "1e3"])
    entries[0] = custom
    return True


@way
def custom_row_unknown(rng: Random, record: Record) -> bool:
    entries = record["paytables"][rng.choice(sorted(record["paytables"]))]
    custom = entries[0] if isinstance(entries[0], dict) else {"id": entries[0], "pays": {}}
    custom["pays"][rng.choice(["Royal Flush of Everything", "mini-royal", ""])] = "5"
    entries[0] = custom
    return True


@way
def custom_kind_does_not_fit_the_odds(rng: Random, record: Record) -> bool:
    """Dollars or a percentage in a table that pays odds to 1."""
    entries = record["paytables"][GAMES[record["game"]].base]
    custom = entries[0] if isinstance(entries[0], dict) else {"id": entries[0], "pays": {}}
    event = next(row["event"] for row in transcription()[custom["id"]]["rows"] if row["printed"] != "n/a")
    custom["pays"][event] = rng.choice(["$500", "10%"])
    entries[0] = custom
    return True


@way
def custom_field_unknown(rng: Random, record: Record) -> bool:
    entries = record["paytables"][rng.choice(sorted(record["paytables"]))]
    entries[0] = (entries[0] if isinstance(entries[0], dict) else {"id": entries[0]}) | {"rows": []}
    return True


@way
def custom_pays_no_object(rng: Random, record: Record) -> bool:
    entries = record["paytables"][rng.choice(sorted(record["paytables"]))]
    table_id = entries[0]["id"] if isinstance(entries[0], dict) else entries[0]
    entries[0] = {"id": table_id, "pays": rng.choice([[], "5", None])}
    return True


@way
def envy_where_there_is_none(rng: Random, record: Record) -> bool:
    wager = rng.choice([wager for wager in sorted(record["paytables"]) if wager != "four-card-jackpot"])
    entries = record["paytables"][wager]
    custom = entries[0] if isinstance(entries[0], dict) else {"id": entries[0]}
    entries[0] = custom | {"envy": {transcription()[custom["id"]]["rows"][0]["event"]: "$5"}}
    return True


def fcj_3(record: Record) -> Record | None:
    for entry in record["paytables"].get("four-card-jackpot", []):
        if isinstance(entry, dict) and entry["id"] == "FCJ-3":
            found: Record = entry
            return found
    return None


@way
def envy_amount_missing(rng: Random, record: Record) -> bool:
    entry = fcj_3(record)
    if entry is None:
        return False
    if rng.random() < 0.3:
        del entry["envy"]
    else:
        del entry["envy"][rng.choice(sorted(entry["envy"]))]
    return True


@way
def envy_amount_wrong(rng: Random, record: Record) -> bool:
    entry = fcj_3(record)
    if entry is None:
        return False
    if rng.random() < 0.5:
        entry["envy"]["Straight Flush"] = "$900,000"  # more than the rows above it
    else:
        entry["envy"]["Four Aces"] = rng.choice(["10%", "Loss", "500,000", "", 5])
    return True


@way
def fcj_3_as_a_progressive(_: Random, record: Record) -> bool:
    if fcj_3(record) is None:
        return False
    record["jackpot_type"] = "progressive"
    return True


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
    own = {"deuces-wild": ("play", "raise", "fortune"), "four-card-prime": ("raise",), "three-card-double-play": ("high", "double")}
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
def fortune_where_the_player_selects_nothing(rng: Random, record: Record) -> bool:
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
    record["on"], most = rng.choice([("2021-06-01", 30_000), ("2023-08-18", 30_000), ("2023-08-19", 40_000)])
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
