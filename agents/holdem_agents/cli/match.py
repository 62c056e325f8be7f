"""`holdem match`: one agent against another, and what it wins."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path
from secrets import randbits
from typing import Annotated

import typer

from holdem_env.agents.protocol import Agent
from holdem_env.agents.short_names import short_names
from holdem_env.arena import AgentFailed, MatchResult, play_match
from holdem_env.arena.estimators.stopping import all_estimates, dollars_of, estimates_until
from holdem_env.arena.isolation.making import Isolation
from holdem_env.arena.matches.dealer import KEY_BITS
from holdem_env.arena.matches.match import number_of_deals, plays_duplicates
from holdem_env.arena.observed.resuming import SoFar, earlier_hands, left_to_play, match_id, play_left, saved_hands
from holdem_env.game.rules import Rules
from holdem_env.game.title import game_title
from holdem_env.history.files import kind_of
from holdem_env.history.formats import in_words, written_formats
from holdem_env.utils.counting import counted

from ..progress import VisibleProgress
from .console import console, say_written, user_errors
from .exit_status import INTERRUPTED
from .model_commands import RulesName, Trust, agent_of, game_of

DEALS_AT_ONCE = 512

Greedy = Annotated[
    bool,
    typer.Option(
        show_default=False, help="Models (.safetensors, .zip) play their most likely action instead of sampling one."
    ),
]


def match_command(
    a: Annotated[str, typer.Argument(metavar="A", help="An agent: a name or a file.")],
    b: Annotated[str, typer.Argument(metavar="B", help="Its opponent, which has all the other seats.")],
    rules: RulesName = None,
    hands: Annotated[
        int,
        typer.Option(
            metavar="N",
            min=1,
            help="Number of hands, rounded up to whole deals: each is played from every seat.",
        ),
    ] = 40_000,
    seed: Annotated[
        int | None,
        typer.Option(metavar="N", min=0, help="Seed of the decks. Default: 0; with --isolation process a new one."),
    ] = None,
    greedy: Greedy = False,
    trust: Trust = False,
    estimators: Annotated[
        bool,
        typer.Option(
            show_default=False, help="Print the estimates by all-in value and AIVAT too, and how many hands they save."
        ),
    ] = False,
    imaginary: Annotated[
        bool,
        typer.Option(
            "--imaginary",
            show_default=False,
            help="As --estimators, and AIVAT with imaginary observations: heads-up, some milliseconds a hand.",
        ),
    ] = False,
    stop_at: Annotated[
        float | None,
        typer.Option(
            metavar="BB",
            min=0.001,
            help="Stop as soon as the estimate is known to ± this many bb/100, or after --hands.",
        ),
    ] = None,
    dollars: Annotated[
        float | None,
        typer.Option(metavar="N", min=0.0001, help="Stop when the answers of language models have cost this much."),
    ] = None,
    isolation: Annotated[
        Isolation,
        typer.Option(
            metavar="process|none",
            help="process: agents that are not this library's scripted ones play in processes of their own.",
        ),
    ] = "none",
    save: Annotated[
        Path | None,
        typer.Option(metavar="FILE", help=f"Write all hands to this new file: {in_words(written_formats(many=True))}."),
    ] = None,
) -> None:
    """Play A against B and print A's win rate in bb/100 with its 95 % interval.

    Every deal is played once from each seat, so both get the same cards.
    """
    unknown = seed is None and isolation == "process"
    seed = randbits(KEY_BITS) if unknown else seed or 0
    with user_errors():
        agents = agent_of(a, greedy, trust, isolation), agent_of(b, greedy, trust, isolation)
        game, (one, two) = game_of(rules, agents), _names_of([a, b], agents)
        whole = -(-hands // game.seats) * game.seats
        rotations = game.seats if plays_duplicates(agents) else 1
        key = match_id([a, b], greedy, game, seed)
        may_stop = stop_at is not None or dollars is not None
        if dollars is not None and all(dollars_of(agent) is None for agent in agents):
            raise ValueError("--dollars: neither agent counts dollars; give a language model its `prices`")
        if may_stop and imaginary:
            raise ValueError("--imaginary: not with --stop-at or --dollars")
        by_estimators = estimators or imaginary or may_stop
        goes_on = save is not None and kind_of(save) == ".phhs" and one != two and not by_estimators
        earlier = earlier_hands(save, key) if goes_on else []
        deals = number_of_deals(hands, game.seats, rotations > 1)
        left = left_to_play(earlier, one, game.seats, deals, rotations) if earlier else []
        if not left:
            earlier = []  # the match is over: its file is not touched
        else:
            console.print(f"{counted(len(earlier), 'hand')} of {save}: not played again.", soft_wrap=True, markup=False)
        if whole > hands and plays_duplicates(agents):
            console.print(f"{whole:,} hands: whole deals, each played from all {game.seats} seats.", markup=False)
        with (
            _usage_shown(agents, [one, two]),
            saved_hands(save, [one, two], game, key, len(earlier)) as saved,
            VisibleProgress(transient=True, console=console) as bar,
        ):
            task = bar.add_task("playing", total=whole - len(earlier), unit="hands")

            def more(count: int) -> None:
                bar.advance(task, count)

            so_far = SoFar(game, rotations, saved)
            so_far.take(earlier, one)
            try:
                if may_stop:
                    limits = stop_at, dollars, _deals_at_once(agents)
                    found, why = estimates_until(agents, game, hands, seed, more, *limits, so_far)
                    result = "\n".join([*(str(replace(each, agent=one)) for each in found), why])
                elif by_estimators:
                    found = all_estimates(agents, game, hands, seed, more, imaginary, so_far)
                    result = "\n".join(str(replace(each, agent=one)) for each in found)
                    if rotations > 1:
                        result += "\nWithout duplicate, an estimator counts one hand of each deal."
                elif earlier:
                    play_left(left, agents, game, seed, _deals_at_once(agents), more, so_far)
                    won = so_far.result(one, two)
                    assert won is not None  # every deal is played
                    result = f"{won}{_level(won)}\n{_played(game)}"
                else:
                    won = play_match(*agents, game, hands, seed, _deals_at_once(agents), more, so_far)
                    result = f"{replace(won, agent=one, opponent=two)}{_level(won)}\n{_played(game)}"
            except (KeyboardInterrupt, AgentFailed) as error:
                bar.stop()
                if partly := so_far.result(one, two):
                    console.print(f"cut short: {partly}\n{_played(game)}", soft_wrap=True, markup=False)
                    if goes_on:
                        more_words = f" with --seed {seed}" if unknown else ""
                        console.print(f"The same command{more_words} goes on.", soft_wrap=True, highlight=False)
                if isinstance(error, AgentFailed):
                    raise
                raise typer.Exit(INTERRUPTED) from None
            bar.stop()
            console.print(result, soft_wrap=True, markup=False)
            if unknown:
                console.print(f"seed {seed}, drawn from the operating system", soft_wrap=True, highlight=False)
    if save is not None:
        say_written(f"All hands are in {save}", "replay", save)


@contextmanager
def _usage_shown(agents: Sequence[Agent], names: Sequence[str]) -> Iterator[None]:
    """Say at the end, whatever it is, what agents have used that count it: language models, and search."""
    try:
        yield
    finally:
        for name, agent in zip(names, agents, strict=True):
            if (usage := getattr(agent, "usage", None)) is not None:
                console.print(f"{name}: {usage}", soft_wrap=True, markup=False)


def _names_of(given: Sequence[str], agents: Sequence[Agent]) -> list[str]:
    """Short names for the result of a match: the agents' own, or those of their files if these are equal."""
    names = [agent.name for agent in agents]
    if len(set(names)) < len(set(given)):
        names = list(given)
    short = short_names(names)
    return [short[name] for name in names]


def _deals_at_once(agents: Sequence[Agent]) -> int:
    """How many deals a match plays at once: fewer with agents that cannot play at many tables."""
    limits: list[int] = [limit for agent in agents if (limit := getattr(agent, "tables_at_once", None))]
    return min([DEALS_AT_ONCE, *limits])


def _level(won: MatchResult) -> str:
    """What +0 ± 0 means, where a match ends so."""
    if won.mean or won.half_width:
        return ""
    return "\nEvery deal ended level: with the same cards both won the same, as agents that make the same moves do."


def _played(rules: Rules) -> str:
    """The game of a match, and its stacks: "No limit 1/2, 2 seats, stacks 200 (100 big blinds)"."""
    stacks = sorted({*rules.starting_stacks})
    chips = " to ".join(f"{stack:,}" for stack in dict.fromkeys((stacks[0], stacks[-1])))
    big = f" ({stacks[0] / rules.big_blind:,.4g} big blinds)" if rules.big_blind and len(stacks) == 1 else ""
    return f"The game: {game_title(rules)}, {rules.seats} seats, stacks {chips}{big}"
