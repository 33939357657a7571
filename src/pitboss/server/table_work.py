"""What the worker is asked while a configuration is edited: the odds of one wager under terms that may not be whole."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from pitboss.rules import Stated
    from pitboss.table import Configuration

__all__ = ["TABLE_WORK", "odds_asked", "wager_odds"]


def odds_asked(configuration: Configuration, wager: str) -> dict[str, Any] | None:
    """Give what the odds of a wager depend on, as JSON; nothing where pay tables that they hang on are not right.

    That is its own tables, and the main wager's where both hang on one decision. Limits and the other wagers are no
    part of it: who edits those asks for the same figure again.
    """
    from pitboss.games import find_game  # noqa: PLC0415

    shares = find_game(configuration.game).by_name[wager].shares
    names = [wager] if shares is None else [wager, shares.main]
    paths = [each.path.split(".") for each in configuration.terms_and_problems[1]]
    wrong = {path[1] for path in paths if path[0] == "paytables" and len(path) > 1}
    stated = configuration.stated
    if wrong.intersection(names):
        return None
    return {
        "paytables": {name: stated.paytables[name] for name in names if name in stated.paytables},
        "readings": dict(stated.readings),
        "decks": stated.decks,
        "jackpot_type": stated.jackpot_type,
        "jackpot_wager_cents": {name: cents for name, cents in _cents(stated).items() if name == wager},
        "bonus_sharing": stated.bonus_sharing,
        "fixed_from_meter": sorted({wager} & stated.fixed_from_meter),
        "base_multiples_max": {name: most for name, most in stated.base_multiples_max.items() if name in names},
    }


def _cents(stated: Stated) -> dict[str, int]:
    return dict(stated.jackpot_wager_cents)


def wager_odds(game: str, wager: str, stated: dict[str, Any]) -> dict[str, Any]:
    """The exact odds of a wager beside the others that are stated; kept on disk, so that they are counted once."""
    from pitboss.books import RefusedError  # noqa: PLC0415
    from pitboss.games import find_game  # noqa: PLC0415
    from pitboss.odds import default_store, solve_terms  # noqa: PLC0415
    from pitboss.rules import Stated, make_terms  # noqa: PLC0415

    found = find_game(game)
    said = Stated(**{**stated, "fixed_from_meter": frozenset(stated["fixed_from_meter"])})
    terms, problems = make_terms(found, said)
    if problems:
        raise RefusedError(map(str, problems))
    return solve_terms(found, found.by_name[wager], terms, store=default_store()).as_json()


TABLE_WORK = {"wager-odds": wager_odds}
