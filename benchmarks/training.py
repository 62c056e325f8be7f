"""What the environment costs a learner: HoldemVecEnv beside Tables, and its part of a PPO run. One core."""

from __future__ import annotations

from functools import partial

from holdem_env import Rules, Tables
from holdem_env.envs.sb3 import HoldemVecEnv

from .environments import tables
from .measure import Contestant, Options, Spread, Stopwatch, on_one_core, race, spread

NUM_TABLES, STEPS, ROLLOUT = 1024, 50, 32
RULES = Rules(seats=2, blinds=(1, 2), stacks=200)


def vector(opponent: str) -> Contestant:
    """HoldemVecEnv.step with random offered actions; what counts are the learner's decisions alone."""
    env = HoldemVecEnv(RULES, num_envs=NUM_TABLES, opponents=[opponent], seed=0)
    env.reset()
    picker = Tables(RULES, NUM_TABLES)  # its random_actions draws from any mask

    def work() -> int:
        for step in range(STEPS):
            picker.mask[:] = env.tables.mask
            env.step(picker.random_actions(salt=step))
        return STEPS * NUM_TABLES

    return work


def share_of_ppo(options: Options) -> Spread:
    """The part of a MaskablePPO run, two layers of 256, that passes in HoldemVecEnv.step; one figure for each update,
    the first one not counted."""
    import torch
    from sb3_contrib import MaskablePPO

    torch.set_num_threads(1)
    env = _Timed(RULES, num_envs=NUM_TABLES, opponents=["calling_station"], seed=0)
    layers = {"net_arch": [256, 256]}
    model = MaskablePPO("MlpPolicy", env, n_steps=ROLLOUT, batch_size=2048, n_epochs=3, policy_kwargs=layers, seed=0)

    def share_of_update() -> float:
        env.watch = Stopwatch()
        with Stopwatch() as whole:
            model.learn(ROLLOUT * NUM_TABLES, reset_num_timesteps=False)
        return env.watch.seconds / whole.seconds

    share_of_update()
    return spread(share_of_update() for _ in range(max(1, options.repeats // 2)))  # an update takes seconds


class _Timed(HoldemVecEnv):
    watch = Stopwatch()

    def step_wait(self):  # type: ignore[no-untyped-def]
        with self.watch:
            return super().step_wait()


@on_one_core()
def main(options: Options) -> None:
    """A learner's decisions beside all decisions, then what they cost a PPO run."""
    makers = {"Tables": partial(tables, 2, NUM_TABLES, STEPS)}
    makers |= {f"HoldemVecEnv against {name}": partial(vector, name) for name in ("calling_station", "maniac")}
    race(f"A learner's seat, {NUM_TABLES:,} tables, heads-up", "decisions/s", makers, options)
    title = "MaskablePPO, two layers of 256, 3 epochs"
    if options.wants(title):
        median, low, high = share_of_ppo(options)
        print(f"\n{title}: {median:.2%} ({low:.2%} to {high:.2%}) of the time is HoldemVecEnv.step")
