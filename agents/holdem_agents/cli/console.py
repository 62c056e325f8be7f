"""The console that all commands print to, tables there, and error messages for the user."""

from __future__ import annotations

import os
import shlex
from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from contextlib import contextmanager
from typing import Any, NoReturn

import typer
from pydantic import ValidationError
from rich.console import Console
from rich.markup import escape
from rich.measure import Measurement
from rich.table import Table
from typer.core import TyperGroup, TyperOption

from holdem_env.utils.shown_names import shown_text

from ..progress import VisibleProgress
from ..progress import counting as counting_on
from ..runs.config import error_text
from ..runs.interrupts import holdem_command

console = Console(highlight=False)
WIDEST = 1_000  # characters: wider than any table
HEADINGS = {
    "How long": "hands sessions seconds decisions accuracy budget seeds stop-at flop-seconds rollouts scrimmages worst",
    "Where": "jobs ray threads memory bits isolation host port ports listen certificate key timeout retries",
    "Files": "save store report save-hands save-dialogues out name overwrite resume log folder keep runs",
}
"""Headings of a command's help, and the options under each; all others stand first, under "Options"."""


def option(metavar: str, text: str, *names: str, **settings: Any) -> Any:
    """An option with a value: what its help calls the value, and says of it."""
    return typer.Option(*names, metavar=metavar, help=text, **settings)


def flag(text: str, *names: str) -> Any:
    """An option without a value: what its help says of it."""
    return typer.Option(*names, show_default=False, help=text)


def say(text: str, **style: Any) -> None:
    """Print lines as they are, which a terminal wraps. style: further arguments of `Console.print`."""
    console.print(text, soft_wrap=True, markup=False, **style)


def say_written(what: str, *words: object) -> None:
    """Say what was written, and a command to try with it, which works if it is pasted here."""
    command = " ".join([holdem_command(), *(shlex.quote(str(word)) for word in words)])
    say(f"{what}. Try: {command}")


@contextmanager
def counting(words: str, total: int | None, unit: str) -> Iterator[Callable[[int], None]]:
    """A progress bar: what it yields is called with how many more are done."""
    with VisibleProgress(transient=True, console=console) as bar, counting_on(bar, words, total, unit) as advance:
        yield advance


@contextmanager
def user_errors() -> Iterator[None]:
    """Turn errors that the user can fix into one line on stderr. HOLDEM_DEBUG=1 shows the traceback instead."""
    try:
        yield
    except (ValueError, TypeError, OSError) as error:
        if os.environ.get("HOLDEM_DEBUG"):
            raise
        fail("\n".join(map(error_text, error.errors())) if isinstance(error, ValidationError) else str(error))
    except MemoryError:
        if os.environ.get("HOLDEM_DEBUG"):
            raise
        fail("there is not enough memory: give it fewer tables, or fewer processes (jobs)")
    except ModuleNotFoundError as error:
        # With a path, an agent's file lacks a module; with a cause, the message says which extra installs it.
        says_what_to_do = error.path is not None or isinstance(error.__cause__, ModuleNotFoundError)
        if not says_what_to_do or os.environ.get("HOLDEM_DEBUG"):
            raise
        fail(str(error))


def only_options(context: typer.Context, what: str, names: Collection[str]) -> None:
    """Raise ValueError for options on the command line that do not belong to what a command is to do.

    what: it, in words. names: of the function's parameters that belong to it.
    """
    sources = {each: context.get_parameter_source(str(each.name)) for each in context.command.params}
    # By its name: Typer has a copy of Click, and older versions of it the original.
    given = [each for each, source in sources.items() if source is not None and source.name == "COMMANDLINE"]
    words = [
        each.opts[0] if each.opts[0].startswith("-") else context.params[str(each.name)]
        for each in given
        if each.name not in names
    ]
    if words:
        raise ValueError(f"{context.info_name}: {', '.join(words)} cannot be used with {what}")


class Commands(TyperGroup):
    """Commands whose names may have two words, with options under HEADINGS. They refuse a value in one sentence, where
    Typer would use pydantic's words."""

    def resolve_command(self, ctx: Any, args: list[str]) -> Any:
        two = " ".join(args[:2])
        return super().resolve_command(ctx, [two, *args[2:]] if two in self.commands else args)

    def get_command(self, ctx: Any, cmd_name: str) -> Any:
        command = super().get_command(ctx, cmd_name)
        for option in command.params if command else ():
            for heading, names in HEADINGS.items():
                if isinstance(option, TyperOption) and option.opts[0].removeprefix("--") in names.split():
                    option.rich_help_panel = heading
        return command

    def invoke(self, ctx: Any) -> Any:
        try:
            return super().invoke(ctx)
        except typer.BadParameter as error:
            if not isinstance(error.__cause__, ValidationError) or error.param is None:
                raise
            option = next((each for each in error.param.opts if each.startswith("-")), str(error.param.name).upper())
            fail(f"{option} {needed(error.__cause__.errors()[0])}")


def needed(error: Any) -> str:
    """What a value must be, of one of pydantic's errors: "must be a whole number, got '1e4'"."""
    rules = {
        "int_parsing": "a whole number",
        "float_parsing": "a number",
        "greater_than": "more than {gt}",
        "greater_than_equal": "at least {ge}",
        "less_than": "less than {lt}",
        "less_than_equal": "at most {le}",
        "literal_error": "{expected}",
        "enum": "{expected}",
    }
    if (rule := rules.get(error["type"])) is None:
        return str(error["msg"]).removeprefix("Value error, ")
    return f"must be {rule.format_map(error.get('ctx', {}))}, got {error['input']!r}"


def fail(message: str) -> NoReturn:
    """Print a message to stderr and exit with status 2."""
    typer.echo(f"holdem: {shown_text(message)}", err=True)
    raise typer.Exit(2)


def table_of(
    title: str, headings: Sequence[str], rows: Iterable[Sequence[str]], numbers: Collection[str] = ()
) -> Table:
    """A table of plain text. numbers: headings of the columns that stand at the right."""
    table = Table(title=title, title_justify="left")
    for heading in headings:
        table.add_column(escape(heading), justify="right" if heading in numbers else "left")
    for row in rows:
        table.add_row(*map(escape, row))
    return table


def print_table(console: Console, table: Table) -> None:
    """Print a table without shortening its cells. A terminal's width is kept: long cells wrap. In files and pipes, the
    table is as wide as its longest lines, without colours."""
    if console.is_terminal:
        for column in table.columns:
            column.overflow = "fold"
        console.print(table)
        return
    wide = Console(file=console.file, width=WIDEST, force_terminal=False)
    wide.width = max(table_width(table), console.width)
    wide.print(table)


def table_width(table: Table) -> int:
    """The width of a table none of whose lines wraps."""
    wide = Console(width=WIDEST)
    return Measurement.get(wide, wide.options, table).maximum
