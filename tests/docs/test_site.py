"""The site that `make docs` builds: what is generated is up to date, nothing public is left out, a first hour works."""

from __future__ import annotations

import importlib
import pkgutil
import re
import shlex
import tomllib
from pathlib import Path
from types import ModuleType

import pytest

from holdem_env import Rules
from pages import DOCS, REPOSITORY, blocks, example

pytestmark = pytest.mark.stands_on("docs", "README.md", "holdem_env", "agents")

REFERENCE = "\n".join(page.read_text() for page in (DOCS / "api").glob("*.md"))


def script(name: str) -> ModuleType:
    """A script of docs/, which is not a package."""
    return example(f"../{name}")


@pytest.mark.parametrize("page", sorted((DOCS / "games").glob("*.md")), ids=lambda page: page.stem)
def test_tables_of_games_are_those_of_today(page: Path) -> None:
    text = page.read_text()
    assert script("make_games").renewed(text) == text, "rewrite them: python docs/make_games.py"


def test_every_preset_is_on_one_page() -> None:
    presets_on = script("make_games").presets_on
    names = [name for page in (DOCS / "games").glob("*.md") for name in presets_on(page.read_text())]
    assert sorted(names) == sorted(Rules.presets()), "each preset needs `<!-- game: NAME -->` on one page of docs/games"


@pytest.mark.parametrize("preset", Rules.presets())
def test_the_fields_of_a_page_make_its_game(preset: str) -> None:
    code = script("make_games").rules_code([preset]).removeprefix("```py\n").removesuffix("```")
    assert eval(code.strip(), {"Rules": Rules}) == Rules.preset(preset)


def test_the_picture_of_the_rooms_is_that_of_today() -> None:
    drawing = script("draw_rooms")
    assert drawing.PICTURE.read_text() == drawing.drawn(), "redraw it: python docs/draw_rooms.py"


def test_the_picture_shows_the_rows_that_lint_imports_holds_the_code_to() -> None:
    project = tomllib.loads((REPOSITORY / "pyproject.toml").read_text())
    contracts = project["tool"]["importlinter"]["contracts"]
    (layers,) = (each["layers"] for each in contracts if each.get("containers") == ["holdem_env"])
    rows = [{name for name, _ in row} - {"holdem_agents"} for row in script("draw_rooms").LAYERS]
    assert rows == [set(layer.split(" | ")) for layer in layers[1:]]  # the first are short names for users


@pytest.mark.parametrize(
    "module",
    [
        *("holdem_env", "holdem_env.encoders", "holdem_env.history", "holdem_env.arena", "holdem_env.testing"),
        "holdem_env.protocols.acpc",
    ],
)
def test_every_public_name_is_in_the_reference(module: str) -> None:
    for name in importlib.import_module(module).__all__:
        pattern = rf"^\.\. auto\w+:: {re.escape(module)}\.{name}\b"
        assert re.search(pattern, REFERENCE, re.MULTILINE), f"{module}.{name} is on no page of docs/api"


def test_what_the_reference_names_is_there() -> None:
    for name in re.findall(r"^\.\. auto\w+:: ([\w.]+)$", REFERENCE, re.MULTILINE):
        assert pkgutil.resolve_name(name) is not None, name


SHORTER = [
    (r"--seconds \d+", "--seconds 1"),
    (r"--hands \d+", "--hands 200"),
    (r"^holdem exploit .*", r"\g<0> --hands 200"),
    (r"^holdem train .*", r"\g<0> --set evaluation.hands=400"),
]


@pytest.mark.slow
def test_the_commands_of_a_first_hour_work(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """In the order of the page, with less training and fewer hands."""
    app = pytest.importorskip("holdem_agents.cli.commands").app
    page = DOCS / "first_hour.md"
    monkeypatch.chdir(tmp_path)
    (tournament,) = blocks(page, "yaml")
    (tmp_path / "first.yaml").write_text(re.sub(r"hands: \d+", "hands: 200", tournament))
    (bot,) = [code for code in blocks(page, "python") if code.startswith("# mybot.py")]
    (tmp_path / "mybot.py").write_text(bot)
    commands = [line for block in blocks(page, "") for line in block.splitlines() if line.startswith("holdem ")]
    assert len(commands) >= 8
    for command in commands:
        for pattern, shorter in SHORTER:
            command = re.sub(pattern, shorter, command)
        result = pytest.importorskip("typer.testing").CliRunner().invoke(app, shlex.split(command)[1:], input="q\n")
        assert result.exit_code == 0, f"{command}\n{result.output}"
    assert (tmp_path / "first-report" / "report.html").is_file()
