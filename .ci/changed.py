"""Test files that stand on what has changed since everything passed, at the commit that `.ci/verified` names.

`changed.py` prints them, or `tests` for all; `changed.py --verify COMMIT SKIPPED`, at the end of `.ci/run --all`,
writes `.ci/verified`, or says why not. grimp knows which modules stand on a changed one. Tests join its graph by what
they import or name; on other files stand tests that quote them, or have them in `pytestmark = stands_on(...)`.
"""

import platform
import re
import subprocess
import sys
from collections.abc import Iterator
from contextlib import suppress
from datetime import date
from functools import cache
from importlib import import_module, metadata
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
    (ROOT / ".ci" / "verified").write_text(f"{commit} {date.today()} {platform.machine()} Python {PYTHON}\n")
    return f"verified: {commit}"


def verified_commit() -> str | None:
    """The commit in `.ci/verified`; None if that was another Python, or git does not know it."""
    with suppress(OSError, ValueError, subprocess.CalledProcessError):
        commit, *_, python = (ROOT / ".ci" / "verified").read_text().split()
        git("cat-file", "-e", f"{commit}^{{commit}}")
        return commit if python == PYTHON else None


@cache
def home_of(package: str, name: str) -> str:
    with suppress(ImportError, AttributeError):
        return str(getattr(import_module(package), name).__module__)
    return f"{package}.{name}"


def named_in(node: str, text: str) -> Iterator[str]:
    """What a file names in strings or, if it is one of tests, imports, at its home: perhaps modules."""
    if node.startswith("tests."):
        yield f"{node.rpartition('.')[0]}.conftest"
        yield from re.findall(MODULE, text)
        for base, name in ((base, name) for base, names in IMPORT.findall(text) for name in re.findall(r"\w+", names)):
            yield from (f"tests.{base}", f"tests.{base}.{name}", f"tests.{name}")
            yield from [home_of(base, name)] if base.startswith(tuple(HOMES)) else []
    for name, attribute in re.findall(rf"""["']({MODULE})(:\w+)?["']""", text):
        yield from [name] if attribute or "import_module" in text else []
    yield from (f"{node}.{word}" for word in re.findall(r'"([\w.]+)"', text) if "__getattr__" in text)
    yield from (p.module for p in metadata.distribution("holdem_env").entry_points if f'"{p.group}"' in text)


@cache
def graph() -> tuple[grimp.ImportGraph, dict[Path, str], dict[str, str]]:
    """What stands on what; the module of each file, and the text of each module of tests."""
    found = grimp.build_graph(*HOMES, cache_dir=None)
    files = ((home, file) for name, home in {"tests": ROOT, **HOMES}.items() for file in home.glob(f"{name}/**/*.py"))
    nodes = {f: ".".join(f.relative_to(h).with_suffix("").parts).removesuffix(".__init__") for h, f in files}
    texts = {node: file.read_text(encoding="utf-8") for file, node in nodes.items()}
    for node, text in texts.items():
        found.add_module(node)
        for name in (set(named_in(node, text)) & texts.keys()) - {node, "tests.conftest"}:
            found.add_import(importer=node, imported=name)
    return found, nodes, {node: text for node, text in texts.items() if node.startswith("tests.")}


def nodes_of(file: str) -> set[str]:
    """What a change of a file changes: its module, or what reads it, and the tests that say that they stand on it."""
    path, (_, nodes, tests) = ROOT / file, graph()
    marks = {node: " ".join(re.findall(r"stands_on\(([^)]*)\)", text)) for node, text in tests.items()}
    stated = {n for n, mark in marks.items() if {path, *path.parents} & {ROOT / p for p in re.findall('"(.+?)"', mark)}}
    stated |= {nodes[path]} if path in nodes else set()
    if path.name.startswith("test_") or nodes.get(path, "tests.").startswith(tuple(HOMES)):
        return stated
    if file.startswith(("holdem_env", "agents/holdem_agents")):  # data, or what is gone: the package
        around = ({node for each, node in nodes.items() if folder in each.parents} for folder in path.parents)
        return stated | next(found for found in around if len(found) > 1)
    words = "|".join(map(re.escape, {path.name, path.stem, path.parent.name} - {"tests"}))
    return stated | {node for node, text in tests.items() if re.search(rf"""["'/]({words})["'/.]""", text)}


def selected(changed: set[str]) -> list[str]:
    """The test files that stand on changed files; `tests` if all do."""
    if any(EVERYTHING.fullmatch(file) for file in changed):
        return ["tests"]
    direct = set().union(*map(nodes_of, changed))
    reached = direct.union(*map(graph()[0].find_downstream_modules, direct))
    return sorted(f"{node.replace('.', '/')}.py" for node in reached if ".test_" in node)


if __name__ == "__main__":
    sys.path[:0] = map(str, HOMES.values())
    if sys.argv[1:]:
        print(verify(sys.argv[2], Path(sys.argv[3]).read_text(encoding="utf-8")))
    elif commit := verified_commit():
        new = git("ls-files", "-o", "--exclude-standard").splitlines()
        print(*selected({*git("diff", "--name-only", commit).splitlines(), *new} - {".ci/verified"}), sep="\n")
    else:
        print("tests")
