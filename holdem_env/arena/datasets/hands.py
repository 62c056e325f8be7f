"""`make_hands`: agents play each other, and their hands become one file of arrays (`history.hand_arrays`)."""

from __future__ import annotations

import json
import shutil
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from ...compiled.records import Records
from ...game.rules import Rules
from ...game.rules_input import RulesLike, as_rules
from ...history.hand_arrays import FIELDS, SUFFIX, HandArrays, check_arrays, joined, load_hands, save_hands
from ...utils.atomic import write_atomically
from ...utils.runner import Runner
from ..matches.match import number_of_deals, play_deals
from ..matches.seating import balanced_lineups, plays_duplicates
from ..tournaments.entrants import Entrant, digest_of
from .data_card import check_new, write_data_card

DEALS = 20_000  # deals of a part: what an interruption can lose
PARTS, PLAN = ".parts", "plan.json"
LINEUPS = 0


@dataclass(frozen=True)
class _Part:
    """Deals first..first+count-1. path: where their hands are written."""

    entrants: tuple[Entrant, ...]
    rules: Rules
    first: int
    count: int
    seed: int
    path: Path


def make_hands(
    agents: Sequence[str],
    path: str | Path,
    hands: int,
    rules: RulesLike = "heads-up-no-limit",
    seed: int = 0,
    jobs: int = 1,
    command: str = "",
    progress: Callable[[int], None] | None = None,
) -> HandArrays:
    """Play hands between agents, write them with a data card, and return them.

    After an interruption, the same call continues.

    Args:
        agents: Names or files, two or more. Line-ups are balanced, and every deal is played from all seats.
        path: The file to write.
        hands: Hands to play, rounded up to whole deals.
        rules: The game.
        seed: Seed of the decks.
        jobs: Processes. The hands do not depend on it.
        command: The command, for the data card.
        progress: Called with the number of hands after each part.

    Raises:
        ValueError: If the game is not Texas hold'em, an agent cannot be made, or parts of other hands exist.
        FileExistsError: If the file exists.
        Exception: Whatever an agent raises.
    """
    path, game = Path(path), as_rules(rules)
    check_new(path, SUFFIX)
    check_arrays(game)
    if len(agents) < 2 or hands < 1:
        raise ValueError(f"hands must be 1 or more, of two agents or more, got {hands} of {len(agents)}")
    made = [json.dumps({"agent": name}) for name in agents]
    entrants = tuple(Entrant(name, one, digest_of(one)) for name, one in zip(agents, made, strict=True))
    prints = {entrant.name: json.loads(entrant.make_fingerprint()) for entrant in entrants}
    deals = number_of_deals(hands, game.seats, plays_duplicates([entrant.agent() for entrant in entrants]))
    folder = path.with_name(path.name + PARTS)
    plan = {"agents": prints, "rules": game.model_dump(mode="json"), "deals": deals, "seed": seed}
    folder.mkdir(parents=True, exist_ok=True)
    if (folder / PLAN).is_file() and (folder / PLAN).read_text(encoding="utf-8") != json.dumps(plan):
        raise ValueError(f"{folder} holds parts of other hands; remove it, or name another file")
    write_atomically(folder / PLAN, json.dumps(plan))
    parts = [
        _Part(entrants, game, first, min(DEALS, deals - first), seed, folder / f"{first}{SUFFIX}")
        for first in range(0, deals, DEALS)
    ]
    with Runner(jobs) as runner:
        for outcome in runner.run(_play, [part for part in parts if not part.path.is_file()]):
            count = outcome.result()
            if progress is not None:
                progress(count)
    found = joined([load_hands(part.path) for part in parts], {"seed": seed, "agents": prints, "command": command})
    _write(found, path, command)
    shutil.rmtree(folder)
    return found


def _play(part: _Part) -> int:
    agents, found = [entrant.agent() for entrant in part.entrants], list[HandArrays]()
    names = [entrant.name for entrant in part.entrants]

    def finished(tables: Records, seating: NDArray[np.int64]) -> None:
        found.append(HandArrays.of(tables, part.rules, seating, names))

    numbers = range(part.first, part.first + part.count)
    lineup = balanced_lineups(len(agents), part.rules.seats, np.array(numbers), LINEUPS)
    play_deals(part.rules, agents, lineup, numbers, part.seed, finished=finished)
    hands = joined(found)
    save_hands(hands, part.path)
    return len(hands)


def _write(found: HandArrays, path: Path, command: str) -> None:
    save_hands(found, path)
    facts = {"Hands": f"{len(found):,}, {len(found.move):,} moves", "Seed": found.about["seed"]}
    prints = found.about["agents"]
    facts |= {f"Agent {k}": f"{name} {json.dumps(prints[name])}" for k, name in enumerate(found.agents)}
    facts["Rules"] = json.dumps(found.rules.model_dump(mode="json", exclude_unset=True))
    facts["Read it by"] = "`holdem_env.history.load_hands`; `decisions` gives the table before each move"
    about = "Hands that agents played against each other, with fresh stacks, every deal from all seats."
    write_data_card(path, about, command, facts, found.arrays, FIELDS)
