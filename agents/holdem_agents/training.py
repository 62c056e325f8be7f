"""Training: MaskablePPO in one seat of many tables, against itself, its past selves and scripted agents.

From Python:

    folder = train(load_config("configs/demo.yaml"), new_folder("runs", "demo"))
    agent = make_agent(folder / "final.zip")
"""

from __future__ import annotations

import json
import platform
from importlib.metadata import version
from pathlib import Path

import yaml
from sb3_contrib import MaskablePPO
from stable_baselines3.common.callbacks import BaseCallback
from stable_baselines3.common.logger import configure

from holdem_env.arena import MatchResult
from holdem_env.envs.sb3 import HoldemVecEnv

from .clock import Clock, KeepToBudget, ShowProgress
from .config import Training
from .evaluation import EvaluateOnTheWay, LogWinRate, evaluate, write_results
from .network import Trunk
from .sb3_agent import SB3Agent, save
from .selfplay import GrowPool, Pool, opponents
from .threads import PickThreads, quick_torch

PACKAGES = ("holdem-env", "numpy", "numba", "torch", "stable-baselines3", "sb3-contrib", "gymnasium")
NO_END = 10**15
# Matches are played on other decks than training.
EVALUATION_SEED = 10**9


def train(config: Training, folder: Path, show: bool = True) -> Path:
    """Train as the configuration says and fill a run folder; returns it.

    An interrupt (Ctrl-C) ends training early, and what was learnt is kept.
    The folder gets config.yaml (as used), versions.json, progress.csv (SB3's log), evaluations.csv, final.zip, and
    TensorBoard's files if asked for. show: a progress bar.
    """
    folder.mkdir(parents=True, exist_ok=True)
    write_setup(config, folder)
    threads = config.learner.threads
    with quick_torch(1 if threads == "auto" else threads):
        env = make_env(config)
        model = make_model(config, env)
        model.set_logger(configure(str(folder), ["csv", *(["tensorboard"] if config.tensorboard else [])]))
        me = SB3Agent(model.policy, env.observation_encoder, env.action_encoder)
        pool = Pool(model.policy, env, config.past_selves.playing, config.seed)
        env.set_opponents(opponents(config, me, pool))
        clock = Clock(config.budget)
        run(model, config, clock, me, pool, folder, show)
        save(model, env, folder / "final.zip")
        results = final_results(config, me)
        write_results(folder / "evaluations.csv", model.num_timesteps, clock.elapsed(), EVALUATION_SEED, results)
    return folder


def make_env(config: Training) -> HoldemVecEnv:
    """The tables; who plays the other seats is set when the model exists."""
    return HoldemVecEnv(
        config.rules,
        config.tables,
        observation=config.observation,
        actions=config.actions,
        seed=config.seed,
        reward_scale=config.reward_scale,
    )


def make_model(config: Training, env: HoldemVecEnv) -> MaskablePPO:
    """A fresh learner."""
    learner = config.learner
    return MaskablePPO(
        "MlpPolicy",
        env,
        n_steps=learner.n_steps,
        n_epochs=learner.epochs,
        batch_size=learner.batch_size,
        gamma=learner.gamma,
        gae_lambda=learner.gae_lambda,
        clip_range=learner.clip_range,
        vf_coef=learner.value_weight,
        max_grad_norm=learner.max_grad_norm,
        learning_rate=learner.learning_rate[0],
        ent_coef=learner.entropy[0],
        policy_kwargs={
            "net_arch": [],
            "features_extractor_class": Trunk,
            "features_extractor_kwargs": {"hidden": learner.hidden},
        },
        seed=config.seed,
        device="cpu",  # so small a network is slower on a graphics card
    )


def run(model: MaskablePPO, config: Training, clock: Clock, me: SB3Agent, pool: Pool, folder: Path, show: bool) -> None:
    """Learn until the budget is spent, or the user interrupts."""
    callbacks: list[BaseCallback] = [
        GrowPool(pool, clock, config.past_selves.copies),
        KeepToBudget(clock, config.learner),
        LogWinRate(config.reward_scale),
        EvaluateOnTheWay(me, config.rules, clock, config.evaluation, EVALUATION_SEED, folder / "evaluations.csv"),
    ]
    if config.learner.threads == "auto":
        callbacks.append(PickThreads())
    bar = ShowProgress(clock)
    try:
        model.learn(NO_END, [*callbacks, bar] if show else callbacks)
    except KeyboardInterrupt:
        print("interrupted: what was learnt so far is kept")
    finally:
        bar.close()
        model.logger.close()


def final_results(config: Training, me: SB3Agent) -> list[MatchResult]:
    """Matches of the trained agent, drawing its actions as in training."""
    return evaluate(me, config.evaluation.opponents, config.rules, config.evaluation.hands, EVALUATION_SEED)


def write_setup(config: Training, folder: Path) -> None:
    """Write down what was asked for, and with which versions."""
    content = config.model_dump(mode="json", exclude_unset=True)
    (folder / "config.yaml").write_text(yaml.safe_dump(content, sort_keys=False), encoding="utf-8")
    versions = {"python": platform.python_version(), **{name: version(name) for name in PACKAGES}}
    (folder / "versions.json").write_text(json.dumps(versions, indent=2) + "\n", encoding="utf-8")


def new_folder(parent: Path | str, name: str) -> Path:
    """parent/name, or parent/name-2 and so on if that is there already."""
    folder, count = Path(parent) / name, 1
    while folder.exists():
        count += 1
        folder = Path(parent) / f"{name}-{count}"
    return folder
