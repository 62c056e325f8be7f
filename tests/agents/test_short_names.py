"""Short names of agents that are given by their files."""

from __future__ import annotations

import json

import pytest

from command_line import holdem
from holdem_agents.cli.tournament_commands import read_standings
from holdem_env.agents.short_names import short_names

ENVIRONMENT = {"COLUMNS": "200"}


@pytest.mark.parametrize(
    ("names", "short"),
    [
        (["nit", "/home/me/mybot.py"], ["nit", "mybot"]),
        (["runs/a/final.zip", "runs/b/final.zip"], ["a/final", "b/final"]),
        (["x/runs/a/final.zip", "y/runs/a/final.zip", "c/mine.json"], ["x/runs/a/final", "y/runs/a/final", "mine"]),
        (["a/maniac.py", "maniac"], ["a/maniac", "maniac"]),
        (["maniac.py", "maniac"], ["maniac.py", "maniac"]),
        (["/maniac.py", "maniac.py", "b/maniac.zip"], ["/maniac.py", "maniac.py", "b/maniac"]),
        (["tight/loose", "v1.2", "my.bot", ".py"], ["tight/loose", "v1.2", "my.bot", ".py"]),
        (["a/net.zip", "a/net.zip"], ["net"]),
        (["runs/first/final.safetensors", "nit"], ["first", "nit"]),
        (["runs/nit/final.safetensors", "nit"], ["runs/nit", "nit"]),
        (["a/x/final.safetensors", "b/x/final.safetensors"], ["a/x", "b/x"]),
        (["nit/final.safetensors", "nit"], ["nit/final.safetensors", "nit"]),
        (["final.safetensors", "/final.safetensors"], ["final.safetensors", "/final.safetensors"]),
    ],
)
def test_as_short_as_is_unambiguous(names, short):
    assert list(short_names(names).values()) == short


@pytest.fixture
def files(tmp_path):
    """Two agents whose files have the same name."""
    made = []
    for folder, move in (("a", 0), ("b", -1)):
        (tmp_path / "long" / folder).mkdir(parents=True)
        made.append(tmp_path / "long" / folder / "final.py")
        made[-1].write_text(
            "import numpy as np\nfrom holdem_env.agents import Agent\n\nclass Mine(Agent):\n"
            f"    name = {str(made[-1])!r}\n\n"
            f"    def act(self, tables, rules, rows):\n        return np.full(len(rows), {move})\n"
        )
    return made


@pytest.mark.fast_cases(1)
@pytest.mark.parametrize("more", [[], ["--estimators"]])
def test_a_match_names_files_shortly(files, tmp_path, more):
    command = ["match", *map(str, files), "--hands", "200", *more]
    result = holdem(*command, env=ENVIRONMENT)
    assert result.exit_code == 0, result.output
    assert str(tmp_path) not in result.stdout
    assert result.stdout.startswith("a/final, raw: " if more else "a/final against b/final: ")


def test_files_without_names_of_their_own_are_told_apart(files, tmp_path):
    for file in files:
        file.write_text("\n".join(line for line in file.read_text().splitlines() if "name =" not in line))
    result = holdem("match", *files, "--hands", 200, env=ENVIRONMENT)
    assert result.stdout.startswith("a/final against b/final: ")
    result = holdem("match", "maniac", files[0], "--hands", 200, env=ENVIRONMENT)
    assert result.stdout.startswith("maniac against final: ")
    result = holdem("match", "maniac", "maniac", "--hands", 200, env=ENVIRONMENT)
    assert result.stdout.startswith("maniac against maniac: ")


@pytest.mark.slow
def test_a_report_has_short_names_and_one_list_of_paths(files, tmp_path):
    config = tmp_path / "mine.json"
    config.write_text(json.dumps({"agent": "maniac"}))
    path, broken = tmp_path / "t.yaml", tmp_path / "long" / "broken.py"
    broken.write_text("from holdem_env.agents import TableAgent\n\nclass Broken(TableAgent):\n")
    with broken.open("a") as text:
        text.write("    def decide(self, view):\n        return 1 / 0\n")
    agents = [*map(str, files), str(config), str(broken)]
    path.write_text(f"rules: heads-up-no-limit\nagents: {json.dumps(agents)}\nhands: 400\nisolation: none\n")
    words = ["tournament", str(path), "--store", str(tmp_path / "t.db"), "--report", str(tmp_path / "report")]
    result = holdem(*words, env=ENVIRONMENT)
    assert result.exit_code == 1, result.output  # somebody has forfeited
    table = result.stdout.partition("The report is")[0]
    assert str(tmp_path) not in table.replace(f"{tmp_path}/long/broken.py'", "")
    assert "broken forfeits: " in table
    for name in ("a/final", "b/final", "mine"):
        assert name in table
    page = (tmp_path / "report" / "report.html").read_text()
    for name, file in zip(("a/final", "b/final", "mine", "broken"), agents, strict=True):
        assert page.count(f"{name} is {file}") == 1
        assert page.count(file) == 1, file
    for part in (tmp_path / "report").iterdir():
        if part.suffix in (".csv", ".phhs"):
            assert str(tmp_path) not in part.read_text(), part.name
    assert str(files[0]) in read_standings(tmp_path / "t.db").names  # the store keeps what was given
