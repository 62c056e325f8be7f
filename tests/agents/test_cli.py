"""The `holdem` command, as a user types it."""

from __future__ import annotations

import subprocess
import sys
import tomllib
from pathlib import Path
from pkgutil import resolve_name

import pytest
from typer.testing import Result

from command_line import good, holdem, refused
from holdem_agents import progress
from holdem_agents.cli import demo
from holdem_agents.cli.compiling import PARTS, compile_parts
from holdem_agents.runs.config import load_config, shipped_configs
from holdem_agents.scripted import CallingStation
from holdem_env import Rules, Table
from holdem_env.agents import names
from holdem_env.cards.text import card_name
from holdem_env.encoders import action_names, observation_names
from holdem_env.testing.agent_checks import CHECKS
from holdem_env.utils.extras import install_command
from holdem_env.utils.version import __version__

DATA = Path(__file__).parent.parent / "data"
PROJECT = Path(__file__).parent.parent.parent / "pyproject.toml"
TINY = """
rules: heads-up-limit
budget: {decisions: 2000}
tables: 32
learner: {n_steps: 8, batch_size: 128, hidden: [16], threads: auto}
evaluation: {opponents: [random], hands: 200}
"""


@pytest.fixture(scope="module")
def runs(tmp_path_factory) -> Path:
    """A folder with a tiny run in it."""
    home = tmp_path_factory.mktemp("home")
    (home / "tiny.yaml").write_text(TINY)
    assert "final.safetensors" in good("train", home / "tiny.yaml", "--runs", home / "runs", "--seed", 3)
    return home / "runs"


def test_match_between_names():
    text = good("match", "maniac", "calling_station", "--hands", 2000, "--rules", "heads-up-pot-limit")
    assert "maniac against calling_station: " in text
    assert "bb/100 (2,000 hands)" in text
    assert text == good("match", "maniac", "calling_station", "--hands", 2000, "--rules", "heads-up-pot-limit")


def test_match_with_a_file_plays_the_game_it_was_trained_for(runs):
    final = runs / "tiny" / "final.safetensors"
    words = "match", final, "random", "--hands", 500
    assert good(*words) != good(*words, "--greedy")


def test_greedy_is_for_models_only(tmp_path):
    (tmp_path / "mine.json").write_text('{"agent": "maniac", "aggression": 0.5}')
    assert "bb/100" in good("match", tmp_path / "mine.json", "random", "--hands", 100, "--greedy")


def test_a_name_that_looks_like_markup_is_printed_as_it_is(monkeypatch):
    class Strange(CallingStation):
        name = "cs[/x]"

    monkeypatch.setitem(names.AGENTS.registered, "strange", Strange)
    assert "cs[/x] against random" in good("match", "strange", "random", "--hands", 100)


