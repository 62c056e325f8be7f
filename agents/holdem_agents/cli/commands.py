"""The commands of `holdem`: their options and output. The modules beside this one and `training` do the work."""

from __future__ import annotations

import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path
from secrets import randbits
from typing import Annotated, Any

import typer

from holdem_env.agents.protocol import Agent
from holdem_env.agents.registry import CODE, FINAL
from holdem_env.agents.short_names import short_names
from holdem_env.arena import AgentFailed, MatchResult, one_against_all, play_deals, play_match
from holdem_env.arena.isolation.making import Isolation
from holdem_env.arena.matches.dealer import KEY_BITS
from holdem_env.arena.matches.match import number_of_deals, plays_duplicates
from holdem_env.game.rules import Rules
from holdem_env.game.title import game_title
from holdem_env.history.files import kind_of
from holdem_env.history.formats import FORMATS, in_words, written_formats
from holdem_env.utils.counting import counted
from holdem_env.utils.validation import suggestion
from holdem_env.utils.version import __version__

from ..progress import VisibleProgress
from ..training.config import load_any_config, load_config
from .checking import check_command
from .compile_command import compile_command
from .console import console, only_options, say_written, user_errors
from .converting import convert_command
from .data_commands import data_app
from .exit_status import INTERRUPTED
from .exploit_command import EXPLOIT_EXAMPLE, exploit_command
from .hand_files import SoFar, earlier_hands, left_to_play, match_id, saved_hands
from .lbr_command import lbr_command
from .match_estimates import all_estimates, dollars_of, estimates_until
from .mistakes_command import mistakes_command
from .model_commands import RulesName, Trust, agent_of, game_of
from .play_command import PLAY_EXAMPLES, play_command
from .push_command import push_command
from .score_command import SCORE_EXAMPLES, score_command
from .serving import serve_command
from .slumbot_command import slumbot_command
from .solving import solve_command
from .sweep_command import SWEEP_EXAMPLE, sweep_command
from .tournament_commands import standings_command, tournament_command
from .training_runs import Jobs, RayAddress, budget_of, resume_run, show_results, train_run, train_seeds
from .web_command import web_command

DEALS_AT_ONCE = 512
SOLVE_EXAMPLES = (
    "Examples: holdem solve blueprint_20bb --minutes 5; "
    "holdem solve --board Ks7h2d3c9s --ip '77+, KJ+' --oop '22+, K9s+' --pot 100 --stacks 400 --sizes '75%, a'"
)

app = typer.Typer(
    help="Train, measure and play poker agents. `holdem COMMAND --help` shows the options of a command and an example.",
    no_args_is_help=True,
    add_completion=False,
    pretty_exceptions_enable=False,
)

NewSeed = Annotated[
    int | None, typer.Option("--seed", metavar="N", min=0, max=2**32 - 1, help="Seed, instead of the configuration's.")
]
Greedy = Annotated[
    bool,
    typer.Option(
        show_default=False, help="Models (.safetensors, .zip) play their most likely action instead of sampling one."
    ),
]
Seconds = Annotated[
    float | None,
    typer.Option(
        metavar="N",
        min=1,
        help="Training time in seconds, instead of the configuration's budget; with --resume, of the whole run. "
        "Evaluation comes on top; the run says beforehand about how long it takes.",
    ),
]
Decisions = Annotated[
    int | None,
    typer.Option(
        metavar="N",
        min=1,
        help="Training in decisions, instead of the configuration's budget; with --resume, of the whole run.",
    ),
]
Changes = Annotated[
    list[str] | None,
    typer.Option(
        "--set",
        metavar="KEY=VALUE",
        help="Set a value of the configuration, such as learner.hidden=[512,512]. May be repeated.",
    ),
]
Runs = Annotated[Path, typer.Option(metavar="FOLDER", help="Parent of the run folders.")]


def _show_version(wanted: bool) -> None:
    if wanted:
        console.print(f"holdem {__version__}")
        raise typer.Exit


@app.callback()
def holdem(
    version: Annotated[
        bool,
        typer.Option("--version", callback=_show_version, is_eager=True, help="Show the version and exit."),
    ] = False,
) -> None:
    """The options of `holdem` itself; its help text stands above."""


@app.command("list", epilog="Example: holdem list agents")
def list_command(
    what: Annotated[
        str | None, typer.Argument(help="presets, agents, configs or encoders. Default: all of them.")
    ] = None,
) -> None:
    """List what there is to choose from: games, agents, configurations and encoders."""
    from .listing import TABLES

    with user_errors():
        if what is not None and what not in TABLES:
            raise ValueError(f"there is no list of {what!r}: {suggestion(what, list(TABLES))}")
        for name in [what] if what else TABLES:
            table = TABLES[name]()
            if not console.is_terminal:
                table.box = None
            for column in table.columns:
                column.overflow, column.no_wrap = "fold", column.header == "name"
            console.print(table)


