"""Three Card Prime: wagers, course of the round, decisions and settlement, each citing clause and ruling."""

from collections.abc import Mapping

from pitboss.cards import STANDARD_DECK, Card
from pitboss.games.three_card_prime import facts
from pitboss.poker import THREE_CARD, three_card_tables
from pitboss.rules import Problem, Reason, Terms
from pitboss.rules.facts import BELOW, EQUAL
from pitboss.rules.game import Board, Game, GameFolder, Switch
from pitboss.rules.outcomes import Events, Outcome, PartResult, lost, paid, paid_row, returned, settle_by_events
from pitboss.rules.pays import EVEN_MONEY, Loss
from pitboss.rules.paytables import PayTable
from pitboss.rules.stages import CardPlace, Decisions, Face, Question, Seat, Stage, StageKind, yes_or_no
from pitboss.rules.wagers import Holds, Part, Slot, Wager, event_wager, when

_FOLDER = GameFolder(__package__)
_CLAUSES = _FOLDER.clauses
_PLAY_EVENTS = Events(facts.PLAY_EVENTS, residual="Flush and lower")


def _settle_ante_play(hand: facts.AntePlay, terms: Terms) -> Outcome:
    if not hand.played:
        folded = Reason(_CLAUSES["rule 2"], "Player folded: Ante loses")
        return Outcome((lost("Ante"),), None, None, (folded,))
    ante, why_ante = _settle_ante(hand)
    if hand.comparison != BELOW or (not hand.qualified and terms.readings["play_when_not_qualified"] == "pay"):
        play, event, table, why_play = _settle_winning_play(hand, terms)
    else:
        play, event, table, why_play = _settle_losing_play(hand, terms)
    return Outcome((ante, play), event, table.id, (why_ante, *why_play))


def _settle_ante(hand: facts.AntePlay) -> tuple[PartResult, Reason]:
    if not hand.qualified:
        words = "Dealer does not have Queen-high or better: Ante pushes"
        return returned("Ante"), Reason(_CLAUSES["rule 4, not qualified"], words, "TCP-2")
    if hand.comparison == BELOW:
        return lost("Ante"), Reason(_CLAUSES["rule 4, lower"], "Player's hand is lower: Ante loses")
    how = "ties" if hand.comparison == EQUAL else "beats"
    words = f"Player's hand {how} the dealer's: Ante pays even money"
    ruling = "TCP-6" if hand.comparison == EQUAL else None
    return paid("Ante", 1, EVEN_MONEY), Reason(_CLAUSES["rule 4, equal or higher"], words, ruling)


def _settle_winning_play(hand: facts.AntePlay, terms: Terms) -> tuple[PartResult, str, PayTable, tuple[Reason, ...]]:
    table = terms.tables["win-or-copy"]
    row = paid_row(_PLAY_EVENTS, table, hand.events, printed_order=False)
    assert row is not None
    clause = "rule 5, straight or better, win" if hand.events else "rule 5, flush or lower, equal or greater"
    reasons = [Reason(_CLAUSES[clause], f"{row.event}: Play pays {row.pay} (Win or Copy)")]
    if not hand.qualified:
        reasons.append(_why_not_qualified(terms))
    elif hand.comparison == EQUAL:
        reasons.append(Reason(_CLAUSES["Appendix A"], "Copy (tie): the player wins", "TCP-6"))
    return paid("Play", 1, row.pay), row.event, table, tuple(reasons)


def _why_not_qualified(terms: Terms) -> Reason:
    pays = terms.readings["play_when_not_qualified"] == "pay"
    how = "pays whatever the hands are" if pays else "is decided by the hands"
    return Reason(_CLAUSES["Appendix A note 4"], f"Dealer did not qualify: Play {how}", "TCP-3")


def _settle_losing_play(hand: facts.AntePlay, terms: Terms) -> tuple[PartResult, str, PayTable, tuple[Reason, ...]]:
    table = terms.tables["bad-beat"]
    row = paid_row(_PLAY_EVENTS, table, hand.events, printed_order=False)
    assert row is not None
    if hand.events:
        words = f"Beaten with {row.event} (Bad Beat): {table.id} pays Play {row.pay}"
        reasons = (Reason(_CLAUSES["rule 5, Bad Beat"], words, "TCP-5"),)
        return paid("Play", 1, row.pay), row.event, table, reasons
    reading = terms.readings["bad_beat_flush_or_lower"]
    if reading == "as_printed" or (reading == "flush_only" and hand.flush):
        words = f"Beaten, {row.event!r} read {reading.replace('_', ' ')}: {table.id} has {row.pay} for Play"
        reasons = (Reason(_CLAUSES["Appendix A note 5"], words, "TCP-4"),)
        return paid("Play", 1, row.pay), row.event, table, reasons
    words = "Beaten with a flush or lower: Play loses"
    disputed = "TCP-4" if not isinstance(row.pay, Loss) else None
    why = [Reason(_CLAUSES["rule 5, flush or lower, lower"], words, disputed)]
    if not hand.qualified:
        why.append(_why_not_qualified(terms))
    return lost("Play"), row.event, table, tuple(why)


