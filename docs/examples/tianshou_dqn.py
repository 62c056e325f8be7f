"""Tianshou's DQN in one seat of Leduc poker, against the calling station: `pip install tianshou==2.0.1`."""

import gymnasium
import numpy as np
import torch
from tianshou.algorithm import DQN
from tianshou.algorithm.modelfree.dqn import DiscreteQLearningPolicy
from tianshou.algorithm.optim import AdamOptimizerFactory
from tianshou.data import Collector, VectorReplayBuffer
from tianshou.env import DummyVectorEnv
from tianshou.trainer import OffPolicyTrainerParams
from tianshou.utils.net.common import Net

import holdem_env  # noqa: F401 - registers the environments
from holdem_agents.agent_files.logits_agent import LogitsAgent
from holdem_env.arena import exact_value

RULES, TABLES = "leduc", 32


class WithMask(gymnasium.ObservationWrapper):
    """The mask of legal actions beside the observation, under Tianshou's names."""

    def __init__(self, env):
        super().__init__(env)
        mask = gymnasium.spaces.MultiBinary(int(env.action_space.n))
        self.observation_space = gymnasium.spaces.Dict(obs=env.observation_space, mask=mask)

    def observation(self, observation):
        return {"obs": observation, "mask": self.unwrapped.action_masks().astype(bool)}


def make(table=0):
    """Make one table, with the learner in a seat."""
    seat = {"rules": RULES, "opponents": "calling_station", "table_id": table}  # other tables have other cards
    return WithMask(gymnasium.make("holdem_env/HoldemSeat-v0", **seat))


np.random.seed(0)  # noqa: NPY002 - what Tianshou samples from
torch.manual_seed(0)
torch.set_num_threads(1)
env, envs = make(), DummyVectorEnv([lambda table=table: make(table) for table in range(TABLES)])
envs.seed([0] * TABLES)
network = Net(
    state_shape=env.observation_space["obs"].shape, action_shape=int(env.action_space.n), hidden_sizes=(64, 64)
)
policy = DiscreteQLearningPolicy(
    model=network, action_space=env.action_space, observation_space=env.observation_space, eps_training=0.1
)
learner = DQN(policy=policy, optim=AdamOptimizerFactory(lr=1e-3), gamma=1.0, target_update_freq=100)
training = Collector(learner, envs, VectorReplayBuffer(20_000, TABLES), exploration_noise=True)
training.reset()
training.collect(n_step=32 * TABLES)
learner.run_training(
    OffPolicyTrainerParams(
        training_collector=training,
        max_epochs=2,
        epoch_num_steps=5_120,
        collection_step_num_env_steps=10 * TABLES,
        update_step_num_gradient_steps_per_sample=0.1,
        batch_size=256,
        show_progress=False,
    )
)
agent = LogitsAgent(lambda observation: network(observation)[0].detach(), RULES, deterministic=True)
print(exact_value(agent, "calling_station", RULES))  # chips per hand
