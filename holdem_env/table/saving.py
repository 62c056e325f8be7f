"""The state of Tables as plain arrays, saved to a file and loaded again. A state is checked before it is used."""

from __future__ import annotations

import json
import zipfile
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ..engine import record
from ..game.rules import Rules
from ..utils.atomic import whole_file
from ..utils.version import __version__

State = dict[str, NDArray[Any]]
FORMAT = 1
RESULTS = ("done", "reward", "session_over", "place")
KEYS = ("format", "version", "layout", "rules", "seed", "records", *RESULTS)


def layout_text() -> str:
    """The layout of a TABLE record as JSON: every field's name, type, shape and offset, nested fields included."""
    return json.dumps(dict(_layout(record.TABLE, "")))


def _layout(dtype: np.dtype[Any], within: str) -> Iterator[tuple[str, list[Any]]]:
    fields: Mapping[str, Any] = dtype.fields or {}
    for name in dtype.names or ():
        kind, offset = fields[name][:2]
        yield within + name, [kind.base.str, list(kind.shape), int(offset)]
        yield from _layout(kind.base, f"{within}{name}.")


def make_state(rules: Rules, seed: int, records: record.Records, results: Mapping[str, NDArray[Any]]) -> State:
    """Everything that tables need to go on, in new arrays of plain types (no pickles). results: the arrays that the
    last step wrote, by the names in RESULTS."""
    return {
        "format": np.array(FORMAT),
        "version": np.array(__version__),
        "layout": np.array(layout_text()),
        "rules": np.array(rules.model_dump_json()),
        "seed": np.array(seed),
        "records": np.ascontiguousarray(records).view(np.uint8).reshape(len(records), -1).copy(),
        **{name: values.copy() for name, values in results.items()},
    }


def rules_of(state: Mapping[str, Any]) -> Rules:
    """The rules of a saved state. Raises ValueError if this version cannot read it."""
    missing = [key for key in KEYS if key not in state]
    if missing:
        raise ValueError(f"not a state of Tables: it has no {', '.join(map(repr, missing))}")
    _check_layout(state)
    return Rules.model_validate_json(str(state["rules"]))


def _check_layout(state: Mapping[str, Any]) -> None:
    theirs, ours = json.loads(str(state["layout"])), json.loads(layout_text())
    if int(state["format"]) == FORMAT and theirs == ours:
        return
    changed = [name for name in {**theirs, **ours} if theirs.get(name, [])[:2] != ours.get(name, [])[:2]]
    raise ValueError(
        f"the state was saved by holdem_env {state['version']} (format {state['format']}), whose tables are laid out "
        f"differently from those of {__version__} (format {FORMAT}); what differs: "
        f"{', '.join(changed) or 'the order'}. Continue with that version, or start again"
    )


def records_of(state: Mapping[str, Any], rules: Rules, num_tables: int) -> record.Records:
    """The TABLE records of a state. Raises ValueError for other rules, another number of tables, or damage."""
    saved = rules_of(state)
    if saved != rules:
        ours, theirs = rules.model_dump(), saved.model_dump()
        differ = ", ".join(
            f"{name} {theirs[name]!r}, here {ours[name]!r}" for name in ours if ours[name] != theirs[name]
        )
        raise ValueError(f"the state was saved with other rules: {differ}")
    size = record.TABLE.itemsize
    shapes: dict[str, tuple[int, ...]] = {"records": (num_tables, size)}
    shapes |= dict.fromkeys(("done", "session_over"), (num_tables,))
    shapes |= dict.fromkeys(("reward", "place"), (num_tables, rules.seats))
    for name, shape in shapes.items():
        if state[name].shape != shape:
            raise ValueError(f"the state's {name!r} has shape {state[name].shape}; {num_tables} tables need {shape}")
    records: record.Records = np.ascontiguousarray(state["records"], np.uint8).view(record.TABLE)[:, 0]
    _check_bounds(records, rules)
    return records


def _check_bounds(records: record.Records, rules: Rules) -> None:
    """Checks the fields that compiled code uses as indices: compiled code checks no bounds itself."""
    limits = {
        "actor": (0, rules.seats - 1),
        "button": (0, rules.seats - 1),
        "street": (0, max(rules.phase_values("streets")) - 1),
        "stage": (0, len(rules.stages) - 1),
        "phase": (0, len(rules.stages) - 1),
        "blind_level": (0, len(rules.stages) - 1),
        "small_blind_seat": (record.NOBODY, rules.seats - 1),
        "big_blind_seat": (record.NOBODY, rules.seats - 1),
        "small_blind_due": (record.NOBODY, rules.seats - 1),
        "board_count": (0, record.MAX_BOARD),
        "cursor": (0, record.DECK),
        "reshuffles": (0, record.MAX_RESHUFFLES),
        "premature_turn": (record.NO_CARD, record.DECK - 1),
        "premature_cards": (0, record.MAX_BOARD),
        "reshuffle_order": (record.NO_CARD, record.DECK - 1),
        "moves": (0, None),
        "hole": (record.NO_CARD, record.DECK - 1),
        "board": (record.NO_CARD, record.DECK - 1),
        "deck": (record.NO_CARD, record.DECK - 1),
        "last_shown": (0, record.DECK),
        "stack": (0, record.MAX_CHIPS),
        "move_seat": (record.NOBODY, record.MAX_SEATS - 1),
        "move_street": (record.NOBODY, record.MAX_STREETS - 1),
    }
    for name, (low, high) in limits.items():
        values = record.column(records, name).reshape(len(records), -1)
        bad = ((values < low) | (values > (high if high is not None else np.inf))).any(axis=1)
        if bad.any():
            table = int(bad.argmax())
            raise ValueError(f"the state is damaged: table {table} has {name} {values[table].tolist()}")


def write_state(state: State, path: Path | str) -> None:
    """Write a state to a .npz file, which is there only when it is whole."""
    with whole_file(path) as file:
        np.savez(file, **state)  # type: ignore[arg-type]


def read_state(path: Path | str) -> State:
    """The state in a file. Raises FileNotFoundError if it does not exist, ValueError if it holds no state."""
    try:
        with np.load(path, allow_pickle=False) as file:
            return dict(file)
    except (zipfile.BadZipFile, ValueError, EOFError, TypeError, AttributeError) as error:
        raise ValueError(f"{path}: not a file that Tables.save has written ({error})") from None
