"""`holdem solve`: the rest of one hand solved, on one board or many; `holdem solve open` prints what was saved."""

from __future__ import annotations

import json
import re
import sys
from collections.abc import Callable
from dataclasses import dataclass
from datetime import timedelta
from math import isnan
from pathlib import Path
from time import monotonic
from typing import TYPE_CHECKING, Annotated, Any

import typer
from rich.progress import BarColumn, MofNCompleteColumn, TextColumn, TimeRemainingColumn
from rich.status import Status

from holdem_env.game.rules import Rules
from holdem_env.game.rules_input import as_rules
from holdem_env.utils import yaml_files
from holdem_env.utils.atomic import write_atomically

from ..progress import SECONDS, VisibleProgress
from ..runs.interrupts import Interrupts
from .console import console, only_options, option, say, user_errors
from .exit_status import FAILED, INTERRUPTED

if TYPE_CHECKING:
    from holdem_env.solvers.solution import Solution
    from holdem_env.solvers.trees.bet_sizes import BetSizesLike

solve_app = typer.Typer()

MIB = 2**20
WIDE = 104  # columns of a chart whose cells name their hands

BoardText = Annotated[str | None, option("CARDS", "The board: five cards, four or three, such as Ks7h2d3c9s.")]
TwoRanges = Annotated[
    list[str] | None,
    option("RANGE", "A range such as '77+, AQs+, KJo:0.5'. Give it twice, the button's first; or --ip and --oop."),
]
InPosition = Annotated[str | None, option("RANGE", "The range of the button, who acts last.")]
OutOfPosition = Annotated[str | None, option("RANGE", "The range of the other player, who acts first.")]
Pot = Annotated[str | None, option("CHIPS", "What is in the middle, such as 100, or in tenths: 6.5.")]
StackTexts = Annotated[
    str | None, option("CHIPS", "What both have left; or the button's and the other player's: 400,350.")
]
Sizes = Annotated[
    list[str] | None,
    option(
        "SIZES",
        "Bets and raises: '33%, 75%, a | 100%, a | a', by wager. a is all-in. Give it twice for sizes of each player's "
        "own, the button's first.",
    ),
]
RulesName = Annotated[str | None, option("PRESET", "The game, for its structure and smallest bet. Default: no limit.")]
RakePercent = Annotated[float | None, option("PERCENT", "Rake of the pot.", min=0.0, max=100.0)]


def _percent(text: str | float) -> float:
    try:
        return float(str(text).removesuffix("%"))
    except ValueError:
        raise typer.BadParameter(f"must be a percentage such as 0.5, got {text!r}") from None


Accuracy = Annotated[
    float, option("PERCENT", "Stop at this exploitability, in percent of the pot: 0.5 or 0.5%.", parser=_percent)
]
Seconds = Annotated[float | None, option("N", "Stop after N seconds.")]
Bits = Annotated[
    int | None, option("16|32", "Of each regret and strategy. Default: 16 where 32 take more memory than --memory.")
]
Memory = Annotated[int, option("MIB", "Memory that it may take.", min=1)]
Place = Annotated[str, option("PATH", "What the chart shows: the moves and cards before it, 'check, bet 75'.")]
SavedTo = Annotated[
    Path | None,
    option("FILE", "Write the solution to this file: .solution, which `open` and --resume read, or .json."),
]
Resumed = Annotated[Path | None, option("FILE", "Continue the solution in this file that was stopped.", "--resume")]
Threads = Annotated[int | None, option("N", "Threads. Default: all cores.", min=1)]
Boards = Annotated[Path | None, option("FILE", "Solve on each board of this file, one in a line.", "--boards")]
Flops = Annotated[int | None, option("N", "Solve on N flops that stand for all 22,100.", "--flops", min=1)]
Locks = Annotated[
    Path | None,
    option("FILE", "Hold strategies fixed: a YAML or JSON file, by path: 'check, bet 50': [0.3, 0.7].", "--lock"),
]


