"""The arena: a match in batch beside the same match through the AEC loop, and how many hands the estimators need."""

from __future__ import annotations

import os
from collections.abc import Callable
from functools import partial
from tempfile import TemporaryDirectory
from typing import Any

from holdem_env import Rules, holdem_v0
from holdem_env.agents import Agent, make_agent
from holdem_env.arena import Aivat, AllInValue, estimates, play_deals
from holdem_env.arena.isolation.isolated_agent import IsolatedAgent

from .measure import Contestant, Maker, Options, Stopwatch, on_one_core, race

RULES = Rules.preset("heads-up-no-limit")
AEC_HANDS, DEALS, NET_DEALS, JAIL_DEALS = 300, 20_000, 4_000, 60_000  # in jails, starting them is part of a match
NETS = ("one.safetensors", "two.safetensors")
PRECISION = 5  # bb/100
MATCHES = (("tight_aggressive", "calling_station"), ("tight_aggressive", "maniac"), ("maniac", "random"))
ESTIMATED, LEARNT_FROM = 20_000, 2_000  # deals


def aec_loop(agents: list[Agent], hands: int) -> Contestant:
    """The same agents, asked one decision at a time through PettingZoo's loop; work is hands."""
    env = holdem_v0.env(rules=RULES)

    def work() -> int:
        for hand in range(hands):
            env.reset(seed=hand, options={"button": hand % 2})
            for name in env.agent_iter():
                *_, termination, truncation, _info = env.last()
                if termination or truncation:
                    env.step(None)
                else:
                    env.unwrapped.play(agents[int(name[-1])].move(env.unwrapped))
        return hands

    return work


def duplicate_match(agents: list[Agent], deals: int) -> Contestant:
    """Every deal from both seats."""
    return lambda: play_deals(RULES, agents, [0, 1], range(deals)).hands


def isolated_match(folder: str, deals: int) -> Contestant:
    """The same deals between two model files, each in a process of its own."""
    agents = [IsolatedAgent({"agent": os.path.join(folder, name)}) for name in NETS]
    return lambda: play_deals(RULES, agents, [0, 1], range(deals)).hands


def net_files(folder: str) -> None:
    """The small nets as model files."""
    for agent, name in zip(small_nets(), NETS, strict=True):
        agent.trained_on = RULES
        agent.save(os.path.join(folder, name))


def small_nets() -> list[Any]:
    """Two untrained nets of two layers of 64."""
    import torch
    from sb3_contrib import MaskablePPO

    from holdem_agents.sb3_agent import SB3Agent
    from holdem_env.envs.sb3 import HoldemVecEnv

    torch.set_num_threads(1)
    env = HoldemVecEnv(RULES, num_envs=8, opponents=["random"], seed=0)
    layers = {"net_arch": [64, 64]}
    models = [MaskablePPO("MlpPolicy", env, policy_kwargs=layers, seed=seed, device="cpu") for seed in (0, 1)]
    return [
        SB3Agent(model.policy, env.observation_encoder, env.action_encoder, seed=seed)
        for seed, model in enumerate(models)
    ]


def speed(options: Options) -> None:
    """Hands per second of a duplicate match, beside the AEC loop; with nets also in processes of their own."""
    pairs: dict[str, Callable[[], list[Agent]]] = {
        "calling_station, maniac": lambda: [make_agent("calling_station"), make_agent("maniac")],
        "tight_aggressive, calling_station": lambda: [make_agent("tight_aggressive"), make_agent("calling_station")],
        "two nets, 64x64": small_nets,
    }
    for name, make_agents in pairs.items():
        title = f"{name}, heads-up no-limit, 100 big blinds"
        if options.wants(title):
            agents, deals = make_agents(), NET_DEALS if "nets" in name else DEALS
            makers = {
                "AEC loop": partial(aec_loop, agents, AEC_HANDS),
                "duplicate match": partial(duplicate_match, agents, deals),
            }
            with TemporaryDirectory() as folder:
                if "nets" in name:
                    net_files(folder)
                    makers["duplicate match, isolated"] = partial(isolated_match, folder, JAIL_DEALS)
                race(title, "hands/s", makers, options)


def match_of(names: tuple[str, str], deals: int) -> Contestant:
    """A duplicate match of two agents by name; work is hands."""
    return duplicate_match([make_agent(name) for name in names], deals)


def own_rows() -> dict[str, Maker]:
    """What another checkout of this project is compared with, one core."""
    deals = {
        ("calling_station", "maniac"): DEALS,
        ("tight_aggressive", "calling_station"): DEALS,
        ("blueprint_100bb", "pot_odds"): NET_DEALS // 4,
        ("ppo_100bb", "ppo_100bb"): NET_DEALS,
    }
    return {f"hands of {' and '.join(pair)}": partial(match_of, pair, count) for pair, count in deals.items()}


def precision(options: Options) -> None:
    """Hands for an interval of ± PRECISION bb/100, by estimator, from one match of each pair. The cards are seeded:
    these figures are the same in every run."""
    for pair in MATCHES:
        title = f"{' against '.join(pair)}: hands for ±{PRECISION} bb/100 at 95 %"
        if not options.wants(title):
            continue
        agents = [make_agent(name) for name in pair]
        with Stopwatch() as watch:
            columns = [AllInValue(), Aivat.learned(RULES, agents, deals=LEARNT_FROM)]
            deals = play_deals(RULES, agents, [0, 1], range(ESTIMATED), seed=1, columns=columns)
        print(f"\n{title}")
        print(f"  (measured on {deals.hands:,} hands, {watch.seconds:.0f} s)")
        for each in estimates(deals):
            mean, half = each.bb100
            needed = each.hands_for(PRECISION)
            print(f"  {each.name:20}  {needed:>12,.0f}  {each.saved:5.2f} times fewer   {mean:+.1f} ± {half:.1f}")


@on_one_core()
def main(options: Options) -> None:
    """Speed, then precision."""
    speed(options)
    precision(options)
