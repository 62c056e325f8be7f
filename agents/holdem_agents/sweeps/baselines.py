"""Baselines of a sweep that are no configurations: the uniform policy, tabular solvers, and OpenSpiel's learners.

A baseline is a function of rules and a seed to a step of training and a measurement: exact exploitability in chips per
hand. NFSP, Deep CFR and CFR by external sampling are OpenSpiel's, with its own measurement, which agrees with ours.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

import numpy as np

from holdem_env.arena import exploitability
from holdem_env.game.rules import Rules
from holdem_env.solvers.cfr import discounting_of
from holdem_env.solvers.games import MAX_MEMORY, game_of
from holdem_env.solvers.solver import Solver
from holdem_env.utils.extras import explain_missing_extra

Baseline = tuple[Callable[[], object] | None, Callable[[], float]]
"""A step of training, None if there is nothing to train, and the exploitability so far in chips per hand."""


def uniform(rules: Rules, seed: int) -> Baseline:
    """Every move that is offered equally often; nothing is trained."""
    return None, lambda: exploitability("random", rules)


def dcfr(rules: Rules, seed: int) -> Baseline:
    """Discounted CFR (Brown and Sandholm 2019) over the whole tree; a step is an iteration. Nothing is random."""
    game = game_of(rules, None, MAX_MEMORY)
    Solver(game, discounting=discounting_of("dcfr")).iterate(1)  # compiled before the clock runs
    solver = Solver(game, discounting=discounting_of("dcfr"))
    return lambda: solver.iterate(1), solver.exploitability


def external_sampling_cfr(rules: Rules, seed: int) -> Baseline:
    """CFR by external sampling (Lanctot et al. 2009); a step is ten deals."""
    game, measured = _opened(rules)
    from open_spiel.python.algorithms import external_sampling_mccfr

    np.random.seed(seed)  # noqa: NPY002 - what OpenSpiel draws from
    solver = external_sampling_mccfr.ExternalSamplingSolver(game)

    def iterate() -> None:
        for _ in range(10):
            solver.iteration()

    return iterate, lambda: measured(solver.average_policy())


def nfsp(rules: Rules, seed: int) -> Baseline:
    """Neural fictitious self-play (Heinrich and Silver 2016): two networks for each player; a step is a hundred hands.
    Measured is the average policy."""
    game, measured = _opened(rules)
    from open_spiel.python import policy, rl_environment
    from open_spiel.python.pytorch import nfsp as spiel_nfsp

    env = rl_environment.Environment(game)
    size, actions = env.observation_spec()["info_state"][0], env.action_spec()["num_actions"]
    settings = {
        "min_buffer_size_to_learn": 200,
        "learn_every": 64,
        "batch_size": 128,
        "rl_learning_rate": 0.01,
        "sl_learning_rate": 0.01,
        "epsilon_start": 0.06,
        "epsilon_decay_duration": 1_000_000,
        "epsilon_end": 0.001,
        "replay_buffer_capacity": 200_000,
        "seed": seed,  # of everything that it draws
    }
    players = [spiel_nfsp.NFSP(player, size, actions, [128], 200_000, 0.1, **settings) for player in range(2)]

    def play() -> None:
        for _ in range(100):
            now = env.reset()
            while not now.last():
                now = env.step([players[now.observations["current_player"]].step(now).action])
            for player in players:
                player.step(now)

    def average(state: Any) -> Mapping[int, float]:
        me = state.current_player()
        seen = {
            "info_state": [state.information_state_tensor(each) for each in range(2)],
            "legal_actions": [state.legal_actions(each) for each in range(2)],
            "current_player": me,
        }
        now = rl_environment.TimeStep(observations=seen, rewards=None, discounts=None, step_type=None)
        with players[me].temp_mode_as(spiel_nfsp.MODE.AVERAGE_POLICY):
            probabilities = players[me].step(now, is_evaluation=True).probs
        return {action: float(probabilities[action]) for action in state.legal_actions()}

    return play, lambda: measured(policy.tabular_policy_from_callable(game, average))


def deep_cfr(rules: Rules, seed: int) -> Baseline:
    """Deep CFR (Brown et al. 2019); a step is five iterations of forty traversals for each player, and then the network
    of the average strategy learns on."""
    game, measured = _opened(rules)
    from open_spiel.python import policy
    from open_spiel.python.pytorch import deep_cfr as spiel_deep_cfr

    solver = spiel_deep_cfr.DeepCFRSolver(
        game,
        policy_network_layers=(64, 64),
        advantage_network_layers=(64, 64),
        num_iterations=5,
        num_traversals=40,
        learning_rate=1e-3,
        batch_size_advantage=512,
        batch_size_strategy=512,
        memory_capacity=1_000_000,
        policy_network_train_steps=200,
        advantage_network_train_steps=200,
        seed=seed,
    )
    return solver.solve, lambda: measured(policy.tabular_policy_from_callable(game, solver.action_probabilities))


def _opened(rules: Rules) -> tuple[Any, Callable[[Any], float]]:
    """The rules as OpenSpiel's game, and the exploitability of one of its policies there."""
    with explain_missing_extra("this baseline"):
        from open_spiel.python.algorithms import exploitability as spiel

        from holdem_env.envs.open_spiel import load_game
    game = load_game(rules)
    return game, lambda learnt: float(spiel.exploitability(game, learnt))


BASELINES: dict[str, Callable[[Rules, int], Baseline]] = {
    "uniform": uniform,
    "dcfr": dcfr,
    "external_sampling_cfr": external_sampling_cfr,
    "nfsp": nfsp,
    "deep_cfr": deep_cfr,
}
"""By the names that a sweep's file has for them."""
