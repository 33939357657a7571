"""Definitions of jackpots: wagers each is offered on, prizes in force, terms of its meter, and the tables linked to it.

A `JackpotDraft` is a jackpot as people define it: pay tables by id, rates as text. Games may share a meter where each
level is won by the same hand with the same probability (J-11, J-12).
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from enum import StrEnum
from fractions import Fraction
from itertools import combinations, zip_longest
from typing import TYPE_CHECKING, Annotated, Any, Literal, NamedTuple, Protocol, TypeAlias, get_args

from pitboss.books import OMIT_DEFAULT, EntryPayload, KindBy, RefusedError, WrittenAs, entry_kind
from pitboss.commands import LISTED_MAX, Bounds, Count, Name
from pitboss.games import UnknownGameError, find_game
from pitboss.meters import MeterRefusedError, MeterTerms, units_text
from pitboss.rules import Game, PostedRow, Problem, Terms, TermsInput, Wager, dollars, make_terms, posted_rows
from pitboss.rules.pays import Dollars, Odds, OfMeter, Pay, cell_text, parse_cell
from pitboss.rules.posting import meter_problems, with_posted_row
from pitboss.rules.terms import BonusSharing

if TYPE_CHECKING:
    from pitboss.odds import OddsStore

BONUS_SENTENCES = (
    "Bonus Jackpot prizes are paid by the casino and are not components of any progressive prize contest. "
    "Player wagers do not accrue to any guaranteed player fund. "
    "The displayed Bonus Jackpot prize may be modified or discontinued at any time without prior notice."
)
"""What each Bonus Jackpot display must say, to the byte (REGULATION J-06; the approved rules of all five games)."""


def _sign_dollars(cents: int) -> str:
    """An amount as a sign has it: whole dollars without cents."""
    return dollars(cents).removesuffix(".00")


def _short_units(units: int) -> str:
    """An amount to the last figure that is not nought, cents at least: $0.05, $0.0346."""
    whole, _, rest = units_text(units).partition(".")
    return f"{whole}.{rest.rstrip('0').ljust(2, '0')}"


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
        """Return the row of an event, if there is one."""
        return next((prize for prize in self.prizes if prize.event == event), None)

    def to_json(self) -> dict[str, Any]:
        """Write the offer; each cell as it would be printed, each chance as a fraction."""
        return {
            "game": self.game,
            "wager": self.wager,
            "paytable": self.paytable,
            "odds": self.odds,
            "prizes": [
                [event, cell_text(pay), None if envy is None else cell_text(envy)] for event, pay, envy in self.prizes
            ],
            "stated": _plain(self.stated),
            "readings": dict(self.readings),
            "decks": self.decks,
            "chances": [[event, str(chance)] for event, chance in self.chances],
        }

    @classmethod
    def from_json(cls, payload: Mapping[str, Any]) -> Offer:
        """Read what `to_json` wrote."""
        odds = payload["odds"]
        return cls(
            **{name: payload[name] for name in ("game", "wager", "paytable", "odds", "stated", "readings", "decks")},
            prizes=tuple(
                Prize(event, _pay(pay, odds), None if envy is None else _pay(envy, odds))
                for event, pay, envy in payload["prizes"]
            ),
            chances=tuple((event, Fraction(chance)) for event, chance in payload["chances"]),
        )


def _plain(paytable: Mapping[str, Any]) -> dict[str, Any]:
    return {key: dict(value) if isinstance(value, Mapping) else value for key, value in paytable.items()}


def _pay(text: str, odds: Odds) -> Pay:
    pay = parse_cell(text, odds)
    if pay is None:
        raise ValueError(f"{text!r} is no cell of a pay table")
    return pay


class LinkedTable(NamedTuple):
    """A table on the jackpot: its name, the game dealt there, and the licensed location it stands in (J-11)."""

    table: Name
    game: Name
    location: Name


def wager_title(game: str, wager: str) -> str:
    """Return the title of a wager as displays show it: with a capital, the rest as the rules print it."""
    try:
        described = find_game(game).by_name.get(wager)
    except UnknownGameError:
        described = None
    title = wager if described is None else described.title
    return title[:1].upper() + title[1:]


def tables_text(tables: Sequence[str]) -> str:
    """Return tables in words: `table 1`, `tables 1, 2 and 4`; nothing where there is none."""
    *first, last = tables or ("",)
    if not last:
        return ""
    return f"tables {', '.join(first)} and {last}" if first else f"table {last}"


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
        """True if the meter grows with each wager and is the players' (J-01, J-03); else it is a Bonus."""
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
    def title(self) -> str:
        """The title of its wager; two jackpots may have one, which `jackpot_title` tells apart."""
        return wager_title(self.game, self.wager)

    @property
    def place(self) -> str:
        """Where it is played, in words."""
        return tables_text([link.table for link in self.tables])

    @property
    def notices(self) -> tuple[str, ...]:
        """What must be posted beside the amount: the required sentences, the cap, the use of a reserve.

        On a Bonus the three sentences (J-06); on a progressive its cap (J-10) and what is held back (T-20).
        """
        if not self.is_progressive:
            return (BONUS_SENTENCES,)
        cap, held = self.meter.cap_cents, self.meter.reserve_units
        notices = () if cap is None else (f"Jackpot maximum {_sign_dollars(cap)}.",)
        if not held:
            return notices
        share = f"{_short_units(held)} of each {_sign_dollars(self.meter.wager_cents)} wager"
        return (*notices, f"{share} goes to a reserve (not displayed) that funds the next jackpot.")

    def linked(self, table: str) -> LinkedTable | None:
        """Return the link of a table, if it is on this jackpot."""
        for link in self.tables:
            if link.table == table:
                return link
        return None

    def offer_at(self, table: str) -> Offer:
        """Return the offer that is played at a linked table."""
        link = self.linked(table)
        if link is None:
            raise KeyError(f"table {table!r} is not linked to {self.name}")
        return next(offer for offer in self.offers if offer.game == link.game)

    def game_and_wager(self, offer: Offer) -> tuple[Game, Wager]:
        """Return the game and the wager of an offer, as the rules have them."""
        game = find_game(offer.game)
        return game, game.by_name[offer.wager]

    def terms_of(self, offer: Offer) -> Terms:
        """Return the terms under which a hit on an offer is settled: its table, the jackpot's type, wager, sharing."""
        terms, problems = make_terms(find_game(offer.game), stated_of(self, offer))
        if problems:
            raise ValueError("; ".join(map(str, problems)))
        return terms

    def posted_prizes(self, offer: Offer) -> tuple[PostedRow, ...]:
        """Return the rows of an offer that pay something, to the hand or as Envy, with what the settlement pays."""
        _, wager = self.game_and_wager(offer)
        rows = posted_rows(wager, wager.slots[0], self.terms_of(offer))
        nothing = ((), (Dollars(0),))
        return tuple(row for row in rows if row.pays not in nothing or (row.envy or Dollars(0)) != Dollars(0))

    def meter_problems(self, meter_cents: int) -> list[Problem]:
        """Return why an amount on the meter would be nobody's prize, or none that may be posted (G-6, J-23)."""
        problems: list[Problem] = []
        for offer in self.offers:
            game, wager = self.game_and_wager(offer)
            terms, _ = make_terms(game, stated_of(self, offer))
            table, kind = terms.tables.get(wager.slots[0].name), self.meter.jackpot_type
            if table is not None and not table.operator_set:
                path = f"offers.{offer.game}"
                problems += meter_problems(wager, table, kind, meter_cents, self.meter.wager_cents, path)
        return problems

    def to_json(self) -> dict[str, Any]:
        """Write the jackpot."""
        return {
            "name": self.name,
            "offers": [offer.to_json() for offer in self.offers],
            "meter": _meter_json(self.meter),
            "tables": [list(link) for link in self.tables],
            "display": self.display,
            "fixed_prizes": self.fixed_prizes,
            "small_prize_cents": self.small_prize_cents,
            "bonus_sharing": self.bonus_sharing,
        }

    @classmethod
    def from_json(cls, payload: Mapping[str, Any]) -> Jackpot:
        """Read what `to_json` wrote."""
        return cls(
            **{name: payload[name] for name in _PLAIN_FIELDS},
            offers=tuple(map(Offer.from_json, payload["offers"])),
            meter=_meter_read(payload["meter"]),
            tables=tuple(LinkedTable(*link) for link in payload["tables"]),
        )


