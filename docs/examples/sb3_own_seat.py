"""PettingZoo's tutorial game with SB3, each decision paid what its own seat won: one network learns both seats.

    python docs/examples/sb3_own_seat.py                        # Leduc poker, trained and measured
    python docs/examples/sb3_own_seat.py --credit mover         # the same with the tutorial's credit
    python docs/examples/sb3_own_seat.py --game connect_four    # needs `pip install "pettingzoo[classic]"`

SB3 knows one agent, an AEC game has several. PettingZoo's tutorial bridges that by a wrapper in which every step is the
move of the seat that is to act (`EveryMove` below, credit "mover"): it trains on the rewards of two opponents as if one
player had got them all. `OwnSeat` (credit "own_seat") goes from one decision of a seat to that seat's next one.
It works with every AEC environment whose observations have an "action_mask".
"""

from __future__ import annotations

import argparse
from typing import Any

import gymnasium
import numpy as np
import torch
from pettingzoo.utils.env import AECEnv
from sb3_contrib import MaskablePPO

from holdem_agents.agent_files.logits_agent import LogitsAgent
from holdem_env import holdem_v0
from holdem_env.arena import exact_value, exploitability


class Seats(gymnasium.Env):
    """What both wrappers share: the spaces of the first agent, and the mask of the agent to act."""

    def __init__(self, env: AECEnv, seed: int = 0) -> None:
        self.env, self.first_seed = env, seed
        first = env.possible_agents[0]
        space = env.observation_space(first)["observation"]
        self.observation_space = gymnasium.spaces.Box(-np.inf, np.inf, (int(np.prod(space.shape)),), np.float32)
        self.action_space = env.action_space(first)

    def seen(self, agent: str) -> np.ndarray:
        """What the agent sees, (D,) float32."""
        return self.env.observe(agent)["observation"].astype(np.float32).ravel()

    def action_masks(self) -> np.ndarray:
        """(A,) bool: what the agent to act may do. MaskablePPO asks for it by this name."""
        return self.env.observe(self.env.agent_selection)["action_mask"].astype(bool)

    def deal(self) -> None:
        """Begin an episode; only the first one is seeded, the others follow from it."""
        self.env.reset(seed=self.first_seed)
        self.first_seed = None


class EveryMove(Seats):
    """Wrong: a step is anybody's move. The observation is the next player's, the reward is the mover's.

    Two things go wrong. When a move ends the game, only its player is paid: in poker, who bet and saw the other fold
    gets nothing. And the advantage of a move counts what came after it: the opponent's rewards, with the sign that they
    have for the opponent.
    """

    def reset(self, *, seed: int | None = None, options: dict[str, Any] | None = None):
        """Begin an episode."""
        super().reset(seed=seed)
        self.deal()
        return self.seen(self.env.agent_selection), {}

    def step(self, action: int):
        """The move of the seat that is to act."""
        mover = self.env.agent_selection
        self.env.step(int(action))
        reward, over = self.env._cumulative_rewards[mover], self.env.terminations[mover]
        return self.seen(self.env.agent_selection), reward, over, self.env.truncations[mover], {}


