"""`holdem convert`: hand histories from one format to another, and .zip models to model files."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path
from typing import Annotated

import typer

from holdem_env.history import HandRecord, HandWriter, HistoryError, read_hands, written_format
from holdem_env.history.decisions import SUFFIX, DecisionWriter
from holdem_env.history.formats import FORMATS, in_words, written_formats
from holdem_env.table.table import Table
from holdem_env.utils.counting import counted

from ..progress import VisibleProgress
from .console import console, say_written, user_errors
from .exit_status import FAILED
from .model_commands import MODELS, Trust, convert
from .replaying import PROBLEMS_SHOWN, agree, has_odd_chips_of_site, uneven_splits

NAMES = ", ".join(form.name for form in written_formats())


@dataclass
class Converted:
    """What came of a conversion: hands written, what was wrong with those that were left out, and the hands whose site
    has given the odd chips of a split pot another way than R28, as they are written."""

    written: int = 0
    problems: list[str] = field(default_factory=list)
    uneven: list[str] = field(default_factory=list)


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
    to: Annotated[
        str | None,
        typer.Option(metavar="FORMAT", help=f"{NAMES}: if the new file's name does not say it."),
    ] = None,
    hero: Annotated[
        str | None,
        typer.Option(metavar="NAME", help="Write the view of this player: others' cards only if they were shown."),
    ] = None,
    game: Annotated[
        Path | None,
        typer.Option(metavar="FILE", help="ACPC: the game definition. Default: the file that the log names."),
    ] = None,
    trust: Trust = False,
    rules: Annotated[
        str | None,
        typer.Option(
            metavar="GAME",
            help="The game that a model was trained for, if its file does not say: a preset or a YAML file.",
        ),
    ] = None,
    observation: Annotated[
        str | None,
        typer.Option(metavar="NAME", help="The observation, if it is not clear from the model; of decisions."),
    ] = None,
    actions: Annotated[
        str | None,
        typer.Option(metavar="NAME", help="The actions, if they are not clear from the model; of decisions."),
    ] = None,
) -> None:
    """Convert hand histories from one format to another, or a .zip model to a model file.

    Hands are replayed by the rules. A hand that is damaged, or that the new format cannot express, is left out and
    counted; the exit status is then 1. A model file holds data alone; reading the .zip may run code in it, this once;
    that is what --trust allows.
    """
    with user_errors():
        if source.suffix in MODELS or target.suffix in MODELS:
            convert(source, target, trust, rules=rules, observation=observation, actions=actions)
            say_written(f"Written to {target}", "match", target, "random")
            return
        if target.suffix != SUFFIX:
            written_format(target, to)
        with VisibleProgress(transient=True, console=console) as bar:
            task = bar.add_task("converting", total=None, unit="hands")
            if target.suffix == SUFFIX:
                done = write_decisions(source, target, hero, game, observation, actions, lambda: bar.advance(task))
            else:
                done = convert_hands(source, target, to, hero, game, lambda: bar.advance(task))
    for line in _lines(done, target):
        console.print(line, soft_wrap=True, markup=False)
    if done.problems:
        raise typer.Exit(FAILED)


def write_decisions(
    source: Path,
    target: Path,
    hero: str | None,
    game: Path | None,
    observation: str | None,
    actions: str | None,
    progress: Callable[[], object],
) -> Converted:
    """As `convert_hands`, the decisions of the hands to a Parquet file (`DecisionWriter`)."""
    done = Converted()
    with DecisionWriter(target, observation or "flat", actions, hero) as writer:
        for hand in read_hands(source, game, lambda error: done.problems.append(str(error))):
            try:
                writer.write(hand)
            except HistoryError as problem:
                done.problems.append(str(problem))
            progress()
        if not writer.hands:
            raise ValueError("\n".join([f"{source}: no hand could be converted", *done.problems[:PROBLEMS_SHOWN]]))
        done.written = writer.hands
    return done


def convert_hands(
    source: Path,
    target: Path,
    to: str | None = None,
    hero: str | None = None,
    game: Path | None = None,
    progress: Callable[[], object] = lambda: None,
) -> Converted:
    """Write the hands of a file to a new file. progress: called after each hand.

    Raises ValueError for a file that is not a history, a name without a format, and a hero who plays in no hand;
    FileExistsError if the new file exists; OSError.
    """
    done = Converted()
    seen = hero is None
    hands = read_hands(source, game, lambda error: done.problems.append(str(error)))
    with HandWriter(target, to) as writer:
        for hand in hands:
            seen = seen or hero in (hand.players or ())
            try:
                if not _write(writer, hand, hero):
                    done.uneven.append(str(hand.hand))
            except HistoryError as problem:
                done.problems.append(str(problem) if problem.file else str(hand.error(problem.reason)))
            progress()
        if not seen:
            raise ValueError(f"{source}: nobody of the name {hero!r} plays in these hands")
        if not writer.hands:
            raise ValueError("\n".join([f"{source}: no hand could be converted", *done.problems[:PROBLEMS_SHOWN]]))
        done.written = writer.hands
    return done


def _write(writer: HandWriter, hand: HandRecord, hero: str | None) -> bool:
    """Write a hand; returns whether its odd chips are where the file has them."""
    table = hand.replay()
    is_same = _has_same_result(hand, table)
    names = hand.players or ()
    seat = names.index(hero) if hero in names else None
    public = hero is not None and seat is None
    try:
        writer.write(
            table, hand=hand.hand, players=hand.players, unit=hand.unit, known=hand.known_cards, metadata=hand.metadata,
            seat=seat, public=public,
        )  # fmt: skip
    except HistoryError:
        raise
    except ValueError as problem:
        raise hand.error(str(problem)) from problem
    return is_same


def _has_same_result(hand: HandRecord, table: Table) -> bool:
    """Whether the file states the result that the rules give; False where odd chips alone differ (R28). Raises
    HistoryError for another result."""
    payoffs = hand.payoffs
    if payoffs is None or not table.is_over or agree(table.payoffs, payoffs):
        return True
    if not has_odd_chips_of_site(table, payoffs):
        raise hand.error(f"the file states {list(map(str, payoffs))}, the rules give {table.payoffs}")
    return False


def _lines(done: Converted, target: Path) -> list[str]:
    lines = uneven_splits(done.uneven) + done.problems[:PROBLEMS_SHOWN]
    if (hidden := len(done.problems) - PROBLEMS_SHOWN) > 0:
        lines.append(f"... and {hidden:,} more {'problem' if hidden == 1 else 'problems'}")
    left = len(done.problems)
    out = f"; {left:,} {'was' if left == 1 else 'were'} left out" if left else ""
    return [*lines, f"{counted(done.written, 'hand')} written to {target}{out}"]
