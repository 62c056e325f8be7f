"""`check_agent`: checks that an agent plays by the rules in any game, does not cheat, and plays by the probabilities
that it gives."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from ..agents.names import AGENTS
from ..agents.protocol import Agent
from ..agents.registry import make_agent
from ..compiled.records import Records
from ..engine import record
from ..game.rules import Rules
from .agent_memory import check_memory
from .agent_moves import check_honest, check_moves
from .agent_probabilities import check_probabilities
from .asked_agents import Moves, Subject
from .audit_events import KINDS
from .checked_apart import PROCESS, REACHING, checked_apart
from .hidden_fields import with_random_words
from .sampled_tables import GAMES, ConformanceError, random_positions

SECONDS = 120.0

CHECKS: dict[str, Callable[[Subject, Rules, Records, Moves, int], None]] = {
    "one legal move for each table, nothing written": check_moves,
    "moves depend on nothing hidden": check_honest,
    "probabilities": check_probabilities,
    "nothing carried from one rotation of a deal to another": check_memory,
}
"""By what they check, in the order in which they are done."""


@dataclass(frozen=True)
class Finding:
    """What a check has found. check: which, a key of CHECKS, REACHING or PROCESS."""

    check: str
    message: str


@dataclass(frozen=True)
class Report:
    """What was checked, and what was found. done: the checks that came to an end, in order."""

    done: tuple[str, ...]
    findings: tuple[Finding, ...]


def check_agent(
    agent: str | Mapping[str, Any] | Agent,
    games: Sequence[Rules] | None = None,
    positions: int = 200,
    seed: int = 0,
    timeout: float | None = SECONDS,
    allow: Sequence[str] = (),
) -> None:
    """Check an agent in random positions of several games. Returns silently if it passes.

    The checks:

    - The agent returns one integer move for each row that it was asked about, and its moves are legal.
    - It does not change the tables or the rules, and can play a single table.
    - Its moves do not change when what its seat cannot see is permuted or blank.
    - It plays a deal the same whether or not it has played it from another seat before: after `reset`, and as another
      clone. Agents that draw random numbers are compared with the same ones, or by how often they play each move.
    - Its probabilities, if it has any, belong to legal moves, each named once, and sum to 1. They do not depend on
      anything that its seat cannot know, nor on seeds and hand numbers. `act` plays each move as often as they say.

    An agent given by a name, a config or a file is checked in a process of its own. There the check also finds an agent
    that crashes, ends the process or runs for ever. It also finds what the agent's own code reaches for outside of the
    hand that it plays: other people's frames and objects, memory by ctypes, programs, the network, and files that it
    writes outside the temporary folder. An Agent object, and a name registered in this process, is checked in this
    process, without these.

    Args:
        agent: An agent, or what `make_agent` takes; its errors are raised, too.
        games: The rules to try. By default the game that the agent was trained for, if it has one, else GAMES.
        positions: The number of positions in each game.
        seed: The seed of the positions.
        timeout: Seconds for the process; None for no limit.
        allow: Kinds in KINDS, what the code of an agent in a process of its own may reach for.

    Raises:
        ConformanceError: If a check fails. It is an AssertionError that says what failed and how to fix it, one line
            for each finding.
        ValueError: If an argument is wrong.
    """
    found = report(agent, games, positions, seed, timeout, allow).findings
    if found:
        cause = found[0].cause if isinstance(found[0], _Caught) else None
        raise ConformanceError("\n".join(finding.message for finding in found)) from cause


def report(
    agent: str | Mapping[str, Any] | Agent,
    games: Sequence[Rules] | None = None,
    positions: int = 200,
    seed: int = 0,
    timeout: float | None = SECONDS,
    allow: Sequence[str] = (),
) -> Report:
    """What `check_agent` checks, and what it finds. Arguments and other errors as there."""
    if wrong := set(allow) - set(KINDS):
        raise ValueError(f"allow: {', '.join(sorted(wrong))}; there are {', '.join(KINDS)}")
    if isinstance(agent, Agent) or str(agent) in AGENTS.registered:
        done: list[str] = []
        found = run_checks(make_agent(agent), games, positions, seed, done.append)
        return Report(tuple(done), tuple(found))
    job = {
        "agent": dict(agent) if isinstance(agent, Mapping) else str(agent),
        "games": None if games is None else [rules.model_dump(mode="json") for rules in games],
        "positions": positions,
        "seed": seed,
        "allow": list(allow),
    }
    _sampled(GAMES[0], positions=2, seed=0)  # what is compiled once is compiled here, and takes none of the time
    begun, findings = checked_apart(job, timeout)
    return Report((*begun, REACHING, PROCESS), tuple(Finding(*each) for each in findings))


@dataclass(frozen=True)
class _Caught(Finding):
    cause: BaseException | None = None


def run_checks(
    player: Agent,
    games: Sequence[Rules] | None,
    positions: int,
    seed: int,
    begun: Callable[[str], None] = lambda check: None,
) -> list[Finding]:
    """What the checks find in this process. begun: called with the key in CHECKS before each check begins."""
    trained: Rules | None = player.facts.trained_on
    subject, found = Subject(player), list[Finding]()
    sampled = [_sampled(rules, positions, seed) for rules in games or ([trained] if trained else GAMES)]
    for check, passes in CHECKS.items():
        if check == "probabilities" and not subject.gives_probabilities:
            continue
        begun(check)
        try:
            for rules, tables, rows in sampled:
                passes(subject, rules, tables, rows, seed)
        except ConformanceError as error:
            found.append(_Caught(check, str(error), error.__cause__))
            if passes is check_moves:  # nothing else can be asked
                break
    return found


def _sampled(rules: Rules, positions: int, seed: int) -> tuple[Rules, Records, Moves]:
    tables = with_random_words(random_positions(rules, positions, seed), seed)
    rows = np.flatnonzero(tables["actor"] != record.NOBODY)[::2]  # a subset, as in a match of several agents
    return rules, tables, rows


__all__ = ["CHECKS", "Finding", "Report", "check_agent", "report"]
