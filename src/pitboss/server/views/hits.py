"""Hits: those being handled as one person on the floor sees them; the list, small prizes and exceptions."""

from collections.abc import Iterable, Mapping, Sequence
from types import MappingProxyType
from typing import NamedTuple
from zoneinfo import ZoneInfo

from pitboss.books import ROOM, BookState, Entry, Movement, read_payload
from pitboss.cards import card_text, parse_cards
from pitboss.commands import By
from pitboss.games import find_game
from pitboss.jackpot import HITS, JACKPOTS, Hit, HitState, Jackpot, PayPrize, ReverseSmallPrize, jackpot_title
from pitboss.jackpot.hits.amounts import BOARD
from pitboss.jackpot.hits.history import Story
from pitboss.jackpot.hits.small import SMALL_STEPS, SmallPrizeLine
from pitboss.jackpot.hits.thresholds import DEMAND_WORDS, TRAY, Demand, PrizeDemands
from pitboss.jackpot.hits.values import STATE_WORDS, Done
from pitboss.jackpot.hits.workflow import ACTS, CHECKS, METHOD_WORDS, MUST, STEP_TITLES, own_steps, step_problems
from pitboss.meters import units_text
from pitboss.reports import ACCOUNTING, ExceptionRecord
from pitboss.reports.render import days_in_words
from pitboss.room.commands import BY_NAME
from pitboss.room.people.roles import PAPER_READERS
from pitboss.room.room import room_zone
from pitboss.rules import Game, full_words
from pitboss.server.views.formatting import clock_text, dollars, time_of
from pitboss.server.views.paytables import titled
from pitboss.server.views.viewer import HIDDEN, NOBODY, SOME_TEXT, Button, Viewer

_ASKS = {
    "verify": "Verify hand and wager",
    "surveil": "Surveillance review",
    "document": "Paperwork",
    "pay": "Pay",
    "close": "Close jackpot",
    "reject": "Reject the report",
    "correct": "Correct the report",
}
_WAITS = {
    "verify": " to verify",
    "surveil": "",
    "document": " to do the paperwork",
    "pay": " to pay",
    "close": " to close",
}
"""What a step waits for, in words that follow who does it."""
_SHORT = {"verify": "verify", "surveil": "surveillance", "document": "paperwork", "pay": "pay", "close": "close"}
_NEXT: dict[HitState, tuple[str, ...]] = {
    HitState.CALLED: ("verify",),
    HitState.SURVEILLED: ("document",),
    HitState.DOCUMENTED: ("pay",),
    HitState.PAID: ("close",),
}
ROLE_NAMES = {"cashier": "accounting"}
_STEPS = {
    "call": "Reported",
    "verify": "Verified (cards and light)",
    "surveil": "Surveillance confirmed",
    "document": "Paperwork done",
    "pay": "Paid",
    "close": "Closed",
    "reject": "Rejected",
    "correct": "Corrected",
}
_RESOLVED_SHOWN = 40
NO_CARDS: Mapping[int, Mapping[str, str]] = MappingProxyType({})


class HitStep(NamedTuple):
    """A step of a hit: done, next, later, or spared where the prize does not demand it; who did it, when, its entry."""

    step: str
    title: str
    state: str
    who: str = ""
    role: str = ""
    at: str = ""
    words: str = ""
    entry: int = 0


class PrizeCard(NamedTuple):
    """A prize of a hit: what it demands, what is withheld, its papers, and how it may be or was handed over."""

    seat: int
    row: str
    amount: str
    demands: tuple[tuple[str, str], ...] = ()
    needs_deck: bool = False
    needs_identification: bool = False
    winner: str = ""
    slip: int = 0
    withheld: str = ""
    net: str = ""
    methods: tuple[str, ...] = ()
    handed: str = ""


