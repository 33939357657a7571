"""What waits for an approver, at the terminal: the same cards as on the floor page and on the object's own page."""

import json
from pathlib import Path
from typing import Any

from rich.markup import escape

from pitboss.books import BookState
from pitboss.cli.books.sources import check_book, explaining, open_store, state_of
from pitboss.cli.output import console
from pitboss.commands.command import BOOK, one_role
from pitboss.commands.description import moment_words, role_phrase
from pitboss.room.approvals import APPROVALS, Pending, description_of


@explaining
def list_approvals(path: Path, book: str, *, as_json: bool) -> int:
    """List the requests of a room that wait, each with what changes, who asked and why."""
    with open_store(path) as store:
        check_book(store, book)
        state = state_of(store, book)
    cards = [_card(state, pending) for pending in state.of(APPROVALS).values()]
    if as_json:
        print(json.dumps({"book": book, "approvals": cards}, indent=2))
        return 0
    if not cards:
        console.print("Nothing to approve.")
    for card in cards:
        _print(card)
    return 0


def show_request(path: Path, number: int) -> bool:
    """Show the card of one request of a room; False where none of this number waits."""
    with open_store(path) as store:
        state = state_of(store, BOOK)
    pending = state.of(APPROVALS).get(number)
    if pending is not None:
        _print(_card(state, pending))
    return pending is not None


def _card(state: BookState, pending: Pending) -> dict[str, Any]:
    description = description_of(state, pending)
    return {
        "number": pending.number,
        "title": description.title,
        "changes": [change._asdict() for change in description.changes],
        "reason": description.reason,
        "requested_by": pending.by,
        "role": one_role(pending.role),
        "requested": moment_words(state, pending.asked),
        "approvers": [role for role in pending.approvers if role in pending.givers],
    }


def _print(card: dict[str, Any]) -> None:
    console.print(f"[bold]{card['number']}  {escape(card['title'])}[/]")
    for change in card["changes"]:
        before = f"{change['before']} -> " if change["before"] else ""
        console.print(f"    {change['label']}: {before}{change['after']}", markup=False)
    if card["reason"]:
        console.print(f"    Reason: {card['reason']}", markup=False)
    console.print(f"    Requested by {card['requested_by']} ({card['role']}), {card['requested']}", markup=False)
    console.print(f"    Needs {role_phrase(card['approvers'])}; not the requester.", markup=False)
