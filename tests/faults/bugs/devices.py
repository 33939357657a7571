"""Bugs of presses and their messages."""

from __future__ import annotations

from itertools import count
from typing import Any

import pytest

from pitboss.tabulator import rounds
from pitboss.tabulator.devices import receive
from pitboss.tabulator.devices.receive import ApplyMessage, LateMessageError
from tests.faults.bugs.planting import bug, without_invariants


@bug
def counted_twice_after_a_reconnect(patch: pytest.MonkeyPatch) -> None:
    """A press that is sent again is counted once."""
    numbers = count(1)
    own = receive.command_id
    patch.setattr(receive, "command_id", lambda message: f"{own(message)} try {next(numbers)}")
    entries = ApplyMessage.entries

    def again(self: ApplyMessage, now: Any, by: Any) -> Any:
        try:
            return entries(self, now, by)
        except LateMessageError:
            return self._drafts(now.state)

    patch.setattr(ApplyMessage, "entries", again)
    without_invariants(patch, "table-messages", "table-course")


@bug
def gap_in_messages_ignored(patch: pytest.MonkeyPatch) -> None:
    """A message that comes too early waits for those before it."""

    def entries(self: ApplyMessage, now: Any, _: Any) -> Any:
        return self._drafts(now.state)

    patch.setattr(ApplyMessage, "entries", entries)
    without_invariants(patch, "table-messages", "table-course")


@bug
def double_press_counts(patch: pytest.MonkeyPatch) -> None:
    """A second press within a second does nothing."""
    patch.setattr(rounds, "DOUBLE_PRESS", 0)


@bug
def counted_at_a_closed_table(patch: pytest.MonkeyPatch) -> None:
    """At a table that is closed nothing is counted."""
    patch.setattr(rounds, "_counting_problems", lambda *_: [])
    without_invariants(patch, "table-course")


@bug
def a_seat_is_dropped(patch: pytest.MonkeyPatch) -> None:
    """Every wager that a sensor sees is counted."""
    counted = rounds._round_counts

    def dropping(state: Any, record: Any, seen: Any, happened: int) -> Any:
        less = {wager: seats[:-1] if len(seats) > 5 else seats for wager, seats in seen.items()}
        return counted(state, record, less, happened)

    patch.setattr(rounds, "_round_counts", dropping)


@bug
def round_number_skipped(patch: pytest.MonkeyPatch) -> None:
    """Round follows round without a gap."""
    following = rounds.next_round
    patch.setattr(rounds, "next_round", lambda state, record: following(state, record) + (record.round % 5 == 4))
    without_invariants(patch, "table-course", "jackpot-counts")


@bug
def late_press_is_acknowledged_unread(patch: pytest.MonkeyPatch) -> None:
    """A device is told that a message is done when it is written, and not before."""
    apply = receive.Receiver._apply

    def hasty(self: receive.Receiver, message: Any) -> Any:
        reply = apply(self, message)
        if reply["status"] == "later":
            reply |= {"status": "counted", "acknowledged": message.sequence}
        return reply

    patch.setattr(receive.Receiver, "_apply", hasty)