class NextStep(NamedTuple):
    """A step that can be done now: whom it waits for, whether this person may, and else why they may not."""

    step: str
    title: str
    waiting: str
    may: bool
    why_not: str = ""

    @property
    def short(self) -> str:
        """The step in a word or two."""
        return _SHORT.get(self.step, self.title)


class CardCounts(NamedTuple):
    """How many cards a verification reads, of a seat and of the board; and all rows of the pay table."""

    seat: int
    board: int
    board_title: str
    has_joker: bool
    rows: tuple[str, ...]
    decks: int = 1


class HitCard(NamedTuple):
    """A hit that is being handled, as one person sees it."""

    number: int
    title: str
    table: str
    round: int
    total: str
    meter: str
    late: bool
    state: str
    steps: tuple[HitStep, ...]
    prizes: tuple[PrizeCard, ...]
    next: tuple[NextStep, ...]
    cards: CardCounts
    checks: tuple[str, ...] = CHECKS
    may_reject: bool = False
    may_correct: bool = False
    added: tuple[str, ...] = ()
    since: int = 0
    hands: tuple[tuple[str, tuple[str, ...]], ...] = ()

    @property
    def is_mine(self) -> bool:
        """True if this person can do the next step."""
        return any(step.may for step in self.next)


def added_words(hit: Hit) -> tuple[str, ...]:
    """Return which seats with a prize one person alone had put into the round (G-39)."""
    won = [prize.seat for prize in hit.won if prize.seat in hit.added]
    return tuple(f"{hit.added[seat]} added seat {seat}'s wager after the count (G-39)" for seat in won)


def either(words: tuple[str, ...]) -> str:
    """Join a choice: manager, or: supervisor, accounting or manager."""
    return words[0] if len(words) == 1 else f"{', '.join(words[:-1])} or {words[-1]}"


def steps_of(hit: Hit, zone: ZoneInfo, *, with_day: bool = False) -> tuple[HitStep, ...]:
    """Return the steps of a hit: when each was done last, which is next, and what is spared."""
    done = {step.step: step for step in hit.done[hit.since :]}
    done.setdefault("call", hit.done[0])
    undone = list(_next(hit))
    steps = []
    for name, title in STEP_TITLES.items():
        step = done.get(name)
        if step is not None and not (name == "pay" and hit.unpaid):
            steps.append(_done(step, title, zone, with_day=with_day))
        else:
            steps.append(HitStep(name, title, _undone(hit, name, undone)))
    return tuple(steps)


def _done(step: Done, title: str, zone: ZoneInfo, *, with_day: bool) -> HitStep:
    role, at = ROLE_NAMES.get(step.role, step.role), clock_text(step.happened, zone, with_day=with_day)
    return HitStep(step.step, title, "done", step.person, role, at, step.words, step.sequence)


def _undone(hit: Hit, name: str, following: list[str]) -> str:
    if hit.is_finished or (name == "surveil" and hit.state is not HitState.CALLED and not _needs_camera(hit)):
        return "spared"
    return "next" if name in following else "later"


def _needs_camera(hit: Hit) -> bool:
    return any(Demand.SURVEILLANCE in demands for demands in hit.demands.values())


def _next(hit: Hit) -> tuple[str, ...]:
    if hit.state is HitState.VERIFIED:
        return ("surveil",) if _needs_camera(hit) else ("document",)
    return _NEXT.get(hit.state, ())


def _next_step(hit: Hit, step: str, viewer: Viewer) -> NextStep:
    roles = BY_NAME[f"hits/{step}"].spec.roles
    waiting = f"Waiting for {_somebody(roles)}{_WAITS.get(step, '')}"
    role = next((role for role in roles if role in viewer.roles), None)
    if role is None:
        return NextStep(step, _ASKS[step], waiting, may=False)
    may = not any(True for _ in step_problems(hit, step, By(viewer.name, role)))
    own = own_steps(hit, step, viewer.name)
    why_not = f"Someone else must {MUST[step]} this: you {ACTS[own[0]]}." if own else ""
    return NextStep(step, _ASKS[step], waiting, may, why_not)