def _tell(hand: facts.AntePlay) -> str:
    if not hand.played:
        return "folds"
    event = _PLAY_EVENTS.first(hand.events)
    if not hand.qualified:
        return f"dealer does not qualify, {'lower' if hand.comparison == BELOW else 'equal or higher'} {event}"
    how = {BELOW: "beaten with", EQUAL: "copies with"}.get(hand.comparison, "wins with")
    return f"{how} {'Flush' if hand.flush else event}"


def _when_play_wins(terms: Terms) -> str:
    pays = terms.readings["play_when_not_qualified"] == "pay"
    return f"when the hand wins or copies{', or the dealer does not qualify' if pays else ''}"


def _made(hand: facts.AntePlay) -> str:
    if hand.events:
        return _PLAY_EVENTS.first(hand.events)
    return "Flush" if hand.flush else "Lower than a flush"


def _why_pair_bonus_table(hand: facts.PairBonus, _terms: Terms) -> tuple[Reason, ...]:
    if hand.deuce:
        words = "Fourth card is a deuce: the PB/LD column pays; the deuce is not wild"
        return (Reason(_CLAUSES["Appendix C note 2"], words, "TCP-8"),)
    return (Reason(_CLAUSES["Appendix C note 1"], "Fourth card is not a deuce: the PB column pays", "TCP-8"),)


def _why(place: str, words: str, ruling: str) -> tuple[Reason, ...]:
    return (Reason(_CLAUSES[place], words, ruling),)


def _check_opening(terms: Terms, readings: Mapping[str, str]) -> tuple[Problem, ...]:
    table = terms.tables.get("bad-beat")
    if table is None or table.printed_id not in ("PW/BB-2", "PW/BB-4") or "bad_beat_flush_or_lower" in readings:
        return ()
    words = f'{table.id} prints 1 for "Flush and lower": state the reading outright before the table opens'
    return (Problem("readings.bad_beat_flush_or_lower", words, _CLAUSES["Appendix A"].id, "TCP-4"),)


def _question(seat: Seat, _readings: Mapping[str, str]) -> Question | None:
    if "play" in seat.decisions or not seat.cards:
        return None
    return yes_or_no("play", "Play (a wager equal to the Ante) or fold?", _CLAUSES["rule 2"])


def _choices(decisions: Decisions, _cards: tuple[Card, ...]) -> tuple[int, ...]:
    return (1 if decisions.get("play") else 0,)


def _describe(seat: Seat, board: tuple[Card, ...]) -> tuple[str, ...]:
    return (f"player {THREE_CARD.hand(seat.cards[:3]).words}", f"dealer {THREE_CARD.hand(board[:3]).words}")


_WAGERS = (
    Wager(
        name="ante-play",
        title="Ante and Play",
        clause=_CLAUSES["rule 1"],
        words="Beat the dealer with three cards. Play equals the Ante; a folded Ante is lost.",
        slots=(
            Slot(
                "win-or-copy",
                ("Win-or-Copy",),
                fixed=True,
                pays=("Play",),
                title="Play (win or copy)",
                condition=_when_play_wins,
            ),
            Slot(
                "bad-beat",
                _FOLDER.table_ids("PW/BB"),
                pays=("Play",),
                title="Bad Beat",
                condition="on Play, when the dealer's hand is higher",
            ),
        ),
        parts=(Part("Ante"), Part("Play", placed=when("play"))),
        facts=facts.AntePlay,
        bounds=facts.AntePlay.bounds(),
        read=facts.read_ante_play,
        settle=_settle_ante_play,
        base=True,
        tell=_tell,
        made=_made,
        switches=("play_when_not_qualified", "bad_beat_flush_or_lower"),
    ),
    event_wager(
        name="prime",
        title="Prime",
        clause=_CLAUSES["Prime"],
        words="The three cards are all red or all black; more if the dealer's three are of that color too.",
        ids=_FOLDER.table_ids("PRW"),
        read=facts.read_prime,
        events=Events(facts.PRIME_EVENTS, residual="others"),
        one_prize=_CLAUSES["Appendix B"],
        why=_why("Prime", "Colors of the player's three and the dealer's three", "TCP-7"),
    ),
    Wager(
        name="pair-bonus",
        title="Pair Bonus",
        clause=_CLAUSES["Pair Bonus"],
        words="The three-card hand is a pair or better; a deuce as fourth card brings the richer column.",
        slots=(
            Slot("pair-bonus", _FOLDER.table_ids("PB-"), condition="when the fourth card is not a deuce"),
            Slot(
                "loose-deuce",
                _FOLDER.table_ids("PB/LD"),
                title="Pair Bonus with a loose deuce",
                condition="when the fourth card is a deuce",
            ),
        ),
        parts=(Part("Pair Bonus"),),
        facts=facts.PairBonus,
        bounds=facts.PairBonus.bounds(),
        read=facts.read_pair_bonus,
        settle=settle_by_events(
            part="Pair Bonus",
            events=Events(facts.PAIR_BONUS_EVENTS),
            slot=lambda hand: "loose-deuce" if hand.deuce else "pair-bonus",
            one_prize=_CLAUSES["Appendix C note 5"],
            why=_why_pair_bonus_table,
            missed="Less than a pair",
        ),
    ),
    event_wager(
        name="all-six",
        title="All-Six Bonus",
        clause=_CLAUSES["All-Six Bonus"],
        words="The player's three and the dealer's three cards make three of a kind or better.",
        part="All-Six",
        ids=_FOLDER.table_ids("A6"),
        read=facts.read_all_six,
        events=Events(facts.ALL_SIX_EVENTS),
        one_prize=_CLAUSES["Appendix D"],
        why=_why("All-Six Bonus", "Best five of the six cards", "TCP-9"),
        missed="Less than three of a kind",
    ),
    event_wager(
        name="final-four",
        title="Final Four Jackpot",
        clause=_CLAUSES["Final Four"],
        words="The three-card hand is a straight, trips or straight flush, and the fourth card may lift it.",
        part="Final Four",
        ids=_FOLDER.table_ids("F4P"),
        read=facts.read_final_four,
        events=Events(facts.FINAL_FOUR_EVENTS, residual="initial hand < straight"),
        one_prize=_CLAUSES["Appendix E note 2"],
        why=_why("Appendix E", "First three cards must be a straight or better", "TCP-10"),
        jackpot=True,
        holds=Holds(seat=4, apart=1),
    ),
    event_wager(
        name="all-seven",
        title="All Seven Jackpot",
        clause=_CLAUSES["All Seven"],
        words="The player's four and the dealer's three cards make a flush or better.",
        part="All Seven",
        ids=_FOLDER.table_ids("A7P"),
        read=facts.read_all_seven,
        events=Events(facts.ALL_SEVEN_EVENTS, residual="Straight or less"),
        one_prize=_CLAUSES["Appendix F note 2"],
        why=_why("All Seven", "Player's four and the dealer's three cards", "TCP-11"),
        jackpot=True,
        holds=Holds(seat=4, board=3, any_division=True),
    ),
)
_EVERY_WAGER = tuple(wager.name for wager in _WAGERS)

