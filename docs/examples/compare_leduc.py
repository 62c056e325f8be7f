"""PPO, NFSP and CFR on Leduc poker: exact exploitability by processor seconds, for several seeds, and a plot.

    python docs/examples/compare_leduc.py --seconds 60 --seeds 0 1 2 --plot leduc.svg

PPO is this library's in self-play, with averaged weights and a KL penalty toward a slower average, as in
configs/leduc.yaml. NFSP (Heinrich and Silver 2016) is OpenSpiel's, and so is CFR by external sampling. Measuring is not
counted. A learner of your own is one more function: of a seed, to a step of training and a measurement.
"""

from __future__ import annotations

import argparse
from collections.abc import Callable, Mapping
from pathlib import Path
from time import process_time
from typing import Any

import numpy as np
import pyspiel
import torch
from open_spiel.python import policy, rl_environment
from open_spiel.python.algorithms import exploitability as spiel
from open_spiel.python.algorithms import external_sampling_mccfr
from open_spiel.python.pytorch import nfsp as spiel_nfsp

from holdem_agents.model_files import FileAgent
from holdem_agents.ppo import PPO, new_network
from holdem_agents.ppo.weight_averaging import WeightAverageCallback
from holdem_env import Rules
from holdem_env.arena import exploitability
from holdem_env.encoders import get_actions, get_observation
from holdem_env.envs.open_spiel import load_game
from holdem_env.envs.self_play import SelfPlayTables

RULES = Rules.preset("leduc")
Learner = tuple[Callable[[], Any], Callable[[], float]]
"""A step of training, and the exploitability so far in chips per hand."""


def ppo(seed: int) -> Learner:
    """Self-play at 256 tables; a step is 20,480 decisions."""
    torch.manual_seed(seed)
    observation, actions = get_observation("flat"), get_actions("limit", RULES)
    network = new_network(observation, actions.size(RULES), RULES, hidden=(128, 128), is_canonical=False)
    average = WeightAverageCallback(network, 0.97)
    magnet = WeightAverageCallback(network, 0.98, warm_up=False)
    me = FileAgent(network, observation, actions, RULES, name="me", algorithm="PPO")
    tables = SelfPlayTables(RULES, 256, [(me, 1.0)], observation, actions, itself=me)
    settings: dict[str, Any] = {"n_steps": 16, "n_epochs": 3, "batch_size": 1024, "gae_lambda": 1.0, "ent_coef": 0.1}
    learner = PPO(network, tables, kl_coef=0.1, reward_scale=0.2, seed=seed, **settings)
    learner.reference_policy = magnet.policy
    delivered = me.playing(average.policy, "average")
    return (
        lambda: learner.learn(20_480, [average, magnet], reset_num_timesteps=False),
        lambda: exploitability(delivered, RULES),
    )


def nfsp(seed: int) -> Learner:
    """Two networks, one for each player; a step is a hundred hands."""
    game = load_game(RULES)
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

    def average(state: pyspiel.State) -> Mapping[int, float]:
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

    return play, lambda: spiel.exploitability(game, policy.tabular_policy_from_callable(game, average))


def cfr(seed: int) -> Learner:
    """Deals are sampled; a step is ten of them. This library's `solve` samples nothing, and needs milliseconds."""
    np.random.seed(seed)  # noqa: NPY002 - what OpenSpiel draws from
    game = load_game(RULES)
    solver = external_sampling_mccfr.ExternalSamplingSolver(game)

    def iterate() -> None:
        for _ in range(10):
            solver.iteration()

    return iterate, lambda: spiel.exploitability(game, solver.average_policy())


LEARNERS: dict[str, Callable[[int], Learner]] = {"PPO": ppo, "NFSP": nfsp, "CFR": cfr}


def curve(make: Callable[[int], Learner], seed: int, seconds: float, points: int) -> list[tuple[float, float]]:
    """Processor seconds of training and exploitability, at `points` times."""
    step, measure = make(seed)
    spent, found = 0.0, []
    for number in range(1, points + 1):
        while spent < seconds * number / points:
            begun = process_time()
            step()
            spent += process_time() - begun
        found.append((spent, measure()))
    return found


def draw(curves: Mapping[str, list[list[tuple[float, float]]]], path: Path) -> None:
    """The mean over the seeds as a line, and from the lowest to the highest as a band."""
    import matplotlib

    matplotlib.use("Agg")
    from matplotlib import pyplot

    figure, axes = pyplot.subplots()
    for name, seeds in curves.items():
        seconds, chips = np.array(seeds).transpose(2, 1, 0)  # (points, seeds) each
        axes.plot(seconds.mean(axis=1), chips.mean(axis=1), marker="o", label=name)
        axes.fill_between(seconds.mean(axis=1), chips.min(axis=1), chips.max(axis=1), alpha=0.2)
    axes.set(xlabel="processor seconds", ylabel="exploitability, chips per hand", title="Leduc poker", yscale="log")
    axes.legend()
    figure.savefig(path)


def main(words: list[str] | None = None) -> dict[str, list[list[tuple[float, float]]]]:
    """The command line; returns a curve for each learner and seed."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--seconds", type=float, default=60, help="of the processor, for each learner and seed")
    parser.add_argument("--seeds", type=int, nargs="+", default=[0, 1, 2])
    parser.add_argument("--points", type=int, default=6, help="measurements of each curve")
    parser.add_argument("--plot", type=Path, default=Path("leduc.svg"))
    args = parser.parse_args(words)
    torch.set_num_threads(1)
    minutes = len(LEARNERS) * len(args.seeds) * args.seconds / 60
    print(f"{', '.join(LEARNERS)}, {len(args.seeds)} seeds each: {minutes:.1f} min of the processor, and measuring")
    curves: dict[str, list[list[tuple[float, float]]]] = {}
    for name, make in LEARNERS.items():
        curves[name] = []
        for number, seed in enumerate(args.seeds, 1):
            curves[name].append(curve(make, seed, args.seconds, args.points))
            print(f"{name}: {number} of {len(args.seeds)} seeds", flush=True)
        print(f"{name:5}", " ".join(f"{points[-1][1]:.3f}" for points in curves[name]), "chips per hand, by seed")
    draw(curves, args.plot)
    return curves


if __name__ == "__main__":
    main()
