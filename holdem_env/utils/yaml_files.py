"""Reading and writing YAML, the format of configuration files.

PyYAML comes with the extra `train`, and only this module imports it. If it is missing, all functions raise
ModuleNotFoundError, which says how to install it.
"""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

from .extras import explain_missing_extra
from .plain_data import check_depth

WRONG = (ValueError, LookupError, AttributeError, TypeError)
"""What PyYAML leaves to Python's types, for a date such as 2020-13-45 or `!!bool maybe`."""


def load(path: Path | str) -> Any:
    """The data in a YAML file. Raises FileNotFoundError, or ValueError for invalid YAML, naming file and position."""
    try:
        return loads(Path(path).read_text(encoding="utf-8"))
    except UnicodeDecodeError as error:
        raise ValueError(f"{path}: not YAML: {error}") from None
    except ValueError as error:
        raise ValueError(f"{path}: {error}") from None


def loads(text: str) -> Any:
    """The data in YAML text. Raises ValueError for invalid YAML."""
    with explain_missing_extra("YAML"):
        import yaml

    try:
        data = yaml.safe_load(text)
        check_depth(data)
    except RecursionError:
        raise ValueError("not YAML: nested too deep") from None
    except (yaml.YAMLError, *WRONG) as error:
        raise ValueError(f"not YAML: {error}") from None
    return data


def dumps(data: Mapping[str, Any]) -> str:
    """Plain data as YAML text, in the order of the mapping."""
    with explain_missing_extra("YAML"):
        import yaml

    text: str = yaml.safe_dump(dict(data), sort_keys=False)
    return text
