"""Build the wheel and the source archive in dist/, and try the wheel as users will: away from the clone, in an
environment for each extra, with the Python and the commands of the pages that name this extra. `--build` and `--try` do
one of the two. What fails is said in a sentence.
"""

from __future__ import annotations

import os
import re
import shlex
import shutil
import subprocess
import sys
import tarfile
import tempfile
import venv
from concurrent.futures import ThreadPoolExecutor
from glob import glob
from pathlib import Path
from zipfile import ZipFile

from packaging.metadata import Metadata

ROOT = Path(__file__).resolve().parent.parent
DIST = ROOT / "dist"
MAX_BYTES = 25_000_000
PACKAGES = ("holdem_env", "holdem_agents")
NO_LIBRARY = {"tests", "benchmarks", "docs", "examples", "shared", "__pycache__"}
SCRIPTS = "Scripts" if os.name == "nt" else "bin"
EXTRAS = ("train", "arena", "web", "sb3", "")
"""Each has an environment, the slowest first. Small extras come into that of the one before them on a page."""
INSTALL = re.compile(r"pip install (?:-c \S+ )?-e '\.\[([\w,-]+)\]'")
MISSING = re.compile(r"needs the package|is missing; install|ModuleNotFoundError.*")
SHORTER = ((r"--hands \d+", "--hands 64"), (r"--seconds \d+", "--seconds 1"))
COMMAND_SECONDS = 4
FAILURES: list[str] = []


def build() -> None:
    """Make a source archive, and of it a wheel, as those do who package the library."""
    shutil.rmtree(DIST, ignore_errors=True)
    hatch = [sys.executable, "-m", "hatchling", "build", "-d", str(DIST), "-t"]
    with tempfile.TemporaryDirectory() as folder:
        run([*hatch, "sdist"], ROOT)
        with tarfile.open(next(DIST.glob("*.tar.gz"))) as archive:
            archive.extractall(folder, filter="data")
        run([*hatch, "wheel"], next(Path(folder).iterdir()))


def check(wheel: Path) -> None:
    """Size, contents and metadata."""
    size = wheel.stat().st_size
    with ZipFile(wheel) as archive:
        names = archive.namelist()
        about = next((name for name in names if name.endswith(".dist-info/METADATA")), "")
        Metadata.from_email(archive.read(about), validate=True)
    described = about.partition("/")[0]
    ours = {*PACKAGES, described}
    others = [name for name in names if name.split("/")[0] not in ours or NO_LIBRARY.intersection(name.split("/"))]
    if size > MAX_BYTES or f"{described}/licenses/LICENSE" not in names or others:
        sys.exit(f"{wheel.name}: {size:,} bytes of at most {MAX_BYTES:,}, no part of the library: {others[:5]}")
    print(f"{wheel.name}: {size:,} bytes in {len(names)} files")


def try_out(wheel: Path) -> None:
    """Each page in the environment of its extra; then pip takes away all that the library has brought."""
    pages = sorted(ROOT / name for name in ("README.md", *glob("docs/**/*.md", root_dir=ROOT, recursive=True)))
    extras = {page: (INSTALL.search(page.read_text(encoding="utf-8")[:2500]) or [""] * 2)[1] for page in pages}
    with (
        tempfile.TemporaryDirectory(prefix="holdem-wheel-", ignore_cleanup_errors=True) as name,
        ThreadPoolExecutor(os.cpu_count()) as pool,
    ):
        list(pool.map(lambda extra: try_extra(extra, wheel, extras, Path(name).resolve()), EXTRAS))


def try_extra(extra: str, wheel: Path, extras: dict[Path, str], place: Path) -> None:
    """The pages of an extra, in an environment of its own."""
    folder = place / (extra or "bare")
    venv.create(folder / "venv", with_pip=True)
    scripts = folder / "venv" / SCRIPTS
    pip = [str(scripts / "python"), "-m", "pip", "--disable-pip-version-check", "-qq"]
    own = {key: value for key, value in os.environ.items() if not key.startswith(("PYTHON", "HOLDEM_"))}
    own |= {"XDG_CACHE_HOME": str(place / "cache"), "PATH": f"{scripts}{os.pathsep}{own['PATH']}"}
    for wanted in sorted({*extras.values(), extra}, key=len):
        base = wanted.partition(",")[0]
        if extra == (base if base in EXTRAS else ""):
            named = f"{wheel}[{wanted}]" if wanted else str(wheel)
            run([*pip, "install", "-c", str(ROOT / "constraints.txt"), named], folder, own)
            for page in (page for page in extras if extras[page] == wanted):
                try_page(page, folder, own)
    run([*pip, "uninstall", "-y", "holdem-env"], folder, own)
    run([pip[0], "-c", f"import importlib.util as u; assert not any(map(u.find_spec, {PACKAGES}))"], folder, own)


def try_page(page: Path, folder: Path, own: dict[str, str]) -> None:
    """Its blocks of Python run; its commands, which end after some seconds, ask for no other package."""
    here = folder / f"{page.parent.name}-{page.stem}"
    for name in ("docs/examples", "configs", "tests/data", "examples"):
        shutil.copytree(ROOT / name, here / name)
    fences = re.findall(r"^```(\S*)[^\n]*\n(.*?)^```$", page.read_text(encoding="utf-8"), re.MULTILINE | re.DOTALL)
    for number, (language, text) in enumerate(fences):
        if language == "python":
            (here / f"block_{number}.py").write_text(text, encoding="utf-8")
            run(["python", f"block_{number}.py"], here, own)
        for line in text.splitlines() if language in ("", "bash") else ():
            if (command := line.partition("#")[0].strip()).startswith("holdem "):
                for long, short in SHORTER:
                    command = re.sub(long, short, command)
                if found := MISSING.search(output_of(command, here, own)):
                    failed(f"{page.name}: `{command}`: {found[0]}")


def output_of(command: str, folder: Path, own: dict[str, str]) -> str:
    """What a command has printed after some seconds."""
    with tempfile.TemporaryFile() as said:
        process = subprocess.Popen(
            shlex.split(command), cwd=folder, env=own, stdin=subprocess.DEVNULL, stdout=said, stderr=said
        )
        try:
            process.wait(COMMAND_SECONDS)
        except subprocess.TimeoutExpired:
            process.terminate()
            process.wait()
        said.seek(0)
        return said.read().decode(errors="replace")


def run(command: list[str], folder: Path, environment: dict[str, str] | None = None) -> None:
    """A command in a folder; the end if it fails."""
    said = " ".join(Path(word).name for word in command[-4:]).partition("\n")[0]
    print(f"== {folder.name}: {said}", flush=True)
    if status := subprocess.run(command, cwd=folder, env=environment, stdout=subprocess.DEVNULL).returncode:
        failed(f"`{said}` in {folder.name} ended with status {status}")


def failed(what: str) -> None:
    """Note a failure; the others are tried, too."""
    print(f"make wheel: {what}", flush=True)
    FAILURES.append(what)


def main() -> None:
    if sys.argv[1:] != ["--try"]:
        build()
    wheel = next(DIST.glob("*.whl"))
    check(wheel)
    if sys.argv[1:] != ["--build"]:
        try_out(wheel)
    if FAILURES:
        sys.exit("\n".join(FAILURES))


if __name__ == "__main__":
    main()
