"""The removal of a jackpot: its notice, where its money goes, and the paper that it was paid (G-56, J-17, T-23)."""

import datetime
from collections.abc import Iterator, Mapping
from dataclasses import replace
from typing import Annotated, Any, Literal, TypeAlias, get_args

from pitboss import books, law
from pitboss.commands import Bounds, By, Command, Description, Name, Now, Words, command, refuse, roles
from pitboss.commands.description import Change, day_words, fact
from pitboss.jackpot import descriptions
from pitboss.jackpot.definitions import JackpotSet, RemovalDocumented
from pitboss.jackpot.hits.state import HITS
from pitboss.jackpot.lifecycle import gambling_day_at
from pitboss.jackpot.state import JACKPOTS, JackpotRecord, profile_of, record_of
from pitboss.jackpot.titles import jackpot_title
from pitboss.meters import Account, DecreaseReason, adjust, remove_funds, units_text

Destination: TypeAlias = Literal["progressive", "players", "charity"]
DESTINATIONS: tuple[Destination, ...] = get_args(Destination)


@books.entry_kind("removal-noticed")
class RemovalNoticed(books.EntryPayload):
    """Notice that a progressive is removed from a gambling day on, and where its money goes; two people give it.

    From a notice that `keeps_funds` on, no seed is recovered and no fund is booked; those of before version 0.3 do not.
    """

    name: str
    day: datetime.date
    destination: Destination
    to: str
    words: str
    approved_by: str
    keeps_funds: Annotated[bool, books.OMIT_DEFAULT] = False

    def sentence(self, state: books.BookState) -> str:
        """Return the notice as it is posted at the tables, with the other jackpot as players know it."""
        where = {
            "progressive": f"goes to the {jackpot_title(state, self.to)}",
            "players": f"goes to the players: {self.to}",
            "charity": f"is given to {self.to}",
        }[self.destination]
        return f"This jackpot is removed on {self.day:%B} {self.day.day}, {self.day.year}; what stands on it {where}."


Notices = Mapping[str, RemovalNoticed]


def _fold(notices: Notices, _: books.Entry, value: books.Payload) -> Notices:
    if isinstance(value, RemovalNoticed):
        return {**notices, value.name: value}
    assert isinstance(value, books.Movement)
    return {name: notice for name, notice in notices.items() if name != value.jackpot}


REMOVALS: books.Projection[Notices] = books.Projection(
    name="removals",
    empty={},
    fold=_fold,
    shape=Notices,
    kinds=books.kinds_of(RemovalNoticed) | {"funds-removed"},
)
"""The notices that stand, by jackpot."""


def _destination(state: books.BookState, destination: Destination, to: str) -> Change:
    """Return where the money goes, as an approver reads it."""
    where = {
        "progressive": f"{jackpot_title(state, to)} meter",
        "players": f"the players: {to}",
        "charity": f"charity: {to}",
    }[destination]
    return fact("The amount on it goes to", where)


def _taker_problems(state: books.BookState, record: JackpotRecord, other: str) -> Iterator[str]:
    """Yield why the money may not go to another jackpot: only to a progressive of the same location (T-23, J-11)."""
    taker, ours = state.of(JACKPOTS).jackpots.get(other), record.jackpot
    if taker is None or other == ours.name or not taker.jackpot.is_progressive or not taker.jackpot.tables:
        yield f"to: {other!r} is no other progressive of this room (T-23)"
        return
    theirs, title = taker.jackpot, jackpot_title(state, other)
    if other not in state.of(books.LEDGER):
        yield f"to: {title} has not been opened yet (T-23)"
    if theirs.tables[0].location != ours.tables[0].location:
        yield f"to: {title} is at another location (T-23, J-11)"
    if theirs.meter.wager_cents > ours.meter.wager_cents:
        yield f"to: a wager on {title} costs more than one on {ours.title} (T-23)"


def _notice_problems(state: books.BookState, record: JackpotRecord, notice: RemovalNoticed, now: int) -> Iterator[str]:
    if not record.jackpot.is_progressive:
        yield f"{record.jackpot.title} is a Bonus, the house's own money: it is removed without notice (J-06)"
    elif not record.jackpot.tables:
        yield f"{record.jackpot.title} is removed already"
    elif notice.destination == "progressive":
        yield from _taker_problems(state, record, notice.to)
    elif not notice.to.strip():
        yield "to: name the charity, or how the players get it (J-17)"
    today = gambling_day_at(state, now)
    if record.jackpot.is_progressive:
        days = law.on(today, profile_of(state, record.jackpot))["removal_notice_days"].value
        first = today + datetime.timedelta(days=days)
        if notice.day < first:
            yield f"day: notice stands for {days} days, to be confirmed: {first} or later (G-56, J-17, T-23)"
    if not notice.words.strip():
        yield "words: say why, in words (J-09)"


