"""`holdem convert`: hand histories from one format to another, and .zip models to model files."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated

import typer

from holdem_env.history import HandRecord, HandWriter, HistoryError, read_hands, written_format
from holdem_env.history.decisions import SUFFIX, DecisionWriter
from holdem_env.history.formats import FORMATS, in_words, written_formats
from holdem_env.table.table import Table
from holdem_env.utils.counting import counted

from .console import counting, option, say, say_written, user_errors
from .exit_status import FAILED
from .model_commands import MODELS, Trust, convert
from .replay import Checked, Definition, IgnoreResults

NAMES = ", ".join(form.name for form in written_formats())


@dataclass
class Converted(Checked):
    """What came of a conversion. written: how many hands."""

    written: int = 0


def convert_command(
    source: Annotated[
        Path,
        typer.Argument(
            help=f"A hand history, {in_words(FORMATS.all())}, also as .xz and .gz, or a model: a .zip of SB3."
        ),
    ],
    target: Annotated[
        Path,
        typer.Argument(
            metavar="FILE",
            help=f"The new file: {in_words(written_formats())} for hands, .parquet for their decisions, .safetensors "
            "for a model.",
        ),
    ],
    to: Annotated[str | None, option("FORMAT", f"{NAMES}: if the new file's name does not say it.")] = None,
    hero: Annotated[
        str | None, option("NAME", "Write the view of this player: others' cards only if they were shown.")
    ] = None,
    game: Definition = None,
    trust: Trust = False,
    rules: Annotated[
        str | None,
        option("GAME", "The game that a model was trained for, if its file does not say: a preset or a YAML file."),
    ] = None,
    observation: Annotated[
        str | None, option("NAME", "The observation, if it is not clear from the model; of decisions.")
    ] = None,
    actions: Annotated[
        str | None, option("NAME", "The actions, if they are not clear from the model; of decisions.")
    ] = None,
    ignore_results: IgnoreResults = False,
) -> None:
    """Convert hand histories from one format to another, or a .zip model to a model file.

    Hands are replayed by the rules. A hand that is damaged, states another result than its moves give, or that the new
    format cannot express, is left out and counted; the exit status is then 1. A model file holds data alone; reading
    the .zip may run code in it, this once; that is what --trust allows.
    """
    with user_errors():
        if source.suffix in MODELS or target.suffix in MODELS:
            convert(source, target, trust, rules=rules, observation=observation, actions=actions)
            say_written(f"Written to {target}", "match", target, "random")
            return
        if target.suffix != SUFFIX:
            written_format(target, to)
        with counting("converting", None, "hands") as advance:
            if target.suffix == SUFFIX:
                done = write_decisions(source, target, hero, game, observation, actions, advance, ignore_results)
            else:
                done = convert_hands(source, target, to, hero, game, advance, ignore_results)
    for line in _lines(done, target):
        say(line)
    if done.problems:
        raise typer.Exit(FAILED)


def write_decisions(
    source: Path,
    target: Path,
    hero: str | None,
    game: Path | None,
    observation: str | None,
    actions: str | None,
    progress: Callable[[int], object],
    ignore_results: bool = False,
) -> Converted:
    """As `convert_hands`, the decisions of the hands to a Parquet file (`DecisionWriter`)."""
    done = Converted(ignore_results)
    with DecisionWriter(target, observation or "flat", actions, hero) as writer:
        for hand, table in _replayed(done, source, game, progress):
            try:
                writer.write(hand, table)
            except HistoryError as problem:
                done.problems.add(problem)
        return _counted(done, source, writer.hands)


def convert_hands(
    source: Path,
    target: Path,
    to: str | None = None,
    hero: str | None = None,
    game: Path | None = None,
    progress: Callable[[int], object] = lambda count: None,
    ignore_results: bool = False,
) -> Converted:
    """Write the hands of a file to a new file. progress: called with 1 before each hand.

    Raises ValueError for a file that is not a history, a name without a format, and a hero who plays in no hand;
    FileExistsError if the new file exists; OSError.
    """
    done, seen = Converted(ignore_results), hero is None
    with HandWriter(target, to) as writer:
        for hand, table in _replayed(done, source, game, progress):
            names = hand.players or ()
            seen = seen or hero in names
            seat = names.index(hero) if hero in names else None
            try:
                writer.write(
                    table, hand=hand.hand, players=hand.players, unit=hand.unit, known=hand.known_cards,
                    metadata=hand.metadata, seat=seat, public=hero is not None and seat is None,
                )  # fmt: skip
            except ValueError as problem:
                done.problems.add(hand.error(problem.reason if isinstance(problem, HistoryError) else str(problem)))
        if not seen:
            raise ValueError(f"{source}: nobody of the name {hero!r} plays in these hands")
        return _counted(done, source, writer.hands)


def _replayed(
    done: Converted, source: Path, game: Path | None, progress: Callable[[int], object]
) -> Iterator[tuple[HandRecord, Table]]:
    """The hands of a file with their tables; those that cannot be replayed, or have another result, are problems."""
    for hand in read_hands(source, game, done.problems.add):
        progress(1)
        try:
            table, agrees = done.replay(hand)
        except HistoryError as problem:
            done.problems.add(problem)
        else:
            if agrees:
                yield hand, table


def _counted(done: Converted, source: Path, hands: int) -> Converted:
    if not hands:
        raise ValueError("\n".join([f"{source}: no hand could be converted", *done.found()]))
    done.written = hands
    return done


def _lines(done: Converted, target: Path) -> list[str]:
    left = len(done.problems)
    out = f"; {left:,} {'was' if left == 1 else 'were'} left out" if left else ""
    return [*done.found(), f"{counted(done.written, 'hand')} written to {target}{out}"]
