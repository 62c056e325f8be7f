"""The run of a network that values hands before a card: examples in files, then the network with its card."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from time import monotonic

from rich.progress import BarColumn, MofNCompleteColumn, TextColumn, TimeRemainingColumn

from holdem_env.solvers.values.network import ValueNetwork, load_values, save_values
from holdem_env.utils.atomic import write_atomically
from holdem_env.utils.runner import Interrupted
from holdem_env.utils.version import __version__

from ...progress import VisibleProgress
from ...runs.checkpoint import State
from ...runs.files import CARD, EXAMPLES, FINAL, write_facts
from ...runs.run import Run, Trainable
from ..config import ValuesConfig
from .accuracy import Accuracy, accuracy
from .examples import BOARDS, ROWS, Arrays, Shard, load_shards, make_shard

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
