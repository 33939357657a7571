"""Invariants of jackpots: what the law demands of their entries, checked before an entry is written and in every audit.

They look only where the jackpots are part of the state; books that were opened without this package have none.
That no step of a hit is skipped, nobody approves their own, no prize is paid twice and no slip number is left out is
checked by the fold itself (`hits.state`): an entry that breaks it is refused, and an audit names it as damage.
"""

from collections import Counter
from collections.abc import Iterable, Iterator

from pitboss.books import LEDGER, MOVEMENTS, BookState, EntryStep, Invariant, Movement, kinds_of, second_person_problems
from pitboss.books.ledger.movements import counted_transfers
from pitboss.jackpot.definitions import JackpotSet, PlayReason, PlaySet
from pitboss.jackpot.escrow import account_shortfalls, shortfall_units
from pitboss.jackpot.hits.state import HITS, MOVED_KINDS, RoomHits
from pitboss.jackpot.state import JackpotRecord, at_opening, jackpots_of, seat_counts, wagers_at_seats
from pitboss.jackpot.titles import jackpot_title
from pitboss.meters import units_of, units_text


def _payable(step: EntryStep) -> Iterator[str]:
    """Section 10, 8 and 9: money comes to the winners with a call, and leaves them with a rejection or a payment."""
    movement: Movement = step.value
    if "step" not in movement.details:
        return
    before: RoomHits | None = step.before.parts.get(HITS.name)
    after: RoomHits | None = step.after.parts.get(HITS.name)
    if before is None or after is None:
        return
    moved = sum(
        units * ((payee == "winners") - (payer == "winners")) for payer, payee, units, _, _ in movement.transfers
    )
    owed = units_of(after.payable_cents(movement.jackpot) - before.payable_cents(movement.jackpot))
    if moved != owed:
        yield f"{units_text(moved)} come to the winners of {movement.jackpot}, and the hits say {units_text(owed)}"


def _unchanged(step: EntryStep) -> Iterator[str]:
    """A hit is settled by the terms under which it was called: they stay until it is finished (T-16)."""
    room: RoomHits | None = step.before.parts.get(HITS.name)
    if isinstance(step.value, JackpotSet) and room is not None:
        name = step.value.jackpot.name
        for hit in room.open.values():
            if hit.jackpot == name:
                yield f"hit {hit.number} of {name} is not finished: the jackpot does not change before it is (T-16)"


def _record(state: BookState, name: str) -> JackpotRecord | None:
    room = jackpots_of(state)
    return None if room is None else room.jackpots.get(name)


def _two_people(step: EntryStep) -> Iterator[str]:
    """Section 10, 10: a definition, a change and an opening have the approval of a second person (T-06, T-18)."""
    value = step.value
    if isinstance(value, JackpotSet) or (isinstance(value, PlaySet) and value.play == "open"):
        yield from second_person_problems(f"a {value.kind}", value.approved_by, step.entry.actor)
    if isinstance(value, JackpotSet | PlaySet) and not value.words.strip():
        yield f"a {value.kind} says why in words"


def _closed_changes(step: EntryStep) -> Iterator[str]:
    """Parameters of a jackpot change only while it is closed (T-16)."""
    value = step.value
    name = value.jackpot.name if isinstance(value, JackpotSet) else getattr(value, "jackpot", None)
    if isinstance(value, JackpotSet) or (isinstance(value, Movement) and value.kind == "terms-changed"):
        before = _record(step.before, str(name))
        if isinstance(value, JackpotSet) and value.first and before is not None:
            yield f"jackpot {name} is defined already"
        elif before is not None and before.play != "closed":
            yield f"jackpot {name} is {before.play}: its parameters change only while it is closed"


def _counts(step: EntryStep) -> Iterable[str]:
    """Section 10, 4: a round's wagers are those of its seats, counted once, at a linked table, while play is open."""
    movement = step.value
    assert isinstance(movement, Movement)
    before = _record(step.before, movement.jackpot)
    problems: list[str] = []
    if before is None:
        return problems
    name, table = movement.jackpot, step.entry.table
    if not before.plays_at(step.entry.happened):
        problems.append(f"{name} is {before.play}: no wager is counted")
    if before.jackpot.linked(table) is None:
        problems.append(f"table {table!r} is not linked to {name}")
    wagers = movement.counts.get("wagers_counted", 0)
    by_seat = wagers_at_seats(movement)
    if wagers != by_seat:
        problems.append(f"{wagers} wagers of {name} are counted and {by_seat} at its seats")
    number = movement.details.get("round")
    if type(number) is not int or number < 1:
        problems.append(f"round {number!r} of table {table} is none")
    elif movement.details.get("missed") and not movement.approved_by and not movement.details.get("alone"):
        problems.append("to count what was missed needs the approval of a second person")
    elif not _follows(step, movement, number):
        problems.append(f"round {number} of table {table} does not follow what was counted there")
    return problems


