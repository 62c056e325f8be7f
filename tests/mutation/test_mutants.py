"""The mutants themselves, and a sample of them that the tests must notice."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from pathlib import Path

import pytest
from scipy.stats import binomtest

from mutation.explained import Explanation, read_explanations
from mutation.mutants import ENGINE, mutants_of

REPOSITORY = Path(__file__).resolve().parents[2]


def test_mutants_are_told_by_file_function_and_text():
    (found,) = [
        mutant for mutant in mutants_of("seats.py") if mutant.after.endswith("seat + 1 > r.seats else seat + 1")
    ]
    assert (found.file, found.function) == ("seats.py", "next_seat")
    assert found.before == "return 0 if seat + 1 >= r.seats else seat + 1"
    assert str(found).startswith(f"seats.py:{found.lines.start}: next_seat: return 0 if")


@pytest.mark.slow
def test_no_mutant_is_the_engine_itself_or_another_one():
    for path in ENGINE.glob("*.py"):
        codes = [(mutant.function, mutant.code) for mutant in mutants_of(path.name)]
        assert len(codes) == len({(name, code.co_code, code.co_consts, code.co_names) for name, code in codes}), path


@pytest.mark.slow
def test_every_explanation_explains_mutants_that_there_are():
    """After an edit of the engine: rewrite its text in equivalent.toml, if the reason still holds."""
    unused = []
    for seen in read_explanations():
        unused += seen.unused(mutants_of(seen.file))
    assert not unused


def test_an_explanation_tells_what_it_does_not_find():
    mutants = mutants_of("seats.py")
    seen = Explanation("seats.py", "next_seat", "return 1", (), "none")
    assert seen.unused(mutants) == ["seats.py: next_seat: return 1 -> (anything)"]
    assert Explanation("seats.py", "next_seat", "", (), "all of it").unused(mutants) == []


def test_an_explanation_has_a_reason(tmp_path):
    path = tmp_path / "equivalent.toml"
    path.write_text('[[mutant]]\nfile = "seats.py"\nfunction = "next_seat"\n')
    with pytest.raises(ValueError, match=r"next_seat.* has no reason"):
        read_explanations(path)
    path.write_text('[[mutant]]\nfile = "seats.py"\nfunction = "next_seat"\nwhy = "x"\n')
    with pytest.raises(ValueError, match="unknown keys"):
        read_explanations(path)


def run(*arguments: str) -> subprocess.CompletedProcess[str]:
    """`python -m tests.mutation`, which runs the engine as plain Python and compiles nothing."""
    kept = {name: value for name, value in os.environ.items() if not name.startswith(("NUMBA_", "PYTEST_"))}
    command = [sys.executable, "-m", "tests.mutation", *arguments]
    return subprocess.run(command, env=kept, cwd=REPOSITORY, capture_output=True, text=True, check=False)


@pytest.mark.modes
def test_a_survivor_is_told_and_too_many_fail():
    """A few tests of ranges cannot know the rules of showdowns."""
    done = run("ranking.py", "--sample", "4", "--tests", "rules/test_which_game.py")
    assert done.returncode == 1, done.stdout + done.stderr
    assert "ranking.py:" in done.stdout
    assert "killed 0.0% of 4" in done.stdout


# The rules and golden hands, and of the slower comparisons with the oracle those that find the most.
QUICK = ["rules", "golden", "table/test_steps.py", "engine/test_between_hands.py"]
QUICK += [f"differential/test_oracle.py::test_engine_agrees_with_the_oracle[{seed}]" for seed in range(5)]
QUICK += ["engine/test_decision_words.py"]
QUICK += [
    f"table/test_seat_view.py::test_{name}"
    for name in (
        "every_field_of_a_table_is_public_partly_seen_or_blanked",
        "public_fields_are_equal_and_blanked_ones_blank",
    )
]
QUICK += ["properties/test_sessions.py::test_r10_r40_a_cash_session_goes_as_the_rule_says"]


@pytest.mark.modes
def test_the_tests_notice_a_sample_of_mutants():
    """How many mutants are tried depends on the machine, so the share of a small sample is judged by a binomial test:
    it fails where 95 % for the whole would make so few kills less likely than one in a hundred."""
    done = run("--sample", "30", "--seconds", "60", "--slowest", "15", "--least", "0", "--tests", *QUICK)
    assert done.returncode == 0, done.stdout + done.stderr
    share, tried = re.search(r"killed ([0-9.]+)% of (\d+)", done.stdout).groups()
    killed = round(float(share) / 100 * int(tried))
    assert binomtest(killed, int(tried), 0.95, alternative="less").pvalue > 0.01, done.stdout
