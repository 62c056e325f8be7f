"""Build the wheel and the source archive in dist/, and try the wheel as users will: in a new environment, in an empty
folder, away from the clone. `--build` and `--try` do one of the two. What fails is said in a sentence.
"""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
import tarfile
import tempfile
import venv
from pathlib import Path
from zipfile import ZipFile

from packaging.metadata import Metadata

REPOSITORY = Path(__file__).resolve().parent.parent
DIST = REPOSITORY / "dist"
MOST_BYTES = 25_000_000
PACKAGES = ("holdem_env", "holdem_agents")
NO_LIBRARY = {"tests", "benchmarks", "docs", "examples", "shared", "__pycache__"}
FOLDER_OF_CODE = "Scripts" if os.name == "nt" else "bin"
MATCH = ("match", "tight_aggressive", "calling_station", "--hands", "1000")
DEMO = ("demo", "--seconds", "5")


def build() -> None:
    """Make a source archive, and of it a wheel, as those do who package the library."""
    shutil.rmtree(DIST, ignore_errors=True)
    hatch = [sys.executable, "-m", "hatchling", "build", "-d", str(DIST), "-t"]
    with tempfile.TemporaryDirectory() as folder:
        run([*hatch, "sdist"], REPOSITORY)
        with tarfile.open(next(DIST.glob("*.tar.gz"))) as archive:
            archive.extractall(folder, filter="data")
        run([*hatch, "wheel"], next(Path(folder).iterdir()))


def check(wheel: Path) -> None:
    """Size, contents and metadata."""
    size = wheel.stat().st_size
    if size > MOST_BYTES:
        sys.exit(f"{wheel.name} has {size:,} bytes; at most {MOST_BYTES:,} are meant")
    with ZipFile(wheel) as archive:
        entries = sorted(archive.infolist(), key=lambda entry: entry.compress_size, reverse=True)
        names = [entry.filename for entry in entries]
        about = next((name for name in names if name.endswith(".dist-info/METADATA")), "")
        Metadata.from_email(archive.read(about), validate=True)
    described = about.partition("/")[0]
    if f"{described}/licenses/LICENSE" not in names:
        sys.exit(f"{wheel.name} lacks the licence")
    ours = {*PACKAGES, described}
    if others := [name for name in names if name.split("/")[0] not in ours or NO_LIBRARY.intersection(name.split("/"))]:
        sys.exit(f"{wheel.name} holds what is no part of the library: {', '.join(others[:5])}")
    print(f"{wheel.name}: {size:,} bytes in {len(entries)} files. The largest:")
    for entry in entries[:5]:
        print(f"  {entry.compress_size:>12,} {entry.filename}")


def try_out(wheel: Path) -> None:
    """First hands with nothing but what the wheel depends on; then a match and a demo with [train]."""
    with tempfile.TemporaryDirectory(prefix="holdem-wheel-", ignore_cleanup_errors=True) as name:
        folder = Path(name).resolve()
        empty, code = folder / "empty", folder / "venv" / FOLDER_OF_CODE
        empty.mkdir()
        venv.create(folder / "venv", with_pip=True)
        python = str(code / "python")
        pip = [python, "-m", "pip", "install", "-qq", "--disable-pip-version-check"]
        pip += ["-c", str(REPOSITORY / "constraints.txt")]
        own = {key: value for key, value in os.environ.items() if not key.startswith(("PYTHON", "HOLDEM_"))}
        own["HOLDEM_CACHE_DIR"] = str(folder / "cache")

        run([*pip, str(wheel)], empty, own)
        run([python, str(shutil.copy(REPOSITORY / ".ci" / "first_hands.py", folder))], empty, own)
        run([python, "-c", first_example()], empty, own)
        run([*pip, f"{wheel}[train]"], empty, own)
        for words in (MATCH, DEMO):
            run([str(code / "holdem"), *words], empty, own)


def first_example() -> str:
    """The first Python of README."""
    found = re.search(r"```python\n(.*?)```", (REPOSITORY / "README.md").read_text(encoding="utf-8"), re.DOTALL)
    assert found, "README.md has no Python"
    return found[1]


def run(command: list[str], folder: Path, environment: dict[str, str] | None = None) -> None:
    """A command in a folder; the end if it fails."""
    said = " ".join(command[:6]).partition("\n")[0]
    print(f"== {said}", flush=True)
    if status := subprocess.run(command, cwd=folder, env=environment).returncode:
        sys.exit(f"make wheel: `{said}` ended with status {status}")


def main() -> None:
    if sys.argv[1:] != ["--try"]:
        build()
    wheel = next(DIST.glob("*.whl"))
    check(wheel)
    if sys.argv[1:] != ["--build"]:
        try_out(wheel)


if __name__ == "__main__":
    main()
