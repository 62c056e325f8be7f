"""Test files that stand on what has changed since everything passed, at the commit that `.ci/verified` names.

`changed.py` prints them, or `tests` for all; `changed.py --verify COMMIT SKIPPED`, at the end of `.ci/run --all`,
writes `.ci/verified`, or says why not. grimp knows which modules stand on a changed one. Tests join its graph by what
they import or name; on other files stand tests that quote them, or have them in `pytestmark = stands_on(...)`.
"""

import platform
import re
import subprocess
import sys
import tomllib
from collections.abc import Iterator
from contextlib import suppress
from datetime import date
from functools import cache
from importlib import import_module
from pathlib import Path

import grimp

ROOT = Path(__file__).resolve().parent.parent
HOMES = {"holdem_env": ROOT, "holdem_agents": ROOT / "agents"}
EVERYTHING = re.compile(r"constraints.*\.txt|pyproject\.toml|Makefile|\.ci/.*|tests/conftest\.py")
MODULE = r"holdem_(?:env|agents)(?:\.\w+)+"
IMPORT = re.compile(r"\b(?:from\s+([\w.]+)\s+)?import\s+(\([^)]*\)|[^\n;\\]*)")
PYTHON = "{}.{}".format(*sys.version_info)


def git(*words: str) -> str:
    return subprocess.run(["git", *words], cwd=ROOT, check=True, capture_output=True, text=True).stdout


def verify(commit: str, skipped: str) -> str:
    """Write the line, or say why not. commit: that of the start; none if the tree had changes."""
    if not commit or commit != git("rev-parse", "HEAD").strip() or git("status", "-s", "--", ".", ":!.ci/verified"):
        return "not verified: the tree had changes before, or while, the tests ran"
    if skipped:
        return "not verified: this machine should not skip\n" + "".join(sorted(set(skipped.splitlines(keepends=True))))
    line = f"{commit} {date.today()} {platform.machine()} Python {PYTHON}\n"
    (ROOT / ".ci" / "verified").write_text(line, encoding="utf-8")
    return f"verified: {commit}"


def verified_commit() -> str | None:
    """The commit in `.ci/verified`; None if that was another Python, or git does not know it."""
    file = ROOT / ".ci" / "verified"
    commit, *_, python = file.read_text(encoding="utf-8").split() if file.exists() else ("", "")
    known = subprocess.run(["git", "cat-file", "-e", f"{commit}^{{commit}}"], cwd=ROOT, capture_output=True)
    return commit if python == PYTHON and known.returncode == 0 else None


def path_of(node: str) -> Path:
    home = HOMES.get(node.partition(".")[0], ROOT) / node.replace(".", "/")
    return home / "__init__.py" if home.is_dir() else home.with_name(f"{home.name}.py")


@cache
def home_of(package: str, name: str) -> str:
    """The module that has what a test imports from a package."""
    found = None
    with suppress(ImportError):
        found = getattr(import_module(package), name, None) if package.partition(".")[0] in HOMES else None
    return str(getattr(found, "__module__", f"{package}.{name}"))


def named_in(node: str, text: str, points: dict[str, dict[str, str]]) -> Iterator[str]:
    """What a file names in strings or, if it is one of tests, imports: perhaps modules."""
    if node.startswith("tests."):
        yield from re.findall(MODULE, text)
        for base, names in IMPORT.findall(text):
            for name in re.findall(r"\w+", names):
                yield from (home_of(base, name), f"tests.{base}", f"tests.{base}.{name}", f"tests.{name}")
    for name, attribute in re.findall(rf"""["']({MODULE})(:\w+)?["']""", text):
        yield from [name] if attribute or "import_module" in text else []
    yield from (f"{node}.{word}" for word in re.findall(r'"([\w.]+)"', text) if "__getattr__" in text)
    for group in points:
        yield from (point.partition(":")[0] for point in points[group].values() if f'"{group}"' in text)


@cache
def graph() -> tuple[grimp.ImportGraph, dict[str, str]]:
    """What stands on what, and the text of each module in it."""
    found = grimp.build_graph(*HOMES, cache_dir=None)
    for path in ROOT.glob("tests/**/*.py"):
        found.add_module(".".join(path.relative_to(ROOT).with_suffix("").parts))
    texts = {node: path_of(node).read_text(encoding="utf-8") for node in found.modules}
    points = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]["entry-points"]
    for node, text in texts.items():
        beside = f"{node.rpartition('.')[0]}.conftest"
        for name in ({beside, *named_in(node, text, points)} & found.modules) - {node, "tests.conftest"}:
            found.add_import(importer=node, imported=name)
    return found, texts


def nodes_of(path: Path) -> set[str]:
    """What a change of a file changes: its module, or what reads it, and the tests that say that they stand on it."""
    texts = graph()[1]
    found = {node for node in texts if path_of(node) == path}
    tests = {node: text for node, text in texts.items() if node.startswith("tests.")}
    for node, text in tests.items():
        places = re.findall(r'"([^"]+)"', " ".join(re.findall(r"stands_on\(([^)]*)\)", text)))
        found |= {node for place in places if ROOT / place in (path, *path.parents)}
    if any(path_of(node) == path for node in texts.keys() - tests.keys()) or path.name.startswith("test_"):
        return found
    if any(home / package in path.parents for package, home in HOMES.items()):  # data, or what is gone: the package
        around = ({node for node in texts if each in path_of(node).parents} for each in path.parents)
        return found | next(nodes for nodes in around if len(nodes) > 1)
    words = "|".join(map(re.escape, {path.name, path.stem, path.parent.name} - {"tests"}))
    return found | {node for node, text in tests.items() if re.search(rf"""["'/]({words})["'/.]""", text)}


def selected(changed: set[str]) -> list[str]:
    """The test files that stand on changed files; `tests` if all do."""
    if any(EVERYTHING.fullmatch(file) for file in changed):
        return ["tests"]
    direct = {node for file in changed for node in nodes_of(ROOT / file)}
    reached = direct.union(*(graph()[0].find_downstream_modules(node) for node in direct))
    paths = (path_of(node).relative_to(ROOT) for node in reached if node.startswith("tests."))
    return sorted(path.as_posix() for path in paths if path.name.startswith("test_"))


if __name__ == "__main__":
    sys.path[:0] = map(str, HOMES.values())
    if sys.argv[1:]:
        print(verify(sys.argv[2], Path(sys.argv[3]).read_text(encoding="utf-8")))
    elif commit := verified_commit():
        new = git("ls-files", "-o", "--exclude-standard").splitlines()
        print(*selected({*git("diff", "--name-only", commit).splitlines(), *new} - {".ci/verified"}), sep="\n")
    else:
        print("tests")
