"""The kind "ppo" of learner: this library's own PPO (`holdem_agents.ppo`), or another algorithm that is made of it."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

import numpy as np
import torch
from numpy.typing import NDArray

from holdem_env.encoders import get_actions, get_observation
from holdem_env.envs.learner_turns import LEARNER
from holdem_env.envs.opponents import OpponentsLike
from holdem_env.envs.self_play import SelfPlayTables

from ...agent_files.model_files import FileAgent, MemoryAgent, agent_of, write
from ...networks.own_network import first_observation, new_own_network
from ...networks.table_memory import TableMemory
from ...networks.tensors import as_arrays, as_tensors
from ...ppo import PPO, ActorCritic, MemoryPPO, new_network
from ...world import ALONE, World
from ..config import Training, reward_of
from .counts import count_moves, no_moves
from .devices import chosen_device, faster_forward, rollout_seconds


class TrainingTables(SelfPlayTables):
    """SelfPlayTables that count the learner's results and moves until `reset_counts`.

    won: the big blinds that the learner's seats won in hands with each agent, in the order of `agents`. hands: the
    number of those hands, counted for each pair of a learner's and an agent's seat. won_from_others, hands_with_others:
    the same for hands with any agent, counted for each of the learner's seats. Hands that the learner plays with itself
    alone are in none of them: what one of its seats wins another loses. moves_made: (streets, kinds) int64.
    """

    def set_opponents(self, opponents: OpponentsLike) -> None:
        super().set_opponents(opponents)
        self.reset_counts()

    def reset_counts(self) -> None:
        self.won: NDArray[np.float64] = np.zeros(len(self.agents))
        self.hands: NDArray[np.float64] = np.zeros(len(self.agents))
        self.won_from_others = self.hands_with_others = 0.0
        self.moves_made: NDArray[np.int64] = no_moves()

    def sum_counts(self, world: World) -> None:
        """Count what all ranks have counted."""
        counts = self.won, self.hands, self.moves_made, [self.won_from_others, self.hands_with_others]
        sums = world.summed(np.concatenate([np.ravel(each) for each in counts]))
        agents = len(self.agents)
        self.won, self.hands = sums[:agents], sums[agents : 2 * agents]
        self.moves_made[:] = sums[2 * agents : -2].reshape(self.moves_made.shape)
        self.won_from_others, self.hands_with_others = map(float, sums[-2:])

    def won_in_all(self) -> tuple[float, float]:
        return self.won_from_others, self.hands_with_others

    @property
    def tables(self) -> TrainingTables:
        return self

    def step(self, moves: NDArray[np.int64]) -> None:
        count_moves(self.moves_made, self.records["street"][self.turn], moves)
        super().step(moves)
        ended = len(self.ended)
        if not ended:
            return
        players = self.played_by[:ended]
        mine, seated = players == LEARNER, players >= 0
        won, seats = (self.value[:ended] * mine).sum(axis=1) / self.rules.unit, mine.sum(axis=1).astype(np.float64)
        tables, _ = np.nonzero(seated)
        self.won += np.bincount(players[seated], won[tables], len(self.won))
        self.hands += np.bincount(players[seated], seats[tables], len(self.hands))
        with_others = seated.any(axis=1)
        self.won_from_others += float(won[with_others].sum())
        self.hands_with_others += float(seats[with_others].sum())


class OwnPPO:
    """The `Learner` of this library's PPO, and of algorithms with its constructor, which get `learner.own`, too.

    algorithm: the class of the algorithm; by default PPO, with `learner.memory` MemoryPPO.
    """

    capabilities = frozenset({"memory", "sittings", "sessions", "ranks", "compile", "kl"})

    def __init__(self, config: Training, algorithm: type[PPO] | None = None, world: World = ALONE) -> None:
        self.config = config
        settings, rules = config.learner, config.rules
        made = algorithm or (MemoryPPO if settings.memory else PPO)
        torch.manual_seed(config.seed)
        observation, actions = get_observation(config.observation), get_actions(config.actions, rules)
        network: Any
        examples = first_observation(observation, rules)
        if settings.policy:
            network = new_own_network(settings.policy, examples, actions.size(rules))
        else:
            network = new_network(
                observation,
                actions.size(rules),
                rules,
                settings.hidden,
                settings.suits == "canonical",
                settings.memory.width if settings.memory else 0,
                config.sitting,
            )
        shape = observation.shape(rules)
        network.to(
            chosen_device(settings.device, lambda device: rollout_seconds(network, config, shape, device), world)
        )
        self.current = agent_of(network, observation, actions, rules, name="self", algorithm=made.__name__)
        first, count = world.part_of(config.tables)
        self.env = TrainingTables(
            rules,
            count,
            [self.current],
            first_table=first,
            observation=observation,
            actions=actions,
            **reward_of(config),
            levels=config.levels,
            one_opponent=config.one_opponent,
            itself=self.current,
            sitting=config.sitting,
            threads=1 if settings.threads == "auto" else settings.threads,
        )
        self.model: PPO = made(
            network,
            self.env,
            **settings.ppo_arguments(),
            kl_coef=settings.kl_coef,
            reward_scale=config.reward_scale,
            seed=config.seed,
            world=world,
            **settings.own,
        )
        self.model.forward = faster_forward(network, settings, torch.from_numpy(examples))
        world.random_apart(config.seed)

    def regularize_toward(self, reference: ActorCritic) -> None:
        self.model.reference_policy = reference

    def agent(self, policy: ActorCritic, name: str) -> FileAgent:
        if policy is self.model.policy:
            return self.current
        current = self.current
        encoders = current.observation_encoder, current.action_encoder
        return agent_of(policy, *encoders, self.config.rules, name=name, algorithm=current.algorithm)

    def set_up(self) -> None:
        self.model.set_up()

    def state(self) -> dict[str, Any]:
        memories = [memory.state() for memory in self._memories()]
        return self.model.state() | {"memories": [as_tensors(memory) for memory in memories]}

    def load_state(self, state: Mapping[str, Any]) -> None:
        self.model.load_state(state)
        for memory, before in zip(self._memories(), state["memories"], strict=True):
            memory.load_state(as_arrays(before))

    def _memories(self) -> list[TableMemory]:
        agents = [getattr(agent, "current", agent) for agent in self.env.agents]
        return [agent.memory for agent in agents if isinstance(agent, MemoryAgent)]

    def save(self, path: Path, policy: ActorCritic) -> None:
        facts = {"decisions": self.model.decisions, "seed": self.config.seed}
        write(path, self.current, policy, self.current.algorithm, facts)