_PLAIN_FIELDS = ("name", "display", "fixed_prizes", "small_prize_cents", "bonus_sharing")
_METER_NUMBERS = ("jackpot_type", "wager_cents", "seed_cents", "reseed_cents", "cap_cents", "batch_wagers_max")
_METER_RATES = ("display_rate", "reserve_rate")


def stated_of(jackpot: Jackpot, offer: Offer) -> TermsInput:
    """Return what the jackpot states of the terms of an offer."""
    return TermsInput(
        paytables={offer.wager: [dict(offer.stated) or offer.paytable]},
        readings=offer.readings,
        decks=offer.decks,
        jackpot_type=jackpot.meter.jackpot_type,
        jackpot_wager_cents={offer.wager: jackpot.meter.wager_cents},
        bonus_sharing=jackpot.bonus_sharing,
        fixed_from_meter=frozenset({offer.wager} if jackpot.fixed_prizes == "meter" else ()),
    )


def _meter_json(terms: MeterTerms) -> dict[str, Any]:
    return {name: getattr(terms, name) for name in _METER_NUMBERS} | {
        name: str(getattr(terms, name)) for name in _METER_RATES
    }


def _meter_read(payload: Mapping[str, Any]) -> MeterTerms:
    fields: dict[str, Any] = {name: payload[name] for name in _METER_NUMBERS}
    return MeterTerms(**fields | {name: Fraction(payload[name]) for name in _METER_RATES})


