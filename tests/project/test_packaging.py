"""What is installed is what is here, from a wheel, from a source archive and from a checkout, for Python and for the
type checkers that editors run.
"""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import tarfile
import tomllib
import venv
from importlib.util import find_spec, module_from_spec, spec_from_file_location
from pathlib import Path
from typing import Any
from zipfile import ZipFile

import pytest

from holdem_env import __version__

pytestmark = pytest.mark.stands_on("README.md", "CITATION.cff", "hatch_build.py", "docs")

REPOSITORY = Path(__file__).resolve().parent.parent.parent
PROJECT = tomllib.loads((REPOSITORY / "pyproject.toml").read_text())
# What builds the project, to be lent to an environment that should have nothing else of ours.
BUILDERS = ("hatchling", "packaging", "pathspec", "pluggy", "tomlkit", "trove_classifiers")


def run(*command: object, cwd: Path, **environment: str) -> subprocess.CompletedProcess[str]:
    """A command away from the checkout, with no path to it."""
    kept = {name: value for name, value in os.environ.items() if name not in ("PYTHONPATH", "MYPYPATH")}
    return subprocess.run(list(map(str, command)), cwd=cwd, env=kept | environment, capture_output=True, text=True)


def build(kind: str, source: Path, folder: Path) -> Path:
    """The wheel or the source archive of a source folder."""
    done = run(sys.executable, "-m", "hatchling", "build", "-t", kind, "-d", folder, cwd=source)
    assert done.returncode == 0, done.stderr
    return next(folder.glob("*.whl" if kind == "wheel" else "*.tar.gz"))


def installed(wheel: Path) -> set[str]:
    """The files that a wheel puts beside others, without those that describe it."""
    return {name for name in ZipFile(wheel).namelist() if ".dist-info/" not in name}


def files_under(root: Path, top: str) -> set[str]:
    """The files below a folder as they should be installed: all but what running them leaves behind."""
    return {
        path.relative_to(root).as_posix()
        for path in (root / top).rglob("*")
        if path.is_file() and "__pycache__" not in path.parts
    }