@app.command(epilog="Example: holdem train configs/headsup_nolimit_100bb.yaml --seed 1")
def train(
    context: typer.Context,
    config: Annotated[
        str | None,
        typer.Argument(help="A YAML file, or the name of a configuration that comes with holdem, such as demo."),
    ] = None,
    name: Annotated[
        str | None, typer.Option(metavar="NAME", help="Name of the run folder. Default: the configuration's name.")
    ] = None,
    seed: NewSeed = None,
    seeds: Annotated[
        str | None,
        typer.Option(
            metavar="N,N,...",
            help="Train with each of these seeds in runs/NAME/seed-N; runs/NAME gets a curve of "
            "all with mean and spread.",
        ),
    ] = None,
    runs: Runs = Path("runs"),
    seconds: Seconds = None,
    decisions: Decisions = None,
    changes: Changes = None,
    resume: Annotated[
        Path | None,
        typer.Option(
            metavar="FOLDER",
            help="Continue the run in this folder instead of starting one; --seconds or --decisions raise its budget.",
        ),
    ] = None,
    overwrite: Annotated[
        bool,
        typer.Option(
            "--overwrite",
            show_default=False,
            help="Replace the run runs/NAME if there is one, instead of starting runs/NAME-2; with --resume, begin a "
            "run again that has no checkpoint.",
        ),
    ] = False,
    jobs: Jobs = 1,
    ray: RayAddress = None,
) -> None:
    """Train an agent and write it to runs/NAME/final.safetensors.

    Ctrl-C ends training after a checkpoint, from which --resume goes on; pressed again, it ends training at once.
    """
    begun = time.time()
    with user_errors():
        if (config is None) == (resume is None):
            raise ValueError("train: give either a configuration or --resume RUN")
        if resume is not None:
            allowed = {"resume", "overwrite", "jobs", "ray", "changes", "seconds", "decisions"}
            only_options(context, "--resume, which keeps the run's folder and seed", allowed)
            folder = resume_run(resume, overwrite, jobs, ray, [*(changes or []), *budget_of(seconds, decisions)])
        else:
            chosen = load_any_config(str(config), [*(changes or []), *budget_of(seconds, decisions)])
            if seeds is not None:
                train_seeds(chosen, name or Path(str(config)).stem, runs, seed, seeds, overwrite, jobs, ray)
                return
            folder = train_run(chosen, name or Path(str(config)).stem, runs, seed, overwrite, jobs, ray)
    show_results(folder, begun)
    final = folder / FINAL
    trust = ["--trust"] if (folder / CODE).is_dir() else []
    say_written(f"Written to {folder}", "match", final, "calling_station", *trust)


@app.command(epilog="Example: holdem match runs/demo/final.safetensors calling_station --hands 100000")
def match(
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
                    tables, lineup = _deals_at_once(agents), one_against_all(game.seats)
                    for numbers, turns in left:
                        how: dict[str, Any] = {"tables": tables, "progress": more, "finished": so_far, "turns": turns}
                        play_deals(game, agents, lineup, numbers, seed, **how)
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


@app.command(epilog="Example: holdem demo")
def demo(
    seconds: Annotated[
        float | None, typer.Option(metavar="N", min=1, help="Training time in seconds, instead of one minute.")
    ] = None,
    seed: NewSeed = None,
    runs: Runs = Path("runs"),
) -> None:
    """Train an agent for one minute (configs/demo.yaml) and play it against scripted agents."""
    from ..training.evaluation.report import results_of

    with user_errors():
        config = load_config("demo", budget_of(seconds, None))
    folder = train_run(config, "demo", runs, seed)
    console.print(results_of(folder))
    final = folder / FINAL
    say_written(f"The agent is {final}", "play", final)


@app.command(epilog="Example: holdem replay tests/data/pluribus.phhs --hand 133")
def replay(
    files: Annotated[
        list[Path],
        typer.Argument(
            metavar="FILE...",
            help=f"Hand histories, {in_words(FORMATS)}, also as .xz and .gz; "
            "folders of them, and patterns such as 'hands/2026-*.txt'.",
        ),
    ],
    hand: Annotated[
        str | None, typer.Option(metavar="NAME", help="Show one hand, by its name in the file, move by move.")
    ] = None,
    game: Annotated[
        Path | None,
        typer.Option(metavar="FILE", help="ACPC: the game definition. Default: the file that the log names."),
    ] = None,
) -> None:
    """Replay hand histories, check every move and result against the rules, and say what was read.

    That is: hands, games, players and what they have won, and the hands that were left out and why.
    """
    from .replaying import show_hand, summary

    with user_errors():
        text, is_good = summary(files, game) if hand is None else (show_hand(files, game, hand), True)
    console.print(text, soft_wrap=True, markup=False)
    if not is_good:
        raise typer.Exit(1)


app.command("play", epilog=PLAY_EXAMPLES)(play_command)
app.command("check", epilog="Example: holdem check mybot.py")(check_command)
app.command("compile", epilog="Example: holdem compile --jobs 2")(compile_command)
app.command("convert", epilog="Example: holdem convert tests/data/pluribus.phhs mine.txt --hero Bill")(convert_command)
app.command("push", epilog="Example: holdem push runs/demo/final.safetensors me/my-agent")(push_command)
app.command("exploit", epilog=EXPLOIT_EXAMPLE)(exploit_command)
app.add_typer(data_app, name="data")
app.command("mistakes", epilog="Example: holdem mistakes blueprint_100bb --hands 200")(mistakes_command)
app.command("lbr", epilog="Example: holdem lbr tight_aggressive --hands 2000 --jobs 2")(lbr_command)
app.command(
    "serve",
    epilog="Example: holdem serve --acpc match1 holdem.limit.3p.game 1000 0 ann bob agent:tight_aggressive",
)(serve_command)
app.command("slumbot", epilog="Example: holdem slumbot tight_aggressive --hands 1000 --save slumbot.phhs")(
    slumbot_command
)
app.command("solve", epilog=SOLVE_EXAMPLES)(solve_command)
app.command("score", epilog=SCORE_EXAMPLES)(score_command)
app.command("sweep", epilog=SWEEP_EXAMPLE)(sweep_command)
app.command("tournament", epilog="Example: holdem tournament configs/tournament.yaml --jobs 2")(tournament_command)
app.command("standings", epilog="Example: holdem standings tournament.db")(standings_command)
app.command("web", epilog="Example: holdem web --agent runs/demo/final.safetensors")(web_command)


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
