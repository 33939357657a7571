"""Four Card Prime: wagers, course of the round, decisions and settlement, each citing clause and ruling."""

from collections.abc import Mapping
from typing import Any

from pitboss.cards import STANDARD_DECK, Card
from pitboss.games.four_card_prime import facts
from pitboss.poker import FOUR_CARD, four_card_tables
from pitboss.rules import Problem, Reason, Terms
from pitboss.rules.facts import BELOW, EQUAL
from pitboss.rules.game import Board, Game, GameFolder, Switch
from pitboss.rules.outcomes import Events, Outcome, lost, paid, paid_row
from pitboss.rules.pays import EVEN_MONEY, Loss, Push
from pitboss.rules.stages import CardPlace, Decisions, Face, Question, Seat, Stage, StageKind
from pitboss.rules.wagers import EnvyRule, Holds, Part, Slot, Wager, event_wager

_FOLDER = GameFolder(__package__)
_CLAUSES = _FOLDER.clauses
_BONUS_EVENTS = Events(facts.BONUS_EVENTS, residual="Flush or less")
_RAISES = (0, 1, 2, 3)


def _settle_ante_raise(hand: facts.AnteRaise, terms: Terms) -> Outcome:
    if hand.raised == 0:
        why = Reason(_CLAUSES["rule 3"], "Player folded: Ante loses")
        return Outcome((lost("Ante"),), None, None, (why,))
    if hand.comparison == BELOW:
        return _settle_beaten(hand, terms)
    table = terms.tables["win-bonus"]
    row = paid_row(_BONUS_EVENTS, table, hand.events, printed_order=False)
    assert row is not None
    clause = _CLAUSES["rule 8, Win Bonus" if hand.events else "rule 8, flush or lower"]
    reasons = [Reason(clause, "Player's hand wins: Ante and Raise pay even money")]
    if hand.comparison == EQUAL:
        reasons.append(Reason(_CLAUSES["rule 6, copies"], "Copy (tie): the player wins", "FCP-1"))
    if isinstance(row.pay, Push | Loss):
        reasons.append(Reason(_CLAUSES["Appendix A"], f"{row.event}: {table.id} adds no Win Bonus", "FCP-3"))
    else:
        words = f"{row.event}: {table.id} adds a Win Bonus of {row.pay} on the Ante"
        reasons.append(Reason(_CLAUSES["rule 8, Win Bonus"], words, "FCP-3"))
    chips = (paid("Ante", 1, EVEN_MONEY, row.pay), paid("Raise", hand.raised, EVEN_MONEY))
    return Outcome(chips, row.event, table.id, tuple(reasons))


def _settle_beaten(hand: facts.AnteRaise, terms: Terms) -> Outcome:
    table = terms.tables["bad-beat"]
    row = paid_row(_BONUS_EVENTS, table, hand.events, printed_order=False)
    assert row is not None
    if isinstance(row.pay, Loss):
        why = Reason(_CLAUSES["rule 7, flush or lower"], "Beaten with a flush or lower: Ante and Raise lose")
        return Outcome((lost("Ante"), lost("Raise", hand.raised)), row.event, table.id, (why,))
    reasons = (
        Reason(
            _CLAUSES["rule 7, Bad Beat"],
            f"Beaten with {row.event} (Bad Beat): {table.id} pays {row.pay} on the Ante",
            "FCP-3",
        ),
        Reason(_CLAUSES["Appendix A note 3"], "Ante pushes, Raise loses", "FCP-3"),
    )
    return Outcome((paid("Ante", 1, Push(), row.pay), lost("Raise", hand.raised)), row.event, table.id, reasons)


def _tell(hand: facts.AnteRaise) -> str:
    if hand.raised == 0:
        return "folds"
    how = {BELOW: "beaten with", EQUAL: "copies with"}.get(hand.comparison, "wins with")
    return f"raises {hand.raised}, {how} {_BONUS_EVENTS.first(hand.events)}"


def _check(terms: Terms) -> tuple[Problem, ...]:
    table = terms.tables.get("four-card-jackpot")
    if table is None or table.printed_id != "FCJ-3" or terms.jackpot_type == "bonus":
        return ()
    words = "FCJ-3 is for a Bonus jackpot only, not for a progressive"
    return (Problem("paytables.four-card-jackpot", words, _CLAUSES["Appendix E note 8"].id, "FCP-6"),)


def _question(seat: Seat, _readings: Mapping[str, str]) -> Question | None:
    if "raise" in seat.decisions or not seat.cards:
        return None
    return Question(
        key="raise",
        words="Raise 1, 2 or 3 times the Ante, or 0 to fold?",
        clause=_CLAUSES["rule 4"],
        options=lambda: _RAISES,
        refusal=_refuse_raise,
        ruling="FCP-2",
    )


def _refuse_raise(value: Any) -> str | None:
    if isinstance(value, bool) or not isinstance(value, int) or value not in _RAISES:
        return f"{value!r} must be 0, 1, 2 or 3"
    return None


def _choices(decisions: Decisions, _cards: tuple[Card, ...]) -> tuple[int, ...]:
    return (decisions.get("raise", 0),)


def _describe(seat: Seat, board: tuple[Card, ...]) -> tuple[str, ...]:
    words = [f"player {FOUR_CARD.best(seat.cards).words}"]
    if len(board) == 6:
        words.append(f"dealer {FOUR_CARD.best(board).words}")
    return tuple(words)


