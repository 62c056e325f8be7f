"""Tables for pandas, which is imported when one is asked for."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from .extras import explain_missing_extra


def to_frame(columns: Mapping[str, Any]) -> Any:
    """A pandas.DataFrame of columns. Raises ModuleNotFoundError without pandas, which the extra `notebooks` brings."""
    with explain_missing_extra("to_frame"):
        import pandas
    return pandas.DataFrame(dict(columns))