_STAGES = (
    Stage(StageKind.COLLECT, _CLAUSES["Appendix G"], "jackpot wagers are counted and collected"),
    Stage(
        StageKind.DEAL,
        _CLAUSES["rule 1"],
        "four cards face down to each seat, the top card set aside as the fourth, unseen",
        faces=(Face.OWN, Face.OWN, Face.OWN, Face.UNSEEN),
    ),
    Stage(
        StageKind.DEAL,
        _CLAUSES["rule 1, dealer"],
        "a packet of four face down to the dealer",
        who=CardPlace.BOARD,
        faces=(Face.UNSEEN,) * 3,
    ),
    Stage(
        StageKind.DEAL,
        _CLAUSES["rule 1, dealer"],
        "the dealer's bottom card is discarded unseen",
        who=CardPlace.DISCARD,
        faces=(Face.UNSEEN,),
    ),
    Stage(StageKind.DECIDE, _CLAUSES["rule 2"], "each seat in rotation plays or folds"),
    Stage(StageKind.SHOW, _CLAUSES["rule 3, reveal"], "the dealer's hand is revealed", who=CardPlace.BOARD),
    Stage(StageKind.SHOW, _CLAUSES["rule 2, fold"], "hands and set-aside cards are shown"),
    Stage(StageKind.SETTLE, _CLAUSES["rule 3"], "every wager is taken or paid", wagers=_EVERY_WAGER),
)

_SWITCHES = (
    Switch(
        name="play_when_not_qualified",
        readings={
            "pay": "Play is paid the Win-or-Copy amount whenever the dealer does not qualify",
            "compare": "Play is settled by comparing the hands",
        },
        clause=_CLAUSES["Appendix A note 4"],
        ruling="TCP-3",
    ),
    Switch(
        name="bad_beat_flush_or_lower",
        readings={
            "loses": "a beaten flush or lower loses Play (rule 5 governs)",
            "flush_only": "a beaten flush is paid the printed 1 to 1, lower hands lose",
            "as_printed": "every beaten hand of flush or lower is paid the printed 1 to 1",
        },
        clause=_CLAUSES["Appendix A"],
        ruling="TCP-4",
    ),
)

GAME = Game(
    name="three-card-prime",
    title="Three Card Prime",
    code="TCP",
    deck=STANDARD_DECK,
    board=Board("dealer", 3),
    wagers=_WAGERS,
    stages=_STAGES,
    decisions=("play",),
    question=_question,
    choices=_choices,
    tables=three_card_tables,
    switches=_SWITCHES,
    check_opening=_check_opening,
    describe=_describe,
    hand_order=tuple(category.words for category in THREE_CARD.categories),
    hand_order_source="TCP-1",
    equal_hands_source=_CLAUSES["rule 4, equal or higher"].id,
    **_FOLDER.fields(loops="loops", rounds="play", strategy="play", seen="seen"),
)
