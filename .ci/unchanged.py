"""Whether what a long target of make tests is, by content, what it was when it last passed: `unchanged.py shelf` ends
with status 0 if it is. `unchanged.py shelf --passed` writes that it has passed; the file is committed."""

from __future__ import annotations

import sys
from hashlib import sha256
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
PASSED = Path(__file__).with_name("passed.txt")
COMPILED = ("cards", "compiled", "encoders", "engine", "game")
MODES = ("encoders", "engine", "equity", "golden", "properties", "rules", "solvers/card_tables", "table")
MUTANTS = ("differential", "mutation", "oracle")
# Files by target; behind a colon the packages whose lines count.
INPUTS = {
    "modes": [
        "constraints.txt:llvmlite,numba,numpy,scipy",
        *(f"holdem_env/{room}/**/*.py" for room in (*COMPILED, "equities", "solvers/card_tables")),
        *(f"holdem_env/{room}/*.npz" for room in ("equities", "solvers/card_tables")),
        *(f"tests/{room}/*.py" for room in (*MODES, *MUTANTS)),
        "tests/mutation/*.toml",
    ],
    "shelf": [
        "constraints-shelf.txt",
        "pyproject.toml",
        "tests/docs/test_other_libraries.py",
        *(f"docs/{page}.md" for page in ("rllib", "tianshou", "torchrl")),
        "docs/examples/sb3_own_seat.py",
        "holdem_env/envs/*.py",
    ],
    "oldest": [
        "constraints-oldest.txt",
        "pyproject.toml",
        *(f"holdem_env/{room}/**/*.py" for room in COMPILED),
        *(f"tests/{room}/*.py" for room in ("rules", "encoders", "engine")),  # of Makefile's COMPILED_TESTS
    ],
}


def digest(target: str) -> str:
    """Of the content of all files that a target depends on."""
    found = sha256()
    for pattern in INPUTS[target]:
        path, _, packages = pattern.partition(":")
        files = sorted(ROOT.glob(path))
        if not files:
            sys.exit(f"{Path(__file__).name}: {target}: there is no file {pattern}")
        for file in files:
            found.update(f"{file.relative_to(ROOT)}\0".encode() + _lines(file, packages))
    return found.hexdigest()[:16]


def _lines(file: Path, packages: str) -> bytes:
    """The content of a file, or its lines about packages."""
    if not packages:
        return file.read_bytes()
    names = tuple(f"{name}==" for name in packages.split(","))
    return "".join(line for line in file.read_text().splitlines(keepends=True) if line.startswith(names)).encode()


def main() -> None:
    """See the first lines of this file."""
    target = sys.argv[1]
    passed = dict(line.split() for line in PASSED.read_text().splitlines()) if PASSED.exists() else {}
    if "--passed" in sys.argv:
        passed[target] = digest(target)
        PASSED.write_text("".join(f"{name} {value}\n" for name, value in sorted(passed.items())))
    else:
        sys.exit(passed.get(target) != digest(target))


main()
