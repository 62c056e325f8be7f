"""TorchRL's PPO on a batch of tables, fixed limit against the calling station: `pip install torchrl==0.14.1`."""

import gymnasium
import torch
from tensordict import TensorDict
from tensordict.nn import TensorDictModule
from torch import nn
from torchrl.collectors import Collector
from torchrl.data import Binary, Categorical, Composite, Unbounded
from torchrl.envs import EnvBase
from torchrl.modules import MaskedCategorical, ProbabilisticActor, ValueOperator
from torchrl.objectives import ClipPPOLoss
from torchrl.objectives.value import GAE

import holdem_env  # noqa: F401 - registers the environments
from holdem_agents.agent_files.logits_agent import LogitsAgent
from holdem_env.arena import play_match


class HoldemTables(EnvBase):
    """Gymnasium's vector environment as a batch of tables; finished hands are followed by the next."""

    def __init__(self, tables, **game):
        super().__init__(batch_size=[tables])
        self.envs = gymnasium.make_vec("holdem_env/HoldemSeat-v0", num_envs=tables, **game)
        numbers, actions = self.envs.single_observation_space.shape[0], int(self.envs.single_action_space.n)
        self.observation_spec = Composite(
            observation=Unbounded((tables, numbers)),
            action_mask=Binary(actions, (tables, actions), dtype=torch.bool),
            shape=(tables,),
        )
        self.action_spec = Categorical(actions, (tables,))
        self.reward_spec = Unbounded((tables, 1))
        ends = {key: Binary(1, (tables, 1), dtype=torch.bool) for key in ("done", "terminated")}
        self.done_spec = Composite(ends, shape=(tables,))
        self.first_seed = 0

    def _set_seed(self, seed):
        self.first_seed = seed

    def _see(self, observation, infos):
        mask = torch.from_numpy(infos["action_mask"]).bool()
        self.now = {"observation": torch.from_numpy(observation), "action_mask": mask}

    def _reset(self, tensordict=None):
        if tensordict is None or "_reset" not in tensordict:  # at the beginning; later the next hands are dealt already
            self._see(*self.envs.reset(seed=self.first_seed))
        return TensorDict(self.now, batch_size=self.batch_size)

    def _step(self, tensordict):
        observation, reward, terminated, _, infos = self.envs.step(tensordict["action"].numpy())
        self._see(observation, infos)
        done = torch.from_numpy(terminated)[:, None]
        paid = {"reward": torch.from_numpy(reward).float()[:, None], "done": done, "terminated": done}
        return TensorDict({**self.now, **paid}, batch_size=self.batch_size)


RULES, TABLES = "heads-up-limit", 256
torch.manual_seed(0)
torch.set_num_threads(1)
env = HoldemTables(TABLES, rules=RULES, opponents="calling_station")
numbers, actions = env.observation_spec["observation"].shape[-1], env.action_spec.space.n


def network(outputs):
    """Make a network of two layers."""
    return nn.Sequential(nn.Linear(numbers, 64), nn.Tanh(), nn.Linear(64, 64), nn.Tanh(), nn.Linear(64, outputs))


logits = network(actions)
actor = ProbabilisticActor(
    TensorDictModule(logits, in_keys=["observation"], out_keys=["logits"]),
    in_keys={"logits": "logits", "mask": "action_mask"},  # the masks of the rollout count in the loss, too
    out_keys=["action"],
    distribution_class=MaskedCategorical,
    return_log_prob=True,
)
critic = ValueOperator(network(1), in_keys=["observation"])
advantage = GAE(gamma=1.0, lmbda=0.95, value_network=critic)
ppo = ClipPPOLoss(actor, critic, entropy_coeff=0.01, normalize_advantage=True)
optimizer = torch.optim.Adam(ppo.parameters(), lr=1e-3)

for data in Collector(env, actor, frames_per_batch=16 * TABLES, total_frames=100 * 16 * TABLES):
    advantage(data)
    data = data.reshape(-1)
    for _ in range(3):
        for rows in torch.randperm(len(data)).split(1024):
            losses = ppo(data[rows])
            optimizer.zero_grad()
            (losses["loss_objective"] + losses["loss_critic"] + losses["loss_entropy"]).backward()
            nn.utils.clip_grad_norm_(ppo.parameters(), 0.5)
            optimizer.step()

agent = LogitsAgent(lambda observation: logits(torch.from_numpy(observation)).detach(), RULES)
print(play_match(agent, "calling_station", RULES, hands=20_000))
