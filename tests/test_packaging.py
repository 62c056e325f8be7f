"""What is installed is what is here: a room that is not listed works in a checkout and is missing from the wheel."""

from __future__ import annotations

import tomllib
from pathlib import Path

REPOSITORY = Path(__file__).resolve().parent.parent
PROJECT = tomllib.loads((REPOSITORY / "pyproject.toml").read_text())


def packages_under(root: Path, top: str) -> set[str]:
    """The dotted names of all packages below a folder."""
    return {
        ".".join(init.parent.relative_to(root).parts)
        for init in (root / top).rglob("__init__.py")
        if "__pycache__" not in init.parts
    }


def test_every_package_is_listed() -> None:
    here = packages_under(REPOSITORY, "holdem_env") | packages_under(REPOSITORY / "agents", "holdem_agents")
    assert set(PROJECT["tool"]["setuptools"]["packages"]) == here | {"holdem_agents.configs"}


def test_versions_that_were_tested_are_pinned() -> None:
    pinned = {
        line.partition("==")[0].lower().replace("_", "-")
        for line in (REPOSITORY / "constraints.txt").read_text().splitlines()
        if "==" in line and not line.startswith("#")
    }
    extras = PROJECT["project"]["optional-dependencies"]
    wanted = PROJECT["project"]["dependencies"] + extras["train"] + extras["dev"] + extras["bench"]
    names = {requirement.split(">")[0].split("[")[0].strip().lower().replace("_", "-") for requirement in wanted}
    assert names <= pinned


def test_the_oldest_versions_are_the_lower_bounds() -> None:
    lines = (REPOSITORY / "constraints-oldest.txt").read_text().splitlines()
    pinned = dict(line.split("==") for line in lines if "==" in line)
    bounds = dict(requirement.partition(",")[0].split(">=") for requirement in PROJECT["project"]["dependencies"])
    assert pinned.keys() == bounds.keys()
    for name, bound in bounds.items():
        assert pinned[name] in (bound, f"{bound}.0"), name
