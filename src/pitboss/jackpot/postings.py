"""The amount of a Bonus: posted at once or from a time on, and what is scheduled (G-6, G-31, G-49).

What is posted is what is paid: the amount must be a prize of the jackpot's pay table. A round is played under the
amount that was displayed at its press (C-10, G-32).
"""

from collections.abc import Iterator, Mapping
from typing import Annotated, NamedTuple
from zoneinfo import ZoneInfo

from pitboss import books, meters
from pitboss.commands import Bounds, By, Command, Count, Description, Name, Now, Number, Words, command, refuse, roles
from pitboss.commands.description import Change, fact, moment_words, typed_moment
from pitboss.jackpot import descriptions
from pitboss.jackpot.escrow import meter_of
from pitboss.jackpot.titles import jackpot_title
from pitboss.rules import dollars


@books.entry_kind("bonus-scheduled")
class BonusScheduled(books.EntryPayload):
    """Another amount of a Bonus, to be posted from an instant on; two people decided it."""

    name: str
    cents: int
    at: int
    words: str
    approved_by: str


@books.entry_kind("bonus-unscheduled")
class BonusUnscheduled(books.EntryPayload):
    """A scheduled amount that is not posted after all, by the number of its entry."""

    name: str
    scheduled: int
    words: str
    approved_by: Annotated[str, books.OMIT_DEFAULT] = ""


@books.json_object
class ScheduledPosting(NamedTuple):
    """An amount that waits for its time: the number of its entry, the amount, when, why and by whom."""

    entry: int
    cents: int
    at: int
    words: str
    by: str
    approved_by: str


Postings = Mapping[str, tuple[ScheduledPosting, ...]]


def _fold(postings: Postings, entry: books.Entry, value: books.Payload) -> Postings:
    if isinstance(value, BonusScheduled):
        posting = ScheduledPosting(entry.sequence, value.cents, value.at, value.words, entry.actor, value.approved_by)
        waiting = (*postings.get(value.name, ()), posting)
        return {**postings, value.name: tuple(sorted(waiting, key=lambda each: (each.at, each.entry)))}
    if isinstance(value, BonusUnscheduled):
        return _without(postings, value.name, {value.scheduled})
    assert isinstance(value, books.Movement)
    if value.kind == "funds-removed":
        return {name: waiting for name, waiting in postings.items() if name != value.jackpot}
    return _without(postings, value.jackpot, set(value.details.get("scheduled", ())))


def _without(postings: Postings, name: str, entries: set[int]) -> Postings:
    if not entries:
        return postings
    before = postings.get(name, ())
    missing = entries - {posting.entry for posting in before}
    if missing:
        raise ValueError(f"no amount of {name} is scheduled by entry {', '.join(map(str, sorted(missing)))}")
    left = tuple(posting for posting in before if posting.entry not in entries)
    others = {other: waiting for other, waiting in postings.items() if other != name}
    return {**others, name: left} if left else others


POSTINGS: books.Projection[Postings] = books.Projection(
    name="postings",
    empty={},
    fold=_fold,
    shape=Postings,
    kinds=books.kinds_of(BonusScheduled, BonusUnscheduled) | {"bonus-posted", "funds-removed"},
)
"""The amounts that wait for their time, by jackpot, the earliest first."""


def scheduled_for(state: books.BookState, name: str) -> tuple[ScheduledPosting, ...]:
    """Return the amounts of a jackpot that wait for their time, the earliest first."""
    postings: Postings = state.parts.get(POSTINGS.name, {})
    return postings.get(name, ())


def amount_problems(state: books.BookState, name: str, cents: int) -> list[str]:
    """Return why an amount may not be posted, whenever that is: it would be nobody's prize (G-6)."""
    record, meter = meter_of(state, name)
    if record.jackpot.is_progressive or cents <= 0:
        meters.post_bonus(meter, record.jackpot.meter, cents, words="another amount")
    return list(map(str, record.jackpot.meter_problems(cents)))


def _posting(
    state: books.BookState, name: str, cents: int, reason: str
) -> tuple[meters.MeterState, meters.MeterChange]:
    """Return how a Bonus changes to another amount now, or refuse."""
    record, meter = meter_of(state, name)
    problems = amount_problems(state, name, cents)
    if record.jackpot.display == "static" and record.play != "closed":
        problems.append(
            f"the display of {jackpot_title(state, name)} is static: close it before another amount is posted (E-07)"
        )
    refuse(problems)
    return meter, meters.post_bonus(meter, record.jackpot.meter, cents, words=reason)


