"""A game: one value that drives the table, the settlement, the odds and the paperwork alike; and its data files."""

import datetime
import re
import tomllib
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from functools import cached_property
from importlib.resources import files
from importlib.resources.abc import Traversable
from typing import Any, Literal

from pitboss.cards import Card, Deck
from pitboss.law import Citation, Clauses, load_clauses
from pitboss.rules.conduct import (
    Audience,
    Conduct,
    HowToStep,
    LayoutLine,
    load_conduct,
    load_layout_lines,
    load_steps,
)
from pitboss.rules.paytables import PayTable, load_paytables
from pitboss.rules.reasons import Problem
from pitboss.rules.stages import CardPlace, Decisions, Question, Seat, Stage, StageKind
from pitboss.rules.terms import BonusSharing, Terms
from pitboss.rules.wagers import Slot, Wager


@dataclass(frozen=True, slots=True, kw_only=True)
class ApprovalLetter:
    """One letter of the commission: its date, what it is about, and whether we hold the rules it mentions (G-15).

    `equipment` was not approved before it, and `jackpots_max` is how many jackpots one layout may carry from it on.
    """

    date: datetime.date
    about: str
    document: str
    rules_held: bool
    equipment: tuple[str, ...] = ()
    jackpots_max: int | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class PromotionTerms:
    """What a document says of gambling promotions: its place, the wagers they are added to, and consent."""

    clause: str
    wagers: Literal["any", "bonus"]
    consent: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class Approval:
    """What is approved, and how much of it must be confirmed because the papers are not in our hands (G-15)."""

    letters: tuple[ApprovalLetter, ...]
    equipment: tuple[str, ...]
    equipment_to_confirm: tuple[str, ...]
    jackpots_max: int
    jackpots_to_confirm: bool
    jackpot_amount_fixed: bool
    fixed_prizes_from_meter_allowed: bool
    promotions: PromotionTerms | None = None
    equipment_required: bool = False
    """True if the rules say that the game uses the equipment, where others say that it may (E-08, E-09)."""
    bare_displays: str = ""
    """The clause by which displays of the meter have no intelligence of their own, where there is one (E-08)."""
    equipment_or_higher: str = ""
    """The model of which the rules say "or higher": what is newer is a model of the room's own (G-13, G-15)."""
    shuffler_or_shoe: str = ""
    """The clause by which the cards come from an automatic shuffler or a shoe, where the rules have one."""
    aggregate_limits: str = ""
    """The place in the rules that speaks of aggregate payout limitations, where one does (G-65)."""

    @property
    def since(self) -> datetime.date:
        """The day of the first letter."""
        return min(letter.date for letter in self.letters)

    def equipment_since(self, model: str) -> datetime.date | None:
        """Return the day from which a model is approved, or nothing where no letter approves it (G-13, G-26)."""
        if self.is_own_model(model):
            model = self.equipment_or_higher
        elif model not in self.equipment:
            return None
        return next((letter.date for letter in self.letters if model in letter.equipment), self.since)

    def is_own_model(self, model: str) -> bool:
        """Return whether a model is newer than the one of which the rules say "or higher", in none of our papers."""
        lowest = _generation(self.equipment_or_higher)
        generation = _generation(model)
        newer = lowest is not None and generation is not None and generation > lowest
        return newer and model not in self.equipment

    def jackpots_max_on(self, day: datetime.date | None) -> int:
        """Return how many jackpots one layout may carry on a day: one before the letter that allows more (G-26)."""
        dated = [letter for letter in self.letters if letter.jackpots_max is not None]
        if not dated or day is None:
            return self.jackpots_max
        return max((letter.jackpots_max or 0 for letter in dated if letter.date <= day), default=1)


_ANDROMEDA = re.compile(r"andromeda-([0-9]{1,3})([a-z]?)")


def _generation(model: str) -> tuple[int, str] | None:
    """Return the stage and the letter of an Andromeda, by which one is higher than another."""
    match = _ANDROMEDA.fullmatch(model)
    return None if match is None else (int(match[1]), match[2])


