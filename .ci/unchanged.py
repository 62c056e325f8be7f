"""Which long tests may be left out: those that stand on nothing that has changed since they last passed.

`unchanged.py slow` prints the test files of a target that must run, `unchanged.py slow --passed` writes that they have
passed, into passed.txt, which is committed. `unchanged.py slow --why FILE` prints what a test file stands on.

A test file stands on itself, on what it imports, on the files and modules that strings name in whatever it reaches, on
what REACHES says of it, and on the versions of packages.
"""

from __future__ import annotations

import ast
import json
import re
import sys
import tomllib
from collections.abc import Iterable, Iterator
from functools import cache
from hashlib import sha256
from pathlib import Path
from textwrap import dedent

ROOT = Path(__file__).resolve().parent.parent
PASSED = Path(__file__).with_name("passed.txt")

SOURCES = {"": ("holdem_env", "benchmarks"), "agents": ("holdem_agents",), "tests": ("",)}
"""Where imports begin, and the packages there; tests/ is on the path of the tests."""
COMMANDS = "agents/holdem_agents/cli/commands.py"
"""It imports every command. A test stands on those whose names are among its strings."""
CATALOG = "holdem_agents.catalog"
"""It names every agent. Whatever makes agents by name stands on those whose names are among the strings."""
MAKES_AGENTS = ("holdem_env/agents/names.py", "holdem_env/agents/registry.py")
ENTRY_POINTS = {"holdem_env.agent_loaders": ".{}", "holdem_env.measures": "{}"}
"""Groups of entry points, and what a string has that makes a test stand on one: a suffix, a name."""
REGISTERED = "holdem_env/envs/registration.py"
"""It names the modules of Gymnasium's environments. A test stands on them if a string of it has `holdem_env/`."""
NAMED = ("configs", "docs", "examples", "notebooks", "tests/data", "tests/golden")
"""Folders whose files count where a string has their name; configurations without their suffix, too."""

LIBRARY = ("holdem_env/**/*", "agents/holdem_agents/**/*", "configs/**/*")
COMPILED = tuple(f"holdem_env/{room}/**/*" for room in ("cards", "compiled", "encoders", "engine", "game"))
ENGINE_TESTS = tuple(f"tests/{room}/*.py" for room in ("rules", "encoders", "engine"))  # of Makefile's COMPILED_TESTS
PACKAGED = ("configs/**/*", "agents/holdem_agents/configs/*", *(f"{top}/**/*[!y]" for top in ("holdem_env", "agents")))
"""Configurations and all else that is installed and is no Python."""
ALL_PAGES = ("*.md", "docs/**/*.md")

