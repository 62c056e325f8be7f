"""PHH as formats: `.phhs` with many hands, `.phh` with one."""

from __future__ import annotations

from dataclasses import replace
from functools import partial

from . import phh, phh_quick_summary
from .files import RECORD, kind_of, records
from .format import Format
from .phh_writing import in_phhs, text_of


def _key_of(line: str) -> str | None:
    header = RECORD.match(line)
    return header[1] if header else None


PHHS = Format(
    name="phhs",
    title="PHH",
    suffixes=(".phhs",),
    about="a PHH file ends in .phh or .phhs (or that and .xz or .gz)",
    is_one=lambda path: kind_of(path) == ".phhs",
    cannot="games without a code; dealer's errors, missed blinds, a dead button",
    split=partial(records, many=True),
    parser=lambda path, game: phh.parser(path),
    quick_summary=phh_quick_summary.quick_summary,
    text=text_of,
    framed=in_phhs,
    key_of=_key_of,
)
PHH = replace(
    PHHS,
    name="phh",
    title="PHH of one hand",
    suffixes=(".phh",),
    is_one=lambda path: kind_of(path) == ".phh",
    split=partial(records, many=False),
    framed=lambda text, key: text,
    key_of=lambda line: None,
    holds_one=True,
)
