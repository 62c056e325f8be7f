"""Compiling at once what users will need, part by part: each part does something small for the first time.

`python -m holdem_agents.cli.compiling PART...` compiles some of them, in one process for each processor.
"""

from __future__ import annotations

import sys
import warnings
from collections.abc import Callable, Iterator
from contextlib import redirect_stderr, suppress
from io import StringIO
from pathlib import Path
from tempfile import TemporaryDirectory
from time import perf_counter
from typing import Any

from holdem_env import Rules, Session, Table, Tables, equity, holdem_v0
from holdem_env.agents import make_agent
from holdem_env.arena import Aivat, AllInValue, play_deals
from holdem_env.arena.matches.match import Column
from holdem_env.arena.observed.player_stats import PlayerStats
from holdem_env.solvers import solve, solve_subgame
from holdem_env.solvers.solution import load_solution
from holdem_env.utils.runner import Runner

GAME = "heads-up-no-limit"
SEED = 0


def compile_parts(parts: list[str], jobs: int) -> Iterator[tuple[str, float]]:
    """Compile parts, given by their names in PARTS, in that order, several at a time. Yields each with its seconds of
    wall time when it is done. Raises what a part raises, and WorkerLost."""
    with warnings.catch_warnings(), Runner(jobs) as runner:
        warnings.filterwarnings("ignore", "A worker stopped")  # loky begins another one for those that have grown
        for outcome in runner.run(_compile, parts):
            yield outcome.task, outcome.result()


def _compile(part: str) -> float:
    began = perf_counter()
    with redirect_stderr(StringIO()):  # the line which says that this takes long
        PARTS[part]()
    return perf_counter() - began


def _rules_engine() -> None:
    table = Table(GAME, seed=SEED)
    while not table.is_over:
        table.play(0)
    str(table)
    session = Session(GAME, seed=SEED)
    session.deal()


def _environments() -> None:
    env = holdem_v0.env(rules=Rules.preset(GAME))
    env.reset(seed=SEED)
    for name in env.agent_iter():
        observation: Any = env.last()[0]
        is_over = env.unwrapped.terminations[name] or env.unwrapped.truncations[name]
        env.step(None if is_over else int(observation["action_mask"].argmax()))
    tables = Tables(GAME, 4, seed=SEED)
    tables.step(tables.mask.argmax(axis=1))


def _arena() -> None:
    agents = [make_agent("tight_aggressive"), make_agent("pot_odds")]
    columns: list[Column] = [AllInValue(), Aivat()]
    rules, stats = Rules.preset(GAME), PlayerStats.of(2, 2)

    def count(tables: Any, seating: Any) -> None:
        stats.count(tables, rules, seating)

    play_deals(rules, agents, [0, 1], range(8), columns=columns, finished=count)


def _equities() -> None:
    equity(["AhKh", "QQ+"], samples=1_000)
    equity(["AhKh", "QsQd"], board="2h3h4c")


def _small_games() -> None:
    solve("kuhn", iterations=2)
    solve("leduc", iterations=2)


def _subgames() -> None:
    for board in ("Ks7h2d3c9s", "Ks7h2d3c", "Ks7h2d"):
        solution = solve_subgame(board, ["AA,KQs", "QQ,JTs"], 100, 200, "a", accuracy=None, iterations=2)
    with TemporaryDirectory() as folder:  # what was saved is walked with other numbers
        solution.save(path := Path(folder) / "spot.solution")
        load_solution(path).ev_at("check")


def _blueprints() -> None:
    play_deals(Rules.preset(GAME), [make_agent("blueprint_100bb"), make_agent("maniac")], [0, 1], range(4))


def _networks() -> None:
    with suppress(ModuleNotFoundError):  # without PyTorch there are none
        from ..agent_files.warm_up import warm_up

        warm_up()
    with suppress(ModuleNotFoundError):
        from holdem_env.envs.sb3 import HoldemVecEnv

        env = HoldemVecEnv(GAME, num_envs=2, opponents=["tight_aggressive"], seed=SEED)
        env.reset()
        env.step(env.action_masks().argmax(axis=1))


PARTS: dict[str, Callable[[], None]] = {
    "rules engine": _rules_engine,
    "subgames": _subgames,
    "environments": _environments,
    "arena": _arena,
    "blueprints": _blueprints,
    "equities": _equities,
    "small games": _small_games,
    "networks": _networks,
}
"""By name, in an order in which two at a time hardly compile the same functions."""

if __name__ == "__main__":
    for _ in compile_parts(sys.argv[1:], jobs=-1):
        pass