@solve_app.callback(invoke_without_command=True)
def solve_command(
    context: typer.Context,
    board: BoardText = None,
    ranges: TwoRanges = None,
    ip: InPosition = None,
    oop: OutOfPosition = None,
    pot: Pot = None,
    stacks: StackTexts = None,
    sizes: Sizes = None,
    rules: RulesName = None,
    rake: RakePercent = None,
    lock: Locks = None,
    accuracy: Accuracy = 0.5,
    seconds: Seconds = None,
    memory: Memory = 4096,
    bits: Bits = None,
    threads: Threads = None,
    boards: Boards = None,
    flops: Flops = None,
    resume: Resumed = None,
    at: Place = "",
    save: SavedTo = None,
) -> None:
    """Solve the rest of a hand from a river, a turn or a flop (--board), and print what both players do; or from many
    boards (--boards, --flops), and write a table.

    Ctrl-C ends solving with the solution so far, which --resume FILE goes on with. Pressed again, it ends at once.
    """
    with user_errors():
        if context.invoked_subcommand is not None:
            only_options(context, context.invoked_subcommand, ())
            return
        modes = {"--board": board, "--boards": boards, "--flops": flops, "--resume": resume}
        given = [name for name, value in modes.items() if value is not None]
        if len(given) != 1:
            raise ValueError(f"solve: give one of {', '.join(modes)}, got {' and '.join(given) or 'none'}")
        limits: dict[str, Any] = {"accuracy": accuracy, "seconds": seconds, "threads": threads}
        if resume is not None:
            only_options(context, "--resume", {"resume", "accuracy", "seconds", "threads", "at", "save"})
            from holdem_env.solvers.subgames import solve_subgame

            _solve(lambda **watching: solve_subgame(resume=resume, **limits, **watching), limits, at, save or resume)
            return
        spot = Spot(board, ranges or [], ip, oop, pot, stacks, sizes or [], rules, rake)
        arguments = {**spot.arguments(), "locked": locked_in(lock)}
        limits |= {"most_memory": memory * MIB, "bits": bits}
        if spot.parts > 1:
            words = "Solved in tenths of a chip, as --lock has them: pot {pot}, stacks {stacks}."
            say(words.format_map(arguments))
        if board is not None:
            solve_spot(arguments, limits, at, save, spot.parts)
            return
        if at:
            raise ValueError(f"solve: --at cannot be used with {given[0]}")
        solve_many(boards, flops, arguments, limits, save or Path("boards"))


@solve_app.command("open", epilog="Example: holdem solve open river.solution --at 'check, bet 75'")
def open_command(
    file: Annotated[Path, typer.Argument(help="A solution that --save has written.")], at: Place = ""
) -> None:
    """Print a saved solution, at the place of --at."""
    with user_errors():
        from holdem_env.solvers.solution import load_solution

        solution = load_solution(file)
        _print(solution, at, solution.spot.parts if solution.spot else 1)


