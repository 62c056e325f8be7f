"""The bots of examples/bots, in every language that is installed here, and the pages that show how to run them."""

from __future__ import annotations

import json
import shlex
import shutil
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

from command_line import good
from holdem_agents.cli.tournament_file import load_tournament
from holdem_env import Rules, Session, Table
from holdem_env.agents import make_agent
from holdem_env.arena import play_match
from holdem_env.arena.tournaments.store import Store
from holdem_env.arena.tournaments.tournament import run
from holdem_env.protocols.json_lines import ProgramAgent
from holdem_env.protocols.json_lines.schema import schema
from holdem_env.protocols.json_lines.situations import decisions_of, ends_of, hello_of
from holdem_env.testing import check_agent
from holdem_env.testing.sampled_tables import random_positions
from pages import REPOSITORY, blocks
from protocols.test_program_agent import GAMES

BOTS = REPOSITORY / "examples" / "bots"
PAGE = REPOSITORY / "docs" / "protocol.md"
LANGUAGES = {
    "python": ("python3", [sys.executable, "bot.py"], None),
    "javascript": ("node", ["node", "bot.js"], None),
    "rust": ("rustc", ["./rust_bot"], ["rustc", "-O", "-o", "rust_bot", "bot.rs"]),
    "c": ("cc", ["./c_bot"], ["cc", "-O2", "-Wall", "-Werror", "-o", "c_bot", "bot.c", "-lm"]),
}


@pytest.fixture(scope="module")
def folder(tmp_path_factory) -> Path:
    """A copy of the bots' folder."""
    copy = tmp_path_factory.mktemp("examples") / "bots"
    shutil.copytree(BOTS, copy)
    return copy


@pytest.fixture(scope="module")
def built(folder) -> Path:
    """The folder, where what can be compiled is compiled."""
    for tool, _, build in LANGUAGES.values():
        if build and shutil.which(tool):
            done = subprocess.run(build, cwd=folder, capture_output=True, text=True)
            assert done.returncode == 0, done.stderr
    return folder


@pytest.fixture(
    params=["python", *(pytest.param(name, marks=pytest.mark.slow) for name in LANGUAGES if name != "python")]
)
def bot(request, folder, monkeypatch):
    """The agent of a language."""
    tool, command, build = LANGUAGES[request.param]
    if tool != "python3" and not shutil.which(tool):
        pytest.skip(f"{tool} is not installed")
    if build:
        request.getfixturevalue("built")
    monkeypatch.chdir(folder)
    agent = ProgramAgent(command, max_seconds=20)
    yield agent
    agent.close()


@pytest.mark.fast_cases(2)
@pytest.mark.parametrize("rules", GAMES.values(), ids=list(GAMES))
def test_it_plays_any_game(bot, rules):
    result = play_match(bot, "calling_station", rules, hands=200, num_tables=20)
    assert result.hands >= 200


@pytest.mark.slow
def test_it_plays_sensibly(bot):
    """It beats those who play at random; more hands would only narrow the interval."""
    result = play_match(bot, "random", "heads-up-no-limit", hands=2_000)
    assert result.mean - result.half_width > 0, result


@pytest.mark.slow
def test_it_passes_the_checks_of_agents(bot):
    check_agent(bot, positions=40)


def test_it_plays_a_session(bot):
    rules = Rules(seats=3, blinds=(50, 100), stacks=1_000, session={"levels": [{"hands": 3}, {"times": 2}]})
    agents = [bot, make_agent("nit"), make_agent("calling_station")]
    session = Session(rules, seed=1)
    for table in session:
        while not table.is_over:
            table.play(agents[table.actor].move(table))
    assert sorted(session.places) == [1, 2, 3]


@pytest.mark.slow
def test_the_languages_play_alike(built, monkeypatch):
    monkeypatch.chdir(built)
    found = {}
    for language, (tool, command, _) in LANGUAGES.items():
        if tool == "python3" or shutil.which(tool):
            agent = ProgramAgent(command)
            found[language] = []
            for rules in GAMES.values():
                tables = random_positions(rules, 400, seed=9)
                rows = np.flatnonzero(tables["actor"] >= 0)
                found[language] += agent.act(tables, rules, rows).tolist()
            agent.close()
    assert len(set(found["python"])) > 10
    for language, moves in found.items():
        assert moves == found["python"], language


def commands(page: Path) -> list[str]:
    """The commands of a page, line by line."""
    lines = [line.strip() for block in blocks(page, "") for line in block.splitlines()]
    return [line for line in lines if line and not line.startswith("#")]


