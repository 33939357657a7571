"""Deuces Wild: wagers, course of the round and settlement, each citing clause and ruling."""

from collections.abc import Mapping
from functools import partial
from itertools import combinations
from typing import Any

from pitboss.cards import JOKER_DECK, Card, card_text
from pitboss.games.deuces_wild import facts
from pitboss.law import Clauses
from pitboss.poker import WILD_FIVE_CARD, WILD_THREE_CARD
from pitboss.poker.made import is_wild, wild_three_card_made
from pitboss.rules import Problem, Reason, Terms
from pitboss.rules.facts import EventFacts
from pitboss.rules.game import Board, Game, GameFolder, Switch
from pitboss.rules.outcomes import Events, Outcome, lost, paid, paid_row, why_row
from pitboss.rules.stages import CardPlace, Decisions, Face, Question, Seat, Stage, StageKind, yes_or_no
from pitboss.rules.wagers import Holds, Part, SharedDecision, Slot, Wager, event_wager, when

ANTE, TREASURE, FORTUNE, JACKPOT = "ante-play-raise", "three-card-treasure", "five-card-fortune", "bonus-jackpot"


def _played(seat: Seat) -> bool:
    return bool(seat.decisions.get("play"))


def looks_at_three_cards(seat: Seat) -> bool:
    """Step 19: a seat with an Ante or a Treasure wager examines its three cards (DW-9)."""
    return ANTE in seat.wagers or TREASURE in seat.wagers


def looks_when_selecting(seat: Seat) -> bool:
    """A Fortune seat looks when it selects (DW-9)."""
    return FORTUNE in seat.wagers


def has_won_treasure(seat: Seat) -> bool:
    """Step 20(b): only a winning Treasure hand is turned face up (DW-8)."""
    return TREASURE in seat.wagers and wild_three_card_made(seat.cards[:3]) != 0


def gets_fourth_card(seat: Seat) -> bool:
    """Rule 7: a seat that played, or has the jackpot wager."""
    return _played(seat) or JACKPOT in seat.wagers


def looks_at_fourth_card(seat: Seat) -> bool:
    """Step 22: only players who placed the Ante and Play wagers examine their fourth card."""
    return _played(seat)


def gets_fifth_card(seat: Seat) -> bool:
    """Rule 7: a seat that raised, or has the jackpot wager."""
    return bool(seat.decisions.get("raise")) or JACKPOT in seat.wagers


def selected_positions(seat: Seat) -> tuple[int, ...]:
    """Name the cards that are shown at the end: all of a raised or jackpot hand, else those selected for Fortune."""
    if gets_fifth_card(seat):
        return tuple(range(len(seat.cards)))
    chosen = seat.decisions.get("fortune", ())
    return tuple(place for place, card in enumerate(seat.cards) if card in chosen)


def question(clauses: Clauses, seat: Seat, readings: Mapping[str, str]) -> Question | None:
    """Return what the seat must decide next with the cards it holds."""
    decided = seat.decisions
    if len(seat.cards) < 3 or "fortune" in decided:
        return None
    if ANTE in seat.wagers and "play" not in decided:
        return yes_or_no("play", "Play (a wager equal to the Ante) or fold?", clauses["rule 5"])
    if not _played(seat):
        return _fortune_question(clauses, seat, 3, "step 21")
    if len(seat.cards) < 4:
        return None
    if "raise" not in decided:
        words = "Raise (a wager equal to Ante and Play together) or fold?"
        return yes_or_no("raise", words, clauses["rule 7, raise"])
    if not decided["raise"] or readings["fortune_after_raise"] == "player_selects":
        return _fortune_question(clauses, seat, 4, "step 22(a)(iii)")
    return None


def _fortune_question(clauses: Clauses, seat: Seat, held: int, place: str) -> Question | None:
    if FORTUNE not in seat.wagers:
        return None
    cards = seat.cards[:held]
    return Question(
        key="fortune",
        words="Which card (or wild cards) for the Five Card Fortune?",
        clause=clauses[place],
        options=lambda: _selections(cards),
        refusal=lambda value: _refuse_selection(value, cards),
        ruling="DW-6",
        takes_cards=True,
    )


