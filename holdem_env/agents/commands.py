"""Commands that run programs, as text or as lists of words, and the files that they name."""

from __future__ import annotations

import shlex
import shutil
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Any

COMMAND = "command"  # the parameter of an agent whose value is a command


def words_of(command: str | Sequence[str]) -> list[str]:
    """The words of a command. Raises ValueError if there are none, or quotes are not closed.

    >>> words_of("python3 'my bot.py' --slow")
    ['python3', 'my bot.py', '--slow']
    """
    if not isinstance(command, str):
        words = list(command)
    else:
        try:
            words = shlex.split(command)
        except ValueError as error:
            raise ValueError(f"command: {command!r}: {error}") from None
    if not words or not all(isinstance(word, str) and word for word in words):
        raise ValueError(f"command: give a program and its arguments, such as 'node bot.js', not {command!r}")
    return words


def files_of(words: Iterable[str]) -> list[Path]:
    """The files among the words of a command."""
    return [path for word in words if (path := Path(word)).is_file()]


def name_of(words: Sequence[str]) -> str:
    """A name for what a command runs: that of the last file in it, or of its program.

    >>> name_of(["node", "--no-such-file=bot.js"])
    'node'
    """
    files = files_of(words)
    return files[-1].stem if files else Path(words[0]).stem


def beside(command: Any, folder: Path) -> Any:
    """A command in which the files and folders that lie in `folder` are named from there; other words stay."""
    if not isinstance(command, str | list | tuple):
        return command  # making the agent says what is wrong
    words = words_of(command)
    return [_beside(word, folder, is_program=not k) for k, word in enumerate(words)]


def _beside(word: str, folder: Path, is_program: bool) -> str:
    if Path(word).is_absolute() or word.startswith("-") or (is_program and shutil.which(word) and "/" not in word):
        return word
    return str(folder.absolute() / word) if (folder / word).exists() else word
