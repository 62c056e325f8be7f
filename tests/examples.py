"""How many examples Hypothesis tries of a test for which the hundred of its profile are too many, or too few."""

from __future__ import annotations

from typing import Any

from hypothesis import settings


def examples(count: int, **others: Any) -> settings:
    """Settings for a test: this many examples, and as many times fewer or more as the profile has than a hundred."""
    return settings(max_examples=max(1, count * settings.default.max_examples // 100), **others)
