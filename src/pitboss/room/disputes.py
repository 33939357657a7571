"""Disputes: a round settled by the same rules as `pitboss settle`, kept as a numbered record of the journal (T-14)."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Annotated, Any, NamedTuple

from pitboss import books, commands
from pitboss.commands.roles import FLOOR
from pitboss.games import find_game
from pitboss.jackpot import JACKPOTS
from pitboss.jackpot.hits.found import meter_of_round
from pitboss.room.configurations import configuration_of_round
from pitboss.rules import Game, dollars
from pitboss.table import Configuration, RefusedRecordError, SettledRecord, record_terms, settle_record


@books.entry_kind("dispute-settled")
class DisputeSettled(books.EntryPayload):
    """A dispute: its number, the round as it was stated with the terms in force, its settlement, and what it was about.

    `record` and `settlement` are JSON, wagers in the order stated: it says for ever what was told, and settles again.
    `basis` says what the configuration and the meters rest on (G-52).
    """

    number: int
    configuration: str
    record: str
    settlement: str
    words: str
    round: int = 0
    basis: str = ""


Sequences = tuple[int, ...]


def _fold(sequences: Sequences, entry: books.Entry, value: books.Payload) -> Sequences:
    assert isinstance(value, DisputeSettled)
    if value.number != len(sequences) + 1:
        raise ValueError(f"dispute {value.number} does not follow dispute {len(sequences)}")
    return (*sequences, entry.sequence)


DISPUTES: books.Projection[Sequences] = books.Projection(
    name="disputes", shape=Sequences, empty=(), fold=_fold, kinds=books.kinds_of(DisputeSettled)
)
"""The entries of all disputes in the order of their numbers, which begin with 1."""


class RoundStatement(NamedTuple):
    """A round as people state it: seats with cards, wagers and decisions, the board, what the meters showed.

    `void` is what made the round void, empty where nothing did.
    """

    seats: Sequence[Mapping[str, Any]]
    board: Sequence[str]
    meters: Mapping[str, int]
    void: str = ""


def meters_at(state: books.BookState, table: str) -> dict[str, int]:
    """Return what the jackpots of a table show, in cents by wager."""
    ledger = state.of(books.LEDGER)
    return {
        record.jackpot.offer_at(table).wager: ledger[record.jackpot.name].meter_state.displayed_cents
        for record in state.of(JACKPOTS).at(table)
        if record.jackpot.name in ledger
    }


def dispute_record(
    configuration: Configuration, board: str, statement: RoundStatement
) -> tuple[dict[str, Any], dict[str, Any]]:
    """Make the round record of what was stated, under the terms of a table."""
    record, beside = record_terms(configuration)
    record |= {"seats": [_stated_seat(seat) for seat in statement.seats], board: list(statement.board)}
    record |= {"void": statement.void} if statement.void else {}
    record["meters"] = {**record["meters"], **statement.meters}
    return record, beside


def _stated_seat(seat: Mapping[str, Any]) -> dict[str, Any]:
    """Return a seat as a record has it: nobody named and nothing turned round are left out."""
    return {name: value for name, value in seat.items() if name not in ("person", "turned") or value}


def settled_dispute(
    state: books.BookState, table: str, statement: RoundStatement, round_number: int = 0
) -> tuple[SettledRecord, dict[str, Any]]:
    """Settle what was stated by the configuration that its round was played under; or everything that is wrong.

    A round that is not named is one of now.
    """
    configuration = configuration_of_round(state, table, round_number)
    if configuration is None:
        raise books.RefusedError([f"no configuration is posted at table {table!r}: nothing says how it settles"])
    record, beside = dispute_record(configuration, _board(configuration), statement)
    try:
        return settle_record(record, **beside), record
    except RefusedRecordError as error:
        raise books.RefusedError(map(str, error.problems)) from None


def _board(configuration: Configuration) -> str:
    return find_game(configuration.game).board.name


Card = Annotated[str, commands.Bounds(most=3)]
Cards = Annotated[tuple[Card, ...], commands.Bounds(most=20)]


@dataclass(frozen=True, slots=True, kw_only=True)
class SeatStatement:
    """A seat of a disputed round: its cards in the order dealt, its wagers in cents, and its decisions.

    `person` is who plays it, where one person has two seats (G-41); `turned` says that its foul hand was turned round.
    """

    seat: commands.Seat
    cards: Cards
    wagers: Mapping[commands.Name, commands.Count]
    decisions: Mapping[commands.Name, bool | int | Cards] = field(default_factory=dict)
    person: Annotated[str, commands.Bounds(most=120)] = ""
    turned: bool = False


@commands.command("floor/dispute", roles=FLOOR)
class SettleDispute(commands.Command):
    """Settle a disputed round by the setup and the meters of that round, and save it under the next number.

    `meter_words` is why the supervisor states another amount of a meter than the ledger has for the round.
    """

    table: commands.Name
    seats: Annotated[tuple[SeatStatement, ...], commands.Bounds(1, 12)]
    board: Cards = ()
    meters: Mapping[commands.Name, commands.Count] = field(default_factory=dict)
    round: commands.Count = 0
    void: Annotated[str, commands.Bounds(most=40)] = ""
    meter_words: commands.Words = ""
    words: commands.Words

    @property
    def statement(self) -> RoundStatement:
        """The round as people state it."""
        seats = [commands.write_fields(seat) for seat in self.seats]
        return RoundStatement(seats, list(self.board), dict(self.meters), self.void)

    def prepare(self, services: commands.Services) -> PreparedDispute:
        """Look up the meters that G-4 gives for the round, in the ledger."""
        return PreparedDispute(self, ledger_meters(services, self.table, self.round))

    def entries(self, now: commands.Now, by: commands.By) -> list[books.Payload]:
        """Return the dispute for which no meter was looked up."""
        return PreparedDispute(self, {}).entries(now, by)


@dataclass(frozen=True, slots=True)
class PreparedDispute:
    """A dispute, and by wager the meters that the ledger has for its round."""

    dispute: SettleDispute
    ledger: Mapping[str, int]

    def entries(self, now: commands.Now, by: commands.By) -> list[books.Payload]:
        """Return the dispute with its settlement, under the next number."""
        dispute = self.dispute
        problems = [] if dispute.words.strip() else ["words: what the dispute is about must be stated"]
        commands.refuse([*problems, *meter_problems(dispute, self.ledger)])
        statement = with_ledger(dispute.statement, self.ledger)
        settled, record = settled_dispute(now.state, dispute.table, statement, dispute.round)
        configuration = configuration_of_round(now.state, dispute.table, dispute.round)
        assert configuration is not None
        value = DisputeSettled(
            number=len(now.state.of(DISPUTES)) + 1,
            configuration=configuration.content_hash,
            record=json.dumps(record, ensure_ascii=False),
            settlement=settled.json_text(paytables=True),
            words=dispute.words,
            round=dispute.round,
            basis=_basis(dispute, self.ledger, find_game(configuration.game)),
        )
        return [value]


def ledger_meters(services: commands.Services, table: str, number: int) -> dict[str, int]:
    """Return by wager the cents that percentages of a round are of, from the ledger (G-4); of an unnamed one, now."""
    if not number:
        return meters_at(services.state, table)
    meters = {
        record.jackpot.offer_at(table).wager: meter_of_round(services, record.jackpot.name, table, number)
        for record in services.state.of(JACKPOTS).at(table)
    }
    return {wager: cents for wager, cents in meters.items() if cents is not None}


def with_ledger(statement: RoundStatement, ledger: Mapping[str, int]) -> RoundStatement:
    """Return a round with the meters of the ledger where nobody states another amount."""
    return statement._replace(meters={**ledger, **statement.meters})


def meter_problems(dispute: SettleDispute, ledger: Mapping[str, int]) -> list[str]:
    """Return the meters that are stated otherwise than the ledger has them, where nobody says why (G-52)."""
    if dispute.meter_words.strip() or not dispute.round:
        return []
    return [
        f"meters.{wager}: {dollars(cents)} is stated, the ledger has {dollars(ledger[wager])} for round "
        f"{dispute.round}: say why in words (G-52)"
        for wager, cents in dispute.meters.items()
        if cents != ledger.get(wager, cents)
    ]


def _basis(dispute: SettleDispute, ledger: Mapping[str, int], game: Game) -> str:
    """Return what the configuration and the meters of a dispute rest on (G-52)."""
    if not dispute.round:
        return "no round is named: the configuration now posted applies (G-52)"
    stated = [game.by_name[wager].title for wager, cents in dispute.meters.items() if cents != ledger.get(wager)]
    words = f"round {dispute.round}: its configuration, meters of the ledger"
    if stated:
        words += f", but for {', '.join(stated)} as stated"
    return f"{words} ({dispute.meter_words.strip() or 'G-52'})"