def _payable(step: NextStep, prizes: Iterable[PrizeCard]) -> NextStep:
    """Return the step for one who pays from the tray alone: what is paid otherwise waits for somebody else (F-17)."""
    if step.step != "pay" or not step.may or any(prize.methods for prize in prizes if not prize.handed):
        return step
    return step._replace(may=False, waiting="Waiting for accounting or a manager to pay")


def _somebody(roles: tuple[str, ...]) -> str:
    """Return who does a step: a supervisor or manager; surveillance."""
    return roles[0] if roles == ("surveillance",) else f"a {either(roles)}"


def _prize_card(hit: Hit, seat: int, viewer: Viewer) -> PrizeCard:
    won, paper, demands = hit.prize(seat), hit.paper(seat), hit.demands.get(seat)
    assert won is not None
    card = PrizeCard(seat, won.row, dollars(won.cents))
    if demands is None:
        return card
    methods = demands.methods
    # Who is a supervisor and nothing else that pays hands out from the tray alone (F-17).
    if viewer.roles & set(PayPrize.spec.roles) == {"supervisor"}:
        methods = tuple(method for method in methods if method == TRAY)
    card = card._replace(
        demands=_demands(demands),
        needs_deck=Demand.DECK_CHECK in demands,
        needs_identification=Demand.IDENTIFICATION in demands,
        methods=methods,
    )
    if paper is None:
        return card
    withheld = demands.withheld(has_taxpayer_number=paper.taxpayer_number)
    handed = next((payment for payment in hit.handed if payment.seat == seat), None)
    return card._replace(
        winner=paper.winner if viewer.roles & set(PAPER_READERS) else "",
        slip=paper.slip,
        withheld=dollars(withheld) if withheld else "",
        net=dollars(won.cents - withheld),
        handed="" if handed is None else _handover(handed.method, handed.cheque),
    )


def _demands(demands: PrizeDemands | None) -> tuple[tuple[str, str], ...]:
    """Return what a prize demands, each with the rule that it follows from."""
    if demands is None:
        return ()
    return tuple((DEMAND_WORDS[demand], demands.sources[demand]) for demand in Demand if demand in demands)


def _handover(method: str, cheque: str) -> str:
    return f"by check {cheque}" if cheque else METHOD_WORDS.get(method, method)


def _cards(jackpot: Jackpot, table: str) -> CardCounts:
    offer = jackpot.offer_at(table)
    game, wager = jackpot.game_and_wager(offer)
    holds = wager.holds
    return CardCounts(
        seat=0 if holds is None else holds.seat,
        board=0 if holds is None else holds.board,
        board_title=board_title(game),
        has_joker=jackpot.terms_of(offer).deck.joker,
        rows=tuple(prize.event for prize in offer.prizes),
        decks=jackpot.terms_of(offer).deck.decks,
    )


def board_title(game: Game) -> str:
    """Return what the cards of the dealer, or of the board, are called."""
    name = game.board.name
    return "Dealer's cards" if name == "dealer" else f"{name.capitalize()} cards"


Verified = Mapping[int, Mapping[str, str]]
"""By hit the cards of its verification: of each seat, and of the board."""


def hands_of(cards: Mapping[str, str], board: str) -> tuple[tuple[str, tuple[str, ...]], ...]:
    """Return the cards of a verification to be drawn: of each seat, then of the board under its title."""
    seats = [(f"Seat {place}", text) for place, text in cards.items() if place != BOARD]
    common = [(board, cards[BOARD])] if cards.get(BOARD) else []
    return tuple((title, drawn_cards(text)) for title, text in (*seats, *common))


def drawn_cards(text: str) -> tuple[str, ...]:
    """Return cards as they were entered, each as it is drawn."""
    return tuple(card_text(card) for card in parse_cards(text.split(), as_printed=True))


