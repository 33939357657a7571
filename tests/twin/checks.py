"""Everything a careful reader of ROUND_FORMAT.md and RULINGS.md would refuse, and the round if there is nothing."""

from __future__ import annotations

import datetime as dt
import re
from typing import Any

from .hands import JOKER, THREE_CARDS, Card, card_text, is_wild, parse_card, strength
from .rounds import GAMES, READINGS, ROUND_FIELDS, SEAT_FIELDS, SLOTS, GameSpec, Round, Seat, seats_most
from .tables import Table, family, table_in_force

Problems = list[str]
OPTIONS_MAX = 4
FOURTH_WAGER_MAX_CENTS = 500
DECISION_FIELDS = {
    "three-card-prime": ("play",),
    "deuces-wild": ("play", "raise", "fortune"),
    "super-three-card": ("play",),
    "four-card-prime": ("raise",),
    "three-card-double-play": ("high", "double"),
}


def is_count(value: Any) -> bool:
    """A whole number; True and False are none, and neither is 1.0."""
    return type(value) is int


def read_round(record: Any) -> tuple[Round | None, Problems]:
    problems: Problems = []
    if not isinstance(record, dict):
        return None, ["a round is an object"]
    game = record.get("game")
    if not isinstance(game, str) or game not in GAMES:
        return None, [f"unknown game {game!r}"]
    spec = GAMES[game]
    for field in record:
        if field not in ROUND_FIELDS:
            problems.append(f"unknown field {field!r}")
    decks = read_decks(record, game, problems)
    readings = read_readings(record, game, problems)
    jackpot_type = read_word(record, "jackpot_type", ("progressive", "bonus"), "progressive", problems)
    default_sharing = "split" if game == "super-three-card" or "on" in record else "full"
    sharing = read_word(record, "bonus_sharing", ("full", "split"), default_sharing, problems)
    if record.get("profile") == "wa-commercial" and str(record.get("on")) >= "2021-06-14":
        sharing = "full"  # G-4: the law pays every winner in full
    amounts = read_jackpot_amounts(record, spec, problems)
    meters = read_meters(record, spec, problems)
    tables = read_tables(record, game, jackpot_type, amounts, problems)
    dealer = read_cards(record.get("dealer"), "dealer", problems) if game != "deuces-wild" else ()
    community = read_cards(record.get("community"), "community", problems) if game == "deuces-wild" else ()
    for field, wanted in (("dealer", game != "deuces-wild"), ("community", game == "deuces-wild")):
        if field in record and not wanted:
            problems.append(f"{game} has no {field}")
    seats = read_seats(record, game, readings, problems)
    check_card_copies([dealer, community, *(seat.cards for seat in seats)], game, decks, problems)
    check_common_cards(game, dealer, community, seats, problems)
    check_wagers(record, game, seats, tables, amounts, problems)
    check_money(record, spec, seats, problems)
    if problems:
        return None, problems
    round_ = Round(
        game, tables, readings, jackpot_type, sharing, meters, amounts, tuple(dealer), tuple(community), tuple(seats)
    )
    return round_, []


# --- the round's own fields


def read_decks(record: dict[str, Any], game: str, problems: Problems) -> int:
    if game != "super-three-card":
        if "decks" in record:
            problems.append(f"{game}: decks are left out")
        return 1
    decks = record.get("decks")
    if not is_count(decks) or decks not in (6, 8):
        problems.append(f"super-three-card has 6 or 8 decks, not {decks!r} (STC-1)")
        return 8
    return int(decks)


def read_word(record: dict[str, Any], field: str, words: tuple[str, ...], default: str, problems: Problems) -> str:
    word = record.get(field, default)
    if not isinstance(word, str) or word not in words:
        problems.append(f"{field} is one of {words}, not {word!r}")
        return default
    return word


def read_readings(record: dict[str, Any], game: str, problems: Problems) -> dict[str, str]:
    readings = {switch: words[0] for switch, words in READINGS[game].items()}
    given = record.get("readings", {})
    if not isinstance(given, dict):
        problems.append("readings is an object")
        return readings
    for switch, word in given.items():
        if switch not in readings:
            problems.append(f"{game} has no switch {switch!r}")
        elif not isinstance(word, str) or word not in READINGS[game][switch]:
            problems.append(f"{switch} has no reading {word!r}")
        else:
            readings[switch] = word
    return readings


def read_jackpot_amounts(record: dict[str, Any], spec: GameSpec, problems: Problems) -> dict[str, int]:
    amounts = dict.fromkeys(spec.jackpots, 100)
    given = record.get("jackpot_wager_cents", {})
    by_wager = given if isinstance(given, dict) else dict.fromkeys(spec.jackpots, given)
    for wager, amount in by_wager.items():
        if wager not in amounts:
            problems.append(f"jackpot_wager_cents: no jackpot wager {wager!r}")
        elif not is_count(amount) or amount <= 0:
            problems.append(f"jackpot_wager_cents: {amount!r} is no amount in cents")
        elif amount != 100 and not spec.other_jackpot_amounts:
            problems.append("the jackpot wager is one dollar (G-7)")
        else:
            amounts[wager] = amount
    return amounts


