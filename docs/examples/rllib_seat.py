"""RLlib's PPO in one seat of Leduc poker, against the calling station: `pip install "ray[rllib]==2.60.0"`.

A seat earns at most 1.47 chips a hand from it, and at most 0 without looking at the cards.
"""

import gymnasium
import numpy as np
import ray
import torch
from ray.rllib.algorithms.ppo import PPOConfig
from ray.rllib.core.rl_module.rl_module import RLModuleSpec
from ray.rllib.examples.rl_modules.classes.action_masking_rlm import ActionMaskingTorchRLModule
from ray.tune.registry import register_env

import holdem_env  # noqa: F401 - registers the environments
from holdem_agents.agent_files.logits_agent import LogitsAgent
from holdem_env.arena import exact_value

RULES = "leduc"


class WithMask(gymnasium.ObservationWrapper):
    """The mask of legal actions beside the observation, under RLlib's names."""

    def __init__(self, env):
        super().__init__(env)
        mask = gymnasium.spaces.Box(0, 1, (int(env.action_space.n),), np.float32)
        self.observation_space = gymnasium.spaces.Dict(observations=env.observation_space, action_mask=mask)

    def observation(self, observation):
        return {"observations": observation, "action_mask": self.unwrapped.action_masks().astype(np.float32)}


def make(config):
    """Make one table, with the learner in a seat."""
    return WithMask(gymnasium.make("holdem_env/HoldemSeat-v0", rules=RULES, opponents="calling_station"))


register_env("holdem_seat", make)
network = {"fcnet_hiddens": [64, 64], "head_fcnet_hiddens": []}
config = (
    PPOConfig()
    .environment("holdem_seat")
    .env_runners(num_env_runners=0, num_envs_per_env_runner=16)
    .learners(num_learners=0)
    .rl_module(rl_module_spec=RLModuleSpec(module_class=ActionMaskingTorchRLModule, model_config=network))
    .training(
        gamma=1.0,
        lr=1e-3,
        lambda_=0.95,
        train_batch_size_per_learner=4000,
        minibatch_size=500,
        num_epochs=4,
        entropy_coeff=0.01,
        use_kl_loss=False,
        vf_clip_param=1e9,  # the default of 10 suits other rewards
    )
    .debugging(seed=0)
)
algorithm = config.build_algo()
for _ in range(8):
    print(algorithm.train()["env_runners"]["episode_return_mean"])


def logits(observation):
    """Return (K, 3) logits of (K, D) observations; a mask of ones, as `LogitsAgent` masks."""
    seen = {"observations": torch.from_numpy(observation), "action_mask": torch.ones(len(observation), 3)}
    with torch.no_grad():
        return algorithm.get_module().forward_inference({"obs": seen})["action_dist_inputs"]


agent = LogitsAgent(logits, RULES)
print(exact_value(agent, "calling_station", RULES))  # chips per hand; a player who looks at no card wins at most 0
ray.shutdown()
