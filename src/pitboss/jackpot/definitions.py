"""What a jackpot is: wagers it is offered on, prizes in force, terms of its meter, and the tables linked to it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from fractions import Fraction
from typing import Any, Literal, NamedTuple, TypeAlias, get_args

from pitboss.games import find_game
from pitboss.meters import MeterTerms, units_text
from pitboss.rules import Game, Stated, Terms, Wager, dollars, make_terms
from pitboss.rules.pays import Odds, OfMeter, Pay, cell_text, parse_cell
from pitboss.rules.terms import BonusSharing

BONUS_SENTENCES = (
    "Bonus Jackpot prizes are paid by the casino and are not components of any progressive prize contest. "
    "Player wagers do not accrue to any guaranteed player fund. "
    "The displayed Bonus Jackpot prize may be modified or discontinued at any time without prior notice."
)
"""What each Bonus Jackpot display must say, to the byte (REGULATION J-06; the approved rules of all five games)."""

Display: TypeAlias = Literal["static", "updatable", "real-time"]
"""How a display moves: not while it is open, when the operator posts another amount, or with each wager (E-07)."""
FixedPrizes: TypeAlias = Literal["house", "meter"]
DISPLAYS: tuple[Display, ...] = get_args(Display)


class Prize(NamedTuple):
    """One row of a pay table in force, in printed order: its event, what it pays, and its Envy prize."""

    event: str
    pay: Pay
    envy: Pay | None = None

    @property
    def share(self) -> Fraction | None:
        """The share of the meter that it pays, where it is a level of the meter."""
        return self.pay.share if isinstance(self.pay, OfMeter) else None


@dataclass(frozen=True, slots=True, kw_only=True)
class Offer:
    """A wager of a game on which the jackpot is won: its pay table, the rows in force, and the chance of each level.

    `stated` is the pay table as a configuration states it, with the operator's amounts (G-6). `chances` are the exact
    probabilities of the events that pay a share of the meter, as `odds` counts them (J-12, T-07).
    """

    game: str
    wager: str
    paytable: str
    odds: Odds
    prizes: tuple[Prize, ...]
    stated: Mapping[str, Any] = field(default_factory=dict)
    readings: Mapping[str, str] = field(default_factory=dict)
    decks: int | None = None
    chances: tuple[tuple[str, Fraction], ...] = ()

    @property
    def levels(self) -> tuple[Prize, ...]:
        """The rows that pay a share of the meter, highest first."""
        return tuple(prize for prize in self.prizes if prize.share is not None)

    def prize(self, event: str) -> Prize | None:
        """The row of an event, if there is one."""
        return next((prize for prize in self.prizes if prize.event == event), None)

    def to_json(self) -> dict[str, Any]:
        """Write the offer; each cell as it would be printed, each chance as a fraction."""
        return {
            "game": self.game,
            "wager": self.wager,
            "paytable": self.paytable,
            "odds": self.odds,
            "prizes": [
                [each.event, cell_text(each.pay), None if each.envy is None else cell_text(each.envy)]
                for each in self.prizes
            ],
            "stated": {key: dict(value) if isinstance(value, Mapping) else value for key, value in self.stated.items()},
            "readings": dict(self.readings),
            "decks": self.decks,
            "chances": [[event, str(chance)] for event, chance in self.chances],
        }

    @classmethod
    def from_json(cls, said: Mapping[str, Any]) -> Offer:
        """Read what `to_json` wrote."""
        odds = said["odds"]
        return cls(
            **{name: said[name] for name in ("game", "wager", "paytable", "odds", "stated", "readings", "decks")},
            prizes=tuple(
                Prize(event, _pay(pay, odds), None if envy is None else _pay(envy, odds))
                for event, pay, envy in said["prizes"]
            ),
            chances=tuple((event, Fraction(chance)) for event, chance in said["chances"]),
        )


def _pay(text: str, odds: Odds) -> Pay:
    pay = parse_cell(text, odds)
    if pay is None:
        raise ValueError(f"{text!r} is no cell of a pay table")
    return pay


class LinkedTable(NamedTuple):
    """A table on the jackpot: its name, the game dealt there, and the licensed location it stands in (J-11)."""

    table: str
    game: str
    location: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Jackpot:
    """A jackpot as it was defined: nothing here changes while it is open (T-16).

    The first offer is the jackpot's own game; more of them link other games to it (J-12). Prizes below
    `small_prize_cents` are paid from the tray with one command. `fixed_prizes` says who pays dollar prizes (G-5).
    """

    name: str
    offers: tuple[Offer, ...]
    meter: MeterTerms
    tables: tuple[LinkedTable, ...]
    display: Display
    fixed_prizes: FixedPrizes = "house"
    small_prize_cents: int = 0
    bonus_sharing: BonusSharing = "full"

    @property
    def is_progressive(self) -> bool:
        """Whether the meter grows with each wager and is the players' (J-01, J-03); else it is a Bonus."""
        return self.meter.is_progressive

    @property
    def game(self) -> str:
        """The game the jackpot was defined for."""
        return self.offers[0].game

    @property
    def wager(self) -> str:
        """The wager the jackpot was defined for."""
        return self.offers[0].wager

    @property
    def notices(self) -> tuple[str, ...]:
        """What must be posted beside the amount: the required sentences, the cap, the use of a reserve.

        On a Bonus the three sentences (J-06); on a progressive its cap (J-10) and what is held back (T-20).
        """
        if not self.is_progressive:
            return (BONUS_SENTENCES,)
        cap, held = self.meter.cap_cents, self.meter.reserve_units
        told = () if cap is None else (f"This jackpot stops at {dollars(cap)}.",)
        each = f"Of each {dollars(self.meter.wager_cents)} wager {units_text(held)}"
        return told + ((f"{each} goes to a reserve that is not displayed and funds the next jackpot.",) if held else ())

    def linked(self, table: str) -> LinkedTable | None:
        """The link of a table, if it is on this jackpot."""
        for each in self.tables:
            if each.table == table:
                return each
        return None

    def offer_at(self, table: str) -> Offer:
        """The offer that is played at a linked table."""
        linked = self.linked(table)
        if linked is None:
            raise KeyError(f"table {table!r} is not linked to {self.name}")
        return next(offer for offer in self.offers if offer.game == linked.game)

    def game_and_wager(self, offer: Offer) -> tuple[Game, Wager]:
        """The game and the wager of an offer, as the rules have them."""
        game = find_game(offer.game)
        return game, game.by_name[offer.wager]

    def terms_of(self, offer: Offer) -> Terms:
        """The terms under which a hit on an offer is settled: its table, the jackpot's type, wager and sharing."""
        terms, problems = make_terms(find_game(offer.game), stated_of(self, offer))
        if problems:
            raise ValueError("; ".join(map(str, problems)))
        return terms

    def to_json(self) -> dict[str, Any]:
        """Write the jackpot."""
        return {
            "name": self.name,
            "offers": [offer.to_json() for offer in self.offers],
            "meter": _meter_json(self.meter),
            "tables": [list(each) for each in self.tables],
            "display": self.display,
            "fixed_prizes": self.fixed_prizes,
            "small_prize_cents": self.small_prize_cents,
            "bonus_sharing": self.bonus_sharing,
        }

    @classmethod
    def from_json(cls, said: Mapping[str, Any]) -> Jackpot:
        """Read what `to_json` wrote."""
        plain = ("name", "display", "fixed_prizes", "small_prize_cents", "bonus_sharing")
        return cls(
            **{name: said[name] for name in plain},
            offers=tuple(Offer.from_json(each) for each in said["offers"]),
            meter=_meter_read(said["meter"]),
            tables=tuple(LinkedTable(*each) for each in said["tables"]),
        )


