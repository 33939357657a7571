"""The dealer's console: the seats with their lights, the next right thing to do, and what there is to pay."""

import hashlib
import json
from collections.abc import Callable, Iterator
from typing import Any, NamedTuple

from pitboss.books import BookState
from pitboss.games import find_game
from pitboss.jackpot import HITS, JACKPOTS, HitState, JackpotRecord, TabulatedRound
from pitboss.jackpot.hits.amounts import envy_cents
from pitboss.jackpot.hits.small import shift_problems
from pitboss.jackpot.hits.values import SmallPaid
from pitboss.jackpot.hits.workflow import undo_seconds
from pitboss.room.configurations import configuration_at
from pitboss.room.room import room_zone
from pitboss.rules import full_words, prize_cents
from pitboss.rules.pays import Dollars, OfMeter
from pitboss.server.views.formatting import clock, clock_text, dollars, iso_day, local, sentence, short_day
from pitboss.server.views.paytables import money, titled
from pitboss.server.views.table_state import JackpotAtTable
from pitboss.server.views.vision import MeterView, meter_view
from pitboss.tabulator import TABLES, TableRecord
from pitboss.tabulator.setup import DOWN_STEPS
from pitboss.tabulator.state import CORRECTION
from pitboss.tabulator.table_log import DeckRecord, ShufflerRecord, log_of
from pitboss.tabulator.values import Alarm, place_text

_UNNAMED_MOST = 20
_REVERSIBLE_MOST = 20
_ROUNDS_MOST = 8


class LightView(NamedTuple):
    """The light of one wager at one seat: off, on where it was counted, late where it came after the press."""

    wager: str
    title: str
    state: str
    is_jackpot: bool


class SeatView(NamedTuple):
    """A seat in the table's arc; seat 1 is on the dealer's left (G-16).

    `tag` says what it was paid in the last round; `can_win` is true while a jackpot wager of it has no prize yet.
    """

    seat: int
    lights: tuple[LightView, ...]
    tag: str = ""
    can_win: bool = False


class StepView(NamedTuple):
    """The big button: what it does, what it says, and why it cannot be pressed where it cannot."""

    do: str
    label: str
    hint: str = ""


class PrizeRowView(NamedTuple):
    """A row of a jackpot's pay table: its amount, whether it is paid from the tray, and whether it gives Envy."""

    row: str
    amount: str
    is_small: bool
    envy: str
    cents: int = 0
    envy_cents: int = 0


class PrizesView(NamedTuple):
    """The prizes of a jackpot in the last round: seats whose wager counted and that have no prize yet."""

    jackpot: str
    title: str
    round: int
    seats: tuple[int, ...]
    rows: tuple[PrizeRowView, ...]


class EnvyView(NamedTuple):
    """A list of Envy prizes to pay out: for whose hand, which seats, and what each gets."""

    jackpot: str
    title: str
    seat: int
    row: str
    seats: tuple[int, ...]
    amount: str
    total: str
    round: int
    cents: int


class AlertView(NamedTuple):
    """What the dealer must know: a hit, an alarm or a step of a method; its time by the room's clocks, its sentence."""

    kind: str
    time: str
    text: str


class UndoView(NamedTuple):
    """A prize that was just paid, in words, and for how many milliseconds more it can be undone."""

    number: int
    text: str
    milliseconds: int


class ReversibleView(NamedTuple):
    """A small prize of this shift that a supervisor may reverse: its number, and what it was in words."""

    number: int
    text: str


class ConsoleView(NamedTuple):
    """The console of a table after the entry of this sequence."""

    table: str
    game: str
    sequence: int
    dealer: str
    round: int
    phase: str
    life: str
    is_by_hand: bool
    is_down: bool
    has_equipment: bool
    seats: tuple[SeatView, ...]
    step: StepView
    meters: tuple[MeterView, ...]
    prizes: tuple[PrizesView, ...]
    envies: tuple[EnvyView, ...]
    alerts: tuple[AlertView, ...]
    wagers: tuple[tuple[str, str], ...]
    decks: tuple[str, ...] = ()
    shuffler: str = ""
    unnamed: tuple[int, ...] = ()
    rounds: tuple[int, ...] = ()
    is_on_table: bool = False
    prize_round: int = 0
    limits: tuple[str, ...] = ()
    """The aggregate payout limits in force, as they are posted (G-65)."""