def hit_card(state: BookState, hit: Hit, viewer: Viewer = NOBODY, verified: Verified = NO_CARDS) -> HitCard:
    """Return a hit that is being handled, as the viewer sees it."""
    jackpot = state.of(JACKPOTS).jackpots[hit.jackpot].jackpot
    wager, counts = jackpot.game_and_wager(jackpot.offer_at(hit.table))[1], _cards(jackpot, hit.table)
    prizes = tuple(_prize_card(hit, won.seat, viewer) for won in hit.won)
    return HitCard(
        number=hit.number,
        title=titled(wager.title),
        table=hit.table,
        round=hit.round,
        total=dollars(hit.cents),
        meter=dollars(hit.meter_cents),
        added=added_words(hit),
        late=hit.late,
        state=hit.state.value,
        steps=steps_of(hit, room_zone(state)),
        prizes=prizes,
        next=tuple(_payable(_next_step(hit, step, viewer), prizes) for step in _next(hit)),
        cards=counts,
        may_reject=_next_step(hit, "reject", viewer).may,
        may_correct=_next_step(hit, "correct", viewer).may,
        since=hit.done[0].happened,
        hands=hands_of(verified.get(hit.number, {}), counts.board_title),
    )


def hit_cards(state: BookState, viewer: Viewer = NOBODY, verified: Verified = NO_CARDS) -> tuple[HitCard, ...]:
    """Return every hit that is being handled, those first whose next step is the viewer's."""
    cards = [hit_card(state, hit, viewer, verified) for hit in state.of(HITS).open.values() if not hit.is_finished]
    return tuple(sorted(cards, key=lambda card: (not card.is_mine, card.number)))


class HitLine(NamedTuple):
    """A hit in the list: where, what, how much, how far it has come, and whom it waits for."""

    number: int
    called: str
    jackpot: str
    table: str
    round: int
    won: tuple[str, ...]
    winners: tuple[str, ...]
    slips: tuple[int, ...]
    total: str
    state: str
    status: str
    steps: tuple[HitStep, ...]
    waiting: str = ""
    next: str = ""


class PrizeDetail(NamedTuple):
    """A prize with its papers: what it demands by which rule, what was withheld, and what Form W-2G says."""

    seat: int
    row: str
    amount: str
    because: tuple[tuple[str, str], ...]
    cards: tuple[str, ...]
    demands: tuple[tuple[str, str], ...]
    winner: str
    slip: int
    copies: int
    form: tuple[tuple[str, str], ...]
    withheld: str
    net: str
    handed: str


class HitDetail(NamedTuple):
    """A hit with everything about it."""

    line: HitLine
    meter: str
    wager: str
    paytable: str
    late: bool
    prizes: tuple[PrizeDetail, ...]
    done: tuple[HitStep, ...]
    added: tuple[str, ...] = ()
    board_title: str = ""
    board: tuple[str, ...] = ()


class SmallPrize(NamedTuple):
    """A small or Envy prize of the day: when and where, seat, hand and amount, who paid it; who reversed it, and why.

    `reverse` is the viewer's button, by the `number` of its call; a prize that was reversed has none.
    """

    number: int
    at: str
    table: str
    round: int
    shift: str
    jackpot: str
    seat: int
    row: str
    amount: str
    person: str
    reversal: str = ""
    reverse: Button = HIDDEN


class SmallDay(NamedTuple):
    """The newest small prizes of a gambling day, under its title; how many were paid and what stands of all."""

    title: str
    prizes: tuple[SmallPrize, ...]
    paid: int
    total: str


class SmallRow(NamedTuple):
    """Small prizes of a table in a shift: how many from the tray and as Envy, and how much together."""

    table: str
    shift: str
    jackpot: str
    small: int
    envy: int
    cents: int
    total: str


class ExceptionRow(NamedTuple):
    """An exception: its record, its amount, and when it was raised and resolved."""

    record: ExceptionRecord
    words: str
    amount: str
    raised: str
    resolved: str


