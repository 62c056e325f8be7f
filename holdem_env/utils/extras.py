"""The optional packages of the extra `train`, and the error message when one is missing."""

from __future__ import annotations

import json
from collections.abc import Iterator
from contextlib import contextmanager
from importlib.metadata import PackageNotFoundError, distribution
from pathlib import Path

PROJECT = "holdem-env"
ABOVE_THE_PACKAGE = Path(__file__).resolve().parents[2]
EXTRA = frozenset(
    {
        *("choix", "jinja2", "joblib", "matplotlib", "rich", "sb3_contrib", "scipy", "stable_baselines3"),
        *("safetensors", "tensorboard", "torch", "typer", "yaml"),
    }
)
"""Modules that the extra `train` installs."""


@contextmanager
def explain_missing_extra(what: str) -> Iterator[None]:
    """If a module of the extra is missing, the ModuleNotFoundError says that `what` needs it and how to install it."""
    try:
        yield
    except ModuleNotFoundError as error:
        if (error.name or "").split(".")[0] not in EXTRA:
            raise
        message = f"{what} needs the package {error.name!r}; install it with: {install_command()}"
        raise ModuleNotFoundError(message, name=error.name) from error


def install_command() -> str:
    """The command that installs the extra `train`: from the clone that this library runs from, or from wherever pip
    installed it."""
    if _is_clone(ABOVE_THE_PACKAGE):
        return f'pip install -e "{ABOVE_THE_PACKAGE}[train]"'
    return f'pip install "holdem_env[train]{_origin()}"'


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