def load_approval(file: Traversable) -> Approval:
    """Load an approval file."""
    content = tomllib.loads(file.read_text(encoding="utf-8"))
    letters = tuple(
        ApprovalLetter(**letter | {"equipment": tuple(letter.get("equipment", ()))})
        for letter in content.pop("letters")
    )
    equipment, to_confirm = tuple(content.pop("equipment")), tuple(content.pop("equipment_to_confirm"))
    stated = content.pop("promotions", None)
    promotions = None if stated is None else PromotionTerms(**stated)
    return Approval(
        letters=letters, equipment=equipment, equipment_to_confirm=to_confirm, promotions=promotions, **content
    )


class GameFolder:
    """A game's `clauses.toml`, `paytables.toml`, `approval.toml`, `conduct.toml`, `steps.toml`, `words.md`, loaded."""

    def __init__(self, package: str | None) -> None:
        folder = files(package or "")
        self.clauses = load_clauses(folder / "clauses.toml")
        self.paytables = load_paytables(folder / "paytables.toml", self.clauses)
        self.approval = load_approval(folder / "approval.toml")
        self.conduct = load_conduct(folder / "conduct.toml", self.clauses)
        self.how_to_play = load_steps(folder / "steps.toml", self.clauses)
        self.layout_lines = load_layout_lines(folder / "steps.toml")
        self.words = (folder / "words.md").read_text(encoding="utf-8")
        self._package = package

    def fields(self, **modules: str) -> dict[str, Any]:
        """Return the fields of `Game` that come from the folder: its files, and these modules in it by their names."""
        names = {field: f"{self._package}.{module}" for field, module in modules.items()}
        return {
            "clauses": self.clauses,
            "paytables": self.paytables,
            "approval": self.approval,
            "conduct": self.conduct,
            "how_to_play": self.how_to_play,
            "layout_lines": self.layout_lines,
            "words": self.words,
            **names,
        }

    def table_ids(self, *prefixes: str) -> tuple[str, ...]:
        """Return the ids of the pay tables that begin with one of these prefixes."""
        return tuple(table_id for table_id in self.paytables if table_id.startswith(prefixes))


@dataclass(frozen=True, slots=True)
class Board:
    """The cards that belong to no seat: their name in a round record, how many at most, and which ruling says so."""

    name: str
    cards: int
    ruling: str = "G-11"


@dataclass(frozen=True, slots=True)
class CutCard:
    """By what a game may be dealt on from one shoe until a cut card comes out."""

    clause: Citation
    ruling: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Switch:
    """A clause with several defensible readings: the first is the default, each with its words."""

    name: str
    readings: Mapping[str, str]
    clause: Citation
    ruling: str

    @property
    def title(self) -> str:
        """What the switch is called where people read it."""
        words = self.name.replace("_", " ").capitalize()
        return re.sub(r"(?<=[a-z])(?=\d)", "-", words)

    @property
    def default(self) -> str:
        """The reading that holds where a configuration says nothing."""
        return next(iter(self.readings))


def no_problems(_terms: Terms) -> tuple[Problem, ...]:
    """Find nothing wrong."""
    return ()


def nothing_to_state(_terms: Terms, _readings: Mapping[str, Any]) -> tuple[Problem, ...]:
    """Require nothing that a configuration would have to state outright."""
    return ()