REACHES: dict[str, tuple[str, ...]] = {
    "tests/cards/test_evaluate.py": ("holdem_env/cards/*.py",),
    "tests/docs/test_docs.py": (*ALL_PAGES, *LIBRARY, "docs/examples/*", "Makefile"),
    "tests/docs/test_notebooks.py": ("notebooks/*.ipynb", *LIBRARY),
    "tests/docs/test_other_libraries.py": ("docs/examples/*", "holdem_env/envs/*.py"),
    "tests/docs/test_own_network.py": ("docs/own_network.md", "agents/holdem_agents/**/*"),
    "tests/docs/test_references.py": (*ALL_PAGES, *LIBRARY),
    "tests/docs/test_rulebook.py": (*ALL_PAGES, *LIBRARY, "tests/**/*.py"),
    "tests/docs/test_site.py": (*ALL_PAGES, *LIBRARY, "docs/**/*"),
    "tests/encoders/test_modes.py": (*COMPILED, *ENGINE_TESTS),
    "tests/engine/test_cache_guard.py": COMPILED,
    "tests/engine/test_compiler_door.py": (*LIBRARY, "benchmarks/*.py"),
    "tests/engine/test_compiling_ahead.py": COMPILED,
    "tests/engine/test_plain_python.py": COMPILED,
    "tests/engine/test_tricks.py": (*COMPILED, *ENGINE_TESTS, "tests/golden/*"),
    **{
        f"tests/integrations/test_{name}.py": (f"integrations/{name}/*.*", f"integrations/{name}/server/*")
        for name in ("verifiers", "openenv", "trl")
    },
    "tests/mutation/__main__.py": (*COMPILED, *ENGINE_TESTS),
    "tests/mutation/running.py": (*COMPILED, *ENGINE_TESTS),
    "tests/mutation/test_mutants.py": (*COMPILED, *ENGINE_TESTS, "tests/*/*.py", "tests/mutation/*"),
    "tests/pages.py": ("README.md", "CONTRIBUTING.md"),
    "tests/project/test_benchmarks.py": ("benchmarks/*.py",),
    "tests/project/test_imports.py": LIBRARY,
    "tests/project/test_packaging.py": (
        *LIBRARY,
        "CITATION.cff",
        "hatch_build.py",
        "pyproject.toml",
        "constraints*.txt",
        "tests/**/*",
        "README.md",
    ),
}
"""By file in tests/, patterns: what its processes, loaders and folders reach that no import and no string names."""
BY_STRINGS = (
    *(f"tests/agents/test_{name}.py" for name in ("cli", "extras", "interrupts", "kills", "ranks", "shipped")),
    "tests/arena/isolation/test_isolated_agent.py",
    "tests/arena/isolation/test_limits.py",
    "tests/arena/test_cheats.py",
    "tests/cards/test_cards.py",
    "tests/docs/test_pictures.py",
    "tests/docs/test_single_file.py",
    "tests/encoders/test_plug_in.py",
    "tests/engine/test_import.py",
    "tests/engine/test_invariants.py",
    *(f"tests/envs/test_{name}.py" for name in ("open_spiel", "registration", "sb3")),
    "tests/equity/test_strength.py",
    "tests/protocols/programs.py",
    *(
        f"tests/protocols/test_{name}.py"
        for name in ("acpc_agent", "acpc_serve", "examples", "program_agent", "programs")
    ),
    *(f"tests/render/test_{name}.py" for name in ("pixels", "table_svg")),
    *(f"tests/sweeps/test_{name}.py" for name in ("search", "sweeping")),
    *(f"tests/table/test_{name}.py" for name in ("damaged_states", "fork", "saving")),
    *(f"tests/utils/test_{name}.py" for name in ("hooks", "on_ray", "runner")),
    *(f"tests/web/test_{name}.py" for name in ("remote_bots", "serving")),
)
"""Files in tests/ whose processes run what is in their strings: code, or modules and files by name."""
SIGNS = re.compile(
    r"\bsys\.executable\b|\bPopen\(|\bimport_module\(|spec_from_file_location|\bexec\(|\bPAGES\b"
    r"|\b(?:REPOSITORY|DOCS|TESTS|HERE|PROJECT|PACKAGE)\b.*(?:glob|iterdir)\("
)
"""What nobody can follow without REACHES or BY_STRINGS."""

TARGETS: dict[str, tuple[str, str, tuple[str, ...]]] = {
    "slow": ("tests/**/test_*.py", r"mark\.slow|fast_cases|hypothesis", ()),
    "modes": (
        "tests/**/test_*.py",
        r"mark\.modes",
        ("holdem_env/equities/*.npz", "holdem_env/solvers/card_tables/*.npz"),
    ),
    "oldest": (
        "tests/rules/test_*.py",
        "",
        (*COMPILED, *ENGINE_TESTS, "constraints-oldest.txt", "tests/differential/*pokerkit*.py"),
    ),
    "shelf": ("tests/docs/test_other_libraries.py", "", ("constraints-shelf.txt",)),
    **{name: (f"tests/integrations/test_{name}.py", "", ()) for name in ("verifiers", "openenv", "trl")},
    "wheel": (
        ".ci/wheel.py",
        "",
        (".ci/first_hands.py", "hatch_build.py", "pyproject.toml", "README.md", "LICENSE", *PACKAGED),
    ),
}
"""By target of make: its test files by pattern and by a word in them, and what all of them stand on."""