def _rates(step: EntryStep) -> Iterable[str]:
    """What wagers contribute is what the rates in force make of them: nothing of the players' goes elsewhere."""
    movement: Movement = step.value
    record = _record(step.before, movement.jackpot)
    accounts = step.before.of(LEDGER).get(movement.jackpot)
    wagers = movement.counts.get("wagers_counted", 0)
    if record is None or accounts is None or type(wagers) is not int or wagers < 0:
        return ()
    most = record.jackpot.meter.batch_wagers_max
    if most is not None and wagers > most:
        return [f"{wagers} wagers of {movement.jackpot} are more than the {most} that one count may hold"]
    if movement.transfers == counted_transfers(accounts.balances["displayed"], record.jackpot.meter, wagers):
        return ()
    return [f"{wagers} wagers of {movement.jackpot} are not shared as the rates in force demand"]


def _reversed_rates(step: EntryStep) -> Iterable[str]:
    """What is taken back with a miscount is what its wagers brought: the meter gives no more than that (G-11).

    Where the terms have changed since it was counted, the state does not say what they were.
    """
    movement: Movement = step.value
    record, wagers = _record(step.before, movement.jackpot), movement.counts.get("wagers_reversed", 0)
    if record is None or movement.corrects is None or not record.sets:
        return ()
    if type(wagers) is not int or record.set_before(movement.corrects) != record.sets[-1]:
        return ()
    terms, given = record.jackpot.meter, Counter[str]()
    for payer, payee, units, _, _ in movement.transfers:
        given[payer] += units
        given[f"to {payee}"] += units
    most, reserve = wagers * terms.display_units, wagers * terms.reserve_units
    is_right = given["displayed"] + given["overflow"] <= most and given["reserve"] <= reserve
    is_right &= given["house-share"] >= wagers * terms.house_units
    is_right &= given["to wagers"] == most + reserve + wagers * terms.house_units
    return () if is_right else [f"{wagers} wagers of {movement.jackpot} are not taken back at the rates in force"]


def _follows(step: EntryStep, movement: Movement, number: int) -> bool:
    """A round follows the last one, unless it puts in what was missed, or is the other jackpot of the same press."""
    room = jackpots_of(step.before)
    last = None if room is None else room.last_round(step.entry.table)
    if movement.details.get("missed"):
        return last is not None and number <= last.round
    if last is None or number > last.round:
        return True
    return number == last.round and last.command == step.entry.command and movement.jackpot not in last.seats


def _escrow(step: EntryStep) -> Iterable[str]:
    """Section 10, 6: no wager is counted and no play opened while the escrow is short (J-18, J-19)."""
    value = step.value
    if not isinstance(value, Movement | PlaySet):
        return ()
    name = value.jackpot if isinstance(value, Movement) else value.name
    record, accounts = _record(step.before, name), step.before.of(LEDGER).get(name)
    if record is None or accounts is None:
        return ()
    if isinstance(value, Movement) and record.play != "open" and record.plays_at(step.entry.happened):
        # A press of before the suspension that comes later: its wagers were taken (G-43).
        return ()
    now = step.entry.recorded
    opening = at_opening(record, value.escrow) if isinstance(value, PlaySet) and value.escrow else record
    units_by_name = account_shortfalls(step.before, record.jackpot, now) if opening.escrow == "commercial" else {}
    if opening is not record or opening.escrow != "commercial":
        units_by_name[name] = shortfall_units(opening, accounts, now)
    problems = [
        f"the escrow of {jackpot_title(step.before, short)} is short by {units_text(units)}: the game is stopped"
        for short, units in units_by_name.items()
        if units
    ]
    seized = record.play == "suspended" and record.play_reason == PlayReason.SEIZURE
    if seized and accounts.balances["escrow-bank"] < accounts.balances["displayed"]:
        problems.append(f"after a seizure {name} is opened when the bank holds what is displayed, not before")
    return problems


