"""Naming the seats of rounds of which only totals were entered by hand: by two people, within the totals (G-35)."""

from collections.abc import Iterator, Mapping

from pitboss.books import BookState, EntryStep, Invariant, Payload, kinds_of, second_person_problems
from pitboss.commands import By, Command, Count, Description, Name, Now, Seats, Words, command, refuse, roles
from pitboss.commands.description import fact, seats_text
from pitboss.jackpot.definitions import RoundSeatsNamed
from pitboss.tabulator.descriptions import wager_name
from pitboss.tabulator.state import jackpots_by_wager, table_of, tables_of
from pitboss.tabulator.tables import reason_problems
from pitboss.tabulator.values import CountedRound, TableRecord


@command("tables/name-seats", roles=roles.FLOOR, approvers=roles.APPROVERS, pin=True)
class NameSeats(Command):
    """Name the seats of a round of which only totals were entered, by wager, from video and the dealer's sheet."""

    table: Name
    round: Count
    seats: Mapping[Name, Seats]
    words: Words

    def describe(self, state: BookState) -> Description:
        """Return the seats by wager."""
        rows = tuple(
            fact(wager_name(state, self.table, wager), seats_text(seats)) for wager, seats in self.seats.items()
        )
        return Description(f"Name the seats of round {self.round} at table {self.table}", rows, self.words)

    def entries(self, now: Now, by: By) -> list[Payload]:
        """Return the seats of the round, by wager and by jackpot; no meter moves for it."""
        record = table_of(now.state, self.table)
        totals = _totals_of(record, self.round)
        wagers = {wager: tuple(sorted(self.seats.get(wager, ()))) for wager in (totals.totals if totals else ())}
        problems = [*reason_problems(self.words), *naming_problems(record, self.round, {**self.seats, **wagers})]
        refuse(problems)
        linked = jackpots_by_wager(now.state, self.table)
        jackpots = {linked[wager].jackpot.name: seats for wager, seats in wagers.items() if wager in linked}
        return [
            RoundSeatsNamed(
                round=self.round,
                wagers=wagers,
                jackpots=jackpots,
                words=self.words,
                by=by.name,
                approved_by=by.approved_by,
            )
        ]


def _totals_of(record: TableRecord, number: int) -> CountedRound | None:
    return next((counted for counted in record.rounds if counted.holds(number)), None)


def naming_problems(record: TableRecord, number: int, wagers: Mapping[str, tuple[int, ...]]) -> Iterator[str]:
    """Yield what speaks against these seats of a round: it has no totals, is named already, or they do not fit."""
    totals = _totals_of(record, number)
    if totals is None:
        yield f"round {number} of table {record.table} is none of the last that were counted (G-35)"
    elif not totals.totals:
        yield f"round {number} of table {record.table} was counted by itself: its seats are known (G-35)"
    elif str(number) in totals.named:
        yield f"the seats of round {number} of table {record.table} are named already (G-35)"
    else:
        for wager, seats in wagers.items():
            yield from _fit_problems(totals, wager, seats, record.setup.title(wager))


def _fit_problems(totals: CountedRound, wager: str, seats: tuple[int, ...], title: str) -> Iterator[str]:
    """Yield which seats cannot have lain so: more often than the totals have them, or too seldom in what is left."""
    if len(set(seats)) != len(seats):
        yield f"{title}: {seats_text(seats)}, each once (G-16)"
    by_seat = totals.totals.get(wager, {})
    left = totals.rounds - len(totals.named) - 1
    for seat in sorted({*map(int, by_seat), *seats}):
        total = by_seat.get(str(seat), 0)
        named = sum(seat in there.get(wager, ()) for there in totals.named.values())
        if seat in seats and total - named < 1:
            yield f"seat {seat} has {total} wagers of {title} in the totals, and {named} are named (G-35)"
        elif seat not in seats and total - named > left:
            rounds = f"in {totals.rounds} rounds, and {left} are left to be named"
            yield f"seat {seat} has {total} wagers of {title} {rounds}: it lay in this one too (G-35)"


def _fits(step: EntryStep) -> Iterator[str]:
    value, room = step.value, tables_of(step.before)
    assert isinstance(value, RoundSeatsNamed)
    record = None if room is None else room.tables.get(step.entry.table)
    yield from second_person_problems(f"a {value.kind}", value.approved_by, value.by)
    if record is not None:
        yield from naming_problems(record, value.round, value.wagers)


INVARIANTS = (
    Invariant(
        name="named-seats",
        says="seats of totals are named by two people, once, and within the totals",
        sources=("T-06", "M-10"),
        step=_fits,
        kinds=kinds_of(RoundSeatsNamed),
    ),
)
