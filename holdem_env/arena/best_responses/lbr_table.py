"""Local best response in several settings, on several processes: a table of lower bounds. All settings meet the same
decks. They are played in parts of a thousand hands, so the results are the same on any number of processes."""

from __future__ import annotations

import csv
import io
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import islice
from pathlib import Path
from uuid import uuid4

import numpy as np
from numpy.typing import NDArray

from ...agents.protocol import Agent
from ...agents.registry import make_agent
from ...game.rules import Rules
from ...game.rules_input import RulesLike, as_rules
from ...utils.atomic import write_atomically
from ...utils.runner import Runner, in_order
from .local import FOLD_CALL, LocalBestResponse, check_settings, summed_up, won_by_deal

OFF_TREE = "30%, 60%, 75%, 120%, 250%, all-in"
"""Sizes that few strategies have in their trees: who maps them to others badly loses to them."""
PART_HANDS = 1024
PUBLISHED = ((FOLD_CALL, 0), ("fcpa", 2))
"""The settings, actions and first street, in which Lisý and Bowling (2017) measured no-limit programs."""
COLUMNS = ("agent", "actions", "from_street", "mbb_per_hand", "half_width_95", "hands", "deals", "seed", "is_published")


@dataclass(frozen=True)
class _Part:
    """Hands of one setting. number: which part of it. call: which call of `local_best_responses` plays it."""

    agent: str | Agent
    rules: Rules
    hands: int
    actions: str
    from_street: int
    seed: int
    number: int
    call: str


def usual_actions(rules: Rules) -> tuple[str, ...]:
    """What the response may do by default: "fc", "fcpa" and sizes off the tree; in fixed limit "fc" and "limit"."""
    return (FOLD_CALL, "limit") if rules.structure == "fixed_limit" else (FOLD_CALL, "fcpa", OFF_TREE)


def is_published(result: LocalBestResponse, rules: Rules) -> bool:
    """Whether figures of known programs are published for this setting."""
    return rules.structure == "no_limit" and (result.actions, result.from_street) in PUBLISHED


def local_best_responses(
    agent: str | Agent,
    rules: RulesLike,
    hands: int = 10_000,
    actions: Sequence[str] = (),
    from_streets: Sequence[int] = (),
    seed: int = 0,
    jobs: int = 1,
    progress: Callable[[int], None] | None = None,
) -> Iterator[LocalBestResponse]:
    """Play `local_best_response` in each setting.

    Args:
        agent: Its name or file, or an agent as an object, which must be picklable with several jobs.
        rules: The game.
        hands: Hands of each setting, at least.
        actions: Action settings, each played from every one of `from_streets`. By default those of `usual_actions`.
        from_streets: First streets of the response. By default every street.
        seed: Seed of the decks, which are the same in all settings.
        jobs: Processes, -1 for one on each core. The results do not depend on them.
        progress: Called with the number of hands played.

    Returns:
        An iterator of results as they are known, actions by actions and street by street.

    Raises:
        ValueError: If `local_best_response` refuses a setting, before anything is played.
        StrategyUnknown: If the agent gives no probabilities.
        ModuleNotFoundError: If `jobs` is not 1 and loky is missing.
    """
    rules = as_rules(rules)
    each, streets = tuple(actions) or usual_actions(rules), tuple(from_streets) or tuple(range(rules.streets))
    call = uuid4().hex
    one = _made(agent, call)
    for name in each:
        for street in streets:
            check_settings(one, rules, hands, name, street)
    settings = [(name, street) for name in each for street in streets]
    sizes = [min(PART_HANDS, hands - first) for first in range(0, hands, PART_HANDS)]
    tasks = [
        _Part(agent, rules, size, name, street, seed, part, call)
        for name, street in settings
        for part, size in enumerate(sizes)
    ]
    return _played(one.name, rules, settings, tasks, jobs, progress)


def save_table(results: Sequence[LocalBestResponse], rules: Rules, seed: int, path: Path | str) -> None:
    """Write results as a CSV file, one setting a row, figures in mbb/h."""
    text = io.StringIO()
    writer = csv.writer(text, lineterminator="\n")
    writer.writerow(COLUMNS)
    for each in results:
        setting = each.agent, each.actions, each.from_street, f"{each.mean:.1f}", f"{each.half_width:.1f}"
        writer.writerow((*setting, each.hands, each.deals, seed, int(is_published(each, rules))))
    write_atomically(path, text.getvalue())


def _played(
    name: str,
    rules: Rules,
    settings: Sequence[tuple[str, int]],
    tasks: Sequence[_Part],
    jobs: int,
    progress: Callable[[int], None] | None,
) -> Iterator[LocalBestResponse]:
    with Runner(jobs) as runner:
        outcomes = in_order(runner.run(_play_part, tasks))
        for menu, street in settings:
            deals = []
            for outcome in islice(outcomes, len(tasks) // len(settings)):
                deals.append(outcome.result())
                if progress:
                    progress(2 * len(deals[-1]))
            yield summed_up(name, rules, np.concatenate(deals), menu, street)


def _play_part(part: _Part) -> NDArray[np.float64]:
    agent = _made(part.agent, part.call)
    return won_by_deal(agent, part.rules, part.hands, part.actions, part.from_street, part.seed, part=part.number)


def _made(agent: str | Agent, call: str) -> Agent:
    return _read(agent, call) if isinstance(agent, str) else agent


@lru_cache(maxsize=1)
def _read(agent: str, call: str) -> Agent:
    """An agent by its name or file, made once in a process for each call; its file may change between calls."""
    return make_agent(agent)