def offer_of(
    game_name: str,
    wager: str,
    paytable: str | Mapping[str, Any],
    *,
    jackpot_type: str = "progressive",
    wager_cents: int = 100,
    readings: Mapping[str, str] | None = None,
    decks: int | None = None,
    posted_cents: int = 0,
) -> Offer:
    """Build the offer of a wager with one pay table, an id or `{"id", "pays", "envy"}`; all problems in one error.

    `posted_cents` is what a Bonus posts: a first row that the operator sets is that amount, whatever it will be (G-6).
    """
    game = find_game(game_name)
    jackpot_wager = game.by_name.get(wager)
    if jackpot_wager is None or not jackpot_wager.jackpot:
        names = ", ".join(other.name for other in game.jackpots)
        raise ValueError(f"{game.title} has no jackpot wager {wager!r}; it has: {names}")
    if decks is None and game.decks_allowed:
        decks = game.decks_allowed[0]
    (paytable,) = with_posted_row(game, jackpot_wager, [paytable], jackpot_type, posted_cents, wager_cents)
    terms, problems = make_terms(
        game,
        TermsInput(
            paytables={wager: [paytable]},
            readings=readings or {},
            decks=decks,
            jackpot_type=jackpot_type,
            jackpot_wager_cents={wager: wager_cents},
        ),
    )
    if problems:
        raise ValueError("; ".join(map(str, problems)))
    table = terms.tables[jackpot_wager.slots[0].name]
    return Offer(
        game=game_name,
        wager=wager,
        paytable=table.id,
        odds=table.odds,
        prizes=tuple(Prize(row.event, row.pay, row.envy) for row in table.rows),
        stated={} if isinstance(paytable, str) else _plain(paytable),
        readings=dict(readings or {}),
        decks=decks,
    )


def with_chances(offer: Offer, *, jackpot_type: str = "progressive", store: OddsStore | None = None) -> Offer:
    """Return the offer with the exact probability of every event that pays a share of the meter (J-12, T-07)."""
    counted = event_chances(offer, jackpot_type, store)
    return replace(offer, chances=tuple((level.event, counted.get(level.event, Fraction(0))) for level in offer.levels))


def event_chances(offer: Offer, jackpot_type: str, store: OddsStore | None = None) -> dict[str, Fraction]:
    """Return the exact probability of every row of an offer's pay table, as `odds` counts it (T-07)."""
    from pitboss.odds import solve  # noqa: PLC0415

    result = solve(
        offer.game,
        offer.wager,
        [dict(offer.stated) or offer.paytable],
        readings=offer.readings,
        decks=offer.decks,
        jackpot_type=jackpot_type,
        store=store,
    )
    return {event.event: event.probability for event in result.events}


