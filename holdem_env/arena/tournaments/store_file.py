"""The file of a store: SQLite's tables, one transaction a change, and checks of what it holds."""

from __future__ import annotations

import json
import sqlite3
import stat
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from functools import cache, wraps
from pathlib import Path
from time import sleep
from typing import Any, TypeVar

from ...utils.plain_data import json_of, untrusted
from ...utils.version import __version__

FORMAT = 5
TABLES = """
create table about (name text primary key, value text not null);
create table agents (
    name text primary key, made_of text not null, digest text not null, forfeit text, fingerprint text, clock text);
create table shards (
    agents text not null, first integer not null, count integer not null, hands integer not null,
    seconds text not null, decisions text not null, pots text not null, arrays blob not null,
    primary key (agents, first));
"""
WAIT = 30  # seconds that another process has for its writing
HINTS = {
    "no such": "it is not a store of results",
    "locked": "another process writes to it; try again when it is done",
    "full": "what was stored before is still there; make room, and the same command goes on",
    "unable to open": "may it be read, and written to?",
}
MAX_VALUE, MAX_TEXT = 2**28, 2**22  # bytes of one value, and characters of one that is text
STEPS, MAX_LOOKS = 100_000, 10_000
"""SQLite's steps between two looks at the checks of a file, and looks after which they end: it may be a stranger's."""
TRIES, PAUSE = 50, 0.2
"""How often opening a store is tried while the process has no file descriptor left, and the seconds between."""
Method = TypeVar("Method", bound=Callable[..., Any])


class StoreError(ValueError):
    """A store that cannot be used; the message says why, and what would be right."""


def reads(method: Method) -> Method:
    """A method that reads rows: where they hold what no run has written, it raises StoreError."""

    @wraps(method)
    def reading(self: StoreFile, *arguments: Any) -> Any:
        with untrusted(self.damaged, StoreError, sqlite3.Error):
            return method(self, *arguments)

    return reading  # type: ignore[return-value]


class Change:
    """One transaction."""

    def __init__(self, base: sqlite3.Connection) -> None:
        self._base = base

    def execute(self, query: str, values: Sequence[Any] = ()) -> int:
        """Run a statement; returns how many rows it has written."""
        return self._base.execute(query, values).rowcount

    def note(self, name: str, value: Any) -> None:
        self.execute("insert or replace into about values (?, ?)", (name, json.dumps(value)))