_WAGERS = (
    Wager(
        name="ante-raise",
        title="Ante and Raise",
        clause=_CLAUSES["rule 1"],
        words="Best four of five against the dealer's best four of six. Raise one to three times the Ante, or fold.",
        slots=(
            Slot(
                "win-bonus",
                _FOLDER.table_ids("Win"),
                pays=("Ante",),
                title="Win Bonus",
                condition="on the Ante, when the hand wins or copies",
            ),
            Slot(
                "bad-beat",
                _FOLDER.table_ids("BB"),
                pays=("Ante",),
                title="Bad Beat",
                condition="on the Ante, when the dealer's hand is higher",
            ),
        ),
        parts=(Part("Ante"), Part("Raise", _RAISES[-1], placed=lambda decisions: int(decisions.get("raise", 0)))),
        facts=facts.AnteRaise,
        bounds=facts.AnteRaise.bounds(),
        read=facts.read_ante_raise,
        settle=_settle_ante_raise,
        tell=_tell,
        base=True,
    ),
    event_wager(
        name="aces-baby",
        title="Aces Baby",
        clause=_CLAUSES["Aces Baby"],
        words="A four-card hand of a pair of aces or better.",
        ids=_FOLDER.table_ids("AB"),
        read=facts.read_aces_baby,
        events=Events(facts.ACES_BABY_EVENTS, residual="Kings or less"),
        one_prize=_CLAUSES["Aces Baby"],
        why=(Reason(_CLAUSES["Appendix B note 2"], "Best-paying of the player's four-card hands", "FCP-4"),),
    ),
    event_wager(
        name="prime",
        title="Prime",
        clause=_CLAUSES["Prime"],
        words="Four or five cards of one color.",
        ids=_FOLDER.table_ids("Prime"),
        read=facts.read_prime,
        events=Events(facts.PRIME_EVENTS),
        one_prize=_CLAUSES["Prime"],
        why=(Reason(_CLAUSES["Appendix C note 2"], "Colors of the player's five cards"),),
        missed="Fewer than four of one color",
    ),
    event_wager(
        name="five-card-jackpot",
        title="Five Card Jackpot",
        clause=_CLAUSES["Five Card Jackpot"],
        words="The five cards make three of a kind or better.",
        ids=_FOLDER.table_ids("PJ"),
        read=facts.read_five_card_jackpot,
        events=Events(facts.FIVE_CARD_EVENTS, residual="two pairs & less"),
        one_prize=_CLAUSES["Appendix D note 2"],
        jackpot=True,
        holds=Holds(seat=5),
    ),
    event_wager(
        name="four-card-jackpot",
        title="Four Card Jackpot",
        clause=_CLAUSES["Four Card Jackpot"],
        words="The best four cards make trips or better; Envy when another seat makes a high one.",
        ids=_FOLDER.table_ids("FCJ"),
        read=facts.read_four_card_jackpot,
        events=Events(facts.FOUR_CARD_EVENTS),
        one_prize=_CLAUSES["Appendix E note 5"],
        why=(Reason(_CLAUSES["Appendix E note 2"], "Player's best four-card hand"),),
        missed="Less than trips",
        jackpot=True,
        holds=Holds(seat=5),
        switches=("envy_trigger",),
        envy=EnvyRule("envy_trigger", "any_hand", _CLAUSES["Appendix E note 3"], "FCP-5"),
    ),
)
_EVERY_WAGER = tuple(wager.name for wager in _WAGERS)

_STAGES = (
    Stage(StageKind.COLLECT, _CLAUSES["Appendix X"], "jackpot wagers are counted and collected"),
    Stage(StageKind.DEAL, _CLAUSES["rule 2"], "five cards face down to each seat", faces=(Face.OWN,) * 5),
    Stage(
        StageKind.DEAL,
        _CLAUSES["rule 2"],
        "six cards to the dealer, the first face up",
        who=CardPlace.BOARD,
        faces=(Face.UP, *(Face.UNSEEN,) * 5),
    ),
    Stage(StageKind.DECIDE, _CLAUSES["rule 4"], "each seat in rotation raises or folds"),
    Stage(StageKind.SHOW, _CLAUSES["rule 5"], "the dealer's hand is revealed", who=CardPlace.BOARD),
    Stage(StageKind.SHOW, _CLAUSES["rule 6"], "the players' hands are shown"),
    Stage(StageKind.SETTLE, _CLAUSES["rule 6"], "every wager is taken or paid", wagers=_EVERY_WAGER),
)

GAME = Game(
    name="four-card-prime",
    title="Four Card Prime",
    code="FCP",
    deck=STANDARD_DECK,
    board=Board("dealer", 6),
    wagers=_WAGERS,
    stages=_STAGES,
    decisions=("raise",),
    question=_question,
    choices=_choices,
    tables=four_card_tables,
    switches=(
        Switch(
            name="envy_trigger",
            readings={
                "any_hand": "any other player's hand triggers Envy",
                "wagered": "only a hand that carries the wager itself triggers Envy",
            },
            clause=_CLAUSES["Four Card Jackpot, Envy"],
            ruling="FCP-5",
        ),
    ),
    check=_check,
    describe=_describe,
    hand_order=tuple(category.words for category in FOUR_CARD.categories),
    hand_order_source=_CLAUSES["rule 6"].id,
    equal_hands_source=_CLAUSES["rule 6, copies"].id,
    **_FOLDER.fields(loops="loops", rounds="play", strategy="play"),
)
