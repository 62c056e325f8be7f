"""What the environment costs a learner: HoldemVecEnv beside Tables, and its part of a PPO run. One core."""

from __future__ import annotations

import time

from holdem_env import Rules, Tables
from holdem_env.envs.sb3 import HoldemVecEnv

from .environments import tables
from .measure import Contestant, on_one_core, print_rates, rates

NUM_TABLES, STEPS, ROLLOUT = 1024, 100, 32
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


def share_of_ppo(updates: int = 3) -> float:
    """The part of a MaskablePPO run, two layers of 256, that passes in HoldemVecEnv.step."""
    import torch
    from sb3_contrib import MaskablePPO

    torch.set_num_threads(1)
    env = _Timed(RULES, num_envs=NUM_TABLES, opponents=["calling_station"], seed=0)
    layers = {"net_arch": [256, 256]}
    model = MaskablePPO("MlpPolicy", env, n_steps=ROLLOUT, batch_size=2048, n_epochs=3, policy_kwargs=layers, seed=0)
    start, env.seconds = time.perf_counter(), 0.0
    model.learn(updates * ROLLOUT * NUM_TABLES)
    return env.seconds / (time.perf_counter() - start)


class _Timed(HoldemVecEnv):
    seconds = 0.0

    def step_wait(self):  # type: ignore[no-untyped-def]
        start = time.perf_counter()
        result = super().step_wait()
        self.seconds += time.perf_counter() - start
        return result


@on_one_core()
def main() -> None:
    contestants = {"Tables": tables(2, NUM_TABLES, STEPS)}
    contestants |= {f"HoldemVecEnv against {name}": vector(name) for name in ("calling_station", "maniac")}
    print_rates(f"A learner's seat, {NUM_TABLES:,} tables, heads-up", rates(contestants), "Tables", "decisions/s")
    print(f"\nMaskablePPO, two layers of 256, 3 epochs: {share_of_ppo():.1%} of the time is HoldemVecEnv.step")


if __name__ == "__main__":
    main()
