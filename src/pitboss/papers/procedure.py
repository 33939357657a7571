"""The dealer's procedure of a table: the deal, take or pay chip by chip, the jackpot, void rounds, equipment down."""

from collections.abc import Iterable, Iterator
from typing import Any, TypeAlias

from pitboss.paper.words import money
from pitboss.papers import document
from pitboss.papers.document import Block
from pitboss.papers.posted import (
    capital,
    hand_order,
    highest_only,
    limit_text,
    paper_tables,
    pay_block,
    prize_demands_told,
    prize_sentences,
)
from pitboss.papers.source import PaperSource
from pitboss.rules import Stage, StageKind, Wager, pay_array
from pitboss.rules.outcomes import Outcome, PartResult
from pitboss.table.checks import options_sentence
from pitboss.tabulator.descriptions import DOWN_TITLES
from pitboss.tabulator.equipment import NONE, find_model
from pitboss.tabulator.setup import DOWN_METHODS, DOWN_STEPS

_TAKE, _PUSH, _PAY = "Take", "Push", "Pay"
_Actions: TypeAlias = tuple[tuple[str, str], ...]
"""What is done with each chip, by its name."""


def _is_dealt(stage: Stage, source: PaperSource) -> bool:
    """True if a stage happens at this table: jackpots are collected only where there are any."""
    if stage.kind is StageKind.COLLECT:
        return bool(source.configuration.jackpots)
    return not stage.wagers or bool(set(stage.wagers) & set(source.configuration.offered))


def _action(part: PartResult) -> str:
    if part.prizes:
        return _PAY
    return _PUSH if part.returned else _TAKE


def _pay_text(pays: set[tuple[Any, ...]]) -> str:
    if len(pays) > 1:
        return "Pay by its table"
    [prizes] = pays
    return "Pay " + " and ".join(map(str, prizes))


def _situations(outcomes: tuple[Outcome, ...]) -> dict[tuple[str, str, _Actions], list[Outcome]]:
    """The outcomes of a wager by what the dealer sees first, its clause, and what is done with each chip."""
    groups: dict[tuple[str, str, _Actions], list[Outcome]] = {}
    for outcome in outcomes:
        reason = outcome.reasons[0]
        actions = tuple((part.part, _action(part)) for part in outcome.parts)
        groups.setdefault((reason.words.partition(":")[0], reason.clause.id, actions), []).append(outcome)
    return groups


def _marks(actions: _Actions, outcomes: list[Outcome], others: list[_Actions]) -> str:
    """What tells a situation from others that begin with the same words: its chips, or which rows of the table."""
    fewest = min(others, key=len)
    more = [chip for chip, _ in actions[len(fewest) :]]
    if more:
        return f", with {' and '.join(more)}"
    if sum(len(other) == len(actions) for other in others) == 1:
        return ""
    events = {outcome.event for outcome in outcomes}
    if all(action == _TAKE for _, action in actions):
        return ": no row that pays"
    return f": {events.pop()}" if len(events) == 1 else ": a row that pays"


def take_or_pay(wager: Wager, source: PaperSource) -> Block:
    """Return what is done with each chip of the main wager in every situation, asked of the settlement itself."""
    chips = [part.name for part in wager.parts]
    rows: dict[tuple[str, ...], None] = {}
    situations = _situations(pay_array(wager, source.configuration.terms).outcomes)
    alike: dict[str, list[_Actions]] = {}
    for words, _, actions in situations:
        alike.setdefault(words, []).append(actions)
    for (words, clause, actions), outcomes in situations.items():
        cells = dict.fromkeys(chips, "")
        for name, action in actions:
            prizes = {part.prizes for outcome in outcomes for part in outcome.parts if part.part == name}
            cells[name] = _pay_text(prizes) if action == _PAY else action
        rows[(words + _marks(actions, outcomes, alike[words]), *cells.values(), clause)] = None
    return document.grid(["When", *chips, "Rule"], rows)