@pytest.fixture(scope="module")
def wheel(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return build("wheel", REPOSITORY, tmp_path_factory.mktemp("wheel"))


def test_a_wheel_has_everything_and_nothing_else(wheel: Path) -> None:
    here = files_under(REPOSITORY, "holdem_env") | files_under(REPOSITORY / "agents", "holdem_agents")
    configs = {f"holdem_agents/{name}" for name in files_under(REPOSITORY, "configs")}
    assert installed(wheel) == here | configs
    for needed in ("holdem_env/py.typed", "holdem_agents/py.typed", "holdem_agents/configs/demo.yaml"):
        assert needed in here | configs
    for name in ("ppo_100bb", "ppo_20bb", "ppo_limit", "ppo_sixmax"):  # trained agents
        assert {f"holdem_agents/shipped/{name}.safetensors", f"holdem_agents/shipped/{name}.md"} <= here
    assert "holdem_agents/configs/hu_limit.csv" in configs
    assert {Path(name).suffix for name in here} >= {".py", ".typed", ".npz", ".j2"}


def test_every_folder_of_code_is_a_package() -> None:
    """A folder without __init__.py would be installed, and be another kind of package than its neighbours."""
    for root, top in ((REPOSITORY, "holdem_env"), (REPOSITORY / "agents", "holdem_agents")):
        for name in files_under(root, top):
            assert (root / name).with_name("__init__.py").is_file(), name


def test_a_wheel_names_its_commands_agents_and_licence(wheel: Path) -> None:
    with ZipFile(wheel) as archive:
        described = {name.partition(".dist-info/")[2]: name for name in archive.namelist() if ".dist-info/" in name}
        points = archive.read(described["entry_points.txt"]).decode()
        about = archive.read(described["METADATA"]).decode()
    assert "licenses/LICENSE" in described
    for line in (
        "holdem = holdem_agents.cli:main",
        "holdem = holdem_agents.catalog:AGENTS",
        "[holdem_env.agent_catalogs]",
    ):
        assert line in points
    assert {line[16:] for line in about.splitlines() if line.startswith("Provides-Extra: ")} == {
        *PROJECT["project"]["optional-dependencies"]
    }


README = """![hand](docs/hand.gif) [a page](docs/a.md#x), [below](#below), [site](https://example.org/a.md)"""


@pytest.mark.parametrize(
    ("repository", "text"),
    [
        ("", README),
        (
            "us/ours",
            "![hand](https://raw.githubusercontent.com/us/ours/v1/docs/hand.gif) "
            "[a page](https://github.com/us/ours/blob/v1/docs/a.md#x), [below](#below), [site](https://example.org/a.md)",
        ),
    ],
)
def test_links_lead_to_the_tag_of_a_release(
    repository: str, text: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    spec = spec_from_file_location("hatch_build", REPOSITORY / "hatch_build.py")
    assert spec is not None
    assert spec.loader is not None
    module = module_from_spec(spec)
    spec.loader.exec_module(module)
    (tmp_path / "README.md").write_text(README, encoding="utf-8")
    monkeypatch.setenv("GITHUB_REPOSITORY", repository)
    monkeypatch.setenv("GITHUB_REF_NAME", "v1")
    described: dict[str, Any] = {}
    module.Links(str(tmp_path), {}).update(described)
    assert described["readme"]["text"] == text
    assert described.get("urls", {}).get("Repository") == (f"https://github.com/{repository}" if repository else None)


@pytest.mark.slow
def test_a_source_archive_makes_the_same_wheel(wheel: Path, tmp_path: Path) -> None:
    with tarfile.open(build("sdist", REPOSITORY, tmp_path)) as archive:
        archive.extractall(tmp_path / "source", filter="data")
    source = next((tmp_path / "source").iterdir())
    assert installed(build("wheel", source, tmp_path)) == installed(wheel)


def test_versions_that_were_tested_are_pinned() -> None:
    pinned = {
        line.partition("==")[0].lower().replace("_", "-")
        for line in (REPOSITORY / "constraints.txt").read_text().splitlines()
        if "==" in line and not line.startswith("#")
    }
    extras = PROJECT["project"]["optional-dependencies"]
    wanted = [*PROJECT["project"]["dependencies"]]
    wanted += [each for name in extras if name != "wandb" for each in extras[name]]
    names = {requirement.split(">")[0].split("[")[0].strip().lower().replace("_", "-") for requirement in wanted}
    assert names - {"holdem-env"} <= pinned


CODE_OF_A_USER = """
from holdem_env import Rules
from holdem_agents.scripted import Maniac

reveal_type(Rules())
reveal_type(Maniac())
Rules(seats="six")
"""
RUN_OF_A_USER = """
from importlib.resources import files
import holdem_agents.configs, holdem_env
print(holdem_env.__file__, (files("holdem_agents.configs") / "demo.yaml").is_file())
"""


def environment_with(folder: Path, *what: object) -> Path:
    """An environment with nothing but what pip installs of these arguments; returns its Python."""
    venv.create(folder / "venv", with_pip=False)
    python = folder / "venv" / ("Scripts" if os.name == "nt" else "bin") / "python"
    for name in BUILDERS:
        found = find_spec(name)
        assert found, f"{name} is not installed"
        shutil.copytree(found.submodule_search_locations[0], folder / "builders" / name)
    pip = [sys.executable, "-m", "pip", "--python", python, "install"]
    pip += ["--no-index", "--no-deps", "--no-build-isolation"]
    done = run(*pip, *what, cwd=folder, PYTHONPATH=str(folder / "builders"))
    assert done.returncode == 0, done.stderr
    return python


def lend_packages(python: Path) -> None:
    """Let an environment import what is installed here, after its own packages."""
    own = run(python, "-c", "import sysconfig; print(sysconfig.get_path('purelib'))", cwd=python.parent).stdout.strip()
    Path(own, "zz_lent.pth").write_text("\n".join(path for path in sys.path if path.endswith("site-packages")))


@pytest.mark.slow
@pytest.mark.parametrize("kind", ["wheel", "sdist"])
def test_what_is_built_works_away_from_the_clone(kind: str, wheel: Path, tmp_path: Path) -> None:
    """Installed into an empty environment, to which only the packages of others are lent."""
    python = environment_with(tmp_path, wheel if kind == "wheel" else build("sdist", REPOSITORY, tmp_path))
    lend_packages(python)
    elsewhere = tmp_path / "elsewhere"
    elsewhere.mkdir()
    home, has_configurations = run(python, "-c", RUN_OF_A_USER, cwd=elsewhere).stdout.split()
    assert Path(home).is_relative_to(tmp_path / "venv")
    assert has_configurations == "True"
    if kind == "wheel":
        match = python.with_name("holdem"), "match", "random", "calling_station", "--hands", "20"
        played = run(*match, cwd=elsewhere)  # compiles the engine
        assert played.returncode == 0, played.stderr
        assert "calling_station" in played.stdout


@pytest.mark.slow
def test_an_editable_installation_has_types_elsewhere(tmp_path: Path) -> None:
    """After `pip install -e .`, mypy run in another folder knows our types; up to 120 s."""
    python = environment_with(tmp_path, "-e", REPOSITORY)
    lend_packages(python)
    elsewhere = tmp_path / "elsewhere"
    elsewhere.mkdir()
    assert run(python, "-c", RUN_OF_A_USER, cwd=elsewhere).stdout.split() == [
        str(REPOSITORY / "holdem_env" / "__init__.py"),
        "True",
    ]
    (elsewhere / "code.py").write_text(CODE_OF_A_USER)
    mypy = [sys.executable, "-m", "mypy", "--python-executable", python, "--cache-dir", tmp_path / "cache", "code.py"]
    said = run(*mypy, cwd=elsewhere).stdout
    assert 'code.py:5: note: Revealed type is "holdem_env.game.rules.Rules"' in said
    assert 'code.py:6: note: Revealed type is "holdem_agents.scripted.maniac.Maniac"' in said
    assert 'code.py:7: error: Argument "seats" to "Rules" has incompatible type "str"; expected "int"' in said
    assert "Found 1 error in 1 file" in said


def test_the_citation_is_of_this_version() -> None:
    lines = (REPOSITORY / "CITATION.cff").read_text(encoding="utf-8").splitlines()
    assert f"version: {__version__}" in lines
    assert f"license: {PROJECT['project']['license']}" in lines


def test_the_oldest_versions_are_the_lower_bounds() -> None:
    lines = (REPOSITORY / "constraints-oldest.txt").read_text().splitlines()
    pinned = dict(line.split("==") for line in lines if "==" in line)
    bounds = dict(requirement.partition(",")[0].split(">=") for requirement in PROJECT["project"]["dependencies"])
    assert pinned.keys() == bounds.keys()
    for name, bound in bounds.items():
        assert pinned[name] in (bound, f"{bound}.0"), name
