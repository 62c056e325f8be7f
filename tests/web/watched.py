"""Run folders and tournament stores of real runs, as small as can be, for the tests of the pages that watch them."""

from __future__ import annotations

from pathlib import Path

from holdem_agents.training.config import Budget, League, Training
from holdem_env import Rules
from holdem_env.arena.tournaments.store import Store
from holdem_env.arena.tournaments.tournament import Tournament, run

LEARNER = {"n_steps": 8, "batch_size": 128, "hidden": [16], "threads": 1}
TINY = Training(
    rules={"preset": "heads-up-no-limit"},
    budget={"decisions": 2000},
    tables=32,
    learner=LEARNER,
    opponents={"latest_self": 0.6, "past_selves": 0.3, "maniac": 0.1},
    past_selves={"copies": 2},
    evaluation={"opponents": ["random", "maniac"], "hands": 100, "times": 2, "past_selves": 0},
)
TINY_LEAGUE = League(
    rules={"preset": "heads-up-no-limit"},
    learners={"plain": {"learner": LEARNER}, "other": {"learner": LEARNER, "actions": "min, all-in"}},
    rounds=2,
    turn=512,
    match_hands=100,
    tables=32,
    evaluation={"opponents": ["random"], "hands": 100},
)


def tiny_run(folder: Path) -> Path:
    """A finished run of a second or two."""
    from holdem_agents.runs.run import train

    return train(TINY, folder, show=False)


def tiny_league(folder: Path) -> Path:
    """A finished league."""
    from holdem_agents.runs.run import train

    return train(TINY_LEAGUE, folder, show=False)


def tiny_seeds(folder: Path) -> Path:
    """Two seeds of one configuration."""
    from holdem_agents.runs.run_groups import train_seeds

    return train_seeds(TINY.model_copy(update={"budget": Budget(decisions=1000)}), [0, 1], folder, show=False)


def tiny_tournament(path: Path, hands: int = 400, agents: tuple[str, ...] = ("maniac", "random", "nit")) -> Path:
    """A tournament that is played as far as this many hands."""
    settings = Tournament(
        rules=Rules.preset("heads-up-no-limit"), agents=agents, hands=hands, shard=100, isolation="none"
    )
    with Store(path, create=True) as store:
        run(settings, store)
    return path
