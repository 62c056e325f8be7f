"""Reading and writing YAML, the format of configuration files.

PyYAML comes with the extra `train`, and only this module imports it. If it is missing, all functions raise
ModuleNotFoundError, which says how to install it.

What somebody has sent may be made to take hours: a text has at most LONGEST characters and MAX_NODES values, each
alias counted as all that it stands for, and no merge keys (`<<`).
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from pathlib import Path
from typing import Any

from .links import bytes_of
from .plain_data import check_depth

LONGEST = 2**20
"""Characters of a text."""
MAX_NODES = 20_000
"""Values, keys, lists and mappings of a text."""
LONGEST_NUMBER = 100
"""Characters of a number: PyYAML takes hours for a long one in base sixty, 1:1:1."""
NUMBERS = ("tag:yaml.org,2002:int", "tag:yaml.org,2002:float")
WRONG = (ValueError, LookupError, AttributeError, TypeError)
"""What PyYAML leaves to Python's types, for a date such as 2020-13-45 or `!!bool maybe`."""


def load(path: Path | str) -> Any:
    """The data in a YAML file. Raises FileNotFoundError, or ValueError for invalid YAML, naming file and position."""
    try:
        return loads(bytes_of(path, 4 * LONGEST).decode())
    except UnicodeDecodeError as error:
        raise ValueError(f"{path}: not YAML: {error}") from None
    except ValueError as error:
        raise ValueError(f"{path}: {error}") from None


def loads(text: str) -> Any:
    """The data in YAML text. Raises ValueError for invalid YAML."""
    import yaml

    if len(text) > LONGEST:
        raise ValueError(f"not YAML that is read here: more than {LONGEST:,} characters")
    try:
        data = yaml.load(text, _loader())
        check_depth(data)
    except RecursionError:
        raise ValueError("not YAML: nested too deep") from None
    except (yaml.YAMLError, *WRONG) as error:
        raise ValueError(f"not YAML: {error}") from None
    return data


@cache
def _loader() -> Any:
    """PyYAML's safe loader within the limits."""
    import yaml

    class Limited(yaml.SafeLoader):
        """Counts the nodes as they are composed."""

        def __init__(self, text: str) -> None:
            super().__init__(text)
            self._nodes, self._sizes = 0, dict[str, int]()

        def compose_node(self, parent: Any, index: Any) -> Any:
            event: Any = self.peek_event()  # type: ignore[no-untyped-call]
            before, is_alias = self._nodes, isinstance(event, yaml.AliasEvent)
            self._nodes += self._sizes.get(event.anchor, 1) if is_alias else 1
            if self._nodes > MAX_NODES:
                raise ValueError(f"more than {MAX_NODES:,} values, with what aliases stand for")
            node: Any = super().compose_node(parent, index)
            if event.anchor and not is_alias:
                self._sizes[event.anchor] = self._nodes - before
            if node.tag == "tag:yaml.org,2002:merge":
                raise ValueError("a merge key (<<) is not read; write its fields out")
            if node.tag in NUMBERS and len(node.value) > LONGEST_NUMBER:
                raise ValueError(f"a number has more than {LONGEST_NUMBER} characters")
            return node

    return Limited


def dumps(data: Mapping[str, Any]) -> str:
    """Plain data as YAML text, in the order of the mapping."""
    import yaml

    text: str = yaml.safe_dump(dict(data), sort_keys=False)
    return text
