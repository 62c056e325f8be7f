"""README, docs and their fenced blocks, as the tests of the documentation read them."""

from __future__ import annotations

import re
import sys
from importlib.util import module_from_spec, spec_from_file_location
from itertools import pairwise
from pathlib import Path
from types import ModuleType

REPOSITORY = Path(__file__).resolve().parent.parent
DOCS = REPOSITORY / "docs"
PAGES = sorted([*REPOSITORY.glob("*.md"), *DOCS.glob("**/*.md")])


def fences(page: Path) -> list[tuple[str, str]]:
    """The fenced blocks of a page: language ("" for none, in braces for a directive of Sphinx) and text."""
    return re.findall(r"^```(\S*)[^\n]*\n(.*?)^```$", page.read_text(), re.MULTILINE | re.DOTALL)


def blocks(page: Path, language: str) -> list[str]:
    """The fenced blocks of a page that are marked with a language."""
    return [code for marked, code in fences(page) if marked == language]


def shown_outputs(page: Path) -> list[tuple[str, str]]:
    """The Python of a page that is followed by what it prints, in a block of `text`."""
    pairs = pairwise(fences(page))
    return [(code, output) for (first, code), (second, output) in pairs if (first, second) == ("python", "text")]


def example(name: str) -> ModuleType:
    """A file of docs/examples as a module; it is not run as a program."""
    spec = spec_from_file_location(name, DOCS / "examples" / f"{name}.py")
    assert spec is not None
    assert spec.loader is not None
    sys.modules[name] = module = module_from_spec(spec)  # where dataclasses look for their module
    spec.loader.exec_module(module)
    return module