# What a file leads to


@cache
def _modules() -> dict[str, str]:
    """The file of each module."""
    found = {}
    for folder, packages in SOURCES.items():
        top = ROOT / folder
        for path in (path for package in packages for path in sorted((top / package).rglob("*.py"))):
            words = path.relative_to(top).with_suffix("").parts
            found[".".join(words[:-1] if words[-1] == "__init__" else words)] = _name(path)
    return found


@cache
def _named_files() -> dict[str, list[str]]:
    """The files that strings may name, by name."""
    found: dict[str, list[str]] = {}
    for path in (path for folder in NAMED for path in sorted((ROOT / folder).rglob("*")) if path.is_file()):
        for name in {path.name, path.stem if path.suffix == ".yaml" else path.name}:
            found.setdefault(name, []).append(_name(path))
    return found


@cache
def _commands() -> dict[str, str]:
    """The file of each command that commands.py imports, by the command's name."""
    tree = ast.parse((ROOT / COMMANDS).read_text(encoding="utf-8"))
    imports = [node for node in tree.body if isinstance(node, ast.ImportFrom) and node.level == 1]
    homes = {
        alias.name: f"{Path(COMMANDS).parent.as_posix()}/{node.module}.py" for node in imports for alias in node.names
    }
    found = {}
    for call in (node.value for node in tree.body if isinstance(node, ast.Expr) and isinstance(node.value, ast.Call)):
        if isinstance(call.func, ast.Call):  # app.command("name", ...)(function)
            found[ast.literal_eval(call.func.args[0])] = homes[ast.unparse(call.args[0])]
        elif ast.unparse(call.func) == "app.add_typer":  # app.add_typer(other, name="name")
            found[ast.literal_eval(call.keywords[0].value)] = homes[ast.unparse(call.args[0])]
    return found


def _name(path: Path) -> str:
    return path.relative_to(ROOT).as_posix()


def _imports(tree: ast.AST, package: str, own: str = "") -> Iterator[str]:
    """The modules that code in a package imports, but for those that are only for types. own: the package, if the code
    is its `__init__.py`, whose exports do not count."""
    for node in ast.iter_child_nodes(tree):
        if isinstance(node, ast.If) and "TYPE_CHECKING" in ast.dump(node.test):
            continue
        if isinstance(node, ast.Import):
            for alias in node.names:
                yield alias.name
                yield from _exports(alias.name).values()
        elif isinstance(node, ast.ImportFrom):
            words = package.split(".")
            base = words[: len(words) - node.level + 1] if node.level else []
            home = ".".join([*base, *filter(None, [node.module])])
            for alias in node.names:
                if not own or (alias.asname or alias.name) not in _exports(own):
                    yield home
                    yield from _resolved(home, alias.name)
        yield from _imports(node, package, own)


def _resolved(home: str, name: str) -> Iterator[str]:
    """The modules of a name that a module or package has, through all that only hand it on."""
    if name == "*":
        yield from _exports(home).values()
    elif name in _exports(home):
        module, _, last = _exports(home)[name].rpartition(".")
        yield from (_exports(home)[name], module)
        if module != home:
            yield from _resolved(module, last)
    else:
        yield f"{home}.{name}"


@cache
def _exports(package: str) -> dict[str, str]:
    """The names that a package only hands on, and their modules: by imports of `__init__.py` that it does not use, or
    by a table of what is imported when it is used. That all of a package can be imported, the fast tests see."""
    file = _modules().get(package, "")
    if not file.endswith("__init__.py"):
        return {}
    tree = ast.parse((ROOT / file).read_text(encoding="utf-8"))
    found: dict[str, str] = {}
    used = {node.id for node in ast.walk(tree) if isinstance(node, ast.Name)}
    for node in tree.body:
        if isinstance(node, ast.ImportFrom) and node.level == 1:
            home = ".".join(filter(None, [package, node.module]))
            names = {alias.asname or alias.name: alias.name for alias in node.names}
            found |= {name: f"{home}.{real}" for name, real in names.items() if name not in used}
    if "__getattr__" in (ROOT / file).read_text(encoding="utf-8"):
        tables = [node for node in ast.walk(tree) if isinstance(node, ast.Dict)]
        for name, module in (pair for table in tables for pair in zip(table.keys, table.values, strict=True)):
            if isinstance(name, ast.Constant) and isinstance(module, ast.Constant):
                found[name.value] = f"{package}.{module.value}"
    return found


