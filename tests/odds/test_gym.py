"""Issue 20, `pitboss.gym`: an environment per game that Gymnasium's own checker passes, settled as a table settles."""

from __future__ import annotations

import warnings

import pytest

from pitboss.games import find_game, game_names

gymnasium = pytest.importorskip("gymnasium", reason="the extra `gym`")


@pytest.mark.parametrize("name", game_names())
def test_gymnasiums_checker_passes(name: str) -> None:
    from gymnasium.utils.env_checker import check_env  # noqa: PLC0415

    from pitboss.gym import RoundEnvironment  # noqa: PLC0415

    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        check_env(RoundEnvironment(name), skip_render_check=True)


def test_a_fold_costs_the_ante_and_the_same_seed_deals_the_same() -> None:
    from pitboss.gym import RoundEnvironment  # noqa: PLC0415

    environment = RoundEnvironment("three-card-prime")
    first, info = environment.reset(seed=7)
    again, _ = environment.reset(seed=7)
    assert (first == again).all()
    assert 2 == info["answers"]
    _, reward, ended, _, _ = environment.step(1)
    assert (-1.0, True) == (reward, ended)
    assert find_game("three-card-prime") is environment.game