@pytest.mark.fast_cases(14)
@pytest.mark.parametrize(
    ("words", "message"),
    [
        (["match", "randm", "maniac"], "there is no agent 'randm': did you mean 'random'?"),
        (["train"], "give either a configuration or --resume RUN"),
        (["train", "--resume", "runs/gone"], "runs/gone: no run to resume; there is no config.yaml in it"),
        (["train", "--resume", "runs/x", "--seed", 1], "--seed cannot be used with --resume, which keeps"),
        (["train", "--resume", "runs/x", "--runs", "there"], "--runs cannot be used with --resume"),
        (["train", "demo", "--seconds", 1, "--decisions", 1], "give either --decisions or --seconds"),
        (["train", "demo", "--seeds", "0,x"], "--seeds: give whole numbers from 0 to 4294967295"),
        (["train", "demo", "--seeds", "1,1"], "[1, 1] has a seed twice"),
        (["train", "demo", "--seeds", "1", "--seed", 1], "give either --seed or --seeds"),
        (["train", "league", "--seeds", "1,2"], "--seeds is for configurations of one learner"),
        (["train", "demo", "--set", "tabels=1"], "--set tabels=1"),
        (["train", "dmeo"], "; did you mean 'demo'?"),
        (["train", "tournament"], "this is a tournament; use holdem tournament tournament"),
        (["train", "demo", "--set", "tables"], "'tables' does not set a field; an example that does:"),
        (["exploit", "acpc:127.0.0.1:9001"], "plays at 1 table at once"),
        (["exploit", "maniac", "--seeds", "1,1"], "[1, 1] has a seed twice"),
        (["exploit", "maniac", "--warm", "--actions", "fcpa"], "a warm exploiter has the agent's actions"),
        (["match", "random", "maniac", "--rules", "heads-up"], "there is no preset 'heads-up'"),
        (["train", "gone.yaml"], "gone.yaml: there is no such file; holdem comes with baselines"),
        (["train", "kuhn"], "kuhn is a game, which a configuration gets by --set rules=kuhn"),
        (["list", "agnets"], "there is no list of 'agnets': did you mean 'agents'?"),
        (["replay", "gone.phh"], "gone.phh: there is no such file"),
        (["replay", "gone"], "gone: there is no such file"),
        (["replay", DATA / "nothing*.txt"], "nothing*.txt: no file fits this pattern"),
        (["replay", PROJECT], "pyproject.toml: this is no hand history. A PHH file ends in .phh or .phhs"),
        (["play", "maniak"], "did you mean 'maniac'"),
        (["match", "random", "maniac", "--hands", "1e4"], "holdem: --hands must be a whole number, got '1e4'"),
        (["match", "random", "maniac", "--hands", "0"], "--hands must be at least 1, got '0'"),
        (["web", "--port", "99999"], "holdem: --port must be at most 65535, got '99999'"),
        (["train", "demo", "--set", "learner.device=gpu"], "must be auto, cpu, cuda, cuda:N or mps, got 'gpu'"),
        (["train", "demo", "--set", "device=gpu"], "Training has no field 'device': did you mean 'learner.device'?"),
    ],
)
def test_errors_are_one_line(words, message, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    said = refused(*words)
    assert message in said
    assert len(said.strip().splitlines()) == 1
    assert not list(tmp_path.iterdir())


def test_a_store_is_suggested_without_its_suffix(tmp_path):
    (tmp_path / "t6.db").touch()
    assert f"did you mean {tmp_path / 't6.db'}?" in refused("standings", tmp_path / "t6")


def test_the_version():
    assert good("--version").split() == ["holdem", __version__]


def test_lists_of_what_there_is():
    everything = good("list")
    for name in [*Rules.presets(), *names.agent_names(), *shipped_configs(), *observation_names(), *action_names()]:
        assert f" {name} " in everything
    agents = good("list", "agents")
    assert "Always checks or calls" in agents
    assert "leduc" not in agents
    assert "ante 1" in good("list", "presets")
    assert "heads-up-no-limit" in good("list", "configs")


def test_the_installed_command_starts_something_that_is_there():
    for target in tomllib.loads(PROJECT.read_text())["project"]["scripts"].values():
        assert callable(resolve_name(target))


@pytest.mark.parametrize("name", ["pluribus.phhs", "2p.nolimit.log", "3p.limit.log"])
def test_replay_real_hands(name):
    text = good("replay", DATA / name)
    assert "hands replayed; results stated for" in text
    assert "no problems" in text


def test_replay_one_hand():
    text = good("replay", DATA / "pluribus.phhs", "--hand", 133)
    assert "hand 133 of" in text
    assert "posts the small blind of 50" in text
    assert "The hand is over." in text


def test_replay_says_what_was_read(tmp_path):
    (tmp_path / "more").mkdir()
    for place, name in enumerate(("home_game.txt", "old_date.txt", "infinite_clock.phh")):
        (tmp_path / ("more" if place else "") / name).write_bytes((DATA / name).read_bytes())
    (tmp_path / "more" / "bad.txt").write_text("PokerStars Hand #6: Hold'em\n")
    result = holdem("replay", tmp_path, DATA / "home_*.txt", tmp_path / "home_game.txt")
    lines = [" ".join(line.split()) for line in result.output.splitlines()]
    assert lines[0] == "5 files: 4 hands replayed; results stated for 3"
    assert "No limit $1/$2: 2 hands" in lines
    assert "Fixed limit $0.50/$1: 1 hand" in lines
    assert "Ann 3 hands, net -$2.25" in lines
    assert "Bob 3 hands, net +$2.25" in lines
    assert any("bad.txt, line 1, hand 6" in line for line in lines)
    assert lines[-2:] == ["left out: 1", "1 problem"]
    assert result.exit_code == 1


def test_play_shows_own_cards_only_and_ends_with_q():
    text = good("play", "calling_station", "--seed", 4, typed="c\nr 1\nhello\nf\nq\n")
    assert "you post the small blind of 1" in text
    assert "seat 1" not in text
    mine, other = (" ".join(map(card_name, Table("heads-up-no-limit", seed=4).hole_cards(seat))) for seat in (0, 1))
    assert mine in text
    assert not any(card in text.split("Hand 2")[0].replace(mine, "") for card in other.split())
    assert "the least you may bet is 2" in text
    assert "f folds, c checks or calls" in text
    assert "You: -2 (-1 bb), in all -2 (-1 bb)" in text


def test_without_the_extra_it_says_how_to_install_it():
    code = "import sys; sys.modules['torch'] = None\nfrom holdem_agents.cli import main; main()"
    result = subprocess.run([sys.executable, "-c", code, "train", "demo"], capture_output=True, text=True)
    assert result.returncode == 1
    assert f"the package 'torch' is missing; install it with: {install_command('train')}" in result.stderr


@pytest.mark.slow
def test_demo_in_small(tmp_path, monkeypatch):
    def small(name, changes):
        config = load_config(name, changes)
        evaluation = config.evaluation.model_copy(update={"hands": 1_000, "hands_in_training": 200, "times": 1})
        return config.model_copy(update={"evaluation": evaluation})

    monkeypatch.setattr(demo, "load_config", small)
    text = good("demo", "--seconds", 2, "--runs", tmp_path)
    for word in ("random", "calling_station", "maniac", "bb/100", "sampling", "greedy"):
        assert word in text
    assert (tmp_path / "demo" / "final.safetensors").is_file()


def test_an_interrupt_while_modules_are_imported(monkeypatch, capsys):
    from holdem_agents.cli import commands, start

    def interrupt():
        raise KeyboardInterrupt

    monkeypatch.setattr(commands, "app", interrupt)
    with pytest.raises(SystemExit) as caught:
        start.main()
    assert caught.value.code == 130
    assert capsys.readouterr().err == "holdem: interrupted\n"


def test_lbr_prints_one_table_and_saves_it(tmp_path):
    words = ("--hands", 12, "--actions", "fc", "--actions", "pot, all-in", "--from-street", "preflop")
    text = good("lbr", "calling_station", *words, "--from-street", "turn", "--save", tmp_path / "lbr.csv")
    assert "Local best response against calling_station, mbb/h" in text
    assert "from the start" in text
    assert "from the turn" in text
    assert "+0.0 ± ∞*" in text  # two who only check and call are checked down from both seats
    assert "The game: No limit 1/2; every setting has 12 hands" in text
    assert len((tmp_path / "lbr.csv").read_text().splitlines()) == 5


CHEATS = Path(__file__).parents[1] / "arena" / "cheats"
GAME = ("--rules", "heads-up-no-limit", "--positions", "40")


def checked(*words: object) -> Result:
    return holdem("check", *words, *GAME)


def test_an_honest_agent_passes_everything() -> None:
    result = checked("maniac")
    assert result.exit_code == 0, result.output
    lines = result.output.splitlines()
    assert [line.removeprefix("ok").strip() for line in lines[: len(CHECKS)]] == list(CHECKS)
    assert len(lines) == len(CHECKS) + 2
    assert all(line.startswith("ok ") for line in lines)


@pytest.mark.slow
def test_a_cheat_fails_its_check_and_the_others_go_on() -> None:
    result = checked(CHEATS / "reads_deck.py")
    assert result.exit_code == 1
    lines = result.output.splitlines()
    assert [line[:2] for line in lines[:5]] == ["ok", "FA", "ok", "ok", "ok"]
    assert "only `deck` (the deck) changes" in lines[-1]


@pytest.mark.slow
def test_what_is_allowed_is_no_finding(tmp_path: Path) -> None:
    assert checked(CHEATS / "looks_through_memory.py").exit_code == 1
    assert checked(CHEATS / "looks_through_memory.py", "--allow", "memory").exit_code == 0
    result = checked("maniac", "--allow", "moon")
    assert result.exit_code == 2
    assert "allow: moon" in result.output


def test_compiled_code_is_removed(tmp_path, monkeypatch) -> None:
    monkeypatch.setenv("HOLDEM_CACHE_DIR", str(tmp_path))
    (tmp_path / "holdem-1" / "a").mkdir(parents=True)
    (tmp_path / "holdem-1" / "a" / "code.nbi").write_bytes(bytes(10**6))
    (tmp_path / "mine.txt").touch()
    assert "1.0 MB of compiled code removed" in good("compile", "--remove")
    assert [path.name for path in tmp_path.iterdir()] == ["mine.txt"]


@pytest.mark.slow
def test_every_part_is_compiled() -> None:
    said = good("compile", "--jobs", 1)
    for number, part in enumerate(PARTS, 1):
        assert f"{number} of {len(PARTS)}: {part}" in said


def test_what_a_part_raises_is_raised(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(PARTS, "arena", lambda: 1 / 0)
    with pytest.raises(ZeroDivisionError):
        list(compile_parts(["arena"], jobs=1))


@pytest.mark.fast_cases(1)
@pytest.mark.parametrize("command", ["match", "tournament"])
def test_commands_in_a_pipe(command, tmp_path, monkeypatch):
    monkeypatch.setattr(progress, "SECONDS", 0.0)
    words = ["match", "calling_station", "always_fold", "--hands", "3000"]
    if command == "tournament":
        config = tmp_path / "t.yaml"
        config.write_text("rules: heads-up-no-limit\nagents: [calling_station, always_fold]\nhands: 100\nshard: 25\n")
        words = ["tournament", str(config), "--store", str(tmp_path / "t.db"), "--report", str(tmp_path / "report")]
    result = holdem(*words)
    assert result.exit_code == 0, result.output
    assert "playing: " in result.stderr
    assert "playing: " not in result.stdout


def test_the_traceback_is_there_for_who_asks(monkeypatch: pytest.MonkeyPatch) -> None:
    assert "gone.db" in refused("standings", "gone.db")
    monkeypatch.setenv("HOLDEM_DEBUG", "1")
    assert isinstance(holdem("standings", "gone.db").exception, FileNotFoundError)
