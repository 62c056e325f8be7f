"""Encoders in words: docs/encoders.md says what the code does."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from holdem_env import Rules
from holdem_env.encoders import action_names, describe, get_actions, get_observation, observation_names
from holdem_env.encoders.__main__ import main, renewed, table_of

PAGE = Path(__file__).resolve().parent.parent.parent / "docs" / "encoders.md"
BUILT_IN = [*observation_names(), *action_names()]


def test_tables_of_the_page_are_those_of_today() -> None:
    page = PAGE.read_text()
    assert renewed(page) == page, "write them again: python -m holdem_env.encoders docs/encoders.md"


@pytest.mark.parametrize("name", BUILT_IN)
def test_every_encoder_is_on_the_page(name: str) -> None:
    tables = re.findall(r"<!-- encoder: (\S+) \S+ -->\n\n", PAGE.read_text())
    assert name in tables or {f"{name}_limit", f"{name}_no_limit"} <= set(tables)


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
    ("name", "message"),
    [("tokns", "'tokens'"), ("33%, 2y", "2y"), ("33 66", "33%, 66%"), ("allsizes", "'all_sizes'")],
)
def test_names_that_do_not_exist_are_refused(name: str, message: str) -> None:
    with pytest.raises(ValueError, match=message):
        describe(name, "heads-up-no-limit")


def test_the_command_prints_a_table(capsys: pytest.CaptureFixture[str]) -> None:
    main(["classic", "heads-up-limit"])
    assert capsys.readouterr().out == table_of("classic_limit", "heads-up-limit") + "\n"
    with pytest.raises(SystemExit, match="observations: flat, "):
        main([])


@pytest.mark.parametrize(
    ("arguments", "why"),
    [
        (["plains"], "there is no encoder 'plains': did you mean 'planes'?"),
        (["pot_fraction"], "there is no encoder 'pot_fraction': did you mean 'pot_fractions'?"),
        (["flat", "six-max"], "there is no preset 'six-max': did you mean 'six-max-no-limit'?"),
        (["no_such_page.md"], "No such file"),
    ],
)
def test_the_command_says_what_is_wrong_in_a_line(
    arguments: list[str], why: str, capsys: pytest.CaptureFixture[str]
) -> None:
    with pytest.raises(SystemExit) as caught:
        main(arguments)
    assert caught.value.code == 2
    text = capsys.readouterr().err
    assert why in text
    assert text.count("\n") == 1


def test_the_command_renews_a_page(tmp_path: Path) -> None:
    page = tmp_path / "page.md"
    page.write_text("# A\n\n<!-- encoder: limit heads-up-limit -->\nstale\n<!-- end -->\n\nB\n")
    main([str(page)])
    assert "| 2 | raise |" in page.read_text()
    assert "stale" not in page.read_text()
    assert page.read_text().endswith("<!-- end -->\n\nB\n")
