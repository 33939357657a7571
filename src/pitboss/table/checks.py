"""What a table may do: whether a configuration may open it, and which wagers may stand together and how large."""

import datetime
from collections.abc import Callable, Iterable, Mapping
from fractions import Fraction
from typing import Any

from pitboss import law
from pitboss.games import find_game
from pitboss.law.papers import equipment_title
from pitboss.rules import Game, Problem, Terms, dollars, pay_array
from pitboss.rules.limits import highest_odds
from pitboss.rules.money import times
from pitboss.rules.pays import OfMeter, ToOne
from pitboss.rules.paytables import changed_cells
from pitboss.rules.posting import meter_problems
from pitboss.rules.terms import BonusSharing
from pitboss.table.configuration import Configuration

# G-12 holds in every kind of room and on every day; a rule set may state another number.
OPTIONS_MAX = 4
SEATS_MAX = 7
# No table has more, with equipment or without (E-06).
POSITIONS_MAX = 16


def seats_max(game: Game, rule_set: law.RuleSet | None) -> int:
    """The most seats: the least of layout, deck, and the players allowed where the WAC binds the room (G-16)."""
    if rule_set is None:
        return min(game.seats_max, SEATS_MAX)
    players = rule_set.get("seats_max")
    return min(game.seats_max, POSITIONS_MAX if players is None else players.value)


def seats_usual(game: Game, rule_set: law.RuleSet) -> int:
    """The seats of a table that states none: as many as are allowed, at most seven."""
    return min(seats_max(game, rule_set), SEATS_MAX)


def options_max(rule_set: law.RuleSet | None) -> int:
    """The most wagering options that a player may use (G-12)."""
    setting = None if rule_set is None else rule_set.get("options_max")
    return OPTIONS_MAX if setting is None else setting.value


_NUMBERS = ("no", "one", "two", "three", "four", "five", "six", "seven")


def options_sentence(rule_set: law.RuleSet, money: Callable[[int], str]) -> str:
    """Return the notice of how many of the options a player may use, and of the small one among four (G-12)."""
    most, small = options_max(rule_set), rule_set.get("fourth_wager_cents_max")
    text = f"Maximum {_NUMBERS[most]} wagers per player."
    return (
        text if small is None else f"{text} With {_NUMBERS[most]}, at least one must be {money(small.value)} or less."
    )


def limit_sentence(configuration: Configuration, name: str, money: Callable[[int], str], between: str) -> str:
    """Return the limits of a wager as they are posted: what its larger chip may be (G-14), and a cap of the house."""
    least, most = configuration.limits(name)
    text = money(least) if least == most else f"{money(least)} {between} {money(most)}"
    game = find_game(configuration.game)
    larger = [part for part in game.by_name[name].parts if part.multiple_max > 1]
    text += "".join(f", {part.name} up to {money(most * part.multiple_max)}" for part in larger)
    cap = configuration.wagers[name].base_multiple_max if name in configuration.wagers else None
    if cap is None:
        return text
    times = "" if cap == 1 else f"{cap} times "
    return f"{text}, at most {times}the {game.main.parts[0].name}"


def check_options(
    game: Game, terms: Terms, seat: int, wagers: Mapping[str, int], rule_set: law.RuleSet | None
) -> list[Problem]:
    """Find what is wrong with a seat's set of wagers."""
    problems: list[Problem] = []
    path = f"seat {seat} wagers"
    options = options_max(rule_set)
    if not wagers:
        problems.append(Problem(path, "a seat in the round must make a wager"))
    elif game.base is not None and game.base.name not in wagers:
        words = f"{game.base.title} is required for every other wager"
        problems.append(Problem(path, words, game.base.clause.id, "G-19"))
    if len(wagers) > options:
        words = f"{len(wagers)} wagers, but at most {options} of the options may be used: {', '.join(wagers)}"
        problems.append(Problem(path, words, ruling="G-12"))
    for name, cents in wagers.items():
        fixed = terms.jackpot_wager_cents.get(name, cents)
        if cents != fixed:
            words = f"the jackpot wager is {dollars(fixed)}, not {dollars(cents)}"
            problems.append(Problem(f"{path}.{name}", words, game.by_name[name].clause.id, "G-7"))
        cap = terms.base_multiples_max.get(name)
        if cap is not None and cents > cap * wagers.get(game.main.name, 0):
            words = f"{dollars(cents)} is more than {cap} times {game.main.parts[0].name}, the cap of this table"
            problems.append(Problem(f"{path}.{name}", words, game.by_name[name].clause.id))
    return problems


