"""The dealer's procedure of a table: the deal, take or pay chip by chip, the jackpot, void rounds, equipment down."""

from collections.abc import Iterator
from typing import Any

from pitboss.paper.words import money
from pitboss.papers import document
from pitboss.papers.document import Block
from pitboss.papers.posted import capital, limit_text, paper_tables, pay_block
from pitboss.papers.source import PaperSource
from pitboss.rules import Stage, StageKind, Wager, pay_array
from pitboss.rules.outcomes import Outcome, PartResult
from pitboss.table.checks import options_sentence
from pitboss.tabulator.equipment import find_model

_TAKE, _PUSH, _PAY = "Take", "Push", "Pay"


def _is_dealt(stage: Stage, source: PaperSource) -> bool:
    """Whether a stage happens at this table: jackpots are collected only where there are any."""
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


def _situations(outcomes: tuple[Outcome, ...]) -> dict[tuple[str, str, tuple[tuple[str, str], ...]], list[Outcome]]:
    """The outcomes of a wager by what the dealer sees first, its clause, and what is done with each chip."""
    groups: dict[tuple[str, str, tuple[tuple[str, str], ...]], list[Outcome]] = {}
    for outcome in outcomes:
        reason = outcome.reasons[0]
        actions = tuple((part.part, _action(part)) for part in outcome.parts)
        groups.setdefault((reason.words.partition(":")[0], reason.clause.id, actions), []).append(outcome)
    return groups


def take_or_pay(wager: Wager, source: PaperSource) -> Block:
    """Return what is done with each chip of the main wager in every situation, asked of the settlement itself."""
    chips = [part.name for part in wager.parts]
    rows: dict[tuple[str, ...], None] = {}
    for (words, clause, actions), outcomes in _situations(
        pay_array(wager, source.configuration.terms).outcomes
    ).items():
        cells = dict.fromkeys(chips, "")
        for name, action in actions:
            prizes = {part.prizes for outcome in outcomes for part in outcome.parts if part.part == name}
            cells[name] = _pay_text(prizes) if action == _PAY else action
        rows[(words, *cells.values(), clause)] = None
    return document.grid(["When", *chips, "Rule"], rows)


def _jackpot_blocks(source: PaperSource) -> Iterator[Block]:
    configuration = source.configuration
    model = find_model(configuration.equipment or "")
    counted = "" if model is None else f" ({model.title})"
    clause = next(stage.clause.id for stage in source.game.stages if stage.kind is StageKind.COLLECT)
    titles = " and ".join(source.game.by_name[name].title for name in configuration.jackpots)
    wager = " and ".join(dict.fromkeys(money(each.wager_cents) for each in configuration.jackpots.values()))
    yield document.heading(f"The jackpot wager: {titles}")
    yield document.steps(
        [
            (f"Each jackpot wager is {wager}. It is placed before the round begins.", clause),
            (f"When all wagers are set, press the tabulate button{counted}.", clause),
            ("Check the lights against the chips on the sensors: a lit position has been counted.", "REGULATION E-02"),
            ("Collect the counted jackpot wagers. The lights stay on until the next round.", "REGULATION E-03"),
            (
                "A chip put down after the button is a late bet: give it back. It is not counted, and it wins nothing.",
                "REGULATION F-02",
            ),
            (
                "A wrong count: call it on the console before the next press. The floor supervisor confirms.",
                "REGULATION F-07",
            ),
        ]
    )
    yield document.heading("Paying and calling a jackpot", 3)
    yield document.steps(
        [
            ("Leave the cards on the felt. Check that the light of the seat is on.", "REGULATION F-17"),
            (
                "A small prize: choose the seat and the row on the console, pay it, and say the amount.",
                "REGULATION F-17",
            ),
            (
                "A prize that must be verified: call it on the console with the cards, and call the floor.",
                "REGULATION F-17",
            ),
            (
                "Nobody touches cards or chips until the supervisor and surveillance have confirmed the hand.",
                "REGULATION O-04",
            ),
        ]
    )


def _void_blocks() -> Iterator[Block]:
    yield document.heading("A void round")
    yield document.bullets(
        [
            (
                "A misdeal, an exposed card, a fouled deck or a wrong count of cards voids the round: call the floor.",
                "G-11",
            ),
            ("Every wager goes back to its player. Counted jackpot wagers are refunded by the house.", "G-11"),
            (
                "A malfunction of the automatic shuffler voids all play; wagers are returned as a push.",
                "REGULATION O-15",
            ),
        ]
    )


def procedure(source: PaperSource) -> dict[str, Any]:
    """Return the view of the dealer's procedure."""
    game, configuration = source.game, source.configuration
    stages = [stage for stage in game.stages if _is_dealt(stage, source)]
    blocks = [
        document.heading("Before the round"),
        document.grid(
            ["Wager", "Chips", "Limits>"],
            [
                (
                    game.by_name[name].title,
                    ", ".join(part.name for part in game.by_name[name].parts),
                    limit_text(source, name),
                )
                for name in configuration.offered
            ],
        ),
        document.paragraph(options_sentence(source.rules, money), "G-12"),
        document.heading("The round"),
        document.steps((capital(f"{stage.words}."), stage.clause.id) for stage in stages),
    ]
    conduct = game.conduct_of("dealer")
    if conduct:
        blocks += [
            document.heading("The dealer's hands", 3),
            document.bullets((rule.words, rule.clause.id) for rule in conduct),
        ]
    blocks += [document.heading("Take or pay"), take_or_pay(game.main, source)]
    blocks.append(document.pay_tables(map(pay_block, paper_tables(source))))
    if configuration.jackpots:
        blocks += _jackpot_blocks(source)
    blocks += [*_void_blocks(), document.heading("What players must keep to")]
    blocks.append(document.bullets((rule.words, rule.clause.id) for rule in game.conduct_of("players")))
    return {"title": "Dealer's procedure", "subtitle": game.title, "blocks": blocks}