@command("jackpots/post", roles=roles.MONEY, approvers=roles.MONEY)
class PostBonus(Command):
    """Post a new amount of a Bonus, now or from a later time on.

    At any time where its display is updatable, else while it is closed (E-07); a round is played under the amount
    that was displayed at its press (C-10).
    """

    name: Name
    cents: Number
    words: Words
    at: Annotated[str, Bounds(most=40, text="2026-11-17T06:00, by the room's clocks")] = ""

    def describe(self, state: books.BookState) -> Description:
        """Return the amount before and after, and when it is posted."""
        amount = dollars(self.cents)
        rows = (
            Change("Amount", descriptions.meter_text(state, self.name), amount),
            fact("Starts", typed_moment(state, self.at, "as soon as approved")),
        )
        return Description(f"Post {amount} as the amount of {jackpot_title(state, self.name)}", rows, self.words)

    def entries(self, now: Now, by: By) -> list[books.Payload]:
        """Return the new amount, or that it is scheduled."""
        if self.at.strip():
            return [self._scheduled(now, by)]
        meter, change = _posting(now.state, self.name, self.cents, self.words)
        if not change.transfers:
            refuse([f"{jackpot_title(now.state, self.name)} shows this amount already"])
        reason = {"words": self.words, "approved_by": by.approved_by}
        return [books.movement_of("bonus-posted", self.name, meter, change, **reason)]

    def _scheduled(self, now: Now, by: By) -> BonusScheduled:
        calendar = now.state.of(books.ROOM)
        zone = ZoneInfo("UTC" if calendar is None else calendar.history[-1][1].time_zone)
        instant = books.instant_of(self.at, zone)
        problems = amount_problems(now.state, self.name, self.cents)
        if instant is None:
            problems.append(f"at: {self.at!r} must be a time by the room's clocks such as 2026-11-17T06:00")
        elif instant <= now.at:
            problems.append(f"at: {self.at} is past: leave it out to post at once (G-32)")
        elif any(posting.at == instant for posting in scheduled_for(now.state, self.name)):
            problems.append(
                f"at: an amount of {jackpot_title(now.state, self.name)} is scheduled for {self.at} already: "
                "withdraw it first (G-31)"
            )
        if not self.words.strip():
            problems.append("words: every change is explained: state the reason in words (J-09)")
        refuse(problems)
        assert instant is not None
        return BonusScheduled(
            name=self.name, cents=self.cents, at=instant, words=self.words, approved_by=by.approved_by
        )


@command("jackpots/withdraw-posting", roles=roles.MONEY, approvers=roles.MONEY)
class WithdrawPosting(Command):
    """Withdraw a scheduled amount of a Bonus before its time."""

    name: Name
    scheduled: Count
    words: Words

    def describe(self, state: books.BookState) -> Description:
        """Return the amount that is not posted after all, and what stays."""
        posting = next((each for each in scheduled_for(state, self.name) if each.entry == self.scheduled), None)
        amount = "none" if posting is None else f"{dollars(posting.cents)} from {moment_words(state, posting.at)} on"
        rows = (
            Change("Scheduled", amount, "none"),
            fact("Amount", f"stays {descriptions.meter_text(state, self.name)}"),
        )
        title = f"Withdraw the scheduled amount of {jackpot_title(state, self.name)}"
        return Description(title, rows, self.words)

    def entries(self, now: Now, by: By) -> list[books.Payload]:
        """Return the withdrawal, with its reason."""
        problems = [] if self.words.strip() else ["words: the reason must be stated in words (M-02)"]
        if self.scheduled not in {posting.entry for posting in scheduled_for(now.state, self.name)}:
            problems.append(
                f"no amount of {jackpot_title(now.state, self.name)} is scheduled by entry {self.scheduled}"
            )
        refuse(problems)
        value = BonusUnscheduled(name=self.name, scheduled=self.scheduled, words=self.words, approved_by=by.approved_by)
        return [value]


@command("jackpots/post-due", roles=roles.SYSTEM, is_exposed=False)
class PostDueBonus(Command):
    """Post the amount of a Bonus that is due; of several the last holds."""

    name: Name

    def entries(self, now: Now, _: By) -> list[books.Payload]:
        """Return the amount as posted, or refuse where its jackpot does not take it now."""
        due = _due(now.state, self.name, now.at)
        if not due:
            raise books.RefusedError([f"no amount of {jackpot_title(now.state, self.name)} is due"])
        last = due[-1]
        meter, change = _posting(now.state, self.name, last.cents, last.words)
        if not change.transfers:
            text = "it shows this amount already"
            return [BonusUnscheduled(name=self.name, scheduled=posting.entry, words=text) for posting in due]
        details = {"scheduled": [posting.entry for posting in due]}
        reason = {"words": last.words, "approved_by": last.approved_by, "details": details}
        return [books.movement_of("bonus-posted", self.name, meter, change, **reason)]


def _due(state: books.BookState, name: str, now: int) -> list[ScheduledPosting]:
    return [posting for posting in scheduled_for(state, name) if posting.at <= now]


def due_postings(state: books.BookState, at: int) -> list[str]:
    """Return the jackpots of which an amount is due."""
    postings: Postings = state.parts.get(POSTINGS.name, {})
    return [name for name in postings if _due(state, name, at)]


def _two_people(step: books.EntryStep) -> Iterator[str]:
    value = step.value
    assert isinstance(value, BonusScheduled)
    yield from books.second_person_problems("a scheduled amount", value.approved_by, step.entry.actor)


INVARIANTS = (
    books.Invariant(
        name="posting-approval",
        says="nobody schedules an amount of a Bonus alone",
        sources=("section 10 no. 10", "T-06"),
        step=_two_people,
        kinds=books.kinds_of(BonusScheduled),
    ),
)
