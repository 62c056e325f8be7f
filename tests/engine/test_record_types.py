"""The records as annotations have the fields of their dtypes: no more, no fewer, and of the same kind."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from holdem_env.engine import record_types as engine_types
from holdem_env.engine.record import COLUMNS, LOG, RULES, TABLE
from holdem_env.equities import record_types as equity_types
from holdem_env.equities.exact import MATCHUP
from holdem_env.equities.run_outs import RUN_OUTS
from holdem_env.equities.sampling import DEAL
from holdem_env.equities.weighted_sampling import SUMS

RECORDS = [
    (engine_types.TableRecord, TABLE, COLUMNS),
    (engine_types.RulesRecord, RULES, {}),
    (engine_types.LogRecord, LOG, {}),
    (equity_types.Matchup, MATCHUP, {}),
    (equity_types.Deal, DEAL, {}),
    (equity_types.RunOuts, RUN_OUTS, {}),
    (equity_types.Sums, SUMS, {}),
]


def annotation_of(field: np.dtype[Any], is_array: bool) -> str:
    """What a field is annotated as: a number, or an array of them."""
    kind = "float" if field.base.kind == "f" else "int"
    return {"int": "Ints", "float": "Floats"}[kind] if is_array else kind


@pytest.mark.parametrize(("annotated", "dtype", "columns"), RECORDS, ids=lambda value: getattr(value, "__name__", ""))
def test_annotations_are_the_fields_of_the_record(annotated: type, dtype: np.dtype[Any], columns: dict[str, Any]):
    lines = {field for field, _ in columns.values()}
    fields = {
        name: annotation_of(dtype[name], dtype[name].subdtype is not None)
        for name in dtype.names or ()
        if name not in lines and "padding" not in name
    }
    fields |= {name: annotation_of(dtype[field].base[inner], True) for name, (field, inner) in columns.items()}
    assert annotated.__annotations__ == fields
