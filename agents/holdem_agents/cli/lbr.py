"""`holdem lbr`: how much local best response wins from an agent, in every setting, in one table."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Annotated

import typer
from rich.markup import escape
from rich.table import Table

from holdem_env.arena import LocalBestResponse, local_best_responses
from holdem_env.arena.best_responses.lbr_table import is_published, save_table, usual_actions
from holdem_env.game.rules import Rules
from holdem_env.game.street_names import STREETS
from holdem_env.game.title import game_title
from holdem_env.game.units import MILLI
from holdem_env.utils.counting import counted
from holdem_env.utils.shown_names import shown_name
from holdem_env.utils.validation import suggestion

from .console import console, counting, option, print_table, say, user_errors
from .model_commands import RulesName, agent_of, game_of

NOTE = "Positive: local best response wins, in thousandths of a big blind a hand, with 95 % intervals. A lower bound."
MARK = "*"


def lbr_command(
    agent: Annotated[str, typer.Argument(help="The agent to measure: a name or a file.")],
    rules: RulesName = None,
    hands: Annotated[int, option("N", "Number of hands of each setting.", min=1)] = 10_000,
    actions: Annotated[
        list[str] | None,
        option(
            "NAME|SIZES",
            "What local best response may do: fc (fold and call), fcpa (raise the pot and all-in, too), or sizes such "
            'as "30%, 75%, all-in". May be repeated. Default: fc, fcpa and sizes off the tree.',
        ),
    ] = None,
    from_street: Annotated[
        list[str] | None,
        option(
            "STREET",
            "preflop, flop, turn or river: before it, local best response checks and calls. May be repeated. Default: "
            "each of them.",
        ),
    ] = None,
    seed: Annotated[int, option("N", "Seed of the decks.", min=0)] = 0,
    jobs: Annotated[int, option("N", "Number of processes; -1 uses all cores.")] = 1,
    save: Annotated[Path | None, option("FILE", "Save the table as a .csv file, after each setting.")] = None,
) -> None:
    """Play local best response against an agent in several settings, and print what it wins in mbb/h.

    Works for heads-up hold'em and agents that tell their probabilities. All settings get the same decks, and each deal
    is played from both seats.
    """
    found: list[LocalBestResponse] = []
    with user_errors():
        if jobs == 0:
            raise ValueError("--jobs: give 1 or more processes, or -1 for all cores")
        one = agent_of(agent)
        game = game_of(rules, [one])
        menus, streets = actions or usual_actions(game), [street_number(name) for name in from_street or STREETS]
        with counting("playing", hands * len(menus) * len(streets), "hands") as advance:
            for result in local_best_responses(agent, game, hands, menus, streets, seed, jobs, advance):
                found.append(result)
                if save:
                    save_table(found, game, seed, save)
    print_table(console, lbr_table(found, game))
    say(_notes(found, game))


def street_number(name: str) -> int:
    """0 to 3 for preflop to river. Raises ValueError for other words."""
    if name not in STREETS:
        raise ValueError(f"--from-street: there is no street {name!r}: {suggestion(name, STREETS)}")
    return STREETS.index(name)


def lbr_table(results: Sequence[LocalBestResponse], rules: Rules) -> Table:
    """Actions down, streets across; settings with published figures are marked."""
    streets = sorted({each.from_street for each in results})
    table = Table(title=f"Local best response against {escape(shown_name(results[0].agent, None))}, mbb/h")
    table.add_column("actions")
    for street in streets:
        table.add_column(f"from the {STREETS[street]}" if street else "from the start", justify="right")
    cells = {
        (each.actions, each.from_street): MILLI.text(each.mean, each.half_width)
        + (MARK if is_published(each, rules) else "")
        for each in results
    }
    for actions in dict.fromkeys(each.actions for each in results):
        table.add_row(escape(actions), *(cells.get((actions, street), "") for street in streets))
    return table


def _notes(results: Sequence[LocalBestResponse], rules: Rules) -> str:
    lines = [NOTE]
    if any(is_published(each, rules) for each in results):
        lines.append(f"{MARK} known programs were measured in this setting (fc from the start, fcpa from the turn)")
    best = max(results, key=lambda each: each.mean)
    lines.append(f"The largest is the best bound: {best}")
    lines.append(f"The game: {game_title(rules)}; every setting has {counted(results[0].hands, 'hand')}")
    return "\n".join(lines)