def _last_round(state: BookState, table: str) -> TabulatedRound | None:
    batch = state.of(JACKPOTS).last_round(table)
    last = None if batch is None else batch.only(batch.round)
    return None if last is None or last.voided else last


def _unclaimed(state: BookState, table: str, jackpot: str, last: TabulatedRound, of_seat: int = 0) -> tuple[int, ...]:
    """The seats of a round that have no prize of a jackpot yet, or no Envy for the hand of this seat (G-2)."""
    claimed = {
        claim.seat
        for claim in state.of(HITS).claimed.get(table, ())
        if (claim.round, claim.jackpot, claim.of_seat) == (last.round, jackpot, of_seat)
    }
    return tuple(seat for seat in last.seats.get(jackpot, ()) if seat not in claimed)


def _tags(state: BookState, table: str) -> dict[int, str]:
    """Return what the seats of the last round were paid from the tray, and which have a jackpot pending."""
    last = _last_round(state, table)
    if last is None:
        return {}
    cents: dict[int, int] = {}
    for paid in state.of(HITS).small.get(table, ()):
        if paid.round == last.round:
            cents |= {won.seat: cents.get(won.seat, 0) + won.cents for won in paid.won}
    tags = {seat: f"PAID {money(amount)}" for seat, amount in cents.items()}
    for hit in state.of(HITS).open.values():
        if (hit.table, hit.round) == (table, last.round) and hit.state in _HANDLED:
            tags |= {won.seat: "JACKPOT" for won in hit.won}
    return tags


def _seats(state: BookState, record: TableRecord, winning: frozenset[int]) -> tuple[SeatView, ...]:
    tags = _tags(state, record.table)
    game, last = find_game(record.setup.game), record.last_round
    is_on = record.phase == "tabulated" and last is not None and last.round == record.round and not last.voided

    def light(seat: int, wager: str) -> LightView:
        described = game.by_name[wager]
        state = "off"
        if is_on and last is not None:
            sensor = record.setup.sensor_of(seat, wager)
            if seat in last.counted.get(wager, ()):
                state = "on"
            elif sensor is not None and (sensor.position, sensor.number) in last.late:
                state = "late"
        return LightView(wager, titled(described.title), state, described.jackpot)

    seats = range(1, record.setup.seats + 1)
    return tuple(
        SeatView(seat, tuple(light(seat, wager) for wager in record.setup.wagers), tags.get(seat, ""), seat in winning)
        for seat in seats
    )


def _step(record: TableRecord, person: str) -> StepView:
    """The next right thing (E-02): tap in, tabulate, next round; or whose turn it is."""
    if record.life == "closed":
        return StepView("open", "Table closed", "Ask a supervisor to open it")
    if not person:
        return StepView("tap", "Tap in", "Tap in to deal this table")
    if record.dealer != person:
        return StepView("take", "Tap in", f"{record.dealer or 'Nobody'} is dealing")
    if record.down is not None and record.down.method == "suspend":
        return StepView("", "Out of service", "Take no jackpot wagers")
    if not record.is_by_hand and record.setup.equipment.counts == "batches":
        return StepView("lights", "Enter lights", "A prize to pay: tap each seat whose light is on")
    if not record.is_by_hand and record.phase == "open":
        return StepView("", "Ready", "Press TABULATE on the table")
    if not record.is_by_hand:
        return StepView("", f"Round {record.round} counted", "Press NEXT on the table")
    if record.phase == "open" and record.setup.counts_nothing:
        return StepView("press", "Deal a round", "No wagers are counted here")
    if record.phase == "open":
        takes = "Tap each seat with a jackpot wager first"
        return StepView("press", "Tabulate", "Take no jackpot wagers" if record.is_suspended_at() else takes)
    return StepView("press", "Next round", f"Round {record.round} is in play")


