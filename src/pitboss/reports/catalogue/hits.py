"""Hits: each with its explanation, those of a period against what was to be expected, and the last 25."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator
from fractions import Fraction

from pitboss.books import Entry, Movement, Payload, read_payload
from pitboss.games import find_game
from pitboss.jackpot import HITS, JACKPOTS, Jackpot, JackpotSet
from pitboss.jackpot.hits.history import Story
from pitboss.jackpot.hits.state import HIT_KINDS
from pitboss.jackpot.hits.values import Won
from pitboss.jackpot.state import seat_counts
from pitboss.meters import units_of
from pitboss.reports.catalogue.hit_history import HitCollector, followed, stands
from pitboss.reports.collector import Collector
from pitboss.reports.journal import entries_of_kinds, state_at
from pitboss.reports.report import Cell, Column, Kind, Report, Row, column, totalled
from pitboss.reports.scope import Scope
from pitboss.rules import dollars
from pitboss.rules.pays import Dollars, Loss

_LAST = 25
_WINDOW = 200_000
_HIT_COLUMNS: tuple[Column, ...] = (
    column("hit", "Hit", Kind.COUNT),
    column("called", "Called", Kind.INSTANT),
    column("jackpot", "Jackpot"),
    column("table", "Table"),
    column("round", "Round", Kind.COUNT),
    column("seat", "Seat", Kind.COUNT),
    column("row", "Hand"),
    column("meter", "Meter", Kind.MONEY),
    column("prize", "Prize", Kind.MONEY),
    column("state", "State"),
)


def _hit_cells(story: Story, won: Won, called: int) -> tuple[Cell, ...]:
    hit = story.hit
    return (
        hit.number,
        called,
        hit.jackpot,
        hit.table,
        hit.round,
        won.seat,
        won.row,
        units_of(hit.meter_cents),
        units_of(won.cents),
        hit.state.value,
    )


def explained(story: Story, won: Won) -> str:
    """Say in one text how a prize came about: the pay table, clauses and rulings, or why the call was rejected."""
    said = story.called.details
    told = [f"{said['wager']} by {said['paytable']}"]
    if story.hit.late:
        told.append("called after the next press")
    if story.verified is not None and won.seat in story.verified.because:
        cards = story.verified.cards.get(str(won.seat))
        told += [] if cards is None else [cards]
        for clause, ruling, words in story.verified.because[won.seat]:
            told.append(f"{words} ({'; '.join(part for part in (clause, ruling) if part)})")
    told += [f"{each.step}ed: {each.words}" for each in story.hit.done if each.step in ("reject", "correct")]
    return "; ".join(told)


class HitList(HitCollector):
    """The hits called in a period, each explained, and small prizes in sum (J-09, T-14)."""

    name = "hits"
    title = "Jackpot hits"
    says = "Every hit called in the period, with the cards, clauses and rulings that its prize rests on."

    def report(self) -> Report:
        """Set the prizes under one another."""
        columns = (*_HIT_COLUMNS, column("because", "Because", Kind.DETAIL))
        rows = [
            Row((*_hit_cells(story, won, story.hit.done[0].happened), explained(story, won)))
            for story in self.called
            for won in story.hit.won
        ]
        kept = [row for row in rows if row.cells[9] != "rejected"]
        skip = ("hit", "round", "seat", "meter_units")
        totals = totalled(kept, columns, "not rejected", skip=skip)
        notes = [*self._small_notes(), *self.notes]
        return self.scope.report(self.name, self.title, self.says, columns, rows, totals=totals, notes=notes)

    def _small_notes(self) -> Iterator[str]:
        by_jackpot: dict[str, list[int]] = {}
        for small in self.small:
            by_jackpot.setdefault(small.jackpot, []).append(small.won.cents)
        for jackpot, cents in sorted(by_jackpot.items()):
            told = f"{len(cents):,} small and Envy prizes were paid from the tray"
            yield f"{jackpot}: {told}, {dollars(sum(cents))} in all."


class Chances(HitCollector):
    """How often each level was hit, against wagers times its exact probability (F-11, T-07)."""

    name = "chances"
    title = "Hits expected and actual"
    says = "Wagers counted times the exact probability of each hand, against the calls that stand."
    kinds = HIT_KINDS | {"wagers-counted", "count-corrected", "jackpot-defined", "jackpot-changed"}

    def __init__(self, scope: Scope) -> None:
        super().__init__(scope)
        opening = scope.opening.of(JACKPOTS).jackpots
        self.defined: dict[str, Jackpot] = {name: each.jackpot for name, each in opening.items()}
        self.wagers: Counter[tuple[str, str]] = Counter()
        self.expected: dict[tuple[str, str, str], Fraction] = {}
        self.rows: dict[tuple[str, str, str], Fraction | None] = {}
        for name in self.defined:
            self._know(name)

    def _know(self, name: str) -> None:
        for offer in self.defined[name].offers:
            chances = dict(offer.chances)
            for prize in offer.prizes:
                if isinstance(prize.pay, Loss) or prize.pay == Dollars(0):
                    continue
                self.rows[name, offer.game, prize.event] = chances.get(prize.event)

    def take(self, entry: Entry, value: Payload) -> None:
        """Follow hits, definitions and counts."""
        if isinstance(value, JackpotSet):
            self.defined[value.jackpot.name] = value.jackpot
            self._know(value.jackpot.name)
        elif entry.kind in ("wagers-counted", "count-corrected"):
            assert isinstance(value, Movement)
            self._count(entry, value)
        else:
            super().take(entry, value)

    def _count(self, entry: Entry, movement: Movement) -> None:
        jackpot = self.defined.get(movement.jackpot)
        if jackpot is None or not self.scope.wants(movement.jackpot, entry.table) or not jackpot.linked(entry.table):
            return
        wagers = sum(seat_counts(movement).values()) * (1 if movement.kind == "wagers-counted" else -1)
        offer = jackpot.offer_at(entry.table)
        self.wagers[jackpot.name, offer.game] += wagers
        for event, chance in offer.chances:
            key = (jackpot.name, offer.game, event)
            self.expected[key] = self.expected.get(key, Fraction(0)) + wagers * chance

    def _actual(self) -> Counter[tuple[str, str, str]]:
        found: Counter[tuple[str, str, str]] = Counter()
        for story in self.called:
            if stands(story.hit):
                game = story.called.details["game"]
                found.update((story.hit.jackpot, game, won.row) for won in story.hit.won)
        for small in self.small:
            linked = self.defined[small.jackpot].linked(small.entry.table)
            if not small.envy and linked is not None:
                found[small.jackpot, linked.game, small.won.row] += 1
        return found

    def report(self) -> Report:
        """Set every row of every pay table in force under one another."""
        columns = (
            column("jackpot", "Jackpot"),
            column("game", "Game"),
            column("row", "Hand"),
            column("wagers", "Wagers", Kind.COUNT),
            column("one_in", "One in", Kind.RATIO),
            column("expected", "Expected", Kind.RATIO),
            column("actual", "Actual", Kind.COUNT),
        )
        actual = self._actual()
        rows = []
        for (name, game, event), chance in self.rows.items():
            if self.scope.wants(name) and (self.wagers[name, game] or actual[name, game, event]):
                key = (name, game, event)
                expected = self.expected.get(key, Fraction(0)) if chance is not None else None
                one_in = 1 / chance if chance else None
                cells = (name, find_game(game).title, event, self.wagers[name, game], one_in, expected, actual[key])
                rows.append(Row(cells))
        notes = [*self.notes]
        if any(row.cells[4] is None for row in rows):
            notes.append(
                "Probabilities stand where the jackpot's definition holds them: rows that pay a share of the meter."
            )
        return self.scope.report(self.name, self.title, self.says, columns, rows, notes=notes, group=2)


class LastHits(Collector):
    """The last 25 hits of each jackpot, however long ago (T-03)."""

    name = "last-hits"
    title = "The last 25 hits"
    says = "The last 25 calls of each jackpot up to the end of the period, the newest first."

    def report(self) -> Report:
        """Look back from the end of the period until there are enough."""
        names = [record.jackpot.name for record in self.scope.records()]
        calls = self._calls(names)
        rows = []
        for story in reversed(self._stories({number for found in calls.values() for number in found})):
            rows += [Row(_hit_cells(story, won, story.hit.done[0].happened)) for won in story.hit.won]
        rows.sort(key=lambda row: names.index(str(row.cells[2])))
        return self.scope.report(self.name, self.title, self.says, _HIT_COLUMNS, rows)

    def _calls(self, names: Iterable[str]) -> dict[str, list[int]]:
        """Numbers of the last hits by jackpot, found from the end back, a stretch of the journal at a time."""
        found: dict[str, list[int]] = {name: [] for name in names}
        upto = self.scope.closing.sequence
        while upto > 0 and any(len(numbers) < _LAST for numbers in found.values()):
            after = max(0, upto - _WINDOW)
            entries = list(entries_of_kinds(self.scope.store, self.scope.book, ["prize-called"], after, upto))
            for entry in reversed(entries):
                value = read_payload(entry.kind, entry.payload)
                assert isinstance(value, Movement)
                mine = found.get(value.jackpot)
                if mine is not None and len(mine) < _LAST and value.details.get("step") == "call":
                    mine.append(entry.sequence)
            upto = after
        return found

    def _stories(self, numbers: set[int]) -> list[Story]:
        if not numbers:
            return []
        scope, first = self.scope, min(numbers)
        before = state_at(scope.store, scope.book, first - 1, (JACKPOTS, HITS)).state
        history = followed(scope.store, scope.book, before.of(HITS))
        upto = scope.closing.sequence
        for entry in entries_of_kinds(scope.store, scope.book, HIT_KINDS, first - 1, upto):
            history.take(entry)
        wanted = self.scope.asked.table
        return [
            story
            for number, story in sorted(history.stories.items())
            if number in numbers and wanted in (None, story.hit.table)
        ]