def _selections(cards: tuple[Card, ...]) -> tuple[tuple[Card, ...], ...]:
    wild = [card for card in cards if is_wild(card)]
    several = [chosen for count in range(2, len(wild) + 1) for chosen in combinations(wild, count)]
    return (*((card,) for card in cards), *several)


def _refuse_selection(value: Any, cards: tuple[Card, ...]) -> str | None:
    foreign = [card_text(card) for card in value if card not in cards]
    if foreign:
        return f"{' '.join(foreign)} not among the {len(cards)} cards held when selecting"
    if len(set(value)) != len(value):
        return "a card is selected twice"
    if not value:
        return "at least one card must be selected"
    if len(value) > 1 and not all(is_wild(card) for card in value):
        return "two or more cards may be selected only if all of them are wild"
    return None


def choices(decisions: Decisions, cards: tuple[Card, ...]) -> tuple[int, ...]:
    """Encode the decisions as integers: played, raised, the Fortune selection as a bit for each card."""
    selected = decisions.get("fortune", ())
    mask = 0
    for place, card in enumerate(cards):
        if card in selected:
            mask |= 1 << place
    return (1 if decisions.get("play") else 0, 1 if decisions.get("raise") else 0, mask)


_FOLDER = GameFolder(__package__)
_CLAUSES = _FOLDER.clauses
_HAND_EVENTS = Events(facts.HAND_EVENTS)


def _settle_ante_play_raise(hand: facts.AntePlayRaise, terms: Terms) -> Outcome:
    if hand.course == facts.FOLDED_AT_THREE:
        why = Reason(_CLAUSES["step 21(a)"], "Folded at three cards: Ante loses")
        return Outcome((lost("Ante"),), None, None, (why,))
    if hand.course == facts.FOLDED_AT_FOUR:
        why = Reason(_CLAUSES["step 22(a)"], "Folded at four cards: Ante and Play lose")
        return Outcome((lost("Ante"), lost("Play")), None, None, (why,))
    table = terms.tables["ante-play-raise"]
    row = paid_row(_HAND_EVENTS, table, hand.events, printed_order=False)
    reasons = why_row(
        table, row, _HAND_EVENTS.made_in(table, hand.events), _CLAUSES["Appendix A note"], "Less than two pair"
    )
    best = Reason(_CLAUSES["rule 8"], "Five-card hand against the pay table", "DW-2")
    if row is None:
        why_lost = Reason(_CLAUSES["step 24(a)"], "Ante, Play and Raise lose")
        return Outcome((lost("Ante"), lost("Play"), lost("Raise", 2)), None, table.id, (best, *reasons, why_lost))
    won = Reason(_CLAUSES["step 24(b)"], "Ante, Play and Raise each pay these odds", "DW-3")
    wild = Reason(_CLAUSES["Appendix A, wild"], "Deuces and the joker are wild", "DW-1")
    chips = (paid("Ante", 1, row.pay), paid("Play", 1, row.pay), paid("Raise", 2, row.pay))
    return Outcome(chips, row.event, table.id, (best, wild, *reasons, won))


def _tell(hand: facts.AntePlayRaise) -> str:
    folds = {facts.FOLDED_AT_THREE: "folds at three cards", facts.FOLDED_AT_FOUR: "folds at four cards"}
    return folds.get(hand.course) or f"raises and makes {_HAND_EVENTS.first(hand.events)}"


def _why_fortune(_hand: EventFacts, terms: Terms) -> tuple[Reason, ...]:
    if terms.readings["fortune_after_raise"] == "player_selects":
        words = "Selected card or wild cards with the four community cards"
    else:
        words = "Selection with the four community cards; after a Raise the dealer takes the best selection"
    return (Reason(_CLAUSES["Appendix C"], words, "DW-6"),)


