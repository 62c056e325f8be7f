"""What a run folder tells when training is over: the final crosstable, the curve as a picture, the model card."""

from __future__ import annotations

import csv
import json
from collections.abc import Iterator
from pathlib import Path

import numpy as np
from rich.markup import escape
from rich.table import Table

from holdem_env.agents.protocol import Agent
from holdem_env.arena import MatchResult, play_match
from holdem_env.utils.atomic import write_whole

from ..sb3_agent import SB3Agent
from .evaluation_matches import EVALUATION_SEED, evaluate, write_results
from .model_card import write_card
from .ppo_learner import Trainee
from .run_folder import CROSSTABLE, CURVE, FACTS, GREEDY, PROGRESS, SAMPLING, interval_text, rows_of

CROSSTABLE_COLUMNS = ("plays", "opponent", "bb_per_100", "half_width_95", "hands", "seed")


def write_report(trainee: Trainee, folder: Path) -> None:
    """Play the final matches and write crosstable.csv, the last lines of curve.csv, curve.png and model_card.md."""
    decisions, seconds = trainee.model.num_timesteps, trainee.clock.elapsed()
    facts = {"decisions": decisions, "seconds": round(seconds, 1), "seed": trainee.config.seed}
    write_whole(folder / FACTS, json.dumps(facts, indent=2) + "\n")
    tables = final_matches(trainee)
    anchors = tables[SAMPLING][: len(trainee.config.evaluation.opponents)]
    write_results(folder / CURVE, decisions, seconds, EVALUATION_SEED, anchors)
    write_crosstable(folder / CROSSTABLE, tables)
    draw_curve(folder)
    write_card(folder)


def final_matches(trainee: Trainee) -> dict[str, list[MatchResult]]:
    """Matches of the trained agent, drawing its actions as in training and playing the likeliest ones: against the
    anchors and against some of its past selves.
    """
    config, me = trainee.config, trainee.delivered
    results = {}
    for mode in (SAMPLING, GREEDY):
        agent = SB3Agent(
            me.policy, me.observation_encoder, me.action_encoder, deterministic=mode == GREEDY, name="agent"
        )
        results[mode] = evaluate(
            agent, config.evaluation.opponents, config.rules, config.evaluation.hands, EVALUATION_SEED
        )
        results[mode] += [_match(agent, past, trainee) for past in past_selves(trainee)]
    return results


def _match(agent: Agent, other: Agent, trainee: Trainee) -> MatchResult:
    return play_match(agent, other, trainee.config.rules, trainee.config.evaluation.hands, EVALUATION_SEED)


def past_selves(trainee: Trainee) -> Iterator[Agent]:
    """Some frozen copies as agents, early ones more densely than late ones, named by when they were made."""
    pool = trainee.pool
    if not len(pool):  # interrupted before the first one was taken
        return
    parts = np.linspace(0, 1, trainee.config.evaluation.past_selves + 2)[1:-1] ** 2
    for place in np.unique((parts * len(pool)).astype(int)):
        copy = pool.copies[place]
        agent = pool.players[0].be(copy)
        name = f"itself after {copy.decisions:,} decisions"
        yield SB3Agent(agent.policy, agent.observation_encoder, agent.action_encoder, name=name)


def write_crosstable(path: Path, tables: dict[str, list[MatchResult]]) -> None:
    """The final matches as a CSV file."""
    with path.open("w", newline="", encoding="utf-8") as file:
        writer = csv.writer(file)
        writer.writerow(CROSSTABLE_COLUMNS)
        for mode, results in tables.items():
            for result in results:
                numbers = f"{result.mean:.1f}", f"{result.half_width:.1f}", result.hands, EVALUATION_SEED
                writer.writerow((mode, result.opponent, *numbers))


def results_of(folder: Path) -> Table:
    """The final matches of a run for a terminal: win rates in bb/100 with the half of their 95 % intervals."""
    table = Table(title="The agent, drawing its actions as in training (sampling), and greedy", title_justify="left")
    table.add_column("against")
    for heading in ("sampling, bb/100", "greedy, bb/100", "hands each"):
        table.add_column(heading, justify="right")
    rows = rows_of(folder / CROSSTABLE)
    for drawn, greedy in zip(rows[: len(rows) // 2], rows[len(rows) // 2 :], strict=True):
        table.add_row(
            escape(drawn["opponent"]), interval_text(drawn), interval_text(greedy), f"{int(drawn['hands']):,}"
        )
    return table


def draw_curve(folder: Path) -> None:
    """curve.png: win rates against the anchors, the policy's entropy, and the value's part in explaining results."""
    try:
        from matplotlib.figure import Figure  # imported only when there is something to draw
    except ModuleNotFoundError:
        print('no curve.png: matplotlib is missing; pip install "holdem_env[train]"')
        return
    figure = Figure(figsize=(9, 7), layout="constrained")
    above, below = figure.subplots(2, 1, sharex=True)
    points: dict[str, list[tuple[float, float, float]]] = {}
    for row in rows_of(folder / CURVE):
        point = float(row["decisions"]) / 1e6, float(row["bb_per_100"]), float(row["half_width_95"])
        points.setdefault(row["opponent"], []).append(point)
    for opponent, its in points.items():
        decisions, rates, widths = zip(*its, strict=True)
        above.errorbar(decisions, rates, widths, label=opponent, marker="o", markersize=3, capsize=2)
    above.axhline(0, color="grey", linewidth=0.5)
    above.set_ylabel("bb/100, with 95 % intervals")
    if points:
        above.legend()
    logged = [row for row in rows_of(folder / PROGRESS) if row.get("train/explained_variance")]
    when = [float(row["time/total_timesteps"]) / 1e6 for row in logged]
    below.plot(when, [float(row["holdem/entropy"]) for row in logged], label="entropy in nats")
    below.plot(when, [float(row["train/explained_variance"]) for row in logged], label="explained variance")
    below.set_xlabel("decisions of the learner, millions")
    below.legend()
    figure.savefig(folder / "curve.png", dpi=100)
