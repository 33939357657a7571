"""Every part of the state of a room's books and every invariant: whoever opens or audits them passes these.

Displays, disputes and dealt rounds go by the configuration in force; sensors are laid out by the set-up, and a hit is
paid by the jackpot's own definition. None of them opens while it disagrees with another: so there is one truth (T-16).
"""

import datetime
from collections.abc import Iterator
from typing import Any

from pitboss.books import EPOCH, BookState, EntryStep, Invariant, Projection, kinds_of, second_person_problems
from pitboss.books.journal import heads
from pitboss.jackpot import HITS, JACKPOTS
from pitboss.jackpot.definitions import JackpotSet, PlaySet
from pitboss.reports import ACCOUNTING
from pitboss.reports import INVARIANTS as REPORT_INVARIANTS
from pitboss.reports import PROJECTIONS as REPORT_PROJECTIONS
from pitboss.room import (
    alarms,
    approval_records,
    approvals,
    backups,
    configurations,
    displays,
    disputes,
    hit_index,
    posted_papers,
    slides,
    software,
    training,
)
from pitboss.room.accounting import counted_problems
from pitboss.room.agreement import disagreements, jackpot_disagreements
from pitboss.room.configurations import CONFIGURATIONS, TablePosted, configuration_at, configurations_at, round_problems
from pitboss.room.dealing import entries as dealing
from pitboss.room.dealing.entries import DEALING, DEALT_ROUNDS
from pitboss.room.people.people import PEOPLE
from pitboss.tabulator.entries import TableOpened


def open_table_problems(state: BookState, table: str) -> list[str]:
    """Return what keeps a table from opening: that its configuration disagrees with what stands there."""
    configuration = configuration_at(state, table)
    return [] if configuration is None else list(map(str, disagreements(state, table, configuration)))


def open_jackpot_problems(state: BookState, name: str) -> list[str]:
    """Return what keeps a jackpot from opening: that a table of it states it otherwise."""
    record = state.of(JACKPOTS).jackpots.get(name)
    if record is None:
        return []
    return [
        f"table {linked.table}: {problem}"
        for linked in record.jackpot.tables
        if (configuration := configuration_at(state, linked.table)) is not None
        for problem in jackpot_disagreements(record.jackpot, linked.table, configuration)
    ]


def _table_agrees(step: EntryStep) -> Iterator[str]:
    """A table opens only where its configuration in force agrees with what stands there."""
    if CONFIGURATIONS.name in step.before.parts:
        yield from open_table_problems(step.after, step.entry.table)


def _jackpot_agrees(step: EntryStep) -> Iterator[str]:
    """A jackpot is opened only as the configurations of its tables state it."""
    if CONFIGURATIONS.name in step.before.parts and step.value.play == "open":
        yield from open_jackpot_problems(step.before, step.value.name)


def _opens_as_approved(step: EntryStep) -> Iterator[str]:
    """A configuration opens as it was approved, at or after its time, between rounds."""
    value = step.value
    if CONFIGURATIONS.name not in step.before.parts or not value.prepared:
        return
    prepared = next(
        (
            waiting
            for waiting in configurations_at(step.before, value.table).prepared
            if waiting.number == value.prepared
        ),
        None,
    )
    if prepared is None:
        yield f"configuration {value.prepared} was not prepared for table {value.table} (T-16)"
        return
    if prepared.opens > step.entry.recorded:
        yield f"configuration {value.prepared} opens later (T-16, G-53)"
    yield from round_problems(step.before, value.table)


def _key_is_bound(step: EntryStep) -> Iterator[str]:
    """A revealed key is the one that was bound, and the round that it deals is over."""
    if dealing.DEALING.name not in step.before.parts:
        return
    value, before = step.value, step.before.of(dealing.DEALING).get(step.entry.table, dealing.TableDealing())
    if isinstance(value, dealing.ShoeBound):
        if before.cards != "dealt":
            yield f"table {step.entry.table} deals physical cards (W-04)"
        if before.is_on:
            yield f"round {before.round} is not over: its key comes first (R-04)"
        if value.round != before.round + 1:
            yield f"round {value.round} does not follow round {before.round}"
        if configuration_at(step.before, step.entry.table) is None:
            yield f"no configuration is posted at table {step.entry.table}"
        bound = (value.key_hash, value.configuration, value.drawn)
        if before.goes_on and bound != (before.shoe_hash, before.shoe_configuration, before.cards_gone):
            yield f"the shoe of round {before.round} goes on: its key comes first (STC-8, R-04)"
        if not before.goes_on and value.drawn:
            yield f"round {value.round} is dealt from a fresh shoe: no card has left it (R-04)"
    elif isinstance(value, dealing.DealtRoundEnded):
        yield from dealing.end_problems(before, value)
    elif isinstance(value, dealing.ShoeRevealed | dealing.ShoeClosed):
        yield from dealing.key_problems(before, value)
    elif (
        isinstance(value, dealing.DealingSet)
        and value.cards == "dealt"
        and value.money == "real"
        and not value.approval
    ):
        yield "electronic card facsimiles for money need the director's approval (W-04)"


def _unlocked_by_two(step: EntryStep) -> Iterator[str]:
    value = step.value
    assert isinstance(value, dealing.DealingUnlocked)
    yield from second_person_problems("a lock on dealing that is lifted", value.approved_by, step.entry.actor)


