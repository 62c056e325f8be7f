"""Print the newest NumPy and Numba that pyproject.toml allows and the registry has, as requirements for pip.

Prints nothing where constraints.txt pins them already: the ordinary tests run with those.
"""

from __future__ import annotations

import json
import subprocess
import sys
import tomllib
from pathlib import Path

REPOSITORY = Path(__file__).resolve().parent.parent
COMPILERS = ("numpy", "numba")


def main() -> None:
    project = tomllib.loads((REPOSITORY / "pyproject.toml").read_text())["project"]
    wanted = [requirement for requirement in project["dependencies"] if requirement.startswith(COMPILERS)]
    command = [sys.executable, "-m", "pip", "install", "--disable-pip-version-check", "-q", "--dry-run"]
    command += ["--ignore-installed", "--only-binary=:all:", "--report", "-", *wanted]
    report = json.loads(subprocess.run(command, check=True, capture_output=True, text=True).stdout)
    found = {install["metadata"]["name"]: install["metadata"]["version"] for install in report["install"]}
    newest = [f"{name}=={found[name]}" for name in COMPILERS]
    if not set(newest) <= set((REPOSITORY / "constraints.txt").read_text().splitlines()):
        print(*newest)


if __name__ == "__main__":
    main()
