"""Topics: the parts of the room that a page can follow, each a pure function from the folded state to a view."""

import datetime
from collections.abc import Callable, Iterable, Iterator
from typing import Any, NamedTuple

from pitboss.books import LEDGER, BookState, write_value
from pitboss.jackpot import HITS, JACKPOTS, Hit, JackpotRecord
from pitboss.room.approvals import approvals_view
from pitboss.room.people.people import PEOPLE
from pitboss.room.people.roles import ANYONE, AT_TABLES, PEOPLE_ROLES, READERS
from pitboss.server.views.console import console_live
from pitboss.server.views.floor import floor_live
from pitboss.server.views.formatting import dollars
from pitboss.server.views.table_state import room_name, table_state, tables_of
from pitboss.server.views.vision import live_of, vision_view

View = Callable[[BookState, str, datetime.datetime], dict[str, Any]]
"""A topic's view: from the state, the name within its family, and the time by the server's clock."""


class TopicSpec(NamedTuple):
    """A topic, or a family of them such as `jackpot:NAME`: who may follow it, which there are, and the view.

    `names` is nothing for a topic that stands alone. One that is not `journalled` moves without an entry: its events
    have no id, and who comes back is sent it again.
    """

    kind: str
    roles: frozenset[str]
    view: View
    names: Callable[[BookState], Iterable[str]] | None = None
    journalled: bool = True


def _jackpot_names(state: BookState) -> Iterable[str]:
    return state.of(JACKPOTS).jackpots


def _displayed(state: BookState, name: str) -> dict[str, Any]:
    accounts = state.of(LEDGER).get(name)
    cents = None if accounts is None else accounts.meter_state.displayed_cents
    return {"displayed_cents": cents, "displayed": "" if cents is None else dollars(cents)}


def _short(state: BookState, record: JackpotRecord) -> dict[str, Any]:
    jackpot = record.jackpot
    return {
        "name": jackpot.name,
        "type": jackpot.meter.jackpot_type,
        "play": record.play,
        "tables": [link.table for link in jackpot.tables],
        **_displayed(state, jackpot.name),
    }


def room_view(state: BookState, _name: str, _now: datetime.datetime) -> dict[str, Any]:
    """The whole room in short: its jackpots and tables."""
    jackpots = [_short(state, record) for record in state.of(JACKPOTS).jackpots.values()]
    return {"room": room_name(state), "tables": list(tables_of(state)), "jackpots": jackpots}


def jackpot_view(state: BookState, name: str, _now: datetime.datetime) -> dict[str, Any]:
    """A jackpot as it is posted: amount, play, notices, offers; and the hits that are being handled."""
    record = state.of(JACKPOTS).jackpots[name]
    jackpot = record.jackpot
    hits = [hit.number for hit in state.of(HITS).open.values() if hit.jackpot == name and not hit.is_finished]
    return {
        **_short(state, record),
        "play_reason": record.play_reason,
        "wager_cents": jackpot.meter.wager_cents,
        "notices": list(jackpot.notices),
        "offers": [[offer.game, offer.wager, offer.paytable] for offer in jackpot.offers],
        "pending": hits,
    }


def table_view(state: BookState, table: str, _now: datetime.datetime) -> dict[str, Any]:
    """A table: who deals, its jackpots, the last round that was counted."""
    room, dealer = state.of(JACKPOTS), state.of(PEOPLE).dealer_at(table)
    last = room.last_round(table)
    return {
        "table": table,
        "dealer": None if dealer is None else dealer.name,
        "jackpots": [_short(state, record) for record in room.at(table)],
        "last_round": None
        if last is None
        else {
            "round": last.round,
            "rounds": last.rounds,
            "voided": last.voided,
            "seats": {name: list(seats) for name, seats in last.seats.items()},
        },
    }


def hit_view(hit: Hit) -> dict[str, Any]:
    """A hit that is being handled."""
    fields = write_value(hit)
    return {name: value for name, value in fields.items() if name not in ("transfers", "since")} | {
        "won": [prize._asdict() for prize in hit.won],
        "done": [step._asdict() for step in hit.done],
        "handed": [payment._asdict() for payment in hit.handed],
        "cents": hit.cents,
    }


def _hits_view(state: BookState, _name: str, _now: datetime.datetime) -> dict[str, Any]:
    return {"hits": [hit_view(hit) for hit in state.of(HITS).open.values() if not hit.is_finished]}


def _vision_view(state: BookState, table: str, now: datetime.datetime) -> dict[str, Any]:
    return live_of(vision_view(table_state(state, table, now)))


def _console_view(state: BookState, table: str, now: datetime.datetime) -> dict[str, Any]:
    return console_live(state, table, table_state(state, table, now).jackpots)


_ALL = frozenset({ANYONE})
_PEOPLE = frozenset(PEOPLE_ROLES)
_DEALING = frozenset({*AT_TABLES, "console"})

TOPICS: tuple[TopicSpec, ...] = (
    TopicSpec("room", _ALL, room_view),
    TopicSpec("jackpot", _ALL, jackpot_view, _jackpot_names),
    TopicSpec("vision", _ALL, _vision_view, tables_of),
    TopicSpec("table", _PEOPLE | {"console", "device"}, table_view, tables_of),
    TopicSpec("console", _DEALING, _console_view, tables_of),
    TopicSpec("floor", frozenset(READERS), lambda state, _name, _now: floor_live(state)),
    TopicSpec("approvals", _PEOPLE - {"administrator", "dealer"}, approvals_view),
    TopicSpec("hits", _PEOPLE - {"administrator"} | {"console"}, _hits_view),
)


def figure_topic(names: Callable[[], Iterable[str]], view: Callable[[str], dict[str, Any]]) -> TopicSpec:
    """The topic of each figure that a worker makes."""
    return TopicSpec("figure", _PEOPLE, lambda _state, name, _now: view(name), lambda _: names(), journalled=False)


def find_topic(specs: Iterable[TopicSpec], state: BookState, topic: str) -> tuple[TopicSpec, str] | None:
    """Return the specification and the name of a topic, if there is such a one now."""
    for spec in specs:
        if spec.names is None:
            if topic == spec.kind:
                return spec, ""
        elif topic.startswith(f"{spec.kind}:"):
            name = topic.removeprefix(f"{spec.kind}:")
            return (spec, name) if name in set(spec.names(state)) else None
    return None


def topics_now(specs: Iterable[TopicSpec], state: BookState) -> Iterator[str]:
    """Yield the name of every topic there is."""
    for spec in specs:
        if spec.names is None:
            yield spec.kind
        else:
            yield from (f"{spec.kind}:{name}" for name in spec.names(state))
