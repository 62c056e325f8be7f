"""How much a test tries: examples of Hypothesis where the hundred of its profile are too many or too few, and seeds."""

from __future__ import annotations

from typing import Any

from hypothesis import settings


def examples(count: int, **others: Any) -> settings:
    """Settings for a test: this many examples, and as many times fewer or more as the profile has than a hundred."""
    return settings(max_examples=max(1, count * settings.default.max_examples // 100), **others)


def seeds(first: int, count: int) -> range:
    """So many seeds with the profile `thorough`, as every night; two fifths of them otherwise."""
    return range(first, first + (count if settings.default.max_examples > 100 else max(1, 2 * count // 5)))
