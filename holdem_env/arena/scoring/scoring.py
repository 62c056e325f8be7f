"""`score`: a task run on an agent, part by part, on several processes, and gone on with if interrupted; then a card."""

from __future__ import annotations

import json
import shlex
from collections.abc import Callable, Mapping, Sequence
from hashlib import sha256
from pathlib import Path
from typing import Any, TypeAlias

from pydantic import ValidationError

from ...agents.fingerprints import difference
from ...agents.short_names import short_names
from ...history.names import distinct_names
from ...utils.atomic import write_atomically
from ...utils.runner import Runner
from ...utils.validation import Validated, suggestion
from ..isolation.isolated_agent import AgentError
from ..isolation.limits import AgentProcessError, Limits
from ..isolation.making import Isolation, is_isolated
from ..tournaments.entrants import Entrant, clear_failures, digest_of
from .card import JSON, MARKDOWN, PAGE, Card, versions
from .card_text import markdown, page
from .findings import Found
from .measure import BUDGETS, Budget, Part, measured
from .task import Task, load_task

FOLDER = Path("runs/scores")
STATE, PARTS = "score.json", "parts"
FILES = "files"
Progress: TypeAlias = Callable[[Found | None, int, int], None]
"""Called with what a part has found (None at the beginning), how many parts are done, and how many there are."""


class State(Validated):
    """What a folder's parts are of."""

    task: str
    task_fingerprint: str
    budget: str
    agent: str
    agent_fingerprint: dict[str, Any]
    isolation: str


def score(
    agent: str | Mapping[str, Any],
    task: str | Path | Task,
    budget: Budget = "quick",
    folder: str | Path | None = None,
    jobs: int = 1,
    ray: str | None = None,
    isolation: Isolation = "none",
    progress: Progress | None = None,
) -> Card:
    """Measure an agent by a task, write its card into a folder, and return it.

    A part that fails, because the agent crashes or cannot play, is on the card with the reason, and disturbs no other.

    >>> import tempfile
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     card = score("random", "kuhn-v1", folder=folder)
    >>> round(card.exploitability[0].value, 3)
    0.458

    Args:
        agent: Its name, a file, or a dict of these and its parameters.
        task: A name ("kuhn-v1"), a YAML file, or a Task.
        budget: "quick", "standard" or "long", about 2 minutes, 30 minutes and 4 hours of two cores. With "quick" the
            agent plays without search (`without_search`), and the card says so.
        folder: By default one in runs/scores named by agent, task and budget. It gets card.json, card.md and card.html,
            and each part when it is finished. The same call again only does what is left, or could not be measured
            before.
        jobs, ray: Where parts are measured at the same time, as in `Runner`. The figures do not depend on them, except
            those of exploiters, whose training has a budget in seconds.
        isolation: "process" gives the agent a process of its own, as tournaments do.
        progress: Called as parts progress.

    Raises:
        ValueError: If the agent, the task or the budget is unknown, or the folder has the score of another agent, task
            or budget.
        FileNotFoundError: If a file does not exist.
    """
    if budget not in BUDGETS:
        raise ValueError(f"budget: there is no {budget!r}: {suggestion(budget, list(BUDGETS))}")
    task = load_task(task)
    made = {"agent": agent} if isinstance(agent, str) else dict(agent)
    clear_failures()  # a name that was registered again is another agent
    entrant = entrant_of(made, isolation)
    name = title = entrant.name
    if budget == "quick" and (plain := entrant.without_search()) is not entrant:
        entrant, title = plain, f"{name}, without search"
    state = State(
        task=task.name,
        task_fingerprint=task.fingerprint,
        budget=budget,
        agent=title,
        agent_fingerprint=_fingerprint(entrant),
        isolation=isolation,
    )
    home = Path(folder) if folder is not None else default_folder(name, task, budget)
    _check_state(home, state)
    parts = parts_of(task, budget, entrant, home.absolute() / FILES)
    found = _measure_all(parts, home, jobs, ray, progress)
    card = Card(
        **state.model_dump(),
        about=task.about,
        seed=task.seed,
        versions=versions(),
        command=command_of(name, state, home, jobs, len(made) > 1),
        found=found,
    )
    write_card(card, home)
    return card


def parts_of(task: Task, budget: Budget, entrant: Entrant, folder: Path) -> list[Part]:
    """What is to be done for a task, in the order of the card; parts of equal names are numbered."""
    listed = [(measure, *part) for measure in task.measures for part in measure.parts(budget)]
    names = distinct_names(name for _, name, _, _ in listed)
    return [
        Part(name, measure, amount, detail, budget, task.rules, task.seed, task.path_of(""), entrant, folder)
        for name, (measure, _, amount, detail) in zip(names, listed, strict=True)
    ]


