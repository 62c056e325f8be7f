"""SB3 learns PettingZoo's classic poker and our drop-ins, side by side: `python -m benchmarks.drop_in`, half an hour.

MaskablePPO learns one seat against random moves, by the wrapper of `docs/examples/sb3_own_seat.py`: once in
`pettingzoo.classic` (rlcard and pygame, the extra `bench`), once in `holdem_env.pettingzoo`. Printed is what it wins a
hand against random moves there, in the environment's unit; at the end also what it wins in the other package, whose
numbers and actions mean the same. `--save` writes the picture.
"""

from __future__ import annotations

import argparse
import runpy
import warnings
from importlib import import_module
from pathlib import Path
from typing import Any

import numpy as np

from holdem_env.render.charts import Curve, curve_svg

GAMES = {
    "texas_holdem_no_limit": ("pettingzoo.classic.texas_holdem_no_limit_v6", "texas_holdem_no_limit_v7"),
    "texas_holdem": ("pettingzoo.classic.texas_holdem_v4", "texas_holdem_v5"),
    "leduc_holdem": ("pettingzoo.classic.leduc_holdem_v4", "leduc_holdem_v5"),
}
UNITS = {"texas_holdem_no_limit": "chips", "texas_holdem": "big blinds", "leduc_holdem": "big blinds"}
PACKAGES = ("PettingZoo", "holdem_env")
EXAMPLE = Path(__file__).parent.parent / "docs" / "examples" / "sb3_own_seat.py"
EACH, HANDS = 5_000, 1_000
"""Decisions between measurements, and hands of each."""


def environment(game: str, package: str) -> Any:
    """The AEC environment of a package."""
    theirs, ours = GAMES[game]
    return import_module(theirs if package == "PettingZoo" else f"holdem_env.pettingzoo.{ours}").env()


def won(own_seat: Any, model: Any, game: str, package: str, seed: int) -> float:
    """What a model wins a hand against random moves."""
    env, total = own_seat(environment(game, package), seed), 0.0
    for _ in range(HANDS):
        seen, _ = env.reset()
        over = False
        while not over:
            seen, reward, terminated, truncated, _ = env.step(
                model.predict(seen, action_masks=env.action_masks(), deterministic=False)[0]
            )
            total, over = total + reward, terminated or truncated
    return total / HANDS


def learn(game: str, package: str, steps: int, seed: int) -> tuple[list[float], float]:
    """What a model wins as it learns, and at the end in the other package."""
    from sb3_contrib import MaskablePPO

    own_seat = runpy.run_path(str(EXAMPLE))["OwnSeat"]
    env = own_seat(environment(game, package), seed)
    model = MaskablePPO("MlpPolicy", env, gamma=1.0, ent_coef=0.01, learning_rate=1e-3, seed=seed)
    found = []
    for _ in range(steps // EACH):
        model.learn(EACH, reset_num_timesteps=False)
        found.append(won(own_seat, model, game, package, 1_000 + seed))
    other = PACKAGES[package == PACKAGES[0]]
    return found, won(own_seat, model, game, other, 1_000 + seed)


def main() -> None:
    """Learn each game in both packages."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.drop_in", description=__doc__.splitlines()[0])
    parser.add_argument("--games", nargs="+", choices=list(GAMES), default=["texas_holdem_no_limit", "leduc_holdem"])
    parser.add_argument("--steps", type=int, default=20_000, help="decisions (%(default)s)")
    parser.add_argument("--seeds", type=int, default=3)
    parser.add_argument("--save", type=Path, help="a folder for the pictures, GAME.svg")
    given = parser.parse_args()
    warnings.simplefilter("ignore")  # PettingZoo's and Gymnasium's of their own environments
    at = [EACH * (k + 1) for k in range(given.steps // EACH)]
    for game in given.games:
        curves = []
        for package in PACKAGES:
            learned = [learn(game, package, given.steps, seed) for seed in range(given.seeds)]
            values, there = np.array([each for each, _ in learned]), np.array([other for _, other in learned])
            half = 1.96 * values.std(axis=0, ddof=1) / given.seeds**0.5
            mean = values.mean(axis=0)
            curves.append(Curve(package, at, mean.tolist(), (mean - half).tolist(), (mean + half).tolist()))
            steps = ", ".join(f"{value:+.2f}" for value in mean)
            print(f"{game}, {package}: {steps} ± {half[-1]:.2f}; in the other {there.mean():+.2f}", flush=True)
        if given.save:
            title, note = f"MaskablePPO in {game}", "Won a hand from random moves; bands are 95 % over seeds"
            picture = curve_svg(curves, title, "decisions", UNITS[game], note, has_zero=True)
            (given.save / f"{game}.svg").write_text(picture)


if __name__ == "__main__":
    main()
