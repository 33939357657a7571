"""What a table may do: whether a configuration may open it, and which wagers may stand together and how large."""

import datetime
from collections.abc import Iterable, Mapping

from pitboss import law
from pitboss.games import find_game
from pitboss.rules import Game, Problem, Terms, dollars
from pitboss.rules.pays import OfMeter, ToOne
from pitboss.rules.posting import meter_problems
from pitboss.rules.terms import BonusSharing
from pitboss.table.configuration import Configuration

# G-12 holds in every kind of room and on every day; a rule set may state another number.
OPTIONS_MAX = 4
SEATS_MAX = 7


def seats_max(game: Game, rule_set: law.RuleSet | None) -> int:
    """The most seats: the least of the players allowed, the layout and the deck (G-16)."""
    if rule_set is None:
        return min(game.seats_max, SEATS_MAX)
    players = rule_set.get("seats_max")
    return game.seats_max if players is None else min(game.seats_max, players.value)


def seats_usual(game: Game, rule_set: law.RuleSet) -> int:
    """The seats of a table that states none: as many as are allowed, at most seven."""
    return min(seats_max(game, rule_set), SEATS_MAX)


def options_max(rule_set: law.RuleSet | None) -> int:
    """The most wagering options that a player may use (G-12)."""
    setting = None if rule_set is None else rule_set.get("options_max")
    return OPTIONS_MAX if setting is None else setting.value


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


def check_jackpots_together(game: Game, wagered: Iterable[str], day: datetime.date | None = None) -> list[Problem]:
    """Find whether more jackpots are played at once than the layout may carry, on a day where one is known (G-13)."""
    jackpots = {wager.name for wager in game.jackpots}.intersection(wagered)
    allowed = game.approval.jackpots_on(day)
    if len(jackpots) <= allowed:
        return []
    words = (
        f"{' and '.join(sorted(jackpots))} cannot be played together: {game.title} allows {allowed} jackpot at a time"
        f"{_until(game, day)}"
    )
    return [Problem("seats", words, ruling="G-13" if allowed == game.approval.jackpots_max else "G-26")]


def _until(game: Game, day: datetime.date | None) -> str:
    since = game.approval.jackpots_max_since
    return "" if since is None or day is None or day >= since else f" before {since}"


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


# A Milky Way or Andromeda-1 has one sensor a position, and its display does not increment with each wager (G-13).
ONE_SENSOR_EQUIPMENT = ("milky-way", "andromeda-1")


def check_configuration(configuration: Configuration) -> tuple[tuple[Problem, ...], tuple[Problem, ...]]:
    """Find every problem, and everything that rests on papers we do not hold and must be confirmed (G-15)."""
    game = find_game(configuration.game)
    rule_set = law.on(configuration.on, configuration.profile)
    terms, problems = configuration.terms_and_problems
    problems_of_all = [
        *problems,
        *_check_table(game, configuration, rule_set),
        *_check_wagers(game, configuration, rule_set),
        *_check_jackpots(game, configuration, rule_set),
        *_check_equipment(game, configuration, rule_set),
        *game.check_opening(terms, configuration.readings),
        *check_zero_cells(terms),
    ]
    return tuple(problems_of_all), tuple(_notices(game, configuration))


def _check_table(game: Game, configuration: Configuration, rule_set: law.RuleSet) -> list[Problem]:
    problems = check_letter(game, configuration.on)
    most = seats_max(game, rule_set)
    if configuration.seats > most:
        problems.append(Problem("seats", f"{configuration.seats} seats, but at most {most}", ruling="G-16"))
    if configuration.dealt == "by-hand" and rule_set.get("shuffler_or_shoe_only") is not None:
        words = "in a commercial room cards are dealt from an automatic shuffler or a shoe"
        problems.append(Problem("dealt", words, rule_set["shuffler_or_shoe_only"].source))
    if configuration.smallest_chip_cents <= 0:
        problems.append(Problem("smallest_chip", "must be more than nothing", ruling="G-3"))
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


def _check_jackpots(game: Game, configuration: Configuration, rule_set: law.RuleSet) -> list[Problem]:
    problems = []
    if configuration.jackpots and configuration.jackpot_type == "bonus":
        problems += sharing_problems(configuration.bonus_sharing, rule_set, "jackpots.bonus_sharing")
    allowed, until = game.approval.jackpots_on(configuration.on), _until(game, configuration.on)
    if len(configuration.jackpots) > allowed:
        words = f"{len(configuration.jackpots)} jackpots, but {game.title} allows {allowed} at a time{until}"
        problems.append(Problem("jackpots", words, ruling="G-26" if until else "G-13"))
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
    if equipment is None:
        return []
    problems = []
    if equipment not in game.approval.equipment:
        words = f"{equipment!r} is not approved for {game.title}: {', '.join(game.approval.equipment)}"
        problems.append(Problem("equipment", words, ruling="G-13"))
    elif equipment in ONE_SENSOR_EQUIPMENT and len(configuration.jackpots) > 1:
        words = f"{equipment} has one sensor a position and cannot count two jackpots"
        problems.append(Problem("equipment", words, "REGULATION E-04", "G-13"))
    since = game.approval.equipment_since.get(equipment)
    if since is not None and configuration.on < since:
        words = f"{equipment} was added to the rules of {game.title} on {since}"
        problems.append(Problem("equipment", words, "REGULATION W-10", "G-26"))
    needs_display = configuration.jackpots and configuration.jackpot_type == "progressive"
    increments = rule_set.get("progressive_display_increments")
    if needs_display and increments is not None and equipment in ONE_SENSOR_EQUIPMENT:
        words = f"a progressive needs a display that increments with each wager; {equipment} runs Bonus jackpots"
        problems.append(Problem("equipment", words, increments.source, "G-13"))
    return problems


def _notices(game: Game, configuration: Configuration) -> list[Problem]:
    notices = []
    if configuration.equipment in game.approval.equipment_to_confirm:
        words = f"{configuration.equipment} rests on rules we do not hold: must be confirmed"
        notices.append(Problem("equipment", words, ruling="G-15"))
    if len(configuration.jackpots) > 1 and game.approval.jackpots_to_confirm:
        words = "two jackpots rest on rules we do not hold: must be confirmed"
        notices.append(Problem("jackpots", words, ruling="G-15"))
    if not any(letter.rules_held for letter in game.approval.letters):
        words = "the rules we hold are not those of the letter: must be confirmed"
        notices.append(Problem("game", words, ruling="G-15"))
    return notices