def check_persons(
    wagers: Mapping[int, Mapping[str, int]], persons: Mapping[int, str], rule_set: law.RuleSet | None
) -> list[Problem]:
    """Find who plays several seats with more options than one player may use: no fifth on either (G-41)."""
    most = options_max(rule_set)
    problems = []
    for person in dict.fromkeys(persons.values()):
        seats = [seat for seat in wagers if persons.get(seat) == person]
        options = dict.fromkeys(name for seat in seats for name in wagers[seat])
        if len(seats) > 1 and len(options) > most:
            who = f"one person on seats {' and '.join(map(str, seats))}"
            words = f"{who} uses {len(options)} options, but at most {most}: {', '.join(options)}"
            problems.append(Problem("seats", words, ruling="G-41"))
    return problems


def check_jackpots_together(game: Game, wagered: Iterable[str], day: datetime.date | None = None) -> list[Problem]:
    """Find whether more jackpots are played at once than the layout may carry, on a day where one is known (G-13)."""
    jackpots = {wager.name for wager in game.jackpots}.intersection(wagered)
    allowed = game.approval.jackpots_max_on(day)
    if len(jackpots) <= allowed:
        return []
    words = (
        f"{' and '.join(sorted(jackpots))} cannot be played together: {game.title} allows {allowed} jackpot at a time"
        f"{_until(game, day)}"
    )
    return [Problem("seats", words, ruling="G-13" if allowed == game.approval.jackpots_max else "G-26")]


def _until(game: Game, day: datetime.date | None) -> str:
    later = [letter.date for letter in game.approval.letters if day is not None and letter.date > day]
    return f" before {min(later)}" if later and game.approval.jackpots_max_on(day) < game.approval.jackpots_max else ""


def bonus_sharing_on(rule_set: law.RuleSet) -> BonusSharing:
    """Return how several winners of one Bonus jackpot row are paid where nothing is stated (G-4)."""
    return "full" if rule_set.is_on("bonus_prize_in_full") else "split"


def sharing_problems(sharing: BonusSharing, rule_set: law.RuleSet, path: str) -> list[Problem]:
    """Find a Bonus that would be divided where the law pays every winner in full (G-4)."""
    if sharing == "full" or not rule_set.is_on("bonus_prize_in_full"):
        return []
    setting = rule_set["bonus_prize_in_full"]
    words = f"split: from {setting.since} every winner of a Bonus gets the full posted prize in a commercial room"
    return [Problem(path, words, setting.source, "G-4")]


def check_letter(game: Game, day: datetime.date) -> list[Problem]:
    """Find whether a game was approved on a day (G-26)."""
    if day >= game.approval.since:
        return []
    words = f"{day}: {game.title} was approved on {game.approval.since}"
    return [Problem("on", words, "REGULATION W-10", "G-26")]


_ZERO = "'0' to 1 is read in two ways: say Push or Loss"


def check_zero_cells(terms: Terms) -> list[Problem]:
    """Find a zero in a "to 1" cell: people read it in two ways, so the cell says Push or Loss (G-22)."""
    return [
        Problem(f"paytables.{table.wager}.{table.id}.pays.{row.event}", _ZERO, table.source.id, "G-22")
        for table in terms.tables.values()
        for row in table.rows
        if isinstance(row.pay, ToOne) and not row.pay.times
    ]


def check_money(game: Game, seat: int, wagers: Mapping[str, int], rule_set: law.RuleSet) -> list[Problem]:
    """Find which wagers are over the limits in force on a day in a kind of room (G-12, G-14)."""
    problems = []
    largest, fourth = rule_set.get("single_wager_cents_max"), rule_set.get("fourth_wager_cents_max")
    if largest is not None:
        for name, cents in wagers.items():
            multiple = game.by_name[name].multiple_max
            if cents * multiple <= largest.value:
                continue
            most = f", and the rules put up to {multiple} times that on one spot" if multiple > 1 else ""
            words = f"{dollars(cents)}{most}: the largest single wager is {dollars(largest.value)} from {largest.since}"
            problems.append(Problem(f"seat {seat} wagers.{name}", words, largest.source, largest.ruling))
    if fourth is not None and len(wagers) >= OPTIONS_MAX and min(wagers.values()) > fourth.value:
        words = f"of four wagers at least one must be {dollars(fourth.value)} or less"
        problems.append(Problem(f"seat {seat} wagers", words, fourth.source, fourth.ruling))
    return problems


# A Milky Way or Andromeda-1 has one sensor a position at seven positions, and its display does not increment with each
# wager (G-13).
ONE_SENSOR_EQUIPMENT = ("milky-way", "andromeda-1")
ONE_SENSOR_POSITIONS = 7
NO_EQUIPMENT = "none"


