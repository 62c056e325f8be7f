"""The arena: a match in batch beside the same match through the AEC loop and in jails, how long jails take to start,
and how many hands the estimators need."""

from __future__ import annotations

from contextlib import ExitStack
from dataclasses import replace
from functools import partial
from pathlib import Path
from tempfile import TemporaryDirectory

from holdem_env import Rules, holdem_v0
from holdem_env.agents import Agent, make_agent
from holdem_env.agents.registry import without_search
from holdem_env.arena import Aivat, AllInValue, estimates, play_deals
from holdem_env.arena.isolation.isolated_agent import IsolatedAgent

from .measure import Contestant, Maker, Options, on_one_core, race

RULES = Rules.preset("heads-up-no-limit")
AEC_HANDS, DEALS, NET_DEALS = 300, 20_000, 4_000
JAIL_DEALS = 8_192
"""In jails, as many as a shard of a tournament among strangers has; starting them is part of a match."""
BOT = """
import numpy as np
from holdem_env.agents import Agent

class Bot(Agent):
    def act(self, tables, rules, rows):
        return np.where(tables["hand"][rows] % 3 == 0, -1, 0)
"""
PRECISION = 5  # bb/100
MATCHES = (
    *(("tight_aggressive", "calling_station"), ("tight_aggressive", "maniac"), ("maniac", "random")),
    *(("ppo_100bb", "tight_aggressive"), ("blueprint_100bb", "ppo_100bb")),
)
ESTIMATED = 20_000  # deals


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


def strangers(folder: str) -> dict[str, str]:
    """Agents that play in jails, as files: a scripted one, a bot of three lines, a network."""
    import torch

    torch.set_num_threads(1)  # as in jails
    scripted, bot, network = (Path(folder, name) for name in ("scripted.json", "bot.py", "network.safetensors"))
    make_agent("tight_aggressive").save(scripted)
    bot.write_text(BOT)
    make_agent("ppo_100bb").save(network)
    return {"scripted": str(scripted), "a .py file": str(bot), "ppo_100bb": str(network)}


def single_deals(agents: list[Agent], deals: int) -> Contestant:
    """Every deal once, as among strangers."""
    return lambda: play_deals(RULES, agents, [0, 1], range(deals), duplicate=False).hands


def speed(options: Options) -> None:
    """Hands per second of a duplicate match, beside the AEC loop; of strangers in jails, beside this process."""
    for names in (("calling_station", "maniac"), ("tight_aggressive", "calling_station")):
        agents = [make_agent(name) for name in names]
        makers: dict[str, Maker] = {
            "AEC loop": partial(aec_loop, agents, AEC_HANDS),
            "duplicate match": partial(duplicate_match, agents, DEALS),
        }
        race(f"{', '.join(names)}, heads-up no-limit, 100 big blinds", "hands/s", makers, options)
    with TemporaryDirectory() as folder, ExitStack() as jails:
        for name, file in strangers(folder).items():
            matches, starts = f"isolated: {name} against itself", f"isolated: {name}, jails"
            if not options.wants(matches) and not options.wants(starts):
                continue
            there: list[Agent] = [IsolatedAgent({"agent": file}) for _ in range(2)]
            for agent in there:
                jails.callback(agent.close)
            makers = {
                "in this process": partial(single_deals, [make_agent(file), make_agent(file)], JAIL_DEALS),
                "in jails": partial(single_deals, there, JAIL_DEALS),
            }
            race(matches, "hands/s", makers, options)
            makers = {"two jails that start, and a hand": partial(single_deals, there, 1)}
            race(starts, "1/s", makers, options)


def match_of(names: tuple[str, str], deals: int) -> Contestant:
    """A duplicate match of two agents by name; work is hands."""
    return duplicate_match([without_search(make_agent(name)) for name in names], deals)


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
    """Hands for an interval of ± PRECISION bb/100, by estimator, from two matches of each pair: of agents that one
    trusts, and of strangers. The cards are seeded: these figures are the same in every run."""
    for pair in MATCHES:
        title = f"{' against '.join(pair)}: hands for ±{PRECISION} bb/100 at 95 %"
        if not options.wants(title):
            continue
        agents = [without_search(make_agent(name)) for name in pair]
        print(f"\n{title} ({2 * ESTIMATED:,} hands each)")
        for is_trusted in (True, False):
            for agent in agents:
                agent.facts = replace(agent.facts, is_trusted=is_trusted)
            columns = [AllInValue(), Aivat()]
            numbers = range(ESTIMATED if is_trusted else 2 * ESTIMATED)
            deals = play_deals(RULES, agents, [0, 1], numbers, seed=1, columns=columns)
            for each in estimates(deals):
                name = each.name if is_trusted else f"each deal once, {each.name}"
                saved, rate = f"{each.saved:5.2f} times fewer", "{:+.1f} ± {:.1f}".format(*each.rate)
                print(f"  {name:30}  {each.hands_for(PRECISION):>12,.0f}  {saved}   {rate}")


@on_one_core()
def main(options: Options) -> None:
    """Speed, then precision."""
    speed(options)
    precision(options)