@command("jackpots/notice", roles=roles.MANAGERS, approvers=roles.CONFIGURERS)
class GiveRemovalNotice(Command):
    """Give notice that a progressive is removed on a later day, and where its money goes."""

    name: Name
    day: datetime.date
    destination: Destination
    to: Words
    words: Words

    def describe(self, state: books.BookState) -> Description:
        """Return the day of the removal, the amount, and where it goes."""
        rows = (
            fact("Meter now", descriptions.meter_text(state, self.name)),
            _destination(state, self.destination, self.to),
        )
        title = f"Give notice that {jackpot_title(state, self.name)} is removed on {day_words(self.day)}"
        return Description(title, rows, self.words)

    def entries(self, now: Now, by: By) -> list[books.Payload]:
        """Return the notice, which takes the place of another (J-17)."""
        notice = RemovalNoticed(
            name=self.name,
            day=self.day,
            destination=self.destination,
            to=self.to,
            words=self.words,
            approved_by=by.approved_by,
            keeps_funds=True,
        )
        refuse(_notice_problems(now.state, record_of(now.state, self.name), notice, now.at))
        return [notice]


def kept_fund_problems(state: books.BookState, name: str) -> list[str]:
    """Return why no seed is recovered and no fund booked: a notice stands, and all of it goes where it says (G-56)."""
    notice = state.of(REMOVALS).get(name) if REMOVALS.name in state.parts else None
    if notice is None or not notice.keeps_funds:
        return []
    return [
        f"notice of the removal of {jackpot_title(state, name)} stands: what is on it goes where the notice says (G-56)"
    ]


@command("jackpots/document-removal", roles=roles.MONEY, approvers=roles.MONEY)
class DocumentRemoval(Command):
    """Record that the money of a removed progressive arrived where its notice said; then it may leave the bank."""

    name: Name
    reference: Annotated[str, Bounds(most=120, text="The receipt or other document that shows the payment.")]
    words: Words

    def describe(self, state: books.BookState) -> Description:
        """Return the amount that was paid, and the document."""
        record = state.of(JACKPOTS).jackpots.get(self.name)
        amount = descriptions.exact(0 if record is None else record.removed_units)
        rows = (Change("Still to be paid", amount, "$0.00"), fact("Document", self.reference))
        title = f"Record that {amount} of {jackpot_title(state, self.name)} was paid as its notice says"
        return Description(title, rows, self.words)

    def entries(self, now: Now, by: By) -> list[books.Payload]:
        """Return the document (G-56)."""
        record, problems = record_of(now.state, self.name), []
        if not record.removed_units:
            problems.append(
                f"nothing of {jackpot_title(now.state, self.name)} waits to be paid where a notice says (G-56)"
            )
        if not self.reference.strip():
            problems.append("reference: name the document that shows the payment (G-56)")
        if not self.words.strip():
            problems.append("words: say to whom and how, in words (G-56)")
        refuse(problems)
        return [
            RemovalDocumented(name=self.name, reference=self.reference, words=self.words, approved_by=by.approved_by)
        ]


def _removal_problems(state: books.BookState, record: JackpotRecord, now: int) -> Iterator[str]:
    name, title = record.jackpot.name, record.jackpot.title
    notice = state.of(REMOVALS).get(name)
    if not record.jackpot.tables:
        yield f"{title} is removed already"
        return
    if record.play != "closed":
        yield f"{title} is {record.play}: close it first (T-16, T-23)"
    if any(hit.jackpot == name and not hit.is_finished for hit in state.of(HITS).open.values()):
        yield f"a jackpot of {title} is pending: it is paid first (T-23)"
    if not record.jackpot.is_progressive or name not in state.of(books.LEDGER):
        return
    if notice is None:
        yield f"no notice of the removal of {title} was given (J-17)"
    elif gambling_day_at(state, now) < notice.day:
        yield f"{title} is removed on {day_words(notice.day)}, as the notice says, not before (J-17)"
    elif notice.destination == "progressive":
        yield from _taker_problems(state, record, notice.to)


