"""README and docs are a product: their Python runs, their commands exist, their links lead somewhere."""

from __future__ import annotations

import re
import shlex
from pathlib import Path

import pytest

from command_line import good
from pages import DOCS, PAGES, REPOSITORY, blocks, shown_outputs

pytestmark = pytest.mark.stands_on("docs", "README.md", "holdem_env", "agents")

PYTHON = [
    pytest.param(code, id=f"{page.name}-{k}", marks=() if page.name == "README.md" else pytest.mark.slow)
    for page in PAGES
    for k, code in enumerate(blocks(page, "python"))
]
OUTPUTS = [
    pytest.param(*pair, id=f"{page.stem}-{k}", marks=pytest.mark.slow)
    for page in PAGES
    for k, pair in enumerate(shown_outputs(page))
]
COMMANDS = sorted(
    {
        command
        for page in PAGES
        for block in blocks(page, "")
        for line in block.splitlines()
        if (command := line.partition("#")[0].strip())
    }
)


def test_there_is_something_to_check() -> None:
    assert len(PYTHON) >= 5
    assert "holdem demo" in COMMANDS


@pytest.mark.parametrize("code", PYTHON)
def test_python_runs(code: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(REPOSITORY)
    # Compiled functions want a file to stand in; an example pasted into a shell has none, and works all the same.
    exec(compile(code, "<example>", "exec", dont_inherit=True), {"__name__": "example"})


@pytest.mark.parametrize(("code", "output"), OUTPUTS)
def test_what_is_shown_is_what_is_printed(code: str, output: str, capsys: pytest.CaptureFixture[str]) -> None:
    exec(compile(code, "<example>", "exec", dont_inherit=True), {"__name__": "example"})
    assert capsys.readouterr().out.rstrip().splitlines() == output.rstrip().splitlines()


def test_variables_exist_and_are_tried() -> None:
    """Each variable that a page names is read by code, and set by a test."""

    def text(*places: str) -> str:
        files = (file for place in places for file in (REPOSITORY / place).rglob("*.py") if file != Path(__file__))
        return "".join(file.read_text() for file in files) + (REPOSITORY / "Makefile").read_text()

    code, tests = text("holdem_env", "agents", "examples", "tests"), text("tests")
    for name in {name for page in PAGES for name in re.findall(r"HOLDEM_[A-Z_]+", page.read_text())}:
        assert name in code
        assert name in tests


@pytest.mark.parametrize("command", [command for command in COMMANDS if command.startswith("make ")])
def test_make_targets_exist(command: str) -> None:
    makefile = (REPOSITORY / "Makefile").read_text()
    assert re.search(rf"^{shlex.split(command)[1]}:", makefile, re.MULTILINE), command


@pytest.mark.slow
@pytest.mark.parametrize("command", [command for command in COMMANDS if "holdem " in command])
def test_holdem_commands_parse(command: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """The command exists, and so do the files and the options that it names."""
    testing = pytest.importorskip("typer.testing")
    commands = pytest.importorskip("holdem_agents.cli.commands")
    words = shlex.split(command.split("holdem ", 1)[1])
    if words[0] == "--load":
        assert "/" not in words[1] or (REPOSITORY / words[1]).exists(), words[1]
        words = words[2:]
    groups = {group.name for group in commands.app.registered_groups}
    is_of_group = words[0] in groups and not words[1].startswith("-")
    path = words[:2] if is_of_group else words[:1]  # `holdem data hands` has options of its own
    shown = testing.CliRunner().invoke(commands.app, [*path, "--help"], env={"COLUMNS": "200", "NO_COLOR": "1"})
    assert shown.exit_code == 0, shown.output
    for word in words[1:]:
        if word.startswith("--"):
            assert word in shown.output
        elif "/" in (file := word.split("=", 1)[-1]) and not file.startswith("runs/") and "USER/NAME" not in file:
            assert (REPOSITORY / file.partition(":")[0]).exists(), word


@pytest.mark.slow
def test_scores_in_spots(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.chdir(tmp_path)
    lines = [line for block in blocks(DOCS / "exploitability.md", "") for line in block.splitlines()]
    named = [line for line in lines if line.startswith("holdem score")]
    assert len(named) == 2
    for command in named:
        assert "spots a best response gains" in good(*shlex.split(command)[1:])


def test_the_rooms_of_contributing_are_those_that_are_there() -> None:
    rows = re.findall(r"^\| (`[a-z_/]+/`.*) \| (.*) \|$", (REPOSITORY / "CONTRIBUTING.md").read_text(), re.MULTILINE)
    rooms = [re.findall(r"`([a-z_/]+)/`", names) for names, _ in rows]
    for (room, *_), (_, contents) in zip(rooms, rows, strict=True):
        home, named = REPOSITORY / room, set(re.findall(r"`([a-z_]+(?:/|\.py))`", contents))
        if "holdem" in room:
            assert all((home / name).exists() for name in named), room
            there = {path.parent.name for path in home.glob("*/__init__.py")} - {"configs"}
            assert there == {name.removesuffix("/") for name in named if name.endswith("/")}, room
    names = {Path(name).name for row in rooms for name in row}
    assert {path.parent.name for path in (REPOSITORY / "holdem_env").glob("*/__init__.py")} <= names


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_links_lead_somewhere(page: Path) -> None:
    for target in re.findall(r"\]\(([^)#]+)(?:#[^)]*)?\)", page.read_text()):
        if "://" not in target:
            assert (page.parent / target).exists(), f"{page.name} links to {target}"