def link_problems(offers: Sequence[Offer]) -> list[Problem]:
    """Return why these games may not share a meter: other hands, or other chances of the same hand (J-12).

    Each level of the meter must be won by the same hand with exactly the same probability in every game.
    """
    problems = []
    if len({offer.game for offer in offers}) != len(offers):
        problems.append(Problem("offers", "one game is offered twice on one meter", "REGULATION J-12"))
    for first, second in combinations(offers, 2):
        for ours, theirs in zip_longest(_levels(first), _levels(second), fillvalue=("no hand", None)):
            if ours[0].casefold() != theirs[0].casefold() or ours[1] != theirs[1] or ours[1] is None:
                pair = f"{_level_text(first, ours)} and {_level_text(second, theirs)}"
                problems.append(
                    Problem("offers", f"{pair} are not the same chance of the same hand", "REGULATION J-12")
                )
    return problems


def _levels(offer: Offer) -> list[tuple[str, Fraction | None]]:
    chances = dict(offer.chances)
    return [(level.event, chances.get(level.event)) for level in offer.levels]


def _level_text(offer: Offer, level: tuple[str, Fraction | None]) -> str:
    event, chance = level
    odds = "not counted" if chance is None else f"{chance.numerator:,} in {chance.denominator:,}"
    return f"{event!r} of {offer.game} {offer.paytable} ({odds})"


class ProbabilitySource(Protocol):
    """Counts the probability of each level of an offer; a room has one in its services."""

    def add_to(self, offer: Offer, jackpot_type: str) -> Offer:
        """Return the offer with the probability of each level, or refuse."""
        ...


Rate = Annotated[str, Bounds(most=40, pattern=r"[0-9]{1,12}([./][0-9]{1,12})?", text="0.173 or 173/1000")]


@dataclass(frozen=True, slots=True, kw_only=True)
class OfferDraft:
    """A wager on which a jackpot is won, and its pay table: an id, or an id with the operator's amounts."""

    game: Name
    wager: Name
    paytable: Name | Mapping[str, Any]
    readings: Mapping[str, str] = field(default_factory=dict)
    decks: Count | None = None

    @classmethod
    def of(cls, offer: Offer) -> OfferDraft:
        """Return the draft from which an offer is built again."""
        paytable = dict(offer.stated) or offer.paytable
        return cls(
            game=offer.game, wager=offer.wager, paytable=paytable, readings=dict(offer.readings), decks=offer.decks
        )


@dataclass(frozen=True, slots=True, kw_only=True)
class MeterDraft:
    """The terms of a meter."""

    jackpot_type: Literal["progressive", "bonus"]
    wager_cents: Count = 100
    seed_cents: Count
    reseed_cents: Count
    display_rate: Rate = "0"
    reserve_rate: Rate = "0"
    cap_cents: Count | None = None
    batch_wagers_max: Count | None = None

    def terms(self, problems: list[str]) -> MeterTerms:
        """Return the terms; where they are refused, terms that stand in for them, and why in `problems`."""
        fields: dict[str, Any] = {name: getattr(self, name) for name in _METER_NUMBERS}
        try:
            return MeterTerms(**fields | {name: Fraction(getattr(self, name)) for name in _METER_RATES})
        except MeterRefusedError as error:
            problems += map(str, error.problems)
        except ZeroDivisionError:
            problems.append("a rate over 0 is none (J-07)")
        rate = Fraction(1, 10) if self.jackpot_type == "progressive" else Fraction(0)
        numbers: dict[str, Any] = {"seed_cents": 0, "reseed_cents": 0, "cap_cents": None, "batch_wagers_max": None}
        numbers |= {"jackpot_type": self.jackpot_type, "wager_cents": max(self.wager_cents, 1)}
        return MeterTerms(**numbers, display_rate=rate, reserve_rate=Fraction(0))


