"""What the demo prints when it is ready: what to open, and how to come in."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import NamedTuple

from pitboss.demo.room import DemoRoom
from pitboss.games import find_game
from pitboss.jackpot import HITS, Hit, HitState
from pitboss.room.room import Room


class Welcome(NamedTuple):
    """One-time links by role, the dealer's PIN, and a link that makes a browser the console of a table."""

    links: Mapping[str, str]
    pin: str
    console: str
    console_table: str


def welcome_lines(demo: DemoRoom, room: Room, address: str, welcome: Welcome) -> Iterator[str]:
    """Say what to open, who can come in by which link, and what waits to be done."""
    yield f"{room.name} is served at {address}"
    yield f"  Its data is in {room.path}; Ctrl-C ends it, and the next start goes on from there."
    yield ""
    yield "To look at, without signing in:"
    yield f"  {'front page':<34} {address}/"
    for table in demo.tables:
        title = find_game(table.configuration.game).title
        yield f"  {f'table {table.name}, {title}':<34} {address}/tables/{table.name}/vision"
    yield ""
    yield "To sign in, each link once (start again for new ones):"
    for role, code in welcome.links.items():
        name = demo.person(role).name
        yield f"  {f'{role}: {name}':<34} {address}/links/{code}"
    yield ""
    yield "Dealer's consoles, for a dealer, supervisor or manager who has signed in:"
    for table in demo.tables:
        by_hand = "" if table.device else "   (wagers are entered by hand here)"
        yield f"  {f'table {table.name}':<34} {address}/tables/{table.name}/console{by_hand}"
    dealt = demo.dealt["name"]
    yield f"  {f'table {dealt}, dealt by Pitboss':<34} {address}/tables/{dealt}/play   (play money)"
    dealer, table_name = demo.person("dealer").name, welcome.console_table
    yield f"Or make a browser the console of table {table_name}, once; PIN of {dealer}: {welcome.pin}"
    yield f"  {'console':<34} {address}/links/{welcome.console}"
    yield from _waiting(demo, room)


def _waiting(demo: DemoRoom, room: Room) -> Iterator[str]:
    for hit in room.state.of(HITS).open.values():
        if hit.state is HitState.CALLED:
            told = ", ".join(f"seat {won.seat} has {won.row}" for won in hit.won)
            yield ""
            yield f"Waiting for a supervisor: hit {hit.number} at table {hit.table}, {told}{_cards(demo, hit)}."


def _cards(demo: DemoRoom, hit: Hit) -> str:
    """The cards that lie there, where the hit is one that the demo has begun with."""
    for said in demo.said["hits"]:
        if (said["jackpot"], said["row"], said["ends"]) == (hit.jackpot, hit.won[0].row, "called"):
            return f" ({said['cards']})"
    return ""
