"""Ways to spoil a round: pay tables and amounts."""

from __future__ import annotations

import copy
from fractions import Fraction
from itertools import pairwise
from typing import TYPE_CHECKING

from .rounds import GAMES
from .spoil_base import Record, any_seat, way
from .tables import OPERATOR_SET, parse_cell, transcription

if TYPE_CHECKING:
    from random import Random

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
    record["paytables"][wager][0] = rng.choice(
        ["PB-3", "Win-2", "APR-G", "BJ-E", "FCJ-4", "pb-1", "", None, 7, [], {"id": "X"}]
    )
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
        for upper, lower in pairwise(rows):
            if upper["event"] not in pays or lower["event"] not in pays:
                continue
            one, two = parse_cell(pays[upper["event"]]), parse_cell(pays[lower["event"]])
            assert one is not None
            assert two is not None
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
def deuces_bonus_cell_of_the_wrong_kind(_: Random, record: Record) -> bool:
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
    custom["pays"][event] = rng.choice(
        ["five", "", "-1", "1/2", "5 to 1", 5, None, True, "$", "%", "1,00", "Bonus", "1e3"]
    )
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
