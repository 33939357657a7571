"""Invariants of tables: checked before an entry is written and in every audit.

They look only where the tables are part of the state; books that were opened without this package have none.
"""

from collections.abc import Iterator
from itertools import chain

from pitboss.books import MOVEMENTS, BookState, EntryStep, Invariant, Movement, kinds_of, second_person_problems
from pitboss.games import find_game
from pitboss.jackpot.hits.state import HITS
from pitboss.jackpot.state import JACKPOTS
from pitboss.tabulator import entries
from pitboss.tabulator.state import tables_of
from pitboss.tabulator.values import RoomTables, TableRecord

_BY_TWO = (
    entries.TableSetUp,
    entries.JackpotsResumed,
    entries.RoundVoided,
    entries.SequencesLost,
    entries.EquipmentRestored,
)
_BETWEEN_ROUNDS = (entries.TableClosed, entries.JackpotsSuspended, entries.JackpotsResumed)
_COUNTS = ("wagers-counted", "count-corrected")


def _record(state: BookState, table: str) -> TableRecord | None:
    room = tables_of(state)
    return None if room is None else room.tables.get(table)


def _two_people(step: EntryStep) -> Iterator[str]:
    """Nobody sets a table up, voids a round, gives messages up or enters counts alone (G-31)."""
    value = step.value
    needs = isinstance(value, _BY_TWO) or (isinstance(value, entries.BatchTabulated) and value.source == "hand")
    if isinstance(value, entries.RoundCorrected):
        before = _record(step.before, step.entry.table)
        needs = before is not None and not before.is_before_next_press(value.round)
    if needs:
        approved_by = str(getattr(value, "approved_by", ""))
        by = str(getattr(value, "by", "") or step.entry.actor)
        yield from second_person_problems(f"a {value.kind}", approved_by, by)


def _course(step: EntryStep) -> Iterator[str]:
    """A round is counted while its table is open for wagers, and ended once; a table changes between rounds."""
    value, before = step.value, _record(step.before, step.entry.table)
    if before is None:
        return
    counts = isinstance(value, entries.RoundTabulated | entries.RoundReleased | entries.BatchTabulated)
    if counts and before.life == "closed":
        yield f"table {before.table} is closed: nothing is counted there"
    if isinstance(value, entries.RoundTabulated | entries.RoundReleased):
        phase, number = before.phase_for(value.source)
        if not value.dealer.strip():
            yield f"a press at table {before.table} names no dealer"
        if isinstance(value, entries.RoundTabulated) == (phase == "tabulated"):
            yield f"table {before.table} is {phase}: a {value.kind} does not follow"
        if isinstance(value, entries.RoundReleased) and value.round != number:
            yield f"round {number} is on table {before.table}, not {value.round}"
    if isinstance(value, entries.RoundTabulated | entries.BatchTabulated) and value.round <= before.round:
        yield f"round {value.round} of table {before.table} was counted already"
    if isinstance(value, _BETWEEN_ROUNDS) and before.phase != "open":
        yield f"round {before.on_table} is on table {before.table}: it changes between rounds"
    if isinstance(value, entries.TableSetUp) and not value.since and before.life != "closed":
        yield f"table {before.table} is {before.life}: its equipment changes while it is closed"


def _one_door(step: EntryStep) -> Iterator[str]:
    """Where a table is set up, jackpot wagers are counted and taken back by its tabulator alone."""
    value, before = step.value, _record(step.before, step.entry.table)
    if not isinstance(value, Movement) or value.kind not in _COUNTS:
        return
    if before is None:
        if value.details.get("alone"):
            yield "one person corrects the round on the table only (G-39)"
        return
    if before.command != step.entry.command:
        yield f"wagers of table {before.table} are counted by its tabulator alone (G-42)"
    if value.details.get("alone") and not before.is_before_next_press(value.details.get("round", 0)):
        yield "one person corrects the round on the table only (G-39)"


def _void_pays_nothing(step: EntryStep) -> Iterator[str]:
    """No prize is called or paid for a round that is void, and none of its hits is open then (G-11).

    Rounds that were made void before people decided on their open hits are not looked at: those books stay readable.
    """
    value, table = step.value, step.entry.table
    before, hits = _record(step.before, table), step.before.parts.get(HITS.name)
    if before is None or hits is None:
        return
    if isinstance(value, entries.RoundVoided):
        numbers = [hit.number for hit in hits.open.values() if (hit.table, hit.round) == (table, value.round)]
        if numbers and value.open_hits:
            yield f"round {value.round} of table {table} is made void while hit {numbers[0]} of it is open (G-11)"
        return
    assert isinstance(value, Movement)
    hit = hits.open.get(value.details.get("hit", 0))
    number = value.details.get("round") if hit is None else hit.round
    if number in before.void_rounds:
        yield f"round {number} of table {table} is void: no prize of it is called or paid (G-11)"


