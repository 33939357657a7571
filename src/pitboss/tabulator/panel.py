"""Rounds of a table whose logger speaks later: its dealer states the lights of the panel, a batch confirms them."""

from collections.abc import Mapping, Sequence

from pitboss.books import BookState, Draft, Instant
from pitboss.commands import By, Command, Name, Now, Seats, command, refuse, roles
from pitboss.tabulator import entries
from pitboss.tabulator.entries import Place
from pitboss.tabulator.rounds import ButtonPress, press_drafts, upload_drafts
from pitboss.tabulator.state import ROUNDS_KEPT, table_of
from pitboss.tabulator.values import TableRecord

LoggedRound = tuple[Instant, tuple[Place, ...]]
"""A round of a logger: when its button was pressed, and the places that were seen."""


@command("tables/state-lights", roles=roles.DEALERS, pin=True)
class StateLights(Command):
    """State which lights of the panel are on, by wager the seats, so that prizes of the round can be called."""

    table: Name
    seats: Mapping[Name, Seats]

    def entries(self, now: Now, by: By) -> list[Draft]:
        """Return the round with its number and seats; the logger confirms it later and does not count it again."""
        record, problems = table_of(now.state, self.table), []
        if record.setup.equipment.counts != "batches":
            title = record.setup.equipment.title
            problems.append(f"{title} has no logger that speaks later: its lights are not stated (E-05, G-62)")
        if not any(self.seats.values()):
            problems.append("state the seats whose light is on: without one no prize is called (E-05, G-62)")
        if len(record.stated) >= ROUNDS_KEPT - 1:
            waits = f"{len(record.stated)} rounds of table {self.table} wait for its logger"
            problems.append(f"{waits}: let it send its batch first (M-10)")
        refuse(problems)
        return press_drafts(now.state, self.table, ButtonPress(now.at, seats=self.seats, source="panel"))


def logged_drafts(state: BookState, table: str, rounds: Sequence[LoggedRound], press: ButtonPress) -> list[Draft]:
    """Return a logger's batch: rounds that were stated are confirmed, all others counted, each apart (M-10, G-35)."""
    record = table_of(state, table)
    matched, missing = _matches(record, rounds, press)
    if not matched and not missing:
        return upload_drafts(state, table, rounds, press)
    others = [kept for place, kept in enumerate(rounds) if place not in matched]
    # Also where nothing is left to count: what speaks against the batch speaks against what it confirms.
    drafts = upload_drafts(state, table, others or rounds, press)
    confirmed = entries.LightsConfirmed(
        confirmed=tuple((number, *rounds[place]) for place, number in matched.items()),
        missing=missing,
        device="" if others else press.device,
        device_sequence=0 if others else press.device_sequence,
    )
    return [*(drafts if others else ()), Draft(confirmed, happened=press.happened_at)]


def _matches(
    record: TableRecord, rounds: Sequence[LoggedRound], press: ButtonPress
) -> tuple[dict[int, int], tuple[int, ...]]:
    """Return by place in the batch the stated round it is, and the stated rounds that the batch should have.

    A light burns from one press to the next (E-02): a statement is about the last press before it.
    """
    matched: dict[int, int] = {}
    missing = []
    for number in record.stated:
        stated = record.find_round(number)
        if stated is None or stated.happened > press.happened_at:
            continue
        before = [place for place, (at, _) in enumerate(rounds) if at + press.skew <= stated.happened]
        place = max(before, key=lambda each: rounds[each][0], default=None)
        if place is None or place in matched:
            missing.append(number)
        else:
            matched[place] = number
    return matched, tuple(missing)