def check_equipment(game: Game, equipment: str | None, on: datetime.date, *, path: str = "equipment") -> list[Problem]:
    """Find whether the letters of a day approve a game's equipment; set-up, posting and opening ask the same."""
    approval = game.approval
    approved = ", ".join(approval.equipment)
    if equipment in (None, NO_EQUIPMENT):
        if not approval.equipment_required:
            return []
        words = f"{game.title} is approved with equipment only: {approved}"
        return [Problem(path, words, "REGULATION E-08", "G-13")]
    since = approval.equipment_since(str(equipment))
    if since is None:
        higher = f", {approval.equipment_or_higher} or higher" if approval.equipment_or_higher else ""
        words = f"{equipment!r} is not approved for {game.title}: {approved}{higher}"
        return [Problem(path, words, "REGULATION O-01", "G-13")]
    if on < since:
        words = f"{equipment_title(str(equipment))} is approved for {game.title} from {since} on, and this is {on}"
        return [Problem(path, words, "REGULATION W-10", "G-26")]
    return []


def equipment_notices(game: Game, equipment: str | None, *, path: str = "equipment") -> list[Problem]:
    """Find what must be confirmed of a game's equipment: rules we do not hold, a model of the room's own (G-15)."""
    if equipment is not None and game.approval.is_own_model(equipment):
        title, lowest = equipment_title(equipment), equipment_title(game.approval.equipment_or_higher)
        words = f"{title} is a model of the room's own, by {lowest!r} or higher: must be confirmed"
        return [Problem(path, words, ruling="G-15")]
    if equipment not in game.approval.equipment_to_confirm:
        return []
    words = f"{equipment_title(str(equipment))} is approved under rules not on file: must be confirmed"
    return [Problem(path, words, ruling="G-15")]


def check_jackpot_count(game: Game, number: int, on: datetime.date, *, path: str = "jackpots") -> list[Problem]:
    """Find whether a layout carries more jackpots than the letters of a day allow (G-13, G-26)."""
    allowed = game.approval.jackpots_max_on(on)
    if number <= allowed:
        return []
    words = f"{number} jackpots, but {game.title} allows {allowed} at a time"
    later = [letter.date for letter in game.approval.letters if letter.date > on and letter.jackpots_max]
    if later and number <= game.approval.jackpots_max:
        words += f" before {min(later)}"
        return [Problem(path, words, "REGULATION J-25", "G-26")]
    return [Problem(path, words, "REGULATION J-25", "G-13")]


def check_seats(
    game: Game, seats: int, equipment: str | None, rule_set: law.RuleSet, *, path: str = "seats"
) -> list[Problem]:
    """Find whether a table has more seats than players, layout, deck and the equipment's positions allow (G-16)."""
    most = seats_max(game, rule_set)
    if equipment in ONE_SENSOR_EQUIPMENT:
        most = min(most, ONE_SENSOR_POSITIONS)
    if type(seats) is int and 1 <= seats <= most:
        return []
    return [Problem(path, f"{seats} seats, but at most {most}", ruling="G-16")]


def check_configuration(configuration: Configuration) -> tuple[tuple[Problem, ...], tuple[Problem, ...]]:
    """Find every problem, and everything that rests on papers we do not hold and must be confirmed (G-15)."""
    game = find_game(configuration.game)
    rule_set = law.on(configuration.on, configuration.profile)
    terms, problems = configuration.terms_and_problems
    problems_of_all = [
        *problems,
        *_check_table(game, configuration, rule_set),
        *_check_wagers(game, configuration, rule_set),
        *_check_payout_limits(game, configuration, rule_set),
        *_check_cells(game, configuration),
        *_check_jackpots(game, configuration, rule_set),
        *_check_equipment(game, configuration, rule_set),
        *game.check_opening(terms, configuration.readings),
        *check_zero_cells(terms),
    ]
    return tuple(problems_of_all), tuple(_notices(game, configuration))


def _check_table(game: Game, configuration: Configuration, rule_set: law.RuleSet) -> list[Problem]:
    problems = check_letter(game, configuration.on)
    problems += check_seats(game, configuration.seats, configuration.equipment, rule_set)
    shoe_rule = rule_set.get("shuffler_or_shoe_only")
    if configuration.dealt == "by-hand" and shoe_rule is not None:
        words = "in a commercial room cards are dealt from an automatic shuffler or a shoe"
        sources = [source for source in (game.approval.shuffler_or_shoe, shoe_rule.source) if source]
        problems.append(Problem("dealt", words, "; ".join(sources)))
    problems += _check_cut_card(game, configuration)
    if configuration.smallest_chip_cents <= 0:
        problems.append(Problem("smallest_chip", "must be more than nothing", ruling="G-3"))
    return problems


