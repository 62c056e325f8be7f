"""First hands where nothing is installed but a wheel and what it depends on: `wheel.py` runs this there."""

from __future__ import annotations

import sys
import warnings
from importlib.metadata import PackageNotFoundError, distribution, requires
from pathlib import Path

import numpy as np
from pettingzoo.test import api_test

import holdem_env
from holdem_env import Rules, Table, Tables, holdem_v0
from holdem_env.pettingzoo import leduc_holdem_v5, texas_holdem_no_limit_v7, texas_holdem_v5
from holdem_env.solvers import solve_subgame

SEED = 7


def check_bare() -> None:
    """The library comes from the wheel, and no package of [train] is here."""
    home = Path(holdem_env.__file__).resolve()
    assert home.is_relative_to(Path(sys.prefix).resolve()), f"holdem_env is {home}, not what the wheel installed"
    for requirement in requires("holdem-env") or ():
        name, _, condition = requirement.partition(";")
        if "extra == 'train'" in condition:
            name = name.partition(">")[0]
            try:
                distribution(name)
            except PackageNotFoundError:
                continue
            raise AssertionError(f"{name} of the extra train is installed: this environment is not bare")


def play_table() -> None:
    """One hand, checked and called to its end."""
    table = Table(Rules.preset("heads-up-no-limit"), seed=SEED)
    while not table.is_over:
        table.check_call()
    assert sum(table.payoffs) == 0, f"the payoffs of a hand are {table.payoffs}, which do not sum to 0"


def play_tables() -> None:
    """Hands of several tables until one has ended at each."""
    tables = Tables("heads-up-limit", num_tables=4, seed=SEED)
    ended = np.zeros(4, bool)
    while not ended.all():
        tables.step(np.ones(4, np.int64))
        assert not tables.reward.sum(axis=1).any(), f"the rewards of hands are {tables.reward}, which do not sum to 0"
        ended |= tables.done


def play_environment(env) -> None:
    """A hand of random actions in a PettingZoo environment."""
    env.reset(seed=SEED)
    for agent in env.agents:
        env.action_space(agent).seed(SEED)
    total = 0.0
    for agent in env.agent_iter():
        observation, reward, termination, truncation, _ = env.last()
        total += reward
        ended = termination or truncation
        env.step(None if ended else env.action_space(agent).sample(observation["action_mask"]))
    assert total == 0, f"the rewards of a hand of {env} sum to {total}, not to 0"


def solve_river() -> None:
    """A river solved on all processors."""
    solution = solve_subgame("Ks7h2d3c9s", ["77, KQ", "A9s, 88"], 100, 200, "a", accuracy=None, iterations=2)
    assert solution.iterations == 2, f"the river has {solution.iterations} iterations, not 2"


def main() -> None:
    check_bare()
    play_table()
    play_tables()
    solve_river()
    # PettingZoo warns of spaces that are not its usual ones.
    warnings.filterwarnings("ignore", category=UserWarning, module="pettingzoo")
    for module in (holdem_v0, texas_holdem_no_limit_v7, texas_holdem_v5, leduc_holdem_v5):
        play_environment(module.env())
        api_test(module.env(), num_cycles=100)


if __name__ == "__main__":
    main()