def hit_line(state: BookState, hit: Hit, zone: ZoneInfo, *, with_papers: bool = False) -> HitLine:
    """Return a hit as a line of the list, with the names of its winners for who reads their papers (G-70)."""
    following = [_next_step(hit, step, NOBODY) for step in _next(hit)]
    return HitLine(
        number=hit.number,
        called=clock_text(hit.done[0].happened, zone, with_day=True),
        jackpot=jackpot_title(state, hit.jackpot),
        table=hit.table,
        round=hit.round,
        won=tuple(f"Seat {won.seat}: {full_words(won.row)}" for won in hit.won),
        winners=tuple(paper.winner for paper in hit.papers) if with_papers else (),
        slips=tuple(paper.slip for paper in hit.papers),
        total=dollars(hit.cents),
        state=hit.state.value,
        status=STATE_WORDS[hit.state.value],
        steps=steps_of(hit, zone, with_day=True),
        waiting=following[0].waiting if following else "",
        next=following[0].short if following else "",
    )


def _form(hit: Hit, seat: int) -> tuple[tuple[str, str], ...]:
    """Return the lines of Form W-2G, where one is due (X-01, X-02); the taxpayer number itself is not in the books."""
    won, paper, demands = hit.prize(seat), hit.paper(seat), hit.demands.get(seat)
    if won is None or paper is None or demands is None or Demand.W2G not in demands:
        return ()
    withheld = demands.withheld(has_taxpayer_number=paper.taxpayer_number)
    return (
        ("Winnings", dollars(won.cents)),
        ("Wager", dollars(hit.wager_cents)),
        ("Federal tax withheld", dollars(withheld)),
        ("SSN/TIN", "recorded on W-2G" if paper.taxpayer_number else "not given: backup withholding"),
        ("Primary ID", paper.identification[0] if paper.identification else "none"),
        ("Secondary ID", paper.identification[1] if len(paper.identification) > 1 else "none"),
    )


def _handed(hit: Hit, seat: int) -> str:
    handover = next((payment for payment in hit.handed if payment.seat == seat), None)
    if handover is None:
        return ""
    return _handover(handover.method, handover.cheque)


def _prize_detail(state: BookState, story: Story, seat: int, *, with_papers: bool) -> PrizeDetail:
    hit, verified = story.hit, story.verified
    won, paper, demands = hit.prize(seat), hit.paper(seat), hit.demands.get(seat)
    assert won is not None
    withheld = 0
    if paper is not None and demands is not None:
        withheld = demands.withheld(has_taxpayer_number=paper.taxpayer_number)
    because = () if verified is None else verified.because.get(seat, ())
    return PrizeDetail(
        seat=seat,
        row=won.row,
        amount=dollars(won.cents),
        because=tuple(
            (full_words(words), "; ".join(source for source in (clause, ruling) if source))
            for clause, ruling, words in because
        ),
        cards=() if verified is None else drawn_cards(verified.cards.get(str(seat), "")),
        demands=_demands(demands),
        winner="" if paper is None or not with_papers else paper.winner,
        slip=0 if paper is None or not with_papers else paper.slip,
        copies=0 if paper is None else state.of(HITS).copies.get(str(paper.slip), 0),
        form=_form(hit, seat) if with_papers else (),
        withheld=dollars(withheld),
        net=dollars(won.cents - withheld),
        handed=_handed(hit, seat),
    )


def hit_detail(state: BookState, story: Story, *, with_papers: bool = True) -> HitDetail:
    """Return everything about a hit; winners' papers for who reads them (G-70)."""
    hit, zone = story.hit, room_zone(state)
    details = story.called.details
    board = "" if story.verified is None else story.verified.cards.get(BOARD, "")
    done = tuple(_done(step, _STEPS.get(step.step, step.step), zone, with_day=True) for step in hit.done)
    return HitDetail(
        line=hit_line(state, hit, zone),
        meter=dollars(hit.meter_cents),
        wager=dollars(hit.wager_cents),
        paytable=details["paytable"],
        added=added_words(hit),
        late=hit.late,
        prizes=tuple(_prize_detail(state, story, won.seat, with_papers=with_papers) for won in hit.won),
        done=done,
        board_title=board_title(find_game(details["game"])),
        board=drawn_cards(board),
    )


