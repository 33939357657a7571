"""What waits for an approver, as one card on every page: the sentence of the command, before and after, who and why."""

from collections.abc import Callable
from typing import NamedTuple

from pitboss.books import BookState
from pitboss.commands import Change, InvalidCommandError, read_fields
from pitboss.commands.command import one_role
from pitboss.commands.description import role_phrase
from pitboss.jackpot import HITS
from pitboss.room.approvals import APPROVALS, Pending, approval_problems, description_of
from pitboss.room.bundles import AddTable, tables_asked_for
from pitboss.room.commands import BY_NAME
from pitboss.room.configurations import PostConfiguration
from pitboss.room.room import room_zone
from pitboss.server.views.formatting import clock_text
from pitboss.server.views.office.tables import table_address
from pitboss.server.views.viewer import NOBODY, Viewer


class ApprovalCard(NamedTuple):
    """A request: what it does, who asked and why, who approves it, and what the viewer may do about it.

    `link` leads to a page that shows a new setup whole; `as_of` is when the amounts on the card were read.
    """

    number: int
    title: str
    changes: tuple[Change, ...]
    reason: str
    by: str
    role: str
    requested: str
    needs: str
    can_approve: bool
    is_own: bool
    link: str = ""
    as_of: str = ""

    @property
    def has_before(self) -> bool:
        """True if something stands there now in whose place the request would put something else."""
        return any(change.before for change in self.changes)

    @property
    def still(self) -> "ApprovalCard":
        """The card without what moves by itself, such as a meter: so open pages see whether it is another one."""
        return self._replace(changes=(), as_of="")


def _link(pending: Pending) -> str:
    if pending.what not in (PostConfiguration.spec.name, AddTable.spec.name):
        return ""
    return f"{table_address(str(pending.said.get('table')))}/asked/{pending.number}"


def approval_card(state: BookState, pending: Pending, viewer: Viewer = NOBODY) -> ApprovalCard:
    """Return the view of a request for its reader."""
    zone, description = room_zone(state), description_of(state, pending)
    is_own = pending.is_of(viewer.name)
    return ApprovalCard(
        number=pending.number,
        title=description.title,
        changes=description.changes,
        reason=description.reason,
        by=pending.by,
        role=one_role(pending.role),
        requested=clock_text(pending.asked, zone, with_day=True),
        needs=role_phrase(role for role in pending.approvers if role in pending.givers),
        can_approve=not approval_problems(state, pending, viewer.name, viewer.roles),
        is_own=is_own,
        link=_link(pending),
        as_of=clock_text(state.recorded, zone) if any("$" in change.before for change in description.changes) else "",
    )


def approval_cards(
    state: BookState,
    viewer: Viewer = NOBODY,
    *,
    everything: bool = False,
    about: Callable[[Pending], bool] = lambda _: True,
) -> tuple[ApprovalCard, ...]:
    """Return what waits: what the viewer can approve or has asked for; everything for an auditor or where wanted."""
    cards = [approval_card(state, pending, viewer) for pending in state.of(APPROVALS).values() if about(pending)]
    sees_all = everything or "auditor" in viewer.roles
    return tuple(card for card in cards if sees_all or card.is_own or card.can_approve)


def about_table(state: BookState, table: str) -> Callable[[Pending], bool]:
    """Return whether a request is about a table: its setup, its rounds, or a pending jackpot there."""

    def is_about(pending: Pending) -> bool:
        hit = state.of(HITS).open.get(int(pending.said.get("hit") or 0))
        return table in (*_tables_of(state, pending), None if hit is None else hit.table)

    return is_about


def _tables_of(state: BookState, pending: Pending) -> tuple[str, ...]:
    try:
        table = read_fields(BY_NAME[pending.what], dict(pending.said)).table_name(state)
    except (InvalidCommandError, KeyError):
        table = ""
    return (table, *tables_asked_for(pending.said))


def about_jackpot(name: str) -> Callable[[Pending], bool]:
    """Return whether a request is about a jackpot: its definition, its money, or one that gives to it."""

    def is_about(pending: Pending) -> bool:
        draft = pending.said.get("jackpot")
        defined = draft.get("name") if isinstance(draft, dict) else draft
        return name in (pending.said.get("name"), pending.said.get("other"), defined) and pending.what.startswith(
            ("jackpots/", "hits/")
        )

    return is_about
