"""The strategies in the box: each has its name, its card and its game."""

from pathlib import Path

import pytest

from holdem_env import Rules
from holdem_env.agents.names import agent_names
from holdem_env.solvers.blueprints.agent import SHIPPED
from holdem_env.solvers.blueprints.strategy_file import check_rules, read_header

GAMES = {
    "blueprint_100bb": Rules.preset("heads-up-no-limit"),
    "blueprint_20bb": Rules.preset("heads-up-no-limit").replace(stacks=40),
    "blueprint_limit": Rules.preset("heads-up-limit"),
}
FILES = sorted(SHIPPED.glob("*.strategy"))


def test_names_without_a_strategy_are_none_of_ours():
    assert set(GAMES) <= set(agent_names())
    assert {path.stem for path in FILES} <= set(GAMES)


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.stem)
def test_each_is_for_its_game_and_says_how_it_was_made(path: Path):
    header = read_header(path)
    check_rules(path, Rules(**header.rules), GAMES[path.stem])
    assert header.training["deals"] > 0
    assert header.training["minutes"] > 0
    assert path.with_suffix(".md").read_text(encoding="utf-8").startswith(f"# {path.stem}\n")
