"""The digest chain of a store: each change adds a link, and the links say what every row should hold.

A link is the SHA-256 of the link before it and of the change: which rows it wrote or deleted, and the digest of what
each holds since. Whoever replays the links knows the digest of every row, and so finds rows that something else than
this library has inserted, changed or deleted. There is no secret in it: whoever writes to the file and knows this
module can write links as well. A run that is going on still finds that, if the change touches links that it has seen.
"""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Iterable, Iterator, Sequence
from hashlib import sha256
from typing import Any, NamedTuple

CHAIN = """
create table chain (number integer primary key, run text not null, change text not null, link text not null);
"""
KEYS = {"about": ("name",), "agents": ("name",), "shards": ("agents", "first")}
"""The tables whose rows are in the chain, and what tells one row from another."""
BEGINNING = "0" * 64
"""What the first link follows."""

Key = tuple[Any, ...]
"""A row: the name of its table, then the values of its key."""


class Link(NamedTuple):
    """A row of the chain. number: 1, 2, ...; run: which run wrote it; change: JSON, [[table, key..., digest or null],
    ...]; link: hexadecimal."""

    number: int
    run: str
    change: str
    link: str


class Broken(Exception):
    """The rows are not those that the links tell of; the message says which."""


def in_words(key: Key) -> str:
    """A row's key for people: "row 'maniac' of agents"."""
    table, *values = key
    if table == "shards":
        names = " against ".join(map(str, _names(values[0])))
        return f"the row {names}, from deal {values[1]}, of its table shards"
    return f"the row {values[0]!r} of its table {table}"


def _names(text: Any) -> list[Any]:
    try:
        names = json.loads(text)
    except (TypeError, ValueError):
        return [text]
    return names if isinstance(names, list) else [text]


def digest_of_row(values: Sequence[Any]) -> str:
    """Of all values of a row, with their types and lengths: no two rows share their bytes."""
    digest = sha256()
    for value in values:
        content = value if isinstance(value, bytes) else str(value).encode()
        digest.update(f"{type(value).__name__} {len(content)} ".encode())
        digest.update(content)
    return digest.hexdigest()


class DigestChain:
    """What one open store knows of its chain: the digest of each row by the links that it has read, and its own links.

    run: the name of this run in the links that it writes.
    """

    def __init__(self, run: str) -> None:
        self.run = run
        self.rows: dict[Key, str] = {}
        self.last = Link(0, "", "", BEGINNING)
        self._own: set[int] = set()

    def is_there(self, base: sqlite3.Connection) -> bool:
        """Whether the file has a chain."""
        return bool(list(base.execute("select 1 from sqlite_master where type = 'table' and name = 'chain'")))

    def check(self, base: sqlite3.Connection) -> None:
        """Follow the links from the first to the last, and compare all rows with what they say. Raises Broken."""
        rows, last = self._followed(base)
        found = {key: digest for table in KEYS for key, digest in _digests(base, table)}
        for key, digest in found.items():
            if key not in rows:
                raise Broken(f"{in_words(key)} was inserted")
            if rows[key] != digest:
                raise Broken(f"{in_words(key)} was changed")
        for key in rows:
            if key not in found:
                raise Broken(f"{in_words(key)} was deleted")
        for kind, name in base.execute("select type, name from sqlite_master where type in ('trigger', 'view')"):
            raise Broken(f"there is a {kind} {name!r}, which no store has")
        self.rows, self.last = rows, last

    def _followed(self, base: sqlite3.Connection) -> tuple[dict[Key, str], Link]:
        """The digest of each row, and the last link. The links that this run has written or read must be there."""
        rows: dict[Key, str] = {}
        last = Link(0, "", "", BEGINNING)
        for row in base.execute("select number, run, change, link from chain order by number"):
            link = Link(*row)
            if link.number != last.number + 1 or link.link != _next(last.link, link.run, link.change):
                raise Broken(f"link {link.number} of its chain does not follow from the one before")
            if link.run == self.run and link.number not in self._own:
                raise Broken(f"link {link.number} of its chain claims to be this run's, which did not write it")
            if link.number == self.last.number and link != self.last:
                raise Broken(f"link {link.number} of its chain, which this run has read, was changed")
            _follow(rows, link)
            last = link
        if last.number < self.last.number:
            raise Broken(f"link {self.last.number} of its chain, which this run has read, was deleted")
        return rows, last

    def write(self, base: sqlite3.Connection, touched: Iterable[Key]) -> Link | None:
        """Write the link for rows that were just written or deleted, in the same transaction; None if there are none.
        `take` it when the transaction is committed. The links before must have been checked."""
        entries = [[*key, _digest(base, key)] for key in dict.fromkeys(touched)]
        if not entries:
            return None
        change = json.dumps(entries)
        link = Link(self.last.number + 1, self.run, change, _next(self.last.link, self.run, change))
        base.execute("insert into chain values (?, ?, ?, ?)", link)
        return link

    def take(self, link: Link) -> None:
        """A link of this run is in the file."""
        self._own.add(link.number)
        _follow(self.rows, link)
        self.last = link


def _follow(rows: dict[Key, str], link: Link) -> None:
    """What the rows hold after a link."""
    for *key, digest in json.loads(link.change):
        if digest is None:
            rows.pop(tuple(key), None)
        else:
            rows[tuple(key)] = digest


def _next(before: str, run: str, change: str) -> str:
    return sha256(json.dumps([before, run, change]).encode()).hexdigest()


def _digests(base: sqlite3.Connection, table: str) -> Iterator[tuple[Key, str]]:
    """Every row of a table: its key and its digest."""
    columns = _columns(base, table)
    places = [columns.index(name) for name in KEYS[table]]
    for row in base.execute(f"select {', '.join(columns)} from {table}"):
        yield (table, *(row[place] for place in places)), digest_of_row(row)


def _digest(base: sqlite3.Connection, key: Key) -> str | None:
    """Of one row; None if it is not there."""
    table, *values = key
    where = " and ".join(f"{name} = ?" for name in KEYS[table])
    query = f"select {', '.join(_columns(base, table))} from {table} where {where}"
    return next((digest_of_row(row) for row in base.execute(query, values)), None)


def _columns(base: sqlite3.Connection, table: str) -> list[str]:
    return sorted(row[1] for row in base.execute(f"pragma table_info({table})"))
