"""What a check finds in a table's configuration: refused, to be confirmed, or advice, each with what would fix it."""

import re
from typing import Literal, NamedTuple

from pitboss import law
from pitboss.rules import Problem
from pitboss.table import Configuration, ReadConfiguration
from pitboss.table.costs import advice

Level = Literal["refused", "confirm", "advice"]
_RECALLED = re.compile(r"\b[A-Z]{1,2}-\d+\b")
_REMEDIES: tuple[tuple[str, str], ...] = (
    (r"configuration", "Correct the file so that it is TOML; `pitboss config GAME` prints one to begin from."),
    (r"game", "Ask the Commission for the rules it has approved, and keep its answer with the internal controls."),
    (r"on", "State a day on which the game is approved and its rules are on file."),
    (r"profile", "State wa-commercial or wa-tribal."),
    (r"dealt", 'State dealt = "shuffler", or "shoe" where a cut card is used.'),
    (r"decks", "State a number of decks that the game allows, or leave decks out."),
    (r"cut_card", "State another cut card, or leave cut_card out for a fresh shuffle before each round."),
    (r"seats", "Lower seats."),
    (r"smallest_chip", "State another smallest chip, or a pay table that its chips can pay."),
    (r"equipment", "State equipment of the approval letter; `pitboss tables models` lists what each model can."),
    (r"approvals.*", "Record the approval with its number and date before the table opens."),
    (r"makers.*", "Record the licensed maker or distributor in Settings."),
    (r"readings\..*", "State one of the readings; `pitboss rules GAME` lists them with their clauses."),
    (
        r".*\.pays\..*",
        "State an amount, Push or Loss; give a table with other cells an id of the room's own.",
    ),
    (r".*paytables.*", "State a pay table of the wager, with every amount that is left to the operator."),
    (r".*\.(player_limit|table_limit)", "Raise the limit, or lower the largest wager."),
    (r".*\.maximum", "Lower the maximum to what the law of that day and the chips allow."),
    (
        r".*\.minimum",
        'State a minimum in quotes, such as "5.00", that chips can make and that is not above the maximum.',
    ),
    (r".*\.base_multiple_max", "Leave base_multiple_max out here."),
    (
        r".*\.meter",
        "State another amount: in proportion to the wager, and high enough for its rows to be in order.",
    ),
    (r".*\.wager", "State another jackpot wager."),
    (r".*\.fixed_prizes", 'State fixed_prizes = "house".'),
    (r".*bonus_sharing", 'State bonus_sharing = "full".'),
    (r"jackpots(\..*)?", "Offer only jackpots that the letter allows, as the room's jackpots are defined."),
    (r"wagers(\..*)?", "Offer only wagers of the game, the base wager among them."),
)
"""By the place of a problem in the file what would put it right; the first that fits."""


class CheckFinding(NamedTuple):
    """One thing that a check finds: how grave, the problem with its place and source, what would fix it.

    `to_confirm` names what of its source is not read but recalled, or not found: that is shown and never told as law.
    """

    level: Level
    problem: Problem
    fix: str
    to_confirm: tuple[str, ...] = ()


def remedy(problem: Problem) -> str:
    """Return what would put a problem right."""
    if "unknown key" in problem.words:
        return "Remove the key, or correct its name."
    fits = (words for pattern, words in _REMEDIES if re.fullmatch(pattern, problem.path))
    return next(fits, f"Change {problem.path}.")


def unread_sources(problem: Problem, configuration: Configuration | None) -> tuple[str, ...]:
    """Return the rules behind a problem that we recall or have not found, by its clause and the settings in force."""
    texts = [problem.clause or ""]
    if configuration is not None and problem.ruling:
        settings = law.on(configuration.on, configuration.profile).settings.values()
        texts += [setting.source for setting in settings if setting.ruling == problem.ruling]
    cited = dict.fromkeys(rule for text in texts for rule in _RECALLED.findall(text))
    unread = [f"{rule} is {law.unread()[rule]}" for rule in cited if rule in law.unread()]
    pending = any("to be confirmed" in text for text in texts)
    return (*unread, *(["the day or number is not seen in a document"] if pending and not unread else []))


def findings_of(read: ReadConfiguration) -> tuple[CheckFinding, ...]:
    """Return everything that a check finds, what is refused first; advice where the table says what it pays."""
    configuration = read.configuration
    told: list[tuple[Level, Problem]] = [("refused", problem) for problem in read.problems]
    told += [("confirm", notice) for notice in read.notices]
    if configuration is not None and not configuration.terms_and_problems[1] and not read.problems:
        told += [("advice", problem) for problem in advice(configuration)]
    return tuple(
        CheckFinding(level, problem, remedy(problem), unread_sources(problem, configuration)) for level, problem in told
    )