def check_cut_card(game: Game, cut_card: Any, cards_max: int) -> list[Problem]:
    """Find whether a shoe may be dealt on until a cut card comes out after so many cards, at most so many."""
    if game.cut_card is None:
        words = f"{game.title} has a fresh shuffle before each round and no cut card"
        return [Problem("cut_card", words, "REGULATION W-10")]
    if type(cut_card) is int and 1 <= cut_card <= cards_max:
        return []
    words = f"{cut_card!r} must be a whole number of cards from 1 to {cards_max}, after which the cut card comes out"
    return [Problem("cut_card", words, game.cut_card.clause.id, game.cut_card.ruling)]


def _check_cut_card(game: Game, configuration: Configuration) -> list[Problem]:
    if configuration.cut_card is None:
        return []
    # The round in which it comes out is dealt to its end.
    shoe = configuration.terms_and_problems[0].deck.size
    problems = check_cut_card(game, configuration.cut_card, shoe - game.round_cards_max(configuration.seats) + 1)
    if not problems and game.cut_card is not None and configuration.dealt != "shoe":
        words = f"a cut card is put into a shoe, and the cards are dealt from a {configuration.dealt}: state a shoe"
        problems.append(Problem("dealt", words, game.cut_card.clause.id, game.cut_card.ruling))
    return problems


def _check_wagers(game: Game, configuration: Configuration, rule_set: law.RuleSet) -> list[Problem]:
    problems = []
    if game.base is not None and game.base.name not in configuration.wagers:
        words = f"{game.base.name} must be offered: it is required for every other wager"
        problems.append(Problem("wagers", words, game.base.clause.id, "G-19"))
    if not configuration.offered:
        problems.append(Problem("wagers", "no wager is offered"))
    largest = rule_set.get("single_wager_cents_max")
    chip = configuration.smallest_chip_cents
    for name, settings in configuration.wagers.items():
        path, multiple = f"wagers.{name}", game.by_name[name].multiple_max
        if not 0 < settings.minimum_cents <= settings.maximum_cents:
            words = f"{dollars(settings.minimum_cents)} must be more than nothing and not above the maximum"
            problems.append(Problem(f"{path}.minimum", words))
        if largest is not None and settings.maximum_cents * multiple > largest.value:
            times = f" times {multiple}, which the rules allow on one spot," if multiple > 1 else ""
            limit = f"the single wager limit of {dollars(largest.value)}"
            words = f"{dollars(settings.maximum_cents)}{times} is over {limit}"
            problems.append(Problem(f"{path}.maximum", words, largest.source, largest.ruling))
        for key, cents in (("minimum", settings.minimum_cents), ("maximum", settings.maximum_cents)):
            if chip > 0 and cents % chip:
                words = f"{dollars(cents)} cannot be wagered with chips of {dollars(chip)}"
                problems.append(Problem(f"{path}.{key}", words, ruling="G-3"))
        if settings.base_multiple_max is not None and name == (game.base.name if game.base else None):
            problems.append(Problem(f"{path}.base_multiple_max", "the base wager cannot be capped by itself"))
    return problems


def _check_payout_limits(game: Game, configuration: Configuration, rule_set: law.RuleSet) -> list[Problem]:
    """Find aggregate payout limits that the law of the day does not allow (G-65); no WAC binds a tribal room."""
    counted, least_odds = rule_set.get("aggregate_limit_odds_counted"), rule_set.get("aggregate_limit_from_odds")
    terms, wrong = configuration.terms_and_problems
    if counted is None or wrong:
        return []
    problems = []
    for name, limit in configuration.aggregate_limits.items():
        wager, settings = game.by_name[name], configuration.wagers[name]
        odds, largest = highest_odds(pay_array(wager, terms).outcomes), settings.maximum_cents * wager.multiple_max
        if least_odds is not None and odds < least_odds.value:
            words = f"its highest odds are {odds} to 1: an aggregate limit needs {least_odds.value} to 1 or more"
            problems.append(Problem(f"wagers.{name}", words, least_odds.source, "G-65"))
            continue
        floor = times(min(odds, Fraction(counted.value)), largest)
        if least_odds is None:
            # The older text: never below the least wager at the highest odds either.
            floor = max(floor, times(odds, settings.minimum_cents))
        table_times = rule_set["aggregate_table_limit_times"].value
        for key, cents, least in (
            ("player_limit", limit.player_cents, floor),
            ("table_limit", limit.table_cents, floor * table_times),
        ):
            if cents is not None and cents < least:
                words = (
                    f"{dollars(cents)} is less than {dollars(least)}: the largest wager, {dollars(largest)}, "
                    f"at its highest odds, counted up to {counted.value} to 1"
                )
                problems.append(Problem(f"wagers.{name}.{key}", words, counted.source, "G-65"))
    return problems


