"""Encoders in words: docs/encoders.md says what the code does."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from errors import complaint, mentions
from holdem_env import Rules
from holdem_env.encoders import action_names, describe, get_actions, get_observation, observation_names
from holdem_env.encoders.__main__ import main, renewed, table_of

PAGE = Path(__file__).resolve().parent.parent.parent / "docs" / "encoders.md"
BUILT_IN = [*observation_names(), *action_names()]


def test_tables_of_the_page_are_those_of_today() -> None:
    page = PAGE.read_text()
    assert renewed(page) == page, "write them again: python -m holdem_env.encoders docs/encoders.md"


@pytest.mark.parametrize("name", BUILT_IN)
def test_every_encoder_is_on_the_page_and_printed(name: str, capsys: pytest.CaptureFixture[str]) -> None:
    page = PAGE.read_text()
    tables = re.findall(r"<!-- encoder: (\S+) \S+ -->\n\n", page)
    listed = {
        each for cell in re.findall(r"^\| (`[^|]+) \|", page, re.MULTILINE) for each in re.findall(r"`(\w+)`", cell)
    }
    assert name in tables or name in listed
    main([name])
    assert capsys.readouterr().out == describe(name, "heads-up-no-limit") + "\n"


def test_opponents_are_described_once() -> None:
    text = describe("flat", "six-max-no-limit")
    assert "| 114 | own stack |" in text
    assert "| 129–203 | the same as 114–128, of opponents 1 to 5, one after the other |" in text


@pytest.mark.parametrize("name", observation_names())
def test_every_index_is_described(name: str) -> None:
    for rules in (Rules.preset("six-max-no-limit"), Rules.preset("acpc-limit-3p")):
        encoder = get_observation(name)
        text = describe(encoder, rules)
        places: list[int] = []
        for first, last in re.findall(r"^\| (\d+)(?:–(\d+))? \| \S", text, re.MULTILINE):
            places += range(int(first), int(last or first) + 1)
        assert places == list(range(encoder.shape(rules)[encoder.layout_axis]))


def test_actions_are_described() -> None:
    rules = Rules.preset("heads-up-no-limit")
    assert "| 2 | raise 33% |" in describe(get_actions("33%, 2x", rules), rules)
    many = describe(get_actions("all_sizes", rules), rules)
    assert many.splitlines()[-2:] == ["| ... | ... |", "| 201 | raise to 200 |"]


@pytest.mark.parametrize("name", ["tokens", "flat+equity", "33%, 2x", "pot", "fcpa"])
def test_encoders_and_games_are_given_by_name(name: str) -> None:
    rules = Rules.preset("heads-up-no-limit")
    is_action = name not in ("tokens", "flat+equity")
    encoder = get_actions(name, rules) if is_action else get_observation(name)
    assert describe(name, "heads-up-no-limit") == describe(encoder, rules)


@pytest.mark.parametrize(
    ("name", "message"), [("tokns", "'tokens'"), ("33%, 2y", "2y"), ("33 66", "33%, 66%"), ("allsizes", "'all_sizes'")]
)
def test_names_that_do_not_exist_are_refused(name: str, message: str) -> None:
    assert re.search(message, complaint(describe, name, "heads-up-no-limit"))


def test_the_command_prints_a_table(capsys: pytest.CaptureFixture[str]) -> None:
    main(["classic", "heads-up-limit"])
    assert capsys.readouterr().out == table_of("classic_limit", "heads-up-limit") + "\n"
    mentions(complaint(main, [], kind=SystemExit), "observations")
