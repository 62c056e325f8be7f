"""Tokens of remote bots. The file has their digests alone: who reads it cannot join with it."""

from __future__ import annotations

import re
from collections.abc import Mapping
from hashlib import sha256
from hmac import compare_digest
from pathlib import Path
from secrets import token_hex

from holdem_env.arena.tournaments.plan import Tournament
from holdem_env.utils import yaml_files
from holdem_env.utils.atomic import write_atomically

DIGEST = re.compile("[0-9a-f]{64}")


def tokens_file(store: Path) -> Path:
    """The file with the digests of the tokens of a tournament with this store."""
    return store.with_name(f"{store.name}.tokens")


def new_tokens(tournament: Tournament, store: Path) -> dict[str, str]:
    """Make a token for each remote bot that has none in the file, and write their digests there. Returns the new
    tokens, which stand nowhere else. Raises ValueError for a tournament without remote bots, and a damaged file."""
    path = tokens_file(store)
    known = _read(path)
    made = {name: token_hex(24) for name in _remote_names(tournament) if name not in known}
    if made:
        digests = {**known, **{name: _digest(token) for name, token in made.items()}}
        write_atomically(path, yaml_files.dumps(digests))
    return made


def digests_of(tournament: Tournament, store: Path) -> dict[str, str]:
    """The digests of the bots' tokens, by name. Raises ValueError for no bots, a missing token or a damaged file."""
    path, names = tokens_file(store), _remote_names(tournament)
    known = _read(path)
    if lacking := [name for name in names if name not in known]:
        raise ValueError(f"{path}: must have the token of {lacking[0]!r}; `holdem tournament tokens FILE` makes it")
    return {name: known[name] for name in names}


def whose(token: str, digests: Mapping[str, str]) -> str | None:
    """The name that a token belongs to; None if to nobody. It takes as long for every token."""
    given = _digest(token)
    found = [name for name, digest in digests.items() if compare_digest(given, digest)]
    return found[0] if found else None


def _remote_names(tournament: Tournament) -> list[str]:
    if not (names := [entrant.remote for entrant in tournament.entrants().values() if entrant.remote]):
        raise ValueError("the tournament must have remote bots, such as `- remote: anna`, got none")
    return names


def _digest(token: str) -> str:
    return sha256(token.encode()).hexdigest()


def _read(path: Path) -> dict[str, str]:
    if not path.exists():
        return {}
    try:
        known = yaml_files.load(path)
    except ValueError:
        known = path
    known = {} if known is None else known  # all lines were deleted
    texts = [*known, *known.values()] if isinstance(known, dict) else [None]
    if not all(isinstance(text, str) for text in texts) or not all(map(DIGEST.fullmatch, known.values())):
        raise ValueError(f"{path}: must be a file of tokens' digests, as `holdem tournament tokens` writes it")
    return known