@dataclass(frozen=True, slots=True, kw_only=True)
class JackpotDraft:
    """A jackpot as people define it; what its pay tables say is read from the games."""

    name: Name
    offers: Annotated[tuple[OfferDraft, ...], Bounds(1, 8)]
    meter: MeterDraft
    tables: Annotated[tuple[LinkedTable, ...], Bounds(most=LISTED_MAX)]
    display: Display
    fixed_prizes: FixedPrizes = "house"
    small_prize_cents: Count = 0
    bonus_sharing: BonusSharing = "full"

    @classmethod
    def of(cls, jackpot: Jackpot) -> JackpotDraft:
        """Return the draft from which a jackpot is built again; the probabilities of linked games are counted anew."""
        fields: dict[str, Any] = {name: getattr(jackpot, name) for name in _PLAIN_FIELDS}
        offers = tuple(map(OfferDraft.of, jackpot.offers))
        return cls(**fields, offers=offers, meter=MeterDraft(**_meter_json(jackpot.meter)), tables=jackpot.tables)

    def build(self, probabilities: ProbabilitySource | None) -> tuple[Jackpot, list[str]]:
        """Build the jackpot with everything that is wrong with its parts; linked games get their chances (J-12).

        An offer that cannot be built is left out.
        """
        problems: list[str] = []
        terms, offers = self.meter.terms(problems), []
        for draft in self.offers:
            try:
                offers.append(
                    offer_of(
                        draft.game,
                        draft.wager,
                        draft.paytable,
                        jackpot_type=self.meter.jackpot_type,
                        wager_cents=self.meter.wager_cents,
                        readings=draft.readings,
                        decks=draft.decks,
                        posted_cents=self.meter.seed_cents,
                    )
                )
            except (UnknownGameError, ValueError, TypeError, KeyError, AttributeError) as error:
                problems.append(str(error))
        if len(offers) == len(self.offers) > 1 and terms.is_progressive:
            offers = [_with_probabilities(offer, probabilities, self.meter.jackpot_type) for offer in offers]
        fields: dict[str, Any] = {name: getattr(self, name) for name in _PLAIN_FIELDS}
        return Jackpot(**fields, offers=tuple(offers), meter=terms, tables=self.tables), problems


def _with_probabilities(offer: Offer, probabilities: ProbabilitySource | None, jackpot_type: str) -> Offer:
    if probabilities is None:
        raise RefusedError([f"nobody counts the chances of {offer.game} {offer.paytable} here (J-12)"])
    return probabilities.add_to(offer, jackpot_type)


PlayStatus: TypeAlias = Literal["closed", "open", "suspended"]
EscrowRule: TypeAlias = Literal["", "commercial", "none"]
"""The rule of G-33 for an escrow: that of before version 0.3, that of commercial rooms, or none in tribal rooms."""
"""Wagers are counted while it is open; a closed jackpot may be changed (T-16), a suspended one may not."""


class PlayReason(StrEnum):
    """Why the play of a jackpot was opened, closed or suspended."""

    BUSINESS = "business"
    ESCROW_SHORTFALL = "escrow-shortfall"
    """The escrow does not cover what is held for the players (J-19)."""
    SEIZURE = "seizure"
    """A tax authority has seized funds (J-18)."""
    EQUIPMENT_MALFUNCTION = "equipment-malfunction"
    COMMISSION_ORDER = "commission-order"


@entry_kind(KindBy("first", {True: "jackpot-defined", False: "jackpot-changed"}))
class JackpotSet(EntryPayload):
    """A jackpot defined for the first time, or changed while it was closed; a second person approves (T-06, T-18)."""

    jackpot: Annotated[Jackpot, WrittenAs("definition")]
    words: str
    approved_by: str
    first: bool


@entry_kind(KindBy("play", {"open": "play-opened", "closed": "play-closed", "suspended": "play-suspended"}))
class PlaySet(EntryPayload):
    """Play of a jackpot opened, closed or suspended, with the reason.

    An opening states by which rule the escrow is judged from then on; openings of before version 0.3 state none.
    """

    name: str
    play: PlayStatus
    reason: PlayReason
    words: str
    approved_by: str = ""
    escrow: Annotated[EscrowRule, OMIT_DEFAULT] = ""


@entry_kind("removal-documented")
class RemovalDocumented(EntryPayload):
    """That the money of a removed progressive has come where its notice said, with the document that shows it."""

    name: str
    reference: str
    words: str
    approved_by: str


@entry_kind("round-seats-named")
class RoundSeatsNamed(EntryPayload):
    """The seats of one round of which only totals were entered, by wager and jackpot: two people name them (G-35)."""

    round: int
    wagers: Mapping[str, tuple[int, ...]]
    jackpots: Mapping[str, tuple[int, ...]]
    words: str
    by: str
    approved_by: str
