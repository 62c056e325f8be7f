"""The ACPC's logs as a format. A file of them needs its game definition beside it, so only `acpc.dumps` writes them."""

from __future__ import annotations

from . import acpc
from .format import Format

ACPC = Format(
    name="acpc",
    title="ACPC",
    suffixes=(".log", ".txt"),
    about="an ACPC log has lines that begin with STATE or MATCHSTATE",
    is_one=acpc.is_log,
    cannot="pot limit, antes, straddles, rake; hands that are not over, empty seats, dealer's errors, missed blinds",
    split=acpc.split,
    parser=acpc.parser,
)
