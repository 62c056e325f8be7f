"""`holdem match`: one agent against another, and what it wins."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from secrets import randbits
from typing import Annotated

import typer

from holdem_env.agents.protocol import Agent
from holdem_env.agents.short_names import short_names
from holdem_env.arena import AgentFailed
from holdem_env.arena.estimators.registry import ESTIMATORS
from holdem_env.arena.estimators.stopping import Stops
from holdem_env.arena.isolation.making import Isolation
from holdem_env.arena.matches.dealer import KEY_BITS
from holdem_env.arena.observed.match_run import MatchRun, match_id
from holdem_env.game.rules import Rules
from holdem_env.game.title import game_title
from holdem_env.history.formats import in_words, written_formats
from holdem_env.protocols.text.dialogues import saving_dialogues
from holdem_env.utils.counting import counted

from .console import console, counting, flag, option, say, say_written, user_errors
from .exit_status import INTERRUPTED
from .model_commands import RulesName, SaveDialogues, Trust, agent_of, game_of

LEVEL = "Every deal ended level: with the same cards both won the same, as agents that make the same moves do."


def match_command(
    a: Annotated[str, typer.Argument(metavar="A", help="An agent: a name or a file.")],
    b: Annotated[str, typer.Argument(metavar="B", help="Its opponent, which has all the other seats.")],
    rules: RulesName = None,
    hands: Annotated[
        int, option("N", "Number of hands, rounded up to whole deals: each is played from every seat.", min=1)
    ] = 40_000,
    seed: Annotated[
        int | None, option("N", "Seed of the decks. Default: 0; with --isolation process a new one.", min=0)
    ] = None,
    greedy: Annotated[
        bool, flag("Models (.safetensors, .zip) play their most likely action instead of sampling one.")
    ] = False,
    trust: Trust = False,
    estimators: Annotated[
        str | None,
        option("NAMES", f"Print these estimates too, and how many hands they save: {', '.join(ESTIMATORS.names())}."),
    ] = None,
    stop_at: Annotated[
        float | None,
        option("RATE", "Stop as soon as the estimate is known to ± this much, or after --hands.", min=0.001),
    ] = None,
    dollars: Annotated[
        float | None, option("N", "Stop when the answers of language models have cost this much.", min=0.0001)
    ] = None,
    isolation: Annotated[
        Isolation,
        option(
            "process|none", "process: agents that are not this library's scripted ones play in processes of their own."
        ),
    ] = "none",
    save: Annotated[
        Path | None, option("FILE", f"Write all hands to this new file: {in_words(written_formats(many=True))}.")
    ] = None,
    save_dialogues: SaveDialogues = None,
) -> None:
    """Play A against B and print A's win rate with its 95 % interval.

    Every deal is played once from each seat, so both get the same cards.
    """
    unknown = seed is None and isolation == "process"
    seed = randbits(KEY_BITS) if unknown else seed or 0
    with user_errors(), saving_dialogues(save_dialogues):
        stops = Stops(stop_at, dollars)
        agents = agent_of(a, greedy, trust, isolation), agent_of(b, greedy, trust, isolation)
        game, names = game_of(rules, agents), _names_of([a, b], agents)
        key = match_id([a, b], greedy, game, seed)
        run = MatchRun(agents, names, game, hands, seed, save, key, (estimators or "").replace(",", " ").split(), stops)
        if run.earlier:
            say(f"{counted(len(run.earlier), 'hand')} of {save}: not played again.")
        if run.whole > hands and run.rotations > 1:
            console.print(f"{run.whole:,} hands: whole deals, each played from all {game.seats} seats.", markup=False)
        with _usage_shown(agents, names):
            try:
                with counting("playing", run.whole - len(run.earlier), "hands") as advance:
                    lines = _played(run, advance)
            except (KeyboardInterrupt, AgentFailed) as error:
                if partly := run.result():
                    say(f"cut short: {partly}\n{_game(game)}")
                    if run.can_go_on:
                        more_words = f" with --seed {seed}" if unknown else ""
                        console.print(f"The same command{more_words} goes on.", soft_wrap=True, highlight=False)
                if isinstance(error, AgentFailed):
                    raise
                raise typer.Exit(INTERRUPTED) from None
            say("\n".join(lines))
            if unknown:
                console.print(f"seed {seed}, drawn from the operating system", soft_wrap=True, highlight=False)
    if save is not None:
        say_written(f"All hands are in {save}", "replay", save)


def _played(run: MatchRun, progress: Callable[[int], None]) -> list[str]:
    if not run.is_estimated:
        won = run.play(progress)
        return [str(won), *([] if won.mean or won.half_width else [LEVEL]), _game(run.rules)]
    found, why = run.play_estimated(progress)
    lines = [str(each) for each in found]
    if why:
        lines.append(why)
    elif run.rotations > 1:
        lines.append("Without duplicate, an estimator counts one hand of each deal.")
    return lines


@contextmanager
def _usage_shown(agents: Sequence[Agent], names: Sequence[str]) -> Iterator[None]:
    """Say at the end, whatever it is, what agents have used that count it: language models, and search."""
    try:
        yield
    finally:
        for name, agent in zip(names, agents, strict=True):
            if agent.usage is not None:
                say(f"{name}: {agent.usage}")


def _names_of(given: Sequence[str], agents: Sequence[Agent]) -> list[str]:
    """Short names for the result of a match: the agents' own, or those of their files if these are equal."""
    names = [agent.name for agent in agents]
    if len(set(names)) < len(set(given)):
        names = list(given)
    short = short_names(names)
    return [short[name] for name in names]


def _game(rules: Rules) -> str:
    """The game of a match, and its stacks: "No limit 1/2, 2 seats, stacks 200 (100 big blinds)"."""
    stacks = sorted({*rules.starting_stacks})
    chips = " to ".join(f"{stack:,}" for stack in dict.fromkeys((stacks[0], stacks[-1])))
    big = f" ({stacks[0] / rules.big_blind:,.4g} big blinds)" if rules.big_blind and len(stacks) == 1 else ""
    return f"The game: {game_title(rules)}, {rules.seats} seats, stacks {chips}{big}"
