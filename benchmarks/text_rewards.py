"""How much luck each reward of `text_env` leaves in a hand: `python -m benchmarks.text_rewards`, some minutes.

A scripted answerer plays in words. All rewards are big blinds a hand and have, but for regret, the same mean up to a
constant that the answerer cannot influence. Printed is the variance of each, and how many times it is below that of raw
chips. Of regret it is that of the decisions alone: the same decision has the same regret always.
"""

from __future__ import annotations

import argparse
import time
from collections.abc import Callable
from typing import NamedTuple

import numpy as np

from holdem_env.agents.protocol import Agent
from holdem_env.agents.registry import make_agent
from holdem_env.engine.legality import move_text
from holdem_env.solvers import solve
from holdem_env.text_env import TextEnv
from holdem_env.text_env.outcomes import Outcome
from holdem_env.text_env.rewards import Reward, aivat, chips, duplicate, learnt_weights, regret

PLAYS = 30
"""Plays of one deal by the stand-in."""


class Setting(NamedTuple):
    game: str
    learner: str
    opponent: str


SETTINGS = (
    Setting("kuhn", "calling_station", "solved"),
    Setting("leduc", "calling_station", "solved"),
    Setting("leduc", "solved", "solved"),
    Setting("heads-up-limit", "tight_aggressive", "tight_aggressive"),
    Setting("heads-up-no-limit", "tight_aggressive", "tight_aggressive"),
)


def answers_of(agent: Agent) -> Callable[[TextEnv], str]:
    """An answerer in words that plays as an agent."""

    def answer(env: TextEnv) -> str:
        view = env.table.hand.view()
        return f"Action: {move_text(agent.move(view), view.legal.call)}"

    return answer


def luck(setting: Setting, hands: int, seed: int) -> dict[str, float]:
    """The variance of each reward, a hand."""
    solved = solve(setting.game, accuracy=0.01) if setting.opponent == "solved" else None
    opponent = solved.agent() if solved else make_agent(setting.opponent)
    learner = opponent if setting.learner == setting.opponent else make_agent(setting.learner)
    learnt = learnt_weights(setting.game, opponent, learner)
    columns: dict[str, Reward] = {
        "chips": chips,
        "duplicate": duplicate(chips, PLAYS),
        "aivat": aivat(),
        "aivat, learnt": aivat(learnt),
        "aivat, learnt, imaginary": aivat(learnt, imaginary=True),
        "aivat, learnt, duplicate": duplicate(aivat(learnt), PLAYS),
        "aivat, learnt, imag., duplicate": duplicate(aivat(learnt, imaginary=True), PLAYS),
        "aivat, plays": aivat(plays=PLAYS),
        "aivat, plays, learner": aivat(plays=PLAYS, learner=learner),
        **({"regret": regret(solved)} if solved else {}),
    }
    found: list[dict[str, float]] = []

    def count(outcome: Outcome) -> float:
        for name, reward in columns.items():
            found[-1][name] = found[-1].get(name, 0.0) + reward(outcome)
        return 0.0

    env, answer = TextEnv(setting.game, opponents=opponent, reward=count), answers_of(learner.clone())
    for hand in range(hands):
        env.reset(seed=seed if not hand else None)
        found.append({})
        while not env.step(answer(env))[2]:
            pass
    return {name: float(np.var([each[name] for each in found])) for name in columns}


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--hands", type=int, default=1_000)
    parser.add_argument("--seed", type=int, default=1)
    given = parser.parse_args()
    for setting in SETTINGS:
        start, found = time.perf_counter(), luck(setting, given.hands, given.seed)
        print(f"{setting.game}, {setting.learner} against {setting.opponent} ({time.perf_counter() - start:.0f} s)")
        for name, variance in found.items():
            print(f"  {name:32}{variance:10.4f}{found['chips'] / variance:10.1f} x")


if __name__ == "__main__":
    main()
