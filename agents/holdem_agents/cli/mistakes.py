"""`holdem mistakes`: which decisions cost how much, the worst first."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from holdem_env.table.table import Table as Hand
from holdem_env.utils.counting import counted

from ..playing.assumed_ranges import Assumed, hands_of
from .console import console, counting, only_options, option, print_table, say, say_written, table_of, user_errors
from .model_commands import RulesName, agent_of, game_of

if TYPE_CHECKING:
    from holdem_env.arena.best_responses.mistakes import Mistakes, StrategyOf

NUMBERS = ("decisions", "mbb a decision", "bb/100", "loses, bb")
EITHER = {"hands", "flop_seconds", "rollouts", "worst", "save"}  # options of a history's hands and of an agent's


def mistakes_command(
    context: typer.Context,
    agent: Annotated[
        str | None, typer.Argument(metavar="[AGENT]", help="The agent that plays itself: a name or a file.")
    ] = None,
    rules: RulesName = None,
    hands: Annotated[int, option("N", "Number of hands.", min=1)] = 500,
    seed: Annotated[int, option("N", "Seed of the decks.", min=0)] = 0,
    history: Annotated[Path | None, option("FILE", "Judge the hands of a history instead, of a --hero.")] = None,
    hero: Annotated[str | None, option("NAME", "Whose decisions are judged.")] = None,
    ranges: Annotated[
        str | None,
        option(
            "AGENT",
            "With --history: whose strategy says which hands the players have. Default: the bundled agent for each "
            "hand's game.",
        ),
    ] = None,
    flop_seconds: Annotated[
        float | None, option("N", "Judge flops, too: solve each for this long. By default they are left out.")
    ] = None,
    rollouts: Annotated[
        int, option("N", "Of each move before the flop, by the blueprint; 0 leaves them out.", min=0)
    ] = 1_000,
    worst: Annotated[int, option("N", "How many of the worst decisions to print.", min=0)] = 10,
    save: Annotated[Path | None, option("FILE", "Write the hands to this new history file.")] = None,
) -> None:
    """Solve the turns and rivers of played hands, and print what each decision loses against the solution.

    A street is judged if two players begin it. Before the flop, the shipped blueprint of the game plays both moves
    out. An agent plays itself, and its own range queries say which hands both players have. Of a history, --ranges
    assumes them.
    """
    # Compiled code, which other commands do not need.
    from holdem_env.arena.best_responses.mistakes import Effort, judged_hands, played_hands
    from holdem_env.history import HandCollection, HandWriter

    with user_errors():
        if (agent is None) == (history is None):
            raise ValueError("mistakes: give an agent, or --history FILE and --hero NAME")
        if history is not None:
            only_options(context, "--history", EITHER | {"history", "hero", "ranges"})
            if hero is None:
                raise ValueError("mistakes: --history needs --hero, the name of a player in it")
            collection = HandCollection(history)
            own = hands_of(collection, hero, collection.search(agent=hero)[:hands])
            found, seats, names, unjudged = own.tables, own.seats, own.names, own.left_out
            if not found:
                why = ", ".join(f"{count:,} {reason}" for reason, count in unjudged.items())
                problem = f"{history}: there is no hand of {hero!r} in it that can be judged"
                raise ValueError(f"{problem}: {why}" if why else problem)
            strategies: StrategyOf = Assumed(ranges)
        else:
            only_options(context, "an agent", EITHER | {"agent", "rules", "seed"})
            strategy = agent_of(str(agent))
            strategies = lambda _: strategy  # noqa: E731
            found = list(played_hands(strategy, game_of(rules, [strategy]), hands, seed))
            seats, names, unjudged = None, [str(number) for number in range(1, hands + 1)], Counter[str]()
        effort = Effort(flop_seconds, rollouts)
        with counting("Solving", len(found), "hands") as advance:
            judged = judged_hands(_counted(found, advance), strategies, seats, effort)
        if isinstance(strategies, Assumed):
            say(strategies.sentence)
        judged.unjudged += unjudged
        if save is not None:
            with HandWriter(save) as writer:
                for hand in found:
                    writer.write(hand)
            say_written(f"{counted(len(found), 'hand')} in {save}", "replay", save)
        print_mistakes(judged, worst, names, save or history)


def print_mistakes(judged: Mistakes, worst: int, names: Sequence[str], file: Path | None) -> None:
    """Print the means by street, position and kind, and the worst decisions. names: of the hands, in the file that has
    them, if there is one."""
    from holdem_env.arena.best_responses import mistakes_table as shown

    print_table(console, table_of(shown.TITLE, shown.MEANS, shown.mean_rows(judged), NUMBERS))
    for sentence in shown.sentences(judged):
        say(sentence)
    if rows := shown.worst_rows(judged, worst, names):
        print_table(console, table_of(shown.WORST_TITLE, shown.WORST, rows, NUMBERS))
        after = "shows the first, once --save FILE has kept the hands." if file is None else "shows the first."
        say(f"{shown.replay_sentence(file or 'FILE', rows[0][0])} {after}")


def _counted(hands: Sequence[Hand], report: Callable[[int], None]) -> Iterator[Hand]:
    for hand in hands:
        yield hand
        report(1)