def _corrections(step: EntryStep) -> Iterator[str]:
    """Wagers that are taken back were counted at these seats, in the entry that is named (G-11)."""
    movement = step.value
    if isinstance(movement, Movement) and movement.kind == "count-corrected":
        by_seat = sum(seat_counts(movement).values())
        if _record(step.before, movement.jackpot) is not None and by_seat != movement.counts.get("wagers_reversed", 0):
            yield f"the wagers of {movement.jackpot} taken back are not those of its seats"


def _agree_after(step: EntryStep) -> Iterable[str]:
    """Check after the last entry of a command that is more than a count; a count is checked by itself."""
    value = step.value
    if step.entry.part + 1 < step.entry.parts:
        return ()
    assert isinstance(value, Movement | JackpotSet)
    name = value.jackpot if isinstance(value, Movement) else value.jackpot.name
    record = _record(step.after, name)
    return [*_corrections(step), *(() if record is None else _agreement(step.after, name, record))]


def _agree(state: BookState) -> Iterator[str]:
    room = jackpots_of(state)
    for name, record in () if room is None else room.jackpots.items():
        yield from _agreement(state, name, record)


def _agreement(state: BookState, name: str, record: JackpotRecord) -> Iterator[str]:
    """Section 10, 4: seats = tables = rounds = the counter; and what is followed here is what the ledger says."""
    accounts = state.of(LEDGER).get(name)
    if accounts is None:
        return
    counts, balances, meter = accounts.counts, accounts.balances, record.jackpot.meter
    by_seat = sum(sum(seats.values()) for seats in record.counted.values())
    if by_seat != counts["wagers_counted"] - counts["wagers_reversed"]:
        yield f"the seats of {name} have {by_seat} wagers, and the counter says otherwise"
    if balances["displayed"] != record.displayed_units:
        yield f"the display of {name} is followed at {units_text(record.displayed_units)}, the ledger says otherwise"
    if balances["escrow-transit"] != sum(units for _, _, units in record.in_transit):
        yield f"the deposits of {name} on their way are not those that were sent"
    if tuple(accounts.terms) != (meter.jackpot_type, meter.wager_cents, meter.cap_cents):
        yield f"the terms of {name} in the ledger are not those of its definition"


INVARIANTS = (
    Invariant(
        name="prizes-payable",
        says="what is owed to winners is what the open hits say",
        sources=("section 10 no. 8", "T-12", "F-14"),
        step=_payable,
        kinds=frozenset(MOVED_KINDS),
    ),
    Invariant(
        name="hits-finished",
        says="a jackpot with an open hit does not change",
        sources=("T-16",),
        step=_unchanged,
        kinds=kinds_of(JackpotSet),
    ),
    Invariant(
        name="jackpot-approval",
        says="nobody defines, changes or opens a jackpot alone",
        sources=("section 10 no. 10", "T-06", "T-18"),
        step=_two_people,
        kinds=kinds_of(JackpotSet, PlaySet),
    ),
    Invariant(
        name="jackpot-closed",
        says="parameters change only while a jackpot is closed",
        sources=("T-16",),
        step=_closed_changes,
        kinds=frozenset({"jackpot-defined", "jackpot-changed", "terms-changed"}),
    ),
    Invariant(
        name="jackpot-counts",
        says="seats are the table's count, rounds are counted once",
        sources=("section 10 no. 4", "M-11", "E-02"),
        step=_counts,
        kinds=frozenset({"wagers-counted"}),
    ),
    Invariant(
        name="jackpot-rates",
        says="what wagers contribute is what the rates in force say",
        sources=("J-03", "J-07", "T-01"),
        step=_rates,
        kinds=frozenset({"wagers-counted"}),
    ),
    Invariant(
        name="jackpot-reversals",
        says="what is taken back with a miscount is what the rates in force made of it",
        sources=("J-14", "J-07", "T-01"),
        step=_reversed_rates,
        kinds=frozenset({"count-corrected"}),
    ),
    Invariant(
        name="jackpot-agreement",
        says="seats, display, deposits and terms are those of the ledger",
        sources=("section 10 no. 4", "section 10 no. 7", "J-09"),
        step=_agree_after,
        kinds=kinds_of(JackpotSet) | (MOVEMENTS.keys() - {"wagers-counted"}),
        end=_agree,
    ),
    Invariant(
        name="jackpot-escrow",
        says="while the escrow is short nothing is counted or opened",
        sources=("section 10 no. 6", "J-18", "J-19"),
        step=_escrow,
        kinds=frozenset({"wagers-counted", "play-opened"}),
    ),
)