class OwnSeat(Seats):
    """Right: a step goes from one decision of the learner's seat to its next; its reward is what that seat got between.

    The other seats play `self.opponent`, a function from an observation and a mask to an action: random at first, and
    the learner itself once `play_yourself` is called. The learner's seat changes from episode to episode, so that the
    network learns all of them.
    """

    def __init__(self, env: AECEnv, seed: int = 0) -> None:
        super().__init__(env, seed)
        self.generator = np.random.default_rng(seed)
        self.opponent = lambda seen, mask: int(self.generator.choice(np.flatnonzero(mask)))
        self.episodes = 0

    def play_yourself(self, model: MaskablePPO) -> None:
        """From now on the other seats play what the model has learnt so far."""
        self.opponent = lambda seen, mask: int(model.predict(seen, action_masks=mask)[0])

    def reset(self, *, seed: int | None = None, options: dict[str, Any] | None = None):
        """Begin an episode in the next seat. An episode that is over before the learner acts is left out."""
        super().reset(seed=seed)
        while True:
            self.deal()
            self.me = self.env.possible_agents[self.episodes % len(self.env.possible_agents)]
            self.episodes += 1
            if not self.opponents_play()[1]:
                return self.seen(self.me), {}

    def step(self, action: int):
        """The learner's move, then the others' moves up to the learner's next decision."""
        self.env.step(int(action))
        reward, terminated, truncated = self.opponents_play()
        return self.seen(self.me), reward, terminated, truncated, {}

    def opponents_play(self) -> tuple[float, bool, bool]:
        """Play until the learner is to act or out; what its seat got meanwhile, and whether it is out."""
        for agent in self.env.agent_iter():
            _, reward, terminated, truncated, _ = self.env.last(observe=False)
            if agent == self.me:
                return reward, terminated, truncated  # `reward` is all that this seat got since its last step
            out = terminated or truncated
            self.env.step(None if out else self.opponent(self.seen(agent), self.action_masks()))
        raise RuntimeError("the episode ended before the learner's seat was paid")


def make_env(game: str) -> AECEnv:
    """Connect four, or any of our games: a preset's name or whatever else `rules` takes."""
    if game == "connect_four":
        from pettingzoo.classic import connect_four_v3

        return connect_four_v3.env()
    return holdem_v0.env(rules=game)


def train(game: str, credit: str, steps: int, seed: int = 0) -> MaskablePPO:
    """MaskablePPO with either credit; everything else is the same."""
    env = (OwnSeat if credit == "own_seat" else EveryMove)(make_env(game), seed)
    model = MaskablePPO("MlpPolicy", env, gamma=1.0, ent_coef=0.01, learning_rate=1e-3, seed=seed)
    if credit == "own_seat":
        env.play_yourself(model)
    return model.learn(steps)


def as_agent(model: MaskablePPO, game: str) -> LogitsAgent:
    """The model as an agent of our arena: for matches, and for exact values in small games."""

    def logits(seen: np.ndarray) -> np.ndarray:
        with torch.no_grad():
            return model.policy.get_distribution(torch.from_numpy(seen)).distribution.logits.numpy()

    return LogitsAgent(logits, game, name=f"{game} with SB3")


def against_random(model: MaskablePPO, game: str, episodes: int, seed: int = 1) -> tuple[float, float]:
    """What the model wins per episode against random moves, seats in turn, in any AEC game; and the standard error."""
    env = OwnSeat(make_env(game), seed)
    won = []
    for _ in range(episodes):
        seen, _ = env.reset()
        total, over = 0.0, False
        while not over:
            action, _ = model.predict(seen, action_masks=env.action_masks())
            seen, reward, terminated, truncated, _ = env.step(action)
            total, over = total + reward, terminated or truncated
        won.append(total)
    return float(np.mean(won)), float(np.std(won) / np.sqrt(episodes))


def arguments(given: list[str] | None = None) -> argparse.Namespace:
    """The command line."""
    parser = argparse.ArgumentParser(
        description="MaskablePPO on an AEC game, each decision paid what its own seat won."
    )
    parser.add_argument("--game", default="leduc", help="connect_four, or a preset such as leduc or heads-up-limit")
    parser.add_argument("--credit", choices=["own_seat", "mover"], default="own_seat")
    parser.add_argument("--steps", type=int, default=20_480)
    parser.add_argument("--seed", type=int, default=0)
    return parser.parse_args(given)


if __name__ == "__main__":
    args = arguments()
    torch.set_num_threads(1)
    trained = train(args.game, args.credit, args.steps, args.seed)
    mean, error = against_random(trained, args.game, 1_000)
    print(f"{args.game}, credit {args.credit}: {mean:+.3f} ± {1.96 * error:.3f} per episode against random moves")
    if args.game in ("kuhn", "leduc"):
        player = as_agent(trained, args.game)
        for opponent in ("random", "calling_station"):
            print(f"exactly {exact_value(player, opponent, args.game):+.3f} chips per hand against {opponent}")
        print(f"exploitability {exploitability(player, args.game):.3f}")
