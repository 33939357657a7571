"""What is simulated: a game under terms, what every seat stakes, and how it plays; plain values that travel."""

from collections.abc import Mapping
from dataclasses import dataclass

from pitboss.games import find_game
from pitboss.rules import Game, Problem, Terms
from pitboss.table.checks import check_cut_card

# Rounds come in blocks of this size; it is part of the interface, as a key and a block number name the very rounds.
BLOCK_ROUNDS = 65_536

OPTIMAL, SIMPLE, NEVER_FOLD = "optimal", "simple", "never-fold"


@dataclass(frozen=True, slots=True, kw_only=True)
class Setup:
    """A table as it is simulated; `stakes` holds the cents of each wager, in the game's order, for every seat.

    `strategy` is one of the names, or the text of a strategy file. With a `cut_card` a shoe is dealt on until so many
    cards have left it; without one each round is freshly shuffled.
    """

    game: str
    terms: Terms
    stakes: tuple[tuple[int, ...], ...]
    strategy: str = OPTIMAL
    cut_card: int | None = None

    @property
    def seats(self) -> int:
        """How many seats play."""
        return len(self.stakes)

    def staked_on(self, wager: str) -> tuple[int, ...]:
        """The cents that each seat stakes on a wager."""
        place = list(find_game(self.game).by_name).index(wager)
        return tuple(seat[place] for seat in self.stakes)


def make_setup(
    game: Game,
    terms: Terms,
    stakes: Mapping[str, int],
    *,
    seats: int = 1,
    strategy: str = OPTIMAL,
    cut_card: int | None = None,
) -> Setup:
    """Make a setup in which every seat stakes the same; all that is wrong comes in one ValueError."""
    problems = _problems(game, terms, stakes, seats)
    if cut_card is not None:
        problems += check_cut_card(game, cut_card, terms.deck.size - game.round_cards_max(seats) + 1)
    if problems:
        raise ValueError("; ".join(map(str, problems)))
    one = tuple(stakes.get(name, 0) for name in game.by_name)
    return Setup(game=game.name, terms=terms, stakes=(one,) * seats, strategy=strategy, cut_card=cut_card)


def _problems(game: Game, terms: Terms, stakes: Mapping[str, int], seats: int) -> list[Problem]:
    problems = []
    if not 1 <= seats <= game.seats_max:
        problems.append(Problem("seats", f"{seats} must be from 1 to {game.seats_max}", "Rules of play", "G-16"))
    for name, cents in stakes.items():
        wager = game.by_name.get(name)
        if wager is None:
            names = ", ".join(game.by_name)
            problems.append(
                Problem(f"stakes.{name}", f"{game.title} has no such wager; it has: {names}", "Rules of play")
            )
        elif cents < 1:
            problems.append(Problem(f"stakes.{name}", f"{cents} cents must be at least 1", "Rules of play"))
        elif missing := [slot.name for slot in wager.slots if slot.name not in terms.tables]:
            problems.append(Problem(f"stakes.{name}", f"no pay table for {', '.join(missing)}", "Rules of play"))
        elif wager.jackpot and cents != (fixed := terms.jackpot_wager_cents.get(name, 100)):
            words = f"a jackpot has one amount, {fixed} cents, not {cents}"
            problems.append(Problem(f"stakes.{name}", words, "Rules of play"))
    if game.base is not None and game.base.name not in stakes:
        problems.append(Problem("stakes", f"every seat must place {game.base.title}", game.base.clause.id))
    if not stakes:
        problems.append(Problem("stakes", "nothing is staked", "Rules of play"))
    return problems