@dataclass(frozen=True)
class Spot:
    """The options that say what is solved."""

    board: str | None
    ranges: list[str]
    ip: str | None
    oop: str | None
    pot: str | None
    stacks: str | None
    sizes: list[str]
    rules: str | None
    rake: float | None

    def arguments(self) -> dict[str, Any]:
        """The arguments of `solve_subgame`. Raises ValueError for what is missing."""
        missing = [f"--{name}" for name in ("pot", "stacks") if getattr(self, name) is None]
        if missing:
            raise ValueError(f"solve: with a board give {' and '.join(missing)}, too")
        tenths = self._tenths()
        if self.parts > 1 and self.rules is not None:
            raise ValueError(f"--pot, --stacks must be whole chips with --rules, got {self.pot} and {self.stacks}")
        stacks = [each // (10 // self.parts) for each in tenths[1:]]
        return {
            "board": self.board,
            "ranges": self._ranges(),
            "pot": tenths[0] // (10 // self.parts),
            "stacks": stacks[0] if len(stacks) == 1 else stacks,
            "sizes": self._sizes(),
            "rules": self._rules(),
        }

    def _ranges(self) -> list[str]:
        if len(self.ranges) == 2 and self.ip is None and self.oop is None:
            return self.ranges
        if not self.ranges and self.ip is not None and self.oop is not None:
            return [self.ip, self.oop]
        raise ValueError("solve: give two ranges, either --ip and --oop, or --ranges twice (the button's first)")

    def _sizes(self) -> BetSizesLike:
        from holdem_env.solvers.trees.bet_sizes import POSITIONS  # of a package with compiled code

        if len(self.sizes) < len(POSITIONS):
            return self.sizes[0] if self.sizes else None
        if len(self.sizes) > len(POSITIONS):
            raise ValueError(f"solve: give --sizes once, or twice (the button's first), not {len(self.sizes)} times")
        return dict(zip(POSITIONS, self.sizes, strict=True))

    @property
    def parts(self) -> int:
        """Into how many parts a chip is cut, as the solver counts whole numbers: 10 where an amount has a decimal."""
        return 10 if any(amount % 10 for amount in self._tenths()) else 1

    def _tenths(self) -> list[int]:
        """The pot and the stacks in tenths of a chip. Raises ValueError."""
        amounts = [("--pot", str(self.pot)), *(("--stacks", word) for word in str(self.stacks).split(","))]
        for name, word in amounts:
            if not re.fullmatch(r"\d+(\.\d)?", word.strip()) or not float(word):
                raise ValueError(f"{name} must be chips above 0 with at most one decimal, such as 6.5, got {word!r}")
        return [round(10 * float(word)) for _, word in amounts]

    def _rules(self) -> Rules | None:
        from holdem_env.solvers.games import PLAIN

        game = None if self.rules is None else as_rules(self.rules)
        return game if self.rake is None else (game or PLAIN).replace(rake=self.rake)


def solve_spot(
    arguments: dict[str, Any], limits: dict[str, Any], place: str, save: Path | None, parts: int = 1
) -> None:
    """Solve a spot, and print its size before and its solution after. arguments, limits: of `solve_subgame`. parts: how
    many of its units are a chip."""
    from holdem_env.solvers.subgames import solve_subgame, subgame_size  # compiled code, which other commands leave out

    size = subgame_size(**arguments)
    console.print(f"{size.fitting(limits['most_memory'], limits['bits'])}.", soft_wrap=True)
    _solve(lambda **watching: solve_subgame(**arguments, **limits, **watching), limits, place, save, parts)


def locked_in(file: Path | None) -> Any:
    """The strategies that a file holds fixed. Raises ValueError for a file that holds no paths."""
    found = None if file is None else yaml_files.load(file)
    if found is not None and not isinstance(found, dict):
        raise ValueError(f"{file}: must be paths with their strategies, such as 'check, bet 50': [0.3, 0.7]")
    return found


def solve_many(
    boards: Path | None, flops: int | None, arguments: dict[str, Any], limits: dict[str, Any], folder: Path
) -> None:
    """Solve a spot on the boards of a file, or on flops that stand for all, with a bar; and say what came of it."""
    from holdem_env.arena.datasets.boards import boards_in, representative, solve_boards

    chosen = representative(flops or 0) if boards is None else boards_in(boards)
    columns = TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn(), TextColumn("boards")
    jobs = limits.pop("threads") or -1
    del arguments["board"]
    with VisibleProgress(*columns, TimeRemainingColumn(), console=console, transient=True) as bar:
        task = bar.add_task("Solving", total=len(chosen), unit="boards")

        def shown(done: int) -> None:
            bar.update(task, completed=done)

        found = solve_boards(chosen, {**arguments, **limits}, folder, jobs, SolvingInterrupts, shown)
    for line in found.failed:
        say(line, style="red")
    if found.rows:
        say(found.in_words())
        say(f"Written to {' and '.join(map(str, found.write(folder)))}.")
    if found.is_interrupted:
        say("Interrupted. The same command continues.")
    if found.is_interrupted or found.failed:
        raise typer.Exit(INTERRUPTED if found.is_interrupted else FAILED)


def _solve(
    solve: Callable[..., Solution], limits: dict[str, Any], place: str, save: Path | None, parts: int = 1
) -> None:
    """Solve with progress, until ctrl-C if need be; print and save what came of it."""
    solution = None
    with console.status("Solving ...") as status, SolvingInterrupts() as interrupts:
        solution = solve(progress=Shown(status, limits["accuracy"]), stop=lambda: interrupts.asked)
    if solution is None:  # ctrl-C was pressed twice
        raise typer.Exit(INTERRUPTED)
    if parts > 1 and solution.spot is not None:
        solution.spot = solution.spot.model_copy(update={"parts": parts})
    parts = solution.spot.parts if solution.spot is not None else 1  # of a file that is resumed
    if save is not None:
        if save.suffix == ".json":
            write_atomically(save, json.dumps(solution.plain(), indent=1) + "\n")
        else:
            solution.save(save)
        say(f"Written to {save}.")
    _print(solution, place, parts)
    if solution.solver is not None:
        goes_on = f"; holdem solve --resume {save} goes on" if save is not None and save.suffix != ".json" else ""
        say(f"Stopped after iteration {solution.iterations:,}{goes_on}.")
    if interrupts.asked:
        raise typer.Exit(INTERRUPTED)


def _print(solution: Solution, place: str, parts: int = 1) -> None:
    from holdem_env.solvers.reading import scale_words  # of a package with compiled code

    place = scale_words(place, parts)
    say(scale_words(solution.describe(place), 1 / parts))
    if not solution.tree.rules.is_texas_holdem:
        say(solution.table())
        return
    chart, is_narrow = solution.chart(place), console.width < WIDE
    chart.moves = [scale_words(move, 1 / parts) for move in chart.moves]
    edges = ": rows and columns are the ranks, suited hands are above the diagonal" if is_narrow else ""
    console.print(f"{chart.caption()}{edges}.")
    console.print(chart.rich(is_narrow=is_narrow), soft_wrap=True)


class SolvingInterrupts(Interrupts):
    """Ctrl-C while something is solved."""

    WORDS = "solving ends after this second, with what there is"


class Shown:
    """Shows how far a solution is: on a terminal at once, in files and pipes by a line on stderr now and then."""

    def __init__(self, status: Status, accuracy: float) -> None:
        from holdem_env.solvers.bar import Pace  # of a package with compiled code

        self.status = status
        self.printed = monotonic()
        self.pace = Pace(accuracy or 1e-9)  # 0 is never reached

    def __call__(self, iterations: int, percent: float) -> None:
        now = monotonic()
        words = f"Solving: {iterations:,} iteration{'s' if iterations > 1 else ''}"
        words += "" if isnan(percent) else f", exploitability {percent:.2f} % of the pot"
        if (left := self.pace.seconds_left(iterations, percent)) is not None:
            words += f", about {timedelta(seconds=round(left))} left"
        self.status.update(words)
        if not console.is_terminal and now - self.printed >= SECONDS:
            self.printed = now
            print(words, file=sys.stderr, flush=True)
