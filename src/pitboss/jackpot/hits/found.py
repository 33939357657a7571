"""Prizes found later: video or the books prove a hand whose round the state has forgotten (G-58).

Such a prize is owed however late it is found. The round, its seats and the meter that counts for it are read from the
journal; the fund pays what it shows now, and the house the rest.
"""

from collections.abc import Iterator
from dataclasses import dataclass, replace

from pitboss.books import LEDGER, BookState, Entry, Movement, RefusedError, Sought, newest, part_at, read_payload
from pitboss.commands import By, Command, Count, Description, Name, Now, Prepared, Services, Words, command, refuse
from pitboss.commands.command import BOOK
from pitboss.commands.description import fact, seats_text
from pitboss.jackpot.definitions import Jackpot, RoundSeatsNamed
from pitboss.jackpot.hits import earlier as earlier_rounds
from pitboss.jackpot.hits.amounts import called_prizes, claim_problems
from pitboss.jackpot.hits.calls import CallHit, added_details, call_movement, meter_of
from pitboss.jackpot.hits.history import read_history
from pitboss.jackpot.hits.state import HIT_KINDS
from pitboss.jackpot.hits.values import Claims, HitState
from pitboss.jackpot.state import JACKPOTS, TabulatedRound, record_of
from pitboss.jackpot.titles import jackpot_title
from pitboss.meters import cents_shown

_MENDS = ("wagers-refunded", "count-corrected", RoundSeatsNamed.KIND)


@command("hits/call-found", roles=("supervisor",), approvers=("surveillance", "manager"), pin=True)
class CallFoundHit(Command):
    """Report a jackpot of an earlier round that video or the books prove; a second person approves.

    `dispute` is the number of the dispute that was decided for the player, where there is one (G-52).
    """

    jackpot: Name
    table: Name
    round: Count
    claims: Claims
    words: Words
    dispute: Count = 0

    def describe(self, state: BookState) -> Description:
        """Return the round and the hands; the amount is of the meter of that round."""
        seats = seats_text(claim.seat for claim in self.claims)
        title = f"{jackpot_title(state, self.jackpot)}, table {self.table}, round {self.round}, {seats}"
        rows = [fact(f"Seat {claim.seat}", claim.row) for claim in self.claims]
        rows += [fact("Dispute", self.dispute)] if self.dispute else []
        return Description(f"Pay a jackpot found later: {title}", tuple(rows), self.words)

    def prepare(self, services: Services) -> Prepared:
        """Look the round up in the journal: who wagered, what the display showed, and which prizes are called."""
        recent = services.state.of(JACKPOTS).rounds.get(self.table, ())
        if any(counted.holds(self.round) for counted in recent):
            if self.dispute:
                call = CallHit(
                    jackpot=self.jackpot, table=self.table, claims=self.claims, round=self.round, words=self.words
                )
                return call.prepare(services)
            refuse([f"round {self.round} of table {self.table} is one of the last two: call it at the table (G-4)"])
        return _look_up(self, services)

    def entries(self, now: Now, by: By) -> list[Movement]:
        """Refuse: what was counted in an earlier round stands in the journal alone."""
        raise RefusedError([f"round {self.round} of table {self.table} was not looked up (G-58)"])


@dataclass(frozen=True, slots=True)
class FoundHit:
    """A found prize with its round: the jackpot as it was defined then, and the amount that percentages are of."""

    call: CallFoundHit
    counted: TabulatedRound
    jackpot: Jackpot
    meter_cents: int
    meter_entry: int
    claimed_seats: frozenset[int]
    earlier: tuple[earlier_rounds.EarlierHit, ...] = ()

    def entries(self, now: Now, by: By) -> list[Movement]:
        """Return the call on the meter of its round; the fund pays what it shows now, the house the rest."""
        call, counted = self.call, self.counted
        problems = [*claim_problems(self.jackpot, call.table, call.claims), *self._seat_problems()]
        problems += earlier_rounds.second_call_problems(
            self.jackpot, call.table, counted.round, call.claims, self.earlier
        )
        if not call.words.strip():
            problems.append("the reason must be stated in words: what proves the prize (G-58)")
        refuse(problems)
        before = now.state.of(LEDGER)[call.jackpot].meter_state
        jackpot = replace(self.jackpot, meter=record_of(now.state, call.jackpot).jackpot.meter)
        second = earlier_rounds.second_winners(jackpot, call.table, call.claims, self.earlier)
        if second is None:
            prizes = called_prizes(jackpot, call.table, call.claims, self.meter_cents, before.displayed_cents)
        else:
            prizes = earlier_rounds.second_prizes(jackpot, call.table, call.claims, *second)
        details = {"step": "call", "role": by.role, "round": counted.round, "late": True}
        details |= {"meter_cents": self.meter_cents, "meter_entry": self.meter_entry}
        details |= added_details(counted.added_to(call.jackpot))
        if call.dispute:
            details |= {"dispute": call.dispute}
        if second is not None:
            details |= {"meter_cents": second.meter_cents, **earlier_rounds.beside_details(second.beside)}
        return [call_movement(jackpot, call.table, before, prizes, details, call.words, approved_by=by.approved_by)]

    def _seat_problems(self) -> Iterator[str]:
        number, name, title = self.counted.round, self.call.jackpot, self.jackpot.title
        if self.counted.voided:
            yield f"round {number} of table {self.call.table} is void: its wagers go back (G-11)"
        for seat in (claim.seat for claim in self.call.claims):
            if seat not in self.counted.seats.get(name, ()):
                yield f"seat {seat} had no wager of {title} counted in round {number} (E-02)"
            if seat in self.claimed_seats:
                yield f"seat {seat} has a prize of round {number} already (G-2)"


