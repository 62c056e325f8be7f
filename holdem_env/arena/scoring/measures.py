"""The measures: each takes a part of a task, and returns what it has found of the agent.

A part is done in one go, in any process. Kinds that need a learner come from other packages, as entry points.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from importlib.metadata import entry_points
from pathlib import Path
from typing import TypeAlias

from ...agents.protocol import Agent
from ...game.rule_checks import check_automatic_showing
from ...game.street_names import STREETS
from ...history.names import distinct_names
from ..best_responses.exploitability import exploitability
from ..best_responses.local import local_best_response
from ..estimators.aivat import Aivat
from ..estimators.all_in import AllInValue
from ..matches.match import number_of_deals, plays_duplicates
from ..statistics.estimates import best_estimate
from ..statistics.results import HUNDRED, THOUSAND
from ..tournaments.entrants import Entrant
from ..tournaments.shards import Shard, play_shard
from .findings import BB100, CHIPS, MBB, Clock, Figure, Found, NotMeasured
from .part import Part
from .spots import SPOTS, measure_spots
from .task import Budget, Exploiter, Lbr, Matches, Measure, Spots, Task

MEASURES = "holdem_env.measures"
"""Entry point group: a kind of measure -> callable(part) that returns Found. It may raise NotMeasured."""
LBR_TABLES = 64
POOLS = "% of a prize pool"


Measurer: TypeAlias = Callable[[Part], Found]


def parts_of(task: Task, budget: Budget, entrant: Entrant, folder: Path) -> list[Part]:
    """What is to be done for a task, in the order of the card; parts of equal names are numbered."""
    listed = [(measure, *part) for measure in task.measures for part in _listed(measure, budget)]
    names = distinct_names(name for _, name, _, _ in listed)
    return [
        Part(name, task, measure, detail, amount, budget, entrant, folder)
        for name, (measure, _, detail, amount) in zip(names, listed, strict=True)
    ]


def _listed(measure: Measure, budget: Budget) -> Iterator[tuple[str, tuple[str, ...], int]]:
    """The parts of a measure: name, detail and amount."""
    if isinstance(measure, Matches):
        yield from ((f"against {name}", (name,), measure.hands.of(budget)) for name in measure.opponents)
    elif isinstance(measure, Lbr):
        for actions in measure.actions:
            for street in measure.from_streets:
                yield f"LBR {actions}; from {street}", (actions, street), measure.hands.of(budget)
    elif isinstance(measure, Exploiter):
        amount = min(measure.seconds.of(budget), measure.hands.of(budget)) and measure.seconds.of(budget)
        yield f"{measure.start} exploiter", (), amount
    elif isinstance(measure, Spots):
        yield SPOTS, (), measure.spots.of(budget)
    else:
        yield "exploitability", (), 1


def measured(part: Part) -> Found:
    """What a part has found. An error, whatever it is, becomes the reason why it has found nothing."""
    if not part.amount:
        why = f"the {part.budget} budget has none of it"
        return Found(part=part.name, measure=part.measure.kind, why_not=why)
    clock = Clock()
    try:
        return measurer_of(part.measure.kind)(part)
    except (Exception, SystemExit) as error:
        why = str(error) if isinstance(error, NotMeasured | ValueError) else f"{type(error).__name__}: {error}"
        return part.found(clock, why_not=why or type(error).__name__)


def measurer_of(kind: str) -> Measurer:
    """What measures a kind. Raises NotMeasured for one that no installed package brings."""
    if kind in OWN:
        return OWN[kind]
    found = {point.name: point for point in entry_points(group=MEASURES)}
    if kind not in found:
        raise NotMeasured(f"{kind}: no installed package brings this measure")
    try:
        measurer: Measurer = found[kind].load()
    except ModuleNotFoundError as error:
        raise NotMeasured(f"{kind}: the package {error.name!r} is missing, which the extra `train` brings") from error
    return measurer


def measure_exploitability(part: Part) -> Found:
    """Exact exploitability in chips, and in thousandths of a big blind (of a chip in games without blinds)."""
    clock, rules = Clock(), part.task.rules
    with part.agent() as agent:
        chips = exploitability(agent, rules)
    values = (chips, CHIPS), (THOUSAND * chips / rules.unit, MBB)
    figures = [
        Figure(name="exploitability", says="exact", value=value, half_width=0, unit=unit) for value, unit in values
    ]
    return part.found(clock, *figures)


def measure_lbr(part: Part) -> Found:
    """What local best response wins with some actions from some street on, in mbb/h: a lower bound."""
    clock, (actions, street) = Clock(), part.detail
    with part.agent() as agent:
        won = local_best_response(
            agent,
            part.task.rules,
            part.amount,
            actions,
            STREETS.index(street),
            part.seed,
            min(LBR_TABLES, agent.tables_at_once or LBR_TABLES),
        )
    figure = Figure(
        name=part.name, says="lower bound", value=won.mean, half_width=won.half_width, unit=MBB, samples=won.deals
    )
    return part.found(clock, figure, hands=won.hands)


def measure_match(part: Part) -> Found:
    """What the agent wins against an anchor, which has all other seats: bb/100, or percent of a prize pool."""
    clock, rules = Clock(), part.task.rules
    by_session = rules.session is not None
    unit = POOLS if by_session else BB100
    anchor = Entrant(part.detail[0], json.dumps({"agent": part.detail[0]})).plain()  # as in tournaments
    if json.loads(part.entrant.made_of) == json.loads(anchor.made_of):
        figure = Figure(name=part.name, says="win rate", value=0, half_width=0, unit=unit)
        return part.found(clock, figure, notes=("who plays itself breaks even",))
    check_automatic_showing(rules, "a match")
    with part.agent() as agent:
        deals = _deals(part, agent)
    shard = Shard(
        (part.entrant, anchor),
        rules,
        0,
        deals,
        part.seed,
        kind="sessions" if by_session else "deals",
        all_in=not by_session and AllInValue().why_not(rules) is None,
        aivat=not by_session and Aivat().why_not(rules) is None,
    )
    played = play_shard(shard)
    if played.failed or played.deals is None:
        raise NotMeasured(": ".join(played.failed or (part.name, "nothing was played")))
    best = best_estimate(played.deals, 0)
    mean, half = best.interval.times(HUNDRED)
    figure = Figure(
        name=part.name,
        says="win rate",
        value=mean,
        half_width=half,
        unit=unit,
        samples=best.interval.samples,
    )
    notes = (f"estimated by {best.name}",)
    return part.found(clock, figure, decisions=played.spent[0].decisions, hands=played.hands, notes=notes)


def _deals(part: Part, agent: Agent) -> int:
    """How many deals, or sessions, an amount of hands makes."""
    if part.task.rules.session is not None:
        return part.amount
    return number_of_deals(part.amount, part.task.rules.seats, plays_duplicates([agent]))


OWN: dict[str, Measurer] = {
    "exploitability": measure_exploitability,
    "lbr": measure_lbr,
    "matches": measure_match,
    "spots": measure_spots,
}
