"""What commands of a room look up beside its books: secrets, and probabilities that a worker counts.

A server never counts probabilities itself (J-12): what is not counted yet is waited for, then asked for again.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from fractions import Fraction
from typing import Any, NamedTuple

from pitboss.books import BookState, RefusedError
from pitboss.commands import By, Command, NotReadyError, Now, Services
from pitboss.jackpot import HITS, JACKPOTS, Offer
from pitboss.room.accounting import counted_problems
from pitboss.room.displays import bare_problems
from pitboss.room.opening import jackpot_opening_problems, opening_problems
from pitboss.room.people.people import people_of, second_problems
from pitboss.room.people.roles import PIN_ROLES
from pitboss.room.people.vault import Vault
from pitboss.rules import Problem
from pitboss.table import Configuration
from pitboss.table.costs import edge_problems
from pitboss.tabulator import TABLES

_SECONDS = 25
_EDGE_SECONDS = 20
"""So long somebody who asks for a configuration waits for its edges; then they submit it again."""


class Counted(NamedTuple):
    """The answer of a worker: `computing`, `failed` with its text, or the value."""

    status: str
    value: Any
    text: str


Count = Callable[[float, dict[str, Any], str], Counted]


class HitProbabilities:
    """Asks a worker for the probabilities of an offer's events; a room that has no worker has none."""

    def __init__(self, seconds: float = _SECONDS) -> None:
        self.count: Count | None = None
        self._seconds = seconds

    def add_to(self, offer: Offer, jackpot_type: str) -> Offer:
        """Return the offer with the probability of each level; refuse where they cannot be counted."""
        if self.count is None:
            raise RefusedError([f"nobody counts the chances of {offer.game} {offer.paytable} here (J-12)"])
        subject = f"the chances of {offer.game} {offer.paytable}"
        counted = self.count(self._seconds, offer.to_json(), jackpot_type)
        if counted.status == "failed":
            raise RefusedError([f"{subject} cannot be counted: {counted.text} (J-12)"])
        if counted.status == "computing":
            raise NotReadyError(f"{subject} are being counted: ask again in a moment")
        return replace(offer, chances=tuple((event, Fraction(chance)) for event, chance in counted.value["chances"]))


EdgeCount = Callable[[float, Configuration], Counted]


class HouseEdges:
    """Asks for the house edges of a configuration; books that are opened beside a server or terminal have none."""

    def __init__(self, seconds: float = _EDGE_SECONDS) -> None:
        self.count: EdgeCount | None = None
        self._seconds = seconds

    def problems(self, configuration: Configuration) -> tuple[Problem, ...] | None:
        """Return the wagers whose edge is below zero (G-61); nothing where they are still being counted."""
        if self.count is None:
            return ()
        counted = self.count(self._seconds, configuration)
        if counted.status == "computing":
            return None
        if counted.status == "failed":
            raise RefusedError([f"the house edges cannot be counted: {counted.text} (G-61)"])
        return edge_problems(configuration, counted.value)


def console_problems(state: BookState, command: Command, console: str) -> list[str]:
    """Return what speaks against a command by PIN at the console of a table: it needs a sign-in, or reaches further.

    A PIN is for what its command declares, about its own table alone: what is about a jackpot reaches every table that
    it is linked to (G-49).
    """
    if not command.spec.pin:
        return [f"{command.spec.name}: a PIN is not enough for this, sign in with your password (G-49)"]
    reached = _tables_reached(state, command)
    if reached == {console}:
        return []
    others = ", ".join(sorted(reached - {console})) or "no table"
    return [f"a PIN is for its own console: this is about table {others}, not only about table {console} (G-49)"]


def _tables_reached(state: BookState, command: Command) -> set[str]:
    """Return the tables that a command is about: by its own field, or by the hit, alarm or jackpot that it names."""
    if table := command.table_name(state):
        return {table}
    tables, hit = state.of(TABLES), state.of(HITS).open.get(getattr(command, "hit", 0))
    places = (
        hit,
        tables.alarms.get(getattr(command, "alarm", "")),
        tables.malfunctions.get(str(getattr(command, "malfunction", ""))),
    )
    jackpot = state.of(JACKPOTS).jackpots.get(getattr(command, "name", ""))
    links = () if jackpot is None else jackpot.jackpot.tables
    return {place.table for place in places if place is not None} | {link.table for link in links}


@dataclass(slots=True)
class RoomServices(Services):
    """The books and the clock of a room, its vault where it has one, and what a worker counts for it."""

    open_vault: Callable[[], Vault] | None = None
    probabilities: HitProbabilities = field(default_factory=HitProbabilities)
    edges: HouseEdges = field(default_factory=HouseEdges)

    @property
    def vault(self) -> Vault | None:
        """The secrets of the room, opened when they are first asked for."""
        return None if self.open_vault is None else self.open_vault()

    def actor_problems(self, command: Command, by: By) -> list[str]:
        """Return what the room holds against who acts and who approves."""
        if by.approver is None and by.console is None:
            return []
        state, second = self.state, By("", "") if by.approver is None else by.approver
        consoles = [who.console for who in (by, second) if who.console is not None]
        problems = [text for console in consoles for text in console_problems(state, command, console)]
        return [*problems, *second_problems(people_of(state), command.concerns(), by, self.clock())]

    def opening_problems(self, now: Now, table: str) -> list[str]:
        """Return what the room holds against opening a table."""
        return opening_problems(now.state, table, now.at)

    def dealer_name(self, state: BookState, name: str) -> str:
        """Return the name of a dealer or supervisor of the room; one without people takes every name (G-76)."""
        people = people_of(state)
        if not people.people:
            return name
        person = people.named(name)
        if person is None or not person.active or not PIN_ROLES & set(person.roles):
            raise RefusedError([f"{name!r} is no dealer and no supervisor of this room (E-02, G-76)"])
        return person.name

    def jackpot_opening_problems(self, now: Now, name: str) -> list[str]:
        """Return what the room holds against opening a jackpot."""
        return jackpot_opening_problems(now.state, name)

    def counted_problems(self, now: Now, table: str, at: int) -> Sequence[str]:
        """Return that the tray of a table is counted for the shift of an instant, where it is (G-66)."""
        return counted_problems(now.state, table, at)

    def display_problems(self, now: Now, games: Mapping[str, str]) -> list[str]:
        """Return which displays may not show the jackpots of games, by table (E-08)."""
        return bare_problems(now.state, games)
