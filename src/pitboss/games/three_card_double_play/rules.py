"""3 Card Double Play Poker: wagers, course of the round, decisions and settlement, each citing clause and ruling."""

from collections.abc import Mapping
from itertools import combinations
from typing import Any

from pitboss.cards import STANDARD_DECK, Card, card_text
from pitboss.games.three_card_double_play import facts
from pitboss.poker import THREE_CARD, three_card_tables
from pitboss.rules import Reason, Terms
from pitboss.rules.facts import EventFacts
from pitboss.rules.game import Board, Game, GameFolder, Switch
from pitboss.rules.outcomes import Events, Outcome, PartResult, lost, paid, row_words
from pitboss.rules.pays import EVEN_MONEY, Pay
from pitboss.rules.stages import CardPlace, Decisions, Face, Question, Seat, Stage, StageKind, Turn, yes_or_no
from pitboss.rules.wagers import Holds, Part, SharedDecision, Slot, Wager, event_wager, when

_FOLDER = GameFolder(__package__)
_CLAUSES = _FOLDER.clauses


def _chips(hand: facts.HighLow, high: Pay | None, low: Pay | None) -> tuple[PartResult, ...]:
    """Settle each wager and its double alike; nothing means that the dealer takes them."""
    names = ("High", "Low", "High double", "Low double") if hand.doubled else ("High", "Low")
    pays = {"High": high, "Low": low, "High double": high, "Low double": low}
    return tuple(lost(name) if pays[name] is None else paid(name, 1, pays[name]) for name in names)  # type: ignore[arg-type]


def _settle_high_low(hand: facts.HighLow, terms: Terms) -> Outcome:
    if not hand.high_wins:
        why = Reason(_CLAUSES["rule 8"], "Dealer's hand beats both hands: High and Low lose")
        return Outcome(_chips(hand, None, None), None, None, (why,))
    if not hand.low_wins:
        reasons = (
            Reason(_CLAUSES["rule 9(a)"], "Only the High Hand wins: it pays 1 to 1", "TDP-1"),
            Reason(_CLAUSES["rule 9(b)"], "Low Hand is lower than the dealer's: it loses", "TDP-2"),
        )
        return Outcome(_chips(hand, EVEN_MONEY, None), None, None, reasons)
    table = terms.tables["low-hand"]
    row = table.row(facts.LOW_HAND_EVENTS[hand.low_category])
    assert row is not None
    reasons = (
        Reason(_CLAUSES["rule 10(a)"], "Both hands win: High Hand pays even money", "TDP-1"),
        Reason(_CLAUSES["rule 10(b)"], f"Low Hand is {row_words(table, row)}", "TDP-2"),
    )
    return Outcome(_chips(hand, EVEN_MONEY, row.pay), row.event, table.id, reasons)


def _tell(hand: facts.HighLow) -> str:
    if not hand.high_wins:
        result = "both hands lose"
    elif not hand.low_wins:
        result = "only the High Hand wins"
    else:
        result = f"both hands win, Low Hand {facts.LOW_HAND_EVENTS[hand.low_category]}"
    return f"{result}, doubled" if hand.doubled else result


_TURNED = "Low Hand ranked above the High Hand: the hands were switched and settled that way"


def _question(seat: Seat, _readings: Mapping[str, str]) -> Question | None:
    if not seat.cards:
        return None
    if "high" not in seat.decisions:
        return Question(
            key="high",
            words="Which three cards for the High Hand?",
            clause=_CLAUSES["rule 3"],
            options=lambda: _settings(seat.cards),
            refusal=lambda value: _refuse_setting(value, seat.cards),
            ruling="TDP-6",
            takes_cards=True,
            turn=Turn(lambda value: tuple(card for card in seat.cards if card not in value), _TURNED, "TDP-7"),
        )
    if "double" not in seat.decisions:
        return yes_or_no("double", "Double both hands?", _CLAUSES["rule 4"])
    return None


def _settings(cards: tuple[Card, ...]) -> tuple[tuple[Card, ...], ...]:
    return tuple(high for high in combinations(cards, 3) if _refuse_setting(high, cards) is None)


def _mask(chosen: tuple[Card, ...], cards: tuple[Card, ...]) -> int:
    return sum(1 << place for place, card in enumerate(cards) if card in chosen)


def _refuse_setting(value: Any, cards: tuple[Card, ...]) -> str | None:
    foreign = [card_text(card) for card in value if card not in cards]
    if foreign:
        return f"{' '.join(foreign)} not among the player's cards"
    if len(value) != 3 or len(set(value)) != 3:
        return "the High Hand must be three different cards of the six"
    if len(set(cards)) != 6:
        return None
    high, low = facts.hand_values(cards, _mask(value, cards), three_card_tables())
    if low > high:
        return "the Low Hand ranks above the High Hand: turn them round"
    return None


def _choices(decisions: Decisions, cards: tuple[Card, ...]) -> tuple[int, ...]:
    return (_mask(decisions.get("high", ()), cards), 1 if decisions.get("double") else 0)


def _describe(seat: Seat, board: tuple[Card, ...]) -> tuple[str, ...]:
    words = []
    high = seat.decisions.get("high")
    if high:
        low = tuple(card for card in seat.cards if card not in high)
        words += [f"High Hand {THREE_CARD.hand(high).words}", f"Low Hand {THREE_CARD.hand(low).words}"]
    if len(board) == 5:
        words.append(f"dealer {THREE_CARD.best(board).words}")
    return tuple(words)


