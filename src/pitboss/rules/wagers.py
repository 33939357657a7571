"""A wager as a game declares it: its pay table slots, its chips, how its facts are read and how it is settled."""

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

from pitboss.law import Citation
from pitboss.rules.facts import EventFacts, Hands, codes, decode
from pitboss.rules.outcomes import Events, Outcome, WhyBefore, settle_by_events
from pitboss.rules.stages import Decisions
from pitboss.rules.terms import Terms


@dataclass(frozen=True, slots=True)
class Slot:
    """A place where exactly one of these pay tables stands; a fixed slot goes without saying.

    `pays` names the chips that its table pays, all of the wager where it names none; `title` is what the table is
    headed by, the title of the wager where it has none; `condition` says when it pays, under the readings in force.
    """

    name: str
    ids: tuple[str, ...]
    fixed: bool = False
    pays: tuple[str, ...] = ()
    title: str = ""
    condition: str | Callable[[Terms], str] = ""


def from_the_start(_decisions: Decisions) -> int:
    """Return one: a base stake stands there from the start."""
    return 1


def when(decision: str, multiple: int = 1) -> Callable[[Decisions], int]:
    """Build a count of the base stakes that stand there once a yes-or-no decision was yes."""
    return lambda decisions: multiple if decisions.get(decision) else 0


@dataclass(frozen=True, slots=True)
class Part:
    """A chip of a wager: its name as on the layout, the most base stakes the rules put there, and how many lie there.

    `placed` gives the base stakes that lie there after the decisions made so far.
    """

    name: str
    multiple_max: int = 1
    placed: Callable[[Decisions], int] = from_the_start


@dataclass(frozen=True, slots=True)
class Holds:
    """Which cards a wager reads: the seat's, the last `apart` of which play a part of their own, and the board's.

    With `any_division` the same cards make the same however they lie with seat and board.
    """

    seat: int
    board: int = 0
    apart: int = 0
    any_division: bool = False


@dataclass(frozen=True, slots=True)
class EnvyRule:
    """How Envy is triggered: under one reading of a switch by any hand, else only by hands that carry the wager."""

    switch: str
    any_hand: str
    clause: Citation
    ruling: str


@dataclass(frozen=True, slots=True, kw_only=True)
class SharedDecision:
    """How a wager depends on the decisions of the main wager under some readings of a switch.

    With `follows_branch` it is settled on what the main wager chose (a setting of the hands); else the game's loops
    count it beside the main wager's choices (`beside`), and its own decisions are still its own.
    """

    main: str
    switch: str
    readings: tuple[str, ...]
    basis: str
    follows_branch: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class Wager:
    """One wager of a game.

    `read` turns cards and decisions into facts and compiles under numba; `settle` turns facts and terms into what
    happens to each chip, with clauses and rulings; `bounds` says how many values each fact has; `tell` says facts in
    words where the pay table's event is not enough; `made` names the kind of a hand where a reading pays the hands of
    one row differently; `switches` names the disputed clauses that concern the wager;
    `holds` says which cards a jackpot reads, so that the same prize at several seats can be counted; `multiple_max` is
    the largest chip the rules force or allow, in base stakes (G-14).
    """

    name: str
    title: str
    clause: Citation
    words: str
    slots: tuple[Slot, ...]
    parts: tuple[Part, ...]
    facts: Callable[..., Any]
    bounds: tuple[int, ...]
    read: Callable[[Hands, Any], tuple[int, ...]]
    settle: Callable[[Any, Terms], Outcome]
    base: bool = False
    jackpot: bool = False
    envy: EnvyRule | None = None
    dollars_scale: bool = False
    bonus_cells_by_type: bool = False
    tell: Callable[[Any], str] | None = None
    made: Callable[[Any], str] | None = None
    switches: tuple[str, ...] = ()
    shares: SharedDecision | None = None
    holds: Holds | None = None
    multiple_max: int = field(init=False)

    def __post_init__(self) -> None:
        object.__setattr__(self, "multiple_max", max(part.multiple_max for part in self.parts))

    def chips_down(self, decisions: Decisions, base_cents: int) -> dict[str, int]:
        """Count the chips that lie on the layout after these decisions, in cents by part."""
        placed = {part.name: part.placed(decisions) * base_cents for part in self.parts}
        return {name: cents for name, cents in placed.items() if cents}

    def heading(self, slot: Slot) -> str:
        """Return what the pay table of a slot is headed by: the chip it pays, with a capital."""
        title = slot.title or self.title
        return title[:1].upper() + title[1:]

    def shares_decision(self, terms: Terms) -> bool:
        """Return whether the readings make the wager depend on the decisions of the main wager."""
        return self.shares is not None and terms.readings[self.shares.switch] in self.shares.readings

    def follows_main(self, terms: Terms) -> bool:
        """Return whether the wager is settled on what the main wager chose."""
        return self.shares is not None and self.shares.follows_branch and self.shares_decision(terms)

    def outcome_of_code(self, code: int, terms: Terms) -> Outcome:
        """Settle the facts that have this code."""
        return self.settle(self.facts(*decode(code, self.bounds)), terms)


def event_wager(
    *,
    name: str,
    title: str,
    ids: tuple[str, ...],
    events: Events,
    one_prize: Citation,
    part: str | None = None,
    jackpot: bool = False,
    why: WhyBefore = (),
    missed: str = "No paying hand",
    **fields: Any,
) -> Wager:
    """Build a wager of one chip that is paid by one table of events, with the other fields of `Wager` as they are.

    Its slot has the name of the wager; its chip is named like the wager unless `part` says otherwise.
    """
    chip = part or title
    settle = settle_by_events(
        part=chip, events=events, slot=name, one_prize=one_prize, jackpot=jackpot, why=why, missed=missed
    )
    return Wager(
        name=name,
        title=title,
        slots=(Slot(name, ids),),
        parts=(Part(chip),),
        facts=EventFacts,
        bounds=(events.masks,),
        settle=settle,
        jackpot=jackpot,
        **fields,
    )


@dataclass(frozen=True, slots=True)
class PayArray:
    """The outcome of a wager on every facts code: what counting needs to price it."""

    wager: str
    outcomes: tuple[Outcome, ...]


def pay_array(wager: Wager, terms: Terms) -> PayArray:
    """Call the settlement on every facts code there is."""
    return PayArray(wager.name, tuple(wager.outcome_of_code(code, terms) for code in codes(wager.bounds)))