def _rows(record: JackpotRecord, table: str) -> tuple[PrizeRowView, ...]:
    jackpot = record.jackpot
    offer = jackpot.offer_at(table)
    _, wager = jackpot.game_and_wager(offer)
    rows = []
    for row in jackpot.posted_prizes(offer):
        (pay,) = row.pays or (Dollars(0),)
        cents, is_share = prize_cents(wager, pay, jackpot.meter.wager_cents), isinstance(pay, OfMeter)
        envy = envy_cents(jackpot, table, row.event)
        amount = str(pay).replace("of the meter", "") if is_share else money(cents)
        is_small = not is_share and 0 < cents < jackpot.small_prize_cents
        rows.append(PrizeRowView(row.event, amount.strip(), is_small, money(envy) if envy else "", cents, envy or 0))
    return tuple(rows)


def _title(record: JackpotRecord, table: str) -> str:
    jackpot = record.jackpot
    return titled(jackpot.game_and_wager(jackpot.offer_at(table))[1].title)


def _prizes(state: BookState, table: str) -> Iterator[PrizesView]:
    last = _last_round(state, table)
    if last is None:
        return
    for record in state.of(JACKPOTS).at(table):
        seats = _unclaimed(state, table, record.jackpot.name, last)
        yield PrizesView(record.jackpot.name, _title(record, table), last.round, seats, _rows(record, table))


def envy_view(state: BookState, table: str, jackpot: str, seat: int, row: str) -> EnvyView | None:
    """Return the Envy list of an event at a seat: every other seat with the wager that was not paid for it yet."""
    record, last = state.of(JACKPOTS).jackpots.get(jackpot), _last_round(state, table)
    if record is None or last is None or record.jackpot.linked(table) is None:
        return None
    cents = envy_cents(record.jackpot, table, row)
    if not cents:
        return None
    unpaid = _unclaimed(state, table, jackpot, last, seat)
    others = tuple(other for other in unpaid if other != seat and not last.one_person(other, seat))
    if not others:
        return None
    total = dollars(cents * len(others))
    return EnvyView(jackpot, _title(record, table), seat, row, others, money(cents), total, last.round, cents)


def _envies(state: BookState, table: str) -> Iterator[EnvyView]:
    """The Envy lists of hits that were called here in the last round."""
    last = _last_round(state, table)
    for hit in state.of(HITS).open.values():
        if last is None or hit.table != table or hit.round != last.round or hit.is_finished:
            continue
        for won in hit.won:
            envy = envy_view(state, table, hit.jackpot, won.seat, won.row)
            if envy is not None:
                yield envy


_HANDLED = {
    HitState.CALLED: "Waiting for supervisor.",
    HitState.VERIFIED: "Hand verified.",
    HitState.SURVEILLED: "Surveillance confirmed.",
    HitState.DOCUMENTED: "Being paid.",
    HitState.PAID: "Paid.",
}


def _down_alerts(state: BookState, record: TableRecord, time: Callable[[int], str]) -> Iterator[AlertView]:
    """Yield that equipment is down or its link is lost, and the method of the table, step by step (E-09)."""
    device = state.of(TABLES).devices.get(record.setup.device)
    if record.down is not None:
        how = "Count by hand" if record.down.method == "on-the-spot" else "Take no jackpot wagers"
        reason = record.down.words.strip().rstrip(".")
        yield AlertView("alarm", time(record.down.since), f"Equipment out of service ({reason}). {how}.")
    elif device is not None and device.lost and record.life != "closed":
        lost = state.of(TABLES).alarms.get(f"link device {device.device}")
        since = time(lost.happened) if lost is not None else ""
        yield AlertView("alarm", since, "Table link lost. A supervisor decides how play goes on.")
    else:
        return
    method = record.setup.down_method if record.down is None else record.down.method
    for place, step in enumerate(DOWN_STEPS[method], start=1):
        yield AlertView("method", "", f"{place}. {sentence(step)}")


def _is_over(state: BookState, record: TableRecord, alarm: Alarm) -> bool:
    """True if the cause of an alarm is gone: the floor still resolves it, the dealer has nothing to do about it."""
    device = state.of(TABLES).devices.get(record.setup.device)
    if alarm.kind == "link":
        # While the link is lost, the console says so with the method.
        return True
    if alarm.kind == "refused":
        last = record.last_round
        return last is not None and last.sequence > alarm.sequence and not (device is not None and device.lost)
    return False


