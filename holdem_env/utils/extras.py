"""The optional packages, which the extras of pyproject.toml install, and the error message when one is missing."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from contextlib import contextmanager
from importlib.metadata import PackageNotFoundError, distribution, requires
from pathlib import Path

PROJECT = "holdem-env"
ABOVE_THE_PACKAGE = Path(__file__).resolve().parents[2]
DISTRIBUTION_OF = {"PIL": "pillow", "pyspiel": "open_spiel", "yaml": "pyyaml"}
"""Modules that have another name than the package that brings them."""
REQUIREMENT = re.compile(r"""([\w.-]+).*; *extra *== *["']([\w-]+)["']""")


def extra_of(module: str) -> str | None:
    """The extra of pyproject.toml that installs a module, the smallest of several; None if there is none."""
    name = _normalized(DISTRIBUTION_OF.get(module, module))
    try:
        found = [each.groups() for each in map(REQUIREMENT.match, requires(PROJECT) or ()) if each]
    except PackageNotFoundError:  # the library runs from a folder, not installed
        return None
    packages_of: dict[str, set[str]] = {}
    for package, extra in found:
        packages_of.setdefault(extra, set()).add(_normalized(package))
    extras = [extra for extra, packages in packages_of.items() if name in packages]
    return min(extras, key=lambda extra: len(packages_of[extra]), default=None)


def _normalized(name: str) -> str:
    return name.lower().replace("_", "-")


@contextmanager
def explain_missing_extra(what: str) -> Iterator[None]:
    """If a module of an extra is missing, the ModuleNotFoundError says that `what` needs it and how to install it."""
    try:
        yield
    except ModuleNotFoundError as error:
        extra = extra_of((error.name or "").split(".")[0])
        if extra is None:
            raise
        message = f"{what} needs the package {error.name!r}; install it with: {install_command(extra)}"
        raise ModuleNotFoundError(message, name=error.name) from error


def install_command(extra: str) -> str:
    """The command that installs an extra: from the clone that this library runs from, or from wherever pip installed
    it."""
    if _is_clone(ABOVE_THE_PACKAGE):
        return f'pip install -e "{ABOVE_THE_PACKAGE}[{extra}]"'
    return f'pip install "holdem_env[{extra}]{_origin()}"'


def _is_clone(folder: Path) -> bool:
    project = folder / "pyproject.toml"
    return project.is_file() and f'name = "{PROJECT}"' in project.read_text(encoding="utf-8")


def _origin() -> str:
    """Where pip installed this library from, as a requirement says it: nothing for a package index."""
    try:
        record = distribution(PROJECT).read_text("direct_url.json")  # pip's note (PEP 610)
    except PackageNotFoundError:
        return ""
    if not record:
        return ""
    origin = json.loads(record)
    repository = origin.get("vcs_info", {})
    tool = f"{repository['vcs']}+" if repository else ""
    revision = f"@{repository['requested_revision']}" if "requested_revision" in repository else ""
    return f" @ {tool}{origin['url']}{revision}"