def _jackpot_steps(source: PaperSource) -> list[tuple[str, str]]:
    configuration = source.configuration
    model = find_model(configuration.equipment or "")
    counted = "" if model is None else f" ({model.title})"
    clause = next(stage.clause.id for stage in source.game.stages if stage.kind is StageKind.COLLECT)
    prices = {name: money(each.wager_cents) for name, each in configuration.jackpots.items()}
    if len(set(prices.values())) == 1:
        text = f"Each jackpot wager is {next(iter(prices.values()))}. It is"
    else:
        text = "; ".join(f"{source.game.by_name[name].title}: {price}" for name, price in prices.items()) + ". They are"
    wrong = ("A wrong count: fix it on the console before the next press. The floor supervisor confirms.", _SLIPS)
    placed = (f"{capital(text)} placed before the round begins.", clause)
    if source.configuration.equipment == NONE:
        return [
            placed,
            (
                "When all wagers are set, tap the seats with a jackpot wager on the console and count the round.",
                _BY_HAND,
            ),
            ("Collect the counted jackpot wagers.", _BY_HAND),
            ("A chip put down after the count is a late bet: give it back. It wins nothing.", _LATE),
            wrong,
        ]
    return [
        placed,
        (f"When all wagers are set, press the tabulate button{counted}.", clause),
        ("Check the lights against the chips on the sensors: a lit position has been counted.", "REGULATION E-02"),
        ("Collect the counted jackpot wagers. The lights stay on until the next round.", "REGULATION E-03"),
        ("A chip put down after the button is a late bet: give it back. It is not counted and wins nothing.", _LATE),
        wrong,
    ]


_LATE, _SLIPS, _CALL = "REGULATION F-02", "REGULATION F-07", "REGULATION F-17"
_BY_HAND = "REGULATION F-05"


def _small_text(source: PaperSource) -> str:
    """Which prizes a dealer pays from the tray, as the jackpots of the table say."""
    limits = {name: cents for name, cents in source.small_prizes.items() if cents}
    if not limits:
        return "A small prize"
    texts = [f"up to {money(cents)} of the {source.game.by_name[name].title}" for name, cents in limits.items()]
    return f"A small prize, {' or '.join(texts)}"


def _seen(is_bound: bool) -> str:
    return f"{_CALL}; O-04" if is_bound else _CALL


def _call_steps(source: PaperSource) -> list[tuple[str, str]]:
    is_lit, demands = source.configuration.equipment != NONE, prize_demands_told(source)
    check = "that the light of the seat is on" if is_lit else "that the seat was counted"
    is_bound = source.rules.get("prize_surveillance_over_cents") is not None
    return [
        (f"Leave the cards on the felt. Check {check}.", _CALL),
        (f"{_small_text(source)}: choose the seat and the row on the console, pay it, and say the amount.", _CALL),
        ("A prize that must be verified: report it on the console with the cards, and call the floor.", _CALL),
        ("Nobody touches cards or chips until supervisor and surveillance have confirmed the hand.", _seen(is_bound)),
        *([(demands.text, demands.source)] if demands else []),
    ]


def _down_steps(source: PaperSource) -> list[tuple[str, str]]:
    """What is done when the equipment is down: by the method of the table, or by each where none is set up yet."""
    is_bound = source.rules.get("malfunction_report_within_hours") is not None
    rule = "REGULATION E-09; O-02" if is_bound else "REGULATION E-09"
    first = ("Tell the floor supervisor, who takes the equipment out of service on the console.", rule)
    methods = [method for method in DOWN_METHODS if source.down_method in ("", method)]
    steps = [first]
    for method in methods:
        texts = [text.partition(" (")[0].rstrip(".") for text in DOWN_STEPS[method]]
        if source.down_method:
            steps += [(f"{text}.", "REGULATION E-09") for text in texts]
        else:
            steps.append((f"{capital(DOWN_TITLES[method])}: {'. '.join(texts)}.", "REGULATION E-09"))
    return steps


def _prize_lines(source: PaperSource) -> list[tuple[str, str]]:
    """How the prizes of the jackpots are paid, each sentence once; what is not so of all of them names its own."""
    told = {name: prize_sentences(source, name) for name in source.configuration.jackpots}
    lines: dict[tuple[str, str], None] = {}
    for name, sentences in told.items():
        for line in sentences:
            is_of_all = all(line in others for others in told.values())
            whose = "" if is_of_all else f"{capital(source.game.by_name[name].title)}: "
            lines[(whose + line.text, line.source)] = None
    return list(lines)


def _hand_lines(source: PaperSource) -> list[Block]:
    """The order of hands, where they are compared, and that one hand of a wager is paid."""
    told = [line for line in (hand_order(source), highest_only(source)) if line is not None]
    return [document.paragraph(line.text, line.source) for line in told]


def _jackpot_blocks(source: PaperSource) -> Iterator[Block]:
    titles = " and ".join(source.game.by_name[name].title for name in source.configuration.jackpots)
    several = "s" if len(source.configuration.jackpots) > 1 else ""
    yield document.heading(f"The jackpot wager{several}: {capital(titles)}")
    yield document.steps(_jackpot_steps(source))
    yield document.heading("Paying and reporting a jackpot", 3)
    yield document.steps(_call_steps(source))
    yield document.bullets(_prize_lines(source))
    yield document.heading("Equipment problem", 3)
    if not source.down_method:
        yield document.paragraph("The method is one of these, as the equipment of the table is set up.")
    yield document.bullets(_down_steps(source))


