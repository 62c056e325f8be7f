"""The state of Tables as plain arrays, saved to a file and loaded again. A state is checked before it is used."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any
from zipfile import ZIP_STORED

import numpy as np
from numpy.typing import NDArray

from ..engine import record
from ..engine.invariants import Limit, first_broken, last_seat, outside_of_limits, stages_of
from ..game.rules import Rules
from ..utils.atomic import whole_file
from ..utils.version import __version__

State = dict[str, NDArray[Any]]
FORMAT = 1
RESULTS = ("done", "reward", "session_over", "place")
# The kinds of NumPy types that each array may have, and what people call them.
KINDS = {"format": "iu", "version": "U", "layout": "U", "rules": "U", "seed": "iu", "records": "u"}
KINDS |= {"done": "b", "reward": "iu", "session_over": "b", "place": "iu"}
KIND_NAMES = {"iu": "integers", "U": "text", "u": "bytes", "b": "truth values"}
AXES = {"records": 2, "done": 1, "reward": 2, "session_over": 1, "place": 2}
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
    for name, kind in KINDS.items():
        given = np.asarray(state[name])
        if given.dtype.kind not in kind or (kind == "u" and given.dtype != np.uint8):
            raise ValueError(f"the state is damaged: its {name!r} holds {given.dtype.name}, not {KIND_NAMES[kind]}")
        if given.ndim != AXES.get(name, 0):
            raise ValueError(f"the state is damaged: its {name!r} has {given.ndim} axes, not {AXES.get(name, 0)}")
    if not 0 <= int(state["seed"]) < 2**63:
        raise ValueError(f"the state is damaged: its seed is {state['seed']}, not in 0..2**63-1")
    _check_layout(state)
    return Rules.model_validate_json(str(state["rules"]))


def _check_layout(state: Mapping[str, Any]) -> None:
    try:
        theirs, ours = dict(json.loads(str(state["layout"]))), json.loads(layout_text())
    except (TypeError, ValueError, RecursionError) as error:  # of json, or of dict for another value
        raise ValueError(f"the state is damaged: its 'layout' is not a JSON object ({error})") from None
    if int(state["format"]) == FORMAT and theirs == ours:
        return
    changed = [name for name in {**theirs, **ours} if _kind_in(theirs, name) != _kind_in(ours, name)]
    raise ValueError(
        f"the state was saved by holdem_env {state['version']} (format {state['format']}), whose tables are laid out "
        f"differently from those of {__version__} (format {FORMAT}); what differs: "
        f"{', '.join(changed) or 'the order'}. Continue with that version, or start again"
    )


def _kind_in(layout: dict[str, Any], name: str) -> Any:
    """The type and the shape of a field."""
    field = layout.get(name, [])
    return field[:2] if isinstance(field, list) else field


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
        if np.shape(state[name]) != shape:
            raise ValueError(
                f"the state's {name!r} has shape {np.shape(state[name])}; {num_tables} tables need {shape}"
            )
    if ((places := np.asarray(state["place"])) < 0).any() or (places > rules.seats).any():
        raise ValueError(f"the state is damaged: its 'place' is not in 0..{rules.seats}")
    records: record.Records = np.ascontiguousarray(state["records"], np.uint8).view(record.TABLE)[:, 0]
    _check_records(records, rules)
    return records


# What is true of tables that wait for a decision, besides what is true of every table.
WAITING: dict[str, tuple[Limit, Limit]] = {
    "actor": (0, last_seat),
    **dict.fromkeys(("over", "showing", "session_over", "errors_injected", "orders_injected"), (0, 0)),
    "blinds_placed": (lambda r: r["is_session"], lambda r: r["is_session"]),
    "follow_ups": (
        lambda r: (r["dealer_errors"] != 0) * record.DEALER_ERRS,
        lambda r: (r["dealer_errors"] != 0) * record.DEALER_ERRS + (r["is_session"] != 0) * record.SOME_ABSENT,
    ),
    # Nobody joins or leaves where every hand stands alone.
    **dict.fromkeys(("held_out", "owes", "posts", "comes_back", "place"), (0, 0)),
    "presence": (0, 0),
}
OF_SESSIONS = ("held_out", "owes", "posts", "comes_back", "place", "presence")


def _check_records(records: record.Records, rules: Rules) -> None:
    """Raises ValueError for a table that the engine cannot have left behind: compiled code trusts the records."""
    found = first_broken(records, rules.record)
    if found is None:
        limits = {name: limit for name, limit in WAITING.items() if rules.session is None or name not in OF_SESSIONS}
        found = outside_of_limits(records, stages_of(records, rules.record), limits)
    if found is not None:
        raise ValueError(f"the state is damaged: table {found[0]} has {found[1]}")


def write_state(state: State, path: Path | str) -> None:
    """Write a state to a .npz file, which exists only once it is complete."""
    with whole_file(path) as file:
        np.savez(file, **state)  # type: ignore[arg-type]


def read_state(path: Path | str) -> State:
    """The state in a file. Raises OSError if it cannot be opened, such as FileNotFoundError, and ValueError if it holds
    no state."""
    with open(path, "rb") as opened:
        try:
            with np.load(opened, allow_pickle=False) as file:
                if any(each.compress_type != ZIP_STORED for each in file.zip.infolist()):
                    raise ValueError("it is compressed")  # and may unpack to any size
                return dict(file)
        except Exception as error:  # of zipfile and NumPy, for files that were cut short or changed: it may be any
            raise ValueError(f"{path}: not a file that Tables.save has written ({error})") from None
