"""The run of a network that values hands before a card: examples in files, then the network with its card."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from itertools import pairwise
from pathlib import Path
from time import monotonic

import numpy as np
from numpy.typing import NDArray
from rich.progress import BarColumn, MofNCompleteColumn, TextColumn, TimeRemainingColumn

from holdem_env.cards.text import CARDS
from holdem_env.solvers.values.labels import Board, after_card
from holdem_env.solvers.values.network import ValueNetwork, load_values, save_values
from holdem_env.utils.atomic import write_atomically
from holdem_env.utils.runner import Interrupted
from holdem_env.utils.version import __version__

from ...progress import VisibleProgress
from ...runs.checkpoint import State
from ...runs.files import CARD, EXAMPLES, FINAL, write_facts
from ...runs.run import Run, Trainable
from ..config import ValuesConfig
from .examples import BOARDS, ROWS, Arrays, Shard, load_shards, make_shard, network_below, situations

DEPTHS = (0.0, 1.0, 4.0, 15.0, np.inf)
PERCENT = 100

HELD_OUT = 20
"""One file in this many is not fitted."""
NOT_FITTED = 2**31
"""The number of a file that no run has."""
TESTED = 40
"""Spots that are solved exactly in the end."""


class ValuesRun(Trainable):
    """A network of values in its run folder, which gets examples/ and final.safetensors. Files of examples that are
    there are not made again."""

    UNIT, OPPONENT, IN_PARALLEL = "examples", None, True

    def __init__(self, run: Run) -> None:
        super().__init__(run)
        (self.folder / EXAMPLES).mkdir(exist_ok=True)
        count = _files_for(self.config.examples)
        self._shards = [_shard(self.config, self.folder, number) for number in range(count)]
        self._made = sum(shard.path.is_file() for shard in self._shards)
        self._seconds, self._begun = 0.0, monotonic()

    @classmethod
    def spent_in(cls, config: ValuesConfig, state: State) -> float:
        return min(int(state["files"]) / _files_for(config.examples), 1.0)

    def done(self) -> int:
        return self._made * BOARDS * ROWS

    def is_over(self) -> bool:
        return self._made >= len(self._shards)

    def plan(self) -> list[str]:
        return [f"{len(self._shards):,} files of {BOARDS * ROWS} examples, {self._made:,} of which are there"]

    def state(self) -> State:
        return {"files": self._made, "seconds": self._seconds + monotonic() - self._begun}

    def load(self, state: State) -> None:
        self._seconds = state["seconds"]

    def advance(self, between: Callable[[], bool]) -> None:
        left = [shard for shard in self._shards if not shard.path.is_file()]
        columns = TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn(), TimeRemainingColumn()
        with VisibleProgress(*columns, disable=not self.run.show) as bar:
            task = bar.add_task(f"examples, {BOARDS * ROWS} a file", total=len(self._shards), completed=self._made)
            try:
                for outcome in self.run.runner.run(make_shard, left):
                    outcome.result()
                    self._made += 1
                    bar.advance(task)
                    if not between():
                        break
            except Interrupted:
                pass
        if not self.is_over():
            self.run.save()

    def deliver(self, folder: Path) -> bool:
        if not self.is_over():
            return False
        paths = [shard.path for shard in self._shards]
        train = load_shards([path for k, path in enumerate(paths) if k % HELD_OUT])
        save_values(_fitted(self.config, train, load_shards(paths[::HELD_OUT]), self.run.show), folder / FINAL)
        write_facts(folder, self.done(), self.state()["seconds"], self.config.seed, budget_spent=1.0)
        return True

    def measure(self, folder: Path) -> None:
        """How far values are from those of solutions with every card, for the card."""
        network = load_values(folder / FINAL)
        measured = accuracy(network, _shard(self.config, folder, NOT_FITTED), TESTED)
        write_atomically(folder / CARD, card(network, measured))


def _files_for(examples: int) -> int:
    return max(-(-examples // (BOARDS * ROWS)), 2)


def _shard(config: ValuesConfig, folder: Path, number: int) -> Shard:
    return Shard(number, config.street, config.blueprint, config.network, config.seed, (folder / EXAMPLES).absolute())


def _fitted(config: ValuesConfig, train: Arrays, test: Arrays, show: bool) -> ValueNetwork:
    from .fit import fit  # PyTorch takes seconds to import

    examples = len(train["depth"])
    command = f"holdem train values_{config.street} --set examples={config.examples}"
    facts = {"command": command, "examples": examples, "version": __version__}
    columns = TextColumn("{task.description}"), BarColumn(), TimeRemainingColumn()
    with VisibleProgress(*columns, disable=not show) as bar:
        task = bar.add_task("fitting", total=config.epochs)

        def said(epoch: int, fitted: float, held_out: float) -> None:
            bar.update(task, completed=epoch, description=f"explained {fitted:.1%}, held out {held_out:.1%}")
            facts.update(explained=round(fitted, 4), explained_held_out=round(held_out, 4))

        return fit(train, test, config.street, config.epochs, config.seed, said, facts)


def card(network: ValueNetwork, measured: list[Accuracy]) -> str:
    """The model card as Markdown."""
    facts, size = network.training, sum(weights.size for weights, _ in network.layers)
    lines = [
        f"# Values before the {network.street}",
        "",
        f"What each hand of both players wins when a street is over and the {network.street} is still to come, where "
        "the search of `BlueprintAgent` ends. For heads-up no limit without rake, with at most "
        f"{network.deepest:g} times the pot left to bet.",
        "",
        f"- `{facts['command']}`, {facts['examples']:,} examples with a card drawn at random",
        f"- {network.buckets} buckets of hands, {size:,} weights; a hand wins its equity and what the network adds",
        f"- of the variance of single examples' gains {facts['explained']:.1%} are explained, "
        f"{facts['explained_held_out']:.1%} of examples that were not fitted; the rest is error and the drawn card",
        "",
        f"Against solutions with every {network.street}, on {sum(each.spots for each in measured)} spots that it never "
        "saw, half of them of the blueprint's play: the mean absolute error of a hand's value, weighted by the range, "
        "in percent of the pot, and that of equities alone.",
        "",
        "| left to bet, pots | spots | network | equities |",
        "|---|---:|---:|---:|",
        *(f"| {each.depth} | {each.spots} | {each.network:.1f} | {each.equity:.1f} |" for each in measured),
        "",
    ]
    return "\n".join(lines)


@dataclass(frozen=True)
class Accuracy:
    """depth: what can still be bet, in pots, as text. spots: how many. network, equity: mean absolute errors in percent
    of the pot."""

    depth: str
    spots: int
    network: float
    equity: float


def accuracy(network: ValueNetwork, shard: Shard, spots: int) -> list[Accuracy]:
    """Errors by how much can still be bet, on spots of a shard that was not fitted. A spot before the river takes some
    half a second, one before the turn 10."""
    random, below, found = np.random.default_rng([shard.seed, shard.number]), network_below(shard), []
    for (board, ranges, depth), _ in zip(situations(shard, random, rows=1), range(spots), strict=False):
        found.append((depth, *errors(network, below, board, ranges, depth)))
    rows = np.array(found)
    lines = []
    for low, high in pairwise(DEPTHS):
        here = rows[(rows[:, 0] >= low) & (rows[:, 0] < high)]
        if len(here):
            text = f"above {low:g}" if high == np.inf else f"{low:g} to {high:g}"
            lines.append(Accuracy(text, len(here), *(PERCENT * here[:, 1:].mean(axis=0)).tolist()))
    return lines


def errors(
    network: ValueNetwork, below: ValueNetwork | None, board: Board, ranges: NDArray[np.float64], depth: float
) -> tuple[float, float]:
    """The mean absolute error of hands' values, in pots, of a network and of equities alone. below: of turns."""
    seen, met = board.seen(ranges, depth)
    said = network(seen)[0][:, board.buckets.number]
    exact = exact_gains(below, board, ranges, depth)
    weights = ranges[:, board.pairs.combos]
    together = weights * met / (weights * met).sum(axis=1, keepdims=True) / len(weights)
    known = ~np.isnan(exact)
    together = np.where(known, together, 0.0)
    exact = np.where(known, exact, 0.0)
    return float((together * np.abs(said - exact)).sum()), float((together * np.abs(exact)).sum())


def exact_gains(
    below: ValueNetwork | None, board: Board, ranges: NDArray[np.float64], depth: float
) -> NDArray[np.float64]:
    """(2, N): what hands win beyond their equity, in pots, the mean over every next card. below: the network that
    values turns; None on the turn, whose rivers are solved."""
    sums, weights = np.zeros_like(ranges), np.zeros_like(ranges)
    for card in np.setdiff1d(np.arange(CARDS), board.cards).tolist():
        gains, met = after_card(board, card, ranges, depth, below)
        sums += np.nan_to_num(gains) * met
        weights += np.where(np.isnan(gains), 0.0, met)
    means = np.divide(sums, weights, out=np.full_like(sums, np.nan), where=weights > 0)
    found: NDArray[np.float64] = means[:, board.pairs.combos]
    return found
