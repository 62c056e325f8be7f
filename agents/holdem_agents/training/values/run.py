"""Runs of `holdem solve values`: examples in files, then a network with its card.

folder = solve_values(ValuesConfig(street="river"), Path("runs/river-values"), jobs=2)
resume_values(folder, jobs=2)  # after a crash: files that are there are not made again
"""

from __future__ import annotations

from pathlib import Path
from typing import Literal

from rich.progress import BarColumn, MofNCompleteColumn, TextColumn, TimeRemainingColumn

from holdem_env.solvers.values.network import ValueNetwork, save_values
from holdem_env.utils import yaml_files
from holdem_env.utils.atomic import write_atomically
from holdem_env.utils.runner import Runner
from holdem_env.utils.validation import Validated
from holdem_env.utils.version import __version__

from ...progress import VisibleProgress
from ..run_folder.files import CARD, CONFIG
from .accuracy import Accuracy, accuracy
from .examples import BOARDS, ROWS, Arrays, Shard, load_shards, make_shard

FINAL = "final.safetensors"
EXAMPLES = "examples"
HELD_OUT = 20
"""One file in this many is not fitted."""
NOT_FITTED = 2**31
"""The number of a file that no run has."""
TESTED = 40
"""Spots that are solved exactly in the end."""


class ValuesConfig(Validated):
    """street: of the card to come when hands are valued. blueprint: whose play gives half of the ranges. network: of
    the river, for street "turn": a file, by default the bundled one. examples, epochs: how many."""

    street: Literal["turn", "river"]
    blueprint: str = "blueprint_100bb"
    network: str | None = None
    examples: int = 200_000
    epochs: int = 8
    seed: int = 0


def solve_values(config: ValuesConfig, folder: Path, jobs: int = 1, show: bool = True) -> Path:
    """Make the examples that a run folder lacks, fit a network to all of them, and write final.safetensors and
    model_card.md. Ctrl-C leaves the finished files. Raises FileExistsError for a folder with another run."""
    path = folder / CONFIG
    text = yaml_files.dumps(config.model_dump())
    if path.exists() and path.read_text(encoding="utf-8") != text:
        raise FileExistsError(f"{folder} holds another run: choose another --name, or remove the folder")
    (folder / EXAMPLES).mkdir(parents=True, exist_ok=True)
    write_atomically(path, text)
    paths = _made(config, folder, jobs, show)
    test = load_shards(paths[::HELD_OUT])
    train = load_shards([path for k, path in enumerate(paths) if k % HELD_OUT])
    network = _fitted(config, train, test, show)
    save_values(network, folder / FINAL)
    measured = accuracy(network, _shard(config, folder, NOT_FITTED), TESTED)
    write_atomically(folder / CARD, card(network, measured))
    return folder


def resume_values(folder: Path, jobs: int = 1, show: bool = True) -> Path:
    """Go on with a run. Raises FileNotFoundError if there is none."""
    if not (folder / CONFIG).is_file():
        raise FileNotFoundError(f"{folder}: no run to resume; there is no {CONFIG} in it")
    config = ValuesConfig(**yaml_files.loads((folder / CONFIG).read_text(encoding="utf-8")))
    return solve_values(config, folder, jobs, show)


def is_values_run(folder: Path) -> bool:
    """Whether a run folder is one of these."""
    return (folder / EXAMPLES).is_dir()


def _made(config: ValuesConfig, folder: Path, jobs: int, show: bool) -> list[Path]:
    """The files of examples, all of them made."""
    count = max(-(-config.examples // (BOARDS * ROWS)), 2)
    shards = [_shard(config, folder, number) for number in range(count)]
    left = [shard for shard in shards if not shard.path.is_file()]
    columns = TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn(), TimeRemainingColumn()
    with VisibleProgress(*columns, disable=not show) as bar, Runner(jobs) as runner:
        task = bar.add_task(f"examples, {BOARDS * ROWS} a file", total=count, completed=count - len(left))
        for outcome in runner.run(make_shard, left):
            outcome.result()
            bar.advance(task)
    return [shard.path for shard in shards]


def _shard(config: ValuesConfig, folder: Path, number: int) -> Shard:
    """One file of a run's examples."""
    return Shard(number, config.street, config.blueprint, config.network, config.seed, (folder / EXAMPLES).absolute())


def _fitted(config: ValuesConfig, train: Arrays, test: Arrays, show: bool) -> ValueNetwork:
    from .fit import fit  # PyTorch takes seconds to import

    examples = len(train["depth"])
    command = f"holdem solve values --street {config.street} --examples {config.examples}"
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
