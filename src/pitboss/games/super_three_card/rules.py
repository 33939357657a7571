"""Super Three Card: wagers, course of the round, decisions and settlement, each citing clause and ruling."""

from collections.abc import Mapping

from pitboss.cards import Card, Deck
from pitboss.games.super_three_card import facts
from pitboss.poker import SHOE_THREE_CARD, shoe_three_card_tables
from pitboss.rules import Reason, Terms
from pitboss.rules.facts import BELOW, EQUAL, EventFacts
from pitboss.rules.game import Board, CutCard, Game, GameFolder
from pitboss.rules.outcomes import Events, Outcome, lost, paid, paid_row, returned, row_words
from pitboss.rules.pays import EVEN_MONEY
from pitboss.rules.stages import CardPlace, Decisions, Face, Question, Seat, Stage, StageKind, yes_or_no
from pitboss.rules.wagers import Holds, Part, Slot, Wager, event_wager, when

_FOLDER = GameFolder(__package__)
_CLAUSES = _FOLDER.clauses
# The layout's "Other Hands … push" fills the gap below the last printed row (STC-2, G-17).
_ODDS_EVENTS = Events(facts.ODDS_EVENTS, residual="Pair of Tens or less")


def _settle_ante_odds_play(hand: facts.AnteOddsPlay, terms: Terms) -> Outcome:
    if not hand.played:
        words = "Player surrendered: Ante loses, Odds are returned"
        why = Reason(_CLAUSES["rule 4, surrender"], words, "STC-3")
        return Outcome((lost("Ante"), returned("Odds")), None, None, (why,))
    if hand.comparison == BELOW:
        why = Reason(_CLAUSES["rule 6, dealer wins"], "Dealer's hand is higher: Ante, Odds and Play lose")
        return Outcome((lost("Ante"), lost("Odds"), lost("Play")), None, None, (why,))
    table = terms.tables["ante-odds-play"]
    row = paid_row(_ODDS_EVENTS, table, hand.events, printed_order=False)
    assert row is not None
    reasons = [Reason(_CLAUSES["rule 6, player wins"], "Player's hand wins: Ante and Play pay even money")]
    if hand.comparison == EQUAL:
        reasons.append(Reason(_CLAUSES["rule 6, ties"], "Hands tie: the player wins", "STC-1"))
    pushes = row.event == _ODDS_EVENTS.residual
    words = row_words(table, row, " on the Odds")
    reasons.append(Reason(_CLAUSES["Appendix A"], words, "STC-2" if pushes else None))
    chips = (paid("Ante", 1, EVEN_MONEY), paid("Odds", 1, row.pay), paid("Play", 1, EVEN_MONEY))
    return Outcome(chips, row.event, table.id, tuple(reasons))


def _tell(hand: facts.AnteOddsPlay) -> str:
    if not hand.played:
        return "surrenders"
    how = {BELOW: "loses with", EQUAL: "ties with"}.get(hand.comparison, "wins with")
    return f"{how} {_ODDS_EVENTS.first(hand.events)}"


def _question(seat: Seat, _readings: Mapping[str, str]) -> Question | None:
    if "play" in seat.decisions or not seat.cards:
        return None
    return yes_or_no("play", "Play (a wager equal to the Ante) or surrender?", _CLAUSES["rule 4"])


def _choices(decisions: Decisions, _cards: tuple[Card, ...]) -> tuple[int, ...]:
    return (1 if decisions.get("play") else 0,)


def _plays(seat: Seat) -> bool:
    return bool(seat.decisions.get("play"))


def _describe(seat: Seat, board: tuple[Card, ...]) -> tuple[str, ...]:
    words = []
    if seat.cards[1:] and board:
        first = SHOE_THREE_CARD.hand((*seat.cards[:2], board[0])).words
        words.append(f"first two cards with the dealer's first {first}")
    if len(seat.cards) == 3:
        words.append(f"player {SHOE_THREE_CARD.hand(seat.cards).words}")
    if len(board) == 3:
        words.append(f"dealer {SHOE_THREE_CARD.hand(board).words}")
    return tuple(words)


_FLUSHES = facts.JACKPOT_STRAIGHT_FLUSH | facts.JACKPOT_FLUSH


def _why_jackpot(hand: EventFacts, _terms: Terms) -> tuple[Reason, ...]:
    why = Reason(_CLAUSES["21+3"], "Player's first two cards and the dealer's first", "STC-4")
    if not hand.events & _FLUSHES:
        return (why,)
    words = "21+3 has no suited pair and no mini-royal: suited cards are a Flush or a Straight Flush"
    return (why, Reason(_CLAUSES["Appendix C"], words, "STC-5"))