def _package(name: str) -> str:
    """The package that a file is in, or is."""
    top = next(folder for folder in sorted(SOURCES, reverse=True) if name.startswith(f"{folder}/" if folder else ""))
    return ".".join(Path(name).relative_to(top).parent.parts)


@cache
def _links(name: str) -> tuple[frozenset[str], frozenset[str]]:
    """The files that a file leads to, and its strings."""
    if not name.endswith(".py"):
        return frozenset(), frozenset()
    text = (ROOT / name).read_text(encoding="utf-8")
    tree = ast.parse(text)
    strings = {node.value for node in ast.walk(tree) if isinstance(node, ast.Constant) and isinstance(node.value, str)}
    package = _package(name)
    modules = {package, *_imports(tree, package, package if name.endswith("__init__.py") else "")}
    if name != REGISTERED:
        modules |= _modules_in(strings, bare=name.startswith("tests/") or "import_module(" in text)
    found = {file for module in modules for file in _with_packages(module)}
    return frozenset({*found, *_data_in((ROOT / name).parent)} - {name}), frozenset(strings)


@cache
def _data_in(folder: Path) -> frozenset[str]:
    """The data of a package: what in its folder is no Python, with the folders in it that have no modules."""
    here = [each for each in folder.iterdir() if each.name != "__pycache__"]
    data = {_name(each) for each in here if each.is_file() and each.suffix != ".py" and each != PASSED}
    folders = [each for each in here if each.is_dir() and not any(each.rglob("[!_]*.py"))]
    return frozenset(data.union(*map(_data_in, folders)))


def _modules_in(strings: Iterable[str], *, bare: bool) -> set[str]:
    """The modules that strings name, as "module:name" or bare, and those that they import as code."""
    named = {string.partition(":")[0] for string in strings if bare or re.fullmatch(r"[\w.]+:\w+", string)}
    return named.union(*map(_imports_in, strings))


def _imports_in(string: str) -> Iterator[str]:
    """The modules that a string imports, if it is code or part of some."""
    if "import " in string:
        try:
            yield from _imports(ast.parse(dedent(string)), "")
        except SyntaxError:
            yield from re.findall(r"\b(?:from|import) ([\w.]+)", string)


def _with_packages(module: str) -> Iterator[str]:
    """The file of a module, and of the packages around it."""
    words = module.split(".")
    yield from (_modules()[each] for k in range(len(words)) if (each := ".".join(words[: k + 1])) in _modules())


# What a test file stands on


def stands_on(test: str) -> set[str]:
    """The files that a test file stands on."""
    begin = {test, *_conftests(test)}
    found, strings = _closure(begin, skipped=set(_commands().values()))
    words = {word for string in strings for word in re.findall(r"[\w.-]+", string)}
    more = {file for word in words for file in _named_files().get(word, ())}
    if COMMANDS in found:
        called = {file for word, file in _commands().items() if word in words}
        more |= called or set(_commands().values())
    if any("holdem_env/" in string for string in strings):
        more |= {file for module in _modules_in(_links(REGISTERED)[1], bare=False) for file in _with_packages(module)}
    if not found.isdisjoint(MAKES_AGENTS):
        agents = _agents()
        more |= {file for word in words & agents.keys() for file in _with_packages(agents[word])}
        more |= set(_with_packages(CATALOG))
        anywhere = strings.union(*(_links(name)[1] for name in found.difference(MAKES_AGENTS)))
        for sign, module in _entry_points():
            if any(sign in string for string in anywhere):
                more |= set(_with_packages(module))
    return _closure(begin | more, skipped=set(_commands().values()) - more)[0]