def _alarm_text(record: TableRecord, alarm: Alarm) -> str:
    """Return what an alarm asks of a dealer, in one sentence."""
    place = alarm.key.rpartition(" ")[2]
    sensors = {place_text((sensor.position, sensor.number)): sensor for sensor in record.setup.sensors}
    sensor = sensors.get(place)
    if alarm.kind == "refused" and "no dealer is in charge" in alarm.words:
        return "No dealer is tapped in. Tap in first."
    if alarm.kind == CORRECTION:
        return f"{alarm.by} took a counted wager off the meter. A supervisor must confirm it before the shift ends."
    if sensor is None or alarm.kind not in _SENSOR_TEXTS:
        return sentence(alarm.words)
    title = titled(find_game(record.setup.game).by_name[sensor.wager].title)
    times = len(record.sensors[place].disagreed) if place in record.sensors else 0
    return f"Seat {sensor.position} sensor ({title}) {_SENSOR_TEXTS[alarm.kind].format(times=times)} Have it checked."


_SENSOR_TEXTS = {
    "disagreeing": "has been corrected {times} times.",
    "silent": "has seen no wager for many rounds.",
    "stuck": "has seen a wager at every press.",
}


def console_alerts(state: BookState, record: TableRecord) -> Iterator[AlertView]:
    """Yield what the dealer must know now: jackpots pending, a void round, what is out of service, and alarms."""
    table, zone = record.table, room_zone(state)

    def time(instant: int) -> str:
        # What has stood since another day than that of the last press says so.
        then, pressed = (local(each, zone) for each in (instant, record.pressed or instant))
        return clock(then) if then.date() == pressed.date() else f"{short_day(then)}, {clock(then)}"

    for hit in state.of(HITS).open.values():
        if hit.table == table and hit.state in _HANDLED:
            prizes = "; ".join(f"seat {won.seat}, {full_words(won.row)}, {dollars(won.cents)}" for won in hit.won)
            yield AlertView("hit", time(hit.done[0].happened), f"Jackpot pending: {prizes}. {_HANDLED[hit.state]}")
    last = record.last_round
    if last is not None and last.voided:
        for item in last.items:
            text = f"Round {last.round} is void. Seat {item.seat}, {item.about}: {sentence(item.words)}"
            yield AlertView("alarm", "", text)
    if record.life == "suspended":
        yield AlertView("alarm", "", "The jackpots of this table are suspended. Give the wagers back.")
    yield from _down_alerts(state, record, time)
    for jackpot in state.of(JACKPOTS).at(table):
        if jackpot.play != "open":
            text = f"{_title(jackpot, table)} is {jackpot.play}. Take no wagers on it."
            yield AlertView("alarm", time(jackpot.play_since) if jackpot.play_since else "", text)
    alarms = [alarm for alarm in state.of(TABLES).alarms.values() if alarm.table == table]
    for alarm in sorted(alarms, key=lambda alarm: -alarm.happened):
        if not _is_over(state, record, alarm):
            yield AlertView("alarm", time(alarm.happened), _alarm_text(record, alarm))


def paid_text(paid: SmallPaid) -> str:
    """Return what a tap has paid: seat, amount and hand; or the seats of an Envy list."""
    first = paid.won[0]
    if not paid.of_seat:
        return f"Seat {first.seat}: paid {money(first.cents)}, {full_words(first.row)}."
    seats = ", ".join(str(won.seat) for won in paid.won)
    return f"Envy paid: seat{'s' if len(paid.won) > 1 else ''} {seats} ({money(first.cents)} each)."


