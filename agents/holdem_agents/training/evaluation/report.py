"""The report of a run: final matches, crosstable.csv, curve.svg, and the results as a table for the terminal."""

from __future__ import annotations

import csv
from collections.abc import Callable, Iterator
from io import StringIO
from pathlib import Path

import numpy as np
from numpy.typing import NDArray
from rich.table import Table
from rich.text import Text

from holdem_env.agents.protocol import Agent
from holdem_env.arena import MatchResult, exploitability, why_not_exact
from holdem_env.game.rules import Rules
from holdem_env.game.units import BIG_BLINDS, unit_of_rows
from holdem_env.utils.atomic import write_atomically
from holdem_env.utils.shown_names import in_cell, shown_name

from ...agent_files.model_files import load
from ...progress import VisibleProgress, counting
from ...runs import files
from ...runs.candidates import read_measured
from ...runs.charts import draw_curve
from ..learners.trainee import Trainee
from .exact import measure, write_exploitability
from .matches import AT_THE_END, EVALUATION_SEED, MISTAKES_AT_THE_END, evaluate, fitting, play, write_results
from .mistakes import write_mistakes
from .model_card import write_card


def write_report(learner: Trainee, folder: Path, show: bool = False) -> None:
    """Play the final matches, and measure exploitability in games that are small enough; write training.json,
    crosstable.csv, final_matches.phhs.gz, the last rows of curve.csv, curve.svg, model_card.md, and on request
    mistakes.md with its hands. show: draw a progress bar."""
    decisions, seconds = learner.model.decisions, learner.clock.elapsed()
    clock = learner.clock
    more = {"cpu_seconds": clock.cpu_elapsed(), "budget_spent": clock.spent(decisions)}
    if candidates := read_measured(folder)[0]:  # their time is in none of the above
        more["exploiters_cpu_seconds"] = sum(one.exploiter_cpu_seconds for one in candidates)
    exact = exact_exploitability(load(folder / files.FINAL), learner.config.rules)
    more |= {} if exact is None else {files.EXPLOITABILITY: exact}
    files.write_facts(folder, decisions, seconds, learner.config.seed, **more)
    if learner.config.evaluation.exploitability:
        write_exploitability(folder / files.EXACT_CURVE, decisions, clock, measure(learner))
    with VisibleProgress(disable=not show) as bar:
        tables = final_matches(learner, folder, seconds, bar)
    anchors = tables[files.SAMPLING][: len(learner.config.evaluation.opponents)]
    write_results(folder / files.CURVE, decisions, seconds, EVALUATION_SEED, anchors)
    write_crosstable(folder / files.CROSSTABLE, tables)
    draw_curve(folder)
    config = learner.config
    most_seconds = MISTAKES_AT_THE_END * seconds
    with VisibleProgress(disable=not show) as bar:
        write_mistakes(load(folder / files.FINAL), config.rules, config.evaluation.mistakes, folder, most_seconds, bar)
    write_card(folder)


def exact_exploitability(agent: Agent, rules: Rules) -> float | None:
    """Chips per hand that a best response wins from an agent; None in games that are too large for it, and for an agent
    that states no probabilities."""
    if why_not_exact(rules) is not None or not agent.gives_probabilities:
        return None
    try:
        return exploitability(agent, rules)
    except ValueError:  # the cards are few, but there are too many moves
        return None


def final_matches(
    learner: Trainee, folder: Path, seconds: float, bar: VisibleProgress | None = None
) -> dict[str, list[MatchResult]]:
    """Matches of the folder's final agent against its anchors and some past selves, by mode.

    The agent plays twice: it samples its actions as in training, and it plays the most likely action (greedy). The
    first hands against each anchor when it samples are kept in the folder. seconds: of training, which decide how many
    hands there are, unless the configuration does.
    """
    settings = learner.config.evaluation

    def play_all(hands: int) -> dict[str, list[MatchResult]]:
        total = 2 * (len(settings.opponents) + len(_chosen(learner))) * hands
        with counting(bar, "final matches", total, "hands") as progress:
            return _both_modes(learner, folder, hands, progress)

    return fitting(play_all, settings.hands, AT_THE_END * seconds)


def _both_modes(
    learner: Trainee, folder: Path, hands: int, progress: Callable[[int], None]
) -> dict[str, list[MatchResult]]:
    rules, settings = learner.config.rules, learner.config.evaluation
    results, sitting = {}, learner.config.sitting
    for mode in (files.SAMPLING, files.GREEDY):
        agent = load(folder / files.FINAL, deterministic=mode == files.GREEDY)
        agent.name = "agent"
        kept = folder / files.HANDS if mode == files.SAMPLING else None
        results[mode] = evaluate(agent, settings.opponents, rules, hands, EVALUATION_SEED, kept, sitting, progress)
        # One at a time: the past selves share a policy, which holds the weights of one of them.
        for past_self in past_selves(learner):
            match = play(agent, past_self, rules, hands, EVALUATION_SEED, sitting, progress=progress)
            results[mode].append(match)
    return results


def past_selves(learner: Trainee) -> Iterator[Agent]:
    """Some snapshots as agents, more of the early ones than of the late ones, named by their age."""
    pool = learner.pool
    for index in _chosen(learner):
        snapshot = pool.past_selves[index]
        agent = pool.players[0].play_as(snapshot)
        yield agent.playing(agent.policy, f"itself after {snapshot.decisions:,} decisions")


def _chosen(learner: Trainee) -> NDArray[np.int64]:
    """The places in the pool of the snapshots that the agent plays; none before there is a snapshot."""
    snapshots = len(learner.pool.past_selves)
    parts = np.linspace(0, 1, learner.config.evaluation.past_selves + 2)[1:-1] ** 2
    return np.unique((parts * snapshots).astype(np.int64)) if snapshots else np.empty(0, np.int64)


def write_crosstable(path: Path, tables: dict[str, list[MatchResult]]) -> None:
    """Write the final matches to a CSV file."""
    text = StringIO(newline="")
    writer = csv.writer(text, lineterminator="\n")
    unit = next((result.unit for results in tables.values() for result in results), BIG_BLINDS)
    writer.writerow(("plays", "opponent", unit.key, files.HALF_WIDTH, "hands", "seed"))
    for mode, results in tables.items():
        for result in results:
            numbers = *unit.numbers(result.mean, result.half_width), result.hands, EVALUATION_SEED
            writer.writerow((mode, in_cell(shown_name(result.opponent, None)), *numbers))
    write_atomically(path, text.getvalue())


def results_of(folder: Path) -> Table:
    """The final matches of a run as a table for the terminal: win rates with half the width of the 95 % interval."""
    table = Table(title="The agent, sampling its actions as in training, and greedy", title_justify="left")
    table.add_column("against")
    rows = files.rows_of(folder / files.CROSSTABLE)
    unit = unit_of_rows(rows).name
    for heading in (f"sampling, {unit}", f"greedy, {unit}", "hands each"):
        table.add_column(heading, justify="right")
    for sampled, greedy in zip(rows[: len(rows) // 2], rows[len(rows) // 2 :], strict=True):
        rates = files.interval_text(sampled), files.interval_text(greedy)
        table.add_row(Text(shown_name(sampled["opponent"])), *rates, f"{int(sampled['hands']):,}")
    if (exact := files.exploitability_text(folder)) is not None:
        table.caption = exact
    return table