class StoreFile:
    """An open file of results. With `create=True` it is made if there is none. Where a tournament has anchors, results
    of other versions of this library are welcome, too; an agent whose code is another there is no longer the same.

    Raises StoreError for a file that is not a store, another version or damaged; FileNotFoundError for none.
    """

    def __init__(self, path: str | Path, create: bool = False) -> None:
        self.path = Path(path)
        if self.path.is_dir() or not self.path.parent.is_dir():
            what = "this is a folder" if self.path.is_dir() else f"there is no folder {self.path.parent}"
            raise StoreError(f"{self.path}: {what}; give a file, such as tournament.db")
        new = not self.path.exists()
        if new and not create:
            raise FileNotFoundError(f"{self.path}: there is no such file; `holdem tournament` makes one")
        if not new and not stat.S_ISREG(self.path.stat().st_mode):
            raise StoreError(f"{self.path}: not a store of results (no regular file)")
        for beside in (Path(f"{self.path}{end}") for end in ("-journal", "-wal", "-shm")):
            if beside.exists() and not stat.S_ISREG(beside.stat().st_mode):
                raise StoreError(f"{beside}: no regular file, and SQLite would wait for it")
        with self._errors():
            self._base = sqlite3.connect(self.path, timeout=WAIT)
            self._base.execute("pragma trusted_schema = off")
            self._base.setlimit(sqlite3.SQLITE_LIMIT_LENGTH, MAX_VALUE)
        try:
            if new:
                self._make()
            self._check_schema()
            self._check_version()
            self._check_parts()
            self._base.set_progress_handler(None, 0)
        except StoreError:
            self._base.close()
            raise

    def close(self) -> None:
        self._base.close()

    @contextmanager
    def _errors(self) -> Iterator[None]:
        try:
            yield
        except sqlite3.OperationalError as error:
            hint = next((f"; {hint}" for word, hint in HINTS.items() if word in str(error)), "")
            raise StoreError(f"{self.path}: {error}{hint}") from error
        except sqlite3.Error as error:
            raise StoreError(f"{self.path}: not a store of results ({error})") from error

    @contextmanager
    def _writing(self) -> Iterator[Change]:
        with self._errors():
            self._begin()
            with self._base:
                yield Change(self._base)

    def _begin(self) -> None:
        """Begin a transaction, whose journal needs a file descriptor: others may use up those of this process."""
        for tries in range(TRIES):
            try:
                self._base.execute("begin immediate")
                self._base.execute("pragma user_version = 0")  # opens the journal
                return
            except sqlite3.OperationalError as error:
                self._base.rollback()
                if "unable to open" not in str(error) or tries == TRIES - 1:
                    raise
                sleep(PAUSE)

    def _rows(self, query: str, values: Sequence[Any] = ()) -> Iterator[Any]:
        with self._errors():
            return iter(self._base.execute(query, values).fetchall())

    def _make(self) -> None:
        with self._writing() as change:
            if next(self._rows("select 1 from sqlite_master"), None):
                return  # another process has just made it
            for table in TABLES.split(";"):
                change.execute(table)
            change.note("store", FORMAT)
            change.note("version", __version__)

    @reads
    def about(self) -> dict[str, Any]:
        rows = list(self._rows("select name, value from about"))
        with untrusted(self.damaged):
            return {name: json_of(value) for name, value in rows}

    # Checks

    def damaged(self, why: str) -> StoreError:
        """The error for a file that holds what no run has written."""
        return StoreError(
            f"{self.path}: this store is damaged ({why}); nothing in it was changed. Use a copy of it, or another file"
        )

    def _check_schema(self) -> None:
        """Raises StoreError for anything but tables: a view or a virtual table can be a query without end."""
        looks = iter(range(MAX_LOOKS))
        self._base.set_progress_handler(lambda: next(looks, None) is None, STEPS)
        for kind, name, sql in self._rows("select type, name, sql from sqlite_master where sql is not null"):
            if kind != "table" or str(sql).lower().startswith("create virtual"):
                raise self.damaged(f"it has a {kind if kind != 'table' else 'virtual table'}, {str(name)[:50]!r}")

    def _check_version(self) -> None:
        about = self.about()
        is_ours = about.get("store") == FORMAT and (about.get("anchors") or about.get("version") == __version__)
        if not is_ours:
            raise StoreError(
                f"{self.path}: written by holdem_env {about.get('version')} (format {about.get('store')}), this is "
                f"{__version__} (format {FORMAT}); results of different versions do not mix. Use that version, or "
                "another file"
            )

    def _check_parts(self) -> None:
        """Raises StoreError unless every page can be read, and every column is there with values of its type."""
        [(found,)] = self._rows("pragma quick_check(1)")
        if found != "ok":
            raise self.damaged(str(found).splitlines()[-1])
        for table, columns in _columns().items():
            there = {row[1] for row in self._rows(f"pragma table_info({table})")}
            if lacking := [column for column in columns if column not in there]:
                what = f"the column {lacking[0]} of its table {table}" if there else f"its table {table}"
                raise self.damaged(f"{what} is missing")
            for column, types in columns.items():
                for (found,) in self._rows(f"select distinct typeof({column}) from {table}"):
                    if found not in types:
                        raise self.damaged(f"the column {column} of its table {table} holds {found}, not {types[0]}")
                if types[0] == "text" and next(
                    self._rows(f"select 1 from {table} where length({column}) > {MAX_TEXT}"), None
                ):
                    raise self.damaged(f"the column {column} of its table {table} has more than {MAX_TEXT:,} letters")


@cache
def _columns() -> dict[str, dict[str, list[str]]]:
    base = sqlite3.connect(":memory:")
    base.executescript(TABLES)
    found = {}
    for (table,) in base.execute("select name from sqlite_master where type = 'table'").fetchall():
        rows = base.execute(f"pragma table_info({table})")
        found[table] = {
            name: [kind.lower(), *([] if filled or key else ["null"])] for _, name, kind, filled, _, key in rows
        }
    base.close()
    return found