def _why_pick_3(_hand: EventFacts, terms: Terms) -> tuple[Reason, ...]:
    if terms.readings["pick3_basis"] == "best":
        words = "Best-paying split of the six cards into two hands, however they were set"
    else:
        words = "The two hands as the player set them"
    return (
        Reason(_CLAUSES["Pick-3"], words, "TDP-3"),
        Reason(_CLAUSES["Appendix B note 2"], "No card counts twice", "TDP-4"),
    )


_WAGERS = (
    Wager(
        name="high-low",
        title="High Hand and Low Hand",
        clause=_CLAUSES["rule 1"],
        words="Two three-card hands of six cards against the dealer's best three of five; both may be doubled.",
        slots=(
            Slot(
                "low-hand",
                _FOLDER.table_ids("LWB"),
                pays=("Low", "Low double"),
                title="Low Hand",
                condition="when both hands win or copy",
            ),
        ),
        parts=(
            Part("High"),
            Part("Low"),
            Part("High double", placed=when("double")),
            Part("Low double", placed=when("double")),
        ),
        facts=facts.HighLow,
        bounds=facts.HighLow.bounds(),
        read=facts.read_high_low,
        settle=_settle_high_low,
        tell=_tell,
        base=True,
    ),
    event_wager(
        name="pick-3",
        title="Pick-3",
        clause=_CLAUSES["Pick-3"],
        words="One or both three-card hands are strong.",
        ids=_FOLDER.table_ids("P3"),
        read=facts.read_pick_3,
        events=Events(facts.PICK_3_EVENTS, residual="Other"),
        one_prize=_CLAUSES["Appendix B note 3"],
        why=_why_pick_3,
        switches=("pick3_basis",),
        shares=SharedDecision(
            main="high-low", switch="pick3_basis", readings=("as_set",), basis="beside-high-low", follows_branch=True
        ),
    ),
    event_wager(
        name="pick-5",
        title="Pick-5",
        clause=_CLAUSES["Pick-5"],
        words="The best five of the six cards make two pairs or better.",
        ids=_FOLDER.table_ids("P5"),
        read=facts.read_pick_5,
        events=Events(facts.PICK_5_EVENTS, residual="Other"),
        one_prize=_CLAUSES["Appendix C note 2"],
        why=(Reason(_CLAUSES["Appendix C note 2"], "Best five of the six cards", "TDP-5"),),
    ),
    event_wager(
        name="super-3s",
        title="Super-3's Jackpot",
        clause=_CLAUSES["Super-3's"],
        words="The six cards divide into one or two strong three-card hands.",
        part="Super-3's",
        ids=_FOLDER.table_ids("S3J"),
        read=facts.read_super_3s,
        events=Events(facts.SUPER_3S_EVENTS, residual="Other"),
        one_prize=_CLAUSES["Appendix D note 2"],
        why=(Reason(_CLAUSES["Super-3's"], "Best split of the six cards", "TDP-3"),),
        jackpot=True,
        holds=Holds(seat=6),
    ),
    event_wager(
        name="super-six",
        title="Super-Six Jackpot",
        clause=_CLAUSES["Super-Six"],
        words="The six cards make a straight or better.",
        part="Super-Six",
        ids=_FOLDER.table_ids("S6J"),
        read=facts.read_super_six,
        events=Events(facts.SUPER_SIX_EVENTS, residual="Three of a kind or less"),
        one_prize=_CLAUSES["Appendix E note 2"],
        why=(Reason(_CLAUSES["Super-Six"], "Best hand of the six cards", "TDP-5"),),
        jackpot=True,
        holds=Holds(seat=6),
    ),
)
_EVERY_WAGER = tuple(wager.name for wager in _WAGERS)

_STAGES = (
    Stage(StageKind.COLLECT, _CLAUSES["Appendix X"], "jackpot wagers are counted and collected"),
    Stage(StageKind.DEAL, _CLAUSES["rule 2"], "six cards face down to each seat", faces=(Face.OWN,) * 6),
    Stage(
        StageKind.DEAL,
        _CLAUSES["rule 2"],
        "five cards face down to the dealer",
        who=CardPlace.BOARD,
        faces=(Face.UNSEEN,) * 5,
    ),
    Stage(StageKind.DECIDE, _CLAUSES["rule 3"], "each seat in rotation sets its hands and may double"),
    Stage(StageKind.SHOW, _CLAUSES["rule 6"], "the dealer's hand is revealed", who=CardPlace.BOARD),
    Stage(StageKind.SHOW, _CLAUSES["rule 7"], "the players' hands are shown"),
    Stage(StageKind.SETTLE, _CLAUSES["rule 7"], "every wager is taken or paid", wagers=_EVERY_WAGER),
)

GAME = Game(
    name="three-card-double-play",
    title="3 Card Double Play Poker",
    code="TDP",
    deck=STANDARD_DECK,
    board=Board("dealer", 5),
    wagers=_WAGERS,
    stages=_STAGES,
    decisions=("high", "double"),
    card_decisions=frozenset({"high"}),
    question=_question,
    choices=_choices,
    tables=three_card_tables,
    switches=(
        Switch(
            name="pick3_basis",
            readings={
                "best": "the best-paying division of the six cards, however the player set them",
                "as_set": "The two hands as the player set them",
            },
            clause=_CLAUSES["Pick-3"],
            ruling="TDP-3",
        ),
    ),
    describe=_describe,
    hand_order=tuple(category.words for category in THREE_CARD.categories),
    hand_order_source=_CLAUSES["rule 5"].id,
    equal_hands_source=_CLAUSES["rule 7, copies"].id,
    **_FOLDER.fields(loops="loops", rounds="play", strategy="play"),
)
