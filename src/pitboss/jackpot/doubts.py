"""Amounts that rest on damaged entries (G-29): doubtful until two people correct or confirm them."""

from collections.abc import Iterator, Mapping
from typing import TypeAlias

from pitboss import books
from pitboss.commands import By, Command, Description, Name, Now, Words, command, refuse, roles
from pitboss.commands.description import fact, listed
from pitboss.jackpot import descriptions
from pitboss.jackpot.titles import jackpot_title

Doubts: TypeAlias = Mapping[str, tuple[int, ...]]
"""By jackpot the damaged or lost entries that its amount rests on."""


@books.entry_kind("amount-confirmed")
class AmountConfirmed(books.EntryPayload):
    """Two people have compared a doubtful amount with other records and found it right (G-29)."""

    jackpot: str
    words: str
    approved_by: str


def _fold(doubts: Doubts, _: books.Entry, value: books.Payload) -> Doubts:
    if isinstance(value, books.DamageDecided):
        found = dict(doubts)
        for jackpot, sequence in value.doubtful:
            found[jackpot] = (*found.get(jackpot, ()), sequence)
        return found
    if isinstance(value, AmountConfirmed) or (isinstance(value, books.Movement) and value.approved_by):
        return {name: entries for name, entries in doubts.items() if name != value.jackpot}
    return doubts


DOUBTS: books.Projection[Doubts] = books.Projection(
    name="doubts",
    shape=Doubts,
    empty={},
    fold=_fold,
    kinds=books.kinds_of(books.DamageDecided, AmountConfirmed) | {"meter-adjusted", "correction"},
)


@command("jackpots/confirm-amount", roles=roles.MONEY, approvers=roles.MONEY)
class ConfirmAmount(Command):
    """Confirm an amount that rests on a damaged entry, having compared it with other records."""

    name: Name
    words: Words

    def describe(self, state: books.BookState) -> Description:
        """Return the amount that is confirmed, and the damage that it rests on."""
        title = f"Confirm the amount of {jackpot_title(state, self.name)}: {descriptions.meter_text(state, self.name)}"
        damaged = listed(state.of(DOUBTS).get(self.name, ()))
        return Description(title, (fact("Damaged log entries", damaged or "none now"),), self.words)

    def entries(self, now: Now, by: By) -> list[books.Payload]:
        """Return the confirmation (G-29)."""
        problems = books.text_problem("words", self.words)
        if self.name not in now.state.of(DOUBTS):
            title = jackpot_title(now.state, self.name)
            problems.append(f"no damaged entry is decided on that the amount of {title} rests on (G-29)")
        refuse(problems)
        return [AmountConfirmed(jackpot=self.name, words=self.words, approved_by=by.approved_by)]


def _two_people(step: books.EntryStep) -> Iterator[str]:
    value = step.value
    assert isinstance(value, AmountConfirmed)
    yield from books.second_person_problems("a confirmed amount", value.approved_by, step.entry.actor)


INVARIANTS = (
    books.Invariant(
        name="amount-confirmed",
        says="nobody confirms alone an amount that rests on a damaged entry",
        sources=("section 10 no. 10", "T-06"),
        step=_two_people,
        kinds=books.kinds_of(AmountConfirmed),
    ),
)


def doubt_warnings(state: books.BookState) -> Iterator[str]:
    """Yield which amounts are doubtful and why; a room that has none says nothing."""
    doubts: Doubts = state.parts.get(DOUBTS.name, {})
    for name, entries in sorted(doubts.items()):
        which = f"entr{'y' if len(entries) == 1 else 'ies'} {', '.join(map(str, entries))}"
        title = jackpot_title(state, name)
        yield f"{title}: its amount rests on damaged {which} until two people correct or confirm it (G-29)"
