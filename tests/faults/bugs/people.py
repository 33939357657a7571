"""Bugs of who may do what."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from pitboss.commands.command import CommandSpec
from pitboss.jackpot import escrow
from pitboss.jackpot.hits import calls, handling, workflow
from pitboss.room import approvals, room, services
from pitboss.room.approvals import Pending
from pitboss.room.projections import PROJECTIONS
from tests.faults.bugs.planting import bug, without_invariants


@bug
def own_approval(patch: pytest.MonkeyPatch) -> None:
    """Nobody approves what they have asked for."""
    patch.setattr(CommandSpec, "approvers_of", lambda self, role: (*self.approvers, role))
    patch.setattr(CommandSpec, "problems", lambda *_, **__: iter(()))
    patch.setattr(Pending, "problems", lambda *_: [])
    patch.setattr(Pending, "givers", property(lambda self: frozenset(self.approvers)))
    patch.setattr(approvals, "second_problems", lambda *_: [])
    patch.setattr(services, "second_problems", lambda *_: [])
    without_invariants(patch, "approval", "jackpot-approval", "table-approval")


@bug
def approval_used_twice(patch: pytest.MonkeyPatch) -> None:
    """A request is approved once."""
    fold = approvals._fold

    def keeping(waiting: Any, entry: Any, value: Any) -> Any:
        return waiting if isinstance(value, approvals.ApprovalGiven) else fold(waiting, entry, value)

    projections = [replace(each, fold=keeping) if each is approvals.APPROVALS else each for each in PROJECTIONS]
    patch.setattr(room, "PROJECTIONS", tuple(projections))


@bug
def undo_without_end(patch: pytest.MonkeyPatch) -> None:
    """Who paid a small prize undoes it alone within ten seconds, and not later."""
    patch.setattr(workflow, "undo_seconds", lambda _: 10_000)


@bug
def paid_by_who_made_the_papers(patch: pytest.MonkeyPatch) -> None:
    """Who makes the papers of a prize does not hand it over."""
    rule = workflow.STEPS["pay"]
    patch.setitem(workflow.STEPS, "pay", rule._replace(not_by=()))


@bug
def own_deposit_confirmed(patch: pytest.MonkeyPatch) -> None:
    """Who sent a deposit does not confirm that it has arrived."""
    patch.setattr(escrow, "is_same_person", lambda *_: False)


@bug
def anybody_wins(patch: pytest.MonkeyPatch) -> None:
    """A seat without a wager wins nothing."""
    patch.setattr(calls, "seat_problems", lambda *_: [])
    patch.setattr(handling, "seat_problems", lambda *_: [])


@bug
def rejected_by_one(patch: pytest.MonkeyPatch) -> None:
    """Money comes back to a meter by two people's word."""
    make = calls._rejection

    def alone(*positional: Any) -> Any:
        return make(*positional)._replace(approved_by="")

    patch.setattr(calls, "_rejection", alone)
    patch.setattr(workflow, "approval_problems", lambda *_: ())
    without_invariants(patch, "approval")
