"""The report of a run: final matches, crosstable.csv, curve.png, and the results as a table for the terminal."""

from __future__ import annotations

import csv
from collections.abc import Iterator
from pathlib import Path

import numpy as np
from rich.table import Table
from rich.text import Text

from holdem_env.agents.protocol import Agent
from holdem_env.arena import MatchResult
from holdem_env.utils.extras import install_command
from holdem_env.utils.shown_names import in_cell, in_picture, shown_name

from ..model_files import load
from .candidate_choice import read_measured
from .evaluation_matches import EVALUATION_SEED, evaluate, play, write_results
from .model_card import write_card
from .ppo_learner import PPOLearner
from .run_folder import (
    CROSSTABLE,
    CURVE,
    CURVE_PLOT,
    DECISIONS,
    FINAL,
    GREEDY,
    HANDS,
    PROGRESS,
    SAMPLING,
    evaluations_in,
    interval_text,
    rows_of,
    write_facts,
)

LEARNING = {"holdem/entropy": "entropy in nats", "train/explained_variance": "explained variance"}
FEW_ROWS = 10
CROSSTABLE_COLUMNS = ("plays", "opponent", "bb_per_100", "half_width_95", "hands", "seed")


def write_report(learner: PPOLearner, folder: Path) -> None:
    """Play the final matches; write crosstable.csv, final_matches.phhs.gz, the last rows of curve.csv, curve.png and
    model_card.md."""
    decisions, seconds = learner.model.num_timesteps, learner.clock.elapsed()
    clock = learner.clock
    more = {"cpu_seconds": clock.cpu_elapsed(), "budget_spent": clock.spent(decisions)}
    if candidates := read_measured(folder)[0]:  # their time is in none of the above
        more["exploiters_cpu_seconds"] = sum(one.exploiter_cpu_seconds for one in candidates)
    write_facts(folder, decisions, seconds, learner.config.seed, **more)
    tables = final_matches(learner, folder)
    anchors = tables[SAMPLING][: len(learner.config.evaluation.opponents)]
    write_results(folder / CURVE, decisions, seconds, EVALUATION_SEED, anchors)
    write_crosstable(folder / CROSSTABLE, tables)
    draw_curve(folder)
    write_card(folder)


def final_matches(learner: PPOLearner, folder: Path) -> dict[str, list[MatchResult]]:
    """Matches of the folder's final agent against its anchors and some past selves, by mode.

    The agent plays twice: it samples its actions as in training, and it plays the most likely action (greedy). The
    first hands against each anchor when it samples are kept in the folder.
    """
    rules, settings = learner.config.rules, learner.config.evaluation
    results, sitting = {}, learner.config.sitting
    for mode in (SAMPLING, GREEDY):
        agent = load(folder / FINAL, deterministic=mode == GREEDY)
        agent.name = "agent"
        kept = folder / HANDS if mode == SAMPLING else None
        results[mode] = evaluate(agent, settings.opponents, rules, settings.hands, EVALUATION_SEED, kept, sitting)
        # One at a time: the past selves share a policy, which holds the weights of one of them.
        for past_self in past_selves(learner):
            results[mode].append(play(agent, past_self, rules, settings.hands, EVALUATION_SEED, sitting))
    return results


def past_selves(learner: PPOLearner) -> Iterator[Agent]:
    """Some snapshots as agents, more of the early ones than of the late ones, named by their age."""
    pool = learner.pool
    snapshots = pool.past_selves
    if not snapshots:  # the run was interrupted before the first snapshot
        return
    parts = np.linspace(0, 1, learner.config.evaluation.past_selves + 2)[1:-1] ** 2
    for index in np.unique((parts * len(snapshots)).astype(int)):
        snapshot = snapshots[index]
        agent = pool.players[0].play_as(snapshot)
        yield agent.playing(agent.policy, f"itself after {snapshot.decisions:,} decisions")


def write_crosstable(path: Path, tables: dict[str, list[MatchResult]]) -> None:
    """Write the final matches to a CSV file."""
    with path.open("w", newline="", encoding="utf-8") as file:
        writer = csv.writer(file)
        writer.writerow(CROSSTABLE_COLUMNS)
        for mode, results in tables.items():
            for result in results:
                numbers = f"{result.mean:.1f}", f"{result.half_width:.1f}", result.hands, EVALUATION_SEED
                writer.writerow((mode, in_cell(shown_name(result.opponent, None)), *numbers))


def results_of(folder: Path) -> Table:
    """The final matches of a run as a table for the terminal: bb/100 with half the width of the 95 % interval."""
    table = Table(title="The agent, sampling its actions as in training, and greedy", title_justify="left")
    table.add_column("against")
    for heading in ("sampling, bb/100", "greedy, bb/100", "hands each"):
        table.add_column(heading, justify="right")
    rows = rows_of(folder / CROSSTABLE)
    for sampled, greedy in zip(rows[: len(rows) // 2], rows[len(rows) // 2 :], strict=True):
        rates = interval_text(sampled), interval_text(greedy)
        table.add_row(Text(shown_name(sampled["opponent"])), *rates, f"{int(sampled['hands']):,}")
    return table


def draw_curve(folder: Path) -> None:
    """Draw curve.png: win rates against the anchors, the policy's entropy, the value's explained variance."""
    try:
        from matplotlib.figure import Figure  # slow to import, and only this function needs it
    except ModuleNotFoundError:
        print(f"no curve.png: matplotlib is missing; install it with: {install_command()}")
        return
    figure = Figure(figsize=(9, 7), layout="constrained")
    above, below = figure.subplots(2, 1, sharex=True)
    evaluations = evaluations_in(rows_of(folder / CURVE))
    for opponent, series in evaluations.items():
        decisions, rates, widths = np.array(series).T
        decisions = decisions / 1e6
        above.errorbar(decisions, rates, widths, label=in_picture(opponent), marker="o", markersize=3, capsize=2)
    above.axhline(0, color="grey", linewidth=0.5)
    above.set_ylabel("bb/100, with 95 % intervals")
    if evaluations:
        above.legend()
    logged = [row for row in rows_of(folder / PROGRESS) if row.get("train/explained_variance")]
    millions = [float(row[DECISIONS]) / 1e6 for row in logged]
    marker = "o" if len(logged) < FEW_ROWS else ""  # a line through one point is invisible
    for column, label in LEARNING.items():
        below.plot(millions, [float(row[column]) for row in logged], label=label, marker=marker, markersize=3)
    below.set_xlabel("decisions of the learner, millions")
    if logged:
        below.legend()
    else:
        below.text(0.5, 0.5, "no update of the network yet", transform=below.transAxes, ha="center", va="center")
    figure.savefig(folder / CURVE_PLOT, dpi=100)