@cache
def _agents() -> dict[str, str]:
    """The module of each agent of the catalog."""
    tree = ast.parse((ROOT / _modules()[CATALOG]).read_text(encoding="utf-8"))
    names: dict[str, object] = {}
    exec(compile(tree, CATALOG, "exec"), names)
    return {name: module.partition(":")[0] for name, (_, module) in names["AGENTS"].items()}  # type: ignore[attr-defined]


@cache
def _entry_points() -> list[tuple[str, str]]:
    """What a string has, and the module that is then loaded."""
    groups = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]["entry-points"]
    return [
        (sign.format(name), module.partition(":")[0])
        for group, sign in ENTRY_POINTS.items()
        for name, module in groups[group].items()
    ]


def _conftests(test: str) -> Iterator[str]:
    folders = [ROOT / test, *(ROOT / test).parents]
    yield from (
        _name(path) for folder in folders if ROOT in folder.parents and (path := folder.parent / "conftest.py").exists()
    )


def _closure(begin: set[str], skipped: set[str]) -> tuple[set[str], set[str]]:
    """All files that some files lead to, and the strings of those outside of the library."""
    found: set[str] = set()
    reached: set[str] = set()  # apart, as what is reached and linked, too, is followed whichever comes first
    strings: set[str] = set()
    ahead = set(begin)
    while ahead:
        name = ahead.pop()
        found.add(name)
        links, texts = _links(name)
        if name == _modules()[CATALOG]:  # by names alone
            continue
        if name.startswith("tests/"):
            strings |= texts
        for pattern in REACHES.get(name, ()):
            reached |= _matching(pattern)
        ahead |= links - found - (skipped if name == COMMANDS else set())
    return found | reached, strings


def _matching(pattern: str) -> set[str]:
    """The files that match a pattern, without those that running the others leaves behind."""
    return {_name(path) for path in ROOT.glob(pattern) if path.is_file() and "__pycache__" not in path.parts}


# Digests


def files_of(target: str) -> list[str]:
    """The test files of a target."""
    pattern, word, _ = TARGETS[target]
    return sorted(_name(path) for path in ROOT.glob(pattern) if re.search(word, path.read_text(encoding="utf-8")))


def digest(target: str, test: str) -> str:
    """Of the content of all that a test file stands on."""
    more = {name for pattern in TARGETS[target][2] for name in _matching(pattern)}
    found = sha256(f"{_packages()}\0".encode())
    for name in sorted(stands_on(test) | more):
        found.update(f"{name}\0{_content(name)}\0".encode())
    return found.hexdigest()[:16]


@cache
def _content(name: str) -> str:
    return sha256((ROOT / name).read_bytes()).hexdigest()


@cache
def _packages() -> str:
    """What of pyproject.toml and the pinned versions every test stands on."""
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
    parts = [project["project"], project["tool"]["pytest"], (ROOT / "constraints.txt").read_text(encoding="utf-8")]
    return json.dumps(parts, sort_keys=True)


def main() -> None:
    """See the first lines of this file."""
    target, *options = sys.argv[1:]
    if options[:1] == ["--why"]:
        print(*sorted(stands_on(options[1])), sep="\n")
        return
    lines = PASSED.read_text(encoding="utf-8").splitlines() if PASSED.exists() else []
    passed = {(name, test): value for name, test, value in map(str.split, lines)}
    now = {(target, test): digest(target, test) for test in files_of(target)}
    if options == ["--passed"]:
        kept = {key: value for key, value in passed.items() if key[0] != target} | now
        PASSED.write_text("".join(f"{each} {test} {value}\n" for (each, test), value in sorted(kept.items())))
    else:
        print(*(test for (_, test), value in now.items() if passed.get((target, test)) != value), sep="\n")


if __name__ == "__main__":
    main()