def stated_of(jackpot: Jackpot, offer: Offer) -> Stated:
    """What the jackpot states of the terms of an offer."""
    return Stated(
        paytables={offer.wager: [dict(offer.stated) or offer.paytable]},
        readings=offer.readings,
        decks=offer.decks,
        jackpot_type=jackpot.meter.jackpot_type,
        jackpot_wager_cents={offer.wager: jackpot.meter.wager_cents},
        bonus_sharing=jackpot.bonus_sharing,
        fixed_from_meter=frozenset({offer.wager} if jackpot.fixed_prizes == "meter" else ()),
    )


_METER_NUMBERS = ("jackpot_type", "wager_cents", "seed_cents", "reseed_cents", "cap_cents", "batch_wagers_max")
_METER_RATES = ("display_rate", "reserve_rate")


def _meter_json(terms: MeterTerms) -> dict[str, Any]:
    return {name: getattr(terms, name) for name in _METER_NUMBERS} | {
        name: str(getattr(terms, name)) for name in _METER_RATES
    }


def _meter_read(said: Mapping[str, Any]) -> MeterTerms:
    fields: dict[str, Any] = {name: said[name] for name in _METER_NUMBERS}
    return MeterTerms(**fields | {name: Fraction(said[name]) for name in _METER_RATES})