@command("jackpots/remove", roles=roles.MANAGERS, approvers=("accounting",))
class RemoveJackpot(Command):
    """Remove a jackpot for good; its money goes where the notice says."""

    name: Name
    words: Words

    def describe(self, state: books.BookState) -> Description:
        """Return what stands on it, and where that goes."""
        notice, amount = state.of(REMOVALS).get(self.name), descriptions.meter_text(state, self.name)
        rows = [Change("Meter", amount, "removed")]
        rows += [] if notice is None else [_destination(state, notice.destination, notice.to)]
        return Description(f"Remove {jackpot_title(state, self.name)} for good", tuple(rows), self.words)

    def entries(self, now: Now, by: By) -> list[books.Payload]:
        """Return the way of its money, to the last unit, and that its tables are no longer linked (J-17, T-23)."""
        record = record_of(now.state, self.name)
        problems = list(_removal_problems(now.state, record, now.at))
        if not self.words.strip():
            problems.append("words: say why, in words (J-09)")
        refuse(problems)
        unlinked = replace(record.jackpot, tables=())
        removal = JackpotSet(jackpot=unlinked, words=self.words, approved_by=by.approved_by, first=False)
        return [*_money(now.state, record, self.words, by.approved_by), removal]


def _money(state: books.BookState, record: JackpotRecord, why: str, approved_by: str) -> list[books.Payload]:
    """Return how what stands on a jackpot moves; one that was never opened has nothing."""
    name, terms = record.jackpot.name, record.jackpot.meter
    accounts, notice = state.of(books.LEDGER).get(name), state.of(REMOVALS).get(name)
    if accounts is None:
        return []
    meter = accounts.meter_state
    reason: dict[str, Any] = {"words": why, "approved_by": approved_by}
    if notice is None:
        change = remove_funds(meter, terms, Account.POSTING, words=why)
        return [books.movement_of("funds-removed", name, meter, change, **reason)]
    payee = Account.OTHER_METERS if notice.destination == "progressive" else Account.PLAYERS
    details = {"destination": notice.destination, "to": notice.to}
    change = remove_funds(meter, terms, payee, words=why)
    removal = books.movement_of("funds-removed", name, meter, change, **reason, details=details)
    if notice.destination != "progressive" or not meter.held_units:
        return [removal]
    taker, takes = state.of(JACKPOTS).jackpots[notice.to].jackpot.meter, state.of(books.LEDGER)[notice.to].meter_state
    change = adjust(
        takes, taker, meter.held_units, words=f"{why} (from {jackpot_title(state, name)})", source=Account.OTHER_METERS
    )
    return [removal, books.movement_of("meter-adjusted", notice.to, takes, change, **reason)]


def _only_after_notice(step: books.EntryStep) -> Iterator[str]:
    """A progressive's money leaves it whole, while it is closed, after the day of the notice (J-17, T-23)."""
    movement = step.value
    assert isinstance(movement, books.Movement)
    if JACKPOTS.name not in step.before.parts or REMOVALS.name not in step.before.parts:
        return
    record = step.before.of(JACKPOTS).jackpots.get(movement.jackpot)
    accounts = step.after.of(books.LEDGER).get(movement.jackpot)
    if record is None or accounts is None:
        return
    if accounts.held_units:
        yield f"{units_text(accounts.held_units)} would be left on {movement.jackpot}"
    if record.play != "closed":
        yield f"{movement.jackpot} is {record.play}"
    notice = step.before.of(REMOVALS).get(movement.jackpot)
    today = gambling_day_at(step.before, step.entry.recorded)
    if record.jackpot.is_progressive and (notice is None or today < notice.day):
        yield f"no notice of the removal of {movement.jackpot} has come to its day"


_BOOKED = frozenset({"receipts-booked", "other-seeded", "meter-adjusted"})


def _funds_stay(step: books.EntryStep) -> Iterator[str]:
    """After a notice the house takes nothing off a progressive: only a malfunction is corrected (G-56)."""
    movement = step.value
    assert isinstance(movement, books.Movement)
    malfunction = DecreaseReason.EQUIPMENT_MALFUNCTION.value
    takes = any(
        transfer.payer in ("displayed", "reserve", "overflow") and transfer.reason != malfunction
        for transfer in movement.transfers
    )
    if takes:
        yield from kept_fund_problems(step.before, movement.jackpot)


def _two_people(step: books.EntryStep) -> Iterator[str]:
    value = step.value
    assert isinstance(value, RemovalNoticed | RemovalDocumented)
    yield from books.second_person_problems("a removal", value.approved_by, step.entry.actor)


INVARIANTS = (
    books.Invariant(
        name="jackpot-removal",
        says="a jackpot is removed whole, closed, and after the notice",
        sources=("J-17", "T-23"),
        step=_only_after_notice,
        kinds=frozenset({"funds-removed"}),
    ),
    books.Invariant(
        name="removal-approval",
        says="nobody gives notice of a removal alone",
        sources=("section 10 no. 10", "T-06", "T-23"),
        step=_two_people,
        kinds=books.kinds_of(RemovalNoticed, RemovalDocumented),
    ),
    books.Invariant(
        name="removal-funds",
        says="after a notice no seed is recovered and no fund booked",
        sources=("G-56", "J-17"),
        step=_funds_stay,
        kinds=_BOOKED,
    ),
)