_SHUFFLER = (
    "A malfunction of the automatic shuffler voids all play; wagers are returned as a push.",
    "REGULATION O-15",
)
_VOID_STEPS = (
    ("A misdeal, an exposed card, a fouled deck or a wrong count of cards voids the round: call the floor.", "G-11"),
    ("Every wager goes back to its player. Counted jackpot wagers are refunded by the house.", "G-11"),
)


def _void_steps(source: PaperSource) -> list[tuple[str, str]]:
    """What voids a round at this table: a shuffler only where its cards come from one."""
    return [*_VOID_STEPS, *([_SHUFFLER] if source.configuration.dealt == "shuffler" else [])]


_DEALT = {"shuffler": "from an automatic shuffler", "shoe": "from a shoe", "by-hand": "by hand"}


def _dealt(source: PaperSource) -> Block:
    """Where the cards come from, with the clause or the rule by which it is so: in a Tribal casino there is none."""
    dealt = source.configuration.dealt
    is_bound = source.rules.get("shuffler_or_shoe_only") is not None
    rule = (source.game.approval.shuffler_or_shoe or "REGULATION O-15") if is_bound else ""
    return document.paragraph(f"The cards are dealt {_DEALT[dealt]}.", rule)


def _before_blocks(source: PaperSource) -> list[Block]:
    game = source.game
    rows = [
        (
            game.by_name[name].title,
            ", ".join(capital(part.name) for part in game.by_name[name].parts),
            limit_text(source, name),
        )
        for name in source.configuration.offered
    ]
    return [
        document.heading("Before the round"),
        document.grid(["Wager", "Chips", "Limits>"], [(capital(title), *rest) for title, *rest in rows]),
        document.paragraph(options_sentence(source.rules, money), "G-12"),
        _dealt(source),
    ]


def _round_blocks(source: PaperSource) -> list[Block]:
    stages = [stage for stage in source.game.stages if _is_dealt(stage, source)]
    return [
        document.heading("The round"),
        document.steps((capital(f"{stage.words}."), stage.clause.id) for stage in stages),
    ]


def procedure(source: PaperSource) -> dict[str, Any]:
    """Return the view of the dealer's procedure."""
    game = source.game
    blocks = [*_before_blocks(source), *_round_blocks(source)]
    conduct = game.conduct_of("dealer")
    if conduct:
        blocks += [
            document.heading("The dealer's hands", 3),
            document.bullets((rule.words, rule.clause.id) for rule in conduct),
        ]
    blocks += [document.heading("Take or pay"), *_hand_lines(source), take_or_pay(game.main, source)]
    blocks.append(document.pay_tables(map(pay_block, paper_tables(source))))
    if source.configuration.jackpots:
        blocks += _jackpot_blocks(source)
    blocks += [document.heading("A void round"), document.bullets(_void_steps(source))]
    players = game.conduct_of("players")
    if players:
        blocks += [
            document.heading("What players must keep to"),
            document.bullets((rule.words, rule.clause.id) for rule in players),
        ]
    return {"title": "Dealer's procedure", "subtitle": game.title, "blocks": blocks}


def pit_card(source: PaperSource) -> dict[str, Any]:
    """Return the view of the one page that stands in the pit: the same steps, without the clauses behind them."""

    def bare(items: Iterable[tuple[str, str]]) -> list[tuple[str, str]]:
        return [(text, "") for text, _ in items]

    def spoken(block: Block) -> Block:
        if block["kind"] == "steps":
            return document.steps((item["text"], "") for item in block["items"])
        return block | {"source": ""} if "source" in block else block

    chips = take_or_pay(source.game.main, source)
    rows = dict.fromkeys(tuple(row[:-1]) for row in chips["rows"])
    blocks = [
        *map(spoken, (*_before_blocks(source), *_round_blocks(source))),
        document.heading("Take or pay"),
        *map(spoken, _hand_lines(source)),
        document.grid(chips["columns"][:-1], rows),
        document.pay_tables(map(pay_block, paper_tables(source)), 3),
    ]
    if source.configuration.jackpots:
        blocks += [
            document.heading("Jackpot"),
            document.steps(bare((*_jackpot_steps(source)[1:], *_call_steps(source)))),
            document.bullets(bare(_prize_lines(source))),
            document.heading("Equipment problem"),
            document.bullets(bare(_down_steps(source))),
        ]
    blocks += [document.heading("A void round"), document.bullets(bare(_void_steps(source)))]
    return {"title": "Pit card", "subtitle": source.game.title, "blocks": blocks, "is_one_page": True}
