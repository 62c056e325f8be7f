"""Tables that belong to no match, at which an agent compiles its own functions before it plays."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from contextlib import suppress
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ...agents.named_files import named_files
from ...agents.python_files import PYTHON_SUFFIX
from ...compiled.records import Records
from ...engine.record import NOBODY
from ...game.rules import Rules
from ...table.tables import Tables

COMPILES = re.compile(r"\bnumba\b|holdem_env\.compiled|\bencoders?\b")
TABLES, MOVES, GAME = 16, 12, "heads-up-no-limit"


def may_compile(made_of: Mapping[str, Any]) -> bool:
    """Whether the Python files of an agent look as if they had functions to be compiled."""
    for path in named_files(made_of):
        if path.suffix.removeprefix(".") == PYTHON_SUFFIX:
            with suppress(OSError):
                if COMPILES.search(path.read_text(encoding="utf-8", errors="replace")):
                    return True
    return False


def practice_tables(rules: Rules | None) -> Iterator[tuple[Records, Rules, NDArray[np.int64]]]:
    """Tables on all streets, the game, and the rows where somebody is to act. rules: by default heads-up no-limit."""
    tables = Tables(rules or Rules.preset(GAME), TABLES)
    for _ in range(MOVES):
        yield tables.records, tables.rules, np.flatnonzero(tables.records["actor"] != NOBODY)
        tables.step(tables.random_actions())