def run_command(line: str) -> None:
    """Run a command as it is shown; `holdem` in this process."""
    words = shlex.split(line)
    for tool in ("node", "rustc", "cc", "rust_bot", "c_bot"):
        needed = {"rust_bot": "rustc", "c_bot": "cc"}.get(tool, tool)
        if any(tool in word.split("/")[-1].split(":")[-1].split() for word in words) and not shutil.which(needed):
            return
    if words[0] == "holdem":
        said = good(*words[1:], typed="c\nf\nq\n")
        assert words[1] == "play" or " against " in said
        if "rust_bot" in line and "c_bot" in line:
            assert "+0 ± 0 bb/100" in said
    elif words[0] == "cd":
        assert (REPOSITORY / words[1]).is_dir()
    else:
        words[0] = sys.executable if words[0] == "python" else words[0]
        done = subprocess.run(words, capture_output=True, text=True)
        assert done.returncode == 0, done.stderr


@pytest.mark.slow
@pytest.mark.parametrize("line", commands(BOTS / "README.md"))
def test_the_commands_of_the_readme(line, built, monkeypatch):
    monkeypatch.chdir(built)
    run_command(line)


@pytest.fixture
def shown(tmp_path, monkeypatch):
    """A folder with the files of docs/protocol.md, and a bot.js."""
    monkeypatch.chdir(tmp_path)
    for language in ("py", "yaml"):
        for block in blocks(PAGE, language):
            if block.startswith("# "):
                (tmp_path / block.split("\n")[0].removeprefix("# ")).write_text(block)
    shutil.copy(BOTS / "bot.js", tmp_path)
    assert {"caller.py", "mybot.yaml"} <= {path.name for path in tmp_path.iterdir()}


@pytest.mark.slow
@pytest.mark.parametrize("line", commands(PAGE))
def test_the_commands_of_the_page(line, shown):
    if "mybot.yaml" in line and not shutil.which("node"):
        pytest.skip("node is not installed")
    run_command(line + " --hands 600" if "holdem match" in line and "--hands" not in line else line)


@pytest.mark.slow
def test_the_tournament_of_the_page(tmp_path, monkeypatch):
    if not shutil.which("node") or not shutil.which("cc"):
        pytest.skip("node or cc is not installed")
    monkeypatch.chdir(tmp_path)
    (block,) = [block for block in blocks(PAGE, "yaml") if block.startswith("agents:")]
    for name in ("anna", "ben"):
        (tmp_path / "bots" / name).mkdir(parents=True)
    shutil.copy(BOTS / "bot.js", tmp_path / "bots" / "anna")
    subprocess.run(["cc", "-o", tmp_path / "bots" / "ben" / "bot", BOTS / "bot.c", "-lm"], check=True)
    (tmp_path / "t.yaml").write_text(f"rules: heads-up-no-limit\nhands: 40\nshard: 20\nestimators: []\n{block}")
    tournament = load_tournament("t.yaml")
    with Store(tmp_path / "x.db", create=True) as store:
        run(tournament, store)
        assert store.forfeits() == {}
        assert store.hands() == 3 * 40


def messages() -> list[dict]:
    """All messages that the page shows: a block has one, or one on each line."""
    found = []
    for block in blocks(PAGE, "json"):
        try:
            found.append(json.loads(block))
        except ValueError:
            found += [json.loads(line) for line in block.splitlines()]
    return found


def test_the_messages_of_the_page_fit_the_schema():
    jsonschema = pytest.importorskip("jsonschema")
    shown, whole = messages(), schema()
    assert len(shown) >= 9
    for message in shown:
        kind = "to_bot" if "type" in message else "answer_to_decision" if "move" in message else "answer_to_hello"
        jsonschema.Draft202012Validator({"$ref": f"#/$defs/{kind}", "$defs": whole["$defs"]}).validate(message)
    assert {message["type"] for message in shown if "type" in message} == {
        *whole["$defs"]["to_bot"]["discriminator"]["mapping"]
    }


def test_the_messages_of_the_page_are_what_is_sent():
    by_type = {message["type"]: message for message in messages() if "type" in message}
    assert by_type["hello"] == hello_of(Rules.preset("kuhn"))
    rules = Rules(seats=3, blinds=(50, 100), stacks=(5_000, 10_000, 2_000))
    table = Table(rules, button=0, seed=7)
    table.raise_to(300)
    table.fold()
    table.check_call()
    decision = by_type["decision"]
    (sent,) = decisions_of(table.view().records, rules, 17, [decision["hand"]], [decision["random"]])
    assert decision == sent
    kuhn = Rules.preset("kuhn")
    table = Table(kuhn, seed=7)
    table.check_call()
    table.raise_to(1)
    table.check_call()
    view = table.view(1).records
    view["actor"] = 1
    (sent,) = ends_of(view, kuhn, [by_type["hand_over"]["hand"]])
    assert by_type["hand_over"] == sent
