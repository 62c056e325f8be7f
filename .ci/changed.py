"""Test files that stand on what has changed since everything passed, at the commit that `.ci/verified` names.

`changed.py` prints them, or `tests` for all. `.ci/run --all` calls `changed.py --begin`, which prints the commit if the
tree has no changes, and in the end `changed.py --verify COMMIT SKIPPED`, which writes `.ci/verified` or says why not.

grimp knows which modules stand on a changed one. A test file stands on the modules that it and its helpers import or
name, on other files whose name or folder they quote, and on the paths of its `pytestmark = stands_on(...)`.
"""

import platform
import re
import subprocess
import sys
import tomllib
from datetime import date
from functools import cache
from importlib import import_module
from pathlib import Path

import grimp

ROOT = Path(__file__).resolve().parent.parent
VERIFIED = ROOT / ".ci" / "verified"
HOMES = {"holdem_env": ROOT, "holdem_agents": ROOT / "agents"}
EVERYTHING = re.compile(r"constraints.*\.txt|pyproject\.toml|Makefile|\.ci/.*|tests/conftest\.py")
MODULE = r"holdem_(?:env|agents)(?:\.\w+)+"
IMPORT = re.compile(r"\b(?:from\s+([\w.]+)\s+)?import\s+(\([^)]*\)|[^\n;\\]*)")
PYTHON = "{}.{}".format(*sys.version_info)


def git(*words: str) -> str:
    return subprocess.run(["git", *words], cwd=ROOT, check=True, capture_output=True, text=True).stdout


def begin() -> str:
    """The commit that is checked out; nothing if files differ from it."""
    return "" if git("status", "--porcelain", "--", ".", ":!.ci/verified") else git("rev-parse", "HEAD").strip()


def verify(commit: str, skipped: str) -> str:
    """Write the line, or say why not."""
    if not commit or commit != begin():
        return "not verified: the tree had changes before, or while, the tests ran"
    if skipped:
        return "not verified: this machine should not skip\n" + "".join(sorted(set(skipped.splitlines(keepends=True))))
    VERIFIED.write_text(f"{commit} {date.today()} {platform.machine()} Python {PYTHON}\n", encoding="utf-8")
    return f"verified: {commit}"


def verified_commit() -> str | None:
    """The commit in `.ci/verified`; None if that was another Python, or git does not know it."""
    commit, *_, python = VERIFIED.read_text(encoding="utf-8").split() if VERIFIED.exists() else ("", "")
    known = subprocess.run(["git", "cat-file", "-e", f"{commit}^{{commit}}"], cwd=ROOT, capture_output=True)
    return commit if python == PYTHON and known.returncode == 0 else None


@cache
def text_of(path: Path) -> str:
    return path.read_text(encoding="utf-8") if path.suffix in {".py", ".toml"} else ""


@cache
def modules_by_path() -> dict[Path, str]:
    found = {HOMES[name.partition(".")[0]] / name.replace(".", "/"): name for name in graph().modules}
    return {path / "__init__.py" if path.is_dir() else path.with_suffix(".py"): name for path, name in found.items()}


@cache
def graph() -> grimp.ImportGraph:
    return grimp.build_graph(*HOMES, cache_dir=None)


def add_named_imports() -> None:
    """To the graph, the modules that strings name: lazy names, entry points, the catalog."""
    groups = tomllib.loads(text_of(ROOT / "pyproject.toml"))["project"]["entry-points"]
    for path, module in modules_by_path().items():
        text = text_of(path)
        quoted = re.findall(rf"""["']({MODULE})(:\w+)?["']""", text)
        named = {name for name, attribute in quoted if attribute or "import_module" in text}
        named |= {f"{module}.{word}" for word in re.findall(r'"([\w.]+)"', text) if "__getattr__" in text}
        for points in (points for group, points in groups.items() if f'"{group}"' in text):
            named |= {point.partition(":")[0] for point in points.values()}
        for name in (named & graph().modules) - {module}:
            graph().add_import(importer=module, imported=name)


def modules_of(path: Path) -> set[str]:
    """A file's module; of data in the library, and of a file that is gone, all modules of the package around it."""
    if path in modules_by_path() or not any(home / package in path.parents for package, home in HOMES.items()):
        return {name for each, name in modules_by_path().items() if each == path}
    siblings = ({name for each, name in modules_by_path().items() if each.parent == around} for around in path.parents)
    return next(names for names in siblings if len(names) > 1)


@cache
def home_of(package: str, name: str) -> str:
    """The module that has what a test imports from a package."""
    try:
        return str(getattr(getattr(import_module(package), name), "__module__", f"{package}.{name}"))
    except (ImportError, AttributeError):
        return f"{package}.{name}"


def with_helpers(test: Path) -> set[Path]:
    """A test file, the conftest.py beside it, and the files of tests/ that they import."""
    found, ahead = set(), {test, *({test.parent / "conftest.py"} - {ROOT / "tests" / "conftest.py"})}
    while ahead:
        found.add(path := ahead.pop())
        for base, names in IMPORT.findall(text_of(path) if path.exists() else ""):
            modules = {base, *(f"{base}.{name}".strip(".") for name in re.findall(r"[\w.]+", names))}
            ahead |= {
                each for name in modules if (each := ROOT / "tests" / f"{name.replace('.', '/')}.py").exists()
            } - found
    return {path for path in found if path.exists()}


def is_reached(test: Path, changed: set[Path], modules: set[str]) -> bool:
    """Whether a test file stands on a changed file, or on a module that does."""
    files = with_helpers(test)
    text = "\n".join(map(text_of, files))
    stands_on = re.findall(r'"([^"]+)"', " ".join(re.findall(r"stands_on\(([^)]*)\)", text)))
    for path in changed:
        words = "|".join(map(re.escape, {path.name, path.stem, path.parent.name} - {"tests"}))
        is_quoted = re.search(rf"""["'/]({words})["'/.]""", text) and not modules_of(path)
        if path in files or is_quoted or any((ROOT / each) in (path, *path.parents) for each in stands_on):
            return True
    imports = [(base, name) for base, names in IMPORT.findall(text) if base in HOMES or re.fullmatch(MODULE, base)
               for name in re.findall(r"\w+", names)]  # fmt: skip
    return not modules.isdisjoint({*re.findall(MODULE, text), *(home_of(*each) for each in imports)})


def selected(changed: set[str]) -> list[str]:
    """The test files that stand on changed files; `tests` if all do."""
    if any(EVERYTHING.fullmatch(file) for file in changed):
        return ["tests"]
    add_named_imports()
    paths = {ROOT / file for file in changed}
    direct = {module for path in paths for module in modules_of(path)}
    modules = direct.union(*(graph().find_downstream_modules(module) for module in direct))
    tests = sorted(ROOT.glob("tests/**/test_*.py"))
    return [test.relative_to(ROOT).as_posix() for test in tests if is_reached(test, paths, modules)]


def main(option: str = "", *words: str) -> None:
    sys.path[:0] = map(str, HOMES.values())
    if option:
        print(begin() if option == "--begin" else verify(words[0], Path(words[1]).read_text(encoding="utf-8")))
    elif commit := verified_commit():
        new = git("ls-files", "-o", "--exclude-standard").splitlines()
        print(*selected({*git("diff", "--name-only", commit).splitlines(), *new} - {".ci/verified"}), sep="\n")
    else:
        print("tests")


if __name__ == "__main__":
    main(*sys.argv[1:])