def _look_up(call: CallFoundHit, services: Services) -> FoundHit:
    """Read the round from the journal, as it stood at the press after it and with every correction since."""
    store, head = services.books.store, services.state.sequence
    following: Entry | None = None
    missed: list[Entry] = []
    is_counted = False
    for entry in newest(store, BOOK, Sought(kind="wagers-counted", table=call.table), 0, head):
        details = _movement(entry).details
        if details["round"] < call.round:
            break
        if details["round"] - details.get("rounds", 1) >= call.round:
            following = entry
        elif details.get("missed"):
            missed.append(entry)
        else:
            is_counted = True
    if not is_counted or following is None:
        raise RefusedError([f"round {call.round} of table {call.table} was never counted (G-4)"])
    room = part_at(store, BOOK, following.sequence, JACKPOTS)
    for entry in [*reversed(missed), *store.entries(BOOK, following.sequence, head, kinds=_MENDS)]:
        if entry.sequence > following.sequence and entry.table == call.table:
            room = JACKPOTS.fold(room, entry, read_payload(entry.kind, entry.payload))
    counted, after = (
        next((known for known in room.rounds[call.table] if known.holds(number)), None)
        for number in (call.round, _movement(following).details["round"])
    )
    last = call.round if counted is None else counted.round
    counted = None if counted is None else counted.only(call.round)
    if counted is None or after is None:
        totals = f"of round {call.round} of table {call.table} only totals were entered"
        raise RefusedError([f"{totals}: nobody knows whose wager lay in it (G-35); two people name its seats first"])
    record = room.jackpots.get(call.jackpot)
    if record is None:
        raise RefusedError([f"there was no jackpot {call.jackpot!r} in round {call.round} (J-09)"])
    if record.jackpot.meter.is_progressive:
        press = earlier_rounds.next_press(store, call.table, counted, last, following.sequence)
        is_before = press is not None and press.round <= after.round - after.rounds
        if press is not None and is_before and call.jackpot in counted.seats:
            # It counted no wager of the table's jackpots: they were closed.
            _, meter_entry, meter_cents = earlier_rounds.stood_at(services.books, call.jackpot, counted, press)
        else:
            units = after.shown_before.get(call.jackpot, record.displayed_units)
            meter_cents, meter_entry = cents_shown(units), following.sequence - 1
    else:
        meter_cents, meter_entry = counted.shown_cents(call.jackpot), counted.sequence
    earlier = earlier_rounds.earlier_in_journal(services, (call.table, call.round, call.jackpot), counted.sequence)
    seats = _claimed_seats(call, services, counted)
    return FoundHit(call, counted, record.jackpot, meter_cents, meter_entry, seats, earlier)


def meter_of_round(services: Services, jackpot: str, table: str, number: int) -> int | None:
    """Return the cents that percentages of a round are of, from the ledger (G-4); none where it counted none of it.

    Where a prize of the round was called, that is the amount of its call.
    """
    state = services.state
    rounds = state.of(JACKPOTS).rounds.get(table, ())
    recent = next((counted.only(number) for counted in rounds if counted.holds(number)), None)
    if recent is None:
        try:
            found = _look_up(CallFoundHit(jackpot=jackpot, table=table, round=number, claims=(), words=""), services)
        except RefusedError:
            return None
        return min(found.earlier).meter_cents if found.earlier else found.meter_cents
    if jackpot not in recent.seats:
        return None
    earlier = earlier_rounds.earlier_in_journal(services, (table, number, jackpot), recent.sequence)
    if earlier:
        return min(earlier).meter_cents
    return meter_of(state, jackpot, table, recent, earlier_rounds.stood_then(services, jackpot, table, recent))[0]


def _movement(entry: Entry) -> Movement:
    value = read_payload(entry.kind, entry.payload)
    assert isinstance(value, Movement)
    return value


def _claimed_seats(call: CallFoundHit, services: Services, counted: TabulatedRound) -> frozenset[int]:
    """Return the seats that have a prize of this round: a hit that was not rejected, or one paid from the tray."""
    store, head = services.books.store, services.state.sequence
    history = read_history(store.entries(BOOK, 0, head, kinds=HIT_KINDS))
    place = (call.table, call.round, call.jackpot)
    seats = {
        won.seat
        for hit in (story.hit for story in history.stories.values())
        if (hit.table, hit.round, hit.jackpot) == place and hit.state is not HitState.REJECTED
        for won in hit.won
    }
    for entry in store.entries(BOOK, counted.sequence, head, kinds=["prize-called"]):
        movement = _movement(entry)
        details = movement.details
        is_tray = details["step"] == "tray" and not details.get("of_seat")
        if is_tray and (entry.table, details["round"], movement.jackpot) == place:
            seats |= {seat for seat, _, _ in details["won"]}
    return frozenset(seats)