def _sequence(step: EntryStep) -> Iterator[str]:
    """Messages of a device follow one another without gap or repeat (M-10)."""
    number, device = getattr(step.value, "device_sequence", 0), getattr(step.value, "device", "")
    room = tables_of(step.before)
    if room is None or not number:
        return
    last = room.devices[device].sequence if device in room.devices else 0
    # What came too late, or a second time as something else, is written down as refused and moves nothing (G-76).
    is_late = isinstance(step.value, entries.MessageRefused) and 0 < number <= last
    if number != last + 1 and not is_late:
        yield f"message {number} of {device} does not follow {last}"


def _never_falls(step: EntryStep) -> Iterator[str]:
    """The counters of a table's life never fall (M-11)."""
    before, after = _record(step.before, step.entry.table), _record(step.after, step.entry.table)
    if before is None or after is None or before is after:
        return
    if after.counter < before.counter or after.rounds_counted < before.rounds_counted:
        yield f"a counter of table {before.table} falls"
    for place, sensor in before.sensors.items():
        if after.sensors[place].counted < sensor.counted:
            yield f"the counter of sensor {place} of table {before.table} falls"
    value = step.value
    if not isinstance(value, entries.CounterRead) or before.reading is None or value.rolled_over or value.replaced:
        return
    if value.reading < before.reading.reading:
        yield f"the reading {value.reading} of table {before.table} is below {before.reading.reading}"


def _adds_up(step: EntryStep) -> Iterator[str]:
    """Check a table after the last entry of a command that counted there."""
    if step.entry.part + 1 < step.entry.parts:
        return
    room, table = tables_of(step.after), _record(step.after, step.entry.table)
    if room is not None and table is not None and table.command == step.entry.command:
        yield from _table_adds_up(step.after, table)


def _all_add_up(state: BookState) -> Iterator[str]:
    room: RoomTables | None = tables_of(state)
    for table in () if room is None else room.tables.values():
        yield from _table_adds_up(state, table)


def _table_adds_up(state: BookState, table: TableRecord) -> Iterator[str]:
    """What the tabulator has counted at each seat on jackpot wagers is what its jackpots have counted there."""
    jackpots = {wager.name for wager in find_game(table.setup.game).jackpots}
    ours: dict[str, int] = {}
    for sign, counts in ((1, table.counts), (-1, table.reversed)):
        for wager, by_seat in counts.items():
            if wager in jackpots:
                for seat, wagers in by_seat.items():
                    ours[seat] = ours.get(seat, 0) + sign * wagers
    theirs: dict[str, int] = {}
    for record in state.of(JACKPOTS).jackpots.values():
        for seat, wagers in record.counted.get(table.table, {}).items():
            theirs[seat] = theirs.get(seat, 0) + wagers
    for seat, wagers in table.before.items():
        theirs[seat] = theirs.get(seat, 0) - wagers
    for seat in sorted({*ours, *theirs}):
        if ours.get(seat, 0) != theirs.get(seat, 0):
            difference = f"seat {seat} of table {table.table} has {ours.get(seat, 0)} jackpot wagers"
            yield f"{difference}, and its jackpots have counted {theirs.get(seat, 0)}"
    wagers_counted = sum(chain.from_iterable(by_seat.values() for by_seat in table.counts.values()))
    if wagers_counted != table.wagers_counted:
        yield f"the rounds of table {table.table} have {table.wagers_counted} wagers, its seats {wagers_counted}"


INVARIANTS = (
    Invariant(
        name="table-approval",
        says="nobody sets a table up, voids a round or enters counts alone",
        sources=("section 10 no. 10", "T-06", "T-18"),
        step=_two_people,
        kinds=kinds_of(*_BY_TWO, entries.BatchTabulated, entries.RoundCorrected),
    ),
    Invariant(
        name="table-course",
        says="a round is counted once, at an open table; a table changes between rounds",
        sources=("E-02", "T-16"),
        step=_course,
        kinds=entries.TABLE_KINDS,
    ),
    Invariant(
        name="void-rounds",
        says="no prize is called or paid for a void round",
        sources=("section 10 no. 8", "T-12"),
        step=_void_pays_nothing,
        kinds=kinds_of(entries.RoundVoided) | {"prize-called", "prize-paid"},
    ),
    Invariant(
        name="table-messages",
        says="messages of a device follow one another without gap or repeat",
        sources=("M-10",),
        step=_sequence,
        kinds=entries.TABLE_KINDS,
    ),
    Invariant(
        name="table-counter",
        says="no counter of a table or sensor falls",
        sources=("section 10 no. 4", "M-11"),
        step=_never_falls,
        kinds=entries.TABLE_KINDS,
    ),
    Invariant(
        name="table-counts",
        says="seats, rounds and tables are what the jackpots have counted there",
        sources=("section 10 no. 4", "M-11", "E-02"),
        step=lambda step: chain(_one_door(step), _adds_up(step)),
        kinds=entries.TABLE_KINDS | MOVEMENTS.keys(),
        end=_all_add_up,
    ),
)
