"""The plain road beside the compiled one: finished rounds of the cards and decisions played, settled by the rules."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator
from typing import Any, NamedTuple

from pitboss.rules import CardPlace, FinishedRound, FinishedSeat, Game, Seat, Settlement, StageKind
from pitboss.rules.stages import Decisions
from pitboss.rules.wagers import pay_array
from pitboss.simulate.playing import Chunk, Ready


class Played(NamedTuple):
    """One round that was played: each seat's five or so cards as a whole, the board, choices and codes."""

    cards: tuple[tuple[int, ...], ...]
    board: tuple[int, ...]
    choices: tuple[tuple[int, ...], ...]
    codes: tuple[tuple[int, ...], ...]


def played_in(ready: Ready, chunk: Chunk) -> Iterator[Played]:
    """The rounds of a chunk."""
    size, seats = ready.seat_cards, ready.setup.seats
    dealt, choices, codes = (each[: chunk.rounds].tolist() for each in (chunk.cards, chunk.choices, chunk.codes))
    for cards, chosen, read in zip(dealt, choices, codes, strict=True):
        hands = tuple(tuple(cards[size * seat : size * seat + size]) for seat in range(seats))
        yield Played(hands, tuple(cards[size * seats :]), tuple(map(tuple, chosen)), tuple(map(tuple, read)))


def wagers_of(ready: Ready, seat: int) -> dict[str, int]:
    """What a seat stakes, in cents."""
    stakes = zip(ready.game.by_name, ready.setup.stakes[seat], strict=True)
    return {name: cents for name, cents in stakes if cents}


def _picked(cards: tuple[int, ...], mask: int) -> tuple[int, ...]:
    return tuple(card for place, card in enumerate(cards) if mask >> place & 1)


def decisions_of(ready: Ready, seat: int, cards: tuple[int, ...], choices: tuple[int, ...]) -> dict[str, Any]:
    """Say choices as a table is told them: what the seat is asked, and nothing else."""
    wagers = wagers_of(ready, seat)
    match ready.game.name:
        case "four-card-prime":
            return {"raise": choices[0]}
        case "three-card-double-play":
            return {"high": _picked(cards, choices[0]), "double": bool(choices[1])}
        case "deuces-wild":
            decisions: dict[str, Any] = {}
            if "ante-play-raise" in wagers:
                decisions["play"] = bool(choices[0])
                if choices[0]:
                    decisions["raise"] = bool(choices[1])
            dealer = ready.terms.readings["fortune_after_raise"] == "dealer_takes_best"
            if "five-card-fortune" in wagers and not (choices[1] and dealer):
                decisions["fortune"] = _picked(cards, choices[2])
            return decisions
        case _:
            return {"play": bool(choices[0])}


def cards_due(game: Game, wagers: dict[str, int], cards: tuple[int, ...], decisions: Decisions) -> tuple[int, ...]:
    """Leave a seat the cards that the stages entitle it to."""
    due = 0
    for stage in game.stages:
        if stage.kind is StageKind.DEAL and stage.who is CardPlace.SEATS:
            due += len(stage.faces) if stage.entitled(Seat(1, wagers, cards[:due], decisions)) else 0
    return cards[:due]


def finished(ready: Ready, played: Played) -> FinishedRound:
    """Build the round as the rules take it; a seat has the cards it was entitled to."""
    seats = []
    for seat, (cards, choices) in enumerate(zip(played.cards, played.choices, strict=True)):
        wagers, decisions = wagers_of(ready, seat), decisions_of(ready, seat, cards, choices)
        due = cards_due(ready.game, wagers, cards, decisions)
        assert choices == ready.game.choices(decisions, due), "the choices are not those of the decisions"
        seats.append(FinishedSeat(seat + 1, wagers, due, choices))
    return FinishedRound(played.board, tuple(seats))


Cents = dict[tuple[int, str], tuple[int, int]]


def cents_settled(settlement: Settlement) -> Cents:
    """Staked and paid cents by seat and wager, Envy left out."""
    return {
        (seat, name): (line.staked_cents, line.paid_cents - line.envy_cents)
        for seat, lines in settlement.lines.items()
        for name, line in lines.items()
    }


class Money:
    """The cents of rounds by what a table made ready holds, with the shares of meters added as G-4 says."""

    def __init__(self, ready: Ready, meters: dict[str, int]) -> None:
        self.ready = ready
        self.meters = meters
        self.outcomes = {
            wager.name: pay_array(wager, ready.terms).outcomes
            for wager in ready.game.wagers
            if wager.jackpot and any(ready.setup.staked_on(wager.name))
        }

    def cents(self, played: Played) -> Cents:
        """Staked and paid cents by seat and wager, Envy left out."""
        found: Cents = {}
        for seat, codes in enumerate(played.codes):
            for place, name in enumerate(self.ready.game.by_name):
                if self.ready.setup.stakes[seat][place]:
                    at = seat, self.ready.begins[place] + codes[place]
                    found[seat + 1, name] = int(self.ready.staked[at]), int(self.ready.paid[at])
        for (seat, name), prize in self._shares(played).items():
            staked, paid = found[seat, name]
            found[seat, name] = staked, paid + prize
        return found

    def _shares(self, played: Played) -> dict[tuple[int, str], int]:
        winners: dict[tuple[str, Any, Any], list[int]] = defaultdict(list)
        terms = self.ready.terms
        for seat, codes in enumerate(played.codes):
            for place, (name, wager) in enumerate(self.ready.game.by_name.items()):
                if not wager.jackpot or not self.ready.setup.stakes[seat][place]:
                    continue
                outcome, at = self.outcomes[name][codes[place]], self.ready.begins[place] + codes[place]
                pays_meter = outcome.meter_share is not None
                deducts = name in terms.fixed_from_meter and self.ready.paid[seat, at] > 0
                assert bool(self.ready.watched[seat, at]) == (pays_meter or deducts)
                if pays_meter:
                    winners[name, outcome.event, outcome.meter_share].append(seat + 1)
        divided = terms.jackpot_type == "progressive" or terms.bonus_sharing == "split"
        prizes = {}
        for (name, _, share), seats in winners.items():
            prize = int(share.share * self.meters[name])
            prizes.update({(seat, name): prize // len(seats) if divided else prize for seat in seats})
        return prizes

    def envy(self, played: Played) -> int:
        """The Envy that all seats are paid together."""
        total = 0
        for seat, codes in enumerate(played.codes):
            for place in range(len(codes)):
                if self.ready.placed[seat, place]:
                    total += int(self.ready.envy[seat, self.ready.begins[place] + codes[place]])
        return total
