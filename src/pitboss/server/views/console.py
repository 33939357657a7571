"""The dealer's console: the seats with their lights, the next right thing to do, and what there is to pay."""

import hashlib
import json
from collections.abc import Iterator
from typing import Any, NamedTuple

from pitboss.books import BookState
from pitboss.games import find_game
from pitboss.jackpot import HITS, JACKPOTS, HitState, JackpotRecord, TabulatedRound
from pitboss.jackpot.hits.amounts import envy_cents
from pitboss.room.configurations import configuration_at
from pitboss.rules import prize_cents
from pitboss.rules.pays import Dollars, OfMeter
from pitboss.server.views.formatting import dollars
from pitboss.server.views.paytables import money, titled
from pitboss.server.views.table_state import JackpotAtTable
from pitboss.server.views.vision import MeterView, meter_view
from pitboss.tabulator import TABLES, TableRecord
from pitboss.tabulator.setup import DOWN_STEPS
from pitboss.tabulator.table_log import DeckRecord, ShufflerRecord, log_of

_UNNAMED_MOST = 20


class LightView(NamedTuple):
    """The light of one wager at one seat: off, on where it was counted, late where it came after the press."""

    wager: str
    title: str
    state: str
    is_jackpot: bool


class SeatView(NamedTuple):
    """A seat in the table's arc; seat 1 is on the dealer's left (G-16)."""

    seat: int
    lights: tuple[LightView, ...]


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


class PrizesView(NamedTuple):
    """The prizes of a jackpot in the last round: seats whose wager counted and that have no prize yet."""

    jackpot: str
    title: str
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
    messages: tuple[tuple[str, str], ...]
    wagers: tuple[tuple[str, str], ...]
    decks: tuple[str, ...] = ()
    shuffler: str = ""
    unnamed: tuple[int, ...] = ()
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


def _seats(record: TableRecord) -> tuple[SeatView, ...]:
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
    return tuple(SeatView(seat, tuple(light(seat, wager) for wager in record.setup.wagers)) for seat in seats)


def _step(record: TableRecord, person: str) -> StepView:
    """The next right thing (E-02): tap in, take the table, tabulate, next round; or whose turn it is."""
    if record.life == "closed":
        return StepView("", "Table closed", "A supervisor opens it.")
    if not person:
        return StepView("tap", "Tap in", "Whoever deals taps in first.")
    if record.dealer != person:
        return StepView("take", "Take the table", f"{record.dealer or 'Nobody'} is in charge now.")
    if record.down is not None and record.down.method == "suspend":
        return StepView("", "Equipment down", "No jackpot wager is taken until it counts again.")
    if not record.is_by_hand and record.setup.equipment.counts == "batches":
        return StepView("lights", "State the lights", "A prize to pay: tap the seats whose light is on.")
    if not record.is_by_hand:
        what = "to count the wagers" if record.phase == "open" else "for the next round"
        return StepView("", "Button at the table", f"Press it {what}.")
    if record.phase == "open" and record.setup.counts_nothing:
        return StepView("press", "Deal a round", "Nothing is counted here; the round gets its number.")
    if record.phase == "open":
        return StepView("press", "Tabulate", "Tap the seats that have a wager, then press.")
    return StepView("press", "Next round", f"Round {record.round} is on the table.")


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
        rows.append(PrizeRowView(row.event, amount.strip(), is_small, money(envy) if envy else ""))
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
        yield PrizesView(record.jackpot.name, _title(record, table), seats, _rows(record, table))


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
    return EnvyView(jackpot, _title(record, table), seat, row, others, money(cents), total)


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
    HitState.CALLED: "waits for the supervisor",
    HitState.VERIFIED: "is verified",
    HitState.SURVEILLED: "is confirmed by surveillance",
    HitState.DOCUMENTED: "is being paid",
    HitState.PAID: "is paid",
}


def _down_messages(state: BookState, record: TableRecord) -> Iterator[tuple[str, str]]:
    """Yield that equipment is down or its line is lost, and the method of the table, step by step (E-09)."""
    device = state.of(TABLES).devices.get(record.setup.device)
    if record.down is not None:
        how = "count by hand" if record.down.method == "on-the-spot" else "no jackpot wagers"
        yield "alarm", f"Equipment down ({record.down.words}): {how} (E-09)."
    elif device is not None and device.lost and record.life != "closed":
        yield "alarm", f"The line of {device.device} is lost: a supervisor lets the table go on by its method (G-43)."
    else:
        return
    method = record.setup.down_method if record.down is None else record.down.method
    for place, step in enumerate(DOWN_STEPS[method], start=1):
        yield "method", f"{place}. {step}"


def _messages(state: BookState, record: TableRecord) -> Iterator[tuple[str, str]]:
    """Yield what the dealer must know, a hit that is handled or an alarm: its kind and its words."""
    table = record.table
    for hit in state.of(HITS).open.values():
        if hit.table == table and hit.state in _HANDLED:
            prizes = ", ".join(f"seat {won.seat} {won.row} {dollars(won.cents)}" for won in hit.won)
            yield "hit", f"Hit {hit.number}: {prizes}; {_HANDLED[hit.state]}."
    last = record.last_round
    if last is not None and last.voided:
        for item in last.items:
            yield "alarm", f"Round {last.round} is void. Seat {item.seat}, {item.about}: {item.words} (G-11)."
    if record.life == "suspended":
        yield "alarm", "The jackpots of this table are suspended: give the wagers back (T-09)."
    yield from _down_messages(state, record)
    for jackpot in state.of(JACKPOTS).at(table):
        if jackpot.play != "open":
            yield "alarm", f"{_title(jackpot, table)} is {jackpot.play}: take no wagers on it."
    for alarm in state.of(TABLES).alarms.values():
        if alarm.table == table:
            yield "alarm", f"{alarm.words}."


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
    return f"{shuffler.model}, {shuffler.maker}; approval {shuffler.approval} of {shuffler.day}"


def console_view(
    state: BookState, table: str, person: str, jackpots: tuple[JackpotAtTable, ...] = ()
) -> ConsoleView | None:
    """Build the console of a table for this person; nothing where no table of this name is set up."""
    record = state.of(TABLES).tables.get(table)
    if record is None:
        return None
    game = find_game(record.setup.game)
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
        seats=_seats(record),
        step=_step(record, person),
        meters=tuple(meter_view(jackpot, table) for jackpot in jackpots),
        prizes=tuple(_prizes(state, table)),
        envies=tuple(_envies(state, table)),
        messages=tuple(_messages(state, record)),
        wagers=tuple((wager, titled(game.by_name[wager].title)) for wager in record.setup.wagers),
        decks=tuple(deck_text(deck) for deck in log_of(state).in_play(table)),
        shuffler=shuffler_text(log_of(state).shufflers.get(table)),
        unnamed=_unnamed(record),
        limits=() if (posted := configuration_at(state, table)) is None else posted.limit_sentences,
    )


def console_live(state: BookState, table: str, jackpots: tuple[JackpotAtTable, ...]) -> dict[str, Any]:
    """Return what an open console follows: its shape for the dealer in charge, and the amounts that move."""
    record = state.of(TABLES).tables.get(table)
    view = console_view(state, table, "" if record is None else record.dealer, jackpots)
    if view is None:
        return {"shape": "", "texts": {}}
    still = view._replace(sequence=0, meters=tuple(meter._replace(cents=None, text="") for meter in view.meters))
    shape = hashlib.sha256(json.dumps(still, ensure_ascii=False).encode()).hexdigest()[:16]
    return {"shape": shape, "texts": {f"meter:{meter.name}": meter.text for meter in view.meters}}
