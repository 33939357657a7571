"""Jobs of the odds room: what-if, the value of a hand's decisions, strategy, design, vulnerability, PAR sheets.

The process that runs them holds the counts it has made: a table whose pays were changed is priced again in no time.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

from pitboss import odds
from pitboss.books import RefusedError
from pitboss.cards import CardError, parse_cards
from pitboss.games import find_game
from pitboss.server.worker.jobs import GUESTS, ODDS, SlowJob, as_base64

_DOTS_MAX, _EXACT_MAX = 60, 600


@dataclass(frozen=True, slots=True, kw_only=True)
class TablesJob(SlowJob):
    """A figure of a wager under tables as somebody wants them."""

    game: str
    wager: str
    tables: list[Any]
    readings: dict[str, str] = field(default_factory=dict)
    decks: int | None = None

    @property
    def lane(self) -> str:
        """One of its own: anybody asks for it."""
        return GUESTS

    def terms(self) -> Any:
        """Return the terms, and the rows without an amount; all that is wrong in one refusal."""
        try:
            return odds.stated_terms(
                find_game(self.game), {self.wager: list(self.tables)}, readings=self.readings, decks=self.decks
            )
        except ValueError as error:
            raise RefusedError(str(error).split("; ")) from None


class WhatIfJob(TablesJob):
    """The exact odds of a wager, play solved again."""

    __slots__ = ()

    @property
    def lane(self) -> str:
        """One of its own: somebody types, and waits."""
        return ODDS

    def run(self) -> dict[str, Any]:
        """Price the wager; counts are stored and held, results of tables that nobody printed are not."""
        # Pricing brings numba, which only the worker's own process loads.
        from pitboss.odds.solving import solve_fresh, solve_terms  # noqa: PLC0415

        game, store = find_game(self.game), odds.default_store()
        terms, open_events = self.terms()
        solve = solve_terms if all(isinstance(table, str) for table in self.tables) else solve_fresh
        return solve(game, game.by_name[self.wager], terms, store=store, open_events=open_events).as_json()


class StrategyJob(TablesJob):
    """A few lines to play by under these tables, with their cost."""

    __slots__ = ()

    def run(self) -> dict[str, Any]:
        """Search for the lines."""
        game = find_game(self.game)
        try:
            trade = odds.strategies(game, self.terms()[0], wager=game.by_name[self.wager], store=odds.default_store())
        except ValueError as error:
            raise RefusedError([str(error)]) from None
        strategy = trade.recommended
        return {
            "cost": str(strategy.cost),
            "decisions": [
                {
                    "words": lines.question,
                    "lines": [[line.words, line.decision, str(line.share)] for line in lines.lines],
                }
                for lines in strategy.decisions
            ],
        }


@dataclass(frozen=True, slots=True, kw_only=True)
class HandJob(WhatIfJob):
    """What every decision is worth with one hand."""

    player: str
    public: str = ""

    def run(self) -> dict[str, Any]:
        """Weigh the decisions."""
        game = find_game(self.game)
        try:
            cards = [parse_cards(text) for text in (self.player, self.public)]
            weighed = odds.best(
                game, self.terms()[0], *map(tuple, cards), wager=game.by_name[self.wager], store=odds.default_store()
            )
        except (CardError, ValueError) as error:
            raise RefusedError(str(error).split("; ")) from None
        return {"decisions": [[choice.decision, str(choice.ev), choice.best] for choice in weighed]}


@dataclass(frozen=True, slots=True, kw_only=True)
class WhatIfSheetJob(TablesJob):
    """The PAR sheet of a wager under these tables."""

    meters: list[int] = field(default_factory=list)

    def run(self) -> dict[str, Any]:
        """Compute the sheet and print it."""
        from pitboss.paper.par import par_pdf  # noqa: PLC0415

        meters = {self.wager: list(self.meters)} if self.meters else {}
        sheet = odds.make_sheet(
            find_game(self.game), self.terms()[0], wagers=[self.wager], meters=meters, store=odds.default_store()
        )
        return {"pdf": as_base64(par_pdf(sheet)), "digest": sheet.digest}


@dataclass(frozen=True, slots=True, kw_only=True)
class DesignJob(TablesJob):
    """Tables like one, searched by wishes."""

    edge: list[str]
    hit: str | None = None
    top: int | None = None
    slot: str | None = None
    re_solve: bool = False

    def run(self) -> dict[str, Any]:
        """Search."""
        from pitboss.odds.designing import Wish, design  # noqa: PLC0415

        game = find_game(self.game)
        try:
            hit = None if self.hit is None else float(self.hit)
            wish = Wish.of([float(bound) for bound in self.edge], hit=hit, top=self.top)
            terms, _ = self.terms()
            how: dict[str, Any] = {"slot": self.slot, "re_solve": self.re_solve, "store": odds.default_store()}
            # Anybody asks for it: a line of thousands of tables would keep a processor busy for minutes.
            how["most"] = _EXACT_MAX
            search = design(game, game.by_name[self.wager], terms, wish, **how)
        except ValueError as error:
            raise RefusedError([str(error)]) from None
        return search.as_json(_DOTS_MAX)


@dataclass(frozen=True, slots=True, kw_only=True)
class VulnerabilityJob(SlowJob):
    """Where a game can be hurt, by part."""

    game: str
    part: str

    def run(self) -> dict[str, Any]:
        """Find what hurts; it is cached on disk, for the same code finds the same."""
        from pitboss.simulate.vulnerability import usual_terms, vulnerability  # noqa: PLC0415

        game, store = find_game(self.game), odds.default_store()
        terms = usual_terms(game)
        key = f"vulnerability {self.game} {self.part} {terms.canonical}"
        return store.cached(key, lambda: vulnerability(game, terms, parts=(self.part,), store=store).as_json())