def _check_opening(terms: Terms, _readings: Mapping[str, str]) -> tuple[Problem, ...]:
    if "five-card-fortune" not in terms.tables or terms.readings["fortune_after_raise"] == "player_selects":
        return ()
    if "five-card-fortune" in terms.base_multiples_max:
        return ()
    words = "dealer_takes_best can be beaten by large Fortune wagers: set base_multiple_max for five-card-fortune"
    return (Problem("readings.fortune_after_raise", words, _CLAUSES["step 23"].id, "DW-6"),)


def _describe(seat: Seat, board: tuple[Card, ...]) -> tuple[str, ...]:
    words = [f"first three cards {WILD_THREE_CARD.hand(seat.cards[:3]).words}"]
    if len(seat.cards) == 5:
        words.append(f"five cards {WILD_FIVE_CARD.hand(seat.cards).words}")
    chosen = seat.decisions.get("fortune")
    if chosen and len(board) == 4:
        words.append(f"Fortune {WILD_FIVE_CARD.best((*chosen, *board)).words}")
    return tuple(words)


def _goes_on(seats: tuple[Seat, ...]) -> bool:
    """Return whether the fourth community card is dealt: someone plays on, or a Fortune wager is alive (DW-10)."""
    return any(_played(seat) or looks_when_selecting(seat) for seat in seats)


_WAGERS = (
    Wager(
        name="ante-play-raise",
        title="Ante, Play and Raise",
        clause=_CLAUSES["summary 2(a)"],
        words="Five cards make two pair or better. Play equals the Ante, Raise equals both together.",
        slots=(Slot("ante-play-raise", _FOLDER.table_ids("APR")),),
        parts=(Part("Ante"), Part("Play", placed=when("play")), Part("Raise", 2, placed=when("raise", 2))),
        facts=facts.AntePlayRaise,
        bounds=facts.AntePlayRaise.bounds(),
        read=facts.read_ante_play_raise,
        settle=_settle_ante_play_raise,
        tell=_tell,
    ),
    event_wager(
        name="three-card-treasure",
        title="Three Card Treasure",
        clause=_CLAUSES["summary 2(b)"],
        words="The first three cards make a flush or better.",
        ids=_FOLDER.table_ids("TCT"),
        read=facts.read_treasure,
        events=Events(facts.TREASURE_EVENTS),
        one_prize=_CLAUSES["Appendix B note"],
        why=(Reason(_CLAUSES["rule 6"], "First three cards, wild cards included", "DW-8"),),
        missed="Less than a flush",
    ),
    event_wager(
        name="five-card-fortune",
        title="Five Card Fortune",
        clause=_CLAUSES["summary 2(c)"],
        words="One card, or any number of wild cards, with the four community cards make a straight or better.",
        ids=_FOLDER.table_ids("FCF"),
        read=facts.read_fortune,
        events=_HAND_EVENTS,
        one_prize=_CLAUSES["Appendix C note"],
        why=_why_fortune,
        missed="Less than two pair",
        switches=("fortune_after_raise",),
        shares=SharedDecision(
            main="ante-play-raise",
            switch="fortune_after_raise",
            readings=("player_selects", "dealer_takes_best"),
            basis="beside-ante",
            follows_branch=False,
        ),
    ),
    event_wager(
        name="bonus-jackpot",
        title="Bonus Jackpot",
        clause=_CLAUSES["summary 2(d)"],
        words="Two or more wild cards in five; five wild cards win the Bonus.",
        ids=_FOLDER.table_ids("BJ"),
        read=facts.read_bonus_jackpot,
        events=Events(facts.JACKPOT_EVENTS),
        one_prize=_CLAUSES["Appendix D note"],
        why=(Reason(_CLAUSES["footnote 1"], "This wager gets five cards whatever else happens", "DW-7"),),
        missed="Fewer than two wild cards",
        jackpot=True,
        holds=Holds(seat=5),
        bonus_cells_by_type=True,
    ),
)