def read_meters(record: dict[str, Any], spec: GameSpec, problems: Problems) -> dict[str, int]:
    given = record.get("meters", {})
    if not isinstance(given, dict):
        problems.append("meters is an object")
        return {}
    meters: dict[str, int] = {}
    for wager, amount in given.items():
        if wager not in spec.jackpots:
            problems.append(f"meters: no jackpot wager {wager!r}")
        elif not is_count(amount) or amount < 0:
            problems.append(f"meters: {amount!r} is no amount in cents")
        else:
            meters[wager] = amount
    return meters


def read_tables(
    record: dict[str, Any], game: str, jackpot_type: str, amounts: dict[str, int], problems: Problems
) -> dict[str, tuple[Table, ...]]:
    given = record.get("paytables")
    if not isinstance(given, dict):
        problems.append("paytables is missing, or no object")
        return {}
    tables: dict[str, tuple[Table, ...]] = {}
    for wager, entries in given.items():
        if (game, wager) not in SLOTS:
            problems.append(f"paytables: {game} has no wager {wager!r}")
            continue
        if not isinstance(entries, list):
            problems.append(f"paytables: {wager}: a list is wanted")
            continue
        found: list[Table] = []
        missing = list(SLOTS[game, wager])
        for entry in entries:
            table_id = entry.get("id") if isinstance(entry, dict) else entry
            if table_id == "Win-or-Copy" and wager == "ante-play":  # goes without saying, may be said
                table_in_force(entry, jackpot_type, 100, problems)
                continue
            table = table_in_force(entry, jackpot_type, amounts.get(wager, 100), problems)
            if isinstance(table_id, str) and family(table_id) in missing:
                missing.remove(family(table_id))
            elif isinstance(table_id, str):
                problems.append(f"paytables: {table_id} has no place at {wager}, or its place is taken")
            if table is not None:
                found.append(table)
            if table_id == "FCJ-3" and jackpot_type == "progressive":
                problems.append("FCJ-3 is for a Bonus jackpot only (FCP-6)")
        if missing:
            problems.append(f"paytables: {wager} lacks a table of {missing}")
        tables[wager] = tuple(found)
    jackpots = [wager for wager in GAMES[game].jackpots if wager in given]
    if len(jackpots) > 1 and not GAMES[game].two_jackpots:
        problems.append(f"{game}: one jackpot game at a time on a layout (G-13)")
    return tables


# --- cards


def read_cards(given: Any, where: str, problems: Problems) -> tuple[Card, ...]:
    if not isinstance(given, list):
        problems.append(f"{where}: a list of cards is wanted")
        return ()
    cards: list[Card] = []
    for text in given:
        try:
            cards.append(parse_card(text if isinstance(text, str) else ""))
        except ValueError:
            problems.append(f"{where}: {text!r} is no card")
    return tuple(cards)


def check_card_copies(groups: list[tuple[Card, ...]], game: str, decks: int, problems: Problems) -> None:
    everything = [card for group in groups for card in group]
    for card in sorted(set(everything)):
        if card == JOKER and game != "deuces-wild":
            problems.append(f"{game} has no joker")
        if everything.count(card) > decks:
            problems.append(f"{card_text(card)} appears {everything.count(card)} times")


def check_common_cards(
    game: str, dealer: tuple[Card, ...], community: tuple[Card, ...], seats: list[Seat], problems: Problems
) -> None:
    if game == "deuces-wild":
        if len(community) != 4:
            problems.append("four community cards are wanted (DW-5)")
        return
    wanted: tuple[int, ...] = ({"four-card-prime": 6, "three-card-double-play": 5}.get(game, 3),)
    if game == "super-three-card" and seats and all(seat.decisions.get("play") is False for seat in seats):
        wanted = (1, 3)  # STC-8: the dealer draws no more cards; three as the format says are taken too
    if len(dealer) not in wanted:
        problems.append(f"the dealer has {len(dealer)} cards, not {wanted}")


def cards_wanted(game: str, wagers: dict[str, int], decisions: dict[str, Any]) -> int:
    """How many cards a seat was dealt; 0 if its decisions don't say."""
    if game == "super-three-card":
        return {True: 3, False: 2}[decisions["play"]] if isinstance(decisions.get("play"), bool) else 0
    if game == "deuces-wild":
        if "bonus-jackpot" in wagers:
            return 5  # DW-7
        if "ante-play-raise" not in wagers or decisions.get("play") is False:
            return 3
        return {True: 5, False: 4}[decisions["raise"]] if isinstance(decisions.get("raise"), bool) else 0
    return {"three-card-prime": 4, "four-card-prime": 5, "three-card-double-play": 6}[game]