def small_day(
    state: BookState, title: str, lines: Sequence[SmallPrizeLine], viewer: Viewer, most: int | None
) -> SmallDay:
    """Return the newest small and Envy prizes of a day, each with its reversal or the button for one."""
    zone = room_zone(state)

    def prize(line: SmallPrizeLine) -> SmallPrize:
        reverse, reversal = HIDDEN, ""
        if line.stands and state.of(HITS).small_prize(line.table, line.number) is not None:
            reverse = viewer.button(ReverseSmallPrize(table=line.table, prize=line.number, words=SOME_TEXT))
        elif not line.stands:
            why = f": {line.reason}" if line.reason else ""
            reversal = f"Reversed by {line.reversed_by}, {clock_text(line.reversed_at, zone)}{why}"
        row = f"{line.row} (Envy for seat {line.of_seat})" if line.of_seat else line.row
        return SmallPrize(
            number=line.number,
            at=clock_text(line.at, zone),
            table=line.table,
            round=line.round,
            shift=line.shift,
            jackpot=jackpot_title(state, line.jackpot),
            seat=line.seat,
            row=row,
            amount=dollars(line.cents),
            person=line.person,
            reversal=reversal,
            reverse=reverse,
        )

    newest = sorted(lines, key=lambda line: (-line.at, line.number, line.seat))[:most]
    total = sum(line.cents for line in lines if line.stands)
    return SmallDay(title, tuple(prize(line) for line in newest), len(lines), dollars(total))


def small_rows(state: BookState, entries: Iterable[Entry]) -> tuple[SmallRow, ...]:
    """Add up the small and Envy prizes of a stretch of the journal by table, shift and jackpot."""
    calendar = state.of(ROOM)
    tallies: dict[tuple[str, str, str], list[int]] = {}
    for entry in entries:
        value = read_payload(entry.kind, entry.payload)
        if calendar is None or not isinstance(value, Movement) or value.kind not in ("prize-paid", "prize-reversed"):
            continue
        is_back, step = value.kind == "prize-reversed", value.details.get("step")
        if not is_back and step not in SMALL_STEPS:
            continue
        is_envy, sign = bool(value.details.get("of_seat")), -1 if is_back else 1
        shift = calendar.shift(time_of(entry.recorded)).name
        tally = tallies.setdefault((entry.table, shift, value.jackpot), [0, 0, 0])
        for _, _, cents in value.details["won"]:
            tally[is_envy] += sign
            tally[2] += sign * cents
    rows = (
        SmallRow(table, shift, jackpot_title(state, jackpot), small, envy, cents, dollars(cents))
        for (table, shift, jackpot), (small, envy, cents) in tallies.items()
    )
    return tuple(sorted(rows, key=lambda row: (not row.table.isdigit(), row.table.zfill(6), row.shift, row.jackpot)))


def _exception(record: ExceptionRecord, zone: ZoneInfo) -> ExceptionRow:
    amount = "" if record.units is None else units_text(record.units)
    resolved = clock_text(record.resolved, zone, with_day=True) if record.resolved else ""
    raised = clock_text(record.raised, zone, with_day=True)
    return ExceptionRow(record, days_in_words(record.words), amount, raised, resolved)


def exception_rows(state: BookState) -> tuple[ExceptionRow, ...]:
    """Return the exceptions that are not resolved, and the last that were, with who resolved them (M-07)."""
    desk, zone = state.of(ACCOUNTING), room_zone(state)
    held = (*desk.open.values(), *reversed(desk.resolved[-_RESOLVED_SHOWN:]))
    return tuple(_exception(exception, zone) for exception in held)