_INITIAL_CARDS = (
    Stage(
        StageKind.DEAL, _CLAUSES["step 18"], "one community card face down", who=CardPlace.BOARD, faces=(Face.UNSEEN,)
    ),
    Stage(StageKind.DEAL, _CLAUSES["step 18"], "one card face down to each seat", faces=(Face.UNSEEN,)),
)

_STAGES = (
    Stage(StageKind.COLLECT, _CLAUSES["step 17"], "jackpot wagers are counted and collected"),
    *_INITIAL_CARDS * 3,
    Stage(
        StageKind.LOOK,
        _CLAUSES["step 19"],
        "seats with an Ante or a Treasure wager look at their three cards",
        entitled=looks_at_three_cards,
    ),
    Stage(
        StageKind.SHOW, _CLAUSES["step 20(b)"], "winning Treasure hands are turned face up", entitled=has_won_treasure
    ),
    Stage(
        StageKind.SETTLE,
        _CLAUSES["step 20(a)"],
        "the Three Card Treasure is taken or paid",
        wagers=("three-card-treasure",),
    ),
    Stage(
        StageKind.LOOK,
        _CLAUSES["step 21"],
        "seats with a Fortune wager look in order to select",
        entitled=looks_when_selecting,
    ),
    Stage(StageKind.DECIDE, _CLAUSES["step 21"], "each seat in rotation plays or folds, and selects"),
    Stage(
        StageKind.DEAL,
        _CLAUSES["step 21(b)"],
        "the fourth community card face down",
        who=CardPlace.BOARD,
        faces=(Face.UNSEEN,),
        needed=_goes_on,
    ),
    Stage(
        StageKind.DEAL,
        _CLAUSES["rule 7"],
        "a fourth card to seats that played or have the jackpot wager",
        faces=(Face.UNSEEN,),
        entitled=gets_fourth_card,
    ),
    Stage(
        StageKind.LOOK,
        _CLAUSES["step 22(b)"],
        "seats that played look at their fourth card",
        entitled=looks_at_fourth_card,
    ),
    Stage(StageKind.DECIDE, _CLAUSES["step 22(b)"], "each seat in rotation raises or folds, and selects"),
    Stage(
        StageKind.DEAL,
        _CLAUSES["rule 7, without Play"],
        "the last card to seats that raised or have the jackpot wager",
        faces=(Face.UNSEEN,),
        entitled=gets_fifth_card,
    ),
    Stage(StageKind.SHOW, _CLAUSES["step 23"], "the dealer turns up each live hand", positions=selected_positions),
    Stage(
        StageKind.SETTLE,
        _CLAUSES["step 24"],
        "Ante, Play, Raise and jackpot wagers are taken or paid",
        wagers=("ante-play-raise", "bonus-jackpot"),
    ),
    Stage(StageKind.SHOW, _CLAUSES["Appendix C"], "the community is turned up", who=CardPlace.BOARD),
    Stage(
        StageKind.SETTLE,
        _CLAUSES["Appendix C"],
        "the Five Card Fortune is taken or paid",
        wagers=("five-card-fortune",),
    ),
)

GAME = Game(
    name="deuces-wild",
    title="Deuces Wild",
    code="DW",
    deck=JOKER_DECK,
    layout_seats=6,
    board=Board("community", 4, "DW-5"),
    wagers=_WAGERS,
    stages=_STAGES,
    decisions=("play", "raise", "fortune"),
    falls_away=frozenset({"raise"}),
    card_decisions=frozenset({"fortune"}),
    question=partial(question, _CLAUSES),
    choices=choices,
    tables=lambda: None,
    switches=(
        Switch(
            name="fortune_after_raise",
            readings={
                "player_selects": "the player selects from the four cards held when raising, the community unseen",
                "dealer_takes_best": "the dealer takes the best selection out of the five, the community known",
            },
            clause=_CLAUSES["summary 2(c)"],
            ruling="DW-6",
        ),
    ),
    check_opening=_check_opening,
    describe=_describe,
    **_FOLDER.fields(loops="loops", rounds="play", strategy="play", seen="seen"),
)