@dataclass(frozen=True, kw_only=True, eq=False)
class Game:
    """One game, complete.

    `decisions` names all there are, `falls_away` those that a fold makes pointless, `card_decisions` those answered
    with cards; `question` asks a seat for its next one; `choices` turns decisions into the integers that facts read.
    `check` finds what is wrong with terms; `check_opening` what a table must state before it opens, given the readings
    stated outright. `layout_seats` is what the layout allows where it says (G-17); `decks_allowed` lists shoe sizes
    where there is a choice; `cut_card` is there where a shoe may be dealt on until one comes out; `describe` says the
    hands of a seat in words. `loops`, `strategy` and `seen` name the modules of its counters, of what a person looks at
    to decide, and of counts with cards seen that should not be, for `odds`; `rounds` that of its compiled rounds, for
    `simulate`.
    """

    name: str
    title: str
    code: str
    deck: Deck
    decks_allowed: tuple[int, ...] = ()
    cut_card: CutCard | None = None
    layout_seats: int | None = None
    board: Board
    wagers: tuple[Wager, ...]
    stages: tuple[Stage, ...]
    decisions: tuple[str, ...]
    falls_away: frozenset[str] = frozenset()
    card_decisions: frozenset[str] = frozenset()
    question: Callable[[Seat, Mapping[str, str]], Question | None]
    choices: Callable[[Decisions, tuple[Card, ...]], tuple[int, ...]]
    tables: Callable[[], Any]
    paytables: Mapping[str, PayTable]
    clauses: Clauses
    approval: Approval
    switches: tuple[Switch, ...] = ()
    check: Callable[[Terms], tuple[Problem, ...]] = no_problems
    check_opening: Callable[[Terms, Mapping[str, Any]], tuple[Problem, ...]] = nothing_to_state
    bonus_sharing: BonusSharing = "full"
    describe: Callable[[Seat, tuple[Card, ...]], tuple[str, ...]]
    words: str
    conduct: tuple[Conduct, ...] = ()
    how_to_play: tuple[HowToStep, ...] = ()
    hand_order: tuple[str, ...] = ()
    """The categories of the ranking by which hands are compared, the highest first; none where none are."""
    hand_order_source: str = ""
    """The clause with that order, or the ruling where the document has none."""
    equal_hands_source: str = ""
    """The clause by which a hand that equals the dealer's wins for the player; none where hands are not compared."""
    layout_lines: tuple[LayoutLine, ...] = ()
    loops: str | None = None
    strategy: str | None = None
    seen: str | None = None
    rounds: str | None = None
    by_name: Mapping[str, Wager] = field(init=False)
    base: Wager | None = field(init=False)

    def __post_init__(self) -> None:
        object.__setattr__(self, "by_name", {wager.name: wager for wager in self.wagers})
        object.__setattr__(self, "base", next((wager for wager in self.wagers if wager.base), None))

    def __repr__(self) -> str:
        return f"<Game {self.name}>"

    @property
    def main(self) -> Wager:
        """The main wager: the one with several chips, required where it is the base wager."""
        return self.base or next(wager for wager in self.wagers if len(wager.parts) > 1)

    @cached_property
    def jackpots(self) -> tuple[Wager, ...]:
        """The jackpot wagers."""
        return tuple(wager for wager in self.wagers if wager.jackpot)

    @cached_property
    def _dealt(self) -> dict[CardPlace, int]:
        return {
            who: sum(len(stage.faces) for stage in self.stages if stage.kind is StageKind.DEAL and stage.who is who)
            for who in CardPlace
        }

    def round_cards_max(self, seats: int) -> int:
        """Return the most cards that a round of so many seats takes."""
        dealt = self._dealt
        return seats * dealt[CardPlace.SEATS] + dealt[CardPlace.BOARD] + dealt[CardPlace.DISCARD]

    @cached_property
    def seats_max(self) -> int:
        """The most seats the layout and the deck allow (G-16)."""
        dealt = self._dealt
        by_deck = (self.deck.size - dealt[CardPlace.BOARD] - dealt[CardPlace.DISCARD]) // dealt[CardPlace.SEATS]
        return by_deck if self.layout_seats is None else min(by_deck, self.layout_seats)

    def conduct_of(self, audience: Audience) -> tuple[Conduct, ...]:
        """Return the rules of conduct for players, for the dealer, or of the layout."""
        return tuple(rule for rule in self.conduct if rule.audience == audience)

    def deck_of(self, decks: int | None) -> Deck:
        """Return the deck or shoe the game is played with."""
        return Deck(decks=decks, joker=self.deck.joker) if decks is not None else self.deck

    def reading_codes(self, terms: Terms) -> tuple[int, ...]:
        """Return the readings as the small integers that facts read, in the order of the switches."""
        return tuple(list(switch.readings).index(terms.readings[switch.name]) for switch in self.switches)

    def slots(self) -> tuple[tuple[Wager, Slot], ...]:
        """Every pay table slot with its wager."""
        return tuple((wager, slot) for wager in self.wagers for slot in wager.slots)