# --- seats


def read_seats(record: dict[str, Any], game: str, readings: dict[str, str], problems: Problems) -> list[Seat]:
    given = record.get("seats")
    if not isinstance(given, list) or not given:
        problems.append("seats: a list with at least one seat is wanted")
        return []
    most = seats_most(record, game)
    if len(given) > most:
        problems.append(f"{game} has at most {most} seats (G-16)")
    seats: list[Seat] = []
    for seat in given:
        found = read_seat(seat, game, readings, most, problems)
        if found is not None:
            if found.number in [other.number for other in seats]:
                problems.append(f"seat {found.number} appears twice")
            seats.append(found)
    return seats


def read_seat(given: Any, game: str, readings: dict[str, str], most: int, problems: Problems) -> Seat | None:
    if not isinstance(given, dict):
        problems.append("a seat is an object")
        return None
    number: Any = given.get("seat")
    if not is_count(number) or not 1 <= number <= most:
        problems.append(f"{number!r} is no seat of {game}")
    where = f"seat {number}"
    for field in given:
        if field not in SEAT_FIELDS:
            problems.append(f"{where}: unknown field {field!r}")
    cards = read_cards(given.get("cards"), where, problems)
    wagers = read_stakes(given.get("wagers"), game, where, problems)
    decisions = given.get("decisions", {})
    if not isinstance(decisions, dict):
        problems.append(f"{where}: decisions is an object")
        decisions = {}
    for field in decisions:
        if field not in DECISION_FIELDS[game]:
            problems.append(f"{where}: {game} knows no decision {field!r}")
    wanted = cards_wanted(game, wagers, decisions)
    if wanted and len(cards) != wanted:
        problems.append(f"{where}: {wanted} cards are wanted, {len(cards)} given")
    decided = read_decisions(decisions, game, cards, wagers, readings, where, problems)
    return Seat(number if is_count(number) else 0, cards, wagers, decided)


def read_stakes(given: Any, game: str, where: str, problems: Problems) -> dict[str, int]:
    if not isinstance(given, dict) or not given:
        problems.append(f"{where}: wagers: an object with at least one wager is wanted")
        return {}
    stakes: dict[str, int] = {}
    for wager, stake in given.items():
        if wager not in GAMES[game].wagers:
            problems.append(f"{where}: {game} has no wager {wager!r}")
        elif not is_count(stake) or stake <= 0:
            problems.append(f"{where}: {wager}: {stake!r} is no stake in cents")
            stakes[wager] = 1
        else:
            stakes[wager] = stake
    return stakes


def need_bool(decisions: dict[str, Any], field: str, where: str, problems: Problems) -> None:
    if field not in decisions:
        problems.append(f"{where}: the decision {field!r} is missing")
    elif not isinstance(decisions[field], bool):
        problems.append(f"{where}: {field} is true or false, not {decisions[field]!r}")


def read_decisions(
    decisions: dict[str, Any],
    game: str,
    cards: tuple[Card, ...],
    wagers: dict[str, int],
    readings: dict[str, str],
    where: str,
    problems: Problems,
) -> dict[str, Any]:
    decided = dict(decisions)
    if game in ("three-card-prime", "super-three-card"):
        need_bool(decisions, "play", where, problems)
    elif game == "four-card-prime":
        times = decisions.get("raise")
        if not is_count(times) or times not in (0, 1, 2, 3):
            problems.append(f"{where}: raise is 0, 1, 2 or 3, not {times!r}")
    elif game == "three-card-double-play":
        need_bool(decisions, "double", where, problems)
        decided["high"] = read_high(decisions.get("high"), cards, where, problems)
    else:
        read_deuces(decisions, wagers, where, problems)
        decided.pop("fortune", None)
        chosen = read_fortune(decisions, cards, wagers, readings, where, problems)
        if chosen:
            decided["fortune"] = chosen
    return decided


def read_high(given: Any, cards: tuple[Card, ...], where: str, problems: Problems) -> tuple[Card, ...]:
    high = read_cards(given, f"{where}: high", problems)
    if len(high) != 3 or len(set(high)) != 3 or not set(high) <= set(cards):
        problems.append(f"{where}: the High Hand is three of the seat's six cards")
        return high
    low = [card for card in cards if card not in high]
    if len(low) == 3 and strength(low, THREE_CARDS) > strength(high, THREE_CARDS):
        problems.append(f"{where}: the Low Hand is above the High Hand (TDP-6)")
    return high