def check_cells(game: Game, wager: str, entries: Iterable[Any]) -> list[Problem]:
    """Find printed cells that a live table would overwrite under the printed id (G-6); research and records may."""
    problems = []
    for entry in entries:
        if not isinstance(entry, Mapping) or "like" in entry or not isinstance(entry.get("pays"), Mapping):
            continue
        table = game.paytables.get(str(entry.get("id")))
        for row, text in [] if table is None else changed_cells(table, entry["pays"]):
            assert table is not None
            words = (
                f"{table.id} prints {row.printed} and {text} is stated: an approved cell is not overwritten. "
                f'Give the table an id of the room\'s own, like = "{table.id}", and record its approval'
            )
            path = f"paytables.{wager}.{table.id}.pays.{row.event}"
            problems.append(Problem(path, words, "REGULATION W-10", "G-6"))
    return problems


def _check_cells(game: Game, configuration: Configuration) -> list[Problem]:
    stated = configuration.terms_spec.paytables
    return [problem for name, entries in stated.items() for problem in check_cells(game, name, entries)]


def _check_jackpots(game: Game, configuration: Configuration, rule_set: law.RuleSet) -> list[Problem]:
    problems = check_jackpot_count(game, len(configuration.jackpots), configuration.on)
    if configuration.jackpots and configuration.jackpot_type == "bonus":
        problems += sharing_problems(configuration.bonus_sharing, rule_set, "jackpots.bonus_sharing")
    terms = configuration.terms_and_problems[0]
    for name, settings in configuration.jackpots.items():
        if settings.fixed_prizes == "meter" and not game.approval.fixed_prizes_from_meter_allowed:
            words = "only percentage prizes are deducted from the meter in this game"
            problems.append(Problem(f"jackpots.{name}.fixed_prizes", words, game.by_name[name].clause.id, "G-5"))
        wager, meter_cents, path = game.by_name[name], configuration.meters[name], f"jackpots.{name}.meter"
        table = terms.tables.get(wager.slots[0].name)
        if table is None or table.operator_set:
            continue
        if not meter_cents and any(isinstance(row.pay, OfMeter) for row in table.rows):
            words = f"{table.id} pays a percentage of the meter: state what the meter shows"
            problems.append(Problem(path, words, table.source.id, "G-4"))
        else:
            kind = configuration.jackpot_type
            problems += meter_problems(wager, table, kind, meter_cents, settings.wager_cents, path)
    return problems


def _check_equipment(game: Game, configuration: Configuration, rule_set: law.RuleSet) -> list[Problem]:
    equipment = configuration.equipment
    problems = check_equipment(game, equipment, configuration.on)
    if not problems and equipment in ONE_SENSOR_EQUIPMENT and len(configuration.jackpots) > 1:
        words = f"{equipment_title(str(equipment))} has one sensor a position and cannot count two jackpots"
        problems.append(Problem("equipment", words, "REGULATION E-04", "G-13"))
    needs_display = configuration.jackpots and configuration.jackpot_type == "progressive"
    increments = rule_set.get("progressive_display_increments")
    if needs_display and increments is not None and equipment in ONE_SENSOR_EQUIPMENT:
        words = f"{equipment_title(str(equipment))} can't run a progressive: its display doesn't move with each wager"
        problems.append(Problem("equipment", words, increments.source, "G-13"))
    return problems


def _notices(game: Game, configuration: Configuration) -> list[Problem]:
    notices = equipment_notices(game, configuration.equipment)
    if len(configuration.jackpots) > 1 and game.approval.jackpots_to_confirm:
        words = "the approved rules for two jackpots are not on file. Confirm them with the Commission"
        notices.append(Problem("jackpots", words, ruling="G-15"))
    for own in configuration.own_tables:
        words = f"{own} is a pay table of the room's own: its approval must be confirmed"
        notices.append(Problem("approvals", words, "REGULATION W-10", "G-6"))
    if configuration.aggregate_limits:
        words = "an aggregate payout limit has an approval of its own: it must be confirmed"
        notices.append(Problem("approvals", words, "REGULATION W-13", "G-65"))
    if not any(letter.rules_held for letter in game.approval.letters):
        words = "our copy of the rules doesn't match the approval letter. Confirm it with the Commission"
        notices.append(Problem("game", words, ruling="G-15"))
    return notices