def _jackpot(name: str, title: str) -> Wager:
    return event_wager(
        name=name,
        title=title,
        clause=_CLAUSES["21+3"],
        words="The first two cards and the dealer's first make a flush or better.",
        ids=_FOLDER.table_ids("PT-BJS-213"),
        read=facts.read_jackpot,
        events=Events(facts.JACKPOT_EVENTS),
        one_prize=_CLAUSES["Appendix C note 2"],
        why=_why_jackpot,
        missed="Less than a flush",
        jackpot=True,
        holds=Holds(seat=2, board=1),
        dollars_scale=True,
    )


_WAGERS = (
    Wager(
        name="ante-odds-play",
        title="Ante, Odds and Play",
        clause=_CLAUSES["rule 1"],
        words="Beat the dealer with three cards; ties win. Odds and Play equal the Ante.",
        slots=(
            Slot(
                "ante-odds-play",
                ("PT-FLT-STC-01", "PT-FLT-STC-02", "PT-FLT-STC-03"),
                pays=("Odds",),
                title="Odds",
                condition="when the hand wins or ties",
            ),
        ),
        parts=(Part("Ante"), Part("Odds"), Part("Play", placed=when("play"))),
        facts=facts.AnteOddsPlay,
        bounds=facts.AnteOddsPlay.bounds(),
        read=facts.read_ante_odds_play,
        settle=_settle_ante_odds_play,
        tell=_tell,
        base=True,
    ),
    event_wager(
        name="big-hand-bonus",
        title="Big Hand Bonus",
        clause=_CLAUSES["Big Hand Bonus"],
        words="The first two cards and the dealer's first make a flush, a suited pair or better.",
        ids=_FOLDER.table_ids("PT-FLT-STC-BH"),
        read=facts.read_big_hand,
        events=Events(facts.BIG_HAND_EVENTS),
        one_prize=_CLAUSES["Appendix B note 2"],
        why=(Reason(_CLAUSES["Big Hand Bonus"], "Player's first two cards and the dealer's first", "STC-4"),),
        missed="Less than a flush",
    ),
    _jackpot("twenty-one-plus-three", "21+3 Jackpot"),
    _jackpot("twenty-one-plus-three-b", "second 21+3 Jackpot"),
)

_STAGES = (
    Stage(StageKind.COLLECT, _CLAUSES["Jackpots"], "jackpot wagers are counted and collected"),
    Stage(StageKind.DEAL, _CLAUSES["rule 2"], "a first card face up to each seat", faces=(Face.UP,)),
    Stage(StageKind.DEAL, _CLAUSES["rule 2"], "a second card face up to each seat", faces=(Face.UP,)),
    Stage(StageKind.DEAL, _CLAUSES["rule 2"], "one card face up to the dealer", who=CardPlace.BOARD, faces=(Face.UP,)),
    Stage(
        StageKind.SETTLE,
        _CLAUSES["rule 3"],
        "Big Hand Bonus and 21+3 wagers are taken or paid",
        wagers=("big-hand-bonus", "twenty-one-plus-three", "twenty-one-plus-three-b"),
    ),
    Stage(StageKind.DECIDE, _CLAUSES["rule 4"], "each seat in rotation plays or surrenders"),
    Stage(
        StageKind.DEAL,
        _CLAUSES["rule 5"],
        "a third card face up to each seat that plays",
        faces=(Face.UP,),
        entitled=_plays,
    ),
    Stage(
        StageKind.DEAL,
        _CLAUSES["rule 5, dealer"],
        "two more cards face up to the dealer, if any seat plays",
        who=CardPlace.BOARD,
        faces=(Face.UP, Face.UP),
        needed=lambda seats: any(_plays(seat) for seat in seats),
    ),
    Stage(
        StageKind.SETTLE,
        _CLAUSES["rule 6, player wins"],
        "Ante, Odds and Play are taken or paid",
        wagers=("ante-odds-play",),
    ),
)

GAME = Game(
    name="super-three-card",
    title="Super Three Card",
    code="STC",
    deck=Deck(decks=6),
    decks_allowed=(6, 8),
    cut_card=CutCard(_CLAUSES["description"], "STC-8"),
    board=Board("dealer", 3, "STC-9"),
    wagers=_WAGERS,
    stages=_STAGES,
    decisions=("play",),
    question=_question,
    choices=_choices,
    tables=shoe_three_card_tables,
    bonus_sharing="split",
    describe=_describe,
    hand_order=tuple(category.words for category in SHOE_THREE_CARD.categories),
    hand_order_source=_CLAUSES["rule 7"].id,
    equal_hands_source=_CLAUSES["rule 6, ties"].id,
    **_FOLDER.fields(loops="loops", rounds="play", strategy="play", seen="seen"),
)