def read_deuces(decisions: dict[str, Any], wagers: dict[str, int], where: str, problems: Problems) -> None:
    if "ante-play-raise" not in wagers:
        for field in ("play", "raise"):
            if field in decisions:
                problems.append(f"{where}: no {field} without an Ante")
        return
    need_bool(decisions, "play", where, problems)
    if decisions.get("play") is True:
        need_bool(decisions, "raise", where, problems)
    elif "raise" in decisions and decisions["raise"] is not False:
        problems.append(f"{where}: a folded hand can't raise")


def read_fortune(
    decisions: dict[str, Any],
    cards: tuple[Card, ...],
    wagers: dict[str, int],
    readings: dict[str, str],
    where: str,
    problems: Problems,
) -> tuple[Card, ...]:
    """The selection for the Five Card Fortune, which must be there exactly where the player selects (DW-6)."""
    with_ante = "ante-play-raise" in wagers
    raised = with_ante and decisions.get("play") is True and decisions.get("raise") is True
    by_dealer = raised and readings["fortune_after_raise"] == "dealer_takes_best"
    if "five-card-fortune" not in wagers or by_dealer:
        if "fortune" in decisions:
            problems.append(f"{where}: the player selects nothing for the Five Card Fortune here")
        return ()
    if "fortune" not in decisions:
        problems.append(f"{where}: the selection for the Five Card Fortune is missing")
        return ()
    chosen = read_cards(decisions["fortune"], f"{where}: fortune", problems)
    held = cards[:4] if with_ante and decisions.get("play") is True else cards[:3]
    if not chosen or len(set(chosen)) != len(chosen) or not set(chosen) <= set(held):
        problems.append(f"{where}: fortune selects from the cards held at that moment (DW-6)")
    elif len(chosen) > 1 and not all(is_wild(card) for card in chosen):
        problems.append(f"{where}: fortune takes one card, or wild cards only")
    return chosen


# --- wagers and money


def check_wagers(
    record: dict[str, Any],
    game: str,
    seats: list[Seat],
    tables: dict[str, tuple[Table, ...]],
    amounts: dict[str, int],
    problems: Problems,
) -> None:
    spec = GAMES[game]
    for seat in seats:
        if spec.base_required and spec.base not in seat.wagers:
            problems.append(f"seat {seat.number}: {spec.base} is required (G-19)")
        if len(seat.wagers) > OPTIONS_MAX:
            problems.append(f"seat {seat.number}: more than four wagering options (G-12)")
        for wager, stake in seat.wagers.items():
            if wager in amounts and stake != amounts[wager]:
                problems.append(f"seat {seat.number}: {wager} is {amounts[wager]} cents, not {stake} (G-7)")
    wagered = [wager for wager in spec.wagers if any(wager in seat.wagers for seat in seats)]
    for wager in wagered:
        if wager not in tables and isinstance(record.get("paytables"), dict):
            problems.append(f"no pay table for {wager}")
        by_percentage = any(table.has_percentage() for table in tables.get(wager, ()))
        if by_percentage and wager not in record_meters(record):
            problems.append(f"the meter of {wager} is missing")
    if len([wager for wager in wagered if wager in spec.jackpots]) > 1 and not spec.two_jackpots:
        problems.append(f"{game}: jackpots of two games in one round (G-13)")


def record_meters(record: dict[str, Any]) -> dict[str, Any]:
    given = record.get("meters", {})
    return given if isinstance(given, dict) else {}


def single_wager_max_cents(on: dt.date) -> int | None:
    """G-14, commercial rooms."""
    if on >= dt.date(2023, 8, 19):
        return 40_000
    if on >= dt.date(2009, 1, 1):
        return 30_000
    return None


def check_money(record: dict[str, Any], spec: GameSpec, seats: list[Seat], problems: Problems) -> None:
    on: Any = record.get("on")
    profile = record.get("profile")
    date: dt.date | None = None
    if "on" in record:
        looks_right = isinstance(on, str) and re.fullmatch(r"[0-9]{4}-[0-9]{2}-[0-9]{2}", on)
        try:
            date = dt.date.fromisoformat(on if looks_right else "")
        except ValueError:
            problems.append(f"on: {on!r} is no date")
    if "profile" in record and profile not in ("wa-commercial", "wa-tribal"):
        problems.append(f"unknown profile {profile!r}")
    if date is None or profile != "wa-commercial":
        return
    most = single_wager_max_cents(date)
    if most is None:
        problems.append(f"no money limit is on file for {on}")
        return
    for seat in seats:
        for wager, stake in seat.wagers.items():
            largest = stake * (spec.base_multiple if wager == spec.base else 1)
            if largest > most:
                problems.append(f"seat {seat.number}: {wager}: up to {largest} cents, the maximum is {most} (G-14)")
        if len(seat.wagers) >= OPTIONS_MAX and min(seat.wagers.values()) > FOURTH_WAGER_MAX_CENTS:
            problems.append(f"seat {seat.number}: of four wagers one is five dollars or less (G-12)")
