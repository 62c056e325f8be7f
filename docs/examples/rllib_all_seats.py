"""RLlib's PPO in all seats of Leduc poker: `pip install "ray[rllib]==2.60.0"`.

`PettingZooEnv` pays each agent what its own seat won. The reported mean returns do not sum to zero: ignore them.
"""

import gymnasium
import numpy as np
import ray
import torch
from pettingzoo.utils import BaseWrapper
from ray.rllib.algorithms.ppo import PPOConfig
from ray.rllib.core.rl_module.multi_rl_module import MultiRLModuleSpec
from ray.rllib.core.rl_module.rl_module import RLModuleSpec
from ray.rllib.env.wrappers.pettingzoo_env import PettingZooEnv
from ray.rllib.examples.rl_modules.classes.action_masking_rlm import ActionMaskingTorchRLModule
from ray.tune.registry import register_env

from holdem_agents.agent_files.logits_agent import LogitsAgent
from holdem_env import holdem_v0
from holdem_env.arena import exact_value, exploitability

RULES = "leduc"


class RllibNames(BaseWrapper):
    """Observation and mask under RLlib's names."""

    def observation_space(self, agent):
        space = self.env.observation_space(agent)
        mask = gymnasium.spaces.Box(0, 1, space["action_mask"].shape, np.float32)
        return gymnasium.spaces.Dict(observations=space["observation"], action_mask=mask)

    def observe(self, agent):
        seen = self.env.observe(agent)
        return {"observations": seen["observation"], "action_mask": seen["action_mask"].astype(np.float32)}


register_env("holdem", lambda config: PettingZooEnv(RllibNames(holdem_v0.env(rules=RULES))))
network = {"fcnet_hiddens": [64, 64], "head_fcnet_hiddens": []}
module = RLModuleSpec(module_class=ActionMaskingTorchRLModule, model_config=network)
config = (
    PPOConfig()
    .environment("holdem", disable_env_checking=True)  # the check plays a random action, legal or not
    .env_runners(num_env_runners=0, num_envs_per_env_runner=16, rollout_fragment_length=10)
    .learners(num_learners=0)
    .multi_agent(policies={"shared"}, policy_mapping_fn=lambda agent, episode, **kwargs: "shared")
    .rl_module(rl_module_spec=MultiRLModuleSpec(rl_module_specs={"shared": module}))
    .training(
        gamma=1.0,
        lr=1e-3,
        lambda_=0.95,
        train_batch_size_per_learner=4000,
        minibatch_size=500,
        num_epochs=4,
        entropy_coeff=0.03,
        use_kl_loss=False,
        vf_clip_param=1e9,
    )
    .debugging(seed=0)
)
algorithm = config.build_algo()
for _ in range(8):
    algorithm.train()


def logits(observation):
    """Return (K, 3) logits of (K, D) observations; a mask of ones, as `LogitsAgent` masks."""
    seen = {"observations": torch.from_numpy(observation), "action_mask": torch.ones(len(observation), 3)}
    with torch.no_grad():
        return algorithm.get_module("shared").forward_inference({"obs": seen})["action_dist_inputs"]


agent = LogitsAgent(logits, RULES)
print(exact_value(agent, "random", RULES), exploitability(agent, RULES))
ray.shutdown()
