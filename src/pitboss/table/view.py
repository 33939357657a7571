"""What may be seen of a round, from a seat or by everybody; and a finished round as a round record."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from pitboss.cards import card_text
from pitboss.rules import Face, Question, SettledLine
from pitboss.table.round import Round
from pitboss.table.state import Phase, SeatState

__all__ = ["HIDDEN", "View", "round_record", "to_undo", "view"]

HIDDEN = "??"


@dataclass(frozen=True, slots=True)
class View:
    """A round as one seat may see it: hidden cards are `??`."""

    phase: Phase
    board: tuple[str, ...]
    hands: Mapping[int, tuple[str, ...]]
    wagers: Mapping[int, Mapping[str, int]]
    decisions: Mapping[int, Mapping[str, Any]]
    lines: Mapping[int, Mapping[str, SettledLine]]
    question: Question | None


def _seen(held: SeatState, *, own: bool) -> tuple[str, ...]:
    visible = (Face.UP, Face.OWN) if own else (Face.UP,)
    return tuple(
        card_text(card) if face in visible else HIDDEN for card, face in zip(held.seat.cards, held.faces, strict=True)
    )


def _public(decisions: Mapping[str, Any], *, own: bool) -> dict[str, Any]:
    """A selection of cards lies face down until it is shown; only its owner knows it."""
    return {key: value for key, value in decisions.items() if own or not isinstance(value, tuple)}


def view(played: Round, seat: int | None = None) -> View:
    """Show a round as a seat may see it, or as everybody may where no seat is named."""
    state = played.state
    asked = played.question()
    return View(
        phase=state.phase,
        board=_seen(state.board, own=False),
        hands={number: _seen(held, own=number == seat) for number, held in sorted(state.seats.items())},
        wagers={number: held.seat.wagers for number, held in sorted(state.seats.items())},
        decisions={
            number: _public(held.seat.decisions, own=number == seat) for number, held in sorted(state.seats.items())
        },
        lines=state.lines if played.phase is not Phase.VOID else {},
        question=asked[1] if asked is not None and asked[0] == seat else None,
    )


def to_undo(played: Round) -> tuple[tuple[int, SettledLine], ...]:
    """List what was already taken or paid in a round that is void, for the floor to make good (G-11)."""
    if played.phase is not Phase.VOID:
        return ()
    settled = played.state.lines.items()
    return tuple((seat, line) for seat, lines in settled for line in lines.values() if line.net_cents)


def round_record(played: Round) -> dict[str, Any]:
    """Write a finished round as docs/ROUND_FORMAT.md describes it."""
    configuration, game, state = played.configuration, played.game, played.state
    record: dict[str, Any] = {
        "game": game.name,
        "paytables": {name: list(tables) for name, tables in configuration.stated.paytables.items()},
        "readings": dict(configuration.readings),
        "jackpot_type": configuration.jackpot_type,
        "meters": dict(played.meters),
        "jackpot_wager_cents": {name: jackpot.wager_cents for name, jackpot in configuration.jackpots.items()},
        "bonus_sharing": configuration.bonus_sharing,
        "on": configuration.on.isoformat(),
        "profile": configuration.profile,
        game.board.name: [card_text(card) for card in state.board.seat.cards],
        "seats": [
            {
                "seat": seat.number,
                "cards": [card_text(card) for card in seat.cards],
                "wagers": dict(seat.wagers),
                "decisions": {
                    key: [card_text(card) for card in value] if isinstance(value, tuple) else value
                    for key, value in seat.decisions.items()
                },
            }
            for seat in state.all_seats
        ],
    }
    if configuration.decks is not None:
        record["decks"] = configuration.decks
    return record