def undo_view(state: BookState, table: str, person: str, now: int) -> UndoView | None:
    """Return the prize that this person paid last at a table, while they may undo it (G-66)."""
    prizes = state.of(HITS).small.get(table, ())
    paid = prizes[-1] if prizes else None
    if paid is None or paid.person.casefold() != person.casefold():
        return None
    left = undo_seconds(now) * 1_000_000 - (now - paid.at)
    return UndoView(paid.number, paid_text(paid), left // 1_000) if left > 0 else None


def reversible_prizes(state: BookState, table: str, person: str, now: int) -> tuple[ReversibleView, ...]:
    """Return the small prizes of this shift that another than this person paid, the newest first (G-66)."""
    zone = room_zone(state)
    prizes = [
        paid
        for paid in reversed(state.of(HITS).small.get(table, ()))
        if paid.person.casefold() != person.casefold() and not list(shift_problems(state, paid, now))
    ]
    return tuple(
        ReversibleView(paid.number, f"{clock_text(paid.at, zone)}, round {paid.round}. {paid_text(paid)} {paid.person}")
        for paid in prizes[:_REVERSIBLE_MOST]
    )


def _unnamed(record: TableRecord) -> tuple[int, ...]:
    """Return the last rounds of which only totals were entered and nobody has named the seats (G-35)."""
    numbers = [
        number
        for counted in record.rounds
        if counted.totals
        for number in range(counted.round - counted.rounds + 1, counted.round + 1)
        if str(number) not in counted.named
    ]
    return tuple(numbers[-_UNNAMED_MOST:])


def deck_text(deck: DeckRecord) -> str:
    """Return a deck in play in words: who inspected and washed it."""
    maker = f" ({deck.maker})" if deck.maker else ""
    return f"{deck.deck}{maker}: inspected by {deck.inspected_by}, washed by {deck.washed_by}"


def shuffler_text(shuffler: ShufflerRecord | None) -> str:
    """Return a shuffler in words: its model and its approval; empty where none is on record."""
    if shuffler is None:
        return ""
    return f"{shuffler.model}, {shuffler.maker}; approval {shuffler.approval} of {iso_day(shuffler.day)}"


def console_view(
    state: BookState, table: str, person: str, jackpots: tuple[JackpotAtTable, ...] = ()
) -> ConsoleView | None:
    """Build the console of a table for this person; nothing where no table of this name is set up."""
    record = state.of(TABLES).tables.get(table)
    if record is None:
        return None
    game, prizes = find_game(record.setup.game), tuple(_prizes(state, table))
    return ConsoleView(
        table=table,
        game=game.title,
        sequence=state.sequence,
        dealer=record.dealer,
        round=record.round,
        phase=record.phase,
        life=record.life,
        is_by_hand=record.is_by_hand,
        is_down=record.down is not None,
        has_equipment=bool(record.setup.sensors),
        seats=_seats(state, record, frozenset(seat for offered in prizes for seat in offered.seats)),
        step=_step(record, person),
        meters=tuple(meter_view(jackpot, table) for jackpot in jackpots),
        prizes=prizes,
        envies=tuple(_envies(state, table)),
        alerts=tuple(console_alerts(state, record)),
        wagers=tuple((wager, titled(game.by_name[wager].title)) for wager in record.setup.wagers),
        decks=tuple(deck_text(deck) for deck in log_of(state).in_play(table)),
        shuffler=shuffler_text(log_of(state).shufflers.get(table)),
        unnamed=_unnamed(record),
        rounds=tuple(counted.round for counted in reversed(record.rounds))[:_ROUNDS_MOST],
        is_on_table=record.is_before_next_press(record.round),
        prize_round=prizes[0].round if prizes else 0,
        limits=() if (posted := configuration_at(state, table)) is None else posted.limit_sentences,
    )


def console_live(state: BookState, table: str, jackpots: tuple[JackpotAtTable, ...]) -> dict[str, Any]:
    """Return what an open console follows: its shape for the dealer in charge, and the amounts that move."""
    record = state.of(TABLES).tables.get(table)
    view = console_view(state, table, "" if record is None else record.dealer, jackpots)
    if view is None:
        return {"shape": "", "texts": {}, "round": 0}
    still = view._replace(sequence=0, meters=tuple(meter._replace(cents=None, text="") for meter in view.meters))
    shape = hashlib.sha256(json.dumps(still, ensure_ascii=False).encode()).hexdigest()[:16]
    texts = {f"meter:{meter.name}": meter.text for meter in view.meters}
    return {"shape": shape, "texts": texts, "round": view.prize_round}
