"""What `mistakes` found as tables and sentences, which are the same in the terminal, on a model card and on a page."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import numpy as np

from .mistakes import PARTS, Mistakes

TITLE = "Loss of a decision against its street solved, before the flop against the blueprint, 95 % intervals"
MEANS = ("", "decisions", "mbb a decision", "bb/100")
WORST_TITLE = "The worst decisions"
WORST = ("hand", "street", "position", "cards", "board", "made", "best", "loses, bb")


def mean_rows(judged: Mistakes) -> list[tuple[str, ...]]:
    """By MEANS: a row for all decisions, and for each street, position and kind of which there are some."""
    rows = list[tuple[str, ...]]()
    for part in ("", *PARTS):
        mean, half, count = judged.mean(part)
        if count:
            per_hand = 100 * mean * count / max(judged.hands, 1)
            width = f" ± {1000 * half:.0f}" if np.isfinite(half) else ""
            rows.append((part or "all", f"{count:,}", f"{1000 * mean:.0f}{width}", f"{per_hand:.1f}"))
    return rows


def worst_rows(judged: Mistakes, count: int, names: Sequence[str]) -> list[tuple[str, ...]]:
    """By WORST: the decisions that lose the most, at most `count`. names: of the hands, in the file that has them."""
    return [
        (names[each.hand], *each[2:4], each.cards, each.board, each.made, each.best, f"{each.loss:.2f}")
        for each in judged.worst[:count]
        if each.loss > 0
    ]


def sentences(judged: Mistakes) -> list[str]:
    """How well flops were solved, and what was not judged."""
    unjudged = [_counted(count, *reason.split(" ", 1)) for reason, count in judged.unjudged.items() if count]
    found = [f"Not judged: {', '.join(unjudged)}."] if unjudged else []
    if judged.flops:
        mean, count = float(np.mean(judged.flops)), len(judged.flops)
        found.insert(0, f"Flops: {count:,} solved, to {mean:.1f} % of the pot on average (exploitability).")
    return found


def replay_sentence(file: Path | str, name: str) -> str:
    """How to see a hand."""
    return f"holdem replay {file} --hand {name}"


def markdown(judged: Mistakes, worst: int, names: Sequence[str], file: str) -> str:
    """All of it as Markdown. file: which has the hands."""
    rows = worst_rows(judged, worst, names)
    parts = [f"{TITLE}:", _table(MEANS, mean_rows(judged)), *sentences(judged)]
    if rows:
        parts += [f"{WORST_TITLE}; `{replay_sentence(file, rows[0][0])}` shows the first:", _table(WORST, rows)]
    return "\n\n".join(parts)


def _table(headings: Sequence[str], rows: Sequence[Sequence[str]]) -> str:
    lines = [headings, ["---"] * len(headings), *rows]
    return "\n".join(f"| {' | '.join(line)} |" for line in lines)


def _counted(count: int, nouns: str, rest: str) -> str:
    return f"{count:,} {nouns if count != 1 else nouns.removesuffix('s')} {rest}"