def default_folder(agent: str, task: Task, budget: str) -> Path:
    """Where a score lies by default."""
    short = "".join(sign if sign.isalnum() or sign in "-_." else "-" for sign in short_names([agent])[agent])
    return FOLDER / f"{short}-{task.name}-{budget}"


def entrant_of(made: Mapping[str, Any], isolation: Isolation) -> Entrant:
    """The agent as it is sent to the processes that measure. It is made once, so that what is misspelt is an error at
    once; one that fails by its own code in a process of its own may enter. Raises as `make_agent`."""
    limits = Limits() if isolation == "process" and is_isolated(made) else None
    made_of = json.dumps(dict(made), sort_keys=True)
    entrant = Entrant(str(made.get("agent")), made_of, digest_of(made_of, limits is not None), limits)
    try:
        agent = entrant.agent()
    except (AgentError, AgentProcessError):
        return entrant
    if limits is not None:
        agent.close()
    return entrant


def write_card(card: Card, folder: Path) -> None:
    """Write a card as JSON, Markdown and a page."""
    write_atomically(folder / JSON, card.model_dump_json(indent=2))
    write_atomically(folder / MARKDOWN, markdown(card))
    write_atomically(folder / PAGE, page(card))


def command_of(name: str, state: State, folder: Path, jobs: int, has_parameters: bool) -> str:
    """What to type to get the card again."""
    if has_parameters:
        return f"holdem_env.arena.score({{'agent': {name!r}, ...}}, {state.task!r}, {state.budget!r})"
    words = ["holdem", "score", name, "--task", state.task, "--budget", state.budget]
    words += ["--isolation", state.isolation] if state.isolation != "none" else []
    words += ["--folder", str(folder)] if folder.parent != FOLDER else []
    words += ["--jobs", str(jobs)] if jobs != 1 else []
    return shlex.join(words)


def _fingerprint(entrant: Entrant) -> dict[str, Any]:
    try:
        found: dict[str, Any] = json.loads(entrant.make_fingerprint())
    except (AgentError, AgentProcessError):
        found = {"class": entrant.name, "code": {"files": entrant.digest}, "parameters": {}}
    return found


def _check_state(folder: Path, state: State) -> None:
    """Raise ValueError if a folder has the score of something else; write into a new one what it is of."""
    path = folder / STATE
    if path.is_file():
        try:
            before = State.model_validate_json(path.read_bytes())
        except ValidationError:
            raise ValueError(f"{path}: damaged; remove the folder, or give another one with --folder") from None
        if before != state:
            raise ValueError(f"{folder} holds another score, {_differing(before, state)}; give another --folder")
    folder.mkdir(parents=True, exist_ok=True)
    (folder / PARTS).mkdir(exist_ok=True)
    write_atomically(path, state.model_dump_json(indent=2))


def _differing(before: State, now: State) -> str:
    for field in ("task", "budget", "agent", "isolation", "task_fingerprint"):
        if (there := getattr(before, field)) != (here := getattr(now, field)):
            return f"{field.replace('_', ' ')} {there}, not {here}"
    there, here = json.dumps(before.agent_fingerprint), json.dumps(now.agent_fingerprint)
    return f"of an agent that has changed: {difference(there, here)}"


def _measure_all(
    parts: Sequence[Part], folder: Path, jobs: int, ray: str | None, progress: Progress | None
) -> tuple[Found, ...]:
    found = {part.name: one for part in parts if (one := _stored(part, folder)) is not None}
    left = [part for part in parts if part.name not in found]

    def show(one: Found | None) -> None:
        if progress is not None:
            progress(one, len(found), len(parts))

    show(None)
    with Runner(jobs, ray) as runner:
        for outcome in runner.run(measured, left):
            part = left[outcome.index]
            one = outcome.value
            if one is None:  # its worker was lost
                one = part.found(why_not=str(outcome.error))
            if one.why_not is None:
                write_atomically(_path(part, folder), one.model_dump_json(indent=2))
            found[part.name] = one
            show(one)
    return tuple(found[part.name] for part in parts)


def _path(part: Part, folder: Path) -> Path:
    return folder / PARTS / f"{sha256(part.name.encode()).hexdigest()[:16]}.json"


def _stored(part: Part, folder: Path) -> Found | None:
    path = _path(part, folder)
    if not path.is_file():
        return None
    try:
        return Found.model_validate_json(path.read_bytes())
    except ValidationError:
        return None
