"""What seen cards are worth: the main wager of a player who sees cards they should not, beside the same without."""

from dataclasses import dataclass
from fractions import Fraction
from importlib import import_module
from typing import Any

from pitboss.odds.context import NumbaContext
from pitboss.odds.decimals import ratio_text
from pitboss.odds.pricing import Priced, UnitPays, best_decisions, price, unit_pays
from pitboss.odds.results import OddsResult, make_result, result_from_json
from pitboss.odds.solving import counts_of
from pitboss.odds.store import OddsStore
from pitboss.rules import Game, Terms
from pitboss.rules.counting import Counts, SeenPlay

_OURS = "pitboss."
# Of each kind only the counts made last are kept: they are large.
_COUNTED: dict[tuple[Game, str], tuple[NumbaContext, Counts]] = {}


@dataclass(frozen=True, slots=True)
class DecisionChange:
    """How often, of all deals, a decision is taken that would not be taken without the cards seen."""

    without: str
    seeing: str
    share: Fraction


@dataclass(frozen=True, slots=True, kw_only=True)
class SeenValue:
    """What cards of one kind are worth to a player who plays on as well as can be: per unit of the base wager."""

    kind: str
    words: str
    without: OddsResult
    seeing: OddsResult
    changes: tuple[DecisionChange, ...]

    @property
    def gain(self) -> Fraction:
        """What the player expects more, per unit of the base wager."""
        return self.seeing.ev - self.without.ev

    @property
    def decision_changes(self) -> Fraction:
        """In what share of the deals the cards seen change the decision."""
        return sum((change.share for change in self.changes), Fraction(0))

    def as_json(self) -> dict[str, Any]:
        """Return the value as `pitboss seen --json` prints it: exact numbers as "numerator/denominator"."""
        return {
            "game": self.without.game,
            "wager": self.without.wager,
            "kind": self.kind,
            "words": self.words,
            "gain": ratio_text(self.gain),
            "decision_changes": ratio_text(self.decision_changes),
            "changes": [
                {"without": change.without, "seeing": change.seeing, "share": ratio_text(change.share)}
                for change in self.changes
            ],
            "without": self.without.as_json(),
            "seeing": self.seeing.as_json(),
        }


def value_from_json(content: dict[str, Any]) -> SeenValue:
    """Read a value back that `as_json` wrote."""
    return SeenValue(
        kind=content["kind"],
        words=content["words"],
        without=result_from_json(content["without"]),
        seeing=result_from_json(content["seeing"]),
        changes=tuple(
            DecisionChange(change["without"], change["seeing"], Fraction(change["share"]))
            for change in content["changes"]
        ),
    )


def kinds_of(game: Game) -> dict[str, str]:
    """Name the kinds of seen cards that a game's counts know, each with its words."""
    return {} if game.seen is None else dict(import_module(game.seen).KINDS)


def seen_counts(game: Game, terms: Terms, kind: str, *, ranks: int = 13) -> Counts:
    """Count the main wager with cards seen: the nodes of the plain counts, and under each what else is seen there."""
    kinds = kinds_of(game)
    if kind not in kinds:
        raise ValueError(f"{game.title} has no seen cards {kind!r}; it has: {', '.join(kinds) or 'none'}")
    if kind in getattr(import_module(game.seen or ""), "PLAYED", ()):
        raise ValueError(f"{kind} has too many nodes and is not kept as counts: `seen_play` plays it")
    readings = game.reading_codes(terms) if game.main.switches else ()
    context = NumbaContext(ranks=ranks, decks=terms.deck.decks, readings=readings)
    counted = _COUNTED.get((game, kind))
    if counted is None or counted[0] != context:
        counts: Counts = import_module(game.seen or "").count(kind, game.main.name, context)
        counted = _COUNTED[game, kind] = context, counts
    return counted[1]


def seen_value(game: Game, terms: Terms, kind: str, *, ranks: int = 13, store: OddsStore | None = None) -> SeenValue:
    """Return what cards of one kind are worth in the main wager under these terms, from the store if there is one."""
    if store is None or game.seen is None or not game.seen.startswith(_OURS):
        return _valued(game, terms, kind, ranks)
    key = f"seen {game.name} {kind} {ranks} {terms.canonical}"
    return value_from_json(store.cached(key, lambda: _valued(game, terms, kind, ranks).as_json()))


def seen_play(game: Game, terms: Terms, kind: str, pays: UnitPays, *, ranks: int = 13) -> SeenPlay | None:
    """Play a kind of seen cards that is too large to be kept as counts; nothing where it is counted."""
    module = import_module(game.seen or "")
    if kind not in getattr(module, "PLAYED", ()):
        return None
    context = NumbaContext(ranks=ranks, decks=terms.deck.decks)
    played: SeenPlay = module.play(kind, context, [int(net * pays.scale) for net in pays.net])
    return played


def _played(game: Game, terms: Terms, kind: str, pays: UnitPays, played: SeenPlay, ranks: int) -> SeenValue:
    plain = counts_of(game, game.main, terms, ranks=ranks)
    decks = terms.deck.decks if game.decks_allowed else None

    def result(histogram: dict[int, int], decided: tuple[dict[str, int], ...]) -> OddsResult:
        priced = Priced(played.total, histogram, decided)
        return make_result(game.main, terms, pays, priced, basis=kind, method=played.method, decks=decks)

    without = _result(game, terms, pays, plain, best_decisions(plain, pays))
    if played.without is not None:
        without = result(played.without, played.decided_without)
    return SeenValue(
        kind=kind,
        words=kinds_of(game)[kind],
        without=without,
        seeing=result(played.seeing, played.decided),
        changes=tuple(
            DecisionChange(*names, Fraction(deals, played.total)) for names, deals in played.changes.items() if deals
        ),
    )


def _valued(game: Game, terms: Terms, kind: str, ranks: int) -> SeenValue:
    main = game.main
    pays = unit_pays(main, terms)
    played = seen_play(game, terms, kind, pays, ranks=ranks) if kind in kinds_of(game) else None
    if played is not None:
        return _played(game, terms, kind, pays, played, ranks)
    seeing, without = seen_counts(game, terms, kind, ranks=ranks), counts_of(game, main, terms, ranks=ranks)
    plain, best = best_decisions(without, pays), best_decisions(seeing, pays)
    return SeenValue(
        kind=kind,
        words=kinds_of(game)[kind],
        without=_result(game, terms, pays, without, plain),
        seeing=_result(game, terms, pays, seeing, best),
        changes=_changes(seeing, plain[0], best[1]),
    )


def _result(game: Game, terms: Terms, pays: UnitPays, counts: Counts, choices: list[Any]) -> OddsResult:
    priced = price(counts, pays, choices)
    decks = terms.deck.decks if game.decks_allowed else None
    return make_result(game.main, terms, pays, priced, basis=counts.basis, method=counts.method, decks=decks)


def _changes(counts: Counts, plain: Any, best: Any) -> tuple[DecisionChange, ...]:
    """Find the deals in which the first decision is another one with the cards seen."""
    before, seeing = counts.levels[:2]
    deals = before.weights[seeing.parents] * seeing.weights * seeing.counts[:, 0].sum(axis=1)
    assert int(deals.sum()) == counts.total
    usual = plain[seeing.parents]
    changes = []
    for other in range(len(seeing.decisions)):
        for decision in range(len(seeing.decisions)):
            changed = int(deals[(usual == other) & (best == decision)].sum()) if other != decision else 0
            if changed:
                names = seeing.decisions[other], seeing.decisions[decision]
                changes.append(DecisionChange(*names, Fraction(changed, counts.total)))
    return tuple(changes)