def _linked_is_not_dealt(step: EntryStep) -> Iterator[str]:
    """A table that is linked to a jackpot is never dealt by Pitboss: no meter moves by dealt cards."""
    if dealing.DEALING.name not in step.after.parts:
        return
    tables, jackpots = step.after.of(dealing.DEALING), step.after.of(JACKPOTS).jackpots.values()
    for record in jackpots:
        for linked in record.jackpot.tables:
            if linked.table in tables and tables[linked.table].cards == "dealt":
                name = record.jackpot.title
                yield f"table {linked.table} is dealt by Pitboss and cannot be linked to {name} (W-04, G-27)"


def _withdrawn_by_two(step: EntryStep) -> Iterator[str]:
    value = step.value
    assert isinstance(value, approval_records.ApprovalWithdrawn)
    yield from second_person_problems("an approval that is withdrawn", value.approved_by, step.entry.actor)


def _approval_is_real(step: EntryStep) -> Iterator[str]:
    """Two people record an approval, each paper with a day that has come."""
    value, recorded = step.value, EPOCH + datetime.timedelta(microseconds=step.entry.recorded)
    if not value.approved_by or value.approved_by == step.entry.actor:
        yield "an approval is recorded by two people (T-06, G-31)"
    # The room's clocks may be a day ahead of those in Greenwich.
    latest = recorded.date() + datetime.timedelta(days=1)
    yield from (f"{paper.kind} of {paper.day} has not come yet (G-50)" for paper in value.papers if paper.day > latest)


def _tray_is_counted(step: EntryStep) -> Iterator[str]:
    """A small prize is taken back before the chips of its shift are counted."""
    if {HITS.name, ACCOUNTING.name} <= step.before.parts.keys():
        paid = step.before.of(HITS).small_prize(step.entry.table, step.value.details.get("prize", 0))
        if paid is not None:
            yield from counted_problems(step.before, step.entry.table, paid.at)


INVARIANTS: tuple[Invariant, ...] = (
    *REPORT_INVARIANTS,
    Invariant(
        name="small-prize-count",
        says="no small prize is taken back after the chips of its shift were counted",
        sources=("O-12", "P-06"),
        step=_tray_is_counted,
        kinds=frozenset({"prize-reversed"}),
    ),
    Invariant(
        name="table-configuration",
        says="a table opens only where its configuration agrees with its set-up and its jackpots",
        sources=("T-16",),
        step=_table_agrees,
        kinds=kinds_of(TableOpened),
    ),
    Invariant(
        name="jackpot-configuration",
        says="a jackpot opens only as the configurations of its tables state it",
        sources=("T-16",),
        step=_jackpot_agrees,
        kinds=kinds_of(PlaySet),
    ),
    Invariant(
        name="posted",
        says="a configuration opens as two people approved it, in time, between rounds",
        sources=("T-16", "T-06"),
        step=_opens_as_approved,
        kinds=kinds_of(TablePosted),
    ),
    Invariant(
        name="dealt",
        says="a key is bound before its round and told after it, and deals what was dealt",
        sources=("W-04", "R-04"),
        step=_key_is_bound,
        kinds=kinds_of(
            dealing.ShoeBound,
            dealing.ShoeRevealed,
            dealing.DealtRoundEnded,
            dealing.ShoeClosed,
            dealing.DealingSet,
        ),
    ),
    Invariant(
        name="dealing-unlocked",
        says="nobody lifts a lock on dealing alone",
        sources=("R-06", "T-06"),
        step=_unlocked_by_two,
        kinds=kinds_of(dealing.DealingUnlocked),
    ),
    Invariant(
        name="linked-not-dealt",
        says="a table that is linked to a jackpot is not dealt by Pitboss",
        sources=("W-04",),
        step=_linked_is_not_dealt,
        kinds=kinds_of(dealing.DealingSet, JackpotSet),
    ),
    Invariant(
        name="approval-record",
        says="an approval is recorded by two people, with papers whose day has come",
        sources=("O-16", "P-04"),
        step=_approval_is_real,
        kinds=kinds_of(approval_records.ApprovalRecorded),
    ),
    Invariant(
        name="approval-withdrawn",
        says="nobody withdraws an approval alone",
        sources=("O-16", "T-06"),
        step=_withdrawn_by_two,
        kinds=kinds_of(approval_records.ApprovalWithdrawn),
    ),
    *posted_papers.INVARIANTS,
    *heads.INVARIANTS,
)


PAGE_PROJECTIONS: tuple[Projection[Any], ...] = (
    configurations.CONFIGURATIONS,
    slides.PROMOTIONS,
    displays.DISPLAYS,
    posted_papers.POSTED_PAPERS,
    alarms.OWNERS,
    hit_index.HIT_INDEX,
    hit_index.WINNERS,
    disputes.DISPUTES,
    training.TRAINING,
)
PROJECTIONS: tuple[Projection[Any], ...] = (
    *REPORT_PROJECTIONS,
    PEOPLE,
    approvals.APPROVALS,
    approval_records.APPROVAL_RECORDS,
    DEALING,
    DEALT_ROUNDS,
    dealing.UNLOCKED,
    heads.KEYS,
    software.SOFTWARE,
    backups.BACKUPS,
    *PAGE_PROJECTIONS,
)
